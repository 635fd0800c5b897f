#include "engine/codegen/flow_arrays.h"

#include <algorithm>
#include <utility>

namespace hlo {
namespace {

bool Has(std::span<const int32_t> values, int32_t value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

}  // namespace

FlowArrays::Mark FlowArrays::Begin() {
  ++depth_;
  return {buffer_of_, free_, buffers_.size()};
}

void FlowArrays::End(const Mark& mark) {
  buffer_of_ = mark.buffer_of;
  free_ = mark.free;
  for (size_t i = mark.buffers; i < buffers_.size(); ++i) free_.push_back(static_cast<int32_t>(i));
  --depth_;
}

void FlowArrays::Define(int32_t value, int32_t buffer) {
  BufferOf(value) = buffer;
  depth_of_[static_cast<size_t>(value)] = depth_;
}

void FlowArrays::DefineOutside(int32_t value, uint32_t place) {
  Define(value, static_cast<int32_t>(buffers_.size()));
  buffers_.push_back({place, 0});
}

int32_t FlowArrays::Take(int64_t bytes) {
  const auto found = std::find_if(free_.begin(), free_.end(), [&](int32_t buffer) {
    return buffers_[static_cast<size_t>(buffer)].bytes == bytes;
  });
  if (found != free_.end()) {
    const int32_t buffer = *found;
    free_.erase(found);
    return buffer;
  }
  buffers_.push_back({writer_.NewLocal(CodeType::kI32), bytes});
  return static_cast<int32_t>(buffers_.size()) - 1;
}

void FlowArrays::DefineNew(int32_t value) {
  Define(value, Take(ValueOf(value).count * BytesOf(ValueOf(value).type)));
}

void FlowArrays::DefineOver(int32_t value, std::span<const int32_t> inputs,
                            std::span<const int32_t> last) {
  const FlowValue& wanted = ValueOf(value);
  for (int32_t input : inputs) {
    const FlowValue& known = ValueOf(input);
    if (known.count != wanted.count || BytesOf(known.type) != BytesOf(wanted.type)) continue;
    if (BufferOf(input) == kNone || !Has(last, input)) continue;
    Define(value, BufferOf(input));
    BufferOf(input) = kNone;
    return;
  }
  DefineNew(value);
}

void FlowArrays::DefineUpdated(int32_t value, int32_t from, std::span<const int32_t> last) {
  const int32_t buffer = BufferOf(from);
  if (Has(last, from)) {
    Define(value, buffer);
    BufferOf(from) = kNone;
    return;
  }
  DefineNew(value);
  Copy(buffers_[static_cast<size_t>(buffer)].place, PlaceOf(value), ValueOf(value));
}

void FlowArrays::DefineAs(int32_t value, int32_t from, std::span<const int32_t> last) {
  if (BufferOf(from) != kNone && Has(last, from)) {
    Define(value, BufferOf(from));
    // Whoever else begins as this one copies it from here.
    taken_.push_back({from, value});
    BufferOf(from) = kNone;
    return;
  }
  const auto taken = std::find_if(taken_.begin(), taken_.end(),
                                  [&](const Move& move) { return move.from == from; });
  const uint32_t source = PlaceOf(BufferOf(from) == kNone ? taken->to : from);
  DefineNew(value);
  Copy(source, PlaceOf(value), ValueOf(value));
}

void FlowArrays::Release(int32_t value) {
  if (BufferOf(value) == kNone) return;
  free_.push_back(BufferOf(value));
  BufferOf(value) = kNone;
}

void FlowArrays::MoveAll(std::span<const Move> moves, std::span<const int32_t> last,
                         const Mark& mark) {
  // By buffer: where what was in it is now.
  std::vector<int32_t> now(buffers_.size());
  for (size_t i = 0; i < now.size(); ++i) now[i] = static_cast<int32_t>(i);
  std::vector<bool> is_moved(buffers_.size(), false);
  std::vector<Move> copies;
  for (const Move& move : moves) {
    if (move.from == move.to) is_moved[static_cast<size_t>(BufferOf(move.from))] = true;
  }
  for (const Move& move : moves) {
    if (move.from == move.to) continue;
    const int32_t from = BufferOf(move.from);
    const int32_t to = mark.buffer_of[static_cast<size_t>(move.to)];
    const bool is_own = depth_of_[static_cast<size_t>(move.from)] == depth_ || Has(last, move.from);
    if (!is_own || is_moved[static_cast<size_t>(from)]) {
      copies.push_back({from, to});
      continue;
    }
    is_moved[static_cast<size_t>(from)] = true;
    const int32_t at = now[static_cast<size_t>(from)];
    if (at == to) continue;
    Exchange(buffers_[static_cast<size_t>(at)].place, buffers_[static_cast<size_t>(to)].place);
    std::replace(now.begin(), now.end(), to, at);
    now[static_cast<size_t>(from)] = to;
  }
  for (const Move& copy : copies) {
    const auto move = std::find_if(moves.begin(), moves.end(), [&](const Move& wanted) {
      return mark.buffer_of[static_cast<size_t>(wanted.to)] == copy.to;
    });
    const int32_t source = now[static_cast<size_t>(copy.from)];
    Copy(buffers_[static_cast<size_t>(source)].place, buffers_[static_cast<size_t>(copy.to)].place,
         ValueOf(move->to));
  }
}

uint32_t FlowArrays::PlaceOf(int32_t value) const {
  return buffers_[static_cast<size_t>(buffer_of_[static_cast<size_t>(value)])].place;
}

void FlowArrays::Copy(uint32_t from, uint32_t to, const FlowValue& value) {
  copies_too_much_ = copies_too_much_ || value.count > Flow::kMostElements;
  writer_.Get(to);
  writer_.Get(from);
  writer_.CopyBytes(static_cast<int32_t>(value.count * BytesOf(value.type)));
}

void FlowArrays::Exchange(uint32_t a, uint32_t b) {
  writer_.Get(a);
  writer_.Get(b);
  writer_.Set(a);
  writer_.Set(b);
}

void FlowArrays::LoadPlacesAtStart(uint32_t pointer, int32_t offset) {
  writer_.AtStart([&] {
    int32_t at = offset;
    for (const Buffer& buffer : buffers_) {
      if (buffer.bytes == 0) continue;
      writer_.Get(pointer);
      writer_.Memory(Code::kI32Load, static_cast<uint32_t>(at));
      writer_.Set(buffer.place);
      at += kPlaceBytes;
    }
  });
}

void FlowArrays::StorePlaces(uint32_t pointer, int32_t offset) {
  int32_t at = offset;
  for (const Buffer& buffer : buffers_) {
    if (buffer.bytes == 0) continue;
    writer_.Get(pointer);
    writer_.Get(buffer.place);
    writer_.Memory(Code::kI32Store, static_cast<uint32_t>(at));
    at += kPlaceBytes;
  }
}

std::vector<int64_t> FlowArrays::sizes() const {
  std::vector<int64_t> sizes;
  for (const Buffer& buffer : buffers_) {
    if (buffer.bytes > 0) sizes.push_back(buffer.bytes);
  }
  return sizes;
}

}  // namespace hlo
