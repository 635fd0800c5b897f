// Custom calls whose targets are JavaScript functions. They stand beside the one entry of the
// engine (bindings.cc), since a function is no JSON.
#include "engine/ops/custom_calls/custom_calls.h"

#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "engine/views/program_view.h"
#include "wasm/build.h"

namespace hlo {
namespace {

using emscripten::typed_memory_view;
using emscripten::val;

val ArrayOf(const Shape& shape, const val& data) {
  val dims = val::array();
  for (int64_t size : shape.dims()) dims.call<void>("push", static_cast<double>(size));
  val array = val::object();
  array.set("type", std::string(Text(shape.element_type())));
  array.set("dims", dims);
  array.set("data", data);
  return array;
}

bool HoldsArray(const Shape& shape) { return shape.IsArray() || shape.IsBuffer(); }

// CustomCallValue of engine_api.ts: an array, a list (a tuple), null (a token). Without a value:
// zeros.
val ToJs(const Value* value, const Shape& shape) {
  if (shape.IsTuple()) {
    val list = val::array();
    for (size_t i = 0; i < shape.elements().size(); ++i) {
      list.call<void>("push", ToJs(value ? &value->elements()[i] : nullptr, shape.elements()[i]));
    }
    return list;
  }
  if (!HoldsArray(shape)) return val::null();
  const val type = val::global(std::string(JsArrayName(shape.element_type())).c_str());
  if (!value) {
    const double bytes = static_cast<double>(shape.stored_bytes());
    return ArrayOf(shape, type.new_(val::global("ArrayBuffer").new_(bytes)));
  }
  const Tensor& tensor = value->tensor();
  const val bytes = val(typed_memory_view(static_cast<size_t>(tensor.byte_size()),
                                          reinterpret_cast<const uint8_t*>(tensor.bytes())))
                        .call<val>("slice");
  return ArrayOf(shape, type.new_(bytes["buffer"]));
}

// The arrays of a result in order, from the bytes that the function left.
Value FromJs(const Shape& shape, const val& leaves, unsigned* next, Budget* budget) {
  if (shape.IsTuple()) {
    Value::Elements elements;
    for (const Shape& element : shape.elements()) {
      elements.push_back(FromJs(element, leaves, next, budget));
    }
    return Value::Tuple(std::move(elements));
  }
  if (!HoldsArray(shape)) return Value();
  const val bytes = leaves[(*next)++];
  const size_t size = static_cast<size_t>(shape.stored_bytes());
  if (bytes["length"].as<size_t>() != size) {
    throw RunError(DiagCode::kRuntimeError, "a custom call gave its result's buffer away");
  }
  const auto buffer = Buffer::Allocate(size, budget);
  val(typed_memory_view(size, reinterpret_cast<uint8_t*>(buffer->data()))).call<void>("set", bytes);
  return Value(ReadArray(buffer->data(), Shape::Array(shape.element_type(), shape.dims()), budget));
}

Value CallJs(const val& function, const OpCall& call, std::span<Value> args, EvalContext& context) {
  val operands = val::array();
  for (int i = 0; i < call.operand_count(); ++i) {
    operands.call<void>("push", ToJs(&args[static_cast<size_t>(i)], call.operand(i)));
  }
  val described = val::object();
  described.set("target", call.String("custom_call_target"));
  described.set("operands", operands);
  described.set("result", ToJs(nullptr, call.shape()));
  described.set("backendConfig", call.String("backend_config"));
  // Never throws: engine.ts catches what the function throws and returns its words.
  const val answer = function(described);
  const std::string error = answer["error"].as<std::string>();
  if (!error.empty()) {
    throw RunError(DiagCode::kRuntimeError,
                   "custom-call to " + call.String("custom_call_target") + " failed: " + error);
  }
  unsigned next = 0;
  return FromJs(call.shape(), answer["leaves"], &next, context.budget());
}

void RegisterJs(const std::string& target, const val& function) {
  TheEngine().session().custom_calls().Add(
      target, CustomCallFunction(
                  [function](const OpCall& call, std::span<Value> args, EvalContext& context) {
                    return CallJs(function, call, args, context);
                  }));
}

bool UnregisterJs(const std::string& target) {
  return TheEngine().session().custom_calls().Remove(target);
}

}  // namespace

EMSCRIPTEN_BINDINGS(hlo_custom_calls) {
  emscripten::function("registerCustomCall", &RegisterJs);
  emscripten::function("unregisterCustomCall", &UnregisterJs);
}

}  // namespace hlo
