// shuffle: elements change places along some dimensions, in a pattern known beforehand.
#include "engine/ops/movement/shuffle.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "engine/base/indices.h"
#include "engine/base/pacer.h"
#include "engine/kernels/move_copy.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/shape_checks.h"
#include "engine/types/convert.h"

namespace hlo {
namespace {

enum Mode : int64_t { kRotate, kPermute, kMultiRotate };
constexpr std::string_view kModes[] = {"rotate", "permute", "multi_rotate"};
/// The attribute that says where elements go, for each mode.
constexpr std::string_view kNumbers[] = {"shifts", "indices", "multi_shifts"};

constexpr AttrDef kShuffleAttrs[] = {
    {.name = "dimensions",
     .kind = AttrKind::kInts,
     .use = AttrUse::kRequired,
     .doc = "The dimensions along which elements move, each at most once; for multi_rotate one.",
     .always_printed = true},
    {.name = "mode",
     .kind = AttrKind::kWord,
     .use = AttrUse::kRequired,
     .doc = "rotate: each dimension is rotated by one of the shifts. permute: each element is the "
            "one at the coordinates in indices. multi_rotate: one dimension is rotated, by shifts "
            "that depend on the place along the others.",
     .words = kModes,
     .noun = "shuffle mode",
     .always_printed = true},
    {.name = kNumbers[kRotate],
     .kind = AttrKind::kInts,
     .use = AttrUse::kOptional,
     .doc = "For rotate: by how many places each of the dimensions is rotated to the left; "
            "negative: to the right.",
     .always_printed = true},
    {.name = kNumbers[kPermute],
     .kind = AttrKind::kLiteral,
     .use = AttrUse::kOptional,
     .doc = "For permute: integers of the operand's dimensions, followed by one for the "
            "coordinates where several dimensions are shuffled. The size of others may be 1, for "
            "coordinates that are the same all along. Those outside of the operand are moved into "
            "it."},
    {.name = kNumbers[kMultiRotate],
     .kind = AttrKind::kLiteral,
     .use = AttrUse::kOptional,
     .doc = "For multi_rotate: shifts as integers of the operand's dimensions, with size 1 along "
            "the one that is rotated and where they are the same all along."},
};

// ---- Shapes -------------------------------------------------------------------------------------

/// The numbers of the mode are there, and no others.
bool CheckNumbersGiven(const OpCall& call, Diagnostics& out) {
  const int64_t mode = call.Word("mode");
  bool ok = true;
  for (int64_t other = kRotate; other <= kMultiRotate; ++other) {
    if (call.Has(kNumbers[other]) == (other == mode)) continue;
    ReportAttr(call, "mode", DiagCode::kAttributeValue,
               fmt::format("mode={} {} {}", kModes[mode],
                           other == mode ? "needs the attribute" : "does not take the attribute",
                           kNumbers[other]),
               out);
    ok = false;
  }
  return ok;
}

bool FailNumbers(const OpCall& call, const std::string& message, Diagnostics& out) {
  ReportAttr(call, kNumbers[call.Word("mode")], DiagCode::kAttributeValue, message, out);
  return false;
}

bool CheckShifts(const OpCall& call, Diagnostics& out) {
  const size_t dims = call.Ints("dimensions").size(), shifts = call.Ints("shifts").size();
  if (dims == shifts) return true;
  return FailNumbers(
      call,
      fmt::format("expects one shift for each of the {} dimensions, but has {}", dims, shifts),
      out);
}

/// The literal has a coordinate for each dimension that is shuffled, or a shift, wherever it is.
bool CheckLiteral(const OpCall& call, Diagnostics& out) {
  const Shape& operand = call.operand(0);
  const bool permutes = call.Word("mode") == kPermute;
  const Dims& dims = call.Ints("dimensions");
  const Shape& shape = call.GetLiteral(kNumbers[call.Word("mode")])->shape;
  if (!permutes && dims.size() != 1) {
    return FailDims(
        call, "dimensions",
        fmt::format("multi_rotate shuffles one dimension, but {} are given", dims.size()), out);
  }
  if (!shape.IsArray() || !IsIntegral(shape.element_type())) {
    return FailNumbers(call, fmt::format("must be integers, but is {}", ShapeName(shape)), out);
  }
  Dims expected = operand.dims();
  if (!permutes) expected[static_cast<size_t>(dims[0])] = 1;
  if (dims.size() != 1) expected.push_back(static_cast<int64_t>(dims.size()));
  bool fits = shape.dims().size() == expected.size();
  for (size_t d = 0; fits && d < expected.size(); ++d) {
    const bool may_be_shared =
        d < operand.dims().size() && !Contains(dims, static_cast<int64_t>(d));
    fits = shape.dims()[d] == expected[d] || (may_be_shared && shape.dims()[d] == 1);
  }
  if (fits) return true;
  return FailNumbers(
      call,
      fmt::format("expects the dimensions {}, of which those that are not shuffled may be 1, but "
                  "has {}",
                  DimsText(expected), DimsText(shape.dims())),
      out);
}

std::optional<Shape> InferShuffle(const OpCall& call, Diagnostics& out) {
  if (!CheckArray(call, 0, out)) return std::nullopt;
  const bool in_range = CheckDims(call, "dimensions", call.operand(0).rank(), "operand 0", {}, out);
  if (CheckNumbersGiven(call, out) && in_range) {
    if (call.Word("mode") == kRotate) {
      CheckShifts(call, out);
    } else {
      CheckLiteral(call, out);
    }
  }
  Shape result = call.operand(0);
  result.set_layout(Layout::Descending(result.rank()));
  return result;
}

}  // namespace

// ---- Evaluation ---------------------------------------------------------------------------------

int64_t NormalShift(int64_t shift, int64_t size) {
  if (size == 0) return 0;
  const int64_t rest = shift % size;
  return rest < 0 ? rest + size : rest;
}

ShuffleMap::ShuffleMap(const OpCall& call, Budget* budget)
    : call_(call),
      dimensions_(call.Ints("dimensions")),
      strides_(call.operand(0).dims().size(), 0) {
  const int64_t mode = call.Word("mode");
  if (mode == kRotate) {
    const Dims& shifts = call.Ints("shifts");
    numbers_ = Tensor(ElementType::kS64, Dims{static_cast<int64_t>(shifts.size())}, budget);
    std::copy(shifts.begin(), shifts.end(), numbers_.mutable_data<int64_t>());
    return;
  }
  const ShapedLiteral& literal = *call.GetLiteral(kNumbers[mode]);
  if (literal.literal.elided) {
    throw RunError(DiagCode::kNotExecutable,
                   fmt::format("the value of {} was elided as {{...}} when the text was made",
                               kNumbers[mode]));
  }
  const Value whole = WholeValue(literal.literal.value, literal.shape, budget);
  numbers_ = Tensor(ElementType::kS64, literal.shape.dims(), budget);
  ConvertElements(literal.shape.element_type(), whole.tensor().bytes(), ElementType::kS64,
                  numbers_.mutable_bytes(), numbers_.element_count());
  const Dims dense = DenseStrides(literal.shape.dims());
  for (size_t d = 0; d < strides_.size(); ++d) {
    if (literal.shape.dims()[d] != 1) strides_[d] = dense[d];
  }
}

Dims ShuffleMap::SourceOf(const Dims& index) const {
  const int64_t* const numbers = numbers_.data<int64_t>() + StridedOffset(index, strides_);
  const bool permutes = call_.Word("mode") == kPermute;
  Dims source = index;
  for (size_t k = 0; k < dimensions_.size(); ++k) {
    const auto d = static_cast<size_t>(dimensions_[k]);
    const int64_t size = call_.operand(0).dims()[d];
    source[d] = permutes ? std::clamp<int64_t>(numbers[k], 0, size - 1)
                         : NormalShift(index[d] + NormalShift(numbers[k], size), size);
  }
  return source;
}

bool ShuffleMap::IsPlaced(size_t d) const {
  return strides_[d] != 0 || Contains(dimensions_, static_cast<int64_t>(d));
}

Dims ShuffleMap::Places() const {
  Dims places = call_.operand(0).dims();
  for (size_t d = 0; d < places.size(); ++d) {
    if (!IsPlaced(d)) places[d] = 1;
  }
  return places;
}

namespace {

/// A rotation is, along each dimension, two slices that change places. Of a dynamic dimension each
/// has what is inside of the run-time size.
Value Rotate(const OpCall& call, const Tensor& operand, Budget* budget) {
  struct Slices {
    Dims from, to, sizes;
  };
  const Dims live = LiveDims(operand);
  std::vector<Slices> parts = {{Dims(live.size(), 0), Dims(live.size(), 0), live}};
  for (size_t k = 0; k < call.Ints("dimensions").size(); ++k) {
    const auto d = static_cast<size_t>(call.Ints("dimensions")[k]);
    const int64_t shift = NormalShift(call.Ints("shifts")[k], operand.dims()[d]);
    const int64_t behind = std::max<int64_t>(live[d] - shift, 0);
    if (shift == 0 || behind == 0) continue;
    const size_t count = parts.size();
    for (size_t i = 0; i < count; ++i) {
      Slices before = parts[i];
      before.to[d] = behind;
      before.sizes[d] = shift;
      parts[i].from[d] = shift;
      parts[i].sizes[d] = behind;
      parts.push_back(std::move(before));
    }
  }
  if (parts.size() == 1) return operand;
  Tensor result = MakeTensor(call.shape(), live, budget);
  const StridedView from = RowMajorView(operand.dims()), to = RowMajorView(result.dims());
  for (const Slices& part : parts) {
    CopyView(BytesOf(operand.element_type()), operand.bytes(), Slice(from, part.from, part.sizes),
             result.mutable_bytes(), Slice(to, part.to, part.sizes), budget);
  }
  return result;
}

/// Each place by itself, with all elements of the dimensions that keep theirs.
Value Permute(const OpCall& call, const Tensor& operand, Budget* budget) {
  Tensor result = MakeTensor(call.shape(), LiveDims(operand), budget);
  if (operand.element_count() == 0) return result;
  const ShuffleMap map(call, budget);
  const Dims places = map.Places();
  StridedView window = RowMajorView(operand.dims());
  const Dims strides = window.strides;
  for (size_t d = 0; d < places.size(); ++d) {
    if (map.IsPlaced(d)) window.dims[d] = 1;
  }
  // Windows that are copied at a time.
  constexpr size_t kTogether = 2048;
  std::vector<int64_t> from, to;
  std::byte* const bytes = result.mutable_bytes();
  const auto copy = [&] {
    CopyWindows(BytesOf(operand.element_type()), operand.bytes(), window, from, bytes, window, to,
                budget);
    from.clear();
    to.clear();
  };
  Pacer pacer(budget);
  Dims index(places.size(), 0);
  do {
    from.push_back(StridedOffset(map.SourceOf(index), strides));
    to.push_back(StridedOffset(index, strides));
    if (from.size() < kTogether) continue;
    copy();
    pacer.Add(kTogether);
  } while (NextIndex(index, places));
  copy();
  return result;
}

Value EvalShuffle(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const Tensor& operand = args[0].tensor();
  return call.Word("mode") == kRotate ? Rotate(call, operand, context.budget())
                                      : Permute(call, operand, context.budget());
}

/// Indices, shifts of slices and their remainders are for these sizes.
void SizesOfShuffle(const OpCall& call, SizeRules& rules) { rules.KeepAll(call.operand(0)); }

}  // namespace

namespace ops {

const OpDef kShuffle{
    .doc =
        "Moves elements along dimensions, in a pattern that is part of the program: a rotation, "
        "any choice of elements, or a rotation of each slice by itself.",
    .source = "XLA, shuffle.cc, shuffle_expander.cc",
    .operands = kOperand,
    .types = kAllArrayTypes,
    .attrs = kShuffleAttrs,
    .infer = InferShuffle,
    .eval = EvalShuffle,
    .keeps_layout = true,
    .floats = FloatWidths::kOfOperands,
    .sizes = SizesOfShuffle,
};

}  // namespace ops
}  // namespace hlo
