// Where parsing resumes after a fault: the next thing at a line's start that looks like an
// instruction, the end of the computation, or the next computation.
#include <algorithm>

#include "engine/hlo/module_parser.h"

namespace hlo {
namespace {

constexpr size_t kNone = std::string_view::npos;

bool IsBlank(char c) { return c == ' ' || c == '\t'; }
bool IsLineEnd(char c) { return c == '\n' || c == '\r'; }

size_t SkipBlanks(std::string_view text, size_t at) {
  while (at < text.size() && IsBlank(text[at])) ++at;
  return at;
}

// The first character of the line of `at`, blanks skipped.
size_t LineStart(std::string_view text, size_t at) {
  size_t newline = at == 0 ? kNone : text.find_last_of("\r\n", at - 1);
  return SkipBlanks(text, newline == kNone ? 0 : newline + 1);
}

// The end of `[%]identifier` at `at`, or `at`.
size_t SkipName(std::string_view text, size_t at) {
  size_t end = at + (at < text.size() && text[at] == '%');
  if (end >= text.size() || !IsNameStart(text[end])) return at;
  while (end < text.size() && IsNameChar(text[end])) ++end;
  return end;
}

bool StartsWithWord(std::string_view text, size_t at, std::string_view word) {
  return text.substr(at, word.size()) == word &&
         (at + word.size() >= text.size() || !IsNameChar(text[at + word.size()]));
}

// The end of a value without quotes or braces around it, as `[2,4]<=[8]` or `mesh['x'=2] {'x'}`:
// the next `,` or `}` of the line that is not inside brackets of the value.
size_t SkipBareValue(std::string_view text, size_t at) {
  constexpr std::string_view kOpening = "[({", kClosing = "])}";
  int depth = 0;
  for (; at < text.size() && !IsLineEnd(text[at]); ++at) {
    const char c = text[at];
    if (depth == 0 && (c == ',' || c == '}')) break;
    depth += kOpening.find(c) != kNone;
    depth -= kClosing.find(c) != kNone && depth > 0;
  }
  return at;
}

// Braces opened and not closed in a piece of text; strings hide braces.
int OpenBraces(std::string_view text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"') {
      for (++i; i < text.size() && text[i] != '"' && !IsLineEnd(text[i]); ++i) i += text[i] == '\\';
    }
    depth += c == '{';
    depth -= c == '}' && depth > 0;
  }
  return depth;
}

}  // namespace

// `ROOT ...` or `name = ...`; without a `%`, a glued `=` makes an attribute: `to_apply=add`.
bool ModuleParser::LooksLikeInstruction(uint32_t at) const {
  std::string_view text = lex.text();
  if (StartsWithWord(text, at, "ROOT")) return true;
  size_t end = SkipName(text, at);
  if (end == at) return false;
  size_t equals = SkipBlanks(text, end);
  return equals < text.size() && text[equals] == '=' && (equals > end || text[at] == '%');
}

// `ENTRY ...`, or at the very start of a line a name, and `{` at the line's end.
bool ModuleParser::LooksLikeComputation(uint32_t at) const {
  std::string_view text = lex.text();
  if (at > 0 && !IsLineEnd(text[at - 1])) return StartsWithWord(text, at, "ENTRY");
  if (StartsWithWord(text, at, "ENTRY")) return true;
  size_t end = SkipName(text, at);
  if (end == at) return false;
  size_t next = SkipBlanks(text, end);
  if (next >= text.size() || (text[next] != '{' && text[next] != '(')) return false;
  size_t line_end = LineEnd(text, next);
  while (line_end > next && IsBlank(text[line_end - 1])) --line_end;
  return text[line_end - 1] == '{';
}

// The name of a computation that a line below begins with, and its parameters or instructions; of
// an instruction of this computation, and `=`.
std::optional<Range> ModuleParser::DefinitionBelow(std::string_view name,
                                                   bool is_instruction) const {
  const std::string_view text = lex.text();
  for (size_t at = LineEnd(text, lex.pos()); at < text.size(); at = LineEnd(text, at + 1)) {
    size_t begin = is_instruction ? SkipBlanks(text, at + 1) : at + 1;
    const std::string_view line = text.substr(std::min(begin, text.size()));
    if (is_instruction && line.starts_with('}')) break;
    if (is_instruction && line.starts_with("ROOT ")) begin = SkipBlanks(text, begin + 5);
    begin += text.substr(std::min(begin, text.size()), 1) == "%" ? 1 : 0;
    if (!StartsWithWord(text, begin, name)) continue;
    const size_t end = begin + name.size();
    const size_t next = SkipBlanks(text, end);
    const std::string_view expected = is_instruction ? "=" : "{(";
    if (next >= text.size() || expected.find(text[next]) == std::string_view::npos) continue;
    return Range{static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
  }
  return std::nullopt;
}

void ModuleParser::SkipAttributeValue(uint32_t begin) {
  size_t reported = diagnostics_.size();
  lex.set_pos(begin);
  char first = lex.Peek();
  std::string_view braces;
  std::string ignored;
  if (first == '{') {
    lex.ReadBraces(&braces);
  } else if (first == '"' || first == '\'') {
    lex.ReadString(&ignored);
  } else {
    size_t end = SkipBareValue(lex.text(), lex.pos());
    // A mesh goes on after a comma: `mesh['x'=2], device_ids=(1,0) {'x'}`.
    constexpr std::string_view kDevices = ", device_ids=";
    if (lex.text().substr(end).starts_with(kDevices)) {
      end = SkipBareValue(lex.text(), end + kDevices.size());
    }
    lex.set_pos(static_cast<uint32_t>(end));
  }
  // What is wrong inside a value that is skipped is not worth a second report.
  if (diagnostics_.size() > reported && reported > 0) diagnostics_.TruncateTo(reported);
}

void ModuleParser::SkipToInstruction(uint32_t begin) {
  std::string_view text = lex.text();
  size_t at = std::min<size_t>(lex.pos(), text.size());
  // The fault may have been found only on the next instruction's line: then that line is next.
  size_t line = LineStart(text, at);
  if (line > begin && LooksLikeInstruction(static_cast<uint32_t>(line))) {
    lex.set_pos(static_cast<uint32_t>(line));
    return;
  }
  int depth = OpenBraces(text.substr(begin, at - begin));
  bool own_line = at > begin && line == at;
  while (true) {
    if (!own_line) {
      const size_t newline = LineEnd(text, at);
      if (newline == text.size()) {
        SkipInLine(at, depth);
        return;
      }
      for (size_t i = at; i < newline; ++i) {
        // `c { x = ... }` on one line: the brace at its end is the computation's.
        if (text[i] == '}' && depth == 0 && SkipBlanks(text, i + 1) == newline) {
          lex.set_pos(static_cast<uint32_t>(i));
          return;
        }
        depth += text[i] == '{';
        depth -= text[i] == '}' && depth > 0;
      }
      at = SkipBlanks(text, newline + 1);
    }
    own_line = false;
    if (at >= text.size() || (text[at] == '}' && depth == 0) ||
        LooksLikeInstruction(static_cast<uint32_t>(at)) ||
        LooksLikeComputation(static_cast<uint32_t>(at))) {
      lex.set_pos(static_cast<uint32_t>(std::min(at, text.size())));
      return;
    }
  }
}

// On the text's last line: to the `}` that ends the computation.
void ModuleParser::SkipInLine(size_t at, int depth) {
  std::string_view text = lex.text();
  for (; at < text.size(); ++at) {
    if (text[at] == '}' && depth-- == 0) break;
    depth += text[at] == '{';
  }
  lex.set_pos(static_cast<uint32_t>(at));
}

void ModuleParser::SkipToComputation(uint32_t begin) {
  std::string_view text = lex.text();
  size_t at = std::min<size_t>(lex.pos(), text.size());
  size_t line = LineStart(text, at);
  if (line > begin && LooksLikeComputation(static_cast<uint32_t>(line))) {
    lex.set_pos(static_cast<uint32_t>(line));
    return;
  }
  while (true) {
    at = std::min(LineEnd(text, at) + 1, text.size());
    if (at < text.size() && !LooksLikeComputation(static_cast<uint32_t>(at))) continue;
    lex.set_pos(static_cast<uint32_t>(at));
    return;
  }
}

}  // namespace hlo
