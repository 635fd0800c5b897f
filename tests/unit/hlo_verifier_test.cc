// The verifier: written against inferred shapes, options, and rules about more than one
// instruction.
#include <fmt/format.h>

#include "tests/unit/program_cases.h"

namespace hlo {
namespace {

constexpr VerifierOptions kLayouts{.layout_sensitive = true};
constexpr VerifierOptions kOnePrecision{.allow_mixed_precision = false};
constexpr VerifierOptions kStrict{.strict = true};

TEST_CASE("several faults in one pass") {
  Diagnostics diagnostics =
      Diagnose(Entry("x = f32[2] parameter(0)  y = f32[3] parameter(1)\n"
                     "a = f32[2] add(x, y)\n"
                     "b = f32[2] transpose(x), dimensions={1}\n"
                     "ROOT t = (f32[9], f32[2]) tuple(a, b)"));
  CHECK(diagnostics.error_count() == 3);
}

TEST_CASE("the shape that is offered keeps the layout that was written, where it can have it") {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"f32[3,5]{0,1:T(2,2)}", "f32[3,4]{0,1:T(2,2)}"},
      {"bf16[3,4]{1,0:T(8,128)(2,1)}", "f32[3,4]{1,0:T(8,128)(2,1)}"},
      {"s32[3,5]{1,0}", "f32[3,4]"},
      {"s32[3]{0:S(5)}", "f32[3,4]"},
  };
  for (const auto& row : rows) {
    const Diagnostics diagnostics =
        Diagnose(Entry(fmt::format("x = f32[3,4] parameter(0)\nROOT n = {} sine(x)", row.first)),
                 kOnePrecision);
    REQUIRE(diagnostics.error_count() == 1);
    CHECK(diagnostics.list()[0].fixes[0].replacement == row.second);
  }
}

TEST_CASE("mixed precision") {
  std::string text = Entry(
      "x = f32[2] parameter(0)  y = bf16[2] parameter(1)\n"
      "ROOT a = f32[2] add(x, y)");
  CheckAccepted(text);
  CheckRefused(text, "Seen floating point types of different precisions", "add", kOnePrecision);
  std::string narrow = Entry("x = f32[2] parameter(0)\nROOT a = bf16[2] add(x, x)");
  CheckAccepted(narrow);
  CheckRefused(narrow, "shape equal to f32[2], actual shape is bf16[2]", "bf16[2]", kOnePrecision);
  CheckRefused(Entry("x = f32[2] parameter(0)\nROOT t = (bf16[2]) tuple(x)"),
               "shape equal to (f32[2]), actual shape is (bf16[2])");
}

TEST_CASE("layouts") {
  std::string text = Entry("x = f32[2,3]{0,1} parameter(0)\nROOT n = f32[2,3]{1,0} negate(x)");
  CheckAccepted(text);
  CheckRefused(text, "Instruction shouldn't change layouts", "negate", kLayouts);
  std::string tuple = Entry("x = f32[2,3]{0,1} parameter(0)\nROOT t = (f32[2,3]{1,0}) tuple(x)");
  CheckAccepted(tuple);
  CheckRefused(tuple, "shape equal to (f32[2,3]{0,1}), actual shape is (f32[2,3]{1,0})", {},
               kLayouts);
  CheckAccepted(Entry("x = f32[2,3]{0,1} parameter(0)\nROOT c = f32[2,3]{1,0} copy(x)"), kLayouts);
}

TEST_CASE("rules that XLA checks on request are warnings") {
  std::string text = Entry(
      "x = f32[2,3] parameter(0)\n"
      "ROOT b = f32[3,2] broadcast(x), dimensions={1,0}");
  CheckAccepted(text);
  CHECK(Diagnose(text).list().size() == 1);
  CheckRefused(text, "Broadcast dimensions should be ordered", "{1,0}", kStrict);
  CheckRefused(Entry("ROOT x = f32[?] parameter(0)"), "Unbounded dynamism is disabled", "f32[?]",
               kStrict);
}

TEST_CASE("reductions among devices whose order matters are warned of") {
  const auto warnings = [](std::string_view op) {
    const std::string text =
        fmt::format(
            "f {{ a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT r = f32[] {}(a, b) }}\n",
            op) +
        Entry(
            "x = f32[2] parameter(0)  ROOT s = f32[2] all-reduce(x), replica_groups={}, "
            "to_apply=f");
    CheckAccepted(text);
    return Diagnose(text).list();
  };
  REQUIRE(warnings("subtract").size() == 1);
  CHECK(warnings("subtract")[0].message ==
        "s: devices are combined in any order, but the result of subtract depends on it");
  CHECK(warnings("divide").size() == 1);
  CHECK(warnings("add").empty());
  CHECK(warnings("maximum").empty());
}

TEST_CASE("asynchronous chains") {
  std::string wrapped = "f { a = f32[2] parameter(0)  ROOT n = f32[2] negate(a) }\n";
  std::string start =
      "x = f32[2] parameter(0)\n"
      "s = ((f32[2]), f32[2], u32[]) async-start(x), calls=f\n";
  CheckAccepted(wrapped + Entry(start + "ROOT d = f32[2] async-done(s)"));
  CheckAccepted(wrapped + Entry(start + "u = ((f32[2]), f32[2], u32[]) async-update(s)\n"
                                        "ROOT d = f32[2] async-done(u)"));
  CheckRefused(wrapped + Entry(start + "ROOT r = f32[2] negate(x)"),
               "Async start s has no matching async done", "async-start");
  CheckRefused(wrapped + Entry(start + "d = f32[2] async-done(s)  e = f32[2] async-done(s)\n"
                                       "ROOT r = f32[2] add(d, e)"),
               "is matched by multiple async done instructions: d and e", "async-start");
  CheckRefused(wrapped + Entry(start + "ROOT d = f32[3] async-done(s)"),
               "expects its shape to match the async computation result shape", "async-done");
  CheckRefused(wrapped + Entry("x = f32[3] parameter(0)\n"
                               "s = ((f32[2]), f32[2], u32[]) async-start(x), calls=f\n"
                               "ROOT d = f32[2] async-done(s)"),
               "expects the shape of operand 0 to match the async shape at index {0, 0}");
  CheckRefused(wrapped + Entry("x = f32[2] parameter(0)\n"
                               "s = ((f32[2]), f32[3], u32[]) async-start(x), calls=f\n"
                               "ROOT d = f32[2] async-done(s)"),
               "expects the async shape at index {1} to be a tuple with shapes that match");
  CheckRefused("g { a = f32[2] parameter(0)  n = f32[2] negate(a)  ROOT m = f32[2] negate(n) }\n" +
                   Entry("x = f32[2] parameter(0)\n"
                         "s = ((f32[2]), f32[2], u32[]) async-start(x), calls=g\n"
                         "ROOT d = f32[2] async-done(s)"),
               "expected to contain only the root and parameter instructions", "negate", kStrict);
}

TEST_CASE("starts and dones") {
  std::string start = "x = f32[2] parameter(0)\ns = f32[2] all-reduce-start(x), to_apply=add\n";
  CheckAccepted(Entry(start + "ROOT d = f32[2] all-reduce-done(s)"));
  CheckRefused(Entry(start + "d = f32[2] all-reduce-done(s)  e = f32[2] all-reduce-done(s)\n"
                             "ROOT r = f32[2] add(d, e)"),
               "all-reduce-start instruction requires one consumer, found 2", "all-reduce-start");
  CheckRefused(Entry("x = f32[2] parameter(0)\nROOT d = f32[2] all-reduce-done(x)"),
               "needs to be all-reduce-start, found parameter", "all-reduce-done");
}

TEST_CASE("host channels") {
  std::string text =
      "t = token[] after-all()  x = f32[] parameter(0)  y = f32[2] parameter(1)\n"
      "s = (f32[], u32[], token[]) send(x, t), channel_id=1, is_host_transfer=true\n"
      "d = token[] send-done(s), channel_id=1, is_host_transfer=true\n"
      "r = (f32[2], u32[], token[]) send(y, d), channel_id=1, is_host_transfer=true\n"
      "ROOT e = token[] send-done(r), channel_id=1, is_host_transfer=true";
  CheckRefused(Entry(text), "that use the same channel must be identical", "send");
}

TEST_CASE("buffers") {
  std::string pin =
      "x = f32[2] parameter(0)\n"
      "b = b(f32[2]) custom-call(x), custom_call_target=\"Pin\", "
      "output_to_operand_aliasing={{}: (0, {})}\n";
  std::string alias = "output_to_operand_aliasing={{}: (0, {})}";
  CheckAccepted(
      Entry(pin + "ROOT u = f32[2] custom-call(b), custom_call_target=\"Unpin\", " + alias));
  CheckRefused(Entry(pin + "ROOT u = f32[2] custom-call(b), custom_call_target=\"Unpin\""),
               "must have one output-to-operand aliasing");
  CheckRefused(Entry(pin + "ROOT u = f32[2] custom-call(b), custom_call_target=\"read\""),
               "buffer is used in operands but not in results");
  CheckRefused(Entry(pin + "c = b(f32[2]) custom-call(b), custom_call_target=\"f\", " + alias +
                     "\nd = b(f32[2]) custom-call(b), custom_call_target=\"f\", " + alias +
                     "\nROOT u = f32[2] custom-call(c), custom_call_target=\"Unpin\", " + alias),
               "more than one writers", "custom-call");
  CheckRefused(Entry("ROOT x = b(f32[2]) parameter(0)"), "buffers aren't allowed in this context",
               "parameter");
}

TEST_CASE("threads") {
  const std::string other = "f { ROOT a = f32[] parameter(0) }, execution_thread=\"other\"\n";
  const std::string says =
      "expects parent computation thread name same as called computation's thread name";
  // Of calls XLA asks it only on request.
  const std::string call = other + Entry(
                                       "x = f32[] parameter(0)\n"
                                       "ROOT c = f32[] call(x), to_apply=f");
  CheckAccepted(call);
  CheckRefused(call, "c.5 to_apply computation execution thread does not match (other vs main)",
               "f", kStrict);
  CheckRefused(other + Entry("x = f32[] parameter(0)\n"
                             "ROOT c = f32[] fusion(x), kind=kLoop, calls=f"),
               says, "f");
}

TEST_CASE("shardings of a loop") {
  CheckRefused(
      "cond { a = s32[] parameter(0), sharding={replicated}\n"
      "  ROOT c = pred[] compare(a, a), direction=LT }\n"
      "body { a = s32[] parameter(0), sharding={maximal device=0}\n"
      "  ROOT c = s32[] add(a, a) }\n" +
          Entry("x = s32[] parameter(0)\nROOT w = s32[] while(x), condition=cond, body=body"),
      "Inconsistent while sharding among instructions");
}

TEST_CASE("header") {
  CheckRefused("HloModule m, entry_computation_layout={(f32[3])->f32[3]}\n" +
                   Entry("x = f32[2] parameter(0)\nROOT n = f32[2] negate(x)"),
               "Shape of the entry computation parameter 0 is f32[2] should be compatible to the "
               "one specified in module's entry computation layout f32[3]",
               "{(f32[3])->f32[3]}");
  CheckRefused(
      "HloModule m, input_output_alias={{}: (0, {}, must-alias)}, "
      "entry_computation_layout={(f32[2]{0:S(5)})->f32[2]{0}}\n" +
          Entry("x = f32[2] parameter(0)\nROOT n = f32[2] negate(x)"),
      "Shape and memory space of the result", {}, kLayouts);
}

TEST_CASE("hostile sizes end in diagnostics") {
  CheckRefused(Entry("x = f32[1000000,1000000] parameter(0)\n"
                     "ROOT d = f32[] dot(x, x), lhs_contracting_dims={}, rhs_contracting_dims={}"),
               "more elements than 64 bits count");
}

// A schedule of sends and receives: "s3,0" sends from 3 to 0, "r0,1" receives.
std::string Transfers(std::initializer_list<std::string_view> moves) {
  std::string text = "x = f32[] parameter(0)  t = token[] after-all()\n";
  int n = 0;
  for (std::string_view move : moves) {
    const bool send = move[0] == 's';
    const std::string word = send ? "send" : "recv", name = word + std::to_string(n++);
    text += name + " = (f32[], u32[], token[]) " + word + (send ? "(x, t)" : "(t)") +
            ", channel_id=1, frontend_attributes={_xla_send_recv_source_target_pairs=\"{{" +
            std::string(move.substr(1)) + "}}\"}\n" + name +
            (send ? "-done = token[] send-done(" : "-done = (f32[], token[]) recv-done(") + name +
            "), channel_id=1\n";
  }
  return "HloModule m, is_scheduled=true\n" + Entry(text + "ROOT r = f32[] negate(x)");
}

TEST_CASE("scheduled sends and receives meet one another") {
  for (std::string text :
       {Transfers({"s0,1", "r0,1", "r1,0", "s1,0"}), Transfers({"r0,1},{1,2", "s0,1},{1,2"})}) {
    CheckAccepted(text, kStrict);
  }
  CheckRefused(Transfers({"r3,0", "r0,1"}), "Expected send to match recv", "recv", kStrict);
  CheckRefused(Transfers({"s3,0", "s0,1"}), "Expected recv to match send", "send", kStrict);
  CheckRefused(Transfers({"s0,1"}), "send0: Expected recv to match send", "send", kStrict);
  CheckRefused(Transfers({"s0,1},{2,1", "r0,1},{2,1"}),
               "send0: Expected send and recv instructions to have unique source and target pairs",
               "send", kStrict);
  CheckRefused(Transfers({"s0,1},{1,0", "r0,1},{1,0"}),
               "Expected send and recv instructions to have non-cyclical source-target pairs, but "
               "found send0",
               "send", kStrict);
  CheckRefused(Transfers({"s0,1},{1,2", "r2,0"}),
               "Deadlock detected. Last checked instructions: send0, recv1.", "send", kStrict);
  // XLA asks only on request, and only of schedules.
  CheckAccepted(Transfers({"r3,0", "r0,1"}));
  std::string unscheduled = Transfers({"r3,0", "r0,1"});
  unscheduled.erase(0, unscheduled.find('\n') + 1);
  CheckAccepted(unscheduled, kStrict);
}

TEST_CASE("a started call may leave arguments and the result to what comes later") {
  const std::string add =
      "f { a = f32[2] parameter(0)  b = f32[2] parameter(1)  ROOT s = f32[2] add(a, b) }\n";
  CheckAccepted(add + Entry("x = f32[2] parameter(0)\n"
                            "s = ((f32[2]), (), s32[]) call-start(x), to_apply=f\n"
                            "t = (((f32[2]), (), s32[])) tuple(s)\n"
                            "g = ((f32[2]), (), s32[]) get-tuple-element(t), index=0\n"
                            "u = ((f32[2], f32[2]), f32[2], s32[]) call-update(g, x)\n"
                            "ROOT d = f32[2] call-done(u)"));
  CheckRefused(add + Entry("x = f32[3] parameter(0)\n"
                           "s = ((f32[3]), (), s32[]) call-start(x), to_apply=f\n"
                           "t = (((f32[3]), (), s32[])) tuple(s)\n"
                           "g = ((f32[3]), (), s32[]) get-tuple-element(t), index=0\n"
                           "u = ((f32[3], f32[2]), f32[2], s32[]) call-update(g, x)\n"
                           "ROOT d = f32[2] call-done(u)"),
               "Operand 0 shape does not match parameter's 0 of f in call.async: f32[3] and f32[2]",
               "f");
}

TEST_CASE("operands of aliases are counted from 0; several gathered arrays are a tuple") {
  CheckRefused(Entry("x = f32[2] parameter(0)\nROOT c = f32[2] custom-call(x), "
                     "custom_call_target=\"t\", output_to_operand_aliasing={{}: (-1, {})}"),
               "Negative operand number", "-1");
  CheckRefused(Entry("x = f32[2] parameter(0)\nROOT g = f32[2] all-gather(x, x), dimensions={0}, "
                     "replica_groups={{0,1}}"),
               "the result of 2 operands is a tuple of 2, not f32[2]", "all-gather");
}

}  // namespace
}  // namespace hlo
