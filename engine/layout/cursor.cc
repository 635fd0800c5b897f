#include "engine/layout/cursor.h"

#include <fmt/format.h>

#include <utility>

#include "engine/base/bits.h"
#include "engine/base/characters.h"

namespace hlo {
bool Cursor::Expect(char c, std::string_view where) {
  return Take(c) || Fault(fmt::format("expected '{}' {}", c, where));
}

bool Cursor::Integer(int64_t* value, std::string_view what, Range* range, bool is_signed) {
  SkipSpace();
  const size_t begin = position();
  if (Peek() == '_' && IsDigit(Peek(1))) Advance();
  const bool is_negative = is_signed && Peek() == '-';
  if (is_negative && IsDigit(Peek(1))) Advance();
  if (!IsDigit(Peek())) return Fault(fmt::format("expected {}", what));
  bool fits = true;
  *value = 0;
  for (; IsDigit(Peek()); Advance()) {
    const int64_t digit = is_negative ? '0' - Peek() : Peek() - '0';
    fits = fits && MultiplyChecked(*value, 10, value) && AddChecked(*value, digit, value);
  }
  if (range != nullptr) *range = RangeFrom(begin);
  return fits || FaultFrom(begin, "the number is too large: it must fit 64 bits");
}

bool Cursor::ExpectEnd() {
  SkipSpace();
  return AtEnd() || Fault("nothing may follow the layout");
}

bool Cursor::Fault(std::string message) {
  SkipSpace();
  return FaultAt(RangeOf(position(), position() + (AtEnd() ? 0 : 1)), std::move(message));
}

bool Cursor::FaultFrom(size_t begin, std::string message) {
  return FaultAt(RangeFrom(begin), std::move(message));
}

bool Cursor::FaultAt(Range range, std::string message) {
  diagnostics_.Report(DiagCode::kLayoutInvalid, range, std::move(message));
  return false;
}

}  // namespace hlo
