// The parser's state and grammar; parser.h is its public interface. One class, in files by what
// they parse: module_parser.cc (module, header, recovery), recovery.cc, computation_parser.cc,
// instruction_parser.cc, operand_parser.cc, async_parser.cc.
#ifndef HLO_ENGINE_HLO_MODULE_PARSER_H_
#define HLO_ENGINE_HLO_MODULE_PARSER_H_

#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/hlo/attribute_text.h"
#include "engine/hlo/ir.h"
#include "engine/hlo/parser.h"
#include "engine/ops/op_def.h"

namespace hlo {

/// What a name in a computation refers to.
struct NamedInstruction {
  Instruction* instruction = nullptr;  ///< null: it could not be made at all
  bool broken = false;  ///< its shape is not known: faults that follow from it are not reported
  Range name;
};

/// One `OP-start` or async-start and everything that continues it.
struct AsyncChain {
  Instruction* start = nullptr;
  std::optional<Opcode> wrapped;       ///< of the short form `OP-start`
  AttrList wrapped_attrs;              ///< and the attributes that belong to OP
  const Computation* calls = nullptr;  ///< of the long form
  std::string_view thread = "main";
  SmallVector<Instruction*, 4> operands;  ///< bound so far, over the whole chain
  Instruction* last = nullptr;
};

/// A computation while its text is read.
struct ComputationScope {
  std::unique_ptr<Computation> computation;
  std::unordered_map<std::string_view, NamedInstruction> names;
  Instruction* root = nullptr;
  Range root_name;
  bool broken = false;  ///< an instruction is missing: counts and roots are not checked
  /// The text is instructions alone: operands without definition become parameters.
  bool makes_parameters = false;
  /// The text is some lines of a computation: parameters are numbered anew.
  bool is_excerpt = false;
  std::optional<Shape> written_result;  ///< of the signature
  Range written_result_range;
  std::vector<std::pair<int64_t, Instruction*>> parameters;
  std::vector<AsyncChain> chains;
  std::unordered_map<const Instruction*, size_t> chain_of;
  std::unordered_map<const Instruction*, std::vector<std::pair<int64_t, Instruction*>>> elements;
  /// Of a single instruction: computations that it names and that are not there.
  std::vector<std::pair<Computation*, Range>> missing;
};

/// Operands as they are read.
struct OperandList {
  SmallVector<Instruction*, 4> instructions;
  SmallVector<Range, 4> ranges;
  bool broken = false;  ///< one of them is unknown or has no known shape
  /// Parameters that were made of names alone: their shapes have to follow from the others.
  SmallVector<Instruction*, 4> shapeless;
};

/// What precedes an instruction's parentheses.
struct InstructionHead {
  uint32_t begin = 0;  ///< of the name, or of ROOT
  std::string_view name;
  Range name_range;
  bool is_root = false;
  bool nested = false;  ///< in operand position: no name, no attributes
  std::optional<Shape> shape;
  Range shape_range;
  Opcode opcode{};
  Range opcode_range;
  /// `OP-start`, `OP-update`, `OP-done`: the OP, while `opcode` is the async one.
  std::optional<Opcode> wrapped;
};

class ModuleParser final : public AttrReader {
 public:
  ModuleParser(Module* module, Diagnostics* diagnostics, Budget* budget,
               const ParseOptions& options);

  /// Parses the module's source. False when nothing of it is usable.
  bool Parse();

  const Region* ReadRegion() override;
  bool ReadInstruction(std::vector<uint32_t>* indices) override;
  /// XLA counts instructions, shapes and literals together.
  int levels_left() const override { return options_.max_depth - levels_around(); }
  int levels_around() const override { return depth_ + 2; }

 private:
  // module_parser.cc
  bool IsModuleText();
  void ParseHeader();
  void ParseComputations();
  bool RefuseSecondModule();
  void ChooseEntry();
  void Assemble();
  void SetThreads();
  void CheckHeader();
  void ParseSingleInstruction();
  bool ParseLinesBehind(ComputationScope& scope);
  // recovery.cc
  void SkipAttributeValue(uint32_t begin);
  void SkipToComputation(uint32_t begin);
  void SkipToInstruction(uint32_t begin);
  void SkipInLine(size_t at, int depth);
  bool LooksLikeInstruction(uint32_t at) const;
  bool LooksLikeComputation(uint32_t at) const;
  std::optional<Range> DefinitionBelow(std::string_view name, bool is_instruction) const;

  // computation_parser.cc
  std::string_view ReadName(Range* range, bool* percent = nullptr);
  /// False after a report.
  bool CheckReserved(std::string_view name, Range range, bool percent);
  bool ParseComputation();
  Computation* ParseBody(ComputationScope& scope, std::string_view name, Range name_range);
  void ParseInstructions(ComputationScope& scope);
  bool ParseSignature(ComputationScope& scope);
  bool ParseExecutionThread(Computation* computation);
  Computation* FinishComputation(ComputationScope& scope);
  void EnterParameters(ComputationScope& scope);
  void NumberParameters(ComputationScope& scope);
  void CheckResultShape(const ComputationScope& scope);
  bool EnterDepth();
  void ReportUnknownComputation(std::string_view name, Range range, Severity severity);
  bool FillMissing(ComputationScope& scope, const Instruction& instruction);

  // instruction_parser.cc
  bool ParseInstruction(ComputationScope& scope);
  /// From the result shape on. Null after a fault that leaves no instruction.
  Instruction* ParseInstructionBody(ComputationScope& scope, InstructionHead& head, bool* ok);
  bool ReadHeadShape(InstructionHead& head);
  bool ReadOpcode(InstructionHead& head);
  bool ParsePositional(const AttrDef& def, const InstructionHead& head, Attr* attr);
  bool ParseAttributes(ComputationScope& scope, Instruction* instruction,
                       const InstructionHead& head, AttrList* wrapped_attrs);
  const AttrDef* FindDef(const InstructionHead& head, std::string_view name, bool* of_wrapped);
  void ReportUnknownAttribute(const InstructionHead& head, std::string_view name, Range range);
  bool CallsBroken(const AttrList& attrs) const;
  bool CheckAttributes(const Instruction& instruction, const AttrList& wrapped_attrs,
                       const InstructionHead& head);
  bool CheckOperandCount(const Instruction& instruction, const InstructionHead& head);
  bool InferShape(Instruction* instruction, const InstructionHead& head);
  void CorrectShape(Instruction* instruction, const InstructionHead& head);
  bool Define(ComputationScope& scope, const InstructionHead& head, Instruction* instruction,
              bool broken);
  bool ReadInstructionName(InstructionHead& head, bool may_lack = false);
  void ReportShapeBeforeName(const InstructionHead& head, Range before, const Shape& shape);
  void CheckName(const InstructionHead& head);
  Instruction* AddInstruction(ComputationScope& scope, const InstructionHead& head,
                              OperandList& operands);
  void FitToShape(Instruction* instruction);
  void NoteParameter(ComputationScope& scope, Instruction* parameter);

  // operand_parser.cc
  bool AtShape();
  NamedInstruction FindOperand(ComputationScope& scope, std::string_view name, Range range,
                               const Shape* shape, OperandList* operands);
  void ReportImplied(const SmallVector<Instruction*, 4>& operands, const Shape& shape);
  bool ImplyShapes(Instruction* instruction, const InstructionHead& head,
                   const SmallVector<Instruction*, 4>& shapeless);
  bool ParseOperands(ComputationScope& scope, OperandList* operands);
  bool ParseOperand(ComputationScope& scope, OperandList* operands);
  Instruction* ParseNested(ComputationScope& scope, std::optional<Shape> shape, Range shape_range,
                           bool* broken);
  Instruction* MakeParameter(ComputationScope& scope, std::string_view name, Range range,
                             Shape shape);
  Instruction* TupleElement(ComputationScope& scope, Instruction* tuple, int64_t index,
                            Range range);
  void ReportUnknownOperand(ComputationScope& scope, std::string_view name, Range range);
  void CheckOperandShape(const Instruction& operand, const Shape& written, Range range);

  // async_parser.cc
  bool ReadAsyncOpcode(std::string_view word, InstructionHead& head);
  bool JoinChain(ComputationScope& scope, Instruction* instruction, const InstructionHead& head,
                 AttrList wrapped_attrs);
  bool CheckAsyncShape(const Instruction& instruction);
  bool CheckAgainstChain(const AsyncChain& chain, const Instruction& instruction,
                         const InstructionHead& head);
  void FinishChains(ComputationScope& scope);

  Lexer lexer_;
  Module* module_;
  ModuleEditor editor_;
  Diagnostics& diagnostics_;
  ParseOptions options_;
  int depth_ = 0;
  int suggestions_left_ = 20;          // looking for a near name is linear in the names
  ComputationScope* scope_ = nullptr;  // of the innermost computation
  std::unordered_map<std::string_view, Computation*> computations_;
  std::unordered_set<const Region*> broken_computations_;  // parts are missing
  Computation* entry_ = nullptr;
  Range entry_range_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_MODULE_PARSER_H_
