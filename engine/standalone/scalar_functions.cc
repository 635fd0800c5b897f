#include "engine/standalone/scalar_functions.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

#include "engine/kernels/complex_functions.h"
#include "engine/lanes/f64_angles.h"
#include "engine/lanes/f64_arcs.h"
#include "engine/lanes/f64_error_function.h"
#include "engine/lanes/f64_exponentials.h"
#include "engine/lanes/f64_logarithms.h"
#include "engine/lanes/f64_powers.h"
#include "engine/standalone/multiply_add.h"
#include "engine/standalone/number_code.h"
#include "engine/standalone/number_digits.h"

namespace hlo {
namespace {

using lanes::Lane;

// ---- Calls --------------------------------------------------------------------------------------

Number CallReal(ScalarFunction function, std::span<const Number> args) {
  std::array<LaneValue, 2> values;
  for (size_t i = 0; i < args.size(); ++i) values[i] = args[i].value;
  LaneValue result;
  CallScalar(function, {values.data(), args.size()}, {&result, 1}, args[0].code);
  return {args[0].code, result};
}
Number Call(Opcode opcode, Number x) { return CallReal({opcode}, {&x, 1}); }
Number Call(Opcode opcode, Number x, Number y) {
  const Number args[] = {x, y};
  return CallReal({opcode}, args);
}
NumberPair CallComplex(Opcode opcode, std::span<const NumberPair> args) {
  std::array<LaneValue, 4> values;
  for (size_t i = 0; i < args.size(); ++i) {
    values[2 * i] = args[i].real.value;
    values[2 * i + 1] = args[i].imag.value;
  }
  LaneCode* const code = args[0].real.code;
  LaneValue results[2];
  CallScalar({opcode, true}, {values.data(), 2 * args.size()}, results, code);
  return {{code, results[0]}, {code, results[1]}};
}
NumberPair Call(Opcode opcode, NumberPair z) { return CallComplex(opcode, {&z, 1}); }
NumberPair Call(Opcode opcode, NumberPair a, NumberPair b) {
  const NumberPair args[] = {a, b};
  return CallComplex(opcode, args);
}

}  // namespace

namespace complex {

template <>
struct Functions<Number> {
  static Number Exp(Number x) { return Call(Opcode::kExponential, x); }
  static Number Expm1(Number x) { return Call(Opcode::kExponentialMinusOne, x); }
  static Number Log(Number x) { return Call(Opcode::kLog, x); }
  static Number Log1p(Number x) { return Call(Opcode::kLogPlusOne, x); }
  static Number Sin(Number x) { return Call(Opcode::kSine, x); }
  static Number Cos(Number x) { return Call(Opcode::kCosine, x); }
  static Number Tan(Number x) { return Call(Opcode::kTan, x); }
  static Number Sinh(Number x) { return Call(Opcode::kSinh, x); }
  static Number Cosh(Number x) { return Call(Opcode::kCosh, x); }
  static Number Tanh(Number x) { return Call(Opcode::kTanh, x); }
  static Number Asinh(Number x) { return Call(Opcode::kAsinh, x); }
  static Number Cbrt(Number x) { return Call(Opcode::kCbrt, x); }
  static Number Atan2(Number y, Number x) { return Call(Opcode::kAtan2, y, x); }
  static Number Pow(Number x, Number y) { return Call(Opcode::kPower, x, y); }
  static Number Hypot(Number x, Number y) {
    const Number args[] = {x, y};
    return CallReal({Opcode::kAbs, true}, args);
  }
  static NumberPair Exp(NumberPair z) { return Call(Opcode::kExponential, z); }
  static NumberPair Log(NumberPair z) { return Call(Opcode::kLog, z); }
  static NumberPair Sqrt(NumberPair z) { return Call(Opcode::kSqrt, z); }
  static NumberPair Divide(NumberPair a, NumberPair b) { return Call(Opcode::kDivide, a, b); }
  static NumberPair Times(NumberPair a, NumberPair b) {
    const LanePair product = LowerComplexProduct({a.real.value, a.imag.value},
                                                 {b.real.value, b.imag.value}, a.real.code);
    return {{a.real.code, product.real}, {a.real.code, product.imaginary}};
  }
};

}  // namespace complex

namespace {

// ---- Remainders ---------------------------------------------------------------------------------

/// fmod: the sign is that of a; where there is no remainder it is the NaN of (a b) / (a b), as in C
/// libraries. The digits, one bit of the quotient after the other.
Number RemainderOf(Number a, Number b) {
  LaneCode* const code = a.code;
  FunctionWriter& writer = code->writer();
  const Number size = Abs(a), step = Abs(b);
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const Lane<bool> is_none = !((size < kInfinite) & (step > 0.0));
  const auto divided = [&] {
    const Digits from = DigitsOf(size), by = DigitsOf(step);
    const Lane<uint64_t> rest{code, code->New(LaneKind::kI64)};
    const Lane<int64_t> left{code, code->New(LaneKind::kI64)};
    const auto reduce = [&] {
      code->Assign(rest.value, Select(rest >= by.digits, rest - by.digits, rest).value);
    };
    code->Assign(rest.value, from.digits.value);
    code->Assign(left.value, (from.exponent - by.exponent).value);
    writer.Open(Code::kLoop);
    reduce();
    const Lane<bool> goes_on = left > int64_t{0};
    code->PushAny(goes_on.value);
    writer.Open(Code::kIf);
    code->Assign(rest.value, (rest << 1).value);
    code->Assign(left.value, (left - int64_t{1}).value);
    writer.Branch(Code::kBr, 1);
    writer.Write(Code::kEnd);
    writer.Write(Code::kEnd);
    // Fewer than 2^53 units of the divisor's last digit.
    return Shifted(AsDouble(AsSigned(rest)), by.exponent - int64_t{1075});
  };
  const Number result = Either((size >= step) & (step < kInfinite), divided, [&] { return size; });
  const Number product = a * b;
  return Select(is_none, product / product, CopySign(result, a));
}

// ---- Tables -------------------------------------------------------------------------------------

struct RealRow {
  Opcode opcode;
  Number (*write)(Number x);
};
constexpr RealRow kReal[] = {
    {Opcode::kExponential, f64::generic::Exp},
    {Opcode::kExponentialMinusOne, f64::generic::Expm1},
    {Opcode::kLogistic, f64::generic::Logistic},
    {Opcode::kLog, f64::generic::Log},
    {Opcode::kLogPlusOne, f64::generic::Log1p},
    {Opcode::kSine, f64::generic::Sin},
    {Opcode::kCosine, f64::generic::Cos},
    {Opcode::kTan, f64::generic::Tan},
    {Opcode::kSinh, f64::generic::Sinh},
    {Opcode::kCosh, f64::generic::Cosh},
    {Opcode::kTanh, f64::generic::Tanh},
    {Opcode::kAsin, f64::generic::Asin},
    {Opcode::kAcos, f64::generic::Acos},
    {Opcode::kAtan, f64::generic::Atan},
    {Opcode::kAsinh, f64::generic::Asinh},
    {Opcode::kAcosh, f64::generic::Acosh},
    {Opcode::kAtanh, f64::generic::Atanh},
    {Opcode::kErf, f64::generic::Erf},
    {Opcode::kCbrt, f64::generic::Cbrt},
};

struct RealBinaryRow {
  Opcode opcode;
  bool is_complex;  // of the parts of one
  Number (*write)(Number x, Number y);
};
constexpr RealBinaryRow kRealBinary[] = {
    {Opcode::kPower, false, f64::generic::Pow},
    {Opcode::kAtan2, false, f64::generic::Atan2},
    {Opcode::kRemainder, false, RemainderOf},
    {Opcode::kAbs, true, f64::generic::Hypot},
};

struct ComplexRow {
  Opcode opcode;
  NumberPair (*write)(NumberPair z);
};
constexpr ComplexRow kComplex[] = {
    {Opcode::kExponential, complex::Exp},   {Opcode::kExponentialMinusOne, complex::Expm1},
    {Opcode::kLogistic, complex::Logistic}, {Opcode::kLog, complex::Log},
    {Opcode::kLogPlusOne, complex::Log1p},  {Opcode::kSqrt, complex::Root},
    {Opcode::kRsqrt, complex::Rsqrt},       {Opcode::kCbrt, complex::Cbrt},
    {Opcode::kSign, complex::Sign},         {Opcode::kSine, complex::Sin},
    {Opcode::kCosine, complex::Cos},        {Opcode::kTan, complex::Tan},
    {Opcode::kSinh, complex::Sinh},         {Opcode::kCosh, complex::Cosh},
    {Opcode::kTanh, complex::Tanh},         {Opcode::kAsin, complex::Asin},
    {Opcode::kAcos, complex::Acos},         {Opcode::kAtan, complex::Atan},
    {Opcode::kAsinh, complex::Asinh},       {Opcode::kAcosh, complex::Acosh},
    {Opcode::kAtanh, complex::Atanh},
};

struct ComplexBinaryRow {
  Opcode opcode;
  NumberPair (*write)(NumberPair a, NumberPair b);
};
constexpr ComplexBinaryRow kComplexBinary[] = {
    {Opcode::kDivide, complex::Divide},
    {Opcode::kPower, complex::Power},
    {Opcode::kAtan2, complex::Atan2},
};

template <typename Row, size_t kRows>
const Row* RowOf(const Row (&rows)[kRows], Opcode opcode) {
  const auto* const row = std::find_if(std::begin(rows), std::end(rows),
                                       [&](const Row& each) { return each.opcode == opcode; });
  return row == std::end(rows) ? nullptr : row;
}

const RealBinaryRow* BinaryRowOf(const ScalarFunction& function) {
  const RealBinaryRow* const row = RowOf(kRealBinary, function.opcode);
  return row && row->is_complex == function.is_complex ? row : nullptr;
}
const RealRow* RealRowOf(const ScalarFunction& function) {
  return function.is_complex ? nullptr : RowOf(kReal, function.opcode);
}
const ComplexRow* ComplexRowOf(const ScalarFunction& function) {
  return function.is_complex ? RowOf(kComplex, function.opcode) : nullptr;
}
const ComplexBinaryRow* ComplexBinaryRowOf(const ScalarFunction& function) {
  return function.is_complex ? RowOf(kComplexBinary, function.opcode) : nullptr;
}

}  // namespace

bool HasScalarFunction(const ScalarFunction& function) {
  return BinaryRowOf(function) || RealRowOf(function) || ComplexRowOf(function) ||
         ComplexBinaryRowOf(function) || function == kFusedMultiplyAdd;
}

int ParametersOf(const ScalarFunction& function) {
  if (function == kFusedMultiplyAdd) return 3;
  if (BinaryRowOf(function)) return 2;
  if (!function.is_complex) return 1;
  return ComplexBinaryRowOf(function) ? 4 : 2;
}

int ResultsOf(const ScalarFunction& function) {
  return function.is_complex && !BinaryRowOf(function) ? 2 : 1;
}

CodeBytes WriteScalarFunction(const ScalarFunction& function, ScalarFunctions* functions) {
  FunctionWriter writer(static_cast<uint32_t>(ParametersOf(function)));
  writer.set_functions(functions);
  LaneCode code(&writer, 1);
  const auto parameter = [&](uint32_t i) { return Number{&code, {i, LaneKind::kF64}}; };
  const auto pair = [&](uint32_t i) { return NumberPair{parameter(i), parameter(i + 1)}; };
  const auto push = [&](const NumberPair& z) {
    writer.Get(z.real.value.local);
    writer.Get(z.imag.value.local);
  };
  if (function == kFusedMultiplyAdd) {
    writer.Get(FusedMultiplyAdd(parameter(0), parameter(1), parameter(2)).value.local);
  } else if (const RealBinaryRow* const row = BinaryRowOf(function)) {
    writer.Get(row->write(parameter(0), parameter(1)).value.local);
  } else if (const RealRow* const real = RealRowOf(function)) {
    writer.Get(real->write(parameter(0)).value.local);
  } else if (const ComplexRow* const of_one = ComplexRowOf(function)) {
    push(of_one->write(pair(0)));
  } else {
    push(ComplexBinaryRowOf(function)->write(pair(0), pair(2)));
  }
  return writer.Finish();
}

void CallScalar(const ScalarFunction& function, std::span<const LaneValue> args,
                std::span<LaneValue> results, LaneCode* code) {
  FunctionWriter& writer = code->writer();
  auto* const functions = static_cast<ScalarFunctions*>(writer.functions());
  const uint32_t number = functions->NumberOf(function);
  for (const LaneValue& arg : args) writer.Get(arg.local);
  writer.Call(number);
  for (size_t i = results.size(); i-- > 0;) {
    results[i] = code->New(LaneKind::kF64);
    writer.Set(results[i].local);
  }
}

LaneValue lanes::LoadElement(std::span<const std::byte> table, LaneValue index, LaneKind kind,
                             LaneCode* code) {
  constexpr int kBytesBits = 3;
  FunctionWriter& writer = code->writer();
  auto* const functions = static_cast<ScalarFunctions*>(writer.functions());
  const LaneValue place =
      code->ShiftBy(LaneOp::kShiftLeft, code->Convert(index, LaneKind::kI32, false), kBytesBits);
  const LaneValue element = code->New(kind);
  writer.Get(place.local);
  writer.Memory(kind == LaneKind::kF64 ? Code::kF64Load : Code::kI64Load,
                functions->AddressOf(table));
  writer.Set(element.local);
  return element;
}

}  // namespace hlo
