// What a plan says of itself: its steps, and why instructions run apart.
#include <string>
#include <utility>
#include <vector>

#include "doctest/doctest.h"
#include "engine/views/document.h"
#include "engine/views/json.h"
#include "engine/views/plan_view.h"

namespace hlo {
namespace {

std::string TextOf(const std::string& program) {
  const Document document(program);
  REQUIRE(document.ok());
  return PlanText(document);
}

TEST_CASE("a plan names its loops, what they read and write, and what runs by itself") {
  CHECK(TextOf(R"(ENTRY e {
    x = f32[8,128] parameter(0)
    s = f32[] parameter(1)
    b = f32[8,128] broadcast(s), dimensions={}
    a = f32[8,128] add(x, b)
    m = f32[8,128] multiply(a, a)
    ROOT d = f32[8,8] dot(m, x), lhs_contracting_dims={1}, rhs_contracting_dims={1} })") ==
        R"(e: 6 instructions in 4 steps
  x = parameter
  s = parameter
  loop over 1024 elements: b, a, m
    reads x, s (one element)
    writes m
  d = dot
)");
}

TEST_CASE("what marks a value parts no loops, and functions that are custom-calls join them") {
  CHECK(TextOf(R"(ENTRY e {
    x = f32[8,128] parameter(0)
    a = f32[8,128] exponential(x)
    s = f32[8,128] custom-call(a), custom_call_target="Sharding", sharding={replicated}
    f = f32[8,128] custom-call(s), custom_call_target="chlo.acos"
    g = f32[8,128] custom-call(f), custom_call_target="chlo.lgamma"
    b = f32[8,128] opt-barrier(g)
    t = token[] after-all()
    d = f32[8,128] add-dependency(b, t)
    ROOT n = f32[8,128] negate(d) })") ==
        R"(e: 9 instructions in 3 steps
  x = parameter
  t = after-all, computed once: it follows from constants
  loop over 1024 elements: a, s, f, g, b, d, n
    reads x
    writes n
)");
}

TEST_CASE("a plan says which loops are epilogues of products, and why others are not") {
  const std::string program = R"(ENTRY e {
    x = f32[256,64] parameter(0)
    w = f32[64,128] parameter(1)
    d = f32[256,128] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
    t = f32[256,128] tanh(d)
    d2 = f32[256,128] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
    t2 = f32[256,128] sine(d2)
    ROOT all = (f32[256,128], f32[256,128], f32[256,128]) tuple(t, d2, t2) })";
  const std::string text = TextOf(program);
  CHECK(text.find("    writes t\n    as the epilogue of d: on each part of it that is final, while "
                  "that is in the cache\n") != std::string::npos);
  CHECK(text.find("  not an epilogue: the loop of t2 after d2: another user needs the product\n") !=
        std::string::npos);
  const Json json = ParseJson(PlanJson(Document(program)));
  const Json& entry = json["computations"][0];
  CHECK(entry["steps"][3]["epilogueOf"] == "d");
  CHECK_FALSE(entry["steps"][5].contains("epilogueOf"));
  CHECK(entry["separate"] ==
        Json::array(
            {{{"loop", "t2"}, {"product", "d2"}, {"why", "another user needs the product"}}}));
}

TEST_CASE("a plan says why an instruction does not run in the loop of its operand") {
  const std::string text = TextOf(R"(
    sum { p = f32[] parameter(0)  q = f32[] parameter(1)  ROOT both = f32[] add(p, q) }
    ENTRY e {
      x = f32[64,64] parameter(0)
      z = f32[] parameter(1)
      a = f32[64,64] negate(x)
      b = f32[64,64] abs(a)
      r = f32[64] reduce(b, z), dimensions={0}, to_apply=sum
      c = f32[64,64] cosine(b)
      s = f32[32,64] slice(c), slice={[0:32], [0:64]}
      h = f32[32,64] sine(s)
      t = f32[64,64] reverse(c), dimensions={0}
      u = f32[64,64] tanh(t)
      ROOT all = (f32[64], f32[64,64], f32[32,64]) tuple(r, u, h) })");
  CHECK(text.find("not joined: c with b: r, between the two, needs values of that loop\n") !=
        std::string::npos);
  CHECK(text.find("not joined: h with c: it has another number of elements\n") !=
        std::string::npos);
  CHECK(text.find("not joined: u with c: it reads the elements in another order\n") !=
        std::string::npos);
}

TEST_CASE("a plan has the computations that a run enters, and loops over scalars as programs") {
  const std::string program = R"(
    cond { i = s32[] parameter(0)  n = s32[] constant(9)  ROOT l = pred[] compare(i, n), direction=LT }
    body { i = s32[] parameter(0)  o = s32[] constant(1)  ROOT j = s32[] add(i, o) }
    f { x = f32[4] parameter(0)  y = f32[4] exponential(x)  ROOT z = f32[4] negate(y) }
    ENTRY e {
      k = s32[] constant(0)
      w = s32[] while(k), condition=cond, body=body
      p = f32[4] parameter(0)
      c = f32[4] call(p), to_apply=f
      ROOT t = (s32[], f32[4]) tuple(w, c) })";
  const std::string text = TextOf(program);
  CHECK(text.find("  w = while, over scalars: one program of ") != std::string::npos);
  CHECK(text.find("\nf: 3 instructions in 2 steps\n") != std::string::npos);
  CHECK(text.find("body:") == std::string::npos);
  const Json json = ParseJson(PlanJson(Document(program)));
  REQUIRE(json["computations"].size() == 2);
  const Json& loop = json["computations"][1]["steps"][1];
  CHECK(loop["kind"] == "loop");
  CHECK(loop["elements"] == 4);
  CHECK(loop["instructions"] == Json({"y", "z"}));
  CHECK(loop["outputs"] == Json({"z"}));
  CHECK(loop["inputs"][0]["name"] == "x");
}

/// A loop over (s32, f32[size], f32[4,4]) with this next array.
std::string LoopWith(const std::string& size, const std::string& next) {
  return R"(
    cond { s = (s32[], f32[)" +
         size + R"(], f32[4,4]) parameter(0)
           i = s32[] get-tuple-element(s), index=0
           n = s32[] constant(9)
           ROOT l = pred[] compare(i, n), direction=LT }
    body { s = (s32[], f32[)" +
         size + R"(], f32[4,4]) parameter(0)
           i = s32[] get-tuple-element(s), index=0
           x = f32[)" +
         size + R"(] get-tuple-element(s), index=1
           w = f32[4,4] get-tuple-element(s), index=2
           one = s32[] constant(1)
           j = s32[] add(i, one)
           )" +
         next + R"(
           ROOT t = (s32[], f32[)" +
         size + R"(], f32[4,4]) tuple(j, y, w) }
    ENTRY e {
      k = s32[] constant(0)
      x = f32[)" +
         size + R"(] parameter(0)
      w = f32[4,4] parameter(1)
      s = (s32[], f32[)" +
         size + R"(], f32[4,4]) tuple(k, x, w)
      ROOT loop = (s32[], f32[)" +
         size + R"(], f32[4,4]) while(s), condition=cond, body=body })";
}

TEST_CASE(
    "a plan says of a loop what its function has, or why it is none; its code has the function") {
  const std::string whole = LoopWith("64", "y = f32[64] tanh(x)");
  const std::string text = TextOf(whole);
  CHECK(text.find("  loop = while\n    one function: ") != std::string::npos);
  CHECK(text.find("    state: 1 scalar in locals, arrays f32[64], f32[16]\n") != std::string::npos);
  CHECK(text.find("    buffers of 256, 64") != std::string::npos);
  const std::string code = PlanCode(Document(whole));
  CHECK(code.find(";; e: the whole loop loop\n(module\n") != std::string::npos);
  CHECK(TextOf(LoopWith("4,4", "y = f32[4,4] cholesky(x)"))
            .find("    not one function: y = cholesky is no pass over elements, move, sum of "
                  "products, loop or branch\n") != std::string::npos);
  CHECK(
      TextOf(LoopWith("99999", "y = f32[99999] tanh(x)"))
          .find("    not one function: y has an empty array, or goes through too many elements") !=
      std::string::npos);
}

// The pairs of an answer of PlanResultJson.
std::vector<std::pair<uint32_t, uint32_t>> LinksOf(const std::string& program, const char* as,
                                                   std::string* text) {
  std::vector<uint32_t> lines;
  const Json json = ParseJson(PlanResultJson(Document(program), as, &lines));
  REQUIRE(json["ok"] == true);
  *text = json["text"];
  std::vector<std::pair<uint32_t, uint32_t>> links;
  for (size_t i = 0; i < lines.size(); i += 2) links.emplace_back(lines[i], lines[i + 1]);
  return links;
}

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines(1);
  for (char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  return lines;
}

constexpr char kJoinedText[] = R"(ENTRY e {
  x = f32[8,128] parameter(0)
  a = f32[8,128] add(x, x)
  m = f32[8,128] multiply(a, a)
  ROOT d = f32[8,8] dot(m, x), lhs_contracting_dims={1}, rhs_contracting_dims={1} })";

TEST_CASE("the lines of a plan are linked with the instructions that they are about") {
  std::string text;
  const auto links = LinksOf(kJoinedText, R"({"as": "plan"})", &text);
  // The loop has three lines, of two instructions.
  const std::vector<std::pair<uint32_t, uint32_t>> wanted = {{1, 1}, {2, 2}, {2, 3}, {2, 4},
                                                             {3, 2}, {3, 3}, {3, 4}, {4, 5}};
  CHECK(links == wanted);
  CHECK(LinesOf(text).size() == 6);
}

TEST_CASE("code says of what it is, and its lines are linked with that") {
  std::string text;
  const auto links = LinksOf(kJoinedText, R"({"as": "code"})", &text);
  const std::vector<std::string> lines = LinesOf(text);
  CHECK(lines[0] == ";; e: loop over 1024 elements: a, m");
  CHECK(lines[1] == ";; 0: operations 1 to 2 of 2, 8 lanes at a time");
  CHECK(lines[2] == ";;    of 8192 lanes and more both halves at once");
  for (const std::string& line : lines) CHECK(line.size() <= 100);
  size_t adds = 0, comments = 0;
  for (const auto& [from, line] : links) {
    REQUIRE(line < lines.size());
    if (lines[line].ends_with("f32x4.add")) {
      CHECK(from == 2);
      ++adds;
    }
    if (lines[line].ends_with(";; m = multiply")) {
      CHECK(from == 3);
      ++comments;
    }
  }
  CHECK(adds > 0);
  CHECK(comments == 4);  // either half; several lanes at a time, and one
}

TEST_CASE("a text without a program has no plan, and says why") {
  std::vector<uint32_t> lines;
  const Json json =
      ParseJson(PlanResultJson(Document("ENTRY e { x = f32[2] bad(1) }"), "", &lines));
  CHECK(json["ok"] == false);
  CHECK(json["text"] == "");
  CHECK(!json["diagnostics"].empty());
  CHECK(lines.empty());
}

}  // namespace
}  // namespace hlo
