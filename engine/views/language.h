// The languages that a text can be written in: one row each. A build of the engine is given the
// rows of the languages it contains.
#ifndef HLO_ENGINE_VIEWS_LANGUAGE_H_
#define HLO_ENGINE_VIEWS_LANGUAGE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/diagnostics.h"
#include "engine/base/source.h"
#include "engine/hlo/ir.h"
#include "engine/hlo/parser.h"
#include "engine/mlir/importer.h"
#include "engine/views/folds.h"

namespace hlo {

class Document;
struct CompletionView;
struct PlaceView;

/// What a text turned out to be.
enum class TextKind : uint8_t { kEmpty, kHlo, kLayout, kProtobuf, kMlir, kMemoryReport, kForeign };
/// "empty", "hlo", "layout" (of one array, in any notation; a shape alone too), "protobuf", "mlir",
/// "memory-report", "foreign" (something else that people have at hand: Python, a jaxpr, prose).
std::string_view TextKindName(TextKind kind);

/// A language. Functions that do not apply are null.
struct Language {
  TextKind kind = TextKind::kEmpty;
  bool (*recognise)(std::string_view text) = nullptr;
  /// Parses the program; null if nothing of the text is usable. Without this function a text is not
  /// a program, which is no error.
  std::unique_ptr<Module> (*read)(const std::string& text, const ParseOptions& options,
                                  Diagnostics& diagnostics, MlirArguments& arguments) = nullptr;
  std::vector<Token> (*tokens)(std::string_view text) = nullptr;
  /// What can be folded away, in order of its beginning.
  std::vector<Foldable> (*folds)(std::string_view text) = nullptr;
  /// The canonical form.
  std::string (*format)(const Document& document) = nullptr;
  /// Adds to what the module provides for a place. `offset` in bytes.
  void (*add_place)(const Document& document, uint32_t offset, PlaceView& view) = nullptr;
  /// Completions at a place. `offset` in bytes.
  CompletionView (*complete)(const Document& document, uint32_t offset) = nullptr;
};

/// The first row that recognises a text is the text's language; the last one accepts every text.
using Languages = std::span<const Language>;

/// All languages.
Languages AllLanguages();
/// For a build that does not read StableHLO: StableHLO text is recognised and reported as
/// unsupported.
Languages HloLanguages();
/// The row for texts of unknown language.
const Language& NoLanguage();
/// The row of a text.
const Language& LanguageOf(std::string_view text, Languages languages);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_LANGUAGE_H_
