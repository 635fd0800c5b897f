#include "engine/why/sums.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "engine/base/function_ref.h"
#include "engine/base/indices.h"
#include "engine/hlo/ir.h"
#include "engine/ops/products/dot_dims.h"
#include "engine/types/convert.h"
#include "engine/types/element_number.h"
#include "engine/why/links.h"

namespace hlo {
namespace {

constexpr int64_t kTermsPerPoll = 4096;

// A product of two elements, or an element alone.
struct SumTerm {
  double a = 0;
  double b = 1;
  Dims a_index, b_index;
  bool is_product = false;
};
// Sees the terms in order, until it says false.
using TermVisitor = FunctionRef<bool(const SumTerm&)>;

double TermNumber(const Tensor& array, const Dims& index) {
  const ElementType type = array.element_type();
  return ElementNumber(type, array.bytes() + Ravel(index, array.dims()) * BytesOf(type));
}

// Of a scan with one carry, what is both put out and carried on.
const Instruction* CarriedOf(const OpCall& call, const Instruction* root) {
  const bool is_pair = root && root->opcode() == Opcode::kTuple && root->operand_count() == 2 &&
                       root->operand(0) == root->operand(1) && call.Int("num_carries") == 1;
  return is_pair ? root->operand(0) : nullptr;
}

// The operation that a region of two scalars is, if it is add or multiply.
std::optional<Opcode> CombinerOf(const OpCall& call) {
  const Region* region = call.GetRegion("to_apply");
  if (!region) return std::nullopt;
  const Computation& computation = *AsComputation(region);
  const bool scans = call.opcode() == Opcode::kScan;
  const Instruction* root = scans ? CarriedOf(call, computation.root()) : computation.root();
  const bool is_plain = root && computation.instructions().size() == (scans ? 4 : 3) &&
                        computation.parameters().size() == 2 && root->operand_count() == 2 &&
                        root->operand(0) != root->operand(1);
  const bool is_known =
      is_plain && (root->opcode() == Opcode::kAdd || root->opcode() == Opcode::kMultiply);
  return is_known ? std::optional(root->opcode()) : std::nullopt;
}

bool IsContraction(const OpCall& call) {
  return call.opcode() == Opcode::kDot || call.opcode() == Opcode::kConvolution;
}

void ForEachDotTerm(const Executed& at, const Dims& index, TermVisitor visit) {
  const Tensor &lhs = at.args[0].tensor(), &rhs = at.args[1].tensor();
  const DotDims dims = DotDimsOf(at.call);
  SumTerm term;
  term.is_product = true;
  term.a_index = IndexIn(SourceBox(*DotLinks(at.call, 0, 0), lhs.dims(), index), 0);
  term.b_index = IndexIn(SourceBox(*DotLinks(at.call, 1, 0), rhs.dims(), index), 0);
  Dims sizes;
  for (const int64_t d : dims.lhs_contracting) sizes.push_back(lhs.dims()[static_cast<size_t>(d)]);
  Dims k(sizes.size(), 0);
  int64_t count = 1;
  for (const int64_t size : sizes) count *= size;
  for (int64_t i = 0; i < count; ++i, NextIndex(k, sizes)) {
    for (size_t c = 0; c < k.size(); ++c) {
      term.a_index[static_cast<size_t>(dims.lhs_contracting[c])] = k[c];
      term.b_index[static_cast<size_t>(dims.rhs_contracting[c])] = k[c];
    }
    term.a = TermNumber(lhs, term.a_index);
    term.b = TermNumber(rhs, term.b_index);
    if (!visit(term)) return;
  }
}

// Each element of the window with that of the kernel.
void ForEachConvolutionTerm(const Executed& at, const Dims& index, TermVisitor visit) {
  const Tensor &input = at.args[0].tensor(), &kernel = at.args[1].tensor();
  const ConvDimLabels& labels = at.call.DimLabels();
  const Window& window = at.call.GetWindow();
  const Box box = SourceBox(*ConvolutionLinks(at.call, 0, 0), input.dims(), index);
  const auto at_dim = [](Dims& place, int64_t d) -> int64_t& {
    return place[static_cast<size_t>(d)];
  };
  const int64_t features = kernel.dims()[static_cast<size_t>(labels.kernel_input_feature)];
  SumTerm term;
  term.is_product = true;
  term.b_index = Dims(kernel.dims().size(), 0);
  at_dim(term.b_index, labels.kernel_output_feature) =
      index[static_cast<size_t>(labels.output_feature)];
  const int64_t count = CountOf(box);
  for (int64_t i = 0; i < count; ++i) {
    term.a_index = IndexIn(box, i);
    at_dim(term.b_index, labels.kernel_input_feature) =
        at_dim(term.a_index, labels.input_feature) % features;
    for (size_t d = 0; d < window.size(); ++d) {
      const WindowDim& dim = window[d];
      const int64_t begin =
          dim.stride * index[static_cast<size_t>(labels.output_spatial[d])] - dim.pad_low;
      const int64_t tap =
          (at_dim(term.a_index, labels.input_spatial[d]) * dim.base_dilation - begin) /
          dim.window_dilation;
      at_dim(term.b_index, labels.kernel_spatial[d]) = dim.reversal ? dim.size - 1 - tap : tap;
    }
    term.a = TermNumber(input, term.a_index);
    term.b = TermNumber(kernel, term.b_index);
    if (!visit(term)) return;
  }
}

// The elements that a reduction combines; its initial value is no term.
void ForEachElement(const Executed& at, const Dims& path, const Dims& index, TermVisitor visit) {
  const Tensor& input = at.args[0].tensor();
  SumTerm term;
  if (at.call.opcode() == Opcode::kScan) {
    // Up to that of an output; of the carry all.
    const auto d = static_cast<size_t>(at.call.Ints("dimensions")[0]);
    const int64_t size = input.dims()[d];
    const bool is_output = path.empty() || path[0] == 0, is_reverse = at.call.Bool("is_reverse");
    const int64_t end = !is_output ? size : is_reverse ? size - index[d] : index[d] + 1;
    term.a_index = index;
    if (!is_output) term.a_index.insert(term.a_index.begin() + static_cast<ptrdiff_t>(d), 0);
    for (int64_t i = 0; i < end; ++i) {
      term.a_index[d] = is_reverse ? size - 1 - i : i;
      term.a = TermNumber(input, term.a_index);
      if (!visit(term)) return;
    }
    return;
  }
  const bool is_window = at.call.opcode() == Opcode::kReduceWindow;
  const auto links = is_window ? ReduceWindowLinks(at.call, 0, 0) : ReduceLinks(at.call, 0, 0);
  const Box box = SourceBox(*links, input.dims(), index);
  const int64_t count = CountOf(box);
  for (int64_t i = 0; i < count; ++i) {
    term.a_index = IndexIn(box, i);
    term.a = TermNumber(input, term.a_index);
    if (!visit(term)) return;
  }
}

void ForEachTerm(const Executed& at, const Dims& path, const Dims& index, TermVisitor visit) {
  if (at.call.opcode() == Opcode::kDot) return ForEachDotTerm(at, index, visit);
  if (at.call.opcode() == Opcode::kConvolution) return ForEachConvolutionTerm(at, index, visit);
  ForEachElement(at, path, index, visit);
}

// A sum as it is taken.
struct RunningSum {
  explicit RunningSum(const OpCall& call)
      : type(PartOf(call, 0).element_type()), is_contraction(IsContraction(call)) {
    if (!is_contraction) combiner = *CombinerOf(call);
    // A reduction sums floats of 32 bits and less in f64, and rounds once; products of them, and
    // those of contractions, are taken in f32. A scan rounds to its own type each time.
    if (call.opcode() == Opcode::kScan) {
      rounded_to = type;
    } else if (type != ElementType::kF64 && (is_contraction || combiner == Opcode::kMultiply)) {
      rounded_to = ElementType::kF32;
    }
  }
  double Rounded(double number) const {
    if (rounded_to == ElementType::kF64) return number;
    if (rounded_to == ElementType::kF32) return static_cast<double>(static_cast<float>(number));
    std::byte bytes[8];
    const auto* from = reinterpret_cast<const std::byte*>(&number);
    ConvertElements(ElementType::kF64, from, rounded_to, bytes, 1);
    double rounded = 0;
    ConvertElements(rounded_to, bytes, ElementType::kF64, reinterpret_cast<std::byte*>(&rounded),
                    1);
    return rounded;
  }

  ElementType type;
  bool is_contraction;
  Opcode combiner = Opcode::kAdd;
  ElementType rounded_to = ElementType::kF64;
};

std::string NumberText(double number) { return fmt::format("{:.6g}", number); }

// "3e+38 * 10"
std::string ProductText(const Executed& at, const SumTerm& term) {
  return fmt::format("{} * {}", ElementText(at.args[0].tensor(), term.a_index),
                     ElementText(at.args[1].tensor(), term.b_index));
}

SumFault ProductFault(const Executed& at, const SumTerm& term, int64_t number, int64_t count) {
  SumFault fault;
  fault.words = count == 1
                    ? ProductText(at, term)
                    : fmt::format("{}, product {} of {},", ProductText(at, term), number, count);
  fault.operands = {{0, {}, term.a_index, ElementText(at.args[0].tensor(), term.a_index)},
                    {1, {}, term.b_index, ElementText(at.args[1].tensor(), term.b_index)}};
  return fault;
}

// "the sum of the first 3 of 4 products"
std::string SumName(const RunningSum& sum, int64_t number, int64_t count) {
  const char* const what = sum.combiner == Opcode::kMultiply ? "product" : "sum";
  const char* const of = sum.is_contraction ? "products" : "elements";
  if (number == count) return fmt::format("the {} of {} {}", what, count, of);
  return fmt::format("the {} of the first {} of {} {}", what, number, count, of);
}

int64_t CountTerms(const Executed& at, const Dims& path, const Dims& index) {
  int64_t count = 0;
  ForEachTerm(at, path, index, [&](const SumTerm&) {
    ++count;
    return true;
  });
  return count;
}

double InitialValue(const Executed& at, const RunningSum& sum, const Dims& path,
                    const Dims& index) {
  if (sum.is_contraction || at.args.size() < 2 || !at.args[1].is_array()) return 0;
  if (at.call.opcode() != Opcode::kScan) return TermNumber(at.args[1].tensor(), {});
  Dims place = index;
  const bool is_output = path.empty() || path[0] == 0;
  if (is_output) place.erase(place.begin() + at.call.Ints("dimensions")[0]);
  return TermNumber(at.args[1].tensor(), place);
}

}  // namespace

bool IsSum(const OpCall& call) {
  for (int i = 0; i < call.operand_count(); ++i) {
    const Shape& shape = call.operand(i);
    if (!shape.IsArray() || shape.has_dynamic_dims() || !IsFloat(shape.element_type()))
      return false;
  }
  if (call.operand_count() != 2) return false;
  if (call.opcode() == Opcode::kScan) return CombinerOf(call).has_value();
  if (!call.shape().IsArray() || !IsFloat(call.shape().element_type())) return false;
  switch (call.opcode()) {
    case Opcode::kDot:
      return true;
    case Opcode::kConvolution:
      return call.attrs().Int("convolution_kind") == 0 && call.Int("batch_group_count", 1) == 1;
    case Opcode::kReduce:
    case Opcode::kReduceWindow:
      return CombinerOf(call).has_value();
    default:
      return false;
  }
}

std::optional<SumFault> OverflowInside(const Executed& at, const Dims& path, const Dims& index,
                                       Budget* budget) {
  const RunningSum sum(at.call);
  std::optional<SumFault> fault;
  double total = InitialValue(at, sum, path, index);
  int64_t number = 0;
  ForEachTerm(at, path, index, [&](const SumTerm& term) {
    if (++number % kTermsPerPoll == 0) budget->Poll();
    const double one = sum.is_contraction ? sum.Rounded(term.a * term.b) : term.a;
    if (!std::isfinite(term.a) || !std::isfinite(term.b)) return false;
    if (std::isinf(one)) {
      fault = ProductFault(at, term, number, CountTerms(at, path, index));
      return false;
    }
    const bool multiplies = sum.combiner == Opcode::kMultiply;
    const double next = sum.Rounded(multiplies ? total * one : total + one);
    if (std::isinf(next)) {
      fault =
          SumFault{fmt::format("{}, {} {} {},", SumName(sum, number, CountTerms(at, path, index)),
                               NumberText(total), multiplies ? "*" : "+", NumberText(one))};
      return false;
    }
    total = next;
    return true;
  });
  if (fault || !std::isfinite(total)) return fault;
  // What is finite where it is summed may be too large for the type of the result.
  const double result = TermNumber(*ArrayAt(at.result, path), index);
  if (!std::isinf(result)) return std::nullopt;
  return SumFault{fmt::format("{}, {},", SumName(sum, number, number), NumberText(total))};
}

std::optional<SumFault> UnderflowInside(const Executed& at, const Dims& path, const Dims& index,
                                        Budget* budget) {
  const RunningSum sum(at.call);
  std::optional<SumFault> fault;
  double total = InitialValue(at, sum, path, index);
  int64_t number = 0;
  bool is_lost = false;
  ForEachTerm(at, path, index, [&](const SumTerm& term) {
    if (++number % kTermsPerPoll == 0) budget->Poll();
    if (!std::isfinite(term.a) || !std::isfinite(term.b)) {
      is_lost = true;
      return false;
    }
    if (!sum.is_contraction) {
      const bool multiplies = sum.combiner == Opcode::kMultiply;
      const double next = sum.Rounded(multiplies ? total * term.a : total + term.a);
      if (multiplies && next == 0 && total != 0 && term.a != 0) {
        fault =
            SumFault{fmt::format("{}, {} * {},", SumName(sum, number, CountTerms(at, path, index)),
                                 NumberText(total), NumberText(term.a))};
        return false;
      }
      total = next;
      return true;
    }
    const double product = sum.Rounded(term.a * term.b);
    if (product == 0 && term.a != 0 && term.b != 0) {
      fault = ProductFault(at, term, number, CountTerms(at, path, index));
      return false;
    }
    total = sum.Rounded(total + product);
    return true;
  });
  if (fault || is_lost || total == 0) return fault;
  return SumFault{fmt::format("{}, {},", SumName(sum, number, number), NumberText(total))};
}

}  // namespace hlo
