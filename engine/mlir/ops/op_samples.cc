// Ops as an editor proposes them: from the sample in an op's form, or from its layout, attributes
// and types.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "engine/mlir/importer.h"
#include "engine/mlir/ops/op_row.h"
#include "engine/mlir/text/op_forms.h"
#include "engine/ops/op_def.h"

namespace hlo::mlir {
namespace {

constexpr std::string_view kReducer =
    "{\n"
    "^bb0(%element_0: tensor<f32>, %element_1: tensor<f32>):\n"
    "  %reduced = stablehlo.`add` %element_0, %element_1 : tensor<f32>\n"
    "  stablehlo.return %reduced : tensor<f32>\n"
    "}";

// The length of the type that a text begins with; 0 if it begins with none.
size_t TypeLength(std::string_view text) {
  constexpr std::string_view kToken = "!stablehlo.token";
  if (text.starts_with(kToken)) return kToken.size();
  if (!text.starts_with("tensor<") && !text.starts_with("tuple<")) return 0;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '<' ? 1 : text[i] == '>' ? -1 : 0;
    if (text[i] == '>' && depth == 0) return i + 1;
  }
  return 0;
}

class SampleWriter {
 public:
  explicit SampleWriter(std::string_view name) { form_.text = name; }

  /// Of a sample in the notation of OpForm::sample.
  void Write(std::string_view sample) {
    constexpr std::string_view kMacro = "$reducer";
    while (!sample.empty()) {
      size_t length = 1;
      if (sample[0] == '`') {
        length = sample.find('`', 1) + 1;
        Stop(sample.substr(1, length - 2));
      } else if (sample.starts_with(kMacro)) {
        length = kMacro.size();
        Write(kReducer);
      } else if (const size_t type = TypeLength(sample); type > 0) {
        length = type;
        Stop(sample.substr(0, type));
      } else {
        form_.text += sample[0];
      }
      sample.remove_prefix(length);
    }
  }

  /// Of the op in its generic form.
  void WriteGeneric(const OpRow& row) {
    form_.text = fmt::format("\"{}\"(", form_.text);
    WriteOperands(row);
    form_.text += ')';
    bool is_first = true;
    for (const AttrPair& pair : row.attrs) {
      if (pair.name.empty()) continue;
      form_.text += fmt::format("{}{} = ", is_first ? " <{" : ", ", pair.name);
      is_first = false;
      WriteAttr(pair, false);
    }
    if (!is_first) form_.text += "}>";
    WriteTypes(row.form, TypeForm::kFunction);
  }

  /// Of the op in its custom form, as the layout has it, without what may be omitted.
  void WriteLayout(const OpRow& row) {
    const std::string_view layout = row.form.layout;
    if (!layout.empty() && layout[0] != '(') form_.text += ' ';
    bool is_optional = false;
    for (size_t i = 0; i < layout.size(); ++i) {
      if (layout[i] == '?') is_optional = !is_optional;
      if (layout[i] == '?' || is_optional) continue;
      if (layout[i] == '%') {
        layout[++i] == '*' ? WriteOperands(row) : WriteOperand(row, layout[i] - '0');
      } else if (layout[i] == '@') {
        const std::string_view rest = layout.substr(i + 1);
        const AttrPair* pair = PairAt(row, rest);
        if (!pair) continue;
        WriteAttr(*pair, true);
        i += pair->name.size();
      } else {
        form_.text += layout[i];
      }
    }
    WriteTypes(row.form, row.form.types);
  }

  MlirForm Take() { return std::move(form_); }

 private:
  static const AttrPair* PairAt(const OpRow& row, std::string_view text) {
    const auto pair = std::find_if(std::begin(row.attrs), std::end(row.attrs), [&](const auto& p) {
      return !p.name.empty() && text.starts_with(p.name);
    });
    return pair == std::end(row.attrs) ? nullptr : pair;
  }

  void Stop(std::string_view text) {
    const auto begin = static_cast<uint32_t>(form_.text.size());
    form_.text += text;
    form_.stops.push_back({begin, static_cast<uint32_t>(form_.text.size())});
  }

  void WriteOperands(const OpRow& row) {
    const size_t count = row.opcode ? GetOpDef(*row.opcode).operands.size() : 1;
    for (size_t i = 0; i < count; ++i) {
      if (i > 0) form_.text += ", ";
      WriteOperand(row, static_cast<int>(i));
    }
  }

  void WriteOperand(const OpRow& row, int number) {
    const auto i = static_cast<size_t>(number);
    ++operand_count_;
    if (row.opcode && i < GetOpDef(*row.opcode).operands.size()) {
      return Stop(fmt::format("%{}", GetOpDef(*row.opcode).operands[i]));
    }
    const bool is_one = row.form.layout.find("%1") == std::string_view::npos;
    Stop(is_one ? "%operand" : number == 0 ? "%lhs" : "%rhs");
  }

  void WriteAttr(const AttrPair& pair, bool is_bare) {
    switch (pair.spelling) {
      case Spelling::kInts:
        return Write(is_bare ? "[`0`]" : "array<i64: `0`>");
      case Spelling::kInt:
        return Write(is_bare ? "`0`" : "`0` : i64");
      case Spelling::kInt32:
        return Write(is_bare ? "`0`" : "`0` : i32");
      case Spelling::kFloat:
        return Write(is_bare ? "`0.0`" : "`0.0` : f32");
      case Spelling::kBool:
        return Stop("false");
      case Spelling::kWord:
        break;
    }
    const std::string_view word = pair.words.substr(0, pair.words.find(' '));
    if (is_bare) return Stop(word);
    form_.text +=
        fmt::format("#stablehlo<{} ", pair.enumeration.empty() ? pair.name : pair.enumeration);
    Stop(word);
    form_.text += '>';
  }

  void WriteList(size_t count) {
    for (size_t i = 0; i < count; ++i) Write(i == 0 ? "tensor<f32>" : ", tensor<f32>");
  }

  void WriteTypes(const OpForm& form, TypeForm types) {
    const auto commas = std::count(form.names.results.begin(), form.names.results.end(), ',');
    const size_t result_count = form.has_results ? static_cast<size_t>(commas) + 1 : 0;
    if (types == TypeForm::kNone) return;
    form_.text += " : ";
    switch (types) {
      case TypeForm::kNone:
        return;
      case TypeForm::kSame:
      case TypeForm::kFirst:
        return WriteList(1);
      case TypeForm::kOperands:
        return WriteList(operand_count_);
      case TypeForm::kResults:
        return WriteList(result_count);
      case TypeForm::kSelect:
        return Write("tensor<i1>, tensor<f32>");
      case TypeForm::kComplex:
        return Write("tensor<complex<f32>>");
      case TypeForm::kFunction:
      case TypeForm::kArrow:
      case TypeForm::kPair:
        break;
    }
    const bool has_parentheses = types == TypeForm::kFunction;
    if (has_parentheses) form_.text += '(';
    WriteList(operand_count_);
    form_.text += has_parentheses ? ") -> " : " -> ";
    const bool is_list = types == TypeForm::kPair || result_count != 1;
    if (is_list) form_.text += '(';
    WriteList(result_count);
    if (is_list) form_.text += ')';
  }

  MlirForm form_;
  size_t operand_count_ = 0;
};

}  // namespace
}  // namespace hlo::mlir

namespace hlo {

MlirForm MakeMlirForm(std::string_view name) {
  const mlir::OpRow* row = mlir::FindRow(name);
  const mlir::OpForm* form = row ? &row->form : mlir::FindForm(name);
  mlir::SampleWriter writer(name);
  if (!form) return writer.Take();
  const bool has_no_custom_form = form->is_generic() || form->is_none();
  if (!form->sample.empty()) {
    const bool is_quoted = has_no_custom_form && form->sample[0] == '(';
    writer = mlir::SampleWriter(is_quoted ? fmt::format("\"{}\"", name) : std::string(name));
    writer.Write(form->sample);
  } else if (row && has_no_custom_form) {
    writer.WriteGeneric(*row);
  } else if (row && !form->print) {
    writer.WriteLayout(*row);
  }
  return writer.Take();
}

}  // namespace hlo
