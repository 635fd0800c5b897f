// A WebAssembly module with the code of a region program.
#ifndef HLO_ENGINE_CODEGEN_REGION_MODULE_H_
#define HLO_ENGINE_CODEGEN_REGION_MODULE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/codegen/code_function.h"
#include "engine/codegen/segment.h"

namespace hlo {

/// The module (module_writer.h) with a function for every segment, a CodeFunction
/// (plan/region_code.h). What is constant is read at run time, so
/// programs that differ in constants alone have the same module. Nothing where a segment is larger
/// than engines of WebAssembly allow.
/// `notes`, which may be null, gets which code belongs to which step, for every function.
std::optional<CodeBytes> RegionModule(const RegionSteps& program, std::span<const Segment> segments,
                                      std::vector<std::vector<CodeNote>>* notes = nullptr);

/// The function of one segment. Nothing where it is too large. `vectors`: as a FunctionWriter takes
/// it.
std::optional<WrittenFunction> WriteSegment(const RegionSteps& program, const Segment& segment,
                                            VectorPool* vectors);

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_REGION_MODULE_H_
