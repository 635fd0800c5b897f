// Prints a program as StableHLO's tools do.
#ifndef HLO_ENGINE_MLIR_TEXT_ASM_PRINTER_H_
#define HLO_ENGINE_MLIR_TEXT_ASM_PRINTER_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/work_limit.h"
#include "engine/mlir/text/op_forms.h"
#include "engine/mlir/text/syntax.h"
#include "engine/mlir/text/value_names.h"

namespace hlo::mlir {

/// A program as text, and where its ops are.
struct PrintedProgram {
  std::string text;
  std::vector<std::pair<uint32_t, uint32_t>> lines;  ///< Op::origin that is not 0, 0-based line
};

/// Prints a program in the form of `stablehlo-opt`: its module, or a new one around its functions;
/// values renumbered; custom assembly formats where ops have them; attributes sorted; no comments,
/// aliases or locations. Nothing for a program with an op that has no format.
std::optional<PrintedProgram> PrintProgram(const Program& program);

/// The state of one printing. Methods append to the text.
class AsmPrinter {
 public:
  explicit AsmPrinter(const Program& program) : program_(program), names_(DescribeNames) {}
  PrintedProgram Run();

  // For the assembly formats of single ops.
  void Text(std::string_view text) {
    CountText(text.size());
    out_.text += text;
  }
  void NewLine();
  void Value(const ValueName& value) { Text(NameOf(value)); }
  std::string NameOf(const ValueName& value) const { return names_.NameOf(value); }
  /// `%0, %1`.
  void Values(std::span<const ValueName> values);
  /// A type, an op's function type `(T, T) -> T`, or the types that the op's format wants after ` :
  /// `.
  void TypeOf(const Type& type);
  void Types(std::span<const Type* const> types);
  void FunctionType(const Op& op);
  void TypesOf(const Op& op, TypeForm form);
  /// An attribute; with `is_short` without the type that its position implies.
  void Attribute(const Attr& attr, bool is_short = false);
  /// The same alone.
  std::string TextOf(const Attr& attr);
  /// ` {a = 1 : i64}` with all attributes except some (space-separated); nothing if there are none.
  void Dictionary(const std::vector<Attr::Field>& attrs, std::string_view except = {},
                  std::string_view before = " ");
  /// ` {...}` with the attributes that the format does not have.
  void AttrDict(const Op& op, const OpForm& form, std::string_view except);
  /// A region in braces; with a block label if its arguments are to be shown.
  void RegionOf(const Op& op, size_t i, bool has_label);
  /// The generic form, after the op's name.
  void Generic(const Op& op, const OpForm& form);
  /// Enters a region only to name its arguments, which are printed before it.
  void BeginRegion(const Op& op, size_t i) { names_.Enter(op.regions[i], op, IsIsolated(op)); }
  void EndRegion() { names_.Leave(); }
  const Attr* Resolve(const Attr* attr) const;
  /// The attribute under its name, or under its name in the custom form.
  const Attr* Find(const Op& op, std::string_view name, std::string_view custom) const;
  /// The integers of a list in any form.
  std::vector<int64_t> Ints(const Attr* attr) const;
  void IntList(const std::vector<int64_t>& ints);
  /// `[b, 0, f]x[0, i, o]->[b, 0, f]`, the three lists.
  void ConvolutionDimensions(const Attr& lists);
  bool SameType(const Type* a, const Type* b) const;

 private:
  static ValueNames::OpNames DescribeNames(const Op& op);
  static bool IsIsolated(const Op& op);
  void PrintOp(const Op& op, std::string_view dialect);
  void Layout(const Op& op, const OpForm& form);
  void PrintLabel(const Block& block, size_t number);
  void Struct(const Attr& attr);
  void Array(const Attr& attr);
  void Dense(const Attr& attr);
  void Number(const Attr& attr, bool is_short);
  void Resources();

  const Program& program_;
  PrintedProgram out_;
  uint32_t line_ = 0;
  int indent_ = 0;
  ValueNames names_;
};

/// A type as MLIR prints it, with the program's aliases expanded.
std::string TypeText(const Type& type, const Program& program);
/// Whether an op's value is named at all: it has results.
size_t ResultCount(const Op& op);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_TEXT_ASM_PRINTER_H_
