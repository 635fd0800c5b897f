// The picture of a program's memory: its buffers over time, and what would make them fewer.
#ifndef HLO_ENGINE_VIEWS_MEMORY_PICTURE_H_
#define HLO_ENGINE_VIEWS_MEMORY_PICTURE_H_

#include <string>
#include <string_view>

#include "engine/plan/program_memory.h"
#include "engine/views/document.h"

namespace hlo {

/// MemoryPicture of wasm/engine_api.ts. `memory` is the document's; `options`: {"space": number}.
std::string MemoryPictureJson(const Document& document, const ProgramMemory& memory,
                              std::string_view options);

/// MemorySavings of wasm/engine_api.ts.
std::string MemorySavingsJson(const Document& document, const ProgramMemory& memory);
/// The same as text, a line each; "" where nothing is saved.
std::string MemorySavingsText(const Document& document, const ProgramMemory& memory);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_MEMORY_PICTURE_H_
