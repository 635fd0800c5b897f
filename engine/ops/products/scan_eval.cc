#include "engine/ops/products/scan_eval.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

/// The state of a scan in progress. ControlState::values holds the number of steps done (s64[]),
/// the carries, and the outputs filled so far.
class RunningScan {
 public:
  RunningScan(const OpCall& call, std::span<Value> args, ControlState& state, Budget* budget)
      : call_(call),
        body_(*call.GetRegion("to_apply")),
        args_(args),
        state_(state),
        budget_(budget),
        dim_(static_cast<int>(call.Ints("dimensions")[0])),
        carries_(static_cast<size_t>(call.Int("num_carries"))),
        inputs_(args.size() - carries_) {}

  void Start() {
    state_.values.emplace_back(Tensor::Scalar<int64_t>(0, budget_));
    for (size_t i = inputs_; i < args_.size(); ++i) {
      const ElementType type = ResultShape(outputs() + i - inputs_).element_type();
      state_.values.emplace_back(ConvertTensor(args_[i].tensor(), type, budget_));
    }
    for (size_t i = 0; i < outputs(); ++i) {
      // Elements beyond a run-time size, which no slice reaches, are zero.
      Tensor output(ResultShape(i), budget_);
      std::memset(output.mutable_bytes(), 0, static_cast<size_t>(output.byte_size()));
      Dims live = output.dims();
      live[static_cast<size_t>(dim_)] = live_size();
      SetLiveDims(&output, live);
      state_.values.emplace_back(std::move(output));
    }
  }

  /// Stores the body's outputs in their slices; its carries become those of the next step.
  void TakeReturned() {
    const Value returned = std::exchange(state_.returned, Value());
    for (size_t i = 0; i < outputs() + carries_; ++i) {
      const Tensor& part =
          returned.is_tuple() ? returned.elements()[i].tensor() : returned.tensor();
      const Tensor result = ConvertTensor(part, ResultShape(i).element_type(), budget_);
      if (i < outputs()) {
        Place(result, &Output(i));
      } else {
        Carry(i - outputs()) = result;
      }
    }
    state_.values[0] = Value(Tensor::Scalar<int64_t>(Steps() + 1, budget_));
  }

  bool done() const { return Steps() == live_size(); }

  ControlStep NextStep() {
    ControlStep step;
    step.kind = ControlStep::Kind::kCall;
    step.region = &body_;
    for (size_t i = 0; i < args_.size(); ++i) {
      const ElementType type = body_.parameter_shape(static_cast<int>(i)).element_type();
      const Tensor argument = i < inputs_ ? Slice(args_[i].tensor())
                                          : std::exchange(Carry(i - inputs_), Value()).tensor();
      step.args.emplace_back(ConvertTensor(argument, type, budget_));
    }
    return step;
  }

  ControlStep Done() {
    ControlStep step;
    if (!call_.shape().IsTuple()) {
      step.result = std::move(outputs() > 0 ? state_.values[1 + carries_] : Carry(0));
      return step;
    }
    Value::Elements elements;
    for (size_t i = 0; i < outputs(); ++i)
      elements.push_back(std::move(state_.values[i + 1 + carries_]));
    for (size_t i = 0; i < carries_; ++i) elements.push_back(std::move(Carry(i)));
    step.result = Value::Tuple(std::move(elements));
    return step;
  }

  const Region& body() const { return body_; }

  /// Whether slices, carries and outputs are scalars, and carries leave the body with the types
  /// they enter it.
  bool HasScalarBody() const {
    for (size_t i = 0; i < outputs(); ++i) {
      if (ResultShape(i).rank() != 1) return false;
    }
    for (size_t i = 0; i < args_.size(); ++i) {
      if (args_[i].tensor().rank() != (i < inputs_ ? 1 : 0)) return false;
      if (i >= inputs_ && ParameterType(i) != ResultType(body_, ResultOfCarry(i))) return false;
    }
    return true;
  }

  /// All steps at once, for a body of scalar operations: no frame per step is needed. (The trace
  /// then shows no steps, as with a reduction.)
  ControlStep RunDirectly(RegionFunction& function) {
    std::vector<Tensor> arguments;
    for (size_t i = 0; i < args_.size(); ++i) {
      arguments.push_back(ConvertTensor(args_[i].tensor(), ParameterType(i), budget_));
    }
    std::vector<Tensor> results = MakeDirectResults(arguments);
    ApplyAll(function, arguments, results);
    Value::Elements elements;
    for (size_t i = 0; i < results.size(); ++i) {
      elements.emplace_back(ConvertTensor(results[i], ResultShape(i).element_type(), budget_));
    }
    ControlStep done;
    done.result = JoinParts(call_.shape(), std::move(elements));
    return done;
  }

 private:
  /// Outputs to be filled, and initial carries; in the types of the body.
  std::vector<Tensor> MakeDirectResults(std::span<const Tensor> arguments) const {
    std::vector<Tensor> results;
    for (size_t i = 0; i < outputs(); ++i) {
      const ElementType type = ResultType(body_, static_cast<int>(i));
      const Shape shape = Shape::Array(type, ResultShape(i).dims());
      results.push_back(MakeTensor(shape, Dims{live_size()}, budget_));
    }
    for (size_t i = inputs_; i < args_.size(); ++i) {
      results.emplace_back(ParameterType(i), Dims(), budget_);
      std::memcpy(results.back().mutable_bytes(), arguments[i].bytes(),
                  static_cast<size_t>(arguments[i].byte_size()));
    }
    return results;
  }

  /// Carries are read and written in place in `results`.
  void ApplyAll(RegionFunction& function, std::span<const Tensor> arguments,
                std::span<Tensor> results) const {
    constexpr int64_t kStepsPerPoll = 256;
    std::vector<const std::byte*> from(arguments.size());
    std::vector<std::byte*> to(results.size());
    for (size_t i = 0; i < carries_; ++i) {
      to[outputs() + i] = results[outputs() + i].mutable_bytes();
      from[inputs_ + i] = to[outputs() + i];
    }
    const int64_t size = live_size();
    const bool is_reverse = call_.Bool("is_reverse");
    const size_t output_count = outputs();
    for (int64_t step = 0; step < size; ++step) {
      const int64_t at = is_reverse ? size - 1 - step : step;
      for (size_t i = 0; i < inputs_; ++i) {
        from[i] = arguments[i].bytes() + at * BytesOf(arguments[i].element_type());
      }
      for (size_t i = 0; i < output_count; ++i) {
        to[i] = results[i].mutable_bytes() + at * BytesOf(results[i].element_type());
      }
      function.Apply(1, from, to);
      if (step % kStepsPerPoll == 0) budget_->Poll();
    }
  }

  ElementType ParameterType(size_t i) const {
    return body_.parameter_shape(static_cast<int>(i)).element_type();
  }
  /// The number of the body's result that becomes operand i, a carry.
  int ResultOfCarry(size_t i) const { return static_cast<int>(outputs() + i - inputs_); }
  int64_t Steps() const { return *state_.values[0].tensor().data<int64_t>(); }
  Value& Carry(size_t i) { return state_.values[1 + i]; }
  /// To write into. A state of the run that is kept for later shares it: then a copy.
  Tensor& Output(size_t i) {
    Tensor& output = state_.values[1 + carries_ + i].tensor();
    if (output.unique()) return output;
    Tensor copy(output.element_type(), output.dims(), budget_);
    std::memcpy(copy.mutable_bytes(), output.bytes(), static_cast<size_t>(output.byte_size()));
    copy.set_dynamic_sizes(output.dynamic_sizes());
    return output = std::move(copy);
  }
  size_t outputs() const {
    return call_.shape().IsTuple() ? call_.shape().elements().size() - carries_ : 1 - carries_;
  }
  const Shape& ResultShape(size_t i) const { return PartShape(call_.shape(), static_cast<int>(i)); }
  int64_t live_size() const {
    if (inputs_ == 0) return ResultShape(0).dim(dim_);
    int64_t size = args_[0].tensor().live_dim(dim_);
    for (size_t i = 1; i < inputs_; ++i) size = std::min(size, args_[i].tensor().live_dim(dim_));
    return size;
  }
  /// The position of this step's slice along the scanned dimension.
  int64_t index() const { return call_.Bool("is_reverse") ? live_size() - 1 - Steps() : Steps(); }

  /// The index of this step along the scanned dimension, and everything along the others.
  StridedView SliceOf(StridedView view) const {
    const size_t d = static_cast<size_t>(dim_);
    view.offset += index() * view.strides[d];
    view.dims.erase(view.dims.begin() + dim_);
    view.strides.erase(view.strides.begin() + dim_);
    return view;
  }

  Tensor Slice(const Tensor& input) const {
    Dims dims = input.dims();
    dims.erase(dims.begin() + dim_);
    return TensorFromView(input, SliceOf(LiveView(input)), Shape::Array(input.element_type(), dims),
                          budget_);
  }

  void Place(const Tensor& slice, Tensor* output) const {
    const Dims slice_live = LiveDims(slice);
    Dims live = slice_live;
    live.insert(live.begin() + dim_, live_size());
    SetLiveDims(output, live);
    CopyInto(slice, output, SliceOf(LiveView(*output)), budget_);
  }

  const OpCall& call_;
  const Region& body_;
  std::span<Value> args_;
  ControlState& state_;
  Budget* budget_;
  int dim_;
  size_t carries_;
  size_t inputs_;
};

}  // namespace

ControlStep EnterScan(const OpCall& call, std::span<Value> args, ControlState& state,
                      EvalContext& context) {
  RunningScan scan(call, args, state, context.budget());
  if (state.step == 0) {
    RegionFunction* function = scan.HasScalarBody() ? &context.Function(scan.body()) : nullptr;
    if (function != nullptr && function->is_scalar_program()) return scan.RunDirectly(*function);
    state.step = 1;
    scan.Start();
  } else {
    scan.TakeReturned();
  }
  return scan.done() ? scan.Done() : scan.NextStep();
}

}  // namespace hlo
