// Imports StableHLO text as an HLO module.
#ifndef HLO_ENGINE_MLIR_IMPORTER_H_
#define HLO_ENGINE_MLIR_IMPORTER_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/budget.h"
#include "engine/base/diagnostics.h"
#include "engine/hlo/ir.h"

namespace hlo {

/// Whether a text looks like MLIR (and not like HLO): the first line that is not blank or a comment
/// begins as only MLIR does.
bool LooksLikeMlir(std::string_view text);

/// The HLO opcode for an MLIR operation ("stablehlo.add"), if a single opcode suffices.
std::optional<Opcode> MlirOpcode(std::string_view name);
/// The names of all operations that are imported, with their dialects, in order.
std::vector<std::string> MlirOpNames();

/// An operation as it is usually written, from its name to its types, and what of it is to be
/// filled in: operands, required attributes, types. The result names are not part of it.
struct MlirForm {
  std::string text;
  std::vector<Range> stops;  ///< of `text`, in order
};
/// By the full name, of operations, functions and returns; the name alone for any other.
MlirForm MakeMlirForm(std::string_view name);

/// What is given about the entry's arguments, for programs with unknown sizes (`?`).
struct MlirArguments {
  /// By number, as input specifications (run/inputs.h): `f32[3,4]`, `tensor<3x4xf32>`, `3`. Only
  /// used where the program depends on them; integers with given values then become constants of
  /// the program.
  std::vector<std::string> specs;
  bool wanted = false;  ///< set by the import: what it makes depends on them
  /// An argument of the entry as written.
  struct Written {
    std::string name;  ///< without `%`
    std::string type;  ///< `tensor<?x4xf32>`
    Range range;       ///< of the name
    bool is_dynamic = false;
  };
  std::vector<Written> written;  ///< set by the import, by number
  size_t missing = 0;            ///< set by the import: faults that only say what is not given
};

/// Parses MLIR text and imports it; not yet verified. Functions become computations, `@main` the
/// entry; without one the entry calls every function without parameters. Instructions have the
/// names of their SSA values and places in the MLIR text. check.* ops become custom-calls, whose
/// targets are registered by the views. Every error is reported; null if nothing is usable. The
/// module may be run only if there was no error. Constants are allocated from `budget` (null: at
/// most 1 GiB each).
/// The module is static: every `?` becomes the size that follows from the arguments, and functions
/// are specialised per operand signature.
std::unique_ptr<Module> ImportMlir(std::string text, Diagnostics& diagnostics,
                                   Budget* budget = nullptr, MlirArguments* arguments = nullptr);

/// Replaces an MLIR type at the start of an input specification by the HLO shape: `tensor<3x4xf32>
/// iota` becomes `f32[3,4] iota`. Other specifications, and types without a shape, are returned
/// unchanged.
std::string HloInputSpec(std::string_view spec);

}  // namespace hlo

#endif  // HLO_ENGINE_MLIR_IMPORTER_H_
