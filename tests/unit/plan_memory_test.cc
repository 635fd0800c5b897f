// Where buffers could lie, and what would make a program need less memory.
#include <algorithm>
#include <memory>
#include <string>

#include "doctest/doctest.h"
#include "engine/cost/memory_savings.h"
#include "engine/plan/buffer_placement.h"
#include "engine/plan/in_place.h"
#include "engine/views/document.h"
#include "engine/views/json.h"
#include "engine/views/memory_picture.h"
#include "engine/views/memory_view.h"

namespace hlo {
namespace {

struct MemoryProgram {
  explicit MemoryProgram(const std::string& text) : document(text), memory(MemoryOf(document)) {
    REQUIRE(document.ok());
  }
  Document document;
  ProgramMemory memory;
};

const MemorySaving* SavingOf(const std::vector<MemorySaving>& all, std::string_view kind) {
  for (const MemorySaving& each : all) {
    if (each.kind == kind) return &each;
  }
  return nullptr;
}

// No two buffers overlap in both time and place.
void CheckApart(const ProgramMemory& memory, const BufferPlacement& placement) {
  for (const PlacedBuffer& a : placement.placed) {
    for (const PlacedBuffer& b : placement.placed) {
      if (a.buffer == b.buffer) continue;
      const ProgramBuffer& x = memory.buffers[a.buffer];
      const ProgramBuffer& y = memory.buffers[b.buffer];
      const bool meet = x.first_moment <= y.last_moment && y.first_moment <= x.last_moment;
      const bool overlap = a.offset < b.offset + y.size.bytes && b.offset < a.offset + x.size.bytes;
      CHECK_FALSE((meet && overlap));
    }
  }
}

constexpr char kSteps[] = R"(HloModule m
ENTRY e {
  p = f32[4]{0} parameter(0)
  big = f32[4,256]{1,0} broadcast(p), dimensions={0}
  huge = f32[4,512]{1,0} concatenate(big, big), dimensions={1}
  small = f32[1,4]{1,0} slice(huge), slice={[0:1], [0:4]}
  ROOT r = f32[1,4]{1,0} negate(small)
}
)";

TEST_CASE("buffer placement: what lives at different times lies at one place") {
  const MemoryProgram program(kSteps);
  const BufferPlacement placement = PlaceBuffers(program.memory, 0, 100);
  CHECK(placement.placed.size() == 5);
  CHECK(placement.rest.empty());
  CheckApart(program.memory, placement);
  CHECK(placement.bytes == program.memory.spaces[0].peak_bytes);
}

TEST_CASE("buffer placement: the smallest are only added up") {
  const MemoryProgram program(kSteps);
  const BufferPlacement placement = PlaceBuffers(program.memory, 0, 2);
  REQUIRE(placement.placed.size() == 2);
  for (const PlacedBuffer& placed : placement.placed) {
    CHECK(program.memory.buffers[placed.buffer].size.bytes >= 4096);
  }
  // p and r all the time, and small while it lives.
  CHECK(placement.rest == std::vector<int64_t>{32, 32, 32, 48, 48});
  CHECK(PlaceBuffers(program.memory, 7, 10).placed.empty());
}

// What the buffers of 4 kB of a program take at its peak, in such buffers.
int64_t LargeBuffersOf(const std::string& text) {
  const MemoryProgram program(text);
  int64_t count = 0;
  for (const ProgramBuffer& buffer : program.memory.buffers) count += buffer.size.bytes >= 4096;
  // All of them live at the peak.
  CHECK(program.memory.spaces[0].peak_bytes / 4096 == count);
  return count;
}

std::string UpdateProgram(const std::string& rest) {
  return R"(HloModule m
update {
  wide = f32[1024]{0} parameter(0)
  row = f32[1]{0} parameter(1)
  at = s32[] parameter(2)
  seen = f32[32,32]{1,0} bitcast(wide)
  back = f32[1024]{0} bitcast(seen)
  ROOT updated = f32[1024]{0} dynamic-update-slice(back, row, at)
}
both {
  row = f32[1]{0} parameter(0)
  wide = f32[1024]{0} parameter(1)
  at = s32[] parameter(2)
  inner = f32[1024]{0} fusion(wide, row, at), kind=kLoop, calls=update
  more = f32[1024]{0} dynamic-update-slice(inner, row, at)
  other = f32[1]{0} negate(row)
  ROOT all = (f32[1]{0}, f32[1024]{0}) tuple(other, more)
}
ENTRY e {
  p = f32[1024]{0} parameter(0)
  row = f32[1]{0} parameter(1)
  at = s32[] parameter(2)
  x = f32[1024]{0} negate(p)
)" + rest +
         "}\n";
}

TEST_CASE("memory: an update is written over an operand that nothing needs afterwards") {
  const auto count = [](const std::string& rest) { return LargeBuffersOf(UpdateProgram(rest)); };
  CHECK(count("  ROOT y = f32[1024]{0} dynamic-update-slice(x, row, at)\n") == 2);
  // Another instruction needs it; or the caller does.
  CHECK(count("  y = f32[1024]{0} dynamic-update-slice(x, row, at)\n"
              "  ROOT z = f32[1024]{0} add(x, y)\n") == 4);
  CHECK(count("  y = f32[1024]{0} dynamic-update-slice(x, row, at)\n"
              "  z = f32[1024]{0} dynamic-update-slice(y, row, at)\n"
              "  ROOT t = (f32[1024]{0}, f32[1024]{0}) tuple(y, z)\n") == 3);
  CHECK(count("  y = f32[1024]{0} dynamic-update-slice(p, row, at)\n"
              "  ROOT t = (f32[1024]{0}, f32[1024]{0}) tuple(x, y)\n") == 3);
  // One after the other.
  CHECK(count("  y = f32[1024]{0} dynamic-update-slice(x, row, at)\n"
              "  ROOT z = f32[1024]{0} dynamic-update-slice(y, row, at)\n") == 2);
  CHECK(count("  i = s32[1]{0} reshape(at)\n"
              "  s = (f32[1024]{0}, f32[1024]{0}) scatter(x, p, i, row, row),\n"
              "    update_window_dims={0}, inserted_window_dims={}, index_vector_dim=0,\n"
              "    scatter_dims_to_operand_dims={0}, to_apply={\n"
              "      a = f32[] parameter(0) b = f32[] parameter(1) c = f32[] parameter(2)\n"
              "      d = f32[] parameter(3) ROOT t = (f32[], f32[]) tuple(c, d) }\n"
              "  ROOT first = f32[1024]{0} get-tuple-element(s), index=0\n") == 3);
}

TEST_CASE("memory: without what is written in place, peaks are not less") {
  const Document document(
      UpdateProgram("  ROOT y = f32[1024]{0} dynamic-update-slice(x, row, at)\n"));
  const auto peak = [&](InPlace* written) {
    return PeaksOf(*document.module(), written)[0].bytes / 4096;
  };
  CHECK(peak(WrittenInPlace) == 2);
  CHECK(peak(nullptr) == 3);
}

TEST_CASE("memory: fusions and custom-calls write over operands as what is in them does") {
  const auto count = [](const std::string& rest) { return LargeBuffersOf(UpdateProgram(rest)); };
  CHECK(count("  ROOT y = f32[1024]{0} fusion(x, row, at), kind=kLoop, calls=update\n") == 2);
  CHECK(count("  y = f32[1024]{0} fusion(x, row, at), kind=kLoop, calls=update\n"
              "  ROOT z = f32[1024]{0} add(x, y)\n") == 4);
  CHECK(count("  f = (f32[1]{0}, f32[1024]{0}) fusion(row, x, at), kind=kLoop, calls=both\n"
              "  ROOT y = f32[1024]{0} get-tuple-element(f), index=1\n") == 2);
  // Not into another memory space: p and x are in one, y in the other.
  const MemoryProgram apart(
      UpdateProgram("  ROOT y = f32[1024]{0:S(5)} fusion(x, row, at), kind=kLoop, calls=update\n"));
  REQUIRE(apart.memory.spaces.size() == 2);
  CHECK(apart.memory.spaces[0].peak_bytes / 4096 == 2);
  CHECK(apart.memory.spaces[1].peak_bytes == 4096);
  const std::string call = "  ROOT y = f32[1024]{0} custom-call(row, x), custom_call_target=\"t\"";
  CHECK(count(call + "\n") == 3);
  CHECK(count(call + ", output_to_operand_aliasing={{}: (1, {})}\n") == 2);
}

// A loop whose body makes one array of 512 kB (4 kB without its padding) after another; so does a
// computation that the body calls twice.
constexpr char kStepsInside[] = R"(HloModule m
add {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT sum = f32[] add(a, b)
}
twice {
  a = f32[1024]{0} parameter(0)
  zero = f32[] constant(0)
  wide1 = f32[1024,1]{1,0:T(8,128)} reshape(a)
  thin1 = f32[1024]{0} reduce(wide1, zero), dimensions={1}, to_apply=add
  wide2 = f32[1024,1]{1,0:T(8,128)} reshape(thin1)
  ROOT thin2 = f32[1024]{0} reduce(wide2, zero), dimensions={1}, to_apply=add
}
body {
  x = f32[1024]{0} parameter(0)
  zero = f32[] constant(0)
  wide3 = f32[1024,1]{1,0:T(8,128)} reshape(x)
  thin3 = f32[1024]{0} reduce(wide3, zero), dimensions={1}, to_apply=add
  y = f32[1024]{0} call(thin3), to_apply=twice
  keep = f32[1024]{0} negate(y)
  z = f32[1024]{0} call(y), to_apply=twice
  ROOT sum = f32[1024]{0} add(z, keep)
}
cond {
  x = f32[1024]{0} parameter(0)
  ROOT go = pred[] constant(false)
}
ENTRY e {
  p = f32[1024]{0} parameter(0)
  w = f32[1024]{0} while(p), condition=cond, body=body
  ROOT r = f32[1024]{0} negate(w)
}
)";

TEST_CASE("memory: what a called computation makes at different times does not live together") {
  const MemoryProgram program(kStepsInside);
  const ProgramMemory& memory = program.memory;
  const SpaceUse& use = memory.spaces[0];
  constexpr int64_t kWide = 512 * 1024;
  constexpr int64_t kThin = 4 * 1024;
  // p, r and the state; in the body y, keep and z, and in the call that makes z thin1 and wide2.
  CHECK(use.peak_bytes == kWide + 7 * kThin);
  CHECK(use.peak_padding == kWide - kThin);
  int64_t at_peak = 0;
  int64_t wide = 0;
  for (const ProgramBuffer& buffer : memory.buffers) {
    if (buffer.size.bytes == kWide) ++wide;
    if (LivesAtPeak(buffer, use)) at_peak += buffer.size.bytes;
    // Of the two calls, that at which the peak is.
    if (buffer.instruction->name() == "keep") CHECK(LivesAtPeak(buffer, use));
  }
  CHECK(wide == 3);
  CHECK(at_peak == use.peak_bytes);
  const BufferPlacement placement = PlaceBuffers(memory, 0, 100);
  CheckApart(memory, placement);
  CHECK(placement.bytes == use.peak_bytes);
  // Beside the largest: p, r and w all along, and what lives at one moment of the loop.
  CHECK(PlaceBuffers(memory, 0, 3).rest == std::vector<int64_t>{2 * kThin, 7 * kThin, 3 * kThin});
  const auto found = FindMemorySavings(*program.document.module(), memory);
  const MemorySaving* layout = SavingOf(found, "layout");
  REQUIRE(layout);
  CHECK(layout->instructions.size() == 1);
  CHECK(layout->peak_bytes > 0);
  const Json at = ParseJson(
      ProgramMemoryJson(program.document, memory, ParseBufferWindow(R"({"at": "peak"})")));
  CHECK(at["bufferCount"] == 8);
}

TEST_CASE("memory savings: results that fit into parameters") {
  const char text[] = R"(, is_scheduled=true
ENTRY e {
  p = f32[256]{0} parameter(0)
  q = f32[16]{0} parameter(1)
  n = f32[256]{0} negate(p)
  s = f32[8]{0} slice(q), slice={[0:8]}
  ROOT t = (f32[256]{0}, f32[8]{0}) tuple(n, s)
}
)";
  const MemoryProgram program("HloModule m" + std::string(text));
  const auto found = FindMemorySavings(*program.document.module(), program.memory);
  const MemorySaving* donation = SavingOf(found, "donation");
  REQUIRE(donation);
  CHECK(donation->saved_bytes == 1024);
  CHECK(donation->peak_bytes == program.memory.spaces[0].peak_bytes - 1024);
  REQUIRE(donation->instructions.size() == 1);
  CHECK(donation->instructions[0]->name() == "n");
  CHECK(donation->what.find("%n in %p") != std::string::npos);
  const MemoryProgram donated("HloModule m, input_output_alias={ {0}: (0, {}, may-alias) }" +
                              std::string(text));
  CHECK_FALSE(SavingOf(FindMemorySavings(*donated.document.module(), donated.memory), "donation"));
}

// Of a program with one result: the bytes of it and of the parameters at the peak, as it is and
// with the first parameter donated to it, and whether that is proposed.
struct DonationCase {
  const char* text;
  int64_t bytes, donated;
  bool is_proposed;
};

TEST_CASE("memory: a result takes over a parameter that nothing reads after its first byte") {
  const DonationCase cases[] = {
      {"  p = f32[16,16]{1,0} parameter(0)\n  ROOT r = f32[16,16]{1,0} negate(p)\n", 2048, 1024,
       true},
      // Products and permutations read what they would write over.
      {"  p = f32[16,16]{1,0} parameter(0)\n  ROOT r = f32[16,16]{1,0} dot(p, p), "
       "lhs_contracting_dims={1}, rhs_contracting_dims={0}\n",
       2048, 2048, false},
      {"  p = f32[16,16]{1,0} parameter(0)\n  ROOT r = f32[16,16]{1,0} transpose(p), "
       "dimensions={1,0}\n",
       2048, 2048, false},
      // What is read for the last time before the result is made.
      {"  p = f32[16,16]{1,0} parameter(0)\n  t = f32[16,16]{1,0} transpose(p), dimensions={1,0}\n"
       "  ROOT r = f32[16,16]{1,0} reverse(t), dimensions={0}\n",
       3072, 2048, true},
      // The update of a slice, and a fusion by elements and another one.
      {"  p = f32[16,16]{1,0} parameter(0)\n  u = f32[1,16]{1,0} constant({...})\n"
       "  z = s32[] constant(0)\n"
       "  ROOT r = f32[16,16]{1,0} dynamic-update-slice(p, u, z, z)\n",
       2048 + 64 + 4, 1024 + 64 + 4, true},
      // What a loop reads in every iteration cannot be where it writes; what it updates is there.
      {"  p = f32[16,16]{1,0} parameter(0)\n  z = f32[] constant(0)\n"
       "  b = f32[16,16]{1,0} broadcast(z), dimensions={}\n"
       "  t = (f32[16,16]{1,0}, f32[16,16]{1,0}) tuple(b, p)\n"
       "  w = (f32[16,16]{1,0}, f32[16,16]{1,0}) while(t), condition=never, body=sum\n"
       "  ROOT r = f32[16,16]{1,0} get-tuple-element(w), index=0\n",
       2048 + 4, 2048 + 4, false},
      {"  p = f32[16,16]{1,0} parameter(0)\n  z = f32[] constant(0)\n"
       "  b = f32[16,16]{1,0} broadcast(z), dimensions={}\n"
       "  t = (f32[16,16]{1,0}, f32[16,16]{1,0}) tuple(p, b)\n"
       "  w = (f32[16,16]{1,0}, f32[16,16]{1,0}) while(t), condition=never, body=sum\n"
       "  ROOT r = f32[16,16]{1,0} get-tuple-element(w), index=0\n",
       3072 + 4, 2048 + 4, true},
      {"  p = f32[16,16]{1,0} parameter(0)\n  ROOT r = f32[16,16]{1,0} fusion(p), kind=kLoop, "
       "calls=by_element\n",
       2048, 1024, true},
      {"  p = f32[16,16]{1,0} parameter(0)\n  ROOT r = f32[16,16]{1,0} fusion(p), kind=kLoop, "
       "calls=turned\n",
       2048, 2048, false},
  };
  for (const DonationCase& c : cases) {
    INFO(c.text);
    const std::string body = std::string(R"(
by_element {
  a = f32[16,16]{1,0} parameter(0)
  two = f32[] constant(2)
  twos = f32[16,16]{1,0} broadcast(two), dimensions={}
  ROOT r = f32[16,16]{1,0} multiply(a, twos)
}
turned {
  a = f32[16,16]{1,0} parameter(0)
  ROOT r = f32[16,16]{1,0} transpose(a), dimensions={1,0}
}
sum {
  s = (f32[16,16]{1,0}, f32[16,16]{1,0}) parameter(0)
  x = f32[16,16]{1,0} get-tuple-element(s), index=0
  y = f32[16,16]{1,0} get-tuple-element(s), index=1
  more = f32[16,16]{1,0} add(x, y)
  ROOT n = (f32[16,16]{1,0}, f32[16,16]{1,0}) tuple(more, y)
}
never {
  s = (f32[16,16]{1,0}, f32[16,16]{1,0}) parameter(0)
  ROOT no = pred[] constant(false)
}
ENTRY e {
)") + c.text + "}\n";
    const MemoryProgram plain("HloModule m, is_scheduled=true\n" + body);
    const MemoryProgram donated(
        "HloModule m, is_scheduled=true, input_output_alias={ {}: (0, {}, may-alias) }\n" + body);
    CHECK(plain.memory.spaces[0].peak_bytes == c.bytes);
    CHECK(donated.memory.spaces[0].peak_bytes == c.donated);
    const auto savings = FindMemorySavings(*plain.document.module(), plain.memory);
    CHECK((SavingOf(savings, "donation") != nullptr) == c.is_proposed);
  }
}

TEST_CASE("memory: a result that is donated a parameter takes nothing") {
  const MemoryProgram program(R"(HloModule m, input_output_alias={ {1}: (0, {}, may-alias) }
ENTRY e {
  p = f32[256]{0} parameter(0)
  n = f32[256]{0} negate(p)
  s = f32[256]{0} sine(p)
  ROOT t = (f32[256]{0}, f32[256]{0}) tuple(n, s)
}
)");
  CHECK(program.memory.spaces[0].peak_bytes == 2 * 1024);
  for (const ProgramBuffer& buffer : program.memory.buffers) {
    if (buffer.instruction->name() != "s") continue;
    CHECK(buffer.size.bytes == 0);
    CHECK(buffer.size.cause == "in the memory of parameter 0");
  }
}

TEST_CASE("memory savings: element-wise operations in place") {
  const MemoryProgram program(R"(HloModule m
ENTRY e {
  p = f32[] parameter(0)
  b = f32[256]{0} broadcast(p), dimensions={}
  s = f32[256]{0} sine(b)
  c = f32[256]{0} cosine(s)
  ROOT r = f32[1]{0} slice(c), slice={[0:1]}
}
)");
  const auto found = FindMemorySavings(*program.document.module(), program.memory);
  const MemorySaving* in_place = SavingOf(found, "in-place");
  REQUIRE(in_place);
  CHECK(in_place->instructions.size() == 2);
  CHECK(in_place->peak_bytes == 4 + 4 + 1024);
  CHECK(in_place->saved_bytes == 1024);
}

TEST_CASE("memory savings: another order") {
  const MemoryProgram program(R"(HloModule m
ENTRY e {
  p = f32[4]{0} parameter(0)
  kept = f32[4,64]{1,0} broadcast(p), dimensions={0}
  big = f32[4,1024]{1,0} broadcast(p), dimensions={0}
  cut = f32[4,1]{1,0} slice(big), slice={[0:4], [0:1]}
  use = f32[4,64]{1,0} negate(kept)
  less = f32[4,1]{1,0} slice(use), slice={[0:4], [0:1]}
  ROOT r = f32[4,1]{1,0} add(less, cut)
}
)");
  const auto found = FindMemorySavings(*program.document.module(), program.memory);
  const MemorySaving* schedule = SavingOf(found, "schedule");
  REQUIRE(schedule);
  // `big` is gone before `kept` is made.
  CHECK(schedule->saved_bytes == 1024);
}

TEST_CASE("memory savings: layouts that pad less") {
  const MemoryProgram program(R"(HloModule m
ENTRY e {
  p = f32[1024,2]{1,0:T(8,128)} parameter(0)
  ROOT c = f32[1024,2]{1,0:T(8,128)} copy(p)
}
)");
  const auto found = FindMemorySavings(*program.document.module(), program.memory);
  const MemorySaving* layout = SavingOf(found, "layout");
  REQUIRE(layout);
  CHECK(layout->instructions.size() == 2);
  CHECK(layout->peak_bytes < program.memory.spaces[0].peak_bytes / 8);
  const std::string report = ProgramMemoryText(program.document);
  CHECK(report.find("layout: ") != std::string::npos);
  const Json json = ParseJson(ProgramMemoryJson(program.document));
  REQUIRE(json["savings"].size() == found.size());
  CHECK(json["savings"][0]["kind"] == "layout");
}

TEST_CASE("memory picture: rectangles as JSON, also of what is no program") {
  const MemoryProgram program(kSteps);
  const Json picture = ParseJson(MemoryPictureJson(program.document, program.memory, "{}"));
  CHECK(picture["ok"] == true);
  CHECK(picture["positions"] == 5);
  CHECK(picture["buffers"].size() == 5);
  CHECK(picture["buffers"][0]["type"] == "parameter");
  CHECK(picture["rest"].empty());
  const Document none("f32[2]");
  CHECK(ParseJson(MemoryPictureJson(none, MemoryOf(none), "nonsense"))["ok"] == false);
  CHECK(ParseJson(MemorySavingsJson(none, MemoryOf(none))).empty());
}

}  // namespace
}  // namespace hlo
