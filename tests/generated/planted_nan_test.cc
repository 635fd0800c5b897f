// A NaN is planted in generated programs; what is said to have made it first must be the division
// that did.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <ostream>
#include <string>
#include <unordered_map>
#include <vector>

#include "doctest/doctest.h"
#include "engine/hlo/call_graph.h"
#include "engine/ops/op_def.h"
#include "engine/types/convert.h"
#include "engine/why/first.h"
#include "engine/why/origin.h"
#include "tests/all_targets.h"
#include "tests/generated/generator.h"
#include "tests/generated/outcome.h"

namespace hlo {
namespace {

constexpr Budget::Limits kPlantedLimits{.memory_bytes = 256 << 20, .steps = 200'000, .seconds = 20};

bool HoldsNan(const RunRecord& record) {
  for (const TraceEntry* entry : record.entries) {
    std::vector<Value> leaves{entry->value};
    for (size_t i = 0; i < leaves.size(); ++i) {
      const Value leaf = leaves[i];
      if (leaf.is_tuple())
        leaves.insert(leaves.end(), leaf.elements().begin(), leaf.elements().end());
      if (!leaf.is_array() || !IsFloat(leaf.tensor().element_type())) continue;
      const Tensor& array = leaf.tensor();
      std::vector<double> numbers(static_cast<size_t>(array.element_count()));
      ConvertElements(array.element_type(), array.bytes(), ElementType::kF64,
                      reinterpret_cast<std::byte*>(numbers.data()), array.element_count());
      for (const double number : numbers) {
        if (number != number) return true;
      }
    }
  }
  return false;
}

// ---- Planting -----------------------------------------------------------------------------------

// Where an instruction is executed.
struct Spot {
  bool in_loop = false, in_branch = false, in_call = false, in_async = false;
  /// Executed as a part of this instruction: the region of a reduction, say. Null: by itself.
  const Instruction* part_of = nullptr;
};

// Of the first way that leads from the program's entry to each computation.
std::unordered_map<const Computation*, Spot> SpotsOf(const Module& module) {
  std::unordered_map<const Computation*, Spot> spots{{module.entry(), {}}};
  std::vector<const Computation*> todo{module.entry()};
  while (!todo.empty()) {
    const Computation& at = *todo.back();
    todo.pop_back();
    for (const Instruction& caller : at.instructions()) {
      ForEachCallee(caller, [&](const Attr&, const Computation& callee) {
        Spot spot = spots[&at];
        const Runs runs = caller.def().runs;
        const bool is_async = caller.opcode() == Opcode::kAsyncStart;
        spot.in_loop |= runs == Runs::kWhile;
        spot.in_branch |= runs == Runs::kChosen;
        spot.in_call |= runs == Runs::kOne;
        spot.in_async |= is_async;
        if (runs == Runs::kOtherwise && !is_async && !spot.part_of) spot.part_of = &caller;
        if (spots.emplace(&callee, spot).second) todo.push_back(&callee);
      });
    }
  }
  return spots;
}

// An instruction of a text: `  ROOT name = f32[2]{0} add(a, b), ...`.
struct PlantedLine {
  size_t begin = 0, end = 0;
  std::string computation, name, shape, type;
  bool is_root = false;
};

std::vector<PlantedLine> FloatLinesOf(const std::string& text) {
  std::vector<PlantedLine> lines;
  std::string computation;
  for (size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    const bool opens = !line.empty() && line.back() == '{' && line.find('=') == line.npos;
    if (opens) {
      if (line.starts_with("ENTRY ")) line.erase(0, 6);
      computation = line.substr(0, line.find(' '));
    }
    const size_t equals = line.find(" = ");
    if (opens || !line.starts_with("  ") || equals == line.npos) continue;
    PlantedLine found{begin, end, computation, line.substr(2, equals - 2), "", "", false};
    found.is_root = found.name.starts_with("ROOT ");
    if (found.is_root) found.name.erase(0, 5);
    found.shape = line.substr(equals + 3, line.find(' ', equals + 3) - equals - 3);
    found.type = found.shape.substr(0, found.shape.find('['));
    const bool is_float =
        found.type == "f32" || found.type == "f64" || found.type == "bf16" || found.type == "f16";
    // No arrays without elements, and none whose sizes are those of the run.
    const std::string sizes = found.shape.substr(found.type.size());
    const bool is_plain = sizes.find("<=") == sizes.npos && sizes.find("[0") == sizes.npos &&
                          sizes.find(",0") == sizes.npos && found.shape[0] != '(';
    if (is_float && is_plain) lines.push_back(std::move(found));
  }
  return lines;
}

// The text with 0/0, of zeros made in the run, added to what an instruction gives; with `only`, on
// that device alone, and 0/1 on the others.
std::string PlantedText(const std::string& text, const PlantedLine& at, int64_t only,
                        int64_t partitions) {
  const size_t close = std::min(text.find("\n}", at.end), text.size());
  std::string rest = text.substr(at.end, close - at.end);
  for (size_t i = 0; (i = rest.find(at.name, i)) != rest.npos;) {
    const auto is_part = [&](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-';
    };
    const size_t after = i + at.name.size();
    const bool is_name = !is_part(rest[i - 1]) && (after >= rest.size() || !is_part(rest[after]));
    // What an instruction is called, or an attribute, is followed by a sign of its own.
    const bool is_operand =
        is_name && after < rest.size() && (rest[after] == ',' || rest[after] == ')');
    if (is_operand) rest.replace(i, at.name.size(), "with.nan");
    i = is_operand ? i + 8 : after;
  }
  const std::string predicate = "pred" + at.shape.substr(at.type.size());
  std::string added =
      fmt::format("\n  never = {0} compare({1}, {1}), direction=GT\n  zero = {2} convert(never)",
                  predicate, at.name, at.shape);
  std::string divisor = "zero";
  if (only >= 0) {
    added += fmt::format(
        "\n  replica = u32[] replica-id()\n  partition = u32[] partition-id()\n"
        "  count = u32[] constant({})\n  row = u32[] multiply(replica, count)\n"
        "  device = u32[] add(row, partition)\n  wanted = u32[] constant({})\n"
        "  other = pred[] compare(device, wanted), direction=NE\n"
        "  others = {} broadcast(other), dimensions={{}}\n  one = {} convert(others)",
        partitions, only, predicate, at.shape);
    divisor = "one";
  }
  added += fmt::format("\n  planted = {0} divide(zero, {2})\n  {3}with.nan = {0} add({1}, planted)",
                       at.shape, at.name, divisor, at.is_root ? "ROOT " : "");
  std::string line = text.substr(at.begin, at.end - at.begin);
  if (at.is_root) line.erase(line.find("ROOT "), 5);
  return text.substr(0, at.begin) + line + added + rest + text.substr(close);
}

// ---- Who made it --------------------------------------------------------------------------------

struct Maker {
  std::string computation, name;
  int64_t device = 0;
  bool operator==(const Maker&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Maker& maker) {
  return out << maker.computation << "/" << maker.name << " on device " << maker.device;
}

// What is said to have made the first NaN of each device's result; nothing when none has one.
std::vector<Maker> MakersOf(const Document& document, const RunRecord& record) {
  Budget budget(kPlantedLimits);
  RunOptions options = OptionsWithTargets();
  options.replicas = record.grid.replicas;
  options.partitions = record.grid.partitions;
  Timeline timeline(*document.module(), options, &budget);
  std::vector<std::vector<Value>> args;
  for (const RunRecord::Device& device : record.devices) args.push_back(device.inputs);
  if (args.empty()) args.push_back(record.inputs);
  timeline.Start(std::move(args));
  while (!timeline.Record(100)) {
  }
  std::vector<Maker> makers;
  if (timeline.failure()) return makers;
  Origins origins(timeline);
  for (int64_t device = 0; device < timeline.grid().count(); ++device) {
    const auto step =
        timeline.LastValueOf(*document.module()->entry()->root(), device, timeline.length());
    if (!step) continue;
    const auto place = origins.FirstNonFinite(*step);
    if (!place) continue;
    const Value result = origins.Facts(*step).value;
    // Infinities may have other makers.
    if (!ElementText(*ArrayAt(result, place->path), place->index).ends_with("nan")) continue;
    const Origins::Path path = origins.FirstMade(*place);
    CHECK(path.complete);
    const StepFacts made = origins.Facts(path.places.back().step);
    makers.push_back({std::string(made.instruction->parent()->name()),
                      std::string(made.instruction->name()), made.device});
  }
  return makers;
}

// A program with a NaN planted in it, and what must be said of it.
struct PlantedCase {
  std::shared_ptr<const Document> document;
  Program program;
  Spot spot;
  Maker expected;
  bool is_on_one = false;
};

std::optional<PlantedCase> MakePlanted(uint64_t seed) {
  GeneratorOptions options;
  options.several_devices = seed % 3 == 0;
  options.mixed_floats = false;
  options.preferred = ElementType::kF32;
  options.statements = 6 + static_cast<int>(seed % 20);
  PlantedCase made;
  made.program = Generator(seed, options).Generate();
  const std::string text = made.program.Text();
  const std::vector<PlantedLine> lines = FloatLinesOf(text);
  if (lines.empty()) return std::nullopt;
  const Document plain(text);
  if (!plain.ok()) return std::nullopt;
  const auto spots = SpotsOf(*plain.module());
  const auto spot_of = [&](const PlantedLine& line) -> const Spot* {
    for (const auto& [computation, spot] : spots) {
      if (computation->name() == line.computation) return &spot;
    }
    return nullptr;
  };
  // Of four programs one has it anywhere, the others where such a place is, in turn.
  constexpr bool Spot::*kWanted[] = {nullptr, &Spot::in_loop, &Spot::in_branch, &Spot::in_call};
  std::vector<const PlantedLine*> fitting;
  for (const PlantedLine& each : lines) {
    const Spot* spot = spot_of(each);
    const bool Spot::*wanted = kWanted[seed % 4];
    if (spot && (!wanted || (spot->*wanted && !spot->part_of))) fitting.push_back(&each);
  }
  Random random(seed);
  const PlantedLine& line =
      fitting.empty() ? lines[random.Below(lines.size())] : *fitting[random.Below(fitting.size())];
  const Spot* spot = spot_of(line);
  if (!spot) return std::nullopt;
  made.spot = *spot;
  const int64_t count = made.program.replicas * made.program.partitions;
  made.is_on_one = count > 1 && !spot->part_of && seed % 2 == 0;
  const int64_t only =
      made.is_on_one ? static_cast<int64_t>(seed % static_cast<uint64_t>(count)) : -1;
  made.document =
      std::make_shared<const Document>(PlantedText(text, line, only, made.program.partitions));
  made.expected = {line.computation, "planted", only};
  if (spot->part_of) {
    made.expected = {std::string(spot->part_of->parent()->name()),
                     std::string(spot->part_of->name()), -1};
  }
  return made;
}

TEST_CASE("origin: a planted NaN was first made by what planted it") {
  const char* const first = std::getenv("HLO_PLANTED_SEED");
  const char* const wanted = std::getenv("HLO_PLANTED_NANS");
  const uint64_t begin = first ? std::strtoull(first, nullptr, 10) : 1;
  const int most = wanted ? std::atoi(wanted) : 200;
  int programs = 0, devices = 0, crossed = 0, loops = 0, branches = 0, calls = 0, async = 0;
  int regions = 0;
  uint64_t seed = begin;
  for (; seed < begin + 100'000 && programs < most; ++seed) {
    auto made = MakePlanted(seed);
    if (!made || !made->document->ok()) continue;
    const Outcome outcome = RunIt(made->document, made->program, kPlantedLimits, true);
    if (!outcome.error.empty() || !HoldsNan(*outcome.record)) continue;
    const auto plain = std::make_shared<const Document>(made->program.Text());
    const Outcome before = RunIt(plain, made->program, kPlantedLimits, true);
    if (!before.error.empty() || HoldsNan(*before.record)) continue;
    const std::vector<Maker> makers = MakersOf(*made->document, *outcome.record);
    if (makers.empty()) continue;
    ++programs;
    devices += outcome.record->devices.size() > 1 ? 1 : 0;
    loops += made->spot.in_loop;
    branches += made->spot.in_branch;
    calls += made->spot.in_call;
    async += made->spot.in_async;
    regions += made->spot.part_of != nullptr;
    for (size_t i = 0; i < makers.size(); ++i) {
      Maker expected = made->expected;
      if (expected.device < 0) expected.device = makers[i].device;
      crossed += made->is_on_one && makers.size() > 1 ? 1 : 0;
      CHECK_MESSAGE(makers[i] == expected, "seed " << seed << ": " << makers[i] << ", not "
                                                   << expected << "\n"
                                                   << made->document->text());
    }
  }
  MESSAGE("seeds " << begin << " to " << seed - 1 << ": " << programs
                   << " programs with a planted NaN; in loops " << loops << ", in branches "
                   << branches << ", in calls and fusions " << calls << ", in asynchronous ones "
                   << async << ", in regions " << regions << "; on several devices " << devices
                   << ", results that got it from another device " << crossed);
  CHECK(programs == most);
  if (most < 200) return;
  CHECK(devices > 30);
  CHECK(crossed > 5);
  CHECK(loops > 10);
  CHECK(branches > 10);
  CHECK(calls > 10);
  CHECK(async > 2);
  CHECK(regions > 5);
}

// Divides zero by zero in the third iteration of a loop, in a computation that its body calls, in
// one branch of a conditional; another device gets it by an all-reduce.
constexpr char kNested[] = R"(
HloModule nested, replica_count=2
sum { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = f32[] add(a, b) }
bad { x = f32[2] parameter(0)  z = f32[2] subtract(x, x)  ROOT made = f32[2] divide(z, z) }
good { x = f32[2] parameter(0)  ROOT twice = f32[2] add(x, x) }
inner { x = f32[2] parameter(0)  i = s32[] parameter(1)  two = s32[] constant(2)
        r = u32[] replica-id()  n = u32[] constant(0)  mine = pred[] compare(r, n), direction=EQ
        third = pred[] compare(i, two), direction=EQ  both = pred[] and(mine, third)
        ROOT c = f32[2] conditional(both, x, x), true_computation=bad, false_computation=good }
cond { s = (s32[], f32[2]) parameter(0)  i = s32[] get-tuple-element(s), index=0
       n = s32[] constant(6)  ROOT lt = pred[] compare(i, n), direction=LT }
body { s = (s32[], f32[2]) parameter(0)  i = s32[] get-tuple-element(s), index=0
       x = f32[2] get-tuple-element(s), index=1  one = s32[] constant(1)  j = s32[] add(i, one)
       y = f32[2] call(x, i), to_apply=inner  ROOT t = (s32[], f32[2]) tuple(j, y) }
ENTRY e {
  zero = s32[] constant(0)
  x = f32[2] constant({1, 2})
  s = (s32[], f32[2]) tuple(zero, x)
  w = (s32[], f32[2]) while(s), condition=cond, body=body
  y = f32[2] get-tuple-element(w), index=1
  ROOT r = f32[2] all-reduce(y), replica_groups={{0,1}}, to_apply=sum
}
)";

TEST_CASE("origin: through loops, calls, branches and other devices") {
  const auto document = std::make_shared<const Document>(kNested);
  REQUIRE(document->ok());
  Program none;
  const Outcome outcome = RunIt(document, none, kPlantedLimits, false);
  REQUIRE(outcome.error.empty());
  const std::vector<Maker> makers = MakersOf(*document, *outcome.record);
  CHECK(makers == std::vector<Maker>{{"bad", "made", 0}, {"bad", "made", 0}});
}

}  // namespace
}  // namespace hlo
