// Bytes and UTF-16, check, outline, places, completion.
#include <nlohmann/json.hpp>
#include <string>

#include "doctest/doctest.h"
#include "engine/views/check_view.h"
#include "engine/views/completion_view.h"
#include "engine/views/place_view.h"
#include "engine/views/session.h"
#include "engine/views/text_map.h"

namespace hlo {
namespace {

using nlohmann::json;

constexpr char kProgram[] =
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
  json check = json::parse(session.Check(kProgram));
  CHECK(check["ok"] == true);
  CHECK(check["kind"] == "hlo");
  CHECK(check["module"] == "m");
  CHECK(check["parameters"][0]["shape"] == "f32[2,3]{1,0}");
  CHECK(check["result"] == "f32[2,3]{1,0}");
  CHECK(check["computationCount"] == 2);
  CHECK(check["instructionCount"] == 5);
  CHECK(json::parse(session.Check(""))["kind"] == "empty");
  CHECK(json::parse(session.Check(" \n"))["kind"] == "empty");
  CHECK(json::parse(session.Check("f32[3,5]{1,0:T(2,2)}"))["kind"] == "shape");
  CHECK(json::parse(session.Check("name: \"m\"\ncomputations {\n  name: \"e\"\n}"))["kind"] ==
        "protobuf");
  CHECK(json::parse(session.Check("# RUN: x\n\n# y\nhlo_module {\n  computations {\n}}"))["kind"] ==
        "protobuf");
  check = json::parse(session.Check("\xff\xfe{ \xf0\x9f"));
  CHECK(check["ok"] == false);
  CHECK(check["diagnostics"].size() > 0);
}

TEST_CASE("the outline has every instruction with its places") {
  Session session;
  const json outline = json::parse(session.Outline(kProgram));
  REQUIRE(outline.size() == 2);
  CHECK(outline[0]["entry"] == false);
  CHECK(outline[1]["entry"] == true);
  const json& s = outline[1]["instructions"][2];
  CHECK(s["operands"] == json({0, 1}));
  CHECK(s["root"] == true);
  const std::string text = kProgram;
  const size_t begin = s["nameRange"][0];
  CHECK(text.substr(begin, s["nameRange"][1].get<size_t>() - begin) == "s");
}

TEST_CASE("what stands at a place") {
  const std::string text = kProgram;
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

std::vector<std::string> Completed(const std::string& text) {
  const Document document(text);
  std::vector<std::string> labels;
  for (const CompletionItem& item :
       MakeCompletionView(document, static_cast<uint32_t>(text.size())).items) {
    labels.push_back(item.label);
  }
  return labels;
}

bool Has(const std::vector<std::string>& labels, std::string_view label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

TEST_CASE("completion follows the form of an instruction") {
  const std::string body = "ENTRY e {\n  p = f32[2]{0} parameter(0)\n  x = ";
  CHECK(Has(Completed(""), "HloModule"));
  CHECK(Has(Completed("ENTRY e {\n  RO"), "ROOT"));
  CHECK(Has(Completed(body), "f32"));
  CHECK(Has(Completed(body + "f32[2]{0} ne"), "negate"));
  CHECK(!Has(Completed(body + "f32[2]{0} ne"), "f32"));
  CHECK(Has(Completed(body + "f32[2]{0} negate("), "p"));
  CHECK(Has(Completed(body + "f32[2,2] broadcast(p), dim"), "dimensions"));
  CHECK(Has(Completed(body + "pred[2] compare(p, p), direction="), "LT"));
  CHECK(!Has(Completed(body + "pred[2] compare(p, p), direction="), "dimensions"));
  CHECK(Has(Completed("f { ROOT a = f32[] parameter(0) }\n" + body + "f32[2] map(p), to_apply="),
            "f"));
  CHECK(Completed(body + "f32[2] negate(p) // neg").empty());
  CHECK(Has(Completed(body + "f32[2] negate(p)\n  y = f32[2] ab"), "abs"));
}

}  // namespace
}  // namespace hlo
