// What the JSON of a program with inputs and expected outputs says. Cases are written by hand and
// by scripts: a field may have any form whose meaning is clear. What is malformed is thrown, as an
// exception of the JSON library or std::runtime_error.
#ifndef HLO_TESTS_CONFORMANCE_EXEC_CASE_H_
#define HLO_TESTS_CONFORMANCE_EXEC_CASE_H_

#include <cstddef>
#include <map>
#include <string>

#include "engine/run/compare.h"
#include "engine/views/json.h"
#include "engine/views/run_view.h"

namespace hlo {

/// The field, or null where it is absent or null itself.
const nlohmann::json* FindField(const nlohmann::json& test, const char* name);

/// A literal's text. Numbers and lists of them are literals without a shape.
std::string TextOf(const nlohmann::json& literal);

/// How close results must be; exactly equal where the case does not say.
Tolerance ToleranceOf(const nlohmann::json& test);

/// Inputs and numbers of devices. `inputs` holds literals for all devices, or a list or an object
/// of such lists, one for each device.
RunRequest RequestOf(const nlohmann::json& test);

/// `expected_per_device` by device (replica * partitions + partition): an object whose keys are
/// devices, or `replica,partition`; a list by device; or a list by replica of lists by partition.
/// Where results are tuples, the innermost lists hold their elements.
std::map<size_t, nlohmann::json> ExpectedByDevice(const nlohmann::json& test, size_t partitions,
                                                  bool is_tuple);

}  // namespace hlo

#endif  // HLO_TESTS_CONFORMANCE_EXEC_CASE_H_
