#include "engine/layout/cursor.h"

#include <fmt/format.h>

#include <utility>

#include "engine/base/bits.h"

namespace hlo {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

void Cursor::SkipSpace() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r') return;
    ++at_;
  }
}

bool Cursor::Take(char c) {
  SkipSpace();
  if (at_ >= text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

bool Cursor::TakeWord(std::string_view word) {
  SkipSpace();
  if (text_.substr(at_, word.size()) != word) return false;
  at_ += word.size();
  return true;
}

bool Cursor::Expect(char c, std::string_view where) {
  return Take(c) || Fault(fmt::format("expected '{}' {}", c, where));
}

bool Cursor::Integer(int64_t* value, std::string_view what, Range* range, bool is_signed) {
  SkipSpace();
  const size_t begin = at_;
  if (Peek() == '_' && IsDigit(Peek(1))) ++at_;
  const bool is_negative = is_signed && Peek() == '-';
  if (is_negative && IsDigit(Peek(1))) ++at_;
  if (!IsDigit(Peek())) return Fault(fmt::format("expected {}", what));
  bool fits = true;
  *value = 0;
  for (; IsDigit(Peek()); ++at_) {
    const int64_t digit = is_negative ? '0' - Peek() : Peek() - '0';
    fits = fits && MultiplyChecked(*value, 10, value) && AddChecked(*value, digit, value);
  }
  if (range != nullptr) *range = RangeFrom(begin);
  return fits || FaultFrom(begin, "the number is too large: it must fit 64 bits");
}

bool Cursor::ExpectEnd() { return AtEnd() || Fault("nothing may follow the layout"); }

bool Cursor::Fault(std::string message) {
  SkipSpace();
  return FaultAt(MakeRange(at_, at_ < text_.size() ? at_ + 1 : at_), std::move(message));
}

bool Cursor::FaultFrom(size_t begin, std::string message) {
  return FaultAt(RangeFrom(begin), std::move(message));
}

bool Cursor::FaultAt(Range range, std::string message) {
  diagnostics_.Report(DiagCode::kLayoutInvalid, range, std::move(message));
  return false;
}

}  // namespace hlo
