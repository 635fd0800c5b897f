// The table of ops: one row per op of StableHLO and of the dialects beside it, read both ways.
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

/// An attribute of StableHLO and the one of HLO that says the same. Integers and words must be
/// given; numbers are 0 and bools false where they are not.
struct AttrPair {
  std::string_view name = {};  ///< in StableHLO; the form's layout may have another (`dims = `)
  Spelling spelling = Spelling::kInts;
  std::string_view hlo = {};  ///< the name in HLO; empty: the same
  /// Of kWord: StableHLO's words, with spaces between them, in the order of HLO's.
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

/// Import: an op without anything to it but its attribute pairs, which is one instruction.
void EmitPlain(OpImport& op);
/// Export: the same the other way.
void WritePlain(OpExport& op);

/// One op: its name in StableHLO, its opcode in HLO, and how each becomes the other.
struct OpRow {
  /// Without "stablehlo." and "mhlo."; whole for other dialects. Empty: StableHLO has no such op.
  std::string_view name = {};
  /// What it is in HLO; nothing where it becomes several instructions.
  std::optional<Opcode> opcode = {};
  /// How the op is written; without types and a layout: StableHLO has no such op, MHLO had.
  OpForm form = {.types = TypeForm::kNone};
  AttrPair attrs[4] = {};  ///< for EmitPlain and WritePlain; unused ones have no name
  void (*emit)(OpImport& op) = EmitPlain;
  /// Null: another row has the opcode too, and instructions are written by that one.
  void (*write)(OpExport& op) = WritePlain;
  Mixing mixing = Mixing::kOne;
  /// Unknown sizes of the result are those of the first operand. (Also of ops that HLO computes
  /// element by element.)
  bool is_like_operand = false;
  /// The operand with the sizes of the result, or -1.
  int8_t sizes_operand = -1;
  /// The importer makes such instructions of operands that HLO does not have: they are left out
  /// where nothing uses them.
  bool is_import_helper = false;
  /// Starts an op (or passes on what one has started): its value is only for the op that ends it.
  bool is_start = false;
  bool is_end = false;  ///< takes what an is_start gives
  /// Which element of its shape the result is, of those that give their operands too; or -1.
  int8_t result_element = -1;

  bool is_stablehlo() const { return name.find('.') == std::string_view::npos; }
  /// With its dialect.
  std::string full_name() const { return (is_stablehlo() ? "stablehlo." : "") + std::string(name); }
};

/// The row of an op by its whole name, or null.
const OpRow* FindRow(std::string_view name);
/// The row that writes an opcode; for an opcode without one, a row that says that StableHLO has no
/// such op.
const OpRow& RowOf(Opcode opcode);
/// The rows by family, by name in each.
std::span<const std::span<const OpRow>> AllRows();

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_OPS_OP_ROW_H_
