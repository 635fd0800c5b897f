// A NaN is planted in generated programs; what is said to have made it first must be the division
// that did.
#include <memory>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/types/convert.h"
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

// The program with 0/0, of zeros made in the run, added to what statement `number` gives.
std::optional<Program> Planted(const Program& program, size_t number) {
  const Statement victim = program.statements[number];
  const Shape& shape = victim.shape;
  if (!shape.IsArray() || shape.has_dynamic_dims() || shape.element_count() == 0)
    return std::nullopt;
  const ElementType type = shape.element_type();
  if (type != ElementType::kF32 && type != ElementType::kF64 && type != ElementType::kBF16 &&
      type != ElementType::kF16) {
    return std::nullopt;
  }
  Program planted = program;
  for (Statement& statement : planted.statements) {
    for (std::string& operand : statement.operands) {
      if (operand == victim.name) operand = "with.nan";
    }
  }
  const Shape predicate = Shape::Array(ElementType::kPred, shape.dims());
  const std::vector<Statement> added = {
      {"never", predicate, "compare", {victim.name, victim.name}, "", ", direction=GT", ""},
      {"zero", shape, "convert", {"never"}, "", "", ""},
      {"planted", shape, "divide", {"zero", "zero"}, "", "", ""},
      {"with.nan", shape, "add", {victim.name, "planted"}, "", "", ""}};
  planted.statements.insert(planted.statements.begin() + static_cast<int64_t>(number) + 1,
                            added.begin(), added.end());
  return planted;
}

// What is said to have made the first NaN of each device's result; nothing when none has one.
std::vector<std::string> Makers(const Document& document, const RunRecord& record) {
  Budget budget(kPlantedLimits);
  Timeline timeline(*document.module(), OptionsWithTargets(), &budget);
  std::vector<std::vector<Value>> args;
  for (const RunRecord::Device& device : record.devices) args.push_back(device.inputs);
  if (args.empty()) args.push_back(record.inputs);
  timeline.Start(std::move(args));
  while (!timeline.Record(100)) {
  }
  std::vector<std::string> makers;
  if (timeline.failure()) return makers;
  Origins origins(timeline);
  for (int64_t device = 0; device < timeline.grid().count(); ++device) {
    const auto step =
        timeline.LastValueOf(*document.module()->entry()->root(), device, timeline.length());
    if (!step) continue;
    const auto place = origins.FirstNonFinite(*step);
    if (!place) continue;
    const Origins::Path path = origins.FirstMade(*place);
    CHECK(path.complete);
    makers.emplace_back(origins.Facts(path.places.back().step).instruction->name());
  }
  return makers;
}

TEST_CASE("origin: a planted NaN was first made by what planted it") {
  int reached = 0, devices = 0;
  for (uint64_t seed = 1; seed <= 3000 && reached < 200; ++seed) {
    GeneratorOptions options;
    options.several_devices = seed % 3 == 0;
    options.mixed_floats = false;
    options.preferred = ElementType::kF32;
    options.statements = 6 + static_cast<int>(seed % 20);
    const Program program = Generator(seed, options).Generate();
    if (program.statements.empty()) continue;
    const auto planted = Planted(program, seed % program.statements.size());
    if (!planted) continue;
    const auto plain = std::make_shared<const Document>(program.Text());
    const auto document = std::make_shared<const Document>(planted->Text());
    if (!plain->ok() || !document->ok()) continue;
    const Outcome before = RunIt(plain, program, kPlantedLimits, true);
    if (!before.error.empty() || HoldsNan(*before.record)) continue;
    const Outcome outcome = RunIt(document, *planted, kPlantedLimits, true);
    if (!outcome.error.empty() || !HoldsNan(*outcome.record)) continue;
    for (const std::string& maker : Makers(*document, *outcome.record)) {
      ++reached;
      devices += outcome.record->devices.empty() ? 0 : 1;
      CHECK_MESSAGE(maker == "planted", "seed " << seed << ": " << maker << "\n"
                                                << planted->Text());
    }
  }
  MESSAGE(reached << " results with a planted NaN, " << devices << " of them on several devices");
  CHECK(reached >= 200);
  CHECK(devices > 20);
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
  const std::vector<std::string> makers = Makers(*document, *outcome.record);
  CHECK(makers == std::vector<std::string>{"made", "made"});
}

}  // namespace
}  // namespace hlo
