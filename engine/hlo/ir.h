// The program: module, computations, instructions. What parsers and the Builder make and all later
// stages read.
#ifndef HLO_ENGINE_HLO_IR_H_
#define HLO_ENGINE_HLO_IR_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/small_vector.h"
#include "engine/base/source.h"
#include "engine/hlo/stack_frames.h"
#include "engine/ops/attributes.h"
#include "engine/ops/op_call.h"
#include "engine/ops/opcode.h"
#include "engine/types/shape.h"

namespace hlo {

class Computation;
class Module;

/// One operation: opcode, operands, attributes, result shape, and its place in the source text.
class Instruction {
 public:
  /// Places in the source text; all empty for instructions made by the Builder.
  struct Places {
    Range whole;  ///< from the name (or ROOT) to the last attribute
    Range name;
    Range shape;  ///< empty when the result shape was omitted
    Range opcode;
    SmallVector<Range, 4> operands;
  };

  std::string_view name() const { return name_; }
  Opcode opcode() const { return opcode_; }
  const OpDef& def() const { return GetOpDef(opcode_); }
  const Shape& shape() const { return shape_; }
  int operand_count() const { return static_cast<int>(operands_.size()); }
  Instruction* operand(int i) const { return operands_[static_cast<size_t>(i)]; }
  const SmallVector<Instruction*, 4>& operands() const { return operands_; }
  const AttrList& attrs() const { return attrs_; }
  Computation* parent() const { return parent_; }
  /// Position in its computation's instruction list.
  int index() const { return index_; }
  bool is_root() const;
  const Places& places() const { return places_; }
  /// The view that ops' functions take.
  OpCall Call() const;
  /// The same without the result shape: for inferring it.
  OpCall CallWithoutShape() const;

 private:
  friend class Computation;
  friend class ModuleEditor;
  OpCall CallWith(const Shape* written) const;
  std::string_view name_;
  Opcode opcode_{};
  Shape shape_;
  SmallVector<Instruction*, 4> operands_;
  AttrList attrs_;
  Computation* parent_ = nullptr;
  int index_ = 0;
  Places places_;
};

/// A function: instructions in an order in which operands come first, one of them the root.
class Computation final : public Region {
 public:
  std::string_view name() const { return name_; }
  const std::deque<Instruction>& instructions() const { return instructions_; }
  const Instruction* root() const { return root_; }
  /// Parameters by number. Holes (bad programs) are null.
  const std::vector<Instruction*>& parameters() const { return parameters_; }
  Module* parent() const { return parent_; }
  /// Position in the module's list.
  int index() const { return index_; }
  /// "main" unless the text says otherwise.
  std::string_view execution_thread() const { return execution_thread_; }
  Range name_range() const { return name_range_; }
  Range range() const { return range_; }
  /// The instruction of this name in this computation, or null.
  const Instruction* Find(std::string_view name) const;

  std::string_view region_name() const override { return name_; }
  int parameter_count() const override { return static_cast<int>(parameters_.size()); }
  const Shape& parameter_shape(int i) const override;
  const Shape& result_shape() const override;

 private:
  friend class ModuleEditor;
  std::string_view name_;
  std::deque<Instruction> instructions_;
  Instruction* root_ = nullptr;
  std::vector<Instruction*> parameters_;
  Module* parent_ = nullptr;
  int index_ = 0;
  std::string_view execution_thread_ = "main";
  Range name_range_;
  Range range_;
};

/// Every region of a module is a computation. Null for null.
inline const Computation* AsComputation(const Region* region) {
  return static_cast<const Computation*>(region);
}

/// A whole program. Owns its source text; names are views of it or of its string pool.
class Module {
 public:
  Module() = default;
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  std::string_view name() const { return name_; }
  const std::string& source() const { return source_; }
  /// In the order of the text: callees first.
  const std::deque<Computation>& computations() const { return computations_; }
  const Computation* entry() const { return entry_; }
  /// Of the HloModule header.
  const AttrList& attrs() const { return attrs_; }
  int64_t replica_count() const;
  int64_t num_partitions() const;
  bool is_scheduled() const;
  /// Computation of this name, or null.
  const Computation* FindComputation(std::string_view name) const;
  /// FileNames ... StackFrames; usually empty.
  const StackFrameIndex& stack_frames() const { return stack_frames_; }

 private:
  friend class ModuleEditor;
  std::string source_;
  std::deque<std::string> strings_;
  std::string_view name_;
  std::deque<Computation> computations_;
  Computation* entry_ = nullptr;
  AttrList attrs_;
  StackFrameIndex stack_frames_;
};

/// The only way to change a module: parser, importers, Builder and passes go through it.
class ModuleEditor {
 public:
  explicit ModuleEditor(Module* module) : module_(module) {}

  Module* module() const { return module_; }
  void SetSource(std::string text) { module_->source_ = std::move(text); }
  /// A copy of `text` that lives as long as the module.
  std::string_view Intern(std::string_view text);
  void SetName(std::string_view interned) { module_->name_ = interned; }
  AttrList& module_attrs() { return module_->attrs_; }
  void SetEntry(Computation* computation) { module_->entry_ = computation; }
  StackFrameIndex& stack_frames() { return module_->stack_frames_; }

  Computation* AddComputation(std::string_view interned_name, Range name_range = {});
  /// A computation that is not in the module's list yet: for parsers, which meet a callee's text
  /// inside its caller's. Fill it, then Attach it.
  std::unique_ptr<Computation> NewDetached(std::string_view interned_name, Range name_range = {});
  /// Appends a detached computation to the module's list. Its instructions keep their addresses.
  Computation* Attach(std::unique_ptr<Computation> detached);
  void SetRange(Computation* c, Range range) { c->range_ = range; }
  void SetExecutionThread(Computation* c, std::string_view thread) {
    c->execution_thread_ = thread;
  }
  void SetRoot(Computation* c, Instruction* root) { c->root_ = root; }
  void SetName(Computation* c, std::string_view interned) { c->name_ = interned; }

  /// Appends; parameters are entered into the computation's list by SetParameter.
  Instruction* AddInstruction(Computation* c, std::string_view interned_name, Opcode opcode);
  void SetParameter(Computation* c, int64_t number, Instruction* parameter);
  /// Empties the computation's list of parameters, which keep their numbers until they are set
  /// again.
  void ClearParameters(Computation* c) { c->parameters_.clear(); }
  void SetShape(Instruction* i, Shape shape) { i->shape_ = std::move(shape); }
  /// Makes another operation of an instruction; operands, attributes and shape are the caller's
  /// task.
  void SetOpcode(Instruction* i, Opcode opcode) { i->opcode_ = opcode; }
  void SetName(Instruction* i, std::string_view interned) { i->name_ = interned; }
  std::deque<Computation>& computations() { return module_->computations_; }
  std::deque<Instruction>& instructions(Computation* c) { return c->instructions_; }
  SmallVector<Instruction*, 4>& operands(Instruction* i) { return i->operands_; }
  AttrList& attrs(Instruction* i) { return i->attrs_; }
  Instruction::Places& places(Instruction* i) { return i->places_; }

 private:
  Module* module_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_IR_H_
