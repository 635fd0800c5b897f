// Compiler passes over a document's program, as the page and the command show them.
#ifndef HLO_ENGINE_VIEWS_PASSES_VIEW_H_
#define HLO_ENGINE_VIEWS_PASSES_VIEW_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/passes/passes.h"
#include "engine/views/document.h"

namespace hlo {

/// What some passes made of a program; several questions are about it.
struct PassesView {
  std::string text;  ///< The program's.
  std::vector<const Pass*> passes;
  PassCounts before;
  std::vector<PassStep> steps;
};

/// The document's program after each of some passes: PassesResult of wasm/engine_api.ts. `options`
/// are its PassesOptions. `kept`, if not null: what was made last, which is used where it is of
/// this text and these passes, and replaced otherwise.
std::string PassesJson(const Document& document, std::string_view options,
                       std::shared_ptr<const PassesView>* kept = nullptr);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_PASSES_VIEW_H_
