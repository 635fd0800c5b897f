#include "engine/rewrite/isolate.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <utility>

#include "engine/hlo/make_instruction.h"
#include "engine/hlo/module_copy.h"
#include "engine/hlo/name_uniquer.h"
#include "engine/hlo/printer.h"
#include "engine/hlo/verifier.h"
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

// The start that an instruction waits for, or goes on from; null for others.
const Instruction* StartOf(const Instruction& instruction) {
  if (instruction.operand_count() == 0) return nullptr;
  const Instruction* operand = instruction.operand(0);
  const bool is_end = instruction.def().buffers == ResultBuffers::kStarted ||
                      operand->def().done == instruction.opcode();
  return is_end ? operand : nullptr;
}

bool HasBuffer(const Shape& shape) {
  if (!shape.IsTuple()) return shape.IsBuffer();
  return std::any_of(shape.elements().begin(), shape.elements().end(), HasBuffer);
}

// What the selected instructions cannot do without: what they need of their operands, and what ends
// the operations that are started among them.
Selection Completed(Selection selected, IsolateExtent extent) {
  std::unordered_map<const Instruction*, std::vector<const Instruction*>> ends;
  for (const Instruction& each : (*selected.begin())->parent()->instructions()) {
    if (const Instruction* start = StartOf(each)) ends[start].push_back(&each);
  }
  std::vector<const Instruction*> open(selected.begin(), selected.end());
  const auto add = [&](const Instruction* instruction) {
    if (selected.insert(instruction).second) open.push_back(instruction);
  };
  while (!open.empty()) {
    const Instruction* instruction = open.back();
    open.pop_back();
    const bool takes_all = extent == IsolateExtent::kSlice || StartOf(*instruction) != nullptr;
    for (const Instruction* operand : instruction->operands()) {
      // A program has no buffers as parameters.
      if (takes_all || HasBuffer(operand->shape())) add(operand);
    }
    if (const auto found = ends.find(instruction); found != ends.end()) {
      for (const Instruction* end : found->second) add(end);
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
    Diagnostics faults;
    VerifyModule(module_, faults);
    for (const Diagnostic& fault : faults.list()) {
      if (fault.severity != Severity::kError) continue;
      return {"", fmt::format("by themselves they are no valid program: {}", fault.message), {}};
    }
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

  static void TakeNames(const Computation& computation, NameUniquer* names) {
    std::string unique;
    for (const Instruction& each : computation.instructions()) names->Take(each.name(), &unique);
  }

  void AddResult() {
    const std::vector<Instruction*> results = Results();
    if (results.size() == 1) return editor_.SetRoot(entry_.get(), results[0]);
    NameUniquer names;
    std::string unique;
    for (const Computation& computation : module_.computations()) TakeNames(computation, &names);
    TakeNames(*entry_, &names);
    const std::string_view name =
        names.Take("results", &unique) ? "results" : editor_.Intern(unique);
    Diagnostics faults;  // a tuple has none
    editor_.SetRoot(entry_.get(), MakeInstruction(editor_, entry_.get(),
                                                  {Opcode::kTuple, name, results, {}}, faults));
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
  if (instructions.empty()) return {"", "there is no such instruction", {}};
  const Computation& computation = *instructions[0]->parent();
  Selection wanted(instructions.begin(), instructions.end());
  // Of an operation that was asked for, its end is what is wanted.
  for (const Instruction& each : computation.instructions()) {
    const Instruction* start = StartOf(each);
    if (start && wanted.count(start) > 0) wanted.insert(&each);
  }
  Selection selected = Completed(wanted, extent);
  return Isolation(computation, std::move(wanted), std::move(selected)).Run();
}

}  // namespace hlo
