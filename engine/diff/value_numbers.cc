#include "engine/diff/value_numbers.h"

#include <functional>
#include <string>

#include "engine/base/work_limit.h"
#include "engine/diff/hash_mix.h"
#include "engine/hlo/attribute_text.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

uint64_t HashText(std::string_view text) { return std::hash<std::string_view>{}(text); }

uint64_t HashValue(const Value& value) {
  if (value.is_tuple()) {
    uint64_t hash = 1;
    for (const Value& element : value.elements()) hash = MixHash(hash, HashValue(element));
    return hash;
  }
  if (!value.is_array() || !value.tensor().HoldsElements()) return 0;
  const Tensor& tensor = value.tensor();
  return HashText({tensor.data<char>(), static_cast<size_t>(tensor.byte_size())});
}

uint64_t HashShape(const Shape& shape) {
  std::string text;
  AppendShape(shape, {.layout = false}, &text);
  return HashText(text);
}

}  // namespace

bool SaysWhatIsComputed(const AttrDef& def) {
  switch (def.kind) {
    case AttrKind::kMetadata:
    case AttrKind::kStatistics:
    case AttrKind::kOrigin:
    case AttrKind::kRecoveryTable:
    case AttrKind::kDebugAttributes:
    case AttrKind::kInstructions:
      return false;
    default:
      return true;
  }
}

uint64_t AttributeHash(const Attr& attr, const Computation* computation) {
  if (const auto* literal = std::get_if<std::shared_ptr<const ShapedLiteral>>(&attr.value)) {
    return *literal ? HashValue((*literal)->literal.value) : 0;
  }
  const PrintOptions options;
  return HashText(AttrValueText(attr.value, *attr.def, {options, computation}));
}

ValueNumbers::ValueNumbers(const Module& module) {
  for (const Computation& computation : module.computations()) {
    first_.push_back(static_cast<uint32_t>(instructions_.size()));
    for (const Instruction& each : computation.instructions()) instructions_.push_back(&each);
  }
  CountBytes(instructions_.size() * 36);
  const size_t count = instructions_.size();
  source_.assign(count, kNone);
  operation_.assign(count, 0);
  value_.assign(count, 0);
  computed_.assign(module.computations().size(), 0);
  order_.reserve(count);
  FindRoles(module);
  // Callees come first in a module, and what is fused or called is visited where its caller is.
  for (const Computation& computation : module.computations()) {
    if (RoleOf(computation) == ComputationRole::kPlain) Visit(computation);
  }
}

void ValueNumbers::FindRoles(const Module& module) {
  const CallGraph calls(module);
  roles_.assign(module.computations().size(), ComputationRole::kPlain);
  callers_.assign(module.computations().size(), nullptr);
  for (const Computation& computation : module.computations()) {
    const auto callers = calls.CallersOf(computation);
    if (callers.size() != 1 || &computation == module.entry()) continue;
    const Instruction& caller = *callers[0].instruction;
    if (caller.def().runs != Runs::kOne) continue;
    const size_t index = static_cast<size_t>(computation.index());
    roles_[index] = caller.def().control_flow ? ComputationRole::kCalled : ComputationRole::kFused;
    callers_[index] = &caller;
  }
}

// Calls may be nested as deep as a module has computations: the stack is a list.
void ValueNumbers::Visit(const Computation& computation) {
  struct Frame {
    const Computation* computation;
    size_t next;
  };
  std::vector<Frame> stack{{&computation, 0}};
  while (!stack.empty()) {
    Frame& frame = stack.back();
    if (frame.next == frame.computation->instructions().size()) {
      if (const Instruction* root = frame.computation->root()) {
        computed_[static_cast<size_t>(frame.computation->index())] = value_[IndexOf(*root)];
      }
      stack.pop_back();
      continue;
    }
    const Instruction& instruction = frame.computation->instructions()[frame.next];
    const Computation* inner = nullptr;
    if (instruction.def().runs == Runs::kOne) {
      ForEachCallee(instruction, [&](const Attr&, const Computation& callee) {
        if (CallerOf(callee) == &instruction) inner = &callee;
      });
    }
    if (inner && inner->root() && source_[IndexOf(*inner->root())] == kNone) {
      stack.push_back({inner, 0});
      continue;
    }
    ++frame.next;
    CountWork(1);
    Number(instruction);
  }
}

// What an instruction only hands on.
uint32_t ValueNumbers::FindSource(const Instruction& instruction) const {
  const uint32_t self = IndexOf(instruction);
  if (instruction.opcode() == Opcode::kParameter) {
    const Instruction* caller = CallerOf(*instruction.parent());
    const int64_t number = instruction.attrs().Int("number");
    if (!caller || number < 0 || number >= caller->operand_count()) return self;
    return source_[IndexOf(*caller->operand(static_cast<int>(number)))];
  }
  if (instruction.opcode() == Opcode::kGetTupleElement) {
    const uint32_t tuple = source_[IndexOf(*instruction.operand(0))];
    const Instruction& made = *instructions_[tuple];
    const int64_t element = instruction.attrs().Int("index");
    if (made.opcode() != Opcode::kTuple || element < 0 || element >= made.operand_count()) {
      return self;
    }
    return source_[IndexOf(*made.operand(static_cast<int>(element)))];
  }
  if (instruction.def().runs != Runs::kOne) return self;
  uint32_t source = self;
  ForEachCallee(instruction, [&](const Attr&, const Computation& callee) {
    if (CallerOf(callee) == &instruction && callee.root()) {
      source = source_[IndexOf(*callee.root())];
    }
  });
  return source;
}

uint64_t ValueNumbers::OperationHash(const Instruction& instruction) const {
  uint64_t hash =
      MixHash(static_cast<uint64_t>(instruction.opcode()), HashShape(instruction.shape()));
  // Attributes may be written in any order.
  uint64_t attributes = 0;
  for (const Attr& attr : instruction.attrs()) {
    if (!SaysWhatIsComputed(*attr.def)) continue;
    uint64_t value = HashText(attr.def->name);
    bool names = false;
    ForEachCallee(attr, [&](const Attr&, const Computation& callee) {
      names = true;
      value = MixHash(value, computed_[static_cast<size_t>(callee.index())]);
    });
    if (!names) value = MixHash(value, AttributeHash(attr, instruction.parent()));
    attributes += value;
  }
  return MixHash(hash, attributes);
}

void ValueNumbers::Number(const Instruction& instruction) {
  const uint32_t self = IndexOf(instruction);
  order_.push_back(self);
  operation_[self] = OperationHash(instruction);
  source_[self] = FindSource(instruction);
  if (source_[self] != self) {
    value_[self] = value_[source_[self]];
    return;
  }
  uint64_t value = operation_[self];
  for (const Instruction* operand : instruction.operands()) {
    value = MixHash(value, value_[IndexOf(*operand)]);
  }
  value_[self] = value;
}

}  // namespace hlo
