// The folder that `hlo run --probe-output-dir` writes probes' values to, as StableHLO's interpreter
// does: an .npy file for each value, and index.csv with a line `id,type,file` for each, in order of
// execution. Values of an earlier run are read from it where a check asks for them.
#ifndef HLO_ENGINE_CLI_PROBE_FILES_H_
#define HLO_ENGINE_CLI_PROBE_FILES_H_

#include <string>
#include <vector>

#include "engine/run/probes.h"

namespace hlo {

/// One such folder, which must be there. Values are appended to what it holds.
class ProbeFiles {
 public:
  explicit ProbeFiles(std::string directory);

  /// What the folder held when this was made, and what was written since.
  Probes::Reader Reader() const;
  /// Writes what a run noted; false with a problem when a file cannot be written.
  bool Write(const Probes& probes, std::string* problem);

 private:
  struct Line {
    std::string id, file;
  };
  std::string directory_;
  std::vector<Line> lines_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_CLI_PROBE_FILES_H_
