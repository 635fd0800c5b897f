// Mutated programs, shapes, layouts, literals and .npy files: whatever the bytes, the engine
// answers with a value or with diagnostics, and what it accepts prints and parses again. Seeds are
// fixed, so a failure repeats; HLO_FUZZ_ROUNDS=1000000 in the environment makes a long run by hand.
#include "tests/fuzz/mutation.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/base/diagnostics.h"
#include "engine/hlo/parser.h"
#include "engine/hlo/printer.h"
#include "engine/hlo/verifier.h"
#include "engine/ops/opcode.h"
#include "engine/types/literal.h"
#include "engine/types/shape.h"
#include "engine/views/convert_view.h"
#include "engine/views/layout_compare.h"

namespace hlo {
namespace {

const std::vector<std::string>& Seeds() {
  static const std::vector<std::string> kSeeds = {
      R"(HloModule m, is_scheduled=true, replica_count=2, input_output_alias={ {0}: (0, {}, may-alias) }
add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }
ENTRY e {
  p = f32[2,3]{1,0:T(2,128)} parameter(0), sharding={devices=[2,1]<=[2]}
  z = f32[] constant(-0.0)
  c = c64[2] constant({(1, -2), (0.5, inf)})
  r = f32[2] reduce(p, z), dimensions={1}, to_apply=add, metadata={op_name="x" source_line=3}
  w = f32[1,2] reduce-window(p, z), window={size=2x2 stride=1x1 pad=0_0x0_0}, to_apply=add
  pd = f32[4,4] pad(p, z), padding=1_1x0_1
  sl = f32[1,2] slice(p), slice={[0:2:2], [1:3]}
  ROOT t = (f32[2], /*index=1*/f32[1,2]) tuple(r, sl)
}
)",
      R"(HloModule loop
body { s = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[4] get-tuple-element(s), index=1
  one = s32[] constant(1)
  n = s32[] add(i, one)
  ROOT t = (s32[], f32[4]) tuple(n, x) }
cond { s = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  k = s32[] constant(3)
  ROOT lt = pred[] compare(i, k), direction=LT }
ENTRY main { init = (s32[], f32[4]) parameter(0)
  ROOT w = (s32[], f32[4]) while(init), condition=cond, body=body }
)",
      R"(ENTRY c {
  x = f32[1,4,4,2] parameter(0)
  k = f32[3,3,2,8] parameter(1)
  cv = f32[1,2,2,8] convolution(x, k), window={size=3x3 pad=1_1x1_1 stride=2x2}, dim_labels=b01f_01io->b01f
  ar = f32[1,2,2,8] all-reduce(cv), channel_id=1, replica_groups=[2,4]<=[4,2]T(1,0), to_apply={ a = f32[] parameter(0) b = f32[] parameter(1) ROOT m = f32[] maximum(a, b) }
  cc = f32[2] custom-call(ar), custom_call_target="f\"oo", backend_config={"a": {"b": 1}}
  ROOT d = f32[] dot(cc, cc), lhs_contracting_dims={0}, rhs_contracting_dims={0}
}
)",
      R"(HloModule s, buffer_donor={ (0, {}) }, entry_computation_layout={(f32[8,4]{0,1})->f32[8,4]{1,0}}, frontend_attributes={a="b",c={"d": 1}}, debug_attributes={{"x"}:({log_mode=default,op_id=2})}
FileNames
1 "f.py"
FunctionNames
1 "f"
FileLocations
1 {file_name_id=1 function_name_id=1 line=1 end_line=2 column=3 end_column=4}
StackFrames
1 {file_location_id=1 parent_frame_id=1}

ENTRY %ROOT {
  %f32 = f32[8,4]{0,1} parameter(0), sharding={devices=[2,1,2,2]<=[2,2,2]T(1,0,2) last_tile_dims={manual, replicated}}
  t = f32[8,4] tanh(%f32), sharding={mesh['x'=2,'y'=4], device_ids=([4,2]T(1,0)), [{'x'}, {'y':(1)2, ?}], unreduced=max{'y':(2)2}}
  n = f32[8,4] exponential(t), result_accuracy={tolerance={atol=0,rtol=1e-05,ulps=2}}, origin={{"t" {1,0}}}, statistics={visualizing_index=0,a=1.5}
  u = f32[8,4] negate(n), metadata={op_name="a" stack_frame_id=1 profile_type={1,2}}, sharding={devices=[2,1]1,0 shard_as 3}
  g = f32[8,4] all-reduce(u), replica_groups=mesh['x'=2,'y'=4] {'x'}, to_apply={ a = f32[] parameter(0) b = f32[] parameter(1) ROOT m = f32[] add(a, b) }
  s = ((f32[8,4]), f32[8,4], u32[]) negate-start(g), async_execution_thread="thread"
  ROOT d = f32[8,4] negate-done(s)
}
)",
      R"(%r = bf16[8]{0:T(128)(2,1)} fusion(bf16[8,4]{1,0} %a, bf16[] %b), kind=kLoop, calls=%missing, control-predecessors={%c}, origin={({"a"}, {}, ({"b" {0}}))}
)",
      // Floats of different widths.
      R"(mul { a = bf16[] parameter(0)  b = f16[] parameter(1)  ROOT m = bf16[] multiply(a, b) }
ENTRY mixed {
  p = f32[3,4] parameter(0)
  q = bf16[3,4] parameter(1)
  h = f16[] constant(0.5)
  a = f64[3,4] add(p, q)
  t = f8e5m2[4,3] transpose(a), dimensions={1,0}
  s = f16[2,2] slice(t), slice={[0:4:2], [1:3]}
  d = bf16[2,3] pad(s, h), padding=0_0x1_0
  c = f32[5,3] concatenate(d, p1), dimensions={0}
  r = f32[4] reduce(q, h), dimensions={0}, to_apply=mul
  p1 = f8e4m3fn[3,3] parameter(2)
  ROOT o = (f32[4], f64[3,4]) tuple(r, a)
}
)",
      // No elements beside large sizes; tuples made of themselves.
      R"(ENTRY zero {
  p = s8[1000000000,0,3] parameter(0)
  b = s8[2,1000000000,0,3] broadcast(p), dimensions={1,2,3}
  t = s8[3,0,1000000000] transpose(p), dimensions={2,1,0}
  c = s8[2000000000,0,3] concatenate(p, p), dimensions={0}
  i = s8[0,5] iota(), iota_dimension=0
  t0 = (s8[3,0,1000000000], s8[0,5]) tuple(t, i)
  t1 = tuple(t0, t0)
  t2 = tuple(t1, t1)
  g = get-tuple-element(t2), index=1
  ROOT r = tuple(t2, g, b, c)
}
)",
  };
  return kSeeds;
}

// The seeds and the golden cases of all ops.
const std::vector<std::string>& OpPrograms() {
  static const std::vector<std::string> kPrograms = [] {
    std::vector<std::string> programs = Seeds();
    for (size_t i = 0; i < kOpcodeCount; ++i) {
      const std::string_view opcode = Text(static_cast<Opcode>(i));
      AddGoldenCases(fmt::format("tests/data/ops/{}.hlo", opcode), &programs);
    }
    for (const char* name : {"call", "conditional", "fusion", "tuple", "while"}) {
      AddGoldenCases(fmt::format("tests/data/control/{}.hlo", name), &programs);
    }
    return programs;
  }();
  return kPrograms;
}

// Bits of HLO.
constexpr std::string_view kHloBits[] = {"'",
                                         "%",
                                         "/*",
                                         "*/",
                                         "//",
                                         std::string_view("\0", 1),
                                         "18446744073709551616",
                                         "nan",
                                         "<=",
                                         "T(8,128)",
                                         "ROOT",
                                         "ENTRY",
                                         "f32[",
                                         "s4[2]{0:E(4)}",
                                         "parameter(0)",
                                         "{...}",
                                         "\\",
                                         "\r",
                                         "\xEF\xBB\xBF",
                                         "\xE2\x88\x97",
                                         "..."};

constexpr int kHloRounds = 3000;

TEST_CASE("mutated modules parse or are diagnosed, and what is accepted round-trips") {
  Random random(20261121);
  for (int round = 0; round < FuzzRounds(kHloRounds); ++round) {
    std::string text = Mutate(Seeds(), kHloBits, random);
    INFO("round " << round << "\n" << text);
    Diagnostics diagnostics;
    auto module = ParseModule(text, diagnostics);
    CheckPlaces(diagnostics, text);
    Tokenize(text);
    if (!module || diagnostics.has_errors()) {
      CHECK(diagnostics.has_errors());
      continue;
    }
    VerifyModule(*module, diagnostics);
    std::string printed = PrintModule(*module);
    Diagnostics again;
    auto second = ParseModule(printed, again);
    INFO(printed);
    REQUIRE(second);
    CHECK(!again.has_errors());
    CHECK(PrintModule(*second) == printed);
  }
}

TEST_CASE("mutated programs of every op: what is accepted runs, and is converted") {
  REQUIRE(OpPrograms().size() > 300);
  Random random(FuzzSeed(5));
  int accepted = 0;
  for (int round = 0; round < FuzzRounds(kHloRounds); ++round) {
    const std::string text = Mutate(OpPrograms(), kHloBits, random);
    INFO("round " << round << "\n" << text);
    const auto document = std::make_shared<const Document>(text);
    CheckPlaces(document->diagnostics(), text);
    if (!document->ok()) continue;
    ++accepted;
    CheckRun(document, round % 2 == 0);
    if (round % 4 != 0 || document->kind() != TextKind::kHlo) continue;
    const ConvertView there = ConvertDocument(*document, TextKind::kMlir);
    // Sizes that are open follow from inputs, and there are none.
    if (!there.ok || there.text.find("?x") != std::string::npos) continue;
    INFO(there.text);
    const Document back(there.text);
    CHECK(back.ok());
  }
  CHECK(accepted > FuzzRounds(kHloRounds) / 20);
}

TEST_CASE("mutated shapes and literals parse or are diagnosed") {
  Random random(7);
  const std::vector<std::string> seeds = {
      "f32[3,5]{1,0:T(2,2)}",
      "(f32[2]{0}, s4[7,9]{0,1:T(4,4)(2,1)E(4)S(1)}, token[], (pred[], b(u8[3])))",
      "bf16[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)L(64)SC(0:1)M(8)}",
      "s32[2,3] {{1,2,3},{4,5,6}}",
      "c64[2] {(1, -2), (nan(0x7), inf)}",
      "(f32[2], s32[]) ({1.5, -0.0}, 3)",
  };
  for (int round = 0; round < 2 * FuzzRounds(kHloRounds); ++round) {
    std::string text = Mutate(seeds, kHloBits, random);
    INFO("round " << round << "\n" << text);
    Diagnostics shape_faults;
    auto shape = ParseShapeText(text, shape_faults);
    CHECK(shape.has_value() == !shape_faults.has_errors());
    Budget budget({.memory_bytes = 1 << 20});
    Diagnostics literal_faults;
    auto literal = ParseShapedLiteral(text, literal_faults, &budget);
    CHECK(literal.has_value() == !literal_faults.has_errors());
  }
}

TEST_CASE("mutated layouts of every notation are read or diagnosed, converted and compared") {
  Random random(5);
  const std::vector<std::string> seeds = {
      "f32[7,9]{1,0:T(4,4)(3,1)L(8)}",
      "bf16[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)SC(0:1)M(8)}",
      "f32[2,3]{0,1:PAD(3,5;0)}",
      "morello: f32[6,8] ([1, 0 oe(2), 1 p(4)], c1)",
      "6x8 Layout::new(vec![(1, PhysDim::Dynamic), (0, PhysDim::Packed(nz!(4u32)))])",
      "morello: s8[2,1,8] batched_col_major(shp)",
      "cute: Sw<3,4,3> o 0 o ((2,4),(8,(2,_4))):((1,128),(16,(2,4)))",
      "bf16 Swizzle<2,0,-3> o (8,8)",
      "strides: f64[8,128] byte_strides=(-1024,8), byte_offset=7168",
      "shape=(4,3) strides=(3,2) storage_offset: 7",
  };
  for (int round = 0; round < 2 * FuzzRounds(kHloRounds); ++round) {
    const std::string text = Mutate(seeds, kHloBits, random);
    const std::string other = Mutate(seeds, kHloBits, random);
    INFO("round " << round << "\n" << text << "\n" << other);
    const LayoutView view = MakeLayoutView(text);
    CHECK((view.map != nullptr) == !view.diagnostics.has_errors());
    CheckPlaces(view.diagnostics, text);
    LayoutJson(view);
    ComparisonJson(CompareLayouts(view, MakeLayoutView(other)));
    if (!view.map) continue;
    CHECK(MakeLayoutView(view.subject).subject == view.subject);
    Dims last;
    for (int64_t size : view.map->dims()) last.push_back(size - 1);
    AddressJson(MakeAddressView(view, last));
    LinearWindow(view, view.map->aligned_count() - 5, 10);
    for (const LayoutConversion& conversion : ConvertLayout(view)) {
      CHECK(conversion.text.empty() != conversion.reason.empty());
      INFO(conversion.text);
      if (conversion.text.empty()) continue;
      const LayoutComparison same = CompareLayouts(view, MakeLayoutView(conversion.text));
      CHECK(same.comparable);
      CHECK(!same.difference.differs);
    }
  }
}

TEST_CASE("deep nesting and huge sizes are answered at once") {
  for (const char* open : {"{", "(", "[", "f32[] add(", "((((", "{{{{"}) {
    std::string text = "ENTRY e { x = ";
    for (int i = 0; i < 200000; ++i) text += open;
    Diagnostics diagnostics;
    ParseModule(text, diagnostics);
    CHECK(diagnostics.has_errors());
    CHECK(diagnostics.size() <= Diagnostics::kMaxKept);
  }
  Diagnostics diagnostics;
  CHECK(!ParseShapeText("f32[1000000000000,1000000000000]", diagnostics));
  CHECK(diagnostics.has_errors());
  for (const char* start : {"cute: ", "morello: 2x2 ", "strides: f32[2] ", "f32[2]{0:T"}) {
    for (const char* open : {"(", "[", "(1,", "Sw<1,2,", "-", "_", "0 p("}) {
      std::string text = start;
      for (int i = 0; i < 100000; ++i) text += open;
      CHECK(MakeLayoutView(text).map == nullptr);
    }
  }
}

}  // namespace
}  // namespace hlo
