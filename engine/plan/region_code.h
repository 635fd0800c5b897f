// Machine code for parts of a region program: what a platform that can make code provides.
#ifndef HLO_ENGINE_PLAN_REGION_CODE_H_
#define HLO_ENGINE_PLAN_REGION_CODE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/budget.h"
#include "engine/plan/flow.h"
#include "engine/plan/region_steps.h"

namespace hlo {

/// Runs a part of a program on the lanes [first, first + count) of its scalars. places[id]: where
/// the lanes of a scalar are. Loops count their operations as steps of the budget, and throw what
/// that throws.
using CodeFunction = void (*)(int32_t first, int32_t count, std::byte* const* places,
                              Budget* budget);

/// The steps [begin, end) of a program as one function.
struct CodeSegment {
  size_t begin = 0;
  size_t end = 0;
  CodeFunction run = nullptr;
};

/// Code of a program; it is there for as long as this is.
class RegionCode {
 public:
  virtual ~RegionCode() = default;
  /// In order, none inside another. What they write is what a step outside of them reads, or a
  /// result.
  virtual const std::vector<CodeSegment>& segments() const = 0;
};

/// What the function of a flow (plan/flow.h), which ignores `first` and `count`, finds at its
/// places. It runs the loop from its state at a head on, and returns at one: when the loop has
/// ended, or after about a tenth of a millisecond.
struct FlowPlaces {
  enum : int32_t {
    kScalars,  ///< the scalars of the state, kScalarBytes for each value of the state
    kNumbers,  ///< NumbersOf, each as large as a RegionConstant's value
    kControl,  ///< FlowControl
    kFirst,    ///< the constants; then the buffers, whose order changes while it runs
  };
  static constexpr size_t kScalarBytes = 8;
  static int32_t FirstBuffer(const Flow& flow) {
    return kFirst + static_cast<int32_t>(flow.constants.size());
  }
};
/// Numbers of 32 bits.
struct FlowControl {
  enum : int32_t {
    kSteps,       ///< is set: the instructions executed, besides those reported to the budget
    kIsDone,      ///< is set: whether the loop has ended
    kExecutions,  ///< by island, if constants make a difference: how often it was executed, or 2
  };
};

/// Code of a flow; it is there for as long as this is.
class FlowCode {
 public:
  virtual ~FlowCode() = default;
  virtual CodeFunction run() const = 0;
  /// Bytes of the buffers that the function needs; the first are those of the arrays of the state.
  virtual const std::vector<int64_t>& buffers() const = 0;
};

/// Makes code while a program runs.
class RegionCodeMaker {
 public:
  virtual ~RegionCodeMaker() = default;
  /// Null where there is no code to gain anything from, or the platform refuses to take it.
  virtual std::shared_ptr<const RegionCode> Make(const RegionSteps& steps) = 0;
  /// The same of a whole loop.
  virtual std::shared_ptr<const FlowCode> MakeFlow(const Flow& flow) = 0;
  /// A program that has executed so many operations is worth the time that making code takes.
  virtual int64_t worthwhile() const = 0;
};

/// What makes code on this platform; null where nothing does, as natively. Results are the same.
RegionCodeMaker* TheRegionCodeMaker();
/// To be called before anything runs. `maker` stays for good.
void SetRegionCodeMaker(RegionCodeMaker* maker);

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_REGION_CODE_H_
