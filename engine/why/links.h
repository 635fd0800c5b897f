// How the indices of an operand follow from those of the result, dimension by dimension: what most
// ops' dependence is. Both directions follow from it.
#ifndef HLO_ENGINE_WHY_LINKS_H_
#define HLO_ENGINE_WHY_LINKS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/why/dependence.h"

namespace hlo {

/// One dimension of an operand. Where it has a dimension of the result: index x of the operand
/// belongs to index r of the result if x * divisor = start + step * (r / block) + dilation * w for
/// some w in [0, taps).
struct Link {
  int dim = -1;  ///< of the result; -1: every index belongs to every one
  int64_t start = 0;
  int64_t step = 1;
  int64_t divisor = 1;
  int64_t taps = 1;
  int64_t dilation = 1;
  int64_t block = 1;
};
/// Of all dimensions of an operand.
using Links = std::vector<Link>;

/// The links of an operand, with array `part` of the result (0 if that is no tuple); nothing if no
/// element of the result depends on its elements.
using LinksOf = std::optional<Links> (*)(const OpCall& call, int operand, int part);

/// The links of the window of reduce-window, and of the two of select-and-scatter.
std::optional<Links> SameLinks(const OpCall& call, int operand, int part);
std::optional<Links> AllLinks(const OpCall& call, int operand, int part);
std::optional<Links> NoLinks(const OpCall& call, int operand, int part);
std::optional<Links> BroadcastLinks(const OpCall& call, int operand, int part);
std::optional<Links> TransposeLinks(const OpCall& call, int operand, int part);
std::optional<Links> SliceLinks(const OpCall& call, int operand, int part);
std::optional<Links> ReverseLinks(const OpCall& call, int operand, int part);
std::optional<Links> PadLinks(const OpCall& call, int operand, int part);
std::optional<Links> ConcatenateLinks(const OpCall& call, int operand, int part);
std::optional<Links> ReduceLinks(const OpCall& call, int operand, int part);
std::optional<Links> ReduceWindowLinks(const OpCall& call, int operand, int part);
std::optional<Links> SelectAndScatterLinks(const OpCall& call, int operand, int part);
std::optional<Links> DotLinks(const OpCall& call, int operand, int part);
std::optional<Links> ConvolutionLinks(const OpCall& call, int operand, int part);
std::optional<Links> SortLinks(const OpCall& call, int operand, int part);
std::optional<Links> TopkLinks(const OpCall& call, int operand, int part);
std::optional<Links> FftLinks(const OpCall& call, int operand, int part);
std::optional<Links> MatrixLinks(const OpCall& call, int operand, int part);
std::optional<Links> SolveLinks(const OpCall& call, int operand, int part);
std::optional<Links> NormLinks(const OpCall& call, int operand, int part);

/// The elements of an operand of these sizes that belong to an element of the result.
Box SourceBox(const Links& links, const Dims& sizes, const Dims& index);
/// The elements of a result of these sizes that an element of the operand belongs to.
Box ReachBox(const Links& links, const Dims& sizes, const Dims& index);

/// Array `part` of the result.
const Shape& PartOf(const OpCall& call, int part);

}  // namespace hlo

#endif  // HLO_ENGINE_WHY_LINKS_H_
