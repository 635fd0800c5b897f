// Collective ops.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/mlir/ops/families.h"
#include "engine/mlir/ops/groups.h"
#include "engine/mlir/text/mlir_text.h"
#include "engine/ops/devices/device_groups.h"

namespace hlo::mlir {
namespace {

Tensor IntegersOf(const Dims& numbers) {
  Tensor tensor(ElementType::kS32, Dims{static_cast<int64_t>(numbers.size())}, nullptr);
  std::copy(numbers.begin(), numbers.end(), tensor.mutable_data<int32_t>());
  return tensor;
}

void EmitCollective(OpImport& op, Opcode opcode, Attrs attrs) {
  const auto results = op.AllResults();
  op.SplitResult(op.Emit(opcode, op.operands, std::move(attrs), results ? &*results : nullptr));
}

// The dimension that a collective joins or splits, which has elements. Source: StableHLO,
// TypeInference.cpp, verifyAllGatherOp and verifyReduceScatterOp.
Dims SharedDimension(OpImport& op, std::string_view name) {
  const int64_t dimension = op.NeededInt({name});
  for (const Instruction* operand : op.operands) {
    const Shape& shape = operand->shape();
    if (!shape.IsArray() || dimension < 0 || dimension >= shape.rank()) continue;
    if (shape.dim(static_cast<int>(dimension)) != 0) continue;
    op.Fail(DiagCode::kAttributeValue,
            fmt::format("dimension size of operand at '{}' cannot be zero", name));
  }
  return {dimension};
}

void EmitAllGather(OpImport& op) {
  auto attrs = GroupAttrs(op, true);
  attrs.Add({"dimensions", SharedDimension(op, "all_gather_dim")});
  EmitCollective(op, Opcode::kAllGather, std::move(attrs));
}

}  // namespace

void WriteAllGather(OpExport& op) {
  op.Set(op.Write({"stablehlo.all_gather", op.Filled("all_gather_dim = @dimensions : i64, ") +
                                               ChannelPrefix(op) + GroupsText(op) + GlobalIds(op)},
                  op.Operands()));
}

namespace {

void EmitAllReduce(OpImport& op) {
  auto attrs = GroupAttrs(op, true);
  attrs.Add({"to_apply", op.FoldingRegion()});
  EmitCollective(op, Opcode::kAllReduce, std::move(attrs));
}

// XLA does not look at the region before it runs.
bool FoldsTwoScalars(OpExport& op) {
  const Computation& region = op.Region("to_apply");
  const Shape& result = region.result_shape();
  bool is_fold = region.parameter_count() == 2 && result.IsArray() && result.rank() == 0;
  for (int i = 0; is_fold && i < 2; ++i) {
    is_fold = Shape::Compatible(region.parameter_shape(i), result);
  }
  if (!is_fold) op.NoCounterpart("a computation that does not fold two scalars of its type");
  return is_fold;
}

}  // namespace

void WriteAllReduce(OpExport& op) {
  if (!FoldsTwoScalars(op)) return;
  op.Set(op.Write({"stablehlo.all_reduce",
                   ChannelPrefix(op) + GroupsText(op) + GlobalIds(op),
                   {&op.Region("to_apply")}},
                  op.Operands()));
}

namespace {

// An older form of all_reduce has no region: it is a sum.
void EmitCrossReplicaSum(OpImport& op) {
  if (!op.Expect(1)) return;
  Attrs attrs = GroupAttrs(op, false);
  attrs.Add(
      {"to_apply", op.AppliedRegion("add", Shape::Scalar(op.operands[0]->shape().element_type()))});
  EmitCollective(op, Opcode::kAllReduce, std::move(attrs));
}

void EmitReduceScatter(OpImport& op) {
  auto attrs = GroupAttrs(op, true);
  attrs.Add({"dimensions", SharedDimension(op, "scatter_dimension")});
  attrs.Add({"to_apply", op.FoldingRegion()});
  EmitCollective(op, Opcode::kReduceScatter, std::move(attrs));
}

// StableHLO takes one operand.
void WriteReduceScatter(OpExport& op) {
  if (!FoldsTwoScalars(op)) return;
  const Leaves operands = op.Operands(), types = op.ResultLeaves();
  Leaves results;
  for (size_t i = 0; i < operands.size(); ++i) {
    results.push_back(
        op.Write({"stablehlo.reduce_scatter",
                  ChannelPrefix(op) + GroupsText(op) +
                      op.Filled(", scatter_dimension = @dimensions : i64") + GlobalIds(op),
                  {&op.Region("to_apply")}},
                 {operands[i]}, {types[i]})[0]);
  }
  op.Set(std::move(results));
}

// HLO's all-to-all splits and concatenates along the same dimension. For two different ones the
// operand is split first, exchanged, and then concatenated.
void EmitAllToAll(OpImport& op) {
  const int64_t split = op.NeededInt({"split_dimension"});
  const int64_t concat = op.NeededInt({"concat_dimension"});
  if (!op.Needed({"split_count"})) return;
  const int64_t count = op.Int({"split_count"});
  const ReplicaGroups groups = GroupsOf(op);
  if (count < 1) return (void)op.Fail(DiagCode::kAttributeValue, "split_count must be > 0");
  if (!AreOfSize(op, groups, count)) return;
  const int64_t channel = ChannelOf(op);
  const auto group_attrs = [&] {
    Attrs attrs = {{"replica_groups", groups}};
    if (channel > 0) attrs.Add({"channel_id", channel});
    return attrs;
  };
  if (split == concat) {
    Values results;
    for (Instruction* operand : op.operands) {
      Attrs attrs = group_attrs();
      attrs.Add({"dimensions", Dims{split}});
      results.push_back(op.Emit(Opcode::kAllToAll, {operand}, std::move(attrs)));
    }
    return op.Results(std::move(results));
  }
  Values results;
  for (Instruction* operand : op.operands) {
    const Shape& shape = operand->shape();
    if (split < 0 || split >= shape.rank() || concat < 0 || concat >= shape.rank() ||
        count > (1 << 16) || shape.dim(static_cast<int>(split)) % count != 0) {
      op.Fail(DiagCode::kDimensionNumbers,
              fmt::format("{} cannot be cut into {} parts along dimension {}", ShapeName(shape),
                          count, split));
      return;
    }
    Values parts;
    const int64_t size = shape.dim(static_cast<int>(split)) / count;
    for (int64_t i = 0; i < count; ++i) {
      std::vector<SliceDim> slices;
      for (int64_t size_of_dim : shape.dims()) slices.push_back({0, size_of_dim, 1});
      slices[static_cast<size_t>(split)] = {i * size, (i + 1) * size, 1};
      parts.push_back(op.Emit(Opcode::kSlice, {operand}, {{"slice", slices}}));
    }
    std::vector<Shape> shapes;
    for (const Instruction* part : parts) {
      if (!part) return;
      shapes.push_back(part->shape());
    }
    const Shape written = Shape::Tuple(std::move(shapes));
    Instruction* sent = op.Emit(Opcode::kAllToAll, parts, group_attrs(), &written);
    if (!sent) return;
    results.push_back(op.Emit(Opcode::kConcatenate, op.Elements(sent, parts.size()),
                              {{"dimensions", Dims{concat}}}));
  }
  op.Results(std::move(results));
}

// Without a dimension the op takes one operand for each member and gives one result from each: they
// are stacked along a new leading dimension, exchanged, and taken apart.
void WriteAllToAll(OpExport& op) {
  const auto exchange = [&](const Leaves& operands, int64_t dim, int64_t count) {
    return op.Write(
        {"stablehlo.all_to_all",
         ChannelPrefix(op) + fmt::format("concat_dimension = {} : i64, {}, split_count = {} : i64, "
                                         "split_dimension = {} : i64",
                                         dim, GroupsText(op, true), count, dim)},
        operands, operands);
  };
  const Leaves operands = op.Operands();
  if (op.call().Has("dimensions")) {
    const int64_t count = SubgroupSize(op.call(), GroupModeOf(op.call(), true));
    return op.Set(exchange(operands, op.call().Ints("dimensions")[0], count));
  }
  const Shape& part = *operands[0].type;
  Dims dims = part.dims();
  dims.insert(dims.begin(), 1);
  Leaves rows;
  for (const Ssa& operand : operands) {
    rows.push_back(
        op.Make("stablehlo.reshape", {operand}, Shape::Array(part.element_type(), dims)));
  }
  const int64_t count = static_cast<int64_t>(operands.size());
  dims[0] = count;
  const Ssa all = op.Make("stablehlo.concatenate", rows, Shape::Array(part.element_type(), dims),
                          "dimension = 0 : i64");
  const Ssa sent = exchange({all}, 0, count)[0];
  dims[0] = 1;
  Leaves results;
  for (int64_t i = 0; i < count; ++i) {
    Dims starts(dims.size(), 0), limits = dims;
    starts[0] = i;
    limits[0] = i + 1;
    const Ssa row = op.Make("stablehlo.slice", {sent}, Shape::Array(part.element_type(), dims),
                            SliceAttrs(starts, limits, Dims(dims.size(), 1)));
    results.push_back(op.Make("stablehlo.reshape", {row}, part));
  }
  op.Set(std::move(results));
}

void EmitCollectiveBroadcast(OpImport& op) {
  Attrs attrs = GroupAttrs(op, false);
  attrs.Add({"has_dynamic_root", op.Bool({"has_dynamic_root"})});
  EmitCollective(op, Opcode::kCollectiveBroadcast, std::move(attrs));
}

void WriteCollectiveBroadcast(OpExport& op) {
  const auto& groups = op.call().Groups().groups();
  const auto is_as_large = [&](const Dims& group) { return group.size() == groups[0].size(); };
  if (!std::all_of(groups.begin(), groups.end(), is_as_large)) {
    return op.NoCounterpart("groups of different sizes");
  }
  std::string attrs = ChannelPrefix(op);
  if (op.call().Bool("has_dynamic_root")) attrs += "has_dynamic_root = true, ";
  op.Set(op.Write({"stablehlo.collective_broadcast", attrs + GroupsText(op, true)}, op.Operands()));
}

// In HLO the last operand has a root for each array; here it has one for each group. Where these
// differ, every member gets the sum, and all but the root of each group replace it by zeros.
void EmitCollectiveReduce(OpImport& op) {
  const bool has_roots = op.Bool({"has_dynamic_root"}) && op.operands.size() > 1;
  Instruction* const roots = has_roots ? op.operands.back() : nullptr;
  if (roots) op.operands.pop_back();
  // The region folds the arrays alone.
  const hlo::Region* const folding = op.FoldingRegion();
  Attrs attrs = GroupAttrs(op, true);
  attrs.Add({"to_apply", folding});
  if (!roots || (op.operands.size() == 1 && roots->shape().dims() == Dims{1})) {
    attrs.Add({"has_dynamic_root", has_roots});
    if (roots) op.operands.push_back(roots);
    return EmitCollective(op, Opcode::kCollectiveReduce, std::move(attrs));
  }
  const bool is_partitioned = ChannelOf(op) > 0;
  const ReplicaGroups replica_groups = GroupsOf(op);
  const ReplicaGroups::Lists& groups = replica_groups.groups();
  const Shape scalar = Shape::Scalar(ElementType::kS32);
  // By device id: its group, and its rank in it.
  Dims group_of, number_of;
  for (size_t g = 0; g < groups.size(); ++g) {
    for (size_t k = 0; k < groups[g].size(); ++k) {
      const size_t id = static_cast<size_t>(groups[g][k]);
      if (id >= group_of.size()) {
        group_of.resize(id + 1, 0);
        number_of.resize(id + 1, -1);
      }
      group_of[id] = static_cast<int64_t>(g);
      number_of[id] = static_cast<int64_t>(k);
    }
  }
  if (group_of.empty()) {
    op.Fail(DiagCode::kAttributeMissing, "expects replica_groups");
    return;
  }
  const auto entry = [&](Instruction* table, Instruction* index) {
    return op.Emit(
        Opcode::kReshape,
        {op.Emit(Opcode::kDynamicSlice, {table, index}, {{"dynamic_slice_sizes", Dims{1}}})}, {},
        &scalar);
  };
  Instruction* id = op.Emit(
      Opcode::kConvert, {op.Emit(is_partitioned ? Opcode::kPartitionId : Opcode::kReplicaId, {})},
      {}, &scalar);
  Instruction* number = entry(op.Constant(IntegersOf(number_of)), id);
  Instruction* root = entry(roots, entry(op.Constant(IntegersOf(group_of)), id));
  Instruction* is_root = op.Emit(Opcode::kCompare, {number, root}, {{"direction", "EQ"}});
  Values results;
  for (Instruction* sum : op.Elements(op.Emit(Opcode::kAllReduce, op.operands, std::move(attrs)),
                                      op.operands.size())) {
    if (!sum) return;
    Instruction* zeros =
        op.Emit(Opcode::kBroadcast, {op.Constant(NumberOf(sum->shape().element_type(), 0))},
                {{"dimensions", Dims{}}}, &sum->shape());
    const Shape mask = Shape::Array(ElementType::kPred, sum->shape().dims());
    results.push_back(op.Emit(
        Opcode::kSelect,
        {op.Emit(Opcode::kBroadcast, {is_root}, {{"dimensions", Dims{}}}, &mask), sum, zeros}));
  }
  op.Results(std::move(results));
}

void WriteCollectiveReduce(OpExport& op) {
  if (!FoldsTwoScalars(op)) return;
  const bool has_roots = op.call().Bool("has_dynamic_root");
  if (has_roots && op.call().operand_count() != 2) {
    return op.NoCounterpart("a root for each of several arrays");
  }
  const std::string_view root = has_roots ? "has_dynamic_root = true, " : "";
  op.Set(op.Write({"stablehlo.collective_reduce",
                   fmt::format("{}{}{}{}", ChannelPrefix(op), root, GroupsText(op), GlobalIds(op)),
                   {&op.Region("to_apply")}},
                  op.Operands()));
}

void EmitCollectivePermute(OpImport& op) {
  op.Needed({"source_target_pairs"});
  Attrs attrs = {{"source_target_pairs", op.Rows({"source_target_pairs"})}};
  if (const int64_t channel = ChannelOf(op); channel > 0) attrs.Add({"channel_id", channel});
  EmitCollective(op, Opcode::kCollectivePermute, std::move(attrs));
}

}  // namespace

void WriteCollectivePermute(OpExport& op) {
  if (!op.call().IntLists("slice_sizes").empty()) {
    return op.NoCounterpart("the form in place, with slices");
  }
  const Leaves operands = op.Operands();
  Leaves results;
  for (const Ssa& operand : operands) {
    results.push_back(op.Write({"stablehlo.collective_permute",
                                ChannelPrefix(op) + "source_target_pairs = " +
                                    DenseRows(op.call().IntLists("source_target_pairs"), 2)},
                               {operand}, {operand})[0]);
  }
  op.Set(std::move(results));
}

// A custom call in StableHLO: the groups and the channel are in its configuration.
void EmitRaggedAllToAll(OpImport& op) {
  const Attr* config = op.Find({"backend_config"});
  Attrs attrs;
  if (const Attr* groups = config ? config->Find("replica_groups") : nullptr) {
    attrs.Add({"replica_groups", GroupsFrom(op, op.RowsOf(groups))});
  }
  const Attr* channel = config ? config->Find("channel_id") : nullptr;
  if (channel && channel->integer > 0) attrs.Add({"channel_id", channel->integer});
  op.Result(op.Emit(Opcode::kRaggedAllToAll, op.operands, std::move(attrs), op.ResultShape()));
}

// XLA has it as a custom call of this name.
void WriteRaggedAllToAll(OpExport& op) {
  std::string config = GroupsText(op);
  if (const int64_t channel = op.call().Int("channel_id"); channel > 0) {
    fmt::format_to(std::back_inserter(config), ", channel_id = {} : i64", channel);
  }
  op.Set(op.Write({"stablehlo.custom_call", "api_version = 4 : i32, backend_config = {" + config +
                                                "}, call_target_name = \"ragged_all_to_all\""},
                  op.Operands()));
}

namespace {

constexpr OpRow kCollectiveRows[] = {
    {.name = "all_gather",
     .opcode = Opcode::kAllGather,
     .form = {.inherent = "all_gather_dim channel_handle replica_groups use_global_device_ids",
              .sample = "(`%operand`) <{all_gather_dim = `0` : i64, replica_groups = dense<`0`> "
                        ": tensor<1x1xi64>}> : (tensor<2xf32>) -> tensor<2xf32>"},
     .emit = EmitAllGather,
     .write = WriteAllGather,
     .mixing = Mixing::kByOperand},
    {.name = "all_reduce",
     .opcode = Opcode::kAllReduce,
     .form = {.inherent = "channel_handle replica_groups use_global_device_ids",
              .sample = "(`%operand`) <{replica_groups = dense<`0`> : tensor<1x1xi64>}> "
                        "($reducer) : (tensor<f32>) -> tensor<f32>"},
     .emit = EmitAllReduce,
     .write = WriteAllReduce,
     .mixing = Mixing::kReduced,
     .is_like_operand = true},
    {.name = "all_to_all",
     .opcode = Opcode::kAllToAll,
     .form = {.inherent =
                  "channel_handle concat_dimension replica_groups split_count split_dimension",
              .sample = "(`%operand`) <{concat_dimension = `0` : i64, replica_groups = "
                        "dense<`0`> : tensor<1x1xi64>, split_count = `1` : i64, split_dimension "
                        "= `0` : i64}> : (tensor<2xf32>) -> tensor<2xf32>"},
     .emit = EmitAllToAll,
     .write = WriteAllToAll,
     .mixing = Mixing::kByOperand},
    {.name = "collective_broadcast",
     .opcode = Opcode::kCollectiveBroadcast,
     .form = {.inherent = "channel_handle has_dynamic_root replica_groups",
              .sample = "(`%operand`) <{replica_groups = dense<`0`> : tensor<1x1xi64>}> : "
                        "(tensor<f32>) -> tensor<f32>"},
     .emit = EmitCollectiveBroadcast,
     .write = WriteCollectiveBroadcast,
     .mixing = Mixing::kByOperand,
     .is_like_operand = true},
    {.name = "collective_permute",
     .opcode = Opcode::kCollectivePermute,
     .form = {.inherent = "channel_handle source_target_pairs",
              .sample = "(`%operand`) <{source_target_pairs = dense<[[`0, 0`]]> : "
                        "tensor<1x2xi64>}> : (tensor<f32>) -> tensor<f32>"},
     .emit = EmitCollectivePermute,
     .write = WriteCollectivePermute,
     .mixing = Mixing::kByOperand,
     .is_like_operand = true},
    {.name = "collective_reduce",
     .opcode = Opcode::kCollectiveReduce,
     .form = {.inherent = "channel_handle has_dynamic_root replica_groups use_global_device_ids",
              .sample = "(`%operand`) <{replica_groups = dense<`0`> : tensor<1x1xi64>}> "
                        "($reducer) : (tensor<f32>) -> tensor<f32>"},
     .emit = EmitCollectiveReduce,
     .write = WriteCollectiveReduce},
    {.name = "cross-replica-sum",
     .form = {.inherent = "replica_groups",
              .sample = "(`%operand`) <{replica_groups = dense<`0`> : tensor<1x1xi64>}> : "
                        "(tensor<f32>) -> tensor<f32>"},
     .emit = EmitCrossReplicaSum},
    {.name = "reduce_scatter",
     .opcode = Opcode::kReduceScatter,
     .form = {.inherent = "channel_handle replica_groups scatter_dimension use_global_device_ids",
              .sample = "(`%operand`) <{replica_groups = dense<`0`> : tensor<1x1xi64>, "
                        "scatter_dimension = `0` : i64}> ($reducer) : (tensor<2xf32>) -> "
                        "tensor<2xf32>"},
     .emit = EmitReduceScatter,
     .write = WriteReduceScatter,
     .mixing = Mixing::kReduced},
};

}  // namespace

std::span<const OpRow> CollectiveRows() { return kCollectiveRows; }

}  // namespace hlo::mlir
