#include "engine/proto/snapshot_values.h"

#include <fmt/format.h>

#include <cstring>
#include <vector>

namespace hlo {
namespace {

// The index of an element in row-major order.
std::string IndexText(const Tensor& tensor, int64_t position) {
  std::vector<int64_t> index(static_cast<size_t>(tensor.rank()));
  for (int i = tensor.rank() - 1; i >= 0; --i) {
    index[static_cast<size_t>(i)] = position % tensor.dim(i);
    position /= tensor.dim(i);
  }
  return fmt::format("{{{}}}", fmt::join(index, ","));
}

void CompareArrays(const Tensor& expected, const Tensor& value, const std::string& path,
                   Differences* out) {
  out->elements += expected.element_count();
  const auto size = static_cast<size_t>(BytesOf(expected.element_type()));
  for (int64_t i = 0; i < expected.element_count(); ++i) {
    const size_t at = static_cast<size_t>(i) * size;
    if (std::memcmp(expected.bytes() + at, value.bytes() + at, size) == 0) continue;
    std::string wanted, got;
    AppendElement(expected, i, &wanted);
    AppendElement(value, i, &got);
    // NaN has many bit patterns.
    const bool both_nan = wanted.find("nan") != std::string::npos && wanted.size() < 32 &&
                          got.find("nan") != std::string::npos && wanted[0] != '(';
    if (both_nan || wanted == got) continue;
    if (out->differing++ > 0) continue;
    out->first = fmt::format("{}{}: {} instead of {}", path, IndexText(expected, i), got, wanted);
  }
}

void Compare(const Value& expected, const Value& value, const std::string& path, Differences* out) {
  if (expected.is_tuple() && value.is_tuple()) {
    for (size_t i = 0; i < expected.elements().size(); ++i) {
      Compare(expected.elements()[i], value.elements()[i], fmt::format("element {}, ", i), out);
    }
  } else if (expected.is_array() && value.is_array()) {
    CompareArrays(expected.tensor(), value.tensor(), path, out);
  }
}

}  // namespace

Differences DifferencesFrom(const ShapedLiteral& expected, const Value& value, const Shape& shape) {
  Differences differences;
  differences.same_shape = Shape::Compatible(expected.shape, shape);
  if (differences.same_shape) Compare(expected.literal.value, value, "", &differences);
  return differences;
}

std::string DifferencesText(const Differences& differences) {
  if (!differences.same_shape) return "the result has another shape than the snapshot's";
  if (differences.differing == 0) return "the result is the snapshot's";
  return fmt::format("{} of {} elements of the result differ from the snapshot's; the first is {}",
                     differences.differing, differences.elements, differences.first);
}

}  // namespace hlo
