// Whose data goes where in an exchange between devices: by what its op does, and, where numbers
// decide, by them.
#ifndef HLO_ENGINE_VIEWS_EXCHANGE_FLOWS_H_
#define HLO_ENGINE_VIEWS_EXCHANGE_FLOWS_H_

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/views/collectives_view.h"

namespace hlo {

/// Some data on its way.
struct ExchangeFlow {
  int64_t from, to;
  /// Which of as many equal pieces as there are members; -1: the whole, or rows.
  int64_t given_piece = -1, got_piece = -1;
  /// [begin, end) of the first dimension, where numbers say which rows go where.
  std::optional<std::array<int64_t, 2>> given_rows, got_rows;
};

/// Where every member sends to every member, or one to all.
struct ExchangePattern {
  bool cuts = false;   ///< piece n goes to member n
  bool joins = false;  ///< what comes from member n is piece n
  int64_t root = -1;   ///< the rank of the only one that sends; -1: all do
  int64_t sink = -1;   ///< the rank of the only one that receives; -1: all do
};

/// Numbers that devices gave, by member and by operand of NumberOperands; empty where not known.
using ExchangeNumbers = std::vector<std::vector<std::vector<double>>>;
/// The operands whose numbers say what goes where.
std::vector<size_t> NumberOperands(const Instruction& at);

/// Nothing for ops that name pairs or rows, and for messages. Source: operation semantics; of
/// collective-broadcast: "Data is sent from the first replica id in each group to the other ids in
/// the same group", unless its last operand says another (XLA, hlo_instructions.h,
/// has_dynamic_root; of several arrays, for the first). To such a root go those of
/// collective-reduce.
std::optional<ExchangePattern> PatternOf(const CollectiveMeeting& meeting,
                                         const ExchangeNumbers& numbers);

/// All flows of pairs and rows; of a pattern those among its first 16 members. At most a few
/// thousand.
std::vector<ExchangeFlow> FlowsOf(const CollectiveMeeting& meeting, const ExchangeNumbers& numbers);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_EXCHANGE_FLOWS_H_
