#include "engine/cost/cost_rules.h"

#include <array>

#include "engine/cost/contraction_work.h"
#include "engine/cost/op_traffic.h"
#include "engine/cost/region_work.h"

namespace hlo {
namespace {

constexpr std::string_view kXla = "XLA, hlo_cost_analysis.cc";
constexpr std::string_view kOurs = "this project; XLA's cost analysis has no rule for it";
constexpr std::string_view kNone = "none";
constexpr std::string_view kAll = "reads its operands, writes its result";
constexpr std::string_view kNoBytes = "none: it passes on what is in memory";

double ElementsOf(const Shape& shape) {
  double count = 0;
  ForEachArray(shape, [&](const Shape& array) { count += ElementCount(array); });
  return count;
}

Work OnePerElement(const CostCall& call) { return {.flops = ElementsOf(call.call().shape())}; }
Work TranscendentalPerElement(const CostCall& call) {
  return {.transcendentals = ElementsOf(call.call().shape())};
}
template <int kPerElement>
Work PerInput(const CostCall& call) {
  return {.flops = kPerElement * ElementCount(call.call().operand(0))};
}

constexpr CostRule kElementwiseCost{"1 per element of the result", kAll, kXla, OnePerElement,
                                    AllTraffic};
constexpr CostRule kTranscendentalCost{"1 transcendental per element of the result", kAll, kXla,
                                       TranscendentalPerElement, AllTraffic};
constexpr CostRule kOtherTranscendentalCost{"1 transcendental per element of the result", kAll,
                                            kOurs, TranscendentalPerElement, AllTraffic};
constexpr CostRule kMovesCost{kNone, kAll, kXla, nullptr, AllTraffic};
constexpr CostRule kPassesCost{kNone, kNoBytes, kXla};
constexpr CostRule kPassesHereCost{
    kNone, kNoBytes, "this project; XLA counts operand and result once more, though nothing moves"};
constexpr CostRule kMakesCost{kNone, "writes its result", kXla, nullptr, ResultTraffic};
constexpr CostRule kCallsCost{"those of the computation that it calls", "those of that computation",
                              kXla};

constexpr CostRule kTupleCost{kNone, "writes one address of 8 bytes per element", kXla, nullptr,
                              TupleTraffic};
constexpr CostRule kWhileCost{
    "(body + condition) x trip count; one iteration where the count is not known",
    "the same of body and condition",
    "XLA, hlo_cost_analysis.cc, for one iteration; times the trip count"};
constexpr CostRule kConditionalCost{"those of the largest branch, figure by figure",
                                    "those of the largest branch, figure by figure", kXla};
constexpr CostRule kFusionCost{
    "the sum over the instructions inside",
    "reads of every parameter what is used (a slice alone where it is sliced, nothing where it is "
    "updated in place), once for all other users; reads constants of more than one element; writes "
    "the root (the update alone of a dynamic-update-slice)",
    kXla};
constexpr CostRule kCustomCallCost{
    "of a library's product or convolution (cuBLAS, cuDNN, oneDNN) as of the op; of others not "
    "known: counted as none",
    "the operands and the first part of the result; of others not known: counted as none",
    "XLA, gpu_hlo_cost_analysis.cc, HandleCustomCall"};
constexpr CostRule kDotCost{"2 x elements of the result x product of the contracted sizes",
                            kAll,
                            kXla,
                            DotWork,
                            AllTraffic,
                            true};
constexpr CostRule kScaledDotCost{
    "2 x elements of the result x product of the contracted sizes, without the scaling",
    kAll,
    kXla,
    DotWork,
    AllTraffic,
    true};
constexpr CostRule kRaggedDotCost{
    "2 x elements of the result x product of the contracted sizes; divided by the number of groups "
    "where the contracted dimension is ragged",
    kAll,
    kOurs,
    RaggedDotWork,
    AllTraffic,
    true};
constexpr CostRule kConvolutionCost{
    "2 x output features x input features / feature groups x batch / batch groups x pairs of "
    "kernel "
    "and output positions that meet an input element",
    kAll,
    kXla,
    ConvolutionWork,
    AllTraffic,
    true};
constexpr CostRule kFftCost{
    "8 x elements of the operand x product of floor(log2) of the transformed sizes", kAll, kXla,
    FftWork, AllTraffic};
constexpr CostRule kSolveCost{"2 x size of a x elements of b", "half of a, all of b, the result",
                              kXla, SolveWork, SolveTraffic};
constexpr CostRule kCholeskyCost{"elements of a x size of a / 3",
                                 "reads half of a, writes half of the result", kXla, CholeskyWork,
                                 CholeskyTraffic};
constexpr CostRule kMapCost{"elements of the result x the computation's", kAll, kXla, MapWork,
                            AllTraffic};
constexpr CostRule kReduceCost{"(elements of operand 0 - elements of the result) x the reducer's",
                               kAll, kXla, ReduceWork, AllTraffic};
constexpr CostRule kReduceWindowCost{
    "elements of the result x (elements of the window - 1) x the reducer's; a window that reduces "
    "one whole dimension and spreads the result over it counts the reduction once",
    kAll, kXla, ReduceWindowWork, AllTraffic};
constexpr CostRule kSelectAndScatterCost{
    "elements of source x ((elements of the window - 1) x select's + scatter's)", kAll, kXla,
    SelectAndScatterWork, AllTraffic};
constexpr CostRule kScatterCost{
    "elements of the first update x the combiner's",
    "reads the indices, the updates and as many bytes of the operands, which it writes", kXla,
    ScatterWork, ScatterTraffic};
constexpr CostRule kScanCost{"size of the scanned dimension x the computation's", kAll, kOurs,
                             ScanWork, AllTraffic};
constexpr CostRule kSortCost{"n x ceil(log2 n) comparisons of the n elements of operand 0", kAll,
                             kXla, SortWork, AllTraffic};
constexpr CostRule kTopkCost{"1 comparison per element of the operand", kAll, kOurs, PerInput<1>,
                             AllTraffic};
constexpr CostRule kNormTrainingCost{"7 per element of operand 0", kAll, kOurs, PerInput<7>,
                                     AllTraffic};
constexpr CostRule kNormInferenceCost{"2 per element of operand 0", kAll, kOurs, PerInput<2>,
                                      AllTraffic};
constexpr CostRule kNormGradCost{"10 per element of operand 0", kAll, kOurs, PerInput<10>,
                                 AllTraffic};
constexpr CostRule kSliceCost{kNone, "reads and writes as many bytes as the result has", kXla,
                              nullptr, SliceTraffic};
constexpr CostRule kDynamicSliceCost{
    kNone, "reads and writes as many bytes as the result has; reads the first index", kXla, nullptr,
    DynamicSliceTraffic};
constexpr CostRule kUpdateCost{
    kNone, "reads the update and the first index, writes the update: operand 0 stays in place",
    kXla, nullptr, UpdateTraffic};
constexpr CostRule kGatherCost{
    kNone, "reads the indices and as many bytes as the result has, which it writes", kXla, nullptr,
    GatherTraffic};
constexpr CostRule kTransposeCost{
    kNone, "reads its operand, writes its result; none where the layouts make it a bitcast", kXla,
    nullptr, TransposeTraffic};
constexpr CostRule kAllReduceCost{
    "1 per element of the result, as for two replicas; the interconnect is not modelled", kAll,
    kXla, OnePerElement, AllTraffic};
constexpr CostRule kStartedCollectiveCost{"none; the interconnect is not modelled",
                                          "reads its operands, writes what it gives when done",
                                          kXla, nullptr, StartedTraffic};
constexpr CostRule kCollectiveCost{"none; the interconnect is not modelled", kAll, kXla, nullptr,
                                   AllTraffic};
constexpr CostRule kCopyStartCost{kNone, "reads its operand, writes the copy", kXla, nullptr,
                                  CopyStartTraffic};
constexpr CostRule kFeedOutCost{kNone, "reads its first operand", kXla, nullptr,
                                FirstOperandTraffic};
constexpr CostRule kSizeCost{kNone, "writes its result: a size is no part of the array", kOurs,
                             nullptr, ResultTraffic};
constexpr CostRule kRandomCost{"1 transcendental per element of the result", kAll, kXla,
                               TranscendentalPerElement, AllTraffic};

// By opcode.
constexpr const CostRule* kCostRules[] = {
#define OP(name, text, min_operands, max_operands, cost, dependence) &k##cost##Cost,
#include "engine/ops/ops.def"
};

}  // namespace

const CostRule& CostRuleOf(Opcode opcode) { return *kCostRules[static_cast<size_t>(opcode)]; }

}  // namespace hlo
