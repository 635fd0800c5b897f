#include "engine/cli/diff.h"

#include <utility>
#include <vector>

#include "engine/base/work_limit.h"
#include "engine/views/diff_view.h"

namespace hlo {

void DiffDocuments(std::shared_ptr<const Document> before, std::shared_ptr<const Document> after,
                   bool as_json, CommandResult& result) {
  const WorkLimit limit(WorkLimit::ForText(before->text().size() + after->text().size()));
  const DiffView view = MakeDiffView(std::move(before), std::move(after));
  if (!view.ok) return;
  if (!as_json) {
    result.out = DiffText(view);
    return;
  }
  std::vector<uint32_t> lines, marks;
  result.out = DiffJson(view, "", &lines, &marks) + "\n";
}

}  // namespace hlo
