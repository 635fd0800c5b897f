#include "engine/passes/draft.h"

#include <algorithm>
#include <utility>

#include "engine/hlo/call_graph.h"
#include "engine/hlo/make_instruction.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

// Copies a module computation by computation, each after those that it calls.
class OrderedCopy {
 public:
  OrderedCopy(const Module& from, const std::vector<std::vector<Instruction*>>& orders)
      : from_(from),
        orders_(orders),
        made_(from.computations().size(), nullptr),
        module_(std::make_unique<Module>()),
        editor_(module_.get()) {}

  std::unique_ptr<Module> Run(bool used_only) {
    editor_.SetName(editor_.Intern(from_.name()));
    editor_.stack_frames() = from_.stack_frames();
    editor_.module_attrs() = from_.attrs();
    std::vector<bool> used(made_.size(), !used_only);
    if (used_only) MarkUsed(used);
    for (const Computation& computation : from_.computations()) {
      if (used[static_cast<size_t>(computation.index())]) Visit(computation);
    }
    editor_.SetEntry(made_[static_cast<size_t>(from_.entry()->index())]);
    return std::move(module_);
  }

 private:
  const std::vector<Instruction*>& OrderOf(const Computation& computation) const {
    return orders_[static_cast<size_t>(computation.index())];
  }

  void MarkUsed(std::vector<bool>& used) const {
    std::vector<const Computation*> open = {from_.entry()};
    used[static_cast<size_t>(from_.entry()->index())] = true;
    while (!open.empty()) {
      const Computation* computation = open.back();
      open.pop_back();
      for (const Instruction* instruction : OrderOf(*computation)) {
        ForEachCallee(*instruction, [&](const Attr&, const Computation& callee) {
          if (used[static_cast<size_t>(callee.index())]) return;
          used[static_cast<size_t>(callee.index())] = true;
          open.push_back(&callee);
        });
      }
    }
  }

  // Depth first without recursion: programs may nest as deep as they are long.
  void Visit(const Computation& computation) {
    std::vector<const Computation*> open = {&computation};
    while (!open.empty()) {
      const Computation* next = open.back();
      const size_t depth = open.size();
      if (!made_[static_cast<size_t>(next->index())]) {
        for (const Instruction* instruction : OrderOf(*next)) {
          ForEachCallee(*instruction, [&](const Attr&, const Computation& callee) {
            if (!made_[static_cast<size_t>(callee.index())]) open.push_back(&callee);
          });
        }
        // Callees in the order of the text.
        std::reverse(open.begin() + static_cast<std::ptrdiff_t>(depth), open.end());
      }
      if (open.size() > depth) continue;
      if (!made_[static_cast<size_t>(next->index())]) CopyBody(*next);
      open.pop_back();
    }
  }

  void CopyBody(const Computation& original) {
    Computation* to = editor_.AddComputation(editor_.Intern(original.name()));
    editor_.SetExecutionThread(to, editor_.Intern(original.execution_thread()));
    Copies copies(original.instructions().size(), nullptr);
    for (const Instruction* instruction : OrderOf(original)) {
      CopyOf(*instruction, copies) = CopyOne(*instruction, to, copies);
    }
    for (const Instruction* instruction : OrderOf(original)) {
      MapPositions(editor_.attrs(CopyOf(*instruction, copies)), copies);
    }
    for (size_t i = 0; i < original.parameters().size(); ++i) {
      editor_.SetParameter(to, static_cast<int64_t>(i), CopyOf(*original.parameters()[i], copies));
    }
    editor_.SetRoot(to, CopyOf(*original.root(), copies));
    made_[static_cast<size_t>(original.index())] = to;
  }

  // By number of the original in its computation. (A table of hashes would be most of the time of
  // copying a long one.)
  using Copies = std::vector<Instruction*>;
  static Instruction*& CopyOf(const Instruction& original, Copies& copies) {
    return copies[static_cast<size_t>(original.index())];
  }

  Instruction* CopyOne(const Instruction& original, Computation* to, Copies& copies) {
    SmallVector<Instruction*, 4> operands;
    for (const Instruction* operand : original.operands()) {
      operands.push_back(CopyOf(*operand, copies));
    }
    AttrList attrs = original.attrs();
    for (Attr& attr : attrs) {
      ForEachRegion(attr.value, [&](const Region*& region) {
        if (region) region = made_[static_cast<size_t>(AsComputation(region)->index())];
      });
    }
    return AddKnown(editor_, to,
                    {original.opcode(), editor_.Intern(original.name()), operands, std::move(attrs),
                     original.shape()});
  }

  // Control predecessors are positions in the computation, which are other ones now.
  static void MapPositions(AttrList& attrs, const Copies& copies) {
    for (Attr& attr : attrs) {
      if (attr.def->kind != AttrKind::kInstructions) continue;
      std::vector<uint32_t> mapped;
      for (const uint32_t position : std::get<std::vector<uint32_t>>(attr.value)) {
        const Instruction* copy = copies[position];
        if (copy) mapped.push_back(static_cast<uint32_t>(copy->index()));
      }
      attr.value = std::move(mapped);
    }
  }

  const Module& from_;
  const std::vector<std::vector<Instruction*>>& orders_;
  std::vector<Computation*> made_;  ///< by index of the original
  std::unique_ptr<Module> module_;
  ModuleEditor editor_;
};

// Whether an op waits for what another one started.
bool IsDone(Opcode opcode) {
  static const std::vector<bool> ends = [] {
    std::vector<bool> is_done(kOpcodeCount, false);
    for (size_t i = 0; i < kOpcodeCount; ++i) {
      const auto done = GetOpDef(static_cast<Opcode>(i)).done;
      if (done) is_done[static_cast<size_t>(*done)] = true;
    }
    return is_done;
  }();
  return ends[static_cast<size_t>(opcode)];
}

std::vector<std::vector<Instruction*>> OrdersOf(ModuleEditor editor) {
  std::vector<std::vector<Instruction*>> orders;
  for (Computation& computation : editor.computations()) {
    std::vector<Instruction*>& order = orders.emplace_back();
    for (Instruction& instruction : editor.instructions(&computation)) {
      order.push_back(&instruction);
    }
  }
  return orders;
}

}  // namespace

std::unique_ptr<Module> CopyInOrder(const Module& module,
                                    const std::vector<std::vector<Instruction*>>& orders,
                                    bool used_only) {
  return OrderedCopy(module, orders).Run(used_only);
}

Draft::Draft(const Module& module)
    // Reading the orders through an editor changes nothing.
    : module_(CopyInOrder(module, OrdersOf(ModuleEditor(const_cast<Module*>(&module))), false)),
      editor_(module_.get()),
      orders_(OrdersOf(editor_)),
      kinds_(KindsOf(*module_)),
      effects_(orders_.size(), -1) {
  for (const Computation& computation : module_->computations()) {
    for (const Instruction& instruction : computation.instructions()) {
      for (const Attr& attr : instruction.attrs()) {
        if (attr.def->kind != AttrKind::kInstructions) continue;
        controlled_.insert(&instruction);
        for (const uint32_t position : std::get<std::vector<uint32_t>>(attr.value)) {
          controlled_.insert(&computation.instructions()[position]);
        }
      }
    }
  }
}

std::vector<BodyKind> KindsOf(const Module& module) {
  std::vector<BodyKind> kinds(module.computations().size(), BodyKind::kUnused);
  kinds[static_cast<size_t>(module.entry()->index())] = BodyKind::kProgram;
  // Callers come after what they call.
  for (size_t c = kinds.size(); c-- > 0;) {
    for (const Instruction& instruction : module.computations()[c].instructions()) {
      const bool runs = instruction.opcode() == Opcode::kCall ||
                        instruction.opcode() == Opcode::kWhile ||
                        instruction.opcode() == Opcode::kConditional;
      BodyKind kind = runs && kinds[c] == BodyKind::kProgram ? BodyKind::kProgram
                      : instruction.opcode() == Opcode::kFusion && kinds[c] != BodyKind::kApplied
                          ? BodyKind::kFusion
                          : BodyKind::kApplied;
      if (kinds[c] == BodyKind::kUnused) kind = BodyKind::kApplied;
      ForEachCallee(instruction, [&](const Attr&, const Computation& callee) {
        BodyKind& known = kinds[static_cast<size_t>(callee.index())];
        known = known == BodyKind::kUnused || known == kind ? kind : BodyKind::kApplied;
      });
    }
  }
  return kinds;
}

bool IsInOrder(const Module& module) {
  for (const Computation& computation : module.computations()) {
    for (const Instruction& instruction : computation.instructions()) {
      bool below = true;
      ForEachCallee(instruction, [&](const Attr&, const Computation& callee) {
        below = below && callee.index() < computation.index();
      });
      if (!below) return false;
    }
  }
  return true;
}

std::vector<Computation*> Draft::Computations() {
  std::vector<Computation*> all;
  for (Computation& computation : editor_.computations()) all.push_back(&computation);
  return all;
}

BodyKind Draft::KindOf(const Computation& computation) const {
  const auto c = static_cast<size_t>(computation.index());
  return c < kinds_.size() ? kinds_[c] : BodyKind::kFusion;
}

bool Draft::HasEffects(const Computation& computation) {
  const auto c = static_cast<size_t>(computation.index());
  if (c >= effects_.size()) return false;  // made by a pass, of what has none
  if (effects_[c] >= 0) return effects_[c] > 0;
  effects_[c] = 0;
  bool has = false;
  for (const Instruction& instruction : computation.instructions()) {
    has = has || (instruction.opcode() != Opcode::kParameter && IsPinned(instruction));
  }
  effects_[c] = has ? 1 : 0;
  return has;
}

bool Draft::IsPinned(const Instruction& instruction) {
  const OpDef& def = instruction.def();
  if (instruction.opcode() == Opcode::kParameter || HasControl(instruction)) return true;
  if (def.varies || def.is_drawn || def.is_collective || def.done || IsDone(instruction.opcode()) ||
      def.buffers == ResultBuffers::kStarted || def.has_effect) {
    return true;
  }
  switch (instruction.opcode()) {
    case Opcode::kAsyncStart:
    case Opcode::kAsyncUpdate:
    case Opcode::kAsyncDone:
    case Opcode::kAddDependency:
    case Opcode::kAfterAll:
    case Opcode::kDomain:
    case Opcode::kOptBarrier:
    case Opcode::kCustomCall:
      return true;
    default:
      break;
  }
  bool has = false;
  ForEachCallee(instruction,
                [&](const Attr&, const Computation& callee) { has = has || HasEffects(callee); });
  return has;
}

// Most passes of most programs make nothing: then names need not be known.
void Draft::KnowNames() {
  if (names_known_) return;
  names_known_ = true;
  std::string unique;
  for (const Computation& computation : module_->computations()) {
    computation_names_.Take(computation.name(), &unique);
    for (const Instruction& instruction : computation.instructions()) {
      names_.Take(instruction.name(), &unique);
    }
  }
}

Instruction* Draft::Add(Computation* computation, std::string_view name, Opcode opcode,
                        std::vector<Instruction*> operands, AttrList attrs, Shape shape) {
  KnowNames();
  std::string unique;
  std::string_view interned = editor_.Intern(name);
  if (!names_.Take(interned, &unique)) interned = editor_.Intern(unique);
  return AddKnown(editor_, computation,
                  {opcode, interned, operands, std::move(attrs), std::move(shape)});
}

Computation* Draft::AddComputation(std::string_view name) {
  KnowNames();
  std::string unique;
  std::string_view interned = editor_.Intern(name);
  if (!computation_names_.Take(interned, &unique)) interned = editor_.Intern(unique);
  Computation* made = editor_.AddComputation(interned);
  orders_.emplace_back();
  return made;
}

int64_t Draft::Size() const {
  int64_t size = 0;
  for (const auto& order : orders_) size += static_cast<int64_t>(order.size());
  return size;
}

std::unique_ptr<Module> Draft::Finish() { return CopyInOrder(*module_, orders_, true); }

}  // namespace hlo
