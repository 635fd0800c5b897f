// Rules over instructions until none applies, then what is repeated and what nothing uses.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "engine/hlo/call_graph.h"
#include "engine/hlo/printer.h"
#include "engine/passes/passes.h"
#include "engine/passes/rewriter.h"

namespace hlo {
namespace {

constexpr int kMostRounds = 8;
// Constants of more elements are not compared.
constexpr int64_t kMostCompared = 256;

constexpr MaybeRewrite (*kRules[])(Rewriter&, Instruction*) = {SimplifyTuples,  SimplifyMoves,
                                                               SimplifySlices,  SimplifyArithmetic,
                                                               SimplifyControl, FoldConstants};

class Simplifier {
 public:
  Simplifier(Draft& draft, PassReport& report)
      : draft_(draft), report_(report), rewriter_(draft), calls_(draft.module()) {}

  void Run() {
    for (Computation* computation : draft_.Computations()) {
      const BodyKind kind = draft_.KindOf(*computation);
      if (kind != BodyKind::kProgram && kind != BodyKind::kFusion) continue;
      if (kind == BodyKind::kFusion && NamesOperands(*computation)) continue;
      computation_ = computation;
      for (int round = 0; round < kMostRounds && Round(); ++round) {
      }
      if (kind == BodyKind::kFusion) RemoveParameters(computation);
    }
  }

 private:
  // Whether a fusion of this body says something of operands by their numbers.
  bool NamesOperands(const Computation& body) const {
    for (const Caller& caller : calls_.CallersOf(body)) {
      if (caller.instruction->attrs().Has("output_to_operand_aliasing")) return true;
    }
    return false;
  }

  // A fusion has no parameter that it does not use.
  void RemoveParameters(Computation* body) {
    std::unordered_set<const Instruction*> used = {body->root()};
    for (const Instruction* instruction : draft_.Order(*body)) {
      used.insert(instruction->operands().begin(), instruction->operands().end());
    }
    const std::vector<Instruction*> before = body->parameters();
    std::vector<size_t> kept;
    for (size_t i = 0; i < before.size(); ++i) {
      if (used.count(before[i]) > 0) kept.push_back(i);
    }
    if (kept.size() == before.size()) return;
    ModuleEditor& editor = draft_.editor();
    editor.ClearParameters(body);
    for (size_t i = 0; i < kept.size(); ++i) {
      Instruction* parameter = before[kept[i]];
      editor.attrs(parameter)[0].value = static_cast<int64_t>(i);
      editor.SetParameter(body, static_cast<int64_t>(i), parameter);
    }
    for (const Instruction* parameter : before) {
      if (used.count(parameter) == 0) {
        Say(ChangeKind::kRemoved, *parameter, "", "the fusion does not use it any more");
      }
    }
    std::vector<Instruction*>& order = draft_.Order(*body);
    order.erase(std::remove_if(order.begin(), order.end(),
                               [&](const Instruction* instruction) {
                                 return instruction->opcode() == Opcode::kParameter &&
                                        used.count(instruction) == 0;
                               }),
                order.end());
    for (const Caller& caller : calls_.CallersOf(*body)) DropOperands(*caller.instruction, kept);
  }

  void DropOperands(const Instruction& fusion, const std::vector<size_t>& kept) {
    // The instruction is the draft's own.
    auto& operands = draft_.editor().operands(const_cast<Instruction*>(&fusion));
    const SmallVector<Instruction*, 4> before = operands;
    operands.clear();
    for (const size_t i : kept) operands.push_back(before[i]);
  }

  // Operands come first, so that one walk takes a chain of rules along. Whether anything changed.
  bool Round() {
    bool changed = false;
    replaced_.clear();
    same_.clear();
    for (Instruction* instruction : draft_.Order(*computation_)) {
      for (Instruction*& operand : draft_.editor().operands(instruction)) {
        if (const auto found = replaced_.find(operand); found != replaced_.end()) {
          operand = found->second;
        }
      }
      if (draft_.IsPinned(*instruction)) continue;
      changed = ApplyRules(instruction) || changed;
      if (replaced_.count(instruction) == 0) changed = FindSame(instruction) || changed;
    }
    if (const auto root = replaced_.find(computation_->root()); root != replaced_.end()) {
      draft_.editor().SetRoot(computation_, root->second);
    }
    return RemoveUnused() || changed;
  }

  bool ApplyRules(Instruction* instruction) {
    if (!IsKnown(*instruction)) return false;
    bool changed = false;
    for (const auto rule : kRules) {
      const std::string_view opcode = hlo::Text(instruction->opcode());
      const MaybeRewrite rewrite = rule(rewriter_, instruction);
      if (!rewrite) continue;
      changed = true;
      if (!rewrite->instead) {
        Say(ChangeKind::kReplaced, *instruction, instruction->name(),
            opcode == hlo::Text(instruction->opcode())
                ? std::string(rewrite->reason)
                : fmt::format("{} became {}: {}", opcode, hlo::Text(instruction->opcode()),
                              rewrite->reason));
        continue;
      }
      Replace(instruction, rewrite->instead, std::string(rewrite->reason));
      break;
    }
    return changed;
  }

  // Sizes that are known only when the program runs are part of values, and floats of different
  // widths are rounded where they meet: rules do not apply there.
  static bool IsKnown(const Instruction& instruction) {
    if (!instruction.shape().has_known_sizes() || Rewriter::MixesFloats(instruction)) return false;
    for (const Instruction* operand : instruction.operands()) {
      if (!operand->shape().has_known_sizes()) return false;
    }
    return true;
  }

  // Of what is computed twice one is enough.
  bool FindSame(Instruction* instruction) {
    const Opcode opcode = instruction->opcode();
    if (opcode == Opcode::kCopy || opcode == Opcode::kTuple || opcode == Opcode::kWhile) {
      return false;
    }
    if (opcode == Opcode::kConstant &&
        (!instruction->shape().IsArray() || instruction->shape().element_count() > kMostCompared)) {
      return false;
    }
    std::string key = PrintInstruction(*instruction, kKeyOptions);
    const size_t begins = key.find(" = ");
    if (begins == std::string::npos) return false;
    const auto [first, is_new] = same_.emplace(key.substr(begins), instruction);
    if (is_new) return false;
    Replace(instruction, first->second, fmt::format("{} computes the same", first->second->name()));
    return true;
  }

  void Replace(Instruction* instruction, Instruction* instead, std::string reason) {
    replaced_[instruction] = instead;
    gone_.insert(instruction);
    Say(ChangeKind::kReplaced, *instruction, instead->name(), std::move(reason));
  }

  bool RemoveUnused() {
    std::vector<Instruction*>& order = draft_.Order(*computation_);
    std::unordered_set<const Instruction*> used = {computation_->root()};
    std::vector<Instruction*> kept;
    for (size_t i = order.size(); i-- > 0;) {
      Instruction* instruction = order[i];
      if (used.count(instruction) == 0 && !draft_.IsPinned(*instruction)) {
        if (gone_.count(instruction) == 0) {
          Say(ChangeKind::kRemoved, *instruction, "", "nothing uses it");
        }
        continue;
      }
      used.insert(instruction->operands().begin(), instruction->operands().end());
      kept.push_back(instruction);
    }
    const bool removed = kept.size() < order.size();
    order.assign(kept.rbegin(), kept.rend());
    return removed;
  }

  void Say(ChangeKind kind, const Instruction& before, std::string_view after, std::string reason) {
    report_.changes.push_back({kind, std::string(computation_->name()), std::string(before.name()),
                               std::string(after), std::move(reason)});
  }

  static constexpr PrintOptions kKeyOptions{.metadata = false, .operand_shapes = false};

  Draft& draft_;
  PassReport& report_;
  Rewriter rewriter_;
  const CallGraph calls_;
  Computation* computation_ = nullptr;
  std::unordered_map<const Instruction*, Instruction*> replaced_;
  std::unordered_map<std::string, Instruction*> same_;
  std::unordered_set<const Instruction*> gone_;
};

}  // namespace

void Simplify(Draft& draft, PassReport& report) {
  Simplifier(draft, report).Run();
  if (report.changes.empty()) report.note = "No rule applies, and everything is used once.";
}

}  // namespace hlo
