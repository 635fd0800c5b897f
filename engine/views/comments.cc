#include "engine/views/comments.h"

#include <algorithm>

#include "engine/base/characters.h"
#include "engine/base/source.h"
#include "engine/base/stable_sort.h"
#include "engine/hlo/parser.h"

namespace hlo {
namespace {

// What is added to a printed line; an empty text is an empty line.
struct Additions {
  std::vector<std::string_view> before, behind, after;
};

bool IsIndex(std::string_view comment) {
  constexpr std::string_view kBegin = "/*index=", kEnd = "*/";
  if (!comment.starts_with(kBegin) || !comment.ends_with(kEnd)) return false;
  comment.remove_prefix(kBegin.size());
  comment.remove_suffix(kEnd.size());
  return std::all_of(comment.begin(), comment.end(), IsDigit);
}

// Places a comment, or an empty line, at the thing of the source that it is about.
class Placer {
 public:
  Placer(std::string_view source, const std::string& printed, std::vector<PrintedPlace> places)
      : source_(source), tokens_(Tokenize(source)), lines_(printed), places_(std::move(places)) {
    const auto first = std::find_if(tokens_.begin(), tokens_.end(), [](const Token& token) {
      return token.kind != TokenKind::kComment;
    });
    const bool has_header = first != tokens_.end() && TextOf(*first) == "HloModule";
    if (has_header) places_.push_back({first->range.begin, 0, false});
    StableSort(places_.begin(), places_.end(),
               [](const PrintedPlace& a, const PrintedPlace& b) { return a.source < b.source; });
    additions_.resize(lines_.line_count() + 1);
    for (const Token& token : tokens_) {
      if (token.kind != TokenKind::kComment && TextOf(token) == "}") {
        closings_.push_back(token.range.begin);
      }
    }
    PlaceAll();
  }

  /// By line of the printed text, counted from 1.
  const std::vector<Additions>& additions() const { return additions_; }
  const LineTable& lines() const { return lines_; }

 private:
  std::string_view TextOf(const Token& token) const {
    return source_.substr(token.range.begin, token.range.end - token.range.begin);
  }

  Additions& At(const PrintedPlace& place) { return additions_[lines_.At(place.printed).line]; }

  void PlaceAll() {
    bool begins_line = true;  // only space and comments precede it in the line
    uint32_t end = 0;
    int depth = 0;  // of braces
    for (const Token& token : tokens_) {
      const std::string_view between = source_.substr(end, token.range.begin - end);
      const auto breaks = end == 0 ? 0 : std::count(between.begin(), between.end(), '\n');
      end = token.range.end;
      begins_line |= between.find_first_of("\r\n") != std::string_view::npos;
      if (token.kind == TokenKind::kComment) {
        if (!IsIndex(TextOf(token))) Place(token, begins_line, depth, breaks > 1);
        continue;
      }
      if (breaks > 1) KeepEmptyLine(token);
      begins_line = false;
      depth += TextOf(token) == "{";
      depth -= TextOf(token) == "}";
    }
  }

  // In front of an instruction, and between a comment and its computation: computations are printed
  // apart anyway.
  void KeepEmptyLine(const Token& token) {
    const auto at =
        std::lower_bound(places_.begin(), places_.end(), token.range.begin,
                         [](const PrintedPlace& place, uint32_t at) { return place.source < at; });
    if (at == places_.end()) return;
    if (at->source != token.range.begin && TextOf(token) != "ENTRY") return;
    std::vector<std::string_view>& before = At(*at).before;
    if (at->is_instruction || !before.empty()) before.push_back("");
  }

  // Whether a brace closes between two offsets.
  bool Closes(uint32_t begin, uint32_t end) const {
    const auto at = std::lower_bound(closings_.begin(), closings_.end(), begin);
    return at != closings_.end() && *at < end;
  }

  static void Add(std::vector<std::string_view>& lines, std::string_view comment, bool empty_line) {
    if (empty_line) lines.push_back("");
    lines.push_back(comment);
  }

  void Place(const Token& token, bool begins_line, int depth, bool empty_line) {
    const std::string_view comment = TextOf(token);
    const auto next =
        std::upper_bound(places_.begin(), places_.end(), token.range.begin,
                         [](uint32_t at, const PrintedPlace& place) { return at < place.source; });
    const bool has_next = next != places_.end();
    if (!begins_line && next != places_.begin()) {
      At(*std::prev(next)).behind.push_back(comment);
    } else if (!has_next && depth <= 0) {
      Add(additions_.back().before, comment, empty_line);
    } else if (has_next && (next == places_.begin() || !Closes(token.range.end, next->source))) {
      std::vector<std::string_view>& before = At(*next).before;
      Add(before, comment, empty_line && (next->is_instruction || !before.empty()));
    } else if (next != places_.begin()) {
      Add(At(*std::prev(next)).after, comment, empty_line);
    } else {
      Add(additions_[1].before, comment, empty_line && !additions_[1].before.empty());
    }
  }

  std::string_view source_;
  std::vector<Token> tokens_;
  LineTable lines_;
  std::vector<PrintedPlace> places_;
  std::vector<uint32_t> closings_;  // where braces close
  std::vector<Additions> additions_;
};

}  // namespace

std::string WithComments(std::string_view source, const std::string& printed,
                         std::vector<PrintedPlace> places) {
  const Placer placer(source, printed, std::move(places));
  std::string text;
  const auto add = [&text](std::string_view indent, const std::vector<std::string_view>& lines) {
    for (std::string_view line : lines) {
      text.append(line.empty() ? "" : indent).append(line).append("\n");
    }
  };
  for (uint32_t number = 1; number <= placer.lines().line_count(); ++number) {
    const std::string_view line = placer.lines().Line(number);
    const std::string_view indent = line.substr(0, line.find_first_not_of(' '));
    const Additions& added = placer.additions()[number];
    add(indent, added.before);
    text.append(line);
    for (std::string_view comment : added.behind) text.append(" ").append(comment);
    if (number < placer.lines().line_count()) text.append("\n");
    add(indent, added.after);
  }
  return text;
}

}  // namespace hlo
