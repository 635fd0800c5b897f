#include "engine/mlir/text/attr_reader.h"

#include <fmt/format.h>

#include <cmath>
#include <span>
#include <unordered_set>
#include <utility>

#include "engine/mlir/text/struct_forms.h"
#include "engine/types/number_text.h"

namespace hlo::mlir {
namespace {

constexpr int kDeepest = 100;

Attr Make(Attr::Kind kind, std::string_view text = {}) {
  Attr attr;
  attr.kind = kind;
  attr.text = text;
  return attr;
}

// MLIR attributes that no StableHLO op has: they are skipped over as a whole.
bool IsForeignAttr(std::string_view word) {
  return word == "affine_map" || word == "affine_set" || word == "strided" || word == "opaque";
}

}  // namespace

const Attr* FindField(std::span<const Attr::Field> fields, std::string_view name) {
  for (const Attr::Field& field : fields) {
    if (field.name == name) return &field.value;
  }
  return nullptr;
}

const Attr* Attr::Find(std::string_view name) const { return FindField(fields, name); }

std::optional<Attr> AttrReader::Fail(size_t begin, std::string message) {
  if (in_.position() == begin && !in_.AtEnd()) {
    in_.Advance();
    diagnostics_.Report(DiagCode::kSyntaxError, in_.RangeFrom(begin), std::move(message));
    in_.set_position(begin);
    return std::nullopt;
  }
  diagnostics_.Report(DiagCode::kSyntaxError, in_.RangeFrom(begin), std::move(message));
  return std::nullopt;
}

std::optional<Attr> AttrReader::ReadBare() {
  in_.SkipSpace();
  const char c = in_.Peek();
  is_bare_ = IsDigit(c) || c == '-' || c == '"';
  auto attr = Read();
  is_bare_ = false;
  return attr;
}

std::optional<Attr> AttrReader::Read(int depth) {
  const char c = in_.Next();
  const size_t begin = in_.position();
  if (depth > kDeepest) {
    in_.SkipGroup();
    diagnostics_.Report(DiagCode::kRecursionLimit, in_.RangeFrom(begin),
                        "attributes are nested too deeply");
    return std::nullopt;
  }
  std::optional<Attr> attr;
  if (c == '"') {
    attr = Make(Attr::Kind::kString, in_.Quoted());
    ReadTypeAfterColon(*attr);
  } else if (IsDigit(c) || c == '-' || c == '+') {
    attr = ReadNumber();
  } else if (c == '[') {
    attr = ReadJoinedArrays(depth);
  } else if (c == '{') {
    attr = Make(Attr::Kind::kDict);
    if (!ReadDict(attr->fields, depth + 1)) return std::nullopt;
  } else if (c == '@') {
    in_.Advance();
    attr = Make(Attr::Kind::kSymbol, in_.SuffixId());
    while (in_.Peek() == ':' && in_.Peek(1) == ':' && in_.Peek(2) == '@') {
      in_.Advance(3);
      attr->text = in_.SuffixId();
    }
  } else if (c == '#') {
    attr = ReadHash(depth);
  } else if (c == '<') {  // a dialect attribute whose name the op implies
    in_.Advance();
    attr = Make(Attr::Kind::kDict);
    if (!ReadParameters(*attr, depth)) return std::nullopt;
  } else if (c == '?' || c == '*') {
    in_.Advance();
    attr = Make(Attr::Kind::kWord, in_.Since(begin));
  } else if (c == '(' && IsDigit(in_.Peek(1))) {
    attr = ReadSubAxis(depth);
  } else if (IsNameStart(c) || c == '!' || c == '(') {
    attr = ReadWord(depth);
  } else {
    return Fail(begin, "expected an attribute");
  }
  if (attr) attr->range = in_.RangeFrom(begin);
  return attr;
}

void AttrReader::ReadTypeAfterColon(Attr& attr) {
  if (is_bare_) return;
  const size_t begin = in_.position();
  if (in_.Take(":") && types_.StartsHere()) {
    attr.type = types_.Read();
  } else {
    in_.set_position(begin);
  }
}

std::optional<Attr> AttrReader::ReadNumber() {
  const size_t begin = in_.position();
  const std::string_view text = in_.text();
  if (in_.Peek() == '+') in_.Advance();
  const size_t digits = in_.position() + (in_.Peek() == '-');
  Attr attr = Make(Attr::Kind::kInt);
  if (in_.text().compare(digits, 2, "0x") == 0) {
    in_.set_position(digits + 2);
    uint64_t bits = 0;
    const std::string_view hex = in_.Word();
    if (hex.empty() || hex.size() > 16) return Fail(begin, "malformed hexadecimal number");
    for (const char c : hex) {
      const int digit = IsDigit(c) ? c - '0' : (c | 32) - 'a' + 10;
      if (digit < 0 || digit > 15) return Fail(begin, "malformed hexadecimal number");
      bits = bits << 4 | static_cast<uint64_t>(digit);
    }
    attr.integer = static_cast<int64_t>(bits);
  } else {
    const char* const start = text.data() + in_.position();
    const char* const end = text.data() + text.size();
    const IntegerToken token = ScanInteger(start, end);
    if (token.end == start) return Fail(begin, "expected a number");
    in_.set_position(static_cast<size_t>(token.end - text.data()));
    attr.integer = static_cast<int64_t>(token.is_negative ? 0 - token.magnitude : token.magnitude);
    const bool is_float =
        in_.Peek() == '.' || ((in_.Peek() | 32) == 'e' &&
                              (IsDigit(in_.Peek(1)) || in_.Peek(1) == '-' || in_.Peek(1) == '+'));
    if (is_float) {
      attr.kind = Attr::Kind::kFloat;
      in_.set_position(static_cast<size_t>(ScanDouble(start, end, &attr.number) - text.data()));
      if (!std::isfinite(attr.number)) return Fail(begin, "the number is too large for a float");
    } else if (!token.fits) {
      return Fail(begin, "the integer does not fit 64 bits");
    }
  }
  attr.text = in_.Since(begin);
  ReadTypeAfterColon(attr);
  return attr;
}

// `(1)2`: a part of a mesh's axis.
std::optional<Attr> AttrReader::ReadSubAxis(int depth) {
  Attr axis = Make(Attr::Kind::kArray, "()");
  in_.Advance();
  auto before = Read(depth + 1);
  if (!before) return before;
  if (!in_.Take(")")) return Fail(in_.position(), "expected ')' and the size of a sub-axis");
  auto size = Read(depth + 1);
  if (!size) return size;
  axis.list = {std::move(*before), std::move(*size)};
  return axis;
}

// The numbers of a slice are separated by colons: `[0:4:2]`.
std::optional<Attr> AttrReader::ReadArray(int depth) {
  Attr array = Make(Attr::Kind::kArray);
  const size_t begin = in_.position();
  in_.Take("[");
  while (!in_.Take("]")) {
    auto element = Read(depth + 1);
    if (!element) return std::nullopt;
    if (in_.Next() == ':' && element->kind == Attr::Kind::kInt) {
      Attr slice = Make(Attr::Kind::kArray);
      slice.range = element->range;
      slice.list.push_back(std::move(*element));
      while (in_.Take(":")) {
        auto part = Read(depth + 1);
        if (!part) return std::nullopt;
        slice.list.push_back(std::move(*part));
      }
      element = std::move(slice);
    }
    array.list.push_back(std::move(*element));
    if (!in_.Take(",") && in_.Next() != ']') {
      return Fail(in_.position(), "expected ',' or ']' in a list");
    }
  }
  array.range = in_.RangeFrom(begin);
  return array;
}

// `[b, 0, f]x[i, 0, o]->[b, 0, f]` and `[1] x [0]` are lists of the lists.
std::optional<Attr> AttrReader::ReadJoinedArrays(int depth) {
  auto first = ReadArray(depth);
  if (!first) return first;
  std::optional<Attr> joined;
  while (true) {
    const size_t begin = in_.position();
    if ((!in_.Take("x") && !in_.Take("->")) || in_.Next() != '[') {
      in_.set_position(begin);
      break;
    }
    if (!joined) {
      joined = Make(Attr::Kind::kArray, "x");
      joined->list.push_back(std::move(*first));
    }
    auto next = ReadArray(depth);
    if (!next) return next;
    joined->list.push_back(std::move(*next));
  }
  return joined ? std::move(joined) : std::move(first);
}

std::optional<Attr> AttrReader::ReadDense(std::string_view word) {
  const size_t begin = in_.position();
  if (!in_.SkipGroup()) return Fail(begin, fmt::format("{}< is never closed", word));
  Attr attr = Make(word == "dense_resource" ? Attr::Kind::kResource : Attr::Kind::kDense,
                   in_.text().substr(begin + 1, in_.position() - begin - 2));
  // The element type is required: this colon is never the one before an op's types.
  const bool was_bare = std::exchange(is_bare_, false);
  ReadTypeAfterColon(attr);
  is_bare_ = was_bare;
  if (!attr.type) {
    return Fail(in_.position(), fmt::format("expected ':' and the type of {}<...>", word));
  }
  if (attr.type->kind == Type::Kind::kShape && ScalarType(attr.type->text)) {
    return Fail(begin, fmt::format("the elements of {}<...> must have the type of an array", word));
  }
  return attr;
}

std::optional<Attr> AttrReader::ReadTypedArray(int depth) {
  Attr array = Make(Attr::Kind::kArray);
  const size_t begin = in_.position();
  in_.Take("<");
  in_.SkipSpace();
  array.text = in_.Word();
  if (in_.Take(":")) {
    while (in_.Next() != '>') {
      auto element = Read(depth + 1);
      if (!element) return element;
      array.list.push_back(std::move(*element));
      if (!in_.Take(",") && in_.Next() != '>') {
        return Fail(in_.position(), "expected ',' or '>' in an array");
      }
    }
  }
  if (!in_.Take(">")) return Fail(begin, "array< is never closed");
  return array;
}

// `<update_window_dims = [0], ...>`, `<LT>`, `<[b, f]x[i, o]->[b, f]>`.
bool AttrReader::ReadParameters(Attr& attr, int depth) {
  while (!in_.Take(">")) {
    const char c = in_.Next();
    const size_t begin = in_.position();
    const std::string_view word = IsNameStart(c) ? in_.Word() : std::string_view();
    if (!word.empty() && in_.Take("=")) {
      auto value = Read(depth + 1);
      if (!value) return false;
      attr.fields.push_back({word, std::move(*value)});
      if (in_.Next() != ',' && in_.Next() != '>' && !in_.AtEnd()) {
        Fail(in_.position(), fmt::format("expected ',' or '>' behind '{}'", word));
        return false;
      }
    } else {
      in_.set_position(begin);
      auto value = Read(depth + 1);
      if (!value) return false;
      attr.list.push_back(std::move(*value));
    }
    if (in_.Take(",") && in_.Next() == '>' && !TakesLastComma(attr.name)) {
      Fail(in_.position(), "expected an item behind ','");
      return false;
    }
    if (in_.AtEnd()) {
      Fail(begin, "the attribute is never closed: '>' is missing");
      return false;
    }
  }
  return true;
}

std::optional<Attr> AttrReader::ReadHash(int depth) {
  const size_t begin = in_.position();
  in_.Advance();
  const std::string_view name = in_.SuffixId();
  if (in_.Peek() != '<') {
    return name.find('.') == std::string_view::npos ? Make(Attr::Kind::kAlias, name)
                                                    : Make(Attr::Kind::kOpaque, in_.Since(begin));
  }
  const std::string_view dialect = name.substr(0, name.find('.'));
  if (dialect != "stablehlo" && dialect != "mhlo" && dialect != "chlo") {
    if (!in_.SkipGroup()) return Fail(begin, fmt::format("#{}< is never closed", name));
    return Make(Attr::Kind::kOpaque, in_.Since(begin));
  }
  Attr attr = Make(Attr::Kind::kDict);
  attr.name = name;
  in_.Advance();
  if (!ReadParameters(attr, depth)) return std::nullopt;
  if (std::string fault = StructFault(attr); !fault.empty()) return Fail(begin, std::move(fault));
  // An enumerator: `#stablehlo<comparison_direction LT>`, `#stablehlo.result_accuracy_mode<X>`.
  if (attr.fields.empty() && !attr.list.empty() && attr.list.back().kind == Attr::Kind::kWord) {
    attr.kind = Attr::Kind::kWord;
    attr.text = attr.list.back().text;
    attr.list.pop_back();
  }
  return attr;
}

std::optional<Attr> AttrReader::ReadWord(int depth) {
  if (types_.StartsHere()) {
    Attr attr = Make(Attr::Kind::kType);
    attr.type = types_.Read();
    if (!attr.type) return std::nullopt;
    return attr;
  }
  const size_t begin = in_.position();
  const std::string_view word = in_.Word();
  const bool has_group = in_.Peek() == '<';
  if (has_group && (word == "dense" || word == "dense_resource" || word == "sparse")) {
    return ReadDense(word);
  }
  if (has_group && word == "array") return ReadTypedArray(depth);
  if (has_group && !IsForeignAttr(word))
    return Fail(begin, fmt::format("'{}<' is no attribute", word));
  if (has_group || (word == "loc" && in_.Peek() == '(')) {
    if (!in_.SkipGroup()) return Fail(begin, fmt::format("{} is never closed", word));
    return Make(Attr::Kind::kOpaque, in_.Since(begin));
  }
  Attr attr = Make(Attr::Kind::kWord, word);
  if (word == "true" || word == "false") {
    attr.kind = Attr::Kind::kBool;
    attr.integer = word == "true";
  } else if (word == "unit") {
    attr.kind = Attr::Kind::kUnit;
  }
  return attr;
}

bool AttrReader::ReadDict(std::vector<Attr::Field>& out, int depth) {
  const size_t begin = in_.position();
  auto fail = [&](std::string message) {
    if (!message.empty()) Fail(in_.position(), std::move(message));
    in_.set_position(begin);
    in_.SkipGroup();
    return false;
  };
  in_.Take("{");
  const size_t first = out.size();
  // Few names are compared one by one, which takes less time than a set.
  constexpr size_t kFewFields = 16;
  std::unordered_set<std::string_view> names;
  while (!in_.Take("}")) {
    const char c = in_.Next();
    const std::string_view name = c == '"' ? in_.Quoted() : in_.Word();
    if (name.empty()) return fail("expected the name of an attribute");
    Attr value = Make(Attr::Kind::kUnit);
    if (in_.Take("=")) {
      auto read = Read(depth + 1);
      if (!read) return fail("");
      value = std::move(*read);
    }
    const std::span<const Attr::Field> before = std::span(out).subspan(first);
    if (before.size() == kFewFields) {
      for (const Attr::Field& field : before) names.insert(field.name);
    }
    if (before.size() < kFewFields ? FindField(before, name) != nullptr
                                   : !names.insert(name).second) {
      return fail(fmt::format("duplicate key '{}' in dictionary attribute", name));
    }
    out.push_back({name, std::move(value)});
    if (!in_.Take(",") && in_.Next() != '}') return fail("expected ',' or '}' in a dictionary");
  }
  return true;
}

}  // namespace hlo::mlir
