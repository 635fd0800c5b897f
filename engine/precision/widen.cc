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
#include "engine/types/convert.h"
#include "engine/types/literal.h"

namespace hlo {
namespace {

bool HasNarrowFloats(const Shape& shape, ElementType wide) {
  bool has = false;
  ForEachArray(shape, [&](const Shape& array) {
    has = has || WidenedType(array.element_type(), wide) != array.element_type();
  });
  return has;
}

bool TouchesNarrowFloats(const Instruction& instruction, ElementType wide) {
  return HasNarrowFloats(instruction.shape(), wide) ||
         std::any_of(instruction.operands().begin(), instruction.operands().end(),
                     [&](const Instruction* each) { return HasNarrowFloats(each->shape(), wide); });
}

// Targets that hand on what they are given, whatever its type is.
constexpr std::string_view kTargetsOfAnyType[] = {
    "AllocateBuffer",
    "CreateBuffer",
    "HostExecute",
    "LayoutConstraint",
    "MoveToDevice",
    "MoveToHost",
    "NopReturnToken",
    "PadToStatic",
    "Pin",
    "PinToDevice",
    "PinToDeviceSram",
    "SPMDFullToShardShape",
    "SPMDShardToFullShape",
    "ShardBarrierFrom",
    "ShardBarrierTo",
    "Sharding",
    "SliceToDynamic",
    "Unpin",
    "__xla_internal_call_marker_after",
    "__xla_internal_call_marker_before",
    "annotate_device_placement",
    "xla.sdy.GlobalToLocalShape",
    "xla.sdy.LocalToGlobalShape",
};

// How an instruction is written in wider numbers.
enum class Treatment : uint8_t {
  kWiden,     // on wider types
  kNarrow,    // as it is, between conversions
  kIdentity,  // as its first operand: it only rounds
};

class Widener {
 public:
  Widener(const Module& module, ElementType wide, const CustomCallTargets* targets)
      : module_(module),
        wide_(wide),
        targets_(targets),
        editor_((made_.module = std::make_unique<Module>()).get()),
        narrow_computations_(editor_) {}

  WidenedModule Make() {
    editor_.SetName(editor_.Intern(module_.name()));
    for (const Attr& attr : module_.attrs()) {
      // Aliases are between buffers whose sizes need not agree any more.
      if (attr.def->kind == AttrKind::kAliases || attr.def->kind == AttrKind::kDonors) continue;
      editor_.module_attrs().push_back(attr);
      WidenShapes(&editor_.module_attrs().back().value);
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
      editor_.SetName(computation, editor_.Intern(FreeName(computation->name())));
    }
    editor_.SetEntry(computations_[module_.entry()]);
    return std::move(made_);
  }

 private:
  int64_t NumberOf(const Instruction& original) const {
    return first_numbers_.at(original.parent()) + original.index();
  }

  std::string FreeName(std::string_view name) const {
    std::string free = fmt::format("{}.narrow", name);
    while (module_.FindComputation(free)) free += "_";
    return free;
  }

  Treatment TreatmentOf(const Instruction& instruction) const {
    if (!TouchesNarrowFloats(instruction, wide_)) return Treatment::kWiden;
    const bool is_host =
        instruction.attrs().Has("is_host_transfer") && instruction.attrs().Bool("is_host_transfer");
    switch (instruction.opcode()) {
      case Opcode::kReducePrecision:
        return Treatment::kIdentity;
      case Opcode::kStochasticConvert:
        return IsFloat(instruction.shape().element_type()) ? Treatment::kIdentity
                                                           : Treatment::kNarrow;
      case Opcode::kBitcastConvert:
      case Opcode::kRng:
      case Opcode::kInfeed:
        return Treatment::kNarrow;
      case Opcode::kRecv:
      case Opcode::kRecvDone:
        return is_host ? Treatment::kNarrow : Treatment::kWiden;
      case Opcode::kBitcast:  // between shapes of one type it only moves elements
        return instruction.shape().element_type() == instruction.operand(0)->shape().element_type()
                   ? Treatment::kWiden
                   : Treatment::kNarrow;
      case Opcode::kConstant: {
        // What it is filled with follows from its type.
        const ShapedLiteral* literal = instruction.attrs().GetLiteral("literal");
        return literal && literal->literal.elided ? Treatment::kNarrow : Treatment::kWiden;
      }
      case Opcode::kCustomCall:
        return TakesAnyFloat(instruction) ? Treatment::kWiden : Treatment::kNarrow;
      default:
        return Treatment::kWiden;
    }
  }

  bool TakesAnyFloat(const Instruction& instruction) const {
    const std::string& name = instruction.attrs().String("custom_call_target");
    const auto* end = std::end(kTargetsOfAnyType);
    if (std::find(std::begin(kTargetsOfAnyType), end, name) != end) return true;
    if (name.starts_with("xla_builder.")) return true;
    // The next number depends on how many there are.
    if (!targets_ || name.find("next_after") != std::string::npos) return false;
    const CustomCallTarget* target = targets_->Find(instruction.Call());
    if (!target || !target->loop || !instruction.shape().IsArray()) return false;
    const ElementType type = WidenedType(instruction.shape().element_type(), wide_);
    return target->loop(type).run != nullptr;
  }

  void WidenShapes(AttrValue* value) const {
    if (auto* shape = std::get_if<Shape>(value)) *shape = WidenedShape(*shape, wide_);
    if (auto* shapes = std::get_if<std::vector<Shape>>(value)) {
      for (Shape& shape : *shapes) shape = WidenedShape(shape, wide_);
    }
    if (auto* program = std::get_if<ProgramShape>(value)) {
      for (Shape& shape : program->parameters) shape = WidenedShape(shape, wide_);
      program->result = WidenedShape(program->result, wide_);
    }
    if (auto* literal = std::get_if<std::shared_ptr<const ShapedLiteral>>(value)) {
      if (!*literal || !HasNarrowFloats((*literal)->shape, wide_)) return;
      auto widened = std::make_shared<ShapedLiteral>(**literal);
      widened->shape = WidenedShape((*literal)->shape, wide_);
      widened->literal.value = WidenedValue((*literal)->literal.value, wide_, nullptr);
      *literal = std::move(widened);
    }
  }

  void MakeComputation(const Computation& original) {
    // What runs on narrow types as before calls computations as they were; callees come first.
    for (const Instruction& instruction : original.instructions()) {
      if (TreatmentOf(instruction) == Treatment::kNarrow) CopyCallees(instruction);
    }
    to_ = editor_.AddComputation(editor_.Intern(original.name()));
    original_ = &original;
    computations_[&original] = to_;
    editor_.SetExecutionThread(to_, editor_.Intern(original.execution_thread()));
    for (const Instruction& instruction : original.instructions()) Make(instruction);
    for (size_t i = 0; i < original.parameters().size(); ++i) {
      editor_.SetParameter(to_, static_cast<int64_t>(i), wide_of_[original.parameters()[i]]);
    }
    editor_.SetRoot(to_, wide_of_[original.root()]);
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

  // Attributes that name instructions by their places.
  void RenumberAttrs(const Instruction& instruction) {
    for (Attr& attr : editor_.attrs(main_of_[&instruction])) {
      auto* numbers = std::get_if<std::vector<uint32_t>>(&attr.value);
      if (!numbers || attr.def->kind != AttrKind::kInstructions) continue;
      for (uint32_t& number : *numbers) {
        const Instruction& named = instruction.parent()->instructions()[number];
        number = static_cast<uint32_t>(wide_of_[&named]->index());
      }
    }
  }

  void Make(const Instruction& original) {
    switch (TreatmentOf(original)) {
      case Treatment::kWiden: {
        std::vector<Instruction*> operands;
        for (const Instruction* each : original.operands()) operands.push_back(wide_of_[each]);
        AttrList attrs = original.attrs();
        for (Attr& attr : attrs) {
          WidenShapes(&attr.value);
          ForEachRegion(attr.value, [&](const Region*& region) {
            if (region) region = computations_[AsComputation(region)];
          });
        }
        Enter(original, Add(original.opcode(), std::string(original.name()), operands,
                            std::move(attrs), WidenedShape(original.shape(), wide_)));
        main_of_[&original] = wide_of_[&original];
        return;
      }
      case Treatment::kIdentity:
        Enter(original,
              Convert(wide_of_[original.operand(0)], WidenedShape(original.shape(), wide_),
                      std::string(original.name())));
        main_of_[&original] = wide_of_[&original];
        return;
      case Treatment::kNarrow:
        return MakeNarrow(original);
    }
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
        original.opcode() != Opcode::kRecv && HasNarrowFloats(original.shape(), wide_);
    const std::string name(original.name());
    Instruction* narrow = Add(original.opcode(), converts ? Free(name, "narrow") : name, operands,
                              std::move(attrs), original.shape());
    main_of_[&original] = narrow;
    made_.numbers[narrow] = NumberOf(original);
    narrow_of_[&original] = narrow;
    Enter(original,
          converts ? Convert(narrow, WidenedShape(original.shape(), wide_), name) : narrow);
  }

  // The value in the types of the original.
  Instruction* NarrowOf(const Instruction& original) {
    Instruction*& narrow = narrow_of_[&original];
    if (!narrow) {
      Instruction* wide = wide_of_[&original];
      narrow = HasNarrowFloats(original.shape(), wide_)
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
    wide_of_[&original] = made;
    made_.originals[made] = &original;
    made_.numbers[made] = NumberOf(original);
  }

  const Module& module_;
  const ElementType wide_;
  const CustomCallTargets* targets_;
  WidenedModule made_;
  ModuleEditor editor_;
  ModuleCopier narrow_computations_;
  std::vector<Computation*> narrow_;
  std::unordered_map<const Computation*, Computation*> computations_;
  std::unordered_map<const Computation*, int64_t> first_numbers_;
  // Of the originals: their values in wider and in their own types, and what has their attributes.
  std::unordered_map<const Instruction*, Instruction*> wide_of_, narrow_of_, main_of_;
  const Computation* original_ = nullptr;
  Computation* to_ = nullptr;
};

}  // namespace

ElementType WidenedType(ElementType type, ElementType wide) {
  if (type == ElementType::kC64 && wide == ElementType::kF64) return ElementType::kC128;
  if (!IsFloat(type) || type == ElementType::kF64) return type;
  return wide;
}

Shape WidenedShape(const Shape& shape, ElementType wide) {
  if (!HasNarrowFloats(shape, wide)) return shape;
  if (shape.IsTuple()) {
    std::vector<Shape> elements;
    for (const Shape& element : shape.elements()) elements.push_back(WidenedShape(element, wide));
    return Shape::Tuple(std::move(elements));
  }
  Shape widened = shape;
  widened.set_element_type(WidenedType(shape.element_type(), wide));
  // Elements of another size are not packed as the narrow ones were.
  if (shape.layout().extras().element_bits != 0) {
    LayoutExtras extras = shape.layout().extras();
    extras.element_bits = 0;
    widened.set_layout(Layout(shape.layout().minor_to_major(), std::move(extras)));
  }
  return widened;
}

Value WidenedValue(const Value& value, ElementType wide, Budget* budget) {
  if (value.is_tuple()) {
    Value::Elements elements;
    for (const Value& each : value.elements()) {
      elements.push_back(WidenedValue(each, wide, budget));
    }
    return Value::Tuple(std::move(elements));
  }
  if (!value.is_array() || !value.tensor()) return value;
  const Tensor& tensor = value.tensor();
  const ElementType to = WidenedType(tensor.element_type(), wide);
  if (to == tensor.element_type()) return value;
  Tensor widened(to, tensor.dims(), budget);
  ConvertElements(tensor.element_type(), tensor.bytes(), to, widened.mutable_bytes(),
                  tensor.element_count());
  widened.set_dynamic_sizes(tensor.dynamic_sizes());
  return widened;
}

WidenedModule Widen(const Module& module, ElementType wide, const CustomCallTargets* targets) {
  return Widener(module, wide, targets).Make();
}

}  // namespace hlo
