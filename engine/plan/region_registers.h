// Where the scalars of a compiled region are kept while it runs. Used by region_program.cc.
#ifndef HLO_ENGINE_PLAN_REGION_REGISTERS_H_
#define HLO_ENGINE_PLAN_REGION_REGISTERS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/plan/region_steps.h"

namespace hlo {

/// Gives every constant and every step's result a place in one buffer; a place is used again when
/// the scalar in it has had its last use, and by the very step that reads it, in place. What comes
/// into a loop from before it stays to the loop's end.
class RegionRegisters {
 public:
  /// For parameters, which have no place.
  static constexpr size_t kNone = ~size_t{0};

  explicit RegionRegisters(const RegionSteps& program);

  /// Offset of the scalar's register in bytes.
  size_t offset(size_t id) const { return offsets_[id]; }
  size_t total_bytes() const { return total_; }

 private:
  void FindUses();
  void ExtendOverLoops();
  void ExtendOverPasses();
  void Allocate();
  bool MixesRows(const RegionStep& step) const;
  size_t Take(int32_t width);
  void Release(size_t id);
  std::vector<size_t>& FreeOf(int32_t width);

  const RegionSteps& program_;
  std::vector<size_t> offsets_;
  std::vector<int32_t> widths_;
  std::vector<size_t> first_;  // the step that computes a scalar first
  std::vector<size_t> last_;   // the step at which its place is free again
  std::vector<size_t> free_[5];
  size_t total_ = 0;
};

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_REGION_REGISTERS_H_
