// Tiles for every array, in the order of dimensions that it has.
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "engine/hlo/make_instruction.h"
#include "engine/layout/layout_advice.h"
#include "engine/ops/op_def.h"
#include "engine/passes/passes.h"

namespace hlo {
namespace {

class LayoutAssigner {
 public:
  LayoutAssigner(Draft& draft, PassReport& report) : draft_(draft), report_(report) {}

  void Run() {
    TakeEntryLayout();
    for (Computation* computation : draft_.Computations()) {
      const BodyKind kind = draft_.KindOf(*computation);
      if (kind != BodyKind::kProgram && kind != BodyKind::kFusion) continue;
      for (Instruction* instruction : draft_.Order(*computation)) Assign(instruction);
      if (kind == BodyKind::kProgram) AddCopies(computation);
    }
    TileEntryLayout();
  }

 private:
  // What the header says about parameters is how the program is called.
  void TakeEntryLayout() {
    const ProgramShape* header = Header();
    if (!header) return;
    const auto& parameters = draft_.module().entry()->parameters();
    for (size_t i = 0; i < parameters.size() && i < header->parameters.size(); ++i) {
      if (Shape::Compatible(parameters[i]->shape(), header->parameters[i]) &&
          parameters[i]->shape().IsArray()) {
        draft_.editor().SetShape(parameters[i], header->parameters[i]);
      }
    }
  }
  const ProgramShape* Header() {
    return draft_.module().attrs().GetProgramShape("entry_computation_layout");
  }

  // The shape with tiles wherever it has none; `rule`: by which rule.
  static Shape Tiled(const Shape& shape, std::string_view* rule) {
    if (shape.IsTuple()) {
      std::vector<Shape> elements;
      for (const Shape& element : shape.elements()) elements.push_back(Tiled(element, rule));
      return elements.empty() ? shape : Shape::Tuple(std::move(elements));
    }
    if (!shape.IsArray() || !shape.has_known_sizes() || shape.layout().has_extras()) return shape;
    const auto tiles =
        TpuConvention(shape.dims(), BitsInMemory(shape), shape.layout().minor_to_major());
    if (!tiles) return shape;
    *rule = tiles->rule;
    Shape tiled = shape;
    tiled.set_layout(tiles->layout);
    return tiled;
  }

  void Assign(Instruction* instruction) {
    std::string_view rule;
    Shape tiled = Tiled(instruction->shape(), &rule);
    if (rule.empty() || tiled == instruction->shape()) return;
    draft_.editor().SetShape(instruction, std::move(tiled));
    Say(*instruction->parent(), instruction->name(), instruction->name(), std::string(rule));
  }

  void AddCopies(Computation* computation) {
    const std::vector<Instruction*> before = std::move(draft_.Order(*computation));
    std::vector<Instruction*> order;
    for (Instruction* instruction : before) {
      if (instruction->def().elementwise && instruction->opcode() != Opcode::kCopy) {
        for (Instruction*& operand : draft_.editor().operands(instruction)) {
          if (SameOrder(operand->shape(), instruction->shape())) continue;
          operand = Copy(computation, operand, instruction->shape(), *instruction, order);
        }
      }
      order.push_back(instruction);
    }
    draft_.Order(*computation) = std::move(order);
    if (computation == draft_.module().entry()) CopyResult(computation);
  }

  static bool SameOrder(const Shape& a, const Shape& b) {
    return !a.IsArray() || !b.IsArray() || a.rank() != b.rank() ||
           a.layout().minor_to_major() == b.layout().minor_to_major();
  }

  Instruction* Copy(Computation* computation, Instruction* from, const Shape& like,
                    const Instruction& user, std::vector<Instruction*>& order) {
    Shape shape = from->shape();
    shape.set_layout(Layout(like.layout().minor_to_major()));
    std::string_view rule;
    Instruction* copy =
        draft_.Add(computation, "copy", Opcode::kCopy, {from}, {}, Tiled(shape, &rule));
    order.push_back(copy);
    Say(*computation, "", copy->name(),
        fmt::format("{} needs {} in the order of its own dimensions", user.name(), from->name()));
    return copy;
  }

  void CopyResult(Computation* entry) {
    const ProgramShape* header = Header();
    if (!header) return;
    Instruction* root = draft_.Order(*entry)[0];
    for (Instruction* instruction : draft_.Order(*entry)) {
      if (instruction->is_root()) root = instruction;
    }
    if (SameOrder(root->shape(), header->result)) return;
    Instruction* copy = Copy(entry, root, header->result, *root, draft_.Order(*entry));
    draft_.editor().SetRoot(entry, copy);
  }

  void TileEntryLayout() {
    for (Attr& attr : draft_.editor().module_attrs()) {
      if (attr.def->name != "entry_computation_layout") continue;
      ProgramShape shape = std::get<ProgramShape>(attr.value);
      std::string_view rule;
      for (Shape& parameter : shape.parameters) parameter = Tiled(parameter, &rule);
      shape.result = Tiled(shape.result, &rule);
      attr.value = std::move(shape);
    }
  }

  void Say(const Computation& where, std::string_view before, std::string_view after,
           std::string reason) {
    report_.changes.push_back({ChangeKind::kLayout, std::string(where.name()), std::string(before),
                               std::string(after), std::move(reason)});
  }

  Draft& draft_;
  PassReport& report_;
};

}  // namespace

void AssignLayouts(Draft& draft, PassReport& report) {
  for (const Computation* computation : draft.Computations()) {
    for (const Instruction* instruction : draft.Order(*computation)) {
      if (instruction->opcode() != Opcode::kBitcast) continue;
      report.note =
          fmt::format("Layouts have been assigned: {} is a bitcast, whose meaning depends on them.",
                      instruction->name());
      return;
    }
  }
  LayoutAssigner(draft, report).Run();
  if (report.changes.empty()) report.note = "Every array has its tiles.";
}

}  // namespace hlo
