// The text of attribute values: one row {parse, print, place} per AttrKind.
// Source: XLA, hlo/parser/hlo_parser.cc (ParseAttributeHelper), hlo/ir/hlo_instructions.cc
// (PrintExtraAttributesImpl).
#ifndef HLO_ENGINE_HLO_ATTRIBUTE_TEXT_H_
#define HLO_ENGINE_HLO_ATTRIBUTE_TEXT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/budget.h"
#include "engine/hlo/ir.h"
#include "engine/hlo/lexer.h"
#include "engine/hlo/printer.h"
#include "engine/ops/attributes.h"
#include "engine/types/shape.h"

namespace hlo {

/// What attribute values are read from, and what they may refer to.
class AttrReader {
 public:
  AttrReader(Lexer* lexer, Budget* budget) : lex(*lexer), budget(budget) {}
  virtual ~AttrReader() = default;
  /// Levels of shapes and literals, unless the parser's options say otherwise.
  static constexpr int kLevels = 500;

  /// A computation defined earlier in the text, by name, or an inline `{instructions}`. Null after
  /// a fault, which is reported.
  virtual const Region* ReadRegion() = 0;
  /// An instruction defined earlier in the computation: its index is appended. False after a fault.
  virtual bool ReadInstruction(std::vector<uint32_t>* indices) = 0;

  /// Reports kAttributeValue at a range. Returns false.
  bool Fail(Range range, std::string message);
  /// Reports kShardingInvalid at a range. Returns false.
  bool FailSharding(Range range, std::string message);
  /// A shape. Faults are reported and the result is empty.
  std::optional<Shape> ReadShape();
  /// How many levels deeper shapes and literals may be nested here.
  virtual int levels_left() const { return kLevels; }
  /// How many levels there are around what is read.
  virtual int levels_around() const { return 0; }

  Lexer& lex;
  Budget* budget;
  /// The shape written before the opcode, which a positional literal has; null when there is none.
  const Shape* result_shape = nullptr;
  /// The device groups in a compact form that were read last: those that are read again share them.
  std::vector<ReplicaGroups> recent_groups;
};

/// How and where attributes are printed.
struct AttrPrinter {
  const PrintOptions& options;
  /// For instruction names; null in the module header.
  const Computation* computation = nullptr;
  /// The numbers of stack frames in the printed tables, by those of the metadata; null: the same.
  const std::unordered_map<int64_t, int64_t>* frames = nullptr;
};

struct AttrText {
  /// Reads a value. On a fault reports it and returns false.
  bool (*read)(AttrReader& in, const AttrDef& def, AttrValue* value);
  /// Appends the value. Nothing appended: the attribute is not printed at all.
  void (*print)(const AttrValue& value, const AttrDef& def, const AttrPrinter& to,
                std::string* out);
};
const AttrText& GetAttrText(AttrKind kind);
/// Attributes are printed by increasing rank of their kind, and by their place in the op's table
/// within a rank: values, computations, then what every op may have.
int AttrPrintRank(AttrKind kind);

/// The attribute's text after `name=`; empty when it is one of those that are left out.
std::string AttrValueText(const AttrValue& value, const AttrDef& def, const AttrPrinter& to);

// `ReadInts`, `PrintInts`, ...: one pair per kind, in the files attribute_text.cc,
// attribute_lists.cc, attribute_keys.cc, literal_attribute_text.cc, origin_text.cc,
// replica_groups_text.cc, sharding_text.cc, window_text.cc.
#define ATTR_KIND(name, type, syntax)                                                 \
  bool Read##name(AttrReader& in, const AttrDef& def, AttrValue* value);              \
  void Print##name(const AttrValue& value, const AttrDef& def, const AttrPrinter& to, \
                   std::string* out);
#include "engine/ops/attr_kind.def"

/// `open item, item, ... close`, items read by `item() -> bool`. An empty list is allowed.
template <typename Item>
bool ReadList(Lexer& lex, char open, char close, Item item) {
  const char expects_open[] = {'e', 'x', 'p', 'e', 'c', 't', 's', ' ', '\'', open, '\'', '\0'};
  const char expects_close[] = {'e',  'x', 'p', 'e', 'c', 't',  's',   ' ',  '\'', ',',
                                '\'', ' ', 'o', 'r', ' ', '\'', close, '\'', '\0'};
  if (!lex.Read(open, expects_open)) return false;
  if (lex.Consume(close)) return true;
  do {
    if (!item()) return false;
  } while (lex.Consume(','));
  return lex.Read(close, expects_close);
}
/// `{i,...}` with other brackets as wanted.
bool ReadIntList(Lexer& lex, char open, char close, Dims* ints);
/// "1,2,3"
void AppendInts(const Dims& ints, std::string* out);
/// `{1,0}` as a path into a tuple, with XLA's words.
bool ReadShapeIndex(AttrReader& in, Dims* index);
/// "{1,0}"
void AppendIndex(const Dims& index, std::string* out);
/// The place of a word in a list of words.
std::optional<size_t> FindWord(std::span<const std::string_view> words, std::string_view word,
                               bool ignore_case);

/// `{key=1 key=2}` of these keys, all of them, with integers of 32 bits.
bool ReadInt32Fields(AttrReader& in, std::span<const std::string_view> keys,
                     std::span<int32_t> values);
/// "{op_name="a" source_line=1}", in XLA's order.
std::string MetadataText(const KeyValues& metadata);
/// The stack frame that metadata names; 0: none.
int64_t StackFrameOf(const KeyValues& metadata);

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_ATTRIBUTE_TEXT_H_
