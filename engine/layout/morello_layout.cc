#include "engine/layout/morello_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/base/characters.h"

namespace hlo {
namespace {

// Longer lists are no layouts, and would only make everything after this slow.
constexpr size_t kMostDims = 256;

using Kind = MorelloDim::Kind;

// The named layouts: which dimensions, slowest first.
struct Sugar {
  std::string_view word;
  void (*order)(int64_t rank, Dims* order);
};
void RowMajor(int64_t rank, Dims* order) {
  for (int64_t d = 0; d < rank; ++d) order->push_back(d);
}
void ColMajor(int64_t rank, Dims* order) {
  for (int64_t d = rank; d-- > 0;) order->push_back(d);
}
void BatchedColMajor(int64_t rank, Dims* order) {
  if (rank > 0) order->push_back(0);
  for (int64_t d = rank; d-- > 1;) order->push_back(d);
}
void Nhwc(int64_t rank, Dims* order) {
  if (rank == 4) *order = {0, 2, 3, 1};
}
constexpr Sugar kSugar[] = {{"row_major", RowMajor},
                            {"col_major", ColMajor},
                            {"batched_col_major", BatchedColMajor},
                            {"nhwc", Nhwc}};
// Letters: batch, channels, height, width.
constexpr std::string_view kNhwc = "NHWC";
constexpr std::string_view kNchw = "NCHW";
constexpr std::string_view kNchwc = "NCHWc";

class Reader {
 public:
  Reader(Cursor& in, const Dims* dims) : in_(in), dims_(dims) {}

  bool ReadAll(MorelloLayout* layout) {
    for (const Sugar& sugar : kSugar) {
      const size_t begin = in_.position();
      if (in_.Take(sugar.word)) return ReadSugar(sugar, begin, layout) && in_.ExpectEnd();
    }
    const bool is_rust = in_.Take("Layout::new(");
    const bool counted = !is_rust && SeesCounted() && in_.Take('(');
    if (in_.Take(kNhwc)) {
      for (int64_t dim : {0, 2, 3, 1}) layout->dims.push_back({dim});
    } else if (in_.Take(kNchwc)) {
      for (int64_t dim : {0, 1, 2, 3, 1}) layout->dims.push_back({dim});
      MorelloDim& channels = layout->dims.back();
      channels.kind = Kind::kPacked;
      const size_t begin = in_.position();
      if (!ReadSize(&channels)) return false;
      channels.range = in_.RangeFrom(begin);
    } else if (in_.Take(kNchw)) {
      for (int64_t dim : {0, 1, 2, 3}) layout->dims.push_back({dim});
    } else if (!ReadList(layout)) {
      return false;
    }
    layout->contiguous = static_cast<int64_t>(layout->dims.size());
    if (counted && !ReadCount(layout)) return false;
    if (is_rust && !in_.Expect(')', "after the physical dimensions")) return false;
    return in_.ExpectEnd();
  }

 private:
  bool ReadSugar(const Sugar& sugar, size_t begin, MorelloLayout* layout) {
    // The argument, which only names the shape.
    if (in_.Take('(')) {
      while (!in_.AtEnd() && in_.Peek() != ')') in_.Advance();
      if (!in_.Expect(')', "after the shape")) return false;
    }
    if (dims_ == nullptr) {
      return in_.FaultFrom(
          begin, fmt::format("{} needs the sizes in front: f32[6,8] {}", sugar.word, sugar.word));
    }
    Dims order;
    sugar.order(static_cast<int64_t>(dims_->size()), &order);
    if (order.size() != dims_->size()) {
      return in_.FaultFrom(
          begin, fmt::format("{} is for arrays of rank 4, not {}", sugar.word, dims_->size()));
    }
    for (int64_t dim : order) {
      if ((*dims_)[static_cast<size_t>(dim)] != 1) {
        layout->dims.push_back({dim, Kind::kDynamic, 0, in_.RangeFrom(begin)});
      }
    }
    layout->contiguous = static_cast<int64_t>(layout->dims.size());
    return true;
  }

  // `([0, 1], c1)` and not Rust's `(0, ...)`.
  bool SeesCounted() {
    in_.SkipSpace();
    return in_.Peek() == '(' && in_.Peek(1) != ' ' && !(in_.Peek(1) >= '0' && in_.Peek(1) <= '9');
  }

  bool ReadList(MorelloLayout* layout) {
    in_.Take("vec!");
    if (!in_.Expect('[', "at the start of a Morello layout")) return false;
    while (!in_.Take(']')) {
      if (layout->dims.size() == kMostDims) {
        return in_.Fault(fmt::format("more than {} physical dimensions", kMostDims));
      }
      if (!ReadDim(&layout->dims.emplace_back())) return false;
      if (in_.Take(',')) continue;
      return in_.Expect(']', "after the physical dimensions");
    }
    return true;
  }

  bool ReadDim(MorelloDim* dim) {
    in_.SkipSpace();
    const size_t begin = in_.position();
    const bool is_rust = in_.Take('(');
    if (!in_.Integer(&dim->logical, "a number")) return false;
    if (is_rust) {
      if (!in_.Expect(',', "after the logical dimension")) return false;
      in_.Take("PhysDim::");
      if (!in_.Take("Dynamic")) {
        dim->kind = in_.Take("Packed") ? Kind::kPacked : Kind::kOddEven;
        if (dim->kind == Kind::kOddEven && !in_.Take("OddEven")) {
          return in_.Fault("expected Dynamic, Packed(n) or OddEven(n)");
        }
      }
    } else if (in_.Take("p")) {
      dim->kind = Kind::kPacked;
    } else if (in_.Take("oe")) {
      dim->kind = Kind::kOddEven;
    }
    if (dim->kind != Kind::kDynamic && !ReadSize(dim)) return false;
    if (is_rust && !in_.Expect(')', "after the physical dimension")) return false;
    dim->range = in_.RangeFrom(begin);
    return true;
  }

  bool ReadSize(MorelloDim* dim) {
    if (!in_.Expect('(', "before the size")) return false;
    const bool is_rust = in_.Take("nz!(");
    Range range;
    if (!in_.Integer(&dim->size, "a number", &range)) return false;
    in_.Take("u32");
    if (dim->kind == Kind::kPacked && dim->size < 2) {
      return in_.FaultAt(range, fmt::format("a packed size is 2 or more, not {}", dim->size));
    }
    if (dim->kind == Kind::kOddEven && (dim->size < 2 || dim->size % 2 != 0)) {
      return in_.FaultAt(range,
                         fmt::format("an odd-even size is an even number, not {}", dim->size));
    }
    return in_.Expect(')', "after the size") && (!is_rust || in_.Expect(')', "after the size"));
  }

  bool ReadCount(MorelloLayout* layout) {
    if (!in_.Expect(',', "before the contiguous count")) return false;
    if (!in_.Expect('c', "before the contiguous count")) return false;
    Range range;
    if (!in_.Integer(&layout->contiguous, "a number", &range)) return false;
    if (layout->contiguous > static_cast<int64_t>(layout->dims.size())) {
      return in_.FaultAt(range, fmt::format("{} contiguous dimensions of {}", layout->contiguous,
                                            layout->dims.size()));
    }
    return in_.Expect(')', "after the contiguous count");
  }

  Cursor& in_;
  const Dims* dims_;
};

}  // namespace

std::optional<MorelloLayout> ParseMorelloLayout(Cursor& in, const Dims* dims) {
  MorelloLayout layout;
  if (!Reader(in, dims).ReadAll(&layout)) return std::nullopt;
  return layout;
}

std::optional<MorelloLayout> ParseMorelloLayout(std::string_view text, Diagnostics& diagnostics) {
  Cursor in(text, 0, diagnostics);
  return ParseMorelloLayout(in, nullptr);
}

bool IsMorelloName(std::string_view text) {
  auto begins = [text](std::string_view word) {
    const char behind = text.size() > word.size() ? text[word.size()] : '\0';
    return text.starts_with(word) && !IsNameStart(behind) && !IsDigit(behind);
  };
  return begins(kNhwc) || begins(kNchw) || begins(kNchwc) ||
         std::any_of(std::begin(kSugar), std::end(kSugar),
                     [&](const Sugar& sugar) { return begins(sugar.word); });
}

std::string MorelloLayoutText(const MorelloLayout& layout) {
  static const std::vector<MorelloDim> kNhwcDims = {{0}, {2}, {3}, {1}};
  std::string text;
  if (layout.dims == kNhwcDims) {
    text = kNhwc;
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
