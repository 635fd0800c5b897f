// Loads and stores of lanes, with the element types as they are in memory.
#include <array>

#include "engine/codegen/lane_code.h"
#include "engine/codegen/narrow_float_code.h"

namespace hlo {

using enum LaneKind;

std::optional<LaneKind> LaneKindOf(ElementType type) {
  if (type == ElementType::kPred) return kPred;
  if (type == ElementType::kF32 || IsNarrowFloat(type)) return kF32;
  if (type == ElementType::kF64) return kF64;
  if (!IsIntegral(type)) return std::nullopt;
  return BitsOf(type) == 64 ? kI64 : kI32;
}

LaneValue LaneCode::Load(uint32_t address, ElementType type) {
  const LaneValue raw = LoadRaw(address, type);
  return IsNarrowFloat(type) ? DecodedFloat(raw, type, this) : raw;
}

LaneValue LaneCode::LoadForAll(uint32_t address, ElementType type) {
  if (!is_vector()) return Load(address, type);
  if (type == ElementType::kF32 || type == ElementType::kF64) {
    const LaneKind kind = *LaneKindOf(type);
    return Parts(kind, [&](uint32_t) {
      writer_.Get(address);
      writer_.Memory(kind == kF64 ? Code::kV128Load64Splat : Code::kV128Load32Splat);
    });
  }
  return Splat(OneLane()->Load(address, type), *LaneKindOf(type));
}

namespace {

// One element, narrow floats as codes.
Code LoadOfOne(ElementType type) {
  const bool is_signed = IsSigned(type) && IsIntegral(type);
  switch (BytesOf(type)) {
    case 1:
      return is_signed ? Code::kI32Load8S : Code::kI32Load8U;
    case 2:
      return is_signed ? Code::kI32Load16S : Code::kI32Load16U;
    case 4:
      return type == ElementType::kF32 ? Code::kF32Load : Code::kI32Load;
    default:
      return type == ElementType::kF64 ? Code::kF64Load : Code::kI64Load;
  }
}

Code StoreOfOne(LaneKind kind, int bytes) {
  switch (bytes) {
    case 1:
      return Code::kI32Store8;
    case 2:
      return Code::kI32Store16;
    case 4:
      return kind == kF32 ? Code::kF32Store : Code::kI32Store;
    default:
      return kind == kF64 ? Code::kF64Store : Code::kI64Store;
  }
}

}  // namespace

// Narrow floats as their codes.
LaneValue LaneCode::LoadRaw(uint32_t address, ElementType type) {
  const LaneKind kind = IsNarrowFloat(type) ? kI32 : *LaneKindOf(type);
  if (!is_vector()) {
    return Parts(kind, [&](uint32_t) {
      writer_.Get(address);
      writer_.Memory(LoadOfOne(type));
    });
  }
  const bool is_signed = IsSigned(type) && IsIntegral(type);
  return Parts(kind, [&](uint32_t part) {
    writer_.Get(address);
    switch (BytesOf(type)) {
      case 1:
        writer_.Memory(Code::kV128Load32Zero, 4 * part);
        writer_.Write(is_signed ? Code::kI16x8ExtendLowI8x16S : Code::kI16x8ExtendLowI8x16U);
        writer_.Write(is_signed ? Code::kI32x4ExtendLowI16x8S : Code::kI32x4ExtendLowI16x8U);
        if (kind == kPred) writer_.Write(Code::kI32x4Neg);  // a mask
        break;
      case 2:
        writer_.Memory(is_signed ? Code::kV128Load16x4S : Code::kV128Load16x4U, 8 * part);
        break;
      default:
        writer_.Memory(Code::kV128Load, 16 * part);
    }
  });
}

LaneValue LaneCode::LoadWide(uint32_t address) {
  return Parts(kF64, [&](uint32_t part) {
    writer_.Get(address);
    writer_.Memory(Code::kV128Load64Zero, 8 * part);
    writer_.Write(Code::kF64x2PromoteLowF32x4);
  });
}

void LaneCode::Store(uint32_t address, LaneValue value, ElementType type) {
  if (IsNarrowFloat(type)) value = EncodedFloat(value, type, this);
  value = Narrow(value);
  if (is_vector()) return StoreVector(address, value, BytesOf(type));
  writer_.Get(address);
  writer_.Get(value.local);
  writer_.Memory(StoreOfOne(value.kind, BytesOf(type)));
}

void LaneCode::StoreVector(uint32_t address, LaneValue value, int bytes) {
  // The low bytes of the words come first.
  constexpr std::array<uint8_t, 16> kBytes = {0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12, 0, 4, 8, 12};
  constexpr std::array<uint8_t, 16> kHalves = {0, 1, 4, 5, 8, 9, 12, 13, 0, 1, 4, 5, 8, 9, 12, 13};
  for (uint32_t part = 0; part < PartsOf(value.kind); ++part) {
    writer_.Get(address);
    writer_.Get(value.local + part);
    if (bytes >= 4) {
      writer_.Memory(Code::kV128Store, 16 * part);
      continue;
    }
    if (value.kind == kPred) writer_.Write(Code::kI32x4Neg);  // to 0 and 1
    const uint32_t wide = writer_.NewLocal(CodeType::kV128);
    writer_.Set(wide);
    writer_.Get(wide);
    writer_.Get(wide);
    writer_.Shuffle(bytes == 1 ? kBytes : kHalves);
    if (bytes == 1) {
      writer_.MemoryLane(Code::kV128Store32Lane, 0, 4 * part);
    } else {
      writer_.MemoryLane(Code::kV128Store64Lane, 0, 8 * part);
    }
  }
}

}  // namespace hlo
