// How the importer makes instructions, parameters and computations.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/hlo/attribute_text.h"
#include "engine/hlo/lexer.h"
#include "engine/hlo/sharding.h"
#include "engine/mlir/cursor.h"
#include "engine/mlir/op_import.h"
#include "engine/ops/attribute_rows.h"
#include "engine/ops/op_def.h"

namespace hlo::mlir {

// Characters that a name in HLO text cannot have become `_`; a name begins with a letter.
std::string HloName(std::string_view wanted) {
  std::string name(wanted.empty() ? "v" : wanted);
  for (char& c : name) {
    if (!IsNameStart(c) && !IsDigit(c) && c != '.' && c != '-') c = '_';
  }
  if (!IsNameStart(name[0]) || name[0] == '_') name = "v" + name;
  return name == "tuple" || IsReservedWord(name) ? name + "_" : name;
}

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
  const Range range = source ? source->name_range : Range{};
  const OpDef& def = GetOpDef(opcode);
  AttrList list;
  for (Attrs::Entry& attr : attrs.entries()) {
    const AttrDef* row = FindAttrDef(def.attrs, attr.name);
    if (!row) row = FindAttrDef(CommonAttrs(), attr.name);
    if (!row) continue;
    if (const auto* word = std::get_if<std::string>(&attr.value);
        word && row->kind == AttrKind::kWord) {
      const auto found = std::find(row->words.begin(), row->words.end(), *word);
      if (found == row->words.end()) {
        Report(DiagCode::kAttributeValue, range, fmt::format("{} cannot be {}", attr.name, *word));
        return nullptr;
      }
      attr.value = static_cast<int64_t>(found - row->words.begin());
    }
    if (const auto* region = std::get_if<const hlo::Region*>(&attr.value); region && !*region) {
      return nullptr;
    }
    list.push_back({row, std::move(attr.value), {}, {}});
  }
  OpCall::Parts parts{.opcode = opcode,
                      .name = name,
                      .operands = {},
                      .attrs = &list,
                      .written = written,
                      .range = range,
                      .shape_range = {},
                      .operand_ranges = {},
                      .replica_count = editor_.module()->replica_count(),
                      .num_partitions = editor_.module()->num_partitions()};
  for (Instruction* operand : operands) {
    if (!operand) return nullptr;
    parts.operands.push_back(&operand->shape());
  }
  const OpcodeInfo& info = GetOpcodeInfo(opcode);
  const int count = static_cast<int>(operands.size());
  if (count < info.min_operands || count > info.max_operands) {
    Report(DiagCode::kOperandCount, range,
           fmt::format("'{}' op expected {}{} operands, but found {}",
                       source ? source->name : Text(opcode), info.min_operands,
                       info.min_operands == info.max_operands ? "" : " or more", count));
    return nullptr;
  }
  Diagnostics faults;
  std::optional<Shape> shape = InferShape(OpCall(std::move(parts)), faults);
  for (const Diagnostic& fault : faults.list()) {
    diagnostics_.Report(fault.code, fault.severity, range, fault.message);
  }
  if (!shape || faults.has_errors()) {
    if (!faults.has_errors()) Report(DiagCode::kShapeMissing, range, "no result type follows");
    return nullptr;
  }
  Instruction* made = editor_.AddInstruction(computation, UniqueName(names_, name), opcode);
  for (Instruction* operand : operands) editor_.operands(made).push_back(operand);
  editor_.attrs(made) = std::move(list);
  editor_.SetShape(made, std::move(*shape));
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
  auto literal = std::make_shared<ShapedLiteral>();
  literal->shape = Shape::Array(value.element_type(), value.dims());
  literal->literal.value = std::move(value);
  const Shape shape = literal->shape;
  return Make(computation, Opcode::kConstant, {},
              {{"literal", std::shared_ptr<const ShapedLiteral>(std::move(literal))}}, &shape, name,
              source);
}

namespace {

// A sharding names nothing else of the text.
class ShardingReader final : public hlo::AttrReader {
 public:
  explicit ShardingReader(Lexer* lexer) : hlo::AttrReader(lexer, nullptr) {}
  const hlo::Region* ReadRegion() override { return nullptr; }
  bool ReadInstruction(std::vector<uint32_t>*) override { return false; }
};

}  // namespace

void Importer::KeepSharding(Instruction* instruction, const Attr& attr) {
  const Attr* text = Resolve(&attr);
  if (!instruction || !text || text->kind != Attr::Kind::kString) return;
  Diagnostics faults;
  const std::string plain = Unescaped(text->text);
  Lexer lexer(plain, &faults);
  ShardingReader reader(&lexer);
  std::shared_ptr<const Sharding> sharding = ReadShardingValue(reader);
  if (!sharding) return;
  const AttrDef* row = FindAttrDef(CommonAttrs(), "sharding");
  if (row && !instruction->attrs().Find(row->name)) {
    sharding = ForShape(std::move(sharding), instruction->shape());
    editor_.attrs(instruction).push_back({row, std::move(sharding), {}, {}});
  }
}

// Shardings and attributes of frontends go to the last instruction that is more than a name.
void Importer::KeepAttrs(const Op& op, Computation* computation, size_t first) {
  const Attr* sharding = Resolve(op.Find("mhlo.sharding"));
  const Attr* frontend = Resolve(op.Find("mhlo.frontend_attributes"));
  if (!sharding && !frontend) return;
  const std::deque<Instruction>& made = computation->instructions();
  size_t at = made.size();
  while (at > first && (made[at - 1].opcode() == Opcode::kGetTupleElement ||
                        made[at - 1].opcode() == Opcode::kTuple)) {
    --at;
  }
  if (at <= first) return;
  Instruction* const instruction = const_cast<Instruction*>(&made[at - 1]);
  if (sharding) KeepSharding(instruction, *sharding);
  KeyValues keys;
  for (size_t i = 0; frontend && i < frontend->fields.size(); ++i) {
    const Attr::Field& field = frontend->fields[i];
    keys.push_back({std::string(field.name), Unescaped(field.value.text), false});
  }
  AttrList& attrs = editor_.attrs(instruction);
  const AttrDef* row = FindAttrDef(CommonAttrs(), "frontend_attributes");
  if (keys.empty() || !row || attrs.Find(row->name)) return;
  attrs.push_back({row, std::move(keys), {}, {}});
}

}  // namespace hlo::mlir
