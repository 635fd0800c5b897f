#include "engine/mlir/importer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/mlir/import/name_fixes.h"
#include "engine/mlir/import/op_import.h"
#include "engine/mlir/ops/float_mixing.h"
#include "engine/mlir/text/cursor.h"
#include "engine/ops/op_def.h"

namespace hlo::mlir {
namespace {

// How many functions and regions may be under import at once.
constexpr int kDeepestImports = 200;

bool IsTerminator(std::string_view name) {
  return name == "return" || name == "func.return" || name == "stablehlo.return" ||
         name == "mhlo.return" || name == "sdy.return" || name == "chlo.return" ||
         name == "interpreter.return";
}

}  // namespace

const Attr* Importer::Resolve(const Attr* attr) const {
  for (int i = 0; attr && attr->kind == Attr::Kind::kAlias && i < 10; ++i) {
    const auto it = program_.aliases.find(attr->text);
    attr = it == program_.aliases.end() ? nullptr : &it->second;
  }
  return attr;
}

void Importer::ReadModuleAttrs(const Op& module) {
  if (!module_) module_ = &module;
  if (const Attr* name = module.Find("sym_name")) {
    editor_.SetName(editor_.Intern(HloName(name->text)));
  }
  for (std::string_view name : {"num_replicas", "num_partitions"}) {
    const Attr* attr = module.Find("mhlo." + std::string(name));
    if (attr) SetDevices(name == "num_replicas" ? "replica_count" : name, attr->integer);
  }
  KeyValues keys = FrontendAttrs(module.attrs);
  const bool is_new = !editor_.module_attrs().Find("frontend_attributes");
  if (is_new && !keys.empty()) AddModuleAttr("frontend_attributes", std::move(keys));
}

// The number of devices run_parallel needs follows from the replica groups in its programs.
void Importer::ReadGrid(const Op& function) {
  for (const mlir::Region& region : function.regions) {
    for (const Op& op : region.blocks[0].ops) {
      const Attr* programs = op.name == "interpreter.run_parallel" ? op.Find("programs") : nullptr;
      if (!programs || programs->list.empty()) continue;
      SetDevices("replica_count", static_cast<int64_t>(programs->list.size()));
      SetDevices("num_partitions", static_cast<int64_t>(programs->list[0].list.size()));
    }
  }
}

void Importer::SetDevices(std::string_view name, int64_t count) {
  if (count > 1 && !editor_.module_attrs().Find(name)) AddModuleAttr(name, count);
}

void Importer::CollectFunctions(const std::vector<Op>& ops) {
  for (const Op& op : ops) {
    if (op.name == "builtin.module") {
      ReadModuleAttrs(op);
      for (const mlir::Region& region : op.regions) {
        for (const Block& block : region.blocks) CollectFunctions(block.ops);
      }
    } else if (op.name == "func.func") {
      const Attr* name = op.Find("sym_name");
      const Attr* mesh = op.Find("stablehlo.mesh");
      if (name && mesh) function_meshes_.emplace(name->text, mesh);
      if (!name || op.regions.empty()) continue;
      if (functions_.emplace(name->text, Function{&op}).second) {
        order_.push_back(name->text);
        ReadGrid(op);
      } else {
        Report(DiagCode::kComputationDuplicate, op.name_range,
               fmt::format("redefinition of symbol named '{}'", name->text));
      }
    } else if (op.name == "sdy.mesh") {
      const Attr* name = op.Find("sym_name");
      const Attr* mesh = op.Find("mesh");
      if (!name || !mesh) continue;
      // `<["x"=2]>`, or `#sdy.mesh<["x"=2]>` in the generic form.
      const size_t begin = std::min(mesh->text.find('<'), mesh->text.size());
      meshes_.emplace(name->text, mesh->text.substr(begin));
    } else if (op.name.find('.') == std::string_view::npos || FindRow(op.name)) {
      Report(DiagCode::kSyntaxError, op.name_range,
             fmt::format("'{}' stands outside of a function", op.name));
    }
  }
}

void Importer::Run() {
  editor_.SetName("main");  // as XLA calls a module without a name
  CollectFunctions(program_.ops);
  entry_name_ = EntryName();
  is_dynamic_ = IsDynamic();
  if (is_dynamic_) {
    ImportCalled();
  } else {
    for (std::string_view name : order_) ImportFunction(name, {});
  }
  MakeEntry();
}

void Importer::MakeEntry() {
  if (order_.empty()) {
    if (!diagnostics_.has_errors()) {
      const uint32_t end = static_cast<uint32_t>(source_.size());
      Report(DiagCode::kComputationEmpty, {std::min(end, 1u) - std::min(end, 1u), end},
             "the text has no function (func.func)");
    }
    return;
  }
  const Function& main = functions_[entry_name_];
  if (main.computation) {
    ReadEntryAttrs(*main.op, *main.computation);
    return editor_.SetEntry(main.computation);
  }
  std::vector<Computation*> callable;
  for (std::string_view name : order_) {
    Computation* computation = functions_[name].computation;
    if (computation && computation->parameter_count() == 0) callable.push_back(computation);
  }
  if (callable.empty()) return editor_.SetEntry(functions_[order_[0]].computation);
  if (diagnostics_.has_errors()) return editor_.SetEntry(callable[0]);
  auto entry = editor_.NewDetached(UniqueName(computation_names_, "main"));
  Values results;
  for (Computation* computation : callable) {
    results.push_back(Make(entry.get(), Opcode::kCall, {},
                           {{"to_apply", static_cast<const hlo::Region*>(computation)}}, nullptr,
                           computation->name(), nullptr));
  }
  editor_.SetEntry(Finish(std::move(entry), results, true, nullptr));
}

Computation* Importer::ImportFunction(std::string_view name, Range use, const Values* operands) {
  const auto it = functions_.find(name);
  if (it == functions_.end()) {
    Report(DiagCode::kComputationUnknown, use,
           fmt::format("'{}' does not reference a valid function", name));
    return nullptr;
  }
  Function& function = it->second;
  const bool is_own = is_dynamic_ && operands;  // specialised for calls like this one
  const std::string key = is_own ? CallKey(name, *operands) : std::string();
  const auto made = calls_.find(key);
  if (is_own && made != calls_.end()) return made->second;
  if (!is_own && function.state == Function::State::kDone) return function.computation;
  if (function.state == Function::State::kActive || depth_ >= kDeepestImports) {
    Report(DiagCode::kRecursionLimit, use,
           function.state == Function::State::kActive
               ? fmt::format("@{} calls itself: a program that runs cannot be recursive", name)
               : std::string("calls of functions are nested too deeply"));
    return nullptr;
  }
  if (is_own && !MayCopy(function, use, *operands)) return nullptr;
  function.state = Function::State::kActive;
  ++depth_;
  function.computation = ImportBody(function, name, is_own ? operands : nullptr);
  --depth_;
  function.state = Function::State::kDone;
  if (is_own) calls_[key] = function.computation;
  return function.computation;
}

Computation* Importer::ImportBody(const Function& function, std::string_view name,
                                  const Values* operands) {
  const Op& op = *function.op;
  const size_t faults = diagnostics_.error_count();
  auto computation = editor_.NewDetached(UniqueName(computation_names_, name), op.name_range);
  editor_.SetRange(computation.get(), op.range);
  if (name == entry_name_) entry_ = computation.get();
  const Block& block = op.regions[0].blocks[0];
  if (op.regions[0].blocks.size() > 1) {
    Report(DiagCode::kSyntaxError, op.name_range,
           fmt::format("@{} has several blocks; programs without branches have one", name));
  }
  Scope scope{computation.get(), nullptr, {}};
  for (size_t i = 0; i < block.arguments.size(); ++i) {
    Instruction* argument =
        ImportArgument(computation.get(), static_cast<int64_t>(i), block.arguments[i],
                       operands ? (*operands)[i] : nullptr, name == entry_name_);
    scope.names[block.arguments[i].name] = {argument};
    KeepAttrs(block.arguments[i].attrs, argument);
  }
  Computation* finished = nullptr;
  const auto results = ImportBlock(block, scope);
  if (results && std::find(results->begin(), results->end(), nullptr) == results->end()) {
    const Op* terminator = &block.ops.back();
    finished = name == entry_name_ ? FinishEntry(op, std::move(computation), *results, terminator)
                                   : Finish(std::move(computation), *results, false, terminator);
  }
  if (!finished && diagnostics_.error_count() == faults) {
    Report(DiagCode::kComputationEmpty, op.name_range,
           fmt::format("@{} returns nothing usable", name));
  }
  return finished;
}

Values* Importer::Find(Scope& scope, std::string_view name) {
  if (const auto it = scope.names.find(name); it != scope.names.end()) return &it->second;
  if (!scope.outer) return nullptr;
  // Constants are copied into the region that uses them.
  for (const Scope* outer = scope.outer; outer; outer = outer->outer) {
    const auto it = outer->names.find(name);
    if (it == outer->names.end()) continue;
    Values copies;
    for (Instruction* value : it->second) {
      Instruction* copy = nullptr;
      if (value && value->opcode() == Opcode::kConstant) {
        copy = editor_.AddInstruction(scope.computation, UniqueName(names_, value->name()),
                                      Opcode::kConstant);
        editor_.attrs(copy) = value->attrs();
        editor_.SetShape(copy, value->shape());
        editor_.places(copy) = value->places();
      } else if (const Tensor* known = value && is_dynamic_ ? known_.Find(value) : nullptr) {
        copy = MakeConstant(scope.computation, *known, value->name(), nullptr);
      } else if (value) {
        Report(DiagCode::kOperandInvalid, value->places().name,
               fmt::format("%{} is used inside of a region that may only use constants from "
                           "outside",
                           name));
      }
      copies.push_back(copy);
    }
    return &scope.names.emplace(name, std::move(copies)).first->second;
  }
  return nullptr;
}

Instruction* Importer::Lookup(Scope& scope, const ValueName& name) {
  Values* values = Find(scope, name.name);
  if (values && static_cast<size_t>(name.index) < values->size()) {
    return (*values)[static_cast<size_t>(name.index)];
  }
  Diagnostic& fault =
      Report(DiagCode::kInstructionUnknown, name.range,
             values ? fmt::format("reference to invalid result number: %{} has {} values",
                                  name.name, values->size())
                    : fmt::format("use of undeclared SSA value name %{}", name.name));
  // To look for the names of more would take time in proportion to the square of the text.
  constexpr size_t kMostSuggested = 20;
  if (!values && diagnostics_.size() <= kMostSuggested)
    SuggestValue(name.name, scope, name.range, &fault);
  scope.names[name.name].resize(static_cast<size_t>(name.index) + 1);  // reported once
  return nullptr;
}

std::optional<Values> Importer::ImportBlock(const Block& block, Scope& scope) {
  for (const Op& op : block.ops) {
    if (!IsTerminator(op.name)) {
      ImportOp(op, scope);
      continue;
    }
    Values results;
    for (const ValueName& operand : op.operands) results.push_back(Lookup(scope, operand));
    if (&op != &block.ops.back()) {
      Report(DiagCode::kSyntaxError, op.name_range,
             fmt::format("'{}' op must be the last operation in the parent block", op.name));
    }
    return results;
  }
  const Range at = block.ops.empty() ? Range{} : block.ops.back().range;
  Report(DiagCode::kSyntaxError, at, "block with no terminator: it must end with a return");
  return std::nullopt;
}

// XLA allows floats of different widths in one instruction between passes; StableHLO does not.
void Importer::CheckPrecision(const Op& op, const Computation& computation, size_t first) {
  const auto& made = computation.instructions();
  for (size_t i = first; i < made.size(); ++i) {
    if (!IsMixed(made[i])) continue;
    Report(DiagCode::kElementType, op.name_range,
           op.regions.empty()
               ? fmt::format("'{}' op requires the same element type for all operands and results",
                             op.name)
               : fmt::format("'{}' op takes, gives or folds values of different floating-point "
                             "types, none of which can be promoted to the other here",
                             op.name));
    return;
  }
}

void Importer::ImportOp(const Op& op, Scope& scope) {
  const size_t first = scope.computation->instructions().size();
  const OpRow* row = FindRow(op.name);
  static constexpr OpRow kNone;
  OpImport import(*this, op, row ? *row : kNone, scope);
  for (const ValueName& operand : op.operands) import.operands.push_back(Lookup(scope, operand));
  for (const ValueName& result : op.results) {
    scope.names[result.name].assign(static_cast<size_t>(result.index), nullptr);
  }
  if (!row) {
    Diagnostic& fault = Report(DiagCode::kOpcodeUnknown, op.name_range,
                               fmt::format("no operation '{}' is known", op.name));
    SuggestOperation(op.name, op.name_range, &fault);
  } else if (!import.HasBrokenOperand() && import.HasOneBlockEach()) {
    import.DequantizeOperands();
    if (op.results.empty()) import.CheckUnnamedResults();
    const bool is_valid =
        !import.HasBrokenOperand() && import.HasElements() && import.HasSizesOfResult();
    if (is_valid) row->emit(import);
    CheckPrecision(op, *scope.computation, first);
    KeepAttrs(op, scope.computation, first);
    PlaceResults(op, scope, first);
  }
}

}  // namespace hlo::mlir
