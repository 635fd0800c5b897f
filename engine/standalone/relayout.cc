// bitcast between layouts: elements as they lie in memory, read as another layout has them.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "engine/ops/movement/memory_image.h"
#include "engine/ops/movement/physical_order.h"
#include "engine/ops/op_def.h"
#include "engine/standalone/operation.h"

namespace hlo {
namespace {

// Elements as they lie in memory, read in the order of another layout.
bool WriteReordered(const Operation& operation, Emitter* emitter) {
  const Shape &from = operation.call->operand(0), &to = operation.call->shape();
  if (!IsOrderOnly(from.layout()) || !IsOrderOnly(to.layout()) ||
      BytesOf(from.element_type()) != BytesOf(to.element_type()) ||
      from.element_count() != to.element_count()) {
    return false;
  }
  const bool is_same_type = from.element_type() == to.element_type();
  if (!is_same_type && (IsSubByte(from.element_type()) || IsSubByte(to.element_type()))) {
    return false;
  }
  const StridedView physical = Permute(RowMajorView(from.dims()), PhysicalOrder(from.layout()));
  const int32_t image = emitter->Viewed(operation.operands[0], physical, from.element_type());
  const Dims order = PhysicalOrder(to.layout());
  Dims dims, back(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    dims.push_back(to.dim(static_cast<int>(order[i])));
    back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  }
  emitter->CopyView(image, Permute(RowMajorView(dims), back), operation.results[0],
                    BytesOf(to.element_type()));
  return true;
}

// ---- Any layouts --------------------------------------------------------------------------------

/// Larger arrays have no table.
constexpr int64_t kMostPlaces = int64_t{1} << 22;
/// No element of the operand.
constexpr uint32_t kNowhere = ~uint32_t{0};

/// A type of as many bytes, all of whose codes are kept.
ElementType PlainType(ElementType type) {
  switch (BytesOf(type)) {
    case 1:
      return ElementType::kU8;
    case 2:
      return ElementType::kU16;
    case 4:
      return ElementType::kU32;
    case 8:
      return ElementType::kU64;
    default:
      return ElementType::kC128;
  }
}

bool IsPacked(const Shape& shape) {
  return shape.layout().has_extras() && shape.layout().extras().element_bits != 0;
}
/// Whether elements are bytes in memory, and all of their bits count.
bool HasWholeBytes(const Shape& shape) {
  return !IsPacked(shape) &&
         (!IsSubByte(shape.element_type()) || shape.element_type() == ElementType::kPred);
}

/// For each part of the result the one of the operand that it is, parts being bytes or (1) bits:
/// the engine's own functions carry the numbers of parts there, one digit of each at a time.
/// Nothing where a layout has no image.
std::optional<std::vector<uint32_t>> PlacesOfParts(Shape from, Shape to, int bits) {
  for (Shape* shape : {&from, &to}) {
    if (HasWholeBytes(*shape)) shape->set_element_type(PlainType(shape->element_type()));
  }
  const int per_byte = 8 / bits;
  const uint32_t mask = (1U << bits) - 1;
  Budget budget;
  try {
    const auto from_map = ImageMap(from), to_map = ImageMap(to);
    const auto bytes = static_cast<size_t>(std::max(from_map->byte_size(), to_map->byte_size()));
    Tensor source(from, &budget), result(to, &budget);
    std::vector<uint32_t> places(static_cast<size_t>(result.byte_size() * per_byte));
    for (int digit = 0; digit < 32; digit += bits) {
      for (int64_t i = 0; i < source.byte_size(); ++i) {
        uint32_t byte = 0;
        for (int k = 0; k < per_byte; ++k) {
          const auto number = static_cast<uint32_t>(i * per_byte + k + 1);
          byte |= ((number >> digit) & mask) << (k * bits);
        }
        source.mutable_bytes()[i] = static_cast<std::byte>(byte);
      }
      std::vector<std::byte> image(bytes);
      WriteImage(source, *from_map, image.data(), &budget);
      ReadImage(image.data(), *to_map, &result, &budget);
      for (size_t i = 0; i < places.size(); ++i) {
        const auto byte =
            std::to_integer<uint32_t>(result.bytes()[i / static_cast<size_t>(per_byte)]);
        const int at = static_cast<int>(i % static_cast<size_t>(per_byte)) * bits;
        places[i] |= ((byte >> at) & mask) << digit;
      }
    }
    // What nothing was written to is 0.
    for (uint32_t& place : places) --place;
    return places;
  } catch (const RunError&) {
    return std::nullopt;
  }
}

/// Places of elements of so many bytes, if they stay together.
std::optional<std::vector<uint32_t>> PlacesOfElements(const std::vector<uint32_t>& bytes,
                                                      uint32_t width) {
  std::vector<uint32_t> places;
  for (size_t i = 0; i < bytes.size(); i += width) {
    if (bytes[i] % width != 0) return std::nullopt;
    for (uint32_t k = 1; k < width; ++k) {
      if (bytes[i + k] != bytes[i] + k) return std::nullopt;
    }
    places.push_back(bytes[i] / width);
  }
  return places;
}

/// A table in the module's data, an address in it in a local.
uint32_t TableAddress(std::span<const uint32_t> numbers, Emitter* emitter, KernelCode* code) {
  return code->Number(static_cast<int32_t>(emitter->module().Data(std::as_bytes(numbers))));
}
/// The number at an address, which goes on to the next one.
LaneValue NextNumber(uint32_t next, KernelCode* code) {
  const LaneValue number = code->one().Load(next, ElementType::kU32);
  code->Advance(next, sizeof(uint32_t));
  return number;
}

/// Bit by bit.
bool WriteBits(const Operation& operation, Emitter* emitter) {
  const Shape &from = operation.call->operand(0), &to = operation.call->shape();
  const auto places = PlacesOfParts(from, to, 1);
  if (!places) return false;
  if (places->empty()) return true;
  KernelCode code(2);
  LaneCode& one = code.one();
  const uint32_t next = TableAddress(*places, emitter, &code), result = code.Sum(1, 0);
  const LaneValue zero = one.Constant(LaneKind::kI32, 0), last = one.Constant(LaneKind::kI32, 7);
  const LaneValue bit_mask = one.Constant(LaneKind::kI32, 1);
  code.Repeat(static_cast<int64_t>(places->size() / 8), [&] {
    LaneValue byte = zero;
    for (int bit = 0; bit < 8; ++bit) {
      const LaneValue place = NextNumber(next, &code);
      const LaneValue is_nowhere =
          one.Binary(LaneOp::kEq, place, one.ConstantOfBits(LaneKind::kI32, kNowhere));
      const LaneValue known = one.Select(is_nowhere, zero, place);
      const LaneValue of_byte = one.ShiftBy(LaneOp::kShiftRightU, known, 3);
      const uint32_t at = ElementAddress(0, of_byte.local, 1, &code.writer());
      const LaneValue moved = one.Binary(LaneOp::kShiftRightU, one.Load(at, ElementType::kU8),
                                         one.Binary(LaneOp::kAnd, known, last));
      const LaneValue value =
          one.Select(is_nowhere, zero, one.Binary(LaneOp::kAnd, moved, bit_mask));
      byte = one.Binary(LaneOp::kOr, byte, one.ShiftBy(LaneOp::kShiftLeft, value, bit));
    }
    if (to.element_type() == ElementType::kPred) byte = one.Binary(LaneOp::kNe, byte, zero);
    one.Store(result, {byte.local, LaneKind::kI32}, ElementType::kU8);
    code.Advance(result, 1);
  });
  return emitter->Call(&code, operation.operands, operation.results);
}

bool WriteByTable(const Operation& operation, Emitter* emitter) {
  const Shape &from = operation.call->operand(0), &to = operation.call->shape();
  const bool by_bytes =
      HasWholeBytes(from) && HasWholeBytes(to) && to.element_type() != ElementType::kPred;
  const int64_t parts = by_bytes ? 1 : 8;
  for (const Shape* shape : {&from, &to}) {
    if (shape->stored_bytes() * parts > kMostPlaces) {
      return emitter->Refuse(
          fmt::format("its layouts put {} into an order for which a module has a table, and that "
                      "would have more than {} entries",
                      by_bytes ? "bytes" : "bits", kMostPlaces));
    }
    if (shape->layout().has_extras() && !shape->layout().extras().padded_dimensions.empty()) {
      return emitter->Refuse("what a layout with PAD has between its elements would be read");
    }
  }
  if (!by_bytes) {
    return WriteBits(operation, emitter) ||
           emitter->Refuse("one of its layouts has no image in memory");
  }
  const auto bytes = PlacesOfParts(from, to, 8);
  if (!bytes) return emitter->Refuse("one of its layouts has no image in memory");
  if (std::find(bytes->begin(), bytes->end(), kNowhere) != bytes->end()) {
    return WriteBits(operation, emitter);
  }
  if (bytes->empty()) return true;
  int width = std::min(BytesOf(from.element_type()), BytesOf(to.element_type()));
  std::optional<std::vector<uint32_t>> places =
      PlacesOfElements(*bytes, static_cast<uint32_t>(width));
  if (!places) {
    places = bytes;
    width = 1;
  }
  KernelCode code(2);
  const uint32_t next = TableAddress(*places, emitter, &code), to_address = code.Sum(1, 0);
  const StridedView one{{1}, {1}, 0};
  code.Repeat(static_cast<int64_t>(places->size()), [&] {
    const uint32_t at = ElementAddress(0, NextNumber(next, &code).local, width, &code.writer());
    code.CopyView(at, one, to_address, one, width);
    code.Advance(to_address, width);
  });
  return emitter->Call(&code, operation.operands, operation.results);
}

}  // namespace

bool WriteRelayout(const Operation& operation, Emitter* emitter) {
  return WriteReordered(operation, emitter) || WriteByTable(operation, emitter);
}

}  // namespace hlo
