#include <cstdio>
#include <string>
#include <vector>

#include "engine/cli/command.h"

namespace {

bool Write(std::FILE* stream, const std::string& text) {
  return std::fwrite(text.data(), 1, text.size(), stream) == text.size() &&
         std::fflush(stream) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  const hlo::CommandResult result = hlo::RunCommand({argv + 1, argv + argc});
  const bool written = Write(stdout, result.out) && Write(stderr, result.err);
  return written ? result.status : hlo::kExitUsage;
}
