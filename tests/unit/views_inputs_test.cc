// Inputs by themselves: their faults while they are typed, and their elements.
#include <string>

#include "doctest/doctest.h"
#include "engine/views/json.h"
#include "engine/views/session.h"

namespace hlo {
namespace {

const std::string kTwoInputs =
    "ENTRY e { x = f32[2,3] parameter(0)  y = f32[2,3] parameter(1)  ROOT z = f32[2,3] add(x, y) }";

TEST_CASE("faults of an input, with their places in UTF-16") {
  Session session;
  CHECK(session.InputFaults(kTwoInputs, 1, "sin(i0)") == "[]");
  const Json faults = ParseJson(session.InputFaults(kTwoInputs, 1, "1 + sn(i0)"));
  REQUIRE(faults.size() == 1);
  CHECK(faults[0]["range"] == Json::array({4, 6}));
  CHECK(session.InputFaults(kTwoInputs, 2, "sn(i0)") == "[]");
  CHECK(session.InputFaults("no program", 0, "sn(i0)") == "[]");
}

TEST_CASE("an input that is made has a window, and nothing else of a run has") {
  Session session;
  const std::string options = R"({"inputs": ["", "iota with [1,2] = -1"]})";
  const Json made = ParseJson(session.MakeInput(kTwoInputs, options, 1, {}));
  const int handle = made["handle"].get<int>();
  REQUIRE(handle > 0);
  const auto ref = [&](const char* entry) {
    return JsonText(ObjectJson({{"handle", handle}, {"entry", entry}}));
  };
  const std::string row = R"({"origin": [1, 0], "colDim": 1, "cols": 9})";
  CHECK(ParseJson(session.ValueWindow(ref("input:1"), row).json)["text"] ==
        Json::array({"3", "4", "-1"}));
  CHECK(session.ValueArray(ref("input:0")) == nullptr);
  CHECK(session.ValueArray(ref("output")) == nullptr);
  // The same numbers as in a run: they depend on the parameter.
  const Json random = ParseJson(session.MakeInput(kTwoInputs, "{}", 1, {}));
  const Json run = ParseJson(session.Run(kTwoInputs, "{}", {}));
  auto text = [&](int of, const char* entry) {
    return session.ValueText(JsonText(ObjectJson({{"handle", of}, {"entry", entry}})), 10);
  };
  CHECK(text(random["handle"].get<int>(), "input:1") == text(run["handle"].get<int>(), "input:1"));

  const Json failed =
      ParseJson(session.MakeInput(kTwoInputs, R"j({"inputs": ["sn(i0)"]})j", 0, {}));
  CHECK(failed["handle"] == 0);
  CHECK(failed["diagnostics"][0]["message"].get<std::string>().find("sn") != std::string::npos);
  CHECK(ParseJson(session.MakeInput(kTwoInputs, "{}", 7, {}))["handle"] == 0);
}

}  // namespace
}  // namespace hlo
