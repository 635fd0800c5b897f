// How a layout comes about: the array padded, reshaped and transposed step by step until it lies in
// memory.
// Source: XLA tiled layout, "Tiling as pad-reshape-transpose", "Repeated tiling", "Combining
// dimensions using tiles".
#ifndef HLO_ENGINE_LAYOUT_FILM_H_
#define HLO_ENGINE_LAYOUT_FILM_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/base/small_vector.h"

namespace hlo {

class LayoutMap;

/// One step. Before and after it there is an array that lies row-major; `after` are its sizes.
struct LayoutStep {
  enum class Kind : uint8_t {
    kStart,      ///< The array as it is written, dimension 0 outermost.
    kPad,        ///< Padding after the end of some dimensions; or the tail of a buffer cut.
    kReshape,    ///< The same elements in the same order under other sizes.
    kTranspose,  ///< Dimension i of `after` is dimension permutation[i] of before.
    kSwizzle,    ///< In memory: CuTe's Swizzle<bits,low,shift> (strided_map.h).
    kPlace,      ///< Every element to its offset, where no sequence of the others expresses it.
  };
  Kind kind = Kind::kStart;
  std::string title;  ///< "pad to whole tiles (2,2)"
  Dims after;
  Dims permutation = {};
  int64_t bits = 0, low = 0, shift = 0;  ///< Of kSwizzle: B, M and S.
};

/// What a step does to the bytes.
enum class StepEffect : uint8_t {
  kBitcast,  ///< Nothing: the same bytes, read as another array.
  kExtend,   ///< The buffer grows (or is cut) at its end; no element moves.
  kMove,     ///< Elements change places.
};
StepEffect EffectOf(const LayoutStep& step, std::span<const int64_t> before);

/// How a layout comes about, step by step; not empty. The last step leaves the one-dimensional
/// buffer of aligned_count() elements. Tiles are padded, reshaped and transposed one by one; other
/// maps come from their digits: pad, reshape into digits, transpose, pad to the strides; one kPlace
/// where strides do not nest or the map has no digits.
std::vector<LayoutStep> StepsOf(const LayoutMap& map);

/// The frames of a layout: frame 0 is the array, frame i what step i - 1 made of it. The map must
/// outlive the film.
class Film {
 public:
  explicit Film(const LayoutMap& map);
  /// The first one has kind kStart and no effect.
  const std::vector<LayoutStep>& frames() const { return frames_; }
  StepEffect effect(size_t frame) const;
  /// Elements and padding of a frame.
  int64_t slot_count(size_t frame) const;
  /// Where an element is in a frame: its index in the sizes of the frame. `index` is inside the
  /// array.
  Dims PlaceOf(size_t frame, std::span<const int64_t> index) const;
  /// Which element is at a slot (row-major over the sizes of the frame); false for padding and
  /// outside. `index` has one entry per dimension of the array.
  bool ElementAt(size_t frame, int64_t slot, std::span<int64_t> index) const;

 private:
  const LayoutMap& map_;
  std::vector<LayoutStep> frames_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_LAYOUT_FILM_H_
