#include "engine/views/comments.h"

#include <algorithm>

#include "engine/base/characters.h"
#include "engine/base/source.h"
#include "engine/base/stable_sort.h"
#include "engine/hlo/parser.h"

namespace hlo {
namespace {

// A comment to be added to a printed line.
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

// Attaches comments to the source constructs that they belong to.
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
      end = token.range.end;
      begins_line |= between.find_first_of("\r\n") != std::string_view::npos;
      if (token.kind == TokenKind::kComment) {
        if (!IsIndex(TextOf(token))) Place(token, begins_line, depth);
        continue;
      }
      begins_line = false;
      depth += TextOf(token) == "{";
      depth -= TextOf(token) == "}";
    }
  }

  // Whether a brace closes between two offsets.
  bool Closes(uint32_t begin, uint32_t end) const {
    const auto at = std::lower_bound(closings_.begin(), closings_.end(), begin);
    return at != closings_.end() && *at < end;
  }

  void Place(const Token& token, bool begins_line, int depth) {
    const std::string_view comment = TextOf(token);
    const auto next =
        std::upper_bound(places_.begin(), places_.end(), token.range.begin,
                         [](uint32_t at, const PrintedPlace& place) { return at < place.source; });
    const bool has_next = next != places_.end();
    if (!begins_line && next != places_.begin()) {
      At(*std::prev(next)).behind.push_back(comment);
    } else if (!has_next && depth <= 0) {
      additions_.back().before.push_back(comment);
    } else if (has_next && (next == places_.begin() || !Closes(token.range.end, next->source))) {
      At(*next).before.push_back(comment);
    } else if (next != places_.begin()) {
      At(*std::prev(next)).after.push_back(comment);
    } else {
      additions_[1].before.push_back(comment);
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
  if (source.find("//") == source.npos && source.find("/*") == source.npos) return printed;
  const Placer placer(source, printed, std::move(places));
  std::string text;
  for (uint32_t number = 1; number <= placer.lines().line_count(); ++number) {
    const std::string_view line = placer.lines().Line(number);
    const std::string_view indent = line.substr(0, line.find_first_not_of(' '));
    const Additions& added = placer.additions()[number];
    for (std::string_view comment : added.before) text.append(indent).append(comment).append("\n");
    text.append(line);
    for (std::string_view comment : added.behind) text.append(" ").append(comment);
    if (number < placer.lines().line_count()) text.append("\n");
    for (std::string_view comment : added.after) text.append(indent).append(comment).append("\n");
  }
  return text;
}

}  // namespace hlo
