#include "engine/views/array_program.h"

#include <fmt/format.h>

#include "engine/views/guard.h"

namespace hlo {
namespace {

std::string FirstMessage(const Diagnostics& diagnostics) {
  for (const Diagnostic& diagnostic : diagnostics.list()) {
    if (diagnostic.severity == Severity::kError) return diagnostic.message;
  }
  return "";
}

[[noreturn]] void Refuse(std::string message) {
  throw RunError(DiagCode::kInputInvalid, std::move(message));
}

// Hands out the arguments to the arrays of the parameters.
class ArrayDealer {
 public:
  explicit ArrayDealer(std::vector<Tensor> arrays) : arrays_(std::move(arrays)) {}

  Value Deal(const Shape& shape) {
    if (shape.IsTuple()) {
      Value::Elements elements;
      for (const Shape& element : shape.elements()) elements.push_back(Deal(element));
      return Value::Tuple(std::move(elements));
    }
    if (!shape.IsArray() && !shape.IsBuffer()) return Value();
    const std::string wanted = ShapeName(Shape::Array(shape.element_type(), shape.dims()));
    if (next_ >= arrays_.size()) {
      Refuse(fmt::format("argument {}, {}, is not given", next_, wanted));
    }
    Tensor& array = arrays_[next_];
    const std::string given = ShapeName(Shape::Array(array.element_type(), array.dims()));
    if (given != wanted) Refuse(fmt::format("argument {} is {}, not {}", next_, wanted, given));
    ++next_;
    return Value(std::move(array));
  }
  void WantEnd() const {
    if (next_ == arrays_.size()) return;
    Refuse(fmt::format("{} arguments are given, not {}", arrays_.size(), next_));
  }

 private:
  std::vector<Tensor> arrays_;
  size_t next_ = 0;
};

void AddArrays(const Value& value, std::vector<Tensor>* arrays) {
  if (value.is_tuple()) {
    for (const Value& element : value.elements()) AddArrays(element, arrays);
  } else if (value.is_array()) {
    arrays->push_back(value.tensor());
  }
}

void CheckTypes(const std::vector<Tensor>& results, const std::vector<ElementType>& types) {
  if (results.size() != types.size()) {
    Refuse(fmt::format("the result has {} arrays, not {}", results.size(), types.size()));
  }
  for (size_t i = 0; i < types.size(); ++i) {
    if (results[i].element_type() == types[i]) continue;
    Refuse(fmt::format("array {} of the result is of {}, not of {}", i,
                       Text(results[i].element_type()), Text(types[i])));
  }
}

}  // namespace

ProgramError::ProgramError(Diagnostics diagnostics)
    : std::runtime_error(FirstMessage(diagnostics)), diagnostics_(std::move(diagnostics)) {}

ArrayProgram::ArrayProgram(std::string text, const RunRequest& request,
                           CustomCallTargets custom_calls)
    : custom_calls_(std::move(custom_calls)),
      document_(std::make_shared<const Document>(std::move(text))) {
  if (!document_->ok() || !document_->module()->entry()) {
    Diagnostics faults = document_->diagnostics();
    if (!faults.has_errors()) {
      faults.Report(DiagCode::kNotExecutable, {}, "the text has no program");
    }
    throw ProgramError(std::move(faults));
  }
  RunRequest own = request;
  own.options.custom_calls = &custom_calls_;
  program_ = std::make_unique<CompiledProgram>(document_, own);
}

void ArrayProgram::Execute(FunctionRef<std::vector<Tensor>(Budget*)> make_arguments,
                           const std::vector<ElementType>& result_types,
                           FunctionRef<void(const std::vector<Tensor>&)> take_results) {
  Diagnostics diagnostics;
  const auto result = program_->Run(
      [&] {
        const Computation& entry = *document_->module()->entry();
        ArrayDealer dealer(make_arguments(program_->budget()));
        std::vector<Value> values;
        values.reserve(static_cast<size_t>(entry.parameter_count()));
        for (int i = 0; i < entry.parameter_count(); ++i) {
          values.push_back(dealer.Deal(entry.parameter_shape(i)));
        }
        dealer.WantEnd();
        return values;
      },
      diagnostics);
  if (result) {
    Guarded(diagnostics, [&] {
      std::vector<Tensor> arrays;
      AddArrays(*result, &arrays);
      CheckTypes(arrays, result_types);
      take_results(arrays);
    });
  }
  if (diagnostics.has_errors()) throw ProgramError(std::move(diagnostics));
}

}  // namespace hlo
