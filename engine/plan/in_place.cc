#include "engine/plan/in_place.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/base/work_limit.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

/// Fusions inside of fusions are followed no further than this.
constexpr int kMostNesting = 32;

/// An array in the value of an instruction.
struct ArrayPlace {
  const Instruction* instruction;
  Dims index;
};

/// Whether what is in its computation is part of it: a fusion.
bool IsFused(const Instruction& instruction) {
  const OpDef& def = instruction.def();
  return def.runs == Runs::kOne && !def.control_flow;
}

/// Where the array was made: behind tuples, elements of them, bitcasts and barriers.
ArrayPlace MakerOf(ArrayPlace place) {
  while (place.instruction->operand_count() > 0) {
    CountWork();
    const Instruction& at = *place.instruction;
    const ResultBuffers buffers = at.def().buffers;
    if (buffers == ResultBuffers::kElement) {
      place.index.insert(place.index.begin(), at.attrs().Int("index", 0));
      place.instruction = at.operand(0);
    } else if (buffers == ResultBuffers::kOperands && !place.index.empty()) {
      const int64_t element = place.index.front();
      if (element < 0 || element >= at.operand_count()) break;
      place.index.erase(place.index.begin());
      place.instruction = at.operand(static_cast<int>(element));
    } else if (buffers == ResultBuffers::kOperand) {
      place.instruction = at.operand(0);
    } else {
      break;
    }
  }
  return place;
}

std::optional<Alias> AliasOf(const ArrayPlace& place, int nesting);

/// The operand of the fusion that its result at this index is written over.
std::optional<Alias> FusedAlias(const Instruction& fusion, const Dims& index, int nesting) {
  const Region* region = fusion.attrs().GetRegion("calls");
  const Computation* fused = region ? AsComputation(region) : nullptr;
  if (!fused || !fused->root() || nesting == kMostNesting) return std::nullopt;
  const ArrayPlace result = MakerOf({fused->root(), index});
  const std::optional<Alias> written = AliasOf(result, nesting + 1);
  if (!written) return std::nullopt;
  ArrayPlace source = MakerOf(
      {result.instruction->operand(static_cast<int>(written->operand)), written->operand_index});
  if (IsFused(*source.instruction)) {
    if (const std::optional<Alias> inner = AliasOf(source, nesting + 1)) {
      source = MakerOf(
          {source.instruction->operand(static_cast<int>(inner->operand)), inner->operand_index});
    }
  }
  if (source.instruction->opcode() != Opcode::kParameter) return std::nullopt;
  return Alias{index, source.instruction->attrs().Int("number", -1), source.index};
}

/// What an array of a result is written over.
std::optional<Alias> AliasOf(const ArrayPlace& place, int nesting) {
  const Instruction& instruction = *place.instruction;
  std::optional<Alias> alias;
  for (const Alias& written : instruction.attrs().Aliases("output_to_operand_aliasing")) {
    CountWork();
    if (written.output_index == place.index) alias = written;
  }
  const int first = instruction.def().written_operand;
  if (first >= 0 && place.index.size() <= 1) {
    const int64_t number = place.index.empty() ? 0 : place.index[0];
    alias = {place.index, first + number, {}};
  } else if (IsFused(instruction) && !alias) {
    alias = FusedAlias(instruction, place.index, nesting);
  }
  const bool is_there =
      alias && alias->operand >= 0 && alias->operand < instruction.operand_count();
  return is_there ? alias : std::nullopt;
}

}  // namespace

std::vector<Alias> WrittenInPlace(const Instruction& instruction) {
  const bool may = instruction.def().written_operand >= 0 || IsFused(instruction) ||
                   instruction.attrs().Has("output_to_operand_aliasing");
  std::vector<Alias> written;
  if (!may) return written;
  const auto add = [&](Dims index) {
    if (auto alias = AliasOf({&instruction, std::move(index)}, 0)) {
      written.push_back(std::move(*alias));
    }
  };
  const Shape& shape = instruction.shape();
  if (!shape.IsTuple()) {
    add({});
    return written;
  }
  for (size_t i = 0; i < shape.elements().size(); ++i) add({static_cast<int64_t>(i)});
  return written;
}

}  // namespace hlo
