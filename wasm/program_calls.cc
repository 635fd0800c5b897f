// Compiled programs as functions over the engine's memory: a call takes numbers alone, and arrays
// are written and read where they are (CompiledProgram::places). They stand beside the one entry of
// the engine (bindings.cc), whose arguments and answers are JSON. program.ts calls them.
#include <emscripten/emscripten.h>

#include <cstddef>

#include "engine/views/program_view.h"
#include "wasm/build.h"

namespace hlo {
namespace {

CompiledProgram* ProgramOf(int handle) { return TheEngine().session().Program(handle); }

}  // namespace

extern "C" {

/// The addresses of the places, which stay where they are as long as the program; 0 for a program
/// that was released or has none.
EMSCRIPTEN_KEEPALIVE const void* hlo_places(int program) {
  CompiledProgram* const found = ProgramOf(program);
  return found && found->has_places() ? found->places().data() : nullptr;
}

/// Makes room for an array of the parameters. These functions return whether they could; the
/// engine's call programFaults says why not.
EMSCRIPTEN_KEEPALIVE int hlo_make_room(int program, unsigned parameter) {
  CompiledProgram* const found = ProgramOf(program);
  return found && found->MakeRoom(parameter) ? 1 : 0;
}

EMSCRIPTEN_KEEPALIVE int hlo_place(int program, unsigned parameter, int value) {
  CompiledProgram* const found = ProgramOf(program);
  const ResidentArray* const array = TheEngine().session().Array(value);
  return found && array && found->Place(parameter, *array) ? 1 : 0;
}

EMSCRIPTEN_KEEPALIVE int hlo_call(int program, int consumes) {
  CompiledProgram* const found = ProgramOf(program);
  return found && found->Call(consumes != 0) ? 1 : 0;
}

/// The handle of an array of the result, which stays in the engine and leaves its place.
EMSCRIPTEN_KEEPALIVE int hlo_keep(int program, unsigned result) {
  CompiledProgram* const found = ProgramOf(program);
  return found ? TheEngine().session().Keep(found->TakeResult(result)) : 0;
}

/// The call `release`, which programs that keep their results make as often as they are called.
EMSCRIPTEN_KEEPALIVE void hlo_release(int handle) { TheEngine().session().Release(handle); }

EMSCRIPTEN_KEEPALIVE void hlo_drop_results(int program) {
  if (CompiledProgram* const found = ProgramOf(program)) found->DropResults();
}

}  // extern "C"

}  // namespace hlo
