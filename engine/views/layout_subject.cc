#include "engine/views/layout_subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/bits.h"
#include "engine/layout/morello_layout.h"
#include "engine/types/scanner.h"
#include "engine/views/layout_recognition.h"

namespace hlo {
namespace {

using Head = LayoutNotation::Head;

constexpr size_t kMostDims = 64;

size_t WordLength(std::string_view text) {
  size_t length = 0;
  while (length < text.size() && IsWordCharacter(text[length])) ++length;
  return length;
}

// `key:` at the start of a text: the notation, and the length of the prefix.
const LayoutNotation* KeyOf(std::string_view text, size_t* length) {
  const std::string_view begin = SkipBlank(text);
  const std::string_view word = begin.substr(0, WordLength(begin));
  const std::string_view after = SkipBlank(begin.substr(word.size()));
  *length = text.size() - after.size() + 1;
  return after.substr(0, 1) == ":" ? FindNotation(word) : nullptr;
}

// For a text without a type and a key, sizes may come first, as in 6x8[0,1].
const LayoutNotation& NotationOfBare(std::string_view text) {
  if (!text.empty() && IsDigit(text[0])) {
    const size_t length = WordLength(text);
    const std::string_view rest = SkipBlank(text.substr(length));
    const bool has_sizes = text.substr(0, length).find('x') != std::string_view::npos;
    if (has_sizes || rest.starts_with('[')) return RecognisedNotation(rest, true);
  }
  return RecognisedNotation(text, false);
}

// Parses what precedes a layout.
class HeadReader {
 public:
  HeadReader(Cursor& in, std::string_view text, const LayoutNotation& notation)
      : in_(in), text_(text), notation_(notation) {}

  bool Read(ElementType* type, std::optional<Dims>* dims) {
    in_.SkipSpace();
    const std::string_view rest = text_.substr(in_.position());
    const size_t length = IsDigit(in_.Peek()) ? 0 : WordLength(rest);
    const bool has_brackets = rest.size() > length && rest[length] == '[';
    bool has_type = false;
    if (const auto found = ElementTypeFromText(rest.substr(0, length))) {
      *type = *found;
      has_type = true;
      in_.set_position(in_.position() + length);
    } else if (length > 0 && has_brackets && notation_.head == Head::kArray) {
      const size_t begin = in_.position();
      in_.set_position(begin + length);
      return in_.FaultFrom(begin, fmt::format("{} is no element type", rest.substr(0, length)));
    }
    if (notation_.head != Head::kArray) return true;
    in_.SkipSpace();
    if (IsDigit(in_.Peek())) return ReadSizes(dims, '\0');
    if (in_.Peek() == '[' && (has_type || BracketsAreSizes())) {
      in_.Take('[');
      return ReadSizes(dims, ']');
    }
    return true;
  }

 private:
  // If something follows these brackets, they are sizes and not the layout itself.
  bool BracketsAreSizes() {
    const size_t close = text_.find(']', in_.position());
    if (close == std::string_view::npos || text_[in_.position() + 1] == '(') return false;
    return !SkipBlank(text_.substr(close + 1)).empty();
  }

  bool ReadSizes(std::optional<Dims>* dims, char close) {
    dims->emplace();
    if (close != '\0' && in_.Take(close)) return true;
    do {
      if ((*dims)->size() == kMostDims) {
        return in_.Fault(fmt::format("more than {} dimensions", kMostDims));
      }
      int64_t size = 0;
      if (!in_.Integer(&size, "a dimension size")) return false;
      (*dims)->push_back(size);
    } while (in_.Take(close == '\0' ? 'x' : ','));
    return close == '\0' || in_.Expect(close, "after the dimensions");
  }

  Cursor& in_;
  std::string_view text_;
  const LayoutNotation& notation_;
};

// The range of the largest number of a text, which is marked if sizes overflow. The whole text
// (from `skip` on) if it has no number.
Range LargestNumber(std::string_view text, size_t skip) {
  Range largest{static_cast<uint32_t>(skip), static_cast<uint32_t>(text.size())};
  std::string_view digits;
  for (size_t at = skip; at < text.size(); ++at) {
    if (!IsDigit(text[at]) || (at > 0 && IsWordCharacter(text[at - 1]))) continue;
    size_t end = at;
    while (end < text.size() && IsDigit(text[end])) ++end;
    const std::string_view found = text.substr(at, end - at);
    if (found.size() > digits.size() || (found.size() == digits.size() && found > digits)) {
      digits = found;
      largest = {static_cast<uint32_t>(at), static_cast<uint32_t>(end)};
    }
    at = end;
  }
  return largest;
}

void ReadShape(std::string_view text, size_t skip, LayoutSubject* subject,
               Diagnostics& diagnostics) {
  // Offsets of a shape's errors are relative to the text, so the key is replaced by blanks.
  std::string shape_text(text);
  std::fill(shape_text.begin(), shape_text.begin() + static_cast<ptrdiff_t>(skip), ' ');
  auto shape = ParseShapeText(shape_text, diagnostics);
  if (!shape) return;
  subject->shape = std::move(*shape);
  if (!subject->shape.IsArray()) return;
  const Shape& array = subject->shape;
  // The layout is valid; the remaining errors are sizes that are too large or unbounded.
  subject->map = MakeLayoutMap(array.dims(), 8 * BytesOf(array.element_type()), array.layout(),
                               LargestNumber(text, skip), diagnostics);
  const bool is_padded = !array.layout().extras().padded_dimensions.empty();
  subject->notation = FindNotation(is_padded ? "padded" : "shape");
  if (subject->map) subject->text = ShapeText(array);
}

void RefuseInstruction(std::string_view text, Range shape, Diagnostics& diagnostics) {
  const std::string name(text.substr(shape.begin, shape.end - shape.begin));
  const auto end = static_cast<uint32_t>(text.size());
  const bool is_last = SkipBlank(text.substr(shape.end)).empty();
  diagnostics
      .Report(DiagCode::kLayoutInvalid, is_last ? Range{0, shape.begin} : Range{shape.end, end},
              "this is an instruction; what has a layout is its shape")
      .fixes.push_back({fmt::format("Show {}", name), {0, end}, name});
}

}  // namespace

const LayoutNotation& RecogniseNotation(std::string_view text) {
  size_t length = 0;
  if (const LayoutNotation* notation = KeyOf(text, &length)) return *notation;
  text = SkipBlank(text);
  const size_t word = WordLength(text);
  if (!ElementTypeFromText(text.substr(0, word))) return NotationOfBare(text);
  const std::string_view after = SkipBlank(text.substr(word));
  if (!after.starts_with('['))
    return after.empty() ? *FindNotation("shape") : NotationOfBare(after);
  const size_t close = after.find(']');
  if (close == std::string_view::npos) return *FindNotation("shape");
  // Blanks may precede the sizes, s32 [2,3]; a list with anything but sizes is a layout.
  const std::string_view list = after.substr(1, close - 1);
  const bool is_blank = after.size() != text.size() - word;
  if (is_blank && list.find_first_not_of("0123456789, <=") != std::string_view::npos) {
    return NotationOfBare(after);
  }
  return RecognisedNotation(SkipBlank(after.substr(close + 1)), true);
}

bool HasNotationKey(std::string_view text) {
  size_t length = 0;
  return KeyOf(text, &length) != nullptr;
}

LayoutSubject ReadLayoutSubject(std::string_view text, Diagnostics& diagnostics) {
  LayoutSubject subject;
  size_t skip = 0;
  if (!KeyOf(text, &skip)) skip = 0;
  subject.notation = &RecogniseNotation(text);
  const LayoutNotation& notation = *subject.notation;
  if (const auto shape = ShapeOfInstruction(text)) {
    RefuseInstruction(text, *shape, diagnostics);
    return subject;
  }
  if (notation.head == Head::kShape) {
    ReadShape(text, skip, &subject, diagnostics);
    return subject;
  }
  Cursor in(text, 0, diagnostics);
  in.set_position(skip);
  ElementType type = ElementType::kF32;
  LayoutHead head;
  if (!HeadReader(in, text, notation).Read(&type, &head.dims)) return subject;
  head.element_bits = StoredBits(notation, type);
  in.SkipSpace();
  Cursor rest(text.substr(in.position()), static_cast<uint32_t>(in.position()), diagnostics);
  ReadLayout layout = notation.read(rest, head);
  if (!layout.map) return subject;
  // The values' bytes must fit too, as those of every shape do.
  int64_t bytes = 0;
  if (!MultiplyChecked(layout.map->element_count(), BytesOf(type), &bytes)) {
    diagnostics.Report(DiagCode::kTooLarge, rest.WholeRange(), "the bytes do not fit 64 bits");
    return subject;
  }
  subject.shape = Shape::Array(type, layout.map->dims());
  subject.map = std::move(layout.map);
  subject.text = SubjectText(notation, subject.shape, layout.text);
  subject.facts = std::move(layout.facts);
  return subject;
}

std::string SubjectText(const LayoutNotation& notation, const Shape& shape,
                        std::string_view layout) {
  if (notation.head == Head::kShape) return ShapeName(shape) + std::string(layout);
  return fmt::format("{}: {} {}", notation.key,
                     // A dynamic dimension takes the memory of its bound.
                     notation.head == Head::kArray
                         ? ShapeName(Shape::Array(shape.element_type(), shape.dims()))
                         : std::string(Text(shape.element_type())),
                     layout);
}

int64_t StoredBits(const LayoutNotation& notation, ElementType type) {
  const bool is_packed =
      notation.packs_sub_byte && IsSubByte(type) && ClassOf(type) != TypeClass::kPred;
  return is_packed ? BitsOf(type) : 8 * BytesOf(type);
}

}  // namespace hlo
