// Runs of a program with loops joined and without, and a comparison of their results.
#ifndef HLO_TESTS_UNIT_JOINED_RUNS_H_
#define HLO_TESTS_UNIT_JOINED_RUNS_H_

#include <cstring>
#include <utility>
#include <vector>

#include "doctest/doctest.h"
#include "engine/run/executor.h"
#include "engine/run/fill.h"
#include "engine/run/inputs.h"

namespace hlo {

/// The result for the same inputs at each call.
inline Value RunWith(const Module& module, bool joins) {
  RunOptions options;
  options.join_loops = joins;
  static Budget budget;  // the result is charged to it
  std::vector<Value> args;
  for (int i = 0; i < module.entry()->parameter_count(); ++i) {
    args.push_back(
        MakeFilled(module.entry()->parameter_shape(i), {}, 7 + static_cast<uint64_t>(i), nullptr));
  }
  Executor executor(module, options, &budget, nullptr);
  executor.Start(std::move(args));
  REQUIRE(executor.Run() == Executor::Status::kDone);
  return executor.result();
}

inline void CheckSameBits(const Value& a, const Value& b) {
  REQUIRE(a.is_tuple() == b.is_tuple());
  if (a.is_tuple()) {
    REQUIRE(a.elements().size() == b.elements().size());
    for (size_t i = 0; i < a.elements().size(); ++i)
      CheckSameBits(a.elements()[i], b.elements()[i]);
    return;
  }
  REQUIRE(a.tensor().dims() == b.tensor().dims());
  const auto bytes = static_cast<size_t>(a.tensor().byte_size());
  CHECK(std::memcmp(a.tensor().bytes(), b.tensor().bytes(), bytes) == 0);
}

}  // namespace hlo

#endif  // HLO_TESTS_UNIT_JOINED_RUNS_H_
