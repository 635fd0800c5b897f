// The Embind module: JavaScript values in, JSON texts and typed arrays out. It converts and decides
// nothing; every call is a function of engine/views, and engine_api.ts says what it means.
#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/views/check_view.h"
#include "engine/views/layout_view.h"
#include "engine/views/ops_view.h"
#include "engine/views/session.h"

namespace hlo {
namespace {

using emscripten::typed_memory_view;
using emscripten::val;

// A copy in JavaScript's own memory: views of Wasm memory die when it grows.
template <typename T>
val Copied(const std::vector<T>& data) {
  return val(typed_memory_view(data.size(), data.data())).call<val>("slice");
}

// Numbers from JavaScript, which has no integers: what is no number or out of range is 0.
int64_t Integer(double number) {
  return number >= -9e15 && number <= 9e15 ? static_cast<int64_t>(number) : 0;
}

Session& TheSession() {
  static Session session;
  return session;
}

std::string Version() { return std::string(EngineVersion()); }
std::string Check(const std::string& text) { return TheSession().Check(text); }
std::string Outline(const std::string& text) { return TheSession().Outline(text); }
std::string Format(const std::string& text) { return TheSession().Format(text); }
val Tokens(const std::string& text) { return Copied(TokensView(text)); }

std::string Place(const std::string& text, double offset) {
  return TheSession().Place(text, static_cast<uint32_t>(Integer(offset)));
}

std::string Complete(const std::string& text, double offset) {
  return TheSession().Complete(text, static_cast<uint32_t>(Integer(offset)));
}

std::string Run(const std::string& text, const std::string& options, const val& files) {
  std::vector<InputFile> inputs;
  const auto count = files["length"].as<unsigned>();
  for (unsigned i = 0; i < count; ++i) {
    InputFile file;
    file.parameter = Integer(files[i]["parameter"].as<double>());
    const val bytes = files[i]["bytes"];
    file.bytes.resize(bytes["length"].as<size_t>());
    // One copy, into a view of memory that is made after the memory was.
    val view(typed_memory_view(file.bytes.size(), reinterpret_cast<uint8_t*>(file.bytes.data())));
    view.call<void>("set", bytes);
    inputs.push_back(std::move(file));
  }
  return TheSession().Run(text, options, std::move(inputs));
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

void Release(int handle) { TheSession().Release(handle); }

std::string LayoutOf(const std::string& shape) { return LayoutJson(MakeLayoutView(shape)); }

val LogicalWindowOf(const std::string& shape, const std::string& window) {
  return Copied(LogicalWindow(MakeLayoutView(shape), ParseWindowSpec(window)));
}

val LinearWindowOf(const std::string& shape, double begin, double count) {
  return Copied(LinearWindow(MakeLayoutView(shape), Integer(begin), Integer(count)));
}

std::string Address(const std::string& shape, const std::string& index) {
  LayoutView view = MakeLayoutView(shape);
  Dims dims;
  if (!ParseIndex(index, &dims)) return AddressJson({});
  return AddressJson(MakeAddressView(view, dims));
}

}  // namespace

EMSCRIPTEN_BINDINGS(hlo_engine) {
  using emscripten::function;
  function("version", &Version);
  function("ops", &OpsJson);
  function("check", &Check);
  function("tokens", &Tokens);
  function("outline", &Outline);
  function("place", &Place);
  function("complete", &Complete);
  function("format", &Format);
  function("run", &Run);
  function("valueWindow", &WindowOf);
  function("valueStats", &StatsOf);
  function("valueText", &TextOf);
  function("valueNpy", &ValueNpy);
  function("memory", &Memory);
  function("release", &Release);
  function("layout", &LayoutOf);
  function("logicalWindow", &LogicalWindowOf);
  function("linearWindow", &LinearWindowOf);
  function("address", &Address);
}

}  // namespace hlo
