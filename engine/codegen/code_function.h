// What the functions of a program's code have in common: they are CodeFunctions
// (plan/region_code.h).
#ifndef HLO_ENGINE_CODEGEN_CODE_FUNCTION_H_
#define HLO_ENGINE_CODEGEN_CODE_FUNCTION_H_

#include <cstdint>
#include <vector>

#include "engine/codegen/function_writer.h"
#include "engine/codegen/lane_code.h"

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

/// The same with a body that `code` writes, which increases `next` by its lanes. Where a lane has a
/// rare operand the body is left before it stores anything, and its lanes go through one that
/// serves all operands: V8 finds more registers where nothing rare is in the loop.
template <typename PushEnd, typename Body>
void WriteLanesDoWhile(uint32_t next, LaneCode* code, PushEnd push_end, Body body) {
  FunctionWriter& writer = code->writer();
  const auto go_on = [&](uint32_t depth) {
    writer.Increase(next, code->lanes());
    writer.Get(next);
    push_end();
    writer.Write(Code::kI32LtS);
    writer.Branch(Code::kBrIf, depth);
  };
  writer.Open(Code::kLoop);
  writer.Open(Code::kBlock);
  writer.Open(Code::kBlock);
  writer.Open(Code::kLoop);
  code->SetRare(LaneCode::Rare::kApart, 1);
  body();
  go_on(0);
  writer.Write(Code::kEnd);
  writer.Branch(Code::kBr, 1);
  writer.Write(Code::kEnd);
  if (code->has_rare()) {
    code->SetRare(LaneCode::Rare::kAlways);
    body();
    go_on(1);
  }
  code->SetRare(LaneCode::Rare::kHere);
  writer.Write(Code::kEnd);
  writer.Write(Code::kEnd);
}

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_CODE_FUNCTION_H_
