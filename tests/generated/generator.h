// Random programs that are valid by construction: every instruction is made by a recipe for its
// opcode, tried on the parser and the verifier, and kept when they accept it. The same seed gives
// the same program on every machine.
#ifndef HLO_TESTS_GENERATED_GENERATOR_H_
#define HLO_TESTS_GENERATED_GENERATOR_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ops/opcode.h"
#include "engine/run/random.h"
#include "engine/types/shape.h"
#include "tests/generated/program.h"

namespace hlo {

struct GeneratorOptions {
  int statements = 12;
  /// Floats of other widths than the rule of the op says, wherever the verifier lets them be.
  bool mixed_floats = true;
  bool several_devices = false;
  /// Chosen wherever it is among the types that an op takes.
  std::optional<ElementType> preferred = {};
};

/// A value of the program.
struct Made {
  std::string name;
  Shape shape;
};

class Generator;

/// How an instruction of an opcode is made.
struct Recipe {
  std::string_view opcode;
  /// Adds it, and before it what it needs; false when nothing fitting came to mind.
  bool (*make)(Generator& g, std::string_view opcode);
  /// Where it may stand.
  enum class Place : uint8_t { kAnywhere, kEntry, kSeveralDevices } place = Place::kAnywhere;
};
/// All recipes, by family; each opcode that runs has one.
const std::vector<Recipe>& Recipes();
std::vector<Recipe> ElementwiseRecipes();
std::vector<Recipe> MovementRecipes();
std::vector<Recipe> NumericRecipes();
std::vector<Recipe> RegionRecipes();
std::vector<Recipe> DeviceRecipes();

class Generator {
 public:
  Generator(uint64_t seed, const GeneratorOptions& options);

  /// A whole program.
  Program Generate();
  /// A program about one opcode: the instruction and what it needs. Nothing when its recipe does
  /// not succeed in some attempts.
  std::optional<Program> GenerateFor(std::string_view opcode);

  // ---- What recipes choose from -----------------------------------------------------------------

  uint64_t Below(uint64_t n) { return random_.Below(n); }
  /// In [low, high].
  int64_t Number(int64_t low, int64_t high);
  bool Chance(int percent) { return Below(100) < static_cast<uint64_t>(percent); }
  std::string_view Word(std::initializer_list<std::string_view> words);
  ElementType TypeWhere(bool (*fits)(ElementType));
  ElementType AnyType();
  /// Ranks in the range, sizes 0 to 5, rarely more.
  Dims AnyDims(int least_rank = 0, int most_rank = 4);
  /// Of an array without run-time sizes.
  Shape AnyShape(int least_rank = 0) {
    // One draw after the other: in a call the compiler would choose the order.
    const Dims dims = AnyDims(least_rank);
    return Shape::Array(AnyType(), dims);
  }
  Dims Permutation(int rank);
  /// Some of the numbers below `rank`, ascending.
  Dims Subset(int rank);

  // ---- Operands ---------------------------------------------------------------------------------

  /// An array that there is and that fits, or a new one of the other shape. Without run-time sizes,
  /// unless `dynamic`.
  Made ArrayWhere(const std::function<bool(const Shape&)>& fits,
                  const std::function<Shape()>& otherwise, bool dynamic = true);
  /// Any array of this rank or more.
  Made AnyArray(int least_rank = 0);
  /// The same without run-time sizes.
  Made StaticArray(int least_rank = 0) {
    return ArrayWhere([&](const Shape& shape) { return shape.rank() >= least_rank; },
                      [&] { return AnyShape(least_rank); }, /*dynamic=*/false);
  }
  Made AnyArrayOf(ElementType type);
  /// An array of exactly this type and these sizes.
  Made ArrayOf(ElementType type, const Dims& dims);
  /// The same, now and then of another float where those may be mixed.
  Made Like(ElementType type, const Dims& dims);
  /// A constant of numbers in [low, high].
  Made Numbers(ElementType type, const Dims& dims, int64_t low, int64_t high);
  Made Token();
  /// Any value.
  Made AnyValue();
  bool scalars_only() const { return scope_.scalars_only; }

  // ---- Instructions -----------------------------------------------------------------------------

  /// Adds the instruction, with the shape that follows from the operands or, where that does not
  /// follow, `written`; nothing when parser or verifier refuse it.
  std::optional<Made> Add(std::string_view opcode, const std::vector<Made>& operands,
                          std::string attributes = {}, const Shape* written = nullptr,
                          std::string computations = {});
  /// Adds it as it is: for instructions that mean something only beside others.
  Made Emit(std::string_view opcode, const std::vector<Made>& operands, std::string attributes,
            const Shape& shape, std::string computations = {}, std::string literal = {});

  /// The name of a computation of its own: parameters of these shapes, some instructions, a result
  /// of this shape. Its text, and those of what it calls, are appended to `*text`.
  std::string Computation(const std::vector<Shape>& parameters, const Shape& result,
                          std::string* text);
  /// (accumulators, elements) -> accumulators, of the types: a plain operation or something longer.
  std::string Reducer(const std::vector<ElementType>& accumulators,
                      const std::vector<ElementType>& elements, std::string* text);
  /// A comparator for sort, of pairs of these types.
  std::string Comparator(const std::vector<ElementType>& types, std::string* text);

  int64_t replicas() const { return program_.replicas; }
  int64_t partitions() const { return program_.partitions; }
  bool mixes_floats() const { return options_.mixed_floats; }
  /// Another float now and then, where they may be mixed.
  ElementType Mixed(ElementType type);
  std::string NewName(std::string_view hint);
  int64_t NewNumber() { return ++names_; }

 private:
  /// A computation while it is made.
  struct Scope {
    std::vector<Statement> statements;
    std::vector<Made> values;
    bool is_entry = true;
    bool scalars_only = false;
  };

  Made NewArray(const Shape& shape);
  std::optional<Shape> ShapeOf(const Statement& statement, const std::vector<Made>& operands,
                               const Shape* written);
  void MixResult(Statement& statement, const std::vector<Made>& operands);
  Made Coerced(const Made& value, const Shape& shape);
  bool MakeOne();
  std::string FinishComputation(std::string_view name, const Made& root, std::string* text);

  Random random_;
  GeneratorOptions options_;
  Program program_;
  Scope scope_;
  int names_ = 0;
  int depth_ = 0;
};

}  // namespace hlo

#endif  // HLO_TESTS_GENERATED_GENERATOR_H_
