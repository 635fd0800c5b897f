// A module to HloModuleProto.
// Source: XLA, hlo/ir/hlo_module.cc (ToProto), hlo/ir/hlo_computation.cc,
// hlo/ir/hlo_instruction.cc.
#include "engine/proto/module_proto.h"

#include <map>
#include <utility>

#include "engine/hlo/attribute_text.h"
#include "engine/hlo/sharding.h"
#include "engine/ops/op_def.h"
#include "engine/proto/attribute_proto.h"
#include "engine/proto/shape_proto.h"
#include "engine/proto/sharding_proto.h"
#include "engine/types/literal.h"

namespace hlo {
namespace {

// Reads what names neither computations nor instructions.
class ShardingReader : public AttrReader {
 public:
  explicit ShardingReader(Lexer* lexer) : AttrReader(lexer, nullptr) {}
  const Region* ReadRegion() override { return nullptr; }
  bool ReadInstruction(std::vector<uint32_t>*) override { return false; }
};

std::string ShardingTextToProto(const std::string& text) {
  Diagnostics ignored;
  Lexer lexer(text, &ignored);
  ShardingReader reader(&lexer);
  const auto sharding = ReadShardingValue(reader);
  return sharding ? ShardingToProto(*sharding) : "";
}

class ProtoWriter {
 public:
  explicit ProtoWriter(const Module& module) : module_(module) {
    for (const Computation& computation : module.computations()) {
      first_ids_.push_back(next_);
      next_ += static_cast<int64_t>(computation.instructions().size());
    }
  }

  std::string Write() {
    WireWriter out;
    out.String(1, module_.name());
    for (const Computation& computation : module_.computations()) {
      out.Message(3, WriteComputation(computation));
    }
    if (const Computation* entry = module_.entry()) {
      out.String(2, entry->name());
      out.Int(6, IdOf(*entry));
      out.Message(
          4, ProgramShapeOf(module_.attrs().GetProgramShape("entry_computation_layout"), *entry));
    }
    if (module_.is_scheduled()) out.Message(7, WriteSchedule());
    WriteHeader(&out);
    return out.Take();
  }

 private:
  int64_t IdOf(const Computation& computation) const { return computation.index() + 1; }
  int64_t IdOf(const Instruction& instruction) const {
    return first_ids_[static_cast<size_t>(instruction.parent()->index())] + instruction.index();
  }

  static std::string ProgramShapeOf(const ProgramShape* written, const Computation& computation) {
    WireWriter out;
    if (written) {
      for (const Shape& shape : written->parameters) out.Message(1, ShapeToProto(shape));
      out.Message(2, ShapeToProto(written->result));
    } else {
      for (int i = 0; i < computation.parameter_count(); ++i) {
        out.Message(1, ShapeToProto(computation.parameter_shape(i)));
      }
      out.Message(2, ShapeToProto(computation.result_shape()));
    }
    for (const Instruction* parameter : computation.parameters()) {
      if (parameter) out.String(3, parameter->name());
    }
    return out.Take();
  }

  std::string WriteSchedule() const {
    WireWriter out;
    for (const Computation& computation : module_.computations()) {
      Dims ids;
      for (const Instruction& one : computation.instructions()) ids.push_back(IdOf(one));
      WireWriter sequence, entry;
      sequence.Ints(1, ids);
      entry.Int(1, IdOf(computation));
      entry.Message(2, sequence.bytes());
      out.Message(1, entry.bytes());
    }
    return out.Take();
  }

  void WriteHeader(WireWriter* out) const {
    const AttrList& attrs = module_.attrs();
    WireWriter aliases, donors;
    for (const Alias& alias : attrs.Aliases("input_output_alias")) {
      WireWriter one;
      one.Ints(1, alias.output_index);
      one.Int(2, alias.operand);
      one.Ints(3, alias.operand_index);
      one.Int(4, alias.must_alias ? 2 : 1);
      aliases.Message(1, one.bytes());
    }
    for (const Alias& alias : attrs.Aliases("buffer_donor")) {
      WireWriter one;
      one.Int(1, alias.operand);
      one.Ints(2, alias.operand_index);
      donors.Message(1, one.bytes());
    }
    out->String(8, aliases.bytes());
    out->String(18, donors.bytes());
    if (module_.replica_count() > 1 || module_.num_partitions() > 1) {
      WireWriter devices;
      devices.Int(1, module_.replica_count());
      devices.Int(2, module_.num_partitions());
      out->Message(15, devices.bytes());
    }
    WriteFrames(out);
    const KeyValues& pairs = attrs.Keys("frontend_attributes");
    if (!pairs.empty()) out->Message(19, KeyValuesToProto(pairs));
  }

  void WriteFrames(WireWriter* out) const {
    const StackFrameIndex& index = module_.stack_frames();
    if (index.frames.empty()) return;
    WireWriter frames;
    for (const std::string& name : index.files) frames.Message(1, name);
    for (const std::string& name : index.functions) frames.Message(2, name);
    for (const StackFrameIndex::Location& location : index.locations) {
      WireWriter one;
      one.Int(1, location.file);
      one.Int(2, location.function);
      one.Int(3, location.line);
      one.Int(4, location.column);
      one.Int(5, location.end_line);
      one.Int(6, location.end_column);
      frames.Message(3, one.bytes());
    }
    for (const StackFrameIndex::Frame& frame : index.frames) {
      WireWriter one;
      one.Int(1, frame.location);
      one.Int(2, frame.parent);
      frames.Message(4, one.bytes());
    }
    out->Message(17, frames.bytes());
  }

  std::string WriteComputation(const Computation& computation) {
    WireWriter out;
    out.String(1, computation.name());
    for (const Instruction& instruction : computation.instructions()) {
      out.Message(2, WriteInstruction(instruction));
    }
    out.Message(4, ProgramShapeOf(nullptr, computation));
    out.Int(5, IdOf(computation));
    if (computation.root()) out.Int(6, IdOf(*computation.root()));
    if (computation.execution_thread() != "main") out.String(8, computation.execution_thread());
    return out.Take();
  }

  std::string WriteInstruction(const Instruction& instruction) {
    WireWriter out;
    out.String(1, instruction.name());
    out.String(2, Text(instruction.opcode()));
    out.Message(3, ShapeToProto(instruction.shape()));
    out.Int(35, IdOf(instruction));
    Dims operands;
    for (const Instruction* operand : instruction.operands()) operands.push_back(IdOf(*operand));
    out.Ints(36, operands);
    std::map<int, int64_t> called;
    std::map<uint32_t, std::string> nested;  // messages that several attributes share
    for (const Attr& attr : instruction.attrs()) {
      const AttrField* field = FindAttrField(instruction.opcode(), attr.def->name);
      if (!field || std::holds_alternative<std::monostate>(attr.value)) continue;
      if (WriteNamed(instruction, attr, *field, &called, &out)) continue;
      if (field->path[1] == 0) {
        AttrToProto(attr.value, *attr.def, *field, field->path[0], &out);
        continue;
      }
      WireWriter inner;
      const bool deep = field->path[2] != 0;
      AttrToProto(attr.value, *attr.def, *field, field->path[deep ? 2 : 1], &inner);
      if (deep) {
        WireWriter outer;
        outer.Message(field->path[1], inner.bytes());
        nested[field->path[0]] += outer.bytes();
      } else {
        nested[field->path[0]] += inner.bytes();
      }
    }
    // What has a value unless another is said must be said: true, the shape of the operand.
    for (const AttrDef& def : instruction.def().attrs) {
      const AttrField* field = FindAttrField(instruction.opcode(), def.name);
      const bool is_true = def.kind == AttrKind::kBool && def.default_text == "true";
      if (!field || instruction.attrs().Has(def.name)) continue;
      if (is_true) out.Put(field->path[0], 1);
      if (def.name == "outfeed_shape") {
        out.Message(field->path[0], ShapeToProto(instruction.operand(0)->shape()));
      }
    }
    for (const auto& [number, bytes] : nested) out.Message(number, bytes);
    Dims ids;
    for (const auto& [place, id] : called) ids.push_back(id);
    out.Ints(38, ids);
    return out.Take();
  }

  // Attributes that name what is in the module, and those whose text is kept.
  bool WriteNamed(const Instruction& instruction, const Attr& attr, const AttrField& field,
                  std::map<int, int64_t>* called, WireWriter* out) {
    switch (attr.def->kind) {
      case AttrKind::kRegion:
      case AttrKind::kRegions: {
        int place = field.region;
        ForEachRegion(attr.value, [&](const Region* region) {
          if (region) (*called)[place++] = IdOf(*AsComputation(region));
        });
        return true;
      }
      case AttrKind::kInstructions: {
        Dims ids;
        for (uint32_t index : std::get<std::vector<uint32_t>>(attr.value)) {
          ids.push_back(IdOf(instruction.parent()->instructions()[index]));
        }
        out->Ints(37, ids);
        return true;
      }
      case AttrKind::kLiteral: {
        const auto& literal = *std::get<std::shared_ptr<const ShapedLiteral>>(attr.value);
        if (!literal.literal.elided) {
          const Value whole = WholeValue(literal.literal.value, literal.shape, nullptr);
          out->Message(8, LiteralToProto(whole, literal.shape));
        }
        return true;
      }
      case AttrKind::kShapes:
        out->Int(56, 1);
        for (const Shape& shape : std::get<std::vector<Shape>>(attr.value)) {
          out->Message(57, ShapeToProto(shape));
        }
        return true;
      case AttrKind::kDomain: {
        const auto& parts = std::get<KeyValues>(attr.value);
        if (const std::string* entry = FindValue(parts, "entry")) {
          out->Message(54, ShardingTextToProto(*entry));
        }
        if (const std::string* exit = FindValue(parts, "exit")) {
          out->Message(55, ShardingTextToProto(*exit));
        }
        return true;
      }
      case AttrKind::kOrigin:
        out->Message(88, OriginToProto(std::get<std::string>(attr.value)));
        return true;
      default:
        return false;
    }
  }

  const Module& module_;
  std::vector<int64_t> first_ids_;
  int64_t next_ = 1;
};

}  // namespace

std::string ModuleToProto(const Module& module) { return ProtoWriter(module).Write(); }

}  // namespace hlo
