// A program in the other dialect, its linked lines, and the script for JAX.
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "doctest/doctest.h"
#include "engine/views/convert_view.h"
#include "engine/views/json.h"
#include "engine/views/session.h"

namespace hlo {
namespace {

using Pairs = std::vector<std::pair<uint32_t, uint32_t>>;

constexpr char kConvertedHlo[] =
    "HloModule m\n"                                                   // 0
    "twice { x = f32[2] parameter(0)  ROOT y = f32[2] add(x, x) }\n"  // 1
    "ENTRY e {\n"                                                     // 2
    "  p = f32[2] parameter(0)\n"                                     // 3
    "  q = f32[2] call(p), to_apply=twice\n"                          // 4
    "  c = f32[2] copy(q)\n"                                          // 5
    "  ROOT s = (f32[2], f32[2]) tuple(c, p)\n"                       // 6
    "}\n";

TEST_CASE("convert: lines of one instruction, both ways") {
  const Document document{std::string(kConvertedHlo)};
  const ConvertView view = ConvertDocument(document, TextKind::kMlir);
  REQUIRE(view.ok);
  CHECK(view.text ==
        "module @m attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {\n"
        "  func.func public @main(%arg0: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {\n"
        "    %0 = call @twice(%arg0) : (tensor<2xf32>) -> tensor<2xf32>\n"
        "    return %0, %arg0 : tensor<2xf32>, tensor<2xf32>\n"
        "  }\n"
        "  func.func private @twice(%arg0: tensor<2xf32>) -> tensor<2xf32> {\n"
        "    %0 = stablehlo.add %arg0, %arg0 : tensor<2xf32>\n"
        "    return %0 : tensor<2xf32>\n"
        "  }\n"
        "}\n");
  // The copy has no line; a tuple that is returned has that of the return.
  CHECK(view.lines == Pairs{{1, 5}, {1, 6}, {3, 1}, {4, 2}, {6, 3}});
  const Document back(view.text);
  const ConvertView again = ConvertDocument(back, TextKind::kHlo);
  REQUIRE(again.ok);
  CHECK(again.text.find("to_apply=twice") != std::string::npos);
  // By line of the StableHLO text: what stands in the linked line.
  const LineTable hlo(again.text);
  const std::pair<uint32_t, const char*> expected[] = {
      {1, "parameter(0)"}, {2, "call("}, {3, "tuple("}, {5, "parameter(0)"}, {6, "add("}};
  REQUIRE(again.lines.size() == std::size(expected));
  for (size_t i = 0; i < std::size(expected); ++i) {
    CHECK(again.lines[i].first == expected[i].first);
    const std::string_view line = hlo.Line(again.lines[i].second + 1);
    CHECK(line.find(expected[i].second) != std::string_view::npos);
  }
}

TEST_CASE("convert: JSON, the dialect by default, diagnostics in UTF-16") {
  Session session;
  const Session::PairsAnswer answer = session.Convert(kConvertedHlo, "{}");
  const Json there = ParseJson(answer.json);
  CHECK(there["ok"] == true);
  CHECK(there["from"] == "hlo");
  CHECK(there["to"] == "stablehlo");
  REQUIRE(answer.pairs.size() >= 2);
  CHECK(answer.pairs[0] == 1);
  CHECK(answer.pairs[1] == 5);
  const Json back = ParseJson(session.Convert(there["text"].get<std::string>(), "{}").json);
  CHECK(back["from"] == "stablehlo");
  CHECK(back["to"] == "hlo");
  CHECK(back["ok"] == true);
  const Json bad = ParseJson(
      session
          .Convert("// \xc3\xa9\nENTRY e {\n  x = u64[2] rng-get-and-update-state(), delta=1\n"
                   "  y = u64[2] rng-get-and-update-state(), delta=2\n"
                   "  ROOT t = (u64[2], u64[2]) tuple(x, y)\n}\n",
                   R"({"to": "stablehlo"})")
          .json);
  CHECK(bad["ok"] == false);
  CHECK(bad["text"] == "");
  REQUIRE(bad["diagnostics"].size() == 2);
  CHECK(bad["diagnostics"][0]["range"] == Json{28, 52});  // the opcode
  CHECK(ParseJson(session.Convert("ENTRY {", "{}").json)["ok"] == false);
  CHECK(ParseJson(session.Convert("", "no Json").json)["ok"] == false);
}

// Two loops in each body whose conditions and bodies are the next one's: 2^30 if all were written
// where they are used.
TEST_CASE("convert: shared computations do not make the text explode") {
  std::string text = "HloModule m\n";
  text +=
      "c { i = s32[] parameter(0)  z = s32[] constant(0)  ROOT l = pred[] compare(i, z), "
      "direction=LT }\n";
  text += "b0 { i = s32[] parameter(0)  o = s32[] constant(1)  ROOT n = s32[] add(i, o) }\n";
  for (int i = 1; i <= 120; ++i) {
    const std::string inner = std::to_string(i - 1);
    text += "b" + std::to_string(i) +
            " { i = s32[] parameter(0)  v = s32[] while(i), condition=c, body=b" + inner +
            "  ROOT w = s32[] while(v), condition=c, body=b" + inner + " }\n";
  }
  text += "ENTRY e { x = s32[] parameter(0)  ROOT r = s32[] while(x), condition=c, body=b120 }\n";
  const Document document(text);
  REQUIRE(document.ok());
  const ConvertView view = ConvertDocument(document, TextKind::kMlir);
  REQUIRE(view.ok);
  CHECK(view.text.size() < 40 * text.size());
  const Document back(view.text);
  CHECK(back.ok());
}

TEST_CASE("script: none for inputs that are refused, of single devices too") {
  Session session;
  const std::string program =
      "HloModule foo, replica_count=2\nENTRY e { p = f32[3] parameter(0)  ROOT n = f32[3] "
      "negate(p) }\n";
  const Json made =
      ParseJson(session.PythonScript(program, R"({"inputs": ["iota; 0.1: zero"]})", {}));
  CHECK(made["ok"] == false);
  CHECK(made["diagnostics"][0]["code"] == "input-invalid");
}

TEST_CASE("script: the program, the inputs, the results") {
  Session session;
  const std::string program =
      "HloModule foo\nENTRY e { p = u8[3] parameter(0)  ROOT n = u8[3] negate(p) }\n";
  const Json made =
      ParseJson(session.PythonScript(program, R"({"inputs": ["{102,111,111}"]})", {}));
  REQUIRE(made["ok"] == true);
  const std::string text = made["text"];
  CHECK(text.find("PROGRAM = r'''\nmodule @foo ") != std::string::npos);
  CHECK(text.find("DIALECT = \"stablehlo\"") != std::string::npos);
  // The bytes of "foo" and their checksum; the results are 154, 145, 145.
  CHECK(text.find("(\"uint8\", (3,), 0x8c736521, (\"bytes\", \"Zm9v\"))") != std::string::npos);
  CHECK(text.find("(\"uint8\", (3,), \"mpGR\")") != std::string::npos);
  CHECK(text.find("ARGUMENTS = [\n    [0],\n]") != std::string::npos);
}

TEST_CASE("script: of a kept run; large inputs by their rule; HLO where StableHLO cannot") {
  Session session;
  const std::string program =
      "HloModule m\nENTRY e { p = f32[20000] parameter(0)  q = f32[20000] parameter(1)\n"
      "  r = u32[20000] parameter(2)\n"
      "  s = s8[20000] stochastic-convert(p, r)  ROOT n = f32[20000] add(p, q) }\n";
  Json options = {{"inputs", {"iota", "uniform(-1,2)", "zero"}}, {"seed", 3}};
  const Json run = ParseJson(session.Run(program, options.dump(), {}));
  REQUIRE(run["ok"] == true);
  options["handle"] = run["handle"];
  const Json made = ParseJson(session.PythonScript(program, options.dump(), {}));
  REQUIRE(made["ok"] == true);
  const std::string text = made["text"];
  CHECK(text.find("DIALECT = \"hlo\"") != std::string::npos);
  CHECK(text.find("(\"iota\",)") != std::string::npos);
  CHECK(text.find(", -1,2)") != std::string::npos);
  CHECK(text.find("(\"constant\", \"AAAAAA==\")") != std::string::npos);
}

TEST_CASE("script: what JAX cannot be given is a diagnostic") {
  Session session;
  const Json made = ParseJson(session.PythonScript(
      "ENTRY e { t = token[] parameter(0)  ROOT u = token[] after-all(t) }", "{}", {}));
  CHECK(made["ok"] == false);
  CHECK(made["text"] == "");
  REQUIRE(made["diagnostics"].size() == 1);
}

}  // namespace
}  // namespace hlo
