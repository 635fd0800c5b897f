// Several programs in one file.
#ifndef HLO_ENGINE_CLI_PROGRAMS_H_
#define HLO_ENGINE_CLI_PROGRAMS_H_

#include <string>
#include <vector>

namespace hlo {

/// The programs of a file, separated by lines `// -----`, on which a remark may follow; those that
/// consist of comments only are left out. Each is padded with empty lines in front, so that its
/// line numbers are those of the file. At least one program; if there is none, the whole text.
std::vector<std::string> ProgramsOf(const std::string& text);

}  // namespace hlo

#endif  // HLO_ENGINE_CLI_PROGRAMS_H_
