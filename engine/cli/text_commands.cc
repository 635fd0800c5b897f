// Subcommands that read programs, layouts and numbers.
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "engine/base/work_limit.h"
#include "engine/cli/compile.h"
#include "engine/cli/diff.h"
#include "engine/cli/documents.h"
#include "engine/cli/layout_command.h"
#include "engine/cli/reporting.h"
#include "engine/cli/rewrites.h"
#include "engine/cli/sharding_command.h"
#include "engine/cli/subcommand.h"
#include "engine/hlo/printer.h"
#include "engine/views/convert_view.h"
#include "engine/views/memory_view.h"
#include "engine/views/ops_view.h"
#include "engine/views/plan_view.h"
#include "engine/views/target_families.h"

namespace hlo {
namespace {

void Check(const Options& options, CommandResult& result) {
  for (const std::string& file : options.files) {
    for (const auto& document : LoadPrograms(file, options, result)) {
      if (document->ok() || document->diagnostics().has_errors()) continue;
      Fail(result, kExitDiagnostics,
           fmt::format("{}: no HLO module but {}", DisplayName(file),
                       document->kind() == TextKind::kLayout         ? "a layout"
                       : document->kind() == TextKind::kMemoryReport ? "a memory report"
                                                                     : "nothing"));
    }
  }
}

void Print(const Options& options, CommandResult& result) {
  const auto documents = LoadPrograms(options.file, options, result);
  if (options.as_proto && documents.size() > 1) {
    return Fail(result, kExitUsage,
                fmt::format("--proto is of one program, not of {}", documents.size()));
  }
  for (const auto& document : documents) {
    if (document->diagnostics().has_errors()) continue;
    if (!document->module()) {
      FailWithoutProgram(options, result);
      continue;
    }
    const WorkLimit limit(WorkLimit::ForText(document->text().size()));
    if (options.as_proto) {
      result.out = HloProtoOf(*document->module());
      return;
    }
    if (!result.out.empty()) result.out += "// -----\n";
    result.out += PrintModule(*document->module());
    if (!result.out.ends_with('\n')) result.out += '\n';
  }
}

void Diff(const Options& options, CommandResult& result) {
  auto before = Load(options.compared, options, result);
  auto after = Load(options.file, options, result);
  if (!before || !after || result.status != kExitGood) return;
  for (const auto& [document, path] :
       {std::pair(before, options.compared), {after, options.file}}) {
    if (document->ok() || document->diagnostics().has_errors()) continue;
    return Fail(result, kExitDiagnostics, fmt::format("{}: no program", DisplayName(path)));
  }
  DiffDocuments(before, after, options.json, result);
}

// Another program made of the program in a file.
template <typename Make>
void Rewrite(const Options& options, CommandResult& result, Make make) {
  auto document = Load(options.file, options, result);
  if (!document || document->diagnostics().has_errors()) return;
  if (!document->ok()) return FailWithoutProgram(options, result);
  const WorkLimit limit(WorkLimit::ForText(document->text().size()));
  make(*document);
}

void Shrink(const Options& options, CommandResult& result) {
  Rewrite(options, result,
          [&](const Document& document) { ShrinkTo(*document.module(), options.shrink, result); });
}

void Isolate(const Options& options, CommandResult& result) {
  Rewrite(options, result, [&](const Document& document) {
    IsolateFrom(document, options.names, options.slice, result);
  });
}

// What the passes of a compiler make of a program.
void RunPassesOver(const Options& options, CommandResult& result) {
  auto document = Load(options.file, options, result);
  if (!document || document->diagnostics().has_errors()) return;
  if (!document->ok() || !document->module()->entry()) {
    return FailWithoutProgram(options, result);
  }
  WritePasses(*document, options.passes, options.json, result);
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

// The plan of the program in a file, or the code of its loops.
template <typename Text>
void PrintPlanAs(const Options& options, CommandResult& result, Text text) {
  auto document = Load(options.file, options, result);
  if (!document || document->diagnostics().has_errors()) return;
  if (!document->ok()) return FailWithoutProgram(options, result);
  const WorkLimit limit(WorkLimit::ForText(document->text().size()));
  result.out = text(*document);
}

void PrintPlan(const Options& options, CommandResult& result) {
  PrintPlanAs(options, result, [&](const Document& document) {
    return options.json ? PlanJson(document) + "\n" : PlanText(document);
  });
}

void PrintWat(const Options& options, CommandResult& result) {
  PrintPlanAs(options, result, PlanCode);
}

void Graph(const Options& options, CommandResult& result) {
  auto document = Load(options.file, options, result);
  // What was read of a program with faults can be looked at.
  if (!document) return;
  if (document->module()) return PrintGraph(*document, options.graph, options.json, result);
  if (document->diagnostics().has_errors()) return;
  Fail(result, kExitDiagnostics, fmt::format("{}: no HLO module", DisplayName(options.file)));
}

void PrintShardings(const Options& options, CommandResult& result) {
  const auto document = Load(options.file, options, result);
  if (!document || document->diagnostics().has_errors()) return;
  if (options.names.size() > 1) {
    return Fail(result, kExitUsage,
                fmt::format("sharding takes one NAME, not {}", options.names.size()));
  }
  const std::string name = options.names.empty() ? "" : options.names[0];
  PrintShardings(*document, name, options.json, DisplayName(options.file), result);
}

void PrintCost(const Options& options, CommandResult& result) {
  const auto document = Load(options.file, options, result);
  if (!document || document->diagnostics().has_errors()) return;
  if (document->ok()) return PrintCost(*document, options.cost, options.json, result);
  FailWithoutProgram(options, result);
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
  FailWithoutProgram(options, result);
}

// Of a module that cannot be converted, every reason is reported and nothing is printed.
void Convert(const Options& options, CommandResult& result) {
  const auto document = ReadDocument(options.file, options, result);
  if (!document) return;
  ConvertView view = ConvertDocument(*document, DialectFromText(options.dialect));
  Report(result, view.diagnostics, DisplayName(options.file), document->text());
  if (!view.ok && !view.diagnostics.has_errors()) {
    return FailWithoutProgram(options, result);
  }
  result.out = std::move(view.text);
  if (view.ok && !result.out.ends_with('\n')) result.out += '\n';
}

void PrintNumber(const Options& options, CommandResult& result) {
  PrintNumber(options.number, result);
}

void PrintLayout(const Options& options, CommandResult& result) {
  PrintLayout({options.shape, options.compared, options.index.has_value(),
               options.index.value_or(""), options.json},
              result);
}

void PrintOps(const Options& options, CommandResult& result) {
  result.out = options.markdown ? OpsMarkdown(AllTargets()) : OpsText();
}

// ---- What they take -----------------------------------------------------------------------------

void AddFileAndInputs(CLI::App* command, Options& options) {
  AddFile(command, options);
  AddInputs(command, options);
}

void DeclareCheck(CLI::App* check, Options& options) {
  check->add_option("FILE", options.files, "HLO text; - is standard input")->required();
  AddInputs(check, options);
  check->add_flag("--layout-sensitive", options.verifier.layout_sensitive,
                  "Layouts count, as after XLA's layout assignment");
  check->add_flag("--no-mixed-precision", options.same_precision,
                  "Floats of different widths in one operation are an error");
  check->add_flag("--strict", options.verifier.strict,
                  "What XLA checks only on request; warnings are errors");
}

void DeclarePrint(CLI::App* print, Options& options) {
  AddFileAndInputs(print, options);
  print->add_flag("--proto", options.as_proto, "As the bytes of XLA's HloProto");
}

void DeclareConvert(CLI::App* convert, Options& options) {
  AddFile(convert, options, "HLO or StableHLO text; - is standard input");
  convert->add_option("--to", options.dialect, "stablehlo or hlo")
      ->required()
      ->check(CLI::IsMember({"stablehlo", "hlo"}));
  AddInputs(convert, options);
}

void DeclareDiff(CLI::App* diff, Options& options) {
  diff->add_option("BEFORE", options.compared, "HLO text; - is standard input")->required();
  diff->add_option("AFTER", options.file, "The text to compare it with")->required();
  AddInputs(diff, options);
  AddJson(diff, options);
}

void DeclareShrink(CLI::App* shrink, Options& options) {
  AddFile(shrink, options);
  AddInputs(shrink, options);
  shrink->add_option("--peak", options.shrink.peak_bytes, "Bytes that it may need (default 64 MiB)")
      ->check(IsWholeNumber(1));
  shrink
      ->add_option("--operations", options.shrink.operations,
                   "Operations that its instructions may take, each run once (default 1e9)")
      ->check(IsAboveZero());
}

void DeclareIsolate(CLI::App* isolate, Options& options) {
  AddFile(isolate, options);
  AddInputs(isolate, options);
  isolate
      ->add_option("NAME", options.names,
                   "Instructions of one computation: name or computation/name")
      ->required();
  isolate->add_flag("--dependencies", options.slice, "With all that they depend on");
}

void DeclarePasses(CLI::App* passes, Options& options) {
  AddFile(passes, options);
  AddInputs(passes, options);
  AddPassesOptions(passes, options.passes);
  AddJson(passes, options);
}

void DeclareMemory(CLI::App* memory, Options& options) {
  AddFile(memory, options, "HLO text or a report; - is standard input");
  AddInputs(memory, options);
  AddJson(memory, options);
}

void DeclarePlan(CLI::App* plan, Options& options) {
  AddFileAndInputs(plan, options);
  AddJson(plan, options);
}

void DeclareGraph(CLI::App* graph, Options& options) {
  AddFileAndInputs(graph, options);
  AddGraphOptions(graph, &options.graph);
  AddJson(graph, options);
}

void DeclareSharding(CLI::App* sharding, Options& options) {
  AddFile(sharding, options);
  AddInputs(sharding, options);
  sharding->add_option("NAME", options.names, "Of this instruction alone");
  AddJson(sharding, options);
}

void DeclareCost(CLI::App* cost, Options& options) {
  AddFile(cost, options);
  cost->add_option("--machine", options.cost.machine,
                   "v4, v5e (default), v5p, v6e, h100, a100, cpu, or here: measured");
  AddJson(cost, options);
  AddInputs(cost, options);
}

void DeclareCompile(CLI::App* compile, Options& options) {
  AddFile(compile, options);
  compile
      ->add_option("-o,--output", options.folder,
                   "The folder of NAME.wasm and NAME.mjs, after FILE; with fused products also of "
                   "NAME.fused.wasm, which NAME.mjs takes on machines that have the instruction")
      ->required();
  AddProducts(compile, options);
  AddMultiplyAdd(compile, options);
  AddInputs(compile, options);
}

void DeclareNumber(CLI::App* number, Options& options) {
  AddNumberOptions(number, &options.number);
}

void DeclareLayout(CLI::App* layout, Options& options) {
  layout
      ->add_option("LAYOUT", options.shape,
                   "A shape, like 'f32[3,5]{1,0:T(2,2)}', or another notation: "
                   "'morello: f32[6,8] [1, 0, 1 p(4)]', 'cute: (4,(2,8)):(16,(1,2))', "
                   "'strides: f32[8,128] (128,1) offset=5'")
      ->required();
  layout->add_option("--compare", options.compared, "A second layout of the same array");
  layout->add_option("--index", options.index, "The address of one element, like 2,3");
  AddJson(layout, options);
}

void DeclareOps(CLI::App* ops, Options& options) {
  ops->add_flag("--markdown", options.markdown, "As a Markdown table");
}

constexpr Subcommand kTextSubcommands[] = {
    {"check", "Report what is wrong with HLO files", DeclareCheck, Check},
    {"print", "Print a module in its canonical form", DeclarePrint, Print},
    {"convert", "Print a module as StableHLO or as HLO", DeclareConvert, Convert},
    {"diff", "Say what became of a module's instructions in another module", DeclareDiff, Diff},
    {"shrink", "Print a module that does the same on smaller arrays", DeclareShrink, Shrink},
    {"isolate", "Print some instructions as a module of their own", DeclareIsolate, Isolate},
    {"passes", "Say what the passes of a compiler do to a module", DeclarePasses, RunPassesOver},
    {"memory", "Say which buffers a module needs, or what an out-of-memory report says",
     DeclareMemory, Memory},
    {"plan", "Say which instructions of a module run as one loop, and why others do not",
     DeclarePlan, PrintPlan},
    {"wat", "Print the WebAssembly that is generated for the loops of a module, as text",
     AddFileAndInputs, PrintWat},
    {"graph", "Print the graph of a program, or a part of it", DeclareGraph, Graph},
    {"sharding", "Say which device has which part of the arrays that have a sharding",
     DeclareSharding, PrintShardings},
    {"cost", "Say what a module costs by a model: operations, bytes, time on a machine",
     DeclareCost, PrintCost},
    {"compile",
     "Write a module as WebAssembly that runs without this project, and JavaScript that runs it",
     DeclareCompile, Compile},
    {"number", "Say how a number looks in the float and integer types: its bits", DeclareNumber,
     PrintNumber},
    {"layout", "Say how an array lies in memory", DeclareLayout, PrintLayout},
    {"ops", "List the opcodes", DeclareOps, PrintOps},
};

}  // namespace

std::span<const Subcommand> TextSubcommands() { return kTextSubcommands; }

}  // namespace hlo
