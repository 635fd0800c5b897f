#include "engine/layout/notation.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <string>
#include <vector>

#include "engine/base/characters.h"
#include "engine/layout/cute_layout.h"
#include "engine/layout/morello_analysis.h"
#include "engine/layout/morello_map.h"
#include "engine/layout/strides_layout.h"

namespace hlo {
namespace {

// Sizes that a layout applies to: two of everything that it packs.
std::vector<int64_t> SmallestSizes(const MorelloLayout& layout) {
  constexpr int64_t kMostRank = 16, kMostSize = 4096;
  std::vector<int64_t> sizes;
  for (const MorelloDim& dim : layout.dims) {
    if (dim.logical >= kMostRank) continue;
    sizes.resize(std::max(sizes.size(), static_cast<size_t>(dim.logical) + 1), 1);
    int64_t& size = sizes[static_cast<size_t>(dim.logical)];
    if (size == 1) size = 2;
    if (dim.size > 1) size = std::min(size * std::min(dim.size, kMostSize), kMostSize);
  }
  return sizes;
}

ReadLayout ReadMorello(Cursor& in, const LayoutHead& head) {
  ReadLayout result;
  const Range range = in.WholeRange();
  const auto layout = ParseMorelloLayout(in, head.dims ? &*head.dims : nullptr);
  if (!layout) return result;
  if (!head.dims) {
    const std::string sizes = fmt::format("f32[{}] ", fmt::join(SmallestSizes(*layout), ","));
    in.diagnostics()
        .Report(DiagCode::kLayoutInvalid, range,
                "a Morello layout needs the sizes of the array in front: f32[6,8] [0, 1]")
        .fixes.push_back({"Put " + sizes + "in front", {range.begin, range.begin}, sizes});
    return result;
  }
  result.text = MorelloLayoutText(*layout);
  auto map = MorelloMap::Make(*head.dims, head.element_bits, *layout, range, in.diagnostics());
  if (map) result.facts = MorelloFacts(*layout, *map);
  result.map = std::move(map);
  return result;
}

ReadLayout ReadCute(Cursor& in, const LayoutHead& head) {
  ReadLayout result;
  const auto layout = ParseCuteLayout(in, head.element_bits);
  if (!layout) return result;
  result.text = CuteLayoutText(*layout);
  result.map = StridedMap::Make(CuteParts(*layout), head.element_bits, in.diagnostics());
  return result;
}

ReadLayout ReadStrides(Cursor& in, const LayoutHead& head) {
  ReadLayout result;
  auto parts = ParseStrides(in, head.dims, head.element_bits);
  if (!parts) return result;
  auto map = StridedMap::Make(std::move(*parts), head.element_bits, in.diagnostics());
  if (map) result.text = StridesText(map->modes());
  result.map = std::move(map);
  return result;
}

bool StartsWithAny(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.starts_with(word); });
}

bool RecognisesMorello(std::string_view text, bool has_sizes) {
  const char c = text.empty() ? '\0' : text[0];
  if (has_sizes) return c == '[' || c == '(' || IsLetter(c);
  return c == '[' || text.starts_with("Layout::new") || IsMorelloName(text);
}

// 8:1, (4,2):(1,4), _8:_1.
bool RecognisesCute(std::string_view text, bool has_sizes) {
  if (has_sizes) return false;
  if (StartsWithAny(text, {"Swizzle<", "Sw<", "S<"})) return true;
  const char c = text.empty() ? '\0' : text[0];
  const size_t inside = text.find_first_not_of("( \t");
  const bool has_number =
      inside != std::string_view::npos && (IsDigit(text[inside]) || text[inside] == '_');
  return IsDigit(c) || c == '_' || (c == '(' && has_number);
}

bool RecognisesStrides(std::string_view text, bool has_sizes) {
  if (!has_sizes) return StartsWithAny(text, {"shape=", "strides=", "stride=", "byte_strides="});
  if (StartsWithAny(text, {"stride", "byte_", "offset", "storage_offset"})) return true;
  if (!text.starts_with('(')) return false;
  const std::string_view inside = SkipBlank(text.substr(1));
  return !inside.empty() && (IsDigit(inside[0]) || inside[0] == '-' || inside[0] == ')');
}

// From XLA's own documentation and from programs for TPUs.
constexpr std::string_view kShapes[] = {
    "f32[3,5]{1,0:T(2,2)}",
    "f32[4,8]{1,0:T(2,4)(2,1)}",
    "f32[4,8]{0,1}",
    "bf16[16,256]{1,0:T(8,128)(2,1)}",
    "f32[128,3]{1,0:T(8,128)}",
    "s8[100,300]{1,0:T(8,128)(4,1)}",
    "s4[9,17]{1,0:T(4,8)E(4)}",
    "f32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}",
    "f32[1000000,1000000]{1,0:T(8,128)}",
};
constexpr std::string_view kPadded[] = {"f32[2,3]{1,0:PAD(3,5;0)}"};
constexpr std::string_view kMorello[] = {"f32[6,8] [1, 0, 1 p(4)]", "f32[2,16] [0, 1, 1 oe(8)]"};
constexpr std::string_view kCute[] = {"f32 (4,(2,8)):(16,(1,2))",
                                      "f32 Sw<3,0,3> o 0 o (8,8):(8,1)"};
constexpr std::string_view kStrides[] = {"f32[4,6] (8,1)", "f32[8,128] strides=(128,1) offset=0"};

constexpr LayoutNotation kNotations[] = {
    {"XLA", "shape", LayoutNotation::Head::kShape, false,
     "XLA's layout of an array: dimension numbers from the fastest to the slowest, then tiles. "
     "Each tile cuts what the ones before it left and pads where it does not divide.",
     kShapes, nullptr, nullptr},
    {"padded", "padded", LayoutNotation::Head::kShape, false,
     "The padded dimensions of XLA's earlier layouts: the array lies as one of the padded sizes "
     "would. PAD is an annotation of this tool, for XLA has no text for it.",
     kPadded, nullptr, nullptr},
    {"Morello", "morello", LayoutNotation::Head::kArray, false,
     "Morello's physical dimensions, from the slowest to the fastest: all of a dimension, p(n) "
     "packs of n of its values, or oe(n) strips with the even ones first.",
     kMorello, &RecognisesMorello, &ReadMorello},
    {"CuTe", "cute", LayoutNotation::Head::kType, true,
     "CuTe's shape:stride, nested, the leftmost mode fastest; Swizzle<B,M,S> exclusive-ors bits "
     "of the offset into others.",
     kCute, &RecognisesCute, &ReadCute},
    {"strides", "strides", LayoutNotation::Head::kArray, false,
     "One stride per dimension and an offset, in elements as torch counts, or in bytes as numpy "
     "does (byte_strides, byte_offset).",
     kStrides, &RecognisesStrides, &ReadStrides},
};

}  // namespace

std::span<const LayoutNotation> LayoutNotations() { return kNotations; }

const LayoutNotation& RecognisedNotation(std::string_view text, bool has_sizes) {
  // The later ones have the more particular forms.
  for (size_t i = std::size(kNotations); i-- > 0;) {
    const LayoutNotation& notation = kNotations[i];
    if (notation.recognises && notation.recognises(text, has_sizes)) return notation;
  }
  return kNotations[0];
}

const LayoutNotation* FindNotation(std::string_view key) {
  for (const LayoutNotation& notation : kNotations) {
    if (notation.key == key) return &notation;
  }
  return nullptr;
}

}  // namespace hlo
