// Functions of stand-alone modules that are written loop by loop: their parameters are addresses.
#ifndef HLO_ENGINE_STANDALONE_KERNEL_CODE_H_
#define HLO_ENGINE_STANDALONE_KERNEL_CODE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/base/small_vector.h"
#include "engine/codegen/code_function.h"
#include "engine/codegen/complex_code.h"
#include "engine/codegen/lane_code.h"
#include "engine/kernels/move_view.h"
#include "engine/plan/region_steps.h"
#include "engine/standalone/scalar_functions.h"

namespace hlo {

class StandaloneModule;

/// An address in a local, and by how many bytes each of the loops around advances it.
struct Walk {
  uint32_t address = 0;
  Dims steps;
};

class KernelCode {
 public:
  /// Of so many parameters, which are the locals 0, 1, ...
  explicit KernelCode(uint32_t parameters) : writer_(parameters), one_(&writer_, 1) {}

  FunctionWriter& writer() { return writer_; }
  /// Code on one number.
  LaneCode& one() { return one_; }

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
  /// Elements that are the one at an address.
  void Fill(uint32_t from, uint32_t to, int64_t count, int width);

  /// One element of any type: locals for it, from and to an address in a local.
  LanePair New(ElementType type);
  void Assign(const LanePair& to, const LanePair& from);
  LanePair Load(uint32_t address, ElementType type) { return LoadPair(address, type, &one_); }
  void Store(uint32_t address, const LanePair& value, ElementType type) {
    StorePair(address, value, type, &one_);
  }
  /// Ends the run where the predicate does not hold: with this fault (StandaloneModule::Fault),
  /// whose number goes to an address.
  void FailUnless(LaneValue pred, uint32_t fault, uint32_t address);

  /// It as another type, as `convert` has it.
  LaneValue Converted(LaneValue value, ElementType from, ElementType to) {
    return ConvertedPair({value}, from, to, &one_).real;
  }

  /// The function, unless anything has failed or it is too large.
  std::optional<CodeBytes> Finish();

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

  FunctionWriter writer_;
  LaneCode one_;
};

/// Strides as bytes.
Dims Bytes(const Dims& strides, int width);
/// Drops loops of one iteration, and joins those that together advance every view like one.
void MergeLoops(Dims* counts, std::span<Dims* const> strides);

/// A region program within a kernel.
class AppliedRegion {
 public:
  /// The references must outlive it. Its constants are put into the module's data, and read where
  /// it is made. Fails (`code->one().failed()`) where there is no code for a step.
  AppliedRegion(const RegionSteps& program, StandaloneModule* module, KernelCode* code);

  /// Writes the steps on these parameters; gives the results.
  std::vector<LanePair> Apply(std::span<const LanePair> parameters);

 private:
  const RegionSteps& program_;
  KernelCode& code_;
  uint32_t steps_ = 0;  // a counter that nobody reads
  std::vector<LanePair> constants_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_STANDALONE_KERNEL_CODE_H_
