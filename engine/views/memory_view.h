// The memory that a program takes, and out-of-memory reports of XLA.
#ifndef HLO_ENGINE_VIEWS_MEMORY_VIEW_H_
#define HLO_ENGINE_VIEWS_MEMORY_VIEW_H_

#include <string>
#include <string_view>

#include "engine/views/document.h"

namespace hlo {

/// ProgramMemory of wasm/engine_api.ts.
std::string ProgramMemoryJson(const Document& document);
/// The same as text: the peak, what is live there, and the largest buffers.
std::string ProgramMemoryText(const Document& document);

/// MemoryReport of wasm/engine_api.ts.
std::string MemoryReportJson(const Document& document);
std::string MemoryReportSummary(const Document& document);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_MEMORY_VIEW_H_
