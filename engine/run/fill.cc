#include "engine/run/fill.h"

#include <algorithm>
#include <array>
#include <complex>
#include <cstring>
#include <utility>

#include "engine/run/random.h"
#include "engine/types/convert.h"

namespace hlo {
namespace {

constexpr std::pair<std::string_view, Fill::Kind> kKinds[] = {
    {"random", Fill::Kind::kRandom}, {"uniform", Fill::Kind::kUniform},
    {"normal", Fill::Kind::kNormal}, {"iota", Fill::Kind::kIota},
    {"zero", Fill::Kind::kZero},
};

// Elements are made in a wide type and converted block by block.
constexpr int64_t kBlock = 1024;

// Writes n elements by calling make(i) for consecutive i, converted from Wide to the tensor's type.
template <typename Wide, typename Make>
void Generate(Tensor& tensor, Budget* budget, Make make) {
  std::array<Wide, kBlock> block;
  const int64_t count = tensor.element_count();
  const int bytes = BytesOf(tensor.element_type());
  for (int64_t begin = 0; begin < count; begin += kBlock) {
    const int64_t n = std::min(kBlock, count - begin);
    for (int64_t i = 0; i < n; ++i) block[static_cast<size_t>(i)] = make(begin + i);
    ConvertElements(kTypeOf<Wide>, reinterpret_cast<const std::byte*>(block.data()),
                    tensor.element_type(), tensor.mutable_bytes() + begin * bytes, n);
    if (budget && begin % (64 * kBlock) == 0) budget->Poll();
  }
}

template <typename Draw>
void GenerateReal(Tensor& tensor, Budget* budget, Draw draw) {
  if (IsComplex(tensor.element_type())) {
    Generate<std::complex<double>>(tensor, budget, [&](int64_t) {
      const double real = draw();
      return std::complex<double>(real, draw());
    });
  } else {
    Generate<double>(tensor, budget, [&](int64_t) { return draw(); });
  }
}

void FillArray(Tensor& tensor, const Fill& fill, int64_t largest, Random& random, Budget* budget) {
  const ElementType type = tensor.element_type();
  switch (fill.kind) {
    case Fill::Kind::kRandom:
      if (IsFloat(type) || IsComplex(type)) {
        return GenerateReal(tensor, budget, [&] { return random.Uniform(); });
      }
      return Generate<int64_t>(tensor, budget, [&, n = RandomIntegerCount(type, largest)](int64_t) {
        return static_cast<int64_t>(random.Below(n));
      });
    case Fill::Kind::kUniform:
      return GenerateReal(tensor, budget,
                          [&] { return fill.low + (fill.high - fill.low) * random.Uniform(); });
    case Fill::Kind::kNormal:
      return GenerateReal(tensor, budget, [&] { return random.Normal(); });
    case Fill::Kind::kIota: {
      const bool pred = ClassOf(type) == TypeClass::kPred;
      return Generate<int64_t>(tensor, budget, [pred](int64_t i) { return pred ? i % 2 : i; });
    }
    case Fill::Kind::kZero:
      return Generate<int64_t>(tensor, budget, [](int64_t) { return int64_t{0}; });
  }
}

// Calls make(array shape) for every array of a shape, in order. Shapes nest at most as deep as the
// parser lets them.
template <typename Make>
Value MakeTree(const Shape& shape, Make& make) {
  if (shape.IsTuple()) {
    Value::Elements elements;
    elements.reserve(shape.elements().size());
    for (const Shape& element : shape.elements()) elements.push_back(MakeTree(element, make));
    return Value::Tuple(std::move(elements));
  }
  if (shape.IsArray() || shape.IsBuffer()) return Value(make(shape));
  return Value();
}

}  // namespace

uint64_t RandomIntegerCount(ElementType type, int64_t largest) {
  if (ClassOf(type) == TypeClass::kPred) return 2;
  const int value_bits = BitsOf(type) - (IsSigned(type) ? 1 : 0);
  const uint64_t most = uint64_t{1} << std::min(value_bits, 62);
  constexpr uint64_t kSmall = 10;
  return std::min(most, largest < 0 ? kSmall : static_cast<uint64_t>(largest) + 1);
}

std::optional<Fill::Kind> FillKindFromText(std::string_view text) {
  for (const auto& [name, kind] : kKinds) {
    if (name == text) return kind;
  }
  return std::nullopt;
}

Value MakeFilled(const Shape& shape, const Fill& fill, uint64_t seed, Budget* budget,
                 std::span<const int64_t> largest) {
  Random random(seed);
  size_t next = 0;
  auto make = [&](const Shape& array) {
    Tensor tensor(array, budget);
    const size_t at = next++;
    FillArray(tensor, fill, at < largest.size() ? largest[at] : -1, random, budget);
    return tensor;
  };
  return MakeTree(shape, make);
}

Value MakeConstant(const Shape& shape, const Tensor& element, Budget* budget) {
  auto make = [&](const Shape& array) {
    Tensor tensor(array, budget);
    const int bytes = BytesOf(array.element_type());
    std::array<std::byte, 16> converted;
    ConvertElements(element.element_type(), element.bytes(), array.element_type(), converted.data(),
                    1);
    for (int64_t i = 0; i < tensor.element_count(); ++i) {
      std::memcpy(tensor.mutable_bytes() + i * bytes, converted.data(), static_cast<size_t>(bytes));
    }
    return tensor;
  };
  return MakeTree(shape, make);
}

}  // namespace hlo
