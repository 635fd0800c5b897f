// A value for display: windows of any slice, statistics, its memory image. Never all of it.
#ifndef HLO_ENGINE_VIEWS_VALUE_VIEW_H_
#define HLO_ENGINE_VIEWS_VALUE_VIEW_H_

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/types/shape.h"
#include "engine/types/tensor.h"
#include "engine/views/json_parts.h"

namespace hlo {

/// A two-dimensional window of an array of any rank. All dimensions but two are fixed at `origin`.
struct WindowSpec {
  Dims origin;       ///< one per dimension; missing ones are 0
  int row_dim = -1;  ///< the dimension that runs down; -1: one row
  int col_dim = -1;  ///< the dimension that runs across; -1: one column
  int64_t rows = 1;
  int64_t cols = 1;
};
/// Reads WindowSpec of wasm/engine_api.ts; absent or malformed members take their defaults.
WindowSpec ParseWindowSpec(std::string_view json);
/// The window clipped to `dims` and to at most kMaxCells cells; its dimensions are then valid and
/// the origin is inside. Empty (rows = 0) if nothing is inside.
WindowSpec ClipWindow(WindowSpec window, const Dims& dims);

/// n elements that lie one after the other as numbers: complex ones as magnitudes, 64-bit integers
/// rounded.
void ReadNumbers(ElementType type, const std::byte* source, int64_t n, double* numbers);

struct ValueWindow {
  int64_t rows = 0;
  int64_t cols = 0;
  std::vector<std::string> text;  ///< row-major
  std::vector<double> numbers;    ///< row-major; complex: magnitude
};
ValueWindow MakeValueWindow(const Tensor& tensor, const WindowSpec& window);

struct ValueStats {
  int64_t count = 0;
  double min = 0, max = 0, mean = 0;  ///< of the finite elements; complex: magnitudes
  int64_t nans = 0;
  int64_t infinities = 0;
  std::optional<Dims> first_non_finite;
};
ValueStats MakeValueStats(const Tensor& tensor);
std::string ValueStatsJson(const ValueStats& stats);

/// The remaining size limits of an answer about values: what exceeds them is left out.
struct AnswerRoom {
  int64_t infos = 60'000;
  int64_t bytes = int64_t{16} << 20;  ///< of names and texts
  bool used_up() const { return infos <= 0 || bytes <= 0; }
};

/// ValueInfo of wasm/engine_api.ts: shape, size, the first elements. A dropped value has an empty
/// preview. Tuple elements that exceed the limits are left out.
Json ValueInfoJson(const Value& value, const Shape& shape, AnswerRoom* room);

/// Literal text of the first elements, with an ellipsis if it was cut: limited by the number of
/// elements, and by that of the enclosing tuples and rows, of which there may be many without any
/// element.
std::string ValueText(const Value& value, const Shape& shape, int64_t max_elements);

/// The part of a value at a path of tuple indices; nothing if there is none.
struct ValuePart {
  const Value* value;
  const Shape* shape;
};
std::optional<ValuePart> PartOf(const Value& value, const Shape& shape,
                                const std::vector<int64_t>& path);

struct LayoutView;

/// Bytes [begin, begin + count) of the memory image of an array in a layout.
struct MemoryWindow {
  int64_t begin = 0;
  std::vector<uint8_t> bytes;
  std::vector<uint8_t> padding;  ///< 1 where the byte holds no element at all
};
/// Clipped to the image and to kMaxMemoryWindow bytes; empty if the layout is invalid, or has other
/// dimensions or another element storage width. An element stored in more bits than it has is
/// extended by zeros.
MemoryWindow MakeMemoryWindow(const Tensor& tensor, const LayoutView& view, int64_t begin,
                              int64_t count);

/// The content of some bits of a byte of a memory image, low bits first.
struct BytePart {
  std::string name;  ///< "low nibble", "byte 2 of 4 (the least significant is byte 0)", ...
  int64_t first_bit = 0, last_bit = 0;  ///< within the byte
  bool padding = false;
  Dims index;         ///< of the element, none for padding
  std::string value;  ///< of the element
  std::string text;   ///< "low nibble: element (0,1) = 3", or why it is padding
};
struct ByteView {
  int value = -1;  ///< -1: outside the image
  std::vector<BytePart> parts;
};
ByteView MakeByteView(const Tensor& tensor, const LayoutView& view, int64_t byte);
/// ByteInfo of wasm/engine_api.ts.
std::string ByteJson(const ByteView& view);

inline constexpr int64_t kMaxCells = 1 << 20;
inline constexpr int64_t kMaxMemoryWindow = 1 << 24;

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_VALUE_VIEW_H_
