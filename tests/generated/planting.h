// Generated programs in which a NaN is planted: by itself, in loops, in branches, in what is
// called, in regions, on one device of several.
#ifndef HLO_TESTS_GENERATED_PLANTING_H_
#define HLO_TESTS_GENERATED_PLANTING_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>

#include "engine/views/document.h"
#include "tests/generated/program.h"

namespace hlo {

/// Where an instruction is executed.
struct Spot {
  bool in_loop = false, in_branch = false, in_call = false, in_async = false;
  /// The instruction is a scan, which may run step by step.
  bool is_scan = false;
  /// Executed as a part of this instruction: the region of a reduction, say. Null: by itself.
  const Instruction* part_of = nullptr;
  /// Where that is a scan: the instruction of its body that this is a part of. Null: by itself.
  const Instruction* step_of_scan = nullptr;
};

/// An instruction that is said to have made a NaN, and the device that executed it.
struct Maker {
  std::string computation, name;
  int64_t device = 0;
  bool operator==(const Maker&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Maker& maker);

/// A program with a NaN planted in it, and what must be said of it.
struct PlantedCase {
  std::shared_ptr<const Document> plain, document;
  Program program;
  Spot spot;
  Maker expected;
  bool is_on_one = false;
};

/// Nothing where the program of this seed has no place for it.
std::optional<PlantedCase> MakePlanted(uint64_t seed);

}  // namespace hlo

#endif  // HLO_TESTS_GENERATED_PLANTING_H_
