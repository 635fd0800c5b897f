// Two programs compared: what became of the instructions of one in the other.
#ifndef HLO_ENGINE_VIEWS_DIFF_VIEW_H_
#define HLO_ENGINE_VIEWS_DIFF_VIEW_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/diff/module_diff.h"
#include "engine/views/document.h"

namespace hlo {

/// Two documents and what differs.
struct DiffView {
  std::shared_ptr<const Document> before, after;
  bool ok = false;  ///< Both are programs without errors: there is a diff.
  ModuleDiff diff{};
  LinePairs lines{};  ///< Of both texts that correspond.
};
/// Throws what counting work throws.
DiffView MakeDiffView(std::shared_ptr<const Document> before,
                      std::shared_ptr<const Document> after);

/// ModuleDiff of wasm/engine_api.ts without its numbers. `options` is a DiffOptions. `lines`
/// becomes the pairs of lines; `marks` what the lines of the changes are marked with: side (0
/// before, 1 after), line, kind.
std::string DiffJson(const DiffView& view, std::string_view options, std::vector<uint32_t>* lines,
                     std::vector<uint32_t>* marks);

/// The same as text: totals, counts, and every change in a line.
std::string DiffText(const DiffView& view);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_DIFF_VIEW_H_
