#include "engine/plan/buffer_lives.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "engine/base/bits.h"
#include "engine/base/work_limit.h"
#include "engine/ops/op_def.h"
#include "engine/plan/moments.h"

namespace hlo {
namespace {

// Beyond this many arrays in tuples a program is not analysed further.
constexpr size_t kMostLeaves = size_t{1} << 21;

// The arrays that a value consists of, as buffers, in order; `starts` is where the elements of a
// tuple begin.
struct ValueBuffers {
  std::vector<int32_t> leaves;
  std::vector<int32_t> starts;
};

const Shape* ArrayOf(const Shape& shape) {
  if (shape.IsArray()) return &shape;
  return shape.IsBuffer() ? &shape : nullptr;
}

int64_t SpaceOf(const Shape& shape) { return shape.layout().extras().memory_space; }

class Analyzer {
 public:
  Analyzer(const Computation& computation, const std::vector<BufferLives>& all, InPlace* written)
      : computation_(computation), all_(all), written_(written) {}

  BufferLives Run() {
    const auto& instructions = computation_.instructions();
    const auto updates = [&](const Instruction& instruction) { return Updates(instruction); };
    if (std::any_of(instructions.begin(), instructions.end(), updates)) FindVersions();
    Walk();
    const int64_t last = static_cast<int64_t>(computation_.instructions().size()) - 1;
    if (result_.complete && computation_.root()) {
      MarkOutputs(*computation_.root());
      if (computation_.parent()->entry() == &computation_) ShareDonated(*computation_.root());
    }
    for (ProgramBuffer& buffer : result_.buffers) {
      buffer.last_use = buffer.end;
      if (buffer.type == "temporary") continue;
      buffer.begin = 0;
      buffer.end = last;
    }
    FindPassed();
    AddUp();
    return std::move(result_);
  }

 private:
  void FindPassed() {
    const auto& parameters = computation_.parameters();
    if (!result_.complete || parameters.empty() || !parameters[0] || !computation_.root()) return;
    const std::vector<int32_t>& given = Of(*parameters[0]).leaves;
    const std::vector<int32_t>& results = Of(*computation_.root()).leaves;
    for (size_t i = 0; i < std::min(given.size(), results.size()); ++i) {
      result_.passed.push_back(given[i] == results[i]);
    }
  }

  std::vector<Alias> WrittenBy(const Instruction& instruction) const {
    const bool may = written_ && instruction.def().buffers == ResultBuffers::kOwn;
    return may ? written_(instruction) : std::vector<Alias>();
  }

  bool Updates(const Instruction& instruction) const {
    return instruction.def().buffers == ResultBuffers::kUpdated || !WrittenBy(instruction).empty();
  }

  void Walk() {
    for (const Instruction& instruction : computation_.instructions()) {
      values_.emplace_back();
      Assign(instruction, &values_.back());
      // Of a tuple only the element that is taken is needed: the others may be gone.
      const bool takes = instruction.def().buffers == ResultBuffers::kElement;
      if (takes) Use(instruction, instruction.index());
      for (const Instruction* operand : instruction.operands()) {
        if (!takes) Use(*operand, instruction.index());
      }
      if (leaf_count_ > kMostLeaves) {
        result_.complete = false;
        break;
      }
    }
  }

  // With every update in a buffer of its own: how long what is updated is needed as it was.
  void FindVersions() {
    Walk();
    if (result_.complete && computation_.root()) Use(*computation_.root(), INT64_MAX);
    for (const ProgramBuffer& buffer : result_.buffers) version_ends_.push_back(buffer.end);
    versions_ = std::exchange(values_, {});
    result_ = {};
    leaf_count_ = 0;
  }

  // Whether an instruction can write array `i` of its result over the array of an operand whose
  // buffer is `leaf`, and with every update in a buffer of its own `version` (-1: not known yet):
  // it is a loop that does not write there; or neither the caller nor a later instruction needs it,
  // and no other array of the result lies there. Source: XLA, copy_insertion.cc,
  // IndicesToCopyForWhile.
  bool MayWrite(const Instruction& instruction, size_t i, int32_t leaf, int32_t version) {
    const Region* body = instruction.attrs().GetRegion("body");
    if (body) {
      const std::vector<bool>& passed = Of(*AsComputation(body)).passed;
      if (i < passed.size() && passed[i]) return true;
    }
    if (version < 0 || IsCallers(leaf)) return false;
    if (version_ends_[static_cast<size_t>(version)] > instruction.index()) return false;
    writers_.resize(result_.buffers.size(), -1);
    int64_t& writer = writers_[static_cast<size_t>(leaf)];
    return std::exchange(writer, instruction.index()) != instruction.index();
  }

  ValueBuffers& Of(const Instruction& instruction) { return In(&values_, instruction); }
  static ValueBuffers& In(std::vector<ValueBuffers>* values, const Instruction& instruction) {
    return (*values)[static_cast<size_t>(instruction.index())];
  }

  void Use(const Instruction& operand, int64_t position) {
    CountWork(Of(operand).leaves.size());
    for (int32_t leaf : Of(operand).leaves) {
      ProgramBuffer& buffer = result_.buffers[static_cast<size_t>(leaf)];
      buffer.end = std::max(buffer.end, position);
    }
  }

  // Element `index` of a tuple's buffers; all of them when there is no such element.
  std::vector<int32_t> ElementOf(const ValueBuffers& tuple, size_t index) const {
    if (index >= tuple.starts.size()) return tuple.leaves;
    const auto begin = tuple.leaves.begin() + tuple.starts[index];
    const auto end = index + 1 < tuple.starts.size()
                         ? tuple.leaves.begin() + tuple.starts[index + 1]
                         : tuple.leaves.end();
    return {begin, end};
  }

  // The one buffer of a value, or of an element of it; -1 for parts with several, or further
  // inside.
  int32_t BufferAt(const ValueBuffers& value, const Dims& index) const {
    if (index.size() > 1) return -1;
    const std::vector<int32_t> leaves =
        index.empty() ? value.leaves : ElementOf(value, static_cast<size_t>(index[0]));
    return leaves.size() == 1 ? leaves[0] : -1;
  }

  // The buffers that hold the result of an instruction which writes it in place; -1 where it does
  // not. Nothing where the result has tuples in it.
  std::vector<int32_t> Written(const Instruction& instruction, std::vector<ValueBuffers>* values) {
    const std::vector<Alias> written = WrittenBy(instruction);
    const Shape& shape = instruction.shape();
    const bool is_flat =
        !shape.IsTuple() || std::all_of(shape.elements().begin(), shape.elements().end(), ArrayOf);
    if (written.empty() || !is_flat) return {};
    std::vector<int32_t> leaves(shape.IsTuple() ? shape.elements().size() : 1, -1);
    for (const Alias& alias : written) {
      const ValueBuffers& from = In(values, *instruction.operand(static_cast<int>(alias.operand)));
      const int32_t source = BufferAt(from, alias.operand_index);
      const size_t at = alias.output_index.empty() ? 0 : static_cast<size_t>(alias.output_index[0]);
      if (source >= 0 && at < leaves.size()) leaves[at] = source;
    }
    return leaves;
  }

  // The buffers of an instruction that makes none, by those of the values before it; empty when it
  // makes its own, -1 for one that it makes among others.
  std::vector<int32_t> Shared(const Instruction& instruction, std::vector<ValueBuffers>* values) {
    if (instruction.operand_count() == 0) return {};
    const Instruction& operand = *instruction.operand(0);
    const ValueBuffers& from = In(values, operand);
    std::vector<int32_t> leaves;
    const auto append = [&](const ValueBuffers& value) {
      leaves.insert(leaves.end(), value.leaves.begin(), value.leaves.end());
    };
    switch (instruction.def().buffers) {
      case ResultBuffers::kOwn:
        return Written(instruction, values);
      case ResultBuffers::kOperand:
      case ResultBuffers::kUpdated:
        return from.leaves;
      case ResultBuffers::kOperands:
        for (const Instruction* element : instruction.operands()) append(In(values, *element));
        break;
      case ResultBuffers::kElement:
        return ElementOf(from, static_cast<size_t>(instruction.Call().Int("index")));
      case ResultBuffers::kTarget:
        leaves.push_back(-1);
        append(from);
        break;
      case ResultBuffers::kStarted:
        if (Shape::Compatible(instruction.shape(), operand.shape())) return from.leaves;
        return ElementOf(from, 1);
    }
    return leaves;
  }

  void Assign(const Instruction& instruction, ValueBuffers* value) {
    const std::vector<int32_t> shared = Shared(instruction, &values_);
    const ResultBuffers buffers = instruction.def().buffers;
    const bool updates = buffers == ResultBuffers::kUpdated || buffers == ResultBuffers::kOwn;
    std::vector<int32_t> versions(shared.size(), -1);
    if (updates && !versions_.empty()) versions = Shared(instruction, &versions_);
    CountWork(shared.size());
    CountBytes(shared.size() * sizeof(int32_t));
    size_t next = 0;
    std::vector<const Shape*> rest = {&instruction.shape()};
    bool top = true;
    size_t starts_left = 0;
    while (!rest.empty() && leaf_count_ <= kMostLeaves) {
      const Shape& shape = *rest.back();
      rest.pop_back();
      if (top && shape.IsTuple()) {
        top = false;
        starts_left = shape.elements().size();
      } else if (!top && rest.size() < starts_left) {
        // The stack is down to the elements of the outermost tuple: this is one of them.
        value->starts.push_back(static_cast<int32_t>(value->leaves.size()));
        starts_left = rest.size();
      }
      ++leaf_count_;
      if (shape.IsTuple()) {
        for (size_t i = shape.elements().size(); i-- > 0;) rest.push_back(&shape.elements()[i]);
        continue;
      }
      if (!ArrayOf(shape)) continue;
      const int32_t old = next < shared.size() ? shared[next] : -1;
      // What is written in place is in the same memory space.
      const bool fits =
          old >= 0 && (buffers != ResultBuffers::kOwn ||
                       SpaceOf(shape) == result_.buffers[static_cast<size_t>(old)].space);
      const bool kept = fits && (!updates || MayWrite(instruction, next, old, versions[next]));
      ++next;
      value->leaves.push_back(kept ? old : NewBuffer(instruction, shape));
      if (fits && !kept) {
        result_.buffers.back().copy_of = result_.buffers[static_cast<size_t>(old)].shape;
      }
    }
  }

  bool IsCallers(int32_t leaf) const {
    const std::string_view type = result_.buffers[static_cast<size_t>(leaf)].type;
    return type == "parameter" || type == "constant";
  }

  int32_t NewBuffer(const Instruction& instruction, const Shape& shape) {
    CountBytes(sizeof(ProgramBuffer));
    ProgramBuffer buffer;
    buffer.instruction = &instruction;
    buffer.shape = &shape;
    buffer.type = instruction.opcode() == Opcode::kParameter  ? "parameter"
                  : instruction.opcode() == Opcode::kConstant ? "constant"
                                                              : "temporary";
    buffer.size = SizeOfBuffer(shape);
    buffer.space = SpaceOf(shape);
    if (buffer.size.bytes < 0) result_.complete = false;
    buffer.begin = buffer.end = instruction.index();
    result_.buffers.push_back(std::move(buffer));
    return static_cast<int32_t>(result_.buffers.size() - 1);
  }

  void MarkOutputs(const Instruction& root) {
    for (int32_t leaf : Of(root).leaves) {
      ProgramBuffer& buffer = result_.buffers[static_cast<size_t>(leaf)];
      if (buffer.type == "temporary") buffer.type = "output";
    }
  }

  // Results that are written into parameters have no memory of their own.
  void ShareDonated(const Instruction& root) {
    const Module& module = *computation_.parent();
    for (const Alias& alias : module.attrs().Aliases("input_output_alias")) {
      const int32_t leaf = BufferAt(Of(root), alias.output_index);
      if (leaf < 0) continue;
      ProgramBuffer& buffer = result_.buffers[static_cast<size_t>(leaf)];
      if (buffer.type != "output") continue;
      const int32_t parameter = ParameterLeaf(alias);
      if (parameter < 0) continue;
      ProgramBuffer& given = result_.buffers[static_cast<size_t>(parameter)];
      given.last_use = given.end;
      const bool fits = MayTakeOver(given, buffer);
      if (fits) {
        buffer.size = {0, 0, fmt::format("in the memory of parameter {}", alias.operand)};
      } else {
        buffer.size.cause = fmt::format(
            "copied to parameter {}, which is still read when it is written", alias.operand);
      }
    }
  }

  // The buffer of the parameter that an alias of the module is about; -1 without one.
  int32_t ParameterLeaf(const Alias& alias) {
    const auto& parameters = computation_.parameters();
    if (alias.operand < 0 || alias.operand >= static_cast<int64_t>(parameters.size())) return -1;
    const Instruction* parameter = parameters[static_cast<size_t>(alias.operand)];
    return parameter ? BufferAt(Of(*parameter), alias.operand_index) : -1;
  }

  // The spaces that the computation and its callees use.
  std::set<int64_t> Spaces() const {
    std::set<int64_t> spaces = {0};
    for (const ProgramBuffer& buffer : result_.buffers) spaces.insert(buffer.space);
    for (const Instruction& instruction : computation_.instructions()) {
      for (const Computation* called : CalleesOf(instruction)) {
        for (const auto& [space, peak] : Of(*called).temporary_peaks) spaces.insert(space);
      }
    }
    return spaces;
  }
  const BufferLives& Of(const Computation& called) const {
    return all_[static_cast<size_t>(called.index())];
  }

  // Live bytes from where buffers begin and end.
  void AddUp() {
    for (int64_t space : Spaces()) AddUp(space);
  }
  void AddUp(int64_t space) {
    const size_t size = computation_.instructions().size();
    std::vector<int64_t> all(size + 1, 0);
    std::vector<int64_t> own(size + 1, 0);
    int64_t total = 0;
    for (const ProgramBuffer& buffer : result_.buffers) {
      if (buffer.space != space) continue;
      const int64_t bytes = std::max<int64_t>(buffer.size.bytes, 0);
      // Sums of all buffers that do not fit are left out, as are sizes that do not.
      if (!AddChecked(total, bytes, &total)) {
        result_.complete = false;
        total = INT64_MAX;
        continue;
      }
      AddTo(&all, buffer, bytes);
      if (buffer.type == "temporary") AddTo(&own, buffer, bytes);
    }
    int64_t now = 0;
    int64_t temporary = 0;
    TemporaryPeak peak;
    std::vector<int64_t>& live = result_.live[space];
    live.reserve(size);
    for (const Instruction& instruction : computation_.instructions()) {
      const size_t at = static_cast<size_t>(instruction.index());
      int64_t callee = 0;
      for (const Computation* called : CalleesOf(instruction)) {
        callee = std::max(callee, Of(*called).PeakIn(space).bytes);
      }
      now += all[at];
      temporary += own[at];
      live.push_back(Sum(now, callee));
      const int64_t bytes = Sum(temporary, callee);
      if (bytes > peak.bytes) peak = {bytes, instruction.index()};
    }
    if (peak.bytes > 0) result_.temporary_peaks[space] = peak;
  }
  static int64_t Sum(int64_t a, int64_t b) {
    int64_t sum = 0;
    return AddChecked(a, b, &sum) ? sum : INT64_MAX;
  }
  static void AddTo(std::vector<int64_t>* changes, const ProgramBuffer& buffer, int64_t bytes) {
    (*changes)[static_cast<size_t>(buffer.begin)] += bytes;
    (*changes)[static_cast<size_t>(buffer.end + 1)] -= bytes;
  }

  const Computation& computation_;
  const std::vector<BufferLives>& all_;
  InPlace* const written_;
  BufferLives result_;
  std::vector<ValueBuffers> values_;
  size_t leaf_count_ = 0;
  std::vector<ValueBuffers> versions_;  // empty while they are found
  std::vector<int64_t> version_ends_;   // by leaf of these
  std::vector<int64_t> writers_;        // by leaf: the last instruction that writes over it
};

}  // namespace

std::vector<BufferLives> FindBufferLives(const Module& module, InPlace* written) {
  // Callees come before their callers.
  std::vector<BufferLives> all(module.computations().size());
  for (const Computation& computation : module.computations()) {
    all[static_cast<size_t>(computation.index())] = Analyzer(computation, all, written).Run();
  }
  return all;
}

}  // namespace hlo
