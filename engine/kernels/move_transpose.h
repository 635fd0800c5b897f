// Transposes planes: what is read consecutively is not what is written consecutively.
#ifndef HLO_ENGINE_KERNELS_MOVE_TRANSPOSE_H_
#define HLO_ENGINE_KERNELS_MOVE_TRANSPOSE_H_

#include <cstddef>
#include <cstdint>

#include "engine/kernels/element_width.h"

namespace hlo {

/// A side of a plane: index i is at (i / inner) * outer_step + (i % inner) * step.
struct PlaneAxis {
  int64_t count;
  int64_t step;
  int64_t inner;       ///< `count` when there is one step only.
  int64_t outer_step;  ///< Any then.
  int64_t At(int64_t i) const {
    return i < inner ? i * step : i / inner * outer_step + i % inner * step;
  }
};

/// to[columns.At(i) + j] = from[rows.At(j) + i] for i < columns.count, j < rows.count: every row is
/// consecutive in `from`, every column in `to`. T is an unsigned integer of 8 to 64 bits or
/// WideElement. Goes through a block that stays in a cache, so that both sides are accessed in long
/// runs. `stream`: what is written will not be read soon, and goes past the caches where the
/// processor can do that. `room`: TransposeRoom() bytes that no other thread uses; null: those of
/// the thread that runs programs.
template <typename T>
void TransposePlane(const T* from, const PlaneAxis& rows, T* to, const PlaneAxis& columns,
                    bool stream, std::byte* room = nullptr);
size_t TransposeRoom();

/// How many rows should be given at a time, or a multiple of it.
template <typename T>
int64_t TransposeRows();

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_MOVE_TRANSPOSE_H_
