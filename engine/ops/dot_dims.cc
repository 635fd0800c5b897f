#include "engine/ops/dot_dims.h"

#include <fmt/format.h>

#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

/// One kind of paired dimensions, for checks and messages.
struct Pairing {
  std::string_view kind;
  std::string_view lhs_attr;
  std::string_view rhs_attr;
};
constexpr Pairing kPairings[] = {
    {"batch", "lhs_batch_dims", "rhs_batch_dims"},
    {"contracting", "lhs_contracting_dims", "rhs_contracting_dims"},
};

/// The numbers are in range and unique, also between batch and contracting dimensions.
bool CheckNumbers(const OpCall& call, int side, Diagnostics& out) {
  constexpr std::string_view kSides[] = {"lhs", "rhs"};
  bool good = true;
  auto attr = [&](const Pairing& pairing) {
    return side == 0 ? pairing.lhs_attr : pairing.rhs_attr;
  };
  for (const Pairing& pairing : kPairings) {
    good &= CheckDims(call, attr(pairing), call.operand(side).rank(),
                      kSides[static_cast<size_t>(side)], {}, out);
  }
  for (int64_t d : call.Ints(attr(kPairings[1]))) {
    if (!Contains(call.Ints(attr(kPairings[0])), d)) continue;
    ReportAttr(call, attr(kPairings[1]), DiagCode::kDimensionNumbers,
               fmt::format("dimension {} is both a batch and a contracting dimension of the {}", d,
                           kSides[static_cast<size_t>(side)]),
               out);
    good = false;
  }
  return good;
}

/// As many on both sides, and of equal sizes.
bool CheckPairs(const OpCall& call, const Pairing& pairing, Diagnostics& out) {
  const Dims& lhs = call.Ints(pairing.lhs_attr);
  const Dims& rhs = call.Ints(pairing.rhs_attr);
  if (lhs.size() != rhs.size()) {
    ReportAttr(call, pairing.lhs_attr, DiagCode::kDimensionNumbers,
               fmt::format("{} {} dimensions of the lhs, but {} of the rhs", lhs.size(),
                           pairing.kind, rhs.size()),
               out);
    return false;
  }
  bool good = true;
  for (size_t i = 0; i < lhs.size(); ++i) {
    int l = static_cast<int>(lhs[i]), r = static_cast<int>(rhs[i]);
    const Shape &a = call.operand(0), &b = call.operand(1);
    if (a.dim(l) == b.dim(r) || a.is_unbounded(l) || b.is_unbounded(r)) continue;
    ReportAttr(call, pairing.rhs_attr, DiagCode::kDimensionNumbers,
               fmt::format("the lhs has size {} in {} dimension {}, the rhs has size {} in its "
                           "dimension {}",
                           a.dim(l), pairing.kind, l, b.dim(r), r),
               out);
    good = false;
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
  for (const Pairing& pairing : kPairings) good &= CheckPairs(call, pairing, out);
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

double DotFlops(const OpCall& call) {
  double terms = static_cast<double>(call.shape().element_count());
  for (int64_t d : call.Ints("lhs_contracting_dims")) {
    terms *= static_cast<double>(call.operand(0).dim(static_cast<int>(d)));
  }
  return 2 * terms;
}

}  // namespace hlo
