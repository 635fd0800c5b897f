// Subcommands that run a program.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "engine/base/work_limit.h"
#include "engine/cli/debug_command.h"
#include "engine/cli/documents.h"
#include "engine/cli/files.h"
#include "engine/cli/npz_files.h"
#include "engine/cli/probe_files.h"
#include "engine/cli/programs.h"
#include "engine/cli/reporting.h"
#include "engine/cli/run_arguments.h"
#include "engine/cli/subcommand.h"
#include "engine/io/npy.h"
#include "engine/run/input_forms.h"
#include "engine/threads/pool.h"
#include "engine/types/literal.h"
#include "engine/views/debug_view.h"
#include "engine/views/devices_view.h"
#include "engine/views/guard.h"
#include "engine/views/json.h"
#include "engine/views/profile_trace.h"
#include "engine/views/profile_view.h"
#include "engine/views/run_inputs.h"
#include "engine/views/run_view.h"
#include "engine/views/script_view.h"
#include "engine/views/session.h"
#include "engine/views/target_families.h"

namespace hlo {
namespace {

std::string ValueLine(const Value& value, const Shape& shape) {
  return LiteralText(value, shape, {.shape = true, .layout = true});
}

// The prefix of a line about one device; empty when there is only one.
std::string DevicePrefix(const RunRecord& record, int64_t device) {
  return record.devices.empty() ? "" : DeviceName(device, record.grid) + ": ";
}

std::string TraceText(const RunRecord& record) {
  std::string text;
  for (const TraceEntry* entry : record.trace->Entries()) {
    const std::string indent(2 * static_cast<size_t>(entry->depth), ' ');
    std::string iterations;
    if (entry->iterations) {
      iterations = fmt::format(" [{}]", fmt::join(*entry->iterations, ","));
    }
    constexpr int64_t kMostElements = 64;
    const Shape& shape = entry->instruction->shape();
    text += DevicePrefix(record, entry->device);
    fmt::format_to(std::back_inserter(text), "{}{}{} = {} {}\n", indent, entry->instruction->name(),
                   iterations, ShapeSummary(shape),
                   entry->dropped ? "(dropped)" : ValueText(entry->value, shape, kMostElements));
  }
  return text;
}

// The values sent to the host, then the results, of each device.
std::string OutputText(const RunRecord& record) {
  std::string text;
  for (const HostOutput& output : record.host_outputs) {
    text += DevicePrefix(record, output.device);
    fmt::format_to(std::back_inserter(text), "{} {}: {}\n",
                   output.channel ? fmt::format("to the host on channel {},", *output.channel)
                                  : std::string("outfeed"),
                   output.instruction->name(), ValueLine(output.value, *output.shape));
  }
  for (const Probes::Entry& print : record.probes.entries()) {
    if (print.is_print) text += print.id + " = " + ValueLine(print.value, print.shape) + "\n";
  }
  if (!record.output) return text;
  const Shape& shape = record.entry().result_shape();
  if (record.devices.empty()) text += ValueLine(*record.output, shape) + "\n";
  for (size_t i = 0; i < record.devices.size(); ++i) {
    text += DevicePrefix(record, static_cast<int64_t>(i)) +
            ValueLine(*record.devices[i].output, shape) + "\n";
  }
  return text;
}

// The JSON of the run with whole literals beside the previews.
Json OutputJson(const RunRecord& record) {
  Json json = RunJson(record, 0);
  if (record.output) {
    json["output"]["literal"] = ValueLine(*record.output, record.entry().result_shape());
  }
  for (size_t i = 0; record.output && i < record.devices.size(); ++i) {
    json["devices"][i]["output"]["literal"] =
        ValueLine(*record.devices[i].output, record.entry().result_shape());
  }
  for (size_t i = 0; i < json.value("hostOutputs", Json::array()).size(); ++i) {
    const HostOutput& output = record.host_outputs[i];
    json["hostOutputs"][i]["value"]["literal"] = ValueLine(output.value, *output.shape);
  }
  return json;
}

// `@FILE.npz`: all inputs at once, once the program is known.
bool IsArchive(const std::string& input) { return input.starts_with('@'); }

bool ReadRunOptions(const Options& options, const CustomCallTargets& targets, RunRequest& request,
                    CommandResult& result) {
  request.options.input_forms = &AllInputForms();
  std::string problem;
  bool good = true;
  for (const std::string& input : options.inputs) {
    if (!IsArchive(input)) good &= AddInput(input, request, &problem);
  }
  for (const std::string& infeed : options.infeeds) {
    good &= AddHostInput(infeed, /*has_channel=*/false, request, &problem);
  }
  for (const std::string& receive : options.receives) {
    good &= AddHostInput(receive, /*has_channel=*/true, request, &problem);
  }
  if (!good) {
    Fail(result, kExitUsage, problem);
    return false;
  }
  request.options.replicas = options.replicas.value_or(0);
  request.options.partitions = options.partitions.value_or(0);
  request.options.seed = options.seed;
  request.options.custom_calls = &targets;
  request.options.fill_elided = FillKindFromText(options.fill_elided);
  request.options.stand_ins = options.stand_ins;
  request.options.products = FindProductRounding(options.products);
  request.options.multiply_add = MultiplyAddNamed(options.multiply_add);
  request.trace = options.trace;
  request.profile = options.json || !options.profile_file.empty();
  if (options.time_limit) request.limits.seconds = *options.time_limit;
  if (options.memory_limit) request.limits.memory_bytes = *options.memory_limit;
  SetThreads(options.threads);
  return true;
}

// What `hlo run` and its likes run: the file, with the arguments that it has beside its text.
// Nothing when one or the other is no good, or the file has several programs where one is wanted.
std::optional<ProgramFile> ReadRun(const Options& options, const CustomCallTargets& targets,
                                   RunRequest& request, CommandResult& result,
                                   bool takes_several = false) {
  if (!ReadRunOptions(options, targets, request, result)) return std::nullopt;
  auto file = ReadProgramFile(options.file, result);
  if (file && !takes_several && !IsOneProgram(file->text, options.file, result))
    return std::nullopt;
  if (file && file->dump) AddArguments(*file->dump, request);
  for (const std::string& input : options.inputs) {
    std::string problem;
    if (!file || !IsArchive(input)) continue;
    if (AddArchive(input.substr(1), file->text, request, &problem)) continue;
    Fail(result, kExitUsage, problem);
    return std::nullopt;
  }
  return file;
}

// The document that `hlo why` and its likes ask about, with its inputs; what is wrong with it is
// reported. Null when it is no good.
std::shared_ptr<const Document> LoadRun(const Options& options, const CustomCallTargets& targets,
                                        RunRequest& request, CommandResult& result) {
  auto file = ReadRun(options, targets, request, result);
  if (!file) return nullptr;
  return LoadAs(options.file, std::move(file->text), InputsOf(request), options, result);
}

// One program; false when its probes' values cannot be written. `dump` is the file that it is from,
// if that has more than a text.
bool RunProgram(const Options& options, std::string text, const RunRequest& request,
                const std::optional<DumpFile>& dump, ProbeFiles* files, CommandResult& result) {
  const auto record = RunDocument(std::make_shared<const Document>(std::move(text)), request);
  Report(result, record->diagnostics, DisplayName(options.file), record->document->text());
  if (options.json) {
    result.out += JsonText(OutputJson(*record)) + "\n";
  } else {
    if (record->trace) result.out += TraceText(*record);
    result.out += OutputText(*record);
  }
  if (dump) {
    const std::string compared = ComparedWithSnapshot(*dump, *record);
    if (!compared.empty()) Fail(result, 0, compared);
  }
  std::string problem;
  if (record->profile && !options.profile_file.empty() &&
      !WriteWhole(options.profile_file, ProfileTraceText(ProfileJson(*record)), &problem)) {
    Fail(result, kExitUsage, problem);
    return false;
  }
  if (record->output && !options.save_file.empty() &&
      !SaveResults(*record, options.save_file, &problem)) {
    Fail(result, kExitUsage, problem);
    return false;
  }
  if (!files || files->Write(record->probes, &problem)) return true;
  Fail(result, kExitUsage, problem);
  return false;
}

void Run(const Options& options, CommandResult& result) {
  const CustomCallTargets targets(AllTargets());
  RunRequest request;
  const auto file = ReadRun(options, targets, request, result, /*takes_several=*/true);
  if (!file) return;
  std::optional<ProbeFiles> files;
  if (!options.probe_directory.empty()) files.emplace(options.probe_directory);
  std::vector<std::string> programs = ProgramsOf(file->text);
  if (programs.size() > 1 && !(options.save_file.empty() && options.profile_file.empty())) {
    return Fail(result, kExitUsage,
                fmt::format("--save and --profile are of one program, not of {}", programs.size()));
  }
  for (std::string& program : programs) {
    if (files) request.probe_reader = files->Reader();
    if (!RunProgram(options, std::move(program), request, file->dump, files ? &*files : nullptr,
                    result)) {
      return;
    }
  }
}

// A deadlock is reported with what each device waits for, after the collectives up to it.
void PrintDevices(const Options& options, CommandResult& result) {
  const CustomCallTargets targets(AllTargets());
  RunRequest request;
  auto file = ReadRun(options, targets, request, result);
  if (!file) return;
  const auto document = std::make_shared<const Document>(std::move(file->text));
  Diagnostics faults;
  Guarded(faults, [&] {
    const auto debugger = RecordDevices(document, request);
    faults = debugger->diagnostics();
    result.out = options.json ? DevicesJson(*debugger) + "\n" : DevicesText(*debugger);
  });
  Report(result, faults, DisplayName(options.file), document->text());
}

// The run's own diagnostics are reported too: the script is written also when the run failed, but
// has nothing to compare with then.
void Script(const Options& options, CommandResult& result) {
  const CustomCallTargets targets(AllTargets());
  RunRequest request;
  auto file = ReadRun(options, targets, request, result);
  if (!file) return;
  request.trace = false;
  const auto record = RunDocument(std::make_shared<const Document>(std::move(file->text)), request);
  const WorkLimit limit(WorkLimit::ForText(record->document->text().size()));
  ScriptView view = MakeScript(*record, request);
  Report(result, view.diagnostics, DisplayName(options.file), record->document->text());
  result.out = std::move(view.text);
  for (const auto& [number, tensor] : view.files) {
    const std::string name = fmt::format("input{}.npy", number);
    if (options.inputs_folder.empty()) {
      Fail(result, 0, fmt::format("the script reads {}: --save-inputs FOLDER writes it", name));
      continue;
    }
    std::string problem;
    const std::string path = (std::filesystem::path(options.inputs_folder) / name).string();
    if (!WriteWhole(path, NpyFile(*tensor), &problem)) Fail(result, kExitUsage, problem);
  }
}

void Debug(const Options& options, CommandResult& result) {
  if (options.file == "-" && options.script_file.empty()) {
    return Fail(result, kExitUsage,
                "the program comes from standard input: give commands by --script");
  }
  const CustomCallTargets targets(AllTargets());
  RunRequest request;
  auto file = ReadRun(options, targets, request, result);
  if (!file) return;
  std::istringstream script;
  if (!options.script_file.empty()) {
    std::string problem;
    auto text = ReadWhole(options.script_file, &problem);
    if (!text) return Fail(result, kExitUsage, problem);
    script.str(std::move(*text));
  }
  // Somebody may wait for the answer to one line before writing the next one.
  const auto next = [&](std::string* line) {
    if (!options.script_file.empty()) return !!std::getline(script, *line);
    if (result.show) result.show(result);
    return ReadLine(line);
  };
  DebugProgram(std::make_shared<const Document>(std::move(file->text)), request, next,
               DisplayName(options.file), result);
}

void Precision(const Options& options, CommandResult& result) {
  const CustomCallTargets targets(AllTargets());
  RunRequest request;
  const auto document = LoadRun(options, targets, request, result);
  if (!document) return;
  std::shared_ptr<const Document> other;
  if (!options.compared.empty()) {
    auto file = ReadProgramFile(options.compared, result);
    if (file && IsOneProgram(file->text, options.compared, result))
      other = LoadAs(options.compared, std::move(file->text), InputsOf(request), options, result);
    if (!other) return;
  }
  PrintPrecision(document, other, request, options.precision, DisplayName(options.file),
                 options.json, result);
}

void Why(const Options& options, CommandResult& result) {
  const CustomCallTargets targets(AllTargets());
  RunRequest request;
  auto document = LoadRun(options, targets, request, result);
  if (!document) return;
  PrintWhy(std::move(document), request, options.why, DisplayName(options.file), options.json,
           result);
}

// ---- What they take -----------------------------------------------------------------------------

void DeclareRun(CLI::App* run, Options& options) {
  AddRunOptions(run, options);
  run->add_flag("--trace", options.trace, "Print the value of every instruction");
  AddJson(run, options);
  run->add_option("--save", options.save_file, "Write the results to this .npz file");
  run->add_option("--profile", options.profile_file,
                  "A file for the measured times, as Chrome trace events (Perfetto opens it)");
}

void DeclareWhy(CLI::App* why, Options& options) {
  AddRunOptions(why, options);
  AddWhyOptions(why, &options.why);
  AddJson(why, options);
}

void DeclareDebug(CLI::App* debug, Options& options) {
  AddRunOptions(debug, options);
  debug->add_option("--script", options.script_file, "A file of commands instead");
}

void DeclareDevices(CLI::App* devices, Options& options) {
  AddRunOptions(devices, options);
  AddJson(devices, options);
}

void DeclarePrecision(CLI::App* precision, Options& options) {
  AddRunOptions(precision, options);
  AddPrecisionOptions(precision, &options.compared, &options.precision);
  AddJson(precision, options);
}

void DeclareScript(CLI::App* script, Options& options) {
  AddRunOptions(script, options);
  script->add_option("--save-inputs", options.inputs_folder,
                     "A folder for inputs that are too large for the script: input0.npy and so on, "
                     "which it reads from the folder that it is in");
}

constexpr Subcommand kRunSubcommands[] = {
    {"run", "Run a module and print its result", DeclareRun, Run},
    {"why", "Say where an element of a run comes from", DeclareWhy, Why},
    {"debug",
     "Move through a run, forward and back, by commands from standard input (help lists them)",
     DeclareDebug, Debug},
    {"devices", "Run a module, print its collectives: their devices, what each gives and gets",
     DeclareDevices, PrintDevices},
    {"precision",
     "Say how far the values of a run are from those of a more precise one, of another program, "
     "with other inputs, or from what the result should be, and where they part",
     DeclarePrecision, Precision},
    {"script", "Write a Python script that runs a module and its inputs under JAX", DeclareScript,
     Script},
};

}  // namespace

std::span<const Subcommand> RunSubcommands() { return kRunSubcommands; }

}  // namespace hlo
