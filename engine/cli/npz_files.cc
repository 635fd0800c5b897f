#include "engine/cli/npz_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/cli/files.h"
#include "engine/io/npy.h"
#include "engine/io/zip.h"
#include "engine/views/run_inputs.h"

namespace hlo {
namespace {

constexpr std::string_view kNpy = ".npy";
constexpr uint64_t kMostArchive = (uint64_t{1} << 32) - (uint64_t{1} << 20);

std::string PlainName(std::string_view name) {
  std::string plain(name.substr(name.starts_with('%') ? 1 : 0));
  for (char& c : plain) {
    const bool is_plain =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '_';
    if (!is_plain) c = '_';
  }
  return plain;
}

// "arr_3"
std::optional<size_t> NumberOfArray(std::string_view name) {
  constexpr std::string_view kPrefix = "arr_";
  if (!name.starts_with(kPrefix) || name.size() == kPrefix.size() || name.size() > 10) {
    return std::nullopt;
  }
  const std::string digits(name.substr(kPrefix.size()));
  if (digits.find_first_not_of("0123456789") != digits.npos) return std::nullopt;
  return std::stoul(digits);
}

// The parameter of each name: nothing where there is none. Names and numbers may mean parameters
// that have been given an input otherwise; what goes by order does not.
std::vector<std::optional<size_t>> ParametersOf(const std::vector<std::string>& names,
                                                const std::vector<std::string>& parameters,
                                                const std::vector<bool>& given) {
  std::vector<bool> used(parameters.size());
  std::vector<std::optional<size_t>> chosen(names.size());
  auto take = [&](size_t name, size_t parameter) {
    if (parameter >= used.size() || used[parameter]) return;
    chosen[name] = parameter;
    used[parameter] = true;
  };
  std::unordered_map<std::string_view, size_t> number_of;
  for (size_t i = 0; i < parameters.size(); ++i) number_of.try_emplace(parameters[i], i);
  for (size_t i = 0; i < names.size(); ++i) {
    const auto found = number_of.find(names[i]);
    if (found != number_of.end()) take(i, found->second);
  }
  for (size_t i = 0; i < names.size(); ++i) {
    const auto number = NumberOfArray(names[i]);
    if (!chosen[i] && number) take(i, *number);
  }
  // Where some have names of parameters, another name is none that was mistyped.
  const bool are_named = std::any_of(chosen.begin(), chosen.end(),
                                     [](const auto& parameter) { return parameter.has_value(); });
  if (are_named) return chosen;
  used = given;
  for (size_t i = 0, next = 0; i < names.size(); ++i) {
    while (next < used.size() && used[next]) ++next;
    take(i, next);
  }
  return chosen;
}

void AddArrays(const std::string& name, const Value& value, ZipWriter& zip, uint64_t* bytes) {
  if (value.is_tuple()) {
    for (size_t i = 0; i < value.elements().size(); ++i) {
      AddArrays(fmt::format("{}_{}", name, i), value.elements()[i], zip, bytes);
    }
  } else if (value.is_array() && value.tensor().HoldsElements()) {
    const Tensor& tensor = value.tensor();
    *bytes += static_cast<uint64_t>(tensor.byte_size());
    if (*bytes > kMostArchive) return;
    zip.Add(name + std::string(kNpy), NpyFile(tensor));
  }
}

}  // namespace

bool AddArchive(const std::string& path, std::string_view program, RunRequest& request,
                std::string* problem) {
  const auto bytes = ReadWhole(path, problem);
  if (!bytes) return false;
  const auto content = std::as_bytes(std::span(*bytes));
  std::string why;
  auto entries = ReadZip(content, request.limits.memory_bytes, &why);
  if (!entries) {
    *problem = fmt::format("{}: {}", path, why);
    return false;
  }
  if (entries->empty()) {
    *problem = fmt::format("{}: the archive has no arrays", path);
    return false;
  }
  const Document document(std::string(program), VerifierOptions(), InputsOf(request));
  // What is wrong with the program its run tells.
  if (!document.module() || !document.module()->entry()) return true;
  std::vector<std::string> names, parameters;
  for (const ZipEntry& entry : *entries) {
    const std::string_view name = entry.name;
    names.emplace_back(name.ends_with(kNpy) ? name.substr(0, name.size() - kNpy.size()) : name);
  }
  for (const Instruction* parameter : document.module()->entry()->parameters()) {
    parameters.push_back(PlainName(parameter->name()));
  }
  std::vector<bool> given(parameters.size());
  for (const InputFile& file : request.files) {
    if (static_cast<size_t>(file.parameter) < given.size()) {
      given[static_cast<size_t>(file.parameter)] = true;
    }
  }
  for (size_t i = 0; i < std::min(request.inputs.size(), given.size()); ++i) {
    if (!request.inputs[i].empty()) given[i] = true;
  }
  const auto chosen = ParametersOf(names, parameters, given);
  for (size_t i = 0; i < names.size(); ++i) {
    if (!chosen[i]) {
      const bool is_twice = std::count(names.begin(), names.end(), names[i]) > 1;
      *problem = is_twice ? fmt::format("{}: the archive has {} twice", path, names[i])
                          : fmt::format("{}: {} is no parameter of the program, which has {}", path,
                                        names[i], fmt::join(parameters, ", "));
      return false;
    }
    if (given[*chosen[i]]) continue;  // what is said of one parameter holds
    request.files.push_back({static_cast<int64_t>(*chosen[i]), std::move((*entries)[i].bytes)});
  }
  return true;
}

bool SaveResults(const RunRecord& record, const std::string& path, std::string* problem) {
  ZipWriter zip;
  uint64_t bytes = 0;
  if (record.devices.empty()) {
    if (record.output) AddArrays("output", *record.output, zip, &bytes);
  } else {
    for (size_t device = 0; device < record.devices.size(); ++device) {
      const auto& output = record.devices[device].output;
      if (output) AddArrays(fmt::format("device{}_output", device), *output, zip, &bytes);
    }
  }
  if (bytes > kMostArchive) {
    *problem = fmt::format("{}: the results are {} bytes, and an archive holds 4 GiB", path, bytes);
    return false;
  }
  if (zip.count() > ZipWriter::kMostFiles) {
    *problem = fmt::format("{}: the results are {} arrays, and an archive holds {}", path,
                           zip.count(), ZipWriter::kMostFiles);
    return false;
  }
  return WriteWhole(path, zip.Finish(), problem);
}

}  // namespace hlo
