// JSON that several views share. Internal to engine/views.
#ifndef HLO_ENGINE_VIEWS_JSON_PARTS_H_
#define HLO_ENGINE_VIEWS_JSON_PARTS_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/diagnostics.h"
#include "engine/base/small_vector.h"
#include "engine/views/text_map.h"

namespace hlo {

class Document;
class Instruction;

/// Keys keep their insertion order, so that the same view always gives the same text.
using Json = nlohmann::ordered_json;

/// [begin, end) in UTF-16 code units.
Json RangeJson(Range range, const TextMap& map);
Json DiagnosticsJson(const Diagnostics& diagnostics, const TextMap& map);
Json DimsJson(const Dims& dims);
/// SomeInstructions of wasm/run_types.ts: how many there are, and the first of them as they are
/// shown.
Json InstructionsJson(const std::vector<const Instruction*>& instructions,
                      const Document& document);
/// A string; invalid UTF-8 becomes U+FFFD, so that the JSON is always valid.
std::string JsonText(const Json& json);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_JSON_PARTS_H_
