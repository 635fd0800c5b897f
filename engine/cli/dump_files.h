// Programs in files that are no text: protocol buffers of XLA.
#ifndef HLO_ENGINE_CLI_DUMP_FILES_H_
#define HLO_ENGINE_CLI_DUMP_FILES_H_

#include <optional>
#include <string>

#include "engine/base/diagnostics.h"
#include "engine/proto/dump_file.h"
#include "engine/views/run_view.h"

namespace hlo {

/// A program of a file: its text, and what came with it where the file is a protocol buffer.
struct ProgramFile {
  std::string text;
  std::optional<DumpFile> dump;
};

/// The program in these bytes. A text is taken as it is; what is wrong with other files is
/// reported, and nothing returned where there is no program.
std::optional<ProgramFile> ProgramFileOf(std::string bytes, Diagnostics& diagnostics);

/// The arguments of a snapshot as inputs of a run, of the parameters that the request has none for.
void AddArguments(const DumpFile& dump, RunRequest& request);

/// Whether the result of a run is a snapshot's, in a sentence; empty where there is none of either.
std::string ComparedWithSnapshot(const DumpFile& dump, const RunRecord& record);

}  // namespace hlo

#endif  // HLO_ENGINE_CLI_DUMP_FILES_H_
