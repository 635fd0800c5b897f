#include "engine/hlo/printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include "engine/base/stable_sort.h"
#include "engine/base/work_limit.h"
#include "engine/hlo/attribute_text.h"
#include "engine/hlo/print_order.h"
#include "engine/hlo/stack_frames.h"
#include "engine/ops/elementwise/compare.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

constexpr int kIndexInterval = 5;

class Printer {
 public:
  Printer(const PrintOptions& options, const AsyncForms& forms, std::string* out,
          std::vector<PrintedPlace>* places = nullptr)
      : options_(options), forms_(forms), out_(*out), places_(places) {}

  void PrintModule(const Module& module);
  void PrintInstruction(const Instruction& instruction);

 private:
  void PrintHeader(const Module& module);
  void PrintComputation(const Module& module, const Computation& computation);
  void PrintSignature(const Computation& computation);
  void PrintOpcode(const Instruction& instruction, const Computation* folded);
  void PrintOperands(const Instruction& instruction, const AttrPrinter& to);
  void PrintAttributes(const Instruction& instruction, const Computation* folded,
                       const AttrPrinter& to);
  void PrintName(std::string_view name) { AppendName(name, options_.percent, &out_); }
  void PrintIndexComment(int index) {
    if (!options_.operand_index_comments || index == 0 || index % kIndexInterval != 0) return;
    fmt::format_to(std::back_inserter(out_), "/*index={}*/", index);
  }
  // Records the source range of what begins here.
  void NotePlace(Range source, bool is_instruction) {
    if (!places_ || source == Range{}) return;
    places_->push_back({source.begin, static_cast<uint32_t>(out_.size()), is_instruction});
  }
  void PrintShape(const Shape& shape, bool layout) {
    AppendShape(shape, {.layout = layout}, &out_);
  }

  const PrintOptions& options_;
  const AsyncForms& forms_;
  std::string& out_;
  std::vector<PrintedPlace>* places_;
  const std::unordered_map<int64_t, int64_t>* frames_ = nullptr;  // of a module that is printed
};

void Printer::PrintModule(const Module& module) {
  PrintedFrames frames;
  if (options_.metadata) {
    frames = FramesInUse(module);
    frames_ = &frames.numbers;
  }
  PrintHeader(module);
  AppendStackFrames(frames.index, &out_);
  out_.append("\n\n");
  bool first = true;
  auto print = [&](const Computation& computation) {
    if (forms_.IsFolded(computation)) return;
    if (!first) out_.push_back('\n');
    first = false;
    PrintComputation(module, computation);
  };
  if (options_.post_order) {
    for (const Computation* computation : ComputationOrder(module)) print(*computation);
    return;
  }
  for (const Computation& computation : module.computations()) {
    if (&computation != module.entry()) print(computation);
  }
  if (module.entry()) print(*module.entry());
}

// The entry's layout is always printed: without it a reader would have to know its parameters.
void Printer::PrintHeader(const Module& module) {
  out_.append("HloModule ");
  AppendName(module.name(), false, &out_);
  AttrPrinter to{options_, nullptr, frames_};
  for (const AttrDef& def : ModuleAttrs()) {
    const Attr* attr = module.attrs().Find(def.name);
    std::string text;
    if (attr) {
      text = AttrValueText(attr->value, def, to);
    } else if (def.kind == AttrKind::kProgramShape && module.entry()) {
      ProgramShape program;
      for (int i = 0; i < module.entry()->parameter_count(); ++i) {
        program.parameters.push_back(module.entry()->parameter_shape(i));
      }
      program.result = module.entry()->result_shape();
      text = AttrValueText(std::move(program), def, to);
    }
    if (text.empty()) continue;
    // XLA begins a line for this one.
    out_.append(def.kind == AttrKind::kDebugAttributes ? ",\n" : ", ");
    out_.append(def.name).append("=").append(text);
  }
}

void Printer::PrintSignature(const Computation& computation) {
  out_.append(" (");
  for (int i = 0; i < computation.parameter_count(); ++i) {
    const Instruction* parameter = computation.parameters()[static_cast<size_t>(i)];
    if (i > 0) out_.append(", ");
    if (!parameter) continue;
    out_.append(parameter->name()).append(": ");
    PrintShape(parameter->shape(), false);
  }
  out_.append(") -> ");
  PrintShape(computation.result_shape(), false);
}

void Printer::PrintComputation(const Module& module, const Computation& computation) {
  NotePlace(computation.name_range(), false);
  if (&computation == module.entry()) out_.append("ENTRY ");
  PrintName(computation.name());
  if (options_.signatures) PrintSignature(computation);
  out_.append(" {\n");
  auto print = [&](const Instruction& instruction) {
    const size_t before = out_.size();
    NotePlace(instruction.places().whole, true);
    out_.append(&instruction == computation.root() ? "  ROOT " : "  ");
    PrintInstruction(instruction);
    out_.push_back('\n');
    CountText(out_.size() - before);
  };
  if (options_.post_order && !module.is_scheduled()) {
    for (const Instruction* instruction : PostOrder(computation)) print(*instruction);
  } else {
    for (const Instruction& instruction : computation.instructions()) print(instruction);
  }
  out_.push_back('}');
  if (computation.execution_thread() != "main") {
    out_.append(", execution_thread=\"");
    AppendEscaped(computation.execution_thread(), &out_);
    out_.push_back('"');
  }
  out_.push_back('\n');
}

void Printer::PrintInstruction(const Instruction& instruction) {
  AttrPrinter to{options_, instruction.parent(), frames_};
  const Computation* folded = forms_.Folded(instruction);
  PrintName(instruction.name());
  out_.append(" = ");
  if (options_.result_shapes || instruction.def().result_shape == ResultShape::kWritten) {
    PrintShape(instruction.shape(), options_.layouts);
    out_.push_back(' ');
  }
  PrintOpcode(instruction, folded);
  out_.push_back('(');
  PrintOperands(instruction, to);
  out_.push_back(')');
  PrintAttributes(instruction, folded, to);
}

// `async-start` on a folded OP is `OP-start`.
void Printer::PrintOpcode(const Instruction& instruction, const Computation* folded) {
  std::string_view text = Text(instruction.opcode());
  if (folded) {
    constexpr std::string_view kAsync = "async";
    out_.append(Text(folded->root()->opcode()));
    text.remove_prefix(kAsync.size());
  }
  out_.append(text);
}

void Printer::PrintOperands(const Instruction& instruction, const AttrPrinter& to) {
  for (const Attr& attr : instruction.attrs()) {
    if (attr.def->use == AttrUse::kPositional) {
      GetAttrText(attr.def->kind).print(attr.value, *attr.def, to, &out_);
    }
  }
  for (int i = 0; i < instruction.operand_count(); ++i) {
    if (i > 0) out_.append(", ");
    PrintIndexComment(i);
    if (options_.operand_shapes) {
      PrintShape(instruction.operand(i)->shape(), options_.layouts);
      out_.push_back(' ');
    }
    PrintName(instruction.operand(i)->name());
  }
}

// What an attribute is printed as; empty: not at all. `value` is null where the text has none.
std::string PrintedText(const Instruction& instruction, const AttrDef& def, const AttrValue* value,
                        const AttrPrinter& to) {
  std::string text = value ? AttrValueText(*value, def, to)
                           : std::string(def.always_printed ? def.default_text : "");
  return def.printed ? def.printed(instruction.Call(), std::move(text)) : text;
}

void Printer::PrintAttributes(const Instruction& instruction, const Computation* folded,
                              const AttrPrinter& to) {
  struct Row {
    int rank;
    const AttrDef* def;
    const AttrValue* value;  // null: absent, and perhaps printed all the same
    const Instruction* owner;
  };
  SmallVector<Row, 8> rows;
  auto add = [&](std::span<const AttrDef> defs, const Instruction& owner, int first) {
    const AttrList& attrs = owner.attrs();
    int least = first;  // what follows a computation in the op's table is printed after it
    for (const AttrDef& def : defs) {
      if (def.use == AttrUse::kPositional || def.never_printed) continue;
      int rank = std::max(first + AttrPrintRank(def.kind), least);
      if (def.kind == AttrKind::kRegion) least = rank;
      const Attr* attr = attrs.Find(def.name);
      if (attr || def.always_printed || def.printed) {
        rows.push_back({rank, &def, attr ? &attr->value : nullptr, &owner});
      }
    }
  };
  add(instruction.def().attrs, instruction, 0);
  constexpr int kBehindFolded = 20;  // above all ranks of the folded OP's attributes
  const bool starts_folded = folded && instruction.opcode() == Opcode::kAsyncStart;
  if (starts_folded) {
    // The computation is folded into the opcode; the OP's own attributes follow the start's thread.
    auto calls = std::find_if(rows.begin(), rows.end(),
                              [](const Row& row) { return row.def->name == "calls"; });
    if (calls != rows.end()) rows.erase(calls);
    for (Row& row : rows) row.rank = row.def->kind == AttrKind::kAliases ? kBehindFolded : 0;
    add(folded->root()->def().attrs, *folded->root(), 0);
  }
  add(CommonAttrs(), instruction, starts_folded ? kBehindFolded : 0);
  StableSort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.rank < b.rank; });
  for (const Row& row : rows) {
    std::string text = PrintedText(*row.owner, *row.def, row.value, to);
    // A required attribute is printed even when it is empty, as the padding of a scalar.
    if (text.empty() && (row.def->use != AttrUse::kRequired || !row.value)) continue;
    std::string_view name = row.def->name;
    if (!row.def->printed_name.empty()) {
      name = row.def->printed_name;
      text.insert(0, "{").push_back('}');
    }
    out_.append(", ").append(name).append("=").append(text);
  }
}

}  // namespace

PrintOptions PrintOptions::ShortParsable() {
  PrintOptions options;
  options.metadata = false;
  options.control_dependencies = false;
  options.post_order = true;
  return options;
}

PrintOptions PrintOptions::Long() {
  PrintOptions options;
  options.percent = true;
  options.signatures = true;
  options.operand_index_comments = true;
  options.post_order = true;
  return options;
}

std::string PrintModule(const Module& module, const PrintOptions& options,
                        std::vector<PrintedPlace>* places) {
  std::string out;
  AsyncForms forms(module);
  Printer(options, forms, &out, places).PrintModule(module);
  return out;
}

std::string PrintInstruction(const Instruction& instruction, const PrintOptions& options) {
  std::string out;
  // Only these can have a short form, and finding out takes a look at the whole module.
  Opcode opcode = instruction.opcode();
  bool async = opcode == Opcode::kAsyncStart || opcode == Opcode::kAsyncUpdate ||
               opcode == Opcode::kAsyncDone;
  AsyncForms forms = async ? AsyncForms(*instruction.parent()->parent()) : AsyncForms();
  Printer(options, forms, &out).PrintInstruction(instruction);
  return out;
}

}  // namespace hlo
