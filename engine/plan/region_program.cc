#include "engine/plan/region_program.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/base/pacer.h"
#include "engine/hlo/ir.h"
#include "engine/ops/op_def.h"
#include "engine/ops/sorting/comparator.h"
#include "engine/plan/comparator_keys.h"
#include "engine/plan/extreme_finder.h"
#include "engine/plan/region_code.h"
#include "engine/plan/region_compiler.h"
#include "engine/plan/region_registers.h"
#include "engine/types/tensor.h"

namespace hlo {
namespace {

/// Elements that code which is a whole program takes at a time, and the most operations on them:
/// time that a call takes is lost among so many, and limits are polled often enough.
constexpr int64_t kCodeBlock = int64_t{1} << 16, kMostCodeWork = int64_t{1} << 21;

/// Neighbouring elements of a block.
struct Lanes {
  int64_t begin = 0;
  int64_t count = 0;
};

#ifndef HLO_SMALL
class ProgramCopies;
#endif

class RegionProgram final : public RegionFunction {
 public:
  /// `is_loop`: results are where nothing is read but the same element of an argument.
  RegionProgram(RegionSteps program, bool is_loop, Budget* budget)
      : program_(std::move(program)),
        is_loop_(is_loop),
        places_(static_cast<size_t>(program_.scalar_count)),
        binary_(BinaryOpcodeOf(program_)),
        pacer_(budget) {
    const RegionRegisters registers(program_);
    registers_ = Buffer::Allocate(registers.total_bytes(), budget);
    for (size_t id = program_.parameters.size(); id < places_.size(); ++id) {
      const size_t offset = registers.offset(id);
      if (offset != RegionRegisters::kNone) places_[id] = registers_->data() + offset;
    }
    for (const RegionConstant& constant : program_.constants) Spread(constant);
    writes_result_ = CanWriteResult();
    moves_.resize(program_.parameters.size());
    for (size_t i = 0; i < moves_.size(); ++i) {
      moves_[i] = !is_loop || !program_.IsRepeated(static_cast<int32_t>(i));
    }
  }

  void Apply(int64_t n, std::span<const std::byte* const> args,
             std::span<std::byte* const> results) override {
    int64_t count = 0;
    for (int64_t done = 0; done < n; done += count) {
      count = std::min(code_block_ > 0 ? code_block_ : block_, n - done);
      for (size_t i = 0; i < program_.parameters.size(); ++i) {
        const int64_t from = moves_[i] ? program_.CountOf(static_cast<int32_t>(i), done) : 0;
        // Places are written through for steps only; a parameter's is read.
        places_[i] = const_cast<std::byte*>(args[i]) + from * BytesOf(program_.parameters[i]);
      }
      RunBlock(count, done, results);
    }
  }

  const Opcode* BinaryOpcode() const override { return binary_ ? &*binary_ : nullptr; }
  bool is_scalar_program() const override { return true; }
  bool has_code() const override { return code_ != nullptr; }
  int ResultParameter(int i) const override {
    return program_.result_parameters[static_cast<size_t>(i)];
  }

  const ComparatorKeys* Keys() override {
    if (!looked_for_keys_) FindItsKeys();
    return keys_.get();
  }

  const PairReducer* Pairs() override {
    if (!looked_for_pairs_) pairs_ = FindPairReducer(program_, *this);
    looked_for_pairs_ = true;
    return pairs_ ? &*pairs_ : nullptr;
  }

#ifndef HLO_SMALL
  RegionCopies* Copies(int threads, Budget* budget) override;

  std::unique_ptr<RegionProgram> Copy(Budget* budget) const {
    auto copy = std::make_unique<RegionProgram>(program_, is_loop_, budget);
    copy->wanted_work_ = 0;  // code is made on one thread
    return copy;
  }
  void TakeCode(const RegionProgram& other) {
    if (code_ == other.code_) return;
    code_ = other.code_;
    segments_ = other.segments_;
    code_block_ = other.code_block_;
  }
  void set_budget(Budget* budget) { pacer_ = Pacer(budget); }
#endif

 private:
  void FindItsKeys() {
    looked_for_keys_ = true;
    std::optional<FoundKeys> found = FindKeys(program_);
    if (!found) return;
    keys_ = std::make_unique<ComparatorKeys>();
    keys_->keys = std::move(found->keys);
    keys_->reverses_equals = found->reverses_equals;
    if (found->compute.results.empty()) return;
    keys_->compute = std::make_unique<RegionProgram>(std::move(found->compute), /*is_loop=*/false,
                                                     pacer_.budget());
  }

  void Spread(const RegionConstant& constant) {
    const size_t bytes = static_cast<size_t>(BytesOf(constant.type));
    std::byte* const place = places_[static_cast<size_t>(constant.id)];
    for (size_t i = 0; i < static_cast<size_t>(block_); ++i) {
      std::memcpy(place + i * bytes, constant.value.data(), bytes);
    }
  }

  // The last step may write its result where it belongs, if that is the only one and the step runs
  // once: by then nothing of an argument that may be there is read any more.
  bool CanWriteResult() const {
    if (program_.results.size() != 1 || program_.steps.empty()) return false;
    for (const RegionLoop& loop : program_.loops) {
      if (loop.end == program_.steps.size()) return false;
    }
    return program_.steps.back().result == program_.results[0].id;
  }

  void RunBlock(int64_t count, int64_t done, std::span<std::byte* const> results) {
    const bool writes_results = writes_result_ || code_block_ > 0;
    if (writes_results) {
      for (size_t i = 0; i < program_.results.size(); ++i) {
        const RegionScalar result = program_.results[i];
        places_[static_cast<size_t>(result.id)] =
            results[i] + program_.CountOf(result.id, done) * BytesOf(result.type);
      }
    }
    Run(0, program_.steps.size(), {0, count});
    if (writes_results) return;
    for (size_t i = 0; i < program_.results.size(); ++i) {
      const RegionScalar result = program_.results[i];
      const auto bytes = [&](int64_t elements) {
        return program_.CountOf(result.id, elements) * BytesOf(result.type);
      };
      std::memcpy(results[i] + bytes(done), places_[static_cast<size_t>(result.id)],
                  static_cast<size_t>(bytes(count)));
    }
  }

  void Run(size_t from, size_t to, Lanes lanes) {
    for (size_t i = from; i < to; ++i) {
      if (RunCode(i, lanes)) {
        i = SegmentAt(i)->end - 1;
        continue;
      }
      const RegionStep& step = program_.steps[i];
      if (step.starts_loop >= 0) {
        const RegionLoop& loop = program_.loops[static_cast<size_t>(step.starts_loop)];
        RunLoop(loop, lanes, /*tested=*/false);
        i = loop.end - 1;
        continue;
      }
      const std::byte* args[ElementLoop::kMaxOperands];
      for (int k = 0; k < ElementLoop::kMaxOperands; ++k) {
        args[k] = places_[static_cast<size_t>(step.args[k])] + lanes.begin * step.arg_bytes[k];
      }
      const int64_t count = step.on_rows ? lanes.count / program_.row_length : lanes.count;
      step.loop.Run(count, args,
                    places_[static_cast<size_t>(step.result)] + lanes.begin * step.result_bytes);
      pacer_.Add(count);
      NoteWork(count);
    }
  }

  // Of a program that runs long, code is made where the platform can.
  void NoteWork(int64_t lanes) {
    if (wanted_work_ <= 0) return;
    // A step costs about as much as the work on 16 lanes.
    wanted_work_ -= lanes + 16;
    if (wanted_work_ > 0) return;
    code_ = TheRegionCodeMaker()->Make(program_);
    if (!code_) return;
    segments_.resize(program_.steps.size());
    for (const CodeSegment& segment : code_->segments()) segments_[segment.begin] = &segment;
    if (is_loop_ && IsWholeCode()) code_block_ = CodeBlock();
  }

  // Whether there is one function that needs nothing but arguments and writes nothing but results.
  // Of rows it may need an argument after it has written a result, but for the last step's.
  bool IsWholeCode() const {
    const std::vector<CodeSegment>& segments = code_->segments();
    const size_t steps = program_.steps.size();
    if (segments.size() != 1 || segments[0].begin != 0 || segments[0].end != steps) return false;
    if (!program_.loops.empty() || (program_.row_length > 0 && !writes_result_)) return false;
    std::set<int32_t> written;
    for (const RegionStep& step : program_.steps) written.insert(step.result);
    return std::all_of(program_.results.begin(), program_.results.end(),
                       [&](const RegionScalar& result) { return written.erase(result.id) == 1; });
  }

  int64_t CodeBlock() const {
    const auto steps = static_cast<int64_t>(program_.steps.size());
    const int64_t wanted = std::min(kCodeBlock, kMostCodeWork / steps);
    return std::max(wanted / block_, int64_t{1}) * block_;
  }

  const CodeSegment* SegmentAt(size_t step) const {
    return segments_.empty() ? nullptr : segments_[step];
  }

  // Runs the segment that begins with the step, if there is code for one.
  bool RunCode(size_t step, Lanes lanes) {
    const CodeSegment* const segment = SegmentAt(step);
    if (!segment) return false;
    segment->run(static_cast<int32_t>(lanes.begin), static_cast<int32_t>(lanes.count),
                 places_.data(), pacer_.budget());
    pacer_.Add(lanes.count * static_cast<int64_t>(segment->end - segment->begin));
    return true;
  }

  // Lanes at either end that are done are skipped. Where few are left in between, each group of
  // neighbours continues alone to its end, so that a lane costs the iterations it runs, not those
  // of others. That recurses, each time over an eighth of the lanes. `tested`: the condition has
  // been evaluated.
  void RunLoop(const RegionLoop& loop, Lanes lanes, bool tested) {
    constexpr int64_t kSparse = 8;
    for (;; tested = false) {
      // Where code was made in the meantime it goes on from here.
      if (!tested && RunCode(loop.begin, lanes)) return;
      if (!tested) Run(loop.begin + 1, loop.body, lanes);
      const int64_t active = KeepActive(loop, &lanes);
      if (active == 0) return;
      if (active * kSparse <= lanes.count) return RunGroups(loop, lanes);
      Run(loop.body, loop.end, lanes);
      for (size_t i = loop.begin; i < loop.end; ++i) pacer_.budget()->Step();
    }
  }

  void RunGroups(const RegionLoop& loop, Lanes lanes) {
    const std::byte* const active = places_[static_cast<size_t>(loop.active)];
    const int64_t end = lanes.begin + lanes.count;
    for (int64_t begin = lanes.begin; begin < end; ++begin) {
      if (active[begin] == std::byte{0}) continue;
      int64_t stop = begin;
      while (stop < end && active[stop] != std::byte{0}) ++stop;
      RunLoop(loop, {begin, stop - begin}, /*tested=*/true);
      begin = stop;
    }
  }

  // Narrows the lanes to those from the first to the last active one; how many are active.
  int64_t KeepActive(const RegionLoop& loop, Lanes* lanes) const {
    const std::byte* const active = places_[static_cast<size_t>(loop.active)];
    int64_t begin = lanes->begin, end = begin + lanes->count;
    while (begin < end && active[begin] == std::byte{0}) ++begin;
    while (end > begin && active[end - 1] == std::byte{0}) --end;
    *lanes = {begin, end - begin};
    int64_t count = 0;
    for (int64_t i = begin; i < end; ++i) count += active[i] != std::byte{0} ? 1 : 0;
    return count;
  }

  RegionSteps program_;
  const bool is_loop_;
  const int64_t block_ = BlockOf(program_);
  int64_t code_block_ = 0;          // once code takes so many lanes at a time
  std::vector<std::byte*> places_;  // of scalars, by id
  std::vector<bool> moves_;         // of parameters: whether each block has another part
  std::shared_ptr<Buffer> registers_;
  std::optional<Opcode> binary_;
  Pacer pacer_;
  int64_t wanted_work_ = TheRegionCodeMaker() ? TheRegionCodeMaker()->worthwhile() : 0;
  std::shared_ptr<const RegionCode> code_;
  std::vector<const CodeSegment*> segments_;  // by the step they begin with; empty without code
  bool writes_result_ = false;
  bool looked_for_keys_ = false;
  std::unique_ptr<ComparatorKeys> keys_;
  bool looked_for_pairs_ = false;
  std::optional<PairReducer> pairs_;
#ifndef HLO_SMALL
  std::unique_ptr<ProgramCopies> copies_;
#endif
};

#ifndef HLO_SMALL

class ProgramCopies final : public RegionCopies {
 public:
  void Prepare(const RegionProgram& program, int threads, Budget* budget) {
    while (copies_.size() < static_cast<size_t>(threads)) copies_.push_back(program.Copy(budget));
    for (const std::unique_ptr<RegionProgram>& copy : copies_) copy->TakeCode(program);
  }

  RegionFunction& Of(int thread, Budget* budget) override {
    RegionProgram& copy = *copies_[static_cast<size_t>(thread)];
    copy.set_budget(budget);
    return copy;
  }

 private:
  std::vector<std::unique_ptr<RegionProgram>> copies_;  // by thread
};

RegionCopies* RegionProgram::Copies(int threads, Budget* budget) {
  if (wanted_work_ > 0) return nullptr;
  if (!copies_) copies_ = std::make_unique<ProgramCopies>();
  try {
    copies_->Prepare(*this, threads, budget);
  } catch (const RunError& error) {
    if (error.code() != DiagCode::kMemoryExceeded) throw;
    copies_.reset();
  }
  return copies_.get();
}

#endif  // HLO_SMALL

}  // namespace

// See RegionFunction::BinaryOpcode. Calls are inlined by now, so their wrappers do not matter.
std::optional<Opcode> BinaryOpcodeOf(const RegionSteps& program) {
  if (program.parameters.size() != 2 || program.steps.size() != 1 || program.results.size() != 1) {
    return std::nullopt;
  }
  const RegionStep& step = program.steps[0];
  if (!step.opcode || step.loop.operand_count != 2 || step.result != program.results[0].id) {
    return std::nullopt;
  }
  const bool straight = step.args[0] == 0 && step.args[1] == 1;
  const bool swapped = step.args[0] == 1 && step.args[1] == 0;
  if (!straight && !(swapped && GetOpDef(*step.opcode).commutative)) return std::nullopt;
  for (ElementType type : program.parameters) {
    if (type != step.loop.result) return std::nullopt;
  }
  return step.opcode;
}

std::unique_ptr<RegionFunction> CompileRegion(const Region& region, Budget* budget,
                                              const CustomCallTargets* custom_calls) {
  // Regions that ops are given are computations (ops/attributes.h).
  std::optional<RegionSteps> program = CompileSteps(*AsComputation(&region), custom_calls);
  if (!program) return nullptr;
  return std::make_unique<RegionProgram>(std::move(*program), /*is_loop=*/false, budget);
}

std::unique_ptr<RegionFunction> MakeRegionFunction(RegionSteps steps, Budget* budget) {
  return std::make_unique<RegionProgram>(std::move(steps), /*is_loop=*/true, budget);
}

}  // namespace hlo
