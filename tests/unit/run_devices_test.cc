// Many devices: meetings against a plain loop, deadlocks and what is said of them, results per
// device, and the views of a run.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/run/executor.h"
#include "engine/run/random.h"
#include "engine/views/json.h"
#include "engine/views/session.h"
#include "tests/unit/program_cases.h"

namespace hlo {
namespace {

RunOptions Devices(int64_t replicas, int64_t partitions) {
  RunOptions options;
  options.replicas = replicas;
  options.partitions = partitions;
  return options;
}

// The result of every device as numbers; fails the test when the run does.
std::vector<std::vector<int32_t>> RunAll(const std::string& text, const RunOptions& options,
                                         const std::vector<std::vector<int32_t>>& inputs) {
  auto module = Parse(text);
  Budget budget;
  Executor executor(*module, options, &budget, nullptr);
  std::vector<std::vector<Value>> args;
  for (const std::vector<int32_t>& input : inputs) {
    const int64_t dims[] = {static_cast<int64_t>(input.size())};
    Tensor tensor(ElementType::kS32, dims, &budget);
    std::copy(input.begin(), input.end(), tensor.mutable_data<int32_t>());
    args.push_back({Value(std::move(tensor))});
  }
  executor.StartDevices(std::move(args));
  executor.Run();
  if (executor.status() != Executor::Status::kDone) FAIL(executor.failure().message);
  std::vector<std::vector<int32_t>> results;
  for (const Value& value : executor.results()) {
    const int32_t* data = value.tensor().data<int32_t>();
    results.emplace_back(data, data + value.tensor().element_count());
  }
  return results;
}

std::string GroupsText(const std::vector<std::vector<int64_t>>& groups) {
  std::string text;
  for (const auto& group : groups) {
    text += fmt::format("{}{{{}}}", text.empty() ? "" : ",", fmt::join(group, ","));
  }
  return "{" + text + "}";
}

// In this form the verifier does not warn of the order.
constexpr char kSubtract[] =
    "f { a = s32[] parameter(0)  b = s32[] parameter(1)  n = s32[] negate(b)\n"
    "  ROOT s = s32[] add(a, n) }\n";

TEST_CASE("collectives over random groups are what a plain loop gives") {
  Random random(7);
  for (int round = 0; round < 40; ++round) {
    const size_t count = 1 + random.Next() % 6;
    const size_t size = 1 + random.Next() % 3;  // of a block
    std::vector<int64_t> order;
    for (size_t d = 0; d < count; ++d) order.push_back(static_cast<int64_t>(d));
    for (size_t d = count; d > 1; --d) std::swap(order[d - 1], order[random.Next() % d]);
    // Two groups of one size where that is possible, else one.
    std::vector<std::vector<int64_t>> groups = {order};
    if (count % 2 == 0) {
      const auto half = order.begin() + static_cast<std::ptrdiff_t>(count / 2);
      groups = {{order.begin(), half}, {half, order.end()}};
    }
    const size_t members = groups[0].size();
    std::vector<std::vector<int32_t>> inputs(count);
    for (auto& input : inputs) {
      for (size_t i = 0; i < members * size; ++i) {
        input.push_back(static_cast<int32_t>(random.Next() % 1000));
      }
    }
    const std::string shape = fmt::format("s32[{}]", members * size);
    const std::string block = fmt::format("s32[{}]", size);
    const std::string whole = fmt::format("s32[{}]", members * members * size);
    auto program = [&](const std::string& result, const std::string& op, const std::string& attrs) {
      return fmt::format(
          "{}ENTRY e {{ x = {} parameter(0)  ROOT r = {} {}(x), replica_groups={}{} }}\n",
          kSubtract, shape, result, op, GroupsText(groups), attrs);
    };
    const RunOptions options = Devices(static_cast<int64_t>(count), 1);
    const auto reduced = RunAll(program(shape, "all-reduce", ", to_apply=f"), options, inputs);
    const auto scattered =
        RunAll(program(block, "reduce-scatter", ", dimensions={0}, to_apply=f"), options, inputs);
    const auto gathered = RunAll(program(whole, "all-gather", ", dimensions={0}"), options, inputs);
    const auto exchanged =
        RunAll(program(shape, "all-to-all", ", dimensions={0}"), options, inputs);
    for (const auto& group : groups) {
      std::vector<int32_t> fold = inputs[static_cast<size_t>(group[0])];
      std::vector<int32_t> all = fold;
      for (size_t rank = 1; rank < group.size(); ++rank) {
        const auto& next = inputs[static_cast<size_t>(group[rank])];
        for (size_t i = 0; i < fold.size(); ++i) fold[i] -= next[i];
        all.insert(all.end(), next.begin(), next.end());
      }
      for (size_t rank = 0; rank < group.size(); ++rank) {
        const size_t device = static_cast<size_t>(group[rank]);
        const auto at = static_cast<std::ptrdiff_t>(rank * size);
        const auto end = at + static_cast<std::ptrdiff_t>(size);
        std::vector<int32_t> blocks;
        for (int64_t sender : group) {
          const auto& given = inputs[static_cast<size_t>(sender)];
          blocks.insert(blocks.end(), given.begin() + at, given.begin() + end);
        }
        CHECK(reduced[device] == fold);
        CHECK(gathered[device] == all);
        CHECK(exchanged[device] == blocks);
        CHECK(scattered[device] == std::vector<int32_t>(fold.begin() + at, fold.begin() + end));
      }
    }
  }
}

TEST_CASE("an operand that is used again keeps its value, however many devices share it") {
  const auto results = RunAll(
      "f { a = s32[] parameter(0)  b = s32[] parameter(1)  ROOT s = s32[] add(a, b) }\n"
      "ENTRY e { x = s32[2] parameter(0)  r = s32[2] all-reduce(x), replica_groups={}, to_apply=f\n"
      "  q = s32[2] all-reduce(r), replica_groups={}, to_apply=f  ROOT s = s32[2] subtract(q, x) "
      "}\n",
      Devices(3, 1), {{1, 2}, {1, 2}, {1, 2}});
  for (const auto& result : results) CHECK(result == std::vector<int32_t>{8, 16});
}

// Runs to a failure.
RunFailure FailureOf(const std::string& text, const RunOptions& options) {
  auto module = Parse(text);
  Budget budget;
  Executor executor(*module, options, &budget, nullptr);
  executor.Start({});
  executor.Run();
  REQUIRE(executor.status() == Executor::Status::kFailed);
  RunFailure failure = executor.failure();
  failure.stack.clear();  // they die with the module
  for (auto& waiting : failure.waiting) waiting.at = nullptr;
  return failure;
}

constexpr char kMissing[] =
    "f { a = s32[] parameter(0)  b = s32[] parameter(1)  ROOT s = s32[] add(a, b) }\n"
    "one { x = s32[] parameter(0)  ROOT r = s32[] all-reduce(x), replica_groups={}, to_apply=f }\n"
    "two { x = s32[] parameter(0)  ROOT q = s32[] all-reduce(x), replica_groups={}, to_apply=f }\n"
    "none { ROOT x = s32[] parameter(0) }\n"
    "ENTRY e { id = u32[] replica-id()  i = s32[] convert(id)  c = s32[] constant(1)\n"
    "  ROOT r0 = s32[] conditional(i, c, c, c), branch_computations={one, two, none} }\n";

TEST_CASE("a deadlock names every waiting device, where it waits, and who is missing") {
  const RunFailure failure = FailureOf(kMissing, Devices(3, 1));
  CHECK(failure.code == DiagCode::kDeadlock);
  CHECK(failure.device == "device 0 (replica 0, partition 0)");
  CHECK(failure.message == "2 of 3 devices wait for one another, or for one that has ended");
  REQUIRE(failure.waiting.size() == 2);
  CHECK(failure.waiting[0].message ==
        "device 0 (replica 0, partition 0) waits in r (all-reduce) for meeting 1 of devices "
        "{0,1,2}; missing: device 1 (waits in q), device 2 (has ended)");
  CHECK(failure.waiting[1].message ==
        "device 1 (replica 1, partition 0) waits in q (all-reduce) for meeting 1 of devices "
        "{0,1,2}; missing: device 0 (waits in r), device 2 (has ended)");
}

TEST_CASE("channels that wait in a circle") {
  const RunFailure failure = FailureOf(
      "ENTRY e { x = f32[] constant(1)  t = token[] after-all()\n"
      "  v = (f32[], u32[], token[]) recv(t), channel_id=4, "
      "frontend_attributes={_xla_send_recv_source_target_pairs={{0,1},{1,0}}}\n"
      "  d = (f32[], token[]) recv-done(v), channel_id=4\n"
      "  a = token[] get-tuple-element(d), index=1\n"
      "  s = (f32[], u32[], token[]) send(x, a), channel_id=4, "
      "frontend_attributes={_xla_send_recv_source_target_pairs={{0,1},{1,0}}}\n"
      "  ROOT z = token[] send-done(s), channel_id=4 }\n",
      Devices(1, 2));
  CHECK(failure.code == DiagCode::kDeadlock);
  REQUIRE(failure.waiting.size() == 2);
  CHECK(failure.waiting[1].message ==
        "device 1 (replica 0, partition 1) waits in d (recv-done) for a message of device 0 on "
        "channel 4; missing: device 0 (waits in d)");
}

TEST_CASE("a run can be started again after a deadlock, and on any number of devices") {
  auto module = Parse(kMissing);
  Budget budget;
  Executor executor(*module, Devices(3, 1), &budget, nullptr);
  for (int i = 0; i < 2; ++i) {
    CHECK(executor.Start({}) == Executor::Status::kRunning);
    CHECK(executor.Run() == Executor::Status::kFailed);
    CHECK(executor.failure().waiting.size() == 2);
  }
  Executor alone(*module, Devices(1, 1), &budget, nullptr);
  alone.Start({});
  CHECK(alone.Run() == Executor::Status::kDone);
  Executor many(*module, Devices(1024, 2), &budget, nullptr);
  CHECK(many.Start({}) == Executor::Status::kFailed);
  CHECK(many.failure().code == DiagCode::kNotExecutable);
}

TEST_CASE("a thousand devices meet") {
  auto module = Parse(
      "f { a = u32[] parameter(0)  b = u32[] parameter(1)  ROOT s = u32[] add(a, b) }\n"
      "ENTRY e { id = u32[] replica-id()\n"
      "  ROOT r = u32[] all-reduce(id), replica_groups={}, to_apply=f }\n");
  Budget budget;
  Executor executor(*module, Devices(1000, 1), &budget, nullptr);
  executor.Start({});
  REQUIRE(executor.Run() == Executor::Status::kDone);
  CHECK(*executor.results()[999].tensor().data<uint32_t>() == 499500);
}

TEST_CASE("the trace says which device executed an instruction") {
  auto module = Parse("ENTRY e { a = u32[] replica-id()  ROOT b = u32[] add(a, a) }");
  Budget budget;
  Trace trace;
  Executor executor(*module, Devices(2, 1), &budget, &trace);
  executor.Start({});
  executor.Run();
  std::vector<int64_t> devices;
  for (const TraceEntry* entry : trace.Entries()) devices.push_back(entry->device);
  CHECK(devices == std::vector<int64_t>{0, 0, 1, 1});
}

TEST_CASE("the JSON of a run has every device's values, and references reach them") {
  Session session;
  const std::string text =
      "HloModule m, replica_count=2\nENTRY e { x = s32[2] parameter(0)\n"
      "  t = token[] after-all()  o = token[] outfeed(x, t)\n"
      "  ROOT y = s32[2] negate(x) }\n";
  const auto run = ParseJson(session.Run(
      text, R"({"inputs":["{1,2}"],"deviceInputs":[{"replica":1,"parameter":0,"value":"{3,4}"}]})",
      {}));
  REQUIRE(run["ok"] == true);
  CHECK(run["output"]["preview"] == "{-1, -2}");
  REQUIRE(run["devices"].size() == 2);
  CHECK(run["devices"][1]["replica"] == 1);
  CHECK(run["devices"][1]["output"]["preview"] == "{-3, -4}");
  CHECK(run["devices"][1]["inputs"][0]["preview"] == "{3, 4}");
  CHECK(run["hostOutputs"][1]["device"] == 1);
  CHECK(run["trace"][0]["device"] == 0);
  auto text_of = [&](const std::string& entry) {
    return session.ValueText(
        fmt::format(R"({{"handle":{},"entry":"{}","path":[]}})", run["handle"].get<int>(), entry),
        10);
  };
  CHECK(text_of("output") == "{-1, -2}");
  CHECK(text_of("output@1") == "{-3, -4}");
  CHECK(text_of("input:0@1") == "{3, 4}");
  CHECK(text_of("host:1") == "{3, 4}");
  CHECK(text_of("output@2").empty());
  CHECK(text_of("host:2").empty());
  CHECK(text_of("output@x").empty());
}

TEST_CASE("the JSON of a run on one device has no more fields than before") {
  Session session;
  const auto run = ParseJson(session.Run("ENTRY e { ROOT r = u32[] replica-id() }", "{}", {}));
  CHECK(run.count("devices") == 0);
  CHECK(run.count("hostOutputs") == 0);
  CHECK(run["trace"][0].count("device") == 0);
}

}  // namespace
}  // namespace hlo
