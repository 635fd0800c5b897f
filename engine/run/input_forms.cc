#include "engine/run/input_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "engine/base/byte_count.h"
#include "engine/base/characters.h"
#include "engine/base/indices.h"
#include "engine/run/array_functions.h"
#include "engine/run/expression.h"
#include "engine/run/input_fault.h"
#include "engine/run/nested_lists.h"
#include "engine/types/literal.h"
#include "engine/types/number_text.h"
#include "engine/types/scanner.h"

namespace hlo {
namespace {

// The arrays of a shape one after another, each with a stream of random numbers of its own.
std::optional<Value> ReadExpressions(std::string_view text, uint32_t offset, const Shape& shape,
                                     uint64_t seed, uint64_t* number, Budget* budget,
                                     Diagnostics& diagnostics, bool reads_only) {
  if (shape.IsTuple()) {
    Value::Elements elements;
    elements.reserve(shape.elements().size());
    for (const Shape& part : shape.elements()) {
      auto element =
          ReadExpressions(text, offset, part, seed, number, budget, diagnostics, reads_only);
      if (!element) return std::nullopt;
      elements.push_back(std::move(*element));
    }
    return Value::Tuple(std::move(elements));
  }
  if (!shape.IsArray() && !shape.IsBuffer()) return Value();
  const auto plain = WithoutArrayFunctions(text, offset, shape, diagnostics);
  if (!plain) return std::nullopt;
  const auto expression = Expression::Parse(*plain, offset, shape, diagnostics);
  if (!expression) return std::nullopt;
  if (reads_only) return Value();
  const uint64_t stream = *number == 0 ? seed : Random::Mix(seed, ~*number);
  ++*number;
  return Value(expression->Evaluate(shape, stream, budget));
}

std::optional<Value> ReadExpressionInput(std::string_view text, uint32_t offset, const Shape& shape,
                                         uint64_t seed, Budget* budget, Diagnostics& diagnostics,
                                         bool reads_only) {
  uint64_t number = 0;
  return ReadExpressions(text, offset, shape, seed, &number, budget, diagnostics, reads_only);
}

// Whether a list that is flat has the numbers of an array, in rows of its last dimension.
bool FitsArray(const ListLiteral& list, const Shape& shape, Range range, Diagnostics& diagnostics) {
  const int64_t wanted = ElementCount(shape.dims());
  const int64_t count = std::accumulate(list.rows.begin(), list.rows.end(), int64_t{0});
  if (count != wanted) {
    diagnostics.Report(DiagCode::kInputInvalid, range,
                       fmt::format("this has {}, but {} has {}", Counted(count, "number"),
                                   ShapeName(shape), Counted(wanted, "element")));
    return false;
  }
  if (list.rows.size() < 2 || shape.rank() < 2) return true;
  const int64_t length = shape.dims().back();
  const auto uneven = std::find_if(list.rows.begin(), list.rows.end(),
                                   [length](int64_t row) { return row != length; });
  if (uneven == list.rows.end()) return true;
  diagnostics.Report(
      DiagCode::kInputInvalid, range,
      fmt::format("line {} has {}, but a row of {} has {}", uneven - list.rows.begin() + 1,
                  Counted(*uneven, "number"), ShapeName(shape), length));
  return false;
}

// `text`: what the list is made of.
std::optional<Value> ReadList(const ListLiteral& list, std::string_view text, uint32_t offset,
                              const Shape& shape, Budget* budget, Diagnostics& diagnostics) {
  const auto size = static_cast<uint32_t>(text.size());
  const Range all{offset, offset + size};
  if (list.is_flat && !shape.IsArray()) {
    diagnostics.Report(DiagCode::kInputInvalid, all,
                       fmt::format("these are numbers, but the parameter is {}", ShapeName(shape)));
    return std::nullopt;
  }
  if (list.is_flat && !FitsArray(list, shape, all, diagnostics)) return std::nullopt;
  const Shape written =
      list.is_flat ? Shape::Array(shape.element_type(), {ElementCount(shape.dims())}) : shape;
  uint32_t consumed = 0;
  Diagnostics faults;
  auto literal = ParseLiteral(list.text, written, 0, &consumed, faults, budget);
  for (const Diagnostic& fault : faults.list()) {
    const auto place = [&](uint32_t at) {
      return offset + std::min(list.is_framed ? std::max(at, 1U) - 1 : at, size);
    };
    diagnostics.Report(fault.code, {place(fault.range.begin), place(fault.range.end)},
                       fault.message);
  }
  if (!literal) return std::nullopt;
  if (literal->elided) {
    diagnostics.Report(DiagCode::kInputInvalid, all, "an input cannot be elided");
    return std::nullopt;
  }
  if (!Trimmed(std::string_view(list.text).substr(consumed)).empty()) {
    const std::string_view rest = Trimmed(text.substr(consumed));
    diagnostics.Report(DiagCode::kInputInvalid, all,
                       fmt::format("unexpected '{}' after the literal", rest.substr(0, 20)));
    return std::nullopt;
  }
  if (!list.is_flat) return std::move(literal->value);
  return Value(literal->value.tensor().Reinterpreted(shape.element_type(), shape.dims()));
}

std::optional<Value> ReadForeign(std::string_view text, uint32_t offset, const Shape& shape,
                                 uint64_t seed, Budget* budget, Diagnostics& diagnostics,
                                 bool reads_only, bool* is_one) {
  const int rank = shape.IsArray() ? shape.rank() : 0;
  const auto list = LiteralOfList(text, rank);
  *is_one = list.has_value() || StartsAsArrayFunction(text);
  if (list) return ReadList(*list, text, offset, shape, budget, diagnostics);
  if (!*is_one) return std::nullopt;
  return ReadExpressionInput(text, offset, shape, seed, budget, diagnostics, reads_only);
}

// The text of cells that are written over.
class CellReader {
 public:
  // `tensor` may be null.
  CellReader(std::string_view text, uint32_t offset, const Shape& shape, Tensor* tensor,
             Diagnostics& diagnostics)
      : text_(text), offset_(offset), shape_(shape), tensor_(tensor), diagnostics_(diagnostics) {}

  bool Read() {
    do {
      if (!ReadCell()) return false;
    } while (Take(','));
    return at_ == text_.size() || Fault(at_, at_ + 1, "expects a comma or the end");
  }

 private:
  bool Fault(size_t begin, size_t end, std::string message) {
    end = std::min(end, text_.size());
    return InputFault(diagnostics_, offset_, begin, end, std::move(message));
  }
  void Skip() {
    while (at_ < text_.size() && std::strchr(" \t\r\n", text_[at_]) != nullptr) ++at_;
  }
  bool Take(char c) {
    Skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    Skip();
    return true;
  }
  bool ReadIndex(Dims* index) {
    do {
      Skip();
      const char* const begin = text_.data() + at_;
      const IntegerToken token = ScanInteger(begin, text_.data() + text_.size());
      if (token.end == begin) return Fault(at_, at_ + 1, "expects a number of an index");
      const size_t end = at_ + static_cast<size_t>(token.end - begin);
      const auto dim = index->size();
      const bool fits = token.fits && !token.is_negative && dim < shape_.dims().size() &&
                        token.magnitude < static_cast<uint64_t>(shape_.dims()[dim]);
      if (!fits) return Fault(at_, end, "the index is outside the array");
      index->push_back(static_cast<int64_t>(token.magnitude));
      at_ = end;
    } while (Take(','));
    return true;
  }
  void Write(const Dims& index, const Tensor& element) {
    const auto bytes = static_cast<size_t>(BytesOf(shape_.element_type()));
    const auto place = static_cast<size_t>(Ravel(index, shape_.dims()));
    std::memcpy(tensor_->mutable_bytes() + place * bytes, element.bytes(), bytes);
  }
  bool ReadCell() {
    Skip();
    const size_t begin = at_;
    Dims index;
    if (!Take('[')) return Fault(at_, at_ + 1, "expects [index] = value");
    if (shape_.rank() > 0 && !ReadIndex(&index)) return false;
    if (!Take(']')) return Fault(at_, at_ + 1, "expects ] at the end of the index");
    if (static_cast<int>(index.size()) != shape_.rank()) {
      return Fault(begin, at_, fmt::format("the array has {} dimensions", shape_.rank()));
    }
    if (!Take('=')) return Fault(at_, at_ + 1, "expects = and the value");
    uint32_t consumed = 0;
    const auto literal =
        ParseLiteral(text_.substr(at_), Shape::Scalar(shape_.element_type()),
                     offset_ + static_cast<uint32_t>(at_), &consumed, diagnostics_);
    if (!literal) return false;
    if (literal->elided) return Fault(at_, at_ + consumed, "an element cannot be elided");
    at_ += consumed;
    if (tensor_ != nullptr) Write(index, literal->value.tensor());
    Skip();
    return true;
  }

  std::string_view text_;
  uint32_t offset_;
  const Shape& shape_;
  Tensor* tensor_;
  Diagnostics& diagnostics_;
  size_t at_ = 0;
};

bool OverwriteCells(std::string_view text, uint32_t offset, const Shape& shape, Value* value,
                    Diagnostics& diagnostics) {
  if (!shape.IsArray()) {
    diagnostics.Report(DiagCode::kInputInvalid,
                       {offset, offset + static_cast<uint32_t>(text.size())},
                       "only the elements of an array can be written over, not those of a tuple");
    return false;
  }
  return CellReader(text, offset, shape, value ? &value->tensor() : nullptr, diagnostics).Read();
}

constexpr InputForms kAllInputForms{ReadExpressionInput, ReadForeign, OverwriteCells};

}  // namespace

const InputForms& AllInputForms() { return kAllInputForms; }

}  // namespace hlo
