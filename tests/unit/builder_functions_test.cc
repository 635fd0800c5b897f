// The Builder's element-wise functions by their values: f64 against numbers with 17 digits, and the
// element types and special cases that the operation semantics document names.
#include <string_view>

#include "engine/run/compare.h"
#include "tests/unit/builder_runner.h"
#include "tests/unit/literal_cases.h"

namespace hlo {
namespace {

using UnaryMethod = Op (Builder::*)(Op);

/// That method(in) is `expected`, a literal of the same kind.
void CheckValues(std::string_view name, UnaryMethod method, std::string_view in,
                 std::string_view expected, double rel) {
  Builder b("function");
  (b.*method)(b.ConstantLiteral(in));
  std::unique_ptr<Module> module;
  const std::string fault = FaultOf(b, &module);
  CAPTURE(std::string(name));
  CAPTURE(fault);
  REQUIRE(module != nullptr);
  Budget budget;
  Executor executor(*module, {}, &budget, nullptr);
  executor.Start({});
  REQUIRE(executor.Run() == Executor::Status::kDone);
  const auto difference = Compare(executor.result(), ValueOf(expected),
                                  {.abs = 0, .rel = rel, .nan_equal = true, .signed_zero = true});
  CHECK((difference ? difference->message : "") == "");
}

constexpr double kF64Error = 5e-16, kF32Error = 1.2e-7;

TEST_CASE("Builder, rounding by value") {
  constexpr char kIn[] =
      "f64[12] {0.5,1.5,2.5,-0.5,-1.5,-2.5,0.49999999999999994,-0.25,-0,inf,nan,7}";
  CheckValues("round", &Builder::Round, kIn, "f64[12] {1,2,3,-1,-2,-3,0,-0,-0,inf,nan,7}", 0);
  CheckValues("round to even", &Builder::RoundNearestEven, kIn,
              "f64[12] {0,2,2,-0,-2,-2,0,-0,-0,inf,nan,7}", 0);
  CheckValues("ceil", &Builder::Ceil, kIn, "f64[12] {1,2,3,-0,-1,-2,1,-0,-0,inf,nan,7}", 0);
  CheckValues("floor", &Builder::Floor, kIn, "f64[12] {0,1,2,-1,-2,-3,0,-1,-0,inf,nan,7}", 0);
  CheckValues("round, bf16", &Builder::Round, "bf16[3] {2.5,-3.5,100}", "bf16[3] {3,-4,100}", 0);
}

TEST_CASE("Builder, parts of numbers by value") {
  CheckValues("real", &Builder::Real, "c64[3] {(1,2),(-0,3),(nan,4)}", "f32[3] {1,-0,nan}", 0);
  CheckValues("imag", &Builder::Imag, "c128[3] {(1,2),(3,-0),(4,inf)}", "f64[3] {2,-0,inf}", 0);
  // Of a real number itself, and 0.
  CheckValues("real of real", &Builder::Real, "f32[3] {1.5,-0,nan}", "f32[3] {1.5,-0,nan}", 0);
  CheckValues("imag of real", &Builder::Imag, "f32[3] {1.5,-2,nan}", "f32[3] {0,0,0}", 0);
  CheckValues("sign", &Builder::Sign, "f32[7] {-3,-1e-45,-0,0,0.5,inf,nan}",
              "f32[7] {-1,-1,-0,0,1,1,nan}", 0);
  CheckValues("sign, s8", &Builder::Sign, "s8[4] {-128,-1,0,127}", "s8[4] {-1,-1,0,1}", 0);
  // z / |z|.
  CheckValues("sign, c128", &Builder::Sign, "c128[3] {(3,4),(0,0),(0,-2)}",
              "c128[3] {(0.6,0.8),(0,0),(0,-1)}", kF64Error);
  CheckValues("abs", &Builder::Abs, "c64[2] {(3,4),(-5,12)}", "f32[2] {5,13}", 0);
  CheckValues("abs, s32", &Builder::Abs, "s32[2] {-2147483648,-7}", "s32[2] {-2147483648,7}", 0);
  CheckValues("neg", &Builder::Neg, "u8[2] {1,0}", "u8[2] {255,0}", 0);
}

TEST_CASE("Builder, functions by value") {
  CheckValues("erf", &Builder::Erf, "f64[7] {0,-0.5,1,2.5,-inf,nan,1e-300}",
              "f64[7] {0,-0.5204998778130465,0.8427007929497149,0.9995930479825550,-1,nan,"
              "1.1283791670955126e-300}",
              kF64Error);
  CheckValues("expm1", &Builder::Expm1, "f64[7] {0,1e-10,-1e-10,1,-40,inf,-inf}",
              "f64[7] {0,1.00000000005e-10,-9.9999999995e-11,1.7182818284590452,-1,inf,-1}",
              kF64Error);
  CheckValues("log1p", &Builder::Log1p, "f64[7] {0,1e-10,-1e-10,1,-1,-2,inf}",
              "f64[7] {0,9.9999999995e-11,-1.00000000005e-10,0.6931471805599453,-inf,nan,inf}",
              kF64Error);
  CheckValues("logistic", &Builder::Logistic, "f64[6] {0,1,-1,-700,inf,-inf}",
              "f64[6] {0.5,0.7310585786300049,0.2689414213699951,9.8596765437597708e-305,1,0}",
              kF64Error);
  CheckValues("tan", &Builder::Tan, "f64[6] {0,0.5,-1,1.5707963267948966,1e22,inf}",
              "f64[6] {0,0.5463024898437905,-1.5574077246549022,1.6331239353195370e16,"
              "-1.6287782256068988,nan}",
              kF64Error);
  CheckValues("tanh", &Builder::Tanh, "f64[4] {0.5,-30,1e-200,inf}",
              "f64[4] {0.46211715726000979,-1,1e-200,1}", kF64Error);
  CheckValues("cbrt", &Builder::Cbrt, "f64[5] {27,-8,0.001,-0,inf}", "f64[5] {3,-2,0.1,-0,inf}",
              kF64Error);
  CheckValues("rsqrt", &Builder::Rsqrt, "f64[5] {4,0,-0,-1,inf}", "f64[5] {0.5,inf,-inf,nan,0}",
              kF64Error);
  CheckValues("sqrt", &Builder::Sqrt, "f64[4] {2,-0,-1,inf}",
              "f64[4] {1.4142135623730951,-0,nan,inf}", kF64Error);
  CheckValues("exp", &Builder::Exp, "f64[4] {1,-1000,1000,-inf}",
              "f64[4] {2.7182818284590452,0,inf,0}", kF64Error);
  CheckValues("log", &Builder::Log, "f64[5] {10,0,-1,inf,1}",
              "f64[5] {2.3025850929940457,-inf,nan,inf,0}", kF64Error);
  CheckValues("sin", &Builder::Sin, "f64[3] {0.5,-0,1e22}",
              "f64[3] {0.479425538604203,-0,-0.8522008497671888}", kF64Error);
  CheckValues("cos", &Builder::Cos, "f64[3] {0.5,0,1e22}",
              "f64[3] {0.8775825618903727,1,0.5232147853951389}", kF64Error);
  CheckValues("atan", &Builder::Atan, "f64[3] {1,-inf,0.5}",
              "f64[3] {0.7853981633974483,-1.5707963267948966,0.4636476090008061}", kF64Error);
}

TEST_CASE("Builder, functions of complex numbers by value") {
  constexpr char kIn[] = "c128[2] {(0.5,-1.25),(-2,0.75)}";
  CheckValues("expm1", &Builder::Expm1, kIn,
              "c128[2] {(-0.480121313991506343,-1.56461112749881953),"
              "(-0.900976679689884686,0.092249774652811398)}",
              1e-15);
  CheckValues("log1p", &Builder::Log1p, kIn,
              "c128[2] {(0.669142570966765006,-0.694738276196703196),"
              "(0.223143551314209756,2.49809154479650885)}",
              1e-15);
  CheckValues("logistic", &Builder::Logistic, kIn,
              "c128[2] {(0.680566169808682376,-0.32883527469514821),"
              "(0.0964671144243458801,0.0758407065122504899)}",
              1e-15);
  CheckValues("tan", &Builder::Tan, kIn,
              "c128[2] {(0.126108566484234389,-0.906724804319430976),"
              "(0.445501321436741789,1.25342717133468364)}",
              2e-15);
  CheckValues("cbrt", &Builder::Cbrt, kIn,
              "c128[2] {(1.01841868067853884,-0.426700282532496902),"
              "(0.772391716918398802,1.0305255430374942)}",
              1e-15);
}

TEST_CASE("Builder, functions in narrow types round once") {
  CheckValues("erf", &Builder::Erf, "bf16[2] {0.5,1}", "bf16[2] {0.51953125,0.84375}", 0);
  CheckValues("expm1", &Builder::Expm1, "f16[2] {0.0001,1}", "f16[2] {0.0001,1.71875}", 0);
  CheckValues("logistic", &Builder::Logistic, "f16[2] {1,-1}", "f16[2] {0.7309570,0.26904297}",
              1e-7);
  CheckValues("tan", &Builder::Tan, "f32[2] {1,-0.5}", "f32[2] {1.5574077,-0.5463025}", kF32Error);
}

TEST_CASE("Builder, Map with arguments that are not mapped over") {
  // x y + p, with p a number for all elements: elem_out <- computation(elem1, elem2, par1).
  Builder f("f");
  Op x = f.Parameter(0, Shape::Scalar(ElementType::kF32), "x");
  Op y = f.Parameter(1, Shape::Scalar(ElementType::kF32), "y");
  Op p = f.Parameter(2, Shape::Scalar(ElementType::kS32), "p");
  f.Add(f.Mul(x, y), f.ConvertElementType(p, ElementType::kF32));
  std::unique_ptr<Module> with_number = BuildRegion(f);
  Builder b("map");
  b.Map({b.ConstantLiteral("f32[2,2] {{1,2},{3,4}}"), b.ConstantLiteral("f32[2,2] {{1,1},{2,2}}")},
        with_number.get(), {0, 1}, {b.ConstantR0<int32_t>(100)});
  CHECK(RunBuilt(b) == "{{101, 102}, {106, 108}}");

  // A table and a pair: the element chooses from the table.
  Builder g("g");
  Op at = g.Parameter(0, Shape::Scalar(ElementType::kS32), "at");
  Op table = g.Parameter(1, Shape::Array(ElementType::kF32, {3}), "table");
  Op pair = g.Parameter(2, Shape::Tuple({Shape::Scalar(ElementType::kF32)}), "pair");
  g.Add(g.Reshape(g.DynamicSlice(table, std::vector<Op>{at}, {1}), {}), g.GetTupleElement(pair, 0));
  std::unique_ptr<Module> with_table = BuildRegion(g);
  const auto mapped = [&](std::string_view indices, const Dims& dimensions) {
    Builder c("map");
    c.Map({c.ConstantLiteral(indices)}, with_table.get(), dimensions,
          {c.ConstantR1<float>({10, 20, 30}), c.Tuple({c.ConstantR0(0.5f)})});
    return RunBuilt(c);
  };
  CHECK(mapped("s32[2,2] {{2,0},{1,1}}", {0, 1}) == "{{30.5, 10.5}, {20.5, 20.5}}");
  CHECK(mapped("s32[] 1", {}) == "20.5");
  CHECK(mapped("s32[0] {}", {0}) == "{}");
  CHECK(mapped("s32[2] {2,0}", {1}).find("dimensions {1} must be all of s32[2]") !=
        std::string::npos);
  Builder d("arguments");
  CHECK(!d.Map({d.ConstantR1<int32_t>({1})}, with_table.get(), {0}, {d.ConstantR1<float>({1})}));
  CHECK(FaultOf(d) != "");
}

}  // namespace
}  // namespace hlo
