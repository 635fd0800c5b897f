// The Builder: element-wise operations, and the implicit broadcasting of their operands.
#include <fmt/format.h>

#include <algorithm>

#include "engine/hlo/builder.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

Dims Identity(int rank) {
  Dims dims;
  for (int d = 0; d < rank; ++d) dims.push_back(d);
  return dims;
}

/// A dimension that is stretched where its partner is larger.
bool IsDegenerate(const Shape& shape, int d) { return shape.dim(d) == 1 && !shape.is_dynamic(d); }

/// The sizes both operands come to; dimension i of lhs (rhs) is dimension lhs_map[i] (rhs_map[i])
/// of the result. Nothing when they do not fit.
std::optional<Dims> CommonSizes(const Shape& lhs, const Dims& lhs_map, const Shape& rhs,
                                const Dims& rhs_map) {
  Dims sizes(static_cast<size_t>(std::max(lhs.rank(), rhs.rank())), 1);
  auto set = [&](const Shape& shape, const Dims& map) {
    for (int d = 0; d < shape.rank(); ++d) {
      if (!IsDegenerate(shape, d)) {
        sizes[static_cast<size_t>(map[static_cast<size_t>(d)])] = shape.dim(d);
      }
    }
  };
  auto fits = [&](const Shape& shape, const Dims& map) {
    for (int d = 0; d < shape.rank(); ++d) {
      int64_t size = sizes[static_cast<size_t>(map[static_cast<size_t>(d)])];
      if (!IsDegenerate(shape, d) && shape.dim(d) != size) return false;
    }
    return true;
  };
  set(rhs, rhs_map);
  set(lhs, lhs_map);
  if (!fits(lhs, lhs_map) || !fits(rhs, rhs_map)) return std::nullopt;
  return sizes;
}

/// Ascending numbers below `rank`, as many as `count`.
bool IsBroadcastList(const Dims& dims, int count, int rank) {
  if (static_cast<int>(dims.size()) != count) return false;
  int64_t previous = -1;
  for (int64_t d : dims) {
    if (d <= previous || d >= rank) return false;
    previous = d;
  }
  return true;
}

}  // namespace

Op Builder::StretchTo(Op operand, const Dims& sizes, const Dims& mapping) {
  if (!operand) return Op();
  const Shape& shape = operand.shape();
  Dims kept, kept_mapping;
  bool same = shape.rank() == static_cast<int>(sizes.size());
  for (int d = 0; d < shape.rank(); ++d) {
    int64_t to = mapping[static_cast<size_t>(d)];
    int64_t size = sizes[static_cast<size_t>(to)];
    same &= to == d && shape.dim(d) == size;
    // A dimension of size 1 that is to be larger is dropped, and comes back with the broadcast.
    if (IsDegenerate(shape, d) && size != 1) continue;
    kept.push_back(d);
    kept_mapping.push_back(to);
  }
  if (same) return operand;
  Shape result = Shape::Array(shape.element_type(), sizes);
  if (static_cast<int>(kept.size()) != shape.rank()) {
    Shape rest = Shape::Array(shape.element_type(), kept);
    for (int i = 0; i < rest.rank(); ++i) {
      int d = static_cast<int>(kept[static_cast<size_t>(i)]);
      rest.set_dim(i, shape.dim(d));
      rest.set_dynamic(i, shape.is_dynamic(d));
    }
    operand = Instruct(Opcode::kReshape, {operand}, {}, &rest);
  }
  return Instruct(Opcode::kBroadcast, {operand}, {{"dimensions", kept_mapping}}, &result);
}

Op Builder::Binary(Opcode opcode, Op lhs, Op rhs, const Dims& broadcast_dimensions) {
  return Instruct(opcode, BroadcastTogether(Text(opcode), lhs, rhs, broadcast_dimensions));
}

std::vector<Op> Builder::BroadcastTogether(std::string_view what, Op lhs, Op rhs,
                                           const Dims& broadcast_dimensions) {
  // Not arrays: the shape rule says so.
  if (!lhs || !rhs || !lhs.shape().IsArray() || !rhs.shape().IsArray()) return {lhs, rhs};
  int lhs_rank = lhs.shape().rank(), rhs_rank = rhs.shape().rank();
  int rank = std::max(lhs_rank, rhs_rank), low = std::min(lhs_rank, rhs_rank);
  auto fail = [&](std::string why) {
    Report(DiagCode::kOperandShape, fmt::format("{}: {} and {}: {}", what, ShapeName(lhs.shape()),
                                                ShapeName(rhs.shape()), why));
    return std::vector<Op>{Op(), Op()};
  };
  Dims map = broadcast_dimensions.empty() ? Identity(low) : broadcast_dimensions;
  if (broadcast_dimensions.empty() && low != rank && low != 0) {
    return fail("operands of different ranks need broadcast_dimensions");
  }
  if (!IsBroadcastList(map, low, rank)) {
    return fail(fmt::format("broadcast_dimensions {} must be {} ascending numbers below {}",
                            DimsText(map), low, rank));
  }
  Dims lhs_map = lhs_rank < rhs_rank ? map : Identity(lhs_rank);
  Dims rhs_map = rhs_rank < lhs_rank ? map : Identity(rhs_rank);
  if (lhs_rank == rhs_rank && !(map == Identity(rank))) {
    return fail("operands of one rank take no broadcast_dimensions");
  }
  std::optional<Dims> sizes = CommonSizes(lhs.shape(), lhs_map, rhs.shape(), rhs_map);
  if (!sizes) return fail("dimensions must be equal, or 1");
  lhs = StretchTo(lhs, *sizes, lhs_map);
  return {lhs, StretchTo(rhs, *sizes, rhs_map)};
}

Op Builder::Compare(Op lhs, Op rhs, std::string_view direction, const Dims& broadcast_dimensions,
                    bool total_order) {
  std::vector<Op> operands = BroadcastTogether("compare", lhs, rhs, broadcast_dimensions);
  std::vector<NamedAttr> attrs = {{"direction", std::string(direction)}};
  bool is_float = lhs && lhs.shape().IsArray() && IsFloat(lhs.shape().element_type());
  if (total_order && is_float) attrs.push_back({"type", std::string("TOTALORDER")});
  return Instruct(Opcode::kCompare, operands, std::move(attrs));
}

Op Builder::Clamp(Op min, Op operand, Op max) {
  return Instruct(Opcode::kClamp, {min, operand, max});
}

Op Builder::Select(Op pred, Op on_true, Op on_false) {
  if (!pred || !on_true || !on_false || !on_true.shape().IsTuple()) {
    return Instruct(Opcode::kSelect, {pred, on_true, on_false});
  }
  if (!pred.shape().IsScalar() || !Shape::Compatible(on_true.shape(), on_false.shape())) {
    return Fail(DiagCode::kOperandShape,
                fmt::format("select: tuples need a scalar pred and one shape: {}, {} and {}",
                            ShapeName(pred.shape()), ShapeName(on_true.shape()),
                            ShapeName(on_false.shape())));
  }
  std::vector<Op> parts, yes = TupleElements(on_true), no = TupleElements(on_false);
  for (size_t i = 0; i < yes.size(); ++i) parts.push_back(Select(pred, yes[i], no[i]));
  return Tuple(parts);
}

Op Builder::ConvertElementType(Op operand, ElementType new_element_type) {
  Shape type = Shape::Scalar(new_element_type);
  return Instruct(Opcode::kConvert, {operand}, {}, &type);
}

Op Builder::BitcastConvertType(Op operand, ElementType new_element_type) {
  // Of the written shape the rule reads the element type alone.
  Shape type = Shape::Scalar(new_element_type);
  return Instruct(Opcode::kBitcastConvert, {operand}, {}, &type);
}

Op Builder::ReducePrecision(Op operand, int64_t exponent_bits, int64_t mantissa_bits) {
  return Instruct(Opcode::kReducePrecision, {operand},
                  {{"exponent_bits", exponent_bits}, {"mantissa_bits", mantissa_bits}});
}

Op Builder::Map(const std::vector<Op>& operands, const Module* computation,
                const Dims& dimensions) {
  return Instruct(Opcode::kMap, operands,
                  {{"dimensions", dimensions}, {"to_apply", Import(computation, "map")}});
}

}  // namespace hlo
