#include "engine/cli/command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <new>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "engine/cli/reporting.h"
#include "engine/cli/subcommand.h"
#include "engine/views/guard.h"
#include "engine/views/session.h"

namespace hlo {
namespace {

void RunLine(const std::vector<std::string>& args, CommandResult& result) {
  Options options;
  CLI::App app("Parses, verifies, runs and explains XLA HLO.", "hlo");
  app.set_version_flag("--version", std::string(EngineVersion()));
  app.require_subcommand(1);
  std::vector<Subcommand> rows;
  for (const std::span<const Subcommand> family : {RunSubcommands(), TextSubcommands()}) {
    rows.insert(rows.end(), family.begin(), family.end());
  }
  for (const Subcommand& row : rows) row.declare(app.add_subcommand(row.name, row.doc), options);
  const auto is_first = [&](const Subcommand& row) { return row.name == args.front(); };
  if (!args.empty() && !args.front().starts_with('-') &&
      std::none_of(rows.begin(), rows.end(), is_first)) {
    return Fail(result, kExitUsage,
                fmt::format("there is no command '{}': hlo --help lists them", args.front()));
  }
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
  const std::string& chosen = app.get_subcommands().front()->get_name();
  const auto is_chosen = [&](const Subcommand& row) { return row.name == chosen; };
  std::find_if(rows.begin(), rows.end(), is_chosen)->run(options, result);
}

}  // namespace

CommandResult RunCommand(const std::vector<std::string>& args,
                         std::function<void(CommandResult&)> show) {
  CommandResult result;
  result.show = std::move(show);
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
