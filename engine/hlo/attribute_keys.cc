// Attribute kinds that are keys with values: frontend attributes, metadata, statistics, result
// accuracy, backend configurations, and what is kept as its text.
#include <fmt/format.h>

#include <algorithm>

#include "engine/hlo/attribute_text.h"
#include "engine/hlo/suggestion.h"

namespace hlo {
namespace {

/// The text of a type of value of metadata and statistics.
enum class Item : uint8_t { kString, kInt, kNumber, kBool, kBraces };

struct KeyRow {
  std::string_view key;
  Item item;
};
constexpr KeyRow kMetadata[] = {
    {"op_type", Item::kString},
    {"op_name", Item::kString},
    {"source_file", Item::kString},
    {"source_line", Item::kInt},
    {"source_end_line", Item::kInt},
    {"source_column", Item::kInt},
    {"source_end_column", Item::kInt},
    {"profile_type", Item::kBraces},
    {"deduplicated_name", Item::kString},
    {"scheduling_name", Item::kString},
    {"stack_frame_id", Item::kInt},
    {"metadata_payload", Item::kString},
    {"size_of_generated_code_in_bytes", Item::kInt},
    {"preserve_layout", Item::kBool},
    {"size_of_memory_working_set_in_bytes", Item::kInt},
};
constexpr KeyRow kTolerance[] = {
    {"atol", Item::kNumber}, {"rtol", Item::kNumber}, {"ulps", Item::kInt}};

bool ReadItem(AttrReader& in, Item item, KeyValue* entry) {
  int64_t integer = 0;
  double number = 0;
  AttrValue boolean;
  entry->raw = item != Item::kString;
  if (item == Item::kString) return in.lex.ReadString(&entry->value);
  in.lex.SkipSpace();
  uint32_t begin = in.lex.pos();
  std::string_view braces;
  bool ok = item == Item::kInt      ? in.lex.ReadInt(&integer)
            : item == Item::kNumber ? in.lex.ReadNumber(&number)
            : item == Item::kBool   ? ReadBool(in, AttrDef{}, &boolean)
                                    : in.lex.ReadBraces(&braces);
  if (ok) entry->value = in.lex.text().substr(begin, in.lex.last_end() - begin);
  return ok;
}

// `{key=value key=value}` of known keys; commas are optional.
bool ReadKnownKeys(AttrReader& in, std::string_view what, std::span<const KeyRow> rows,
                   KeyValues* entries) {
  if (!in.lex.Read('{', "expects '{'")) return false;
  while (in.lex.Peek() != '}') {
    Range range = in.lex.TokenRange();
    std::string_view key = in.lex.ConsumeIdentifier();
    auto row =
        std::find_if(rows.begin(), rows.end(), [&](const KeyRow& r) { return r.key == key; });
    if (row == rows.end()) {
      std::vector<std::string_view> keys;
      for (const KeyRow& r : rows) keys.push_back(r.key);
      Diagnostic& d = in.lex.diagnostics().Report(
          DiagCode::kAttributeValue, range,
          fmt::format("invalid attribute name in {}: `{}`; expects one of: {}", what, key,
                      fmt::join(keys, ", ")));
      AddSuggestion(key, keys, range, &d);
      return false;
    }
    if (std::any_of(entries->begin(), entries->end(),
                    [&](const KeyValue& e) { return e.key == key; })) {
      return in.Fail(range, fmt::format("`{}` is given twice in {}", key, what));
    }
    KeyValue& entry = entries->emplace_back();
    entry.key = key;
    if (!in.lex.Read('=', "expects '='") || !ReadItem(in, row->item, &entry)) return false;
    in.lex.Consume(',');
  }
  return in.lex.Read('}', "expects '}'");
}

void PrintEntries(const KeyValues& entries, std::string_view separator, std::string* out) {
  out->push_back('{');
  for (size_t i = 0; i < entries.size(); ++i) {
    if (i > 0) out->append(separator);
    out->append(entries[i].key).push_back('=');
    if (entries[i].raw) {
      out->append(entries[i].value);
    } else {
      out->push_back('"');
      AppendEscaped(entries[i].value, out);
      out->push_back('"');
    }
  }
  out->push_back('}');
}

// Keys of frontend attributes are names, or any text in quotes.
bool ReadFreeKey(AttrReader& in, std::string* key) {
  char first = in.lex.Peek();
  if (first == '"' || first == '\'') return in.lex.ReadString(key);
  std::string_view word = in.lex.ConsumeIdentifier();
  if (word.empty()) return in.lex.Fail("expects the name of a frontend attribute");
  *key = word;
  return true;
}

}  // namespace

bool ReadKeyValues(AttrReader& in, const AttrDef&, AttrValue* value) {
  auto& entries = value->emplace<KeyValues>();
  return ReadList(in.lex, '{', '}', [&] {
    KeyValue& entry = entries.emplace_back();
    if (!ReadFreeKey(in, &entry.key) || !in.lex.Read('=', "expects '=' after a key")) return false;
    if (in.lex.Peek() != '{') return in.lex.ReadString(&entry.value);
    entry.raw = true;
    std::string_view braces;
    if (!in.lex.ReadBraces(&braces)) return false;
    entry.value = braces;
    return true;
  });
}
// The last of several values of one key counts, and keys are sorted.
void PrintKeyValues(const AttrValue& value, const AttrDef&, const AttrPrinter&, std::string* out) {
  KeyValues sorted;
  for (const KeyValue& entry : std::get<KeyValues>(value)) {
    auto place =
        std::lower_bound(sorted.begin(), sorted.end(), entry,
                         [](const KeyValue& a, const KeyValue& b) { return a.key < b.key; });
    if (place != sorted.end() && place->key == entry.key) {
      *place = entry;
    } else {
      sorted.insert(place, entry);
    }
  }
  PrintEntries(sorted, ",", out);
}

bool ReadMetadata(AttrReader& in, const AttrDef&, AttrValue* value) {
  return ReadKnownKeys(in, "metadata", kMetadata, &value->emplace<KeyValues>());
}
void PrintMetadata(const AttrValue& value, const AttrDef&, const AttrPrinter& to,
                   std::string* out) {
  if (to.options.metadata) PrintEntries(std::get<KeyValues>(value), " ", out);
}

bool ReadStatistics(AttrReader& in, const AttrDef&, AttrValue* value) {
  auto& entries = value->emplace<KeyValues>();
  Range whole = in.lex.TokenRange();
  constexpr std::string_view kShown = "visualizing_index";
  int64_t shown = -1;
  bool ok = ReadList(in.lex, '{', '}', [&] {
    KeyValue& entry = entries.emplace_back();
    if (!ReadFreeKey(in, &entry.key) || !in.lex.Read('=', "expects '=' after a key")) return false;
    if (!ReadItem(in, entry.key == kShown ? Item::kInt : Item::kNumber, &entry)) return false;
    if (entry.key == kShown) shown = std::atoll(entry.value.c_str());
    return true;
  });
  if (!ok) return false;
  whole.end = in.lex.last_end();
  if (shown >= static_cast<int64_t>(entries.size()) - 1) {
    return in.Fail(
        whole, fmt::format("visualizing_index {} is out of range: there are {} statistics", shown,
                           entries.size() - 1));
  }
  return true;
}
void PrintStatistics(const AttrValue& value, const AttrDef&, const AttrPrinter&, std::string* out) {
  PrintEntries(std::get<KeyValues>(value), ",", out);
}

bool ReadResultAccuracy(AttrReader& in, const AttrDef&, AttrValue* value) {
  auto& entries = value->emplace<KeyValues>();
  if (!in.lex.Read('{', "expects '{'")) return false;
  Range range = in.lex.TokenRange();
  std::string_view key = in.lex.ConsumeIdentifier();
  if (key != "mode" && key != "tolerance") {
    return in.Fail(range, fmt::format("invalid attribute name in result_accuracy: `{}`; expects "
                                      "mode or tolerance",
                                      key));
  }
  if (!in.lex.Read('=', "expects '='")) return false;
  KeyValue& entry = entries.emplace_back();
  entry.key = key;
  entry.raw = true;
  if (key == "mode") {
    if (in.lex.ConsumeWord("default") || in.lex.ConsumeWord("highest")) {
      entry.value = in.lex.text().substr(in.lex.last_end() - 7, 7);
    } else {
      return in.lex.Fail("expects default or highest");
    }
  } else {
    KeyValues limits;
    if (!ReadKnownKeys(in, "tolerance", kTolerance, &limits)) return false;
    std::sort(limits.begin(), limits.end(),
              [](const KeyValue& a, const KeyValue& b) { return a.key < b.key; });
    PrintEntries(limits, ",", &entry.value);
  }
  return in.lex.Read('}', "expects '}' after result_accuracy");
}
void PrintResultAccuracy(const AttrValue& value, const AttrDef&, const AttrPrinter&,
                         std::string* out) {
  PrintEntries(std::get<KeyValues>(value), ",", out);
}

bool ReadBackendConfig(AttrReader& in, const AttrDef&, AttrValue* value) {
  auto& text = value->emplace<std::string>();
  if (in.lex.Peek() != '{') return in.lex.ReadString(&text);
  std::string_view braces;
  if (!in.lex.ReadBraces(&braces)) return false;
  text = braces;
  return true;
}
// A quoted text that happens to be balanced braces reads back to the same value unquoted.
void PrintBackendConfig(const AttrValue& value, const AttrDef& def, const AttrPrinter& to,
                        std::string* out) {
  if (!to.options.backend_config) return;
  const std::string& text = std::get<std::string>(value);
  if (text.empty()) return;
  Diagnostics ignored;
  Lexer lexer(text, &ignored);
  std::string_view braces;
  if (text.front() == '{' && lexer.ReadBraces(&braces) && braces.size() == text.size()) {
    out->append(text);
  } else {
    PrintString(value, def, to, out);
  }
}

bool ReadRawBraces(AttrReader& in, const AttrDef&, AttrValue* value) {
  std::string_view braces;
  if (!in.lex.ReadBraces(&braces)) return false;
  *value = std::string(braces);
  return true;
}
void PrintRawBraces(const AttrValue& value, const AttrDef&, const AttrPrinter&, std::string* out) {
  out->append(std::get<std::string>(value));
}

}  // namespace hlo
