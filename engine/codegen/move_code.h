// Addresses, loops over them, and copies between views, as code.
#ifndef HLO_ENGINE_CODEGEN_MOVE_CODE_H_
#define HLO_ENGINE_CODEGEN_MOVE_CODE_H_

#include <cstdint>
#include <span>

#include "engine/base/small_vector.h"
#include "engine/codegen/code_function.h"
#include "engine/codegen/function_writer.h"
#include "engine/codegen/lane_code.h"
#include "engine/kernels/move_view.h"

namespace hlo {

/// An address in a local, and by how many bytes each of the loops around advances it.
struct Walk {
  uint32_t address = 0;
  Dims steps;
};

class MoveCode {
 public:
  /// The writer must outlive it.
  explicit MoveCode(FunctionWriter* writer) : writer_(*writer) {}

  /// An i32 local of its own with this number, or with the sum of another one and a number.
  uint32_t Number(int32_t value);
  uint32_t Sum(uint32_t local, int64_t bytes);
  /// Adds to an address, which may go below 0 and comes back.
  void Advance(uint32_t address, int64_t bytes) {
    writer_.Increase(address, static_cast<int32_t>(bytes));
  }
  void Add(uint32_t address, uint32_t other);
  void Copy(uint32_t to, uint32_t from);

  /// Writes `body` once for each index of so many loops, outermost first. Afterwards the addresses
  /// are as before.
  template <typename Body>
  void Nest(std::span<const int64_t> counts, std::span<const Walk> walks, Body body) {
    for (int64_t count : counts) {
      if (count == 0) return;
    }
    NestFrom(0, counts, walks, body);
  }

  /// `body` so many times, 1 or more.
  template <typename Body>
  void Repeat(int64_t count, Body body) {
    if (count == 1) return body();
    const uint32_t next = Number(0);
    WriteDoWhile(
        next, 1, [&] { writer_.I32(static_cast<int32_t>(count)); }, body, &writer_);
  }

  /// Copies one view to another one of the same dimensions; elements have `width` bytes. The views
  /// lie over the addresses in two locals.
  void CopyView(uint32_t from, const StridedView& in, uint32_t to, const StridedView& out,
                int width);

  /// A start index of one lane, a signed number of 64 bits, brought into [0, last].
  static LaneValue Clamped(LaneValue index, int64_t last, LaneCode* one);
  /// Whether it is there already.
  static LaneValue IsInside(LaneValue index, int64_t last, LaneCode* one);
  /// Adds so many bytes, as often as a number of 64 bits says, to an address.
  void AddSteps(LaneValue number, int64_t bytes, uint32_t address, LaneCode* one);

 private:
  template <typename Body>
  void NestFrom(size_t depth, std::span<const int64_t> counts, std::span<const Walk> walks,
                Body& body) {
    if (depth == counts.size()) return body();
    Repeat(counts[depth], [&] {
      NestFrom(depth + 1, counts, walks, body);
      if (counts[depth] == 1) return;
      for (const Walk& walk : walks) Advance(walk.address, walk.steps[depth]);
    });
    if (counts[depth] == 1) return;
    for (const Walk& walk : walks) Advance(walk.address, -counts[depth] * walk.steps[depth]);
  }
  void CopyElement(uint32_t from, uint32_t to, int width);

  FunctionWriter& writer_;
};

/// Strides as bytes.
Dims Bytes(const Dims& strides, int width);
/// Drops loops of one iteration, and joins those that together advance every view like one.
void MergeLoops(Dims* counts, std::span<Dims* const> strides);

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_MOVE_CODE_H_
