#include "engine/graph/dot_text.h"

#include <fmt/format.h>

#include <iterator>
#include <vector>

#include "engine/base/byte_count.h"
#include "engine/base/work_limit.h"
#include "engine/graph/op_class.h"

namespace hlo {
namespace {

// By class, in its order.
constexpr std::string_view kFills[] = {"#f2e8cf", "#eeeeee", "#dbe9f6", "#e2f0d9", "#f8d7c4",
                                       "#e6dcf2", "#fff2b3", "#ffffff", "#f9d5e5", "#d9f2ef",
                                       "#e0e0e0", "#f5f5f5", "#ffffff"};
constexpr std::string_view kEdgeStyles[] = {"", "style=bold", "style=dashed, constraint=false",
                                            "style=dotted"};

std::string Escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n' || c == '\r') continue;
    out += c;
  }
  return out;
}

std::string LabelOf(const GraphBox& box) {
  if (box.kind == BoxKind::kGroup) return Escaped(GroupTitle(box));
  if (box.kind == BoxKind::kComputation) {
    return Escaped(fmt::format("{}: {}", box.role, box.computation->name()));
  }
  const Instruction& instruction = *box.instruction;
  std::string label = Escaped(Text(instruction.opcode())) + "\\n" + Escaped(instruction.name()) +
                      "\\n" + Escaped(ShapeSummary(instruction.shape()));
  if (box.count > 0 && !box.is_open) label += "\\n" + Counted(box.count, "instruction") + " inside";
  return label;
}

class DotWriter {
 public:
  explicit DotWriter(const DrawnGraph& drawn) : drawn_(drawn), children_(drawn.boxes.size() + 1) {
    for (size_t i = 0; i < drawn.boxes.size(); ++i) {
      children_[static_cast<size_t>(int64_t{drawn.boxes[i].parent} + 1)].push_back(i);
    }
  }

  std::string Write() {
    Line("digraph \"{}\" {{", Escaped(drawn_.top ? drawn_.top->name() : ""));
    Line("  compound=true; node [shape=box, style=filled, fontname=\"monospace\"];");
    WriteInside(0, 1);
    for (const GraphEdge& edge : drawn_.edges) WriteEdge(edge);
    text_ += "}\n";
    CountText(text_.size());
    return std::move(text_);
  }

 private:
  template <typename... Args>
  void Line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }
  bool IsCluster(size_t box) const { return !children_[box + 1].empty(); }

  // `list`: of a box, one more than its number; of the picture 0. Boxes are nested no deeper than
  // calls may be.
  void WriteInside(size_t list, size_t level) {
    const std::string indent(2 * level, ' ');
    for (const size_t i : children_[list]) {
      const GraphBox& box = drawn_.boxes[i];
      if (!IsCluster(i)) {
        const std::string_view fill = box.instruction && box.kind == BoxKind::kInstruction
                                          ? kFills[static_cast<size_t>(ClassOf(*box.instruction))]
                                          : "#ffffff";
        Line("{}b{} [label=\"{}\", fillcolor=\"{}\"{}];", indent, i, LabelOf(box), fill,
             box.can_open ? ", peripheries=2" : "");
        continue;
      }
      Line("{}subgraph cluster_{} {{ label=\"{}\";", indent, i, LabelOf(box));
      WriteInside(i + 1, level + 1);
      Line("{}}}", indent);
    }
  }

  // A box without boxes in it: what an edge of a cluster is drawn to.
  size_t LeafOf(size_t box) const {
    while (IsCluster(box)) box = children_[box + 1].front();
    return box;
  }

  void WriteEdge(const GraphEdge& edge) {
    const auto from = static_cast<size_t>(edge.from);
    const auto to = static_cast<size_t>(edge.to);
    std::string style(kEdgeStyles[static_cast<size_t>(edge.kind)]);
    const auto add = [&](const std::string& more) {
      if (!style.empty()) style += ", ";
      style += more;
    };
    if (edge.count > 1) add(fmt::format("label=\"{}\"", edge.count));
    if (IsCluster(from)) add(fmt::format("ltail=cluster_{}", from));
    if (IsCluster(to)) add(fmt::format("lhead=cluster_{}", to));
    Line("  b{} -> b{}{}{}{};", LeafOf(from), LeafOf(to), style.empty() ? "" : " [", style,
         style.empty() ? "" : "]");
  }

  const DrawnGraph& drawn_;
  std::vector<std::vector<size_t>> children_;
  std::string text_;
};

}  // namespace

std::string GroupTitle(const GraphBox& box) {
  const GroupFacts& group = box.group;
  if (group.why == GroupFacts::Why::kParameters) return Counted(box.count, "parameter");
  std::string title = Counted(box.count, "instruction");
  if (group.distance > 0) {
    title += fmt::format(" {} {}", Counted(group.distance, "step"),
                         group.why == GroupFacts::Why::kUsers ? "below" : "above");
  }
  const char* separator = ": ";
  for (const auto& [opcode, count] : group.opcodes) {
    title += fmt::format("{}{} {}", separator, count, Text(opcode));
    separator = ", ";
  }
  return title;
}

std::string DotText(const DrawnGraph& drawn) { return DotWriter(drawn).Write(); }

}  // namespace hlo
