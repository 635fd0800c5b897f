#include "engine/ops/movement/relayout_copy.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "engine/kernels/move_copy.h"
#include "engine/kernels/move_elements.h"
#include "engine/kernels/move_loops.h"
#include "engine/layout/relayout.h"

namespace hlo {
namespace {

constexpr int64_t kRelayoutBlock = 1024;

// Copies `count` bits, low bits of each byte first; the target's remaining bits, up to `room`,
// become 0.
void CopyBits(const std::byte* from, int64_t from_bit, std::byte* to, int64_t to_bit, int64_t count,
              int64_t room) {
  if (from_bit % 8 == 0 && to_bit % 8 == 0 && count % 8 == 0 && room == count) {
    std::memcpy(to + to_bit / 8, from + from_bit / 8, static_cast<size_t>(count / 8));
    return;
  }
  for (int64_t i = 0; i < room; ++i) {
    const int64_t source = from_bit + i;
    const int64_t target = to_bit + i;
    const std::byte bit =
        i < count ? (from[source / 8] >> (source % 8)) & std::byte{1} : std::byte{0};
    const std::byte mask = std::byte{1} << (target % 8);
    to[target / 8] = (to[target / 8] & ~mask) | (bit << (target % 8));
  }
}

// The element width in bytes if there is a kernel for it; otherwise 0.
int KernelWidth(int64_t bits) {
  for (int width : {1, 2, 4, 8, 16}) {
    if (bits == 8 * width) return width;
  }
  return 0;
}

// For any two maps and widths: computes addresses one by one, a run of the last dimension at a
// time.
void CopyByElement(const LayoutMap& from, const std::byte* source, const LayoutMap& to,
                   std::byte* target, Budget* budget) {
  const int64_t from_bits = from.element_bits();
  const int64_t to_bits = to.element_bits();
  const int width = from_bits == to_bits ? KernelWidth(from_bits) : 0;
  const Dims& dims = from.dims();
  const int last = from.rank() - 1;
  const int64_t length = last < 0 ? 1 : dims[static_cast<size_t>(last)];
  int64_t sources[kRelayoutBlock];
  int64_t targets[kRelayoutBlock];
  alignas(16) std::byte block[kRelayoutBlock * 16];
  Dims index(dims.size());
  int64_t next_poll = 0;
  for (int64_t done = 0; done < from.element_count();) {
    const int64_t at = last < 0 ? 0 : index[static_cast<size_t>(last)];
    const int64_t n = std::min(kRelayoutBlock, length - at);
    if (last < 0) {
      sources[0] = from.OffsetOf(index);
      targets[0] = to.OffsetOf(index);
    } else {
      from.OffsetsAlong(index, last, {sources, static_cast<size_t>(n)});
      to.OffsetsAlong(index, last, {targets, static_cast<size_t>(n)});
    }
    if (width > 0) {
      CollectElements(width, source, sources, n, block);
      PlaceElements(width, block, targets, n, target);
    } else {
      for (int64_t i = 0; i < n; ++i) {
        CopyBits(source, sources[i] * from_bits, target, targets[i] * to_bits,
                 std::min(from_bits, to_bits), to_bits);
      }
    }
    done += n;
    if (last >= 0) index[static_cast<size_t>(last)] += n;
    for (size_t d = dims.size(); d-- > 1 && index[d] == dims[d];) {
      index[d] = 0;
      ++index[d - 1];
    }
    if (done >= next_poll) {
      budget->Poll();
      next_poll = done + kPollElements;
    }
  }
}

}  // namespace

void CopyRelayout(const LayoutMap& from, const std::byte* source, const LayoutMap& to,
                  std::byte* target, Budget* budget) {
  const Relayout plan = PlanRelayout(from, to);
  const int width = KernelWidth(from.element_bits());
  if (from.element_count() == 0) return;
  if (plan.by_element || width == 0 || from.element_bits() != to.element_bits()) {
    CopyByElement(from, source, to, target, budget);
    return;
  }
  for (const RelayoutBox& box : plan.boxes) {
    CopyView(width, source, {box.counts, box.from_steps, box.from}, target,
             {box.counts, box.to_steps, box.to}, budget);
  }
}

}  // namespace hlo
