#include "engine/precision/value_error.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "engine/base/indices.h"
#include "engine/types/doubles.h"
#include "engine/types/float_distance.h"

namespace hlo {
namespace {

constexpr int64_t kErrorChunk = 1024;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

class ArrayComparison {
 public:
  explicit ArrayComparison(size_t worst) : listed_(worst) {}

  void Compare(const Value& a, const Value& b) {
    if (a.is_tuple() && b.is_tuple() && a.elements().size() == b.elements().size()) {
      for (size_t i = 0; i < a.elements().size(); ++i) {
        path_.push_back(static_cast<int64_t>(i));
        Compare(a.elements()[i], b.elements()[i]);
        path_.pop_back();
      }
    } else if (a.is_array() && b.is_array()) {
      CompareArrays(a.tensor(), b.tensor());
    } else if (!a.is_token() || !b.is_token()) {
      error_.same_shape = false;
    }
  }

  ValueError Finish() {
    if (squares_ > 0) error_.norm = reference_ > 0 ? std::sqrt(squares_ / reference_) : 1;
    // Squares of the largest numbers of f64 are infinite.
    if (!std::isfinite(error_.norm)) error_.norm = std::min(error_.relative, 1.0);
    // Of what is infinite or no number in only one of them nothing is left.
    if (!lost_) return std::move(error_);
    error_.norm = std::max(error_.norm, 1.0);
    error_.relative = error_.ulp = kInfinity;
    return std::move(error_);
  }

 private:
  void CompareArrays(const Tensor& a, const Tensor& b) {
    const bool is_complex = IsComplex(a.element_type());
    if (!(a.dims() == b.dims()) || is_complex != IsComplex(b.element_type()) ||
        !(a.dynamic_sizes() == b.dynamic_sizes())) {
      error_.same_shape = false;
      return;
    }
    const ElementType of_a = ComponentType(a.element_type());
    const ElementType of_b = ComponentType(b.element_type());
    const bool a_narrower = BitsOf(of_a) <= BitsOf(of_b);
    const FloatSpacing spacing(a_narrower ? of_a : of_b);
    const int64_t parts = is_complex ? 2 : 1;
    // Integers of 64 bits that are the same as f64 may differ.
    const bool exact =
        a.element_type() == b.element_type() && IsIntegral(of_a) && BitsOf(of_a) == 64;
    std::vector<double> x(static_cast<size_t>(kErrorChunk * parts)), y(x.size());
    for (int64_t at = 0; at < a.element_count(); at += kErrorChunk) {
      const int64_t n = std::min(kErrorChunk, a.element_count() - at);
      ReadDoubles(a, at, n, x.data());
      ReadDoubles(b, at, n, y.data());
      for (int64_t i = 0; i < n; ++i) {
        if (!IsLive(a, at + i)) continue;
        ++error_.elements;
        bool differs = false;
        measure_ = -1;
        for (int64_t p = 0; p < parts; ++p) {
          const auto k = static_cast<size_t>(i * parts + p);
          differs |= Enter(x[k], y[k], spacing, a, at + i);
        }
        differs |= exact && !differs && EnterExact(a, b, at + i);
        error_.differing += differs;
        if (differs) List(a, at + i);
      }
    }
  }

  static bool IsLive(const Tensor& tensor, int64_t at) {
    if (tensor.dynamic_sizes().empty()) return true;
    const Dims index = Unravel(at, tensor.dims());
    for (size_t d = 0; d < index.size(); ++d) {
      if (index[d] >= tensor.dynamic_sizes()[d]) return false;
    }
    return true;
  }

  // Whether they differ.
  bool Enter(double a, double b, const FloatSpacing& spacing, const Tensor& array, int64_t at) {
    const bool both_nan = std::isnan(a) && std::isnan(b);
    if (a == b || both_nan) {
      ++error_.histogram[0];
      if (std::isfinite(b)) reference_ += b * b;
      return false;
    }
    if (!std::isfinite(a) || !std::isfinite(b)) {
      error_.nans += std::isnan(a) && !std::isnan(b);
      error_.overflows += std::isinf(a) && std::isfinite(b);
      ++error_.histogram.back();
      if (!std::exchange(lost_, true)) NoteWorst(a, b, array, at);
      Weigh(kInfinity, {{}, a, b, kInfinity, kInfinity});
      return true;
    }
    const double absolute = std::fabs(a - b);
    squares_ += absolute * absolute;
    reference_ += b * b;
    error_.absolute = std::max(error_.absolute, absolute);
    error_.relative = std::max(error_.relative, absolute / std::fabs(b));
    error_.underflows += a == 0 && spacing.is_float() && std::fabs(b) < spacing.least_normal();
    const double ulp = spacing.is_float() ? absolute / spacing.At(b) : 0;
    const double bucket = ulp <= 0.5 ? 1 : 2 + std::ceil(std::log2(ulp));
    ++error_.histogram[static_cast<size_t>(std::min(bucket, ValueError::kBuckets - 1.0))];
    const double measure = spacing.is_float() ? ulp : absolute;
    error_.ulp = std::max(error_.ulp, ulp);
    Weigh(measure, {{}, a, b, ulp, absolute / std::fabs(b)});
    if (measure <= worst_ || lost_) return true;
    worst_ = measure;
    NoteWorst(a, b, array, at);
    return true;
  }

  // Whether integers of 64 bits differ that f64 cannot tell apart.
  bool EnterExact(const Tensor& a, const Tensor& b, int64_t at) {
    uint64_t x = 0, y = 0;
    std::memcpy(&x, a.bytes() + at * 8, sizeof x);
    std::memcpy(&y, b.bytes() + at * 8, sizeof y);
    if (x == y) return false;
    double first = 0, second = 0;
    ReadDoubles(a, at, 1, &first);
    ReadDoubles(b, at, 1, &second);
    const auto off = static_cast<double>(std::max(x, y) - std::min(x, y));
    error_.absolute = std::max(error_.absolute, off);
    error_.relative = std::max(error_.relative, off / std::fabs(second));
    squares_ += off * off;
    Weigh(off, {{}, first, second, 0, off / std::fabs(second)});
    if (off > worst_ && !lost_) {
      worst_ = off;
      NoteWorst(first, second, a, at);
    }
    return true;
  }

  void NoteWorst(double a, double b, const Tensor& array, int64_t at) {
    error_.path = path_;
    error_.index = Unravel(at, array.dims());
    error_.worst_first = a;
    error_.worst_second = b;
  }

  void Weigh(double measure, WorstElement part) {
    if (measure <= measure_) return;
    measure_ = measure;
    element_ = std::move(part);
  }

  // Keeps the list sorted.
  void List(const Tensor& array, int64_t at) {
    auto& list = error_.worst_elements;
    if (listed_ == 0 || (list.size() == listed_ && measure_ <= measures_.back())) return;
    const auto after = std::upper_bound(measures_.begin(), measures_.end(), measure_,
                                        [](double x, double y) { return x > y; });
    element_.index = Unravel(at, array.dims());
    list.insert(list.begin() + (after - measures_.begin()), element_);
    measures_.insert(after, measure_);
    if (list.size() <= listed_) return;
    list.pop_back();
    measures_.pop_back();
  }

  ValueError error_;
  size_t listed_;
  std::vector<double> measures_;  // of the listed elements
  WorstElement element_;          // the one at hand: its worse part
  double measure_ = 0;
  std::vector<int64_t> path_;
  double squares_ = 0, reference_ = 0, worst_ = 0;
  bool lost_ = false;
};

void AddArrayErrors(const Value& first, const Value& second, size_t worst, ArrayError place,
                    std::vector<ArrayError>* out) {
  if (first.is_tuple() && second.is_tuple() &&
      first.elements().size() == second.elements().size()) {
    for (size_t i = 0; i < first.elements().size(); ++i) {
      ArrayError part = place;
      part.path.push_back(static_cast<int64_t>(i));
      AddArrayErrors(first.elements()[i], second.elements()[i], worst, std::move(part), out);
    }
    return;
  }
  if (first.is_token() && second.is_token()) return;
  place.error = ErrorOf(first, second, worst);
  out->push_back(std::move(place));
}

}  // namespace

ValueError ErrorOf(const Value& first, const Value& second, size_t worst) {
  ArrayComparison comparison(worst);
  comparison.Compare(first, second);
  return comparison.Finish();
}

std::vector<ArrayError> ArrayErrorsOf(const Value& first, const Value& second, int64_t device,
                                      size_t worst) {
  std::vector<ArrayError> errors;
  AddArrayErrors(first, second, worst, {device, {}, {}}, &errors);
  return errors;
}

}  // namespace hlo
