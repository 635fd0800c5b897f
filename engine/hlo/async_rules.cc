// Chains of async-start, async-update and async-done.
// Source: reference/hlo-text.md sections 4.5 and 11.6.
#include <fmt/format.h>

#include <algorithm>

#include "engine/hlo/verifier_rules.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

bool IsAsync(const Instruction& i) {
  return i.opcode() == Opcode::kAsyncStart || i.opcode() == Opcode::kAsyncUpdate ||
         i.opcode() == Opcode::kAsyncDone;
}

/// Where a state comes from: the start, or the first instruction that is no link of a chain.
const Instruction& Origin(const Instruction& link) {
  const Instruction* at = &link;
  while (at->opcode() != Opcode::kAsyncStart && IsAsync(*at)) at = at->operand(0);
  return *at;
}

/// The computation of the chain a link belongs to; null when it came through a loop or a call and
/// the link does not name it.
const Computation* Wrapped(const Instruction& link) {
  if (const Computation* own = CalledBy(link, "calls")) return own;
  const Instruction& origin = Origin(link);
  return origin.opcode() == Opcode::kAsyncStart ? CalledBy(origin, "calls") : nullptr;
}

class ChainChecks {
 public:
  ChainChecks(const Instruction& link, const VerifierScope& scope) : link_(link), scope_(scope) {}

  void CheckStart() const {
    const Shape& state = link_.shape();
    if (!IsState(state)) return;
    size_t bound = state.elements()[0].elements().size();
    if (bound != static_cast<size_t>(link_.operand_count())) {
      Report(
          fmt::format("expects {} operands, found {}: so many has the async shape at index {{0}}",
                      bound, link_.operand_count()));
    } else {
      CheckOperands(0, 0);
    }
    CheckPrefixes(state);
  }

  void CheckUpdate() const {
    const Shape& state = link_.shape();
    const Shape& before = link_.operand(0)->shape();
    if (!IsState(state) || !IsState(before)) return;
    size_t bound = before.elements()[0].elements().size();
    int fresh = link_.operand_count() - 1;
    int64_t indicated =
        static_cast<int64_t>(state.elements()[0].elements().size()) - static_cast<int64_t>(bound);
    if (indicated != fresh) {
      Report(fmt::format("has {} new operands, but the shape indicates {} new bound parameters",
                         fresh, indicated));
    } else {
      CheckOperands(1, bound);
    }
    if (!IsPrefix(before.elements()[1], state.elements()[1])) {
      ReportPrefix(1, "result", state.elements()[1], before.elements()[1]);
    }
    CheckPrefixes(state);
  }

  void CheckDone() const {
    const Shape& state = link_.operand(0)->shape();
    const Computation* wrapped = Wrapped(link_);
    if (!wrapped || !IsState(state)) return;
    if (!Same(link_.shape(), wrapped->result_shape())) {
      Report(fmt::format("expects its shape to match the async computation result shape: {} and {}",
                         Text(link_.shape()), Text(wrapped->result_shape())));
    }
    size_t bound = state.elements()[0].elements().size();
    if (bound != static_cast<size_t>(wrapped->parameter_count())) {
      Report(
          fmt::format("expects the operands of the previous async instruction to be fully bound: "
                      "{} of {}",
                      bound, wrapped->parameter_count()));
    }
  }

 private:
  static bool IsState(const Shape& s) {
    return s.IsTuple() && s.elements().size() >= 2 && s.elements()[0].IsTuple();
  }
  bool Same(const Shape& a, const Shape& b) const {
    if (!Shape::Compatible(a, b)) return false;
    return !scope_.options.layout_sensitive || !a.IsArray() ||
           a.layout().minor_to_major() == b.layout().minor_to_major();
  }
  std::string Text(const Shape& shape) const {
    return scope_.options.layout_sensitive ? ShapeText(shape) : ShapeName(shape);
  }
  void Report(std::string_view message) const {
    ReportAt(link_, DiagCode::kVerifierRule, message, scope_.out);
  }

  /// Operands from `first` on are the parts {0, at}, {0, at + 1}, ...
  void CheckOperands(int first, size_t at) const {
    for (int i = first; i < link_.operand_count(); ++i, ++at) {
      const Shape& part = link_.shape().elements()[0].elements()[at];
      if (Same(link_.operand(i)->shape(), part)) continue;
      Report(
          fmt::format("expects the shape of operand {} to match the async shape at index {{0, "
                      "{}}}: {} and {}",
                      i, at, Text(link_.operand(i)->shape()), Text(part)));
    }
  }

  /// Whether an output, as far as it is known, begins the whole one: nothing, the whole, or for
  /// tuples the first elements.
  bool IsPrefix(const Shape& part, const Shape& whole) const {
    if (part.IsTuple() && part.elements().empty()) return true;
    if (!part.IsTuple() || !whole.IsTuple()) return Same(part, whole);
    if (part.elements().size() > whole.elements().size()) return false;
    for (size_t i = 0; i < part.elements().size(); ++i) {
      if (!Same(part.elements()[i], whole.elements()[i])) return false;
    }
    return true;
  }

  void ReportPrefix(int index, std::string_view what, const Shape& part, const Shape& whole) const {
    Report(
        fmt::format("expects the async shape at index {{{}}} to be a tuple with shapes that match "
                    "the prefix of the async computation {} shape: {} and {}",
                    index, what, Text(part), Text(whole)));
  }

  void CheckPrefixes(const Shape& state) const {
    const Computation* wrapped = Wrapped(link_);
    if (!wrapped) return;
    std::vector<Shape> parameters;
    for (int i = 0; i < wrapped->parameter_count(); ++i) {
      parameters.push_back(wrapped->parameter_shape(i));
    }
    Shape all = Shape::Tuple(std::move(parameters));
    if (!IsPrefix(state.elements()[0], all)) {
      ReportPrefix(0, "parameter", state.elements()[0], all);
    }
    if (!IsPrefix(state.elements()[1], wrapped->result_shape())) {
      ReportPrefix(1, "result", state.elements()[1], wrapped->result_shape());
    }
  }

  const Instruction& link_;
  const VerifierScope& scope_;
};

/// A done whose state is plainly no async op's. What comes out of a loop or a call may be one.
void CheckOrigin(const Instruction& done, Diagnostics& out) {
  const Instruction& origin = Origin(done);
  if (origin.opcode() != Opcode::kTuple) return;
  ReportAt(done, DiagCode::kVerifierRule,
           fmt::format("Async done {} does not trace back to an async start, but to {} {}",
                       done.name(), Text(origin.opcode()), origin.name()),
           out);
}

/// The dones of a state, through updates; whether the state escapes into something else.
struct ChainEnd {
  std::vector<const Instruction*> dones;
  bool escapes = false;
};

ChainEnd FollowChain(const Instruction& start, const Users& users) {
  ChainEnd end;
  std::vector<const Instruction*> open = {&start};
  while (!open.empty()) {
    const Instruction* link = open.back();
    open.pop_back();
    bool is_entry = link->parent() == link->parent()->parent()->entry();
    if (link->is_root() && !is_entry) end.escapes = true;
    for (const Instruction* user : users.Of(*link)) {
      if (user->opcode() == Opcode::kAsyncDone) {
        end.dones.push_back(user);
      } else if (user->opcode() == Opcode::kAsyncUpdate && user->operand(0) == link) {
        open.push_back(user);
      } else {
        end.escapes = true;
      }
    }
  }
  return end;
}

void CheckPairing(const Instruction& start, const Users& users, Diagnostics& out) {
  ChainEnd end = FollowChain(start, users);
  if (end.dones.empty() && !end.escapes) {
    ReportAt(start, DiagCode::kVerifierRule,
             fmt::format("Async start {} has no matching async done", start.name()), out);
  }
  if (end.dones.size() > 1) {
    std::sort(end.dones.begin(), end.dones.end(),
              [](const Instruction* a, const Instruction* b) { return a->index() < b->index(); });
    ReportAt(start, DiagCode::kVerifierRule,
             fmt::format("Async start {} is matched by multiple async done instructions: {} and {}",
                         start.name(), end.dones[0]->name(), end.dones[1]->name()),
             out);
  }
}

/// A wrapped computation is one operation, unless the start says that several run as a group.
void CheckWrapped(const Instruction& start, Diagnostics& out) {
  const Computation* wrapped = CalledBy(start, "calls");
  if (!wrapped) return;
  const Attr* attributes = FindAttr(start.attrs(), "frontend_attributes");
  if (attributes && !std::get<KeyValues>(attributes->value).empty()) return;
  for (const Instruction& i : wrapped->instructions()) {
    if (i.is_root() || i.opcode() == Opcode::kParameter) continue;
    // XLA refuses it, and its own tests run such programs.
    out.Report(DiagCode::kVerifierRule, Severity::kWarning, i.places().opcode,
               fmt::format("async computation {} is expected to contain only the root and "
                           "parameter instructions, but has {} {}",
                           wrapped->name(), Text(i.opcode()), i.name()));
    return;
  }
}

void VerifyLink(const Instruction& link, const Users& users, const VerifierScope& scope) {
  ChainChecks checks(link, scope);
  if (link.opcode() == Opcode::kAsyncStart) {
    checks.CheckStart();
    CheckWrapped(link, scope.out);
    CheckPairing(link, users, scope.out);
  } else if (link.opcode() == Opcode::kAsyncUpdate) {
    checks.CheckUpdate();
  } else {
    checks.CheckDone();
    CheckOrigin(link, scope.out);
  }
}

}  // namespace

void VerifyAsyncChains(const VerifierScope& scope) {
  if (!scope.Has(Opcode::kAsyncStart) && !scope.Has(Opcode::kAsyncUpdate) &&
      !scope.Has(Opcode::kAsyncDone)) {
    return;
  }
  for (const Computation& computation : scope.module.computations()) {
    auto has_async = [](const Instruction& i) { return IsAsync(i); };
    const auto& all = computation.instructions();
    if (std::none_of(all.begin(), all.end(), has_async)) continue;
    Users users(computation);
    for (const Instruction& i : all) {
      if (IsAsync(i) && (i.operand_count() > 0 || i.opcode() == Opcode::kAsyncStart)) {
        VerifyLink(i, users, scope);
      }
    }
  }
}

}  // namespace hlo
