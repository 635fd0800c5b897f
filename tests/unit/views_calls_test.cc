// The engine as front ends bind it: a table of calls, JSON and buffers.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>

#include "engine/base/work_limit.h"
#include "engine/views/calls.h"
#include "engine/views/json.h"

namespace hlo {
namespace {

constexpr std::string_view kProgram = "ENTRY e { ROOT x = f32[2] parameter(0) }";

std::vector<std::byte> Bytes(std::string_view text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

Engine Full() { return Engine({{SmallCalls(), FullCalls()}, AllLanguages(), AllTargets()}); }
Engine Small() { return Engine({{SmallCalls()}, HloLanguages(), SmallTargets()}); }

Json AnswerOf(Engine& engine, std::string_view name, std::string_view json, std::string_view text) {
  const CallOut out = engine.Call(name, {json, {Bytes(text)}});
  CHECK(out.fault == "");
  return ParseJson(out.json);
}

TEST_CASE("calls: a text crosses as a string or as a buffer") {
  Engine engine = Full();
  const Json buffer = AnswerOf(engine, "check", R"([{"$buffer":0},[]])", kProgram);
  CHECK(buffer["ok"] == true);
  const std::string list = Json::array({kProgram, Json::array()}).dump();
  CHECK(AnswerOf(engine, "check", list, "") == buffer);
}

TEST_CASE("calls: numbers, texts and bytes of answers are buffers") {
  Engine engine = Full();
  const CallOut tokens = engine.Call("tokens", {R"([{"$buffer":0}])", {Bytes(kProgram)}});
  CHECK(tokens.json == R"({"$buffer":0})");
  CHECK(std::get<std::vector<uint32_t>>(tokens.buffers.at(0)).size() % 3 == 0);
  const CallOut window = engine.Call("linearWindow", {R"(["f32[2]{0}",0,2])", {}});
  CHECK(ParseJson(window.json) == ParseJson(R"({"begin":0,"count":2,"indices":{"$buffer":0}})"));
  CHECK(std::get<std::vector<double>>(window.buffers.at(0)) == std::vector<double>{0, 1});
  const CallOut version = engine.Call("version", {"[]", {}});
  CHECK(std::get<std::string>(version.buffers.at(0)) == EngineVersion());
}

TEST_CASE("calls: files are taken from their buffers") {
  Engine engine = Full();
  const CallOut out = engine.Call("run", {R"([{"$buffer":0},{"files":[{"parameter":0,
      "bytes":{"$buffer":1}}]}])",
                                          {Bytes(kProgram), Bytes("no such file")}});
  CHECK(out.fault == "");
  CHECK(ParseJson(out.json)["ok"] == false);
}

TEST_CASE("calls: what is asked wrongly is a fault, and nothing else happens") {
  Engine engine = Full();
  const auto fault = [&](std::string_view name, std::string_view json) {
    return engine.Call(name, {json, {}}).fault;
  };
  CHECK(fault("frobnicate", "[]") == "this build of the engine has no call 'frobnicate'");
  CHECK(fault("check", "[5]") == "check: argument 1 is not a text");
  CHECK(fault("check", R"([{"$buffer":0}])") == "check: argument 1 is not a text");
  CHECK(fault("check", R"([{"$buffer":-1}])") == "check: argument 1 is not a text");
  CHECK(fault("check", "[]") == "check: argument 1 is not a text");
  CHECK(fault("check", "") == "check: the arguments are not a list");
  CHECK(fault("run", R"(["",{"files":[{"bytes":7}]}])") == "run: a file is not a Uint8Array");
  CHECK(fault("release", "[null]") == "");
}

TEST_CASE("calls: a text that is open is named, and changed in UTF-16 code units") {
  Engine engine = Full();
  const auto call = [&](std::string_view name, std::string_view json) {
    const CallOut out = engine.Call(name, {json, {Bytes(kProgram)}});
    return out.fault.empty() ? out.json : out.fault;
  };
  const auto text = [&] {
    return std::get<std::string>(engine.Call("text", {R"([{"$document":7}])", {}}).buffers.at(0));
  };
  CHECK(call("check", R"([{"$document":7},[]])") == "check: no such document");
  CHECK(call("edit", R"([7,[]])") == "false");
  CHECK(call("open", R"([7,{"$buffer":0}])") == "null");
  CHECK(call("check", R"([{"$document":7},[]])") == call("check", R"([{"$buffer":0},[]])"));
  CHECK(call("edit", R"([7,[{"from":0,"to":0,"insert":"// \ud83d\ude00\n"},
                            {"from":6,"to":7,"insert":"main"}]])") == "true");
  CHECK(text() == "// \xf0\x9f\x98\x80\nENTRY main { ROOT x = f32[2] parameter(0) }");
  CHECK(call("edit", R"([7,[{"from":3,"to":5,"insert":"a"},{"from":12,"to":900,"insert":""}]])") ==
        "true");
  CHECK(text() == "// a\nENTRY ");
  CHECK(call("edit", R"([7,[{"from":900,"to":-5,"insert":"b"}]])") == "true");
  CHECK(text() == "// a\nENTRY b");
  CHECK(call("edit", R"([7,[7]])") == "edit: a change is {from, to, insert}");
  CHECK(call("close", "[7]") == "null");
  CHECK(call("tokens", R"([{"$document":7}])") == "tokens: no such document");
}

TEST_CASE("calls: no name is in the tables twice, and each build lists its own") {
  std::set<std::string_view> names;
  for (const CallRows rows : {SmallCalls(), FullCalls()}) {
    for (const CallRow& row : rows) CHECK_MESSAGE(names.insert(row.name).second, row.name);
  }
  Engine full = Full();
  Engine small = Small();
  CHECK(AnswerOf(full, "calls", "[]", "").size() == names.size());
  CHECK(AnswerOf(small, "calls", "[]", "").size() == SmallCalls().size());
}

TEST_CASE("calls: a build says of a language that it does not read that it does not") {
  Engine small = Small();
  constexpr std::string_view kMlir = "module {\n  func.func @main() { return }\n}";
  const Json check = AnswerOf(small, "check", R"([{"$buffer":0}])", kMlir);
  CHECK(check["kind"] == "mlir");
  CHECK(check["ok"] == false);
  CHECK(check["diagnostics"].size() == 1);
  Engine full = Full();
  CHECK(AnswerOf(full, "check", R"([{"$buffer":0}])", kMlir)["ok"] == true);
}

std::vector<std::byte> Floats(const std::vector<float>& numbers) {
  const auto* begin = reinterpret_cast<const std::byte*>(numbers.data());
  return {begin, begin + numbers.size() * sizeof(float)};
}

TEST_CASE("calls: a program is compiled once and executed on arrays") {
  Engine engine = Full();
  constexpr std::string_view kSum =
      "ENTRY e { p = (f32[2], f32[]) parameter(0)  x = f32[2] get-tuple-element(p), index=0\n"
      "  y = f32[] get-tuple-element(p), index=1  b = f32[2] broadcast(y), dimensions={}\n"
      "  s = f32[2] add(x, b)  ROOT t = (f32[2], f32[]) tuple(s, y) }";
  const Json compiled = AnswerOf(engine, "compileProgram", R"([{"$buffer":0},{}])", kSum);
  CHECK(compiled["ok"] == true);
  CHECK(compiled["parameters"].size() == 2);
  CHECK(compiled["results"][0]["data"] == "Float32Array");
  const std::string arrays =
      "[" + compiled["program"].dump() + R"(,[{"$buffer":0},{"$buffer":1}]])";
  for (float y : {10.f, 20.f}) {
    const CallOut out = engine.Call("executeProgram", {arrays, {Floats({1, 2}), Floats({y})}});
    REQUIRE(out.buffers.size() == 2);
    const auto& sum = std::get<std::vector<uint8_t>>(out.buffers[0]);
    const float* numbers = reinterpret_cast<const float*>(sum.data());
    CHECK(std::vector<float>(numbers, numbers + 2) == std::vector<float>{1 + y, 2 + y});
  }
  const CallOut wrong = engine.Call("executeProgram", {arrays, {Floats({1}), Floats({2})}});
  CAPTURE(wrong.json);
  CHECK(wrong.json.find("array 0 of the parameters, f32[2], needs 8 bytes, but 4 are given") !=
        std::string::npos);
  CHECK(engine.Call("executeProgram", {R"([77,[]])", {}}).fault == "no such program");
}

TEST_CASE("calls: what does not compile says why") {
  Engine engine = Full();
  const Json compiled = AnswerOf(engine, "compileProgram", R"([{"$buffer":0},{}])",
                                 "ENTRY e { ROOT x = f32[2] q() }");
  CHECK(compiled["ok"] == false);
  CHECK(compiled["program"] == 0);
  CHECK(compiled["diagnostics"].size() > 0);
}

TEST_CASE("calls about an open text take no time in proportion to the text") {
  constexpr size_t kLong = 1 << 20;
  const auto program = [](std::string_view name) {
    return fmt::format("ENTRY e {{ ROOT {} = f32[] parameter(0) }} // ", name) +
           std::string(kLong, '-');
  };
  constexpr std::string_view kOpen = R"([{"$document":1},{"begin":0,"count":1}])";
  constexpr std::string_view kGiven = R"([{"$buffer":0},{"begin":0,"count":1}])";
  Engine engine = Full();
  const auto outline = [&](std::string_view json, std::string_view text = "") {
    return AnswerOf(engine, "outline", json, text);
  };
  const auto root = [&] { return outline(kOpen)[0]["instructions"][0]["name"]; };
  engine.Call("open", {R"([1,{"$buffer":0}])", {Bytes(program("a"))}});
  CHECK(root() == "a");
  {
    // Ends what reads more than some thousands of words.
    const WorkLimit limit({.seconds = 0});
    CHECK(root() == "a");
    CHECK(outline(kGiven, program("a")).empty());
  }
  // Another text in the same place, of the same length: changed, opened again, compared with.
  CHECK(outline(kGiven, program("b"))[0]["instructions"][0]["name"] == "b");
  CHECK(root() == "a");
  engine.Call("edit", {R"([1,[{"from":15,"to":16,"insert":"c"}]])", {}});
  CHECK(root() == "c");
  engine.Call("close", {"[1]", {}});
  engine.Call("open", {R"([1,{"$buffer":0}])", {Bytes(program("d"))}});
  CHECK(root() == "d");
}

TEST_CASE("lists cross in windows") {
  CHECK(ListWindow{}.Within(7, 3) == std::pair<int64_t, int64_t>{0, 3});
  CHECK(ListWindow{8, 1}.Within(7, 3) == std::pair<int64_t, int64_t>{1, 2});
  CHECK(ListWindow{8, 100}.Within(7, 3) == std::pair<int64_t, int64_t>{1, 3});
  CHECK(ListWindow{2, 6}.Within(7, 3) == std::pair<int64_t, int64_t>{0, 1});
  CHECK(ListWindow{2, 5}.Within(7, 3) == std::pair<int64_t, int64_t>{0, 0});
  CHECK(ListWindow{20, 5}.Within(7, 3) == std::pair<int64_t, int64_t>{3, 3});

  std::string text = "f { ROOT a = f32[] parameter(0) }\nENTRY e {\n  v0 = f32[] parameter(0)\n";
  for (int i = 1; i < 2500; ++i) text += fmt::format("  v{} = f32[] negate(v{})\n", i, i - 1);
  text += "  ROOT r = f32[] call(v2499), to_apply=f }";
  Engine engine = Full();
  const Json whole = AnswerOf(engine, "outline", R"([{"$buffer":0}])", text);
  Json joined = Json::array();
  for (int begin = 0; begin < 3000; begin += 1000) {
    const std::string window = fmt::format(R"({{"begin":{},"count":1000}})", begin);
    const Json part = AnswerOf(engine, "outline", R"([{"$buffer":0},)" + window + "]", text);
    for (const Json& computation : part) {
      CHECK(computation["instructions"].size() <= 1000);
      const bool goes_on = !joined.empty() && joined.back()["name"] == computation["name"];
      if (!goes_on) {
        joined.push_back(computation);
        continue;
      }
      for (const Json& i : computation["instructions"]) joined.back()["instructions"].push_back(i);
    }
  }
  CHECK(joined == whole);

  const Json all = AnswerOf(engine, "run", R"([{"$buffer":0},{}])", text);
  const Json run = AnswerOf(engine, "run", R"([{"$buffer":0},{"traceWindow":1000}])", text);
  CHECK(run["traceCount"] == all["traceCount"]);
  Json trace = run["trace"];
  CHECK(trace.size() == 1000);
  while (trace.size() % 1000 == 0) {
    const CallOut more =
        engine.Call("trace", {fmt::format(R"([{{"handle":{}}},{{"begin":{},"count":1000}}])",
                                          run["handle"].dump(), trace.size()),
                              {}});
    for (const Json& entry : ParseJson(more.json)) trace.push_back(entry);
  }
  CHECK(trace == all["trace"]);
  CHECK(engine.Call("trace", {R"([{"handle":77},{"begin":0,"count":5}])", {}}).json == "[]");
}

}  // namespace
}  // namespace hlo
