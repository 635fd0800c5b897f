#include "engine/mlir/text/cursor.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace hlo::mlir {

void Cursor::SkipSpace() {
  while (true) {
    if (const size_t space = SpaceLength(text(), position()); space > 0) {
      Advance(space);
    } else if (Peek() == '/' && Peek(1) == '/') {
      set_position(LineEnd(text(), position()));
    } else {
      return;
    }
  }
}

bool Cursor::Take(std::string_view characters) {
  SkipSpace();
  return TakeHere(characters);
}

bool Cursor::TakeWord(std::string_view word) {
  SkipSpace();
  const size_t begin = position();
  if (Word() == word) return true;
  set_position(begin);
  return false;
}

std::string_view Cursor::Word() {
  const size_t begin = position();
  while (IsWordCharacter(Peek())) Advance();
  return Since(begin);
}

std::string_view Cursor::SuffixId() {
  if (Peek() == '"') return Quoted();
  const size_t begin = position();
  while (IsWordCharacter(Peek()) || (Peek() == '-' && Peek(1) != '>')) Advance();
  return Since(begin);
}

std::string_view Cursor::Quoted() {
  Advance();
  const size_t begin = position();
  while (!AtEnd() && Peek() != '"' && Peek() != '\n') Advance(Peek() == '\\' ? 2 : 1);
  const std::string_view content = Since(begin);
  if (Peek() == '"') Advance();
  return content;
}

bool Cursor::SkipGroup() {
  std::string open;
  bool matches = true;
  while (!AtEnd()) {
    const char c = Peek();
    if (c == '"') {
      Quoted();
      continue;
    }
    if (c == '/' && Peek(1) == '/') {
      SkipSpace();
      continue;
    }
    Advance();
    if (const char* closer = std::strchr("()[]{}<>", c); !closer || c == '\0') {
      if (c == '-' && Peek() == '>') Advance();
    } else if (c == '(' || c == '[' || c == '{' || c == '<') {
      open += closer[1];
    } else if (c != '>' || Peek() != '=') {
      matches &= !open.empty() && open.back() == c;
      if (!open.empty()) open.pop_back();
      if (open.empty()) return matches;
    }
  }
  return false;
}

}  // namespace hlo::mlir
