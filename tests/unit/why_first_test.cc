// engine/why: the first NaN, infinity, overflow and underflow of a run, its largest loss of
// precision, and chains of elements.
#include <memory>
#include <string>

#include "doctest/doctest.h"
#include "engine/views/why_view.h"
#include "tests/all_targets.h"

namespace hlo {
namespace {

WhyAnswer FirstIn(const std::string& text, FirstKind wanted) {
  RunRequest request;
  request.options = OptionsWithTargets();
  WhyRun run(std::make_shared<const Document>(text), request);
  REQUIRE_MESSAGE(run.timeline(), text);
  WhyQuestion question;
  question.first = wanted;
  return run.Ask(question);
}

// The name of the instruction, its index, and what is said.
std::string FoundIn(const std::string& body, FirstKind wanted) {
  const std::string text = "HloModule m\n" + body;
  RunRequest request;
  request.options = OptionsWithTargets();
  WhyRun run(std::make_shared<const Document>(text), request);
  REQUIRE_MESSAGE(run.timeline(), text);
  WhyQuestion question;
  question.first = wanted;
  const WhyAnswer answer = run.Ask(question);
  if (!answer.found) return answer.problem;
  const PlaceInRun& place = answer.found->place;
  std::string found(run.origins().Facts(place.step).instruction->name());
  for (const int64_t i : place.index) found += " " + std::to_string(i);
  return found + ": " + answer.found->words;
}

TEST_CASE("first: a NaN by its operands, in order of execution") {
  CHECK(FoundIn(R"(ENTRY e {
    a = f32[3] constant({1, 0, 2})  b = f32[3] constant({1, 0, 0})
    q = f32[3] divide(a, b)  ROOT r = f32[3] add(q, q) })",
                FirstKind::kNan) == "q 1: 0 / 0 is NaN");
  CHECK(FoundIn(R"(ENTRY e { a = f32[2] constant({1, -1})  ROOT l = f32[2] log(a) })",
                FirstKind::kNan) == "l 1: log(-1) is NaN");
  CHECK(FoundIn("ENTRY e { ROOT a = f32[2] constant({1, nan}) }", FirstKind::kNan) ==
        "a 1: NaN is written in the program");
  CHECK(FoundIn("ENTRY e { ROOT a = f32[2] constant({1, 2}) }", FirstKind::kNan) ==
        "no value of the run has a NaN");
}

TEST_CASE("first: an infinity that was made, not one that is written and passed on") {
  const char* const program = R"(ENTRY e {
    a = f32[2] constant({1, 2})  low = f32[] constant(-inf)
    m = f32[2] broadcast(low), dimensions={}  s = f32[2] add(a, m)
    z = f32[2] constant({3, 0})  ROOT q = f32[2] divide(a, z) })";
  CHECK(FoundIn(program, FirstKind::kInfinity) == "q 1: 2 / 0 is inf");
  CHECK(FoundIn(program, FirstKind::kOverflow) == "nothing overflowed");
}

TEST_CASE("first: an overflow of an element, of a conversion and of a sum of products") {
  CHECK(FoundIn(R"(ENTRY e { a = f32[2] constant({1, 3e38})
    ROOT m = f32[2] multiply(a, a) })",
                FirstKind::kOverflow) == "m 1: 3e+38 * 3e+38 is beyond the largest finite f32");
  CHECK(FoundIn(R"(ENTRY e { a = f32[] constant(70000)  ROOT c = f16[] convert(a) })",
                FirstKind::kOverflow) == "c: convert(70000) is beyond the largest finite f16");
  CHECK(FoundIn(R"(ENTRY e { a = f32[2] constant({3e38, 3e38})  b = f32[2] constant({1, 1})
    ROOT d = f32[] dot(a, b), lhs_contracting_dims={0}, rhs_contracting_dims={0} })",
                FirstKind::kOverflow) ==
        "d: the sum of 2 products, 3e+38 + 3e+38, is beyond the largest finite f32");
}

TEST_CASE("first: an underflow needs operands that are not zero") {
  CHECK(FoundIn(R"(ENTRY e { a = f32[3] constant({0, 1, 1e-30})
    ROOT m = f32[3] multiply(a, a) })",
                FirstKind::kUnderflow) ==
        "m 2: 1e-30 * 1e-30 is not 0, but below the smallest f32");
  CHECK(FoundIn(R"(ENTRY e { a = f32[2] constant({-inf, -1000})
    ROOT x = f32[2] exponential(a) })",
                FirstKind::kUnderflow) ==
        "x 1: exponential(-1000) is not 0, but below the smallest f32");
  CHECK(FoundIn(R"(ENTRY e { a = f32[2] constant({0, 1})  ROOT m = f32[2] multiply(a, a) })",
                FirstKind::kUnderflow) == "nothing underflowed to zero");
}

TEST_CASE("first: the largest loss of precision of the whole run") {
  CHECK(FoundIn(R"(ENTRY e { a = f32[2] constant({1025, 1048577})
    b = f32[2] constant({1024, 1048576})  s = f32[2] subtract(a, b)
    x = f32[2] subtract(a, a)  c = bf16[2] convert(a)  ROOT r = f32[2] add(s, x) })",
                FirstKind::kLoss) == "s 1: 1048577 - 1048576 = 1: the leading 20 bits cancel");
  // 1 + 2^-8 + 2^-16 keeps 8 bits of 24: it is off by half a unit of these, and a little more.
  const WhyAnswer rounded = FirstIn(R"(HloModule m
    ENTRY e { a = f32[] constant(1.0039215)  ROOT c = bf16[] convert(a) })",
                                    FirstKind::kLoss);
  REQUIRE(rounded.found);
  CHECK(rounded.found->lost_bits > 14);
  CHECK(rounded.found->lost_bits <= 16);
  CHECK(FoundIn("ENTRY e { a = f32[] constant(1)  ROOT c = f32[] add(a, a) }", FirstKind::kLoss) ==
        "no sum or conversion of the run lost precision by cancellation or rounding");
}

TEST_CASE("first: inside of loops and fusions, and the chain leads to what made it") {
  const std::string text = R"(HloModule m
half { p = f32[] parameter(0)  h = f32[] constant(1e-20)  ROOT m = f32[] multiply(p, h) }
cond { s = (s32[], f32[]) parameter(0)  i = s32[] get-tuple-element(s), index=0
       n = s32[] constant(5)  ROOT lt = pred[] compare(i, n), direction=LT }
body { s = (s32[], f32[]) parameter(0)  i = s32[] get-tuple-element(s), index=0
       x = f32[] get-tuple-element(s), index=1  one = s32[] constant(1)  j = s32[] add(i, one)
       y = f32[] fusion(x), kind=kLoop, calls=half  ROOT t = (s32[], f32[]) tuple(j, y) }
ENTRY e { zero = s32[] constant(0)  x = f32[] constant(1)
  s = (s32[], f32[]) tuple(zero, x)  w = (s32[], f32[]) while(s), condition=cond, body=body
  y = f32[] get-tuple-element(w), index=1  z = f32[] constant(0)  ROOT q = f32[] divide(z, y) })";
  RunRequest request;
  request.options = OptionsWithTargets();
  WhyRun run(std::make_shared<const Document>(text), request);
  REQUIRE(run.timeline());
  WhyQuestion question;
  question.first = FirstKind::kUnderflow;
  const WhyAnswer under = run.Ask(question);
  REQUIRE(under.found);
  const StepFacts at = run.origins().Facts(under.found->place.step);
  CHECK(at.instruction->name() == "m");
  REQUIRE(at.iterations);
  CHECK(*at.iterations == std::vector<int64_t>{2});
  // The last state is what the fusion made of 0 and 1e-20: the larger one is followed.
  const WhyAnswer back = run.Ask(*WhyQuestionFromText("w[1]"));
  REQUIRE(back.problem.empty());
  CHECK(back.chain.is_complete);
  REQUIRE(back.chain.links.size() == 5);
  const PlaceInRun& origin = back.chain.links.back().place;
  CHECK(run.origins().Facts(origin.step).instruction->name() == "h");
  CHECK(run.Ask(*WhyQuestionFromText("w[2]")).problem ==
        "'w' has no such element: it is (s32[], f32[])");
  CHECK(run.Ask(*WhyQuestionFromText("half/m")).problem.empty());
  CHECK(run.Ask(*WhyQuestionFromText("y[3]")).problem == "'y' is f32[]: it has no element [3]");
  CHECK(run.Ask(*WhyQuestionFromText("nobody")).problem == "there is no instruction 'nobody'");
  CHECK(!WhyQuestionFromText("w[1"));
  CHECK(!WhyQuestionFromText("w[a]"));
}

}  // namespace
}  // namespace hlo
