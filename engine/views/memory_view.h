// The memory that a program takes, and out-of-memory reports of XLA.
#ifndef HLO_ENGINE_VIEWS_MEMORY_VIEW_H_
#define HLO_ENGINE_VIEWS_MEMORY_VIEW_H_

#include <string>
#include <string_view>

#include "engine/plan/program_memory.h"
#include "engine/views/document.h"
#include "engine/views/list_window.h"

namespace hlo {

/// The memory of a document's program; nothing where it has none.
ProgramMemory MemoryOf(const Document& document);

/// Which buffers an answer has: those of a window of their list, sorted.
struct BufferWindow {
  ListWindow window;
  bool by_padding = false;  ///< Else by size.
  /// Only those that live at this position of a program, or at the peak of their memory.
  static constexpr int64_t kEver = -1, kPeak = -2;
  int64_t at = kEver;
};
/// Reads BufferWindow of wasm/engine_api.ts; the longest window of what says none, or a longer one.
BufferWindow ParseBufferWindow(std::string_view json);

/// ProgramMemory of wasm/engine_api.ts. `memory` is the document's.
std::string ProgramMemoryJson(const Document& document, const ProgramMemory& memory,
                              const BufferWindow& window);
/// The same with as many buffers as a window can have, and "savings": MemorySaving of each.
std::string ProgramMemoryJson(const Document& document);
/// The same as text: the peak, what is live there, and the largest buffers.
std::string ProgramMemoryText(const Document& document);

/// MemoryReport of wasm/engine_api.ts.
std::string MemoryReportJson(const Document& document, const BufferWindow& window = {});
std::string MemoryReportSummary(const Document& document);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_MEMORY_VIEW_H_
