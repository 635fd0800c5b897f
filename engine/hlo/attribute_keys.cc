// Attribute kinds that are keys with values: frontend attributes, metadata, statistics, result
// accuracy, backend configurations.
// Source: XLA, hlo/parser/hlo_parser.cc (ParseMetadata, ParseFrontendAttributes, ...),
// hlo/ir/hlo_op_metadata.cc, hlo/ir/hlo_instruction.cc (the ...ToString functions).
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "engine/base/stable_sort.h"
#include "engine/hlo/attribute_text.h"
#include "engine/hlo/suggestion.h"

namespace hlo {
namespace {

/// The text of a type of value of metadata and tolerances.
enum class Item : uint8_t { kString, kRawString, kInt32, kInt, kNumber, kBool, kInts };

struct KeyRow {
  std::string_view key;
  Item item;
  bool is_shown_alone;  ///< of metadata: without one of these XLA does not print it
};
// In the order in which they are printed; the last ones occur in older texts only.
constexpr KeyRow kMetadata[] = {
    {"op_type", Item::kString, true},
    {"op_name", Item::kString, true},
    {"source_file", Item::kString, true},
    {"source_line", Item::kInt32, false},
    {"source_end_line", Item::kInt32, false},
    {"source_column", Item::kInt32, false},
    {"source_end_column", Item::kInt32, false},
    {"profile_type", Item::kInts, false},
    {"deduplicated_name", Item::kString, false},
    {"scheduling_name", Item::kRawString, true},
    {"stack_frame_id", Item::kInt32, true},
    {"metadata_payload", Item::kString, true},
    {"size_of_generated_code_in_bytes", Item::kInt, false},
    {"preserve_layout", Item::kBool, false},
    {"size_of_memory_working_set_in_bytes", Item::kInt, false},
};
constexpr std::string_view kFrame = "stack_frame_id";
constexpr std::string_view kPayload = "metadata_payload";
constexpr KeyRow kTolerance[] = {
    {"atol", Item::kNumber, false}, {"rtol", Item::kNumber, false}, {"ulps", Item::kInt, false}};

// As printf's %g.
std::string GeneralText(double number) { return fmt::format("{:g}", number); }

bool ReadItem(AttrReader& in, Item item, KeyValue* entry) {
  AttrValue integer;
  double number = 0;
  AttrValue boolean;
  Dims list;
  entry->raw = true;
  switch (item) {
    case Item::kString:
    case Item::kRawString:
      entry->raw = false;
      return in.lex.ReadString(&entry->value);
    case Item::kInt32:
    case Item::kInt:
      if (!(item == Item::kInt ? ReadInt : ReadInt32)(in, AttrDef{}, &integer)) return false;
      entry->value = fmt::format("{}", std::get<int64_t>(integer));
      return true;
    case Item::kNumber:
      if (!in.lex.ReadNumber(&number)) return false;
      entry->value = GeneralText(number);
      return true;
    case Item::kBool:
      if (!ReadBool(in, AttrDef{}, &boolean)) return false;
      entry->value = std::get<bool>(boolean) ? "true" : "false";
      return true;
    case Item::kInts:
      if (!ReadIntList(in.lex, '{', '}', &list)) return false;
      entry->value = "{";
      AppendInts(list, &entry->value);
      entry->value.push_back('}');
      return true;
  }
  return false;
}

// `{key=value key=value}` of known keys; commas are optional.
bool ReadKnownKeys(AttrReader& in, std::string_view what, std::span<const KeyRow> rows,
                   KeyValues* entries) {
  if (!in.lex.Read('{', "expects '{' to start sub attributes")) return false;
  while (in.lex.Peek() != '}') {
    Range range = in.lex.TokenRange();
    std::string_view key = in.lex.ConsumeIdentifier();
    auto row =
        std::find_if(rows.begin(), rows.end(), [&](const KeyRow& r) { return r.key == key; });
    if (row == rows.end()) {
      std::vector<std::string_view> keys;
      for (const KeyRow& r : rows) keys.push_back(r.key);
      std::sort(keys.begin(), keys.end());
      Diagnostic& d = in.lex.diagnostics().Report(
          DiagCode::kAttributeValue, range,
          fmt::format("unexpected attribute \"{}\" of {}. Allowed attributes: {}", key, what,
                      fmt::join(keys, ", ")));
      AddSuggestion(key, keys, range, &d);
      return false;
    }
    if (FindKey(*entries, key)) {
      return in.Fail(range, fmt::format("attribute {} already exists in {}", key, what));
    }
    KeyValue& entry = entries->emplace_back();
    entry.key = key;
    if (!in.lex.ReadEquals() || !ReadItem(in, row->item, &entry)) return false;
    in.lex.Consume(',');
  }
  return in.lex.Read('}', "expects '}' to end sub attributes");
}

void AppendQuoted(std::string_view text, std::string* out) {
  out->push_back('"');
  AppendEscaped(text, out);
  out->push_back('"');
}

void PrintEntries(const KeyValues& entries, std::string_view separator, std::string* out) {
  out->push_back('{');
  for (size_t i = 0; i < entries.size(); ++i) {
    if (i > 0) out->append(separator);
    out->append(entries[i].key).append("=").append(entries[i].value);
  }
  out->push_back('}');
}

bool IsIdentifier(std::string_view text) {
  return !text.empty() && IsNameStart(text[0]) && std::all_of(text.begin(), text.end(), IsNameChar);
}

// Keys of frontend attributes are names; here also any text in quotes.
bool ReadFreeKey(AttrReader& in, std::string* key) {
  char first = in.lex.Peek();
  if (first == '"' || first == '\'') return in.lex.ReadString(key);
  std::string_view word = in.lex.ConsumeIdentifier();
  if (word.empty()) return in.lex.Fail("expects attribute name");
  *key = word;
  return true;
}

// A text that reads back as it is, without quotes: a group in braces and nothing else.
bool IsDictionary(const std::string& text) {
  if (text.empty() || text.front() != '{') return false;
  Diagnostics ignored;
  Lexer lexer(text, &ignored);
  std::string_view braces;
  return lexer.ReadBraces(&braces) && braces.size() == text.size();
}

void AppendStringOrDictionary(const std::string& text, std::string* out) {
  if (IsDictionary(text)) {
    out->append(text);
  } else {
    AppendQuoted(text, out);
  }
}

bool ReadStringOrDictionary(AttrReader& in, std::string* text) {
  if (in.lex.Peek() != '{') return in.lex.ReadString(text);
  std::string_view braces;
  if (!in.lex.ReadBraces(&braces)) return false;
  *text = braces;
  return true;
}

}  // namespace

bool ReadInt32Fields(AttrReader& in, std::span<const std::string_view> keys,
                     std::span<int32_t> values) {
  std::vector<KeyRow> rows;
  for (std::string_view key : keys) rows.push_back({key, Item::kInt32, false});
  const Range range = in.lex.TokenRange();
  KeyValues entries;
  if (!ReadKnownKeys(in, "a stack frame table", rows, &entries)) return false;
  for (size_t i = 0; i < keys.size(); ++i) {
    const KeyValue* entry = FindKey(entries, keys[i]);
    if (!entry) {
      return in.Fail(range, fmt::format("sub-attribute {} is expected but not seen", keys[i]));
    }
    values[i] = static_cast<int32_t>(std::atoll(entry->value.c_str()));
  }
  return true;
}

bool ReadKeyValues(AttrReader& in, const AttrDef&, AttrValue* value) {
  auto& entries = value->emplace<KeyValues>();
  return ReadList(in.lex, '{', '}', [&] {
    KeyValue& entry = entries.emplace_back();
    if (!ReadFreeKey(in, &entry.key) || !in.lex.ReadEquals()) return false;
    entry.raw = in.lex.Peek() == '{';
    return ReadStringOrDictionary(in, &entry.value);
  });
}
// The last of several values of one key counts, and keys are sorted.
void PrintKeyValues(const AttrValue& value, const AttrDef&, const AttrPrinter&, std::string* out) {
  const auto& entries = std::get<KeyValues>(value);
  std::vector<const KeyValue*> sorted;
  sorted.reserve(entries.size());
  for (const KeyValue& entry : entries) sorted.push_back(&entry);
  StableSort(sorted.begin(), sorted.end(),
             [](const KeyValue* a, const KeyValue* b) { return a->key < b->key; });
  char before = '{';
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (i + 1 < sorted.size() && sorted[i + 1]->key == sorted[i]->key) continue;
    out->push_back(before);
    before = ',';
    if (IsIdentifier(sorted[i]->key)) {
      out->append(sorted[i]->key);
    } else {
      AppendQuoted(sorted[i]->key, out);
    }
    out->push_back('=');
    AppendStringOrDictionary(sorted[i]->value, out);
  }
  if (before == ',') out->push_back('}');
}

bool ReadMetadata(AttrReader& in, const AttrDef&, AttrValue* value) {
  auto& entries = value->emplace<KeyValues>();
  if (!ReadKnownKeys(in, "metadata", kMetadata, &entries)) return false;
  // Empty and 0 values are dropped, and the others have a fixed order; but a payload may be empty.
  KeyValues kept;
  for (const KeyRow& row : kMetadata) {
    const KeyValue* entry = FindKey(entries, row.key);
    if (!entry) continue;
    const std::string& text = entry->value;
    const bool says_nothing =
        text.empty() || (entry->raw && (text == "0" || text == "{}" || text == "false"));
    if (!says_nothing || row.key == kPayload) kept.push_back(*entry);
  }
  entries = std::move(kept);
  return true;
}
void PrintMetadata(const AttrValue& value, const AttrDef&, const AttrPrinter& to,
                   std::string* out) {
  if (!to.options.metadata) return;
  KeyValues entries = std::get<KeyValues>(value);
  if (to.frames) {
    // Frames have the numbers that they get in the printed table, or none.
    auto frame = std::find_if(entries.begin(), entries.end(),
                              [](const KeyValue& entry) { return entry.key == kFrame; });
    if (frame != entries.end()) {
      auto number = to.frames->find(std::atoll(frame->value.c_str()));
      if (number == to.frames->end()) {
        entries.erase(frame);
      } else {
        frame->value = fmt::format("{}", number->second);
      }
    }
  }
  const bool shown = std::any_of(
      std::begin(kMetadata), std::end(kMetadata),
      [&](const KeyRow& row) { return row.is_shown_alone && FindKey(entries, row.key); });
  if (shown) out->append(MetadataText(entries));
}

std::string MetadataText(const KeyValues& metadata) {
  std::string text = "{";
  for (const KeyRow& row : kMetadata) {
    const KeyValue* entry = FindKey(metadata, row.key);
    if (!entry) continue;
    if (text.size() > 1) text.push_back(' ');
    text.append(row.key).push_back('=');
    // XLA does not escape this one.
    const bool as_is =
        row.item == Item::kRawString && entry->value.find_first_of("\"\\") == std::string::npos;
    if (entry->raw) {
      text.append(entry->value);
    } else if (as_is) {
      text.append("\"").append(entry->value).append("\"");
    } else {
      AppendQuoted(entry->value, &text);
    }
  }
  return text + "}";
}

int64_t StackFrameOf(const KeyValues& metadata) {
  const KeyValue* entry = FindKey(metadata, kFrame);
  return entry ? std::atoll(entry->value.c_str()) : 0;
}

// The number of the first item selects which of the others is shown; its name is ignored.
bool ReadStatistics(AttrReader& in, const AttrDef&, AttrValue* value) {
  auto& entries = value->emplace<KeyValues>();
  return ReadList(in.lex, '{', '}', [&] {
    KeyValue& entry = entries.emplace_back();
    const bool is_first = entries.size() == 1;
    if (!ReadFreeKey(in, &entry.key) || !in.lex.ReadEquals()) return false;
    if (is_first) entry.key = "visualizing_index";
    return ReadItem(in, is_first ? Item::kInt : Item::kNumber, &entry);
  });
}
void PrintStatistics(const AttrValue& value, const AttrDef&, const AttrPrinter&, std::string* out) {
  const auto& entries = std::get<KeyValues>(value);
  if (entries.size() > 1) PrintEntries(entries, ",", out);
}

bool ReadResultAccuracy(AttrReader& in, const AttrDef&, AttrValue* value) {
  constexpr std::string_view kModes[] = {"default", "highest"};
  auto& entries = value->emplace<KeyValues>();
  if (!in.lex.Read('{', "expects '{'")) return false;
  Range range = in.lex.TokenRange();
  std::string_view key = in.lex.ConsumeIdentifier();
  if (key.empty()) return in.lex.Fail("expects attribute name: mode or tolerance");
  if (key != "mode" && key != "tolerance") {
    return in.Fail(range, fmt::format("invalid attribute name in result_accuracy: `{}`; expects "
                                      "mode or tolerance",
                                      key));
  }
  if (!in.lex.ReadEquals()) return false;
  KeyValue& entry = entries.emplace_back();
  entry.key = key;
  entry.raw = true;
  if (key == "mode") {
    range = in.lex.TokenRange();
    const std::string_view word = in.lex.ConsumeIdentifier();
    const std::optional<size_t> mode = FindWord(kModes, word, /*ignore_case=*/true);
    if (!mode) {
      return in.Fail(range, fmt::format("expects ResultAccuracy type but sees: {}, error: Unknown "
                                        "accuracy mode: expects default or highest",
                                        word));
    }
    entry.value = kModes[*mode];
  } else {
    KeyValues limits;
    if (!ReadKnownKeys(in, "tolerance", kTolerance, &limits)) return false;
    KeyValues all;
    for (const KeyRow& row : kTolerance) {
      const KeyValue* limit = FindKey(limits, row.key);
      all.push_back({std::string(row.key), limit ? limit->value : "0", true});
    }
    PrintEntries(all, ",", &entry.value);
  }
  return in.lex.Read('}', "expects '}' after result_accuracy");
}
void PrintResultAccuracy(const AttrValue& value, const AttrDef&, const AttrPrinter&,
                         std::string* out) {
  const auto& entries = std::get<KeyValues>(value);
  if (entries.front().value != "default") PrintEntries(entries, ",", out);
}

bool ReadBackendConfig(AttrReader& in, const AttrDef&, AttrValue* value) {
  return ReadStringOrDictionary(in, &value->emplace<std::string>());
}
void PrintBackendConfig(const AttrValue& value, const AttrDef&, const AttrPrinter& to,
                        std::string* out) {
  const std::string& text = std::get<std::string>(value);
  if (to.options.backend_config && !text.empty()) AppendStringOrDictionary(text, out);
}

}  // namespace hlo
