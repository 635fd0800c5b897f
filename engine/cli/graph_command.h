// `hlo graph`: a program as a graph, or a part of it.
#ifndef HLO_ENGINE_CLI_GRAPH_COMMAND_H_
#define HLO_ENGINE_CLI_GRAPH_COMMAND_H_

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "engine/cli/command.h"
#include "engine/views/document.h"

namespace hlo {

/// What the command line says of the picture.
struct GraphArguments {
  std::string computation;
  std::string focus;
  int radius = -1;
  int limit = 0;
  std::vector<std::string> open;
  bool with_constants = false;
  bool dot = false;
};

/// Declares what the subcommand takes beside a file.
void AddGraphOptions(CLI::App* graph, GraphArguments* arguments);

/// Writes boxes and edges: in words, as JSON, or for Graphviz.
void PrintGraph(const Document& document, const GraphArguments& arguments, bool json,
                CommandResult& result);

}  // namespace hlo

#endif  // HLO_ENGINE_CLI_GRAPH_COMMAND_H_
