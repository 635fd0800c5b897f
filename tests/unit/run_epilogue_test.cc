// Loops that run as the epilogue of a product: that they do, and that nothing else changes.
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "doctest/doctest.h"
#include "engine/plan/island.h"
#include "engine/run/profile.h"
#include "tests/unit/joined_runs.h"
#include "tests/unit/program_cases.h"
#include "tests/unit/thread_scope.h"

namespace hlo {
namespace {

/// Programs for Node have one thread.
#ifdef __EMSCRIPTEN__
constexpr int kMostThreads = 1;
#else
constexpr int kMostThreads = 3;
#endif

/// A run with loops joined.
struct JoinedRun {
  RunProfile profile;
  Budget budget;
  Executor executor;
  Executor::Status status;

  explicit JoinedRun(const Module& module, Budget::Limits limits = {}, bool is_stepped = false)
      : budget(limits), executor(module, OptionsWith(&profile), &budget, nullptr) {
    std::vector<Value> args;
    for (int i = 0; i < module.entry()->parameter_count(); ++i) {
      args.push_back(MakeFilled(module.entry()->parameter_shape(i), {},
                                7 + static_cast<uint64_t>(i), nullptr));
    }
    executor.Start(std::move(args));
    if (is_stepped) {
      while ((status = executor.Step()) == Executor::Status::kRunning) {
      }
    } else {
      status = executor.Run();
    }
  }

  /// How many loops ran as epilogues.
  int epilogues() const {
    const auto& entries = profile.entries();
    return static_cast<int>(std::count_if(entries.begin(), entries.end(), [](const auto& entry) {
      return entry->ran_in != nullptr;
    }));
  }

 private:
  static RunOptions OptionsWith(RunProfile* profile) {
    RunOptions options;
    options.join_loops = true;
    options.profile = profile;
    return options;
  }
};

/// The bits are those of instructions that run one by one, with any number of threads, and so many
/// loops are epilogues.
void CheckRuns(const std::string& text, int epilogues) {
  CAPTURE(text);
  const auto module = Parse(text);
  const Value apart = RunWith(*module, false);
  for (int threads = 1; threads <= kMostThreads; ++threads) {
    CAPTURE(threads);
    const ThreadScope scope(threads);
    JoinedRun run(*module);
    REQUIRE(run.status == Executor::Status::kDone);
    CheckSameBits(run.executor.result(), apart);
    CHECK(run.epilogues() == epilogues);
  }
}

std::string Size(int64_t rows, int64_t columns) {
  return "[" + std::to_string(rows) + "," + std::to_string(columns) + "]";
}

/// max(x w + b, 0), in `type`; the factors have the type `from`.
std::string Dense(const std::string& from, const std::string& type, int64_t m, int64_t k,
                  int64_t n) {
  const std::string result = type + Size(m, n);
  const std::string bias = type + "[" + std::to_string(n) + "]";
  return "ENTRY e {\n  x = " + from + Size(m, k) + " parameter(0)\n  w = " + from + Size(k, n) +
         " parameter(1)\n  b = " + bias + " parameter(2)\n  d = " + result +
         " dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n  zero = " + type +
         "[] constant(0)\n  all = " + result + " broadcast(b), dimensions={1}\n  y = " + result +
         " add(d, all)\n  zeros = " + result +
         " broadcast(zero), dimensions={}\n  ROOT r = " + result + " maximum(y, zeros)\n}\n";
}

TEST_CASE("epilogues: a bias and an activation, in every type that is summed as it is") {
  for (const char* type : {"f32", "f64", "s32", "u32", "s64", "u64"}) {
    CheckRuns(Dense(type, type, 129, 40, 201), 1);
  }
  CheckRuns(Dense("s8", "s32", 300, 70, 61), 1);
  CheckRuns(Dense("bf16", "f32", 300, 70, 61), 1);
  // Sums that are rounded at the end.
  CheckRuns(Dense("bf16", "bf16", 300, 70, 61), 0);
  CheckRuns(Dense("f16", "f16", 300, 70, 61), 0);
  CheckRuns(Dense("s8", "s8", 300, 70, 61), 0);
}

TEST_CASE("epilogues: products of any size in parts of rows") {
  // More than one part of k; columns that are no multiple of anything; rows in parts.
  CheckRuns(Dense("f32", "f32", 131, 300, 255), 1);
  CheckRuns(Dense("f32", "f32", 1031, 7, 16), 1);
  CheckRuns(Dense("f32", "f32", 521, 257, 1024), 1);
  CheckRuns(Dense("f32", "f32", 530, 3, 1101), 1);
  CheckRuns(Dense("f32", "f32", 4, 3, 5000), 0);   // short parts
  CheckRuns(Dense("f32", "f32", 200, 3, 257), 0);  // short parts
  CheckRuns(Dense("f32", "f32", 3, 3, 6000), 0);   // thin
  CheckRuns(Dense("f32", "f32", 6000, 3, 3), 0);   // thin
  CheckRuns(Dense("f32", "f32", 127, 3, 128), 0);  // small
  CheckRuns(Dense("f32", "f32", 128, 0, 128), 0);  // nothing is summed
}

TEST_CASE("epilogues: a residual that the product reads too, factors that lie the other way") {
  CheckRuns(R"(ENTRY e {
    x = f32[260,72] parameter(0)
    w = f32[72,72] parameter(1)
    a = f32[260,72] sine(x)
    d = f32[260,72] dot(a, w), lhs_contracting_dims={1}, rhs_contracting_dims={1}
    t = f32[260,72] tanh(d)
    ROOT r = f32[260,72] add(a, t) })",
            1);
  CheckRuns(R"(ENTRY e {
    x = f32[90,260] parameter(0)
    w = f32[90,72] parameter(1)
    u = f32[260,72] parameter(2)
    d = f32[260,72] dot(x, w), lhs_contracting_dims={0}, rhs_contracting_dims={0}
    c = f32[260,72] dot(u, u), lhs_contracting_dims={}, rhs_contracting_dims={}, lhs_batch_dims={0,1}, rhs_batch_dims={0,1}
    ROOT r = f32[260,72] subtract(d, c) })",
            0);
}

/// max(x * k + b, 0) of a convolution of these shapes; the bias is along the dimension `feature`.
std::string Convolved(const std::string& type, const std::string& in, const std::string& kernel,
                      const std::string& out, int features, const std::string& attributes,
                      int feature = 3) {
  const std::string result = type + out, bias = type + "[" + std::to_string(features) + "]";
  return "ENTRY e {\n  x = " + type + in + " parameter(0)\n  k = " + type + kernel +
         " parameter(1)\n  b = " + bias + " parameter(2)\n  c = " + result +
         " convolution(x, k), " + attributes + "\n  zero = " + type +
         "[] constant(0)\n  all = " + result + " broadcast(b), dimensions={" +
         std::to_string(feature) + "}\n  y = " + result + " add(c, all)\n  zeros = " + result +
         " broadcast(zero), dimensions={}\n  ROOT r = " + result + " maximum(y, zeros)\n}\n";
}

constexpr char kSame[] = "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f";

TEST_CASE("epilogues: of convolutions as products, whatever the type that is summed as it is") {
  for (const char* type : {"f32", "f64", "s32", "u64"}) {
    CheckRuns(Convolved(type, "[2,31,29,7]", "[3,3,7,19]", "[2,31,29,19]", 19, kSame), 1);
  }
  CheckRuns(Convolved("f32", "[2,40,40,60]", "[1,1,60,24]", "[2,40,40,24]", 24,
                      "window={size=1x1}, dim_labels=b01f_01io->b01f"),
            1);
  CheckRuns(Convolved("f32", "[3,61,61,5]", "[3,3,5,16]", "[3,30,30,16]", 16,
                      "window={size=3x3 stride=2x2}, dim_labels=b01f_01io->b01f"),
            1);
  // More features than a part of the product has columns; sums that are rounded at the end.
  CheckRuns(Convolved("f32", "[1,8,8,20]", "[1,1,20,1500]", "[1,8,8,1500]", 1500,
                      "window={size=1x1}, dim_labels=b01f_01io->b01f"),
            0);
  CheckRuns(Convolved("bf16", "[2,31,29,7]", "[3,3,7,19]", "[2,31,29,19]", 19, kSame), 0);
}

TEST_CASE("epilogues: of convolutions line by line") {
  // Each feature by itself; narrow types, whose lines are rounded one by one.
  const std::string depthwise = std::string(kSame) + ", feature_group_count=24";
  for (const char* type : {"f32", "f64", "s32", "bf16", "f16", "s8"}) {
    CheckRuns(Convolved(type, "[2,25,27,24]", "[3,3,1,24]", "[2,25,27,24]", 24, depthwise), 1);
  }
  // Groups of few features, that all go together, and that do not.
  CheckRuns(Convolved("f32", "[2,25,27,24]", "[3,3,3,16]", "[2,25,27,16]", 16,
                      std::string(kSame) + ", feature_group_count=8"),
            1);
  CheckRuns(Convolved("f32", "[1,9,200,512]", "[3,3,4,512]", "[1,9,200,512]", 512,
                      std::string(kSame) + ", feature_group_count=128"),
            0);
  // Few features: positions are lanes. A line that goes by parts.
  CheckRuns(R"(ENTRY e {
    x = f32[2,80,90,3] parameter(0)
    k = f32[3,3,3,2] parameter(1)
    c = f32[2,80,90,2] convolution(x, k), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
    ROOT r = f32[2,80,90,2] tanh(c) })",
            1);
  CheckRuns(R"(ENTRY e {
    x = f32[2,9001,1] parameter(0)
    k = f32[5,1,2] parameter(1)
    c = f32[2,9001,2] convolution(x, k), window={size=5 pad=2_2}, dim_labels=b0f_0io->b0f
    ROOT r = f32[2,9001,2] tanh(c) })",
            1);
}

TEST_CASE("epilogues: convolutions whose outputs come from several phases, or are moved") {
  CheckRuns(Convolved("f32", "[1,32,32,16]", "[3,3,16,16]", "[1,64,64,16]", 16,
                      "window={size=3x3 pad=1_2x1_2 lhs_dilate=2x2}, dim_labels=b01f_01io->b01f"),
            0);
  CheckRuns(Convolved("f32", "[1,16,40,40]", "[16,16,3,3]", "[1,16,40,40]", 16,
                      "window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01", 1),
            0);
  // Outputs beyond the input are there in no phase.
  CheckRuns(Convolved("f32", "[1,40,40,16]", "[3,3,16,16]", "[1,60,60,16]", 16,
                      "window={size=3x3 pad=11_11x11_11}, dim_labels=b01f_01io->b01f"),
            0);
}

std::string Softmax(int64_t batch, int64_t m, int64_t n) {
  const std::string rows = "[" + std::to_string(batch) + "," + std::to_string(m) + "]";
  const std::string all =
      "f32[" + std::to_string(batch) + "," + std::to_string(m) + "," + std::to_string(n) + "]";
  const std::string keys = "f32[" + std::to_string(batch) + "," + std::to_string(n) + ",16]";
  const std::string queries = "f32[" + std::to_string(batch) + "," + std::to_string(m) + ",16]";
  return R"(max { p = f32[] parameter(0)  q = f32[] parameter(1)  ROOT r = f32[] maximum(p, q) }
sum { p = f32[] parameter(0)  q = f32[] parameter(1)  ROOT r = f32[] add(p, q) }
ENTRY e {
  q = )" +
         queries + " parameter(0)\n  k = " + keys + " parameter(1)\n  s = " + all +
         " dot(q, k), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, "
         "rhs_contracting_dims={2}\n  least = f32[] constant(-inf)\n  zero = f32[] constant(0)\n  "
         "m = f32" +
         rows + " reduce(s, least), dimensions={2}, to_apply=max\n  mm = " + all +
         " broadcast(m), dimensions={0,1}\n  c = " + all + " subtract(s, mm)\n  e1 = " + all +
         " exponential(c)\n  t = f32" + rows +
         " reduce(e1, zero), dimensions={2}, to_apply=sum\n  tt = " + all +
         " broadcast(t), dimensions={0,1}\n  ROOT p1 = " + all + " divide(e1, tt)\n}\n";
}

TEST_CASE("epilogues: rows of batches are reduced as soon as they are final") {
  CheckRuns(Softmax(8, 40, 70), 1);
  CheckRuns(Softmax(2, 600, 300), 1);
  CheckRuns(Softmax(40, 17, 33), 1);
  // Rows are parts of no piece.
  CheckRuns(Softmax(2, 600, 1200), 0);
}

/// The product of 160 x 160 elements with itself over and over; `loop` is the next state, called y,
/// of the product d.
std::string Iterated(const std::string& loop) {
  return R"(cond { s = (s32[], f32[160,160]) parameter(0)
    i = s32[] get-tuple-element(s), index=0
    n = s32[] constant(7)
    ROOT l = pred[] compare(i, n), direction=LT }
  body { s = (s32[], f32[160,160]) parameter(0)
    i = s32[] get-tuple-element(s), index=0
    x = f32[160,160] get-tuple-element(s), index=1
    d = f32[160,160] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
    one = s32[] constant(1)
    next = s32[] add(i, one)
    )" + loop +
         R"(
    ROOT t = (s32[], f32[160,160]) tuple(next, y) }
  ENTRY e {
    zero = s32[] constant(0)
    x = f32[160,160] parameter(0)
    s = (s32[], f32[160,160]) tuple(zero, x)
    ROOT w = (s32[], f32[160,160]) while(s), condition=cond, body=body })";
}

TEST_CASE("epilogues: in a loop, with constants and a row that are computed after the product") {
  CheckRuns(Iterated(R"(a = f32[] constant(0.01)
    aa = f32[160,160] broadcast(a), dimensions={}
    part = f32[1,160] slice(x), slice={[3:4], [0:160]}
    row = f32[160] reshape(part)
    f = f32[160] exponential(row)
    ff = f32[160,160] broadcast(f), dimensions={1}
    m = f32[160,160] multiply(d, aa)
    q = f32[160,160] add(m, ff)
    y = f32[160,160] tanh(q))"),
            1);
}

TEST_CASE("epilogues: products in fewer bits come from parts, which are not the result") {
  const auto module = Parse(Dense("f32", "f32", 129, 40, 201));
  for (MultiplyAdd step : {MultiplyAdd::kSeparate, MultiplyAdd::kFused}) {
    Value values[2];
    for (bool joins : {false, true}) {
      static Budget budget;  // results are charged to it
      RunOptions options;
      options.join_loops = joins;
      options.multiply_add = step;
      std::vector<Value> args;
      for (int i = 0; i < 3; ++i) {
        args.push_back(MakeFilled(module->entry()->parameter_shape(i), {}, 7, nullptr));
      }
      Executor executor(*module, options, &budget, nullptr);
      executor.Start(std::move(args));
      REQUIRE(executor.Run() == Executor::Status::kDone);
      values[joins ? 1 : 0] = executor.result();
    }
    CheckSameBits(values[0], values[1]);
  }
}

TEST_CASE("epilogues: every limit of steps is met where it is without islands") {
  const auto module = Parse(Iterated("y = f32[160,160] tanh(d)"));
  const uint64_t all = JoinedRun(*module).budget.steps_used();
  CHECK(JoinedRun(*module, {}, /*is_stepped=*/true).budget.steps_used() == all);
  for (uint64_t steps = 1; steps < all; ++steps) {
    Budget::Limits limits;
    limits.steps = steps;
    const JoinedRun whole(*module, limits), stepped(*module, limits, /*is_stepped=*/true);
    REQUIRE(whole.status == Executor::Status::kFailed);
    REQUIRE(stepped.status == Executor::Status::kFailed);
    CHECK(whole.executor.failure().message == stepped.executor.failure().message);
    CHECK(whole.executor.failure().stack == stepped.executor.failure().stack);
  }
}

TEST_CASE("epilogues: no more arrays than for steps of their own") {
  const auto module = Parse(Dense("f32", "f32", 600, 40, 900));
  // What the loop works on, for each block of elements, is there beside the product.
  Plan plan(*module, nullptr, /*joins_loops=*/true);
  const JoinedLoop& loop = *plan.For(*module->entry()).loops.at(0);
  const auto blocks = static_cast<uint64_t>(loop.steps.scalar_count) + loop.inputs.size();
  const uint64_t peak = JoinedRun(*module).budget.memory_peak();
  // Without islands loops run after products.
  const JoinedRun apart(*module, {}, /*is_stepped=*/true);
  CHECK(apart.epilogues() == 0);
  CHECK(peak <= apart.budget.memory_peak() + blocks * kRegionBlock * sizeof(float));
}

/// Why the only loop that might be an epilogue is none.
Separate WhySeparate(const std::string& text) {
  const auto module = Parse(text);
  Plan plan(*module, nullptr, /*joins_loops=*/true);
  Islands islands(&plan);
  const Island* const island = islands.Of(*module->entry());
  REQUIRE(island != nullptr);
  REQUIRE(island->separate.size() == 1);
  return island->separate[0].why;
}

/// A product d of 160 x 160 elements, and what follows.
std::string After(const std::string& rest) {
  return R"(sum { p = f32[] parameter(0)  q = f32[] parameter(1)  ROOT r = f32[] add(p, q) }
  ENTRY e {
    x = f32[160,160] parameter(0)
    zero = f32[] constant(0)
    d = f32[160,160] dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
    )" + rest +
         " }";
}

TEST_CASE("epilogues: why a loop is none") {
  CHECK(WhySeparate(Dense("bf16", "bf16", 300, 70, 61)) == Separate::kWhole);
  CHECK(WhySeparate(Dense("f32", "f32", 200, 3, 257)) == Separate::kWhole);
  CHECK(WhySeparate("ENTRY e { x = f32[1,40,40,16] parameter(0)\n"
                    "k = f32[3,3,16,16] parameter(1)\n"
                    "c = f32[16,40,40,1] convolution(x, k), window={size=3x3 pad=1_1x1_1}, "
                    "dim_labels=b01f_01io->f01b\n"
                    "ROOT r = f32[16,40,40,1] tanh(c) }") == Separate::kWhole);
  CHECK(WhySeparate(Softmax(2, 600, 1200)) == Separate::kRows);
  CHECK(WhySeparate(After("t = f32[160,160] tanh(d)\n"
                          "ROOT r = (f32[160,160], f32[160,160]) tuple(d, t)")) ==
        Separate::kNeeded);
  CHECK(WhySeparate(After("s = f32[160,160] sine(x)\n"
                          "t = f32[160,160] reverse(d), dimensions={0}\n"
                          "ROOT r = f32[160,160] add(s, t)")) == Separate::kOrder);
  CHECK(WhySeparate(After("t = f32[160,160] tanh(d)\n"
                          "ROOT r = bf16[160,160] convert(t)")) == Separate::kMemory);
  CHECK(WhySeparate(After("c = f32[160,160] cholesky(x)\n"
                          "ROOT r = f32[160,160] add(d, c)")) == Separate::kLater);
}

}  // namespace
}  // namespace hlo
