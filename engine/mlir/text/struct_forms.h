// The fields of StableHLO's struct attributes: the reader refuses unknown ones, the printer writes
// them in order.
#ifndef HLO_MLIR_STRUCT_FORMS_H_
#define HLO_MLIR_STRUCT_FORMS_H_

#include <string>
#include <string_view>

#include "engine/mlir/text/syntax.h"

namespace hlo::mlir {

/// A struct attribute, as in `#stablehlo.dot<lhs_contracting_dimensions = [1], ...>` (StableHLO,
/// StablehloAttrs.td).
struct StructForm {
  std::string_view name;    ///< Without the dialect.
  std::string_view fields;  ///< In the order in which they are printed, with spaces between them.
  /// Fields that are empty or 0 are printed too.
  bool shows_all = false;
  /// A comma may follow the last field.
  bool takes_comma = false;
  bool needs_all = false;  ///< No field may be left out.
};

/// The struct of `dot` or `stablehlo.dot`; null for an attribute that is not a struct.
const StructForm* FindStruct(std::string_view name);

/// Whether a comma may follow the last thing in `#stablehlo.name<...>`.
bool TakesLastComma(std::string_view name);

/// The error in the fields of `#stablehlo.name<...>`: a name that StableHLO does not have, or an
/// unknown or duplicate field; empty if there is none.
std::string StructFault(const Attr& attr);

}  // namespace hlo::mlir

#endif  // HLO_MLIR_STRUCT_FORMS_H_
