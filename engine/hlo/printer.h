// A module to HLO text. parse(print(m)) equals m.
// Source: XLA, hlo/ir/hlo_module.cc, hlo_computation.cc and hlo_instruction.cc (Print),
// hlo/ir/hlo_print_options.h.
#ifndef HLO_ENGINE_HLO_PRINTER_H_
#define HLO_ENGINE_HLO_PRINTER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "engine/hlo/ir.h"

namespace hlo {

/// How to print. The default is the canonical form of this project: XLA's short parsable form with
/// whole constants.
struct PrintOptions {
  bool percent = false;     ///< `%name`
  bool signatures = false;  ///< `(p: f32[2]) -> f32[2]` after computation names
  bool metadata = true;
  bool backend_config = true;
  bool control_dependencies = true;
  bool operand_shapes = false;
  bool result_shapes = true;
  bool layouts = true;
  bool operand_index_comments = false;  ///< `/*index=5*/`
  /// XLA's order instead of the text's: operands and callees first, as a walk from the results
  /// meets them. The instructions of scheduled modules keep their order.
  bool post_order = false;
  int64_t max_constant_elements = -1;  ///< larger constants print as {...}; -1: no limit
  /// XLA's HloModule::ToString() "short parsable" and its long style.
  static PrintOptions ShortParsable();
  static PrintOptions Long();
};

/// Something of the source that begins a line of the printed text: byte offsets of both.
struct PrintedPlace {
  uint32_t source = 0;
  uint32_t printed = 0;
  bool is_instruction = false;  ///< else a computation
};

/// With `places`, what of the source was printed where, in the order of the printed text. What no
/// text says (computations and parameters that the parser made up) has none.
std::string PrintModule(const Module& module, const PrintOptions& options = {},
                        std::vector<PrintedPlace>* places = nullptr);
std::string PrintInstruction(const Instruction& instruction, const PrintOptions& options = {});

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_PRINTER_H_
