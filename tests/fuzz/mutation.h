// Changes to texts that parsers must survive, the same ones for every language.
#ifndef HLO_TESTS_FUZZ_MUTATION_H_
#define HLO_TESTS_FUZZ_MUTATION_H_

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "doctest/doctest.h"
#include "engine/base/diagnostics.h"
#include "engine/run/random.h"
#include "engine/views/document.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/run_view.h"
#include "tests/all_targets.h"
#include "tests/golden/read_file.h"

namespace hlo {

/// How many texts to make: HLO_FUZZ_ROUNDS for a long run by hand.
inline int FuzzRounds(int usual) {
  const char* rounds = std::getenv("HLO_FUZZ_ROUNDS");
  return rounds ? std::atoi(rounds) : usual;
}

/// The seed of the mutations: HLO_FUZZ_SEED for other ones.
inline uint64_t FuzzSeed(uint64_t usual) {
  const char* seed = std::getenv("HLO_FUZZ_SEED");
  return seed ? std::strtoull(seed, nullptr, 10) : usual;
}

/// The cases of a golden file, without a word when there is no such file.
inline void AddGoldenCases(const std::string& path, std::vector<std::string>* programs) {
  const std::string all = ReadFile(path);
  for (size_t begin = 0; begin < all.size();) {
    const size_t end = std::min(all.find("// -----\n", begin), all.size());
    programs->push_back(all.substr(begin, end - begin));
    begin = end + 9;
  }
}

/// Runs what was accepted, within limits: it ends with a result or says why not, and never with a
/// fault of the engine.
inline void CheckRun(const std::shared_ptr<const Document>& document, bool trace) {
  RunRequest request;
  request.options = OptionsWithTargets();
  request.trace = trace;
  request.limits = {.memory_bytes = 64 << 20, .steps = 20000, .seconds = 2};
  const auto record = RunDocument(document, request);
  CHECK(record->output.has_value() != record->diagnostics.has_errors());
  for (const Diagnostic& diagnostic : record->diagnostics.list()) {
    INFO(diagnostic.message);
    CHECK(diagnostic.code != DiagCode::kInternalFault);
  }
  JsonText(RunJson(*record, 1));
}

/// What both languages are made of; a text's own bits come on top.
constexpr std::string_view kCommonBits[] = {
    "{",     "}",    "(", ")",  "[", "]",  "<",  ">",
    ",",     "=",    ":", "\"", "?", "->", "-1", "9223372036854775807",
    "1e999", "\xff", "\n"};

/// One of the texts after one to four changes: a bit of the language (or one common to all) put in,
/// characters lost or changed, a piece of the text or of another one copied, a digit changed, the
/// end cut off. There is at least one text.
inline std::string Mutate(std::span<const std::string> texts,
                          std::span<const std::string_view> bits, Random& random) {
  std::string text = texts[random.Below(texts.size())];
  for (uint64_t n = 1 + random.Below(4); n > 0; --n) {
    const size_t at = random.Below(text.size() + 1);
    switch (random.Below(7)) {
      case 0: {
        const size_t bit = random.Below(std::size(kCommonBits) + bits.size());
        text.insert(at, bit < bits.size() ? bits[bit] : kCommonBits[bit - bits.size()]);
        break;
      }
      case 1:
        text.erase(at, 1 + random.Below(12));
        break;
      case 2:
        if (at < text.size()) text[at] = static_cast<char>(random.Next());
        break;
      case 3: {
        const std::string& other = texts[random.Below(texts.size())];
        text.insert(at, other, random.Below(other.size() + 1), random.Below(80));
        break;
      }
      case 4: {
        const size_t digit = text.find_first_of("0123456789", at);
        if (digit != std::string::npos) text[digit] = static_cast<char>('0' + random.Below(10));
        break;
      }
      case 5: {
        const std::string copy = text.substr(at, random.Below(60));
        text.insert(random.Below(text.size() + 1), copy);
        break;
      }
      default:
        // Rarely, since it takes away what the other changes were about.
        if (random.Below(4) == 0) text.resize(at);
    }
  }
  return text;
}

/// The cases of golden files, each with its header: `tests/data/` before the name, the folder and
/// the extension in it.
inline std::vector<std::string> GoldenPrograms(std::initializer_list<std::string_view> files) {
  std::vector<std::string> programs;
  for (std::string_view name : files) {
    AddGoldenCases("tests/data/" + std::string(name), &programs);
  }
  return programs;
}

/// They say something, about places in the text.
inline void CheckPlaces(const Diagnostics& diagnostics, std::string_view text) {
  for (const Diagnostic& d : diagnostics.list()) {
    CHECK(d.range.begin <= d.range.end);
    CHECK(d.range.end <= text.size());
    CHECK(!d.message.empty());
  }
}

}  // namespace hlo

#endif  // HLO_TESTS_FUZZ_MUTATION_H_
