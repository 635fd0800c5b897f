#include "engine/cli/run_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "engine/cli/files.h"

namespace hlo {
namespace {

// A number of up to six digits; nothing for any other text.
std::optional<int64_t> SmallNumber(std::string_view text) {
  constexpr size_t kMostDigits = 6;
  if (text.empty() || text.size() > kMostDigits ||
      text.find_first_not_of("0123456789") != std::string_view::npos) {
    return std::nullopt;
  }
  return std::stoll(std::string(text));
}

// `R.P`; either may be `*`, for all.
std::optional<DeviceSet> ParseDevices(std::string_view text) {
  const size_t dot = text.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  auto part = [](std::string_view id) { return id == "*" ? int64_t{-1} : SmallNumber(id); };
  const std::optional<int64_t> replica = part(text.substr(0, dot));
  const std::optional<int64_t> partition = part(text.substr(dot + 1));
  if (!replica || !partition) return std::nullopt;
  return DeviceSet{*replica, *partition};
}

// `[R.P:]KEY=SPEC`, as the options that give values have it; KEY is a number.
struct ValueArgument {
  DeviceSet devices;
  int64_t key = 0;
  std::string spec;
};

std::optional<ValueArgument> ParseValueArgument(std::string_view argument) {
  const size_t equals = argument.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  ValueArgument value;
  value.spec = argument.substr(equals + 1);
  std::string_view key = argument.substr(0, equals);
  const size_t colon = key.find(':');
  if (colon != std::string_view::npos) {
    const auto devices = ParseDevices(key.substr(0, colon));
    if (!devices) return std::nullopt;
    value.devices = *devices;
    key.remove_prefix(colon + 1);
  }
  const auto number = SmallNumber(key);
  if (!number) return std::nullopt;
  value.key = *number;
  return value;
}

}  // namespace

bool AddInput(const std::string& argument, RunRequest& request, std::string* problem,
              std::string_view option) {
  const auto value = ParseValueArgument(argument);
  if (!value) {
    *problem = fmt::format(
        "{} expects N=VALUE or REPLICA.PARTITION:N=VALUE with the number of a "
        "parameter, not '{}'",
        option, argument);
    return false;
  }
  DeviceInput input{value->devices, value->key, value->spec, std::nullopt};
  if (value->spec.starts_with("@")) {
    auto bytes = ReadWhole(value->spec.substr(1), problem);
    if (!bytes) return false;
    const auto content = std::as_bytes(std::span(*bytes));
    input.file = InputFile{value->key, {content.begin(), content.end()}};
  }
  if (!value->devices.is_all()) {
    request.device_inputs.push_back(std::move(input));
    return true;
  }
  // The last one counts, as of most options.
  std::erase_if(request.files, [&](const InputFile& file) { return file.parameter == value->key; });
  const size_t parameter = static_cast<size_t>(value->key);
  if (request.inputs.size() <= parameter) request.inputs.resize(parameter + 1);
  request.inputs[parameter] = input.file ? std::string() : value->spec;
  if (input.file) request.files.push_back(std::move(*input.file));
  return true;
}

bool AddHostInput(const std::string& argument, bool has_channel, RunRequest& request,
                  std::string* problem) {
  HostInput input;
  std::string_view rest = argument;
  const size_t colon = std::min(rest.find(':'), rest.size());
  if (const auto devices = ParseDevices(rest.substr(0, colon)); devices && colon < rest.size()) {
    input.devices = *devices;
    rest.remove_prefix(colon + 1);
  }
  if (has_channel) {
    const size_t equals = std::min(rest.find('='), rest.size());
    input.channel = SmallNumber(rest.substr(0, equals));
    if (!input.channel || equals == rest.size()) {
      *problem = fmt::format(
          "--receive expects CHANNEL=VALUE or REPLICA.PARTITION:CHANNEL=VALUE, not '{}'", argument);
      return false;
    }
    rest.remove_prefix(equals + 1);
  }
  input.spec = rest;
  request.options.host_inputs.push_back(std::move(input));
  return true;
}

}  // namespace hlo
