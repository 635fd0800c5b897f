// reduce-window and select-and-scatter against nested loops over every window position.
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "doctest/doctest.h"
#include "engine/ops/op_def.h"
#include "tests/unit/indices.h"
#include "tests/unit/op_runner.h"
#include "tests/unit/sanitizers.h"
#include "tests/unit/scalar_region.h"

namespace hlo {
namespace {

using Element = int32_t;

/// (a, b, x, y) -> (3a + x, 5b - y + x).
class PairFunction : public RegionFunction {
 public:
  void Apply(int64_t n, std::span<const std::byte* const> args,
             std::span<std::byte* const> results) override {
    const auto at = [&](size_t k, int64_t i) {
      return reinterpret_cast<const uint32_t*>(args[k])[i];
    };
    for (int64_t i = 0; i < n; ++i) {
      const uint32_t first = 3 * at(0, i) + at(2, i);
      const uint32_t second = 5 * at(1, i) - at(3, i) + at(2, i);
      reinterpret_cast<uint32_t*>(results[0])[i] = first;
      reinterpret_cast<uint32_t*>(results[1])[i] = second;
    }
  }
  const Opcode* BinaryOpcode() const override { return nullptr; }
};

/// Two regions, by their address.
class TwoRegions : public TestContext {
 public:
  TwoRegions(const Region* first, RegionFunction* a, RegionFunction* b)
      : first_(first), a_(a), b_(b) {}
  RegionFunction& Function(const Region& region) override { return &region == first_ ? *a_ : *b_; }

 private:
  const Region* first_;
  RegionFunction* a_;
  RegionFunction* b_;
};

/// Neither associative nor commutative, and no value changes nothing.
Element Mix(Element acc, Element x) {
  return static_cast<Element>(3 * static_cast<uint32_t>(acc) + static_cast<uint32_t>(x) + 1);
}

/// Mix(kKept, kKept) == kKept.
constexpr Element kKept = 0x55555555;

/// Offset of the element that an output meets at a window position; -1 in padding and gaps.
int64_t ElementAt(const Window& window, const Dims& sizes, const Dims& output, const Dims& place) {
  int64_t offset = 0;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const WindowDim& w = window[d];
    const int64_t at = output[d] * w.stride + place[d] * w.window_dilation - w.pad_low;
    if (at < 0 || at % w.base_dilation != 0 || at / w.base_dilation >= sizes[d]) return -1;
    offset = offset * sizes[d] + at / w.base_dilation;
  }
  return offset;
}

Dims OutputsOf(const Window& window, const Dims& sizes) {
  Dims counts;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const WindowDim& w = window[d];
    const int64_t base = sizes[d] == 0 ? 0 : (sizes[d] - 1) * w.base_dilation + 1;
    const int64_t padded = base + w.pad_low + w.pad_high;
    const int64_t reach = (w.size - 1) * w.window_dilation + 1;
    counts.push_back(padded <= 0 || reach > padded ? 0 : (padded - reach) / w.stride + 1);
  }
  return counts;
}

/// Calls f(number of the output, offset of the element or -1) in row-major order of the window.
template <typename F>
void ForEachPosition(const Window& window, const Dims& sizes, F&& f) {
  const Dims outputs = OutputsOf(window, sizes);
  if (CountOf(outputs) == 0) return;
  Dims reach;
  for (const WindowDim& w : window) reach.push_back(w.size);
  Dims output(sizes.size(), 0);
  int64_t number = 0;
  do {
    Dims place(sizes.size(), 0);
    do {
      f(number, ElementAt(window, sizes, output, place));
    } while (NextIndex(reach, &place));
    ++number;
  } while (NextIndex(outputs, &output));
}

/// The same without the positions that have no element.
template <typename F>
void ForEachWindowElement(const Window& window, const Dims& sizes, F&& f) {
  ForEachPosition(window, sizes, [&](int64_t output, int64_t offset) {
    if (offset >= 0) f(output, offset);
  });
}

Tensor RandomElements(const Dims& dims, int spread, std::mt19937& random) {
  return RandomTensor<Element>(dims, -(spread / 2), spread, random);
}

struct WindowCase {
  Window window;
  Dims sizes;
};

WindowCase RandomWindowCase(std::mt19937& random) {
  WindowCase c;
  const auto pick = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
  };
  const int rank = static_cast<int>(pick(0, 4));
  for (int d = 0; d < rank; ++d) {
    const bool is_long = rank <= 2 && pick(0, 3) == 0;
    c.sizes.push_back(pick(0, 19) == 0 ? 0 : pick(1, is_long ? 2500 / (rank * rank * rank) : 6));
    WindowDim w;
    if (pick(0, 2) > 0) {
      w.size = pick(1, 4);
      w.stride = pick(1, 3);
      w.pad_low = pick(-2, 5);
      w.pad_high = pick(-2, 5);
      w.base_dilation = pick(0, 1) == 0 ? 1 : pick(1, 4);
      w.window_dilation = pick(0, 1) == 0 ? 1 : pick(1, 4);
    }
    if (pick(0, 9) == 0) {  // cumulative, forwards or backwards
      w = WindowDim();
      w.size = c.sizes[static_cast<size_t>(d)] + pick(0, 2);
      if (w.size == 0) w.size = 1;
      (pick(0, 3) > 0 ? w.pad_low : w.pad_high) = w.size - 1;
    }
    c.window.push_back(w);
  }
  return c;
}

std::string Describe(const WindowCase& c) {
  std::string text;
  for (size_t d = 0; d < c.sizes.size(); ++d) {
    const WindowDim& w = c.window[d];
    for (int64_t number : {c.sizes[d], w.size, w.stride, w.pad_low, w.pad_high, w.base_dilation,
                           w.window_dilation}) {
      text += std::to_string(number) + " ";
    }
    text += "; ";
  }
  return text;
}

const ScalarRegion& ReducerRegion() {
  static const ScalarRegion region = ReducerOf(ElementType::kS32);
  return region;
}

Tensor ReduceWindow(const WindowCase& c, const Tensor& input, Element init,
                    RegionFunction* function) {
  TestContext context(function);
  TestOp op{Opcode::kReduceWindow,
            {Shape::Array(ElementType::kS32, input.dims()), Shape::Scalar(ElementType::kS32)},
            {{"window", c.window}, {"to_apply", static_cast<const Region*>(&ReducerRegion())}},
            {}};
  for (int d = 0; d < input.rank(); ++d) {
    if (input.live_dim(d) != input.dim(d)) op.operands[0].set_dynamic(d, true);
  }
  Diagnostics out;
  op.written = *op.Infer(out);
  REQUIRE(out.empty());
  return op.Eval({input, Tensor::Scalar<Element>(init)}, context).tensor();
}

TEST_CASE("reduce-window: random windows, in order, padding and gaps hold the initial value") {
  std::mt19937 random(7);
  for (int i = 0; i < Rounds(1500); ++i) {
    const WindowCase c = RandomWindowCase(random);
    if (CountOf(OutputsOf(c.window, c.sizes)) > 200000) continue;
    CAPTURE(Describe(c));
    const Tensor input = RandomElements(c.sizes, 1000, random);
    ScalarFunction<Element> mix(Mix);
    const Element init = i % 2 == 0 ? 41 : kKept;
    const Tensor result = ReduceWindow(c, input, init, &mix);
    std::vector<Element> expected(static_cast<size_t>(CountOf(OutputsOf(c.window, c.sizes))), init);
    ForEachPosition(c.window, c.sizes, [&](int64_t output, int64_t offset) {
      Element& acc = expected[static_cast<size_t>(output)];
      acc = Mix(acc, offset < 0 ? init : input.data<Element>()[offset]);
    });
    REQUIRE(result.dims() == OutputsOf(c.window, c.sizes));
    REQUIRE(ElementsOf<Element>(result) == expected);
  }
}

TEST_CASE("reduce-window: common reducers run as loops") {
  std::mt19937 random(8);
  const auto add = [](uint32_t a, uint32_t b) { return a + b; };
  const auto multiply = [](uint32_t a, uint32_t b) { return a * b; };
  const auto maximum = [](uint32_t a, uint32_t b) {
    return static_cast<uint32_t>(std::max(static_cast<Element>(a), static_cast<Element>(b)));
  };
  const struct {
    Opcode opcode;
    uint32_t (*fold)(uint32_t, uint32_t);
    Element inits[2];
  } reducers[] = {{Opcode::kAdd, add, {0, 7}},
                  {Opcode::kMultiply, multiply, {1, 3}},
                  {Opcode::kMaximum, maximum, {std::numeric_limits<Element>::min(), -20}}};
  for (int i = 0; i < Rounds(600); ++i) {
    const auto& reducer = reducers[i % 3];
    const Element init = reducer.inits[i % 2];
    // Asked at most whether it keeps the initial value.
    const auto fold = [&](Element a, Element b) {
      return static_cast<Element>(reducer.fold(static_cast<uint32_t>(a), static_cast<uint32_t>(b)));
    };
    ScalarFunction<Element> function(fold, reducer.opcode);
    const WindowCase c = RandomWindowCase(random);
    if (CountOf(OutputsOf(c.window, c.sizes)) > 200000) continue;
    CAPTURE(Describe(c));
    const Tensor input = RandomElements(c.sizes, 1000, random);
    const Tensor result = ReduceWindow(c, input, init, &function);
    REQUIRE(function.calls <= 1);
    std::vector<uint32_t> expected(static_cast<size_t>(result.element_count()),
                                   static_cast<uint32_t>(init));
    ForEachPosition(c.window, c.sizes, [&](int64_t output, int64_t offset) {
      uint32_t& acc = expected[static_cast<size_t>(output)];
      acc = reducer.fold(acc,
                         offset < 0 ? static_cast<uint32_t>(init) : input.data<uint32_t>()[offset]);
    });
    REQUIRE(ElementsOf<uint32_t>(result) == expected);
  }
}

TEST_CASE("reduce-window: two arrays together") {
  std::mt19937 random(9);
  const Shape scalar = Shape::Scalar(ElementType::kS32);
  const ScalarRegion region(std::vector<ElementType>(4, ElementType::kS32),
                            Shape::Tuple({scalar, scalar}));
  for (int i = 0; i < Rounds(200); ++i) {
    const WindowCase c = RandomWindowCase(random);
    CAPTURE(Describe(c));
    const Tensor x = RandomElements(c.sizes, 1000, random);
    const Tensor y = RandomElements(c.sizes, 1000, random);
    PairFunction function;
    TestContext context(&function);
    const Shape shape = Shape::Array(ElementType::kS32, c.sizes);
    TestOp op{Opcode::kReduceWindow,
              {shape, shape, scalar, scalar},
              {{"window", c.window}, {"to_apply", static_cast<const Region*>(&region)}},
              {}};
    Diagnostics out;
    op.written = *op.Infer(out);
    REQUIRE(out.empty());
    const Value result =
        op.Eval({x, y, Tensor::Scalar<Element>(1), Tensor::Scalar<Element>(2)}, context);
    const size_t count = static_cast<size_t>(CountOf(OutputsOf(c.window, c.sizes)));
    std::vector<uint32_t> first(count, 1), second(count, 2);
    ForEachPosition(c.window, c.sizes, [&](int64_t output, int64_t offset) {
      uint32_t& a = first[static_cast<size_t>(output)];
      uint32_t& b = second[static_cast<size_t>(output)];
      const uint32_t x_at = offset < 0 ? 1 : x.data<uint32_t>()[offset];
      a = 3 * a + x_at;
      b = 5 * b - (offset < 0 ? 2 : y.data<uint32_t>()[offset]) + x_at;
    });
    REQUIRE(ElementsOf<uint32_t>(result.elements()[0].tensor()) == first);
    REQUIRE(ElementsOf<uint32_t>(result.elements()[1].tensor()) == second);
  }
}

TEST_CASE("reduce-window: a run-time size is the size") {
  std::mt19937 random(10);
  const WindowCase c{{{.size = 3, .pad_low = 1, .pad_high = 1}, {.size = 2, .stride = 2}}, {5, 7}};
  Tensor input = RandomElements(c.sizes, 100, random);
  input.set_dynamic_sizes({3, 6});
  ScalarFunction<Element> mix(Mix);
  const Tensor result = ReduceWindow(c, input, 5, &mix);
  const WindowCase live{c.window, {3, 6}};
  CHECK(result.dims() == Dims{5, 3});
  CHECK(result.dynamic_sizes() == Dims{3, 3});
  std::vector<Element> expected(9, 5);
  ForEachPosition(live.window, live.sizes, [&](int64_t output, int64_t offset) {
    Element& acc = expected[static_cast<size_t>(output)];
    acc = Mix(acc, offset < 0 ? 5 : input.data<Element>()[offset / 6 * 7 + offset % 6]);
  });
  expected.resize(15, 0);  // nothing beyond the live rows
  CHECK(ElementsOf<Element>(result) == expected);
}

TEST_CASE("reduce-window: windows, padding and dilation of any size") {
  constexpr int64_t kHuge = int64_t{1} << 61;
  const Tensor input = MakeTestTensor<Element>({3}, {10, 20, 30});
  ScalarFunction<Element> sum([](Element a, Element b) { return a + b; }, Opcode::kAdd);
  ScalarFunction<Element> mix(Mix);
  const auto mixed = [](std::vector<Element> elements) {
    Element acc = 7;
    for (Element x : elements) acc = Mix(acc, x);
    return acc;
  };
  const auto run = [&](WindowDim w, Element init, RegionFunction* function) {
    return ElementsOf<Element>(ReduceWindow({{w}, {3}}, input, init, function));
  };
  // A window so large is gone through only where it has elements, as zeros change no sum.
  CHECK(run({.size = kHuge, .pad_low = kHuge / 2, .pad_high = kHuge / 2 - 3}, 0, &sum) ==
        std::vector<Element>{60});
  const struct {
    WindowDim window;
    std::vector<Element> sums;
    std::vector<Element> mixed;
  } cases[] = {
      {{.size = 3, .stride = kHuge, .pad_low = kHuge - 1, .pad_high = kHuge + 1},
       {0, 50, 0},
       {mixed({7, 7, 7}), mixed({20, 30, 7}), mixed({7, 7, 7})}},
      {{.size = 3, .base_dilation = kHuge, .window_dilation = kHuge}, {60}, {mixed({10, 20, 30})}},
      {{.size = 2, .stride = kHuge - 1, .base_dilation = kHuge, .window_dilation = kHuge},
       {30, 0},
       {mixed({10, 20}), mixed({7, 7})}},
      {{.pad_low = -kHuge, .pad_high = kHuge}, {0, 0, 0}, {mixed({7}), mixed({7}), mixed({7})}},
      {{.size = 2, .pad_low = kHuge, .pad_high = -kHuge}, {0, 0}, {mixed({7, 7}), mixed({7, 7})}},
  };
  for (const auto& c : cases) {
    CHECK(run(c.window, 0, &sum) == c.sums);
    CHECK(run(c.window, 7, &mix) == c.mixed);
  }
}

TEST_CASE("reduce-window: a cumulative window takes every element once") {
  std::mt19937 random(11);
  for (const Dims& sizes : {Dims{5000}, Dims{40, 300}, Dims{2000, 3}}) {
    for (size_t d = 0; d < sizes.size(); ++d) {
      WindowCase c{Window(sizes.size()), sizes};
      c.window[d] = {.size = sizes[d], .pad_low = sizes[d] - 1};
      const Tensor input = RandomElements(sizes, 1000, random);
      ScalarFunction<Element> mix(Mix);
      const Tensor result = ReduceWindow(c, input, kKept, &mix);
      // One more call tells that padding may be left out.
      CHECK(mix.calls == CountOf(sizes) + 1);
      std::vector<Element> expected(static_cast<size_t>(CountOf(sizes)));
      int64_t stride = 1;
      for (size_t e = d + 1; e < sizes.size(); ++e) stride *= sizes[e];
      for (int64_t i = 0; i < CountOf(sizes); ++i) {
        const bool is_first = i / stride % sizes[d] == 0;
        expected[static_cast<size_t>(i)] = Mix(
            is_first ? kKept : expected[static_cast<size_t>(i - stride)], input.data<Element>()[i]);
      }
      REQUIRE(ElementsOf<Element>(result) == expected);
    }
  }
}

TEST_CASE("reduce-window: cumulative from the end, for reducers that do not care for the order") {
  // Quick only because it goes from the end: half a million windows of so many elements.
  constexpr int64_t kCount = 500000;
  ScalarFunction<Element> function(Mix, Opcode::kAdd);
  WindowCase c{{{.size = kCount, .pad_high = kCount - 1}}, {kCount}};
  std::mt19937 random(14);
  const Tensor input = RandomElements(c.sizes, 1 << 20, random);
  const Tensor result = ReduceWindow(c, input, 0, &function);
  uint32_t sum = 0;
  for (int64_t i = kCount; i-- > 0;) {
    sum += static_cast<uint32_t>(input.data<Element>()[i]);
    if (result.data<uint32_t>()[i] != sum) FAIL(i);
  }
}

// ---- select-and-scatter -------------------------------------------------------------------------

Tensor SelectAndScatter(const WindowCase& c, const Tensor& operand, const Tensor& source,
                        Element init, std::function<bool(Element, Element)> select) {
  const ScalarRegion pick({ElementType::kS32, ElementType::kS32},
                          Shape::Scalar(ElementType::kPred));
  ScalarFunction<Element, bool> select_function(std::move(select));
  ScalarFunction<Element> scatter_function(Mix);
  TwoRegions context(&pick, &select_function, &scatter_function);
  TestOp op{Opcode::kSelectAndScatter,
            {Shape::Array(ElementType::kS32, operand.dims()),
             Shape::Array(ElementType::kS32, source.dims()), Shape::Scalar(ElementType::kS32)},
            {{"window", c.window},
             {"select", static_cast<const Region*>(&pick)},
             {"scatter", static_cast<const Region*>(&ReducerRegion())}},
            {}};
  Diagnostics out;
  op.written = *op.Infer(out);
  REQUIRE(out.empty());
  return op.Eval({operand, source, Tensor::Scalar<Element>(init)}, context).tensor();
}

std::vector<Element> SlowSelectAndScatter(const WindowCase& c, const Tensor& operand,
                                          const Tensor& source, Element init,
                                          const std::function<bool(Element, Element)>& select) {
  std::vector<int64_t> picks(static_cast<size_t>(source.element_count()), -1);
  const Element* const elements = operand.data<Element>();
  ForEachWindowElement(c.window, c.sizes, [&](int64_t output, int64_t offset) {
    int64_t& pick = picks[static_cast<size_t>(output)];
    if (pick < 0 || !select(elements[pick], elements[offset])) pick = offset;
  });
  std::vector<Element> result(static_cast<size_t>(operand.element_count()), init);
  for (int64_t i = 0; i < source.element_count(); ++i) {
    const int64_t pick = picks[static_cast<size_t>(i)];
    if (pick < 0) continue;
    Element& place = result[static_cast<size_t>(pick)];
    place = Mix(place, source.data<Element>()[i]);
  }
  return result;
}

TEST_CASE("select-and-scatter: random windows, ties, sources in order") {
  std::mt19937 random(12);
  const std::function<bool(Element, Element)> selects[] = {
      [](Element a, Element b) { return a >= b; },
      [](Element a, Element b) { return a > b; },
      [](Element a, Element b) { return a <= b; },
      [](Element a, Element b) { return (a ^ b) % 3 != 0; },
  };
  for (int i = 0; i < Rounds(800); ++i) {
    const WindowCase c = RandomWindowCase(random);
    CAPTURE(Describe(c));
    const Dims outputs = OutputsOf(c.window, c.sizes);
    if (CountOf(outputs) > 200000) continue;
    const Tensor operand = RandomElements(c.sizes, 9, random);
    const Tensor source = RandomElements(outputs, 1000, random);
    const auto& select = selects[i % 4];
    REQUIRE(ElementsOf<Element>(SelectAndScatter(c, operand, source, 6, select)) ==
            SlowSelectAndScatter(c, operand, source, 6, select));
  }
}

TEST_CASE("select-and-scatter: thousands of sources for one place") {
  std::mt19937 random(13);
  const WindowCase c{{{.size = 3000, .pad_low = 2999, .pad_high = 2999}}, {3}};
  const Tensor operand = MakeTestTensor<Element>({3}, {1, 9, 4});
  const Tensor source = RandomElements(OutputsOf(c.window, c.sizes), 1000, random);
  const auto ge = [](Element a, Element b) { return a >= b; };
  CHECK(ElementsOf<Element>(SelectAndScatter(c, operand, source, 6, ge)) ==
        SlowSelectAndScatter(c, operand, source, 6, ge));
}

}  // namespace
}  // namespace hlo
