// A cursor over HLO text that reads one token at a time, straight from the text: no token list, no
// allocation but for strings with escapes.
// Source: XLA, hlo/parser/hlo_lexer.cc.
#ifndef HLO_ENGINE_HLO_LEXER_H_
#define HLO_ENGINE_HLO_LEXER_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/base/characters.h"
#include "engine/base/diagnostics.h"
#include "engine/base/source.h"

namespace hlo {

/// `[A-Za-z0-9_.-]`
inline bool IsNameChar(char c) { return IsNameStart(c) || IsDigit(c) || c == '.' || c == '-'; }
/// A keyword of the text, in any place: ROOT, true, replicated.
bool IsKeyword(std::string_view word);
/// A word that a shape begins with: an element type, `token`, `opaque`.
bool IsTypeWord(std::string_view word);
/// Whether the word is a name only after a `%`: keywords and words of types.
bool IsReservedWord(std::string_view word);
/// Appends a name so that it reads back: with `%` where that is wanted or needed.
void AppendName(std::string_view name, bool percent, std::string* out);

/// Reads tokens at a position that only its callers move back. White space and comments before a
/// token are skipped by every reading function. Functions named Read report what is missing and
/// return false; functions named Consume try, and do not move the position when they fail.
class Lexer {
 public:
  /// `text` must outlive the lexer and be shorter than 4 GiB.
  Lexer(std::string_view text, Diagnostics* diagnostics) : text_(text), diagnostics_(diagnostics) {}

  std::string_view text() const { return text_; }
  /// Byte offset of the next unread character (white space not yet skipped).
  uint32_t pos() const { return pos_; }
  void set_pos(uint32_t pos) { pos_ = pos; }
  /// The end of the last token that was read.
  uint32_t last_end() const { return last_end_; }
  /// Moves over `n` characters read by someone else (a shape, a literal).
  void Advance(uint32_t n) { last_end_ = pos_ += n; }
  Diagnostics& diagnostics() { return *diagnostics_; }

  /// Skips white space and comments. An unterminated comment is reported once, at its opening.
  void SkipSpace() {
    // The bytes above 127, which a byte-order mark is made of, are negative here.
    if (pos_ >= text_.size()) return;
    const auto c = static_cast<signed char>(text_[pos_]);
    if (c <= ' ' || c == '/') SkipSpaceSlowly();
  }
  /// The next token's first character, or NUL at the end of the text.
  char Peek() {
    SkipSpace();
    return pos_ < text_.size() ? text_[pos_] : '\0';
  }
  /// The character `n` after the position, without skipping; NUL past the end.
  char At(uint32_t n) const { return pos_ + n < text_.size() ? text_[pos_ + n] : '\0'; }
  bool AtEnd() {
    SkipSpace();
    return pos_ >= text_.size();
  }
  /// The text from the next token on.
  std::string_view Rest() {
    SkipSpace();
    return text_.substr(pos_);
  }

  bool Consume(char c) {
    if (Peek() != c || pos_ >= text_.size()) return false;
    last_end_ = ++pos_;
    return true;
  }
  /// Punctuation of several characters: "->", "<=", "...".
  bool Consume(std::string_view punctuation);
  /// An identifier that is exactly this word.
  bool ConsumeWord(std::string_view word);
  /// The identifier at the position, or an empty view.
  std::string_view ConsumeIdentifier();
  /// An identifier with or without `%`, without the `%`; `*range` covers both. Empty if none.
  std::string_view ConsumeName(Range* range, bool* percent = nullptr);
  /// A run of characters of `extra`, letters and digits; for tokens like "3x3" and
  /// "b01f_01io->b01f".
  std::string_view ConsumeRun(std::string_view extra);

  /// Requires a character; `message` as in "expects '=' in instruction".
  bool Read(char c, std::string_view message);
  /// Requires the `=` of `name=value` where the name has just been read. XLA requires it directly
  /// after the name: a space between is reported, with a fix, and reading continues.
  bool ReadEquals();
  /// A decimal integer with an optional sign. Without a sign up to 2^64-1, kept as its 64 bits.
  bool ReadInt(int64_t* value);
  /// An integer of at least zero and below 2^63.
  bool ReadCount(int64_t* value);
  /// An integer, a decimal, inf, nan.
  bool ReadNumber(double* value);
  /// A quoted string, unescaped. A backslash that begins no C escape is a fault.
  bool ReadString(std::string* value);
  /// The text of a `{...}` group with its braces; double-quoted strings hide braces.
  bool ReadBraces(std::string_view* value);

  /// The token at the position, for diagnostics.
  Range TokenRange();
  /// "`word`" or "the end of the text".
  std::string Found();
  /// Reports a syntax error at the next token: "<message>, but found <token>". Returns false.
  bool Fail(std::string_view message);

 private:
  std::string_view WordBefore(uint32_t end) const;
  void SkipSpaceSlowly();
  bool SkipString(char quote);
  /// Moves on after a group that is never closed: to the end of its line, so that the lines below
  /// are still read; after a few such groups to the end of the text, to keep reading linear.
  void AbandonGroup(uint32_t begin);

  std::string_view text_;
  Diagnostics* diagnostics_;
  uint32_t pos_ = 0;
  uint32_t last_end_ = 0;
  int abandoned_ = 0;
};

/// Appends `text` with C escapes, without quotes around it.
void AppendEscaped(std::string_view text, std::string* out);

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_LEXER_H_
