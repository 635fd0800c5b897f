// Reduction by an arbitrary region: many results are reduced in parallel, so that the region runs
// on blocks.
#ifndef HLO_ENGINE_OPS_PRODUCTS_REDUCE_BLOCKS_H_
#define HLO_ENGINE_OPS_PRODUCTS_REDUCE_BLOCKS_H_

#include <optional>
#include <span>

#include "engine/kernels/move_view.h"
#include "engine/kernels/reduce_fold.h"
#include "engine/ops/eval.h"
#include "engine/types/tensor.h"

namespace hlo {

/// The reducer that an op of two elements is, if there are kernels for it.
std::optional<Reducer> ReducerOf(Opcode opcode);
/// The type in which a kernel can reduce elements of this type; nothing if none can. Narrow floats
/// are exact in f32, and neither a sum that is rounded once nor a minimum or maximum needs their
/// own rounding.
std::optional<ElementType> FoldType(Reducer reducer, ElementType type);
/// The reducer that a kernel implements, if the region is one.
std::optional<Reducer> FindReducer(const RegionFunction& region);

/// For every index k of `kept` in row-major order, starting from the inits:
/// (acc...) = region(acc..., x...) over the elements x of all inputs at kept(k) + reduced(r), r in
/// row-major order. The views apply to every input; `reduced` has offset 0. inits[i] and results[i]
/// have the type of the region's result i, inputs[i] that of its parameter inputs.size() + i; the
/// results are dense arrays of kept's dims.
void ReduceInBlocks(RegionFunction& region, std::span<const Tensor> inputs, const StridedView& kept,
                    const StridedView& reduced, std::span<const Tensor> inits,
                    std::span<Tensor> results, Budget* budget);

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_PRODUCTS_REDUCE_BLOCKS_H_
