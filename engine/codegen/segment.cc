#include "engine/codegen/segment.h"

#include <algorithm>
#include <set>
#include <unordered_set>
#include <utility>

#include "engine/codegen/complex_code.h"
#include "engine/codegen/pass_lanes.h"
#include "engine/codegen/row_code.h"
#include "engine/codegen/step_lowering.h"

namespace hlo {
namespace {

class SegmentFinder {
 public:
  explicit SegmentFinder(const RegionSteps& program)
      : program_(program), readers_(static_cast<size_t>(program.scalar_count)) {
    for (size_t i = 0; i < program.steps.size(); ++i) {
      const RegionStep& step = program.steps[i];
      for (int k = 0; k < step.loop.operand_count; ++k) NoteReader(step.args[k], i);
    }
    // Whoever runs a loop reads which of its lanes are active.
    for (const RegionLoop& loop : program.loops) NoteReader(loop.active, loop.begin);
    // Results are read after the last step.
    for (const RegionScalar& result : program.results) NoteReader(result.id, program.steps.size());
  }

  std::vector<Segment> Run() {
    if (HasRowCode(program_)) return {*WholeSegment(program_)};
    Find(0, program_.steps.size());
    return std::move(segments_);
  }

 private:
  // The first and the last step that reads a scalar.
  struct Readers {
    size_t first = ~size_t{0};
    size_t last = 0;
  };

  void NoteReader(int32_t id, size_t step) {
    Readers& readers = readers_[static_cast<size_t>(id)];
    readers.first = std::min(readers.first, step);
    readers.last = std::max(readers.last, step);
  }

  void Find(size_t from, size_t to) {
    size_t begin = from;  // of the run that step i may continue
    for (size_t i = from; i < to;) {
      const RegionStep& step = program_.steps[i];
      if (step.starts_loop >= 0) {
        AddRun(begin, i);
        const RegionLoop& loop = program_.loops[static_cast<size_t>(step.starts_loop)];
        FindInLoop(loop);
        begin = i = loop.end;
      } else if (!step.on_rows && (CanLower(step) || CanLowerComplex(step))) {
        ++i;
      } else {
        AddRun(begin, i);
        begin = ++i;
      }
    }
    AddRun(begin, to);
  }

  void FindInLoop(const RegionLoop& loop) {
    const auto first = program_.steps.begin() + static_cast<std::ptrdiff_t>(loop.begin);
    const auto last = program_.steps.begin() + static_cast<std::ptrdiff_t>(loop.end);
    const bool whole = std::all_of(first, last, [](const RegionStep& step) {
      return step.starts_loop >= 0 || CanLower(step);
    });
    if (whole) return Add(loop.begin, loop.end, /*is_loop=*/true);
    Find(loop.begin + 1, loop.body);
    Find(loop.body, loop.end);
  }

  // A single step gains nothing between others: it has a kernel.
  void AddRun(size_t begin, size_t end) {
    const size_t least = program_.steps.size() == 1 ? 1 : 2;
    if (begin + least <= end) Add(begin, end, /*is_loop=*/false);
  }

  void Add(size_t begin, size_t end, bool is_loop) {
    const PassForm form = is_loop ? PassForm{1, false} : FormOf(program_, begin, end);
    Segment segment{.begin = begin,
                    .end = end,
                    .is_loop = is_loop,
                    .lanes = form.lanes,
                    .inputs = {},
                    .outputs = {}};
    std::vector<RegionScalar> computed;
    std::unordered_set<int32_t> inputs, results;
    const auto read = [&](RegionScalar scalar) {
      if (results.contains(scalar.id) || !inputs.insert(scalar.id).second) return;
      segment.inputs.push_back(scalar);
    };
    for (size_t i = begin; i < end; ++i) {
      const RegionStep& step = program_.steps[i];
      if (step.starts_loop >= 0) {
        read({program_.loops[static_cast<size_t>(step.starts_loop)].active, ElementType::kPred});
        continue;
      }
      for (int k = 0; k < step.loop.operand_count; ++k) {
        read({step.args[k], step.loop.operands[k]});
      }
      if (results.insert(step.result).second) computed.push_back({step.result, step.loop.result});
    }
    for (const RegionScalar& scalar : computed) {
      const Readers& readers = readers_[static_cast<size_t>(scalar.id)];
      // What it reads before computing it is the state of a loop, which goes around.
      const bool outside = readers.first < begin || readers.last >= end;
      if (outside || inputs.contains(scalar.id)) segment.outputs.push_back(scalar);
    }
    segment.goes_by_halves = form.is_light && GainsByHalves(segment);
    segments_.push_back(std::move(segment));
  }

  // Of steps that wait for memory. A processor follows eight places in memory less well than four:
  // with many arrays halves gain nothing.
  bool GainsByHalves(const Segment& segment) const {
    constexpr size_t kMostArrays = 3;
    const std::set<int32_t> uniform = program_.UniformScalars();
    const auto is_array = [&](const RegionScalar& input) { return !uniform.contains(input.id); };
    const auto arrays = std::count_if(segment.inputs.begin(), segment.inputs.end(), is_array);
    return segment.begin == 0 && segment.end == program_.steps.size() &&
           static_cast<size_t>(arrays) + segment.outputs.size() <= kMostArrays;
  }

  const RegionSteps& program_;
  std::vector<Readers> readers_;
  std::vector<Segment> segments_;
};

}  // namespace

std::optional<Segment> WholeSegment(const RegionSteps& program, const FunctionPool* functions) {
  if (program.row_length > 0) {
    if (!HasRowCode(program)) return std::nullopt;
    return Segment{
        .begin = 0, .end = program.steps.size(), .is_rows = true, .inputs = {}, .outputs = {}};
  }
  const bool has_loops = !program.loops.empty();
  bool calls = false;
  for (const RegionStep& step : program.steps) {
    if (step.starts_loop >= 0 || CanLower(step) || CanLowerComplex(step)) continue;
    calls = true;
    if (!CanLower(step, functions) && !CanLowerComplex(step, functions)) return std::nullopt;
  }
  Segment segment{.begin = 0,
                  .end = program.steps.size(),
                  .is_loop = has_loops,
                  .inputs = {},
                  .outputs = program.results};
  for (size_t i = 0; i < program.parameters.size(); ++i) {
    segment.inputs.push_back({static_cast<int32_t>(i), program.parameters[i]});
  }
  for (const RegionConstant& constant : program.constants) {
    segment.inputs.push_back({constant.id, constant.type});
  }
  for (const RegionScalar& input : segment.inputs) {
    if (!LaneKindOf(input.type) && !IsComplex(input.type)) return std::nullopt;
  }
  if (!has_loops) segment.lanes = calls ? kStepLanes : FormOf(program, 0, segment.end).lanes;
  return segment;
}

std::vector<Segment> FindSegments(const RegionSteps& program) {
  return SegmentFinder(program).Run();
}

}  // namespace hlo
