// How the emit functions of ops read attributes.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/mlir/import/op_import.h"
#include "engine/mlir/text/cursor.h"
#include "engine/mlir/text/dense.h"
#include "engine/mlir/text/mlir_text.h"
#include "engine/types/convert.h"

namespace hlo::mlir {

const Attr* OpImport::Find(std::initializer_list<std::string_view> names) const {
  for (std::string_view name : names) {
    for (const Attr::Field& field : given_) {
      if (field.name == name) return &field.value;
    }
    if (const Attr* attr = op_.Find(name)) return importer_.Resolve(attr);
  }
  return nullptr;
}

const Shape* OpImport::DenseShape(const Attr& attr, const Shape* type) {
  return attr.type && attr.type->kind == Type::Kind::kShape ? &attr.type->shape : type;
}

std::optional<Tensor> OpImport::LargeFill(const Attr& attr, const Shape* type) {
  const Shape* shape = DenseShape(attr, type);
  if (!shape || attr.kind != Attr::Kind::kDense) return std::nullopt;
  return ReadFill(attr.text, *shape);
}

std::optional<Tensor> OpImport::Dense(const Attr& attr, const Shape* type) {
  const Shape* shape = DenseShape(attr, type);
  if (!shape) {
    Fail(DiagCode::kLiteralValue, "a constant of a type that is not read", attr.range);
    return std::nullopt;
  }
  std::string_view text = attr.text;
  std::string resource;
  if (attr.kind == Attr::Kind::kResource) {
    const auto it = importer_.program_.resources.find(text);
    // The first four bytes of a resource blob are its alignment.
    if (it == importer_.program_.resources.end() || it->second.size() < 10) {
      Fail(DiagCode::kLiteralValue, fmt::format("no resource is called {}", text), attr.range);
      return std::nullopt;
    }
    resource = fmt::format("\"0x{}\"", it->second.substr(10));
    text = resource;
  } else if (attr.kind == Attr::Kind::kInt || attr.kind == Attr::Kind::kFloat) {
    text = attr.text;
  } else if (attr.kind == Attr::Kind::kBool) {
    text = attr.integer ? "true" : "false";
  } else if (attr.kind != Attr::Kind::kDense) {
    Fail(DiagCode::kLiteralValue, "expected dense<...>", attr.range);
    return std::nullopt;
  }
  const bool is_of_source = text.data() >= importer_.source_.data() &&
                            text.data() < importer_.source_.data() + importer_.source_.size();
  const uint32_t offset = is_of_source
                              ? static_cast<uint32_t>(text.data() - importer_.source_.data())
                              : attr.range.begin;
  return ReadDense(text, offset, *shape, importer_.diagnostics_, importer_.budget_);
}

namespace {

bool IsInteger(const Attr& attr) {
  const bool is_float = attr.type && attr.type->kind == Type::Kind::kShape &&
                        IsFloat(attr.type->shape.element_type());
  return (attr.kind == Attr::Kind::kInt || attr.kind == Attr::Kind::kBool) && !is_float;
}

// The number of dimensions of a dense attribute; -1 for any other one.
int RankOf(const Attr* attr) {
  const bool is_array = attr && attr->kind == Attr::Kind::kDense && attr->type &&
                        attr->type->kind == Type::Kind::kShape;
  return is_array ? attr->type->shape.rank() : -1;
}

}  // namespace

Dims OpImport::IntsOf(const Attr* attr, Dims otherwise) {
  attr = importer_.Resolve(attr);
  if (!attr) return otherwise;
  Dims ints;
  if (attr->kind == Attr::Kind::kArray) {
    for (const Attr& element : attr->list) {
      if (element.kind == Attr::Kind::kArray) {
        for (int64_t i : IntsOf(&element)) ints.push_back(i);
      } else {
        if (!IsInteger(element))
          Fail(DiagCode::kAttributeValue, "expected integers", element.range);
        ints.push_back(element.integer);
      }
    }
  } else if (attr->kind == Attr::Kind::kInt || attr->kind == Attr::Kind::kBool) {
    ints.push_back(attr->integer);
  } else if (const auto tensor = Dense(*attr)) {
    ints.resize(static_cast<size_t>(tensor->element_count()));
    ConvertElements(tensor->element_type(), tensor->bytes(), ElementType::kS64,
                    reinterpret_cast<std::byte*>(ints.data()), tensor->element_count());
  }
  return ints;
}

Dims OpImport::Ints(std::initializer_list<std::string_view> names, Dims otherwise) {
  using Kind = Attr::Kind;
  const Attr* attr = Find(names);
  if (attr && attr->kind != Kind::kArray && attr->kind != Kind::kDense &&
      attr->kind != Kind::kResource && attr->kind != Kind::kInt && attr->kind != Kind::kBool) {
    Fail(DiagCode::kAttributeValue,
         fmt::format("attribute '{}' failed to satisfy constraint: i64 dense array attribute",
                     *names.begin()),
         attr->range);
    return otherwise;
  }
  const int rank = RankOf(attr);
  if (rank > 1) {
    Fail(DiagCode::kAttributeValue,
         fmt::format("{} has rank {} instead of rank 1", *names.begin(), rank), attr->range);
    return otherwise;
  }
  return IntsOf(attr, std::move(otherwise));
}

Dims OpImport::PairsOf(const Attr* attr, Dims otherwise) {
  const int rank = RankOf(attr);
  if (rank >= 0 && (rank != 2 || attr->type->shape.dim(1) != 2)) {
    Fail(DiagCode::kAttributeValue,
         fmt::format("expects the shape of a padding to be (N, 2), but got {}",
                     TypeText(attr->type->shape)),
         attr->range);
    return otherwise;
  }
  // What a value gave (Give) is flat, and has no place of its own in the text.
  const bool is_written = attr && rank < 0 && !(attr->range == op_.name_range);
  for (const Attr& pair : is_written ? attr->list : std::vector<Attr>()) {
    if (pair.list.size() == 2) continue;
    Fail(DiagCode::kAttributeValue,
         fmt::format("Expected array with 2 elements, got {} elements instead", pair.list.size()),
         attr->range);
    return otherwise;
  }
  return IntsOf(attr, std::move(otherwise));
}

std::vector<Dims> OpImport::Rows(std::initializer_list<std::string_view> names) {
  const Attr* attr = Find(names);
  if (const int rank = RankOf(attr); rank >= 0 && rank != 2) {
    Fail(DiagCode::kAttributeValue,
         fmt::format("expect {} attribute to be of rank 2, but got rank {}", *names.begin(), rank),
         attr->range);
    return {};
  }
  return RowsOf(attr);
}

std::vector<Dims> OpImport::RowsOf(const Attr* attr) {
  std::vector<Dims> rows;
  if (!attr) return rows;
  if (attr->kind == Attr::Kind::kArray) {
    for (const Attr& row : attr->list) rows.push_back(IntsOf(&row));
    return rows;
  }
  const Dims all = IntsOf(attr);
  if (!attr->type || attr->type->shape.rank() != 2) return rows;
  const size_t width = static_cast<size_t>(attr->type->shape.dim(1));
  for (size_t i = 0; width > 0 && i + width <= all.size(); i += width) {
    rows.emplace_back(all.begin() + i, all.begin() + i + width);
  }
  return rows;
}

int64_t OpImport::Int(std::initializer_list<std::string_view> names, int64_t otherwise) {
  const Attr* attr = Find(names);
  if (!attr) return otherwise;
  // A value given by an operand has the form of a list.
  const bool is_list_of_one = attr->kind == Attr::Kind::kArray && attr->list.size() == 1;
  if (attr->kind != Attr::Kind::kInt && attr->kind != Attr::Kind::kBool && !is_list_of_one) {
    Fail(DiagCode::kAttributeValue,
         fmt::format(
             "attribute '{}' failed to satisfy constraint: 64-bit signless integer attribute",
             *names.begin()),
         attr->range);
    return otherwise;
  }
  return is_list_of_one ? attr->list[0].integer : attr->integer;
}

const Attr* OpImport::Needed(std::initializer_list<std::string_view> names) {
  const Attr* attr = Find(names);
  if (!attr) {
    Fail(DiagCode::kAttributeMissing, fmt::format("requires attribute '{}'", *names.begin()));
  }
  return attr;
}

Dims OpImport::NeededInts(std::initializer_list<std::string_view> names) {
  return Needed(names) ? Ints(names) : Dims();
}

int64_t OpImport::NeededInt(std::initializer_list<std::string_view> names) {
  return Needed(names) ? Int(names) : 0;
}

std::optional<std::string> OpImport::NeededString(std::string_view name) {
  const Attr* attr = Needed({name});
  if (attr && attr->kind == Attr::Kind::kString) return std::string(attr->text);
  if (attr) {
    Fail(DiagCode::kAttributeValue,
         fmt::format("attribute '{}' failed to satisfy constraint: string attribute", name),
         attr->range);
  }
  return std::nullopt;
}

std::string OpImport::NeededWord(std::initializer_list<std::string_view> names,
                                 std::span<const std::string_view> allowed) {
  const Attr* attr = Needed(names);
  const std::string_view word = attr ? attr->text : std::string_view();
  if (std::find(allowed.begin(), allowed.end(), word) != allowed.end()) return std::string(word);
  if (attr) {
    Fail(DiagCode::kAttributeValue,
         fmt::format("attribute '{}' is '{}', expected to be one of: {}", *names.begin(), word,
                     fmt::join(allowed, ", ")),
         attr->range);
  }
  return {};
}

double OpImport::Float(std::initializer_list<std::string_view> names, double otherwise) {
  const Attr* attr = Find(names);
  if (!attr) return otherwise;
  return attr->kind == Attr::Kind::kInt ? static_cast<double>(attr->integer) : attr->number;
}

bool OpImport::Bool(std::initializer_list<std::string_view> names, bool otherwise) {
  const Attr* attr = Find(names);
  return attr ? attr->kind == Attr::Kind::kUnit || attr->integer != 0 : otherwise;
}

std::string_view OpImport::Word(std::initializer_list<std::string_view> names) {
  const Attr* attr = Find(names);
  return attr ? attr->text : std::string_view();
}

std::string Unescaped(std::string_view escaped) {
  const auto digit = [](char c) {
    return IsDigit(c) ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
  };
  std::string text;
  for (size_t i = 0; i < escaped.size(); ++i) {
    char c = escaped[i];
    if (c == '\\' && i + 1 < escaped.size()) {
      c = escaped[++i];
      const int high = digit(c), low = i + 1 < escaped.size() ? digit(escaped[i + 1]) : -1;
      if (c == 'n') {
        c = '\n';
      } else if (c == 't') {
        c = '\t';
      } else if (high >= 0 && low >= 0) {
        c = static_cast<char>(high * 16 + low);
        ++i;
      }
    }
    text += c;
  }
  return text;
}

std::string OpImport::StringOf(std::initializer_list<std::string_view> names) {
  const Attr* attr = Find(names);
  if (!attr) return {};
  if (attr->kind != Attr::Kind::kString) {
    return std::string(
        importer_.source_.substr(attr->range.begin, attr->range.end - attr->range.begin));
  }
  return Unescaped(attr->text);
}

}  // namespace hlo::mlir
