// A program as what its driver does: functions that are called, copies, loops and branches, over
// arrays that are numbered and not placed yet.
#ifndef HLO_ENGINE_STANDALONE_PROGRAM_H_
#define HLO_ENGINE_STANDALONE_PROGRAM_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/types/element_type.h"

namespace hlo {

/// An array, which has one place for as long as it is needed.
struct StoredArray {
  int64_t bytes = 0;
  /// Of constants: where they are in the module's data. They are never written to.
  std::optional<uint32_t> address;
};

struct DriverBlock;

/// One thing that the driver does.
struct DriverStep {
  enum class Kind : uint8_t {
    kCall,         ///< a function on the addresses of reads, then those of writes
    kRegion,       ///< a CodeFunction on `count` lanes; its places are in the module's data
    kCopy,         ///< reads[0] to writes[0]; nothing if both are in one place
    kWhile,        ///< blocks[0], then blocks[1] for as long as reads[0] holds after it
    kConditional,  ///< one of the blocks, by reads[0]
  };
  Kind kind = Kind::kCall;
  uint32_t function = 0;
  int32_t count = 0;
  /// Arrays that are needed before, and those that are written from the first to the last byte, or
  /// (if it is among the reads too) in part.
  std::vector<int32_t> reads, writes;
  /// Of kRegion: the table of addresses in the data, and what they are.
  uint32_t table = 0;
  struct Place {
    int32_t array = -1;  ///< -1: it is not in memory
    int64_t offset = 0;  ///< in bytes
  };
  std::vector<Place> places;  ///< by scalar
  /// Pairs of what is read and what may be written over it.
  struct Over {
    int32_t read = 0;
    int32_t write = 0;
  };
  std::vector<Over> over;
  bool is_pred = false;  ///< of kConditional: the selector is a pred, else an s32
  std::vector<DriverBlock> blocks;
};

struct DriverBlock {
  std::vector<DriverStep> steps;
};

struct DriverProgram {
  std::vector<StoredArray> arrays;
  DriverBlock main;
  std::vector<int32_t> parameters;  ///< by array of the parameters: -1 when nothing reads it
  std::vector<int32_t> results;     ///< by array of the result
};

}  // namespace hlo

#endif  // HLO_ENGINE_STANDALONE_PROGRAM_H_
