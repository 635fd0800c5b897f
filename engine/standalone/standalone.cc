#include "engine/standalone/standalone.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "engine/ops/op_def.h"
#include "engine/plan/island.h"
#include "engine/plan/plan.h"
#include "engine/standalone/arena.h"
#include "engine/standalone/driver_code.h"
#include "engine/standalone/module.h"
#include "engine/standalone/program_builder.h"

namespace hlo {
namespace {

/// Addresses have 32 bits.
constexpr int64_t kMostMemory = int64_t{1} << 32;

void Report(const NotCompiled& problem, Diagnostics* diagnostics) {
  diagnostics->Report(
      DiagCode::kNotExecutable, problem.instruction->places().whole,
      fmt::format("{} cannot be compiled: {}", problem.instruction->name(), problem.why));
}

// ---- Why a computation is no island -------------------------------------------------------------

std::string WhyNot(const PlannedInstruction& planned) {
  const OpDef& def = *planned.def;
  const Opcode opcode = planned.instruction->opcode();
  if (!planned.instruction->shape().has_known_sizes()) {
    return "its sizes are known only when it runs";
  }
  if (opcode == Opcode::kCustomCall) return "a custom call runs code from outside of the program";
  if (def.is_drawn) return fmt::format("{} draws random numbers", Text(opcode));
  if (def.is_collective) return fmt::format("{} exchanges data with other devices", Text(opcode));
  if (def.has_effect) return fmt::format("{} is seen outside of the program", Text(opcode));
  if (def.varies) return fmt::format("{} gives another value each time", Text(opcode));
  return "";
}

/// Finds the instruction that a computation is no island for, in it or in what it calls; `seen` are
/// the computations that were searched.
bool FindObstacle(Plan* plan, Islands* islands, const Region& region, int levels,
                  std::set<const Region*>* seen, NotCompiled* problem) {
  if (islands->Of(region) || levels == 0 || !seen->insert(&region).second) return false;
  const ComputationPlan& computation = plan->For(region);
  for (const PlannedInstruction& planned : computation.instructions) {
    std::string why = WhyNot(planned);
    if (why.empty() && planned.def->enter) {
      for (const Attr& attr : planned.instruction->attrs()) {
        bool is_found = false;
        ForEachRegion(attr.value, [&](const Region* called) {
          is_found = is_found || FindObstacle(plan, islands, *called, levels - 1, seen, problem);
        });
        if (is_found) return true;
      }
      if (planned.def->runs == Runs::kOtherwise) {
        why = fmt::format("{} does not run as a plain call", Text(planned.instruction->opcode()));
      }
    }
    if (why.empty()) continue;
    *problem = {planned.instruction, std::move(why)};
    return true;
  }
  return false;
}

void ReportObstacle(Plan* plan, Islands* islands, const Computation& entry,
                    Diagnostics* diagnostics) {
  constexpr int kLevels = 32;
  NotCompiled problem;
  std::set<const Region*> seen;
  if (FindObstacle(plan, islands, entry, kLevels, &seen, &problem)) {
    return Report(problem, diagnostics);
  }
  const PlannedInstruction& root =
      plan->For(entry).instructions[static_cast<size_t>(plan->For(entry).root)];
  Report({root.instruction, "the program is nested too deeply, or passes too many arrays around"},
         diagnostics);
}

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

std::optional<Standalone> CompileStandalone(const Module& module, ProductRounding products,
                                            Diagnostics* diagnostics) {
  const Computation& entry = *module.entry();
  Plan plan(module, nullptr, /*joins_loops=*/true);
  Islands islands(&plan);
  const Island* island = islands.Of(entry);
  if (!island) {
    ReportObstacle(&plan, &islands, entry, diagnostics);
    return std::nullopt;
  }
  StandaloneModule code;
  NotCompiled problem;
  const std::optional<DriverProgram> program =
      BuildProgram(*island, &islands, &code, RowOfProductRounding(products), &problem);
  if (!program) {
    Report(problem, diagnostics);
    return std::nullopt;
  }
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
  const uint32_t run = code.Function(WriteDriver(*program, addresses, &code), 0);
  result.module = code.Finish(run, memory);
  return result;
}

}  // namespace hlo
