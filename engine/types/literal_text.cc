// Literals to text. Source: XLA, literal.cc (DenseArrayPrintHelper, TuplePrintHelper).
#include <fmt/format.h>

#include <complex>
#include <iterator>

#include "engine/types/float_traits.h"
#include "engine/types/literal.h"
#include "engine/types/number_text.h"

namespace hlo {
namespace {

template <typename T>
void AppendFloatElement(T value, std::string* out) {
  using Traits = FloatTraits<T>;
  if (Traits::IsNan(value)) {
    // The one NaN of the fnuz types is the code of -0: it has the sign.
    if (Traits::IsNegative(value)) out->push_back('-');
    out->append("nan");
    const uint64_t payload = Traits::Payload(value);
    if (payload != Traits::kDefaultPayload) {
      fmt::format_to(std::back_inserter(*out), FMT_STRING("(0x{:x})"), payload);
    }
    return;
  }
  const double wide = static_cast<double>(value);
  if (wide - wide != 0) {
    out->append(wide < 0 ? "-inf" : "inf");
    return;
  }
  if constexpr (std::is_same_v<T, double>) {
    AppendDouble(value, out);
  } else if constexpr (std::is_same_v<T, float>) {
    AppendFloat(value, out);
  } else {
    AppendDigits(wide, Traits::kDigits, out);
  }
}

template <typename T>
void AppendValue(const T& value, std::string* out) {
  if constexpr (kClassOf<T> == TypeClass::kPred) {
    out->push_back(value ? '1' : '0');
  } else if constexpr (kClassOf<T> == TypeClass::kFloat) {
    AppendFloatElement(value, out);
  } else if constexpr (kClassOf<T> == TypeClass::kComplex) {
    out->push_back('(');
    AppendFloatElement(value.real(), out);
    out->append(", ");
    AppendFloatElement(value.imag(), out);
    out->push_back(')');
  } else if constexpr (std::is_integral_v<T>) {
    fmt::format_to(std::back_inserter(*out), FMT_STRING("{}"), value);
  } else {
    fmt::format_to(std::back_inserter(*out), FMT_STRING("{}"), value.value());
  }
}

using AppendFunction = void (*)(const std::byte*, std::string*);

AppendFunction AppendFunctionOf(ElementType type) {
  return DispatchType(type, [](auto tag) -> AppendFunction {
    using T = typename decltype(tag)::type;
    return [](const std::byte* at, std::string* out) {
      AppendValue(*reinterpret_cast<const T*>(at), out);
    };
  });
}

// Prints the braces and elements of one array.
class ArrayPrinter {
 public:
  ArrayPrinter(const Tensor& tensor, bool hlo_spacing, std::string* out)
      : tensor_(tensor),
        append_(AppendFunctionOf(tensor.element_type())),
        width_(BytesOf(tensor.element_type())),
        hlo_spacing_(hlo_spacing),
        out_(out) {}

  // The sub-array of the dimensions from `dim` on, whose first element is number `first`; `place`
  // is its index in the dimension around it.
  void Print(int dim, int64_t first, int64_t place) {
    const int rank = tensor_.rank();
    const bool is_innermost = dim == rank - 1;
    const int64_t live = tensor_.live_dim(dim);
    // XLA puts spaces inside braces but not around a row of fewer than two elements, nor in a
    // vector, and prints the indices of the outer dimensions from rank 4 on.
    const bool has_spaces = hlo_spacing_ && rank > 1 && (!is_innermost || live > 1);
    out_->push_back('{');
    if (hlo_spacing_ && rank > 3 && dim > 0 && !is_innermost) {
      fmt::format_to(std::back_inserter(*out_), FMT_STRING(" /*i{}={}*/"), dim - 1, place);
    }
    // XLA omits this one after the index comment of an empty sub-array.
    if (has_spaces && (live > 0 || out_->back() == '{')) out_->push_back(' ');
    for (int64_t i = 0; i < live; ++i) {
      if (i > 0) out_->append(", ");
      const int64_t element = first * tensor_.dim(dim) + i;
      if (is_innermost) {
        append_(tensor_.bytes() + element * width_, out_);
      } else {
        Print(dim + 1, element, i);
      }
    }
    if (has_spaces) out_->push_back(' ');
    out_->push_back('}');
  }

 private:
  const Tensor& tensor_;
  AppendFunction append_;
  int64_t width_;
  bool hlo_spacing_;
  std::string* out_;
};

// Whether the braces around no elements at all are too many to print, as for s8[1000000000,0].
bool HasManyEmptyRows(const Tensor& tensor) {
  constexpr int64_t kMostRows = 1000;
  int64_t rows = 1;
  for (int64_t size : tensor.dims()) {
    if (size == 0) return false;
    if (rows > kMostRows / size) return true;
    rows *= size;
  }
  return false;
}

void AppendArrayLiteral(const Tensor& tensor, const Shape& shape, const LiteralTextOptions& options,
                        std::string* out) {
  if (options.shape) {
    const Dims& sizes = tensor.dynamic_sizes().empty() ? tensor.dims() : tensor.dynamic_sizes();
    Shape written = shape;
    for (int d = 0; d < tensor.rank(); ++d) {
      if (sizes[static_cast<size_t>(d)] != tensor.dim(d)) written.set_dynamic(d, true);
    }
    AppendShape(written, {.layout = options.layout}, out);
    if (shape.has_dynamic_dims() || !tensor.dynamic_sizes().empty()) {
      fmt::format_to(std::back_inserter(*out), FMT_STRING("({})"),
                     fmt::join(sizes.begin(), sizes.end(), ","));
    }
    out->push_back(' ');
  }
  if (tensor.rank() == 0) return AppendElement(tensor, 0, out);
  if (options.max_elements >= 0 && tensor.element_count() > options.max_elements) {
    out->append("{...}");
    return;
  }
  if (tensor.element_count() == 0 && HasManyEmptyRows(tensor)) {
    out->append("{}");
    return;
  }
  ArrayPrinter(tensor, options.hlo_spacing, out).Print(0, 0, 0);
}

}  // namespace

void AppendElement(const Tensor& tensor, int64_t index, std::string* out) {
  const std::byte* at = tensor.bytes() + index * BytesOf(tensor.element_type());
  if (tensor.element_type() == ElementType::kPred && tensor.rank() == 0) {
    out->append(*at != std::byte{0} ? "true" : "false");
    return;
  }
  AppendFunctionOf(tensor.element_type())(at, out);
}

void AppendLiteral(const Value& value, const Shape& shape, const LiteralTextOptions& options,
                   std::string* out) {
  if (value.is_array()) return AppendArrayLiteral(value.tensor(), shape, options, out);
  if (value.is_token()) {
    // A value that is not known, a constant written `{...}`, prints as such.
    if (shape.IsArray() && options.shape) {
      AppendShape(shape, {.layout = options.layout}, out);
      out->push_back(' ');
    }
    out->append(shape.IsArray() ? "{...}" : shape.IsOpaque() ? "opaque" : "token");
    return;
  }
  const Value::Elements& elements = value.elements();
  const bool has_spaces = options.hlo_spacing;
  out->append(has_spaces ? "( " : "(");
  for (size_t i = 0; i < elements.size(); ++i) {
    if (i > 0) out->append(", ");
    AppendLiteral(elements[i], shape.elements()[i], options, out);
  }
  out->append(has_spaces ? " )" : ")");
}

std::string LiteralText(const Value& value, const Shape& shape, const LiteralTextOptions& options) {
  std::string text;
  AppendLiteral(value, shape, options, &text);
  return text;
}

}  // namespace hlo
