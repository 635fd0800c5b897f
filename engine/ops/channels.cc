// Ops that talk to other devices or to the host: send, recv, infeed, outfeed.
#include <fmt/format.h>

#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

constexpr std::string_view kDataAndToken[] = {"data", "token"};
constexpr std::string_view kToken[] = {"token"};
constexpr std::string_view kSendState[] = {"send"};
constexpr std::string_view kRecvState[] = {"recv"};

constexpr AttrDef kChannelAttrs[] = {
    {"channel_id", AttrKind::kInt, AttrUse::kOptional,
     "What sender and receiver, or the two halves of one transfer, have in common."},
    {"is_host_transfer", AttrKind::kBool, AttrUse::kOptional,
     "The other side is the host, not a device."},
};

/// (data, u32[], token[]): the data in flight, a context, and the order.
Shape TransferShape(const Shape& data) {
  return Shape::Tuple({data, Shape::Scalar(ElementType::kU32), Shape::Token()});
}

/// Programs of XLA's tests give the two operands in either order.
std::optional<Shape> InferSend(const OpCall& call, Diagnostics& out) {
  int data = call.operand(0).IsToken() ? 1 : 0;
  CheckToken(call, 1 - data, out);
  return TransferShape(call.operand(data));
}

bool CheckTransfer(const OpCall& call, Diagnostics& out) {
  const Shape& transfer = call.operand(0);
  if (transfer.IsTuple() && !transfer.elements().empty()) return true;
  ReportOperand(call, 0, DiagCode::kOperandInvalid,
                fmt::format("expects {} to be (data, u32[], token[]), but it is {}",
                            OperandName(call, 0), ShapeName(transfer)),
                out);
  return false;
}

/// Some programs of XLA's tests write (data, token[]).
std::optional<Shape> InferSendDone(const OpCall& call, Diagnostics& out) {
  if (CheckTransfer(call, out) && call.written() && call.written()->IsTuple()) {
    return Shape::Tuple({call.operand(0).elements()[0], Shape::Token()});
  }
  return Shape::Token();
}

std::optional<Shape> InferRecv(const OpCall& call, Diagnostics& out) {
  CheckToken(call, 0, out);
  if (!call.written()) return std::nullopt;
  const Shape& result = *call.written();
  if (!result.IsTuple() || result.elements().empty()) {
    out.Report(
        DiagCode::kShapeInvalid, call.shape_range(),
        fmt::format("recv: the result is (data, u32[], token[]), not {}", ShapeName(result)));
    return std::nullopt;
  }
  return TransferShape(result.elements()[0]);
}

std::optional<Shape> InferRecvDone(const OpCall& call, Diagnostics& out) {
  if (!CheckTransfer(call, out)) return std::nullopt;
  return Shape::Tuple({call.operand(0).elements()[0], Shape::Token()});
}

// ---- infeed, outfeed ----------------------------------------------------------------------------

constexpr AttrDef kInfeedAttrs[] = {
    {"infeed_config", AttrKind::kString, AttrUse::kOptional, "Text for the backend."},
};
constexpr AttrDef kOutfeedAttrs[] = {
    {.name = "outfeed_shape",
     .kind = AttrKind::kShape,
     .use = AttrUse::kOptional,
     .doc = "The shape, with the layout, the host sees; that of the data when not given."},
    {"outfeed_config", AttrKind::kString, AttrUse::kOptional, "Text for the backend."},
};

std::optional<Shape> InferInfeed(const OpCall& call, Diagnostics& out) {
  CheckToken(call, 0, out);
  if (!call.written()) return std::nullopt;
  const Shape& result = *call.written();
  if (!result.IsTuple() || result.elements().size() != 2) {
    out.Report(DiagCode::kShapeInvalid, call.shape_range(),
               fmt::format("infeed: the result is (data, token[]), not {}", ShapeName(result)));
    return std::nullopt;
  }
  return Shape::Tuple({result.elements()[0], Shape::Token()});
}

std::optional<Shape> InferOutfeed(const OpCall& call, Diagnostics& out) {
  CheckToken(call, 1, out);
  const Shape* shape = call.GetShape("outfeed_shape");
  if (shape && !Shape::Compatible(*shape, call.operand(0))) {
    ReportAttr(call, "outfeed_shape", DiagCode::kAttributeValue,
               fmt::format("expects the outfeed shape to be that of the data: {} and {}",
                           ShapeName(*shape), ShapeName(call.operand(0))),
               out);
  }
  return Shape::Token();
}

}  // namespace

namespace ops {

const OpDef kSend{
    .doc = "Starts sending data to the receiver on a channel; send-done waits for the end.",
    .source = "operation semantics, Send",
    .differs = "The seed's result is a context without token; XLA's is (data, u32[], token[]).",
    .operands = kDataAndToken,
    .types = "any shape and a token",
    .attrs = kChannelAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferSend,
    .any_precision = true,
    .keeps_data = true,
};

const OpDef kSendDone{
    .doc = "Waits until what send sent is under way.",
    .source = "operation semantics, SendDone",
    .operands = kSendState,
    .types = "the result of send",
    .attrs = kChannelAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferSendDone,
    .any_precision = true,
    .keeps_data = true,
};

const OpDef kRecv{
    .doc = "Starts receiving data from the sender on a channel; recv-done gives it.",
    .source = "operation semantics, Recv",
    .differs = "The seed's result is a context without token; XLA's is (data, u32[], token[]).",
    .operands = kToken,
    .types = "a token",
    .attrs = kChannelAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferRecv,
    .any_precision = true,
    .keeps_data = true,
};

const OpDef kRecvDone{
    .doc = "The data that recv receives, and a token.",
    .source = "operation semantics, RecvDone",
    .operands = kRecvState,
    .types = "the result of recv",
    .attrs = kChannelAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferRecvDone,
    .any_precision = true,
    .keeps_data = true,
};

const OpDef kInfeed{
    .doc = "The next value from the queue that the host fills for this device, and a token.",
    .source = "operation semantics, Infeed",
    .operands = kToken,
    .types = "a token; the result is any shape and a token",
    .attrs = kInfeedAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferInfeed,
    .any_precision = true,
    .keeps_data = true,
};

const OpDef kOutfeed{
    .doc = "Puts a value into the queue from which the host reads.",
    .source = "reference 11.7, outfeed",
    .operands = kDataAndToken,
    .types = "any shape and a token",
    .attrs = kOutfeedAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferOutfeed,
    .any_precision = true,
    .keeps_data = true,
};

}  // namespace ops
}  // namespace hlo
