#include "engine/layout/morello_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/layout/address_text.h"

namespace hlo {
namespace {

using Kind = MorelloDim::Kind;

// What is known of a logical dimension while physical ones are taken off it, fastest first.
struct Remainder {
  int64_t left = 1;     // values not covered yet
  int64_t below = 1;    // values covered
  bool closed = false;  // a Dynamic part has taken the rest
  bool cut = false;     // a part larger than what was left has been cut down
};

// The physical size of a part, or nothing with the reason in *why.
std::optional<int64_t> SizeOf(const MorelloDim& dim, Remainder& rest, std::string* why) {
  if (rest.closed) {
    *why =
        fmt::format("dimension {} is covered already by a faster part without size", dim.logical);
    return std::nullopt;
  }
  if (dim.kind == Kind::kDynamic) {
    rest.closed = true;
    return rest.left;
  }
  if (rest.left >= dim.size) {
    if (rest.left % dim.size == 0) return dim.size;
    *why = fmt::format("{} values of dimension {} are left, which {} does not divide", rest.left,
                       dim.logical, dim.size);
    return std::nullopt;
  }
  bool may_be_cut = dim.kind == Kind::kPacked || rest.left == 1;
  if (may_be_cut && !rest.cut) {
    rest.cut = true;
    return rest.left;
  }
  *why = fmt::format("size {} is more than the {} values of dimension {} that are left", dim.size,
                     rest.left, dim.logical);
  return std::nullopt;
}

// How Morello itself treats neighbours and strips: its constructor asserts that neighbours of one
// dimension could not be merged, and its formula is not injective for parts below a strip.
bool CheckNeighbours(const MorelloLayout& layout, Diagnostics& diagnostics) {
  for (size_t i = 0; i < layout.dims.size(); ++i) {
    const MorelloDim& slow = layout.dims[i];
    const MorelloDim* fast = i + 1 < layout.dims.size() ? &layout.dims[i + 1] : nullptr;
    const bool neighbours = fast != nullptr && fast->logical == slow.logical;
    if (neighbours && slow.kind == Kind::kOddEven && fast->kind == Kind::kOddEven) {
      diagnostics.Report(
          DiagCode::kLayoutInvalid, slow.range,
          fmt::format("two strips of dimension {} next to each other: Morello has no address for "
                      "them",
                      slow.logical));
      return false;
    }
    const auto split_at = static_cast<int64_t>(layout.dims.size() - i) - 1;
    if (neighbours && slow.kind != Kind::kOddEven && fast->kind == Kind::kPacked &&
        layout.contiguous != split_at) {
      diagnostics.Report(
          DiagCode::kLayoutInvalid, Severity::kWarning, fast->range,
          fmt::format("this part of dimension {} and the one in front of it are one physical "
                      "dimension, which Morello's constructor insists on",
                      slow.logical));
    }
    const bool part_below =
        std::any_of(layout.dims.begin() + static_cast<ptrdiff_t>(i) + 1, layout.dims.end(),
                    [&](const MorelloDim& dim) { return dim.logical == slow.logical; });
    if (slow.kind == Kind::kOddEven && part_below) {
      diagnostics.Report(
          DiagCode::kLayoutInvalid, Severity::kWarning, slow.range,
          fmt::format("a faster part of dimension {} follows: Morello's own formula takes two "
                      "elements to one address here; these addresses are those it means",
                      slow.logical));
    }
  }
  return true;
}

}  // namespace

std::unique_ptr<MorelloMap> MorelloMap::Make(std::span<const int64_t> dims, int64_t element_bits,
                                             const MorelloLayout& layout, Range range,
                                             Diagnostics& diagnostics) {
  auto refuse = [&](Range where, const std::string& why) {
    diagnostics.Report(DiagCode::kLayoutInvalid, where.end > where.begin ? where : range,
                       "the layout does not apply to the shape: " + why);
    return nullptr;
  };
  std::vector<Remainder> rests(dims.size());
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < 1) return refuse(range, fmt::format("dimension {} has size {}", i, dims[i]));
    rests[i].left = dims[i];
  }
  std::unique_ptr<MorelloMap> map(new MorelloMap);
  int64_t stride = 1;
  for (size_t i = layout.dims.size(); i-- > 0;) {
    const MorelloDim& dim = layout.dims[i];
    if (dim.logical < 0 || dim.logical >= static_cast<int64_t>(dims.size())) {
      return refuse(dim.range, fmt::format("there is no dimension {}", dim.logical));
    }
    Remainder& rest = rests[static_cast<size_t>(dim.logical)];
    std::string why;
    std::optional<int64_t> size = SizeOf(dim, rest, &why);
    if (!size) return refuse(dim.range, why);
    map->parts_.push_back({static_cast<size_t>(dim.logical), *size, stride, rest.below,
                           dim.kind == Kind::kOddEven && *size > 1, dim.kind == Kind::kPacked});
    rest.left /= *size;
    rest.below *= *size;
    // The product of the physical sizes divides that of the logical ones, which SetSizes checks.
    if (__builtin_mul_overflow(stride, *size, &stride)) {
      return refuse(range, "its size does not fit 64 bits");
    }
  }
  for (size_t i = 0; i < rests.size(); ++i) {
    if (rests[i].left > 1) {
      return refuse(range, fmt::format("{} of the {} values of dimension {} are not covered",
                                       dims[i] - dims[i] / rests[i].left, dims[i], i));
    }
  }
  if (!CheckNeighbours(layout, diagnostics)) return nullptr;
  std::reverse(map->parts_.begin(), map->parts_.end());
  map->SetDigits(FormOf(map->parts_));
  Sizes sizes;
  sizes.dims = Dims(dims);
  sizes.padded_dims = Dims(dims);
  for (const Part& part : map->parts_) sizes.physical_dims.push_back(part.size);
  sizes.element_bits = element_bits;
  if (!map->SetSizes(std::move(sizes), 1)) return refuse(range, "its size does not fit 64 bits");
  return map;
}

int64_t MorelloMap::Digit(const Part& part, int64_t x) {
  int64_t digit = x / part.below % part.size;
  return part.odd_even ? digit / 2 + digit % 2 * (part.size / 2) : digit;
}

DigitForm MorelloMap::FormOf(const std::vector<Part>& parts) {
  DigitForm form;
  for (const Part& part : parts) {
    const int64_t logical = static_cast<int64_t>(part.logical);
    // Evens before odds: the low bit counts half the strip, what is above it counts one.
    const int64_t half = part.odd_even ? part.size / 2 : part.size;
    if (part.odd_even) form.digits.push_back({logical, part.below, 2, part.stride * half});
    form.digits.push_back(
        {logical, part.odd_even ? 2 * part.below : part.below, half, part.stride});
  }
  return form;
}

std::string MorelloMap::PartText(const Part& part) {
  if (part.odd_even) return fmt::format("{} oe({})", part.logical, part.size);
  return part.packed ? fmt::format("{} p({})", part.logical, part.size)
                     : fmt::format("{}", part.logical);
}

AddressTerm MorelloMap::TermOf(const Part& part, size_t number, int64_t index,
                               int64_t before) const {
  const std::string before_text = number == 1 ? "" : fmt::format("b{} + ", number - 1);
  const std::string before_value = number == 1 ? "" : fmt::format("{} + ", before);
  const std::string scale = part.stride == 1 ? "" : fmt::format("{} * ", part.stride);
  const int64_t digit = Digit(part, index);
  const int64_t value = index / part.below;
  const std::string name = fmt::format("d{}", part.logical);
  const std::string whole =
      part.below == 1 ? name : fmt::format("floor({} / {})", name, part.below);
  const std::string reduced = fmt::format("{} mod {}", whole, part.size);
  AddressTerm term{PartText(part), {}};
  auto add = [&](std::string line) { term.lines.push_back(std::move(line)); };
  auto scaled = [&](const std::string& text) {
    return part.stride == 1 ? text : fmt::format("{} * ({})", part.stride, text);
  };
  if (part.odd_even) {
    add(fmt::format("x = {} = {}: even numbers before odd ones", reduced, value % part.size));
    add(fmt::format("b{} = {}{}", number, before_text,
                    scaled(fmt::format("floor(x / 2) + {} * (x mod 2)", part.size / 2))));
  } else {
    add(fmt::format("b{} = {}{}", number, before_text, scaled(reduced)));
    const int64_t most = (dims()[part.logical] - 1) / part.below;
    if (most < part.size) {
      add(fmt::format("= {}{}{}, for {} is at most {}", before_text, scale, whole, whole, most));
    }
  }
  const int64_t sum = before + part.stride * digit;
  const std::string numbers = fmt::format("{}{}{}", before_value, scale, digit);
  add(numbers == fmt::format("{}", sum) ? "= " + numbers : fmt::format("= {} = {}", numbers, sum));
  return term;
}

AddressExplanation MorelloMap::Explain(std::span<const int64_t> index) const {
  AddressExplanation explanation;
  explanation.index = Dims(index);
  explanation.ordered_index = Dims(index);
  explanation.ordered_dims = dims();
  explanation.bounds = physical_dims();
  for (const Part& part : parts_) {
    explanation.coordinates.push_back(Digit(part, index[part.logical]));
  }
  explanation.lines.push_back("index " + ListText(index));
  // Back to front, as the layout is built: what the faster parts cover scales the slower ones.
  std::string sum;
  for (size_t i = parts_.size(); i-- > 0;) {
    const Part& part = parts_[i];
    const int64_t x = index[part.logical];
    const int64_t added = part.stride * Digit(part, x);
    explanation.terms.push_back(TermOf(part, parts_.size() - i, x, explanation.offset));
    explanation.offset += added;
    sum += fmt::format("{} {}", sum.empty() ? "=" : " +", added);
  }
  if (parts_.size() > 1) explanation.lines.push_back(std::move(sum));
  explanation.lines.push_back(fmt::format("= {}", explanation.offset));
  ExplainBits(&explanation);
  return explanation;
}

std::string MorelloMap::ExplainPadding(int64_t offset) const {
  return offset >= 0 && offset < physical_count() ? "" : "outside the buffer";
}

}  // namespace hlo
