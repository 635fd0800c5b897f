// Timings of running programs.
#ifndef HLO_TESTS_BENCH_RUN_BENCH_H_
#define HLO_TESTS_BENCH_RUN_BENCH_H_

#include <string>

namespace hlo {

/// One op after another, ns per element-step; and the loop that writes one row of a large array.
void BenchOps();

/// Copies of 64 MB from one layout into another, in percent of memcpy.
void BenchRelayout();

/// Runs the benchmark modules of an outside corpus to the end.
void BenchModules(const std::string& corpus);

}  // namespace hlo

#endif  // HLO_TESTS_BENCH_RUN_BENCH_H_
