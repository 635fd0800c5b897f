// Programs that people look at, replayed: the page's examples, and what XLA times its CPU backend
// with, in small.
#include "tests/replay/replay.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "doctest/doctest.h"
#include "engine/views/run_inputs.h"
#include "tests/all_targets.h"

namespace hlo {
namespace {

RunRequest ReplayRequest() {
  RunRequest request;
  request.options = OptionsWithTargets();
  request.options.seed = 1;
  request.options.fill_elided = Fill::Kind::kIota;
  request.limits = {.memory_bytes = 256 << 20, .steps = 1500, .seconds = 20};
  return request;
}

void CheckReplay(const std::string& name, std::string text, std::vector<std::string> inputs = {}) {
  INFO(name);
  RunRequest request = ReplayRequest();
  request.inputs = std::move(inputs);
  const auto document =
      std::make_shared<const Document>(std::move(text), VerifierOptions{}, InputsOf(request));
  REQUIRE(document->ok());
  for (const size_t checkpoints : {1, 5}) {
    ReplayOptions options;
    options.timeline.milliseconds = 0;
    options.timeline.checkpoints = checkpoints;
    options.positions = 20;
    ReplayTimes times;
    CHECK(ReplayFault(document, request, options, &times) == "");
    CHECK(times.steps > 0);
  }
}

TEST_CASE("replay: the page's examples, backward and forward, have the states of a straight run") {
  int programs = 0;
  for (const auto& entry : std::filesystem::directory_iterator("web/src/examples")) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".hlo" && extension != ".mlir") continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    const std::string name = entry.path().filename().string();
    std::vector<std::string> inputs;
    if (name == "open-sizes.mlir") inputs = {"f32[3,4] iota", "{1,2,3,4}"};
    CheckReplay(name, std::move(text), std::move(inputs));
    ++programs;
  }
  CHECK(programs > 20);
}

// A step of training: loss, its gradient by hand, an update, several times.
constexpr char kTrainStep[] = R"(
HloModule jit_train_step
add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = f32[] add(a, b) }
cond { s = (s32[], f32[6,4], f32[8,6], f32[8,4]) parameter(0)  i = s32[] get-tuple-element(s), index=0
       n = s32[] constant(9)  ROOT lt = pred[] compare(i, n), direction=LT }
step { s = (s32[], f32[6,4], f32[8,6], f32[8,4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  w = f32[6,4] get-tuple-element(s), index=1
  x = f32[8,6] get-tuple-element(s), index=2
  y = f32[8,4] get-tuple-element(s), index=3
  z = f32[8,4] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  p = f32[8,4] tanh(z)
  d = f32[8,4] subtract(p, y)
  g = f32[6,4] dot(x, d), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  rate = f32[] constant(0.01)
  rates = f32[6,4] broadcast(rate), dimensions={}
  u = f32[6,4] multiply(g, rates)
  v = f32[6,4] subtract(w, u)
  one = s32[] constant(1)
  j = s32[] add(i, one)
  ROOT t = (s32[], f32[6,4], f32[8,6], f32[8,4]) tuple(j, v, x, y)
}
ENTRY main {
  w = f32[6,4] parameter(0)
  x = f32[8,6] parameter(1)
  y = f32[8,4] parameter(2)
  zero = s32[] constant(0)
  s = (s32[], f32[6,4], f32[8,6], f32[8,4]) tuple(zero, w, x, y)
  loop = (s32[], f32[6,4], f32[8,6], f32[8,4]) while(s), condition=cond, body=step
  v = f32[6,4] get-tuple-element(loop), index=1
  squares = f32[6,4] multiply(v, v)
  none = f32[] constant(0)
  ROOT norm = f32[] reduce(squares, none), dimensions={0,1}, to_apply=add
}
)";

// Rows that are written in place in a loop, by indices that are clipped by calls.
constexpr char kUpdateInPlace[] = R"(
HloModule jit_f
clip { a = s32[] parameter(0)  low = s32[] constant(0)  high = s32[] constant(15)
       least = s32[] maximum(a, low)  ROOT c = s32[] minimum(least, high) }
cond { s = (s32[], f32[16,64]) parameter(0)  i = s32[] get-tuple-element(s), index=0
       n = s32[] constant(20)  ROOT lt = pred[] compare(i, n), direction=LT }
body { s = (s32[], f32[16,64]) parameter(0)  i = s32[] get-tuple-element(s), index=0
  x = f32[16,64] get-tuple-element(s), index=1
  zero = s32[] constant(0)
  at = s32[] call(i), to_apply=clip
  row = f32[1,64] dynamic-slice(x, at, zero), dynamic_slice_sizes={1,64}
  e = f32[1,64] exponential(row)
  y = f32[16,64] dynamic-update-slice(x, e, at, zero)
  one = s32[] constant(1)
  j = s32[] add(i, one)
  ROOT t = (s32[], f32[16,64]) tuple(j, y)
}
ENTRY main {
  x = f32[16,64] parameter(0)
  zero = s32[] constant(0)
  s = (s32[], f32[16,64]) tuple(zero, x)
  loop = (s32[], f32[16,64]) while(s), condition=cond, body=body
  ROOT y = f32[16,64] get-tuple-element(loop), index=1
}
)";

// Sorting with positions, and what follows from the order: an embedding, a scatter, random bits.
constexpr char kSortAndGather[] = R"(
HloModule jit_lookup
order { a = bf16[] parameter(0)  b = bf16[] parameter(1)  i = s32[] parameter(2)
        j = s32[] parameter(3)  ROOT gt = pred[] compare(a, b), direction=GT }
add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = f32[] add(a, b) }
fused { t = f32[32,8] parameter(0)  k = s32[4,1] parameter(1)
        ROOT rows = f32[4,8] gather(t, k), offset_dims={1}, collapsed_slice_dims={0},
          start_index_map={0}, index_vector_dim=1, slice_sizes={1,8} }
ENTRY main {
  logits = bf16[4,32] parameter(0)
  table = f32[32,8] parameter(1)
  numbers = s32[4,32] iota(), iota_dimension=1
  sorted = (bf16[4,32], s32[4,32]) sort(logits, numbers), dimensions={1}, is_stable=true, to_apply=order
  best = s32[4,32] get-tuple-element(sorted), index=1
  first = s32[4,1] slice(best), slice={[0:4], [0:1]}
  rows = f32[4,8] fusion(table, first), kind=kLoop, calls=fused
  low = f32[] constant(0)
  high = f32[] constant(1)
  noise = f32[4,8] rng(low, high), distribution=rng_uniform
  sum = f32[4,8] add(rows, noise)
  ROOT grad = f32[32,8] scatter(table, first, sum), update_window_dims={1}, inserted_window_dims={0},
    scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add
}
)";

// A depthwise convolution, a window's sum, and a branch.
constexpr char kConvolution[] = R"(
HloModule jit_conv
add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = f32[] add(a, b) }
up { a = f32[1,4,6,6] parameter(0)  ROOT e = f32[1,4,6,6] exponential(a) }
down { a = f32[1,4,6,6] parameter(0)  ROOT e = f32[1,4,6,6] negate(a) }
ENTRY main {
  x = bf16[1,4,6,6] parameter(0)
  c = bf16[] constant(0.125)
  k = bf16[4,1,3,3] broadcast(c), dimensions={}
  y = bf16[1,4,6,6] convolution(x, k), window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01, feature_group_count=4
  z = f32[1,4,6,6] convert(y)
  zero = f32[] constant(0)
  scan = f32[1,4,6,6] reduce-window(z, zero), window={size=1x1x6x1 pad=0_0x0_0x5_0x0_0}, to_apply=add
  total = f32[] reduce(scan, zero), dimensions={0,1,2,3}, to_apply=add
  is_more = pred[] compare(total, zero), direction=GT
  ROOT out = f32[1,4,6,6] conditional(is_more, scan, scan), true_computation=up, false_computation=down
}
)";

TEST_CASE("replay: programs like XLA's CPU benchmarks have the states of a straight run") {
  CheckReplay("a train step", kTrainStep);
  CheckReplay("updates in place", kUpdateInPlace);
  CheckReplay("sort, gather and scatter", kSortAndGather);
  CheckReplay("a convolution", kConvolution);
}

}  // namespace
}  // namespace hlo
