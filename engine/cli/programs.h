// Several programs in one file.
#ifndef HLO_ENGINE_CLI_PROGRAMS_H_
#define HLO_ENGINE_CLI_PROGRAMS_H_

#include <string>
#include <vector>

namespace hlo {

/// The programs of a file, which lines that begin with `// -----` part; those that are comments
/// alone are left out. Each has as many empty lines before it that its places are those of the
/// file. At least one, if only the whole text.
std::vector<std::string> ProgramsOf(const std::string& text);

}  // namespace hlo

#endif  // HLO_ENGINE_CLI_PROGRAMS_H_
