// The `hlo` command without its main(): what each subcommand does, on streams that tests can read.
#ifndef HLO_ENGINE_CLI_COMMAND_H_
#define HLO_ENGINE_CLI_COMMAND_H_

#include <functional>
#include <string>
#include <vector>

namespace hlo {

/// Exit statuses.
inline constexpr int kExitGood = 0;
inline constexpr int kExitDiagnostics = 1;
inline constexpr int kExitUsage = 2;

/// What a command writes and how it ends.
struct CommandResult {
  int status = kExitGood;
  std::string out;
  std::string err;
  /// Writes and clears what is there, before a command waits for somebody; without it all is
  /// written at the end.
  std::function<void(CommandResult&)> show = nullptr;
};

/// Runs one command line; `args` without the program's name. Reads files, and standard input for
/// the file name `-`; writes into the result, and the files that it is told to. `show`: the
/// result's.
CommandResult RunCommand(const std::vector<std::string>& args,
                         std::function<void(CommandResult&)> show = nullptr);

}  // namespace hlo

#endif  // HLO_ENGINE_CLI_COMMAND_H_
