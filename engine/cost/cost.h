// What an instruction costs by the model of XLA's cost analysis: operations and bytes.
#ifndef HLO_ENGINE_COST_COST_H_
#define HLO_ENGINE_COST_COST_H_

#include <algorithm>

namespace hlo {

/// Operations. Transcendental ones (exp, log, tanh, ...) are counted apart, as XLA does.
struct Work {
  double flops = 0;
  double transcendentals = 0;

  Work& operator+=(const Work& other) {
    flops += other.flops;
    transcendentals += other.transcendentals;
    return *this;
  }
  friend Work operator*(const Work& work, double times) {
    return {work.flops * times, work.transcendentals * times};
  }
  double operations() const { return flops + transcendentals; }
};

/// Bytes of elements that cross memory, and the padding of layouts that crosses it with them.
struct Traffic {
  double read = 0;
  double written = 0;
  double padding = 0;
  double vmem = 0;  ///< how much of all that is of arrays in memory space 1: S(1)

  Traffic& operator+=(const Traffic& other) {
    read += other.read;
    written += other.written;
    padding += other.padding;
    vmem += other.vmem;
    return *this;
  }
  friend Traffic operator*(const Traffic& traffic, double times) {
    return {traffic.read * times, traffic.written * times, traffic.padding * times,
            traffic.vmem * times};
  }
  /// Without padding, as XLA counts.
  double bytes() const { return read + written; }
  /// With padding, wherever the arrays are.
  double moved() const { return read + written + padding; }
};

/// Both, and how many of the custom calls in it are not known: they count as nothing.
struct Cost {
  Work work;
  Traffic traffic;
  double unknown = 0;

  Cost& operator+=(const Cost& other) {
    work += other.work;
    traffic += other.traffic;
    unknown += other.unknown;
    return *this;
  }
  friend Cost operator*(const Cost& cost, double times) {
    return {cost.work * times, cost.traffic * times, cost.unknown * times};
  }
};

/// Of every figure the larger one.
inline Cost LargerOf(const Cost& a, const Cost& b) {
  return {
      {std::max(a.work.flops, b.work.flops),
       std::max(a.work.transcendentals, b.work.transcendentals)},
      {std::max(a.traffic.read, b.traffic.read), std::max(a.traffic.written, b.traffic.written),
       std::max(a.traffic.padding, b.traffic.padding), std::max(a.traffic.vmem, b.traffic.vmem)},
      std::max(a.unknown, b.unknown)};
}

}  // namespace hlo

#endif  // HLO_ENGINE_COST_COST_H_
