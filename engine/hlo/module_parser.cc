#include "engine/hlo/module_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "engine/hlo/name_uniquer.h"
#include "engine/hlo/suggestion.h"
#include "engine/ops/attribute_rows.h"

namespace hlo {
namespace {

// Positions are 32 bits wide, and a text of this size needs several times its memory.
constexpr size_t kMostText = size_t{1} << 30;

// The shape at a path into nested tuples, or null.
const Shape* ShapeAt(const Shape& shape, const Dims& index) {
  const Shape* at = &shape;
  for (int64_t i : index) {
    if (!at->IsTuple() || i < 0 || i >= static_cast<int64_t>(at->elements().size())) return nullptr;
    at = &at->elements()[static_cast<size_t>(i)];
  }
  return at;
}

}  // namespace

bool LooksLikeProtobuf(std::string_view text) {
  constexpr std::string_view kFields[] = {"hlo_module",   "hlo", "name", "entry_computation_name",
                                          "computations", "id"};
  size_t at = 0;
  while (at < text.size()) {
    const size_t space = SpaceLength(text, at);
    if (space == 0 && text[at] != '#') break;
    at = space > 0 ? at + space : LineEnd(text, at);
  }
  size_t end = at;
  while (end < text.size() && IsNameChar(text[end])) ++end;
  const std::string_view word = text.substr(at, end - at);
  if (std::find(std::begin(kFields), std::end(kFields), word) == std::end(kFields)) return false;
  const size_t after = text.find_first_not_of(" \t", end);
  return after != std::string_view::npos && (text[after] == ':' || text[after] == '{') &&
         text.find("computations", at) != std::string_view::npos;
}

std::unique_ptr<Module> ParseModule(std::string text, Diagnostics& diagnostics, Budget* budget,
                                    const ParseOptions& options) {
  if (text.size() > kMostText) {
    diagnostics.Report(
        DiagCode::kTooLarge, {},
        fmt::format("the text has {} bytes; at most {} are read", text.size(), kMostText));
    return nullptr;
  }
  auto module = std::make_unique<Module>();
  ModuleEditor(module.get()).SetSource(std::move(text));
  ModuleParser parser(module.get(), &diagnostics, budget, options);
  bool usable = parser.Parse();
  return usable ? std::move(module) : nullptr;
}

ModuleParser::ModuleParser(Module* module, Diagnostics* diagnostics, Budget* budget,
                           const ParseOptions& options)
    : AttrReader(&lexer_, budget),
      lexer_(module->source(), diagnostics),
      module_(module),
      editor_(module),
      diagnostics_(*diagnostics),
      options_(options) {}

bool ModuleParser::Parse() {
  if (LooksLikeProtobuf(lex.text())) {
    diagnostics_.Report(
        DiagCode::kSyntaxError, lex.TokenRange(),
        "this is protocol-buffer text (an HloProto or HloModuleProto), not HLO text");
    return false;
  }
  if (lex.AtEnd()) {
    lex.Fail("expects a module, a computation or an instruction");
    return false;
  }
  if (IsModuleText()) {
    if (lex.ConsumeWord("HloModule")) ParseHeader();
    if (!ReadStackFrames(*this, &editor_.stack_frames())) SkipToComputation(lex.pos());
    ParseComputations();
  } else {
    ParseSingleInstruction();
  }
  if (module_->computations().empty()) {
    if (!diagnostics_.has_errors()) lex.Fail("expects a computation");
    return false;
  }
  ChooseEntry();
  CheckHeader();
  Assemble();
  SetThreads();
  return true;
}

// `HloModule`, `ENTRY`, `name {`, or `name (parameters) ->`.
bool ModuleParser::IsModuleText() {
  uint32_t begin = lex.pos();
  bool module = lex.ConsumeWord("HloModule") || lex.ConsumeWord("ENTRY");
  Range range;
  if (!module && !lex.ConsumeName(&range).empty()) {
    module = lex.Peek() == '{';
    if (lex.Peek() == '(') {
      int depth = 0;
      uint32_t at = lex.pos();
      for (; at < lex.text().size(); ++at) {
        depth += lex.text()[at] == '(';
        if (lex.text()[at] == ')' && --depth == 0) break;
      }
      lex.set_pos(std::min(at + 1, static_cast<uint32_t>(lex.text().size())));
      module = lex.Consume("->");
    }
  }
  lex.set_pos(begin);
  return module;
}

void ModuleParser::ParseHeader() {
  Range range;
  std::string_view name = ReadName(&range);
  if (name.empty()) {
    lex.Fail("expects name of the module");
    SkipToComputation(lex.pos());
    return;
  }
  editor_.SetName(name);
  if (lex.At(0) == ':') lex.Advance(1);
  AttrList& attrs = editor_.module_attrs();
  while (lex.Consume(',')) {
    Range name_range = lex.TokenRange();
    std::string_view key = lex.ConsumeIdentifier();
    name_range.end = lex.pos();
    if (key.empty() || !lex.ReadEquals()) {
      if (key.empty()) lex.Fail("expects a header attribute, as in `name=value`, after ','");
      SkipToComputation(lex.pos());
      return;
    }
    uint32_t begin = lex.TokenRange().begin;
    const AttrDef* def = FindAttrDef(ModuleAttrs(), key);
    if (!def) {
      std::vector<std::string_view> allowed;
      for (const AttrDef& row : ModuleAttrs()) allowed.push_back(row.name);
      std::sort(allowed.begin(), allowed.end());
      Diagnostic& d = diagnostics_.Report(
          DiagCode::kHeaderAttribute, name_range,
          fmt::format("unexpected attribute \"{}\" of HloModule. Allowed attributes: {}", key,
                      fmt::join(allowed, ", ")));
      AddSuggestion(key, allowed, name_range, &d);
    } else if (attrs.Find(key)) {
      diagnostics_.Report(DiagCode::kAttributeDuplicate, name_range,
                          fmt::format("attribute {} already exists", key));
    } else {
      Attr attr{def, {}, name_range, {}};
      bool ok = GetAttrText(def->kind).read(*this, *def, &attr.value);
      attr.range = {begin, std::max(begin, lex.last_end())};
      if (ok) {
        attrs.push_back(std::move(attr));
        continue;
      }
    }
    SkipAttributeValue(begin);
  }
}

void ModuleParser::ParseComputations() {
  while (!lex.AtEnd() && !RefuseSecondModule()) {
    uint32_t begin = lex.pos();
    if (!ParseComputation()) SkipToComputation(begin);
  }
}

// What is behind its header would be reported as faults of the first module.
bool ModuleParser::RefuseSecondModule() {
  const Range header = lex.TokenRange();
  if (!lex.ConsumeWord("HloModule")) return false;
  const auto end = static_cast<uint32_t>(lex.text().size());
  Diagnostic& diagnostic = diagnostics_.Report(DiagCode::kSyntaxError, header,
                                               "a second module begins here: a text holds one");
  diagnostic.AddFix("keep the first module alone", {header.begin, end}, "");
  diagnostic.AddFix("keep what begins here alone", {0, header.begin}, "");
  return true;
}

void ModuleParser::ParseSingleInstruction() {
  ComputationScope scope;
  scope.computation = editor_.NewDetached("_");
  scope.makes_parameters = true;
  InstructionHead head;
  head.begin = lex.TokenRange().begin;
  head.is_root = true;
  if (const char next = lex.Peek(); !AtShape() && next != '%' && !IsNameStart(next)) {
    lex.Fail("expects a module, a computation or an instruction");
    return;
  }
  const bool says_root = lex.ConsumeWord("ROOT");
  if (!ReadInstructionName(head, !says_root)) return;
  bool ok = !head.name.empty();
  if (!ok) {
    head.name = "root";
  } else if (!lex.Read('=', "expects '=' in instruction")) {
    return;
  }
  if (!ParseInstructionBody(scope, head, &ok)) return;
  if (!says_root && !lex.AtEnd()) {
    scope.root = nullptr;
    scope.root_name = {};
  }
  if (ok && (says_root || !lex.AtEnd())) ok = ParseLinesBehind(scope);
  scope.broken |= !ok;
  editor_.SetRange(scope.computation.get(), {head.begin, lex.last_end()});
  FinishComputation(scope);
}

// What follows the first of some lines of a computation, down to its `}` where that is there.
bool ModuleParser::ParseLinesBehind(ComputationScope& scope) {
  constexpr std::string_view kRefusal =
      "Expected eof after parsing single instruction. Did you mean to write an HLO module and "
      "forget the \"HloModule\" header?";
  const Range next = lex.TokenRange();
  const std::string_view between = lex.text().substr(lex.last_end(), next.begin - lex.last_end());
  const bool is_line = between.find_first_of("\r\n") != std::string_view::npos &&
                       (lex.Peek() == '}' || LooksLikeInstruction(next.begin));
  if (!lex.AtEnd() && !is_line) {
    return lex.Fail(fmt::format("{} It begins here", kRefusal));
  }
  scope.is_excerpt = true;
  const std::string_view refusal =
      lex.AtEnd() ? "expects name of an instruction, but found ROOT." : kRefusal;
  if (!options_.takes_lines) {
    diagnostics_.Report(DiagCode::kSyntaxError, next, std::string(refusal));
  } else {
    diagnostics_.Report(
        DiagCode::kSyntaxError, Severity::kWarning, next,
        fmt::format("{} So XLA refuses these lines. Here they are a program of their own: what "
                    "they do not define becomes a parameter",
                    refusal));
  }
  ParseInstructions(scope);
  lex.Consume('}');
  return lex.AtEnd() || lex.Fail("expects the lines of one computation and nothing behind them");
}

void ModuleParser::ChooseEntry() {
  if (!entry_) {
    // The last one; computations written inside it precede it.
    entry_ = const_cast<Computation*>(&module_->computations().back());
  }
  editor_.SetEntry(entry_);
  if (module_->name().empty()) {
    editor_.SetName(editor_.Intern(fmt::format("module_{}", entry_->name())));
  }
}

// Aliases and donors must point into the entry's parameters and result.
void ModuleParser::CheckHeader() {
  if (broken_computations_.count(entry_) > 0) return;
  for (const Attr& attr : module_->attrs()) {
    if (attr.def->kind != AttrKind::kAliases && attr.def->kind != AttrKind::kDonors) continue;
    for (const Alias& alias : module_->attrs().Aliases(attr.def->name)) {
      std::string what;
      if (alias.operand >= entry_->parameter_count()) {
        what = fmt::format("parameter {} is out of range: {} has {} parameters", alias.operand,
                           entry_->name(), entry_->parameter_count());
      } else if (!ShapeAt(entry_->parameter_shape(static_cast<int>(alias.operand)),
                          alias.operand_index)) {
        what = fmt::format("parameter {} has no element at the given index", alias.operand);
      } else if (!ShapeAt(entry_->result_shape(), alias.output_index)) {
        std::string index;
        AppendIndex(alias.output_index, &index);
        what = fmt::format("Trying to set up alias at {} which is an invalid index for shape {}",
                           index, ShapeName(entry_->result_shape()));
      }
      if (what.empty()) continue;
      diagnostics_.Report(DiagCode::kHeaderAttribute, attr.range,
                          fmt::format("{}: {}", attr.def->name, what));
    }
  }
}

// Names are unique in the module from here on; the names in the text are kept in places().
void ModuleParser::Assemble() {
  NameUniquer computations, instructions;
  std::string unique;
  for (const Computation& const_computation : module_->computations()) {
    auto* computation = const_cast<Computation*>(&const_computation);
    if (!computations.Take(computation->name(), &unique)) {
      editor_.SetName(computation, editor_.Intern(unique));
    }
    for (const Instruction& const_instruction : computation->instructions()) {
      auto* instruction = const_cast<Instruction*>(&const_instruction);
      if (!instructions.Take(instruction->name(), &unique)) {
        editor_.SetName(instruction, editor_.Intern(unique));
      }
    }
  }
}

}  // namespace hlo
