// Programs as stand-alone modules: where their arrays are. What the modules compute
// tests/cli/compile.test.mjs tries.
#include "engine/standalone/standalone.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "doctest/doctest.h"
#include "engine/standalone/arena.h"
#include "engine/standalone/program.h"
#include "engine/views/document.h"
#include "engine/views/target_families.h"

namespace hlo {
namespace {

constexpr int64_t kBytes = 1024;

/// A step that reads and writes these arrays.
DriverStep Call(std::vector<int32_t> reads, std::vector<int32_t> writes) {
  DriverStep step;
  step.reads = std::move(reads);
  step.writes = std::move(writes);
  return step;
}
DriverStep Copy(int32_t from, int32_t to) {
  DriverStep step = Call({from}, {to});
  step.kind = DriverStep::Kind::kCopy;
  return step;
}

/// So many arrays of one size; array 0 is the parameter.
DriverProgram ProgramOf(int count, std::vector<DriverStep> steps, int32_t result) {
  DriverProgram program;
  program.arrays.resize(static_cast<size_t>(count), {kBytes, std::nullopt});
  program.main.steps = std::move(steps);
  program.parameters = {0};
  program.results = {result};
  return program;
}

TEST_CASE("arrays of a stand-alone program share a place when their lives are apart") {
  const Arena chain = PlaceArrays(
      ProgramOf(5, {Call({0}, {1}), Call({1}, {2}), Call({2}, {3}), Call({3}, {4})}, 4));
  CHECK(chain.bytes == 2 * kBytes);
  for (size_t i = 1; i < 5; ++i) CHECK(chain.offsets[i] != chain.offsets[i - 1]);
  // All three are needed by the last step.
  const Arena fan =
      PlaceArrays(ProgramOf(4, {Call({0}, {1}), Call({0}, {2}), Call({0, 1, 2}, {3})}, 3));
  CHECK(fan.bytes == 4 * kBytes);
  // What nothing reads has a place while it is written.
  const Arena unused = PlaceArrays(ProgramOf(3, {Call({0}, {1, 2})}, 1));
  CHECK(unused.bytes == 3 * kBytes);
}

TEST_CASE("a step of a stand-alone program writes over what it reads for the last time") {
  DriverStep over = Call({0}, {1});
  over.over = {{0, 1}};
  CHECK(PlaceArrays(ProgramOf(2, {over}, 1)).bytes == kBytes);
  // Unless that is needed afterwards.
  CHECK(PlaceArrays(ProgramOf(3, {over, Call({0, 1}, {2})}, 2)).bytes == 3 * kBytes);
  // Of two that are read, one is taken.
  DriverStep either = Call({0, 1}, {2});
  either.over = {{0, 2}, {1, 2}};
  const Arena arena = PlaceArrays(ProgramOf(3, {Call({0}, {1}), either}, 2));
  CHECK(arena.bytes == 2 * kBytes);
  CHECK(arena.offsets[0] != arena.offsets[1]);
  // A constant is never written over.
  DriverProgram constant = ProgramOf(2, {Copy(0, 1)}, 1);
  constant.arrays[0].address = 4096;
  constant.parameters = {};
  CHECK(PlaceArrays(constant).offsets == std::vector<int64_t>{-1, 0});
}

TEST_CASE("what a loop of a stand-alone program needs later keeps its place all the time") {
  // State 1 begins as 0; 2 is the condition, 3 a temporary, 4 the next state; 5 is made before the
  // loop and read in it, first of all.
  DriverStep loop;
  loop.kind = DriverStep::Kind::kWhile;
  loop.reads = {2};
  loop.blocks.resize(2);
  loop.blocks[0].steps = {Call({1}, {2})};
  loop.blocks[1].steps = {Call({1, 5}, {3}), Call({3}, {4}), Copy(4, 1)};
  const DriverProgram program = ProgramOf(6, {Call({0}, {5}), Copy(0, 1), loop}, 1);
  const Arena arena = PlaceArrays(program);
  CHECK(arena.offsets[0] == arena.offsets[1]);
  CHECK(arena.offsets[4] == arena.offsets[1]);
  CHECK(arena.offsets[3] != arena.offsets[1]);
  for (size_t i = 0; i < 5; ++i) CHECK(arena.offsets[i] != arena.offsets[5]);
  // The condition's result and the temporary share the third place.
  CHECK(arena.bytes == 3 * kBytes);
}

TEST_CASE("branches of a stand-alone program share places") {
  DriverStep branches;
  branches.kind = DriverStep::Kind::kConditional;
  branches.reads = {1};
  branches.blocks.resize(2);
  branches.blocks[0].steps = {Call({0}, {2}), Call({0, 2}, {3}), Copy(3, 4)};
  branches.blocks[1].steps = {Call({0}, {5}), Copy(5, 4)};
  const Arena arena = PlaceArrays(ProgramOf(6, {Call({0}, {1}), branches}, 4));
  CHECK(arena.offsets[3] == arena.offsets[4]);
  CHECK(arena.offsets[5] == arena.offsets[4]);
  CHECK(arena.bytes == 3 * kBytes);
}

std::optional<Standalone> Compiled(const std::string& text, Diagnostics* diagnostics) {
  const Document document(text);
  REQUIRE(document.ok());
  return CompileStandalone(*document.module(), &BuiltInTargets(), {}, diagnostics);
}

TEST_CASE("a compiled loop updates its arrays where they are") {
  Diagnostics diagnostics;
  const auto program = Compiled(R"(
condition {
  s = (s32[], f32[4096,16]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(4096)
  ROOT less = pred[] compare(i, n), direction=LT
}
body {
  s = (s32[], f32[4096,16]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[4096,16] get-tuple-element(s), index=1
  zero = s32[] constant(0)
  one = s32[] constant(1)
  next = s32[] add(i, one)
  row = f32[1,16] dynamic-slice(x, i, zero), dynamic_slice_sizes={1,16}
  new = f32[1,16] cosine(row)
  y = f32[4096,16] dynamic-update-slice(x, new, i, zero)
  ROOT r = (s32[], f32[4096,16]) tuple(next, y)
}
ENTRY e {
  x = f32[4096,16] parameter(0)
  zero = s32[] constant(0)
  s = (s32[], f32[4096,16]) tuple(zero, x)
  ROOT w = (s32[], f32[4096,16]) while(s), condition=condition, body=body
}
)",
                                &diagnostics);
  REQUIRE(program);
  constexpr int64_t kArray = 4096 * 16 * 4;
  CHECK(program->arena_bytes >= kArray);
  CHECK(program->arena_bytes < kArray + 4096);
  CHECK(program->inputs[0].address == program->outputs[1].address);
}

TEST_CASE("the same loop in several places of a program is one function") {
  Diagnostics diagnostics;
  const auto once = Compiled(
      "ENTRY e { x = f32[9] parameter(0)  a = f32[9] tanh(x)  b = f32[9] reverse(a), "
      "dimensions={0}  ROOT r = f32[9] negate(b) }",
      &diagnostics);
  const auto twice = Compiled(
      "ENTRY e { x = f32[9] parameter(0)  a = f32[9] tanh(x)  b = f32[9] reverse(a), "
      "dimensions={0}  c = f32[9] tanh(b)  d = f32[9] reverse(c), dimensions={0}  ROOT r = f32[9] "
      "negate(d) }",
      &diagnostics);
  REQUIRE(once);
  REQUIRE(twice);
  CHECK(twice->module.size() < once->module.size() + 200);
}

TEST_CASE("what stands in the way of a stand-alone program is named once") {
  Diagnostics diagnostics;
  CHECK(
      !Compiled("ENTRY e { x = c64[4] parameter(0)  y = c64[4] maximum(x, x)  z = f32[4] real(y)  "
                "s = f32[4] shift-left(z, z)  ROOT r = f32[4] negate(s) }",
                &diagnostics));
  REQUIRE(diagnostics.list().size() == 2);
  for (const Diagnostic& diagnostic : diagnostics.list()) {
    CHECK(diagnostic.code == DiagCode::kNotExecutable);
  }
  CHECK(diagnostics.list()[0].message ==
        "y (maximum of c64) cannot be compiled: it has no meaning, and a run fails there, too");
  CHECK(diagnostics.list()[1].message ==
        "s (shift-left of f32) cannot be compiled: it has no meaning, and a run fails there, too");
}

}  // namespace
}  // namespace hlo
