// What the rows of answers about a run have in common, and those of what an element reaches.
// Internal to why_view.
#ifndef HLO_ENGINE_VIEWS_WHY_ROWS_H_
#define HLO_ENGINE_VIEWS_WHY_ROWS_H_

#include <string>

#include "engine/base/source.h"
#include "engine/views/json.h"
#include "engine/views/why_view.h"

namespace hlo {

/// The instruction of a step, where it is in the text and which execution of it this is.
Json WhyStepJson(WhyRun& run, const StepFacts& facts, const LineTable& lines);
Json WhyIterationsJson(const StepFacts& facts);
/// [first, count, step] of each dimension.
Json WhyBoxJson(const Box& box);
/// " iteration 2 device 1", as far as there are several.
std::string WhyWhenText(WhyRun& run, const StepFacts& facts);
/// An element as text; "" where there is none.
std::string WhyValueAt(Origins& origins, int64_t step, const Dims& path, const Dims& index);

/// WhyReach of wasm/why_types.ts.
Json ReachJson(WhyRun& run, const Reach& reach, const LineTable& lines);
/// The same as lines to read.
std::string ReachText(WhyRun& run, const Reach& reach, const LineTable& lines);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_WHY_ROWS_H_
