#include "engine/mlir/text/op_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/mlir/text/form_check.h"
#include "engine/mlir/text/op_forms.h"

namespace hlo::mlir {

void Parser::ReadOps(std::vector<Op>& out, int depth) {
  while (true) {
    const char c = in_.Next();
    if (in_.AtEnd() || c == '}' || c == '^') return;
    const size_t begin = in_.position();
    if ((c == '#' || c == '!') && depth == 0) {
      ReadAlias();
      continue;
    }
    if (c == '{' && in_.Peek(1) == '-' && in_.Peek(2) == '#') {
      ReadFileMetadata();
      continue;
    }
    Op op;
    const size_t faults = diagnostics_.size();
    if (ReadOp(op, depth)) {
      op.range = in_.RangeFrom(begin);
      // The rest has been parsed.
      while (op.range.end > begin && in_.text()[op.range.end - 1] <= ' ') --op.range.end;
      out.push_back(std::move(op));
      SkipLocation();
      continue;
    }
    if (diagnostics_.size() == faults) Fail(in_.position(), "expected an operation");
    if (in_.position() == begin) in_.Advance();
    SkipLine();
  }
}

bool Parser::ReadResults(Op& op) {
  while (in_.Next() == '%') {
    auto result = ReadValue();
    if (!result) return false;
    result->index = 1;
    if (in_.Take(":")) {
      in_.SkipSpace();
      const auto count = attrs_.Read();
      if (!count || count->kind != Attr::Kind::kInt || count->integer < 0 ||
          count->integer > 100000) {
        Fail(result->range.begin, "expected a number of results");
        return false;
      }
      result->index = count->integer;
    }
    op.results.push_back(*result);
    if (!in_.Take(",")) break;
  }
  if (op.results.empty() || in_.Take("=")) return true;
  Fail(in_.position(), "expected '=' after the results");
  return false;
}

namespace {

bool IsConstant(const Op& op) {
  return op.name.ends_with("lo.constant") || op.name.ends_with("_const");
}

}  // namespace

bool Parser::ReadOp(Op& op, int depth) {
  if (!ReadResults(op)) return false;
  const char c = in_.Next();
  const size_t begin = in_.position();
  const bool is_generic = c == '"';
  op.name = is_generic ? in_.Quoted() : in_.Word();
  op.name_range = in_.RangeFrom(begin);
  op.is_generic = is_generic;
  if (op.name.empty()) {
    Fail(begin, "expected the name of an operation");
    return false;
  }
  if (!is_generic) {
    if (op.name == "module" || op.name == "builtin.module") return ReadModule(op, depth);
    if (op.name == "func.func" || op.name == "func") return ReadFunction(op, depth);
  }
  inits_.clear();
  // A quantised constant, whose type is not that of its elements: `stablehlo.constant() <{...}>`.
  const bool has_generic_items = is_generic || (IsConstant(op) && in_.Next() == '(');
  if (has_generic_items) {
    return ReadGenericItems(op, depth) && CheckElements(op) && FromGenericForm(op);
  }
  if (op.name.starts_with("sdy.")) return ReadShardyItems(op, depth);
  if (!ReadItems(op, depth)) return false;
  CheckForm(op, diagnostics_);
  return true;
}

// `(%a, %b) <{properties}> ({region}, {region}) {attributes} : (types) -> types`
bool Parser::ReadGenericItems(Op& op, int depth) {
  const auto expect = [&](bool is_there, std::string_view what) {
    if (!is_there) {
      Fail(in_.position(), fmt::format("expected {} in the generic form of '{}'", what, op.name));
    }
    return is_there;
  };
  if (!expect(in_.Take("("), "'(' and the operands")) return false;
  if (!in_.Take(")")) {
    do {
      if (!expect(in_.Next() == '%', "an operand or ')'")) return false;
      op.operands.push_back(*ReadValue());
    } while (in_.Take(","));
    if (!expect(in_.Take(")"), "',' or ')'")) return false;
  }
  op.first_operands = op.operands.size();
  if (in_.Take("<")) {
    if (!expect(in_.Next() == '{', "'{' and the properties")) return false;
    if (!attrs_.ReadDict(op.attrs) || !expect(in_.Take(">"), "'>'")) return false;
  }
  if (in_.Take("(")) {
    do {
      if (!expect(in_.Next() == '{', "a region") || !ReadRegion(op, depth)) return false;
    } while (in_.Take(","));
    if (!expect(in_.Take(")"), "',' or ')' behind a region")) return false;
  }
  if (in_.Next() == '{' && !attrs_.ReadDict(op.attrs)) return false;
  if (!expect(in_.Next() == ':', "':' and the types")) return false;
  if (!ReadTypes(op)) return false;
  expect(op.has_function_type, "'->' and the types of the results");
  return true;
}

// Shardy's ops have formats of their own. What describes where values lie is skipped; operands,
// types, and the arguments and region of a manual computation are parsed.
bool Parser::ReadShardyItems(Op& op, int depth) {
  bool is_setting = false;  // after a `=`
  bool is_comma = false;
  bool has_operands = false;
  std::vector<Block::Argument> arguments;
  while (true) {
    const char c = in_.Next();
    const bool was_setting = std::exchange(is_setting, c == '=');
    const bool follows_comma = std::exchange(is_comma, c == ',');
    if (c == '%') {
      if (NextIsResult(follows_comma)) return true;
      op.operands.push_back(*ReadValue());
    } else if (c == '(' && has_operands) {
      if (!ReadArguments(arguments)) return false;
    } else if (c == '(') {
      has_operands = true;
      in_.Advance();
    } else if (c == '{' && has_operands && !was_setting) {
      if (!ReadRegion(op, depth, std::exchange(arguments, {}))) return false;
    } else if (op.name == "sdy.mesh" && (c == '@' || c == '<')) {
      if (!ReadMesh(op)) return false;
    } else if (IsSharder(op.name) && c == '<') {
      const size_t begin = in_.position();
      if (!in_.SkipGroup()) return false;
      Attr sharding;
      sharding.kind = Attr::Kind::kOpaque;
      sharding.range = in_.RangeFrom(begin);
      sharding.text = in_.Since(begin);
      op.attrs.push_back({"sharding", std::move(sharding)});
    } else if (c == '<' || c == '[' || c == '{') {
      if (!in_.SkipGroup()) return false;
    } else if (c == '"') {
      in_.Quoted();
    } else if (c == ':') {
      return ReadTypes(op) && ReadAfterTypes(op, depth);
    } else if (IsNameStart(c)) {
      const size_t begin = in_.position();
      const std::string_view word = in_.Word();
      if (word.find('.') == std::string_view::npos && word != "return" && word != "call" &&
          word != "func" && word != "module" && word != "loc") {
        continue;
      }
      in_.set_position(begin);
      return true;
    } else if (c == '@' || c == ',' || c == ')' || c == '=' || c == '-' || IsDigit(c)) {
      in_.Advance();
    } else {
      return true;
    }
  }
}

// `@mesh`, or `<["x"=2, "y"=4], device_ids=[...]>` as text.
bool Parser::ReadMesh(Op& op) {
  if (in_.Next() == '@') return ReadAttr(op, "sym_name");
  const size_t begin = in_.position();
  if (!in_.SkipGroup()) return false;
  Attr mesh;
  mesh.kind = Attr::Kind::kOpaque;
  mesh.range = in_.RangeFrom(begin);
  mesh.text = in_.Since(begin);
  op.attrs.push_back({"mesh", std::move(mesh)});
  return true;
}

std::optional<ValueName> Parser::ReadValue() {
  const size_t begin = in_.position();
  in_.Advance();
  ValueName value;
  value.name = in_.SuffixId();
  if (in_.Peek() == '#' && IsDigit(in_.Peek(1))) {
    in_.Advance();
    while (IsDigit(in_.Peek())) {
      if (value.index < 1000000) value.index = value.index * 10 + (in_.Peek() - '0');
      in_.Advance();
    }
  }
  value.range = in_.RangeFrom(begin);
  return value;
}

// Whether `%a =`, `%a:2 =` or `%a, %b =` is at the cursor: the next operation. After a comma an
// operand is expected: to go through all that follow it each time would take time in their square.
bool Parser::NextIsResult(bool follows_comma) {
  const size_t begin = in_.position();
  bool is_result = false;
  do {
    ReadValue();
    if (in_.Take(":")) {
      if (!IsDigit(in_.Next())) break;
      in_.Word();
    }
    is_result = in_.Take("=");
  } while (!is_result && !follows_comma && in_.Take(",") && in_.Next() == '%');
  in_.set_position(begin);
  return is_result;
}

bool Parser::ReadAttr(Op& op, std::string_view name) {
  auto attr = attrs_.Read();
  if (!attr) return false;
  op.attrs.push_back({name, std::move(*attr)});
  return true;
}

// An attribute that a few ops' custom forms write without its name.
bool Parser::ReadBareAttr(Op& op, std::string_view name) {
  struct Form {
    std::string_view attr, in_name;  // for ops whose names contain this
  };
  constexpr Form kForms[] = {{"$ranges", "slice"},
                             {"$ranges", "get_tuple_element"},
                             {"callee", "call"},
                             {"value", "const"}};
  const bool has_form = std::any_of(std::begin(kForms), std::end(kForms), [&](const Form& form) {
    return form.attr == name && op.name.find(form.in_name) != std::string_view::npos;
  });
  const size_t begin = in_.position();
  if (!has_form || op.Find(name)) {
    Fail(begin, fmt::format("unexpected attribute in '{}'", op.name));
    return false;
  }
  return ReadAttr(op, name) && CheckElements(op);
}

// The value of a constant is a list of elements.
bool Parser::CheckElements(const Op& op) {
  const Attr* value = IsConstant(op) ? op.Find("value") : nullptr;
  if (!value || value->kind == Attr::Kind::kDense || value->kind == Attr::Kind::kResource ||
      value->kind == Attr::Kind::kAlias) {
    return true;
  }
  diagnostics_.Report(
      DiagCode::kSyntaxError, value->range,
      fmt::format("expected the elements of '{}', as in dense<1.0> : tensor<2xf32>", op.name));
  return false;
}

const Attr* Op::Find(std::string_view attr) const { return FindField(attrs, attr); }

}  // namespace hlo::mlir
