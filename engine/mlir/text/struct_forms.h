// What StableHLO's attributes in angle brackets consist of: the reader refuses what they do not
// have, the printer writes their fields in order.
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
  /// Fields that are empty, or 0, are printed too.
  bool shows_all = false;
};

/// The form of `dot` or `stablehlo.dot`; null for an attribute that is no struct.
const StructForm* FindStruct(std::string_view name);

/// What is wrong with the parts of `#stablehlo.name<...>`: a name that StableHLO does not have, or
/// a field that the struct does not have or has twice; empty when nothing is.
std::string StructFault(const Attr& attr);

}  // namespace hlo::mlir

#endif  // HLO_MLIR_STRUCT_FORMS_H_
