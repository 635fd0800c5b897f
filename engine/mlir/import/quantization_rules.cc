// Which quantised types StableHLO allows to meet in an op. HLO has no such types.
// Source: StableHLO, TypeInference.cpp; the constraints of the ops in spec.md.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "engine/mlir/import/op_import.h"
#include "engine/mlir/import/refinement.h"

namespace hlo::mlir {
namespace {

// Whether the same stored number is the same real one.
bool HaveSameScales(const Quantization& a, const Quantization& b) {
  return a.expressed == b.expressed && a.scales == b.scales && a.zero_points == b.zero_points;
}

bool IsProduct(const OpRow& row) {
  return row.name == "dot_general" || row.name == "convolution" || row.name == "dynamic_conv";
}

// The number of elements before dimension `axis`.
int64_t CountBefore(const Shape& shape, int64_t axis) {
  const Dims& dims = shape.dims();
  const auto end = dims.begin() + std::min(axis, static_cast<int64_t>(dims.size()));
  return std::accumulate(dims.begin(), end, int64_t{1}, std::multiplies<>());
}

}  // namespace

const Quantization* OpImport::QuantizationOf(size_t operand) const {
  const std::vector<const Type*>& types = op_.operand_types;
  const Type* type = types.empty() ? nullptr : types[std::min(operand, types.size() - 1)];
  return type && type->quantization ? &*type->quantization : nullptr;
}

const Quantization* OpImport::ResultQuantization() const {
  const Type* type = ResultType(0);
  return type && type->quantization ? &*type->quantization : nullptr;
}

// Products take a list of scales for what they multiply by alone; most ops take one scale.
bool OpImport::HasAllowedAxes() {
  const bool is_product = IsProduct(*row_);
  const auto is_allowed = [&](const std::vector<const Type*>& types, std::string_view what) {
    for (size_t i = 0; i < types.size(); ++i) {
      if (row_->quantized == Quantized::kNone && types[i]->quantization) {
        return Fail(
            DiagCode::kElementType,
            fmt::format("{} #{} must not be quantized, but got '{}'", what, i, TextOf(*types[i])));
      }
      const bool may_be_listed =
          row_->quantized == Quantized::kPerAxis && !(is_product && what == "operand" && i == 0);
      if (may_be_listed || !types[i]->quantization || types[i]->quantization->axis < 0) continue;
      return Fail(DiagCode::kElementType,
                  fmt::format("{} #{} must be quantized per tensor, but got '{}'", what, i,
                              TextOf(*types[i])));
    }
    return true;
  };
  return is_allowed(op_.operand_types, "operand") && is_allowed(op_.result_types, "result");
}

// Types differ in scales and zero points alone where an op has one element type; what moves
// elements keeps those too.
bool OpImport::HasOneQuantization() {
  const bool is_same = row_->opcode && row_->mixing == Mixing::kOne;
  const Type* result = ResultType(0);
  const bool keeps = row_->name == "slice" || row_->name == "concatenate" || row_->name == "pad";
  const Quantization* first = nullptr;
  for (const auto* types : {&op_.operand_types, &op_.result_types}) {
    for (const Type* type : *types) {
      if (!is_same || !type->quantization) continue;
      const Quantization& own = *type->quantization;
      if (!first) first = &own;
      if (keeps && (!HaveSameScales(own, *first) || !result || !result->quantization)) {
        return Fail(DiagCode::kElementType,
                    "requires the same element type for all operands and results");
      }
      if (own.storage == first->storage && own.expressed == first->expressed) continue;
      return Fail(DiagCode::kElementType,
                  "requires compatible types for all operands and results: of quantized types, the "
                  "stored and the expressed one must be the same");
    }
  }
  return true;
}

// add, C2, C5 to C7.
bool OpImport::HasSumQuantization() {
  const Quantization *lhs = QuantizationOf(0), *rhs = QuantizationOf(1);
  const Quantization* result = ResultQuantization();
  if (!lhs || !rhs || !result) {
    return Fail(DiagCode::kElementType,
                "expects all operands and results to be either quantized or non-quantized");
  }
  const int64_t axis = lhs->axis >= 0 ? lhs->axis : rhs->axis;
  if (result->axis == axis && (rhs->axis < 0 || rhs->axis == axis)) return true;
  return Fail(DiagCode::kElementType,
              "quantization dimensions of lhs, rhs and result are not the same");
}

// dot_general, C14, C17 to C20; convolution, C28, C31 to C34.
bool OpImport::HasProductQuantization() {
  const Quantization *lhs = QuantizationOf(0), *rhs = QuantizationOf(1);
  const Quantization* result = ResultQuantization();
  const auto fail = [this](std::string message) {
    return Fail(DiagCode::kElementType, std::move(message));
  };
  if (operands.empty()) return true;
  if (!rhs || !lhs != !result) {
    return fail(
        "rhs should be quantized for quantized operations and is_quantized(lhs)="
        "is_quantized(result) should hold");
  }
  if (!lhs) {
    const Type* type = ResultType(0);
    const bool is_same = !type || (type->shape.element_type() == rhs->expressed &&
                                   operands[0]->shape().element_type() == rhs->expressed);
    return is_same || fail(
                          "mismatched rhs quantization expressed type and lhs and result element "
                          "type");
  }
  if (lhs->storage != rhs->storage) {
    return fail("mismatched lhs and rhs quantization storage types");
  }
  if (lhs->expressed != rhs->expressed || lhs->expressed != result->expressed) {
    return fail("mismatched lhs, rhs and result quantization expressed types");
  }
  return rhs->axis >= 0 || result->axis < 0 ||
         fail("mismatched rhs and result quantization granularity");
}

// Ops that move values keep what the stored ones mean: reshape, C1 and C3; transpose, C1 and C4;
// broadcast_in_dim, C1 and C6.
bool OpImport::HasMovedQuantization() {
  const Quantization *from = QuantizationOf(0), *to = ResultQuantization();
  const Type* type = ResultType(0);
  if (operands.empty() || !from || !to || !type || (from->axis < 0) != (to->axis < 0)) return true;
  const auto fail = [this](std::string_view what) {
    return Fail(DiagCode::kElementType,
                fmt::format("expect same quantization {} but got '{}' vs '{}'", what,
                            TextOf(*op_.operand_types[0]), TextOf(*ResultType(0))));
  };
  const bool is_broadcast = row_->name.ends_with("broadcast_in_dim");
  // One scale may be stretched to several.
  const bool is_stretched =
      is_broadcast && from->axis >= 0 && from->scales.size() == 1 &&
      std::count(to->scales.begin(), to->scales.end(), from->scales[0]) == std::ssize(to->scales) &&
      std::count(to->zero_points.begin(), to->zero_points.end(), from->zero_points[0]) ==
          std::ssize(to->zero_points);
  if (!is_stretched && (!HaveSameScales(*from, *to) || from->storage != to->storage)) {
    return fail("scales and zero points");
  }
  if (from->axis < 0) return true;
  if (row_->name.ends_with("reshape")) {
    const Shape& shape = operands[0]->shape();
    return !IsStatic(type->shape) ||
           CountBefore(shape, from->axis) == CountBefore(type->shape, to->axis) ||
           fail("number of elements before the quantization dimension");
  }
  // Dimension map[i] of the result is dimension i of the operand; of a transpose the other way.
  const Dims map =
      is_broadcast ? Ints({"broadcast_dimensions", "dims"}) : Ints({"permutation", "dims"});
  const auto [i, d] =
      is_broadcast ? std::pair(from->axis, to->axis) : std::pair(to->axis, from->axis);
  return static_cast<size_t>(i) >= map.size() || map[static_cast<size_t>(i)] == d ||
         fail("dimension");
}

bool OpImport::HasValidQuantization() {
  const std::string_view name = row_->name;
  if (name == "add" && !HasSumQuantization()) return false;
  if (IsProduct(*row_)) return HasProductQuantization();
  if (name == "transpose" || name.ends_with("reshape") || name.ends_with("broadcast_in_dim")) {
    return HasMovedQuantization();
  }
  return HasOneQuantization();
}

const Quantization* OpImport::AppliedQuantization() const {
  if (!Find({"applies"}) || op_.operand_types.empty()) return nullptr;
  const auto& quantization = op_.operand_types[0]->quantization;
  return quantization && quantization->axis < 0 ? &*quantization : nullptr;
}

bool OpImport::HasQuantizedRegion() {
  const Quantization* of_region = AppliedQuantization();
  for (const Region& region : op_.regions) {
    for (const Block::Argument& argument : region.blocks[0].arguments) {
      if (argument.type->quantization) of_region = &*argument.type->quantization;
    }
  }
  if (!of_region) return false;
  for (const auto* types : {&op_.operand_types, &op_.result_types}) {
    for (const Type* type : *types) {
      if (!type->quantization || HaveSameScales(*type->quantization, *of_region)) continue;
      Fail(DiagCode::kElementType,
           "the values in its region have other scales and zero points than those outside");
      return true;
    }
  }
  return true;
}

}  // namespace hlo::mlir
