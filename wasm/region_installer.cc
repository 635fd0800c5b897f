// Generated code in the engine's own module: functions in its table, over its memory.
#include "wasm/region_installer.h"

#include <emscripten/emscripten.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/codegen/flow_code.h"
#include "engine/codegen/function_lowering.h"
#include "engine/codegen/fused_products.h"
#include "engine/codegen/module_writer.h"
#include "engine/codegen/region_module.h"
#include "engine/codegen/segment.h"
#include "engine/kernels/fused_code.h"
#include "engine/plan/region_code.h"

// Compiles a module and puts its functions into the table, into `slots`; 0 there asks for a new
// place. `report`, `function_of_lane`: the functions it imports. Returns whether the browser took
// it: it may forbid code, or have no memory for it.
// clang-format off
EM_JS(bool, InstallRegionCode, (const uint8_t* bytes, size_t size, uint32_t* slots, size_t count,
                                size_t report, size_t function_of_lane), {
  try {
    const code = new WebAssembly.Module(HEAPU8.slice(bytes >>> 0, (bytes >>> 0) + size));
    const imports = {"e": {"m": wasmMemory, "p": wasmTable.get(report),
                           "f": wasmTable.get(function_of_lane)}};
    const functions = new WebAssembly.Instance(code, imports)["exports"];
    for (let i = 0; i < count; ++i) {
      const place = (slots >>> 2) + i;
      if (HEAPU32[place] === 0) HEAPU32[place] = wasmTable.grow(1);
      // The table of another thread may be shorter.
      const missing = HEAPU32[place] + 1 - wasmTable.length;
      if (missing > 0) wasmTable.grow(missing);
      wasmTable.set(HEAPU32[place], functions[i]);
    }
    return true;
  } catch (error) {
    return false;
  }
});

// Tests under Node have code made at once, or never. 0: nothing is said.
EM_JS(double, OperationsBeforeCode, (), {
  return typeof process === "object" && Number(process["env"]["HLO_CODE_AFTER"]) || 0;
});
// clang-format on

namespace hlo {
namespace {

void ReportSteps(Budget* budget, int32_t steps) { budget->Steps(static_cast<uint64_t>(steps)); }

/// Places in the table that nothing uses any more. A function that was in one stays there until
/// another takes the place.
std::vector<uint32_t>& FreeSlots() {
  static auto* const slots = new std::vector<uint32_t>;  // outlives whatever has code
  return *slots;
}

bool Install(const CodeBytes& bytes, std::vector<uint32_t>* slots) {
  return InstallRegionCode(bytes.data(), bytes.size(), slots->data(), slots->size(),
                           reinterpret_cast<size_t>(&ReportSteps),
                           reinterpret_cast<size_t>(&FunctionOfLane));
}

/// The modules in the table, for other threads, each of which has a table of its own. Changes on
/// the thread that runs programs alone, while no pieces are under way.
struct ModuleLog {
  struct Entry {
    CodeBytes bytes;
    std::vector<uint32_t> slots;
  };
  bool is_kept = false;
  uint64_t last = 0;
  std::map<uint64_t, Entry> entries;  // by number, in order
};
ModuleLog& TheModuleLog() {
  static auto* const log = new ModuleLog;
  return *log;
}

/// Functions in the table.
class InstalledFunctions {
 public:
  /// Those of a module; nothing if the browser does not take it.
  static std::unique_ptr<const InstalledFunctions> Of(const CodeBytes& bytes, size_t count) {
    std::vector<uint32_t> slots(count, 0);
    std::vector<uint32_t>& free = FreeSlots();
    for (size_t i = 0; i < slots.size() && !free.empty(); ++i) {
      slots[i] = free.back();
      free.pop_back();
    }
    const bool installed = Install(bytes, &slots);
    std::erase(slots, 0u);
    auto functions = std::make_unique<InstalledFunctions>(std::move(slots));
    if (!installed) return nullptr;
    functions->Log(bytes);
    return functions;
  }

  explicit InstalledFunctions(std::vector<uint32_t> slots) : slots_(std::move(slots)) {}
  ~InstalledFunctions() {
    FreeSlots().insert(FreeSlots().end(), slots_.begin(), slots_.end());
    if (number_ != 0) TheModuleLog().entries.erase(number_);
  }
  InstalledFunctions(const InstalledFunctions&) = delete;
  InstalledFunctions& operator=(const InstalledFunctions&) = delete;

  CodeFunction At(size_t number) const { return reinterpret_cast<CodeFunction>(slots_[number]); }

 private:
  void Log(const CodeBytes& bytes) {
    ModuleLog& log = TheModuleLog();
    if (!log.is_kept) return;
    number_ = ++log.last;
    log.entries[number_] = {bytes, slots_};
  }

  std::vector<uint32_t> slots_;
  uint64_t number_ = 0;  // in the log; 0: not there
};

class InstalledCode final : public RegionCode {
 public:
  InstalledCode(std::vector<CodeSegment> segments,
                std::unique_ptr<const InstalledFunctions> functions)
      : segments_(std::move(segments)), functions_(std::move(functions)) {
    for (size_t i = 0; i < segments_.size(); ++i) segments_[i].run = functions_->At(i);
  }
  const std::vector<CodeSegment>& segments() const override { return segments_; }

 private:
  std::vector<CodeSegment> segments_;
  std::unique_ptr<const InstalledFunctions> functions_;
};

class InstalledFlow final : public FlowCode {
 public:
  InstalledFlow(std::vector<int64_t> buffers, std::unique_ptr<const InstalledFunctions> functions)
      : buffers_(std::move(buffers)), functions_(std::move(functions)) {}
  CodeFunction run() const override { return functions_->At(0); }
  const std::vector<int64_t>& buffers() const override { return buffers_; }

 private:
  std::vector<int64_t> buffers_;
  std::unique_ptr<const InstalledFunctions> functions_;
};

/// The modules that were used last; the same code serves programs that differ in constants alone,
/// in all runs.
template <typename Installed>
class CodeCache {
 public:
  template <typename IsIt>
  std::shared_ptr<const Installed> Find(const CodeBytes& bytes, IsIt is_it) const {
    for (const Entry& entry : entries_) {
      if (entry.bytes == bytes && is_it(*entry.code)) return entry.code;
    }
    return nullptr;
  }
  void Add(CodeBytes bytes, std::shared_ptr<const Installed> code) {
    if (entries_.size() >= kMostKept) entries_.pop_front();
    entries_.push_back({std::move(bytes), std::move(code)});
  }

 private:
  static constexpr size_t kMostKept = 64;
  struct Entry {
    CodeBytes bytes;
    std::shared_ptr<const Installed> code;
  };
  std::deque<Entry> entries_;
};

class RegionInstaller final : public RegionCodeMaker {
 public:
  std::shared_ptr<const RegionCode> Make(const RegionSteps& steps) override {
    const std::vector<Segment> segments = FindSegments(steps);
    if (segments.empty()) return nullptr;
    std::optional<CodeBytes> bytes = RegionModule(steps, segments);
    if (!bytes) return nullptr;
    auto code =
        cache_.Find(*bytes, [&](const RegionCode& known) { return HasSegments(known, segments); });
    if (code) return code;
    auto functions = InstalledFunctions::Of(*bytes, segments.size());
    if (!functions) return nullptr;
    std::vector<CodeSegment> made;
    for (const Segment& segment : segments) made.push_back({segment.begin, segment.end, nullptr});
    code = std::make_shared<InstalledCode>(std::move(made), std::move(functions));
    cache_.Add(std::move(*bytes), code);
    return code;
  }

  std::shared_ptr<const FlowCode> MakeFlow(const Flow& flow) override {
    std::optional<FlowModule> made = ModuleOf(flow);
    if (!made) return nullptr;
    auto code = flows_.Find(
        made->module, [&](const FlowCode& known) { return known.buffers() == made->buffers; });
    if (code) return code;
    auto functions = InstalledFunctions::Of(made->module, 1);
    if (!functions) return nullptr;
    code = std::make_shared<InstalledFlow>(std::move(made->buffers), std::move(functions));
    flows_.Add(std::move(made->module), code);
    return code;
  }

  int64_t worthwhile() const override { return worthwhile_; }

 private:
  /// A module takes about as long to compile as the block program takes for so many operations.
  static constexpr int64_t kWorthwhile = int64_t{1} << 18;

  static bool HasSegments(const RegionCode& code, const std::vector<Segment>& segments) {
    return std::equal(code.segments().begin(), code.segments().end(), segments.begin(),
                      segments.end(), [](const CodeSegment& a, const Segment& b) {
                        return a.begin == b.begin && a.end == b.end;
                      });
  }

  const double asked_ = OperationsBeforeCode();
  const int64_t worthwhile_ = asked_ > 0 ? static_cast<int64_t>(asked_) : kWorthwhile;
  CodeCache<RegionCode> cache_;
  CodeCache<FlowCode> flows_;
};

/// The functions stay for good.
bool MakeFusedCodes(AllFusedCodes* codes) {
  constexpr size_t kCount = sizeof(AllFusedCodes) / sizeof(FusedCode);
  static auto* const functions = InstalledFunctions::Of(FusedProductsModule(), kCount).release();
  if (!functions) return false;
  FusedCode made[kCount];
  for (size_t i = 0; i < kCount; ++i) made[i] = reinterpret_cast<FusedCode>(functions->At(i));
  std::memcpy(codes, made, sizeof made);
  return true;
}

const bool is_installed = [] {
  SetFusedCodeMaker(MakeFusedCodes);
  static auto* const installer = new RegionInstaller;  // stays for good
  SetRegionCodeMaker(installer);
  return true;
}();

}  // namespace

void KeepModulesForThreads() {
  SetMemoryIsShared(true);
  TheModuleLog().is_kept = true;
}

bool InstallModulesInThread(uint64_t* seen) {
  const ModuleLog& log = TheModuleLog();
  for (auto entry = log.entries.upper_bound(*seen); entry != log.entries.end(); ++entry) {
    std::vector<uint32_t> slots = entry->second.slots;
    if (!Install(entry->second.bytes, &slots)) return false;
    *seen = entry->first;
  }
  return true;
}

}  // namespace hlo
