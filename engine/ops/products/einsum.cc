#include "engine/ops/products/einsum.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/indices.h"
#include "engine/kernels/move_copy.h"
#include "engine/ops/custom_calls/custom_call_targets.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/products/einsum_text.h"
#include "engine/types/convert.h"

namespace hlo {
namespace {

/// One operand: its dimensions by label, each once.
struct Operand {
  struct Dimension {
    int label;
    int64_t size, stride;
  };
  Tensor tensor;
  std::vector<Dimension> dims;

  const Dimension* Find(int label) const {
    for (const Dimension& dim : dims) {
      if (dim.label == label) return &dim;
    }
    return nullptr;
  }
  void Drop(int label) {
    std::erase_if(dims, [&](const Dimension& dim) { return dim.label == label; });
  }
};

class EinsumSum {
 public:
  EinsumSum(const OpCall& call, const EinsumText& text, std::span<Value> args, EvalContext& context)
      : call_(call),
        context_(context),
        result_(text.result),
        x_(Diagonal(std::move(args[0].tensor()), text.operands[0])),
        y_(Diagonal(std::move(args[1].tensor()), text.operands[1])) {}

  Value Run() {
    StretchTo(x_, y_);
    StretchTo(y_, x_);
    CheckResult();
    // Sums over dimensions that neither the other operand nor the result has.
    AddUp(&x_, y_);
    AddUp(&y_, x_);
    EinsumLabels batch, inner, left, right;
    for (const auto& dim : x_.dims) {
      const bool is_shared = y_.Find(dim.label) != nullptr;
      (!is_shared ? left : HasLabel(result_, dim.label) ? batch : inner).push_back(dim.label);
    }
    for (const auto& dim : y_.dims) {
      if (!x_.Find(dim.label)) right.push_back(dim.label);
    }
    const Tensor product = Multiply(Arranged(x_, batch, left, inner), batch.size(), inner.size(),
                                    Arranged(y_, batch, right, inner));
    EinsumLabels order = batch;
    order.insert(order.end(), left.begin(), left.end());
    order.insert(order.end(), right.begin(), right.end());
    return Value(Placed(product, order));
  }

 private:
  /// Replaces dimensions with the same label by one, along their diagonal.
  Operand Diagonal(Tensor tensor, const EinsumLabels& labels) {
    Operand operand;
    const Dims strides = DenseStrides(tensor.dims());
    for (size_t d = 0; d < labels.size(); ++d) {
      const int64_t size = tensor.dim(static_cast<int>(d));
      auto same = std::find_if(operand.dims.begin(), operand.dims.end(),
                               [&](const auto& dim) { return dim.label == labels[d]; });
      if (same == operand.dims.end()) {
        operand.dims.push_back({labels[d], size, strides[d]});
        continue;
      }
      if (same->size != size) {
        RefuseCall(call_, fmt::format("takes the diagonal of dimensions of sizes {} and {}",
                                      same->size, size));
      }
      same->stride += strides[d];
    }
    operand.tensor = std::move(tensor);
    return operand;
  }

  /// Drops dimensions of size 1 where the other operand's is larger.
  void StretchTo(Operand& operand, const Operand& other) {
    for (size_t i = operand.dims.size(); i-- > 0;) {
      const auto dim = operand.dims[i];
      const auto* theirs = other.Find(dim.label);
      if (!theirs || theirs->size == dim.size) continue;
      if (dim.size != 1 && theirs->size != 1) {
        RefuseCall(call_, fmt::format("has dimensions of one name and of the sizes {} and {}",
                                      dim.size, theirs->size));
      }
      if (dim.size == 1) operand.Drop(dim.label);
    }
  }

  int64_t SizeOf(int label) const {
    const auto* dim = x_.Find(label);
    if (!dim) dim = y_.Find(label);
    return dim ? dim->size : 1;
  }

  /// Checks the written result before anything is computed, since its sizes could be arbitrary.
  void CheckResult() {
    Dims dims;
    for (int label : result_) dims.push_back(SizeOf(label));
    if (call_.shape().dims() == dims) return;
    RefuseCall(call_, fmt::format("gives {}, not {}",
                                  ShapeName(Shape::Array(call_.shape().element_type(), dims)),
                                  ShapeName(call_.shape())));
  }

  Tensor Arranged(const Operand& operand, const EinsumLabels& a, const EinsumLabels& b,
                  const EinsumLabels& c) {
    StridedView view;
    for (const EinsumLabels* labels : {&a, &b, &c}) {
      for (int label : *labels) {
        const auto* dim = operand.Find(label);
        view.dims.push_back(dim->size);
        view.strides.push_back(dim->stride);
      }
    }
    return TensorFromView(operand.tensor, view,
                          Shape::Array(operand.tensor.element_type(), view.dims),
                          context_.budget());
  }

  /// Dot over the last `inner` dimensions of both, with `batch` dimensions in front.
  Tensor Multiply(const Tensor& a, size_t batch, size_t inner, const Tensor& b) {
    const auto range = [](int first, size_t count) {
      Dims dims;
      for (size_t i = 0; i < count; ++i) dims.push_back(first + static_cast<int64_t>(i));
      return dims;
    };
    const int a_first = a.rank() - static_cast<int>(inner);
    const int b_first = b.rank() - static_cast<int>(inner);
    NamedAttrs attrs = {{"lhs_contracting_dims", range(a_first, inner)},
                        {"rhs_contracting_dims", range(b_first, inner)}};
    if (batch > 0) {
      attrs.push_back({"lhs_batch_dims", range(0, batch)});
      attrs.push_back({"rhs_batch_dims", range(0, batch)});
    }
    const ElementType type = call_.shape().element_type();
    Dims dims;
    for (int d = 0; d < a_first; ++d) dims.push_back(a.dim(d));
    for (int d = static_cast<int>(batch); d < b_first; ++d) dims.push_back(b.dim(d));
    const Shape shapes[] = {Shape::Array(a.element_type(), a.dims()),
                            Shape::Array(b.element_type(), b.dims())};
    const Shape* const operands[] = {&shapes[0], &shapes[1]};
    Value values[] = {Value(a), Value(b)};
    return CallOp(Opcode::kDot, attrs, call_, operands, values, Shape::Array(type, dims), context_)
        .tensor();
  }

  void AddUp(Operand* operand, const Operand& other) {
    EinsumLabels kept, lone;
    for (const auto& dim : operand->dims) {
      const bool is_lone = !other.Find(dim.label) && !HasLabel(result_, dim.label);
      (is_lone ? lone : kept).push_back(dim.label);
    }
    if (lone.empty()) return;
    Tensor all = Arranged(*operand, kept, lone, {});
    Dims ones_dims;
    for (int d = static_cast<int>(kept.size()); d < all.rank(); ++d)
      ones_dims.push_back(all.dim(d));
    Tensor ones(all.element_type(), ones_dims, context_.budget());
    const bool truth = true;
    std::byte one[16];
    ConvertElements(ElementType::kPred, reinterpret_cast<const std::byte*>(&truth),
                    ones.element_type(), one, 1);
    FillElements(BytesOf(ones.element_type()), one, ones.mutable_bytes(), ones.element_count(),
                 context_.budget());
    operand->tensor = Multiply(all, 0, lone.size(), ones);
    operand->dims.clear();
    operand->dims = Diagonal(operand->tensor, kept).dims;
  }

  /// Brings the product into the result's dimension order.
  Tensor Placed(const Tensor& product, const EinsumLabels& order) {
    const Shape& shape = call_.shape();
    Operand all = Diagonal(product, order);
    EinsumLabels once;
    for (int label : result_) {
      if (!HasLabel(once, label)) once.push_back(label);
    }
    StridedView view;
    for (int label : once) {
      const auto* dim = all.Find(label);
      view.dims.push_back(dim ? dim->size : 1);
      view.strides.push_back(dim ? dim->stride : 0);
    }
    Budget* const budget = context_.budget();
    Tensor plain =
        TensorFromView(product, view, Shape::Array(product.element_type(), view.dims), budget);
    if (once.size() == result_.size()) return plain;
    // Repeated labels: the values go on the diagonal of a zero array.
    Tensor result = ZeroValue(shape, budget).tensor();
    StridedView diagonal;
    const StridedView whole = RowMajorView(shape.dims());
    for (int label : once) {
      int64_t stride = 0;
      for (size_t d = 0; d < result_.size(); ++d) {
        if (result_[d] == label) stride += whole.strides[d];
      }
      const auto* dim = all.Find(label);
      diagonal.dims.push_back(dim ? dim->size : 1);
      diagonal.strides.push_back(stride);
    }
    CopyInto(plain, &result, diagonal, budget);
    return result;
  }

  const OpCall& call_;
  EvalContext& context_;
  const EinsumLabels& result_;
  Operand x_, y_;
};

}  // namespace

Value Einsum(const OpCall& call, std::string_view text, std::span<Value> args,
             EvalContext& context) {
  WantOperands(call, 2);
  if (!call.operand(0).IsArray() || !call.operand(1).IsArray() || !call.shape().IsArray()) {
    RefuseCall(call, "takes two arrays and gives one");
  }
  const Shape* const shapes[] = {&call.operand(0), &call.operand(1)};
  std::string fault;
  const auto labels = ReadEinsum(text, shapes, &fault);
  if (!labels) RefuseCall(call, fmt::format("with \"{}\": {}", text, fault));
  return EinsumSum(call, *labels, args, context).Run();
}

}  // namespace hlo
