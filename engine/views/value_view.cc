#include "engine/views/value_view.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <utility>

#include "engine/base/indices.h"
#include "engine/types/convert.h"
#include "engine/types/literal.h"
#include "engine/types/number_text.h"
#include "engine/views/json.h"

namespace hlo {
namespace {

constexpr int64_t kPreviewElements = 24;

Json NumberJson(double value) {
  // JSON has no NaN and no infinity; null is what JavaScript's own JSON.stringify writes.
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

// The text of a value, element by element, until the limit is reached. Returns false if it was cut.
class PreviewWriter {
 public:
  PreviewWriter(int64_t max_elements, std::string* out)
      : left_(max_elements), groups_left_(kGroupsPerElement * (max_elements + 1)), out_(out) {}

  bool Write(const Value& value) {
    if (groups_left_-- <= 0) return Cut();
    if (value.is_token()) return Append("token");
    if (value.is_tuple()) return WriteTuple(value);
    return WriteArray(value.tensor(), 0, 0);
  }

 private:
  bool Append(std::string_view text) {
    out_->append(text);
    return true;
  }
  bool Cut() {
    out_->append("...");
    return false;
  }
  bool WriteTuple(const Value& value) {
    out_->append("(");
    bool whole = true;
    for (size_t i = 0; i < value.elements().size() && whole; ++i) {
      if (i > 0) out_->append(", ");
      whole = left_ > 0 ? Write(value.elements()[i]) : Cut();
    }
    out_->append(")");
    return whole;
  }
  bool WriteArray(const Tensor& tensor, int dim, int64_t offset) {
    if (dim == tensor.rank()) {
      if (left_-- <= 0) return Cut();
      AppendElement(tensor, offset, out_);
      return true;
    }
    if (groups_left_-- <= 0) return Cut();
    out_->append("{");
    bool whole = true;
    for (int64_t i = 0; i < tensor.live_dim(dim) && whole; ++i) {
      if (i > 0) out_->append(", ");
      whole = left_ > 0 ? WriteArray(tensor, dim + 1, offset * tensor.dim(dim) + i) : Cut();
    }
    out_->append("}");
    return whole;
  }

  static constexpr int64_t kGroupsPerElement = 16;
  int64_t left_;
  int64_t groups_left_;
  std::string* out_;
};

template <typename T>
T Field(const Json& json, const char* name, T otherwise) {
  auto it = json.find(name);
  if (it == json.end() || !it->is_number()) return otherwise;
  const double value = it->get<double>();
  if (!(std::fabs(value) < 9e15)) return otherwise;
  return static_cast<T>(value);
}

}  // namespace

void ReadNumbers(ElementType type, const std::byte* source, int64_t n, double* numbers) {
  if (!IsComplex(type)) {
    ConvertElements(type, source, ElementType::kF64, reinterpret_cast<std::byte*>(numbers), n);
    return;
  }
  for (int64_t i = 0; i < n; ++i) {
    std::complex<double> value;
    ConvertElements(type, source + i * BytesOf(type), ElementType::kC128,
                    reinterpret_cast<std::byte*>(&value), 1);
    numbers[i] = std::abs(value);
  }
}

WindowSpec ParseWindowSpec(std::string_view text) {
  WindowSpec window;
  const Json json = ParseJson(text);
  if (!json.is_object()) return window;
  if (auto origin = json.find("origin"); origin != json.end() && origin->is_array()) {
    for (const Json& start : *origin) {
      const double value = start.is_number() ? start.get<double>() : 0;
      window.origin.push_back(value >= 0 && value < 9e15 ? static_cast<int64_t>(value) : 0);
    }
  }
  window.row_dim = Field<int>(json, "rowDim", -1);
  window.col_dim = Field<int>(json, "colDim", -1);
  window.rows = Field<int64_t>(json, "rows", 1);
  window.cols = Field<int64_t>(json, "cols", 1);
  return window;
}

WindowSpec ClipWindow(WindowSpec window, const Dims& dims) {
  const int rank = static_cast<int>(dims.size());
  window.origin.resize(dims.size(), 0);
  auto valid = [&](int dim) { return dim >= 0 && dim < rank ? dim : -1; };
  window.row_dim = valid(window.row_dim);
  window.col_dim = window.col_dim == window.row_dim ? -1 : valid(window.col_dim);
  auto extent = [&](int dim, int64_t wanted) {
    const int64_t room =
        dim < 0 ? 1 : dims[static_cast<size_t>(dim)] - window.origin[static_cast<size_t>(dim)];
    return std::clamp<int64_t>(wanted, 0, std::max<int64_t>(room, 0));
  };
  window.rows = extent(window.row_dim, window.rows);
  window.cols = extent(window.col_dim, window.cols);
  for (size_t i = 0; i < dims.size(); ++i) {
    if (window.origin[i] < 0 || window.origin[i] >= dims[i]) window.rows = 0;
  }
  if (window.rows == 0 || window.cols == 0) window.rows = window.cols = 0;
  window.cols = std::min(window.cols, kMaxCells);
  if (window.cols > 0) window.rows = std::min(window.rows, kMaxCells / window.cols);
  return window;
}

// Floats of one byte in full, unlike XLA, which prints 1.375 of f8e4m3fn as 1.38: two or three
// digits tell its values apart.
void AppendCell(const Tensor& tensor, int64_t offset, double number, std::string* out) {
  constexpr int kDigits = 6;
  const ElementType type = tensor.element_type();
  if (IsFloat(type) && BitsOf(type) <= 8 && std::isfinite(number)) {
    AppendDigits(number, kDigits, out);
  } else {
    AppendElement(tensor, offset, out);
  }
}

ValueWindow MakeValueWindow(const Tensor& tensor, const WindowSpec& spec) {
  const WindowSpec window = ClipWindow(spec, tensor.dims());
  ValueWindow view{.rows = window.rows, .cols = window.cols, .text = {}, .numbers = {}};
  Dims index = window.origin;
  for (int64_t r = 0; r < window.rows; ++r) {
    for (int64_t c = 0; c < window.cols; ++c) {
      if (window.row_dim >= 0) {
        const size_t dim = static_cast<size_t>(window.row_dim);
        index[dim] = window.origin[dim] + r;
      }
      if (window.col_dim >= 0) {
        const size_t dim = static_cast<size_t>(window.col_dim);
        index[dim] = window.origin[dim] + c;
      }
      const int64_t offset = Ravel(index, tensor.dims());
      double& number = view.numbers.emplace_back();
      ReadNumbers(tensor.element_type(), tensor.bytes() + offset * BytesOf(tensor.element_type()),
                  1, &number);
      AppendCell(tensor, offset, number, &view.text.emplace_back());
    }
  }
  return view;
}

ValueStats MakeValueStats(const Tensor& tensor) {
  constexpr int64_t kBlock = 4096;
  ValueStats stats;
  stats.count = tensor.element_count();
  double sum = 0;
  int64_t finite = 0;
  double block[kBlock];
  for (int64_t begin = 0; begin < stats.count; begin += kBlock) {
    const int64_t n = std::min(kBlock, stats.count - begin);
    ReadNumbers(tensor.element_type(), tensor.bytes() + begin * BytesOf(tensor.element_type()), n,
                block);
    for (int64_t i = 0; i < n; ++i) {
      const double value = block[i];
      if (std::isfinite(value)) {
        stats.min = finite == 0 ? value : std::min(stats.min, value);
        stats.max = finite == 0 ? value : std::max(stats.max, value);
        sum += value;
        ++finite;
        continue;
      }
      ++(std::isnan(value) ? stats.nans : stats.infinities);
      if (!stats.first_non_finite) stats.first_non_finite = Unravel(begin + i, tensor.dims());
    }
  }
  stats.mean = finite == 0 ? 0 : sum / static_cast<double>(finite);
  return stats;
}

std::string ValueStatsJson(const ValueStats& stats) {
  return JsonText(
      ObjectJson({{"count", stats.count},
                  {"min", NumberJson(stats.min)},
                  {"max", NumberJson(stats.max)},
                  {"mean", NumberJson(stats.mean)},
                  {"nans", stats.nans},
                  {"infinities", stats.infinities},
                  {"firstNonFinite",
                   stats.first_non_finite ? DimsJson(*stats.first_non_finite) : Json(nullptr)}}));
}

std::string ValueText(const Value& value, const Shape& shape, int64_t max_elements) {
  std::string text;
  if (value.is_token() && (shape.IsArray() || shape.IsTuple())) return text;
  PreviewWriter(max_elements, &text).Write(value);
  return text;
}

Json ValueInfoJson(const Value& value, const Shape& shape, AnswerRoom* room) {
  std::string name = ShapeSummary(shape), preview = ValueText(value, shape, kPreviewElements);
  --room->infos;
  room->bytes -= static_cast<int64_t>(name.size() + preview.size());
  Json info = ObjectJson({{"shape", std::move(name)},
                          {"kind", shape.IsTuple()   ? "tuple"
                                   : shape.IsArray() ? "array"
                                                     : "token"},
                          {"elementType", shape.IsArray() ? Text(shape.element_type()) : ""},
                          {"dims", shape.IsArray() ? DimsJson(shape.dims()) : Json::array()},
                          {"bytes", shape.stored_bytes()},
                          {"preview", std::move(preview)},
                          {"elements", Json::array()}});
  const auto count = static_cast<int64_t>(shape.elements().size());
  if (!shape.IsTuple() || room->infos < count || room->used_up()) return info;
  static const Value kAbsent;
  for (size_t i = 0; i < shape.elements().size() && !room->used_up(); ++i) {
    const Value& element = value.is_tuple() ? value.elements()[i] : kAbsent;
    info["elements"].push_back(ValueInfoJson(element, shape.elements()[i], room));
  }
  return info;
}

std::optional<ValuePart> PartOf(const Value& value, const Shape& shape,
                                const std::vector<int64_t>& path) {
  ValuePart part{&value, &shape};
  for (int64_t step : path) {
    if (!part.value->is_tuple() || !part.shape->IsTuple() || step < 0 ||
        step >= static_cast<int64_t>(part.value->elements().size())) {
      return std::nullopt;
    }
    part.shape = &part.shape->elements()[static_cast<size_t>(step)];
    part.value = &part.value->elements()[static_cast<size_t>(step)];
  }
  return part;
}

}  // namespace hlo
