// Types as MLIR's printer writes them.
#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "engine/mlir/text/asm_printer.h"
#include "engine/mlir/text/cursor.h"
#include "engine/mlir/text/float_text.h"

namespace hlo::mlir {
namespace {

void AppendScale(double scale, int64_t zero_point, std::string* out) {
  AppendFloat(ElementType::kF64, reinterpret_cast<const std::byte*>(&scale), out);
  if (zero_point != 0) fmt::format_to(std::back_inserter(*out), ":{}", zero_point);
}

// Source: LLVM, the quant dialect's TypeParser.cpp, printUniformQuantizedType.
std::string QuantizedText(const Quantization& quant) {
  const int bits = BitsOf(quant.storage) - IsSigned(quant.storage);
  const double least = IsSigned(quant.storage) ? -std::ldexp(1.0, bits) : 0;
  std::string text = fmt::format("!quant.uniform<{}{}", IsSigned(quant.storage) ? 'i' : 'u',
                                 BitsOf(quant.storage));
  if (quant.min != least || quant.max != std::ldexp(1.0, bits) - 1) {
    fmt::format_to(std::back_inserter(text), "<{}:{}>", static_cast<int64_t>(quant.min),
                   static_cast<int64_t>(quant.max));
  }
  fmt::format_to(std::back_inserter(text), ":{}", Text(quant.expressed));
  if (quant.axis >= 0) fmt::format_to(std::back_inserter(text), ":{}", quant.axis);
  text += quant.axis >= 0 ? ", {" : ", ";
  for (size_t i = 0; i < quant.scales.size(); ++i) {
    if (i > 0) text += ',';
    AppendScale(quant.scales[i], quant.zero_points[i], &text);
  }
  return text + (quant.axis >= 0 ? "}>" : ">");
}

class TypeWriter {
 public:
  TypeWriter(std::string_view text, const Program& program, int depth)
      : in_(text), program_(program), depth_(depth) {}

  std::string Run() {
    while (!in_.AtEnd()) {
      const char c = in_.Next();
      if (in_.AtEnd()) break;
      if (c == '!') {
        Dialect();
      } else if (c == '#') {
        Encoding();
      } else if (c == '"') {
        const size_t begin = in_.position();
        in_.Quoted();
        out_ += in_.Since(begin);
      } else {
        in_.Advance();
        Character(c);
      }
    }
    return std::move(out_);
  }

 private:
  void Character(char c) {
    if (c == '-' && in_.Peek() == '>') {
      in_.Advance();
      out_ += " -> ";
    } else {
      out_ += c;
      if (c == ',') out_ += ' ';
    }
  }

  void Dialect() {
    const size_t begin = in_.position();
    in_.Advance();
    const std::string_view word = in_.SuffixId();
    const auto alias = program_.type_aliases.find(word);
    constexpr int kDeepest = 10;
    if (alias != program_.type_aliases.end() && depth_ < kDeepest) {
      out_ += TypeWriter(alias->second->text, program_, depth_ + 1).Run();
    } else if (word.starts_with("quant.") && in_.Peek() == '<') {
      const size_t open = in_.position();
      in_.SkipGroup();
      const std::string_view group = in_.Since(open);
      std::string problem;
      const auto quant = ReadQuantization(group.substr(1, group.size() - 2), &problem);
      out_ += quant ? QuantizedText(*quant) : std::string(in_.Since(begin));
    } else {
      out_ += in_.Since(begin);
    }
  }

  // The encoding after the element type of a tensor: `#stablehlo.bounds<3, ?>`.
  void Encoding() {
    const size_t begin = in_.position();
    in_.Advance();
    const std::string_view word = in_.SuffixId();
    const auto alias = program_.aliases.find(word);
    if (alias != program_.aliases.end()) {
      AsmPrinter printer(program_);
      out_ += printer.TextOf(alias->second);
    } else if (word == "stablehlo.type_extensions") {
      in_.SkipGroup();
      const std::string_view group = in_.Since(begin);
      const size_t open = std::min(group.find('['), group.size());
      const size_t close = std::min(group.find(']'), group.size());
      out_ += "#stablehlo.bounds<";
      if (open < close)
        out_ += TypeWriter(group.substr(open + 1, close - open - 1), program_, depth_).Run();
      out_ += '>';
    } else {
      out_ += in_.Since(begin);
    }
  }

  Cursor in_;
  const Program& program_;
  int depth_;
  std::string out_;
};

}  // namespace

std::string TypeText(const Type& type, const Program& program) {
  if (type.text.find_first_of(" \n\t\r,!#/") == std::string_view::npos)
    return std::string(type.text);
  return TypeWriter(type.text, program, 0).Run();
}

}  // namespace hlo::mlir
