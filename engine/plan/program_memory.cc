#include "engine/plan/program_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "engine/base/bits.h"
#include "engine/base/stable_sort.h"
#include "engine/base/work_limit.h"
#include "engine/hlo/call_graph.h"
#include "engine/layout/layout_advice.h"
#include "engine/ops/op_def.h"

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

// A computation on its own: its buffers, and what the temporaries take at every position.
struct Analysis {
  std::vector<ProgramBuffer> buffers;
  std::map<int64_t, std::vector<int64_t>> live;  // by space: all buffers and what callees add
  std::map<int64_t, int64_t> temporary_peak;     // by space
  bool complete = true;
  bool done = false;
};

const Shape* ArrayOf(const Shape& shape) {
  if (shape.IsArray()) return &shape;
  return shape.IsBuffer() ? &shape : nullptr;
}

// The computations that an instruction executes with buffers of their own.
std::vector<const Computation*> CalleesOf(const Instruction& instruction) {
  std::vector<const Computation*> callees;
  if (!instruction.def().control_flow) return callees;
  ForEachCallee(instruction,
                [&](const Attr&, const Computation& callee) { callees.push_back(&callee); });
  return callees;
}

class Analyzer {
 public:
  Analyzer(const Computation& computation, const std::vector<Analysis>& all)
      : computation_(computation), all_(all) {}

  Analysis Run() {
    for (const Instruction& instruction : computation_.instructions()) {
      values_.emplace_back();
      Assign(instruction, &values_.back());
      for (const Instruction* operand : instruction.operands()) Use(*operand, instruction.index());
      if (leaf_count_ > kMostLeaves) {
        result_.complete = false;
        break;
      }
    }
    const int64_t last = static_cast<int64_t>(computation_.instructions().size()) - 1;
    if (result_.complete && computation_.root()) {
      MarkOutputs(*computation_.root());
      if (computation_.parent()->entry() == &computation_) ShareDonated(*computation_.root());
    }
    for (ProgramBuffer& buffer : result_.buffers) {
      if (buffer.type == "temporary") continue;
      buffer.begin = 0;
      buffer.end = last;
    }
    AddUp();
    result_.done = true;
    return std::move(result_);
  }

 private:
  ValueBuffers& Of(const Instruction& instruction) {
    return values_[static_cast<size_t>(instruction.index())];
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

  // The buffers of an instruction that makes none; empty when it makes its own, -1 for one that it
  // makes among others.
  std::vector<int32_t> Shared(const Instruction& instruction) {
    if (instruction.operand_count() == 0) return {};
    const Instruction& operand = *instruction.operand(0);
    const ValueBuffers& from = Of(operand);
    std::vector<int32_t> leaves;
    const auto append = [&](const ValueBuffers& value) {
      leaves.insert(leaves.end(), value.leaves.begin(), value.leaves.end());
    };
    switch (instruction.def().buffers) {
      case ResultBuffers::kOwn:
        break;
      case ResultBuffers::kOperand:
      case ResultBuffers::kUpdated:
        return from.leaves;
      case ResultBuffers::kOperands:
        for (const Instruction* element : instruction.operands()) append(Of(*element));
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
    std::vector<int32_t> shared = Shared(instruction);
    CountWork(shared.size());
    CountBytes(shared.size() * sizeof(int32_t));
    // What belongs to the caller cannot be updated in place.
    const bool copies = instruction.def().buffers == ResultBuffers::kUpdated;
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
      ++next;
      const bool kept = old >= 0 && !(copies && IsCallers(old));
      value->leaves.push_back(kept ? old : NewBuffer(instruction, shape));
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
    buffer.space = shape.layout().extras().memory_space;
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
      if (alias.output_index.size() > 1) continue;
      const std::vector<int32_t> leaves =
          alias.output_index.empty()
              ? Of(root).leaves
              : ElementOf(Of(root), static_cast<size_t>(alias.output_index[0]));
      if (leaves.size() != 1) continue;
      ProgramBuffer& buffer = result_.buffers[static_cast<size_t>(leaves[0])];
      if (buffer.type != "output") continue;
      buffer.size = {0, 0, fmt::format("in the memory of parameter {}", alias.operand)};
    }
  }

  // The spaces that the computation and its callees use.
  std::set<int64_t> Spaces() const {
    std::set<int64_t> spaces = {0};
    for (const ProgramBuffer& buffer : result_.buffers) spaces.insert(buffer.space);
    for (const Instruction& instruction : computation_.instructions()) {
      for (const Computation* called : CalleesOf(instruction)) {
        for (const auto& [space, peak] : Of(*called).temporary_peak) spaces.insert(space);
      }
    }
    return spaces;
  }
  const Analysis& Of(const Computation& called) const {
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
    int64_t peak = 0;
    std::vector<int64_t>& live = result_.live[space];
    live.reserve(size);
    for (const Instruction& instruction : computation_.instructions()) {
      const size_t at = static_cast<size_t>(instruction.index());
      int64_t callee = 0;
      for (const Computation* called : CalleesOf(instruction)) {
        const auto& peaks = Of(*called).temporary_peak;
        const auto found = peaks.find(space);
        if (found != peaks.end()) callee = std::max(callee, found->second);
      }
      now += all[at];
      temporary += own[at];
      live.push_back(Sum(now, callee));
      peak = std::max(peak, Sum(temporary, callee));
    }
    if (peak > 0) result_.temporary_peak[space] = peak;
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
  const std::vector<Analysis>& all_;
  Analysis result_;
  std::vector<ValueBuffers> values_;
  size_t leaf_count_ = 0;
};

// Buffers of the computations that the entry calls, at the positions of their callers.
void AddCallees(const Computation& entry, std::vector<Analysis>* all, ProgramMemory* memory) {
  std::vector<std::pair<const Computation*, int64_t>> open;
  auto open_callees = [&](const Computation& caller, int64_t position) {
    for (const Instruction& instruction : caller.instructions()) {
      for (const Computation* callee : CalleesOf(instruction)) {
        Analysis& analysis = (*all)[static_cast<size_t>(callee->index())];
        if (!analysis.done) continue;
        analysis.done = false;
        open.emplace_back(callee, position < 0 ? instruction.index() : position);
      }
    }
  };
  open_callees(entry, -1);
  while (!open.empty()) {
    const auto [callee, position] = open.back();
    open.pop_back();
    for (ProgramBuffer& buffer : (*all)[static_cast<size_t>(callee->index())].buffers) {
      if (buffer.type != "temporary") continue;
      buffer.begin = buffer.end = position;
      memory->buffers.push_back(std::move(buffer));
    }
    open_callees(*callee, position);
  }
}

// Adds without going beyond what fits.
void AddTo(int64_t* sum, int64_t bytes) {
  if (!AddChecked(*sum, bytes, sum)) *sum = INT64_MAX;
}

SpaceUse UseOf(int64_t space, std::vector<int64_t> live,
               const std::vector<ProgramBuffer>& buffers) {
  SpaceUse use;
  use.space = space;
  use.live = std::move(live);
  const auto peak = std::max_element(use.live.begin(), use.live.end());
  if (peak != use.live.end()) {
    use.peak_bytes = *peak;
    use.peak_at = peak - use.live.begin();
  }
  for (const ProgramBuffer& buffer : buffers) {
    if (buffer.space != space || buffer.size.bytes < 0) continue;
    if (use.peak_at < buffer.begin || buffer.end < use.peak_at) continue;
    AddTo(&use.peak_padding, buffer.size.bytes - buffer.size.unpadded_bytes);
    if (buffer.type == "temporary") continue;
    AddTo(buffer.type == "parameter"  ? &use.parameter_bytes
          : buffer.type == "constant" ? &use.constant_bytes
                                      : &use.output_bytes,
          buffer.size.bytes);
  }
  // Not all that a called computation makes lives at one time: the rest of the peak does.
  use.temporary_bytes =
      use.peak_bytes - use.parameter_bytes - use.constant_bytes - use.output_bytes;
  return use;
}

}  // namespace

BufferSize SizeOfBuffer(const Shape& shape) {
  if (!ArrayOf(shape)) return {0, 0, "no padding"};
  Diagnostics faults;
  const auto map =
      MakeLayoutMap(shape.dims(), 8 * BytesOf(shape.element_type()), shape.layout(), {}, faults);
  if (!map) return {};
  const PaddingReport report = ReportPadding(*map);
  return {map->byte_size(), report.unpadded_bytes, PaddingSentence(report)};
}

ProgramMemory MakeProgramMemory(const Module& module) {
  ProgramMemory memory;
  if (!module.entry()) return memory;
  memory.computation = module.entry();
  // Callees come before their callers.
  std::vector<Analysis> all(module.computations().size());
  for (const Computation& computation : module.computations()) {
    all[static_cast<size_t>(computation.index())] = Analyzer(computation, all).Run();
  }
  Analysis entry = std::move(all[static_cast<size_t>(memory.computation->index())]);
  memory.complete = entry.complete;
  memory.positions = static_cast<int64_t>(memory.computation->instructions().size());
  memory.buffers = std::move(entry.buffers);
  AddCallees(*memory.computation, &all, &memory);
  for (auto& [space, live] : entry.live) {
    memory.spaces.push_back(UseOf(space, std::move(live), memory.buffers));
  }
  StableSort(
      memory.buffers.begin(), memory.buffers.end(),
      [](const ProgramBuffer& a, const ProgramBuffer& b) { return a.size.bytes > b.size.bytes; });
  return memory;
}

}  // namespace hlo
