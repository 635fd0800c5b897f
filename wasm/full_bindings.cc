// The calls of the full build alone: what a page fetches when StableHLO is written or a tool is
// opened.
#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <string>

#include "engine/views/film_view.h"
#include "engine/views/layout_compare.h"
#include "engine/views/layout_view.h"
#include "engine/views/relayout_view.h"
#include "wasm/session_bindings.h"

namespace hlo {
namespace {

using emscripten::val;

std::string Convert(const std::string& text, const std::string& options) {
  return TheSession().Convert(text, options);
}

std::string PythonScript(const std::string& text, const std::string& options, const val& files) {
  return TheSession().PythonScript(text, options, FilesOf(files));
}

std::string ConversionsOf(const std::string& subject) {
  return ConversionsJson(MakeLayoutView(subject));
}
std::string Compare(const std::string& a, const std::string& b) {
  return ComparisonJson(CompareLayouts(MakeLayoutView(a), MakeLayoutView(b)));
}

std::string FilmOf(const std::string& subject) { return FilmJson(MakeLayoutView(subject)); }

std::string FilmPlaces(const std::string& subject, const std::string& index) {
  Dims dims;
  if (!ParseIndex(index, &dims)) return "[]";
  return FilmPlacesJson(MakeLayoutView(subject), dims);
}

val FilmWindowOf(const std::string& subject, double frame, double begin, double count) {
  return Copied(
      FilmWindow(MakeLayoutView(subject), Integer(frame), Integer(begin), Integer(count)));
}

std::string RelayoutOf(const std::string& from, const std::string& to) {
  return RelayoutJson(MakeLayoutView(from), MakeLayoutView(to));
}

std::string AdviceOf(const std::string& shape) { return LayoutAdviceJson(MakeLayoutView(shape)); }
std::string ReportOf(const std::string& text) { return TheSession().MemoryReport(text); }
std::string ProgramMemoryOf(const std::string& text) { return TheSession().ProgramMemory(text); }

void StartHandlesAt(int handle) { TheSession().StartHandlesAt(handle); }

}  // namespace

EMSCRIPTEN_BINDINGS(hlo_engine_full) {
  using emscripten::function;
  function("convert", &Convert);
  function("pythonScript", &PythonScript);
  function("film", &FilmOf);
  function("filmPlaces", &FilmPlaces);
  function("filmWindow", &FilmWindowOf);
  function("relayout", &RelayoutOf);
  function("layoutAdvice", &AdviceOf);
  function("memoryReport", &ReportOf);
  function("programMemory", &ProgramMemoryOf);
  function("layoutNotations", &NotationsJson);
  function("layoutConversions", &ConversionsOf);
  function("compareLayouts", &Compare);
  function("startHandlesAt", &StartHandlesAt);
}

}  // namespace hlo
