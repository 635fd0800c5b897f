// The signature of a computation of scalars, for tests of ops that apply one.
#ifndef HLO_TESTS_UNIT_SCALAR_REGION_H_
#define HLO_TESTS_UNIT_SCALAR_REGION_H_

#include <string_view>
#include <utility>
#include <vector>

#include "engine/ops/op_def.h"

namespace hlo {

class ScalarRegion : public Region {
 public:
  ScalarRegion(const std::vector<ElementType>& parameters, Shape result)
      : result_(std::move(result)) {
    for (ElementType type : parameters) parameters_.push_back(Shape::Scalar(type));
  }
  std::string_view region_name() const override { return "region"; }
  int parameter_count() const override { return static_cast<int>(parameters_.size()); }
  const Shape& parameter_shape(int i) const override { return parameters_[static_cast<size_t>(i)]; }
  const Shape& result_shape() const override { return result_; }

 private:
  std::vector<Shape> parameters_;
  Shape result_;
};

/// A reduction of one accumulator and one element.
inline ScalarRegion ReducerOf(ElementType type) {
  return ScalarRegion({type, type}, Shape::Scalar(type));
}

}  // namespace hlo

#endif  // HLO_TESTS_UNIT_SCALAR_REGION_H_
