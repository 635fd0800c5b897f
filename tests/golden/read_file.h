// The bytes of a file, for tests of every folder.
#ifndef HLO_TESTS_GOLDEN_READ_FILE_H_
#define HLO_TESTS_GOLDEN_READ_FILE_H_

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace hlo {

/// Empty when the file cannot be read.
inline std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace hlo

#endif  // HLO_TESTS_GOLDEN_READ_FILE_H_
