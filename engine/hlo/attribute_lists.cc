// Attribute kinds that are lists: integers, booleans, slices, padding, shapes, aliases, references.
#include <fmt/format.h>

#include <algorithm>

#include "engine/hlo/attribute_text.h"

namespace hlo {
namespace {

// `{1,0}` as a path into a tuple, with XLA's words.
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
  for (size_t i = 0; i < index.size(); ++i) {
    fmt::format_to(std::back_inserter(*out), "{}{}", i > 0 ? "," : "", index[i]);
  }
  out->push_back('}');
}

// `(operand, {index}[, may-alias|must-alias])`
bool ReadAliasTarget(AttrReader& in, Alias* alias) {
  if (!in.lex.Read('(', "Expects '(' before the parameter number")) return false;
  const Range number = in.lex.TokenRange();
  if (!in.lex.ReadInt(&alias->operand)) return false;
  if (alias->operand < 0) return in.Fail(number, "Negative operand number in aliasing config.");
  if (!in.lex.Read(',', "Expects ',' after the parameter number") ||
      !ReadShapeIndex(in, &alias->operand_index)) {
    return false;
  }
  if (in.lex.Consume(',')) {
    alias->must_alias = in.lex.ConsumeWord("must-alias");
    if (!alias->must_alias && !in.lex.ConsumeWord("may-alias")) {
      return in.lex.Fail("expects may-alias or must-alias");
    }
  }
  return in.lex.Read(')', "Expects ')' after the parameter index");
}

bool ReadSlice(AttrReader& in, SliceDim* dim) {
  return in.lex.Read('[', "expects '[' in a slice") && in.lex.ReadInt(&dim->start) &&
         in.lex.Read(':', "expects ':' in a slice") && in.lex.ReadInt(&dim->limit) &&
         (!in.lex.Consume(':') || in.lex.ReadInt(&dim->stride)) &&
         in.lex.Read(']', "expects ']' after a slice");
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

void AppendName(std::string_view name, const AttrPrinter& to, std::string* out) {
  if (to.options.percent) out->push_back('%');
  out->append(name);
}

}  // namespace

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

// A rank-0 padding is an empty value (XLA prints it so): nothing follows before the next attribute.
bool ReadPadding(AttrReader& in, const AttrDef&, AttrValue* value) {
  auto& dims = value->emplace<std::vector<PadDim>>();
  char first = in.lex.Peek();
  if (!IsDigit(first) && first != '-') return true;
  do {
    PadDim& dim = dims.emplace_back();
    if (!in.lex.ReadInt(&dim.low)) return false;
    if (in.lex.At(0) != '_') return in.lex.Fail("expects '_' between low and high padding");
    in.lex.Advance(1);
    if (!in.lex.ReadInt(&dim.high)) return false;
    if (in.lex.At(0) == '_') {
      in.lex.Advance(1);
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
  if (!in.lex.Read('{', "expects '{' before a computation's layout")) return false;
  bool ok = ReadList(in.lex, '(', ')', [&] {
    std::optional<Shape> shape = in.ReadShape();
    if (shape) program.parameters.push_back(std::move(*shape));
    return shape.has_value();
  });
  if (!ok) return false;
  if (!in.lex.Consume("->")) return in.lex.Fail("expects '->' before the result's shape");
  std::optional<Shape> result = in.ReadShape();
  if (!result) return false;
  program.result = std::move(*result);
  return in.lex.Read('}', "expects '}' after a computation's layout");
}
void PrintProgramShape(const AttrValue& value, const AttrDef&, const AttrPrinter&,
                       std::string* out) {
  const ProgramShape& program = std::get<ProgramShape>(value);
  size_t index = 0;
  AppendList(program.parameters, "{(", ", ", ")->", out, [&](const Shape& shape) {
    if (index > 0 && index % 5 == 0)
      fmt::format_to(std::back_inserter(*out), "/*index={}*/", index);
    ++index;
    AppendShape(shape, {.tuple_index = true}, out);
  });
  AppendShape(program.result, {.tuple_index = true}, out);
  out->push_back('}');
}

bool ReadAliases(AttrReader& in, const AttrDef&, AttrValue* value) {
  auto& aliases = value->emplace<std::vector<Alias>>();
  if (!in.lex.Read('{', "Expects '{' at the start of aliasing description")) return false;
  while (in.lex.Peek() != '}') {
    Alias& alias = aliases.emplace_back();
    if (!ReadShapeIndex(in, &alias.output_index) ||
        !in.lex.Read(':', "Expects ':' between the output and what it aliases") ||
        !ReadAliasTarget(in, &alias)) {
      return false;
    }
    if (!in.lex.Consume(',')) break;
  }
  return in.lex.Read('}', "Expects '}' at the end of aliasing description");
}
// The module header pads its list with spaces and says what kind of alias each is; ops do neither.
void PrintAliases(const AttrValue& value, const AttrDef&, const AttrPrinter& to, std::string* out) {
  bool header = to.computation == nullptr;
  AppendList(std::get<std::vector<Alias>>(value), header ? "{ " : "{", ", ", header ? " }" : "}",
             out, [&](const Alias& alias) {
               AppendIndex(alias.output_index, out);
               fmt::format_to(std::back_inserter(*out), ": ({}, ", alias.operand);
               AppendIndex(alias.operand_index, out);
               if (header) out->append(alias.must_alias ? ", must-alias" : ", may-alias");
               out->push_back(')');
             });
}

bool ReadDonors(AttrReader& in, const AttrDef&, AttrValue* value) {
  auto& donors = value->emplace<std::vector<Alias>>();
  return ReadList(in.lex, '{', '}', [&] {
    Alias& donor = donors.emplace_back();
    return in.lex.Read('(', "Expects '(' before the parameter number") &&
           in.lex.ReadCount(&donor.operand) &&
           in.lex.Read(',', "Expects ',' after the parameter number") &&
           ReadShapeIndex(in, &donor.operand_index) &&
           in.lex.Read(')', "Expects ')' after the parameter index");
  });
}
void PrintDonors(const AttrValue& value, const AttrDef&, const AttrPrinter&, std::string* out) {
  AppendList(std::get<std::vector<Alias>>(value), "{ ", ", ", " }", out, [&](const Alias& donor) {
    fmt::format_to(std::back_inserter(*out), "({}, ", donor.operand);
    AppendIndex(donor.operand_index, out);
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
  if (region) AppendName(region->region_name(), to, out);
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
  AppendList(std::get<std::vector<const Region*>>(value), "{", ", ", "}", out,
             [&](const Region* region) { AppendName(region->region_name(), to, out); });
}

bool ReadInstructions(AttrReader& in, const AttrDef&, AttrValue* value) {
  auto& indices = value->emplace<std::vector<uint32_t>>();
  return ReadList(in.lex, '{', '}', [&] {
    std::optional<uint32_t> index = in.ReadInstruction();
    if (index) indices.push_back(*index);
    return index.has_value();
  });
}
void PrintInstructions(const AttrValue& value, const AttrDef&, const AttrPrinter& to,
                       std::string* out) {
  if (!to.options.control_dependencies || !to.computation) return;
  AppendList(std::get<std::vector<uint32_t>>(value), "{", ", ", "}", out, [&](uint32_t index) {
    AppendName(to.computation->instructions()[index].name(), to, out);
  });
}

}  // namespace hlo
