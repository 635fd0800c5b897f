#include "engine/layout/strides_layout.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace hlo {
namespace {

struct Numbers {
  std::vector<int64_t> values;
  std::vector<Range> ranges;
  Range range;
  bool given = false;
};

constexpr size_t kMostNumbers = 64;

// `(8,128)`, `[8,128]`, `(8,)`, `8`.
bool ReadNumbers(Cursor& in, std::string_view what, bool is_signed, Numbers* numbers) {
  in.SkipSpace();
  const size_t begin = in.position();
  if (numbers->given) return in.Fault(fmt::format("{} is given twice", what));
  numbers->given = true;
  const char close = in.Take('(') ? ')' : in.Take('[') ? ']' : '\0';
  while (close == '\0' || !in.Take(close)) {
    if (numbers->values.size() == kMostNumbers) {
      return in.Fault(fmt::format("more than {} dimensions", kMostNumbers));
    }
    int64_t value = 0;
    Range range;
    if (!in.Integer(&value, what, &range, is_signed)) return false;
    numbers->values.push_back(value);
    numbers->ranges.push_back(range);
    if (close == '\0') break;
    if (in.Take(',')) continue;
    if (!in.Expect(close, "after the list")) return false;
    break;
  }
  numbers->range = in.RangeFrom(begin);
  return true;
}

// Bytes into elements.
bool Divide(Cursor& in, Numbers* numbers, int64_t element_bits) {
  for (size_t i = 0; i < numbers->values.size(); ++i) {
    int64_t& value = numbers->values[i];
    const int64_t bytes = element_bits / 8;
    if (element_bits % 8 != 0 || value % bytes != 0) {
      return in.FaultAt(numbers->ranges[i], fmt::format("{} bytes are no whole number of elements "
                                                        "of {} bits",
                                                        value, element_bits));
    }
    value /= bytes;
  }
  return true;
}

struct Item {
  std::string_view word;
  int list;  // 0 strides, 1 offset, 2 shape
  bool in_bytes;
};
// Longer words come before what they begin with.
constexpr Item kItems[] = {
    {"strides_bytes", 0, true}, {"byte_strides", 0, true}, {"strides", 0, false},
    {"stride", 0, false},       {"byte_offset", 1, true},  {"storage_offset", 1, false},
    {"offset", 1, false},       {"shape", 2, false},
};

// The list whose word follows; without a word, the strides.
bool ReadItem(Cursor& in, Item* item) {
  *item = {"", 0, false};
  for (const Item& candidate : kItems) {
    if (!in.Take(candidate.word)) continue;
    *item = candidate;
    return in.Take('=') || in.Expect(':', "or '=' after the word");
  }
  in.SkipSpace();
  return in.Peek() == '(' || in.Peek() == '[' ||
         in.Fault("expected strides=(...), offset=..., or byte_strides=(...)");
}

}  // namespace

std::optional<StridedMap::Parts> ParseStrides(Cursor& in, const std::optional<Dims>& dims,
                                              int64_t element_bits) {
  Numbers lists[3];
  constexpr std::string_view kNames[] = {"a stride", "an offset", "a size"};
  for (in.SkipSpace(); !in.AtEnd(); in.SkipSpace()) {
    Item item;
    if (!ReadItem(in, &item)) return std::nullopt;
    Numbers& numbers = lists[item.list];
    if (!ReadNumbers(in, kNames[item.list], item.list != 2, &numbers)) return std::nullopt;
    if (item.in_bytes && !Divide(in, &numbers, element_bits)) return std::nullopt;
    in.Take(',');
  }
  const Numbers& strides = lists[0];
  const Numbers& offset = lists[1];
  StridedMap::Parts parts;
  parts.range = in.WholeRange();
  if (dims) parts.dims = *dims;
  if (lists[2].given) {
    if (dims) {
      in.FaultAt(lists[2].range, "the sizes stand in front already");
      return std::nullopt;
    }
    parts.dims.assign(lists[2].values.begin(), lists[2].values.end());
  } else if (!dims) {
    in.FaultAt(parts.range, "expected the sizes: f32[8,128] in front, or shape=(8,128)");
    return std::nullopt;
  }
  if (!strides.given) {
    in.Fault("expected strides=(...)");
    return std::nullopt;
  }
  if (strides.values.size() != parts.dims.size()) {
    in.FaultAt(strides.range, fmt::format("{} strides for an array of rank {}",
                                          strides.values.size(), parts.dims.size()));
    return std::nullopt;
  }
  if (offset.given && offset.values.size() != 1) {
    in.FaultAt(offset.range, "an offset is one number");
    return std::nullopt;
  }
  if (offset.given) {
    parts.base = offset.values[0];
    parts.base_range = offset.range;
  }
  for (size_t i = 0; i < parts.dims.size(); ++i) {
    parts.modes.push_back(
        {{static_cast<int64_t>(i), 1, parts.dims[i], strides.values[i]}, strides.ranges[i]});
  }
  return parts;
}

std::string StridesText(const DigitForm& modes) {
  std::string text = "(";
  for (const LayoutDigit& digit : modes.digits) {
    if (text.size() > 1) text.push_back(',');
    fmt::format_to(std::back_inserter(text), FMT_STRING("{}"), digit.stride);
  }
  text.push_back(')');
  if (modes.base != 0) fmt::format_to(std::back_inserter(text), " offset={}", modes.base);
  return text;
}

}  // namespace hlo
