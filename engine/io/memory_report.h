// Reports of programs that did not fit: what XLA prints when memory runs out.
#ifndef HLO_ENGINE_IO_MEMORY_REPORT_H_
#define HLO_ENGINE_IO_MEMORY_REPORT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/source.h"

namespace hlo {

/// One buffer of a report, as it is written. Bytes are -1 where the report does not say.
struct ReportedBuffer {
  Range range;         ///< From "Size:" to the last line about it.
  int64_t bytes = -1;  ///< "Size"; rounded as the report rounds.
  int64_t unpadded_bytes = -1;
  int64_t padding_bytes = -1;  ///< "Extra memory due to padding".
  std::string shape;           ///< Text, with layout where the report has it.
  std::string label;           ///< "XLA label", whole.
  std::string type;            ///< "Allocation type", "entry parameter", ...
  std::string op_name;
  std::string source;            ///< "file:line"
  int64_t begin = -1, end = -1;  ///< Positions in the schedule between which it lives.
};

/// A line of the summary: `text` is what follows the name.
struct ReportedTotal {
  std::string name;
  int64_t bytes = -1;
  std::string text;
};

struct MemoryReportText {
  std::string space;  ///< "hbm", "vmem", ...; "device" for reports of GPUs and CPUs.
  int64_t used = -1, capacity = -1, exceeded = -1;
  std::vector<ReportedTotal> totals;
  std::vector<ReportedBuffer> buffers;  ///< In the order of the report, at most kMostBuffers.
  static constexpr size_t kMostBuffers = 10000;
};

/// Whether a text looks like such a report: it has one of a few phrases that occur in no program.
/// Fast.
bool LooksLikeMemoryReport(std::string_view text);

/// Reads the forms that XLA prints: of TPUs ("Ran out of memory in memory space hbm", "Largest
/// program allocations in hbm"), of buffer assignment on GPUs and CPUs ("Peak buffers:"), and what
/// dumps have of every program (`*-buffer-assignment.txt`, `*-memory-usage-report.txt`); with
/// what logs put in front of lines (time, file, `>`), and with line breaks written `\n`. Unknown
/// lines are skipped. Never fails: a text without buffers has none.
/// Source: reports in public issues of XLA, JAX, PyTorch/XLA; the words are XLA's.
MemoryReportText ParseMemoryReport(std::string_view text);

/// Whether a text is one of those in dumps, and what it has. Of a value its type names the
/// allocation and the offset there.
bool LooksLikeBufferAssignment(std::string_view text);
MemoryReportText ParseBufferAssignment(std::string_view text);

/// "32.00G", "6.00MiB", "0B", "1234 bytes" at the start of a text as bytes; -1 when it is none.
int64_t ParseByteCount(std::string_view text);

}  // namespace hlo

#endif  // HLO_ENGINE_IO_MEMORY_REPORT_H_
