// Bytes that are almost a file of XLA: they are read, or refused with a word, whatever they are.
#include <string>

#include "doctest/doctest.h"
#include "engine/hlo/parser.h"
#include "engine/proto/dump_file.h"
#include "engine/run/random.h"
#include "tests/fuzz/mutation.h"

namespace hlo {
namespace {

constexpr char kProgram[] =
    R"(HloModule m, is_scheduled=true, input_output_alias={ {}: (0, {}, may-alias) }
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b) }
ENTRY e {
  p = f32[1,4,4,2]{3,2,1,0:T(8,128)} parameter(0), sharding={devices=[2,1,1,1]<=[2]}
  k = f32[3,3,2,8] parameter(1), sharding={mesh['x'=2], [{'x'}, {}, {}, {}]}
  c = s32[2,2]{0,1} constant({{1,2},{3,4}})
  cv = f32[1,2,2,8] convolution(p, k), window={size=3x3 stride=2x2 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
  ar = f32[1,2,2,8] all-reduce(cv), channel_id=1, replica_groups=[2,4]<=[4,2]T(1,0), to_apply=add, metadata={op_name="x" source_line=3}
  ROOT r = f32[1,2,2,8] add(cv, ar), origin={{"old"}}, frontend_attributes={a="b"}
})";

// A snapshot with a literal.
std::string Seed() {
  Diagnostics faults;
  const auto module = ParseModule(kProgram, faults);
  REQUIRE(module);
  REQUIRE_FALSE(faults.has_errors());
  const auto literal = ParseShapedLiteral("(f32[2], s4[3]) ({1, 2}, {1, -2, 3})", faults);
  REQUIRE(literal);
  return SnapshotOf(*module, {*literal}, *literal, "Host");
}

void Read(const std::string& bytes) {
  Diagnostics faults;
  const auto file = ReadDumpFile(bytes, faults);
  CHECK((file || faults.has_errors()));
}

TEST_CASE("fuzz: cut off at every byte") {
  const std::string seed = Seed();
  for (size_t size = 0; size < seed.size(); ++size) Read(seed.substr(0, size));
}

TEST_CASE("fuzz: bytes changed, left out and repeated") {
  const std::string seed = Seed();
  uint64_t state = FuzzSeed(1);
  auto next = [&state](size_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<size_t>(state >> 33) % below;
  };
  for (int round = FuzzRounds(4000); round > 0; --round) {
    std::string bytes = seed;
    for (size_t changes = 1 + next(4); changes > 0; --changes) {
      const size_t at = next(bytes.size());
      switch (next(4)) {
        case 0:
          bytes[at] = static_cast<char>(next(256));
          break;
        case 1:  // most bytes are small numbers: sizes, ids, tags
          bytes[at] = static_cast<char>(bytes[at] + (next(2) == 0 ? 1 : -1));
          break;
        case 2:
          bytes.erase(at, 1 + next(3));
          break;
        default:
          bytes.insert(at, bytes.substr(next(bytes.size()), next(8)));
      }
      if (bytes.empty()) break;
    }
    Read(bytes);
  }
}

}  // namespace
}  // namespace hlo
