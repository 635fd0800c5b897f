// The table of the exporter: one row per opcode that is not written plainly under the name that the
// importer knows it by.
#include "engine/mlir/export_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace hlo::mlir {
namespace {

// ---- Values -------------------------------------------------------------------------------------

void WriteConstant(OpExport& op) {
  const ShapedLiteral* literal = op.call().GetLiteral("literal");
  if (!literal || literal->literal.elided || !literal->literal.value.is_array()) {
    return op.NoCounterpart(literal && literal->literal.elided
                                ? "the value is left out in the text, written {...}"
                                : "only arrays are constants there");
  }
  const Tensor& tensor = literal->literal.value.tensor();
  Ssa value = op.Constant(tensor);
  // Sizes of run time are set one by one.
  Shape shape = Shape::Array(tensor.element_type(), tensor.dims());
  for (int i = 0; i < op.shape().rank(); ++i) {
    if (!op.shape().is_dynamic(i)) continue;
    shape.set_dynamic(i, true);
    const Ssa size = op.Integer(ElementType::kS32, tensor.live_dim(i));
    value = op.Make("stablehlo.set_dimension_size", {value, size}, shape,
                    fmt::format("dimension = {} : i64", i));
  }
  op.Set({value});
}

void WriteTuple(OpExport& op) { op.Set(op.Operands()); }

size_t LeafCount(const Shape& shape) {
  if (!shape.IsTuple()) return 1;
  size_t count = 0;
  for (const Shape& element : shape.elements()) count += LeafCount(element);
  return count;
}

void WriteElement(OpExport& op) {
  const Shape& tuple = op.op().operand(0)->shape();
  const auto index = static_cast<size_t>(op.call().Int("index"));
  size_t begin = 0;
  for (size_t i = 0; i < index; ++i) begin += LeafCount(tuple.elements()[i]);
  const Leaves& all = op.Operand(0);
  const size_t end = begin + LeafCount(tuple.elements()[index]);
  op.Set(Leaves(all.begin() + static_cast<ptrdiff_t>(begin),
                all.begin() + static_cast<ptrdiff_t>(end)));
}

void WriteNothing(OpExport& op) { op.Set({}); }

void WriteAfterAll(OpExport& op) {
  const bool is_new = op.op().operand_count() == 0;
  op.Set(op.Write({is_new ? "stablehlo.create_token" : "stablehlo.after_all"}, op.Operands()));
}

void WriteBarrier(OpExport& op) {
  Leaves values = op.Operands();
  Leaves results = op.Write({"stablehlo.optimization_barrier"}, values, values);
  results.resize(op.ResultLeaves().size());
  op.Set(std::move(results));
}

// ---- The table, by opcode -----------------------------------------------------------------------

constexpr std::string_view kNormAttrs =
    "epsilon = @epsilon : f32, feature_index = @feature_index : i64";

constexpr ExportRow kExportRows[] = {
    {Opcode::kAcos, WritePlain, "chlo.acos"},
    {Opcode::kAcosh, WritePlain, "chlo.acosh"},
    {Opcode::kAddDependency, WriteBarrier},
    {Opcode::kAfterAll, WriteAfterAll},
    {Opcode::kAllGather, WriteAllGather},
    {Opcode::kAllGatherDone, PassOn},
    {Opcode::kAllGatherStart, WriteAllGather},
    {Opcode::kAllReduce, WriteAllReduce},
    {Opcode::kAllReduceDone, PassOn},
    {Opcode::kAllReduceStart, WriteAllReduce},
    {Opcode::kAllToAll, WriteAllToAll},
    {Opcode::kAsin, WritePlain, "chlo.asin"},
    {Opcode::kAsinh, WritePlain, "chlo.asinh"},
    {Opcode::kAsyncDone, WriteAsyncDone},
    {Opcode::kAsyncStart, WriteNothing},
    {Opcode::kAsyncUpdate, WriteNothing},
    {Opcode::kAtan, WritePlain, "chlo.atan"},
    {Opcode::kAtanh, WritePlain, "chlo.atanh"},
    {Opcode::kBatchNormGrad, WritePlain, "stablehlo.batch_norm_grad", kNormAttrs},
    {Opcode::kBatchNormInference, WritePlain, "stablehlo.batch_norm_inference", kNormAttrs},
    {Opcode::kBatchNormTraining, WritePlain, "stablehlo.batch_norm_training", kNormAttrs},
    {Opcode::kBitcast, WriteBitcast},
    {Opcode::kBitcastConvert, WriteBitcastConvert},
    {Opcode::kBroadcast, WritePlain, "stablehlo.broadcast_in_dim",
     "broadcast_dimensions = array<i64: @dimensions>"},
    {Opcode::kCall, WriteCall},
    {Opcode::kCholesky, WritePlain, "stablehlo.cholesky", "lower = @lower"},
    {Opcode::kCollectiveBroadcast, WriteCollectiveBroadcast},
    {Opcode::kCollectivePermute, WriteCollectivePermute},
    {Opcode::kCollectivePermuteDone, PassOn},
    {Opcode::kCollectivePermuteStart, WriteCollectivePermute},
    {Opcode::kCompare, WriteCompare},
    {Opcode::kConcatenate, WritePlain, "stablehlo.concatenate", "dimension = @dimensions : i64"},
    {Opcode::kConditional, WriteConditional},
    {Opcode::kConstant, WriteConstant},
    {Opcode::kConvert, WriteConvert, "stablehlo.convert"},
    {Opcode::kConvolution, WriteConvolution},
    {Opcode::kCopy, PassOn},
    {Opcode::kCopyDone, PassOn},
    {Opcode::kCopyStart, PassOn},
    {Opcode::kCosh, WritePlain, "chlo.cosh"},
    {Opcode::kCustomCall, WriteCustomCall},
    {Opcode::kDomain, PassOn},
    {Opcode::kDot, WriteDot},
    {Opcode::kDynamicReshape, WriteDynamicReshape},
    {Opcode::kDynamicSlice, WriteDynamicSlice, "stablehlo.dynamic_slice",
     "slice_sizes = array<i64: @dynamic_slice_sizes>"},
    {Opcode::kDynamicUpdateSlice, WriteDynamicSlice, "stablehlo.dynamic_update_slice"},
    {Opcode::kErf, WritePlain, "chlo.erf"},
    {Opcode::kFft, WritePlain, "stablehlo.fft",
     "fft_type = #stablehlo<fft_type @fft_type>, fft_length = array<i64: @fft_length>"},
    {Opcode::kFusion, WriteFusion},
    {Opcode::kGather, WriteGather},
    {Opcode::kGetDimensionSize, WritePlain, "stablehlo.get_dimension_size",
     "dimension = @dimensions : i64"},
    {Opcode::kGetTupleElement, WriteElement},
    {Opcode::kInfeed, WriteInfeed},
    {Opcode::kIota, WritePlain, "stablehlo.iota", "iota_dimension = @iota_dimension : i64"},
    {Opcode::kMap, WriteMap},
    {Opcode::kMulhi, WritePlain, "chlo.mulhi"},
    {Opcode::kOptBarrier, WriteBarrier},
    {Opcode::kOutfeed, WriteOutfeed},
    {Opcode::kPad, WritePad},
    {Opcode::kRaggedAllToAll, WriteRaggedAllToAll},
    {Opcode::kRaggedDot, WriteRaggedDot},
    {Opcode::kRecv, PassOn},
    {Opcode::kRecvDone, WriteRecvDone},
    {Opcode::kReduce, WriteReduce},
    {Opcode::kReducePrecision, WritePlain, "stablehlo.reduce_precision",
     "exponent_bits = @exponent_bits : i32, mantissa_bits = @mantissa_bits : i32"},
    {Opcode::kReduceScatter, WriteReduceScatter},
    {Opcode::kReduceWindow, WriteReduceWindow},
    {Opcode::kReshape, WriteReshape},
    {Opcode::kReverse, WritePlain, "stablehlo.reverse", "dimensions = array<i64: @dimensions>"},
    {Opcode::kRng, WriteRng},
    {Opcode::kRngBitGenerator, WriteRngBits},
    {Opcode::kScan, WriteScan},
    {Opcode::kScatter, WriteScatter},
    {Opcode::kSelectAndScatter, WriteSelectAndScatter},
    {Opcode::kSend, WriteSend},
    {Opcode::kSendDone, PassOn},
    {Opcode::kSetDimensionSize, WritePlain, "stablehlo.set_dimension_size",
     "dimension = @dimensions : i64"},
    {Opcode::kSinh, WritePlain, "chlo.sinh"},
    {Opcode::kSlice, WriteSlice},
    {Opcode::kSort, WriteSort},
    {Opcode::kTan, WritePlain, "stablehlo.tan"},
    {Opcode::kTopk, WriteTopk},
    {Opcode::kTranspose, WritePlain, "stablehlo.transpose",
     "permutation = array<i64: @dimensions>"},
    {Opcode::kTriangularSolve, WritePlain, "stablehlo.triangular_solve",
     "left_side = @left_side, lower = @lower, transpose_a = #stablehlo<transpose @transpose_a>, "
     "unit_diagonal = @unit_diagonal"},
    {Opcode::kTuple, WriteTuple},
    {Opcode::kWhile, WriteWhile},
};

constexpr bool AreExportRowsSorted() {
  for (size_t i = 1; i < std::size(kExportRows); ++i) {
    if (kExportRows[i - 1].opcode >= kExportRows[i].opcode) return false;
  }
  return true;
}
static_assert(AreExportRowsSorted());

}  // namespace

void PassOn(OpExport& op) { op.Set(op.Operands(0, 1)); }

const ExportRow* FindExportRow(Opcode opcode) {
  const auto row = std::lower_bound(std::begin(kExportRows), std::end(kExportRows), opcode,
                                    [](const ExportRow& a, Opcode b) { return a.opcode < b; });
  return row != std::end(kExportRows) && row->opcode == opcode ? &*row : nullptr;
}

}  // namespace hlo::mlir
