// A WebAssembly module with the code of a region program.
#ifndef HLO_ENGINE_CODEGEN_REGION_MODULE_H_
#define HLO_ENGINE_CODEGEN_REGION_MODULE_H_

#include <cstdint>
#include <optional>
#include <span>

#include "engine/codegen/function_writer.h"
#include "engine/codegen/segment.h"

namespace hlo {

/// The number of the section that holds functions.
inline constexpr uint8_t kCodeSection = 10;

/// The module in the binary format. It imports the engine's memory as "e" "m" and, as "e" "p", a
/// function (budget: i32, steps: i32), which counts operations that loops have executed and may
/// throw; as "e" "f" FunctionOfLane (function_lowering.h). It exports a function "0", "1", ... for
/// every segment, a CodeFunction (plan/region_code.h). What is constant is read at run time, so
/// programs that differ in constants alone have the same module. Nothing where a segment is larger
/// than engines of WebAssembly allow.
std::optional<CodeBytes> RegionModule(const RegionSteps& program,
                                      std::span<const Segment> segments);

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_REGION_MODULE_H_
