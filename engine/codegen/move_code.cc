#include "engine/codegen/move_code.h"

#include <algorithm>
#include <vector>

namespace hlo {
namespace {

/// From so many bytes on one instruction copies what lies side by side.
constexpr int64_t kCopiedAtOnce = 32;

struct MoveCodes {
  Code load, store;
};
MoveCodes CodesOf(int width) {
  switch (width) {
    case 1:
      return {Code::kI32Load8U, Code::kI32Store8};
    case 2:
      return {Code::kI32Load16U, Code::kI32Store16};
    case 4:
      return {Code::kI32Load, Code::kI32Store};
    case 8:
      return {Code::kI64Load, Code::kI64Store};
    default:
      return {Code::kV128Load, Code::kV128Store};
  }
}

}  // namespace

uint32_t MoveCode::Number(int32_t value) {
  const uint32_t local = writer_.NewLocal(CodeType::kI32);
  writer_.I32(value);
  writer_.Set(local);
  return local;
}

uint32_t MoveCode::Sum(uint32_t local, int64_t bytes) {
  const uint32_t sum = writer_.NewLocal(CodeType::kI32);
  Copy(sum, local);
  Advance(sum, bytes);
  return sum;
}

void MoveCode::Add(uint32_t address, uint32_t other) {
  writer_.Get(address);
  writer_.Get(other);
  writer_.Write(Code::kI32Add);
  writer_.Set(address);
}

void MoveCode::Copy(uint32_t to, uint32_t from) {
  writer_.Get(from);
  writer_.Set(to);
}

void MoveCode::CopyElement(uint32_t from, uint32_t to, int width) {
  const MoveCodes codes = CodesOf(width);
  writer_.Get(to);
  writer_.Get(from);
  writer_.Memory(codes.load);
  writer_.Memory(codes.store);
}

void MoveCode::CopyView(uint32_t from, const StridedView& in, uint32_t to, const StridedView& out,
                        int width) {
  Dims counts = in.dims, read = in.strides, written = out.strides;
  Dims* const strides[] = {&read, &written};
  MergeLoops(&counts, strides);
  const uint32_t source = Sum(from, in.offset * width), target = Sum(to, out.offset * width);
  int64_t run = 1;  // elements side by side
  if (!counts.empty() && read.back() == 1 && written.back() == 1 &&
      counts.back() * width >= kCopiedAtOnce) {
    run = counts.back();
    for (Dims* list : {&counts, &read, &written}) list->pop_back();
  }
  const Walk walks[] = {{source, Bytes(read, width)}, {target, Bytes(written, width)}};
  Nest(counts, walks, [&] {
    if (run == 1) return CopyElement(source, target, width);
    writer_.Get(target);
    writer_.Get(source);
    writer_.CopyBytes(static_cast<int32_t>(run * width));
  });
}

LaneValue MoveCode::Clamped(LaneValue index, int64_t last, LaneCode* one) {
  const LaneValue low = one->Constant(LaneKind::kI64, 0);
  const LaneValue high =
      one->ConstantOfBits(LaneKind::kI64, static_cast<uint64_t>(std::max<int64_t>(last, 0)));
  const LaneValue above = one->Select(one->Binary(LaneOp::kLt, index, low), low, index);
  return one->Select(one->Binary(LaneOp::kGt, above, high), high, above);
}

LaneValue MoveCode::IsInside(LaneValue index, int64_t last, LaneCode* one) {
  const LaneValue low = one->Constant(LaneKind::kI64, 0);
  const LaneValue high = one->ConstantOfBits(LaneKind::kI64, static_cast<uint64_t>(last));
  return one->Binary(LaneOp::kAnd, one->Binary(LaneOp::kGe, index, low),
                     one->Binary(LaneOp::kLe, index, high));
}

void MoveCode::AddSteps(LaneValue number, int64_t bytes, uint32_t address, LaneCode* one) {
  const LaneValue steps =
      one->Binary(LaneOp::kMultiply, one->Convert(number, LaneKind::kI32, false),
                  one->Constant(LaneKind::kI32, static_cast<double>(bytes)));
  Add(address, steps.local);
}

Dims Bytes(const Dims& strides, int width) {
  Dims bytes;
  for (int64_t stride : strides) bytes.push_back(stride * width);
  return bytes;
}

void MergeLoops(Dims* counts, std::span<Dims* const> strides) {
  Dims joined;
  std::vector<Dims> steps(strides.size());
  for (size_t d = 0; d < counts->size(); ++d) {
    const int64_t count = (*counts)[d];
    if (count == 1) continue;
    bool continues = !joined.empty();
    for (size_t i = 0; i < strides.size() && continues; ++i) {
      continues = steps[i].back() == (*strides[i])[d] * count;
    }
    if (continues) {
      joined.back() *= count;
      for (size_t i = 0; i < strides.size(); ++i) steps[i].back() = (*strides[i])[d];
    } else {
      joined.push_back(count);
      for (size_t i = 0; i < strides.size(); ++i) steps[i].push_back((*strides[i])[d]);
    }
  }
  *counts = joined;
  for (size_t i = 0; i < strides.size(); ++i) *strides[i] = steps[i];
}

}  // namespace hlo
