#include "engine/standalone/module.h"

#include <algorithm>

#include "engine/codegen/binary_format.h"
#include "engine/codegen/module_writer.h"
#include "engine/standalone/lane_functions.h"
#include "engine/standalone/multiply_add.h"
#include "engine/standalone/scalar_functions.h"

namespace hlo {
namespace {

constexpr size_t kDataAligned = 16;
constexpr int64_t kPage = int64_t{1} << 16;

}  // namespace

StandaloneModule::StandaloneModule() {
  using enum CodeType;
  // In the order of ImportedFunction. Nobody counts steps here.
  constexpr CodeType kNumbers[] = {kI32, kI32}, kLane[] = {kF32, kF32, kI32};
  CodeBytes report, lane;
  AppendSignature(kNumbers, {}, &report);
  AppendSignature(kLane, {kLane, 1}, &lane);
  signatures_ = {report, lane};
  by_parameters_.emplace(2, 0);
  functions_ = {{FunctionWriter(2).Finish(), 0}, {WriteNoFunctionOfLane(), 1}};
  vectors_.set_functions(this);
}

uint32_t StandaloneModule::NumberOf(const ScalarFunction& function) {
  const auto at = scalar_functions_.find(function);
  if (at != scalar_functions_.end()) return at->second;
  // Those that it calls come first.
  CodeBytes code = WriteScalarFunction(function, this);
  const auto number = static_cast<uint32_t>(functions_.size());
  functions_.push_back({std::move(code), SignatureOf(ParametersOf(function), ResultsOf(function))});
  scalar_functions_.emplace(function, number);
  return number;
}

void StandaloneModule::Prepare(const RegionSteps& steps) {
  constexpr auto kNumber = static_cast<size_t>(ImportedFunction::kFunctionOfLane);
  if (has_function_of_lane_ || !CallsFunctionOfLane(steps)) return;
  has_function_of_lane_ = true;
  CodeBytes code = WriteFunctionOfLane(this);
  functions_[kNumber].code = std::move(code);
}

uint32_t StandaloneModule::SignatureOf(uint32_t parameters) {
  const auto [at, is_new] =
      by_parameters_.try_emplace(parameters, static_cast<uint32_t>(signatures_.size()));
  if (is_new) {
    const std::vector<CodeType> numbers(parameters, CodeType::kI32);
    AppendSignature(numbers, {}, &signatures_.emplace_back());
  }
  return at->second;
}

uint32_t StandaloneModule::SignatureOf(int parameters, int results) {
  const auto [at, is_new] =
      of_floats_.try_emplace({parameters, results}, static_cast<uint32_t>(signatures_.size()));
  if (is_new) {
    const auto floats = [](int count) {
      return std::vector<CodeType>(static_cast<size_t>(count), CodeType::kF64);
    };
    AppendSignature(floats(parameters), floats(results), &signatures_.emplace_back());
  }
  return at->second;
}

uint32_t StandaloneModule::Function(const CodeBytes& code, uint32_t parameters) {
  const auto [at, is_new] =
      known_.try_emplace({parameters, code}, static_cast<uint32_t>(functions_.size()));
  if (is_new) functions_.push_back({code, SignatureOf(parameters)});
  return at->second;
}

uint32_t StandaloneModule::Data(std::span<const std::byte> bytes) {
  const auto [at, is_new] = known_data_.try_emplace({bytes.begin(), bytes.end()}, data_end());
  if (is_new) Fill(Reserve(bytes.size()), bytes);
  return at->second;
}

uint32_t StandaloneModule::Reserve(size_t bytes) {
  const uint32_t address = data_end();
  data_.resize(data_.size() + (bytes + kDataAligned - 1) / kDataAligned * kDataAligned);
  return address;
}

void StandaloneModule::Fill(uint32_t address, std::span<const std::byte> bytes) {
  std::copy(bytes.begin(), bytes.end(), data_.begin() + (address - kDataStart));
}

uint32_t StandaloneModule::Fault(const std::string& message) {
  if (faults_.empty()) fault_address_ = Reserve(sizeof(uint32_t));
  faults_.push_back(message);
  return static_cast<uint32_t>(faults_.size()) - 1;
}

void StandaloneModule::AddFusionTrial() {
  const auto signature = static_cast<uint32_t>(signatures_.size());
  AppendSignature({}, std::vector{CodeType::kI32}, &signatures_.emplace_back());
  fusion_trial_ = static_cast<uint32_t>(functions_.size());
  functions_.push_back({WriteFusionTrial(), signature});
}

CodeBytes StandaloneModule::Finish(uint32_t run, int64_t memory_bytes) const {
  CodeBytes module = ModuleHeader(), types, numbers, memory, exports, code, data;
  AppendUnsigned(signatures_.size(), &types);
  for (const CodeBytes& type : signatures_) types.insert(types.end(), type.begin(), type.end());
  for (CodeBytes* list : {&numbers, &code}) AppendUnsigned(functions_.size(), list);
  for (const Entry& function : functions_) {
    AppendUnsigned(function.signature, &numbers);
    AppendSized(function.code, &code);
  }
  constexpr uint8_t kHasMost = 1;
  const auto pages = static_cast<uint64_t>((memory_bytes + kPage - 1) / kPage);
  memory = {1, kHasMost};
  AppendUnsigned(pages, &memory);
  AppendUnsigned(pages, &memory);
  AppendUnsigned(fusion_trial_ ? 3 : 2, &exports);
  AppendName("memory", &exports);
  exports.insert(exports.end(), {kMemoryKind, 0});
  AppendName("run", &exports);
  exports.push_back(kFunctionKind);
  AppendUnsigned(run, &exports);
  if (fusion_trial_) {
    AppendName("fuses", &exports);
    exports.push_back(kFunctionKind);
    AppendUnsigned(*fusion_trial_, &exports);
  }
  AppendSection(Section::kType, types, &module);
  AppendSection(Section::kFunction, numbers, &module);
  AppendSection(Section::kMemory, memory, &module);
  if (!vectors_.vectors().empty()) AppendSection(Section::kGlobal, GlobalsOf(vectors_), &module);
  AppendSection(Section::kExport, exports, &module);
  AppendSection(Section::kCode, code, &module);
  if (data_.empty()) return module;
  data = {1, 0, static_cast<uint8_t>(Code::kI32Const)};
  AppendSigned(kDataStart, &data);
  data.push_back(static_cast<uint8_t>(Code::kEnd));
  AppendUnsigned(data_.size(), &data);
  for (std::byte byte : data_) data.push_back(static_cast<uint8_t>(byte));
  AppendSection(Section::kData, data, &module);
  return module;
}

}  // namespace hlo
