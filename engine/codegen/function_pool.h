// Functions and tables that the code of a module shares: what stand-alone modules have, and what the
// engine has for others.
#ifndef HLO_ENGINE_CODEGEN_FUNCTION_POOL_H_
#define HLO_ENGINE_CODEGEN_FUNCTION_POOL_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/ops/opcode.h"

namespace hlo {

/// The function of an operation on f64, or on pairs of them that are complex numbers.
struct PoolFunction {
  Opcode opcode = {};
  bool is_complex = false;

  auto operator<=>(const PoolFunction&) const = default;
};

class FunctionPool {
 public:
  virtual ~FunctionPool() = default;

  /// Whether there is such a function.
  virtual bool Has(const PoolFunction& function) const = 0;
  /// Its number in the module. Its parameters are the f64 of its operands, its results those of its
  /// result.
  virtual uint32_t NumberOf(const PoolFunction& function) = 0;
  /// The address of a table.
  virtual uint32_t AddressOf(std::span<const std::byte> table) = 0;
};

/// Has the functions of another pool, which stays as it is: for code that nobody runs.
class TrialPool final : public FunctionPool {
 public:
  /// Null: there are none.
  explicit TrialPool(const FunctionPool* of) : of_(of) {}

  bool Has(const PoolFunction& function) const override { return of_ && of_->Has(function); }
  uint32_t NumberOf(const PoolFunction&) override { return 0; }
  uint32_t AddressOf(std::span<const std::byte>) override { return 0; }

 private:
  const FunctionPool* of_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_FUNCTION_POOL_H_
