// Assembly formats of the StableHLO, CHLO, check and interpreter dialects.
#ifndef HLO_ENGINE_MLIR_TEXT_OP_FORMS_H_
#define HLO_ENGINE_MLIR_TEXT_OP_FORMS_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/mlir/text/value_names.h"

namespace hlo::mlir {

/// Whether it is an op of Shardy that gives a value a sharding: `sdy.reshard %0 <@mesh, [{"x"}]>`.
inline bool IsSharder(std::string_view name) {
  return name == "sdy.sharding_constraint" || name == "sdy.reshard";
}

class AsmPrinter;
struct Op;

/// The types after the colon.
enum class TypeForm : uint8_t {
  kNone,      ///< none, nor a colon
  kSame,      ///< one, where operands and results are all of it; else as kFunction
  kFunction,  ///< `(operands) -> results`
  kArrow,     ///< `operands -> results`
  kPair,      ///< `operands -> (results)`
  kFirst,     ///< that of the first operand
  kOperands,  ///< those of the operands; nor a colon where there is no operand
  kResults,   ///< those of the results
  kSelect,    ///< of the predicate and the result; kFunction where the others are not the result's
  kComplex,   ///< of the result; kFunction where the operands are not of its parts
};

/// The custom assembly format of an op, or what its generic form needs.
struct OpForm {
  /// What follows the name: `%0` is an operand, `%*` all of them, `@name` an attribute, and what is
  /// between two `?` is omitted if its attribute is absent or has the default.
  /// The word before `= @name` is the attribute's name in the custom form. Empty: generic.
  std::string_view layout = {};
  TypeForm types = TypeForm::kFunction;
  /// Properties, which the generic form has between `<{` and `}>`.
  std::string_view inherent = {};
  /// `name=text;...`: default values, which the custom form omits.
  std::string_view defaults = {};
  NameHints names = {};
  bool has_results = true;
  /// The `item = ...` of a format that `print` writes, separated by spaces.
  std::string_view items = {};
  /// What an editor proposes behind the name, types included, where the layout and the row's
  /// attributes do not tell (op_samples.cc). To be filled in are the types, and what is between
  /// backquotes; `$reducer` is a region that adds. Of an op with a generic form it begins with `(`.
  std::string_view sample = {};
  /// Used instead of the layout: prints everything after the name.
  void (*print)(AsmPrinter& printer, const Op& op) = nullptr;
  /// The name hint for results, if it depends on the op.
  std::string_view (*hint)(const Op& op) = nullptr;

  bool is_generic() const { return layout.empty() && !print && types == TypeForm::kFunction; }
  bool is_none() const { return layout.empty() && !print && types == TypeForm::kNone; }
};

/// Whether a space-separated list contains a word.
bool HasWord(std::string_view words, std::string_view word);

/// The name that a layout gives to the attribute at this position: the word before the preceding
/// equals sign; empty for an attribute without a name.
std::string_view KeyBefore(std::string_view layout, size_t at);

/// The format of an op by its full name; null for one that StableHLO's tools do not know.
const OpForm* FindForm(std::string_view name);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_TEXT_OP_FORMS_H_
