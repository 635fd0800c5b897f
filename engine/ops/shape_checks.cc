#include "engine/ops/shape_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "engine/base/bits.h"
#include "engine/ops/op_def.h"
#include "engine/types/storage.h"

namespace hlo {
namespace {

/// Largest binary exponent and significand digits, as in std::numeric_limits, and the binary
/// exponent of the smallest positive number.
struct FloatRange {
  int max_exponent = std::numeric_limits<int>::min();
  int digits = 0;
  int least_exponent = 0;
};

FloatRange FloatRangeOf(ElementType type) {
  return DispatchClass<TypeClass::kFloat>(type, FloatRange{}, [](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_floating_point_v<T>) {
      using Limits = std::numeric_limits<T>;
      return FloatRange{Limits::max_exponent, Limits::digits,
                        Limits::min_exponent - Limits::digits};
    } else {
      constexpr FloatFormat f = T::kFormat;
      int exponent = static_cast<int>(f.max_finite() >> f.mantissa_bits) - f.bias;
      return FloatRange{exponent + 1, f.mantissa_bits + 1, 1 - f.bias - f.mantissa_bits - 1};
    }
  });
}

std::string_view ClassWord(TypeClass type_class) {
  switch (type_class) {
    case TypeClass::kPred:
      return "pred";
    case TypeClass::kSigned:
      return "signed integer";
    case TypeClass::kUnsigned:
      return "unsigned integer";
    case TypeClass::kFloat:
      return "floating-point";
    case TypeClass::kComplex:
      return "complex";
  }
  return "";
}

std::string TypeSetText(TypeSet types) {
  std::string text;
  for (TypeClass c : {TypeClass::kPred, TypeClass::kSigned, TypeClass::kUnsigned, TypeClass::kFloat,
                      TypeClass::kComplex}) {
    if (!Contains(types, c)) continue;
    if (!text.empty()) text += ", ";
    text += ClassWord(c);
  }
  return text;
}

}  // namespace

// ---- Element types ------------------------------------------------------------------------------

ElementType HigherPrecision(ElementType a, ElementType b) {
  if (a == b) return a;
  auto rank = [](ElementType type) {
    FloatRange range = FloatRangeOf(ComponentType(type));
    return std::make_tuple(IsComplex(type), range.max_exponent, range.digits, BitsOf(type),
                           IsSigned(type));
  };
  return rank(a) < rank(b) ? b : a;
}

bool HoldsFloats(ElementType a, ElementType b) {
  const FloatRange outer = FloatRangeOf(a), inner = FloatRangeOf(b);
  return outer.max_exponent >= inner.max_exponent && outer.digits >= inner.digits &&
         outer.least_exponent <= inner.least_exponent;
}

bool SameTypeUpToFloatWidth(ElementType a, ElementType b) {
  return a == b || (IsFloat(a) && IsFloat(b));
}

std::string TypeName(ElementType type) {
  std::string name(Text(type));
  for (char& c : name) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return name;
}

std::string TypeName(const Shape& shape) {
  if (shape.IsTuple()) return "TUPLE";
  if (shape.IsToken()) return "TOKEN";
  if (shape.IsOpaque()) return "OPAQUE_TYPE";
  return shape.IsBuffer() ? "BUFFER" : TypeName(shape.element_type());
}

Layout WithOrder(const Layout& layout, Dims minor_to_major, int64_t element_bits) {
  if (!layout.has_extras() && element_bits == 0) return Layout(std::move(minor_to_major));
  LayoutExtras extras = layout.extras();
  extras.element_bits = element_bits;
  return {std::move(minor_to_major), std::move(extras)};
}

Shape WithElementType(Shape shape, ElementType type) {
  shape.set_element_type(type);
  const bool is_narrow = BitsOf(type) < 8 && type != ElementType::kPred;
  if (!is_narrow && shape.layout().extras().element_bits != 0) {
    shape.set_layout(WithOrder(shape.layout(), shape.layout().minor_to_major(), 0));
  }
  return shape;
}

bool CompatibleSizes(int64_t a, int64_t b) {
  return a == b || a == Shape::kUnbounded || b == Shape::kUnbounded;
}

void MergeDim(Shape& result, const Shape& operand, int d) {
  const bool a = result.is_dynamic(d);
  const bool b = operand.is_dynamic(d);
  result.set_dynamic(d, result.is_unbounded(d) == operand.is_unbounded(d) ? a || b : a && b);
  if (result.is_unbounded(d)) result.set_dim(d, operand.dim(d));
}

bool SameDims(const Shape& a, const Shape& b) {
  return a.IsArray() && b.IsArray() &&
         std::equal(a.dims().begin(), a.dims().end(), b.dims().begin(), b.dims().end(),
                    CompatibleSizes);
}

bool CompatibleUpToFloatWidth(const Shape& a, const Shape& b) {
  return Shape::Equal(a, b, {.layout = false, .dynamic = false, .float_width = false});
}

// ---- Checks of operands -------------------------------------------------------------------------

std::string OperandName(const OpCall& call, int i) {
  auto names = call.def().operands;
  if (names.empty()) return fmt::format("operand {}", i);
  return fmt::format("operand {} ({})", i,
                     names[std::min(static_cast<size_t>(i), names.size() - 1)]);
}

void ReportOperand(const OpCall& call, int i, DiagCode code, std::string_view message,
                   Diagnostics& out) {
  out.Report(code, call.operand_range(i), fmt::format("{}: {}", call.opcode_text(), message));
}

void ReportAttr(const OpCall& call, std::string_view attr, DiagCode code, std::string_view message,
                Diagnostics& out) {
  out.Report(code, call.attr_range(attr),
             fmt::format("{}.{}: {}", call.opcode_text(), attr, message));
}

bool FailDims(const OpCall& call, std::string_view attr, std::string_view message,
              Diagnostics& out) {
  ReportAttr(call, attr, DiagCode::kDimensionNumbers, message, out);
  return false;
}

void ReportOp(const OpCall& call, DiagCode code, std::string_view message, Diagnostics& out) {
  out.Report(code, call.range(), fmt::format("{}: {}", call.opcode_text(), message));
}

bool CheckArray(const OpCall& call, int i, Diagnostics& out) {
  if (call.operand(i).IsArray()) return true;
  out.Report(DiagCode::kOperandInvalid, call.operand_range(i),
             fmt::format("Expected array argument for {}, but {} is {}", call.opcode_text(),
                         OperandName(call, i), ShapeName(call.operand(i))));
  return false;
}

bool CheckArrays(const OpCall& call, Diagnostics& out, int first) {
  bool ok = true;
  for (int i = first; i < call.operand_count(); ++i) ok &= CheckArray(call, i, out);
  return ok;
}

bool CheckType(const OpCall& call, int i, TypeSet types, Diagnostics& out) {
  if (!CheckArray(call, i, out)) return false;
  if (Contains(types, ClassOf(call.operand(i).element_type()))) return true;
  ReportOperand(call, i, DiagCode::kElementType,
                fmt::format("expects element type of {} to be one of {}, but it is {}",
                            OperandName(call, i), TypeSetText(types), ShapeName(call.operand(i))),
                out);
  return false;
}

bool CheckScalar(const OpCall& call, int i, TypeSet types, Diagnostics& out) {
  if (!CheckType(call, i, types, out)) return false;
  if (call.operand(i).rank() == 0) return true;
  ReportOperand(call, i, DiagCode::kOperandInvalid,
                fmt::format("expects {} to be a scalar, but it is {}", OperandName(call, i),
                            ShapeName(call.operand(i))),
                out);
  return false;
}

bool CheckMinRank(const OpCall& call, int i, int rank, Diagnostics& out) {
  if (!CheckArray(call, i, out)) return false;
  if (call.operand(i).rank() >= rank) return true;
  ReportOperand(call, i, DiagCode::kOperandInvalid,
                fmt::format("expects {} to have rank {} or more, but it is {}",
                            OperandName(call, i), rank, ShapeName(call.operand(i))),
                out);
  return false;
}

bool CheckSameDims(const OpCall& call, int i, int j, Diagnostics& out) {
  const Shape& a = call.operand(i);
  const Shape& b = call.operand(j);
  if (SameDims(a, b)) return true;
  std::string where;
  if (a.IsArray() && b.IsArray() && a.rank() == b.rank()) {
    int d = 0;
    while (CompatibleSizes(a.dim(d), b.dim(d))) ++d;
    where = fmt::format(" (dimension {} is {} and {})", d, a.dim(d), b.dim(d));
  }
  ReportOperand(
      call, i, DiagCode::kOperandInvalid,
      fmt::format("expects {} to have the dimensions of {}: {} and {}{}", OperandName(call, i),
                  OperandName(call, j), ShapeName(a), ShapeName(b), where),
      out);
  return false;
}

bool CheckSameType(const OpCall& call, int i, int j, Diagnostics& out) {
  ElementType a = call.operand(i).element_type();
  ElementType b = call.operand(j).element_type();
  if (SameTypeUpToFloatWidth(a, b)) return true;
  ReportOperand(call, i, DiagCode::kElementType,
                fmt::format("expects {} to have the element type of {}: {} and {}",
                            OperandName(call, i), OperandName(call, j), Text(a), Text(b)),
                out);
  return false;
}

bool CheckToken(const OpCall& call, int i, Diagnostics& out) {
  if (call.operand(i).IsToken()) return true;
  ReportOperand(call, i, DiagCode::kOperandInvalid,
                fmt::format("Expected operand {} to be token-shaped, actual shape is {}", i,
                            ShapeName(call.operand(i))),
                out);
  return false;
}

bool CheckOperandShape(const OpCall& call, int i, const Shape& expected, Diagnostics& out) {
  if (CompatibleUpToFloatWidth(call.operand(i), expected)) return true;
  ReportOperand(call, i, DiagCode::kOperandInvalid,
                fmt::format("expects {} to be {}, but it is {}", OperandName(call, i),
                            ShapeName(expected), ShapeName(call.operand(i))),
                out);
  return false;
}

// ---- Checks of attributes -----------------------------------------------------------------------

bool Contains(const Dims& dims, int64_t value) {
  return std::find(dims.begin(), dims.end(), value) != dims.end();
}

bool CheckDims(const OpCall& call, std::string_view attr, int rank, std::string_view of,
               DimsRule rule, Diagnostics& out) {
  const Dims& dims = call.Ints(attr);
  auto fail = [&](const std::string& message) {
    ReportAttr(call, attr, DiagCode::kDimensionNumbers, message, out);
    return false;
  };
  bool ok = true;
  if (rule.count >= 0 && static_cast<int64_t>(dims.size()) != rule.count) {
    ok = fail(fmt::format("expects {} dimension numbers, but {} has {}", rule.count, DimsText(dims),
                          dims.size()));
  }
  uint64_t seen = 0;
  for (size_t i = 0; i < dims.size(); ++i) {
    int64_t d = dims[i];
    if (d < 0 || d >= rank) {
      ok = fail(fmt::format("dimension {} is out of range for {} (rank {})", d, of, rank));
      continue;
    }
    // A valid list has at most `rank` entries: longer ones need no further check.
    bool repeated = d < 64 ? (seen >> d & 1) != 0
                           : std::find(dims.begin(), dims.begin() + i, d) != dims.begin() + i;
    if (d < 64) seen |= uint64_t{1} << d;
    if (rule.unique && repeated) return fail(fmt::format("dimension {} is given twice", d));
    if (rule.sorted && i > 0 && d <= dims[i - 1]) {
      return fail(fmt::format("dimensions must be in ascending order, but are {}", DimsText(dims)));
    }
  }
  return ok;
}

bool CheckDimList(const OpCall& call, std::string_view attr, int64_t rank,
                  const DimListWords& words, Diagnostics& out) {
  const Dims& dims = call.Ints(attr);
  auto fail = [&](std::string_view format, int64_t d, size_t i) {
    ReportAttr(call, attr, DiagCode::kDimensionNumbers,
               fmt::format(fmt::runtime(format),
                           fmt::arg("list", fmt::format("{}", fmt::join(dims, ", "))),
                           fmt::arg("d", d), fmt::arg("i", i), fmt::arg("rank", rank)),
               out);
    return false;
  };
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] < 0 || dims[i] >= rank) return fail(words.range, dims[i], i);
  }
  std::vector<int64_t> sorted(dims.begin(), dims.end());
  if (!words.unsorted.empty() && !std::is_sorted(sorted.begin(), sorted.end())) {
    return fail(words.unsorted, 0, 0);
  }
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) return fail(words.repeated, *twice, 0);
  return true;
}

std::optional<int> CheckOneDim(const OpCall& call, std::string_view attr, int rank,
                               std::string_view of, Diagnostics& out) {
  if (!CheckDims(call, attr, rank, of, {.count = 1}, out)) return std::nullopt;
  return static_cast<int>(call.Ints(attr)[0]);
}

bool CheckInt(const OpCall& call, std::string_view attr, int64_t low, int64_t high,
              Diagnostics& out) {
  int64_t value = call.Int(attr);
  if (value >= low && value < high) return true;
  std::string range = high == std::numeric_limits<int64_t>::max()
                          ? fmt::format("must be {} or more", low)
                          : fmt::format("must be in [{}, {})", low, high);
  ReportAttr(call, attr, DiagCode::kAttributeValue, fmt::format("{}, but is {}", range, value),
             out);
  return false;
}

// ---- Shapes -------------------------------------------------------------------------------------

std::optional<Shape> CheckedArray(const OpCall& call, ElementType type, const Dims& dims,
                                  Diagnostics& out) {
  int64_t count = 1;
  bool fits = true;
  for (int64_t d : dims) {
    if (d == 0) {
      fits = true;
      break;
    }
    if (d > 0) fits &= MultiplyChecked(count, d, &count);
  }
  if (fits) return Shape::Array(type, dims);
  ReportOp(call, DiagCode::kShapeInvalid,
           fmt::format("the result {}[{}] has more elements than 64 bits count", Text(type),
                       fmt::join(dims, ",")),
           out);
  return std::nullopt;
}

Shape OneOrTuple(std::vector<Shape> shapes) {
  if (shapes.size() == 1) return std::move(shapes[0]);
  return Shape::Tuple(std::move(shapes));
}

const Shape& PartShape(const Shape& whole, int i) {
  return whole.IsTuple() ? whole.elements()[static_cast<size_t>(i)] : whole;
}

std::string DimsText(std::span<const int64_t> dims) {
  return fmt::format("{{{}}}", fmt::join(dims, ","));
}

}  // namespace hlo
