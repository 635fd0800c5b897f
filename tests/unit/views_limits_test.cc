// Short texts that ask for a great deal: every question about them is answered, at once or with
// what was used up, and no answer is much longer than the text deserves.
#include <fmt/format.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "doctest/doctest.h"
#include "engine/base/budget.h"
#include "engine/base/work_limit.h"
#include "engine/cli/command.h"
#include "engine/views/check_view.h"
#include "engine/views/document.h"
#include "engine/views/json.h"
#include "engine/views/session.h"
#include "tests/unit/sanitizers.h"

namespace hlo {
namespace {

// How often something is repeated that costs as much each time: what the sanitizers look for, or
// what differs in 32 bits, shows itself in a tenth, and they are slow.
constexpr int Often(int count) { return kIsSlow ? count / 10 : count; }
// Doublings that are allowed, and come to about 10^5 parts or, where it is slow, 10^2.
constexpr int kDoublings = kIsSlow ? 7 : 17;
// Devices that are written out one by one, though the text is short.
constexpr int kDevices = kIsSlow ? 10'000 : 1'000'000;

std::string Lines(int count, const std::function<std::string(int)>& line) {
  std::string text;
  for (int i = 0; i < count; ++i) text += line(i) + "\n";
  return text;
}

// t1 = tuple(t0, t0), t2 = tuple(t1, t1), ...
std::string Doubled(int levels) {
  return "ENTRY e {\n t0 = f32[] constant(1)\n" +
         Lines(levels, [](int i) { return fmt::format(" t{0} = tuple(t{1}, t{1})", i + 1, i); }) +
         fmt::format(" ROOT r = tuple(t{})\n}}\n", levels);
}

std::string Nested(int levels) {
  return "ENTRY e {\n t0 = f32[] constant(1)\n" +
         Lines(levels, [](int i) { return fmt::format(" t{} = tuple(t{})", i + 1, i); }) +
         fmt::format(" ROOT r = tuple(t{})\n}}\n", levels);
}

std::string WideTuples(int width, int levels) {
  std::string text = "ENTRY e {\n t0 = f32[] constant(1)\n";
  for (int i = 0; i < levels; ++i) {
    text += fmt::format(" t{} = tuple(", i + 1);
    for (int k = 0; k < width; ++k) text += fmt::format("{}t{}", k > 0 ? "," : "", i);
    text += ")\n";
  }
  return text + fmt::format(" ROOT r = tuple(t{})\n}}\n", levels);
}

// A large tuple that many instructions use.
std::string Used(int levels, int uses, char name = 'x') {
  return "ENTRY e {\n t0 = f32[] constant(1)\n" +
         Lines(levels, [](int i) { return fmt::format(" t{0} = tuple(t{1}, t{1})", i + 1, i); }) +
         Lines(uses,
               [&](int i) { return fmt::format(" {}{} = opt-barrier(t{})", name, i, levels); }) +
         " ROOT r = f32[] constant(2)\n}\n";
}

// f1 calls f0 twice, f2 calls f1 twice, ...
std::string CallTree(int levels) {
  return "f0 { p = f32[] parameter(0)  ROOT r = f32[] add(p, p) }\n" +
         Lines(levels,
               [](int i) {
                 return fmt::format(
                     "f{1} {{ p = f32[] parameter(0)  a = f32[] call(p), to_apply=f{0}  ROOT r = "
                     "f32[] "
                     "call(a), to_apply=f{0} }}",
                     i, i + 1);
               }) +
         fmt::format("ENTRY e {{ p = f32[] parameter(0)  ROOT r = f32[] call(p), to_apply=f{} }}\n",
                     levels);
}

std::string Aliases(int count) {
  return "!a0 = tensor<f32>\n" +
         Lines(count, [](int i) { return fmt::format("!a{0} = tuple<!a{1}, !a{1}>", i + 1, i); }) +
         fmt::format("func.func @main(%a: !a{0}) -> !a{0} {{ return %a : !a{0} }}\n", count);
}

std::string FunctionTree(int levels) {
  return "func.func @f0(%a: tensor<f32>) -> tensor<f32> { return %a : tensor<f32> }\n" +
         Lines(levels,
               [](int i) {
                 return fmt::format(
                     "func.func @f{1}(%a: tensor<f32>) -> tensor<f32> {{ %0 = call @f{0}(%a) : "
                     "(tensor<f32>) -> tensor<f32> %1 = call @f{0}(%0) : (tensor<f32>) -> "
                     "tensor<f32> return %1 : tensor<f32> }}",
                     i, i + 1);
               }) +
         fmt::format(
             "func.func @main(%a: tensor<f32>) -> tensor<f32> {{ %0 = call @f{}(%a) : "
             "(tensor<f32>) -> tensor<f32> return %0 : tensor<f32> }}\n",
             levels);
}

// Groups of replicas across a million partitions: 10^9 devices.
std::string GroupAcrossPartitions() {
  return "module @m attributes {mhlo.num_partitions = 1000000 : i32} {\n"
         "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n"
         "%0 = \"stablehlo.all_reduce\"(%a) <{"
         "channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, "
         "replica_groups = dense<[[" +
         Lines(1000, [](int i) { return fmt::format("{}{}", i, i < 999 ? "," : ""); }) +
         "]]> : tensor<1x1000xi64>}> ({\n"
         "^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
         "%s = stablehlo.add %x, %y : tensor<f32>\nstablehlo.return %s : tensor<f32>\n"
         "}) : (tensor<f32>) -> tensor<f32>\nreturn %0 : tensor<f32>\n}\n}\n";
}

// Groups that are short in HLO and long in StableHLO.
std::string ManyGroups() {
  return "a { x = f32[] parameter(0)  y = f32[] parameter(1)  ROOT s = f32[] add(x, y) }\n"
         "ENTRY e { p = f32[] parameter(0)\n" +
         Lines(Often(3000),
               [](int i) {
                 return fmt::format(
                     "r{0} = f32[] all-reduce(p), replica_groups=[{1},1]<=[{1}], to_apply=a", i,
                     kDevices);
               }) +
         "}";
}

const std::string kLongName(1 << 20, 'n');

std::vector<std::string> Texts() {
  return {
      Doubled(kDoublings),
      Doubled(30),
      Doubled(Often(100'000)),
      Nested(kIsSlow ? 100 : 400),
      Nested(Often(100'000)),
      WideTuples(kIsSlow ? 100 : 700, 2),
      WideTuples(1000, 4),
      Used(kDoublings, Often(20'000)),
      Used(kDoublings, Often(20'000), 'u'),  // some are names of types
      CallTree(60),
      CallTree(500),
      Aliases(kDoublings),
      Aliases(30),
      Aliases(5000),
      FunctionTree(60),
      FunctionTree(150),
      GroupAcrossPartitions(),
      "ENTRY e { c = s8[] constant(1) ROOT a = s8[1000000000000,0] broadcast(c), dimensions={} }",
      "ENTRY e { ROOT c = s8[1000000000,0] constant({}) }",
      "ENTRY e { ROOT p = f32[" + Lines(999, [](int) { return std::string("1,"); }) +
          "1] parameter(0) }",
      "ENTRY e { ROOT p = f32[9223372036854775807,0] parameter(0) }",
      "ENTRY e { ROOT p = f32[4611686018427387904] parameter(0) }",
      "ENTRY e { ROOT p = f32[-1] parameter(0) }",
      "ENTRY e { ROOT p = f32[] parameter(9223372036854775807) }",
      "ENTRY e { ROOT p = f32[] parameter(1000000000) }",
      "ENTRY e {" +
          Lines(Often(30'000),
                [](int i) {
                  return fmt::format("p{} = f32[] parameter({})", i, Often(30'000) - 1 - i);
                }) +
          "}",
      // The same name in every message.
      "ENTRY e { " + kLongName + " = f32[2] parameter(0)\n" +
          Lines(Often(2000),
                [](int i) {
                  return fmt::format("a{} = f32[3] negate({})", i, kLongName.substr(0, 100'000));
                }) +
          "}",
      "ENTRY e { " + kLongName + " = f32[2] parameter(0)  ROOT r = f32[3] negate(" + kLongName +
          ") }",
      Lines(Often(100'000), [](int) { return std::string("?"); }),
      "ENTRY e {" +
          Lines(Often(50'000), [](int i) { return fmt::format("a{} = f32[2] add(b, c)", i); }) +
          "}",
      "HloModule m, replica_count=1000000, num_partitions=1000000\n" +
          std::string("ENTRY e { ROOT r = u32[] replica-id() }"),
      ManyGroups(),
      "ENTRY e { p = f32[] parameter(0)\n" +
          Lines(Often(3000),
                [](int i) {
                  return fmt::format(
                      "s{} = f32[1000000] broadcast(p), dimensions={{}}, "
                      "sharding={{devices=[1000000]<=[1000,1000]T(1,0)}}",
                      i);
                }) +
          "}",
      "ENTRY e {" +
          Lines(Often(3000),
                [](int i) { return fmt::format("c{} = f32[4000000] constant({{...}})", i); }) +
          "}",
      "ENTRY e {" +
          Lines(Often(3000),
                [](int i) { return fmt::format("c{} = f32[1000000] constant(1)", i); }) +
          "}",
      Lines(Often(200),
            [](int i) {
              return fmt::format(
                  "func.func @f{}() -> tensor<268435456xf32> {{ %0 = stablehlo.constant "
                  "dense<1.0> : tensor<268435456xf32> return %0 : tensor<268435456xf32> }}",
                  i);
            }),
      // A program that does not end, with much to show.
      "b { s = (s32[], f32[100]) parameter(0)  i = s32[] get-tuple-element(s), index=0  x = "
      "f32[100] "
      "get-tuple-element(s), index=1  y = f32[100] add(x, x)  ROOT t = tuple(i, y) }\n"
      "c { s = (s32[], f32[100]) parameter(0)  ROOT t = pred[] constant(true) }\n"
      "ENTRY e { i = s32[] constant(0)  z = f32[] constant(0)  x = f32[100] broadcast(z), "
      "dimensions={}  s = tuple(i, x)  ROOT w = while(s), condition=c, body=b }",
  };
}

TEST_CASE("limits: a text that cannot be printed is not put together first") {
  const Json answer = Json::parse(Session().Convert(ManyGroups(), "{}").json);
  REQUIRE(answer["diagnostics"].size() == 1);
  CHECK(answer["diagnostics"][0]["code"] == "memory-exceeded");
}

void CheckAnswer(const std::string& question, const std::string& answer, size_t text) {
  CAPTURE(question);
  CHECK(answer.size() < (32 << 20) + 20 * text);
}

TEST_CASE("limits: whatever a text asks for, every question about it is answered") {
  for (const std::string& text : Texts()) {
    CAPTURE(text.substr(0, 300));
    Session session;
    const std::string checked = session.Check(text);
    CheckAnswer("Check", checked, text.size());
    const Json check = Json::parse(checked);
    CHECK(check["diagnostics"].size() <= Diagnostics::kMaxKept);
    CheckAnswer("Outline", session.Outline(text), text.size());
    CheckAnswer("Format", session.Format(text), text.size());
    CheckAnswer("Convert", session.Convert(text, "{}").json, text.size());
    CheckAnswer("ProgramMemory", session.ProgramMemory(text), text.size());
    CheckAnswer("MemoryReport", session.MemoryReport(text), text.size());
    CheckAnswer("Place", session.Place(text, static_cast<uint32_t>(text.size() / 2)), text.size());
    CheckAnswer("Complete", session.Complete(text, static_cast<uint32_t>(text.size() / 2)),
                text.size());
    const std::string options = fmt::format(R"({{"timeLimit": {}, "memoryLimit": {}}})",
                                            kIsSlow ? 0.1 : 0.3, Often(100'000'000));
    const std::string ran = session.Run(text, options, {});
    CheckAnswer("Run", ran, text.size());
    const Json run = Json::parse(ran);
    CHECK(run["ok"].get<bool>() != !run["diagnostics"].empty());
    const std::string ref =
        fmt::format(R"({{"handle": {}, "entry": "output"}})", run["handle"].get<int>());
    CheckAnswer("ValueText", session.ValueText(ref, 1000), text.size());
    CheckAnswer("ValueStats", session.ValueStats(ref), text.size());
    CheckAnswer("ValueWindow", session.ValueWindow(ref, "{}").json, text.size());
    CheckAnswer("PythonScript", session.PythonScript(text, options, {}), text.size());
  }
}

TEST_CASE("limits: a type of too many parts is refused where it is made") {
  auto first = [](const std::string& text) {
    const Document document(text);
    return document.diagnostics().empty() ? std::string()
                                          : document.diagnostics().list()[0].message;
  };
  CHECK(first(Doubled(17)) == "");
  CHECK(first(Doubled(30)) ==
        "tuple: a tuple type of 1048575 parts, counting each as often as it occurs; a type has at "
        "most 1000000");
  CHECK(first(Nested(600)) == "tuple: tuples nested deeper than 500 levels");
  CHECK(first(Aliases(17)) == "");
  CHECK(first(Aliases(30)).find("a tuple type of 1048575 parts") != std::string::npos);
}

TEST_CASE("limits: work on a text stops when its time or its bytes are used up") {
  const std::string text = Doubled(17);
  const Document document(text);
  REQUIRE(document.ok());
  {
    const WorkLimit limit({.seconds = 0, .bytes = 1 << 30});
    const Document late(Used(17, 2000));
    REQUIRE(late.diagnostics().has_errors());
    CHECK(late.diagnostics().list()[0].code == DiagCode::kTimeExceeded);
    CHECK(late.module() == nullptr);
  }
  {
    const WorkLimit limit({.seconds = 10, .bytes = 100});
    // Of limits inside one another the outer one counts.
    const Document small("ENTRY e { ROOT p = f32[] parameter(0) }");
    REQUIRE(small.diagnostics().has_errors());
    CHECK(small.diagnostics().list()[0].code == DiagCode::kMemoryExceeded);
    CHECK(small.diagnostics().list()[0].message ==
          "stopped after 100 bytes, the most that is made of a text of this length");
  }
  CHECK(Document(text).ok());
}

TEST_CASE("limits: the command says what stopped it") {
  const CommandResult result = RunCommand({"print", "tests/data/limits/no such file"});
  CHECK(result.status == 2);
}

}  // namespace
}  // namespace hlo
