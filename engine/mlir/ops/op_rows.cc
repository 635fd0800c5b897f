// The list of op families, and row lookup.
#include <algorithm>
#include <array>

#include "engine/mlir/importer.h"
#include "engine/mlir/ops/families.h"

namespace hlo::mlir {
namespace {

constexpr OpForm kReturn = {.types = TypeForm::kOperands,
                            .has_results = false,
                            .sample = " `%result` : tensor<f32>",
                            .print = PrintReturn};

// Structural ops (modules, functions, returns), which the importer handles by name.
constexpr struct {
  std::string_view name;
  OpForm form;
} kStructure[] = {
    {"builtin.module", {.has_results = false, .print = PrintModule}},
    {"func.func",
     {.has_results = false,
      .sample = " @`main`(`%arg0`: tensor<f32>) -> tensor<f32> {\n"
                "  return `%arg0` : tensor<f32>\n"
                "}",
      .print = PrintFunction}},
    {"func.return", kReturn},
    {"return", kReturn},
    {"stablehlo.return",
     {.layout = "%*",
      .types = TypeForm::kOperands,
      .has_results = false,
      .sample = " `%result` : tensor<f32>"}},
};

// All rows in one list sorted by name, since every op of a text is looked up.
std::vector<const OpRow*> SortedRows() {
  std::vector<const OpRow*> rows;
  for (std::span<const OpRow> family : AllRows()) {
    for (const OpRow& row : family) {
      if (!row.name.empty()) rows.push_back(&row);
    }
  }
  std::sort(rows.begin(), rows.end(),
            [](const OpRow* a, const OpRow* b) { return a->name < b->name; });
  return rows;
}

const std::vector<const OpRow*>& RowsByName() {
  static const std::vector<const OpRow*> kRows = SortedRows();
  return kRows;
}

const OpRow* FindExact(std::string_view name) {
  const auto& rows = RowsByName();
  const auto row = std::lower_bound(rows.begin(), rows.end(), name,
                                    [](const OpRow* a, std::string_view b) { return a->name < b; });
  return row != rows.end() && (*row)->name == name ? *row : nullptr;
}

using RowsOfOpcodes = std::array<const OpRow*, kOpcodeCount>;

RowsOfOpcodes FindRowsOfOpcodes() {
  static constexpr OpRow kNone{.write = WriteNone};
  RowsOfOpcodes rows{};
  rows.fill(&kNone);
  for (std::span<const OpRow> family : AllRows()) {
    for (const OpRow& row : family) {
      if (row.opcode && row.write) rows[static_cast<size_t>(*row.opcode)] = &row;
    }
  }
  return rows;
}

}  // namespace

bool Allows(Elements types, ElementType type) {
  switch (types) {
    case Elements::kAny:
      break;
    case Elements::kIntegers:
      return IsIntegral(type);
    case Elements::kNumbers:
      return type != ElementType::kPred;
  }
  return true;
}

std::span<const std::span<const OpRow>> AllRows() {
  static const std::span<const OpRow> kFamilies[] = {
      AsyncRows(),       CallRows(),       CheckRows(),   ChloRows(),    CollectiveRows(),
      ConvolutionRows(), DeprecatedRows(), DotRows(),     DynamicRows(), ElementwiseRows(),
      HloRows(),         MovementRows(),   NumericRows(), RegionRows(),  ScatterRows(),
      TransferRows(),    ValueRows(),      WindowRows(),
  };
  return kFamilies;
}

const OpRow& RowOf(Opcode opcode) {
  static const RowsOfOpcodes kRows = FindRowsOfOpcodes();
  return *kRows[static_cast<size_t>(opcode)];
}

const OpForm* FindForm(std::string_view name) {
  for (const auto& [op, form] : kStructure) {
    if (op == name) return &form;
  }
  // Other dialects' names are in the table with their prefix; MHLO's own ops are not StableHLO's.
  const bool is_stablehlo = name.starts_with("stablehlo.");
  if (name.starts_with("mhlo.")) return nullptr;
  const OpRow* row =
      FindExact(is_stablehlo ? name.substr(std::string_view("stablehlo.").size()) : name);
  const bool is_whole = row && (!row->is_stablehlo() || name == "call");
  return row && !row->form.is_none() && is_stablehlo != is_whole ? &row->form : nullptr;
}

const OpRow* FindRow(std::string_view name) {
  for (std::string_view dialect : {"stablehlo.", "mhlo."}) {
    if (!name.starts_with(dialect)) continue;
    name.remove_prefix(dialect.size());
    // Some ops of CHLO were MHLO ops before.
    if (const OpRow* row = FindExact(name); row || dialect[0] != 'm') return row;
    if (const OpRow* row = FindExact("chlo." + std::string(name))) return row;
    return FindExact("mhlo." + std::string(name));
  }
  if (const OpRow* row = FindExact(name)) return row;
  static constexpr OpRow kShardy{
      .name = "sdy", .emit = EmitShardy, .quantized = Quantized::kPerAxis};
  return name.starts_with("sdy.") ? &kShardy : nullptr;
}

}  // namespace hlo::mlir

namespace hlo {

std::optional<Opcode> MlirOpcode(std::string_view name) {
  const mlir::OpRow* row = mlir::FindRow(name);
  return row ? row->opcode : std::nullopt;
}

std::vector<std::string> MlirOpNames() {
  std::vector<std::string> names;
  for (const mlir::OpRow* row : mlir::RowsByName())
    names.push_back(mlir::FindForm(row->name) ? std::string(row->name) : row->full_name());
  return names;
}

}  // namespace hlo
