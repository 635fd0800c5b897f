// all-to-all and ragged-all-to-all: every device sends a part to every other.
#include <fmt/format.h>

#include <utility>

#include "engine/ops/collectives.h"
#include "engine/ops/device_groups.h"
#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

constexpr std::string_view kOperands[] = {"operand"};
constexpr AttrDef kAllToAllAttrs[] = {
    kChannelIdAttr,
    kGroupsAttr,
    kConstrainAttr,
    {"dimensions", AttrKind::kInts, AttrUse::kOptional,
     "The one dimension that is cut and put together; without it there is one operand per member."},
};

// ---- all-to-all ---------------------------------------------------------------------------------

std::optional<Shape> InferAllToAll(const OpCall& call, Diagnostics& out) {
  if (!CheckArrays(call, out)) return std::nullopt;
  if (call.Has("dimensions")) {
    const Shape& operand = call.operand(0);
    std::optional<int> d = CheckOneDim(call, "dimensions", operand.rank(), "the operand", out);
    int64_t parts = SubgroupSize(call, GroupModeOf(call, /*partition_wide=*/true));
    if (d && parts > 0 && !operand.is_unbounded(*d) && operand.dim(*d) % parts != 0) {
      ReportAttr(call, "dimensions", DiagCode::kDimensionNumbers,
                 fmt::format("dimension {} of size {} cannot be cut into {} equal parts", *d,
                             operand.dim(*d), parts),
                 out);
    }
    return OperandShapes(call);
  }
  std::vector<Shape> shapes;
  for (int i = 0; i < call.operand_count(); ++i) {
    shapes.push_back(call.operand(i));
    bool same =
        Shape::Compatible(call.operand(i), call.operand(0)) &&
        call.operand(i).layout().minor_to_major() == call.operand(0).layout().minor_to_major();
    if (same) continue;
    ReportOperand(call, i, DiagCode::kOperandInvalid,
                  fmt::format("HLO all-to-all has operands with different shapes: {} and {}",
                              ShapeText(call.operand(0)), ShapeText(call.operand(i))),
                  out);
  }
  bool tuple = call.operand_count() > 1 || (call.written() && call.written()->IsTuple());
  return tuple ? Shape::Tuple(std::move(shapes)) : std::move(shapes[0]);
}

void VerifyAllToAll(const OpCall& call, Diagnostics& out) {
  GroupMode mode = GroupModeOf(call, /*partition_wide=*/true);
  if (!CheckGroups(call, mode, /*uniform=*/true, out) || call.Has("dimensions")) return;
  int64_t members = SubgroupSize(call, mode);
  if (members == 1 || call.operand_count() == members) return;
  ReportOp(call, DiagCode::kOperandCount,
           fmt::format("without dimensions it takes one operand per member of a group: {} operands "
                       "for {} members",
                       call.operand_count(), members),
           out);
}

// ---- ragged-all-to-all --------------------------------------------------------------------------

constexpr std::string_view kRaggedOperands[] = {"input",      "output",         "input_offsets",
                                                "send_sizes", "output_offsets", "recv_sizes"};
constexpr AttrDef kRaggedAttrs[] = {
    kChannelIdAttr,
    kGroupsAttr,
    {"dimensions", AttrKind::kInts, AttrUse::kOptional, "Accepted; rows are cut on dimension 0."},
};

std::optional<Shape> InferRagged(const OpCall& call, Diagnostics& out) {
  if (!CheckArrays(call, out)) return std::nullopt;
  for (int i = 2; i < call.operand_count(); ++i) {
    const Shape& numbers = call.operand(i);
    CheckType(call, i, kIntegerTypes, out);
    if (numbers.rank() != 1 && numbers.rank() != 2) {
      ReportOperand(call, i, DiagCode::kOperandInvalid,
                    fmt::format("RaggedAllToAll operand {} must be rank 1 or 2, but is {}", i,
                                ShapeName(numbers)),
                    out);
    } else if (!SameDims(numbers, call.operand(2))) {
      ReportOperand(call, i, DiagCode::kOperandInvalid,
                    fmt::format("RaggedAllToAll operands have different shapes: {} and {}",
                                ShapeName(call.operand(2)), ShapeName(numbers)),
                    out);
    }
  }
  CheckSameType(call, 0, 1, out);
  return call.operand(1);
}

}  // namespace

namespace ops {

const OpDef kAllToAll{
    .doc =
        "Cuts the operand into one block per member of the group and sends block i to member i; "
        "the received blocks are concatenated along the same dimension. Without dimensions, "
        "operand i goes to member i.",
    .source = "operation semantics, AllToAll",
    .differs =
        "The seed has one dimension to cut and one to concatenate; the text form has one "
        "for both.",
    .operands = kOperands,
    .types = "all array types",
    .attrs = kAllToAllAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferAllToAll,
    .verify = VerifyAllToAll,
    .any_precision = true,
};

const OpDef kRaggedAllToAll{
    .doc =
        "Sends rows of the input, as many to each member of the group as send_sizes says, into "
        "the members' outputs at output_offsets; other rows of the output keep their value.",
    .source = "reference 11.7 and semantics 8, ragged-all-to-all",
    .operands = kRaggedOperands,
    .types = "all array types, and integers for offsets and sizes",
    .attrs = kRaggedAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferRagged,
    .any_precision = true,
};

}  // namespace ops
}  // namespace hlo
