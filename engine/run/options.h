// The choices of one run.
#ifndef HLO_ENGINE_RUN_OPTIONS_H_
#define HLO_ENGINE_RUN_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/ops/devices/peers.h"
#include "engine/ops/eval.h"
#include "engine/run/fill.h"

namespace hlo {

/// Some of the devices of a run: those of a replica, of a partition, or both; -1: of any.
struct DeviceSet {
  int64_t replica = -1;
  int64_t partition = -1;
  bool Has(int64_t device, DeviceGrid grid) const {
    return (replica < 0 || replica == device / grid.partitions) &&
           (partition < 0 || partition == device % grid.partitions);
  }
  bool is_all() const { return replica < 0 && partition < 0; }
};

/// A value the host has ready for infeed, or for a recv from the host.
struct HostInput {
  DeviceSet devices;               ///< in whose queues it is
  std::optional<int64_t> channel;  ///< of the recv; nothing: infeed
  std::string spec;                ///< by the grammar of run/inputs.h
};

class Instruction;
struct InputForms;        // engine/run/input_forms.h
class CustomCallTargets;  // engine/ops/custom_calls/custom_calls.h
class Probes;
class RunProfile;

struct RunOptions {
  /// More devices than this in one run are refused.
  static constexpr int64_t kMaxDevices = 1024;

  /// Seed of rng instructions, of random inputs and of random fills.
  uint64_t seed = 0;
  /// What stands in for constants written `{...}`; nothing: such a program is refused.
  std::optional<Fill::Kind> fill_elided;
  /// Values that nothing in the run gives are made up, at random: results of custom calls that are
  /// not known, of collectives with devices that the run does not have, what the host does not
  /// have, what no device sends. Without that the run fails.
  bool stand_ins = false;
  /// How many replicas and partitions run the program; 0: as many as the module's header says.
  int64_t replicas = 0;
  int64_t partitions = 0;
  /// The host's queues, in the order in which values are taken from each.
  std::vector<HostInput> host_inputs;
  /// How inputs may be written beyond rules and literals; null: in no other way.
  const InputForms* input_forms = nullptr;
  /// What custom-calls find; null: nothing. It must outlive the run.
  const CustomCallTargets* custom_calls = nullptr;
  /// How products of f32 are computed that may be less precise
  /// (ops/products/product_rounding.h); null: exactly.
  ProductRounding products = nullptr;
  /// How sums of products of floats are rounded, in dot, its relatives and convolution.
  MultiplyAdd multiply_add = MultiplyAdd::kSeparate;
  /// Where probes note values; null: they cannot.
  Probes* probes = nullptr;
  /// What gets to know how the program ran; null: nothing is measured.
  RunProfile* profile = nullptr;
  /// What instructions are numbered where random numbers depend on it: as in another program, which
  /// gets the same ones. Null, and for instructions that are not in it: in the order of the text.
  const std::unordered_map<const Instruction*, int64_t>* numbers = nullptr;
  /// Regions that work on scalars are compiled. Otherwise they are interpreted, which is slower and
  /// gives the same results.
  bool compile_regions = true;
  /// Element-wise instructions run together where that is faster, unless every value is recorded.
  /// The results are the same.
  bool join_loops = true;
  /// What needs no other device and no host runs straight through (plan/island.h), unless every
  /// value is recorded or the run is stepped. The results are the same.
  bool use_islands = true;
  /// How many runs enclose this one.
  int nesting = 0;
};

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_OPTIONS_H_
