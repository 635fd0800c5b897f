// A part of a program as a program of its own.
#ifndef HLO_ENGINE_REWRITE_ISOLATE_H_
#define HLO_ENGINE_REWRITE_ISOLATE_H_

#include <string>
#include <vector>

#include "engine/hlo/ir.h"

namespace hlo {

/// How much of a program comes along.
enum class IsolateExtent : uint8_t {
  kPart,   ///< the instructions alone: their other operands become parameters
  kSlice,  ///< and all that they depend on in their computation, whose parameters stay parameters
};

/// A program, and what its parameters stand for.
struct Isolated {
  std::string text;  ///< HLO; empty when there were no instructions, or no program of them
  std::string why;   ///< when there is none: why, for a sentence that ends with it
  /// For parameter i, the instruction of the original that had this value. A parameter of the entry
  /// computation may be among them.
  std::vector<const Instruction*> parameters;
};

/// The program of some instructions of one computation, with the computations that they call. The
/// result is what is used outside of them, or by nothing: one value, or a tuple of several. An
/// operation that ends another one (`all-gather-done`) brings its start along, and a start what
/// ends it: half an operation is no program. What makes a buffer (`b(f32[4])`) comes along too: a
/// program has none as a parameter. Where that leads to what the computation itself is given, as in
/// a loop that an operation crosses, there is no program.
Isolated Isolate(const std::vector<const Instruction*>& instructions, IsolateExtent extent);

}  // namespace hlo

#endif  // HLO_ENGINE_REWRITE_ISOLATE_H_
