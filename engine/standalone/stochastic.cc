// stochastic-convert (ops/elementwise/stochastic_convert.cc).
#include <limits>

#include "engine/standalone/number_code.h"
#include "engine/standalone/operation.h"

namespace hlo {
namespace {

using lanes::Lane;

/// The integer in [-largest - 1, largest], away from zero if `random` is below the fraction in
/// units of 2^-bits.
Lane<int64_t> Rounded(Number value, Lane<uint64_t> random, int bits, int64_t largest) {
  const int64_t smallest = -largest - 1;
  const Number magnitude = Abs(value);
  const Lane<int64_t> whole = AsInteger(magnitude);
  const double unit = static_cast<double>(uint64_t{1} << (bits - 1)) * 2;
  const Number fraction = (magnitude - AsDouble(whole)) * unit;
  const Lane<uint64_t> limit = {
      value.code, value.code->Convert(fraction.value, LaneKind::kI64, /*is_unsigned=*/true)};
  const Lane<int64_t> rounded = whole + Select(random < limit, int64_t{1}, whole.Number(0));
  const Lane<int64_t> with_sign = Select(value < 0.0, int64_t{0} - rounded, rounded);
  const Lane<int64_t> above = Select(value >= static_cast<double>(largest), largest, with_sign);
  const Lane<int64_t> within = Select(value <= static_cast<double>(smallest), smallest, above);
  return Select(value != value, int64_t{0}, within);
}

}  // namespace

bool WriteStochastic(const Operation& operation, Emitter* emitter) {
  if (operation.instruction->opcode() != Opcode::kStochasticConvert) return false;
  const ElementType from = operation.operand_type(0), random = operation.operand_type(1);
  const ElementType to = operation.type();
  if (!IsSigned(to)) {
    return emitter->Refuse("floats are rounded at random to signed integers only");
  }
  const int64_t count = operation.call->shape().element_count();
  if (count == 0) return true;
  const int64_t largest = std::numeric_limits<int64_t>::max() >> (64 - BitsOf(to));
  KernelCode code(3);
  LaneCode* const one = &code.one();
  const uint32_t at = code.Sum(0, 0), bits = code.Sum(1, 0), result = code.Sum(2, 0);
  code.Repeat(count, [&] {
    const Number value = {one, code.Converted(one->Load(at, from), from, ElementType::kF64)};
    const Lane<uint64_t> number = {
        one, code.Converted(one->Load(bits, random), random, ElementType::kU64)};
    const LaneValue rounded = Rounded(value, number, BitsOf(from), largest).value;
    one->Store(result, code.Converted(rounded, ElementType::kS64, to), to);
    code.Advance(at, BytesOf(from));
    code.Advance(bits, BytesOf(random));
    code.Advance(result, BytesOf(to));
  });
  return emitter->Call(&code, operation.operands, operation.results);
}

}  // namespace hlo
