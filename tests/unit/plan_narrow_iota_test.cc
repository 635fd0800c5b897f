// Indices that only reductions of pairs read are computed along their dimension alone.
#include <string>

#include "doctest/doctest.h"
#include "engine/plan/plan.h"
#include "engine/views/document.h"
#include "tests/unit/joined_runs.h"
#include "tests/unit/program_cases.h"

namespace hlo {
namespace {

// An arg-max, or with `both` what adds up the indices, over one dimension of f32[3,5,7].
std::string ArgMaxOver(int dimension, int iota_dimension, const std::string& more = "",
                       const std::string& index = "select(here, i, j)") {
  const std::string kept[] = {"5,7", "3,7", "3,5"};
  const std::string d = std::to_string(dimension);
  return "HloModule m\narg_max { a = f32[] parameter(0)  i = s32[] parameter(1)\n"
         "  b = f32[] parameter(2)  j = s32[] parameter(3)\n"
         "  first = pred[] compare(a, b), direction=GE\n"
         "  value = f32[] select(first, a, b)\n"
         "  here = pred[] compare(a, b), direction=GE\n"
         "  index = s32[] " +
         index +
         "\n  ROOT r = (f32[], s32[]) tuple(value, index) }\n"
         "ENTRY e { x = f32[3,5,7] parameter(0)\n"
         "  n = s32[3,5,7] iota(), iota_dimension=" +
         std::to_string(iota_dimension) +
         "\n  low = f32[] constant(-inf)  zero = s32[] constant(0)\n" + more + "  ROOT r = (f32[" +
         kept[dimension] + "], s32[" + kept[dimension] +
         "]) reduce(x, n, low, zero), dimensions={" + d + "}, to_apply=arg_max }\n";
}

// The dimensions of the iota as it is planned.
Dims PlannedDims(const Module& module) {
  Plan plan(module, nullptr, /*joins_loops=*/true);
  for (const PlannedInstruction& planned : plan.For(*module.entry()).instructions) {
    if (planned.instruction->opcode() == Opcode::kIota) return planned.call.shape().dims();
  }
  return {};
}

}  // namespace

TEST_CASE("narrow iota: an arg-max over any dimension reads indices of that dimension alone") {
  for (int dimension = 0; dimension < 3; ++dimension) {
    CAPTURE(dimension);
    const auto module = Parse(ArgMaxOver(dimension, dimension));
    const int64_t sizes[] = {3, 5, 7};
    CHECK(PlannedDims(*module) == Dims{sizes[dimension]});
    CheckSameBits(RunWith(*module, true), RunWith(*module, false));
  }
}

TEST_CASE("narrow iota: a reducer that is no arg-max gets them repeated") {
  const auto module = Parse(ArgMaxOver(1, 1, "", "add(i, j)"));
  CHECK(PlannedDims(*module) == Dims{5});
  CheckSameBits(RunWith(*module, true), RunWith(*module, false));
}

TEST_CASE("narrow iota: indices of another dimension, or with other users, stay whole") {
  const std::string other =
      "  s = s32[3,5,7] sort(n), dimensions={1}, to_apply={ p = s32[] "
      "parameter(0) q = s32[] parameter(1) ROOT l = pred[] compare(p, q), "
      "direction=LT }\n";
  for (const std::string& text : {ArgMaxOver(1, 2), ArgMaxOver(1, 1, other)}) {
    const auto module = Parse(text);
    CHECK(PlannedDims(*module) == Dims{3, 5, 7});
    CheckSameBits(RunWith(*module, true), RunWith(*module, false));
  }
}

}  // namespace hlo
