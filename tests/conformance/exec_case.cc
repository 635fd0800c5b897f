#include "tests/conformance/exec_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace hlo {
namespace {

using nlohmann::json;

// More devices than any case has; a larger number is a slip.
constexpr int64_t kMostDevices = 4096;

int64_t IntegerOf(const std::string& text) {
  int64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size()) {
    throw std::runtime_error(fmt::format("'{}' is no number", text));
  }
  return number;
}

// A count that may be absent: then the text says it.
int64_t CountOf(const json& test, const char* name) {
  const json* field = FindField(test, name);
  if (!field) return 0;
  const int64_t count =
      field->is_string() ? IntegerOf(field->get<std::string>()) : field->get<int64_t>();
  if (count < 0 || count > kMostDevices) {
    throw std::runtime_error(fmt::format("{} is {}", name, field->dump()));
  }
  return count;
}

bool IsListOf(const json& list, bool (json::*is)() const noexcept) {
  return list.is_array() && !list.empty() &&
         std::all_of(list.begin(), list.end(), [&](const json& one) { return (one.*is)(); });
}

bool IsListOfLists(const json& list) { return IsListOf(list, &json::is_array); }

std::vector<std::string> TextsOf(const json& inputs) {
  std::vector<std::string> texts;
  for (const json& input : inputs) texts.push_back(TextOf(input));
  return texts;
}

// Devices that a key names: `3`, or `1,0` for a replica and a partition.
size_t DeviceOf(const std::string& key, size_t partitions) {
  const size_t comma = key.find(',');
  const int64_t first = IntegerOf(key.substr(0, comma));
  const int64_t second = comma == std::string::npos ? 0 : IntegerOf(key.substr(comma + 1));
  if (first < 0 || second < 0) throw std::runtime_error(fmt::format("no device is {}", key));
  if (comma == std::string::npos) return static_cast<size_t>(first);
  return static_cast<size_t>(first) * partitions + static_cast<size_t>(second);
}

// How many lists stand in one another.
int Depth(const json& value) {
  int depth = 0;
  if (!value.is_array()) return 0;
  for (const json& element : value) depth = std::max(depth, Depth(element));
  return depth + 1;
}

}  // namespace

const json* FindField(const json& test, const char* name) {
  const auto it = test.find(name);
  return it == test.end() || it->is_null() ? nullptr : &*it;
}

std::string TextOf(const json& literal) {
  if (literal.is_string()) return literal.get<std::string>();
  if (literal.is_number() || literal.is_boolean()) return literal.dump();
  if (!literal.is_array()) {
    throw std::runtime_error(fmt::format("{} is no literal", literal.dump()));
  }
  std::string text = "{";
  for (const json& element : literal) text += (text.size() > 1 ? ", " : "") + TextOf(element);
  return text + "}";
}

Tolerance ToleranceOf(const json& test) {
  const json* t = FindField(test, "tolerance");
  if (!t) return {};
  return {.abs = t->value("abs", 0.0),
          .rel = t->value("rel", 0.0),
          .nan_equal = t->value("nan_equal", true),
          .signed_zero = t->value("signed_zero", false)};
}

namespace {

// As many replicas as there are expected values where nothing else is said. A case that asks for
// values per device without saying how many there are (some name one) has two.
void CountDevices(const json& test, RunOptions* options) {
  options->replicas = CountOf(test, "replica_count");
  options->partitions = CountOf(test, "num_partitions");
  const json* expected = FindField(test, "expected_per_device");
  if (options->replicas > 0 || !expected) return;
  const int64_t partitions = std::max<int64_t>(options->partitions, 1);
  const auto count = static_cast<int64_t>(expected->size());
  // Lists by replica and partition.
  const bool is_by_replica = partitions > 1 && IsListOfLists(*expected) &&
                             expected->at(0).size() == static_cast<size_t>(partitions);
  options->replicas = is_by_replica ? count : std::max<int64_t>(count, 2) / partitions;
}

}  // namespace

RunRequest RequestOf(const json& test) {
  RunRequest request;
  CountDevices(test, &request.options);
  const json* inputs = FindField(test, "inputs");
  if (!inputs) return request;
  const auto partitions = static_cast<size_t>(std::max<int64_t>(request.options.partitions, 1));
  const auto add_device = [&](size_t device, const json& literals) {
    const DeviceSet devices{static_cast<int64_t>(device / partitions),
                            static_cast<int64_t>(device % partitions)};
    int64_t parameter = 0;
    std::vector<std::string> texts = TextsOf(literals);
    for (std::string& text : texts) {
      request.device_inputs.push_back({devices, parameter++, std::move(text), {}});
    }
  };
  if (inputs->is_object()) {
    for (const auto& [key, literals] : inputs->items()) {
      add_device(DeviceOf(key, partitions), literals);
    }
  } else if (IsListOf(*inputs, &json::is_array) && inputs->at(0).size() > 0 &&
             inputs->at(0).at(0).is_string()) {
    for (size_t device = 0; device < inputs->size(); ++device) {
      add_device(device, inputs->at(device));
    }
  } else if (inputs->is_array()) {
    request.inputs = TextsOf(*inputs);
  } else {
    throw std::runtime_error("inputs are no list");
  }
  return request;
}

std::map<size_t, json> ExpectedByDevice(const json& test, size_t partitions, bool is_tuple) {
  const json& expected = test.at("expected_per_device");
  std::map<size_t, json> by_device;
  const auto add = [&](size_t device, const json& value) {
    if (!value.is_null()) by_device.emplace(device, value);
  };
  // One list more than a value has: by partition.
  const auto add_replica = [&](size_t replica, const json& values) {
    for (size_t i = 0; i < values.size(); ++i) add(replica * partitions + i, values[i]);
  };
  if (expected.is_object()) {
    for (const auto& [key, value] : expected.items()) add(DeviceOf(key, partitions), value);
    return by_device;
  }
  if (!expected.is_array()) throw std::runtime_error("expected_per_device is no list");
  const bool is_by_partition = IsListOfLists(expected) && expected[0].size() == partitions &&
                               (!is_tuple || Depth(expected[0]) > 1 || partitions > 1);
  for (size_t i = 0; i < expected.size(); ++i) {
    if (is_by_partition) {
      add_replica(i, expected[i]);
    } else {
      add(i, expected[i]);
    }
  }
  return by_device;
}

}  // namespace hlo
