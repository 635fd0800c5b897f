// engine/passes: what every pass does to small programs.
#include "engine/passes/passes.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "doctest/doctest.h"
#include "engine/hlo/parser.h"
#include "engine/hlo/printer.h"
#include "engine/hlo/verifier.h"
#include "engine/views/session.h"

namespace hlo {
namespace {

std::unique_ptr<Module> Parsed(const std::string& text) {
  Diagnostics faults;
  auto module = ParseModule(text, faults);
  if (module && !faults.has_errors()) VerifyModule(*module, faults);
  for (const Diagnostic& fault : faults.list()) {
    if (fault.severity == Severity::kError) FAIL(fault.message << "\n" << text);
  }
  REQUIRE(module);
  return module;
}

// The program after one pass, which reads back.
struct After {
  PassStep step;
  std::string text;

  bool Has(std::string_view part) const { return text.find(part) != std::string::npos; }
  bool Says(ChangeKind kind, std::string_view before, std::string_view after) const {
    for (const PassChange& change : step.report.changes) {
      if (change.kind == kind && change.before == before && change.after == after) return true;
    }
    return false;
  }
};
After Pass1(std::string_view name, const std::string& text) {
  const auto module = Parsed(text);
  const Pass* pass = FindPass(name);
  REQUIRE(pass);
  std::vector<PassStep> steps = RunPasses(*module, {&pass, 1});
  After after{std::move(steps[0]), ""};
  after.text = PrintModule(*after.step.module);
  Parsed(after.text);
  return after;
}
// The same of the lines of an entry computation.
After Simplified(const std::string& lines) {
  return Pass1("simplify", "HloModule m\nENTRY e {\n" + lines + "}\n");
}

TEST_CASE("passes: calls are inlined, names stay, calls that must stay do") {
  const After after = Pass1("inline", R"(HloModule m
twice {
  a = f32[4] parameter(0)
  ROOT sum = f32[4] add(a, a)
}
once {
  b = f32[4] parameter(0)
  neg = f32[4] negate(b)
  ROOT c2 = f32[4] call(neg), to_apply=twice
}
kept {
  k = f32[4] parameter(0)
  ROOT abs = f32[4] abs(k)
}
ENTRY e {
  x = f32[4] parameter(0)
  c = f32[4] call(x), to_apply=once
  d = f32[4] call(c), to_apply=twice
  k2 = f32[4] call(d), to_apply=kept, frontend_attributes={inlineable="false"}
  ROOT r = (f32[4], f32[4]) tuple(d, k2)
}
)");
  CHECK(after.step.changed);
  CHECK(after.Has("neg = f32[4]{0} negate(x)"));
  CHECK_FALSE(after.Has("once"));
  CHECK_FALSE(after.Has("to_apply=twice"));
  CHECK(after.Has("to_apply=kept"));
  CHECK(after.step.report.note.find("inlineable") != std::string::npos);
  CHECK(after.step.counts.computations == 2);
}

TEST_CASE("passes: simplify sees through tuples, moves, slices and concatenations") {
  CHECK(Simplified(R"(x = f32[4] parameter(0)
    y = f32[4] parameter(1)
    t = (f32[4], f32[4]) tuple(x, y)
    g = f32[4] get-tuple-element(t), index=1
    ROOT n = f32[4] negate(g))")
            .Has("negate(y)"));
  CHECK(Simplified(R"(x = f32[4,6] parameter(0)
    a = f32[24] reshape(x)
    ROOT b = f32[2,12] reshape(a))")
            .Has("b = f32[2,12]{1,0} reshape(x)"));
  CHECK(Simplified(R"(x = f32[2,3,4] parameter(0)
    a = f32[3,4,2] transpose(x), dimensions={1,2,0}
    ROOT b = f32[4,2,3] transpose(a), dimensions={1,2,0})")
            .Has("transpose(x), dimensions={2,0,1}"));
  CHECK(Simplified(R"(x = f32[3] parameter(0)
    a = f32[2,3] broadcast(x), dimensions={1}
    ROOT b = f32[2,5,3] broadcast(a), dimensions={0,2})")
            .Has("broadcast(x), dimensions={2}"));
  CHECK(Simplified(R"(x = s8[3] parameter(0)
    a = s32[3] convert(x)
    b = s8[3] convert(a)
    ROOT c = s8[3] negate(b))")
            .Has("negate(x)"));
  CHECK(Simplified(R"(x = f32[10] parameter(0)
    a = f32[4] slice(x), slice={[1:9:2]}
    ROOT b = f32[2] slice(a), slice={[1:4:2]})")
            .Has("slice(x), slice={[3:8:4]}"));
  CHECK(Simplified(R"(x = f32[3] parameter(0)
    y = f32[4] parameter(1)
    a = f32[7] concatenate(x, y), dimensions={0}
    ROOT b = f32[2] slice(a), slice={[4:6]})")
            .Has("slice(y), slice={[1:3]}"));
  CHECK(Simplified(R"(x = f32[9] parameter(0)
    i = s32[] constant(100)
    ROOT b = f32[2] dynamic-slice(x, i), dynamic_slice_sizes={2})")
            .Has("slice(x), slice={[7:9]}"));
  CHECK(Simplified(R"(x = f32[3] parameter(0)
    a = f32[3] reverse(x), dimensions={0}
    b = f32[3] reverse(a), dimensions={0}
    ROOT n = f32[3] negate(b))")
            .Has("negate(x)"));
}

TEST_CASE("passes: simplify leaves floats alone where bits would change") {
  CHECK(Simplified(R"(x = s32[3] parameter(0)
    z = s32[] constant(0)
    zs = s32[3] broadcast(z), dimensions={}
    a = s32[3] add(x, zs)
    ROOT n = s32[3] negate(a))")
            .Has("negate(x)"));
  const After sum = Simplified(R"(x = f32[3] parameter(0)
    z = f32[] constant(0)
    zs = f32[3] broadcast(z), dimensions={}
    ROOT a = f32[3] add(x, zs))");
  CHECK_FALSE(sum.step.changed);
  const After widths = Simplified(R"(x = bf16[3] parameter(0)
    a = f32[3] convert(x)
    ROOT b = bf16[3] convert(a))");
  CHECK_FALSE(widths.step.changed);
}

TEST_CASE("passes: simplify finds what is repeated, unused, constant or never runs") {
  const After repeated = Simplified(R"(x = f32[3] parameter(0)
    a = f32[3] exponential(x)
    b = f32[3] exponential(x)
    dead = f32[3] tanh(x)
    ROOT s = f32[3] add(a, b))");
  CHECK(repeated.Has("add(a, a)"));
  CHECK(repeated.Says(ChangeKind::kReplaced, "b", "a"));
  CHECK(repeated.Says(ChangeKind::kRemoved, "dead", ""));
  CHECK(Simplified(R"(a = s32[2] constant({1,2})
    b = s32[2] constant({10,20})
    ROOT c = s32[2] add(a, b))")
            .Has("ROOT c = s32[2]{0} constant({11, 22})"));
  CHECK(Simplified(R"(p = pred[] constant(false)
    x = f32[] parameter(0)
    y = f32[] parameter(1)
    a = f32[] select(p, x, y)
    ROOT n = f32[] negate(a))")
            .Has("negate(y)"));
  const After loop = Pass1("simplify", R"(HloModule m
c { s = s32[] parameter(0)
  ROOT no = pred[] constant(false) }
b { t = s32[] parameter(0)
  ROOT u = s32[] negate(t) }
f { v = s32[] parameter(0)
  ROOT w = s32[] negate(v) }
g { v2 = s32[] parameter(0)
  ROOT w2 = s32[] abs(v2) }
ENTRY e { x = s32[] parameter(0)
  l = s32[] while(x), condition=c, body=b
  i = s32[] constant(1)
  ROOT k = s32[] conditional(i, l, l), branch_computations={f, g} }
)");
  CHECK(loop.Has("call(x), to_apply=g"));
  CHECK_FALSE(loop.Has("while"));
}

TEST_CASE("passes: what a simplified fusion does not use any more is no operand of it") {
  const After after = Pass1("simplify", R"(HloModule m
body { p = s32[4] parameter(0)
  q = s32[4] parameter(1)
  yes = pred[] constant(true)
  ys = pred[4] broadcast(yes), dimensions={}
  chosen = s32[4] select(ys, q, p)
  ROOT n = s32[4] negate(chosen) }
ENTRY e { x = s32[4] parameter(0)
  y = s32[4] parameter(1)
  gone = s32[4] abs(x)
  ROOT f = s32[4] fusion(gone, y), kind=kLoop, calls=body }
)");
  CHECK(after.Has("q = s32[4]{0} parameter(0)"));
  CHECK(after.Has("fusion(y), kind=kLoop"));
  CHECK(after.Says(ChangeKind::kRemoved, "gone", ""));
}

TEST_CASE("passes: fuse joins single users, repeats scalar constants, not what is expensive") {
  const After after = Pass1("fuse", R"(HloModule m
sum { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b) }
ENTRY e {
  x = f32[8,16] parameter(0)
  two = f32[] constant(2)
  twos = f32[8,16] broadcast(two), dimensions={}
  y = f32[8,16] multiply(x, twos)
  z = f32[8,16] exponential(y)
  zero = f32[] constant(0)
  r = f32[8] reduce(z, zero), dimensions={1}, to_apply=sum
  q = f32[8] sqrt(r)
  ROOT w = f32[8,16] broadcast(q), dimensions={0}
}
)");
  CHECK(after.Has("fusion(x), kind=kInput"));
  CHECK(after.step.counts.fusions == 1);
  CHECK(after.Has("ROOT w = f32[8,16]{1,0} broadcast(q)"));  // sqrt would run 16 times
  CHECK(after.Says(ChangeKind::kFused, "z", "input_fusion"));
}

TEST_CASE("passes: layouts get tiles, and copies where orders of dimensions meet") {
  const After after = Pass1("assign-layouts", R"(HloModule m
ENTRY e {
  x = f32[16,300]{1,0} parameter(0)
  y = f32[16,300]{0,1} parameter(1)
  ROOT s = f32[16,300]{1,0} add(x, y)
}
)");
  CHECK(after.Has("x = f32[16,300]{1,0:T(8,128)} parameter(0)"));
  CHECK(after.Has("y = f32[16,300]{0,1:T(8,128)} parameter(1)"));
  CHECK(after.Has("copy = f32[16,300]{1,0:T(8,128)} copy(y)"));
  CHECK(after.Has("add(x, copy)"));
  const After again = Pass1("assign-layouts", after.text);
  CHECK_FALSE(again.step.changed);
}

TEST_CASE("passes: the schedule needs less memory, keeps control dependencies and says so") {
  const std::string text = R"(HloModule m
ENTRY e {
  x = f32[] parameter(0)
  a = f32[1000] broadcast(x), dimensions={}
  b = f32[2000] broadcast(x), dimensions={}
  c = f32[3000] broadcast(x), dimensions={}
  i = s32[] constant(0)
  a1 = f32[1] dynamic-slice(a, i), dynamic_slice_sizes={1}
  b1 = f32[1] dynamic-slice(b, i), dynamic_slice_sizes={1}
  c1 = f32[1] dynamic-slice(c, i), dynamic_slice_sizes={1}, control-predecessors={a1}
  ab = f32[1] add(a1, b1)
  ROOT abc = f32[1] add(ab, c1)
}
)";
  const After after = Pass1("schedule", text);
  CHECK(after.Has("is_scheduled=true"));
  CHECK(after.text.find("a1 =") < after.text.find("c1 ="));
  CHECK(after.step.counts.peak_bytes < CountProgram(*Parsed(text)).peak_bytes);
  CHECK(after.step.counts.peak_bytes < 16'000);
  CHECK_FALSE(Pass1("schedule", after.text).step.changed);
}

TEST_CASE("passes: buffers that live at a time lie beside one another") {
  const After after = Pass1("assign-buffers", R"(HloModule m
ENTRY e {
  x = f32[100] parameter(0)
  a = f32[100] exponential(x)
  b = f32[100] tanh(a)
  c = f32[100] negate(b)
  ROOT d = f32[100] sqrt(c)
}
)");
  CHECK_FALSE(after.step.changed);
  const std::vector<AssignedBuffer>& buffers = after.step.report.buffers;
  REQUIRE(buffers.size() == 5);
  for (const AssignedBuffer& a : buffers) {
    CHECK(a.offset + a.bytes <= after.step.report.buffer_bytes);
    for (const AssignedBuffer& b : buffers) {
      const bool same_time = a.begin <= b.end && b.begin <= a.end;
      const bool same_place = a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
      if (&a != &b && same_time) CHECK_FALSE(same_place);
    }
  }
  CHECK(after.step.report.buffer_bytes == 4 * 448);
}

TEST_CASE("passes: random numbers by number, pinned instructions and metadata stay") {
  const After random = Simplified(R"(lo = f32[] constant(0)
    hi = f32[] constant(1)
    dead = f32[] constant(5)
    ROOT r = f32[3] rng(lo, hi), distribution=rng_uniform)");
  CHECK_FALSE(random.step.changed);
  CHECK(random.step.report.note.find("rng") != std::string::npos);
  const After kept = Simplified(R"(x = f32[4,6] parameter(0)
    a = f32[24] reshape(x)
    ROOT b = f32[2,12] reshape(a), metadata={op_name="here" source_line=7})");
  CHECK(kept.Has("op_name=\"here\""));
}

TEST_CASE("passes: the call answers with windows of changes and the text of a step") {
  Session session;
  const std::string text = R"(HloModule m
ENTRY e {
  x = f32[3] parameter(0)
  d1 = f32[3] tanh(x)
  d2 = f32[3] cosine(x)
  ROOT n = f32[3] negate(x)
}
)";
  const std::string all = session.PassesOver(text, R"({"passes":["simplify"],"count":1,"step":1})");
  CHECK(all.find(R"("changeCount":2)") != std::string::npos);
  CHECK(all.find("d1") == std::string::npos);
  CHECK(all.find("d2") != std::string::npos);
  CHECK(all.find("negate(x)") != std::string::npos);
  CHECK(session.PassesOver(text, R"({"passes":["no"]})").find("there is no pass") !=
        std::string::npos);
  CHECK(session.PassesOver("HloModule", "").find(R"("ok":false)") != std::string::npos);
}

}  // namespace
}  // namespace hlo
