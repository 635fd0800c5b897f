#include "engine/standalone/lane_functions.h"

namespace hlo {

CodeBytes WriteFunctionOfLane() {
  FunctionWriter writer(3);
  writer.Get(0);
  return writer.Finish();
}

}  // namespace hlo
