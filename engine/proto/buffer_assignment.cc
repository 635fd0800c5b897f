// Source: XLA, buffer_assignment.cc (BufferAllocation::ToString, BufferAssignment::ToString),
// hlo_live_range.cc (HloLiveRange::ToString).
#include "engine/proto/buffer_assignment.h"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/proto/shape_proto.h"

namespace hlo {
namespace {

struct NamedBuffer {
  std::string name;  // "add.3{0}"
  std::string shape;
  int64_t color = 0;
};

// The part of a shape at an index.
WireMessage PartOf(WireMessage shape, const Dims& index) {
  for (int64_t i : index) {
    const auto elements = shape.Messages(4);
    if (i < 0 || static_cast<size_t>(i) >= elements.size()) return {};
    shape = elements[static_cast<size_t>(i)];
  }
  return shape;
}

class AssignmentText {
 public:
  AssignmentText(const WireMessage& assignment, const WireMessage& module)
      : assignment_(assignment) {
    for (const WireMessage& computation : module.Messages(3)) {
      for (const WireMessage& instruction : computation.Messages(2)) {
        by_id_.emplace(instruction.Int(35), instruction);
        by_name_.emplace(instruction.Bytes(1), instruction);
      }
    }
    for (const WireMessage& buffer : assignment.Messages(1)) {
      buffers_.emplace(buffer.Int(1), BufferOf(buffer));
    }
  }

  std::string Write() {
    out_ = "BufferAssignment:\n";
    int64_t total = 0;
    for (const WireMessage& allocation : assignment_.Messages(3)) {
      total += allocation.Int(2);
      WriteAllocation(allocation);
    }
    fmt::format_to(std::back_inserter(out_), "\nTotal bytes used: {}\n", total);
    WriteLiveRanges();
    return std::move(out_);
  }

 private:
  NamedBuffer BufferOf(const WireMessage& buffer) const {
    const WireMessage place = buffer.Message(3);
    const Dims index = place.Ints(3);
    WireMessage instruction;
    if (const auto by_id = by_id_.find(place.Int(4)); by_id != by_id_.end()) {
      instruction = by_id->second;
    } else if (const auto by_name = by_name_.find(place.Bytes(2)); by_name != by_name_.end()) {
      instruction = by_name->second;
    }
    NamedBuffer result;
    result.color = buffer.Int(4);
    const std::string_view name = instruction.Has(1) ? instruction.Bytes(1) : place.Bytes(2);
    for (char c : name) result.name.push_back(c >= ' ' && c <= '~' ? c : '_');
    if (!index.empty()) result.name += fmt::format("{{{}}}", fmt::join(index, ","));
    const WireMessage shape = PartOf(instruction.Message(3), index);
    if (shape.Has(2)) AppendShapeProto(shape, &result.shape);
    return result;
  }

  void WriteAllocation(const WireMessage& allocation) {
    const auto to = std::back_inserter(out_);
    fmt::format_to(to, "allocation {}: size {}", allocation.Int(1), allocation.Int(2));
    if (allocation.Int(8) != 0) fmt::format_to(to, ", color {}", allocation.Int(8));
    const bool is_parameter = allocation.Bool(5);
    const bool is_constant = allocation.Bool(12);
    const bool is_local = allocation.Bool(3);
    const bool lives_out = allocation.Bool(7);
    if (is_parameter) {
      fmt::format_to(to, ", parameter {} at ShapeIndex {{{}}}", allocation.Int(6),
                     fmt::join(allocation.Ints(10), ","));
    }
    if (is_constant) out_.append(", constant");
    if (is_local) out_.append(", thread-local");
    if (lives_out) out_.append(", maybe-live-out");
    if (!is_parameter && !is_constant && !is_local && !lives_out) {
      out_.append(", preallocated-temp");
    }
    out_.append(":\n");
    for (const WireMessage& assigned : allocation.Messages(9)) {
      const int64_t id = assigned.Int(1);
      const auto found = buffers_.find(id);
      const NamedBuffer buffer =
          found == buffers_.end() ? NamedBuffer{"unknown", "", 0} : found->second;
      fmt::format_to(to, " value: <{} {} @{}> (size={},offset={}): {}\n", id, buffer.name,
                     buffer.color, assigned.Int(3), assigned.Int(2), buffer.shape);
    }
  }

  // The first trace that has events tells when buffers begin and end, in events.
  void WriteLiveRanges() {
    std::vector<std::pair<std::string, std::pair<int64_t, int64_t>>> ranges;
    std::unordered_map<int64_t, size_t> places;
    std::string_view instruction;
    int64_t time = -1;
    std::string sequence;
    for (const WireMessage& trace : assignment_.Messages(4)) {
      for (const WireMessage& event : trace.Messages(1)) {
        if (time < 0 || event.Bytes(4) != instruction) {
          instruction = event.Bytes(4);
          ++time;
          std::string name;
          for (char c : instruction) name.push_back(c >= ' ' && c <= '~' ? c : '_');
          fmt::format_to(std::back_inserter(sequence), "    {}:{}\n", time, name);
        }
        const auto buffer = buffers_.find(event.Int(2));
        if (buffer == buffers_.end()) continue;
        const auto [place, is_new] = places.emplace(event.Int(2), ranges.size());
        if (is_new) ranges.push_back({buffer->second.name, {time, time}});
        ranges[place->second].second.second = time;
      }
    }
    if (ranges.empty()) return;
    const auto to = std::back_inserter(out_);
    fmt::format_to(to, "\n\nHloLiveRange (max {}):\n  InstructionSequence:\n{}", time, sequence);
    out_.append("  BufferLiveRange:\n");
    for (const auto& [name, range] : ranges) {
      fmt::format_to(to, "    {}{}:{}-{}\n", name, name.ends_with('}') ? "" : "{}", range.first,
                     range.second);
    }
  }

  const WireMessage& assignment_;
  std::unordered_map<int64_t, WireMessage> by_id_;
  std::unordered_map<std::string_view, WireMessage> by_name_;
  std::map<int64_t, NamedBuffer> buffers_;
  std::string out_;
};

}  // namespace

std::string BufferAssignmentText(const WireMessage& assignment, const WireMessage& module) {
  return AssignmentText(assignment, module).Write();
}

}  // namespace hlo
