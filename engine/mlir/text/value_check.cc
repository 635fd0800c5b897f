#include "engine/mlir/text/value_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/mlir/import/op_import.h"
#include "engine/mlir/import/refinement.h"
#include "engine/mlir/text/asm_printer.h"

namespace hlo::mlir {
namespace {

class ValueCheck {
 public:
  ValueCheck(const Program& program, Diagnostics& diagnostics)
      : program_(program), diagnostics_(diagnostics) {}

  void Ops(const std::vector<Op>& ops) {
    for (const Op& op : ops) {
      Uses(op);
      if (op.name == "func.func") function_ = &op;
      for (const Region& region : op.regions) Enter(region, op);
      Define(op);
    }
  }

 private:
  // What a name refers to: a type for each of its values.
  struct Definition {
    std::vector<const Type*> types;  // null: not known
    Range range;
  };
  using Scope = std::unordered_map<std::string_view, Definition>;

  const Definition* Find(std::string_view name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
      const auto it = scope->find(name);
      if (it != scope->end()) return &it->second;
    }
    return nullptr;
  }

  void Add(std::string_view name, Range range, std::vector<const Type*> types) {
    if (name.empty() || scopes_.empty()) return;
    if (const Definition* first = Find(name)) {
      diagnostics_
          .Report(DiagCode::kInstructionDuplicate, range,
                  fmt::format("redefinition of SSA value '%{}'", name))
          .notes.push_back({first->range, "previously defined here"});
      return;
    }
    scopes_.back().emplace(name, Definition{std::move(types), range});
  }

  // A function does not see enclosing values.
  void Enter(const Region& region, const Op& op) {
    std::vector<Scope> outside;
    const bool is_isolated = op.name == "func.func" || op.name == "builtin.module";
    if (is_isolated) outside = std::move(scopes_), scopes_ = {};
    scopes_.emplace_back();
    const Op* outer = std::exchange(parent_, &op);
    for (const Block& block : region.blocks) {
      for (const Block::Argument& argument : block.arguments) {
        Add(argument.name, argument.range, {argument.type});
      }
      Ops(block.ops);
    }
    parent_ = outer;
    scopes_.pop_back();
    if (is_isolated) scopes_ = std::move(outside);
  }

  // Whether every form of the op is followed by its operand types.
  static bool WantsTypes(const Op& op) {
    if (op.operands.empty() || !op.operand_types.empty()) return false;
    const OpRow* row = FindRow(op.name);
    return op.name == "return" || op.name == "func.return" || op.name == "stablehlo.return" ||
           (row && row->form.types != TypeForm::kNone);
  }

  // There is one type per result; if the form has one type for all, or types for the last operand
  // and the result, the last is that of the single result. A constant's type follows its elements.
  void Define(const Op& op) {
    size_t count = 0;
    for (const ValueName& result : op.results) count += static_cast<size_t>(result.index);
    std::vector<const Type*> types = op.result_types;
    const bool is_constant = op.operands.empty();
    if (const Attr* value = is_constant && types.empty() ? op.Find("value") : nullptr;
        value && value->type) {
      types.push_back(value->type);
    }
    if (types.empty() && (count > 0 || WantsTypes(op))) {
      diagnostics_.Report(DiagCode::kSyntaxError, op.name_range,
                          fmt::format("expected ':' and the types of '{}' behind it", op.name));
    }
    size_t i = 0;
    for (const ValueName& result : op.results) {
      std::vector<const Type*> of_name;
      for (int64_t k = 0; k < result.index; ++k, ++i) {
        const bool is_listed = op.has_function_type || types.size() == count;
        of_name.push_back(is_listed && i < types.size()     ? types[i]
                          : count == 1 && types.size() == 1 ? types[0]
                                                            : nullptr);
      }
      Add(result.name, result.range, std::move(of_name));
    }
  }

  void Uses(const Op& op) {
    const bool is_return = op.name == "return" || op.name == "func.return";
    const auto& types = op.operand_types;
    const bool is_function = op.name == "func.func";  // whose types are those of its arguments
    if (op.has_function_type && !is_function && types.size() != op.operands.size()) {
      diagnostics_.Report(
          DiagCode::kOperandCount, op.name_range,
          fmt::format("expected {} operand types but had {}", op.operands.size(), types.size()));
    } else if ((op.has_function_type || is_return) && types.size() == op.operands.size()) {
      for (size_t i = 0; i < types.size(); ++i) Use(op.operands[i], *types[i]);
    }
    const bool is_listed = is_return || op.name == "stablehlo.return";
    if (is_listed && !types.empty() && types.size() != op.operands.size()) {
      diagnostics_.Report(
          DiagCode::kOperandCount, op.name_range,
          fmt::format("{} operands present, but expected {}", op.operands.size(), types.size()));
    }
    if (is_return && parent_ && parent_->name != "func.func") {
      diagnostics_.Report(DiagCode::kSyntaxError, op.name_range,
                          "'func.return' op expects parent op 'func.func'");
    } else if (is_return && function_) {
      Returns(op);
    }
  }

  void Use(const ValueName& value, const Type& type) {
    const Type* defined = TypeOf(value);
    if (!defined || IsSame(*defined, type)) return;
    diagnostics_
        .Report(DiagCode::kOperandInvalid, value.range,
                fmt::format("use of value '%{}' expects different type than prior uses: '{}' vs "
                            "'{}'",
                            value.name, TextOf(type), TextOf(*defined)))
        .notes.push_back({Find(value.name)->range, "prior use here"});
  }

  void Returns(const Op& op) {
    const Attr* symbol = function_->Find("sym_name");
    const std::string_view name = symbol ? symbol->text : std::string_view();
    const auto& wanted = function_->result_types;
    if (op.operands.size() != wanted.size()) {
      diagnostics_.Report(DiagCode::kOperandCount, op.name_range,
                          fmt::format("'func.return' op has {} operands, but enclosing function "
                                      "(@{}) returns {}",
                                      op.operands.size(), name, wanted.size()));
      return;
    }
    for (size_t i = 0; i < wanted.size(); ++i) {
      const Type* type = TypeOf(op.operands[i]);
      if (!type || IsSame(*type, *wanted[i])) continue;
      diagnostics_.Report(
          DiagCode::kShapeMismatch, op.operands[i].range,
          fmt::format("'func.return' op type of return operand {} ('{}') doesn't match function "
                      "result type ('{}') in function @{}",
                      i, TextOf(*type), TextOf(*wanted[i]), name));
    }
  }

  const Type* TypeOf(const ValueName& value) const {
    const Definition* definition = Find(value.name);
    const auto index = static_cast<size_t>(value.index);
    return definition && index < definition->types.size() ? definition->types[index] : nullptr;
  }

  // A static type is compatible with one that has unknown sizes: the program's arguments determine
  // them.
  bool IsSame(const Type& a, const Type& b) {
    if (&a == &b || TextOf(a) == TextOf(b)) return true;
    const auto is_tensor = [](const Type& type) {
      return type.kind == Type::Kind::kShape || type.kind == Type::Kind::kDynamic;
    };
    return is_tensor(a) && is_tensor(b) && (!IsStatic(a.shape) || !IsStatic(b.shape)) &&
           (Refines(a.shape, b.shape) || Refines(b.shape, a.shape));
  }

  const std::string& TextOf(const Type& type) {
    std::string& text = texts_[&type];
    if (text.empty()) text = TypeText(type, program_);
    return text;
  }

  const Program& program_;
  Diagnostics& diagnostics_;
  const Op* function_ = nullptr;  // the enclosing function
  const Op* parent_ = nullptr;    // the op in whose region this is
  std::vector<Scope> scopes_;
  std::unordered_map<const Type*, std::string> texts_;
};

}  // namespace

void CheckValues(const Program& program, Diagnostics& diagnostics) {
  ValueCheck(program, diagnostics).Ops(program.ops);
}

}  // namespace hlo::mlir
