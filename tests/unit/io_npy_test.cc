// `.npy` files: every type both ways, orders, versions, and any bytes.
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "doctest/doctest.h"
#include "engine/io/npy.h"

namespace hlo {
namespace {

std::span<const std::byte> AsBytes(const std::string& text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

// A file with this header dictionary and these elements.
std::string FileOf(std::string header, std::string_view data, int version = 1) {
  header += '\n';
  std::string file("\x93NUMPY");
  file += static_cast<char>(version);
  file += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) {
    file += static_cast<char>(header.size() >> (8 * i) & 0xFF);
  }
  return file + header + std::string(data);
}

std::string Dict(std::string_view descr, std::string_view fortran, std::string_view shape) {
  return "{'descr': '" + std::string(descr) + "', 'fortran_order': " + std::string(fortran) +
         ", 'shape': " + std::string(shape) + ", }";
}

Tensor NpyTensor(const std::string& file, std::optional<ElementType> wanted = {}) {
  Diagnostics diagnostics;
  auto tensor = ParseNpy(AsBytes(file), wanted, diagnostics);
  INFO((diagnostics.empty() ? "" : diagnostics.list()[0].message));
  REQUIRE(tensor.has_value());
  return *tensor;
}

std::string NpyFault(const std::string& file) {
  Diagnostics diagnostics;
  CHECK_FALSE(ParseNpy(AsBytes(file), {}, diagnostics).has_value());
  return diagnostics.empty() ? "" : diagnostics.list()[0].message;
}

TEST_CASE("npy: every element type is written and read back") {
  for (size_t i = 0; i < ElementTypes().size(); ++i) {
    const ElementType type = static_cast<ElementType>(i);
    for (const Dims& dims : {Dims{}, Dims{3}, Dims{2, 3}, Dims{0, 4}}) {
      Tensor tensor(type, dims, nullptr);
      for (int64_t b = 0; b < tensor.byte_size(); ++b) tensor.mutable_bytes()[b] = std::byte(b & 1);
      if (type == ElementType::kS1) {
        std::memset(tensor.mutable_bytes(), 0, static_cast<size_t>(tensor.byte_size()));
      }
      const std::string header = NpyHeader(tensor);
      CHECK(header.size() % 64 == 0);
      std::string file = header;
      file.append(reinterpret_cast<const char*>(tensor.bytes()),
                  static_cast<size_t>(tensor.byte_size()));
      const Tensor back = NpyTensor(file, type);
      INFO(Text(type) << header);
      CHECK(back.element_type() == type);
      CHECK(back.dims() == dims);
      CHECK(std::memcmp(back.bytes(), tensor.bytes(), static_cast<size_t>(back.byte_size())) == 0);
    }
  }
}

TEST_CASE("npy: the header is NumPy's") {
  const Tensor tensor(ElementType::kF32, Dims{3}, nullptr);
  const std::string header = NpyHeader(tensor);
  CHECK(header.substr(0, 8) == std::string_view("\x93NUMPY\x01\x00", 8));
  CHECK(header.find("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }") == 10);
  CHECK(header.back() == '\n');
  CHECK(NpyHeader(Tensor(ElementType::kPred, Dims{2, 3}, nullptr)).find("'|b1'") !=
        std::string::npos);
  CHECK(NpyHeader(Tensor(ElementType::kBF16, Dims{}, nullptr))
            .find("'<V2', 'fortran_order': False, 'shape': ()") != std::string::npos);
}

TEST_CASE("npy: byte orders, element orders, versions") {
  const std::string_view big("\x00\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06", 12);
  for (int version : {1, 2, 3}) {
    const Tensor c = NpyTensor(FileOf(Dict(">i2", "False", "(2, 3)"), big, version));
    CHECK(c.data<int16_t>()[1] == 2);
    const Tensor f = NpyTensor(FileOf(Dict(">i2", "True", "(2, 3)"), big, version));
    CHECK(f.dims() == Dims{2, 3});
    CHECK(std::vector<int16_t>(f.data<int16_t>(), f.data<int16_t>() + 6) ==
          std::vector<int16_t>{1, 3, 5, 2, 4, 6});
  }
  const Tensor scalar = NpyTensor(FileOf(Dict("<i2", "False", "()"), big));
  CHECK(*scalar.data<int16_t>() == 256);
  const std::string_view complex("\x3F\x80\x00\x00\x40\x00\x00\x00", 8);
  const Tensor c64 = NpyTensor(FileOf(Dict(">c8", "False", "(1,)"), complex));
  CHECK(*c64.data<std::complex<float>>() == std::complex<float>(1, 2));
}

TEST_CASE("npy: names of dtypes, raw dtypes, and values that need normalising") {
  const std::string_view data("\x00\x02\x0F\xFF", 4);
  CHECK(NpyTensor(FileOf(Dict("bool", "False", "(4,)"), data)).data<uint8_t>()[1] == 1);
  CHECK(NpyTensor(FileOf(Dict("int4", "False", "(4,)"), data)).data<S4>()[2] == S4(-1));
  CHECK(NpyTensor(FileOf(Dict("|V1", "False", "(4,)"), data), ElementType::kU4).data<U4>()[3] ==
        U4(15));
  CHECK(NpyTensor(FileOf(Dict("<V1", "False", "(4,)"), data), ElementType::kF8E4M3FN)
            .element_type() == ElementType::kF8E4M3FN);
  CHECK(NpyTensor(FileOf(Dict("bfloat16", "False", "(2,)"), data)).element_type() ==
        ElementType::kBF16);
  CHECK(NpyTensor(FileOf(Dict("<f2", "False", "(2,)"), data), ElementType::kBF16).element_type() ==
        ElementType::kF16);
  CHECK(NpyTensor(FileOf(Dict("|i1", "False", "(2L, 2L)"), data)).rank() == 2);
  CHECK(NpyTensor(FileOf("{\"shape\":(4,),\"descr\":\"|u1\",\"fortran_order\":False}", data))
            .rank() == 1);
}

TEST_CASE("npy: faults are named") {
  const std::string good = FileOf(Dict("<f4", "False", "(1,)"), "abcd");
  CHECK(NpyFault("").find("does not start with") != std::string::npos);
  CHECK(NpyFault("\x93NUMPY").find("ends within its header") != std::string::npos);
  CHECK(NpyFault(good.substr(0, 40)).find("only 30 follow") != std::string::npos);
  CHECK(
      NpyFault(good.substr(0, good.size() - 1)).find("needs 4 bytes of data, but the file has 3") !=
      std::string::npos);
  std::string version = good;
  version[6] = 9;
  CHECK(NpyFault(version).find("version 9.0") != std::string::npos);
  const auto fault = [](std::string_view descr, std::string_view order, std::string_view shape) {
    return NpyFault(FileOf(Dict(descr, order, shape), "abcdefgh"));
  };
  CHECK(fault("|O", "False", "()").find("'|O' is not supported") != std::string::npos);
  CHECK(fault("<f16", "False", "()").find("is not supported") != std::string::npos);
  CHECK(fault("<V2", "False", "()").find("does not say which type of 2 bytes") !=
        std::string::npos);
  CHECK(fault("<f4", "Maybe", "()").find("True or False") != std::string::npos);
  CHECK(fault("<f4", "False", "(-1,)").find("dimension size") != std::string::npos);
  CHECK(fault("<f4", "False", "(1 2)").find("expects ')'") != std::string::npos);
  CHECK(fault("<f4", "False", "(99999999999999999999,)").find("dimension size") !=
        std::string::npos);
  CHECK(fault("<f4", "False", "(1099511627776, 1099511627776)").find("needs 9223372036854775807") !=
        std::string::npos);
  CHECK(NpyFault(FileOf("{'descr': [('a', '<f4')], }", "")).find("structured") !=
        std::string::npos);
  CHECK(NpyFault(FileOf("{'descr': '<f4', }", "")).find("lacks 'fortran_order'") !=
        std::string::npos);
  CHECK(NpyFault(FileOf("{'weight': 3, }", "")).find("unknown key 'weight'") != std::string::npos);
}

TEST_CASE("npy: the budget is asked first") {
  Budget budget({.memory_bytes = 100});
  Diagnostics diagnostics;
  const std::string file = FileOf(Dict("|u1", "False", "(101,)"), std::string(101, 'x'));
  CHECK_FALSE(ParseNpy(AsBytes(file), {}, diagnostics, &budget).has_value());
  CHECK(diagnostics.list()[0].code == DiagCode::kMemoryExceeded);
  CHECK(budget.memory_used() == 0);
}

TEST_CASE("npy: damaged files are refused or read, never over-read") {
  const std::string good = FileOf(Dict("<f4", "True", "(2, 2)"), "0123456789abcdef", 2);
  uint64_t random = 7;
  for (int i = 0; i < 20000; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    std::string file =
        good.substr(0, (random >> 33) % 3 == 0 ? (random >> 40) % good.size() : good.size());
    for (int j = 0; j < 2 && !file.empty(); ++j) {
      file[(random >> (8 * j + 16)) % file.size()] = static_cast<char>(random >> (8 * j));
    }
    // A heap copy of the exact size, so that a sanitizer sees reads past its end.
    const std::vector<std::byte> bytes(AsBytes(file).begin(), AsBytes(file).end());
    Diagnostics diagnostics;
    const bool read = ParseNpy(bytes, ElementType::kBF16, diagnostics).has_value();
    if (read == diagnostics.has_errors()) FAIL_CHECK(i);
  }
}

}  // namespace
}  // namespace hlo
