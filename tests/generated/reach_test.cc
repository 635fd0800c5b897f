// Elements of inputs of generated programs are changed: what changes in the results must be what
// they are said to reach.
#include "engine/why/reach.h"

#include <fmt/format.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/base/indices.h"
#include "tests/all_targets.h"
#include "tests/generated/generator.h"
#include "tests/generated/outcome.h"
#include "tests/unit/sanitizers.h"

namespace hlo {
namespace {

constexpr Budget::Limits kReachLimits{.memory_bytes = 256 << 20, .steps = 20'000, .seconds = 20};

using DeviceArgs = std::vector<std::vector<Value>>;

struct ReachedRun {
  Budget budget{kReachLimits};
  std::unique_ptr<Timeline> timeline;
  ReachedRun(const Document& document, const RunRecord& record, DeviceArgs args) {
    RunOptions options = OptionsWithTargets();
    options.replicas = record.grid.replicas;
    options.partitions = record.grid.partitions;
    timeline = std::make_unique<Timeline>(*document.module(), options, &budget);
    timeline->Start(std::move(args));
    while (!timeline->Record(100)) {
    }
  }
};

// The way that a run took: which branches, how many iterations, and whose messages.
std::vector<std::pair<const Instruction*, int64_t>> WayOfRun(Timeline& timeline) {
  std::vector<std::pair<const Instruction*, int64_t>> way;
  timeline.ForEach(0, timeline.length(), [&](const StepFacts& facts) {
    way.emplace_back(facts.instruction, facts.device);
    return true;
  });
  return way;
}

// The array with one element whose lowest bits are others.
Value WithChanged(const Value& value, int64_t number, Budget* budget) {
  const Tensor& from = value.tensor();
  Tensor changed(from.element_type(), from.dims(), budget);
  std::memcpy(changed.mutable_bytes(), from.bytes(), static_cast<size_t>(from.byte_size()));
  changed.set_dynamic_sizes(from.dynamic_sizes());
  const int64_t width = BytesOf(from.element_type());
  std::byte* const at = changed.mutable_bytes() + number * width;
  const bool is_bit = from.element_type() == ElementType::kPred;
  // Of floats a high bit, too, so that rounding does not hide it.
  at[0] ^= is_bit ? std::byte{1} : std::byte{3};
  if (!is_bit && width > 1) at[width - 1] ^= std::byte{1};
  return changed;
}

// An element of a result that changed and was not said to be reached; "" when there is none.
std::string MissedIn(const Value& before, const Value& after, const Dims& path,
                     const ReachedStep& reached) {
  if (before.is_tuple()) {
    for (size_t i = 0; i < before.elements().size(); ++i) {
      Dims inner = path;
      inner.push_back(static_cast<int64_t>(i));
      std::string missed = MissedIn(before.elements()[i], after.elements()[i], inner, reached);
      if (!missed.empty()) return missed;
    }
    return "";
  }
  if (!before.is_array()) return "";
  const Tensor &a = before.tensor(), &b = after.tensor();
  const auto width = static_cast<size_t>(BytesOf(a.element_type()));
  const ReachedPart* part = nullptr;
  for (const ReachedPart& each : reached.parts) {
    if (each.path == path) part = &each;
  }
  if (part && part->has_more) return "";
  for (int64_t i = 0; i < a.element_count(); ++i) {
    const size_t at = static_cast<size_t>(i) * width;
    if (std::memcmp(a.bytes() + at, b.bytes() + at, width) == 0) continue;
    const Dims index = Unravel(i, a.dims());
    bool is_reached = false;
    for (const Box& box : part ? part->boxes : std::vector<Box>()) {
      is_reached |= Contains(box, index);
    }
    if (!is_reached) {
      return fmt::format("({})[{}]", fmt::join(path, ","), fmt::join(index, ","));
    }
  }
  return "";
}

TEST_CASE("reach: a changed input changes only results that it is said to reach") {
  const int most = Rounds(300);
  int changed = 0, devices = 0, parts = 0, parted = 0;
  // Few go another way: it is gone on until one does.
  for (uint64_t seed = 1; seed <= 2000 && (changed < most || parted == 0); ++seed) {
    GeneratorOptions options;
    options.several_devices = seed % 3 == 0;
    options.statements = 6 + static_cast<int>(seed % 16);
    options.preferred = seed % 2 == 0 ? std::optional(ElementType::kF32) : std::nullopt;
    const Program program = Generator(seed, options).Generate();
    const auto document = std::make_shared<const Document>(program.Text());
    if (!document->ok()) continue;
    const Outcome outcome = RunIt(document, program, kReachLimits, false);
    if (!outcome.error.empty()) continue;
    const RunRecord& record = *outcome.record;
    DeviceArgs args;
    for (const RunRecord::Device& device : record.devices) args.push_back(device.inputs);
    if (args.empty()) args.push_back(record.inputs);
    Random random(seed);
    const size_t device = random.Below(args.size());
    if (args[device].empty()) continue;
    const size_t parameter = random.Below(args[device].size());
    const Value& given = args[device][parameter];
    if (!given.is_array() || given.tensor().element_count() == 0) continue;
    const auto number =
        static_cast<int64_t>(random.Below(static_cast<uint64_t>(given.tensor().element_count())));
    ReachedRun before(*document, record, args);
    DeviceArgs others = args;
    ReachedRun after(*document, record, [&] {
      others[device][parameter] = WithChanged(given, number, record.budget.get());
      return others;
    }());
    if (before.timeline->failure() || after.timeline->failure()) continue;
    const Instruction& instruction = *document->module()->entry()->parameters()[parameter];
    const auto step = before.timeline->LastValueOf(instruction, static_cast<int64_t>(device),
                                                   before.timeline->length());
    if (!step) continue;
    const Reach reach =
        ReachFrom(*before.timeline, {*step, {}, Unravel(number, given.tensor().dims())});
    // Another way through the program may change anything: that it may be taken is said.
    if (WayOfRun(*before.timeline) != WayOfRun(*after.timeline)) {
      CHECK_MESSAGE(!reach.decisions.empty(), "seed " << seed << ": " << program.Text());
      ++parted;
      continue;
    }
    // A device whose program ended before has nothing of it.
    std::vector<ReachedStep> results(args.size());
    for (const ReachedStep& result : reach.results) {
      results[static_cast<size_t>(before.timeline->At(result.step).device)] = result;
    }
    ++changed;
    devices += args.size() > 1 ? 1 : 0;
    for (size_t of = 0; of < results.size(); ++of) {
      const ReachedStep& result = results[of];
      for (const ReachedPart& part : result.parts) parts += part.count < part.of ? 1 : 0;
      const std::string missed =
          MissedIn(before.timeline->results()[of], after.timeline->results()[of], {}, result);
      CHECK_MESSAGE(missed.empty(), "seed " << seed << ": element " << number << " of "
                                            << instruction.name() << " of device " << device
                                            << " changed " << missed << " of device " << of << "\n"
                                            << program.Text());
    }
  }
  MESSAGE(changed << " programs with a changed input, " << devices << " on several devices; "
                  << parts << " results of which it reaches a part; " << parted
                  << " that took another way");
  CHECK(changed >= most);
  CHECK(devices > Rounds(50));
  CHECK(parts > Rounds(50));
  CHECK(parted > 0);
}

}  // namespace
}  // namespace hlo
