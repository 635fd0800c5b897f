#include "engine/graph/precision.h"

#include <algorithm>

#include "engine/base/work_limit.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

// Bits of the floats of an array; of complex numbers those of a component. 0: none.
int FloatBits(const Shape& shape) {
  if (!shape.IsArray()) return 0;
  const ElementType type = ComponentType(shape.element_type());
  return IsFloat(type) ? BitsOf(type) : 0;
}

bool Narrows(const Instruction& instruction) {
  // What it runs, it only hands on.
  if (instruction.def().runs != Runs::kOtherwise) return false;
  if (instruction.attrs().Has("mantissa_bits")) return true;
  const int bits = FloatBits(instruction.shape());
  return bits > 0 &&
         std::any_of(instruction.operands().begin(), instruction.operands().end(),
                     [&](const Instruction* each) { return FloatBits(each->shape()) > bits; });
}

// A rounding inside of what an instruction runs shows at the instruction. Callees come first.
void ShowAtCallers(const ProgramGraph& graph, std::vector<Precision>* of) {
  std::vector<bool> narrows(graph.module().computations().size());
  for (uint32_t i = 0; i < graph.size(); ++i) {
    ForEachCallee(graph.At(i), [&](const Attr&, const Computation& callee) {
      if (narrows[static_cast<size_t>(callee.index())]) (*of)[i] = Precision::kNarrowed;
    });
    if ((*of)[i] == Precision::kNarrowed) {
      narrows[static_cast<size_t>(graph.At(i).parent()->index())] = true;
    }
  }
}

}  // namespace

std::vector<Precision> PrecisionOf(const ProgramGraph& graph) {
  std::vector<Precision> of(graph.size(), Precision::kWhole);
  std::vector<uint32_t> open;
  for (uint32_t i = 0; i < graph.size(); ++i) {
    if (!Narrows(graph.At(i))) continue;
    of[i] = Precision::kNarrowed;
    open.push_back(i);
  }
  while (!open.empty()) {
    const uint32_t at = open.back();
    open.pop_back();
    for (const uint32_t next : graph.TargetsOf(at)) {
      CountWork();
      if (of[next] != Precision::kWhole) continue;
      of[next] = Precision::kAfter;
      open.push_back(next);
    }
  }
  ShowAtCallers(graph, &of);
  return of;
}

}  // namespace hlo
