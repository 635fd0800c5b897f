#include "engine/proto/dump_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/hlo/parser.h"
#include "engine/hlo/printer.h"
#include "engine/proto/buffer_assignment.h"
#include "engine/proto/module_proto.h"
#include "engine/proto/shape_proto.h"
#include "engine/proto/text_format.h"

namespace hlo {
namespace {

constexpr std::string_view kMessageNames[] = {
#define PROTO_MESSAGE(name) #name,
#include "engine/proto/messages.def"
};

// Which field, from message to message, has the module: none, the first, the first of the first.
struct FileRow {
  MessageType type;
  int depth;
};
constexpr FileRow kFiles[] = {{MessageType::kHloModule, 0},
                              {MessageType::kHloProto, 1},
                              {MessageType::kHloUnoptimizedSnapshot, 1},
                              {MessageType::kHloSnapshot, 2}};

WireMessage ModuleIn(const WireMessage& file, int depth) {
  WireMessage module = file;
  for (int i = 0; i < depth; ++i) module = module.Message(1);
  return module;
}

// Whether the message has what every module has: a computation with an instruction with an opcode.
bool HasProgram(const WireMessage& module) {
  WireReader computations(module.bytes());
  for (WireField field; computations.Next(&field);) {
    if (field.number != 3 || field.type != WireType::kBytes) continue;
    const WireMessage first = WireMessage(field.bytes).Message(2);
    return first.Has(1) && !first.Bytes(2).empty();
  }
  return false;
}

const FileRow* Recognise(std::string_view bytes) {
  // The tags of the first fields of these messages.
  constexpr std::string_view kFirst = "\x0a\x12\x1a";
  if (bytes.empty() || kFirst.find(bytes[0]) == std::string_view::npos) return nullptr;
  for (const FileRow& row : kFiles) {
    const WireMessage file(bytes);
    // A module's first two fields say little: look at what tells kinds apart before all is checked.
    if (!HasProgram(ModuleIn(file, row.depth)) || !CheckMessage(row.type, bytes)) continue;
    const bool has_inputs = row.type == MessageType::kHloProto && file.Has(2);
    if (!has_inputs) return &row;
  }
  return nullptr;
}

// A text in the text format as bytes; empty where it is none of these messages.
std::string BytesOfText(std::string_view text, Diagnostics& diagnostics) {
  std::optional<Diagnostic> first;
  for (const FileRow& row : kFiles) {
    Diagnostics faults;
    auto bytes = BytesOfProtoText(row.type, text, faults);
    const FileRow* found = bytes ? Recognise(*bytes) : nullptr;
    if (found && found->type == row.type) return std::move(*bytes);
    if (!first && faults.has_errors()) first = faults.list()[0];
  }
  if (first) diagnostics.Report(first->code, first->range, first->message);
  return {};
}

void ReadArguments(const std::vector<WireMessage>& literals, Diagnostics& diagnostics,
                   Budget* budget, DumpFile* file) {
  for (const WireMessage& proto : literals) {
    auto literal = LiteralFromProto(proto, diagnostics, budget);
    if (!literal) return;
    file->arguments.push_back(std::move(*literal));
  }
}

// XLA's order and names, and everything checked; the text as it is where it has faults.
std::string Canonical(std::string text, Budget* budget) {
  Diagnostics faults;
  const auto module = ParseModule(text, faults, budget);
  if (!module || faults.has_errors()) return text;
  std::string printed = PrintModule(*module);
  return printed.empty() ? text : printed;
}

}  // namespace

std::string_view MessageName(MessageType type) { return kMessageNames[static_cast<size_t>(type)]; }

namespace {

// How every file of MLIR bytecode begins. Source: MLIR, "MLIR Bytecode Format".
constexpr std::string_view kBytecodeMark = "ML\xef\x52";

}  // namespace

bool LooksLikeDump(std::string_view bytes) {
  return LooksLikeProtobuf(bytes) || bytes.starts_with(kBytecodeMark) ||
         Recognise(bytes) != nullptr;
}

std::optional<DumpFile> ReadDumpFile(std::string_view bytes, Diagnostics& diagnostics,
                                     Budget* budget) {
  if (bytes.starts_with(kBytecodeMark)) {
    diagnostics.Report(DiagCode::kSyntaxError, {},
                       "this is MLIR bytecode, which is not read here; `stablehlo-translate "
                       "--deserialize` writes it as text");
    return std::nullopt;
  }
  std::string made;
  const FileRow* row = Recognise(bytes);
  if (!row) {
    made = BytesOfText(bytes, diagnostics);
    bytes = made;
    row = Recognise(bytes);
  }
  if (!row) {
    if (!diagnostics.has_errors()) {
      diagnostics.Report(DiagCode::kSyntaxError, {},
                         "this is no HloModuleProto, HloProto or HloSnapshot, or it is cut off");
    }
    return std::nullopt;
  }
  const WireMessage whole(bytes);
  const WireMessage module = ModuleIn(whole, row->depth);
  DumpFile file;
  file.type = row->type;
  constexpr int64_t kMostConstants = int64_t{16} << 20;
  file.text = Canonical(ModuleTextOfProto(module, diagnostics, kMostConstants, budget), budget);
  const WireMessage hlo = row->type == MessageType::kHloSnapshot ? whole.Message(1) : whole;
  const bool is_proto =
      row->type == MessageType::kHloSnapshot || row->type == MessageType::kHloProto;
  if (is_proto && hlo.Message(3).Has(3)) {
    file.buffer_assignment = BufferAssignmentText(hlo.Message(3), module);
  }
  if (row->type == MessageType::kHloSnapshot) {
    ReadArguments(whole.Messages(2), diagnostics, budget, &file);
    if (whole.Has(3)) file.result = LiteralFromProto(whole.Message(3), diagnostics, budget);
    file.platform = whole.Bytes(4);
  } else if (row->type == MessageType::kHloUnoptimizedSnapshot) {
    const auto partitions = whole.Messages(2);
    if (!partitions.empty()) {
      ReadArguments(partitions[0].Messages(1), diagnostics, budget, &file);
    }
    if (partitions.size() > 1) {
      diagnostics.Report(
          DiagCode::kInputInvalid, Severity::kWarning, {},
          fmt::format("the inputs of the first of {} partitions are taken", partitions.size()));
    }
  }
  return file;
}

std::string HloProtoOf(const Module& module) {
  WireWriter out;
  out.Message(1, ModuleToProto(module));
  return out.Take();
}

std::string SnapshotOf(const Module& module, const std::vector<ShapedLiteral>& arguments,
                       const std::optional<ShapedLiteral>& result, std::string_view platform) {
  WireWriter out;
  out.Message(1, HloProtoOf(module));
  for (const ShapedLiteral& argument : arguments) {
    out.Message(2, LiteralToProto(argument.literal.value, argument.shape));
  }
  if (result) out.Message(3, LiteralToProto(result->literal.value, result->shape));
  out.String(4, platform);
  return out.Take();
}

}  // namespace hlo
