// Buffers, `b(f32[2])`: memory that custom calls write in place. A buffer goes from hand to hand;
// nobody uses it twice.
// Source: reference/hlo-text.md section 11.8; cases of XLA's verifier tests.
#include <fmt/format.h>

#include <algorithm>

#include "engine/hlo/verifier_rules.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

/// A place in a shape, as a path of tuple elements.
using ShapeIndex = Dims;

void CollectBuffers(const Shape& shape, ShapeIndex& path, std::vector<ShapeIndex>* found) {
  if (shape.IsBuffer()) found->push_back(path);
  if (!shape.IsTuple()) return;
  for (size_t i = 0; i < shape.elements().size(); ++i) {
    path.push_back(static_cast<int64_t>(i));
    CollectBuffers(shape.elements()[i], path, found);
    path.pop_back();
  }
}

std::vector<ShapeIndex> BuffersIn(const Shape& shape) {
  std::vector<ShapeIndex> found;
  ShapeIndex path;
  CollectBuffers(shape, path, &found);
  return found;
}

bool HasBuffer(const Shape& shape) {
  if (!shape.IsTuple()) return shape.IsBuffer();
  return std::any_of(shape.elements().begin(), shape.elements().end(), HasBuffer);
}

const std::vector<Alias>& AliasesOf(const Instruction& call) {
  static const std::vector<Alias> kNone;
  const Attr* attr = FindAttr(call.attrs(), "output_to_operand_aliasing");
  return attr ? std::get<std::vector<Alias>>(attr->value) : kNone;
}

std::string_view TargetOf(const Instruction& call) {
  const Attr* attr = FindAttr(call.attrs(), "custom_call_target");
  return attr ? std::get<std::string>(attr->value) : std::string_view();
}

/// Each buffer a custom call takes it gives back once, and it gives no other, but for those that
/// make and end buffers.
void CheckCustomCall(const Instruction& call, Diagnostics& out) {
  std::string_view target = TargetOf(call);
  bool makes = target == "Pin" || target == "CreateBuffer", ends = target == "Unpin";
  const std::vector<Alias>& aliases = AliasesOf(call);
  auto report = [&](std::string_view message, const ShapeIndex& where) {
    ReportAt(call, DiagCode::kVerifierRule,
             fmt::format("{}, at index {{{}}}", message, fmt::join(where, ",")), out);
  };
  for (const ShapeIndex& index : BuffersIn(call.shape())) {
    bool taken = std::any_of(aliases.begin(), aliases.end(),
                             [&](const Alias& a) { return a.output_index == index; });
    if (!taken && !makes) report("a buffer is used in results but not in operands", index);
  }
  for (int i = 0; i < call.operand_count() && !ends; ++i) {
    for (const ShapeIndex& index : BuffersIn(call.operand(i)->shape())) {
      auto given = std::count_if(aliases.begin(), aliases.end(), [&](const Alias& a) {
        return a.operand == i && a.operand_index == index;
      });
      if (given == 0) report("a buffer is used in operands but not in results", index);
      if (given > 1) report("a buffer is used in results multiple times", index);
    }
  }
}

/// The entry's parameters and result are arrays.
void CheckBorder(const VerifierScope& scope) {
  const Computation* entry = scope.module.entry();
  if (!entry) return;
  auto check = [&](const Instruction* i) {
    if (!i || !HasBuffer(i->shape())) return;
    ReportAt(*i, DiagCode::kVerifierRule,
             fmt::format("buffers aren't allowed in this context: {} is {} of the entry "
                         "computation",
                         ShapeName(i->shape()), i == entry->root() ? "the result" : "a parameter"),
             scope.out);
  };
  for (const Instruction* parameter : entry->parameters()) check(parameter);
  if (entry->root() && entry->root()->opcode() != Opcode::kParameter) check(entry->root());
}

}  // namespace

void VerifyBuffers(const VerifierScope& scope) {
  CheckBorder(scope);
  for (const Computation& computation : scope.module.computations()) {
    const auto& all = computation.instructions();
    auto is_buffer = [](const Instruction& i) { return HasBuffer(i.shape()); };
    if (std::none_of(all.begin(), all.end(), is_buffer)) continue;
    Users users(computation);
    for (const Instruction& i : all) {
      if (i.opcode() == Opcode::kCustomCall) CheckCustomCall(i, scope.out);
      if (!i.shape().IsBuffer() || users.Of(i).size() <= 1) continue;
      ReportAt(i, DiagCode::kVerifierRule,
               fmt::format("an HLO buffer value has more than one writers: {} and {}",
                           users.Of(i)[0]->name(), users.Of(i)[1]->name()),
               scope.out);
    }
  }
}

}  // namespace hlo
