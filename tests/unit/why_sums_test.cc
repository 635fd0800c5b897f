// engine/why: overflow and underflow inside of sums.
#include <memory>
#include <string>

#include "doctest/doctest.h"
#include "engine/views/why_view.h"
#include "tests/all_targets.h"

namespace hlo {
namespace {

// "name index: words", or why there is none.
std::string FoundInSum(const std::string& body, FirstKind wanted) {
  RunRequest request;
  request.options = OptionsWithTargets();
  WhyRun run(std::make_shared<const Document>("HloModule m\n" + body), request);
  REQUIRE_MESSAGE(run.timeline(), body);
  WhyQuestion question;
  question.first = wanted;
  const WhyAnswer answer = run.Ask(question);
  if (!answer.found) return answer.problem;
  std::string found(run.origins().Facts(answer.found->place.step).instruction->name());
  for (const int64_t i : answer.found->place.index) found += " " + std::to_string(i);
  return found + ": " + answer.found->words;
}

constexpr char kSumOf[] =
    "sum { a = f32[] parameter(0)  b = f32[] parameter(1)\n"
    "  ROOT c = f32[] add(a, b) }\n";

TEST_CASE("sums: a product of a dot overflows") {
  const std::string dot = R"(ENTRY e {
    a = f32[2,3] constant({{1, 2, 3}, {1, 3e38, 1}})  b = f32[3] constant({1, 10, -1})
    ROOT d = f32[2] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} })";
  CHECK(FoundInSum(dot, FirstKind::kOverflow) ==
        "d 1: 3e+38 * 10, product 2 of 3, is beyond the largest finite f32");
  CHECK(FoundInSum(dot, FirstKind::kInfinity) ==
        "d 1: 3e+38 * 10, product 2 of 3, is beyond the largest finite f32: dot is inf");
}

TEST_CASE("sums: a partial sum of a dot overflows, and what follows makes it a NaN") {
  const std::string dot = R"(ENTRY e {
    a = f32[4] constant({3e38, 3e38, -3e38, 1})  b = f32[4] constant({1, 1, 10, 1})
    ROOT d = f32[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0} })";
  CHECK(FoundInSum(dot, FirstKind::kOverflow) ==
        "d: the sum of the first 2 of 4 products, 3e+38 + 3e+38, is beyond the largest finite f32");
  CHECK(FoundInSum(dot, FirstKind::kNan) ==
        "d: the sum of the first 2 of 4 products, 3e+38 + 3e+38, is beyond the largest finite f32: "
        "dot is NaN");
}

TEST_CASE("sums: a sum that is finite where it is taken, but not in the type of the result") {
  CHECK(FoundInSum(R"(ENTRY e { a = f16[2] constant({300, 60})  b = f16[2] constant({200, 200})
    ROOT d = f16[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0} })",
                   FirstKind::kOverflow) ==
        "d: the sum of 2 products, 72000, is beyond the largest finite f16");
  CHECK(FoundInSum(std::string(kSumOf) + R"(ENTRY e {
    a = f32[3] constant({3e38, 3e38, -1})  z = f32[] constant(0)
    ROOT r = f32[] reduce(a, z), dimensions={0}, to_apply=sum })",
                   FirstKind::kOverflow) ==
        "r: the sum of 3 elements, 6e+38, is beyond the largest finite f32");
}

TEST_CASE("sums: convolutions, with padding and steps") {
  CHECK(FoundInSum(R"(ENTRY e { x = f32[1,1,5] constant({{{1, 2, 3e38, 4, 5}}})
    k = f32[1,1,3] constant({{{1, 1, 7}}})
    ROOT c = f32[1,1,3] convolution(x, k), window={size=3 stride=2 pad=1_1}, dim_labels=bf0_oi0->bf0 })",
                   FirstKind::kOverflow) == "nothing overflowed");
  CHECK(FoundInSum(R"(ENTRY e { x = f32[1,1,5] constant({{{1, 3e38, 2, 4, 5}}})
    k = f32[1,1,3] constant({{{1, 1, 7}}})
    ROOT c = f32[1,1,3] convolution(x, k), window={size=3 stride=2 pad=1_1}, dim_labels=bf0_oi0->bf0 })",
                   FirstKind::kOverflow) ==
        "c 0 0 0: 3e+38 * 7, product 2 of 2, is beyond the largest finite f32");
}

TEST_CASE("sums: windows, and scans step by step") {
  const std::string f64 = R"(sum { a = f64[] parameter(0)  b = f64[] parameter(1)
    ROOT c = f64[] add(a, b) }
  )";
  CHECK(FoundInSum(f64 + R"(ENTRY e { x = f64[4] constant({1, 1e308, 1e308, -1e308})
    z = f64[] constant(0)
    ROOT w = f64[2] reduce-window(x, z), window={size=3}, to_apply=sum })",
                   FirstKind::kOverflow) ==
        "w 0: the sum of 3 elements, 1e+308 + 1e+308, is beyond the largest finite f64");
  CHECK(FoundInSum(R"(step { x = f32[] parameter(0)  c = f32[] parameter(1)
    s = f32[] multiply(x, c)  ROOT t = (f32[], f32[]) tuple(s, s) }
  ENTRY e { x = f32[3] constant({1e20, 1e10, 1e10})  one = f32[] constant(1)
    ROOT r = (f32[3], f32[]) scan(x, one), dimensions={0}, num_carries=1, to_apply=step })",
                   FirstKind::kOverflow) ==
        "r 2: the product of 3 elements, 1e+30 * 1e+10, is beyond the largest finite f32");
}

TEST_CASE("sums: a product underflows, and its sum is 0") {
  CHECK(FoundInSum(R"(ENTRY e {
    a = f32[2,2] constant({{0, 1}, {0, 1e-30}})  b = f32[2] constant({1e-30, 1e-30})
    ROOT d = f32[2] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} })",
                   FirstKind::kUnderflow) ==
        "d 1: 1e-30 * 1e-30, product 2 of 2, is not 0, but below the smallest f32");
  CHECK(FoundInSum(R"(ENTRY e {
    a = f32[2] constant({1, -1})  b = f32[2] constant({1, 1})
    ROOT d = f32[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0} })",
                   FirstKind::kUnderflow) == "nothing underflowed to zero");
  CHECK(FoundInSum(R"(product { a = f32[] parameter(0)  b = f32[] parameter(1)
    ROOT c = f32[] multiply(a, b) }
  ENTRY e { a = f32[4] constant({1e-20, 1e-20, 1e-20, 5})  o = f32[] constant(1)
    ROOT r = f32[] reduce(a, o), dimensions={0}, to_apply=product })",
                   FirstKind::kUnderflow) ==
        "r: the product of the first 3 of 4 elements, 9.99995e-41 * 1e-20, is not 0, but below the "
        "smallest f32");
}

}  // namespace
}  // namespace hlo
