// Parses what follows the name of an op in its custom form: operands, words, attributes, regions,
// types.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/mlir/text/form_check.h"
#include "engine/mlir/text/op_parser.h"

namespace hlo::mlir {

bool Parser::ReadItems(Op& op, int depth) {
  bool ended = false;
  needs_comma_ = false;
  follows_comma_ = false;
  while (!ended) {
    const size_t operands = op.operands.size();
    const size_t attrs = op.attrs.size();
    const char c = in_.Next();
    if (!ReadItem(op, depth, &ended)) return false;
    follows_comma_ = c == ',';
    // Operands and settings are separated by commas, other items are not.
    needs_comma_ = (c == '%' && op.operands.size() > operands) ||
                   (IsNameStart(c) && op.attrs.size() > attrs && op.attrs.back().is_item);
  }
  op.operands.insert(op.operands.end(), inits_.begin(), inits_.end());
  inits_.clear();
  return true;
}

bool Parser::ReadItem(Op& op, int depth, bool* ended) {
  const char c = in_.Next();
  switch (c) {
    case ',':
      in_.Advance();
      if (std::string_view(":,)}=").find(in_.Next()) == std::string_view::npos) return true;
      Fail(in_.position(), fmt::format("expected an item of '{}' behind ','", op.name));
      return false;
    case '%':
      *ended = NextIsResult(follows_comma_);
      if (*ended) return true;
      if (needs_comma_) return FailComma();
      op.operands.push_back(*ReadValue());
      return true;
    case '(':
      return ReadParentheses(op, depth);
    case '<':
      in_.Advance();
      if (in_.Next() == '{' && attrs_.ReadDict(op.attrs) && in_.Take(">")) return true;
      Fail(in_.position(), fmt::format("expected <{{properties}}> in '{}'", op.name));
      return false;
    case '{':
      return BeginsBlock() ? ReadRegion(op, depth) : attrs_.ReadDict(op.attrs);
    case '[':
      return ReadBareAttr(op, "$ranges");
    case '@':
      return ReadBareAttr(op, "callee");
    case '#':
      return ReadBareAttr(op, "$attribute");
    case '"':
      *ended = op.name != "stablehlo.composite" || op.Find("name");
      return *ended || ReadAttr(op, "name");
    case ':':
      *ended = true;
      return ReadTypes(op) && ReadAfterTypes(op, depth);
    default:
      break;
  }
  if (IsDigit(c) || c == '-') return ReadBareAttr(op, "value");
  // A loop without state has no types before its regions.
  const size_t begin = in_.position();
  if (op.name == "stablehlo.while" && in_.TakeWord("cond")) {
    in_.set_position(begin);
    *ended = true;
    return ReadAfterTypes(op, depth);
  }
  if (IsNameStart(c)) return ReadWordItem(op, ended);
  *ended = true;
  return true;
}

bool Parser::ReadWordItem(Op& op, bool* ended) {
  const size_t begin = in_.position();
  const std::string_view word = in_.Word();
  if (in_.Peek() == '<') {
    in_.set_position(begin);
    return ReadBareAttr(op, "value");
  }
  if (word == "across") return true;
  if (word == "attributes" && in_.Next() == '{') return attrs_.ReadDict(op.attrs);
  if (word == "applies" && op.name.find("reduce") != std::string_view::npos) {
    Attr applied;
    applied.kind = Attr::Kind::kWord;
    in_.SkipSpace();
    applied.text = in_.Word();
    op.attrs.push_back({"applies", applied});
    return true;
  }
  const bool is_constant = op.operands.empty() && op.Find("value");
  if (in_.Next() == '=' && in_.Peek(1) != '=' && !is_constant) {
    if (needs_comma_) return FailComma();
    in_.Advance();
    auto attr = attrs_.ReadBare();
    if (!attr) return false;
    op.attrs.push_back({word, std::move(*attr), true});
    return true;
  }
  if (word.find('.') != std::string_view::npos || word == "return" || word == "call" ||
      word == "func" || word == "module" || word == "loc") {
    in_.set_position(begin);
    *ended = true;
    return true;
  }
  const bool is_form = op.name.find("compare") != std::string_view::npos ||
                       (op.name == "chlo.scan" && word == "inits");
  if (!is_form) {
    in_.set_position(begin);
    Fail(begin, fmt::format("unexpected '{}' in '{}'", word, op.name));
    return false;
  }
  op.words.push_back(word);
  return true;
}

bool Parser::FailComma() {
  Fail(in_.position(), "expected ',' between the items");
  return false;
}

// Operands, `%a init: %b`, `%a = %b`, `name = attribute`; or regions.
bool Parser::ReadParentheses(Op& op, int depth) {
  const size_t begin = in_.position();
  in_.Advance();
  const bool is_first = op.operands.empty() && op.words.empty();
  bool is_apart = true;
  while (!in_.Take(")")) {
    const char c = in_.Next();
    if (c == ',' && !is_apart) {
      in_.Advance();
      is_apart = true;
      if (in_.Next() != ')') continue;
      Fail(in_.position(), "expected an item behind ','");
      return false;
    }
    if (!is_apart && (c == '%' || c == '{' || IsNameStart(c))) return FailComma();
    is_apart = false;
    if (c == '{') {
      if (!ReadRegion(op, depth)) return false;
    } else if (c == '%') {
      const ValueName value = *ReadValue();
      if (in_.Take("=") && in_.Next() == '%') {
        op.operands.push_back(*ReadValue());
        Attr name;
        name.kind = Attr::Kind::kString;
        name.text = value.name;
        name.range = value.range;
        op.attrs.push_back({"$argument", name});
        continue;
      }
      op.operands.push_back(value);
      if (in_.TakeWord("init") && in_.Take(":") && in_.Next() == '%')
        inits_.push_back(*ReadValue());
    } else if (IsNameStart(c)) {
      const std::string_view name = in_.Word();
      if (!in_.Take("=") || !ReadAttr(op, name)) return false;
      op.attrs.back().is_item = true;
    } else if (c == '[' || c == '@' || IsDigit(c)) {
      if (!ReadAttr(op, "$ranges")) return false;
    } else {
      Fail(in_.AtEnd() ? begin : in_.position(), "expected an operand, a region or ')'");
      return false;
    }
  }
  if (is_first) op.first_operands = op.operands.size();
  if (is_first && op.name.ends_with(".reduce") && inits_.size() != op.operands.size()) {
    Fail(begin, "expected '(%operand init: %init_value)' for each operand");
    return false;
  }
  return true;
}

// Whether the brace at the cursor opens a region: it is followed by a block label.
bool Parser::BeginsBlock() {
  const size_t begin = in_.position();
  in_.Advance();
  const bool is_label = in_.Next() == '^';
  in_.set_position(begin);
  return is_label;
}

bool Parser::ReadTypes(Op& op) {
  in_.Advance();
  if (in_.Next() == '(') {
    const Type* type = types_.Read();
    if (!type) return false;
    op.has_function_type = true;
    op.operand_types = type->inputs;
    op.result_types = type->outputs;
    return true;
  }
  do {
    const Type* type = types_.Read();
    if (!type) return false;
    op.operand_types.push_back(type);
  } while (in_.Take(","));
  if (!in_.Take("->")) {
    op.result_types = op.operand_types;
    return true;
  }
  op.has_function_type = true;
  const bool has_list = in_.Next() == '(';
  const Type* type = types_.Read();
  if (!type) return false;
  if (has_list) {
    op.result_types = type->inputs;
  } else {
    op.result_types.push_back(type);
  }
  return true;
}

bool Parser::ReadAfterTypes(Op& op, int depth) {
  while (true) {
    const size_t begin = in_.position();
    const bool is_dict = in_.Next() == '{' && in_.Peek(1) != '-';
    if (is_dict || (in_.TakeWord("attributes") && in_.Next() == '{')) {
      if (!attrs_.ReadDict(op.attrs)) return false;
    } else if (in_.TakeWord("reducer")) {
      if (!ReadReducer(op, depth)) return false;
    } else if (in_.TakeWord("cond") || in_.TakeWord("do")) {
      std::vector<Block::Argument> arguments;
      size_t i = 0;
      for (const Attr::Field& field : op.attrs) {
        if (field.name != "$argument" || i >= op.result_types.size()) continue;
        arguments.push_back({field.value.text, op.result_types[i++], field.value.range, {}});
      }
      if (!ReadRegion(op, depth, std::move(arguments))) return false;
    } else {
      in_.set_position(begin);
      return true;
    }
  }
}

// `reducer(%a0: T, %b0: T) (%a1: U, %b1: U) {...}`: a block of (a0, a1, b0, b1).
bool Parser::ReadReducer(Op& op, int depth) {
  std::vector<Block::Argument> first, second;
  while (in_.Next() == '(') {
    std::vector<Block::Argument> pair;
    if (!ReadArguments(pair)) return false;
    if (pair.size() != 2) {
      Fail(in_.position(), "a reducer takes two arguments for each operand");
      return false;
    }
    first.push_back(pair[0]);
    second.push_back(pair[1]);
  }
  first.insert(first.end(), second.begin(), second.end());
  return ReadRegion(op, depth, std::move(first));
}

}  // namespace hlo::mlir
