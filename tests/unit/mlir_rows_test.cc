// The table of ops: what its rows say holds both ways.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/mlir/importer.h"
#include "engine/mlir/ops/op_row.h"
#include "engine/mlir/text/parser.h"
#include "engine/ops/op_def.h"
#include "engine/views/convert_view.h"
#include "engine/views/document.h"

namespace hlo {
namespace {

using mlir::AttrPair;
using mlir::OpRow;
using mlir::Spelling;

// Types and values for an op with attributes: what these are called and how they are spelled, the
// row says.
struct Example {
  std::string_view name;
  std::vector<std::string_view> operands;
  std::vector<std::string_view> values;  ///< by pair of the row
  std::vector<std::string_view> results;
};

const std::vector<Example>& Examples() {
  static const std::vector<Example> kExamples = {
      {"batch_norm_grad",
       {"tensor<2x4xf32>", "tensor<4xf32>", "tensor<4xf32>", "tensor<4xf32>", "tensor<2x4xf32>"},
       {"1.000000e-03", "1"},
       {"tensor<2x4xf32>", "tensor<4xf32>", "tensor<4xf32>"}},
      {"batch_norm_inference",
       {"tensor<2x4xf32>", "tensor<4xf32>", "tensor<4xf32>", "tensor<4xf32>", "tensor<4xf32>"},
       {"1.000000e-03", "1"},
       {"tensor<2x4xf32>"}},
      {"batch_norm_training",
       {"tensor<2x4xf32>", "tensor<4xf32>", "tensor<4xf32>"},
       {"1.000000e-03", "1"},
       {"tensor<2x4xf32>", "tensor<4xf32>", "tensor<4xf32>"}},
      {"cholesky", {"tensor<3x3xf32>"}, {"true"}, {"tensor<3x3xf32>"}},
      {"concatenate", {"tensor<2x4xf32>", "tensor<2x1xf32>"}, {"1"}, {"tensor<2x5xf32>"}},
      {"fft", {"tensor<8xf32>"}, {"RFFT", "8"}, {"tensor<5xcomplex<f32>>"}},
      {"get_dimension_size", {"tensor<2x4xf32>"}, {"1"}, {"tensor<i32>"}},
      {"iota", {}, {"1"}, {"tensor<2x4xi32>"}},
      {"reverse", {"tensor<2x4xf32>"}, {"0, 1"}, {"tensor<2x4xf32>"}},
      {"set_dimension_size",
       {"tensor<2x4xf32>", "tensor<i32>"},
       {"1"},
       {"tensor<2x?xf32, #stablehlo.bounds<?, 4>>"}},
      {"transpose", {"tensor<2x4xf32>"}, {"1, 0"}, {"tensor<4x2xf32>"}},
      {"triangular_solve",
       {"tensor<3x3xf32>", "tensor<3x2xf32>"},
       {"true", "true", "ADJOINT", "true"},
       {"tensor<3x2xf32>"}},
  };
  return kExamples;
}

std::string Spelled(const AttrPair& pair, std::string_view value) {
  switch (pair.spelling) {
    case Spelling::kInts:
      return fmt::format("array<i64: {}>", value);
    case Spelling::kInt:
      return fmt::format("{} : i64", value);
    case Spelling::kInt32:
      return fmt::format("{} : i32", value);
    case Spelling::kFloat:
      return fmt::format("{} : f32", value);
    case Spelling::kBool:
      return std::string(value);
    case Spelling::kWord:
      break;
  }
  return fmt::format("#stablehlo<{} {}>", pair.enumeration.empty() ? pair.name : pair.enumeration,
                     value);
}

std::string AttrsOf(const OpRow& row, const Example& example) {
  std::string text;
  for (size_t i = 0; i < example.values.size(); ++i) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", row.attrs[i].name,
                        Spelled(row.attrs[i], example.values[i]));
  }
  return text;
}

std::vector<std::string> NamesOf(const Example& example) {
  std::vector<std::string> names;
  for (size_t i = 0; i < example.operands.size(); ++i) names.push_back(fmt::format("%arg{}", i));
  return names;
}

// The op in its generic form.
std::string GenericOf(const OpRow& row, const Example& example) {
  return fmt::format("\"{}\"({}) {{{}}} : ({}) -> ({})", row.full_name(),
                     fmt::join(NamesOf(example), ", "), AttrsOf(row, example),
                     fmt::join(example.operands, ", "), fmt::join(example.results, ", "));
}

// A program of the op alone.
std::string ProgramOf(const Example& example, const std::string& op) {
  std::vector<std::string> arguments, results;
  for (size_t i = 0; i < example.operands.size(); ++i) {
    arguments.push_back(fmt::format("%arg{}: {}", i, example.operands[i]));
  }
  const size_t count = example.results.size();
  for (size_t i = 0; i < count; ++i) {
    results.push_back(count == 1 ? "%0" : fmt::format("%0#{}", i));
  }
  const std::string types = fmt::format("{}", fmt::join(example.results, ", "));
  return fmt::format(
      "module @m attributes {{mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32}} {{\n"
      "  func.func public @main({}) -> ({}) {{\n"
      "    %0{} = {}\n"
      "    func.return {} : {}\n  }}\n}}\n",
      fmt::join(arguments, ", "), types, count == 1 ? "" : fmt::format(":{}", count), op,
      fmt::join(results, ", "), types);
}

// The types that an op takes is a question for the op: of some that are tried, the first that it
// takes.
std::vector<Example> Candidates(const OpRow& row) {
  const auto count = static_cast<size_t>(GetOpcodeInfo(*row.opcode).min_operands);
  constexpr std::string_view kTypes[] = {"tensor<4xf32>", "tensor<4xi32>", "tensor<4xi1>",
                                         "tensor<4xcomplex<f32>>", "tensor<ui32>"};
  std::vector<Example> all;
  for (std::string_view type : kTypes) {
    for (std::string_view result : kTypes) {
      Example same{row.name, std::vector(count, type), {}, {result}};
      all.push_back(same);
      if (count < 2) continue;
      same.operands[0] = "tensor<4xi1>";
      all.push_back(same);
    }
  }
  return all;
}

using Spell = std::string (*)(const OpRow& row, const Example& example);

// A program that the op takes; empty where none is known.
std::string AcceptedProgram(const OpRow& row, Spell spell = GenericOf) {
  const bool has_attrs = !row.attrs[0].name.empty();
  for (const Example& example : has_attrs ? Examples() : Candidates(row)) {
    if (example.name != row.name) continue;
    const std::string program = ProgramOf(example, spell(row, example));
    const Document document(program);
    if (document.ok()) return program;
    if (!has_attrs) continue;
    for (const Diagnostic& fault : document.diagnostics().list()) MESSAGE(fault.message);
  }
  return {};
}

bool IsPlain(const OpRow& row) {
  return row.opcode && row.emit == mlir::EmitPlain && row.write == mlir::WritePlain &&
         !row.form.is_none();
}

TEST_CASE("Ops whose rows say everything are StableHLO, HLO, and the same StableHLO") {
  int count = 0;
  for (std::span<const OpRow> family : mlir::AllRows()) {
    for (const OpRow& row : family) {
      if (!IsPlain(row)) continue;
      CAPTURE(row.name);
      const std::string program = AcceptedProgram(row);
      REQUIRE_MESSAGE(!program.empty(), "give an example of it in this file");
      const Document document(program);
      const Document as_hlo(ConvertDocument(document, TextKind::kHlo).text);
      CHECK(as_hlo.ok());
      CHECK(ConvertDocument(as_hlo, TextKind::kMlir).text ==
            ConvertDocument(document, TextKind::kMlir).text);
      ++count;
    }
  }
  CHECK(count > 60);
}

// The types after the colon, in order, where each operand but the last of `operand_count` has one.
std::vector<std::string> WrittenTypes(const OpRow& row, const Example& example,
                                      size_t operand_count) {
  using mlir::TypeForm;
  std::vector<std::string> types(example.operands.begin(), example.operands.end());
  const std::vector<std::string> results(example.results.begin(), example.results.end());
  switch (row.form.types) {
    case TypeForm::kResults:
    case TypeForm::kComplex:
      return results;
    case TypeForm::kSame:
    case TypeForm::kFirst:
      return {types[0]};
    case TypeForm::kSelect:
      return {types[0], results[0]};
    default:
      break;
  }
  if (operand_count > 0 && types.size() > operand_count) {
    types[operand_count - 1] =
        fmt::format("{}", fmt::join(types.begin() + operand_count - 1, types.end(), ", "));
    types.resize(operand_count);
  }
  types.insert(types.end(), results.begin(), results.end());
  return types;
}

// The op as an editor proposes it, filled in.
std::string FilledOf(const OpRow& row, const Example& example) {
  const MlirForm form = MakeMlirForm(row.full_name());
  const auto begins = [&](const Range& stop, char c) { return form.text[stop.begin] == c; };
  const auto is_operand = [&](const Range& stop) { return begins(stop, '%'); };
  const auto operand_count =
      static_cast<size_t>(std::count_if(form.stops.begin(), form.stops.end(), is_operand));
  const std::vector<std::string> types = WrittenTypes(row, example, operand_count);
  const std::vector<std::string> names = NamesOf(example);
  std::string text;
  size_t at = 0, operand = 0, value = 0, type = 0;
  for (const Range& stop : form.stops) {
    text += form.text.substr(at, stop.begin - at);
    at = stop.end;
    if (is_operand(stop)) {
      const bool is_last = ++operand == operand_count;
      const auto first = names.begin() + static_cast<ptrdiff_t>(operand) - 1;
      text += fmt::format("{}", fmt::join(first, is_last ? names.end() : first + 1, ", "));
    } else if (begins(stop, 't') && form.text.compare(stop.begin, 7, "tensor<") == 0) {
      text += types.at(type++);
    } else {
      text += example.values.at(value++);
    }
  }
  return text + form.text.substr(at);
}

TEST_CASE("An op is proposed in a form that is the op once it is filled in") {
  int count = 0;
  for (std::span<const OpRow> family : mlir::AllRows()) {
    for (const OpRow& row : family) {
      if (!IsPlain(row)) continue;
      CAPTURE(row.name);
      CAPTURE(MakeMlirForm(row.full_name()).text);
      CHECK(!AcceptedProgram(row, FilledOf).empty());
      ++count;
    }
  }
  CHECK(count > 60);
}

// The program of an op as proposed, with nothing filled in, with arguments of the names and types
// of its operands.
std::string UnfilledProgram(const std::string& name) {
  const MlirForm form = MakeMlirForm(name);
  Diagnostics ignored;
  const mlir::Program program = mlir::ParseProgram(form.text, ignored);
  if (program.ops.size() != 1) return {};
  const mlir::Op& op = program.ops[0];
  std::string arguments;
  for (size_t i = 0; i < op.operands.size() && !op.operand_types.empty(); ++i) {
    const size_t type = std::min(i, op.operand_types.size() - 1);
    arguments += fmt::format("{}%{}: {}", i == 0 ? "" : ", ", op.operands[i].name,
                             op.operand_types[type]->text);
  }
  return fmt::format(
      "func.func private @callee(%x: tensor<f32>) -> tensor<f32> {{\n"
      "  return %x : tensor<f32>\n}}\n"
      "func.func @main({}) {{\n  {}\n  return\n}}\n",
      arguments, form.text);
}

// What is left to the person: values that are not in the op, those that give sizes, and futures,
// which are no arguments.
bool IsToBeFilled(const Diagnostic& fault) {
  return fault.message.find("undeclared SSA value") != std::string::npos ||
         fault.message.find("arguments of type !stablehlo.future") != std::string::npos ||
         fault.message.find("must be known before the program runs") != std::string::npos;
}

std::string FirstFault(const std::string& program) {
  const Document document(program);
  for (const Diagnostic& fault : document.diagnostics().list())
    if (!IsToBeFilled(fault) && fault.severity == Severity::kError) return fault.message;
  return {};
}

TEST_CASE("An op with a sample is proposed in a form that is valid once its values are there") {
  int count = 0;
  for (std::span<const OpRow> family : mlir::AllRows()) {
    for (const OpRow& row : family) {
      if (row.form.sample.empty()) continue;
      std::string program = UnfilledProgram(row.full_name());
      // Bitwise ones share a form with those of floats.
      if (!FirstFault(program).empty()) {
        for (size_t at; (at = program.find("f32")) != std::string::npos;) program[at] = 'i';
      }
      CAPTURE(program);
      CHECK(FirstFault(program) == "");
      ++count;
    }
  }
  CHECK(count > 50);
}

TEST_CASE("Every opcode with a counterpart is written by one row") {
  const std::vector<Opcode> without = {Opcode::kScaledDot};
  std::vector<std::string> writers[kOpcodeCount];
  for (std::span<const OpRow> family : mlir::AllRows()) {
    for (const OpRow& row : family) {
      if (!row.opcode) continue;
      if (row.write) writers[static_cast<size_t>(*row.opcode)].push_back(row.full_name());
      // What the row says of it is for that one row.
      if (!row.write) CHECK_FALSE(row.is_import_helper);
    }
  }
  for (int i = 0; i < kOpcodeCount; ++i) {
    CAPTURE(Text(static_cast<Opcode>(i)));
    CAPTURE(fmt::format("{}", fmt::join(writers[i], ", ")));
    const bool is_without =
        std::find(without.begin(), without.end(), static_cast<Opcode>(i)) != without.end();
    CHECK(writers[i].size() == (is_without ? 0 : 1));
  }
}

TEST_CASE("Names and attributes of rows are those that there are") {
  for (std::span<const OpRow> family : mlir::AllRows()) {
    for (size_t i = 0; i < family.size(); ++i) {
      const OpRow& row = family[i];
      CAPTURE(row.name);
      if (i > 0 && !row.name.empty()) CHECK(family[i - 1].name < row.name);
      for (const AttrPair& pair : row.attrs) {
        if (pair.name.empty()) continue;
        CAPTURE(pair.name);
        REQUIRE(row.opcode);
        const auto& attrs = GetOpDef(*row.opcode).attrs;
        const auto def = std::find_if(attrs.begin(), attrs.end(), [&](const AttrDef& attr) {
          return attr.name == pair.hlo_name();
        });
        REQUIRE(def != attrs.end());
        CHECK((pair.spelling == Spelling::kWord) == (def->kind == AttrKind::kWord));
        CHECK((pair.spelling == Spelling::kBool) == (def->kind == AttrKind::kBool));
        CHECK((pair.spelling == Spelling::kFloat) == (def->kind == AttrKind::kFloat));
      }
    }
  }
}

}  // namespace
}  // namespace hlo
