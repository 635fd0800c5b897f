#include "engine/mlir/text/tokens.h"

#include <algorithm>
#include <iterator>

#include "engine/mlir/import/op_import.h"
#include "engine/mlir/text/cursor.h"
#include "engine/mlir/text/type_reader.h"

namespace hlo {
namespace {

using mlir::IsWordCharacter;

constexpr std::string_view kKeywords[] = {
    "applies", "array",  "attributes", "builtin.module", "cond", "dense", "dense_resource",
    "do",      "false",  "func",       "func.func",      "init", "loc",   "module",
    "nested",  "public", "private",    "reducer",        "true", "unit"};
constexpr std::string_view kTypeWords[] = {"complex", "memref", "none",
                                           "tensor",  "tuple",  "vector"};
// Operations that are written without a dialect prefix.
constexpr std::string_view kShortOps[] = {"call", "return"};

template <size_t N>
bool IsOneOf(const std::string_view (&words)[N], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

std::string_view Slice(std::string_view text, Range range) {
  return text.substr(range.begin, range.end - range.begin);
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : in_(text) {}

  std::vector<Token> Run() {
    while (!in_.AtEnd()) {
      begin_ = in_.position();
      const char c = in_.Peek();
      if (const size_t space = SpaceLength(in_.text(), begin_); space > 0) {
        in_.Advance(space);
      } else if (c == '/' && in_.Peek(1) == '/') {
        in_.set_position(LineEnd(in_.text(), begin_));
        Add(TokenKind::kComment);
      } else if (c == '"') {
        String();
      } else if (const TokenKind kind = SigilKind(c); kind != TokenKind::kInvalid) {
        in_.Advance();
        in_.SuffixId();
        Add(kind);
      } else if (IsNameStart(c)) {
        in_.Word();
        Add(WordKind());
      } else if (IsDigit(c) || (c == '-' && (IsDigit(in_.Peek(1)) || in_.Peek(1) == '.'))) {
        Number();
      } else {
        Punctuation(c);
      }
    }
    return std::move(tokens_);
  }

 private:
  void Add(TokenKind kind) { tokens_.push_back({kind, in_.RangeFrom(begin_)}); }

  // The kind of a name, by the character before it; kInvalid if no name follows.
  TokenKind SigilKind(char c) const {
    const char next = in_.Peek(1);
    if (!IsWordCharacter(next) && next != '"') return TokenKind::kInvalid;
    switch (c) {
      case '%':
        return TokenKind::kName;
      case '@':
      case '^':
        return TokenKind::kComputationName;
      case '!':
        return TokenKind::kType;
      case '#':  // `%a#1` is result 1 of %a
        return IsDigit(next) ? TokenKind::kNumber : TokenKind::kAttribute;
      default:
        return TokenKind::kInvalid;
    }
  }

  // `"stablehlo.add"(` is an operation.
  void String() {
    const std::string_view content = in_.Quoted();
    const bool closed = in_.position() > begin_ + 1 && in_.text()[in_.position() - 1] == '"';
    const bool names_op =
        closed && in_.Peek() == '(' && content.find('.') != std::string_view::npos;
    Add(names_op ? TokenKind::kOpcode : closed ? TokenKind::kString : TokenKind::kInvalid);
  }

  TokenKind WordKind() const {
    const std::string_view word = in_.Since(begin_);
    size_t next = in_.text().find_first_not_of(" \t", in_.position());
    if (next == std::string_view::npos) next = in_.text().size();
    const std::string_view rest = in_.text().substr(next);
    if (rest.starts_with('=') && !rest.starts_with("==")) return TokenKind::kAttribute;
    if (IsOneOf(kKeywords, word)) return TokenKind::kKeyword;
    if (IsOneOf(kTypeWords, word) || mlir::ScalarType(word)) return TokenKind::kType;
    if (word.find('.') != std::string_view::npos || IsOneOf(kShortOps, word)) {
      return TokenKind::kOpcode;
    }
    // `dimensions`, `LT`, `SIGNED`: words of a custom form.
    return TokenKind::kKeyword;
  }

  // Also the sizes of a type: `4x8xf32` are numbers, each with its `x`, and a type.
  void Number() {
    in_.Advance();
    const bool is_hex = in_.Peek() == 'x' && in_.text()[begin_] == '0' && InHex();
    if (is_hex) in_.Advance();
    while (!in_.AtEnd()) {
      const char c = in_.Peek();
      const char before = in_.text()[in_.position() - 1];
      const bool sign = (c == '+' || c == '-') && (before == 'e' || before == 'E') && !is_hex;
      if (c == 'x' && !is_hex) {
        in_.Advance();
        break;
      }
      if (!IsWordCharacter(c) && !sign) break;
      in_.Advance();
    }
    Add(TokenKind::kNumber);
  }
  // Sizes may begin with 0 too (`0x3xf32`, `0xf32`): those are inside the brackets of a type.
  bool InHex() const {
    if (tokens_.size() < 2 || Slice(in_.text(), tokens_.back().range) != "<") return true;
    return tokens_[tokens_.size() - 2].kind != TokenKind::kType;
  }

  void Punctuation(char c) {
    in_.Advance();
    if (c == '-' && in_.Peek() == '>') in_.Advance();
    if (c == '?' && in_.Peek() == 'x') {
      in_.Advance();
      return Add(TokenKind::kNumber);
    }
    if (c >= ' ' && c <= '~') return Add(TokenKind::kPunctuation);
    while (!in_.AtEnd() && (in_.Peek() < ' ' || in_.Peek() > '~') && in_.Peek() != '\n') {
      in_.Advance();
    }
    Add(TokenKind::kInvalid);
  }

  mlir::Cursor in_;
  size_t begin_ = 0;
  std::vector<Token> tokens_;
};

// Iterates over tokens and determines which names are definitions.
class Definitions {
 public:
  Definitions(std::string_view text, const std::vector<Token>& tokens)
      : text_(text), tokens_(tokens), defines_(tokens.size()) {
    for (size_t i = 0; i < tokens.size(); ++i) Visit(i);
  }
  bool At(size_t token) const { return defines_[token]; }

 private:
  std::string_view Word(size_t i) const {
    return i < tokens_.size() ? Slice(text_, tokens_[i].range) : std::string_view();
  }

  void Visit(size_t i) {
    const std::string_view word = Word(i);
    if (word == "(") ++parentheses_;
    if (word == ")" && parentheses_ > 0) --parentheses_;
    if (word == "{" || word == "}") parentheses_ = 0;
    const std::string_view next = Word(i + 1);
    switch (word[0]) {
      case '%':  // (%argument: type), %result = ..., (%argument = %operand)
        defines_[i] = next == "=" || (next == ":" && (parentheses_ > 0 || IsCount(i + 2)));
        if (defines_[i] && parentheses_ == 0) MarkListBefore(i);
        break;
      case '@':
        defines_[i] = i > 0 && tokens_[i - 1].kind == TokenKind::kKeyword;
        break;
      case '^':
        defines_[i] = next == "(" || next == ":";
        break;
      case '#':
      case '!':
        defines_[i] = next == "=" && parentheses_ == 0;
        break;
      default:
        break;
    }
  }
  bool IsCount(size_t i) const {
    return i < tokens_.size() && tokens_[i].kind == TokenKind::kNumber;
  }
  // `%a, %b:2 = ...`
  void MarkListBefore(size_t i) {
    while (i >= 2 && Word(i - 1) == ",") {
      i -= 2;
      if (tokens_[i].kind == TokenKind::kNumber && i >= 2 && Word(i - 1) == ":") i -= 2;
      if (tokens_[i].kind != TokenKind::kName) return;
      defines_[i] = true;
    }
  }

  std::string_view text_;
  const std::vector<Token>& tokens_;
  std::vector<bool> defines_;
  int parentheses_ = 0;
};

bool IsNamed(const Token& token, std::string_view text) {
  const char c = text[token.range.begin];
  return (c == '%' || c == '@' || c == '^' || c == '#' || c == '!') &&
         token.range.end > token.range.begin + 1;
}

}  // namespace

std::vector<Token> TokenizeMlir(std::string_view text) { return Tokenizer(text).Run(); }

MlirName MlirNameAt(std::string_view text, const std::vector<Token>& tokens, uint32_t offset) {
  MlirName found;
  size_t at = 0;
  while (at < tokens.size() && !(tokens[at].range.end >= offset && IsNamed(tokens[at], text))) ++at;
  if (at == tokens.size() || tokens[at].range.begin > offset) return found;
  if (at > 0 && tokens[at].kind == TokenKind::kNumber) --at;  // the #1 of %a#1
  found.range = tokens[at].range;
  const std::string_view name = Slice(text, found.range);
  const bool is_value = name[0] == '%' || name[0] == '^';
  const Definitions definitions(text, tokens);
  // The range of tokens that one definition covers: up to the next one of the same name.
  size_t first = 0, end = tokens.size();
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!definitions.At(i) || Slice(text, tokens[i].range) != name) continue;
    if (i > at && is_value) {
      end = i;
      break;
    }
    if (found.is_defined && !is_value) continue;
    found.is_defined = true;
    found.definition = tokens[i].range;
    first = is_value ? i : 0;
  }
  for (size_t i = first; i < end; ++i) {
    if (Slice(text, tokens[i].range) == name && !definitions.At(i)) {
      found.uses.push_back(tokens[i].range);
    }
  }
  return found;
}

std::vector<Range> MlirValuesBefore(std::string_view text, const std::vector<Token>& tokens,
                                    uint32_t offset) {
  constexpr size_t kMost = 1000;
  std::vector<Range> values;
  std::vector<std::string_view> names;
  const Definitions definitions(text, tokens);
  for (size_t i = tokens.size(); i-- > 0 && values.size() < kMost;) {
    // Values are local to their function.
    if (tokens[i].range.end > offset) continue;
    if (Slice(text, tokens[i].range) == "func.func") break;
    if (!definitions.At(i) || tokens[i].kind != TokenKind::kName) continue;
    // An operation cannot use its own results.
    const std::string_view between = text.substr(tokens[i].range.end, offset - tokens[i].range.end);
    const bool is_result = i + 1 < tokens.size() && Slice(text, tokens[i + 1].range) == "=";
    if (is_result && between.find('\n') == std::string_view::npos) continue;
    const std::string_view name = Slice(text, tokens[i].range);
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    names.push_back(name);
    values.push_back(tokens[i].range);
  }
  return values;
}

std::string FormatMlir(std::string_view text) {
  constexpr int kDeepest = 40;
  const std::vector<Token> tokens = TokenizeMlir(text);
  std::string out;
  // For every open bracket, whether it indents: of those left open by one line only the last does,
  // since they are usually closed on one line too.
  std::vector<bool> open;
  int depth = 0;
  size_t next = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    int own = depth;
    size_t lowest = open.size();
    bool leading = true;
    for (; next < tokens.size() && tokens[next].range.begin < end; ++next) {
      const char c = text[tokens[next].range.begin];
      const bool is_bracket = tokens[next].kind == TokenKind::kPunctuation;
      const bool closes = is_bracket && (c == ')' || c == ']' || c == '}');
      leading = leading && closes;
      if (is_bracket && (c == '(' || c == '[' || c == '{')) {
        open.push_back(false);
      } else if (closes && !open.empty()) {
        depth -= open.back() ? 1 : 0;
        open.pop_back();
        lowest = std::min(lowest, open.size());
        if (leading) own = depth;
      }
    }
    if (open.size() > lowest) {
      open.back() = true;
      ++depth;
    }
    if (line.starts_with('^')) own -= 1;
    if (!line.empty()) out.append(2 * static_cast<size_t>(std::clamp(own, 0, kDeepest)), ' ');
    out += line;
    if (end < text.size()) out += '\n';
    begin = end + 1;
  }
  return out;
}

}  // namespace hlo
