#include "engine/views/foreign_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "engine/base/characters.h"
#include "engine/views/line_words.h"

namespace hlo {
namespace {

constexpr std::string_view kWhite = " \t\r\f\v";
constexpr size_t kMostBytes = 20000;

constexpr std::string_view kFromJax =
    "To see the program that JAX makes of a function, print jax.jit(f).lower(x).as_text() "
    "(StableHLO) or jax.jit(f).lower(x).compile().as_text() (HLO) and paste that";

bool HasAny(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [text](std::string_view word) {
    return text.find(word) != std::string_view::npos;
  });
}

std::string_view WithoutBlanks(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(kWhite), line.size()));
  return line.substr(0, line.find_last_not_of(kWhite) + 1);
}

// Whether one of the first lines, blanks at its ends left out, is something.
template <typename Test>
bool AnyLine(std::string_view text, Test test) {
  for (size_t count = 0; count < kTellingLines && !text.empty(); ++count) {
    const size_t end = std::min(text.find('\n'), text.size());
    if (test(WithoutBlanks(text.substr(0, end)))) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

// Nothing but HLO has these.
bool HasHlo(std::string_view text) {
  return AnyLine(text, [](std::string_view line) {
    return BeginsWithAny(line, {"HloModule", "ENTRY ", "ROOT "});
  });
}

bool IsJaxpr(std::string_view text) {
  const std::string_view first = WithoutBlanks(text);
  return (first.starts_with("{") && first.substr(0, 40).find("lambda") != std::string_view::npos) ||
         BeginsWithAny(first, {"ClosedJaxpr", "Jaxpr(", "let "}) ||
         HasAny(text, {"pjit[\n", "jaxpr={ lambda"});
}

bool IsTraceback(std::string_view text) {
  return AnyLine(text, [](std::string_view line) {
    return line.starts_with("Traceback (most recent call last)");
  });
}

bool IsPython(std::string_view text) {
  return AnyLine(text, [](std::string_view line) {
    const bool is_statement =
        BeginsWithAny(line, {">>> ", "@jax.", "@jit", "@partial(", "@functools."}) ||
        (line.starts_with("import ") && !HasAny(line, {"="})) ||
        (line.starts_with("from ") && HasAny(line, {" import "})) ||
        (BeginsWithAny(line, {"def ", "class ", "with ", "for ", "while ", "if "}) &&
         line.ends_with(":"));
    return is_statement || BeginsWithAny(line, {"print(", "return jnp.", "return np."}) ||
           HasAny(line, {"= jax.", "= jnp.", "= np.", "= torch.", "= tf.", "= lambda "});
  });
}

bool IsBinary(std::string_view text) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  size_t strange = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_control = text[i] >= '\0' && text[i] < ' ' && kWhite.find(text[i]) == kWhite.npos;
    strange += (is_control && text[i] != '\n') || text.substr(i, 3) == kReplacement;
  }
  return strange > 3 && strange * 50 > text.size();
}

bool IsC(std::string_view text) {
  return AnyLine(text, [](std::string_view line) {
    return BeginsWithAny(line, {"#include", "#pragma", "#define ", "using namespace", "int main("});
  });
}

bool IsLlvm(std::string_view text) {
  return AnyLine(text, [](std::string_view line) {
    return BeginsWithAny(line, {"; ModuleID", "target triple", "target datalayout", "define ",
                                "source_filename"}) &&
           !HasAny(line, {" = f", " = s"});
  });
}

bool IsPtx(std::string_view text) {
  return AnyLine(text, [](std::string_view line) {
    return BeginsWithAny(line, {".version ", ".target sm_", ".visible .entry", "// .globl"});
  });
}

bool IsJson(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || (text[begin] != '{' && text[begin] != '[')) return false;
  const size_t next = text.find_first_not_of(" \t\r\n", begin + 1);
  return next != std::string_view::npos && (text[next] == '"' || text.substr(begin, 2) == "[{");
}

bool IsMarkup(std::string_view text) {
  return BeginsWithAny(text, {"<!DOCTYPE", "<!doctype", "<html", "<?xml", "<svg"});
}

bool IsDot(std::string_view text) { return BeginsWithAny(text, {"digraph", "strict digraph"}); }

// Words without any of the signs that a program has.
bool IsProse(std::string_view text) {
  constexpr size_t kFewestWords = 4;
  if (text.find_first_of("=%[{") != std::string_view::npos) return false;
  size_t words = 0;
  bool in_word = false;
  for (char c : text) {
    const bool is_white = c == '\n' || kWhite.find(c) != std::string_view::npos;
    words += !is_white && !in_word;
    in_word = !is_white;
  }
  return words >= kFewestWords;
}

// What a text may be, and the sentence about it.
struct Row {
  bool (*recognise)(std::string_view text);
  std::string_view what;
  std::string_view advice;
};

constexpr Row kRows[] = {
    {IsBinary, "binary data",
     "A text has to be UTF-8, not UTF-16, and an HLO protocol buffer whole; a program of JAX is "
     "printed by .as_text()"},
    {IsTraceback, "a Python traceback",
     "Paste the HLO or StableHLO text of the program that it is about"},
    {IsJaxpr, "a jaxpr", kFromJax},
    {IsC, "C or C++", "Paste HLO or StableHLO text"},
    {IsLlvm, "LLVM IR",
     "XLA writes the HLO before it with --xla_dump_to=DIR --xla_dump_hlo_as_text"},
    {IsPtx, "PTX", "XLA writes the HLO before it with --xla_dump_to=DIR --xla_dump_hlo_as_text"},
    {IsDot, "a graph for Graphviz",
     "XLA writes the same program as text with --xla_dump_to=DIR --xla_dump_hlo_as_text"},
    {IsPython, "Python", kFromJax},
    {IsMarkup, "a web page or picture", "Paste HLO or StableHLO text"},
    {IsJson, "JSON", "Paste HLO or StableHLO text"},
    {IsProse, "plain words",
     "A program begins with HloModule, ENTRY, or a line such as "
     "`y = f32[2,3] add(x, x)`; the examples show more"},
};

const Row* RowOf(std::string_view text) {
  text = text.substr(0, kMostBytes);
  while (const size_t space = SpaceLength(text, 0)) text.remove_prefix(space);
  if (HasHlo(text)) return nullptr;
  const Row* row = std::find_if(std::begin(kRows), std::end(kRows),
                                [text](const Row& candidate) { return candidate.recognise(text); });
  return row == std::end(kRows) ? nullptr : row;
}

}  // namespace

bool LooksForeign(std::string_view text) { return RowOf(text) != nullptr; }

void ReportForeign(std::string_view text, Diagnostics& diagnostics) {
  const Row* row = RowOf(text);
  if (!row) return;
  size_t begin = 0;
  while (const size_t space = SpaceLength(text, begin)) begin += space;
  const size_t end = std::min(text.find('\n', begin), text.size());
  diagnostics.Report(DiagCode::kSyntaxError,
                     {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)},
                     fmt::format("This is not HLO: it looks like {}. {}.", row->what, row->advice));
}

}  // namespace hlo
