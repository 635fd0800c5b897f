// Pieces that threads share: results, errors, limits, and that bits do not depend on the number of
// threads.
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "doctest/doctest.h"
#include "engine/threads/pieces.h"
#include "engine/threads/pool.h"
#include "tests/golden/read_file.h"
#include "tests/unit/joined_runs.h"
#include "tests/unit/program_cases.h"
#include "tests/unit/thread_scope.h"

namespace hlo {
namespace {

constexpr int64_t kEnoughWork = kSharedWork;

/// Programs for Node have one thread.
#ifdef __EMSCRIPTEN__
constexpr bool kIsAlone = true;
#else
constexpr bool kIsAlone = false;
#endif

template <typename Call>
DiagCode CodeThrownBy(Call&& call, std::string* message = nullptr) {
  try {
    call();
  } catch (const RunError& error) {
    if (message) *message = error.message();
    return error.code();
  }
  FAIL("nothing is thrown");
  return DiagCode::kInternalFault;
}

void Wait(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

TEST_CASE("pieces: each runs once, by threads that are told apart" * doctest::skip(kIsAlone)) {
  for (int threads : {1, 2, 3, 4}) {
    const ThreadScope scope(threads);
    REQUIRE(PieceThreads() == threads);
    for (int round = 0; round < 50; ++round) {
      std::vector<std::atomic<int>> runs(100), busy(static_cast<size_t>(threads));
      Budget budget;
      std::atomic<bool> overlap = false;
      RunPieces(100, kEnoughWork, &budget, [&](int64_t piece, int thread, Budget* own) {
        if (busy[static_cast<size_t>(thread)]++ != 0) overlap = true;
        ++runs[static_cast<size_t>(piece)];
        own->Poll();
        --busy[static_cast<size_t>(thread)];
      });
      CHECK(!overlap);
      for (const std::atomic<int>& count : runs) REQUIRE(count == 1);
    }
  }
}

TEST_CASE("pieces: another thread takes some of them, and little work stays on this one" *
          doctest::skip(kIsAlone)) {
  const ThreadScope scope(2);
  std::atomic<int> others = 0;
  Budget budget;
  const auto body = [&](int64_t, int thread, Budget*) {
    others += thread;
    Wait(1);
  };
  RunPieces(50, kEnoughWork, &budget, body);
  CHECK(others > 0);
  others = 0;
  RunPieces(50, kEnoughWork - 1, &budget, body);
  CHECK(others == 0);
}

TEST_CASE("pieces: the first error is thrown, whichever comes first") {
  for (int threads : {1, 2, 4}) {
    const ThreadScope scope(threads);
    Budget budget;
    std::atomic<int64_t> last = 0;
    std::string message;
    const auto fail = [&](int64_t piece, int, Budget*) {
      last = std::max<int64_t>(last, piece);
      if (piece == 7) Wait(5);
      if (piece >= 7) throw RunError(DiagCode::kRuntimeError, std::to_string(piece));
    };
    CHECK(CodeThrownBy([&] { RunPieces(1000, kEnoughWork, &budget, fail); }, &message) ==
          DiagCode::kRuntimeError);
    CHECK(message == "7");
    CHECK(last < 1000 - 1);
    // Nothing is left behind.
    std::atomic<int> count = 0;
    RunPieces(10, kEnoughWork, &budget, [&](int64_t, int, Budget*) { ++count; });
    CHECK(count == 10);
  }
}

TEST_CASE("pieces: the limits of a run are those of all threads together") {
  for (int threads : {1, 2, 4}) {
    const ThreadScope scope(threads);
    CAPTURE(threads);
    Budget steps({.steps = 1000});
    RunPieces(9, kEnoughWork, &steps, [](int64_t, int, Budget* own) { own->Steps(100); });
    CHECK(steps.steps_used() == 900);
    std::string message;
    const auto exceed = [&] {
      RunPieces(2, kEnoughWork, &steps, [](int64_t, int, Budget* own) { own->Steps(60); });
    };
    CHECK(CodeThrownBy(exceed, &message) == DiagCode::kStepsExceeded);
    CHECK(message == "stopped after the limit of 1000 steps");

    Budget time({.seconds = 0.02});
    const auto last = [&] {
      RunPieces(1000, kEnoughWork, &time, [](int64_t, int, Budget* own) {
        Wait(1);
        own->Poll();
      });
    };
    CHECK(CodeThrownBy(last) == DiagCode::kTimeExceeded);

    Budget memory({.memory_bytes = 1 << 20});
    const auto allocate = [&] {
      RunPieces(8, kEnoughWork, &memory,
                [](int64_t, int, Budget* own) { Buffer::Allocate(2 << 20, own); });
    };
    CHECK(CodeThrownBy(allocate) == DiagCode::kMemoryExceeded);
    CHECK(memory.memory_used() == 0);
  }
}

TEST_CASE("pieces: cancelling a run ends those of all threads" * doctest::skip(kIsAlone)) {
  for (int threads : {1, 2, 4}) {
    const ThreadScope scope(threads);
    Budget budget;
    std::atomic<int> count = 0;
    std::thread other([&] {
      while (count == 0) std::this_thread::yield();
      budget.Cancel();
    });
    const auto run = [&] {
      RunPieces(100'000, kEnoughWork, &budget, [&](int64_t, int, Budget* own) {
        ++count;
        Wait(1);
        own->Poll();
      });
    };
    CHECK(CodeThrownBy(run) == DiagCode::kCancelled);
    other.join();
    CHECK(count < 1000);
  }
}

TEST_CASE("pieces: a piece may have pieces") {
  const ThreadScope scope(3);
  Budget budget;
  std::atomic<int> count = 0;
  RunPieces(20, kEnoughWork, &budget, [&](int64_t, int, Budget* own) {
    RunPieces(20, kEnoughWork, own, [&](int64_t, int thread, Budget*) {
      CHECK(thread == 0);
      ++count;
    });
  });
  CHECK(count == 400);
}

/// A platform whose threads are interrupted in their first job.
bool InterruptedCall(void (*)(void*), void*) { return false; }

TEST_CASE("pieces: a thread that dies ends the run with an error, and others go on" *
          doctest::skip(kIsAlone)) {
  const ThreadScope scope(4);
  SetThreadHooks({.prepare = nullptr, .call = InterruptedCall});
  Budget budget;
  std::string message;
  const auto slow = [](int64_t, int, Budget*) { Wait(1); };
  CHECK(CodeThrownBy([&] { RunPieces(100, kEnoughWork, &budget, slow); }, &message) ==
        DiagCode::kInternalFault);
  CHECK(Contains(message, "a thread of the run was interrupted"));
  SetThreadHooks({});
  std::atomic<int> count = 0;
  RunPieces(100, kEnoughWork, &budget, [&](int64_t, int, Budget*) { ++count; });
  CHECK(count == 100);
}

/// What threads share, each with a result of its own.
std::string SharedProgram() {
  return "add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = f32[] add(a, b) }\n"
         "max { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = f32[] maximum(a, b) }\n"
         "ENTRY e {\n"
         "  x = f32[260,530] parameter(0)\n"
         "  y = f32[530,270] parameter(1)\n"
         "  v = f32[530] parameter(2)\n"
         "  image = f32[2,40,36,24] parameter(3)\n"
         "  kernel = f32[3,3,24,20] parameter(4)\n"
         "  light = f32[3,3,1,24] parameter(5)\n"
         "  half = bf16[260,530] parameter(6)\n"
         "  zero = f32[] constant(0)\n"
         "  low = f32[] constant(-inf)\n"
         "  product = f32[260,270] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
         "  column = f32[260] dot(x, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
         "  row = f32[270] dot(v, y), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n"
         "  conv = f32[2,40,36,20] convolution(image, kernel), window={size=3x3 pad=1_1x1_1}, "
         "dim_labels=b01f_01io->b01f\n"
         "  depth = f32[2,40,36,24] convolution(image, light), window={size=3x3 pad=1_1x1_1}, "
         "dim_labels=b01f_01io->b01f, feature_group_count=24\n"
         "  most = f32[260] reduce(x, low), dimensions={1}, to_apply=max\n"
         "  spread = f32[260,530] broadcast(most), dimensions={0}\n"
         "  less = f32[260,530] subtract(x, spread)\n"
         "  power = f32[260,530] exponential(less)\n"
         "  total = f32[260] reduce(power, zero), dimensions={1}, to_apply=add\n"
         "  totals = f32[260,530] broadcast(total), dimensions={0}\n"
         "  softmax = f32[260,530] divide(power, totals)\n"
         "  across = f32[530] reduce(x, zero), dimensions={0}, to_apply=add\n"
         "  around = f32[40,24] reduce(image, zero), dimensions={0,2}, to_apply=add\n"
         "  turned = f32[530,260] transpose(x), dimensions={1,0}\n"
         "  mixed = f32[24,40,2,36] transpose(image), dimensions={3,1,0,2}\n"
         "  part = f32[250,500] slice(x), slice={[3:253], [10:510]}\n"
         "  wide = f32[260,530] convert(half)\n"
         "  sine = f32[260,530] sine(wide)\n"
         "  ROOT all = (f32[260,270], f32[260], f32[270], f32[2,40,36,20], f32[2,40,36,24], "
         "f32[260,530], f32[530], f32[40,24], f32[530,260], f32[24,40,2,36], f32[250,500], "
         "f32[260,530]) tuple(product, column, row, conv, depth, softmax, across, around, turned, "
         "mixed, part, sine)\n"
         "}\n";
}

TEST_CASE("pieces: results are the same bits for any number of threads") {
  // The file is read in WebAssembly too (tests/wasm/threads.test.ts).
  const std::string operations = ReadFile("tests/data/threads/operations.hlo");
  for (const std::string& text : {SharedProgram(), operations}) {
    const auto module = Parse(text);
    for (bool joins : {true, false}) {
      const Value alone = RunWith(*module, joins);
      for (int threads : {2, 3, 4}) {
        CAPTURE(threads);
        const ThreadScope scope(threads);
        CheckSameBits(RunWith(*module, joins), alone);
      }
    }
  }
}

TEST_CASE("pieces: those who took some are counted, and one thread alone is wanted" *
          doctest::skip(kIsAlone)) {
  const ThreadScope scope(3);
  Budget budget;
  // Pieces that wait until so many threads have some.
  const auto run = [&](int wanted) {
    std::atomic<uint32_t> takers = 0;
    RunPieces(wanted, kEnoughWork, &budget, [&](int64_t, int thread, Budget*) {
      takers |= uint32_t{1} << thread;
      for (int i = 0; i < 5000 && std::popcount(takers.load()) < wanted; ++i) Wait(1);
    });
    return TakeThreadsUsed();
  };
  TakeThreadsUsed();
  CHECK(TakeThreadsUsed() == 1);
  CHECK(run(3) == 3);
  {
    const AloneScope alone(true);
    CHECK(run(1) == 1);
  }
  CHECK(run(2) == 2);
}

}  // namespace
}  // namespace hlo
