#include "tests/bench/run_bench.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/plan/program_memory.h"
#include "engine/plan/region_code.h"
#include "engine/run/executor.h"
#include "engine/run/inputs.h"
#include "engine/views/document.h"
#include "engine/views/run_view.h"
#include "tests/all_targets.h"
#include "tests/golden/read_file.h"

namespace hlo {
namespace {

// Regions that no kernel recognises: what is timed is the compiled region.
constexpr std::string_view kRegions = R"(
odd { a = f32[] parameter(0) b = f32[] parameter(1) h = f32[] constant(0.5)
  m = f32[] multiply(a, h) s = f32[] add(m, b) ROOT r = f32[] maximum(s, b) }
better { av = f32[] parameter(0) ai = s32[] parameter(1) bv = f32[] parameter(2) bi = s32[] parameter(3)
  gt = pred[] compare(av, bv), direction=GT eq = pred[] compare(av, bv), direction=EQ
  lt = pred[] compare(ai, bi), direction=LT tie = pred[] and(eq, lt) keep = pred[] or(gt, tie)
  v = f32[] select(keep, av, bv) i = s32[] select(keep, ai, bi) ROOT t = (f32[], s32[]) tuple(v, i) }
by_magnitude { a = f32[] parameter(0) b = f32[] parameter(1) x = f32[] abs(a) y = f32[] abs(b)
  ROOT r = pred[] compare(x, y), direction=LT }
larger { a = f32[] parameter(0) b = f32[] parameter(1) x = f32[] abs(a) y = f32[] abs(b)
  ROOT r = pred[] compare(x, y), direction=GE }
less { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = pred[] compare(a, b), direction=LT }
sum { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
)";

struct OpBench {
  std::string_view what;
  double steps;  // element-steps: applications of a region, multiply-adds, elements moved
  std::string_view entry;
};

constexpr double kMillion = 1 << 20;
constexpr OpBench kOps[] = {
    {"add f32", kMillion,
     "x = f32[1024,1024] parameter(0) y = f32[1024,1024] parameter(1) ROOT r = f32[1024,1024] "
     "add(x, y)"},
    {"transpose f32", kMillion,
     "x = f32[1024,1024] parameter(0) ROOT r = f32[1024,1024] transpose(x), dimensions={1,0}"},
    {"dot f32 512^3", 512.0 * 512 * 512,
     "x = f32[512,512] parameter(0) y = f32[512,512] parameter(1) ROOT r = f32[512,512] dot(x, y), "
     "lhs_contracting_dims={1}, rhs_contracting_dims={0}"},
    {"convolution f32 3x3, 64 to 64 channels", 56.0 * 56 * 9 * 64 * 64,
     "x = f32[1,56,56,64] parameter(0) w = f32[3,3,64,64] parameter(1) ROOT r = f32[1,56,56,64] "
     "convolution(x, w), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f"},
    {"map, any region", kMillion,
     "x = f32[1048576] parameter(0) y = f32[1048576] parameter(1) ROOT r = f32[1048576] map(x, y), "
     "dimensions={0}, to_apply=odd"},
    {"reduce rows, any region", kMillion,
     "x = f32[1024,1024] parameter(0) z = f32[] constant(0) ROOT r = f32[1024] reduce(x, z), "
     "dimensions={1}, to_apply=odd"},
    {"reduce all, any region", kMillion,
     "x = f32[1048576] parameter(0) z = f32[] constant(0) ROOT r = f32[] reduce(x, z), "
     "dimensions={0}, to_apply=odd"},
    {"reduce argmax (variadic)", kMillion,
     "x = f32[1024,1024] parameter(0) i = s32[1024,1024] iota(), iota_dimension=1 z = f32[] "
     "constant(-inf) n = s32[] constant(0) ROOT r = (f32[1024], s32[1024]) reduce(x, i, z, n), "
     "dimensions={1}, to_apply=better"},
    {"reduce add f32", kMillion,
     "x = f32[1024,1024] parameter(0) z = f32[] constant(0) ROOT r = f32[1024] reduce(x, z), "
     "dimensions={1}, to_apply=sum"},
    {"reduce-window 3x3, any region", 1022.0 * 1022 * 9,
     "x = f32[1024,1024] parameter(0) z = f32[] constant(0) ROOT r = f32[1022,1022] "
     "reduce-window(x, z), window={size=3x3}, to_apply=odd"},
    {"reduce-window 3x3 add", 1022.0 * 1022 * 9,
     "x = f32[1024,1024] parameter(0) z = f32[] constant(0) ROOT r = f32[1022,1022] "
     "reduce-window(x, z), window={size=3x3}, to_apply=sum"},
    {"select-and-scatter 2x2, any regions", kMillion,
     "x = f32[1024,1024] parameter(0) s = f32[512,512] parameter(1) z = f32[] constant(0) ROOT r = "
     "f32[1024,1024] select-and-scatter(x, s, z), window={size=2x2 stride=2x2}, select=larger, "
     "scatter=odd"},
    {"sort f32, any comparator (per comparison)", kMillion * 20,
     "x = f32[1048576] parameter(0) ROOT r = f32[1048576] sort(x), dimensions={0}, "
     "to_apply=by_magnitude"},
    {"sort f32, less than (per n log n)", kMillion * 20,
     "x = f32[1048576] parameter(0) ROOT r = f32[1048576] sort(x), dimensions={0}, to_apply=less"},
    {"gather rows", kMillion,
     "x = f32[4096,256] parameter(0) i = s32[4096,1] iota(), iota_dimension=0 ROOT r = "
     "f32[4096,256] gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
     "index_vector_dim=1, slice_sizes={1,256}"},
    {"scatter elements, any region", kMillion,
     "x = f32[1048576] parameter(0) i = s32[1048576,1] iota(), iota_dimension=0 u = f32[1048576] "
     "parameter(1) ROOT r = f32[1048576] scatter(x, i, u), update_window_dims={}, "
     "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
     "to_apply=odd"},
    {"scatter rows, add", kMillion,
     "x = f32[4096,256] parameter(0) i = s32[4096,1] iota(), iota_dimension=0 u = f32[4096,256] "
     "parameter(1) ROOT r = f32[4096,256] scatter(x, i, u), update_window_dims={1}, "
     "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
     "to_apply=sum"},
    {"fft c64 1024 x 1024 (per element)", kMillion,
     "x = c64[1024,1024] parameter(0) ROOT r = c64[1024,1024] fft(x), fft_type=FFT, "
     "fft_length={1024}"},
    {"cholesky f32 256 (per multiply-add)", 256.0 * 256 * 256 / 6,
     "i = f32[256,256] iota(), iota_dimension=0 j = f32[256,256] iota(), iota_dimension=1 e = "
     "pred[256,256] compare(i, j), direction=EQ o = f32[] constant(1) z = f32[] constant(300) a = "
     "f32[256,256] broadcast(o), dimensions={} b = f32[256,256] broadcast(z), dimensions={} m = "
     "f32[256,256] select(e, b, a) ROOT r = f32[256,256] cholesky(m), lower=true"},
    {"rng-bit-generator (per u32)", kMillion,
     "s = u64[3] parameter(0) ROOT r = (u64[3], u32[1048576]) rng-bit-generator(s), "
     "algorithm=rng_philox"},
};

// The loop that a copy of the array per iteration would make 640 GB of traffic.
constexpr std::string_view kRowLoop = R"(
condition { s = (s32[], f32[16384,1024]) parameter(0) i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(10000) ROOT r = pred[] compare(i, n), direction=LT }
body { s = (s32[], f32[16384,1024]) parameter(0) i = s32[] get-tuple-element(s), index=0
  a = f32[16384,1024] get-tuple-element(s), index=1 o = s32[] constant(1) z = s32[] constant(0)
  f = f32[] convert(i) row = f32[1,1024] broadcast(f), dimensions={}
  b = f32[16384,1024] dynamic-update-slice(a, row, i, z) j = s32[] add(i, o)
  ROOT t = (s32[], f32[16384,1024]) tuple(j, b) }
ENTRY e { i = s32[] constant(0) a = f32[16384,1024] parameter(0)
  s = (s32[], f32[16384,1024]) tuple(i, a)
  ROOT w = (s32[], f32[16384,1024]) while(s), condition=condition, body=body }
)";

constexpr double kScalarIterations = 20e6;
constexpr std::string_view kScalarLoop = R"(
condition { s = (s32[], s32[]) parameter(0)  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(20000000)  ROOT r = pred[] compare(i, n), direction=LT }
body { s = (s32[], s32[]) parameter(0)  i = s32[] get-tuple-element(s), index=0
  a = s32[] get-tuple-element(s), index=1  o = s32[] constant(1)  j = s32[] add(i, o)
  b = s32[] add(a, i)  ROOT t = (s32[], s32[]) tuple(j, b) }
ENTRY e { i = s32[] constant(0)  s = (s32[], s32[]) tuple(i, i)
  ROOT w = (s32[], s32[]) while(s), condition=condition, body=body }
)";

// Seconds of the run alone; negative, and the reason printed, when it fails.
double TimeRun(const Document& document) {
  if (!document.ok()) {
    fmt::print("  refused: {}\n", document.diagnostics().list().front().message);
    return -1;
  }
  Budget budget({.memory_bytes = uint64_t{3} << 30});
  std::vector<Value> args;
  Diagnostics faults;
  for (const Instruction* parameter : document.module()->entry()->parameters()) {
    auto value = MakeInput("random", parameter->shape(), static_cast<int64_t>(args.size()), 1,
                           &budget, faults);
    args.push_back(value ? std::move(*value) : Value());
  }
  Executor executor(*document.module(), OptionsWithTargets(), &budget, nullptr);
  const auto start = std::chrono::steady_clock::now();
  if (executor.Start(std::move(args)) == Executor::Status::kRunning) executor.Run();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  if (executor.status() == Executor::Status::kDone) return took.count();
  fmt::print("  failed: {}\n", executor.failure().message);
  return -1;
}

// The fastest of three: what the machine does beside it does not count.
double BestRun(const std::string& text) {
  const Document document(text);
  double best = TimeRun(document);
  for (int i = 0; i < 2 && best >= 0; ++i) {
    const double seconds = TimeRun(document);
    if (seconds < best) best = seconds;
  }
  return best;
}

}  // namespace

void BenchOps() {
  fmt::print("ops, ns per element-step (goal 50)\n");
  for (const OpBench& bench : kOps) {
    const double seconds = BestRun(fmt::format("{}\nENTRY e {{ {} }}\n", kRegions, bench.entry));
    fmt::print("  {:<58} {:>10.2f} ns\n", bench.what, 1e9 * seconds / bench.steps);
    std::fflush(stdout);
  }
  fmt::print("  {:<58} {:>10.2f} s\n", "while: one row of 64 MB, 10,000 times (goal 1 s)",
             BestRun(std::string(kRowLoop)));
  // Goal of generated code; natively there is none.
  if (TheRegionCodeMaker() == nullptr) return;
  fmt::print("  {:<58} {:>10.0f} M/s\n", "while: two scalars, iterations (goal 200 M/s)",
             kScalarIterations / BestRun(std::string(kScalarLoop)) / 1e6);
}

// The largest sum of the arrays that are live at one time, with every value an array of its own.
double LiveBytes(const Module& module) {
  double bytes = 0;
  for (const SpaceUse& use : MakeProgramMemory(module).spaces) {
    bytes += static_cast<double>(use.peak_bytes);
  }
  return bytes;
}

void BenchModules(const std::string& corpus) {
  std::error_code error;
  fmt::print(
      "XLA's CPU benchmark modules, seeded inputs; peak of memory / largest sum of live arrays\n");
  for (const auto& entry : std::filesystem::directory_iterator(corpus + "/hlo/files", error)) {
    const std::string name = entry.path().filename().string();
    constexpr std::string_view kPrefix = "backends__cpu__benchmarks__hlo__";
    if (!name.starts_with(kPrefix)) continue;
    RunRequest request;
    request.options = OptionsWithTargets();
    request.trace = false;
    request.options.fill_elided = Fill::Kind::kIota;
    request.limits.memory_bytes = uint64_t{4} << 30;
    const auto document = std::make_shared<const Document>(ReadFile(entry.path()));
    const auto record = RunDocument(document, request);
    const std::string outcome =
        record->output ? "" : "  failed: " + record->diagnostics.list().front().message;
    const double peak = static_cast<double>(record->budget->memory_peak());
    fmt::print("  {:<58} {:>10.2f} s  {:>8.1f} MB  {:.2f}{}\n", name.substr(kPrefix.size(), 56),
               record->seconds, peak / 1e6, peak / LiveBytes(*document->module()),
               outcome.substr(0, 200));
    std::fflush(stdout);
  }
}

}  // namespace hlo
