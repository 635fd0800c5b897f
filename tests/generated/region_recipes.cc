// Recipes for ops that run other computations.
#include <fmt/format.h>

#include "engine/ops/shape_checks.h"
#include "engine/types/element_type.h"
#include "tests/generated/generator.h"

namespace hlo {
namespace {

// Some arrays of the same sizes, and what a region takes them as.
struct Inputs {
  std::vector<Made> arrays;
  std::vector<ElementType> types;
};

Inputs AnyInputs(Generator& g, int least_rank, bool static_only) {
  Inputs inputs;
  inputs.arrays.push_back(static_only ? g.StaticArray(least_rank) : g.AnyArray(least_rank));
  const Shape first = inputs.arrays[0].shape;
  while (inputs.arrays.size() < 3 && !first.has_dynamic_dims() && g.Chance(25)) {
    inputs.arrays.push_back(g.ArrayOf(g.AnyType(), first.dims()));
  }
  for (const Made& array : inputs.arrays) {
    inputs.types.push_back(g.Mixed(array.shape.element_type()));
  }
  return inputs;
}

bool MakeMap(Generator& g, std::string_view opcode) {
  const Made first = g.AnyArray();
  std::vector<Made> operands = {first};
  std::vector<Shape> parameters;
  while (operands.size() < 3 && !first.shape.has_dynamic_dims() && g.Chance(40)) {
    operands.push_back(g.ArrayOf(g.AnyType(), first.shape.dims()));
  }
  for (const Made& operand : operands) {
    parameters.push_back(Shape::Scalar(g.Mixed(operand.shape.element_type())));
  }
  std::string text;
  const std::string name = g.Computation(parameters, Shape::Scalar(g.AnyType()), &text);
  Dims all;
  for (int d = 0; d < first.shape.rank(); ++d) all.push_back(d);
  return g
      .Add(opcode, operands, fmt::format(", dimensions={}, to_apply={}", DimsText(all), name),
           nullptr, text)
      .has_value();
}

// A reduction of some arrays, from an initial value for each: `attrs` is what else it has.
bool AddReduction(Generator& g, std::string_view opcode, const Inputs& inputs,
                  const std::string& attrs) {
  std::string text;
  const std::string name = g.Reducer(inputs.types, inputs.types, &text);
  std::vector<Made> operands = inputs.arrays;
  for (ElementType type : inputs.types) operands.push_back(g.Like(type, {}));
  return g.Add(opcode, operands, fmt::format("{}, to_apply={}", attrs, name), nullptr, text)
      .has_value();
}

bool MakeReduce(Generator& g, std::string_view opcode) {
  const Inputs inputs = AnyInputs(g, 0, false);
  const Dims dims = g.Subset(inputs.arrays[0].shape.rank());
  return AddReduction(g, opcode, inputs, fmt::format(", dimensions={}", DimsText(dims)));
}

std::string AnyWindow(Generator& g, int rank, bool dilated) {
  std::string size, stride, pad, lhs, rhs;
  for (int d = 0; d < rank; ++d) {
    const std::string_view x = d > 0 ? "x" : "";
    size += fmt::format("{}{}", x, g.Number(1, 3));
    stride += fmt::format("{}{}", x, g.Number(1, 3));
    pad += fmt::format("{}{}_{}", x, g.Number(0, 2), g.Number(0, 2));
    lhs += fmt::format("{}{}", x, dilated && g.Chance(20) ? 2 : 1);
    rhs += fmt::format("{}{}", x, dilated && g.Chance(20) ? 2 : 1);
  }
  if (rank == 0) return "{}";
  return fmt::format("{{size={} stride={} pad={}{}}}", size, stride, pad,
                     dilated ? fmt::format(" lhs_dilate={} rhs_dilate={}", lhs, rhs) : "");
}

bool MakeReduceWindow(Generator& g, std::string_view opcode) {
  const Inputs inputs = AnyInputs(g, 1, false);
  const std::string window = AnyWindow(g, inputs.arrays[0].shape.rank(), true);
  return AddReduction(g, opcode, inputs, fmt::format(", window={}", window));
}

bool MakeSelectAndScatter(Generator& g, std::string_view opcode) {
  const Made x = g.ArrayWhere(
      [](const Shape& s) { return s.rank() > 0 && s.rank() < 4 && !IsComplex(s.element_type()); },
      [&] { return Shape::Array(ElementType::kF32, g.AnyDims(1, 3)); }, false);
  const int rank = x.shape.rank();
  if (rank == 0) return false;
  std::string size, stride;
  Dims counts;
  for (int d = 0; d < rank; ++d) {
    const int64_t window = std::min<int64_t>(x.shape.dim(d), g.Number(1, 3)), step = g.Number(1, 2);
    if (window == 0) return false;
    size += fmt::format("{}{}", d > 0 ? "x" : "", window);
    stride += fmt::format("{}{}", d > 0 ? "x" : "", step);
    counts.push_back((x.shape.dim(d) - window) / step + 1);
  }
  const ElementType type = x.shape.element_type();
  std::string text;
  const std::string select = g.NewName("s");
  text += fmt::format(
      "{0} {{\n  a = {1}[] parameter(0)\n  b = {1}[] parameter(1)\n  ROOT r = "
      "pred[] compare(a, b), direction={2}\n}}\n",
      select, Text(g.Mixed(type)), g.Word({"GE", "LE", "GT"}));
  const std::string scatter = g.Reducer({type}, {type}, &text);
  return g
      .Add(opcode, {x, g.Like(type, counts), g.Like(type, {})},
           fmt::format(", window={{size={} stride={}}}, select={}, scatter={}", size, stride,
                       select, scatter),
           nullptr, text)
      .has_value();
}

bool MakeScatter(Generator& g, std::string_view opcode) {
  Inputs inputs = AnyInputs(g, 1, true);
  const Shape& first = inputs.arrays[0].shape;
  const int rank = first.rank();
  if (rank == 0 || first.element_count() == 0) return false;
  Dims inserted, windows, map = g.Subset(rank), update_dims = g.AnyDims(0, 1);
  const size_t index_rank = update_dims.size();
  for (int d = 0; d < rank; ++d) {
    if (g.Chance(40)) {
      inserted.push_back(d);
    } else {
      windows.push_back(static_cast<int64_t>(update_dims.size()));
      update_dims.push_back(g.Number(0, first.dim(d)));
    }
  }
  Dims index_dims;
  for (size_t d = 0; d < index_rank; ++d) index_dims.push_back(update_dims[d]);
  index_dims.push_back(static_cast<int64_t>(map.size()));
  const Made indices = g.Numbers(ElementType::kS32, index_dims, -1, 4);
  std::string text;
  const std::string name = g.Reducer(inputs.types, inputs.types, &text);
  std::vector<Made> operands = inputs.arrays;
  operands.push_back(indices);
  for (const Made& array : inputs.arrays) {
    operands.push_back(g.Like(array.shape.element_type(), update_dims));
  }
  return g
      .Add(opcode, operands,
           fmt::format(", update_window_dims={}, inserted_window_dims={}, "
                       "scatter_dims_to_operand_dims={}, index_vector_dim={}, to_apply={}",
                       DimsText(windows), DimsText(inserted), DimsText(map), index_rank, name),
           nullptr, text)
      .has_value();
}

bool MakeSort(Generator& g, std::string_view opcode) {
  Inputs inputs = AnyInputs(g, 1, false);
  const int rank = inputs.arrays[0].shape.rank();
  if (rank == 0) return false;
  std::string text;
  const std::string name = g.Comparator(inputs.types, &text);
  // Without a stable order of equal elements nothing says what comes out.
  return g
      .Add(opcode, inputs.arrays,
           fmt::format(", dimensions={{{}}}, is_stable=true, to_apply={}", g.Below(rank), name),
           nullptr, text)
      .has_value();
}

bool MakeScan(Generator& g, std::string_view opcode) {
  const Made x = g.StaticArray(1);
  if (x.shape.rank() == 0) return false;
  const size_t d = g.Below(x.shape.dims().size());
  Dims slice = x.shape.dims();
  slice.erase(slice.begin() + static_cast<ptrdiff_t>(d));
  const Shape piece = Shape::Array(x.shape.element_type(), slice);
  const Dims carry_dims = g.Chance(50) ? slice : g.AnyDims(0, 2);
  const Shape carry = Shape::Array(g.AnyType(), carry_dims);
  const Shape out = Shape::Array(g.AnyType(), slice);
  std::string text;
  const std::string name = g.Computation({piece, carry}, Shape::Tuple({out, carry}), &text);
  Dims out_dims = slice;
  out_dims.insert(out_dims.begin() + static_cast<ptrdiff_t>(d), x.shape.dims()[d]);
  const Shape shape = Shape::Tuple({Shape::Array(out.element_type(), out_dims), carry});
  return g
      .Add(opcode, {x, g.ArrayOf(carry.element_type(), carry.dims())},
           fmt::format(", dimensions={{{}}}, num_carries=1, is_reverse={}, to_apply={}", d,
                       g.Chance(30), name),
           &shape, text)
      .has_value();
}

// A counter and some state.
bool MakeWhile(Generator& g, std::string_view opcode) {
  std::vector<Shape> parts = {Shape::Scalar(ElementType::kS32)};
  std::vector<Made> starts = {g.Numbers(ElementType::kS32, {}, 0, 1)};
  for (int64_t n = g.Number(0, 3); n > 0; --n) {
    starts.push_back(g.StaticArray());
    parts.push_back(starts.back().shape);
  }
  const Shape state = Shape::Tuple(parts);
  std::string text;
  std::string inner;
  const std::string step = g.Computation({state}, state, &inner);
  const std::string condition = g.NewName("c"), body = g.NewName("b");
  text = inner;
  text += fmt::format(
      "{} {{\n  s = {} parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n  n = s32[] "
      "constant({})\n  ROOT r = pred[] compare(i, n), direction=LT\n}}\n",
      condition, ShapeText(state), g.Number(0, 4));
  text += fmt::format(
      "{} {{\n  s = {} parameter(0)\n  i = s32[] get-tuple-element(s), index=0\n  one = s32[] "
      "constant(1)\n  next = s32[] add(i, one)\n  t = {} call(s), to_apply={}\n",
      body, ShapeText(state), ShapeText(state), step);
  std::string elements = "next";
  for (size_t i = 1; i < parts.size(); ++i) {
    text += fmt::format("  e{} = {} get-tuple-element(t), index={}\n", i, ShapeText(parts[i]), i);
    elements += fmt::format(", e{}", i);
  }
  text += fmt::format("  ROOT r = {} tuple({})\n}}\n", ShapeText(state), elements);
  const Made init = g.Emit("tuple", starts, "", state);
  return g
      .Add(opcode, {init}, fmt::format(", condition={}, body={}", condition, body), nullptr, text)
      .has_value();
}

bool MakeConditional(Generator& g, std::string_view opcode) {
  const bool by_pred = g.Chance(50);
  const int64_t count = by_pred ? 2 : g.Number(1, 3);
  const Shape result = g.Chance(70) ? g.AnyShape() : Shape::Tuple({g.AnyShape(), g.AnyShape()});
  std::vector<Made> operands = {by_pred ? g.ArrayOf(ElementType::kPred, {})
                                        : g.Numbers(ElementType::kS32, {}, -1, 3)};
  std::string text;
  std::vector<std::string> names;
  for (int64_t i = 0; i < count; ++i) {
    operands.push_back(g.AnyArray());
    names.push_back(g.Computation({operands.back().shape}, result, &text));
  }
  return g
      .Add(opcode, operands,
           by_pred ? fmt::format(", true_computation={}, false_computation={}", names[0], names[1])
                   : fmt::format(", branch_computations={{{}}}", fmt::join(names, ", ")),
           nullptr, text)
      .has_value();
}

std::vector<Made> Arguments(Generator& g, std::vector<Shape>* shapes) {
  std::vector<Made> operands;
  for (int64_t n = g.Number(0, 3); n > 0; --n) {
    operands.push_back(g.AnyArray());
    shapes->push_back(operands.back().shape);
  }
  return operands;
}

bool MakeCall(Generator& g, std::string_view opcode) {
  std::vector<Shape> shapes;
  const std::vector<Made> operands = Arguments(g, &shapes);
  const Shape result = g.Chance(70) ? g.AnyShape() : Shape::Tuple({g.AnyShape(), g.AnyShape()});
  std::string text;
  const std::string name = g.Computation(shapes, result, &text);
  return g.Add(opcode, operands, ", to_apply=" + name, nullptr, text).has_value();
}

bool MakeFusion(Generator& g, std::string_view opcode) {
  std::vector<Shape> shapes;
  const std::vector<Made> operands = Arguments(g, &shapes);
  const Shape result = g.AnyShape();
  std::string text;
  const std::string name = g.Computation(shapes, result, &text);
  return g
      .Add(opcode, operands,
           fmt::format(", kind={}, calls={}", g.Word({"kLoop", "kInput", "kOutput", "kCustom"}),
                       name),
           &result, text)
      .has_value();
}

bool MakeAsync(Generator& g, std::string_view) {
  std::vector<Shape> shapes;
  const std::vector<Made> operands = Arguments(g, &shapes);
  const Shape result = g.AnyShape();
  std::string text;
  const std::string name = g.Computation(shapes, result, &text);
  const Shape state = Shape::Tuple({Shape::Tuple(shapes), result});
  Made link = g.Emit("async-start", operands, ", calls=" + name, state, text);
  if (g.Chance(40)) link = g.Emit("async-update", {link}, "", state);
  g.Emit("async-done", {link}, "", result);
  return true;
}

}  // namespace

std::vector<Recipe> RegionRecipes() {
  return {
      {"map", MakeMap},
      {"reduce", MakeReduce},
      {"reduce-window", MakeReduceWindow},
      {"select-and-scatter", MakeSelectAndScatter},
      {"scatter", MakeScatter},
      {"sort", MakeSort},
      {"scan", MakeScan},
      {"while", MakeWhile},
      {"conditional", MakeConditional},
      {"call", MakeCall},
      {"fusion", MakeFusion},
      {"async-start", MakeAsync},
      {"async-update", MakeAsync},
      {"async-done", MakeAsync},
  };
}

}  // namespace hlo
