#include "engine/views/completion_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/hlo/parser.h"
#include "engine/ops/op_def.h"
#include "engine/ops/other_names.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/names.h"

namespace hlo {
namespace {

constexpr size_t kMostItems = 1000;

// Where in an instruction a place is, as far as the tokens before it tell.
struct Context {
  enum class Kind : uint8_t {
    kNothing,
    kLineStart,  ///< a new instruction or computation may begin
    kValue,      ///< after `name =`: a type, or an opcode with an omitted shape
    kType,       ///< in a tuple shape
    kOpcode,     ///< after the result shape
    kOperand,    ///< between the parentheses
    kAttribute,  ///< after `,` behind the operands
    kAttrValue,  ///< after `attribute=`
  };
  Kind kind = Kind::kNothing;
  std::optional<Opcode> opcode;                ///< of the instruction, once it is written
  std::string_view attribute;                  ///< for kAttrValue
  std::vector<std::string_view> written = {};  ///< attributes that the instruction has before it
};

bool IsWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == '%';
}

// Reads the tokens before a place from left to right, following the syntax of an instruction: `name
// = shape opcode(operands), attribute=value, ...`.
class ContextReader {
 public:
  explicit ContextReader(std::string_view text) : text_(text) {}

  void Read(const Token& token) {
    const std::string_view word =
        text_.substr(token.range.begin, token.range.end - token.range.begin);
    if (token.kind == TokenKind::kComment) return;
    if (word == "=" && depth_ == body_depth_ && state_.kind != Context::Kind::kAttribute) {
      state_ = {Context::Kind::kValue, std::nullopt, {}};
    } else if (word == "=" && state_.kind == Context::Kind::kAttribute) {
      state_.kind = Context::Kind::kAttrValue;
      state_.attribute = last_word_;
      state_.written.push_back(last_word_);
    } else if (word == "{") {
      Open();
    } else if (word == "(") {
      if (state_.kind == Context::Kind::kOpcode || state_.kind == Context::Kind::kValue) {
        state_.opcode = OpcodeFromText(last_word_);
        if (state_.opcode) operands_depth_ = depth_ + 1, state_.kind = Context::Kind::kOperand;
      }
      ++depth_;
    } else if (word == ")" || word == "}") {
      Close();
    } else if (word == ",") {
      if (state_.opcode && depth_ == body_depth_) state_.kind = Context::Kind::kAttribute;
    } else {
      ReadWord(token, word);
    }
    last_word_ = word;
    last_end_ = token.range.end;
  }

  /// The context after the tokens read so far; `line_start`: only space precedes the place in its
  /// line.
  Context At(bool line_start) const {
    Context context = state_;
    const bool is_inside = depth_ > body_depth_;
    // In the braces of a layout, and between the elements of a tuple shape.
    if (is_inside && context.kind == Context::Kind::kOpcode) context.kind = Context::Kind::kNothing;
    if (is_inside && context.kind == Context::Kind::kValue) context.kind = Context::Kind::kType;
    if (line_start && depth_ == body_depth_) context.kind = Context::Kind::kLineStart;
    return context;
  }

 private:
  void Open() {
    // A brace outside an instruction's attributes and literals opens a computation.
    if (depth_ == body_depth_ && !InInstruction()) {
      body_depth_ = depth_ + 1;
      state_ = {Context::Kind::kLineStart, std::nullopt, {}};
    }
    ++depth_;
  }
  void Close() {
    if (depth_ > 0) --depth_;
    if (depth_ < body_depth_) {
      body_depth_ = depth_;
      state_ = {Context::Kind::kLineStart, std::nullopt, {}};
    } else if (state_.kind == Context::Kind::kOperand && depth_ < operands_depth_) {
      state_.kind = Context::Kind::kNothing;
    } else if (state_.kind == Context::Kind::kValue && depth_ == body_depth_ && last_word_ != "(") {
      state_.kind = Context::Kind::kOpcode;  // behind a tuple shape
    }
  }
  void ReadWord(const Token& token, std::string_view word) {
    const bool new_line =
        text_.substr(last_end_, token.range.begin - last_end_).find('\n') != std::string_view::npos;
    if (depth_ == body_depth_ && new_line && state_.opcode) {
      state_ = {Context::Kind::kLineStart, std::nullopt, {}};
    }
    if (word == "ROOT" && state_.kind == Context::Kind::kLineStart) {
      state_.kind = Context::Kind::kNothing;  // a name follows
    }
    const bool ends_type =
        depth_ == body_depth_ && (word.ends_with("]") || token.kind == TokenKind::kType);
    if (state_.kind == Context::Kind::kValue && ends_type) {
      state_.kind = Context::Kind::kOpcode;
    }
  }
  bool InInstruction() const {
    return state_.kind != Context::Kind::kLineStart &&
           (state_.opcode || state_.kind == Context::Kind::kValue ||
            state_.kind == Context::Kind::kOpcode);
  }

  std::string_view text_;
  std::string_view last_word_;
  uint32_t last_end_ = 0;
  int depth_ = 0;
  int body_depth_ = 0;      // depth of brackets in the computation's body
  int operands_depth_ = 0;  // depth inside the instruction's parentheses
  Context state_{Context::Kind::kLineStart, std::nullopt, {}};
};

// An instruction as it could be written behind its shape: names in the place of operands, and the
// attributes that it must have.
class Form {
 public:
  explicit Form(Opcode opcode) : text_(Text(opcode)) {
    const OpDef& def = GetOpDef(opcode);
    text_ += '(';
    bool is_first = true;
    for (std::string_view operand : def.operands) {
      if (!is_first) text_ += ", ";
      is_first = false;
      AddStop(operand);
    }
    for (const AttrDef& attr : def.attrs) {
      if (attr.use == AttrUse::kPositional) AddValue(attr);
    }
    text_ += ')';
    for (const AttrDef& attr : def.attrs) {
      if (attr.use != AttrUse::kRequired) continue;
      text_.append(", ").append(attr.name).append("=");
      AddValue(attr);
    }
  }

  /// An attribute with braces around a value that is to be written.
  explicit Form(const AttrDef& attr) : text_(fmt::format("{}=", attr.name)) { AddValue(attr); }

  void MoveTo(CompletionItem& item) {
    item.insert = std::move(text_);
    item.stops = std::move(stops_);
  }

 private:
  void AddStop(std::string_view sample) {
    const auto begin = static_cast<uint32_t>(text_.size());
    text_ += sample;
    stops_.push_back({begin, static_cast<uint32_t>(text_.size())});
  }
  void AddValue(const AttrDef& attr) {
    const std::string_view syntax = AttrSyntax(attr.kind);
    const bool is_list = syntax.starts_with('{') && attr.use != AttrUse::kPositional;
    const bool is_quoted = attr.kind == AttrKind::kString;
    if (is_list) text_ += '{';
    if (is_quoted) text_ += '"';
    AddStop(attr.words.empty() || is_list ? Sample(attr.kind) : attr.words[0]);
    if (is_quoted) text_ += '"';
    if (is_list) text_ += '}';
  }
  static std::string_view Sample(AttrKind kind) {
    switch (kind) {
      case AttrKind::kInt:
      case AttrKind::kInt32:
      case AttrKind::kFloat:
      case AttrKind::kLiteral:
        return "0";
      case AttrKind::kBool:
        return "false";
      case AttrKind::kWindow:
        return "size=1";
      case AttrKind::kPadding:
        return "0_0";
      case AttrKind::kRegion:
      case AttrKind::kRegions:
        return "computation";
      case AttrKind::kDimLabels:
        return AttrSyntax(kind);
      default:
        return "";
    }
  }

  std::string text_;
  std::vector<Range> stops_;
};

class HloCompleter {
 public:
  HloCompleter(const Document& document, uint32_t offset, CompletionView& view)
      : document_(document), offset_(offset), view_(view) {}

  void Complete(const Context& context) {
    switch (context.kind) {
      case Context::Kind::kNothing:
        return;
      case Context::Kind::kLineStart:
        for (std::string_view word : {"ROOT", "ENTRY", "HloModule"}) Add(word, "keyword");
        return;
      case Context::Kind::kValue:
        AddTypes();
        AddOpcodes();
        return;
      case Context::Kind::kType:
        AddTypes();
        return;
      case Context::Kind::kOpcode:
        AddOpcodes();
        return;
      case Context::Kind::kOperand:
        AddNames();
        return;
      case Context::Kind::kAttribute:
        if (context.opcode) AddAttributes(*context.opcode, context.written);
        return;
      case Context::Kind::kAttrValue:
        if (context.opcode) AddAttributeValues(*context.opcode, context.attribute);
        return;
    }
  }

 private:
  void Add(std::string_view label, std::string_view kind, std::string detail = "",
           std::string_view doc = "", std::string insert = "") {
    view_.items.push_back(
        {std::string(label), kind, std::move(detail), std::string(doc), std::move(insert), {}});
  }
  void AddTypes() {
    for (const ElementTypeInfo& info : ElementTypes()) {
      Add(info.text, "type", fmt::format("{} bits", info.bits), "", fmt::format("{}[", info.text));
    }
  }
  void AddOpcodes() {
    const std::string_view text = document_.text();
    const size_t behind = text.find_first_not_of(" \t", offset_);
    const bool has_operands = behind != std::string_view::npos && text[behind] == '(';
    for (int i = 0; i < kOpcodeCount; ++i) {
      const Opcode opcode = static_cast<Opcode>(i);
      const OpDef& def = GetOpDef(opcode);
      Add(Text(opcode), "opcode", fmt::format("({})", fmt::join(def.operands, ", ")), def.doc);
      if (!has_operands) Form(opcode).MoveTo(view_.items.back());
    }
    // What is not asked for by its first letters would only make the list longer.
    if (view_.from == offset_) return;
    for (const auto& [name, opcode] : OtherNames()) {
      const std::string_view hlo = Text(opcode);
      Add(name, "opcode", fmt::format("HLO: {}", hlo), GetOpDef(opcode).doc, std::string(hlo));
      if (!has_operands) Form(opcode).MoveTo(view_.items.back());
    }
  }
  void AddNames() {
    if (!document_.module()) return;
    for (const Computation& computation : document_.module()->computations()) {
      if (computation.range().begin > offset_ || computation.range().end < offset_) continue;
      for (const Instruction& instruction : computation.instructions()) {
        if (instruction.places().whole.end > offset_) break;
        Add(instruction.name(), "name", ShapeSummary(instruction.shape()));
      }
    }
  }
  void AddAttributes(Opcode opcode, const std::vector<std::string_view>& written) {
    for (const auto attrs : {GetOpDef(opcode).attrs, CommonAttrs()}) {
      for (const AttrDef& attr : attrs) {
        const bool is_written =
            std::find(written.begin(), written.end(), attr.name) != written.end();
        if (attr.use == AttrUse::kPositional || is_written) continue;
        const std::string_view syntax = AttrSyntax(attr.kind);
        // Of words, those that there are are offered next.
        Add(attr.name, "attribute",
            attr.words.empty() ? std::string(syntax)
                               : fmt::format("{}", fmt::join(attr.words, ", ")),
            attr.doc, fmt::format("{}=", attr.name));
        if (syntax.starts_with('{')) Form(attr).MoveTo(view_.items.back());
      }
    }
  }
  void AddAttributeValues(Opcode opcode, std::string_view name) {
    for (const auto attrs : {GetOpDef(opcode).attrs, CommonAttrs()}) {
      for (const AttrDef& attr : attrs) {
        if (attr.name != name) continue;
        for (std::string_view word : attr.words) Add(word, "word");
        if (attr.kind == AttrKind::kBool) {
          Add("true", "word");
          Add("false", "word");
        }
        if (attr.kind == AttrKind::kRegion || attr.kind == AttrKind::kRegions) AddComputations();
      }
    }
  }
  void AddComputations() {
    if (!document_.module()) return;
    // Nobody calls the entry. In an unfinished text it may seem to end before the place.
    const Computation* const entry = document_.module()->entry();
    for (const Computation& computation : document_.module()->computations()) {
      if (computation.range().end > offset_ || &computation == entry) continue;
      Add(computation.name(), "computation", ShapeName(computation.result_shape()));
    }
  }

  const Document& document_;
  uint32_t offset_;
  CompletionView& view_;
};

}  // namespace

CompletionView MakeCompletionView(const Document& document, uint32_t offset) {
  return document.language().complete(document, offset);
}

CompletionView CompleteHlo(const Document& document, uint32_t offset) {
  const std::string_view text = document.text();
  CompletionView view;
  view.from = offset;
  while (view.from > 0 && IsWord(text[view.from - 1])) --view.from;
  ContextReader reader(text);
  for (const Token& token : Tokenize(text)) {
    if (token.range.end > view.from) {
      // Inside a comment or a string there is nothing to complete.
      if (token.range.begin < view.from) return view;
      break;
    }
    reader.Read(token);
  }
  const size_t line = text.substr(0, view.from).find_last_of('\n');
  const size_t begin = line == std::string_view::npos ? 0 : line + 1;
  const bool line_start =
      text.substr(begin, view.from - begin).find_first_not_of(" \t") == std::string_view::npos;
  HloCompleter(document, offset, view).Complete(reader.At(line_start));
  return view;
}

std::string CompletionJson(const Document& document, uint32_t offset) {
  constexpr std::string_view kWord = "_.%@!-";
  const TextMap& map = document.map();
  const uint32_t end = map.ToBytes(offset);
  CompletionView view = MakeCompletionView(document, end);
  const bool is_cut = view.items.size() > kMostItems;
  if (is_cut) {
    const std::string_view text = document.text();
    const std::string_view typed = text.substr(view.from, end - std::min(view.from, end));
    std::erase_if(view.items, [&](const CompletionItem& item) {
      return item.label.find(BareName(typed)) == std::string::npos;
    });
    view.items.resize(std::min(view.items.size(), kMostItems));
  }
  Json items = Json::array();
  for (const CompletionItem& item : view.items) {
    Json stops = Json::array();
    for (const Range& stop : item.stops) stops.push_back(Json::array({stop.begin, stop.end}));
    items.push_back(ObjectJson({{"label", item.label},
                                {"kind", item.kind},
                                {"detail", item.detail},
                                {"doc", item.doc},
                                {"insert", item.insert.empty() ? item.label : item.insert},
                                {"stops", std::move(stops)}}));
  }
  return JsonText(ObjectJson({{"from", map.ToUnits(view.from)},
                              {"word", is_cut ? Json(nullptr) : Json(kWord)},
                              {"items", std::move(items)}}));
}

}  // namespace hlo
