#include "engine/mlir/exporter.h"

#include <fmt/format.h>

#include <utility>

#include "engine/mlir/cursor.h"
#include "engine/mlir/op_export.h"
#include "engine/mlir/op_import.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace mlir {
namespace {

constexpr int kDeepest = 40;
constexpr size_t kSmall = 64;

// What may stand behind an @: names of HLO have `-` too.
std::string SymbolOf(std::string_view name) {
  std::string symbol(name);
  for (char& c : symbol) {
    if (!IsWordCharacter(c)) c = '_';
  }
  if (symbol.empty() || !IsNameStart(symbol[0])) symbol = "_" + symbol;
  return symbol;
}

bool CallsOthers(const Computation& computation) {
  for (const Instruction& instruction : computation.instructions()) {
    for (const hlo::Attr& attr : instruction.attrs()) {
      if (std::holds_alternative<const hlo::Region*>(attr.value) ||
          std::holds_alternative<std::vector<const hlo::Region*>>(attr.value)) {
        return true;
      }
    }
  }
  return false;
}

std::string DeviceCount(std::string_view what, int64_t count) {
  return fmt::format("mhlo.num_{} = {} : i32", what, count);
}

// What is written down. Constants and shapes of vectors that nobody uses are what the importer made
// of operands that HLO has not (the sizes of dynamic_reshape, the shape of rng).
std::vector<bool> LiveOf(const Computation& computation) {
  const std::deque<Instruction>& all = computation.instructions();
  std::vector<bool> is_live(all.size());
  for (size_t i = all.size(); i-- > 0;) {
    const Opcode opcode = all[i].opcode();
    const bool is_idle = opcode == Opcode::kConstant || opcode == Opcode::kReshape ||
                         opcode == Opcode::kConcatenate || opcode == Opcode::kSlice;
    is_live[i] = is_live[i] || !is_idle || all[i].is_root();
    if (!is_live[i]) continue;
    for (const Instruction* operand : all[i].operands()) {
      is_live[static_cast<size_t>(operand->index())] = true;
    }
  }
  return is_live;
}

// Whether floats of different widths meet, as XLA allows it in the middle of its passes.
bool IsMixed(const Instruction& instruction) {
  const OpDef& def = instruction.def();
  const bool is_cast =
      instruction.opcode() == Opcode::kConvert || instruction.opcode() == Opcode::kBitcastConvert;
  if (is_cast || !def.elementwise || def.any_precision || !instruction.shape().IsArray()) {
    return false;
  }
  const ElementType type = instruction.shape().element_type();
  for (const Instruction* operand : instruction.operands()) {
    const ElementType other = operand->shape().element_type();
    if (IsFloat(type) && IsFloat(other) && other != type) return true;
  }
  return false;
}

}  // namespace

void Exporter::Line(std::string_view text) {
  out_.text.append(static_cast<size_t>(2 * indent_), ' ');
  out_.text += text;
  out_.text += '\n';
  ++line_;
}

// As MLIR's printer: %0, %1; %c, %c_0, where the number counts all names that are taken.
std::string Exporter::NewName(std::string_view hint) {
  if (hint.empty()) return "%" + std::to_string(next_number_++);
  std::string name = fmt::format("%{}", hint);
  while (!taken_.insert(name).second) name = fmt::format("%{}_{}", hint, next_conflict_++);
  return name;
}

const Shape* Exporter::Keep(Shape shape) {
  shapes_.push_back(std::move(shape));
  return &shapes_.back();
}

Diagnostic& Exporter::Report(const Instruction& at, std::string_view what) {
  const Instruction::Places& places = at.places();
  return diagnostics_.Report(
      DiagCode::kNoCounterpart, Severity::kError,
      places.opcode == Range{} ? places.whole : places.opcode,
      fmt::format("{} has no counterpart in StableHLO: {}", Text(at.opcode()), what));
}

void Exporter::Flatten(const Shape& shape, Leaves* leaves, const Instruction* blamed) {
  std::vector<const Shape*> open = {&shape};
  while (!open.empty()) {
    const Shape* next = open.back();
    open.pop_back();
    if (next->IsTuple()) {
      const std::vector<Shape>& elements = next->elements();
      for (size_t i = elements.size(); i-- > 0;) open.push_back(&elements[i]);
      continue;
    }
    const bool is_known = next->IsToken() || (next->IsArray() && HasMlirType(next->element_type()));
    if (!is_known && blamed) {
      Report(*blamed, fmt::format("there is no type for {}", ShapeName(*next)));
    }
    has_layouts_ |= next->IsArray() &&
                    !(next->layout() == Shape::Array(next->element_type(), next->dims()).layout());
    leaves->push_back({{}, next});
  }
}

std::string_view Exporter::FunctionName(const Computation& computation) {
  auto [it, is_new] = functions_.try_emplace(&computation);
  if (is_new) {
    const std::string symbol = SymbolOf(computation.name());
    it->second = symbol;
    for (int i = 0; !function_names_.insert(it->second).second; ++i) {
      it->second = fmt::format("{}_{}", symbol, i);
    }
    pending_.push_back(&computation);
  }
  return it->second;
}

// Small computations are written wherever they are used; others once, and called where they are
// used again, so that the text cannot grow without bound.
bool Exporter::IsOutlined(const Computation& computation) {
  if (depth_ >= kDeepest) return true;
  if (inlined_.insert(&computation).second) return false;
  return computation.instructions().size() > kSmall || CallsOthers(computation);
}

void Exporter::Return(std::string_view op, const Leaves& results) {
  std::string line(op);
  std::string types;
  for (size_t i = 0; i < results.size(); ++i) {
    line += (i > 0 ? ", " : " ") + results[i].name;
    types += i > 0 ? ", " : " : ";
    AppendType(*results[i].type, &types);
  }
  Line(line + types);
}

// The line before is where the parameters stand.
void Exporter::LinkParameters(const Computation& computation) {
  for (const Instruction* parameter : computation.parameters()) {
    out_.lines.push_back({parameter, line_ - 1});
  }
}

Leaves Exporter::WriteBody(const Computation& computation, std::vector<Leaves> arguments) {
  ++depth_;
  Scope scope{&computation, {}};
  scope.values.resize(computation.instructions().size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    const int place = computation.parameters()[i]->index();
    scope.values[static_cast<size_t>(place)] = std::move(arguments[i]);
  }
  const std::vector<bool> is_live = LiveOf(computation);
  for (const Instruction& instruction : computation.instructions()) {
    if (instruction.opcode() != Opcode::kParameter &&
        is_live[static_cast<size_t>(instruction.index())]) {
      WriteInstruction(instruction, scope);
    }
  }
  --depth_;
  const Instruction& root = *computation.root();
  if (root.opcode() == Opcode::kTuple) out_.lines.push_back({&root, line_});
  return std::move(scope.values[static_cast<size_t>(root.index())]);
}

// Whether an operand is the state of an op that has started, which is nothing there, and this is
// not the op that ends it; or ends one that did not start in this computation.
bool Exporter::OnTheWay(const Instruction& instruction, const Scope& scope) {
  switch (instruction.opcode()) {
    case Opcode::kAsyncUpdate:
    case Opcode::kAsyncDone:
    case Opcode::kAllGatherDone:
    case Opcode::kCollectivePermuteDone:
    case Opcode::kCopyDone:
    case Opcode::kSendDone:
    case Opcode::kRecvDone: {
      const Opcode from = instruction.operand(0)->opcode();
      return from == Opcode::kParameter || from == Opcode::kGetTupleElement ||
             from == Opcode::kTuple || from == Opcode::kWhile || from == Opcode::kConditional ||
             from == Opcode::kCall;
    }
    default:
      break;
  }
  for (const Instruction* operand : instruction.operands()) {
    const Leaves& value = scope.values[static_cast<size_t>(operand->index())];
    Leaves wanted;
    Flatten(operand->shape(), &wanted, nullptr);
    if (value.size() != wanted.size()) return true;
  }
  return false;
}

void Exporter::WriteInstruction(const Instruction& instruction, Scope& scope) {
  const ExportRow* row = FindExportRow(instruction.opcode());
  ExportRow plain{instruction.opcode(), WritePlain};
  std::string name;
  if (!row) {
    const std::string_view known = NameOf(instruction.opcode());
    if (known.empty()) {
      Report(instruction, "there is no such operation");
    }
    name = known.find('.') == std::string_view::npos ? "stablehlo." : "";
    name += known;
    plain.name = name;
    row = &plain;
  }
  OpExport op(*this, instruction, scope, row);
  if (OnTheWay(instruction, scope)) {
    Report(instruction, "what an async op has on the way is only for the op that ends it");
  } else {
    if (IsMixed(instruction)) Report(instruction, "operands and a result of different precision");
    row->write(op);
  }
  // After a fault: something of the right types.
  Leaves& value = scope.values[static_cast<size_t>(instruction.index())];
  Leaves wanted;
  if (diagnostics_.has_errors()) {
    Flatten(instruction.shape(), &wanted, nullptr);
    if (value.size() != wanted.size()) {
      for (Ssa& leaf : wanted) leaf.name = "%none";
      value = std::move(wanted);
    }
  }
}

void Exporter::WriteFunction(const Computation& computation, std::string_view name) {
  next_number_ = next_argument_ = next_conflict_ = 0;
  taken_.clear();
  const bool is_main = &computation == module_.entry();
  std::string head = fmt::format("func.func {} @{}(", is_main ? "public" : "private", name);
  std::vector<Leaves> arguments;
  for (const Instruction* parameter : computation.parameters()) {
    Scope none{&computation, {}};
    Leaves leaves = OpExport(*this, *parameter, none, nullptr).NewArguments(parameter->shape());
    for (const Ssa& leaf : leaves) {
      if (head.back() != '(') head += ", ";
      head += leaf.name + ": ";
      AppendType(*leaf.type, &head);
    }
    arguments.push_back(std::move(leaves));
  }
  head += ")";
  Leaves results;
  Flatten(computation.result_shape(), &results, nullptr);
  for (size_t i = 0; i < results.size(); ++i) {
    head += i > 0 ? ", " : results.size() > 1 ? " -> (" : " -> ";
    AppendType(*results[i].type, &head);
  }
  Line(head + (results.size() > 1 ? ") {" : " {"));
  LinkParameters(computation);
  ++indent_;
  Return("return", WriteBody(computation, std::move(arguments)));
  --indent_;
  Line("}");
}

StableHloText Exporter::Run() {
  Line(fmt::format("module @{} attributes {{{}, {}}} {{", SymbolOf(module_.name()),
                   DeviceCount("partitions", module_.num_partitions()),
                   DeviceCount("replicas", module_.replica_count())));
  ++indent_;
  function_names_.insert("main");
  functions_.emplace(module_.entry(), "main");
  WriteFunction(*module_.entry(), "main");
  while (!pending_.empty()) {
    const Computation* next = pending_.front();
    pending_.pop_front();
    WriteFunction(*next, functions_[next]);
  }
  --indent_;
  Line("}");
  if (has_layouts_) {
    const Computation& entry = *module_.entry();
    diagnostics_.Report(DiagCode::kNoCounterpart, Severity::kInfo, entry.name_range(),
                        "layouts are left out: StableHLO has none, and no value depends on them");
  }
  return std::move(out_);
}

}  // namespace mlir

StableHloText ExportStableHlo(const Module& module, Diagnostics& diagnostics) {
  return mlir::Exporter(module, diagnostics).Run();
}

}  // namespace hlo
