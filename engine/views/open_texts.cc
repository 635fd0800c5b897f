#include "engine/views/open_texts.h"

#include <algorithm>
#include <utility>

#include "engine/views/text_map.h"

namespace hlo {
namespace {

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return (c & 0x80) == 0; });
}

}  // namespace

void OpenTexts::Open(int64_t number, std::string text) {
  Close(number);
  const bool is_ascii = IsAscii(text);
  texts_.push_back({number, ++last_version_, std::move(text), is_ascii});
}

void OpenTexts::Close(int64_t number) {
  std::erase_if(texts_, [&](const Text& text) { return text.number == number; });
}

bool OpenTexts::Edit(int64_t number, const std::vector<TextChange>& changes) {
  const auto found = std::find_if(texts_.begin(), texts_.end(),
                                  [&](const Text& text) { return text.number == number; });
  if (found == texts_.end()) return false;
  found->version = ++last_version_;
  std::string& text = found->text;
  bool& is_ascii = found->is_ascii;
  // Offsets refer to the original text: changes applied from last to first move nothing before
  // them.
  const std::string before = is_ascii ? std::string() : text;
  const TextMap map(before);
  for (size_t i = changes.size(); i-- > 0;) {
    const TextChange& change = changes[i];
    const size_t from =
        std::min<size_t>(is_ascii ? change.from : map.ToBytes(change.from), text.size());
    const size_t to = is_ascii ? change.to : map.ToBytes(change.to);
    text.replace(from, std::max(from, to) - from, change.insert);
  }
  for (const TextChange& change : changes) is_ascii = is_ascii && IsAscii(change.insert);
  return true;
}

const std::string* OpenTexts::Find(int64_t number) const {
  for (const Text& open : texts_) {
    if (open.number == number) return &open.text;
  }
  return nullptr;
}

uint64_t OpenTexts::VersionOf(std::string_view text) const {
  for (const Text& open : texts_) {
    if (open.text.data() == text.data() && open.text.size() == text.size()) return open.version;
  }
  return 0;
}

}  // namespace hlo
