// See gather_dims.h.
#include "engine/ops/gather_dims.h"

#include <fmt/format.h>

#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

int64_t IndexVectorSize(const OpCall& call, const Shape& indices) {
  int64_t d = call.Int(kIndexVectorDim);
  return d == indices.rank() ? 1 : indices.dim(static_cast<int>(d));
}

/// The map has one operand dimension per component.
bool CheckIndexMap(const OpCall& call, const GatherNames& names, const Shape& operand,
                   const Shape& indices, Diagnostics& out) {
  const Dims& map = call.Ints(names.index_map);
  auto fail = [&](std::string message) {
    ReportAttr(call, names.index_map, DiagCode::kDimensionNumbers,
               fmt::format("Invalid {} mapping; {}", names.index_map, message), out);
    return false;
  };
  int64_t size = IndexVectorSize(call, indices);
  if (static_cast<int64_t>(map.size()) != size && size != Shape::kUnbounded) {
    return fail(fmt::format("it has {} entries, but the index vectors in {} have {}", map.size(),
                            ShapeName(indices), size));
  }
  for (int64_t d : map) {
    if (d < 0 || d >= operand.rank()) {
      return fail(fmt::format("dimension {} is out of range for the operand {} (rank {})", d,
                              ShapeName(operand), operand.rank()));
    }
  }
  return CheckDims(call, names.index_map, operand.rank(), "the operand", {}, out);
}

/// Batching dimensions pair up with equal sizes and are not collapsed.
bool CheckBatching(const OpCall& call, const GatherNames& names, const Shape& operand,
                   const Shape& indices, Diagnostics& out) {
  DimsRule sorted{.unique = true, .sorted = true};
  bool ok = CheckDims(call, names.collapsed, operand.rank(), "the operand", sorted, out);
  ok &= CheckDims(call, names.operand_batch, operand.rank(), "the operand", sorted, out);
  ok &= CheckDims(call, names.indices_batch, indices.rank(), "the indices", {}, out);
  if (!ok) return false;
  const Dims& of_operand = call.Ints(names.operand_batch);
  const Dims& of_indices = call.Ints(names.indices_batch);
  auto fail = [&](std::string_view attr, std::string message) {
    ReportAttr(call, attr, DiagCode::kDimensionNumbers, message, out);
    ok = false;
  };
  if (of_operand.size() != of_indices.size()) {
    fail(names.indices_batch, fmt::format("{} batching dimensions of the indices for {} of the "
                                          "operand",
                                          of_indices.size(), of_operand.size()));
    return false;
  }
  for (size_t i = 0; i < of_operand.size(); ++i) {
    if (Contains(call.Ints(names.collapsed), of_operand[i])) {
      fail(names.operand_batch,
           fmt::format("dimension {} is also in {}", of_operand[i], names.collapsed));
    }
    if (of_indices[i] == call.Int(kIndexVectorDim)) {
      fail(names.indices_batch, fmt::format("dimension {} is index_vector_dim", of_indices[i]));
    }
    int64_t a = operand.dim(static_cast<int>(of_operand[i]));
    int64_t b = indices.dim(static_cast<int>(of_indices[i]));
    if (a != b && a != Shape::kUnbounded && b != Shape::kUnbounded) {
      // XLA accepts it.
      out.Report(
          DiagCode::kDimensionNumbers, Severity::kWarning, call.attr_range(names.operand_batch),
          fmt::format("{}.{}: batching dimension {} has size {} in the operand and {} in the "
                      "indices",
                      call.opcode_text(), names.operand_batch, of_operand[i], a, b));
    }
  }
  return ok;
}

}  // namespace

bool CheckIndices(const OpCall& call, int i, Diagnostics& out) {
  if (!CheckType(call, i, kIntegerTypes, out)) return false;
  return CheckInt(call, kIndexVectorDim, 0, call.operand(i).rank() + 1, out);
}

bool CheckGatherDims(const OpCall& call, const GatherNames& names, const Shape& operand,
                     const Shape& indices, Diagnostics& out) {
  bool ok = CheckBatching(call, names, operand, indices, out);
  ok &= CheckIndexMap(call, names, operand, indices, out);
  return ok;
}

Dims IndexDims(const OpCall& call, const Shape& indices) {
  Dims dims;
  for (int d = 0; d < indices.rank(); ++d) {
    if (d != call.Int(kIndexVectorDim)) dims.push_back(indices.dim(d));
  }
  return dims;
}

bool IsLeftOut(const OpCall& call, const GatherNames& names, int64_t d) {
  return Contains(call.Ints(names.collapsed), d) || Contains(call.Ints(names.operand_batch), d);
}

Dims SliceDims(const OpCall& call, const GatherNames& names, int operand_rank) {
  Dims dims;
  for (int64_t d = 0; d < operand_rank; ++d) {
    if (!IsLeftOut(call, names, d)) dims.push_back(d);
  }
  return dims;
}

}  // namespace hlo
