// The short form of asynchronous ops: `OP-start`, `OP-update`, `OP-done` for any OP, and the chains
// that async ops form.
// Source: XLA, hlo/parser/hlo_parser.cc, CreateInstruction (async operations).
#include <fmt/format.h>

#include <algorithm>

#include "engine/hlo/call_graph.h"
#include "engine/hlo/make_instruction.h"
#include "engine/hlo/module_parser.h"
#include "engine/ops/attribute_rows.h"
#include "engine/ops/control/aliases.h"

namespace hlo {
namespace {

struct Suffix {
  std::string_view text;
  Opcode opcode;
};
constexpr Suffix kSuffixes[] = {{"-start", Opcode::kAsyncStart},
                                {"-update", Opcode::kAsyncUpdate},
                                {"-done", Opcode::kAsyncDone}};

const std::string* ThreadOf(const AttrList& attrs) {
  return attrs.Has("async_execution_thread") ? &attrs.String("async_execution_thread") : nullptr;
}

const Computation* CallsOf(const AttrList& attrs) {
  return AsComputation(attrs.GetRegion("calls"));
}

/// In the short form, aliases whose outputs are parts of the wrapped op's result belong to that op;
/// other aliases belong to the start and refer to its state.
void MoveAliases(AttrList& start, Opcode wrapped, const Shape& result, AttrList& attrs) {
  const AttrDef* row = FindAttrDef(GetOpDef(wrapped).attrs, kAliasingAttr.name);
  const auto at = std::find_if(start.begin(), start.end(), [](const Attr& attr) {
    return attr.def->name == kAliasingAttr.name;
  });
  if (!row || at == start.end()) return;
  if (!LeadTo(std::get<std::vector<Alias>>(at->value), result)) return;
  attrs.push_back(std::move(*at));
  attrs.back().def = row;
  start.erase(at);
}

/// The computation that a chain of `call-start` calls; null for other chains.
const Region* CalledByChain(const AsyncChain& chain) {
  if (chain.wrapped != Opcode::kCall) return nullptr;
  return chain.wrapped_attrs.GetRegion("to_apply");
}

// The thread each computation runs on, by its index: what the text says, or that of the async-start
// which runs it, or runs what calls it. Outer starts come later in the text and are read last:
// their threads count.
std::vector<std::string_view> ExecutionThreads(const Module& module) {
  const auto& all = module.computations();
  std::vector<std::string_view> threads;
  threads.reserve(all.size());
  for (const Computation& computation : all) threads.push_back(computation.execution_thread());
  std::vector<bool> is_set(all.size());
  for (size_t c = all.size(); c-- > 0;) {
    for (const Instruction& i : all[c].instructions()) {
      const bool starts = i.opcode() == Opcode::kAsyncStart;
      if (!starts && !is_set[c]) continue;
      std::string_view thread = is_set[c] ? threads[c] : "main";
      if (!is_set[c] && i.attrs().Has("async_execution_thread")) {
        thread = i.attrs().String("async_execution_thread");
      }
      ForEachCallee(i, [&](const Attr&, const Computation& callee) {
        threads[static_cast<size_t>(callee.index())] = thread;
        is_set[static_cast<size_t>(callee.index())] = true;
      });
    }
  }
  return threads;
}

}  // namespace

// An OP whose two halves are opcodes of their own (all-reduce-start, send-done) has no short form.
bool ModuleParser::ReadAsyncOpcode(std::string_view word, InstructionHead& head) {
  for (const Suffix& suffix : kSuffixes) {
    if (word.size() <= suffix.text.size()) continue;
    std::string_view op = word.substr(0, word.size() - suffix.text.size());
    if (word.substr(op.size()) != suffix.text) continue;
    std::optional<Opcode> opcode = OpcodeFromText(op);
    if (!opcode || OpcodeFromText(fmt::format("{}-start", op)) ||
        OpcodeFromText(fmt::format("{}-done", op))) {
      return false;
    }
    head.opcode = suffix.opcode;
    head.wrapped = opcode;
    return true;
  }
  return false;
}

bool ModuleParser::CheckAsyncShape(const Instruction& instruction) {
  const Shape& shape = instruction.shape();
  if (shape.IsTuple() && shape.elements().size() >= 2 && shape.elements()[0].IsTuple()) return true;
  diagnostics_.Report(
      DiagCode::kShapeMismatch, instruction.places().shape,
      fmt::format("AsyncStart and AsyncUpdate expect the shape to be in the form of "
                  "((operand0_shape, operand1_shape, ...), output_shape, ...), but "
                  "it is {}",
                  ShapeName(shape)));
  return false;
}

bool ModuleParser::CheckAgainstChain(const AsyncChain& chain, const Instruction& instruction,
                                     const InstructionHead& head) {
  const Computation* calls = CallsOf(instruction.attrs());
  if (calls && chain.calls && calls != chain.calls) {
    diagnostics_.Report(DiagCode::kComputationSignature, instruction.attrs().Find("calls")->range,
                        fmt::format("Expect async_wrapped_computation to be {}, but got {}",
                                    chain.calls->name(), calls->name()));
    return false;
  }
  const std::string* thread = ThreadOf(instruction.attrs());
  if (thread && *thread != chain.thread) {
    diagnostics_.Report(
        DiagCode::kAttributeValue, instruction.attrs().Find("async_execution_thread")->range,
        fmt::format("Expect async_execution_thread to be {}, but got {}", chain.thread, *thread));
    return false;
  }
  if (!head.wrapped) return true;
  std::optional<Opcode> wrapped = chain.wrapped;
  if (!wrapped && chain.calls && chain.calls->root()) wrapped = chain.calls->root()->opcode();
  if (!wrapped || *wrapped == *head.wrapped) return true;
  diagnostics_.Report(DiagCode::kOpcodeUnknown, head.opcode_range,
                      fmt::format("Expect async wrapped opcode to be {}, but got {}",
                                  Text(*wrapped), Text(*head.wrapped)));
  return false;
}

bool ModuleParser::JoinChain(ComputationScope& scope, Instruction* instruction,
                             const InstructionHead& head, AttrList wrapped_attrs) {
  Opcode opcode = head.opcode;
  bool starts = opcode == Opcode::kAsyncStart;
  if (!starts && opcode != Opcode::kAsyncUpdate && opcode != Opcode::kAsyncDone) return true;
  if (head.shape && opcode != Opcode::kAsyncDone && !CheckAsyncShape(*instruction)) return false;
  if (starts) {
    AsyncChain& chain = scope.chains.emplace_back();
    chain.start = chain.last = instruction;
    chain.wrapped = head.wrapped;
    chain.wrapped_attrs = std::move(wrapped_attrs);
    if (!head.wrapped) chain.calls = CallsOf(instruction->attrs());
    chain.operands = instruction->operands();
    if (const std::string* thread = ThreadOf(instruction->attrs())) {
      chain.thread = editor_.Intern(*thread);
    }
    scope.chain_of[instruction] = scope.chains.size() - 1;
    return true;
  }
  if (instruction->operand_count() > 0 && instruction->operand(0)->opcode() == Opcode::kAsyncDone) {
    diagnostics_.Report(DiagCode::kOperandInvalid, instruction->places().whole,
                        "AsyncUpdate and AsyncDone cannot have AsyncDone as operand.");
    return false;
  }
  // The chain of a state that comes out of a loop or a parameter cannot be traced: nothing to
  // check.
  auto found = scope.chain_of.find(instruction->operand(0));
  if (found == scope.chain_of.end()) return true;
  AsyncChain& chain = scope.chains[found->second];
  if (!CheckAgainstChain(chain, *instruction, head)) return false;
  for (int i = 1; i < instruction->operand_count(); ++i) {
    chain.operands.push_back(instruction->operand(i));
  }
  chain.last = instruction;
  scope.chain_of[instruction] = found->second;
  return true;
}

// Makes the wrapped computation of every short-form start: OP on parameters, one for each operand
// that any link of the chain binds. Its result is given by the end of the chain. Parameters that
// the chain leaves open (or binds where it cannot be traced, behind a tuple or a barrier) are given
// by a called computation.
void ModuleParser::FinishChains(ComputationScope& scope) {
  for (AsyncChain& chain : scope.chains) {
    const AttrDef* calls = FindAttrDef(GetOpDef(Opcode::kAsyncStart).attrs, "calls");
    if (!chain.wrapped || !calls) continue;
    auto wrapped = editor_.NewDetached("async_wrapped");
    editor_.SetExecutionThread(wrapped.get(), chain.thread);
    const Region* called = CalledByChain(chain);
    std::vector<const Shape*> shapes;
    for (Instruction* operand : chain.operands) shapes.push_back(&operand->shape());
    for (int i = static_cast<int>(shapes.size()); called && i < called->parameter_count(); ++i) {
      shapes.push_back(&called->parameter_shape(i));
    }
    SmallVector<Instruction*, 4> parameters;
    for (const Shape* shape : shapes) {
      int64_t number = static_cast<int64_t>(parameters.size());
      Instruction* parameter =
          AddParameter(editor_, wrapped.get(),
                       editor_.Intern(fmt::format("async_param.{}", number)), number, *shape);
      editor_.SetParameter(wrapped.get(), number, parameter);
      parameters.push_back(parameter);
    }
    const Shape& last = chain.last->shape();
    bool done = chain.last->opcode() == Opcode::kAsyncDone;
    bool in_tuple = !done && last.IsTuple() && last.elements().size() >= 2;
    Shape shape;
    if (done || in_tuple) {
      const Shape& result = done ? last : last.elements()[1];
      const bool open = !done && called && result.IsTuple() && result.elements().empty();
      shape = open ? called->result_shape() : result;
    }
    MoveAliases(editor_.attrs(chain.start), *chain.wrapped, shape, chain.wrapped_attrs);
    Instruction* root =
        AddKnown(editor_, wrapped.get(),
                 {*chain.wrapped, editor_.Intern(fmt::format("{}.async", Text(*chain.wrapped))),
                  parameters, std::move(chain.wrapped_attrs), std::move(shape)});
    editor_.places(root) = chain.start->places();
    editor_.SetRoot(wrapped.get(), root);
    editor_.attrs(chain.start)
        .push_back({calls, static_cast<const Region*>(editor_.Attach(std::move(wrapped))), {}, {}});
  }
}

// What an async-start runs is on its thread, whatever the text says of it. XLA,
// HloAsyncStartInstruction::set_async_execution_thread.
void ModuleParser::SetThreads() {
  const std::vector<std::string_view> threads = ExecutionThreads(*module_);
  for (Computation& computation : editor_.computations()) {
    const std::string_view thread = threads[static_cast<size_t>(computation.index())];
    if (thread == computation.execution_thread()) continue;
    editor_.SetExecutionThread(&computation, editor_.Intern(thread));
  }
}

}  // namespace hlo
