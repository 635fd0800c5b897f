#include "engine/mlir/text/asm_printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/base/characters.h"

namespace hlo::mlir {
namespace {

// The default that the assembly format gives to an attribute.
std::string_view DefaultOf(const OpForm& form, std::string_view name) {
  std::string_view rest = form.defaults;
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find(';'));
    if (one.size() > name.size() && one.starts_with(name) && one[name.size()] == '=') {
      return one.substr(name.size() + 1);
    }
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
  }
  return {};
}

bool HasForms(const std::vector<Op>& ops) {
  return std::all_of(ops.begin(), ops.end(), [](const Op& op) {
    if (!FindForm(op.name)) return false;
    for (const Region& region : op.regions) {
      for (const Block& block : region.blocks) {
        if (!HasForms(block.ops)) return false;
      }
    }
    return true;
  });
}

bool IsNameCharacter(char c) { return c == '_' || (c >= 'a' && c <= 'z'); }

}  // namespace

bool HasWord(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

std::string_view KeyBefore(std::string_view layout, size_t at) {
  size_t end = at;
  while (end > 0 && layout[end - 1] == ' ') --end;
  if (end == 0 || layout[end - 1] != '=') return {};
  for (--end; end > 0 && layout[end - 1] == ' ';) --end;
  size_t begin = end;
  while (begin > 0 && IsNameCharacter(layout[begin - 1])) --begin;
  return layout.substr(begin, end - begin);
}

size_t ResultCount(const Op& op) {
  size_t named = 0;
  for (const ValueName& result : op.results) named += static_cast<size_t>(result.index);
  const OpForm* form = FindForm(op.name);
  if (named > 0 || !form || !form->has_results) return named;
  if (op.has_function_type || form->types == TypeForm::kResults) return op.result_types.size();
  return form->types == TypeForm::kOperands ? op.operands.size() : 1;
}

ValueNames::OpNames AsmPrinter::DescribeNames(const Op& op) {
  const OpForm* form = FindForm(op.name);
  ValueNames::OpNames names;
  if (form) names.hints = form->names;
  names.result_count = ResultCount(op);
  if (form && form->hint) names.hints.results = form->hint(op);
  return names;
}

bool AsmPrinter::IsIsolated(const Op& op) {
  return op.name == "func.func" || op.name == "builtin.module";
}

PrintedProgram AsmPrinter::Run() {
  if (program_.ops.size() == 1 && program_.ops[0].name == "builtin.module") {
    PrintOp(program_.ops[0], "builtin");
  } else {
    Op module;
    module.name = "builtin.module";
    module.regions.emplace_back();
    module.regions[0].blocks.emplace_back();
    // These ops are named and printed inline.
    Text("module {");
    names_.Enter(module.regions[0], module, true);
    ++indent_;
    for (const Op& op : program_.ops) {
      NewLine();
      PrintOp(op, "builtin");
    }
    --indent_;
    names_.Leave();
    NewLine();
    Text("}");
  }
  Text("\n");
  Resources();
  return std::move(out_);
}

void AsmPrinter::NewLine() {
  Text("\n");
  ++line_;
  out_.text.append(2 * static_cast<size_t>(indent_), ' ');
}

void AsmPrinter::Values(std::span<const ValueName> values) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (i > 0) Text(", ");
    Value(values[i]);
  }
}

// ---- Types --------------------------------------------------------------------------------------

void AsmPrinter::TypeOf(const Type& type) { Text(TypeText(type, program_)); }

bool AsmPrinter::SameType(const Type* a, const Type* b) const {
  return a == b || TypeText(*a, program_) == TypeText(*b, program_);
}

void AsmPrinter::Types(std::span<const Type* const> types) {
  for (size_t i = 0; i < types.size(); ++i) {
    if (i > 0) Text(", ");
    TypeOf(*types[i]);
  }
}

void AsmPrinter::FunctionType(const Op& op) {
  Text("(");
  Types(op.operand_types);
  Text(") -> ");
  const bool is_one =
      op.result_types.size() == 1 && op.result_types[0]->kind != Type::Kind::kFunction;
  if (!is_one) Text("(");
  Types(op.result_types);
  if (!is_one) Text(")");
}

namespace {

// The type of the parts of a complex type.
std::string PartsOf(std::string type) {
  const size_t begin = type.find("complex<");
  if (begin == std::string::npos) return {};
  type.erase(begin, std::string_view("complex<").size());
  type.erase(type.find('>', begin), 1);
  return type;
}

}  // namespace

void AsmPrinter::TypesOf(const Op& op, TypeForm form) {
  const auto& operands = op.operand_types;
  const auto& results = op.result_types;
  if (form == TypeForm::kNone || (form == TypeForm::kOperands && op.operands.empty())) return;
  Text(" : ");
  const auto all = [&](size_t first, const std::string& text) {
    return std::all_of(operands.begin() + static_cast<ptrdiff_t>(std::min(first, operands.size())),
                       operands.end(),
                       [&](const Type* type) { return TypeText(*type, program_) == text; });
  };
  switch (form) {
    case TypeForm::kArrow:
    case TypeForm::kPair:
      Types(operands);
      Text(form == TypeForm::kPair ? " -> (" : " -> ");
      Types(results);
      return Text(form == TypeForm::kPair ? ")" : "");
    case TypeForm::kFirst:
      return Types(std::span(operands).subspan(0, std::min<size_t>(operands.size(), 1)));
    case TypeForm::kOperands:
      return Types(operands);
    case TypeForm::kResults:
      return Types(results);
    default:
      break;
  }
  // Short forms give only one type for operands and results.
  if (!op.has_function_type) return Types(results);
  if (results.size() == 1) {
    const std::string result = TypeText(*results[0], program_);
    if ((form == TypeForm::kSame && all(0, result)) ||
        (form == TypeForm::kComplex && all(0, PartsOf(result)))) {
      return Text(result);
    }
    if (form == TypeForm::kSelect && operands.size() == 3 && all(1, result)) {
      TypeOf(*operands[0]);
      return Text(", " + result);
    }
  }
  FunctionType(op);
}

// ---- Ops ----------------------------------------------------------------------------------------

const Attr* AsmPrinter::Find(const Op& op, std::string_view name, std::string_view custom) const {
  const Attr* attr = op.Find(name);
  return Resolve(attr || custom.empty() ? attr : op.Find(custom));
}

void AsmPrinter::PrintOp(const Op& op, std::string_view dialect) {
  const OpForm& form = *FindForm(op.name);
  if (op.origin != 0) out_.lines.emplace_back(op.origin, line_);
  Text(names_.ResultsOf(op));
  if (form.is_generic()) {
    Text("\"");
    Text(op.name);
    Text("\"");
    return Generic(op, form);
  }
  const size_t dot = op.name.find('.');
  Text(!dialect.empty() && op.name.substr(0, dot) == dialect ? op.name.substr(dot + 1) : op.name);
  if (form.print) return form.print(*this, op);
  Layout(op, form);
}

void AsmPrinter::Layout(const Op& op, const OpForm& form) {
  const std::string_view layout = form.layout;
  if (!layout.empty() && layout[0] != '(') Text(" ");
  std::string shown;  // attributes that the layout has, under both of their names
  bool is_optional = false, is_there = true;
  size_t begin = 0;  // of the optional part in the text
  for (size_t i = 0; i < layout.size(); ++i) {
    const char c = layout[i];
    if (c == '?') {
      if (is_optional && !is_there) out_.text.resize(begin);
      is_optional = !is_optional;
      begin = out_.text.size();
      is_there = true;
    } else if (c == '%' && layout[i + 1] == '*') {
      Values(op.operands);
      ++i;
    } else if (c == '%') {
      const auto operand = static_cast<size_t>(layout[++i] - '0');
      if (operand < op.operands.size()) Value(op.operands[operand]);
    } else if (c == '@') {
      const std::string_view key = KeyBefore(layout, i);
      const size_t first = i + 1;
      while (i + 1 < layout.size() && IsNameCharacter(layout[i + 1])) ++i;
      const std::string_view name = layout.substr(first, i + 1 - first);
      const Attr* attr = Find(op, name, key);
      shown += fmt::format("{} {} ", name, key);
      const size_t at = out_.text.size();
      if (attr) Attribute(*attr, true);
      is_there = attr && DefaultOf(form, name) != std::string_view(out_.text).substr(at);
    } else {
      out_.text += c;
    }
  }
  AttrDict(op, form, shown);
  TypesOf(op, form.types);
}

void AsmPrinter::AttrDict(const Op& op, const OpForm& form, std::string_view except) {
  std::string all(except);
  for (const Attr::Field& field : op.attrs) {
    const std::string_view value = DefaultOf(form, field.name);
    const bool is_own = field.name[0] == '$';  // of the reader
    if (!is_own && (value.empty() || value != TextOf(field.value))) continue;
    all += fmt::format(" {}", field.name);
  }
  Dictionary(op.attrs, all);
}

void AsmPrinter::Generic(const Op& op, const OpForm& form) {
  Text("(");
  Values(op.operands);
  Text(")");
  std::vector<Attr::Field> inherent, others;
  for (const Attr::Field& field : op.attrs) {
    (HasWord(form.inherent, field.name) ? inherent : others).push_back(field);
  }
  if (!inherent.empty()) {
    Dictionary(inherent, {}, " <");
    Text(">");
  }
  for (size_t i = 0; i < op.regions.size(); ++i) {
    Text(i == 0 ? " (" : ", ");
    RegionOf(op, i, true);
  }
  if (!op.regions.empty()) Text(")");
  Dictionary(others);
  Text(" : ");
  FunctionType(op);
}

void AsmPrinter::RegionOf(const Op& op, size_t i, bool has_label) {
  const Region& region = op.regions[i];
  BeginRegion(op, i);
  Text("{");
  const std::string_view dialect = IsIsolated(op) ? op.name.substr(0, op.name.find('.')) : "";
  for (size_t b = 0; b < region.blocks.size(); ++b) {
    const Block& block = region.blocks[b];
    if (b > 0 || (has_label && (!block.arguments.empty() || block.ops.empty()))) {
      PrintLabel(block, b);
    }
    ++indent_;
    for (const Op& inner : block.ops) {
      NewLine();
      PrintOp(inner, dialect);
    }
    --indent_;
  }
  NewLine();
  Text("}");
  EndRegion();
}

void AsmPrinter::PrintLabel(const Block& block, size_t number) {
  NewLine();
  Text(fmt::format("^bb{}", number));
  for (size_t i = 0; i < block.arguments.size(); ++i) {
    Text(i == 0 ? "(" : ", ");
    Value({block.arguments[i].name, 0, {}});
    Text(": ");
    TypeOf(*block.arguments[i].type);
  }
  Text(block.arguments.empty() ? ":" : "):");
}

std::optional<PrintedProgram> PrintProgram(const Program& program) {
  if (!HasForms(program.ops)) return std::nullopt;
  return AsmPrinter(program).Run();
}

}  // namespace hlo::mlir
