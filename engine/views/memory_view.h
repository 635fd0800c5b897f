// What memory a program takes, and what a report of a program that did not fit says.
#ifndef HLO_ENGINE_VIEWS_MEMORY_VIEW_H_
#define HLO_ENGINE_VIEWS_MEMORY_VIEW_H_

#include <string>
#include <string_view>

#include "engine/views/document.h"

namespace hlo {

/// ProgramMemory of wasm/engine_api.ts.
std::string ProgramMemoryJson(const Document& document);
/// The same for people: the peak, what is live there, and the largest buffers.
std::string ProgramMemoryText(const Document& document);

/// MemoryReport of wasm/engine_api.ts.
std::string MemoryReportJson(const Document& document);
std::string MemoryReportSummary(const Document& document);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_MEMORY_VIEW_H_
