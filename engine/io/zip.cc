#include "engine/io/zip.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/io/checksum.h"
#include "engine/io/inflate.h"

namespace hlo {
namespace {

constexpr uint32_t kLocalMark = 0x04034b50, kEntryMark = 0x02014b50, kEndMark = 0x06054b50;
constexpr size_t kLocalHead = 30, kEntryHead = 46, kEndHead = 22, kMostComment = 0xffff;
constexpr uint16_t kStored = 0, kDeflated = 8;
// Deflate cannot compress by more than about 1030 : 1.
constexpr uint32_t kMostShrunk = 1100;
// 1 January 1980, in the form of DOS.
constexpr uint32_t kNoDate = 0x00210000;

// Little-endian numbers at places of a file.
class ZipBytes {
 public:
  explicit ZipBytes(std::span<const std::byte> bytes) : bytes_(bytes) {}
  size_t size() const { return bytes_.size(); }
  bool Has(size_t at, size_t count) const {
    return at <= bytes_.size() && bytes_.size() - at >= count;
  }
  uint32_t Number(size_t at, size_t count) const {
    uint32_t value = 0;
    for (size_t i = count; i-- > 0;) value = value << 8 | std::to_integer<uint32_t>(bytes_[at + i]);
    return value;
  }
  std::span<const std::byte> Part(size_t at, size_t count) const {
    return bytes_.subspan(at, count);
  }

 private:
  std::span<const std::byte> bytes_;
};

std::optional<size_t> FindEnd(const ZipBytes& in) {
  if (in.size() < kEndHead) return std::nullopt;
  const size_t last = in.size() - kEndHead;
  for (size_t back = 0; back <= std::min(last, kMostComment); ++back) {
    if (in.Number(last - back, 4) == kEndMark) return last - back;
  }
  return std::nullopt;
}

void AppendNumber(uint32_t value, size_t count, std::string* out) {
  for (size_t i = 0; i < count; ++i) out->push_back(static_cast<char>(value >> (8 * i) & 0xff));
}

// What the head of a file and its entry have in common: from the version to the name's length.
void AppendFacts(std::string_view name, std::string_view bytes, uint32_t sum, std::string* out) {
  AppendNumber(20, 2, out);  // version 2.0
  AppendNumber(0, 4, out);   // no flags, stored
  AppendNumber(kNoDate, 4, out);
  AppendNumber(sum, 4, out);
  AppendNumber(static_cast<uint32_t>(bytes.size()), 4, out);
  AppendNumber(static_cast<uint32_t>(bytes.size()), 4, out);
  AppendNumber(static_cast<uint32_t>(name.size()), 2, out);
}

}  // namespace

std::optional<std::vector<ZipEntry>> ReadZip(std::span<const std::byte> archive,
                                             uint64_t most_bytes, std::string* problem) {
  auto fail = [&](std::string why) {
    *problem = std::move(why);
    return std::nullopt;
  };
  const ZipBytes in(archive);
  const auto end = FindEnd(in);
  if (!end) return fail("it is not a zip archive");
  std::vector<ZipEntry> entries;
  uint64_t total = 0;
  size_t at = in.Number(*end + 16, 4);
  for (uint32_t left = in.Number(*end + 10, 2); left > 0; --left) {
    if (!in.Has(at, kEntryHead) || in.Number(at, 4) != kEntryMark) {
      return fail("its directory is broken");
    }
    const uint32_t method = in.Number(at + 10, 2), packed = in.Number(at + 20, 4),
                   size = in.Number(at + 24, 4), local = in.Number(at + 42, 4);
    const size_t name_size = in.Number(at + 28, 2);
    const size_t entry = at + kEntryHead, sum_at = at + 16;
    at = entry + name_size + in.Number(at + 30, 2) + in.Number(at + 32, 2);
    if (!in.Has(entry, name_size)) return fail("its directory is broken");
    const auto letters = in.Part(entry, name_size);
    std::string name(reinterpret_cast<const char*>(letters.data()), letters.size());
    if (name.ends_with('/')) continue;
    if ((total += size) > most_bytes)
      return fail(fmt::format("it has more than {} bytes", most_bytes));
    if (!in.Has(local, kLocalHead) || in.Number(local, 4) != kLocalMark) {
      return fail(fmt::format("{} is broken", name));
    }
    const size_t begin = local + kLocalHead + in.Number(local + 26, 2) + in.Number(local + 28, 2);
    if (!in.Has(begin, packed)) return fail(fmt::format("{} is broken", name));
    const auto data = in.Part(begin, packed);
    ZipEntry& made = entries.emplace_back(ZipEntry{std::move(name), {}});
    if (method == kStored && packed == size) {
      made.bytes.assign(data.begin(), data.end());
    } else if (method == kDeflated && size / kMostShrunk <= packed) {
      auto bytes = Inflate(data, size);
      if (!bytes) return fail(fmt::format("{} is broken", made.name));
      made.bytes = std::move(*bytes);
    } else {
      return fail(fmt::format("{} is compressed by a method other than deflate", made.name));
    }
    if (Crc32(made.bytes) != in.Number(sum_at, 4)) {
      return fail(fmt::format("{} is damaged: its checksum does not match", made.name));
    }
  }
  // Their number is kept in 16 bits.
  if (in.Has(at, kEntryHead) && in.Number(at, 4) == kEntryMark) {
    return fail(fmt::format("it has more than {} files", ZipWriter::kMostFiles));
  }
  return entries;
}

void ZipWriter::Add(std::string_view name, std::string_view bytes) {
  const uint32_t sum = Crc32(std::as_bytes(std::span(bytes.data(), bytes.size())));
  const auto place = static_cast<uint32_t>(out_.size());
  AppendNumber(kEntryMark, 4, &directory_);
  AppendNumber(20, 2, &directory_);  // written by version 2.0
  AppendFacts(name, bytes, sum, &directory_);
  directory_.append(12, '\0');  // no extra field, no comment, disk 0, no attributes
  AppendNumber(place, 4, &directory_);
  directory_.append(name);
  AppendNumber(kLocalMark, 4, &out_);
  AppendFacts(name, bytes, sum, &out_);
  AppendNumber(0, 2, &out_);
  out_.append(name);
  out_.append(bytes);
  ++count_;
}

std::string ZipWriter::Finish() {
  const auto place = static_cast<uint32_t>(out_.size());
  const auto size = static_cast<uint32_t>(directory_.size());
  out_ += directory_;
  AppendNumber(kEndMark, 4, &out_);
  AppendNumber(0, 4, &out_);
  for (int i = 0; i < 2; ++i) AppendNumber(static_cast<uint32_t>(count_), 2, &out_);
  AppendNumber(size, 4, &out_);
  AppendNumber(place, 4, &out_);
  AppendNumber(0, 2, &out_);
  directory_.clear();
  count_ = 0;
  return std::exchange(out_, {});
}

}  // namespace hlo
