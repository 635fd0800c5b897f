#include "engine/cost/library_work.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "engine/cost/contraction_work.h"
#include "engine/ops/custom_calls/custom_call_targets.h"
#include "engine/ops/custom_calls/library_calls.h"

namespace hlo {
namespace {

enum class Library { kConfiguredProduct, kMatrixProduct, kConvolution };
constexpr int kResult = -1;

struct LibraryRow {
  std::string_view target;
  Library library;
  // Which operand the arrays of a convolution are.
  int input = 0, filter = 1, output = kResult;
};

constexpr LibraryRow kLibraries[] = {
    {"__cublas$gemm", Library::kConfiguredProduct},
    {"__cublas$lt$matmul", Library::kConfiguredProduct},
    {"__cublas$lt$matmul$f8", Library::kConfiguredProduct},
    {"__cudnn$convBackwardFilter", Library::kConvolution, 0, kResult, 1},
    {"__cudnn$convBackwardInput", Library::kConvolution, kResult, 1, 0},
    {"__cudnn$convBiasActivationForward", Library::kConvolution},
    {"__cudnn$convForward", Library::kConvolution},
    {"__onednn$matmul", Library::kMatrixProduct},
};

// The product of the sizes that are summed over.
double TermsOf(const OpCall& call, Library library) {
  const Shape& lhs = call.operand(0);
  if (library == Library::kMatrixProduct) {
    const int back = ConfigInt(call, "transpose_a", 0) != 0 ? 2 : 1;
    return SizeOf(lhs, lhs.rank() - back);
  }
  double terms = 1;
  for (int64_t dim : ConfigDims(call, "lhs_contracting_dimensions")) terms *= SizeOf(lhs, dim);
  return terms;
}

}  // namespace

std::optional<Cost> LibraryCost(const OpCall& call, ShapeBytes* bytes) {
  const auto& target = call.attrs().String("custom_call_target");
  const auto row = std::find_if(std::begin(kLibraries), std::end(kLibraries),
                                [&](const LibraryRow& each) { return each.target == target; });
  if (row == std::end(kLibraries) || call.operand_count() < 2) return std::nullopt;
  const Shape& whole = call.shape();
  const bool has_parts = whole.IsTuple() && !whole.elements().empty();
  const Shape& result = has_parts ? whole.elements()[0] : whole;
  if (!call.operand(0).IsArray() || !call.operand(1).IsArray() || !result.IsArray()) {
    return std::nullopt;
  }
  Cost cost;
  if (row->library == Library::kConvolution) {
    const auto array = [&](int i) { return i == kResult ? result : call.operand(i); };
    const Shape operands[] = {array(row->input), array(row->filter)};
    const Shape output = array(row->output);
    OpCall convolution = call.WithShapes(operands, &output);
    convolution.set_opcode(Opcode::kConvolution);
    const auto no_work = [](const Region*) { return Work(); };
    cost.work = ConvolutionWork(CostCall(convolution, bytes, no_work));
  } else {
    cost.work.flops = 2 * ElementCount(result) * TermsOf(call, row->library);
  }
  for (int i = 0; i < call.operand_count(); ++i) cost.traffic += bytes->Read(call.operand(i));
  cost.traffic += bytes->Written(result);
  return cost;
}

}  // namespace hlo
