// HloModuleProto to HLO text.
// Source: XLA, hlo/ir/hlo_module.cc (CreateFromProto), hlo/ir/hlo_computation.cc,
// hlo/ir/hlo_instruction.cc, hlo/ir/hlo_schedule.cc.
#include <fmt/format.h>

#include <iterator>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/base/byte_count.h"
#include "engine/hlo/attribute_text.h"
#include "engine/ops/attribute_rows.h"
#include "engine/ops/op_def.h"
#include "engine/proto/attribute_proto.h"
#include "engine/proto/module_proto.h"
#include "engine/proto/shape_proto.h"

namespace hlo {
namespace {

enum ModuleField : uint32_t {
  kFieldModuleName = 1,
  kFieldEntryName = 2,
  kFieldComputations = 3,
  kFieldProgramShape = 4,
  kFieldEntryId = 6,
  kFieldSchedule = 7,
  kFieldAliases = 8,
  kFieldAssignment = 15,
  kFieldFrames = 17,
  kFieldDonors = 18,
  kFieldModuleAttributes = 19,
};
enum ComputationField : uint32_t {
  kFieldName = 1,
  kFieldInstructions = 2,
  kFieldId = 5,
  kFieldRootId = 6,
  kFieldThread = 8
};
enum InstructionField : uint32_t {
  kFieldOpcode = 2,
  kFieldShape = 3,
  kFieldLiteral = 8,
  kFieldInstructionId = 35,
  kFieldOperandIds = 36,
  kFieldPredecessorIds = 37,
  kFieldCalledIds = 38,
  kFieldConstrainLayout = 56,
};

// What an id stands for. Some versions of XLA write the id of the computation into the upper half
// of some ids: then the lower half alone is looked up.
template <typename T>
class ById {
 public:
  void Add(int64_t id, T value) {
    whole_.emplace(id, value);
    lower_.emplace(Lower(id), value);
  }
  const T* Find(int64_t id) const {
    auto found = whole_.find(id);
    if (found == whole_.end()) {
      found = lower_.find(Lower(id));
      if (found == lower_.end()) return nullptr;
    }
    return &found->second;
  }

 private:
  static int64_t Lower(int64_t id) { return id & 0xffffffff; }
  std::unordered_map<int64_t, T> whole_, lower_;
};

// A name that can follow a `%`: characters that cannot are replaced.
std::string CleanName(std::string_view wanted) {
  std::string name(wanted);
  for (char& c : name) {
    if (!IsNameChar(c)) c = '_';
  }
  return name.empty() || !IsNameStart(name[0]) ? "v" + name : name;
}

std::string NameOf(const WireMessage& message) { return CleanName(message.Bytes(kFieldName)); }

class ModuleWriter {
 public:
  ModuleWriter(const WireMessage& module, Diagnostics& diagnostics, int64_t most_constant_bytes,
               Budget* budget)
      : module_(module),
        diagnostics_(diagnostics),
        constant_bytes_(most_constant_bytes),
        budget_(budget),
        computations_(module.Messages(kFieldComputations)) {}

  std::string Write() {
    for (const WireMessage& computation : computations_) {
      computation_names_.Add(computation.Int(kFieldId), NameOf(computation));
    }
    for (const WireMessage& entry : module_.Message(kFieldSchedule).Messages(1)) {
      schedule_.Add(entry.Int(1), entry.Message(2));
    }
    WriteHeader();
    const size_t entry = EntryIndex();
    for (size_t i = 0; i < computations_.size(); ++i)
      WriteComputation(computations_[i], i == entry);
    if (elided_ > 0) {
      diagnostics_.Report(DiagCode::kTooLarge, Severity::kWarning, {},
                          fmt::format("left out, and written {{...}}: {}; choose what a run puts "
                                      "there",
                                      Counted(elided_, "large constant")));
    }
    return std::move(out_);
  }

 private:
  /// A computation's instructions while it is written.
  struct Names {
    ById<std::string> names;
    ById<const WireMessage*> instructions;
  };

  void Report(std::string message) {
    diagnostics_.Report(DiagCode::kAttributeValue, Severity::kWarning, {}, std::move(message));
  }

  size_t EntryIndex() const {
    const int64_t id = module_.Int(kFieldEntryId, -1);
    const std::string_view name = module_.Bytes(kFieldEntryName);
    size_t by_name = computations_.empty() ? 0 : computations_.size() - 1;
    for (size_t i = 0; i < computations_.size(); ++i) {
      if (id >= 0 && computations_[i].Int(kFieldId) == id) return i;
      if (computations_[i].Bytes(kFieldName) == name) by_name = i;
    }
    return by_name;
  }

  void AppendHeader(std::string_view name, const AttrValue& value) {
    const AttrDef* def = FindAttrDef(ModuleAttrs(), name);
    if (!def) return;
    const std::string text = AttrValueText(value, *def, AttrPrinter{options_});
    if (!text.empty()) out_.append(", ").append(name).append("=").append(text);
  }

  void WriteHeader() {
    out_.append("HloModule ");
    AppendName(CleanName(module_.Bytes(kFieldModuleName)), false, &out_);
    AppendHeader("is_scheduled", module_.Has(kFieldSchedule));
    std::vector<Alias> aliases, donors;
    constexpr int64_t kMustAlias = 2;
    for (const WireMessage& one : module_.Message(kFieldAliases).Messages(1)) {
      aliases.push_back({one.Ints(1), one.Int(2), one.Ints(3), one.Int(4) == kMustAlias});
    }
    for (const WireMessage& one : module_.Message(kFieldDonors).Messages(1)) {
      donors.push_back({{}, one.Int(1), one.Ints(2), false});
    }
    AppendHeader("input_output_alias", std::move(aliases));
    AppendHeader("buffer_donor", std::move(donors));
    if (module_.Has(kFieldProgramShape)) WriteProgramShape(module_.Message(kFieldProgramShape));
    const WireMessage devices = module_.Message(kFieldAssignment);
    AppendHeader("replica_count", std::max<int64_t>(devices.Int(1), 1));
    AppendHeader("num_partitions", std::max<int64_t>(devices.Int(2), 1));
    AppendHeader("frontend_attributes",
                 KeyValuesFromProto(module_.Message(kFieldModuleAttributes)));
    WriteFrames(module_.Message(kFieldFrames));
    out_.append("\n\n");
  }

  void WriteProgramShape(const WireMessage& program) {
    out_.append(", entry_computation_layout={(");
    bool first = true;
    for (const WireMessage& parameter : program.Messages(1)) {
      if (!first) out_.append(", ");
      first = false;
      AppendShapeProto(parameter, &out_);
    }
    out_.append(")->");
    AppendShapeProto(program.Message(2), &out_);
    out_.push_back('}');
  }

  void WriteFrames(const WireMessage& proto) {
    StackFrameIndex index;
    for (std::string_view name : proto.Strings(1)) index.files.emplace_back(name);
    for (std::string_view name : proto.Strings(2)) index.functions.emplace_back(name);
    auto int32 = [](int64_t number) { return static_cast<int32_t>(number); };
    for (const WireMessage& one : proto.Messages(3)) {
      index.locations.push_back({int32(one.Int(1)), int32(one.Int(2)), int32(one.Int(3)),
                                 int32(one.Int(5)), int32(one.Int(4)), int32(one.Int(6))});
    }
    for (const WireMessage& one : proto.Messages(4)) {
      index.frames.push_back({int32(one.Int(1)), int32(one.Int(2))});
    }
    AppendStackFrames(index, &out_);
  }

  // In the order of the schedule where there is one.
  std::vector<const WireMessage*> Ordered(const WireMessage& computation,
                                          const std::vector<WireMessage>& instructions,
                                          const Names& names) const {
    std::vector<const WireMessage*> ordered;
    const WireMessage* sequence = schedule_.Find(computation.Int(kFieldId));
    const Dims ids = sequence ? sequence->Ints(1) : Dims{};
    if (ids.size() == instructions.size()) {
      for (int64_t id : ids) {
        const WireMessage* const* found = names.instructions.Find(id);
        if (found) ordered.push_back(*found);
      }
      if (ordered.size() == instructions.size()) return ordered;
      ordered.clear();
    }
    for (const WireMessage& instruction : instructions) ordered.push_back(&instruction);
    return ordered;
  }

  void WriteComputation(const WireMessage& computation, bool is_entry) {
    const std::vector<WireMessage> instructions = computation.Messages(kFieldInstructions);
    Names names;
    for (const WireMessage& instruction : instructions) {
      names.names.Add(instruction.Int(kFieldInstructionId), NameOf(instruction));
      names.instructions.Add(instruction.Int(kFieldInstructionId), &instruction);
    }
    const WireMessage* const* root = names.instructions.Find(computation.Int(kFieldRootId));
    out_.append(is_entry ? "ENTRY %" : "%").append(NameOf(computation)).append(" {\n");
    for (const WireMessage* instruction : Ordered(computation, instructions, names)) {
      out_.append(root && *root == instruction ? "  ROOT " : "  ");
      WriteInstruction(*instruction, names);
      out_.push_back('\n');
    }
    out_.push_back('}');
    const std::string_view thread = computation.Bytes(kFieldThread);
    if (!thread.empty() && thread != "main") {
      out_.append(", execution_thread=\"");
      AppendEscaped(thread, &out_);
      out_.push_back('"');
    }
    out_.append("\n\n");
  }

  void WriteInstruction(const WireMessage& instruction, const Names& names) {
    out_.append("%").append(NameOf(instruction)).append(" = ");
    AppendShapeProto(instruction.Message(kFieldShape), &out_);
    const std::string opcode_text = CleanName(instruction.Bytes(kFieldOpcode));
    out_.append(" ").append(opcode_text).append("(");
    const std::optional<Opcode> opcode = OpcodeFromText(opcode_text);
    bool first = true;
    for (int64_t id : instruction.Ints(kFieldOperandIds)) {
      if (!first) out_.append(", ");
      first = false;
      AppendInstruction(id, names);
    }
    if (!opcode) {
      out_.push_back(')');
      return;
    }
    for (const AttrDef& def : GetOpDef(*opcode).attrs) {
      if (def.use == AttrUse::kPositional) WriteAttribute(instruction, *opcode, def, names);
    }
    out_.push_back(')');
    for (const AttrDef& def : GetOpDef(*opcode).attrs) {
      if (def.use != AttrUse::kPositional) WriteAttribute(instruction, *opcode, def, names);
    }
    for (const AttrDef& def : CommonAttrs()) WriteAttribute(instruction, *opcode, def, names);
  }

  void AppendInstruction(int64_t id, const Names& names) {
    const std::string* name = names.names.Find(id);
    // The parser reports a name that no instruction has.
    out_.append("%").append(name ? *name : fmt::format("instruction_{}_is_missing", id));
  }
  void AppendComputation(int64_t id) {
    const std::string* name = computation_names_.Find(id);
    out_.append("%").append(name ? *name : fmt::format("computation_{}_is_missing", id));
  }

  void Begin(const AttrDef& def) {
    if (def.use != AttrUse::kPositional) out_.append(", ").append(def.name).append("=");
  }

  // The first operand of an instruction; null where it has none.
  const WireMessage* FirstOperand(const WireMessage& instruction, const Names& names) const {
    const Dims ids = instruction.Ints(kFieldOperandIds);
    const WireMessage* const* found = ids.empty() ? nullptr : names.instructions.Find(ids[0]);
    return found ? *found : nullptr;
  }
  int64_t RankOfFirst(const WireMessage& instruction, const Names& names) const {
    const WireMessage* operand = FirstOperand(instruction, names);
    if (!operand) return 0;
    WireMessage shape = operand->Message(kFieldShape);
    const auto elements = shape.Messages(4);
    return static_cast<int64_t>((elements.empty() ? shape : elements[0]).Ints(3).size());
  }
  bool IsPred(const WireMessage& instruction, const Names& names) const {
    const WireMessage* operand = FirstOperand(instruction, names);
    return operand && operand->Message(kFieldShape).Int(2) == 1;
  }

  void WriteAttribute(const WireMessage& instruction, Opcode opcode, const AttrDef& def,
                      const Names& names) {
    const AttrField* field = FindAttrField(opcode, def.name);
    if (!field) return;
    switch (def.kind) {
      case AttrKind::kRegion:
      case AttrKind::kRegions:
        return WriteRegions(instruction, opcode, def, *field, names);
      case AttrKind::kInstructions:
        return WritePredecessors(instruction, def, names);
      case AttrKind::kLiteral:
        return WriteLiteral(instruction, def);
      case AttrKind::kShape:
        Begin(def);
        return AppendShapeProto(instruction.Message(field->path[0]), &out_);
      case AttrKind::kShapes:
        return WriteShapes(instruction, def, field->path[0]);
      case AttrKind::kOrigin:
        return WriteOrigin(instruction, def, field->path[0]);
      default:
        break;
    }
    bool faulty = false;
    const auto value =
        AttrFromProto(instruction, def, *field, RankOfFirst(instruction, names), &faulty);
    if (faulty) {
      Report(fmt::format("{}: the file has no valid {}", NameOf(instruction), def.name));
    }
    if (!value) return;
    std::string text;
    GetAttrText(def.kind).print(*value, def, AttrPrinter{options_, &no_computation_}, &text);
    // Nothing is printed of what only has default values.
    if (text.empty() && def.use == AttrUse::kOptional) return;
    Begin(def);
    out_.append(text);
  }

  void WriteRegions(const WireMessage& instruction, Opcode opcode, const AttrDef& def,
                    const AttrField& field, const Names& names) {
    const Dims ids = instruction.Ints(kFieldCalledIds);
    // XLA's text has one of two forms for these.
    if (opcode == Opcode::kCustomCall && def.kind == AttrKind::kRegion) return;
    if (opcode == Opcode::kConditional) {
      const bool two = IsPred(instruction, names) && ids.size() == 2;
      if (two == (def.kind == AttrKind::kRegions)) return;
    }
    if (ids.size() <= static_cast<size_t>(field.region)) return;
    Begin(def);
    if (def.kind == AttrKind::kRegion)
      return AppendComputation(ids[static_cast<size_t>(field.region)]);
    out_.push_back('{');
    for (size_t i = 0; i < ids.size(); ++i) {
      if (i > 0) out_.append(", ");
      AppendComputation(ids[i]);
    }
    out_.push_back('}');
  }

  void WritePredecessors(const WireMessage& instruction, const AttrDef& def, const Names& names) {
    const Dims ids = instruction.Ints(kFieldPredecessorIds);
    if (ids.empty()) return;
    Begin(def);
    for (size_t i = 0; i < ids.size(); ++i) {
      out_.append(i > 0 ? ", " : "{");
      AppendInstruction(ids[i], names);
    }
    out_.push_back('}');
  }

  void WriteShapes(const WireMessage& instruction, const AttrDef& def, uint32_t number) {
    if (!instruction.Bool(kFieldConstrainLayout)) return;
    Begin(def);
    out_.push_back('{');
    bool first = true;
    for (const WireMessage& shape : instruction.Messages(number)) {
      if (!first) out_.append(", ");
      first = false;
      AppendShapeProto(shape, &out_);
    }
    out_.push_back('}');
  }

  void WriteLiteral(const WireMessage& instruction, const AttrDef& def) {
    const bool is_constant = def.use == AttrUse::kPositional;
    if (!instruction.Has(kFieldLiteral)) {
      if (is_constant) out_.append("{...}");
      return;
    }
    const WireMessage proto = instruction.Message(kFieldLiteral);
    const auto bytes = static_cast<int64_t>(proto.bytes().size());
    constexpr int64_t kSmall = 4096;
    if (is_constant && bytes > kSmall && bytes > constant_bytes_) {
      ++elided_;
      out_.append("{...}");
      return;
    }
    constant_bytes_ -= bytes;
    auto literal = LiteralFromProto(proto, diagnostics_, budget_);
    if (!literal) {
      if (is_constant) out_.append("{...}");
      return;
    }
    Begin(def);
    GetAttrText(def.kind).print(
        AttrValue(std::make_shared<const ShapedLiteral>(std::move(*literal))), def,
        AttrPrinter{options_}, &out_);
  }

  void WriteOrigin(const WireMessage& instruction, const AttrDef& def, uint32_t number) {
    if (!instruction.Has(number)) return;
    Diagnostics ignored;
    const auto shape = ShapeFromProto(instruction.Message(kFieldShape), ignored);
    if (!shape) return;
    const std::string text = OriginFromProto(instruction.Message(number), *shape);
    if (text.empty()) return;
    Begin(def);
    out_.append(text);
  }

  const WireMessage& module_;
  Diagnostics& diagnostics_;
  int64_t constant_bytes_;  // that may still be written
  Budget* budget_;
  std::vector<WireMessage> computations_;
  ById<std::string> computation_names_;
  ById<WireMessage> schedule_;
  const PrintOptions options_{};
  const Computation no_computation_;  // what is printed belongs to a computation, not to the header
  int64_t elided_ = 0;
  std::string out_;
};

}  // namespace

std::string ModuleTextOfProto(const WireMessage& module, Diagnostics& diagnostics,
                              int64_t most_constant_bytes, Budget* budget) {
  return ModuleWriter(module, diagnostics, most_constant_bytes, budget).Write();
}

}  // namespace hlo
