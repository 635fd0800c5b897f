// Attribute kind Sparsity: which operands of a convolution leave out zeros. Kept as its text.
// Source: XLA, hlo/parser/hlo_parser.cc (ParseSparsityConfig), hlo/ir/hlo_instructions.cc.
#include <fmt/format.h>

#include <array>
#include <iterator>

#include "engine/hlo/attribute_text.h"

namespace hlo {
namespace {

// Of one operand.
struct Side {
  int64_t kept = 0, block = 0, dimension = 0, stride = 0;
  std::optional<int64_t> positions;  // the operand that has them
};

bool ReadSide(AttrReader& in, Side* side) {
  if (!in.lex.Read('{', "expected '{' to start TensorSparsityConfig")) return false;
  while (in.lex.Peek() != '}') {
    const Range range = in.lex.TokenRange();
    const std::string_view key = in.lex.ConsumeIdentifier();
    if (key.empty()) return in.lex.Fail("expects attribute name");
    if (!in.lex.ReadEquals()) return false;
    int64_t number = 0;
    if (!in.lex.ReadInt(&number)) return false;
    if (key == "sparsity") {
      side->kept = number;
      if (in.lex.At(0) != 'x') return in.lex.Fail("expects 'num_non_zero:block_size', as in 2x4");
      in.lex.Advance(1);
      if (!in.lex.ReadInt(&side->block)) return false;
    } else if (key == "dimension") {
      side->dimension = number;
    } else if (key == "stride") {
      side->stride = number;
    } else if (key == "idx") {
      side->positions = number;
    } else {
      return in.Fail(range, fmt::format("unknown attribute: {}: expects sparsity, dimension, "
                                        "stride or idx",
                                        key));
    }
  }
  return in.lex.Read('}', "expects '}' at the end of TensorSparsityConfig");
}

}  // namespace

bool ReadSparsity(AttrReader& in, const AttrDef&, AttrValue* value) {
  constexpr std::array<std::string_view, 2> kSides = {"lhs", "rhs"};
  std::array<std::optional<Side>, 2> sides;
  if (!in.lex.Read('{', "expected '{' to start SparsityConfig")) return false;
  while (in.lex.Peek() != '}') {
    const Range range = in.lex.TokenRange();
    const std::string_view key = in.lex.ConsumeIdentifier();
    if (key.empty()) return in.lex.Fail("expects attribute name");
    const std::optional<size_t> side = FindWord(kSides, key, false);
    if (!side) return in.Fail(range, fmt::format("unknown attribute: {}: expects lhs or rhs", key));
    if (!in.lex.ReadEquals() || !ReadSide(in, &sides[*side].emplace())) return false;
  }
  in.lex.Consume('}');
  std::string text;
  for (size_t i = 0; i < kSides.size(); ++i) {
    if (!sides[i]) continue;
    const Side& side = *sides[i];
    fmt::format_to(std::back_inserter(text), "{}{}={{sparsity={}x{} dimension={} stride={}",
                   text.empty() ? "{" : " ", kSides[i], side.kept, side.block, side.dimension,
                   side.stride);
    if (side.positions) fmt::format_to(std::back_inserter(text), " idx={}", *side.positions);
    text.push_back('}');
  }
  *value = text.empty() ? text : text + "}";
  return true;
}
void PrintSparsity(const AttrValue& value, const AttrDef&, const AttrPrinter&, std::string* out) {
  out->append(std::get<std::string>(value));
}

}  // namespace hlo
