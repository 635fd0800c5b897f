// A parsed text and what front ends repeatedly need of it: the module, the diagnostics, the map
// between bytes and UTF-16.
#ifndef HLO_ENGINE_VIEWS_DOCUMENT_H_
#define HLO_ENGINE_VIEWS_DOCUMENT_H_

#include <memory>
#include <string>
#include <string_view>

#include "engine/base/diagnostics.h"
#include "engine/hlo/ir.h"
#include "engine/hlo/verifier.h"
#include "engine/mlir/importer.h"
#include "engine/views/language.h"
#include "engine/views/text_map.h"

namespace hlo {

/// Immutable once made.
class Document {
 public:
  /// Parses and, if there is no error, verifies. Never fails: errors are diagnostics. `inputs`
  /// describe the entry's arguments: MLIR with unknown sizes is made static by them. `languages`
  /// are the ones to recognise.
  explicit Document(std::string text, const VerifierOptions& verifier = {},
                    std::vector<std::string> inputs = {}, Languages languages = AllLanguages());
  /// An empty document with these diagnostics, for a text that could not be processed.
  explicit Document(Diagnostics faults);
  Document(const Document&) = delete;
  Document& operator=(const Document&) = delete;

  const std::string& text() const { return text_; }
  const TextMap& map() const { return map_; }
  TextKind kind() const { return language_->kind; }
  const Language& language() const { return *language_; }
  /// The languages that were considered.
  Languages languages() const { return languages_; }
  /// Null if nothing of the text was usable. May be run only if `ok()`.
  const Module* module() const { return module_.get(); }
  const Diagnostics& diagnostics() const { return diagnostics_; }
  /// Whether the program depends on the inputs that it was given.
  bool wants_inputs() const { return arguments_.wanted; }
  /// The inputs for the entry's arguments, and what the import determined about them.
  const MlirArguments& arguments() const { return arguments_; }
  /// The entry's arguments as written in MLIR text; empty for other texts.
  const std::vector<MlirArguments::Written>& written_arguments() const {
    return arguments_.written;
  }
  /// No errors, and there is a module.
  bool ok() const { return module_ != nullptr && !diagnostics_.has_errors(); }

 private:
  void Read(const VerifierOptions& verifier);

  std::string text_;
  TextMap map_;
  Languages languages_;
  const Language* language_ = &NoLanguage();
  Diagnostics diagnostics_;
  MlirArguments arguments_;
  std::unique_ptr<Module> module_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_DOCUMENT_H_
