// The op table as a whole: every row is complete, and look-ups find every row.
#include <set>
#include <string>

#include "doctest/doctest.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

template <typename F>
void ForEachOpcode(F f) {
  for (int i = 0; i < kOpcodeCount; ++i) f(static_cast<Opcode>(i));
}

TEST_CASE("opcodes: text and back") {
  CHECK(kOpcodeCount == 136);
  ForEachOpcode([](Opcode opcode) {
    CAPTURE(Text(opcode));
    CHECK(OpcodeFromText(Text(opcode)) == opcode);
  });
  for (std::string_view word : {"", "ad", "addd", "Add", "add ", "all-gather-update",
                                "a-word-that-is-longer-than-any-opcode-there-is-in-the-table"}) {
    CAPTURE(word);
    CHECK(!OpcodeFromText(word));
  }
}

TEST_CASE("opcodes: alphabetical, arity in order") {
  std::string_view last;
  ForEachOpcode([&](Opcode opcode) {
    const OpcodeInfo& info = GetOpcodeInfo(opcode);
    CAPTURE(info.text);
    CHECK(last < info.text);
    CHECK(info.min_operands >= 0);
    CHECK(info.min_operands <= info.max_operands);
    last = info.text;
  });
}

TEST_CASE("definitions: documented, with a shape rule") {
  ForEachOpcode([](Opcode opcode) {
    const OpDef& def = GetOpDef(opcode);
    CAPTURE(Text(opcode));
    CHECK(!def.doc.empty());
    CHECK(def.doc.back() == '.');
    CHECK(!def.source.empty());
    CHECK(!def.types.empty());
    bool infers = def.infer != nullptr;
    bool one_way_to_run = !def.eval || !def.enter;
    CHECK(infers);
    CHECK(one_way_to_run);
    CHECK(def.operands.empty() == (GetOpcodeInfo(opcode).max_operands == 0));
  });
}

void CheckRows(std::span<const AttrDef> attrs) {
  std::set<std::string_view> names;
  for (const AttrDef& attr : attrs) {
    CAPTURE(attr.name);
    CHECK(names.insert(attr.name).second);
    CHECK(!attr.doc.empty());
    CHECK(attr.doc.back() == '.');
    bool needs_words = attr.kind == AttrKind::kWord || attr.kind == AttrKind::kWordList;
    CHECK(attr.words.empty() != needs_words);
    CHECK(!AttrSyntax(attr.kind).empty());
  }
}

TEST_CASE("attributes: each once, documented, words where there are some") {
  CheckRows(CommonAttrs());
  CheckRows(ModuleAttrs());
  ForEachOpcode([](Opcode opcode) {
    CAPTURE(Text(opcode));
    CheckRows(GetOpDef(opcode).attrs);
    for (const AttrDef& common : CommonAttrs()) {
      for (const AttrDef& attr : GetOpDef(opcode).attrs) CHECK(attr.name != common.name);
    }
  });
}

TEST_CASE("attributes: found by name, with defaults when absent") {
  static constexpr AttrDef kSize{"size", AttrKind::kInt, AttrUse::kOptional, "A size."};
  static constexpr AttrDef kDims{"dims", AttrKind::kInts, AttrUse::kOptional, "Dimensions."};
  AttrList attrs;
  attrs.push_back({&kSize, int64_t{7}, {1, 2}, {3, 4}});
  attrs.push_back({&kDims, Dims{1, 2}, {5, 6}, {7, 8}});
  Shape operand = Shape::Array(ElementType::kF32, {2});
  OpCall::Parts parts{};
  parts.opcode = Opcode::kCopy;
  parts.operands.push_back(&operand);
  parts.attrs = &attrs;
  parts.range = {9, 10};
  OpCall call(parts);
  CHECK(call.attrs().Int("size") == 7);
  CHECK(call.attrs().Int("other", 5) == 5);
  CHECK(call.attrs().Ints("dims") == Dims{1, 2});
  CHECK(call.attrs().GetWindow("window").empty());
  CHECK(call.attrs().GetRegion("to_apply") == nullptr);
  CHECK(call.attr_range("dims") == Range{7, 8});
  CHECK(call.attr_range("other") == Range{9, 10});
  CHECK(call.operand_range(0) == Range{9, 10});
  CHECK(attrs.Find("siz") == nullptr);
}

}  // namespace
}  // namespace hlo
