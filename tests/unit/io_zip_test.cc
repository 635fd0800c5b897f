// Zip archives: what is written is read, what zip programs deflate is inflated, broken ones are
// told.
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "doctest/doctest.h"
#include "engine/io/inflate.h"
#include "engine/io/zip.h"

namespace hlo {
namespace {

std::span<const std::byte> ZippedBytes(const std::string& text) {
  return std::as_bytes(std::span(text));
}
std::string ZippedText(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string TwoFiles() {
  ZipWriter zip;
  zip.Add("a.npy", "first");
  zip.Add("folder/b.npy", std::string(1000, 'x'));
  return zip.Finish();
}

TEST_CASE("an archive that is written is read") {
  std::string problem;
  const auto entries = ReadZip(ZippedBytes(TwoFiles()), 5000, &problem);
  REQUIRE(entries);
  REQUIRE(entries->size() == 2);
  CHECK((*entries)[0].name == "a.npy");
  CHECK(ZippedText((*entries)[0].bytes) == "first");
  CHECK((*entries)[1].bytes.size() == 1000);
  ZipWriter none;
  CHECK(ReadZip(ZippedBytes(none.Finish()), 0, &problem)->empty());
}

TEST_CASE("archives that are cut, changed or too large") {
  const std::string whole = TwoFiles();
  std::string problem;
  CHECK_FALSE(ReadZip(ZippedBytes(whole), 1000, &problem));
  CHECK(problem.find("more than 1000 bytes") != std::string::npos);
  CHECK_FALSE(ReadZip(ZippedBytes("no archive"), 1000, &problem));
  for (size_t size = 0; size < whole.size(); size += 7) {
    CHECK_FALSE(ReadZip(ZippedBytes(whole.substr(0, size)), 5000, &problem));
  }
  // Never more than a refusal, whatever a byte is.
  for (size_t at = 0; at < whole.size(); ++at) {
    if (at >= 100 && at < 1000) continue;
    for (const char c : {'\x00', '\x08', '\x7f', '\xff'}) {
      std::string changed = whole;
      changed[at] = c;
      (void)ReadZip(ZippedBytes(changed), 5000, &problem);
    }
  }
}

std::vector<std::byte> DeflateBytes(std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

TEST_CASE("deflate data: stored, with the fixed code, with a code of its own") {
  const auto stored = DeflateBytes({0x01, 0x02, 0x00, 0xfd, 0xff, 'h', 'i'});
  CHECK(ZippedText(*Inflate(stored, 2)) == "hi");
  // What zlib makes at level 9 of "aaaaaaaaaa" and of "abracadabra".
  CHECK(ZippedText(*Inflate(DeflateBytes({0x4b, 0x4c, 0x84, 0x01, 0x00}), 10)) == "aaaaaaaaaa");
  const auto word =
      DeflateBytes({0x4b, 0x4c, 0x2a, 0x4a, 0x4c, 0x4e, 0x4c, 0x49, 0x4c, 0x2a, 0x4a, 0x04, 0x00});
  CHECK(ZippedText(*Inflate(word, 11)) == "abracadabra");
  CHECK_FALSE(Inflate(word, 10));
  CHECK_FALSE(Inflate(word, 12));
  for (size_t size = 0; size < word.size() - 1; ++size) {
    CHECK_FALSE(Inflate(std::span(word).first(size), 11));
  }
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; second += 5) {
      (void)Inflate(DeflateBytes({first, second, 0xaa, 0x55, 0x12, 0xff, 0x00, 0x81}), 100);
    }
  }
}

TEST_CASE("an archive of more files than can be counted is refused") {
  const auto read = [](size_t files, std::string* problem) {
    ZipWriter zip;
    for (size_t i = 0; i < files; ++i) zip.Add("f", "");
    CHECK(zip.count() == files);
    const std::string archive = zip.Finish();
    const auto entries = ReadZip(std::as_bytes(std::span(archive)), 1 << 20, problem);
    return entries ? entries->size() : 0;
  };
  std::string problem;
  CHECK(read(ZipWriter::kMostFiles, &problem) == ZipWriter::kMostFiles);
  CHECK(problem.empty());
  CHECK(read(ZipWriter::kMostFiles + 5, &problem) == 0);
  CHECK(problem == "it has more than 65535 files");
}

}  // namespace
}  // namespace hlo
