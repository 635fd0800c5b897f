// The op table, and the ops that are one instruction or little more.
#include "engine/mlir/op_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "engine/ops/op_def.h"
#include "engine/types/convert.h"

namespace hlo::mlir {
namespace {

Tensor NumberOf(ElementType type, double number) {
  Tensor tensor(type, Dims{}, nullptr);
  ConvertElements(ElementType::kF64, reinterpret_cast<const std::byte*>(&number), type,
                  tensor.mutable_bytes(), 1);
  return tensor;
}

// ---- Element by element -------------------------------------------------------------------------

void EmitPlain(OpImport& op) {
  const Shape* written =
      GetOpDef(op.row().opcode).result_shape == ResultShape::kWritten ? op.ResultShape() : nullptr;
  op.SplitResult(op.Emit(op.row().opcode, op.operands, {}, written));
}

void EmitCompare(OpImport& op) {
  std::string direction(op.Word({"comparison_direction"}));
  std::string order(op.Word({"compare_type", "comparison_type"}));
  const auto& words = op.op().words;
  if (direction.empty() && !words.empty()) direction = words[0];
  if (order.empty() && words.size() > 1) order = words[1];
  std::vector<NamedAttr> attrs = {{"direction", direction}};
  if (!order.empty() && order != "NOTYPE") attrs.push_back({"type", order});
  op.Result(op.Emit(Opcode::kCompare, op.operands, std::move(attrs)));
}

// `format = e5m10`, or two attributes.
void EmitReducePrecision(OpImport& op) {
  int64_t exponent = op.Int({"exponent_bits"}), mantissa = op.Int({"mantissa_bits"});
  const std::string_view format = op.Word({"format"});
  if (const size_t m = format.find('m'); m != std::string_view::npos && format[0] == 'e') {
    exponent = std::atoi(std::string(format.substr(1, m - 1)).c_str());
    mantissa = std::atoi(std::string(format.substr(m + 1)).c_str());
  }
  op.Result(op.Emit(Opcode::kReducePrecision, op.operands,
                    {{"exponent_bits", exponent}, {"mantissa_bits", mantissa}}));
}

// Real numbers are complex ones without an imaginary part.
void EmitRealOrImag(OpImport& op) {
  if (!op.Expect(1)) return;
  if (IsComplex(op.operands[0]->shape().element_type())) return EmitPlain(op);
  if (op.row().opcode == Opcode::kReal) return op.Result(op.operands[0]);
  Instruction* negated = op.Emit(Opcode::kNegate, op.operands);
  op.Result(op.Emit(Opcode::kSubtract, {negated, negated}));
}

// Quantised operands and results are converted around every op: nothing is left to do.
void EmitConversion(OpImport& op) {
  if (op.Expect(1)) op.Result(op.operands[0]);
}

// Complex numbers become real ones by their real part.
void EmitConvert(OpImport& op) {
  if (!op.Expect(1)) return;
  const Shape* result = op.ResultShape();
  if (result && IsComplex(op.operands[0]->shape().element_type()) &&
      !IsComplex(result->element_type())) {
    op.operands[0] = op.Emit(Opcode::kReal, op.operands);
  }
  EmitPlain(op);
}

// Complex numbers in the order of their real parts, and then of their imaginary ones.
void EmitMaxOrMin(OpImport& op) {
  if (!op.Expect(2)) return;
  if (!IsComplex(op.operands[0]->shape().element_type())) return EmitPlain(op);
  auto compare = [&](Opcode part, const char* direction) {
    return op.Emit(Opcode::kCompare,
                   {op.Emit(part, {op.operands[0]}), op.Emit(part, {op.operands[1]})},
                   {{"direction", std::string(direction)}});
  };
  const char* wanted = op.row().opcode == Opcode::kMaximum ? "GT" : "LT";
  Instruction* tie =
      op.Emit(Opcode::kAnd, {compare(Opcode::kReal, "EQ"), compare(Opcode::kImag, wanted)});
  Instruction* is_lhs = op.Emit(Opcode::kOr, {compare(Opcode::kReal, wanted), tie});
  op.Result(op.Emit(Opcode::kSelect, {is_lhs, op.operands[0], op.operands[1]}));
}

void EmitConstant(OpImport& op) {
  const Attr* value = op.Find({"value"});
  if (!value) {
    op.Fail(DiagCode::kAttributeMissing, "the value is missing");
    return;
  }
  auto tensor = op.Dense(*value, op.ResultShape());
  if (tensor) op.Result(op.Constant(std::move(*tensor)));
}

// A complex square is ((re - im) * (re + im), 2 * re * im): no square of a part overflows.
void EmitSquare(OpImport& op) {
  if (!op.Expect(1)) return;
  if (!IsComplex(op.operands[0]->shape().element_type())) {
    return op.Result(op.Emit(Opcode::kMultiply, {op.operands[0], op.operands[0]}));
  }
  Instruction* re = op.Emit(Opcode::kReal, op.operands);
  Instruction* im = op.Emit(Opcode::kImag, op.operands);
  if (!re || !im) return;
  Instruction* product = op.Emit(
      Opcode::kMultiply, {op.Emit(Opcode::kSubtract, {re, im}), op.Emit(Opcode::kAdd, {re, im})});
  // Equally large parts cancel also where their sum overflows.
  Instruction* same =
      op.Emit(Opcode::kCompare, {op.Emit(Opcode::kAbs, {re}), op.Emit(Opcode::kAbs, {im})},
              {{"direction", std::string("EQ")}});
  same = op.Emit(Opcode::kAnd, {same, op.Emit(Opcode::kIsFinite, {re})});
  Instruction* zero =
      op.Emit(Opcode::kBroadcast, {op.Constant(NumberOf(re->shape().element_type(), 0))},
              {{"dimensions", Dims{}}}, &re->shape());
  Instruction* half = op.Emit(Opcode::kMultiply, {re, im});
  op.Result(op.Emit(Opcode::kComplex, {op.Emit(Opcode::kSelect, {same, zero, product}),
                                       op.Emit(Opcode::kAdd, {half, half})}));
}

// Of a complex number z: -i atanh(i z).
void EmitAtan(OpImport& op) {
  if (!op.Expect(1)) return;
  if (!IsComplex(op.operands[0]->shape().element_type())) return EmitChlo(op);
  auto part = [&](Opcode opcode, Instruction* of) { return op.Emit(opcode, {of}); };
  Instruction* turned =
      op.Emit(Opcode::kComplex, {part(Opcode::kNegate, part(Opcode::kImag, op.operands[0])),
                                 part(Opcode::kReal, op.operands[0])});
  Instruction* inverse = op.Emit(Opcode::kAtanh, {turned});
  op.Result(op.Emit(Opcode::kComplex, {part(Opcode::kImag, inverse),
                                       part(Opcode::kNegate, part(Opcode::kReal, inverse))}));
}

// An i1 is one bit here, and eight to HLO: bits are put together and taken apart by shifts.
void EmitBitcast(OpImport& op) {
  const Shape* result = op.ResultShape();
  if (!result || !op.Expect(1)) return;
  const Shape from = op.operands[0]->shape();
  const bool is_joined = from.element_type() == ElementType::kPred;
  const bool is_split = result->IsArray() && result->element_type() == ElementType::kPred;
  const Shape& bits = is_joined ? from : *result;
  const Shape& whole = is_joined ? *result : from;
  const int width = BitsOf(whole.element_type());
  // Floats go through an integer of their width.
  const auto number = ElementTypeFromText(fmt::format("u{}", width));
  if (is_joined == is_split || !number || bits.rank() == 0 || bits.dim(bits.rank() - 1) != width) {
    return EmitPlain(op);
  }
  const int64_t last = bits.rank() - 1;
  const Shape wide = Shape::Array(*number, bits.dims());
  Instruction* place = op.Emit(Opcode::kIota, {}, {{"iota_dimension", last}}, &wide);
  if (is_joined) {
    Instruction* shifted =
        op.Emit(Opcode::kShiftLeft, {op.Emit(Opcode::kConvert, op.operands, {}, &wide), place});
    Instruction* joined = op.Emit(
        Opcode::kReduce, {shifted, op.Constant(NumberOf(*number, 0))},
        {{"dimensions", Dims{last}}, {"to_apply", op.AppliedRegion("or", Shape::Scalar(*number))}});
    return op.Result(op.Emit(Opcode::kBitcastConvert, {joined}, {}, result));
  }
  Dims map;
  for (int64_t i = 0; i < last; ++i) map.push_back(i);
  const Shape integers = Shape::Array(*number, whole.dims());
  Instruction* integer = op.Emit(Opcode::kBitcastConvert, op.operands, {}, &integers);
  Instruction* spread = op.Emit(Opcode::kBroadcast, {integer}, {{"dimensions", map}}, &wide);
  // The bit goes to the bottom, then to the top, alone: a number that is 0 or not.
  Instruction* low = op.Emit(Opcode::kShiftRightLogical, {spread, place});
  Instruction* distance = op.Emit(Opcode::kBroadcast, {op.Constant(NumberOf(*number, width - 1))},
                                  {{"dimensions", Dims{}}}, &wide);
  op.Result(op.Emit(Opcode::kConvert, {op.Emit(Opcode::kShiftLeft, {low, distance})}, {}, result));
}

// ---- Moving elements ----------------------------------------------------------------------------

void EmitIota(OpImport& op) {
  op.Result(op.Emit(Opcode::kIota, {}, {{"iota_dimension", op.Int({"iota_dimension", "dim"})}},
                    op.ResultShape()));
}

void EmitReshape(OpImport& op) {
  if (op.operands.empty()) return;
  op.Result(op.Emit(Opcode::kReshape, {op.operands[0]}, {}, op.ResultShape()));
}

// Dimensions of size 1 that are stretched are dropped first: HLO's broadcast only adds dimensions.
void EmitBroadcastInDim(OpImport& op) {
  const Shape* result = op.ResultShape();
  if (!result || op.operands.empty()) return;
  Instruction* operand = op.operands[0];
  const Shape from = operand->shape();
  const Dims map = op.Ints({"broadcast_dimensions", "dims"});
  if (!from.IsArray() || static_cast<int64_t>(map.size()) != from.rank()) {
    op.Fail(DiagCode::kDimensionNumbers,
            fmt::format("{} dimensions are named for {}", map.size(), ShapeName(from)));
    return;
  }
  Dims kept, sizes;
  for (int i = 0; i < from.rank(); ++i) {
    const int64_t to = map[static_cast<size_t>(i)];
    const bool is_known = to >= 0 && to < result->rank();
    if (from.dim(i) == 1 && is_known && result->dim(static_cast<int>(to)) != 1) continue;
    kept.push_back(to);
    sizes.push_back(from.dim(i));
  }
  if (sizes.size() != from.dims().size()) {
    const Shape smaller = Shape::Array(from.element_type(), sizes);
    operand = op.Emit(Opcode::kReshape, {operand}, {}, &smaller);
  }
  op.Result(op.Emit(Opcode::kBroadcast, {operand}, {{"dimensions", kept}}, result));
}

// The operand under new first dimensions.
void EmitBroadcast(OpImport& op) {
  const Shape* result = op.ResultShape();
  if (!result || !op.Expect(1)) return;
  Dims map;
  const int64_t added = result->rank() - op.operands[0]->shape().rank();
  for (int64_t i = added; i < result->rank(); ++i) map.push_back(i);
  op.Result(op.Emit(Opcode::kBroadcast, op.operands, {{"dimensions", map}}, result));
}

void EmitTranspose(OpImport& op) {
  op.Result(
      op.Emit(Opcode::kTranspose, op.operands, {{"dimensions", op.Ints({"permutation", "dims"})}}));
}

void EmitReverse(OpImport& op) {
  op.Result(
      op.Emit(Opcode::kReverse, op.operands, {{"dimensions", op.Ints({"dimensions", "dims"})}}));
}

void EmitConcatenate(OpImport& op) {
  op.Result(op.Emit(Opcode::kConcatenate, op.operands,
                    {{"dimensions", Dims{op.Int({"dimension", "dim"})}}}));
}

// `[0:4, 1:9:2]`, or three lists.
void EmitSlice(OpImport& op) {
  std::vector<SliceDim> slices;
  if (op.Find({"$ranges"})) {
    for (const Dims& row : op.Rows({"$ranges"})) {
      if (row.size() < 2) {
        op.Fail(DiagCode::kAttributeValue, "expects [start:limit:stride] for each dimension");
        return;
      }
      slices.push_back({row[0], row[1], row.size() > 2 ? row[2] : 1});
    }
  } else {
    const Dims start = op.Ints({"start_indices"}), limit = op.Ints({"limit_indices"});
    const Dims stride = op.Ints({"strides"}, Dims(start.size(), 1));
    if (limit.size() != start.size() || stride.size() != start.size()) {
      op.Fail(DiagCode::kAttributeValue, "the lists of a slice have different lengths");
      return;
    }
    for (size_t i = 0; i < start.size(); ++i) slices.push_back({start[i], limit[i], stride[i]});
  }
  op.Result(op.Emit(Opcode::kSlice, op.operands, {{"slice", std::move(slices)}}));
}

void EmitPad(OpImport& op) {
  const Dims low = op.Ints({"edge_padding_low", "low"}),
             high = op.Ints({"edge_padding_high", "high"});
  const Dims interior = op.Ints({"interior_padding", "interior"}, Dims(low.size(), 0));
  if (high.size() != low.size() || interior.size() != low.size()) {
    op.Fail(DiagCode::kAttributeValue, "the lists of a padding have different lengths");
    return;
  }
  std::vector<PadDim> padding;
  for (size_t i = 0; i < low.size(); ++i) padding.push_back({low[i], high[i], interior[i]});
  op.Result(op.Emit(Opcode::kPad, op.operands, {{"padding", std::move(padding)}}));
}

void EmitDynamicSlice(OpImport& op) {
  op.Result(op.Emit(Opcode::kDynamicSlice, op.operands,
                    {{"dynamic_slice_sizes", op.Ints({"slice_sizes", "sizes"})}},
                    op.ResultShape()));
}

void EmitDynamicUpdateSlice(OpImport& op) {
  const Shape written = op.operands.empty() ? Shape() : op.operands[0]->shape();
  op.Result(op.Emit(Opcode::kDynamicUpdateSlice, op.operands, {}, &written));
}

void EmitDimensionSize(OpImport& op) {
  op.Result(op.Emit(op.row().opcode, op.operands,
                    {{"dimensions", Dims{op.Int({"dimension", "dim"})}}}, op.ResultShape()));
}

// ---- Linear algebra, statistics, random numbers -------------------------------------------------

void EmitCholesky(OpImport& op) {
  op.Result(op.Emit(Opcode::kCholesky, op.operands, {{"lower", op.Bool({"lower"})}}));
}

void EmitTriangularSolve(OpImport& op) {
  std::string transpose(op.Word({"transpose_a"}));
  if (transpose.empty() || transpose == "TRANSPOSE_INVALID") transpose = "NO_TRANSPOSE";
  op.Result(op.Emit(Opcode::kTriangularSolve, op.operands,
                    {{"left_side", op.Bool({"left_side"})},
                     {"lower", op.Bool({"lower"})},
                     {"unit_diagonal", op.Bool({"unit_diagonal"})},
                     {"transpose_a", std::move(transpose)}}));
}

void EmitFft(OpImport& op) {
  op.Result(op.Emit(Opcode::kFft, op.operands,
                    {{"fft_type", std::string(op.Word({"fft_type", "type"}))},
                     {"fft_length", op.Ints({"fft_length", "length"})}}));
}

void EmitBatchNorm(OpImport& op) {
  op.SplitResult(
      op.Emit(op.row().opcode, op.operands,
              {{"epsilon", op.Float({"epsilon"})}, {"feature_index", op.Int({"feature_index"})}}));
}

void EmitRng(OpImport& op) {
  if (op.operands.size() < 2) return;
  const bool is_normal = op.Word({"rng_distribution", "distribution"}) == "NORMAL";
  op.Result(op.Emit(Opcode::kRng, {op.operands[0], op.operands[1]},
                    {{"distribution", std::string(is_normal ? "rng_normal" : "rng_uniform")}},
                    op.ResultShape()));
}

void EmitRngBitGenerator(OpImport& op) {
  const std::string_view algorithm = op.Word({"rng_algorithm", "algorithm"});
  const std::string name = algorithm == "THREE_FRY" ? "rng_three_fry"
                           : algorithm == "PHILOX"  ? "rng_philox"
                                                    : "rng_default";
  const auto results = op.AllResults();
  if (!results) return;
  op.SplitResult(op.Emit(Opcode::kRngBitGenerator, op.operands, {{"algorithm", name}}, &*results));
}

// ---- Tuples -------------------------------------------------------------------------------------

void EmitGetTupleElement(OpImport& op) {
  const Dims ranges = op.Ints({"$ranges", "index"});
  op.Result(op.Emit(Opcode::kGetTupleElement, op.operands,
                    {{"index", ranges.empty() ? int64_t{0} : ranges[0]}}));
}

void EmitBarrier(OpImport& op) {
  if (op.operands.size() == 1) return op.Result(op.Emit(Opcode::kOptBarrier, op.operands));
  op.SplitResult(op.Emit(Opcode::kOptBarrier, {op.Tuple(op.operands)}));
}

// ---- The table, sorted --------------------------------------------------------------------------

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
    {"chlo.acos", EmitPlain, Opcode::kAcos},
    {"chlo.acosh", EmitPlain, Opcode::kAcosh},
    {"chlo.asin", EmitPlain, Opcode::kAsin},
    {"chlo.asinh", EmitPlain, Opcode::kAsinh},
    {"chlo.atan", EmitAtan},
    {"chlo.atanh", EmitPlain, Opcode::kAtanh},
    {"chlo.bessel_i1e", EmitChlo},
    {"chlo.constant", EmitConstant},
    {"chlo.cosh", EmitPlain, Opcode::kCosh},
    {"chlo.digamma", EmitChlo},
    {"chlo.erf", EmitPlain, Opcode::kErf},
    {"chlo.erf_inv", EmitChlo},
    {"chlo.erfc", EmitChlo},
    {"chlo.is_inf", EmitChlo},
    {"chlo.is_neg_inf", EmitChlo},
    {"chlo.is_pos_inf", EmitChlo},
    {"chlo.lgamma", EmitChlo},
    {"chlo.next_after", EmitChlo},
    {"chlo.sinh", EmitPlain, Opcode::kSinh},
    {"chlo.square", EmitSquare},
    {"chlo.tan", EmitPlain, Opcode::kTan},
    {"chlo.top_k", EmitTopK},
    {"cholesky", EmitCholesky},
    {"clamp", EmitPlain, Opcode::kClamp},
    {"collective_broadcast", EmitCollectiveBroadcast},
    {"collective_permute", EmitCollectivePermute},
    {"compare", EmitCompare},
    {"complex", EmitPlain, Opcode::kComplex},
    {"composite", EmitComposite},
    {"concatenate", EmitConcatenate},
    {"constant", EmitConstant},
    {"convert", EmitConvert, Opcode::kConvert},
    {"convolution", EmitConvolution},
    {"copy", EmitPlain, Opcode::kCopy},
    {"cosine", EmitPlain, Opcode::kCosine},
    {"count_leading_zeros", EmitPlain, Opcode::kCountLeadingZeros},
    {"create_token", EmitPlain, Opcode::kAfterAll},
    {"custom_call", EmitCustomCall},
    {"divide", EmitPlain, Opcode::kDivide},
    {"dot", EmitDot},
    {"dot_general", EmitDotGeneral},
    {"dynamic_broadcast_in_dim", EmitBroadcastInDim},
    {"dynamic_iota", EmitIota},
    {"dynamic_reshape", EmitReshape},
    {"dynamic_slice", EmitDynamicSlice},
    {"dynamic_update_slice", EmitDynamicUpdateSlice},
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
    {"interpreter.print", EmitNothing},
    {"interpreter.probe", EmitProbe},
    {"iota", EmitIota},
    {"is_finite", EmitPlain, Opcode::kIsFinite},
    {"log", EmitPlain, Opcode::kLog},
    {"log_plus_one", EmitPlain, Opcode::kLogPlusOne},
    {"logistic", EmitPlain, Opcode::kLogistic},
    {"map", EmitMap},
    {"maximum", EmitMaxOrMin, Opcode::kMaximum},
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
    {"transpose", EmitTranspose},
    {"triangular_solve", EmitTriangularSolve},
    {"tuple", EmitPlain, Opcode::kTuple},
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

}  // namespace

const OpRow* FindRow(std::string_view name) {
  for (std::string_view dialect : {"stablehlo.", "mhlo."}) {
    if (!name.starts_with(dialect)) continue;
    name.remove_prefix(dialect.size());
    break;
  }
  const auto row = std::lower_bound(std::begin(kRows), std::end(kRows), name,
                                    [](const OpRow& a, std::string_view b) { return a.name < b; });
  return row != std::end(kRows) && row->name == name ? &*row : nullptr;
}

}  // namespace hlo::mlir
