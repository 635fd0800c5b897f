#include "tests/conformance/printed_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/mlir/text/cursor.h"

namespace hlo {
namespace {

struct Token {
  std::string_view text;
  std::string before;  // white space, as far as it counts
};

using Tokens = std::vector<Token>;

// `  \n\n    ` is a line end and the indentation behind it.
std::string Squeezed(std::string_view space) {
  const size_t line = space.rfind('\n');
  if (line == std::string_view::npos) return std::string(space);
  return "\n" + std::string(space.substr(line + 1));
}

Tokens TokensOf(std::string_view text) {
  Tokens tokens;
  mlir::Cursor in(text);
  std::string space;
  while (true) {
    const size_t begin = in.position();
    const char c = in.Peek();
    if (in.AtEnd()) return tokens;
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r' || (c == '/' && in.Peek(1) == '/')) {
      // Comments are the white space that they stand in.
      size_t end = begin;
      while (end < text.size() && (text[end] <= ' ' || text.substr(end, 2) == "//")) {
        if (text[end] == '/') {
          end = std::min(text.find('\n', end), text.size());
        } else {
          space += text[end++];
        }
      }
      in.set_position(end);
      continue;
    }
    if (c == '"') {
      in.Quoted();
    } else if (c == '%') {
      in.Advance();
      in.SuffixId();
      if (in.Peek() == '#') in.Advance(), in.Word();
    } else if (mlir::IsWordCharacter(c)) {
      in.Word();
    } else {
      in.Advance();
    }
    tokens.push_back({in.Since(begin), tokens.empty() ? "" : Squeezed(space)});
    space.clear();
  }
}

bool IsValue(const Tokens& tokens, size_t i) {
  return i < tokens.size() && tokens[i].text[0] == '%';
}
bool Is(const Tokens& tokens, size_t i, std::string_view text) {
  return i < tokens.size() && tokens[i].text == text;
}

// Past the bracket that closes the one at i.
size_t EndOfGroup(const Tokens& tokens, size_t i) {
  int depth = 0;
  for (; i < tokens.size(); ++i) {
    const char c = tokens[i].text[0];
    const bool is_arrow = c == '>' && i > 0 && tokens[i - 1].text == "-";
    if (c == '(' || c == '[' || c == '{' || c == '<') ++depth;
    if ((c == ')' || c == ']' || c == '}' || (c == '>' && !is_arrow)) && --depth == 0) return i + 1;
  }
  return i;
}

// The entries of the dictionary from `begin` to `end`, in order of their names.
Tokens SortedEntries(const Tokens& tokens, size_t begin, size_t end) {
  std::vector<Tokens> entries(1);
  for (size_t i = begin + 1; i + 1 < end;) {
    const size_t next = tokens[i].text.find_first_of("([{<") == 0 ? EndOfGroup(tokens, i) : i + 1;
    if (tokens[i].text == ",") {
      entries.emplace_back();
    } else {
      entries.back().insert(entries.back().end(), tokens.begin() + static_cast<ptrdiff_t>(i),
                            tokens.begin() + static_cast<ptrdiff_t>(next));
    }
    i = next;
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Tokens& a, const Tokens& b) {
    return !a.empty() && !b.empty() && a[0].text < b[0].text;
  });
  Tokens sorted;
  for (Tokens& entry : entries) {
    if (entry.empty()) continue;
    if (!sorted.empty()) sorted.push_back({",", ""});
    entry[0].before = sorted.empty() ? "" : " ";
    sorted.insert(sorted.end(), entry.begin(), entry.end());
  }
  return sorted;
}

// `"op"(%0) ({...}) {a = 1}` was MLIR's form of `"op"(%0) <{a = 1}> ({...})`. Inner ops first.
void MoveProperties(Tokens* tokens) {
  for (size_t i = tokens->size(); i-- > 0;) {
    const bool is_op = (*tokens)[i].text[0] == '"' && Is(*tokens, i + 1, "(") &&
                       (i == 0 || Is(*tokens, i - 1, "=") || (*tokens)[i].before[0] == '\n');
    if (!is_op) continue;
    const size_t operands_end = EndOfGroup(*tokens, i + 1);
    const size_t begin =
        Is(*tokens, operands_end, "(") ? EndOfGroup(*tokens, operands_end) : operands_end;
    if (!Is(*tokens, begin, "{")) continue;
    const size_t end = EndOfGroup(*tokens, begin);
    Tokens moved = SortedEntries(*tokens, begin, end);
    moved.insert(moved.begin(), {{"<", " "}, {"{", ""}});
    moved.insert(moved.end(), {{"}", ""}, {">", ""}});
    const auto at = [&](size_t k) { return tokens->begin() + static_cast<ptrdiff_t>(k); };
    tokens->erase(at(begin), at(end));
    tokens->insert(at(operands_end), moved.begin(), moved.end());
  }
}

// The values of `%a, %b = ` or `%a:2 = `, with their numbers, and where that ends.
std::optional<std::pair<std::vector<std::string>, size_t>> ResultsAt(const Tokens& tokens,
                                                                     size_t i) {
  std::vector<std::string> names;
  while (IsValue(tokens, i)) {
    const std::string name(tokens[i].text);
    ++i;
    if (Is(tokens, i, ":") && i + 1 < tokens.size() && IsDigit(tokens[i + 1].text[0])) {
      const int count = std::atoi(std::string(tokens[i + 1].text).c_str());
      for (int k = 0; k < count; ++k) names.push_back(fmt::format("{}#{}", name, k));
      i += 2;
    } else {
      names.push_back(name);
    }
    if (Is(tokens, i, "=")) return std::pair{std::move(names), i + 1};
    if (!Is(tokens, i, ",")) break;
    ++i;
  }
  return std::nullopt;
}

bool IsNumber(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), IsDigit);
}

// Whether a name is one that the printer gives: `%3`, `%3#1`, `%arg0`, `%cst`, `%c_1`, `%iterArg`.
bool IsPrintersName(std::string_view name) {
  name.remove_prefix(1);
  name = name.substr(0, name.find('#'));
  if (IsNumber(name)) return true;
  if (name.starts_with("arg")) return IsNumber(name.substr(3));
  for (std::string_view hint : {"c", "cst", "iterArg", "values", "indices"}) {
    if (name == hint) return true;
    const bool is_next = name.starts_with(hint) && name.substr(hint.size()).starts_with('_');
    if (is_next && IsNumber(name.substr(hint.size() + 1))) return true;
  }
  return false;
}

// Whether the values have the names of a printer that calls constants %c and %cst; before that they
// were numbered like others.
bool HasPrintersNames(const Tokens& tokens) {
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!IsValue(tokens, i)) continue;
    if (!IsPrintersName(tokens[i].text)) return false;
    if (Is(tokens, i + 1, "=") && Is(tokens, i + 2, "stablehlo.constant") &&
        IsNumber(tokens[i].text.substr(1))) {
      return false;
    }
  }
  return true;
}

class TextComparison {
 public:
  TextComparison(std::string_view source, std::string_view printed)
      : source_(TokensOf(source)), printed_(TokensOf(printed)) {
    by_hand_ = !Is(source_, 0, "module");
    has_printers_names_ = !by_hand_ && HasPrintersNames(source_);
    MoveProperties(&source_);
    if (by_hand_ && Is(printed_, 0, "module") && printed_.size() > 3) {
      printed_.erase(printed_.begin(), printed_.begin() + 2);
      printed_.pop_back();
    }
  }

  std::string Run() {
    while (i_ < source_.size() && j_ < printed_.size()) {
      if (!by_hand_ && source_[i_].before != printed_[j_].before) return Differ();
      if (IsValue(source_, i_) && IsValue(printed_, j_)) {
        if (!Values()) return Differ();
      } else if (source_[i_].text != printed_[j_].text) {
        return Differ();
      } else {
        ++i_;
        ++j_;
      }
    }
    return i_ == source_.size() && j_ == printed_.size() ? "" : Differ();
  }

 private:
  std::string Differ() const {
    const auto around = [](const Tokens& tokens, size_t at) {
      std::string text;
      for (size_t k = at > 3 ? at - 3 : 0; k < std::min(at + 12, tokens.size()); ++k) {
        if (k > 0 && !tokens[k].before.empty() && !text.empty()) text += ' ';
        text += tokens[k].text.substr(0, 60);
      }
      return text;
    };
    return fmt::format("printed '{}' where '{}' is written", around(printed_, j_),
                       around(source_, i_));
  }

  // A definition of values gives them names; a use has the name that was given.
  bool Values() {
    const auto from = ResultsAt(source_, i_);
    const auto to = ResultsAt(printed_, j_);
    if (from && to) {
      if (from->first.size() != to->first.size()) return false;
      for (size_t k = 0; k < from->first.size(); ++k) {
        if (!Define(from->first[k], to->first[k])) return false;
      }
      i_ = from->second;
      j_ = to->second;
      return true;
    }
    const std::string name(source_[i_].text), wanted(printed_[j_].text);
    const bool is_argument = Is(source_, i_ + 1, ":") && i_ > 0 &&
                             (Is(source_, i_ - 1, "(") || Is(source_, i_ - 1, ","));
    if (is_argument && Is(printed_, j_ + 1, ":")) {
      if (!Define(name, wanted)) return false;
    } else if (NameOf(name) != wanted) {
      return false;
    }
    ++i_;
    ++j_;
    return true;
  }

  bool Define(const std::string& name, const std::string& printed) {
    names_[name] = printed;
    return !has_printers_names_ || name == printed;
  }

  // The first of several results is meant by their name alone too, and a lone one by its number.
  std::string NameOf(const std::string& name) const {
    auto it = names_.find(name);
    if (it == names_.end()) it = names_.find(name + "#0");
    if (it == names_.end() && name.ends_with("#0"))
      it = names_.find(name.substr(0, name.size() - 2));
    return it == names_.end() ? name : it->second;
  }

  Tokens source_, printed_;
  bool by_hand_ = false;
  bool has_printers_names_ = false;
  size_t i_ = 0, j_ = 0;
  std::unordered_map<std::string, std::string> names_;
};

}  // namespace

std::string DifferenceFromSource(std::string_view source, std::string_view printed) {
  return TextComparison(source, printed).Run();
}

}  // namespace hlo
