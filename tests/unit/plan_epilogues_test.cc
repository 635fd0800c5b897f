// Loops that run as epilogues of products: which they are, and that bits stay the same.
#include <memory>
#include <string>
#include <utility>

#include "doctest/doctest.h"
#include "engine/plan/epilogues.h"
#include "engine/threads/pool.h"
#include "engine/views/document.h"
#include "engine/views/plan_view.h"
#include "engine/views/run_view.h"
#include "tests/unit/joined_runs.h"
#include "tests/unit/program_cases.h"

namespace hlo {
namespace {

/// The same with loops joined, and so with epilogues, and without.
void CheckJoinedRun(const std::string& text) {
  const auto module = Parse(text);
  CheckSameBits(RunWith(*module, /*joins=*/true), RunWith(*module, /*joins=*/false));
}

std::string PlanOf(const std::string& text) { return PlanText(Document(text)); }

/// x (m by k) times w (k by n), of this type, and what is made of the product `d`.
std::string ProductWith(const std::string& type, const std::string& sizes, const std::string& rest,
                        const std::string& more = "") {
  const auto first = sizes.find(','), second = sizes.find(',', first + 1);
  const std::string m = sizes.substr(0, first), k = sizes.substr(first + 1, second - first - 1),
                    n = sizes.substr(second + 1);
  std::string text = more +
                     "ENTRY e {\n x = T[M,K] parameter(0)  w = T[K,N] parameter(1)\n"
                     " b = T[N] parameter(2)  y = T[M,N] parameter(3)\n"
                     " d = T[M,N] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n" +
                     rest + "\n}\n";
  for (const auto& [from, to] :
       {std::pair("T[", type + "["), std::pair("M,", m + ","), std::pair("[K,", "[" + k + ","),
        std::pair(",K]", "," + k + "]"), std::pair(",N]", "," + n + "]"),
        std::pair("[N]", "[" + n + "]")}) {
    const std::string what = from;
    for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += to.size()) {
      text.replace(at, what.size(), to);
    }
  }
  return text;
}

const std::string kBiasRelu =
    "bb = T[M,N] broadcast(b), dimensions={1}  s = T[M,N] add(d, bb)  z = T[] constant(0)\n"
    "zz = T[M,N] broadcast(z), dimensions={}  ROOT r = T[M,N] maximum(s, zz)";
const std::string kResidual =
    "s = T[M,N] add(y, d)  t0 = T[M,N] multiply(d, d)  ROOT r = T[M,N] subtract(s, t0)";
const std::string kGelu =
    "h = T[] constant(0.5)  hh = T[M,N] broadcast(h), dimensions={}  m = T[M,N] multiply(d, hh)\n"
    "u = T[M,N] tanh(m)  ROOT r = T[M,N] multiply(d, u)";

/// The same bits with one thread and with several, joined and instruction by instruction.
void CheckEpilogue(const std::string& text) {
  CAPTURE(text);
  CHECK(Contains(PlanOf(text), "as the epilogue of d"));
  for (int threads : {1, 3}) {
#ifdef __EMSCRIPTEN__
    if (threads > 1) continue;
#endif
    SetThreads(threads);
    CheckJoinedRun(text);
    SetThreads(1);
  }
}

TEST_CASE("epilogues: bias, activation and residual, of any sizes") {
  for (const char* sizes : {"128,64,128", "131,65,127", "1000,8,17", "300,40,70"}) {
    for (const std::string& rest : {kBiasRelu, kResidual, kGelu}) {
      CheckEpilogue(ProductWith("f32", sizes, rest));
    }
  }
  CheckEpilogue(ProductWith("f64", "130,33,140", kGelu));
  CheckEpilogue(ProductWith("s32", "130,33,140", kBiasRelu));
}

TEST_CASE("epilogues: batches, and rows that are reduced within parts") {
  CheckEpilogue(
      "ENTRY e { x = f32[6,70,33] parameter(0)  w = f32[6,33,50] parameter(1)\n"
      "d = f32[6,70,50] dot(x, w), lhs_batch_dims={0}, rhs_batch_dims={0},"
      " lhs_contracting_dims={2}, rhs_contracting_dims={1}\n"
      "t = f32[6,70,50] tanh(d)  ROOT r = f32[6,70,50] add(t, d) }");
  CheckEpilogue(ProductWith(
      "f32", "300,20,100",
      "z = T[] constant(-inf)  m = T[300] reduce(d, z), dimensions={1}, to_apply=largest\n"
      "mm = T[M,N] broadcast(m), dimensions={0}  s = T[M,N] subtract(d, mm)\n"
      "ROOT r = T[M,N] exponential(s)",
      "largest { a = f32[] parameter(0)  b = f32[] parameter(1)\n"
      "  ROOT c = f32[] maximum(a, b) }\n"));
}

TEST_CASE("epilogues: what an epilogue needs is computed before the product") {
  CheckEpilogue(ProductWith("f32", "128,64,128",
                            "c = T[N] multiply(b, b)  bb = T[M,N] broadcast(c), dimensions={1}\n"
                            "ROOT r = T[M,N] add(d, bb)"));
}

TEST_CASE("epilogues: why a loop is none") {
  const auto plan = [](const std::string& rest) {
    const std::string text = ProductWith("f32", "128,64,128", rest);
    CheckJoinedRun(text);
    return PlanOf(text);
  };
  CHECK(Contains(plan("t0 = T[M,N] tanh(d)  ROOT r = (T[M,N], T[M,N]) tuple(d, t0)"),
                 "not an epilogue: the loop of t0 after d: another user needs the product"));
  CHECK(Contains(plan("v = T[M,N] reverse(d), dimensions={1}  s = T[M,N] add(v, y)\n"
                      "ROOT r = T[M,N] tanh(s)"),
                 "the loop reads it in another order"));
  CHECK(Contains(plan("p = pred[M,N] compare(d, y), direction=LT  q = pred[M,N] not(p)\n"
                      "ROOT r = pred[M,N] and(p, q)"),
                 "what the loop writes does not fit in the memory of the product"));
}

TEST_CASE("epilogues: rows that are long but few are final in short parts") {
  const std::string text = ProductWith("f32", "16,9,4100", kBiasRelu);
  CheckJoinedRun(text);
  CHECK(Contains(PlanOf(text), "the loop of r after d: the product is not final part by part"));
}

TEST_CASE("epilogues: a limit of time ends a product with an epilogue") {
  const std::string text = ProductWith("f32", "1024,1024,1024", kGelu);
  CHECK(Contains(PlanOf(text), "as the epilogue of d"));
  const auto document = std::make_shared<const Document>(text);
  RunRequest request;
  request.trace = false;
  request.limits.seconds = 0.002;
  const auto record = RunDocument(document, request);
  CHECK(!record->output);
  CHECK(Contains(record->diagnostics.list().front().message, "time limit"));
}

}  // namespace
}  // namespace hlo
