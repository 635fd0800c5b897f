// The calls that only the full build has; a page fetches it when StableHLO is written or a tool is
// opened.
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "engine/io/npy.h"
#include "engine/views/calls.h"
#include "engine/views/cost_view.h"
#include "engine/views/dump_view.h"
#include "engine/views/film_view.h"
#include "engine/views/json.h"
#include "engine/views/layout_compare.h"
#include "engine/views/layout_view.h"
#include "engine/views/number_view.h"
#include "engine/views/profile_trace.h"
#include "engine/views/relayout_view.h"
#include "engine/views/value_figures.h"
#include "engine/views/value_image.h"

namespace hlo {
namespace {

using In = CallArguments;

CallOut Refused(std::string why) {
  CallOut out;
  out.fault = std::move(why);
  return out;
}

CallOut Convert(Engine& engine, In& in) {
  Session::PairsAnswer answer = engine.session().Convert(in.Text(0), in.Json(1));
  CallOut out = AnswerJson(std::move(answer.json));
  AddMember(out, "lines", std::move(answer.pairs));
  return out;
}
CallOut PlanCall(Engine& engine, In& in) {
  Session::PairsAnswer answer = engine.session().PlanOf(in.Text(0), in.Json(1));
  CallOut out = AnswerJson(std::move(answer.json));
  AddMember(out, "lines", std::move(answer.pairs));
  return out;
}
CallOut DiffOf(Engine& engine, In& in) {
  Session::DiffAnswer answer = engine.session().Diff(in.Text(0), in.Text(1), in.Json(2));
  CallOut out = AnswerJson(std::move(answer.json));
  AddMember(out, "lines", std::move(answer.lines));
  AddMember(out, "marks", std::move(answer.marks));
  return out;
}
CallOut GraphOf(Engine& engine, In& in) {
  return AnswerJson(engine.session().Graph(in.Text(0), in.Json(1)));
}
CallOut GraphSearchOf(Engine& engine, In& in) {
  return AnswerJson(engine.session().GraphSearch(in.Text(0), in.Text(1)));
}
CallOut ShardingsOf(Engine& engine, In& in) {
  return AnswerJson(engine.session().Shardings(in.Text(0), in.Json(1)));
}
CallOut DevicesOf(Engine& engine, In& in) {
  std::vector<InputFile> files = in.TakeFiles(1);
  return AnswerJson(engine.session().Devices(in.Text(0), in.Json(1), std::move(files)));
}
CallOut DevicesAtOf(Engine& engine, In& in) {
  std::vector<InputFile> files = in.TakeFiles(1);
  return AnswerJson(engine.session().DevicesAt(in.Text(0), in.Json(1), in.Integer(2), in.Integer(3),
                                               std::move(files)));
}
CallOut ShrinkOf(Engine& engine, In& in) {
  return AnswerJson(engine.session().Shrink(in.Text(0), in.Json(1)));
}
CallOut IsolateOf(Engine& engine, In& in) {
  return AnswerJson(engine.session().Isolate(in.Text(0), in.Json(1)));
}
CallOut PassesOf(Engine& engine, In& in) {
  return AnswerJson(engine.session().PassesOver(in.Text(0), in.Json(1)));
}
CallOut PythonScript(Engine& engine, In& in) {
  std::vector<InputFile> files = in.TakeFiles(1);
  return AnswerJson(engine.session().PythonScript(in.Text(0), in.Json(1), std::move(files)));
}
CallOut WhyOf(Engine& engine, In& in) {
  std::vector<InputFile> files = in.TakeFiles(1);
  return AnswerJson(engine.session().Why(in.Text(0), in.Json(1), std::move(files)));
}
CallOut DebugCall(Engine& engine, In& in) {
  std::vector<InputFile> files = in.TakeFiles(1);
  return AnswerJson(engine.session().Debug(in.Text(0), in.Json(1), std::move(files)));
}
CallOut AskDebuggerCall(Engine& engine, In& in) {
  return AnswerJson(engine.session().AskDebugger(static_cast<int>(in.Integer(0)), in.Json(1)));
}
CallOut Compile(Engine& engine, In& in) {
  return AnswerJson(engine.session().Compile(in.Text(0), in.Json(1)));
}
CallOut Execute(Engine& engine, In& in) {
  Session& session = engine.session();
  CompiledProgram* const program = session.Program(static_cast<int>(in.Integer(0)));
  if (!program) return Refused("no such program");
  CompiledProgram::Outcome outcome = program->Execute(in.TakeArrays(1, session));
  std::vector<std::vector<uint8_t>> results;
  std::vector<int> values;
  for (ResidentArray& result : outcome.results) {
    if (in.Flag(2, "keep")) {
      values.push_back(session.Keep(std::move(result)));
    } else {
      results.push_back(ArrayBytes(result.array));
    }
  }
  CallOut out = AnswerJson(ExecuteJson(program->document(), outcome, values));
  AddMembers(out, "results", std::move(results));
  return out;
}
CallOut ProgramFaults(Engine& engine, In& in) {
  CompiledProgram* const program = engine.session().Program(static_cast<int>(in.Integer(0)));
  if (!program) return Refused("no such program");
  return AnswerJson(FaultsJson(program->document(), program->faults()));
}
CallOut ReadValue(Engine& engine, In& in) {
  const ResidentArray* value = engine.session().Array(static_cast<int>(in.Integer(0)));
  return value ? AnswerBuffer(ArrayBytes(value->array)) : Refused("no such value");
}
CallOut ReportOf(Engine& engine, In& in) {
  return AnswerJson(engine.session().MemoryReport(in.Text(0), in.Json(1)));
}
CallOut ProgramMemoryOf(Engine& engine, In& in) {
  return AnswerJson(engine.session().ProgramMemory(in.Text(0), in.Json(1)));
}
CallOut PictureOf(Engine& engine, In& in) {
  return AnswerJson(engine.session().MemoryPicture(in.Text(0), in.Json(1)));
}
CallOut SavingsOf(Engine& engine, In& in) {
  return AnswerJson(engine.session().MemorySavings(in.Text(0)));
}

CallOut CostOf(Engine& engine, In& in) {
  return AnswerJson(engine.session().Cost(in.Text(0), in.Json(1)));
}
CallOut PrecisionOf(Engine& engine, In& in) {
  PrecisionFiles files{in.TakeFiles(1), in.TakeFiles(1, "changedFiles"),
                       in.TakeFiles(1, "expectedFiles")};
  return AnswerJson(
      engine.session().Precision(in.Text(0), in.Json(1), in.OptionalText(2), std::move(files)));
}
CallOut MeasureMachineOf(Engine&, In&) { return AnswerJson(MeasureMachineJson()); }

CallOut ProfileTreeOf(Engine&, In& in) { return AnswerJson(ProfileTreeText(in.Json(0))); }
CallOut ProfileTraceOf(Engine&, In& in) {
  return AnswerJson(JsonText(Json(ProfileTraceText(ParseJson(in.Json(0))))));
}

CallOut ConversionsOf(Engine&, In& in) {
  return AnswerJson(ConversionsJson(MakeLayoutView(in.Text(0))));
}
CallOut Compare(Engine&, In& in) {
  return AnswerJson(
      ComparisonJson(CompareLayouts(MakeLayoutView(in.Text(0)), MakeLayoutView(in.Text(1)))));
}

CallOut FilmOf(Engine&, In& in) { return AnswerJson(FilmJson(MakeLayoutView(in.Text(0)))); }

CallOut FilmPlaces(Engine&, In& in) {
  const std::string_view subject = in.Text(0);
  Dims dims;
  if (!ParseIndex(in.Json(1), &dims)) return AnswerJson("[]");
  return AnswerJson(FilmPlacesJson(MakeLayoutView(subject), dims));
}

CallOut FilmWindowOf(Engine&, In& in) {
  const int64_t begin = in.Integer(2);
  const int64_t count = in.Integer(3);
  CallOut out = AnswerJson(fmt::format(R"({{"begin":{},"count":{}}})", begin, count));
  AddMember(out, "indices", FilmWindow(MakeLayoutView(in.Text(0)), in.Integer(1), begin, count));
  return out;
}

CallOut RelayoutOf(Engine&, In& in) {
  return AnswerJson(RelayoutJson(MakeLayoutView(in.Text(0)), MakeLayoutView(in.Text(1))));
}
CallOut AdviceOf(Engine&, In& in) {
  return AnswerJson(LayoutAdviceJson(MakeLayoutView(in.Text(0))));
}

CallOut ReadDumpOf(Engine&, In& in) {
  const std::vector<InputFile> files = in.TakeFiles(0);
  if (files.empty()) return Refused("no file");
  const auto& bytes = files[0].bytes;
  DumpAnswer answer = ReadDump({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  CallOut out = AnswerJson(std::move(answer.json));
  AddMembers(out, "arrays", std::move(answer.arrays));
  return out;
}

// The options of a question about an array.
struct ArrayQuestion {
  std::optional<ElementType> type;  // which an .npy file may not say
  NumberPart part = NumberPart::kMagnitude;
};
ArrayQuestion QuestionOf(In& in) {
  const Json options = ParseJson(in.Json(1));
  if (!options.is_object()) return {};
  const auto word = [&](const char* name) {
    const auto found = options.find(name);
    return found != options.end() && found->is_string() ? found->get<std::string>() : "";
  };
  return {ElementTypeFromText(word("type")),
          NumberPartFromText(word("part")).value_or(NumberPart::kMagnitude)};
}

std::optional<Tensor> NpyOf(In& in) {
  const std::vector<InputFile> files = in.TakeFiles(0);
  Diagnostics faults;
  return files.empty() ? std::nullopt : ParseNpy(files[0].bytes, QuestionOf(in).type, faults);
}
CallOut KeepArrayOf(Engine& engine, In& in) {
  auto array = NpyOf(in);
  if (!array) return AnswerJson("0");
  return AnswerJson(fmt::format("{}", engine.session().Keep({{}, std::move(*array)})));
}

// The array that an argument names: a value of a run of this session, or one that it keeps, which
// is read where it is; or an .npy file.
std::optional<Tensor> ArrayOf(Engine& engine, In& in) {
  if (auto read = NpyOf(in)) return read;
  const std::string text = in.Json(0);
  const Json ref = ParseJson(text);
  if (ref.is_object() && ref.contains("value") && ref["value"].is_number_integer()) {
    const ResidentArray* const kept = engine.session().Array(ref["value"].get<int>());
    return kept ? std::optional(kept->array) : std::nullopt;
  }
  const Tensor* const held = engine.session().ValueArray(text);
  return held && held->HoldsElements() ? std::optional(*held) : std::nullopt;
}
CallOut FiguresOf(Engine& engine, In& in) {
  const auto array = ArrayOf(engine, in);
  return AnswerJson(array ? ValueFiguresJson(MakeValueFigures(*array, QuestionOf(in).part))
                          : "null");
}
CallOut HistogramOf(Engine& engine, In& in) {
  const auto array = ArrayOf(engine, in);
  if (!array) return AnswerJson("null");
  const Json options = ParseJson(in.Json(1));
  const BinScale scale = options.is_object() && options.value("scale", std::string()) == "log"
                             ? BinScale::kLog
                             : BinScale::kLinear;
  ValueHistogram histogram = MakeValueHistogram(*array, scale, in.Integer(2), QuestionOf(in).part);
  CallOut out = AnswerJson(fmt::format(R"({{"leftOut":{}}})", histogram.left_out));
  AddMember(out, "edges", std::move(histogram.edges));
  AddMember(out, "counts", std::move(histogram.counts));
  return out;
}
CallOut TilesOf(Engine& engine, In& in) {
  const auto array = ArrayOf(engine, in);
  if (!array) return AnswerJson("null");
  ValueTiles tiles = MakeValueTiles(*array, ParseWindowSpec(in.Json(2)), in.Integer(3),
                                    in.Integer(4), QuestionOf(in).part);
  CallOut out = AnswerJson(fmt::format(
      R"({{"rows":{},"cols":{},"rowStep":{},"colStep":{},"zeroRows":{},"zeroCols":{}}})",
      tiles.rows, tiles.cols, tiles.row_step, tiles.col_step, tiles.zero_rows, tiles.zero_cols));
  AddMember(out, "mean", std::move(tiles.mean));
  AddMember(out, "min", std::move(tiles.min));
  AddMember(out, "max", std::move(tiles.max));
  AddMember(out, "zeros", std::move(tiles.zeros));
  AddMember(out, "marks", std::move(tiles.marks));
  return out;
}
CallOut ImageOf(Engine& engine, In& in) {
  const auto array = ArrayOf(engine, in);
  if (!array) return AnswerJson("null");
  ImageSpec spec = ParseImageSpec(in.Json(2));
  spec.part = QuestionOf(in).part;
  ValueImage image = MakeValueImage(*array, std::move(spec), in.Integer(3), in.Integer(4));
  CallOut out =
      AnswerJson(fmt::format(R"({{"rows":{},"cols":{},"step":{},"channels":{},"nans":{}}})",
                             image.rows, image.cols, image.step, image.channels, image.nans));
  AddMember(out, "pixels", std::move(image.pixels));
  return out;
}
CallOut InputFaultsOf(Engine& engine, In& in) {
  return AnswerJson(engine.session().InputFaults(in.Text(0), in.Integer(1), in.Text(2)));
}
CallOut MakeInputOf(Engine& engine, In& in) {
  std::vector<InputFile> files = in.TakeFiles(1);
  return AnswerJson(
      engine.session().MakeInput(in.Text(0), in.Json(1), in.Integer(2), std::move(files)));
}
CallOut NumberPartsOf(Engine&, In& in) {
  const std::string_view text = in.Text(0);
  const auto given = ParseNumber(text);
  return AnswerJson(given ? JsonText(NumberPartsJson(*given, PartsInFloatTypes(*given),
                                                     PartsInIntegerTypes(text)))
                          : "null");
}

constexpr CallRow kFullCalls[] = {
    {"readDump", ReadDumpOf},
    {"valueFigures", FiguresOf},
    {"valueHistogram", HistogramOf},
    {"valueTiles", TilesOf},
    {"valueImage", ImageOf},
    {"keepArray", KeepArrayOf},
    {"numberParts", NumberPartsOf},
    {"inputFaults", InputFaultsOf},
    {"makeInput", MakeInputOf},
    {"convert", Convert},
    {"plan", PlanCall},
    {"diff", DiffOf},
    {"debug", DebugCall},
    {"askDebugger", AskDebuggerCall},
    {"graph", GraphOf},
    {"graphSearch", GraphSearchOf},
    {"shardings", ShardingsOf},
    {"devices", DevicesOf},
    {"devicesAt", DevicesAtOf},
    {"shrink", ShrinkOf},
    {"isolate", IsolateOf},
    {"passes", PassesOf},
    {"pythonScript", PythonScript},
    {"why", WhyOf},
    {"compileProgram", Compile},
    {"executeProgram", Execute},
    {"programFaults", ProgramFaults},
    {"readValue", ReadValue},
    {"memoryReport", ReportOf},
    {"programMemory", ProgramMemoryOf},
    {"memoryPicture", PictureOf},
    {"memorySavings", SavingsOf},
    {"cost", CostOf},
    {"precision", PrecisionOf},
    {"measureMachine", MeasureMachineOf},
    {"profileTree", ProfileTreeOf},
    {"profileTrace", ProfileTraceOf},
    {"layoutConversions", ConversionsOf},
    {"compareLayouts", Compare},
    {"film", FilmOf},
    {"filmPlaces", FilmPlaces},
    {"filmWindow", FilmWindowOf},
    {"relayout", RelayoutOf},
    {"layoutAdvice", AdviceOf},
};

}  // namespace

CallRows FullCalls() { return kFullCalls; }

}  // namespace hlo
