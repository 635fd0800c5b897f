// What is told of the devices of a run: their exchanges, and how each stands.
#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "engine/views/json.h"
#include "engine/views/session.h"

namespace hlo {
namespace {

using DeviceAnswer = Json;

const std::string kDevicesAdd =
    "add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = f32[] add(a, b) }\n";

DeviceAnswer DevicesOf(const std::string& text, const std::string& options = "{}") {
  Session session;
  return DeviceAnswer::parse(session.Devices(text, options, {}));
}

DeviceAnswer FlowsFrom(const DeviceAnswer& exchange, int from) {
  DeviceAnswer flows = DeviceAnswer::array();
  for (const DeviceAnswer& flow : exchange["flows"]) {
    if (flow["from"] == from) flows.push_back({flow["to"], flow["given"], flow["got"]});
  }
  return flows;
}

TEST_CASE("devices: an all-to-all moves piece t of each device to device t") {
  const DeviceAnswer answer = DevicesOf(
      "HloModule m, replica_count=2\nENTRY e { i = u32[] replica-id()  x = u32[2] broadcast(i), "
      "dimensions={}  z = u32[2] iota(), iota_dimension=0  t = u32[] constant(10)  u = u32[2] "
      "broadcast(t), dimensions={}  v = u32[2] multiply(x, u)  w = u32[2] add(v, z)  ROOT a = "
      "u32[2] all-to-all(w), replica_groups={{0,1}}, dimensions={0} }");
  CHECK(answer["ok"] == true);
  CHECK(answer["replicas"] == 2);
  REQUIRE(answer["exchanges"].size() == 1);
  const DeviceAnswer& one = answer["exchanges"][0];
  CHECK(one["shown"] == "a");
  CHECK(one["members"] == DeviceAnswer({0, 1}));
  CHECK(one["parts"][1]["given"] == DeviceAnswer({"{10, 11}"}));
  CHECK(one["parts"][1]["got"] == "{1, 11}");
  CHECK(FlowsFrom(one, 1) == DeviceAnswer({{0, 0, 1}, {1, 1, 1}}));
  // The first to come waits for the other one, which holds what it has made so far.
  REQUIRE(one["grid"].size() == 2);
  CHECK(one["grid"][0]["waits"]["missing"] == DeviceAnswer({1}));
  CHECK(one["grid"][1]["at"]["name"] == "a");
  CHECK(one["grid"][1]["bytes"] > 0);
  CHECK(answer["end"][0]["at"] == nullptr);
}

TEST_CASE("devices: pairs, gathers and sums say whose data goes where") {
  const DeviceAnswer answer =
      DevicesOf("HloModule m, replica_count=3\n" + kDevicesAdd +
                "ENTRY e { x = f32[3] parameter(0)  p = f32[3] collective-permute(x), "
                "source_target_pairs={{0,1},{1,2}}  g = f32[9] all-gather(p), dimensions={0}, "
                "replica_groups={{0,1,2}}  ROOT s = f32[3] reduce-scatter(g), dimensions={0}, "
                "replica_groups={{0,1,2}}, to_apply=add }");
  REQUIRE(answer["exchanges"].size() == 3);
  CHECK(FlowsFrom(answer["exchanges"][0], 1) == DeviceAnswer::parse("[[2,-1,-1]]"));
  CHECK(FlowsFrom(answer["exchanges"][1], 2) ==
        DeviceAnswer::parse("[[0,-1,2],[1,-1,2],[2,-1,2]]"));
  CHECK(FlowsFrom(answer["exchanges"][2], 0) ==
        DeviceAnswer::parse("[[0,0,-1],[1,1,-1],[2,2,-1]]"));
  CHECK(answer["exchanges"][2]["combines"] == true);
}

TEST_CASE("devices: a message goes from its sender to its receiver") {
  const DeviceAnswer answer = DevicesOf(
      "HloModule m, num_partitions=2\nENTRY e { x = f32[2] constant({3, 4})  t = token[] "
      "after-all()  s = (f32[2], u32[], token[]) send(x, t), channel_id=1, "
      "frontend_attributes={_xla_send_recv_source_target_pairs=\"{{0,1}}\"}  r = (f32[2], u32[], "
      "token[]) recv(t), channel_id=1, "
      "frontend_attributes={_xla_send_recv_source_target_pairs=\"{{0,1}}\"}  sd = token[] "
      "send-done(s), channel_id=1  rd = (f32[2], token[]) recv-done(r), channel_id=1  ROOT g = "
      "f32[2] get-tuple-element(rd), index=0 }");
  INFO(answer.dump());
  REQUIRE(answer["exchanges"].size() == 1);
  CHECK(answer["exchanges"][0]["members"] == DeviceAnswer({0, 1}));
  CHECK(answer["exchanges"][0]["parts"][0]["given"] == DeviceAnswer({"{3, 4}"}));
  CHECK(FlowsFrom(answer["exchanges"][0], 0) == DeviceAnswer::parse("[[1,-1,-1]]"));
}

TEST_CASE("devices: at a deadlock, the one who waits, and for whom") {
  const DeviceAnswer answer = DevicesOf(
      "HloModule m, replica_count=2\n" + kDevicesAdd +
      "t { x = f32[2] parameter(0)  ROOT r = f32[2] all-reduce(x), replica_groups={{0,1}}, "
      "to_apply=add }\nf { x = f32[2] parameter(0)  ROOT n = f32[2] negate(x) }\nENTRY e { x = "
      "f32[2] parameter(0)  r = u32[] replica-id()  z = u32[] constant(0)  c = pred[] compare(r, "
      "z), direction=EQ  ROOT k = f32[2] conditional(c, x, x), true_computation=t, "
      "false_computation=f }");
  CHECK(answer["ok"] == false);
  CHECK(answer["exchanges"].empty());
  CHECK(answer["end"][0]["waits"]["missing"] == DeviceAnswer({1}));
  CHECK(answer["end"][0]["at"]["name"] == "r");
  CHECK(answer["end"][1]["at"] == nullptr);
}

TEST_CASE("devices: a broadcast goes from the first of the group, or from the root it is given") {
  const std::string head = "HloModule m, replica_count=4\nENTRY e { x = f32[2] parameter(0)  ";
  const DeviceAnswer first =
      DevicesOf(head + "ROOT b = f32[2] collective-broadcast(x), replica_groups={{2,0},{3,1}} }");
  REQUIRE(first["exchanges"].size() == 2);
  for (const DeviceAnswer& exchange : first["exchanges"]) {
    const int root = exchange["members"][0].get<int>();
    CHECK(exchange["pattern"]["root"] == root);
    CHECK(root >= 2);
    CHECK(exchange["flows"].size() == 2);
    CHECK(FlowsFrom(exchange, root).size() == 2);
  }
  const DeviceAnswer second =
      DevicesOf(head +
                "r = s32[1] constant({1})  ROOT b = f32[2] collective-broadcast(x, r), "
                "replica_groups={{2,0},{3,1}}, has_dynamic_root=true }");
  INFO(second.dump());
  REQUIRE(second["exchanges"].size() == 2);
  CHECK(second["exchanges"][0]["pattern"]["root"] == second["exchanges"][0]["members"][1]);
}

TEST_CASE("devices: what is reduced goes to the first of the group, or to the root it is given") {
  const std::string head =
      "HloModule m, replica_count=4\nadd { a = f32[] parameter(0)  b = f32[] parameter(1)  "
      "ROOT s = f32[] add(a, b) }\nENTRY e { x = f32[2] parameter(0)  ";
  const std::string tail = "replica_groups={{2,0},{3,1}}, to_apply=add";
  const DeviceAnswer first =
      DevicesOf(head + "ROOT b = f32[2] collective-reduce(x), " + tail + " }");
  REQUIRE(first["exchanges"].size() == 2);
  for (const DeviceAnswer& exchange : first["exchanges"]) {
    CHECK(exchange["combines"] == true);
    CHECK(exchange["pattern"]["root"] == nullptr);
    CHECK(exchange["pattern"]["sink"] == exchange["members"][0]);
    REQUIRE(exchange["flows"].size() == 2);
    for (const DeviceAnswer& flow : exchange["flows"]) CHECK(flow["to"] == exchange["members"][0]);
  }
  const DeviceAnswer second =
      DevicesOf(head + "r = s32[1] constant({1})  ROOT b = f32[2] collective-reduce(x, r), " +
                tail + ", has_dynamic_root=true }");
  REQUIRE(second["exchanges"].size() == 2);
  CHECK(second["exchanges"][0]["pattern"]["sink"] == second["exchanges"][0]["members"][1]);
}

TEST_CASE("devices: a ragged all-to-all moves rows, which numbers say") {
  const DeviceAnswer moved = DevicesOf(
      "HloModule m, replica_count=2\nENTRY e { x = f32[4] iota(), iota_dimension=0  z = f32[] "
      "constant(0)  o = f32[4] broadcast(z), dimensions={}  i = s32[2] constant({0, 2})  s = "
      "s32[2] "
      "constant({2, 2})  r = s32[] constant(2)  id = u32[] replica-id()  n = s32[] convert(id)  m "
      "= "
      "s32[] multiply(n, r)  t = s32[2] broadcast(m), dimensions={}  ROOT g = f32[4] "
      "ragged-all-to-all(x, o, i, s, t, s), replica_groups={{0,1}} }");
  INFO(moved.dump());
  REQUIRE(moved["exchanges"].size() == 1);
  const DeviceAnswer& one = moved["exchanges"][0];
  CHECK(one["pattern"] == nullptr);
  CHECK(one["rows"] == DeviceAnswer({{"given", 4}, {"got", 4}}));
  REQUIRE(one["flows"].size() == 4);
  CHECK(one["flows"][2]["from"] == 1);
  CHECK(one["flows"][2]["to"] == 0);
  CHECK(one["flows"][2]["givenRows"] == DeviceAnswer({0, 2}));
  CHECK(one["flows"][2]["gotRows"] == DeviceAnswer({2, 4}));
}

TEST_CASE("devices: how each stands at any step, and what one holds") {
  Session session;
  const std::string text =
      "HloModule m, replica_count=2\n" + kDevicesAdd +
      "ENTRY e { x = f32[2] constant({1, 2})  y = f32[2] negate(x)  s = f32[2] all-reduce(y), "
      "replica_groups={{0,1}}, to_apply=add  ROOT z = f32[2] add(s, x) }";
  const auto at = [&](int64_t position, int64_t device) {
    return DeviceAnswer::parse(session.DevicesAt(text, "{}", position, device, {}));
  };
  const DeviceAnswer begin = at(0, 0);
  CHECK(begin["held"].empty());
  CHECK(begin["states"].size() == 2);
  CHECK(begin["states"][0]["values"] == 0);
  const DeviceAnswer whole = DeviceAnswer::parse(session.Devices(text, "{}", {}));
  const DeviceAnswer before = at(whole["exchanges"][0]["position"].get<int64_t>(), 1);
  CHECK(before["states"] == whole["exchanges"][0]["grid"]);
  bool holds_x = false;
  for (const DeviceAnswer& held : before["held"]) holds_x |= held["text"] == "{1, 2}";
  CHECK(holds_x);
  CHECK(at(1 << 30, 9)["position"] == begin["length"]);
  CHECK(session.DevicesAt("HloModule", "{}", 0, 0, {}) == "null");
}

TEST_CASE("devices: flows of many members are a pattern") {
  const DeviceAnswer answer =
      DevicesOf("HloModule m, replica_count=64\n" + kDevicesAdd +
                "ENTRY e { x = f32[] constant(1)  ROOT s = f32[] all-reduce(x), to_apply=add }");
  REQUIRE(answer["exchanges"].size() == 1);
  CHECK(answer["exchanges"][0]["members"].size() == 64);
  CHECK(answer["exchanges"][0]["pattern"] ==
        DeviceAnswer({{"cuts", false}, {"joins", false}, {"root", nullptr}, {"sink", nullptr}}));
  CHECK(answer["exchanges"][0]["grid"].size() == 64);
}

TEST_CASE("devices: a text that cannot be run") {
  CHECK(DevicesOf("HloModule")["ok"] == false);
  CHECK(DevicesOf("ENTRY e { ROOT x = f32[] parameter(0) }", "[")["ok"] == true);
}

}  // namespace
}  // namespace hlo
