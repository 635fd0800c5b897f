// all-to-all and ragged-all-to-all: every device sends a part to every other.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/kernels/move_copy.h"
#include "engine/ops/devices/collectives.h"
#include "engine/ops/devices/device_groups.h"
#include "engine/ops/devices/meetings.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

constexpr AttrDef kAllToAllAttrs[] = {
    kChannelIdAttr,
    kGroupsAttr,
    kConstrainAttr,
    {"dimensions", AttrKind::kInts, AttrUse::kOptional,
     "The one dimension that is cut and put together; without it there is one operand per member."},
};

// ---- all-to-all ---------------------------------------------------------------------------------

/// XLA, shape_inference.cc, InferAllToAllShape.
bool CheckSplit(const OpCall& call, Diagnostics& out) {
  const Shape& operand = call.operand(0);
  const auto fail = [&](std::string_view message) {
    ReportAttr(call, "dimensions", DiagCode::kDimensionNumbers, message, out);
    return false;
  };
  if (call.operand_count() != 1) {
    return fail(fmt::format("with dimensions, all-to-all takes one operand, found {}",
                            call.operand_count()));
  }
  const Dims& dims = call.Ints("dimensions");
  if (dims.size() != 1) {
    return fail(
        fmt::format("expects 1 dimension numbers, but {} has {}", DimsText(dims), dims.size()));
  }
  const int64_t d = dims[0];
  if (d < 0 || d >= operand.rank()) {
    return fail(fmt::format("AllToAll split_dimension {} is out-of-bounds in shape {}.", d,
                            ShapeName(operand)));
  }
  for (int i = 0; i < operand.rank(); ++i) {
    if (operand.is_dynamic(i) && !operand.is_unbounded(i)) {
      return fail("AllToAll does not support bounded dynamic shapes");
    }
  }
  const int64_t parts = SubgroupSize(call, GroupModeOf(call, /*partition_wide=*/true));
  const int64_t size = operand.dim(static_cast<int>(d));
  if (parts > 0 && size != Shape::kUnbounded && size % parts != 0) {
    return fail(fmt::format("AllToAll split dimension size {} must be dividable by split_count {}.",
                            size, parts));
  }
  return true;
}

std::optional<Shape> InferAllToAll(const OpCall& call, Diagnostics& out) {
  if (!CheckArrays(call, out)) return std::nullopt;
  if (call.Has("dimensions")) {
    if (!CheckSplit(call, out)) return std::nullopt;
    return OperandShapes(call);
  }
  std::vector<Shape> shapes;
  const Shape& first = call.operand(0);
  for (int i = 0; i < call.operand_count(); ++i) {
    const Shape& operand = call.operand(i);
    shapes.push_back(operand);
    const Shape::EqualOptions but_memory{.layout_parts = {.memory_space = false}};
    if (Shape::Equal(operand, first, but_memory)) continue;
    const bool layouts = Shape::Compatible(operand, first);
    ReportOperand(call, i, DiagCode::kOperandInvalid,
                  fmt::format("HLO all-to-all has operands with different shapes: the 0th operand "
                              "shape {}, but the {}th operand has shape {}.",
                              layouts ? ShapeText(first) : ShapeName(first), i,
                              layouts ? ShapeText(operand) : ShapeName(operand)),
                  out);
  }
  bool tuple = call.operand_count() > 1 || (call.written() && call.written()->IsTuple());
  return tuple ? Shape::Tuple(std::move(shapes)) : std::move(shapes[0]);
}

void VerifyAllToAll(const OpCall& call, Diagnostics& out) {
  GroupMode mode = GroupModeOf(call, /*partition_wide=*/true);
  if (!CheckGroups(call, mode, /*uniform=*/true, out) || call.Has("dimensions")) return;
  int64_t members = SubgroupSize(call, mode);
  // Without groups all devices take part, and the text need not give their number.
  const bool is_open = members == 1 && call.Groups().groups().empty();
  if (is_open || call.operand_count() == members) return;
  ReportOp(call, DiagCode::kOperandCount,
           fmt::format("without dimensions it takes one operand per member of a group: {} operands "
                       "for {} members",
                       call.operand_count(), members),
           out);
}

// ---- ragged-all-to-all --------------------------------------------------------------------------

constexpr std::string_view kRaggedAllToAllOperands[] = {
    "input", "output", "input_offsets", "send_sizes", "output_offsets", "recv_sizes"};
constexpr AttrDef kRaggedAllToAllAttrs[] = {
    kChannelIdAttr,
    kGroupsAttr,
    {.name = "dimensions",
     .kind = AttrKind::kInts,
     .use = AttrUse::kOptional,
     .doc = "Accepted; rows are cut on dimension 0.",
     .never_printed = true},
};

/// XLA, hlo_verifier.cc, HandleRaggedAllToAll.
std::optional<Shape> InferRagged(const OpCall& call, Diagnostics& out) {
  if (!CheckArrays(call, out)) return std::nullopt;
  for (int i = 2; i < call.operand_count(); ++i) {
    const Shape& numbers = call.operand(i);
    CheckType(call, i, kIntegerTypes, out);
    if (numbers.rank() != 1 && numbers.rank() != 2) {
      ReportOperand(
          call, i, DiagCode::kOperandInvalid,
          fmt::format("RaggedAllToAll operand {} must be rank 1 or 2: {}", i, ShapeName(numbers)),
          out);
      break;
    }
    const Shape::EqualOptions but_memory{.layout_parts = {.memory_space = false}};
    if (i == 2 || Shape::Equal(numbers, call.operand(i - 1), but_memory)) continue;
    ReportOperand(call, i, DiagCode::kOperandInvalid,
                  fmt::format("RaggedAllToAll operands have different shapes ({}, {}): {} and {}",
                              i - 1, i, ShapeText(call.operand(i - 1)), ShapeText(numbers)),
                  out);
    break;
  }
  CheckSameType(call, 0, 1, out);
  return call.operand(1);
}

void VerifyRagged(const OpCall& call, Diagnostics& out) {
  CheckGroups(call, GroupModeOf(call, /*partition_wide=*/true), /*uniform=*/true, out);
}

// ---- Evaluation ---------------------------------------------------------------------------------

/// Without dimensions: the operand at index `rank` of every member.
Value TakeOperands(const OpCall& call, Meeting& meeting, size_t rank, EvalContext& context) {
  int members = static_cast<int>(meeting.members.size());
  if (call.operand_count() != members) {
    throw RunError(DiagCode::kRuntimeError,
                   fmt::format("it has {} operands, but the group has {} devices, and one operand "
                               "goes to each",
                               call.operand_count(), members));
  }
  std::vector<Value> parts;
  for (int member = 0; member < members; ++member) {
    const Tensor& part = Given(meeting, static_cast<size_t>(member), static_cast<int>(rank));
    parts.emplace_back(
        ConvertTensor(part, PartShape(call.shape(), member).element_type(), context.budget()));
  }
  return JoinParts(call.shape(), std::move(parts));
}

Value TakeExchanged(const OpCall& call, Meeting& meeting, size_t rank, EvalContext& context) {
  if (!call.Has("dimensions")) return TakeOperands(call, meeting, rank, context);
  size_t d = static_cast<size_t>(call.Ints("dimensions")[0]);
  int64_t count = static_cast<int64_t>(meeting.members.size());
  std::vector<Value> parts;
  for (int i = 0; i < call.operand_count(); ++i) {
    std::vector<Tensor> pieces;
    for (size_t member = 0; member < meeting.members.size(); ++member) {
      pieces.push_back(
          BlockOf(Given(meeting, member, i), d, static_cast<int64_t>(rank), count, context));
    }
    parts.emplace_back(Concatenated(pieces, d, PartShape(call.shape(), i), context));
  }
  return JoinParts(call.shape(), std::move(parts));
}

/// The numbers in operand i of a member: one per member of the group and per update.
std::vector<int64_t> Numbers(const Meeting& meeting, size_t member, int i, EvalContext& context) {
  Tensor wide = ConvertTensor(Given(meeting, member, i), ElementType::kS64, context.budget());
  const int64_t* data = wide.data<int64_t>();
  return {data, data + wide.element_count()};
}

/// The transfers of one member, from its operands 2 to 5.
struct RaggedSends {
  std::vector<int64_t> input_offsets, send_sizes, output_offsets, recv_sizes;
};

/// Checks that the arrays' rows have one shape.
void CheckRowShapes(const Shape& input, const Shape& output) {
  bool same = input.rank() == output.rank() && input.rank() > 0;
  for (int d = 1; same && d < input.rank(); ++d) same = input.dim(d) == output.dim(d);
  if (same) return;
  throw RunError(DiagCode::kRuntimeError,
                 fmt::format("rows of {} cannot be put into {}: all dimensions but the first must "
                             "be equal",
                             ShapeName(input), ShapeName(output)));
}

void CheckRows(std::string_view what, int64_t offset, int64_t size, int64_t rows) {
  if (offset >= 0 && size >= 0 && offset <= rows && size <= rows - offset) return;
  throw RunError(DiagCode::kRuntimeError,
                 fmt::format("{} rows from row {} of the {} are meant, which has {} rows", size,
                             offset, what, rows));
}

/// Copies rows between arrays that agree in all dimensions but the first.
void CopyRows(const Tensor& from, int64_t from_row, Tensor* to, int64_t to_row, int64_t rows,
              EvalContext& context) {
  Dims counts = to->dims();
  counts[0] = rows;
  Dims from_starts(counts.size(), 0), to_starts(counts.size(), 0);
  from_starts[0] = from_row;
  to_starts[0] = to_row;
  CopyView(BytesOf(to->element_type()), from.bytes(),
           Slice(RowMajorView(from.dims()), from_starts, counts), to->mutable_bytes(),
           Slice(RowMajorView(to->dims()), to_starts, counts), context.budget());
}

/// Checks that both sides give the same number of rows for each transfer: otherwise a device would
/// wait forever.
void CheckSizes(const Meeting& meeting, size_t sender, size_t receiver, const RaggedSends& sends,
                const RaggedSends& own, size_t updates) {
  int64_t sent = 0, wanted = 0;
  for (size_t u = 0; u < updates; ++u) {
    // Each is at most the rows of an array, or refused later.
    sent += std::clamp<int64_t>(sends.send_sizes[receiver * updates + u], 0, int64_t{1} << 40);
    wanted += std::clamp<int64_t>(own.recv_sizes[sender * updates + u], 0, int64_t{1} << 40);
  }
  if (sent == wanted) return;
  throw RunError(DiagCode::kRuntimeError,
                 fmt::format("device {} sends {} rows to device {}, which expects {}",
                             meeting.members[sender], sent, meeting.members[receiver], wanted));
}

Value TakeRagged(const OpCall& call, Meeting& meeting, size_t rank, EvalContext& context) {
  size_t members = meeting.members.size();
  size_t numbers = static_cast<size_t>(call.operand(2).element_count());
  CheckRowShapes(call.operand(0), call.operand(1));
  if (numbers % members != 0) {
    throw RunError(DiagCode::kRuntimeError,
                   fmt::format("offsets and sizes have {} numbers, which is no multiple of the {} "
                               "devices in the group",
                               numbers, members));
  }
  auto sends_of = [&](size_t member) {
    return RaggedSends{Numbers(meeting, member, 2, context), Numbers(meeting, member, 3, context),
                       Numbers(meeting, member, 4, context), Numbers(meeting, member, 5, context)};
  };
  const Tensor& output = Given(meeting, rank, 1);
  Tensor result(call.shape().element_type(), output.dims(), context.budget());
  Tensor before = ConvertTensor(output, result.element_type(), context.budget());
  std::memcpy(result.mutable_bytes(), before.bytes(), static_cast<size_t>(result.byte_size()));
  size_t updates = numbers / members;
  RaggedSends own = sends_of(rank);
  for (size_t sender = 0; sender < members; ++sender) {
    RaggedSends sends = sends_of(sender);
    CheckSizes(meeting, sender, rank, sends, own, updates);
    Tensor input =
        ConvertTensor(Given(meeting, sender, 0), result.element_type(), context.budget());
    for (size_t at = rank * updates; at < (rank + 1) * updates; ++at) {
      int64_t rows = sends.send_sizes[at];
      CheckRows("input", sends.input_offsets[at], rows, input.dim(0));
      CheckRows("output", sends.output_offsets[at], rows, result.dim(0));
      CopyRows(input, sends.input_offsets[at], &result, sends.output_offsets[at], rows, context);
    }
  }
  return result;
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
        "The operation semantics document has one dimension to cut and one to concatenate; the "
        "text form has one for both.",
    .operands = kOperand,
    .types = kAllArrayTypes,
    .attrs = kAllToAllAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferAllToAll,
    .verify = VerifyAllToAll,
    .enter = EnterGroup<true, TakeExchanged>,
    .keeps_layout = true,
    .is_collective = true,
};

const OpDef kRaggedAllToAll{
    .doc =
        "Sends rows of the input, as many to each member of the group as send_sizes says, into "
        "the members' outputs at output_offsets; other rows of the output keep their value.",
    .source = "XLA, shape_inference.cc, InferRaggedAllToAllShape; hlo_instructions.h",
    .operands = kRaggedAllToAllOperands,
    .types = "all array types, and integers for offsets and sizes",
    .attrs = kRaggedAllToAllAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferRagged,
    .verify = VerifyRagged,
    .enter = EnterGroup<true, TakeRagged>,
    .keeps_layout = true,
    .written_operand = 1,
    .is_collective = true,
};

}  // namespace ops
}  // namespace hlo
