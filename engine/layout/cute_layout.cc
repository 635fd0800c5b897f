#include "engine/layout/cute_layout.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "engine/base/bits.h"

namespace hlo {
namespace {

// Where a swizzle's bits must end, so that offsets stay within StridedMap's.
constexpr int64_t kMostSwizzleBits = 60;

bool CheckReach(Cursor& in, Range range, const Swizzle& swizzle) {
  const int64_t distance = swizzle.shift < 0 ? -swizzle.shift : swizzle.shift;
  if (swizzle.bits + swizzle.base + distance <= kMostSwizzleBits) return true;
  return in.FaultAt(range, fmt::format("a swizzle reaches at most bit {}", kMostSwizzleBits));
}

bool ReadSwizzle(Cursor& in, CuteLayout* layout) {
  Range range[3];
  Swizzle& swizzle = layout->swizzle;
  if (!in.Integer(&swizzle.bits, "the number of bits B of Swizzle<B,M,S>", &range[0]) ||
      !in.Expect(',', "after B of Swizzle<B,M,S>") ||
      !in.Integer(&swizzle.base, "the base M of Swizzle<B,M,S>", &range[1]) ||
      !in.Expect(',', "after M of Swizzle<B,M,S>") ||
      !in.Integer(&swizzle.shift, "the shift S of Swizzle<B,M,S>", &range[2], true) ||
      !in.Expect('>', "after S of Swizzle<B,M,S>") || !in.Expect('o', "after the swizzle")) {
    return false;
  }
  const int64_t distance = swizzle.shift < 0 ? -(swizzle.shift + 1) + 1 : swizzle.shift;
  for (int i = 0; i < 3; ++i) {
    const int64_t value = i == 0 ? swizzle.bits : i == 1 ? swizzle.base : distance;
    if (value > kMostSwizzleBits || value < 0) {
      return in.FaultAt(range[i],
                        fmt::format("a swizzle reaches at most bit {}", kMostSwizzleBits));
    }
  }
  if (distance < swizzle.bits) {
    return in.FaultAt(range[2], fmt::format("the shift of a swizzle of {} bits is at least {} "
                                            "either way, so that they do not overlap",
                                            swizzle.bits, swizzle.bits));
  }
  return CheckReach(in, range[1], swizzle);
}

// The rest of `smem_ptr[16b](unset) o`, and the swizzle of bytes as one of elements.
bool ReadSharedPointer(Cursor& in, int64_t element_bits, Swizzle* swizzle) {
  int64_t bits = 0;
  Range range;
  if (!in.Integer(&bits, "the bits of an element", &range)) return false;
  if (!in.Take("b](unset)")) return in.Fault("expected 'b](unset)'");
  if (bits != element_bits) {
    return in.FaultAt(range,
                      fmt::format("the elements have {} bits; a type of {} bits goes in front",
                                  element_bits, bits));
  }
  if (swizzle->bits == 0) return in.Expect('o', "after the pointer");
  int64_t byte_bits = 8;
  for (; byte_bits < bits; byte_bits *= 2) --swizzle->base;
  for (; byte_bits > bits; byte_bits /= 2) ++swizzle->base;
  if (byte_bits != bits || swizzle->base < 0) {
    return in.FaultAt(range, "the swizzle would part the bytes of an element");
  }
  return CheckReach(in, range, *swizzle) && in.Expect('o', "after the pointer");
}

// One tuple or integer.
bool ReadTuple(Cursor& in, bool is_signed, std::string_view what, CuteTuple* tuple) {
  std::vector<size_t> open;  // tuples not closed yet
  do {
    in.SkipSpace();
    const size_t begin = in.position();
    if (tuple->size() >= 2 * kMostCuteModes) {
      return in.Fault(fmt::format("a layout has at most {} modes", kMostCuteModes));
    }
    if (in.Take('(')) {
      if (!open.empty()) ++(*tuple)[open.back()].value;
      open.push_back(tuple->size());
      tuple->push_back({true, 0, in.RangeFrom(begin)});
      in.SkipSpace();
      if (in.Peek() != ')') continue;
    } else {
      CuteNode node;
      if (!in.Integer(&node.value, what, &node.range, is_signed)) return false;
      if (!open.empty()) ++(*tuple)[open.back()].value;
      tuple->push_back(node);
    }
    while (!open.empty() && in.Take(')')) {
      CuteNode& closed = (*tuple)[open.back()];
      closed.range.end = in.RangeFrom(in.position()).end;
      open.pop_back();
    }
    // CuTe writes no comma before `)`, Python does.
    if (!open.empty() && !in.Expect(',', "or ')' in the tuple")) return false;
  } while (!open.empty());
  return true;
}

bool CheckNesting(Cursor& in, const CuteLayout& layout) {
  for (size_t i = 0; i < layout.shape.size() && i < layout.stride.size(); ++i) {
    const CuteNode& shape = layout.shape[i];
    const CuteNode& stride = layout.stride[i];
    if (shape.is_tuple != stride.is_tuple) {
      return in.FaultAt(stride.range, shape.is_tuple
                                          ? "the shape has a tuple in this place, so the stride "
                                            "must have one too"
                                          : "the shape has an integer in this place, so the "
                                            "stride must have one too");
    }
    if (shape.is_tuple && shape.value != stride.value) {
      return in.FaultAt(stride.range, fmt::format("{} strides for {} modes of the shape",
                                                  stride.value, shape.value));
    }
  }
  return true;
}

// Compact strides, the first mode fastest.
bool FillStrides(Cursor& in, CuteLayout* layout) {
  int64_t stride = 1;
  layout->stride = layout->shape;
  for (CuteNode& node : layout->stride) {
    if (node.is_tuple) continue;
    const int64_t size = node.value;
    node.value = stride;
    if (!MultiplyChecked(stride, size == 0 ? 1 : size, &stride)) {
      return in.FaultAt(node.range, "the sizes multiply to more than fits 64 bits");
    }
  }
  return true;
}

void AppendTuple(const CuteTuple& tuple, std::string* out) {
  std::vector<int64_t> open;  // parts that are still to come, per tuple
  for (const CuteNode& node : tuple) {
    if (node.is_tuple) {
      out->push_back('(');
      open.push_back(node.value);
    } else {
      fmt::format_to(std::back_inserter(*out), FMT_STRING("{}"), node.value);
    }
    if (node.is_tuple && node.value > 0) continue;
    if (node.is_tuple) {
      out->push_back(')');
      open.pop_back();
    }
    while (!open.empty() && --open.back() == 0) {
      out->push_back(')');
      open.pop_back();
    }
    if (!open.empty()) out->push_back(',');
  }
}

}  // namespace

std::optional<CuteLayout> ParseCuteLayout(Cursor& in, int64_t element_bits) {
  CuteLayout layout;
  layout.range = in.WholeRange();
  if (in.Take("Swizzle<") || in.Take("Sw<") || in.Take("S<")) {
    if (!ReadSwizzle(in, &layout)) return std::nullopt;
  }
  if (in.Take("smem_ptr[") && !ReadSharedPointer(in, element_bits, &layout.swizzle)) {
    return std::nullopt;
  }
  // `5 o (8):(1)`: an offset.
  in.SkipSpace();
  const size_t begin = in.position();
  if (in.Peek() == '_' || in.Peek() == '-' || (in.Peek() >= '0' && in.Peek() <= '9')) {
    if (!in.Integer(&layout.offset, "an offset", &layout.offset_range, true)) return std::nullopt;
    if (!in.Take('o')) {
      in.set_position(begin);
      layout.offset = 0;
    }
  }
  if (!ReadTuple(in, false, "a size", &layout.shape)) return std::nullopt;
  if (in.Take(':')) {
    if (!ReadTuple(in, true, "a stride", &layout.stride) || !CheckNesting(in, layout)) {
      return std::nullopt;
    }
  } else if (!FillStrides(in, &layout)) {
    return std::nullopt;
  }
  if (!in.ExpectEnd()) return std::nullopt;
  return layout;
}

std::string CuteLayoutText(const CuteLayout& layout) {
  std::string text;
  const Swizzle& swizzle = layout.swizzle;
  if (swizzle.bits != 0 || layout.offset != 0) {
    text = fmt::format("Sw<{},{},{}> o {} o ", swizzle.bits, swizzle.base, swizzle.shift,
                       layout.offset);
  }
  AppendTuple(layout.shape, &text);
  text.push_back(':');
  AppendTuple(layout.stride, &text);
  return text;
}

StridedMap::Parts CuteParts(const CuteLayout& layout) {
  StridedMap::Parts parts;
  parts.base = layout.offset;
  parts.base_range = layout.offset_range;
  parts.swizzle = layout.swizzle;
  parts.range = layout.range;
  const bool has_dims = layout.shape.front().is_tuple;
  std::vector<int64_t> open;
  for (size_t i = 0; i < layout.shape.size(); ++i) {
    const CuteNode& node = layout.shape[i];
    // A part of the outermost tuple, or the only integer there is, starts a dimension.
    if (i > 0 ? open.size() == 1 : !has_dims) parts.dims.push_back(1);
    if (node.is_tuple) {
      open.push_back(node.value);
    } else {
      int64_t& size = parts.dims.back();
      parts.modes.push_back(
          {{static_cast<int64_t>(parts.dims.size()) - 1, size, node.value, layout.stride[i].value},
           layout.stride[i].range});
      // Larger products are refused later, for their offsets or their count of elements.
      if (!MultiplyChecked(size, node.value, &size)) size = StridedMap::kOffsetLimit;
    }
    if (node.is_tuple && node.value > 0) continue;
    if (node.is_tuple) open.pop_back();
    while (!open.empty() && --open.back() == 0) open.pop_back();
  }
  return parts;
}

}  // namespace hlo
