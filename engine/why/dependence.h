// What an element of the result of an instruction depends on, and what an element of an operand
// reaches: a rule per op. Nothing here runs a program.
#ifndef HLO_ENGINE_WHY_DEPENDENCE_H_
#define HLO_ENGINE_WHY_DEPENDENCE_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/ops/op_call.h"
#include "engine/types/tensor.h"
#include "engine/why/boxes.h"

namespace hlo {

/// How an element depends on another.
enum class SourceRole : uint8_t {
  kValue,     ///< it is computed from it, or is a copy of it
  kCompared,  ///< it was compared with others, of which another one was taken
  kPlace,     ///< it says which element is taken, or where one goes: an index, a start, a predicate
};

/// Elements of an operand of an instruction, or of its result (`operand` -1).
struct Elements {
  int operand = -1;
  Dims path = {};  ///< where it is a tuple: which array
  Box box = {};
  SourceRole role = SourceRole::kValue;
};

/// An instruction that was executed: its call, the values of its operands and its own. A value that
/// is not at hand is a token: what depends on numbers in it is then as large as it may be.
struct Executed {
  const OpCall& call;
  std::span<const Value> args;
  const Value& result;
};

/// The elements of operands that may decide over one element of the result: changing any other one
/// changes no bit of it. Those of role kValue do decide where the op only moves elements. `path`
/// and `index` are of an element that there is. An instruction that runs computations, or exchanges
/// data with other devices, is said to depend on all of its operands.
std::vector<Elements> SourcesOf(const Executed& at, const Dims& path, const Dims& index);

/// The elements of the result that an element of an operand may reach: no other one depends on it.
std::vector<Elements> ReachOf(const Executed& at, int operand, const Dims& path, const Dims& index);

/// The array at a path of a value; null when there is none.
const Tensor* ArrayAt(const Value& value, const Dims& path);

/// The rule in words: "the row of the left operand and the column of the right one".
std::string_view DependenceWords(Opcode opcode);

}  // namespace hlo

#endif  // HLO_ENGINE_WHY_DEPENDENCE_H_
