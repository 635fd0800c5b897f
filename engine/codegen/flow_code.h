// A whole loop of an island as one function.
#ifndef HLO_ENGINE_CODEGEN_FLOW_CODE_H_
#define HLO_ENGINE_CODEGEN_FLOW_CODE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/codegen/function_writer.h"
#include "engine/plan/flow.h"

namespace hlo {

/// The module with the function of a flow (FlowCode, plan/region_code.h), and the arrays it needs.
struct FlowModule {
  CodeBytes module;
  /// Bytes of each; the first are those of the arrays of the state.
  std::vector<int64_t> buffers;
};

/// Nothing if there is no code for one of the operations.
std::optional<FlowModule> ModuleOf(const Flow& flow);

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_FLOW_CODE_H_
