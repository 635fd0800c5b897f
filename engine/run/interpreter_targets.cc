// The custom-calls that StableHLO's interpreter dialect becomes. They access the run: to record
// values, and to start a run of their own.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "engine/ops/custom_calls/custom_call_targets.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/run/check_failure.h"
#include "engine/run/compare.h"
#include "engine/run/executor.h"
#include "engine/run/probes.h"
#include "engine/run/replica.h"

namespace hlo {

constexpr size_t kMostProbed = 100000;

void Probes::Note(Entry entry) {
  if (entries_.size() >= kMostProbed) {
    throw RunError(DiagCode::kRuntimeError,
                   fmt::format("probes noted more than {} values", kMostProbed));
  }
  entries_.push_back(std::move(entry));
}

std::optional<Value> Probes::Find(std::string_view id, int64_t iteration,
                                  const Shape& wanted) const {
  int64_t left = iteration;
  for (const Entry& entry : entries_) {
    if (!entry.is_print && entry.id == id && left-- == 0) return entry.value;
  }
  return reader_ ? reader_(id, iteration, wanted) : std::nullopt;
}

namespace {

[[noreturn]] void Refuse(const OpCall& call, std::string_view why) {
  throw RunError(DiagCode::kRuntimeError,
                 fmt::format("{} {}", call.String("custom_call_target"), why));
}

// The run that evaluates the call; refuses others (an op is tried outside of any run).
RunState& StateOf(const OpCall& call, EvalContext& context) {
  Replica* const replica = context.replica();
  if (!replica || !replica->state().options->probes) Refuse(call, "needs a run to report to");
  return replica->state();
}

// The number after "name=" in the call's configuration.
int64_t NumberOf(const OpCall& call, std::string_view name) {
  const std::string& config = call.String("backend_config");
  const size_t at = config.find(std::string(name) + "=");
  return at == std::string::npos ? 0
                                 : std::strtoll(config.c_str() + at + name.size() + 1, nullptr, 10);
}

// What follows "id=", to the end.
std::string_view IdOf(const OpCall& call) {
  const std::string& config = call.String("backend_config");
  const size_t at = config.find("id=");
  return at == std::string::npos ? std::string_view() : std::string_view(config).substr(at + 3);
}

Value EvalProbe(const OpCall& call, std::span<Value> args, EvalContext& context) {
  if (args.size() != 1) Refuse(call, "takes one value");
  StateOf(call, context).options->probes->Note({std::string(IdOf(call)), call.operand(0), args[0]});
  return std::move(args[0]);
}

Value EvalPrint(const OpCall& call, std::span<Value> args, EvalContext& context) {
  if (args.size() != 1) Refuse(call, "takes one value");
  StateOf(call, context)
      .options->probes->Note({std::string(IdOf(call)), call.operand(0), args[0], true});
  return Value::Tuple({});
}

Value EvalSerialized(const OpCall& call, std::span<Value> args, EvalContext& context) {
  if (args.size() != 1 || !args[0].is_array()) Refuse(call, "takes one array");
  const int64_t iteration = NumberOf(call, "iter");
  const auto noted =
      StateOf(call, context).options->probes->Find(IdOf(call), iteration, call.operand(0));
  if (!noted) {
    throw CheckFailure(fmt::format(
        "check.expect_serialized_eq does not hold: no probe of this run noted a value number {} "
        "under \"{}\", and no files of an earlier run are given (hlo run --probe-output-dir DIR)",
        iteration, IdOf(call)));
  }
  if (const auto difference = Compare(args[0], *noted, {})) {
    throw CheckFailure(fmt::format("check.expect_serialized_eq \"{}\" does not hold: {}",
                                   IdOf(call), difference->message));
  }
  return Value::Tuple({});
}

// ---- interpreter.run_parallel -------------------------------------------------------------------

// Runs inside of runs; each takes a few frames of the C++ stack.
constexpr int kDeepestRuns = 8;

// The programs of the devices, then the functions whose values are in the infeed queue.
struct Programs {
  DeviceGrid grid;
  std::vector<const Region*> devices, infeed;
};

Programs ReadPrograms(const OpCall& call) {
  const auto& regions = call.Regions("called_computations");
  Programs programs;
  programs.grid = {NumberOf(call, "replicas"), NumberOf(call, "partitions")};
  const int64_t total = static_cast<int64_t>(regions.size());
  const bool fits = programs.grid.replicas > 0 && programs.grid.partitions > 0 &&
                    IsAllowed(programs.grid) && programs.grid.count() <= total;
  if (!fits) {
    Refuse(call, fmt::format("runs {} x {} devices, of at most {}, with a program each, but {} are "
                             "given",
                             programs.grid.replicas, programs.grid.partitions,
                             RunOptions::kMaxDevices, total));
  }
  const auto devices = regions.begin() + programs.grid.count();
  programs.devices.assign(regions.begin(), devices);
  programs.infeed.assign(devices, regions.end());
  return programs;
}

// The operands, cut among the devices.
std::vector<std::vector<Value>> ArgsOf(const OpCall& call, const Programs& programs,
                                       std::span<Value> args) {
  std::vector<std::vector<Value>> result;
  size_t next = 0;
  for (const Region* program : programs.devices) {
    std::vector<Value> own;
    for (int i = 0; i < program->parameter_count(); ++i, ++next) {
      if (next >= args.size() ||
          !Shape::Compatible(call.operand(static_cast<int>(next)), program->parameter_shape(i))) {
        Refuse(call,
               fmt::format("operand {} must be {}, parameter {} of {}", next,
                           ShapeName(program->parameter_shape(i)), i, program->region_name()));
      }
      own.push_back(std::move(args[next]));
    }
    result.push_back(std::move(own));
  }
  if (next != args.size()) {
    Refuse(call, fmt::format("has {} operands, but its programs take {}", args.size(), next));
  }
  return result;
}

void WantDone(const Executor& executor, const OpCall& call) {
  if (executor.status() == Executor::Status::kDone || executor.only_checks_failed()) return;
  const RunFailure& failure = executor.failure();
  std::string message = failure.message;
  if (!failure.stack.empty()) {
    message = fmt::format("in {}: {}", failure.stack.back()->name(), message);
  }
  if (!failure.device.empty()) message = fmt::format("on {} {}", failure.device, message);
  for (const RunFailure::Waiting& waiting : failure.waiting) message += "; " + waiting.message;
  throw RunError(failure.code,
                 fmt::format("{} failed {}", call.String("custom_call_target"), message));
}

Value EvalRunParallel(const OpCall& call, std::span<Value> args, EvalContext& context) {
  RunState& state = StateOf(call, context);
  const Programs programs = ReadPrograms(call);
  RunOptions options = *state.options;
  if (++options.nesting > kDeepestRuns) Refuse(call, "is nested too deeply");
  const Module& module = state.plan->module();
  std::vector<Value> infeed;
  options.replicas = options.partitions = 1;
  for (const Region* function : programs.infeed) {
    if (function->parameter_count() != 0) Refuse(call, "has an infeed function with parameters");
    Executor executor(module, options, state.budget, nullptr);
    executor.StartPrograms({function}, {{}});
    executor.Run();
    WantDone(executor, call);
    infeed.push_back(executor.result());
  }
  options.replicas = programs.grid.replicas;
  options.partitions = programs.grid.partitions;
  Executor executor(module, options, state.budget, context.replica()->trace());
  if (executor.StartPrograms(programs.devices, ArgsOf(call, programs, args), std::move(infeed)) ==
      Executor::Status::kRunning) {
    executor.Run();
  }
  WantDone(executor, call);
  for (const HostOutput& output : executor.host_outputs()) state.exchange->ToHost(output);
  Value::Elements results;
  for (const Value& result : executor.results()) {
    if (!result.is_tuple()) {
      results.push_back(result);
      continue;
    }
    for (const Value& element : result.elements()) results.push_back(element);
  }
  Value all = results.size() == 1 ? JoinParts(call.shape(), std::move(results))
                                  : Value::Tuple(std::move(results));
  if (!executor.check_failures().empty()) {
    throw CheckFailure(executor.check_failures(), std::move(all));
  }
  return all;
}

constexpr std::string_view kStableHloInterpreter = "StableHLO, dialect interpreter";

constexpr BuiltInTarget kInterpreterTargets[] = {
    {.name = "check.expect_serialized_eq",
     .operands = "an array",
     .result = "an empty tuple",
     .doc = "Fails where elements are not those that a probe noted.",
     .config = "id, iter (which execution of the probe, from 0)",
     .source = "StableHLO, dialect check",
     .eval = EvalSerialized},
    {.name = "interpreter.print",
     .operands = "any value",
     .result = "an empty tuple",
     .doc = "Notes the value for the host.",
     .config = "id",
     .source = kStableHloInterpreter,
     .eval = EvalPrint},
    {.name = "interpreter.probe",
     .operands = "any value",
     .result = "the same",
     .doc = "Notes the value for the host and passes it on.",
     .config = "id",
     .source = kStableHloInterpreter,
     .eval = EvalProbe},
    {.name = "interpreter.run_parallel",
     .operands = "the arguments of all programs",
     .result = "the results of all programs",
     .doc = "A run of its own: a program on each of its devices.",
     .config = "replicas, partitions; called computations: the programs, then functions whose "
               "values are in the infeed queue",
     .source = kStableHloInterpreter,
     .eval = EvalRunParallel},
};

}  // namespace

std::span<const BuiltInTarget> InterpreterTargets() { return kInterpreterTargets; }

}  // namespace hlo
