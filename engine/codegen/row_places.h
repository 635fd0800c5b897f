// Where the function of a program with rows (row_code.h) finds scalars in memory.
#ifndef HLO_ENGINE_CODEGEN_ROW_PLACES_H_
#define HLO_ENGINE_CODEGEN_ROW_PLACES_H_

#include <cstdint>
#include <map>
#include <vector>

#include "engine/codegen/function_writer.h"
#include "engine/plan/region_steps.h"
#include "engine/plan/row_passes.h"

namespace hlo {

/// The arrays of scalars have an element for every element or row of the function's call, but for
/// those of one row: what a pass keeps for the next ones, and what is the same in every row.
class RowPlaces {
 public:
  /// The pointers must outlive it.
  RowPlaces(const RegionSteps* program, const RowPasses* passes, FunctionWriter* writer);

  /// Of everything that is in memory: parameters, constants, results and what is kept.
  bool Has(int32_t scalar) const { return places_.contains(scalar); }
  /// All scalars that are in memory, in order.
  std::vector<int32_t> Scalars() const;
  /// An i32 local with the address of the first element.
  uint32_t Of(int32_t scalar) const { return places_.at(scalar).first; }
  ElementType TypeOf(int32_t scalar) const { return places_.at(scalar).type; }

  /// Writes what has to be known of a row, whose number is in a local, before its elements.
  void EnterRow(uint32_t row);
  /// An i32 local with the address of the element whose number is in a local, or of the one at the
  /// same place of the row before.
  uint32_t ElementAt(int32_t scalar, uint32_t element, bool is_before = false);

 private:
  struct Place {
    ElementType type;
    uint32_t first;   // address of the array
    uint32_t here;    // address to which the elements of the row are numbered
    uint32_t before;  // the same for the row before
    bool is_of_row = false;
  };
  void Add(int32_t scalar, ElementType type);
  int32_t RowBytes(const Place& place) const;

  const RegionSteps& program_;
  const RowPasses& passes_;
  FunctionWriter& writer_;
  std::map<int32_t, Place> places_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_ROW_PLACES_H_
