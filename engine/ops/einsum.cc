#include "engine/ops/einsum.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/kernels/move_copy.h"
#include "engine/ops/custom_call_targets.h"
#include "engine/ops/tensor_moves.h"
#include "engine/types/convert.h"

namespace hlo {
namespace {

/// Names of dimensions: letters, and -1, -2, ... for those that "..." stands for, from the last.
using Labels = std::vector<int>;

/// "ab" and "ab" of "ab...cd"; the second part is missing without dots.
struct Term {
  std::string_view before, behind;
  bool has_dots = false;
};

class Description {
 public:
  Description(const OpCall& call, std::string_view text) : call_(call), text_(text) {}

  /// The labels of both operands and of the result.
  std::array<Labels, 3> Read() {
    const size_t comma = text_.find(',');
    if (comma == text_.npos || text_.find(',', comma + 1) != text_.npos) {
      Fail("Expected one \",\" in einsum_config");
    }
    const size_t arrow = text_.find("->", comma);
    const std::string_view second =
        text_.substr(comma + 1, arrow == text_.npos ? text_.npos : arrow - comma - 1);
    const Term x = ReadTerm(text_.substr(0, comma)), y = ReadTerm(second);
    std::array<Labels, 3> labels;
    const int x_dots = DotsOf(x, 0), y_dots = DotsOf(y, 1), dots = std::max(x_dots, y_dots);
    labels[0] = LabelsOf(x, x_dots);
    labels[1] = LabelsOf(y, y_dots);
    labels[2] = arrow == text_.npos ? Implied(labels[0], labels[1], x.has_dots || y.has_dots, dots)
                                    : LabelsOf(ReadTerm(text_.substr(arrow + 2)), dots);
    return labels;
  }

 private:
  [[noreturn]] void Fail(std::string_view why) {
    RefuseCall(call_, fmt::format("with \"{}\": {}", text_, why));
  }

  Term ReadTerm(std::string_view text) {
    constexpr std::string_view kDots = "...";
    Term term;
    const size_t dots = text.find(kDots);
    term.has_dots = dots != text.npos;
    term.before = text.substr(0, dots);
    if (term.has_dots) term.behind = text.substr(dots + kDots.size());
    for (std::string_view part : {term.before, term.behind}) {
      for (char c : part) {
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!is_letter) Fail("Unexpected character in einsum config");
      }
    }
    return term;
  }

  /// How many dimensions the dots of an operand stand for.
  int DotsOf(const Term& term, int operand) {
    const int named = static_cast<int>(term.before.size() + term.behind.size());
    const int rank = call_.operand(operand).rank();
    if (rank < named) Fail("Too few dimensions in the input for the given einsum config");
    if (rank > named && !term.has_dots) {
      Fail(fmt::format("{} has more dimensions than are named", ShapeName(call_.operand(operand))));
    }
    return rank - named;
  }

  static Labels LabelsOf(const Term& term, int dots) {
    Labels labels(term.before.begin(), term.before.end());
    for (int i = term.has_dots ? dots : 0; i > 0; --i) labels.push_back(-i);
    labels.insert(labels.end(), term.behind.begin(), term.behind.end());
    return labels;
  }

  static Labels Implied(const Labels& x, const Labels& y, bool has_dots, int dots) {
    std::map<int, int> times;
    for (const Labels* labels : {&x, &y}) {
      for (int label : *labels) ++times[label];
    }
    Labels result;
    for (int i = has_dots ? dots : 0; i > 0; --i) result.push_back(-i);
    for (const auto& [label, count] : times) {
      if (label > 0 && count == 1) result.push_back(label);
    }
    return result;
  }

  const OpCall& call_;
  std::string_view text_;
};

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

bool Has(const Labels& labels, int label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

class Sum {
 public:
  Sum(const OpCall& call, const std::array<Labels, 3>& labels, std::span<Value> args,
      EvalContext& context)
      : call_(call),
        context_(context),
        result_(labels[2]),
        x_(Diagonal(std::move(args[0].tensor()), labels[0])),
        y_(Diagonal(std::move(args[1].tensor()), labels[1])) {}

  Value Run() {
    StretchTo(x_, y_);
    StretchTo(y_, x_);
    // Lone dimensions that the result does not have.
    AddUp(&x_, y_);
    AddUp(&y_, x_);
    Labels batch, inner, left, right;
    for (const auto& dim : x_.dims) {
      const bool is_shared = y_.Find(dim.label) != nullptr;
      (!is_shared ? left : Has(result_, dim.label) ? batch : inner).push_back(dim.label);
    }
    for (const auto& dim : y_.dims) {
      if (!x_.Find(dim.label)) right.push_back(dim.label);
    }
    const Tensor product = Multiply(Arranged(x_, batch, left, inner), batch.size(), inner.size(),
                                    Arranged(y_, batch, right, inner));
    Labels order = batch;
    order.insert(order.end(), left.begin(), left.end());
    order.insert(order.end(), right.begin(), right.end());
    return Value(Placed(product, order));
  }

 private:
  /// Dimensions that have the same label are one, which runs along their diagonal.
  Operand Diagonal(Tensor tensor, const Labels& labels) {
    Operand operand;
    int64_t stride = 1;
    std::vector<int64_t> strides(labels.size());
    for (size_t d = labels.size(); d-- > 0;) {
      strides[d] = stride;
      stride *= tensor.dim(static_cast<int>(d));
    }
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

  /// What has size 1 where the other is larger counts as absent.
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

  Tensor Arranged(const Operand& operand, const Labels& a, const Labels& b, const Labels& c) {
    StridedView view;
    for (const Labels* labels : {&a, &b, &c}) {
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
      attrs.emplace_back("lhs_batch_dims", range(0, batch));
      attrs.emplace_back("rhs_batch_dims", range(0, batch));
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
    Labels kept, lone;
    for (const auto& dim : operand->dims) {
      const bool is_lone = !other.Find(dim.label) && !Has(result_, dim.label);
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

  /// As the result names the dimensions.
  Tensor Placed(const Tensor& product, const Labels& order) {
    const Shape& shape = call_.shape();
    Operand all = Diagonal(product, order);
    Labels once;
    for (int label : result_) {
      if (!Has(once, label)) once.push_back(label);
    }
    StridedView view;
    Dims dims;
    for (int label : result_) {
      const auto* dim = all.Find(label);
      dims.push_back(dim ? dim->size : 1);
    }
    for (int label : once) {
      const auto* dim = all.Find(label);
      view.dims.push_back(dim ? dim->size : 1);
      view.strides.push_back(dim ? dim->stride : 0);
    }
    if (shape.dims() != dims) {
      RefuseCall(call_, fmt::format("gives {}, not {}",
                                    ShapeName(Shape::Array(product.element_type(), dims)),
                                    ShapeName(shape)));
    }
    Budget* const budget = context_.budget();
    Tensor plain =
        TensorFromView(product, view, Shape::Array(product.element_type(), view.dims), budget);
    if (once.size() == result_.size()) return plain;
    // Names that occur again: the diagonal of an array of zeros.
    Tensor result = ZeroValue(shape, budget).tensor();
    StridedView diagonal;
    const StridedView whole = RowMajorView(dims);
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
  const Labels& result_;
  Operand x_, y_;
};

}  // namespace

Value Einsum(const OpCall& call, std::string_view text, std::span<Value> args,
             EvalContext& context) {
  WantOperands(call, 2);
  if (!call.operand(0).IsArray() || !call.operand(1).IsArray() || !call.shape().IsArray()) {
    RefuseCall(call, "takes two arrays and gives one");
  }
  const std::array<Labels, 3> labels = Description(call, text).Read();
  return Sum(call, labels, args, context).Run();
}

}  // namespace hlo
