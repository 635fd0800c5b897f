// Runs, windows, statistics, memory images, layouts: the answers the page draws.
#include <cstring>
#include <string>

#include "doctest/doctest.h"
#include "engine/views/json.h"
#include "engine/views/layout_view.h"
#include "engine/views/ops_view.h"
#include "engine/views/session.h"

namespace hlo {
namespace {

constexpr char kSumProgram[] =
    "ENTRY e {\n"
    "  p = f32[2,3]{1,0} parameter(0)\n"
    "  q = f32[2,3]{1,0} parameter(1)\n"
    "  s = f32[2,3]{1,0} add(p, q)\n"
    "  ROOT t = (f32[2,3]{1,0}, f32[2,3]{1,0}) tuple(s, p)\n"
    "}\n";
constexpr char kOptions[] = R"({"inputs": ["{{1,2,3},{4,5,6}}", "constant:0.5"]})";

TEST_CASE("a run and its values") {
  Session session;
  const Json run = ParseJson(session.Run(kSumProgram, kOptions, {}));
  CHECK(run["diagnostics"].empty());
  REQUIRE(run["ok"] == true);
  CHECK(run["trace"].size() == 4);
  CHECK(run["trace"][2]["name"] == "s");
  CHECK(run["trace"][2]["value"]["preview"] == "{{1.5, 2.5, 3.5}, {4.5, 5.5, 6.5}}");
  CHECK(run["output"]["kind"] == "tuple");
  CHECK(run["output"]["elements"][0]["dims"] == Json({2, 3}));
  CHECK(run["inputs"].size() == 2);
  const std::string handle = run["handle"].dump();
  const std::string ref = R"({"handle": )" + handle + R"(, "entry": "output", "path": [0]})";
  const auto window = session.ValueWindow(
      ref, R"({"origin": [1, 0], "rowDim": 0, "colDim": 1, "rows": 9, "cols": 2})");
  CHECK(ParseJson(window.json) == Json({{"rows", 1}, {"cols", 2}, {"text", {"4.5", "5.5"}}}));
  CHECK(window.numbers == std::vector<double>{4.5, 5.5});
  const Json stats = ParseJson(session.ValueStats(ref));
  CHECK(stats["mean"] == 4);
  CHECK(stats["firstNonFinite"].is_null());
  CHECK(session.ValueText(ref, 2) == "{{1.5, 2.5, ...}}");
  CHECK(session.ValueNpy(ref).size() > 24);
  const MemoryWindow memory = session.Memory(ref, "f32[2,3]{0,1:T(2,2)}", 0, 48);
  CHECK(memory.bytes.size() == 32);
  float first[4];
  std::memcpy(first, memory.bytes.data(), 16);
  CHECK(first[0] == 1.5f);
  CHECK(first[1] == 4.5f);
  CHECK(first[2] == 2.5f);
  CHECK(memory.padding[15] == 0);
  CHECK(std::count(memory.padding.begin(), memory.padding.end(), 1) == 8);
  const std::string input = R"({"handle": )" + handle + R"(, "entry": "input:1", "path": []})";
  CHECK(session.ValueText(input, 1) == "{{0.5, ...}}");
  const std::string entry = R"({"handle": )" + handle + R"(, "entry": 2, "path": []})";
  CHECK(session.ValueText(entry, 1) == "{{1.5, ...}}");
  session.Release(std::stoi(handle));
  CHECK(session.ValueText(ref, 10).empty());
}

TEST_CASE("questions about nothing get empty answers") {
  Session session;
  for (const char* ref :
       {"", "{}", "[]", "{\"handle\": 1, \"entry\": \"output\"}", "{\"entry\": null}",
        "{\"handle\": 1e300, \"entry\": \"input:99999999999\", \"path\": [1, \"x\"]}"}) {
    CHECK(session.ValueWindow(ref, "").numbers.empty());
    CHECK(session.ValueText(ref, 10).empty());
    CHECK(session.ValueNpy(ref).empty());
    CHECK(session.Memory(ref, "f32[2]", 0, 10).bytes.empty());
    CHECK(ParseJson(session.ValueStats(ref))["count"] == 0);
  }
}

TEST_CASE("runs that fail") {
  Session session;
  auto first_code = [&](const char* text, const char* options) {
    const Json run = ParseJson(session.Run(text, options, {}));
    CHECK(run["ok"] == false);
    REQUIRE(run["diagnostics"].size() > 0);
    return run["diagnostics"][0]["code"].get<std::string>();
  };
  CHECK(first_code("", "{}") == "syntax-error");
  CHECK(first_code("f32[2]", "{}") == "not-executable");
  CHECK(first_code(kSumProgram, R"({"inputs": ["{1}"]})") != "");
  CHECK(first_code(kSumProgram, R"({"inputs": ["", "", "zero"]})") == "input-invalid");
  CHECK(first_code(kSumProgram, R"({"memoryLimit": 10})") == "memory-exceeded");
  // What ran before the failure can be looked at.
  const Json run = ParseJson(session.Run(
      "ENTRY e { a = s32[2] constant({1,2})  b = s32[1000] broadcast(a), dimensions={} ROOT c = "
      "s32[] constant(1) }",
      "not Json", {}));
  CHECK(run["ok"] == false);
  const Json limited = ParseJson(session.Run(
      "ENTRY e { a = s32[] constant(1)  ROOT b = s32[1000] broadcast(a), dimensions={} }",
      R"({"memoryLimit": 100})", {}));
  CHECK(limited["handle"] != 0);
  CHECK(limited["trace"].size() == 1);
}

TEST_CASE("windows of slices of any rank") {
  Tensor tensor(ElementType::kS32, std::vector<int64_t>{2, 3, 4}, nullptr);
  for (int32_t i = 0; i < 24; ++i) tensor.mutable_data<int32_t>()[i] = i;
  const ValueWindow outer = MakeValueWindow(
      tensor, {.origin = {0, 1, 2}, .row_dim = 2, .col_dim = 0, .rows = 100, .cols = 100});
  CHECK(outer.rows == 2);
  CHECK(outer.cols == 2);
  CHECK(outer.numbers == std::vector<double>{6, 18, 7, 19});
  CHECK(MakeValueWindow(tensor, {.origin = {0, 0, 4}}).numbers.empty());
  CHECK(MakeValueWindow(tensor, {.origin = {1, 2, 3}}).numbers == std::vector<double>{23});
  CHECK(MakeValueWindow(Tensor::Scalar<float>(3), {}).text == std::vector<std::string>{"3"});
  // Of one byte, in full.
  const Tensor small = Tensor::Scalar<F8E5M2>(F8E5M2(448.0F));
  CHECK(MakeValueWindow(small, {}).text == std::vector<std::string>{"448"});
}

TEST_CASE("memory images of packed elements") {
  Tensor tensor(ElementType::kU4, std::vector<int64_t>{3}, nullptr);
  for (int i = 0; i < 3; ++i) tensor.mutable_bytes()[i] = static_cast<std::byte>(i + 1);
  const LayoutView packed = MakeLayoutView("u4[3]{0:E(4)}");
  const MemoryWindow all = MakeMemoryWindow(tensor, packed, 0, 100);
  CHECK(all.bytes == std::vector<uint8_t>{0x21, 0x03});
  CHECK(all.padding == std::vector<uint8_t>{0, 0});
  const MemoryWindow second = MakeMemoryWindow(tensor, packed, 1, 1);
  CHECK(second.begin == 1);
  CHECK(second.bytes == std::vector<uint8_t>{0x03});
  CHECK(MakeMemoryWindow(tensor, MakeLayoutView("u4[4]"), 0, 9).bytes.empty());
  CHECK(MakeMemoryWindow(tensor, MakeLayoutView("f32[3]"), 0, 9).bytes.empty());

  const ByteView byte = MakeByteView(tensor, packed, 0);
  CHECK(byte.value == 0x21);
  REQUIRE(byte.parts.size() == 2);
  CHECK(byte.parts[0].text == "low nibble: element (0) = 1");
  CHECK(byte.parts[1].text == "high nibble: element (1) = 2");
  const ByteView last = MakeByteView(tensor, packed, 1);
  REQUIRE(last.parts.size() == 2);
  CHECK(last.parts[1].padding);
  CHECK(MakeByteView(tensor, packed, 2).value == -1);
  CHECK(MakeByteView(tensor, packed, -1).value == -1);
}

TEST_CASE("memory images in any notation, byte by byte") {
  Tensor tensor(ElementType::kF32, std::vector<int64_t>{2, 2}, nullptr);
  for (int i = 0; i < 4; ++i) tensor.mutable_data<float>()[i] = static_cast<float>(i + 1);
  const LayoutView columns = MakeLayoutView("morello: f32[2,2] [1, 0]");
  REQUIRE(columns.map);
  // Column-major: 1 3 2 4; 3.0f is 0x40400000, least significant byte first.
  const MemoryWindow window = MakeMemoryWindow(tensor, columns, 4, 4);
  CHECK(window.bytes == std::vector<uint8_t>{0x00, 0x00, 0x40, 0x40});
  const ByteView byte = MakeByteView(tensor, columns, 6);
  CHECK(byte.value == 0x40);
  REQUIRE(byte.parts.size() == 1);
  CHECK(byte.parts[0].text == "byte 2 of 4 (byte 0 is the least significant): element (1,0) = 3");
  const ByteView padding = MakeByteView(tensor, MakeLayoutView("f32[2,2]{1,0:T(2,4)}"), 8);
  REQUIRE(padding.parts.size() == 1);
  CHECK(padding.value == 0);
  CHECK(padding.parts[0].padding);
}

TEST_CASE("memory images hold the padding value where the layout says it") {
  Tensor tensor(ElementType::kS8, std::vector<int64_t>{2, 3}, nullptr);
  for (int i = 0; i < 6; ++i) tensor.mutable_data<int8_t>()[i] = static_cast<int8_t>(i + 1);
  const LayoutView nines = MakeLayoutView("s8[2,3]{0,1:L(16)PAD(3,5;-9)}");
  REQUIRE(nines.map);
  const MemoryWindow window = MakeMemoryWindow(tensor, nines, 0, 16);
  // Behind the padded array is the alignment's padding, of which nothing is said.
  CHECK(window.bytes == std::vector<uint8_t>{1, 4, 0xf7, 2, 5, 0xf7, 3, 6, 0xf7, 0xf7, 0xf7, 0xf7,
                                             0xf7, 0xf7, 0xf7, 0});
  CHECK(window.padding == std::vector<uint8_t>{0, 0, 1, 0, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1});
  const ByteView byte = MakeByteView(tensor, nines, 2);
  REQUIRE(byte.parts.size() == 1);
  CHECK(byte.value == 0xf7);
  CHECK(byte.parts[0].value == "-9");
  CHECK(byte.parts[0].text.find("it holds the padding value -9") != std::string::npos);
  CHECK(ParseJson(LayoutJson(nines))["paddingValue"] == "-9");
  const LayoutView unsaid = MakeLayoutView("s8[2,3]{0,1:PAD(3,5)}");
  CHECK(MakeMemoryWindow(tensor, unsaid, 2, 1).bytes == std::vector<uint8_t>{0});
  CHECK(ParseJson(LayoutJson(unsaid))["paddingValue"] == "");
}

TEST_CASE("layouts: sizes, both windows, one address") {
  const LayoutView view = MakeLayoutView("f32[3,5]{1,0:T(2,2)}");
  const Json info = ParseJson(LayoutJson(view));
  CHECK(info["ok"] == true);
  CHECK(info["physicalDims"] == Json({2, 3, 2, 2}));
  CHECK(info["physicalBytes"] == 96);
  CHECK(info["logicalBytes"] == 60);
  CHECK(info["sizes"].get<std::string>().find("36B") != std::string::npos);
  const auto offsets =
      LogicalWindow(view, {.origin = {0, 0}, .row_dim = 0, .col_dim = 1, .rows = 4, .cols = 6});
  REQUIRE(offsets.size() == 24);
  CHECK(offsets[2 * 6 + 3] == 17);
  CHECK(offsets[5] == -1);
  CHECK(offsets[23] == -1);
  const auto indices = LinearWindow(view, 17, 2);
  CHECK(indices[0] == 2);
  CHECK(indices[1] == 3);
  // Samples: every second row and third column, every fifth slot; nothing outside.
  const auto samples = LogicalSamples(
      view, {.origin = {0, 0}, .row_dim = 0, .col_dim = 1, .rows = 3, .cols = 3}, 2, 3);
  REQUIRE(samples.size() == 9);
  CHECK(samples[0] == 0);
  CHECK(samples[3 + 1] == 17);
  CHECK(samples[2] == -1);
  CHECK(samples[6] == -1);
  const auto fifths = LinearWindow(view, 2, 6, 5);
  REQUIRE(fifths.size() == 12);
  CHECK(fifths[3 * 2] == 2);
  CHECK(fifths[3 * 2 + 1] == 3);
  CHECK(fifths[5 * 2] == -1);
  const Json address = ParseJson(AddressJson(MakeAddressView(view, {2, 3})));
  CHECK(address["offset"] == 17);
  CHECK(address["byteOffset"] == 68);
  CHECK(address["tileIndex"] == Json({1, 1}));
  CHECK(address["withinTile"] == Json({0, 1}));
  CHECK(!MakeAddressView(view, {3, 0}).ok);
  CHECK(!MakeAddressView(view, {1}).ok);
  const LayoutView huge = MakeLayoutView("f32[1000000,1000000]{1,0:T(8,128)}");
  CHECK(LogicalWindow(
            huge, {.origin = {999990, 999990}, .row_dim = 0, .col_dim = 1, .rows = 8, .cols = 8})
            .size() == 64);
  for (const char* bad : {"", "f32[3,5]{1,1}", "(f32[2])", "f32[2]{0:T(0)}", "\xff"}) {
    const LayoutView refused = MakeLayoutView(bad);
    CHECK(ParseJson(LayoutJson(refused))["ok"] == false);
    CHECK(refused.diagnostics.has_errors());
    CHECK(LogicalWindow(refused, {}).empty());
    CHECK(LinearWindow(refused, 0, 10).empty());
    CHECK(!MakeAddressView(refused, {0}).ok);
  }
}

TEST_CASE("index texts") {
  Dims index;
  CHECK(ParseIndex("2,3", &index));
  CHECK(index == Dims{2, 3});
  CHECK(ParseIndex(" { 12 , 0 } ", &index));
  CHECK(index == Dims{12, 0});
  CHECK(ParseIndex("", &index));
  CHECK(index.empty());
  CHECK(ParseIndex("-1,2", &index));
  CHECK(index == Dims{-1, 2});
  const AddressView address = MakeAddressView(MakeLayoutView("f32[3,5]"), {-1, 2});
  CHECK(!address.ok);
  CHECK(address.problem.find("it is 2") != std::string::npos);
  for (const char* bad : {"x", "1,", "1 2", "-", "--1", "1,,2", "99999999999999999999", "1.5"}) {
    CHECK(!ParseIndex(bad, &index));
  }
}

TEST_CASE("the op table is whole") {
  const Json ops = ParseJson(OpsJson());
  CHECK(ops.size() == static_cast<size_t>(kOpcodeCount));
  for (const Json& op : ops) {
    CHECK(op["doc"] != "");
    CHECK(op["source"] != "");
  }
}

}  // namespace
}  // namespace hlo
