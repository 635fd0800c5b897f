// Recipes for ops that put elements elsewhere, for constants, and for tuples and tokens.
#include <fmt/format.h>

#include <algorithm>

#include "engine/ops/shape_checks.h"
#include "engine/types/element_type.h"
#include "tests/generated/generator.h"

namespace hlo {
namespace {

bool MakeConstant(Generator& g, std::string_view) {
  g.Numbers(g.TypeWhere([](ElementType t) { return t != ElementType::kPred && !IsComplex(t); }),
            g.AnyDims(0, 2), 0, 1);
  return true;
}

bool MakeIota(Generator& g, std::string_view opcode) {
  const Shape shape = g.AnyShape(1);
  if (shape.rank() == 0) return false;
  return g.Add(opcode, {}, fmt::format(", iota_dimension={}", g.Below(shape.dims().size())), &shape)
      .has_value();
}

bool MakeBroadcast(Generator& g, std::string_view opcode) {
  const Made x = g.StaticArray();
  Dims dims, to;
  size_t next = 0;
  while (next < x.shape.dims().size() || (dims.size() < 4 && g.Chance(40))) {
    if (next < x.shape.dims().size() && g.Chance(60)) {
      to.push_back(static_cast<int64_t>(dims.size()));
      dims.push_back(x.shape.dims()[next++]);
    } else {
      dims.push_back(g.Number(0, 3));
    }
  }
  const Shape shape = Shape::Array(x.shape.element_type(), dims);
  return g.Add(opcode, {x}, ", dimensions=" + DimsText(to), &shape).has_value();
}

// Other sizes for as many elements: a factor goes from one dimension to another.
bool MakeReshape(Generator& g, std::string_view opcode) {
  const Made x = g.StaticArray();
  Dims dims = x.shape.dims();
  for (int steps = 0; steps < 3; ++steps) {
    if (dims.size() < 5 && g.Chance(40)) {
      dims.insert(dims.begin() + static_cast<ptrdiff_t>(g.Below(dims.size() + 1)), 1);
    }
    if (dims.size() < 2) continue;
    const size_t from = g.Below(dims.size()), to = g.Below(dims.size());
    if (from == to || dims[from] == 0) continue;
    const int64_t factor = dims[from] % 2 == 0 ? 2 : dims[from];
    dims[from] /= factor;
    dims[to] *= factor;
  }
  const Shape shape = Shape::Array(x.shape.element_type(), dims);
  return g.Add(opcode, {x}, "", &shape).has_value();
}

bool MakeTranspose(Generator& g, std::string_view opcode) {
  const Made x = g.AnyArray();
  return g.Add(opcode, {x}, ", dimensions=" + DimsText(g.Permutation(x.shape.rank()))).has_value();
}

bool MakeReverse(Generator& g, std::string_view opcode) {
  const Made x = g.AnyArray();
  return g.Add(opcode, {x}, ", dimensions=" + DimsText(g.Subset(x.shape.rank()))).has_value();
}

/// A literal of s32 of these sizes, with numbers in [low, high], row by row.
std::string IndexLiteral(Generator& g, const Dims& sizes, int64_t low, int64_t high, size_t d = 0) {
  if (d == sizes.size()) return std::to_string(g.Number(low, high));
  std::string text = "{";
  for (int64_t i = 0; i < sizes[d]; ++i) {
    text += (i == 0 ? "" : ",") + IndexLiteral(g, sizes, low, high, d + 1);
  }
  return text + "}";
}

bool MakeShuffle(Generator& g, std::string_view opcode) {
  const Made x = g.StaticArray(1);
  Dims sizes = x.shape.dims();
  if (sizes.empty()) return false;
  Dims dims = g.Subset(x.shape.rank());
  if (g.Chance(50)) std::reverse(dims.begin(), dims.end());
  const auto add = [&](std::string_view mode, std::string_view numbers, const std::string& text) {
    return g
        .Add(opcode, {x},
             fmt::format(", dimensions={}, mode={}, {}={}", DimsText(dims), mode, numbers, text))
        .has_value();
  };
  if (dims.empty() || g.Chance(40)) {
    Dims shifts;
    for (size_t k = 0; k < dims.size(); ++k) shifts.push_back(g.Number(-5, 9));
    return add("rotate", "shifts", DimsText(shifts));
  }
  const bool permutes = g.Chance(60);
  if (!permutes) dims.resize(1);
  for (size_t d = 0; d < sizes.size(); ++d) {
    const bool is_shuffled =
        std::find(dims.begin(), dims.end(), static_cast<int64_t>(d)) != dims.end();
    if (is_shuffled ? !permutes : g.Chance(30)) sizes[d] = 1;
  }
  if (dims.size() > 1) sizes.push_back(static_cast<int64_t>(dims.size()));
  const std::string literal =
      ShapeText(Shape::Array(ElementType::kS32, sizes)) + " " + IndexLiteral(g, sizes, -4, 9);
  return permutes ? add("permute", "indices", literal)
                  : add("multi_rotate", "multi_shifts", literal);
}

bool MakeSlice(Generator& g, std::string_view opcode) {
  const Made x = g.StaticArray();
  std::string ranges;
  Dims dims;
  for (int64_t size : x.shape.dims()) {
    const int64_t start = g.Number(0, size), limit = g.Number(start, size);
    const int64_t stride = g.Number(1, 3);
    ranges += fmt::format("{}[{}:{}:{}]", ranges.empty() ? "" : ", ", start, limit, stride);
    dims.push_back((limit - start + stride - 1) / stride);
  }
  const Shape shape = Shape::Array(x.shape.element_type(), dims);
  return g.Add(opcode, {x}, fmt::format(", slice={{{}}}", ranges), &shape).has_value();
}

bool MakeConcatenate(Generator& g, std::string_view opcode) {
  const Made x = g.StaticArray(1);
  if (x.shape.rank() == 0) return false;
  const size_t d = g.Below(x.shape.dims().size());
  std::vector<Made> operands = {x};
  while (operands.size() < 4 && g.Chance(60)) {
    Dims dims = x.shape.dims();
    dims[d] = g.Number(0, 4);
    operands.push_back(g.Like(x.shape.element_type(), dims));
  }
  return g.Add(opcode, operands, fmt::format(", dimensions={{{}}}", d)).has_value();
}

bool MakePad(Generator& g, std::string_view opcode) {
  const Made x = g.AnyArray();
  std::string padding;
  for (int d = 0; d < x.shape.rank(); ++d) {
    padding += fmt::format("{}{}_{}_{}", d > 0 ? "x" : "", g.Number(-2, 3), g.Number(-2, 3),
                           g.Chance(70) ? 0 : g.Number(1, 2));
  }
  const Made value = g.Like(x.shape.element_type(), {});
  return x.shape.rank() > 0 && g.Add(opcode, {x, value}, ", padding=" + padding).has_value();
}

std::vector<Made> Starts(Generator& g, int count) {
  const ElementType type =
      g.TypeWhere([](ElementType t) { return IsIntegral(t) && BitsOf(t) >= 8; });
  std::vector<Made> starts;
  for (int i = 0; i < count; ++i) starts.push_back(g.Numbers(type, {}, 0, 5));
  return starts;
}

bool MakeDynamicSlice(Generator& g, std::string_view opcode) {
  const Made x = g.StaticArray();
  std::vector<Made> operands = Starts(g, x.shape.rank());
  operands.insert(operands.begin(), x);
  Dims sizes;
  for (int64_t size : x.shape.dims()) sizes.push_back(g.Number(0, size));
  const Shape shape = Shape::Array(x.shape.element_type(), sizes);
  return g.Add(opcode, operands, ", dynamic_slice_sizes=" + DimsText(sizes), &shape).has_value();
}

bool MakeDynamicUpdateSlice(Generator& g, std::string_view opcode) {
  const Made x = g.StaticArray();
  Dims sizes;
  for (int64_t size : x.shape.dims()) sizes.push_back(g.Number(0, size));
  std::vector<Made> operands = Starts(g, x.shape.rank());
  operands.insert(operands.begin(), {x, g.Like(x.shape.element_type(), sizes)});
  return g.Add(opcode, operands, "", &x.shape).has_value();
}

bool MakeBitcast(Generator& g, std::string_view opcode) {
  const Made x = g.StaticArray();
  Shape shape = x.shape;
  if (g.Chance(50)) {
    const ElementType type = g.AnyType();
    if (BitsOf(type) == BitsOf(shape.element_type())) shape.set_element_type(type);
  }
  if (g.Chance(50)) {
    const Dims order = g.Permutation(shape.rank());
    Dims dims;
    for (int64_t d : order) dims.push_back(shape.dims()[static_cast<size_t>(d)]);
    shape = Shape::Array(shape.element_type(), dims);
  }
  return g.Add(opcode, {x}, "", &shape).has_value();
}

bool MakeGather(Generator& g, std::string_view opcode) {
  const Made x = g.StaticArray(1);
  const int rank = x.shape.rank();
  if (rank == 0 || x.shape.element_count() == 0) return false;
  // Windows of some sizes; those of size 1 may be collapsed.
  Dims sizes, collapsed, map = g.Subset(rank), offsets;
  for (int d = 0; d < rank; ++d) {
    sizes.push_back(g.Number(1, x.shape.dim(d)));
    if (sizes.back() == 1 && g.Chance(70)) collapsed.push_back(d);
  }
  Dims index_dims = g.AnyDims(0, 2);
  const size_t at = g.Below(index_dims.size() + 1);
  index_dims.insert(index_dims.begin() + static_cast<ptrdiff_t>(at),
                    static_cast<int64_t>(map.size()));
  const Made indices = g.Numbers(ElementType::kS32, index_dims, -1, 5);
  const int result_rank =
      rank - static_cast<int>(collapsed.size()) + static_cast<int>(index_dims.size()) - 1;
  Dims places = g.Permutation(result_rank);
  places.resize(static_cast<size_t>(rank) - collapsed.size());
  std::sort(places.begin(), places.end());
  return g
      .Add(opcode, {x, indices},
           fmt::format(", offset_dims={}, collapsed_slice_dims={}, start_index_map={}, "
                       "index_vector_dim={}, slice_sizes={}",
                       DimsText(places), DimsText(collapsed), DimsText(map), at, DimsText(sizes)))
      .has_value();
}

bool MakeTuple(Generator& g, std::string_view opcode) {
  std::vector<Made> elements;
  for (int64_t n = g.Number(0, 3); n > 0; --n) elements.push_back(g.AnyValue());
  return g.Add(opcode, elements).has_value();
}

bool MakeElement(Generator& g, std::string_view opcode) {
  for (int tries = 0; tries < 8; ++tries) {
    const Made tuple = g.AnyValue();
    if (!tuple.shape.IsTuple() || tuple.shape.elements().empty()) continue;
    return g.Add(opcode, {tuple}, fmt::format(", index={}", g.Below(tuple.shape.elements().size())))
        .has_value();
  }
  const Made x = g.AnyArray();
  const auto tuple = g.Add("tuple", {x, g.AnyArray()});
  return tuple && g.Add(opcode, {*tuple}, ", index=0").has_value();
}

bool MakeSame(Generator& g, std::string_view opcode) {
  return g.Add(opcode, {g.AnyValue()}).has_value();
}

bool MakeDomain(Generator& g, std::string_view opcode) {
  return g
      .Add(opcode, {g.AnyArray()},
           ", domain={kind=\"sharding\", entry={maximal device=0}, exit={replicated}}")
      .has_value();
}

bool MakeAfterAll(Generator& g, std::string_view opcode) {
  std::vector<Made> tokens;
  for (int64_t n = g.Number(0, 2); n > 0; --n) tokens.push_back(g.Token());
  return g.Add(opcode, tokens).has_value();
}

bool MakeAddDependency(Generator& g, std::string_view opcode) {
  const Made token = g.Token();
  return g.Add(opcode, {g.AnyArray(), token}).has_value();
}

bool MakeGetDimensionSize(Generator& g, std::string_view opcode) {
  const Made x = g.AnyArray(1);
  if (x.shape.rank() == 0) return false;
  return g.Add(opcode, {x}, fmt::format(", dimensions={{{}}}", g.Below(x.shape.dims().size())))
      .has_value();
}

bool MakeSetDimensionSize(Generator& g, std::string_view opcode) {
  const Made x = g.StaticArray(1);
  if (x.shape.rank() == 0) return false;
  const size_t d = g.Below(x.shape.dims().size());
  const Made size = g.Numbers(ElementType::kS32, {}, 0, x.shape.dims()[d]);
  return g.Add(opcode, {x, size}, fmt::format(", dimensions={{{}}}", d)).has_value();
}

bool MakeDynamicReshape(Generator& g, std::string_view opcode) {
  const Made x = g.StaticArray(1);
  if (x.shape.rank() == 0) return false;
  Shape shape = Shape::Array(x.shape.element_type(), {x.shape.element_count()});
  shape.set_dynamic(0, true);
  const Made size =
      g.Numbers(ElementType::kS32, {}, x.shape.element_count(), x.shape.element_count());
  return g.Add(opcode, {x, size}, "", &shape).has_value();
}

bool MakeCopyStart(Generator& g, std::string_view) {
  const Made x = g.StaticArray();
  const Shape state = Shape::Tuple({x.shape, x.shape, Shape::Scalar(ElementType::kU32)});
  const Made start = g.Emit("copy-start", {x}, "", state);
  g.Emit("copy-done", {start}, "", x.shape);
  return true;
}

}  // namespace

std::vector<Recipe> MovementRecipes() {
  return {
      {"constant", MakeConstant},
      {"iota", MakeIota},
      {"broadcast", MakeBroadcast},
      {"reshape", MakeReshape},
      {"transpose", MakeTranspose},
      {"reverse", MakeReverse},
      {"shuffle", MakeShuffle},
      {"slice", MakeSlice},
      {"concatenate", MakeConcatenate},
      {"pad", MakePad},
      {"dynamic-slice", MakeDynamicSlice},
      {"dynamic-update-slice", MakeDynamicUpdateSlice},
      {"bitcast", MakeBitcast},
      {"gather", MakeGather},
      {"tuple", MakeTuple},
      {"get-tuple-element", MakeElement},
      {"opt-barrier", MakeSame},
      {"domain", MakeDomain},
      {"after-all", MakeAfterAll},
      {"add-dependency", MakeAddDependency},
      {"get-dimension-size", MakeGetDimensionSize},
      {"set-dimension-size", MakeSetDimensionSize},
      {"dynamic-reshape", MakeDynamicReshape},
      {"copy-start", MakeCopyStart},
      {"copy-done", MakeCopyStart},
  };
}

}  // namespace hlo
