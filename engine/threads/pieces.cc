#include "engine/threads/pieces.h"

namespace hlo {
namespace {

PieceSharer* the_sharer = nullptr;

}  // namespace

PieceSharer* ThePieceSharer() { return the_sharer; }
void SetPieceSharer(PieceSharer* sharer) { the_sharer = sharer; }

int PieceThreads() { return the_sharer == nullptr ? 1 : the_sharer->threads(); }

bool IsShared(int64_t work) { return the_sharer != nullptr && work >= kSharedWork; }

void RunPieces(int64_t count, int64_t work, Budget* budget, PieceBody body) {
  if (count > 1 && IsShared(work)) return the_sharer->Run(count, budget, body);
  for (int64_t piece = 0; piece < count; ++piece) body(piece, 0, budget);
}

}  // namespace hlo
