// StableHLO text to the program that every later room reads.
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

/// Whether a text looks like MLIR (and not like HLO): its first line that says anything begins as
/// only MLIR does.
bool LooksLikeMlir(std::string_view text);

/// The HLO operation that does what an MLIR operation does ("stablehlo.add"), if one alone does.
std::optional<Opcode> MlirOpcode(std::string_view name);
/// The names of all operations that are imported, with their dialects, in order.
std::vector<std::string> MlirOpNames();

/// What is given of the entry's arguments, for programs with sizes that are not written (`?`).
struct MlirArguments {
  /// By number, in the form of inputs (run/inputs.h): `f32[3,4]`, `tensor<3x4xf32>`, `3`. Used
  /// where the program depends on them: then integers whose values are given are constants of it.
  std::vector<std::string> specs;
  bool wanted = false;  ///< set by the import: what it makes depends on them
  /// An argument of the entry as it is written.
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
/// entry; without one the entry calls every function that takes nothing. Instructions have the
/// names of their SSA values and places in the MLIR text. check.* ops become custom-calls, whose
/// targets are registered by the views. Every fault is reported; null when nothing is usable. The
/// module may be run only if there was no error. Constants are allocated from `budget` (null: at
/// most 1 GiB each).
/// The module is static: every `?` becomes the size that follows from the arguments, and functions
/// are made once for every way they are called.
std::unique_ptr<Module> ImportMlir(std::string text, Diagnostics& diagnostics,
                                   Budget* budget = nullptr, MlirArguments* arguments = nullptr);

/// An input's specification with the HLO shape in the place of an MLIR type that it begins with:
/// `tensor<3x4xf32> iota` is `f32[3,4] iota`. Others, and types that are no shape, as they are.
std::string HloInputSpec(std::string_view spec);

}  // namespace hlo

#endif  // HLO_ENGINE_MLIR_IMPORTER_H_
