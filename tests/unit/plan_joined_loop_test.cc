// Which instructions are joined to loops, and that joining changes no bit.
#include <cstring>
#include <memory>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "doctest/doctest.h"
#include "engine/plan/plan.h"
#include "engine/run/executor.h"
#include "engine/views/document.h"
#include "tests/unit/joined_runs.h"
#include "tests/unit/program_cases.h"

namespace hlo {
namespace {

// The loops of the entry, each as the names of its outputs.
std::string LoopsOf(const std::string& text) {
  const auto module = Parse(text);
  Plan plan(*module, nullptr, /*joins_loops=*/true);
  const ComputationPlan& entry = plan.For(*module->entry());
  std::string loops;
  for (const PlannedInstruction& planned : entry.instructions) {
    if (!planned.loop) continue;
    if (!loops.empty()) loops += "; ";
    for (size_t i = 0; i < planned.loop->outputs.size(); ++i) {
      const auto at = static_cast<size_t>(planned.loop->outputs[i]);
      loops += (i == 0 ? "" : " ") + std::string(entry.instructions[at].instruction->name());
    }
  }
  return loops;
}

void CheckJoined(const std::string& text, const std::string& loops) {
  CAPTURE(text);
  CHECK(LoopsOf(text) == loops);
  const auto module = Parse(text);
  CheckSameBits(RunWith(*module, true), RunWith(*module, false));
}

TEST_CASE("a chain is one loop, with broadcasts of scalars, rows and columns") {
  CheckJoined(R"(ENTRY e {
    x = f32[50,70] parameter(0)
    r = f32[70] parameter(1)
    c = f32[50] parameter(2)
    k = f32[] constant(1.5)
    kb = f32[50,70] broadcast(k), dimensions={}
    rb = f32[50,70] broadcast(r), dimensions={1}
    cb = f32[50,70] broadcast(c), dimensions={0}
    a = f32[50,70] multiply(x, kb)
    b = f32[50,70] add(a, rb)
    d = f32[50,70] subtract(b, cb)
    p = pred[50,70] compare(d, a), direction=LT
    ROOT s = f32[50,70] select(p, d, b) })",
              "s");
}

/// The same of a program that calls a computation `sum`.
void CheckJoinedWithSum(const std::string& entry, const std::string& loops) {
  CheckJoined(
      "sum { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }\n" + entry,
      loops);
}

TEST_CASE("what others use is an output; they close the loop") {
  CheckJoinedWithSum(R"(ENTRY e {
    x = f32[8,1500] parameter(0)
    z = f32[] constant(0)
    a = f32[8,1500] exponential(x)
    b = f32[8,1500] multiply(a, x)
    t = f32[1500] reduce(b, z), dimensions={0}, to_apply=sum
    tb = f32[8,1500] broadcast(t), dimensions={1}
    d = f32[8,1500] divide(a, tb)
    n = f32[8,1500] negate(d)
    ROOT o = (f32[8,1500], f32[8,1500]) tuple(n, a) })",
                     "a.1 b.1; n");
}

/// A softmax with a factor, whose rows run along the last dimension of [dims, length].
std::string Softmax(const std::string& type, const std::string& dims, int length,
                    const std::string& mapped) {
  const std::string rows = type + "[" + dims + "]";
  const std::string all = type + "[" + dims + "," + std::to_string(length) + "]";
  return "top { a = " + type + "[] parameter(0)  b = " + type +
         "[] parameter(1)  ROOT s = " + type + "[] maximum(a, b) }\nsum { a = " + type +
         "[] parameter(0)  b = " + type + "[] parameter(1)  ROOT s = " + type +
         "[] add(a, b) }\nENTRY e {\n  x = " + all + " parameter(0)\n  f = " + rows +
         " parameter(1)\n  i = " + type + "[] constant(-inf)\n  z = " + type +
         "[] constant(0)\n  m = " + rows + " reduce(x, i), dimensions={" + mapped +
         "}, to_apply=top\n  mb = " + all + " broadcast(m), dimensions={MAP}\n  c = " + all +
         " subtract(x, mb)\n  e = " + all + " exponential(c)\n  s = " + rows +
         " reduce(e, z), dimensions={" + mapped + "}, to_apply=sum\n  k = " + rows +
         " divide(f, s)\n  kb = " + all + " broadcast(k), dimensions={MAP}\n  ROOT d = " + all +
         " multiply(e, kb)\n}";
}

TEST_CASE("what goes along rows is one loop, with the reductions of the rows") {
  const auto text = [](const char* type, int rows, int length) {
    std::string softmax = Softmax(type, std::to_string(rows), length, "1");
    return std::regex_replace(softmax, std::regex("MAP"), "0");
  };
  // Several rows in a block, with a rest; one longer than a block; the limits of rows.
  for (const auto& [rows, length] : {std::pair{70, 40}, {3, 2500}, {129, 16}, {2, 16384}}) {
    CheckJoined(text("f32", rows, length), "d");
    CheckJoined(text("f64", rows, length), "d");
  }
  CheckJoined(text("f32", 70, 15), "e; d");
  CheckJoined(text("f32", 2, 16385), "e; d");
}

TEST_CASE("rows of several dimensions, results of rows, and integers") {
  CheckJoined(std::regex_replace(Softmax("f32", "5,7", 33, "2"), std::regex("MAP"), "0,1"), "d");
  CheckJoined(R"(
    least { a = s32[] parameter(0)  b = s32[] parameter(1)  ROOT s = s32[] minimum(a, b) }
    sum { a = s32[] parameter(0)  b = s32[] parameter(1)  ROOT s = s32[] add(a, b) }
    ENTRY e {
    x = s32[9,100] parameter(0)
    k = s32[] parameter(1)
    r = s32[9] parameter(2)
    y = s32[9,100] add(x, x)
    m = s32[9] reduce(y, k), dimensions={1}, to_apply=least
    q = s32[9] multiply(m, r)
    qb = s32[9,100] broadcast(q), dimensions={0}
    z = s32[9,100] subtract(y, qb)
    t = s32[9] reduce(z, k), dimensions={1}, to_apply=sum
    ROOT o = (s32[9], s32[9,100], s32[9]) tuple(q, z, t) })",
              "q z t");
}

TEST_CASE("rows with NaN and zeros, and what later passes over a row need") {
  // Square roots of negative numbers; rounded, both zeros; lengths with and without a rest.
  for (const int length : {16, 43, 1024, 1500}) {
    const std::string all = "f32[37," + std::to_string(length) + "]";
    std::string text = R"(
    top { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] maximum(a, b) }
    least { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] minimum(a, b) }
    sum { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }
    ENTRY e {
    x = ALL parameter(0)
    g = f32[LENGTH] parameter(1)
    h = f32[37] parameter(2)
    z = f32[] constant(0)
    i = f32[] constant(-inf)
    j = f32[] constant(inf)
    r = ALL sqrt(x)
    q = ALL floor(x)
    w = ALL negate(q)
    m = f32[37] reduce(r, i), dimensions={1}, to_apply=top
    n = f32[37] reduce(w, j), dimensions={1}, to_apply=least
    o = f32[37] reduce(w, i), dimensions={1}, to_apply=top
    mn = f32[37] add(n, h)
    nb = ALL broadcast(mn), dimensions={0}
    c = ALL subtract(x, nb)
    cc = ALL multiply(c, c)
    v = f32[37] reduce(cc, z), dimensions={1}, to_apply=sum
    u = f32[37] rsqrt(v)
    ub = ALL broadcast(u), dimensions={0}
    gb = ALL broadcast(g), dimensions={1}
    e = ALL exponential(w)
    d = ALL multiply(c, ub)
    k = ALL multiply(d, gb)
    t = f32[37] reduce(k, z), dimensions={1}, to_apply=sum
    tb = ALL broadcast(t), dimensions={0}
    f = ALL add(k, tb)
    fe = ALL multiply(f, e)
    mb = ALL broadcast(m), dimensions={0}
    is = PREDS compare(mb, mb), direction=EQ
    y = ALL select(is, fe, c)
    ROOT all = (ALL, f32[37], f32[37], f32[37], f32[37], ALL) tuple(y, m, n, o, v, c) })";
    text = std::regex_replace(text, std::regex("ALL"), all);
    text = std::regex_replace(text, std::regex("PREDS"), "pred" + all.substr(3));
    text = std::regex_replace(text, std::regex("LENGTH"), std::to_string(length));
    CheckJoined(text, "m n o c v y");
  }
}

TEST_CASE("rows in place of what they are computed of, and many of them") {
  // A norm, then a softmax of numbers of which some have no exponential in f32.
  for (const int length : {16, 50, 1024, 1030}) {
    const std::string all = "f32[83," + std::to_string(length) + "]";
    std::string text = R"(
    less { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = pred[] compare(a, b), direction=LT }
    top { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] maximum(a, b) }
    sum { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }
    ENTRY e {
    p = ALL parameter(0)
    g = f32[LENGTH] parameter(1)
    h = f32[83] parameter(2)
    z = f32[] constant(0)
    i = f32[] constant(-inf)
    k = f32[] constant(25)
    kb = ALL broadcast(k), dimensions={}
    x = ALL sort(p), dimensions={0}, to_apply=less
    t = f32[83] reduce(x, z), dimensions={1}, to_apply=sum
    th = f32[83] multiply(t, h)
    tb = ALL broadcast(th), dimensions={0}
    c = ALL subtract(x, tb)
    gb = ALL broadcast(g), dimensions={1}
    y = ALL multiply(c, gb)
    w = ALL multiply(y, kb)
    m = f32[83] reduce(w, i), dimensions={1}, to_apply=top
    mb = ALL broadcast(m), dimensions={0}
    d = ALL subtract(w, mb)
    e = ALL exponential(d)
    s = f32[83] reduce(e, z), dimensions={1}, to_apply=sum
    sb = ALL broadcast(s), dimensions={0}
    q = ALL divide(e, sb)
    ROOT f = ALL multiply(q, gb) })";
    text = std::regex_replace(text, std::regex("ALL"), all);
    text = std::regex_replace(text, std::regex("LENGTH"), std::to_string(length));
    CheckJoined(text, "f");
  }
}

TEST_CASE("a long region with several results, and operands of which some are rare") {
  CheckJoined(R"(ENTRY e {
    x = f32[70003] parameter(0)
    y = f32[70003] parameter(1)
    k = f32[] constant(40)
    kb = f32[70003] broadcast(k), dimensions={}
    w = f32[70003] multiply(x, kb)
    e = f32[70003] exponential(w)
    s = f32[70003] sine(e)
    p = f32[70003] power(e, y)
    c = pred[70003] compare(s, y), direction=LT
    n = s64[70003] convert(w)
    ROOT o = (f32[70003], pred[70003], f32[70003], s64[70003]) tuple(s, c, p, n) })",
              "s p c n");
}

TEST_CASE("a light region over a long range, both halves of which code goes through at once") {
  for (const char* const type : {"f32", "f64", "c64", "s8", "u16"}) {
    for (const char* const count : {"50003", "140000", "200017"}) {
      const std::string text = R"(ENTRY e {
    x = TYPE[COUNT] parameter(0)
    y = TYPE[COUNT] parameter(1)
    a = TYPE[COUNT] multiply(x, y)
    b = TYPE[COUNT] subtract(a, y)
    ROOT c = TYPE[COUNT] add(b, x) })";
      CheckJoined(std::regex_replace(std::regex_replace(text, std::regex("TYPE"), type),
                                     std::regex("COUNT"), count),
                  "c");
    }
  }
}

TEST_CASE("a light region in place of what it reads") {
  CheckJoined(R"(
    less { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = pred[] compare(a, b), direction=LT }
    ENTRY e {
    p = f32[140001] parameter(0)
    x = f32[140001] sort(p), dimensions={0}, to_apply=less
    a = f32[140001] negate(x)
    b = f32[140001] abs(a)
    ROOT c = f32[140001] subtract(b, a) })",
              "c");
}

TEST_CASE("rows are spread as rows only, and reduced with rows of one length") {
  const std::string square = R"(ENTRY e {
    x = f32[64,64] parameter(0)
    z = f32[] constant(0)
    a = f32[64,64] negate(x)
    t = f32[64] reduce(a, z), dimensions={1}, to_apply=sum
    )";
  // The results of rows, spread over columns of the square.
  CheckJoinedWithSum(square + R"(tb = f32[64,64] broadcast(t), dimensions={1}
    ROOT d = f32[64,64] add(a, tb) })",
                     "a.1 t; d");
  CheckJoinedWithSum(square + R"(f = f32[32,128] reshape(a)
    u = f32[32] reduce(f, z), dimensions={1}, to_apply=sum
    ROOT o = (f32[64], f32[32]) tuple(t, u) })",
                     "a.1 t");
}

TEST_CASE("slices, reversals and reshapes are read in place") {
  CheckJoined(R"(ENTRY e {
    x = s32[40,64] parameter(0)
    s = s32[20,60] slice(x), slice={[3:23], [2:62]}
    v = s32[20,60] reverse(s), dimensions={0}
    f = s32[1200] reshape(v)
    y = s32[1200] parameter(1)
    a = s32[1200] add(f, y)
    g = s32[1200] reshape(s)
    ROOT b = s32[1200] multiply(a, g) })",
              "b");
  // Every element of a transpose is elsewhere: it stays an instruction.
  CheckJoined(R"(ENTRY e {
    x = f32[40,64] parameter(0)
    t = f32[64,40] transpose(x), dimensions={1,0}
    y = f32[64,40] parameter(1)
    a = f32[64,40] add(t, y)
    ROOT b = f32[64,40] multiply(a, t) })",
              "b");
}

TEST_CASE("types of any width, and floats of several") {
  CheckJoined(R"(ENTRY e {
    x = bf16[3000] parameter(0)
    y = f16[3000] parameter(1)
    z = s4[3000] parameter(2)
    a = bf16[3000] tanh(x)
    b = f32[3000] convert(a)
    c = f32[3000] convert(y)
    d = c64[3000] complex(b, c)
    e = c64[3000] multiply(d, d)
    i = f32[3000] imag(e)
    w = s4[3000] add(z, z)
    v = f32[3000] convert(w)
    ROOT r = f32[3000] add(i, v) })",
              "r");
}

TEST_CASE("an array that is updated in place is read before") {
  CheckJoined(R"(ENTRY e {
    x = f32[2000] parameter(0)
    u = f32[1] constant({5})
    i = s32[] constant(3)
    a = f32[2000] negate(x)
    b = f32[2000] abs(a)
    y = f32[2000] dynamic-update-slice(x, u, i)
    c = f32[2000] add(b, y)
    ROOT d = f32[2000] multiply(c, b) })",
              "b; d");
}

TEST_CASE("single instructions, scalars alone and constants stay as they are") {
  CheckJoined("ENTRY e { x = f32[9] parameter(0)  ROOT a = f32[9] negate(x) }", "");
  CheckJoined(R"(ENTRY e {
    i = s32[9] iota(), iota_dimension=0
    a = s32[9] negate(i)
    b = s32[9] abs(a)
    x = s32[9] parameter(0)
    ROOT c = s32[9] add(b, x) })",
              "");
}

TEST_CASE("values that nothing uses are not made") {
  CheckJoined(R"(ENTRY e {
    x = f32[9] parameter(0)
    k = f32[] constant(2)
    kb = f32[9] broadcast(k), dimensions={}
    dead = f32[9] add(x, kb)
    deader = f32[9] multiply(dead, kb)
    ROOT a = f32[9] negate(x) })",
              "");
}

TEST_CASE("arrays with run-time sizes are computed one instruction after the other") {
  CheckJoined(R"(ENTRY e {
    x = f32[12] parameter(0)
    n = s32[] constant(7)
    d = f32[<=12] set-dimension-size(x, n), dimensions={0}
    a = f32[<=12] negate(d)
    b = f32[<=12] exponential(a)
    ROOT c = f32[<=12] add(b, d) })",
              "");
}

TEST_CASE("a loop over scalars runs as one program") {
  const std::string text = R"(
    cond { s = (s32[], (u32[], f32[])) parameter(0)
      i = s32[] get-tuple-element(s), index=0
      n = s32[] constant(5000)
      ROOT lt = pred[] compare(i, n), direction=LT }
    body { s = (s32[], (u32[], f32[])) parameter(0)
      i = s32[] get-tuple-element(s), index=0
      t = (u32[], f32[]) get-tuple-element(s), index=1
      u = u32[] get-tuple-element(t), index=0
      f = f32[] get-tuple-element(t), index=1
      one = s32[] constant(1)
      j = s32[] add(i, one)
      m = u32[] constant(1664525)
      a = u32[] constant(1013904223)
      v = u32[] multiply(u, m)
      w = u32[] add(v, a)
      g = f32[] convert(w)
      h = f32[] add(f, g)
      q = (u32[], f32[]) tuple(w, h)
      ROOT o = (s32[], (u32[], f32[])) tuple(j, q) }
    ENTRY e { z = s32[] constant(0)
      u = u32[] parameter(0)
      f = f32[] parameter(1)
      t = (u32[], f32[]) tuple(u, f)
      s = (s32[], (u32[], f32[])) tuple(z, t)
      ROOT w = (s32[], (u32[], f32[])) while(s), condition=cond, body=body })";
  const auto module = Parse(text);
  CheckSameBits(RunWith(*module, true), RunWith(*module, false));
}

TEST_CASE("a loop over scalars that does not end stops at its limits") {
  const auto module = Parse(R"(
    cond { i = s32[] parameter(0)  ROOT t = pred[] constant(true) }
    body { i = s32[] parameter(0)  one = s32[] constant(1)  ROOT n = s32[] add(i, one) }
    ENTRY e { z = s32[] constant(0)  ROOT w = s32[] while(z), condition=cond, body=body })");
  for (const Budget::Limits limits :
       {Budget::Limits{.steps = 100'000}, Budget::Limits{.seconds = 0.05}}) {
    Budget budget(limits);
    Executor executor(*module, {}, &budget, nullptr);
    executor.Start({});
    CHECK(executor.Run() == Executor::Status::kFailed);
    CHECK(executor.failure().stack.back()->name() == "w");
  }
}

}  // namespace
}  // namespace hlo
