#include "engine/plan/in_place.h"

#include <optional>
#include <string_view>
#include <utility>

#include "engine/base/work_limit.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

constexpr std::string_view kWritten = "output_to_operand_aliasing";

/// Fusions inside of fusions are followed no further than this.
constexpr int kMostNesting = 32;

/// An array in the value of an instruction.
struct ArrayPlace {
  const Instruction* instruction;
  Dims index;
};

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

bool IsThere(const Alias& alias, const Instruction& instruction) {
  return alias.operand >= 0 && alias.operand < instruction.operand_count();
}

/// What an array of a result is written over by what the instruction does.
std::optional<Alias> OwnAlias(const ArrayPlace& place, int nesting) {
  const Instruction& instruction = *place.instruction;
  const int8_t first = instruction.def().written_operand;
  if (first < 0) {
    return IsFused(instruction) ? FusedAlias(instruction, place.index, nesting) : std::nullopt;
  }
  const int64_t number = place.index.empty() ? 0 : place.index[0];
  return Alias{place.index, first + number, {}};
}

/// What it is written over, by that or by what the instruction says.
std::optional<Alias> AliasOf(const ArrayPlace& place, int nesting) {
  std::optional<Alias> alias = OwnAlias(place, nesting);
  for (const Alias& written : place.instruction->attrs().Aliases(kWritten)) {
    CountWork();
    if (written.output_index == place.index) alias = written;
  }
  return alias && IsThere(*alias, *place.instruction) ? alias : std::nullopt;
}

}  // namespace

std::vector<Alias> WrittenInPlace(const Instruction& instruction) {
  std::vector<Alias> written;
  const auto add = [&](std::optional<Alias> alias) {
    CountWork();
    if (alias && IsThere(*alias, instruction)) written.push_back(std::move(*alias));
  };
  if (instruction.def().written_operand >= 0 || IsFused(instruction)) {
    const Shape& shape = instruction.shape();
    if (!shape.IsTuple()) add(OwnAlias({&instruction, {}}, 0));
    const size_t count = shape.IsTuple() ? shape.elements().size() : 0;
    for (size_t i = 0; i < count; ++i) {
      add(OwnAlias({&instruction, {static_cast<int64_t>(i)}}, 0));
    }
  }
  for (const Alias& alias : instruction.attrs().Aliases(kWritten)) add(alias);
  return written;
}

}  // namespace hlo
