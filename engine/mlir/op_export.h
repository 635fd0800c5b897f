// What export rows are written with. For the .cc files of this room.
#ifndef HLO_ENGINE_MLIR_OP_EXPORT_H_
#define HLO_ENGINE_MLIR_OP_EXPORT_H_

#include <deque>
#include <initializer_list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/hlo/ir.h"
#include "engine/mlir/exporter.h"
#include "engine/mlir/mlir_text.h"

namespace hlo::mlir {

/// An SSA value: `%0`, `%1#2`.
struct Ssa {
  std::string name;
  const Shape* type = nullptr;  ///< an array or a token
};
/// The arrays and tokens of a value, tuples taken apart, in order.
using Leaves = std::vector<Ssa>;

/// How an op is written: `add %a, %b : T`, with one type where all are equal; the same with all
/// types; `chlo.x %a : T -> R`; `"stablehlo.x"(%a) <{attributes}> : (T) -> R`; everything behind
/// the name as it is given.
enum class Form : uint8_t { kShort, kTyped, kArrow, kGeneric, kWhole };

class OpExport;
struct ExportRow {
  Opcode opcode;
  void (*write)(OpExport& op);
  /// The rest is for WritePlain.
  std::string_view name = {};
  Form form = Form::kShort;
  /// Text after the operands (kGeneric: between `<{` and `}>`); `@name` is the HLO attribute's
  /// text.
  std::string_view attrs = {};
};
/// The row of an opcode; null for those that are written plainly, under the importer's name.
const ExportRow* FindExportRow(Opcode opcode);

/// An op's text before it has operands and a result: see OpExport::Write.
struct OpText {
  std::string_view name;  ///< with its dialect
  Form form = Form::kShort;
  std::string attrs = {};
  std::vector<const Computation*> regions = {};
};

/// The state of one export.
class Exporter {
 public:
  Exporter(const Module& module, Diagnostics& diagnostics)
      : module_(module), diagnostics_(diagnostics) {}
  StableHloText Run();

 private:
  friend class OpExport;
  struct Scope {
    const Computation* computation;
    std::vector<Leaves> values;  ///< by index of the instruction
  };
  void WriteFunction(const Computation& computation, std::string_view name);
  /// The instructions of a computation at the indentation; the leaves of its root.
  Leaves WriteBody(const Computation& computation, std::vector<Leaves> arguments);
  bool OnTheWay(const Instruction& instruction, const Scope& scope);
  void LinkParameters(const Computation& computation);
  void WriteInstruction(const Instruction& instruction, Scope& scope);
  std::string_view FunctionName(const Computation& computation);
  /// Whether a region is a call of a function instead of the instructions.
  bool IsOutlined(const Computation& computation);
  void Return(std::string_view op, const Leaves& results);

  void Line(std::string_view text);
  std::string NewName(std::string_view hint = {});
  const Shape* Keep(Shape shape);
  /// The leaves that a value of this shape has, unnamed.
  void Flatten(const Shape& shape, Leaves* leaves, const Instruction* blamed);
  Diagnostic& Report(const Instruction& at, std::string_view what);

  const Module& module_;
  Diagnostics& diagnostics_;
  StableHloText out_;
  uint32_t line_ = 0;
  int indent_ = 0;
  int depth_ = 0;
  std::deque<Shape> shapes_;
  std::unordered_map<const Computation*, std::string> functions_;
  std::unordered_set<std::string> function_names_;
  std::deque<const Computation*> pending_;
  std::unordered_set<const Computation*> inlined_;
  bool has_layouts_ = false;
  // Of the function that is written.
  int64_t next_number_ = 0, next_argument_ = 0, next_conflict_ = 0;
  std::unordered_set<std::string> taken_;
};

/// One instruction while it is written.
class OpExport {
 public:
  OpExport(Exporter& exporter, const Instruction& op, Exporter::Scope& scope, const ExportRow* row)
      : exporter_(exporter), op_(op), call_(op.Call()), scope_(scope), row_(row) {}

  const Instruction& op() const { return op_; }
  const OpCall& call() const { return call_; }
  const ExportRow* row() const { return row_; }
  const Shape& shape() const { return op_.shape(); }

  /// The leaves of operand i, and of all operands in order.
  const Leaves& Operand(int i) const { return ValueOf(*op_.operand(i)); }
  Leaves Operands(int begin = 0, int end = -1) const;
  /// The leaves of an instruction of the same computation that stands before.
  const Leaves& ValueOf(const Instruction& instruction) const;
  /// Operand i, which is an array or a token.
  const Ssa& In(int i) const { return Operand(i)[0]; }
  const Computation& Region(std::string_view attr) const {
    return static_cast<const Computation&>(*call_.GetRegion(attr));
  }

  /// The text of an attribute: `1, 0`, `true`, `FFT`, `1.000000e-05`.
  std::string AttrText(std::string_view name) const;
  /// `@name` in a template replaced by attributes' texts.
  std::string Filled(std::string_view text) const;

  /// Writes an op on a line of its own; its results. Its regions have blocks with arguments of
  /// their own, unless `arguments` has for each what stands for its one parameter.
  Leaves Write(const OpText& text, const Leaves& operands, const Leaves& results,
               const std::vector<Leaves>* arguments = nullptr);
  /// The same with the results that the instruction has.
  Leaves Write(const OpText& text, const Leaves& operands);
  /// An op with one result of this shape: what an instruction is made of when it is several.
  Ssa Make(std::string_view name, Form form, const Leaves& operands, Shape result,
           std::string attrs = {});
  /// The instruction's one result from a text behind the name that holds its operands; their types
  /// follow, all of them.
  Ssa MakeWhole(std::string_view name, std::string text, const Leaves& operands);
  /// The same with all results that the instruction has.
  Leaves WriteTyped(std::string_view name, std::string text, const Leaves& operands,
                    bool has_kept_attrs = true);
  /// A region behind a head of its own: `cond {`.
  struct Body {
    std::string head;
    const Computation* computation;
    std::vector<Leaves> arguments;  ///< for its parameters
  };
  /// An op whose regions are not in parentheses. With operands, their types and the results' stand
  /// before the regions.
  Leaves WriteWithBodies(std::string_view name, std::string text, const Leaves& operands,
                         const std::vector<Body>& bodies);
  /// The same from a text behind the name that holds the operands; all their types follow.
  Ssa MakeText(std::string_view name, std::string text, const Leaves& operands, Shape result);
  /// Adds to the instruction's frontend attributes.
  void Keep(std::string_view key, std::string_view value) {
    kept_.push_back({std::string(key), std::string(value), false});
  }
  Ssa Constant(const Tensor& value);
  /// A scalar integer, and an array full of it.
  Ssa Integer(ElementType type, int64_t value, std::span<const int64_t> dims = {});
  /// A vector of integers.
  Ssa Integers(ElementType type, const Dims& values);
  Ssa Convert(const Ssa& value, ElementType type);

  /// What the instruction's value is.
  void Set(Leaves leaves) { scope_.values[static_cast<size_t>(op_.index())] = std::move(leaves); }
  /// Reports that StableHLO has not what the instruction says.
  void NoCounterpart(std::string_view what);

  /// New names for leaves of a shape, `%arg3` or with a hint.
  Leaves NewArguments(const Shape& shape, std::string_view hint = {});
  /// The leaves that a value of this shape has, unnamed.
  void Flatten(const Shape& shape, Leaves* leaves) { exporter_.Flatten(shape, leaves, &op_); }
  std::string_view FunctionName(const Computation& computation) {
    return exporter_.FunctionName(computation);
  }
  /// A call of the computation as a function.
  Leaves WriteCall(const Computation& function, const Leaves& operands);
  /// Its instructions at this place, with these for its parameters.
  Leaves WriteInline(const Computation& computation, std::vector<Leaves> arguments);
  /// The leaves of the instruction's result; of a started op: of what its end gives.
  Leaves ResultLeaves() const;

 private:
  friend class Exporter;
  // `{mhlo.sharding = "..."}` with a space before it; empty when there is nothing of the kind.
  std::string KeptAttrs() const;
  // The results under names of their own, and `%0 = ` for them.
  std::string NameResults(std::string_view name, Leaves* results);
  void WriteRegion(const Computation& computation, std::vector<Leaves> arguments);

  Exporter& exporter_;
  const Instruction& op_;
  OpCall call_;
  Exporter::Scope& scope_;
  const ExportRow* row_;
  KeyValues kept_;
};

/// An op that is one op there: the row says its name, form and attributes.
void WritePlain(OpExport& op);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_OP_EXPORT_H_
