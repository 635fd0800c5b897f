#include "engine/cli/files.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace hlo {

std::optional<std::string> ReadWhole(const std::string& path, std::string* problem) {
  struct Closer {
    void operator()(std::FILE* file) const {
      if (file != stdin) std::fclose(file);
    }
  };
  errno = 0;
  std::unique_ptr<std::FILE, Closer> file(path == "-" ? stdin : std::fopen(path.c_str(), "rb"));
  std::string text;
  if (file) {
    char block[1 << 16];
    size_t n = sizeof(block);
    // Less than a block is the end: to ask a terminal again would take the sign for the end again.
    while (n == sizeof(block)) {
      n = std::fread(block, 1, sizeof(block), file.get());
      text.append(block, n);
    }
    if (!std::ferror(file.get())) return text;
  }
  *problem = path + ": " + (errno != 0 ? std::strerror(errno) : "cannot be read");
  return std::nullopt;
}

bool ReadLine(std::string* line) {
  line->clear();
  int c = 0;
  while ((c = std::getchar()) != EOF && c != '\n') line->push_back(static_cast<char>(c));
  return c != EOF || !line->empty();
}

bool WriteWhole(const std::string& path, std::string_view bytes, std::string* problem) {
  errno = 0;
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  bool ok = file != nullptr;
  if (file) {
    ok = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    ok = std::fclose(file) == 0 && ok;
  }
  if (!ok) *problem = path + ": " + (errno != 0 ? std::strerror(errno) : "cannot be written");
  return ok;
}

}  // namespace hlo
