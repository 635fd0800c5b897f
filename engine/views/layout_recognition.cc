#include "engine/views/layout_recognition.h"

#include <algorithm>
#include <string>

#include "engine/base/text_reader.h"
#include "engine/layout/morello_layout.h"
#include "engine/ops/opcode.h"
#include "engine/types/scanner.h"
#include "engine/views/layout_subject.h"

namespace hlo {
namespace {

constexpr size_t kLongest = 4096;

// A word at the cursor: the characters of type names and opcodes.
std::string_view TakeWord(TextReader& in) {
  const size_t begin = in.position();
  while (IsWordCharacter(in.Peek()) || in.Peek() == '-') in.Advance();
  return in.Since(begin);
}

bool IsTypeName(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return ElementTypeFromText(lower).has_value();
}

// `[3,5]`, with any content; it may be unterminated.
bool TakeSizes(TextReader& in) {
  if (in.Peek() != '[') return false;
  while (!in.AtEnd() && in.Peek() != ']') in.Advance();
  return in.TakeHere("]") || in.AtEnd();
}

// `f32[3,5]` and the braces after it, which may be unterminated.
bool TakeShape(TextReader& in) {
  if (!IsTypeName(TakeWord(in)) || !TakeSizes(in)) return false;
  const size_t behind = in.position();
  in.SkipSpace();
  if (in.Peek() != '{') {
    in.set_position(behind);
    return true;
  }
  while (!in.AtEnd() && in.Peek() != '}') in.Advance();
  in.TakeHere("}");
  return true;
}

// A Morello list of physical dimensions: `[1, 0, 1 p(4)]`.
bool IsList(std::string_view text) {
  constexpr std::string_view kCharacters = "0123456789, ()poe";
  return text.size() > 2 && text.front() == '[' && text.back() == ']' &&
         text.substr(1, text.size() - 2).find_first_not_of(kCharacters) == std::string_view::npos;
}

}  // namespace

std::optional<Range> ShapeOfInstruction(std::string_view text) {
  TextReader in(text);
  in.SkipSpace();
  const size_t equals = text.find(" = ");
  if (equals != std::string_view::npos) {
    if (text.substr(0, equals).find_first_of("[({") != std::string_view::npos) return std::nullopt;
    in.set_position(equals + 3);
    in.SkipSpace();
  }
  const size_t begin = in.position();
  if (!TakeShape(in)) return std::nullopt;
  const Range shape = in.RangeFrom(begin);
  in.SkipSpace();
  const bool is_beginning = equals != std::string_view::npos && in.AtEnd();
  if (is_beginning || in.Peek() == '%') return shape;
  const bool is_call = OpcodeFromText(TakeWord(in)).has_value() && in.Next() == '(';
  return is_call ? std::optional<Range>(shape) : std::nullopt;
}

bool LooksLikeLayout(std::string_view text) {
  text = Trimmed(text);
  if (text.empty() || text.size() > kLongest) return false;
  // A plain number is a one-dimensional CuTe layout, but is hardly ever meant as one.
  if (text.find_first_not_of("0123456789") == std::string_view::npos) return false;
  // Only Morello's constructor is written over several lines.
  const bool is_constructor = text.find("Layout::new(") != std::string_view::npos;
  if (text.find('\n') != std::string_view::npos && !is_constructor) return false;
  if (ShapeOfInstruction(text)) return false;
  Diagnostics trial;
  const bool is_good = ReadLayoutSubject(text, trial).map || !trial.has_errors();
  if (is_good || HasNotationKey(text)) return true;
  if (IsList(text) || IsMorelloName(text) || text.starts_with("Layout::new(")) return true;
  TextReader in(text);
  if (!TakeShape(in)) return false;
  in.SkipSpace();
  return in.AtEnd() || in.Peek() == '[' || in.Peek() == '(' || IsMorelloName(in.rest()) ||
         RecogniseNotation(text).key == "strides";
}

}  // namespace hlo
