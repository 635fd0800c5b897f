#include "engine/ops/products/einsum_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace hlo {
namespace {

constexpr std::string_view kDots = "...", kArrow = "->";

/// "ab" and "cd" of "ab...cd"; the second part is missing without dots.
struct Term {
  std::string_view before, behind;
  bool has_dots = false;

  int named() const { return static_cast<int>(before.size() + behind.size()); }
};

class Reader {
 public:
  Reader(std::span<const Shape* const> operands, std::string* fault)
      : operands_(operands), fault_(fault) {}

  std::optional<EinsumText> Read(std::string_view text) {
    const size_t arrow = text.find(kArrow);
    std::vector<std::string_view> parts = TermsOf(text.substr(0, arrow));
    if (parts.size() != operands_.size()) {
      return Fail(operands_.size() == 2
                      ? "Expected one \",\" in einsum_config, as in \"ab,bc->ac\""
                      : "einsum_config has a term for each operand, as in \"ab->ba\"");
    }
    EinsumText result;
    std::vector<Term> terms;
    int dots = 0;
    bool has_dots = false;
    for (size_t i = 0; i < parts.size(); ++i) {
      const std::optional<Term> term = ReadTerm(parts[i]);
      if (!term) return std::nullopt;
      const int rank = operands_[i]->rank();
      if (rank < term->named() || (rank > term->named() && !term->has_dots)) {
        return Fail(
            fmt::format("Too {} dimensions in the input for the given einsum config: '{}' "
                        "names {} dimensions of {}",
                        rank < term->named() ? "few" : "many", parts[i], term->named(),
                        ShapeName(*operands_[i])));
      }
      result.operands.push_back(LabelsOf(*term, rank - term->named()));
      dots = std::max(dots, rank - term->named());
      has_dots = has_dots || term->has_dots;
    }
    if (arrow == text.npos) {
      result.result = Implied(result.operands, has_dots ? dots : 0);
      return result;
    }
    const std::optional<Term> term = ReadTerm(text.substr(arrow + kArrow.size()));
    if (!term) return std::nullopt;
    result.result = LabelsOf(*term, dots);
    return result;
  }

 private:
  std::nullopt_t Fail(std::string words) {
    *fault_ = std::move(words);
    return std::nullopt;
  }

  static std::vector<std::string_view> TermsOf(std::string_view text) {
    std::vector<std::string_view> terms;
    for (;;) {
      const size_t comma = text.find(',');
      terms.push_back(text.substr(0, comma));
      if (comma == text.npos) return terms;
      text.remove_prefix(comma + 1);
    }
  }

  std::optional<Term> ReadTerm(std::string_view text) {
    Term term;
    const size_t dots = text.find(kDots);
    term.has_dots = dots != text.npos;
    term.before = text.substr(0, dots);
    if (term.has_dots) term.behind = text.substr(dots + kDots.size());
    for (std::string_view part : {term.before, term.behind}) {
      for (char c : part) {
        const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!is_letter) return Fail(fmt::format("Unexpected character in einsum config: '{}'", c));
      }
    }
    return term;
  }

  static EinsumLabels LabelsOf(const Term& term, int dots) {
    EinsumLabels labels(term.before.begin(), term.before.end());
    for (int i = term.has_dots ? dots : 0; i > 0; --i) labels.push_back(-i);
    labels.insert(labels.end(), term.behind.begin(), term.behind.end());
    return labels;
  }

  static EinsumLabels Implied(const std::vector<EinsumLabels>& operands, int dots) {
    std::map<int, int> times;
    for (const EinsumLabels& labels : operands) {
      for (int label : labels) ++times[label];
    }
    EinsumLabels result;
    for (int i = dots; i > 0; --i) result.push_back(-i);
    for (const auto& [label, count] : times) {
      if (label > 0 && count == 1) result.push_back(label);
    }
    return result;
  }

  std::span<const Shape* const> operands_;
  std::string* fault_;
};

}  // namespace

std::optional<EinsumText> ReadEinsum(std::string_view text, std::span<const Shape* const> operands,
                                     std::string* fault) {
  std::string compact(text);
  std::erase(compact, ' ');
  return Reader(operands, fault).Read(compact);
}

}  // namespace hlo
