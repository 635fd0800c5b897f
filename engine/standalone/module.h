// A WebAssembly module that stands alone: functions, a memory with constants in it, one exported
// function that runs the program.
#ifndef HLO_ENGINE_STANDALONE_MODULE_H_
#define HLO_ENGINE_STANDALONE_MODULE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/codegen/function_writer.h"
#include "engine/plan/region_steps.h"
#include "engine/standalone/scalar_functions.h"

namespace hlo {

class StandaloneModule final : public ScalarFunctions {
 public:
  /// With the functions that generated code calls (ImportedFunction, codegen/module_writer.h),
  /// which are parts of this module.
  StandaloneModule();
  StandaloneModule(const StandaloneModule&) = delete;
  StandaloneModule& operator=(const StandaloneModule&) = delete;

  uint32_t NumberOf(const ScalarFunction& function) override;
  uint32_t AddressOf(std::span<const std::byte> table) override { return Data(table); }

  /// To be called before code of a program is added, which may call functions of this module.
  void Prepare(const RegionSteps& steps);
  /// The number of a function of so many i32 without a result; the same for the same code.
  uint32_t Function(const CodeBytes& code, uint32_t parameters);
  /// The address of constant bytes, at a multiple of 16; the same for the same bytes.
  uint32_t Data(std::span<const std::byte> bytes);
  /// The address of so many bytes, zero at first, that Fill writes.
  uint32_t Reserve(size_t bytes);
  void Fill(uint32_t address, std::span<const std::byte> bytes);
  /// The number of what a program says that ends before its end (KernelCode::FailUnless).
  uint32_t Fault(const std::string& message);
  const std::vector<std::string>& faults() const { return faults_; }
  /// Where the number of such a fault is written: reserved with the first one.
  uint32_t fault_address() const { return fault_address_; }
  /// The address after all data.
  uint32_t data_end() const { return kDataStart + static_cast<uint32_t>(data_.size()); }

  /// The constants of all lanes that functions read.
  VectorPool* vectors() { return &vectors_; }

  /// Exports WriteFusionTrial's function as "fuses".
  void AddFusionTrial();
  /// The module, whose memory has so many bytes, and which exports it as "memory" and this function
  /// of no parameters as "run".
  CodeBytes Finish(uint32_t run, int64_t memory_bytes) const;

 private:
  /// Nothing is at address 0.
  static constexpr uint32_t kDataStart = 1024;
  struct Entry {
    CodeBytes code;
    uint32_t signature;  // number
  };
  uint32_t SignatureOf(uint32_t parameters);
  uint32_t SignatureOf(int parameters, int results);

  VectorPool vectors_;
  bool has_function_of_lane_ = false;
  std::vector<CodeBytes> signatures_;
  std::map<uint32_t, uint32_t> by_parameters_;
  std::map<std::pair<int, int>, uint32_t> of_floats_;  // signatures, of f64
  std::map<ScalarFunction, uint32_t> scalar_functions_;
  std::vector<Entry> functions_;
  std::map<std::pair<uint32_t, CodeBytes>, uint32_t> known_;
  std::vector<std::byte> data_;
  std::map<std::vector<std::byte>, uint32_t> known_data_;
  std::vector<std::string> faults_;
  uint32_t fault_address_ = 0;
  std::optional<uint32_t> fusion_trial_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_STANDALONE_MODULE_H_
