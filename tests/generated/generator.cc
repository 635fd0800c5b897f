#include "tests/generated/generator.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/hlo/parser.h"
#include "engine/hlo/verifier.h"
#include "engine/ops/op_def.h"
#include "engine/types/element_type.h"

namespace hlo {
namespace {

constexpr int64_t kMostElements = 6000;
constexpr int kDeepest = 3;

bool IsStatic(const Shape& shape) { return shape.IsArray() && !shape.has_dynamic_dims(); }

}  // namespace

const std::vector<Recipe>& Recipes() {
  static const std::vector<Recipe> kRecipes = [] {
    std::vector<Recipe> all;
    for (const auto& family : {ElementwiseRecipes(), MovementRecipes(), NumericRecipes(),
                               RegionRecipes(), DeviceRecipes()}) {
      all.insert(all.end(), family.begin(), family.end());
    }
    return all;
  }();
  return kRecipes;
}

Generator::Generator(uint64_t seed, const GeneratorOptions& options)
    : random_(seed), options_(options) {
  if (options.several_devices) {
    program_.replicas = Number(1, 4);
    program_.partitions = program_.replicas == 1 || Chance(30) ? Number(2, 3) : 1;
  }
}

// ---- Choices ------------------------------------------------------------------------------------

int64_t Generator::Number(int64_t low, int64_t high) {
  return low + static_cast<int64_t>(Below(static_cast<uint64_t>(high - low + 1)));
}

std::string_view Generator::Word(std::initializer_list<std::string_view> words) {
  return words.begin()[Below(words.size())];
}

ElementType Generator::TypeWhere(bool (*fits)(ElementType)) {
  if (options_.preferred && fits(*options_.preferred)) return *options_.preferred;
  while (true) {
    // The usual types half of the time.
    constexpr ElementType kUsual[] = {ElementType::kF32, ElementType::kS32,  ElementType::kBF16,
                                      ElementType::kF16, ElementType::kPred, ElementType::kU8,
                                      ElementType::kF64, ElementType::kC64};
    const ElementType type = Chance(50) ? kUsual[Below(std::size(kUsual))]
                                        : static_cast<ElementType>(Below(ElementTypes().size()));
    if (fits(type)) return type;
  }
}

ElementType Generator::AnyType() {
  return TypeWhere([](ElementType) { return true; });
}

ElementType Generator::Mixed(ElementType type) {
  return mixes_floats() && IsFloat(type) && Chance(20) ? TypeWhere(IsFloat) : type;
}

Dims Generator::AnyDims(int least_rank, int most_rank) {
  if (scope_.scalars_only) return {};
  Dims dims(static_cast<size_t>(Number(least_rank, most_rank)));
  int64_t count = 1;
  for (int64_t& size : dims) {
    size = Chance(4) ? 0 : Number(1, 5);
    if (Chance(3)) size = Number(16, 140);
    if (count * size > kMostElements) size = 1;
    count *= size;
  }
  return dims;
}

Dims Generator::Permutation(int rank) {
  Dims order;
  for (int i = 0; i < rank; ++i) order.push_back(i);
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[Below(i)]);
  return order;
}

Dims Generator::Subset(int rank) {
  Dims some;
  for (int i = 0; i < rank; ++i) {
    if (Chance(50)) some.push_back(i);
  }
  return some;
}

std::string Generator::NewName(std::string_view hint) {
  return fmt::format("{}{}", hint, ++names_);
}

// ---- Operands -----------------------------------------------------------------------------------

// In the entry mostly a parameter, else a constant or numbers that rise.
Made Generator::NewArray(const Shape& shape) {
  if (scope_.is_entry && Chance(70)) {
    const std::string number = std::to_string(program_.inputs.size());
    program_.inputs.emplace_back(
        Word({"random", "random", "random", "normal", "uniform(-3,3)", "iota", "zero"}));
    return Emit("parameter", {}, "", shape, "", number);
  }
  if (shape.rank() > 0 && shape.element_type() != ElementType::kPred && IsStatic(shape) &&
      Chance(50)) {
    return Emit("iota", {}, fmt::format(", iota_dimension={}", Below(shape.dims().size())), shape);
  }
  const bool is_pred = shape.element_type() == ElementType::kPred;
  std::string value = is_pred ? std::string(Word({"true", "false"})) : std::to_string(Number(0, 1));
  if (IsFloat(shape.element_type()) && Chance(50)) value = fmt::format("{}.5", Number(0, 2));
  if (IsComplex(shape.element_type())) value = fmt::format("({}, {})", Number(-2, 2), Number(0, 2));
  const Made scalar =
      Emit("constant", {}, "", Shape::Scalar(shape.element_type()), "", std::move(value));
  if (shape.rank() == 0) return scalar;
  return Emit("broadcast", {scalar}, ", dimensions={}", shape);
}

Made Generator::ArrayWhere(const std::function<bool(const Shape&)>& fits,
                           const std::function<Shape()>& otherwise, bool dynamic) {
  std::vector<const Made*> fitting;
  for (const Made& value : scope_.values) {
    if (value.shape.IsArray() && (dynamic || IsStatic(value.shape)) && fits(value.shape)) {
      fitting.push_back(&value);
    }
  }
  if (fitting.empty() || Chance(15)) return NewArray(otherwise());
  return *fitting[Below(fitting.size())];
}

Made Generator::AnyArray(int least_rank) {
  return ArrayWhere([&](const Shape& shape) { return shape.rank() >= least_rank; },
                    [&] {
                      Shape shape = AnyShape(least_rank);
                      if (Chance(20)) {
                        shape.set_layout(Layout(Permutation(shape.rank())));
                      }
                      if (scope_.is_entry && shape.rank() > 0 && Chance(8)) {
                        shape.set_dynamic(static_cast<int>(Below(shape.dims().size())), true);
                      }
                      return shape;
                    });
}

Made Generator::AnyArrayOf(ElementType type) {
  return ArrayWhere([&](const Shape& shape) { return shape.element_type() == type; },
                    [&] { return Shape::Array(type, AnyDims()); });
}

Made Generator::ArrayOf(ElementType type, const Dims& dims) {
  return ArrayWhere(
      [&](const Shape& shape) { return shape.element_type() == type && shape.dims() == dims; },
      [&] { return Shape::Array(type, dims); }, /*dynamic=*/false);
}

Made Generator::Like(ElementType type, const Dims& dims) { return ArrayOf(Mixed(type), dims); }

Made Generator::Numbers(ElementType type, const Dims& dims, int64_t low, int64_t high) {
  const Shape shape = Shape::Array(type, dims);
  std::string literal;
  const std::function<void(size_t)> write = [&](size_t d) {
    if (d == dims.size()) {
      literal += std::to_string(Number(low, high));
      return;
    }
    literal += "{";
    for (int64_t i = 0; i < dims[d]; ++i) {
      if (i > 0) literal += ",";
      write(d + 1);
    }
    literal += "}";
  };
  write(0);
  return Emit("constant", {}, "", shape, "", literal);
}

Made Generator::Token() {
  for (const Made& value : scope_.values) {
    if (value.shape.IsToken() && Chance(60)) return value;
  }
  return Emit("after-all", {}, "", Shape::Token());
}

Made Generator::AnyValue() {
  if (scope_.values.empty() || Chance(10)) return AnyArray();
  return scope_.values[Below(scope_.values.size())];
}

// ---- Instructions -------------------------------------------------------------------------------

Made Generator::Emit(std::string_view opcode, const std::vector<Made>& operands,
                     std::string attributes, const Shape& shape, std::string computations,
                     std::string literal) {
  Statement statement{NewName("v"),           shape,
                      std::string(opcode),    {},
                      std::move(literal),     std::move(attributes),
                      std::move(computations)};
  for (const Made& operand : operands) statement.operands.push_back(operand.name);
  scope_.statements.push_back(statement);
  scope_.values.push_back({statement.name, shape});
  return scope_.values.back();
}

// Parsed and verified with parameters for operands.
std::optional<Shape> Generator::ShapeOf(const Statement& statement,
                                        const std::vector<Made>& operands, const Shape* written) {
  std::string text = fmt::format("HloModule t, replica_count={}, num_partitions={}\n{}ENTRY e {{\n",
                                 replicas(), partitions(), statement.computations);
  std::vector<std::string> names;
  for (const Made& operand : operands) {
    names.push_back(fmt::format("p{}", names.size()));
    text += fmt::format("  {} = {} parameter({})\n", names.back(), ShapeText(operand.shape),
                        names.size() - 1);
  }
  text += fmt::format("  ROOT r = {} {}({}){}\n}}\n", written ? ShapeText(*written) : "",
                      statement.opcode, fmt::join(names, ", "), statement.attributes);
  Diagnostics diagnostics;
  const auto module = ParseModule(std::move(text), diagnostics);
  if (!module || diagnostics.has_errors()) return std::nullopt;
  VerifyModule(*module, diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return module->entry()->root()->shape();
}

// Another float for the result, where that is accepted.
void Generator::MixResult(Statement& statement, const std::vector<Made>& operands) {
  if (!mixes_floats() || !statement.shape.IsArray() || !IsFloat(statement.shape.element_type()) ||
      !Chance(15)) {
    return;
  }
  Shape other = statement.shape;
  other.set_element_type(TypeWhere(IsFloat));
  if (ShapeOf(statement, operands, &other)) statement.shape = other;
}

std::optional<Made> Generator::Add(std::string_view opcode, const std::vector<Made>& operands,
                                   std::string attributes, const Shape* written,
                                   std::string computations) {
  Statement statement{
      "", Shape(), std::string(opcode), {}, {}, std::move(attributes), std::move(computations)};
  const std::optional<Shape> shape = ShapeOf(statement, operands, written);
  if (!shape || shape->stored_bytes() > 16 * kMostElements) return std::nullopt;
  statement.shape = *shape;
  MixResult(statement, operands);
  return Emit(opcode, operands, std::move(statement.attributes), statement.shape,
              std::move(statement.computations));
}

bool Generator::MakeOne() {
  const std::vector<Recipe>& recipes = Recipes();
  const Recipe& recipe = recipes[Below(recipes.size())];
  if (recipe.place == Recipe::Place::kEntry && !scope_.is_entry) return false;
  if (recipe.place == Recipe::Place::kSeveralDevices &&
      (!scope_.is_entry || replicas() * partitions() == 1)) {
    return false;
  }
  if (scope_.scalars_only) {
    const auto opcode = OpcodeFromText(recipe.opcode);
    if (!opcode || !GetOpDef(*opcode).loop) return false;
  }
  return recipe.make(*this, recipe.opcode);
}

// ---- Computations -------------------------------------------------------------------------------

// The value as one of another shape: elements are taken or repeated, types converted.
Made Generator::Coerced(const Made& value, const Shape& shape) {
  if (Shape::Compatible(value.shape, shape)) return value;
  if (shape.IsToken()) return Token();
  if (shape.IsTuple()) {
    std::vector<Made> elements;
    for (const Shape& element : shape.elements()) elements.push_back(Coerced(AnyArray(), element));
    return Emit("tuple", elements, "", shape);
  }
  Made array = IsStatic(value.shape) ? value : ArrayOf(shape.element_type(), shape.dims());
  if (array.shape.element_type() != shape.element_type()) {
    Shape converted = array.shape;
    converted.set_element_type(shape.element_type());
    array = Emit("convert", {array}, "", converted);
  }
  if (array.shape.dims() == shape.dims()) return array;
  if (array.shape.element_count() == shape.element_count()) {
    return Emit("reshape", {array}, "", Shape::Array(shape.element_type(), shape.dims()));
  }
  if (array.shape.rank() > 0) return ArrayOf(shape.element_type(), shape.dims());
  return Emit("broadcast", {array}, ", dimensions={}",
              Shape::Array(shape.element_type(), shape.dims()));
}

std::string Generator::FinishComputation(std::string_view name, const Made& root,
                                         std::string* text) {
  std::string body;
  for (const Statement& statement : scope_.statements) {
    *text += statement.computations;
    body += fmt::format("  {}{}\n", statement.name == root.name ? "ROOT " : "", statement.Line());
  }
  *text += fmt::format("{} {{\n{}}}\n", name, body);
  return std::string(name);
}

std::string Generator::Computation(const std::vector<Shape>& parameters, const Shape& result,
                                   std::string* text) {
  const std::string name = NewName("f");
  Scope outer = std::exchange(scope_, Scope());
  scope_.is_entry = false;
  ++depth_;
  scope_.scalars_only =
      outer.scalars_only || (result.IsArray() && result.rank() == 0 && Chance(70));
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Made parameter = Emit("parameter", {}, "", parameters[i], "", std::to_string(i));
    if (!parameters[i].IsTuple()) continue;
    for (size_t e = 0; e < parameters[i].elements().size(); ++e) {
      Emit("get-tuple-element", {parameter}, fmt::format(", index={}", e),
           parameters[i].elements()[e]);
    }
  }
  const int count = depth_ > kDeepest ? 0 : static_cast<int>(Number(0, 4));
  for (int tries = 0, made = 0; made < count && tries < 20; ++tries) made += MakeOne();
  const Made last = scope_.values.empty() ? AnyArray() : scope_.values.back();
  // The root must be an instruction of its own.
  const Made root = Coerced(last, result);
  FinishComputation(name, root, text);
  --depth_;
  scope_ = std::move(outer);
  return name;
}

std::string Generator::Reducer(const std::vector<ElementType>& accumulators,
                               const std::vector<ElementType>& elements, std::string* text) {
  std::vector<Shape> parameters, results;
  for (ElementType type : accumulators) parameters.push_back(Shape::Scalar(type));
  results = parameters;
  for (ElementType type : elements) parameters.push_back(Shape::Scalar(type));
  const Shape result = results.size() == 1 ? results[0] : Shape::Tuple(results);
  if (accumulators.size() > 1 || Chance(30)) return Computation(parameters, result, text);
  const ElementType type = accumulators[0];
  const bool is_logical = type == ElementType::kPred;
  std::string_view opcode = is_logical ? Word({"and", "or"})
                            : IsComplex(type)
                                ? Word({"add", "multiply"})
                                : Word({"add", "multiply", "maximum", "minimum", "subtract"});
  if (IsIntegral(type) && Chance(30)) opcode = Word({"and", "or", "xor"});
  const std::string name = NewName("r");
  *text +=
      fmt::format("{} {{\n  a = {} parameter(0)\n  b = {} parameter(1)\n  ROOT r = {} {}({})\n}}\n",
                  name, ShapeText(parameters[0]), ShapeText(parameters[1]), ShapeText(result),
                  opcode, Chance(80) ? "a, b" : "b, a");
  return name;
}

std::string Generator::Comparator(const std::vector<ElementType>& types, std::string* text) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < 2 * types.size(); ++i) {
    lines.push_back(fmt::format("p{} = {}[] parameter({})", i, Text(types[i / 2]), i));
  }
  const size_t key = 2 * Below(types.size());
  const bool has_order = !IsComplex(types[key / 2]);
  // Without a total order NaNs have no place, and what is sorted depends on how.
  const bool total = IsFloat(types[key / 2]);
  lines.push_back(fmt::format("ROOT lt = pred[] compare(p{}, p{}), direction={}{}", key, key + 1,
                              has_order ? Word({"LT", "GT"}) : "EQ",
                              total ? ", type=TOTALORDER" : ""));
  const std::string name = NewName("c");
  *text += fmt::format("{} {{\n  {}\n}}\n", name, fmt::join(lines, "\n  "));
  return name;
}

// ---- Programs -----------------------------------------------------------------------------------

Program Generator::Generate() {
  for (int tries = 0, made = 0; made < options_.statements && tries < 10 * options_.statements;
       ++tries) {
    made += MakeOne();
  }
  program_.statements = scope_.statements;
  return program_;
}

std::optional<Program> Generator::GenerateFor(std::string_view opcode) {
  constexpr int kTries = 60;
  for (int tries = 0; tries < kTries; ++tries) {
    for (const Recipe& recipe : Recipes()) {
      if (recipe.opcode != opcode || !recipe.make(*this, opcode)) continue;
      program_.statements = scope_.statements;
      return program_;
    }
  }
  return std::nullopt;
}

}  // namespace hlo
