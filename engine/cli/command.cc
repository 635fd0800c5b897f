#include "engine/cli/command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "engine/base/work_limit.h"
#include "engine/cli/compile.h"
#include "engine/cli/cost_command.h"
#include "engine/cli/debug_command.h"
#include "engine/cli/diff.h"
#include "engine/cli/dump_files.h"
#include "engine/cli/files.h"
#include "engine/cli/graph_command.h"
#include "engine/cli/layout_command.h"
#include "engine/cli/npz_files.h"
#include "engine/cli/number_command.h"
#include "engine/cli/passes_command.h"
#include "engine/cli/precision_command.h"
#include "engine/cli/probe_files.h"
#include "engine/cli/programs.h"
#include "engine/cli/reporting.h"
#include "engine/cli/rewrites.h"
#include "engine/cli/run_arguments.h"
#include "engine/cli/sharding_command.h"
#include "engine/cli/why_command.h"
#include "engine/hlo/printer.h"
#include "engine/run/input_forms.h"
#include "engine/threads/pool.h"
#include "engine/types/literal.h"
#include "engine/views/convert_view.h"
#include "engine/views/debug_view.h"
#include "engine/views/devices_view.h"
#include "engine/views/document.h"
#include "engine/views/guard.h"
#include "engine/views/json.h"
#include "engine/views/memory_view.h"
#include "engine/views/ops_view.h"
#include "engine/views/plan_view.h"
#include "engine/views/profile_trace.h"
#include "engine/views/profile_view.h"
#include "engine/views/run_inputs.h"
#include "engine/views/run_view.h"
#include "engine/views/script_view.h"
#include "engine/views/session.h"
#include "engine/views/target_families.h"

namespace hlo {
namespace {

/// The options of all subcommands, as CLI11 fills them.
struct Options {
  std::vector<std::string> files;
  std::string file;
  std::vector<std::string> inputs;
  uint64_t seed = 0;
  bool trace = false;
  bool json = false;
  std::optional<int64_t> replicas;
  std::optional<int64_t> partitions;
  std::vector<std::string> infeeds;
  std::vector<std::string> receives;
  std::optional<double> time_limit;
  std::optional<uint64_t> memory_limit;
  int threads = 1;
  std::string fill_elided;
  std::string products, multiply_add;
  bool stand_ins = false;
  std::string probe_directory;
  std::string profile_file;
  std::string save_file;  // an .npz file for the results
  std::string script_file;
  std::string folder;
  std::string shape;
  std::string index;
  std::string compared;
  int64_t peak_bytes = int64_t{64} << 20;
  std::vector<std::string> names;
  bool slice = false;
  bool as_proto = false;
  bool markdown = false;
  std::string dialect;
  VerifierOptions verifier;
  bool same_precision = false;
  PassesOptions passes;
  GraphArguments graph;
  CostRequest cost;
  PrecisionArguments precision;
  WhyArguments why;
  NumberRequest number;
};

std::string DisplayName(const std::string& path) { return path == "-" ? "<stdin>" : path; }

// The program in a file; nothing when it cannot be read.
std::optional<ProgramFile> ReadProgramFile(const std::string& path, CommandResult& result) {
  std::string problem;
  auto bytes = ReadWhole(path, &problem);
  if (!bytes) {
    Fail(result, kExitUsage, problem);
    return std::nullopt;
  }
  Diagnostics faults;
  auto file = ProgramFileOf(std::move(*bytes), faults);
  for (const Diagnostic& fault : faults.list()) {
    // Without a place: they are about bytes.
    Fail(result, fault.severity == Severity::kError ? kExitDiagnostics : 0,
         fmt::format("{}: {}", DisplayName(path), fault.message));
  }
  return file;
}

// A file as a document. Null when it cannot be read.
std::shared_ptr<const Document> ReadDocument(const std::string& path, const Options& options,
                                             CommandResult& result) {
  RunRequest request;
  std::string problem;
  auto file = ReadProgramFile(path, result);
  if (!file) return nullptr;
  for (const std::string& input : options.inputs) {
    if (AddInput(input, request, &problem)) continue;
    Fail(result, kExitUsage, problem);
    return nullptr;
  }
  VerifierOptions verifier = options.verifier;
  verifier.allow_mixed_precision = !options.same_precision;
  return std::make_shared<const Document>(std::move(file->text), verifier, InputsOf(request));
}

// The same; its diagnostics are reported.
std::shared_ptr<const Document> Load(const std::string& path, const Options& options,
                                     CommandResult& result) {
  auto document = ReadDocument(path, options, result);
  if (document) Report(result, document->diagnostics(), DisplayName(path), document->text());
  return document;
}

void Check(const Options& options, CommandResult& result) {
  for (const std::string& file : options.files) {
    auto document = Load(file, options, result);
    if (!document || document->ok() || document->diagnostics().has_errors()) continue;
    Fail(result, kExitDiagnostics,
         fmt::format("{}: no HLO module but {}", DisplayName(file),
                     document->kind() == TextKind::kLayout         ? "a layout"
                     : document->kind() == TextKind::kMemoryReport ? "a memory report"
                                                                   : "nothing"));
  }
}

void Print(const Options& options, CommandResult& result) {
  auto document = Load(options.file, options, result);
  if (!document || !document->module() || document->diagnostics().has_errors()) return;
  const WorkLimit limit(WorkLimit::ForText(document->text().size()));
  if (options.as_proto) {
    result.out = HloProtoOf(*document->module());
    return;
  }
  result.out = PrintModule(*document->module());
  if (result.out.empty() || result.out.back() != '\n') result.out += '\n';
}

void Diff(const Options& options, CommandResult& result) {
  auto before = Load(options.compared, options, result);
  auto after = Load(options.file, options, result);
  if (before && after) DiffDocuments(before, after, options.json, result);
}

// Another program made of a program.
void Rewrite(const std::string& how, const Options& options, CommandResult& result) {
  auto document = Load(options.file, options, result);
  if (!document || !document->ok() || document->diagnostics().has_errors()) return;
  const WorkLimit limit(WorkLimit::ForText(document->text().size()));
  const Module& module = *document->module();
  if (how == "shrink") {
    ShrinkTo(module, options.peak_bytes, result);
  } else {
    IsolateFrom(module, options.names, options.slice, result);
  }
}

// What the passes of a compiler make of a program.
void RunPassesOver(const Options& options, CommandResult& result) {
  auto document = Load(options.file, options, result);
  if (!document || document->diagnostics().has_errors()) return;
  if (!document->ok() || !document->module()->entry()) {
    return Fail(result, kExitDiagnostics, fmt::format("{}: no program", DisplayName(options.file)));
  }
  WritePasses(*document, options.passes, result);
}

// The memory of a program, or what a report of one that did not fit says.
void Memory(const Options& options, CommandResult& result) {
  auto document = Load(options.file, options, result);
  if (!document || document->diagnostics().has_errors()) return;
  const WorkLimit limit(WorkLimit::ForText(document->text().size()));
  const bool report = document->kind() == TextKind::kMemoryReport;
  if (!report && !document->ok()) {
    return Fail(
        result, kExitDiagnostics,
        fmt::format("{}: neither an HLO module nor a memory report", DisplayName(options.file)));
  }
  if (options.json) {
    result.out = (report ? MemoryReportJson(*document) : ProgramMemoryJson(*document)) + "\n";
  } else {
    result.out = report ? MemoryReportSummary(*document) : ProgramMemoryText(*document);
  }
}

void PrintPlan(const Options& options, bool as_code, CommandResult& result) {
  auto document = Load(options.file, options, result);
  if (!document || document->diagnostics().has_errors()) return;
  if (!document->ok()) {
    return Fail(result, kExitDiagnostics, fmt::format("{}: no program", DisplayName(options.file)));
  }
  const WorkLimit limit(WorkLimit::ForText(document->text().size()));
  if (as_code) {
    result.out = PlanCode(*document);
  } else {
    result.out = options.json ? PlanJson(*document) + "\n" : PlanText(*document);
  }
}

void Graph(const Options& options, CommandResult& result) {
  auto document = Load(options.file, options, result);
  // What was read of a program with faults can be looked at.
  if (!document) return;
  if (document->module()) return PrintGraph(*document, options.graph, result);
  if (document->diagnostics().has_errors()) return;
  Fail(result, kExitDiagnostics, fmt::format("{}: no HLO module", DisplayName(options.file)));
}

void PrintShardings(const Options& options, CommandResult& result) {
  const auto document = ReadDocument(options.file, options, result);
  if (!document || document->diagnostics().has_errors()) return;
  const std::string name = options.names.empty() ? "" : options.names[0];
  PrintShardings(*document, name, options.json, DisplayName(options.file), result);
}

void PrintCostOf(const Options& options, CommandResult& result) {
  const auto document = ReadDocument(options.file, options, result);
  if (!document || document->diagnostics().has_errors()) return;
  if (document->ok()) return PrintCost(*document, options.cost, result);
  Fail(result, kExitDiagnostics, fmt::format("{}: no program", DisplayName(options.file)));
}

void Compile(const Options& options, CommandResult& result) {
  const auto document = ReadDocument(options.file, options, result);
  if (!document) return;
  const std::string name = StandaloneName(options.file);
  const StandaloneView view = MakeStandalone(*document, name, FindProductRounding(options.products),
                                             MultiplyAddNamed(options.multiply_add));
  Report(result, view.diagnostics, DisplayName(options.file), document->text());
  if (view.ok) return WriteStandalone(view, name, options.folder, result);
  if (view.diagnostics.has_errors()) return;
  Fail(result, kExitDiagnostics, fmt::format("{}: no program", DisplayName(options.file)));
}

// Of a module that cannot be converted, every reason is reported and nothing is printed.
void Convert(const Options& options, CommandResult& result) {
  const auto document = ReadDocument(options.file, options, result);
  if (!document) return;
  ConvertView view = ConvertDocument(*document, DialectFromText(options.dialect));
  Report(result, view.diagnostics, DisplayName(options.file), document->text());
  if (!view.ok && !view.diagnostics.has_errors()) {
    return Fail(result, kExitDiagnostics, fmt::format("{}: no program", DisplayName(options.file)));
  }
  result.out = std::move(view.text);
  if (view.ok && !result.out.ends_with('\n')) result.out += '\n';
}

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
// Nothing when one or the other is no good.
std::optional<ProgramFile> ReadRun(const Options& options, const CustomCallTargets& targets,
                                   RunRequest& request, CommandResult& result) {
  if (!ReadRunOptions(options, targets, request, result)) return std::nullopt;
  auto file = ReadProgramFile(options.file, result);
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
  const auto file = ReadRun(options, targets, request, result);
  if (!file) return;
  std::optional<ProbeFiles> files;
  if (!options.probe_directory.empty()) files.emplace(options.probe_directory);
  for (std::string& program : ProgramsOf(file->text)) {
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
  std::string problem;
  const auto script = ReadWhole(options.script_file.empty() ? "-" : options.script_file, &problem);
  if (!script) return Fail(result, kExitUsage, problem);
  DebugProgram(std::make_shared<const Document>(std::move(file->text)), request, *script, result);
}

void Precision(const Options& options, CommandResult& result) {
  const auto document = Load(options.file, options, result);
  const auto other = options.compared.empty() ? nullptr : Load(options.compared, options, result);
  if (!document || (!other && !options.compared.empty())) return;
  const CustomCallTargets targets(AllTargets());
  RunRequest request;
  if (!ReadRunOptions(options, targets, request, result)) return;
  PrintPrecision(document, other, request, options.precision, result);
}

void Why(const Options& options, CommandResult& result) {
  const CustomCallTargets targets(AllTargets());
  RunRequest request;
  if (!ReadRunOptions(options, targets, request, result)) return;
  auto document = Load(options.file, options, result);
  if (!document || document->diagnostics().has_errors()) return;
  PrintWhy(std::move(document), request, options.why, result);
}

void AddInputs(CLI::App* command, Options& options) {
  command
      ->add_option("--input", options.inputs,
                   "N=VALUE for argument N of StableHLO whose sizes are not written (?): its type, "
                   "like tensor<3x4xf32> or f32[3,4], or an integer that sizes depend on")
      ->allow_extra_args(false);
}

void AddProducts(CLI::App* command, Options& options) {
  command
      ->add_option("--products", options.products,
                   "How dot and convolution multiply f32 unless operand_precision is highest: f32 "
                   "(default), bf16 as TPUs do, tf32 as NVIDIA GPUs do")
      ->check(CLI::IsMember({"f32", "bf16", "tf32"}));
}

void AddMultiplyAdd(CLI::App* command, Options& options) {
  command
      ->add_option("--multiply-add", options.multiply_add,
                   "How dot and convolution add products of floats: separate (default) rounds the "
                   "product, then the sum; fused rounds once")
      ->check(CLI::IsMember({"separate", "fused"}));
}

// The options that make up a run.
void AddRunOptions(CLI::App* run, Options& options) {
  run->add_option("FILE", options.file, "HLO text; - is standard input")->required();
  run->add_option(
         "--input", options.inputs,
         "N=VALUE for parameter N: a literal, random (default), uniform, uniform(lo,hi), "
         "normal, iota, zero, constant:V, an expression like 'sin(i0) + 0.1*i1', "
         "'normal(0, 0.02)' or 'linspace(-1, 1)', any of these 'with [0,1] = 5' for single "
         "elements, or @FILE.npy (@FILE.npz without N=: every array in it, by name or in order); "
         "optionally preceded by its type, as "
         "tensor<3x4xf32> or f32[3,4], which sets unknown sizes of StableHLO; "
         "R.P:N=VALUE for replica R, partition P alone (* for all)")
      ->allow_extra_args(false);
  run->add_option("--replicas", options.replicas,
                  "How many replicas run (default: replica_count of the header)")
      ->check(CLI::PositiveNumber);
  run->add_option("--partitions", options.partitions,
                  "How many partitions run (default: num_partitions of the header)")
      ->check(CLI::PositiveNumber);
  run->add_option(
         "--infeed", options.infeeds,
         "VALUE for every device's infeed, in order of use; R.P:VALUE for some devices alone")
      ->allow_extra_args(false);
  run->add_option("--receive", options.receives,
                  "CHANNEL=VALUE for recv from the host; R.P:CHANNEL=VALUE for some devices alone")
      ->allow_extra_args(false);
  run->add_option("--seed", options.seed, "Seed of random inputs and of rng (default 0)");
  run->add_option("--threads", options.threads,
                  "Threads that share long operations (default 1); results are the same")
      ->envname("HLO_THREADS")
      ->check(CLI::Range(1, kMostThreads));
  run->add_option("--time-limit", options.time_limit, "Seconds")->check(CLI::PositiveNumber);
  run->add_option("--memory-limit", options.memory_limit, "Bytes (default 2 GiB)");
  run->add_option("--probe-output-dir", options.probe_directory,
                  "A folder for the values of interpreter.probe: .npy files and index.csv; "
                  "check.expect_serialized_eq reads it");
  run->add_flag("--stand-ins", options.stand_ins,
                "Make up, at random, what nothing in the run gives: results of unknown custom "
                "calls, infeed, what no device sends");
  AddProducts(run, options);
  AddMultiplyAdd(run, options);
  run->add_option("--fill-elided", options.fill_elided, "What to put into constants written {...}")
      ->check(CLI::IsMember({"random", "zero", "iota"}));
}

void AddDiffOptions(CLI::App* diff, Options& options) {
  diff->add_option("BEFORE", options.compared, "HLO text; - is standard input")->required();
  diff->add_option("AFTER", options.file, "The text to compare it with")->required();
  AddInputs(diff, options);
  diff->add_flag("--json", options.json, "Print everything as JSON");
}

void AddSubcommands(CLI::App& app, Options& options) {
  auto* check = app.add_subcommand("check", "Report what is wrong with HLO files");
  check->add_option("FILE", options.files, "HLO text; - is standard input")->required();
  AddInputs(check, options);
  check->add_flag("--layout-sensitive", options.verifier.layout_sensitive,
                  "Layouts count, as after XLA's layout assignment");
  check->add_flag("--no-mixed-precision", options.same_precision,
                  "Floats of different widths in one operation are an error");
  check->add_flag("--strict", options.verifier.strict,
                  "What XLA checks only on request; warnings are errors");

  auto* print = app.add_subcommand("print", "Print a module in its canonical form");
  print->add_option("FILE", options.file, "HLO text; - is standard input")->required();
  AddInputs(print, options);

  print->add_flag("--proto", options.as_proto, "As the bytes of XLA's HloProto");

  auto* convert = app.add_subcommand("convert", "Print a module as StableHLO or as HLO");
  convert->add_option("FILE", options.file, "HLO or StableHLO text; - is standard input")
      ->required();
  convert->add_option("--to", options.dialect, "stablehlo or hlo")
      ->required()
      ->check(CLI::IsMember({"stablehlo", "hlo"}));
  AddInputs(convert, options);

  AddDiffOptions(
      app.add_subcommand("diff", "Say what became of a module's instructions in another module"),
      options);

  auto* shrink =
      app.add_subcommand("shrink", "Print a module that does the same on smaller arrays");
  shrink->add_option("FILE", options.file, "HLO text; - is standard input")->required();
  shrink->add_option("--peak", options.peak_bytes, "Bytes that it may need (default 64 MiB)")
      ->check(CLI::PositiveNumber);

  auto* isolate = app.add_subcommand("isolate", "Print some instructions as a module of their own");
  isolate->add_option("FILE", options.file, "HLO text; - is standard input")->required();
  isolate
      ->add_option("NAME", options.names,
                   "Instructions of one computation: name or computation/name")
      ->required();
  isolate->add_flag("--dependencies", options.slice, "With all that they depend on");

  auto* passes = app.add_subcommand("passes", "Say what the passes of a compiler do to a module");
  passes->add_option("FILE", options.file, "HLO text; - is standard input")->required();
  AddPassesOptions(passes, options.passes);

  auto* run = app.add_subcommand("run", "Run a module and print its result");
  AddRunOptions(run, options);
  run->add_flag("--trace", options.trace, "Print the value of every instruction");
  run->add_flag("--json", options.json, "Print everything as JSON");
  run->add_option("--save", options.save_file, "Write the results to this .npz file");
  run->add_option("--profile", options.profile_file,
                  "A file for the measured times, as Chrome trace events (Perfetto opens it)");

  auto* why = app.add_subcommand("why", "Say where an element of a run comes from");
  AddRunOptions(why, options);
  AddWhyOptions(why, &options.why);
  auto* debug = app.add_subcommand(
      "debug",
      "Move through a run, forward and back, by commands from standard input (help lists them)");
  AddRunOptions(debug, options);
  debug->add_option("--script", options.script_file, "A file of commands instead");

  auto* script = app.add_subcommand(
      "script", "Write a Python script that runs a module and its inputs under JAX");
  AddRunOptions(script, options);

  auto* memory = app.add_subcommand(
      "memory", "Say which buffers a module needs, or what an out-of-memory report says");
  memory->add_option("FILE", options.file, "HLO text or a report; - is standard input")->required();
  AddInputs(memory, options);
  memory->add_flag("--json", options.json, "Print everything as JSON");

  auto* plan = app.add_subcommand(
      "plan", "Say which instructions of a module run as one loop, and why others do not");
  plan->add_option("FILE", options.file, "HLO text; - is standard input")->required();
  AddInputs(plan, options);
  plan->add_flag("--json", options.json, "Print everything as JSON");
  auto* wat = app.add_subcommand(
      "wat", "Print the WebAssembly that is generated for the loops of a module, as text");
  wat->add_option("FILE", options.file, "HLO text; - is standard input")->required();
  AddInputs(wat, options);

  AddInputs(AddGraphCommand(app, &options.file, &options.graph), options);
  auto* devices = app.add_subcommand(
      "devices", "Run a module, print its collectives: their devices, what each gives and gets");
  AddRunOptions(devices, options);
  devices->add_flag("--json", options.json, "Print JSON");
  auto* sharding = app.add_subcommand(
      "sharding", "Say which device has which part of the arrays that have a sharding");
  sharding->add_option("FILE", options.file, "HLO text; - is standard input")->required();
  sharding->add_option("NAME", options.names, "Of this instruction alone");
  sharding->add_flag("--json", options.json, "Print JSON");
  auto* cost = app.add_subcommand(
      "cost", "Say what a module costs by a model: operations, bytes, time on a machine");
  cost->add_option("FILE", options.file, "HLO text; - is standard input")->required();
  cost->add_option("--machine", options.cost.machine,
                   "v4, v5e (default), v5p, v6e, h100, a100, cpu, or here: measured");
  cost->add_flag("--json", options.cost.json, "Print everything as JSON");
  AddInputs(cost, options);

  auto* precision = app.add_subcommand(
      "precision",
      "Say how far the values of a run are from those of a more precise one, of another program, "
      "with other inputs, or from what the result should be, and where they part");
  AddRunOptions(precision, options);
  AddPrecisionOptions(precision, &options.compared, &options.precision);
  auto* compile = app.add_subcommand(
      "compile",
      "Write a module as WebAssembly that runs without this project, and JavaScript that runs it");
  compile->add_option("FILE", options.file, "HLO text; - is standard input")->required();
  compile
      ->add_option("-o,--output", options.folder,
                   "The folder of NAME.wasm and NAME.mjs, after FILE; with fused products also of "
                   "NAME.fused.wasm, which NAME.mjs takes on machines that have the instruction")
      ->required();
  AddProducts(compile, options);
  AddMultiplyAdd(compile, options);
  AddInputs(compile, options);

  AddNumberCommand(app, &options.number);

  auto* layout = app.add_subcommand("layout", "Say how an array lies in memory");
  layout
      ->add_option("LAYOUT", options.shape,
                   "A shape, like 'f32[3,5]{1,0:T(2,2)}', or another notation: "
                   "'morello: f32[6,8] [1, 0, 1 p(4)]', 'cute: (4,(2,8)):(16,(1,2))', "
                   "'strides: f32[8,128] (128,1) offset=5'")
      ->required();
  layout->add_option("--compare", options.compared, "A second layout of the same array");
  layout->add_option("--index", options.index, "The address of one element, like 2,3");
  layout->add_flag("--json", options.json, "Print everything as JSON");

  auto* ops = app.add_subcommand("ops", "List the opcodes");
  ops->add_flag("--markdown", options.markdown, "As a Markdown table");
}

void Dispatch(const CLI::App& app, const Options& options, CommandResult& result) {
  const CLI::App* chosen = app.get_subcommands().front();
  const std::string& name = chosen->get_name();
  if (name == "check") return Check(options, result);
  if (name == "print") return Print(options, result);
  if (name == "convert") return Convert(options, result);
  if (name == "run") return Run(options, result);
  if (name == "diff") return Diff(options, result);
  if (name == "shrink" || name == "isolate") return Rewrite(name, options, result);
  if (name == "passes") return RunPassesOver(options, result);
  if (name == "memory") return Memory(options, result);
  if (name == "plan" || name == "wat") return PrintPlan(options, name == "wat", result);
  if (name == "graph") return Graph(options, result);
  if (name == "devices") return PrintDevices(options, result);
  if (name == "sharding") return PrintShardings(options, result);
  if (name == "cost") return PrintCostOf(options, result);
  if (name == "precision") return Precision(options, result);
  if (name == "number") return PrintNumber(options.number, result);
  if (name == "compile") return Compile(options, result);
  if (name == "why") return Why(options, result);
  if (name == "script") return Script(options, result);
  if (name == "debug") return Debug(options, result);
  if (name == "layout") {
    const bool has_index = chosen->count("--index") > 0;
    return PrintLayout({options.shape, options.compared, has_index, options.index, options.json},
                       result);
  }
  result.out = options.markdown ? OpsMarkdown(AllTargets()) : OpsText();
}

void RunLine(const std::vector<std::string>& args, CommandResult& result) {
  Options options;
  CLI::App app("Parses, verifies, runs and explains XLA HLO.", "hlo");
  app.set_version_flag("--version", std::string(EngineVersion()));
  app.require_subcommand(1);
  AddSubcommands(app, options);
  try {
    // CLI11 takes the arguments last to first.
    app.parse(std::vector<std::string>(args.rbegin(), args.rend()));
  } catch (const CLI::Success& asked) {  // --help, --version
    std::ostringstream out;
    app.exit(asked, out, out);
    result.out = out.str();
    return;
  } catch (const CLI::ParseError& error) {
    std::ostringstream err;
    app.exit(error, err, err);
    result.err = err.str();
    result.status = kExitUsage;
    return;
  }
  Dispatch(app, options, result);
}

}  // namespace

CommandResult RunCommand(const std::vector<std::string>& args) {
  CommandResult result;
  Diagnostics faults;
  try {
    if (Guarded(faults, [&] { RunLine(args, result); })) return result;
  } catch (const std::bad_alloc&) {
    // Reported below, if there is memory for that.
  }
  CommandResult failed;
  failed.status = kExitDiagnostics;
  try {
    Fail(failed, kExitDiagnostics, faults.empty() ? "no memory is left" : faults.list()[0].message);
  } catch (const std::bad_alloc&) {
    failed.err.clear();
  }
  return failed;
}

}  // namespace hlo
