#include <iterator>

#include "engine/why/moved.h"
#include "engine/why/rule.h"

namespace hlo {
namespace {

constexpr DependenceRule kSame{"the same element of each operand", SameLinks};
constexpr DependenceRule kPicksOne{"the same element of the operand that is taken", SameLinks,
                                   PickedSources};
constexpr DependenceRule kSelectRule{"the same element of the operand that the predicate chooses",
                                     SameLinks, SelectSources};
constexpr DependenceRule kMoves{"the element that is moved there", nullptr, LinearSources,
                                LinearReach};
constexpr DependenceRule kPasses{"the same element of its operand", nullptr, PassedSources,
                                 PassedReach};
constexpr DependenceRule kTupleRule{"the element of the operand that this part is", nullptr,
                                    TupleSources, TupleReach};
constexpr DependenceRule kPartRule{"the same element of that part of the tuple", nullptr,
                                   PartSources, PartReach};
constexpr DependenceRule kNothing{"nothing", NoLinks};
constexpr DependenceRule kEverything{"all elements of its operands", AllLinks};
constexpr DependenceRule kRun{"what the computations that it runs make of its operands", AllLinks};
constexpr DependenceRule kOthers{"elements of the operands of the devices of its group", AllLinks};
constexpr DependenceRule kBroadcastRule{"the element that is repeated", BroadcastLinks};
constexpr DependenceRule kTransposeRule{"the element that is moved there", TransposeLinks};
constexpr DependenceRule kSliceRule{"the element that is moved there", SliceLinks};
constexpr DependenceRule kReverseRule{"the element that is moved there", ReverseLinks};
constexpr DependenceRule kPadRule{"the element that is moved there, or the padding value", PadLinks,
                                  PadSources};
constexpr DependenceRule kConcatenateRule{"the element that is moved there", ConcatenateLinks};
constexpr DependenceRule kReduceRule{
    "the elements that are reduced to it; of a smallest or largest one, that one", ReduceLinks,
    PickedSources};
constexpr DependenceRule kWindowRule{
    "the elements of its window; of a smallest or largest one, that one", ReduceWindowLinks,
    PickedSources};
constexpr DependenceRule kSelectAndScatterRule{
    "the sources whose windows have it, and the elements of these windows", SelectAndScatterLinks,
    SelectAndScatterSources};
constexpr DependenceRule kDotRule{"the row of the left operand and the column of the right one",
                                  DotLinks};
constexpr DependenceRule kConvolutionRule{"its window of the input, and the kernel of its feature",
                                          ConvolutionLinks};
constexpr DependenceRule kSortRule{
    "the element that is sorted there, and what it was compared with", SortLinks, SortSources};
constexpr DependenceRule kTopkRule{"the element that is taken, and the line that it was taken from",
                                   TopkLinks, SortSources};
constexpr DependenceRule kFftRule{"the elements that are transformed together", FftLinks};
constexpr DependenceRule kMatrixRule{"the matrix that it is in", MatrixLinks};
constexpr DependenceRule kSolveRule{"the matrix, and the vector that is solved for", SolveLinks};
constexpr DependenceRule kNormRule{"the elements of its feature", NormLinks};
constexpr DependenceRule kDynamicSliceRule{"the element that is moved there, and the start indices",
                                           nullptr, DynamicSliceSources, DynamicSliceReach};
constexpr DependenceRule kUpdateRule{
    "the element of the update, or of the operand, and the start indices", nullptr, UpdateSources,
    UpdateReach};
constexpr DependenceRule kGatherRule{"the element that the indices point at, and these indices",
                                     nullptr, GatherSources, GatherReach};
constexpr DependenceRule kScatterRule{
    "the element of the operand, the updates that are combined with it, and their indices", nullptr,
    ScatterSources, ScatterReach};

constexpr DependenceRule kShuffleRule{"the element that is moved there", nullptr, ShuffleSources,
                                      ShuffleReach};

struct Row {
  Opcode opcode;
  const DependenceRule* rule;
};

constexpr Row kRows[] = {
    {Opcode::kAbs, &kSame},
    {Opcode::kAcos, &kSame},
    {Opcode::kAcosh, &kSame},
    {Opcode::kAdd, &kSame},
    {Opcode::kAddDependency, &kPasses},
    {Opcode::kAfterAll, &kNothing},
    {Opcode::kAllGather, &kOthers},
    {Opcode::kAllGatherDone, &kOthers},
    {Opcode::kAllGatherStart, &kOthers},
    {Opcode::kAllReduce, &kOthers},
    {Opcode::kAllReduceDone, &kOthers},
    {Opcode::kAllReduceStart, &kOthers},
    {Opcode::kAllToAll, &kOthers},
    {Opcode::kAnd, &kSame},
    {Opcode::kAsin, &kSame},
    {Opcode::kAsinh, &kSame},
    {Opcode::kAsyncDone, &kRun},
    {Opcode::kAsyncStart, &kRun},
    {Opcode::kAsyncUpdate, &kRun},
    {Opcode::kAtan, &kSame},
    {Opcode::kAtan2, &kSame},
    {Opcode::kAtanh, &kSame},
    {Opcode::kBatchNormGrad, &kNormRule},
    {Opcode::kBatchNormInference, &kNormRule},
    {Opcode::kBatchNormTraining, &kNormRule},
    {Opcode::kBitcast, &kMoves},
    {Opcode::kBitcastConvert, &kMoves},
    {Opcode::kBroadcast, &kBroadcastRule},
    {Opcode::kCall, &kRun},
    {Opcode::kCbrt, &kSame},
    {Opcode::kCeil, &kSame},
    {Opcode::kCholesky, &kMatrixRule},
    {Opcode::kClamp, &kPicksOne},
    {Opcode::kCollectiveBroadcast, &kOthers},
    {Opcode::kCollectivePermute, &kOthers},
    {Opcode::kCollectivePermuteDone, &kOthers},
    {Opcode::kCollectivePermuteStart, &kOthers},
    {Opcode::kCollectiveReduce, &kOthers},
    {Opcode::kCompare, &kSame},
    {Opcode::kComplex, &kSame},
    {Opcode::kConcatenate, &kConcatenateRule},
    {Opcode::kConditional, &kRun},
    {Opcode::kConstant, &kNothing},
    {Opcode::kConvert, &kSame},
    {Opcode::kConvolution, &kConvolutionRule},
    {Opcode::kCopy, &kPasses},
    {Opcode::kCopyDone, &kPasses},
    {Opcode::kCopyStart, &kPasses},
    {Opcode::kCosh, &kSame},
    {Opcode::kCosine, &kSame},
    {Opcode::kCountLeadingZeros, &kSame},
    {Opcode::kCustomCall, &kEverything},
    {Opcode::kDivide, &kSame},
    {Opcode::kDomain, &kPasses},
    {Opcode::kDot, &kDotRule},
    {Opcode::kDynamicReshape, &kMoves},
    {Opcode::kDynamicSlice, &kDynamicSliceRule},
    {Opcode::kDynamicUpdateSlice, &kUpdateRule},
    {Opcode::kErf, &kSame},
    {Opcode::kExponential, &kSame},
    {Opcode::kExponentialMinusOne, &kSame},
    {Opcode::kFft, &kFftRule},
    {Opcode::kFloor, &kSame},
    {Opcode::kFusion, &kRun},
    {Opcode::kGather, &kGatherRule},
    {Opcode::kGetDimensionSize, &kNothing},
    {Opcode::kGetTupleElement, &kPartRule},
    {Opcode::kImag, &kSame},
    {Opcode::kInfeed, &kEverything},
    {Opcode::kIota, &kNothing},
    {Opcode::kIsFinite, &kSame},
    {Opcode::kLog, &kSame},
    {Opcode::kLogPlusOne, &kSame},
    {Opcode::kLogistic, &kSame},
    {Opcode::kMap, &kSame},
    {Opcode::kMaximum, &kPicksOne},
    {Opcode::kMinimum, &kPicksOne},
    {Opcode::kMulhi, &kSame},
    {Opcode::kMultiply, &kSame},
    {Opcode::kNegate, &kSame},
    {Opcode::kNot, &kSame},
    {Opcode::kOptBarrier, &kPasses},
    {Opcode::kOr, &kSame},
    {Opcode::kOutfeed, &kEverything},
    {Opcode::kPad, &kPadRule},
    {Opcode::kParameter, &kNothing},
    {Opcode::kPartitionId, &kNothing},
    {Opcode::kPopcnt, &kSame},
    {Opcode::kPower, &kSame},
    {Opcode::kRaggedAllToAll, &kOthers},
    {Opcode::kRaggedDot, &kEverything},
    {Opcode::kReal, &kSame},
    {Opcode::kRecv, &kOthers},
    {Opcode::kRecvDone, &kOthers},
    {Opcode::kReduce, &kReduceRule},
    {Opcode::kReducePrecision, &kSame},
    {Opcode::kReduceScatter, &kOthers},
    {Opcode::kReduceWindow, &kWindowRule},
    {Opcode::kRemainder, &kSame},
    {Opcode::kReplicaId, &kNothing},
    {Opcode::kReshape, &kMoves},
    {Opcode::kReverse, &kReverseRule},
    {Opcode::kRng, &kEverything},
    {Opcode::kRngBitGenerator, &kEverything},
    {Opcode::kRngGetAndUpdateState, &kNothing},
    {Opcode::kRoundNearestAfz, &kSame},
    {Opcode::kRoundNearestEven, &kSame},
    {Opcode::kRsqrt, &kSame},
    {Opcode::kScaledDot, &kEverything},
    {Opcode::kScan, &kEverything},
    {Opcode::kScatter, &kScatterRule},
    {Opcode::kSelect, &kSelectRule},
    {Opcode::kSelectAndScatter, &kSelectAndScatterRule},
    {Opcode::kSend, &kOthers},
    {Opcode::kSendDone, &kOthers},
    {Opcode::kSetDimensionSize, &kPasses},
    {Opcode::kShiftLeft, &kSame},
    {Opcode::kShiftRightArithmetic, &kSame},
    {Opcode::kShiftRightLogical, &kSame},
    {Opcode::kShuffle, &kShuffleRule},
    {Opcode::kSign, &kSame},
    {Opcode::kSine, &kSame},
    {Opcode::kSinh, &kSame},
    {Opcode::kSlice, &kSliceRule},
    {Opcode::kSort, &kSortRule},
    {Opcode::kSqrt, &kSame},
    {Opcode::kStochasticConvert, &kSame},
    {Opcode::kSubtract, &kSame},
    {Opcode::kTan, &kSame},
    {Opcode::kTanh, &kSame},
    {Opcode::kTopk, &kTopkRule},
    {Opcode::kTranspose, &kTransposeRule},
    {Opcode::kTriangularSolve, &kSolveRule},
    {Opcode::kTuple, &kTupleRule},
    {Opcode::kWhile, &kRun},
    {Opcode::kXor, &kSame},
};

// The table follows the opcodes, one row each.
constexpr bool HasAllOps() {
  if (std::size(kRows) != static_cast<size_t>(kOpcodeCount)) return false;
  for (size_t i = 0; i < std::size(kRows); ++i) {
    if (static_cast<size_t>(kRows[i].opcode) != i) return false;
  }
  return true;
}
static_assert(HasAllOps(), "every opcode has a rule of dependence, in the order of ops.def");

}  // namespace

const DependenceRule& DependenceRuleOf(Opcode opcode) {
  return *kRows[static_cast<size_t>(opcode)].rule;
}

std::string_view DependenceWords(Opcode opcode) { return DependenceRuleOf(opcode).words; }

}  // namespace hlo
