#include "engine/views/non_finite.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include "engine/hlo/call_graph.h"
#include "engine/ops/op_def.h"
#include "engine/views/json.h"

namespace hlo {
namespace {

// Buffers and lists of elements are shared by values: each is read once.
class NonFiniteScan {
 public:
  NonFinite Of(const Value& value) {
    if (value.is_array()) {
      const Tensor& tensor = value.tensor();
      return Once({tensor.bytes(), tensor.element_type()}, [&] { return NonFiniteIn(tensor); });
    }
    if (!value.is_tuple()) return {};
    return Once({&value.elements(), ElementType::kPred}, [&] {
      NonFinite all;
      for (const Value& element : value.elements()) {
        const NonFinite one = Of(element);
        all.nan |= one.nan;
        all.infinity |= one.infinity;
      }
      return all;
    });
  }

 private:
  // A buffer may be read as elements of several types.
  using Key = std::pair<const void*, ElementType>;
  template <typename Make>
  NonFinite Once(Key held, Make make) {
    const auto known = known_.find(held);
    if (known != known_.end()) return known->second;
    const NonFinite made = make();
    known_.emplace(held, made);
    return made;
  }

  std::map<Key, NonFinite> known_;
};

// A value in the trace: element `part` of an entry's tuple, or all of it (-1).
struct Held {
  const TraceEntry* entry;
  int64_t part;
};

// Follows a NaN or an infinity from an instruction to the operand that holds it, again and again.
class Tracer {
 public:
  explicit Tracer(const RunRecord& record) : record_(record) {
    for (const TraceEntry* entry : record.entries) executed_[entry->instruction].push_back(entry);
  }

  std::optional<int64_t> Origin(Held at) {
    nan_ = In(at).nan;
    if (!Has(at)) return std::nullopt;
    // What is followed to was executed before: this ends.
    while (const std::optional<Held> before = Before(at)) at = *before;
    return at.entry->id;
  }

  // The last execution of an instruction before an entry of the same device, `up` calls out of it.
  const TraceEntry* Last(const Instruction& instruction, int64_t before, int64_t device,
                         int depth) const {
    const auto found = executed_.find(&instruction);
    if (found == executed_.end()) return nullptr;
    const auto& all = found->second;
    auto it = std::lower_bound(all.begin(), all.end(), before,
                               [](const TraceEntry* e, int64_t id) { return e->id < id; });
    while (it != all.begin()) {
      const TraceEntry* entry = *--it;
      if (entry->device == device && entry->depth == depth) return entry;
    }
    return nullptr;
  }

 private:
  NonFinite In(const Held& held) {
    const Value& value = held.entry->value;
    if (held.entry->dropped) return {};
    if (held.part < 0 || !value.is_tuple()) return scanner_.Of(value);
    const size_t part = static_cast<size_t>(held.part);
    return part < value.elements().size() ? scanner_.Of(value.elements()[part]) : NonFinite();
  }
  bool Has(const Held& held) {
    const NonFinite found = In(held);
    return nan_ ? found.nan : found.infinity;
  }

  std::optional<Held> Before(const Held& at) {
    const TraceEntry& entry = *at.entry;
    const Instruction& instruction = *entry.instruction;
    if (instruction.opcode() == Opcode::kParameter) return FromCaller(at);
    if (instruction.def().control_flow) {
      if (const auto inside = FromCallee(at)) return inside;
    }
    const bool takes = instruction.opcode() == Opcode::kTuple && at.part >= 0;
    int64_t part = at.part;
    if (instruction.opcode() == Opcode::kTuple) part = -1;
    if (instruction.opcode() == Opcode::kGetTupleElement) part = instruction.Call().Int("index");
    return FromOperands(instruction, entry, entry.depth, part, takes ? at.part : -1);
  }

  // From the operands of an instruction, before an entry: from one of them alone, or all (-1).
  std::optional<Held> FromOperands(const Instruction& instruction, const TraceEntry& before,
                                   int depth, int64_t part, int64_t only) {
    int64_t number = 0;
    for (const Instruction* operand : instruction.operands()) {
      if (only >= 0 && number++ != only) continue;
      const TraceEntry* made = Last(*operand, before.id, before.device, depth);
      if (made && Has({made, part})) return Held{made, part};
    }
    return std::nullopt;
  }

  // Of a parameter: from the iteration before, else from the operands of what calls.
  std::optional<Held> FromCaller(const Held& at) {
    const TraceEntry& entry = *at.entry;
    if (entry.depth == 0) return std::nullopt;
    const bool loops = entry.iterations && !entry.iterations->empty();
    const Instruction* root = entry.instruction->parent()->root();
    if (loops && root && entry.iterations->back() > 0) {
      const TraceEntry* made = Last(*root, entry.id, entry.device, entry.depth);
      if (made && Has({made, at.part})) return Held{made, at.part};
    }
    // A caller comes after what it calls.
    const auto& all = record_.entries;
    auto it = std::upper_bound(all.begin(), all.end(), entry.id,
                               [](int64_t id, const TraceEntry* e) { return id < e->id; });
    for (; it != all.end(); ++it) {
      const TraceEntry& caller = **it;
      if (caller.device != entry.device || caller.depth >= entry.depth) continue;
      return FromOperands(*caller.instruction, entry, caller.depth, at.part, -1);
    }
    return std::nullopt;
  }

  // From the result of what an instruction calls.
  std::optional<Held> FromCallee(const Held& at) {
    const TraceEntry& entry = *at.entry;
    std::optional<Held> last;
    ForEachCallee(*entry.instruction, [&](const Attr&, const Computation& callee) {
      if (!callee.root()) return;
      const TraceEntry* made = Last(*callee.root(), entry.id, entry.device, entry.depth + 1);
      if (!made || !Has({made, at.part})) return;
      if (!last || made->id > last->entry->id) last = Held{made, at.part};
    });
    return last;
  }

  const RunRecord& record_;
  NonFiniteScan scanner_;
  bool nan_ = false;
  std::unordered_map<const Instruction*, std::vector<const TraceEntry*>> executed_;
};

}  // namespace

std::vector<NonFiniteEntry> NonFiniteEntries(const RunRecord& record) {
  std::vector<NonFiniteEntry> found;
  NonFiniteScan scanner;
  for (const TraceEntry* entry : record.entries) {
    if (entry->dropped) continue;
    const NonFinite in = scanner.Of(entry->value);
    if (in.any()) found.push_back({entry->id, in});
  }
  return found;
}

std::string NonFiniteJson(const RunRecord& record) {
  Json json = Json::array();
  const auto add = [&](Json id, const NonFinite& found) {
    if (!found.any()) return;
    Json row = Json::array();
    row.push_back(std::move(id));
    row.push_back(found.nan ? 1 : 0);
    row.push_back(found.infinity ? 1 : 0);
    json.push_back(std::move(row));
  };
  for (const NonFiniteEntry& entry : NonFiniteEntries(record)) add(entry.id, entry.found);
  NonFiniteScan scanner;
  if (record.output) add("output", scanner.Of(*record.output));
  for (size_t device = 1; device < record.devices.size(); ++device) {
    const std::optional<Value>& output = record.devices[device].output;
    if (output) add(fmt::format("output@{}", device), scanner.Of(*output));
  }
  return JsonText(json);
}

std::optional<int64_t> OriginOf(const RunRecord& record, const ValueSelector& selector) {
  if (!record.trace) return std::nullopt;
  Tracer tracer(record);
  const TraceEntry* entry = nullptr;
  if (selector.kind == ValueSelector::Kind::kTrace) {
    entry = record.trace->Find(selector.number);
  } else if (selector.kind == ValueSelector::Kind::kOutput && record.entry().root()) {
    entry = tracer.Last(*record.entry().root(), record.trace->count(), selector.device, 0);
  }
  if (!entry) return std::nullopt;
  return tracer.Origin({entry, selector.path.empty() ? -1 : selector.path[0]});
}

}  // namespace hlo
