#include "engine/layout/memory_space.h"

#include <fmt/format.h>

namespace hlo {
namespace {

constexpr MemorySpace kSpaces[] = {
    {0, "HBM", "the device's main memory"},
    {1, "VMEM", "fast memory on the chip, a TPU's vector memory"},
    {2, "SFLAG", "a TPU's semaphores"},
    {4, "SMEM", "a TPU's scalar memory"},
    {kHostMemorySpace, "host", "the memory of the host"},
};

const MemorySpace* Find(int64_t number) {
  for (const MemorySpace& space : kSpaces) {
    if (space.number == number) return &space;
  }
  return nullptr;
}

}  // namespace

std::string MemorySpaceName(int64_t number) {
  const MemorySpace* space = Find(number);
  return space ? std::string(space->name) : fmt::format("S({})", number);
}

std::string_view MemorySpaceDoc(int64_t number) {
  const MemorySpace* space = Find(number);
  return space ? space->doc : "a device-specific memory";
}

}  // namespace hlo
