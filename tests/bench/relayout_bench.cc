// Relayouts of 64 MB against memcpy of as much.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/base/budget.h"
#include "engine/ops/relayout_copy.h"
#include "engine/types/tensor.h"
#include "engine/views/layout_view.h"
#include "tests/bench/run_bench.h"

namespace hlo {
namespace {

struct RelayoutBench {
  std::string_view what, from, to;
};
constexpr RelayoutBench kRelayouts[] = {
    {"f32 transpose", "f32[4096,4096]{1,0}", "f32[4096,4096]{0,1}"},
    {"f32 transpose, odd sizes", "f32[4099,4093]{1,0}", "f32[4099,4093]{0,1}"},
    {"f32 to (8,128)", "f32[4096,4096]{1,0}", "f32[4096,4096]{1,0:T(8,128)}"},
    {"f32 from (8,128)", "f32[4096,4096]{1,0:T(8,128)}", "f32[4096,4096]{1,0}"},
    {"f32 transpose and (8,128)", "f32[4096,4096]{1,0}", "f32[4096,4096]{0,1:T(8,128)}"},
    {"f32 4-d, NCHW to NHWC", "f32[16,256,64,64]{3,2,1,0}", "f32[16,256,64,64]{1,3,2,0}"},
    {"bf16 to (8,128)(2,1)", "bf16[8192,4096]{1,0}", "bf16[8192,4096]{1,0:T(8,128)(2,1)}"},
    {"bf16 from (8,128)(2,1)", "bf16[8192,4096]{1,0:T(8,128)(2,1)}", "bf16[8192,4096]{1,0}"},
    {"bf16 transpose", "bf16[8192,4096]{1,0}", "bf16[8192,4096]{0,1}"},
    {"s8 to (8,128)(4,1)", "s8[8192,8192]{1,0}", "s8[8192,8192]{1,0:T(8,128)(4,1)}"},
    {"s8 transpose", "s8[8192,8192]{1,0}", "s8[8192,8192]{0,1}"},
    {"f64 transpose", "f64[4096,2048]{1,0}", "f64[4096,2048]{0,1}"},
};

// The fastest of several, in seconds of this process: what else the machine does counts less.
template <typename F>
double Best(F&& work) {
  double best = 1e9;
  for (int i = 0; i < 9; ++i) {
    const std::clock_t start = std::clock();
    work();
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return best;
}

}  // namespace

void BenchRelayout() {
  fmt::print("relayouts of 64 MB, percent of memcpy (goal 50)\n");
  Budget budget({.memory_bytes = uint64_t{3} << 30});
  for (const RelayoutBench& bench : kRelayouts) {
    const LayoutView from = MakeLayoutView(bench.from);
    const LayoutView to = MakeLayoutView(bench.to);
    const size_t size = static_cast<size_t>(std::max(from.map->byte_size(), to.map->byte_size()));
    const auto source = Buffer::Allocate(size, &budget);
    const auto target = Buffer::Allocate(size, &budget);
    std::memset(source->data(), 1, size);
    std::memset(target->data(), 2, size);
    const double plain = Best([&] { std::memcpy(target->data(), source->data(), source->size()); });
    const double copy =
        Best([&] { CopyRelayout(*from.map, source->data(), *to.map, target->data(), &budget); });
    fmt::print("  {:<58} {:>9.0f} %   ({:.1f} of {:.1f} GB/s)\n", bench.what, 100 * plain / copy,
               1e-9 * static_cast<double>(size) / copy, 1e-9 * static_cast<double>(size) / plain);
    std::fflush(stdout);
  }
}

}  // namespace hlo
