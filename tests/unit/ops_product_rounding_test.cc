// Products of f32 as hardware computes them: the same bits however the program runs.
#include <fmt/format.h>

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/ops/products/product_rounding.h"
#include "engine/views/run_view.h"
#include "tests/all_targets.h"

namespace hlo {
namespace {

float ProductOfOne(const std::string& products, const std::string& attrs, bool trace = false,
                   const std::string& number = "1.00001") {
  RunRequest request;
  request.options = OptionsWithTargets();
  request.options.products = FindProductRounding(products);
  request.trace = trace;
  const auto record = RunDocument(
      std::make_shared<const Document>(fmt::format(
          "ENTRY e {{ p = f32[1] constant({{{}}})  q = f32[1] constant({{1}})\n"
          "ROOT d = f32[] dot(p, q), lhs_contracting_dims={{0}}, rhs_contracting_dims={{0}}{} }}",
          number, attrs)),
      request);
  REQUIRE(record->output);
  return *record->output->tensor().data<float>();
}

TEST_CASE("products of f32: rounded as the precision of the operands lets them be") {
  const float whole = 1.00001F;
  CHECK(ProductOfOne("", "") == whole);
  CHECK(ProductOfOne("f32", "") == whole);
  CHECK(ProductOfOne("bf16", "") == 1.0F);
  CHECK(ProductOfOne("tf32", "") == 1.0F);
  CHECK(ProductOfOne("tf32", "", false, "1.001") == doctest::Approx(1.0009765625).epsilon(1e-9));
  CHECK(ProductOfOne("bf16", "", false, "1.001") == 1.0F);
  CHECK(ProductOfOne("bf16", ", operand_precision={highest,highest}") == whole);
  CHECK(ProductOfOne("tf32", ", operand_precision={default,highest}") == whole);
  CHECK(ProductOfOne("tf32", ", operand_precision={high,high}") == 1.0F);
  // Three products: what bf16 leaves of the operand is there, rounded to bf16 in turn.
  const float three = ProductOfOne("bf16", ", operand_precision={high,high}");
  CHECK(three != 1.0F);
  CHECK(three == doctest::Approx(1.00001).epsilon(1e-7));
  CHECK(ProductOfOne("bf16", ", algorithm=dot_f32_f32_f32") == whole);
  CHECK(ProductOfOne("bf16", ", algorithm=dot_tf32_tf32_f32", false, "1.001") ==
        doctest::Approx(1.0009765625).epsilon(1e-9));
  CHECK(ProductOfOne("tf32", ", algorithm=dot_bf16_bf16_f32_x3") == three);
  CHECK(ProductOfOne("bf16", "", true) == ProductOfOne("bf16", "", false));
}

TEST_CASE("products of f32: ties go to even; what is not finite stays, and leaves no rest") {
  CHECK(ProductOfOne("bf16", "", false, "1.00390625") == 1.0F);       // 1 + 2^-8
  CHECK(ProductOfOne("bf16", "", false, "1.01171875") == 1.015625F);  // 1 + 3 * 2^-8
  CHECK(ProductOfOne("bf16", "", false, "-1.01171875") == -1.015625F);
  CHECK(ProductOfOne("bf16", ", operand_precision={high,high}", false, "inf") ==
        std::numeric_limits<float>::infinity());
  const float nan = ProductOfOne("tf32", "", false, "nan");
  CHECK(nan != nan);
}

// A loop with a product in it, which runs in several ways.
TEST_CASE("products of f32: in loops, convolutions and fusions, traced or not") {
  constexpr char kLoop[] = R"(
cond { s = (s32[], f32[4,4]) parameter(0)  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(6)  ROOT less = pred[] compare(i, n), direction=LT }
body { s = (s32[], f32[4,4]) parameter(0)  i = s32[] get-tuple-element(s), index=0
  v = f32[4,4] get-tuple-element(s), index=1  one = s32[] constant(1)  j = s32[] add(i, one)
  w = f32[4,4] dot(v, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  x = f32[4,4] tanh(w)
  ROOT t = (s32[], f32[4,4]) tuple(j, x) }
ENTRY e {
  z = s32[] constant(0)
  p = f32[4,4] parameter(0)
  t = (s32[], f32[4,4]) tuple(z, p)
  l = (s32[], f32[4,4]) while(t), condition=cond, body=body
  v = f32[4,4] get-tuple-element(l), index=1
  a = f32[1,4,4,1] reshape(v)
  k = f32[2,2,1,1] constant({{{{0.1}},{{0.2}}},{{{0.3}},{{0.4}}}})
  ROOT c = f32[1,3,3,1] convolution(a, k), window={size=2x2}, dim_labels=b01f_01io->b01f
})";
  const auto run = [&](const char* products, bool trace, bool islands) {
    RunRequest request;
    request.options = OptionsWithTargets();
    request.options.products = FindProductRounding(products);
    request.options.use_islands = islands;
    request.trace = trace;
    const auto record = RunDocument(std::make_shared<const Document>(kLoop), request);
    REQUIRE(record->output);
    const Tensor& tensor = record->output->tensor();
    return std::vector<float>(tensor.data<float>(), tensor.data<float>() + tensor.element_count());
  };
  const auto exact = run("", false, true);
  for (const ProductRoundingRow& row : ProductRoundings()) {
    const std::string name(row.name);
    const auto compiled = run(name.c_str(), false, true);
    CHECK(compiled != exact);
    CHECK(compiled == run(name.c_str(), true, true));
    CHECK(compiled == run(name.c_str(), false, false));
    for (size_t i = 0; i < exact.size(); ++i) {
      CHECK(compiled[i] == doctest::Approx(exact[i]).epsilon(0.1));
    }
  }
}

}  // namespace
}  // namespace hlo
