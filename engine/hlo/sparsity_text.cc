// Attribute kinds Sparsity and BlockScaling: which operands of a convolution leave out zeros, and
// which are stored in blocks with scales. Kept as their text.
// Source: XLA, hlo/parser/hlo_parser.cc (ParseSparsityConfig, ParseBlockScalingConfig),
// hlo/ir/hlo_instructions.cc.
#include <fmt/format.h>

#include <array>
#include <iterator>

#include "engine/hlo/attribute_text.h"

namespace hlo {
namespace {

// `lhs={...} rhs={...}` in braces: for each operand, `read` reads what follows its brace and
// returns it as it is printed. `part` is XLA's name for one of them.
template <typename ReadPart>
bool ReadSides(AttrReader& in, std::string_view whole, std::string_view part, AttrValue* value,
               const ReadPart& read) {
  constexpr std::array<std::string_view, 2> kSides = {"lhs", "rhs"};
  std::array<std::optional<std::string>, 2> sides;
  if (!in.lex.Read('{', fmt::format("expected '{{' to start {}", whole))) return false;
  while (in.lex.Peek() != '}') {
    const Range range = in.lex.TokenRange();
    const std::string_view key = in.lex.ConsumeIdentifier();
    if (key.empty()) return in.lex.Fail("expects attribute name");
    const std::optional<size_t> side = FindWord(kSides, key, false);
    if (!side) return in.Fail(range, fmt::format("unknown attribute: {}: expects lhs or rhs", key));
    if (!in.lex.ReadEquals()) return false;
    if (!in.lex.Read('{', fmt::format("expected '{{' to start {}", part))) return false;
    if (!read(&sides[*side].emplace())) return false;
    if (!in.lex.Read('}', fmt::format("expects '}}' at the end of {}", part))) return false;
  }
  in.lex.Consume('}');
  std::string text;
  for (size_t i = 0; i < kSides.size(); ++i) {
    if (!sides[i]) continue;
    text += fmt::format("{}{}={{{}}}", text.empty() ? "{" : " ", kSides[i], *sides[i]);
  }
  *value = text.empty() ? text : text + "}";
  return true;
}

// `key=` of a list in braces; empty (reported) where there is none.
std::string_view ReadKey(AttrReader& in, Range* range) {
  *range = in.lex.TokenRange();
  const std::string_view key = in.lex.ConsumeIdentifier();
  if (key.empty()) return in.lex.Fail("expects attribute name"), key;
  return in.lex.ReadEquals() ? key : std::string_view();
}

// `sparsity=2x4 dimension=1 stride=1 idx=2`; the newest texts of XLA have no stride.
bool ReadSparseSide(AttrReader& in, std::string* text) {
  int64_t kept = 0, block = 0, dimension = 0;
  std::optional<int64_t> stride, positions;  // the operand that has the positions
  while (in.lex.Peek() != '}') {
    Range range;
    const std::string_view key = ReadKey(in, &range);
    int64_t number = 0;
    if (key.empty() || !in.lex.ReadInt(&number)) return false;
    if (key == "sparsity") {
      kept = number;
      if (in.lex.At(0) != 'x') return in.lex.Fail("expects 'num_non_zero:block_size', as in 2x4");
      in.lex.Advance(1);
      if (!in.lex.ReadInt(&block)) return false;
    } else if (key == "dimension") {
      dimension = number;
    } else if (key == "stride") {
      stride = number;
    } else if (key == "idx") {
      positions = number;
    } else {
      return in.Fail(range, fmt::format("unknown attribute: {}: expects sparsity, dimension, "
                                        "stride or idx",
                                        key));
    }
  }
  *text = fmt::format("sparsity={}x{} dimension={}", kept, block, dimension);
  if (stride) *text += fmt::format(" stride={}", *stride);
  if (positions) *text += fmt::format(" idx={}", *positions);
  return true;
}

// `1x8`
bool ReadCrossed(AttrReader& in, Dims* numbers) {
  while (true) {
    int64_t number = 0;
    if (!in.lex.ReadInt(&number)) return false;
    numbers->push_back(number);
    if (in.lex.At(0) != 'x') return true;
    in.lex.Advance(1);
  }
}

// `scale_idx=2 zero_idx=3 strides=1x8 steps=1x1`
bool ReadScaledSide(AttrReader& in, std::string* text) {
  int64_t scale = 0;
  std::optional<int64_t> zero;
  Dims strides, steps;
  while (in.lex.Peek() != '}') {
    Range range;
    const std::string_view key = ReadKey(in, &range);
    if (key.empty()) return false;
    bool ok = true;
    if (key == "scale_idx") {
      ok = in.lex.ReadInt(&scale);
    } else if (key == "zero_idx") {
      ok = in.lex.ReadInt(&zero.emplace());
    } else if (key == "strides") {
      ok = ReadCrossed(in, &strides);
    } else if (key == "steps") {
      ok = ReadCrossed(in, &steps);
    } else {
      return in.Fail(range, fmt::format("unknown attribute: {}: expects scale_idx, zero_idx, "
                                        "strides or steps",
                                        key));
    }
    if (!ok) return false;
  }
  *text = fmt::format("scale_idx={}", scale);
  if (zero) *text += fmt::format(" zero_idx={}", *zero);
  if (!strides.empty()) *text += fmt::format(" strides={}", fmt::join(strides, "x"));
  if (!steps.empty()) *text += fmt::format(" steps={}", fmt::join(steps, "x"));
  return true;
}

}  // namespace

bool ReadSparsity(AttrReader& in, const AttrDef&, AttrValue* value) {
  return ReadSides(in, "SparsityConfig", "TensorSparsityConfig", value,
                   [&](std::string* text) { return ReadSparseSide(in, text); });
}
void PrintSparsity(const AttrValue& value, const AttrDef&, const AttrPrinter&, std::string* out) {
  out->append(std::get<std::string>(value));
}

bool ReadBlockScaling(AttrReader& in, const AttrDef&, AttrValue* value) {
  return ReadSides(in, "BlockScalingConfig", "TensorBlockScalingConfig", value,
                   [&](std::string* text) { return ReadScaledSide(in, text); });
}
void PrintBlockScaling(const AttrValue& value, const AttrDef&, const AttrPrinter&,
                       std::string* out) {
  out->append(std::get<std::string>(value));
}

}  // namespace hlo
