#include "engine/why/dependence.h"

#include <algorithm>

#include "engine/ops/elementwise/elementwise.h"
#include "engine/ops/op_def.h"
#include "engine/why/rule.h"

namespace hlo {
namespace {

void AddArrays(const Shape& shape, int operand, SourceRole role, const Dims& path,
               std::vector<Elements>* out) {
  if (shape.IsArray() || shape.IsBuffer()) {
    out->push_back({operand, path, WholeBox(shape.dims()), role});
  } else if (shape.IsTuple()) {
    int64_t number = 0;
    for (const Shape& element : shape.elements()) {
      Dims inner = path;
      inner.push_back(number++);
      AddArrays(element, operand, role, inner, out);
    }
  }
}

int PartAt(const Dims& path) { return path.empty() ? 0 : static_cast<int>(path[0]); }

bool IsOneArray(const Shape& shape) { return shape.IsArray() || shape.IsBuffer(); }

// Rules of links are for operands that are arrays, and results that are arrays or tuples of them.
bool IsLinked(const OpCall& call, int operand) {
  const Shape& shape = call.shape();
  if (!IsOneArray(call.operand(operand))) return false;
  if (!shape.IsTuple()) return IsOneArray(shape);
  for (const Shape& element : shape.elements()) {
    if (!IsOneArray(element)) return false;
  }
  return !shape.elements().empty();
}

// The links of an operand of this execution: where its run-time size is 1 and it is repeated, its
// index is 0 wherever that of the result is.
std::optional<Links> LinksOfOperand(const Executed& at, int operand, int part) {
  std::optional<Links> links = DependenceRuleOf(at.call.opcode()).links(at.call, operand, part);
  if (!links || !MayRepeat(at.call)) return links;
  for (const Value& arg : at.args) {
    if (!arg.is_array() || arg.tensor().rank() != static_cast<int>(links->size())) return links;
  }
  for (int d = 0; d < static_cast<int>(links->size()); ++d) {
    if (!IsRepeated(at.call, at.args, static_cast<size_t>(operand), d)) continue;
    (*links)[static_cast<size_t>(d)].block = at.call.operand(operand).dim(d);
  }
  return links;
}

}  // namespace

bool MayRepeat(const OpCall& call) {
  return call.def().eval == EvalElementwise && call.operand_count() == 2 &&
         (call.operand(0).has_dynamic_dims() || call.operand(1).has_dynamic_dims());
}

void AddAll(const OpCall& call, int operand, SourceRole role, std::vector<Elements>* out) {
  AddArrays(operand < 0 ? call.shape() : call.operand(operand), operand, role, {}, out);
}

void AddLinked(const Executed& at, const Dims& path, const Dims& index,
               std::vector<Elements>* out) {
  const LinksOf links_of = DependenceRuleOf(at.call.opcode()).links;
  for (int i = 0; i < at.call.operand_count(); ++i) {
    if (links_of == &AllLinks || !IsLinked(at.call, i)) {
      if (links_of != &NoLinks) AddAll(at.call, i, SourceRole::kValue, out);
      continue;
    }
    const std::optional<Links> links = LinksOfOperand(at, i, PartAt(path));
    if (!links) continue;
    Box box = SourceBox(*links, at.call.operand(i).dims(), index);
    if (CountOf(box) > 0) out->push_back({i, {}, std::move(box), SourceRole::kValue});
  }
}

std::vector<Elements> SourcesOf(const Executed& at, const Dims& path, const Dims& index) {
  std::vector<Elements> found;
  const DependenceRule& rule = DependenceRuleOf(at.call.opcode());
  (rule.sources ? rule.sources : AddLinked)(at, path, index, &found);
  return found;
}

std::vector<Elements> ReachOf(const Executed& at, int operand, const Dims& path,
                              const Dims& index) {
  std::vector<Elements> found;
  const DependenceRule& rule = DependenceRuleOf(at.call.opcode());
  if (rule.reach) {
    rule.reach(at, operand, path, index, &found);
    return found;
  }
  if (rule.links == &NoLinks) return found;
  if (rule.links == &AllLinks || !IsLinked(at.call, operand)) {
    AddAll(at.call, -1, SourceRole::kValue, &found);
    return found;
  }
  const Shape& shape = at.call.shape();
  const int parts = shape.IsTuple() ? static_cast<int>(shape.elements().size()) : 1;
  for (int part = 0; part < parts; ++part) {
    const std::optional<Links> links = LinksOfOperand(at, operand, part);
    if (!links) continue;
    Box box = ReachBox(*links, PartOf(at.call, part).dims(), index);
    if (CountOf(box) == 0) continue;
    found.push_back(
        {-1, shape.IsTuple() ? Dims{part} : Dims{}, std::move(box), SourceRole::kValue});
  }
  return found;
}

const Tensor* ArrayAt(const Value& value, const Dims& path) {
  const Value* at = &value;
  for (const int64_t i : path) {
    if (!at->is_tuple() || i < 0 || static_cast<size_t>(i) >= at->elements().size()) return nullptr;
    at = &at->elements()[static_cast<size_t>(i)];
  }
  return at->is_array() ? &at->tensor() : nullptr;
}

}  // namespace hlo
