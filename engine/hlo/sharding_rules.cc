// Shardings fit the shapes they are of, and those of loops and conditionals agree.
// Source: XLA, hlo_sharding.cc, HloSharding::Validate; hlo_verifier.cc, VerifyConsistentSharding.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "engine/base/indices.h"
#include "engine/hlo/sharding.h"
#include "engine/hlo/verifier_rules.h"

namespace hlo {
namespace {

const Attr* ShardingOf(const Instruction* i) { return i ? i->attrs().Find("sharding") : nullptr; }

// ---- One sharding -------------------------------------------------------------------------------

const Sharding& ValueOf(const Attr& sharding) {
  return *std::get<std::shared_ptr<const Sharding>>(sharding.value);
}

/// Why the devices listed are not those of `devices` partitions (0: not known), each once; empty
/// when they are.
std::string DeviceFault(const std::vector<int64_t>& listed, int64_t devices) {
  for (int64_t device : listed) {
    if (device < 0) return fmt::format("device {} is negative in tile assignment", device);
    if (devices > 0 && device >= devices) {
      return fmt::format("device {} >= num_devices ({}) in tile assignment", device, devices);
    }
  }
  std::vector<int64_t> sorted = listed;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    return fmt::format("device {} is not unique in tile assignment", *twice);
  }
  return "";
}

/// Whether XLA reads a tiling as replicated: one device, or nothing but subgroups.
bool IsWhole(const Sharding& part, int64_t rank) {
  const auto is_one = [](int64_t size) { return size == 1; };
  return ElementCount(part.tile) == 1 ||
         (!part.subgroups.empty() &&
          std::all_of(part.tile.begin(), part.tile.begin() + std::max<int64_t>(rank, 0), is_one));
}

/// XLA, ValidateNonTuple. Empty when the sharding fits.
std::string PartFault(const Sharding& part, const Shape& shape, int64_t devices) {
  using Kind = Sharding::Kind;
  if (part.kind == Kind::kMaximal) return DeviceFault({part.device}, devices);
  if (part.kind == Kind::kNamed && part.mesh.is_maximal()) {
    return DeviceFault(part.mesh.devices.ids, devices);
  }
  const std::optional<int64_t> tiled = part.rank();
  if (!tiled || (part.kind == Kind::kTiled && IsWhole(part, *tiled))) return "";
  const int rank = shape.IsArray() || shape.IsBuffer() ? shape.rank() : 0;
  if (rank != *tiled) {
    return fmt::format(
        "Number of tile assignment dimensions (excluding subgroups) is different "
        "than the input rank. sharding={}, input_shape={}",
        ShardingText(part, /*metadata=*/false), ShapeName(shape));
  }
  const bool is_named = part.kind == Kind::kNamed;
  const DeviceList& list = is_named ? part.mesh.devices : part.devices;
  std::string fault = list.is_iota() ? "" : DeviceFault(list.ids, devices);
  const int64_t count = ElementCount(is_named ? part.mesh.sizes : part.tile);
  if (!fault.empty() || devices == 0 || count == devices) return fault;
  return fmt::format("{} should have {} devices but has {}",
                     is_named ? "sharding" : "tile_assignment", devices, count);
}

/// An array, token or the like in a shape, and where.
struct Leaf {
  const Shape* shape;
  Dims index;
};

void CollectLeaves(const Shape& shape, Dims& index, std::vector<Leaf>* leaves) {
  if (!shape.IsTuple()) {
    leaves->push_back({&shape, index});
    return;
  }
  for (size_t i = 0; i < shape.elements().size(); ++i) {
    index.push_back(static_cast<int64_t>(i));
    CollectLeaves(shape.elements()[i], index, leaves);
    index.pop_back();
  }
}

/// XLA, ValidateTuple. A sharding that is no tuple holds for every array of the shape.
std::string Fault(const Sharding& sharding, const Shape& shape, int64_t devices) {
  const bool is_tuple = sharding.kind == Sharding::Kind::kTuple;
  if (is_tuple && !shape.IsTuple()) {
    return "Sharding is tuple-shaped but validation shape is not.";
  }
  std::vector<Leaf> leaves;
  Dims index;
  CollectLeaves(shape, index, &leaves);
  // XLA has one sharding for an empty tuple.
  const size_t wanted = std::max<size_t>(leaves.size(), sharding.elements.empty() ? 0 : 1);
  if (is_tuple && sharding.elements.size() != wanted) {
    return fmt::format("Shape {} has {} leaf nodes while this sharding has {}", ShapeName(shape),
                       leaves.size(), sharding.elements.size());
  }
  for (size_t i = 0; i < leaves.size(); ++i) {
    const Sharding& part = is_tuple ? sharding.elements[i] : sharding;
    std::string fault = PartFault(part, *leaves[i].shape, devices);
    if (fault.empty()) continue;
    if (!shape.IsTuple()) return fault;
    return fmt::format("{} Note: While validating sharding tuple element {{{}}} which is {}", fault,
                       fmt::join(leaves[i].index, ","), ShardingText(part, /*metadata=*/false));
  }
  return "";
}

void CheckSharding(const Instruction& i, const Attr& attr, Diagnostics& out) {
  if (i.shape().IsToken()) return;
  const int64_t partitions = i.parent()->parent()->num_partitions();
  const std::string fault = Fault(ValueOf(attr), i.shape(), partitions > 1 ? partitions : 0);
  if (fault.empty()) return;
  out.Report(DiagCode::kShardingInvalid, attr.range,
             fmt::format("Invalid sharding for instruction: {}: {} Note: While validating sharding "
                         "{} against shape {}",
                         i.name(), fault, ShardingText(ValueOf(attr), /*metadata=*/false),
                         ShapeName(i.shape())));
}

// ---- Loops and conditionals ---------------------------------------------------------------------

/// All of these that have a sharding have one and the same.
void CheckSameSharding(const Instruction& op, std::string_view word,
                       const std::vector<const Instruction*>& related, Diagnostics& out) {
  const Attr* first = nullptr;
  for (const Instruction* i : related) {
    const Attr* sharding = ShardingOf(i);
    if (!sharding) continue;
    if (!first) first = sharding;
    if (ValueOf(*sharding) == ValueOf(*first)) continue;
    out.Report(DiagCode::kShardingInvalid, sharding->range,
               fmt::format("Inconsistent {} sharding among instructions of {}: {} and {}", word,
                           op.name(), ShardingText(ValueOf(*first), /*metadata=*/false),
                           ShardingText(ValueOf(*sharding), /*metadata=*/false)))
        .notes.push_back({first->range, "the other sharding"});
    return;
  }
}

const Instruction* OnlyParameter(const Computation* computation) {
  return computation && computation->parameter_count() == 1 ? computation->parameters()[0]
                                                            : nullptr;
}

void CheckControl(const Instruction& op, Diagnostics& out) {
  std::vector<const Instruction*> related = {&op};
  if (op.opcode() == Opcode::kWhile) {
    const Computation* body = CalledBy(op, "body");
    if (body) related.push_back(body->root());
    related.push_back(OnlyParameter(body));
    related.push_back(OnlyParameter(CalledBy(op, "condition")));
    CheckSameSharding(op, "while", related, out);
    return;
  }
  ForEachCallee(op,
                [&](const Attr&, const Computation& callee) { related.push_back(callee.root()); });
  CheckSameSharding(op, "conditional", related, out);
}

}  // namespace

void VerifyShardings(const VerifierScope& scope) {
  for (const Computation& computation : scope.module.computations()) {
    for (const Instruction& i : computation.instructions()) {
      if (const Attr* attr = ShardingOf(&i)) CheckSharding(i, *attr, scope.out);
      const bool controls = i.opcode() == Opcode::kWhile || i.opcode() == Opcode::kConditional;
      if (controls) CheckControl(i, scope.out);
    }
  }
}

}  // namespace hlo
