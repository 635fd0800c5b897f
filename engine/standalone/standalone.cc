#include "engine/standalone/standalone.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "engine/plan/island.h"
#include "engine/plan/plan.h"
#include "engine/standalone/arena.h"
#include "engine/standalone/driver_code.h"
#include "engine/standalone/module.h"
#include "engine/standalone/program_builder.h"
#include "engine/standalone/refusals.h"

namespace hlo {
namespace {

/// Addresses have 32 bits.
constexpr int64_t kMostMemory = int64_t{1} << 32;

// ---- Arrays -------------------------------------------------------------------------------------

/// The arrays of a shape, named after where they are in it.
void AddArrays(const std::string& name, const Shape& shape, std::vector<StandaloneArray>* arrays) {
  if (shape.IsTuple()) {
    for (size_t i = 0; i < shape.elements().size(); ++i) {
      AddArrays(fmt::format("{}.{}", name, i), shape.elements()[i], arrays);
    }
  } else if (shape.IsArray() || shape.IsBuffer()) {
    arrays->push_back({name, shape.element_type(), shape.dims(), std::nullopt});
  }
}

std::vector<StandaloneArray> InputsOf(const Computation& entry) {
  std::vector<StandaloneArray> inputs;
  for (int i = 0; i < entry.parameter_count(); ++i) {
    AddArrays(std::string(entry.parameters()[static_cast<size_t>(i)]->name()),
              entry.parameter_shape(i), &inputs);
  }
  return inputs;
}

void SetAddresses(const std::vector<int32_t>& arrays, const std::vector<uint32_t>& addresses,
                  std::vector<StandaloneArray>* to) {
  for (size_t i = 0; i < to->size(); ++i) {
    if (arrays[i] >= 0) (*to)[i].address = addresses[static_cast<size_t>(arrays[i])];
  }
}

/// Whether every array is small enough for offsets of 32 bits.
bool FitsNumbers(const DriverProgram& program) {
  return std::all_of(program.arrays.begin(), program.arrays.end(), [](const StoredArray& array) {
    return array.bytes <= std::numeric_limits<int32_t>::max();
  });
}

}  // namespace

std::optional<Standalone> CompileStandalone(const Module& module,
                                            const CustomCallTargets* custom_calls,
                                            const ProductSettings& products,
                                            Diagnostics* diagnostics) {
  const Computation& entry = *module.entry();
  Plan plan(module, custom_calls, /*joins_loops=*/true);
  Islands islands(&plan);
  Refusals refusals(diagnostics);
  const Island* island = islands.Of(entry);
  if (!island) {
    FindObstacles(&plan, &islands, entry, &refusals);
    return std::nullopt;
  }
  StandaloneModule code;
  const std::optional<DriverProgram> program =
      BuildProgram(*island, &islands, products, &code, &refusals);
  if (!program) return std::nullopt;
  const Arena arena = PlaceArrays(*program);
  const int64_t begin = (code.data_end() + kArrayAlignment - 1) / kArrayAlignment * kArrayAlignment;
  const int64_t memory = begin + arena.bytes;
  if (memory > kMostMemory || !FitsNumbers(*program)) {
    diagnostics->Report(
        DiagCode::kTooLarge, Range{},
        fmt::format("The program needs {} bytes for its arrays and {} for its constants: a memory "
                    "of WebAssembly has at most {}, and an array here at most 2^31 - 1",
                    arena.bytes, begin, kMostMemory));
    return std::nullopt;
  }
  std::vector<uint32_t> addresses;
  for (size_t i = 0; i < program->arrays.size(); ++i) {
    const int64_t offset = std::max<int64_t>(arena.offsets[i], 0);
    addresses.push_back(program->arrays[i].address.value_or(static_cast<uint32_t>(begin + offset)));
  }
  Standalone result;
  result.arena_bytes = arena.bytes;
  result.memory_bytes = memory;
  result.is_tuple = entry.result_shape().IsTuple();
  result.inputs = InputsOf(entry);
  AddArrays("result", entry.result_shape(), &result.outputs);
  SetAddresses(program->parameters, addresses, &result.inputs);
  SetAddresses(program->results, addresses, &result.outputs);
  result.faults = code.faults();
  result.fault_address = code.fault_address();
  const uint32_t run = code.Function(WriteDriver(*program, addresses, &code), 0);
  if (products.step == ProductStep::kFused) code.AddFusionTrial();
  result.module = code.Finish(run, memory);
  return result;
}

CodeBytes FusionTrialModule() {
  StandaloneModule trial;
  trial.AddFusionTrial();
  return trial.Finish(0, 0);
}

}  // namespace hlo
