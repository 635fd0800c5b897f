#include "engine/codegen/row_places.h"

#include <algorithm>

#include "engine/codegen/code_function.h"

namespace hlo {

RowPlaces::RowPlaces(const RegionSteps* program, const RowPasses* passes, FunctionWriter* writer)
    : program_(*program), passes_(*passes), writer_(*writer) {
  for (size_t i = 0; i < program_.parameters.size(); ++i) {
    Add(static_cast<int32_t>(i), program_.parameters[i]);
  }
  for (const RegionConstant& constant : program_.constants) Add(constant.id, constant.type);
  for (const RegionScalar& result : program_.results) Add(result.id, result.type);
  for (const RegionStep& step : program_.steps) {
    if (!passes_.is_kept[static_cast<size_t>(step.result)] || Has(step.result)) continue;
    Add(step.result, step.loop.result);
    places_.at(step.result).is_of_row = true;
  }
  for (const int32_t id : program_.row_parameters) places_.at(id).is_of_row = true;
  for (auto& [id, place] : places_) {
    place.here = place.before = place.first;
    if (program_.IsRow(id)) continue;
    place.before = writer_.NewLocal(CodeType::kI32);
    if (place.is_of_row) {
      place.here = place.before;
      continue;
    }
    writer_.Get(place.first);
    writer_.I32(RowBytes(place));
    writer_.Write(Code::kI32Sub);
    writer_.Set(place.before);
  }
}

std::vector<int32_t> RowPlaces::Scalars() const {
  std::vector<int32_t> scalars;
  for (const auto& [id, place] : places_) scalars.push_back(id);
  return scalars;
}

void RowPlaces::Add(int32_t scalar, ElementType type) {
  if (Has(scalar)) return;
  places_.emplace(scalar, Place{type, PlaceOf(scalar, &writer_), 0, 0});
}

int32_t RowPlaces::RowBytes(const Place& place) const {
  return static_cast<int32_t>(program_.row_length) * BytesOf(place.type);
}

void RowPlaces::EnterRow(uint32_t row) {
  for (const auto& [id, place] : places_) {
    if (!place.is_of_row) continue;
    writer_.Get(place.first);
    writer_.Get(row);
    writer_.I32(RowBytes(place));
    writer_.Write(Code::kI32Mul);
    writer_.Write(Code::kI32Sub);
    writer_.Set(place.here);
  }
}

uint32_t RowPlaces::ElementAt(int32_t scalar, uint32_t element, bool is_before) {
  const Place& place = places_.at(scalar);
  return ElementAddress(is_before ? place.before : place.here, element, BytesOf(place.type),
                        &writer_);
}

}  // namespace hlo
