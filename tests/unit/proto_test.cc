// engine/proto: programs survive the way through XLA's messages; snapshots, text format, faults.
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/hlo/parser.h"
#include "engine/hlo/printer.h"
#include "engine/io/memory_report.h"
#include "engine/proto/dump_file.h"
#include "engine/proto/module_proto.h"
#include "engine/proto/shape_proto.h"
#include "engine/proto/snapshot_values.h"
#include "engine/proto/text_format.h"
#include "engine/proto/wire.h"

namespace hlo {
namespace {

std::unique_ptr<Module> ParsedText(const std::string& text) {
  Diagnostics faults;
  auto module = ParseModule(text, faults);
  for (const Diagnostic& fault : faults.list()) INFO(fault.message);
  REQUIRE(module);
  REQUIRE_FALSE(faults.has_errors());
  return module;
}

// The program after the way through a file.
std::string ThroughProto(const std::string& text) {
  Diagnostics faults;
  const auto file = ReadDumpFile(HloProtoOf(*ParsedText(text)), faults);
  REQUIRE(file);
  CHECK(faults.empty());
  CHECK(file->type == MessageType::kHloProto);
  return file->text;
}

ShapedLiteral LiteralOfText(const std::string& text) {
  Diagnostics faults;
  auto literal = ParseShapedLiteral(text, faults);
  REQUIRE(literal);
  return *literal;
}

// Every kind of attribute that the messages have.
const std::vector<std::string>& Programs() {
  static const std::vector<std::string> kPrograms = {
      R"(HloModule m, is_scheduled=true, input_output_alias={ {0}: (0, {}, must-alias) }, buffer_donor={ (1, {}) }, replica_count=2, frontend_attributes={a="b c"}
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b) }
ENTRY e {
  p = f32[2,3]{0,1:T(2,128)S(1)} parameter(0), sharding={devices=[2,1]<=[2]}, parameter_replication={true}
  q = bf16[<=4,2]{1,0} parameter(1), frontend_attributes={k="v"}
  z = f32[] constant(-0.0)
  c = c64[2] constant({(1, -2), (0.5, inf)})
  k = s32[2,3]{0,1} constant({{1,2,3},{4,5,6}})
  w4 = s4[3] constant({-8, 7, 0})
  r = f32[2] reduce(p, z), dimensions={1}, to_apply=add, metadata={op_type="t" op_name="x\"y" source_file="f.py" source_line=3}
  w = f32[1,2] reduce-window(p, z), window={size=2x2 stride=2x1 pad=0_0x0_0}, to_apply=add
  pd = f32[4,4] pad(p, z), padding=1_1x0_1
  sl = f32[1,2] slice(p), slice={[0:2:2], [1:3]}
  it = s32[4,2] iota(), iota_dimension=0, control-predecessors={r}
  cmp = pred[2,3] compare(p, p), direction=LE, type=TOTALORDER
  cc = f32[2,3] custom-call(p, z), custom_call_target="foo", api_version=API_VERSION_TYPED_FFI, backend_config="{\"a\": 1}", custom_call_has_side_effect=true
  ROOT t = (f32[2], f32[1,2]) tuple(r, w)
}
)",
      R"(HloModule more
add { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b) }
body { s = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[4] get-tuple-element(s), index=1
  ROOT t = (s32[], f32[4]) tuple(i, x) }
cond { s = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  k = s32[] constant(3)
  ROOT lt = pred[] compare(i, k), direction=LT }
on_true { x = f32[4] parameter(0)
  ROOT n = f32[4] negate(x) }
on_false { x = f32[4] parameter(0)
  ROOT n = f32[4] cosine(x), result_accuracy={mode=highest} }
fused { x = f32[4] parameter(0)
  ROOT n = f32[4] exponential(x) }
ENTRY main {
  x = f32[1,4,4,2] parameter(0)
  k = f32[3,3,2,8] parameter(1)
  init = (s32[], f32[4]) parameter(2)
  which = pred[] parameter(3)
  cv = f32[1,2,2,8] convolution(x, k), window={size=3x3 stride=2x2 pad=1_1x1_1}, dim_labels=b01f_01io->b01f, operand_precision={high,highest}
  ar = f32[1,2,2,8] all-reduce(cv), channel_id=1, replica_groups=[2,4]<=[4,2]T(1,0), use_global_device_ids=true, to_apply=add
  ar2 = f32[1,2,2,8] all-reduce(cv), replica_groups={{0,1},{2,3}}, to_apply=add
  cp = f32[1,2,2,8] collective-permute(cv), source_target_pairs={{0,1},{1,0}}
  lhs = f32[2,3,4] parameter(4)
  rhs = f32[2,4,5] parameter(5)
  d = f32[2,3,5] dot(lhs, rhs), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}, algorithm=dot_bf16_bf16_f32_x3
  idx = s32[3,1] parameter(6)
  g = f32[3,4,5] gather(rhs, idx), offset_dims={1,2}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,4,5}
  sc = f32[2,4,5] scatter(rhs, idx, g), update_window_dims={1,2}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, unique_indices=true, to_apply=add
  w = (s32[], f32[4]) while(init), condition=cond, body=body
  f4 = f32[4] get-tuple-element(w), index=1
  cd = f32[4] conditional(which, f4, f4), true_computation=on_true, false_computation=on_false
  fu = f32[4] fusion(cd), kind=kLoop, calls=fused
  so = f32[4] sort(fu), dimensions={0}, is_stable=true, to_apply={ a = f32[] parameter(0) b = f32[] parameter(1) ROOT lt = pred[] compare(a, b), direction=LT }
  tk = (f32[2], s32[2]) topk(so), k=2, largest=false
  ff = c64[4] fft(c64[4] parameter(7)), fft_type=IFFT, fft_length={4}
  ch = f32[3,3] cholesky(f32[3,3] parameter(8)), lower=true
  ts = f32[3,3] triangular-solve(ch, ch), left_side=true, lower=true, unit_diagonal=false, transpose_a=ADJOINT
  rng = f32[2] rng(f32[] constant(0), f32[] constant(1)), distribution=rng_uniform
  bits = (u64[2], u32[4]) rng-bit-generator(u64[2] parameter(9)), algorithm=rng_philox
  rp = f32[4] reduce-precision(fu), exponent_bits=5, mantissa_bits=10
  ROOT o = f32[1,2,2,8] add(ar, ar2)
}
)",
  };
  return kPrograms;
}

TEST_CASE("proto: programs are the same after the way through the bytes of HloProto") {
  for (const std::string& text : Programs()) {
    const std::string before = PrintModule(*ParsedText(text));
    CHECK(ThroughProto(text) == before);
  }
}

TEST_CASE("proto: the shape of an outfeed is written, also where the text leaves it out") {
  CHECK(ThroughProto(R"(ENTRY e {
  x = f32[2] parameter(0)
  k = token[] after-all()
  ROOT o = token[] outfeed(x, k)
})")
            .find("outfeed_shape=f32[2]{0}") != std::string::npos);
}

TEST_CASE("proto: one that says nothing of replicas or entry is a program too") {
  CHECK(ThroughProto("ENTRY e { ROOT c = f32[] constant(nan) }")
            .find("ROOT c = f32[] constant(nan)") != std::string::npos);
  // A large constant is left out, with a word.
  const auto module = ParsedText("ENTRY e { ROOT c = s32[3000] constant({" + [] {
    std::string list = "77777";
    for (int i = 1; i < 3000; ++i) list += ",77777";
    return list;
  }() + "}) }");
  Diagnostics faults;
  const std::string proto = ModuleToProto(*module);
  const std::string text = ModuleTextOfProto(WireMessage(proto), faults, /*most_constant_bytes=*/0);
  CHECK(text.find("constant({...})") != std::string::npos);
  CHECK_FALSE(faults.empty());
  CHECK_FALSE(faults.has_errors());
}

TEST_CASE("proto: literals of every type and layout keep their bits") {
  for (const char* text :
       {"pred[3] {true,false,true}", "s8[2] {-1,5}", "u4[3] {1,15,0}", "s2[2] {-2,1}",
        "u64[2] {18446744073709551615, 0}", "s64[2] {-9223372036854775808, 1}", "s32[2] {-1, 7}",
        "f16[2] {0.5, -inf}", "bf16[2,2]{0,1} {{1,2},{3,4}}", "f8e4m3fn[2] {1, -2}",
        "f64[2] {1e300, -0}", "c128[1] {(1, 2)}", "f32[2,2,2]{0,2,1} {{{1,2},{3,4}},{{5,6},{7,8}}}",
        "(f32[2], (s32[], pred[])) ({1, 2}, (3, true))", "f32[0] {}"}) {
    CAPTURE(text);
    const ShapedLiteral literal = LiteralOfText(text);
    Diagnostics faults;
    const std::string bytes = LiteralToProto(literal.literal.value, literal.shape);
    const auto read = LiteralFromProto(WireMessage(bytes), faults);
    REQUIRE(read);
    CHECK(read->shape == literal.shape);
    CHECK(LiteralText(read->literal.value, read->shape) ==
          LiteralText(literal.literal.value, literal.shape));
  }
}

TEST_CASE("proto: the elements of a literal are in the order of its layout") {
  WireWriter layout, shape, literal;
  layout.Ints(1, Dims{0, 1});
  shape.Int(2, 4);  // S32
  shape.Ints(3, Dims{2, 3});
  shape.Message(5, layout.bytes());
  literal.Message(1, shape.bytes());
  literal.Ints(4, Dims{1, 4, 2, 5, 3, 6});
  Diagnostics faults;
  const auto read = LiteralFromProto(WireMessage(literal.bytes()), faults);
  REQUIRE(read);
  CHECK(LiteralText(read->literal.value, read->shape, {.hlo_spacing = false}) ==
        "{{1, 2, 3}, {4, 5, 6}}");
  // One that has too few says so.
  WireWriter few;
  few.Message(1, shape.bytes());
  few.Ints(4, Dims{1});
  CHECK_FALSE(LiteralFromProto(WireMessage(few.bytes()), faults));
  CHECK(faults.has_errors());
}

TEST_CASE("proto: a snapshot has arguments and a result") {
  const auto module = ParsedText("ENTRY e { p = f32[2] parameter(0) ROOT n = f32[2] negate(p) }");
  const std::string bytes = SnapshotOf(*module, {LiteralOfText("f32[2] {1, 2}")},
                                       LiteralOfText("f32[2] {-1, -2}"), "Host");
  Diagnostics faults;
  const auto file = ReadDumpFile(bytes, faults);
  REQUIRE(file);
  CHECK(file->type == MessageType::kHloSnapshot);
  CHECK(file->platform == "Host");
  REQUIRE(file->arguments.size() == 1);
  REQUIRE(file->result);
  const ShapedLiteral same = LiteralOfText("f32[2] {-1, -2}"),
                      other = LiteralOfText("f32[2] {-1, 3}");
  CHECK(DifferencesText(DifferencesFrom(*file->result, same.literal.value, same.shape)) ==
        "the result is the snapshot's");
  CHECK(DifferencesText(DifferencesFrom(*file->result, other.literal.value, other.shape)) ==
        "1 of 2 elements of the result differ from the snapshot's; the first is {1}: 3 instead of "
        "-2");
}

constexpr std::string_view kTextFormat = R"(# a comment
hlo_module {
  name: "f" "oo"
  computations {
    name: "main"
    instructions { name: "p" opcode: "parameter" shape { element_type: F32 dimensions: [2, 3] } id: 1 }
    instructions <
      name: "n"; opcode: "negate", shape { element_type: F32 dimensions: 2 dimensions: 0x3
        layout { minor_to_major: 0 minor_to_major: 1 } }
      id: 2 operand_ids: 1 field_of_a_later_version { x: -1.5e3 y: [a, b] }
      metadata { op_name: 'a\x41\101\n' }
    >
    id: 5 root_id: 2
  }
  entry_computation_id: 5
})";

TEST_CASE("proto: the text format") {
  CHECK(LooksLikeDump(kTextFormat));
  Diagnostics faults;
  const auto file = ReadDumpFile(kTextFormat, faults);
  REQUIRE(file);
  CHECK(file->text.find("HloModule foo") == 0);
  CHECK(file->text.find("ROOT n = f32[2,3]{0,1} negate(p), metadata={op_name=\"aAA\\n\"}") !=
        std::string::npos);
  for (const char* bad : {"hlo_module { computations {", "hlo_module { computations: 3 }",
                          "hlo_module { computations { id: x } }", "computations \"",
                          "computations { name: \"a\n\" }"}) {
    CAPTURE(bad);
    Diagnostics found;
    CHECK_FALSE(ReadDumpFile(bad, found));
    CHECK(found.has_errors());
  }
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "computations {";
  CHECK_FALSE(BytesOfProtoText(MessageType::kHloModule, deep, faults));
}

TEST_CASE("proto: ids with the computation in their upper half") {
  const std::string bytes = [] {
    WireWriter shape, p, n, computation, module;
    shape.Int(2, 11);
    p.String(1, "p");
    p.String(2, "parameter");
    p.Message(3, shape.bytes());
    p.Int(35, (int64_t{7} << 32) | 1);
    n.String(1, "n");
    n.String(2, "negate");
    n.Message(3, shape.bytes());
    n.Int(35, (int64_t{7} << 32) | 2);
    n.Ints(36, Dims{1});
    computation.String(1, "c");
    computation.Message(2, p.bytes());
    computation.Message(2, n.bytes());
    computation.Int(6, 2);
    module.String(1, "m");
    module.Message(3, computation.bytes());
    return module.Take();
  }();
  Diagnostics faults;
  const auto file = ReadDumpFile(bytes, faults);
  REQUIRE(file);
  CHECK(file->text.find("ROOT n = f32[] negate(p)") != std::string::npos);
}

TEST_CASE("proto: names and values from elsewhere stay names and values") {
  WireWriter shape, constant, computation, module;
  shape.Int(2, 11);
  constant.String(1, "a\n} ENTRY x { <b>");
  constant.String(2, "constant");
  constant.Message(3, shape.bytes());
  computation.String(1, "9 c");
  computation.Message(2, constant.bytes());
  module.String(1, "m\n");
  module.Message(3, computation.bytes());
  Diagnostics faults;
  const auto file = ReadDumpFile(module.bytes(), faults);
  REQUIRE(file);
  CHECK(file->text.find("a__ENTRY") == std::string::npos);
  CHECK(file->text.find("v9_c {") != std::string::npos);
  CHECK(file->text.find("a___ENTRY_x____b_ = f32[] constant({...})") != std::string::npos);
}

TEST_CASE("proto: buffer assignments become the text that the memory view reads") {
  const auto module = ParsedText("ENTRY e { p = f32[4] parameter(0) ROOT n = f32[4] negate(p) }");
  auto buffer = [](int64_t id, int64_t instruction) {
    WireWriter place, out;
    place.Int(4, instruction);
    out.Int(1, id);
    out.Int(2, 16);
    out.Message(3, place.bytes());
    return out.Take();
  };
  WireWriter one, allocation, assignment, event, trace, file;
  one.Int(1, 1);
  one.Int(2, 64);
  one.Int(3, 16);
  allocation.Int(1, 3);
  allocation.Int(2, 128);
  allocation.Int(7, 1);
  allocation.Message(9, one.bytes());
  event.Int(2, 1);
  event.String(4, "n");
  trace.Message(1, event.bytes());
  assignment.Message(1, buffer(1, 2));
  assignment.Message(3, allocation.bytes());
  assignment.Message(4, trace.bytes());
  file.Message(1, ModuleToProto(*module));
  file.Message(3, assignment.bytes());
  Diagnostics faults;
  const auto read = ReadDumpFile(file.bytes(), faults);
  REQUIRE(read);
  CHECK(read->buffer_assignment.find(" value: <1 n @0> (size=16,offset=64): f32[4]{0}\n") !=
        std::string::npos);
  const MemoryReportText report = ParseMemoryReport(read->buffer_assignment);
  REQUIRE(report.buffers.size() == 1);
  CHECK(report.used == 128);
  CHECK(report.buffers[0].bytes == 16);
  CHECK(report.buffers[0].type == "output, allocation 3 + 64");
  CHECK(report.buffers[0].begin == 0);
}

TEST_CASE("proto: other bytes are told apart fast") {
  CHECK_FALSE(LooksLikeDump(""));
  CHECK_FALSE(LooksLikeDump("\nHloModule m\nENTRY e { ROOT c = f32[] constant(1) }"));
  CHECK_FALSE(LooksLikeDump(std::string(1 << 20, '\n')));
  CHECK_FALSE(LooksLikeDump(std::string("\x0a\xff\xff\xff\xff\x0f", 6)));
  Diagnostics faults;
  CHECK_FALSE(ReadDumpFile(std::string_view("\x0a\x02\x00\x00", 4), faults));
  CHECK(faults.has_errors());
}

}  // namespace
}  // namespace hlo
