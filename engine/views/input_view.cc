#include "engine/views/input_view.h"

#include <fmt/format.h>

#include <utility>

#include "engine/mlir/importer.h"
#include "engine/run/inputs.h"
#include "engine/views/guard.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/run_inputs.h"
#include "engine/views/text_map.h"

namespace hlo {

std::string InputFaultsJson(const Document& document, int64_t parameter, std::string_view spec,
                            const InputForms* forms) {
  Json list = Json::array();
  const Computation* const entry = document.module() ? document.module()->entry() : nullptr;
  if (!entry || parameter < 0 || parameter >= static_cast<int64_t>(entry->parameters().size())) {
    return JsonText(list);
  }
  const std::string text = HloInputSpec(spec);
  const TextMap map(text);
  const Shape& shape = entry->parameters()[static_cast<size_t>(parameter)]->shape();
  Diagnostics faults;
  CheckInput(text, shape, faults, forms);
  // A type of MLIR in front of it has been translated.
  const uint32_t units = TextMap(spec).ToUnits(static_cast<uint32_t>(spec.size()));
  const uint32_t shift = units - map.ToUnits(static_cast<uint32_t>(text.size()));
  for (const Diagnostic& fault : faults.list()) {
    const uint32_t moved = text == spec ? 0 : shift;
    list.push_back(ObjectJson({{"message", fault.message},
                               {"range", Json::array({map.ToUnits(fault.range.begin) + moved,
                                                      map.ToUnits(fault.range.end) + moved})}}));
  }
  return JsonText(list);
}

std::unique_ptr<RunRecord> MakeInputRecord(std::shared_ptr<const Document> document,
                                           const RunRequest& request, int64_t parameter,
                                           Diagnostics& diagnostics) {
  auto record = std::make_unique<RunRecord>();
  record->document = std::move(document);
  record->budget = std::make_unique<Budget>(request.limits);
  bool is_made = false;
  Guarded(record->diagnostics, [&] {
    if (record->document->wants_inputs()) {
      record->document =
          std::make_shared<const Document>(record->document->text(), VerifierOptions(),
                                           InputsOf(request), record->document->languages());
    }
    if (!record->document->ok() || !record->document->module()->entry()) {
      for (const Diagnostic& fault : record->document->diagnostics().list()) {
        record->diagnostics.Report(fault.code, fault.range, fault.message);
      }
      return;
    }
    auto value = MakeOneInput(*record, request, parameter);
    if (!value) return;
    record->inputs.resize(static_cast<size_t>(parameter) + 1);
    record->inputs.back() = std::move(*value);
    is_made = true;
  });
  diagnostics = record->diagnostics;
  return is_made ? std::move(record) : nullptr;
}

}  // namespace hlo
