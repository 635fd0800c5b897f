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
  NamedAttrs attrs = {{"direction", std::string(direction)}};
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

Op Builder::Map(const std::vector<Op>& operands, const Module* computation, const Dims& dimensions,
                const std::vector<Op>& static_operands) {
  std::vector<Op> all = operands;
  for (Op extra : static_operands) {
    if (operands.empty() || !operands[0] || !extra) return Op();
    if (!extra.shape().IsScalar()) {
      return MapInLoop(operands, computation, dimensions, static_operands);
    }
    // A scalar is the same for every element.
    const Shape& first = operands[0].shape();
    Shape repeated = first.IsArray() ? first : Shape::Array(extra.shape().element_type(), {});
    repeated.set_element_type(extra.shape().element_type());
    all.push_back(Instruct(Opcode::kBroadcast, {extra}, {{"dimensions", Dims{}}}, &repeated));
  }
  return Instruct(Opcode::kMap, all,
                  {{"dimensions", dimensions}, {"to_apply", Import(computation, "map")}});
}

// HLO's map has no operands that are not mapped over: a loop over the elements calls the
// computation with them.
Op Builder::MapInLoop(const std::vector<Op>& operands, const Module* computation,
                      const Dims& dimensions, const std::vector<Op>& static_operands) {
  if (!computation || !computation->entry()) {
    return Fail(DiagCode::kComputationUnknown, "map: the computation was not built");
  }
  const Shape& result = computation->entry()->result_shape();
  if (!result.IsScalar()) {
    return Fail(DiagCode::kComputationSignature,
                fmt::format("map: the computation gives {}, not a scalar", ShapeName(result)));
  }
  if (dimensions != Identity(operands[0].shape().rank())) {
    return Fail(DiagCode::kDimensionNumbers,
                fmt::format("map: dimensions {} must be all of {}, in order", DimsText(dimensions),
                            ShapeName(operands[0].shape())));
  }
  // The body takes an element out, so there is one even where the loop does not run.
  const int64_t count = operands[0].shape().element_count(), room = std::max<int64_t>(count, 1);
  std::vector<Op> state = {ConstantR0<int64_t>(0)};
  for (Op operand : operands) {
    if (!IsArray(operand, "map")) return Op();
    if (operand.shape().dims() != operands[0].shape().dims()) {
      return Fail(DiagCode::kOperandShape, "map: the operands have different dimensions");
    }
    const Op line = Reshape(operand, {count});
    state.push_back(count == room ? line
                                  : Pad(line, Zero(operand.shape().element_type()), {{0, 1, 0}}));
  }
  state.insert(state.end(), static_operands.begin(), static_operands.end());
  state.push_back(Broadcast(Zero(result.element_type()), {room}));
  Op init = Tuple(state);
  if (!init) return Op();

  Builder condition("map_condition");
  condition.Lt(condition.GetTupleElement(condition.Parameter(0, init.shape(), "state"), 0),
               condition.ConstantR0(count));
  Builder body("map_body");
  std::vector<Op> values = body.TupleElements(body.Parameter(0, init.shape(), "state"));
  const Op index = values.front();
  std::vector<Op> args;
  for (size_t i = 0; i < operands.size() + static_operands.size(); ++i) {
    const Op value = values[i + 1];
    args.push_back(i < operands.size() ? body.Reshape(body.DynamicSlice(value, {index}, {1}), {})
                                       : value);
  }
  const Op element = body.Reshape(body.Call(computation, args), {1});
  values.back() = body.DynamicUpdateSlice(values.back(), element, std::vector<Op>{index});
  values.front() = body.Add(index, body.ConstantR0<int64_t>(1));
  body.Tuple(values);
  const auto condition_module = condition.Build(diagnostics_),
             body_module = body.Build(diagnostics_);
  if (!condition_module || !body_module) return Op();
  const Op end = While(condition_module.get(), body_module.get(), init);
  const Op mapped = GetTupleElement(end, static_cast<int64_t>(state.size()) - 1);
  return Reshape(count == room ? mapped : Slice(mapped, {0}, {count}), operands[0].shape().dims());
}

}  // namespace hlo
