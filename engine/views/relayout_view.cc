#include "engine/views/relayout_view.h"

#include <fmt/format.h>

#include "engine/base/bits.h"
#include "engine/layout/address_text.h"
#include "engine/layout/layout_advice.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/layout_compare.h"

namespace hlo {
namespace {

// The reason for the kind of relayout, in one sentence.
std::string ReasonOf(const LayoutMap& from, const LayoutMap& to, const RelayoutView& view,
                     const StorageDifference& storage) {
  if (view.bitcast) return "a bitcast: every element has the same place in both";
  if (from.element_count() == 0) return "no elements move, but the buffers differ in size";
  if (from.element_bits() != to.element_bits()) {
    return fmt::format("every element moves: it takes {} bits in one and {} in the other",
                       from.element_bits(), to.element_bits());
  }
  const RelayoutCost& cost = view.cost;
  if (cost.same_places && !storage.text.empty()) {
    return fmt::format("{} moves{} {}", storage.moves ? "every element" : "no element",
                       storage.moves ? ":" : ", but", storage.text);
  }
  if (cost.same_places) {
    return fmt::format("no element moves, but the buffer changes from {} to {} bytes",
                       from.byte_size(), to.byte_size());
  }
  const std::string more = storage.text.empty() ? "" : "; " + storage.text;
  if (cost.runs == 0) {
    return "a copy; of so many elements the pieces that stay together are not counted" + more;
  }
  return fmt::format("a copy in {}{} {} of at most {} consecutive {}{}",
                     cost.is_exact ? "" : "about ", cost.runs, cost.runs == 1 ? "piece" : "pieces",
                     cost.run_elements, cost.run_elements == 1 ? "element" : "elements", more);
}

int64_t ElementBytes(const LayoutMap& map) {
  return CeilDiv(map.element_count() * map.element_bits(), 8);
}

Json SideJson(const LayoutView& view, const char* side) {
  Json list = DiagnosticsJson(view.diagnostics, TextMap(view.text));
  for (Json& diagnostic : list) diagnostic["side"] = side;
  return list;
}

Json CandidateJson(const Shape& shape, const Layout& layout, const PaddingReport& padding,
                   std::string_view note) {
  Shape laid = shape;
  laid.set_layout(layout);
  return {{"shape", ShapeText(laid)},
          {"bytes", padding.unpadded_bytes + padding.padding_bytes},
          {"padding", padding.padding_bytes},
          {"expansion", padding.expansion},
          {"cause", PaddingSentence(padding)},
          {"note", note}};
}

Json TpuJson(const LayoutView& view) {
  const Shape& shape = view.shape;
  const ElementType type = shape.element_type();
  const auto tpu =
      TpuConvention(shape.dims(), BitsInMemory(shape), shape.layout().minor_to_major());
  if (!tpu) return nullptr;
  Diagnostics faults;
  const auto map = MakeLayoutMap(shape.dims(), 8 * BytesOf(type), tpu->layout, {}, faults);
  if (!map) return nullptr;
  Json json = CandidateJson(shape, tpu->layout, ReportPadding(*map), "TPU convention");
  json["rule"] = tpu->rule;
  return json;
}

}  // namespace

RelayoutView MakeRelayoutView(const LayoutView& from, const LayoutView& to) {
  RelayoutView view;
  if (!from.map || !to.map) return view;
  if (!(from.map->dims() == to.map->dims())) {
    view.problem = fmt::format("the arrays have different dimensions, {} and {}",
                               ListText(from.map->dims()), ListText(to.map->dims()));
    return view;
  }
  view.ok = true;
  view.cost = CostOfRelayout(*from.map, *to.map);
  const StorageDifference storage = DifferenceInStorage(from, to);
  view.bitcast = view.cost.bitcast && (storage.text.empty() || from.map->element_count() == 0);
  view.reason = ReasonOf(*from.map, *to.map, view, storage);
  return view;
}

std::vector<std::string> RelayoutLines(const LayoutView& from, const LayoutView& to,
                                       const RelayoutView& view) {
  if (!view.ok) return {};
  if (view.bitcast) return {view.reason};
  const RelayoutCost& cost = view.cost;
  return {view.reason,
          fmt::format("{} bytes read and {} written, {}{} and {} cache lines of {} bytes",
                      ElementBytes(*from.map), ElementBytes(*to.map), cost.is_exact ? "" : "about ",
                      cost.lines_read, cost.lines_written, RelayoutCost::kLineBytes)};
}

std::string RelayoutJson(const LayoutView& from, const LayoutView& to) {
  const RelayoutView view = MakeRelayoutView(from, to);
  Json diagnostics = SideJson(from, "from");
  for (Json& diagnostic : SideJson(to, "to")) diagnostics.push_back(std::move(diagnostic));
  const bool ok = view.ok;
  const RelayoutCost& cost = view.cost;
  return JsonText({{"ok", ok},
                   {"diagnostics", std::move(diagnostics)},
                   {"problem", view.problem},
                   {"bitcast", view.bitcast},
                   {"reason", view.reason},
                   {"elements", ok ? from.map->element_count() : 0},
                   {"bytesRead", ok ? ElementBytes(*from.map) : 0},
                   {"bytesWritten", ok ? ElementBytes(*to.map) : 0},
                   {"fromBytes", ok ? from.map->byte_size() : 0},
                   {"toBytes", ok ? to.map->byte_size() : 0},
                   {"runs", cost.runs},
                   {"runBytes", ok ? cost.run_elements * from.map->element_bits() / 8 : 0},
                   {"linesRead", cost.lines_read},
                   {"linesWritten", cost.lines_written},
                   {"exact", cost.is_exact}});
}

std::string LayoutAdviceJson(const LayoutView& view) {
  Json candidates = Json::array();
  Json tpu = nullptr;
  if (view.map && view.shape.IsArray()) {
    const Shape& shape = view.shape;
    const ElementType type = shape.element_type();
    tpu = TpuJson(view);
    for (const LayoutCandidate& candidate :
         RankLayouts(shape.dims(), BitsInMemory(shape), 8 * BytesOf(type), shape.layout())) {
      candidates.push_back(
          CandidateJson(shape, candidate.layout, candidate.padding, candidate.note));
    }
  }
  return JsonText({{"ok", view.map != nullptr},
                   {"diagnostics", DiagnosticsJson(view.diagnostics, TextMap(view.text))},
                   {"tpu", std::move(tpu)},
                   {"candidates", std::move(candidates)}});
}

}  // namespace hlo
