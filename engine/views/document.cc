#include "engine/views/document.h"

#include <utility>

#include "engine/base/work_limit.h"
#include "engine/hlo/verifier.h"
#include "engine/views/guard.h"

namespace hlo {

Document::Document(std::string text, const VerifierOptions& verifier,
                   std::vector<std::string> inputs, Languages languages)
    : text_(std::move(text)), map_(text_), languages_(languages) {
  arguments_.specs = std::move(inputs);
  const bool read = Guarded(diagnostics_, [&] {
    const WorkLimit limit(WorkLimit::ForText(text_.size()));
    Read(verifier);
  });
  if (!read) module_.reset();
  diagnostics_.SortByRange();
}

Document::Document(Diagnostics faults) : map_(text_), diagnostics_(std::move(faults)) {}

void Document::Read(const VerifierOptions& verifier) {
  language_ = &LanguageOf(text_, languages_);
  if (!language_->read) return;
  const ParseOptions options{.takes_lines = !verifier.strict};
  module_ = language_->read(text_, options, diagnostics_, arguments_);
  if (module_ && !diagnostics_.has_errors()) VerifyModule(*module_, diagnostics_, verifier);
}

}  // namespace hlo
