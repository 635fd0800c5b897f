#include "engine/cost/machines.h"

#include <cmath>

namespace hlo {
namespace {

constexpr double kTera = 1e12;
constexpr double kGiga = 1e9;

const Machine kMachines[] = {
    {.id = "v4",
     .name = "TPU v4",
     .from = FiguresFrom::kDatasheet,
     .source = "Google Cloud TPU documentation, TPU v4, per chip: 275 TFLOP/s bf16 or int8, 1228 "
               "GB/s; f32 as bf16, which products are multiplied in by default",
     .peak = {.bits16 = 275 * kTera, .bits8 = 275 * kTera},
     .bandwidth = 1228 * kGiga,
     .has_vmem = true},
    {.id = "v5e",
     .name = "TPU v5e",
     .from = FiguresFrom::kDatasheet,
     .source = "Google Cloud TPU documentation, TPU v5e, per chip: 197 TFLOP/s bf16, 393 TOP/s "
               "int8, 819 GB/s; f32 as bf16, which products are multiplied in by default",
     .peak = {.bits16 = 197 * kTera, .bits8 = 393 * kTera},
     .bandwidth = 819 * kGiga,
     .has_vmem = true},
    {.id = "v5p",
     .name = "TPU v5p",
     .from = FiguresFrom::kDatasheet,
     .source = "Google Cloud TPU documentation, TPU v5p, per chip: 459 TFLOP/s bf16, 918 TOP/s "
               "int8, 2765 GB/s; f32 as bf16, which products are multiplied in by default",
     .peak = {.bits16 = 459 * kTera, .bits8 = 918 * kTera},
     .bandwidth = 2765 * kGiga,
     .has_vmem = true},
    {.id = "v6e",
     .name = "TPU v6e",
     .from = FiguresFrom::kDatasheet,
     .source = "Google Cloud TPU documentation, TPU v6e, per chip: 918 TFLOP/s bf16, 1836 TOP/s "
               "int8, 1638 GB/s; f32 as bf16, which products are multiplied in by default",
     .peak = {.bits16 = 918 * kTera, .bits8 = 1836 * kTera},
     .bandwidth = 1638 * kGiga,
     .has_vmem = true},
    {.id = "h100",
     .name = "NVIDIA H100 SXM",
     .from = FiguresFrom::kDatasheet,
     .source =
         "NVIDIA H100 datasheet, SXM, dense: 67 TFLOP/s FP64 and FP32 (FP64 on tensor cores), "
         "989 bf16, 1979 FP8 or INT8, 3.35 TB/s",
     .peak = {67 * kTera, 67 * kTera, 989 * kTera, 1979 * kTera},
     .bandwidth = 3350 * kGiga},
    {.id = "a100",
     .name = "NVIDIA A100 80GB SXM",
     .from = FiguresFrom::kDatasheet,
     .source = "NVIDIA A100 datasheet, 80GB SXM, dense: 19.5 TFLOP/s FP64 and FP32 (FP64 on tensor "
               "cores), 312 bf16, 624 INT8, 2039 GB/s",
     .peak = {19.5 * kTera, 19.5 * kTera, 312 * kTera, 624 * kTera},
     .bandwidth = 2039 * kGiga},
    {.id = "cpu",
     .name = "One CPU core",
     .from = FiguresFrom::kAssumed,
     .source = "Assumed, no product: 3 GHz, two units that multiply and add 256 bits per cycle; 20 "
               "GB/s for one core",
     .peak = {48 * kGiga, 96 * kGiga, 0, 0},
     .bandwidth = 20 * kGiga},
};

}  // namespace

double Machine::PeakOf(ElementType type) const {
  const ElementType part = ComponentType(type);
  const int bits = BitsOf(part);
  // Narrower elements may be computed in wider ones; wider ones count as the next narrower that has
  // figures.
  const double by_width[] = {peak.bits8, peak.bits16, peak.bits32, peak.bits64};
  const int wanted = bits <= 8 ? 0 : bits <= 16 ? 1 : bits <= 32 ? 2 : 3;
  for (int i = wanted; i < 4; ++i) {
    if (by_width[i] > 0) return by_width[i];
  }
  for (int i = wanted; i >= 0; --i) {
    if (by_width[i] > 0) return by_width[i];
  }
  return 0;
}

bool Machine::IsUsable() const {
  const double best = PeakOf(ElementType::kF32);
  return best > 0 && bandwidth > 0 && std::isfinite(best) && std::isfinite(bandwidth);
}

std::span<const Machine> KnownMachines() { return kMachines; }

const Machine* FindMachine(std::string_view id) {
  for (const Machine& machine : kMachines) {
    if (machine.id == id) return &machine;
  }
  return nullptr;
}

std::string_view Text(FiguresFrom from) {
  switch (from) {
    case FiguresFrom::kDatasheet:
      return "datasheet";
    case FiguresFrom::kAssumed:
      return "assumed";
    case FiguresFrom::kMeasured:
      return "measured";
    case FiguresFrom::kTyped:
      break;
  }
  return "typed";
}

}  // namespace hlo
