// engine/precision: programs in wider floats, and runs compared.
#include <memory>
#include <string>

#include "doctest/doctest.h"
#include "engine/views/precision_view.h"

namespace hlo {
namespace {

PrecisionView Precise(const std::string& text) {
  const auto document = std::make_shared<const Document>(text);
  PrecisionView view = MakePrecisionView(document, {}, {});
  for (const Diagnostic& fault : view.faults.list()) FAIL(fault.message);
  return view;
}

TEST_CASE("precision: a cancellation is blamed") {
  const PrecisionView view = Precise(R"(ENTRY e {
  a = f32[] constant(1023.7)
  b = f32[] constant(1020.1)
  x = bf16[] convert(a)
  y = bf16[] convert(b)
  d = bf16[] subtract(x, y)
  ROOT r = bf16[] multiply(d, d)
})");
  const std::string text = PrecisionText(view);
  CHECK(text.find("most introduced by d (line 6): cancellation of") != std::string::npos);
}

TEST_CASE("precision: integers and f64 have no error") {
  const PrecisionView view = Precise(R"(ENTRY e {
  a = f64[3] parameter(0)
  b = f64[3] multiply(a, a)
  c = s32[3] convert(b)
  ROOT t = (f64[3], s32[3]) tuple(b, c)
})");
  CHECK(PrecisionText(view) == "result: no element differs\n");
}

TEST_CASE("precision: errors grow over the iterations of a loop") {
  const PrecisionView view = Precise(R"(
cond {
  s = (s32[], bf16[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(300)
  ROOT less = pred[] compare(i, n), direction=LT
}
body {
  s = (s32[], bf16[]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  one = s32[] constant(1)
  next = s32[] add(i, one)
  sum = bf16[] get-tuple-element(s), index=1
  step = bf16[] constant(1.01)
  more = bf16[] add(sum, step)
  ROOT t = (s32[], bf16[]) tuple(next, more)
}
ENTRY e {
  z = s32[] constant(0)
  f = bf16[] constant(0)
  t = (s32[], bf16[]) tuple(z, f)
  w = (s32[], bf16[]) while(t), condition=cond, body=body
  ROOT r = bf16[] get-tuple-element(w), index=1
})");
  for (const InstructionError& each : view.report.instructions) {
    if (each.first->name() != "more") continue;
    REQUIRE(each.executions.size() == 300);
    CHECK(each.executions[299].norm > each.executions[99].norm);
    CHECK(view.report.results[0].worst_first == 346);
    return;
  }
  FAIL("more");
}

TEST_CASE(
    "precision: a recv from the host stays with its recv-done; parts of complex numbers are one") {
  Precise(R"(ENTRY e {
  t = token[] after-all()
  c = f32[] constant(2)
  s = (f32[], u32[], token[]) send(c, t), channel_id=1, is_host_transfer=true
  d = token[] send-done(s), channel_id=1, is_host_transfer=true
  ROOT r = f32[] add(c, c)
})");
  const auto document = std::make_shared<const Document>(R"(ENTRY e {
  t = token[] after-all()
  v = (f32[2], u32[], token[]) recv(t), channel_id=2, is_host_transfer=true
  d = (f32[2], token[]) recv-done(v), channel_id=2, is_host_transfer=true
  g = f32[2] get-tuple-element(d), index=0
  ROOT c = c64[2] complex(g, g)
})");
  RunRequest request;
  request.options.stand_ins = true;
  const PrecisionView view = MakePrecisionView(document, {}, request);
  for (const Diagnostic& fault : view.faults.list()) FAIL(fault.message);
  CHECK(PrecisionText(view) == "result: no element differs\n");
  const PrecisionView sum = Precise(R"(ENTRY e {
  a = c64[] constant((0.1, 0.2))
  b = c64[] constant((0.7, 0.3))
  ROOT p = c64[] multiply(a, b)
})");
  REQUIRE(sum.report.results.size() == 1);
  CHECK(sum.report.results[0].differing == 1);
}

TEST_CASE("precision: bits are those of the narrow type") {
  const PrecisionView view = Precise(R"(ENTRY e {
  a = bf16[2] constant({1.5, -2})
  b = u16[2] bitcast-convert(a)
  ROOT c = bf16[2] bitcast-convert(b)
})");
  CHECK(PrecisionText(view) == "result: no element differs\n");
}

}  // namespace
}  // namespace hlo
