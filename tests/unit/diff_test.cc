// engine/diff and its view: what became of a program's instructions in another program.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/base/rising.h"
#include "engine/diff/module_diff.h"
#include "engine/views/diff_view.h"
#include "engine/views/json.h"
#include "engine/views/session.h"

namespace hlo {
namespace {

DiffView ViewOf(const std::string& before, const std::string& after) {
  auto was = std::make_shared<const Document>(before);
  auto is = std::make_shared<const Document>(after);
  REQUIRE(was->ok());
  REQUIRE(is->ok());
  return MakeDiffView(was, is);
}

// "fused sine.1" for every change and kind, sorted.
std::vector<std::string> ChangesOf(const DiffView& view) {
  std::vector<std::string> all;
  for (const InstructionChange& change : view.diff.changes) {
    for (DiffKind kind : change.kinds) {
      const Instruction* one = change.after ? change.after : change.before;
      all.push_back(std::string(GetDiffKind(kind).word) + " " + std::string(one->name()));
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}
using Words = std::vector<std::string>;

std::string WithEntry(const std::string& lines) {
  return "HloModule m\nENTRY e {\n" + lines + "}\n";
}

constexpr char kTwoOps[] =
    "  p = f32[4]{0} parameter(0)\n"
    "  s = f32[4]{0} sine(p)\n"
    "  ROOT n = f32[4]{0} negate(s)\n";

TEST_CASE("diff: a program and itself, also under other names and in another order") {
  CHECK(ViewOf(WithEntry(kTwoOps), WithEntry(kTwoOps)).diff.changes.empty());
  const DiffView renamed =
      ViewOf(WithEntry(kTwoOps), WithEntry("  x.1 = f32[4]{0} parameter(0)\n"
                                           "  y = f32[4]{0} sine(x.1)\n"
                                           "  ROOT n = f32[4]{0} negate(y)\n"));
  CHECK(ChangesOf(renamed) == Words{"renamed x.1", "renamed y"});
  CHECK(renamed.diff.changes[0].what == "was %p");
  const DiffView moved = ViewOf(WithEntry("  p = f32[4]{0} parameter(0)\n"
                                          "  s = f32[4]{0} sine(p)\n"
                                          "  c = f32[4]{0} cosine(p)\n"
                                          "  ROOT a = f32[4]{0} add(s, c)\n"),
                                WithEntry("  p = f32[4]{0} parameter(0)\n"
                                          "  c = f32[4]{0} cosine(p)\n"
                                          "  s = f32[4]{0} sine(p)\n"
                                          "  ROOT a = f32[4]{0} add(s, c)\n"));
  CHECK(moved.diff.changes.empty());
}

TEST_CASE("diff: an order counts where programs are scheduled") {
  auto scheduled = [](const std::string& lines) {
    return "HloModule m, is_scheduled=true\nENTRY e {\n  p = f32[4]{0} parameter(0)\n" + lines +
           "  ROOT a = f32[4]{0} add(s, c)\n}\n";
  };
  const std::string sine = "  s = f32[4]{0} sine(p)\n";
  const std::string cosine = "  c = f32[4]{0} cosine(p)\n";
  const DiffView view = ViewOf(scheduled(sine + cosine), scheduled(cosine + sine));
  REQUIRE(view.diff.changes.size() == 1);
  CHECK(view.diff.changes[0].kinds == std::vector{DiffKind::kReordered});
}

constexpr char kFused[] =
    "HloModule m\n"
    "f {\n"
    "  a = f32[4]{0} parameter(0)\n"
    "  s.1 = f32[4]{0} sine(a)\n"
    "  ROOT n.1 = f32[4]{0} negate(s.1)\n"
    "}\n"
    "ENTRY e {\n"
    "  p = f32[4]{0} parameter(0)\n"
    "  ROOT fusion = f32[4]{0} fusion(p), kind=kLoop, calls=f\n"
    "}\n";

TEST_CASE("diff: fused, and taken out of a fusion") {
  const DiffView fused = ViewOf(WithEntry(kTwoOps), kFused);
  CHECK(ChangesOf(fused) == Words{"added fusion", "fused n.1", "fused s.1"});
  CHECK(fused.diff.after.fusions == 1);
  CHECK(fused.diff.before.fusions == 0);
  const DiffView back = ViewOf(kFused, WithEntry(kTwoOps));
  CHECK(ChangesOf(back) == Words{"removed fusion", "unfused n", "unfused s"});
}

TEST_CASE("diff: a call that was inlined") {
  const DiffView view = ViewOf(
      "HloModule m\nh {\n  x = f32[4]{0} parameter(0)\n  ROOT s = f32[4]{0} sine(x)\n}\n"
      "ENTRY e {\n  p = f32[4]{0} parameter(0)\n  c = f32[4]{0} call(p), to_apply=h\n"
      "  ROOT n = f32[4]{0} negate(c)\n}\n",
      WithEntry(kTwoOps));
  CHECK(ChangesOf(view) == Words{"inlined s", "removed c"});
}

TEST_CASE(
    "diff: why an instruction is gone: nothing used it, its user is gone, it was the result") {
  const DiffView view = ViewOf(WithEntry("  p = f32[4]{0} parameter(0)\n"
                                         "  unused = f32[4]{0} tanh(p)\n"
                                         "  a = f32[4]{0} log(p)\n"
                                         "  ROOT pair = (f32[4]{0}) tuple(a)\n"),
                               "HloModule m\ntwice {\n  q = f32[] parameter(0)\n"
                               "  ROOT sum = f32[] add(q, q)\n}\n"
                               "ENTRY e {\n  p = f32[4]{0} parameter(0)\n"
                               "  ROOT m = f32[4]{0} map(p), dimensions={0}, to_apply=twice\n}\n");
  std::vector<std::string> gone;
  for (const InstructionChange& change : view.diff.changes) {
    if (!change.after) gone.push_back(std::string(change.before->name()) + ": " + change.what);
  }
  CHECK(gone == Words{"unused: nothing used it", "a: with %pair, which used it",
                      "pair: it was the result"});
  const DiffView back = ViewOf(
      "HloModule m\ntwice {\n  q = f32[] parameter(0)\n  ROOT sum = f32[] add(q, q)\n}\n"
      "ENTRY e {\n  p = f32[4]{0} parameter(0)\n"
      "  ROOT m = f32[4]{0} map(p), dimensions={0}, to_apply=twice\n}\n",
      WithEntry("  ROOT p = f32[4]{0} parameter(0)\n"));
  gone.clear();
  for (const InstructionChange& change : back.diff.changes) gone.push_back(change.what);
  CHECK(gone ==
        Words{"with %sum, which used it", "it was the result of twice", "it was the result"});
}

TEST_CASE("diff: merged, duplicated, unused, replaced") {
  const std::string twice = WithEntry(
      "  p = f32[4]{0} parameter(0)\n  s = f32[4]{0} sine(p)\n  sx = f32[4]{0} sine(p)\n"
      "  u = f32[4]{0} cosine(p)\n  ROOT a = f32[4]{0} add(s, sx)\n");
  const std::string once = WithEntry(
      "  p = f32[4]{0} parameter(0)\n  s = f32[4]{0} sine(p)\n  ROOT a = f32[4]{0} add(s, s)\n");
  const DiffView merged = ViewOf(twice, once);
  CHECK(ChangesOf(merged) == Words{"merged sx", "removed u"});
  CHECK(ChangesOf(ViewOf(once, twice)) == Words{"added u", "duplicated sx"});
  const DiffView replaced =
      ViewOf(WithEntry("  p = f32[4]{0} parameter(0)\n  s = f32[4]{0} abs(p)\n"
                       "  ROOT n = f32[4]{0} negate(s)\n"),
             WithEntry("  p = f32[4]{0} parameter(0)\n  t = f32[4]{0} exponential(p)\n"
                       "  ROOT n = f32[4]{0} negate(t)\n"));
  REQUIRE(replaced.diff.changes.size() == 1);
  CHECK(replaced.diff.changes[0].kinds == std::vector{DiffKind::kReplaced});
  CHECK(replaced.diff.changes[0].what == "%t = exponential was %s = abs");
  // Transposes that undo each other: users read what was there before them.
  const DiffView bypassed =
      ViewOf(WithEntry("  p = f32[2,3]{1,0} parameter(0)\n"
                       "  t = f32[3,2]{1,0} transpose(p), dimensions={1,0}\n"
                       "  t2 = f32[2,3]{1,0} transpose(t), dimensions={1,0}\n"
                       "  ROOT n = f32[2,3]{1,0} negate(t2)\n"),
             WithEntry("  p = f32[2,3]{1,0} parameter(0)\n  ROOT n = f32[2,3]{1,0} negate(p)\n"));
  CHECK(ChangesOf(bypassed) == Words{"operands n", "removed t", "replaced t2"});
}

TEST_CASE("diff: operands of a commutative operation that change places stay who they are") {
  const std::string before = WithEntry(
      "  p = f32[4]{0} parameter(0)\n  s = f32[4]{0} sine(p)\n  t = f32[4]{0} tanh(s)\n"
      "  ROOT a = f32[4]{0} add(t, p)\n");
  const DiffView swapped =
      ViewOf(before, WithEntry("  p = f32[4]{0} parameter(0)\n  s = f32[4]{0} sine(p)\n"
                               "  t = f32[4]{0} tanh(s)\n  ROOT a = f32[4]{0} add(p, t)\n"));
  REQUIRE(ChangesOf(swapped) == Words{"operands a"});
  CHECK(swapped.diff.changes[0].what == "the same operands in the other order");
  // What is below a change is found by the operand that is the same.
  const DiffView below =
      ViewOf(before, WithEntry("  p = f32[4]{0} parameter(0)\n  k = f32[4]{0} cosine(p)\n"
                               "  c = f32[4]{0} negate(k)\n  t2 = f32[4]{0} tanh(c)\n"
                               "  ROOT a = f32[4]{0} add(p, t2)\n"));
  const Words changes = ChangesOf(below);
  CHECK(std::count(changes.begin(), changes.end(), "renamed t2") == 1);
  CHECK(std::count(changes.begin(), changes.end(), "operands a") == 1);
  // A subtraction is another one.
  const DiffView other = ViewOf(WithEntry("  p = f32[4]{0} parameter(0)\n  s = f32[4]{0} sine(p)\n"
                                          "  ROOT a = f32[4]{0} subtract(s, p)\n"),
                                WithEntry("  p = f32[4]{0} parameter(0)\n  s = f32[4]{0} sine(p)\n"
                                          "  ROOT a = f32[4]{0} subtract(p, s)\n"));
  REQUIRE(other.diff.changes.size() == 1);
  CHECK(other.diff.changes[0].what == "operand 0 is %p, was %s");
}

TEST_CASE("diff: attributes, shapes and layouts") {
  const DiffView view =
      ViewOf(WithEntry("  p = f32[2,3]{1,0} parameter(0)\n  c = f32[] constant(1)\n"
                       "  b = f32[2,3]{1,0} broadcast(c), dimensions={}\n"
                       "  ROOT s = f32[1,3]{1,0} slice(p), slice={[0:1], [0:3]}\n"),
             WithEntry("  p = f32[2,3]{0,1} parameter(0)\n  c = f32[] constant(2)\n"
                       "  b = f32[2,3]{1,0} broadcast(c), dimensions={}\n"
                       "  ROOT s = f32[1,3]{1,0} slice(p), slice={[1:2], [0:3]}\n"));
  CHECK(ChangesOf(view) == Words{"attributes c", "attributes s", "layout p"});
  for (const InstructionChange& change : view.diff.changes) {
    if (change.after->name() == "p") CHECK(change.what == "f32[2,3]{0,1}, was f32[2,3]{1,0}");
    if (change.after->name() == "s") {
      CHECK(change.what == "slice is {[1:2], [0:3]}, was {[0:1], [0:3]}");
    }
  }
}

TEST_CASE("diff: the value of a constant, as it is and was") {
  const auto change = [](std::string_view type, std::string_view was, std::string_view is) {
    const auto program = [&](std::string_view value) {
      return WithEntry(fmt::format("  ROOT c = {} constant({})\n", type, value));
    };
    const DiffView view = ViewOf(program(was), program(is));
    REQUIRE(view.diff.changes.size() == 1);
    return view.diff.changes[0].what;
  };
  CHECK(change("f32[]", "2", "3") == "value is 3, was 2");
  CHECK(change("s4[2]", "{1, 2}", "{1, -8}") == "value is {1, -8}, was {1, 2}");
  CHECK(change("f32[2]", "{...}", "{1, 2}") == "value is {1, 2}, was {...}");
  CHECK(change("f32[2,5]", "{{1,2,3,4,5},{6,7,8,9,10}}", "{{1,2,3,4,5},{6,0.5,8,9,-0}}") ==
        "2 of 10 elements differ, the first at [1,1]: 0.5, was 7");
  CHECK(change("(s32[], pred[])", "(1, true)", "(1, false)") ==
        "value is ( 1, false ), was ( 1, true )");
  CHECK(change("f32[9]", "{...}", "{1,2,3,4,5,6,7,8,9}") == "another value");
}

TEST_CASE("diff: lines that correspond are those of the same instructions") {
  const DiffView view = ViewOf(WithEntry(kTwoOps), WithEntry("  first = f32[4]{0} parameter(0)\n"
                                                             "  more = f32[4]{0} abs(first)\n"
                                                             "  s = f32[4]{0} sine(more)\n"
                                                             "  ROOT n = f32[4]{0} negate(s)\n"));
  CHECK(view.lines == LinePairs{{0, 0}, {1, 1}, {2, 2}, {3, 4}, {4, 5}, {5, 6}, {6, 7}});
}

TEST_CASE("diff: the longest rising part") {
  auto rising = [](std::vector<uint32_t> items) {
    std::vector<uint32_t> kept;
    const std::vector<bool> is_kept = LongestRising(items);
    for (size_t i = 0; i < items.size(); ++i) {
      if (is_kept[i]) kept.push_back(items[i]);
    }
    return kept;
  };
  CHECK(rising({}).empty());
  CHECK(rising({3, 1, 2, 5, 4, 6}).size() == 4);
  CHECK(rising({5, 5, 5}).size() == 1);
  CHECK(rising({9, 1, 2, 3}) == std::vector<uint32_t>{1, 2, 3});
}

// A chain of `count` operations: every one is renamed, and one is another operation.
std::string SineChain(int count, const std::string& prefix, const std::string& odd) {
  std::string text = "HloModule m\nENTRY e {\n  " + prefix + "0 = f32[4]{0} parameter(0)\n";
  for (int i = 1; i <= count; ++i) {
    text += std::string("  ") + (i == count ? "ROOT " : "") + prefix + std::to_string(i) +
            " = f32[4]{0} " + (i == count / 2 ? odd : "sine") + "(" + prefix +
            std::to_string(i - 1) + ")\n";
  }
  return text + "}\n";
}

TEST_CASE("diff: a change in the middle of a long program does not spread") {
  const DiffView view = ViewOf(SineChain(20000, "a", "cosine"), SineChain(20000, "a", "tan"));
  // Another operation in the middle: all that follows has other values, and is the same.
  CHECK(ChangesOf(view) == Words{"replaced a10000"});
}

TEST_CASE("diff: windows, kinds, and texts that are no programs, through the session") {
  Session session;
  auto ask = [&](const std::string& after, const std::string& before, const std::string& options) {
    return session.Diff(after, before, options);
  };
  const auto whole = ask(kFused, WithEntry(kTwoOps), "{}");
  const Json json = ParseJson(whole.json);
  CHECK(json["ok"] == true);
  CHECK(json["changeCount"] == 3);
  CHECK(json["changes"][0]["after"]["computation"] == "f");
  CHECK(whole.lines.size() % 2 == 0);
  CHECK(whole.marks.size() % 3 == 0);
  CHECK(!whole.marks.empty());
  const Json part = ParseJson(
      ask(kFused, WithEntry(kTwoOps), R"({"begin":1,"count":1,"kinds":["fused"],"linesToo":false})")
          .json);
  CHECK(part["changeCount"] == 2);
  CHECK(part["changes"].size() == 1);
  const auto bad = ask("HloModule", WithEntry(kTwoOps), "{}");
  CHECK(ParseJson(bad.json)["ok"] == false);
  CHECK(!ParseJson(bad.json)["afterDiagnostics"].empty());
  CHECK(ParseJson(ask(kFused, "ENTRY e { x = f32[ add(", "{}").json)["ok"] == false);
  CHECK(ParseJson(ask("", "", "nonsense").json)["ok"] == false);
}

TEST_CASE("diff: the text names every change") {
  const std::string text = DiffText(ViewOf(WithEntry(kTwoOps), kFused));
  CHECK(text.find("instructions  5, was 3\n") != std::string::npos);
  CHECK(text.find("fused: f/s.1: fused into %fusion\n") != std::string::npos);
  CHECK(text.find("added: e/fusion: a fusion of 2 instructions\n") != std::string::npos);
}

}  // namespace
}  // namespace hlo
