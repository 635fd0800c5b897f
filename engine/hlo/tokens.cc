// Tokens for highlighting: a word is classified by its neighbours alone, so that a text that does
// not parse is highlighted as well as one that does.
#include <algorithm>

#include "engine/hlo/lexer.h"
#include "engine/hlo/parser.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

constexpr std::string_view kAsyncSuffixes[] = {"-start", "-update", "-done"};

bool IsOpcode(std::string_view word) {
  if (OpcodeFromText(word)) return true;
  return std::any_of(
      std::begin(kAsyncSuffixes), std::end(kAsyncSuffixes), [&](std::string_view suffix) {
        return word.size() > suffix.size() && word.substr(word.size() - suffix.size()) == suffix &&
               OpcodeFromText(word.substr(0, word.size() - suffix.size()));
      });
}

// Attributes whose value names computations, over all ops: `to_apply`, `body`, ...
bool NamesComputations(std::string_view attribute) {
  static const std::vector<std::string_view> kNames = [] {
    std::vector<std::string_view> names;
    for (int i = 0; i < kOpcodeCount; ++i) {
      for (const AttrDef& def : GetOpDef(static_cast<Opcode>(i)).attrs) {
        if (def.kind == AttrKind::kRegion || def.kind == AttrKind::kRegions) {
          names.push_back(def.name);
        }
      }
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
  }();
  return std::binary_search(kNames.begin(), kNames.end(), attribute);
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  std::vector<Token> Run() {
    while (at_ < text_.size()) {
      char c = text_[at_];
      if (const size_t space = SpaceLength(text_, at_); space > 0) {
        at_ += space;
      } else if (c == '/' && (Char(1) == '/' || Char(1) == '*')) {
        Comment();
      } else if (c == '"' || c == '\'') {
        String(c);
      } else if (IsNameStart(c) || (c == '%' && IsNameStart(Char(1)))) {
        Word();
      } else if (IsDigit(c) || ((c == '-' || c == '.') && (IsDigit(Char(1)) || Char(1) == '.'))) {
        Number();
      } else {
        Punctuation(c);
      }
    }
    return std::move(tokens_);
  }

 private:
  char Char(size_t n) const { return at_ + n < text_.size() ? text_[at_ + n] : '\0'; }

  void Add(TokenKind kind, size_t end) {
    end = std::min(end, text_.size());
    tokens_.push_back({kind, {static_cast<uint32_t>(at_), static_cast<uint32_t>(end)}});
    at_ = end;
  }

  void Comment() {
    bool line = Char(1) == '/';
    size_t end = line ? LineEnd(text_, at_) : text_.find("*/", at_ + 2);
    bool closed = end != std::string_view::npos;
    Add(closed || line ? TokenKind::kComment : TokenKind::kInvalid,
        closed ? end + (line ? 0 : 2) : text_.size());
  }

  // An unclosed string ends with its line.
  void String(char quote) {
    size_t end = at_ + 1;
    size_t line = std::string_view::npos;
    while (end < text_.size() && text_[end] != quote) {
      const bool ends_line = text_[end] == '\n' || text_[end] == '\r';
      if (ends_line && line == std::string_view::npos) line = end;
      if (ends_line && no_more_[quote == '"']) break;
      end += text_[end] == '\\' ? 2 : 1;
    }
    bool closed = end < text_.size() && text_[end] == quote;
    if (!closed) {
      // No quote of this kind closes anything further down: later ones end with their lines at
      // once.
      no_more_[quote == '"'] = true;
      end = std::min(line, text_.size());
    }
    Add(closed ? TokenKind::kString : TokenKind::kInvalid, closed ? end + 1 : end);
    after_ = After::kOther;
  }

  void Word() {
    size_t begin = at_ + (text_[at_] == '%');
    size_t end = begin;
    while (end < text_.size() && IsNameChar(text_[end])) ++end;
    std::string_view word = text_.substr(begin, end - begin);
    bool percent = begin > at_;
    char next = end < text_.size() ? text_[end] : '\0';
    if (!percent && next == '=') {
      bool computations = NamesComputations(word);
      Add(TokenKind::kAttribute, end);
      Add(TokenKind::kPunctuation, end + 1);
      after_ = computations ? After::kComputations : After::kAttribute;
      return;
    }
    TokenKind kind = percent ? NameKind(end) : WordKind(word, next, end);
    if (kind == TokenKind::kNumber) end = LabelsEnd(end);
    bool declares = word == "ENTRY" || word == "HloModule";
    Add(kind, end);
    if (declares) {
      after_ = After::kComputations;
    } else if (after_ != After::kComputations || list_depth_ != depth_) {
      after_ = After::kOther;
    }
  }

  TokenKind NameKind(size_t end) const {
    if (after_ == After::kComputations) return TokenKind::kComputationName;
    size_t next = text_.find_first_not_of(" \t", end);
    bool defines = next != std::string_view::npos && text_[next] == '=';
    return depth_ == 0 && parentheses_ == 0 && !defines ? TokenKind::kComputationName
                                                        : TokenKind::kName;
  }

  TokenKind WordKind(std::string_view word, char next, size_t end) const {
    if (next == '[' || word == "token" || word == "opaque") return TokenKind::kType;
    if (after_ == After::kAttribute) {
      bool labels = next == '>' || next == '?';
      return labels ? TokenKind::kNumber : TokenKind::kKeyword;
    }
    if (IsKeyword(word)) return TokenKind::kKeyword;
    if (next == '(' && IsOpcode(word)) return TokenKind::kOpcode;
    return NameKind(end);
  }

  // `b01f_01io->b01f`: the part up to `-` was read as a word.
  size_t LabelsEnd(size_t end) const {
    while (end < text_.size() &&
           (IsNameChar(text_[end]) || text_[end] == '>' || text_[end] == '?')) {
      ++end;
    }
    return end;
  }

  // Also `3x3`, `0_1x0_1`, `1e-5` and labels that begin with a digit.
  void Number() {
    if (text_.substr(at_, 3) == "...") return Add(TokenKind::kPunctuation, at_ + 3);
    size_t end = at_ + 1;
    while (end < text_.size() &&
           (IsNameChar(text_[end]) || (text_[end] == '+' && text_[end - 1] == 'e'))) {
      ++end;
    }
    if (after_ == After::kAttribute && end < text_.size() && text_[end] == '>')
      end = LabelsEnd(end);
    Add(TokenKind::kNumber, end);
    after_ = After::kOther;
  }

  void Punctuation(char c) {
    if (c == '{' && at_ > 0 && text_[at_ - 1] == ']' && (IsDigit(Char(1)) || Char(1) == ':')) {
      size_t end = text_.find_first_of("}\n", at_);
      if (end != std::string_view::npos && text_[end] == '}')
        return Add(TokenKind::kLayout, end + 1);
    }
    if (c == '{') {
      ++depth_;
      if (after_ == After::kComputations) list_depth_ = depth_;
      if (after_ == After::kAttribute) after_ = After::kOther;
    } else if (c == '}' || c == '=') {
      depth_ -= c == '}' && depth_ > 0;
      after_ = After::kOther;
    }
    parentheses_ += c == '(';
    parentheses_ -= c == ')' && parentheses_ > 0;
    if (c == '\0' || c < ' ' || c > '~') {
      size_t end = at_ + 1;
      while (end < text_.size() && (text_[end] < ' ' || text_[end] > '~') &&
             SpaceLength(text_, end) == 0) {
        ++end;
      }
      return Add(TokenKind::kInvalid, end);
    }
    bool pair = (c == '-' && Char(1) == '>') || (c == '<' && Char(1) == '=');
    Add(TokenKind::kPunctuation, at_ + (pair ? 2 : 1));
  }

  enum class After : uint8_t { kOther, kAttribute, kComputations };
  std::string_view text_;
  size_t at_ = 0;
  std::vector<Token> tokens_;
  After after_ = After::kOther;
  int depth_ = 0;        // of braces
  int list_depth_ = -1;  // of the braces of a list of computations
  int parentheses_ = 0;
  bool no_more_[2] = {false, false};
};

}  // namespace

std::vector<Token> Tokenize(std::string_view text) { return Tokenizer(text).Run(); }

}  // namespace hlo
