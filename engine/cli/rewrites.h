// The subcommands that make another program of a program.
#ifndef HLO_ENGINE_CLI_REWRITES_H_
#define HLO_ENGINE_CLI_REWRITES_H_

#include <string>
#include <vector>

#include "engine/cli/command.h"
#include "engine/rewrite/shrink.h"
#include "engine/views/document.h"

namespace hlo {

/// `hlo shrink`: writes the program with smaller arrays, or the same if it is small enough, and to
/// `err` what has become of the sizes. Fails when the target is not reached.
void ShrinkTo(const Module& module, const ShrinkTarget& target, CommandResult& result);

/// `hlo isolate`: writes the program of the named instructions, all of one computation; with
/// `slice`, and of all that they depend on. A name is `instruction` or `computation/instruction`;
/// one alone is looked for in the entry computation first.
void IsolateFrom(const Document& document, const std::vector<std::string>& names, bool slice,
                 CommandResult& result);

}  // namespace hlo

#endif  // HLO_ENGINE_CLI_REWRITES_H_
