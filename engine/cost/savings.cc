#include "engine/cost/savings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "engine/base/stable_sort.h"
#include "engine/base/work_limit.h"
#include "engine/cost/array_bytes.h"
#include "engine/layout/layout_advice.h"
#include "engine/ops/op_def.h"
#include "engine/plan/program_memory.h"

namespace hlo {
namespace {

// Whether it computes each element by itself, cheaply: what loop fusions are made of.
bool IsCheap(const Instruction& instruction) {
  switch (instruction.opcode()) {
    case Opcode::kBroadcast:
    case Opcode::kIota:
    case Opcode::kReshape:
    case Opcode::kSlice:
    case Opcode::kTranspose:
      return true;
    case Opcode::kFusion: {
      const Computation* fused = NamedComputation(instruction, "calls");
      if (!fused) return false;
      return std::all_of(
          fused->instructions().begin(), fused->instructions().end(), [](const Instruction& inner) {
            return inner.opcode() == Opcode::kParameter || inner.opcode() == Opcode::kConstant ||
                   (inner.opcode() != Opcode::kFusion && IsCheap(inner));
          });
    }
    default:
      return instruction.def().elementwise;
  }
}

bool TakesProducers(const Instruction& instruction) {
  return instruction.opcode() == Opcode::kFusion || instruction.opcode() == Opcode::kReduce ||
         IsCheap(instruction);
}

// The instructions of a computation that use each one.
std::vector<std::vector<const Instruction*>> UsersIn(const Computation& computation) {
  std::vector<std::vector<const Instruction*>> users(computation.instructions().size());
  for (const Instruction& user : computation.instructions()) {
    for (const Instruction* operand : user.operands()) {
      auto& of = users[static_cast<size_t>(operand->index())];
      if (of.empty() || of.back() != &user) of.push_back(&user);
    }
  }
  return users;
}

// Bytes, with the padding that crosses memory with them. Users that each compute the producer read
// its operands instead of its result.
double FusionSaves(const Instruction& producer, const Traffic& traffic, size_t users) {
  const BufferSize size = SizeOfBuffer(producer.shape());
  const double padding =
      size.bytes < 0 ? 0
                     : static_cast<double>(std::max<int64_t>(size.bytes - size.unpadded_bytes, 0));
  const double result = traffic.written + std::min(padding, traffic.padding);
  const double operands = traffic.moved() - result;
  const auto times = static_cast<double>(users);
  return result * (1 + times) - operands * (times - 1);
}

void FindFusions(const Computation& computation, const CostAnalysis& costs,
                 std::vector<Saving>* savings) {
  const auto users = UsersIn(computation);
  for (const Instruction& producer : computation.instructions()) {
    CountWork();
    const auto& of = users[static_cast<size_t>(producer.index())];
    if (producer.is_root() || of.empty() || !producer.shape().IsArray() || !IsCheap(producer)) {
      continue;
    }
    const auto takes = [](const Instruction* user) { return TakesProducers(*user); };
    if (!std::all_of(of.begin(), of.end(), takes) || IsInVmem(producer.shape())) continue;
    const double bytes = FusionSaves(producer, costs.Of(producer).cost.traffic, of.size()) *
                         costs.TimesOf(computation);
    if (bytes <= 0) continue;
    savings->push_back({Saving::Kind::kFuse, &producer, of, bytes,
                        of.size() == 1 ? "fuse it with its user"
                                       : fmt::format("fuse it with its {} users", of.size())});
  }
}

// In the words of layouts: two dimensions change places, or the whole order is given.
std::string OrderChange(const Dims& from, const Dims& to) {
  std::vector<int64_t> moved;
  for (size_t i = 0; i < from.size(); ++i) {
    if (from[i] != to[i]) moved.push_back(from[i]);
  }
  if (moved.size() == 2) {
    return fmt::format("swap dimensions {} and {}", std::min(moved[0], moved[1]),
                       std::max(moved[0], moved[1]));
  }
  return fmt::format("use the order {{{}}}", fmt::join(to, ","));
}

struct Padded {
  const Instruction* instruction;
  double bytes;  // of padding that crosses memory
};

// Padding that results carry where they are written, and wherever they are read.
std::vector<Padded> PaddedResults(const CostAnalysis& costs, const Computation& computation) {
  std::vector<Padded> padded;
  const auto users = UsersIn(computation);
  for (const Instruction& each : computation.instructions()) {
    if (!each.shape().IsArray() || !each.shape().layout().has_extras()) continue;
    if (IsInVmem(each.shape())) continue;
    const BufferSize size = SizeOfBuffer(each.shape());
    const double padding = static_cast<double>(size.bytes - size.unpadded_bytes);
    if (size.bytes < 0 || padding <= 0) continue;
    const bool is_there = each.opcode() == Opcode::kParameter || each.opcode() == Opcode::kConstant;
    const auto& of = users[static_cast<size_t>(each.index())];
    // What only names the array, as a tuple does, reads none of it.
    const auto reads = std::count_if(of.begin(), of.end(), [&](const Instruction* user) {
      return costs.Of(*user).cost.traffic.read > 0;
    });
    const auto times = static_cast<double>(reads + (is_there ? 0 : 1));
    padded.push_back({&each, padding * times * costs.TimesOf(computation)});
  }
  return padded;
}

void FindLayouts(std::vector<Padded> padded, std::vector<Saving>* savings) {
  StableSort(padded.begin(), padded.end(),
             [](const Padded& a, const Padded& b) { return a.bytes > b.bytes; });
  if (padded.size() > kMostSavings) padded.resize(kMostSavings);
  for (const Padded& each : padded) {
    const BufferSize size = SizeOfBuffer(each.instruction->shape());
    const auto better = BetterLayoutFor(each.instruction->shape(), size.bytes);
    const double padding = static_cast<double>(size.bytes - size.unpadded_bytes);
    if (!better || padding <= 0 || each.bytes <= 0) continue;
    savings->push_back({Saving::Kind::kLayout,
                        each.instruction,
                        {},
                        each.bytes * std::min(1.0, better->bytes / padding),
                        fmt::format("{}: {}", better->change, ShapeText(better->shape))});
  }
}

}  // namespace

std::optional<BetterLayout> BetterLayoutFor(const Shape& shape, int64_t bytes) {
  constexpr int64_t kLeastShare = 16;
  if (!shape.IsArray()) return std::nullopt;
  const Layout& layout = shape.layout();
  for (const LayoutCandidate& candidate :
       RankLayouts(shape.dims(), BitsInMemory(shape), 8 * BytesOf(shape.element_type()), layout)) {
    const int64_t saves = bytes - candidate.bytes;
    if (saves < bytes / kLeastShare || saves <= 0) return std::nullopt;
    // Without tiles nothing is padded, but a TPU has none such.
    if (candidate.layout.tiles().empty() && !layout.tiles().empty()) continue;
    BetterLayout better{shape, static_cast<double>(saves), "use other tiles"};
    if (candidate.layout.minor_to_major() != layout.minor_to_major()) {
      better.change = OrderChange(layout.minor_to_major(), candidate.layout.minor_to_major());
    }
    better.shape.set_layout(candidate.layout);
    return better;
  }
  return std::nullopt;
}

std::vector<Saving> FindSavings(const CostAnalysis& costs) {
  std::vector<Saving> savings;
  std::vector<Padded> padded;
  for (const Computation& computation : costs.module().computations()) {
    if (costs.TimesOf(computation) == 0) continue;
    FindFusions(computation, costs, &savings);
    const auto results = PaddedResults(costs, computation);
    padded.insert(padded.end(), results.begin(), results.end());
  }
  FindLayouts(std::move(padded), &savings);
  StableSort(savings.begin(), savings.end(),
             [](const Saving& a, const Saving& b) { return a.bytes > b.bytes; });
  return savings;
}

}  // namespace hlo
