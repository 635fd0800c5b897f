#include "engine/timeline/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <complex>
#include <cstring>
#include <iterator>
#include <limits>

#include "engine/base/function_ref.h"
#include "engine/types/convert.h"

namespace hlo {
namespace {

constexpr std::string_view kStatisticWords[] = {"min",  "max",  "mean", "sum",
                                                "norm", "nans", "infs", "zeros"};

std::string_view WithoutBlanks(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

// A number from 0 on; an absent one is `otherwise`.
std::optional<int64_t> BoundOf(std::string_view text, int64_t otherwise) {
  text = WithoutBlanks(text);
  if (text.empty()) return otherwise;
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

std::optional<Measure::Index> IndexOf(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == text.npos) {
    const auto number = BoundOf(text, -1);
    if (!number || *number < 0) return std::nullopt;
    return Measure::Index{.begin = *number, .end = *number + 1, .is_range = false};
  }
  const auto begin = BoundOf(text.substr(0, colon), 0);
  const auto end = BoundOf(text.substr(colon + 1), -1);
  if (!begin || !end || (*end >= 0 && *end <= *begin)) return std::nullopt;
  return Measure::Index{.begin = *begin, .end = *end, .is_range = true};
}

// Elements from `begin` on of the row-major numbers of a part, in runs that lie one after the
// other.
void EachRun(const TensorPart& part, int64_t most,
             FunctionRef<void(const std::byte*, int64_t)> use) {
  const int64_t count = std::min(part.count(), most);
  const int64_t row = part.size.empty() ? 1 : part.size.back();
  const int64_t bytes = BytesOf(part.tensor.element_type());
  for (int64_t at = 0; at < count; at += row) {
    use(part.tensor.bytes() + part.OffsetOf(at) * bytes, std::min(row, count - at));
  }
}

void EachNumber(const TensorPart& part, int64_t most, FunctionRef<void(double)> use) {
  constexpr int64_t kBlock = 512;
  const ElementType type = part.tensor.element_type();
  std::complex<double> wide[kBlock];
  double plain[kBlock];
  EachRun(part, most, [&](const std::byte* at, int64_t n) {
    for (int64_t done = 0; done < n; done += kBlock) {
      const int64_t some = std::min(kBlock, n - done);
      const std::byte* from = at + done * BytesOf(type);
      if (IsComplex(type)) {
        ConvertElements(type, from, ElementType::kC128, reinterpret_cast<std::byte*>(wide), some);
        for (int64_t i = 0; i < some; ++i) use(std::abs(wide[i]));
      } else {
        ConvertElements(type, from, ElementType::kF64, reinterpret_cast<std::byte*>(plain), some);
        for (int64_t i = 0; i < some; ++i) use(plain[i]);
      }
    }
  });
}

struct Tally {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();
  double sum = 0, squares = 0;
  int64_t numbers = 0, nans = 0, infs = 0, zeros = 0;

  void Add(double number) {
    if (std::isnan(number)) {
      ++nans;
      return;
    }
    ++numbers;
    infs += std::isinf(number);
    least = std::min(least, number);
    most = std::max(most, number);
    sum += number;
    squares += number * number;
    zeros += number == 0;
  }
  double Of(Statistic statistic) const {
    constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
    switch (statistic) {
      case Statistic::kMin:
        return numbers > 0 ? least : kNothing;
      case Statistic::kMax:
        return numbers > 0 ? most : kNothing;
      case Statistic::kMean:
        return numbers > 0 ? sum / static_cast<double>(numbers) : kNothing;
      case Statistic::kSum:
        return sum;
      case Statistic::kNorm:
        return std::sqrt(squares);
      case Statistic::kNans:
        return static_cast<double>(nans);
      case Statistic::kInfs:
        return static_cast<double>(infs);
      case Statistic::kZeros:
        return static_cast<double>(zeros);
      case Statistic::kNone:
        break;
    }
    return kNothing;
  }
};

void MixBits(uint64_t* hash, uint64_t word) {
  uint64_t mixed = (*hash ^ word) * 0x9E3779B97F4A7C15u;
  mixed ^= mixed >> 32;
  *hash = mixed * 0xD6E8FEB86659FD93u;
}

void MixPart(const TensorPart& part, uint64_t* hash) {
  MixBits(hash, static_cast<uint64_t>(part.tensor.element_type()));
  for (const int64_t size : part.size) MixBits(hash, static_cast<uint64_t>(size));
  EachRun(part, part.count(), [&](const std::byte* at, int64_t n) {
    auto left = static_cast<size_t>(n * BytesOf(part.tensor.element_type()));
    for (; left > 0; at += std::min<size_t>(8, left), left -= std::min<size_t>(8, left)) {
      uint64_t word = 0;
      std::memcpy(&word, at, std::min<size_t>(8, left));
      MixBits(hash, word);
    }
  });
}

TensorPart AllOf(const Tensor& tensor) {
  TensorPart part{.tensor = tensor};
  for (int d = 0; d < tensor.rank(); ++d) {
    part.begin.push_back(0);
    part.size.push_back(tensor.live_dim(d));
  }
  part.dropped.resize(static_cast<size_t>(tensor.rank()));
  return part;
}

void MixValue(const Value& value, uint64_t* hash) {
  if (value.is_array()) return MixPart(AllOf(value.tensor()), hash);
  if (!value.is_tuple()) return MixBits(hash, 1);
  MixBits(hash, value.elements().size());
  for (const Value& element : value.elements()) MixValue(element, hash);
}

}  // namespace

std::span<const std::string_view> StatisticWords() { return kStatisticWords; }

std::optional<Measure> ParseMeasure(std::string_view text, std::string* problem) {
  Measure measure;
  std::string_view rest = WithoutBlanks(text);
  const size_t blank = rest.find(' ');
  const auto word = blank == rest.npos
                        ? std::end(kStatisticWords)
                        : std::find(std::begin(kStatisticWords), std::end(kStatisticWords),
                                    rest.substr(0, blank));
  if (word != std::end(kStatisticWords)) {
    measure.statistic = static_cast<Statistic>(word - std::begin(kStatisticWords) + 1);
    rest = WithoutBlanks(rest.substr(blank));
  }
  const size_t open = std::min(rest.find('['), rest.size());
  measure.name = std::string(WithoutBlanks(rest.substr(0, open)));
  const auto fault = [&](std::string_view what) {
    *problem = fmt::format("'{}' {}: name[2,3] or name[0:4, 2] is expected", rest, what);
    return std::nullopt;
  };
  if (measure.name.empty()) return fault("names no instruction");
  if (open == rest.size()) return measure;
  if (rest.back() != ']') return fault("is no element");
  std::string_view list = rest.substr(open + 1, rest.size() - open - 2);
  if (WithoutBlanks(list).empty()) return measure;
  while (true) {
    const size_t comma = std::min(list.find(','), list.size());
    const auto index = IndexOf(list.substr(0, comma));
    if (!index) return fault("is no element");
    measure.index.push_back(*index);
    if (comma == list.size()) return measure;
    list.remove_prefix(comma + 1);
  }
}

std::string MeasureFault(const Measure& measure, const Shape& shape) {
  const Shape* part = &shape;
  size_t used = 0;
  while (part->IsTuple() && used < measure.index.size()) {
    const Measure::Index& index = measure.index[used];
    if (index.is_range) return "a tuple has elements, and no slices";
    const auto& elements = part->elements();
    if (static_cast<size_t>(index.begin) >= elements.size()) {
      return fmt::format("it is a tuple of {} and has no element {}", elements.size(), index.begin);
    }
    part = &elements[static_cast<size_t>(index.begin)];
    ++used;
  }
  if (measure.is_whole()) return "";
  if (part->IsTuple()) {
    return measure.statistic == Statistic::kNone ? ""
                                                 : "it is a tuple: name[0] is its first element";
  }
  if (!part->IsArray()) return "it has no elements";
  const auto rank = part->dims().size();
  if (measure.index.size() - used > rank) {
    return fmt::format("it has {} dimension{}, and not {}", rank, rank == 1 ? "" : "s",
                       measure.index.size() - used);
  }
  for (size_t d = 0; used + d < measure.index.size(); ++d) {
    const Measure::Index& index = measure.index[used + d];
    const int64_t size = part->dims()[d];
    if (index.begin >= size || index.end > size) {
      return fmt::format("{} is outside of dimension {}, which has {} element{}",
                         index.begin >= size ? index.begin : index.end - 1, d, size,
                         size == 1 ? "" : "s");
    }
  }
  return "";
}

int64_t TensorPart::count() const {
  int64_t count = 1;
  for (const int64_t each : size) count *= each;
  return count;
}

int64_t TensorPart::OffsetOf(int64_t number) const {
  int64_t offset = 0, scale = 1;
  for (size_t d = size.size(); d-- > 0;) {
    offset += (begin[d] + number % size[d]) * scale;
    number /= size[d];
    scale *= tensor.dims()[d];
  }
  return offset;
}

std::optional<TensorPart> MeasuredPart(const Measure& measure, const Value& value) {
  const Value* part = &value;
  size_t used = 0;
  while (part->is_tuple()) {
    if (used == measure.index.size() || measure.index[used].is_range) return std::nullopt;
    const auto element = static_cast<size_t>(measure.index[used++].begin);
    if (element >= part->elements().size()) return std::nullopt;
    part = &part->elements()[element];
  }
  if (!part->is_array()) return std::nullopt;
  TensorPart found = AllOf(part->tensor());
  if (measure.index.size() - used > found.size.size()) return std::nullopt;
  for (size_t d = 0; used + d < measure.index.size(); ++d) {
    const Measure::Index& index = measure.index[used + d];
    const int64_t end = index.end < 0 ? found.size[d] : index.end;
    if (index.begin >= found.size[d] || end > found.size[d]) return std::nullopt;
    found.begin[d] = index.begin;
    found.size[d] = end - index.begin;
    found.dropped[d] = !index.is_range;
  }
  return found;
}

Tensor CopyOfPart(const TensorPart& part, Budget* budget) {
  Dims dims;
  for (size_t d = 0; d < part.size.size(); ++d) {
    if (!part.dropped[d]) dims.push_back(part.size[d]);
  }
  Tensor copy(part.tensor.element_type(), dims, budget);
  std::byte* to = copy.mutable_bytes();
  EachRun(part, part.count(), [&](const std::byte* at, int64_t n) {
    const int64_t bytes = n * BytesOf(part.tensor.element_type());
    std::memcpy(to, at, static_cast<size_t>(bytes));
    to += bytes;
  });
  return copy;
}

std::optional<double> MeasuredNumber(const Measure& measure, const Value& value) {
  const auto part = MeasuredPart(measure, value);
  if (!part) return std::nullopt;
  if (measure.statistic == Statistic::kNone && part->count() != 1) return std::nullopt;
  if (measure.statistic == Statistic::kNone) return NumbersOf(*part, 1).front();
  Tally tally;
  EachNumber(*part, part->count(), [&](double number) { tally.Add(number); });
  return tally.Of(measure.statistic);
}

std::array<double, 3> FiniteBand(const TensorPart& part) {
  Tally tally;
  EachNumber(part, part.count(), [&](double number) {
    if (std::isfinite(number)) tally.Add(number);
  });
  return {tally.Of(Statistic::kMin), tally.Of(Statistic::kMean), tally.Of(Statistic::kMax)};
}

std::vector<double> NumbersOf(const TensorPart& part, size_t most) {
  std::vector<double> numbers;
  EachNumber(part, static_cast<int64_t>(most), [&](double number) { numbers.push_back(number); });
  return numbers;
}

uint64_t MeasuredBits(const Measure& measure, const Value& value) {
  uint64_t hash = 0x243F6A8885A308D3u;
  if (measure.index.empty()) {
    MixValue(value, &hash);
  } else if (const auto part = MeasuredPart(measure, value)) {
    MixPart(*part, &hash);
  }
  return hash;
}

}  // namespace hlo
