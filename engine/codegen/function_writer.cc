#include "engine/codegen/function_writer.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "engine/base/bits.h"

namespace hlo {
namespace {

template <typename Bits>
void AppendLittleEndian(Bits bits, CodeBytes* out) {
  for (size_t i = 0; i < sizeof(Bits); ++i) out->push_back(static_cast<uint8_t>(bits >> (8 * i)));
}

}  // namespace

void AppendUnsigned(uint64_t value, CodeBytes* out) {
  for (; value >= 0x80; value >>= 7) out->push_back(static_cast<uint8_t>(value | 0x80));
  out->push_back(static_cast<uint8_t>(value));
}

void AppendSigned(int64_t value, CodeBytes* out) {
  // Ends where the rest is the sign of the last group.
  for (; value < -64 || value >= 64; value >>= 7) {
    out->push_back(static_cast<uint8_t>((value & 0x7f) | 0x80));
  }
  out->push_back(static_cast<uint8_t>(value & 0x7f));
}

uint32_t FunctionWriter::NewLocal(CodeType type) {
  locals_.push_back({type});
  return parameter_count_ + static_cast<uint32_t>(locals_.size()) - 1;
}

void FunctionWriter::Use(uint32_t number) {
  ++uses_;
  if (number < parameter_count_) return;
  Local& local = locals_[number - parameter_count_];
  local.is_start |= is_start_;
  if (local.first_use == 0) local.first_use = uses_;
  local.last_use = uses_;
}

uint32_t FunctionWriter::MostVectors() const {
  std::vector<int> change(uses_ + 1);
  for (const Local& local : locals_) {
    if (local.type != CodeType::kV128 || local.is_start || local.first_use == 0) continue;
    ++change[local.first_use];
    --change[local.last_use];
  }
  int now = 0, most = 0;
  for (const int each : change) most = std::max(most, now += each);
  return static_cast<uint32_t>(most);
}

void FunctionWriter::Write(Code code) {
  const auto number = static_cast<uint16_t>(code);
  if (number < 0x100) return body_.push_back(static_cast<uint8_t>(number));
  const uint16_t prefix = number < 0xfd00 ? 0xfc : 0xfd;
  body_.push_back(static_cast<uint8_t>(prefix));
  AppendUnsigned(number - prefix * 0x100u, &body_);
}

void FunctionWriter::Get(uint32_t local) {
  Use(local);
  Write(Code::kLocalGet);
  AppendUnsigned(local, &body_);
}

void FunctionWriter::Set(uint32_t local) {
  Use(local);
  Write(Code::kLocalSet);
  AppendUnsigned(local, &body_);
}

void FunctionWriter::Increase(uint32_t local, int32_t amount) {
  if (amount == 0) return;
  Get(local);
  I32(amount);
  Write(Code::kI32Add);
  Set(local);
}

void FunctionWriter::I32(int32_t value) {
  Write(Code::kI32Const);
  AppendSigned(value, &body_);
}

void FunctionWriter::I64(int64_t value) {
  Write(Code::kI64Const);
  AppendSigned(value, &body_);
}

void FunctionWriter::F32(float value) {
  Write(Code::kF32Const);
  AppendLittleEndian(BitCast<uint32_t>(value), &body_);
}

void FunctionWriter::F64(double value) {
  Write(Code::kF64Const);
  AppendLittleEndian(BitCast<uint64_t>(value), &body_);
}

uint32_t VectorPool::NumberOf(const VectorBytes& bytes) {
  const auto at = std::find(vectors_.begin(), vectors_.end(), bytes);
  if (at == vectors_.end()) {
    vectors_.push_back(bytes);
    return static_cast<uint32_t>(vectors_.size() - 1);
  }
  return static_cast<uint32_t>(at - vectors_.begin());
}

void FunctionWriter::Vector(const VectorBytes& bytes) {
  if (vectors_ == nullptr) {
    int64_t half;
    std::memcpy(&half, bytes.data(), sizeof half);
    I64(half);
    return Write(Code::kI64x2Splat);
  }
  Write(Code::kGlobalGet);
  AppendUnsigned(vectors_->NumberOf(bytes), &body_);
}

void FunctionWriter::Memory(Code code, uint32_t offset) {
  Write(code);
  AppendUnsigned(0, &body_);  // alignment: one byte
  AppendUnsigned(offset, &body_);
}

void FunctionWriter::MemoryLane(Code code, uint8_t lane, uint32_t offset) {
  Memory(code, offset);
  body_.push_back(lane);
}

void FunctionWriter::Lane(Code code, uint8_t lane) {
  Write(code);
  body_.push_back(lane);
}

void FunctionWriter::Shuffle(const std::array<uint8_t, 16>& bytes) {
  Write(Code::kI8x16Shuffle);
  body_.insert(body_.end(), bytes.begin(), bytes.end());
}

void FunctionWriter::Open(Code code) {
  constexpr uint8_t kNoValues = 0x40;
  Write(code);
  body_.push_back(kNoValues);
}

void FunctionWriter::Branch(Code code, uint32_t depth) {
  Write(code);
  AppendUnsigned(depth, &body_);
}

void FunctionWriter::Call(uint32_t function) {
  Write(Code::kCall);
  AppendUnsigned(function, &body_);
}

void FunctionWriter::CopyBytes(int32_t bytes) {
  I32(bytes);
  Write(Code::kMemoryCopy);
  body_.insert(body_.end(), {0, 0});  // within the one memory
}

CodeBytes FunctionWriter::Finish() {
  CodeBytes function;
  AppendUnsigned(locals_.size(), &function);  // groups of locals of one type: of one each
  for (const Local& local : locals_) {
    AppendUnsigned(1, &function);
    function.push_back(static_cast<uint8_t>(local.type));
  }
  function.insert(function.end(), start_.begin(), start_.end());
  for (CodeNote& note : notes_) note.offset += static_cast<uint32_t>(function.size());
  function.insert(function.end(), body_.begin(), body_.end());
  function.push_back(static_cast<uint8_t>(Code::kEnd));
  return function;
}

}  // namespace hlo
