#include "engine/views/layout_compare.h"

#include <fmt/format.h>

#include <utility>

#include "engine/layout/address_text.h"
#include "engine/layout/memory_space.h"
#include "engine/layout/notation_writers.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/layout_subject.h"

namespace hlo {
namespace {

// What the other notations cannot express of an XLA layout. Properties that do not affect element
// positions are left out, with a note; those that affect how elements are stored or split prevent
// the conversion.
void CheckExtras(const LayoutView& view, LayoutConversion* conversion) {
  if (view.notation->head != LayoutNotation::Head::kShape) return;
  const bool is_shape = conversion->notation->head == LayoutNotation::Head::kShape;
  const LayoutExtras& extras = view.shape.layout().extras();
  auto refuse = [&](std::string_view part) {
    *conversion = {conversion->notation, "",
                   fmt::format("{} has no place for {}.", conversion->notation->name, part), ""};
  };
  if (!is_shape && !extras.splits.empty()) return refuse("splits (SC)");
  if (conversion->text.empty()) return;
  std::vector<std::string> left_out;
  if (extras.memory_space != 0) left_out.push_back(fmt::format("S({})", extras.memory_space));
  if (extras.metadata_prefix != 0) left_out.push_back(fmt::format("M({})", extras.metadata_prefix));
  if (!extras.splits.empty()) left_out.emplace_back("SC");
  if (!extras.padding_value.empty()) {
    left_out.push_back(fmt::format("the padding value {}", extras.padding_value));
  }
  if (!is_shape && view.shape.has_dynamic_dims()) left_out.emplace_back("dynamic sizes");
  if (left_out.empty()) return;
  conversion->note +=
      fmt::format("{}Without {}.", conversion->note.empty() ? "" : " ", fmt::join(left_out, ", "));
}

// Whether the layout has nothing but addresses, so that another text of the notation is equivalent.
bool HasTilesOnly(const LayoutView& view) {
  if (view.notation->head != LayoutNotation::Head::kShape) return true;
  LayoutExtras tiles;
  tiles.tiles = view.shape.layout().tiles();
  return view.shape.layout().extras() == tiles;
}

std::string OutcomeText(const LayoutComparison& comparison) {
  const MapDifference& difference = comparison.difference;
  if (difference.differs) {
    return fmt::format("Element {} lies at offset {} in the first and {} in the second.",
                       ListText(difference.index), difference.offset_a, difference.offset_b);
  }
  if (!difference.exact) {
    return fmt::format("{} elements lie in the same places; the rest was not compared.",
                       difference.compared);
  }
  if (!comparison.same_bits) return "The same places in order, but elements of different sizes.";
  if (!comparison.same_size) return "The same places in buffers of different sizes.";
  if (comparison.storage.empty()) return "The same layout.";
  return fmt::format("The same places, but {}.", comparison.storage);
}

Json DifferenceJson(const MapDifference& difference) {
  if (!difference.differs) return nullptr;
  return {{"index", DimsJson(difference.index)},
          {"offsetA", difference.offset_a},
          {"offsetB", difference.offset_b}};
}

}  // namespace

std::vector<LayoutConversion> ConvertLayout(const LayoutView& view) {
  std::vector<LayoutConversion> conversions;
  if (!view.map) return conversions;
  const CanonicalLayout canonical = Canonicalize(*view.map);
  for (const LayoutNotation& notation : LayoutNotations()) {
    LayoutConversion conversion{&notation, "", "", ""};
    Written written = WriteLayout(
        notation, {*view.map, canonical, StoredBits(notation, view.shape.element_type())});
    const bool has_text = !written.text.empty() || written.reason.empty();
    const std::string text = has_text ? SubjectText(notation, view.shape, written.text) : "";
    if (view.notation == &notation) {
      conversion.text = view.subject;
      const bool is_plainer = has_text && written.note.empty() && text != view.subject;
      if (is_plainer && HasTilesOnly(view)) {
        conversion.note = fmt::format("The same addresses as {}.", text);
      }
    } else {
      conversion.text = text;
      conversion.reason = std::move(written.reason);
      conversion.note = std::move(written.note);
      CheckExtras(view, &conversion);
    }
    conversions.push_back(std::move(conversion));
  }
  return conversions;
}

std::string ConversionsJson(const LayoutView& view) {
  Json list = Json::array();
  for (const LayoutConversion& conversion : ConvertLayout(view)) {
    list.push_back({{"notation", conversion.notation->key},
                    {"name", conversion.notation->name},
                    {"text", conversion.text},
                    {"reason", conversion.reason},
                    {"note", conversion.note}});
  }
  return JsonText(list);
}

StorageDifference DifferenceInStorage(const LayoutView& a, const LayoutView& b) {
  const LayoutExtras& one = a.shape.layout().extras();
  const LayoutExtras& other = b.shape.layout().extras();
  if (one.memory_space != other.memory_space) {
    return {fmt::format("the memories differ, {} and {}", MemorySpaceName(one.memory_space),
                        MemorySpaceName(other.memory_space)),
            true};
  }
  if (one.splits != other.splits) return {"their splits (SC) differ", true};
  if (one.metadata_prefix != other.metadata_prefix) {
    return {fmt::format("the data begins after {} bytes in one and {} in the other",
                        one.metadata_prefix, other.metadata_prefix),
            true};
  }
  const std::string& value = other.padding_value;
  const bool has_padding = b.map && b.map->aligned_count() > b.map->element_count();
  if (!has_padding || value.empty() || value == one.padding_value) return {};
  return {fmt::format("the padding of the second holds {}", value), false};
}

LayoutComparison CompareLayouts(const LayoutView& a, const LayoutView& b) {
  LayoutComparison comparison;
  if (!a.map || !b.map) {
    comparison.problem = fmt::format("The {} layout is not valid.", a.map ? "second" : "first");
  } else if (!(a.map->dims() == b.map->dims())) {
    comparison.problem = fmt::format("The arrays have different dimensions: {} and {}.",
                                     ListText(a.map->dims()), ListText(b.map->dims()));
  }
  comparison.text = comparison.problem;
  if (!comparison.problem.empty()) return comparison;
  comparison.comparable = true;
  comparison.difference = FirstDifference(*a.map, *b.map);
  comparison.same_size = a.map->byte_size() == b.map->byte_size();
  comparison.same_bits = a.map->element_bits() == b.map->element_bits();
  comparison.storage = DifferenceInStorage(a, b).text;
  comparison.text = OutcomeText(comparison);
  return comparison;
}

std::string ComparisonJson(const LayoutComparison& comparison) {
  const bool equal =
      comparison.comparable && !comparison.difference.differs && comparison.difference.exact;
  return JsonText({{"comparable", comparison.comparable},
                   {"equal", equal},
                   {"exact", comparison.difference.exact},
                   {"sameSize", comparison.same_size},
                   {"sameBits", comparison.same_bits},
                   {"difference", DifferenceJson(comparison.difference)},
                   {"text", comparison.text}});
}

std::string NotationsJson() {
  Json list = Json::array();
  for (const LayoutNotation& notation : LayoutNotations()) {
    Json examples = Json::array();
    for (std::string_view example : notation.examples) examples.push_back(example);
    list.push_back({{"key", notation.key},
                    {"name", notation.name},
                    {"doc", notation.doc},
                    {"examples", std::move(examples)}});
  }
  return JsonText(list);
}

}  // namespace hlo
