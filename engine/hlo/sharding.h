// What a sharding says, as far as the verifier checks it. Instructions keep shardings as text.
#ifndef HLO_ENGINE_HLO_SHARDING_H_
#define HLO_ENGINE_HLO_SHARDING_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ops/attributes.h"

namespace hlo {

/// The sharding of one array.
struct ShardingPart {
  enum class Form : uint8_t {
    kWhole,    ///< replicated, manual, unknown, unreduced: nothing that could fail to fit
    kMaximal,  ///< on one device
    kTiled,    ///< devices=[2,2]...
    kNamed,    ///< mesh['x'=2], [{'x'}, {}]
  };
  Form form = Form::kWhole;
  /// Tiled: how many tiles in each dimension, subgroups last. Named: a 1 for each dimension.
  Dims tile;
  int subgroups = 0;             ///< how many of `tile` are no dimensions of the array
  std::vector<int64_t> devices;  ///< in the order of the tiles; not of meshes
  bool is_listed = true;         ///< the devices are listed in the text, not computed
  int64_t device_count = 0;
  std::string words;  ///< of whole shardings and of subgroups: replicated, manual, ...
  std::string text;
};

struct Sharding {
  bool is_tuple = false;  ///< `{{...}, {...}}`: a part for each array of the shape
  std::vector<ShardingPart> parts;
};

/// Whether both mean the same, whatever their texts.
bool SameSharding(const Sharding& a, const Sharding& b);

/// A sharding that was read before; nothing when the text is none.
std::optional<Sharding> ParseSharding(std::string_view text);

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_SHARDING_H_
