// Linear algebra, statistics, random numbers.
#include <fmt/format.h>

#include <utility>

#include "engine/mlir/ops/families.h"

namespace hlo::mlir {
namespace {

// The shape is an operand in StableHLO; in HLO it is the instruction's shape.
void EmitRng(OpImport& op) {
  if (op.operands.size() < 2) return;
  Attrs attrs = PairedAttrs(op);
  op.Result(
      op.Emit(Opcode::kRng, {op.operands[0], op.operands[1]}, std::move(attrs), op.ResultShape()));
}

void WriteRng(OpExport& op) {
  const Ssa shape = op.Integers(ElementType::kS64, op.shape().dims());
  op.Set(op.Write({"stablehlo.rng", PairedText(op)}, {op.In(0), op.In(1), shape}));
}

void EmitRngBitGenerator(OpImport& op) {
  if (op.result_count() == 2) return EmitPlain(op);
  op.Fail(DiagCode::kShapeMismatch, fmt::format("expected 2 results, found {}", op.result_count()));
}

// In older HLO programs the result is the bits alone.
void WriteRngBits(OpExport& op) {
  Leaves results = op.ResultLeaves();
  const bool is_alone = results.size() == 1;
  if (is_alone) results.insert(results.begin(), op.In(0));
  results = op.Write({"stablehlo.rng_bit_generator", PairedText(op)}, op.Operands(), results);
  if (is_alone) results.erase(results.begin());
  op.Set(std::move(results));
}

constexpr OpRow kNumericRows[] = {
    {"batch_norm_grad",
     Opcode::kBatchNormGrad,
     {.inherent = "epsilon feature_index", .names = {"grad_operand,grad_scale,grad_offset", ""}},
     {{"epsilon", Spelling::kFloat}, {"feature_index", Spelling::kInt}}},
    {"batch_norm_inference",
     Opcode::kBatchNormInference,
     {.inherent = "epsilon feature_index"},
     {{"epsilon", Spelling::kFloat}, {"feature_index", Spelling::kInt}}},
    {"batch_norm_training",
     Opcode::kBatchNormTraining,
     {.inherent = "epsilon feature_index", .names = {"output,batch_mean,batch_var", ""}},
     {{"epsilon", Spelling::kFloat}, {"feature_index", Spelling::kInt}}},
    {"cholesky",
     Opcode::kCholesky,
     {.layout = "%0?, lower = @lower?", .types = TypeForm::kSame, .defaults = "lower=false"},
     {{"lower", Spelling::kBool}}},
    {"fft",
     Opcode::kFft,
     {.layout = "%0, type =  @fft_type, length = @fft_length",
      .sample = " `%operand`, type =  `FFT`, length = [`8`] : (tensor<8xcomplex<f32>>) "
                "-> tensor<8xcomplex<f32>>"},
     {{.name = "fft_type", .spelling = Spelling::kWord, .words = "FFT IFFT RFFT IRFFT"},
      {"fft_length", Spelling::kInts}}},
    {.name = "mhlo.xla.rng_get_and_update_state",
     .opcode = Opcode::kRngGetAndUpdateState,
     .attrs = {{"delta", Spelling::kInt}},
     .write = WriteNone},
    {.name = "rng",
     .opcode = Opcode::kRng,
     .form = {.layout = "%*, distribution =  @rng_distribution",
              .sample = " `%a`, `%b`, `%shape`, distribution =  `UNIFORM` : (tensor<f32>, "
                        "tensor<f32>, tensor<1xi64>) -> tensor<4xf32>"},
     .attrs = {{"rng_distribution", Spelling::kWord, "distribution", "UNIFORM NORMAL"}},
     .emit = EmitRng,
     .write = WriteRng,
     .sizes_operand = 2},
    {.name = "rng_bit_generator",
     .opcode = Opcode::kRngBitGenerator,
     .form = {.layout = "%0, algorithm =  @rng_algorithm",
              .names = {"output_state,output", ""},
              .sample = " `%initial_state`, algorithm =  `THREE_FRY` : (tensor<2xui64>) -> "
                        "(tensor<2xui64>, tensor<4xui32>)"},
     .attrs = {{"rng_algorithm", Spelling::kWord, "algorithm", "DEFAULT THREE_FRY PHILOX"}},
     .emit = EmitRngBitGenerator,
     .write = WriteRngBits,
     .mixing = Mixing::kAny},
    {"triangular_solve",
     Opcode::kTriangularSolve,
     {.inherent = "left_side lower transpose_a unit_diagonal"},
     {{"left_side", Spelling::kBool},
      {"lower", Spelling::kBool},
      {.name = "transpose_a",
       .spelling = Spelling::kWord,
       .words = "NO_TRANSPOSE TRANSPOSE ADJOINT",
       .enumeration = "transpose"},
      {"unit_diagonal", Spelling::kBool}}},
};

}  // namespace

std::span<const OpRow> NumericRows() { return kNumericRows; }

}  // namespace hlo::mlir
