// How long instructions take at least on a machine, and what bounds them.
#ifndef HLO_ENGINE_COST_ROOFLINE_H_
#define HLO_ENGINE_COST_ROOFLINE_H_

#include <string_view>
#include <vector>

#include "engine/cost/cost_analysis.h"
#include "engine/cost/machines.h"

namespace hlo {

/// What an instruction waits for.
enum class Bound : uint8_t {
  kNone,     ///< it does nothing
  kCompute,  ///< operations take longer than bytes
  kMemory,   ///< bytes take longer than operations
  kParts,    ///< it runs other computations, each of whose instructions has its own
};
/// "none", "compute", "memory", "parts"
std::string_view Text(Bound bound);

/// A model: an instruction takes as long as its operations at the peak rate of its type, or as its
/// bytes with their padding at the memory's bandwidth, whichever is longer; a transcendental counts
/// as one operation; instructions follow one another; starting one takes no time.
struct Estimate {
  double seconds = 0;  ///< of one execution
  Bound bound = Bound::kNone;
};

/// The bytes, with padding, that cross the machine's memory: those of arrays in memory space 1 do
/// not where that is on the chip.
double BytesAcross(const Machine& machine, const Traffic& traffic);
/// Operations per byte that crosses the machine's memory; 0 where none does.
double IntensityOn(const Machine& machine, const Cost& cost);

/// The estimates of an analysed module on a machine. Both must outlive it.
class Roofline {
 public:
  Roofline(const CostAnalysis& costs, const Machine& machine);

  const Machine& machine() const { return machine_; }
  const Estimate& Of(const Instruction& instruction) const;
  /// One execution of the entry.
  double total_seconds() const;

 private:
  Estimate EstimateOf(const Instruction& instruction) const;

  const CostAnalysis& costs_;
  const Machine& machine_;
  std::vector<std::vector<Estimate>> instructions_;  // by index of the computation
  std::vector<double> computations_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_COST_ROOFLINE_H_
