#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "engine/base/bits.h"
#include "engine/base/characters.h"
#include "engine/layout/layout_text.h"

namespace hlo {
namespace {

constexpr size_t kLongestPaddingValue = 64;
// How far the end of a part or of a faulty layout is searched for.
constexpr size_t kLongestSearch = 1 << 12;

// The asterisk operator, U+2217: how XLA's documentation of tiled layouts prints the star of a
// tile.
constexpr std::string_view kPrintedStar = "\xE2\x88\x97";

// One parse. The functions named Read... return false when the text cannot be parsed any further; a
// purely semantic fault is reported and reading continues.
class LayoutReader {
 public:
  LayoutReader(std::string_view text, uint32_t base_offset, Diagnostics& diagnostics,
               LayoutPlaces* places = nullptr)
      : text_(text), base_offset_(base_offset), diagnostics_(diagnostics), places_(places) {}

  LayoutParse Read() {
    Dims order;
    LayoutExtras extras;
    const bool followed = ReadLayout(&order, &extras);
    LayoutParse result;
    if (!followed) SkipToEnd();
    result.consumed = static_cast<uint32_t>(position_);
    result.ok = ok_;
    if (ok_) result.layout = Layout(std::move(order), std::move(extras));
    return result;
  }

 private:
  // A part: the word it starts with and how the rest of it is read, in the order of the text.
  struct Part {
    std::string_view word;
    bool (LayoutReader::*read)(LayoutExtras* extras);
  };
  static const Part kParts[11];

  char Peek(size_t ahead = 0) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }

  void SkipComment() {
    const bool is_line = Peek(1) == '/';
    const size_t end = is_line ? LineEnd(text_, position_) : text_.find("*/", position_ + 2);
    position_ = end == std::string_view::npos ? text_.size() : end + (is_line ? 0 : 2);
  }

  void SkipSpace() {
    while (true) {
      if (const size_t space = SpaceLength(text_, position_); space > 0) {
        position_ += space;
      } else if (Peek() == '/' && (Peek(1) == '*' || Peek(1) == '/')) {
        SkipComment();
      } else {
        return;
      }
    }
  }

  bool Sees(char c) {
    SkipSpace();
    return position_ < text_.size() && text_[position_] == c;
  }

  bool Take(char c) {
    if (!Sees(c)) return false;
    ++position_;
    return true;
  }

  Range RangeOf(size_t begin, size_t end) const {
    return {base_offset_ + static_cast<uint32_t>(begin), base_offset_ + static_cast<uint32_t>(end)};
  }

  void Fault(size_t begin, size_t end, std::string message) {
    ok_ = false;
    diagnostics_.Report(DiagCode::kLayoutInvalid, RangeOf(begin, end), std::move(message));
  }

  // Reports what was expected instead of the text at the cursor.
  bool Unexpected(std::string_view expected) {
    return ReportSeen(fmt::format("expects {}", expected));
  }

  bool ReportSeen(std::string_view complaint) {
    SkipSpace();
    size_t end = position_;
    while (end < text_.size() && end - position_ < 32 &&
           (IsLetter(text_[end]) || IsDigit(text_[end]))) {
      ++end;
    }
    if (end == position_ && end < text_.size()) {
      // A character of several bytes is shown whole.
      do ++end;
      while (end < text_.size() && end - position_ < 4 && (text_[end] & 0xC0) == 0x80);
    }
    const std::string_view seen = text_.substr(position_, end - position_);
    Fault(position_, end,
          seen.empty() ? fmt::format("{}, but the text ends", complaint)
                       : fmt::format("{}, but sees '{}'", complaint, seen));
    return false;
  }

  bool Expect(char c, std::string_view where) {
    return Take(c) || Unexpected(fmt::format("'{}' {}", c, where));
  }

  bool ReadInteger(int64_t* value, std::string_view what) {
    SkipSpace();
    const size_t begin = position_;
    const bool is_negative = Peek() == '-';
    if (!IsDigit(Peek(is_negative ? 1 : 0))) return Unexpected(what);
    if (is_negative) ++position_;
    bool fits = true;
    *value = 0;
    for (; IsDigit(Peek()); ++position_) {
      const int64_t digit = is_negative ? '0' - Peek() : Peek() - '0';
      fits = fits && MultiplyChecked(*value, 10, value) && AddChecked(*value, digit, value);
    }
    last_integer_ = RangeOf(begin, position_);
    if (!fits) {
      *value = 1;  // valid everywhere, so that no further fault follows
      Fault(begin, position_, fmt::format("{} must fit 64 bits", what));
    }
    return true;
  }

  // Records the place of each in a list of places, and that of all in `whole`.
  bool ReadIntegers(Dims* values, std::string_view what, std::vector<Range> LayoutPlaces::*list,
                    Range LayoutPlaces::*whole = nullptr) {
    SkipSpace();
    const size_t begin = position_;
    do {
      int64_t value = 0;
      if (!ReadInteger(&value, what)) return false;
      values->push_back(value);
      NotePlace(list);
    } while (Take(','));
    if (places_ != nullptr && whole != nullptr) places_->*whole = RangeOf(begin, position_);
    return true;
  }
  void NotePlace(std::vector<Range> LayoutPlaces::*list) {
    if (places_ != nullptr) (places_->*list).push_back(last_integer_);
  }

  // `(n)` with n >= least.
  bool ReadParenthesised(int64_t least, std::string_view what, int64_t* value) {
    if (!Take('(')) return Unexpected(fmt::format("'(' before {}", what));
    SkipSpace();
    const size_t begin = position_;
    if (!ReadInteger(value, what)) return false;
    if (*value < least) {
      Fault(begin, position_, fmt::format("{} must be at least {}, not {}", what, least, *value));
    }
    return Take(')') || Unexpected(fmt::format("')' after {}", what));
  }

  bool ReadLayout(Dims* order, LayoutExtras* extras) {
    if (!Expect('{', "at the start of the layout")) return false;
    if (!Sees('}') && !Sees(':') && !ReadIntegers(order, "a dimension number", &LayoutPlaces::dims))
      return false;
    rank_ = order->size();
    if (Take(':') && !ReadParts(extras)) return false;
    return Expect('}', "at the end of the layout");
  }

  bool ReadParts(LayoutExtras* extras) {
    size_t next = 0;  // the first part that may still come
    while (!Sees('}')) {
      const size_t begin = position_;
      const std::string_view word = ReadPartWord();
      size_t found = 0;
      while (found < std::size(kParts) && kParts[found].word != word) ++found;
      if (found == std::size(kParts)) {
        position_ = begin;
        return Unexpected("a part of the layout (D T L # * E S SC P M PAD) or '}'");
      }
      if (found < next) ReportOrder(begin, word, kParts[next - 1].word);
      if (found + 1 > next) next = found + 1;
      if (!(this->*kParts[found].read)(extras)) return false;
    }
    return true;
  }

  // A tile without `T` is read as one with it.
  std::string_view ReadPartWord() {
    if (Sees('(')) return "T";
    const size_t begin = position_;
    if (Peek() == '#' || Peek() == '*') {
      ++position_;
    } else {
      while (IsLetter(Peek())) ++position_;
    }
    return text_.substr(begin, position_ - begin);
  }

  void ReportOrder(size_t begin, std::string_view word, std::string_view last) {
    Fault(begin, position_,
          word == last ? fmt::format("layout part '{}' is given twice", word)
                       : fmt::format("layout part '{}' cannot follow '{}': the order is D T L # * "
                                     "E S SC P M PAD",
                                     word, last));
  }

  // Old sparse-array notation: D (dense), C (compressed), S (singleton), H (loose compressed) per
  // dimension, with `+` and `~` for not unique and not ordered.
  bool ReadLevelTypes(LayoutExtras*) {
    const size_t begin = position_;
    if (!Expect('(', "before the dimension level types")) return false;
    size_t count = 0;
    do {
      SkipSpace();
      const char letter = Peek();
      const bool is_known = letter == 'D' || letter == 'C' || letter == 'S' || letter == 'H';
      if (!is_known || IsLetter(Peek(1)))
        return ReportSeen("expected a DimLevelType abbreviation (D, C, S or H)");
      ++position_;
      ++count;
      Take('+');
      Take('~');
    } while (Take(','));
    if (!Expect(')', "after the dimension level types")) return false;
    if (count != rank_) {
      Fault(begin, position_,
            fmt::format("Dimensions size is {}, but dim level types size is {}.", rank_, count));
    }
    return true;
  }

  bool ReadTiles(LayoutExtras* extras) {
    if (!Sees('(')) return Unexpected("'(' before a tile");
    extras->tiles.reserve(2);  // rarely more
    while (Sees('(')) {
      if (!ReadTile(extras)) return false;
    }
    return true;
  }

  bool ReadTile(LayoutExtras* extras) {
    const size_t begin = position_;
    ++position_;
    Tile tile;
    size_t last = position_;
    if (Take(')')) {
      Fault(begin, position_, "layout has invalid tiles: a tile has no sizes");
      return true;
    }
    do {
      SkipSpace();
      last = position_;
      int64_t size = Tile::kCombine;
      if (text_.substr(position_, kPrintedStar.size()) == kPrintedStar) {
        position_ += kPrintedStar.size();
        ReportOtherStar(last);
      } else if (!Take('*')) {
        if (!ReadInteger(&size, "a tile size")) return false;
        if (size == Tile::kCombine) {
          ReportOtherStar(last);
        } else if (size < 1) {
          Fault(last, position_,
                fmt::format("layout has invalid tiles: {} is no tile size (1 or more, or '*')",
                            size));
        }
      }
      tile.dims.push_back(size);
    } while (Take(','));
    if (text_[last] == '*') {
      Fault(last, last + 1,
            "layout has invalid tiles: '*' as the last entry has no more minor dimension to "
            "combine with");
    }
    extras->tiles.push_back(std::move(tile));
    return Expect(')', "after a tile");
  }

  // The text from `begin` to the cursor is another spelling of the star, as documents have it.
  void ReportOtherStar(size_t begin) {
    ok_ = false;
    const Range range = RangeOf(begin, position_);
    diagnostics_
        .Report(DiagCode::kLayoutInvalid, range,
                fmt::format("layout has invalid tiles: the star of a tile is '*', not '{}'",
                            text_.substr(begin, position_ - begin)))
        .fixes.push_back({"write '*'", range, "*"});
  }

  bool ReadTailAlignment(LayoutExtras* extras) {
    return ReadParenthesised(1, "tail padding alignment", &extras->tail_alignment);
  }

  bool ReadTypeWord(std::string_view what, std::string* type) {
    if (!Expect('(', fmt::format("before the {} type", what))) return false;
    SkipSpace();
    const size_t begin = position_;
    while (IsLetter(Peek()) || IsDigit(Peek())) ++position_;
    const std::string_view word = text_.substr(begin, position_ - begin);
    if (word.empty()) return Unexpected(fmt::format("the {} type", what));
    if (word.size() > 16 || word[0] != 'u' || word.size() == 1 || !IsDigit(word[1])) {
      Fault(begin, position_,
            fmt::format("the {} type must be an unsigned integer type, not {}", what,
                        word.substr(0, 32)));
    }
    type->assign(word);
    return Expect(')', fmt::format("after the {} type", what));
  }
  bool ReadIndexType(LayoutExtras* extras) { return ReadTypeWord("index", &extras->index_type); }
  bool ReadPointerType(LayoutExtras* extras) {
    return ReadTypeWord("pointer", &extras->pointer_type);
  }

  bool ReadElementBits(LayoutExtras* extras) {
    return ReadParenthesised(0, "element size in bits", &extras->element_bits);
  }

  bool ReadMemorySpace(LayoutExtras* extras) {
    return ReadParenthesised(std::numeric_limits<int64_t>::min(), "memory space",
                             &extras->memory_space);
  }

  bool ReadSplits(LayoutExtras* extras) {
    if (!Sees('(')) return Unexpected("'(' before a split");
    while (Take('(')) {
      SplitConfig split;
      if (!ReadInteger(&split.dim, "the physical dimension of a split")) return false;
      NotePlace(&LayoutPlaces::splits);
      if (!Expect(':', "after the physical dimension of a split") ||
          !ReadIntegers(&split.indices, "a split index", &LayoutPlaces::splits) ||
          !Expect(')', "after a split")) {
        return false;
      }
      extras->splits.push_back(std::move(split));
      SkipSpace();
    }
    return true;
  }

  // The text between the parentheses, verbatim; no array may have it in XLA.
  bool ReadPhysicalShape(LayoutExtras* extras) {
    if (!Expect('(', "before the physical shape")) return false;
    const size_t begin = position_;
    const size_t limit = Limit();
    for (int64_t depth = 1; position_ < limit; ++position_) {
      if (Peek() == '(') ++depth;
      if (Peek() == ')' && --depth == 0) break;
    }
    extras->physical_shape.assign(text_.substr(begin, position_ - begin));
    if (position_ < text_.size() && extras->physical_shape.empty()) {
      Fault(begin - 1, position_ + 1, "the physical shape is empty");
    }
    return Expect(')', "after the physical shape");
  }

  bool ReadMetadataPrefix(LayoutExtras* extras) {
    return ReadParenthesised(0, "metadata prefix bytes", &extras->metadata_prefix);
  }

  bool ReadPadding(LayoutExtras* extras) {
    if (!Expect('(', "before the padded dimensions")) return false;
    if (!Sees(';') && !Sees(')') &&
        !ReadIntegers(&extras->padded_dimensions, "a padded size", &LayoutPlaces::padded_dims,
                      &LayoutPlaces::padding)) {
      return false;
    }
    if (!Take(';')) return Expect(')', "after the padded dimensions");
    SkipSpace();
    const size_t begin = position_;
    while (IsLetter(Peek()) || IsDigit(Peek()) || Peek() == '.' || Peek() == '-' || Peek() == '+') {
      ++position_;
    }
    const std::string_view value = text_.substr(begin, position_ - begin);
    if (value.empty()) return Unexpected("a padding value");
    if (value.size() > kLongestPaddingValue) {
      Fault(begin, position_,
            fmt::format("a padding value has at most {} characters", kLongestPaddingValue));
    }
    extras->padding_value.assign(value.substr(0, kLongestPaddingValue));
    if (places_ != nullptr) places_->padding_value = RangeOf(begin, position_);
    return Expect(')', "after the padding value");
  }

  // So that a text of many faulty layouts takes linear time.
  size_t Limit() const { return std::min(text_.size(), position_ + kLongestSearch); }

  // Past the next `}` of this line, or to the end of the line.
  void SkipToEnd() {
    const size_t limit = Limit();
    while (position_ < limit && Peek() != '\n' && Peek() != '\r') {
      if (text_[position_++] == '}') return;
    }
  }

  std::string_view text_;
  size_t position_ = 0;
  uint32_t base_offset_;
  Diagnostics& diagnostics_;
  LayoutPlaces* places_;
  Range last_integer_;
  size_t rank_ = 0;
  bool ok_ = true;
};

const LayoutReader::Part LayoutReader::kParts[11] = {
    {"D", &LayoutReader::ReadLevelTypes},    {"T", &LayoutReader::ReadTiles},
    {"L", &LayoutReader::ReadTailAlignment}, {"#", &LayoutReader::ReadIndexType},
    {"*", &LayoutReader::ReadPointerType},   {"E", &LayoutReader::ReadElementBits},
    {"S", &LayoutReader::ReadMemorySpace},   {"SC", &LayoutReader::ReadSplits},
    {"P", &LayoutReader::ReadPhysicalShape}, {"M", &LayoutReader::ReadMetadataPrefix},
    {"PAD", &LayoutReader::ReadPadding}};

// `{2,1,0}` without anything else: nearly every layout there is, read without allocating. False
// when the text is of another form.
bool ReadPlainLayout(std::string_view text, LayoutParse* result) {
  Dims order;
  for (size_t i = 1; i + 1 < text.size(); i += 2) {
    if (!IsDigit(text[i])) return false;
    order.push_back(text[i] - '0');
    if (text[i + 1] == '}') {
      result->layout = Layout(std::move(order));
      result->consumed = static_cast<uint32_t>(i + 2);
      result->ok = true;
      return true;
    }
    if (text[i + 1] != ',') return false;
  }
  return false;
}

}  // namespace

LayoutParse ParseLayout(std::string_view text, uint32_t base_offset, Diagnostics& diagnostics) {
  LayoutParse result;
  if (!text.empty() && text[0] == '{' && ReadPlainLayout(text, &result)) return result;
  return LayoutReader(text, base_offset, diagnostics).Read();
}

LayoutPlaces PlacesOf(std::string_view text, uint32_t base_offset) {
  LayoutPlaces places;
  Diagnostics unused;
  LayoutReader(text, base_offset, unused, &places).Read();
  return places;
}

}  // namespace hlo
