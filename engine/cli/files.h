// Files, and standard input, read and written.
#ifndef HLO_ENGINE_CLI_FILES_H_
#define HLO_ENGINE_CLI_FILES_H_

#include <optional>
#include <string>
#include <string_view>

namespace hlo {

/// The bytes of a file; of standard input for `-`. On failure nothing, and `*problem` says why.
std::optional<std::string> ReadWhole(const std::string& path, std::string* problem);

/// The next line of standard input, without its end; false: there is no more.
bool ReadLine(std::string* line);

/// Writes a file, whatever it was before. On failure false, and `*problem` says why.
bool WriteWhole(const std::string& path, std::string_view bytes, std::string* problem);

}  // namespace hlo

#endif  // HLO_ENGINE_CLI_FILES_H_
