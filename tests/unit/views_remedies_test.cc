// engine/views: what helps against the faults of a run, and what runs make up.
#include <algorithm>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/views/json.h"
#include "engine/views/session.h"

namespace hlo {
namespace {

Json RunOf(const std::string& text, const Json& options = Json::object()) {
  Session session;
  return ParseJson(session.Run(text, options.dump(), {}));
}

std::vector<std::string> KindsOf(const Json& result) {
  std::vector<std::string> kinds;
  if (!result.contains("remedies")) return kinds;
  for (const Json& remedy : result["remedies"]) kinds.push_back(remedy["kind"]);
  return kinds;
}

using Kinds = std::vector<std::string>;

TEST_CASE("remedies: elided constants are filled") {
  const std::string text = "ENTRY e { c = f32[4] constant({...}) ROOT n = f32[4] negate(c) }";
  const Json refused = RunOf(text);
  CHECK_FALSE(refused["ok"]);
  REQUIRE(!KindsOf(refused).empty());
  CHECK(KindsOf(refused)[0] == "fill");
  const Json filled = RunOf(text, {{"fillElided", "random"}});
  CHECK(filled["ok"]);
  CHECK(filled["filled"]["count"] == 1);
  CHECK(filled["filled"]["shown"][0] == "c");
  CHECK(KindsOf(filled).empty());
}

TEST_CASE("remedies: inputs beyond the limit are said once, with the largest of them") {
  const std::string text = R"(HloModule m
ENTRY e {
  a = f32[4096,4096] parameter(0)
  b = f32[1024,4096] parameter(1)
  ROOT d = f32[1024,4096] dot(b, a), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)";
  const Json result = RunOf(text, {{"memoryLimit", 32 << 20}});
  CHECK_FALSE(result["ok"]);
  REQUIRE(result["diagnostics"].size() == 1);
  const std::string message = result["diagnostics"][0]["message"];
  CHECK(message.find("80 MiB for its inputs alone; the limit is 32 MiB") != std::string::npos);
  CHECK(message.find("a f32[4096,4096] (64 MiB)") != std::string::npos);
  CHECK(KindsOf(result) == Kinds{"memory", "shrink"});
  CHECK(result["remedies"][0]["bytes"].get<int64_t>() >= (96 << 20));
}

TEST_CASE("remedies: more devices where groups name them") {
  const std::string text = R"(HloModule m
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
ENTRY e {
  x = f32[4] parameter(0)
  ROOT r = f32[4] all-reduce(x), replica_groups={{0,1},{2,3}}, to_apply=add
}
)";
  const Json result = RunOf(text);
  REQUIRE(!KindsOf(result).empty());
  CHECK(result["remedies"][0] == Json({{"kind", "devices"}, {"replicas", 4}, {"partitions", 1}}));
  CHECK(RunOf(text, {{"replicas", 4}, {"partitions", 1}})["ok"]);
}

TEST_CASE("remedies: one device only where the program's groups name no other") {
  const auto text = [](const char* groups) {
    return std::string(R"(HloModule m, replica_count=4
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }
ENTRY e {
  x = f32[4096,4096] parameter(0)
  ROOT r = f32[4096,4096] all-reduce(x), replica_groups={)") +
           groups + "}, to_apply=add\n}\n";
  };
  const Json limit = {{"memoryLimit", 32 << 20}};
  CHECK(KindsOf(RunOf(text("{0,1},{2,3}"), limit)) == Kinds{"memory", "shrink"});
  CHECK(KindsOf(RunOf(text(""), limit)) == Kinds{"memory", "devices", "shrink"});
}

TEST_CASE("remedies: none of more devices than there can be") {
  for (const char* attributes :
       {"replica_groups={{9223372036854775807}}",
        "replica_groups={{9223372036854775807}}, channel_id=1, use_global_device_ids=true"}) {
    CAPTURE(attributes);
    const std::string text =
        std::string(
            "HloModule m, num_partitions=2\n"
            "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }\n"
            "ENTRY e {\n  x = f32[4] parameter(0)\n  ROOT r = f32[4] all-reduce(x), ") +
        attributes + ", to_apply=add\n}\n";
    const Json result = RunOf(text);
    CHECK(!result["ok"].get<bool>());
    for (const std::string& kind : KindsOf(result)) CHECK(kind != "devices");
  }
}

TEST_CASE("stand-ins: unknown custom calls, infeed, and what no device sends") {
  const char* const texts[] = {
      R"(ENTRY e { x = f32[4] parameter(0)
         ROOT c = f32[4] custom-call(x), custom_call_target="nobody.knows" })",
      R"(ENTRY e { t = token[] after-all()
         ROOT i = (s32[3], token[]) infeed(t) })",
      R"(ENTRY e { t = token[] after-all()
         r = (f32[2], u32[], token[]) recv(t), channel_id=1
         ROOT d = (f32[2], token[]) recv-done(r), channel_id=1 })",
      R"(ENTRY e { x = f32[2] parameter(0) t = token[] after-all()
         s = (f32[2], u32[], token[]) send(x, t), channel_id=2
         ROOT d = token[] send-done(s), channel_id=2 })",
  };
  for (const std::string text : texts) {
    CAPTURE(text);
    const Json refused = RunOf(text);
    CHECK_FALSE(refused["ok"]);
    REQUIRE(!KindsOf(refused).empty());
    CHECK(KindsOf(refused).back() == "standIns");
    const Json made_up = RunOf(text, {{"standIns", "random"}});
    CHECK(made_up["ok"]);
    CHECK(made_up["output"] == RunOf(text, {{"standIns", "random"}})["output"]);
  }
}

TEST_CASE("stand-ins: what devices would give that the run does not have") {
  const char* const collectives[] = {
      "ROOT r = f32[8] all-gather(x), replica_groups={{0,1},{2,3}}, dimensions={0}",
      "ROOT r = f32[4] all-reduce(x), replica_groups=[1,4000]<=[4000], to_apply=add",
      "ROOT r = f32[2] reduce-scatter(x), replica_groups={{0,1}}, dimensions={0}, to_apply=add",
      "ROOT r = f32[4] all-to-all(x), replica_groups={{0,1}}, dimensions={0}",
      "ROOT r = f32[4] collective-permute(x), source_target_pairs={{0,1},{1,0}}",
      ("s = (f32[4], f32[8]) all-gather-start(x), replica_groups={{0,1}}, dimensions={0}\n"
       "ROOT r = f32[8] all-gather-done(s)"),
  };
  for (const std::string collective : collectives) {
    CAPTURE(collective);
    const std::string text =
        "HloModule m\n"
        "add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT c = f32[] add(a, b) }\n"
        "ENTRY e {\n  x = f32[4] parameter(0)\n  " +
        collective + "\n}\n";
    const Json refused = RunOf(text);
    CHECK_FALSE(refused["ok"]);
    CHECK(KindsOf(refused).back() == "standIns");
    const Json made_up = RunOf(text, {{"standIns", "random"}});
    CHECK(made_up["ok"]);
    CHECK(made_up["madeUp"]["count"] == 1);

    // What is made up comes from nothing, and is no exchange of the run's devices.
    Session session;
    const Json devices = ParseJson(session.Devices(text, R"({"standIns": "random"})", {}));
    REQUIRE_MESSAGE(devices.contains("exchanges"), devices.dump());
    CHECK(devices["exchanges"].empty());
    for (const bool reach : {false, true}) {
      const Json options = {{"standIns", "random"},
                            {"element", {{"name", reach ? "x" : "r"}, {"index", {0}}}},
                            {"reach", reach}};
      const Json why = ParseJson(session.Why(text, options.dump(), {}));
      REQUIRE_MESSAGE(why["rows"].is_array(), why.dump());
      CHECK(why["problem"] == "");
      if (!reach) CHECK(why["rows"].back()["sources"].empty());
      if (reach) CHECK(why["reach"]["results"][0]["parts"].empty());
    }
  }
}

TEST_CASE("remedies: no devices for which there can be no memory") {
  const Json result = RunOf(R"(HloModule m
ENTRY e {
  x = f32[16,1048576] parameter(0)
  ROOT r = f32[16,1048576] collective-permute(x), source_target_pairs={{0,100}}
}
)");
  CHECK(KindsOf(result) == Kinds{"standIns"});
}

TEST_CASE("default inputs: integers are within the bounds of what they are used for") {
  const Json result = RunOf(R"(HloModule m
ENTRY e {
  table = f32[100000,8] parameter(0)
  ids = s32[64,1] parameter(1)
  size = s32[] parameter(2)
  rows = f32[64,8] gather(table, ids), offset_dims={1}, collapsed_slice_dims={0},
    start_index_map={0}, index_vector_dim=1, slice_sizes={1,8}
  ROOT some = f32[<=64,8] set-dimension-size(rows, size), dimensions={0}
}
)");
  CHECK(result["ok"]);
  const std::string ids = result["inputs"][1]["preview"];
  // Of 64 numbers below 100,000 nearly all have five digits.
  size_t longest = 0, run = 0;
  for (char c : ids) longest = std::max(longest, run = c >= '0' && c <= '9' ? run + 1 : 0);
  CHECK(longest == 5);
}

TEST_CASE("default inputs: uses are followed through loops, tuples, calls and other places") {
  const Json result = RunOf(R"(HloModule m
body {
  p = (s32[], f32[1000]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  v = f32[1000] get-tuple-element(p), index=1
  s = f32[1] dynamic-slice(v, i), dynamic_slice_sizes={1}
  ROOT t = (s32[], f32[1000]) tuple(i, v)
}
cond {
  p = (s32[], f32[1000]) parameter(0)
  ROOT no = pred[] constant(false)
}
ENTRY e {
  at = s32[] parameter(0)
  v = f32[1000] parameter(1)
  start = (s32[], f32[1000]) tuple(at, v)
  ROOT loop = (s32[], f32[1000]) while(start), condition=cond, body=body
}
)",
                            {{"seed", 3}});
  CHECK(result["ok"]);
  CHECK(std::stoi(result["inputs"][0]["preview"].get<std::string>()) > 9);
}

}  // namespace
}  // namespace hlo
