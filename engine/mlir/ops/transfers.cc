// Channels between devices, and transfers to and from the host.
#include <fmt/format.h>

#include "engine/mlir/ops/call_layouts.h"
#include "engine/mlir/ops/families.h"
#include "engine/mlir/ops/groups.h"
#include "engine/mlir/text/mlir_text.h"
#include "engine/ops/devices/device_groups.h"

namespace hlo::mlir {

namespace {

// HLO has the data as one value beside the token; a single array is not wrapped in a tuple.
void EmitInfeed(OpImport& op) {
  const size_t count = op.result_count();
  std::vector<Shape> data;
  for (size_t i = 0; i + 1 < count; ++i) {
    const Shape* shape = op.ResultShape(i);
    if (!shape) return;
    data.push_back(*shape);
  }
  if (!ReadInfeedLayout(op, &data)) return;
  const Shape written =
      Shape::Tuple({data.size() == 1 ? data[0] : Shape::Tuple(std::move(data)), Shape::Token()});
  Instruction* infeed =
      op.Emit(Opcode::kInfeed, op.operands,
              {{"infeed_config", std::string(op.Word({"infeed_config"}))}}, &written);
  if (!infeed) return;
  const Values halves = op.Elements(infeed, 2);
  Values results = op.Elements(halves[0], count - 1);
  results.push_back(halves[1]);
  op.Results(std::move(results));
}

void WriteInfeed(OpExport& op) {
  op.Set(op.Write(
      {"stablehlo.infeed",
       fmt::format("infeed_config = {}, {}", op.AttrText("infeed_config"), InfeedLayoutText(op))},
      op.Operands()));
}

void EmitOutfeed(OpImport& op) {
  if (op.operands.empty()) return;
  Values data(op.operands.begin(), op.operands.end() - 1);
  Instruction* tuple = data.size() == 1 ? data[0] : op.Tuple(data);
  if (!tuple) return;
  const Shape token = Shape::Token();
  op.Result(op.Emit(Opcode::kOutfeed, {tuple, op.operands.back()},
                    {{"outfeed_shape", tuple->shape()},
                     {"outfeed_config", std::string(op.Word({"outfeed_config"}))}},
                    &token));
}

void WriteOutfeed(OpExport& op) {
  op.Set(op.Write({"stablehlo.outfeed", "outfeed_config = " + op.AttrText("outfeed_config")},
                  op.Operands()));
}

Attrs ChannelAttrs(OpImport& op) {
  return {{"channel_id", ChannelOf(op)}, {"is_host_transfer", op.Bool({"is_host_transfer"})}};
}

// Source: StableHLO, TypeInference.cpp, verifySendOp and verifyRecvOp.
void CheckChannelType(OpImport& op, ChannelType host_type) {
  const Attr* channel = op.Needed({"channel_handle"});
  const Attr* type = channel ? channel->Find("type") : nullptr;
  const bool is_host = op.Bool({"is_host_transfer"});
  const ChannelType wanted = is_host ? host_type : kDeviceToDevice;
  if (!type || type->integer == wanted) return;
  op.Fail(DiagCode::kAttributeValue,
          fmt::format("channel_type should be {} when is_host_transfer is {}",
                      wanted == kDeviceToDevice ? "DEVICE_TO_DEVICE"
                      : wanted == kDeviceToHost ? "DEVICE_TO_HOST"
                                                : "HOST_TO_DEVICE",
                      is_host),
          type->range);
}

// Includes the source-target pairs, which HLO has among the frontend attributes.
Attrs TransferAttrsOf(OpImport& op, ChannelType host_type) {
  CheckChannelType(op, host_type);
  Attrs attrs = ChannelAttrs(op);
  const std::vector<Dims> pairs = op.Rows({"source_target_pairs"});
  if (pairs.empty()) return attrs;
  std::string text;
  for (const Dims& pair : pairs) {
    text += fmt::format("{}{{{}}}", text.empty() ? "" : ",", fmt::join(pair, ","));
  }
  attrs.Add({"frontend_attributes",
             KeyValues{{"_xla_send_recv_source_target_pairs", "{" + text + "}", true}}});
  return attrs;
}

void EmitSend(OpImport& op) {
  if (op.operands.empty()) return;
  Values data(op.operands.begin(), op.operands.end() - 1);
  Instruction* value = data.size() == 1 ? data[0] : op.Tuple(data);
  if (!value) return;
  const Shape written =
      Shape::Tuple({value->shape(), Shape::Scalar(ElementType::kU32), Shape::Token()});
  Instruction* send = op.Emit(Opcode::kSend, {value, op.operands.back()},
                              TransferAttrsOf(op, kDeviceToHost), &written);
  const Shape token = Shape::Token();
  op.Result(op.Emit(Opcode::kSendDone, {send}, ChannelAttrs(op), &token));
}

void EmitRecv(OpImport& op) {
  const size_t count = op.result_count();
  std::vector<Shape> parts;
  for (size_t i = 0; i + 1 < count; ++i) {
    const Shape* part = op.ResultShape(i);
    if (!part) return;
    parts.push_back(*part);
  }
  const size_t arrays = parts.size();
  const Shape data = arrays == 1 ? parts[0] : Shape::Tuple(std::move(parts));
  const Shape written = Shape::Tuple({data, Shape::Scalar(ElementType::kU32), Shape::Token()});
  Instruction* recv =
      op.Emit(Opcode::kRecv, op.operands, TransferAttrsOf(op, kHostToDevice), &written);
  const Shape done = Shape::Tuple({data, Shape::Token()});
  recv = op.Emit(Opcode::kRecvDone, {recv}, ChannelAttrs(op), &done);
  if (!recv) return;
  const Values halves = op.Elements(recv, 2);
  Values results = op.Elements(halves[0], arrays);
  results.push_back(halves[1]);
  op.Results(std::move(results));
}

// Reads the op that starts the transfer, where HLO has the source-target pairs.
std::string TransferText(OpExport& op, const OpCall& start, int host_type) {
  const bool is_host = start.Bool("is_host_transfer");
  std::string text =
      ChannelText(start.Int("channel_id"), is_host ? host_type : int{kDeviceToDevice}) +
      fmt::format(", is_host_transfer = {}", is_host);
  if (const std::string* pairs = TransferPairsText(start.Keys("frontend_attributes"))) {
    const auto rows = ParsePairs(*pairs);
    if (!rows) op.NoCounterpart(fmt::format("the source-target pairs {}", *pairs));
    if (rows) text += ", source_target_pairs = " + DenseRows(*rows, 2);
  }
  return text;
}

// In StableHLO send and recv are single ops: what HLO has between start and done moves after the
// send and before the recv.
void WriteSend(OpExport& op) {
  const Shape& token = op.shape().elements()[2];
  op.Set(op.Write({"stablehlo.send", TransferText(op, op.call(), kDeviceToHost)}, op.Operands(),
                  {{{}, 0, &token}}));
}

}  // namespace

void WriteRecvDone(OpExport& op) {
  const OpCall start = op.op().operand(0)->Call();
  op.Set(op.Write({"stablehlo.recv", TransferText(op, start, kHostToDevice)}, op.Operands()));
}

namespace {

constexpr OpRow kTransferRows[] = {
    {.name = "infeed",
     .opcode = Opcode::kInfeed,
     .form = {.inherent = "infeed_config layout",
              .sample = "(`%token`) : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)"},
     .emit = EmitInfeed,
     .write = WriteInfeed,
     .mixing = Mixing::kAny,
     .quantized = Quantized::kPerAxis},
    {.name = "outfeed",
     .opcode = Opcode::kOutfeed,
     .form = {.inherent = "outfeed_config",
              .sample = "(`%operand`, `%token`) : (tensor<f32>, !stablehlo.token) -> "
                        "!stablehlo.token"},
     .emit = EmitOutfeed,
     .write = WriteOutfeed,
     .mixing = Mixing::kAny,
     .quantized = Quantized::kPerAxis},
    {.name = "recv",
     .opcode = Opcode::kRecv,
     .form = {.inherent = "channel_handle is_host_transfer source_target_pairs",
              .sample = "(`%token`) <{channel_handle = #stablehlo.channel_handle<handle = `1`, "
                        "type = `1`>, is_host_transfer = `false`}> : (!stablehlo.token) -> "
                        "(tensor<f32>, !stablehlo.token)"},
     .emit = EmitRecv,
     .write = PassOn,
     .mixing = Mixing::kAny,
     .quantized = Quantized::kPerAxis,
     .is_start = true},
    {.name = "send",
     .opcode = Opcode::kSend,
     .form = {.inherent = "channel_handle is_host_transfer source_target_pairs",
              .sample = "(`%operand`, `%token`) <{channel_handle = "
                        "#stablehlo.channel_handle<handle = `1`, type = `1`>, is_host_transfer = "
                        "`false`}> : (tensor<f32>, !stablehlo.token) -> !stablehlo.token"},
     .emit = EmitSend,
     .write = WriteSend,
     .mixing = Mixing::kAny,
     .quantized = Quantized::kPerAxis,
     .is_start = true},
};

}  // namespace

std::span<const OpRow> TransferRows() { return kTransferRows; }

}  // namespace hlo::mlir
