// The limits of handling one request about a text: time, and bytes of what is made of the text.
// Runs have a Budget of their own; this is for everything else that a text can cause: parsing,
// checking, printing, converting, and the answers of engine/views.
#ifndef HLO_ENGINE_BASE_WORK_LIMIT_H_
#define HLO_ENGINE_BASE_WORK_LIMIT_H_

#include <cstddef>
#include <cstdint>

namespace hlo {

/// Limits the work of this thread during its own lifetime. Of nested ones the outermost counts, so
/// that a request that makes other requests has one limit. Without one nothing is limited.
class WorkLimit {
 public:
  struct Limits {
    double seconds = 10;
    uint64_t bytes = uint64_t{1} << 30;        ///< of texts, instructions, constants and answers
    uint64_t text_bytes = uint64_t{16} << 20;  ///< of texts that are printed
  };
  /// The limits for a text of this many bytes: a constant plus a part in proportion to the length.
  static Limits ForText(size_t bytes);

  explicit WorkLimit(Limits limits);
  ~WorkLimit();
  WorkLimit(const WorkLimit&) = delete;
  WorkLimit& operator=(const WorkLimit&) = delete;

 private:
  bool counts_;
};

namespace work_internal {

struct State {
  uint64_t steps_left = UINT64_MAX;  // until the clock is read again
  uint64_t bytes_left = UINT64_MAX;
  uint64_t text_left = UINT64_MAX;
};
extern thread_local State state;
void LookAtClock();
[[noreturn]] void ThrowOutOfBytes();
[[noreturn]] void ThrowOutOfText();

}  // namespace work_internal

/// Counts steps of work, each about as long as it takes to read a word. Throws
/// RunError(kTimeExceeded) when the time is up.
inline void CountWork(uint64_t steps = 1) {
  uint64_t& left = work_internal::state.steps_left;
  if (steps >= left) return work_internal::LookAtClock();
  left -= steps;
}

/// Counts bytes of what is made and kept. Throws RunError(kMemoryExceeded) when they are too many.
inline void CountBytes(uint64_t bytes) {
  uint64_t& left = work_internal::state.bytes_left;
  if (bytes > left) work_internal::ThrowOutOfBytes();
  left -= bytes;
}

/// Counts bytes of a text that is printed for someone to read, which may be no more than a few
/// times what was written. Throws RunError(kMemoryExceeded) when they are too many.
inline void CountText(uint64_t bytes) {
  uint64_t& left = work_internal::state.text_left;
  if (bytes > left) work_internal::ThrowOutOfText();
  left -= bytes;
}

/// Throws as CountText does if a text of this many bytes could not be printed; counts nothing. For
/// texts that are put together before the first of them is printed.
inline void CheckText(uint64_t bytes) {
  if (bytes > work_internal::state.text_left) work_internal::ThrowOutOfText();
}

}  // namespace hlo

#endif  // HLO_ENGINE_BASE_WORK_LIMIT_H_
