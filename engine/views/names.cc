#include "engine/views/names.h"

#include <fmt/format.h>

#include <algorithm>

namespace hlo {
namespace {

constexpr std::string_view kDigits = "0123456789";

// The number of v12, or of v12.1, which was the second of its name; empty for other names.
std::string_view NumberOf(std::string_view name) {
  if (!name.starts_with('v')) return "";
  name.remove_prefix(1);
  const size_t length = std::min(name.find_first_not_of(kDigits), name.size());
  const std::string_view rest = name.substr(length);
  const bool is_numbered = rest.empty() || rest[0] == '.';
  if (!is_numbered || rest.find_first_not_of("0123456789.") != std::string_view::npos) return "";
  return name.substr(0, length);
}

// The number of a value that the text has at a place: of `%12 = ...`; else empty.
std::string_view NumberAt(std::string_view text, Range place) {
  if (place.begin >= text.size() || text[place.begin] != '%') return "";
  text.remove_prefix(place.begin + 1);
  return text.substr(0, std::min(text.find_first_not_of(kDigits), text.size()));
}

// The tuple of an operation's results of which this is one, if they have one name: `%r:2 = ...`.
const Instruction* SplitByText(const Instruction& instruction) {
  if (instruction.opcode() != Opcode::kGetTupleElement) return nullptr;
  const Instruction* all = instruction.operand_count() == 1 ? instruction.operand(0) : nullptr;
  const Range place = instruction.places().name;
  return all && place.begin < place.end && all->places().name == place ? all : nullptr;
}

// What the text has at the place of a name, if that is this name: with its sigil, and without the
// number that makes names unique in the module.
std::string_view WrittenName(const Document& document, Range place, std::string_view name) {
  const std::string_view text = document.text();
  if (place.begin >= place.end || place.end > text.size()) return {};
  const std::string_view written = text.substr(place.begin, place.end - place.begin);
  const std::string_view bare = BareName(written);
  if (bare.empty() || !name.starts_with(bare)) return {};
  const std::string_view rest = name.substr(bare.size());
  const bool is_numbered =
      rest.starts_with('.') && rest.find_first_not_of(kDigits, 1) == std::string_view::npos;
  return rest.empty() || is_numbered ? written : std::string_view();
}

}  // namespace

std::string ShownName(const Document& document, const Instruction& instruction) {
  std::string_view name = instruction.name();
  const std::string_view text = document.text();
  const Range place = instruction.places().name;
  const bool is_mlir = document.kind() == TextKind::kMlir;
  if (const Instruction* all = is_mlir ? SplitByText(instruction) : nullptr) {
    return ShownName(document, *all) + "#" + std::to_string(instruction.attrs().Int("index"));
  }
  const std::string_view written = WrittenName(document, place, name);
  if (!written.empty()) return std::string(written);
  if (!is_mlir) return std::string(name);
  // Of an op that became several instructions only the last has the place of the result.
  const std::string_view number = NumberOf(name);
  if (!number.empty() && number == NumberAt(text, place)) {
    name = number;
  } else if (!number.empty() && number == NumberAt(text, instruction.places().whole)) {
    name.remove_prefix(1);
  }
  return "%" + std::string(name);
}

std::string ShownName(const Document& document, const Computation& computation) {
  const std::string_view name = computation.name();
  const Range place = computation.name_range();
  if (document.kind() == TextKind::kMlir) {
    return (place.begin < place.end ? "@" : "") + std::string(name);
  }
  const std::string_view written = WrittenName(document, place, name);
  return std::string(written.empty() ? name : written);
}

std::vector<const Instruction*> InstructionsShownAs(const Document& document,
                                                    std::string_view place) {
  std::vector<const Instruction*> found;
  const size_t slash = place.rfind('/');
  const std::string_view computation =
      slash == place.npos ? std::string_view() : BareName(place.substr(0, slash));
  const std::string_view name = BareName(slash == place.npos ? place : place.substr(slash + 1));
  size_t of_entry = 0;
  for (const Computation& each : document.module()->computations()) {
    if (!computation.empty() && computation != each.name() &&
        computation != BareName(ShownName(document, each))) {
      continue;
    }
    const bool is_entry = &each == document.module()->entry();
    for (const Instruction& instruction : each.instructions()) {
      if (instruction.name() != name && BareName(ShownName(document, instruction)) != name)
        continue;
      const size_t at = is_entry ? of_entry++ : found.size();
      found.insert(found.begin() + static_cast<std::ptrdiff_t>(at), &instruction);
    }
  }
  return found;
}

const Instruction* OneInstruction(const Document& document, std::string_view place,
                                  std::string* problem, const Computation* in) {
  const auto all = InstructionsShownAs(document, place);
  if (all.empty()) {
    *problem = fmt::format("there is no instruction '{}'", place);
    return nullptr;
  }
  const auto in_wanted = std::find_if(
      all.begin(), all.end(), [in](const Instruction* each) { return each->parent() == in; });
  if (in_wanted != all.end()) return *in_wanted;
  if (all.size() == 1 || all[0]->parent() == document.module()->entry()) return all[0];
  const std::string first = ShownName(document, *all[0]->parent());
  *problem = fmt::format("'{}' is in {} and {}{}: write {}/{}", place, first,
                         ShownName(document, *all[1]->parent()), all.size() == 2 ? "" : ", ...",
                         first, place);
  return nullptr;
}

const Instruction* FindShown(const Document& document, std::string_view name,
                             std::string_view computation) {
  const Module* const module = document.module();
  name = BareName(name);
  computation = BareName(computation);
  if (!module || name.empty()) return nullptr;
  const Instruction* best = nullptr;
  int best_rank = 0;
  for (const Computation& each : module->computations()) {
    const int rank = each.name() == computation ? 3 : &each == module->entry() ? 2 : 1;
    if (rank <= best_rank) continue;
    const Instruction* found = each.Find(name);
    for (const Instruction& instruction : each.instructions()) {
      if (found) break;
      if (BareName(ShownName(document, instruction)) == name) found = &instruction;
    }
    if (found) best_rank = rank, best = found;
  }
  return best;
}

std::string_view BareName(std::string_view name) {
  if (name.starts_with('%')) name.remove_prefix(1);
  return name;
}

std::string_view SigilAt(std::string_view text, Range name) {
  const std::string_view written = text.substr(name.begin, name.end - name.begin);
  const bool has_one =
      !written.empty() && std::string_view("%@#!^").find(written[0]) != std::string_view::npos;
  return written.substr(0, has_one ? 1 : 0);
}

}  // namespace hlo
