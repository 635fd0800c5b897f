// JSON that several views share. For the .cc files of this room.
#ifndef HLO_ENGINE_VIEWS_JSON_PARTS_H_
#define HLO_ENGINE_VIEWS_JSON_PARTS_H_

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "engine/base/diagnostics.h"
#include "engine/base/small_vector.h"
#include "engine/views/text_map.h"

namespace hlo {

/// Keys keep the order they are written in, so that the same view is always the same text.
using Json = nlohmann::ordered_json;

/// [begin, end) in UTF-16 code units.
Json RangeJson(Range range, const TextMap& map);
Json DiagnosticsJson(const Diagnostics& diagnostics, const TextMap& map);
Json DimsJson(const Dims& dims);
/// Bytes that are no UTF-8 become U+FFFD: the text is always valid JSON.
std::string JsonText(const Json& json);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_JSON_PARTS_H_
