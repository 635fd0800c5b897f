// The Embind module: one function, `call`, over the table of engine/views/calls.h. It converts
// JavaScript values and decides nothing.
#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "wasm/build.h"

namespace hlo {

Engine& TheEngine() {
  static Engine engine(TheBuild());
  return engine;
}

namespace {

using emscripten::typed_memory_view;
using emscripten::val;

std::vector<std::byte> BytesOf(const val& bytes) {
  std::vector<std::byte> copy(bytes["length"].as<size_t>());
  // One copy, into a view of memory that is made after the memory was.
  const val view(typed_memory_view(copy.size(), reinterpret_cast<uint8_t*>(copy.data())));
  view.call<void>("set", bytes);
  return copy;
}

val ToJs(const std::string& text) { return val(text); }

// A copy in JavaScript's own memory: views of Wasm memory die when it grows.
template <typename T>
val ToJs(const std::vector<T>& data) {
  return val(typed_memory_view(data.size(), data.data())).template call<val>("slice");
}

// {json, buffers}, or {fault}.
val Call(const std::string& name, const std::string& json, const val& buffers) {
  CallIn in{json, {}};
  const auto count = buffers["length"].as<unsigned>();
  for (unsigned i = 0; i < count; ++i) in.buffers.push_back(BytesOf(buffers[i]));
  const CallOut out = TheEngine().Call(name, std::move(in));
  val answer = val::object();
  if (!out.fault.empty()) {
    answer.set("fault", out.fault);
    return answer;
  }
  val parts = val::array();
  for (const CallBuffer& buffer : out.buffers) {
    parts.call<void>("push", std::visit([](const auto& data) { return ToJs(data); }, buffer));
  }
  answer.set("json", out.json);
  answer.set("buffers", parts);
  return answer;
}

}  // namespace

EMSCRIPTEN_BINDINGS(hlo_engine) { emscripten::function("call", &Call); }

}  // namespace hlo
