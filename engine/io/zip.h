// Zip archives, as NumPy's .npz files are. Source: PKWARE, APPNOTE.TXT 6.3.
#ifndef HLO_ENGINE_IO_ZIP_H_
#define HLO_ENGINE_IO_ZIP_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hlo {

/// A file of an archive.
struct ZipEntry {
  std::string name;
  std::vector<std::byte> bytes;
};

/// The files of an archive: stored or deflated, without folders. What it says of sizes is not
/// believed: nothing, with the reason in *problem, where it is no archive, a file is broken or
/// packed in another way, or all of them would have more than `most_bytes`.
std::optional<std::vector<ZipEntry>> ReadZip(std::span<const std::byte> archive,
                                             uint64_t most_bytes, std::string* problem);

/// An archive that grows file by file; stored, as numpy.savez does, and without a clock, so that
/// the same files are the same archive. Of less than 4 GiB and at most kMostFiles.
class ZipWriter {
 public:
  static constexpr size_t kMostFiles = 65535;

  /// A file; `name` has at most 65,535 bytes.
  void Add(std::string_view name, std::string_view bytes);
  /// The archive; the writer is empty afterwards.
  std::string Finish();
  size_t size() const { return out_.size(); }
  size_t count() const { return count_; }

 private:
  std::string out_, directory_;
  size_t count_ = 0;
};

}  // namespace hlo

#endif  // HLO_ENGINE_IO_ZIP_H_
