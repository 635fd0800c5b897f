// Ops that are one instruction, with exactly the attributes that their rows pair up.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "engine/base/characters.h"
#include "engine/mlir/ops/families.h"
#include "engine/mlir/text/mlir_text.h"
#include "engine/ops/attribute_rows.h"
#include "engine/ops/op_def.h"

namespace hlo::mlir {
namespace {

// The required accuracy of a function, in HLO's syntax: `{mode=highest}` or
// `{tolerance={atol=1e-5,rtol=0,ulps=2}}`.
void AddAccuracy(OpImport& op, Attrs* attrs) {
  if (!FindAttrDef(GetOpDef(op.opcode()).attrs, "result_accuracy")) return;
  const Attr* accuracy = op.Find({"result_accuracy"});
  const Attr* mode = accuracy ? accuracy->Find("mode") : nullptr;
  if (!mode) return;
  const bool is_highest = mode->text == "HIGHEST", is_tolerance = mode->text == "TOLERANCE";
  if (!is_highest && !is_tolerance && mode->text != "DEFAULT") {
    op.Fail(
        DiagCode::kAttributeValue,
        fmt::format("mode '{}', expected to be one of: DEFAULT, HIGHEST, TOLERANCE", mode->text),
        mode->range);
    return;
  }
  std::string limits;
  for (std::string_view name : {"atol", "rtol", "ulps"}) {
    const Attr* field = accuracy->Find(name);
    const double limit = !field                            ? 0
                         : field->kind == Attr::Kind::kInt ? static_cast<double>(field->integer)
                                                           : field->number;
    if (!(limit >= 0) || (limit > 0 && !is_tolerance)) {
      op.Fail(DiagCode::kAttributeValue,
              fmt::format("Invalid tolerance: {} is {}, but {}", name, limit,
                          limit > 0 ? "the mode is not TOLERANCE" : "must not be negative"),
              field->range);
      return;
    }
    limits += fmt::format("{}{}={}", limits.empty() ? "" : ",", name, limit);
  }
  if (is_highest) attrs->Add({"result_accuracy", KeyValues{{"mode", "highest", true}}});
  if (!is_tolerance) return;
  attrs->Add({"result_accuracy", KeyValues{{"tolerance", "{" + limits + "}", true}}});
}

// The number after `name=` in `{atol=1e-5,rtol=0,ulps=2}`; 0 if it is absent.
double LimitOf(std::string_view limits, std::string_view name) {
  const size_t at = limits.find(fmt::format("{}=", name));
  if (at == std::string_view::npos) return 0;
  return std::strtod(std::string(limits.substr(at + name.size() + 1)).c_str(), nullptr);
}

std::string AccuracyText(const KeyValues& accuracy) {
  constexpr std::string_view kMode = "mode = #stablehlo.result_accuracy_mode";
  if (accuracy.size() != 1 || accuracy[0].value == "default") return {};
  std::string text = "result_accuracy = #stablehlo.result_accuracy<";
  const std::string& value = accuracy[0].value;
  if (accuracy[0].key == "mode") return fmt::format("{}{}<HIGHEST>>", text, kMode);
  for (std::string_view name : {"atol", "rtol"}) {
    if (LimitOf(value, name) == 0) continue;
    text += fmt::format("{} = ", name);
    AppendFloatText(LimitOf(value, name), false, &text);
    text += ", ";
  }
  const auto ulps = static_cast<int64_t>(LimitOf(value, "ulps"));
  if (ulps != 0) text += fmt::format("ulps = {}, ", ulps);
  return fmt::format("{}{}<TOLERANCE>>", text, kMode);
}

// The name that the assembly format gives an attribute: `dims` of `dims = @permutation`.
std::string_view ItemOf(const OpForm& form, std::string_view name) {
  for (size_t at = 0; (at = form.layout.find('@', at)) != std::string_view::npos; ++at) {
    const std::string_view rest = form.layout.substr(at + 1);
    const bool is_whole =
        rest.starts_with(name) && (rest.size() == name.size() ||
                                   !(IsNameStart(rest[name.size()]) || IsDigit(rest[name.size()])));
    if (is_whole) return KeyBefore(form.layout, at);
  }
  return name;
}

std::vector<std::string_view> SplitWords(std::string_view words) {
  std::vector<std::string_view> list;
  while (!words.empty()) {
    const size_t end = std::min(words.find(' '), words.size());
    list.push_back(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return list;
}

// A StableHLO word as the number of the HLO word.
int64_t WordOf(OpImport& op, const AttrPair& pair, std::string_view item) {
  const std::vector<std::string_view> words = SplitWords(pair.words);
  const std::string word = op.NeededWord({pair.name, item}, words);
  return std::find(words.begin(), words.end(), word) - words.begin();
}

void AddPaired(OpImport& op, const AttrPair& pair, Attrs* attrs) {
  const std::string_view item = ItemOf(op.row().form, pair.name), name = pair.hlo_name();
  switch (pair.spelling) {
    case Spelling::kInts:
      return attrs->Add({name, op.NeededInts({pair.name, item})});
    case Spelling::kInt:
    case Spelling::kInt32: {
      const int64_t number = op.NeededInt({pair.name, item});
      const AttrDef* def = FindAttrDef(GetOpDef(op.opcode()).attrs, name);
      if (def && def->kind == AttrKind::kInts) return attrs->Add({name, Dims{number}});
      return attrs->Add({name, number});
    }
    case Spelling::kFloat:
      op.Needed({pair.name, item});
      return attrs->Add({name, op.Float({pair.name, item})});
    case Spelling::kBool:
      if (op.row().form.defaults.find(pair.name) == std::string_view::npos) {
        op.Needed({pair.name, item});
      }
      return attrs->Add({name, op.Bool({pair.name, item})});
    case Spelling::kWord:
      return attrs->Add({name, WordOf(op, pair, item)});
  }
}

std::string PairText(const OpExport& op, const AttrPair& pair) {
  const std::string_view name = pair.hlo_name();
  switch (pair.spelling) {
    case Spelling::kInts:
      return I64Array(op.call().Ints(name));
    case Spelling::kInt:
      return op.AttrText(name) + " : i64";
    case Spelling::kInt32:
      return op.AttrText(name) + " : i32";
    case Spelling::kFloat:
      return op.AttrText(name) + " : f32";
    case Spelling::kBool:
      return op.AttrText(name);
    case Spelling::kWord:
      break;
  }
  return fmt::format("#stablehlo<{} {}>", pair.enumeration.empty() ? pair.name : pair.enumeration,
                     SplitWords(pair.words)[static_cast<size_t>(op.call().Word(name))]);
}

}  // namespace

Attrs PairedAttrs(OpImport& op) {
  Attrs attrs;
  for (const AttrPair& pair : op.row().attrs) {
    if (!pair.name.empty()) AddPaired(op, pair, &attrs);
  }
  return attrs;
}

std::string PairedText(const OpExport& op) {
  std::string text;
  for (const AttrPair& pair : op.row().attrs) {
    if (pair.name.empty()) continue;
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", pair.name, PairText(op, pair));
  }
  return text;
}

void EmitPlain(OpImport& op) {
  const Shape* written = nullptr;
  std::optional<Shape> results;
  if (GetOpDef(op.opcode()).result_shape == ResultShape::kWritten) {
    if (op.result_count() > 1) results = op.AllResults();
    written = results ? &*results : op.ResultShape();
  }
  Attrs attrs = PairedAttrs(op);
  AddAccuracy(op, &attrs);
  Instruction* made = op.Emit(op.opcode(), op.operands, std::move(attrs), written);
  const bool has_one = made && !made->shape().IsTuple() && op.op().is_generic;
  if (has_one && op.op().result_types.size() != 1) {
    op.Fail(DiagCode::kSyntaxError, "requires one result");
  }
  if (!op.op().regions.empty()) op.Fail(DiagCode::kSyntaxError, "requires zero regions");
  op.SplitResult(made);
}

void WritePlain(OpExport& op) {
  for (const Ssa& operand : op.Operands()) {
    const Shape& shape = *operand.type;
    if (!shape.IsArray() || Allows(op.row().elements, shape.element_type())) continue;
    return op.NoCounterpart(fmt::format("operands of {}", ShapeName(shape)));
  }
  std::string attrs = PairedText(op);
  // CHLO's functions have no such attribute.
  if (op.row().is_stablehlo()) {
    const std::string accuracy = AccuracyText(op.call().attrs().Keys("result_accuracy"));
    if (!accuracy.empty()) attrs += (attrs.empty() ? "" : ", ") + accuracy;
  }
  op.Set(op.Write({op.row().full_name(), std::move(attrs)}, op.Operands()));
}

}  // namespace hlo::mlir
