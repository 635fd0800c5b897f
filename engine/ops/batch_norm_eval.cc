#include "engine/ops/batch_norm_eval.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "engine/kernels/element_loop.h"
#include "engine/kernels/move_copy.h"
#include "engine/kernels/move_loops.h"
#include "engine/kernels/reduce_fold.h"
#include "engine/kernels/scalar_binary.h"
#include "engine/kernels/scalar_unary.h"
#include "engine/ops/shape_checks.h"
#include "engine/ops/tensor_moves.h"
#include "engine/types/convert.h"

namespace hlo {
namespace {

/// Elements that go through a formula together.
constexpr int64_t kBlock = 1024;

/// The type everything is computed in: that of the operands or, where they differ, the widest.
ElementType ComputeType(std::span<const Value> args) {
  ElementType type = args[0].tensor().element_type();
  for (const Value& arg : args) type = HigherPrecision(type, arg.tensor().element_type());
  return type;
}

/// The run-time sizes that all operands of the first one's dimensions have.
Dims LiveInAll(std::span<const Value> args) {
  Dims live = args[0].tensor().dims();
  for (const Value& arg : args) {
    if (arg.tensor().dims() == args[0].tensor().dims()) MeetLiveDims(arg.tensor(), &live);
  }
  return live;
}

/// In the written element type and with the bounds of dynamic dimensions.
Tensor Finish(const Tensor& live, const Shape& shape, Budget* budget) {
  Tensor converted = ConvertTensor(live, shape.element_type(), budget);
  if (live.dims() == shape.dims()) return converted;
  Tensor result = MakeTensor(shape, live.dims(), budget);
  CopyInto(converted, &result, LiveView(result), budget);
  for (int d = 0; d < shape.rank(); ++d) {
    if (shape.is_dynamic(d)) return result;
  }
  result.set_dynamic_sizes({});
  return result;
}

/// An operation of two arguments on `count` elements.
void Run(const ElementLoop& loop, int64_t count, const std::byte* a, const std::byte* b,
         std::byte* result) {
  const std::byte* const args[] = {a, b};
  loop.Run(count, args, result);
}

/// What the three ops share: arrays over the live elements, vectors over the features, and
/// arithmetic on both.
class BatchNorm {
 public:
  BatchNorm(const OpCall& call, std::span<const Value> args, EvalContext& context)
      : budget_(context.budget()),
        type_(ComputeType(args)),
        width_(BytesOf(type_)),
        live_(LiveInAll(args)),
        feature_(static_cast<size_t>(call.Int("feature_index"))),
        features_(live_[feature_]),
        add(BinaryLoop<AddOp>(type_)),
        subtract(BinaryLoop<SubtractOp>(type_)),
        multiply(BinaryLoop<MultiplyOp>(type_)),
        divide(BinaryLoop<DivideOp>(type_)) {
    for (size_t d = 0; d < live_.size(); ++d) {
      if (d != feature_) (d < feature_ ? outer_ : inner_) *= live_[d];
    }
    // XLA keeps epsilon as f32.
    epsilon = Filled(Tensor::Scalar<float>(static_cast<float>(call.Float("epsilon"))));
    count = Filled(Tensor::Scalar<int64_t>(outer_ * inner_));
  }

  /// The live elements of an operand in the type of the computation.
  Tensor Array(const Value& value) const { return Live(value.tensor(), live_); }
  Tensor Vector(const Value& value) const { return Live(value.tensor(), Dims{features_}); }
  Tensor NewArray() const { return Tensor(type_, live_, budget_); }

  /// A vector from vectors.
  Tensor Combine(const ElementLoop& loop, const Tensor& a, const Tensor& b) const {
    Tensor result(type_, Dims{features_}, budget_);
    for (int64_t i = 0; i < features_; i += kPollElements) {
      const int64_t n = std::min(kPollElements, features_ - i);
      Run(loop, n, At(a, i), At(b, i), At(&result, i));
      budget_->Poll();
    }
    return result;
  }
  Tensor Rsqrt(const Tensor& vector) const {
    return Combine(UnaryLoop<RsqrtOp>(type_), vector, vector);
  }

  /// Sums over all dimensions but the features', rounded once.
  Tensor Sum(const Tensor& array) const {
    const ElementType fold_type = type_ == ElementType::kF64 ? type_ : ElementType::kF32;
    const Tensor wide = ConvertTensor(array, fold_type, budget_);
    Tensor sums(ElementType::kF64, Dims{features_}, budget_);
    Dims reduced;
    for (size_t d = 0; d < live_.size(); ++d) {
      if (d != feature_) reduced.push_back(static_cast<int64_t>(d));
    }
    const StridedView view = RowMajorView(live_);
    const Tensor zero = Tensor::Scalar<double>(0);
    FoldView(Reducer::kAdd, fold_type, wide.bytes(), Permute(view, Dims{int64_t(feature_)}),
             Permute(view, reduced), zero.bytes(), sums.mutable_bytes(), budget_);
    return ConvertTensor(sums, type_, budget_);
  }

  /// formula(start, n, spread): for the elements [start, start + n) of arrays; spread[i] are the
  /// elements of vectors[i] that belong to them.
  template <typename F>
  void ForEachBlock(std::span<const Tensor> vectors, F&& formula) const {
    if (outer_ * inner_ * features_ == 0) return;
    // A block is `outers` x `features` x `inners`; more than one only where all of what is further
    // inside is in it, so that it is one piece of memory.
    const int64_t inners = std::min(inner_, kBlock);
    const int64_t features =
        inners < inner_ ? 1 : std::min(features_, std::max<int64_t>(1, kBlock / inner_));
    const int64_t outers =
        features < features_ ? 1
                             : std::min(outer_, std::max<int64_t>(1, kBlock / inner_ / features_));
    std::vector<std::shared_ptr<Buffer>> buffers;
    std::vector<const std::byte*> spread;
    for (size_t i = 0; i < vectors.size(); ++i) {
      buffers.push_back(
          Buffer::Allocate(static_cast<size_t>(outers * features * inners * width_), budget_));
      spread.push_back(buffers.back()->data());
    }
    int64_t work = 0;
    for (int64_t f = 0; f < features_; f += features) {
      const int64_t feature_count = std::min(features, features_ - f);
      const StridedView repeated{{outers, feature_count, inners}, {0, 1, 0}, f};
      for (size_t i = 0; i < vectors.size(); ++i) {
        GatherView(width_, vectors[i].bytes(), repeated, buffers[i]->data(), budget_);
      }
      for (int64_t o = 0; o < outer_; o += outers) {
        for (int64_t i = 0; i < inner_; i += inners) {
          const int64_t n =
              std::min(outers, outer_ - o) * feature_count * std::min(inners, inner_ - i);
          formula((o * features_ + f) * inner_ + i, n, spread);
          work += n;
          if (work < kPollElements) continue;
          work = 0;
          budget_->Poll();
        }
      }
    }
  }

  const std::byte* At(const Tensor& tensor, int64_t i) const { return tensor.bytes() + i * width_; }
  std::byte* At(Tensor* tensor, int64_t i) const { return tensor->mutable_bytes() + i * width_; }

 private:
  Tensor Live(const Tensor& tensor, const Dims& live) const {
    const Tensor packed = TensorFromView(tensor, Prefix(RowMajorView(tensor.dims()), live),
                                         Shape::Array(tensor.element_type(), live), budget_);
    return ConvertTensor(packed, type_, budget_);
  }

  Tensor Filled(const Tensor& scalar) const {
    const Tensor element = ConvertTensor(scalar, type_, budget_);
    Tensor result(type_, Dims{features_}, budget_);
    FillElements(width_, element.bytes(), result.mutable_bytes(), features_, budget_);
    return result;
  }

  Budget* budget_;
  ElementType type_;
  int width_;
  Dims live_;
  size_t feature_;
  int64_t features_;
  int64_t outer_ = 1, inner_ = 1;  // elements around a feature: [outer, features, inner]

 public:
  const ElementLoop add, subtract, multiply, divide;
  /// Vectors of the same number everywhere: epsilon, and how many elements a feature has.
  Tensor epsilon, count;
};

}  // namespace

Value EvalBatchNormTraining(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const BatchNorm norm(call, args, context);
  const Tensor x = norm.Array(args[0]);
  Tensor result = norm.NewArray();
  norm.ForEachBlock({}, [&](int64_t at, int64_t n, const auto&) {
    Run(norm.multiply, n, norm.At(x, at), norm.At(x, at), norm.At(&result, at));
  });
  const Tensor mean = norm.Combine(norm.divide, norm.Sum(x), norm.count);
  const Tensor mean_of_squares = norm.Combine(norm.divide, norm.Sum(result), norm.count);
  const Tensor variance =
      norm.Combine(norm.subtract, mean_of_squares, norm.Combine(norm.multiply, mean, mean));
  const Tensor vectors[] = {mean, norm.Rsqrt(norm.Combine(norm.add, variance, norm.epsilon)),
                            norm.Vector(args[1]), norm.Vector(args[2])};
  norm.ForEachBlock(vectors, [&](int64_t at, int64_t n, const auto& spread) {
    std::byte* const to = norm.At(&result, at);
    Run(norm.subtract, n, norm.At(x, at), spread[0], to);
    Run(norm.multiply, n, to, spread[1], to);
    Run(norm.multiply, n, to, spread[2], to);
    Run(norm.add, n, to, spread[3], to);
  });
  const std::vector<Shape>& shapes = call.shape().elements();
  Budget* budget = context.budget();
  return Value::Tuple({Finish(result, shapes[0], budget), Finish(mean, shapes[1], budget),
                       Finish(variance, shapes[2], budget)});
}

Value EvalBatchNormInference(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const BatchNorm norm(call, args, context);
  const Tensor x = norm.Array(args[0]);
  const Tensor variance = norm.Combine(norm.add, norm.Vector(args[4]), norm.epsilon);
  const Tensor factor = norm.Combine(norm.multiply, norm.Vector(args[1]), norm.Rsqrt(variance));
  const Tensor shift = norm.Combine(norm.subtract, norm.Vector(args[2]),
                                    norm.Combine(norm.multiply, norm.Vector(args[3]), factor));
  const Tensor vectors[] = {factor, shift};
  Tensor result = norm.NewArray();
  norm.ForEachBlock(vectors, [&](int64_t at, int64_t n, const auto& spread) {
    std::byte* const to = norm.At(&result, at);
    Run(norm.multiply, n, norm.At(x, at), spread[0], to);
    Run(norm.add, n, to, spread[1], to);
  });
  return Finish(result, call.shape(), context.budget());
}

Value EvalBatchNormGrad(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const BatchNorm norm(call, args, context);
  Budget* budget = context.budget();
  const Tensor x = norm.Array(args[0]), gradient = norm.Array(args[4]);
  const Tensor mean = norm.Vector(args[2]);
  const Tensor variance = norm.Combine(norm.add, norm.Vector(args[3]), norm.epsilon);
  const Tensor rsqrt = norm.Rsqrt(variance);
  Tensor result = norm.NewArray();
  norm.ForEachBlock({&mean, 1}, [&](int64_t at, int64_t n, const auto& spread) {
    std::byte* const to = norm.At(&result, at);
    Run(norm.subtract, n, norm.At(x, at), spread[0], to);
    Run(norm.multiply, n, norm.At(gradient, at), to, to);
  });
  const Tensor sum = norm.Sum(gradient), weighted_sum = norm.Sum(result);
  const Tensor factor = norm.Combine(
      norm.divide, norm.Combine(norm.multiply, norm.Vector(args[1]), rsqrt), norm.count);
  const Tensor vectors[] = {mean, weighted_sum, variance, norm.count, sum, factor};
  const auto scratch =
      Buffer::Allocate(static_cast<size_t>(kBlock * BytesOf(x.element_type())), budget);
  norm.ForEachBlock(vectors, [&](int64_t at, int64_t n, const auto& spread) {
    std::byte* const distance = scratch->data();
    Run(norm.subtract, n, norm.At(x, at), spread[0], distance);
    Run(norm.multiply, n, spread[1], distance, distance);
    Run(norm.divide, n, distance, spread[2], distance);
    std::byte* const to = norm.At(&result, at);
    Run(norm.multiply, n, norm.At(gradient, at), spread[3], to);
    Run(norm.subtract, n, to, spread[4], to);
    Run(norm.subtract, n, to, distance, to);
    Run(norm.multiply, n, spread[5], to, to);
  });
  const std::vector<Shape>& shapes = call.shape().elements();
  return Value::Tuple({Finish(result, shapes[0], budget),
                       Finish(norm.Combine(norm.multiply, weighted_sum, rsqrt), shapes[1], budget),
                       Finish(sum, shapes[2], budget)});
}

}  // namespace hlo
