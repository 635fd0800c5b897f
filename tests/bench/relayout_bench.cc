// Relayouts of 64 MB against memcpy of as much.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/base/budget.h"
#include "engine/ops/movement/relayout_copy.h"
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

// The fastest of several, in seconds. The two take turns, so that what else the machine does is the
// same for both; the first turns are for the browser's compiler.
struct Times {
  double plain = 1e9, copy = 1e9;
};
template <typename Plain, typename Copy>
Times Best(Plain&& plain, Copy&& copy) {
  using Clock = std::chrono::steady_clock;
  const auto seconds = [](auto&& work) {
    const Clock::time_point start = Clock::now();
    work();
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  Times best;
  for (int i = 0; i < 20; ++i) {
    best.plain = std::min(best.plain, seconds(plain));
    best.copy = std::min(best.copy, seconds(copy));
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
    const Times times =
        Best([&] { std::memcpy(target->data(), source->data(), source->size()); },
             [&] { CopyRelayout(*from.map, source->data(), *to.map, target->data(), &budget); });
    fmt::print("  {:<58} {:>9.0f} %   ({:.1f} of {:.1f} GB/s)\n", bench.what,
               100 * times.plain / times.copy, 1e-9 * static_cast<double>(size) / times.copy,
               1e-9 * static_cast<double>(size) / times.plain);
    std::fflush(stdout);
  }
}

}  // namespace hlo
