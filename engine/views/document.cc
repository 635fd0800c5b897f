#include "engine/views/document.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/base/characters.h"
#include "engine/base/work_limit.h"
#include "engine/hlo/parser.h"
#include "engine/hlo/verifier.h"
#include "engine/io/memory_report.h"
#include "engine/mlir/importer.h"
#include "engine/run/probes.h"
#include "engine/views/guard.h"
#include "engine/views/layout_recognition.h"
#include "engine/views/mlir_checks.h"

namespace hlo {
namespace {

std::string_view WithoutSpace(std::string_view text) {
  while (const size_t space = SpaceLength(text, 0)) text.remove_prefix(space);
  return text;
}

std::string_view FirstWord(std::string_view text) {
  text = WithoutSpace(text);
  return text.substr(0, text.find_first_of(" \t\r\n{:[(=,/"));
}

// The text from the first line on that is neither empty nor a `#` comment of protocol-buffer text.
std::string_view WithoutHashLines(std::string_view text) {
  while (true) {
    text = WithoutSpace(text);
    if (!text.starts_with('#')) return text;
    text.remove_prefix(LineEnd(text, 0));
  }
}

// Protocol-buffer text is `field: value` and `field { ... }` with the field names of HloProto.
bool LooksLikeProtobuf(std::string_view text) {
  constexpr std::string_view kFields[] = {"hlo_module", "name", "entry_computation_name",
                                          "computations", "id"};
  text = WithoutHashLines(text);
  const std::string_view word = FirstWord(text);
  if (std::find(std::begin(kFields), std::end(kFields), word) == std::end(kFields)) return false;
  const std::string_view rest = text.substr(word.size());
  const size_t after = rest.find_first_not_of(" \t");
  return after != std::string_view::npos && (rest[after] == ':' || rest[after] == '{') &&
         text.find("computations") != std::string_view::npos;
}

TextKind KindOf(const std::string& text) {
  if (WithoutSpace(text).empty()) return TextKind::kEmpty;
  if (LooksLikeProtobuf(text)) return TextKind::kProtobuf;
  if (LooksLikeMlir(text)) return TextKind::kMlir;
  if (FirstWord(text) != "HloModule" && LooksLikeMemoryReport(text)) return TextKind::kMemoryReport;
  return LooksLikeLayout(text) ? TextKind::kLayout : TextKind::kHlo;
}

}  // namespace

std::string_view TextKindName(TextKind kind) {
  constexpr std::string_view kNames[] = {"empty",    "hlo",  "layout",
                                         "protobuf", "mlir", "memory-report"};
  return kNames[static_cast<size_t>(kind)];
}

Document::Document(std::string text, const VerifierOptions& verifier,
                   std::vector<std::string> inputs)
    : text_(std::move(text)), map_(text_) {
  arguments_.specs = std::move(inputs);
  const bool read = Guarded(diagnostics_, [&] {
    const WorkLimit limit(WorkLimit::ForText(text_.size()));
    Read(verifier);
  });
  if (!read) module_.reset();
  diagnostics_.SortByRange();
}

Document::Document(Diagnostics faults)
    : map_(text_), kind_(TextKind::kEmpty), diagnostics_(std::move(faults)) {}

void Document::Read(const VerifierOptions& verifier) {
  kind_ = KindOf(text_);
  // A layout or a report is no program, and no fault either.
  if (kind_ == TextKind::kLayout || kind_ == TextKind::kMemoryReport) return;
  if (kind_ == TextKind::kMlir) {
    RegisterMlirChecks();
    RegisterInterpreterTargets();
    module_ = ImportMlir(text_, diagnostics_, nullptr, &arguments_);
  } else {
    module_ = ParseModule(text_, diagnostics_);
  }
  if (module_ && !diagnostics_.has_errors()) VerifyModule(*module_, diagnostics_, verifier);
}

}  // namespace hlo
