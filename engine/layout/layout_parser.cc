#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "engine/base/bits.h"
#include "engine/base/characters.h"
#include "engine/base/text_reader.h"
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
class LayoutReader : TextReader {
 public:
  LayoutReader(std::string_view text, uint32_t base_offset, Diagnostics& diagnostics,
               LayoutPlaces* places = nullptr)
      : TextReader(text, base_offset), diagnostics_(diagnostics), places_(places) {}

  LayoutParse Read() {
    Dims order;
    LayoutExtras extras;
    const bool followed = ReadLayout(&order, &extras);
    LayoutParse result;
    if (!followed) SkipToEnd();
    result.consumed = static_cast<uint32_t>(position());
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

  bool Sees(char c) { return Next() == c && !AtEnd(); }

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
    size_t end = position();
    while (end < text().size() && end - position() < 32 &&
           (IsLetter(text()[end]) || IsDigit(text()[end]))) {
      ++end;
    }
    if (end == position() && end < text().size()) {
      // A character of several bytes is shown whole.
      do ++end;
      while (end < text().size() && end - position() < 4 && (text()[end] & 0xC0) == 0x80);
    }
    const std::string_view seen = text().substr(position(), end - position());
    Fault(position(), end,
          seen.empty() ? fmt::format("{}, but the text ends", complaint)
                       : fmt::format("{}, but sees '{}'", complaint, seen));
    return false;
  }

  bool Expect(char c, std::string_view where) {
    return Take(c) || Unexpected(fmt::format("'{}' {}", c, where));
  }

  bool ReadInteger(int64_t* value, std::string_view what) {
    SkipSpace();
    const size_t begin = position();
    const bool is_negative = Peek() == '-';
    if (!IsDigit(Peek(is_negative ? 1 : 0))) return Unexpected(what);
    if (is_negative) Advance();
    bool fits = true;
    *value = 0;
    for (; IsDigit(Peek()); Advance()) {
      const int64_t digit = is_negative ? '0' - Peek() : Peek() - '0';
      fits = fits && MultiplyChecked(*value, 10, value) && AddChecked(*value, digit, value);
    }
    last_integer_ = RangeFrom(begin);
    if (!fits) {
      *value = 1;  // valid everywhere, so that no further fault follows
      Fault(begin, position(), fmt::format("{} must fit 64 bits", what));
    }
    return true;
  }

  // Records the place of each in a list of places, and that of all in `whole`.
  bool ReadIntegers(Dims* values, std::string_view what, std::vector<Range> LayoutPlaces::*list,
                    Range LayoutPlaces::*whole = nullptr) {
    SkipSpace();
    const size_t begin = position();
    do {
      int64_t value = 0;
      if (!ReadInteger(&value, what)) return false;
      values->push_back(value);
      NotePlace(list);
    } while (Take(','));
    if (places_ != nullptr && whole != nullptr) places_->*whole = RangeFrom(begin);
    return true;
  }
  void NotePlace(std::vector<Range> LayoutPlaces::*list) {
    if (places_ != nullptr) (places_->*list).push_back(last_integer_);
  }

  // `(n)` with n >= least.
  bool ReadParenthesised(int64_t least, std::string_view what, int64_t* value) {
    if (!Take('(')) return Unexpected(fmt::format("'(' before {}", what));
    SkipSpace();
    const size_t begin = position();
    if (!ReadInteger(value, what)) return false;
    if (*value < least) {
      Fault(begin, position(), fmt::format("{} must be at least {}, not {}", what, least, *value));
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
      const size_t begin = position();
      const std::string_view word = ReadPartWord();
      size_t found = 0;
      while (found < std::size(kParts) && kParts[found].word != word) ++found;
      if (found == std::size(kParts)) {
        set_position(begin);
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
    const size_t begin = position();
    if (Peek() == '#' || Peek() == '*') {
      Advance();
    } else {
      while (IsLetter(Peek())) Advance();
    }
    return Since(begin);
  }

  void ReportOrder(size_t begin, std::string_view word, std::string_view last) {
    Fault(begin, position(),
          word == last ? fmt::format("layout part '{}' is given twice", word)
                       : fmt::format("layout part '{}' cannot follow '{}': the order is D T L # * "
                                     "E S SC P M PAD",
                                     word, last));
  }

  // Old sparse-array notation: D (dense), C (compressed), S (singleton), H (loose compressed) per
  // dimension, with `+` and `~` for not unique and not ordered.
  bool ReadLevelTypes(LayoutExtras*) {
    const size_t begin = position();
    if (!Expect('(', "before the dimension level types")) return false;
    size_t count = 0;
    do {
      SkipSpace();
      const char letter = Peek();
      const bool is_known = letter == 'D' || letter == 'C' || letter == 'S' || letter == 'H';
      if (!is_known || IsLetter(Peek(1)))
        return ReportSeen("expected a DimLevelType abbreviation (D, C, S or H)");
      Advance();
      ++count;
      Take('+');
      Take('~');
    } while (Take(','));
    if (!Expect(')', "after the dimension level types")) return false;
    if (count != rank_) {
      Fault(begin, position(),
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
    const size_t begin = position();
    Advance();
    Tile tile;
    size_t last = 0;
    if (Take(')')) {
      Fault(begin, position(), "layout has invalid tiles: a tile has no sizes");
      return true;
    }
    do {
      SkipSpace();
      last = position();
      int64_t size = Tile::kCombine;
      if (TakeHere(kPrintedStar)) {
        ReportOtherStar(last);
      } else if (!Take('*')) {
        if (!ReadInteger(&size, "a tile size")) return false;
        if (size == Tile::kCombine) {
          ReportOtherStar(last);
        } else if (size < 1) {
          Fault(last, position(),
                fmt::format("layout has invalid tiles: {} is no tile size (1 or more, or '*')",
                            size));
        }
      }
      tile.dims.push_back(size);
    } while (Take(','));
    if (text()[last] == '*') {
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
    const Range range = RangeFrom(begin);
    diagnostics_
        .Report(DiagCode::kLayoutInvalid, range,
                fmt::format("layout has invalid tiles: the star of a tile is '*', not '{}'",
                            Since(begin)))
        .fixes.push_back({"write '*'", range, "*"});
  }

  bool ReadTailAlignment(LayoutExtras* extras) {
    return ReadParenthesised(1, "tail padding alignment", &extras->tail_alignment);
  }

  bool ReadTypeWord(std::string_view what, std::string* type) {
    if (!Expect('(', fmt::format("before the {} type", what))) return false;
    SkipSpace();
    const size_t begin = position();
    while (IsLetter(Peek()) || IsDigit(Peek())) Advance();
    const std::string_view word = Since(begin);
    if (word.empty()) return Unexpected(fmt::format("the {} type", what));
    if (word.size() > 16 || word[0] != 'u' || word.size() == 1 || !IsDigit(word[1])) {
      Fault(begin, position(),
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
    const size_t begin = position();
    const size_t limit = Limit();
    for (int64_t depth = 1; position() < limit; Advance()) {
      if (Peek() == '(') ++depth;
      if (Peek() == ')' && --depth == 0) break;
    }
    extras->physical_shape.assign(Since(begin));
    if (!AtEnd() && extras->physical_shape.empty()) {
      Fault(begin - 1, position() + 1, "the physical shape is empty");
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
    const size_t begin = position();
    while (IsLetter(Peek()) || IsDigit(Peek()) || Peek() == '.' || Peek() == '-' || Peek() == '+') {
      Advance();
    }
    const std::string_view value = Since(begin);
    if (value.empty()) return Unexpected("a padding value");
    if (value.size() > kLongestPaddingValue) {
      Fault(begin, position(),
            fmt::format("a padding value has at most {} characters", kLongestPaddingValue));
    }
    extras->padding_value.assign(value.substr(0, kLongestPaddingValue));
    if (places_ != nullptr) places_->padding_value = RangeFrom(begin);
    return Expect(')', "after the padding value");
  }

  // So that a text of many faulty layouts takes linear time.
  size_t Limit() const { return std::min(text().size(), position() + kLongestSearch); }

  // Past the next `}` of this line, or to the end of the line.
  void SkipToEnd() {
    const size_t limit = Limit();
    while (position() < limit && Peek() != '\n' && Peek() != '\r') {
      const bool ends = Peek() == '}';
      Advance();
      if (ends) return;
    }
  }

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
