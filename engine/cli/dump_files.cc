#include "engine/cli/dump_files.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "engine/io/npy.h"
#include "engine/proto/snapshot_values.h"

namespace hlo {

std::optional<ProgramFile> ProgramFileOf(std::string bytes, Diagnostics& diagnostics) {
  if (!LooksLikeDump(bytes)) return ProgramFile{std::move(bytes), std::nullopt};
  auto dump = ReadDumpFile(bytes, diagnostics);
  if (!dump) return std::nullopt;
  ProgramFile file{dump->text, std::nullopt};
  file.dump = std::move(*dump);
  return file;
}

void AddArguments(const DumpFile& dump, RunRequest& request) {
  const size_t count = dump.arguments.size();
  request.inputs.resize(std::max(request.inputs.size(), count));
  std::vector<bool> is_given(count);
  for (size_t i = 0; i < count; ++i) is_given[i] = !request.inputs[i].empty();
  for (const InputFile& file : request.files) {
    if (static_cast<size_t>(file.parameter) < count) {
      is_given[static_cast<size_t>(file.parameter)] = true;
    }
  }
  for (size_t i = 0; i < count; ++i) {
    if (is_given[i]) continue;
    const ShapedLiteral& argument = dump.arguments[i];
    if (!argument.literal.value.is_array()) {
      request.inputs[i] = LiteralText(argument.literal.value, argument.shape, {.shape = true});
      continue;
    }
    const Tensor& tensor = argument.literal.value.tensor();
    const std::string header = NpyHeader(tensor);
    InputFile file{static_cast<int64_t>(i), {}};
    const auto* begin = reinterpret_cast<const std::byte*>(header.data());
    file.bytes.assign(begin, begin + header.size());
    file.bytes.insert(file.bytes.end(), tensor.bytes(), tensor.bytes() + tensor.byte_size());
    request.files.push_back(std::move(file));
  }
}

std::string ComparedWithSnapshot(const DumpFile& dump, const RunRecord& record) {
  if (!dump.result || !record.output) return {};
  return DifferencesText(
      DifferencesFrom(*dump.result, *record.output, record.entry().result_shape()));
}

}  // namespace hlo
