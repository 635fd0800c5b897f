// What the emit functions of ops are written with: one operation of the text, the values it uses,
// and the instructions made of it.
#ifndef HLO_ENGINE_MLIR_IMPORT_OP_IMPORT_H_
#define HLO_ENGINE_MLIR_IMPORT_OP_IMPORT_H_

#include <algorithm>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/base/budget.h"
#include "engine/base/diagnostics.h"
#include "engine/hlo/ir.h"
#include "engine/hlo/name_uniquer.h"
#include "engine/mlir/import/instruction_attrs.h"
#include "engine/mlir/import/known_values.h"
#include "engine/mlir/importer.h"
#include "engine/mlir/ops/op_row.h"
#include "engine/mlir/text/syntax.h"

namespace hlo::mlir {

using Values = std::vector<Instruction*>;

/// The values by name in one computation under construction.
struct Scope {
  Computation* computation = nullptr;
  const Scope* outer = nullptr;  ///< of a region whose captures are copied: constants only
  std::unordered_map<std::string_view, Values> names;
};

class OpImport;

/// A name as HLO text can have it.
std::string HloName(std::string_view wanted);

/// The state of one import.
class Importer {
 public:
  Importer(const Program& program, std::string_view source, ModuleEditor& editor,
           Diagnostics& diagnostics, Budget* budget, MlirArguments* arguments, bool is_given)
      : program_(program),
        source_(source),
        editor_(editor),
        diagnostics_(diagnostics),
        budget_(budget),
        arguments_(arguments),
        is_given_(is_given),
        known_(budget) {}
  /// Imports everything and sets the entry.
  void Run();

 private:
  friend class OpImport;
  struct Function {
    const Op* op = nullptr;
    Computation* computation = nullptr;
    enum class State : uint8_t { kNew, kActive, kDone } state = State::kNew;
  };
  void CollectFunctions(const std::vector<Op>& ops);
  void ReadModuleAttrs(const Op& module);
  void ReadGrid(const Op& function);
  void SetDevices(std::string_view name, int64_t count);
  /// The function's computation, imported now if it was not yet; null after a fault. In a program
  /// with unknown sizes there is one per operand signature.
  Computation* ImportFunction(std::string_view name, Range use, const Values* operands = nullptr);
  Computation* ImportBody(const Function& function, std::string_view name, const Values* operands);
  /// @main, or the only function, or the first one if all take arguments. Empty if none of these
  /// exists.
  std::string_view EntryName() const;

  // Programs whose sizes follow from their arguments (dynamic_import.cc).
  bool IsDynamic();
  /// The entry, and what it calls.
  void ImportCalled();
  std::string CallKey(std::string_view name, const Values& operands);
  /// Whether a function fits a call and the limit on specialised copies is not reached; reports it
  /// if not.
  bool MayCopy(const Function& function, Range use, const Values& operands);
  /// The value of a function's argument inside it: the parameter, or a constant if its value is
  /// given. Null after an error.
  Instruction* ImportArgument(Computation* computation, int64_t number,
                              const Block::Argument& argument, const Instruction* operand,
                              bool is_of_entry);
  void AskForType(int64_t number, const Block::Argument& argument, std::string_view problem);
  void AskForValue(const Instruction* value, const OpImport& op, std::string_view what);
  void MakeEntry();
  /// Imports the ops of a block into the scope; the values it returns.
  std::optional<Values> ImportBlock(const Block& block, Scope& scope);
  void ImportOp(const Op& op, Scope& scope);
  void CheckPrecision(const Op& op, const Computation& computation, size_t first);
  void KeepAttrs(const Op& op, Computation* computation, size_t first);
  void KeepAttrs(std::span<const Attr::Field> attrs, Instruction* instruction);
  /// `Finish` of the entry, whose root has the shardings of the results if all have one.
  Computation* FinishEntry(const Op& function, std::unique_ptr<Computation> computation,
                           Values results, const Op* terminator);
  Instruction* AddParameter(Computation* computation, int64_t number, const Shape& shape,
                            std::string_view name, Range range);
  Instruction* Make(Computation* computation, Opcode opcode, const Values& operands, Attrs attrs,
                    const Shape* written, std::string_view name, const Op* source);
  Instruction* MakeConstant(Computation* computation, Tensor value, std::string_view name,
                            const Op* source);
  /// Of the instructions that an op became, from `first` on, gives those that are its results the
  /// names and places that the text has for them; all others have the place of the op's name. That
  /// of several results under one name is the tuple of them.
  void PlaceResults(const Op& op, const Scope& scope, size_t first);
  /// Ends a computation with these results (a tuple of them unless there is one; with `as_tuple`
  /// always), which `terminator` returns if it is not null, and adds it to the module.
  Computation* Finish(std::unique_ptr<Computation> computation, const Values& results,
                      bool as_tuple, const Op* terminator);
  void AddModuleAttr(std::string_view name, AttrValue value);
  /// `mhlo.frontend_attributes = {...}`; empty where there is none.
  KeyValues FrontendAttrs(std::span<const Attr::Field> attrs) const;
  /// Makes what the module, and the entry's arguments and results, say of buffers and layouts
  /// attributes of HLO's module (entry_attrs.cc).
  void ReadEntryAttrs(const Op& function, const Computation& entry);
  /// The module's `mhlo.input_output_alias`.
  void ReadModuleAliases(int64_t parameter_count, std::vector<Alias>* aliases);
  /// `mhlo.xla_entry_computation_parameter_layouts` and the like; false where there is none, or
  /// after an error.
  bool ReadModuleLayouts(ProgramShape* layouts);
  bool SetLayouts(OpImport& op, const Attr* orders, const Attr* tiles, Shape* shape);
  /// `mhlo.sharding = "..."`, or a sharding of Shardy; null where there is none.
  const Attr* ShardingOf(std::span<const Attr::Field> attrs) const;
  /// It as HLO's text has it; empty after an error, and where HLO has none like it.
  std::string ShardingTextOf(const Attr& attr);
  /// It as that of a value of this shape; null in the same cases.
  std::shared_ptr<const Sharding> ReadSharding(const Attr& attr, const Shape& shape);
  /// Gives an instruction a sharding (not null) unless it has one.
  void SetSharding(Instruction* instruction, std::shared_ptr<const Sharding> sharding, Range range);
  std::string_view UniqueName(NameUniquer& uniquer, std::string_view wanted);
  Values* Find(Scope& scope, std::string_view name);
  Instruction* Lookup(Scope& scope, const ValueName& name);
  const Attr* Resolve(const Attr* attr) const;
  Diagnostic& Report(DiagCode code, Range range, std::string message) {
    return diagnostics_.Report(code, range, std::move(message));
  }

  const Program& program_;
  const Op* module_ = nullptr;  ///< the op around the functions, if one is written
  std::string_view source_;
  ModuleEditor& editor_;
  Diagnostics& diagnostics_;
  Budget* budget_;
  std::unordered_map<std::string_view, Function> functions_;
  std::vector<std::string_view> order_;
  std::unordered_map<std::string_view, std::string_view> meshes_;  ///< of sdy.mesh, as text
  /// The attribute stablehlo.mesh of functions, by their names.
  std::unordered_map<std::string_view, const Attr*> function_meshes_;
  NameUniquer names_, computation_names_;
  int depth_ = 0;

  // Sizes that are not written.
  MlirArguments* arguments_;  ///< may be null
  const bool is_given_;       ///< the program uses what they say
  KnownValues known_;
  bool is_dynamic_ = false;
  std::string_view entry_name_;
  const Computation* entry_ = nullptr;                   ///< while it is imported
  std::unordered_map<std::string, Computation*> calls_;  ///< by CallKey
  size_t copied_ops_ = 0;
  std::unordered_set<const Instruction*> asked_for_;  ///< values that are missing: reported once
};

/// A string of MLIR text with its escapes read: `\22` is a quotation mark.
std::string Unescaped(std::string_view escaped);

/// One operation while it is imported. A method that fails reports the error and returns null or
/// nothing; instructions with null operands are null, without a further report.
class OpImport {
 public:
  OpImport(Importer& importer, const Op& op, const OpRow& row, Scope& scope)
      : importer_(importer), op_(op), row_(&row), scope_(scope) {}

  const Op& op() const { return op_; }
  const OpRow& row() const { return *row_; }
  /// The opcode that the row gives. Precondition: it gives one.
  Opcode opcode() const { return *row_->opcode; }
  Scope& scope() { return scope_; }
  /// The operands' values; broken ones are null.
  Values operands;
  bool HasBrokenOperand() const;

  /// Reports at the op's name; returns false. No instruction is made afterwards, so that the same
  /// error is not reported of it again.
  bool Fail(DiagCode code, std::string message, Range range = {});
  bool has_failed() const { return has_failed_; }
  /// Reports at the op's name what is no error.
  void Warn(DiagCode code, std::string_view message);
  /// Whether the op has this many operands; reports it if not.
  bool Expect(size_t count);

  /// Emits another op with the same operands instead.
  void EmitAs(const Op& op, const OpRow& row) {
    OpImport other(importer_, op, row, scope_);
    other.operands = operands;
    row.emit(other);
  }
  /// Emits the op as the one of another row.
  void EmitAs(const OpRow& row) {
    const OpRow* own = std::exchange(row_, &row);
    if (HasElements()) row.emit(*this);
    row_ = own;
  }
  /// The text of an attribute as written.
  std::string_view TextOf(const Attr& attr) const {
    return importer_.source_.substr(attr.range.begin, attr.range.end - attr.range.begin);
  }

  // Attributes, looked up under the first of the names that is present.
  const Attr* Find(std::initializer_list<std::string_view> names) const;
  /// The integers of a list, or of a dense attribute with one dimension.
  Dims Ints(std::initializer_list<std::string_view> names, Dims otherwise = {});
  /// All integers of a list or dense attribute, in order; also of a field of a struct attribute.
  Dims IntsOf(const Attr* attr, Dims otherwise = {});
  int64_t Int(std::initializer_list<std::string_view> names, int64_t otherwise = 0);
  /// A required attribute: reports it if it is missing.
  const Attr* Needed(std::initializer_list<std::string_view> names);
  Dims NeededInts(std::initializer_list<std::string_view> names);
  int64_t NeededInt(std::initializer_list<std::string_view> names);
  /// One of these words; reports any other word, and a missing attribute.
  std::optional<std::string> NeededString(std::string_view name);
  std::string NeededWord(std::initializer_list<std::string_view> names,
                         std::span<const std::string_view> allowed);
  double Float(std::initializer_list<std::string_view> names, double otherwise = 0);
  bool Bool(std::initializer_list<std::string_view> names, bool otherwise = false);
  std::string_view Word(std::initializer_list<std::string_view> names);
  /// A string with its escapes read; for any other attribute its source text.
  std::string StringOf(std::initializer_list<std::string_view> names);
  /// All integers of an attribute whose rows are pairs, such as the padding of a window.
  Dims PairsOf(const Attr* attr, Dims otherwise = {});
  /// Rows of a two-dimensional integer attribute.
  std::vector<Dims> Rows(std::initializer_list<std::string_view> names);
  std::vector<Dims> RowsOf(const Attr* attr);
  /// The constant of a dense attribute, with its own type or else `type`.
  std::optional<Tensor> Dense(const Attr& attr, const Shape* type = nullptr);
  /// Its type, as written with it or else `type`; null if it has no shape.
  static const Shape* DenseShape(const Attr& attr, const Shape* type);
  /// The scalar of one that is a large array full of it; nothing otherwise.
  std::optional<Tensor> LargeFill(const Attr& attr, const Shape* type);

  // Result types.
  size_t result_count() const;
  /// The written shape of result i, with its `?` replaced by sizes; null if no type is written or
  /// the type has no shape (which is then reported).
  const Shape* ResultShape(size_t i = 0);
  /// The written type of result i, or null.
  const Type* ResultType(size_t i) const;
  /// Reports unsupported types of results that are not named.
  void CheckUnnamedResults();
  /// All results as one shape: the single result's, or a tuple.
  std::optional<Shape> AllResults();

  // Values known at import time.
  /// The integers of an operand; `what` names them in the message if they are not known.
  std::optional<Dims> KnownInts(size_t operand, std::string_view what);
  const Tensor* Known(const Instruction* value) { return importer_.known_.Find(value); }
  bool Same(const Instruction* a, const Instruction* b) { return importer_.known_.Same(a, b); }
  /// The integers of a known value.
  Dims IntsOf(const Instruction* known);
  /// Whether the operands have the element types that the row allows; reports it if not.
  bool HasElements();
  /// Whether the operand with the sizes of the result, where the row has one, is a vector with a
  /// size for each of its dimensions, and those that are written; reports it if not.
  bool HasSizesOfResult();
  /// Reports that a value must be known at import time.
  void AskForValue(size_t operand, std::string_view what);
  /// Adds an attribute that the text does not have; it takes precedence over one that it has.
  void Give(std::string_view name, const Dims& ints);
  /// Drops operands from this one on.
  void DropOperands(size_t first) { operands.resize(std::min(first, operands.size())); }

  // Making instructions.
  Instruction* Emit(Opcode opcode, const Values& operands, Attrs attrs = {},
                    const Shape* written = nullptr, std::string_view name = {});
  Instruction* Constant(Tensor value);
  /// A constant whose elements the text leaves out.
  Instruction* Elided(const Shape& shape);
  /// A constant of an array that one scalar fills.
  Instruction* Fill(const Tensor& scalar, const Shape& shape);
  void SetElementType(Instruction* value, ElementType type);
  Instruction* Tuple(const Values& values, std::string_view name = {}) {
    return Emit(Opcode::kTuple, values, {}, nullptr, name);
  }
  /// The first elements of a tuple value (or the value itself if it is no tuple).
  Values Elements(Instruction* value, size_t count);
  /// Sets the op's results. `Result` checks them against the written types.
  void Results(Values values);
  void Result(Instruction* value) { Results({value}); }
  /// Sets the results from one value, which is split if the op has several.
  void SplitResult(Instruction* value);

  /// Dequantises operands of quantised types, unless the op only passes them on. The results are
  /// then quantised by Results.
  void DequantizeOperands();
  /// How an operand, or the first result, is quantised; null if it is not.
  const Quantization* QuantizationOf(size_t operand) const;
  const Quantization* ResultQuantization() const;

  // Regions.
  /// Whether each region has one block; reports it if not.
  bool HasOneBlockEach();
  /// Region i as a computation whose parameters are the block's arguments; with `given` they have
  /// this shape and are converted to the arguments' types.
  const hlo::Region* RegionOf(size_t i, bool as_tuple = false, const Shape* given = nullptr);
  /// Region 0 as what folds the elements of each operand, which are promoted to its type: it takes
  /// two scalars and returns one; null after an error. Source: StableHLO, TypeInference.cpp,
  /// verifyReducerShape.
  const hlo::Region* FoldingRegion();
  /// Converts operand i to the element type with which a region folds it, if that is a wider one of
  /// the same kind: HLO wants them equal. HLO also takes floats of different widths, except where
  /// this says that it `keeps_floats`. Source: StableHLO, TypeInference.cpp,
  /// isPromotableElementType.
  bool Promote(size_t i, const Shape& to, bool keeps_floats = false);
  /// It for the operands that a region of 2n parameters folds: n from operand 0 and n from operand
  /// `second` on, all of which have the types of their parameters.
  void PromoteFolded(const hlo::Region* region, size_t second, bool keeps_floats = false);
  /// The values from outside that the regions use, but for constants, of which a region has copies.
  /// Source: XLA, pjrt/mlir_to_hlo.cc, which runs StableHLO's pass SinkConstantsToControlFlow.
  std::vector<ValueName> Captures();
  /// A region as a computation of one tuple: the block's arguments, then the captured values. With
  /// `pass_on` the captures are added to the results.
  const hlo::Region* TupleRegionOf(size_t i, const std::vector<ValueName>& captures,
                                   const Shape& tuple, bool pass_on, bool one_plain);
  /// A region that applies one binary op to scalars: `reduce ... applies stablehlo.add`. Stored
  /// values are those of a quantised type, and so is what every step gives.
  const hlo::Region* AppliedRegion(std::string_view op_name, const Shape& scalar);
  Computation* Function(std::string_view name, Range range) {
    return importer_.ImportFunction(name, range, &operands);
  }
  /// A function that is not called with these operands: its arguments have their written types.
  Computation* Program(std::string_view name, Range range) {
    return importer_.ImportFunction(name, range);
  }
  /// The text of the `sdy.mesh` that `mesh = @name` names; empty where there is none.
  std::string_view MeshText(const Attr& attr) const {
    const Attr* name = attr.Find("mesh");
    const auto it = importer_.meshes_.find(name ? name->text : std::string_view());
    return it == importer_.meshes_.end() ? std::string_view() : it->second;
  }
  /// The mesh of the function that `mesh = @name` names; null where there is none.
  const Attr* FunctionMesh(const Attr& attr) const {
    const Attr* name = attr.Find("mesh");
    const auto it = importer_.function_meshes_.find(name ? name->text : std::string_view());
    return it == importer_.function_meshes_.end() ? nullptr : it->second;
  }
  std::string TextOf(const Type& type) const;
  int64_t partition_count() const { return importer_.editor_.module()->num_partitions(); }
  /// Emits the ops of region i here with the operands for its arguments; returns what it yields.
  std::optional<Values> Inline(size_t i);
  Instruction* Lookup(const ValueName& name) { return importer_.Lookup(scope_, name); }

 private:
  /// Whether the quantised types of the op may meet in it; reports it if not. The rules of kinds of
  /// ops (quantization_rules.cc).
  bool HasValidQuantization();
  bool HasAllowedAxes();
  bool HasOneQuantization();
  bool HasSumQuantization();
  bool HasProductQuantization();
  bool HasMovedQuantization();
  /// Whether a region takes values of a quantised type, which the op then passes on as they are
  /// stored; reports scales that are not those of its operands and results.
  bool HasQuantizedRegion();
  /// The type of the scalars that a named op folds (`applies`), if it is quantised; null otherwise.
  const Quantization* AppliedQuantization() const;
  bool IsLoopInvariant(size_t k) const;
  Instruction* ConstantOf(ShapedLiteral value);
  const Shape* RefinedShape(size_t i, const Type& type);
  std::optional<Dims> SizesOfResult(size_t i, const Shape& written);
  Instruction* Spread(const std::vector<double>& numbers, int64_t axis, ElementType type,
                      const Instruction* like);
  Instruction* Dequantize(Instruction* value, const Quantization& quant);
  Instruction* Quantize(Instruction* value, const Quantization& quant);

  Importer& importer_;
  const Op& op_;
  const OpRow* row_;
  Scope& scope_;
  bool is_quantized_ = false;
  bool has_failed_ = false;   ///< Fail was called
  std::deque<Shape> shapes_;  ///< of results, where they are not those of their types
  std::deque<Attr::Field> given_;
};

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_IMPORT_OP_IMPORT_H_
