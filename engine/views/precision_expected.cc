#include "engine/views/precision_expected.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>
#include <string_view>
#include <utility>

#include "engine/io/npy.h"
#include "engine/mlir/importer.h"
#include "engine/precision/widened_types.h"
#include "engine/run/inputs.h"
#include "engine/types/literal.h"

namespace hlo {
namespace {

// "expected value" or "expected value {1,0}", of an element of a tuple.
std::string NameOfExpected(const ExpectedValue& expected) {
  if (expected.path.empty()) return "the expected value";
  return fmt::format("the expected value of element {{{}}}", fmt::join(expected.path, ","));
}

// The part of a result that a value is expected of; null where there is none.
const Shape* ExpectedPart(const Shape& result, const std::vector<int64_t>& path) {
  const Shape* shape = &result;
  for (const int64_t i : path) {
    if (!shape->IsTuple() || i < 0 || i >= static_cast<int64_t>(shape->elements().size())) {
      return nullptr;
    }
    shape = &shape->elements()[static_cast<size_t>(i)];
  }
  return shape;
}

class ExpectedReader {
 public:
  ExpectedReader(const ExpectedValue& expected, const RunRequest& request, Budget* budget,
                 Diagnostics& faults)
      : expected_(expected), request_(request), budget_(budget), faults_(faults) {}

  // The value, of the dimensions of `part`; nothing after a fault.
  std::optional<Value> Read(const Shape& part) {
    if (expected_.file) return ReadFile(part);
    const std::string spec = HloInputSpec(expected_.text);
    if (spec.find_first_not_of(" \t\r\n") == std::string::npos) return Refuse("nothing is given");
    if (spec.find('[') != std::string::npos) return ReadShaped(spec, part);
    Diagnostics trial;
    auto value = MakeInput(spec, WidenedShape(part, ElementType::kF64), 0, request_.options.seed,
                           budget_, trial, {}, request_.options.input_forms);
    if (value) return value;
    return Refuse(trial.list().empty() ? "not understood" : trial.list().front().message);
  }

 private:
  std::optional<Value> Refuse(std::string_view why) {
    faults_.Report(DiagCode::kInputInvalid, Range{},
                   fmt::format("{}: {}", NameOfExpected(expected_), why));
    return std::nullopt;
  }

  std::optional<Value> ReadFile(const Shape& part) {
    if (part.IsTuple()) {
      return Refuse(
          "a file holds one array, but the result is a tuple: say which element it is of");
    }
    Diagnostics trial;
    auto tensor = ParseNpy(*expected_.file,
                           part.IsArray() ? std::optional(part.element_type()) : std::nullopt,
                           trial, budget_);
    if (!tensor) {
      return Refuse(trial.list().empty() ? "no .npy file" : trial.list().front().message);
    }
    const Shape shape = Shape::Array(tensor->element_type(), tensor->dims());
    return Fitting(Value(std::move(*tensor)), shape, part);
  }

  std::optional<Value> ReadShaped(const std::string& spec, const Shape& part) {
    Diagnostics trial;
    auto shaped = ParseShapedLiteral(spec, trial, budget_);
    if (!shaped) return Refuse(trial.list().front().message);
    if (shaped->literal.elided) return Refuse("its elements are left out");
    Value whole = WholeValue(shaped->literal.value, shaped->shape, budget_);
    return Fitting(std::move(whole), shaped->shape, part);
  }

  std::optional<Value> Fitting(Value value, const Shape& shape, const Shape& part) {
    if (HaveSameDims(shape, part)) return value;
    return Refuse(fmt::format("it is {}, but the result is {}", ShapeName(shape), ShapeName(part)));
  }

  const ExpectedValue& expected_;
  const RunRequest& request_;
  Budget* budget_;
  Diagnostics& faults_;
};

const Value& PartOf(const Value& result, const std::vector<int64_t>& path) {
  const Value* value = &result;
  for (const int64_t i : path) value = &value->elements()[static_cast<size_t>(i)];
  return *value;
}

void CompareOne(const RunRecord& record, const std::vector<int64_t>& path, const Value& expected,
                PairedReport* report) {
  const auto devices = static_cast<int64_t>(record.devices.empty() ? 1 : record.devices.size());
  for (int64_t device = 0; device < devices; ++device) {
    const Value& result = record.devices.empty()
                              ? *record.output
                              : *record.devices[static_cast<size_t>(device)].output;
    for (ArrayError& array :
         ArrayErrorsOf(PartOf(result, path), expected, device, PairedReport::kWorstElements)) {
      array.path.insert(array.path.begin(), path.begin(), path.end());
      array.error.path = array.path;
      report->results.push_back(array.error);
      report->arrays.push_back(std::move(array));
    }
  }
}

}  // namespace

bool HaveSameDims(const Shape& a, const Shape& b) {
  if (a.IsTuple() != b.IsTuple()) return false;
  if (!a.IsTuple()) {
    return a.IsArray() == b.IsArray() && (!a.IsArray() || a.dims() == b.dims());
  }
  if (a.elements().size() != b.elements().size()) return false;
  for (size_t i = 0; i < a.elements().size(); ++i) {
    if (!HaveSameDims(a.elements()[i], b.elements()[i])) return false;
  }
  return true;
}

void CompareExpected(const RunRecord& record, const std::vector<ExpectedValue>& expected,
                     const RunRequest& request, PairedReport* report, Diagnostics& faults) {
  const Shape& result = record.entry().result_shape();
  for (const ExpectedValue& each : expected) {
    const auto overlaps = [&each](const ExpectedValue& other) {
      return &other != &each &&
             std::equal(each.path.begin(),
                        each.path.begin() + std::min(std::ssize(each.path), std::ssize(other.path)),
                        other.path.begin());
    };
    if (std::any_of(expected.begin(), expected.begin() + (&each - expected.data()), overlaps)) {
      faults.Report(DiagCode::kInputInvalid, Range{},
                    fmt::format("{} is given twice", NameOfExpected(each)));
      continue;
    }
    const Shape* const part = ExpectedPart(result, each.path);
    if (!part) {
      faults.Report(DiagCode::kInputInvalid, Range{},
                    fmt::format("{}: the result is {}", NameOfExpected(each), ShapeName(result)));
      continue;
    }
    const auto value = ExpectedReader(each, request, record.budget.get(), faults).Read(*part);
    if (value && !faults.has_errors()) CompareOne(record, each.path, *value, report);
  }
}

}  // namespace hlo
