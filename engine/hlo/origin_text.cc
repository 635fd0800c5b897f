// Attribute kinds Origin, RecoveryTable and DebugAttributes: arrays of the program before it was
// optimised, how their values are computed now, and what debugging tools do with them. They are
// kept as XLA's text of them.
// Source: XLA, hlo/parser/hlo_parser.cc (ParseOriginalValueImpl, ParseOriginalValueRecoveryTable,
// ParseDebugAttributesTable), hlo/ir/hlo_original_value.cc.
#include <fmt/format.h>

#include <map>
#include <tuple>
#include <utility>

#include "engine/hlo/attribute_text.h"
#include "engine/hlo/parser.h"

namespace hlo {
namespace {

/// An instruction of the original program, and which leaf of its value.
struct OriginalArray {
  std::string instruction;
  std::vector<int64_t> index;
  friend bool operator<(const OriginalArray& a, const OriginalArray& b) {
    return std::tie(a.instruction, a.index) < std::tie(b.instruction, b.index);
  }
};

// `{"instruction" {index}}`; `{}` is none.
bool ReadArray(AttrReader& in, OriginalArray* array) {
  if (!in.lex.Read('{', "Expects '{'")) return false;
  if (in.lex.Peek() == '"' || in.lex.Peek() == '\'') {
    Dims index;
    if (!in.lex.ReadString(&array->instruction)) return false;
    if (in.lex.Peek() == '{' && !ReadShapeIndex(in, &index)) return false;
    array->index.assign(index.begin(), index.end());
  }
  return in.lex.Read('}', "Expects '}' at end of OriginalArray");
}

void AppendArray(const OriginalArray& array, std::string* out) {
  out->push_back('{');
  if (!array.instruction.empty()) {
    out->push_back('"');
    AppendEscaped(array.instruction, out);
    out->push_back('"');
    if (!array.index.empty()) {
      out->push_back(' ');
      AppendIndex({array.index.begin(), array.index.end()}, out);
    }
  }
  out->push_back('}');
}

// An array, or a tuple of such in parentheses.
bool ReadTree(AttrReader& in, int levels, std::string* text) {
  if (in.lex.Peek() != '(') {
    if (in.lex.Peek() != '{') {
      return in.lex.Fail(
          "Expects '[synthetic_call]' or a tuple tree of original arrays in original_value field.");
    }
    OriginalArray array;
    if (!ReadArray(in, &array)) return false;
    AppendArray(array, text);
    return true;
  }
  if (levels <= 0) {
    in.lex.diagnostics().Report(DiagCode::kRecursionLimit, in.lex.TokenRange(),
                                "maximum recursion depth exceeded: an origin nested too deeply");
    return false;
  }
  text->push_back('(');
  bool first = true;
  const bool ok = ReadList(in.lex, '(', ')', [&] {
    if (!first) text->append(", ");
    first = false;
    return ReadTree(in, levels - 1, text);
  });
  text->push_back(')');
  return ok;
}

// Lines of an HLO module, indented by four spaces, as in a string.
void AppendIndented(std::string_view module, std::string* out) {
  while (!module.empty()) {
    const size_t end = std::min(module.find('\n'), module.size());
    if (end > 0) out->append("    ");
    for (char c : module.substr(0, end)) {
      if (c == '"' || c == '\\') out->push_back('\\');
      out->push_back(c);
    }
    out->push_back('\n');
    module.remove_prefix(std::min(end + 1, module.size()));
  }
}

// A module in quotes: how a value is recovered.
bool ReadRecoveryModule(AttrReader& in, std::string* text) {
  Range range = in.lex.TokenRange();
  std::string source;
  if (!in.lex.ReadString(&source)) return false;
  range.end = in.lex.last_end();
  Diagnostics faults;
  const auto module = ParseModule(std::move(source), faults, in.budget);
  for (const Diagnostic& fault : faults.list()) {
    if (fault.severity != Severity::kError) continue;
    return in.Fail(range, "the recovery module: " + fault.message);
  }
  if (!module) return in.Fail(range, "the recovery module is empty");
  PrintOptions options = PrintOptions::Long();
  options.metadata = false;
  text->append(",\n  \"\n");
  AppendIndented(PrintModule(*module, options), text);
  text->append("\n\n  \"");
  return true;
}

// `{log_mode=default,callback_id=1,partitioned=true,op_id=2}`
bool ReadDebugEntry(AttrReader& in, std::string* text) {
  std::string mode;
  int64_t callback = 0, op = 0;
  AttrValue partitioned = false;
  const bool ok = ReadList(in.lex, '{', '}', [&] {
    const Range range = in.lex.TokenRange();
    const std::string_view key = in.lex.ConsumeIdentifier();
    if (key.empty() || !in.lex.ReadEquals()) {
      return key.empty() && in.lex.Fail("Expects attribute name in debug attributes");
    }
    if (key == "callback_id") return in.lex.ReadInt(&callback);
    if (key == "op_id") return in.lex.ReadInt(&op);
    if (key == "partitioned") return ReadBool(in, AttrDef{}, &partitioned);
    if (key != "log_mode") {
      return in.Fail(range, fmt::format("Unknown debug attribute: {}", key));
    }
    const Range value = in.lex.TokenRange();
    mode = in.lex.ConsumeIdentifier();
    return mode == "default" || mode == "fusion_debugger" ||
           in.Fail(value, fmt::format("Invalid debug_log_mode value: {}", mode));
  });
  if (!ok) return false;
  std::vector<std::string> parts;
  if (!mode.empty()) parts.push_back("log_mode=" + mode);
  if (callback != 0) parts.push_back(fmt::format("callback_id={}", callback));
  if (std::get<bool>(partitioned)) parts.push_back("partitioned=true");
  if (op != 0) parts.push_back(fmt::format("op_id={}", op));
  text->append(fmt::format("{{{}}}", fmt::join(parts, ",")));
  return true;
}

// `["while.3#1/call"]`: the calls through which the original value was reached.
bool ReadCallHierarchy(AttrReader& in, std::string* text) {
  std::string calls;
  if (!in.lex.Read('[', "Expects '[' and the calls of an original value") ||
      !in.lex.ReadString(&calls) || !in.lex.Read(']', "Expects ']' after the calls")) {
    return false;
  }
  text->append(",[\"");
  AppendEscaped(calls, text);
  text->append("\"]");
  return true;
}

}  // namespace

bool ReadOrigin(AttrReader& in, const AttrDef&, AttrValue* value) {
  auto& text = value->emplace<std::string>("{");
  if (!in.lex.Read('{', "Expects '{' to start original value")) return false;
  if (in.lex.Consume('[')) {
    if (!in.lex.ConsumeWord("synthetic_call")) {
      return in.lex.Fail("Expects 'synthetic_call' after '[' for a synthetic_call value.");
    }
    if (!in.lex.Read(']', "Expects ']' to end '[synthetic_call]'")) return false;
    text.append("[synthetic_call]");
  } else if (in.lex.Peek() != '}') {
    if (!ReadTree(in, in.levels_left(), &text)) return false;
    if (in.lex.Consume(',') && !ReadCallHierarchy(in, &text)) return false;
  }
  text.push_back('}');
  return in.lex.Read('}', "Expects '}' to end original value");
}
void PrintOrigin(const AttrValue& value, const AttrDef&, const AttrPrinter&, std::string* out) {
  out->append(std::get<std::string>(value));
}

// `{"old"} : {"new"}, "module"` repeated, sorted by the old array; the first of several counts.
bool ReadRecoveryTable(AttrReader& in, const AttrDef&, AttrValue* value) {
  constexpr std::string_view kFormat =
      "Expected format: <original_array>: <original_array>, <HloModule>";
  std::map<OriginalArray, std::string> entries;
  if (!in.lex.Read('{', "Expects '{'")) return false;
  while (in.lex.Peek() != '}') {
    OriginalArray replaced, replacing;
    if (!ReadArray(in, &replaced) || !in.lex.Read(':', kFormat) || !ReadArray(in, &replacing)) {
      return false;
    }
    std::string text = "  ";
    AppendArray(replaced, &text);
    text.append(" : ");
    AppendArray(replacing, &text);
    if (in.lex.Consume(',') && !ReadRecoveryModule(in, &text)) return false;
    entries.emplace(std::move(replaced), std::move(text));
  }
  in.lex.Consume('}');
  auto& text = value->emplace<std::string>();
  if (entries.empty()) return true;
  text = "{\n";
  for (const auto& [array, entry] : entries) text.append(entry).append("\n");
  text.append("}\n");
  return true;
}
void PrintRecoveryTable(const AttrValue& value, const AttrDef&, const AttrPrinter&,
                        std::string* out) {
  out->append(std::get<std::string>(value));
}

// `{"instruction"}:({...},{...})` or `{"instruction"}:{...}`; the last of several counts.
bool ReadDebugAttributes(AttrReader& in, const AttrDef&, AttrValue* value) {
  std::map<OriginalArray, std::string> entries;
  const bool ok = ReadList(in.lex, '{', '}', [&] {
    OriginalArray array;
    if (!ReadArray(in, &array) || !in.lex.Read(':', "Expects ':' in debug_attributes entry")) {
      return false;
    }
    std::string list;
    auto read = [&] {
      if (!list.empty()) list.push_back(',');
      return ReadDebugEntry(in, &list);
    };
    if (!(in.lex.Peek() == '(' ? ReadList(in.lex, '(', ')', read) : read())) return false;
    entries[std::move(array)] = std::move(list);
    return true;
  });
  if (!ok) return false;
  auto& text = value->emplace<std::string>();
  for (const auto& [array, list] : entries) {
    if (list.empty()) continue;
    text.append(text.empty() ? "{\n  " : ",\n  ");
    AppendArray(array, &text);
    text.append(":(").append(list).append(")");
  }
  if (!text.empty()) text.append("\n}");
  return true;
}
void PrintDebugAttributes(const AttrValue& value, const AttrDef&, const AttrPrinter&,
                          std::string* out) {
  out->append(std::get<std::string>(value));
}

}  // namespace hlo
