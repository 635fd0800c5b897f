// Files and standard input, read whole.
#ifndef HLO_ENGINE_CLI_FILES_H_
#define HLO_ENGINE_CLI_FILES_H_

#include <optional>
#include <string>

namespace hlo {

/// The bytes of a file; of standard input for `-`. On failure nothing, and `*problem` says why.
std::optional<std::string> ReadWhole(const std::string& path, std::string* problem);

}  // namespace hlo

#endif  // HLO_ENGINE_CLI_FILES_H_
