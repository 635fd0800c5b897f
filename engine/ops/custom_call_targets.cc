// The targets of custom-call that are built in: those XLA itself defines, expands or ignores.
#include <fmt/format.h>

#include <cstring>
#include <iterator>
#include <utility>

#include "engine/ops/call_as.h"
#include "engine/ops/custom_calls.h"
#include "engine/ops/dynamic_shapes.h"
#include "engine/ops/matrix_factors.h"
#include "engine/ops/special_functions.h"
#include "engine/types/convert.h"

namespace hlo {
namespace {

// Elements between two looks at the clock.
constexpr int64_t kPollElements = 1 << 16;

[[noreturn]] void Refuse(const OpCall& call, std::string_view why) {
  throw RunError(DiagCode::kRuntimeError,
                 fmt::format("custom-call to {} {}", call.String("custom_call_target"), why));
}

void WantOperands(const OpCall& call, int count) {
  if (call.operand_count() == count) return;
  Refuse(call, fmt::format("takes {} operands, but has {}", count, call.operand_count()));
}

// ---- The operand itself -------------------------------------------------------------------------

Value EvalIdentity(const OpCall& call, std::span<Value> args, EvalContext&) {
  WantOperands(call, 1);
  return std::move(args[0]);
}

/// On one device a shard is the whole array.
Value EvalShard(const OpCall& call, std::span<Value> args, EvalContext&) {
  WantOperands(call, 1);
  if (Shape::Compatible(call.operand(0), call.shape())) return std::move(args[0]);
  Refuse(call, fmt::format("changes {} into {}: XLA's partitioner removes it before anything runs, "
                           "and this engine runs programs as they are; it can be run where the "
                           "shapes are the same",
                           ShapeName(call.operand(0)), ShapeName(call.shape())));
}

// ---- No operand ---------------------------------------------------------------------------------

Value Zeros(const Shape& shape, Budget* budget) {
  if (shape.IsTuple()) {
    Value::Elements elements;
    for (const Shape& element : shape.elements()) elements.push_back(Zeros(element, budget));
    return Value::Tuple(std::move(elements));
  }
  if (!shape.IsArray() && !shape.IsBuffer()) return Value();
  Tensor zeros(shape, budget);
  std::memset(zeros.mutable_bytes(), 0, static_cast<size_t>(zeros.byte_size()));
  return Value(std::move(zeros));
}

Value EvalAllocate(const OpCall& call, std::span<Value>, EvalContext& context) {
  return Zeros(call.shape(), context.budget());
}

Value EvalSeed(const OpCall& call, std::span<Value>, EvalContext& context) {
  Tensor seed(call.shape(), context.budget());
  for (int64_t i = 0; i < seed.element_count(); ++i) {
    seed.mutable_data<uint64_t>()[i] = context.seed();
  }
  return Value(std::move(seed));
}

// ---- An op under another name -------------------------------------------------------------------

template <Opcode kOpcode>
Value EvalAs(const OpCall& call, std::span<Value> args, EvalContext& context) {
  return CallAs(kOpcode, {}, call, args, call.shape(), context);
}

/// atan(x) = atan2(x, 1), of which also complex numbers have one.
Value EvalAtan(const OpCall& call, std::span<Value> args, EvalContext& context) {
  WantOperands(call, 1);
  const Shape& shape = call.operand(0);
  if (!shape.IsArray()) Refuse(call, fmt::format("takes an array, not {}", ShapeName(shape)));
  // Scalars stand for every element.
  const Shape scalar = Shape::Scalar(shape.element_type());
  Tensor one(scalar, context.budget());
  const bool truth = true;
  ConvertElements(ElementType::kPred, reinterpret_cast<const std::byte*>(&truth),
                  shape.element_type(), one.mutable_bytes(), 1);
  Value both[] = {std::move(args[0]), std::move(one)};
  const Shape* shapes[] = {&shape, &scalar};
  return CallOp(Opcode::kAtan2, {}, call, shapes, both, call.shape(), context);
}

Value EvalSquare(const OpCall& call, std::span<Value> args, EvalContext& context) {
  WantOperands(call, 1);
  Value both[] = {args[0], std::move(args[0])};
  const Shape* shapes[] = {&call.operand(0), &call.operand(0)};
  return CallOp(Opcode::kMultiply, {}, call, shapes, both, call.shape(), context);
}

// ---- topk ---------------------------------------------------------------------------------------

/// The computation that orders, if the call has one.
const Region* Comparator(const OpCall& call) {
  if (const Region* region = call.GetRegion("to_apply")) return region;
  const auto& regions = call.Regions("called_computations");
  return regions.empty() ? nullptr : regions[0];
}

/// The arrays ordered together along a dimension, of each the part that `result` has.
Value SortAndCut(const OpCall& call, const Region* before, int64_t dim,
                 std::span<const Shape* const> shapes, std::span<Value> values, const Shape& result,
                 EvalContext& context) {
  std::vector<Shape> whole;
  for (const Shape* shape : shapes) whole.push_back(*shape);
  Value sorted =
      CallOp(Opcode::kSort, {{"dimensions", Dims{dim}}, {"is_stable", true}, {"to_apply", before}},
             call, shapes, values, whole.size() == 1 ? whole[0] : Shape::Tuple(whole), context);
  Value::Elements parts;
  for (size_t i = 0; i < whole.size(); ++i) {
    const Shape& wanted = result.IsTuple() ? result.elements()[i] : result;
    std::vector<SliceDim> slices;
    for (int64_t size : whole[i].dims()) slices.push_back({0, size, 1});
    slices[static_cast<size_t>(dim)].limit = wanted.dim(static_cast<int>(dim));
    Value one[] = {sorted.is_tuple() ? sorted.elements()[i] : sorted};
    parts.push_back(CallOp(Opcode::kSlice, {{"slice", slices}}, call, shapes.subspan(i, 1), one,
                           wanted, context));
  }
  return result.IsTuple() ? Value::Tuple(std::move(parts)) : std::move(parts[0]);
}

/// ApproxTopK may miss elements that an exact search finds; this one misses none. The first half of
/// the operands are arrays, which the computation orders together; the others stand for padding.
Value EvalApproxTopK(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const Region* before = Comparator(call);
  const Shape& result = call.shape();
  const int count = call.operand_count() / 2;
  std::vector<const Shape*> shapes;
  bool fits = before && count > 0 && call.operand_count() % 2 == 0 &&
              before->parameter_count() == 2 * count &&
              (result.IsTuple() ? static_cast<int>(result.elements().size()) == count : count == 1);
  int dim = -1;
  for (int i = 0; fits && i < count; ++i) {
    const Shape& from = call.operand(i);
    const Shape& to = result.IsTuple() ? result.elements()[static_cast<size_t>(i)] : result;
    fits = from.IsArray() && to.IsArray() && from.rank() == to.rank() && from.rank() > 0 &&
           from.dims() == call.operand(0).dims();
    for (int d = 0; fits && d < from.rank(); ++d) {
      fits = to.dim(d) <= from.dim(d) && (to.dim(d) == from.dim(d) || dim < 0 || dim == d);
      if (to.dim(d) != from.dim(d)) dim = d;
    }
    shapes.push_back(&from);
  }
  if (!fits) {
    Refuse(call, fmt::format("takes arrays of one shape, as many initial values and a comparator, "
                             "and gives the first elements along one dimension, not {}",
                             ShapeName(result)));
  }
  if (dim < 0) dim = call.operand(0).rank() - 1;
  return SortAndCut(call, before, dim, shapes, args.first(static_cast<size_t>(count)), result,
                    context);
}

/// CHLO's top_k says so in its attributes.
bool WantsLargest(const OpCall& call) {
  const std::string& config = call.String("backend_config");
  return config.find("largest = false") == config.npos &&
         config.find("\"largest\":false") == config.npos;
}

Value EvalTopK(const OpCall& call, std::span<Value> args, EvalContext& context) {
  WantOperands(call, 1);
  const Shape& operand = call.operand(0);
  const Shape& result = call.shape();
  const bool fits = operand.IsArray() && operand.rank() > 0 && result.IsTuple() &&
                    result.elements().size() == 2 && result.elements()[0].IsArray() &&
                    result.elements()[0].rank() == operand.rank();
  if (!fits) {
    Refuse(call, fmt::format("takes an array and gives (values, s32 indices) of its rank, not {} "
                             "of {}",
                             ShapeName(result), ShapeName(operand)));
  }
  const int64_t k = result.elements()[0].dims().back();
  if (k > operand.dims().back()) {
    Refuse(call, fmt::format("asks for {} of {} elements", k, operand.dims().back()));
  }
  if (const Region* region = Comparator(call)) {
    if (region->parameter_count() == 4) {
      // XLA's own expansion: ordered with the indices.
      const Shape indices = Shape::Array(ElementType::kS32, operand.dims());
      const int64_t last = operand.rank() - 1;
      Value both[] = {std::move(args[0]), CallOp(Opcode::kIota, {{"iota_dimension", last}}, call,
                                                 {}, {}, indices, context)};
      const Shape* shapes[] = {&operand, &indices};
      return SortAndCut(call, region, last, shapes, both, result, context);
    }
  }
  return CallAs(Opcode::kTopk, {{"k", k}, {"largest", WantsLargest(call)}}, call, args, result,
                context);
}

// ---- Halves of 64 bits --------------------------------------------------------------------------

/// An integer is low + 2^32 high; a float is the sum of a float that is near it and of the rest.
Value EvalCombine(const OpCall& call, std::span<Value> args, EvalContext& context) {
  WantOperands(call, 2);
  const Shape& result = call.shape();
  const bool is_float = result.IsArray() && result.element_type() == ElementType::kF64;
  const ElementType half = is_float ? ElementType::kF32 : ElementType::kU32;
  for (int i = 0; i < 2; ++i) {
    if (result.IsArray() && BytesOf(result.element_type()) == 8 && call.operand(i).IsArray() &&
        call.operand(i).element_type() == half && call.operand(i).dims() == result.dims() &&
        result.element_type() != ElementType::kC64) {
      continue;
    }
    Refuse(call, fmt::format("makes f64 of two f32, or a 64-bit integer of two u32, not {} of {}",
                             ShapeName(result), ShapeName(call.operand(i))));
  }
  const Tensor& low = args[0].tensor();
  const Tensor& high = args[1].tensor();
  Tensor combined(result, context.budget());
  for (int64_t i = 0; i < combined.element_count(); ++i) {
    if (i % kPollElements == 0) context.budget()->Poll();
    if (is_float) {
      combined.mutable_data<double>()[i] =
          static_cast<double>(low.data<float>()[i]) + static_cast<double>(high.data<float>()[i]);
    } else {
      combined.mutable_data<uint64_t>()[i] =
          uint64_t{low.data<uint32_t>()[i]} | uint64_t{high.data<uint32_t>()[i]} << 32;
    }
  }
  return Value(std::move(combined));
}

template <bool kHigh>
Value EvalSplit(const OpCall& call, std::span<Value> args, EvalContext& context) {
  WantOperands(call, 1);
  const Shape& operand = call.operand(0);
  const bool is_float = operand.IsArray() && operand.element_type() == ElementType::kF64;
  const ElementType half = is_float ? ElementType::kF32 : ElementType::kU32;
  if (!operand.IsArray() || BytesOf(operand.element_type()) != 8 ||
      operand.element_type() == ElementType::kC64 ||
      !Shape::Compatible(call.shape(), Shape::Array(half, operand.dims()))) {
    Refuse(call, fmt::format("makes f32 of f64, or u32 of a 64-bit integer, not {} of {}",
                             ShapeName(call.shape()), ShapeName(operand)));
  }
  const Tensor& whole = args[0].tensor();
  Tensor part(call.shape(), context.budget());
  for (int64_t i = 0; i < part.element_count(); ++i) {
    if (i % kPollElements == 0) context.budget()->Poll();
    if (is_float) {
      const double value = whole.data<double>()[i];
      const float near = ConvertElement<float>(value);
      // An infinity has no rest.
      const double rest = value - near == value - near ? value - near : 0;
      part.mutable_data<float>()[i] = kHigh ? near : ConvertElement<float>(rest);
    } else {
      part.mutable_data<uint32_t>()[i] =
          static_cast<uint32_t>(whole.data<uint64_t>()[i] >> (kHigh ? 32 : 0));
    }
  }
  return Value(std::move(part));
}

// ---- A computation ------------------------------------------------------------------------------

/// The one computation that the call names, on the operands.
ControlStep EnterDecomposition(const OpCall& call, std::span<Value> args, ControlState& state,
                               EvalContext&) {
  ControlStep step;
  if (state.step++ > 0) {
    step.result = std::move(state.returned);
    return step;
  }
  const Region* region = Comparator(call);
  if (!region || region->parameter_count() != call.operand_count()) {
    Refuse(call, fmt::format("runs the computation of called_computations, which must take its {} "
                             "operands",
                             call.operand_count()));
  }
  for (int i = 0; i < call.operand_count(); ++i) {
    if (Shape::Compatible(region->parameter_shape(i), call.operand(i))) continue;
    Refuse(call,
           fmt::format("passes {} to parameter {} of {}, which is {}", ShapeName(call.operand(i)),
                       i, region->region_name(), ShapeName(region->parameter_shape(i))));
  }
  step.kind = ControlStep::Kind::kCall;
  step.region = region;
  step.args.assign(std::make_move_iterator(args.begin()), std::make_move_iterator(args.end()));
  return step;
}

// Alphabetical: looked up by binary search.
constexpr BuiltInTarget kTargets[] = {
    {"AllocateBuffer", "Room for a value; here zeros.", EvalAllocate},
    {"ApproxTopK",
     "The first elements of arrays ordered together by its computation; here without a miss.",
     EvalApproxTopK},
    {"CreateBuffer", "Room for a value; here zeros.", EvalAllocate},
    {"Eigh",
     "Unit eigenvectors (up to their signs and phases) and ascending eigenvalues of symmetric "
     "matrices.",
     EvalEigh},
    {"GetRngSeed", "The seed of the run.", EvalSeed},
    {"HostExecute", "Runs its computation.", nullptr, EnterDecomposition},
    {"LayoutConstraint", "The operand.", EvalIdentity},
    {"LuDecomposition", "LU with partial pivoting: packed factors, row exchanges, permutation.",
     EvalLu},
    {"MoveToDevice", "The operand.", EvalIdentity},
    {"MoveToHost", "The operand.", EvalIdentity},
    {"PadToStatic", "The operand in its bounds, and its sizes in this run.", EvalPadToStatic},
    {"Pin", "The operand, as a buffer.", EvalIdentity},
    {"ProductOfElementaryHouseholderReflectors", "Q, of the packed factors and scalars of Qr.",
     EvalHouseholderProduct},
    {"Qr", "Householder QR, as LAPACK packs it: R over the reflectors, their scalars.", EvalQr},
    {"SPMDFullToShardShape", "The operand, where a shard is the whole.", EvalShard},
    {"SPMDShardToFullShape", "The operand, where a shard is the whole.", EvalShard},
    {"ShardBarrierFrom", "The operand.", EvalIdentity},
    {"ShardBarrierTo", "The operand.", EvalIdentity},
    {"Sharding", "The operand.", EvalIdentity},
    {"SliceToDynamic", "The operand cut to sizes known at run time.", EvalSliceToDynamic},
    {"TopK", "The largest elements of the last dimension and their indices.", EvalTopK},
    {"Unpin", "The operand, as an array.", EvalIdentity},
    {"X64Combine", "64 bits of a low and a high half.", EvalCombine},
    {"X64SplitHigh", "The high half of 64 bits.", EvalSplit<true>},
    {"X64SplitLow", "The low half of 64 bits.", EvalSplit<false>},
    {"annotate_device_placement", "The operand.", EvalIdentity},
    {"chlo.acos", "Inverse cosine.", EvalAs<Opcode::kAcos>},
    {"chlo.acosh", "Inverse hyperbolic cosine.", EvalAs<Opcode::kAcosh>},
    {"chlo.asin", "Inverse sine.", EvalAs<Opcode::kAsin>},
    {"chlo.asinh", "Inverse hyperbolic sine.", EvalAs<Opcode::kAsinh>},
    {"chlo.atan", "Inverse tangent.", EvalAtan},
    {"chlo.atan2", "Inverse tangent of a quotient.", EvalAs<Opcode::kAtan2>},
    {"chlo.atanh", "Inverse hyperbolic tangent.", EvalAs<Opcode::kAtanh>},
    {"chlo.cosh", "Hyperbolic cosine.", EvalAs<Opcode::kCosh>},
    {"chlo.digamma", "Logarithmic derivative of the gamma function.", EvalDigamma},
    {"chlo.erf", "Error function.", EvalAs<Opcode::kErf>},
    {"chlo.erf_inv", "Inverse of the error function.", EvalErfInv},
    {"chlo.erfc", "1 - erf(x).", EvalErfc},
    {"chlo.is_inf", "Whether it is infinite.", EvalIsInf},
    {"chlo.is_neg_inf", "Whether it is -inf.", EvalIsNegInf},
    {"chlo.is_pos_inf", "Whether it is inf.", EvalIsPosInf},
    {"chlo.lgamma", "Logarithm of the absolute value of the gamma function.", EvalLgamma},
    {"chlo.next_after", "The neighbour of a number in the direction of another.", EvalNextAfter},
    {"chlo.sinh", "Hyperbolic sine.", EvalAs<Opcode::kSinh>},
    {"chlo.square", "The square.", EvalSquare},
    {"chlo.tan", "Tangent.", EvalAs<Opcode::kTan>},
    {"chlo.top_k", "The largest elements of the last dimension and their indices.", EvalTopK},
    {"xla.sdy.GlobalToLocalShape", "The operand, where a shard is the whole.", EvalShard},
    {"xla.sdy.LocalToGlobalShape", "The operand, where a shard is the whole.", EvalShard},
    {"xla_builder", "Any xla_builder.*: runs the computation it was outlined into.", nullptr,
     EnterDecomposition},
};

}  // namespace

std::span<const BuiltInTarget> BuiltInTargets() { return kTargets; }

}  // namespace hlo
