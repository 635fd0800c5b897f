// Called computations in place of the calls.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "engine/base/byte_count.h"
#include "engine/hlo/call_graph.h"
#include "engine/ops/op_def.h"
#include "engine/passes/passes.h"

namespace hlo {
namespace {

// Calls of calls can double a program with every line of its text.
constexpr int64_t kMostGrowth = 4;
constexpr int64_t kAlwaysAllowed = 10'000;

class Inliner {
 public:
  Inliner(Draft& draft, PassReport& report)
      : draft_(draft),
        report_(report),
        size_(draft.Size()),
        most_(std::max(kAlwaysAllowed, kMostGrowth * size_)) {}

  void Run() {
    const CallGraph calls(draft_.module());
    for (const Computation& computation : draft_.module().computations()) {
      once_[&computation] = calls.CallersOf(computation).size() == 1;
    }
    // Callees first: what is inlined has been through this itself.
    for (Computation* computation : draft_.Computations()) {
      if (draft_.KindOf(*computation) == BodyKind::kProgram) InlineInto(computation);
    }
    if (kept_ > 0) {
      report_.note = fmt::format("{} {}: {}.", Counted(kept_, "call"),
                                 kept_ == 1 ? "stays" : "stay", why_kept_);
    }
  }

 private:
  bool MayInline(const Instruction& call, const Computation& callee) {
    if (draft_.KindOf(callee) != BodyKind::kProgram) return Keep("what they call has other users");
    if (draft_.HasControl(call)) return Keep("they have control dependencies");
    if (callee.execution_thread() != call.parent()->execution_thread()) {
      return Keep("they run in another thread");
    }
    const std::string* inlineable =
        FindValue(call.attrs().Keys("frontend_attributes"), "inlineable");
    if (inlineable && *inlineable == "false") return Keep("they are marked inlineable=\"false\"");
    const auto added = static_cast<int64_t>(draft_.Order(callee).size());
    if (size_ + added > most_) {
      return Keep(fmt::format("the program would have more than {} instructions", most_));
    }
    size_ += added;
    return true;
  }
  bool Keep(std::string why) {
    ++kept_;
    why_kept_ = std::move(why);
    return false;
  }

  void InlineInto(Computation* computation) {
    const std::vector<Instruction*> before = std::move(draft_.Order(*computation));
    std::vector<Instruction*> order;
    std::unordered_map<const Instruction*, Instruction*> results;
    for (Instruction* instruction : before) {
      for (Instruction*& operand : draft_.editor().operands(instruction)) {
        if (const auto found = results.find(operand); found != results.end()) {
          operand = found->second;
        }
      }
      const Computation* callee = instruction->opcode() == Opcode::kCall
                                      ? AsComputation(instruction->attrs().GetRegion("to_apply"))
                                      : nullptr;
      if (!callee || !MayInline(*instruction, *callee)) {
        order.push_back(instruction);
        continue;
      }
      results[instruction] = Splice(*instruction, *callee, computation, order);
    }
    if (const auto root = results.find(computation->root()); root != results.end()) {
      draft_.editor().SetRoot(computation, root->second);
    }
    draft_.Order(*computation) = std::move(order);
  }

  // The callee's instructions at the end of the order; returns what stands for its root.
  Instruction* Splice(const Instruction& call, const Computation& callee, Computation* into,
                      std::vector<Instruction*>& order) {
    std::unordered_map<const Instruction*, Instruction*> copies;
    for (size_t i = 0; i < callee.parameters().size(); ++i) {
      copies[callee.parameters()[i]] = call.operand(static_cast<int>(i));
    }
    const std::string reason = fmt::format("call {} of {}", call.name(), callee.name());
    for (Instruction* instruction : draft_.Order(callee)) {
      if (instruction->opcode() == Opcode::kParameter) continue;
      std::vector<Instruction*> operands;
      for (const Instruction* operand : instruction->operands()) {
        operands.push_back(copies.at(operand));
      }
      Instruction* copy = CopyOf(*instruction, callee, into, std::move(operands));
      copies[instruction] = copy;
      order.push_back(copy);
      report_.changes.push_back({ChangeKind::kInlined, std::string(into->name()),
                                 std::string(instruction->name()), std::string(copy->name()),
                                 reason});
    }
    for (Instruction* instruction : draft_.Order(callee)) MapControl(callee, copies, *instruction);
    report_.changes.push_back({ChangeKind::kInlined, std::string(into->name()),
                               std::string(call.name()),
                               std::string(copies.at(callee.root())->name()),
                               fmt::format("{} is in its place", callee.name())});
    return copies.at(callee.root());
  }

  // A callee with one caller is gone afterwards: its instructions keep their names.
  Instruction* CopyOf(const Instruction& original, const Computation& callee, Computation* into,
                      std::vector<Instruction*> operands) {
    Instruction* copy = draft_.Add(into, original.name(), original.opcode(), std::move(operands),
                                   original.attrs(), original.shape());
    if (once_[&callee]) draft_.editor().SetName(copy, original.name());
    return copy;
  }

  void MapControl(const Computation& callee,
                  const std::unordered_map<const Instruction*, Instruction*>& copies,
                  const Instruction& original) {
    const auto copy = copies.find(&original);
    if (copy == copies.end() || original.opcode() == Opcode::kParameter) return;
    for (Attr& attr : draft_.editor().attrs(copy->second)) {
      if (attr.def->kind != AttrKind::kInstructions) continue;
      std::vector<uint32_t> mapped;
      for (const uint32_t position : std::get<std::vector<uint32_t>>(attr.value)) {
        const Instruction& predecessor = callee.instructions()[position];
        if (predecessor.opcode() == Opcode::kParameter) continue;
        if (const auto found = copies.find(&predecessor); found != copies.end()) {
          mapped.push_back(static_cast<uint32_t>(found->second->index()));
        }
      }
      attr.value = std::move(mapped);
    }
  }

  Draft& draft_;
  PassReport& report_;
  int64_t size_;
  const int64_t most_;
  std::unordered_map<const Computation*, bool> once_;
  int64_t kept_ = 0;
  std::string why_kept_;
};

}  // namespace

void InlineCalls(Draft& draft, PassReport& report) {
  Inliner(draft, report).Run();
  if (report.changes.empty() && report.note.empty()) report.note = "There are no calls.";
}

}  // namespace hlo
