// Attributes as MLIR's printer writes them.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "engine/base/stable_sort.h"
#include "engine/mlir/import/op_import.h"
#include "engine/mlir/text/asm_printer.h"
#include "engine/mlir/text/cursor.h"
#include "engine/mlir/text/dense.h"
#include "engine/mlir/text/float_text.h"
#include "engine/mlir/text/mlir_text.h"
#include "engine/mlir/text/struct_forms.h"
#include "engine/types/convert.h"

namespace hlo::mlir {
namespace {

bool IsNothing(const Attr& attr) {
  if (attr.kind == Attr::Kind::kArray) return attr.list.empty();
  return (attr.kind == Attr::Kind::kInt && attr.integer == 0) ||
         (attr.kind == Attr::Kind::kFloat && attr.number == 0);
}

// A key of a dictionary, in quotes unless it is a bare word.
void AppendKey(std::string_view key, std::string* out) {
  const bool is_word =
      !key.empty() && IsNameStart(key[0]) && std::all_of(key.begin(), key.end(), IsWordCharacter);
  is_word ? void(*out += key) : AppendQuoted(Unescaped(key), out);
}

// Integers in brackets, but not the `(1)2` of a sub-axis.
bool IsIntList(const Attr& array) {
  return array.text != "()" &&
         std::all_of(array.list.begin(), array.list.end(),
                     [](const Attr& element) { return element.kind == Attr::Kind::kInt; });
}

}  // namespace

const Attr* AsmPrinter::Resolve(const Attr* attr) const {
  for (int i = 0; attr && attr->kind == Attr::Kind::kAlias && i < 10; ++i) {
    const auto it = program_.aliases.find(attr->text);
    if (it == program_.aliases.end()) break;
    attr = &it->second;
  }
  return attr;
}

std::string AsmPrinter::TextOf(const Attr& attr) {
  const size_t begin = out_.text.size();
  Attribute(attr, true);
  std::string text = out_.text.substr(begin);
  out_.text.resize(begin);
  return text;
}

std::vector<int64_t> AsmPrinter::Ints(const Attr* attr) const {
  std::vector<int64_t> ints;
  attr = Resolve(attr);
  if (!attr) return ints;
  if (attr->kind == Attr::Kind::kArray) {
    for (const Attr& element : attr->list) {
      const std::vector<int64_t> inner = Ints(&element);
      ints.insert(ints.end(), inner.begin(), inner.end());
    }
  } else if (attr->kind == Attr::Kind::kDense && attr->type) {
    Diagnostics faults;
    const auto tensor = ReadDense(attr->text, 0, attr->type->shape, faults, nullptr);
    if (!tensor) return ints;
    ints.resize(static_cast<size_t>(tensor->element_count()));
    ConvertElements(tensor->element_type(), tensor->bytes(), ElementType::kS64,
                    reinterpret_cast<std::byte*>(ints.data()), tensor->element_count());
  } else {
    ints.push_back(attr->integer);
  }
  return ints;
}

void AsmPrinter::IntList(const std::vector<int64_t>& ints) {
  fmt::format_to(std::back_inserter(out_.text), "[{}]", fmt::join(ints, ", "));
}

void AsmPrinter::ConvolutionDimensions(const Attr& lists) {
  constexpr std::string_view kBefore[] = {"", "x", "->"};
  for (size_t i = 0; i < lists.list.size() && i < std::size(kBefore); ++i) {
    Text(kBefore[i]);
    Text("[");
    const std::vector<Attr>& labels = lists.list[i].list;
    for (size_t k = 0; k < labels.size(); ++k) {
      if (k > 0) Text(", ");
      Text(labels[k].text);
    }
    Text("]");
  }
}

void AsmPrinter::Dictionary(const std::vector<Attr::Field>& attrs, std::string_view except,
                            std::string_view before) {
  std::vector<const Attr::Field*> shown;
  const std::string skipped = fmt::format(" {} ", except);
  for (const Attr::Field& field : attrs) {
    if (skipped.find(fmt::format(" {} ", field.name)) == std::string::npos) shown.push_back(&field);
  }
  if (shown.empty()) return;
  StableSort(shown.begin(), shown.end(),
             [](const Attr::Field* a, const Attr::Field* b) { return a->name < b->name; });
  Text(before);
  Text("{");
  for (size_t i = 0; i < shown.size(); ++i) {
    if (i > 0) Text(", ");
    AppendKey(shown[i]->name, &out_.text);
    if (shown[i]->value.kind == Attr::Kind::kUnit) continue;
    Text(" = ");
    Attribute(shown[i]->value);
  }
  Text("}");
}

void AsmPrinter::Attribute(const Attr& given, bool is_short) {
  const Attr& attr = *Resolve(&given);
  switch (attr.kind) {
    case Attr::Kind::kUnit:
      return Text("unit");
    case Attr::Kind::kBool:
      return Text(attr.integer != 0 ? "true" : "false");
    case Attr::Kind::kInt:
    case Attr::Kind::kFloat:
      return Number(attr, is_short);
    case Attr::Kind::kString:
      AppendQuoted(Unescaped(attr.text), &out_.text);
      if (!attr.type) return;
      Text(" : ");
      return TypeOf(*attr.type);
    case Attr::Kind::kSymbol:
      return AppendSymbol(Unescaped(attr.text), &out_.text);
    case Attr::Kind::kWord:
      if (!attr.name.empty() && !is_short) {
        return Text(attr.list.empty()
                        ? fmt::format("#{}<{}>", attr.name, attr.text)
                        : fmt::format("#{}<{} {}>", attr.name, attr.list[0].text, attr.text));
      }
      return Text(attr.text);
    case Attr::Kind::kArray:
      return is_short && IsIntList(attr) ? IntList(Ints(&attr)) : Array(attr);
    case Attr::Kind::kDict:
      if (!attr.name.empty()) return Struct(attr);
      if (attr.fields.empty()) return Text("{}");
      return Dictionary(attr.fields, {}, {});
    case Attr::Kind::kDense:
      return Dense(attr);
    case Attr::Kind::kResource:
      Text(fmt::format("dense_resource<{}> : ", attr.text));
      return attr.type ? TypeOf(*attr.type) : void();
    case Attr::Kind::kType:
      return TypeOf(*attr.type);
    case Attr::Kind::kAlias:
      return Text(fmt::format("#{}", attr.text));
    case Attr::Kind::kOpaque:
      return Text(attr.text);
  }
}

// Integers without a type are i64, floats f64; a list leaves that out.
void AsmPrinter::Number(const Attr& attr, bool is_short) {
  const bool is_float_type = attr.type && attr.type->kind == Type::Kind::kShape &&
                             IsFloat(attr.type->shape.element_type());
  std::string_view implied = "i64";
  const size_t begin = out_.text.size();
  if (attr.kind == Attr::Kind::kFloat || is_float_type) {
    implied = "f64";
    const ElementType type = is_float_type ? attr.type->shape.element_type() : ElementType::kF64;
    alignas(8) std::byte bits[8] = {};
    if (attr.kind == Attr::Kind::kInt) {
      std::memcpy(bits, &attr.integer, sizeof attr.integer);
    } else {
      ConvertElements(ElementType::kF64, reinterpret_cast<const std::byte*>(&attr.number), type,
                      bits, 1);
    }
    AppendFloat(type, bits, &out_.text);
  } else if (attr.type && attr.type->text == "i1") {
    return Text(attr.integer != 0 ? "true" : "false");
  } else if (attr.integer < 0 && !attr.text.starts_with("-") && !attr.text.starts_with("0x")) {
    Text(std::to_string(static_cast<uint64_t>(attr.integer)));  // above INT64_MAX
  } else {
    Text(std::to_string(attr.integer));
  }
  const std::string type = attr.type ? TypeText(*attr.type, program_) : std::string(implied);
  // Without a type, a float's bits would be read as an integer.
  const bool is_bits = out_.text.compare(begin, 2, "0x") == 0;
  if (!is_short || is_bits) Text(" : " + type);
}

void AsmPrinter::Array(const Attr& attr) {
  if (attr.text == "()" && attr.list.size() == 2) {
    return Text(fmt::format("({}){}", attr.list[0].integer, attr.list[1].integer));
  }
  const bool is_typed = !attr.text.empty();
  if (is_typed) Text(fmt::format("array<{}{}", attr.text, attr.list.empty() ? "" : ": "));
  if (!is_typed) Text("[");
  for (size_t i = 0; i < attr.list.size(); ++i) {
    if (i > 0) Text(", ");
    const Attr& element = *Resolve(&attr.list[i]);
    // A list implies the types i64 and f64 only.
    const bool is_number = element.kind == Attr::Kind::kInt || element.kind == Attr::Kind::kFloat;
    const bool is_implied =
        !element.type || element.type->text == "i64" || element.type->text == "f64";
    Attribute(element, is_typed || (is_number && is_implied));
  }
  Text(is_typed ? ">" : "]");
}

void AsmPrinter::Struct(const Attr& attr) {
  const StructForm* form = FindStruct(attr.name);
  const Attr* bounds = attr.Find("bounds");
  Text(bounds ? "#stablehlo.bounds<" : fmt::format("#{}<", attr.name));
  bool is_first = true;
  const auto add = [&](std::string_view name, const Attr& value) {
    if (!is_first) Text(", ");
    is_first = false;
    Text(fmt::format("{} = ", name));
    const bool is_list = value.kind == Attr::Kind::kArray;
    const bool is_plain =
        is_list || value.kind == Attr::Kind::kInt || value.kind == Attr::Kind::kFloat;
    Attribute(value, is_plain);
  };
  if (bounds) {
    for (const Attr& size : bounds->list) {
      if (!is_first) Text(", ");
      is_first = false;
      Attribute(size, true);
    }
  } else if (!form) {
    for (const Attr& value : attr.list) {
      if (!is_first) Text(", ");
      is_first = false;
      value.text == "x" ? ConvolutionDimensions(value) : Attribute(value, true);
    }
    for (const Attr::Field& field : attr.fields) add(field.name, field.value);
  } else {
    std::string_view rest = form->fields;
    while (!rest.empty()) {
      const std::string_view name = rest.substr(0, rest.find(' '));
      const Attr* value = attr.Find(name);
      if (value && (form->shows_all || !IsNothing(*value))) add(name, *value);
      rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    }
  }
  Text(">");
}

void AsmPrinter::Dense(const Attr& attr) {
  const Shape* shape =
      attr.type && attr.type->kind == Type::Kind::kShape ? &attr.type->shape : nullptr;
  Diagnostics faults;
  std::optional<Tensor> read;
  if (!attr.tensor && shape) {
    read = ReadFill(attr.text, *shape);
    if (!read) read = ReadDense(attr.text, 0, *shape, faults, nullptr);
  }
  if (const Tensor* tensor = attr.tensor ? attr.tensor : read ? &*read : nullptr) {
    const size_t before = out_.text.size();
    AppendElements(*tensor, &out_.text);
    CountText(out_.text.size() - before);
  } else {
    Text(fmt::format("dense<{}>", attr.text));
  }
  if (!attr.type) return;
  Text(" : ");
  TypeOf(*attr.type);
}

// `{-# dialect_resources: {builtin: {name: "0x..."}} #-}`, at the end of the text.
void AsmPrinter::Resources() {
  if (program_.resources.empty()) return;
  std::vector<std::pair<std::string_view, std::string_view>> all(program_.resources.begin(),
                                                                 program_.resources.end());
  std::sort(all.begin(), all.end());
  Text("\n{-#\n  dialect_resources: {\n    builtin: {\n");
  for (size_t i = 0; i < all.size(); ++i) {
    Text(fmt::format("      {}: \"{}\"{}\n", all[i].first, all[i].second,
                     i + 1 < all.size() ? "," : ""));
  }
  Text("    }\n  }\n#-}\n");
}

}  // namespace hlo::mlir
