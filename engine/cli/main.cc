#include <cstdio>
#include <string>
#include <vector>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "engine/cli/command.h"

namespace {

bool Write(std::FILE* stream, const std::string& text) {
  return std::fwrite(text.data(), 1, text.size(), stream) == text.size() &&
         std::fflush(stream) == 0;
}

/// The memory of large arrays goes back to the allocator and not to the system, which would clear
/// it and map it again for the next array: a loop over arrays of 16 MiB took three times as long.
void KeepMemory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
#endif
}

}  // namespace

int main(int argc, char** argv) {
  KeepMemory();
  bool written = true;
  const auto show = [&](hlo::CommandResult& shown) {
    written = Write(stdout, shown.out) && Write(stderr, shown.err) && written;
    shown.out.clear();
    shown.err.clear();
  };
  hlo::CommandResult result = hlo::RunCommand({argv + 1, argv + argc}, show);
  show(result);
  return written ? result.status : hlo::kExitUsage;
}
