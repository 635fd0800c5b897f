// What export rows are written with. Internal to engine/mlir.
#ifndef HLO_ENGINE_MLIR_EXPORT_OP_EXPORT_H_
#define HLO_ENGINE_MLIR_EXPORT_OP_EXPORT_H_

#include <deque>
#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/hlo/ir.h"
#include "engine/mlir/exporter.h"
#include "engine/mlir/ops/op_row.h"
#include "engine/mlir/text/mlir_text.h"
#include "engine/mlir/text/syntax.h"

namespace hlo::mlir {

/// An SSA value: `%0`, `%1#2`. The exporter chooses the names; the printer renames them.
struct Ssa {
  std::string_view name;
  int64_t index = 0;
  const Shape* type = nullptr;  ///< an array or a token; a tuple where a call sees one
};
/// The arrays and tokens of a value, tuples taken apart, in order.
using Leaves = std::vector<Ssa>;

/// An op before its operands and results are known: see OpExport::Write.
struct OpText {
  std::string_view name;   ///< with its dialect
  std::string attrs = {};  ///< of the generic form: `dimension = 0 : i64, is_stable = true`
  std::vector<const Computation*> regions = {};
  int first_operands = 0;  ///< how many stand in the first of two pairs of parentheses
};

/// What MLIR's module says of the entry: `mhlo.input_output_alias` of aliases that no argument's
/// attribute can say, and layouts of parameters and results that are not the default ones, in
/// `mhlo.xla_entry_computation_parameter_layouts = [...]` and the like.
std::string EntryAttrsText(const Module& module);

/// `mhlo.frontend_attributes = {...}, mhlo.sharding = "..."`; without keys or a sharding (which may
/// be null) the other alone, or empty.
std::string KeptAttrsText(const KeyValues& keys, const Sharding* sharding = nullptr);

/// The state of one export.
class Exporter {
 public:
  Exporter(const Module& module, Diagnostics& diagnostics, EntryTuples tuples)
      : module_(module), diagnostics_(diagnostics), tuples_(tuples) {}
  StableHloText Run();

 private:
  friend class OpExport;
  struct Scope {
    const Computation* computation;
    std::vector<Leaves> values;  ///< by index of the instruction
  };
  void WriteFunction(const Computation& computation, std::string_view name);
  void AddEntryAttrs(Block* block);
  /// Says of the arguments from `first` on what is kept of the parameter that they are or whose
  /// leaves they are.
  void AddKeptAttrs(const Instruction& parameter, size_t first, Block* block);
  /// Says of the entry's results what their shardings are.
  void AddResultShardings(const Instruction& root, mlir::Op* function);
  /// Writes the instructions of a computation; returns the leaves of its root.
  Leaves WriteBody(const Computation& computation, std::vector<Leaves> arguments);
  bool OnTheWay(const Instruction& instruction, const Scope& scope);
  void LinkParameters(const Computation& computation, uint32_t origin);
  void WriteInstruction(const Instruction& instruction, Scope& scope);
  std::string_view FunctionName(const Computation& computation);
  /// Whether a region is written as a call of a function instead of inline.
  bool IsOutlined(const Computation& computation);
  void Return(std::string_view op, const Leaves& results, uint32_t origin);
  /// Ops that make a tuple of leaves, and ops that take a tuple apart into leaves.
  Ssa Pack(const Shape& shape, const Leaves& leaves, uint32_t origin);
  void Unpack(const Ssa& value, Leaves* leaves, uint32_t origin);
  /// The elements of a tuple; nested tuples are built from their leaves.
  Leaves PackElements(const Shape& shape, const Leaves& leaves, uint32_t origin);

  /// Appends a new op to the block being written.
  mlir::Op& Add(std::string_view name, uint32_t origin);
  void AddOperands(const Leaves& operands, mlir::Op* op);
  /// Gives results fresh names.
  void AddResults(Leaves* results, mlir::Op* op);
  /// Block arguments for the leaves of a shape.
  Leaves AddArguments(const Shape& shape, Block* block, const Instruction* blamed);
  std::string_view NewName() { return Keep(std::to_string(next_name_++)); }
  std::string_view Keep(std::string text);
  const Shape* Keep(Shape shape);
  const Type* TypeOf(const Shape& shape);
  /// Parses attributes written in the generic form.
  void AddAttrs(std::string text, std::vector<mlir::Attr::Field>* out);
  uint32_t OriginOf(const Instruction& instruction);
  /// The leaves that a value of this shape has, unnamed.
  void Flatten(const Shape& shape, Leaves* leaves, const Instruction* blamed);
  Diagnostic& Report(const Instruction& at, std::string_view what);

  const Module& module_;
  Diagnostics& diagnostics_;
  const EntryTuples tuples_;
  Program program_;
  std::vector<mlir::Op>* ops_ = nullptr;  ///< where ops go
  std::deque<std::string> texts_;
  uint64_t kept_bytes_ = 0;  // of them, which are printed at the end
  std::deque<Shape> shapes_;
  std::deque<Tensor> tensors_;
  std::unordered_map<std::string, const Type*> types_;
  /// The instructions linked to each op, by the op's origin.
  std::vector<std::pair<uint32_t, const Instruction*>> links_;
  uint32_t origins_ = 0;
  int depth_ = 0;
  int64_t next_name_ = 0;
  std::unordered_map<const Computation*, std::string> functions_;
  std::unordered_set<std::string> function_names_;
  std::deque<const Computation*> pending_;
  std::unordered_set<const Computation*> inlined_;
  bool has_layouts_ = false;
};

/// One instruction while it is exported.
class OpExport {
 public:
  OpExport(Exporter& exporter, const Instruction& op, Exporter::Scope& scope)
      : exporter_(exporter), op_(op), call_(op.Call()), scope_(scope) {}

  const Instruction& op() const { return op_; }
  const OpCall& call() const { return call_; }
  const OpRow& row() const { return row_; }
  const Shape& shape() const { return op_.shape(); }

  /// The leaves of operand i, and of all operands in order.
  const Leaves& Operand(int i) const { return ValueOf(*op_.operand(i)); }
  Leaves Operands(int begin = 0, int end = -1) const;
  /// The leaves of an earlier instruction of the same computation.
  const Leaves& ValueOf(const Instruction& instruction) const;
  /// Operand i, which is an array or a token.
  const Ssa& In(int i) const { return Operand(i)[0]; }
  const Computation& Region(std::string_view attr) const {
    return *AsComputation(call_.GetRegion(attr));
  }

  /// The text of an attribute: `1, 0`, `true`, `FFT`, `1.000000e-05`.
  std::string AttrText(std::string_view name) const;
  /// A template with each `@name` replaced by the text of that attribute.
  std::string Filled(std::string_view text) const;

  /// Writes an op and returns its results. Its regions have block arguments of their own, unless
  /// `arguments` gives, per region, the leaves that replace its single parameter.
  Leaves Write(const OpText& text, const Leaves& operands, const Leaves& results,
               const std::vector<Leaves>* arguments = nullptr);
  /// The same; the results are those of the instruction.
  Leaves Write(const OpText& text, const Leaves& operands);
  /// An op with one result of this shape: a step of an instruction that becomes several ops.
  Ssa Make(std::string_view name, const Leaves& operands, Shape result, std::string attrs = {});
  /// Whether all elements of a mask along a dimension are true, as an op.
  Ssa MakeAll(const Ssa& mask, int64_t dimension, Shape result);
  /// A tuple of leaves.
  Ssa Tuple(const Shape& shape, const Leaves& leaves) {
    return exporter_.Pack(shape, leaves, exporter_.OriginOf(op_));
  }
  /// Adds to the instruction's frontend attributes.
  void Keep(std::string_view key, std::string_view value) {
    kept_.push_back({std::string(key), std::string(value), false});
  }
  Ssa Constant(const Tensor& value) {
    return Fill(value, Shape::Array(value.element_type(), value.dims()));
  }
  /// A constant of this shape that the scalar `value` fills, or that it is.
  Ssa Fill(const Tensor& value, const Shape& shape);
  /// A constant of the instruction's shape, whose elements are left out.
  Ssa Elided();
  /// A scalar integer, and an array full of it.
  Ssa Integer(ElementType type, int64_t value, std::span<const int64_t> dims = {});
  /// A vector of integers.
  Ssa Integers(ElementType type, const Dims& values);
  /// The tensor with these values.
  Ssa Integers(Tensor tensor, std::span<const int64_t> values);
  Ssa Convert(const Ssa& value, ElementType type);

  /// Sets the value of the instruction.
  void Set(Leaves leaves) { scope_.values[static_cast<size_t>(op_.index())] = std::move(leaves); }
  /// Reports that StableHLO has no counterpart for this.
  void NoCounterpart(std::string_view what);

  /// The leaves that a value of this shape has, unnamed.
  void Flatten(const Shape& shape, Leaves* leaves) { exporter_.Flatten(shape, leaves, &op_); }
  std::string_view FunctionName(const Computation& computation) {
    return exporter_.FunctionName(computation);
  }
  /// The instruction as a call of `function`.
  Leaves WriteCall(const Computation& function, const Leaves& operands) {
    return WriteCall(function, operands, ResultLeaves());
  }
  /// The computation's instructions written here, with `arguments` for its parameters.
  Leaves WriteInline(const Computation& computation, std::vector<Leaves> arguments);
  /// The leaves of the instruction's result; for an op that starts something, those of its end.
  Leaves ResultLeaves() const;

 private:
  friend class Exporter;
  Leaves WriteCall(const Computation& function, const Leaves& operands, const Leaves& results);
  std::string KeptAttrs() const;
  void WriteRegion(const Computation& computation, const Leaves* argument, uint32_t origin,
                   mlir::Op* op);

  Exporter& exporter_;
  const Instruction& op_;
  OpCall call_;
  Exporter::Scope& scope_;
  const OpRow& row_ = RowOf(op_.opcode());
  KeyValues kept_;
};

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_EXPORT_OP_EXPORT_H_
