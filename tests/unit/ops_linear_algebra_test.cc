// Factors, systems and transforms of random numbers, put back into the equations they solve.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

#include "doctest/doctest.h"
#include "tests/unit/op_runner.h"

namespace hlo {
namespace {

template <typename T>
constexpr bool kComplex = kClassOf<T> == TypeClass::kComplex;

template <typename T>
T RandomNumber(std::mt19937& random) {
  auto part = [&] { return static_cast<double>(random() % 2001) / 1000.0 - 1; };
  if constexpr (kComplex<T>) {
    using Part = typename T::value_type;
    Part real = static_cast<Part>(part());
    return T(real, static_cast<Part>(part()));
  } else {
    return static_cast<T>(part());
  }
}

template <typename T>
T Conj(T a) {
  if constexpr (kComplex<T>) {
    return std::conj(a);
  } else {
    return a;
  }
}

template <typename T>
using Matrix = std::vector<T>;
size_t CellAt(int64_t i, int64_t j, int64_t columns) {
  return static_cast<size_t>(i * columns + j);
}

/// a[m,k] times b[k,n].
template <typename T>
Matrix<T> Product(const Matrix<T>& a, const Matrix<T>& b, int64_t m, int64_t k, int64_t n) {
  Matrix<T> c(static_cast<size_t>(m * n));
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t p = 0; p < k; ++p) c[CellAt(i, j, n)] += a[CellAt(i, p, k)] * b[CellAt(p, j, n)];
    }
  }
  return c;
}

template <typename T>
Matrix<T> Adjoint(const Matrix<T>& a, int64_t n, bool conjugate) {
  Matrix<T> b(a.size());
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      b[CellAt(j, i, n)] = conjugate ? Conj(a[CellAt(i, j, n)]) : a[CellAt(i, j, n)];
    }
  }
  return b;
}

template <typename T>
double Distance(const Matrix<T>& a, const Matrix<T>& b) {
  double distance = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    double d = static_cast<double>(std::abs(a[i] - b[i]));
    if (!(d <= distance)) distance = d;
  }
  return distance;
}

template <typename T>
void CheckFactors(double tolerance) {
  std::mt19937 random(11);
  TestContext context;
  for (int64_t n : {1, 2, 3, 5, 8, 17, 40}) {
    for (bool lower : {false, true}) {
      CAPTURE(n);
      CAPTURE(lower);
      Matrix<T> g(static_cast<size_t>(n * n));
      for (T& x : g) x = RandomNumber<T>(random);
      for (int64_t i = 0; i < n; ++i) g[CellAt(i, i, n)] += T(static_cast<float>(n));
      Matrix<T> a = Product(g, Adjoint(g, n, true), n, n, n), masked = a;
      T nan = T(std::nanf(""));
      for (int64_t i = 0; i < n; ++i) {
        for (int64_t j = 0; j < i; ++j) masked[lower ? CellAt(j, i, n) : CellAt(i, j, n)] = nan;
      }
      Shape shape = Shape::Array(kTypeOf<T>, Dims{n, n});
      TestOp op{Opcode::kCholesky, {shape}, {{"lower", lower}}, shape};
      Value value = op.Eval({MakeTestTensor(Dims{n, n}, masked)}, context);
      Matrix<T> factor = ElementsOf<T>(value.tensor());
      Matrix<T> adjoint = Adjoint(factor, n, true);
      Matrix<T> back =
          lower ? Product(factor, adjoint, n, n, n) : Product(adjoint, factor, n, n, n);
      CHECK(Distance(back, a) <= tolerance * static_cast<double>(n * n));
      for (int64_t i = 0; i < n; ++i) {
        for (int64_t j = 0; j < i; ++j) {
          CHECK(factor[lower ? CellAt(j, i, n) : CellAt(i, j, n)] == T{});
        }
      }
    }
  }
}

TEST_CASE("cholesky factors multiply to the matrix") {
  CheckFactors<float>(1e-5);
  CheckFactors<double>(1e-13);
  CheckFactors<std::complex<float>>(1e-5);
  CheckFactors<std::complex<double>>(1e-13);
}

template <typename T>
void CheckSolve(int64_t n, int64_t m, bool left, bool lower, bool unit, int64_t op_a,
                std::mt19937& random, double tolerance) {
  TestContext context;
  T nan = T(std::nanf(""));
  Matrix<T> stored(static_cast<size_t>(n * n)), a(stored.size());
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      bool inside = lower ? j < i : j > i;
      T x = RandomNumber<T>(random) / T(static_cast<float>(n));
      if (i == j) x += T(2.0f);
      stored[CellAt(i, j, n)] = inside || (i == j && !unit) ? x : nan;
      a[CellAt(i, j, n)] = inside ? x : i == j ? (unit ? T(1.0f) : x) : T{};
    }
  }
  Matrix<T> b(static_cast<size_t>(n * m));
  for (T& x : b) x = RandomNumber<T>(random);
  Shape a_shape = Shape::Array(kTypeOf<T>, Dims{n, n});
  Dims b_dims = left ? Dims{n, m} : Dims{m, n};
  Shape b_shape = Shape::Array(kTypeOf<T>, b_dims);
  TestOp op{Opcode::kTriangularSolve,
            {a_shape, b_shape},
            {{"left_side", left},
             {"lower", lower},
             {"unit_diagonal", unit},
             {"transpose_a", AttrValue(op_a)}},
            b_shape};
  Value value = op.Eval({MakeTestTensor(Dims{n, n}, stored), MakeTestTensor(b_dims, b)}, context);
  Matrix<T> x = ElementsOf<T>(value.tensor());
  Matrix<T> op_of_a = op_a == 0 ? a : Adjoint(a, n, op_a == 2);
  Matrix<T> back = left ? Product(op_of_a, x, n, n, m) : Product(x, op_of_a, m, n, n);
  CHECK(Distance(back, b) <= tolerance);
}

template <typename T>
void CheckSolves(double tolerance) {
  std::mt19937 random(13);
  for (int64_t n : {1, 2, 5, 19}) {
    for (int64_t m : {1, 3, 11}) {
      for (int bits = 0; bits < 8; ++bits) {
        for (int64_t op_a = 0; op_a < 3; ++op_a) {
          CAPTURE(n);
          CAPTURE(m);
          CAPTURE(bits);
          CAPTURE(op_a);
          CheckSolve<T>(n, m, (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, op_a, random,
                        tolerance);
        }
      }
    }
  }
}

TEST_CASE("triangular-solve solves every form of system") {
  CheckSolves<float>(1e-5);
  CheckSolves<double>(1e-13);
  CheckSolves<std::complex<float>>(1e-5);
  CheckSolves<std::complex<double>>(1e-13);
}

// ---- fft ----------------------------------------------------------------------------------------

using Complex = std::complex<double>;

/// The sum that defines it, over the last dimension of `lines` lines.
std::vector<Complex> Dft(const std::vector<Complex>& x, int64_t length, bool inverse) {
  std::vector<Complex> y(x.size());
  int64_t lines = static_cast<int64_t>(x.size()) / length;
  for (int64_t line = 0; line < lines; ++line) {
    for (int64_t n = 0; n < length; ++n) {
      Complex sum = 0;
      for (int64_t k = 0; k < length; ++k) {
        double turn = static_cast<double>(k * n % length) / static_cast<double>(length);
        double angle = (inverse ? 2 : -2) * 3.14159265358979323846 * turn;
        sum += x[CellAt(line, k, length)] * std::polar(1.0, angle);
      }
      y[CellAt(line, n, length)] = inverse ? sum / static_cast<double>(length) : sum;
    }
  }
  return y;
}

std::vector<Complex> RandomLine(int64_t count, std::mt19937& random) {
  std::vector<Complex> x(static_cast<size_t>(count));
  for (Complex& v : x) v = RandomNumber<Complex>(random);
  return x;
}

Tensor Fft(int64_t type, const Dims& lengths, const Tensor& x, const Shape& result) {
  TestContext context;
  TestOp op{Opcode::kFft,
            {Shape::Array(x.element_type(), x.dims())},
            {{"fft_type", AttrValue(type)}, {"fft_length", lengths}},
            result};
  return op.Eval({x}, context).tensor();
}

TEST_CASE("fft of one axis by its definition") {
  std::mt19937 random(17);
  for (int64_t n : {1, 2, 3, 4, 5, 7, 8, 12, 16, 31, 32, 33, 37, 64, 100, 127, 128, 243, 1000}) {
    CAPTURE(n);
    double tolerance = 1e-14 * static_cast<double>(n);
    std::vector<Complex> x = RandomLine(3 * n, random);
    Shape shape = Shape::Array(ElementType::kC128, Dims{3, n});
    Tensor in = MakeTestTensor(Dims{3, n}, x);
    CHECK(Distance(ElementsOf<Complex>(Fft(0, {n}, in, shape)), Dft(x, n, false)) <= tolerance);
    CHECK(Distance(ElementsOf<Complex>(Fft(1, {n}, in, shape)), Dft(x, n, true)) <= tolerance);
    // The operand is not written to.
    CHECK(ElementsOf<Complex>(in) == x);
  }
}

TEST_CASE("fft of real lines there and back") {
  std::mt19937 random(19);
  for (int64_t n : {1, 2, 3, 4, 9, 10, 33, 60, 64}) {
    CAPTURE(n);
    std::vector<double> x(static_cast<size_t>(2 * n));
    for (double& v : x) v = RandomNumber<double>(random);
    int64_t half = n / 2 + 1;
    Shape half_shape = Shape::Array(ElementType::kC128, Dims{2, half});
    Tensor halves = Fft(2, {n}, MakeTestTensor(Dims{2, n}, x), half_shape);
    std::vector<Complex> full = Dft(std::vector<Complex>(x.begin(), x.end()), n, false), expected;
    for (int64_t line = 0; line < 2; ++line) {
      for (int64_t k = 0; k < half; ++k) expected.push_back(full[CellAt(line, k, n)]);
    }
    CHECK(Distance(ElementsOf<Complex>(halves), expected) <= 1e-13);
    Tensor back = Fft(3, {n}, halves, Shape::Array(ElementType::kF64, Dims{2, n}));
    CHECK(Distance(ElementsOf<double>(back), x) <= 1e-14);
  }
}

/// The last two dimensions exchanged.
std::vector<Complex> Transposed(const std::vector<Complex>& x, int64_t rows, int64_t columns) {
  std::vector<Complex> y;
  int64_t size = rows * columns;
  for (int64_t first = 0; first < static_cast<int64_t>(x.size()); first += size) {
    for (int64_t j = 0; j < columns; ++j) {
      for (int64_t i = 0; i < rows; ++i) {
        y.push_back(x[static_cast<size_t>(first) + CellAt(i, j, columns)]);
      }
    }
  }
  return y;
}

TEST_CASE("fft of two axes is one after the other") {
  std::mt19937 random(23);
  // Columns around the number that is collected at a time.
  for (int64_t columns : {1, 7, 8, 9, 20}) {
    int64_t rows = 6;
    CAPTURE(columns);
    std::vector<Complex> x = RandomLine(2 * rows * columns, random);
    Dims dims{2, rows, columns};
    Tensor y =
        Fft(0, {rows, columns}, MakeTestTensor(dims, x), Shape::Array(ElementType::kC128, dims));
    std::vector<Complex> by_columns = Transposed(Dft(x, columns, false), rows, columns);
    std::vector<Complex> expected = Transposed(Dft(by_columns, rows, false), columns, rows);
    CHECK(Distance(ElementsOf<Complex>(y), expected) <= 1e-12);
  }
}

TEST_CASE("exact roots of unity keep exact numbers exact") {
  // A shifted impulse transforms to roots of unity: real and imaginary ones come out as such.
  std::vector<Complex> x(16);
  x[4] = 1;
  Shape shape = Shape::Array(ElementType::kC128, Dims{16});
  std::vector<Complex> y = ElementsOf<Complex>(Fft(0, {16}, MakeTestTensor(Dims{16}, x), shape));
  for (size_t k = 0; k < 16; ++k) {
    const Complex kTurns[] = {{1, 0}, {0, -1}, {-1, 0}, {0, 1}};
    CHECK(y[k] == kTurns[k % 4]);
  }
}

}  // namespace
}  // namespace hlo
