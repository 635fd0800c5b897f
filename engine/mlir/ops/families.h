// Shared by the op families. The rows of a family, and its import and export functions, are in its
// own file.
#ifndef HLO_ENGINE_MLIR_OPS_FAMILIES_H_
#define HLO_ENGINE_MLIR_OPS_FAMILIES_H_

#include <span>
#include <string>
#include <string_view>

#include "engine/mlir/export/op_export.h"
#include "engine/mlir/import/op_import.h"
#include "engine/mlir/ops/op_row.h"
#include "engine/mlir/text/custom_forms.h"
#include "engine/mlir/text/mlir_text.h"

namespace hlo::mlir {

// The rows of each family, by name. A new family is declared here and listed in op_rows.cc.
std::span<const OpRow> AsyncRows();
std::span<const OpRow> CallRows();
std::span<const OpRow> CheckRows();
std::span<const OpRow> ChloRows();
std::span<const OpRow> CollectiveRows();
std::span<const OpRow> ConvolutionRows();
std::span<const OpRow> DeprecatedRows();
std::span<const OpRow> DotRows();
std::span<const OpRow> DynamicRows();
std::span<const OpRow> ElementwiseRows();
std::span<const OpRow> HloRows();
std::span<const OpRow> MovementRows();
std::span<const OpRow> NumericRows();
std::span<const OpRow> RegionRows();
std::span<const OpRow> ScatterRows();
std::span<const OpRow> TransferRows();
std::span<const OpRow> ValueRows();
std::span<const OpRow> WindowRows();

// Assembly formats that many ops share.
inline constexpr OpForm kUnary = {.layout = "%0",
                                  .types = TypeForm::kSame,
                                  .defaults =
                                      "result_accuracy=#stablehlo.result_accuracy<mode = "
                                      "#stablehlo.result_accuracy_mode<DEFAULT>>"};
inline constexpr OpForm kBinary = {.layout = "%0, %1", .types = TypeForm::kSame};
inline constexpr OpForm kUnaryArrow = {.layout = "%0", .types = TypeForm::kArrow};
inline constexpr OpForm kBinaryArrow = {.layout = "%0, %1", .types = TypeForm::kArrow};
inline constexpr OpForm kListed = {.layout = "%*"};

// ---- Import -------------------------------------------------------------------------------------

/// The HLO attributes given by the row's attribute pairs.
Attrs PairedAttrs(OpImport& op);
void EmitCompare(OpImport& op);
void EmitBitcast(OpImport& op);
void EmitSlice(OpImport& op);
void EmitPad(OpImport& op);
void EmitReduceWindow(OpImport& op);
void EmitConvolution(OpImport& op);
void EmitGather(OpImport& op);
void EmitTopK(OpImport& op);
void EmitRaggedAllToAll(OpImport& op);
/// A custom call with the op's name, whose target implements it.
void EmitChlo(OpImport& op);
/// Shardy's annotations: the operands themselves.
void EmitShardy(OpImport& op);
/// A custom call that has result sizes among its operands; false for other targets.
bool EmitDynamicCall(OpImport& op, std::string_view target);
/// A custom-call without a result, whose target checks its operands.
void EmitExpect(OpImport& op, std::string target, const Values& operands);

/// Gives the result the written element type, which may differ from the inferred one
/// (contractions).
void ResultAsWritten(OpImport& op, Opcode opcode, Attrs attrs);
/// Broadcasts the operand to `result`: its dimension i becomes dimension map[i], stretched if it
/// has size 1; null after an error.
Instruction* Stretch(OpImport& op, Instruction* operand, const Dims& map, const Shape& result);
/// A scalar constant of this type, nearest to a number.
Tensor NumberOf(ElementType type, double number);
/// The precision of the operands of a contraction, unless it is the default.
void AddPrecision(OpImport& op, Attrs* attrs);

// ---- Export -------------------------------------------------------------------------------------

/// The StableHLO attributes given by the row's attribute pairs, in the generic form.
std::string PairedText(const OpExport& op);
/// Ops that only name values or pass them on are not written: the value is the first operand.
void PassOn(OpExport& op);
/// Reports that StableHLO has no such op.
void WriteNone(OpExport& op);
void WriteCall(OpExport& op);
void WriteBitcastConvert(OpExport& op);
void WriteBitcast(OpExport& op);
void WriteBarrier(OpExport& op);
void WriteAllGather(OpExport& op);
void WriteAllReduce(OpExport& op);
void WriteCollectivePermute(OpExport& op);
void WriteRaggedAllToAll(OpExport& op);
void WriteRecvDone(OpExport& op);
/// The custom call of a check, a probe or a parallel run, as the op it was imported from.
void WriteTarget(OpExport& op, const std::string& target);

/// The text in quotes.
std::string Quoted(std::string_view text);
/// The attributes of a compare: `LT`, `SIGNED`.
std::string CompareAttrs(std::string_view direction, std::string_view order);
/// The attributes of a slice.
std::string SliceAttrs(const Dims& starts, const Dims& limits, const Dims& strides);
/// A constant vector of these sizes.
Ssa Reshape(OpExport& op, const Ssa& value, const Dims& dims);
/// ` name = [0, 1]` at the end of the fields of an attribute such as `#stablehlo.gather<...`.
void AppendList(std::string_view name, const Dims& dims, std::string* out);
/// The precision of both operands of a contraction.
std::string Precisions(OpExport& op, std::string_view dialect);
/// `@f, @g` of some of the functions that an op calls.
std::string Symbols(OpExport& op, const std::vector<const hlo::Region*>& called, size_t begin,
                    size_t end);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_OPS_FAMILIES_H_
