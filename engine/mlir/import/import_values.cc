// How the importer makes instructions, parameters and computations.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/hlo/attribute_text.h"
#include "engine/hlo/lexer.h"
#include "engine/hlo/make_instruction.h"
#include "engine/hlo/sharding.h"
#include "engine/mlir/import/op_import.h"
#include "engine/mlir/ops/mesh_groups.h"
#include "engine/mlir/text/cursor.h"
#include "engine/ops/attribute_rows.h"
#include "engine/ops/op_def.h"

namespace hlo::mlir {

std::string HloName(std::string_view wanted) { return ToInstructionName(wanted, "v"); }

std::string_view Importer::UniqueName(NameUniquer& uniquer, std::string_view wanted) {
  const std::string_view name = editor_.Intern(HloName(wanted));
  std::string unique;
  return uniquer.Take(name, &unique) ? name : editor_.Intern(unique);
}

Computation* Importer::Finish(std::unique_ptr<Computation> computation, const Values& results,
                              bool as_tuple) {
  Instruction* root = results.size() == 1 && !as_tuple ? results[0] : nullptr;
  if (!root)
    root = Make(computation.get(), Opcode::kTuple, results, {}, nullptr, "results", nullptr);
  if (!root) return nullptr;
  editor_.SetRoot(computation.get(), root);
  return editor_.Attach(std::move(computation));
}

Instruction* Importer::AddParameter(Computation* computation, int64_t number, const Shape& shape,
                                    std::string_view name, Range range) {
  Instruction* parameter =
      Make(computation, Opcode::kParameter, {}, {{"number", number}}, &shape, name, nullptr);
  if (!parameter) return nullptr;
  editor_.places(parameter).whole = range;
  editor_.places(parameter).name = range;
  editor_.SetParameter(computation, number, parameter);
  return parameter;
}

Instruction* Importer::Make(Computation* computation, Opcode opcode, const Values& operands,
                            Attrs attrs, const Shape* written, std::string_view name,
                            const Op* source) {
  InstructionParts parts{.opcode = opcode,
                         .name = name,
                         .operands = operands,
                         .attrs = std::move(attrs.entries()),
                         .written = written,
                         .op_name = source ? source->name : std::string_view(),
                         .range = source ? source->name_range : Range{}};
  Instruction* made = MakeInstruction(editor_, computation, std::move(parts), diagnostics_);
  if (!made) return nullptr;
  editor_.SetName(made, UniqueName(names_, name));
  if (source) {
    Instruction::Places& places = editor_.places(made);
    places.whole = source->range;
    places.opcode = source->name_range;
    places.name = source->results.empty() ? source->name_range : source->results[0].range;
    for (size_t i = 0; i < operands.size(); ++i) {
      places.operands.push_back(i < source->operands.size() ? source->operands[i].range
                                                            : source->name_range);
    }
  }
  return made;
}

Instruction* Importer::MakeConstant(Computation* computation, Tensor value, std::string_view name,
                                    const Op* source) {
  const std::shared_ptr<const ShapedLiteral> literal = LiteralOf(std::move(value));
  return Make(computation, Opcode::kConstant, {}, {{"literal", literal}}, &literal->shape, name,
              source);
}

namespace {

// Reads a sharding, which refers to no other part of the text.
class ShardingReader final : public hlo::AttrReader {
 public:
  explicit ShardingReader(Lexer* lexer) : hlo::AttrReader(lexer, nullptr) {}
  const hlo::Region* ReadRegion() override { return nullptr; }
  bool ReadInstruction(std::vector<uint32_t>*) override { return false; }
};

// Whether a sharding along a mesh says something of every dimension.
bool FitsRank(const Sharding& sharding, int rank) {
  return sharding.dims.empty() || sharding.dims.size() == static_cast<size_t>(rank);
}

}  // namespace

void Importer::KeepSharding(Instruction* instruction, const Attr& attr) {
  const Attr* text = Resolve(&attr);
  if (!instruction || !text) return;
  std::string plain;
  if (text->kind == Attr::Kind::kString) {
    plain = Unescaped(text->text);
  } else if (text->kind == Attr::Kind::kOpaque) {
    plain = ShardingOfShardy(text->text, [this](std::string_view name) {
              const auto mesh = meshes_.find(name);
              return mesh == meshes_.end() ? std::string_view() : mesh->second;
            }).value_or("");
  }
  if (plain.empty()) return;
  Diagnostics faults;
  Lexer lexer(plain, &faults);
  ShardingReader reader(&lexer);
  std::shared_ptr<const Sharding> sharding = ReadShardingValue(reader);
  if (!sharding) return;
  const bool is_along_mesh = sharding->kind == Sharding::Kind::kNamed;
  const Shape& shape = instruction->shape();
  if (is_along_mesh && (!shape.IsArray() || !FitsRank(*sharding, shape.rank()))) return;
  const AttrDef* row = FindAttrDef(CommonAttrs(), "sharding");
  if (row && !instruction->attrs().Find(row->name)) {
    sharding = ForShape(std::move(sharding), instruction->shape());
    editor_.attrs(instruction).push_back({row, std::move(sharding), {}, {}});
  }
}

KeyValues Importer::FrontendAttrs(const Op& op) const {
  KeyValues keys;
  const Attr* dict = Resolve(op.Find("mhlo.frontend_attributes"));
  for (size_t i = 0; dict && i < dict->fields.size(); ++i) {
    const Attr::Field& field = dict->fields[i];
    keys.push_back({std::string(field.name), Unescaped(field.value.text), false});
  }
  return keys;
}

// Shardings and frontend attributes go to the last instruction that is not just a name for another
// value.
void Importer::KeepAttrs(const Op& op, Computation* computation, size_t first) {
  const Attr* sharding = Resolve(op.Find("mhlo.sharding"));
  if (!sharding) sharding = Resolve(op.Find("sdy.sharding"));
  KeyValues keys = FrontendAttrs(op);
  if (!sharding && keys.empty()) return;
  const std::deque<Instruction>& made = computation->instructions();
  size_t at = made.size();
  while (at > first && (made[at - 1].opcode() == Opcode::kGetTupleElement ||
                        made[at - 1].opcode() == Opcode::kTuple)) {
    --at;
  }
  if (at <= first) return;
  Instruction* const instruction = const_cast<Instruction*>(&made[at - 1]);
  if (sharding) KeepSharding(instruction, *sharding);
  AttrList& attrs = editor_.attrs(instruction);
  const AttrDef* row = FindAttrDef(CommonAttrs(), "frontend_attributes");
  if (keys.empty() || !row || attrs.Find(row->name)) return;
  attrs.push_back({row, std::move(keys), {}, {}});
}

}  // namespace hlo::mlir
