// ragged-dot against its definition written out: every kind of ragged dimension, operands in every
// order of dimensions.
#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

#include "doctest/doctest.h"
#include "engine/ops/products/ragged.h"
#include "engine/types/convert.h"
#include "tests/unit/op_runner.h"

namespace hlo {
namespace {

/// Roles of dimensions: two batches, two free ones of the lhs, two contracting ones; of the rhs
/// then its free one and the groups.
enum Role : size_t { kB0, kB1, kM0, kM1, kK0, kK1, kN, kG, kRoles };

struct RaggedExample {
  std::array<int64_t, kRoles> size;
  std::vector<Role> lhs, rhs;  // the roles of the dimensions
  Role ragged;
  bool sizes_by_prefix;
  std::vector<int64_t> groups;  // sizes, a row per prefix
};

size_t PlaceOf(const std::vector<Role>& roles, Role role) {
  return static_cast<size_t>(std::find(roles.begin(), roles.end(), role) - roles.begin());
}

/// Free dimensions are taken in the order in which they stand.
std::array<Role, 2> FreeOrder(const RaggedExample& e) {
  return PlaceOf(e.lhs, kM0) < PlaceOf(e.lhs, kM1) ? std::array<Role, 2>{kM0, kM1}
                                                   : std::array<Role, 2>{kM1, kM0};
}

std::vector<Role> PrefixOf(const RaggedExample& e) {
  switch (e.ragged) {
    case kB0:
      return {};
    case kB1:
      return {kB0};
    case kK0:
      return {kB0, kB1};
    case kK1:
      return {kB0, kB1, kK0};
    default:
      if (FreeOrder(e)[0] == e.ragged) return {kB0, kB1};
      return {kB0, kB1, FreeOrder(e)[0]};
  }
}

RaggedExample RandomRagged(std::mt19937& random) {
  RaggedExample e;
  for (int64_t& size : e.size) size = 1 + random() % 4;
  e.ragged = static_cast<Role>(random() % 6);
  e.size[e.ragged] = random() % 8;
  e.lhs = {kB0, kB1, kM0, kM1, kK0, kK1};
  e.rhs = {kB0, kB1, kK0, kK1, kN};
  if (e.ragged == kM0 || e.ragged == kM1) e.rhs.push_back(kG);
  std::shuffle(e.lhs.begin(), e.lhs.end(), random);
  std::shuffle(e.rhs.begin(), e.rhs.end(), random);
  e.sizes_by_prefix = random() % 2 == 0;
  int64_t rows = 1;
  if (e.sizes_by_prefix) {
    for (Role role : PrefixOf(e)) rows *= e.size[role];
  }
  // Sometimes negative, sometimes more than there is.
  e.groups.resize(static_cast<size_t>(rows * e.size[kG]));
  for (int64_t& n : e.groups) n = static_cast<int64_t>(random() % 5) - 1;
  return e;
}

using Index = std::array<int64_t, kRoles>;

size_t OffsetOf(const RaggedExample& e, const std::vector<Role>& roles, const Index& at) {
  int64_t offset = 0;
  for (Role role : roles) offset = offset * e.size[role] + at[role];
  return static_cast<size_t>(offset);
}

/// In which group the ragged index is; the number of groups for none.
int64_t GroupOf(const RaggedExample& e, const Index& at) {
  size_t row = e.sizes_by_prefix ? OffsetOf(e, PrefixOf(e), at) : 0;
  int64_t end = 0;
  for (int64_t g = 0; g < e.size[kG]; ++g) {
    end += std::max<int64_t>(
        e.groups[row * static_cast<size_t>(e.size[kG]) + static_cast<size_t>(g)], 0);
    if (at[e.ragged] < end) return g;
  }
  return e.size[kG];
}

Dims SizesOf(const RaggedExample& e, const std::vector<Role>& roles) {
  Dims dims;
  for (Role role : roles) dims.push_back(e.size[role]);
  return dims;
}

template <typename F>
void ForEach(const RaggedExample& e, F&& visit) {
  Index at{};
  auto nested = [&](auto&& self, size_t role) -> void {
    if (role == kG) return visit(at);
    for (at[role] = 0; at[role] < e.size[role]; ++at[role]) self(self, role + 1);
  };
  nested(nested, 0);
}

void CompareRagged(const RaggedExample& e, std::mt19937& random, ElementType type) {
  auto number = [&] { return static_cast<int32_t>(random() % 7) - 3; };
  auto make = [&](const std::vector<Role>& roles) {
    Tensor t(ElementType::kS32, SizesOf(e, roles), nullptr);
    std::generate_n(t.mutable_data<int32_t>(), t.element_count(), number);
    return t;
  };
  auto as = [](const Tensor& t, ElementType to) {
    Tensor converted(to, t.dims(), nullptr);
    ConvertElements(t.element_type(), t.bytes(), to, converted.mutable_bytes(), t.element_count());
    return converted;
  };
  Tensor lhs = make(e.lhs), rhs = make(e.rhs);
  std::vector<Role> size_roles = e.sizes_by_prefix ? PrefixOf(e) : std::vector<Role>{};
  size_roles.push_back(kG);
  Tensor sizes = MakeTestTensor<int64_t>(SizesOf(e, size_roles), e.groups);

  RaggedDims dims;
  auto places = [](const std::vector<Role>& roles, Role a, Role b) {
    return Dims{static_cast<int64_t>(PlaceOf(roles, a)), static_cast<int64_t>(PlaceOf(roles, b))};
  };
  dims.dot = {places(e.lhs, kB0, kB1), places(e.lhs, kK0, kK1), places(e.rhs, kB0, kB1),
              places(e.rhs, kK0, kK1)};
  dims.ragged = static_cast<int64_t>(PlaceOf(e.lhs, e.ragged));
  bool free = e.ragged == kM0 || e.ragged == kM1, summed = e.ragged == kK0 || e.ragged == kK1;
  if (free) dims.group = static_cast<int64_t>(PlaceOf(e.rhs, kG));

  std::vector<Role> result_roles{kB0, kB1, FreeOrder(e)[0], FreeOrder(e)[1], kN};
  if (summed) result_roles.insert(result_roles.begin(), kG);
  Tensor expected(ElementType::kS32, SizesOf(e, result_roles), nullptr);
  std::fill_n(expected.mutable_data<int32_t>(), expected.element_count(), 0);
  ForEach(e, [&](Index at) {
    at[kG] = GroupOf(e, at);
    if (at[kG] == e.size[kG]) return;
    expected.mutable_data<int32_t>()[OffsetOf(e, result_roles, at)] +=
        lhs.data<int32_t>()[OffsetOf(e, e.lhs, at)] * rhs.data<int32_t>()[OffsetOf(e, e.rhs, at)];
  });

  Budget budget;
  Tensor result = RaggedContract(as(lhs, type), as(rhs, type), sizes, dims,
                                 Shape::Array(type, SizesOf(e, result_roles)), &budget);
  CHECK(result.element_type() == type);
  CHECK((ElementsOf<int32_t>(as(result, ElementType::kS32)) == ElementsOf<int32_t>(expected)));
}

TEST_CASE("ragged-dot is its definition: random shapes") {
  std::mt19937 random(21);
  const ElementType types[] = {ElementType::kF32, ElementType::kS32, ElementType::kF64,
                               ElementType::kS64, ElementType::kC64};
  for (int round = 0; round < 400; ++round) {
    CAPTURE(round);
    CompareRagged(RandomRagged(random), random, types[round % 5]);
  }
}

TEST_CASE("scaled-dot: scales by block, also of the other dimensions, and no scale") {
  std::mt19937 random(22);
  for (int round = 0; round < 50; ++round) {
    // lhs [4, 6] times rhs [6, 8], scales that divide those.
    const int64_t m = 4, k = 6, n = 8;
    const int64_t blocks[] = {1, 2};
    const Dims lhs_scale{blocks[random() % 2], 1 + static_cast<int64_t>(random() % 3)};
    const Dims rhs_scale{round % 2 ? 6 : 2, 4};
    auto make = [&](const Dims& dims) {
      Tensor t(ElementType::kF32, dims, nullptr);
      for (int64_t i = 0; i < t.element_count(); ++i) {
        t.mutable_data<float>()[i] = static_cast<float>(random() % 5);
      }
      return t;
    };
    const bool scalar = round % 5 == 0;
    Tensor a = make({m, k}), b = make({k, n}), s = make(scalar ? Dims{} : lhs_scale),
           t = make(rhs_scale);
    std::vector<float> expected;
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        float sum = 0;
        for (int64_t p = 0; p < k; ++p) {
          float x = a.data<float>()[i * k + p], y = b.data<float>()[p * n + j];
          if (!scalar) {
            x *= s.data<float>()[i / (m / lhs_scale[0]) * lhs_scale[1] + p / (k / lhs_scale[1])];
          }
          y *= t.data<float>()[p / (k / rhs_scale[0]) * rhs_scale[1] + j / (n / rhs_scale[1])];
          sum += x * y;
        }
        expected.push_back(sum);
      }
    }
    TestOp op{
        Opcode::kScaledDot,
        {Shape::Array(ElementType::kF32, {m, k}), Shape::Array(ElementType::kF32, {k, n}),
         Shape::Array(ElementType::kF32, s.dims()), Shape::Array(ElementType::kF32, rhs_scale)},
        {{"lhs_contracting_dims", Dims{1}}, {"rhs_contracting_dims", Dims{0}}},
        Shape::Array(ElementType::kF32, {m, n})};
    TestContext context;
    Value result = op.Eval({Value(a), Value(b), Value(s), Value(t)}, context);
    CHECK(ElementsOf<float>(result.tensor()) == expected);
  }
}

}  // namespace
}  // namespace hlo
