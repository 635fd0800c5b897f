#include "engine/mlir/op_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/mlir/importer.h"
#include "engine/ops/op_def.h"

namespace hlo::mlir {
namespace {

constexpr Opcode kNoOpcode = Opcode::kTuple;

// Forms that many ops have.
constexpr OpForm kUnary = {.layout = "%0",
                           .types = TypeForm::kSame,
                           .defaults =
                               "result_accuracy=#stablehlo.result_accuracy<mode = "
                               "#stablehlo.result_accuracy_mode<DEFAULT>>"};
constexpr OpForm kBinary = {.layout = "%0, %1", .types = TypeForm::kSame};
constexpr OpForm kUnaryArrow = {.layout = "%0", .types = TypeForm::kArrow};
constexpr OpForm kBinaryArrow = {.layout = "%0, %1", .types = TypeForm::kArrow};
constexpr OpForm kListed = {.layout = "%*"};

constexpr OpRow kOpRows[] = {
    {"abs", EmitPlain, Opcode::kAbs, kUnary},
    {"add", EmitPlain, Opcode::kAdd, kBinary},
    {"after_all", EmitPlain, Opcode::kAfterAll, {.layout = "%*", .types = TypeForm::kResults}},
    {"all_gather",
     EmitAllGather,
     kNoOpcode,
     {.inherent = "all_gather_dim channel_handle replica_groups use_global_device_ids"}},
    {"all_reduce",
     EmitAllReduce,
     kNoOpcode,
     {.inherent = "channel_handle replica_groups use_global_device_ids"}},
    {"all_to_all",
     EmitAllToAll,
     kNoOpcode,
     {.inherent = "channel_handle concat_dimension replica_groups split_count split_dimension"}},
    {"and", EmitPlain, Opcode::kAnd, kBinary},
    {"arith.constant", EmitConstant},
    {"atan2", EmitPlain, Opcode::kAtan2, kBinary},
    {"batch_norm_grad",
     EmitBatchNorm,
     Opcode::kBatchNormGrad,
     {.inherent = "epsilon feature_index", .names = {"grad_operand,grad_scale,grad_offset", ""}}},
    {"batch_norm_inference",
     EmitBatchNorm,
     Opcode::kBatchNormInference,
     {.inherent = "epsilon feature_index"}},
    {"batch_norm_training",
     EmitBatchNorm,
     Opcode::kBatchNormTraining,
     {.inherent = "epsilon feature_index", .names = {"output,batch_mean,batch_var", ""}}},
    {"bitcast_convert", EmitBitcast, Opcode::kBitcastConvert, kListed},
    {"broadcast", EmitBroadcast, kNoOpcode, {.layout = "%0, sizes = @broadcast_sizes"}},
    {"broadcast_in_dim",
     EmitBroadcastInDim,
     kNoOpcode,
     {.layout = "%0, dims = @broadcast_dimensions"}},
    {"call", EmitCall, kNoOpcode, {.print = PrintCall}},
    {"case", EmitCase, kNoOpcode, {}},
    {"cbrt", EmitPlain, Opcode::kCbrt, kUnary},
    {"ceil", EmitPlain, Opcode::kCeil, kUnary},
    {"check.expect_almost_eq",
     EmitCheck,
     kNoOpcode,
     {.layout = "%0, %1?, tolerance = @tolerance?",
      .types = TypeForm::kFirst,
      .has_results = false}},
    {"check.expect_almost_eq_const",
     EmitCheckConst,
     kNoOpcode,
     {.layout = "%0, @value", .types = TypeForm::kNone, .has_results = false}},
    {"check.expect_close",
     EmitCheck,
     kNoOpcode,
     {.layout = "%0, %1?, max_ulp_difference = @max_ulp_difference??, min_ulp_difference = "
                "@min_ulp_difference?",
      .types = TypeForm::kOperands,
      .has_results = false}},
    {"check.expect_eq",
     EmitCheck,
     kNoOpcode,
     {.layout = "%0, %1", .types = TypeForm::kFirst, .has_results = false}},
    {"check.expect_eq_const",
     EmitCheckConst,
     kNoOpcode,
     {.layout = "%0, @value", .types = TypeForm::kNone, .has_results = false}},
    {"check.expect_serialized_eq",
     EmitCheckSerialized,
     kNoOpcode,
     {.layout = "%0, probe_id = @probe_id?, iter = @iter?",
      .types = TypeForm::kFirst,
      .has_results = false}},
    {"chlo.acos", EmitPlain, Opcode::kAcos, kUnaryArrow},
    {"chlo.acosh", EmitPlain, Opcode::kAcosh, kUnaryArrow},
    {"chlo.asin", EmitPlain, Opcode::kAsin, kUnaryArrow},
    {"chlo.asinh", EmitPlain, Opcode::kAsinh, kUnaryArrow},
    {"chlo.atan", EmitPlain, Opcode::kAtan, kUnaryArrow},
    {"chlo.atan2", EmitPlain, Opcode::kAtan2, kBinaryArrow},
    {"chlo.atanh", EmitPlain, Opcode::kAtanh, kUnaryArrow},
    {"chlo.bessel_i1e", EmitChlo, kNoOpcode, kUnaryArrow},
    {"chlo.broadcast_add", EmitBroadcasting, kNoOpcode, kListed},
    {"chlo.broadcast_and", EmitBroadcasting, kNoOpcode, kListed},
    {"chlo.broadcast_atan2", EmitBroadcasting, kNoOpcode, kListed},
    {"chlo.broadcast_compare", EmitBroadcasting, kNoOpcode, kListed},
    {"chlo.broadcast_complex", EmitBroadcasting, kNoOpcode, kListed},
    {"chlo.broadcast_divide", EmitBroadcasting, kNoOpcode, kListed},
    {"chlo.broadcast_maximum", EmitBroadcasting, kNoOpcode, kListed},
    {"chlo.broadcast_minimum", EmitBroadcasting, kNoOpcode, kListed},
    {"chlo.broadcast_multiply", EmitBroadcasting, kNoOpcode, kListed},
    {"chlo.broadcast_next_after", EmitBroadcasting, kNoOpcode, kListed},
    {"chlo.broadcast_or", EmitBroadcasting, kNoOpcode, kListed},
    {"chlo.broadcast_polygamma", EmitBroadcasting, kNoOpcode, kListed},
    {"chlo.broadcast_power", EmitBroadcasting, kNoOpcode, kListed},
    {"chlo.broadcast_remainder", EmitBroadcasting, kNoOpcode, kListed},
    {"chlo.broadcast_select", EmitBroadcasting, kNoOpcode, kListed},
    {"chlo.broadcast_shift_left", EmitBroadcasting, kNoOpcode, kListed},
    {"chlo.broadcast_shift_right_arithmetic", EmitBroadcasting, kNoOpcode, kListed},
    {"chlo.broadcast_shift_right_logical", EmitBroadcasting, kNoOpcode, kListed},
    {"chlo.broadcast_subtract", EmitBroadcasting, kNoOpcode, kListed},
    {"chlo.broadcast_xor", EmitBroadcasting, kNoOpcode, kListed},
    {"chlo.broadcast_zeta", EmitBroadcasting, kNoOpcode, kListed},
    {"chlo.conj", EmitConj, kNoOpcode, kUnaryArrow},
    {"chlo.constant",
     EmitConstant,
     kNoOpcode,
     {.types = TypeForm::kResults, .print = PrintConstant, .hint = ConstantHint}},
    {"chlo.constant_like", EmitConstantLike, kNoOpcode, {.inherent = "value"}},
    {"chlo.cosh", EmitPlain, Opcode::kCosh, kUnaryArrow},
    {"chlo.digamma", EmitChlo, kNoOpcode, kUnaryArrow},
    {"chlo.erf", EmitPlain, Opcode::kErf, kUnaryArrow},
    {"chlo.erf_inv", EmitChlo, kNoOpcode, kUnaryArrow},
    {"chlo.erfc", EmitChlo, kNoOpcode, kUnaryArrow},
    {"chlo.is_inf", EmitChlo, kNoOpcode, kUnaryArrow},
    {"chlo.is_neg_inf", EmitChlo, kNoOpcode, kUnaryArrow},
    {"chlo.is_pos_inf", EmitChlo, kNoOpcode, kUnaryArrow},
    {"chlo.lgamma", EmitChlo, kNoOpcode, kUnaryArrow},
    {"chlo.mulhi", EmitPlain, Opcode::kMulhi, kBinaryArrow},
    {"chlo.next_after", EmitChlo, kNoOpcode, kBinaryArrow},
    {"chlo.polygamma", EmitChlo, kNoOpcode, kBinaryArrow},
    {"chlo.ragged_dot",
     EmitRaggedDot,
     kNoOpcode,
     {.inherent = "precision_config ragged_dot_dimension_numbers"}},
    {"chlo.scan",
     EmitScan,
     kNoOpcode,
     {.names = {"", "input,carry"}, .items = "dimension", .print = PrintScan}},
    {"chlo.sinh", EmitPlain, Opcode::kSinh, kUnaryArrow},
    {"chlo.square", EmitSquare, kNoOpcode, kUnaryArrow},
    {"chlo.tan", EmitPlain, Opcode::kTan, kUnaryArrow},
    {"chlo.top_k",
     EmitTopK,
     kNoOpcode,
     {.layout = "(%0, k = @k)",
      .types = TypeForm::kPair,
      .defaults = "largest=true;is_stable=true",
      .names = {"values,indices", ""}}},
    {"chlo.zeta", EmitChlo, kNoOpcode, kBinaryArrow},
    {"cholesky",
     EmitCholesky,
     kNoOpcode,
     {.layout = "%0?, lower = @lower?", .types = TypeForm::kSame, .defaults = "lower=false"}},
    {"clamp", EmitPlain, Opcode::kClamp, {.layout = "%*", .types = TypeForm::kSame}},
    {"collective_broadcast",
     EmitCollectiveBroadcast,
     kNoOpcode,
     {.inherent = "channel_handle has_dynamic_root replica_groups"}},
    {"collective_permute",
     EmitCollectivePermute,
     kNoOpcode,
     {.inherent = "channel_handle source_target_pairs"}},
    {"collective_reduce",
     EmitCollectiveReduce,
     kNoOpcode,
     {.inherent = "channel_handle has_dynamic_root replica_groups use_global_device_ids"}},
    {"compare", EmitCompare, kNoOpcode, {.print = PrintCompare}},
    {"complex", EmitPlain, Opcode::kComplex, {.layout = "%*", .types = TypeForm::kComplex}},
    {"composite",
     EmitComposite,
     kNoOpcode,
     {.defaults = "composite_attributes={};version=0", .print = PrintComposite}},
    {"compute_reshape_shape", EmitComputeReshapeShape, kNoOpcode, kListed},
    {"concatenate", EmitConcatenate, kNoOpcode, {.layout = "%*, dim = @dimension"}},
    {"constant",
     EmitConstant,
     kNoOpcode,
     {.types = TypeForm::kResults,
      .inherent = "value",
      .print = PrintConstant,
      .hint = ConstantHint}},
    {"convert", EmitConvert, Opcode::kConvert, kUnary},
    {"convolution",
     EmitConvolution,
     kNoOpcode,
     {.items = "dim_numbers window", .print = PrintConvolution}},
    {"copy", EmitPlain, Opcode::kCopy},
    {"cosine", EmitPlain, Opcode::kCosine, kUnary},
    {"count_leading_zeros", EmitPlain, Opcode::kCountLeadingZeros, kUnary},
    {"create_token", EmitPlain, Opcode::kAfterAll, {.layout = "", .types = TypeForm::kResults}},
    {"cross-replica-sum", EmitCrossReplicaSum, kNoOpcode, {.inherent = "replica_groups"}},
    {"custom_call",
     EmitCustomCall,
     kNoOpcode,
     {.defaults =
          "api_version=1;called_computations=[];has_side_effect=false;output_operand_aliases=[]",
      .print = PrintCustomCall}},
    {"divide", EmitPlain, Opcode::kDivide, kBinary},
    {"dot", EmitDot, kNoOpcode, {.items = "precision", .print = PrintDot}},
    {"dot_general",
     EmitDotGeneral,
     kNoOpcode,
     {.items = "batching_dims contracting_dims precision algorithm", .print = PrintDotGeneral}},
    {"dynamic_broadcast_in_dim",
     EmitBroadcastInDim,
     kNoOpcode,
     {.layout = "%0, %1, dims = @broadcast_dimensions"}},
    {"dynamic_conv",
     EmitDynamic,
     kNoOpcode,
     {.inherent = "batch_group_count dimension_numbers feature_group_count lhs_dilation padding "
                  "precision_config rhs_dilation window_reversal window_strides"}},
    {"dynamic_gather",
     EmitDynamic,
     kNoOpcode,
     {.inherent = "dimension_numbers indices_are_sorted"}},
    {"dynamic_iota", EmitIota, kNoOpcode, {.layout = "%0, dim = @iota_dimension"}},
    {"dynamic_pad", EmitDynamic, kNoOpcode, kListed},
    {"dynamic_reshape", EmitReshape, kNoOpcode, kListed},
    {"dynamic_slice", EmitDynamicSlice, kNoOpcode, {.layout = "%*, sizes = @slice_sizes"}},
    {"dynamic_update_slice", EmitDynamicUpdateSlice, kNoOpcode, kListed},
    {"einsum", EmitEinsum, kNoOpcode, {.layout = "%0, %1, config = @einsum_config"}},
    {"erf", EmitPlain, Opcode::kErf},
    {"exponential", EmitPlain, Opcode::kExponential, kUnary},
    {"exponential_minus_one", EmitPlain, Opcode::kExponentialMinusOne, kUnary},
    {"fft", EmitFft, kNoOpcode, {.layout = "%0, type =  @fft_type, length = @fft_length"}},
    {"floor", EmitPlain, Opcode::kFloor, kUnary},
    {"func.call", EmitCall, kNoOpcode, {.print = PrintCall}},
    {"gather",
     EmitGather,
     kNoOpcode,
     {.inherent = "dimension_numbers indices_are_sorted slice_sizes"}},
    {"get_dimension_size",
     EmitDimensionSize,
     Opcode::kGetDimensionSize,
     {.layout = "%0, dim = @dimension"}},
    {"get_tuple_element", EmitGetTupleElement, kNoOpcode, {.print = PrintGetTupleElement}},
    {"if", EmitIf, kNoOpcode, {}},
    {"imag", EmitRealOrImag, Opcode::kImag, kUnary},
    {"infeed", EmitInfeed, kNoOpcode, {.inherent = "infeed_config layout"}},
    {"interpreter.print",
     EmitPrint,
     kNoOpcode,
     {.layout = "%0", .types = TypeForm::kFirst, .has_results = false}},
    {"interpreter.probe",
     EmitProbe,
     kNoOpcode,
     {.layout = "%0, probe_id = @probe_id", .types = TypeForm::kFirst}},
    {"interpreter.run_parallel", EmitRunParallel, kNoOpcode, {.inherent = "infeed programs"}},
    {"iota", EmitIota, kNoOpcode, {.layout = "dim = @iota_dimension", .types = TypeForm::kResults}},
    {"is_finite", EmitPlain, Opcode::kIsFinite, kListed},
    {"log", EmitPlain, Opcode::kLog, kUnary},
    {"log_plus_one", EmitPlain, Opcode::kLogPlusOne, kUnary},
    {"logistic", EmitPlain, Opcode::kLogistic, kUnary},
    {"map", EmitMap, kNoOpcode, {.inherent = "dimensions"}},
    {"maximum", EmitMaxOrMin, Opcode::kMaximum, kBinary},
    {"mhlo.add_dependency", EmitPlain, Opcode::kAddDependency},
    {"mhlo.bitcast", EmitPlain, Opcode::kBitcast},
    {"mhlo.stochastic_convert", EmitPlain, Opcode::kStochasticConvert},
    {"mhlo.topk", EmitTopK},
    {"mhlo.xla.rng_get_and_update_state", EmitRngState},
    {"minimum", EmitMaxOrMin, Opcode::kMinimum, kBinary},
    {"multiply", EmitPlain, Opcode::kMultiply, kBinary},
    {"negate", EmitPlain, Opcode::kNegate, kUnary},
    {"not", EmitPlain, Opcode::kNot, kUnary},
    {"optimization_barrier",
     EmitBarrier,
     kNoOpcode,
     {.types = TypeForm::kOperands, .print = PrintOptimizationBarrier}},
    {"or", EmitPlain, Opcode::kOr, kBinary},
    {"outfeed", EmitOutfeed, kNoOpcode, {.inherent = "outfeed_config"}},
    {"pad",
     EmitPad,
     kNoOpcode,
     {.layout = "%0, %1, low = @edge_padding_low, high = @edge_padding_high, interior = "
                "@interior_padding"}},
    {"partition_id", EmitPlain, Opcode::kPartitionId, {.layout = "", .types = TypeForm::kResults}},
    {"popcnt", EmitPlain, Opcode::kPopcnt, kUnary},
    {"power", EmitPlain, Opcode::kPower, kBinary},
    {"real", EmitRealOrImag, Opcode::kReal, kUnary},
    {"real_dynamic_slice", EmitDynamic, kNoOpcode, kListed},
    {"recv",
     EmitRecv,
     kNoOpcode,
     {.inherent = "channel_handle is_host_transfer source_target_pairs"}},
    {"reduce", EmitReduce, kNoOpcode, {.items = "dimensions", .print = PrintReduce}},
    {"reduce_precision",
     EmitReducePrecision,
     kNoOpcode,
     {.types = TypeForm::kSame, .items = "format", .print = PrintReducePrecision}},
    {"reduce_scatter",
     EmitReduceScatter,
     kNoOpcode,
     {.inherent = "channel_handle replica_groups scatter_dimension use_global_device_ids"}},
    {"reduce_window",
     EmitReduceWindow,
     kNoOpcode,
     {.inherent = "base_dilations padding window_dilations window_dimensions window_strides"}},
    {"remainder", EmitPlain, Opcode::kRemainder, kBinary},
    {"replica_id", EmitPlain, Opcode::kReplicaId, {.layout = "", .types = TypeForm::kResults}},
    {"reshape", EmitReshape, kNoOpcode, kListed},
    {"reverse",
     EmitReverse,
     kNoOpcode,
     {.layout = "%0, dims = @dimensions", .types = TypeForm::kSame}},
    {"rng", EmitRng, kNoOpcode, {.layout = "%*, distribution =  @rng_distribution"}},
    {"rng_bit_generator",
     EmitRngBitGenerator,
     kNoOpcode,
     {.layout = "%0, algorithm =  @rng_algorithm", .names = {"output_state,output", ""}}},
    {"round_nearest_afz", EmitPlain, Opcode::kRoundNearestAfz, kUnary},
    {"round_nearest_even", EmitPlain, Opcode::kRoundNearestEven, kUnary},
    {"rsqrt", EmitPlain, Opcode::kRsqrt, kUnary},
    {"scatter",
     EmitScatter,
     kNoOpcode,
     {.inherent = "indices_are_sorted scatter_dimension_numbers unique_indices"}},
    {"select", EmitPlain, Opcode::kSelect, {.layout = "%*", .types = TypeForm::kSelect}},
    {"select_and_scatter",
     EmitSelectAndScatter,
     kNoOpcode,
     {.inherent = "padding window_dimensions window_strides"}},
    {"send",
     EmitSend,
     kNoOpcode,
     {.inherent = "channel_handle is_host_transfer source_target_pairs"}},
    {"set_dimension_size",
     EmitDimensionSize,
     Opcode::kSetDimensionSize,
     {.layout = "%0, %1, dim = @dimension"}},
    {"shift_left", EmitPlain, Opcode::kShiftLeft, kBinary},
    {"shift_right_arithmetic", EmitPlain, Opcode::kShiftRightArithmetic, kBinary},
    {"shift_right_logical", EmitPlain, Opcode::kShiftRightLogical, kBinary},
    {"sign", EmitPlain, Opcode::kSign, kUnary},
    {"sine", EmitPlain, Opcode::kSine, kUnary},
    {"slice", EmitSlice, kNoOpcode, {.print = PrintSlice}},
    {"sort", EmitSort, kNoOpcode, {.inherent = "dimension is_stable"}},
    {"sqrt", EmitPlain, Opcode::kSqrt, kUnary},
    {"subtract", EmitPlain, Opcode::kSubtract, kBinary},
    {"tan", EmitPlain, Opcode::kTan, kUnary},
    {"tanh", EmitPlain, Opcode::kTanh, kUnary},
    {"torch_index_select", EmitTorchIndexSelect, kNoOpcode, {.inherent = "batch_dims dim"}},
    {"transpose", EmitTranspose, kNoOpcode, {.layout = "%0, dims = @permutation"}},
    {"triangular_solve",
     EmitTriangularSolve,
     kNoOpcode,
     {.inherent = "left_side lower transpose_a unit_diagonal"}},
    {"tuple", EmitPlain, Opcode::kTuple, {.layout = "%*", .types = TypeForm::kResults}},
    {"unary_einsum", EmitEinsum, kNoOpcode, {.layout = "%0, config = @einsum_config"}},
    {"uniform_dequantize", EmitConversion, kNoOpcode, kUnary},
    {"uniform_quantize", EmitConversion, kNoOpcode, kUnary},
    {"while",
     EmitWhile,
     kNoOpcode,
     {.types = TypeForm::kOperands, .names = {"", "iterArg"}, .print = PrintWhile}},
    {"xor", EmitPlain, Opcode::kXor, kBinary},
};

constexpr bool AreOpRowsSorted() {
  for (size_t i = 1; i < std::size(kOpRows); ++i) {
    if (kOpRows[i - 1].name >= kOpRows[i].name) return false;
  }
  return true;
}
static_assert(AreOpRowsSorted());

// What holds ops together; the importer knows these by name.
constexpr struct {
  std::string_view name;
  OpForm form;
} kStructure[] = {
    {"builtin.module", {.has_results = false, .print = PrintModule}},
    {"func.func", {.has_results = false, .print = PrintFunction}},
    {"func.return", {.types = TypeForm::kOperands, .has_results = false, .print = PrintReturn}},
    {"return", {.types = TypeForm::kOperands, .has_results = false, .print = PrintReturn}},
    {"stablehlo.return", {.layout = "%*", .types = TypeForm::kOperands, .has_results = false}},
};

const OpRow* FindExact(std::string_view name) {
  const auto row = std::lower_bound(std::begin(kOpRows), std::end(kOpRows), name,
                                    [](const OpRow& a, std::string_view b) { return a.name < b; });
  return row != std::end(kOpRows) && row->name == name ? &*row : nullptr;
}

}  // namespace

std::string_view NameOf(Opcode opcode) {
  for (const OpRow& row : kOpRows) {
    // What only MHLO had is no op of StableHLO.
    const bool is_old = row.name.starts_with("mhlo.");
    if (row.opcode == opcode && opcode != Opcode::kTuple && !is_old) return row.name;
  }
  return {};
}

const OpForm* FindForm(std::string_view name) {
  for (const auto& [op, form] : kStructure) {
    if (op == name) return &form;
  }
  // The other dialects' names are whole in the table; MHLO's ops are none of StableHLO.
  const bool is_stablehlo = name.starts_with("stablehlo.");
  if (name.starts_with("mhlo.")) return nullptr;
  const OpRow* row =
      FindExact(is_stablehlo ? name.substr(std::string_view("stablehlo.").size()) : name);
  const bool is_whole = row && (row->name.find('.') != std::string_view::npos || name == "call");
  return row && !row->form.is_none() && is_stablehlo != is_whole ? &row->form : nullptr;
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
  for (const mlir::OpRow& row : mlir::kOpRows) {
    const bool has_dialect = row.name.find('.') != std::string_view::npos;
    names.push_back((has_dialect ? "" : "stablehlo.") + std::string(row.name));
  }
  return names;
}

}  // namespace hlo
