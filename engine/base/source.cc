#include "engine/base/source.h"

#include <algorithm>

namespace hlo {

LineTable::LineTable(std::string_view text) : text_(text) {
  starts_.push_back(0);
  for (size_t i = 0; i < text.size(); ++i) {
    const bool ends = text[i] == '\n' || (text[i] == '\r' && text.substr(i + 1, 1) != "\n");
    if (ends) starts_.push_back(static_cast<uint32_t>(i + 1));
  }
}

Position LineTable::At(uint32_t offset) const {
  offset = std::min<uint32_t>(offset, static_cast<uint32_t>(text_.size()));
  auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
  auto line = static_cast<uint32_t>(next - starts_.begin());
  return {line, offset - starts_[line - 1] + 1};
}

std::string_view LineTable::Line(uint32_t line) const {
  if (line < 1 || line > line_count()) return {};
  size_t begin = starts_[line - 1];
  size_t end = line < line_count() ? starts_[line] - 1 : text_.size();
  std::string_view result = text_.substr(begin, end - begin);
  if (!result.empty() && result.back() == '\r') result.remove_suffix(1);
  return result;
}

}  // namespace hlo
