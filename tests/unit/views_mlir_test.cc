// StableHLO text in an editor: tokens, names, places, completion, indentation.
#include <algorithm>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/mlir/importer.h"
#include "engine/mlir/text/tokens.h"
#include "engine/views/json.h"
#include "engine/views/names.h"
#include "engine/views/session.h"

namespace hlo {
namespace {

constexpr char kEditedMlir[] =
    "// two functions\n"
    "func.func private @twice(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
    "  %y = stablehlo.add %x, %x : tensor<2x3xf32>\n"
    "  return %y : tensor<2x3xf32>\n"
    "}\n"
    "func.func @main(%x: tensor<2x3xf32>) -> tensor<2xf32> {\n"
    "  %cst = stablehlo.constant dense<0.0e+00> : tensor<f32>\n"
    "  %0 = call @twice(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>\n"
    "  %1 = \"stablehlo.reduce\"(%0, %cst) ({\n"
    "  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
    "    %y = stablehlo.maximum %a, %b : tensor<f32>\n"
    "    stablehlo.return %y : tensor<f32>\n"
    "  }) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>\n"
    "  return %1 : tensor<2xf32>\n"
    "}\n";

// "word kind, word kind, ..."
std::string MlirKinds(std::string_view text) {
  constexpr std::string_view kNames[] = {"keyword", "opcode", "name",   "function",
                                         "attr",    "type",   "number", "string",
                                         "comment", "punct",  "layout", "invalid"};
  std::string out;
  for (const Token& token : TokenizeMlir(text)) {
    if (token.kind == TokenKind::kPunctuation) continue;
    if (!out.empty()) out += ", ";
    out += text.substr(token.range.begin, token.range.end - token.range.begin);
    out += " ";
    out += kNames[static_cast<size_t>(token.kind)];
  }
  return out;
}

uint32_t ByteOf(std::string_view needle, int nth = 0) {
  size_t at = std::string_view(kEditedMlir).find(needle);
  while (nth-- > 0) at = std::string_view(kEditedMlir).find(needle, at + 1);
  return static_cast<uint32_t>(at);
}

TEST_CASE("tokens of MLIR") {
  CHECK(MlirKinds("%0:2 = stablehlo.while(%i = %c#1) // loop") ==
        "%0 name, 2 number, stablehlo.while opcode, %i name, %c name, #1 number, // loop comment");
  CHECK(
      MlirKinds("tensor<?x16xbf16>, tensor<0x3xi1>") ==
      "tensor type, ?x number, 16x number, bf16 type, tensor type, 0x number, 3x number, i1 type");
  CHECK(MlirKinds("dense<[0xFF800000, -1.5e-3, true]>") ==
        "dense keyword, 0xFF800000 number, -1.5e-3 number, true keyword");
  CHECK(MlirKinds("\"stablehlo.add\"(%a) {x = \"s\", f = #stablehlo<y>} : !stablehlo.token") ==
        "\"stablehlo.add\" opcode, %a name, x attr, \"s\" string, f attr, #stablehlo attr, "
        "y keyword, !stablehlo.token type");
  CHECK(MlirKinds("func.func @main ^bb0 \"open") ==
        "func.func keyword, @main function, ^bb0 function, \"open invalid");
  CHECK(MlirKinds("") == "");
  CHECK(MlirKinds("% @ # \xc3\xa9") == "\xc3\xa9 invalid");
}

TEST_CASE("a name of MLIR belongs to the last definition before it") {
  const std::vector<Token> tokens = TokenizeMlir(kEditedMlir);
  // The %y of the region is another one than that of the first function.
  const MlirName inner = MlirNameAt(kEditedMlir, tokens, ByteOf("%y", 3));
  CHECK(inner.is_defined);
  CHECK(inner.definition.begin == ByteOf("%y = stablehlo.maximum"));
  CHECK(inner.uses.size() == 1);
  const MlirName outer = MlirNameAt(kEditedMlir, tokens, ByteOf("%y") + 1);
  CHECK(outer.definition.begin == ByteOf("%y"));
  REQUIRE(outer.uses.size() == 1);
  CHECK(outer.uses[0].begin == ByteOf("%y", 1));
  const MlirName argument = MlirNameAt(kEditedMlir, tokens, ByteOf("(%x)") + 1);
  CHECK(argument.definition.begin == ByteOf("@main(%x") + 6);
  CHECK(argument.uses.size() == 1);
  const MlirName function = MlirNameAt(kEditedMlir, tokens, ByteOf("@twice", 1));
  CHECK(function.definition.begin == ByteOf("@twice"));
  CHECK(function.uses.size() == 1);
  CHECK(MlirNameAt(kEditedMlir, tokens, 3).range.end == 0);
  CHECK(MlirNameAt("%a", TokenizeMlir("%a"), 1).is_defined == false);
}

constexpr char kLoop[] =
    "func.func @main(%a: tensor<f32>) -> (tensor<f32>, tensor<i32>) {\n"
    "  %c = stablehlo.constant dense<3> : tensor<i32>\n"
    "  %z = stablehlo.constant dense<0> : tensor<i32>\n"
    "  %5:2 = stablehlo.while(%i = %z, %x = %a) : tensor<i32>, tensor<f32>\n"
    "  cond {\n"
    "    %p = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "    stablehlo.return %p : tensor<i1>\n"
    "  } do {\n"
    "    %n = stablehlo.add %i, %c : tensor<i32>\n"
    "    %y = stablehlo.multiply %x, %a : tensor<f32>\n"
    "    stablehlo.return %n, %y : tensor<i32>, tensor<f32>\n"
    "  }\n"
    "  return %5#1, %5#0 : tensor<f32>, tensor<i32>\n"
    "}\n";

TEST_CASE("results of MLIR are the instructions that have their names and places") {
  const std::string_view text = kLoop;
  Session session;
  const auto at = [&](std::string_view word, uint32_t more = 1) {
    const Json place =
        ParseJson(session.Place(text, static_cast<uint32_t>(text.find(word)) + more));
    return place["instruction"].get<std::string>() + " " + place["opcode"].get<std::string>() +
           ", " + place["title"].get<std::string>();
  };
  // The loop, not the tuple that it begins with; a use of one result is that result.
  CHECK(at("%5:2") == "v5 while, %5: (s32[], f32[], f32[])");
  CHECK(at("%5#1") == "v5.2 get-tuple-element, %5#1: f32[]");
  CHECK(at("%5#0", 3) == "v5.1 get-tuple-element, %5#0: s32[]");
  // What a region has a copy of is the one that is written.
  CHECK(at("%c :", 1) == "c constant, %c: s32[]");

  const Document document(kLoop);
  REQUIRE(document.module());
  const auto shown = [&](std::string_view name) {
    const auto found = InstructionsShownAs(document, name);
    return found.empty()
               ? std::string("none")
               : std::string(Text(found[0]->opcode())) + " " + ShownName(document, *found[0]);
  };
  CHECK(shown("%5") == "while %5");
  CHECK(shown("5#1") == "get-tuple-element %5#1");
  CHECK(shown("5#2") == "none");
  // The tuple of the results is placed at the return.
  const Instruction* root = document.module()->entry()->root();
  CHECK(document.text().substr(root->places().whole.begin).starts_with("return %5#1"));
}

TEST_CASE("results of MLIR with names of their own") {
  const Document document(
      "func.func @main(%d: tensor<2xf32>) -> tensor<1xi32> {\n"
      "  %q, %r = chlo.top_k(%d, k = 1) : tensor<2xf32> -> (tensor<1xf32>, tensor<1xi32>)\n"
      "  return %r : tensor<1xi32>\n"
      "}\n");
  REQUIRE(document.module());
  const Instruction* root = document.module()->entry()->root();
  CHECK(ShownName(document, *root) == "%r");
  CHECK(root->shape().element_type() == ElementType::kS32);
  CHECK(InstructionsShownAs(document, "q").at(0)->shape().element_type() == ElementType::kF32);
}

TEST_CASE("places of MLIR: names, types, operations") {
  Session session;
  Json place = ParseJson(session.Place(kEditedMlir, ByteOf("%cst)") + 1));
  CHECK(place["shape"] == "f32[]");
  CHECK(place["kind"] == "operand");
  CHECK(place["definition"][0] == ByteOf("%cst"));
  place = ParseJson(session.Place(kEditedMlir, ByteOf("tensor<2x3xf32>") + 9));
  CHECK(place["kind"] == "shape");
  CHECK(place["shape"] == "f32[2,3]{1,0}");
  place = ParseJson(session.Place(kEditedMlir, ByteOf("stablehlo.maximum") + 12));
  CHECK(place["kind"] == "opcode");
  CHECK(place["title"] == "stablehlo.maximum(lhs, rhs)");
  CHECK(place["lines"].back() == "As HLO: maximum.");
  place = ParseJson(session.Place(kEditedMlir, ByteOf("@twice", 1) + 1));
  CHECK(place["definition"][0] == ByteOf("@twice"));
  // A text that does not parse has names too.
  place = ParseJson(session.Place("func.func @f(%a: tensor<2xf32>) { %b = bad %a", 44));
  CHECK(place["definition"][0] == 13);
}

bool Offers(std::string_view text, const std::string& label) {
  Session session;
  const Json answer = ParseJson(session.Complete(text, static_cast<uint32_t>(text.size())));
  return std::any_of(answer["items"].begin(), answer["items"].end(),
                     [&](const Json& item) { return item["label"] == label; });
}

TEST_CASE("MLIR with open sizes is what its inputs make of it") {
  const std::string text =
      "func.func @main(%x: tensor<?x4xf32>, %y: tensor<4xf32>) -> tensor<?x4xf32> {\n"
      "  %z = stablehlo.negate %x : tensor<?x4xf32>\n  return %z : tensor<?x4xf32>\n}\n";
  Session session;
  Json check = ParseJson(session.Check(text));
  CHECK(check["ok"] == false);
  CHECK(check["wantsInputs"] == true);
  REQUIRE(check["parameters"].size() == 2);
  CHECK(check["parameters"][0]["name"] == "x");
  CHECK(check["parameters"][0]["openType"] == "tensor<?x4xf32>");
  CHECK(check["parameters"][0]["shape"] == "");
  check = ParseJson(session.Check(text, "[\"f32[3,4]\"]"));
  CHECK(check["ok"] == true);
  CHECK(check["result"] == "f32[3,4]{1,0}");
  REQUIRE(check["parameters"].size() == 2);
  CHECK(check["parameters"][0]["shape"] == "f32[3,4]{1,0}");
  CHECK(check["parameters"][0]["openType"] == "tensor<?x4xf32>");
  CHECK(check["parameters"][1]["openType"] == "");
  // Later questions are about the same.
  const auto z = static_cast<uint32_t>(text.find("%z"));
  CHECK(ParseJson(session.Place(text, z + 1))["shape"] == "f32[3,4]{1,0}");
  CHECK(ParseJson(session.Convert(text, "{}").json)["ok"] == true);
  CHECK(ParseJson(session.Check(text, "nonsense"))["ok"] == false);
}

TEST_CASE("completion of MLIR") {
  const std::string start = "func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {\n  ";
  CHECK(Offers(start + "%b = stablehlo.ad", "stablehlo.add"));
  CHECK(Offers(start + "chl", "chlo.erf"));
  CHECK(Offers(start + "%b = stablehlo.add %", "%a"));
  CHECK_FALSE(Offers(start + "%b = stablehlo.add %", "%b"));
  CHECK(Offers(start + "%b = call @", "@f"));
  CHECK(Offers(start + "%b = stablehlo.add %a, %a : ten", "tensor"));
  CHECK(Offers(start + "%b = stablehlo.add %a, %a : tensor<2x4xbf", "bf16"));
  CHECK(Offers(start + "%b = stablehlo.add %a, %a : tensor<2xi", "i32"));
  CHECK_FALSE(Offers(start + "// stab", "stablehlo.add"));
  CHECK_FALSE(Offers(start + "x = \"stab", "stablehlo.add"));
}

TEST_CASE("the HLO operation of an MLIR operation") {
  CHECK(MlirOpcode("stablehlo.add") == Opcode::kAdd);
  CHECK(MlirOpcode("mhlo.reduce_window") == Opcode::kReduceWindow);
  CHECK(MlirOpcode("chlo.erf") == Opcode::kErf);
  CHECK_FALSE(MlirOpcode("chlo.digamma"));
  CHECK_FALSE(MlirOpcode("stablehlo.nothing"));
}

TEST_CASE("indentation of MLIR") {
  CHECK(FormatMlir(kEditedMlir) == kEditedMlir);
  std::string flat;
  for (size_t i = 0; kEditedMlir[i]; ++i) {
    flat += kEditedMlir[i];
    while (kEditedMlir[i] == '\n' && kEditedMlir[i + 1] == ' ') ++i;
  }
  CHECK(FormatMlir(flat) == kEditedMlir);
  CHECK(FormatMlir("a({  \n\n}, {\nb\n})") == "a({\n\n}, {\n  b\n})");
  CHECK(FormatMlir("}\n)\nx") == "}\n)\nx");
  CHECK(FormatMlir("f(%a,\n%b) {\n\"{\"\nc // {\n}") == "f(%a,\n  %b) {\n  \"{\"\n  c // {\n}");
}

}  // namespace
}  // namespace hlo
