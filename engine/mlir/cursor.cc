#include "engine/mlir/cursor.h"

#include <algorithm>

namespace hlo::mlir {

void Cursor::SkipSpace() {
  while (true) {
    const char c = Peek();
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      ++position_;
    } else if (c == '/' && Peek(1) == '/') {
      position_ = std::min(text_.find('\n', position_), text_.size());
    } else {
      return;
    }
  }
}

bool Cursor::Take(std::string_view characters) {
  SkipSpace();
  if (text_.compare(std::min(position_, text_.size()), characters.size(), characters) != 0) {
    return false;
  }
  position_ += characters.size();
  return true;
}

bool Cursor::TakeWord(std::string_view word) {
  SkipSpace();
  const size_t begin = position_;
  if (Word() == word) return true;
  position_ = begin;
  return false;
}

std::string_view Cursor::Word() {
  const size_t begin = position_;
  while (IsWordCharacter(Peek())) ++position_;
  return Since(begin);
}

std::string_view Cursor::SuffixId() {
  if (Peek() == '"') return Quoted();
  const size_t begin = position_;
  while (IsWordCharacter(Peek()) || (Peek() == '-' && Peek(1) != '>')) ++position_;
  return Since(begin);
}

std::string_view Cursor::Quoted() {
  const size_t begin = ++position_;
  while (!AtEnd() && Peek() != '"' && Peek() != '\n') position_ += Peek() == '\\' ? 2 : 1;
  position_ = std::min(position_, text_.size());
  const std::string_view content = Since(begin);
  if (Peek() == '"') ++position_;
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
    ++position_;
    if (c == '(' || c == '[' || c == '{' || c == '<') {
      ++depth;
    } else if (c == '-' && Peek() == '>') {
      ++position_;
    } else if (c == ')' || c == ']' || c == '}' || (c == '>' && Peek() != '=')) {
      if (--depth <= 0) return true;
    }
  }
  return false;
}

}  // namespace hlo::mlir
