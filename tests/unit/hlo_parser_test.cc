// The grammar, feature by feature: what parses and prints back, and what is refused, where.
#include <stdexcept>
#include <string>

#include "doctest/doctest.h"
#include "engine/hlo/parser.h"
#include "engine/hlo/printer.h"
#include "engine/ops/other_names.h"

namespace hlo {
namespace {

struct Parsed {
  explicit Parsed(std::string text) : module(ParseModule(std::move(text), diagnostics)) {}
  Diagnostics diagnostics;
  std::unique_ptr<Module> module;
  std::string Messages() const {
    std::string all;
    for (const Diagnostic& d : diagnostics.list()) all += d.message + "\n";
    return all;
  }
};

// A body with the parameters that the instructions below use.
std::string Body(std::string_view instruction) {
  return std::string(
             "sum { a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT s = f32[] add(a, b) }\n"
             "neg { x = f32[] parameter(0)\n ROOT n = f32[] negate(x) }\n"
             "ENTRY e {\n"
             "  p = f32[2,3] parameter(0)\n"
             "  z = f32[] constant(0)\n"
             "  t = (f32[2], s32[]) parameter(1)\n"
             "  flag = pred[] constant(true)\n"
             "  i = s32[] constant(1)\n"
             "  im = f32[1,5,5,2] parameter(2)\n"
             "  k = f32[3,3,2,4] parameter(3)\n"
             "  ") +
         std::string(instruction) + "\n}\n";
}

// Instructions that parse, print and parse back to the same print.
constexpr std::string_view kGoodInstructions[] = {
    "r = f32[2,3]{0,1} copy(p)",
    "r = f32[2,3]{1,0:T(2,128)} copy(p)",
    "ROOT %r = f32[2,3] negate(f32[2,3]{1,0} %p)",
    "r = negate(p)",
    "r = f32[2,3] add(p, negate(p))",
    "r = f32[2] copy(t#0)",
    "r = f32[2] add(f32[2] t#0, f32[2] %t#0)",
    "r = f32[2,3] broadcast(z), dimensions={}",
    "r = f32[2] reduce(p, z), dimensions={1}, to_apply=sum",
    "r = f32[2] reduce(p, z), dimensions={1}, to_apply={ u = f32[] parameter(0) v = f32[] "
    "parameter(1) ROOT w = f32[] add(u, v) }",
    "r = f32[1,2] slice(p), slice={[0:2:2], [1:3]}",
    "r = f32[1,2] slice(p), slice={[0:1], [1:3]}",
    "r = f32[5,3] pad(p, z), padding=1_2x0_0",
    "r = f32[5,5] pad(p, z), padding=1_1_1x1_1_0",
    "r = f32[1,2] reduce-window(p, z), window={size=2x2}, to_apply=sum",
    "r = f32[1,3,3,4] convolution(im, k), window={size=3x3}, dim_labels=b01f_01io->b01f",
    "r = f32[1,5,5,4] convolution(im, k), window={size=3x3 pad=1_1x1_1 stride=1x1}, "
    "dim_labels=b01f_01io->b01f, feature_group_count=1, operand_precision={highest,default}",
    "r = f32[2,2] dot(p, p), lhs_contracting_dims={1}, rhs_contracting_dims={1}",
    "r = pred[] compare(z, z), direction=LT, type=TOTALORDER",
    "r = f32[] conditional(flag, z, z), true_computation=neg, false_computation=neg",
    "r = f32[] conditional(i, z, z), branch_computations={neg, neg}",
    "r = f32[] call(z), to_apply=neg",
    "r = f32[] fusion(z), kind=kLoop, calls=neg",
    "r = (f32[2,3], s32[]) tuple(p, i)",
    "r = s32[] get-tuple-element(t), index=1",
    "r = f32[3,2] transpose(p), dimensions={1,0}, metadata={op_name=\"a\\\"b\" source_line=3}",
    "r = f32[2,3] copy(p), sharding={devices=[2,1]<=[2]}",
    "r = f32[2,3] copy(p), sharding={{replicated},{maximal device=0}}",
    "r = f32[2,3] copy(p), sharding={mesh['a'=2,'b'=4], [{'a'}, {?}], replicated={'b'}}",
    "r = f32[2,3] copy(p), frontend_attributes={b=\"2\",a={x: {1}}}",
    "r = f32[2,3] copy(p), backend_config={\"k\": {\"v\": [1]}}",
    "r = f32[2,3] copy(p), backend_config=\"free text\"",
    "r = f32[2,3] copy(p), control-predecessors={z, i}",
    "r = f32[2,3] copy(p), statistics={visualizing_index=0,util=12.5}",
    "r = f32[2,3] copy(p), origin={{\"x\" {0}}}",
    "r = f32[2,3] exponential(p), result_accuracy={tolerance={rtol=0.5, atol=1.0, ulps=2}}",
    "r = f32[2,3] exponential(p), result_accuracy={mode=highest}",
    "r = f32[2,3] custom-call(p), custom_call_target=\"f\\\"oo\"",
    "r = f32[2,3] all-reduce(p), replica_groups={{0,1},{2,3}}, to_apply=sum",
    "r = f32[2,3] all-reduce(p), replica_groups=[2,4]<=[4,2]T(1,0), to_apply=sum",
    "r = f32[2,3] all-reduce(p), replica_groups=mesh['x'=2,'y'=4] {'y'}, to_apply=sum",
    "r = f32[2,3] collective-permute(p), source_target_pairs={{0,1},{1,0}}",
    "c = c64[2] constant({(1, -2), (0.5, inf)})",
    "c = bf16[2] constant({nan, -nan(0x3f)})",
    "c = (f32[2], s32[]) constant(({1, 2}, 3))",
    "c = s4[2] constant({-8, 7})",
    "c = f32[0] constant({})",
    "d = f32[<=8,3] custom-call(), custom_call_target=\"x\"",
    "s = ((f32[2,3]), f32[2,3], u32[]) negate-start(p)\n d = f32[2,3] negate-done(s)",
};

TEST_CASE("device groups in a compact form are kept once, however many instructions have them") {
  const Parsed parsed(
      Body("ga = f32[2,3] all-reduce(p), replica_groups=[2,4]<=[4,2]T(1,0), to_apply=sum\n"
           "gb = f32[2,3] all-reduce(ga), replica_groups=mesh['x'=2,'y'=4] {'y'}, to_apply=sum\n"
           "gc = f32[2,3] all-reduce(gb), replica_groups=[2,4]<=[4,2]T(1,0), to_apply=sum\n"
           "gd = f32[2,3] all-reduce(gc), replica_groups=[4,2]<=[8], to_apply=sum\n"
           "ge = f32[2,3] all-reduce(gd), replica_groups=mesh['x'=2,'y'=4] {'y'}, to_apply=sum\n"
           "gf = f32[2,3] all-reduce(ge), replica_groups={{0,2,4,6},{1,3,5,7}}, to_apply=sum"));
  REQUIRE(parsed.module);
  const auto groups = [&](const char* name) -> const ReplicaGroups& {
    for (const Instruction& each : parsed.module->entry()->instructions()) {
      if (each.name() == name) return each.attrs().Groups("replica_groups");
    }
    throw std::runtime_error(name);
  };
  CHECK(groups("ga").lists == groups("gc").lists);
  CHECK(groups("gb").lists == groups("ge").lists);
  CHECK(groups("ga").groups() == ReplicaGroups::Lists{{0, 2, 4, 6}, {1, 3, 5, 7}});
  CHECK(groups("gd").groups() == ReplicaGroups::Lists{{0, 1}, {2, 3}, {4, 5}, {6, 7}});
  CHECK(groups("ga").groups() == groups("gf").groups());
  CHECK(groups("ga") == groups("gc"));
  CHECK_FALSE(groups("ga") == groups("gf"));  // written in another form
}

TEST_CASE("good instructions: parse, print, parse again") {
  for (std::string_view instruction : kGoodInstructions) {
    CAPTURE(instruction);
    Parsed first(Body(instruction));
    CHECK_MESSAGE(!first.diagnostics.has_errors(), first.Messages());
    REQUIRE(first.module);
    for (const PrintOptions& options : {PrintOptions(), PrintOptions::Long()}) {
      std::string text = PrintModule(*first.module, options);
      Parsed second(text);
      CAPTURE(text);
      CHECK_MESSAGE(!second.diagnostics.has_errors(), second.Messages());
      REQUIRE(second.module);
      CHECK(PrintModule(*second.module, options) == text);
    }
  }
}

TEST_CASE("an operation by a name that others have for it is offered by HLO's") {
  const struct {
    std::string_view word, opcode;
  } rows[] = {
      {"matmul", "dot"},       {"max", "maximum"},  {"optimization_barrier", "opt-barrier"},
      {"sigmoid", "logistic"}, {"pow", "power"},    {"dynamic_slice", "dynamic-slice"},
      {"mul", "multiply"},     {"where", "select"}, {"exponental", "exponential"},
  };
  for (const auto& row : rows) {
    const std::string word(row.word);
    CAPTURE(word);
    const Parsed parsed("ENTRY e { p = f32[2] parameter(0)  ROOT r = f32[2] " + word + "(p) }");
    REQUIRE(!parsed.diagnostics.list().empty());
    const Diagnostic& diagnostic = parsed.diagnostics.list().front();
    CHECK(diagnostic.code == DiagCode::kOpcodeUnknown);
    REQUIRE(diagnostic.fixes.size() == 1);
    CHECK(diagnostic.fixes[0].replacement == row.opcode);
  }
  // An opcode needs no other name.
  for (const OtherName& other : OtherNames()) {
    CAPTURE(other.name);
    CHECK(!OpcodeFromText(other.name));
  }
}

struct BadInstruction {
  std::string_view instruction;
  DiagCode code;
  std::string_view at;  // the text under the range
  std::string_view says;
};
constexpr BadInstruction kBadInstructions[] = {
    {"r= f32[] add(z, z)", DiagCode::kSyntaxError, "r", "expects '=' in instruction"},
    {"r = f32[2,3]{} copy(p)", DiagCode::kSyntaxError, "{", "expects opcode"},
    {"r = f32[] ad(z, z)", DiagCode::kOpcodeUnknown, "ad",
     "expects opcode but sees: ad, error: Unknown opcode: ad"},
    {"r = f32[] add(z)", DiagCode::kOperandCount, "add", "expects 2 operands, but has 1"},
    {"r = f32[] add(z, nope)", DiagCode::kInstructionUnknown, "nope", "does not exist: nope"},
    {"r = f32[] add(z, r)", DiagCode::kInstructionUnknown, "r", "does not exist: r"},
    {"r = f32[] add(f32[2] z, z)", DiagCode::kOperandShape, "f32[2]", "not compatible"},
    {"r = f32[] add(z, z), foo=1", DiagCode::kAttributeUnknown, "foo", "unexpected attribute"},
    {"r = f32[3,2] transpose(p)", DiagCode::kAttributeMissing, "transpose", "dimensions"},
    {"r = f32[3,2] transpose(p), dimensions={1,0}, dimensions={1,0}", DiagCode::kAttributeDuplicate,
     "dimensions", "already exists"},
    {"r = f32[] call(z), to_apply=nog", DiagCode::kComputationUnknown, "nog", "does not exist"},
    {"z = f32[] negate(i)", DiagCode::kInstructionDuplicate, "z", "already exists"},
    {"r = reshape(p)", DiagCode::kShapeMissing, "reshape",
     "cannot infer shape for opcode: reshape. Write the result's shape before the opcode"},
    {"r = f32[] copy(z#0)", DiagCode::kOperandInvalid, "0", "GTE operand must be tuple"},
    {"r = f32[] copy(t#7)", DiagCode::kOperandInvalid, "7",
     "GTE index 7 out of bounds for shape: (f32[2], s32[]) (of t)"},
    {"__r = f32[] copy(z)", DiagCode::kInstructionName, "__r",
     "illegal instruction name: __r; suggest renaming to: a_r"},
    {"q = f32[] parameter(9)", DiagCode::kParameterNumber, "9", "out of range"},
    {"q = f32[] parameter(0)", DiagCode::kParameterNumber, "0", "Duplicate parameter number 0"},
    {"q = f32[] parameter(-1)", DiagCode::kParameterNumber, "-1", "must be >= 0"},
    {"r = pred[] compare(z, z), direction=LTE", DiagCode::kAttributeValue, "LTE", "LTE"},
    {"r = f32[] copy(z), sharding={devices=[2,2]<=[16]}", DiagCode::kAttributeValue, "",
     "does not match the tile assignment dimensions product"},
    {"r = f32[] copy(z), sharding={wild}", DiagCode::kShardingInvalid, "wild", "unexpected"},
    {"r = f32[2,3] all-reduce(p), replica_groups=[2,3]<=[4], to_apply=sum",
     DiagCode::kAttributeValue, "", "product"},
    {"r = f32[1,2] reduce-window(p, z), window={size=2x2 stride=1}, to_apply=sum",
     DiagCode::kAttributeValue, "", "expects 'stride=' has the same size as 'size=': 2, not 1"},
    {"r = f32[1,5,5,4] convolution(im, k), window={size=3x3 pad=1_1x1_1, stride=1x1}, "
     "dim_labels=b01f_01io->b01f",
     DiagCode::kAttributeValue, ",",
     "expects sub-attributes in window: they are separated by spaces, not by ','"},
    {"r = f32[1,2] reduce-window(p, z), window={size=2x2 pad=1_1_0x0_0}, to_apply=sum",
     DiagCode::kSyntaxError, "_0x0_0", "no interior padding"},
    {"r = f32[1,3,3,4] convolution(im, k), window={size=3x3}, dim_labels=b01f_01io-b01f",
     DiagCode::kAttributeValue, "", "expects dim labels pattern, e.g., 'bf0_0io->0bf'"},
    {"r = f32[] copy(z), metadata={op_nme=\"x\"}", DiagCode::kAttributeValue, "op_nme",
     "unexpected attribute \"op_nme\" of metadata. Allowed attributes: deduplicated_name, "},
    {"r = f32[] copy(z), control-predecessors={gone}", DiagCode::kInstructionUnknown, "gone",
     "'gone' is not defined"},
    {"r = f32[] copy(z) trailing", DiagCode::kSyntaxError, "", "expects"},
    {"c = s32[] constant(-inf)", DiagCode::kLiteralValue, "", ""},
    {"c = constant(1)", DiagCode::kShapeMissing, "constant", "must be written"},
};

TEST_CASE("bad instructions: the code, the words, the exact range") {
  for (const BadInstruction& bad : kBadInstructions) {
    CAPTURE(bad.instruction);
    std::string text = Body(bad.instruction);
    Parsed parsed(text);
    REQUIRE(parsed.diagnostics.has_errors());
    const Diagnostic& d = parsed.diagnostics.list()[0];
    CAPTURE(d.message);
    CHECK(GetDiagInfo(d.code).id == GetDiagInfo(bad.code).id);
    CHECK(d.message.find(bad.says) != std::string::npos);
    if (!bad.at.empty()) CHECK(text.substr(d.range.begin, d.range.end - d.range.begin) == bad.at);
  }
}

TEST_CASE("misspelt words come with a fix") {
  struct Row {
    std::string_view instruction, fix;
  };
  const Row rows[] = {{"r = f32[] multipy(z, z)", "multiply"},
                      {"r = f32[3,2] transpose(p), dimension={1,0}", "dimensions"},
                      {"r = f32[] call(z), to_apply=summ", "sum"},
                      {"r = f32[] add(z, flg)", "flag"},
                      {"r= f32[] add(z, z)", " "},
                      {"__r = f32[] copy(z)", "a_r"},
                      {"r = f32[1,2] reduce-window(p, z), window={size=2,2}, to_apply=sum", "x"}};
  for (const Row& row : rows) {
    CAPTURE(row.instruction);
    Parsed parsed(Body(row.instruction));
    REQUIRE(parsed.diagnostics.has_errors());
    const Diagnostic& d = parsed.diagnostics.list()[0];
    REQUIRE(!d.fixes.empty());
    CHECK(d.fixes[0].replacement == row.fix);
  }
}

TEST_CASE("a value in brackets that is wrong is one fault, however many commas it has") {
  for (std::string_view instruction : {
           "r = f32[3,2] transpose(p), dimensions=[1,0]",
           "r = f32[3,2] transpose(p), dimensions=(1,0), metadata={op_name=\"t\"}",
           "r = f32[1,2] slice(p), slice=[0:1, 0:2]",
           "r = f32[2,3] all-reduce(p), replica_groups=[2,4]<=[7], to_apply=sum",
           "r = f32[2,3] all-reduce(p), replica_groups=[2,4]<=[2,2]T(1,0), to_apply=sum",
           "r = f32[2,3] all-reduce(p), replica_groups=mesh['x'=2,'y'=4] {'z'}, to_apply=sum",
           "r = f32[2,3] all-reduce(p), replica_groups=mesh['x'=2,'y'=4], "
           "device_ids=([4,2]T(1,0)) {'z'}, to_apply=sum",
           "r = f32[1,2] reduce-window(p, z), window={size=2,2}, to_apply=sum",
       }) {
    CAPTURE(instruction);
    CHECK(Parsed(Body(instruction)).diagnostics.list().size() == 1);
  }
}

TEST_CASE("names of mesh axes without quotes are reported all at once, each with its fix") {
  const std::string text = Body(
      "r = f32[2,3] copy(p), sharding={mesh[a=2,b.1=4,'c'=3], [{b.1:(2)2}, {'c', ?}], "
      "replicated={a}}");
  const Parsed parsed(text);
  std::string fixed = text;
  const std::vector<Diagnostic>& all = parsed.diagnostics.list();
  REQUIRE(all.size() == 4);
  for (size_t i = all.size(); i-- > 0;) {
    REQUIRE(all[i].fixes.size() == 1);
    const Fix& fix = all[i].fixes[0];
    fixed.replace(fix.range.begin, fix.range.end - fix.range.begin, fix.replacement);
  }
  const Parsed again(fixed);
  CHECK(again.Messages() == "");
  CHECK(fixed.find("mesh['a'=2,'b.1'=4,'c'=3], [{'b.1':(2)2}, {'c', ?}], replicated={'a'}") !=
        std::string::npos);
}

TEST_CASE("places of an instruction") {
  std::string text = "ENTRY e {\n  ROOT %r = f32[2] iota(), iota_dimension=0\n}\n";
  Parsed parsed(text);
  REQUIRE(parsed.module);
  const Instruction& r = *parsed.module->entry()->root();
  auto at = [&](Range range) { return text.substr(range.begin, range.end - range.begin); };
  CHECK(at(r.places().whole) == "ROOT %r = f32[2] iota(), iota_dimension=0");
  CHECK(at(r.places().name) == "%r");
  CHECK(at(r.places().shape) == "f32[2]");
  CHECK(at(r.places().opcode) == "iota");
  REQUIRE(r.attrs().size() == 1);
  CHECK(at(r.attrs()[0].name_range) == "iota_dimension");
  CHECK(at(r.attrs()[0].range) == "0");
}

TEST_CASE("modules: header, entry, root, names") {
  SUBCASE("header attributes, the default name") {
    Parsed parsed(
        "HloModule m, is_scheduled=true, replica_count=4\nENTRY e { p = f32[] parameter(0) }");
    REQUIRE(parsed.module);
    CHECK(parsed.module->name() == "m");
    CHECK(parsed.module->is_scheduled());
    CHECK(parsed.module->replica_count() == 4);
    CHECK(Parsed("ENTRY e { p = f32[] parameter(0) }").module->name() == "module_e");
  }
  SUBCASE("without ENTRY and ROOT the last ones count") {
    Parsed parsed("a { x = f32[] parameter(0) }\nb { y = f32[] parameter(0)\n z = f32[] copy(y) }");
    REQUIRE(parsed.module);
    CHECK(parsed.module->entry()->name() == "b");
    CHECK(parsed.module->entry()->root()->name() == "z");
  }
  SUBCASE("names become unique in the module") {
    Parsed parsed("a { p = f32[] parameter(0) }\nENTRY b { p = f32[] parameter(0) }");
    REQUIRE(parsed.module);
    CHECK(parsed.module->entry()->root()->name() == "p.1");
  }
  SUBCASE("two ROOTs, two ENTRYs, two computations of one name, an empty one") {
    Parsed parsed(
        "a { ROOT p = f32[] parameter(0)\n ROOT q = f32[] parameter(1) }\n"
        "ENTRY a { p = f32[] parameter(0) }\n"
        "ENTRY c { }\n");
    CHECK(parsed.Messages() ==
          "one computation should have only one ROOT\n"
          "computation already exists: a\n"
          "one computation should have at least one instruction: c has none\n"
          "expects only one ENTRY computation\n");
    REQUIRE(parsed.diagnostics.list()[1].notes.size() == 1);
    CHECK(parsed.diagnostics.list()[1].notes[0].message == "computation previously defined here");
    CHECK(parsed.diagnostics.list()[1].notes[0].range == Range{0, 1});
  }
  SUBCASE("a signature's result is compared with the root") {
    Parsed parsed("ENTRY e (p: f32[2]) -> f32[3] {\n  p = f32[2] parameter(0)\n}");
    CHECK(parsed.Messages() ==
          "Shape of computation e, f32[3], is not compatible with that of its root instruction p, "
          "f32[2]\n");
  }
  SUBCASE("header faults") {
    Parsed parsed(
        "HloModule m, replica_cont=2, input_output_alias={ {3}: (0, {}) }\n"
        "ENTRY e { p = f32[] parameter(0) }");
    REQUIRE(parsed.diagnostics.list().size() == 2);
    CHECK(parsed.diagnostics.list()[0].fixes[0].replacement == "replica_count");
    CHECK(parsed.diagnostics.list()[1].code == DiagCode::kHeaderAttribute);
  }
}

TEST_CASE("a single instruction") {
  Parsed parsed("f32[] dot(f32[10], %x), lhs_contracting_dims={0}, rhs_contracting_dims={0}");
  CHECK(parsed.Messages() ==
        "instruction does not exist: x. Operand had no shape in HLO text; cannot create parameter "
        "for single-instruction module. Write its shape before it\n");
  // An element-wise op says the shapes of its operands.
  Parsed implied("f32[10] add(f32[10], %x)");
  REQUIRE(implied.module);
  CHECK(implied.Messages() ==
        "x has no shape and is read as f32[10]; XLA says: Operand had no shape in HLO text; cannot "
        "create parameter for single-instruction module\n");
  CHECK_FALSE(implied.diagnostics.has_errors());
  REQUIRE(implied.module->entry()->parameter_count() == 2);
  CHECK(ShapeText(implied.module->entry()->parameters()[1]->shape()) == "f32[10]{0}");
  Parsed good("%r = f32[10] add(f32[10] %a, f32[10] %b)");
  REQUIRE(good.module);
  CHECK_FALSE(good.diagnostics.has_errors());
  CHECK(good.module->entry()->parameter_count() == 2);
  CHECK(Parsed("r = f32[] parameter(0)\ns = f32[] copy(r)").Messages().find("Expected eof") == 0);
  CHECK(Parsed("add(a, b)").Messages().find("expects '=' in instruction") == 0);
}

TEST_CASE("protocol-buffer text is told apart") {
  Parsed parsed(
      "# a comment\nname: \"m\"\ncomputations {\n  name: \"c\"\n  instructions {\n  }\n}\n");
  CHECK(parsed.module == nullptr);
  CHECK(parsed.Messages().find("protocol-buffer text") != std::string::npos);
}

}  // namespace
}  // namespace hlo
