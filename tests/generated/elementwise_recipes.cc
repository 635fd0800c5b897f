// Recipes for ops that work element by element: all that the op table computes by a loop.
#include <fmt/format.h>

#include "engine/ops/op_def.h"
#include "tests/generated/generator.h"

namespace hlo {
namespace {

bool MakeElementwise(Generator& g, std::string_view opcode) {
  const int count = GetOpcodeInfo(*OpcodeFromText(opcode)).min_operands;
  for (int tries = 0; tries < 6; ++tries) {
    std::vector<Made> operands = {g.Chance(50) ? g.AnyArray() : g.AnyArrayOf(g.AnyType())};
    const Shape shape = operands[0].shape;
    if (shape.has_dynamic_dims()) {
      for (int i = 1; i < count; ++i) operands.push_back(operands[0]);
    }
    while (static_cast<int>(operands.size()) < count) {
      operands.push_back(g.Like(shape.element_type(), shape.dims()));
    }
    if (g.Add(opcode, operands)) return true;
  }
  return false;
}

bool MakeCompare(Generator& g, std::string_view opcode) {
  const Made a = g.AnyArray();
  const Made b = a.shape.has_dynamic_dims() ? a : g.Like(a.shape.element_type(), a.shape.dims());
  const bool total = IsFloat(a.shape.element_type()) && g.Chance(30);
  const bool ordered = !IsComplex(a.shape.element_type());
  return g
      .Add(
          opcode, {a, b},
          fmt::format(", direction={}{}",
                      ordered ? g.Word({"EQ", "NE", "GE", "GT", "LE", "LT"}) : g.Word({"EQ", "NE"}),
                      total ? ", type=TOTALORDER" : ""))
      .has_value();
}

bool MakeSelect(Generator& g, std::string_view opcode) {
  const Made on_true = g.StaticArray();
  const Dims& dims = on_true.shape.dims();
  const Made pred = g.ArrayOf(ElementType::kPred, g.Chance(30) ? Dims() : dims);
  return g.Add(opcode, {pred, on_true, g.Like(on_true.shape.element_type(), dims)}).has_value();
}

bool MakeClamp(Generator& g, std::string_view opcode) {
  const Made x = g.ArrayWhere([](const Shape& s) { return !IsComplex(s.element_type()); },
                              [&] { return Shape::Array(ElementType::kF32, g.AnyDims()); }, false);
  auto bound = [&] {
    return g.Like(x.shape.element_type(), g.Chance(50) ? Dims() : x.shape.dims());
  };
  const Made low = bound();
  return g.Add(opcode, {low, x, bound()}).has_value();
}

bool MakeConvert(Generator& g, std::string_view opcode) {
  const Made x = g.AnyArray();
  Shape to = x.shape;
  to.set_element_type(g.AnyType());
  return g.Add(opcode, {x}, "", &to).has_value();
}

bool MakeBitcastConvert(Generator& g, std::string_view opcode) {
  const Made x = g.StaticArray();
  const ElementType type = g.AnyType();
  const int from = BitsOf(x.shape.element_type()), to = BitsOf(type);
  Dims dims = x.shape.dims();
  if (to > from && !dims.empty()) dims.pop_back();
  if (to < from) dims.push_back(from / to);
  const Shape shape = Shape::Array(type, dims);
  if (g.scalars_only() && !shape.IsScalar()) return false;
  return g.Add(opcode, {x}, "", &shape).has_value();
}

bool MakeReducePrecision(Generator& g, std::string_view opcode) {
  const Made x = g.AnyArrayOf(g.TypeWhere(IsFloat));
  return g
      .Add(opcode, {x},
           fmt::format(", exponent_bits={}, mantissa_bits={}", g.Number(1, 11), g.Number(0, 30)),
           &x.shape)
      .has_value();
}

bool MakeStochasticConvert(Generator& g, std::string_view opcode) {
  const ElementType type = g.TypeWhere(IsFloat);
  const Made x = g.ArrayWhere([&](const Shape& s) { return s.element_type() == type; },
                              [&] { return Shape::Array(type, g.AnyDims()); }, false);
  const Made bits = g.ArrayOf(g.TypeWhere(IsUnsigned), x.shape.dims());
  Shape to = x.shape;
  to.set_element_type(g.AnyType());
  return g.Add(opcode, {x, bits}, "", &to).has_value();
}

bool MakeCopy(Generator& g, std::string_view opcode) {
  const Made x = g.AnyArray();
  return g.Add(opcode, {x}).has_value();
}

}  // namespace

std::vector<Recipe> ElementwiseRecipes() {
  std::vector<Recipe> recipes = {
      {"compare", MakeCompare},
      {"select", MakeSelect},
      {"clamp", MakeClamp},
      {"convert", MakeConvert},
      {"bitcast-convert", MakeBitcastConvert},
      {"reduce-precision", MakeReducePrecision},
      {"stochastic-convert", MakeStochasticConvert},
      {"copy", MakeCopy},
  };
  const std::vector<Recipe> special = recipes;
  for (size_t i = 0; i < kOpcodeCount; ++i) {
    const auto opcode = static_cast<Opcode>(i);
    const bool has_own = std::any_of(special.begin(), special.end(), [&](const Recipe& recipe) {
      return recipe.opcode == Text(opcode);
    });
    if (GetOpDef(opcode).loop && !has_own) recipes.push_back({Text(opcode), MakeElementwise});
  }
  return recipes;
}

}  // namespace hlo
