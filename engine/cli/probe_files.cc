#include "engine/cli/probe_files.h"

#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "engine/cli/files.h"
#include "engine/io/npy.h"
#include "engine/mlir/text/mlir_text.h"

namespace hlo {
namespace {

// Ids may have commas; types of arrays have none.
constexpr std::string_view kTypeBegin = ",tensor<";

bool WriteParts(const std::string& path, const char* mode, std::string_view first,
                std::string_view second, std::string* problem) {
  std::FILE* file = std::fopen(path.c_str(), mode);
  bool ok = file != nullptr;
  if (file) {
    ok = std::fwrite(first.data(), 1, first.size(), file) == first.size() &&
         std::fwrite(second.data(), 1, second.size(), file) == second.size();
    ok = std::fclose(file) == 0 && ok;
  }
  if (!ok) *problem = path + ": cannot be written";
  return ok;
}

}  // namespace

ProbeFiles::ProbeFiles(std::string directory) : directory_(std::move(directory)) {
  std::string problem;
  const std::string text = ReadWhole(directory_ + "/index.csv", &problem).value_or("");
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    begin = end + 1;
    const size_t type = line.rfind(kTypeBegin);
    const size_t file = type == line.npos ? type : line.find(',', type + 1);
    if (file == line.npos) continue;
    lines_.push_back({std::string(line.substr(0, type)), std::string(line.substr(file + 1))});
  }
}

Probes::Reader ProbeFiles::Reader() const {
  return [lines = lines_](std::string_view id, int64_t iteration,
                          const Shape& wanted) -> std::optional<Value> {
    for (const Line& line : lines) {
      if (line.id != id || iteration-- > 0) continue;
      std::string problem;
      const auto bytes = ReadWhole(line.file, &problem);
      Diagnostics faults;
      std::optional<Tensor> tensor;
      if (bytes) {
        const auto* data = reinterpret_cast<const std::byte*>(bytes->data());
        tensor = ParseNpy({data, bytes->size()}, wanted.element_type(), faults);
      }
      if (tensor) return Value(std::move(*tensor));
      if (!faults.empty()) problem = line.file + ": " + faults.list().front().message;
      throw RunError(DiagCode::kInputInvalid, problem);
    }
    return std::nullopt;
  };
}

bool ProbeFiles::Write(const Probes& probes, std::string* problem) {
  std::string index;
  for (const Probes::Entry& entry : probes.entries()) {
    if (entry.is_print || !entry.value.is_array()) continue;
    // Ids may be any text; numbers are safe names.
    const std::string path = fmt::format("{}/probe{}.npy", directory_, lines_.size() + 1);
    const Tensor& tensor = entry.value.tensor();
    const std::string_view bytes(reinterpret_cast<const char*>(tensor.bytes()),
                                 static_cast<size_t>(tensor.byte_size()));
    if (!WriteParts(path, "wb", NpyHeader(tensor), bytes, problem)) return false;
    index += entry.id + ',';
    mlir::AppendType(entry.shape, &index);
    index += ',' + path + '\n';
    lines_.push_back({entry.id, path});
  }
  return index.empty() || WriteParts(directory_ + "/index.csv", "ab", index, "", problem);
}

}  // namespace hlo
