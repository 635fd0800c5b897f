// Evaluation of scan.
#ifndef HLO_ENGINE_OPS_PRODUCTS_SCAN_EVAL_H_
#define HLO_ENGINE_OPS_PRODUCTS_SCAN_EVAL_H_

#include <span>

#include "engine/ops/eval.h"
#include "engine/ops/op_call.h"

namespace hlo {

/// OpDef::enter of scan: runs the body once per slice, in order; the output of a step is stored at
/// the index of its slice. Only the live part of a dynamic dimension is scanned.
/// Source: XLA, hlo_evaluator.cc, HandleScan.
ControlStep EnterScan(const OpCall& call, std::span<Value> args, ControlState& state,
                      EvalContext& context);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_PRODUCTS_SCAN_EVAL_H_
