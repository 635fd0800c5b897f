// The table of ops: one row per op of StableHLO and related dialects, used for import and export.
#ifndef HLO_ENGINE_MLIR_OPS_OP_ROW_H_
#define HLO_ENGINE_MLIR_OPS_OP_ROW_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/mlir/text/op_forms.h"
#include "engine/ops/opcode.h"

namespace hlo::mlir {

class OpImport;
class OpExport;

/// How StableHLO spells an attribute.
enum class Spelling : uint8_t {
  kInts,   ///< `array<i64: 1, 0>`
  kInt,    ///< `1 : i64`; where HLO has a list, it is a list of one
  kInt32,  ///< `1 : i32`
  kFloat,  ///< `1.0 : f32`
  kBool,   ///< `true`
  kWord,   ///< `#stablehlo<fft_type FFT>`
};

/// A StableHLO attribute and the HLO attribute with the same meaning. All are required but bools
/// for which the form has a default.
struct AttrPair {
  std::string_view name = {};  ///< in StableHLO; the form's layout may have another (`dims = `)
  Spelling spelling = Spelling::kInts;
  std::string_view hlo = {};  ///< the name in HLO; empty: the same
  /// For kWord: StableHLO's words, separated by spaces, in the order of HLO's.
  std::string_view words = {};
  std::string_view enumeration = {};  ///< of kWord: its name; empty: that of the attribute

  std::string_view hlo_name() const { return hlo.empty() ? name : hlo; }
};

/// Which floating-point types StableHLO allows to meet in an op. (HLO allows any.)
enum class Mixing : uint8_t {
  kOne,        ///< one type for all operands and results
  kAny,        ///< each may have its own
  kByOperand,  ///< result i has the type of operand i
  kCompared,   ///< kByOperand, and a comparator takes two values of each operand's type
  kSelected,   ///< kOne, and so do the regions of select_and_scatter
  kMapped,     ///< the region takes elements of the operands and gives those of the results
  kFolded,     ///< the region's type; elements may be narrower until they are folded
  kReduced,    ///< the region's type, of operands too where there is one result
  kUpdated,    ///< the region's type, with which updates are put together
};

/// What becomes of quantised types in an op. Source: StableHLO, spec.md, the inputs of each op.
enum class Quantized : uint8_t {
  kNone,       ///< it takes none
  kPerTensor,  ///< real numbers are computed, of types with one scale
  kPerAxis,    ///< the same, and a type may have a scale for each index along a dimension
  kStored,     ///< stored numbers are passed on as they are
};

/// Which element types StableHLO allows operands to have, where HLO allows more.
enum class Elements : uint8_t { kAny, kIntegers, kNumbers };

/// Whether an element type is one of these.
bool Allows(Elements types, ElementType type);

/// Default import: one instruction, whose attributes are given by the row's attribute pairs.
void EmitPlain(OpImport& op);
/// Default export: the inverse.
void WritePlain(OpExport& op);

/// One op: its name in StableHLO, its opcode in HLO, and how each is converted to the other.
struct OpRow {
  /// Without "stablehlo." and "mhlo."; with the dialect for other dialects. Empty: StableHLO has no
  /// such op.
  std::string_view name = {};
  /// The HLO opcode; nothing if the op becomes several instructions.
  std::optional<Opcode> opcode = {};
  /// The assembly format. Without types and a layout: an op that only MHLO had.
  OpForm form = {.types = TypeForm::kNone};
  AttrPair attrs[4] = {};  ///< for EmitPlain and WritePlain; unused ones have no name
  void (*emit)(OpImport& op) = EmitPlain;
  /// Null: another row with the same opcode exports it.
  void (*write)(OpExport& op) = WritePlain;
  Mixing mixing = Mixing::kOne;
  Elements elements = Elements::kAny;
  Quantized quantized = Quantized::kPerTensor;
  /// Unknown result sizes are those of the first operand. (True of element-wise HLO ops without
  /// this flag, too.)
  bool is_like_operand = false;
  /// The operand with the sizes of the result, or -1.
  int8_t sizes_operand = -1;
  /// The importer makes such instructions from operands that HLO does not have: they are not
  /// exported if unused.
  bool is_import_helper = false;
  /// Starts an asynchronous op (or passes on a started one): only the op that ends it may use its
  /// value.
  bool is_start = false;
  bool is_end = false;  ///< takes what an is_start gives
  /// Which element of the HLO shape is the result, for ops whose shape also contains their
  /// operands; or -1.
  int8_t result_element = -1;

  bool is_stablehlo() const { return name.find('.') == std::string_view::npos; }
  /// The name with its dialect.
  std::string full_name() const { return (is_stablehlo() ? "stablehlo." : "") + std::string(name); }
};

/// The row of an op by its full name, or null.
const OpRow* FindRow(std::string_view name);
/// The row that exports an opcode; for an opcode without one, a row that reports that StableHLO has
/// no such op.
const OpRow& RowOf(Opcode opcode);
/// The rows by family, sorted by name in each.
std::span<const std::span<const OpRow>> AllRows();

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_OPS_OP_ROW_H_
