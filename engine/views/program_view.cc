#include "engine/views/program_view.h"

#include <fmt/format.h>

#include <utility>

#include "engine/ops/custom_calls/custom_calls.h"
#include "engine/views/guard.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"

namespace hlo {
namespace {

/// Calls visit(shape) for every array of a shape, in order.
template <typename Visit>
void ForEachArray(const Shape& shape, Visit visit) {
  if (shape.IsTuple()) {
    for (const Shape& element : shape.elements()) ForEachArray(element, visit);
  } else if (shape.IsArray() || shape.IsBuffer()) {
    visit(shape);
  }
}

/// Splits a value into its arrays, one after another.
class ArgumentReader {
 public:
  ArgumentReader(const std::vector<std::vector<std::byte>>& arrays, Budget* budget)
      : arrays_(arrays), budget_(budget) {}

  Value Read(const Shape& shape) {
    if (shape.IsTuple()) {
      Value::Elements elements;
      for (const Shape& element : shape.elements()) elements.push_back(Read(element));
      return Value::Tuple(std::move(elements));
    }
    if (!shape.IsArray() && !shape.IsBuffer()) return Value();
    const Shape plain = Shape::Array(shape.element_type(), shape.dims());
    if (next_ >= arrays_.size()) Refuse(plain, "is not given");
    const std::vector<std::byte>& bytes = arrays_[next_];
    if (static_cast<int64_t>(bytes.size()) != plain.stored_bytes()) {
      Refuse(plain,
             fmt::format("needs {} bytes, but {} are given", plain.stored_bytes(), bytes.size()));
    }
    ++next_;
    return Value(ReadArray(bytes.data(), plain, budget_));
  }
  void WantEnd() const {
    if (next_ == arrays_.size()) return;
    throw RunError(DiagCode::kInputInvalid, fmt::format("{} arrays are given, but the parameters "
                                                        "have {}",
                                                        arrays_.size(), next_));
  }

 private:
  [[noreturn]] void Refuse(const Shape& shape, std::string_view why) const {
    throw RunError(DiagCode::kInputInvalid,
                   fmt::format("array {} of the parameters, {}, {}", next_, ShapeName(shape), why));
  }

  const std::vector<std::vector<std::byte>>& arrays_;
  Budget* budget_;
  size_t next_ = 0;
};

void AppendArrays(const Value& value, CompiledProgram::Arrays* arrays) {
  if (value.is_tuple()) {
    for (const Value& element : value.elements()) AppendArrays(element, arrays);
  } else if (value.is_array()) {
    const Tensor& tensor = value.tensor();
    const auto* bytes = reinterpret_cast<const uint8_t*>(tensor.bytes());
    arrays->emplace_back(bytes, bytes + tensor.byte_size());
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
      budget_(request.limits),
      executor_(*document_->module(), request.options, &budget_, nullptr) {}

std::vector<Value> CompiledProgram::Arguments(const std::vector<std::vector<std::byte>>& arrays) {
  const Computation& entry = *document_->module()->entry();
  ArgumentReader reader(arrays, &budget_);
  std::vector<Value> args;
  for (int i = 0; i < entry.parameter_count(); ++i) {
    args.push_back(reader.Read(entry.parameter_shape(i)));
  }
  reader.WantEnd();
  return args;
}

CompiledProgram::Outcome CompiledProgram::Execute(
    const std::vector<std::vector<std::byte>>& arrays) {
  Outcome outcome;
  budget_.Restart();
  Guarded(outcome.diagnostics, [&] {
    if (executor_.Start(Arguments(arrays)) == Executor::Status::kRunning) executor_.Run();
    if (executor_.status() == Executor::Status::kDone) {
      AppendArrays(executor_.result(), &outcome.results);
    } else {
      executor_.Report(outcome.diagnostics);
    }
  });
  outcome.seconds = budget_.seconds_used();
  return outcome;
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

std::string ExecuteJson(const Document& document, const CompiledProgram::Outcome& outcome) {
  return JsonText(
      ObjectJson({{"ok", !outcome.diagnostics.has_errors()},
                  {"seconds", outcome.seconds},
                  {"diagnostics", DiagnosticsJson(outcome.diagnostics, document.map())}}));
}

}  // namespace hlo
