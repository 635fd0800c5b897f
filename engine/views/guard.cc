#include "engine/views/guard.h"

#include <fmt/format.h>

#include <exception>
#include <new>

#include "engine/base/budget.h"

namespace hlo {

void ReportCaught(Diagnostics& diagnostics) {
  try {
    throw;
  } catch (const RunError& error) {
    diagnostics.Report(error.code(), {}, error.message());
  } catch (const std::bad_alloc&) {
    diagnostics.Report(DiagCode::kMemoryExceeded, {}, "no memory is left");
  } catch (const std::exception& error) {
    diagnostics.Report(
        DiagCode::kInternalFault, {},
        fmt::format("a fault of this engine: {}. Please report it with the text", error.what()));
  } catch (...) {
    diagnostics.Report(DiagCode::kInternalFault, {},
                       "a fault of this engine. Please report it with the text");
  }
}

}  // namespace hlo
