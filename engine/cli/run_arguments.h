// The arguments of `hlo run` that give values: what they add to the request.
#ifndef HLO_ENGINE_CLI_RUN_ARGUMENTS_H_
#define HLO_ENGINE_CLI_RUN_ARGUMENTS_H_

#include <string>
#include <string_view>

#include "engine/views/run_view.h"

namespace hlo {

/// `[R.P:]N=SPEC`: parameter N, on every device or on those of replica R and partition P (`*`: of
/// any). SPEC is by the grammar of run/inputs.h, or `@FILE`, an .npy file. False with a problem
/// when it is not understood, in words that name the option.
bool AddInput(const std::string& argument, RunRequest& request, std::string* problem,
              std::string_view option = "--input");

/// Values of the host: `[R.P:]SPEC` for infeed, with a channel `[R.P:]CHANNEL=SPEC` for recv.
bool AddHostInput(const std::string& argument, bool has_channel, RunRequest& request,
                  std::string* problem);

}  // namespace hlo

#endif  // HLO_ENGINE_CLI_RUN_ARGUMENTS_H_
