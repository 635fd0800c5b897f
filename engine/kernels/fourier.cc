#include "engine/kernels/fourier.h"

#ifndef HLO_SMALL

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/threads/pieces.h"

namespace hlo {
namespace {

using Complex = std::complex<double>;

/// Up to here n^2 is as fast as anything else, and more exact.
constexpr int64_t kShort = 32;

bool IsPowerOfTwo(int64_t n) { return (n & (n - 1)) == 0; }

template <typename T>
bool IsZero(const std::complex<T>* line, int64_t length) {
  return std::all_of(line, line + length, [](std::complex<T> x) { return x == T{0}; });
}

}  // namespace

FourierPlan::FourierPlan(int64_t length, Budget* budget) : length_(length), pacer_(budget) {
  if (IsPowerOfTwo(length)) {
    power_ = PowerOfTwoTransform(length, budget);
    return;
  }
  if (length <= kShort) {
    roots_ = RootsOfUnity(length, length, budget);
    scratch_ = MakeLine(length, budget);
    return;
  }
  chirp_ = MakeLine(length, budget);
  padded_ = 1;
  while (padded_ < 2 * length - 1) padded_ *= 2;
  filter_ = MakeLine(padded_, budget);
  scratch_ = MakeLine(padded_, budget);
  power_ = PowerOfTwoTransform(padded_, budget);
  Complex* chirp = chirp_.mutable_data<Complex>();
  Complex* filter = filter_.mutable_data<Complex>();
  std::fill_n(filter, padded_, Complex{});
  // square is k^2 modulo 2 * length.
  for (int64_t k = 0, square = 0; k < length; ++k) {
    if (k % Pacer::kPollWork == 0) budget->Poll();
    chirp[k] = RootOfUnity(square, 2 * length);
    filter[k] = filter[k == 0 ? 0 : padded_ - k] = std::conj(chirp[k]);
    square = (square + 2 * k + 1) % (2 * length);
  }
  power_.Run(filter, &pacer_);
}

void FourierPlan::ByDefinition(Complex* line) {
  const Complex* roots = roots_.data<Complex>();
  Complex* sums = scratch_.mutable_data<Complex>();
  for (int64_t n = 0; n < length_; ++n) {
    Complex sum = 0;
    for (int64_t k = 0, turn = 0; k < length_; ++k) {
      sum += PlainProduct(line[k], roots[turn]);
      turn += n;
      if (turn >= length_) turn -= length_;
    }
    sums[n] = sum;
  }
  std::copy_n(sums, length_, line);
  pacer_.Add(length_ * length_);
}

void FourierPlan::ByConvolution(Complex* line) {
  const Complex* chirp = chirp_.data<Complex>();
  const Complex* filter = filter_.data<Complex>();
  Complex* padded = scratch_.mutable_data<Complex>();
  for (int64_t k = 0; k < length_; ++k) padded[k] = PlainProduct(line[k], chirp[k]);
  std::fill(padded + length_, padded + padded_, Complex{});
  power_.Run(padded, &pacer_);
  // The inverse transform is that of the conjugate, conjugated.
  for (int64_t k = 0; k < padded_; ++k) padded[k] = std::conj(PlainProduct(padded[k], filter[k]));
  power_.Run(padded, &pacer_);
  double scale = 1.0 / static_cast<double>(padded_);
  for (int64_t k = 0; k < length_; ++k) {
    line[k] = PlainProduct(std::conj(padded[k]) * scale, chirp[k]);
  }
}

void FourierPlan::Forward(Complex* line) {
  if (padded_ != 0) {
    ByConvolution(line);
  } else if (IsPowerOfTwo(length_)) {
    power_.Run(line, &pacer_);
  } else {
    ByDefinition(line);
  }
}

void FourierPlan::Transform(Complex* line, bool inverse) {
  pacer_.Add(length_ + 1);
  if (IsZero(line, length_)) return;
  if (TakesNarrow(length_)) return power_.matrix()->Run(line, line, inverse, pacer_.budget());
  if (!inverse) return Forward(line);
  for (int64_t k = 0; k < length_; ++k) line[k] = std::conj(line[k]);
  Forward(line);
  double length = static_cast<double>(length_);
  for (int64_t k = 0; k < length_; ++k) line[k] = std::conj(line[k]) / length;
}

bool FourierPlan::TakesNarrow(int64_t length) {
  return length >= kFourierMatrix && IsPowerOfTwo(length);
}

void FourierPlan::TransformNarrow(const std::complex<float>* from, std::complex<float>* to,
                                  bool inverse) {
  pacer_.Add(length_);
  if (IsZero(from, length_)) {
    std::copy_n(from, length_, to);
  } else {
    power_.matrix()->Run(from, to, inverse, pacer_.budget());
  }
}

namespace {

/// Numbers that a thread takes at a time.
constexpr int64_t kFourierPiece = int64_t{1} << 14;

}  // namespace

FourierPlan FourierPlan::Another() const {
  FourierPlan another = *this;
  another.power_ = power_.Another(pacer_.budget());
  if (scratch_) another.scratch_ = MakeLine(scratch_.dim(0), pacer_.budget());
  return another;
}

void FourierPlan::ForEachGroup(int64_t count, int64_t lines, Group body) {
  const int64_t room = lines * length_;
  const int64_t each = std::max<int64_t>(lines, 1) * length_, work = count * each;
  // Lines that are long threads share one after the other.
  if (count > 1 && !IsShared(length_) && IsShared(work)) {
    Tensor rooms = MakeLine(PieceThreads() * room, pacer_.budget());
    Complex* const all_rooms = rooms.mutable_data<Complex>();
    std::vector<FourierPlan> plans;
    plans.reserve(static_cast<size_t>(PieceThreads()));
    for (int i = 0; i < PieceThreads(); ++i) plans.push_back(Another());
    const int64_t together = std::max<int64_t>(kFourierPiece / each, 1);
    return RunRanges(count, together, work, pacer_.budget(),
                     [&](PieceRange piece, int thread, Budget* own) {
                       FourierPlan& plan = plans[static_cast<size_t>(thread)];
                       plan.pacer_ = Pacer(own);
                       for (int64_t group = piece.begin; group < piece.end; ++group) {
                         body(group, plan, all_rooms + thread * room);
                       }
                     });
  }
  Tensor own_room = MakeLine(room, pacer_.budget());
  for (int64_t group = 0; group < count; ++group) {
    body(group, *this, own_room.mutable_data<Complex>());
  }
}

}  // namespace hlo

#endif  // HLO_SMALL
