// Linear algebra, statistics, random numbers.
#include "engine/mlir/op_rows.h"

namespace hlo::mlir {

void EmitCholesky(OpImport& op) {
  op.Result(op.Emit(Opcode::kCholesky, op.operands, {{"lower", op.Bool({"lower"})}}));
}

void EmitTriangularSolve(OpImport& op) {
  std::string transpose = op.NeededWord({"transpose_a"}, {"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"});
  op.Result(op.Emit(Opcode::kTriangularSolve, op.operands,
                    {{"left_side", op.Bool({"left_side"})},
                     {"lower", op.Bool({"lower"})},
                     {"unit_diagonal", op.Bool({"unit_diagonal"})},
                     {"transpose_a", std::move(transpose)}}));
}

void EmitFft(OpImport& op) {
  op.Result(
      op.Emit(Opcode::kFft, op.operands,
              {{"fft_type", op.NeededWord({"fft_type", "type"}, {"FFT", "IFFT", "RFFT", "IRFFT"})},
               {"fft_length", op.NeededInts({"fft_length", "length"})}}));
}

void EmitBatchNorm(OpImport& op) {
  op.SplitResult(op.Emit(
      op.row().opcode, op.operands,
      {{"epsilon", op.Float({"epsilon"})}, {"feature_index", op.NeededInt({"feature_index"})}}));
}

void EmitRng(OpImport& op) {
  if (op.operands.size() < 2) return;
  const bool is_normal =
      op.NeededWord({"rng_distribution", "distribution"}, {"UNIFORM", "NORMAL"}) == "NORMAL";
  op.Result(op.Emit(Opcode::kRng, {op.operands[0], op.operands[1]},
                    {{"distribution", std::string(is_normal ? "rng_normal" : "rng_uniform")}},
                    op.ResultShape()));
}

void EmitRngBitGenerator(OpImport& op) {
  const std::string algorithm =
      op.NeededWord({"rng_algorithm", "algorithm"}, {"DEFAULT", "THREE_FRY", "PHILOX"});
  const std::string name = algorithm == "THREE_FRY" ? "rng_three_fry"
                           : algorithm == "PHILOX"  ? "rng_philox"
                                                    : "rng_default";
  const auto results = op.AllResults();
  if (!results) return;
  op.SplitResult(op.Emit(Opcode::kRngBitGenerator, op.operands, {{"algorithm", name}}, &*results));
}

void EmitRngState(OpImport& op) {
  op.Result(
      op.Emit(Opcode::kRngGetAndUpdateState, {}, {{"delta", op.Int({"delta"})}}, op.ResultShape()));
}

}  // namespace hlo::mlir
