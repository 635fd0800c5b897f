// Comparisons, casts, moving elements, random numbers.
#include <fmt/format.h>

#include <iterator>

#include "engine/mlir/export_rows.h"

namespace hlo::mlir {

// ---- Element by element -------------------------------------------------------------------------

std::string CompareAttrs(std::string_view direction, std::string_view order) {
  return fmt::format(
      "comparison_direction = #stablehlo<comparison_direction {}>, compare_type = "
      "#stablehlo<comparison_type {}>",
      direction, order);
}

void WriteCompare(OpExport& op) {
  const ElementType type = op.In(0).type->element_type();
  const std::string order = op.call().Has("type")              ? op.AttrText("type")
                            : IsFloat(type) || IsComplex(type) ? "FLOAT"
                            : IsSigned(type)                   ? "SIGNED"
                                                               : "UNSIGNED";
  op.Set(op.Write({"stablehlo.compare", CompareAttrs(op.AttrText("direction"), order)},
                  op.Operands()));
}

// A complex number is true where either part is; StableHLO's convert looks at the real part alone.
void WriteConvert(OpExport& op) {
  const Ssa value = op.In(0);
  if (!IsComplex(value.type->element_type()) || op.shape().element_type() != ElementType::kPred) {
    return WritePlain(op);
  }
  Shape part = *value.type;
  part.set_element_type(ComponentType(value.type->element_type()));
  Leaves parts;
  for (const std::string_view name : {"stablehlo.real", "stablehlo.imag"}) {
    parts.push_back(op.Convert(op.Make(name, {value}, part), ElementType::kPred));
  }
  op.Set(op.Write({"stablehlo.or", ""}, parts));
}

namespace {

Ssa Reshape(OpExport& op, const Ssa& value, const Dims& dims) {
  if (value.type->dims() == dims) return value;
  return op.Make("stablehlo.reshape", {value}, Shape::Array(value.type->element_type(), dims));
}

Ssa Transpose(OpExport& op, const Ssa& value, const Dims& order) {
  Dims dims;
  bool is_same = true;
  for (size_t i = 0; i < order.size(); ++i) {
    dims.push_back(value.type->dim(static_cast<int>(order[i])));
    is_same = is_same && order[i] == static_cast<int64_t>(i);
  }
  if (is_same) return value;
  return op.Make("stablehlo.transpose", {value}, Shape::Array(value.type->element_type(), dims),
                 "permutation = " + I64Array(order));
}

// The bits of an array as another type; pred is a byte to HLO and a bit there.
Ssa CastBits(OpExport& op, const Ssa& value, ElementType type, const Dims& dims) {
  const bool to_pred = type == ElementType::kPred;
  const ElementType stored = to_pred ? ElementType::kU8 : type;
  Ssa bits = value.type->element_type() == ElementType::kPred ? op.Convert(value, ElementType::kU8)
                                                              : value;
  if (bits.type->element_type() != stored || bits.type->dims() != dims) {
    bits = op.Make("stablehlo.bitcast_convert", {bits}, Shape::Array(stored, dims));
  }
  return to_pred ? op.Convert(bits, type) : bits;
}

// Major to minor.
Dims PhysicalOrder(const Shape& shape) {
  const Dims& minor = shape.layout().minor_to_major();
  Dims order;
  for (size_t i = minor.size(); i-- > 0;) order.push_back(minor[i]);
  return order;
}

bool IsOrderOnly(const Layout& layout) {
  if (!layout.has_extras()) return true;
  const LayoutExtras& extras = layout.extras();
  return extras.tiles.empty() && extras.element_bits == 0 && extras.padded_dimensions.empty();
}

}  // namespace

void WriteBitcastConvert(OpExport& op) {
  op.Set({CastBits(op, op.In(0), op.shape().element_type(), op.shape().dims())});
}

// The bytes in memory as another array: where layouts only order dimensions that is what a
// transpose into that order, a reshape and a transpose out of the other order do.
void WriteBitcast(OpExport& op) {
  const Shape& from = op.op().operand(0)->shape();
  const Shape& to = op.shape();
  if (!IsOrderOnly(from.layout()) || !IsOrderOnly(to.layout()) || from.has_dynamic_dims() ||
      to.has_dynamic_dims()) {
    return op.NoCounterpart("layouts with tiles or padding, or sizes of run time");
  }
  const int from_bytes = BytesOf(from.element_type()), to_bytes = BytesOf(to.element_type());
  const bool is_same_type = from.element_type() == to.element_type();
  if (!is_same_type && (BitsOf(from.element_type()) < 8 || BitsOf(to.element_type()) < 8)) {
    return op.NoCounterpart("the bytes of types that are narrower than a byte");
  }
  if (IsComplex(from.element_type()) != IsComplex(to.element_type())) {
    return op.NoCounterpart("a complex and a real type");
  }
  if (from.stored_bytes() != to.stored_bytes()) {
    return op.NoCounterpart("arrays of different sizes");
  }
  Ssa value = Transpose(op, op.In(0), PhysicalOrder(from));
  const Dims order = PhysicalOrder(to);
  Dims dims, back(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    dims.push_back(to.dim(static_cast<int>(order[i])));
    back[static_cast<size_t>(order[i])] = static_cast<int64_t>(i);
  }
  if (is_same_type || from_bytes == to_bytes) {
    value = Reshape(op, value, dims);
    if (!is_same_type) value = CastBits(op, value, to.element_type(), dims);
  } else if (from_bytes < to_bytes) {
    // Several elements become one: they are a last dimension, which goes.
    Dims parts = dims;
    parts.push_back(to_bytes / from_bytes);
    value = CastBits(op, Reshape(op, value, parts), to.element_type(), dims);
  } else {
    Dims parts = value.type->dims();
    parts.push_back(from_bytes / to_bytes);
    value = Reshape(op, CastBits(op, value, to.element_type(), parts), dims);
  }
  op.Set({Transpose(op, value, back)});
}

// ---- Moving elements ----------------------------------------------------------------------------

std::string SliceAttrs(const Dims& starts, const Dims& limits, const Dims& strides) {
  return fmt::format("limit_indices = {}, start_indices = {}, strides = {}", I64Array(limits),
                     I64Array(starts), I64Array(strides));
}

void WriteSlice(OpExport& op) {
  Dims starts, limits, strides;
  for (const SliceDim& slice : op.call().Slices()) {
    starts.push_back(slice.start);
    limits.push_back(slice.limit);
    strides.push_back(slice.stride);
  }
  op.Set(op.Write({"stablehlo.slice", SliceAttrs(starts, limits, strides)}, op.Operands()));
}

// Starts are scalars there; older programs have them as one vector.
void WriteDynamicSlice(OpExport& op) {
  Leaves operands = op.Operands();
  const Ssa starts = operands.back();
  if (starts.type->rank() == 1) {
    operands.pop_back();
    for (int64_t i = 0; i < starts.type->dim(0); ++i) {
      const Ssa one =
          op.Make("stablehlo.slice", {starts}, Shape::Array(starts.type->element_type(), {1}),
                  SliceAttrs({i}, {i + 1}, {1}));
      operands.push_back(Reshape(op, one, {}));
    }
  }
  op.Set(op.Write({op.row()->name, op.Filled(op.row()->attrs)}, operands));
}

void WritePad(OpExport& op) {
  Dims low, high, interior;
  for (const PadDim& pad : op.call().Padding()) {
    low.push_back(pad.low);
    high.push_back(pad.high);
    interior.push_back(pad.interior);
  }
  op.Set(
      op.Write({"stablehlo.pad",
                fmt::format("edge_padding_high = {}, edge_padding_low = {}, interior_padding = {}",
                            I64Array(high), I64Array(low), I64Array(interior))},
               op.Operands()));
}

void WriteReshape(OpExport& op) {
  if (op.shape().has_dynamic_dims() && op.call().Has("inferred_dimension")) {
    return op.NoCounterpart("inferred_dimension");
  }
  op.Set(op.Write({"stablehlo.reshape"}, op.Operands()));
}

// The sizes as one vector.
void WriteDynamicReshape(OpExport& op) {
  Leaves sizes;
  for (int i = 1; i < op.op().operand_count(); ++i) {
    sizes.push_back(Reshape(op, op.In(i), {1}));
  }
  if (sizes.empty()) {
    return op.Set(op.Write({"stablehlo.reshape"}, op.Operands(0, 1)));
  }
  const Ssa all =
      op.Make("stablehlo.concatenate", sizes,
              Shape::Array(sizes[0].type->element_type(), {static_cast<int64_t>(sizes.size())}),
              "dimension = 0 : i64");
  op.Set(op.Write({"stablehlo.dynamic_reshape"}, {op.In(0), all}));
}

void WriteTopk(OpExport& op) {
  if (!op.call().Bool("largest", true)) return op.NoCounterpart("the smallest elements");
  op.Set(op.Write({"chlo.top_k", op.Filled("k = @k : i64")}, op.Operands()));
}

// ---- Random numbers -----------------------------------------------------------------------------

// The shape is an operand too.
void WriteRng(OpExport& op) {
  const Ssa shape = op.Integers(ElementType::kS64, op.shape().dims());
  op.Set(op.Write(
      {"stablehlo.rng", fmt::format("rng_distribution = #stablehlo<rng_distribution {}>",
                                    op.call().Word("distribution") == 1 ? "NORMAL" : "UNIFORM")},
      {op.In(0), op.In(1), shape}));
}

// Older programs have the bits alone as the result.
void WriteRngBits(OpExport& op) {
  constexpr std::string_view kAlgorithms[] = {"DEFAULT", "THREE_FRY", "PHILOX"};
  Leaves results = op.ResultLeaves();
  const bool is_alone = results.size() == 1;
  if (is_alone) results.insert(results.begin(), op.In(0));
  results = op.Write({"stablehlo.rng_bit_generator",
                      fmt::format("rng_algorithm = #stablehlo<rng_algorithm {}>",
                                  kAlgorithms[static_cast<size_t>(op.call().Word("algorithm"))])},
                     op.Operands(), results);
  if (is_alone) results.erase(results.begin());
  op.Set(std::move(results));
}

}  // namespace hlo::mlir
