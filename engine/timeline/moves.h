// Moving through a run as in a debugger: into, over and out of calls, forward and back.
#ifndef HLO_ENGINE_TIMELINE_MOVES_H_
#define HLO_ENGINE_TIMELINE_MOVES_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/timeline/timeline.h"

namespace hlo {

enum class Move : uint8_t { kInto, kOver, kOut, kBackInto, kBackOver, kBackOut };

/// By the word for it: into, over, out, back-into, back-over, back-out.
std::optional<Move> MoveFromText(std::string_view word);

/// The position that a move leads to from one, following one device: into is the device's next
/// step; over does not stop in what the next step calls; out goes to where the caller of the
/// innermost computation has its value. Backwards they go to where the last step began, to where
/// the last instruction began, and to where the call of the innermost computation began. At an end
/// of the run it is that end. The timeline's position becomes another one.
int64_t MoveFrom(Timeline& timeline, int64_t position, int64_t device, Move move);

}  // namespace hlo

#endif  // HLO_ENGINE_TIMELINE_MOVES_H_
