#include "engine/layout/morello_layout.h"

#include <fmt/format.h>

#include "engine/base/bits.h"

namespace hlo {
namespace {

// Longer lists are no layouts, and would only make everything after this slow.
constexpr size_t kMostDims = 256;

class Reader {
 public:
  Reader(std::string_view text, Diagnostics& diagnostics) : text_(text), out_(diagnostics) {}

  std::optional<MorelloLayout> ReadAll() {
    MorelloLayout layout;
    bool counted = Accept('(');
    if (AcceptWord("NHWC")) {
      for (int64_t dim : {0, 2, 3, 1}) layout.dims.push_back({dim});
    } else if (!ReadList(&layout)) {
      return std::nullopt;
    }
    layout.contiguous = static_cast<int64_t>(layout.dims.size());
    if (counted && !ReadCount(&layout)) return std::nullopt;
    SkipSpace();
    if (at_ < text_.size()) return Fail("nothing may follow the layout");
    return layout;
  }

 private:
  std::nullopt_t Fail(std::string message) {
    auto at = static_cast<uint32_t>(at_);
    auto end = static_cast<uint32_t>(at_ < text_.size() ? at_ + 1 : at_);
    out_.Report(DiagCode::kLayoutInvalid, {at, end}, std::move(message));
    return std::nullopt;
  }
  void SkipSpace() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool Accept(char c) {
    SkipSpace();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool AcceptWord(std::string_view word) {
    SkipSpace();
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  bool Expect(char c, std::string_view where) {
    if (Accept(c)) return true;
    Fail(fmt::format("expected '{}' {}", c, where));
    return false;
  }
  bool ReadInt(int64_t* value) {
    SkipSpace();
    size_t begin = at_;
    *value = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      if (!MultiplyChecked(*value, 10, value) || !AddChecked(*value, text_[at_] - '0', value)) {
        Fail("the number is too large");
        return false;
      }
    }
    if (at_ > begin) return true;
    Fail("expected a number");
    return false;
  }

  bool ReadList(MorelloLayout* layout) {
    if (!Expect('[', "at the start of a Morello layout")) return false;
    if (Accept(']')) return true;
    do {
      if (layout->dims.size() == kMostDims) {
        Fail(fmt::format("more than {} physical dimensions", kMostDims));
        return false;
      }
      if (!ReadDim(&layout->dims.emplace_back())) return false;
    } while (Accept(','));
    return Expect(']', "after the physical dimensions");
  }

  bool ReadDim(MorelloDim* dim) {
    SkipSpace();
    size_t begin = at_;
    if (!ReadInt(&dim->logical)) return false;
    if (AcceptWord("p")) {
      dim->kind = MorelloDim::Kind::kPacked;
    } else if (AcceptWord("oe")) {
      dim->kind = MorelloDim::Kind::kOddEven;
    }
    if (dim->kind != MorelloDim::Kind::kDynamic && !ReadSize(dim)) return false;
    dim->range = {static_cast<uint32_t>(begin), static_cast<uint32_t>(at_)};
    return true;
  }

  bool ReadSize(MorelloDim* dim) {
    if (!Expect('(', "before the size")) return false;
    size_t begin = at_;
    if (!ReadInt(&dim->size)) return false;
    Range range{static_cast<uint32_t>(begin), static_cast<uint32_t>(at_)};
    if (dim->kind == MorelloDim::Kind::kPacked && dim->size < 2) {
      out_.Report(DiagCode::kLayoutInvalid, range,
                  fmt::format("a packed size is 2 or more, not {}", dim->size));
      return false;
    }
    if (dim->kind == MorelloDim::Kind::kOddEven && (dim->size < 2 || dim->size % 2 != 0)) {
      out_.Report(DiagCode::kLayoutInvalid, range,
                  fmt::format("an odd-even size is an even number, not {}", dim->size));
      return false;
    }
    return Expect(')', "after the size");
  }

  bool ReadCount(MorelloLayout* layout) {
    if (!Expect(',', "before the contiguous count")) return false;
    if (!Expect('c', "before the contiguous count")) return false;
    size_t begin = at_;
    if (!ReadInt(&layout->contiguous)) return false;
    if (layout->contiguous > static_cast<int64_t>(layout->dims.size())) {
      out_.Report(
          DiagCode::kLayoutInvalid, {static_cast<uint32_t>(begin), static_cast<uint32_t>(at_)},
          fmt::format("{} contiguous dimensions of {}", layout->contiguous, layout->dims.size()));
      return false;
    }
    return Expect(')', "after the contiguous count");
  }

  std::string_view text_;
  Diagnostics& out_;
  size_t at_ = 0;
};

}  // namespace

std::optional<MorelloLayout> ParseMorelloLayout(std::string_view text, Diagnostics& diagnostics) {
  return Reader(text, diagnostics).ReadAll();
}

std::string MorelloLayoutText(const MorelloLayout& layout) {
  static const std::vector<MorelloDim> kNhwc = {{0}, {2}, {3}, {1}};
  std::string text;
  if (layout.dims == kNhwc) {
    text = "NHWC";
  } else {
    text = "[";
    for (const MorelloDim& dim : layout.dims) {
      if (text.size() > 1) text += ", ";
      text += fmt::format("{}", dim.logical);
      if (dim.kind == MorelloDim::Kind::kPacked) text += fmt::format(" p({})", dim.size);
      if (dim.kind == MorelloDim::Kind::kOddEven) text += fmt::format(" oe({})", dim.size);
    }
    text += "]";
  }
  if (layout.contiguous == static_cast<int64_t>(layout.dims.size())) return text;
  return fmt::format("({}, c{})", text, layout.contiguous);
}

}  // namespace hlo
