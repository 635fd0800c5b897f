// What the functions of a program's code have in common: they are CodeFunctions
// (plan/region_code.h).
#ifndef HLO_ENGINE_CODEGEN_CODE_FUNCTION_H_
#define HLO_ENGINE_CODEGEN_CODE_FUNCTION_H_

#include <cstdint>
#include <vector>

#include "engine/codegen/function_writer.h"

namespace hlo {

/// V8 refuses functions with more locals than 50,000.
inline constexpr uint32_t kMostLocals = 40'000;

/// A function, and which of its code is which step's.
struct WrittenFunction {
  CodeBytes code;
  std::vector<CodeNote> notes;
};

/// The numbers of their parameters.
struct CodeFunctionParameters {
  static constexpr uint32_t kFirst = 0, kCount = 1, kPlaces = 2, kBudget = 3, kParameters = 4;
};

/// An i32 local with the place of a scalar's lane 0.
uint32_t PlaceOf(int32_t scalar, FunctionWriter* writer);

/// An i32 local with the address of the element of the lane in a local, where `place` is that of
/// lane 0 and elements have so many bytes.
uint32_t ElementAddress(uint32_t place, uint32_t lane, int32_t bytes, FunctionWriter* writer);

/// do `body` while the i32 local `next`, increased by `step`, is less than what `push_end` leaves
/// on the stack.
template <typename PushEnd, typename Body>
void WriteDoWhile(uint32_t next, int32_t step, PushEnd push_end, Body body,
                  FunctionWriter* writer) {
  writer->Open(Code::kLoop);
  body();
  writer->Increase(next, step);
  writer->Get(next);
  push_end();
  writer->Write(Code::kI32LtS);
  writer->Branch(Code::kBrIf, 0);
  writer->Write(Code::kEnd);
}

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_CODE_FUNCTION_H_
