// What a text is and contains: the facts behind diagnostics and the outline.
#ifndef HLO_ENGINE_VIEWS_CHECK_VIEW_H_
#define HLO_ENGINE_VIEWS_CHECK_VIEW_H_

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/source.h"
#include "engine/views/document.h"
#include "engine/views/list_window.h"

namespace hlo {

/// A parameter of the entry computation.
struct ParameterView {
  std::string name;
  std::string shape;  ///< with layout
  Range range;        ///< of the name, in bytes
  /// The written type, if it leaves sizes unknown (`tensor<?x4xf32>`); `shape` is then the one that
  /// follows from the inputs, or empty.
  std::string open_type;
};

/// Facts about a text; its diagnostics are the document's.
struct CheckView {
  TextKind kind = TextKind::kEmpty;
  bool ok = false;
  std::string module_name;
  std::vector<ParameterView> parameters;  ///< by number; holes of bad programs left out
  bool elided = false;                    ///< The values of constants are left out.
  bool wants_inputs = false;              ///< what the program is depends on its inputs
  std::string result;                     ///< shape of the entry's result, empty if unknown
  size_t instruction_count = 0;
  size_t computation_count = 0;
  int64_t replica_count = 1;
  int64_t num_partitions = 1;
};
CheckView MakeCheckView(const Document& document);

/// CheckResult of wasm/engine_api.ts.
std::string CheckJson(const Document& document);
/// ComputationInfo[]: every computation with its instructions, in the order of the text.
std::string OutlineJson(const Document& document, const ListWindow& window);
/// [kind, begin, end] of every token, offsets in UTF-16 code units.
std::vector<uint32_t> TokensView(std::string_view text, Languages languages = AllLanguages());
/// [kind, begin, end] of everything that folds, likewise.
std::vector<uint32_t> FoldsView(std::string_view text, Languages languages = AllLanguages());
/// The canonical form of HLO text, StableHLO text indented; else, and where HLO text does not
/// parse, the text itself.
std::string FormatText(const Document& document);
/// Language::format of HLO.
std::string FormatHlo(const Document& document);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_CHECK_VIEW_H_
