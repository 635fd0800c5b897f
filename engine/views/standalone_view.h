// A program as files that run without this project: `hlo compile`.
#ifndef HLO_ENGINE_VIEWS_STANDALONE_VIEW_H_
#define HLO_ENGINE_VIEWS_STANDALONE_VIEW_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/diagnostics.h"
#include "engine/ops/products/product_rounding.h"
#include "engine/standalone/standalone.h"
#include "engine/views/document.h"

namespace hlo {

struct StandaloneView {
  bool ok = false;
  CodeBytes module;        ///< NAME.wasm
  CodeBytes fused_module;  ///< NAME.fused.wasm, which the script chooses where it is right; or none
  std::string script;      ///< NAME.mjs: the JavaScript that runs it on typed arrays
  int64_t arena_bytes = 0;   ///< of all arrays
  int64_t memory_bytes = 0;  ///< with the constants
  /// Those of the document; if it has none, why the program cannot be compiled.
  Diagnostics diagnostics;
};

/// The files of a program, which will have this name.
StandaloneView MakeStandalone(const Document& document, std::string_view name,
                              ProductRounding products = nullptr,
                              MultiplyAdd multiply_add = MultiplyAdd::kSeparate);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_STANDALONE_VIEW_H_
