#include "engine/cost/fusion_traffic.h"

#include <algorithm>
#include <cstdint>

#include "engine/base/work_limit.h"

namespace hlo {
namespace {

struct Use {
  const Instruction* user;
  int operand;
};

class FusedReads {
 public:
  FusedReads(const Computation& fused, const std::vector<FusionTraffic>& callees, ShapeBytes* bytes)
      : callees_(callees), bytes_(*bytes), uses_(fused.instructions().size()) {
    for (const Instruction& user : fused.instructions()) {
      for (int i = 0; i < user.operand_count(); ++i) {
        uses_[static_cast<size_t>(user.operand(i)->index())].push_back({&user, i});
      }
    }
  }

  /// Of a parameter, or of an element of one.
  Traffic Of(const Instruction& value) {
    return value.shape().IsTuple() ? OfTuple(value) : OfArray(value);
  }

 private:
  const std::vector<Use>& UsesOf(const Instruction& value) const {
    return uses_[static_cast<size_t>(value.index())];
  }

  // Elements that are taken out of it; each counts once.
  Traffic OfTuple(const Instruction& tuple) {
    Traffic traffic;
    std::vector<int64_t> seen;
    for (const Use& use : UsesOf(tuple)) {
      CountWork();
      if (use.user->opcode() == Opcode::kFusion) {
        traffic += InnerFusion(use);
      } else if (use.user->opcode() == Opcode::kGetTupleElement) {
        const int64_t index = use.user->attrs().Int("index", 0);
        if (std::find(seen.begin(), seen.end(), index) != seen.end()) continue;
        seen.push_back(index);
        traffic += Of(*use.user);
      }
    }
    return traffic;
  }

  Traffic InnerFusion(const Use& use) const {
    const Region* region = use.user->attrs().GetRegion("calls");
    if (!region) return {};
    const auto& inner = callees_[static_cast<size_t>(AsComputation(region)->index())].parameters;
    const auto number = static_cast<size_t>(use.operand);
    return number < inner.size() ? inner[number] : Traffic();
  }

  // Users that read all of it share one read.
  Traffic OfArray(const Instruction& value) {
    Traffic traffic;
    bool is_read = false;
    const auto read_all = [&] {
      if (!is_read) traffic += bytes_.Read(value.shape());
      is_read = true;
    };
    for (const Use& use : UsesOf(value)) {
      CountWork();
      const Instruction& user = *use.user;
      switch (user.opcode()) {
        case Opcode::kFusion:
          traffic += InnerFusion(use);
          break;
        case Opcode::kSlice:
          traffic += bytes_.ReadPart(value.shape(), bytes_.Of(user.shape()).elements);
          break;
        case Opcode::kDynamicSlice:
          if (use.operand != 0) {
            read_all();
          } else {
            traffic += bytes_.ReadPart(value.shape(), bytes_.Of(user.shape()).elements);
          }
          break;
        case Opcode::kDynamicUpdateSlice:
          if (use.operand != 0) read_all();  // operand 0 is updated in place
          break;
        case Opcode::kBroadcast:
        case Opcode::kReshape:
          traffic += bytes_.Read(value.shape());
          break;
        default:
          read_all();
      }
    }
    return traffic;
  }

  const std::vector<FusionTraffic>& callees_;
  ShapeBytes& bytes_;
  std::vector<std::vector<Use>> uses_;
};

Traffic WrittenBy(const Instruction& root, ShapeBytes& bytes) {
  if (root.opcode() == Opcode::kDynamicUpdateSlice) {
    return bytes.WrittenPart(root.shape(), bytes.Of(root.operand(1)->shape()).elements);
  }
  return bytes.Written(root.shape());
}

}  // namespace

Traffic FusionTraffic::Sum() const {
  Traffic sum = constants;
  sum += written;
  for (const Traffic& parameter : parameters) sum += parameter;
  return sum;
}

FusionTraffic FusionTrafficOf(const Computation& fused, const std::vector<FusionTraffic>& callees,
                              ShapeBytes* bytes) {
  FusionTraffic traffic;
  FusedReads reads(fused, callees, bytes);
  for (const Instruction* parameter : fused.parameters()) {
    traffic.parameters.push_back(parameter ? reads.Of(*parameter) : Traffic());
  }
  for (const Instruction& instruction : fused.instructions()) {
    if (instruction.opcode() != Opcode::kConstant) continue;
    if (instruction.shape().IsArray() && instruction.shape().element_count() <= 1) continue;
    traffic.constants += bytes->Read(instruction.shape());
  }
  const Instruction* root = fused.root();
  if (!root) return traffic;
  if (root->opcode() != Opcode::kTuple) {
    traffic.written = WrittenBy(*root, *bytes);
    return traffic;
  }
  for (const Instruction* element : root->operands())
    traffic.written += WrittenBy(*element, *bytes);
  return traffic;
}

}  // namespace hlo
