// Threads for a part of a test.
#ifndef HLO_TESTS_UNIT_THREAD_SCOPE_H_
#define HLO_TESTS_UNIT_THREAD_SCOPE_H_

#include "engine/threads/pool.h"

namespace hlo {

/// So many threads until the end of the scope.
class ThreadScope {
 public:
  explicit ThreadScope(int count) { SetThreads(count); }
  ~ThreadScope() { SetThreads(1); }
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;
};

}  // namespace hlo

#endif  // HLO_TESTS_UNIT_THREAD_SCOPE_H_
