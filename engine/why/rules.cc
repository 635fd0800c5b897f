#include <iterator>

#include "engine/why/moved.h"
#include "engine/why/rule.h"

namespace hlo {
namespace {

constexpr DependenceRule kSameDependence{"the same element of each operand", SameLinks};
constexpr DependenceRule kPicksOneDependence{"the same element of the operand that is taken",
                                             SameLinks, PickedSources};
constexpr DependenceRule kSelectDependence{
    "the same element of the operand that the predicate chooses", SameLinks, SelectSources};
constexpr DependenceRule kMovesDependence{"the element that is moved there", nullptr, LinearSources,
                                          LinearReach};
constexpr DependenceRule kPassesDependence{"the same element of its operand", nullptr,
                                           PassedSources, PassedReach};
constexpr DependenceRule kTupleDependence{"the element of the operand that this part is", nullptr,
                                          TupleSources, TupleReach};
constexpr DependenceRule kPartDependence{"the same element of that part of the tuple", nullptr,
                                         PartSources, PartReach};
constexpr DependenceRule kNothingDependence{"nothing", NoLinks};
constexpr DependenceRule kEverythingDependence{"all elements of its operands", AllLinks};
constexpr DependenceRule kRunDependence{"what the computations that it runs make of its operands",
                                        AllLinks};
constexpr DependenceRule kOthersDependence{"elements of the operands of the devices of its group",
                                           AllLinks};
constexpr DependenceRule kBroadcastDependence{"the element that is repeated", BroadcastLinks};
constexpr DependenceRule kTransposeDependence{"the element that is moved there", TransposeLinks};
constexpr DependenceRule kSliceDependence{"the element that is moved there", SliceLinks};
constexpr DependenceRule kReverseDependence{"the element that is moved there", ReverseLinks};
constexpr DependenceRule kPadDependence{"the element that is moved there, or the padding value",
                                        PadLinks, PadSources};
constexpr DependenceRule kConcatenateDependence{"the element that is moved there",
                                                ConcatenateLinks};
constexpr DependenceRule kReduceDependence{
    "the elements that are reduced to it; of a smallest or largest one, that one", ReduceLinks,
    PickedSources};
constexpr DependenceRule kWindowDependence{
    "the elements of its window; of a smallest or largest one, that one", ReduceWindowLinks,
    PickedSources};
constexpr DependenceRule kSelectAndScatterDependence{
    "the sources whose windows have it, and the elements of these windows", SelectAndScatterLinks,
    SelectAndScatterSources};
constexpr DependenceRule kDotDependence{
    "the row of the left operand and the column of the right one", DotLinks};
constexpr DependenceRule kConvolutionDependence{
    "its window of the input, and the kernel of its feature", ConvolutionLinks};
constexpr DependenceRule kSortDependence{
    "the element that is sorted there, and what it was compared with", SortLinks, SortSources};
constexpr DependenceRule kTopkDependence{
    "the element that is taken, and the line that it was taken from", TopkLinks, SortSources};
constexpr DependenceRule kFftDependence{"the elements that are transformed together", FftLinks};
constexpr DependenceRule kMatrixDependence{"the matrix that it is in", MatrixLinks};
constexpr DependenceRule kSolveDependence{"the matrix, and the vector that is solved for",
                                          SolveLinks};
constexpr DependenceRule kNormDependence{"the elements of its feature", NormLinks};
constexpr DependenceRule kDynamicSliceDependence{
    "the element that is moved there, and the start indices", nullptr, DynamicSliceSources,
    DynamicSliceReach};
constexpr DependenceRule kUpdateDependence{
    "the element of the update, or of the operand, and the start indices", nullptr, UpdateSources,
    UpdateReach};
constexpr DependenceRule kGatherDependence{
    "the element that the indices point at, and these indices", nullptr, GatherSources,
    GatherReach};
constexpr DependenceRule kScatterDependence{
    "the element of the operand, the updates that are combined with it, and their indices", nullptr,
    ScatterSources, ScatterReach};

constexpr DependenceRule kShuffleDependence{"the element that is moved there", nullptr,
                                            ShuffleSources, ShuffleReach};

// By opcode.
constexpr const DependenceRule* kDependenceRules[] = {
#define OP(name, text, min_operands, max_operands, cost, dependence) &k##dependence##Dependence,
#include "engine/ops/ops.def"
};

}  // namespace

const DependenceRule& DependenceRuleOf(Opcode opcode) {
  return *kDependenceRules[static_cast<size_t>(opcode)];
}

std::string_view DependenceWords(Opcode opcode) { return DependenceRuleOf(opcode).words; }

}  // namespace hlo
