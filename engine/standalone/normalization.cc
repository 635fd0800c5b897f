// Batch norms: the formulas and orders of sums of ops/products/batch_norm_eval.cc. Numbers are f64;
// arrays are f32, or f64 if any operand is.
#include <algorithm>

#include "engine/base/indices.h"
#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"
#include "engine/standalone/number_code.h"
#include "engine/standalone/operation.h"

namespace hlo {
namespace {

class BatchNormWriter {
 public:
  BatchNormWriter(const Operation& operation, Emitter* emitter)
      : operation_(operation), call_(*operation.call), emitter_(*emitter) {
    const Shape& array = call_.operand(0);
    const auto feature = static_cast<size_t>(call_.Int("feature_index"));
    features_ = array.dims()[feature];
    for (size_t d = 0; d < array.dims().size(); ++d) {
      if (d < feature) outer_ *= array.dims()[d];
      if (d > feature) inner_ *= array.dims()[d];
    }
    for (int i = 0; i < call_.operand_count(); ++i) {
      if (call_.operand(i).element_type() == ElementType::kF64) type_ = ElementType::kF64;
    }
  }

  bool Write() {
    if (features_ == 0) return true;
    std::vector<int32_t> reads;
    for (int i = 0; i < call_.operand_count(); ++i) {
      int32_t array = operation_.operands[static_cast<size_t>(i)];
      const Shape& shape = call_.operand(i);
      const ElementType wide = IsArray(i) ? type_ : ElementType::kF64;
      if (!emitter_.Convert(&array, shape.element_count(), shape.element_type(), wide)) {
        return false;
      }
      reads.push_back(array);
    }
    const auto result_count = static_cast<int>(operation_.results.size());
    std::vector<int32_t> writes;
    writes.reserve(operation_.results.size());
    for (int i = 0; i < result_count; ++i) {
      writes.push_back(emitter_.NewArray(i == 0 ? type_ : ElementType::kF64,
                                         PartShape(call_.shape(), i).element_count()));
    }
    KernelCode code(static_cast<uint32_t>(reads.size() + writes.size()));
    WriteFeatures(&code);
    if (!emitter_.Call(&code, reads, writes)) return false;
    for (int i = 0; i < result_count; ++i) {
      const Shape& shape = PartShape(call_.shape(), i);
      int32_t array = writes[static_cast<size_t>(i)];
      const ElementType wide = i == 0 ? type_ : ElementType::kF64;
      if (!emitter_.Convert(&array, shape.element_count(), wide, shape.element_type())) {
        return false;
      }
      emitter_.Copy(array, operation_.results[static_cast<size_t>(i)]);
    }
    return true;
  }

 private:
  bool is_gradient() const { return call_.opcode() == Opcode::kBatchNormGrad; }
  bool is_training() const { return call_.opcode() == Opcode::kBatchNormTraining; }
  /// Whether operand i has the dimensions of the first one; others have a number for each feature.
  bool IsArray(int i) const { return i == 0 || (i == 4 && is_gradient()); }
  int64_t width() const { return BytesOf(type_); }

  void WriteFeatures(KernelCode* code) {
    NumberCode numbers(code);
    std::vector<uint32_t> at;  // of the feature, by parameter
    const auto operands = static_cast<uint32_t>(call_.operand_count());
    for (uint32_t i = 0; i < operands + operation_.results.size(); ++i)
      at.push_back(code->Sum(i, 0));
    code->Repeat(features_, [&] {
      if (is_gradient()) {
        WriteGradient(at, &numbers);
      } else {
        WriteNormalised(at, &numbers);
      }
      for (size_t i = 0; i < at.size(); ++i) {
        const bool is_array = i == operands || (i < operands && IsArray(static_cast<int>(i)));
        code->Advance(at[i], is_array ? inner_ * width() : int64_t{sizeof(double)});
      }
    });
  }

  Number LoadArray(uint32_t address, NumberCode* numbers) {
    LaneCode* const one = &numbers->code().one();
    const LaneValue value = one->Load(address, type_);
    return {one, one->Convert(value, LaneKind::kF64, false)};
  }
  void StoreArray(uint32_t address, const Number& x, NumberCode* numbers) {
    LaneCode& one = numbers->code().one();
    one.Store(address, one.Convert(x.value, *LaneKindOf(type_), false), type_);
  }

  /// `body` for each element of a feature, at addresses that begin with these.
  template <typename Body>
  void ForEach(std::span<const uint32_t> starts, NumberCode* numbers, Body body) {
    KernelCode& code = numbers->code();
    std::vector<uint32_t> at;
    for (uint32_t start : starts) at.push_back(code.Sum(start, 0));
    code.Repeat(outer_, [&] {
      code.Repeat(inner_, [&] {
        body(at);
        for (uint32_t address : at) code.Advance(address, width());
      });
      for (uint32_t address : at) code.Advance(address, (features_ - 1) * inner_ * width());
    });
  }

  double count() const { return static_cast<double>(outer_ * inner_); }
  Number Deviation(const Number& variance) const {
    // XLA keeps epsilon as f32.
    return Sqrt(variance + double{static_cast<float>(call_.Float("epsilon"))});
  }

  void WriteNormalised(const std::vector<uint32_t>& at, NumberCode* numbers) {
    const bool has_elements = outer_ * inner_ != 0;
    const uint32_t x = at[0];
    const size_t result = is_training() ? 3 : 5;
    Number mean = numbers->Constant(0), variance = mean;
    if (is_training()) {
      const Number sum = numbers->Variable(), squares = numbers->Variable();
      const uint32_t of_x[] = {x};
      if (has_elements) {
        ForEach(of_x, numbers,
                [&](const auto& place) { numbers->Set(sum, sum + LoadArray(place[0], numbers)); });
      }
      mean = sum / count();
      if (has_elements) {
        ForEach(of_x, numbers, [&](const auto& place) {
          const Number rest = LoadArray(place[0], numbers) - mean;
          numbers->Set(squares, squares + rest * rest);
        });
      }
      variance = squares / count();
      numbers->Store(at[result + 1], mean);
      numbers->Store(at[result + 2], variance);
    } else {
      mean = numbers->Load(at[3]);
      variance = numbers->Load(at[4]);
    }
    if (!has_elements) return;
    const Number factor = numbers->Load(at[1]) / Deviation(variance);
    const Number offset = numbers->Load(at[2]);
    const uint32_t both[] = {x, at[result]};
    ForEach(both, numbers, [&](const auto& place) {
      StoreArray(place[1], (LoadArray(place[0], numbers) - mean) * factor + offset, numbers);
    });
  }

  void WriteGradient(const std::vector<uint32_t>& at, NumberCode* numbers) {
    const bool has_elements = outer_ * inner_ != 0;
    const Number scale = numbers->Load(at[1]), mean = numbers->Load(at[2]);
    const Number deviation = Deviation(numbers->Load(at[3]));
    const Number sum = numbers->Variable(), weighted = numbers->Variable();
    const uint32_t all[] = {at[0], at[4], at[5]};
    if (has_elements) {
      ForEach(all, numbers, [&](const auto& place) {
        const Number gradient = LoadArray(place[1], numbers);
        numbers->Set(sum, sum + gradient);
        const Number rest = LoadArray(place[0], numbers) - mean;
        numbers->Set(weighted, weighted + gradient * rest);
      });
    }
    numbers->Store(at[6], weighted / deviation);
    numbers->Store(at[7], sum);
    if (!has_elements) return;
    const Number factor = scale / deviation, d = sum / count();
    const Number c = weighted / (deviation * deviation) / count();
    ForEach(all, numbers, [&](const auto& place) {
      const Number rest = LoadArray(place[0], numbers) - mean;
      StoreArray(place[2], factor * (LoadArray(place[1], numbers) - d - c * rest), numbers);
    });
  }

  const Operation& operation_;
  const OpCall& call_;
  Emitter& emitter_;
  ElementType type_ = ElementType::kF32;
  int64_t outer_ = 1, features_ = 1, inner_ = 1;
};

}  // namespace

bool WriteNormalization(const Operation& operation, Emitter* emitter) {
  switch (operation.instruction->opcode()) {
    case Opcode::kBatchNormTraining:
    case Opcode::kBatchNormInference:
    case Opcode::kBatchNormGrad:
      return BatchNormWriter(operation, emitter).Write();
    default:
      return false;
  }
}

}  // namespace hlo
