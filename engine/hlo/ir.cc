#include "engine/hlo/ir.h"

#include "engine/base/work_limit.h"

namespace hlo {

bool Instruction::is_root() const { return parent_->root() == this; }

OpCall Instruction::Call() const { return CallWith(&shape_); }
OpCall Instruction::CallWithoutShape() const { return CallWith(nullptr); }

OpCall Instruction::CallWith(const Shape* written) const {
  OpCall::Parts parts{.opcode = opcode_,
                      .name = name_,
                      .operands = {},
                      .attrs = &attrs_,
                      .written = written,
                      .range = places_.opcode,
                      .shape_range = places_.shape,
                      .operand_ranges = {places_.operands.data(), places_.operands.size()},
                      .replica_count = parent_->parent()->replica_count(),
                      .num_partitions = parent_->parent()->num_partitions()};
  for (const Instruction* operand : operands_) parts.operands.push_back(&operand->shape());
  return OpCall(std::move(parts));
}

const Instruction* Computation::Find(std::string_view name) const {
  for (const Instruction& i : instructions_) {
    if (i.name() == name) return &i;
  }
  return nullptr;
}

const Shape& Computation::parameter_shape(int i) const {
  static const Shape kNone;
  const Instruction* parameter = parameters_[static_cast<size_t>(i)];
  return parameter ? parameter->shape() : kNone;
}

const Shape& Computation::result_shape() const {
  static const Shape kNone;
  return root_ ? root_->shape() : kNone;
}

int64_t Module::replica_count() const { return attrs_.Int("replica_count", 1); }
int64_t Module::num_partitions() const { return attrs_.Int("num_partitions", 1); }

bool Module::is_scheduled() const { return attrs_.Bool("is_scheduled"); }

const Computation* Module::FindComputation(std::string_view name) const {
  for (const Computation& c : computations_) {
    if (c.name() == name) return &c;
  }
  return nullptr;
}

std::string_view ModuleEditor::Intern(std::string_view text) {
  CountBytes(text.size() + sizeof(std::string));
  return module_->strings_.emplace_back(text);
}

Computation* ModuleEditor::AddComputation(std::string_view interned_name, Range name_range) {
  Computation& c = module_->computations_.emplace_back();
  c.name_ = interned_name;
  c.name_range_ = name_range;
  c.parent_ = module_;
  c.index_ = static_cast<int>(module_->computations_.size()) - 1;
  return &c;
}

std::unique_ptr<Computation> ModuleEditor::NewDetached(std::string_view interned_name,
                                                       Range name_range) {
  auto c = std::make_unique<Computation>();
  c->name_ = interned_name;
  c->name_range_ = name_range;
  c->parent_ = module_;
  return c;
}

Computation* ModuleEditor::Attach(std::unique_ptr<Computation> detached) {
  Computation* c = AddComputation(detached->name_, detached->name_range_);
  c->instructions_ = std::move(detached->instructions_);
  for (Instruction& i : c->instructions_) i.parent_ = c;
  c->root_ = detached->root_;
  c->parameters_ = std::move(detached->parameters_);
  c->execution_thread_ = detached->execution_thread_;
  c->range_ = detached->range_;
  return c;
}

Instruction* ModuleEditor::AddInstruction(Computation* c, std::string_view interned_name,
                                          Opcode opcode) {
  constexpr uint64_t kWork = 16;  // about what reading and checking it takes
  CountWork(kWork);
  CountBytes(sizeof(Instruction));
  Instruction& i = c->instructions_.emplace_back();
  i.name_ = interned_name;
  i.opcode_ = opcode;
  i.parent_ = c;
  i.index_ = static_cast<int>(c->instructions_.size()) - 1;
  return &i;
}

void ModuleEditor::SetParameter(Computation* c, int64_t number, Instruction* parameter) {
  if (number >= static_cast<int64_t>(c->parameters_.size())) {
    c->parameters_.resize(static_cast<size_t>(number) + 1, nullptr);
  }
  c->parameters_[static_cast<size_t>(number)] = parameter;
}

}  // namespace hlo
