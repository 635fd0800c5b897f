// collective-permute: every device sends to one device and receives from one.
#include <fmt/format.h>

#include "engine/ops/collectives.h"
#include "engine/ops/device_groups.h"
#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

constexpr std::string_view kOperands[] = {"operand"};
constexpr std::string_view kStart[] = {"start"};
constexpr AttrDef kAttrs[] = {
    kChannelIdAttr,
    {.name = "source_target_pairs",
     .kind = AttrKind::kIntLists,
     .use = AttrUse::kRequired,
     .doc = "Pairs {source,target}; each device is a source and a target at most once.",
     .always_printed = true},
    {"slice_sizes", AttrKind::kIntLists, AttrUse::kOptional,
     "The form in place: the sizes of each slice that is sent. The operands are then input, "
     "output, and where the slices start in each."},
};

bool IsInPlace(const OpCall& call) { return !call.IntLists("slice_sizes").empty(); }

/// Start indices for an array: one number per dimension, or a tuple of such tuples, one per slice.
bool AreStarts(const Shape& starts, const Shape& array) {
  if (!starts.IsTuple() || !array.IsArray()) return false;
  bool nested = !starts.elements().empty() && starts.elements()[0].IsTuple();
  if (nested) {
    for (const Shape& one : starts.elements()) {
      if (!one.IsTuple() || !AreStarts(one, array)) return false;
    }
    return true;
  }
  if (static_cast<int>(starts.elements().size()) != array.rank()) return false;
  for (const Shape& index : starts.elements()) {
    if (!index.IsScalar() || !IsIntegral(index.element_type())) return false;
  }
  return true;
}

/// The buffers (one, or a tuple of them) and their starts have one form.
bool AreBufferStarts(const Shape& starts, const Shape& buffers) {
  if (!buffers.IsTuple()) return AreStarts(starts, buffers);
  if (!starts.IsTuple() || starts.elements().size() != buffers.elements().size()) return false;
  for (size_t i = 0; i < buffers.elements().size(); ++i) {
    if (!AreStarts(starts.elements()[i], buffers.elements()[i])) return false;
  }
  return true;
}

bool CheckInPlace(const OpCall& call, Diagnostics& out) {
  if (call.operand_count() != 4) {
    ReportOp(call, DiagCode::kOperandCount,
             fmt::format("with slice_sizes it expects 4 operands, found {}", call.operand_count()),
             out);
    return false;
  }
  constexpr std::string_view kSides[] = {"input", "output"};
  for (int side = 0; side < 2; ++side) {
    if (AreBufferStarts(call.operand(2 + side), call.operand(side))) continue;
    std::string_view word = kSides[static_cast<size_t>(side)];
    ReportOperand(call, 2 + side, DiagCode::kOperandInvalid,
                  fmt::format("Unmatching {} buffers and {} offset. They are {} and {}", word, word,
                              ShapeName(call.operand(side)), ShapeName(call.operand(2 + side))),
                  out);
  }
  return true;
}

std::optional<Shape> InferPermute(const OpCall& call, Diagnostics& out) {
  if (!IsInPlace(call)) {
    CheckArrays(call, out);
    return OperandShapes(call);
  }
  if (!CheckInPlace(call, out)) return std::nullopt;
  return call.operand(1);
}

/// (operand, result, contexts...): contexts are whatever u32 scalars the text has.
std::optional<Shape> InferPermuteStart(const OpCall& call, Diagnostics& out) {
  std::optional<Shape> result = InferPermute(call, out);
  if (!result) return std::nullopt;
  Shape source = IsInPlace(call) ? call.operand(0) : OperandShapes(call);
  std::vector<Shape> parts = {std::move(source), std::move(*result)};
  const Shape* written = call.written();
  for (size_t i = 2; written && written->IsTuple() && i < written->elements().size(); ++i) {
    parts.push_back(Shape::Scalar(ElementType::kU32));
  }
  return Shape::Tuple(std::move(parts));
}

std::optional<Shape> InferPermuteDone(const OpCall& call, Diagnostics& out) {
  const Shape& start = call.operand(0);
  if (start.IsTuple() && start.elements().size() >= 2) return start.elements()[1];
  ReportOperand(call, 0, DiagCode::kOperandInvalid,
                fmt::format("expects {} to be (operand, result, ...), but it is {}",
                            OperandName(call, 0), ShapeName(start)),
                out);
  return std::nullopt;
}

void VerifyPermute(const OpCall& call, Diagnostics& out) {
  // Two slices of one buffer may go to one device.
  CheckPairs(call, IsInPlace(call) ? 2 : 1, out);
}

}  // namespace

namespace ops {

const OpDef kCollectivePermute{
    .doc = "Sends the operand of each source to its target. A device that is no target gets zeros.",
    .source = "operation semantics, CollectivePermute",
    .operands = kOperands,
    .types = "all array types",
    .attrs = kAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferPermute,
    .verify = VerifyPermute,
    .any_precision = true,
};

const OpDef kCollectivePermuteStart{
    .doc =
        "Starts a collective-permute; collective-permute-done gives the result. The state is "
        "(operand, result, contexts).",
    .source = "reference 11.7, collective-permute-start",
    .operands = kOperands,
    .types = "all array types",
    .attrs = kAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferPermuteStart,
    .verify = VerifyPermute,
    .any_precision = true,
};

const OpDef kCollectivePermuteDone{
    .doc = "The result of the permutation that collective-permute-start started.",
    .source = "reference 11.7, collective-permute-done",
    .operands = kStart,
    .types = "the result of collective-permute-start",
    .result_shape = ResultShape::kWritten,
    .infer = InferPermuteDone,
    .any_precision = true,
};

}  // namespace ops
}  // namespace hlo
