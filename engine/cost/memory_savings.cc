#include "engine/cost/memory_savings.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "engine/base/stable_sort.h"
#include "engine/base/work_limit.h"
#include "engine/cost/savings.h"
#include "engine/hlo/module_copy.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

// Buffers at the peak that are asked for another layout: the largest.
constexpr size_t kMostLayouts = 200;

const SpaceUse* MainMemory(const ProgramMemory& memory) {
  for (const SpaceUse& space : memory.spaces) {
    if (space.space == 0) return &space;
  }
  return nullptr;
}

// Parameters of the entry that a result has taken over already, or may.
bool IsDonated(const Module& module, int64_t number) {
  for (std::string_view name : {"input_output_alias", "buffer_donor"}) {
    for (const Alias& alias : module.attrs().Aliases(name)) {
      if (alias.operand == number) return true;
    }
  }
  return false;
}

void AddDonation(const Module& module, const ProgramMemory& memory, const SpaceUse& use,
                 std::vector<MemorySaving>* out) {
  std::unordered_multimap<std::string, const ProgramBuffer*> parameters;
  for (const ProgramBuffer& buffer : memory.buffers) {
    if (buffer.space != 0 || buffer.type != "parameter" || buffer.size.bytes <= 0) continue;
    if (IsDonated(module, buffer.instruction->attrs().Int("number"))) continue;
    parameters.emplace(ShapeText(*buffer.shape), &buffer);
  }
  MemorySaving saving;
  saving.kind = "donation";
  std::string example;
  for (const ProgramBuffer& buffer : memory.buffers) {
    if (buffer.space != 0 || buffer.type != "output") continue;
    const auto [first, last] = parameters.equal_range(ShapeText(*buffer.shape));
    const auto found = std::find_if(
        first, last, [&](const auto& each) { return MayTakeOver(*each.second, buffer); });
    if (found == last) continue;
    if (example.empty()) {
      example =
          fmt::format("%{} in %{}", buffer.instruction->name(), found->second->instruction->name());
    }
    saving.saved_bytes += buffer.size.bytes;
    saving.instructions.push_back(buffer.instruction);
    parameters.erase(found);
  }
  if (saving.saved_bytes == 0) return;
  const size_t count = saving.instructions.size();
  saving.peak_bytes = use.peak_bytes - saving.saved_bytes;
  saving.what = fmt::format(
      "{} result{} fit{} into parameters of the same shape ({}{}): donate them "
      "with input_output_alias",
      count, count == 1 ? "" : "s", count == 1 ? "s" : "", example, count == 1 ? "" : ", ...");
  out->push_back(std::move(saving));
}

// Where an element-wise operation could write over an operand that it uses last, only one of the
// two is needed.
void AddInPlace(const ProgramMemory& memory, const SpaceUse& use, std::vector<MemorySaving>* out) {
  std::unordered_map<const Instruction*, const ProgramBuffer*> buffers;
  for (const ProgramBuffer& buffer : memory.buffers) {
    if (buffer.space == 0 && buffer.size.bytes > 0 &&
        buffer.instruction->parent() == memory.computation) {
      buffers.emplace(buffer.instruction, &buffer);
    }
  }
  std::vector<int64_t> live = use.live;
  MemorySaving saving;
  saving.kind = "in-place";
  for (const auto& instruction : memory.computation->instructions()) {
    const auto own = buffers.find(&instruction);
    if (!instruction.def().elementwise || own == buffers.end()) continue;
    for (const Instruction* operand : instruction.operands()) {
      const auto from = buffers.find(operand);
      if (from == buffers.end() || from->second->type != "temporary" ||
          from->second->end != instruction.index() ||
          from->second->size.bytes != own->second->size.bytes) {
        continue;
      }
      live[static_cast<size_t>(instruction.index())] -= own->second->size.bytes;
      saving.instructions.push_back(&instruction);
      break;
    }
  }
  if (saving.instructions.empty()) return;
  saving.peak_bytes = *std::max_element(live.begin(), live.end());
  saving.saved_bytes = use.peak_bytes - saving.peak_bytes;
  const size_t count = saving.instructions.size();
  saving.what = fmt::format(
      "{} element-wise operation{} can write over an operand that nothing "
      "needs afterwards",
      count, count == 1 ? "" : "s");
  out->push_back(std::move(saving));
}

// The entry's instructions so that operands which need more memory come before those that need
// less: what is computed early has to be kept meanwhile.
std::vector<const Instruction*> ThriftyOrder(const Computation& entry) {
  const size_t count = entry.instructions().size();
  auto bytes = [](const Instruction& each) {
    int64_t sum = 0;
    ForEachArray(each.shape(), [&](const Shape& array) {
      sum += std::max<int64_t>(SizeOfBuffer(array).bytes, 0);
    });
    return sum;
  };
  std::vector<int64_t> need(count, 0), own(count, 0);
  auto by_need = [&](const Instruction& each) {
    std::vector<const Instruction*> operands(each.operands().begin(), each.operands().end());
    StableSort(operands.begin(), operands.end(), [&](const Instruction* a, const Instruction* b) {
      const size_t i = static_cast<size_t>(a->index());
      const size_t j = static_cast<size_t>(b->index());
      return need[i] - own[i] > need[j] - own[j];
    });
    return operands;
  };
  for (const Instruction& each : entry.instructions()) {
    const size_t at = static_cast<size_t>(each.index());
    own[at] = bytes(each);
    int64_t kept = 0;
    for (const Instruction* operand : by_need(each)) {
      need[at] = std::max(need[at], kept + need[static_cast<size_t>(operand->index())]);
      kept += own[static_cast<size_t>(operand->index())];
    }
    need[at] = std::max(need[at], kept + own[at]);
    CountWork(1);
  }
  std::vector<const Instruction*> order;
  std::vector<uint8_t> state(count, 0);
  // What an instruction has to follow besides its operands.
  auto enter = [&](const Instruction& start) {
    std::vector<const Instruction*> stack{&start};
    while (!stack.empty()) {
      const Instruction& top = *stack.back();
      uint8_t& reached = state[static_cast<size_t>(top.index())];
      if (reached == 0) {
        reached = 1;
        std::vector<const Instruction*> first = by_need(top);
        for (uint32_t index : top.attrs().Instructions("control-predecessors")) {
          first.push_back(&entry.instructions()[index]);
        }
        for (size_t i = first.size(); i-- > 0;) {
          if (state[static_cast<size_t>(first[i]->index())] == 0) stack.push_back(first[i]);
        }
        continue;
      }
      stack.pop_back();
      if (reached == 1) order.push_back(&top);
      reached = 2;
    }
  };
  if (entry.root()) enter(*entry.root());
  for (const Instruction& each : entry.instructions()) {
    if (state[static_cast<size_t>(each.index())] == 0) enter(each);
  }
  return order;
}

void AddSchedule(const Module& module, const SpaceUse& use, std::vector<MemorySaving>* out) {
  Module copy;
  ModuleEditor editor(&copy);
  ModuleCopier copier(editor);
  const Computation& entry = *module.entry();
  for (const Computation& each : module.computations()) {
    if (&each != &entry) copier.Copy(each);
  }
  Computation* reordered = editor.AddComputation(editor.Intern(entry.name()));
  for (const Instruction* each : ThriftyOrder(entry)) {
    Instruction* made = copier.Copy(*each, reordered);
    if (each->opcode() == Opcode::kParameter) {
      editor.SetParameter(reordered, each->attrs().Int("number"), made);
    }
    if (each == entry.root()) editor.SetRoot(reordered, made);
  }
  editor.SetEntry(reordered);
  const ProgramMemory memory = MakeProgramMemory(copy);
  const SpaceUse* after = MainMemory(memory);
  if (!after || after->peak_bytes >= use.peak_bytes) return;
  MemorySaving saving;
  saving.kind = "schedule";
  saving.peak_bytes = after->peak_bytes;
  saving.saved_bytes = use.peak_bytes - after->peak_bytes;
  saving.what =
      "in another order fewer arrays are live at once: compute what needs more memory first";
  out->push_back(std::move(saving));
}

void AddLayouts(const ProgramMemory& memory, const SpaceUse& use, std::vector<MemorySaving>* out) {
  MemorySaving saving;
  saving.kind = "layout";
  size_t looked = 0;
  for (const ProgramBuffer& buffer : memory.buffers) {
    if (buffer.space != 0 || !LivesAtPeak(buffer, use)) continue;
    if (buffer.size.bytes <= buffer.size.unpadded_bytes) continue;
    if (++looked > kMostLayouts) break;
    const auto better = BetterLayoutFor(*buffer.shape, buffer.size.bytes);
    if (!better) continue;
    saving.saved_bytes += static_cast<int64_t>(better->bytes);
    saving.instructions.push_back(buffer.instruction);
  }
  if (saving.saved_bytes == 0) return;
  const size_t count = saving.instructions.size();
  saving.peak_bytes = use.peak_bytes - saving.saved_bytes;
  saving.what = fmt::format("{} array{} at the peak would be padded less in another layout", count,
                            count == 1 ? "" : "s");
  out->push_back(std::move(saving));
}

}  // namespace

std::vector<MemorySaving> FindMemorySavings(const Module& module, const ProgramMemory& memory) {
  std::vector<MemorySaving> found;
  const SpaceUse* use = MainMemory(memory);
  if (!use || !memory.computation || use->live.empty()) return found;
  AddDonation(module, memory, *use, &found);
  AddInPlace(memory, *use, &found);
  AddSchedule(module, *use, &found);
  AddLayouts(memory, *use, &found);
  found.erase(std::remove_if(found.begin(), found.end(),
                             [](const MemorySaving& each) { return each.saved_bytes <= 0; }),
              found.end());
  StableSort(found.begin(), found.end(), [](const MemorySaving& a, const MemorySaving& b) {
    return a.saved_bytes > b.saved_bytes;
  });
  return found;
}

}  // namespace hlo
