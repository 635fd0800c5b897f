#include "engine/rewrite/isolate.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/hlo/make_instruction.h"
#include "engine/hlo/module_copy.h"
#include "engine/hlo/printer.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

/// Instructions of one computation, in its order.
struct InOrder {
  bool operator()(const Instruction* a, const Instruction* b) const {
    return a->index() < b->index();
  }
};
using Selection = std::set<const Instruction*, InOrder>;

// Whether an instruction waits for what its operand started.
bool Ends(const Instruction& instruction) {
  if (instruction.def().buffers == ResultBuffers::kStarted) return true;
  return instruction.operand_count() > 0 &&
         instruction.operand(0)->def().done == instruction.opcode();
}

// With what ends operations that were asked for: half of one is no program.
Selection WithEnds(Selection wanted) {
  for (const Instruction& each : (*wanted.begin())->parent()->instructions()) {
    if (Ends(each) && wanted.count(each.operand(0)) > 0) wanted.insert(&each);
  }
  return wanted;
}

// What the selected instructions cannot do without.
Selection Completed(std::vector<const Instruction*> open, IsolateExtent extent) {
  Selection selected(open.begin(), open.end());
  while (!open.empty()) {
    const Instruction* instruction = open.back();
    open.pop_back();
    if (extent == IsolateExtent::kPart && !Ends(*instruction)) continue;
    for (const Instruction* operand : instruction->operands()) {
      if (selected.insert(operand).second) open.push_back(operand);
    }
  }
  return selected;
}

class Isolation {
 public:
  Isolation(const Computation& computation, Selection wanted, Selection selected)
      : from_(computation),
        wanted_(std::move(wanted)),
        selected_(std::move(selected)),
        editor_(&module_),
        copier_(editor_),
        entry_(editor_.NewDetached(editor_.Intern(computation.name()))) {}

  Isolated Run() {
    editor_.SetName(editor_.Intern(from_.name()));
    editor_.stack_frames() = from_.parent()->stack_frames();
    for (const Attr& attr : from_.parent()->attrs()) {
      if (attr.def->name == "replica_count" || attr.def->name == "num_partitions") {
        editor_.module_attrs().push_back(attr);
      }
    }
    for (const Instruction* instruction : selected_) Add(*instruction);
    AddResult();
    editor_.SetEntry(editor_.Attach(std::move(entry_)));
    isolated_.text = PrintModule(module_);
    return std::move(isolated_);
  }

 private:
  void Add(const Instruction& instruction) {
    if (instruction.opcode() == Opcode::kParameter) return AddInput(instruction);
    for (const Instruction* operand : instruction.operands()) {
      if (!copier_.CopyOf(*operand)) AddInput(*operand);
    }
    Instruction* copy = copier_.Copy(instruction, entry_.get());
    // Positions in the computation are other ones now.
    AttrList& attrs = editor_.attrs(copy);
    attrs.erase(
        std::remove_if(attrs.begin(), attrs.end(),
                       [](const Attr& attr) { return attr.def->kind == AttrKind::kInstructions; }),
        attrs.end());
  }

  void AddInput(const Instruction& stands_for) {
    const auto number = static_cast<int64_t>(isolated_.parameters.size());
    Instruction* parameter = AddParameter(editor_, entry_.get(), editor_.Intern(stands_for.name()),
                                          number, stands_for.shape());
    editor_.SetParameter(entry_.get(), number, parameter);
    copier_.Replace(stands_for, parameter);
    isolated_.parameters.push_back(&stands_for);
  }

  // Of what was asked for: what is used outside of the selection, or by nothing.
  std::vector<Instruction*> Results() const {
    std::set<const Instruction*> used, used_outside;
    for (const Instruction& user : from_.instructions()) {
      for (const Instruction* operand : user.operands()) {
        (selected_.count(&user) > 0 ? used : used_outside).insert(operand);
      }
    }
    std::vector<Instruction*> results;
    for (const Instruction* instruction : wanted_) {
      const bool is_result = used_outside.count(instruction) > 0 || instruction->is_root() ||
                             used.count(instruction) == 0;
      if (is_result) results.push_back(copier_.CopyOf(*instruction));
    }
    return results;
  }

  void AddResult() {
    const std::vector<Instruction*> results = Results();
    if (results.size() == 1) return editor_.SetRoot(entry_.get(), results[0]);
    Diagnostics faults;  // a tuple has none
    editor_.SetRoot(
        entry_.get(),
        MakeInstruction(editor_, entry_.get(), {Opcode::kTuple, "results", results, {}}, faults));
  }

  const Computation& from_;
  const Selection wanted_;
  const Selection selected_;  ///< and what comes along
  Module module_;
  ModuleEditor editor_;
  ModuleCopier copier_;
  std::unique_ptr<Computation> entry_;
  Isolated isolated_;
};

}  // namespace

Isolated Isolate(const std::vector<const Instruction*>& instructions, IsolateExtent extent) {
  if (instructions.empty()) return {};
  const Computation& computation = *instructions[0]->parent();
  Selection wanted = WithEnds(Selection(instructions.begin(), instructions.end()));
  Selection selected = Completed({wanted.begin(), wanted.end()}, extent);
  return Isolation(computation, std::move(wanted), std::move(selected)).Run();
}

}  // namespace hlo
