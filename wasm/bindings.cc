// The Embind module: JavaScript values in, JSON texts and typed arrays out. It converts and decides
// nothing; every call is a function of engine/views, and engine_api.ts says what it means. These
// are the calls that both builds have: full_bindings.cc has those of the full one.
#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/mlir/importer.h"
#include "engine/ops/custom_calls.h"
#include "engine/views/check_view.h"
#include "engine/views/layout_view.h"
#include "engine/views/ops_view.h"
#include "wasm/session_bindings.h"

namespace hlo {

Session& TheSession() {
  static Session session;
  return session;
}

std::vector<InputFile> FilesOf(const emscripten::val& files) {
  std::vector<InputFile> inputs;
  const auto count = files["length"].as<unsigned>();
  for (unsigned i = 0; i < count; ++i) {
    InputFile file;
    file.parameter = Integer(files[i]["parameter"].as<double>());
    const emscripten::val bytes = files[i]["bytes"];
    file.bytes.resize(bytes["length"].as<size_t>());
    // One copy, into a view of memory that is made after the memory was.
    const emscripten::val view(emscripten::typed_memory_view(
        file.bytes.size(), reinterpret_cast<uint8_t*>(file.bytes.data())));
    view.call<void>("set", bytes);
    inputs.push_back(std::move(file));
  }
  return inputs;
}

namespace {

using emscripten::typed_memory_view;
using emscripten::val;

std::string Version() { return std::string(EngineVersion()); }
bool IsMlir(const std::string& text) { return LooksLikeMlir(text); }
std::string Check(const std::string& text, const std::string& inputs) {
  return TheSession().Check(text, inputs);
}
std::string Outline(const std::string& text) { return TheSession().Outline(text); }
std::string Format(const std::string& text) { return TheSession().Format(text); }
val Tokens(const std::string& text) { return Copied(TokensView(text)); }

std::string Place(const std::string& text, double offset) {
  return TheSession().Place(text, static_cast<uint32_t>(Integer(offset)));
}

std::string Definition(const std::string& text, const std::string& name,
                       const std::string& computation) {
  return TheSession().Definition(text, name, computation);
}

std::string Complete(const std::string& text, double offset) {
  return TheSession().Complete(text, static_cast<uint32_t>(Integer(offset)));
}

std::string Run(const std::string& text, const std::string& options, const val& files) {
  return TheSession().Run(text, options, FilesOf(files));
}

val WindowOf(const std::string& ref, const std::string& window) {
  Session::WindowAnswer answer = TheSession().ValueWindow(ref, window);
  val result = val::object();
  result.set("json", answer.json);
  result.set("numbers", Copied(answer.numbers));
  return result;
}

std::string StatsOf(const std::string& ref) { return TheSession().ValueStats(ref); }

std::string TextOf(const std::string& ref, double max_elements) {
  return TheSession().ValueText(ref, Integer(max_elements));
}

val ValueNpy(const std::string& ref) { return Copied(TheSession().ValueNpy(ref)); }

val Memory(const std::string& ref, const std::string& shape, double begin, double count) {
  MemoryWindow window = TheSession().Memory(ref, shape, Integer(begin), Integer(count));
  val result = val::object();
  result.set("bytes", Copied(window.bytes));
  result.set("padding", Copied(window.padding));
  return result;
}

std::string MemoryByteOf(const std::string& ref, const std::string& subject, double byte) {
  return TheSession().MemoryByte(ref, subject, Integer(byte));
}

void Release(int handle) { TheSession().Release(handle); }

std::string LayoutOf(const std::string& subject) { return LayoutJson(MakeLayoutView(subject)); }

val LogicalWindowOf(const std::string& subject, const std::string& window) {
  return Copied(LogicalWindow(MakeLayoutView(subject), ParseWindowSpec(window)));
}

val LinearWindowOf(const std::string& subject, double begin, double count) {
  return Copied(LinearWindow(MakeLayoutView(subject), Integer(begin), Integer(count)));
}

std::string Address(const std::string& subject, const std::string& index) {
  LayoutView view = MakeLayoutView(subject);
  Dims dims;
  if (!ParseIndex(index, &dims)) return AddressJson({});
  return AddressJson(MakeAddressView(view, dims));
}

// ---- Custom calls in JavaScript -----------------------------------------------------------------

const char* ArrayName(ElementType type) {
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
  // Narrow floats are their bits.
  const bool is_signed = ClassOf(type) == TypeClass::kSigned;
  switch (BytesOf(type)) {
    case 4:
      return is_signed ? "Int32Array" : "Uint32Array";
    case 2:
      return is_signed ? "Int16Array" : "Uint16Array";
    default:
      return is_signed ? "Int8Array" : "Uint8Array";
  }
}

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
  const val type = val::global(ArrayName(shape.element_type()));
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
  RegisterCustomCall(target,
                     [function](const OpCall& call, std::span<Value> args, EvalContext& context) {
                       return CallJs(function, call, args, context);
                     });
}

bool UnregisterJs(const std::string& target) { return UnregisterCustomCall(target); }

}  // namespace

EMSCRIPTEN_BINDINGS(hlo_engine) {
  using emscripten::function;
  function("version", &Version);
  function("isMlir", &IsMlir);
  function("ops", &OpsJson);
  function("check", &Check);
  function("tokens", &Tokens);
  function("outline", &Outline);
  function("place", &Place);
  function("definition", &Definition);
  function("complete", &Complete);
  function("format", &Format);
  function("run", &Run);
  function("valueWindow", &WindowOf);
  function("valueStats", &StatsOf);
  function("valueText", &TextOf);
  function("valueNpy", &ValueNpy);
  function("memory", &Memory);
  function("memoryByte", &MemoryByteOf);
  function("release", &Release);
  function("layout", &LayoutOf);
  function("logicalWindow", &LogicalWindowOf);
  function("linearWindow", &LinearWindowOf);
  function("address", &Address);
  function("registerCustomCall", &RegisterJs);
  function("unregisterCustomCall", &UnregisterJs);
}

}  // namespace hlo
