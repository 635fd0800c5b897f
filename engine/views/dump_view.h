// Files of XLA's dumps that are no text, for a front end.
#ifndef HLO_ENGINE_VIEWS_DUMP_VIEW_H_
#define HLO_ENGINE_VIEWS_DUMP_VIEW_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hlo {

/// DumpContents of wasm/engine_api.ts without its arrays.
struct DumpAnswer {
  std::string json;
  /// `.npy` files of the arguments that are arrays, in order; empty for the others.
  std::vector<std::vector<uint8_t>> arrays;
};
DumpAnswer ReadDump(std::string_view bytes);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_DUMP_VIEW_H_
