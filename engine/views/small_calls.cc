// The calls that both builds have: texts, runs, values and single layouts.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/views/calls.h"
#include "engine/views/check_view.h"
#include "engine/views/layout_compare.h"
#include "engine/views/layout_view.h"
#include "engine/views/ops_view.h"

namespace hlo {
namespace {

using In = CallArguments;

uint32_t Offset(const In& in, size_t i) {
  return static_cast<uint32_t>(std::max<int64_t>(0, in.Integer(i)));
}

CallOut Calls(Engine& engine, In&) {
  std::string names;
  for (const CallRows rows : engine.build().calls) {
    for (const CallRow& row : rows)
      names += fmt::format(R"({}"{}")", names.empty() ? "" : ",", row.name);
  }
  return AnswerJson("[" + names + "]");
}

// ---- Documents ----------------------------------------------------------------------------------

CallOut Open(Engine& engine, In& in) {
  engine.session().texts().Open(in.Integer(0), std::string(in.Text(1)));
  return {};
}
CallOut Edit(Engine& engine, In& in) {
  const bool edited = engine.session().texts().Edit(in.Integer(0), in.Changes(1));
  return AnswerJson(edited ? "true" : "false");
}
CallOut Close(Engine& engine, In& in) {
  engine.session().texts().Close(in.Integer(0));
  return {};
}
CallOut WholeText(Engine&, In& in) { return AnswerBuffer(std::string(in.Text(0))); }

// ---- Texts --------------------------------------------------------------------------------------

CallOut Contains(Engine&, In& in) {
  const bool contains = in.Text(0).find(in.Text(1)) != std::string_view::npos;
  return AnswerJson(contains ? "true" : "false");
}
CallOut IsMlir(Engine&, In& in) { return AnswerJson(LooksLikeMlir(in.Text(0)) ? "true" : "false"); }
CallOut Check(Engine& engine, In& in) {
  return AnswerJson(engine.session().Check(in.Text(0), in.Json(1)));
}
CallOut TokensOf(Engine& engine, In& in) {
  return AnswerBuffer(TokensView(in.Text(0), engine.build().languages));
}
CallOut FoldsOf(Engine& engine, In& in) {
  return AnswerBuffer(FoldsView(in.Text(0), engine.build().languages));
}
CallOut Outline(Engine& engine, In& in) {
  return AnswerJson(engine.session().Outline(in.Text(0), in.Json(1)));
}
CallOut TraceOf(Engine& engine, In& in) {
  return AnswerJson(engine.session().TraceEntries(in.Json(0), in.Json(1)));
}
CallOut Place(Engine& engine, In& in) {
  return AnswerJson(engine.session().Place(in.Text(0), Offset(in, 1)));
}
CallOut Definition(Engine& engine, In& in) {
  return AnswerJson(engine.session().Definition(in.Text(0), in.Text(1), in.OptionalText(2)));
}
CallOut Rename(Engine& engine, In& in) {
  Session::PairsAnswer answer = engine.session().Rename(in.Text(0), Offset(in, 1), in.Text(2));
  const bool found = !answer.pairs.empty();
  CallOut out = AnswerJson(std::move(answer.json));
  if (found) AddMember(out, "ranges", std::move(answer.pairs));
  return out;
}
CallOut Complete(Engine& engine, In& in) {
  return AnswerJson(engine.session().Complete(in.Text(0), Offset(in, 1)));
}
CallOut Format(Engine& engine, In& in) { return AnswerBuffer(engine.session().Format(in.Text(0))); }

// ---- Runs and values ----------------------------------------------------------------------------

CallOut Run(Engine& engine, In& in) {
  std::vector<InputFile> files = in.TakeFiles(1);
  return AnswerJson(engine.session().Run(in.Text(0), in.Json(1), std::move(files)));
}
CallOut WindowOf(Engine& engine, In& in) {
  Session::WindowAnswer answer = engine.session().ValueWindow(in.Json(0), in.Json(1));
  CallOut out = AnswerJson(std::move(answer.json));
  AddMember(out, "numbers", std::move(answer.numbers));
  return out;
}
CallOut StatsOf(Engine& engine, In& in) {
  return AnswerJson(engine.session().ValueStats(in.Json(0)));
}
CallOut NonFiniteOf(Engine& engine, In& in) {
  return AnswerJson(engine.session().NonFinite(in.Json(0)));
}
CallOut TextOf(Engine& engine, In& in) {
  return AnswerBuffer(engine.session().ValueText(in.Json(0), in.Integer(1)));
}
CallOut NpyOf(Engine& engine, In& in) {
  return AnswerBuffer(engine.session().ValueNpy(in.Json(0)));
}
CallOut Memory(Engine& engine, In& in) {
  const int64_t begin = in.Integer(2);
  MemoryWindow window = engine.session().Memory(in.Json(0), in.Text(1), begin, in.Integer(3));
  CallOut out = AnswerJson(fmt::format(R"({{"begin":{}}})", begin));
  AddMember(out, "bytes", std::move(window.bytes));
  AddMember(out, "padding", std::move(window.padding));
  return out;
}
CallOut MemoryByte(Engine& engine, In& in) {
  return AnswerJson(engine.session().MemoryByte(in.Json(0), in.Text(1), in.Integer(2)));
}
CallOut Release(Engine& engine, In& in) {
  engine.session().Release(static_cast<int>(in.Integer(0)));
  return {};
}
CallOut StartHandlesAt(Engine& engine, In& in) {
  engine.session().StartHandlesAt(static_cast<int>(in.Integer(0)));
  return {};
}

// ---- One layout ---------------------------------------------------------------------------------

CallOut LayoutOf(Engine&, In& in) { return AnswerJson(LayoutJson(MakeLayoutView(in.Text(0)))); }

/// How far samples are apart; 1 where the caller does not say.
int64_t Step(const In& in, size_t i) { return std::max<int64_t>(1, in.Integer(i)); }

CallOut LogicalWindowOf(Engine&, In& in) {
  const WindowSpec window = ParseWindowSpec(in.Json(1));
  CallOut out = AnswerJson(fmt::format(R"({{"rows":{},"cols":{}}})", window.rows, window.cols));
  const LayoutView view = MakeLayoutView(in.Text(0));
  const int64_t row_step = Step(in, 2);
  const int64_t col_step = Step(in, 3);
  AddMember(out, "offsets",
            row_step == 1 && col_step == 1 ? LogicalWindow(view, window)
                                           : LogicalSamples(view, window, row_step, col_step));
  return out;
}

CallOut LinearWindowOf(Engine&, In& in) {
  const int64_t begin = in.Integer(1);
  const int64_t count = in.Integer(2);
  CallOut out = AnswerJson(fmt::format(R"({{"begin":{},"count":{}}})", begin, count));
  AddMember(out, "indices", LinearWindow(MakeLayoutView(in.Text(0)), begin, count, Step(in, 3)));
  return out;
}

CallOut Address(Engine&, In& in) {
  const LayoutView view = MakeLayoutView(in.Text(0));
  Dims dims;
  if (!ParseIndex(in.Json(1), &dims)) return AnswerJson(AddressJson({}));
  return AnswerJson(AddressJson(MakeAddressView(view, dims)));
}

constexpr CallRow kSmallCalls[] = {
    {"calls", Calls},
    {"version", [](Engine&, In&) { return AnswerBuffer(std::string(EngineVersion())); }},
    {"ops", [](Engine&, In&) { return AnswerJson(OpsJson()); }},
    {"open", Open},
    {"edit", Edit},
    {"close", Close},
    {"text", WholeText},
    {"contains", Contains},
    {"isMlir", IsMlir},
    {"check", Check},
    {"tokens", TokensOf},
    {"folds", FoldsOf},
    {"outline", Outline},
    {"place", Place},
    {"definition", Definition},
    {"rename", Rename},
    {"complete", Complete},
    {"format", Format},
    {"run", Run},
    {"trace", TraceOf},
    {"valueWindow", WindowOf},
    {"valueStats", StatsOf},
    {"nonFinite", NonFiniteOf},
    {"valueText", TextOf},
    {"valueNpy", NpyOf},
    {"memory", Memory},
    {"memoryByte", MemoryByte},
    {"release", Release},
    {"startHandlesAt", StartHandlesAt},
    {"layoutNotations", [](Engine&, In&) { return AnswerJson(NotationsJson()); }},
    {"layout", LayoutOf},
    {"logicalWindow", LogicalWindowOf},
    {"linearWindow", LinearWindowOf},
    {"address", Address},
};

}  // namespace

CallRows SmallCalls() { return kSmallCalls; }

}  // namespace hlo
