#include "engine/mlir/import/name_fixes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/hlo/suggestion.h"
#include "engine/mlir/ops/op_row.h"
#include "engine/ops/other_names.h"

namespace hlo::mlir {

void SuggestOperation(std::string_view name, Range range, Diagnostic* diagnostic) {
  const size_t dot = name.find('.');
  if (dot == std::string_view::npos) return;
  const std::string_view dialect = name.substr(0, dot + 1);
  const auto other = OpcodeOfOtherName(name.substr(dot + 1));
  std::vector<std::string> known;
  for (const std::span<const OpRow> family : AllRows()) {
    for (const OpRow& row : family) {
      std::string full = row.full_name();
      if (!full.starts_with(dialect)) continue;
      if (other && row.opcode == other) {
        diagnostic->fixes.push_back({fmt::format("it is called `{}` here", full), range, full});
        return;
      }
      known.push_back(std::move(full));
    }
  }
  AddSuggestion(name, std::vector<std::string_view>(known.begin(), known.end()), range, diagnostic);
}

void SuggestValue(std::string_view name, const Scope& scope, Range range, Diagnostic* diagnostic) {
  std::vector<std::string> known;
  for (const Scope* each = &scope; each; each = each->outer) {
    for (const auto& [other, values] : each->names) known.push_back(fmt::format("%{}", other));
  }
  std::sort(known.begin(), known.end());
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  AddSuggestion(fmt::format("%{}", name), candidates, range, diagnostic);
}

}  // namespace hlo::mlir
