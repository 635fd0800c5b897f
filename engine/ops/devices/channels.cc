// Point-to-point and host communication: send, recv, infeed, outfeed.
#include "engine/ops/devices/channels.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/ops/devices/device_groups.h"
#include "engine/ops/devices/peers.h"
#include "engine/ops/movement/tensor_moves.h"
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
    {.name = "infeed_config",
     .kind = AttrKind::kString,
     .use = AttrUse::kOptional,
     .doc = "Text for the backend.",
     .default_text = "\"\""},
};
std::string ShapeOrOperands(const OpCall& call, std::string text) {
  if (!text.empty() || call.operand_count() == 0) return text;
  return ShapeText(call.operand(0));
}

constexpr AttrDef kOutfeedAttrs[] = {
    {.name = "outfeed_shape",
     .kind = AttrKind::kShape,
     .use = AttrUse::kOptional,
     .doc = "The shape, with the layout, the host sees; that of the data when not given.",
     .printed = ShapeOrOperands},
    {.name = "outfeed_config",
     .kind = AttrKind::kString,
     .use = AttrUse::kOptional,
     .doc = "Text for the backend.",
     .default_text = "\"\""},
};

std::optional<Shape> InferInfeed(const OpCall& call, Diagnostics& out) {
  CheckToken(call, 0, out);
  if (!call.written()) return std::nullopt;
  const Shape& result = *call.written();
  if (!result.IsTuple() || result.elements().size() != 2) {
    out.Report(DiagCode::kShapeInvalid, call.shape_range(),
               fmt::format("infeed must have a non-empty tuple shape, (data, token[]), not {}",
                           ShapeName(result)));
    return std::nullopt;
  }
  return Shape::Tuple({result.elements()[0], Shape::Token()});
}

/// Operation semantics, Infeed: nested tuples are not supported. XLA's verifier lets them pass.
void VerifyInfeed(const OpCall& call, Diagnostics& out) {
  if (!call.written() || !call.written()->IsTuple()) return;
  const Shape& data = call.written()->elements()[0];
  const auto& parts = data.elements();
  if (std::none_of(parts.begin(), parts.end(), [](const Shape& part) { return part.IsTuple(); })) {
    return;
  }
  out.Report(DiagCode::kShapeInvalid, Severity::kWarning, call.shape_range(),
             fmt::format("infeed: nested tuples are not supported: {}", ShapeName(data)));
}

std::optional<Shape> InferOutfeed(const OpCall& call, Diagnostics& out) {
  CheckToken(call, 1, out);
  const Shape* shape = call.GetShape("outfeed_shape");
  if (shape && !call.SameShapes(*shape, call.operand(0))) {
    const auto text = [&](const Shape& s) {
      return call.layout_sensitive() ? ShapeText(s) : ShapeName(s);
    };
    ReportAttr(call, "outfeed_shape", DiagCode::kAttributeValue,
               fmt::format("Expected outfeed shape to be equal to operand's shape {}, actual shape "
                           "is {}",
                           text(call.operand(0)), text(*shape)),
               out);
  }
  return Shape::Token();
}

// ---- Evaluation ---------------------------------------------------------------------------------

}  // namespace

std::optional<Value> Collected(uint32_t receipt, const Shape& shape, EvalContext& context) {
  std::optional<Value> message = context.peers().Collect(receipt);
  if (!message) {
    if (const Value* other = context.StandIn(shape, /*is_awaited=*/true)) return *other;
  }
  if (!message || HasShape(*message, shape)) return message;
  throw RunError(DiagCode::kRuntimeError,
                 fmt::format("what was sent is not {}, which is to be received", ShapeName(shape)));
}

namespace {

// The state of a transfer is (data, context, token). The context of a pending recv is its receipt,
// so that it can be carried through loops; 0: the data has arrived.

/// The routes on which this device sends (or receives). Without pairs, the channel's only route;
/// with pairs, those in which it is the source (the target): at most one if the pairs are valid.
/// Pairs number partitions if there is a channel, else replicas.
std::vector<Route> RoutesOf(const OpCall& call, bool sends, EvalContext& context) {
  const int64_t channel = call.Int("channel_id");
  const std::string* text = TransferPairsText(call.Keys("frontend_attributes"));
  if (!text) return {{channel, Route::kAnyone, Route::kAnyone}};
  const std::optional<std::vector<Dims>> pairs = ParsePairs(*text);
  if (!pairs) {
    throw RunError(
        DiagCode::kRuntimeError,
        fmt::format("source-target pairs are written {{{{0,1}},{{1,2}}}}, not '{}'", *text));
  }
  Peers& peers = context.peers();
  std::vector<Route> routes;
  for (const auto& [source, target] :
       DevicePairs(*pairs, channel > 0 ? GroupMode::kCrossPartition : GroupMode::kCrossReplica,
                   peers.grid(), peers.device())) {
    if ((sends ? source : target) == peers.device()) routes.push_back({channel, source, target});
  }
  return routes;
}

// Whether the other end is the host, which is not a device of this run.
bool IsHostTransfer(const OpCall& call, EvalContext& context) {
  return call.Bool("is_host_transfer") && !context.peers().IsHostAmongPeers(call.Int("channel_id"));
}

Value Transfer(Value data, uint32_t receipt, EvalContext& context) {
  Value::Elements parts;
  parts.push_back(std::move(data));
  parts.emplace_back(Tensor::Scalar<uint32_t>(receipt, context.budget()));
  parts.emplace_back();
  return Value::Tuple(std::move(parts));
}

Value EvalSend(const OpCall& call, std::span<Value> args, EvalContext& context) {
  int data = call.operand(0).IsToken() ? 1 : 0;
  Value& value = args[static_cast<size_t>(data)];
  if (IsHostTransfer(call, context)) {
    context.peers().ToHost(call.Int("channel_id"), call.operand(data), value);
  } else {
    for (const Route& route : RoutesOf(call, /*sends=*/true, context)) {
      context.peers().Send(route, value);
    }
  }
  return Transfer(std::move(value), 0, context);
}

Value EvalSendDone(const OpCall& call, std::span<Value> args, EvalContext&) {
  if (!call.shape().IsTuple()) return Value();
  return Value::Tuple({args[0].elements()[0], Value()});
}

// The next value that the host has.
Value HostValue(std::optional<int64_t> channel, const Shape& shape, EvalContext& context) {
  if (!context.peers().HostHas(channel)) {
    if (const Value* other = context.StandIn(shape, /*is_awaited=*/false)) return *other;
  }
  return context.peers().FromHost(channel, shape);
}

Value EvalRecv(const OpCall& call, std::span<Value>, EvalContext& context) {
  const Shape& data = call.shape().elements()[0];
  if (IsHostTransfer(call, context)) {
    return Transfer(HostValue(call.Int("channel_id"), data, context), 0, context);
  }
  // Without a source there is nothing to receive: zeros.
  uint32_t receipt = 0;
  std::vector<Route> routes = RoutesOf(call, /*sends=*/false, context);
  if (!routes.empty()) receipt = context.peers().Receive(routes[0]);
  return Transfer(ZeroValue(data, context.budget()), receipt, context);
}

/// Waits until the message is there.
ControlStep EnterRecvDone(const OpCall& call, std::span<Value> args, ControlState&,
                          EvalContext& context) {
  const Value::Elements& transfer = args[0].elements();
  ControlStep step;
  Value data = transfer[0];
  bool under_way = transfer.size() > 1 && transfer[1].is_array() &&
                   transfer[1].tensor().element_type() == ElementType::kU32 &&
                   transfer[1].tensor().element_count() == 1;
  const uint32_t receipt = under_way ? *transfer[1].tensor().data<uint32_t>() : 0;
  if (receipt != 0) {
    auto message = Collected(receipt, call.operand(0).elements()[0], context);
    if (!message) {
      step.kind = ControlStep::Kind::kWait;
      return step;
    }
    data = std::move(*message);
  }
  Value::Elements parts = {std::move(data), Value()};
  step.result = Value::Tuple(std::move(parts));
  return step;
}

Value EvalInfeed(const OpCall& call, std::span<Value>, EvalContext& context) {
  const Shape& data = call.shape().elements()[0];
  // An empty tuple reads nothing.
  bool nothing = data.IsTuple() && data.elements().empty();
  Value::Elements parts;
  parts.push_back(nothing ? Value::Tuple({}) : HostValue(std::nullopt, data, context));
  parts.emplace_back();
  return Value::Tuple(std::move(parts));
}

Value EvalOutfeed(const OpCall& call, std::span<Value> args, EvalContext& context) {
  context.peers().ToHost(std::nullopt, call.operand(0), std::move(args[0]));
  return Value();
}

}  // namespace

namespace ops {

const OpDef kSend{
    .doc = "Starts sending data to the receiver on a channel; send-done waits for the end.",
    .source = "operation semantics, Send",
    .differs =
        "The operation semantics document's result is a context without token; XLA's is (data, "
        "u32[], token[]). A message waits for its receiver here; the sender does not. Without "
        "source-target pairs a channel goes from each device to itself or, if it sends nothing, "
        "from any other.",
    .operands = kDataAndToken,
    .types = "any shape and a token",
    .attrs = kChannelAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferSend,
    .eval = EvalSend,
    .any_precision = true,
    .varies = true,
    .keeps_data = true,
    .keeps_order_only = true,
    .has_effect = true,
    .done = Opcode::kSendDone,
    .ignores_written_shape = true,
};

const OpDef kSendDone{
    .doc = "Waits until what send sent is under way.",
    .source = "operation semantics, SendDone",
    .operands = kSendState,
    .types = "the result of send",
    .attrs = kChannelAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferSendDone,
    .eval = EvalSendDone,
    .any_precision = true,
    .varies = true,
    .keeps_data = true,
    .has_effect = true,
    .ignores_written_shape = true,
};

const OpDef kRecv{
    .doc =
        "Starts receiving data from the sender on a channel; recv-done gives it. A device that is "
        "no target of the source-target pairs gets zeros.",
    .source = "operation semantics, Recv",
    .differs =
        "The operation semantics document's result is a context without token; XLA's is (data, "
        "u32[], token[]).",
    .operands = kToken,
    .types = "a token",
    .attrs = kChannelAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferRecv,
    .eval = EvalRecv,
    .any_precision = true,
    .varies = true,
    .keeps_data = true,
    .keeps_order_only = true,
    .has_effect = true,
    .done = Opcode::kRecvDone,
    .ignores_written_shape = true,
};

const OpDef kRecvDone{
    .doc = "The data that recv receives, and a token.",
    .source = "operation semantics, RecvDone",
    .operands = kRecvState,
    .types = "the result of recv",
    .attrs = kChannelAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferRecvDone,
    .enter = EnterRecvDone,
    .any_precision = true,
    .varies = true,
    .keeps_data = true,
    .has_effect = true,
    .ignores_written_shape = true,
};

const OpDef kInfeed{
    .doc = "The next value from the queue that the host fills for this device, and a token.",
    .source = "operation semantics, Infeed",
    .operands = kToken,
    .types = "a token; the result is any shape and a token",
    .attrs = kInfeedAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferInfeed,
    .verify = VerifyInfeed,
    .eval = EvalInfeed,
    .any_precision = true,
    .varies = true,
    .keeps_data = true,
    .keeps_order_only = true,
    .has_effect = true,
    .ignores_written_shape = true,
};

const OpDef kOutfeed{
    .doc = "Puts a value into the queue from which the host reads.",
    .source = "XLA, hlo_verifier.cc, HandleOutfeed",
    .operands = kDataAndToken,
    .types = "any shape and a token",
    .attrs = kOutfeedAttrs,
    .result_shape = ResultShape::kWritten,
    .infer = InferOutfeed,
    .eval = EvalOutfeed,
    .any_precision = true,
    .varies = true,
    .keeps_data = true,
    .has_effect = true,
    .ignores_written_shape = true,
};

}  // namespace ops
}  // namespace hlo
