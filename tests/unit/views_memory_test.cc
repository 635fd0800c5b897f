// engine/views: the memory of programs, reports, films, relayouts and advice as front ends get
// them.
#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "doctest/doctest.h"
#include "engine/plan/program_memory.h"
#include "engine/views/film_view.h"
#include "engine/views/json.h"
#include "engine/views/memory_view.h"
#include "engine/views/relayout_view.h"
#include "engine/views/session.h"

namespace hlo {
namespace {

const ProgramBuffer& BufferOf(const ProgramMemory& memory, std::string_view name) {
  for (const ProgramBuffer& buffer : memory.buffers) {
    if (buffer.instruction->name() == name) return buffer;
  }
  FAIL(name);
  return memory.buffers.front();
}

TEST_CASE("program memory: live ranges and the peak") {
  // f32[256] is 1 kB. Positions:      0   1   2   3   4   5
  const Document document(R"(HloModule m
ENTRY e {
  p = f32[256] parameter(0)
  c = f32[256] constant({...})
  a = f32[256] add(p, c)
  b = f32[512] concatenate(a, a), dimensions={0}
  d = f32[256] slice(b), slice={[0:256]}
  ROOT t = (f32[256], f32[256]) tuple(d, p)
})");
  const ProgramMemory memory = MakeProgramMemory(*document.module());
  REQUIRE(memory.computation);
  CHECK(memory.complete);
  REQUIRE(memory.spaces.size() == 1);
  const SpaceUse& use = memory.spaces.front();
  CHECK(use.parameter_bytes == 1024);
  CHECK(use.constant_bytes == 1024);
  CHECK(use.output_bytes == 1024);  // d; p is the caller's
  CHECK(use.temporary_bytes == 3072);
  CHECK(BufferOf(memory, "a").begin == 2);
  CHECK(BufferOf(memory, "a").end == 3);
  CHECK(BufferOf(memory, "b").end == 4);
  CHECK(BufferOf(memory, "d").type == "output");
  CHECK(BufferOf(memory, "d").begin == 0);
  CHECK(BufferOf(memory, "d").end == 5);
  // p, c and d all the time; a at 2 and 3, b at 3 and 4.
  CHECK(use.live == std::vector<int64_t>{3072, 3072, 4096, 6144, 5120, 3072});
  CHECK(use.peak_bytes == 6144);
  CHECK(use.peak_at == 3);
  CHECK(memory.buffers.front().instruction->name() == "b");
}

TEST_CASE("program memory: tuples, loops and called computations share or add") {
  const Document document(R"(HloModule m
body {
  s = (s32[], f32[256]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[256] get-tuple-element(s), index=1
  y = f32[512] concatenate(x, x), dimensions={0}
  z = f32[256] slice(y), slice={[0:256]}
  one = s32[] constant(1)
  next = s32[] add(i, one)
  ROOT r = (s32[], f32[256]) tuple(next, z)
}
cond {
  s = (s32[], f32[256]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(3)
  ROOT c = pred[] compare(i, n), direction=LT
}
ENTRY e {
  p = f32[256] parameter(0)
  zero = s32[] constant(0)
  q = f32[256] negate(p)
  t = (s32[], f32[256]) tuple(zero, q)
  w = (s32[], f32[256]) while(t), condition=cond, body=body
  g = f32[256] get-tuple-element(w), index=1
  b = f32[16,16] bitcast(g)
  ROOT r = f32[16,16] negate(b)
})");
  REQUIRE(document.ok());
  const ProgramMemory memory = MakeProgramMemory(*document.module());
  // The loop's state is q's buffer and a copy of the constant; b is q's buffer too.
  CHECK(BufferOf(memory, "q").end == 7);
  CHECK(BufferOf(memory, "w").size.bytes == 4);
  for (const ProgramBuffer& buffer : memory.buffers) {
    CHECK(buffer.instruction->name() != "b");
    CHECK(buffer.instruction->name() != "t");
  }
  // p, r and q, the two s32 of the state, and in the body y; z takes the state's place.
  CHECK(memory.spaces.front().peak_at == 4);
  CHECK(memory.spaces.front().peak_bytes == 3 * 1024 + 4 + 4 + 2048);
  CHECK(BufferOf(memory, "y").begin == 4);
  const Json info = ParseJson(ProgramMemoryJson(document));
  CHECK(info["spaces"][0]["peakName"] == "w");
  CHECK(info["spaces"][0]["timeline"].size() == 8);
  CHECK(info["buffers"][0]["name"] == "body/y");
  CHECK(info["buffers"][0]["atPeak"] == true);
}

TEST_CASE("program memory: a loop does not write over what is needed later, or twice") {
  const auto at_loop = [](const std::string& root, const std::string& state,
                          const std::string& result) {
    const Document document(
        "HloModule m\nbody {\n  s = (f32[256], f32[256]) parameter(0)\n"
        "  x = f32[256] get-tuple-element(s), index=0\n"
        "  y = f32[256] get-tuple-element(s), index=1\n"
        "  ROOT t = (f32[256], f32[256]) tuple(" +
        root + R"()
}
cond {
  s = (f32[256], f32[256]) parameter(0)
  ROOT c = pred[] constant(false)
}
ENTRY e {
  p = f32[256] parameter(0)
  a = f32[256] negate(p)
  b = f32[256] exponential(p)
  t = (f32[256], f32[256]) tuple()" +
        state + R"()
  w = (f32[256], f32[256]) while(t), condition=cond, body=body
  x = f32[256] get-tuple-element(w), index=0
  ROOT r = f32[256] add(x, )" +
        result + ")\n}\n");
    REQUIRE(document.ok());
    return MakeProgramMemory(*document.module()).spaces.front().live[4] / 1024;
  };
  // p and r, and a and b, in which the loop works.
  CHECK(at_loop("y, x", "a, b", "x") == 4);
  // Copies of a: one for the other element, or for r.
  CHECK(at_loop("y, x", "a, a", "x") == 4);
  CHECK(at_loop("y, x", "a, b", "a") == 5);
  CHECK(at_loop("y, x", "a, a", "a") == 5);
  // Of what the loop leaves as it is there are none, of what the caller gave neither.
  CHECK(at_loop("x, y", "a, a", "a") == 3);
  CHECK(at_loop("x, y", "p, a", "p") == 3);
  CHECK(at_loop("x, x", "p, a", "p") == 3);
  CHECK(at_loop("y, x", "p, p", "p") == 4);
}

TEST_CASE("program memory: an element of a tuple does not live as long as another one") {
  const Document document(R"(HloModule m
ENTRY e {
  p = f32[256] parameter(0)
  two = (f32[512], f32[256]) custom-call(p), custom_call_target="two"
  first = f32[512] get-tuple-element(two), index=0
  part = f32[256] slice(first), slice={[0:256]}
  n = f32[256] negate(part)
  second = f32[256] get-tuple-element(two), index=1
  ROOT r = f32[256] add(n, second)
})");
  REQUIRE(document.ok());
  const ProgramMemory memory = MakeProgramMemory(*document.module());
  // p and r all the time; both elements until part is there, then the second alone.
  CHECK(memory.spaces.front().live ==
        std::vector<int64_t>{2048, 5120, 5120, 6144, 5120, 4096, 4096});
}

TEST_CASE("program memory: its buffers come in windows, by size or by padding") {
  const Document document(R"(ENTRY e {
  p = f32[1024,4]{1,0:T(8,128)} parameter(0)
  q = f32[2097152]{0} parameter(1)
  ROOT r = f32[8] parameter(2)
})");
  const ProgramMemory memory = MakeProgramMemory(*document.module());
  const auto names = [&](const char* window) {
    const Json info = ParseJson(ProgramMemoryJson(document, memory, ParseBufferWindow(window)));
    CHECK(info["bufferCount"] == 3);
    std::string all;
    for (const Json& buffer : info["buffers"]) all += buffer["name"].get<std::string>();
    return all;
  };
  CHECK(names("") == "qpr");
  CHECK(names(R"({"begin":1,"count":1})") == "p");
  CHECK(names(R"({"begin":1})") == "pr");
  CHECK(names(R"({"by":"padding","count":2})") == "pq");
  CHECK(names(R"({"begin":3,"count":5})") == "");
  CHECK(ParseBufferWindow(R"({"count":1e9})").window.count == 1000);
}

TEST_CASE("program memory: padding is counted and named") {
  const Document document("ENTRY e { ROOT p = f32[1024,4]{1,0:T(8,128)} parameter(0) }");
  const Json info = ParseJson(ProgramMemoryJson(document));
  CHECK(info["spaces"][0]["peakBytes"] == 1024 * 128 * 4);
  CHECK(info["spaces"][0]["peakPadding"] == 1024 * 124 * 4);
  CHECK(info["buffers"][0]["cause"] == "dimension 1: 4 padded to 128 by tile (8,128)");
  CHECK(ParseJson(ProgramMemoryJson(Document("nonsense")))["ok"] == false);
}

TEST_CASE("program memory: every memory space has its own peak") {
  // Positions: 0 p, 1 s, 2 d, 3 v, 4 h, 5 r; f32[256] is 1 kB.
  const Document document(R"(HloModule m
body {
  x = f32[256]{0:S(1)} parameter(0)
  y = f32[256]{0:S(1)} negate(x)
  ROOT z = f32[256]{0:S(1)} negate(y)
}
ENTRY e {
  p = f32[256]{0} parameter(0)
  s = (f32[256]{0:S(1)}, f32[256]{0}, u32[]{:S(2)}) copy-start(p)
  d = f32[256]{0:S(1)} copy-done(s)
  v = f32[256]{0:S(1)} call(d), to_apply=body
  h = f32[256]{0:S(5)} copy(v)
  ROOT r = f32[256]{0} copy(h)
})");
  REQUIRE(document.ok());
  const ProgramMemory memory = MakeProgramMemory(*document.module());
  REQUIRE(memory.spaces.size() == 4);
  const auto& [hbm, vmem, flags, host] =
      std::tie(memory.spaces[0], memory.spaces[1], memory.spaces[2], memory.spaces[3]);
  // p and r; the source of the copy is p itself.
  CHECK(hbm.live == std::vector<int64_t>(6, 2048));
  // The copy's target, the call's result, and in the call y.
  CHECK(vmem.live == std::vector<int64_t>{0, 1024, 1024, 3072, 1024, 0});
  CHECK(vmem.peak_at == 3);
  CHECK(vmem.temporary_bytes == 3072);
  CHECK(flags.live == std::vector<int64_t>{0, 4, 4, 0, 0, 0});
  CHECK(host.peak_bytes == 1024);
  const Json info = ParseJson(ProgramMemoryJson(document));
  CHECK(info["spaces"][1]["name"] == "VMEM");
  CHECK(info["spaces"][1]["peakName"] == "v");
  CHECK(info["spaces"][3]["name"] == "host");
  CHECK(ProgramMemoryText(document).find("VMEM: peak 3.0K at v (4 of 6)") != std::string::npos);
}

TEST_CASE("memory reports are recognised and sized by their shapes") {
  const std::string text =
      "Ran out of memory in memory space hbm. Used 2.00G of 1.00G hbm.\n"
      "  1. Size: 488.3K\n"
      "     Shape: f32[1000,3]{1,0:T(8,128)}\n"
      "     Unpadded size: 11.7K\n"
      "     XLA label: %copy.1 = f32[1000,3]{1,0:T(8,128)} copy(%p)\n"
      "  2. Size: 4.0K\n"
      "     Shape: (f32[2], s32[])\n";
  Session session;
  CHECK(ParseJson(session.Check(text))["kind"] == "memory-report");
  CHECK(ParseJson(session.Check(text))["diagnostics"].empty());
  const Json report = ParseJson(session.MemoryReport(text));
  CHECK(report["ok"] == true);
  REQUIRE(report["buffers"].size() == 2);
  const Json& buffer = report["buffers"][0];
  CHECK(buffer["name"] == "copy.1");
  // 1000 rows of 128 lanes exactly; the report says 500.0K or thereabouts.
  CHECK(buffer["bytes"] == 1000 * 128 * 4);
  CHECK(buffer["unpaddedBytes"] == 12000);
  CHECK(buffer["cause"] == "dimension 1: 3 padded to 128 by tile (8,128)");
  CHECK(report["buffers"][1]["bytes"] == 4096);
  CHECK(ParseJson(session.MemoryReport("f32[2]"))["ok"] == false);
}

TEST_CASE("films, relayouts and advice as JSON") {
  const LayoutView view = MakeLayoutView("f32[3,5]{1,0:T(2,2)}");
  const Json film = ParseJson(FilmJson(view));
  REQUIRE(film["frames"].size() == 5);
  CHECK(film["frames"][1]["kind"] == "pad");
  CHECK(film["frames"][3]["permutation"] == Json({0, 2, 1, 3}));
  // The element (2,3) of figure 1.
  CHECK(ParseJson(FilmPlacesJson(view, {2, 3})) ==
        ParseJson("[[2,3],[2,3],[1,0,1,1],[1,1,0,1],[17]]"));
  CHECK(FilmPlacesJson(view, {3, 0}) == "[]");
  CHECK(FilmWindow(view, 4, 17, 2) == std::vector<double>{2, 3, -1, -1});
  CHECK(FilmWindow(view, 5, 0, 1).empty());
  CHECK(ParseJson(FilmJson(MakeLayoutView("f32[")))["ok"] == false);

  auto relayout = [](std::string_view from, std::string_view to) {
    return ParseJson(RelayoutJson(MakeLayoutView(from), MakeLayoutView(to)));
  };
  CHECK(relayout("f32[4,8]{1,0}", "strides: f32[4,8] (8,1)")["bitcast"] == true);
  const Json copy = relayout("f32[8,256]{1,0}", "f32[8,256]{1,0:T(8,128)}");
  CHECK(copy["reason"] == "a copy in 16 pieces of at most 128 consecutive elements");
  CHECK(copy["runBytes"] == 512);
  const Json swizzled =
      relayout("cute: f16 Sw<3,3,3> o 0 o (8,64):(64,1)", "cute: f16 (8,64):(64,1)");
  CHECK(swizzled["reason"] == "a copy in 43 pieces of at most 64 consecutive elements");
  // The same places, and still no bitcast.
  for (const auto& [from, to, reason] : std::vector<std::array<const char*, 3>>{
           {"f32[8,128]{1,0:T(8,128)}", "f32[8,128]{1,0:T(8,128)S(1)}",
            "every element moves: the memories differ, HBM and VMEM"},
           {"f32[4,5]{1,0:M(64)}", "f32[4,5]{1,0}",
            "every element moves: the data begins after 64 bytes in one and 0 in the other"},
           {"f32[8,4]{1,0:SC(0:4)}", "f32[8,4]{1,0}",
            "every element moves: their splits (SC) differ"},
           {"f32[2,3]{1,0:PAD(3,5;0)}", "f32[2,3]{1,0:PAD(3,5;9)}",
            "no element moves, but the padding of the second holds 9"}}) {
    const Json other = relayout(from, to);
    CHECK(other["reason"] == reason);
    CHECK(other["bitcast"] == false);
  }
  CHECK(relayout("f32[2,3]{1,0:PAD(3,5;9)}", "f32[2,3]{1,0:PAD(3,5)}")["bitcast"] == true);
  CHECK(relayout("f32[4,8]{1,0}", "f32[4,8]{0,1:S(5)}")["reason"] ==
        "a copy in 32 pieces of at most 1 consecutive element; "
        "the memories differ, HBM and host");
  CHECK(relayout("f32[4,8]", "f32[8,4]")["problem"] ==
        "the arrays have different dimensions, (4,8) and (8,4)");
  CHECK(relayout("f32[4,8]", "f32[")["diagnostics"][0]["side"] == "to");

  const Json advice = ParseJson(LayoutAdviceJson(MakeLayoutView("bf16[2,1000]")));
  CHECK(advice["tpu"]["shape"] == "bf16[2,1000]{1,0:T(2,128)(2,1)}");
  CHECK(advice["candidates"][0]["padding"] == 0);
  CHECK(ParseJson(LayoutAdviceJson(MakeLayoutView("f64[2,2]")))["tpu"].is_null());
}

}  // namespace
}  // namespace hlo
