// Attribute values and the rows that say which attributes an op has.
// Source: XLA, hlo/parser/hlo_parser.cc (the attributes of each opcode).
#ifndef HLO_ENGINE_OPS_ATTRIBUTES_H_
#define HLO_ENGINE_OPS_ATTRIBUTES_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/small_vector.h"
#include "engine/base/source.h"
#include "engine/types/literal.h"
#include "engine/types/shape.h"

namespace hlo {

/// One dimension of a window (reduce-window, convolution, select-and-scatter).
struct WindowDim {
  int64_t size = 1;
  int64_t stride = 1;
  int64_t pad_low = 0;
  int64_t pad_high = 0;
  int64_t base_dilation = 1;    ///< lhs_dilate
  int64_t window_dilation = 1;  ///< rhs_dilate
  bool reversal = false;        ///< rhs_reversal
  friend bool operator==(const WindowDim&, const WindowDim&) = default;
};
using Window = std::vector<WindowDim>;

/// The role of each dimension of each convolution operand. kUnknown positions are written `?`.
struct ConvDimLabels {
  int64_t input_batch = 0, input_feature = 0;
  int64_t kernel_input_feature = 0, kernel_output_feature = 0;
  int64_t output_batch = 0, output_feature = 0;
  Dims input_spatial, kernel_spatial, output_spatial;
  Dims input_unknown, kernel_unknown, output_unknown;  ///< dimension numbers written `?`
  friend bool operator==(const ConvDimLabels&, const ConvDimLabels&) = default;
};

/// `[start:limit:stride]`.
struct SliceDim {
  int64_t start = 0, limit = 0, stride = 1;
  friend bool operator==(const SliceDim&, const SliceDim&) = default;
};

/// `low_high_interior`.
struct PadDim {
  int64_t low = 0, high = 0, interior = 0;
  friend bool operator==(const PadDim&, const PadDim&) = default;
};

/// Device groups: expanded lists and, for the iota and mesh forms, the text they are printed as.
struct ReplicaGroups {
  using Lists = std::vector<Dims>;
  ReplicaGroups() = default;
  explicit ReplicaGroups(Lists lists) : lists(std::make_shared<const Lists>(std::move(lists))) {}

  const Lists& groups() const;
  friend bool operator==(const ReplicaGroups& a, const ReplicaGroups& b);

  /// Null when there are none. A module for 10,000 devices has thousands of instructions with the
  /// same groups: those of a compact form that is read again are the same object.
  std::shared_ptr<const Lists> lists;
  std::string compact_text;  ///< "[2,2]<=[4]"; empty for the explicit form
  /// Whether the lists have each id from 0 on once and are equally long, which the iota form says.
  bool is_permutation = false;
};

/// `{output index}: (operand, {operand index}, kind)` of aliases and donors.
struct Alias {
  Dims output_index;
  int64_t operand = 0;
  Dims operand_index;
  bool must_alias = false;
  friend bool operator==(const Alias&, const Alias&) = default;
};

/// Ordered keys with their values' texts. A value that is not a quoted string (a number, a list, a
/// dictionary) is kept verbatim and marked raw.
struct KeyValue {
  std::string key;
  std::string value;
  bool raw = false;
  friend bool operator==(const KeyValue&, const KeyValue&) = default;
};
using KeyValues = std::vector<KeyValue>;
/// The pair of a key; null if there is none.
const KeyValue* FindKey(const KeyValues& pairs, std::string_view key);
const std::string* FindValue(const KeyValues& pairs, std::string_view key);

struct Sharding;  // engine/hlo/sharding.h

/// `{(parameters)->result}` of the module header.
struct ProgramShape {
  std::vector<Shape> parameters;
  Shape result;
};

/// The signature of a called computation, which is all that an op sees of it. Computation
/// implements it.
class Region {
 public:
  virtual ~Region() = default;
  virtual std::string_view region_name() const = 0;
  virtual int parameter_count() const = 0;
  /// Precondition: 0 <= i < parameter_count().
  virtual const Shape& parameter_shape(int i) const = 0;
  virtual const Shape& result_shape() const = 0;
};

class OpCall;

enum class AttrKind : uint8_t {
#define ATTR_KIND(name, type, syntax) k##name,
#include "engine/ops/attr_kind.def"
};
/// The syntax of a kind, for messages and hover.
std::string_view AttrSyntax(AttrKind kind);

using AttrValue =
    std::variant<std::monostate, bool, int64_t, double, std::string, Dims, std::vector<Dims>,
                 std::vector<bool>, Window, ConvDimLabels, std::vector<SliceDim>,
                 std::vector<PadDim>, ReplicaGroups, const Region*, std::vector<const Region*>,
                 Shape, std::vector<Shape>, ProgramShape, std::shared_ptr<const ShapedLiteral>,
                 std::vector<Alias>, KeyValues, std::vector<uint32_t>,
                 std::shared_ptr<const Sharding>>;

/// Whether an attribute is required, and where it is written.
enum class AttrUse : uint8_t {
  kOptional,
  kRequired,
  kPositional,  ///< between the parentheses instead of operands: parameter(0), constant({1,2})
};

/// The row of one attribute of one op (or of every op, or of the module header).
struct AttrDef {
  std::string_view name;
  AttrKind kind;
  AttrUse use;
  std::string_view doc;
  /// The words of kWord and kWordList, in the order of their values.
  std::span<const std::string_view> words = {};
  /// What XLA's messages call such a word ("comparison direction"); empty: the attribute's name.
  std::string_view noun = {};
  /// kWord and kWordList: words are matched case-insensitively.
  bool ignore_case = false;
  /// Printing of default values: `always_printed` prints the default too; a value whose text is
  /// `default_text` is omitted. Without either, an attribute is printed if present, unless it is
  /// "false" or an empty list.
  std::string_view default_text = {};
  bool always_printed = false;
  /// For attributes whose printed form depends on the operands: the text to print, given the text
  /// that would otherwise be printed (empty if the attribute is absent). Null: that text.
  std::string (*printed)(const OpCall& call, std::string text) = nullptr;
  /// The name to print if it differs: that of the list in which XLA keeps all called computations.
  std::string_view printed_name = {};
  /// Read, but not printed: XLA does not keep it.
  bool never_printed = false;
  /// kInts: sizes of dimensions, which change when those do.
  bool holds_sizes = false;
  /// What documents take it to be where it is left out, for a fix: XLA's text must have it. Empty:
  /// nothing. Null: never.
  std::string (*documented)(const OpCall& call) = nullptr;
};

/// An attribute of an instruction (or the module).
struct Attr {
  const AttrDef* def = nullptr;
  AttrValue value;
  Range name_range;
  Range range;  ///< of the value
};

/// Calls visit(region) for every computation that the value names (one or a list), in order; null
/// for an unresolved one. For a value that is not const, visit takes a `const Region*&`.
template <typename Value, typename Visit>
void ForEachRegion(Value& value, Visit visit) {
  if (auto* one = std::get_if<const Region*>(&value)) {
    visit(*one);
  } else if (auto* many = std::get_if<std::vector<const Region*>>(&value)) {
    for (auto& each : *many) visit(each);
  }
}

/// The attributes of an instruction or a module, in the order of the text. For an absent attribute
/// the getters return `otherwise`, something empty, or null; asking for a value of another kind
/// than the attribute's aborts a test build (HLO_CHECK_ATTRS).
class AttrList : public std::vector<Attr> {
 public:
  using std::vector<Attr>::vector;

  /// The attribute of this name, or null.
  const Attr* Find(std::string_view name) const;
  bool Has(std::string_view name) const { return Find(name) != nullptr; }
  bool Bool(std::string_view name, bool otherwise = false) const;
  int64_t Int(std::string_view name, int64_t otherwise = 0) const;
  double Float(std::string_view name, double otherwise = 0) const;
  const std::string& String(std::string_view name) const;
  const Dims& Ints(std::string_view name) const;
  const std::vector<bool>& Bools(std::string_view name) const;
  const std::vector<Dims>& IntLists(std::string_view name) const;
  const Window& GetWindow(std::string_view name) const;
  const ConvDimLabels& DimLabels(std::string_view name) const;
  const std::vector<SliceDim>& Slices(std::string_view name) const;
  const std::vector<PadDim>& Padding(std::string_view name) const;
  const ReplicaGroups& Groups(std::string_view name) const;
  const std::vector<Shape>& Shapes(std::string_view name) const;
  const std::vector<Alias>& Aliases(std::string_view name) const;
  const KeyValues& Keys(std::string_view name) const;
  /// Indices of instructions in their computation.
  const std::vector<uint32_t>& Instructions(std::string_view name) const;
  const std::vector<const Region*>& Regions(std::string_view name) const;
  const Region* GetRegion(std::string_view name) const;
  const Shape* GetShape(std::string_view name) const;
  const ProgramShape* GetProgramShape(std::string_view name) const;
  const ShapedLiteral* GetLiteral(std::string_view name) const;
  const Sharding* GetSharding(std::string_view name) const;

 private:
  template <typename T>
  const T* Get(std::string_view name) const;
};

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_ATTRIBUTES_H_
