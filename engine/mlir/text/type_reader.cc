#include "engine/mlir/text/type_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hlo::mlir {
namespace {

constexpr int kDeepestTypes = 100;
constexpr size_t kHighestRank = 32;
constexpr char kNeverClosed[] = "the type is never closed: '>' is missing";

std::string Lower(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

// MLIR's builtin types that StableHLO does not have: they are skipped over as a whole.
bool IsForeignType(std::string_view word) { return word == "vector" || word == "memref"; }

}  // namespace

std::optional<ElementType> ScalarType(std::string_view word) {
  if (word == "i1") return ElementType::kPred;
  if (word == "index") return ElementType::kS64;
  if (word.size() < 2 || word.size() > 16) return std::nullopt;
  if (word[0] == 'i' && IsDigit(word[1]))
    return ElementTypeFromText(fmt::format("s{}", word.substr(1)));
  if (word.starts_with("ui") || word.starts_with("si")) {
    return ElementTypeFromText(fmt::format("{}{}", word[0], word.substr(2)));
  }
  if (word[0] != 'f' && word[0] != 'b') return std::nullopt;
  const auto type = ElementTypeFromText(Lower(word));
  return type && IsFloat(*type) ? type : std::nullopt;
}

const Type* TypeReader::Fail(size_t begin, std::string message) {
  diagnostics_.Report(DiagCode::kShapeInvalid, in_.RangeFrom(begin), std::move(message));
  return nullptr;
}

const Type* TypeReader::New(Type type, size_t begin) {
  type.text = in_.Since(begin);
  program_.types.push_back(std::move(type));
  const Type* made = &program_.types.back();
  known_.emplace(made->text, made);
  return made;
}

bool TypeReader::StartsHere() {
  const char c = in_.Next();
  if (c == '!' || c == '(') return true;
  if (!IsNameStart(c)) return false;
  const size_t begin = in_.position();
  const std::string_view word = in_.Word();
  const char after = in_.Peek();
  in_.set_position(begin);
  if (after == '<')
    return word == "tensor" || word == "tuple" || word == "complex" || IsForeignType(word);
  return word == "none" || ScalarType(word).has_value();
}

const Type* TypeReader::Read(int depth) {
  const char c = in_.Next();
  const size_t begin = in_.position();
  if (depth > kDeepestTypes) {
    in_.SkipGroup();
    diagnostics_.Report(DiagCode::kRecursionLimit, in_.RangeFrom(begin),
                        "types are nested too deeply");
    return nullptr;
  }
  if (c == '(') return ReadFunction(depth);
  if (c == '!') return ReadDialectType(begin, depth);
  const std::string_view word = in_.Word();
  if (word == "tensor" && in_.Peek() == '<') return ReadArray(begin, false);
  if (word == "memref" && in_.Peek() == '<' && !HasLayout()) return ReadArray(begin, true);
  if (word == "tuple" && in_.Peek() == '<') return ReadTuple(begin, depth);
  if (in_.Peek() == '<' && IsForeignType(word)) {
    if (!in_.SkipGroup()) return Fail(begin, kNeverClosed);
    return New({}, begin);
  }
  in_.set_position(begin);
  Type type;
  type.kind = Type::Kind::kShape;
  ElementType element{};
  if (word == "none") {
    in_.Word();
    return New({}, begin);
  }
  if (!ReadElement(&type, &element)) return nullptr;
  type.shape = Shape::Scalar(element);
  return New(std::move(type), begin);
}

const Type* TypeReader::ReadFunction(int depth) {
  const size_t begin = in_.position();
  Type type;
  type.kind = Type::Kind::kFunction;
  auto list = [&](std::vector<const Type*>& out) {
    in_.Take("(");
    while (!in_.Take(")")) {
      const Type* element = Read(depth + 1);
      if (!element) return false;
      out.push_back(element);
      if (!in_.Take(",") && in_.Next() != ')') {
        Fail(in_.position(), "expected ',' or ')' in a list of types");
        return false;
      }
    }
    return true;
  };
  if (!list(type.inputs)) return nullptr;
  if (in_.Take("->")) {
    if (in_.Next() == '(') {
      if (!list(type.outputs)) return nullptr;
    } else if (const Type* result = Read(depth + 1)) {
      type.outputs.push_back(result);
    } else {
      return nullptr;
    }
  }
  return New(std::move(type), begin);
}

// Whether the buffer type at the cursor has a layout or a memory space, which HLO's have not.
bool TypeReader::HasLayout() {
  const size_t open = in_.position();
  const bool is_whole = in_.SkipGroup();
  const bool has_comma = in_.Since(open).find(',') != std::string_view::npos;
  in_.set_position(open);
  return is_whole && has_comma;
}

const Type* TypeReader::ReadTensor() {
  const size_t begin = in_.position();
  in_.Word();
  return ReadArray(begin, false);
}

// The sizes at the cursor, each with its 'x': `4x?x` or, without a rank, `*x`.
bool TypeReader::ReadDims(size_t begin, Dims* dims, bool* is_unranked) {
  while (true) {
    const char c = in_.Next();
    if (c == '?' || c == '*') {
      *is_unranked |= c == '*';
      in_.Advance();
      dims->push_back(Shape::kUnbounded);
    } else if (IsDigit(c)) {
      int64_t size = 0;
      while (IsDigit(in_.Peek())) {
        if (__builtin_mul_overflow(size, 10, &size) ||
            __builtin_add_overflow(size, in_.Peek() - '0', &size)) {
          Fail(begin, "a dimension is too large");
          return false;
        }
        in_.Advance();
      }
      dims->push_back(size);
    } else {
      return true;
    }
    if (!in_.Take("x")) {
      Fail(in_.position(), "expected 'x' after a dimension");
      return false;
    }
  }
}

const Type* TypeReader::ReadArray(size_t begin, bool is_buffer) {
  const size_t open = in_.position();
  if (!in_.SkipGroup()) return Fail(begin, kNeverClosed);
  if (auto it = known_.find(in_.Since(begin)); it != known_.end()) return it->second;
  const size_t end = in_.position();
  in_.set_position(open + 1);
  Dims dims;
  bool is_unranked = false;
  if (!ReadDims(begin, &dims, &is_unranked)) return nullptr;
  Type type;
  const bool is_known = std::find(dims.begin(), dims.end(), Shape::kUnbounded) == dims.end();
  type.kind = is_known ? Type::Kind::kShape : Type::Kind::kDynamic;
  ElementType element{};
  if (!ReadElement(&type, &element)) {
    in_.set_position(end);
    return nullptr;
  }
  if (type.quantization && !is_unranked) {
    std::string fault = AxisFault(*type.quantization, dims);
    if (!fault.empty()) return Fail(begin, std::move(fault));
  }
  if (in_.Next() != '>' && in_.Peek() != ',') {
    return Fail(in_.position(), "expected '>' after the element type");
  }
  if (in_.Peek() == ',' && !AtEncoding(end)) {
    return Fail(in_.position(), "expected an attribute, as in #stablehlo.bounds<...>, behind ','");
  }
  // A bounded size is not unknown.
  uint32_t bounded = 0;
  if (in_.Peek() == ',') {
    int64_t fixed = -1;
    bounded = ReadBounds(in_.text().substr(0, end), &dims, &fixed);
    if (fixed >= 0) {
      return Fail(in_.position(), fmt::format("Static dimension {} cannot have a bound", fixed));
    }
  }
  if (std::find(dims.begin(), dims.end(), Shape::kUnbounded) == dims.end() && bounded != 0) {
    type.kind = Type::Kind::kShape;
  }
  in_.set_position(end);
  if (dims.size() > kHighestRank) return Fail(begin, "more than 32 dimensions");
  if (type.kind != Type::Kind::kOther) {
    int64_t count = BytesOf(element);
    for (int64_t size : dims) {
      if (size > 0 && __builtin_mul_overflow(count, size, &count)) {
        return Fail(begin, "the tensor has too many elements");
      }
    }
    type.shape = Shape::Array(element, dims);
    for (size_t d = 0; d < dims.size(); ++d) {
      const bool is_bounded = ((bounded >> d) & 1) != 0;
      if (dims[d] == Shape::kUnbounded || is_bounded)
        type.shape.set_dynamic(static_cast<int>(d), true);
    }
    if (is_unranked) type.kind = Type::Kind::kOther;
    if (is_buffer && type.kind == Type::Kind::kShape) type.shape = Shape::Buffer(type.shape);
    if (is_buffer && type.kind != Type::Kind::kShape) type = Type{};
  }
  return New(std::move(type), begin);
}

// One attribute after the comma at the cursor, up to the '>' that ends the type before `end`.
bool TypeReader::AtEncoding(size_t end) {
  Cursor in(in_.text().substr(0, end));
  in.set_position(in_.position() + 1);
  if (in.Next() != '#') return false;
  in.Advance();
  if (in.SuffixId().empty() || (in.Peek() == '<' && !in.SkipGroup())) return false;
  return in.Next() == '>' && in.position() + 1 == end;
}

// `, #stablehlo.bounds<3, ?>` or `, #stablehlo.type_extensions<bounds = [3, ?]>` before the end of
// a type: the bounds replace unknown sizes. One bit for each of these. `fixed` becomes a dimension
// of known size that has a bound.
uint32_t TypeReader::ReadBounds(std::string_view text, Dims* dims, int64_t* fixed) {
  const std::string_view rest = text.substr(in_.position());
  const size_t name = rest.find("bounds");
  if (name == std::string_view::npos) return 0;
  Cursor in(rest.substr(name + 6));
  in.Take("=");
  if (!in.Take("<") && !in.Take("[")) return 0;
  uint32_t bounded = 0;
  for (size_t d = 0; d < std::min(dims->size(), kHighestRank); ++d) {
    const char c = in.Next();
    int64_t size = 0;
    while (IsDigit(in.Peek()) && size < INT32_MAX) {
      size = 10 * size + (in.Peek() - '0');
      in.Advance();
    }
    if (c == '?') {
      in.Advance();
    } else if (IsDigit(c) && (*dims)[d] != Shape::kUnbounded) {
      *fixed = static_cast<int64_t>(d);
    } else if (IsDigit(c)) {
      (*dims)[d] = size;
      bounded |= uint32_t{1} << d;
    }
    in.Take(",");
  }
  return bounded;
}

const Type* TypeReader::ReadTuple(size_t begin, int depth) {
  Type type;
  type.kind = Type::Kind::kShape;
  std::vector<Shape> elements;
  in_.Take("<");
  while (!in_.Take(">")) {
    const Type* element = Read(depth + 1);
    if (!element) return nullptr;
    if (element->kind != Type::Kind::kShape) type.kind = element->kind;
    elements.push_back(element->shape);
    if (!in_.Take(",") && in_.Next() != '>') {
      return Fail(in_.position(), "expected ',' or '>' in a tuple");
    }
  }
  if (const std::string fault = Shape::TupleFault(elements); !fault.empty()) {
    return Fail(begin, fault);
  }
  type.shape = Shape::Tuple(std::move(elements));
  return New(std::move(type), begin);
}

namespace {

// The error in a dialect type such as `!stablehlo.token`; empty if there is none. Types of dialects
// that are not read here may have any name.
std::string DialectTypeFault(std::string_view name, std::string_view text) {
  const size_t dot = name.find('.');
  if (dot == std::string_view::npos) return fmt::format("no type alias is called !{}", name);
  const std::string_view dialect = name.substr(0, dot);
  const std::string_view type = name.substr(dot + 1);
  if (dialect != "stablehlo" && dialect != "mhlo" && dialect != "chlo") return {};
  const bool has_parameters = text.ends_with('>');
  if (type == "token" && dialect != "chlo") {
    return has_parameters ? fmt::format("!{} takes no parameters", name) : std::string();
  }
  const bool has_parts =
      (dialect == "stablehlo" && type == "future") || (dialect == "mhlo" && type == "async_bundle");
  if (!has_parts) return fmt::format("{} has no type called {}", dialect, type);
  return has_parameters ? std::string() : fmt::format("!{} needs its parameters in <>", name);
}

}  // namespace

// `<tensor<4xf32>, tensor<2xi32>>`
bool TypeReader::ReadFuture(Type* type, int depth) {
  type->kind = Type::Kind::kFuture;
  in_.Take("<");
  do {
    const size_t begin = in_.position();
    const Type* part = Read(depth + 1);
    if (!part) return false;
    if (!part->text.starts_with("tensor<") || !part->shape.IsArray()) {
      Fail(begin,
           fmt::format("future element type must be a ranked tensor, but got '{}'", part->text));
      return false;
    }
    type->outputs.push_back(part);
  } while (in_.Take(","));
  if (in_.Take(">")) return true;
  Fail(in_.position(), "expected ',' or '>' in a future");
  return false;
}

const Type* TypeReader::ReadDialectType(size_t begin, int depth) {
  in_.Advance();
  const std::string_view word = in_.SuffixId();
  const size_t open = in_.position();
  if (in_.Peek() == '<' && !in_.SkipGroup()) return Fail(begin, kNeverClosed);
  if (auto it = program_.type_aliases.find(word); it != program_.type_aliases.end()) {
    return it->second;
  }
  Type type;
  if (const std::string fault = DialectTypeFault(word, in_.Since(begin)); !fault.empty()) {
    return Fail(begin, fault);
  }
  if (word == "stablehlo.token" || word == "mhlo.token") {
    type.kind = Type::Kind::kShape;
    type.shape = Shape::Token();
  } else if (word == "stablehlo.future") {
    in_.set_position(open);
    if (!ReadFuture(&type, depth)) return nullptr;
  } else if (word.starts_with("quant.")) {
    const std::string_view group = in_.Since(begin).substr(1 + word.size());
    std::string problem = "this quantised type is not understood";
    auto quant = group.size() < 2 ? std::nullopt
                                  : ReadQuantization(group.substr(1, group.size() - 2), &problem);
    if (!quant) return Fail(begin, std::move(problem));
    type.kind = Type::Kind::kQuantized;
    type.shape = Shape::Scalar(quant->storage);
    type.quantization = std::make_shared<const Quantization>(std::move(*quant));
  }
  return New(std::move(type), begin);
}

bool TypeReader::ReadElement(Type* type, ElementType* element) {
  const size_t begin = in_.position();
  if (in_.Next() == '!') {
    const Type* inner = ReadDialectType(in_.position(), kDeepestTypes);
    if (!inner) return false;
    if (inner->kind == Type::Kind::kQuantized) {
      type->kind = inner->kind;
      type->quantization = inner->quantization;
    } else if (inner->kind != Type::Kind::kShape || !inner->shape.IsScalar()) {
      type->kind = Type::Kind::kOther;
      return true;
    }
    *element = inner->shape.element_type();
    return true;
  }
  const std::string_view word = in_.Word();
  if (word == "complex" && in_.Take("<")) {
    in_.SkipSpace();
    const std::string_view part = in_.Word();
    const bool closed = in_.Take(">");
    if (closed && part == "f32") *element = ElementType::kC64;
    if (closed && part == "f64") *element = ElementType::kC128;
    if (closed && (part == "f32" || part == "f64")) return true;
    Fail(begin, "complex numbers are complex<f32> or complex<f64>");
    return false;
  }
  if (const auto scalar = ScalarType(word)) {
    *element = *scalar;
    return true;
  }
  if (word.empty() && !in_.AtEnd()) in_.Advance();
  Fail(begin, fmt::format("'{}' is no element type", in_.Since(begin)));
  return false;
}

}  // namespace hlo::mlir
