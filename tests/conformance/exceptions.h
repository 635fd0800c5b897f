// The list of cases not yet passed.
#ifndef HLO_TESTS_CONFORMANCE_EXCEPTIONS_H_
#define HLO_TESTS_CONFORMANCE_EXCEPTIONS_H_

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hlo {

/// Lines `suite/case  # reason`; `suite/*` stands for a whole suite of which nothing passes yet.
/// Empty lines and lines that begin with # are comments.
class Exceptions {
 public:
  explicit Exceptions(std::string_view text);

  /// Whether the list has the case, by name or by its suite.
  bool Lists(const std::string& suite, const std::string& name) const;
  bool ListsSuite(const std::string& suite) const { return suites_.count(suite) > 0; }
  /// Cases of a suite by name.
  std::vector<std::string> CasesOf(const std::string& suite) const;
  /// Lines without a reason.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  std::set<std::string> cases_;
  std::set<std::string> suites_;
  std::vector<std::string> problems_;
};

}  // namespace hlo

#endif  // HLO_TESTS_CONFORMANCE_EXCEPTIONS_H_
