// What every op costs: rules with their formulas in words; which one an opcode has is in its row of
// ops.def. Only the full engine links them, which is why they are not part of the ops' definitions.
#ifndef HLO_ENGINE_COST_COST_RULES_H_
#define HLO_ENGINE_COST_COST_RULES_H_

#include <string_view>

#include "engine/base/function_ref.h"
#include "engine/cost/array_bytes.h"
#include "engine/cost/cost.h"
#include "engine/ops/op_call.h"
#include "engine/ops/opcode.h"

namespace hlo {

/// What a rule sees.
class CostCall {
 public:
  /// `work_of`: the operations of one execution of a computation.
  CostCall(const OpCall& call, ShapeBytes* bytes, FunctionRef<Work(const Region*)> work_of)
      : call_(call), bytes_(*bytes), work_of_(work_of) {}

  const OpCall& call() const { return call_; }
  ShapeBytes& bytes() const { return bytes_; }
  Work WorkOf(std::string_view attr) const { return work_of_(call_.attrs().GetRegion(attr)); }

 private:
  const OpCall& call_;
  ShapeBytes& bytes_;
  FunctionRef<Work(const Region*)> work_of_;
};

/// The cost of one op. What calls computations that run like programs (while, conditional, call,
/// async-start) and fusions get theirs from these computations: cost_analysis.h.
struct CostRule {
  std::string_view work;     ///< Operations, in words.
  std::string_view traffic;  ///< Bytes, in words.
  std::string_view source;
  Work (*count)(const CostCall& call) = nullptr;     ///< Null: none.
  Traffic (*bytes)(const CostCall& call) = nullptr;  ///< Null: none.
  bool is_product = false;                           ///< Its arithmetic is of its operands' types.
};

/// The rule of an opcode; every opcode has one.
const CostRule& CostRuleOf(Opcode opcode);

}  // namespace hlo

#endif  // HLO_ENGINE_COST_COST_RULES_H_
