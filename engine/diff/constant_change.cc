#include "engine/diff/constant_change.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>

#include "engine/base/indices.h"

namespace hlo {
namespace {

// Longer values are not quoted: elements, and bytes of text.
constexpr int64_t kQuotedElements = 8;
constexpr size_t kQuotedBytes = 60;

std::optional<std::string> Short(const ShapedLiteral& literal) {
  if (literal.literal.elided) return "{...}";
  std::string text =
      LiteralText(literal.literal.value, literal.shape, {.max_elements = kQuotedElements});
  if (text.size() > kQuotedBytes || text.find("...") != std::string::npos) return std::nullopt;
  return text;
}

// The elements of an array, where all of them are there.
const Tensor* ElementsOf(const ShapedLiteral& literal) {
  const Value& value = literal.literal.value;
  if (literal.literal.elided || !value.is_array() || !value.tensor().HoldsElements())
    return nullptr;
  const Tensor& array = value.tensor();
  const bool is_whole = array.dims() == literal.shape.dims() && array.dynamic_sizes().empty();
  return is_whole ? &array : nullptr;
}

std::string ElementChange(const Tensor& before, const Tensor& after) {
  const auto size = static_cast<size_t>(BytesOf(after.element_type()));
  int64_t differing = 0, first = 0;
  for (int64_t i = after.element_count(); i-- > 0;) {
    const size_t at = static_cast<size_t>(i) * size;
    if (std::memcmp(before.bytes() + at, after.bytes() + at, size) == 0) continue;
    ++differing;
    first = i;
  }
  if (differing == 0) return "another value";
  std::string is, was;
  AppendElement(after, first, &is);
  AppendElement(before, first, &was);
  return fmt::format("{} of {} elements differ, the first at [{}]: {}, was {}", differing,
                     after.element_count(), fmt::join(Unravel(first, after.dims()), ","), is, was);
}

}  // namespace

std::string ConstantChange(const ShapedLiteral& before, const ShapedLiteral& after) {
  const std::optional<std::string> was = Short(before), is = Short(after);
  if (was && is && *was != *is) return fmt::format("value is {}, was {}", *is, *was);
  const Tensor* const old = ElementsOf(before);
  const Tensor* const now = ElementsOf(after);
  const bool compare = old && now && old->element_type() == now->element_type() &&
                       old->dims() == now->dims() && now->element_count() > 0;
  return compare ? ElementChange(*old, *now) : "another value";
}

}  // namespace hlo
