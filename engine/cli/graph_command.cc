#include "engine/cli/graph_command.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/base/work_limit.h"
#include "engine/cli/options.h"
#include "engine/cli/reporting.h"
#include "engine/graph/dot_text.h"
#include "engine/graph/drawn_graph.h"
#include "engine/graph/program_graph.h"
#include "engine/views/graph_view.h"
#include "engine/views/names.h"

namespace hlo {
void AddGraphOptions(CLI::App* graph, GraphArguments* arguments) {
  graph->add_option("--computation", arguments->computation,
                    "The outermost computation (default: the entry)");
  graph->add_option("--focus", arguments->focus,
                    "An instruction: name or computation/name; what it is in is opened");
  graph
      ->add_option("--radius", arguments->radius,
                   "Only what is this many steps from the focus, along operands and along users")
      ->check(IsWholeNumber(0, INT32_MAX));
  graph
      ->add_option("--limit", arguments->limit,
                   "Boxes of the outermost computation, 20 to 1000 (default 125); one of more "
                   "instructions is "
                   "drawn as 16 stretches of the text")
      ->check(IsWholeNumber(GraphOptions::kLeastBoxes, GraphOptions::kMostBoxes));
  graph
      ->add_option("--open", arguments->open,
                   "A box to open, by its id: main/while.1, main/while.1:body/fusion.2")
      ->allow_extra_args(false);
  graph->add_flag("--constants", arguments->with_constants,
                  "Constants and broadcasts of scalars have boxes of their own");
  graph->add_flag("--dot", arguments->dot, "For Graphviz");
}

void PrintGraph(const Document& document, const GraphArguments& arguments, bool json,
                CommandResult& result) {
  const Module& module = *document.module();
  const WorkLimit limit(WorkLimit::ForText(document.text().size()));
  GraphOptions options;
  options.radius = arguments.radius;
  options.open = arguments.open;
  options.folds_constants = !arguments.with_constants;
  if (arguments.limit > 0) options.limit = arguments.limit;
  if (!arguments.computation.empty()) {
    options.computation = module.FindComputation(BareName(arguments.computation));
    if (!options.computation) {
      return Fail(result, kExitUsage, fmt::format("no computation '{}'", arguments.computation));
    }
  }
  if (!arguments.focus.empty()) {
    std::string problem;
    options.focus = OneInstruction(document, arguments.focus, &problem, options.computation);
    options.reveals_focus = true;
    if (!options.focus) return Fail(result, kExitUsage, problem);
  } else if (arguments.radius >= 0) {
    return Fail(result, kExitUsage, "--radius needs a --focus");
  }
  const ProgramGraph graph(module);
  const DrawnGraph drawn = DrawGraph(graph, options);
  for (const std::string& id : options.open) {
    const auto has_id = [&](const GraphBox& box) { return box.id == id; };
    if (std::any_of(drawn.boxes.begin(), drawn.boxes.end(), has_id)) continue;
    return Fail(result, kExitUsage, fmt::format("no box '{}' to open", id));
  }
  if (json) {
    result.out = GraphJson(document, options) + "\n";
    return;
  }
  result.out = arguments.dot ? DotText(drawn) : GraphText(drawn);
}

}  // namespace hlo
