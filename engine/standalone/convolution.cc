// Convolutions.
#include "engine/ops/windows/convolution.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/ops/windows/convolution_views.h"
#include "engine/standalone/operation.h"
#include "engine/standalone/product_code.h"
#include "engine/standalone/window_code.h"
#include "engine/standalone/window_loops.h"

namespace hlo {
namespace {

/// Sums in the order of the engine: from zero, position after position of the window that is inside
/// the input, and of each one feature after the other. Input: [batch, spatial..., group, feature];
/// kernel: [spatial..., feature, group, output feature]; result: [batch, spatial..., group, output
/// feature].
struct ConvolutionSizes {
  int64_t batch = 1, groups = 1, features = 1, outputs = 1;
  Dims sizes, strides, results;  ///< spatial: of the input, and how many windows there are
};

class ConvolutionCode {
 public:
  ConvolutionCode(const ProductTypes& types, const ConvolutionForm& form,
                  const ConvolutionSizes& sizes, ProductStep step, KernelCode* code)
      : step_(step),
        input_type_(types.a),
        kernel_type_(types.b),
        type_(types.type),
        form_(form),
        sizes_(sizes),
        code_(*code),
        input_(code->Sum(0, 0)),
        kernel_(code->Sum(1, 0)),
        to_(code->Sum(2, 0)),
        loops_(form.window, sizes.sizes, sizes.strides, sizes.results, code) {}

  void Write() {
    int64_t batch = sizes_.groups * sizes_.features;
    for (int64_t size : sizes_.sizes) batch *= size;
    code_.Repeat(sizes_.batch, [&] {
      loops_.ForEachWindow([&] { WriteWindow(); });
      code_.Advance(input_, batch * BytesOf(input_type_));
    });
  }

 private:
  void WriteWindow() {
    const uint32_t input = code_.Sum(input_, 0), kernel = code_.Sum(kernel_, 0);
    code_.Repeat(sizes_.groups, [&] {
      const bool is_plain = type_ == input_type_ && type_ == kernel_type_ &&
                            (type_ == ElementType::kF32 || type_ == ElementType::kF64);
      const int lanes = !is_plain ? 1 : type_ == ElementType::kF32 ? 8 : 4;
      const int64_t blocks = lanes == 1 ? 0 : sizes_.outputs / lanes;
      if (blocks > 0) code_.Repeat(blocks, [&] { WriteVectors(input, kernel, lanes); });
      const int64_t left = sizes_.outputs - blocks * lanes;
      if (left > 0) code_.Repeat(left, [&] { WriteOutput(input, kernel); });
      code_.Advance(input, sizes_.features * BytesOf(input_type_));
    });
  }

  // So many output features side by side.
  void WriteVectors(uint32_t input, uint32_t kernel, int count) {
    LaneCode lanes(&code_.writer(), count);
    const LaneValue sum = lanes.New(*LaneKindOf(type_));
    lanes.Assign(sum, lanes.Constant(sum.kind, 0));
    ForEachFactor(input, kernel, [&](uint32_t from, uint32_t weights) {
      const LaneValue factor = lanes.LoadForAll(from, type_);
      lanes.Assign(sum, AddedProduct(sum, factor, lanes.Load(weights, type_), step_, &lanes));
    });
    lanes.Store(to_, sum, type_);
    GoOn(kernel, count);
    if (lanes.failed()) code_.one().Fail();
  }
  void WriteOutput(uint32_t input, uint32_t kernel) {
    ProductSum sum({input_type_, kernel_type_, type_}, step_, &code_);
    sum.Begin();
    ForEachFactor(input, kernel, [&](uint32_t from, uint32_t weights) { sum.Add(from, weights); });
    sum.Store(to_);
    GoOn(kernel, 1);
  }

  // The kernel and the result go on behind so many output features.
  void GoOn(uint32_t kernel, int count) {
    code_.Advance(kernel, count * BytesOf(kernel_type_));
    code_.Advance(to_, count * BytesOf(type_));
  }

  // body(address of an element of the input, of the weight that it is multiplied by)
  template <typename Body>
  void ForEachFactor(uint32_t input, uint32_t kernel, Body body) {
    const int64_t row = sizes_.groups * sizes_.outputs * BytesOf(kernel_type_);
    const uint32_t at = code_.Sum(kernel, 0);
    std::vector<int64_t> steps(form_.window.size(), row * sizes_.features);
    for (size_t d = steps.size(); d-- > 1;) steps[d - 1] = steps[d] * form_.window[d].size;
    loops_.ForEachPosition(
        /*skips=*/true, 0,
        [&](uint32_t offset) {
          const uint32_t from =
              ElementAddress(input, offset, BytesOf(input_type_), &code_.writer());
          const uint32_t weights = code_.Sum(at, 0);
          code_.Repeat(sizes_.features, [&] {
            body(from, weights);
            code_.Advance(from, BytesOf(input_type_));
            code_.Advance(weights, row);
          });
        },
        [&](size_t d) { code_.Advance(at, steps[d]); },
        [&](size_t d) { code_.Advance(at, -steps[d] * form_.window[d].size); });
  }

  const ProductStep step_;
  const ElementType input_type_, kernel_type_, type_;
  const ConvolutionForm& form_;
  const ConvolutionSizes& sizes_;
  KernelCode& code_;
  const uint32_t input_, kernel_, to_;
  WindowLoops loops_;
};

}  // namespace

bool WriteConvolved(const ConvolvedArrays& arrays, const Operation& operation, Emitter* emitter) {
  const ConvolutionForm* const form = &arrays.form;
  const Shape &lhs = arrays.shapes[0], &rhs = arrays.shapes[1], &shape = operation.call->shape();
  const ElementType type = shape.element_type();
  if (shape.element_count() == 0) return true;
  if (lhs.element_count() == 0 || rhs.element_count() == 0) {
    emitter->Clear(operation.results[0]);
    return true;
  }
  const ConvDimLabels& labels = form->labels;
  const auto size = [](const Shape& of, int64_t d) { return of.dim(static_cast<int>(d)); };
  ConvolutionSizes sizes;
  sizes.groups = std::max(form->feature_groups, form->batch_groups);
  sizes.batch = size(lhs, labels.input_batch) / form->batch_groups;
  sizes.features = size(rhs, labels.kernel_input_feature);
  sizes.outputs = size(rhs, labels.kernel_output_feature) / sizes.groups;
  int64_t stride = sizes.groups * sizes.features;
  for (size_t d = form->window.size(); d-- > 0;) {
    sizes.sizes.insert(sizes.sizes.begin(), size(lhs, labels.input_spatial[d]));
    sizes.results.insert(sizes.results.begin(), size(shape, labels.output_spatial[d]));
    sizes.strides.insert(sizes.strides.begin(), stride);
    stride *= sizes.sizes[0];
  }
  const auto packed = [&](int32_t array, const Shape& of, const StridedView& view) {
    const bool is_dense = IsDense(view) && view.dims.size() == of.dims().size();
    return is_dense ? array : emitter->Viewed(array, view, of.element_type());
  };
  const int32_t input = packed(arrays.operands[0], lhs, InputView(lhs.dims(), *form));
  const int32_t kernel = packed(arrays.operands[1], rhs, KernelView(rhs.dims(), *form));
  if (!WindowLoops::Fits(form->window, sizes.sizes, sizes.results)) return false;
  Dims dims = {sizes.batch};
  for (int64_t count : sizes.results) dims.push_back(count);
  dims.push_back(sizes.groups * sizes.outputs);
  int64_t count = 1;
  for (int64_t of : dims) count *= of;
  const int32_t sums = emitter->NewArray(type, count);
  KernelCode code(3);
  code.writer().set_functions(&emitter->module());
  ConvolutionCode({lhs.element_type(), rhs.element_type(), type}, *form, sizes, emitter->step(),
                  &code)
      .Write();
  if (!emitter->Call(&code, {input, kernel}, {sums})) return false;
  const int64_t features = size(rhs, labels.kernel_output_feature);
  const StridedView view = ResultView(dims, *form, features, shape.dims().size());
  if (IsDense(view)) {
    emitter->Copy(sums, operation.results[0]);
  } else {
    emitter->CopyView(sums, view, operation.results[0], BytesOf(type));
  }
  return true;
}

bool WriteConvolution(const Operation& operation, Emitter* emitter) {
  const OpCall& call = *operation.call;
  if (call.Has("sparsity_config")) return WriteSparseConvolution(operation, emitter);
  const std::optional<ConvolutionForm> form = FormOfConvolution(call);
  if (!form) return emitter->Refuse("its block_scaling_config is not executed, here or by a run");
  return WriteConvolved(
      {*form, {operation.operands[0], operation.operands[1]}, {call.operand(0), call.operand(1)}},
      operation, emitter);
}

}  // namespace hlo
