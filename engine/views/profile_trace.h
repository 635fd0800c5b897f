// The measured times of a run as a tree, and as a file for trace viewers.
#ifndef HLO_ENGINE_VIEWS_PROFILE_TRACE_H_
#define HLO_ENGINE_VIEWS_PROFILE_TRACE_H_

#include <string>
#include <string_view>

#include "engine/views/json_parts.h"

namespace hlo {

/// ProfileTree of wasm/run_types.ts. `plan`: RunPlan (profile_view.h). The program, in it the
/// computations, in each of these the loops and operations that were measured; siblings slowest
/// first, each begins where the one before ends; then what was measured of none of them.
Json ProfileTreeJson(const Json& plan);
/// The same of a plan as text; empty if that is none.
std::string ProfileTreeText(std::string_view plan);

/// The tree as Chrome trace events, which Perfetto opens: a complete event for every node, with the
/// sum of its executions as its duration.
std::string ProfileTraceText(const Json& plan);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_PROFILE_TRACE_H_
