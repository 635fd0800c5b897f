// All languages: those of HloLanguages(), with StableHLO fully supported.
#include <algorithm>
#include <vector>

#include "engine/mlir/text/tokens.h"
#include "engine/views/completion_view.h"
#include "engine/views/document.h"
#include "engine/views/language.h"
#include "engine/views/mlir_view.h"

namespace hlo {
namespace {

std::unique_ptr<Module> ReadMlir(const std::string& text, const ParseOptions&,
                                 Diagnostics& diagnostics, MlirArguments& arguments) {
  return ImportMlir(text, diagnostics, nullptr, &arguments);
}

std::string FormatMlirDocument(const Document& document) { return FormatMlir(document.text()); }

constexpr Language kMlirLanguage = {.kind = TextKind::kMlir,
                                    .recognise = LooksLikeMlir,
                                    .read = ReadMlir,
                                    .tokens = TokenizeMlir,
                                    .folds = FoldMlir,
                                    .format = FormatMlirDocument,
                                    .add_place = AddMlirPlace,
                                    .complete = MakeMlirCompletion};

}  // namespace

Languages AllLanguages() {
  static const std::vector<Language> kLanguages = [] {
    const Languages without = HloLanguages();
    std::vector<Language> rows(without.begin(), without.end());
    std::replace_if(
        rows.begin(), rows.end(), [](const Language& row) { return row.kind == TextKind::kMlir; },
        kMlirLanguage);
    return rows;
  }();
  return kLanguages;
}

}  // namespace hlo
