// Machine code for parts of a region program: what a platform that can make code provides.
#ifndef HLO_ENGINE_PLAN_REGION_CODE_H_
#define HLO_ENGINE_PLAN_REGION_CODE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/base/budget.h"
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

/// Makes code while a program runs.
class RegionCodeMaker {
 public:
  virtual ~RegionCodeMaker() = default;
  /// Null where there is no code to gain anything from, or the platform refuses to take it.
  virtual std::shared_ptr<const RegionCode> Make(const RegionSteps& steps) = 0;
  /// A program that has executed so many operations is worth the time that making code takes.
  virtual int64_t worthwhile() const = 0;
};

/// What makes code on this platform; null where nothing does, as natively. Results are the same.
RegionCodeMaker* TheRegionCodeMaker();
/// To be called before anything runs. `maker` stays for good.
void SetRegionCodeMaker(RegionCodeMaker* maker);

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_REGION_CODE_H_
