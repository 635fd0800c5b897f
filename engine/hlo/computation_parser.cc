// Computations: `[ENTRY] name [signature] { instructions }[, execution_thread="t"]`.
// Source: XLA, hlo/parser/hlo_parser.cc, ParseComputation.
#include <fmt/format.h>

#include "engine/hlo/missing_computation.h"
#include "engine/hlo/module_parser.h"
#include "engine/hlo/suggestion.h"

namespace hlo {

bool ModuleParser::EnterDepth() {
  if (depth_ + 1 < options_.max_depth) {
    ++depth_;
    return true;
  }
  diagnostics_.Report(DiagCode::kRecursionLimit, lex.TokenRange(),
                      fmt::format("maximum recursion depth exceeded: this is nested more than {} "
                                  "levels deep",
                                  options_.max_depth));
  return false;
}

// A name, with `%` or without.
std::string_view ModuleParser::ReadName(Range* range, bool* percent) {
  bool has_percent = false;
  const std::string_view name = lex.ConsumeName(range, &has_percent);
  CheckReserved(name, *range, has_percent);
  if (percent) *percent = has_percent;
  return name;
}

// A reserved word is reported, with a fix, and taken as the name that it is meant to be.
bool ModuleParser::CheckReserved(std::string_view name, Range range, bool percent) {
  if (percent || name.empty() || !IsReservedWord(name)) return true;
  diagnostics_
      .Report(DiagCode::kSyntaxError, range,
              fmt::format("expects name, but `{}` is {}: as a name it is written `%{}`", name,
                          IsTypeWord(name) ? "the word of a type" : "a keyword", name))
      .fixes.push_back({"put '%' before the name", {range.begin, range.begin}, "%"});
  return false;
}

bool ModuleParser::ParseComputation() {
  Range name_range;
  bool is_entry = lex.ConsumeWord("ENTRY");
  std::string_view name = ReadName(&name_range);
  if (name.empty()) return lex.Fail("expects name of a computation");
  ComputationScope scope;
  if (lex.Peek() == '(' && !ParseSignature(scope)) return false;
  if (!lex.Read('{', "expects '{' before the instructions of a computation")) return false;
  auto [known, is_new] = computations_.try_emplace(name, nullptr);
  if (!is_new) {
    diagnostics_
        .Report(DiagCode::kComputationDuplicate, name_range,
                fmt::format("computation already exists: {}", name))
        .notes.push_back({known->second ? known->second->name_range() : name_range,
                          "computation previously defined here"});
  }
  // The name is not known inside its own body: there is no recursion.
  if (is_new) computations_.erase(known);
  Computation* computation = ParseBody(scope, name, name_range);
  if (is_new) computations_.emplace(name, computation);
  if (is_entry && entry_) {
    diagnostics_.Report(DiagCode::kEntryDuplicate, name_range, "expects only one ENTRY computation")
        .notes.push_back({entry_range_, "the first ENTRY is here"});
  } else if (is_entry) {
    entry_ = computation;
    entry_range_ = name_range;
  }
  return ParseExecutionThread(computation);
}

bool ModuleParser::ParseExecutionThread(Computation* computation) {
  if (!lex.Consume(',')) return true;
  std::string thread;
  if (!lex.ConsumeWord("execution_thread")) return lex.Fail("expects execution_thread after ','");
  if (!lex.ReadEquals() || !lex.ReadString(&thread)) return false;
  editor_.SetExecutionThread(computation, editor_.Intern(thread));
  return true;
}

// Parameters are read but, as in XLA, not compared with the body; the result is.
bool ModuleParser::ParseSignature(ComputationScope& scope) {
  bool ok = ReadList(lex, '(', ')', [&] {
    Range range;
    bool percent = false;
    const std::string_view name = lex.ConsumeName(&range, &percent);
    if (name.empty()) return lex.Fail("expects name of a parameter");
    // A word that is directly followed by a colon is always a name.
    if (lex.At(0) != ':') CheckReserved(name, range, percent);
    lex.Consume(':');
    return ReadShape().has_value();
  });
  if (!ok) return false;
  if (!lex.Consume("->")) return lex.Fail("expects '->' before the result's shape");
  scope.written_result_range = lex.TokenRange();
  scope.written_result = ReadShape();
  scope.written_result_range.end = lex.last_end();
  return scope.written_result.has_value();
}

// From after the `{` to after the `}`.
Computation* ModuleParser::ParseBody(ComputationScope& scope, std::string_view name,
                                     Range name_range) {
  uint32_t begin = name_range.end > 0 ? name_range.begin : lex.pos();
  scope.computation = editor_.NewDetached(name, name_range);
  ComputationScope* outer = scope_;
  ParseInstructions(scope);
  scope_ = outer;
  lex.Read('}', "expects '}' after the instructions of a computation");
  editor_.SetRange(scope.computation.get(), {begin, lex.last_end()});
  return FinishComputation(scope);
}

void ModuleParser::ParseInstructions(ComputationScope& scope) {
  while (lex.Peek() != '}' && !lex.AtEnd()) {
    uint32_t begin = lex.pos();
    // An entry or a computation's head where an instruction should be: a `}` is missing.
    if (LooksLikeComputation(begin)) return;
    size_t errors = diagnostics_.error_count();
    if (!ParseInstruction(scope)) {
      scope.broken |= diagnostics_.error_count() > errors;
      SkipToInstruction(begin);
    }
  }
}

Computation* ModuleParser::FinishComputation(ComputationScope& scope) {
  Computation* detached = scope.computation.get();
  bool empty = detached->instructions().empty();
  if (empty && !scope.broken) {
    diagnostics_.Report(DiagCode::kComputationEmpty, detached->range(),
                        fmt::format("one computation should have at least one instruction: {} has "
                                    "none",
                                    detached->name()));
  }
  Instruction* last = empty ? nullptr : const_cast<Instruction*>(&detached->instructions().back());
  editor_.SetRoot(detached, scope.root ? scope.root : last);
  EnterParameters(scope);
  if (!scope.broken) CheckResultShape(scope);
  FinishChains(scope);
  Computation* computation = editor_.Attach(std::move(scope.computation));
  bool root_broken = false;
  if (computation->root()) {
    auto root = scope.names.find(computation->root()->name());
    root_broken = root != scope.names.end() && root->second.broken;
  }
  if (scope.broken || empty || root_broken) broken_computations_.insert(computation);
  return computation;
}

// In the order of the text: those of the lines that are there, and those that were made.
void ModuleParser::NumberParameters(ComputationScope& scope) {
  int64_t count = 0;
  for (auto& [number, parameter] : scope.parameters) {
    number = count++;
    for (Attr& attr : editor_.attrs(parameter)) {
      if (attr.def->use == AttrUse::kPositional) attr.value = number;
    }
  }
}

void ModuleParser::EnterParameters(ComputationScope& scope) {
  if (scope.is_excerpt) NumberParameters(scope);
  Computation* computation = scope.computation.get();
  auto count = static_cast<int64_t>(scope.parameters.size());
  std::vector<const Instruction*> seen(scope.parameters.size(), nullptr);
  for (const auto& [number, parameter] : scope.parameters) {
    Range range = parameter->attrs().front().range;
    if (number >= count) {
      if (scope.broken) continue;
      diagnostics_.Report(
          DiagCode::kParameterNumber, range,
          fmt::format("parameter number {} is out of range: {} has {} parameters, numbered from 0 "
                      "without gaps",
                      number, computation->name(), count));
      continue;
    }
    const Instruction*& first = seen[static_cast<size_t>(number)];
    if (first) {
      diagnostics_
          .Report(DiagCode::kParameterNumber, range,
                  fmt::format("Duplicate parameter number {}", number))
          .notes.push_back({first->places().name, "the first parameter of this number is here"});
      scope.broken = true;
      continue;
    }
    first = parameter;
    editor_.SetParameter(computation, number, parameter);
  }
}

void ModuleParser::CheckResultShape(const ComputationScope& scope) {
  const Instruction* root = scope.computation->root();
  if (!scope.written_result || !root) return;
  auto named = scope.names.find(root->name());
  if (named != scope.names.end() && named->second.broken) return;
  if (Shape::Compatible(*scope.written_result, root->shape())) return;
  Diagnostic& d = diagnostics_.Report(
      DiagCode::kComputationSignature, scope.written_result_range,
      fmt::format(
          "Shape of computation {}, {}, is not compatible with that of its root instruction "
          "{}, {}",
          scope.computation->name(), ShapeName(*scope.written_result), root->name(),
          ShapeName(root->shape())));
  d.notes.push_back({root->places().name, "the root instruction is here"});
  d.fixes.push_back(
      {"write the root's shape", scope.written_result_range, ShapeName(root->shape())});
}

const Region* ModuleParser::ReadRegion() {
  if (lex.Peek() == '{') {
    if (!EnterDepth()) return nullptr;
    lex.Advance(1);
    ComputationScope inner;
    const Region* region = ParseBody(inner, "_", {});
    --depth_;
    return region;
  }
  Range range;
  std::string_view name = ReadName(&range);
  if (name.empty()) {
    lex.Fail("expects computation name, or '{'");
    return nullptr;
  }
  auto found = computations_.find(name);
  if (found != computations_.end()) return found->second;
  if (!scope_ || !scope_->makes_parameters) {
    ReportUnknownComputation(name, range, Severity::kError);
    return nullptr;
  }
  Computation* missing = editor_.AddComputation(name, range);
  computations_.emplace(name, missing);
  scope_->missing.emplace_back(missing, range);
  return missing;
}

void ModuleParser::ReportUnknownComputation(std::string_view name, Range range, Severity severity) {
  const bool error = severity == Severity::kError;
  // Looking for it is linear in the text.
  const bool searches = error && suggestions_left_-- > 0;
  const std::optional<Range> below = searches ? DefinitionBelow(name, false) : std::nullopt;
  Diagnostic& d = diagnostics_.Report(
      DiagCode::kComputationUnknown, severity, range,
      fmt::format("computation does not exist: {}{}", name,
                  !error  ? ". The instruction can be looked at, but not run"
                  : below ? ". It is defined further down: a computation must come before its use"
                          : ""));
  if (below) d.notes.push_back({*below, "it is defined here"});
  if (!searches || below) return;
  std::vector<std::string_view> names;
  for (const auto& [known, computation] : computations_) names.push_back(known);
  AddSuggestion(name, names, range, &d);
}

// Makes stand-ins for the undefined computations that a single instruction names. False when the
// signature of one is unknown.
bool ModuleParser::FillMissing(ComputationScope& scope, const Instruction& instruction) {
  bool ok = true;
  const OpCall call = instruction.CallWithoutShape();
  const Shape* written = instruction.places().shape.end > 0 ? &instruction.shape() : nullptr;
  for (const auto& [missing, range] : scope.missing) {
    const Region* const wanted = missing;  // Clang 14 captures no structured bindings.
    std::optional<ProgramShape> signature;
    for (const Attr& attr : instruction.attrs()) {
      size_t i = 0;
      ForEachRegion(attr.value, [&](const Region* region) {
        const size_t at = i++;
        if (signature || region != wanted || !call.def().signature) return;
        signature = call.def().signature(call, *attr.def, at, written);
      });
    }
    ReportUnknownComputation(missing->name(), range,
                             signature ? Severity::kWarning : Severity::kError);
    ok &= signature.has_value();
    MakeStandIn(editor_, missing, signature.value_or(ProgramShape()));
  }
  scope.missing.clear();
  return ok;
}

bool ModuleParser::ReadInstruction(std::vector<uint32_t>* indices) {
  Range range;
  std::string_view name = ReadName(&range);
  if (name.empty() || !scope_) return lex.Fail("expects a instruction name");
  auto found = scope_->names.find(name);
  if (found != scope_->names.end()) {
    if (!found->second.instruction) return false;
    indices->push_back(static_cast<uint32_t>(found->second.instruction->index()));
    return true;
  }
  const bool alone = scope_->makes_parameters;
  Diagnostic& d = diagnostics_.Report(
      DiagCode::kInstructionUnknown, alone ? Severity::kWarning : Severity::kError, range,
      fmt::format("instruction '{}' is not defined{}", name, alone ? ", and left out" : ""));
  if (alone) return true;
  if (suggestions_left_-- > 0) {
    std::vector<std::string_view> names;
    for (const auto& [known, entry] : scope_->names) names.push_back(known);
    AddSuggestion(name, names, range, &d);
  }
  return false;
}

}  // namespace hlo
