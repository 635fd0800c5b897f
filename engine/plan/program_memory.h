// Which buffers a program needs, and when.
#ifndef HLO_ENGINE_PLAN_PROGRAM_MEMORY_H_
#define HLO_ENGINE_PLAN_PROGRAM_MEMORY_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/hlo/ir.h"
#include "engine/types/shape.h"

namespace hlo {

/// What the arrays of a shape take in memory, with their layouts.
struct BufferSize {
  int64_t bytes = -1;  ///< -1: not known (a dimension without a bound, too large).
  int64_t unpadded_bytes = -1;
  std::string cause;  ///< Where padding comes from, in a sentence; "no padding".
};
/// Of an array or of the array in a buffer; other shapes take nothing.
BufferSize SizeOfBuffer(const Shape& shape);

/// A buffer of a program: an array that an instruction makes, and for how long it is needed.
struct ProgramBuffer {
  const Instruction* instruction = nullptr;  ///< Which makes it.
  const Shape* shape = nullptr;
  std::string_view type;  ///< "parameter", "constant", "output", "temporary"
  BufferSize size;
  int64_t space = 0;           ///< Memory space of its layout.
  int64_t begin = 0, end = 0;  ///< Positions in the entry computation, both included.
  /// The position of the last instruction that reads it; that of `instruction` where none does.
  int64_t last_use = 0;
  /// The shape of the buffer that `instruction` would have written over had it not been the
  /// caller's, or needed later; null for others.
  const Shape* copy_of = nullptr;
  /// The same as moments (moments.h), which tell apart what a called computation makes at different
  /// times.
  int64_t first_moment = 0, last_moment = 0;
};

/// What a program takes of one memory space.
struct SpaceUse {
  int64_t space = 0;
  std::vector<int64_t> live;  ///< Bytes at every position.
  int64_t peak_bytes = 0;
  int64_t peak_at = 0;       ///< The first position that reaches it.
  int64_t peak_moment = 0;   ///< The moment there, maybe inside of what is called.
  int64_t peak_padding = 0;  ///< Of the buffers that live there then.
  /// What lives at the peak, by kind: together they are the peak.
  int64_t parameter_bytes = 0, constant_bytes = 0, output_bytes = 0, temporary_bytes = 0;
};

/// Whether a buffer of that space lives when the space needs the most.
inline bool LivesAtPeak(const ProgramBuffer& buffer, const SpaceUse& use) {
  return buffer.first_moment <= use.peak_moment && use.peak_moment <= buffer.last_moment;
}

/// The memory of a program that is executed in the order of its text, as the interpreter's plan is.
///
/// An array has a buffer from the instruction that makes it to its last use; parameters, constants
/// and results are there all the time. Tuples, get-tuple-element, bitcast, while loops (their state
/// is updated in place, but for what is needed later or is there twice) and the second halves of
/// asynchronous operations have the buffers of their operands; so has what is written over an
/// operand (in_place.h) that neither the caller nor a later instruction needs. A result that
/// `input_output_alias` puts into a parameter takes nothing. A called computation (while,
/// conditional, call, asynchronous) adds its temporaries where it is called; what a fusion or a
/// reducer computes inside takes no memory. No buffer is shared by values that live at different
/// times, as it would be after assignment, and nothing is lost between buffers. get-tuple-element
/// needs the element that it takes, none of the others. Source: XLA, tuple_points_to_analysis.cc,
/// DoesNotUseOperandBuffer.
///
/// A result is put into a parameter where MayTakeOver says that it can be written there; elsewhere
/// it is written to a buffer of its own and copied, as XLA does (copy_insertion.cc).
///
/// Every memory space (S(n) of the layouts) has a peak of its own: bytes free in one cannot be used
/// in another.
struct ProgramMemory {
  const Computation* computation = nullptr;  ///< The entry; null when there is no program.
  std::vector<ProgramBuffer> buffers;        ///< Largest first.
  std::vector<SpaceUse> spaces;  ///< By number; the device's main memory is always there.
  int64_t positions = 0;         ///< Of the schedule.
  std::vector<int64_t> moments;  ///< The first of every position, and how many there are.
  bool complete = true;  ///< False: tuples of too many arrays, or sizes not known, were left out.
};
/// What the module's entry takes of one memory space at its peak.
struct SpacePeak {
  int64_t space = 0;
  int64_t bytes = 0;
};
/// Which arrays of a result an instruction writes over those of its operands: WrittenInPlace
/// (in_place.h).
using InPlace = std::vector<Alias>(const Instruction& instruction);

/// Whether a result can be written into the memory of a parameter of the same size: the parameter
/// is read by earlier instructions alone; or last by the one that makes the result, which is an
/// element-wise operation, a fusion of such ones, or an update of the parameter. Source: XLA,
/// hlo_dataflow_analysis.cc, CanShareOperandBufferWithUser.
bool MayTakeOver(const ProgramBuffer& parameter, const ProgramBuffer& result);

/// The peaks alone, by number of the space; nothing where there is no entry. Without `written` all
/// that is written in place takes a buffer of its own: never less, and a small build goes without.
std::vector<SpacePeak> PeaksOf(const Module& module, InPlace* written);

/// The memory of the module's entry; nothing where it has none.
ProgramMemory MakeProgramMemory(const Module& module);

}  // namespace hlo

#endif  // HLO_ENGINE_PLAN_PROGRAM_MEMORY_H_
