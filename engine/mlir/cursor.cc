#include "engine/mlir/cursor.h"

#include <algorithm>

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
  int64_t depth = 0;
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
    if (c == '(' || c == '[' || c == '{' || c == '<') {
      ++depth;
    } else if (c == '-' && Peek() == '>') {
      Advance();
    } else if (c == ')' || c == ']' || c == '}' || (c == '>' && Peek() != '=')) {
      if (--depth <= 0) return true;
    }
  }
  return false;
}

}  // namespace hlo::mlir
