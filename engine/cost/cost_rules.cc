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

constexpr CostRule kElementwise{"1 per element of the result", kAll, kXla, OnePerElement,
                                AllTraffic};
constexpr CostRule kTranscendental{"1 transcendental per element of the result", kAll, kXla,
                                   TranscendentalPerElement, AllTraffic};
constexpr CostRule kOtherTranscendental{"1 transcendental per element of the result", kAll, kOurs,
                                        TranscendentalPerElement, AllTraffic};
constexpr CostRule kMoves{kNone, kAll, kXla, nullptr, AllTraffic};
constexpr CostRule kPasses{kNone, kNoBytes, kXla};
constexpr CostRule kPassesHere{
    kNone, kNoBytes, "this project; XLA counts operand and result once more, though nothing moves"};
constexpr CostRule kMakes{kNone, "writes its result", kXla, nullptr, ResultTraffic};
constexpr CostRule kCalls{"those of the computation that it calls", "those of that computation",
                          kXla};

constexpr CostRule kTupleRule{kNone, "writes one address of 8 bytes per element", kXla, nullptr,
                              TupleTraffic};
constexpr CostRule kWhileRule{
    "(body + condition) x trip count; one iteration where the count is not known",
    "the same of body and condition",
    "XLA, hlo_cost_analysis.cc, for one iteration; times the trip count"};
constexpr CostRule kConditionalRule{"those of the largest branch, figure by figure",
                                    "those of the largest branch, figure by figure", kXla};
constexpr CostRule kFusionRule{
    "the sum over the instructions inside",
    "reads of every parameter what is used (a slice alone where it is sliced, nothing where it is "
    "updated in place), once for all other users; reads constants of more than one element; writes "
    "the root (the update alone of a dynamic-update-slice)",
    kXla};
constexpr CostRule kCustomCallRule{
    "of a library's product or convolution (cuBLAS, cuDNN, oneDNN) as of the op; of others not "
    "known: counted as none",
    "the operands and the first part of the result; of others not known: counted as none",
    "XLA, gpu_hlo_cost_analysis.cc, HandleCustomCall"};
constexpr CostRule kDotRule{"2 x elements of the result x product of the contracted sizes",
                            kAll,
                            kXla,
                            DotWork,
                            AllTraffic,
                            true};
constexpr CostRule kScaledDotRule{
    "2 x elements of the result x product of the contracted sizes, without the scaling",
    kAll,
    kXla,
    DotWork,
    AllTraffic,
    true};
constexpr CostRule kRaggedDotRule{
    "2 x elements of the result x product of the contracted sizes; divided by the number of groups "
    "where the contracted dimension is ragged",
    kAll,
    kOurs,
    RaggedDotWork,
    AllTraffic,
    true};
constexpr CostRule kConvolutionRule{
    "2 x output features x input features / feature groups x batch / batch groups x pairs of "
    "kernel "
    "and output positions that meet an input element",
    kAll,
    kXla,
    ConvolutionWork,
    AllTraffic,
    true};
constexpr CostRule kFftRule{
    "8 x elements of the operand x product of floor(log2) of the transformed sizes", kAll, kXla,
    FftWork, AllTraffic};
constexpr CostRule kSolveRule{"2 x size of a x elements of b", "half of a, all of b, the result",
                              kXla, SolveWork, SolveTraffic};
constexpr CostRule kCholeskyRule{"elements of a x size of a / 3",
                                 "reads half of a, writes half of the result", kXla, CholeskyWork,
                                 CholeskyTraffic};
constexpr CostRule kMapRule{"elements of the result x the computation's", kAll, kXla, MapWork,
                            AllTraffic};
constexpr CostRule kReduceRule{"(elements of operand 0 - elements of the result) x the reducer's",
                               kAll, kXla, ReduceWork, AllTraffic};
constexpr CostRule kReduceWindowRule{
    "elements of the result x (elements of the window - 1) x the reducer's; a window that reduces "
    "one whole dimension and spreads the result over it counts the reduction once",
    kAll, kXla, ReduceWindowWork, AllTraffic};
constexpr CostRule kSelectAndScatterRule{
    "elements of source x ((elements of the window - 1) x select's + scatter's)", kAll, kXla,
    SelectAndScatterWork, AllTraffic};
constexpr CostRule kScatterRule{
    "elements of the first update x the combiner's",
    "reads the indices, the updates and as many bytes of the operands, which it writes", kXla,
    ScatterWork, ScatterTraffic};
constexpr CostRule kScanRule{"size of the scanned dimension x the computation's", kAll, kOurs,
                             ScanWork, AllTraffic};
constexpr CostRule kSortRule{"n x ceil(log2 n) comparisons of the n elements of operand 0", kAll,
                             kXla, SortWork, AllTraffic};
constexpr CostRule kTopkRule{"1 comparison per element of the operand", kAll, kOurs, PerInput<1>,
                             AllTraffic};
constexpr CostRule kNormTrainingRule{"7 per element of operand 0", kAll, kOurs, PerInput<7>,
                                     AllTraffic};
constexpr CostRule kNormInferenceRule{"2 per element of operand 0", kAll, kOurs, PerInput<2>,
                                      AllTraffic};
constexpr CostRule kNormGradRule{"10 per element of operand 0", kAll, kOurs, PerInput<10>,
                                 AllTraffic};
constexpr CostRule kSliceRule{kNone, "reads and writes as many bytes as the result has", kXla,
                              nullptr, SliceTraffic};
constexpr CostRule kDynamicSliceRule{
    kNone, "reads and writes as many bytes as the result has; reads the first index", kXla, nullptr,
    DynamicSliceTraffic};
constexpr CostRule kUpdateRule{
    kNone, "reads the update and the first index, writes the update: operand 0 stays in place",
    kXla, nullptr, UpdateTraffic};
constexpr CostRule kGatherRule{
    kNone, "reads the indices and as many bytes as the result has, which it writes", kXla, nullptr,
    GatherTraffic};
constexpr CostRule kTransposeRule{
    kNone, "reads its operand, writes its result; none where the layouts make it a bitcast", kXla,
    nullptr, TransposeTraffic};
constexpr CostRule kAllReduceRule{
    "1 per element of the result, as for two replicas; the interconnect is not modelled", kAll,
    kXla, OnePerElement, AllTraffic};
constexpr CostRule kStartedCollectiveRule{"none; the interconnect is not modelled",
                                          "reads its operands, writes what it gives when done",
                                          kXla, nullptr, StartedTraffic};
constexpr CostRule kCollectiveRule{"none; the interconnect is not modelled", kAll, kXla, nullptr,
                                   AllTraffic};
constexpr CostRule kCopyStartRule{kNone, "reads its operand, writes the copy", kXla, nullptr,
                                  CopyStartTraffic};
constexpr CostRule kFeedOut{kNone, "reads its first operand", kXla, nullptr, FirstOperandTraffic};
constexpr CostRule kSizeRule{kNone, "writes its result: a size is no part of the array", kOurs,
                             nullptr, ResultTraffic};
constexpr CostRule kRandomRule{"1 transcendental per element of the result", kAll, kXla,
                               TranscendentalPerElement, AllTraffic};

struct Row {
  Opcode opcode;
  const CostRule* rule;
};

constexpr Row kRows[] = {
    {Opcode::kAbs, &kElementwise},
    {Opcode::kAcos, &kOtherTranscendental},
    {Opcode::kAcosh, &kOtherTranscendental},
    {Opcode::kAdd, &kElementwise},
    {Opcode::kAddDependency, &kPasses},
    {Opcode::kAfterAll, &kPasses},
    {Opcode::kAllGather, &kCollectiveRule},
    {Opcode::kAllGatherDone, &kPassesHere},
    {Opcode::kAllGatherStart, &kStartedCollectiveRule},
    {Opcode::kAllReduce, &kAllReduceRule},
    {Opcode::kAllReduceDone, &kPassesHere},
    {Opcode::kAllReduceStart, &kAllReduceRule},
    {Opcode::kAllToAll, &kCollectiveRule},
    {Opcode::kAnd, &kElementwise},
    {Opcode::kAsin, &kOtherTranscendental},
    {Opcode::kAsinh, &kOtherTranscendental},
    {Opcode::kAsyncDone, &kPassesHere},
    {Opcode::kAsyncStart, &kCalls},
    {Opcode::kAsyncUpdate, &kPassesHere},
    {Opcode::kAtan, &kOtherTranscendental},
    {Opcode::kAtan2, &kTranscendental},
    {Opcode::kAtanh, &kOtherTranscendental},
    {Opcode::kBatchNormGrad, &kNormGradRule},
    {Opcode::kBatchNormInference, &kNormInferenceRule},
    {Opcode::kBatchNormTraining, &kNormTrainingRule},
    {Opcode::kBitcast, &kPasses},
    {Opcode::kBitcastConvert, &kElementwise},
    {Opcode::kBroadcast, &kMoves},
    {Opcode::kCall, &kCalls},
    {Opcode::kCbrt, &kTranscendental},
    {Opcode::kCeil, &kElementwise},
    {Opcode::kCholesky, &kCholeskyRule},
    {Opcode::kClamp, &kElementwise},
    {Opcode::kCollectiveBroadcast, &kCollectiveRule},
    {Opcode::kCollectivePermute, &kCollectiveRule},
    {Opcode::kCollectivePermuteDone, &kPassesHere},
    {Opcode::kCollectivePermuteStart, &kStartedCollectiveRule},
    {Opcode::kCollectiveReduce, &kAllReduceRule},
    {Opcode::kCompare, &kElementwise},
    {Opcode::kComplex, &kElementwise},
    {Opcode::kConcatenate, &kMoves},
    {Opcode::kConditional, &kConditionalRule},
    {Opcode::kConstant, &kPasses},
    {Opcode::kConvert, &kElementwise},
    {Opcode::kConvolution, &kConvolutionRule},
    {Opcode::kCopy, &kMoves},
    {Opcode::kCopyDone, &kPassesHere},
    {Opcode::kCopyStart, &kCopyStartRule},
    {Opcode::kCosh, &kOtherTranscendental},
    {Opcode::kCosine, &kTranscendental},
    {Opcode::kCountLeadingZeros, &kElementwise},
    {Opcode::kCustomCall, &kCustomCallRule},
    {Opcode::kDivide, &kElementwise},
    {Opcode::kDomain, &kPasses},
    {Opcode::kDot, &kDotRule},
    {Opcode::kDynamicReshape, &kMoves},
    {Opcode::kDynamicSlice, &kDynamicSliceRule},
    {Opcode::kDynamicUpdateSlice, &kUpdateRule},
    {Opcode::kErf, &kTranscendental},
    {Opcode::kExponential, &kTranscendental},
    {Opcode::kExponentialMinusOne, &kTranscendental},
    {Opcode::kFft, &kFftRule},
    {Opcode::kFloor, &kElementwise},
    {Opcode::kFusion, &kFusionRule},
    {Opcode::kGather, &kGatherRule},
    {Opcode::kGetDimensionSize, &kSizeRule},
    {Opcode::kGetTupleElement, &kPasses},
    {Opcode::kImag, &kElementwise},
    {Opcode::kInfeed, &kMakes},
    {Opcode::kIota, &kMakes},
    {Opcode::kIsFinite, &kElementwise},
    {Opcode::kLog, &kTranscendental},
    {Opcode::kLogPlusOne, &kTranscendental},
    {Opcode::kLogistic, &kTranscendental},
    {Opcode::kMap, &kMapRule},
    {Opcode::kMaximum, &kElementwise},
    {Opcode::kMinimum, &kElementwise},
    {Opcode::kMulhi, &kElementwise},
    {Opcode::kMultiply, &kElementwise},
    {Opcode::kNegate, &kElementwise},
    {Opcode::kNot, &kElementwise},
    {Opcode::kOptBarrier, &kPassesHere},
    {Opcode::kOr, &kElementwise},
    {Opcode::kOutfeed, &kFeedOut},
    {Opcode::kPad, &kMoves},
    {Opcode::kParameter, &kPasses},
    {Opcode::kPartitionId, &kMakes},
    {Opcode::kPopcnt, &kElementwise},
    {Opcode::kPower, &kTranscendental},
    {Opcode::kRaggedAllToAll, &kCollectiveRule},
    {Opcode::kRaggedDot, &kRaggedDotRule},
    {Opcode::kReal, &kElementwise},
    {Opcode::kRecv, &kPassesHere},
    {Opcode::kRecvDone, &kMakes},
    {Opcode::kReduce, &kReduceRule},
    {Opcode::kReducePrecision, &kElementwise},
    {Opcode::kReduceScatter, &kCollectiveRule},
    {Opcode::kReduceWindow, &kReduceWindowRule},
    {Opcode::kRemainder, &kElementwise},
    {Opcode::kReplicaId, &kMakes},
    {Opcode::kReshape, &kMoves},
    {Opcode::kReverse, &kMoves},
    {Opcode::kRng, &kRandomRule},
    {Opcode::kRngBitGenerator, &kRandomRule},
    {Opcode::kRngGetAndUpdateState, &kMakes},
    {Opcode::kRoundNearestAfz, &kElementwise},
    {Opcode::kRoundNearestEven, &kElementwise},
    {Opcode::kRsqrt, &kTranscendental},
    {Opcode::kScaledDot, &kScaledDotRule},
    {Opcode::kScan, &kScanRule},
    {Opcode::kScatter, &kScatterRule},
    {Opcode::kSelect, &kElementwise},
    {Opcode::kSelectAndScatter, &kSelectAndScatterRule},
    {Opcode::kSend, &kFeedOut},
    {Opcode::kSendDone, &kPassesHere},
    {Opcode::kSetDimensionSize, &kMoves},
    {Opcode::kShiftLeft, &kElementwise},
    {Opcode::kShiftRightArithmetic, &kElementwise},
    {Opcode::kShiftRightLogical, &kElementwise},
    {Opcode::kShuffle, &kMoves},
    {Opcode::kSign, &kElementwise},
    {Opcode::kSine, &kTranscendental},
    {Opcode::kSinh, &kOtherTranscendental},
    {Opcode::kSlice, &kSliceRule},
    {Opcode::kSort, &kSortRule},
    {Opcode::kSqrt, &kTranscendental},
    {Opcode::kStochasticConvert, &kElementwise},
    {Opcode::kSubtract, &kElementwise},
    {Opcode::kTan, &kTranscendental},
    {Opcode::kTanh, &kTranscendental},
    {Opcode::kTopk, &kTopkRule},
    {Opcode::kTranspose, &kTransposeRule},
    {Opcode::kTriangularSolve, &kSolveRule},
    {Opcode::kTuple, &kTupleRule},
    {Opcode::kWhile, &kWhileRule},
    {Opcode::kXor, &kElementwise},
};

// The table follows the opcodes, one row each.
constexpr bool IsWhole() {
  if (std::size(kRows) != static_cast<size_t>(kOpcodeCount)) return false;
  for (size_t i = 0; i < std::size(kRows); ++i) {
    if (static_cast<size_t>(kRows[i].opcode) != i) return false;
  }
  return true;
}
static_assert(IsWhole(), "every opcode has a cost rule, in the order of ops.def");

}  // namespace

const CostRule& CostRuleOf(Opcode opcode) { return *kRows[static_cast<size_t>(opcode)].rule; }

}  // namespace hlo
