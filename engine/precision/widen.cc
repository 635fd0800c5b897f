#include "engine/precision/widen.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/hlo/call_graph.h"
#include "engine/hlo/make_instruction.h"
#include "engine/hlo/module_copy.h"
#include "engine/ops/op_def.h"
#include "engine/precision/treatment.h"
#include "engine/types/literal.h"

namespace hlo {
namespace {

class Widener {
 public:
  Widener(const Module& module, const Widening& widening, const CustomCallTargets* targets)
      : module_(module),
        targets_(targets),
        program_{.wide = widening.floats, .sums_in_f64 = widening.sums_in_f64},
        sums_{.wide = ElementType::kF64},
        editor_((made_.module = std::make_unique<Module>()).get()),
        narrow_computations_(editor_) {}

  WidenedModule Make() {
    editor_.SetName(editor_.Intern(module_.name()));
    for (const Attr& attr : module_.attrs()) {
      // Aliases are between buffers whose sizes need not agree any more.
      if (attr.def->kind == AttrKind::kAliases || attr.def->kind == AttrKind::kDonors) continue;
      editor_.module_attrs().push_back(attr);
      WidenShapes(&editor_.module_attrs().back().value, program_.wide);
    }
    int64_t number = 0;
    for (const Computation& computation : module_.computations()) {
      first_numbers_[&computation] = number;
      number += static_cast<int64_t>(computation.instructions().size());
    }
    for (const Computation& computation : module_.computations()) MakeComputation(computation);
    for (const auto& [original, copy] : narrow_computations_.instructions()) {
      made_.numbers[copy] = NumberOf(*original);
    }
    for (Computation* computation : narrow_) {
      editor_.SetName(computation, editor_.Intern(FreeName(computation->name(), "narrow")));
    }
    editor_.SetEntry(program_.computations[module_.entry()]);
    return std::move(made_);
  }

 private:
  int64_t NumberOf(const Instruction& original) const {
    return first_numbers_.at(original.parent()) + original.index();
  }

  // What is made of the module's instructions in one way.
  struct Version {
    WideFloat wide;
    bool sums_in_f64 = false;
    std::unordered_map<const Computation*, Computation*> computations = {};
    // Of the originals: their values in wider and in their own types, those that sums take, and
    // what has their attributes.
    std::unordered_map<const Instruction*, Instruction*> wide_of = {}, narrow_of = {}, summed = {},
                                                         main_of = {};
  };

  std::string FreeName(std::string_view name, std::string_view what) const {
    std::string free = fmt::format("{}.{}", name, what);
    while (module_.FindComputation(free)) free += "_";
    return free;
  }

  Treatment TreatmentOf(const Instruction& instruction) const {
    return hlo::TreatmentOf(instruction, at_->wide, at_->sums_in_f64, targets_);
  }

  static void WidenShapes(AttrValue* value, WideFloat wide) {
    if (auto* shape = std::get_if<Shape>(value)) *shape = WidenedShape(*shape, wide);
    if (auto* shapes = std::get_if<std::vector<Shape>>(value)) {
      for (Shape& shape : *shapes) shape = WidenedShape(shape, wide);
    }
    if (auto* program = std::get_if<ProgramShape>(value)) {
      for (Shape& shape : program->parameters) shape = WidenedShape(shape, wide);
      program->result = WidenedShape(program->result, wide);
    }
    if (auto* literal = std::get_if<std::shared_ptr<const ShapedLiteral>>(value)) {
      if (!*literal || !HasNarrowFloats((*literal)->shape, wide)) return;
      auto widened = std::make_shared<ShapedLiteral>(**literal);
      widened->shape = WidenedShape((*literal)->shape, wide);
      widened->literal.value = WidenedValue((*literal)->literal.value, wide, nullptr);
      *literal = std::move(widened);
    }
  }

  void MakeComputation(const Computation& original) {
    // What runs on narrow types as before calls computations as they were; callees come first.
    for (const Instruction& instruction : original.instructions()) {
      const Treatment treatment = TreatmentOf(instruction);
      if (treatment == Treatment::kNarrow) CopyCallees(instruction);
      if (treatment == Treatment::kSum) MakeSummingCallees(instruction);
    }
    const bool is_sum = at_ == &sums_;
    to_ = editor_.AddComputation(editor_.Intern(is_sum ? FreeName(original.name(), "in-f64")
                                                       : std::string(original.name())));
    original_ = &original;
    at_->computations[&original] = to_;
    editor_.SetExecutionThread(to_, editor_.Intern(original.execution_thread()));
    for (const Instruction& instruction : original.instructions()) Make(instruction);
    for (size_t i = 0; i < original.parameters().size(); ++i) {
      editor_.SetParameter(to_, static_cast<int64_t>(i), at_->wide_of[original.parameters()[i]]);
    }
    editor_.SetRoot(to_, at_->wide_of[original.root()]);
    for (const Instruction& instruction : original.instructions()) RenumberAttrs(instruction);
  }

  void CopyCallees(const Instruction& instruction) {
    const size_t before = made_.module->computations().size();
    ForEachCallee(instruction, [&](const Attr&, const Computation& callee) {
      narrow_computations_.Copy(callee);
    });
    std::deque<Computation>& all = editor_.computations();
    for (size_t i = before; i < all.size(); ++i) narrow_.push_back(&all[i]);
  }

  // The same computations in f64.
  void MakeSummingCallees(const Instruction& instruction) {
    Version* const before = std::exchange(at_, &sums_);
    ForEachCallee(instruction, [&](const Attr&, const Computation& callee) { MakeInF64(callee); });
    at_ = before;
  }
  void MakeInF64(const Computation& original) {
    if (sums_.computations.contains(&original)) return;
    for (const Instruction& instruction : original.instructions()) {
      ForEachCallee(instruction,
                    [&](const Attr&, const Computation& callee) { MakeInF64(callee); });
    }
    MakeComputation(original);
  }

  // Attributes that name instructions by their places.
  void RenumberAttrs(const Instruction& instruction) {
    for (Attr& attr : editor_.attrs(at_->main_of[&instruction])) {
      auto* numbers = std::get_if<std::vector<uint32_t>>(&attr.value);
      if (!numbers || attr.def->kind != AttrKind::kInstructions) continue;
      for (uint32_t& number : *numbers) {
        const Instruction& named = instruction.parent()->instructions()[number];
        number = static_cast<uint32_t>(at_->wide_of[&named]->index());
      }
    }
  }

  void Make(const Instruction& original) {
    switch (TreatmentOf(original)) {
      case Treatment::kWiden:
        Enter(original, MakeIn(*at_, original, std::string(original.name())));
        at_->main_of[&original] = at_->wide_of[&original];
        return;
      case Treatment::kSum:
        return MakeSum(original);
      case Treatment::kIdentity:
        Enter(original,
              Convert(at_->wide_of[original.operand(0)], WidenedShape(original.shape(), at_->wide),
                      std::string(original.name())));
        at_->main_of[&original] = at_->wide_of[&original];
        return;
      case Treatment::kNarrow:
        return MakeNarrow(original);
    }
  }

  // The instruction with computations of this version, on operands and with a result of its types.
  Instruction* MakeIn(Version& version, const Instruction& original, const std::string& name) {
    std::vector<Instruction*> operands;
    for (const Instruction* each : original.operands()) {
      operands.push_back(&version == at_ ? at_->wide_of[each] : SummedOf(*each));
    }
    AttrList attrs = original.attrs();
    for (Attr& attr : attrs) {
      WidenShapes(&attr.value, version.wide);
      ForEachRegion(attr.value, [&](const Region*& region) {
        if (region) region = version.computations[AsComputation(region)];
      });
    }
    return Add(original.opcode(), name, operands, std::move(attrs),
               WidenedShape(original.shape(), version.wide));
  }

  void MakeSum(const Instruction& original) {
    const std::string name(original.name());
    const Shape shape = WidenedShape(original.shape(), at_->wide);
    const bool rounds = HasNarrowFloats(shape, ElementType::kF64);
    Instruction* const sum = MakeIn(sums_, original, rounds ? Free(name, "sum") : name);
    at_->main_of[&original] = sum;
    made_.numbers[sum] = NumberOf(original);
    Enter(original, rounds ? Convert(sum, shape, name) : sum);
  }

  // The value in f64.
  Instruction* SummedOf(const Instruction& original) {
    Instruction*& summed = at_->summed[&original];
    if (!summed) {
      Instruction* const wide = at_->wide_of[&original];
      const Shape shape = WidenedShape(original.shape(), ElementType::kF64);
      summed = HasNarrowFloats(wide->shape(), ElementType::kF64)
                   ? Convert(wide, shape, Free(original.name(), "in-f64"))
                   : wide;
    }
    return summed;
  }

  void MakeNarrow(const Instruction& original) {
    std::vector<Instruction*> operands;
    for (const Instruction* each : original.operands()) operands.push_back(NarrowOf(*each));
    AttrList attrs = original.attrs();
    for (Attr& attr : attrs) {
      ForEachRegion(attr.value, [&](const Region*& region) {
        if (region) region = narrow_computations_.Copy(*AsComputation(region));
      });
    }
    // What a recv gives may be used by its recv-done alone, which runs on narrow types too.
    const bool converts =
        original.opcode() != Opcode::kRecv && HasNarrowFloats(original.shape(), at_->wide);
    const std::string name(original.name());
    Instruction* narrow = Add(original.opcode(), converts ? Free(name, "narrow") : name, operands,
                              std::move(attrs), original.shape());
    at_->main_of[&original] = narrow;
    made_.numbers[narrow] = NumberOf(original);
    at_->narrow_of[&original] = narrow;
    Enter(original,
          converts ? Convert(narrow, WidenedShape(original.shape(), at_->wide), name) : narrow);
  }

  // The value in the types of the original.
  Instruction* NarrowOf(const Instruction& original) {
    Instruction*& narrow = at_->narrow_of[&original];
    if (!narrow) {
      Instruction* wide = at_->wide_of[&original];
      narrow = HasNarrowFloats(original.shape(), at_->wide)
                   ? Convert(wide, original.shape(), Free(original.name(), "rounded"))
                   : wide;
    }
    return narrow;
  }

  // The value in the element types of another shape of the same structure, under this name.
  Instruction* Convert(Instruction* from, const Shape& to, const std::string& name) {
    if (!to.IsTuple()) {
      const bool same = from->shape().element_type() == to.element_type();
      return Add(same ? Opcode::kCopy : Opcode::kConvert, name, {from}, {}, to);
    }
    std::vector<Instruction*> parts;
    for (size_t i = 0; i < to.elements().size(); ++i) {
      AttrList attrs;
      attrs.push_back(
          {GetOpDef(Opcode::kGetTupleElement).attrs.data(), static_cast<int64_t>(i), {}, {}});
      const Shape& part = from->shape().elements()[i];
      parts.push_back(Add(Opcode::kGetTupleElement, Free(name, fmt::format("part{}", i)), {from},
                          std::move(attrs), part));
      if (part != to.elements()[i]) {
        parts.back() =
            Convert(parts.back(), to.elements()[i], Free(name, fmt::format("converted{}", i)));
      }
    }
    return Add(Opcode::kTuple, name, parts, {}, to);
  }

  std::string Free(std::string_view name, std::string_view what) {
    std::string free = fmt::format("{}.{}", name, what);
    while (original_->Find(free) || to_->Find(free)) free += "_";
    return free;
  }

  Instruction* Add(Opcode opcode, const std::string& name,
                   const std::vector<Instruction*>& operands, AttrList attrs, Shape shape) {
    return AddKnown(editor_, to_,
                    {opcode, editor_.Intern(name), operands, std::move(attrs), std::move(shape)});
  }

  void Enter(const Instruction& original, Instruction* made) {
    at_->wide_of[&original] = made;
    // What a sum applies to every element is not compared.
    if (at_ == &program_) made_.originals[made] = &original;
    made_.numbers[made] = NumberOf(original);
  }

  const Module& module_;
  const CustomCallTargets* targets_;
  Version program_, sums_;
  Version* at_ = &program_;
  WidenedModule made_;
  ModuleEditor editor_;
  ModuleCopier narrow_computations_;
  std::vector<Computation*> narrow_;
  std::unordered_map<const Computation*, int64_t> first_numbers_;
  const Computation* original_ = nullptr;
  Computation* to_ = nullptr;
};

}  // namespace

WidenedModule Widen(const Module& module, const Widening& widening,
                    const CustomCallTargets* targets) {
  return Widener(module, widening, targets).Make();
}

}  // namespace hlo
