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
#include "engine/codegen/move_code.h"
#include "engine/kernels/move_view.h"
#include "engine/plan/region_steps.h"
#include "engine/standalone/scalar_functions.h"

namespace hlo {

class StandaloneModule;

class KernelCode : public MoveCode {
 public:
  /// Of so many parameters, which are the locals 0, 1, ...
  explicit KernelCode(uint32_t parameters)
      : MoveCode(&writer_), writer_(parameters), one_(&writer_, 1) {}

  FunctionWriter& writer() { return writer_; }
  /// Code on one number.
  LaneCode& one() { return one_; }

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
  FunctionWriter writer_;
  LaneCode one_;
};

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
