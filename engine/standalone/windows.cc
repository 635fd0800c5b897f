// Convolutions and reductions of windows.
#include <algorithm>
#include <optional>

#include "engine/kernels/reduce_fold.h"
#include "engine/ops/op_def.h"
#include "engine/ops/products/contraction.h"
#include "engine/ops/products/reduce_blocks.h"
#include "engine/ops/shape_checks.h"
#include "engine/ops/windows/convolution.h"
#include "engine/ops/windows/convolution_views.h"
#include "engine/ops/windows/cumulative_windows.h"
#include "engine/plan/region_compiler.h"
#include "engine/plan/region_program.h"
#include "engine/standalone/operation.h"
#include "engine/standalone/product_code.h"
#include "engine/standalone/window_code.h"
#include "engine/standalone/window_loops.h"
#include "engine/types/convert.h"

namespace hlo {
namespace {

// ---- Convolution --------------------------------------------------------------------------------

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

bool WriteConvolution(const Operation& operation, Emitter* emitter) {
  const OpCall& call = *operation.call;
  if (call.Has("sparsity_config")) return WriteSparseConvolution(operation, emitter);
  const std::optional<ConvolutionForm> form = FormOfConvolution(call);
  if (!form) return emitter->Refuse("its block_scaling_config is not executed, here or by a run");
  return WriteConvolved(
      {*form, {operation.operands[0], operation.operands[1]}, {call.operand(0), call.operand(1)}},
      operation, emitter);
}

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

// ---- Reductions of windows ----------------------------------------------------------------------

namespace {

/// The value of a scalar that is written in the program.
std::optional<double> KnownNumber(const Instruction& instruction) {
  if (instruction.opcode() != Opcode::kConstant || !instruction.shape().IsScalar()) {
    return std::nullopt;
  }
  const ElementType type = instruction.shape().element_type();
  const ShapedLiteral& literal = *instruction.Call().GetLiteral("literal");
  if (literal.literal.elided || IsComplex(type)) return std::nullopt;
  double number = 0;
  ConvertElements(type, literal.literal.value.tensor().bytes(), ElementType::kF64,
                  reinterpret_cast<std::byte*>(&number), 1);
  return number;
}

/// What is reduced: arrays of the same dimensions by one region.
struct WindowReduction {
  RegionSteps steps;
  std::optional<Reducer> reducer;
  size_t count = 0;               ///< arrays
  std::vector<int32_t> operands;  ///< inputs in the types of the region's elements, initial values
  Sliding sliding;

  ElementType element(size_t i) const { return steps.parameters[count + i]; }
  ElementType result(size_t i) const { return steps.results[i].type; }
};

/// Whether the initial value, as an element, leaves every accumulator as it is.
bool IsNeutralInit(const WindowReduction& reduction, const Operation& operation) {
  if (!reduction.reducer) return false;
  switch (*reduction.reducer) {
    case Reducer::kAdd:
      return KnownNumber(*operation.instruction->operand(1)) == 0.0;
    case Reducer::kMultiply:
      return KnownNumber(*operation.instruction->operand(1)) == 1.0;
    default:
      return true;
  }
}

// Each window by itself, with the initial value where it has no element.
bool WriteAllWindows(const WindowReduction& reduction, const Operation& operation,
                     Emitter* emitter) {
  const size_t count = reduction.count;
  KernelCode code(static_cast<uint32_t>(3 * count));
  AppliedRegion region(reduction.steps, &emitter->module(), &code);
  WindowLoops loops(reduction.sliding.window, reduction.sliding.input.dims,
                    reduction.sliding.input.strides, reduction.sliding.result.dims, &code);
  std::vector<LanePair> inits, padding, current, element;
  std::vector<uint32_t> to;
  for (size_t i = 0; i < count; ++i) {
    const ElementType type = operation.operand_type(static_cast<int>(count + i));
    const LanePair init = code.Load(static_cast<uint32_t>(count + i), type);
    inits.push_back(ConvertedPair(init, type, reduction.result(i), &code.one()));
    padding.push_back(ConvertedPair(init, type, reduction.element(i), &code.one()));
    current.push_back(code.New(reduction.result(i)));
    element.push_back(code.New(reduction.element(i)));
    to.push_back(code.Sum(static_cast<uint32_t>(2 * count + i), 0));
  }
  const auto apply = [&](uint32_t offset, uint32_t inside) {
    FunctionWriter& writer = code.writer();
    for (size_t i = 0; i < count; ++i) code.Assign(element[i], padding[i]);
    writer.Get(inside);
    writer.Open(Code::kIf);
    for (size_t i = 0; i < count; ++i) {
      const ElementType type = reduction.element(i);
      const uint32_t from =
          ElementAddress(static_cast<uint32_t>(i), offset, BytesOf(type), &writer);
      code.Assign(element[i], code.Load(from, type));
    }
    writer.Write(Code::kEnd);
    std::vector<LanePair> parameters = current;
    parameters.insert(parameters.end(), element.begin(), element.end());
    const std::vector<LanePair> results = region.Apply(parameters);
    for (size_t i = 0; i < count; ++i) code.Assign(current[i], results[i]);
  };
  loops.ForEachWindow([&] {
    for (size_t i = 0; i < count; ++i) code.Assign(current[i], inits[i]);
    const uint32_t inside = code.Number(0);
    loops.ForEachPosition(
        /*skips=*/false, inside, [&](uint32_t offset) { apply(offset, inside); }, [](size_t) {},
        [](size_t) {});
    for (size_t i = 0; i < count; ++i) {
      code.Store(to[i], current[i], reduction.result(i));
      code.Advance(to[i], BytesOf(reduction.result(i)));
    }
  });
  return emitter->Call(&code, reduction.operands, operation.results);
}

/// Cumulative sums of f32, which go by blocks.
class CumulativeSumCode {
 public:
  explicit CumulativeSumCode(KernelCode* code)
      : code_(*code), one_(code->one()), carry_(one_.New(LaneKind::kF64)) {}

  /// A line of so many elements, so many bytes apart; the addresses are left behind it.
  void WriteLine(LaneValue init, uint32_t from, uint32_t to, int64_t count, int64_t from_step,
                 int64_t to_step) {
    one_.Assign(carry_, init);
    const auto block = [&](int64_t elements) {
      WriteBlock(from, to, elements, from_step, to_step);
      code_.Advance(from, elements * from_step);
      code_.Advance(to, elements * to_step);
    };
    if (count >= kBlock) code_.Repeat(count / kBlock, [&] { block(kBlock); });
    if (count % kBlock > 0) block(count % kBlock);
  }

 private:
  static constexpr int64_t kBlock = 16, kLanes = 4;

  LaneValue Sum(LaneValue a, LaneValue b) { return one_.Binary(LaneOp::kAdd, a, b); }

  void WriteBlock(uint32_t from, uint32_t to, int64_t count, int64_t from_step, int64_t to_step) {
    const LaneValue none = one_.Constant(LaneKind::kF32, -0.0);
    std::vector<LaneValue> x;
    for (int64_t i = 0; i < kBlock; ++i) {
      x.push_back(i < count ? one_.Load(code_.Sum(from, i * from_step), ElementType::kF32) : none);
    }
    std::vector<LaneValue> up_to;
    for (int64_t v = 0; v < kBlock; v += kLanes) {
      const auto at = [&](int64_t lane) { return x[static_cast<size_t>(v + lane)]; };
      const LaneValue pairs[] = {Sum(at(0), none), Sum(at(1), at(0)), Sum(at(2), at(1)),
                                 Sum(at(3), at(2))};
      LaneValue four[] = {Sum(pairs[0], none), Sum(pairs[1], none), Sum(pairs[2], pairs[0]),
                          Sum(pairs[3], pairs[1])};
      if (v > 0) {
        const LaneValue before = up_to.back();
        for (LaneValue& lane : four) lane = Sum(before, lane);
      }
      up_to.insert(up_to.end(), std::begin(four), std::end(four));
    }
    const LaneValue before = one_.Convert(carry_, LaneKind::kF32, false);
    for (int64_t i = 0; i < count; ++i) {
      one_.Store(code_.Sum(to, i * to_step), Sum(before, up_to[static_cast<size_t>(i)]),
                 ElementType::kF32);
    }
    one_.Assign(carry_, Sum(carry_, one_.Convert(up_to.back(), LaneKind::kF64, false)));
  }

  KernelCode& code_;
  LaneCode& one_;
  LaneValue carry_;
};

// Windows of which each has all elements of a line up to its own.
bool WriteLines(const WindowReduction& reduction, const Cumulative& lines,
                const Operation& operation, Emitter* emitter) {
  const ElementType type = operation.type();
  const int width = BytesOf(type);
  const StridedView &input = reduction.sliding.input, &result = reduction.sliding.result;
  const bool by_blocks = reduction.reducer == Reducer::kAdd && type == ElementType::kF32 &&
                         (lines.is_single || lines.is_adjacent);
  KernelCode code(3);
  AppliedRegion region(reduction.steps, &emitter->module(), &code);
  CumulativeSumCode sums(&code);
  const uint32_t from = code.Sum(0, input.offset * width), to = code.Sum(2, result.offset * width);
  const LanePair init = code.Load(1, type), current = code.New(type);
  const LaneValue wide =
      by_blocks ? code.one().Convert(init.real, LaneKind::kF64, false) : LaneValue{};
  Dims counts = result.dims;
  const size_t d = lines.dimension;
  const int64_t from_step = input.strides[d] * width, to_step = result.strides[d] * width;
  counts[d] = 1;
  const Walk walks[] = {{from, Bytes(input.strides, width)}, {to, Bytes(result.strides, width)}};
  code.Nest(counts, walks, [&] {
    const uint32_t x = code.Sum(from, 0), y = code.Sum(to, 0);
    if (by_blocks) return sums.WriteLine(wide, x, y, result.dims[d], from_step, to_step);
    code.Assign(current, init);
    code.Repeat(result.dims[d], [&] {
      const LanePair parameters[] = {current, code.Load(x, type)};
      code.Assign(current, region.Apply(parameters)[0]);
      code.Store(y, current, type);
      code.Advance(x, from_step);
      code.Advance(y, to_step);
    });
  });
  return emitter->Call(&code, operation.operands, operation.results);
}

/// One of two, by whether the initial value, an f32, is 0.
template <typename Zero, typename Other>
bool WriteByInit(const Operation& operation, Zero of_zero, Other of_other, Emitter* emitter) {
  const int32_t is_zero = emitter->NewArray(ElementType::kPred, 1);
  KernelCode code(2);
  LaneCode& one = code.one();
  const LaneValue init = one.Load(0, ElementType::kF32);
  one.Store(1, one.Binary(LaneOp::kEq, init, one.Constant(LaneKind::kF32, 0)), ElementType::kPred);
  if (!emitter->Call(&code, {operation.operands[1]}, {is_zero})) return false;
  DriverStep step;
  step.kind = DriverStep::Kind::kConditional;
  step.is_pred = true;
  step.reads = {is_zero};
  step.blocks.resize(2);
  DriverBlock* const around = emitter->block();
  emitter->set_block(&step.blocks[0]);
  bool is_written = of_zero();
  emitter->set_block(&step.blocks[1]);
  is_written = of_other() && is_written;
  emitter->set_block(around);
  emitter->Add(std::move(step));
  return is_written;
}

bool WriteReduceWindow(const Operation& operation, Emitter* emitter) {
  const OpCall& call = *operation.call;
  const Region& region = *call.GetRegion("to_apply");
  std::optional<RegionSteps> steps = CompileSteps(*AsComputation(&region), nullptr);
  const Shape& shape = PartShape(call.shape(), 0);
  if (!steps || !WindowLoops::Fits(call.GetWindow(), call.operand(0).dims(), shape.dims())) {
    return false;
  }
  WindowReduction reduction{
      std::move(*steps), std::nullopt, operation.operands.size() / 2, operation.operands, {}};
  if (shape.element_count() == 0) return true;
  for (size_t i = 0; i < reduction.count; ++i) {
    const Shape& from = call.operand(static_cast<int>(i));
    if (PartShape(call.shape(), static_cast<int>(i)).element_type() != reduction.result(i) ||
        !emitter->Convert(&reduction.operands[i], from.element_count(), from.element_type(),
                          reduction.element(i))) {
      return false;
    }
  }
  if (const auto opcode = BinaryOpcodeOf(reduction.steps)) reduction.reducer = ReducerOf(*opcode);
  reduction.sliding = {call.GetWindow(), RowMajorView(call.operand(0).dims()),
                       RowMajorView(shape.dims())};
  const ElementType type = shape.element_type();
  const bool is_plain =
      reduction.count == 1 && reduction.element(0) == type && operation.operand_type(1) == type;
  if (!is_plain) return WriteAllWindows(reduction, operation, emitter);
  WindowReduction turned = reduction;
  if (reduction.reducer && !IsFloat(type)) TurnRound(&turned.sliding);
  const std::optional<Cumulative> lines = FindCumulative(turned.sliding);
  if (!lines) return WriteAllWindows(reduction, operation, emitter);
  if (IsNeutralInit(turned, operation)) return WriteLines(turned, *lines, operation, emitter);
  const bool is_sum = reduction.reducer == Reducer::kAdd && type == ElementType::kF32;
  if (!is_sum || KnownNumber(*operation.instruction->operand(1))) {
    return WriteAllWindows(reduction, operation, emitter);
  }
  // Of sums of f32 the order depends on the initial value.
  return WriteByInit(
      operation, [&] { return WriteLines(turned, *lines, operation, emitter); },
      [&] { return WriteAllWindows(reduction, operation, emitter); }, emitter);
}

}  // namespace

bool WriteWindows(const Operation& operation, Emitter* emitter) {
  switch (operation.instruction->opcode()) {
    case Opcode::kConvolution:
      return WriteConvolution(operation, emitter);
    case Opcode::kReduceWindow:
      return WriteReduceWindow(operation, emitter);
    default:
      return false;
  }
}

}  // namespace hlo
