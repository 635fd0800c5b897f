// Threads that share pieces (pieces.h). A build of WebAssembly without threads has this one alone.
#ifndef HLO_ENGINE_THREADS_POOL_H_
#define HLO_ENGINE_THREADS_POOL_H_

#include <cstdint>

namespace hlo {

/// More threads than this are not made, whatever is asked for.
inline constexpr int kMostThreads = 16;

/// From now on so many threads share pieces, this one among them; 1: this one alone. Those that
/// there are besides stay, and wait. Where the system does not give as many, there are fewer. To be
/// called by the thread that runs programs, between two runs. Returns how many there are.
int SetThreads(int count);

/// How many of them run by now, this one among them: a platform may take its time to start one.
int AwakeThreads();

/// How many threads took pieces since this was asked last: 1 if none but this one did.
int TakeThreadsUsed();

class PieceSharer;  // threads/pieces.h

/// While it lives this thread is alone, if that is wanted.
class AloneScope {
 public:
  explicit AloneScope(bool is_wanted);
  ~AloneScope();
  AloneScope(const AloneScope&) = delete;
  AloneScope& operator=(const AloneScope&) = delete;

 private:
  PieceSharer* const others_;  // null: nobody was kept from it
};

/// What a platform does on a thread of the pool.
struct ThreadHooks {
  /// Before pieces of a job; false: the thread cannot take any. `seen` is the thread's own, 0 at
  /// its beginning.
  bool (*prepare)(uint64_t* seen) = nullptr;
  /// Calls function(argument). Returns whether it came to an end: a platform whose threads can be
  /// interrupted in the middle of it says so here, and the thread is used no more. Nothing is
  /// thrown.
  bool (*call)(void (*function)(void*), void* argument) = nullptr;
};
/// To be called before there are threads.
void SetThreadHooks(ThreadHooks hooks);

}  // namespace hlo

#endif  // HLO_ENGINE_THREADS_POOL_H_
