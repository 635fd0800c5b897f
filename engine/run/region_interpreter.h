// Applies a region to one element after the other with the executor: slow, for regions that do not
// compile to a program over blocks of scalars (arrays inside).
#ifndef HLO_ENGINE_RUN_REGION_INTERPRETER_H_
#define HLO_ENGINE_RUN_REGION_INTERPRETER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/ops/eval.h"
#include "engine/run/replica.h"

namespace hlo {

class RegionInterpreter final : public RegionFunction {
 public:
  /// Regions may apply regions; deeper than this is refused with a RunError.
  static constexpr int kMaxNesting = 64;

  /// `device` is the one that applies the region, `opcode` its BinaryOpcode, which may be null.
  RegionInterpreter(RunState* state, const Region* region, int64_t device, const Opcode* opcode)
      : state_(state), region_(region), opcode_(opcode), replica_(state, device, nullptr) {}

  void Apply(int64_t n, std::span<const std::byte* const> args,
             std::span<std::byte* const> results) override;
  const Opcode* BinaryOpcode() const override { return opcode_; }

 private:
  Value ApplyOnce(std::vector<Value> args);

  RunState* state_;
  const Region* region_;
  const Opcode* opcode_;
  Replica replica_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_REGION_INTERPRETER_H_
