// Shape rules of values, control flow, asynchronous ops and custom calls.
#include "tests/unit/program_cases.h"

namespace hlo {
namespace {

TEST_CASE("tuples") {
  CheckAccepted(
      Entry("p = f32[2] parameter(0)  t = (f32[2], f32[2]) tuple(p, p)\n"
            "ROOT g = f32[2] get-tuple-element(t), index=1"));
  CheckRefused(Entry("p = f32[2] parameter(0)\nROOT g = f32[2] get-tuple-element(p), index=0"),
               "Cannot infer shape: attempting to index into non-tuple: f32[2].", "p");
  CheckRefused(
      Entry("p = f32[2] parameter(0)  t = (f32[2]) tuple(p)\n"
            "ROOT g = f32[2] get-tuple-element(t), index=1"),
      "Cannot infer shape: attempt to index out of tuple bounds: 1 >= 1 in shape (f32[2]).", "1");
  CheckRefused(Entry("p = f32[2] parameter(0)\nROOT t = (f32[3]) tuple(p)"),
               "Expected instruction to have shape equal to (f32[2]), actual shape is (f32[3])",
               "(f32[3])");
}

TEST_CASE("a wrong shape comes with its fix") {
  const std::string text = Entry("p = f32[2] parameter(0)\nROOT t = (f32[3]) tuple(p)");
  Diagnostics diagnostics = Diagnose(text);
  REQUIRE(diagnostics.list().size() == 1);
  REQUIRE(diagnostics.list()[0].fixes.size() == 1);
  CheckAccepted(Mended(text, diagnostics.list()[0].fixes[0]));
}

TEST_CASE("while") {
  CheckAccepted(
      Entry("i = s32[] parameter(0)\n"
            "ROOT w = s32[] while(i), condition=again, body=step"));
  CheckRefused(Entry("i = f32[] parameter(0)\n"
                     "ROOT w = f32[] while(i), condition=again, body=step"),
               "Operand 0 shape does not match parameter's 0 of again in w: f32[] and s32[]",
               "again");
  CheckRefused(Entry("i = s32[] parameter(0)\n"
                     "ROOT w = s32[] while(i), condition=step, body=step"),
               "Conditional computation shape does not lead to a scalar predicate shape: s32[]",
               "step");
  CheckRefused(
      Entry("i = s32[] parameter(0)\n"
            "ROOT w = s32[] while(i), condition=again, body=again"),
      "Expected instruction to have shape equal to pred[], actual shape is s32[]: w = while",
      "s32[]");
  CheckRefused(Entry("i = s32[] parameter(0)\n"
                     "ROOT w = s32[] while(i), condition=add, body=step"),
               "Expected computation add called from w to have 1 parameters, has 2", "add");
}

TEST_CASE("conditional") {
  std::string head = "k = pred[] parameter(0)  i = s32[] parameter(1)  x = f32[] parameter(2)\n";
  CheckAccepted(Entry(head + "ROOT c = f32[] conditional(k, x, x), true_computation=twice, "
                             "false_computation=twice"));
  CheckAccepted(Entry(head + "ROOT c = f32[] conditional(i, x, x, x), "
                             "branch_computations={twice, twice, twice}"));
  CheckRefused(Entry(head + "ROOT c = f32[] conditional(x, x, x), true_computation=twice, "
                            "false_computation=twice"),
               "The first operand of indexed conditional must be a scalar of S32. Got type F32.",
               "x");
  CheckRefused(Entry(head + "ROOT c = f32[] conditional(k, x, x), "
                            "branch_computations={twice, twice}"),
               "unexpected attribute \"branch_computations\"", "{twice, twice}");
  CheckRefused(Entry(head + "ROOT c = f32[] conditional(i, x), branch_computations={twice, twice}"),
               "Expected 3 operands for conditional instruction: the selector and one for each of "
               "2 branches, found 2",
               "conditional");
  CheckRefused(
      Entry(head + "ROOT c = f32[] conditional(i, x, i), "
                   "branch_computations={twice, step}"),
      "Expected instruction to have shape equal to s32[], actual shape is f32[]: c.5 = conditional",
      "f32[]");
}

TEST_CASE("call, fusion") {
  CheckAccepted(Entry("x = f32[] parameter(0)\nROOT c = f32[] call(x, x), to_apply=add"));
  CheckRefused(Entry("x = f32[] parameter(0)\nROOT c = f32[] call(x), to_apply=add"),
               "Expected computation add called from c.5 to have 1 parameters, has 2", "add");
  CheckRefused(Entry("x = f32[] parameter(0)\n"
                     "ROOT c = f32[] call(x), to_apply=twice, is_composite=true"),
               "A composite call op must have frontend attributes", "call");
  CheckAccepted(Entry("x = f32[] parameter(0)\nROOT f = f32[] fusion(x), kind=kLoop, calls=twice"));
  CheckRefused(Entry("x = f32[] parameter(0)\n"
                     "ROOT f = f32[2] fusion(x), kind=kLoop, calls=twice"),
               "Fused computation shape (f32[]) is not equal to the fusion shape (f32[2]{0})",
               "fusion");
  CheckRefused(Entry("x = f32[] parameter(0)\nROOT f = f32[] fusion(x), kind=kLoop, calls=add"),
               "greater than the number of operands", "add");
}

TEST_CASE("tokens") {
  CheckAccepted(
      Entry("x = f32[] parameter(0)  t = token[] after-all()\n"
            "ROOT a = f32[] add-dependency(x, t)"));
  CheckAccepted(Entry("x = f32[] parameter(0)\nROOT a = token[] after-all(x)"));
  CheckRefused(Entry("x = f32[] parameter(0)\nROOT a = f32[] add-dependency(x, x)"),
               "Expected operand 1 to be token-shaped, actual shape is f32[]", "x");
}

TEST_CASE("custom-call") {
  CheckRefused(Entry("x = f32[2] parameter(0)\n"
                     "ROOT c = f32[2] custom-call(x), custom_call_target=\"f\", "
                     "output_to_operand_aliasing={{0}: (0, {})}"),
               "Invalid aliasing output shape index");
  CheckRefused(Entry("x = f32[2] parameter(0)\n"
                     "ROOT c = f32[3] custom-call(x), custom_call_target=\"f\", "
                     "output_to_operand_aliasing={{}: (0, {})}"),
               "Different aliasing shapes: f32[2]{0} vs f32[3]{0}");
  CheckRefused(Entry("x = f32[2] parameter(0)\n"
                     "ROOT c = f32[2] custom-call(x), custom_call_target=\"f\", "
                     "output_to_operand_aliasing={{}: (3, {})}"),
               "Operand number 3 in aliasing config is out of bounds");
  CheckRefused(Entry("x = f32[2] parameter(0)\n"
                     "ROOT c = u32[] custom-call(x), custom_call_target=\"GetRngSeed\""),
               "must return U64 type");
}

TEST_CASE("copy-start, copy-done") {
  CheckAccepted(
      Entry("x = f32[2,3] parameter(0)\n"
            "s = (f32[2,3]{1,0:S(1)}, f32[2,3], u32[]) copy-start(x)\n"
            "ROOT d = f32[2,3]{1,0:S(1)} copy-done(s)"));
  CheckRefused(Entry("x = f32[2,3] parameter(0)\n"
                     "s = (f32[2,2], f32[2,3], u32[]) copy-start(x)\n"
                     "ROOT d = f32[2,2] copy-done(s)"),
               "shape equal to (f32[2,3], f32[2,3], u32[])", "(f32[2,2], f32[2,3], u32[])");
}

TEST_CASE("random numbers and dynamic sizes") {
  std::string head = "a = f32[] parameter(0)  i = s32[] parameter(1)  x = f32[4] parameter(2)\n";
  CheckAccepted(Entry(head + "ROOT r = f32[3] rng(a, a), distribution=rng_normal"));
  CheckRefused(
      Entry(head + "ROOT r = s32[3] rng(i, i), distribution=rng_normal"),
      "Element type not supported. Expected element to be FloatingPointType for RngNormal: s32",
      "i");
  CheckRefused(Entry(head + "ROOT r = f32[3] rng(a, i), distribution=rng_uniform"),
               "Expected compatible element types", "i");
  CheckAccepted(Entry(head + "ROOT s = f32[<=4] set-dimension-size(x, i), dimensions={0}"));
  CheckRefused(Entry(head + "ROOT s = f32[<=4] set-dimension-size(x, a), dimensions={0}"),
               "SetDimensionSize's value has to be S32 scalar, got f32[]", "a");
  CheckRefused(Entry(head + "ROOT s = s32[] get-dimension-size(x), dimensions={1}"),
               "GetDimensionSize dimension out of bounds: 1.", "{1}");
  CheckRefused(Entry(head + "ROOT s = f32[2,<=3] dynamic-reshape(x, i, i)"),
               "expects the same number of elements");
}

}  // namespace
}  // namespace hlo
