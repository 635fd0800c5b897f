// cholesky and triangular-solve: the loops of kernels/triangular.h, in f64 or c128.
#include <optional>
#include <utility>

#include "engine/base/indices.h"
#include "engine/ops/op_def.h"
#include "engine/standalone/number_code.h"
#include "engine/standalone/operation.h"
#include "engine/standalone/scalar_functions.h"

namespace hlo {
namespace {

// Real numbers and complex ones by the same names.
Number Conjugated(const Number& a) { return a; }
NumberPair Conjugated(const NumberPair& a) { return {a.real, -a.imag}; }
/// y - a * x.
Number MinusProduct(const Number& y, const Number& a, const Number& x) { return y - a * x; }
NumberPair MinusProduct(const NumberPair& y, const NumberPair& a, const NumberPair& x) {
  return {y.real - (a.real * x.real - a.imag * x.imag),
          y.imag - (a.real * x.imag + a.imag * x.real)};
}
Number Quotient(const Number& a, const Number& b) { return a / b; }
NumberPair Quotient(const NumberPair& a, const NumberPair& b) {
  LaneCode* const code = a.real.code;
  const LaneValue args[] = {a.real.value, a.imag.value, b.real.value, b.imag.value};
  LaneValue results[2];
  CallScalar({Opcode::kDivide, true}, args, results, code);
  return {{code, results[0]}, {code, results[1]}};
}
Number PartOf(const Number& a) { return a; }
Number PartOf(const NumberPair& a) { return a.real; }
Number OverReal(const Number& a, const Number& b) { return a / b; }
NumberPair OverReal(const NumberPair& a, const Number& b) { return {a.real / b, a.imag / b}; }
void FromReal(const Number& real, Number* to) { *to = real; }
void FromReal(const Number& real, NumberPair* to) { *to = {real, real.Number(0)}; }

/// Loops over square matrices of elements T.
template <typename T>
class MatrixCode {
 public:
  MatrixCode(int64_t n, KernelCode* code)
      : n_(static_cast<int32_t>(n)), code_(*code), numbers_(code), writer_(code->writer()) {}

  /// FactorUpper of the matrix at an address.
  void Factor(uint32_t matrix) {
    const uint32_t i = code_.Number(0), fails = code_.Number(0);
    const auto end = [&] {  // no row at all after a pivot without a root
      writer_.I32(0);
      writer_.I32(n_);
      writer_.Get(fails);
      writer_.Write(Code::kSelect);
    };
    numbers_.For(i, end, [&] { FactorRow(matrix, i, fails); });
    T none, zero;
    FromReal(numbers_.Constant(kNan), &none);
    FromReal(numbers_.Constant(0), &zero);
    writer_.Get(fails);
    writer_.Open(Code::kIf);
    const uint32_t at = code_.Sum(matrix, 0);
    code_.Repeat(int64_t{n_} * n_, [&] {
      Store(at, none);
      code_.Advance(at, kBytes);
    });
    writer_.Write(Code::kElse);
    const uint32_t row = code_.Number(0);
    numbers_.For(row, Size(), [&] {
      const uint32_t column = code_.Number(0);
      numbers_.For(
          column, [&] { writer_.Get(row); }, [&] { Store(Place(matrix, row, column), zero); });
    });
    writer_.Write(Code::kEnd);
  }

  /// SolveRows of one row of right sides.
  void Solve(uint32_t matrix, uint32_t row, bool is_upper, bool has_units, bool is_adjoint) {
    const auto value = [&](uint32_t address) {
      const T x = Load(address);
      return is_adjoint ? Conjugated(x) : x;
    };
    const uint32_t step = code_.Number(0);
    numbers_.For(step, Size(), [&] {
      const uint32_t j = code_.Sum(step, 0), column = code_.Number(0), end = code_.Number(n_);
      if (is_upper) {
        code_.Copy(column, j);
        code_.Advance(column, 1);
      } else {
        writer_.I32(n_ - 1);
        writer_.Get(step);
        writer_.Write(Code::kI32Sub);
        writer_.Set(j);
        code_.Copy(end, j);
      }
      const uint32_t at = ElementAddress(row, j, kBytes, &writer_);
      if (!has_units) Store(at, Quotient(Load(at), value(Place(matrix, j, j))));
      const T factor = Load(at);
      numbers_.For(
          column, [&] { writer_.Get(end); },
          [&] {
            const uint32_t place = ElementAddress(row, column, kBytes, &writer_);
            Store(place, MinusProduct(Load(place), factor, value(Place(matrix, j, column))));
          });
    });
  }

  static constexpr int32_t kBytes = sizeof(double) * (std::is_same_v<T, Number> ? 1 : 2);

 private:
  auto Size() {
    return [this] { writer_.I32(n_); };
  }
  T Load(uint32_t address) {
    if constexpr (std::is_same_v<T, Number>) {
      return numbers_.Load(address);
    } else {
      return numbers_.LoadPair(address);
    }
  }
  void Store(uint32_t address, const T& x) {
    if constexpr (std::is_same_v<T, Number>) {
      numbers_.Store(address, x);
    } else {
      numbers_.StorePair(address, x);
    }
  }
  uint32_t RowAt(uint32_t matrix, uint32_t row) {
    return ElementAddress(matrix, row, n_ * kBytes, &writer_);
  }
  uint32_t Place(uint32_t matrix, uint32_t row, uint32_t column) {
    return ElementAddress(RowAt(matrix, row), column, kBytes, &writer_);
  }

  void FactorRow(uint32_t matrix, uint32_t i, uint32_t fails) {
    const uint32_t k = code_.Number(0);
    numbers_.For(
        k, [&] { writer_.Get(i); },
        [&] {
          const T factor = Conjugated(Load(Place(matrix, k, i)));
          const uint32_t j = code_.Sum(i, 0);
          numbers_.For(j, Size(), [&] {
            const uint32_t place = Place(matrix, i, j);
            Store(place, MinusProduct(Load(place), factor, Load(Place(matrix, k, j))));
          });
        });
    const uint32_t pivot = Place(matrix, i, i);
    const Number root = Sqrt(PartOf(Load(pivot)));
    writer_.Get((root != root).value.local);
    writer_.Set(fails);
    T wide;
    FromReal(root, &wide);
    Store(pivot, wide);
    const uint32_t j = code_.Sum(i, 1);
    numbers_.For(j, Size(), [&] {
      const uint32_t place = Place(matrix, i, j);
      Store(place, OverReal(Load(place), root));
    });
  }

  const int32_t n_;
  KernelCode& code_;
  NumberCode numbers_;
  FunctionWriter& writer_;
};

/// Matrices in the last two dimensions, as f64 or c128 and perhaps transposed.
class MatrixArrays {
 public:
  explicit MatrixArrays(Emitter* emitter) : emitter_(*emitter) {}

  static ElementType WideType(ElementType type) {
    return IsComplex(type) ? ElementType::kC128 : ElementType::kF64;
  }

  std::optional<int32_t> Widened(int32_t array, const Shape& shape, bool is_transposed) {
    const ElementType type = shape.element_type(), wide = WideType(type);
    if (!emitter_.Convert(&array, shape.element_count(), type, wide)) return std::nullopt;
    return Oriented(array, shape.dims(), wide, is_transposed);
  }

  /// `dims` are those of the result.
  bool Finish(int32_t array, Dims dims, bool is_transposed, ElementType type, int32_t result) {
    const ElementType wide = WideType(type);
    if (is_transposed) std::swap(dims[dims.size() - 1], dims[dims.size() - 2]);
    array = Oriented(array, dims, wide, is_transposed);
    if (!emitter_.Convert(&array, ElementCount(dims), wide, type)) return false;
    emitter_.Copy(array, result);
    return true;
  }

 private:
  int32_t Oriented(int32_t array, const Dims& dims, ElementType type, bool is_transposed) {
    if (!is_transposed) return array;
    StridedView view = RowMajorView(dims);
    std::swap(view.dims[dims.size() - 1], view.dims[dims.size() - 2]);
    std::swap(view.strides[dims.size() - 1], view.strides[dims.size() - 2]);
    return emitter_.Viewed(array, view, type);
  }

  Emitter& emitter_;
};

template <typename T>
void FactorMatrices(int64_t n, int64_t count, KernelCode* code) {
  MatrixCode<T> matrices(n, code);
  const uint32_t matrix = code->Sum(1, 0);
  const StridedView all{{count * n * n}, {1}, 0};
  code->CopyView(0, all, 1, all, MatrixCode<T>::kBytes);
  code->Repeat(count, [&] {
    matrices.Factor(matrix);
    code->Advance(matrix, n * n * MatrixCode<T>::kBytes);
  });
}

bool WriteCholesky(const Operation& operation, Emitter* emitter) {
  const OpCall& call = *operation.call;
  const Shape& shape = call.operand(0);
  const int64_t n = shape.dims().back(), count = shape.element_count();
  if (count == 0) return true;
  const bool is_lower = call.Bool("lower");
  MatrixArrays arrays(emitter);
  const std::optional<int32_t> from = arrays.Widened(operation.operands[0], shape, is_lower);
  if (!from) return false;
  const bool is_complex = IsComplex(shape.element_type());
  const int32_t to = emitter->NewArray(MatrixArrays::WideType(shape.element_type()), count);
  KernelCode code(2);
  (is_complex ? FactorMatrices<NumberPair> : FactorMatrices<Number>)(n, count / (n * n), &code);
  return emitter->Call(&code, {*from}, {to}) &&
         arrays.Finish(to, shape.dims(), is_lower, operation.type(), operation.results[0]);
}

struct SolveSizes {
  int64_t n = 0, rows = 0, count = 0;
  bool is_upper = false, has_units = false, is_adjoint = false;
};

template <typename T>
void SolveMatrices(const SolveSizes& sizes, KernelCode* code) {
  MatrixCode<T> matrices(sizes.n, code);
  constexpr int32_t kBytes = MatrixCode<T>::kBytes;
  const uint32_t matrix = code->Sum(0, 0), row = code->Sum(2, 0);
  const StridedView all{{sizes.count * sizes.rows * sizes.n}, {1}, 0};
  code->CopyView(1, all, 2, all, kBytes);
  code->Repeat(sizes.count, [&] {
    code->Repeat(sizes.rows, [&] {
      matrices.Solve(matrix, row, sizes.is_upper, sizes.has_units, sizes.is_adjoint);
      code->Advance(row, sizes.n * kBytes);
    });
    code->Advance(matrix, sizes.n * sizes.n * kBytes);
  });
}

/// As x t = b by rows: see EvalTriangularSolve (ops/products/linear_algebra.cc).
bool WriteTriangularSolve(const Operation& operation, Emitter* emitter) {
  enum Transpose : int64_t { kNoTranspose, kTranspose, kAdjoint };
  const OpCall& call = *operation.call;
  const Shape &a = call.operand(0), &b = call.operand(1);
  if (b.element_count() == 0) return true;
  const bool is_left = call.Bool("left_side");
  const int64_t op = call.Word("transpose_a");
  const bool is_transposed = is_left == (op == kNoTranspose);
  const size_t last = b.dims().size() - 1;
  SolveSizes sizes{.n = a.dims()[last],
                   .rows = b.dims()[is_left ? last : last - 1],
                   .is_upper = call.Bool("lower") == is_transposed,
                   .has_units = call.Bool("unit_diagonal"),
                   .is_adjoint = op == kAdjoint};
  sizes.count = b.element_count() / (sizes.n * sizes.rows);
  MatrixArrays arrays(emitter);
  const auto matrix = arrays.Widened(operation.operands[0], a, is_transposed);
  const auto sides = arrays.Widened(operation.operands[1], b, is_left);
  if (!matrix || !sides) return false;
  const bool is_complex = IsComplex(b.element_type());
  const int32_t to = emitter->NewArray(MatrixArrays::WideType(b.element_type()), b.element_count());
  KernelCode code(3);
  code.writer().set_functions(&emitter->module());
  (is_complex ? SolveMatrices<NumberPair> : SolveMatrices<Number>)(sizes, &code);
  return emitter->Call(&code, {*matrix, *sides}, {to}) &&
         arrays.Finish(to, b.dims(), is_left, operation.type(), operation.results[0]);
}

}  // namespace

bool WriteFactors(const Operation& operation, Emitter* emitter) {
  switch (operation.instruction->opcode()) {
    case Opcode::kCholesky:
      return WriteCholesky(operation, emitter);
    case Opcode::kTriangularSolve:
      return WriteTriangularSolve(operation, emitter);
    default:
      return false;
  }
}

}  // namespace hlo
