// The emit functions of ops, by family. The table is in op_rows.cc.
#ifndef HLO_ENGINE_MLIR_OP_ROWS_H_
#define HLO_ENGINE_MLIR_OP_ROWS_H_

#include "engine/mlir/op_import.h"

namespace hlo::mlir {

// Element by element (elementwise_ops.cc).
void EmitPlain(OpImport& op);
void EmitCompare(OpImport& op);
void EmitReducePrecision(OpImport& op);
void EmitRealOrImag(OpImport& op);
void EmitConversion(OpImport& op);
void EmitConvert(OpImport& op);
void EmitMaxOrMin(OpImport& op);
void EmitConstant(OpImport& op);
void EmitSquare(OpImport& op);
void EmitBitcast(OpImport& op);

// Moving elements, tuples (movement_ops.cc).
void EmitIota(OpImport& op);
void EmitReshape(OpImport& op);
void EmitBroadcastInDim(OpImport& op);
void EmitBroadcast(OpImport& op);
void EmitTranspose(OpImport& op);
void EmitReverse(OpImport& op);
void EmitConcatenate(OpImport& op);
void EmitSlice(OpImport& op);
void EmitPad(OpImport& op);
void EmitDynamicSlice(OpImport& op);
void EmitDynamicUpdateSlice(OpImport& op);
void EmitDimensionSize(OpImport& op);
void EmitGetTupleElement(OpImport& op);
void EmitBarrier(OpImport& op);

// Linear algebra, statistics, random numbers (numeric_ops.cc).
void EmitCholesky(OpImport& op);
void EmitTriangularSolve(OpImport& op);
void EmitFft(OpImport& op);
void EmitBatchNorm(OpImport& op);
void EmitRng(OpImport& op);
void EmitRngBitGenerator(OpImport& op);
void EmitRngState(OpImport& op);

// Regions (region_ops.cc).
void EmitReduce(OpImport& op);
void EmitReduceWindow(OpImport& op);
void EmitSelectAndScatter(OpImport& op);
void EmitSort(OpImport& op);
void EmitMap(OpImport& op);
void EmitScan(OpImport& op);
void EmitWhile(OpImport& op);
void EmitCase(OpImport& op);
void EmitIf(OpImport& op);
void EmitScatter(OpImport& op);  // scatter_ops.cc

// Products of arrays (contraction_ops.cc).
void EmitDot(OpImport& op);
void EmitDotGeneral(OpImport& op);
void EmitRaggedDot(OpImport& op);
void EmitConvolution(OpImport& op);
void EmitGather(OpImport& op);

// Several devices and the host (device_ops.cc).
void EmitAllGather(OpImport& op);
void EmitAllReduce(OpImport& op);
void EmitCrossReplicaSum(OpImport& op);
void EmitReduceScatter(OpImport& op);
void EmitAllToAll(OpImport& op);
void EmitCollectiveBroadcast(OpImport& op);
void EmitCollectiveReduce(OpImport& op);
void EmitCollectivePermute(OpImport& op);
void EmitRaggedAllToAll(OpImport& op);
void EmitInfeed(OpImport& op);
void EmitOutfeed(OpImport& op);
void EmitSend(OpImport& op);
void EmitRecv(OpImport& op);

// Sizes that are operands (dynamic_ops.cc).
void EmitDynamic(OpImport& op);
void EmitComputeReshapeShape(OpImport& op);
/// A custom call of this kind: false for other targets.
bool EmitDynamicCall(OpImport& op, std::string_view target);

// Ops of older programs that have become others (deprecated_ops.cc).
void EmitEinsum(OpImport& op);
void EmitTorchIndexSelect(OpImport& op);

// Calls (call_ops.cc).
void EmitCall(OpImport& op);
void EmitComposite(OpImport& op);
void EmitCustomCall(OpImport& op);

// Client HLO (chlo_ops.cc).
void EmitChlo(OpImport& op);
void EmitBroadcasting(OpImport& op);
void EmitConj(OpImport& op);
void EmitConstantLike(OpImport& op);
void EmitTopK(OpImport& op);
void EmitShardy(OpImport& op);

// Checks and the interpreter's ops (check_ops.cc).
/// A custom-call without a result whose target judges its operands.
void EmitExpect(OpImport& op, std::string target, const Values& operands);
void EmitCheck(OpImport& op);
void EmitCheckConst(OpImport& op);
void EmitCheckSerialized(OpImport& op);
void EmitPrint(OpImport& op);
void EmitProbe(OpImport& op);
void EmitRunParallel(OpImport& op);

// The forms of ops that no layout describes (custom_forms.cc).
void PrintConstant(AsmPrinter& printer, const Op& op);
void PrintCompare(AsmPrinter& printer, const Op& op);
void PrintReducePrecision(AsmPrinter& printer, const Op& op);
void PrintGetTupleElement(AsmPrinter& printer, const Op& op);
void PrintSlice(AsmPrinter& printer, const Op& op);
void PrintOptimizationBarrier(AsmPrinter& printer, const Op& op);
void PrintDot(AsmPrinter& printer, const Op& op);
void PrintDotGeneral(AsmPrinter& printer, const Op& op);
void PrintConvolution(AsmPrinter& printer, const Op& op);
void PrintReduce(AsmPrinter& printer, const Op& op);
void PrintWhile(AsmPrinter& printer, const Op& op);
void PrintScan(AsmPrinter& printer, const Op& op);
void PrintCall(AsmPrinter& printer, const Op& op);
void PrintCustomCall(AsmPrinter& printer, const Op& op);
void PrintComposite(AsmPrinter& printer, const Op& op);
void PrintFunction(AsmPrinter& printer, const Op& op);
void PrintReturn(AsmPrinter& printer, const Op& op);
void PrintModule(AsmPrinter& printer, const Op& op);
/// `c` for integers, `cst` for others.
std::string_view ConstantHint(const Op& op);

/// With the written element type, where it may differ from the inferred one (products of arrays).
void ResultAsWritten(OpImport& op, Opcode opcode, Attrs attrs);

/// The operand as `result`: its dimension i becomes dimension map[i], stretched where it has size
/// 1; null after a fault.
Instruction* Stretch(OpImport& op, Instruction* operand, const Dims& map, const Shape& result);

/// A scalar of this type nearest to a number.
Tensor NumberOf(ElementType type, double number);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_OP_ROWS_H_
