// Programs with inputs and expected outputs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "engine/base/bits.h"
#include "engine/run/compare.h"
#include "engine/types/literal.h"
#include "engine/views/document.h"
#include "engine/views/json.h"
#include "engine/views/run_view.h"
#include "engine/views/target_families.h"
#include "tests/conformance/exec_case.h"
#include "tests/conformance/suites.h"
#include "tests/conformance/test_targets.h"

namespace hlo {
namespace {

using nlohmann::json;

std::vector<std::filesystem::path> FilesIn(const std::filesystem::path& folder,
                                           std::string_view extension) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Whether the bits of an unsigned integer are those of a NaN of that width (of 16 bits: in either
// format).
bool IsNanBits(const Tensor& tensor, int64_t i) {
  switch (tensor.element_type()) {
    case ElementType::kU16: {
      const uint16_t bits = tensor.data<uint16_t>()[i] & 0x7fff;
      return bits > 0x7c00;
    }
    case ElementType::kU32:
      return std::isnan(BitCast<float>(tensor.data<uint32_t>()[i]));
    case ElementType::kU64:
      return std::isnan(BitCast<double>(tensor.data<uint64_t>()[i]));
    default:
      return false;
  }
}

// Where the corpus says that only NaN is asked for, the bits of one NaN are as good as another's.
Value WithNansOf(const Value& actual, const Value& expected, const json& positions) {
  if (!actual.is_array() || !expected.is_array()) return actual;
  Tensor copy(actual.tensor().element_type(), actual.tensor().dims(), nullptr);
  const size_t bytes = static_cast<size_t>(BytesOf(copy.element_type()));
  std::memcpy(copy.mutable_bytes(), actual.tensor().bytes(), static_cast<size_t>(copy.byte_size()));
  for (const json& position : positions) {
    const int64_t i = position.get<int64_t>();
    if (i < 0 || i >= copy.element_count() || i >= expected.tensor().element_count()) continue;
    if (!IsNanBits(copy, i)) continue;
    std::memcpy(copy.mutable_bytes() + static_cast<size_t>(i) * bytes,
                expected.tensor().bytes() + static_cast<size_t>(i) * bytes, bytes);
  }
  return Value(std::move(copy));
}

std::unique_ptr<RunRecord> Run(const std::string& text, RunRequest request) {
  CustomCallTargets targets(AllTargets());
  AddTestTargets(targets);
  request.options.custom_calls = &targets;
  request.trace = false;
  request.limits.seconds = kCaseTimeLimit;
  return RunDocument(std::make_shared<const Document>(text), request);
}

// A literal as the case writes it; of numbers alone, it has the shape of the result.
std::optional<ShapedLiteral> ReadExpected(const std::string& text, const Value& value,
                                          Diagnostics& faults) {
  const bool is_bare = text.find('[') == std::string::npos && text.find('(') == std::string::npos;
  if (!is_bare || !value.is_array()) return ParseShapedLiteral(text, faults);
  const Tensor& tensor = value.tensor();
  const Shape shape = Shape::Array(tensor.element_type(), tensor.dims());
  return ParseShapedLiteral(ShapeText(shape) + " " + text, faults);
}

std::string CompareWith(const json& test, const Value& value, const json& expected);

std::string CompareElements(const json& test, const Value& value, const json& expected) {
  if (value.elements().size() != expected.size()) {
    return fmt::format("the result is a tuple of {}, expected {} elements", value.elements().size(),
                       expected.size());
  }
  for (size_t i = 0; i < expected.size(); ++i) {
    const std::string difference = CompareWith(test, value.elements()[i], expected[i]);
    if (!difference.empty()) return fmt::format("element {}: {}", i, difference);
  }
  return "";
}

// One value against its literal, in the corpus's tolerance. Elements of tuples may stand in a list,
// as may the one literal of an array.
std::string CompareWith(const json& test, const Value& value, const json& expected) {
  if (expected.is_array() && value.is_tuple()) return CompareElements(test, value, expected);
  if (expected.is_array() && expected.size() == 1 && expected[0].is_string()) {
    return CompareWith(test, value, expected[0]);
  }
  Diagnostics faults;
  const auto literal = ReadExpected(TextOf(expected), value, faults);
  if (!literal) return "the expected value is refused: " + FirstError(faults);
  const Value actual = test.contains("nan_positions")
                           ? WithNansOf(value, literal->literal.value, test.at("nan_positions"))
                           : value;
  const auto difference = Compare(actual, literal->literal.value, ToleranceOf(test));
  return difference ? difference->message : "";
}

// Every device that is named gives its value.
std::string CompareDevices(const json& test, const RunRecord& record) {
  const size_t count = std::max<size_t>(record.devices.size(), 1);
  const bool is_tuple = record.output->is_tuple();
  for (const auto& [device, expected] :
       ExpectedByDevice(test, static_cast<size_t>(record.grid.partitions), is_tuple)) {
    if (device >= count) return fmt::format("the run has no device {}", device);
    const Value& value = record.devices.empty() ? *record.output : *record.devices[device].output;
    const std::string difference = CompareWith(test, value, expected);
    if (!difference.empty()) return fmt::format("device {}: {}", device, difference);
  }
  return "";
}

std::string RunExecCase(const json& test) {
  const json* const one = FindField(test, "expected");
  if (!one && !FindField(test, "expected_per_device")) return "the case expects nothing";
  const auto record = Run(test.at("hlo"), RequestOf(test));
  if (!record->output) return FirstError(record->diagnostics);
  return FindField(test, "expected_per_device") ? CompareDevices(test, *record)
                                                : CompareWith(test, *record->output, *one);
}

// The op that a file of exec_rng_expanded spells out (from "rng_philox_u8" the algorithm), as
// (the state it is given, its new state, bits).
std::string RngModule(const std::string& stem, const Computation& expanded) {
  const std::string algorithm = stem.substr(0, stem.rfind('_'));
  const std::string state = ShapeText(expanded.parameter_shape(0));
  const std::string bits = ShapeText(expanded.result_shape().elements()[1]);
  return fmt::format(
      "ENTRY e {{\n"
      "  given = {0} parameter(0)\n"
      "  r = ({0}, {1}) rng-bit-generator(given), algorithm={2}\n"
      "  next = {0} get-tuple-element(r), index=0\n"
      "  bits = {1} get-tuple-element(r), index=1\n"
      "  ROOT t = ({0}, {0}, {1}) tuple(given, next, bits)\n}}\n",
      state, bits, algorithm);
}

std::vector<uint64_t> WordsOf(const Value& state) {
  const uint64_t* words = state.tensor().data<uint64_t>();
  return std::vector<uint64_t>(words, words + state.tensor().element_count());
}

// XLA's tests give some generators states of more words than they use. The expansion then returns
// the words in use only; the op returns a state of the shape it was given, as the verifier wants
// it, and leaves the other words as they were.
std::string CompareWithExpanded(const Value& op, const Value& expanded) {
  const auto difference = Compare(op.elements()[2], expanded.elements()[1], {});
  if (difference) return "bits: " + difference->message;
  std::vector<uint64_t> wanted = WordsOf(op.elements()[0]);
  const std::vector<uint64_t> in_use = WordsOf(expanded.elements()[0]);
  if (in_use.size() > wanted.size()) return "the expansion returns more state than it is given";
  std::copy(in_use.begin(), in_use.end(), wanted.begin());
  const std::vector<uint64_t> next = WordsOf(op.elements()[1]);
  if (next == wanted) return "";
  return fmt::format("new state {}, expected {}", fmt::join(next, ","), fmt::join(wanted, ","));
}

std::string RunExpanded(const std::string& stem, const std::string& text) {
  const Document document(text);
  if (!document.ok()) return FirstError(document.diagnostics());
  const std::string module = RngModule(stem, *document.module()->entry());
  for (const char* state : {"iota", "zero", "random", "uniform(0,18446744073709551615)"}) {
    RunRequest request;
    request.inputs = {state};
    const auto expanded = Run(text, request);
    const auto op = Run(module, request);
    if (!expanded->output) return FirstError(expanded->diagnostics);
    if (!op->output) return FirstError(op->diagnostics);
    const std::string difference = CompareWithExpanded(*op->output, *expanded->output);
    if (!difference.empty()) return fmt::format("state {}: {}", state, difference);
  }
  return "";
}

}  // namespace

std::vector<CaseResult> RunExecSuite(const std::filesystem::path& corpus, std::string_view name) {
  std::vector<CaseResult> results;
  for (const auto& file : FilesIn(corpus / name, ".json")) {
    results.push_back(RunGuarded(file.stem().string(), [&] {
      const json test = ReadJson(file);
      return test.is_object() ? RunExecCase(test) : "the file is no JSON object";
    }));
  }
  return results;
}

std::vector<CaseResult> RunExpandedRngSuite(const std::filesystem::path& corpus,
                                            std::string_view name) {
  std::vector<CaseResult> results;
  for (const auto& file : FilesIn(corpus / name, ".hlo")) {
    const std::string stem = file.stem().string();
    results.push_back(RunGuarded(stem, [&] { return RunExpanded(stem, ReadFile(file)); }));
  }
  return results;
}

}  // namespace hlo
