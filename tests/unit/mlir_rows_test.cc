// The table of ops: what its rows say holds both ways.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/mlir/ops/op_row.h"
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

// A program of the op alone, in its generic form.
std::string ProgramOf(const OpRow& row, const Example& example) {
  std::vector<std::string> arguments, names, results;
  for (size_t i = 0; i < example.operands.size(); ++i) {
    names.push_back(fmt::format("%arg{}", i));
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
      "    %0{} = \"{}\"({}) {{{}}} : ({}) -> ({})\n"
      "    func.return {} : {}\n  }}\n}}\n",
      fmt::join(arguments, ", "), types, count == 1 ? "" : fmt::format(":{}", count),
      row.full_name(), fmt::join(names, ", "), AttrsOf(row, example),
      fmt::join(example.operands, ", "), types, fmt::join(results, ", "), types);
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

// A program that the op takes; empty where none is known.
std::string AcceptedProgram(const OpRow& row) {
  const bool has_attrs = !row.attrs[0].name.empty();
  for (const Example& example : has_attrs ? Examples() : Candidates(row)) {
    if (example.name != row.name) continue;
    const std::string program = ProgramOf(row, example);
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
