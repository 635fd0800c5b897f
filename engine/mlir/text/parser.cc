#include "engine/mlir/text/parser.h"

#include <fmt/format.h>

#include <utility>

#include "engine/mlir/text/op_parser.h"

namespace hlo::mlir {
namespace {

// Limit on nested regions. Each level takes a few frames of the C++ stack.
constexpr int kDeepestRegions = 100;

}  // namespace

void Parser::Fail(size_t begin, std::string message) {
  const size_t end = in_.position();
  if (end == begin && !in_.AtEnd()) in_.Advance();
  diagnostics_.Report(DiagCode::kSyntaxError, in_.RangeFrom(begin), std::move(message));
  in_.set_position(end);
}

bool Parser::FailHere(std::string message) {
  in_.SkipSpace();
  Fail(in_.position(), std::move(message));
  return false;
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

// `{key: value, ...}`: each value is read by `read`, which gets the key.
bool Parser::ReadEntries(FunctionRef<bool(std::string_view)> read) {
  if (!in_.Take("{")) return FailHere("expected '{' in the resources");
  while (!in_.Take("}")) {
    const std::string_view key = in_.Next() == '"' ? in_.Quoted() : in_.Word();
    if (key.empty() || !in_.Take(":")) return FailHere("expected a name and ':' in the resources");
    if (!read(key)) return false;
    if (!in_.Take(",") && in_.Next() != '}')
      return FailHere("expected ',' or '}' in the resources");
  }
  return true;
}

// `{-# dialect_resources: { builtin: { name: "0x..." } }, external_resources: {...} #-}`. External
// resources are skipped.
bool Parser::ReadResources() {
  const auto blob = [&](std::string_view name) {
    if (in_.Next() != '"') return FailHere("expected the bytes of a resource, as in \"0x...\"");
    program_.resources.emplace(name, in_.Quoted());
    return true;
  };
  while (!in_.Take("#-}")) {
    const std::string_view section = in_.Word();
    if (section.empty() || !in_.Take(":")) {
      return FailHere("expected dialect_resources or external_resources and ':'");
    }
    if (section == "dialect_resources") {
      if (!ReadEntries([&](std::string_view) { return ReadEntries(blob); })) return false;
    } else if (in_.Next() != '{') {
      return FailHere("expected '{' in the resources");
    } else if (!in_.SkipGroup()) {
      return FailHere("the resources are never closed");
    }
    in_.Take(",");
  }
  return true;
}

void Parser::ReadFileMetadata() {
  in_.Advance(3);
  if (ReadResources()) return;
  const size_t end = in_.text().find("#-}", in_.position());
  in_.set_position(end == std::string_view::npos ? in_.text().size() : end + 3);
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
  const size_t begin = in_.position();
  for (std::string_view word : {"public", "private", "nested"}) {
    if (!in_.TakeWord(word)) continue;
    Attr visibility;
    visibility.kind = Attr::Kind::kString;
    visibility.text = word;
    op.attrs.push_back({"sym_visibility", visibility});
    break;
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
      std::vector<Attr::Field> attrs;
      if (has_list && in_.Next() == '{') attrs_.ReadDict(attrs);
      if (!attrs.empty()) {
        op.result_attrs.resize(op.result_types.size());
        op.result_attrs.back() = std::move(attrs);
      }
      if (!has_list) break;
      if (!in_.Take(",") && in_.Next() != ')') {
        Fail(in_.position(), "expected ',' or ')' in the list of results");
        return false;
      }
    }
  }
  if (in_.TakeWord("attributes") && in_.Next() == '{') attrs_.ReadDict(op.attrs);
  if (in_.Next() == '{') return ReadRegion(op, depth, std::move(arguments));
  const Attr* visibility = op.Find("sym_visibility");
  if (visibility && visibility->text == "private") return true;
  Fail(begin, "this function has no body: only a private function may be declared without one");
  return false;
}

// Checks the arguments of a function's first block, and gives them their attributes.
bool Parser::TakeArguments(Op& op, const Attr* attrs) {
  std::vector<Block::Argument>& arguments = op.regions[0].blocks[0].arguments;
  if (arguments.size() != op.operand_types.size()) {
    Fail(
        op.name_range.begin,
        fmt::format("'func.func' op entry block must have {} arguments to match function signature",
                    op.operand_types.size()));
    return false;
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Type &given = *arguments[i].type, &wanted = *op.operand_types[i];
    if (given.text != wanted.text) {
      Fail(arguments[i].range.begin,
           fmt::format("'func.func' op type of entry block argument #{}('{}') must match the type "
                       "of the corresponding argument in function signature('{}')",
                       i, given.text, wanted.text));
      return false;
    }
    if (attrs && i < attrs->list.size()) arguments[i].attrs = attrs->list[i].fields;
  }
  return true;
}

// `"func.func"() <{function_type = (...) -> ..., sym_name = "main"}> ({...}) : () -> ()`
bool Parser::FromGenericForm(Op& op) {
  const bool is_function = op.name == "func.func";
  if (!is_function && op.name != "builtin.module") return true;
  const Attr *type = op.Find("function_type"), *arguments = op.Find("arg_attrs"),
             *results = op.Find("res_attrs"), *name = op.Find("sym_name");
  if (is_function && (!name || !type || !type->type || type->type->kind != Type::Kind::kFunction)) {
    Fail(op.name_range.begin, fmt::format("'func.func' op requires attribute '{}'",
                                          name ? "function_type" : "sym_name"));
    return false;
  }
  op.has_function_type = is_function;
  op.is_generic = false;
  // A declaration has an empty region.
  const Block* body =
      op.regions.empty() || op.regions[0].blocks.empty() ? nullptr : &op.regions[0].blocks[0];
  const bool has_body = body && !(body->ops.empty() && body->arguments.empty());
  if (!has_body) op.regions.clear();
  if (is_function) {
    op.operand_types = type->type->inputs;
    op.result_types = type->type->outputs;
    for (size_t i = 0; results && i < results->list.size() && i < op.result_types.size(); ++i) {
      op.result_attrs.push_back(results->list[i].fields);
    }
    if (has_body && !TakeArguments(op, arguments)) return false;
  }
  std::erase_if(op.attrs, [](const Attr::Field& field) {
    return field.name == "function_type" || field.name == "arg_attrs" || field.name == "res_attrs";
  });
  for (Attr::Field& field : op.attrs) {
    if (field.name == "sym_name") field.value.kind = Attr::Kind::kSymbol;
  }
  return true;
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
    if (in_.Next() == '{') attrs_.ReadDict(argument.attrs);
    SkipLocation();
    out.push_back(std::move(argument));
    if (!in_.Take(",") && in_.Next() != ')') {
      Fail(in_.position(), "expected ',' or ')' in a list of arguments");
      return false;
    }
  }
  return true;
}

bool Parser::ReadRegion(Op& op, int depth, std::vector<Block::Argument> arguments) {
  const size_t begin = in_.position();
  if (depth >= kDeepestRegions) {
    in_.SkipGroup();
    diagnostics_.Report(DiagCode::kRecursionLimit, in_.RangeFrom(begin),
                        "regions are nested too deeply");
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

Program ParseProgram(std::string_view text, Diagnostics& diagnostics) {
  return Parser(text, diagnostics).Run();
}

}  // namespace hlo::mlir
