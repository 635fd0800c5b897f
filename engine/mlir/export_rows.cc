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
  op.Set({op.Constant(literal->literal.value.tensor())});
}

// What only names values or passes them on is nothing there.
void PassOn(OpExport& op) { op.Set(op.Operands(0, 1)); }
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
  if (end > all.size()) return op.NoCounterpart("only the whole result of this op has one");
  op.Set(Leaves(all.begin() + static_cast<ptrdiff_t>(begin),
                all.begin() + static_cast<ptrdiff_t>(end)));
}

void WriteAfterAll(OpExport& op) {
  const bool is_new = op.op().operand_count() == 0;
  op.Set(op.Write({is_new ? "stablehlo.create_token" : "stablehlo.after_all"}, op.Operands()));
}

// The types of the values one after the other.
void WriteBarrier(OpExport& op) {
  Leaves values = op.Operands();
  std::string text;
  for (size_t i = 0; i < values.size(); ++i) text += (i > 0 ? ", " : " ") + values[i].name;
  for (size_t i = 0; i < values.size(); ++i) {
    text += i > 0 ? ", " : " : ";
    AppendType(*values[i].type, &text);
  }
  Leaves results =
      op.Write({"stablehlo.optimization_barrier", Form::kWhole, std::move(text)}, {}, values);
  results.resize(op.ResultLeaves().size());
  op.Set(std::move(results));
}

// ---- Element by element -------------------------------------------------------------------------

void WriteCompare(OpExport& op) {
  const ElementType type = op.In(0).type->element_type();
  std::string order = op.call().Has("type")              ? op.AttrText("type")
                      : IsFloat(type) || IsComplex(type) ? "FLOAT"
                      : IsSigned(type)                   ? "SIGNED"
                                                         : "UNSIGNED";
  std::string text = fmt::format("  {}, {}, {},  {}", op.AttrText("direction"), op.In(0).name,
                                 op.In(1).name, order);
  op.Set({op.MakeWhole("stablehlo.compare", std::move(text), {op.In(0), op.In(1)})});
}

void WriteSelect(OpExport& op) {
  std::string text = fmt::format(" {}, {}, {} : ", op.In(0).name, op.In(1).name, op.In(2).name);
  AppendType(*op.In(0).type, &text);
  text += ", ";
  AppendType(op.shape(), &text);
  op.Set(op.Write({"stablehlo.select", Form::kWhole, std::move(text)}, {}));
}

void WriteComplex(OpExport& op) {
  std::string text = fmt::format(" {}, {} : ", op.In(0).name, op.In(1).name);
  AppendType(op.shape(), &text);
  op.Set(op.Write({"stablehlo.complex", Form::kWhole, std::move(text)}, {}));
}

// ---- Moving elements ----------------------------------------------------------------------------

void WriteSlice(OpExport& op) {
  std::string text = fmt::format(" {} [", op.In(0).name);
  for (const SliceDim& slice : op.call().Slices()) {
    if (text.back() != '[') text += ", ";
    fmt::format_to(std::back_inserter(text), "{}:{}", slice.start, slice.limit);
    if (slice.stride != 1) fmt::format_to(std::back_inserter(text), ":{}", slice.stride);
  }
  op.Set({op.MakeWhole("stablehlo.slice", text + "]", {op.In(0)})});
}

void WritePad(OpExport& op) {
  Dims low, high, interior;
  for (const PadDim& pad : op.call().Padding()) {
    low.push_back(pad.low);
    high.push_back(pad.high);
    interior.push_back(pad.interior);
  }
  op.Set(op.Write({"stablehlo.pad", Form::kTyped,
                   fmt::format(", low = [{}], high = [{}], interior = [{}]", JoinDims(low),
                               JoinDims(high), JoinDims(interior))},
                  op.Operands()));
}

// ---- The table, by opcode -----------------------------------------------------------------------

constexpr ExportRow kRows[] = {
    {Opcode::kAddDependency, WriteBarrier},
    {Opcode::kAfterAll, WriteAfterAll},
    {Opcode::kBatchNormGrad, WritePlain, "stablehlo.batch_norm_grad", Form::kGeneric,
     "epsilon = @epsilon : f32, feature_index = @feature_index : i64"},
    {Opcode::kBatchNormInference, WritePlain, "stablehlo.batch_norm_inference", Form::kGeneric,
     "epsilon = @epsilon : f32, feature_index = @feature_index : i64"},
    {Opcode::kBatchNormTraining, WritePlain, "stablehlo.batch_norm_training", Form::kGeneric,
     "epsilon = @epsilon : f32, feature_index = @feature_index : i64"},
    {Opcode::kBroadcast, WritePlain, "stablehlo.broadcast_in_dim", Form::kTyped,
     ", dims = [@dimensions]"},
    {Opcode::kCholesky, WritePlain, "stablehlo.cholesky", Form::kShort, ", lower = @lower"},
    {Opcode::kCompare, WriteCompare},
    {Opcode::kComplex, WriteComplex},
    {Opcode::kConcatenate, WritePlain, "stablehlo.concatenate", Form::kTyped,
     ", dim = @dimensions"},
    {Opcode::kConstant, WriteConstant},
    {Opcode::kConvert, WritePlain, "stablehlo.convert", Form::kTyped},
    {Opcode::kCopy, PassOn},
    {Opcode::kDomain, PassOn},
    {Opcode::kDynamicSlice, WritePlain, "stablehlo.dynamic_slice", Form::kTyped,
     ", sizes = [@dynamic_slice_sizes]"},
    {Opcode::kDynamicUpdateSlice, WritePlain, "stablehlo.dynamic_update_slice", Form::kTyped},
    {Opcode::kFft, WritePlain, "stablehlo.fft", Form::kTyped,
     ", type =  @fft_type, length = [@fft_length]"},
    {Opcode::kGetTupleElement, WriteElement},
    {Opcode::kIota, WritePlain, "stablehlo.iota", Form::kShort, " dim = @iota_dimension"},
    {Opcode::kOptBarrier, WriteBarrier},
    {Opcode::kPad, WritePad},
    {Opcode::kReducePrecision, WritePlain, "stablehlo.reduce_precision", Form::kShort,
     ", format = e@exponent_bits"
     "m@mantissa_bits"},
    {Opcode::kReshape, WritePlain, "stablehlo.reshape", Form::kTyped},
    {Opcode::kReverse, WritePlain, "stablehlo.reverse", Form::kShort, ", dims = [@dimensions]"},
    {Opcode::kSelect, WriteSelect},
    {Opcode::kSlice, WriteSlice},
    {Opcode::kTan, WritePlain, "stablehlo.tan"},
    {Opcode::kTranspose, WritePlain, "stablehlo.transpose", Form::kTyped, ", dims = [@dimensions]"},
    {Opcode::kTriangularSolve, WritePlain, "stablehlo.triangular_solve", Form::kGeneric,
     "left_side = @left_side, lower = @lower, transpose_a = #stablehlo<transpose @transpose_a>, "
     "unit_diagonal = @unit_diagonal"},
    {Opcode::kTuple, WriteTuple},
};

constexpr bool IsSorted() {
  for (size_t i = 1; i < std::size(kRows); ++i) {
    if (kRows[i - 1].opcode >= kRows[i].opcode) return false;
  }
  return true;
}
static_assert(IsSorted());

}  // namespace

const ExportRow* FindExportRow(Opcode opcode) {
  const auto row = std::lower_bound(std::begin(kRows), std::end(kRows), opcode,
                                    [](const ExportRow& a, Opcode b) { return a.opcode < b; });
  return row != std::end(kRows) && row->opcode == opcode ? &*row : nullptr;
}

}  // namespace hlo::mlir
