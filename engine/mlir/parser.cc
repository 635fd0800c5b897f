#include "engine/mlir/parser.h"

#include <fmt/format.h>

#include <utility>

#include "engine/mlir/attr_reader.h"
#include "engine/mlir/cursor.h"
#include "engine/mlir/type_reader.h"

namespace hlo::mlir {
namespace {

// Regions inside regions. Each takes a few frames of the C++ stack.
constexpr int kDeepest = 100;

class Parser {
 public:
  Parser(std::string_view text, Diagnostics& diagnostics)
      : in_(text),
        diagnostics_(diagnostics),
        types_(in_, program_, diagnostics),
        attrs_(in_, types_, diagnostics) {}

  Program Run();

 private:
  void Fail(size_t begin, std::string message);
  void SkipLine();
  void ReadAlias();
  void ReadFileMetadata();
  void ReadOps(std::vector<Op>& out, int depth);
  bool ReadOp(Op& op, int depth);
  bool ReadResults(Op& op);
  bool ReadFunction(Op& op, int depth);
  bool ReadModule(Op& op, int depth);
  bool ReadItems(Op& op, int depth);
  bool ReadItem(Op& op, int depth, bool* ended);
  bool ReadWordItem(Op& op, bool* ended);
  bool ReadParentheses(Op& op, int depth);
  bool ReadTypes(Op& op);
  bool ReadAfterTypes(Op& op, int depth);
  bool ReadArguments(std::vector<Block::Argument>& out);
  bool ReadRegion(Op& op, int depth, std::vector<Block::Argument> arguments = {});
  bool ReadReducer(Op& op, int depth);
  bool ReadAttr(Op& op, std::string_view name);
  std::optional<ValueName> ReadValue();
  bool NextIsResult();
  void SkipLocation() {
    if (in_.TakeWord("loc")) in_.SkipGroup();
  }

  Cursor in_;
  Diagnostics& diagnostics_;
  Program program_;
  TypeReader types_;
  AttrReader attrs_;
  std::vector<ValueName> inits_;  // of a pretty reduce
};

void Parser::Fail(size_t begin, std::string message) {
  const size_t end = in_.position();
  if (end == begin && !in_.AtEnd()) in_.Advance();
  diagnostics_.Report(DiagCode::kSyntaxError, in_.RangeFrom(begin), std::move(message));
  in_.set_position(end);
}

void Parser::SkipLine() {
  while (!in_.AtEnd() && in_.Peek() != '\n' && in_.Peek() != '}') {
    if (in_.Peek() == '"') {
      in_.Quoted();
    } else {
      in_.Advance();
    }
  }
}

Program Parser::Run() {
  while (true) {
    ReadOps(program_.ops, 0);
    if (in_.AtEnd()) return std::move(program_);
    Fail(in_.position(), "expected an operation");
    in_.Advance();
  }
}

// `#name = attribute`, `!name = type`.
void Parser::ReadAlias() {
  const bool is_type = in_.Peek() == '!';
  const size_t begin = in_.position();
  in_.Advance();
  const std::string_view name = in_.SuffixId();
  if (!in_.Take("=")) {
    Fail(begin, "expected '=' after the name of an alias");
    return SkipLine();
  }
  if (is_type) {
    if (const Type* type = types_.Read()) program_.type_aliases.emplace(name, type);
  } else if (auto attr = attrs_.Read()) {
    program_.aliases.emplace(name, std::move(*attr));
  } else {
    SkipLine();
  }
}

// `{-# dialect_resources: { builtin: { name: "0x..." } } #-}`: every string is someone's bytes.
void Parser::ReadFileMetadata() {
  in_.Advance(3);
  std::string_view name;
  while (!in_.AtEnd() && !in_.Take("#-}")) {
    const char c = in_.Next();
    if (IsLetter(c)) {
      name = in_.Word();
    } else if (c == '"') {
      const std::string_view content = in_.Quoted();
      if (in_.Next() == ':') {
        name = content;
      } else {
        program_.resources.emplace(name, content);
      }
    } else {
      in_.Advance();
    }
  }
}

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

bool Parser::ReadOp(Op& op, int depth) {
  if (!ReadResults(op)) return false;
  const char c = in_.Next();
  const size_t begin = in_.position();
  const bool is_generic = c == '"';
  op.name = is_generic ? in_.Quoted() : in_.Word();
  op.name_range = in_.RangeFrom(begin);
  if (op.name.empty()) {
    Fail(begin, "expected the name of an operation");
    return false;
  }
  if (!is_generic) {
    if (op.name == "module" || op.name == "builtin.module") return ReadModule(op, depth);
    if (op.name == "func.func" || op.name == "func") return ReadFunction(op, depth);
  }
  inits_.clear();
  return ReadItems(op, depth);
}

bool Parser::ReadModule(Op& op, int depth) {
  op.name = "builtin.module";
  if (in_.Next() == '@') ReadAttr(op, "sym_name");
  if (in_.TakeWord("attributes") && in_.Next() == '{') attrs_.ReadDict(op.attrs);
  if (in_.Next() == '{') return ReadRegion(op, depth);
  Fail(in_.position(), "expected '{' and the module's operations");
  return false;
}

bool Parser::ReadFunction(Op& op, int depth) {
  op.name = "func.func";
  for (std::string_view word : {"public", "private", "nested"}) {
    if (!in_.TakeWord(word)) continue;
    Attr visibility;
    visibility.kind = Attr::Kind::kString;
    visibility.text = word;
    op.attrs.push_back({"sym_visibility", visibility});
  }
  if (in_.Next() != '@' || !ReadAttr(op, "sym_name")) {
    Fail(in_.position(), "expected the function's name");
    return false;
  }
  std::vector<Block::Argument> arguments;
  if (!ReadArguments(arguments)) return false;
  op.has_function_type = true;
  for (const Block::Argument& argument : arguments) op.operand_types.push_back(argument.type);
  if (in_.Take("->")) {
    const bool has_list = in_.Next() == '(';
    if (has_list) in_.Advance();
    while (!has_list || !in_.Take(")")) {
      const Type* type = types_.Read();
      if (!type) return false;
      op.result_types.push_back(type);
      std::vector<Attr::Field> ignored;
      if (has_list && in_.Next() == '{') attrs_.ReadDict(ignored);
      if (!has_list) break;
      if (!in_.Take(",") && in_.Next() != ')') {
        Fail(in_.position(), "expected ',' or ')' in the list of results");
        return false;
      }
    }
  }
  if (in_.TakeWord("attributes") && in_.Next() == '{') attrs_.ReadDict(op.attrs);
  if (in_.Next() == '{') return ReadRegion(op, depth, std::move(arguments));
  return true;  // a declaration
}

// `(%a: type {attributes} loc(...), ...)`
bool Parser::ReadArguments(std::vector<Block::Argument>& out) {
  if (!in_.Take("(")) {
    Fail(in_.position(), "expected '(' and a list of arguments");
    return false;
  }
  while (!in_.Take(")")) {
    Block::Argument argument;
    if (in_.Next() == '%') {
      const auto name = ReadValue();
      argument.name = name->name;
      argument.range = name->range;
      if (!in_.Take(":")) {
        Fail(in_.position(), "expected ':' and the argument's type");
        return false;
      }
    }
    argument.type = types_.Read();
    if (!argument.type) return false;
    std::vector<Attr::Field> ignored;
    if (in_.Next() == '{') attrs_.ReadDict(ignored);
    SkipLocation();
    out.push_back(argument);
    if (!in_.Take(",") && in_.Next() != ')') {
      Fail(in_.position(), "expected ',' or ')' in a list of arguments");
      return false;
    }
  }
  return true;
}

bool Parser::ReadRegion(Op& op, int depth, std::vector<Block::Argument> arguments) {
  const size_t begin = in_.position();
  if (depth >= kDeepest) {
    in_.SkipGroup();
    diagnostics_.Report(DiagCode::kRecursionLimit, in_.RangeFrom(begin),
                        "regions stand too deep in one another");
    return true;
  }
  if (!in_.Take("{")) {
    Fail(in_.position(), "expected '{' and a region");
    return false;
  }
  Region region;
  region.blocks.emplace_back();
  region.blocks.back().arguments = std::move(arguments);
  std::vector<ValueName> inits = std::move(inits_);
  while (true) {
    ReadOps(region.blocks.back().ops, depth + 1);
    if (in_.Next() != '^') break;
    const size_t label = in_.position();
    in_.Advance();
    in_.SuffixId();
    Block& last = region.blocks.back();
    if (!last.ops.empty() || region.blocks.size() > 1) region.blocks.emplace_back();
    if (in_.Next() == '(' && !ReadArguments(region.blocks.back().arguments)) SkipLine();
    if (!in_.Take(":")) Fail(label, "expected ':' after the label of a block");
  }
  inits_ = std::move(inits);
  if (!in_.Take("}")) Fail(begin, "the region is never closed: '}' is missing");
  region.range = in_.RangeFrom(begin);
  op.regions.push_back(std::move(region));
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

// Whether `%a =`, `%a:2 =` or `%a, %b =` stands here: the next operation.
bool Parser::NextIsResult() {
  const size_t begin = in_.position();
  bool is_result = false;
  do {
    ReadValue();
    if (in_.Take(":")) {
      if (!IsDigit(in_.Next())) break;
      in_.Word();
    }
    is_result = in_.Take("=");
  } while (!is_result && in_.Take(",") && in_.Next() == '%');
  in_.set_position(begin);
  return is_result;
}

bool Parser::ReadAttr(Op& op, std::string_view name) {
  auto attr = attrs_.Read();
  if (!attr) return false;
  op.attrs.push_back({name, std::move(*attr)});
  return true;
}

bool Parser::ReadItems(Op& op, int depth) {
  bool ended = false;
  while (!ended) {
    if (!ReadItem(op, depth, &ended)) return false;
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
      return true;
    case '%':
      *ended = NextIsResult();
      if (!*ended) op.operands.push_back(*ReadValue());
      return true;
    case '(':
      return ReadParentheses(op, depth);
    case '<':
      in_.Advance();
      return in_.Next() == '{' && attrs_.ReadDict(op.attrs) && in_.Take(">");
    case '{':
      return attrs_.ReadDict(op.attrs);
    case '[':
      return ReadAttr(op, "$ranges");
    case '@':
      return ReadAttr(op, "callee");
    case '#':
      return ReadAttr(op, "$attribute");
    case '"':
      *ended = op.name != "stablehlo.composite" || op.Find("name");
      return *ended || ReadAttr(op, "name");
    case ':':
      *ended = true;
      return ReadTypes(op) && ReadAfterTypes(op, depth);
    default:
      break;
  }
  if (IsDigit(c) || c == '-') return ReadAttr(op, "value");
  if (IsLetter(c)) return ReadWordItem(op, ended);
  *ended = true;
  return true;
}

bool Parser::ReadWordItem(Op& op, bool* ended) {
  const size_t begin = in_.position();
  const std::string_view word = in_.Word();
  if (in_.Peek() == '<') {
    in_.set_position(begin);
    return ReadAttr(op, "value");
  }
  if (word == "across") return true;
  if (word == "attributes" && in_.Next() == '{') return attrs_.ReadDict(op.attrs);
  if (word == "applies") {
    Attr applied;
    applied.kind = Attr::Kind::kWord;
    in_.SkipSpace();
    applied.text = in_.Word();
    op.attrs.push_back({"applies", applied});
    return true;
  }
  if (in_.Next() == '=' && in_.Peek(1) != '=') {
    in_.Advance();
    auto attr = attrs_.ReadBare();
    if (!attr) return false;
    op.attrs.push_back({word, std::move(*attr)});
    return true;
  }
  if (word.find('.') != std::string_view::npos || word == "return" || word == "call" ||
      word == "func" || word == "module" || word == "loc") {
    in_.set_position(begin);
    *ended = true;
    return true;
  }
  op.words.push_back(word);
  return true;
}

// Operands, `%a init: %b`, `%a = %b`, `name = attribute`; or regions.
bool Parser::ReadParentheses(Op& op, int depth) {
  const size_t begin = in_.position();
  in_.Advance();
  std::vector<Block::Argument> arguments;
  while (!in_.Take(")")) {
    const char c = in_.Next();
    if (c == ',') {
      in_.Advance();
    } else if (c == '{') {
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
    } else if (IsLetter(c)) {
      const std::string_view name = in_.Word();
      if (!in_.Take("=") || !ReadAttr(op, name)) return false;
    } else if (c == '[' || c == '@' || IsDigit(c)) {
      if (!ReadAttr(op, "$ranges")) return false;
    } else {
      Fail(in_.AtEnd() ? begin : in_.position(), "expected an operand, a region or ')'");
      return false;
    }
  }
  return true;
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
    if (in_.Next() == '{' && in_.Peek(1) != '-') {
      if (!attrs_.ReadDict(op.attrs)) return false;
    } else if (in_.TakeWord("attributes") && in_.Next() == '{') {
      if (!attrs_.ReadDict(op.attrs)) return false;
    } else if (in_.TakeWord("reducer")) {
      if (!ReadReducer(op, depth)) return false;
    } else if (in_.TakeWord("cond") || in_.TakeWord("do")) {
      std::vector<Block::Argument> arguments;
      size_t i = 0;
      for (const Attr::Field& field : op.attrs) {
        if (field.name != "$argument" || i >= op.result_types.size()) continue;
        arguments.push_back({field.value.text, op.result_types[i++], field.value.range});
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

}  // namespace

const Attr* Op::Find(std::string_view attr) const {
  for (const Attr::Field& field : attrs) {
    if (field.name == attr) return &field.value;
  }
  return nullptr;
}

Program ParseProgram(std::string_view text, Diagnostics& diagnostics) {
  return Parser(text, diagnostics).Run();
}

}  // namespace hlo::mlir
