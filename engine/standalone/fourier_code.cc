#include "engine/standalone/fourier_code.h"

#include <utility>

namespace hlo {
namespace {

/// By i.
NumberPair TurnedBack(const NumberPair& z) { return {-z.imag, z.real}; }
NumberPair Sum(const NumberPair& a, const NumberPair& b) {
  return {a.real + b.real, a.imag + b.imag};
}
NumberPair Difference(const NumberPair& a, const NumberPair& b) {
  return {a.real - b.real, a.imag - b.imag};
}
NumberPair PlainTimes(const NumberPair& a, const NumberPair& b) {
  return {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
}
/// As passes have it.
NumberPair TimesRoot(const NumberPair& x, const NumberPair& w) {
  return {x.real * w.real + x.imag * -w.imag, x.imag * w.real + x.real * w.imag};
}
NumberPair ConjugateOf(const NumberPair& z) { return {z.real, -z.imag}; }

}  // namespace

FourierCode::FourierCode(int64_t length, StandaloneModule* module, KernelCode* code)
    : length_(length), module_(*module), code_(*code), numbers_(code), writer_(code->writer()) {
  Budget budget;
  tables_ = FourierPlan(length, &budget).tables();
  power_ = tables_.padded != 0 ? tables_.padded : length;
}

int64_t FourierCode::scratch() const {
  const bool is_matrix = tables_.roots.element_count() == 0 && power_ >= kFourierMatrix;
  const int64_t lines = is_matrix ? 2 * FourierMatrix::RowsOf(power_) * kLinesTogether : 0;
  return tables_.padded + power_ + lines;
}

void FourierCode::Transform(uint32_t line, uint32_t scratch, bool inverse) {
  if (length_ == 0) return;
  // A line of zeros stays as it is.
  const uint32_t any = code_.Number(0), at = code_.Sum(line, 0);
  EachOf(length_, {at}, [&] {
    const NumberPair z = numbers_.LoadPair(at);
    const lanes::Lane<bool> differs = (z.real != 0.0) | (z.imag != 0.0);
    writer_.Get(any);
    writer_.Get(differs.value.local);
    writer_.Write(Code::kI32Or);
    writer_.Set(any);
  });
  writer_.Get(any);
  writer_.Open(Code::kIf);
  if (inverse) Conjugate(line, std::nullopt);
  Forward(line, scratch);
  if (inverse) Conjugate(line, static_cast<double>(length_));
  writer_.Write(Code::kEnd);
}

uint32_t FourierCode::Table(const Tensor& table) {
  return code_.Number(
      static_cast<int32_t>(module_.Data({table.bytes(), static_cast<size_t>(table.byte_size())})));
}

void FourierCode::Conjugate(uint32_t line, std::optional<double> divisor) {
  const uint32_t at = code_.Sum(line, 0);
  EachOf(length_, {at}, [&] {
    NumberPair z = ConjugateOf(numbers_.LoadPair(at));
    if (divisor) z = {z.real / *divisor, z.imag / *divisor};
    numbers_.StorePair(at, z);
  });
}

void FourierCode::Forward(uint32_t line, uint32_t scratch) {
  if (tables_.padded != 0) {
    ByConvolution(line, scratch);
  } else if (tables_.roots.element_count() != 0) {
    ByDefinition(line, scratch);
  } else {
    RunPower(line, scratch);
  }
}

void FourierCode::ByDefinition(uint32_t line, uint32_t scratch) {
  const uint32_t roots = Table(tables_.roots), to = code_.Sum(scratch, 0);
  const auto bytes = static_cast<int32_t>(length_ * kPairBytes);
  const uint32_t further = code_.Number(0);
  EachOf(length_, {to}, [&] {
    const NumberPair sum = {numbers_.Variable(), numbers_.Variable()};
    const uint32_t at = code_.Sum(line, 0), turn = code_.Number(0);
    EachOf(length_, {at}, [&] {
      const uint32_t root = code_.Sum(roots, 0);
      code_.Add(root, turn);
      const NumberPair next = Sum(sum, PlainTimes(numbers_.LoadPair(at), numbers_.LoadPair(root)));
      numbers_.Set(sum.real, next.real);
      numbers_.Set(sum.imag, next.imag);
      code_.Add(turn, further);
      writer_.Get(turn);
      writer_.I32(bytes);
      writer_.Write(Code::kI32GeS);
      writer_.Open(Code::kIf);
      writer_.Increase(turn, -bytes);
      writer_.Write(Code::kEnd);
    });
    numbers_.StorePair(to, sum);
    writer_.Increase(further, kPairBytes);
  });
  CopyLine(scratch, line, length_);
}

void FourierCode::CopyLine(uint32_t from, uint32_t to, int64_t count) {
  const StridedView all{{count}, {1}, 0};
  code_.CopyView(from, all, to, all, kPairBytes);
}

void FourierCode::ByConvolution(uint32_t line, uint32_t padded) {
  const int64_t size = tables_.padded;
  const uint32_t scratch = code_.Sum(padded, size * kPairBytes);
  const uint32_t chirp = Table(tables_.chirp), filter = Table(tables_.filter);
  uint32_t from = code_.Sum(line, 0), to = code_.Sum(padded, 0), by = code_.Sum(chirp, 0);
  EachOf(length_, {from, to, by}, [&] {
    numbers_.StorePair(to, PlainTimes(numbers_.LoadPair(from), numbers_.LoadPair(by)));
  });
  const NumberPair zero = {numbers_.Constant(0), numbers_.Constant(0)};
  EachOf(size - length_, {to}, [&] { numbers_.StorePair(to, zero); });
  RunPower(padded, scratch);
  to = code_.Sum(padded, 0);
  by = code_.Sum(filter, 0);
  EachOf(size, {to, by}, [&] {
    const NumberPair product = PlainTimes(numbers_.LoadPair(to), numbers_.LoadPair(by));
    numbers_.StorePair(to, ConjugateOf(product));
  });
  RunPower(padded, scratch);
  const double scale = 1.0 / static_cast<double>(size);
  from = code_.Sum(padded, 0);
  to = code_.Sum(line, 0);
  by = code_.Sum(chirp, 0);
  EachOf(length_, {from, to, by}, [&] {
    const NumberPair z = ConjugateOf(numbers_.LoadPair(from));
    const NumberPair scaled = {z.real * scale, z.imag * scale};
    numbers_.StorePair(to, PlainTimes(scaled, numbers_.LoadPair(by)));
  });
}

// ---- Powers of two ------------------------------------------------------------------------------

void FourierCode::RunPower(uint32_t line, uint32_t scratch) {
  if (power_ < 2) return;
  if (power_ >= kFourierMatrix) return RunAsMatrix(line, scratch);
  const uint32_t roots = Table(tables_.powers);
  const uint32_t result = TransformLines(line, scratch, power_, 1, roots, 1);
  if (result != line) CopyLine(result, line, power_);
}

uint32_t FourierCode::TransformLines(uint32_t x, uint32_t y, int64_t n, int64_t together,
                                     uint32_t roots, int64_t step) {
  int64_t stride = together;
  for (; n >= 4; n /= 4, stride *= 4, step *= 4) {
    PassByFour(x, y, n, stride, roots, step);
    std::swap(x, y);
  }
  if (n == 2) {
    const uint32_t from = code_.Sum(x, 0), to = code_.Sum(y, 0);
    EachOf(stride, {from, to}, [&] {
      const NumberPair a = numbers_.LoadPair(from), b = numbers_.LoadPair(from, stride);
      numbers_.StorePair(to, Sum(a, b));
      numbers_.StorePair(to, Difference(a, b), stride);
    });
    std::swap(x, y);
  }
  return x;
}

void FourierCode::PassByFour(uint32_t from, uint32_t to, int64_t n, int64_t stride, uint32_t roots,
                             int64_t step) {
  const int64_t quarter = n / 4, apart = stride * quarter;
  const uint32_t x = code_.Sum(from, 0), y = code_.Sum(to, 0);
  const uint32_t at[] = {code_.Sum(roots, step * kPairBytes),
                         code_.Sum(roots, 2 * step * kPairBytes),
                         code_.Sum(roots, 3 * step * kPairBytes)};
  const auto combine = [&](bool is_first) {
    NumberPair w[3];
    for (int i = 0; i < 3 && !is_first; ++i) w[i] = numbers_.LoadPair(at[i]);
    const auto turned = [&](const NumberPair& z, int i) {
      return is_first ? z : TimesRoot(z, w[i]);
    };
    EachOf(stride, {x, y}, [&] {
      const NumberPair a = numbers_.LoadPair(x), b = numbers_.LoadPair(x, apart),
                       c = numbers_.LoadPair(x, 2 * apart), d = numbers_.LoadPair(x, 3 * apart);
      const NumberPair even = Sum(a, c), odd = Difference(a, c), sum = Sum(b, d),
                       side = TurnedBack(Difference(b, d));
      numbers_.StorePair(y, Sum(even, sum));
      numbers_.StorePair(y, turned(Difference(odd, side), 0), stride);
      numbers_.StorePair(y, turned(Difference(even, sum), 1), 2 * stride);
      numbers_.StorePair(y, turned(Sum(odd, side), 2), 3 * stride);
    });
    // Four results for every element.
    code_.Advance(y, 3 * stride * kPairBytes);
  };
  combine(/*is_first=*/true);
  if (quarter == 1) return;
  code_.Repeat(quarter - 1, [&] {
    combine(/*is_first=*/false);
    for (int i = 0; i < 3; ++i) code_.Advance(at[i], (i + 1) * step * kPairBytes);
  });
}

// The two steps of FourierMatrix::Run.
void FourierCode::RunAsMatrix(uint32_t line, uint32_t scratch) {
  const int64_t rows = FourierMatrix::RowsOf(power_), columns = power_ / rows;
  const uint32_t roots = Table(tables_.matrix.rows);
  const uint32_t x = code_.Sum(scratch, power_ * kPairBytes);
  const uint32_t y = code_.Sum(x, rows * kLinesTogether * kPairBytes);
  TransformColumns(line, x, y, roots, rows, columns);
  TransformRows(line, scratch, x, y, roots, rows, columns);
  CopyLine(scratch, line, power_);
}

void FourierCode::TransformColumns(uint32_t line, uint32_t x, uint32_t y, uint32_t roots,
                                   int64_t rows, int64_t columns) {
  const StridedView block{{rows, kLinesTogether}, {columns, 1}, 0};
  const StridedView dense{{rows, kLinesTogether}, {kLinesTogether, 1}, 0};
  const uint32_t first = code_.Sum(line, 0), column = code_.Number(0);
  const uint32_t coarse = Table(tables_.matrix.coarse), fine = Table(tables_.matrix.fine);
  const uint32_t beside = Table(tables_.matrix.beside);
  code_.Repeat(columns / kLinesTogether, [&] {
    code_.CopyView(first, block, x, dense, kPairBytes);
    const uint32_t sums = TransformLines(x, y, rows, kLinesTogether, roots, 1);
    const uint32_t from = code_.Sum(sums, 0), to = code_.Sum(first, 0);
    const uint32_t row = code_.Number(0), next = code_.Sum(beside, 0);
    code_.Repeat(rows, [&] {
      NumberPair root;
      for (int64_t j = 0; j < kLinesTogether; ++j) {
        const int64_t further = j % FourierMatrix::kRootsBeside;
        if (further == 0) root = RootAt(coarse, fine, column, j, row);
        const NumberPair own = PlainTimes(root, numbers_.LoadPair(next, further));
        numbers_.StorePair(to, TimesRoot(numbers_.LoadPair(from, j), own), j);
      }
      code_.Advance(next, FourierMatrix::kRootsBeside * kPairBytes);
      code_.Advance(from, kLinesTogether * kPairBytes);
      code_.Advance(to, columns * kPairBytes);
      writer_.Increase(row, 1);
    });
    code_.Advance(first, kLinesTogether * kPairBytes);
    writer_.Increase(column, kLinesTogether);
  });
}

NumberPair FourierCode::RootAt(uint32_t coarse, uint32_t fine, uint32_t column, int64_t j,
                               uint32_t row) {
  const auto rows = static_cast<int32_t>(FourierMatrix::RowsOf(power_));
  const uint32_t number = code_.Sum(column, j), part = code_.Number(0);
  writer_.Get(number);
  writer_.Get(row);
  writer_.Write(Code::kI32Mul);
  writer_.Set(number);
  const auto root = [&](uint32_t table, Code by, int32_t operand) {
    writer_.Get(number);
    writer_.I32(operand);
    writer_.Write(by);
    writer_.Set(part);
    return numbers_.LoadPair(ElementAddress(table, part, kPairBytes, &writer_));
  };
  const NumberPair first = root(coarse, Code::kI32DivU, rows);
  return PlainTimes(first, root(fine, Code::kI32And, rows - 1));
}

void FourierCode::TransformRows(uint32_t line, uint32_t result, uint32_t x, uint32_t y,
                                uint32_t roots, int64_t rows, int64_t columns) {
  const StridedView across{{columns, kLinesTogether}, {1, columns}, 0};
  const StridedView dense{{columns, kLinesTogether}, {kLinesTogether, 1}, 0};
  const StridedView spread{{columns, kLinesTogether}, {rows, 1}, 0};
  const uint32_t first = code_.Sum(line, 0), to = code_.Sum(result, 0);
  code_.Repeat(rows / kLinesTogether, [&] {
    code_.CopyView(first, across, x, dense, kPairBytes);
    const uint32_t sums = TransformLines(x, y, columns, kLinesTogether, roots, rows / columns);
    code_.CopyView(sums, dense, to, spread, kPairBytes);
    code_.Advance(first, kLinesTogether * columns * kPairBytes);
    code_.Advance(to, kLinesTogether * kPairBytes);
  });
}

}  // namespace hlo
