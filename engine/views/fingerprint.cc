#include "engine/views/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>

#include "engine/types/doubles.h"
#include "engine/types/literal.h"
#include "engine/views/run_view.h"

namespace hlo {
namespace {

/// Mixes bytes into 64 bits: four sums in turn, since one would wait for its own multiplications.
class Mixer {
 public:
  void Add(std::span<const std::byte> bytes) {
    constexpr size_t kWord = sizeof(uint64_t);
    for (size_t at = 0, i = 0; at < bytes.size(); at += kWord, ++i) {
      uint64_t word = 0;
      std::memcpy(&word, bytes.data() + at, std::min(kWord, bytes.size() - at));
      Mix(i % kLanes, word);
    }
  }
  void Number(uint64_t number) { Mix(0, number); }

  uint64_t Result() const {
    uint64_t all = 0;
    for (uint64_t lane : lanes_) all = Mixed(all ^ lane);
    return all;
  }

 private:
  static constexpr size_t kLanes = 4;

  static uint64_t Mixed(uint64_t value) {
    constexpr uint64_t kOdd = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio
    value *= kOdd;
    return value ^ (value >> 29);
  }
  void Mix(size_t lane, uint64_t word) { lanes_[lane] = Mixed(lanes_[lane] ^ word); }

  uint64_t lanes_[kLanes] = {1, 2, 3, 4};
};

/// Every NaN as the same one: WebAssembly leaves the bits of those that arithmetic makes to
/// whatever compiles it (Core Specification, "NaN Propagation"), and a browser compiles a function
/// twice.
void AddFloats(const Tensor& tensor, Mixer* mixer) {
  EachBlockOfDoubles(tensor, [&](std::span<double> numbers) {
    for (double& number : numbers) {
      if (std::isnan(number)) number = std::numeric_limits<double>::quiet_NaN();
    }
    mixer->Add(std::as_bytes(numbers));
    return true;
  });
}

void Add(const Value& value, const Shape& shape, Mixer* mixer) {
  if (value.is_tuple()) {
    for (size_t i = 0; i < value.elements().size(); ++i) {
      Add(value.elements()[i], shape.elements()[i], mixer);
    }
    return;
  }
  if (!value.is_array() || !value.tensor().HoldsElements()) return mixer->Number(0);
  const Tensor& tensor = value.tensor();
  mixer->Number(static_cast<uint64_t>(tensor.element_type()));
  for (int64_t size : tensor.dims()) mixer->Number(static_cast<uint64_t>(size));
  if (tensor.dynamic_sizes().empty()) {
    const ElementType type = tensor.element_type();
    if (IsFloat(type) || IsComplex(type)) return AddFloats(tensor, mixer);
    mixer->Add({tensor.bytes(), static_cast<size_t>(tensor.byte_size())});
    return;
  }
  const std::string text = LiteralText(value, shape, {});
  mixer->Add(std::as_bytes(std::span(text)));
}

}  // namespace

std::string FingerprintOf(const RunRecord& record) {
  if (!record.output) return "";
  Mixer mixer;
  const Shape& shape = record.entry().result_shape();
  Add(*record.output, shape, &mixer);
  for (const RunRecord::Device& device : record.devices) {
    if (device.output) Add(*device.output, shape, &mixer);
  }
  for (const HostOutput& output : record.host_outputs) Add(output.value, *output.shape, &mixer);
  return fmt::format("{:016x}", mixer.Result());
}

}  // namespace hlo
