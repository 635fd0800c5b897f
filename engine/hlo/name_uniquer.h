// Names made unique by a numeric suffix: `p0`, `p0.1`, ...
// Source: XLA, service/name_uniquer.cc.
#ifndef HLO_ENGINE_HLO_NAME_UNIQUER_H_
#define HLO_ENGINE_HLO_NAME_UNIQUER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace hlo {

/// Hands out every name once. `x` and `x.0` count as the same name.
class NameUniquer {
 public:
  /// Takes `name` if it is free: true. Otherwise `*unique` is the name with the smallest free
  /// number in place of its suffix, which is then taken. Names must outlive the uniquer.
  bool Take(std::string_view name, std::string* unique);

 private:
  struct Suffixes {
    std::unordered_set<uint64_t> taken;
    uint64_t next = 1;
    bool zero = false;  // almost every name has no suffix: no set is made for it
  };
  std::unordered_map<std::string_view, Suffixes> stems_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_NAME_UNIQUER_H_
