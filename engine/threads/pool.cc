#include "engine/threads/pool.h"

// A build of WebAssembly without threads has none of the library either.
#if !defined(__EMSCRIPTEN__) || defined(__EMSCRIPTEN_PTHREADS__)

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "engine/base/budget.h"
#include "engine/threads/pieces.h"

namespace hlo {
namespace {

ThreadHooks the_hooks;

/// How long a thread that has nothing to do looks for more before it sleeps. To wake one takes 20
/// to 200 µs, as long as many an operation of a program, and the next one comes in less.
constexpr std::chrono::microseconds kWatch{300};
/// How long the end of the last pieces is watched for: they are as long as those that have ended.
constexpr std::chrono::microseconds kWatchEnd{200};

/// Waits without sleeping until `holds()`, or for no longer than that. Returns whether it holds.
template <typename Condition>
bool Watch(std::chrono::microseconds most, Condition holds) {
  // Reading the clock takes as long as some ten of these.
  constexpr int kLooks = 100;
  const auto until = std::chrono::steady_clock::now() + most;
  do {
    for (int i = 0; i < kLooks; ++i) {
      if (holds()) return true;
    }
  } while (std::chrono::steady_clock::now() < until);
  return holds();
}

/// The pieces of one call, while threads share them.
struct SharedJob {
  SharedJob(int64_t piece_count, Budget* whole, int threads, PieceBody piece_body)
      : count(piece_count), end(piece_count), body(piece_body) {
    // Each thread has the limits of the whole, and has used what that has; of memory it has a part.
    const Budget::Usage used = whole->usage();
    first_steps = used.steps;
    Budget::Limits limits = whole->limits();
    limits.memory_bytes = whole->memory_left() / static_cast<uint64_t>(threads);
    for (int i = 0; i < threads; ++i) {
      budgets.push_back(std::make_unique<Budget>(limits));
      budgets.back()->Continue(used);
    }
  }

  uint64_t steps() const {
    uint64_t sum = 0;
    for (const std::unique_ptr<Budget>& budget : budgets) sum += budget->steps_used() - first_steps;
    return sum;
  }

  /// Runs pieces for as long as there are any. `caller`: the budget of the whole, on its thread.
  void Take(int thread, Budget* caller = nullptr) {
    Budget* const budget = budgets[static_cast<size_t>(thread)].get();
    for (;;) {
      const int64_t piece = next.fetch_add(1, std::memory_order_relaxed);
      if (piece >= end.load(std::memory_order_relaxed)) return;
      takers.fetch_or(uint32_t{1} << thread, std::memory_order_relaxed);
      try {
        // Cancelling reaches the whole's budget alone.
        if (caller != nullptr) caller->Poll();
        body(piece, thread, budget);
      } catch (...) {
        Fail(piece, std::current_exception());
      }
    }
  }

  /// Pieces behind one that failed are not begun. Those before it have been, and end.
  void Fail(int64_t piece, std::exception_ptr thrown) {
    const std::lock_guard lock(mutex);
    if (piece >= end.load(std::memory_order_relaxed)) return;
    end.store(piece, std::memory_order_relaxed);
    error = std::move(thrown);
  }

  const int64_t count;
  std::atomic<int64_t> next{0};
  std::atomic<int64_t> end;         // no piece from here on is begun
  std::atomic<uint32_t> takers{0};  // a bit for each thread that took pieces
  PieceBody body;
  uint64_t first_steps = 0;
  std::vector<std::unique_ptr<Budget>> budgets;  // by thread
  std::mutex mutex;
  std::exception_ptr error;
};

class ThreadPool final : public PieceSharer {
 public:
  /// Starts as many threads as there are to be besides this one.
  int Grow(int count) {
    count = std::clamp(count, 1, kMostThreads);
    BuryDead();
    try {
      for (int number = 1; number < count; ++number) {
        if (number > static_cast<int>(threads_.size())) threads_.emplace_back();
        std::thread& thread = threads_[static_cast<size_t>(number) - 1];
        if (!thread.joinable()) thread = std::thread([this, number] { Work(number); });
      }
    } catch (...) {
      // The system gives no more. (No type is named here: see UNWINDER in the Makefile.)
      while (!threads_.empty() && !threads_.back().joinable()) threads_.pop_back();
    }
    const std::lock_guard lock(mutex_);
    wanted_ = std::min(count, static_cast<int>(threads_.size()) + 1);
    return wanted_;
  }

  int awake() {
    const std::lock_guard lock(mutex_);
    return 1 + std::min(awake_, wanted_ - 1);
  }

  ~ThreadPool() override {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
  }

  int threads() const override { return wanted_; }

  int TakeUsed() { return std::max(std::popcount(std::exchange(takers_, 0)), 1); }

  void Run(int64_t count, Budget* budget, PieceBody body) override {
    // A piece that has pieces.
    if (is_busy_.exchange(true, std::memory_order_acquire)) {
      for (int64_t piece = 0; piece < count; ++piece) body(piece, 0, budget);
      return;
    }
    const struct Busy {
      std::atomic<bool>& is_busy;
      ~Busy() { is_busy.store(false, std::memory_order_release); }
    } busy{is_busy_};
    SharedJob job(count, budget, wanted_, body);
    Begin(&job);
    job.Take(0, budget);
    const bool has_died = End(&job, budget);
    takers_ |= job.takers.load(std::memory_order_relaxed);
    if (has_died) {
      throw RunError(DiagCode::kInternalFault, "a thread of the run was interrupted");
    }
    if (job.error) std::rethrow_exception(job.error);
    budget->Steps(job.steps());
  }

 private:
  // Others are started in their places.
  void BuryDead() {
    std::vector<int> dead;
    {
      const std::lock_guard lock(mutex_);
      dead.swap(dead_);
    }
    for (int number : dead) threads_[static_cast<size_t>(number) - 1].join();
  }

  void Begin(SharedJob* job) {
    {
      const std::lock_guard lock(mutex_);
      job_ = job;
      has_died_.store(false, std::memory_order_relaxed);
      generation_.fetch_add(1, std::memory_order_release);
      if (asleep_ == 0) return;
    }
    // Not just as many as are of use: the one that is woken might be one too many by its number.
    wake_.notify_all();
  }

  // Waits for those that took pieces. Those that have not woken up yet find nothing to do. Without
  // the mutex where they end soon: they might hold it, and the system would put this thread to
  // sleep.
  bool End(SharedJob* job, Budget* budget) {
    {
      const std::lock_guard lock(mutex_);
      job_ = nullptr;
    }
    if (!Watch(kWatchEnd, [this] { return !IsActive(); })) WaitForEnd(job, budget);
    return has_died_.load(std::memory_order_relaxed);
  }

  void WaitForEnd(SharedJob* job, Budget* budget) {
    std::unique_lock lock(mutex_);
    is_waiting_ = true;
    while (IsActive()) {
      done_.wait_for(lock, std::chrono::milliseconds(50));
      if (!IsActive()) break;
      try {
        budget->Poll();
      } catch (...) {
        job->Fail(0, std::current_exception());
        for (const std::unique_ptr<Budget>& own : job->budgets) own->Cancel();
      }
    }
    is_waiting_ = false;
  }

  bool IsActive() const { return active_.load() > 0; }

  // The next job for a thread, which then is active; null where there was one that it came too late
  // for. Sleeps if none comes for a while. `is_new`: there has been one that it has not seen.
  template <typename IsNew>
  SharedJob* NextJob(int number, uint64_t* seen, IsNew is_new) {
    const bool has_come = number < wanted_.load() && Watch(kWatch, is_new);
    std::unique_lock lock(mutex_);
    if (!has_come) {
      ++asleep_;
      wake_.wait(lock, [&] {
        return is_over_ || (job_ != nullptr && is_new() && number < wanted_.load());
      });
      --asleep_;
    }
    *seen = generation_.load(std::memory_order_relaxed);
    if (job_ == nullptr || number >= wanted_.load()) return nullptr;
    active_.fetch_add(1);
    return job_;
  }

  bool IsOver() {
    const std::lock_guard lock(mutex_);
    return is_over_;
  }

  void Work(int number) {
    uint64_t seen_jobs = 0, seen_by_platform = 0;
    const auto is_new = [&] { return generation_.load(std::memory_order_acquire) != seen_jobs; };
    {
      const std::lock_guard lock(mutex_);
      ++awake_;
    }
    for (;;) {
      SharedJob* const job = NextJob(number, &seen_jobs, is_new);
      if (job == nullptr) {
        if (IsOver()) return;
        continue;
      }
      Part part{job, number};
      const bool can_take = !the_hooks.prepare || the_hooks.prepare(&seen_by_platform);
      const bool has_ended = !can_take || Call(&part);
      if (!has_ended) Die(number);
      if (active_.fetch_sub(1) == 1 && is_waiting_.load()) {
        const std::lock_guard lock(mutex_);
        done_.notify_one();
      }
      if (!has_ended) return;
    }
  }

  void Die(int number) {
    has_died_.store(true, std::memory_order_relaxed);
    const std::lock_guard lock(mutex_);
    dead_.push_back(number);
    --awake_;
  }

  struct Part {
    SharedJob* job;
    int thread;
  };
  static bool Call(Part* part) {
    const auto take = [](void* at) {
      const Part& taken = *static_cast<Part*>(at);
      taken.job->Take(taken.thread);
    };
    if (the_hooks.call) return the_hooks.call(take, part);
    take(part);
    return true;
  }

  std::vector<std::thread> threads_;
  uint32_t takers_ = 0;  // of the jobs so far, as theirs
  std::atomic<bool> is_busy_{false};
  std::atomic<int> wanted_{1};           // changes between two jobs alone
  std::atomic<uint64_t> generation_{0};  // of the job, counted up under the mutex
  std::atomic<int> active_{0};         // threads that take pieces, besides the one whose job it is
  std::atomic<bool> has_died_{false};  // one of them
  std::atomic<bool> is_waiting_{false};  // the one whose job it is sleeps until the others are done
  // What follows is of the mutex.
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  SharedJob* job_ = nullptr;  // while pieces may be taken
  int asleep_ = 0;            // threads that wait to be woken
  int awake_ = 0;             // threads besides the one that runs programs
  std::vector<int> dead_;
  bool is_over_ = false;
};

ThreadPool& ThePool() {
#ifdef __EMSCRIPTEN__
  static auto* const pool = new ThreadPool;  // stays: the threads end with the page
  return *pool;
#else
  static ThreadPool pool;
  return pool;
#endif
}

}  // namespace

int SetThreads(int count) {
  if (count <= 1 && ThePieceSharer() == nullptr) return 1;
  ThreadPool& pool = ThePool();
  const int threads = pool.Grow(count);
  SetPieceSharer(threads > 1 ? &pool : nullptr);
  return threads;
}

int AwakeThreads() { return ThePieceSharer() == nullptr ? 1 : ThePool().awake(); }

int TakeThreadsUsed() { return ThePieceSharer() == nullptr ? 1 : ThePool().TakeUsed(); }

AloneScope::AloneScope(bool is_wanted) : others_(is_wanted ? ThePieceSharer() : nullptr) {
  if (others_ != nullptr) SetPieceSharer(nullptr);
}
AloneScope::~AloneScope() {
  if (others_ != nullptr) SetPieceSharer(others_);
}

void SetThreadHooks(ThreadHooks hooks) { the_hooks = hooks; }

}  // namespace hlo

#else

namespace hlo {

int SetThreads(int) { return 1; }
int AwakeThreads() { return 1; }
int TakeThreadsUsed() { return 1; }
AloneScope::AloneScope(bool) : others_(nullptr) {}
AloneScope::~AloneScope() { static_cast<void>(others_); }
void SetThreadHooks(ThreadHooks) {}

}  // namespace hlo

#endif
