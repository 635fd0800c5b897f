#include "engine/views/program_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/ops/custom_calls/custom_calls.h"
#include "engine/views/guard.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"

namespace hlo {
namespace {

/// Splits a value into its arrays, one after another.
class ArgumentReader {
 public:
  ArgumentReader(const std::vector<ProgramArgument>& arguments, Budget* budget)
      : arguments_(arguments), budget_(budget) {}

  Value Read(const Shape& shape) {
    if (shape.IsTuple()) {
      Value::Elements elements;
      for (const Shape& element : shape.elements()) elements.push_back(Read(element));
      return Value::Tuple(std::move(elements));
    }
    if (!shape.IsArray() && !shape.IsBuffer()) return Value();
    const Shape plain = Shape::Array(shape.element_type(), shape.dims());
    if (next_ >= arguments_.size()) Refuse(plain, "is not given");
    const ProgramArgument& argument = arguments_[next_];
    const auto* resident = std::get_if<ResidentArray>(&argument);
    Value value = resident ? Value(Fitting(resident->array, plain))
                           : Value(FromBytes(std::get<std::vector<std::byte>>(argument), plain));
    ++next_;
    return value;
  }
  void WantEnd() const {
    if (next_ == arguments_.size()) return;
    throw RunError(DiagCode::kInputInvalid, fmt::format("{} arrays are given, but the parameters "
                                                        "have {}",
                                                        arguments_.size(), next_));
  }

 private:
  // The buffer is shared: nothing is written to one that somebody else holds.
  Tensor Fitting(const Tensor& array, const Shape& shape) const {
    if (array.element_type() == shape.element_type() && array.dims() == shape.dims()) return array;
    Refuse(shape, fmt::format("is given as {}",
                              ShapeName(Shape::Array(array.element_type(), array.dims()))));
  }
  Tensor FromBytes(const std::vector<std::byte>& bytes, const Shape& shape) const {
    if (static_cast<int64_t>(bytes.size()) == shape.stored_bytes()) {
      return ReadArray(bytes.data(), shape, budget_);
    }
    Refuse(shape,
           fmt::format("needs {} bytes, but {} are given", shape.stored_bytes(), bytes.size()));
  }
  [[noreturn]] void Refuse(const Shape& shape, std::string_view why) const {
    throw RunError(DiagCode::kInputInvalid,
                   fmt::format("array {} of the parameters, {}, {}", next_, ShapeName(shape), why));
  }

  const std::vector<ProgramArgument>& arguments_;
  Budget* budget_;
  size_t next_ = 0;
};

void AppendArrays(const Value& value, const Budgets& budgets, std::vector<ResidentArray>* arrays) {
  if (value.is_tuple()) {
    for (const Value& element : value.elements()) AppendArrays(element, budgets, arrays);
  } else if (value.is_array()) {
    arrays->push_back({budgets, value.tensor()});
  }
}

Json ArraysJson(const Shape& shape) {
  Json json = Json::array();
  ForEachArray(shape, [&](const Shape& array) {
    json.push_back(ObjectJson({{"type", Text(array.element_type())},
                               {"dims", array.dims()},
                               {"data", JsArrayName(array.element_type())}}));
  });
  return json;
}

}  // namespace

CompiledProgram::CompiledProgram(std::shared_ptr<const Document> document,
                                 const RunRequest& request)
    : document_(std::move(document)),
      budget_(std::make_shared<Budget>(request.limits)),
      budgets_({budget_}),
      executor_(*document_->module(), request.options, budget_.get(), nullptr) {
  const Computation& entry = *document_->module()->entry();
  for (int i = 0; i < entry.parameter_count(); ++i) {
    ForEachArray(entry.parameter_shape(i), [&](const Shape& array) {
      has_places_ &= !IsSubByte(array.element_type());
      parameters_.push_back({Shape::Array(array.element_type(), array.dims()), nullptr});
    });
  }
  ForEachArray(entry.result_shape(), [&](const Shape& array) {
    result_shapes_.push_back(Shape::Array(array.element_type(), array.dims()));
  });
  ShowPlaces();
}

std::vector<Value> CompiledProgram::Values(const std::vector<ProgramArgument>& arguments) {
  const Computation& entry = *document_->module()->entry();
  ArgumentReader reader(arguments, budget_.get());
  std::vector<Value> args;
  args.reserve(static_cast<size_t>(entry.parameter_count()));
  for (int i = 0; i < entry.parameter_count(); ++i) {
    args.push_back(reader.Read(entry.parameter_shape(i)));
  }
  reader.WantEnd();
  return args;
}

std::optional<Value> CompiledProgram::Run(FunctionRef<std::vector<Value>()> make_arguments,
                                          Diagnostics& diagnostics) {
  std::optional<Value> result;
  budget_->Restart();
  Guarded(diagnostics, [&] {
    if (executor_.Start(make_arguments()) == Executor::Status::kRunning) executor_.Run();
    if (executor_.status() == Executor::Status::kDone) {
      result = executor_.TakeResult();
    } else {
      executor_.Report(diagnostics);
    }
  });
  return result;
}

CompiledProgram::Outcome CompiledProgram::Execute(const std::vector<ProgramArgument>& arguments) {
  Outcome outcome;
  for (const ProgramArgument& argument : arguments) {
    const auto* resident = std::get_if<ResidentArray>(&argument);
    if (resident) budgets_.insert(resident->budgets.begin(), resident->budgets.end());
  }
  auto result = Run([&] { return Values(arguments); }, outcome.diagnostics);
  if (result) {
    Guarded(outcome.diagnostics, [&] { AppendArrays(*result, budgets_, &outcome.results); });
  }
  outcome.seconds = budget_->seconds_used();
  return outcome;
}

// ---- Places -------------------------------------------------------------------------------------

void CompiledProgram::ShowPlaces() {
  places_.resize(parameters_.size() + result_shapes_.size());
  size_t next = 0;
  for (const PlacedArray& parameter : parameters_) {
    places_[next++] = parameter.buffer ? parameter.buffer->data() : nullptr;
  }
  for (size_t i = 0; i < result_shapes_.size(); ++i) {
    places_[next++] = i < results_.size() && results_[i] ? results_[i]->data() : nullptr;
  }
}

bool CompiledProgram::MakeRoom(size_t i) {
  faults_ = Diagnostics();
  return Guarded(faults_, [&] {
    PlacedArray& parameter = parameters_[i];
    parameter.buffer.reset();
    parameter.buffer =
        Buffer::Allocate(static_cast<size_t>(parameter.shape.stored_bytes()), budget_.get());
    parameter.is_callers = true;
    places_[i] = parameter.buffer->data();
  });
}

bool CompiledProgram::Place(size_t i, const ResidentArray& array) {
  faults_ = Diagnostics();
  return Guarded(faults_, [&] {
    PlacedArray& parameter = parameters_[i];
    const Shape given = Shape::Array(array.array.element_type(), array.array.dims());
    if (!Shape::Compatible(given, parameter.shape) || !array.array.dynamic_sizes().empty()) {
      throw RunError(DiagCode::kInputInvalid,
                     fmt::format("array {} of the parameters, {}, is given as {}", i,
                                 ShapeName(parameter.shape), ShapeName(given)));
    }
    budgets_.insert(array.budgets.begin(), array.budgets.end());
    parameter.buffer = array.array.buffer();
    parameter.is_callers = false;
    places_[i] = parameter.buffer->data();
  });
}

bool CompiledProgram::Call(bool consumes) {
  if (!faults_.empty()) faults_ = Diagnostics();
  if (is_running_) {
    faults_.Report(DiagCode::kNotExecutable, {}, "the program is running: it cannot call itself");
    return false;
  }
  is_running_ = true;
  const auto run = [&] {
    RunPlaced(consumes);
    SeparateResults();
  };
  const bool ok = Guarded(faults_, run) && !faults_.has_errors();
  is_running_ = false;
  if (!ok) results_.clear();
  ShowPlaces();
  return ok;
}

void CompiledProgram::RunPlaced(bool consumes) {
  constexpr size_t kMostKept = size_t{64} << 10;
  arguments_.clear();
  for (size_t i = 0; i < parameters_.size(); ++i) {
    PlacedArray& parameter = parameters_[i];
    if (!parameter.buffer) {
      throw RunError(DiagCode::kInputInvalid,
                     fmt::format("array {} of the parameters, {}, is not given", i,
                                 ShapeName(parameter.shape)));
    }
    arguments_.push_back(parameter.buffer);
    if (consumes && parameter.buffer->size() > kMostKept) parameter.buffer.reset();
  }
  if (!executor_.RunsOnArrays()) {
    RunValues();
    return;
  }
  budget_->RestartAtPoll();
  if (executor_.RunArrays(&arguments_, &results_) != Executor::Status::kDone) {
    executor_.Report(faults_);
  }
}

// The same for programs that go instruction by instruction.
void CompiledProgram::RunValues() {
  results_.clear();
  size_t next = 0;
  const auto value = Run(
      [&] {
        const Computation& entry = *document_->module()->entry();
        std::vector<Value> values;
        for (int i = 0; i < entry.parameter_count(); ++i) {
          values.push_back(ValueOfBuffers(entry.parameter_shape(i), &arguments_, &next));
        }
        return values;
      },
      faults_);
  if (value) AppendBuffers(*value, &results_);
}

// A result may be an array of the parameters as it was given (a reshape of it, or itself), which
// the caller writes anew for the next call: then it is copied.
void CompiledProgram::SeparateResults() {
  for (std::shared_ptr<Buffer>& result : results_) {
    if (!result || result.use_count() == 1) continue;
    const auto is_it = [&](const PlacedArray& parameter) {
      return parameter.is_callers && parameter.buffer == result;
    };
    if (std::none_of(parameters_.begin(), parameters_.end(), is_it)) continue;
    const std::shared_ptr<Buffer> given = result;
    result = Buffer::Allocate(given->size(), budget_.get());
    std::memcpy(result->data(), given->data(), given->size());
  }
}

ResidentArray CompiledProgram::TakeResult(size_t i) {
  const Shape& shape = result_shapes_[i];
  const int64_t count = shape.stored_bytes() / BytesOf(shape.element_type());
  places_[parameters_.size() + i] = nullptr;
  return {budgets_, Tensor(shape.element_type(), shape.dims(), count, std::move(results_[i]))};
}

void CompiledProgram::DropResults() {
  results_.clear();
  ShowPlaces();
}

std::vector<uint8_t> ArrayBytes(const Tensor& array) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(array.bytes());
  return {bytes, bytes + array.byte_size()};
}

std::string_view JsArrayName(ElementType type) {
  switch (type) {
    case ElementType::kF32:
    case ElementType::kC64:
      return "Float32Array";
    case ElementType::kF64:
    case ElementType::kC128:
      return "Float64Array";
    case ElementType::kS64:
      return "BigInt64Array";
    case ElementType::kU64:
      return "BigUint64Array";
    default:
      break;
  }
  const bool is_signed = IsSigned(type);
  switch (BytesOf(type)) {
    case 4:
      return is_signed ? "Int32Array" : "Uint32Array";
    case 2:
      return is_signed ? "Int16Array" : "Uint16Array";
    default:
      return is_signed ? "Int8Array" : "Uint8Array";
  }
}

std::string CompileJson(const Document& document, const CompiledProgram* program, int handle) {
  Json parameters = Json::array(), results = Json::array();
  if (program) {
    const Computation& entry = *document.module()->entry();
    for (int i = 0; i < entry.parameter_count(); ++i) {
      for (Json& array : ArraysJson(entry.parameter_shape(i))) {
        parameters.push_back(std::move(array));
      }
    }
    results = ArraysJson(entry.result_shape());
  }
  return JsonText(
      ObjectJson({{"ok", program != nullptr},
                  {"program", handle},
                  {"parameters", std::move(parameters)},
                  {"results", std::move(results)},
                  {"diagnostics", DiagnosticsJson(document.diagnostics(), document.map())}}));
}

std::string FaultsJson(const Document& document, const Diagnostics& faults) {
  return JsonText(DiagnosticsJson(faults, document.map()));
}

std::string ExecuteJson(const Document& document, const CompiledProgram::Outcome& outcome,
                        const std::vector<int>& values) {
  return JsonText(
      ObjectJson({{"ok", !outcome.diagnostics.has_errors()},
                  {"seconds", outcome.seconds},
                  {"values", values},
                  {"diagnostics", DiagnosticsJson(outcome.diagnostics, document.map())}}));
}

}  // namespace hlo
