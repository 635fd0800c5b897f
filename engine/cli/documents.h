// The files that a command line names, as documents.
#ifndef HLO_ENGINE_CLI_DOCUMENTS_H_
#define HLO_ENGINE_CLI_DOCUMENTS_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/cli/command.h"
#include "engine/cli/dump_files.h"
#include "engine/cli/options.h"
#include "engine/views/document.h"

namespace hlo {

/// What messages call a file.
std::string DisplayName(const std::string& path);

/// The program in a file; nothing when it cannot be read, which is reported.
std::optional<ProgramFile> ReadProgramFile(const std::string& path, CommandResult& result);

/// Whether a text is one program, as most commands take it; it is reported where it is not
/// (programs.h).
bool IsOneProgram(const std::string& text, const std::string& path, CommandResult& result);

/// A file as a document, with the inputs of the options. Null when it cannot be read, or has
/// several programs, which is reported.
std::shared_ptr<const Document> ReadDocument(const std::string& path, const Options& options,
                                             CommandResult& result);

/// The same; its diagnostics are reported.
std::shared_ptr<const Document> Load(const std::string& path, const Options& options,
                                     CommandResult& result);

/// A program that has been read from a file, with specifications of its inputs; its diagnostics are
/// reported. Null where some are errors.
std::shared_ptr<const Document> LoadAs(const std::string& path, std::string text,
                                       std::vector<std::string> inputs, const Options& options,
                                       CommandResult& result);

/// The same as Load for each program of a file (programs.h).
std::vector<std::shared_ptr<const Document>> LoadPrograms(const std::string& path,
                                                          const Options& options,
                                                          CommandResult& result);

/// Reports that a file holds no program.
void FailWithoutProgram(const Options& options, CommandResult& result);

}  // namespace hlo

#endif  // HLO_ENGINE_CLI_DOCUMENTS_H_
