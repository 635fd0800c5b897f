// Attribute kinds that are lists: integers, booleans, slices, padding, shapes, aliases, references.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "engine/base/stable_sort.h"
#include "engine/hlo/attribute_text.h"

namespace hlo {
namespace {

// `(operand, {index}[, may-alias|must-alias])`, or in the module's header a number alone.
bool ReadAliasTarget(AttrReader& in, bool header, Alias* alias) {
  const std::string_view format =
      header ? "Expected format: <output_shape_index>: (<input_param>, <input_param_shape_index>) "
               "OR <output_shape_index>: <input_param>"
             : "Expected format: <output_shape_index>: (<operand_index>, <operand_shape_index>)";
  if (!in.lex.Read(':', format)) return false;
  const bool is_short = header && in.lex.Peek() != '(';
  if (!is_short && !in.lex.Read('(', format)) return false;
  const Range number = in.lex.TokenRange();
  if (!in.lex.ReadInt(&alias->operand)) return false;
  if (alias->operand < 0) return in.Fail(number, "Negative operand number in aliasing config.");
  if (is_short) return true;
  if (!in.lex.Read(',', format) || !ReadShapeIndex(in, &alias->operand_index)) return false;
  if (header && in.lex.Consume(',')) {
    alias->must_alias = in.lex.ConsumeWord("must-alias");
    if (!alias->must_alias && !in.lex.ConsumeWord("may-alias")) {
      return in.lex.Fail(
          "Unexpected aliasing kind; expected SYSTEM or USER: expects may-alias or must-alias");
    }
  }
  return in.lex.Read(')', format);
}

// `[start:limit]` or `[start:limit:stride]`
bool ReadSlice(AttrReader& in, SliceDim* dim) {
  Range range = in.lex.TokenRange();
  Dims parts;
  if (!in.lex.Read('[', "expects '[' to start slice range")) return false;
  do {
    int64_t part = 0;
    if (!in.lex.ReadInt(&part)) return false;
    parts.push_back(part);
  } while (in.lex.Consume(':'));
  if (!in.lex.Read(']', "expects ']' to end slice range")) return false;
  range.end = in.lex.last_end();
  if (parts.size() != 2 && parts.size() != 3) {
    return in.Fail(range, fmt::format("expects [start:limit:step] or [start:limit], but sees {} "
                                      "elements.",
                                      parts.size()));
  }
  *dim = {parts[0], parts[1], parts.size() == 3 ? parts[2] : 1};
  return true;
}

template <typename List, typename Append>
void AppendList(const List& list, std::string_view open, std::string_view separator,
                std::string_view close, std::string* out, Append append) {
  out->append(open);
  bool first = true;
  for (const auto& item : list) {
    if (!first) out->append(separator);
    first = false;
    append(item);
  }
  out->append(close);
}

}  // namespace

bool ReadShapeIndex(AttrReader& in, Dims* index) {
  if (!in.lex.Read('{', "Expects '{' at the start of ShapeIndex")) return false;
  while (in.lex.Peek() != '}') {
    int64_t i = 0;
    if (IsDigit(in.lex.Peek()) || in.lex.Peek() == '-' || IsNameStart(in.lex.Peek())) {
      if (!in.lex.ReadCount(&i)) return false;
      index->push_back(i);
      if (in.lex.Consume(',')) continue;
    }
    break;
  }
  return in.lex.Read('}', "Expects '}' at the end of ShapeIndex");
}

void AppendIndex(const Dims& index, std::string* out) {
  out->push_back('{');
  AppendInts(index, out);
  out->push_back('}');
}

bool ReadIntList(Lexer& lex, char open, char close, Dims* ints) {
  return ReadList(lex, open, close, [&] {
    int64_t i = 0;
    if (!lex.ReadInt(&i)) return false;
    ints->push_back(i);
    return true;
  });
}

void AppendInts(const Dims& ints, std::string* out) {
  for (size_t i = 0; i < ints.size(); ++i) {
    if (i > 0) out->push_back(',');
    fmt::format_to(std::back_inserter(*out), "{}", ints[i]);
  }
}

bool ReadInts(AttrReader& in, const AttrDef&, AttrValue* value) {
  return ReadIntList(in.lex, '{', '}', &value->emplace<Dims>());
}
void PrintInts(const AttrValue& value, const AttrDef&, const AttrPrinter&, std::string* out) {
  AppendIndex(std::get<Dims>(value), out);
}

bool ReadIntLists(AttrReader& in, const AttrDef&, AttrValue* value) {
  auto& lists = value->emplace<std::vector<Dims>>();
  return ReadList(in.lex, '{', '}',
                  [&] { return ReadIntList(in.lex, '{', '}', &lists.emplace_back()); });
}
void PrintIntLists(const AttrValue& value, const AttrDef&, const AttrPrinter&, std::string* out) {
  AppendList(std::get<std::vector<Dims>>(value), "{", ",", "}", out,
             [&](const Dims& list) { AppendIndex(list, out); });
}

bool ReadBools(AttrReader& in, const AttrDef& def, AttrValue* value) {
  auto& bools = value->emplace<std::vector<bool>>();
  auto read = [&] {
    AttrValue one;
    if (!ReadBool(in, def, &one)) return false;
    bools.push_back(std::get<bool>(one));
    return true;
  };
  return in.lex.Peek() == '{' ? ReadList(in.lex, '{', '}', read) : read();
}
void PrintBools(const AttrValue& value, const AttrDef&, const AttrPrinter&, std::string* out) {
  AppendList(std::get<std::vector<bool>>(value), "{", ",", "}", out,
             [&](bool b) { out->append(b ? "true" : "false"); });
}

bool ReadSlices(AttrReader& in, const AttrDef&, AttrValue* value) {
  auto& slices = value->emplace<std::vector<SliceDim>>();
  return ReadList(in.lex, '{', '}', [&] { return ReadSlice(in, &slices.emplace_back()); });
}
void PrintSlices(const AttrValue& value, const AttrDef&, const AttrPrinter&, std::string* out) {
  const auto& slices = std::get<std::vector<SliceDim>>(value);
  bool strides =
      std::any_of(slices.begin(), slices.end(), [](const SliceDim& s) { return s.stride != 1; });
  AppendList(slices, "{", ", ", "}", out, [&](const SliceDim& s) {
    fmt::format_to(std::back_inserter(*out), "[{}:{}", s.start, s.limit);
    if (strides) fmt::format_to(std::back_inserter(*out), ":{}", s.stride);
    out->push_back(']');
  });
}

// A padding of no dimensions is an empty value (XLA prints it so): nothing follows before the next
// attribute, instruction, or end.
bool ReadPadding(AttrReader& in, const AttrDef&, AttrValue* value) {
  constexpr std::string_view kPattern =
      "expects padding config pattern like 'low_high_interior' or 'low_high'";
  auto& dims = value->emplace<std::vector<PadDim>>();
  char first = in.lex.Peek();
  if (!IsDigit(first) && first != '-') {
    if (first == ',' || first == '}' || in.lex.AtEnd() || IsLetter(first) || first == '%' ||
        first == '_') {
      return true;
    }
    return in.lex.Fail("expects padding config, e.g., '0_0_0x3_3_1'");
  }
  do {
    PadDim& dim = dims.emplace_back();
    if (!in.lex.ReadInt(&dim.low)) return false;
    if (in.lex.At(0) != '_') return in.lex.Fail(kPattern);
    in.lex.Advance(1);
    if (!in.lex.ReadInt(&dim.high)) return false;
    if (in.lex.At(0) == '_') {
      in.lex.Advance(1);
      // XLA's token has no sign here.
      if (!IsDigit(in.lex.At(0))) return in.lex.Fail(kPattern);
      if (!in.lex.ReadInt(&dim.interior)) return false;
    }
    if (in.lex.At(0) != 'x') return true;
    in.lex.Advance(1);
  } while (true);
}
void PrintPadding(const AttrValue& value, const AttrDef&, const AttrPrinter&, std::string* out) {
  const auto& dims = std::get<std::vector<PadDim>>(value);
  bool interiors =
      std::any_of(dims.begin(), dims.end(), [](const PadDim& d) { return d.interior != 0; });
  AppendList(dims, "", "x", "", out, [&](const PadDim& d) {
    fmt::format_to(std::back_inserter(*out), "{}_{}", d.low, d.high);
    if (interiors) fmt::format_to(std::back_inserter(*out), "_{}", d.interior);
  });
}

bool ReadShapes(AttrReader& in, const AttrDef&, AttrValue* value) {
  auto& shapes = value->emplace<std::vector<Shape>>();
  return ReadList(in.lex, '{', '}', [&] {
    std::optional<Shape> shape = in.ReadShape();
    if (shape) shapes.push_back(std::move(*shape));
    return shape.has_value();
  });
}
void PrintShapes(const AttrValue& value, const AttrDef&, const AttrPrinter&, std::string* out) {
  AppendList(std::get<std::vector<Shape>>(value), "{", ", ", "}", out,
             [&](const Shape& shape) { AppendShape(shape, {}, out); });
}

bool ReadProgramShape(AttrReader& in, const AttrDef&, AttrValue* value) {
  auto& program = value->emplace<ProgramShape>();
  if (!in.lex.Read('{', "Expects '{' at the start of a computation's layout") ||
      !in.lex.Read('(', "Expects ( before parameter shape list")) {
    return false;
  }
  while (in.lex.Peek() != ')') {
    std::optional<Shape> shape = in.ReadShape();
    if (!shape) return false;
    program.parameters.push_back(std::move(*shape));
    if (in.lex.Peek() != ')' && !in.lex.Read(',', "Expects , between parameter shapes")) {
      return false;
    }
  }
  in.lex.Consume(')');
  if (!in.lex.Consume("->")) return in.lex.Fail("Expects -> before result shape");
  std::optional<Shape> result = in.ReadShape();
  if (!result) return false;
  program.result = std::move(*result);
  return in.lex.Read('}', "Expects '}' at the end of computation layouts");
}
void PrintProgramShape(const AttrValue& value, const AttrDef&, const AttrPrinter&,
                       std::string* out) {
  const ProgramShape& program = std::get<ProgramShape>(value);
  size_t index = 0;
  AppendList(program.parameters, "{(", ", ", ")->", out, [&](const Shape& shape) {
    if (index > 0 && index % 5 == 0)
      fmt::format_to(std::back_inserter(*out), "/*index={}*/", index);
    ++index;
    AppendShape(shape, {}, out);
  });
  AppendShape(program.result, {}, out);
  out->push_back('}');
}

bool ReadAliases(AttrReader& in, const AttrDef& def, AttrValue* value) {
  const bool header = def.name == "input_output_alias";
  auto& aliases = value->emplace<std::vector<Alias>>();
  if (!in.lex.Read('{', header ? "Expects '{' at the start of aliasing description"
                               : "Expects '{' at the start of instruction aliasing description")) {
    return false;
  }
  while (in.lex.Peek() != '}') {
    Alias& alias = aliases.emplace_back();
    if (!ReadShapeIndex(in, &alias.output_index) || !ReadAliasTarget(in, header, &alias)) {
      return false;
    }
    if (!in.lex.Consume(',')) break;
  }
  return in.lex.Read('}', header ? "Expects '}' at the end of aliasing description"
                                 : "Expects '}' at the end of instruction aliasing description");
}
// The module header pads its list with spaces and writes the kind of each alias; ops do neither.
void PrintAliases(const AttrValue& value, const AttrDef&, const AttrPrinter& to, std::string* out) {
  bool header = to.computation == nullptr;
  std::vector<Alias> aliases = std::get<std::vector<Alias>>(value);
  // In XLA the outputs of the program are a tree, and this is its order.
  if (header) {
    StableSort(aliases.begin(), aliases.end(), [](const Alias& a, const Alias& b) {
      return std::lexicographical_compare(a.output_index.begin(), a.output_index.end(),
                                          b.output_index.begin(), b.output_index.end());
    });
  }
  if (aliases.empty()) return;
  AppendList(aliases, header ? "{ " : "{", ", ", header ? " }" : "}", out, [&](const Alias& alias) {
    AppendIndex(alias.output_index, out);
    fmt::format_to(std::back_inserter(*out), ": ({}, ", alias.operand);
    AppendIndex(alias.operand_index, out);
    if (header) out->append(alias.must_alias ? ", must-alias" : ", may-alias");
    out->push_back(')');
  });
}

bool ReadDonors(AttrReader& in, const AttrDef&, AttrValue* value) {
  constexpr std::string_view kFormat =
      "Expected format: (<input_param>, <input_param_shape_index>)";
  auto& donors = value->emplace<std::vector<Alias>>();
  if (!in.lex.Read('{', "Expects '{' at the start of buffer donor description")) return false;
  while (in.lex.Peek() != '}') {
    Alias& donor = donors.emplace_back();
    if (!in.lex.Read('(', kFormat) || !in.lex.ReadCount(&donor.operand) ||
        !in.lex.Read(',', kFormat) || !ReadShapeIndex(in, &donor.operand_index) ||
        !in.lex.Read(')', kFormat)) {
      return false;
    }
    if (!in.lex.Consume(',')) break;
  }
  return in.lex.Read('}', "Expects '}' at the end of buffer donor description");
}
// A set, in order.
void PrintDonors(const AttrValue& value, const AttrDef&, const AttrPrinter&, std::string* out) {
  using Donor = std::pair<int64_t, std::vector<int64_t>>;
  std::set<Donor> donors;
  for (const Alias& donor : std::get<std::vector<Alias>>(value)) {
    donors.emplace(donor.operand,
                   std::vector<int64_t>(donor.operand_index.begin(), donor.operand_index.end()));
  }
  if (donors.empty()) return;
  AppendList(donors, "{ ", ", ", " }", out, [&](const Donor& donor) {
    fmt::format_to(std::back_inserter(*out), "({}, ", donor.first);
    AppendIndex({donor.second.begin(), donor.second.end()}, out);
    out->push_back(')');
  });
}

bool ReadRegion(AttrReader& in, const AttrDef&, AttrValue* value) {
  const Region* region = in.ReadRegion();
  *value = region;
  return region != nullptr;
}
void PrintRegion(const AttrValue& value, const AttrDef&, const AttrPrinter& to, std::string* out) {
  const Region* region = std::get<const Region*>(value);
  if (region) AppendName(region->region_name(), to.options.percent, out);
}

bool ReadRegions(AttrReader& in, const AttrDef&, AttrValue* value) {
  auto& regions = value->emplace<std::vector<const Region*>>();
  return ReadList(in.lex, '{', '}', [&] {
    const Region* region = in.ReadRegion();
    if (region) regions.push_back(region);
    return region != nullptr;
  });
}
void PrintRegions(const AttrValue& value, const AttrDef&, const AttrPrinter& to, std::string* out) {
  AppendList(
      std::get<std::vector<const Region*>>(value), "{", ", ", "}", out,
      [&](const Region* region) { AppendName(region->region_name(), to.options.percent, out); });
}

bool ReadInstructions(AttrReader& in, const AttrDef&, AttrValue* value) {
  auto& indices = value->emplace<std::vector<uint32_t>>();
  const Range range = in.lex.TokenRange();
  if (!ReadList(in.lex, '{', '}', [&] { return in.ReadInstruction(&indices); })) return false;
  const bool is_empty = in.lex.last_end() == range.begin + 2;
  // Duplicates count once.
  std::set<uint32_t> seen;
  std::erase_if(indices, [&](uint32_t index) { return !seen.insert(index).second; });
  return !is_empty || in.Fail(range, "expects a instruction name in the list");
}
void PrintInstructions(const AttrValue& value, const AttrDef&, const AttrPrinter& to,
                       std::string* out) {
  if (!to.options.control_dependencies || !to.computation) return;
  AppendList(std::get<std::vector<uint32_t>>(value), "{", ", ", "}", out, [&](uint32_t index) {
    AppendName(to.computation->instructions()[index].name(), to.options.percent, out);
  });
}

}  // namespace hlo
