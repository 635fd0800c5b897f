// Generated code: what there is code for, and that a program gives the same before and after code
// was made for it. Natively none is made; as Wasm it is.
#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <random>
#include <regex>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "doctest/doctest.h"
#include "engine/codegen/code_text.h"
#include "engine/codegen/function_writer.h"
#include "engine/codegen/region_module.h"
#include "engine/codegen/segment.h"
#include "engine/plan/region_code.h"
#include "engine/plan/region_compiler.h"
#include "tests/unit/compiled_region.h"

namespace hlo {
namespace {

CodeBytes UnsignedLeb(uint64_t value) {
  CodeBytes bytes;
  AppendUnsigned(value, &bytes);
  return bytes;
}

CodeBytes SignedLeb(int64_t value) {
  CodeBytes bytes;
  AppendSigned(value, &bytes);
  return bytes;
}

TEST_CASE("generated code: integers in LEB128") {
  CHECK(UnsignedLeb(0) == CodeBytes{0});
  CHECK(UnsignedLeb(127) == CodeBytes{0x7f});
  CHECK(UnsignedLeb(128) == CodeBytes{0x80, 1});
  CHECK(UnsignedLeb(624485) == CodeBytes{0xe5, 0x8e, 0x26});
  CHECK(SignedLeb(63) == CodeBytes{0x3f});
  CHECK(SignedLeb(64) == CodeBytes{0xc0, 0});
  CHECK(SignedLeb(-64) == CodeBytes{0x40});
  CHECK(SignedLeb(-65) == CodeBytes{0xbf, 0x7f});
  CHECK(SignedLeb(-123456) == CodeBytes{0xc0, 0xbb, 0x78});
  CHECK(SignedLeb(INT64_MIN).size() == 10);
}

std::vector<Segment> SegmentsOf(const std::string& text) {
  const CompiledRegion p(text);
  return FindSegments(*CompileSteps(*p.region, nullptr));
}

TEST_CASE("generated code: runs of steps with code, and whole loops") {
  const auto count = [](const std::string& text) { return SegmentsOf(text).size(); };
  CHECK(count(RegionOf("f32", "a = f32[] add(x, y)  ROOT r = f32[] multiply(a, x)")) == 1);
  CHECK(count(RegionOf("f32", "ROOT a = f32[] add(x, y)")) == 1);
  // Functions of f64 are loops of the engine, between two pieces of code.
  const std::string chain =
      "a = f64[] add(x, y)  b = f64[] multiply(a, x)  c = f64[] exponential(b)"
      "  d = f64[] add(c, x)  ROOT r = f64[] negate(d)";
  const std::vector<Segment> around = SegmentsOf(RegionOf("f64", chain));
  REQUIRE(around.size() == 2);
  CHECK(around[0].end - around[0].begin == 2);
  CHECK(around[0].inputs.size() == 2);
  CHECK(around[0].outputs.size() == 1);
  CHECK(around[1].begin == around[0].end + 1);
  // Those of f32 are code.
  CHECK(count(RegionOf("f32", std::regex_replace(chain, std::regex("f64"), "f32"))) == 1);
}

TEST_CASE("generated code: twice the lanes where a pass computes one function") {
  const auto lanes = [](const std::string& instructions) {
    const std::vector<Segment> segments = SegmentsOf(RegionOf("f32", instructions));
    REQUIRE(segments.size() == 1);
    return segments[0].lanes;
  };
  CHECK(lanes("ROOT a = f32[] add(x, y)") == 8);
  CHECK(lanes("ROOT a = f32[] exponential(x)") == 16);
  CHECK(lanes("a = f32[] exponential(x)  ROOT r = f32[] multiply(a, y)") == 16);
  CHECK(lanes("ROOT a = f32[] logistic(x)") == 16);
  // Lane after lane; longer than is looked ahead over; two of them; and more vectors than
  // registers.
  CHECK(lanes("ROOT a = f32[] power(x, y)") == 8);
  CHECK(lanes("ROOT a = f32[] erf(x)") == 8);
  CHECK(lanes("a = f32[] exponential(x)  ROOT r = f32[] exponential(a)") == 8);
  std::string products, sum = "  q0 = f32[] exponential(x)";
  for (int i = 0; i < 20; ++i) {
    products += fmt::format("  p{0} = f32[] {1}(y, {2})", i, i % 2 ? "multiply" : "add",
                            i == 0 ? "x" : fmt::format("p{}", i - 1));
    sum += fmt::format("  q{} = f32[] add(q{}, p{})", i + 1, i, i);
  }
  CHECK(lanes(products + sum + "  ROOT r = f32[] negate(q20)") == 8);
}

TEST_CASE("generated code: both halves at once of what waits for memory, and for few arrays") {
  const auto goes = [](const std::string& instructions) {
    const std::vector<Segment> segments = SegmentsOf(RegionOf("f32", instructions));
    REQUIRE(segments.size() == 1);
    return segments[0].goes_by_halves;
  };
  CHECK(goes("ROOT a = f32[] add(x, y)"));
  CHECK(goes("c = f32[] constant(2)  a = f32[] add(x, y)  ROOT r = f32[] multiply(a, c)"));
  // A function, and four arrays.
  CHECK(!goes("ROOT a = f32[] exponential(x)"));
  CHECK(!goes("a = f32[] add(x, y)  b = f32[] negate(a)  ROOT r = (f32[], f32[]) tuple(a, b)"));
}

TEST_CASE(
    "generated code: constants of all lanes are read from variables, those of each function") {
  const auto text = [](const char* instructions) {
    const CompiledRegion p(RegionOf("f32", instructions));
    const RegionSteps steps = *CompileSteps(*p.region, nullptr);
    return ModuleText(*RegionModule(steps, FindSegments(steps)));
  };
  const std::string one = text("a = f32[] negate(x)  ROOT r = f32[] negate(a)");
  CHECK(one.find("  (global (mut v128) (v128.const i64x2 0x8000000080000000 0x8000000080000000))"
                 "  ;; 0: -0\n") != std::string::npos);
  CHECK(one.find("    global.get 0\n") != std::string::npos);
  // Two functions, on either side of a loop of the engine.
  const std::string two = text(
      "a = f32[] abs(x)  b = f32[] abs(a)  c = f64[] convert(b)  d = f64[] exponential(c)"
      "  e = f32[] convert(d)  ROOT r = f32[] negate(e)");
  CHECK(two.find("  ;; 1: -0\n") != std::string::npos);
  CHECK(two.find("    global.get 0\n") < two.find("(export \"1\")"));
  CHECK(two.find("    global.get 1\n") > two.find("(export \"1\")"));
  CHECK(two.find("    global.get 1\n") != std::string::npos);
}

TEST_CASE("generated code: programs that differ in constants have the same module") {
  const auto module = [](const char* constant) {
    const CompiledRegion p(
        RegionOf("f32", std::string("c = f32[] constant(") + constant +
                            ")  a = f32[] add(x, c)  ROOT r = f32[] multiply(a, y)"));
    const RegionSteps steps = *CompileSteps(*p.region, nullptr);
    return RegionModule(steps, FindSegments(steps));
  };
  REQUIRE(module("1"));
  CHECK(module("1") == module("2"));
}

TEST_CASE("generated code as text") {
  const CompiledRegion p(
      RegionOf("f32", "a = f32[] add(x, y)  ROOT r = pred[] compare(a, y), direction=LT"));
  const RegionSteps steps = *CompileSteps(*p.region, nullptr);
  const std::string text = ModuleText(*RegionModule(steps, FindSegments(steps)));
  // Four lanes, then the lanes that are left.
  for (const char* part :
       {"(module\n", "  (import \"e\" \"m\" (memory 0))\n",
        "(func (export \"0\") (param i32 i32 i32 i32)", "    i32.const -8\n", "        f32x4.add\n",
        "        f32x4.lt\n", "        v128.store32_lane align=1 0\n", "        f32.add\n",
        "        f32.lt\n", "        i32.store8 align=1\n", "      end\n    end\n"}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
}

// ---- The same before and after ------------------------------------------------------------------

template <typename T>
std::vector<T> MixedElements(size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<T> elements(count);
  for (T& element : elements) {
    if constexpr (std::is_floating_point_v<T>) {
      constexpr T kSpecial[] = {0,
                                -T(0),
                                1,
                                -1,
                                T(0.5),
                                T(2.5),
                                -T(3.5),
                                T(1e30),
                                std::numeric_limits<T>::infinity(),
                                -std::numeric_limits<T>::infinity(),
                                std::numeric_limits<T>::quiet_NaN(),
                                T(4e9),
                                T(-4e9),
                                T(1e-40)};
      element = random() % 4 == 0 ? kSpecial[random() % std::size(kSpecial)]
                                  : T(static_cast<double>(random() % 100000) / 997 - 50);
    } else {
      constexpr T kSpecial[] = {
          0, 1, T(-1), std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), 31, 32, 64};
      element = random() % 4 == 0 ? kSpecial[random() % std::size(kSpecial)]
                                  : static_cast<T>(random() >> (random() % 64));
    }
  }
  return elements;
}

/// The place of the first elements with different bits; where there are none, their number.
template <typename T>
size_t FirstDifferent(const std::vector<T>& a, const std::vector<T>& b) {
  size_t i = 0;
  while (i < a.size() && std::memcmp(&a[i], &b[i], sizeof(T)) == 0) ++i;
  return i;
}

template <typename T>
std::string HexOf(T value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof(T));
  return fmt::format("{:#x}", bits);
}

/// Whether the platform takes the code of a region, if it takes any.
bool IsTaken(const CompiledRegion& p) {
  const std::optional<RegionSteps> steps = CompileSteps(*p.region, nullptr);
  return !TheRegionCodeMaker() || FindSegments(*steps).empty() ||
         TheRegionCodeMaker()->Make(*steps) != nullptr;
}

/// A program long enough for code gives the same bits every time.
template <typename T>
void CheckSameAgain(std::string_view type, const std::string& instructions, unsigned seed) {
  CAPTURE(instructions);
  CompiledRegion p(RegionOf(type, instructions));
  REQUIRE(p.function);
  REQUIRE(IsTaken(p));
  // Not a multiple of four.
  constexpr size_t kCount = 1023;
  const std::vector<T> x = MixedElements<T>(kCount, seed), y = MixedElements<T>(kCount, seed + 1);
  std::vector<T> first;
  const int64_t wanted = TheRegionCodeMaker() ? TheRegionCodeMaker()->worthwhile() : 0;
  for (int64_t done = 0; done <= wanted + 2 * 1023; done += 1023) {
    const std::vector<T> results = p.Apply(x, y);
    if (first.empty()) first = results;
    const size_t different = FirstDifferent(first, results);
    if (different == kCount) continue;
    INFO("x = ", +x[different], ", y = ", +y[different]);
    CHECK(HexOf(first[different]) == HexOf(results[different]));
    return;
  }
}

// A loop of which every lane runs its own number of iterations.
std::string InLoop(const std::string& t, const std::string& op) {
  return "c {\n  s = (s32[], " + t + "[], " + t +
         "[]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n"
         "  n = s32[] constant(3)\n  ROOT l = pred[] compare(i, n), direction=LT\n}\n"
         "b {\n  s = (s32[], " +
         t + "[], " + t +
         "[]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n  x = " + t +
         "[] get-tuple-element(s), index=1\n  y = " + t +
         "[] get-tuple-element(s), index=2\n  one = s32[] constant(1)\n  j = s32[] add(i, one)\n" +
         op + "  ROOT r = (s32[], " + t + "[], " + t + "[]) tuple(j, a, x)\n}\n";
}

template <typename T>
void CheckOps(const std::string& t, const std::vector<std::string>& ops) {
  unsigned seed = 1;
  for (const std::string& op : ops) {
    const std::string a = "  a = " + t + "[] " + op + "\n";
    CheckSameAgain<T>(
        t, a + "  n = " + t + "[] maximum(a, y)\n  ROOT r = " + t + "[] minimum(n, x)", seed += 2);
    CheckSameAgain<T>(t,
                      a +
                          "  p = pred[] compare(a, x), direction=LT\n  q = pred[] compare(x, y), "
                          "direction=NE\n  o = pred[] xor(p, q)\n  ROOT r = " +
                          t + "[] select(o, a, y)",
                      seed += 2);
  }
}

const std::vector<std::string> kAnyOps = {"add(x, y)",     "subtract(x, y)", "multiply(x, y)",
                                          "maximum(x, y)", "minimum(x, y)",  "divide(x, y)",
                                          "clamp(y, x, x)"};
const std::vector<std::string> kSignedOps = {"negate(x)", "abs(x)", "sign(x)"};
const std::vector<std::string> kFloatOps = {
    "sqrt(x)", "rsqrt(x)", "floor(x)", "ceil(x)", "round-nearest-even(x)", "round-nearest-afz(x)"};
const std::vector<std::string> kFunctions = {"exponential(x)", "exponential-minus-one(x)",
                                             "log(x)",         "log-plus-one(x)",
                                             "tanh(x)",        "logistic(x)",
                                             "sine(x)",        "cosine(x)",
                                             "tan(x)",         "erf(x)",
                                             "cbrt(x)",        "sinh(x)",
                                             "cosh(x)",        "asin(x)",
                                             "acos(x)",        "atan(x)",
                                             "asinh(x)",       "acosh(x)",
                                             "atanh(x)",       "power(x, y)",
                                             "atan2(x, y)",    "remainder(x, y)"};
const std::vector<std::string> kBitOps = {"and(x, y)",
                                          "or(x, y)",
                                          "xor(x, y)",
                                          "not(x)",
                                          "remainder(x, y)",
                                          "shift-left(x, y)",
                                          "shift-right-logical(x, y)",
                                          "shift-right-arithmetic(x, y)",
                                          "popcnt(x)",
                                          "count-leading-zeros(x)"};

template <typename T>
void CheckType(const std::string& t, std::initializer_list<const std::vector<std::string>*> lists) {
  CAPTURE(t);
  for (const std::vector<std::string>* ops : lists) {
    CheckOps<T>(t, *ops);
    unsigned seed = 100;
    for (const std::string& op : *ops) {
      // Loops are computations of their own: the text of one comes before f.
      const std::string loop = InLoop(t, "  a = " + t + "[] " + op + "\n");
      CAPTURE(op);
      CompiledRegion p(loop +
                       RegionOf(t, "  z = s32[] constant(0)\n  s = (s32[], " + t + "[], " + t +
                                       "[]) tuple(z, x, y)\n  w = (s32[], " + t + "[], " + t +
                                       "[]) while(s), condition=c, body=b\n  ROOT r = " + t +
                                       "[] get-tuple-element(w), index=1"));
      REQUIRE(p.function);
      const std::vector<T> x = MixedElements<T>(301, seed), y = MixedElements<T>(301, seed + 1);
      seed += 2;
      std::vector<T> first;
      const int64_t wanted = TheRegionCodeMaker() ? TheRegionCodeMaker()->worthwhile() : 0;
      for (int64_t done = 0; done <= wanted + 2000; done += 301 * 9) {
        const std::vector<T> results = p.Apply(x, y);
        if (first.empty()) first = results;
        const size_t different = FirstDifferent(first, results);
        if (different == x.size()) continue;
        INFO("x = ", +x[different], ", y = ", +y[different]);
        CHECK(HexOf(first[different]) == HexOf(results[different]));
        break;
      }
    }
  }
}

TEST_CASE("generated code gives what the block program gives: every op it knows, of every type") {
  CheckType<float>("f32", {&kAnyOps, &kSignedOps, &kFloatOps, &kFunctions});
  CheckType<double>("f64", {&kAnyOps, &kSignedOps, &kFloatOps});
  CheckType<int32_t>("s32", {&kAnyOps, &kSignedOps, &kBitOps});
  CheckType<uint32_t>("u32", {&kAnyOps, &kBitOps});
  CheckType<int64_t>("s64", {&kAnyOps, &kSignedOps, &kBitOps});
  CheckType<uint64_t>("u64", {&kAnyOps, &kBitOps});
  CheckType<int8_t>("s8", {&kAnyOps, &kSignedOps, &kBitOps});
  CheckType<uint8_t>("u8", {&kAnyOps, &kBitOps});
  CheckType<int16_t>("s16", {&kAnyOps, &kSignedOps, &kBitOps});
  CheckType<uint16_t>("u16", {&kAnyOps, &kBitOps});
}

const std::vector<std::string> kNarrowFloats = {
    "f8e5m2", "f8e4m3fn", "f8e4m3", "f8e3m4", "f8e5m2fnuz", "f8e4m3fnuz", "f8e4m3b11fnuz"};

TEST_CASE("generated code gives what the block program gives: floats of 8 and 16 bits") {
  for (const char* type : {"bf16", "f16"}) {
    CheckType<uint16_t>(type, {&kAnyOps, &kSignedOps, &kFloatOps, &kFunctions});
  }
  for (const std::string& type : kNarrowFloats) {
    CheckType<uint8_t>(type, {&kAnyOps, &kSignedOps, &kFloatOps});
  }
}

TEST_CASE("generated code gives what the block program gives: conversions") {
  const std::vector<std::string> types = {"f32", "f64", "s32", "u32", "s64", "u64",
                                          "s8",  "u8",  "s16", "u16", "pred"};
  for (const std::string& via : types) {
    const std::string steps = "  a = " + via + "[] convert(x)\n  b = " + via +
                              "[] convert(y)\n  c = " + via + "[] maximum(a, b)\n";
    CheckSameAgain<float>("f32", steps + "  ROOT r = f32[] convert(c)", 7);
    CheckSameAgain<int32_t>("s32", steps + "  ROOT r = s32[] convert(c)", 8);
    CheckSameAgain<uint32_t>("u32", steps + "  ROOT r = u32[] convert(c)", 9);
  }
  std::vector<std::string> narrow = kNarrowFloats;
  narrow.insert(narrow.end(), {"bf16", "f16"});
  for (const std::string& via : narrow) {
    const std::string steps = "  a = " + via + "[] convert(x)\n  b = " + via +
                              "[] convert(y)\n  c = " + via + "[] maximum(a, b)\n";
    CheckSameAgain<float>("f32", steps + "  ROOT r = f32[] convert(c)", 7);
    CheckSameAgain<int8_t>("s8", steps + "  ROOT r = s8[] convert(c)", 8);
    CheckSameAgain<uint16_t>("u16", steps + "  ROOT r = u16[] convert(c)", 9);
    CheckSameAgain<double>("f64", steps + "  ROOT r = f64[] convert(c)", 15);
    CheckSameAgain<int32_t>("s32", steps + "  ROOT r = s32[] convert(c)", 16);
    CheckSameAgain<uint32_t>("u32", steps + "  ROOT r = u32[] convert(c)", 17);
    CheckSameAgain<uint16_t>("bf16", steps + "  d = bf16[] convert(c)\n  ROOT r = bf16[] negate(d)",
                             10);
  }
  for (const char* type : {"bf16", "f16"}) {
    CheckSameAgain<uint16_t>(type,
                             "  a = s16[] bitcast-convert(x)\n  b = s16[] bitcast-convert(y)\n"
                             "  c = s16[] xor(a, b)\n  ROOT r = " +
                                 std::string(type) + "[] bitcast-convert(c)",
                             11);
  }
  const std::string order = "  p = pred[] compare(x, y), direction=LT, type=TOTALORDER\n";
  CheckSameAgain<float>("f32", order + "  ROOT r = f32[] select(p, x, y)", 12);
  CheckSameAgain<double>("f64", order + "  ROOT r = f64[] select(p, x, y)", 13);
  CheckSameAgain<uint16_t>("bf16", order + "  ROOT r = bf16[] select(p, x, y)", 14);
  // NaN is the least number of these.
  for (const std::string type : {"f8e5m2fnuz", "f8e4m3fnuz", "f8e4m3b11fnuz"}) {
    CheckSameAgain<uint8_t>(type, order + "  ROOT r = " + type + "[] select(p, x, y)", 15);
    CheckSameAgain<uint8_t>(type,
                            "  a = " + type + "[] sqrt(x)\n  p = pred[] compare(a, y), " +
                                "direction=LT, type=TOTALORDER\n  ROOT r = " + type +
                                "[] select(p, x, y)",
                            16);
    CheckSameAgain<uint8_t>(type,
                            "  a = f8e4m3fn[] convert(x)\n  b = u8[] bitcast-convert(a)\n"
                            "  ROOT r = " +
                                type + "[] bitcast-convert(b)",
                            17);
  }
  CheckSameAgain<float>("f32",
                        "  a = s32[] bitcast-convert(x)\n  b = s32[] bitcast-convert(y)\n"
                        "  c = s32[] xor(a, b)\n  d = f32[] bitcast-convert(c)\n"
                        "  p = pred[] is-finite(d)\n  ROOT r = f32[] select(p, d, x)",
                        10);
}

TEST_CASE("generated code: an endless loop ends at its limits") {
  const std::string text =
      "c {\n  s = (s32[]) parameter(0)\n  ROOT l = pred[] constant(true)\n}\n"
      "b {\n  s = (s32[]) parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n"
      "  one = s32[] constant(1)\n  j = s32[] add(i, one)\n  ROOT r = (s32[]) tuple(j)\n}\n" +
      RegionOf("s32",
               "  s = (s32[]) tuple(x)\n  w = (s32[]) while(s), condition=c, body=b\n"
               "  ROOT r = s32[] get-tuple-element(w), index=0");
  {
    CompiledRegion p(text, {.seconds = 0.05});
    CHECK_THROWS_AS(p.Apply<int32_t>({1, 2}, {3, 4}), RunError);
  }
  CompiledRegion p(text, {.steps = 50'000'000});
  CHECK_THROWS_AS(p.Apply<int32_t>({1, 2}, {3, 4}), RunError);
}

}  // namespace
}  // namespace hlo
