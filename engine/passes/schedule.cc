// An order of the instructions that needs little memory.
#include <fmt/format.h>

#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>

#include "engine/base/rising.h"
#include "engine/ops/op_def.h"
#include "engine/passes/passes.h"
#include "engine/plan/program_memory.h"

namespace hlo {
namespace {

using Order = std::vector<int32_t>;  ///< positions in the text, in the order of execution

// The instructions of a computation by position: what they wait for and what they take.
class ScheduleProblem {
 public:
  ScheduleProblem(Draft& draft, const std::vector<Instruction*>& text)
      : text_(text), needs_(text.size()), users_(text.size()), bytes_(text.size(), 0) {
    std::vector<int32_t> position(text.empty() ? 0 : text[0]->parent()->instructions().size(), 0);
    for (size_t i = 0; i < text.size(); ++i) {
      position[static_cast<size_t>(text[i]->index())] = static_cast<int32_t>(i);
    }
    int32_t last_effect = -1;
    for (size_t i = 0; i < text.size(); ++i) {
      for (const Instruction* operand : text[i]->operands()) {
        needs_[i].push_back(position[static_cast<size_t>(operand->index())]);
      }
      for (const Attr& attr : text[i]->attrs()) {
        if (attr.def->kind != AttrKind::kInstructions) continue;
        for (const uint32_t before : std::get<std::vector<uint32_t>>(attr.value)) {
          needs_[i].push_back(position[before]);
        }
      }
      // Effects are seen in the order of the text.
      if (text[i]->opcode() != Opcode::kParameter && draft.IsPinned(*text[i])) {
        if (last_effect >= 0) needs_[i].push_back(last_effect);
        last_effect = static_cast<int32_t>(i);
      }
      std::sort(needs_[i].begin(), needs_[i].end());
      needs_[i].erase(std::unique(needs_[i].begin(), needs_[i].end()), needs_[i].end());
      for (const int32_t need : needs_[i]) {
        users_[static_cast<size_t>(need)].push_back(static_cast<int32_t>(i));
      }
      bytes_[i] = BytesOf(*text[i]);
    }
  }

  size_t size() const { return text_.size(); }

  Order AsWritten() const {
    Order order(size());
    for (size_t i = 0; i < size(); ++i) order[i] = static_cast<int32_t>(i);
    return order;
  }

  // Next comes whatever frees the most, among equals what is first in the text.
  Order Greedy() const {
    std::vector<int32_t> waits(size()), uses(size()), last_user(size(), 0);
    std::vector<int64_t> freed(size(), 0);
    using Entry = std::tuple<int64_t, int32_t>;  // bytes that it adds, position
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
    const auto push = [&](int32_t i) {
      ready.emplace(bytes_[static_cast<size_t>(i)] - freed[static_cast<size_t>(i)], i);
    };
    for (size_t i = 0; i < size(); ++i) {
      waits[i] = static_cast<int32_t>(needs_[i].size());
      uses[i] = static_cast<int32_t>(users_[i].size());
      for (const int32_t user : users_[i]) last_user[i] ^= user;
    }
    for (size_t i = 0; i < size(); ++i) {
      if (uses[i] == 1) freed[static_cast<size_t>(last_user[i])] += bytes_[i];
    }
    for (size_t i = 0; i < size(); ++i) {
      if (waits[i] == 0) push(static_cast<int32_t>(i));
    }
    Order order;
    std::vector<bool> done(size(), false);
    while (!ready.empty()) {
      const auto i = static_cast<size_t>(std::get<1>(ready.top()));
      ready.pop();
      if (done[i]) continue;  // it was entered again when it came to free more
      done[i] = true;
      order.push_back(static_cast<int32_t>(i));
      for (const int32_t need : needs_[i]) {
        const auto n = static_cast<size_t>(need);
        last_user[n] ^= static_cast<int32_t>(i);
        if (--uses[n] != 1) continue;
        const auto last = static_cast<size_t>(last_user[n]);
        freed[last] += bytes_[n];
        if (waits[last] == 0) push(last_user[n]);
      }
      for (const int32_t user : users_[i]) {
        if (--waits[static_cast<size_t>(user)] == 0) push(user);
      }
    }
    return order;
  }

  // Depth first from what nothing uses, the operands that take the most first.
  Order DepthFirst() const {
    std::vector<double> total(size(), 0);
    for (size_t i = 0; i < size(); ++i) {
      total[i] = static_cast<double>(bytes_[i]);
      for (const int32_t need : needs_[i]) {
        total[i] = std::min(1e30, total[i] + total[static_cast<size_t>(need)]);
      }
    }
    std::vector<uint8_t> state(size(), 0);  // 1: open, 2: done
    Order order;
    std::vector<int32_t> open;
    for (size_t i = 0; i < size(); ++i) {
      if (!users_[i].empty()) continue;
      open.push_back(static_cast<int32_t>(i));
      while (!open.empty()) {
        const auto next = static_cast<size_t>(open.back());
        if (state[next] != 0) {
          open.pop_back();
          if (state[next] == 1) order.push_back(static_cast<int32_t>(next));
          state[next] = 2;
          continue;
        }
        state[next] = 1;
        std::vector<int32_t> needs = needs_[next];
        std::stable_sort(needs.begin(), needs.end(), [&](int32_t a, int32_t b) {
          return total[static_cast<size_t>(a)] < total[static_cast<size_t>(b)];
        });
        for (const int32_t need : needs) {
          if (state[static_cast<size_t>(need)] == 0) open.push_back(need);
        }
      }
    }
    return order;
  }

  // The most bytes that live at a time.
  int64_t Peak(const Order& order) const {
    std::vector<int32_t> at(size()), last(size());
    for (size_t k = 0; k < size(); ++k) at[static_cast<size_t>(order[k])] = static_cast<int32_t>(k);
    for (size_t k = size(); k-- > 0;) {
      const auto i = static_cast<size_t>(order[k]);
      last[i] = text_[i]->is_root() ? static_cast<int32_t>(size()) - 1 : at[i];
      for (const int32_t user : users_[i]) {
        const auto u = static_cast<size_t>(user);
        last[i] = std::max(last[i], IsAlias(*text_[u]) ? last[u] : at[u]);
      }
    }
    std::vector<int64_t> change(size() + 1, 0);
    for (size_t i = 0; i < size(); ++i) {
      change[static_cast<size_t>(at[i])] += bytes_[i];
      change[static_cast<size_t>(last[i]) + 1] -= bytes_[i];
    }
    int64_t live = 0, peak = 0;
    for (const int64_t bytes : change) peak = std::max(peak, live += bytes);
    return peak;
  }

 private:
  static bool IsAlias(const Instruction& instruction) {
    switch (instruction.opcode()) {
      case Opcode::kTuple:
      case Opcode::kGetTupleElement:
      case Opcode::kBitcast:
        return true;
      default:
        return false;
    }
  }
  static int64_t BytesOf(const Instruction& instruction) {
    if (IsAlias(instruction) || instruction.opcode() == Opcode::kParameter ||
        instruction.opcode() == Opcode::kConstant) {
      return 0;
    }
    int64_t bytes = 0;
    ForEachArray(instruction.shape(), [&](const Shape& array) {
      constexpr int64_t kMost = int64_t{1} << 40;  // sums of them fit
      bytes += std::clamp<int64_t>(SizeOfBuffer(array).bytes, 0, kMost);
    });
    return bytes;
  }

  const std::vector<Instruction*>& text_;
  std::vector<std::vector<int32_t>> needs_;  ///< each once, ascending
  std::vector<std::vector<int32_t>> users_;
  std::vector<int64_t> bytes_;
};

// Which of the order have changed places: all but a longest part that is still ascending.
std::vector<bool> Moved(const Order& order) {
  std::vector<bool> moved = LongestRising(order);
  moved.flip();
  return moved;
}

void ScheduleOne(Draft& draft, const Computation& computation, PassReport& report) {
  std::vector<Instruction*>& text = draft.Order(computation);
  const ScheduleProblem problem(draft, text);
  Order best = problem.AsWritten();
  const int64_t before = problem.Peak(best);
  int64_t least = before;
  for (Order order : {problem.DepthFirst(), problem.Greedy()}) {
    const int64_t peak = problem.Peak(order);
    if (peak >= least) continue;
    least = peak;
    best = std::move(order);
  }
  if (least == before) return;
  const std::vector<bool> moved = Moved(best);
  for (size_t k = 0; k < best.size(); ++k) {
    if (!moved[k]) continue;
    const std::string name(text[static_cast<size_t>(best[k])]->name());
    report.changes.push_back(
        {ChangeKind::kMoved, std::string(computation.name()), name, name,
         k == 0 ? std::string("it runs first")
                : fmt::format("it runs after {}", text[static_cast<size_t>(best[k - 1])]->name())});
  }
  std::vector<Instruction*> scheduled;
  for (const int32_t i : best) scheduled.push_back(text[static_cast<size_t>(i)]);
  text = std::move(scheduled);
}

void MarkScheduled(Draft& draft, PassReport& report) {
  for (const AttrDef& def : ModuleAttrs()) {
    if (def.name != "is_scheduled") continue;
    AttrList& attrs = draft.editor().module_attrs();
    attrs.erase(std::remove_if(attrs.begin(), attrs.end(),
                               [](const Attr& attr) { return attr.def->name == "is_scheduled"; }),
                attrs.end());
    attrs.push_back({&def, true, {}, {}});
    report.header_changed = true;
  }
}

}  // namespace

void ScheduleProgram(Draft& draft, PassReport& report) {
  if (draft.module().is_scheduled()) {
    report.note = "The module is scheduled: its order is the one to run in.";
    return;
  }
  for (const Computation* computation : draft.Computations()) {
    if (draft.KindOf(*computation) == BodyKind::kProgram) ScheduleOne(draft, *computation, report);
  }
  MarkScheduled(draft, report);
  if (report.changes.empty()) {
    report.note = "No order that was tried needs less memory than that of the text.";
  }
}

}  // namespace hlo
