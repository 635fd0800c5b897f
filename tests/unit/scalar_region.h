// Computations of scalars, for tests of ops that apply one: signatures and functions.
#ifndef HLO_TESTS_UNIT_SCALAR_REGION_H_
#define HLO_TESTS_UNIT_SCALAR_REGION_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
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

/// A function of two T that is called for every element by itself; optionally known as an opcode.
template <typename T, typename Result = T>
class ScalarFunction : public RegionFunction {
 public:
  explicit ScalarFunction(std::function<Result(T, T)> function, std::optional<Opcode> opcode = {})
      : function_(std::move(function)), opcode_(opcode) {}
  void Apply(int64_t n, std::span<const std::byte* const> args,
             std::span<std::byte* const> results) override {
    for (int64_t i = 0; i < n; ++i) {
      T a, b;
      std::memcpy(&a, args[0] + i * static_cast<int64_t>(sizeof(T)), sizeof(T));
      std::memcpy(&b, args[1] + i * static_cast<int64_t>(sizeof(T)), sizeof(T));
      const Result result = function_(a, b);
      std::memcpy(results[0] + i * static_cast<int64_t>(sizeof(Result)), &result, sizeof(Result));
    }
    ++applications;
    calls += n;
  }
  const Opcode* BinaryOpcode() const override { return opcode_ ? &*opcode_ : nullptr; }

  int64_t applications = 0;  ///< to blocks of elements
  int64_t calls = 0;         ///< for one element each

 private:
  std::function<Result(T, T)> function_;
  std::optional<Opcode> opcode_;
};

}  // namespace hlo

#endif  // HLO_TESTS_UNIT_SCALAR_REGION_H_
