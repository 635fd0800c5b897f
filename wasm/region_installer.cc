// Generated code in the engine's own module: functions in its table, over its memory.
#include <emscripten/emscripten.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <iterator>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/codegen/function_lowering.h"
#include "engine/codegen/region_module.h"
#include "engine/codegen/segment.h"
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

class InstalledCode final : public RegionCode {
 public:
  InstalledCode(std::vector<CodeSegment> segments, std::vector<uint32_t> slots)
      : segments_(std::move(segments)), slots_(std::move(slots)) {
    for (size_t i = 0; i < segments_.size(); ++i) {
      segments_[i].run = reinterpret_cast<CodeFunction>(slots_[i]);
    }
  }
  ~InstalledCode() override { FreeSlots().insert(FreeSlots().end(), slots_.begin(), slots_.end()); }
  InstalledCode(const InstalledCode&) = delete;
  InstalledCode& operator=(const InstalledCode&) = delete;

  const std::vector<CodeSegment>& segments() const override { return segments_; }

 private:
  std::vector<CodeSegment> segments_;
  std::vector<uint32_t> slots_;
};

class RegionInstaller final : public RegionCodeMaker {
 public:
  std::shared_ptr<const RegionCode> Make(const RegionSteps& steps) override {
    const std::vector<Segment> segments = FindSegments(steps);
    if (segments.empty()) return nullptr;
    std::optional<CodeBytes> bytes = RegionModule(steps, segments);
    if (!bytes) return nullptr;
    for (const Entry& entry : cache_) {
      if (entry.bytes == *bytes && HasSegments(*entry.code, segments)) return entry.code;
    }
    std::shared_ptr<const RegionCode> code = Install(segments, *bytes);
    if (!code) return nullptr;
    if (cache_.size() >= kMostKept) cache_.pop_front();
    cache_.push_back({std::move(*bytes), code});
    return code;
  }

  int64_t worthwhile() const override { return worthwhile_; }

 private:
  /// The same code serves programs that differ in constants alone, in all runs.
  struct Entry {
    CodeBytes bytes;
    std::shared_ptr<const RegionCode> code;
  };
  static constexpr size_t kMostKept = 64;
  /// A module takes about as long to compile as the block program takes for so many operations.
  static constexpr int64_t kWorthwhile = int64_t{1} << 18;

  static bool HasSegments(const RegionCode& code, const std::vector<Segment>& segments) {
    return std::equal(code.segments().begin(), code.segments().end(), segments.begin(),
                      segments.end(), [](const CodeSegment& a, const Segment& b) {
                        return a.begin == b.begin && a.end == b.end;
                      });
  }

  static std::shared_ptr<const RegionCode> Install(const std::vector<Segment>& segments,
                                                   const CodeBytes& bytes) {
    std::vector<uint32_t> slots(segments.size(), 0);
    std::vector<uint32_t>& free = FreeSlots();
    for (size_t i = 0; i < slots.size() && !free.empty(); ++i) {
      slots[i] = free.back();
      free.pop_back();
    }
    const bool installed = InstallRegionCode(bytes.data(), bytes.size(), slots.data(), slots.size(),
                                             reinterpret_cast<size_t>(&ReportSteps),
                                             reinterpret_cast<size_t>(&FunctionOfLane));
    if (!installed) {
      std::copy_if(slots.begin(), slots.end(), std::back_inserter(free),
                   [](uint32_t slot) { return slot != 0; });
      return nullptr;
    }
    std::vector<CodeSegment> code;
    for (const Segment& segment : segments) code.push_back({segment.begin, segment.end, nullptr});
    return std::make_shared<InstalledCode>(std::move(code), std::move(slots));
  }

  const double asked_ = OperationsBeforeCode();
  const int64_t worthwhile_ = asked_ > 0 ? static_cast<int64_t>(asked_) : kWorthwhile;
  std::deque<Entry> cache_;
};

const bool is_installed = [] {
  static auto* const installer = new RegionInstaller;  // stays for good
  SetRegionCodeMaker(installer);
  return true;
}();

}  // namespace
}  // namespace hlo
