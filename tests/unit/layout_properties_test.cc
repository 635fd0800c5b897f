// What holds for every layout of every notation, on 10^5 random ones of each: addresses are
// injective, within the buffer, and have their inverse; the canonical form is equal exactly when
// all addresses are; text and conversions keep the map.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/layout/cute_layout.h"
#include "engine/layout/strides_layout.h"
#include "engine/run/random.h"
#include "engine/views/layout_compare.h"
#include "engine/views/layout_subject.h"
#include "tests/unit/layout_cases.h"
#include "tests/unit/sanitizers.h"

namespace hlo {
namespace {

// The sanitizers slow these loops down fifty times; they look for other faults.
constexpr int kRounds = kIsSanitized ? 2000 : 100000;
constexpr int64_t kMostSlots = 150;

/// The engine's generator, for signed numbers.
class Dice : private Random {
 public:
  using Random::Random;
  int64_t Below(int64_t n) { return static_cast<int64_t>(Random::Below(static_cast<uint64_t>(n))); }
  bool OneIn(int64_t n) { return Below(n) == 0; }
};

const std::vector<Dims>& Shapes() {
  static const std::vector<Dims> kShapes = {{},        {1},       {4},       {8},    {6},    {12},
                                            {2, 3},    {3, 4},    {4, 4},    {2, 4}, {1, 6}, {5, 3},
                                            {2, 2, 2}, {2, 3, 4}, {4, 1, 4}, {16}};
  return kShapes;
}
const Dims& AShape(Dice& random) {
  return Shapes()[static_cast<size_t>(random.Below(static_cast<int64_t>(Shapes().size())))];
}

std::string List(const Dims& values) {
  std::string text;
  for (int64_t value : values) text += (text.empty() ? "" : ",") + std::to_string(value);
  return text;
}
std::string ArrayText(const Dims& dims) { return "f32[" + List(dims) + "]"; }

Dims AnOrder(size_t n, Dice& random) {
  Dims order;
  for (size_t i = 0; i < n; ++i) {
    order.insert(order.begin() + random.Below(static_cast<int64_t>(i) + 1),
                 static_cast<int64_t>(i));
  }
  return order;
}

std::string RandomXla(Dice& random) {
  const Dims& dims = AShape(random);
  std::string text = ArrayText(dims) + "{" + List(AnOrder(dims.size(), random)) + ":";
  const int64_t tiles = random.Below(4);
  if (tiles > 0) text += "T";
  for (int64_t i = 0; i < tiles; ++i) {
    text += "(";
    for (int64_t n = random.Below(static_cast<int64_t>(dims.size()) + 2); n > 0; --n) {
      text += random.OneIn(6) ? "*," : std::to_string(1 + random.Below(4)) + ",";
    }
    text += std::to_string(1 + random.Below(4)) + ")";
  }
  if (tiles == 0 || random.OneIn(6)) text += "L(" + std::to_string(1 + random.Below(9)) + ")";
  return text + "}";
}

std::string RandomPadded(Dice& random) {
  Dims dims = AShape(random);
  if (dims.empty()) dims = {3};  // a scalar has nothing to pad
  Dims padded;
  for (int64_t size : dims) padded.push_back(size + random.Below(3));
  const std::string order = List(AnOrder(dims.size(), random));
  return ArrayText(dims) + "{" + order + ":PAD(" + List(padded) + ";0)}";
}

int64_t AFactor(int64_t left, Dice& random) {
  const int64_t factor = 2 + random.Below(5);
  return left % factor == 0 ? factor : left;
}

std::string RandomMorello(Dice& random) {
  const Dims& dims = AShape(random);
  Dims left = dims;
  std::vector<bool> closed(dims.size()), is_strip(dims.size());
  std::string parts;  // from the fastest
  size_t last_strip = dims.size();
  for (int tries = 0; tries < 12; ++tries) {
    if (dims.empty()) break;
    const size_t d = static_cast<size_t>(random.Below(static_cast<int64_t>(dims.size())));
    if (left[d] == 1 || closed[d]) continue;
    const bool rest = tries > 7 || random.OneIn(3);
    const int64_t factor = AFactor(left[d], random);
    const bool strip = !rest && factor % 2 == 0 && last_strip != d && random.OneIn(3);
    closed[d] = rest;
    left[d] = rest ? 1 : left[d] / factor;
    last_strip = strip ? d : dims.size();
    const std::string name = std::to_string(d);
    const std::string size = "(" + std::to_string(factor) + ")";
    parts =
        (rest ? name : name + (strip ? " oe" : " p") + size) + (parts.empty() ? "" : ", ") + parts;
  }
  for (size_t d = 0; d < dims.size(); ++d) {
    if (left[d] > 1) parts = std::to_string(d) + (parts.empty() ? "" : ", ") + parts;
  }
  return ArrayText(dims) + " [" + parts + "]";
}

std::string RandomCute(Dice& random) {
  const Dims& dims = AShape(random);
  std::vector<std::vector<int64_t>> sizes(dims.size());
  std::vector<int64_t> flat;
  for (size_t d = 0; d < dims.size(); ++d) {
    int64_t left = dims[d];
    do {
      sizes[d].push_back(random.OneIn(3) ? left : AFactor(left, random));
      left /= sizes[d].back();
      flat.push_back(sizes[d].back());
    } while (left > 1);
  }
  std::vector<int64_t> strides(flat.size());
  const Dims order = AnOrder(flat.size(), random);
  int64_t stride = random.OneIn(8) ? 2 : 1;
  for (int64_t i : order) {
    strides[static_cast<size_t>(i)] = random.OneIn(8) ? 1 + random.Below(12) : stride;
    stride *= flat[static_cast<size_t>(i)] + (random.OneIn(8) ? 1 : 0);
  }
  std::string shape, steps;
  size_t next = 0;
  for (const std::vector<int64_t>& mode : sizes) {
    std::string mode_sizes, mode_steps;
    for (int64_t size : mode) {
      mode_sizes += (mode_sizes.empty() ? "" : ",") + std::to_string(size);
      mode_steps += (mode_steps.empty() ? "" : ",") + std::to_string(strides[next++]);
    }
    const char* open = mode.size() > 1 ? "(" : "";
    const char* close = mode.size() > 1 ? ")" : "";
    shape += (shape.empty() ? "" : ",") + (open + mode_sizes) + close;
    steps += (steps.empty() ? "" : ",") + (open + mode_steps) + close;
  }
  std::string text = "(" + shape + "):(" + steps + ")";
  if (random.OneIn(5)) {
    const int64_t bits = 1 + random.Below(2);
    const int64_t shift = (bits + random.Below(2)) * (random.OneIn(2) ? 1 : -1);
    text = "Sw<" + std::to_string(bits) + "," + std::to_string(random.Below(3)) + "," +
           std::to_string(shift) + "> o " + std::to_string(random.OneIn(3) ? 3 : 0) + " o " + text;
  }
  return "cute: f32 " + text;
}

std::string RandomStrides(Dice& random) {
  const Dims& dims = AShape(random);
  Dims strides(dims.size());
  int64_t stride = 1, lowest = 0;
  for (int64_t d : AnOrder(dims.size(), random)) {
    int64_t& own = strides[static_cast<size_t>(d)];
    own = random.OneIn(4) ? random.Below(14) : stride;
    if (random.OneIn(5)) own = -own;
    stride *= dims[static_cast<size_t>(d)] + (random.OneIn(5) ? 1 : 0);
    lowest += std::min<int64_t>(0, own * (dims[static_cast<size_t>(d)] - 1));
  }
  const int64_t offset = -lowest + random.Below(3) - (random.OneIn(20) ? 1 : 0);
  return "strides: " + ArrayText(dims) + " (" + List(strides) +
         ") offset=" + std::to_string(offset);
}

// "" or what does not hold.
std::string BrokenMap(const LayoutMap& map, const std::vector<int64_t>& offsets) {
  std::vector<bool> used(static_cast<size_t>(map.physical_count()));
  Dims index(map.dims().size()), back(map.dims().size());
  size_t element = 0;
  do {
    const int64_t offset = offsets[element++];
    if (offset < 0 || offset >= map.physical_count()) return "an offset is outside";
    if (used[static_cast<size_t>(offset)]) return "an offset is used twice";
    used[static_cast<size_t>(offset)] = true;
    if (!map.IndexAt(offset, View(&back)) || !(back == index)) return "the inverse is another";
  } while (NextIndex(map.dims(), &index));
  for (size_t slot = 0; slot < used.size(); ++slot) {
    if (map.IndexAt(static_cast<int64_t>(slot), View(&back)) != used[slot]) return "no padding";
  }
  if (map.IndexAt(-1, View(&back)) || map.IndexAt(map.aligned_count(), View(&back))) {
    return "an element outside of the buffer";
  }
  return "";
}

// Whether offsets are base + sum of stride * index.
bool IsAffine(const Dims& dims, const std::vector<int64_t>& offsets) {
  Dims strides(dims.size());
  int64_t elements = 1;
  for (size_t d = dims.size(); d-- > 0;) {
    strides[d] = dims[d] > 1 ? offsets[static_cast<size_t>(elements)] - offsets[0] : 0;
    elements *= dims[d];
  }
  Dims index(dims.size());
  size_t element = 0;
  do {
    int64_t offset = offsets[0];
    for (size_t d = 0; d < dims.size(); ++d) offset += strides[d] * index[d];
    if (offsets[element++] != offset) return false;
  } while (NextIndex(dims, &index));
  return true;
}

// What a note says besides that the padding value is not written there.
std::string WithoutPaddingValue(std::string note) {
  const size_t at = note.find("Without the padding value");
  if (at != std::string::npos) note.erase(at > 0 ? at - 1 : at);
  return note;
}

std::string BrokenConversion(const LayoutView& view, const std::vector<int64_t>& offsets) {
  const LayoutMap& map = *view.map;
  if (map.PaddingCauses().empty() != (map.aligned_count() == map.element_count())) {
    return "padding without cause";
  }
  for (const LayoutConversion& conversion : ConvertLayout(view)) {
    const std::string_view key = conversion.notation->key;
    const bool expected = (key == "strides" && IsAffine(view.map->dims(), offsets)) ||
                          (key == "shape" && view.notation->key == "morello") ||
                          (key == "cute" && view.notation->key == "morello") ||
                          conversion.notation == view.notation;
    if (conversion.text.empty()) {
      if (expected || conversion.reason.empty()) return std::string(key) + " has no text";
      continue;
    }
    if (key == "strides" && !expected) return "strides that cannot be";
    const LayoutView again = MakeLayoutView(conversion.text);
    if (!again.map || Offsets(*again.map) != offsets) return conversion.text + " is another map";
    if (again.notation != conversion.notation) return conversion.text + " is read otherwise";
    if (again.subject != conversion.text) return conversion.text + " is not its short form";
    const bool same_size = again.map->aligned_count() == view.map->aligned_count();
    if (conversion.notation == view.notation) {
      const std::string_view note = conversion.note;
      const size_t at = note.find("as ");
      if (at == std::string_view::npos) continue;
      const LayoutView plain = MakeLayoutView(note.substr(at + 3, note.size() - at - 4));
      if (!plain.map || Offsets(*plain.map) != offsets) return conversion.note + " is not true";
      if (plain.map->aligned_count() != view.map->aligned_count()) return "another buffer";
    } else if (same_size != WithoutPaddingValue(conversion.note).empty())
      return conversion.text + ": note";
  }
  return "";
}

// Layouts of the same dimensions that came before.
struct Known {
  CanonicalLayout canonical;
  std::vector<int64_t> offsets;
  std::unique_ptr<LayoutMap> map;
};
using Pool = std::map<std::string, std::vector<Known>>;

std::string BrokenEquality(const Known& a, const Known& b, bool look_for_difference) {
  const bool equal = a.offsets == b.offsets;
  if (!IsDecided(a.canonical, b.canonical)) return "equality is not decided";
  if ((a.canonical == b.canonical) != equal) return "the canonical forms and the maps disagree";
  if (!look_for_difference) return "";
  const MapDifference difference = FirstDifference(*a.map, *b.map);
  if (!difference.exact || difference.differs == equal) return "the difference is wrong";
  if (equal) return "";
  const auto at = std::mismatch(a.offsets.begin(), a.offsets.end(), b.offsets.begin());
  int64_t element = 0;
  for (size_t d = 0; d < difference.index.size(); ++d) {
    element = element * a.map->dims()[d] + difference.index[d];
  }
  if (element != at.first - a.offsets.begin()) return "the first difference is another element";
  return difference.offset_a == *at.first && difference.offset_b == *at.second
             ? ""
             : "the offsets of the difference are wrong";
}

// What the strides of a text say, whether they alias or not.
bool IsSound(const std::string& text) {
  Diagnostics faults;
  const size_t at = text.find("f32");
  Cursor in(std::string_view(text).substr(text.find_first_of(" ", at) + 1), 0, faults);
  StridedMap::Parts parts;
  if (text[0] == 'c') {
    const auto layout = ParseCuteLayout(in, 32);
    REQUIRE(layout.has_value());
    parts = CuteParts(*layout);
  } else {
    Dims dims;
    REQUIRE(ParseIndex(text.substr(at + 3, text.find(']') - at - 2), &dims));
    const auto read = ParseStrides(in, dims, 32);
    REQUIRE(read.has_value());
    parts = *read;
  }
  std::vector<int64_t> offsets;
  Dims index(parts.dims.size());
  do {
    int64_t offset = parts.base;
    for (const StridedMode& mode : parts.modes) {
      const int64_t x = index[static_cast<size_t>(mode.digit.dim)];
      offset += mode.digit.stride * (x / mode.digit.below % mode.digit.size);
    }
    if (offset < 0) return false;
    offsets.push_back(offset);
  } while (NextIndex(parts.dims, &index));
  std::sort(offsets.begin(), offsets.end());
  return std::adjacent_find(offsets.begin(), offsets.end()) == offsets.end();
}

void CheckNotation(std::string_view key, std::string (*make)(Dice&), bool may_be_unsound) {
  Dice random(20261121);
  Pool pool;
  int refused = 0;
  for (int round = 0; round < kRounds;) {
    const std::string text = make(random);
    Diagnostics faults;
    LayoutSubject subject = ReadLayoutSubject(text, faults);
    if (!subject.map) {
      INFO(text);
      REQUIRE(may_be_unsound);
      REQUIRE(!IsSound(text));
      REQUIRE(++refused < 10 * kRounds);
      continue;
    }
    if (subject.map->aligned_count() > kMostSlots) continue;
    ++round;
    Known known{Canonicalize(*subject.map), Offsets(*subject.map), nullptr};
    std::string broken = subject.notation->key == key ? "" : "read in another notation";
    if (broken.empty()) broken = BrokenMap(*subject.map, known.offsets);
    if (broken.empty() && round % 16 == 0) {
      broken = BrokenConversion(MakeLayoutView(text), known.offsets);
    }
    known.map = std::move(subject.map);
    std::vector<Known>& others = pool[List(known.map->dims())];
    for (const Known& other : others) {
      if (broken.empty()) broken = BrokenEquality(known, other, round % 8 == 0);
    }
    if (!broken.empty()) {
      INFO(text);
      INFO(broken);
      REQUIRE(broken.empty());
    }
    // Some stay for long, so that equal ones meet.
    if (others.size() < 3) {
      others.push_back(std::move(known));
    } else {
      others[static_cast<size_t>(random.Below(3))] = std::move(known);
    }
  }
}

TEST_CASE("properties of 10^5 random XLA layouts") { CheckNotation("shape", RandomXla, false); }
TEST_CASE("properties of 10^5 random padded layouts") {
  CheckNotation("padded", RandomPadded, false);
}
TEST_CASE("properties of 10^5 random Morello layouts") {
  CheckNotation("morello", RandomMorello, false);
}
TEST_CASE("properties of 10^5 random CuTe layouts") { CheckNotation("cute", RandomCute, true); }
TEST_CASE("properties of 10^5 random strides") { CheckNotation("strides", RandomStrides, true); }

}  // namespace
}  // namespace hlo
