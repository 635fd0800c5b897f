#include "engine/cost/region_work.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "engine/cost/contraction_work.h"

namespace hlo {
namespace {

// The first of several arrays that are reduced together.
const Shape& FirstArray(const Shape& shape) {
  return shape.IsTuple() && !shape.elements().empty() ? shape.elements()[0] : shape;
}

double WindowElements(const Window& window) {
  double count = 1;
  for (const WindowDim& dim : window) count *= static_cast<double>(dim.size);
  return count;
}

// The dimension over all of which every window reaches, so that every result along it is the same.
std::optional<int> WholeDimension(const Window& window, const Shape& result) {
  std::optional<int> found;
  int padded = 0;
  for (size_t i = 0; i < window.size(); ++i) {
    const WindowDim& dim = window[i];
    if (dim.pad_low != 0 || dim.pad_high != 0) ++padded;
    if (dim.size == 1) continue;
    if (found) return std::nullopt;
    found = static_cast<int>(i);
  }
  if (!found || padded != 1 || !result.IsArray()) return std::nullopt;
  const WindowDim& dim = window[static_cast<size_t>(*found)];
  const bool reaches = dim.pad_low != 0 && dim.pad_low == dim.pad_high &&
                       dim.size == 2 * dim.pad_low + 1 && dim.pad_low == result.dim(*found) - 1;
  return reaches ? found : std::nullopt;
}

}  // namespace

Work MapWork(const CostCall& call) {
  return call.WorkOf("to_apply") * ElementCount(call.call().shape());
}

Work ReduceWork(const CostCall& call) {
  const double applied =
      ElementCount(call.call().operand(0)) - ElementCount(FirstArray(call.call().shape()));
  return call.WorkOf("to_apply") * std::max(0.0, applied);
}

Work ReduceWindowWork(const CostCall& call) {
  const Window& window = call.call().GetWindow();
  const Shape& result = call.call().shape();
  const double elements = ElementCount(FirstArray(result));
  double applied = elements * (WindowElements(window) - 1);
  if (const auto whole = WholeDimension(window, result)) {
    const double size = static_cast<double>(result.dim(*whole));
    if (size > 0) applied = elements / size + (size - 1);
  }
  return call.WorkOf("to_apply") * std::max(0.0, applied);
}

Work SelectAndScatterWork(const CostCall& call) {
  const double elements = ElementCount(call.call().operand(1));
  const double window = WindowElements(call.call().GetWindow());
  Work work = call.WorkOf("select") * (elements * (window - 1));
  return work += call.WorkOf("scatter") * elements;
}

Work ScatterWork(const CostCall& call) {
  const int first_update = call.call().operand_count() / 2 + 1;
  return call.WorkOf("to_apply") * ElementCount(call.call().operand(first_update));
}

Work ScanWork(const CostCall& call) {
  const OpCall& scan = call.call();
  const Dims& dims = scan.Ints("dimensions");
  const int64_t dim = dims.empty() ? 0 : dims[0];
  // The arrays come before the carries; whichever has the dimension says how long it is.
  if (scan.operand_count() == 0) return {};
  const Shape& array = scan.operand(0);
  const bool has = array.IsArray() && dim >= 0 && dim < array.rank();
  const int64_t steps = has ? std::max<int64_t>(0, array.dim(static_cast<int>(dim))) : 1;
  return call.WorkOf("to_apply") * static_cast<double>(steps);
}

Work SortWork(const CostCall& call) {
  const auto count = static_cast<uint64_t>(ElementCount(call.call().operand(0)));
  if (count < 2) return {};
  return {.flops = static_cast<double>(count) * std::bit_width(count - 1)};
}

}  // namespace hlo
