#include "engine/run/region_interpreter.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

namespace hlo {
namespace {

// Counts a level of nesting for as long as it lives, whatever is thrown.
class Nesting {
 public:
  explicit Nesting(int* level) : level_(level) { ++*level_; }
  ~Nesting() { --*level_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  int* level_;
};

void CopyElement(const Value& value, int64_t index, std::byte* destination) {
  const Tensor& tensor = value.tensor();
  const size_t bytes = static_cast<size_t>(BytesOf(tensor.element_type()));
  std::memcpy(destination + static_cast<size_t>(index) * bytes, tensor.bytes(), bytes);
}

}  // namespace

Value RegionInterpreter::ApplyOnce(std::vector<Value> args) {
  replica_.Start(*region_, std::move(args));
  try {
    if (replica_.Run() == Replica::Status::kDone) return replica_.TakeResult();
  } catch (const RunError& error) {
    const Instruction* at = replica_.next();
    throw RunError(error.code(), fmt::format("{} (in {} of {})", error.message(),
                                             at ? at->name() : "the root", region_->region_name()));
  }
  throw RunError(DiagCode::kRuntimeError,
                 fmt::format("{} waits for another device in the middle of an operation",
                             region_->region_name()));
}

void RegionInterpreter::Apply(int64_t n, std::span<const std::byte* const> args,
                              std::span<std::byte* const> results) {
  if (state_->nesting >= kMaxNesting) {
    throw RunError(
        DiagCode::kRuntimeError,
        fmt::format("regions are applied inside one another more than {} deep", kMaxNesting));
  }
  const Nesting nesting(&state_->nesting);
  for (int64_t i = 0; i < n; ++i) {
    std::vector<Value> values;
    for (size_t p = 0; p < args.size(); ++p) {
      Tensor scalar(region_->parameter_shape(static_cast<int>(p)), state_->budget);
      const size_t bytes = static_cast<size_t>(BytesOf(scalar.element_type()));
      std::memcpy(scalar.mutable_bytes(), args[p] + static_cast<size_t>(i) * bytes, bytes);
      values.emplace_back(std::move(scalar));
    }
    const Value result = ApplyOnce(std::move(values));
    if (!result.is_tuple()) {
      CopyElement(result, i, results[0]);
      continue;
    }
    for (size_t r = 0; r < results.size(); ++r) CopyElement(result.elements()[r], i, results[r]);
  }
}

}  // namespace hlo
