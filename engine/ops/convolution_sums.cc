#include "engine/ops/convolution_sums.h"

#include <algorithm>
#include <limits>

#include "engine/ops/tensor_moves.h"

namespace hlo {
namespace {

/// |value| <= 2^n for every value of an integer type (or pred).
int MagnitudeBits(ElementType type) { return IsSigned(type) ? BitsOf(type) - 1 : BitsOf(type); }

/// The same for an operand after its conversion to the type of the result.
int ConvertedBits(ElementType operand, ElementType type) {
  bool integer = IsIntegral(operand) || ClassOf(operand) == TypeClass::kPred;
  bool keeps_values = integer && MagnitudeBits(operand) <= MagnitudeBits(type) &&
                      (IsSigned(type) || !IsSigned(operand));
  return MagnitudeBits(keeps_values ? operand : type);
}

bool AllFinite(const float* values, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    if (values[i] - values[i] != 0) return false;
  }
  return true;
}
bool AllFinite(const double* values, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    if (values[i] - values[i] != 0) return false;
  }
  return true;
}

/// Sums of type T, a signed or the unsigned 64-bit one, kept within the range of the type.
template <typename T>
void Saturate(Tensor* sums, ElementType type, Budget* budget) {
  const int bits = MagnitudeBits(type);
  if (bits >= std::numeric_limits<T>::digits) return;
  const T high = static_cast<T>((T{1} << bits) - 1);
  const T low = IsSigned(type) ? static_cast<T>(-high - 1) : T{0};
  constexpr int64_t kPiece = int64_t{1} << 16;
  T* values = sums->mutable_data<T>();
  for (int64_t i = 0; i < sums->element_count(); i += kPiece) {
    const int64_t end = std::min(sums->element_count(), i + kPiece);
    for (int64_t j = i; j < end; ++j) values[j] = std::clamp(values[j], low, high);
    budget->Poll();
  }
}

}  // namespace

ElementType ConvolutionSumType(ElementType type, ElementType lhs, ElementType rhs, int64_t terms) {
  if (IsComplex(type)) return type;
  if (IsFloat(type)) return type == ElementType::kF64 ? type : ElementType::kF32;
  const int bits = ConvertedBits(lhs, type) + ConvertedBits(rhs, type);
  if (bits <= 30 && terms < (int64_t{1} << (31 - bits))) return ElementType::kS32;
  return IsUnsigned(type) ? ElementType::kU64 : ElementType::kS64;
}

bool AllFinite(const Tensor& tensor) {
  const int64_t n = tensor.element_count();
  switch (tensor.element_type()) {
    case ElementType::kF32:
      return AllFinite(tensor.data<float>(), n);
    case ElementType::kC64:
      return AllFinite(tensor.data<float>(), 2 * n);
    case ElementType::kF64:
      return AllFinite(tensor.data<double>(), n);
    case ElementType::kC128:
      return AllFinite(tensor.data<double>(), 2 * n);
    default:
      return true;
  }
}

Tensor RoundSums(Tensor sums, ElementType type, Budget* budget) {
  if (IsIntegral(type)) {
    if (sums.element_type() == ElementType::kS32) {
      Saturate<int32_t>(&sums, type, budget);
    } else if (sums.element_type() == ElementType::kS64) {
      Saturate<int64_t>(&sums, type, budget);
    } else {
      Saturate<uint64_t>(&sums, type, budget);
    }
  }
  return ConvertTensor(sums, type, budget);
}

}  // namespace hlo
