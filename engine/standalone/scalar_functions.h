// The functions of f64 and of complex numbers that code of stand-alone modules calls.
#ifndef HLO_ENGINE_STANDALONE_SCALAR_FUNCTIONS_H_
#define HLO_ENGINE_STANDALONE_SCALAR_FUNCTIONS_H_

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/codegen/function_pool.h"
#include "engine/codegen/lane.h"

namespace hlo {

/// The function of an operation on f64, or on pairs of them that are complex numbers.
struct ScalarFunction {
  Opcode opcode = {};
  bool is_complex = false;

  // NOLINTNEXTLINE(modernize-use-nullptr): what is defaulted holds a zero for clang-tidy 14
  auto operator<=>(const ScalarFunction&) const = default;
};

/// The step of a sum of products of f64 that is rounded once.
inline constexpr ScalarFunction kFusedMultiplyAdd = {Opcode::kDot};

/// Whether there is code for it.
bool HasScalarFunction(const ScalarFunction& function);
/// How many f64 it takes and gives.
int ParametersOf(const ScalarFunction& function);
int ResultsOf(const ScalarFunction& function);

/// The functions and tables of a module. All code of stand-alone modules is written with one.
class ScalarFunctions : public FunctionPool {
 public:
  /// The number of a function that HasScalarFunction. Its parameters are the f64 of its operands,
  /// its results those of its result.
  virtual uint32_t NumberOf(const ScalarFunction& function) = 0;
  /// The address of a table.
  virtual uint32_t AddressOf(std::span<const std::byte> table) = 0;

  /// Functions of f64 and of complex numbers; what else the engine's lowering leaves to its loops.
  bool CanLower(const RegionStep& step) const override;
  LanePair Lower(const RegionStep& step, std::span<const LanePair> args, LaneCode* code) override;
};

/// The function, of the same lines as the engine's (engine/lanes, kernels/complex_functions.h). It
/// calls others of them.
CodeBytes WriteScalarFunction(const ScalarFunction& function, ScalarFunctions* functions);

/// An element of one type as another one, as `convert` has it. Real numbers are lowered as steps of
/// region programs are.
LanePair ConvertedPair(const LanePair& value, ElementType from, ElementType to, LaneCode* code);

/// Writes a call, in one lane.
void CallScalar(const ScalarFunction& function, std::span<const LaneValue> args,
                std::span<LaneValue> results, LaneCode* code);

namespace lanes {

/// In one lane: an element of 8 bytes at this address and number.
LaneValue LoadElement(std::span<const std::byte> table, LaneValue index, LaneKind kind,
                      LaneCode* code);

template <typename T, size_t N>
Lane<T> ElementOf(const std::array<T, N>& table, Lane<uint64_t> index) {
  const std::span<const T> elements = table;
  return {index.code, LoadElement(std::as_bytes(elements), index.value, kLaneKind<T>, index.code)};
}

}  // namespace lanes
}  // namespace hlo

#endif  // HLO_ENGINE_STANDALONE_SCALAR_FUNCTIONS_H_
