#include "engine/mlir/op_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/mlir/importer.h"
#include "engine/ops/op_def.h"

namespace hlo::mlir {
namespace {

constexpr OpRow kRows[] = {
    {"abs", EmitPlain, Opcode::kAbs},
    {"add", EmitPlain, Opcode::kAdd},
    {"after_all", EmitPlain, Opcode::kAfterAll},
    {"all_gather", EmitAllGather},
    {"all_reduce", EmitAllReduce},
    {"all_to_all", EmitAllToAll},
    {"and", EmitPlain, Opcode::kAnd},
    {"arith.constant", EmitConstant},
    {"atan2", EmitPlain, Opcode::kAtan2},
    {"batch_norm_grad", EmitBatchNorm, Opcode::kBatchNormGrad},
    {"batch_norm_inference", EmitBatchNorm, Opcode::kBatchNormInference},
    {"batch_norm_training", EmitBatchNorm, Opcode::kBatchNormTraining},
    {"bitcast_convert", EmitBitcast, Opcode::kBitcastConvert},
    {"broadcast", EmitBroadcast},
    {"broadcast_in_dim", EmitBroadcastInDim},
    {"call", EmitCall},
    {"case", EmitCase},
    {"cbrt", EmitPlain, Opcode::kCbrt},
    {"ceil", EmitPlain, Opcode::kCeil},
    {"check.expect_almost_eq", EmitCheck},
    {"check.expect_almost_eq_const", EmitCheckConst},
    {"check.expect_close", EmitCheck},
    {"check.expect_eq", EmitCheck},
    {"check.expect_eq_const", EmitCheckConst},
    {"check.expect_serialized_eq", EmitCheckSerialized},
    {"chlo.acos", EmitPlain, Opcode::kAcos},
    {"chlo.acosh", EmitPlain, Opcode::kAcosh},
    {"chlo.asin", EmitPlain, Opcode::kAsin},
    {"chlo.asinh", EmitPlain, Opcode::kAsinh},
    {"chlo.atan", EmitAtan},
    {"chlo.atan2", EmitPlain, Opcode::kAtan2},
    {"chlo.atanh", EmitPlain, Opcode::kAtanh},
    {"chlo.bessel_i1e", EmitChlo},
    {"chlo.broadcast_add", EmitBroadcasting},
    {"chlo.broadcast_and", EmitBroadcasting},
    {"chlo.broadcast_atan2", EmitBroadcasting},
    {"chlo.broadcast_compare", EmitBroadcasting},
    {"chlo.broadcast_complex", EmitBroadcasting},
    {"chlo.broadcast_divide", EmitBroadcasting},
    {"chlo.broadcast_maximum", EmitBroadcasting},
    {"chlo.broadcast_minimum", EmitBroadcasting},
    {"chlo.broadcast_multiply", EmitBroadcasting},
    {"chlo.broadcast_next_after", EmitBroadcasting},
    {"chlo.broadcast_or", EmitBroadcasting},
    {"chlo.broadcast_polygamma", EmitBroadcasting},
    {"chlo.broadcast_power", EmitBroadcasting},
    {"chlo.broadcast_remainder", EmitBroadcasting},
    {"chlo.broadcast_select", EmitBroadcasting},
    {"chlo.broadcast_shift_left", EmitBroadcasting},
    {"chlo.broadcast_shift_right_arithmetic", EmitBroadcasting},
    {"chlo.broadcast_shift_right_logical", EmitBroadcasting},
    {"chlo.broadcast_subtract", EmitBroadcasting},
    {"chlo.broadcast_xor", EmitBroadcasting},
    {"chlo.broadcast_zeta", EmitBroadcasting},
    {"chlo.conj", EmitConj},
    {"chlo.constant", EmitConstant},
    {"chlo.constant_like", EmitConstantLike},
    {"chlo.cosh", EmitPlain, Opcode::kCosh},
    {"chlo.digamma", EmitChlo},
    {"chlo.erf", EmitPlain, Opcode::kErf},
    {"chlo.erf_inv", EmitChlo},
    {"chlo.erfc", EmitChlo},
    {"chlo.is_inf", EmitChlo},
    {"chlo.is_neg_inf", EmitChlo},
    {"chlo.is_pos_inf", EmitChlo},
    {"chlo.lgamma", EmitChlo},
    {"chlo.mulhi", EmitPlain, Opcode::kMulhi},
    {"chlo.next_after", EmitChlo},
    {"chlo.polygamma", EmitChlo},
    {"chlo.ragged_dot", EmitRaggedDot},
    {"chlo.scan", EmitScan},
    {"chlo.sinh", EmitPlain, Opcode::kSinh},
    {"chlo.square", EmitSquare},
    {"chlo.tan", EmitPlain, Opcode::kTan},
    {"chlo.top_k", EmitTopK},
    {"chlo.zeta", EmitChlo},
    {"cholesky", EmitCholesky},
    {"clamp", EmitPlain, Opcode::kClamp},
    {"collective_broadcast", EmitCollectiveBroadcast},
    {"collective_permute", EmitCollectivePermute},
    {"collective_reduce", EmitCollectiveReduce},
    {"compare", EmitCompare},
    {"complex", EmitPlain, Opcode::kComplex},
    {"composite", EmitComposite},
    {"compute_reshape_shape", EmitComputeReshapeShape},
    {"concatenate", EmitConcatenate},
    {"constant", EmitConstant},
    {"convert", EmitConvert, Opcode::kConvert},
    {"convolution", EmitConvolution},
    {"copy", EmitPlain, Opcode::kCopy},
    {"cosine", EmitPlain, Opcode::kCosine},
    {"count_leading_zeros", EmitPlain, Opcode::kCountLeadingZeros},
    {"create_token", EmitPlain, Opcode::kAfterAll},
    {"cross-replica-sum", EmitCrossReplicaSum},
    {"custom_call", EmitCustomCall},
    {"divide", EmitPlain, Opcode::kDivide},
    {"dot", EmitDot},
    {"dot_general", EmitDotGeneral},
    {"dynamic_broadcast_in_dim", EmitBroadcastInDim},
    {"dynamic_conv", EmitDynamic},
    {"dynamic_gather", EmitDynamic},
    {"dynamic_iota", EmitIota},
    {"dynamic_pad", EmitDynamic},
    {"dynamic_reshape", EmitReshape},
    {"dynamic_slice", EmitDynamicSlice},
    {"dynamic_update_slice", EmitDynamicUpdateSlice},
    {"einsum", EmitEinsum},
    {"erf", EmitPlain, Opcode::kErf},
    {"exponential", EmitPlain, Opcode::kExponential},
    {"exponential_minus_one", EmitPlain, Opcode::kExponentialMinusOne},
    {"fft", EmitFft},
    {"floor", EmitPlain, Opcode::kFloor},
    {"func.call", EmitCall},
    {"gather", EmitGather},
    {"get_dimension_size", EmitDimensionSize, Opcode::kGetDimensionSize},
    {"get_tuple_element", EmitGetTupleElement},
    {"if", EmitIf},
    {"imag", EmitRealOrImag, Opcode::kImag},
    {"infeed", EmitInfeed},
    {"interpreter.print", EmitPrint},
    {"interpreter.probe", EmitProbe},
    {"interpreter.run_parallel", EmitRunParallel},
    {"iota", EmitIota},
    {"is_finite", EmitPlain, Opcode::kIsFinite},
    {"log", EmitPlain, Opcode::kLog},
    {"log_plus_one", EmitPlain, Opcode::kLogPlusOne},
    {"logistic", EmitPlain, Opcode::kLogistic},
    {"map", EmitMap},
    {"maximum", EmitMaxOrMin, Opcode::kMaximum},
    {"mhlo.add_dependency", EmitPlain, Opcode::kAddDependency},
    {"mhlo.bitcast", EmitPlain, Opcode::kBitcast},
    {"mhlo.stochastic_convert", EmitPlain, Opcode::kStochasticConvert},
    {"mhlo.topk", EmitTopK},
    {"mhlo.xla.rng_get_and_update_state", EmitRngState},
    {"minimum", EmitMaxOrMin, Opcode::kMinimum},
    {"multiply", EmitPlain, Opcode::kMultiply},
    {"negate", EmitPlain, Opcode::kNegate},
    {"not", EmitPlain, Opcode::kNot},
    {"optimization_barrier", EmitBarrier},
    {"or", EmitPlain, Opcode::kOr},
    {"outfeed", EmitOutfeed},
    {"pad", EmitPad},
    {"partition_id", EmitPlain, Opcode::kPartitionId},
    {"popcnt", EmitPlain, Opcode::kPopcnt},
    {"power", EmitPlain, Opcode::kPower},
    {"real", EmitRealOrImag, Opcode::kReal},
    {"real_dynamic_slice", EmitDynamic},
    {"recv", EmitRecv},
    {"reduce", EmitReduce},
    {"reduce_precision", EmitReducePrecision},
    {"reduce_scatter", EmitReduceScatter},
    {"reduce_window", EmitReduceWindow},
    {"remainder", EmitPlain, Opcode::kRemainder},
    {"replica_id", EmitPlain, Opcode::kReplicaId},
    {"reshape", EmitReshape},
    {"reverse", EmitReverse},
    {"rng", EmitRng},
    {"rng_bit_generator", EmitRngBitGenerator},
    {"round_nearest_afz", EmitPlain, Opcode::kRoundNearestAfz},
    {"round_nearest_even", EmitPlain, Opcode::kRoundNearestEven},
    {"rsqrt", EmitPlain, Opcode::kRsqrt},
    {"scatter", EmitScatter},
    {"select", EmitPlain, Opcode::kSelect},
    {"select_and_scatter", EmitSelectAndScatter},
    {"send", EmitSend},
    {"set_dimension_size", EmitDimensionSize, Opcode::kSetDimensionSize},
    {"shift_left", EmitPlain, Opcode::kShiftLeft},
    {"shift_right_arithmetic", EmitPlain, Opcode::kShiftRightArithmetic},
    {"shift_right_logical", EmitPlain, Opcode::kShiftRightLogical},
    {"sign", EmitPlain, Opcode::kSign},
    {"sine", EmitPlain, Opcode::kSine},
    {"slice", EmitSlice},
    {"sort", EmitSort},
    {"sqrt", EmitPlain, Opcode::kSqrt},
    {"subtract", EmitPlain, Opcode::kSubtract},
    {"tan", EmitPlain, Opcode::kTan},
    {"tanh", EmitPlain, Opcode::kTanh},
    {"torch_index_select", EmitTorchIndexSelect},
    {"transpose", EmitTranspose},
    {"triangular_solve", EmitTriangularSolve},
    {"tuple", EmitPlain, Opcode::kTuple},
    {"unary_einsum", EmitEinsum},
    {"uniform_dequantize", EmitConversion},
    {"uniform_quantize", EmitConversion},
    {"while", EmitWhile},
    {"xor", EmitPlain, Opcode::kXor},
};

constexpr bool IsSorted() {
  for (size_t i = 1; i < std::size(kRows); ++i) {
    if (kRows[i - 1].name >= kRows[i].name) return false;
  }
  return true;
}
static_assert(IsSorted());

const OpRow* FindExact(std::string_view name) {
  const auto row = std::lower_bound(std::begin(kRows), std::end(kRows), name,
                                    [](const OpRow& a, std::string_view b) { return a.name < b; });
  return row != std::end(kRows) && row->name == name ? &*row : nullptr;
}

}  // namespace

std::string_view NameOf(Opcode opcode) {
  for (const OpRow& row : kRows) {
    // What only MHLO had is no op of StableHLO.
    const bool is_old = row.name.starts_with("mhlo.");
    if (row.opcode == opcode && opcode != Opcode::kTuple && !is_old) return row.name;
  }
  return {};
}

const OpRow* FindRow(std::string_view name) {
  for (std::string_view dialect : {"stablehlo.", "mhlo."}) {
    if (!name.starts_with(dialect)) continue;
    name.remove_prefix(dialect.size());
    // What came to be an op of CHLO was one of MHLO before.
    if (const OpRow* row = FindExact(name); row || dialect[0] != 'm') return row;
    if (const OpRow* row = FindExact(fmt::format("chlo.{}", name))) return row;
    return FindExact(fmt::format("mhlo.{}", name));
  }
  return FindExact(name);
}

}  // namespace hlo::mlir

namespace hlo {

std::optional<Opcode> MlirOpcode(std::string_view name) {
  const mlir::OpRow* row = mlir::FindRow(name);
  if (!row) return std::nullopt;
  if (row->opcode != Opcode::kTuple) return row->opcode;
  // Rows of one op alone do not say which it is: most have its name.
  std::string text(row->name);
  std::replace(text.begin(), text.end(), '_', '-');
  return OpcodeFromText(text);
}

std::vector<std::string> MlirOpNames() {
  std::vector<std::string> names;
  for (const mlir::OpRow& row : mlir::kRows) {
    const bool has_dialect = row.name.find('.') != std::string_view::npos;
    names.push_back((has_dialect ? "" : "stablehlo.") + std::string(row.name));
  }
  return names;
}

}  // namespace hlo
