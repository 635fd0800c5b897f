// engine/graph: what a picture of a program shows.
#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/graph/dot_text.h"
#include "engine/graph/drawn_graph.h"
#include "engine/graph/op_class.h"
#include "engine/graph/paths.h"
#include "engine/graph/precision.h"
#include "engine/graph/search.h"
#include "engine/views/document.h"
#include "engine/views/graph_view.h"
#include "engine/views/json.h"
#include "engine/views/session.h"

namespace hlo {
namespace {

const Module& Drawable(const Document& document) {
  for (const Diagnostic& fault : document.diagnostics().list()) {
    if (fault.severity == Severity::kError) FAIL(fault.message);
  }
  REQUIRE(document.module());
  return *document.module();
}

struct Picture {
  explicit Picture(const std::string& text)
      : document(text), module(&Drawable(document)), graph(*module) {}
  std::string Text(const GraphOptions& options = {}) const {
    return GraphText(DrawGraph(graph, options));
  }
  const Instruction* At(std::string_view computation, std::string_view name) const {
    const Instruction* found = NamedInstruction(document, computation, name);
    REQUIRE(found);
    return found;
  }
  Document document;
  const Module* module;
  ProgramGraph graph;
};

constexpr char kEveryKind[] = R"(HloModule m
fused {
  a = f32[8] parameter(0)
  b = f32[8] parameter(1)
  s = f32[8] add(a, b)
  ROOT h = bf16[8] convert(s)
}
half { hx = f32[8] parameter(0) ROOT hn = f32[8] negate(hx) }
twice { tx = f32[8] parameter(0) ROOT tc = f32[8] call(tx), to_apply=half }
more {
  mp = (s32[], f32[8]) parameter(0)
  mi = s32[] get-tuple-element(mp), index=0
  mn = s32[] constant(3)
  ROOT less = pred[] compare(mi, mn), direction=LT
}
step {
  p = (s32[], f32[8]) parameter(0)
  i = s32[] get-tuple-element(p), index=0
  one = s32[] constant(1)
  next = s32[] add(i, one)
  v = f32[8] get-tuple-element(p), index=1
  w = f32[8] tanh(v)
  ROOT t = (s32[], f32[8]) tuple(next, w)
}
sum { sa = f32[] parameter(0) sb = f32[] parameter(1) ROOT sr = f32[] add(sa, sb) }
ENTRY main {
  x = f32[8] parameter(0), sharding={devices=[2]0,1}
  y = f32[8] parameter(1)
  c = f32[] constant(2)
  cs = f32[8] broadcast(c), dimensions={}
  z = f32[8] multiply(x, cs), metadata={op_name="jit(f)/mul" source_file="f.py" source_line=7}
  fusion = bf16[8] fusion(z, y), kind=kLoop, calls=fused
  wide = f32[8] convert(fusion)
  zero = s32[] constant(0)
  init = (s32[], f32[8]) tuple(zero, wide)
  loop = (s32[], f32[8]) while(init), condition=more, body=step
  last = f32[8] get-tuple-element(loop), index=1
  k = pred[] parameter(2)
  picked = f32[8] conditional(k, last, x), true_computation=half, false_computation=twice
  copied = (f32[8], f32[8], u32[]) copy-start(picked)
  done = f32[8] copy-done(copied)
  f0 = f32[] constant(0)
  total = f32[] reduce(done, f0), dimensions={0}, to_apply=sum, control-predecessors={z}
  ROOT out = (f32[], f32[8]) tuple(total, done)
}
)";

TEST_CASE("graph: a program of every kind, closed") {
  CHECK(Picture(kEveryKind).Text() ==
        R"(main/x  parameter f32[8]{0}
main/y  parameter f32[8]{0}
main/z  multiply f32[8]{0}  [1: 2]  <- main/x
main/fusion  fusion bf16[8]{0}  closed, 4 inside  <- main/z, main/y
main/wide  convert f32[8]{0}  <- main/fusion
main/init  tuple (s32[], f32[8]{0})  [0: 0]  <- main/wide
main/loop  while (s32[], f32[8]{0})  closed, 11 inside  <- main/init
main/last  get-tuple-element f32[8]{0}  <- main/loop
main/k  parameter pred[]
main/picked  conditional f32[8]{0}  closed, 6 inside  <- main/k, main/last, main/x
main/copied  copy-start (f32[8]{0}, f32[8]{0}, u32[])  <- main/picked
main/done  copy-done f32[8]{0}  <- main/copied (async)
main/total  reduce f32[]  [1: 0]  closed, 3 inside  <- main/done, main/z (control)
main/out  tuple (f32[], f32[8]{0})  <- main/total, main/done
)");
}

TEST_CASE("graph: what is open shows where values go, and a loop's state") {
  const Picture picture(kEveryKind);
  const std::string text = picture.Text(
      {.open = {"main/fusion", "main/loop", "main/picked", "main/picked:twice/tc", "main/total"}});
  const auto has = [&](std::string_view line) {
    CHECK_MESSAGE(text.find(line) != text.npos, line, text);
  };
  has("  main/fusion:fused/a  parameter f32[8]{0}  <- main/z\n");
  has("  main/fusion:fused/b  parameter f32[8]{0}  <- main/y\n");
  // The value comes from the root, not from the border.
  has("main/wide  convert f32[8]{0}  <- main/fusion:fused/h\n");
  has("  main/loop:more  condition\n");
  has("  main/loop:step  body\n");
  has("main/loop:more/mp  parameter (s32[], f32[8]{0})  <- main/init, main/loop:step/t "
      "(carried)\n");
  has("main/loop:step/p  parameter (s32[], f32[8]{0})  <- main/init, main/loop:step/t (carried)\n");
  has("main/last  get-tuple-element f32[8]{0}  <- main/loop\n");
  // Each branch gets an operand of its own.
  has("    main/picked:half/hx  parameter f32[8]{0}  <- main/last\n");
  has("    main/picked:twice/tx  parameter f32[8]{0}  <- main/x\n");
  has("      main/picked:twice/tc:half/hx  parameter f32[8]{0}  <- main/picked:twice/tx\n");
  has("main/picked  conditional f32[8]{0}  <- main/k\n");
  // What reduces is no function of the operands.
  has("  main/total:sum/sa  parameter f32[]\n");
}

TEST_CASE("graph: constants and broadcasts of scalars are part of their users, unless asked for") {
  const Picture picture(kEveryKind);
  const std::string text = picture.Text({.folds_constants = false});
  CHECK(text.find("main/cs  broadcast f32[8]{0}  <- main/c\n") != text.npos);
  CHECK(text.find("main/z  multiply f32[8]{0}  <- main/x, main/cs\n") != text.npos);
  // The focus has a box.
  const std::string focused = picture.Text({.focus = picture.At("main", "cs")});
  CHECK(focused.find("main/cs  broadcast f32[8]{0}  [0: 2]\n") != focused.npos);
  // A scalar that is no constant is seen through its broadcast.
  const Picture scalar(R"(ENTRY e {
  s = f32[] parameter(0)
  b = f32[4] broadcast(s), dimensions={}
  x = f32[4] parameter(1)
  ROOT r = f32[4] add(x, b)
})");
  CHECK(scalar.Text().find("e/r  add f32[4]{0}  [1: s]  <- e/x, e/s\n") != std::string::npos);
}

TEST_CASE("graph: a neighbourhood, and how much is outside of it") {
  const Picture picture(kEveryKind);
  CHECK(picture.Text({.focus = picture.At("main", "wide"), .radius = 1}) ==
        R"(main/fusion  fusion bf16[8]{0}  closed, 4 inside  +2 operands
main/wide  convert f32[8]{0}  <- main/fusion
main/init  tuple (s32[], f32[8]{0})  [0: 0]  +1 users  <- main/wide
)");
  // Around an instruction in a loop: what is around the loop too.
  const DrawnGraph inside =
      DrawGraph(picture.graph, {.focus = picture.At("step", "w"), .radius = 1});
  const std::string text = GraphText(inside);
  CHECK(text.find("main/init") != text.npos);
  CHECK(text.find("main/last") != text.npos);
  CHECK(text.find("main/picked") == text.npos);
  CHECK(text.find("main/loop:step/v") != text.npos);
  CHECK(text.find("main/loop:step/i ") == text.npos);
  REQUIRE(inside.focus_box >= 0);
  CHECK(inside.boxes[static_cast<size_t>(inside.focus_box)].id == "main/loop:step/w");
}

TEST_CASE("graph: the focus is in the innermost box that is drawn, or opens what it is in") {
  const Picture picture(kEveryKind);
  const auto box_of_focus = [&](const GraphOptions& options) {
    const DrawnGraph drawn = DrawGraph(picture.graph, options);
    return drawn.focus_box < 0 ? "" : drawn.boxes[static_cast<size_t>(drawn.focus_box)].id;
  };
  const Instruction* const inside = picture.At("fused", "s");
  CHECK(box_of_focus({.focus = inside}) == "main/fusion");
  CHECK(box_of_focus({.focus = inside, .reveals_focus = true}) == "main/fusion:fused/s");
  const Computation* const fused = picture.module->FindComputation("fused");
  CHECK(box_of_focus({.computation = fused, .focus = inside}) == "fused/s");
  CHECK(box_of_focus({.computation = fused, .focus = picture.At("main", "z")}).empty());
}

TEST_CASE("graph: classes and lost precision follow from definitions and types") {
  const Picture picture(kEveryKind);
  const auto class_of = [&](std::string_view name) {
    return Text(ClassOf(*picture.At("main", name)));
  };
  CHECK(class_of("x") == "parameter");
  CHECK(class_of("c") == "constant");
  CHECK(class_of("z") == "elementwise");
  CHECK(class_of("cs") == "movement");
  CHECK(class_of("fusion") == "fusion");
  CHECK(class_of("loop") == "control");
  CHECK(class_of("copied") == "movement");
  CHECK(class_of("done") == "movement");
  CHECK(class_of("total") == "reduction");
  CHECK(class_of("out") == "tuple");
  const std::vector<Precision> of = PrecisionOf(picture.graph);
  const auto precision = [&](std::string_view computation, std::string_view name) {
    return of[picture.graph.NumberOf(*picture.At(computation, name))];
  };
  CHECK(precision("main", "z") == Precision::kWhole);
  CHECK(precision("fused", "h") == Precision::kNarrowed);
  CHECK(precision("main", "fusion") == Precision::kNarrowed);  // inside of it
  CHECK(precision("main", "wide") == Precision::kAfter);
  CHECK(precision("step", "w") == Precision::kAfter);
  CHECK(precision("main", "total") == Precision::kAfter);
  CHECK(precision("main", "k") == Precision::kWhole);
}

TEST_CASE("graph: paths, inside of a computation and through calls") {
  const Picture picture(kEveryKind);
  const auto names = [&](const std::vector<uint32_t>& numbers) {
    std::string text;
    for (const uint32_t number : numbers)
      text += std::string(picture.graph.At(number).name()) + " ";
    return text;
  };
  const Instruction& x = *picture.At("main", "x");
  const Instruction& done = *picture.At("main", "done");
  const Paths paths = PathsBetween(picture.graph, x, done);
  CHECK(paths.found);
  CHECK_FALSE(paths.reversed);
  CHECK(names(paths.shortest) == "x picked copied done ");
  CHECK(names(paths.all).find("w ") != std::string::npos);  // through the loop
  CHECK(names(paths.all).find("y ") == std::string::npos);
  CHECK(PathsBetween(picture.graph, done, x).reversed);
  CHECK(names(PathsBetween(picture.graph, done, x).shortest) == names(paths.shortest));
  const Paths inward =
      PathsBetween(picture.graph, *picture.At("main", "wide"), *picture.At("step", "w"));
  CHECK(names(inward.shortest) == "wide init p v w ");
  CHECK_FALSE(
      PathsBetween(picture.graph, *picture.At("main", "y"), *picture.At("main", "k")).found);
}

TEST_CASE("graph: search by name, opcode and op_name") {
  const Picture picture(kEveryKind);
  const auto first = [&](std::string_view text) {
    const Found found = FindInstructions(*picture.module, text, 2);
    return found.first.empty() ? std::string() : std::string(found.first[0]->name());
  };
  CHECK(first("z") == "z");  // before zero, which is first in the text
  CHECK(first("MULT") == "z");
  CHECK(first("jit(f)") == "z");
  CHECK(first("").empty());
  const Found many = FindInstructions(*picture.module, "param", 2);
  CHECK(many.count == 11);
  CHECK(many.first.size() == 2);
}

// x, then `count` steps, each of the two before it.
std::string Long(int count) {
  std::string text =
      "HloModule long\nENTRY e {\n  x = f32[4] parameter(0)\n  a0 = f32[4] tanh(x)\n";
  for (int i = 1; i < count; ++i) {
    text += "  a" + std::to_string(i) + " = f32[4] add(a" + std::to_string(i - 1) + ", " +
            (i > 1 ? "a" + std::to_string(i - 2) : std::string("x")) + ")\n";
  }
  return text + "  ROOT r = f32[4] negate(a" + std::to_string(count - 1) + ")\n}\n";
}

TEST_CASE("graph: what there is no room for is in groups, which open") {
  const Picture picture(Long(6000));
  const DrawnGraph drawn = DrawGraph(picture.graph, {.limit = 100});
  CHECK_FALSE(drawn.is_whole);
  CHECK(drawn.boxes.size() == 16);
  int64_t count = 0;
  for (const GraphBox& box : drawn.boxes) count += std::max<int64_t>(box.count, 1);
  CHECK(count == 6002);
  // Edges lead down.
  for (const GraphEdge& edge : drawn.edges) CHECK(edge.from < edge.to);
  GraphOptions options{.limit = 100};
  for (size_t boxes = 16; boxes < 60;) {
    const DrawnGraph before = DrawGraph(picture.graph, options);
    const auto closed = std::find_if(before.boxes.begin(), before.boxes.end(),
                                     [](const auto& box) { return box.can_open && !box.is_open; });
    REQUIRE(closed != before.boxes.end());
    options.open.push_back(closed->id);
    const size_t now = DrawGraph(picture.graph, options).boxes.size();
    CHECK(now > boxes);
    boxes = now;
  }
  // However much is open, and wherever the focus is.
  for (const GraphBox& box : DrawGraph(picture.graph, options).boxes)
    options.open.push_back(box.id);
  for (const GraphBox& box : DrawGraph(picture.graph, options).boxes)
    options.open.push_back(box.id);
  options.focus = picture.At("e", "a4321");
  options.reveals_focus = true;
  const DrawnGraph full = DrawGraph(picture.graph, options);
  CHECK(full.boxes.size() <= 200);
  CHECK(std::any_of(full.boxes.begin(), full.boxes.end(),
                    [](const GraphBox& box) { return box.has_no_room; }));
  CHECK(full.focus_box >= 0);
  // A neighbourhood that is too large: the rings that are furthest away are groups.
  std::string fan = "ENTRY e {\n  x = f32[] parameter(0)\n";
  for (int i = 0; i < 300; ++i) fan += "  t" + std::to_string(i) + " = f32[] tanh(x)\n";
  fan += "  ROOT r = f32[] negate(t299)\n}\n";
  const Picture wide(fan);
  const std::string text = wide.Text({.focus = wide.At("e", "x"), .radius = 2, .limit = 50});
  CHECK(text ==
        "e/x  parameter f32[]\n"
        "e/~users1  300 instructions 1 step below: 300 tanh  closed, 300 inside  <- e/x x300\n"
        "e/~users2  1 instruction 2 steps below: 1 negate  closed, 1 inside  <- e/~users1\n");
}

TEST_CASE("graph: the same picture every time, in time in proportion to the program") {
  using Clock = std::chrono::steady_clock;
  const auto seconds = [](const Picture& picture, const Instruction* focus) {
    double best = 1e9;
    for (int i = 0; i < 3; ++i) {
      const auto start = Clock::now();
      const ProgramGraph graph(*picture.module);
      const DrawnGraph drawn = DrawGraph(graph, {.focus = focus, .reveals_focus = true});
      CHECK(PrecisionOf(graph).size() == graph.size());
      CHECK(PathsBetween(graph, *picture.At("e", "x"), *picture.At("e", "r")).found);
      CHECK(drawn.boxes.size() < 500);
      best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
    }
    return best;
  };
  const Picture small(Long(10000));
  const Picture large(Long(80000));
  CHECK(small.Text() == Picture(Long(10000)).Text());
  const double ratio =
      seconds(large, large.At("e", "a70000")) / seconds(small, small.At("e", "a7000"));
  CHECK(ratio < 40);  // 8, but for caches and other users of the machine
}

TEST_CASE("graph: branches that are one computation, and in another order than their numbers") {
  const Picture twice(R"(f { x = f32[] parameter(0) ROOT n = f32[] negate(x) }
ENTRY e {
  i = s32[] parameter(0)
  a = f32[] parameter(1)
  b = f32[] parameter(2)
  ROOT c = f32[] conditional(i, a, b), branch_computations={f, f}
}
)");
  const std::string text = twice.Text({.open = {"e/c"}});
  CHECK(text.find("e/c:f/x  parameter f32[]  <- e/a") != std::string::npos);
  CHECK(text.find("e/c:f~2/x  parameter f32[]  <- e/b") != std::string::npos);
  const Picture swapped(R"(t { x = f32[] parameter(0) ROOT n = f32[] negate(x) }
f { y = f32[] parameter(0) ROOT m = f32[] negate(y) }
ENTRY e {
  i = pred[] parameter(0)
  a = f32[] parameter(1)
  b = f32[] parameter(2)
  ROOT c = f32[] conditional(i, a, b), false_computation=f, true_computation=t
}
)");
  const std::string order = swapped.Text({.open = {"e/c"}});
  CHECK(order.find("e/c:t/x  parameter f32[]  <- e/a") != std::string::npos);
  CHECK(order.find("e/c:f/y  parameter f32[]  <- e/b") != std::string::npos);
}

TEST_CASE("graph: text for Graphviz") {
  const Picture picture(R"(HloModule m
f { y = f32[] parameter(0) ROOT n = f32[] negate(y) }
ENTRY e { x = f32[] parameter(0) ROOT c = f32[] call(x), to_apply=f })");
  const std::string text = DotText(DrawGraph(picture.graph, {.open = {"e/c"}}));
  CHECK(text.find("subgraph cluster_1 { label=\"call\\nc\\nf32[]\";") != text.npos);
  CHECK(text.find("b0 -> b2;") != text.npos);
  CHECK(std::count(text.begin(), text.end(), '{') == std::count(text.begin(), text.end(), '}'));
}

TEST_CASE("graph: as front ends get it") {
  Session session;
  const std::string text = kEveryKind;
  const Json model = ParseJson(session.Graph(
      text, R"({"focus":{"computation":"main","name":"z"},"path":{"from":{"computation":"main",
      "name":"z"},"to":{"computation":"main","name":"wide"}},"dot":true})"));
  CHECK(model["ok"] == true);
  CHECK(model["computation"] == "main");
  const Json& z = model["boxes"][2];
  CHECK(z["id"] == "main/z");
  CHECK(z["source"] == "f.py:7");
  CHECK(z["opName"] == "jit(f)/mul");
  CHECK(z["bytes"] == 32);
  CHECK(z["paddingBytes"] == 0);
  CHECK(z["folded"][0]["text"] == "2");
  CHECK(z["isOnPath"] == true);
  CHECK(z["line"] == 31);
  CHECK(z["runs"].empty());
  CHECK(model["boxes"][3]["runs"].size() == 1);
  CHECK(text.substr(model["boxes"][3]["runs"][0][0].get<size_t>(), 5) == "fused");
  CHECK(model["boxes"][0]["devices"] == "sharding={devices=[2]0,1}");
  CHECK(model["boxes"][1]["isOnPath"] == false);
  CHECK(model["focus"]["box"] == 2);
  CHECK(model["focus"]["users"]["items"][0]["name"] == "fusion");
  CHECK(model["path"]["count"] == 3);
  CHECK(model["dot"].get<std::string>().starts_with("digraph"));
  const Json found = ParseJson(session.GraphSearch(text, "%fusion"));
  CHECK(found["items"][0]["name"] == "fusion");
  // Whatever is asked, there is an answer.
  for (const char* options : {"", "null", "[]", R"({"open":[1],"radius":"x","limit":-7})",
                              R"({"computation":"none","focus":{"name":"none"},"radius":3})",
                              R"({"path":{"from":3},"open":{}})"}) {
    CHECK(ParseJson(session.Graph(text, options))["ok"] == true);
  }
  CHECK(ParseJson(session.Graph("", ""))["ok"] == false);
  CHECK(ParseJson(session.Graph("f32[3]", ""))["ok"] == false);
}

TEST_CASE("graph: programs with faults are drawn as far as they were read") {
  Session session;
  const std::string text = kEveryKind;
  for (size_t cut = 10; cut < text.size(); cut += 37) {
    CHECK(ParseJson(session.Graph(text.substr(0, cut), R"({"radius":2})")).is_object());
    std::string without = text;
    without.erase(cut, 5);
    CHECK(ParseJson(session.Graph(without, R"({"open":["main/loop","main/picked"]})")).is_object());
  }
}

}  // namespace
}  // namespace hlo
