// The evaluation of ops against their plain meaning, on random programs of 64-bit integers.
#include "tests/reference/plain_ops.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include "doctest/doctest.h"
#include "engine/hlo/parser.h"
#include "engine/run/executor.h"
#include "engine/types/tensor_view.h"
#include "tests/unit/indices.h"
#include "tests/unit/op_runner.h"
#include "tests/unit/scalar_region.h"

namespace hlo {
namespace {

using plain::Array;
using Random = std::mt19937;
constexpr ElementType kType = ElementType::kS64;
constexpr int kPrograms = 300;

int64_t Pick(Random& random, int64_t low, int64_t high) {
  return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
}

Dims Sizes(Random& random, int64_t rank, int64_t low, int64_t high) {
  Dims sizes;
  for (int64_t d = 0; d < rank; ++d) sizes.push_back(Pick(random, low, high));
  return sizes;
}

/// The numbers from 0 to rank - 1 in a random order.
Dims Permutation(Random& random, int64_t rank) {
  Dims order;
  for (int64_t d = 0; d < rank; ++d) order.push_back(d);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

Array Numbers(const Dims& sizes, Random& random) {
  Array array = plain::Filled(sizes, 0);
  for (int64_t& element : array) element = Pick(random, -9, 9);
  return array;
}

Shape ShapeOf(const Array& array) { return Shape::Array(kType, plain::DimsOf(array)); }

Tensor TensorOf(const Array& array) {
  Tensor tensor(ShapeOf(array), nullptr);
  std::copy(array.begin(), array.end(), tensor.mutable_data<int64_t>());
  return tensor;
}

void CheckSame(const Tensor& got, const Array& wanted) {
  REQUIRE(got.dims() == plain::DimsOf(wanted));
  CHECK(Array(ViewOf<int64_t>(got)) == wanted);
}

/// Neither associative nor commutative: the order of applications shows.
int64_t Mix(int64_t a, int64_t b) { return (a * 3 - b) % 1000003; }

/// A function of two numbers, as a region and as itself: a known op, or one that must be applied in
/// order.
struct Function {
  explicit Function(bool is_known)
      : apply(is_known ? plain::Combine(std::plus<int64_t>()) : plain::Combine(Mix)),
        compiled(apply, is_known ? std::optional(Opcode::kAdd) : std::nullopt) {}
  plain::Combine apply;
  ScalarFunction<int64_t> compiled;
  ScalarRegion region = ReducerOf(kType);
};

using Attrs = std::vector<std::pair<std::string_view, AttrValue>>;

Value Evaluate(Opcode opcode, const std::vector<Tensor>& operands, Attrs attrs, Shape written,
               EvalContext& context) {
  TestOp op{opcode, {}, std::move(attrs), std::move(written)};
  std::vector<Value> args;
  for (const Tensor& operand : operands) {
    op.operands.push_back(Shape::Array(operand.element_type(), operand.dims()));
    args.emplace_back(operand);
  }
  return op.Eval(std::move(args), context);
}

Window RandomWindow(Random& random, int64_t rank, bool dilates) {
  Window window;
  for (int64_t d = 0; d < rank; ++d) {
    WindowDim w{Pick(random, 1, 3), Pick(random, 1, 3), Pick(random, 0, 2), Pick(random, 0, 2)};
    if (dilates) w.base_dilation = Pick(random, 1, 3);
    if (dilates) w.window_dilation = Pick(random, 1, 2);
    window.push_back(w);
  }
  return window;
}

TEST_CASE("pad and reduce mean what they say") {
  Random random(1);
  for (int i = 0; i < kPrograms; ++i) {
    const int64_t rank = Pick(random, 0, 4);
    const Array operand = Numbers(Sizes(random, rank, 0, 5), random);
    std::vector<PadDim> padding;
    for (int64_t d = 0; d < rank; ++d) {
      padding.push_back({Pick(random, -2, 2), Pick(random, -2, 2), Pick(random, 0, 2)});
    }
    TestContext context;
    const Array padded = plain::Pad(operand, 7, padding);
    const std::vector<Tensor> operands = {TensorOf(operand), Tensor::Scalar<int64_t>(7, nullptr)};
    CheckSame(
        Evaluate(Opcode::kPad, operands, {{"padding", padding}}, ShapeOf(padded), context).tensor(),
        padded);

    Function function(i % 2 == 0);
    Dims dimensions = Permutation(random, rank);
    dimensions.resize(static_cast<size_t>(Pick(random, 0, rank)));
    std::sort(dimensions.begin(), dimensions.end());
    const Array reduced = plain::Reduce(operand, 5, dimensions, function.apply);
    TestContext reducing(&function.compiled);
    CheckSame(Evaluate(Opcode::kReduce, {TensorOf(operand), Tensor::Scalar<int64_t>(5, nullptr)},
                       {{"dimensions", dimensions},
                        {"to_apply", static_cast<const Region*>(&function.region)}},
                       ShapeOf(reduced), reducing)
                  .tensor(),
              reduced);
  }
}

TEST_CASE("reduce-window and select-and-scatter mean what they say") {
  Random random(2);
  for (int i = 0; i < kPrograms; ++i) {
    const int64_t rank = Pick(random, 1, 3);
    const Array operand = Numbers(Sizes(random, rank, 3, 7), random);
    Function function(i % 2 == 0);
    TestContext context(&function.compiled);
    const Region* const region = &function.region;
    const Window window = RandomWindow(random, rank, /*dilates=*/true);
    // What is added for padding must change nothing where the kernel leaves it out.
    const Array reduced = plain::ReduceWindow(operand, 0, window, function.apply);
    CheckSame(
        Evaluate(Opcode::kReduceWindow, {TensorOf(operand), Tensor::Scalar<int64_t>(0, nullptr)},
                 {{"window", window}, {"to_apply", region}}, ShapeOf(reduced), context)
            .tensor(),
        reduced);

    const Window plain_window = RandomWindow(random, rank, /*dilates=*/false);
    const Array places = plain::ReduceWindow(operand, 0, plain_window, std::plus<int64_t>());
    const Array source = Numbers(plain::DimsOf(places), random);
    const Array scattered = plain::SelectAndScatter(
        operand, source, 0, plain_window, std::greater_equal<int64_t>(), std::plus<int64_t>());
    ScalarFunction<int64_t, bool> select(std::greater_equal<int64_t>{});
    const ScalarRegion select_region({kType, kType}, Shape::Scalar(ElementType::kPred));
    Function add(true);
    struct Both : TestContext {
      const Region* first;
      RegionFunction *a, *b;
      RegionFunction& Function(const Region& r) override { return &r == first ? *a : *b; }
    } both;
    both.first = &select_region;
    both.a = &select;
    both.b = &add.compiled;
    CheckSame(Evaluate(Opcode::kSelectAndScatter,
                       {TensorOf(operand), TensorOf(source), Tensor::Scalar<int64_t>(0, nullptr)},
                       {{"window", plain_window},
                        {"select", static_cast<const Region*>(&select_region)},
                        {"scatter", static_cast<const Region*>(&add.region)}},
                       ShapeOf(scattered), both)
                  .tensor(),
              scattered);
  }
}

TEST_CASE("dot means what it says") {
  Random random(3);
  for (int i = 0; i < kPrograms; ++i) {
    // Each kind of dimension has a letter; both sides have theirs in some order.
    const int64_t batch = Pick(random, 0, 2), contracted = Pick(random, 0, 2);
    const Dims shared = Sizes(random, batch + contracted, 1, 5);
    plain::DotNumbers n;
    const auto side = [&](Dims* batches, Dims* contracting) {
      const int64_t rank = batch + contracted + Pick(random, 0, 2);
      const Dims order = Permutation(random, rank);
      Dims sizes = Sizes(random, rank, 1, 6);
      for (int64_t k = 0; k < batch + contracted; ++k) {
        (k < batch ? batches : contracting)->push_back(order[static_cast<size_t>(k)]);
        sizes[static_cast<size_t>(order[static_cast<size_t>(k)])] = shared[static_cast<size_t>(k)];
      }
      return Numbers(sizes, random);
    };
    const Array lhs = side(&n.lhs_batch, &n.lhs_contracting);
    const Array rhs = side(&n.rhs_batch, &n.rhs_contracting);
    const Array product = plain::Dot(lhs, rhs, n);
    TestContext context;
    CheckSame(Evaluate(Opcode::kDot, {TensorOf(lhs), TensorOf(rhs)},
                       {{"lhs_batch_dims", n.lhs_batch},
                        {"lhs_contracting_dims", n.lhs_contracting},
                        {"rhs_batch_dims", n.rhs_batch},
                        {"rhs_contracting_dims", n.rhs_contracting}},
                       ShapeOf(product), context)
                  .tensor(),
              product);
  }
}

TEST_CASE("convolution means what it says") {
  Random random(4);
  for (int i = 0; i < kPrograms; ++i) {
    const int64_t spatial = Pick(random, 0, 2);
    const int64_t feature_groups = i % 3 == 1 ? Pick(random, 2, 3) : 1;
    const int64_t batch_groups = i % 3 == 2 ? Pick(random, 2, 3) : 1;
    Window window = RandomWindow(random, spatial, /*dilates=*/true);
    for (WindowDim& w : window) w.reversal = random() % 2 == 0;
    // One order of dimensions for input, kernel and output each.
    const Dims in = Permutation(random, spatial + 2), kernel = Permutation(random, spatial + 2),
               out = Permutation(random, spatial + 2);
    ConvDimLabels labels;
    labels.input_batch = in[0], labels.input_feature = in[1];
    labels.kernel_input_feature = kernel[0], labels.kernel_output_feature = kernel[1];
    labels.output_batch = out[0], labels.output_feature = out[1];
    labels.input_spatial = Dims(in.begin() + 2, in.end());
    labels.kernel_spatial = Dims(kernel.begin() + 2, kernel.end());
    labels.output_spatial = Dims(out.begin() + 2, out.end());
    const int64_t inputs = Pick(random, 1, 3);
    Dims lhs_sizes = Sizes(random, spatial + 2, 3, 6), rhs_sizes = Sizes(random, spatial + 2, 1, 1);
    lhs_sizes[static_cast<size_t>(in[0])] = Pick(random, 1, 3) * batch_groups;
    lhs_sizes[static_cast<size_t>(in[1])] = inputs * feature_groups;
    rhs_sizes[static_cast<size_t>(kernel[0])] = inputs;
    rhs_sizes[static_cast<size_t>(kernel[1])] = Pick(random, 1, 3) * feature_groups * batch_groups;
    for (size_t d = 0; d < window.size(); ++d) {
      rhs_sizes[static_cast<size_t>(labels.kernel_spatial[d])] = window[d].size;
    }
    const Array lhs = Numbers(lhs_sizes, random), rhs = Numbers(rhs_sizes, random);
    const Array result = plain::Convolution(lhs, rhs, window, labels, feature_groups, batch_groups);
    TestContext context;
    CheckSame(Evaluate(Opcode::kConvolution, {TensorOf(lhs), TensorOf(rhs)},
                       {{"window", window},
                        {"dim_labels", labels},
                        {"feature_group_count", feature_groups},
                        {"batch_group_count", batch_groups}},
                       ShapeOf(result), context)
                  .tensor(),
              result);
  }
}

/// Dimension numbers of gather that fit an operand and start indices of these sizes.
struct GatherProblem {
  plain::GatherNumbers numbers;
  Dims operand, indices;
};

GatherProblem RandomGather(Random& random) {
  GatherProblem p;
  plain::GatherNumbers& n = p.numbers;
  const int64_t rank = Pick(random, 1, 4), batches = Pick(random, 0, 3);
  p.operand = Sizes(random, rank, 1, 5);
  p.indices = Sizes(random, batches, 1, 4);
  // The first dimensions of a random order are batching ones, as far as there are some.
  const Dims order = Permutation(random, rank), batch_order = Permutation(random, batches);
  const int64_t shared = Pick(random, 0, std::min(rank, batches));
  Dims indexed;
  for (int64_t k = 0; k < rank; ++k) {
    const int64_t d = order[static_cast<size_t>(k)];
    if (k < shared)
      n.operand_batching_dims.push_back(d);
    else
      indexed.push_back(d);
  }
  std::sort(n.operand_batching_dims.begin(), n.operand_batching_dims.end());
  n.index_vector_dim = Pick(random, 0, batches);
  for (int64_t k = 0; k < shared; ++k) {
    const int64_t b = batch_order[static_cast<size_t>(k)];
    const int64_t d = n.operand_batching_dims[static_cast<size_t>(k)];
    p.operand[static_cast<size_t>(d)] = p.indices[static_cast<size_t>(b)];
    n.start_indices_batching_dims.push_back(b < n.index_vector_dim ? b : b + 1);
  }
  for (int64_t d = 0; d < rank; ++d) {
    const bool is_batch =
        std::count(n.operand_batching_dims.begin(), n.operand_batching_dims.end(), d);
    const bool is_collapsed = !is_batch && random() % 3 == 0;
    if (is_collapsed) n.collapsed_slice_dims.push_back(d);
    n.slice_sizes.push_back(
        is_batch || is_collapsed ? 1 : Pick(random, 1, p.operand[static_cast<size_t>(d)]));
  }
  indexed.resize(static_cast<size_t>(Pick(random, 0, static_cast<int64_t>(indexed.size()))));
  n.start_index_map = indexed;
  p.indices.insert(p.indices.begin() + n.index_vector_dim, static_cast<int64_t>(indexed.size()));
  const int64_t slices = rank - shared - static_cast<int64_t>(n.collapsed_slice_dims.size());
  n.offset_dims = Permutation(random, batches + slices);
  n.offset_dims.resize(static_cast<size_t>(slices));
  std::sort(n.offset_dims.begin(), n.offset_dims.end());
  return p;
}

TEST_CASE("gather and scatter mean what they say") {
  Random random(5);
  for (int i = 0; i < kPrograms; ++i) {
    const GatherProblem p = RandomGather(random);
    const plain::GatherNumbers& n = p.numbers;
    const Array operand = Numbers(p.operand, random);
    Array starts = plain::Filled(p.indices, 0);
    for (int64_t& start : starts) start = Pick(random, -2, 5);
    const Array gathered = plain::Gather(operand, starts, n);
    TestContext context;
    CheckSame(Evaluate(Opcode::kGather, {TensorOf(operand), TensorOf(starts)},
                       {{"offset_dims", n.offset_dims},
                        {"collapsed_slice_dims", n.collapsed_slice_dims},
                        {"start_index_map", n.start_index_map},
                        {"operand_batching_dims", n.operand_batching_dims},
                        {"start_indices_batching_dims", n.start_indices_batching_dims},
                        {"index_vector_dim", n.index_vector_dim},
                        {"slice_sizes", n.slice_sizes}},
                       ShapeOf(gathered), context)
                  .tensor(),
              gathered);

    Function function(i % 2 == 0);
    const Array updates = Numbers(plain::DimsOf(gathered), random);
    const Array scattered = plain::Scatter(operand, starts, updates, n, function.apply);
    TestContext scattering(&function.compiled);
    CheckSame(Evaluate(Opcode::kScatter, {TensorOf(operand), TensorOf(starts), TensorOf(updates)},
                       {{"update_window_dims", n.offset_dims},
                        {"inserted_window_dims", n.collapsed_slice_dims},
                        {"scatter_dims_to_operand_dims", n.start_index_map},
                        {"input_batching_dims", n.operand_batching_dims},
                        {"scatter_indices_batching_dims", n.start_indices_batching_dims},
                        {"index_vector_dim", n.index_vector_dim},
                        {"to_apply", static_cast<const Region*>(&function.region)}},
                       ShapeOf(scattered), scattering)
                  .tensor(),
              scattered);
  }
}

/// The first operand's elements compared, of two operands.
class FirstIsLess : public RegionFunction {
 public:
  void Apply(int64_t n, std::span<const std::byte* const> args,
             std::span<std::byte* const> results) override {
    for (int64_t i = 0; i < n; ++i) {
      const auto at = [&](size_t k) { return reinterpret_cast<const int64_t*>(args[k])[i]; };
      results[0][i] = std::byte{at(0) < at(1)};
    }
  }
};

TEST_CASE("sort means what it says") {
  Random random(6);
  for (int i = 0; i < kPrograms; ++i) {
    const int64_t rank = Pick(random, 1, 3), dimension = Pick(random, 0, rank - 1);
    const Dims sizes = Sizes(random, rank, 1, 9);
    const std::vector<Array> operands = {Numbers(sizes, random), Numbers(sizes, random)};
    const auto sorted = plain::Sort(operands, dimension, std::less<int64_t>());
    FirstIsLess less;
    const ScalarRegion region({kType, kType, kType, kType}, Shape::Scalar(ElementType::kPred));
    TestContext context(&less);
    const Shape shape = ShapeOf(operands[0]);
    const Value result = Evaluate(Opcode::kSort, {TensorOf(operands[0]), TensorOf(operands[1])},
                                  {{"dimensions", Dims{dimension}},
                                   {"is_stable", true},
                                   {"to_apply", static_cast<const Region*>(&region)}},
                                  Shape::Tuple({shape, shape}), context);
    for (size_t k = 0; k < 2; ++k) CheckSame(result.elements()[k].tensor(), sorted[k]);
  }
}

/// scan runs its computation, and so needs a run.
Value RunScan(const Array& input, const Array& carry, int64_t dimension, bool is_reverse) {
  const std::string whole = ShapeName(ShapeOf(input)), slice = ShapeName(ShapeOf(carry));
  const std::string text = fmt::format(
      "body {{ x = {1} parameter(0)  c = {1} parameter(1)  three = s64[] constant(3)\n"
      "  m = {1} broadcast(three), dimensions={{}}  t = {1} multiply(c, m)\n"
      "  s = {1} subtract(t, x)  ROOT r = ({1}, {1}) tuple(s, s) }}\n"
      "ENTRY e {{ p = {0} parameter(0)  i = {1} parameter(1)\n"
      "  ROOT r = ({0}, {1}) scan(p, i), dimensions={{{2}}}, num_carries=1, is_reverse={3}, "
      "to_apply=body }}",
      whole, slice, dimension, is_reverse);
  Diagnostics diagnostics;
  const std::unique_ptr<Module> module = ParseModule(text, diagnostics);
  REQUIRE(module);
  REQUIRE(!diagnostics.has_errors());
  TestContext context;
  Executor executor(*module, {}, context.budget(), nullptr);
  std::vector<Value> args;
  args.emplace_back(TensorOf(input));
  args.emplace_back(TensorOf(carry));
  executor.Start(std::move(args));
  executor.Run();
  REQUIRE(executor.status() == Executor::Status::kDone);
  return executor.result();
}

TEST_CASE("scan means what it says") {
  Random random(7);
  for (int i = 0; i < 100; ++i) {
    const int64_t rank = Pick(random, 1, 3), dimension = Pick(random, 0, rank - 1);
    Dims sizes = Sizes(random, rank, 1, 5);
    const Array input = Numbers(sizes, random);
    sizes.erase(sizes.begin() + dimension);
    const Array carry = Numbers(sizes, random);
    const bool is_reverse = random() % 2 == 0;
    const plain::Scanned scanned = plain::Scan(input, carry, dimension, is_reverse,
                                               [](int64_t c, int64_t x) { return c * 3 - x; });
    const Value result = RunScan(input, carry, dimension, is_reverse);
    CheckSame(result.elements()[0].tensor(), scanned.outputs);
    CheckSame(result.elements()[1].tensor(), scanned.carry);
  }
}

}  // namespace
}  // namespace hlo
