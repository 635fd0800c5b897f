// What of a text can be folded away: bodies of computations, and what dumps write behind every
// instruction.
#ifndef HLO_ENGINE_VIEWS_FOLDS_H_
#define HLO_ENGINE_VIEWS_FOLDS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/base/source.h"

namespace hlo {

/// In the order of FOLD_KINDS of wasm/text_types.ts.
enum class FoldKind : uint8_t {
  kEntry,  ///< the body of the entry
  kComputation,
  kMetadata,
  kConfig,  ///< of a backend
  kLayout,
  kAttribute,  ///< another long one
  kLiteral,
};

struct Foldable {
  FoldKind kind;
  Range range;  ///< what is hidden: brackets and quotes around it stay
};

/// Language::folds of HLO. Linear; the text need not parse.
std::vector<Foldable> FoldHlo(std::string_view text);
/// Of MLIR.
std::vector<Foldable> FoldMlir(std::string_view text);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_FOLDS_H_
