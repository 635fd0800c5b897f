#include "engine/codegen/code_function.h"

namespace hlo {

uint32_t PlaceOf(int32_t scalar, FunctionWriter* writer) {
  constexpr int32_t kPointer = 4;
  const uint32_t place = writer->NewLocal(CodeType::kI32);
  writer->Get(CodeFunctionParameters::kPlaces);
  writer->I32(kPointer * scalar);
  writer->Write(Code::kI32Add);
  writer->Memory(Code::kI32Load);
  writer->Set(place);
  return place;
}

uint32_t ElementAddress(uint32_t place, uint32_t lane, int32_t bytes, FunctionWriter* writer) {
  const uint32_t address = writer->NewLocal(CodeType::kI32);
  writer->Get(place);
  writer->Get(lane);
  if (bytes > 1) {
    writer->I32(bytes);
    writer->Write(Code::kI32Mul);
  }
  writer->Write(Code::kI32Add);
  writer->Set(address);
  return address;
}

}  // namespace hlo
