#include "engine/views/json_parts.h"

#include "engine/views/json.h"
#include "engine/views/names.h"

namespace hlo {
namespace {

constexpr std::string_view kSeverities[] = {"error", "warning", "info"};

}  // namespace

Json RangeJson(Range range, const TextMap& map) {
  return Json::array({map.ToUnits(range.begin), map.ToUnits(range.end)});
}

Json DiagnosticsJson(const Diagnostics& diagnostics, const TextMap& map) {
  Json list = Json::array();
  for (const Diagnostic& diagnostic : diagnostics.list()) {
    Json notes = Json::array();
    for (const Note& note : diagnostic.notes) {
      notes.push_back(
          ObjectJson({{"range", RangeJson(note.range, map)}, {"message", note.message}}));
    }
    Json fixes = Json::array();
    for (const Fix& fix : diagnostic.fixes) {
      fixes.push_back(ObjectJson({{"title", fix.title},
                                  {"range", RangeJson(fix.range, map)},
                                  {"replacement", fix.replacement}}));
    }
    list.push_back(ObjectJson({{"code", GetDiagInfo(diagnostic.code).id},
                               {"severity", kSeverities[static_cast<size_t>(diagnostic.severity)]},
                               {"range", RangeJson(diagnostic.range, map)},
                               {"message", diagnostic.message},
                               {"notes", std::move(notes)},
                               {"fixes", std::move(fixes)}}));
  }
  return list;
}

Json DimsJson(const Dims& dims) {
  Json list = Json::array();
  for (int64_t dim : dims) list.push_back(dim);
  return list;
}

std::string JsonText(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json InstructionsJson(const std::vector<const Instruction*>& instructions,
                      const Document& document) {
  constexpr size_t kMostNames = 20;
  Json names = Json::array();
  for (const Instruction* instruction : instructions) {
    if (names.size() == kMostNames) break;
    names.push_back(ShownName(document, *instruction));
  }
  return ObjectJson({{"count", instructions.size()}, {"shown", std::move(names)}});
}

}  // namespace hlo
