// Compiled regions: what compiles, that values are those of the ops one by one, aliasing, and how
// the common reducers are recognised.
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/types/storage.h"
#include "tests/unit/compiled_region.h"

namespace hlo {
namespace {

template <typename T>
std::byte* DataOf(std::vector<T>* v) {
  return reinterpret_cast<std::byte*>(v->data());
}

const char* const kPolynomial = R"(f {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  two = f32[] constant(2)
  xy = f32[] multiply(x, y)
  d = f32[] subtract(xy, two)
  n = f32[] negate(x)
  m = f32[] maximum(d, n)
  lt = pred[] compare(m, two), direction=LT
  ROOT r = f32[] select(lt, m, y)
})";

float Polynomial(float x, float y) {
  const float m = std::max(x * y - 2, -x);
  return m < 2 ? m : y;
}

TEST_CASE("a region is applied to one element, and to several blocks of them") {
  CompiledRegion f(kPolynomial);
  REQUIRE(f.function);
  CHECK(f.function->BinaryOpcode() == nullptr);
  for (size_t n : {size_t{0}, size_t{1}, size_t{3}, size_t{1024}, size_t{5000}}) {
    std::vector<float> a(n), b(n), expected(n);
    for (size_t i = 0; i < n; ++i) {
      a[i] = static_cast<float>(i % 17) - 8;
      b[i] = static_cast<float>(i % 5) - 1.5f;
      expected[i] = Polynomial(a[i], b[i]);
    }
    CHECK(f.Apply(a, b) == expected);
  }
}

TEST_CASE("the result may lie where an argument lies") {
  CompiledRegion f(kPolynomial);
  for (int in_place = 0; in_place < 2; ++in_place) {
    std::vector<float> a(2000, 3.0f), b(2000, 0.5f);
    std::vector<float>* target = in_place == 0 ? &a : &b;
    const std::byte* const args[] = {DataOf(&a), DataOf(&b)};
    std::byte* const results[] = {DataOf(target)};
    f.function->Apply(2000, args, results);
    CHECK(*target == std::vector<float>(2000, Polynomial(3.0f, 0.5f)));
  }
}

TEST_CASE("results that are parameters may be swapped in place") {
  CompiledRegion f(R"(f {
    x = f32[] parameter(0)
    y = f32[] parameter(1)
    ROOT t = (f32[], f32[]) tuple(y, x)
  })");
  REQUIRE(f.function);
  std::vector<float> a(1500, 1.0f), b(1500, 2.0f);
  const std::byte* const args[] = {DataOf(&a), DataOf(&b)};
  std::byte* const results[] = {DataOf(&a), DataOf(&b)};
  f.function->Apply(1500, args, results);
  CHECK(a == std::vector<float>(1500, 2.0f));
  CHECK(b == std::vector<float>(1500, 1.0f));
}

TEST_CASE("narrow types, conversions and tuples: a running arg-max") {
  CompiledRegion f(R"(f {
    v = bf16[] parameter(0)
    i = s32[] parameter(1)
    w = bf16[] parameter(2)
    j = s32[] parameter(3)
    ge = pred[] compare(v, w), direction=GE
    best = bf16[] select(ge, v, w)
    at = s32[] select(ge, i, j)
    wide = f32[] convert(best)
    ROOT t = (f32[], s32[]) tuple(wide, at)
  })");
  REQUIRE(f.function);
  std::vector<BF16> v{BF16(1.0f), BF16(-2.0f)}, w{BF16(3.0f), BF16(-4.0f)};
  std::vector<int32_t> i{10, 20}, j{30, 40}, at(2);
  std::vector<float> best(2);
  const std::byte* const args[] = {DataOf(&v), DataOf(&i), DataOf(&w), DataOf(&j)};
  std::byte* const results[] = {DataOf(&best), DataOf(&at)};
  f.function->Apply(2, args, results);
  CHECK(best == std::vector<float>{3, -2});
  CHECK(at == std::vector<int32_t>{30, 20});
}

TEST_CASE("called regions are inlined") {
  CompiledRegion f(R"(square { x = f32[] parameter(0)  ROOT r = f32[] multiply(x, x) }
  pair { t = (f32[], f32[]) parameter(0)
         a = f32[] get-tuple-element(t), index=0
         b = f32[] get-tuple-element(t), index=1
         ROOT r = f32[] subtract(a, b) }
  f {
    x = f32[] parameter(0)
    y = f32[] parameter(1)
    xx = f32[] call(x), to_apply=square
    yy = f32[] map(y), dimensions={}, to_apply=square
    one = f32[] constant(1)
    b = f32[] broadcast(one), dimensions={}
    c = f32[] add(xx, b)
    t = (f32[], f32[]) tuple(c, yy)
    ROOT r = f32[] call(t), to_apply=pair
  })");
  REQUIRE(f.function);
  CHECK(f.Apply<float>({3, 0}, {2, 1}) == std::vector<float>{6, 0});
}

TEST_CASE("binary reducers are recognised") {
  const auto opcode = [](const char* root, const char* type) -> std::string {
    const std::string t = type;
    CompiledRegion f("f { a = " + t + "[] parameter(0)  b = " + t +
                     "[] parameter(1)  ROOT r = " + t + "[] " + root + " }");
    if (!f.function) return "nothing";
    const Opcode* recognised = f.function->BinaryOpcode();
    return recognised ? std::string(Text(*recognised)) : "program";
  };
  CHECK(opcode("add(a, b)", "f32") == "add");
  CHECK(opcode("add(b, a)", "f32") == "add");
  CHECK(opcode("maximum(a, b)", "s8") == "maximum");
  CHECK(opcode("and(b, a)", "pred") == "and");
  // Of equal zeros maximum gives the first; subtract has an order, too.
  CHECK(opcode("maximum(b, a)", "f32") == "program");
  CHECK(opcode("subtract(b, a)", "f32") == "program");
  CHECK(opcode("add(a, a)", "f32") == "program");
}

TEST_CASE("other regions do not compile") {
  CompiledRegion array(R"(f {
    x = f32[] parameter(0)
    b = f32[2] broadcast(x), dimensions={}
    s = f32[1] slice(b), slice={[0:1]}
    ROOT r = f32[] reshape(s)
  })");
  CHECK(array.function == nullptr);
  CompiledRegion vector_parameter("f { x = f32[2] parameter(0)  ROOT r = f32[2] negate(x) }");
  CHECK(vector_parameter.function == nullptr);
}

TEST_CASE("a region that would unfold without end is left alone") {
  // f calls f_29 twice, and so on: 2^30 multiplications.
  std::string text = "f_0 { x = f32[] parameter(0)  ROOT r = f32[] multiply(x, x) }\n";
  for (int i = 1; i < 31; ++i) {
    const std::string inner = "f_" + std::to_string(i - 1);
    const std::string name = i == 30 ? "f" : "f_" + std::to_string(i);
    text += name + " { x = f32[] parameter(0)  a = f32[] call(x), to_apply=" + inner +
            "  ROOT r = f32[] call(a), to_apply=" + inner + " }\n";
  }
  CHECK(CompiledRegion(text).function == nullptr);
}

TEST_CASE("registers are asked of the budget and given back") {
  CompiledRegion f(kPolynomial);
  CHECK(f.budget.memory_used() > 0);
  f.function.reset();
  CHECK(f.budget.memory_used() == 0);
}

}  // namespace
}  // namespace hlo
