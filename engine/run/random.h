// The generator of random inputs: SplitMix64, the same numbers on every machine.
// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014), section 5.
#ifndef HLO_ENGINE_RUN_RANDOM_H_
#define HLO_ENGINE_RUN_RANDOM_H_

#include <cstdint>

namespace hlo {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  /// 64 uniformly random bits.
  uint64_t Next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// Uniform in [0, n), n > 0. The bias of the remainder is below 2^-32 for the small n it is for.
  uint64_t Below(uint64_t n) { return Next() % n; }
  /// Uniform in [0, 1), a multiple of 2^-24: exact in f32 as well, so that rounding never gives 1.
  double Uniform() { return static_cast<double>(Next() >> 40) * 0x1p-24; }
  /// Standard normal (Marsaglia's polar method), with a logarithm of our own: the C library's
  /// differs between platforms in the last bit.
  double Normal();

  /// A seed for an independent stream.
  static uint64_t Mix(uint64_t seed, uint64_t stream) {
    return Random(seed ^ (stream * 0xd1342543de82ef95u)).Next();
  }

 private:
  uint64_t state_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_RANDOM_H_
