#include "tests/generated/planting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <unordered_map>
#include <vector>

#include "engine/hlo/call_graph.h"
#include "engine/ops/op_def.h"
#include "engine/run/random.h"
#include "tests/generated/generator.h"

namespace hlo {
namespace {

// Of the first way that leads from the program's entry to each computation.
std::unordered_map<const Computation*, Spot> SpotsOf(const Module& module) {
  std::unordered_map<const Computation*, Spot> spots{{module.entry(), {}}};
  std::vector<const Computation*> todo{module.entry()};
  while (!todo.empty()) {
    const Computation& at = *todo.back();
    todo.pop_back();
    for (const Instruction& caller : at.instructions()) {
      ForEachCallee(caller, [&](const Attr&, const Computation& callee) {
        Spot spot = spots[&at];
        const Runs runs = caller.def().runs;
        const bool is_async = caller.opcode() == Opcode::kAsyncStart;
        spot.in_loop |= runs == Runs::kWhile;
        spot.in_branch |= runs == Runs::kChosen;
        spot.in_call |= runs == Runs::kOne;
        spot.in_async |= is_async;
        if (runs == Runs::kOtherwise && !is_async) {
          if (!spot.part_of) {
            spot.part_of = &caller;
            spot.is_scan = caller.opcode() == Opcode::kScan;
          } else if (spot.is_scan && !spot.step_of_scan) {
            spot.step_of_scan = &caller;
          }
        }
        if (spots.emplace(&callee, spot).second) todo.push_back(&callee);
      });
    }
  }
  return spots;
}

// An instruction of a text: `  ROOT name = f32[2]{0} add(a, b), ...`.
struct PlantedLine {
  size_t begin = 0, end = 0;
  std::string computation, name, shape, type;
  bool is_root = false;
};

std::vector<PlantedLine> FloatLinesOf(const std::string& text) {
  std::vector<PlantedLine> lines;
  std::string computation;
  for (size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    const bool opens = !line.empty() && line.back() == '{' && line.find('=') == line.npos;
    if (opens) {
      if (line.starts_with("ENTRY ")) line.erase(0, 6);
      computation = line.substr(0, line.find(' '));
    }
    const size_t equals = line.find(" = ");
    if (opens || !line.starts_with("  ") || equals == line.npos) continue;
    PlantedLine found{begin, end, computation, line.substr(2, equals - 2), "", "", false};
    found.is_root = found.name.starts_with("ROOT ");
    if (found.is_root) found.name.erase(0, 5);
    found.shape = line.substr(equals + 3, line.find(' ', equals + 3) - equals - 3);
    found.type = found.shape.substr(0, found.shape.find('['));
    const bool is_float =
        found.type == "f32" || found.type == "f64" || found.type == "bf16" || found.type == "f16";
    // No arrays without elements, and none whose sizes are those of the run.
    const std::string sizes = found.shape.substr(found.type.size());
    const bool is_plain = sizes.find("<=") == sizes.npos && sizes.find("[0") == sizes.npos &&
                          sizes.find(",0") == sizes.npos && found.shape[0] != '(';
    if (is_float && is_plain) lines.push_back(std::move(found));
  }
  return lines;
}

// ---- Around the program -------------------------------------------------------------------------

// Zeros of this shape, as instructions; `name` is the last one. False for what has no zeros.
bool AddZeros(const Shape& shape, const std::string& name, std::string* text) {
  if (shape.IsTuple()) {
    std::string names;
    for (size_t i = 0; i < shape.elements().size(); ++i) {
      const std::string element = fmt::format("{}.{}", name, i);
      if (!AddZeros(shape.elements()[i], element, text)) return false;
      names += (i > 0 ? ", " : "") + element;
    }
    *text += fmt::format("  {} = {} tuple({})\n", name, ShapeText(shape), names);
    return true;
  }
  if (!shape.IsArray() || shape.has_dynamic_dims()) return false;
  const ElementType type = shape.element_type();
  const char* const zero = type == ElementType::kPred ? "false" : IsComplex(type) ? "(0, 0)" : "0";
  *text +=
      fmt::format("  {0}.z = {1}[] constant({2})\n  {0} = {3} broadcast({0}.z), dimensions={{}}\n",
                  name, Text(type), zero, ShapeText(shape));
  return true;
}

enum class Around { kNothing, kLoop, kBranch, kCalls };

// The program as the body of a loop of two iterations, as a branch, or called by what is called.
// Empty where that cannot be written.
std::string Wrapped(const Program& program, const Shape& result, Around around) {
  std::string text = program.Text();
  if (around == Around::kNothing) return text;
  const size_t entry = text.find("ENTRY e {");
  text.replace(entry, 9, "inner {");
  std::vector<std::string> shapes(program.inputs.size());
  for (const Statement& statement : program.statements) {
    if (statement.opcode != "parameter") continue;
    shapes[static_cast<size_t>(std::atoi(statement.literal.c_str()))] = ShapeText(statement.shape);
  }
  std::string given, parts, names;
  for (size_t i = 0; i < shapes.size(); ++i) {
    given += fmt::format("  in{0} = {1} parameter({0})\n", i, shapes[i]);
    parts += fmt::format("  part{0} = {1} get-tuple-element(state), index={0}\n", i, shapes[i]);
    names += fmt::format("{}in{}", i > 0 ? ", " : "", i);
  }
  std::string from_parts = names;
  for (size_t i = 0; (i = from_parts.find("in", i)) != from_parts.npos; i += 4) {
    from_parts.replace(i, 2, "part");
  }
  const std::string shape = ShapeText(result);
  const std::string all = fmt::format("({})", fmt::join(shapes, ", "));
  if (around == Around::kCalls) {
    return text + fmt::format(
                      "outer {{\n{0}  ROOT out = {1} call({2}), to_apply=inner\n}}\n"
                      "ENTRY e {{\n{0}  ROOT out = {1} call({2}), to_apply=outer\n}}\n",
                      given, shape, names);
  }
  if (around == Around::kBranch) {
    std::string zeros;
    if (!AddZeros(result, "none", &zeros)) return "";
    return text +
           fmt::format(
               "taken {{\n  state = {0} parameter(0)\n{1}  ROOT out = {2} call({3}), "
               "to_apply=inner\n}}\nother {{\n  state = {0} parameter(0)\n{4}  ROOT out = {2} "
               "copy(none)\n}}\nENTRY e {{\n{5}  state = {0} tuple({6})\n  which = s32[] "
               "constant(1)\n  ROOT out = {2} conditional(which, state, state), "
               "branch_computations={{other, taken}}\n}}\n",
               all, parts, shape, from_parts, zeros, given, names);
  }
  std::string zeros;
  if (!AddZeros(result, "none", &zeros)) return "";
  const size_t n = shapes.size();
  shapes.insert(shapes.end(), {shape, "s32[]"});
  const std::string state = fmt::format("({})", fmt::join(shapes, ", "));
  const std::string comma = n > 0 ? ", " : "";
  return text +
         fmt::format(
             "again {{\n  state = {0} parameter(0)\n  i = s32[] get-tuple-element(state), "
             "index={1}\n  two = s32[] constant(2)\n  ROOT more = pred[] compare(i, two), "
             "direction=LT\n}}\n",
             state, n + 1) +
         fmt::format(
             "body {{\n  state = {0} parameter(0)\n{1}  i = s32[] get-tuple-element(state), "
             "index={2}\n  one = s32[] constant(1)\n  next = s32[] add(i, one)\n  made = {3} "
             "call({4}), to_apply=inner\n  ROOT out = {0} tuple({4}{5}made, next)\n}}\n",
             state, parts, n + 1, shape, from_parts, comma) +
         fmt::format(
             "ENTRY e {{\n{0}{1}  start = s32[] constant(0)\n  state = {2} tuple({3}{4}none, "
             "start)\n  w = {2} while(state), condition=again, body=body\n  ROOT out = {5} "
             "get-tuple-element(w), index={6}\n}}\n",
             given, zeros, state, names, comma, shape, n);
}

// The text with 0/0, of zeros made in the run, added to what an instruction gives; with `only`, on
// that device alone, and 0/1 on the others.
std::string PlantedText(const std::string& text, const PlantedLine& at, int64_t only,
                        int64_t partitions) {
  const size_t close = std::min(text.find("\n}", at.end), text.size());
  std::string rest = text.substr(at.end, close - at.end);
  for (size_t i = 0; (i = rest.find(at.name, i)) != rest.npos;) {
    const auto is_part = [&](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-';
    };
    const size_t after = i + at.name.size();
    const bool is_name = !is_part(rest[i - 1]) && (after >= rest.size() || !is_part(rest[after]));
    // What an instruction is called, or an attribute, is followed by a sign of its own.
    const bool is_operand =
        is_name && after < rest.size() && (rest[after] == ',' || rest[after] == ')');
    if (is_operand) rest.replace(i, at.name.size(), "with.nan");
    i = is_operand ? i + 8 : after;
  }
  const std::string predicate = "pred" + at.shape.substr(at.type.size());
  std::string added =
      fmt::format("\n  never = {0} compare({1}, {1}), direction=GT\n  zero = {2} convert(never)",
                  predicate, at.name, at.shape);
  std::string divisor = "zero";
  if (only >= 0) {
    added += fmt::format(
        "\n  replica = u32[] replica-id()\n  partition = u32[] partition-id()\n"
        "  count = u32[] constant({})\n  row = u32[] multiply(replica, count)\n"
        "  device = u32[] add(row, partition)\n  wanted = u32[] constant({})\n"
        "  other = pred[] compare(device, wanted), direction=NE\n"
        "  others = {} broadcast(other), dimensions={{}}\n  one = {} convert(others)",
        partitions, only, predicate, at.shape);
    divisor = "one";
  }
  added += fmt::format("\n  planted = {0} divide(zero, {2})\n  {3}with.nan = {0} add({1}, planted)",
                       at.shape, at.name, divisor, at.is_root ? "ROOT " : "");
  std::string line = text.substr(at.begin, at.end - at.begin);
  if (at.is_root) line.erase(line.find("ROOT "), 5);
  return text.substr(0, at.begin) + line + added + rest + text.substr(close);
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Maker& maker) {
  return out << maker.computation << "/" << maker.name << " on device " << maker.device;
}

std::optional<PlantedCase> MakePlanted(uint64_t seed) {
  GeneratorOptions options;
  options.several_devices = seed % 3 == 0;
  options.mixed_floats = false;
  options.preferred = ElementType::kF32;
  options.statements = 6 + static_cast<int>(seed % 20);
  PlantedCase made;
  made.program = Generator(seed, options).Generate();
  // Random numbers are drawn by the number of the instruction, which planting changes.
  for (const Statement& statement : made.program.statements) {
    const bool draws =
        statement.opcode == "rng" || statement.computations.find(" rng(") != std::string::npos;
    if (draws) return std::nullopt;
  }
  const Document inner(made.program.Text());
  if (!inner.ok() || made.program.statements.empty()) return std::nullopt;
  const std::string text = Wrapped(made.program, inner.module()->entry()->root()->shape(),
                                   static_cast<Around>(seed % 4));
  const std::vector<PlantedLine> lines = FloatLinesOf(text);
  made.plain = std::make_shared<const Document>(text);
  if (lines.empty() || !made.plain->ok()) return std::nullopt;
  const Document& plain = *made.plain;
  const auto spots = SpotsOf(*plain.module());
  const auto spot_of = [&](const PlantedLine& line) -> const Spot* {
    for (const auto& [computation, spot] : spots) {
      if (computation->name() == line.computation) return &spot;
    }
    return nullptr;
  };
  // Of four programs one has it anywhere, the others in a loop, a branch or what is called.
  constexpr bool Spot::*kWanted[] = {nullptr, &Spot::in_loop, &Spot::in_branch, &Spot::in_call};
  std::vector<const PlantedLine*> fitting;
  for (const PlantedLine& each : lines) {
    const Spot* spot = spot_of(each);
    const bool Spot::*wanted = kWanted[seed % 4];
    if (spot && (!wanted || (spot->*wanted && !spot->part_of))) fitting.push_back(&each);
  }
  Random random(seed);
  const PlantedLine& line =
      fitting.empty() ? lines[random.Below(lines.size())] : *fitting[random.Below(fitting.size())];
  const Spot* spot = spot_of(line);
  if (!spot) return std::nullopt;
  made.spot = *spot;
  const int64_t count = made.program.replicas * made.program.partitions;
  made.is_on_one = count > 1 && !spot->part_of;
  const int64_t only =
      made.is_on_one ? static_cast<int64_t>(seed % static_cast<uint64_t>(count)) : -1;
  made.document =
      std::make_shared<const Document>(PlantedText(text, line, only, made.program.partitions));
  made.expected = {line.computation, "planted", only};
  if (spot->part_of) {
    made.expected = {std::string(spot->part_of->parent()->name()),
                     std::string(spot->part_of->name()), -1};
  }
  return made;
}

}  // namespace hlo
