#include "engine/standalone/product_code.h"

#include <algorithm>
#include <optional>

#include "engine/base/indices.h"
#include "engine/kernels/scalar_binary.h"
#include "engine/ops/op_def.h"
#include "engine/ops/products/contraction.h"
#include "engine/ops/products/ragged.h"
#include "engine/ops/shape_checks.h"
#include "engine/plan/region_builder.h"
#include "engine/plan/region_compiler.h"

namespace hlo {

ProductSum::ProductSum(const ProductTypes& types, ProductStep step, KernelCode* code)
    : types_(types),
      sum_type_(SumType(types.type)),
      step_(step),
      code_(*code),
      sum_(code->New(sum_type_)) {}

void ProductSum::Begin() {
  LaneCode& one = code_.one();
  one.Assign(sum_.real, one.Constant(sum_.real.kind, 0));
  if (IsComplex(sum_type_)) one.Assign(sum_.imaginary, one.Constant(sum_.real.kind, 0));
}

LanePair ProductSum::Number(uint32_t address, ElementType type) {
  LaneCode* const one = &code_.one();
  return ConvertedPair(ConvertedPair(code_.Load(address, type), type, types_.type, one),
                       types_.type, sum_type_, one);
}

void ProductSum::Add(uint32_t a, uint32_t b) {
  LaneCode& one = code_.one();
  const LanePair x = Number(a, types_.a), y = Number(b, types_.b);
  if (!IsComplex(sum_type_)) {
    return one.Assign(sum_.real, AddedProduct(sum_.real, x.real, y.real, step_, &one));
  }
  const LanePair product = LowerComplexProduct(x, y, &one);
  one.Assign(sum_.real, one.Binary(LaneOp::kAdd, sum_.real, product.real));
  one.Assign(sum_.imaginary, one.Binary(LaneOp::kAdd, sum_.imaginary, product.imaginary));
}

void ProductSum::Store(uint32_t to) {
  code_.Store(to, ConvertedPair(sum_, sum_type_, types_.type, &code_.one()), types_.type);
}

int32_t OrderedArray(const Factor& factor, const Dims& order, Emitter* emitter) {
  const StridedView view = Permute(RowMajorView(factor.shape.dims()), order);
  if (IsDense(view)) return factor.array;
  return emitter->Viewed(factor.array, view, factor.shape.element_type());
}

// ---- scaled-dot ---------------------------------------------------------------------------------

namespace {

/// The operand times its scale, both in the type of sums (ops/products/ragged.cc).
std::optional<int32_t> ScaledArray(const Factor& operand, const Factor& scale, ElementType type,
                                   Emitter* emitter) {
  const ElementType sum_type = SumType(type);
  const int64_t count = operand.shape.element_count();
  int32_t values = operand.array;
  if (!emitter->Convert(&values, count, operand.shape.element_type(), type) ||
      !emitter->Convert(&values, count, type, sum_type)) {
    return std::nullopt;
  }
  if (scale.shape.rank() == 0) return values;
  if (scale.shape.rank() != operand.shape.rank()) return std::nullopt;
  int32_t factors = scale.array;
  if (!emitter->Convert(&factors, scale.shape.element_count(), scale.shape.element_type(),
                        sum_type)) {
    return std::nullopt;
  }
  const StridedView stored = RowMajorView(scale.shape.dims());
  StridedView view;
  for (int d = 0; d < operand.shape.rank(); ++d) {
    view.dims.push_back(scale.shape.dim(d));
    view.strides.push_back(stored.strides[static_cast<size_t>(d)]);
    view.dims.push_back(operand.shape.dim(d) / scale.shape.dim(d));
    view.strides.push_back(0);
  }
  RegionBuilder builder;
  const RegionScalar args[] = {builder.Parameter(sum_type), builder.Parameter(sum_type)};
  const RegionScalar product =
      builder.Emit(BinaryLoop<MultiplyOp>(sum_type), args, Opcode::kMultiply);
  const RegionInput inputs[] = {{values, 0, false},
                                {emitter->Viewed(factors, view, sum_type), 0, false}};
  const int32_t result = emitter->NewArray(sum_type, count);
  if (!emitter->Apply(builder.Finish({product}), count, inputs, {&result, 1})) return std::nullopt;
  return result;
}

}  // namespace

bool WriteScaledProduct(const Operation& operation, Emitter* emitter) {
  const OpCall& call = *operation.call;
  const ElementType type = operation.type(), sum_type = SumType(type);
  const int64_t count = call.shape().element_count();
  std::optional<int32_t> scaled[2];
  Shape shapes[2];
  for (int i = 0; i < 2; ++i) {
    const auto k = static_cast<size_t>(i);
    scaled[i] = ScaledArray({operation.operands[k], call.operand(i)},
                            {operation.operands[k + 2], call.operand(i + 2)}, type, emitter);
    if (!scaled[i]) return false;
    shapes[i] = Shape::Array(sum_type, call.operand(i).dims());
  }
  int32_t sums = emitter->NewArray(sum_type, count);
  if (!WriteContraction({*scaled[0], shapes[0]}, {*scaled[1], shapes[1]}, DotDimsOf(call), sum_type,
                        sums, emitter) ||
      !emitter->Convert(&sums, count, sum_type, type)) {
    return false;
  }
  emitter->Copy(sums, operation.results[0]);
  return true;
}

}  // namespace hlo
