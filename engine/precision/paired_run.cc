#include "engine/precision/paired_run.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "engine/base/indices.h"
#include "engine/ops/op_def.h"
#include "engine/types/convert.h"
#include "engine/types/float_distance.h"

namespace hlo {
namespace {

constexpr int64_t kChunk = 1024;
// Values of one run that may wait for their counterparts.
constexpr size_t kMostWaiting = 4096;

// Elements as f64, parts of complex ones one after the other.
void ReadNumbers(const Tensor& tensor, int64_t at, int64_t n, double* out) {
  const ElementType type = tensor.element_type();
  const ElementType as = IsComplex(type) ? ElementType::kC128 : ElementType::kF64;
  ConvertElements(type, tensor.bytes() + at * BytesOf(type), as, reinterpret_cast<std::byte*>(out),
                  n);
}

class ArrayComparison {
 public:
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
    if (lost_) error_.norm = std::max(error_.norm, 1.0);
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
    std::vector<double> x(static_cast<size_t>(kChunk * parts)), y(x.size());
    for (int64_t at = 0; at < a.element_count(); at += kChunk) {
      const int64_t n = std::min(kChunk, a.element_count() - at);
      ReadNumbers(a, at, n, x.data());
      ReadNumbers(b, at, n, y.data());
      for (int64_t i = 0; i < n; ++i) {
        if (!IsLive(a, at + i)) continue;
        ++error_.elements;
        bool differs = false;
        for (int64_t p = 0; p < parts; ++p) {
          const auto k = static_cast<size_t>(i * parts + p);
          differs |= Enter(x[k], y[k], spacing, a, at + i);
        }
        error_.differing += differs;
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
    if (measure <= worst_ || lost_) return true;
    worst_ = measure;
    NoteWorst(a, b, array, at);
    return true;
  }

  void NoteWorst(double a, double b, const Tensor& array, int64_t at) {
    error_.path = path_;
    error_.index = Unravel(at, array.dims());
    error_.worst_first = a;
    error_.worst_second = b;
  }

  ValueError error_;
  std::vector<int64_t> path_;
  double squares_ = 0, reference_ = 0, worst_ = 0;
  bool lost_ = false;
};

// A place in a run: instructions of both are told by those of the first.
struct Place {
  const Instruction* instruction;
  int64_t device;
  std::vector<int64_t> iterations;
  bool operator<(const Place& other) const {
    return std::tie(instruction, device, iterations) <
           std::tie(other.instruction, other.device, other.iterations);
  }
};

// Whether it only hands on what was made elsewhere.
bool HandsOn(const Instruction& instruction) {
  const OpDef& def = instruction.def();
  switch (instruction.opcode()) {
    case Opcode::kParameter:
    case Opcode::kTuple:
    case Opcode::kGetTupleElement:
      return true;
    default:
      return def.keeps_data || def.control_flow || def.runs != Runs::kOtherwise ||
             def.passes_on == PassesOn::kAll;
  }
}

class Pairing {
 public:
  using Counterparts = std::unordered_map<const Instruction*, const Instruction*>;
  explicit Pairing(const Counterparts& counterpart) : counterpart_(counterpart) {}

  void Record(int side, const Instruction& instruction, int64_t device,
              const IterationPath& iterations, const Value& value) {
    const Instruction* first = &instruction;
    if (side == 1) {
      const auto found = counterpart_.find(&instruction);
      if (found == counterpart_.end()) return;
      first = found->second;
    }
    InstructionError& error = Of(*first);
    if (side == 1) error.second = &instruction;
    ++(side == 0 ? error.first_count : error.second_count);
    Place place{first, device, iterations ? *iterations : std::vector<int64_t>()};
    auto& others = waiting_[1 - side];
    const auto peer = others.find(place);
    if (peer == others.end()) return Wait(side, std::move(place), value);
    const Value other = std::move(peer->second.front());
    peer->second.pop_front();
    if (peer->second.empty()) others.erase(peer);
    --counts_[1 - side];
    Enter(error, device, iterations, side == 0 ? value : other, side == 0 ? other : value);
  }

  void NoteOperands(const Instruction& instruction, std::span<const Value> operands) {
    const Opcode opcode = instruction.opcode();
    if ((opcode != Opcode::kAdd && opcode != Opcode::kSubtract) ||
        !IsFloat(instruction.shape().element_type())) {
      return;
    }
    const Tensor& a = operands[0].tensor();
    const Tensor& b = operands[1].tensor();
    InstructionError& error = Of(instruction);
    std::vector<double> x(kChunk), y(kChunk);
    for (int64_t at = 0; at < a.element_count(); at += kChunk) {
      const int64_t n = std::min(kChunk, a.element_count() - at);
      ReadNumbers(a, at, n, x.data());
      ReadNumbers(b, at, n, y.data());
      for (size_t i = 0; i < static_cast<size_t>(n); ++i) {
        const double result = opcode == Opcode::kAdd ? x[i] + y[i] : x[i] - y[i];
        const double size = std::max(std::fabs(x[i]), std::fabs(y[i]));
        if (size == 0 || !std::isfinite(size)) continue;
        const double lost = size / std::max(std::fabs(result), size * 1e-18);
        if (lost <= error.cancellation) continue;
        error.cancellation = lost;
        error.cancelled[0] = x[i];
        error.cancelled[1] = y[i];
      }
    }
  }

  size_t waiting(int side) const { return counts_[side]; }

  PairedReport Finish() {
    PairedReport report;
    report.not_compared = dropped_;
    report.instructions.assign(std::make_move_iterator(errors_.begin()),
                               std::make_move_iterator(errors_.end()));
    return report;
  }

 private:
  InstructionError& Of(const Instruction& first) {
    const auto [at, is_new] = numbers_.try_emplace(&first, errors_.size());
    if (is_new) {
      errors_.emplace_back();
      errors_.back().first = &first;
      errors_.back().order = static_cast<int64_t>(at->second);
    }
    return errors_[at->second];
  }

  void Wait(int side, Place place, const Value& value) {
    if (counts_[side] >= kMostWaiting) {  // what waits has no counterpart, or a very late one
      dropped_ += static_cast<int64_t>(counts_[side]);
      waiting_[side].clear();
      counts_[side] = 0;
    }
    waiting_[side][std::move(place)].push_back(value);
    ++counts_[side];
  }

  void Enter(InstructionError& error, int64_t device, const IterationPath& iterations,
             const Value& first, const Value& second) {
    ValueError now = ErrorOf(first, second);
    const int64_t number = pairs_++;
    if (error.differs_at < 0 && now.differing > 0) error.differs_at = number;
    const Instruction& instruction = *error.first;
    double before = 0;
    for (const Instruction* operand : instruction.operands()) {
      const auto known = last_.find({operand, device});
      if (known != last_.end()) before += known->second;
    }
    last_[{&instruction, device}] = now.norm;
    if (!HandsOn(instruction)) {
      error.introduced = std::max(error.introduced, now.norm - before);
      if (before > 0) error.amplification = std::max(error.amplification, now.norm / before);
    }
    if (error.executions.size() < InstructionError::kMostKept) {
      error.executions.push_back({device, iterations, now.ulp, now.norm});
    }
    auto histogram = error.worst.histogram;
    for (size_t i = 0; i < histogram.size(); ++i) histogram[i] += now.histogram[i];
    if (error.compared++ == 0 || now.norm > error.worst.norm) error.worst = std::move(now);
    error.worst.histogram = histogram;
  }

  const Counterparts& counterpart_;
  std::deque<InstructionError> errors_;
  std::unordered_map<const Instruction*, size_t> numbers_;
  std::map<std::pair<const Instruction*, int64_t>, double> last_;  // norms
  std::map<Place, std::deque<Value>> waiting_[2];
  size_t counts_[2] = {0, 0};
  int64_t dropped_ = 0;
  int64_t pairs_ = 0;
};

class PairedTrace final : public Trace {
 public:
  PairedTrace(Pairing* pairing, int side) : pairing_(pairing), side_(side) {}
  void Record(const Instruction& instruction, int64_t device, int, const IterationPath& iterations,
              const Value& value) override {
    pairing_->Record(side_, instruction, device, iterations, value);
  }
  void NoteOperands(const Instruction& instruction, int64_t,
                    std::span<const Value> operands) override {
    if (side_ == 0) pairing_->NoteOperands(instruction, operands);
  }
  void Release(uint64_t) override {}

 private:
  Pairing* pairing_;
  int side_;
};

}  // namespace

ValueError ErrorOf(const Value& first, const Value& second) {
  ArrayComparison comparison;
  comparison.Compare(first, second);
  return comparison.Finish();
}

PairedReport CompareRuns(
    PairedSide first, PairedSide second,
    const std::unordered_map<const Instruction*, const Instruction*>& counterpart, Budget* budget) {
  Pairing pairing(counterpart);
  PairedTrace traces[2] = {{&pairing, 0}, {&pairing, 1}};
  Executor runs[2] = {{*first.module, first.options, budget, &traces[0]},
                      {*second.module, second.options, budget, &traces[1]}};
  runs[0].StartDevices(std::move(first.arguments));
  runs[1].StartDevices(std::move(second.arguments));
  const auto is_running = [&](int i) { return runs[i].status() == Executor::Status::kRunning; };
  while (is_running(0) || is_running(1)) {
    const bool is_first =
        is_running(0) && (pairing.waiting(0) <= pairing.waiting(1) || !is_running(1));
    runs[is_first ? 0 : 1].Step();
  }
  PairedReport report = pairing.Finish();
  if (runs[0].status() == Executor::Status::kFailed) report.first_failure = runs[0].failure();
  if (runs[1].status() == Executor::Status::kFailed) report.second_failure = runs[1].failure();
  if (report.first_failure || report.second_failure) return report;
  const size_t devices = std::min(runs[0].results().size(), runs[1].results().size());
  for (size_t i = 0; i < devices; ++i) {
    report.results.push_back(ErrorOf(runs[0].results()[i], runs[1].results()[i]));
  }
  return report;
}

}  // namespace hlo
