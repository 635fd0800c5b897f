// Tensors, buffers and packing; the typed views.
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/types/packing.h"
#include "engine/types/tensor.h"
#include "engine/types/tensor_view.h"

namespace hlo {
namespace {

std::vector<std::byte> Bytes(std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (int v : values) bytes.push_back(static_cast<std::byte>(v));
  return bytes;
}

TEST_CASE("packing: the low bits of elements, from the low bit on") {
  const auto elements = Bytes({1, -2, 7});
  std::vector<std::byte> packed(2);
  PackElements(elements, 4, packed.data());
  CHECK(packed == Bytes({0xE1, 0x07}));
  std::vector<std::byte> back(3);
  UnpackElements(packed.data(), 4, ElementType::kS4, back);
  CHECK(back == elements);
  UnpackElements(packed.data(), 4, ElementType::kU4, back);
  CHECK(back == Bytes({1, 14, 7}));
  PackElements(Bytes({1, 2}), 4, packed.data());
  CHECK(packed[0] == std::byte{0x21});
  PackElements(Bytes({0, 1, 2, 3, 1}), 2, packed.data());
  CHECK(packed == Bytes({0xE4, 0x01}));
  PackElements(Bytes({1, 0, 0, 0, 0, 0, 1, 1, 1}), 1, packed.data());
  CHECK(packed == Bytes({0xC1, 0x01}));
}

TEST_CASE("packing: every count and type goes there and back") {
  for (ElementType type :
       {ElementType::kPred, ElementType::kS1, ElementType::kS2, ElementType::kS4, ElementType::kU1,
        ElementType::kU2, ElementType::kU4, ElementType::kF4E2M1FN, ElementType::kU8}) {
    const int bits = BitsOf(type);
    for (int n = 0; n < 40; ++n) {
      std::vector<std::byte> elements;
      for (int i = 0; i < n; ++i) {
        int value = (i * 7 + 3) & ((1 << bits) - 1);
        if (IsSigned(type) && value >> (bits - 1) != 0) value -= 1 << bits;
        elements.push_back(static_cast<std::byte>(value));
      }
      std::vector<std::byte> packed(static_cast<size_t>(PackedBytes(n, bits)));
      std::vector<std::byte> back(elements.size());
      PackElements(elements, bits, packed.data());
      UnpackElements(packed.data(), bits, type, back);
      if (back != elements) FAIL_CHECK(Text(type) << " " << n);
    }
  }
  CHECK(PackedBytes(0, 4) == 0);
  CHECK(PackedBytes(3, 4) == 2);
  CHECK(PackedBytes(std::numeric_limits<int64_t>::max(), 1) == (int64_t{1} << 60));
}

TEST_CASE("sub-byte integers wrap and extend") {
  CHECK(S4(9).value() == -7);
  CHECK(S4(-9).value() == 7);
  CHECK(S1(1).value() == -1);
  CHECK(S2(int64_t{1} << 40).value() == 0);
  CHECK(U2(-1).value() == 3);
  CHECK(U4(uint64_t{0x1F}).value() == 15);
  CHECK(static_cast<float>(S4(-8)) == -8.0f);
  CHECK(S4(-8) < S4(7));
  CHECK(S4::kMin == -8);
  CHECK(U1::kMax == 1);
}

TEST_CASE("buffers are accounted for, aligned, and given back") {
  Budget budget({.memory_bytes = 1000});
  {
    Tensor tensor(ElementType::kF32, Dims{10, 5}, &budget);
    CHECK(budget.memory_used() == 200);
    CHECK(reinterpret_cast<uintptr_t>(tensor.bytes()) % 64 == 0);
    CHECK(tensor.unique());
    Tensor copy = tensor;
    CHECK_FALSE(tensor.unique());
    CHECK(budget.memory_used() == 200);
    CHECK_THROWS_AS(Tensor(ElementType::kF64, Dims{101}, &budget), RunError);
    CHECK(budget.memory_used() == 200);
  }
  CHECK(budget.memory_used() == 0);
  CHECK(budget.memory_peak() == 200);
}

TEST_CASE("arrays that no memory holds are refused by name") {
  const auto code_of = [](ElementType type, const Dims& dims) {
    try {
      Tensor tensor(type, dims, nullptr);
    } catch (const RunError& error) {
      CHECK(error.message().size() > 10);
      return error.code();
    }
    return DiagCode::kUsageError;
  };
  const int64_t big = int64_t{1} << 40;
  CHECK(code_of(ElementType::kF32, Dims{big, big}) == DiagCode::kMemoryExceeded);
  CHECK(code_of(ElementType::kF64, Dims{int64_t{1} << 60}) == DiagCode::kMemoryExceeded);
  CHECK(code_of(ElementType::kF32, Dims{-1}) == DiagCode::kMemoryExceeded);
  CHECK(code_of(ElementType::kS8, Dims{int64_t{1} << 61}) == DiagCode::kMemoryExceeded);
  CHECK(Tensor(ElementType::kF32, Dims{big, 0}, nullptr).element_count() == 0);
}

TEST_CASE("tensors: scalars, reinterpretation, run-time sizes") {
  const Tensor scalar = Tensor::Scalar<float>(1.5f);
  CHECK(scalar.element_type() == ElementType::kF32);
  CHECK(scalar.rank() == 0);
  CHECK(scalar.element_count() == 1);
  CHECK(*scalar.data<float>() == 1.5f);
  const Tensor bits = scalar.Reinterpreted(ElementType::kU32, Dims{1, 1});
  CHECK(*bits.data<uint32_t>() == 0x3FC00000u);
  CHECK(bits.rank() == 2);
  Tensor dynamic(ElementType::kS8, Dims{4, 3}, nullptr);
  CHECK(dynamic.live_dim(1) == 3);
  dynamic.set_dynamic_sizes(Dims{4, 2});
  CHECK(dynamic.live_dim(1) == 2);
  CHECK_FALSE(Tensor());
}

TEST_CASE("views have the tensor's dimensions and write through") {
  Tensor tensor(ElementType::kS32, Dims{2, 3}, nullptr);
  auto view = MutableViewOf<int32_t>(tensor);
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) view(i, j) = 10 * i + j;
  }
  CHECK(tensor.data<int32_t>()[5] == 12);
  const Tensor& constant = tensor;
  const auto read = ViewOf<int32_t>(constant);
  CHECK(read.dimension() == 2);
  CHECK(read.shape(1) == 3);
  CHECK(read(1, 1) == 11);
  Tensor bools(ElementType::kPred, Dims{2}, nullptr);
  MutableViewOf<bool>(bools)(1) = true;
  CHECK(bools.data<bool>()[1]);
  CHECK(ViewOf<F16>(Tensor(ElementType::kF16, Dims{}, nullptr)).dimension() == 0);
}

TEST_CASE("values: tuples share their elements") {
  Value tuple = Value::Tuple({Value(), Value(Tensor::Scalar<int32_t>(3))});
  CHECK(tuple.is_tuple());
  CHECK(tuple.elements()[0].is_token());
  CHECK(*tuple.elements()[1].tensor().data<int32_t>() == 3);
  CHECK(tuple.unique_elements());
  const Value copy = tuple;
  CHECK_FALSE(tuple.unique_elements());
  CHECK(copy.elements().size() == 2);
}

}  // namespace
}  // namespace hlo
