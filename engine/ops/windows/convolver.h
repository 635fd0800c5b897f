// A convolution of arrays in one order and type: phase by phase, each by the loops that suit it.
// Internal to Convolve.
#ifndef HLO_ENGINE_OPS_WINDOWS_CONVOLVER_H_
#define HLO_ENGINE_OPS_WINDOWS_CONVOLVER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/budget.h"
#include "engine/kernels/conv_depthwise.h"
#include "engine/kernels/conv_planes.h"
#include "engine/kernels/conv_product.h"
#include "engine/kernels/conv_window.h"
#include "engine/kernels/ready_elements.h"
#include "engine/ops/attributes.h"
#include "engine/ops/eval.h"
#include "engine/ops/products/contraction.h"
#include "engine/ops/windows/convolution_phases.h"

namespace hlo {

/// The loops for one accumulation type.
struct ConvLoops {
  ElementType type;
  int width;
  MatrixProduct multiply;
  ConvProduct product;  ///< null where patches have to be made
  bool lanes;           ///< `direct` has vectors
  void (*direct)(std::span<const ConvDim> dims, const ConvFeatures& features, const std::byte* in,
                 const std::byte* kernel, std::byte* out, Budget* budget, MultiplyAdd step,
                 const ElementsReady* ready);
};

/// Those of a type that sums are taken in (SumType).
ConvLoops ConvLoopsOf(ElementType sum_type);

/// Input as [batch, spatial..., group, feature], kernel as [spatial..., feature, group, output
/// feature], sums as [batch, spatial..., group, output feature]; all in the accumulation type.
struct ConvArrays {
  const std::byte* in;
  const std::byte* kernel;
  std::byte* out;
  bool finite_kernel;
  int64_t sum_bytes;  ///< of `out`, which is not set
  /// Where in and out are of a narrower type, that type; what convolves them then, or null.
  NarrowConvolution narrow = nullptr;
  ElementType type = ElementType::kF32;
};

/// One convolution of such arrays: RunPhase chooses the loops.
class Convolver {
 public:
  /// `pieces`, if not null, is offered what is final before the rest.
  Convolver(const ConvArrays& arrays, const ConvFeatures& features, ConvLoops loops, Budget* budget,
            MultiplyAdd step, ResultPieces* pieces)
      : arrays_(arrays),
        features_(features),
        loops_(loops),
        budget_(budget),
        step_(step),
        pieces_(pieces) {}

  /// Runs every phase. Sizes per spatial dimension: run-time sizes of the input, its stored sizes,
  /// and those of the sums.
  void Run(const Window& window, const Dims& inputs, const Dims& input_bounds, const Dims& outputs,
           int64_t batch);

 private:
  struct Strides {
    int64_t in, tap, out;
  };
  bool SetPhase(size_t d, int64_t i);
  void RunPhase();
  bool PatchesPay(double outputs, double taps) const;
  PlaneConvolution PlanesOf() const;
  bool HasProduct(int64_t outputs) const;
  bool HandsOn(int64_t outputs, bool patches) const;
  void SetToZero();
  void RunProduct(int64_t taps, const ElementsReady* ready);
  void RunPatches(int64_t outputs, int64_t taps);
  int64_t RowsAtATime(int64_t row_bytes, int64_t outputs) const;
  bool RowsAreInput(int64_t taps) const;
  bool OutputsAreRows(int64_t step) const;
  bool KernelIsWhole() const;
  void PackKernel(int64_t group, std::byte* matrix) const;

  ConvArrays arrays_;
  ConvFeatures features_;
  ConvLoops loops_;
  Budget* budget_;
  MultiplyAdd step_;
  ResultPieces* pieces_;
  std::vector<ConvPhases> phases_;
  std::vector<Strides> strides_;
  ConvDims dims_;                 // the batch, then the spatial dimensions in the current phase
  Dims out_offsets_, taps_from_;  // per spatial dimension, in elements
  Dims all_taps_;
  int64_t outputs_ = 1;  // of all phases
  bool is_set_ = false;  // the sums have been set, if only to zero
};

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_WINDOWS_CONVOLVER_H_
