// A WebAssembly module around functions that are written already.
#ifndef HLO_ENGINE_CODEGEN_MODULE_WRITER_H_
#define HLO_ENGINE_CODEGEN_MODULE_WRITER_H_

#include <cstdint>
#include <span>

#include "engine/codegen/function_writer.h"

namespace hlo {

/// What every module imports: its memory as "e" "m", and as "e" "p" and "e" "f" the functions of
/// these numbers: (budget: i32, steps: i32), which counts operations that loops have executed and
/// may throw, and FunctionOfLane.
enum class ImportedFunction : uint8_t { kReport, kFunctionOfLane };
inline constexpr uint32_t kImportedFunctions = 2;

/// The module in the binary format. Each of the functions takes so many i32 and returns nothing;
/// they are exported as "0", "1", ... `vectors`: the constants that they read.
CodeBytes WriteModule(std::span<const CodeBytes> functions, const VectorPool& vectors,
                      uint32_t parameters);

/// Modules that are written from now on import memory that threads share (threads proposal).
void SetMemoryIsShared(bool is_shared);

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_MODULE_WRITER_H_
