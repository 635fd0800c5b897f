#include "engine/hlo/attribute_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "engine/hlo/suggestion.h"
#include "engine/types/literal.h"

namespace hlo {
namespace {

constexpr AttrText kTexts[] = {
#define ATTR_KIND(name, type, syntax) {Read##name, Print##name},
#include "engine/ops/attr_kind.def"
};

// How kinds of attributes are printed that are not all like the others.
struct PrintRule {
  AttrKind kind;
  int rank;                   // AttrPrintRank; 0 for kinds that have no row
  bool says_something_empty;  // {} is printed: a backend has it, a tuple of no elements is sharded
};
constexpr PrintRule kPrintRules[] = {
    {AttrKind::kRegion, 1, false},         {AttrKind::kRegions, 1, false},
    {AttrKind::kSharding, 2, true},        {AttrKind::kKeyValues, 3, false},
    {AttrKind::kInstructions, 4, false},   {AttrKind::kStatistics, 5, false},
    {AttrKind::kResultAccuracy, 6, false}, {AttrKind::kOrigin, 7, false},
    {AttrKind::kMetadata, 8, false},       {AttrKind::kBackendConfig, 9, true},
};

PrintRule PrintRuleOf(AttrKind kind) {
  for (const PrintRule& row : kPrintRules) {
    if (row.kind == kind) return row;
  }
  return {kind, 0, false};
}

// "random distribution" is a distribution.
std::string_view ShortNoun(std::string_view noun) {
  for (std::string_view prefix : {"random ", "custom-call "}) {
    if (noun.substr(0, prefix.size()) == prefix) return noun.substr(prefix.size());
  }
  return noun;
}

// The index of a word among the attribute's words, or nothing, with a suggestion in the fault.
std::optional<int64_t> ReadWordIndex(AttrReader& in, const AttrDef& def) {
  const std::string_view noun = def.noun.empty() ? def.name : def.noun;
  Range range = in.lex.TokenRange();
  std::string_view word = in.lex.ConsumeIdentifier();
  if (word.empty()) {
    in.lex.Fail(fmt::format("expects {}", noun));
    return {};
  }
  if (auto found = FindWord(def.words, word, def.ignore_case)) return static_cast<int64_t>(*found);
  // XLA tells apart the two ways in which an API version can be wrong.
  const std::string_view how = word == "API_VERSION_UNSPECIFIED" ? "Invalid" : "Unknown";
  Diagnostic& d = in.lex.diagnostics().Report(
      DiagCode::kAttributeValue, range,
      fmt::format("expects {} but sees: {}, error: {} {}: {}; expects one of: {}", noun, word, how,
                  ShortNoun(noun), word, fmt::join(def.words, ", ")));
  AddSuggestion(word, def.words, range, &d);
  return {};
}

}  // namespace

std::optional<size_t> FindWord(std::span<const std::string_view> words, std::string_view word,
                               bool ignore_case) {
  auto same = [&](std::string_view candidate) {
    return candidate.size() == word.size() &&
           std::equal(word.begin(), word.end(), candidate.begin(), [&](char a, char b) {
             return a == b || (ignore_case && (a | 0x20) == (b | 0x20) && IsLetter(a));
           });
  };
  for (size_t i = 0; i < words.size(); ++i) {
    if (same(words[i])) return i;
  }
  return std::nullopt;
}

const AttrText& GetAttrText(AttrKind kind) { return kTexts[static_cast<size_t>(kind)]; }

int AttrPrintRank(AttrKind kind) { return PrintRuleOf(kind).rank; }

std::string AttrValueText(const AttrValue& value, const AttrDef& def, const AttrPrinter& to) {
  std::string text;
  GetAttrText(def.kind).print(value, def, to, &text);
  if (def.always_printed) return text;
  const bool is_default = (text == "{}" && !PrintRuleOf(def.kind).says_something_empty) ||
                          text == (def.default_text.empty() ? "false" : def.default_text);
  if (is_default) text.clear();
  return text;
}

bool AttrReader::Fail(Range range, std::string message) {
  lex.diagnostics().Report(DiagCode::kAttributeValue, range, std::move(message));
  return false;
}

bool AttrReader::FailSharding(Range range, std::string message) {
  lex.diagnostics().Report(DiagCode::kShardingInvalid, range, std::move(message));
  return false;
}

std::optional<Shape> AttrReader::ReadShape() {
  uint32_t consumed = 0;
  std::string_view rest = lex.Rest();
  if (levels_left() < 0) {
    lex.diagnostics().Report(
        DiagCode::kRecursionLimit, lex.TokenRange(),
        fmt::format("maximum recursion depth exceeded: this is nested more than {} levels deep",
                    levels_left() + levels_around()));
    return std::nullopt;
  }
  std::optional<Shape> shape = ParseShape(rest, lex.pos(), &consumed, lex.diagnostics(),
                                          {.max_depth = levels_left(), .goes_on = true});
  if (shape) lex.Advance(consumed);
  return shape;
}

bool ReadBool(AttrReader& in, const AttrDef&, AttrValue* value) {
  bool is_true = in.lex.ConsumeWord("true");
  if (!is_true && !in.lex.ConsumeWord("false")) return in.lex.Fail("expects true or false");
  *value = is_true;
  return true;
}
void PrintBool(const AttrValue& value, const AttrDef&, const AttrPrinter&, std::string* out) {
  out->append(std::get<bool>(value) ? "true" : "false");
}

bool ReadInt(AttrReader& in, const AttrDef&, AttrValue* value) {
  int64_t number = 0;
  if (!in.lex.ReadInt(&number)) return false;
  *value = number;
  return true;
}
void PrintInt(const AttrValue& value, const AttrDef&, const AttrPrinter&, std::string* out) {
  fmt::format_to(std::back_inserter(*out), "{}", std::get<int64_t>(value));
}

bool ReadInt32(AttrReader& in, const AttrDef& def, AttrValue* value) {
  const Range range = in.lex.TokenRange();
  if (!ReadInt(in, def, value)) return false;
  const int64_t number = std::get<int64_t>(*value);
  return number == static_cast<int32_t>(number) || in.Fail(range, "value out of range for int32_t");
}
void PrintInt32(const AttrValue& value, const AttrDef& def, const AttrPrinter& to,
                std::string* out) {
  PrintInt(value, def, to, out);
}

bool ReadFloat(AttrReader& in, const AttrDef&, AttrValue* value) {
  const Range range = in.lex.TokenRange();
  double number = 0;
  if (!in.lex.ReadNumber(&number)) return false;
  if (std::abs(number) > std::numeric_limits<float>::max()) {
    return in.Fail(range, "value out of range for float");
  }
  *value = number;
  return true;
}
void PrintFloat(const AttrValue& value, const AttrDef&, const AttrPrinter&, std::string* out) {
  fmt::format_to(std::back_inserter(*out), "{:g}", std::get<double>(value));
}

bool ReadString(AttrReader& in, const AttrDef&, AttrValue* value) {
  return in.lex.ReadString(&value->emplace<std::string>());
}
void PrintString(const AttrValue& value, const AttrDef&, const AttrPrinter&, std::string* out) {
  out->push_back('"');
  AppendEscaped(std::get<std::string>(value), out);
  out->push_back('"');
}

bool ReadWord(AttrReader& in, const AttrDef& def, AttrValue* value) {
  std::optional<int64_t> index = ReadWordIndex(in, def);
  if (index) *value = *index;
  return index.has_value();
}
void PrintWord(const AttrValue& value, const AttrDef& def, const AttrPrinter&, std::string* out) {
  out->append(def.words[static_cast<size_t>(std::get<int64_t>(value))]);
}

bool ReadWordList(AttrReader& in, const AttrDef& def, AttrValue* value) {
  Dims& words = value->emplace<Dims>();
  return ReadList(in.lex, '{', '}', [&] {
    std::optional<int64_t> index = ReadWordIndex(in, def);
    if (index) words.push_back(*index);
    return index.has_value();
  });
}
// A list in which every word is the default is left out, as in XLA.
void PrintWordList(const AttrValue& value, const AttrDef& def, const AttrPrinter&,
                   std::string* out) {
  const Dims& words = std::get<Dims>(value);
  if (std::all_of(words.begin(), words.end(), [](int64_t i) { return i == 0; })) return;
  out->push_back('{');
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out->push_back(',');
    out->append(def.words[static_cast<size_t>(words[i])]);
  }
  out->push_back('}');
}

bool ReadShape(AttrReader& in, const AttrDef&, AttrValue* value) {
  std::optional<Shape> shape = in.ReadShape();
  if (shape) *value = std::move(*shape);
  return shape.has_value();
}
void PrintShape(const AttrValue& value, const AttrDef&, const AttrPrinter& to, std::string* out) {
  AppendShape(std::get<Shape>(value), {.layout = to.options.layouts}, out);
}

}  // namespace hlo
