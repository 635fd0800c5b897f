// The shardings of a program, and which device has which part of an array: as text and as JSON.
#ifndef HLO_ENGINE_VIEWS_SHARDING_VIEW_H_
#define HLO_ENGINE_VIEWS_SHARDING_VIEW_H_

#include <string>
#include <string_view>

#include "engine/views/document.h"

namespace hlo {

/// ShardingsResult of wasm/sharding_types.ts. `options`: ShardingsOptions.
std::string ShardingsJson(const Document& document, std::string_view options);

/// A block of lines for every instruction with a sharding, or for those of this name (with or
/// without `%`): device, slice, padding. Empty when there is none.
std::string ShardingsText(const Document& document, std::string_view name);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_SHARDING_VIEW_H_
