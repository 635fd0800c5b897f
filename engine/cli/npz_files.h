// Several arrays in a file (.npz): as the inputs of a run, and its results as one.
#ifndef HLO_ENGINE_CLI_NPZ_FILES_H_
#define HLO_ENGINE_CLI_NPZ_FILES_H_

#include <string>
#include <string_view>

#include "engine/views/run_view.h"

namespace hlo {

/// The arrays of an .npz file as inputs of the program: each is the parameter of its name (what is
/// not a letter, digit, `.`, `-` or `_` being `_`), `arr_N` is parameter N, and the others follow
/// in their order. Parameters that the request has a file for are left out. False with a problem
/// where the file cannot be read, or an array is no parameter.
bool AddArchive(const std::string& path, std::string_view program, RunRequest& request,
                std::string* problem);

/// Writes the results of a run: "output", of a tuple "output_0", "output_1_0", of several devices
/// "device1_output". False with a problem where the file cannot be written, or would have 4 GiB.
bool SaveResults(const RunRecord& record, const std::string& path, std::string* problem);

}  // namespace hlo

#endif  // HLO_ENGINE_CLI_NPZ_FILES_H_
