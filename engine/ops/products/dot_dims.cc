#include "engine/ops/products/dot_dims.h"

#include <fmt/format.h>

#include <vector>

#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

/// One kind of paired dimensions, and XLA's words for what they must be.
struct Pairing {
  std::string_view lhs_attr;
  std::string_view rhs_attr;
  std::string_view count_fault;
  std::string_view size_fault;
};
constexpr Pairing kBatch{"lhs_batch_dims", "rhs_batch_dims",
                         "Must the same number of batch dimensions for lhs and rhs.",
                         "Batch dimension sizes are not compatible."};
constexpr Pairing kContracting{
    "lhs_contracting_dims", "rhs_contracting_dims",
    "Must specify the same number of contracting dimensions for lhs and rhs.",
    "Contracting dimension sizes are not compatible."};

/// The numbers of one side are in range and unique, also between batch and contracting dimensions.
/// XLA, shape_inference.cc, ValidateDotDimensionNumbers.
bool CheckNumbers(const OpCall& call, int side, Diagnostics& out) {
  const int rank = call.operand(side).rank();
  std::vector<bool> seen(static_cast<size_t>(rank));
  for (const Pairing& pairing : {kContracting, kBatch}) {
    const std::string_view attr = side == 0 ? pairing.lhs_attr : pairing.rhs_attr;
    for (int64_t d : call.Ints(attr)) {
      const bool in_range = d >= 0 && d < rank;
      if (in_range && !seen[static_cast<size_t>(d)]) {
        seen[static_cast<size_t>(d)] = true;
        continue;
      }
      ReportAttr(call, attr, DiagCode::kDimensionNumbers,
                 fmt::format("A dimension number is {} in Dot: {} of the {} {}",
                             in_range ? "not unique" : "out of range", d, side == 0 ? "lhs" : "rhs",
                             ShapeName(call.operand(side))),
                 out);
      return false;
    }
  }
  return true;
}

/// Checks that both sides have as many, of equal sizes. XLA, shape_inference.cc, InferDotOpShape.
bool CheckPairing(const OpCall& call, const Pairing& pairing, Diagnostics& out) {
  const Dims& lhs = call.Ints(pairing.lhs_attr);
  const Dims& rhs = call.Ints(pairing.rhs_attr);
  const Shape& a = call.operand(0);
  const Shape& b = call.operand(1);
  const auto fail = [&](std::string_view attr, std::string_view message) {
    ReportAttr(call, attr, DiagCode::kDimensionNumbers,
               fmt::format("Cannot infer shape for dot operation: {} <dot> {}. {}", ShapeName(a),
                           ShapeName(b), message),
               out);
    return false;
  };
  if (lhs.size() != rhs.size()) {
    return fail(pairing.lhs_attr,
                fmt::format("{} {} and {}", pairing.count_fault, lhs.size(), rhs.size()));
  }
  bool good = true;
  for (size_t i = 0; i < lhs.size(); ++i) {
    const int l = static_cast<int>(lhs[i]);
    const int r = static_cast<int>(rhs[i]);
    if (a.dim(l) == b.dim(r) || a.is_unbounded(l) || b.is_unbounded(r)) continue;
    good = fail(pairing.rhs_attr,
                fmt::format("{} Dimension {} of the lhs has size {}, dimension {} of the rhs {}",
                            pairing.size_fault, l, a.dim(l), r, b.dim(r)));
  }
  return good;
}

}  // namespace

DotDims DotDimsOf(const OpCall& call) {
  return {call.Ints("lhs_batch_dims"), call.Ints("lhs_contracting_dims"),
          call.Ints("rhs_batch_dims"), call.Ints("rhs_contracting_dims")};
}

bool CheckDotDims(const OpCall& call, Diagnostics& out) {
  bool good = CheckNumbers(call, 0, out);
  good &= CheckNumbers(call, 1, out);
  if (!good) return false;
  good &= CheckPairing(call, kContracting, out);
  good &= CheckPairing(call, kBatch, out);
  return good;
}

std::optional<Shape> DotShape(const OpCall& call, const Dims& skip_rhs, Diagnostics& out) {
  const Shape &lhs = call.operand(0), &rhs = call.operand(1);
  DotDims dims = DotDimsOf(call);
  Dims sizes, dynamic;
  auto append = [&](const Shape& from, const Dims& which) {
    for (int64_t d : which) {
      if (from.is_dynamic(static_cast<int>(d))) {
        dynamic.push_back(static_cast<int64_t>(sizes.size()));
      }
      sizes.push_back(from.dim(static_cast<int>(d)));
    }
  };
  append(lhs, dims.lhs_batch);
  append(lhs, FreeDims(lhs.rank(), dims.lhs_batch, dims.lhs_contracting));
  for (int64_t d : FreeDims(rhs.rank(), dims.rhs_batch, dims.rhs_contracting)) {
    if (!Contains(skip_rhs, d)) append(rhs, Dims{d});
  }
  bool written = call.written() != nullptr && call.written()->IsArray();
  ElementType type = written ? call.written()->element_type()
                             : HigherPrecision(lhs.element_type(), rhs.element_type());
  std::optional<Shape> result = CheckedArray(call, type, sizes, out);
  if (!result) return std::nullopt;
  for (int64_t d : dynamic) result->set_dynamic(static_cast<int>(d), true);
  return result;
}

}  // namespace hlo
