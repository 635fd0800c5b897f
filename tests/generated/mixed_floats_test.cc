// Floats of different widths, for every op and pair of float types that the verifier lets meet:
// nothing is read or written beside a buffer (the sanitizers say so), run and trace agree, and the
// result is that of the program with the conversions written out. All pairs take a while:
// HLO_MIXED_FLOATS=all.
#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/ops/float_widths.h"
#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"
#include "tests/generated/generator.h"
#include "tests/generated/outcome.h"
#include "tests/unit/sanitizers.h"

namespace hlo {
namespace {

std::vector<ElementType> Floats() {
  std::vector<ElementType> floats;
  for (size_t i = 0; i < ElementTypes().size(); ++i) {
    if (IsFloat(static_cast<ElementType>(i))) floats.push_back(static_cast<ElementType>(i));
  }
  return floats;
}

Shape WithFloat(const Shape& shape, ElementType type) {
  if (shape.IsTuple()) {
    std::vector<Shape> elements;
    for (const Shape& element : shape.elements()) elements.push_back(WithFloat(element, type));
    return Shape::Tuple(std::move(elements));
  }
  Shape other = shape;
  if (shape.IsArray() && IsFloat(shape.element_type())) other.set_element_type(type);
  return other;
}

bool IsFloatArray(const Shape& shape) { return shape.IsArray() && IsFloat(shape.element_type()); }

const Statement* Find(const Program& program, std::string_view name) {
  for (const Statement& statement : program.statements) {
    if (statement.name == name) return &statement;
  }
  return nullptr;
}

Statement Converted(std::string name, const std::string& operand, const Shape& shape) {
  return {std::move(name), shape, "convert", {operand}, "", "", ""};
}

// The program with another width for operand `operand` of statement `at`, or for its result (-1).
Program WithWidth(Program program, size_t at, int operand, ElementType type) {
  if (operand < 0) {
    program.statements[at].shape = WithFloat(program.statements[at].shape, type);
    return program;
  }
  std::string& name = program.statements[at].operands[static_cast<size_t>(operand)];
  const Shape shape = WithFloat(Find(program, name)->shape, type);
  const Statement convert = Converted("narrowed", name, shape);
  name = "narrowed";
  program.statements.insert(program.statements.begin() + static_cast<ptrdiff_t>(at), convert);
  return program;
}

// The program with the conversions of the statement at `at` written out.
Program WrittenOut(const Program& program, size_t at, const MixedCall& mixed) {
  Program out = program;
  Statement op = program.statements[at];
  std::vector<Statement> statements;
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const Shape& given = Find(program, op.operands[i])->shape;
    if (!IsFloatArray(given)) continue;
    Shape wanted = given;
    wanted.set_element_type(mixed.operand_type(static_cast<int>(i)));
    statements.push_back(Converted(fmt::format("o{}", i), op.operands[i], wanted));
    op.operands[i] = statements.back().name;
  }
  const Shape written = op.shape;
  const std::string name = std::exchange(op.name, "computed");
  op.shape = mixed.call().shape();
  statements.push_back(op);
  if (!written.IsTuple()) {
    statements.push_back(Converted(name, "computed", written));
  } else {
    Statement tuple{name, written, "tuple", {}, "", "", ""};
    for (size_t i = 0; i < written.elements().size(); ++i) {
      const std::string part = fmt::format("part{}", i);
      statements.push_back({part,
                            op.shape.elements()[i],
                            "get-tuple-element",
                            {"computed"},
                            "",
                            fmt::format(", index={}", i),
                            ""});
      tuple.operands.push_back(part);
      if (Shape::Compatible(op.shape.elements()[i], written.elements()[i])) continue;
      statements.push_back(Converted("r" + part, part, written.elements()[i]));
      tuple.operands.back() = "r" + part;
    }
    statements.push_back(tuple);
  }
  const auto place = out.statements.begin() + static_cast<ptrdiff_t>(at);
  out.statements.insert(out.statements.erase(place), statements.begin(), statements.end());
  return out;
}

constexpr Budget::Limits kMixedLimits{.memory_bytes = 64 << 20, .steps = 100'000, .seconds = 10};

// Whether the verifier lets it be.
bool CheckMixed(const Program& program, std::string_view name) {
  const std::string text = program.Text();
  const auto document = std::make_shared<const Document>(text);
  if (!document->ok()) return false;
  INFO(text);
  const Outcome plain = RunIt(document, program, kMixedLimits, false);
  CHECK(!plain.error.starts_with("internal-fault"));
  CHECK(OutcomeDifference(RunIt(document, program, kMixedLimits, true), plain, "traced") == "");
  const Instruction* instruction = document->module()->entry()->Find(name);
  REQUIRE(instruction);
  if (!plain.error.empty() || !instruction->def().eval) return true;
  const auto mixed = MixedCall::Of(instruction->Call());
  if (!mixed) return true;
  size_t at = 0;
  while (program.statements[at].name != name) ++at;
  const Program plain_program = WrittenOut(program, at, *mixed);
  const auto reference = std::make_shared<const Document>(plain_program.Text());
  INFO(plain_program.Text());
  INFO((reference->ok() ? "" : reference->diagnostics().list()[0].message));
  REQUIRE(reference->ok());
  CHECK(MixedCall::Of(reference->module()->entry()->Find("computed")->Call()) == nullptr);
  const Outcome written_out = RunIt(reference, plain_program, kMixedLimits, false);
  CHECK(OutcomeDifference(plain, written_out, "with the conversions written out") == "");
  return true;
}

TEST_CASE("floats of different widths meet in every op as conversions that are written out") {
  const char* all = std::getenv("HLO_MIXED_FLOATS");
  const bool every_pair = all && std::string_view(all) == "all";
  const std::vector<ElementType> floats = Floats();
  constexpr size_t kEach = kIsSanitized ? 16 : 8;
  int accepted = 0;
  for (size_t o = 0; o < kOpcodeCount; ++o) {
    const std::string_view opcode = Text(static_cast<Opcode>(o));
    if (opcode.starts_with("rng") || opcode == "get-tuple-element") continue;
    for (size_t a = 0; a < floats.size(); ++a) {
      // Otherwise a few of the types for each op, other ones for the next.
      if (!every_pair && (a + 5 * o) % kEach != 0) continue;
      const auto base =
          Generator(o, {.mixed_floats = false, .several_devices = true, .preferred = floats[a]})
              .GenerateFor(opcode);
      if (!base) continue;
      size_t at = base->statements.size();
      while (at > 0 && base->statements[at - 1].opcode != opcode) --at;
      if (at-- == 0) continue;
      const Statement& statement = base->statements[at];
      for (ElementType type : floats) {
        if (type == floats[a]) continue;
        accepted += CheckMixed(WithWidth(*base, at, -1, type), statement.name);
        for (size_t i = 0; i < statement.operands.size(); ++i) {
          if (!IsFloatArray(Find(*base, statement.operands[i])->shape)) continue;
          accepted += CheckMixed(WithWidth(*base, at, static_cast<int>(i), type), statement.name);
        }
      }
    }
  }
  CHECK(accepted > Rounds(1000));
}

TEST_CASE("the widest of two floats holds both") {
  const std::vector<ElementType> floats = Floats();
  for (ElementType a : floats) {
    CHECK(WidestFloat(a, a) == a);
    for (ElementType b : floats) {
      const ElementType wide = WidestFloat(a, b);
      CAPTURE(Text(a));
      CAPTURE(Text(b));
      CHECK(HoldsFloats(wide, a));
      CHECK(HoldsFloats(wide, b));
      CHECK(wide == WidestFloat(b, a));
    }
  }
  CHECK(WidestFloat(ElementType::kF16, ElementType::kBF16) == ElementType::kF32);
  CHECK(WidestFloat(ElementType::kF8E5M2, ElementType::kF8E4M3FN) == ElementType::kF16);
  CHECK(WidestFloat(ElementType::kF8E8M0FNU, ElementType::kBF16) == ElementType::kBF16);
  CHECK(WidestFloat(ElementType::kF32, ElementType::kF64) == ElementType::kF64);
}

}  // namespace
}  // namespace hlo
