#include "engine/cli/sharding_command.h"

#include <fmt/format.h>

#include "engine/cli/reporting.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/sharding_view.h"

namespace hlo {

void PrintShardings(const Document& document, const std::string& name, bool json,
                    const std::string& file, CommandResult& result) {
  const std::string bare = name.substr(name.rfind('%', 0) == 0 ? 1 : 0);
  const std::string text = ShardingsText(document, bare);
  if (text.empty()) {
    return Fail(result, kExitDiagnostics,
                fmt::format("{}: no sharding{}", file,
                            bare.empty() ? "" : fmt::format(" of an instruction {}", bare)));
  }
  result.out = json ? ShardingsJson(document, JsonText(ObjectJson({{"name", bare}}))) + "\n" : text;
}

}  // namespace hlo
