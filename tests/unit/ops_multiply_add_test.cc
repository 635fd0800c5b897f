// Sums of products that are rounded once a step: the same bits however the program runs.
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/views/precision_view.h"
#include "engine/views/run_view.h"
#include "tests/all_targets.h"

namespace hlo {
namespace {

std::vector<float> FloatsOf(const std::string& text, MultiplyAdd step, bool trace = false,
                            bool islands = true) {
  RunRequest request;
  request.options = OptionsWithTargets();
  request.options.multiply_add = step;
  request.options.use_islands = islands;
  request.trace = trace;
  const auto record = RunDocument(std::make_shared<const Document>(text), request);
  REQUIRE(record->output);
  const Tensor& tensor = record->output->tensor();
  return {tensor.data<float>(), tensor.data<float>() + tensor.element_count()};
}

/// 1 + 2^-12 squared, less 1 + 2^-11: 2^-24 is left of it unless the square is rounded.
constexpr char kSquare[] = R"(
ENTRY e {
  one = f32[2] constant({1, 1.000244140625})
  two = f32[2] constant({-1.00048828125, 1.000244140625})
  ROOT d = f32[] dot(one, two), lhs_contracting_dims={0}, rhs_contracting_dims={0}
})";

TEST_CASE("multiply-add: the product is rounded before it is added, or not") {
  CHECK(FloatsOf(kSquare, MultiplyAdd::kSeparate)[0] == 0.0F);
  CHECK(FloatsOf(kSquare, MultiplyAdd::kFused)[0] == std::ldexp(1.0F, -24));
  const std::string convolution = R"(
ENTRY e {
  one = f32[1,2,1] constant({{{1}, {1.000244140625}}})
  two = f32[2,1,1] constant({{{-1.00048828125}}, {{1.000244140625}}})
  ROOT c = f32[1,1,1] convolution(one, two), window={size=2}, dim_labels=b0f_0io->b0f
})";
  CHECK(FloatsOf(convolution, MultiplyAdd::kSeparate)[0] == 0.0F);
  CHECK(FloatsOf(convolution, MultiplyAdd::kFused)[0] == std::ldexp(1.0F, -24));
  const std::string ragged = R"(
ENTRY e {
  one = f32[1,2] constant({{1, 1.000244140625}})
  two = f32[1,2,1] constant({{{-1.00048828125}, {1.000244140625}}})
  sizes = s32[1] constant({1})
  ROOT d = f32[1,1] ragged-dot(one, two, sizes), lhs_contracting_dims={1}, rhs_contracting_dims={1},
    lhs_ragged_dims={0}, rhs_group_dims={0}
})";
  CHECK(FloatsOf(ragged, MultiplyAdd::kSeparate)[0] == 0.0F);
  CHECK(FloatsOf(ragged, MultiplyAdd::kFused)[0] == std::ldexp(1.0F, -24));
}

TEST_CASE("multiply-add: products of numbers of 16 bits are exact, and so is their rounding") {
  const std::string dot = R"(
ENTRY e {
  p = f16[7,40] iota(), iota_dimension=1
  s = f16[] constant(0.137)
  t = f16[7,40] broadcast(s), dimensions={}
  q = f16[7,40] multiply(p, t)
  d = f16[7,7] dot(q, q), lhs_contracting_dims={1}, rhs_contracting_dims={1}
  ROOT r = f32[7,7] convert(d)
})";
  CHECK(FloatsOf(dot, MultiplyAdd::kSeparate) == FloatsOf(dot, MultiplyAdd::kFused));
}

// A loop with a product in it, which runs in several ways.
TEST_CASE("multiply-add: in loops, convolutions and fusions, traced or not") {
  const std::string loop = R"(
cond { s = (s32[], f32[9,9]) parameter(0)  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(3)  ROOT less = pred[] compare(i, n), direction=LT }
body { s = (s32[], f32[9,9]) parameter(0)  i = s32[] get-tuple-element(s), index=0
  v = f32[9,9] get-tuple-element(s), index=1  one = s32[] constant(1)  j = s32[] add(i, one)
  w = f32[9,9] dot(v, v), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  x = f32[9,9] tanh(w)
  ROOT t = (s32[], f32[9,9]) tuple(j, x) }
ENTRY e {
  z = s32[] constant(0)
  m = f32[81] iota(), iota_dimension=0
  r = f32[81] sqrt(m)
  s = f32[81] sine(r)
  p = f32[9,9] reshape(s)
  t = (s32[], f32[9,9]) tuple(z, p)
  l = (s32[], f32[9,9]) while(t), condition=cond, body=body
  v = f32[9,9] get-tuple-element(l), index=1
  a = f32[1,9,9,1] reshape(v)
  k = f32[2,2,1,1] constant({{{{0.1}},{{0.2}}},{{{0.3}},{{0.4}}}})
  ROOT c = f32[1,8,8,1] convolution(a, k), window={size=2x2}, dim_labels=b01f_01io->b01f
})";
  const auto fused = FloatsOf(loop, MultiplyAdd::kFused);
  CHECK(fused != FloatsOf(loop, MultiplyAdd::kSeparate));
  CHECK(fused == FloatsOf(loop, MultiplyAdd::kFused, true));
  CHECK(fused == FloatsOf(loop, MultiplyAdd::kFused, false, false));
}

TEST_CASE("multiply-add: the second run of a comparison may have another") {
  const auto document = std::make_shared<const Document>(kSquare);
  RunRequest request;
  request.options = OptionsWithTargets();
  PrecisionReference reference;
  reference.changes.emplace().multiply_add = MultiplyAdd::kFused;
  const PrecisionView view = MakePrecisionView(document, reference, request);
  CHECK(PrecisionText(view).find("5.96") != std::string::npos);
}

}  // namespace
}  // namespace hlo
