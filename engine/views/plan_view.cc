#include "engine/views/plan_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/byte_count.h"
#include "engine/base/work_limit.h"
#include "engine/codegen/code_text.h"
#include "engine/codegen/region_module.h"
#include "engine/codegen/segment.h"
#include "engine/plan/island.h"
#include "engine/plan/plan.h"
#include "engine/views/flow_text.h"
#include "engine/views/guard.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/target_families.h"

namespace hlo {
namespace {

enum class WrittenStep { kLoop, kScalars, kInstruction, kConstant };

constexpr std::string_view kKindNames[] = {"loop", "scalars", "instruction", "constant"};

WrittenStep KindOf(const PlannedInstruction& planned) {
  if (planned.loop) return WrittenStep::kLoop;
  if (planned.scalar_loop) return WrittenStep::kScalars;
  return planned.fold == Fold::kNone ? WrittenStep::kInstruction : WrittenStep::kConstant;
}

std::string NameOf(const ComputationPlan& plan, int32_t position) {
  return std::string(plan.instructions[static_cast<size_t>(position)].instruction->name());
}

std::vector<std::string> NamesOf(const ComputationPlan& plan,
                                 const std::vector<int32_t>& positions) {
  std::vector<std::string> names;
  names.reserve(positions.size());
  for (int32_t position : positions) names.push_back(NameOf(plan, position));
  return names;
}

// The computations that a run enters, each once.
std::vector<const ComputationPlan*> EnteredBy(Plan& plan) {
  const Computation& entry = *plan.module().entry();
  std::vector<const ComputationPlan*> entered = {&plan.For(entry)};
  std::vector<bool> is_known(plan.module().computations().size());
  is_known[static_cast<size_t>(entry.index())] = true;
  for (size_t next = 0; next < entered.size(); ++next) {
    for (const PlannedInstruction& planned : entered[next]->instructions) {
      if (!planned.def->enter || planned.is_joined || planned.scalar_loop) continue;
      for (const Attr& attr : planned.instruction->attrs()) {
        ForEachRegion(attr.value, [&](const Region* region) {
          const auto index = static_cast<size_t>(AsComputation(region)->index());
          if (!is_known[index]) entered.push_back(&plan.For(*region));
          is_known[index] = true;
        });
      }
    }
  }
  return entered;
}

std::string ReasonOf(const ComputationPlan& plan, const Unjoined& unjoined) {
  switch (unjoined.why) {
    case Apart::kCount:
      return "it has another number of elements";
    case Apart::kOrder:
      return "it reads the elements in another order";
    case Apart::kNeeded:
      return fmt::format("{}, between the two, needs values of that loop",
                         NameOf(plan, unjoined.needed_by));
    case Apart::kFull:
      break;
  }
  return "that loop has as many instructions as a loop may have";
}

// ---- As text ------------------------------------------------------------------------------------

/// A text whose lines are about instructions.
class LinkedText {
 public:
  /// Places are counted in the document's text; at most about so many bytes are written.
  LinkedText(const Document& document, size_t most_bytes)
      : from_(document.text()), most_bytes_(most_bytes) {}

  bool is_full() const { return text_.size() > most_bytes_; }

  /// Adds a line, without its end, or several that are about the same.
  void Add(std::string_view lines) {
    text_ += lines;
    text_ += '\n';
    end_ += 1 + static_cast<uint32_t>(std::count(lines.begin(), lines.end(), '\n'));
  }
  /// The lines from `begin` on are about the instruction.
  void Link(uint32_t begin, const Instruction& instruction) {
    const Range place = instruction.places().whole;
    if (place == Range{}) return;
    const uint32_t line = from_.At(place.begin).line - 1;
    for (uint32_t i = begin; i < end_; ++i) links_.emplace_back(line, i);
  }
  /// The number of the next line.
  uint32_t end() const { return end_; }

  const std::string& text() const { return text_; }
  /// Lines of the document's text and of this one, each once.
  std::vector<std::pair<uint32_t, uint32_t>> TakeLinks() {
    std::sort(links_.begin(), links_.end());
    links_.erase(std::unique(links_.begin(), links_.end()), links_.end());
    return std::move(links_);
  }

 private:
  const LineTable from_;
  size_t most_bytes_;
  std::string text_;
  uint32_t end_ = 0;
  std::vector<std::pair<uint32_t, uint32_t>> links_;
};

std::string InputsText(const ComputationPlan& plan, const JoinedLoop& loop) {
  std::string text;
  for (const LoopInput& input : loop.inputs) {
    const bool is_one = input.view && input.view->is_uniform();
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", NameOf(plan, input.value),
                        is_one       ? " (one element)"
                        : input.view ? " (a view)"
                                     : "");
  }
  return text.empty() ? "nothing" : text;
}

std::string StepText(const ComputationPlan& plan, const PlannedInstruction& planned) {
  const Instruction& instruction = *planned.instruction;
  switch (KindOf(planned)) {
    case WrittenStep::kLoop:
      return fmt::format("  loop over {} elements: {}\n    reads {}\n    writes {}",
                         planned.loop->count, fmt::join(NamesOf(plan, planned.loop->members), ", "),
                         InputsText(plan, *planned.loop),
                         fmt::join(NamesOf(plan, planned.loop->outputs), ", "));
    case WrittenStep::kScalars:
      return fmt::format("  {} = {}, over scalars: one program of {} operations",
                         instruction.name(), Text(instruction.opcode()),
                         planned.scalar_loop->steps.size());
    case WrittenStep::kConstant:
      return fmt::format("  {} = {}, computed once: it follows from constants", instruction.name(),
                         Text(instruction.opcode()));
    case WrittenStep::kInstruction:
      break;
  }
  return fmt::format("  {} = {}", instruction.name(), Text(instruction.opcode()));
}

std::string NarrowText(const PlannedInstruction& planned) {
  return planned.narrow == nullptr
             ? ""
             : fmt::format("\n    as {}: its users look indices up along one dimension",
                           ShapeName(planned.call.shape()));
}

// The product that a loop is the epilogue of; null for most. `island` may be null.
const Instruction* ProductOf(const Island* island, const PlannedInstruction& loop) {
  if (island == nullptr || !loop.loop) return nullptr;
  const std::vector<IslandStep>& steps = island->steps;
  const auto at = std::find_if(steps.begin(), steps.end(),
                               [&](const IslandStep& step) { return step.planned == &loop; });
  if (at == steps.begin() || at == steps.end() || !(at - 1)->has_epilogue) return nullptr;
  return (at - 1)->planned->instruction;
}

std::string EpilogueText(const Instruction* product) {
  return product == nullptr ? ""
                            : fmt::format(
                                  "\n    as the epilogue of {}: on each part of it that is final, "
                                  "while that is in the cache",
                                  product->name());
}

bool IsStep(const PlannedInstruction& planned) { return !planned.is_joined; }

int64_t StepsOf(const ComputationPlan& plan) {
  return std::count_if(plan.instructions.begin(), plan.instructions.end(), IsStep);
}

const Instruction& At(const ComputationPlan& plan, int32_t position) {
  return *plan.instructions[static_cast<size_t>(position)].instruction;
}

// The lines from `begin` on are about all that a step stands for.
void LinkStep(const ComputationPlan& plan, const PlannedInstruction& planned, uint32_t begin,
              LinkedText* text) {
  text->Link(begin, *planned.instruction);
  if (planned.loop) {
    for (int32_t member : planned.loop->members) text->Link(begin, At(plan, member));
  }
  if (!planned.scalar_loop) return;
  for (const RegionStep& step : planned.scalar_loop->steps) {
    if (step.source) text->Link(begin, *step.source);
  }
}

void AddPlan(const ComputationPlan& plan, Islands* islands, LinkedText* text) {
  text->Add(fmt::format("{}: {} in {}", plan.computation->name(),
                        Counted(static_cast<int64_t>(plan.instructions.size()), "instruction"),
                        Counted(static_cast<int64_t>(StepsOf(plan)), "step")));
  const Island* const island = islands->Of(*plan.computation);
  for (const PlannedInstruction& planned : plan.instructions) {
    if (!IsStep(planned)) continue;
    const uint32_t begin = text->end();
    text->Add(StepText(plan, planned) + NarrowText(planned) +
              EpilogueText(ProductOf(island, planned)));
    const std::string flow = FlowText(plan, planned, islands);
    if (!flow.empty()) text->Add(flow);
    LinkStep(plan, planned, begin, text);
  }
  for (const Unjoined& unjoined : plan.unjoined) {
    const uint32_t begin = text->end();
    text->Add(fmt::format("  not joined: {} with {}: {}", NameOf(plan, unjoined.instruction),
                          NameOf(plan, unjoined.operand), ReasonOf(plan, unjoined)));
    text->Link(begin, At(plan, unjoined.instruction));
  }
  if (island == nullptr) return;
  for (const SeparateLoop& separate : island->separate) {
    const uint32_t begin = text->end();
    text->Add(fmt::format("  not an epilogue: the loop of {} after {}: {}",
                          separate.loop->instruction->name(), separate.product->instruction->name(),
                          Text(separate.why)));
    LinkStep(plan, *separate.loop, begin, text);
  }
}

// ---- As code ------------------------------------------------------------------------------------

std::string NameOf(const RegionStep& step) {
  if (!step.source) return "";
  return fmt::format("{} = {}", step.source->name(), Text(step.source->opcode()));
}

void AddSegment(const RegionSteps& steps, const Segment& segment, size_t number, LinkedText* text) {
  const std::string how = segment.is_loop   ? "a loop"
                          : segment.is_rows ? "row after row"
                                            : fmt::format("{} lanes at a time", segment.lanes);
  text->Add(fmt::format(";; {}: operations {} to {} of {}, {}", number, segment.begin + 1,
                        segment.end, steps.steps.size(), how));
  if (!segment.goes_by_halves) return;
  text->Add(fmt::format(";;    of {} lanes and more both halves at once", kLeastHalved));
}

void AddModule(const RegionSteps& steps, LinkedText* text) {
  const std::vector<Segment> segments = FindSegments(steps);
  if (segments.empty()) return text->Add(";; no code: its operations run one after the other");
  std::vector<std::vector<CodeNote>> notes;
  const std::optional<CodeBytes> module = RegionModule(steps, segments, &notes);
  for (size_t i = 0; i < segments.size(); ++i) AddSegment(steps, segments[i], i, text);
  if (!module) return text->Add(";; no code: it is too large");
  const CommentedCode code =
      CommentedModuleText(*module, notes, [&](size_t step) { return NameOf(steps.steps[step]); });
  std::string_view rest = code.text;
  for (size_t step : code.steps) {
    const uint32_t begin = text->end();
    const size_t length = rest.find('\n');
    text->Add(rest.substr(0, length));
    rest.remove_prefix(length + 1);
    if (step == CodeNote::kNoStep || !steps.steps[step].source) continue;
    text->Link(begin, *steps.steps[step].source);
  }
}

void AddCode(const ComputationPlan& plan, Islands* islands, LinkedText* text) {
  for (const PlannedInstruction& planned : plan.instructions) {
    if (text->is_full()) return;
    const std::string flow = FlowCodeText(plan, planned, islands);
    if (!flow.empty()) {
      const uint32_t begin = text->end();
      text->Add(std::string_view(flow).substr(0, flow.size() - 1));
      text->Link(begin, *planned.instruction);
    }
    if (!planned.loop && !planned.scalar_loop) continue;
    const std::vector<int32_t> one = {planned.instruction->index()};
    const std::vector<int32_t>& members = planned.loop ? planned.loop->members : one;
    const uint32_t begin = text->end();
    text->Add(fmt::format(";; {}: {}: {}", plan.computation->name(),
                          planned.loop ? fmt::format("loop over {} elements", planned.loop->count)
                                       : "loop over scalars",
                          fmt::join(NamesOf(plan, members), ", ")));
    LinkStep(plan, planned, begin, text);
    AddModule(planned.loop ? planned.loop->steps : *planned.scalar_loop, text);
  }
}

enum class Part : uint8_t { kPlan, kCode };

LinkedText MakeText(const Document& document, Part part, size_t most_bytes) {
  Plan plan(*document.module(), &BuiltInTargets(), /*joins_loops=*/true);
  Islands islands(&plan);
  LinkedText text(document, most_bytes);
  for (const ComputationPlan* computation : EnteredBy(plan)) {
    if (text.is_full()) break;
    part == Part::kPlan ? AddPlan(*computation, &islands, &text)
                        : AddCode(*computation, &islands, &text);
  }
  const std::string_view comment = part == Part::kPlan ? "" : ";; ";
  if (text.is_full()) text.Add(fmt::format("{}... and more: this is as much as is shown", comment));
  if (text.end() == 0) {
    text.Add(";; no loops of element-wise instructions, and none over scalars");
  }
  return text;
}

constexpr size_t kWhole = static_cast<size_t>(-1);

// ---- As JSON ------------------------------------------------------------------------------------

Json LoopJson(const ComputationPlan& plan, const JoinedLoop& loop) {
  Json inputs = Json::array();
  for (const LoopInput& input : loop.inputs) {
    inputs.push_back(
        ObjectJson({{"name", NameOf(plan, input.value)}, {"isView", input.view.has_value()}}));
  }
  return ObjectJson({{"elements", loop.count},
                     {"instructions", NamesOf(plan, loop.members)},
                     {"inputs", std::move(inputs)},
                     {"outputs", NamesOf(plan, loop.outputs)},
                     {"operations", loop.steps.steps.size()}});
}

Json StepJson(const ComputationPlan& plan, const PlannedInstruction& planned) {
  const WrittenStep kind = KindOf(planned);
  Json step = ObjectJson({{"kind", std::string(kKindNames[static_cast<size_t>(kind)])},
                          {"name", std::string(planned.instruction->name())},
                          {"opcode", std::string(Text(planned.instruction->opcode()))}});
  if (planned.loop) step.update(LoopJson(plan, *planned.loop));
  if (planned.scalar_loop) step["operations"] = planned.scalar_loop->steps.size();
  return step;
}

Json SeparateJson(const SeparateLoop& separate) {
  return ObjectJson({{"loop", std::string(separate.loop->instruction->name())},
                     {"product", std::string(separate.product->instruction->name())},
                     {"why", std::string(Text(separate.why))}});
}

Json ComputationJson(const ComputationPlan& plan, const Island* island) {
  Json steps = Json::array(), unjoined = Json::array(), separate = Json::array();
  for (const PlannedInstruction& planned : plan.instructions) {
    if (!IsStep(planned)) continue;
    steps.push_back(StepJson(plan, planned));
    const Instruction* const product = ProductOf(island, planned);
    if (product) steps.back()["epilogueOf"] = std::string(product->name());
  }
  if (island) {
    for (const SeparateLoop& loop : island->separate) separate.push_back(SeparateJson(loop));
  }
  for (const Unjoined& apart : plan.unjoined) {
    unjoined.push_back(ObjectJson({{"instruction", NameOf(plan, apart.instruction)},
                                   {"operand", NameOf(plan, apart.operand)},
                                   {"why", ReasonOf(plan, apart)}}));
  }
  return ObjectJson({{"name", std::string(plan.computation->name())},
                     {"instructions", plan.instructions.size()},
                     {"steps", std::move(steps)},
                     {"unjoined", std::move(unjoined)},
                     {"separate", std::move(separate)}});
}

}  // namespace

std::string PlanText(const Document& document) {
  return MakeText(document, Part::kPlan, kWhole).text();
}

std::string PlanJson(const Document& document) {
  Plan plan(*document.module(), &BuiltInTargets(), /*joins_loops=*/true);
  Islands islands(&plan);
  Json computations = Json::array();
  for (const ComputationPlan* computation : EnteredBy(plan)) {
    computations.push_back(ComputationJson(*computation, islands.Of(*computation->computation)));
  }
  return JsonText(ObjectJson({{"computations", std::move(computations)}}));
}

std::string PlanCode(const Document& document) {
  return MakeText(document, Part::kCode, kWhole).text();
}

std::string PlanResultJson(const Document& document, std::string_view options,
                           std::vector<uint32_t>* lines) {
  constexpr size_t kMostBytes = size_t{1} << 20;
  const Json wanted = ParseJson(options);
  const bool is_code = wanted.is_object() && wanted.value("as", Json()) == "code";
  Diagnostics diagnostics = document.diagnostics();
  const bool is_program = document.ok() && document.module()->entry() && !diagnostics.has_errors();
  std::string text;
  const bool ok = is_program && Guarded(diagnostics, [&] {
                    const WorkLimit limit(WorkLimit::ForText(document.text().size()));
                    LinkedText made =
                        MakeText(document, is_code ? Part::kCode : Part::kPlan, kMostBytes);
                    text = made.text().substr(0, made.text().size() - 1);
                    for (const auto& [from, line] : made.TakeLinks()) {
                      lines->insert(lines->end(), {from, line});
                    }
                  });
  return JsonText(ObjectJson({{"ok", ok},
                              {"text", std::move(text)},
                              {"diagnostics", DiagnosticsJson(diagnostics, document.map())}}));
}

}  // namespace hlo
