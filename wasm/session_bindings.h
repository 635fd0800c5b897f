// What the files of bindings share: the session, and how numbers and bytes cross over.
#ifndef HLO_WASM_SESSION_BINDINGS_H_
#define HLO_WASM_SESSION_BINDINGS_H_

#include <emscripten/val.h>

#include <cstdint>
#include <vector>

#include "engine/views/session.h"

namespace hlo {

/// A copy in JavaScript's own memory: views of Wasm memory die when it grows.
template <typename T>
emscripten::val Copied(const std::vector<T>& data) {
  return emscripten::val(emscripten::typed_memory_view(data.size(), data.data()))
      .call<emscripten::val>("slice");
}

/// Numbers from JavaScript, which has no integers: what is no number or out of range is 0.
inline int64_t Integer(double number) {
  return number >= -9e15 && number <= 9e15 ? static_cast<int64_t>(number) : 0;
}

/// The one session of the module.
Session& TheSession();

/// The `files` of run() and pythonScript().
std::vector<InputFile> FilesOf(const emscripten::val& files);

}  // namespace hlo

#endif  // HLO_WASM_SESSION_BINDINGS_H_
