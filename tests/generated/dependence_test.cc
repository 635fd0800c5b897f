// What elements depend on, by brute force: an element of an operand is changed, and every element
// of the result that is another one then must be said to depend on it, in both directions.
#include "engine/why/dependence.h"

#include <cstring>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/base/indices.h"
#include "engine/run/executor.h"
#include "tests/all_targets.h"
#include "tests/generated/generator.h"
#include "tests/generated/outcome.h"
#include "tests/unit/sanitizers.h"

namespace hlo {
namespace {

constexpr Budget::Limits kDependenceLimits{
    .memory_bytes = 256 << 20, .steps = 200'000, .seconds = 20};

// A program that is one instruction, on parameters; and the values that these had.
struct Alone {
  std::shared_ptr<const Document> document;
  const Instruction* instruction = nullptr;
  std::vector<Value> args;
};

std::optional<Alone> AloneOf(const Program& program, const RunRecord& record,
                             std::string_view opcode) {
  for (const Statement& statement : program.statements) {
    if (statement.opcode != opcode) continue;
    Program alone;
    Alone made;
    std::set<std::string> known;
    for (const std::string& name : statement.operands) {
      if (!known.insert(name).second) continue;
      for (const Statement& operand : program.statements) {
        if (operand.name != name) continue;
        Statement parameter{name, operand.shape, "parameter", {}, {}, {}, {}};
        parameter.literal = std::to_string(made.args.size());
        alone.statements.push_back(parameter);
      }
      for (const TraceEntry* entry : record.entries) {
        if (entry->depth == 0 && entry->instruction->name() == name) {
          made.args.push_back(entry->value);
          break;
        }
      }
    }
    alone.statements.push_back(statement);
    made.document = std::make_shared<const Document>(alone.Text());
    if (!made.document->ok() || made.args.size() != known.size()) continue;
    const Computation& entry = *made.document->module()->entry();
    made.instruction = entry.Find(statement.name);
    if (made.instruction && entry.parameter_count() == static_cast<int>(known.size())) return made;
  }
  return std::nullopt;
}

std::optional<Value> ValueOf(const Alone& alone, std::vector<Value> args, Budget* budget) {
  Trace trace;
  Executor executor(*alone.document->module(), OptionsWithTargets(), budget, &trace);
  executor.Start(std::move(args));
  if (executor.Run() != Executor::Status::kDone) return std::nullopt;
  std::optional<Value> value;
  for (int64_t id = 0; id < trace.count(); ++id) {
    const TraceEntry* entry = trace.Find(id);
    if (entry && entry->depth == 0 && entry->instruction == alone.instruction) value = entry->value;
  }
  return value;
}

struct PlacedArray {
  Dims path;
  const Tensor* array;
};
void CollectArrays(const Value& value, const Dims& path, std::vector<PlacedArray>* out) {
  if (value.is_array()) out->push_back({path, &value.tensor()});
  if (!value.is_tuple()) return;
  for (size_t i = 0; i < value.elements().size(); ++i) {
    CollectArrays(value.elements()[i], Joined(path, Dims{static_cast<int64_t>(i)}), out);
  }
}

bool IsSaid(const std::vector<Elements>& all, int operand, const Dims& path, const Dims& index) {
  for (const Elements& each : all) {
    if (each.operand == operand && each.path == path && Contains(each.box, index)) return true;
  }
  return false;
}

std::string PlaceText(const Dims& path, const Dims& index) {
  std::string text = "{";
  for (const int64_t i : path) text += std::to_string(i) + ",";
  return text + "}" + BoxText(BoxOf(index));
}

// Changes elements of operand `number` one after another. Returns how many changed something.
int CheckOperand(const Alone& alone, int number, const Value& before, std::mt19937& random,
                 Budget* budget) {
  int changing = 0;
  const Instruction& instruction = *alone.instruction;
  const OpCall call = instruction.Call();
  const auto& parameters = instruction.parent()->parameters();
  size_t arg = 0;
  while (parameters[arg] != instruction.operand(number)) ++arg;
  if (!alone.args[arg].is_array()) return 0;
  // An operand that is given twice is changed twice.
  std::vector<int> same;
  std::vector<Value> given;
  for (int i = 0; i < instruction.operand_count(); ++i) {
    if (instruction.operand(i) == instruction.operand(number)) same.push_back(i);
    size_t k = 0;
    while (parameters[k] != instruction.operand(i)) ++k;
    given.push_back(alone.args[k]);
  }
  const Tensor& array = alone.args[arg].tensor();
  if (array.element_count() == 0) return 0;
  const int width = BytesOf(array.element_type());
  for (int n = 0; n < 12; ++n) {
    const auto at = static_cast<int64_t>(random() % static_cast<uint64_t>(array.element_count()));
    Tensor changed(array.element_type(), array.dims(), nullptr);
    changed.set_dynamic_sizes(array.dynamic_sizes());
    std::memcpy(changed.mutable_bytes(), array.bytes(), static_cast<size_t>(array.byte_size()));
    const bool high = n % 2 == 1 && width > 1 && IsFloat(array.element_type());
    changed.mutable_bytes()[at * width + (high ? width - 1 : 0)] ^=
        high ? std::byte{0x80} : std::byte{1};
    std::vector<Value> args = alone.args;
    args[arg] = changed;
    const std::optional<Value> after = ValueOf(alone, args, budget);
    if (!after) continue;
    std::vector<PlacedArray> was, is;
    CollectArrays(before, {}, &was);
    CollectArrays(*after, {}, &is);
    REQUIRE(was.size() == is.size());
    const Dims from = Unravel(at, array.dims());
    std::vector<Elements> reach;
    for (const int i : same) {
      for (Elements& each : ReachOf({call, given, before}, i, {}, from)) reach.push_back(each);
    }
    for (size_t k = 0; k < was.size(); ++k) {
      const Tensor& a = *was[k].array;
      const Tensor& b = *is[k].array;
      const int bytes = BytesOf(a.element_type());
      for (int64_t e = 0; e < a.element_count(); ++e) {
        if (std::memcmp(a.bytes() + e * bytes, b.bytes() + e * bytes, static_cast<size_t>(bytes)) ==
            0)
          continue;
        ++changing;
        const Dims to = Unravel(e, a.dims());
        const std::vector<Elements> sources = SourcesOf({call, given, before}, was[k].path, to);
        bool said = false;
        for (const int i : same) said = said || IsSaid(sources, i, {}, from);
        CHECK_MESSAGE(said, "element " << PlaceText(was[k].path, to) << " depends on operand "
                                       << number << PlaceText({}, from) << "\n"
                                       << alone.document->text());
        CHECK_MESSAGE(IsSaid(reach, -1, was[k].path, to),
                      "operand " << number << PlaceText({}, from) << " reaches "
                                 << PlaceText(was[k].path, to) << "\n"
                                 << alone.document->text());
        if (!said) return changing;
      }
    }
  }
  return changing;
}

TEST_CASE("dependence: a changed element changes only what is said to depend on it") {
  std::mt19937 random(7);
  constexpr uint64_t kSeeds = kIsSanitized ? 4 : 12;
  std::set<std::string> tried;
  int changing = 0;
  for (const Recipe& recipe : Recipes()) {
    if (recipe.place == Recipe::Place::kSeveralDevices) continue;
    for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
      GeneratorOptions options;
      options.mixed_floats = seed % 3 == 0;
      const std::optional<Program> program = Generator(seed, options).GenerateFor(recipe.opcode);
      if (!program) continue;
      const auto document = std::make_shared<const Document>(program->Text());
      if (!document->ok()) continue;
      const Outcome outcome = RunIt(document, *program, kDependenceLimits, true);
      if (!outcome.error.empty()) continue;
      const std::optional<Alone> alone = AloneOf(*program, *outcome.record, recipe.opcode);
      if (!alone) continue;
      Budget budget(kDependenceLimits);
      const std::optional<Value> before = ValueOf(*alone, alone->args, &budget);
      if (!before) continue;
      for (int i = 0; i < alone->instruction->operand_count(); ++i) {
        const int found = CheckOperand(*alone, i, *before, random, &budget);
        changing += found;
        if (found > 0) tried.insert(std::string(recipe.opcode));
      }
    }
  }
  MESSAGE(tried.size() << " ops, " << changing << " changed elements");
  CHECK(tried.size() > 80);
}

TEST_CASE("boxes: text, numbers and elements at equal distances") {
  CHECK(BoxText({{3, 1, 1}, {0, 4, 1}, {0, 4, 2}}) == "[3,0:4,0:7:2]");
  CHECK(CountOf({{0, 3, 1}, {2, 2, 5}}) == 6);
  CHECK(IndexIn({{0, 3, 1}, {2, 2, 5}}, 3) == Dims{1, 7});
  for (int64_t base = -6; base <= 6; ++base) {
    for (int64_t dilation = -3; dilation <= 3; ++dilation) {
      for (int64_t divisor = 1; divisor <= 4; ++divisor) {
        const Steps got = Solve(base, dilation, 4, divisor, 5);
        for (int64_t x = 0; x < 5; ++x) {
          bool wanted = false;
          for (int64_t w = 0; w < 4; ++w) wanted = wanted || x * divisor == base + dilation * w;
          CHECK(got.Contains(x) == wanted);
        }
      }
    }
  }
}

}  // namespace
}  // namespace hlo
