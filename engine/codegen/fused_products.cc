#include "engine/codegen/fused_products.h"

#include <array>
#include <initializer_list>
#include <vector>

#include "engine/codegen/module_writer.h"
#include "engine/kernels/fused_code.h"
#include "engine/kernels/product_loops.h"

namespace hlo {
namespace {

constexpr int32_t kVectorBytes = 16;

/// Writes one function for elements of one type.
class FusedLoopWriter {
 public:
  explicit FusedLoopWriter(bool is_double)
      : is_double_(is_double), width_(is_double ? 8 : 4), code_(kFusedCodeParameters) {}

  /// a, b, depth, first, c, step: product_loops::AddToBlock.
  CodeBytes Block() {
    enum : uint32_t { kA, kB, kDepth, kFirst, kC, kStep };
    constexpr int kRows = static_cast<int>(kLeastRows), kVectors = static_cast<int>(kBlockVectors);
    std::vector<uint32_t> rows = {kC}, sums, values;
    for (int r = 1; r < kRows; ++r) rows.push_back(Further(rows.back(), kStep));
    for (int i = 0; i < kRows * kVectors; ++i) sums.push_back(NewVector());
    for (int x = 0; x < kVectors; ++x) values.push_back(NewVector());
    const uint32_t factor = NewVector();
    code_.Get(kFirst);
    code_.Write(Code::kI32Eqz);
    code_.Open(Code::kIf);
    ForEachSum(rows, kVectors, [&](uint32_t row, int x, size_t i) { Load(row, x, sums[i]); });
    code_.Write(Code::kEnd);
    const uint32_t end = Further(kA, kDepth, kRows);
    While(kA, end, [&] {
      for (int x = 0; x < kVectors; ++x) Load(kB, x, values[static_cast<size_t>(x)]);
      for (int r = 0; r < kRows; ++r) {
        LoadSplat(kA, r);
        code_.Set(factor);
        for (int x = 0; x < kVectors; ++x) {
          Add(sums[static_cast<size_t>(r) * kVectors + static_cast<size_t>(x)],
              values[static_cast<size_t>(x)], factor);
        }
      }
      code_.Increase(kA, kRows * width_);
      code_.Increase(kB, kVectors * kVectorBytes);
    });
    ForEachSum(rows, kVectors, [&](uint32_t row, int x, size_t i) { Store(row, x, sums[i]); });
    return code_.Finish();
  }

  /// a, b, step, columns, c: product_loops::AddScaledRows of whole vectors.
  CodeBytes ScaledRows(int rows) {
    enum : uint32_t { kA, kB, kStep, kColumns, kC };
    std::vector<uint32_t> factors, places = {kB};
    for (int r = 1; r < rows; ++r) places.push_back(Further(places.back(), kStep));
    for (int r = 0; r < rows; ++r) {
      factors.push_back(NewVector());
      LoadSplat(kA, r);
      code_.Set(factors.back());
    }
    constexpr int kLine = 4;  // vectors
    const uint32_t sum = NewVector(), value = NewVector(), end = Further(kC, kColumns);
    code_.Get(kColumns);
    code_.I32(-kLine * (kVectorBytes / width_));
    code_.Write(Code::kI32And);
    code_.Set(kColumns);
    const uint32_t lines_end = Further(kC, kColumns);
    for (const int vectors : {kLine, 1}) {
      While(kC, vectors == kLine ? lines_end : end, [&] {
        for (int x = 0; x < vectors; ++x) {
          Load(kC, x, sum);
          for (size_t r = 0; r < factors.size(); ++r) {
            Load(places[r], x, value);
            Add(sum, value, factors[r]);
          }
          Store(kC, x, sum);
        }
        for (const uint32_t place : places) code_.Increase(place, vectors * kVectorBytes);
        code_.Increase(kC, vectors * kVectorBytes);
      });
    }
    return code_.Finish();
  }

  /// a, step, b, depth, sums: product_loops::SumEightRows of whole vectors; the sums of the rows
  /// lie side by side.
  CodeBytes EightRows() {
    enum : uint32_t { kA, kStep, kB, kDepth, kSums };
    const int lanes = kVectorBytes / width_;
    std::vector<uint32_t> rows = {kA}, sums, parts, factors;
    for (int r = 1; r < 8; ++r) rows.push_back(Further(rows.back(), kStep));
    for (int g = 0; g < 8 / lanes; ++g) sums.push_back(NewVector());
    for (int q = 0; q < lanes; ++q) {
      parts.push_back(NewVector());
      factors.push_back(NewVector());
    }
    const uint32_t end = Further(kB, kDepth);
    While(kB, end, [&] {
      for (int q = 0; q < lanes; ++q) {
        LoadSplat(kB, q);
        code_.Set(factors[static_cast<size_t>(q)]);
      }
      for (size_t g = 0; g < sums.size(); ++g) {
        for (int q = 0; q < lanes; ++q) {
          Load(rows[g * static_cast<size_t>(lanes) + static_cast<size_t>(q)], 0,
               parts[static_cast<size_t>(q)]);
        }
        Turn(parts);
        for (size_t q = 0; q < parts.size(); ++q) Add(sums[g], parts[q], factors[q]);
      }
      for (const uint32_t row : rows) code_.Increase(row, kVectorBytes);
      code_.Increase(kB, kVectorBytes);
    });
    for (size_t g = 0; g < sums.size(); ++g) Store(kSums, static_cast<int>(g), sums[g]);
    return code_.Finish();
  }

  /// taps, count, in, in_step, kernel, out, out_step, features: product_loops::AddFeatures of whole
  /// vectors.
  CodeBytes Features(int outputs) {
    enum : uint32_t { kTaps, kCount, kIn, kInStep, kKernel, kOut, kOutStep, kFeatures };
    const uint32_t taps_end = Further(kTaps, kCount, static_cast<int>(kTapBytes) / width_);
    for (const uint32_t step : {kInStep, kOutStep}) {
      code_.Get(step);
      code_.I32(width_);
      code_.Write(Code::kI32Mul);
      code_.Set(step);
    }
    const uint32_t tap = code_.NewLocal(CodeType::kI32), from = code_.NewLocal(CodeType::kI32),
                   weights_from = code_.NewLocal(CodeType::kI32);
    std::vector<uint32_t> sums, weights, outs = {kOut}, ins = {from};
    for (int i = 0; i < 2 * outputs; ++i) sums.push_back(NewVector());
    for (int x = 0; x < 2; ++x) weights.push_back(NewVector());
    const uint32_t value = NewVector();
    for (int o = 1; o < outputs; ++o) {
      outs.push_back(code_.NewLocal(CodeType::kI32));
      ins.push_back(code_.NewLocal(CodeType::kI32));
    }
    for (const int vectors : {2, 1}) {
      const int32_t features = vectors * (kVectorBytes / width_);
      code_.Open(Code::kBlock);
      code_.Open(Code::kLoop);
      code_.Get(kFeatures);
      code_.I32(features);
      code_.Write(Code::kI32LtS);
      code_.Branch(Code::kBrIf, 1);
      SetFurther(outs, kOutStep);
      ForEachSum(outs, vectors, [&](uint32_t out, int x, size_t i) { Load(out, x, sums[i]); });
      code_.Get(kTaps);
      code_.Set(tap);
      While(tap, taps_end, [&] {
        AddressOfTap(tap, 0, kIn, from);
        AddressOfTap(tap, kTapBytes / 2, kKernel, weights_from);
        SetFurther(ins, kInStep);
        for (int x = 0; x < vectors; ++x) Load(weights_from, x, weights[static_cast<size_t>(x)]);
        ForEachSum(ins, vectors, [&](uint32_t in, int x, size_t i) {
          Load(in, x, value);
          Add(sums[i], value, weights[static_cast<size_t>(x)]);
        });
        code_.Increase(tap, static_cast<int32_t>(kTapBytes));
      });
      ForEachSum(outs, vectors, [&](uint32_t out, int x, size_t i) { Store(out, x, sums[i]); });
      for (const uint32_t each : {kIn, kKernel, kOut}) {
        code_.Increase(each, vectors * kVectorBytes);
      }
      code_.Increase(kFeatures, -features);
      code_.Branch(Code::kBr, 0);
      code_.Write(Code::kEnd);
      code_.Write(Code::kEnd);
    }
    return code_.Finish();
  }

 private:
  // In the engine's module, where pointers have 32 bits.
  static constexpr uint32_t kTapBytes = 8;

  uint32_t NewVector() { return code_.NewLocal(CodeType::kV128); }

  // start + elements * times, as an address.
  uint32_t Further(uint32_t start, uint32_t elements, int times = 1) {
    const uint32_t local = code_.NewLocal(CodeType::kI32);
    code_.Get(start);
    code_.Get(elements);
    code_.I32(width_ * times);
    code_.Write(Code::kI32Mul);
    code_.Write(Code::kI32Add);
    code_.Set(local);
    return local;
  }
  // Each so many bytes behind the one before.
  void SetFurther(const std::vector<uint32_t>& places, uint32_t step) {
    for (size_t i = 1; i < places.size(); ++i) {
      code_.Get(places[i - 1]);
      code_.Get(step);
      code_.Write(Code::kI32Add);
      code_.Set(places[i]);
    }
  }
  // The address in `array` that a tap has at this offset.
  void AddressOfTap(uint32_t tap, uint32_t offset, uint32_t array, uint32_t to) {
    code_.Get(tap);
    code_.Memory(Code::kI32Load, offset);
    code_.I32(width_);
    code_.Write(Code::kI32Mul);
    code_.Get(array);
    code_.Write(Code::kI32Add);
    code_.Set(to);
  }

  // while (next != end), both addresses, which `next` reaches.
  template <typename Body>
  void While(uint32_t next, uint32_t end, Body body) {
    code_.Open(Code::kBlock);
    code_.Open(Code::kLoop);
    code_.Get(next);
    code_.Get(end);
    code_.Write(Code::kI32Eq);
    code_.Branch(Code::kBrIf, 1);
    body();
    code_.Branch(Code::kBr, 0);
    code_.Write(Code::kEnd);
    code_.Write(Code::kEnd);
  }

  // work(place, vector, number of the sum).
  template <typename Work>
  static void ForEachSum(const std::vector<uint32_t>& places, int vectors, Work work) {
    size_t i = 0;
    for (const uint32_t place : places) {
      for (int x = 0; x < vectors; ++x) work(place, x, i++);
    }
  }

  void Load(uint32_t address, int vector, uint32_t to) {
    code_.Get(address);
    code_.Memory(Code::kV128Load, static_cast<uint32_t>(vector * kVectorBytes));
    code_.Set(to);
  }
  // Element number `i` in all lanes, on the stack.
  void LoadSplat(uint32_t address, int i) {
    code_.Get(address);
    code_.Memory(is_double_ ? Code::kV128Load64Splat : Code::kV128Load32Splat,
                 static_cast<uint32_t>(i * width_));
  }
  void Store(uint32_t address, int vector, uint32_t from) {
    code_.Get(address);
    code_.Get(from);
    code_.Memory(Code::kV128Store, static_cast<uint32_t>(vector * kVectorBytes));
  }
  void Add(uint32_t sum, uint32_t a, uint32_t b) {
    code_.Get(a);
    code_.Get(b);
    code_.Get(sum);
    code_.Write(is_double_ ? Code::kF64x2RelaxedMadd : Code::kF32x4RelaxedMadd);
    code_.Set(sum);
  }

  // The elements `which` of two vectors, the second one's numbered on.
  void Pick(uint32_t a, uint32_t b, std::initializer_list<int> which, uint32_t to) {
    std::array<uint8_t, kVectorBytes> bytes;
    for (int i = 0; i < kVectorBytes; ++i) {
      const int element = which.begin()[i / width_];
      bytes[static_cast<size_t>(i)] = static_cast<uint8_t>(element * width_ + i % width_);
    }
    code_.Get(a);
    code_.Get(b);
    code_.Shuffle(bytes);
    code_.Set(to);
  }
  // product_loops::TurnLanes.
  void Turn(const std::vector<uint32_t>& rows) {
    while (turned_.size() < rows.size()) turned_.push_back(NewVector());
    const auto& t = turned_;
    if (is_double_) {
      Pick(rows[0], rows[1], {0, 2}, t[0]);
      Pick(rows[0], rows[1], {1, 3}, rows[1]);
      code_.Get(t[0]);
      code_.Set(rows[0]);
      return;
    }
    Pick(rows[0], rows[1], {0, 4, 1, 5}, t[0]);
    Pick(rows[0], rows[1], {2, 6, 3, 7}, t[1]);
    Pick(rows[2], rows[3], {0, 4, 1, 5}, t[2]);
    Pick(rows[2], rows[3], {2, 6, 3, 7}, t[3]);
    Pick(t[0], t[2], {0, 1, 4, 5}, rows[0]);
    Pick(t[0], t[2], {2, 3, 6, 7}, rows[1]);
    Pick(t[1], t[3], {0, 1, 4, 5}, rows[2]);
    Pick(t[1], t[3], {2, 3, 6, 7}, rows[3]);
  }

  bool is_double_;
  int32_t width_;
  FunctionWriter code_;
  std::vector<uint32_t> turned_;
};

}  // namespace

CodeBytes FusedProductsModule() {
  std::vector<CodeBytes> functions;
  for (const bool is_double : {false, true}) {
    const auto add = [&](auto write) {
      FusedLoopWriter writer(is_double);
      functions.push_back(write(writer));
    };
    add([](FusedLoopWriter& writer) { return writer.Block(); });
    add([](FusedLoopWriter& writer) { return writer.ScaledRows(8); });
    add([](FusedLoopWriter& writer) { return writer.ScaledRows(1); });
    add([](FusedLoopWriter& writer) { return writer.EightRows(); });
    add([](FusedLoopWriter& writer) { return writer.Features(4); });
    add([](FusedLoopWriter& writer) { return writer.Features(1); });
  }
  return WriteModule(functions, VectorPool(), kFusedCodeParameters);
}

}  // namespace hlo
