// The write functions of export rows, by family. The table is in export_rows.cc.
#ifndef HLO_ENGINE_MLIR_EXPORT_ROWS_H_
#define HLO_ENGINE_MLIR_EXPORT_ROWS_H_

#include "engine/mlir/op_export.h"

namespace hlo::mlir {

// Element by element, and moving elements (export_moves.cc).
void WriteCompare(OpExport& op);
void WriteConvert(OpExport& op);
void WriteBitcastConvert(OpExport& op);
void WriteSlice(OpExport& op);
void WriteDynamicSlice(OpExport& op);
void WritePad(OpExport& op);
void WriteBitcast(OpExport& op);
void WriteReshape(OpExport& op);
void WriteDynamicReshape(OpExport& op);
void WriteRng(OpExport& op);
void WriteRngBits(OpExport& op);
void WriteTopk(OpExport& op);

// Regions (export_regions.cc).
void WriteReduce(OpExport& op);
void WriteReduceWindow(OpExport& op);
void WriteSelectAndScatter(OpExport& op);
void WriteSort(OpExport& op);
void WriteMap(OpExport& op);
void WriteWhile(OpExport& op);
void WriteConditional(OpExport& op);
void WriteScan(OpExport& op);

// Products of arrays, gather, scatter (export_products.cc).
void WriteDot(OpExport& op);
void WriteRaggedDot(OpExport& op);
void WriteConvolution(OpExport& op);
void WriteGather(OpExport& op);
void WriteScatter(OpExport& op);

// Several devices and the host (export_devices.cc).
void WriteAllGather(OpExport& op);
void WriteAllReduce(OpExport& op);
void WriteReduceScatter(OpExport& op);
void WriteAllToAll(OpExport& op);
void WriteCollectiveBroadcast(OpExport& op);
void WriteCollectivePermute(OpExport& op);
void WriteRaggedAllToAll(OpExport& op);
void WriteInfeed(OpExport& op);
void WriteOutfeed(OpExport& op);
void WriteSend(OpExport& op);
void WriteRecvDone(OpExport& op);

// Calls (export_calls.cc).
void WriteCall(OpExport& op);
void WriteFusion(OpExport& op);
void WriteAsyncDone(OpExport& op);
void WriteCustomCall(OpExport& op);

/// `array<i64: 1, 2>`.
std::string I64Array(std::span<const int64_t> dims);
/// The attributes of a compare: `LT`, `SIGNED`.
std::string CompareAttrs(std::string_view direction, std::string_view order);
/// The attributes of a slice.
std::string SliceAttrs(const Dims& starts, const Dims& limits, const Dims& strides);
/// What only names values or passes them on is nothing there: the first operand.
void PassOn(OpExport& op);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_EXPORT_ROWS_H_
