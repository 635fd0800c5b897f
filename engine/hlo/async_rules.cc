// Chains of async-start, async-update and async-done: the shapes of their states.
// Source: XLA, hlo_verifier.cc, CheckAsyncOp.
#include <fmt/format.h>

#include <algorithm>

#include "engine/hlo/async_trace.h"
#include "engine/hlo/verifier_rules.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

bool IsState(const Shape& s) {
  return s.IsTuple() && s.elements().size() >= 2 && s.elements()[0].IsTuple();
}

/// Equal but for names: instruction by instruction.
bool SameComputation(const Computation& a, const Computation& b) {
  if (&a == &b) return true;
  if (a.instructions().size() != b.instructions().size()) return false;
  const auto same = [](const Instruction& x, const Instruction& y) {
    if (x.opcode() != y.opcode() || x.operand_count() != y.operand_count() ||
        !(x.shape() == y.shape()) || x.attrs().size() != y.attrs().size() ||
        x.is_root() != y.is_root()) {
      return false;
    }
    for (int i = 0; i < x.operand_count(); ++i) {
      if (x.operand(i)->index() != y.operand(i)->index()) return false;
    }
    for (size_t i = 0; i < x.attrs().size(); ++i) {
      if (x.attrs()[i].def->name != y.attrs()[i].def->name) return false;
    }
    return true;
  };
  return std::equal(a.instructions().begin(), a.instructions().end(), b.instructions().begin(),
                    same);
}

class LinkChecks {
 public:
  LinkChecks(const Instruction& link, const Instruction* producer, const Computation* wrapped,
             const VerifierScope& scope)
      : link_(link), producer_(producer), wrapped_(wrapped), scope_(scope) {}

  void CheckStart() const {
    const Shape& state = link_.shape();
    if (!IsState(state)) return;
    CheckComputationShapes();
    const size_t bound = state.elements()[0].elements().size();
    if (bound != static_cast<size_t>(link_.operand_count())) {
      Report(fmt::format("expects {} operands, found {}.", bound, link_.operand_count()));
      return;
    }
    CheckOperands(0, 0);
  }

  void CheckUpdate() const {
    const Shape& state = link_.shape();
    const Shape& before = link_.operand(0)->shape();
    if (!IsState(state) || !IsState(before)) return;
    CheckComputationShapes();
    if (!CheckOrigin() || !CheckSameComputation()) return;
    for (size_t i = 0; i < 2; ++i) {
      if (IsPrefix(before.elements()[i], state.elements()[i])) continue;
      const std::string_view word = i == 0 ? "parameter" : "result";
      Report(
          fmt::format("expects the {} shape of operand to be a prefix of the output {} shape ({} "
                      "vs {}).",
                      word, word, ShapeText(before.elements()[i]), ShapeText(state.elements()[i])));
    }
    const int64_t bound = static_cast<int64_t>(before.elements()[0].elements().size());
    const int64_t indicated = static_cast<int64_t>(state.elements()[0].elements().size()) - bound;
    const int fresh = link_.operand_count() - 1;
    if (indicated != fresh) {
      Report(fmt::format("has {} new operands, but the shape indicates {} new bound parameters.",
                         fresh, indicated));
      return;
    }
    CheckOperands(1, static_cast<size_t>(bound));
  }

  void CheckDone() const {
    const Shape& state = link_.operand(0)->shape();
    if (!wrapped_ || !IsState(state)) return;
    if (!Same(link_.shape(), wrapped_->result_shape())) {
      Report(
          fmt::format("expects its shape to match the async computation result shape ({} vs "
                      "{}).",
                      ShapeText(link_.shape()), ShapeText(wrapped_->result_shape())));
    }
    if (!CheckSameComputation()) return;
    if (!Shape::Compatible(state.elements()[0], Parameters())) {
      Report("expects the operands of the previous async instruction to be fully bound.");
    }
  }

 private:
  bool Same(const Shape& a, const Shape& b) const {
    return scope_.options.layout_sensitive ? a == b : Shape::Compatible(a, b);
  }
  void Report(std::string_view message) const {
    scope_.out.Report(
        DiagCode::kVerifierRule, link_.places().opcode,
        fmt::format("{} (opcode: {}) {}", link_.name(), Text(link_.opcode()), message));
  }
  Shape Parameters() const {
    std::vector<Shape> parameters;
    parameters.reserve(static_cast<size_t>(wrapped_->parameter_count()));
    for (int i = 0; i < wrapped_->parameter_count(); ++i) {
      parameters.push_back(wrapped_->parameter_shape(i));
    }
    return Shape::Tuple(std::move(parameters));
  }

  bool CheckOrigin() const {
    if (producer_ && IsAsync(producer_->opcode())) return true;
    Report(fmt::format("expects operand to trace to async-start or async-update, found {}.",
                       Text((producer_ ? producer_ : link_.operand(0))->opcode())));
    return false;
  }

  /// Every link names the computation of the start, or one like it, or none.
  bool CheckSameComputation() const {
    const Computation* own = CalledBy(link_, "calls");
    if (!own || !wrapped_ || SameComputation(*own, *wrapped_)) return true;
    const auto root = [](const Computation& c) {
      return c.root() ? fmt::format("{} = {}", c.root()->name(), Text(c.root()->opcode()))
                      : std::string("null");
    };
    Report(
        fmt::format("The {} expects its wrapped async computation to be identical to its "
                    "operand's wrapped async computation ({} vs {}), thread name ({} vs {}).",
                    Text(link_.opcode()), root(*own), root(*wrapped_), own->execution_thread(),
                    wrapped_->execution_thread()));
    return false;
  }

  /// Operands from `first` on are the parts {0, at}, {0, at + 1}, ...
  void CheckOperands(int first, size_t at) const {
    for (int i = first; i < link_.operand_count(); ++i, ++at) {
      const Shape& part = link_.shape().elements()[0].elements()[at];
      if (Same(link_.operand(i)->shape(), part)) continue;
      Report(
          fmt::format("expects the shape of operand {} to match the async shape at index {{0, "
                      "{}}} ({} vs {}).",
                      i, at, ShapeText(link_.operand(i)->shape()), ShapeText(part)));
    }
  }

  /// Whether a part, as far as it is known, begins the whole: nothing, the whole, or for tuples
  /// the first elements.
  bool IsPrefix(const Shape& part, const Shape& whole) const {
    if (part.IsTuple() && part.elements().empty()) return true;
    if (!part.IsTuple() || !whole.IsTuple()) return Same(part, whole);
    if (part.elements().size() > whole.elements().size()) return false;
    for (size_t i = 0; i < part.elements().size(); ++i) {
      if (!Same(part.elements()[i], whole.elements()[i])) return false;
    }
    return true;
  }

  void CheckComputationShapes() const {
    if (!wrapped_) return;
    const Shape whole[] = {Parameters(), wrapped_->result_shape()};
    for (size_t i = 0; i < 2; ++i) {
      const Shape& part = link_.shape().elements()[i];
      if (IsPrefix(part, whole[i])) continue;
      Report(
          fmt::format("expects the async shape at index {{{}}} to be a tuple with shapes that "
                      "match the prefix of the async computation {} shape: `{}` vs `{}`.",
                      i, i == 0 ? "parameter" : "result", ShapeText(part), ShapeText(whole[i])));
    }
  }

  const Instruction& link_;
  const Instruction* producer_;
  const Computation* wrapped_;
  const VerifierScope& scope_;
};

void VerifyLink(const Instruction& link, AsyncTrace& trace, const VerifierScope& scope) {
  if (link.opcode() == Opcode::kAsyncStart) {
    LinkChecks(link, nullptr, CalledBy(link, "calls"), scope).CheckStart();
    return;
  }
  if (link.operand_count() == 0) return;
  const Instruction* producer = trace.Producer(*link.operand(0));
  const Instruction* start = producer;
  while (start && start->opcode() == Opcode::kAsyncUpdate && start->operand_count() > 0) {
    start = trace.Producer(*start->operand(0));
  }
  if (trace.is_spent()) return;
  const bool is_start = start && start->opcode() == Opcode::kAsyncStart;
  const Computation* wrapped = CalledBy(is_start ? *start : link, "calls");
  LinkChecks checks(link, producer, wrapped, scope);
  if (link.opcode() == Opcode::kAsyncUpdate) {
    checks.CheckUpdate();
  } else {
    checks.CheckDone();
  }
}

// ---- What runs asynchronously -------------------------------------------------------------------

/// Whether the start is marked as one that runs several collectives as a group.
bool IsMarkedGroup(const Instruction* start) {
  return start && FindValue(start->attrs().Keys("frontend_attributes"), "_collectives_group");
}

/// Whether the computation only passes its parameters through.
bool IsBarrier(const Computation& computation) {
  return std::all_of(computation.instructions().begin(), computation.instructions().end(),
                     [](const Instruction& i) {
                       return i.is_root() || i.opcode() == Opcode::kParameter ||
                              i.opcode() == Opcode::kGetTupleElement;
                     });
}

/// What runs asynchronously has no other callers.
/// Source: XLA, hlo/parser/hlo_parser.cc, HloParserImpl::Run.
void CheckCallers(const Computation& computation, const VerifierScope& scope) {
  if (!scope.calls.IsCalledBy(computation, Opcode::kAsyncStart)) return;
  for (const Caller& caller : scope.calls.CallersOf(computation)) {
    if (IsAsync(caller.instruction->opcode())) continue;
    scope.out.Report(DiagCode::kVerifierRule, caller.attr->range,
                     fmt::format("Async computation {} is called by non-async instruction {}.",
                                 computation.name(), caller.instruction->name()));
  }
}

/// A computation that runs asynchronously on the main thread is one operation.
/// Source: XLA, hlo_verifier.cc, VerifyAsyncComputation. XLA's own tests run programs that break
/// this, so it is a warning.
void CheckWrapped(const Computation& computation, const VerifierScope& scope) {
  if (!scope.calls.IsCalledBy(computation, Opcode::kAsyncStart) ||
      computation.execution_thread() != "main" ||
      IsMarkedGroup(scope.calls.OnlyCaller(computation, Opcode::kAsyncStart)) ||
      IsBarrier(computation)) {
    return;
  }
  for (const Instruction& i : computation.instructions()) {
    if (i.is_root() || i.opcode() == Opcode::kParameter) continue;
    scope.out.Report(DiagCode::kVerifierRule, Severity::kWarning, i.places().opcode,
                     fmt::format("Asynchronous computation {} expected to contain only the root "
                                 "and parameter instructions. It has {} {}",
                                 computation.name(), Text(i.opcode()), i.name()));
    return;
  }
}

}  // namespace

void VerifyAsyncShapes(const VerifierScope& scope, AsyncTrace& trace) {
  if (!scope.Has(Opcode::kAsyncStart) && !scope.Has(Opcode::kAsyncUpdate) &&
      !scope.Has(Opcode::kAsyncDone)) {
    return;
  }
  for (const Computation& computation : scope.module.computations()) {
    CheckCallers(computation, scope);
    CheckWrapped(computation, scope);
    for (const Instruction& i : computation.instructions()) {
      if (IsAsync(i.opcode())) VerifyLink(i, trace, scope);
    }
  }
}

}  // namespace hlo
