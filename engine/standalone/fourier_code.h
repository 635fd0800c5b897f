// The discrete Fourier transform of a line, in kernels: the steps of kernels/fourier.h in c128.
// Roots of unity are data.
#ifndef HLO_ENGINE_STANDALONE_FOURIER_CODE_H_
#define HLO_ENGINE_STANDALONE_FOURIER_CODE_H_

#include <cstdint>
#include <initializer_list>
#include <optional>

#include "engine/kernels/fourier.h"
#include "engine/standalone/module.h"
#include "engine/standalone/number_code.h"

namespace hlo {

/// Bytes of a complex number.
inline constexpr int64_t kPairBytes = 16;

/// Transforms of one length.
class FourierCode {
 public:
  /// The pointers must outlive it.
  FourierCode(int64_t length, StandaloneModule* module, KernelCode* code);

  /// Complex numbers of scratch memory that it needs.
  int64_t scratch() const;
  /// Replaces the line at an address (FourierPlan::Transform); so much scratch memory is at
  /// another.
  void Transform(uint32_t line, uint32_t scratch, bool inverse);

 private:
  static constexpr int64_t kLinesTogether = FourierMatrix::kLinesTogether;

  /// `body` so many times, at elements side by side.
  template <typename Body>
  void EachOf(int64_t count, std::initializer_list<uint32_t> addresses, Body body) {
    code_.Repeat(count, [&] {
      body();
      for (uint32_t address : addresses) code_.Advance(address, kPairBytes);
    });
  }

  uint32_t Table(const Tensor& table);
  void Conjugate(uint32_t line, std::optional<double> divisor);
  void Forward(uint32_t line, uint32_t scratch);
  void ByDefinition(uint32_t line, uint32_t scratch);
  void CopyLine(uint32_t from, uint32_t to, int64_t count);
  void ByConvolution(uint32_t line, uint32_t padded);
  void RunPower(uint32_t line, uint32_t scratch);
  /// Where the result is.
  uint32_t TransformLines(uint32_t x, uint32_t y, int64_t n, int64_t together, uint32_t roots,
                          int64_t step);
  void PassByFour(uint32_t from, uint32_t to, int64_t n, int64_t stride, uint32_t roots,
                  int64_t step);
  void RunAsMatrix(uint32_t line, uint32_t scratch);
  void TransformColumns(uint32_t line, uint32_t x, uint32_t y, uint32_t roots, int64_t rows,
                        int64_t columns);
  /// The root number (column + j) row, by the tables of the matrix.
  NumberPair RootAt(uint32_t coarse, uint32_t fine, uint32_t column, int64_t j, uint32_t row);
  void TransformRows(uint32_t line, uint32_t result, uint32_t x, uint32_t y, uint32_t roots,
                     int64_t rows, int64_t columns);

  const int64_t length_;
  StandaloneModule& module_;
  KernelCode& code_;
  NumberCode numbers_;
  FunctionWriter& writer_;
  FourierPlan::Tables tables_;
  int64_t power_ = 0;  // the length of transforms of powers of two
};

}  // namespace hlo

#endif  // HLO_ENGINE_STANDALONE_FOURIER_CODE_H_
