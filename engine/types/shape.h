// Shapes: arrays with dimensions and a layout, tuples, tokens, opaque values, buffers.
// Source: XLA, shape.h and layout.h.
#ifndef HLO_ENGINE_TYPES_SHAPE_H_
#define HLO_ENGINE_TYPES_SHAPE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/diagnostics.h"
#include "engine/base/small_vector.h"
#include "engine/layout/layout.h"
#include "engine/types/element_type.h"

namespace hlo {

/// A value type. Arrays always have a layout (descending unless written otherwise). The elements of
/// a tuple are shared by its copies and never change, so a type that uses the same parts again and
/// again costs little; code that would expand it checks part_count() first.
class Shape {
 public:
  enum class Kind : uint8_t { kArray, kTuple, kToken, kOpaque, kBuffer };
  /// The size of a `?` dimension.
  static constexpr int64_t kUnbounded = -1;
  /// A type may have this many parts, and tuples this deep in one another.
  static constexpr int64_t kMostParts = 1'000'000;
  static constexpr int kMostLevels = 500;

  /// The empty tuple `()`.
  Shape() = default;
  static Shape Array(ElementType type, std::span<const int64_t> dims);
  static Shape Array(ElementType type, std::initializer_list<int64_t> dims);
  static Shape ArrayWithLayout(ElementType type, std::span<const int64_t> dims, Layout layout);
  static Shape Scalar(ElementType type) { return Array(type, std::span<const int64_t>{}); }
  /// Throws RunError(kTooLarge), with TupleFault's words, when it is larger than types may be.
  static Shape Tuple(std::vector<Shape> elements);
  /// Why there can be no tuple of these elements; empty when there can.
  static std::string TupleFault(std::span<const Shape> elements);
  static Shape Token();
  static Shape Opaque();
  /// `b(f32[2])`: a buffer that holds an array.
  static Shape Buffer(Shape array);

  Kind kind() const { return kind_; }
  bool IsArray() const { return kind_ == Kind::kArray; }
  bool IsTuple() const { return kind_ == Kind::kTuple; }
  bool IsToken() const { return kind_ == Kind::kToken; }
  bool IsOpaque() const { return kind_ == Kind::kOpaque; }
  bool IsBuffer() const { return kind_ == Kind::kBuffer; }
  bool IsScalar() const { return IsArray() && dims_.empty(); }
  bool IsScalarOf(ElementType type) const { return IsScalar() && type_ == type; }

  // The following are for arrays (for buffers: of the array inside).
  ElementType element_type() const { return type_; }
  int rank() const { return static_cast<int>(dims_.size()); }
  const Dims& dims() const { return dims_; }
  int64_t dim(int i) const { return dims_[static_cast<size_t>(i)]; }
  /// `<=n` and `?` dimensions.
  bool is_dynamic(int i) const { return i < 32 && ((dynamic_ >> i) & 1) != 0; }
  bool is_unbounded(int i) const { return dims_[static_cast<size_t>(i)] == kUnbounded; }
  bool has_dynamic_dims() const { return dynamic_ != 0; }
  /// Whether all sizes are known before a run: no dimension of it is dynamic or unbounded, nor, of
  /// a tuple, of its elements.
  bool has_known_sizes() const;
  void set_dynamic(int i, bool dynamic);
  void set_dim(int i, int64_t size) { dims_[static_cast<size_t>(i)] = size; }
  void set_element_type(ElementType type) { type_ = type; }
  const Layout& layout() const { return layout_; }
  void set_layout(Layout layout) { layout_ = std::move(layout); }
  /// Product of the dimensions (bounds of dynamic ones); the parser guarantees that it fits.
  int64_t element_count() const;
  /// Bytes of the elements as values are stored (one element per BytesOf), summed over tuples.
  /// Saturates at INT64_MAX.
  int64_t stored_bytes() const;

  /// How many shapes other than tuples there are in it: 1 for an array, 0 for `()`.
  int64_t leaf_count() const;

  const std::vector<Shape>& elements() const;
  /// The type itself and everything in it, shared parts counted each time: 1 for anything but a
  /// tuple. At most kMostParts.
  int64_t part_count() const;
  /// Tuples inside one another, empty ones not counted: 0 for an array. At most kMostLevels.
  int level_count() const;

  /// What two shapes must agree in.
  struct EqualOptions {
    bool layout = true;
    bool dynamic = true;
    bool element_type = true;
    bool float_width =
        true;  ///< false: any two float types are equal (XLA's "ignoring fp precision").
    LayoutParts layout_parts = {};  ///< of layouts, where these count
    bool buffer = true;             ///< false: a buffer equals the array in it
  };
  /// Recursive equality under the options. Takes time in proportion to the distinct parts, however
  /// often they are shared.
  static bool Equal(const Shape& a, const Shape& b, EqualOptions options);
  /// Same dimensions and element types; layouts and dynamic flags ignored. XLA's "compatible".
  static bool Compatible(const Shape& a, const Shape& b) {
    return Equal(a, b, {.layout = false, .dynamic = false});
  }
  friend bool operator==(const Shape& a, const Shape& b) { return Equal(a, b, {}); }

 private:
  Kind kind_ = Kind::kTuple;
  ElementType type_ = ElementType::kPred;
  uint32_t dynamic_ =
      0;  // bit i: dimension i; XLA programs with more than 32 dimensions do not exist
  Dims dims_;
  Layout layout_;
  class Comparison;
  struct Elements;                            // of a tuple, with sums over them
  std::shared_ptr<const Elements> elements_;  // null for the empty tuple
};

/// The bits that an element of an array takes in an accelerator's memory: `E` of its layout where
/// it has one, else those of its type, but a whole byte for a pred. Source: XLA, "Tiled layout":
/// TPUs store a pred as a byte.
inline int BitsInMemory(const Shape& array) {
  const int64_t written = array.layout().extras().element_bits;
  if (written > 0) return static_cast<int>(written);
  return array.element_type() == ElementType::kPred ? 8 : BitsOf(array.element_type());
}

/// Calls visit(shape) for every array and buffer in a shape, in order.
template <typename Visit>
void ForEachArray(const Shape& shape, Visit visit) {
  if (shape.IsTuple()) {
    for (const Shape& element : shape.elements()) ForEachArray(element, visit);
  } else if (shape.IsArray() || shape.IsBuffer()) {
    visit(shape);
  }
}

/// How a shape is printed.
struct ShapeTextOptions {
  bool layout = true;  ///< `{1,0}` after arrays of rank 1 and more, and wherever it says more.
};
void AppendShape(const Shape& shape, const ShapeTextOptions& options, std::string* out);
std::string ShapeText(const Shape& shape, const ShapeTextOptions& options = {});
/// Without layouts: the form for messages, "f32[2,3]". Long tuples are cut, with an ellipsis.
std::string ShapeName(const Shape& shape);
/// The same with layouts, cut in the same way: for display beside other text.
std::string ShapeSummary(const Shape& shape);

/// Parses a shape at the start of `text` (white space and comments allowed inside). On success
/// `*consumed` is the length read; on failure diagnostics say why, located from base_offset, and
/// the result is empty. A `{` after the dimensions is a layout when an integer or `:` follows; with
/// `glued_layout` only if it also directly follows the `]`, so that `s32[2] {1, 2}` is a shape and
/// a literal. Tuples nested deeper than `max_depth` levels are refused.
struct ShapeParseOptions {
  bool glued_layout = false;
  int max_depth = 500;
  /// Faults with an obvious fix (`F32[2x3]`) are reported, and the shape is returned nevertheless.
  bool goes_on = false;
};
std::optional<Shape> ParseShape(std::string_view text, uint32_t base_offset, uint32_t* consumed,
                                Diagnostics& diagnostics, const ShapeParseOptions& options = {});
/// Parses a text that is one shape and nothing else.
std::optional<Shape> ParseShapeText(std::string_view text, Diagnostics& diagnostics);

}  // namespace hlo

#endif  // HLO_ENGINE_TYPES_SHAPE_H_
