// Golden vectors of layouts: sizes and addresses.
#include <fmt/format.h>

#include "engine/layout/layout_sizes.h"
#include "engine/layout/morello_layout.h"
#include "engine/layout/morello_map.h"
#include "engine/views/json.h"
#include "engine/views/layout_view.h"
#include "tests/conformance/suites.h"

namespace hlo {
namespace {

using nlohmann::json;

// Collects what is not as expected; one line in all.
class Expectations {
 public:
  void Expect(std::string_view what, const json& got, const json& wanted) {
    if (got == wanted || !failure_.empty()) return;
    failure_ = fmt::format("{} is {}, expected {}", what, got.dump(), wanted.dump());
  }
  void Fail(std::string failure) {
    if (failure_.empty()) failure_ = std::move(failure);
  }
  const std::string& failure() const { return failure_; }

 private:
  std::string failure_;
};

json List(const Dims& dims) { return std::vector<int64_t>(dims.begin(), dims.end()); }
json SizeOrNull(std::optional<int64_t> size) { return size ? json(*size) : json(nullptr); }

// Address and back for every index of a vector.
void ExpectIndices(const LayoutMap& map, const json& indices, const char* offset,
                   Expectations& expect) {
  for (const json& vector : indices) {
    const std::vector<int64_t> logical = vector.at("logical");
    const int64_t linear = vector.at(offset);
    expect.Expect(fmt::format("the offset of {}", vector.at("logical").dump()),
                  map.OffsetOf(logical), linear);
    if (vector.contains("bit_offset")) {
      expect.Expect("the bit offset", linear * map.element_bits(), vector.at("bit_offset"));
    }
    std::vector<int64_t> back(logical.size());
    if (!map.IndexAt(linear, back)) expect.Fail(fmt::format("offset {} is padding", linear));
    expect.Expect("the index back", back, logical);
  }
}

void ExpectSizes(const LayoutView& view, const json& vector, Expectations& expect) {
  const Shape& shape = view.shape;
  const int bits = 8 * BytesOf(shape.element_type());
  expect.Expect("elements", view.map->element_count(), vector.at("logical_elements"));
  expect.Expect("elements with the tail", view.map->aligned_count(),
                vector.at("physical_elements_tail_aligned"));
  expect.Expect("ByteSizeOf", SizeOrNull(ByteSizeOf(shape.dims(), bits, shape.layout())),
                vector.at("xla_byte_size_of"));
  expect.Expect("ArraySize", SizeOrNull(ArraySize(shape.dims(), bits, shape.layout())),
                vector.at("xla_array_size"));
  expect.Expect("ArrayDataSize", SizeOrNull(ArrayDataSize(shape.dims(), bits, shape.layout())),
                vector.at("xla_array_data_size"));
}

std::string RunVector(const std::string& text, const json& vector) {
  const LayoutView view = MakeLayoutView(text);
  if (!view.map) return FirstError(view.diagnostics);
  Expectations expect;
  expect.Expect("physical dimensions", List(view.map->physical_dims()), vector.at("physical_dims"));
  expect.Expect("physical elements", view.map->physical_count(), vector.at("physical_elements"));
  expect.Expect("bytes", view.map->byte_size(), vector.at("physical_bytes"));
  if (vector.contains("xla_byte_size_of")) ExpectSizes(view, vector, expect);
  ExpectIndices(*view.map, vector.at("indices"), "linear", expect);
  return expect.failure();
}

// The legacy fields have no text in XLA; `PAD` is ours.
std::string LegacyText(const json& vector) {
  return fmt::format("{}[{}]{{{}:PAD({})}}", vector.at("element_type").get<std::string>(),
                     fmt::join(vector.at("dimensions").get<std::vector<int64_t>>(), ","),
                     fmt::join(vector.at("minor_to_major").get<std::vector<int64_t>>(), ","),
                     fmt::join(vector.at("padded_dimensions").get<std::vector<int64_t>>(), ","));
}

std::string RunMorello(const json& vector) {
  Diagnostics diagnostics;
  const std::string text = vector.at("layout");
  const auto layout = ParseMorelloLayout(text, diagnostics);
  if (!layout) return FirstError(diagnostics);
  Expectations expect;
  expect.Expect("the printed form", MorelloLayoutText(*layout), text);
  const std::vector<int64_t> dims = vector.at("shape");
  const auto map = MorelloMap::Make(dims, 32, *layout, {}, diagnostics);
  if (vector.contains("error")) return map ? "applies to the shape" : expect.failure();
  if (!map) return FirstError(diagnostics);
  expect.Expect("physical dimensions", List(map->physical_dims()), vector.at("physical_dims"));
  expect.Expect("elements", map->element_count(), vector.at("elements"));
  // Where Morello's own formula is no bijection, the order it means counts.
  const bool intended = vector.value("source_formula_differs_from_intent", false);
  ExpectIndices(*map, vector.at("indices"), intended ? "intended_offset" : "offset", expect);
  return expect.failure();
}

}  // namespace

std::vector<CaseResult> RunLayoutSuite(const std::filesystem::path& corpus, std::string_view name) {
  constexpr std::pair<const char*, std::string (*)(const json&)> kKinds[] = {
      {"xla", [](const json& vector) { return RunVector(vector.at("text"), vector); }},
      {"legacy_padding", [](const json& vector) { return RunVector(LegacyText(vector), vector); }},
      {"morello", RunMorello}};
  std::vector<CaseResult> results;
  const json golden = ReadJson(corpus / name / "golden.json");
  for (const auto& [kind, run] : kKinds) {
    const auto vectors = golden.is_object() ? golden.find(kind) : golden.end();
    if (!golden.is_object() || vectors == golden.end() || !vectors->is_array()) {
      results.push_back({kind, "golden.json has no list of this name"});
      continue;
    }
    for (const json& vector : *vectors) {
      const bool has_name = vector.is_object() && vector.contains("id") && vector["id"].is_string();
      results.push_back(RunGuarded(has_name ? vector["id"].get<std::string>() : "(no name)",
                                   [&, run = run] { return run(vector); }));
    }
  }
  return results;
}

}  // namespace hlo
