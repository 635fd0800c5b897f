#include "engine/views/program_view.h"

#include <fmt/format.h>

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
      executor_(*document_->module(), request.options, budget_.get(), nullptr) {}

std::vector<Value> CompiledProgram::Values(const std::vector<ProgramArgument>& arguments) {
  const Computation& entry = *document_->module()->entry();
  ArgumentReader reader(arguments, budget_.get());
  std::vector<Value> args;
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
    Guarded(outcome.diagnostics,
            [&] { AppendArrays(std::move(*result), budgets_, &outcome.results); });
  }
  outcome.seconds = budget_->seconds_used();
  return outcome;
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

std::string ExecuteJson(const Document& document, const CompiledProgram::Outcome& outcome,
                        const std::vector<int>& values) {
  return JsonText(
      ObjectJson({{"ok", !outcome.diagnostics.has_errors()},
                  {"seconds", outcome.seconds},
                  {"values", values},
                  {"diagnostics", DiagnosticsJson(outcome.diagnostics, document.map())}}));
}

}  // namespace hlo
