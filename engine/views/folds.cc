#include "engine/views/folds.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/hlo/parser.h"
#include "engine/mlir/text/tokens.h"

namespace hlo {
namespace {

// Shorter than this there is nothing to win.
constexpr uint32_t kShortest = 8;
constexpr uint32_t kShortestOther = 60;

class Folder {
 public:
  Folder(std::string_view text, std::vector<Token> tokens)
      : text_(text), tokens_(std::move(tokens)) {}

  // `kind_of(i, depth)` says what the bracket or string at token `i` holds, inside of how many
  // brackets; nothing where that does not fold.
  template <typename KindOf>
  std::vector<Foldable> Run(KindOf kind_of) {
    struct Open {
      size_t token;
      int fold;  // its index in what is found; -1: it does not fold
    };
    std::vector<Open> open;
    std::vector<Foldable> found;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      const std::string_view word = At(i);
      const bool opens = IsBracket(i, "{(<");
      if (opens || tokens_[i].kind == TokenKind::kString) {
        const auto kind = kind_of(i, open.size());
        const Range& range = tokens_[i].range;
        const int fold = kind ? static_cast<int>(found.size()) : -1;
        if (kind) found.push_back({*kind, {range.begin + 1, range.end - 1}});
        if (opens) open.push_back({i, fold});
      } else if (tokens_[i].kind == TokenKind::kLayout && word.size() > 2) {
        found.push_back(
            {FoldKind::kLayout, {tokens_[i].range.begin + 1, tokens_[i].range.end - 1}});
      } else if (IsBracket(i, "})>")) {
        // An arrow or a comparison is no bracket; what does not match closes nothing.
        while (!open.empty() && At(open.back().token)[0] != Opening(word[0])) {
          if (word[0] != '}') break;
          Drop(found, open.back().fold);
          open.pop_back();
        }
        if (open.empty() || At(open.back().token)[0] != Opening(word[0])) continue;
        if (open.back().fold >= 0) {
          found[static_cast<size_t>(open.back().fold)].range.end = tokens_[i].range.begin;
        }
        open.pop_back();
      }
    }
    for (const Open& left : open) Drop(found, left.fold);
    std::erase_if(found, [this](const Foldable& fold) { return !IsWorthIt(fold); });
    return found;
  }

  std::string_view At(size_t i) const {
    return i < tokens_.size()
               ? text_.substr(tokens_[i].range.begin, tokens_[i].range.end - tokens_[i].range.begin)
               : std::string_view();
  }
  TokenKind KindAt(size_t i) const { return tokens_[i].kind; }
  /// Nothing but a comment stands behind a token in its line.
  bool EndsLine(size_t i) const {
    if (i + 1 == tokens_.size() || KindAt(i + 1) == TokenKind::kComment) return true;
    const uint32_t end = tokens_[i].range.end;
    const auto between = text_.substr(end, tokens_[i + 1].range.begin - end);
    return between.find('\n') != std::string_view::npos;
  }

 private:
  static char Opening(char closing) { return closing == '}' ? '{' : closing == ')' ? '(' : '<'; }
  bool IsBracket(size_t i, std::string_view which) const {
    const std::string_view word = At(i);
    return tokens_[i].kind == TokenKind::kPunctuation && word.size() == 1 &&
           which.find(word[0]) != std::string_view::npos;
  }
  // What is not closed does not fold.
  static void Drop(std::vector<Foldable>& found, int fold) {
    if (fold < 0) return;
    Range& range = found[static_cast<size_t>(fold)].range;
    range.end = range.begin;
  }
  bool IsWorthIt(const Foldable& fold) const {
    const uint32_t length = fold.range.end - fold.range.begin;
    switch (fold.kind) {
      case FoldKind::kEntry:
      case FoldKind::kComputation:
        return text_.substr(fold.range.begin, length).find('\n') != std::string_view::npos;
      case FoldKind::kLayout:
        return length > 0;
      case FoldKind::kAttribute:
      case FoldKind::kLiteral:
        return length >= kShortestOther;
      default:
        return length >= kShortest;
    }
  }

  std::string_view text_;
  std::vector<Token> tokens_;
};

FoldKind KindOfAttribute(std::string_view name) {
  if (name == "metadata") return FoldKind::kMetadata;
  if (name == "backend_config") return FoldKind::kConfig;
  return FoldKind::kAttribute;
}

}  // namespace

std::vector<Foldable> FoldHlo(std::string_view text) {
  Folder folder(text, Tokenize(text));
  bool is_entry = false;
  size_t seen = 0;
  return folder.Run([&](size_t i, size_t depth) -> std::optional<FoldKind> {
    for (; seen < i; ++seen) {
      if (depth == 0 && folder.KindAt(seen) == TokenKind::kKeyword) {
        is_entry = folder.At(seen) == "ENTRY";
      }
    }
    const std::string_view before = i == 0 ? "" : folder.At(i - 1);
    const bool is_value = before == "=" && i > 1;
    if (folder.KindAt(i) == TokenKind::kString) {
      const bool is_config = is_value && KindOfAttribute(folder.At(i - 2)) == FoldKind::kConfig;
      return is_config ? std::optional(FoldKind::kConfig) : std::nullopt;
    }
    if (is_value) return KindOfAttribute(folder.At(i - 2));
    const char c = folder.At(i)[0];
    if (c == '(' && before == "constant") return FoldKind::kLiteral;
    // The signature of a computation.
    const bool has_name = i > 0 && folder.KindAt(i - 1) == TokenKind::kComputationName;
    if (c == '(' && depth == 0 && (has_name || before == "->")) return FoldKind::kAttribute;
    if (c != '{' || depth > 0) return std::nullopt;
    const FoldKind kind = is_entry ? FoldKind::kEntry : FoldKind::kComputation;
    is_entry = false;
    return kind;
  });
}

std::vector<Foldable> FoldMlir(std::string_view text) {
  Folder folder(text, TokenizeMlir(text));
  bool in_head = false, is_entry = false;
  size_t seen = 0;
  return folder.Run([&](size_t i, size_t) -> std::optional<FoldKind> {
    for (; seen < i; ++seen) {
      const std::string_view word = folder.At(seen);
      if (word == "func.func" || word == "func") in_head = true, is_entry = false;
      is_entry = is_entry || (in_head && word == "@main");
    }
    const std::string_view before = i == 0 ? "" : folder.At(i - 1);
    const char c = folder.At(i)[0];
    if (c == '(' && before == "loc") return FoldKind::kMetadata;
    if (c == '<' && before == "dense") return FoldKind::kLiteral;
    if (before == "=" && i > 1) return KindOfAttribute(folder.At(i - 2));
    // Attributes come before the body, and the body last in its line.
    if (c != '{' || !in_head || before == "attributes") return std::nullopt;
    if (folder.EndsLine(i)) {
      in_head = false;
      return is_entry ? FoldKind::kEntry : FoldKind::kComputation;
    }
    return std::nullopt;
  });
}

}  // namespace hlo
