// Diagnostics as data: what is wrong, where, and what would fix it.
#ifndef HLO_ENGINE_BASE_DIAGNOSTICS_H_
#define HLO_ENGINE_BASE_DIAGNOSTICS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/source.h"

namespace hlo {

enum class Severity : uint8_t { kError, kWarning, kInfo };

/// One enumerator per row of diag.def: `DiagCode::kSyntaxError`, ...
enum class DiagCode : uint8_t {
#define DIAG(name, id, severity, meaning) k##name,
#include "engine/base/diag.def"
};

/// The table row of a code.
struct DiagInfo {
  std::string_view id;       ///< Stable text, for links, JSON and tests.
  Severity severity;         ///< The severity it is reported with.
  std::string_view meaning;  ///< One sentence.
};
const DiagInfo& GetDiagInfo(DiagCode code);

/// A second place that explains the first ("previously defined here").
struct Note {
  Range range;
  std::string message;
};

/// An edit that would fix the fault.
struct Fix {
  std::string title;
  Range range;
  std::string replacement;
};

struct Diagnostic {
  DiagCode code;
  Severity severity;
  Range range;
  std::string message;
  std::vector<Note> notes;
  std::vector<Fix> fixes;

  /// Adds an edit, unless its replacement text is too long to be readable.
  void AddFix(std::string title, Range place, std::string replacement) {
    constexpr size_t kLongest = 10'000;
    if (replacement.size() > kLongest) return;
    fixes.push_back({std::move(title), place, std::move(replacement)});
  }
};

/// Collects the diagnostics of a pass. Bounded: after kMaxKept errors the rest
/// is only counted, so that no input makes it grow without limit.
class Diagnostics {
 public:
  static constexpr size_t kMaxKept = 1000;

  /// Adds a diagnostic with the severity of its code; the reference returned is for adding notes
  /// and fixes at once, and is invalidated by the next call. A message of more than 10,000 bytes is
  /// cut.
  Diagnostic& Report(DiagCode code, Range range, std::string message);
  /// The same with another severity.
  Diagnostic& Report(DiagCode code, Severity severity, Range range, std::string message);

  const std::vector<Diagnostic>& list() const { return list_; }
  bool has_errors() const { return error_count_ > 0; }
  size_t error_count() const { return error_count_; }
  bool empty() const { return list_.empty(); }
  /// Drops everything reported after a mark (`size()`), for trial parses.
  size_t size() const { return list_.size(); }
  void TruncateTo(size_t size);
  /// Orders by place in the text; equal places keep the order of reporting.
  void SortByRange();

 private:
  std::vector<Diagnostic> list_;
  Diagnostic overflow_{};
  size_t error_count_ = 0;
};

/// The text for terminals: "file:3:5: error: message [id]", the source line,
/// a caret line under the range, then notes and fixes in the same form.
std::string FormatDiagnostic(const Diagnostic& diagnostic, std::string_view file,
                             const LineTable& lines);

}  // namespace hlo

#endif  // HLO_ENGINE_BASE_DIAGNOSTICS_H_
