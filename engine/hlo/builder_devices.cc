// The Builder: collectives, and exchange with the host and other computations.
#include <fmt/format.h>

#include "engine/base/bits.h"
#include "engine/hlo/builder.h"
#include "engine/ops/shape_checks.h"

namespace hlo {

// ---- Collectives --------------------------------------------------------------------------------

Op Builder::Collective(Opcode opcode, Op operand, NamedAttrs attrs, const Groups& groups,
                       std::optional<int64_t> channel_id, int64_t dimension, int64_t times,
                       int64_t parts) {
  if (!operand) return Op();
  if (!groups.empty()) attrs.push_back({"replica_groups", ReplicaGroups(groups)});
  if (channel_id) attrs.push_back({"channel_id", *channel_id});
  std::vector<Op> operands = TupleElements(operand);
  std::vector<Shape> results;
  for (Op part : operands) {
    if (!IsArray(part, Text(opcode))) return Op();
    results.push_back(part.shape());
    if (dimension < 0 || dimension >= part.shape().rank()) continue;  // the shape rule says so
    int64_t size = part.shape().dim(static_cast<int>(dimension));
    if (times < 1 || parts < 1 || size % parts != 0 || !MultiplyChecked(size, times, &size)) {
      return Fail(DiagCode::kAttributeValue,
                  fmt::format("{}: shard_count {} does not fit dimension {} of {}", Text(opcode),
                              times * parts, dimension, ShapeName(part.shape())));
    }
    results.back().set_dim(static_cast<int>(dimension), size / parts);
  }
  if (operands.empty()) return Fail(DiagCode::kOperandCount, "an empty tuple to exchange");
  Shape result = OneOrTuple(results);
  Op op = Instruct(opcode, operands, std::move(attrs), &result);
  // A tuple of one array stays a tuple.
  return op && operand.shape().IsTuple() && !op.shape().IsTuple() ? Tuple({op}) : op;
}

Op Builder::AllGather(Op operand, int64_t all_gather_dim, int64_t shard_count,
                      const Groups& replica_groups, std::optional<int64_t> channel_id) {
  return Collective(Opcode::kAllGather, operand, {{"dimensions", Dims{all_gather_dim}}},
                    replica_groups, channel_id, all_gather_dim, shard_count, 1);
}

Op Builder::AllReduce(Op operand, const Module* computation, const Groups& replica_groups,
                      std::optional<int64_t> channel_id) {
  return Collective(Opcode::kAllReduce, operand, {{"to_apply", Import(computation, "all-reduce")}},
                    replica_groups, channel_id, -1, 1, 1);
}

Op Builder::CrossReplicaSum(Op operand, const Groups& replica_groups) {
  if (!operand) return Op();
  const Shape* first = &operand.shape();
  if (first->IsTuple() && !first->elements().empty()) first = &first->elements()[0];
  if (!first->IsArray()) {
    return Fail(DiagCode::kOperandInvalid,
                fmt::format("cross-replica-sum takes arrays, not {}", ShapeName(operand.shape())));
  }
  return Collective(Opcode::kAllReduce, operand, {{"to_apply", AddRegion(first->element_type())}},
                    replica_groups, {}, -1, 1, 1);
}

Op Builder::ReduceScatter(Op operand, const Module* computation, int64_t scatter_dimension,
                          int64_t shard_count, const Groups& replica_groups,
                          std::optional<int64_t> channel_id) {
  return Collective(Opcode::kReduceScatter, operand,
                    {{"dimensions", Dims{scatter_dimension}},
                     {"to_apply", Import(computation, "reduce-scatter")}},
                    replica_groups, channel_id, scatter_dimension, 1, shard_count);
}

Op Builder::AllToAll(Op operand, int64_t split_dimension, int64_t concat_dimension,
                     int64_t split_count, const Groups& replica_groups) {
  if (!IsArray(operand, "all-to-all")) return Op();
  const Shape& shape = operand.shape();
  auto in_range = [&](int64_t d) { return d >= 0 && d < shape.rank(); };
  if (!in_range(split_dimension) || !in_range(concat_dimension) || split_count < 1 ||
      shape.dim(static_cast<int>(split_dimension)) % split_count != 0) {
    return Fail(DiagCode::kAttributeValue,
                fmt::format("all-to-all: {} cannot be cut into {} along dimension {} and put "
                            "together along dimension {}",
                            ShapeName(shape), split_count, split_dimension, concat_dimension));
  }
  Op exchanged = Collective(Opcode::kAllToAll, operand, {{"dimensions", Dims{split_dimension}}},
                            replica_groups, {}, split_dimension, 1, 1);
  if (split_dimension == concat_dimension) return exchanged;
  // The text form puts the blocks together where it cut them: move the number of the block from
  // there to the front of the dimension it is to extend.
  Dims blocks, order, result;
  for (int64_t d = 0; d < shape.rank(); ++d) {
    int64_t size = shape.dim(static_cast<int>(d));
    if (d == concat_dimension) order.push_back(split_dimension);
    order.push_back(d < split_dimension ? d : d + 1);
    if (d == split_dimension) {
      blocks.push_back(split_count);
      size /= split_count;
    }
    blocks.push_back(size);
    result.push_back(d == concat_dimension ? size * split_count : size);
  }
  return Reshape(Transpose(Reshape(exchanged, blocks), order), result);
}

Op Builder::CollectivePermute(Op operand, const Pairs& source_target_pairs) {
  std::vector<Dims> pairs;
  for (const auto& pair : source_target_pairs) pairs.push_back(Dims{pair.first, pair.second});
  if (!operand) return Op();
  Shape result = operand.shape();
  return Instruct(Opcode::kCollectivePermute, {operand}, {{"source_target_pairs", pairs}}, &result);
}

Op Builder::ReplicaId() { return Instruct(Opcode::kReplicaId, {}); }

// ---- Tokens, host, channels ---------------------------------------------------------------------

Op Builder::AfterAll(const std::vector<Op>& operands) {
  return Instruct(Opcode::kAfterAll, operands);
}

Op Builder::Token() {
  if (!token_) token_ = AfterAll({});
  return token_;
}

Op Builder::Infeed(const Shape& shape) {
  Shape result = Shape::Tuple({shape, Shape::Token()});
  Op infeed = Instruct(Opcode::kInfeed, {Token()}, {}, &result);
  token_ = GetTupleElement(infeed, 1);
  return GetTupleElement(infeed, 0);
}

Op Builder::Outfeed(Op operand) {
  token_ = Instruct(Opcode::kOutfeed, {operand, Token()});
  return token_;
}

Op Builder::Send(Op operand, int64_t channel_handle) {
  Op send = Instruct(Opcode::kSend, {operand, Token()}, {{"channel_id", channel_handle}});
  token_ = Instruct(Opcode::kSendDone, {send}, {{"channel_id", channel_handle}});
  return token_;
}

Op Builder::Recv(const Shape& shape, int64_t channel_handle) {
  Shape result = Shape::Tuple({shape, Shape::Scalar(ElementType::kU32), Shape::Token()});
  Op recv = Instruct(Opcode::kRecv, {Token()}, {{"channel_id", channel_handle}}, &result);
  Op done = Instruct(Opcode::kRecvDone, {recv}, {{"channel_id", channel_handle}});
  token_ = GetTupleElement(done, 1);
  return GetTupleElement(done, 0);
}

}  // namespace hlo
