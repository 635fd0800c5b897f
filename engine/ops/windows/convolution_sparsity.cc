#include "engine/ops/windows/convolution_sparsity.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/bits.h"
#include "engine/base/indices.h"
#include "engine/kernels/move_loops.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/shape_checks.h"

namespace hlo {
namespace {

[[noreturn]] void RefuseSparsity(std::string_view message) {
  throw RunError(DiagCode::kOperandInvalid, fmt::format("sparsity_config: {}", message));
}

/// The number after `key`; `otherwise` when it is not there.
int64_t NumberAfter(std::string_view text, std::string_view key, int64_t otherwise) {
  size_t at = text.find(key);
  if (at == std::string_view::npos) return otherwise;
  int64_t number = otherwise;
  const char* begin = text.data() + at + key.size();
  if (std::from_chars(begin, text.data() + text.size(), number).ec != std::errc()) {
    RefuseSparsity(fmt::format("expects a number after `{}`", key));
  }
  return number;
}

constexpr std::string_view kSides[] = {"lhs", "rhs"};

/// The text between `opening`, `lhs={`, and the next brace; empty if there is none.
std::string_view PartOf(std::string_view text, std::string_view opening) {
  const size_t at = text.find(opening);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + opening.size());
  return text.substr(0, text.find('}'));
}

/// Nothing is left out: the operand is dense.
Sparsity FindSparsity(std::string_view text, std::string_view opening) {
  text = PartOf(text, opening);
  if (text.empty()) return {};
  Sparsity s;
  s.kept = NumberAfter(text, "sparsity=", 0);
  size_t ratio = text.find("sparsity=");
  s.block = ratio == std::string_view::npos ? 0 : NumberAfter(text.substr(ratio), "x", 0);
  s.dimension = NumberAfter(text, "dimension=", 0);
  s.stride = NumberAfter(text, "stride=", 1);
  s.index = NumberAfter(text, "idx=", -1);
  if (s.kept < 1 || s.block < s.kept || s.stride < 1) {
    RefuseSparsity(
        fmt::format("{} of {} with stride {} is no sparsity", s.kept, s.block, s.stride));
  }
  return s;
}

/// The operand with its zeros restored.
Tensor Filled(const Tensor& stored, const Tensor& positions, const Sparsity& s, Budget* budget) {
  const Dims dims =
      FilledDims(s, stored.dims(), Shape::Array(positions.element_type(), positions.dims()));
  const int64_t length = stored.dims()[static_cast<size_t>(s.dimension)];
  const int64_t size = dims[static_cast<size_t>(s.dimension)], lanes = s.kept * s.stride;
  const int64_t inner = ElementCount(
      std::span<const int64_t>(stored.dims()).subspan(static_cast<size_t>(s.dimension) + 1));
  Tensor result = Tensor(stored.element_type(), dims, budget);
  std::memset(result.mutable_bytes(), 0, static_cast<size_t>(result.byte_size()));
  Tensor at = ConvertTensor(positions, ElementType::kS64, budget);
  const int64_t width = BytesOf(stored.element_type());
  for (int64_t i = 0; i < stored.element_count(); ++i) {
    if (i % kPollElements == 0) budget->Poll();
    const int64_t outer = i / (length * inner), j = i / inner % length;
    const int64_t position = at.data<int64_t>()[i];
    if (position < 0 || position >= s.block) {
      RefuseSparsity(fmt::format("position {} is not inside a block of {}", position, s.block));
    }
    const int64_t to = j / lanes * s.block * s.stride + position * s.stride + j % s.stride;
    std::memcpy(result.mutable_bytes() + ((outer * size + to) * inner + i % inner) * width,
                stored.bytes() + i * width, static_cast<size_t>(width));
  }
  return result;
}

}  // namespace

Sparsity SparsityOf(const OpCall& call, int operand) {
  const Sparsity s =
      FindSparsity(call.attrs().String("sparsity_config"), fmt::format("{}={{", kSides[operand]));
  if (s.kept > 0 && (s.index < 2 || s.index >= call.operand_count())) {
    RefuseSparsity(fmt::format("operand {} with the positions is not there", s.index));
  }
  return s;
}

Dims FilledDims(const Sparsity& s, const Dims& stored, const Shape& positions) {
  const auto rank = static_cast<int64_t>(stored.size());
  if (s.dimension < 0 || s.dimension >= rank) {
    RefuseSparsity(
        fmt::format("there is no dimension {} in an operand of rank {}", s.dimension, rank));
  }
  if (positions.dims() != stored || !IsIntegral(positions.element_type())) {
    RefuseSparsity(
        "the positions must be integers with the dimensions of the operand they are for");
  }
  Dims dims = stored;
  int64_t& size = dims[static_cast<size_t>(s.dimension)];
  const int64_t length = size;
  int64_t lanes = 0;  // stored elements of a set of interleaved blocks
  if (!MultiplyChecked(s.kept, s.stride, &lanes) || length % lanes != 0 ||
      !MultiplyChecked(length / s.kept, s.block, &size)) {
    RefuseSparsity(fmt::format("size {} of dimension {} is not in blocks of {} with stride {}",
                               length, s.dimension, s.kept, s.stride));
  }
  if (!CheckedElementCount(dims)) {
    RefuseSparsity("the operand has more elements than 64 bits count");
  }
  return dims;
}

void FillSparseOperands(const OpCall& call, std::span<const Value> args, Tensor* lhs, Tensor* rhs,
                        Budget* budget) {
  Tensor* const operands[] = {lhs, rhs};
  for (int i = 0; i < 2; ++i) {
    const Sparsity s = SparsityOf(call, i);
    if (s.kept == 0) continue;
    *operands[i] = Filled(*operands[i], args[static_cast<size_t>(s.index)].tensor(), s, budget);
  }
}

namespace {

bool CheckIndex(const OpCall& call, std::string_view attr, std::string_view what, int64_t index,
                Diagnostics& out) {
  if (index >= 2 && index < call.operand_count()) return true;
  ReportAttr(call, attr, DiagCode::kAttributeValue, fmt::format("{} {} out of bounds", what, index),
             out);
  return false;
}

}  // namespace

void CheckSparsity(const OpCall& call, Diagnostics& out) {
  constexpr std::string_view kAttr = "sparsity_config";
  for (std::string_view side : kSides) {
    Sparsity s;
    try {
      s = FindSparsity(call.String(kAttr), fmt::format("{}={{", side));
    } catch (const RunError& error) {
      ReportAttr(call, kAttr, DiagCode::kAttributeValue, error.what(), out);
      return;
    }
    if (s.kept == 0) continue;
    // XLA's default is 0.
    CheckIndex(call, kAttr, fmt::format("Sparsity idx for {}", side), std::max<int64_t>(s.index, 0),
               out);
    if (s.kept == 1 || side == "lhs") continue;
    out.Report(DiagCode::kAttributeValue, Severity::kWarning, call.attr_range(kAttr),
               fmt::format("{}: Only 1:N sparsity is currently supported. (in XLA; this is {}:{})",
                           call.opcode_text(), s.kept, s.block));
  }
}

void CheckBlockScaling(const OpCall& call, Diagnostics& out) {
  constexpr std::string_view kAttr = "block_scaling_config";
  const std::string& text = call.String(kAttr);
  const auto fail = [&](std::string_view which, int64_t index) {
    ReportAttr(call, kAttr, DiagCode::kAttributeValue,
               fmt::format("{} cannot be the same ({})", which, index), out);
  };
  std::vector<int64_t> scales;
  for (std::string_view side : kSides) {
    std::string_view own = PartOf(text, fmt::format("{}={{", side));
    if (own.empty()) continue;
    int64_t scale = 0, zero = -1;
    try {
      scale = NumberAfter(own, "scale_idx=", 0);
      zero = NumberAfter(own, "zero_idx=", -1);
    } catch (const RunError& error) {
      ReportAttr(call, kAttr, DiagCode::kAttributeValue, error.what(), out);
      return;
    }
    if (!CheckIndex(call, kAttr, fmt::format("Block scaling scale_idx for {}", side), scale, out)) {
      return;
    }
    scales.push_back(scale);
    if (own.find("zero_idx=") == own.npos) continue;
    if (!CheckIndex(call, kAttr, fmt::format("Block scaling zero_idx for {}", side), zero, out)) {
      return;
    }
    if (scale == zero) {
      fail(side == "lhs" ? "LHS block scaling scale_idx and zero_idx"
                         : "RHS block scaling scale_idx and zero_idx",
           scale);
    }
  }
  if (scales.size() == 2 && scales[0] == scales[1]) {
    fail("LHS and RHS block scaling scale_idx", scales[0]);
  }
}

void CheckOperandSizes(const ConvolutionForm& form, const Dims& lhs, const Dims& rhs,
                       const Dims& result) {
  const ConvDimLabels& l = form.labels;
  auto at = [](const Dims& dims, int64_t d) { return dims[static_cast<size_t>(d)]; };
  const int64_t batch = at(lhs, l.input_batch), features = at(lhs, l.input_feature);
  const int64_t outputs = at(rhs, l.kernel_output_feature);
  bool fits = features % form.feature_groups == 0 &&
              features / form.feature_groups == at(rhs, l.kernel_input_feature) &&
              outputs % form.feature_groups == 0 && outputs % form.batch_groups == 0 &&
              batch % form.batch_groups == 0 && result.size() == lhs.size() &&
              at(result, l.output_batch) == batch / form.batch_groups &&
              at(result, l.output_feature) == outputs;
  for (size_t i = 0; fits && i < form.window.size(); ++i) {
    fits = form.window[i].size == at(rhs, l.kernel_spatial[i]) &&
           WindowOutputSize(at(lhs, l.input_spatial[i]), form.window[i]) ==
               at(result, l.output_spatial[i]);
  }
  if (fits) return;
  RefuseSparsity(
      fmt::format("with their zeros the operands have dimensions {} and {}, which do not give {}",
                  DimsText(lhs), DimsText(rhs), DimsText(result)));
}

}  // namespace hlo
