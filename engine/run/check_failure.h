// A check that does not hold: the run goes on, and fails at its end.
#ifndef HLO_ENGINE_RUN_CHECK_FAILURE_H_
#define HLO_ENGINE_RUN_CHECK_FAILURE_H_

#include <string>
#include <utility>
#include <vector>

#include "engine/base/budget.h"
#include "engine/run/executor.h"
#include "engine/types/tensor.h"

namespace hlo {

/// Thrown by the target of a custom-call; the executor notes it and goes on with `result` as the
/// instruction's value.
class CheckFailure : public RunError {
 public:
  explicit CheckFailure(std::string message)
      : RunError(DiagCode::kRuntimeError, std::move(message)), result(Value::Tuple({})) {}
  /// Of checks inside of a run that the instruction started.
  CheckFailure(std::vector<RunFailure> failures, Value value)
      : RunError(DiagCode::kRuntimeError, "checks do not hold"),
        inner(std::move(failures)),
        result(std::move(value)) {}

  std::vector<RunFailure> inner;
  Value result;
};

}  // namespace hlo

#endif  // HLO_ENGINE_RUN_CHECK_FAILURE_H_
