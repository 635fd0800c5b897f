// Work in pieces that threads share. What the pieces are follows from shapes alone, and each writes
// what no other one does: results are the same bits for any number of threads.
#ifndef HLO_ENGINE_THREADS_PIECES_H_
#define HLO_ENGINE_THREADS_PIECES_H_

#include <algorithm>
#include <cstdint>

#include "engine/base/budget.h"
#include "engine/base/function_ref.h"

namespace hlo {

/// One piece. `thread` is below PieceThreads(), and no two pieces that run at the same time have
/// the same: what a piece needs to itself (scratch memory) is made for each thread beforehand.
/// `budget` is for this thread alone: to be polled, and to count steps. Throws RunError.
using PieceBody = FunctionRef<void(int64_t piece, int thread, Budget* budget)>;

/// What shares pieces among threads (pool.h). Where there is none, pieces run one after the other.
class PieceSharer {
 public:
  virtual ~PieceSharer() = default;
  /// 2 or more.
  virtual int threads() const = 0;
  /// Runs the pieces [0, count). The error that is thrown is that of the first piece with one.
  virtual void Run(int64_t count, Budget* budget, PieceBody body) = 0;
};
/// Null: one thread.
PieceSharer* ThePieceSharer();
void SetPieceSharer(PieceSharer* sharer);

/// Less work than this, in multiplications or loads of an element, takes little longer than it
/// takes to share it.
inline constexpr int64_t kSharedWork = int64_t{1} << 16;

#ifdef HLO_SMALL

// What the page loads first has one thread (Makefile): the compiler drops what serves several.
static inline int PieceThreads() { return 1; }
static inline bool IsShared(int64_t) { return false; }
template <typename Body>
void RunPieces(int64_t count, int64_t, Budget* budget, Body&& body) {
  for (int64_t piece = 0; piece < count; ++piece) body(piece, 0, budget);
}

#else

/// How many threads share pieces: 1 or more.
int PieceThreads();

/// Whether so much work is shared.
bool IsShared(int64_t work);

/// Runs the pieces [0, count), shared among threads if `work` (of all of them) is enough; in their
/// order on this thread otherwise. Pieces are handed out in order, and none that a failed one comes
/// before. A piece may itself run pieces: on its own thread. `budget` is not null; its memory is
/// divided among the threads, its time and steps are those of all.
void RunPieces(int64_t count, int64_t work, Budget* budget, PieceBody body);

#endif

/// Elements [begin, end) of a piece of up to `size`.
struct PieceRange {
  int64_t begin, end;
};

/// The same over the range [0, total), in pieces of `size`.
template <typename Body>
void RunRanges(int64_t total, int64_t size, int64_t work, Budget* budget, Body&& body) {
  RunPieces((total + size - 1) / size, work, budget, [&](int64_t piece, int thread, Budget* own) {
    body(PieceRange{piece * size, std::min((piece + 1) * size, total)}, thread, own);
  });
}

}  // namespace hlo

#endif  // HLO_ENGINE_THREADS_PIECES_H_
