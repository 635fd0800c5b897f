#include "engine/views/run_remedies.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/byte_count.h"
#include "engine/ops/devices/device_groups.h"
#include "engine/plan/program_memory.h"
#include "engine/run/executor.h"
#include "engine/views/json.h"

namespace hlo {
namespace {

// A page can have no more.
constexpr uint64_t kMostMemory = uint64_t{3500} << 20;
constexpr double kLongestRun = 600;

// Bytes at the peak as memory is used here: inputs are there all the time.
double PeakBytes(const Module& module) {
  double peak = 0;
  for (const SpacePeak& each : PeaksOf(module, nullptr)) peak += static_cast<double>(each.bytes);
  return peak;
}

// The devices that the program's groups speak of.
DeviceGrid DevicesWanted(const Module& module, DeviceGrid grid) {
  DeviceGrid wanted = grid;
  for (const Computation& computation : module.computations()) {
    for (const Instruction& instruction : computation.instructions()) {
      const auto named = DevicesNamed(instruction.Call(), grid.replicas);
      if (!named) continue;
      wanted.replicas = std::max(wanted.replicas, named->replicas);
      wanted.partitions = std::max(wanted.partitions, named->partitions);
    }
  }
  return wanted;
}

bool HasSome(const Module& module, bool (*is_one)(const Instruction& instruction)) {
  for (const Computation& computation : module.computations()) {
    for (const Instruction& instruction : computation.instructions()) {
      if (is_one(instruction)) return true;
    }
  }
  return false;
}

// Something to make smaller.
bool HasDimensions(const Instruction& instruction) {
  return instruction.shape().IsArray() && instruction.shape().rank() > 0;
}

bool IsCustomCall(const Instruction& instruction) {
  return instruction.opcode() == Opcode::kCustomCall;
}

Json DevicesRemedy(DeviceGrid grid) {
  return ObjectJson(
      {{"kind", "devices"}, {"replicas", grid.replicas}, {"partitions", grid.partitions}});
}

void AddMemoryRemedies(const RunRecord& record, const RunRequest& request, Json* remedies) {
  const double wanted = 1.5 * PeakBytes(*record.document->module()) *
                        static_cast<double>(std::max<int64_t>(record.grid.count(), 1));
  uint64_t limit = std::max<uint64_t>(request.limits.memory_bytes, 1);
  while (static_cast<double>(limit) < wanted && limit < kMostMemory) limit *= 2;
  limit = std::min(limit, kMostMemory);
  if (limit > request.limits.memory_bytes && wanted <= static_cast<double>(limit)) {
    remedies->push_back(ObjectJson({{"kind", "memory"}, {"bytes", limit}}));
  }
  const DeviceGrid one{1, 1};
  const bool is_one_enough =
      request.options.stand_ins || DevicesWanted(*record.document->module(), one).count() == 1;
  if (record.grid.count() > 1 && is_one_enough) remedies->push_back(DevicesRemedy(one));
  remedies->push_back(ObjectJson({{"kind", "shrink"}}));
}

}  // namespace

bool CheckInputsFit(RunRecord& record, const RunRequest& request) {
  std::vector<const Instruction*> parameters;
  double sum = 0;
  for (const Instruction* parameter : record.entry().parameters()) {
    parameters.push_back(parameter);
    sum += static_cast<double>(parameter->shape().stored_bytes());
  }
  const auto limit = static_cast<double>(request.limits.memory_bytes);
  if (sum <= limit) return true;
  const auto bytes = [](const Instruction* parameter) { return parameter->shape().stored_bytes(); };
  std::stable_sort(parameters.begin(), parameters.end(),
                   [&](const Instruction* a, const Instruction* b) { return bytes(a) > bytes(b); });
  std::vector<std::string> largest;
  for (size_t i = 0; i < std::min<size_t>(parameters.size(), 3); ++i) {
    largest.push_back(fmt::format("{} {} ({})", parameters[i]->name(),
                                  ShapeName(parameters[i]->shape()),
                                  ByteCountText(static_cast<double>(bytes(parameters[i])))));
  }
  const double peak = std::max(PeakBytes(*record.document->module()), sum);
  record.diagnostics.Report(
      DiagCode::kMemoryExceeded, record.entry().name_range(),
      fmt::format("the program needs {} at its peak, {} for its inputs alone; the limit is {}. The "
                  "largest {}: {}",
                  ByteCountText(peak), ByteCountText(sum), ByteCountText(limit),
                  largest.size() == 1 ? "input is" : "inputs are", fmt::join(largest, ", ")));
  return false;
}

Json RemediesJson(const RunRecord& record, const RunRequest& request) {
  Json remedies = Json::array();
  if (record.output || !record.document->ok() || !record.document->module()->entry()) {
    return remedies;
  }
  const auto& faults = record.diagnostics.list();
  const auto fault = std::find_if(faults.begin(), faults.end(), [](const Diagnostic& diagnostic) {
    return diagnostic.severity == Severity::kError;
  });
  if (fault == faults.end()) return remedies;
  const Module& module = *record.document->module();
  const auto add = [&](std::string_view kind) { remedies.push_back(ObjectJson({{"kind", kind}})); };
  switch (fault->code) {
    case DiagCode::kMemoryExceeded:
    case DiagCode::kTooLarge:
      AddMemoryRemedies(record, request, &remedies);
      break;
    case DiagCode::kTimeExceeded:
    case DiagCode::kStepsExceeded:
      if (request.limits.seconds < kLongestRun) {
        const double seconds = std::min(kLongestRun, std::ceil(6 * request.limits.seconds));
        remedies.push_back(ObjectJson({{"kind", "time"}, {"seconds", seconds}}));
      }
      if (HasSome(module, HasDimensions)) add("shrink");
      break;
    case DiagCode::kNotExecutable:
    case DiagCode::kDeadlock:
    case DiagCode::kInputInvalid: {
      if (!request.options.fill_elided && !ElidedConstants(module).empty()) add("fill");
      const DeviceGrid wanted = DevicesWanted(module, record.grid);
      const double peak = PeakBytes(module) * static_cast<double>(wanted.count());
      if (IsAllowed(wanted) && wanted.count() > record.grid.count() &&
          peak <= static_cast<double>(kMostMemory)) {
        remedies.push_back(DevicesRemedy(wanted));
      }
      // A bad specification is refused before anything runs.
      const bool is_given =
          fault->code == DiagCode::kInputInvalid && record.budget->steps_used() == 0;
      if (!request.options.stand_ins && !is_given) add("standIns");
      break;
    }
    case DiagCode::kRuntimeError:
      if (!request.options.stand_ins && HasSome(module, IsCustomCall)) add("standIns");
      break;
    default:
      break;
  }
  return remedies;
}

}  // namespace hlo
