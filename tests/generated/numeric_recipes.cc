// Recipes for products, transforms, matrices, normalisation and random numbers.
#include <fmt/format.h>

#include "engine/ops/shape_checks.h"
#include "engine/types/element_type.h"
#include "tests/generated/generator.h"

namespace hlo {
namespace {

// Dimensions of both operands of a product: batch, free, contracting.
struct Product {
  Dims lhs, rhs;
  Dims batch, lhs_contracting, rhs_contracting;

  std::string Attributes() const {
    return fmt::format(
        ", lhs_batch_dims={}, lhs_contracting_dims={}, rhs_batch_dims={}, rhs_contracting_dims={}",
        DimsText(batch), DimsText(lhs_contracting), DimsText(batch), DimsText(rhs_contracting));
  }
};

Product AnyProduct(Generator& g, int least_free = 0) {
  Product product;
  const Dims batch = g.AnyDims(0, 2), common = g.AnyDims(0, 2);
  for (size_t i = 0; i < batch.size(); ++i) product.batch.push_back(static_cast<int64_t>(i));
  product.lhs = product.rhs = batch;
  auto append = [](Dims* dims, const Dims& more) {
    for (int64_t size : more) dims->push_back(size);
  };
  append(&product.lhs, g.AnyDims(least_free, 2));
  for (size_t i = 0; i < common.size(); ++i) {
    product.lhs_contracting.push_back(static_cast<int64_t>(product.lhs.size() + i));
    product.rhs_contracting.push_back(static_cast<int64_t>(product.rhs.size() + i));
  }
  append(&product.lhs, common);
  append(&product.rhs, common);
  append(&product.rhs, g.AnyDims(least_free, 2));
  return product;
}

Dims ResultDims(const Product& product) {
  Dims dims;
  auto add = [&](const Dims& from, const Dims& contracting, size_t first) {
    for (size_t d = first; d < from.size(); ++d) {
      bool is_free = true;
      for (int64_t c : contracting) is_free &= c != static_cast<int64_t>(d);
      if (is_free) dims.push_back(from[d]);
    }
  };
  add(product.lhs, product.lhs_contracting, 0);
  add(product.rhs, product.rhs_contracting, product.batch.size());
  return dims;
}

bool MakeDot(Generator& g, std::string_view opcode) {
  const ElementType type = g.AnyType();
  const Product product = AnyProduct(g);
  const Made a = g.ArrayOf(type, product.lhs), b = g.Like(type, product.rhs);
  const ElementType wide = g.Chance(30) ? g.AnyType() : type;
  const Shape shape = Shape::Array(wide, ResultDims(product));
  return g.Add(opcode, {a, b}, product.Attributes(), &shape).has_value();
}

bool MakeRaggedDot(Generator& g, std::string_view opcode) {
  const ElementType type = g.AnyType();
  const int64_t m = g.Number(1, 6), k = g.Number(1, 4), n = g.Number(1, 4), groups = g.Number(1, 3);
  const Made a = g.ArrayOf(type, {m, k}), b = g.Like(type, {groups, k, n});
  const Made sizes = g.Numbers(ElementType::kS32, {groups}, 0, m);
  const Shape shape = Shape::Array(type, {m, n});
  return g
      .Add(opcode, {a, b, sizes},
           ", lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}, "
           "rhs_group_dims={0}",
           &shape)
      .has_value();
}

bool MakeScaledDot(Generator& g, std::string_view opcode) {
  const ElementType type = g.TypeWhere(IsFloat), scale = g.TypeWhere(IsFloat);
  const int64_t m = g.Number(1, 4), n = g.Number(1, 4), blocks = g.Number(1, 3);
  const int64_t k = blocks * g.Number(1, 4);
  const Made a = g.ArrayOf(type, {m, k}), b = g.Like(type, {k, n});
  const Made a_scale = g.ArrayOf(scale, {m, blocks}), b_scale = g.ArrayOf(scale, {blocks, n});
  const Shape shape =
      Shape::Array(g.Word({"a", "b"}) == "a" ? ElementType::kF32 : ElementType::kBF16, {m, n});
  return g
      .Add(opcode, {a, b, a_scale, b_scale}, ", lhs_contracting_dims={1}, rhs_contracting_dims={0}",
           &shape)
      .has_value();
}

bool MakeConvolution(Generator& g, std::string_view opcode) {
  const ElementType type = g.AnyType();
  const size_t spatial = static_cast<size_t>(g.Number(0, 3));
  const int64_t groups = g.Chance(70) ? 1 : g.Number(2, 3);
  const bool of_batch = groups > 1 && g.Chance(40);
  const int64_t batch = g.Number(1, 2) * (of_batch ? groups : 1);
  const int64_t in = g.Number(1, 3), out = groups * g.Number(1, 3);
  Dims lhs = {batch, in * (of_batch ? 1 : groups)}, rhs = {in, out};
  std::string labels[] = {"bf", "io", "bf"};
  std::string size, stride, pad, lhs_dilate, rhs_dilate, reversal;
  for (size_t d = 0; d < spatial; ++d) {
    lhs.push_back(g.Number(1, 7));
    rhs.push_back(g.Number(1, 3));
    for (std::string& label : labels) label += static_cast<char>('0' + d);
    const std::string_view x = d > 0 ? "x" : "";
    size += fmt::format("{}{}", x, rhs.back());
    stride += fmt::format("{}{}", x, g.Number(1, 2));
    pad += fmt::format("{}{}_{}", x, g.Number(-1, 2), g.Number(-1, 2));
    lhs_dilate += fmt::format("{}{}", x, g.Chance(70) ? 1 : 2);
    rhs_dilate += fmt::format("{}{}", x, g.Chance(70) ? 1 : 2);
    reversal += fmt::format("{}{}", x, g.Chance(80) ? 0 : 1);
  }
  const std::string window =
      spatial == 0 ? ""
                   : fmt::format(
                         ", window={{size={} stride={} pad={} lhs_dilate={} rhs_dilate={} "
                         "rhs_reversal={}}}",
                         size, stride, pad, lhs_dilate, rhs_dilate, reversal);
  const Made a = g.ArrayOf(type, lhs), b = g.Like(type, rhs);
  return g
      .Add(opcode, {a, b},
           fmt::format("{}, dim_labels={}_{}->{}, {}={}", window, labels[0], labels[1], labels[2],
                       of_batch ? "batch_group_count" : "feature_group_count", groups))
      .has_value();
}

bool MakeBatchNorm(Generator& g, std::string_view opcode) {
  const ElementType type = g.TypeWhere(IsFloat);
  const Dims dims = g.AnyDims(1);
  if (dims.empty()) return false;
  const size_t feature = g.Below(dims.size());
  const Dims vector = {dims[feature]};
  std::vector<Made> operands = {g.ArrayOf(type, dims), g.Like(type, vector), g.Like(type, vector)};
  if (opcode != "batch-norm-training") operands.push_back(g.Like(type, vector));
  if (opcode == "batch-norm-inference") operands.push_back(g.Like(type, vector));
  if (opcode == "batch-norm-grad") operands.push_back(g.Like(type, dims));
  return g.Add(opcode, operands, fmt::format(", epsilon=0.25, feature_index={}", feature))
      .has_value();
}

bool MakeCholesky(Generator& g, std::string_view opcode) {
  Dims dims = g.AnyDims(0, 2);
  const int64_t n = g.Number(0, 4);
  dims.push_back(n);
  dims.push_back(n);
  const Made a =
      g.ArrayOf(g.TypeWhere([](ElementType t) { return IsFloat(t) || IsComplex(t); }), dims);
  return g.Add(opcode, {a}, g.Chance(50) ? ", lower=true" : "").has_value();
}

bool MakeTriangularSolve(Generator& g, std::string_view opcode) {
  const ElementType type = g.TypeWhere([](ElementType t) { return IsFloat(t) || IsComplex(t); });
  Dims a_dims = g.AnyDims(0, 1), b_dims = a_dims;
  const int64_t n = g.Number(0, 4), m = g.Number(0, 3);
  const bool left = g.Chance(50);
  a_dims.push_back(n);
  a_dims.push_back(n);
  b_dims.push_back(left ? n : m);
  b_dims.push_back(left ? m : n);
  const Made a = g.ArrayOf(type, a_dims), b = g.Like(type, b_dims);
  return g
      .Add(
          opcode, {a, b},
          fmt::format(", left_side={}, lower={}, unit_diagonal={}, transpose_a={}", left,
                      g.Chance(50), g.Chance(30), g.Word({"NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"})))
      .has_value();
}

bool MakeFft(Generator& g, std::string_view opcode) {
  const std::string_view type = g.Word({"FFT", "IFFT", "RFFT", "IRFFT"});
  const bool wide = g.Chance(30);
  const bool real = type == "RFFT";
  const ElementType element = real ? (wide ? ElementType::kF64 : ElementType::kF32)
                                   : (wide ? ElementType::kC128 : ElementType::kC64);
  const Dims dims = g.AnyDims(1, 3);
  if (dims.empty()) return false;
  Dims lengths;
  const size_t count = std::min<size_t>(dims.size(), static_cast<size_t>(g.Number(1, 2)));
  for (size_t d = dims.size() - count; d < dims.size(); ++d) lengths.push_back(dims[d]);
  if (type == "IRFFT")
    lengths.back() = std::max<int64_t>(0, 2 * (lengths.back() - 1) + g.Number(0, 1));
  return g
      .Add(opcode, {g.ArrayOf(element, dims)},
           fmt::format(", fft_type={}, fft_length={}", type, DimsText(lengths)))
      .has_value();
}

bool MakeRng(Generator& g, std::string_view opcode) {
  const ElementType type = g.AnyType();
  const Shape shape = Shape::Array(g.Mixed(type), g.AnyDims());
  // A lower bound above the upper one ends the run: most have their order.
  const bool is_ordered = BytesOf(type) > 1 && !IsComplex(type) && g.Chance(80);
  const Made a = is_ordered ? g.Numbers(type, {}, 0, 0) : g.ArrayOf(type, {});
  const Made b = is_ordered ? g.Numbers(type, {}, 1, 1) : g.ArrayOf(type, {});
  return g
      .Add(opcode, {a, b}, fmt::format(", distribution={}", g.Word({"rng_uniform", "rng_normal"})),
           &shape)
      .has_value();
}

bool MakeRngBits(Generator& g, std::string_view opcode) {
  const std::string_view algorithm = g.Word({"rng_default", "rng_three_fry", "rng_philox"});
  const Shape state = Shape::Array(ElementType::kU64, {algorithm == "rng_philox" ? 3 : 2});
  const Shape bits = Shape::Array(g.TypeWhere(IsIntegral), g.AnyDims());
  const Shape shape = Shape::Tuple({state, bits});
  return g
      .Add(opcode, {g.ArrayOf(ElementType::kU64, state.dims())},
           fmt::format(", algorithm={}", algorithm), &shape)
      .has_value();
}

bool MakeRngState(Generator& g, std::string_view opcode) {
  const Shape shape = Shape::Array(ElementType::kU64, {2});
  return g.Add(opcode, {}, fmt::format(", delta={}", g.Number(1, 9)), &shape).has_value();
}

bool MakeTopk(Generator& g, std::string_view opcode) {
  const Made x =
      g.ArrayWhere([](const Shape& s) { return s.rank() > 0 && !IsComplex(s.element_type()); },
                   [&] { return Shape::Array(ElementType::kF32, g.AnyDims(1)); });
  if (x.shape.rank() == 0) return false;
  const int64_t k = g.Number(0, x.shape.dims().back());
  Shape values = x.shape;
  values.set_dim(values.rank() - 1, k);
  Shape indices = values;
  indices.set_element_type(ElementType::kS32);
  const Shape shape = Shape::Tuple({values, indices});
  return g.Add(opcode, {x}, fmt::format(", k={}, largest={}", k, g.Chance(50)), &shape).has_value();
}

}  // namespace

std::vector<Recipe> NumericRecipes() {
  return {
      {"dot", MakeDot},
      {"ragged-dot", MakeRaggedDot},
      {"scaled-dot", MakeScaledDot},
      {"convolution", MakeConvolution},
      {"batch-norm-training", MakeBatchNorm},
      {"batch-norm-inference", MakeBatchNorm},
      {"batch-norm-grad", MakeBatchNorm},
      {"cholesky", MakeCholesky},
      {"triangular-solve", MakeTriangularSolve},
      {"fft", MakeFft},
      {"rng", MakeRng},
      {"rng-bit-generator", MakeRngBits},
      {"rng-get-and-update-state", MakeRngState},
      {"topk", MakeTopk},
  };
}

}  // namespace hlo
