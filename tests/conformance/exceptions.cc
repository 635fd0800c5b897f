#include "tests/conformance/exceptions.h"

#include <algorithm>

namespace hlo {
namespace {

std::string_view Trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

}  // namespace

Exceptions::Exceptions(std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = Trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    const size_t hash = std::min(line.find(" #"), line.size());
    const std::string name(Trim(line.substr(0, hash)));
    if (Trim(line.substr(std::min(hash + 2, line.size()))).empty()) problems_.push_back(name);
    if (name.ends_with("/*")) {
      suites_.insert(name.substr(0, name.size() - 2));
    } else {
      cases_.insert(name);
    }
  }
}

bool Exceptions::Lists(const std::string& suite, const std::string& name) const {
  return ListsSuite(suite) || cases_.count(suite + "/" + name) > 0;
}

std::vector<std::string> Exceptions::CasesOf(const std::string& suite) const {
  std::vector<std::string> names;
  // Names may have folders in them.
  for (const std::string& name : cases_) {
    if (name.starts_with(suite + "/")) names.push_back(name.substr(suite.size() + 1));
  }
  return names;
}

}  // namespace hlo
