// The table of opcodes: identity from ops.def, definitions from the families' files, look-up by
// text, and the attributes that are common to all ops or belong to the module.
#include <cstddef>
#include <iterator>
#include <utility>

#include "engine/base/budget.h"
#include "engine/base/name_table.h"
#include "engine/ops/op_def.h"
#include "engine/ops/other_names.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

constexpr OpcodeInfo kInfos[] = {
#define OP(name, text, min_operands, max_operands, cost, dependence) \
  {text, min_operands, max_operands},
#define kAny OpcodeInfo::kAny
#include "engine/ops/ops.def"
#undef kAny
};
static_assert(std::size(kInfos) == kOpcodeCount);

// References, so that a missing definition is a link error.
constexpr const OpDef* kDefs[] = {
#define OP(name, text, min_operands, max_operands, cost, dependence) &ops::k##name,
#include "engine/ops/ops.def"
};

constexpr NameTable<OpcodeInfo, 512> kByText(kInfos);

constexpr OtherName kOtherNames[] = {
#define NAME(name, opcode) {name, Opcode::k##opcode},
#include "engine/ops/other_names.def"
};

constexpr std::string_view kSyntax[] = {
#define ATTR_KIND(name, type, syntax) syntax,
#include "engine/ops/attr_kind.def"
};

// In the order in which they are printed (XLA, hlo_instruction.cc, PrintExtraAttributes).
constexpr AttrDef kCommon[] = {
    {"parameter_replication", AttrKind::kBools, AttrUse::kOptional,
     "For each leaf buffer of a parameter, whether all replicas are given the same value."},
    {"sharding", AttrKind::kSharding, AttrUse::kOptional,
     "How the value is divided among devices. Kept and printed; it does not change the value."},
    {"frontend_attributes", AttrKind::kKeyValues, AttrUse::kOptional,
     "Keys and values that a front end attached."},
    {"control-predecessors", AttrKind::kInstructions, AttrUse::kOptional,
     "Instructions of the same computation that must run before this one."},
    {"statistics", AttrKind::kStatistics, AttrUse::kOptional,
     "Numbers for display; visualizing_index says which one is shown."},
    {"origin", AttrKind::kOrigin, AttrUse::kOptional,
     "Where the value comes from in the program before optimisation."},
    {"metadata", AttrKind::kMetadata, AttrUse::kOptional,
     "Name and place in the source program, for people and profilers."},
    {"backend_config", AttrKind::kBackendConfig, AttrUse::kOptional,
     "Text that only the backend understands."},
};

constexpr AttrDef kModule[] = {
    {"is_scheduled", AttrKind::kBool, AttrUse::kOptional,
     "The order of instructions in the text is the order they run in."},
    {"input_output_alias", AttrKind::kAliases, AttrUse::kOptional,
     "Results that may (or must) reuse the buffer of a parameter."},
    {"buffer_donor", AttrKind::kDonors, AttrUse::kOptional,
     "Parameters whose buffers the program may reuse for any result."},
    {"alias_passthrough_params", AttrKind::kBool, AttrUse::kOptional,
     "Parameters that are returned unchanged share their buffers with the result."},
    {"entry_computation_layout", AttrKind::kProgramShape, AttrUse::kOptional,
     "Shapes and layouts of the entry's parameters and result."},
    {.name = "allow_spmd_sharding_propagation_to_parameters",
     .kind = AttrKind::kBools,
     .use = AttrUse::kOptional,
     .doc = "Whether sharding propagation may choose the shardings of parameters.",
     .default_text = "{false}"},
    {.name = "allow_spmd_sharding_propagation_to_output",
     .kind = AttrKind::kBools,
     .use = AttrUse::kOptional,
     .doc = "Whether sharding propagation may choose the sharding of the result.",
     .default_text = "{false}"},
    {.name = "replica_count",
     .kind = AttrKind::kInt,
     .use = AttrUse::kOptional,
     .doc = "How many replicas run the program on data of their own.",
     .default_text = "1"},
    {.name = "num_partitions",
     .kind = AttrKind::kInt,
     .use = AttrUse::kOptional,
     .doc = "How many devices share the work of one replica.",
     .default_text = "1"},
    {"frontend_attributes", AttrKind::kKeyValues, AttrUse::kOptional,
     "Keys and values that a front end attached."},
    {"origin_recovery_table", AttrKind::kRecoveryTable, AttrUse::kOptional,
     "How values before optimisation are computed from those after it."},
    {"debug_attributes", AttrKind::kDebugAttributes, AttrUse::kOptional,
     "Settings of debugging tools."},
};

}  // namespace

const OpcodeInfo& GetOpcodeInfo(Opcode opcode) { return kInfos[static_cast<size_t>(opcode)]; }

std::optional<Opcode> OpcodeFromText(std::string_view text) {
  const std::optional<size_t> found = kByText.Find(text);
  return found ? std::optional(static_cast<Opcode>(*found)) : std::nullopt;
}

std::span<const OtherName> OtherNames() { return kOtherNames; }

std::optional<Opcode> OpcodeOfOtherName(std::string_view name) {
  for (const OtherName& other : kOtherNames) {
    if (other.name == name) return other.opcode;
  }
  return std::nullopt;
}

const OpDef& GetOpDef(Opcode opcode) { return *kDefs[static_cast<size_t>(opcode)]; }

bool HasEffect(const OpCall& call) {
  return call.def().has_effect || call.attrs().Bool("custom_call_has_side_effect") ||
         call.attrs().Bool("constrain_layout");
}

std::optional<Shape> InferShape(const OpCall& call, Diagnostics& out) {
  try {
    return call.def().infer(call, out);
  } catch (const RunError& error) {
    if (error.code() != DiagCode::kTooLarge) throw;
    ReportOp(call, error.code(), error.message(), out);
    return std::nullopt;
  }
}

std::span<const AttrDef> CommonAttrs() { return kCommon; }
std::span<const AttrDef> ModuleAttrs() { return kModule; }

std::string_view AttrSyntax(AttrKind kind) { return kSyntax[static_cast<size_t>(kind)]; }

}  // namespace hlo
