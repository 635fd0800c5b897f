// Bytes and UTF-16, check, outline, places, completion.
#include <string>

#include "doctest/doctest.h"
#include "engine/hlo/suggestion.h"
#include "engine/views/check_view.h"
#include "engine/views/completion_view.h"
#include "engine/views/json.h"
#include "engine/views/layout_recognition.h"
#include "engine/views/layout_terms.h"
#include "engine/views/layout_view.h"
#include "engine/views/place_view.h"
#include "engine/views/session.h"
#include "engine/views/text_map.h"

namespace hlo {
namespace {

constexpr char kEditedHlo[] =
    "HloModule m\n"
    "twice { x = f32[2,3]{1,0} parameter(0)  ROOT y = f32[2,3]{1,0} add(x, x) }\n"
    "ENTRY e {\n"
    "  p = f32[2,3]{1,0} parameter(0)\n"
    "  q = f32[2,3]{1,0} call(p), to_apply=twice\n"
    "  ROOT s = f32[2,3]{1,0} add(p, q), metadata={op_name=\"s\"}\n"
    "}\n";

TEST_CASE("bytes to UTF-16 and back") {
  // One, two, three and four bytes; the last is two units.
  const std::string text = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80z";
  const TextMap map(text);
  const uint32_t expected[][2] = {{0, 0}, {1, 1}, {3, 2}, {6, 3}, {10, 5}, {11, 6}};
  for (const auto& [bytes, units] : expected) {
    CHECK(map.ToUnits(bytes) == units);
    CHECK(map.ToBytes(units) == bytes);
  }
  CHECK(map.ToBytes(4) == 6);  // between the surrogates: the start of the character
  CHECK(map.ToUnits(1000) == 6);
  CHECK(map.ToBytes(1000) == 11);
  std::string longer;
  for (int i = 0; i < 300; ++i) longer += text;
  const TextMap big(longer);
  for (uint32_t i = 0; i < 300; ++i) {
    CHECK(big.ToUnits(11 * i) == 6 * i);
    CHECK(big.ToBytes(6 * i + 3) == 11 * i + 6);
  }
  const TextMap empty("");
  CHECK(empty.ToUnits(5) == 0);
  CHECK(empty.ToBytes(5) == 0);
  const TextMap junk("\x80\xff\xff");
  CHECK(junk.ToUnits(3) <= 6);
  CHECK(junk.ToBytes(100) <= 3);
}

TEST_CASE("check says what the text is") {
  Session session;
  Json check = ParseJson(session.Check(kEditedHlo));
  CHECK(check["ok"] == true);
  CHECK(check["kind"] == "hlo");
  CHECK(check["module"] == "m");
  CHECK(check["parameters"][0]["shape"] == "f32[2,3]{1,0}");
  CHECK(check["result"] == "f32[2,3]{1,0}");
  CHECK(check["computationCount"] == 2);
  CHECK(check["instructionCount"] == 5);
  CHECK(ParseJson(session.Check(""))["kind"] == "empty");
  CHECK(ParseJson(session.Check(" \n"))["kind"] == "empty");
  CHECK(ParseJson(session.Check("f32[3,5]{1,0:T(2,2)}"))["kind"] == "layout");
  CHECK(ParseJson(session.Check("name: \"m\"\ncomputations {\n  name: \"e\"\n}"))["kind"] ==
        "protobuf");
  CHECK(ParseJson(session.Check("# RUN: x\n\n# y\nhlo_module {\n  computations {\n}}"))["kind"] ==
        "protobuf");
  check = ParseJson(session.Check("\xff\xfe{ \xf0\x9f"));
  CHECK(check["ok"] == false);
  CHECK(check["diagnostics"].size() > 0);
}

TEST_CASE("the outline has every instruction with its places") {
  Session session;
  const Json outline = ParseJson(session.Outline(kEditedHlo));
  REQUIRE(outline.size() == 2);
  CHECK(outline[0]["entry"] == false);
  CHECK(outline[1]["entry"] == true);
  const Json& s = outline[1]["instructions"][2];
  CHECK(s["operands"] == Json({0, 1}));
  CHECK(s["root"] == true);
  CHECK(s["attributes"][0]["name"] == "metadata");
  const Json& call = outline[1]["instructions"][1];
  REQUIRE(call["attributes"].size() == 1);
  CHECK(call["attributes"][0]["name"] == "to_apply");
  CHECK(call["attributes"][0]["calls"] == Json({"twice"}));
  const std::string text = kEditedHlo;
  const size_t begin = s["nameRange"][0];
  CHECK(text.substr(begin, s["nameRange"][1].get<size_t>() - begin) == "s");
}

TEST_CASE("no list of a check or a place is longer than 1,000, however long the program is") {
  std::string text = "ENTRY e {\n  used = f32[] parameter(0)\n";
  for (int i = 1; i < 1500; ++i) {
    text += "  p" + std::to_string(i) + " = f32[] parameter(" + std::to_string(i) + ")\n";
    text += "  n" + std::to_string(i) + " = f32[] add(used, used)\n";
  }
  text += "}\n";
  Session session;
  const Json check = ParseJson(session.Check(text));
  CHECK(check["parameters"].size() == 1000);
  CHECK(check["parameterCount"] == 1500);
  const size_t second = text.find("used)");
  const Json place = ParseJson(session.Place(text, static_cast<uint32_t>(second)));
  CHECK(place["uses"] == 2998);
  CHECK(place["nextUse"]["number"] == 2);
  const size_t last = text.rfind("used)");
  const Json end = ParseJson(session.Place(text, static_cast<uint32_t>(last)));
  CHECK(end["nextUse"]["number"] == 0);
  CHECK(session.Rename(text, static_cast<uint32_t>(last), "x").pairs.size() == 2 * 2999);
}

TEST_CASE("above all instructions the array shown is the entry computation's first matrix") {
  const Document document(R"(HloModule m
add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }
ENTRY e {
  step = s32[] parameter(0)
  one = s32[1,1]{1,0} parameter(2)
  row = f32[1,16]{1,0} parameter(3)
  x = bf16[8,128]{1,0} parameter(1)
  ROOT r = bf16[8,128]{1,0} negate(x)
}
)");
  CHECK(MakePlaceView(document, 3).shape == "bf16[8,128]{1,0}");
  // Between instructions it is that of the one before.
  const size_t between = document.text().find("ENTRY");
  CHECK(MakePlaceView(document, static_cast<uint32_t>(between)).shape == "f32[]");
  // In the indentation of a line it is that of the line.
  const size_t line = document.text().find("  row = ");
  for (size_t at : {line, line + 1}) {
    CHECK(MakePlaceView(document, static_cast<uint32_t>(at)).instruction == "row");
  }
}

TEST_CASE("a word is suggested for what it resembles or completes, and for nothing else") {
  const std::string_view words[] = {"s", "transpose-of-x", "transpose", "tanh", "add"};
  CHECK(NearestWord("tahn", words) == "tanh");
  CHECK(NearestWord("transp", words) == "transpose");
  CHECK(NearestWord("tra", words).empty());
  CHECK(NearestWord("z", words).empty());
}

TEST_CASE("what stands at a place") {
  const std::string text = kEditedHlo;
  const Document document(text);
  auto at = [&](std::string_view what, size_t shift = 0) {
    return MakePlaceView(document, static_cast<uint32_t>(text.find(what) + shift));
  };
  PlaceView place = at("add(p");
  CHECK(place.kind == "opcode");
  CHECK(place.opcode == "add");
  CHECK(place.instruction == "s");
  CHECK(!place.lines.empty());
  place = at("(p, q)", 1);
  CHECK(place.kind == "operand");
  CHECK(place.instruction == "p");
  CHECK(place.uses.size() == 2);
  REQUIRE(place.definition.has_value());
  CHECK(text[place.definition->begin] == 'p');
  place = at("f32[2,3]{1,0} call", 4);
  CHECK(place.kind == "shape");
  CHECK(place.shape == "f32[2,3]{1,0}");
  place = at("to_apply", 2);
  CHECK(place.kind == "attribute");
  place = at("=twice", 2);
  CHECK(place.kind == "computation");
  CHECK(place.uses.size() == 1);
  CHECK(place.definition->begin == text.find("twice {"));
  CHECK(at("twice {").kind == "computation");
  CHECK(at("HloModule").kind == "none");
  CHECK(MakePlaceView(document, 100000).kind == "none");
  const Document shape("f32[3,5]{1,0:T(2,2)}");
  CHECK(MakePlaceView(shape, 3).shape == "f32[3,5]{1,0:T(2,2)}");
}

TEST_CASE("between instructions the layout is that of the one before, else of the first") {
  const std::string text =
      "HloModule m\n\nENTRY e {\n  t = token[] after-all()\n  a = f32[2] parameter(0)\n\n"
      "  u = (f32[2]) tuple(a)\n\n  ROOT b = f32[3] constant({1,2,3})\n}\n";
  const Document document(text);
  auto shape_at = [&](size_t offset) {
    return MakePlaceView(document, static_cast<uint32_t>(offset)).shape;
  };
  CHECK(shape_at(0) == "f32[2]{0}");
  CHECK(shape_at(text.find("\n\n  u") + 1) == "f32[2]{0}");
  CHECK(shape_at(text.find("\n\n  ROOT") + 1) == "f32[2]{0}");  // a tuple has no layout
  CHECK(shape_at(text.size()) == "f32[3]{0}");
  CHECK(MakePlaceView(Document("HloModule m"), 3).shape.empty());
  CHECK(MakePlaceView(Document("6x8[1,0,1p(4)]"), 2).shape == "morello: f32[6,8] [1, 0, 1 p(4)]");
  CHECK(MakePlaceView(Document("F32[3,"), 2).shape == "F32[3,");
}

TEST_CASE("texts that are about a layout, good or not, are no programs") {
  for (const char* text :
       {"f32[3,5]{1,0:T(2,2)}",
        " f32[3,5]{1,0:T(2,2)}\n",
        "bf16[<=8,128]",
        "F32[3,5]{1,0:(2,2)}",
        "f32[3,5]{1,0:T(2",
        "f32[3,",
        "(f32[2], s32[])",
        "f32[6,8] [1, 0, 1 p(4)]",
        "morello: f32[6,8] [1, 0, 1 p(4)]",
        "morello: nonsense",
        "f32[6,8] [1, 0, 1 p(5)]",
        "[1, 0, 1 p(4)]",
        "6x8[1,0,1p(4)]",
        "NCHW",
        "NHWC",
        "NCHWc(4)",
        "f32[1,3,8,8] NCHW",
        "f32[6,8] row_major",
        "(4,(2,8)):(16,(1,2))",
        "8:1",
        "strides: f32[8,128] (128,1)",
        "f32[8,128] strides=(128,1)",
        "f32[2x3]",
        "Layout::new(vec![(1, PhysDim::Dynamic), (0, PhysDim::Dynamic)])",
        "Layout::new(vec![\n  (1, PhysDim::Dynamic),\n  (1, PhysDim::Packed(nz!(4u32))),\n])",
        "f32[6,8] Layout::new(vec![\n    (1, PhysDim::Dynamic),\n    (0, PhysDim::Dynamic)\n])"}) {
    CAPTURE(text);
    CHECK(LooksLikeLayout(text));
    CHECK(Document(text).kind() == TextKind::kLayout);
    CHECK(Document(text).diagnostics().empty());
  }
  for (const char* text :
       {"x = f32[3] parameter(0)", "f32[3,5] add(a, b)", "ROOT x = f32[3,5]{1,0} add(a, b)",
        "add.1", "ENTRY e { ROOT x = f32[] constant(2) }", "", " \n", "NCHWx", "NCH", "12",
        "f32[3,5]\nf32[3,5]", "nonsense", "[[[[", "%x", "module @m {}"}) {
    CAPTURE(text);
    CHECK(!LooksLikeLayout(text));
    CHECK(Document(text).kind() != TextKind::kLayout);
  }
  CHECK(!LooksLikeLayout(std::string(1 << 20, '[')));
}

TEST_CASE("an instruction in the layout view's box is its shape in one click") {
  for (const std::string text : {"f32[3,5] add(a, b)", "  %x = f32[3,5] add(a, b)",
                                 "ROOT x.1 = f32[3,5] add(f32[3,5] a, b), metadata={}"}) {
    CAPTURE(text);
    const LayoutView view = MakeLayoutView(text);
    CHECK(view.map == nullptr);
    REQUIRE(view.diagnostics.list().size() == 1);
    const Diagnostic& fault = view.diagnostics.list().front();
    CHECK(fault.message.find("this is an instruction") == 0);
    CHECK(text.substr(fault.range.begin, 4) == " add");
    REQUIRE(fault.fixes.size() == 1);
    CHECK(fault.fixes[0].replacement == "f32[3,5]");
    CHECK(fault.fixes[0].range.end == text.size());
  }
}

TEST_CASE("what is pasted from a program into the layout view's box leads to its arrays") {
  const std::string tiled = "bf16[32,4096]{1,0:T(8,128)(2,1)S(1)}";
  using Texts = std::vector<std::string>;
  const std::vector<std::pair<std::string, Texts>> cases = {
      {tiled + " %fusion.32", {tiled}},
      {"add.936 = " + tiled, {tiled}},
      {"(f32[8,128]{1,0:T(8,128)}, (s8[4], s8[4]), token[])",
       {"f32[8,128]{1,0:T(8,128)}", "s8[4]{0}"}},
      {"b(f32[3,5]{1,0})", {"f32[3,5]{1,0}"}}};
  for (const auto& [pasted, arrays] : cases) {
    const std::string& text = pasted;
    CAPTURE(text);
    const LayoutView view = MakeLayoutView(text);
    REQUIRE(view.diagnostics.list().size() == 1);
    Texts offered;
    for (const Fix& fix : view.diagnostics.list().front().fixes) {
      CHECK(fix.range.end - fix.range.begin == text.size());
      offered.push_back(fix.replacement);
    }
    CHECK(offered == arrays);
  }
}

TEST_CASE("hover says what every part of a layout means") {
  std::string lines;
  const std::string text = "a = bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)S(1)} parameter(0)";
  for (const std::string& line : MakePlaceView(Document(text), 8).lines) lines += line + "\n";
  for (const char* part :
       {"rank 4, true rank 3, dimensions p 8, z 1, y 1280, x 16384\n",
        "3,2,0,1: minor to major: dimension 3 varies fastest, then 2, 0, 1\n",
        "T(8,128): dimensions 2 and 3 cut into tiles of 8 x 128", "(2,1): each of these tiles cut",
        "2 rows of a column side by side, in one word of 32 bits\n", "S(1): VMEM, fast memory"}) {
    CAPTURE(part);
    CHECK(lines.find(part) != std::string::npos);
  }
  auto order = [](const char* shape) {
    Diagnostics faults;
    const auto read = ParseShapeText(shape, faults);
    REQUIRE(read.has_value());
    for (const LayoutTerm& term : LayoutTerms(*read, true)) {
      if (term.is_part) return term.text;
    }
    return std::string();
  };
  CHECK(order("f32[2,3]{1,0}") == "row-major: dimension 0 is major, dimension 1 varies fastest");
  CHECK(order("f32[2,3]{0,1}") == "column-major: dimension 0 is minor, it varies fastest");
  CHECK(order("f32[3]{0}") == "dimension 0 is the only one");
  CHECK(order("f32[2,3,4]{0,1,2}") == "column-major: dimension 0 is minor, it varies fastest");
  CHECK(order("f32[]") == "");
}

std::vector<std::string> Completed(const std::string& text) {
  const Document document(text);
  std::vector<std::string> labels;
  for (const CompletionItem& item :
       MakeCompletionView(document, static_cast<uint32_t>(text.size())).items) {
    labels.push_back(item.label);
  }
  return labels;
}

bool HasLabel(const std::vector<std::string>& labels, std::string_view label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

TEST_CASE("completion knows what operations are called elsewhere") {
  const std::string body = "ENTRY e {\n  p = f32[2,2] parameter(0)\n  x = f32[2,2] ";
  const auto matmul = [&](std::string_view operands) {
    const std::string before = body + "mat";
    const Document document(before + std::string(operands));
    for (const CompletionItem& item :
         MakeCompletionView(document, static_cast<uint32_t>(before.size())).items) {
      if (item.label == "matmul") return item;
    }
    return CompletionItem();
  };
  const CompletionItem whole = matmul("");
  CHECK(whole.detail == "HLO: dot");
  CHECK(whole.insert == "dot(lhs, rhs)");
  CHECK(whole.stops.size() == 2);
  CHECK(matmul("(p, p)").insert == "dot");
  // Where nothing is typed there are opcodes alone.
  CHECK(!HasLabel(Completed(body), "matmul"));
  CHECK(HasLabel(Completed(body), "dot"));
}

TEST_CASE("completion follows the form of an instruction") {
  const std::string body = "ENTRY e {\n  p = f32[2]{0} parameter(0)\n  x = ";
  CHECK(HasLabel(Completed(""), "HloModule"));
  CHECK(HasLabel(Completed("ENTRY e {\n  RO"), "ROOT"));
  CHECK(HasLabel(Completed(body), "f32"));
  CHECK(HasLabel(Completed(body + "f32[2]{0} ne"), "negate"));
  CHECK(!HasLabel(Completed(body + "f32[2]{0} ne"), "f32"));
  CHECK(HasLabel(Completed(body + "f32[2]{0} negate("), "p"));
  CHECK(HasLabel(Completed(body + "f32[2,2] broadcast(p), dim"), "dimensions"));
  CHECK(HasLabel(Completed(body + "pred[2] compare(p, p), direction="), "LT"));
  CHECK(!HasLabel(Completed(body + "pred[2] compare(p, p), direction="), "dimensions"));
  CHECK(HasLabel(
      Completed("f { ROOT a = f32[] parameter(0) }\n" + body + "f32[2] map(p), to_apply="), "f"));
  CHECK(Completed(body + "f32[2] negate(p) // neg").empty());
  // What is written already, the entry, and what cannot stand there is not offered.
  const std::string dot = body + "f32[] dot(p, p), lhs_contracting_dims={0}, ";
  CHECK(!HasLabel(Completed(dot), "lhs_contracting_dims"));
  CHECK(HasLabel(Completed(dot), "rhs_contracting_dims"));
  CHECK(!HasLabel(Completed(body + "f32[2] map(p), to_apply="), "e"));
  CHECK(Completed("ENTRY e {\n  ROOT ").empty());
  CHECK(Completed(body + "f32[2]{").empty());
  CHECK(HasLabel(Completed(body + "(f32[2], "), "s32"));
  CHECK(!HasLabel(Completed(body + "(f32[2], "), "add"));
  CHECK(HasLabel(Completed(body + "(f32[2], f32[2]) "), "tuple"));
  CHECK(HasLabel(Completed(body + "(f32[2], f32[2]) tuple("), "p"));
  CHECK(HasLabel(Completed(body + "f32[2] negate(p)\n  y = f32[2] ab"), "abs"));
}

}  // namespace
}  // namespace hlo
