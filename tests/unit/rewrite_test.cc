// engine/rewrite: smaller programs, and parts of programs.
#include <memory>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/hlo/parser.h"
#include "engine/hlo/verifier.h"
#include "engine/rewrite/isolate.h"
#include "engine/rewrite/shrink.h"

namespace hlo {
namespace {

std::unique_ptr<Module> ParsedModule(const std::string& text) {
  Diagnostics faults;
  auto module = ParseModule(text, faults);
  if (module && !faults.has_errors()) VerifyModule(*module, faults);
  for (const Diagnostic& fault : faults.list()) {
    if (fault.severity == Severity::kError) FAIL(fault.message);
  }
  REQUIRE(module);
  return module;
}

std::string ShapeNamed(const Module& module, std::string_view name) {
  for (const Computation& computation : module.computations()) {
    if (const Instruction* found = computation.Find(name)) return ShapeName(found->shape());
  }
  FAIL(name);
  return "";
}

constexpr char kAttention[] = R"(HloModule attention
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT add = f32[] add(a, b)
}
ENTRY e {
  x = f32[4096,8192] parameter(0)
  w = f32[8192,8192] parameter(1)
  dot = f32[4096,8192] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  heads = f32[4096,64,128] reshape(dot)
  first = f32[4096,64,64] slice(heads), slice={[0:4096], [0:64], [0:64]}
  last = f32[4096,64,64] slice(heads), slice={[0:4096], [0:64], [64:128]}
  turned = f32[4096,64,128] concatenate(last, first), dimensions={2}
  limit = s32[] constant(4096)
  count = f32[] constant(8192)
  zero = f32[] constant(0)
  row = s32[] parameter(2)
  picked = f32[1,64,128] dynamic-slice(turned, row, row, row), dynamic_slice_sizes={1,64,128}
  wide = f32[4100,64,128] pad(turned, zero), padding=0_4x0_0x0_0
  all = f32[] reduce(wide, zero), dimensions={0,1,2}, to_apply=sum
  mean = f32[] divide(all, count)
  ROOT out = (f32[], s32[], f32[1,64,128]) tuple(mean, limit, picked)
}
)";

TEST_CASE("shrink: sizes stay equal, reshapes, slices, padding, attributes and constants follow") {
  const auto module = ParsedModule(kAttention);
  const Shrunk shrunk = Shrink(*module, {.peak_bytes = 200'000});
  CHECK(shrunk.fits);
  CHECK(shrunk.peak_bytes <= 200'000);
  CHECK(shrunk.constants == 2);
  const auto small = ParsedModule(shrunk.text);
  const auto& rows = shrunk.changes.at(4096);
  const auto& columns = shrunk.changes.at(8192);
  CHECK(rows < 4096);
  CHECK(columns < 8192);
  CHECK(ShapeNamed(*small, "dot") ==
        "f32[" + std::to_string(rows) + "," + std::to_string(columns) + "]");
  CHECK(shrunk.text.find("s32[] constant(" + std::to_string(rows) + ")") != std::string::npos);
  CHECK(shrunk.text.find("f32[] constant(" + std::to_string(columns) + ")") != std::string::npos);
}

TEST_CASE("shrink: a scalar that fills an array goes on filling it, whatever number it is") {
  const auto module = ParsedModule(
      "ENTRY e { x = f32[8192,4096] parameter(0) c = f32[8192,4096] constant(8192) ROOT s = "
      "f32[8192,4096] add(x, c) }");
  const Shrunk shrunk = Shrink(*module, {.peak_bytes = 10'000});
  CHECK(shrunk.fits);
  CHECK(shrunk.constants == 0);
  ParsedModule(shrunk.text);
  CHECK(shrunk.text.find("constant({") == std::string::npos);
  CHECK(shrunk.text.find("8192") != std::string::npos);
}

TEST_CASE(
    "shrink: what a window slides over keeps its size, and the answer says what is in the way") {
  const auto module = ParsedModule(R"(HloModule m
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
ENTRY e {
  x = f32[64,1000] parameter(0)
  zero = f32[] constant(0)
  ROOT sums = f32[64,1000] reduce-window(x, zero), window={size=1x1000 pad=0_0x999_0}, to_apply=add
}
)");
  const Shrunk shrunk = Shrink(*module, {.peak_bytes = 100});
  CHECK_FALSE(shrunk.fits);
  CHECK(shrunk.why.find("1000") != std::string::npos);
  CHECK(shrunk.changes.count(1000) == 0);
  CHECK(shrunk.changes.at(64) < 64);
  ParsedModule(shrunk.text);
}

TEST_CASE("shrink: a program that is small already stays as it is") {
  const auto module =
      ParsedModule("ENTRY e { x = f32[2,3] parameter(0) ROOT y = f32[2,3] negate(x) }");
  const Shrunk shrunk = Shrink(*module, {.peak_bytes = 1});
  CHECK(shrunk.text.empty());
  CHECK_FALSE(shrunk.fits);
}

TEST_CASE("shrink: array constants keep their first elements") {
  const auto module = ParsedModule(R"(HloModule m
ENTRY e {
  c = s32[2,16] constant({{0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15},{16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31}})
  ROOT y = s32[2,16] negate(c)
}
)");
  const Shrunk shrunk = Shrink(*module, {.peak_bytes = 32});
  CHECK(shrunk.text.find("{ { 0, 1, 2, 3 }, { 16, 17, 18, 19 } }") != std::string::npos);
}

constexpr char kLoop[] = R"(HloModule m, num_partitions=2
body {
  p = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  one = s32[] constant(1)
  next = s32[] add(i, one)
  v = f32[4] get-tuple-element(p), index=1
  twice = f32[4] add(v, v)
  ROOT t = (s32[], f32[4]) tuple(next, twice)
}
cond {
  p = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  ten = s32[] constant(10)
  ROOT less = pred[] compare(i, ten), direction=LT
}
ENTRY e {
  x = f32[4] parameter(0)
  unused = f32[8] parameter(1)
  zero = s32[] constant(0)
  start = (s32[], f32[4]) tuple(zero, x)
  loop = (s32[], f32[4]) while(start), condition=cond, body=body
  v = f32[4] get-tuple-element(loop), index=1
  a = f32[4] negate(v)
  b = f32[4] exponential(a), control-predecessors={zero}
  ROOT c = f32[4] add(a, b)
}
)";

TEST_CASE("isolate: operands become parameters, callees come along") {
  const auto module = ParsedModule(kLoop);
  const Instruction* loop = module->entry()->Find("loop");
  const Isolated part = Isolate({loop}, IsolateExtent::kPart);
  const auto made = ParsedModule(part.text);
  REQUIRE(part.parameters.size() == 1);
  CHECK(part.parameters[0]->name() == "start");
  CHECK(made->entry()->root()->name() == "loop");
  CHECK(made->computations().size() == 3);
  CHECK(made->num_partitions() == 2);
}

TEST_CASE("isolate: several instructions have a tuple of what is used elsewhere") {
  const auto module = ParsedModule(kLoop);
  const Computation& body = *module->FindComputation("body");
  const Isolated part =
      Isolate({body.Find("next"), body.Find("twice"), body.Find("one")}, IsolateExtent::kPart);
  const auto made = ParsedModule(part.text);
  CHECK(ShapeName(made->entry()->result_shape()) == "(s32[], f32[4])");
  REQUIRE(part.parameters.size() == 2);
  CHECK(part.parameters[0]->name() == "i");
  CHECK(part.parameters[1]->name() == "v");
}

TEST_CASE("isolate: with dependencies, parameters stay and positions in the text do not count") {
  const auto module = ParsedModule(kLoop);
  const Isolated part = Isolate({module->entry()->Find("b")}, IsolateExtent::kSlice);
  const auto made = ParsedModule(part.text);
  REQUIRE(part.parameters.size() == 1);
  CHECK(part.parameters[0]->name() == "x");
  CHECK(made->entry()->root()->name() == "b");
  CHECK(made->entry()->Find("c") == nullptr);
  CHECK(made->entry()->Find("unused") == nullptr);
}

TEST_CASE("isolate: the tuple of the results has a name of its own") {
  const auto module = ParsedModule(
      "HloModule m\nENTRY e { results = f32[2] parameter(0)  a = f32[2] negate(results)  "
      "b = f32[2] abs(results)  ROOT c = f32[2] add(a, b) }");
  const Isolated part =
      Isolate({module->entry()->Find("a"), module->entry()->Find("b")}, IsolateExtent::kSlice);
  const auto made = ParsedModule(part.text);
  CHECK(made->entry()->root()->name() == "results.1");
  CHECK(made->entry()->Find("results")->opcode() == Opcode::kParameter);
}

TEST_CASE("isolate: neither half of an operation comes alone") {
  const auto module = ParsedModule(R"(HloModule m
ENTRY e {
  x = f32[4] parameter(0)
  order = token[] after-all()
  start = (f32[4], f32[4], u32[]) copy-start(x)
  done = f32[4] copy-done(start)
  out = (f32[4], u32[], token[]) send(done, order), channel_id=1
  sent = token[] send-done(out), channel_id=1
  begun = ((f32[4]), f32[4], s32[]) negate-start(done)
  going = ((f32[4]), f32[4], s32[]) negate-update(begun)
  ROOT negated = f32[4] negate-done(going)
}
)");
  struct Case {
    const char* name;
    size_t parameters;
    const char* root;
  };
  constexpr Case kCases[] = {{"start", 1, "done"},    {"done", 1, "done"},
                             {"out", 2, "sent"},      {"sent", 2, "sent"},
                             {"begun", 1, "negated"}, {"negated", 1, "negated"}};
  for (const Case& each : kCases) {
    CAPTURE(each.name);
    const Instruction* instruction = module->entry()->Find(each.name);
    const Isolated part = Isolate({instruction}, IsolateExtent::kPart);
    CHECK(part.parameters.size() == each.parameters);
    CHECK(ParsedModule(part.text)->entry()->root()->name() == each.root);
    const Isolated slice = Isolate({instruction}, IsolateExtent::kSlice);
    CHECK(ParsedModule(slice.text)->entry()->root()->name() == each.root);
  }
}

TEST_CASE("isolate: with what depends on a start comes what ends it") {
  const auto module = ParsedModule(R"(HloModule m
ENTRY e {
  order = token[] after-all()
  got = (f32[4], u32[], token[]) recv(order), channel_id=1
  done = (f32[4], token[]) recv-done(got), channel_id=1
  x = f32[4] get-tuple-element(done), index=0
  begun = ((f32[4]), f32[4], s32[]) negate-start(x)
  both = (((f32[4]), f32[4], s32[]), f32[4]) tuple(begun, x)
  ended = f32[4] negate-done(begun)
  ROOT y = f32[4] negate(x)
}
)");
  const auto slice =
      ParsedModule(Isolate({module->entry()->Find("both")}, IsolateExtent::kSlice).text);
  CHECK(slice->entry()->Find("ended") != nullptr);
  CHECK(slice->entry()->Find("done") != nullptr);
  CHECK(slice->entry()->root()->name() == "both");
}

TEST_CASE(
    "isolate: buffers are no parameters; half an operation that crosses a loop is no program") {
  const auto module = ParsedModule(R"(HloModule m
cond {
  s = ((f32[10]), f32[10], s32[]) parameter(0)
  ROOT go = pred[] constant(false)
}
body {
  s = ((f32[10]), f32[10], s32[]) parameter(0)
  w = f32[10] negate-done(s)
  ROOT next = ((f32[10]), f32[10], s32[]) negate-start(w)
}
ENTRY e {
  x = f32[10] parameter(0)
  pin = b(f32[10]) custom-call(x), custom_call_target="Pin", output_to_operand_aliasing={{}: (0, {})}
  more = b(f32[10]) custom-call(pin), custom_call_target="more", output_to_operand_aliasing={{}: (0, {})}
  y = f32[10] custom-call(more), custom_call_target="Unpin", output_to_operand_aliasing={{}: (0, {})}
  start = ((f32[10]), f32[10], s32[]) negate-start(y)
  loop = ((f32[10]), f32[10], s32[]) while(start), condition=cond, body=body
  ROOT done = f32[10] negate-done(loop)
}
)");
  const Isolated part = Isolate({module->entry()->Find("y")}, IsolateExtent::kPart);
  REQUIRE(part.parameters.size() == 1);
  CHECK(part.parameters[0]->name() == "x");
  CHECK(ParsedModule(part.text)->entry()->Find("more") != nullptr);
  const Computation& body = *module->FindComputation("body");
  const Isolated half = Isolate({body.Find("next")}, IsolateExtent::kPart);
  CHECK(half.text.empty());
  CHECK(half.why.find("by themselves they are no valid program: ") == 0);
}

TEST_CASE("isolate: nothing of nothing") { CHECK(Isolate({}, IsolateExtent::kPart).text.empty()); }

}  // namespace
}  // namespace hlo
