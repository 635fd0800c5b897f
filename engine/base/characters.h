// ASCII classes, whatever the locale is.
#ifndef HLO_ENGINE_BASE_CHARACTERS_H_
#define HLO_ENGINE_BASE_CHARACTERS_H_

namespace hlo {

/// `[0-9]`
constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
/// `[A-Za-z]`
constexpr bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
/// `[A-Za-z_]`: what a name starts with, in HLO and in MLIR.
constexpr bool IsNameStart(char c) { return IsLetter(c) || c == '_'; }

}  // namespace hlo

#endif  // HLO_ENGINE_BASE_CHARACTERS_H_
