// Generated code as text.
#ifndef HLO_ENGINE_CODEGEN_CODE_TEXT_H_
#define HLO_ENGINE_CODEGEN_CODE_TEXT_H_

#include <span>
#include <string>
#include <vector>

#include "engine/base/function_ref.h"
#include "engine/codegen/function_writer.h"

namespace hlo {

/// A module that RegionModule made, in the text format of WebAssembly: what an assembler makes the
/// same module of.
std::string ModuleText(std::span<const uint8_t> module);

/// The same with comments: what the code is of.
struct CommentedCode {
  std::string text;
  /// By line: the step that it belongs to, or CodeNote::kNoStep.
  std::vector<size_t> steps;
};
/// `notes`: those of RegionModule. `name_of` says what to call a step; steps in a row of the same
/// name have one comment.
CommentedCode CommentedModuleText(std::span<const uint8_t> module,
                                  std::span<const std::vector<CodeNote>> notes,
                                  FunctionRef<std::string(size_t step)> name_of);

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_CODE_TEXT_H_
