// Compiled regions with control flow: against the executor on random programs, and by hand.
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/run/executor.h"
#include "tests/unit/compiled_region.h"
#include "tests/unit/sanitizers.h"

namespace hlo {
namespace {

/// Writes computations (s32[], s32[]) -> (s32[], s32[]) that call one another.
class Writer {
 public:
  explicit Writer(unsigned seed) : random_(seed) {}
  const std::string& text() const { return text_; }

  /// The name of a new one. That of a fusion uses all of its values: nothing else is allowed.
  std::string Computation(int depth, bool fused = false) {
    const std::string name = "c_" + std::to_string(++computations_);
    std::string body = name + " {\n  p = (s32[], s32[]) parameter(0)\n";
    std::vector<std::string> values, numbers;  // those to choose from, and all that are s32
    int next = 0;
    const auto add = [&](const std::string& shape, const std::string& call) {
      const std::string value = "v" + std::to_string(next++);
      body += "  " + value + " = " + shape + " " + call + "\n";
      if (shape == "s32[]") numbers.push_back(value);
      return value;
    };
    const auto any = [&] { return values[random_() % values.size()]; };
    const auto take = [&](const std::string& pair) {
      values.push_back(add("s32[]", "get-tuple-element(" + pair + "), index=0"));
      values.push_back(add("s32[]", "get-tuple-element(" + pair + "), index=1"));
    };
    const auto pair = [&] { return add("(s32[], s32[])", "tuple(" + any() + ", " + any() + ")"); };
    take("p");
    const int count = 2 + static_cast<int>(random_() % 4);
    for (int i = 0; i < count; ++i) {
      const std::string number = add("s32[]", "constant(" + std::to_string(random_() % 7) + ")");
      switch (depth > 0 ? random_() % 8 : random_() % 3) {
        case 0:
          values.push_back(add("s32[]", "add(" + any() + ", " + number + ")"));
          break;
        case 1:
          values.push_back(add("s32[]", "multiply(" + any() + ", " + any() + ")"));
          break;
        case 2:
          values.push_back(add("s32[]", "subtract(" + number + ", " + any() + ")"));
          break;
        case 3: {
          const std::string less =
              add("pred[]", "compare(" + any() + ", " + any() + "), direction=LT");
          const std::string a = Computation(depth - 1), b = Computation(depth - 1);
          const std::string x = pair(), y = pair();
          take(add("(s32[], s32[])", "conditional(" + less + ", " + x + ", " + y +
                                         "), true_computation=" + a + ", false_computation=" + b));
          break;
        }
        case 4: {
          const std::string low = add("s32[]", "and(" + any() + ", " + number + ")");
          const std::string one = add("s32[]", "constant(1)");
          const std::string index = add("s32[]", "subtract(" + low + ", " + one + ")");
          const std::string a = Computation(depth - 1), b = Computation(depth - 1),
                            c = Computation(depth - 1);
          const std::string x = pair(), y = pair(), z = pair();
          take(add("(s32[], s32[])", "conditional(" + index + ", " + x + ", " + y + ", " + z +
                                         "), branch_computations={" + a + ", " + b + ", " + c +
                                         "}"));
          break;
        }
        case 5: {
          const bool fusion = random_() % 2 != 0;
          const std::string callee = Computation(depth - 1, fusion);
          const std::string x = pair();
          take(add("(s32[], s32[])", fusion ? "fusion(" + x + "), kind=kLoop, calls=" + callee
                                            : "call(" + x + "), to_apply=" + callee));
          break;
        }
        default: {
          const std::string loop = Loop(depth - 1);
          const std::string x = pair();
          const std::string zero = add("s32[]", "constant(0)");
          const std::string init = add("((s32[], s32[]), s32[])", "tuple(" + x + ", " + zero + ")");
          const std::string state =
              add("((s32[], s32[]), s32[])",
                  "while(" + init + "), condition=" + loop + "c, body=" + loop + "b");
          take(add("(s32[], s32[])", "get-tuple-element(" + state + "), index=0"));
        }
      }
    }
    std::string first = any();
    if (fused) {
      const std::vector<std::string> all = numbers;
      for (const std::string& value : all)
        first = add("s32[]", "add(" + first + ", " + value + ")");
    }
    // Values may change places.
    body += "  ROOT r = (s32[], s32[]) tuple(" + first + ", " + any() + ")\n}\n";
    text_ += body;
    return name;
  }

 private:
  /// A loop of few iterations for most values, and of more for some.
  std::string Loop(int depth) {
    const std::string name = "l_" + std::to_string(++computations_);
    const std::string callee = Computation(depth);
    text_ += name +
             "c {\n"
             "  s = ((s32[], s32[]), s32[]) parameter(0)\n"
             "  p = (s32[], s32[]) get-tuple-element(s), index=0\n"
             "  n = s32[] get-tuple-element(s), index=1\n"
             "  a = s32[] get-tuple-element(p), index=0\n"
             "  three = s32[] constant(3)\n  forty = s32[] constant(40)\n"
             "  sixty = s32[] constant(63)\n"
             "  few = s32[] and(a, three)\n  rare = s32[] and(a, sixty)\n"
             "  is_rare = pred[] compare(rare, sixty), direction=EQ\n"
             "  limit = s32[] select(is_rare, forty, few)\n"
             "  ROOT c = pred[] compare(n, limit), direction=LT\n}\n" +
             name +
             "b {\n"
             "  s = ((s32[], s32[]), s32[]) parameter(0)\n"
             "  p = (s32[], s32[]) get-tuple-element(s), index=0\n"
             "  n = s32[] get-tuple-element(s), index=1\n"
             "  q = (s32[], s32[]) call(p), to_apply=" +
             callee +
             "\n"
             "  one = s32[] constant(1)\n  m = s32[] add(n, one)\n"
             "  ROOT r = ((s32[], s32[]), s32[]) tuple(q, m)\n}\n";
    return name;
  }

  std::mt19937 random_;
  std::string text_;
  int computations_ = 0;
};

TEST_CASE("random regions with control flow give what the executor gives") {
  for (unsigned seed = 1; seed <= static_cast<unsigned>(Rounds(60)); ++seed) {
    Writer writer(seed);
    const std::string root = writer.Computation(3);
    CompiledRegion p(writer.text() +
                     "f {\n  x = s32[] parameter(0)\n  y = s32[] parameter(1)\n"
                     "  t = (s32[], s32[]) tuple(x, y)\n"
                     "  ROOT r = (s32[], s32[]) call(t), to_apply=" +
                     root +
                     "\n}\n"
                     "ENTRY e {\n  x = s32[] parameter(0)\n  y = s32[] parameter(1)\n"
                     "  ROOT r = (s32[], s32[]) call(x, y), to_apply=f\n}");
    REQUIRE(p.function);
    CAPTURE(seed);
    // A block and a piece: the executor runs some lanes of it.
    std::mt19937 random(seed);
    std::vector<int32_t> x, y;
    for (int i = 0; i < 1500; ++i) {
      x.push_back(static_cast<int32_t>(random() % 200) - 100);
      y.push_back(static_cast<int32_t>(random() % 200) - 100);
    }
    const std::vector<int32_t> results = p.Apply(x, y);
    for (size_t i = 0; i < x.size(); i += 37) {
      Budget budget;
      Executor executor(*p.module, {}, &budget, nullptr);
      executor.Start({Tensor::Scalar<int32_t>(x[i]), Tensor::Scalar<int32_t>(y[i])});
      REQUIRE(executor.Run() == Executor::Status::kDone);
      const Value::Elements& expected = executor.result().elements();
      CHECK(results[i] == *expected[0].tensor().data<int32_t>());
      CHECK(results[x.size() + i] == *expected[1].tensor().data<int32_t>());
    }
  }
}

// The number of steps to 1: 27 takes 111 of them, its neighbours few.
const char* const kCollatz = R"(
even { n = s32[] parameter(0)  one = s32[] constant(1)  ROOT h = s32[] shift-right-logical(n, one) }
odd { n = s32[] parameter(0)  one = s32[] constant(1)  three = s32[] constant(3)
      m = s32[] multiply(n, three)  ROOT h = s32[] add(m, one) }
condition { s = (s32[], s32[]) parameter(0)
  n = s32[] get-tuple-element(s), index=0  one = s32[] constant(1)
  ROOT c = pred[] compare(n, one), direction=GT }
body { s = (s32[], s32[]) parameter(0)
  n = s32[] get-tuple-element(s), index=0  k = s32[] get-tuple-element(s), index=1
  one = s32[] constant(1)  low = s32[] and(n, one)
  m = s32[] conditional(low, n, n), branch_computations={even, odd}
  l = s32[] add(k, one)
  ROOT r = (s32[], s32[]) tuple(m, l) }
f { x = s32[] parameter(0)
  zero = s32[] constant(0)  t = (s32[], s32[]) tuple(x, zero)
  w = (s32[], s32[]) while(t), condition=condition, body=body
  ROOT k = s32[] get-tuple-element(w), index=1 })";

int32_t Collatz(int32_t n) {
  int32_t k = 0;
  for (; n > 1; ++k) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return k;
}

TEST_CASE("every lane runs its own number of iterations") {
  CompiledRegion p(kCollatz);
  REQUIRE(p.function);
  for (size_t n : {size_t{1}, size_t{9}, size_t{1024}, size_t{3000}}) {
    std::vector<int32_t> x, expected;
    for (size_t i = 0; i < n; ++i) {
      x.push_back(static_cast<int32_t>(i * 7 % 5000) - 3);
      expected.push_back(Collatz(x.back()));
    }
    CHECK(p.Apply(x, x) == expected);
  }
}

TEST_CASE("a lane that runs for long does not make the others work") {
  CompiledRegion p(kCollatz);
  std::vector<int32_t> x(1024, 1);
  x[0] = x[500] = x[1023] = 27;
  const uint64_t before = p.budget.steps_used();
  CHECK(p.Apply(x, x)[500] == 111);
  // Three lanes, 111 iterations of a dozen operations.
  CHECK(p.budget.steps_used() - before < 3 * 112 * 16);
}

TEST_CASE("a loop in a branch does not run for lanes that do not take it") {
  // For x = 0 the loop would not end.
  CompiledRegion p(R"(
    nonzero { s = (s32[], s32[]) parameter(0)  n = s32[] get-tuple-element(s), index=0
              seven = s32[] constant(7)  ROOT c = pred[] compare(n, seven), direction=LT }
    double { s = (s32[], s32[]) parameter(0)  n = s32[] get-tuple-element(s), index=0
             k = s32[] get-tuple-element(s), index=1  m = s32[] add(n, n)
             one = s32[] constant(1)  l = s32[] add(k, one)
             ROOT r = (s32[], s32[]) tuple(m, l) }
    count { x = s32[] parameter(0)  zero = s32[] constant(0)
            t = (s32[], s32[]) tuple(x, zero)
            w = (s32[], s32[]) while(t), condition=nonzero, body=double
            ROOT k = s32[] get-tuple-element(w), index=1 }
    none { x = s32[] parameter(0)  ROOT k = s32[] constant(-1) }
    f { x = s32[] parameter(0)  zero = s32[] constant(0)
        p = pred[] compare(x, zero), direction=GT
        ROOT r = s32[] conditional(p, x, x), true_computation=count, false_computation=none })");
  REQUIRE(p.function);
  CHECK(p.Apply<int32_t>({0, 1, -5, 3, 0, 9}, {0, 0, 0, 0, 0, 0}) ==
        std::vector<int32_t>{-1, 3, -1, 2, -1, 0});
}

TEST_CASE("an endless loop ends with the budget, also if nothing uses it") {
  const std::string text = R"(
    always { s = s32[] parameter(0)  ROOT c = pred[] constant(true) }
    same { ROOT s = s32[] parameter(0) }
    f { x = s32[] parameter(0)
        w = s32[] while(x), condition=always, body=same
        ROOT r = s32[] negate(x) })";
  CompiledRegion steps(text, {.steps = 10'000});
  REQUIRE(steps.function);
  try {
    steps.Apply<int32_t>({1, 2}, {0, 0});
    FAIL("it ended");
  } catch (const RunError& error) {
    CHECK(error.code() == DiagCode::kStepsExceeded);
  }
  CompiledRegion time(text, {.seconds = 0.02});
  CHECK_THROWS_AS(time.Apply<int32_t>({1, 2}, {0, 0}), RunError);
}

TEST_CASE("what a region passes on is known, what wrappers hide is seen") {
  const auto recognised = [](const std::string& text) -> std::string {
    CompiledRegion p(text);
    const Opcode* opcode = p.function ? p.function->BinaryOpcode() : nullptr;
    return opcode ? std::string(Text(*opcode)) : "program";
  };
  const std::string add =
      "add { a = s32[] parameter(0)  b = s32[] parameter(1)  ROOT r = s32[] add(a, b) }\n";
  const std::string sub =
      "add { a = s32[] parameter(0)  b = s32[] parameter(1)  ROOT r = s32[] subtract(a, b) }\n";
  const std::string f = "f { x = s32[] parameter(0)  y = s32[] parameter(1)  ";
  CHECK(recognised(add + f + "ROOT r = s32[] call(x, y), to_apply=add }") == "add");
  CHECK(recognised(add + f + "ROOT r = s32[] fusion(y, x), kind=kLoop, calls=add }") == "add");
  CHECK(recognised(add + f +
                   "c = s32[] copy(x)  s = s32[] call(c, y), to_apply=add"
                   "  ROOT r = s32[] reshape(s) }") == "add");
  CHECK(recognised(sub + f + "ROOT r = s32[] call(x, y), to_apply=add }") == "subtract");
  CHECK(recognised(sub + f + "ROOT r = s32[] call(y, x), to_apply=add }") == "program");
  CHECK(recognised(add + f + "z = s32[] negate(x)  ROOT r = s32[] call(z, y), to_apply=add }") ==
        "program");

  CompiledRegion p(f +
                   "t = (s32[], s32[]) tuple(x, y)  u = (s32[], s32[]) opt-barrier(t)"
                   "  v = s32[] get-tuple-element(u), index=1  n = s32[] negate(x)"
                   "  ROOT r = (s32[], s32[]) tuple(v, n) }");
  REQUIRE(p.function);
  CHECK(p.function->ResultParameter(0) == 1);
  CHECK(p.function->ResultParameter(1) == -1);
  CHECK(p.Apply<int32_t>({1, 2}, {3, 4}) == std::vector<int32_t>{3, 4, -1, -2});
}

TEST_CASE("the same bits as another type") {
  CompiledRegion p(
      "f { x = s32[] parameter(0)  b = f32[] bitcast(x)  d = f32[] add(b, b)"
      "  ROOT r = s32[] bitcast(d) }");
  REQUIRE(p.function);
  CHECK(p.Apply<int32_t>({0x3f800000}, {0}) == std::vector<int32_t>{0x40000000});
}

}  // namespace
}  // namespace hlo
