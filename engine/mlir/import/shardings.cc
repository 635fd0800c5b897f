// What a program says of its values beside what they are: shardings and frontend attributes.
// Source: XLA, mlir_hlo_to_hlo.cc; Shardy, sharding representation.
#include <fmt/format.h>

#include <utility>

#include "engine/hlo/attribute_text.h"
#include "engine/hlo/lexer.h"
#include "engine/hlo/sharding.h"
#include "engine/mlir/import/op_import.h"
#include "engine/mlir/ops/mesh_groups.h"
#include "engine/ops/attribute_rows.h"
#include "engine/ops/op_def.h"

namespace hlo::mlir {
namespace {

// Reads a sharding, which refers to no other part of the text.
class ShardingReader final : public hlo::AttrReader {
 public:
  explicit ShardingReader(Lexer* lexer) : hlo::AttrReader(lexer, nullptr) {}
  const hlo::Region* ReadRegion() override { return nullptr; }
  bool ReadInstruction(std::vector<uint32_t>*) override { return false; }
};

}  // namespace

std::string Importer::ShardingTextOf(const Attr& attr) {
  if (attr.kind == Attr::Kind::kString) return Unescaped(attr.text);
  if (attr.kind != Attr::Kind::kOpaque) return {};
  std::string problem;
  const auto mesh_of = [this](std::string_view name) {
    const auto mesh = meshes_.find(name);
    return mesh == meshes_.end() ? std::string_view() : mesh->second;
  };
  std::string text = ShardingOfShardy(attr.text, mesh_of, &problem);
  if (!problem.empty()) Report(DiagCode::kShardingInvalid, attr.range, std::move(problem));
  return text;
}

std::shared_ptr<const Sharding> Importer::ReadSharding(const Attr& attr, const Shape& shape) {
  const std::string text = ShardingTextOf(attr);
  if (text.empty()) return nullptr;
  Diagnostics faults;
  Lexer lexer(text, &faults);
  ShardingReader reader(&lexer);
  std::shared_ptr<const Sharding> sharding = ReadShardingValue(reader);
  for (const Diagnostic& fault : faults.list()) {
    Report(DiagCode::kShardingInvalid, attr.range,
           fmt::format("{}, in the sharding {}", fault.message, text));
  }
  if (!sharding || (sharding->kind == Sharding::Kind::kNamed && !shape.IsArray())) return nullptr;
  return ForShape(std::move(sharding), shape);
}

void Importer::SetSharding(Instruction* instruction, std::shared_ptr<const Sharding> sharding,
                           Range range) {
  const AttrDef* row = FindAttrDef(CommonAttrs(), "sharding");
  if (!sharding || !row || instruction->attrs().Find(row->name)) return;
  editor_.attrs(instruction).push_back({row, std::move(sharding), {}, range});
}

KeyValues Importer::FrontendAttrs(std::span<const Attr::Field> attrs) const {
  KeyValues keys;
  const Attr* dict = Resolve(FindField(attrs, "mhlo.frontend_attributes"));
  for (size_t i = 0; dict && i < dict->fields.size(); ++i) {
    const Attr::Field& field = dict->fields[i];
    keys.push_back({std::string(field.name), Unescaped(field.value.text), false});
  }
  return keys;
}

// Shardy's ops that give a value a sharding have it as their own attribute.
const Attr* Importer::ShardingOf(std::span<const Attr::Field> attrs) const {
  for (std::string_view name : {"mhlo.sharding", "sdy.sharding", "sharding"}) {
    if (const Attr* sharding = FindField(attrs, name)) return Resolve(sharding);
  }
  return nullptr;
}

void Importer::KeepAttrs(std::span<const Attr::Field> attrs, Instruction* instruction) {
  if (!instruction) return;
  if (const Attr* attr = ShardingOf(attrs)) {
    auto sharding = ReadSharding(*attr, instruction->shape());
    // What a loop carries beside its results is on all devices, as XLA has it.
    const Shape& shape = instruction->shape();
    const auto leaves = static_cast<size_t>(shape.leaf_count());
    if (sharding && instruction->opcode() == Opcode::kWhile && sharding->elements.size() < leaves) {
      auto all = std::make_shared<Sharding>(*sharding);
      all->elements.resize(leaves);
      sharding = std::move(all);
    }
    SetSharding(instruction, std::move(sharding), attr->range);
  }
  KeyValues keys = FrontendAttrs(attrs);
  AttrList& kept = editor_.attrs(instruction);
  const AttrDef* row = FindAttrDef(CommonAttrs(), "frontend_attributes");
  if (keys.empty() || !row || kept.Find(row->name)) return;
  kept.push_back({row, std::move(keys), {}, {}});
}

// They go to the last instruction that is not just a name for another value.
void Importer::KeepAttrs(const Op& op, Computation* computation, size_t first) {
  const std::deque<Instruction>& made = computation->instructions();
  size_t at = made.size();
  while (at > first && (made[at - 1].opcode() == Opcode::kGetTupleElement ||
                        made[at - 1].opcode() == Opcode::kTuple)) {
    --at;
  }
  if (at > first) KeepAttrs(op.attrs, const_cast<Instruction*>(&made[at - 1]));
}

Computation* Importer::FinishEntry(const Op& function, std::unique_ptr<Computation> computation,
                                   Values results, const Op* terminator) {
  auto all = std::make_shared<Sharding>();
  all->kind = Sharding::Kind::kTuple;
  std::shared_ptr<const Sharding> last;
  Range range;
  const size_t count = function.result_attrs.size() == results.size() ? results.size() : 0;
  bool is_whole = count > 0;
  for (size_t i = 0; i < count; ++i) {
    const Attr* attr = ShardingOf(function.result_attrs[i]);
    last = attr ? ReadSharding(*attr, results[i]->shape()) : nullptr;
    is_whole &= last != nullptr;
    if (!last) continue;
    range = attr->range;
    const bool is_tuple = last->kind == Sharding::Kind::kTuple;
    for (const Sharding& part : is_tuple ? last->elements : std::vector{*last}) {
      all->elements.push_back(part);
    }
  }
  if (is_whole && count == 1) {
    // A parameter, and a value with another sharding, keep their own.
    const Sharding* own = results[0]->attrs().GetSharding("sharding");
    const bool is_free = !own && results[0]->opcode() != Opcode::kParameter;
    if (!is_free && !(own && *own == *last)) {
      results[0] = Make(computation.get(), Opcode::kReshape, results, {}, &results[0]->shape(),
                        "result", nullptr);
    }
    SetSharding(results[0], last, range);
  }
  Computation* finished = Finish(std::move(computation), results, false, terminator);
  if (is_whole && count > 1) SetSharding(const_cast<Instruction*>(finished->root()), all, range);
  return finished;
}

}  // namespace hlo::mlir
