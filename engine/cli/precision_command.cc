#include "engine/cli/precision_command.h"

#include <algorithm>

#include "engine/cli/run_arguments.h"
#include "engine/run/input_forms.h"
#include "engine/views/precision_view.h"
#include "engine/views/target_families.h"

namespace hlo {

void AddPrecisionCommand(CLI::App& app, const PrecisionPlaces& places,
                         PrecisionArguments* arguments) {
  auto* precision = app.add_subcommand(
      "precision",
      "Say how far the values of a run are from those of a more precise one, and where they part");
  precision->add_option("FILE", *places.file, "HLO text; - is standard input")->required();
  precision->add_option("OTHER", *places.other,
                        "A program to compare with, instead of FILE in wider floats");
  precision->add_option("--as", arguments->as, "What narrower floats are read as (default f64)")
      ->check(CLI::IsMember({"f32", "f64"}));
  precision->add_option("--input", *places.inputs, "N=VALUE, as of run")->allow_extra_args(false);
  precision->add_option("--seed", *places.seed, "Seed of random inputs and of rng (default 0)");
  precision->add_flag("--json", arguments->json, "Print everything as JSON");
}

void PrintPrecision(std::shared_ptr<const Document> document, std::shared_ptr<const Document> other,
                    const PrecisionArguments& arguments, CommandResult& result) {
  const CustomCallTargets targets(AllTargets());
  RunRequest request;
  request.options.custom_calls = &targets;
  request.options.seed = arguments.seed;
  request.options.input_forms = &AllInputForms();
  request.limits.memory_bytes = uint64_t{2} << 30;
  std::string problem;
  for (const std::string& input : arguments.inputs) {
    if (AddInput(input, request, &problem)) continue;
    result.err += "hlo: " + problem + "\n";
    result.status = std::max(result.status, kExitUsage);
    return;
  }
  const ElementType wide = arguments.as == "f32" ? ElementType::kF32 : ElementType::kF64;
  const PrecisionView view = MakePrecisionView(document, other, request, wide);
  const LineTable lines(document->text());
  for (const Diagnostic& fault : view.faults.list()) {
    result.err += FormatDiagnostic(fault, "precision", lines);
  }
  if (!view.ok) {
    result.status = std::max(result.status, kExitDiagnostics);
    return;
  }
  result.out = arguments.json ? PrecisionJson(view, true) + "\n" : PrecisionText(view);
}

}  // namespace hlo
