#include "engine/mlir/exporter.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/base/stable_sort.h"
#include "engine/base/work_limit.h"
#include "engine/mlir/export/op_export.h"
#include "engine/mlir/import/op_import.h"
#include "engine/mlir/ops/float_mixing.h"
#include "engine/mlir/text/asm_printer.h"
#include "engine/mlir/text/attr_reader.h"
#include "engine/mlir/text/cursor.h"
#include "engine/mlir/text/type_reader.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace mlir {
namespace {

constexpr int kDeepestCalls = 40;
constexpr size_t kSmall = 64;

// A symbol name (`@name`) for an HLO name, which may also contain `-`.
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

// Which instructions are written. Unused constants and shape vectors are left out: the importer
// made them from operands that HLO does not have (the sizes of dynamic_reshape, the shape of rng).
std::vector<bool> LiveOf(const Computation& computation) {
  const std::deque<Instruction>& all = computation.instructions();
  std::vector<bool> is_live(all.size());
  for (size_t i = all.size(); i-- > 0;) {
    is_live[i] = is_live[i] || !RowOf(all[i].opcode()).is_import_helper || all[i].is_root();
    if (!is_live[i]) continue;
    for (const Instruction* operand : all[i].operands()) {
      is_live[static_cast<size_t>(operand->index())] = true;
    }
  }
  return is_live;
}

}  // namespace

std::string_view Exporter::Keep(std::string text) {
  CountBytes(text.size());
  CountWork(text.size());
  kept_bytes_ += text.size();
  CheckText(kept_bytes_);
  texts_.push_back(std::move(text));
  return texts_.back();
}

const Shape* Exporter::Keep(Shape shape) {
  shapes_.push_back(std::move(shape));
  return &shapes_.back();
}

const Type* Exporter::TypeOf(const Shape& shape) {
  auto [it, is_new] = types_.try_emplace(TypeText(shape));
  if (is_new) {
    Type& type = program_.types.emplace_back();
    type.kind = Type::Kind::kShape;
    type.shape = shape;
    type.text = it->first;
    it->second = &type;
  }
  return it->second;
}

uint32_t Exporter::OriginOf(const Instruction& instruction) {
  links_.emplace_back(++origins_, &instruction);
  return origins_;
}

mlir::Op& Exporter::Add(std::string_view name, uint32_t origin) {
  mlir::Op& op = ops_->emplace_back();
  op.name = Keep(std::string(name));
  op.origin = origin;
  op.has_function_type = true;
  return op;
}

void Exporter::AddOperands(const Leaves& operands, mlir::Op* op) {
  for (const Ssa& operand : operands) {
    op->operands.push_back({operand.name, operand.index, {}});
    op->operand_types.push_back(TypeOf(*operand.type));
  }
}

void Exporter::AddResults(Leaves* results, mlir::Op* op) {
  op->has_function_type = true;
  for (size_t i = 0; i < results->size(); ++i) {
    Ssa& result = (*results)[i];
    result.name = i == 0 ? NewName() : (*results)[0].name;
    result.index = static_cast<int64_t>(i);
    op->result_types.push_back(TypeOf(*result.type));
  }
  if (results->empty()) return;
  op->results.push_back({(*results)[0].name, static_cast<int64_t>(results->size()), {}});
}

Leaves Exporter::AddArguments(const Shape& shape, Block* block, const Instruction* blamed) {
  Leaves leaves;
  Flatten(shape, &leaves, blamed);
  for (Ssa& leaf : leaves) {
    leaf.name = NewName();
    block->arguments.push_back({leaf.name, TypeOf(*leaf.type), {}, {}});
  }
  return leaves;
}

void Exporter::AddAttrs(std::string text, std::vector<mlir::Attr::Field>* out) {
  if (text.empty()) return;
  Cursor in(Keep("{" + std::move(text) + "}"));
  TypeReader types(in, program_, diagnostics_);
  AttrReader(in, types, diagnostics_).ReadDict(*out);
}

Leaves Exporter::PackElements(const Shape& shape, const Leaves& leaves, uint32_t origin) {
  Leaves elements;
  size_t next = 0;
  for (const Shape& element : shape.elements()) {
    Leaves own;
    Flatten(element, &own, nullptr);
    for (Ssa& leaf : own) leaf = leaves[next++];
    elements.push_back(element.IsTuple() ? Pack(element, own, origin) : own[0]);
  }
  return elements;
}

Ssa Exporter::Pack(const Shape& shape, const Leaves& leaves, uint32_t origin) {
  const Leaves elements = PackElements(shape, leaves, origin);
  Leaves result = {{{}, 0, Keep(shape)}};
  mlir::Op& op = Add("stablehlo.tuple", origin);
  AddOperands(elements, &op);
  AddResults(&result, &op);
  return result[0];
}

void Exporter::Unpack(const Ssa& value, Leaves* leaves, uint32_t origin) {
  if (!value.type->IsTuple()) return leaves->push_back(value);
  for (size_t i = 0; i < value.type->elements().size(); ++i) {
    Leaves element = {{{}, 0, Keep(value.type->elements()[i])}};
    mlir::Op& op = Add("stablehlo.get_tuple_element", origin);
    AddAttrs(fmt::format("index = {} : i32", i), &op.attrs);
    AddOperands({value}, &op);
    AddResults(&element, &op);
    Unpack(element[0], leaves, origin);
  }
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
    CountWork();
    CountBytes(sizeof(Ssa));
    if (next->IsTuple()) {
      const std::vector<Shape>& elements = next->elements();
      for (size_t i = elements.size(); i-- > 0;) open.push_back(&elements[i]);
      continue;
    }
    const bool has_elements = next->IsArray() || next->IsBuffer();
    const bool is_known = next->IsToken() || (has_elements && HasMlirType(next->element_type()));
    if (!is_known && blamed) {
      Report(*blamed, fmt::format("there is no type for {}", ShapeName(*next)));
    }
    has_layouts_ |= next->IsArray() &&
                    !(next->layout() == Shape::Array(next->element_type(), next->dims()).layout());
    leaves->push_back({{}, 0, next});
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

// Small computations are inlined wherever they are used; others are inlined at their first use and
// called as functions afterwards, so that the text cannot grow without bound.
bool Exporter::IsOutlined(const Computation& computation) {
  if (depth_ >= kDeepestCalls) return true;
  if (inlined_.insert(&computation).second) return false;
  return computation.instructions().size() > kSmall || CallsOthers(computation);
}

void Exporter::Return(std::string_view op, const Leaves& results, uint32_t origin) {
  AddOperands(results, &Add(op, origin));
}

// Parameters are linked to the op of this origin.
void Exporter::LinkParameters(const Computation& computation, uint32_t origin) {
  for (const Instruction* parameter : computation.parameters()) {
    links_.emplace_back(origin, parameter);
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
    if (is_live[static_cast<size_t>(instruction.index())]) WriteInstruction(instruction, scope);
  }
  --depth_;
  return std::move(scope.values[static_cast<size_t>(computation.root()->index())]);
}

// Whether an operand is the state of a started op, which has no value in StableHLO, and this is not
// the op that ends it; or whether this op ends one that was not started in this computation.
bool Exporter::OnTheWay(const Instruction& instruction, const Scope& scope) {
  if (RowOf(instruction.opcode()).is_end) return !RowOf(instruction.operand(0)->opcode()).is_start;
  for (const Instruction* operand : instruction.operands()) {
    const Leaves& value = scope.values[static_cast<size_t>(operand->index())];
    Leaves wanted;
    Flatten(operand->shape(), &wanted, nullptr);
    if (value.size() != wanted.size()) return true;
  }
  return false;
}

void Exporter::WriteInstruction(const Instruction& instruction, Scope& scope) {
  OpExport op(*this, instruction, scope);
  if (OnTheWay(instruction, scope)) {
    Report(instruction, "what an async op has on the way is only for the op that ends it");
  } else {
    if (IsMixed(instruction)) Report(instruction, "operands and a result of different precision");
    op.row().write(op);
  }
  // After an error: placeholders of the right types.
  Leaves& value = scope.values[static_cast<size_t>(instruction.index())];
  Leaves wanted;
  if (diagnostics_.has_errors()) {
    Flatten(instruction.shape(), &wanted, nullptr);
    if (value.size() != wanted.size()) {
      for (Ssa& leaf : wanted) leaf.name = "none";
      value = std::move(wanted);
    }
  }
}

namespace {

mlir::Attr StringAttr(std::string_view text) {
  mlir::Attr attr;
  attr.kind = mlir::Attr::Kind::kString;
  attr.text = text;
  return attr;
}

}  // namespace

void Exporter::WriteFunction(const Computation& computation, std::string_view name) {
  const bool is_main = &computation == module_.entry();
  const bool is_kept = is_main && tuples_ == EntryTuples::kKept;
  mlir::Region region;
  Block& block = region.blocks.emplace_back();
  std::vector<mlir::Op>* const outer = std::exchange(ops_, &block.ops);
  const uint32_t origin = ++origins_;
  LinkParameters(computation, origin);
  std::vector<Leaves> arguments;
  for (const Instruction* parameter : computation.parameters()) {
    const size_t first = block.arguments.size();
    if (!is_kept || !parameter->shape().IsTuple()) {
      arguments.push_back(AddArguments(parameter->shape(), &block, parameter));
      AddKeptAttrs(*parameter, first, &block);
      continue;
    }
    Leaves leaves;
    Flatten(parameter->shape(), &leaves, parameter);
    const Ssa whole = {NewName(), 0, &parameter->shape()};
    block.arguments.push_back({whole.name, TypeOf(*whole.type), {}, {}});
    AddKeptAttrs(*parameter, first, &block);
    leaves.clear();
    Unpack(whole, &leaves, origin);
    arguments.push_back(std::move(leaves));
  }
  Leaves results = WriteBody(computation, std::move(arguments));
  const Instruction& root = *computation.root();
  const uint32_t end = root.opcode() == Opcode::kTuple ? OriginOf(root) : 0;
  if (is_kept && root.shape().IsTuple() && !diagnostics_.has_errors()) {
    // Several results are the elements of the outermost tuple; a tuple of one element is one
    // result.
    results = root.shape().elements().size() == 1 ? Leaves{Pack(root.shape(), results, end)}
                                                  : PackElements(root.shape(), results, end);
  }
  Return("func.return", results, end);
  ops_ = outer;
  if (is_kept) AddEntryAttrs(&block);
  mlir::Op& op = Add("func.func", origin);
  op.attrs.push_back({"sym_name", StringAttr(Keep(std::string(name)))});
  op.attrs.push_back({"sym_visibility", StringAttr(is_main ? "public" : "private")});
  for (const Ssa& result : results) op.result_types.push_back(TypeOf(*result.type));
  if (is_main) AddResultShardings(root, &op);
  op.regions.push_back(std::move(region));
}

StableHloText Exporter::Run() {
  mlir::Op module;
  module.name = "builtin.module";
  module.attrs.push_back({"sym_name", StringAttr(Keep(SymbolOf(module_.name())))});
  AddAttrs(KeptAttrsText(module_.attrs().Keys("frontend_attributes")), &module.attrs);
  AddAttrs(fmt::format("mhlo.num_partitions = {} : i32, mhlo.num_replicas = {} : i32",
                       module_.num_partitions(), module_.replica_count()),
           &module.attrs);
  if (tuples_ == EntryTuples::kKept) AddAttrs(EntryAttrsText(module_), &module.attrs);
  Block& block = module.regions.emplace_back().blocks.emplace_back();
  ops_ = &block.ops;
  function_names_.insert("main");
  functions_.emplace(module_.entry(), "main");
  WriteFunction(*module_.entry(), "main");
  while (!pending_.empty()) {
    const Computation* next = pending_.front();
    pending_.pop_front();
    WriteFunction(*next, functions_[next]);
  }
  program_.ops.push_back(std::move(module));
  if (has_layouts_) {
    const Computation& entry = *module_.entry();
    diagnostics_.Report(DiagCode::kNoCounterpart, Severity::kInfo, entry.name_range(),
                        "layouts are left out: StableHLO has those of the entry, custom calls and "
                        "infeeds alone, and no value depends on them");
  }
  StableHloText out;
  if (diagnostics_.has_errors()) return out;
  auto printed = PrintProgram(program_);
  if (!printed) {
    diagnostics_.Report(DiagCode::kInternalFault, module_.entry()->name_range(),
                        "the converted program has an op that StableHLO has no form for");
    return out;
  }
  out.text = std::move(printed->text);
  std::unordered_map<uint32_t, uint32_t> lines(printed->lines.begin(), printed->lines.end());
  for (const auto& [origin, instruction] : links_) {
    const auto it = lines.find(origin);
    if (it != lines.end()) out.lines.push_back({instruction, it->second});
  }
  StableSort(out.lines.begin(), out.lines.end(),
             [](const auto& a, const auto& b) { return a.line < b.line; });
  return out;
}

}  // namespace mlir

StableHloText ExportStableHlo(const Module& module, Diagnostics& diagnostics, EntryTuples tuples) {
  return mlir::Exporter(module, diagnostics, tuples).Run();
}

}  // namespace hlo
