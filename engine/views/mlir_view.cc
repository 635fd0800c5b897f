#include "engine/views/mlir_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <utility>

#include "engine/mlir/importer.h"
#include "engine/mlir/text/cursor.h"
#include "engine/mlir/text/tokens.h"
#include "engine/mlir/text/type_reader.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

std::string_view Slice(std::string_view text, Range range) {
  return text.substr(range.begin, range.end - range.begin);
}

std::string Unquoted(std::string_view name) {
  return std::string(name.starts_with('"') ? name.substr(1, name.size() - 2) : name);
}

void DescribeOp(std::string_view name, PlaceView& view) {
  const auto opcode = MlirOpcode(name);
  view.title = name;
  view.lines.clear();
  if (!opcode) return;
  const OpDef& def = GetOpDef(*opcode);
  if (!def.operands.empty()) view.title += fmt::format("({})", fmt::join(def.operands, ", "));
  view.lines.emplace_back(def.doc);
  if (!def.types.empty()) view.lines.push_back(fmt::format("Types: {}.", def.types));
  view.lines.push_back(fmt::format("As HLO: {}.", Text(*opcode)));
}

// The type around an offset, such as `tensor<4x8xf32>`, as a shape.
bool DescribeType(const Document& document, uint32_t offset, PlaceView& view) {
  constexpr std::string_view kTensor = "tensor<";
  const std::string_view text = document.text();
  const size_t begin = text.rfind(kTensor, offset);
  if (begin == std::string_view::npos) return false;
  mlir::Cursor in(text);
  in.set_position(begin + kTensor.size() - 1);
  if (!in.SkipGroup() || in.position() < offset) return false;
  const Range range{static_cast<uint32_t>(begin), static_cast<uint32_t>(in.position())};
  in.set_position(begin);
  mlir::Program program;
  Diagnostics faults;
  const mlir::Type* type = mlir::TypeReader(in, program, faults).ReadTensor();
  if (!type || type->kind != mlir::Type::Kind::kShape) return false;
  view.kind = "shape";
  view.range = range;
  view.shape = ShapeSummary(type->shape);
  view.title = view.shape;
  view.lines = ShapeLines(type->shape);
  return true;
}

const Instruction* DefinedAt(const Document& document, Range name) {
  if (!document.module()) return nullptr;
  for (const Computation& computation : document.module()->computations()) {
    // Regions have copies of constants from outside, with their places.
    const Range all = computation.range();
    if (name.begin < all.begin || name.end > all.end) continue;
    for (const Instruction& instruction : computation.instructions()) {
      const Range range = instruction.places().name;
      if (range.begin == name.begin && range.end >= name.end) return &instruction;
    }
  }
  return nullptr;
}

// The `#1` of `%r#1` at the end of a name; empty if there is none.
std::string_view PartAfter(std::string_view text, size_t end) {
  if (end >= text.size() || text[end] != '#') return "";
  size_t last = end + 1;
  while (last < text.size() && IsDigit(text[last])) ++last;
  return text.substr(end, last - end);
}

// The element of an operation's results that `#1` says; without one what has all of them.
const Instruction* ElementAt(const Instruction& all, std::string_view part) {
  int64_t index = 0;
  if (part.size() < 2 || !all.shape().IsTuple()) return &all;
  std::from_chars(part.data() + 1, part.data() + part.size(), index);
  for (const Instruction& each : all.parent()->instructions()) {
    const bool is_element = each.opcode() == Opcode::kGetTupleElement && each.operand(0) == &all;
    if (is_element && each.attrs().Int("index") == index) return &each;
  }
  return &all;
}

// Whether a text begins with the end of a line: nothing follows but a comment or a closing brace.
bool EndsLine(std::string_view text) {
  const size_t next = text.find_first_not_of(" \t\r");
  if (next == std::string_view::npos) return true;
  const std::string_view rest = text.substr(next);
  return rest[0] == '\n' || rest[0] == '}' || rest.starts_with("//");
}

class MlirCompleter {
 public:
  MlirCompleter(const Document& document, CompletionView& view)
      : document_(document), view_(view) {}

  /// At the end of a line an op is inserted with what it needs; before its operands, the name.
  void AddOps(bool has_forms) {
    const auto add_form = [&](CompletionItem& item) {
      if (!has_forms) return;
      MlirForm form = MakeMlirForm(item.label);
      item.insert = std::move(form.text);
      item.stops = std::move(form.stops);
    };
    for (std::string& name : MlirOpNames()) {
      const auto opcode = MlirOpcode(name);
      std::string detail, doc;
      if (opcode) {
        const OpDef& def = GetOpDef(*opcode);
        detail = fmt::format("({})", fmt::join(def.operands, ", "));
        doc = def.doc;
      }
      view_.items.push_back({std::move(name), "opcode", std::move(detail), std::move(doc)});
      add_form(view_.items.back());
    }
    for (std::string_view word : {"return", "stablehlo.return", "func.func", "module"}) {
      Add(word, "keyword");
      add_form(view_.items.back());
    }
  }
  void AddValues(const std::vector<Token>& tokens) {
    const std::string_view text = document_.text();
    // Shapes by the place of their values' definitions, collected once.
    std::unordered_map<uint32_t, const Instruction*> defined;
    if (document_.module()) {
      for (const Computation& computation : document_.module()->computations()) {
        for (const Instruction& each : computation.instructions()) {
          defined.emplace(each.places().name.begin, &each);
        }
      }
    }
    for (Range range : MlirValuesBefore(text, tokens, view_.from)) {
      const auto it = defined.find(range.begin);
      Add(Slice(text, range), "name", it == defined.end() ? "" : ShapeSummary(it->second->shape()));
    }
  }
  void AddFunctions(const std::vector<Token>& tokens) {
    for (size_t i = 1; i < tokens.size(); ++i) {
      const std::string_view before = Slice(document_.text(), tokens[i - 1].range);
      const std::string_view word = Slice(document_.text(), tokens[i].range);
      const bool defines = tokens[i - 1].kind == TokenKind::kKeyword && before != "module";
      if (word[0] == '@' && defines) Add(word, "computation");
    }
  }
  void AddTypes() {
    for (std::string_view word : {"tensor", "tuple", "complex"}) {
      Add(word, "type", "", fmt::format("{}<", word));
    }
    Add("!stablehlo.token", "type");
  }
  void AddElementTypes() {
    for (const ElementTypeInfo& info : ElementTypes()) {
      std::string word(info.text);
      if (word == "pred") {
        word = "i1";
      } else if (word[0] == 's') {
        word[0] = 'i';
      } else if (word[0] == 'u') {
        word = "ui" + word.substr(1);
      } else if (word[0] == 'f' && info.bits <= 8) {
        std::transform(word.begin() + 1, word.end(), word.begin() + 1, Upper);
      }
      if (mlir::ScalarType(word)) Add(word, "type", fmt::format("{} bits", info.bits));
    }
  }

 private:
  static char Upper(char c) { return c >= 'a' && c <= 'z' && c != 'b' ? c - 'a' + 'A' : c; }
  void Add(std::string_view label, std::string_view kind, std::string detail = "",
           std::string insert = "") {
    view_.items.push_back({std::string(label), kind, std::move(detail), "", std::move(insert)});
  }

  const Document& document_;
  CompletionView& view_;
};

}  // namespace

void AddMlirPlace(const Document& document, uint32_t offset, PlaceView& view) {
  const std::string_view text = document.text();
  const std::vector<Token> tokens = TokenizeMlir(text);
  const MlirName name = MlirNameAt(text, tokens, offset);
  if (name.range.end > name.range.begin) {
    view.range = name.range;
    view.uses = name.uses;
    view.definition.reset();
    if (name.is_defined) view.definition = name.definition;
    const std::string_view word = Slice(text, name.range);
    if (word[0] == '@') view.kind = "computation";
    const Instruction* defined = name.is_defined ? DefinedAt(document, name.definition) : nullptr;
    const std::string_view part = PartAfter(text, name.range.end);
    if (defined) defined = ElementAt(*defined, part);
    if (defined) {
      view.kind = name.definition.begin == name.range.begin ? "instruction" : "operand";
      view.instruction = defined->name();
      view.opcode = Text(defined->opcode());
      view.shape = ShapeSummary(defined->shape());
      view.lines = ShapeLines(defined->shape());
    }
    if (defined || view.title.empty()) {
      view.title = fmt::format("{}{}{}", word, view.shape.empty() ? "" : ": ", view.shape);
      view.title.insert(word.size(), part);
    }
    return;
  }
  if (DescribeType(document, offset, view)) return;
  auto touches = [&](const Token& token) {
    return token.range.begin <= offset && offset <= token.range.end &&
           token.kind == TokenKind::kOpcode;
  };
  const auto op = std::find_if(tokens.begin(), tokens.end(), touches);
  if (op == tokens.end()) return;
  view.kind = "opcode";
  view.range = op->range;
  DescribeOp(Unquoted(Slice(text, op->range)), view);
}

CompletionView MakeMlirCompletion(const Document& document, uint32_t offset) {
  const std::string_view text = document.text();
  const std::vector<Token> tokens = TokenizeMlir(text);
  CompletionView view;
  view.from = offset;
  auto in_word = [&](char c) { return mlir::IsWordCharacter(c) || c == '"'; };
  while (view.from > 0 && in_word(text[view.from - 1])) --view.from;
  const char sigil = view.from > 0 ? text[view.from - 1] : '\0';
  if (sigil == '%' || sigil == '@' || sigil == '!') --view.from;
  // The last token that ends before the word.
  std::string_view last;
  for (const Token& token : tokens) {
    const bool is_text = token.kind == TokenKind::kComment || text[token.range.begin] == '"';
    if (is_text && token.range.begin < offset && offset <= token.range.end) return view;
    if (token.range.end > view.from) break;
    if (token.kind != TokenKind::kComment) last = Slice(text, token.range);
  }
  const size_t line = text.substr(0, view.from).find_last_of('\n');
  const size_t begin = line == std::string_view::npos ? 0 : line + 1;
  const bool line_start =
      text.substr(begin, view.from - begin).find_first_not_of(" \t") == std::string_view::npos;
  MlirCompleter completer(document, view);
  // Sizes of a type are part of the word: `4x8xf`.
  const std::string_view word = text.substr(view.from, offset - view.from);
  const size_t sizes = word.find_last_of('x');
  const bool in_type = last == "<" || last.ends_with('x');
  if (in_type && sizes != std::string_view::npos && IsDigit(word[0])) {
    view.from += static_cast<uint32_t>(sizes) + 1;
  }
  if (sigil == '%') {
    completer.AddValues(tokens);
  } else if (sigil == '@') {
    completer.AddFunctions(tokens);
  } else if (in_type) {
    completer.AddElementTypes();
  } else if (line_start || last == "=") {
    completer.AddOps(EndsLine(text.substr(offset)));
  } else if (last == ":" || last == "->" || sigil == '!') {
    completer.AddTypes();
  } else if (last == "(" || last == "," || last.find('.') != std::string_view::npos) {
    completer.AddValues(tokens);
  }
  return view;
}

}  // namespace hlo
