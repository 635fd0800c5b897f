// Rules about the instructions of a whole module that belong to no single opcode's shape rule.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "engine/base/work_limit.h"
#include "engine/hlo/verifier_rules.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

const std::string* ValueOf(const Instruction& i, std::string_view attr, std::string_view key) {
  return FindValue(i.attrs().Keys(attr), key);
}

// ---- Layouts of reductions ----------------------------------------------------------------------

/// In a module all reductions have constrained layouts, or none.
/// Source: XLA, hlo_verifier.cc, VerifyLayoutConstrainedAllReduce.
class ReductionLayouts {
 public:
  void Check(const Instruction& i, Diagnostics& out) {
    if (i.opcode() != Opcode::kAllReduce && i.opcode() != Opcode::kAllReduceStart) return;
    const bool constrained = i.attrs().Bool("constrain_layout");
    if (!first_) {
      first_ = &i;
      constrained_ = constrained;
    }
    if (constrained == constrained_ || reported_) return;
    reported_ = true;
    ReportAt(i, DiagCode::kVerifierRule,
             fmt::format("HloModule has a mix of layout constrained and unconstrained AllReduce "
                         "instructions. The first is {}",
                         first_->name()),
             out);
  }

 private:
  const Instruction* first_ = nullptr;
  bool constrained_ = false;
  bool reported_ = false;
};

/// Devices are combined in any order, so a difference or a quotient of theirs has no meaning.
/// Source: XLA operation semantics, AllReduce and Reduce. XLA does not check it.
void WarnOfOrder(const Instruction& i, Diagnostics& out) {
  if (i.opcode() != Opcode::kAllReduce && i.opcode() != Opcode::kAllReduceStart &&
      i.opcode() != Opcode::kReduceScatter && i.opcode() != Opcode::kCollectiveReduce) {
    return;
  }
  const Computation* reducer = CalledBy(i, "to_apply");
  const Instruction* root = reducer ? reducer->root() : nullptr;
  if (!root || root->operand_count() != 2 || !root->def().elementwise || root->def().commutative ||
      root->opcode() == Opcode::kMaximum || root->opcode() == Opcode::kMinimum ||
      root->operand(0)->opcode() != Opcode::kParameter ||
      root->operand(1)->opcode() != Opcode::kParameter) {
    return;
  }
  out.Report(
      DiagCode::kVerifierRule, Severity::kWarning, i.attrs().Find("to_apply")->range,
      fmt::format("{}: devices are combined in any order, but the result of {} depends on it",
                  i.name(), Text(root->opcode())));
}

// ---- Original values ----------------------------------------------------------------------------

/// Reads `({"a"}, {"b" {0}})` along a shape: parentheses for tuples, braces for leaves.
class OriginReader {
 public:
  explicit OriginReader(std::string_view text) : text_(text) {}

  bool Fits(const Shape& shape) {
    SkipSpace();
    if (!shape.IsTuple()) return SkipBraces();
    if (!Consume('(')) return false;
    for (size_t i = 0; i < shape.elements().size(); ++i) {
      if (i > 0 && !Consume(',')) return false;
      if (!Fits(shape.elements()[i])) return false;
    }
    return Consume(')');
  }

 private:
  void SkipSpace() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) {
      ++at_;
    }
  }
  bool Consume(char c) {
    SkipSpace();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  /// `{...}` with braces and strings inside.
  bool SkipBraces() {
    int depth = 0;
    bool quoted = false;
    for (const size_t begin = at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (at_ == begin && c != '{') return false;
      if (quoted) {
        if (c == '\\') ++at_;
        if (c == '"') quoted = false;
      } else if (c == '"') {
        quoted = true;
      } else if (c == '{') {
        ++depth;
      } else if (c == '}' && --depth == 0) {
        ++at_;
        return true;
      }
    }
    return false;
  }

  std::string_view text_;
  size_t at_ = 0;
};

/// An original value has the tuples of the shape. Source: XLA, hlo_verifier.cc,
/// VerifyOriginalValue.
void CheckOrigin(const Instruction& i, Diagnostics& out) {
  std::string_view text = i.attrs().String("origin");
  if (text.find("[synthetic_call]") != text.npos || text.size() < 2) return;
  text = text.substr(1, text.size() - 2);
  if (OriginReader(text).Fits(i.shape())) return;
  out.Report(DiagCode::kVerifierRule, i.attrs().Find("origin")->range,
             fmt::format("Mismatched tuple structure in shape and original value. Instruction: {}, "
                         "of shape {}, with original value {}",
                         i.name(), ShapeName(i.shape()), text));
}

// ---- Names --------------------------------------------------------------------------------------

/// Source: XLA, hlo_verifier.cc, VerifyInstructionNameUnchanged; only on request.
void CheckName(const Instruction& i, Diagnostics& out) {
  const std::string* scheduled = ValueOf(i, "metadata", "scheduling_name");
  if (!scheduled || scheduled->empty() || *scheduled == i.name() ||
      i.name().find(".remat") != i.name().npos || i.name().find(".clone") != i.name().npos) {
    return;
  }
  ReportAt(i, DiagCode::kVerifierRule,
           fmt::format("Expected instruction name to remain the same. Was '{}' is '{}'.",
                       *scheduled, i.name()),
           out);
}

}  // namespace

void VerifyModuleRules(const VerifierScope& scope) {
  ReductionLayouts reductions;
  for (const Computation& computation : scope.module.computations()) {
    for (const Instruction& i : computation.instructions()) {
      reductions.Check(i, scope.out);
      CheckOrigin(i, scope.out);
      if (scope.options.strict) {
        CheckName(i, scope.out);
      } else {
        WarnOfOrder(i, scope.out);
      }
    }
  }
}

// ---- The order of infeeds -----------------------------------------------------------------------

namespace {

/// Source: XLA operation semantics, Infeed: "there must be a total order among the Infeed
/// operations". XLA does not check it.
class InfeedOrder {
 public:
  explicit InfeedOrder(const Module& module) : reads_(module.computations().size()) {}

  /// In the order of the module: callees first.
  void Check(const Computation& computation, Diagnostics& out) {
    const auto& all = computation.instructions();
    std::vector<uint32_t> depth(all.size());  // reads on the longest path that ends here
    const Instruction* last = nullptr;
    uint32_t count = 0;
    uint32_t longest = 0;
    for (const Instruction& i : all) {
      uint32_t& own = depth[static_cast<size_t>(i.index())];
      for (const Instruction* operand : i.operands()) {
        own = std::max(own, depth[static_cast<size_t>(operand->index())]);
      }
      for (uint32_t before : i.attrs().Instructions("control-predecessors")) {
        own = std::max(own, depth[before]);
      }
      if (!Reads(i)) continue;
      ++count;
      if (++own <= longest && last != nullptr) {
        Report(i, *last, out);
        reads_[static_cast<size_t>(computation.index())] = true;
        return;
      }
      longest = own;
      last = &i;
    }
    reads_[static_cast<size_t>(computation.index())] = count > 0;
  }

 private:
  bool Reads(const Instruction& i) const {
    bool reads = i.opcode() == Opcode::kInfeed;
    ForEachCallee(i, [&](const Attr&, const Computation& callee) {
      reads |= reads_[static_cast<size_t>(callee.index())];
    });
    return reads;
  }

  static void Report(const Instruction& i, const Instruction& other, Diagnostics& out) {
    out.Report(DiagCode::kVerifierRule, Severity::kWarning, i.places().opcode,
               fmt::format("{}: nothing orders this infeed after {}: which of them reads first is "
                           "not defined",
                           i.name(), other.name()))
        .notes.push_back({other.places().name, "the other one"});
  }

  std::vector<bool> reads_;  // by index of the computation
};

}  // namespace

void VerifyInfeedOrder(const VerifierScope& scope) {
  if (!scope.Has(Opcode::kInfeed) || scope.module.is_scheduled()) return;
  InfeedOrder order(scope.module);
  for (const Computation& computation : scope.module.computations()) {
    order.Check(computation, scope.out);
  }
}

}  // namespace hlo
