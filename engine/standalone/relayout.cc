// bitcast between layouts: elements as they lie in memory, read as another layout has them.
#include <algorithm>
#include <optional>
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

/// For each byte of the result the one of the operand that it is: the engine's own functions carry
/// the numbers of bytes there, one byte of each at a time. Nothing where a layout has no image.
std::optional<std::vector<uint32_t>> PlacesOfBytes(Shape from, Shape to) {
  from.set_element_type(PlainType(from.element_type()));
  to.set_element_type(PlainType(to.element_type()));
  Budget budget;
  try {
    const auto from_map = ImageMap(from), to_map = ImageMap(to);
    const auto bytes = static_cast<size_t>(std::max(from_map->byte_size(), to_map->byte_size()));
    Tensor source(from, &budget), result(to, &budget);
    std::vector<uint32_t> places(static_cast<size_t>(result.byte_size()));
    for (int digit = 0; digit < 32; digit += 8) {
      for (int64_t i = 0; i < source.byte_size(); ++i) {
        source.mutable_bytes()[i] = static_cast<std::byte>((i + 1) >> digit);
      }
      std::vector<std::byte> image(bytes);
      WriteImage(source, *from_map, image.data(), &budget);
      ReadImage(image.data(), *to_map, &result, &budget);
      for (size_t i = 0; i < places.size(); ++i) {
        places[i] |= std::to_integer<uint32_t>(result.bytes()[i]) << digit;
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

bool WriteByTable(const Operation& operation, Emitter* emitter) {
  const Shape &from = operation.call->operand(0), &to = operation.call->shape();
  for (const Shape* shape : {&from, &to}) {
    const bool is_packed =
        shape->layout().has_extras() && shape->layout().extras().element_bits != 0;
    if (is_packed || IsSubByte(shape->element_type())) return false;
    if (shape->stored_bytes() > kMostPlaces) return false;
    // Its value would be a part of the result.
    if (shape->layout().has_extras() && !shape->layout().extras().padded_dimensions.empty()) {
      return false;
    }
  }
  const auto bytes = PlacesOfBytes(from, to);
  if (!bytes || std::find(bytes->begin(), bytes->end(), kNowhere) != bytes->end()) return false;
  if (bytes->empty()) return true;
  int width = std::min(BytesOf(from.element_type()), BytesOf(to.element_type()));
  std::optional<std::vector<uint32_t>> places =
      PlacesOfElements(*bytes, static_cast<uint32_t>(width));
  if (!places) {
    places = bytes;
    width = 1;
  }
  const std::span<const uint32_t> numbers = *places;
  KernelCode code(2);
  const uint32_t next =
      code.Number(static_cast<int32_t>(emitter->module().Data(std::as_bytes(numbers))));
  const uint32_t to_address = code.Sum(1, 0), number = code.Number(0);
  const StridedView one{{1}, {1}, 0};
  code.Repeat(static_cast<int64_t>(numbers.size()), [&] {
    code.writer().Get(next);
    code.writer().Memory(Code::kI32Load);
    code.writer().Set(number);
    const uint32_t at = ElementAddress(0, number, width, &code.writer());
    code.CopyView(at, one, to_address, one, width);
    code.Advance(to_address, width);
    code.Advance(next, sizeof(uint32_t));
  });
  return emitter->Call(&code, operation.operands, operation.results);
}

}  // namespace

bool WriteRelayout(const Operation& operation, Emitter* emitter) {
  return WriteReordered(operation, emitter) || WriteByTable(operation, emitter);
}

}  // namespace hlo
