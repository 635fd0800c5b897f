#include "engine/views/run_inputs.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "engine/base/byte_count.h"
#include "engine/io/npy.h"
#include "engine/mlir/importer.h"
#include "engine/plan/value_uses.h"
#include "engine/run/inputs.h"
#include "engine/types/literal.h"

namespace hlo {
namespace {

// Where in a short specification a fault is: " (column 4: sn)"; "" where it is about all of it.
std::string PlaceIn(std::string_view spec, Range range) {
  constexpr size_t kLongest = 200;
  const bool is_part = range.begin > 0 || range.end < spec.size();
  if (!is_part || spec.size() > kLongest || range.begin > spec.size()) return "";
  const std::string_view part = spec.substr(range.begin, range.end - range.begin);
  return part.empty() ? fmt::format(" (at the end of {})", spec)
                      : fmt::format(" (column {} of {})", range.begin + 1, spec);
}

// Reports the errors of an input at its parameter; their ranges are in the specification, which is
// not part of the text.
void ReportInput(const Instruction& parameter, size_t number, std::string_view spec,
                 const Diagnostics& faults, Diagnostics& out) {
  for (const Diagnostic& fault : faults.list()) {
    out.Report(
        fault.code, parameter.places().whole,
        fmt::format("input {} ({} {}): {}{}", number, parameter.name(),
                    ShapeName(parameter.shape()), fault.message, PlaceIn(spec, fault.range)));
  }
}

const InputFile* FindFile(const RunRequest& request, size_t number) {
  for (const InputFile& file : request.files) {
    if (file.parameter == static_cast<int64_t>(number)) return &file;
  }
  return nullptr;
}

// Makes the inputs of a run: each once, however many devices share it. All errors are reported.
class InputMaker {
 public:
  InputMaker(RunRecord& record, const RunRequest& request)
      : record_(record),
        request_(request),
        shared_(record.entry().parameters().size()),
        own_(request.device_inputs.size()) {}

  // What all devices get of one parameter; nothing after errors.
  std::optional<Value> MakeShared(size_t parameter) {
    if (parameter >= shared_.size()) return std::nullopt;
    Value value = SharedValue(parameter);
    if (record_.diagnostics.has_errors()) return std::nullopt;
    return value;
  }

  // False after errors.
  bool MakeAll() {
    for (int64_t device = 0; device < record_.grid.count(); ++device) {
      RunRecord::Device& made = record_.devices.emplace_back();
      for (size_t i = 0; i < shared_.size(); ++i) made.inputs.push_back(ValueOf(device, i));
    }
    record_.inputs = record_.devices[0].inputs;
    if (record_.devices.size() == 1) record_.devices.clear();
    CheckNumbers();
    return !record_.diagnostics.has_errors();
  }

 private:
  const Value& ValueOf(int64_t device, size_t parameter) {
    for (size_t i = own_.size(); i-- > 0;) {
      const DeviceInput& input = request_.device_inputs[i];
      if (input.parameter != static_cast<int64_t>(parameter)) continue;
      if (!input.devices.Has(device, record_.grid)) continue;
      if (!own_[i]) own_[i] = Make(parameter, input.file ? &*input.file : nullptr, input.spec);
      return *own_[i];
    }
    return SharedValue(parameter);
  }

  const Value& SharedValue(size_t parameter) {
    std::optional<Value>& value = shared_[parameter];
    if (value) return *value;
    const std::string_view spec = parameter < request_.inputs.size()
                                      ? std::string_view(request_.inputs[parameter])
                                      : std::string_view();
    value = Make(parameter, FindFile(request_, parameter), spec);
    return *value;
  }

  Value Make(size_t parameter, const InputFile* file, std::string_view given) {
    const Instruction& at = *record_.entry().parameters()[parameter];
    Diagnostics faults;
    Budget* budget = record_.budget.get();
    const std::string spec = HloInputSpec(given);
    auto value =
        file ? MakeInputFromNpy(file->bytes, at.shape(), budget, faults, spec,
                                request_.options.input_forms)
             : MakeInput(spec, at.shape(), static_cast<int64_t>(parameter), request_.options.seed,
                         budget, faults, LargestOf(spec, at), request_.options.input_forms);
    ReportInput(at, parameter, spec.starts_with('@') ? std::string_view() : spec, faults,
                record_.diagnostics);
    return value ? std::move(*value) : Value();
  }

  // Of an input that is left to the default: what its integers are used for.
  std::vector<int64_t> LargestOf(std::string_view spec, const Instruction& parameter) {
    if (!spec.empty() && spec != "random") return {};
    if (!uses_) uses_.emplace(*record_.document->module());
    return uses_->LargestOf(parameter);
  }

  // Reports inputs for parameters or devices that do not exist.
  void CheckNumbers() {
    auto report = [&](std::string what) {
      record_.diagnostics.Report(DiagCode::kInputInvalid, record_.entry().name_range(),
                                 std::move(what));
    };
    const auto count = static_cast<int64_t>(shared_.size());
    auto report_none = [&](int64_t parameter) {
      report(fmt::format("input {} is given, but the entry computation has {}", parameter,
                         Counted(count, "parameter")));
    };
    for (size_t i = shared_.size(); i < request_.inputs.size(); ++i) {
      if (request_.inputs[i].empty()) continue;
      report_none(static_cast<int64_t>(i));
    }
    for (const DeviceInput& input : request_.device_inputs) {
      const DeviceSet& devices = input.devices;
      if (input.parameter < 0 || input.parameter >= count) {
        report_none(input.parameter);
      } else if (devices.replica >= record_.grid.replicas ||
                 devices.partition >= record_.grid.partitions) {
        report(
            fmt::format("input {} is given for replica {}, partition {}, but the run has {} and {}",
                        input.parameter, devices.replica, devices.partition,
                        Counted(record_.grid.replicas, "replica"),
                        Counted(record_.grid.partitions, "partition")));
      }
    }
  }

  RunRecord& record_;
  const RunRequest& request_;
  std::optional<ValueUses> uses_;
  std::vector<std::optional<Value>> shared_;  // by parameter
  std::vector<std::optional<Value>> own_;     // by device input
};

}  // namespace

std::vector<std::string> InputsOf(const RunRequest& request) {
  std::vector<std::string> specs;
  auto add = [&](int64_t parameter, const std::string& spec, const InputFile* file) {
    constexpr int64_t kMostParameters = 1 << 20;
    constexpr int64_t kMostElements = 256;
    if (parameter < 0 || parameter >= kMostParameters) return;
    const size_t number = static_cast<size_t>(parameter);
    if (specs.size() <= number) specs.resize(number + 1);
    if (!specs[number].empty()) return;
    if (!file) {
      specs[number] = spec;
      return;
    }
    Diagnostics faults;
    const auto tensor = ParseNpy(file->bytes, std::nullopt, faults, nullptr);
    if (!tensor) return;
    const Shape shape = Shape::Array(tensor->element_type(), tensor->dims());
    specs[number] = tensor->element_count() <= kMostElements
                        ? LiteralText(*tensor, shape, {.shape = true})
                        : ShapeName(shape);
  };
  for (const InputFile& file : request.files) add(file.parameter, "", &file);
  for (size_t i = 0; i < request.inputs.size(); ++i) {
    add(static_cast<int64_t>(i), request.inputs[i], nullptr);
  }
  for (const DeviceInput& input : request.device_inputs) {
    add(input.parameter, input.spec, input.file ? &*input.file : nullptr);
  }
  return specs;
}

std::optional<Value> MakeOneInput(RunRecord& record, const RunRequest& request, int64_t number) {
  if (number < 0) return std::nullopt;
  return InputMaker(record, request).MakeShared(static_cast<size_t>(number));
}

bool MakeInputs(RunRecord& record, const RunRequest& request) {
  return InputMaker(record, request).MakeAll();
}

}  // namespace hlo
