// Window checks and the number of window positions; declared in shape_checks.h.
#include <fmt/format.h>

#include <initializer_list>

#include "engine/base/bits.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

/// The sum, if no operand and no intermediate result overflows.
std::optional<int64_t> CheckedSum(std::initializer_list<int64_t> parts) {
  int64_t sum = 0;
  for (int64_t part : parts) {
    if (!AddChecked(sum, part, &sum)) return std::nullopt;
  }
  return sum;
}

/// (size - 1) * dilation + 1, or 0 for size 0.
std::optional<int64_t> Dilated(int64_t size, int64_t dilation) {
  if (size == 0) return 0;
  int64_t span = 0;
  if (!MultiplyChecked(size - 1, dilation, &span)) return std::nullopt;
  return CheckedSum({span, 1});
}

}  // namespace

std::optional<int64_t> WindowOutputSize(int64_t size, const WindowDim& window) {
  if (size == Shape::kUnbounded) return Shape::kUnbounded;
  std::optional<int64_t> base = Dilated(size, window.base_dilation);
  std::optional<int64_t> reach = Dilated(window.size, window.window_dilation);
  if (!base || !reach) return std::nullopt;
  std::optional<int64_t> padded = CheckedSum({*base, window.pad_low, window.pad_high});
  if (!padded) return std::nullopt;
  if (*padded <= 0 || *reach > *padded) return 0;
  return (*padded - *reach) / window.stride + 1;
}

bool CheckWindow(const OpCall& call, const Window& window, int rank, Diagnostics& out) {
  bool ok = true;
  auto fail = [&](const std::string& message) {
    ReportAttr(call, "window", DiagCode::kAttributeValue, message, out);
    ok = false;
  };
  if (static_cast<int>(window.size()) != rank) {
    fail(fmt::format("Window has dimension {} but base shape has dimension {}.", window.size(),
                     rank));
    return false;
  }
  for (size_t d = 0; d < window.size(); ++d) {
    const WindowDim& w = window[d];
    if (w.size <= 0) {
      fail(fmt::format("Window has a non-positive dimension: size {} in dimension {}", w.size, d));
    }
    if (w.stride <= 0) {
      fail(fmt::format("Window has a non-positive stride: {} in dimension {}", w.stride, d));
    }
    if (w.base_dilation <= 0) {
      fail(fmt::format("Window has a non-positive base area dilation factor: {} in dimension {}",
                       w.base_dilation, d));
    }
    if (w.window_dilation <= 0) {
      fail(fmt::format("Window has a non-positive window dilation factor: {} in dimension {}",
                       w.window_dilation, d));
    }
  }
  return ok;
}

std::optional<Shape> WindowOutputShape(const OpCall& call, const Shape& operand,
                                       const Window& window, ElementType type, Diagnostics& out) {
  if (!CheckWindow(call, window, operand.rank(), out)) return std::nullopt;
  Dims dims;
  for (int d = 0; d < operand.rank(); ++d) {
    std::optional<int64_t> size = WindowOutputSize(operand.dim(d), window[static_cast<size_t>(d)]);
    if (!size) {
      ReportAttr(call, "window", DiagCode::kShapeInvalid,
                 fmt::format("the padded size of dimension {} does not fit 64 bits", d), out);
      return std::nullopt;
    }
    dims.push_back(*size);
  }
  std::optional<Shape> result = CheckedArray(call, type, dims, out);
  for (int d = 0; result && d < operand.rank(); ++d) result->set_dynamic(d, operand.is_dynamic(d));
  return result;
}

}  // namespace hlo
