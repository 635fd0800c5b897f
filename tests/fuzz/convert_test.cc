// Programs with other element types and with names that mean something: what is converted to the
// other dialect is read there, and means the same text when it comes back.
#include <string>
#include <string_view>
#include <vector>

#include "engine/views/convert_view.h"
#include "engine/views/document.h"
#include "tests/fuzz/mutation.h"

namespace hlo {
namespace {

constexpr int kConvertRounds = 1500;

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '-';
}

// The words of a text behind its header, with their places.
std::vector<std::pair<size_t, size_t>> WordsOf(const std::string& text) {
  std::vector<std::pair<size_t, size_t>> words;
  for (size_t begin = 0; begin < text.size();) {
    if (text.compare(begin, 2, "//") == 0) {
      begin = std::min(text.find('\n', begin), text.size());
      continue;
    }
    size_t end = begin;
    while (end < text.size() && IsNameCharacter(text[end])) ++end;
    if (end > begin) words.emplace_back(begin, end - begin);
    begin = end + 1;
  }
  return words;
}

// Some of the words that are one of `from` become another one of it.
std::string WithOthers(std::string text, std::span<const std::string_view> from, Random& random) {
  auto words = WordsOf(text);
  for (auto word = words.rbegin(); word != words.rend(); ++word) {
    const std::string_view is = std::string_view(text).substr(word->first, word->second);
    if (std::find(from.begin(), from.end(), is) == from.end() || random.Below(4) > 0) continue;
    text.replace(word->first, word->second, from[random.Below(from.size())]);
  }
  return text;
}

// A word of the text, wherever it stands, becomes another one.
std::string Renamed(std::string text, std::string_view prefix, std::string_view name,
                    Random& random) {
  const auto words = WordsOf(text);
  if (words.empty()) return text;
  const auto [at, size] = words[random.Below(words.size())];
  const std::string old = std::string(prefix) + text.substr(at, size);
  for (size_t i = words.size(); i-- > 0;) {
    const size_t begin = words[i].first - std::min(prefix.size(), words[i].first);
    const size_t length = words[i].first + words[i].second - begin;
    if (std::string_view(text).substr(begin, length) != old) continue;
    text.replace(begin, length, std::string(prefix) + std::string(name));
  }
  return text;
}

// Whether the text was converted. What is, is read without a fault, and is converted back and there
// again to the same text.
bool Converts(const std::string& text, TextKind to) {
  const Document document(text);
  if (!document.ok()) return false;
  const ConvertView there = ConvertDocument(document, to);
  if (!there.ok) return false;
  INFO(text);
  INFO(there.text);
  const Document back(there.text);
  for (const Diagnostic& d : back.diagnostics().list()) {
    if (d.severity == Severity::kError) FAIL_CHECK(d.message);
  }
  if (back.ok()) CHECK(ConvertDocument(back, to).text == there.text);
  return true;
}

const std::vector<std::string>& HloPrograms() {
  static const std::vector<std::string> kPrograms = GoldenPrograms({"ops/add.hlo",
                                                                    "ops/all-gather.hlo",
                                                                    "ops/all-reduce.hlo",
                                                                    "ops/all-to-all.hlo",
                                                                    "ops/batch-norm-training.hlo",
                                                                    "ops/broadcast.hlo",
                                                                    "ops/call.hlo",
                                                                    "ops/cholesky.hlo",
                                                                    "ops/clamp.hlo",
                                                                    "ops/collective-permute.hlo",
                                                                    "ops/compare.hlo",
                                                                    "ops/concatenate.hlo",
                                                                    "ops/conditional.hlo",
                                                                    "ops/convert.hlo",
                                                                    "ops/convolution.hlo",
                                                                    "ops/copy.hlo",
                                                                    "ops/dot.hlo",
                                                                    "ops/dynamic-slice.hlo",
                                                                    "ops/dynamic-update-slice.hlo",
                                                                    "ops/fft.hlo",
                                                                    "ops/fusion.hlo",
                                                                    "ops/gather.hlo",
                                                                    "ops/get-tuple-element.hlo",
                                                                    "ops/map.hlo",
                                                                    "ops/pad.hlo",
                                                                    "ops/power.hlo",
                                                                    "ops/reduce.hlo",
                                                                    "ops/reduce-scatter.hlo",
                                                                    "ops/reduce-window.hlo",
                                                                    "ops/reshape.hlo",
                                                                    "ops/reverse.hlo",
                                                                    "ops/scatter.hlo",
                                                                    "ops/select.hlo",
                                                                    "ops/select-and-scatter.hlo",
                                                                    "ops/slice.hlo",
                                                                    "ops/sort.hlo",
                                                                    "ops/transpose.hlo",
                                                                    "ops/triangular-solve.hlo",
                                                                    "ops/tuple.hlo",
                                                                    "ops/while.hlo"});
  return kPrograms;
}

const std::vector<std::string>& MlirPrograms() {
  static const std::vector<std::string> kPrograms =
      GoldenPrograms({"mlir/chlo.mlir", "mlir/forms.mlir", "mlir/interpreter.mlir", "mlir/jax.mlir",
                      "mlir/ops.mlir", "mlir/printed.mlir", "mlir/regions.mlir"});
  return kPrograms;
}

// As HLO and as MLIR writes element types.
constexpr std::string_view kHloTypes[] = {"f32", "f64", "f16", "bf16", "f8e4m3fn", "c64",
                                          "s32", "s8",  "u64", "pred", "s4",       "s64"};

// Words of the two languages.
constexpr std::string_view kNames[] = {
    "ROOT",   "ENTRY",      "HloModule", "token", "opaque",   "tuple",    "pred",  "s32",
    "f32",    "true",       "false",     "inf",   "nan",      "e1",       "main",  "entry",
    "add",    "parameter",  "module",    "func",  "return",   "call",     "loc",   "dense",
    "tensor", "attributes", "region",    "state", "results",  "arg0",     "c",     "cst",
    "c_0",    "v0",         "iterArg",   "0",     "12",       "a.b",      "a-b",   "_",
    "T",      "u4",         "c128",      "bf16",  "init",     "inits",    "cond",  "do",
    "across", "dims",       "x",         "none",  "constant", "to_apply", "x.1.2", "x_1",
    "-1",     "1-"};

TEST_CASE("HLO with other element types: what has a counterpart is read there") {
  REQUIRE(HloPrograms().size() > 100);
  Random random(11);
  int converted = 0;
  for (int round = 0; round < FuzzRounds(kConvertRounds); ++round) {
    const std::string& program = HloPrograms()[random.Below(HloPrograms().size())];
    converted += Converts(WithOthers(program, kHloTypes, random), TextKind::kMlir);
  }
  CHECK(converted > FuzzRounds(kConvertRounds) / 20);
}

TEST_CASE("HLO with names that are words: StableHLO of it is read, and itself as HLO") {
  Random random(12);
  int converted = 0;
  for (int round = 0; round < FuzzRounds(kConvertRounds); ++round) {
    const std::string& program = HloPrograms()[random.Below(HloPrograms().size())];
    const std::string_view name = kNames[random.Below(std::size(kNames))];
    converted += Converts(Renamed(program, "", name, random), TextKind::kMlir);
  }
  CHECK(converted > FuzzRounds(kConvertRounds) / 20);
}

TEST_CASE("StableHLO with names that are words: HLO of it is read, and StableHLO of that") {
  REQUIRE(MlirPrograms().size() > 50);
  Random random(13);
  int converted = 0;
  for (int round = 0; round < FuzzRounds(kConvertRounds); ++round) {
    const std::string& program = MlirPrograms()[random.Below(MlirPrograms().size())];
    const std::string_view name = kNames[random.Below(std::size(kNames))];
    const std::string text = Renamed(program, round % 2 == 0 ? "%" : "@", name, random);
    converted += Converts(text, TextKind::kHlo);
    Converts(text, TextKind::kMlir);
  }
  CHECK(converted > FuzzRounds(kConvertRounds) / 10);
}

}  // namespace
}  // namespace hlo
