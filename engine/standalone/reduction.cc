// Reductions over dimensions. The order of sums is that of engine/kernels/README.md.
#include <algorithm>
#include <optional>

#include "engine/kernels/move_loops.h"
#include "engine/kernels/reduce_fold.h"
#include "engine/ops/op_def.h"
#include "engine/ops/products/reduce_blocks.h"
#include "engine/ops/shape_checks.h"
#include "engine/plan/region_program.h"
#include "engine/standalone/operation.h"

namespace hlo {
namespace {

/// The elements of a reduction: `kept` leads to the first one of each result.
struct Reduced {
  StridedView kept, reduced;
};

Reduced ViewsOf(const OpCall& call) {
  const StridedView whole = RowMajorView(call.operand(0).dims());
  Dims kept, reduced;
  for (int64_t d = 0; d < static_cast<int64_t>(whole.dims.size()); ++d) {
    (Contains(call.Ints("dimensions"), d) ? reduced : kept).push_back(d);
  }
  return {Permute(whole, kept), Permute(whole, reduced)};
}

// ---- Sums of floats in f64 ----------------------------------------------------------------------

/// Parts of this many elements side by side have eight sums each.
constexpr int kSums = 8;
constexpr int64_t kLeastOfLanes = 16;

/// Writes sums of the elements of results: of one, or of several that lie side by side.
class SumCode {
 public:
  /// `results`: 1 or 8.
  SumCode(ElementType type, int results, KernelCode* code)
      : type_(type),
        code_(*code),
        results_(&code->writer(), results),
        lanes_(&code->writer(), kSums),
        sums_(lanes_.New(LaneKind::kF64)),
        sum_(results_.New(LaneKind::kF64)) {}

  void Begin(LaneValue init) { results_.Assign(sum_, results_.ForAll(init)); }
  /// Rounded once.
  void Store(uint32_t to) {
    if (!results_.is_vector()) {
      return results_.Store(to, code_.Converted(sum_, ElementType::kF64, type_), type_);
    }
    results_.Store(to, results_.Convert(sum_, LaneKind::kF32, false), type_);
    if (results_.failed()) code_.one().Fail();
  }

  /// Adds elements, an address in a local being that of the first, in the order of the view.
  /// `is_across`: results lie side by side in the source, so that elements of a result are added
  /// one after the other.
  void Add(uint32_t address, const StridedView& reduced, bool is_across) {
    const LoopNest nest = MakeNest(reduced);
    if (nest.empty) return;
    Dims counts, steps;
    for (size_t i = 0; i + 1 < nest.loops.size(); ++i) {
      counts.push_back(nest.loops[i].count);
      steps.push_back(nest.loops[i].step * BytesOf(type_));
    }
    const ViewLoop row = nest.loops.back();
    const uint32_t at = code_.Sum(address, 0);
    const Walk walk{at, steps};
    code_.Nest(counts, {&walk, 1}, [&] {
      const uint32_t next = code_.Sum(at, 0);
      const bool has_lanes = !is_across && row.step == 1;
      if (!has_lanes || row.count < kLeastOfLanes) return AddRow(next, row.count, row.step);
      const int64_t parts = row.count / kPollElements, rest = row.count % kPollElements;
      if (parts > 0) code_.Repeat(parts, [&] { AddLanes(next, kPollElements); });
      if (rest >= kLeastOfLanes) {
        AddLanes(next, rest);
      } else if (rest > 0) {
        AddRow(next, rest, 1);
      }
    });
  }

 private:
  // Advances the address.
  void AddRow(uint32_t next, int64_t count, int64_t step) {
    code_.Repeat(count, [&] {
      const LaneValue wide = results_.Convert(results_.Load(next, type_), LaneKind::kF64, false);
      results_.Assign(sum_, results_.Binary(LaneOp::kAdd, sum_, wide));
      code_.Advance(next, step * BytesOf(type_));
    });
  }

  void AddLanes(uint32_t next, int64_t count) {
    LaneCode& one = code_.one();
    lanes_.Assign(sums_, lanes_.Constant(LaneKind::kF64, -0.0));
    code_.Repeat(count / kSums, [&] {
      const LaneValue wide = lanes_.Convert(lanes_.Load(next, type_), LaneKind::kF64, false);
      lanes_.Assign(sums_, lanes_.Binary(LaneOp::kAdd, sums_, wide));
      code_.Advance(next, kSums * BytesOf(type_));
    });
    for (int lane = 0; lane < kSums; ++lane) {
      one.Assign(sum_, one.Binary(LaneOp::kAdd, sum_, lanes_.Extract(sums_, lane)));
    }
    if (count % kSums > 0) AddRow(next, count % kSums, 1);
    if (lanes_.failed()) one.Fail();
  }

  ElementType type_;
  KernelCode& code_;
  LaneCode results_, lanes_;
  LaneValue sums_, sum_;
};

/// Results that lie side by side in the source, so many at least, advance together.
constexpr int64_t kLeastAcross = 4;

bool WriteSum(const Operation& operation, Emitter* emitter) {
  const ElementType type = operation.type();
  const int width = BytesOf(type);
  const Reduced views = ViewsOf(*operation.call);
  const LoopNest kept = MakeNest(views.kept);
  if (kept.empty) return true;
  KernelCode code(3);
  LaneCode& one = code.one();
  const LaneValue init = one.Convert(one.Load(1, type), LaneKind::kF64, false);
  Dims counts, steps;
  for (size_t i = 0; i + 1 < kept.loops.size(); ++i) {
    counts.push_back(kept.loops[i].count);
    steps.push_back(kept.loops[i].step * width);
  }
  const ViewLoop row = kept.loops.back();
  const bool is_across = row.step == 1 && row.count >= kLeastAcross;
  const int64_t blocks = is_across && type == ElementType::kF32 ? row.count / kSums : 0;
  const uint32_t from = code.Sum(0, 0), to = code.Sum(2, 0);
  const Walk walk{from, steps};
  code.Nest(counts, {&walk, 1}, [&] {
    const uint32_t next = code.Sum(from, 0);
    const auto write = [&](int64_t count, int results) {
      SumCode sum(type, results, &code);
      code.Repeat(count, [&] {
        sum.Begin(init);
        sum.Add(next, views.reduced, is_across);
        sum.Store(to);
        code.Advance(next, results * row.step * width);
        code.Advance(to, results * width);
      });
    };
    if (blocks > 0) write(blocks, kSums);
    if (row.count > blocks * kSums) write(row.count - blocks * kSums, 1);
  });
  return emitter->Call(&code, operation.operands, operation.results);
}

// ---- By any computation -------------------------------------------------------------------------

bool WriteFold(const Operation& operation, const RegionSteps& steps, Emitter* emitter) {
  const size_t count = operation.operands.size() / 2;
  const Reduced views = ViewsOf(*operation.call);
  KernelCode code(static_cast<uint32_t>(operation.operands.size() + count));
  AppliedRegion region(steps, &emitter->module(), &code);
  std::vector<LanePair> inits, current;
  std::vector<uint32_t> from, element, to;
  std::vector<Walk> outer, inner;
  const StridedView written = RowMajorView(views.kept.dims);
  for (size_t i = 0; i < count; ++i) {
    const ElementType type = operation.operand_type(static_cast<int>(i));
    inits.push_back(code.Load(static_cast<uint32_t>(count + i), type));
    current.push_back(code.New(type));
    from.push_back(code.Sum(static_cast<uint32_t>(i), 0));
    element.push_back(code.Number(0));
    to.push_back(code.Sum(static_cast<uint32_t>(2 * count + i), 0));
    outer.push_back({from.back(), Bytes(views.kept.strides, BytesOf(type))});
    outer.push_back({to.back(), Bytes(written.strides, BytesOf(type))});
    inner.push_back({element.back(), Bytes(views.reduced.strides, BytesOf(type))});
  }
  code.Nest(views.kept.dims, outer, [&] {
    for (size_t i = 0; i < count; ++i) {
      code.Assign(current[i], inits[i]);
      code.Copy(element[i], from[i]);
    }
    code.Nest(views.reduced.dims, inner, [&] {
      std::vector<LanePair> parameters = current;
      for (size_t i = 0; i < count; ++i) {
        parameters.push_back(code.Load(element[i], operation.operand_type(static_cast<int>(i))));
      }
      const std::vector<LanePair> results = region.Apply(parameters);
      for (size_t i = 0; i < count; ++i) code.Assign(current[i], results[i]);
    });
    for (size_t i = 0; i < count; ++i) {
      code.Store(to[i], current[i], operation.operand_type(static_cast<int>(i)));
    }
  });
  return emitter->Call(&code, operation.operands, operation.results);
}

/// Whether all arrays have the types of the region's parameters and results.
bool FitsReducer(const Operation& operation, const RegionSteps& steps) {
  const size_t count = operation.operands.size() / 2;
  if (steps.parameters.size() != 2 * count || steps.results.size() != count) return false;
  for (size_t i = 0; i < count; ++i) {
    const ElementType type = operation.operand_type(static_cast<int>(i));
    if (operation.operand_type(static_cast<int>(count + i)) != type ||
        steps.parameters[i] != type || steps.parameters[count + i] != type ||
        steps.results[i].type != type) {
      return false;
    }
  }
  return true;
}

bool WriteReduce(const Operation& operation, Emitter* emitter) {
  const std::optional<RegionSteps> steps = StepsOf(*operation.call);
  if (!steps || !FitsReducer(operation, *steps)) return false;
  const ElementType type = operation.operand_type(0);
  const std::optional<Opcode> opcode = BinaryOpcodeOf(*steps);
  const bool is_sum = opcode && ReducerOf(*opcode) == Reducer::kAdd && IsFloat(type);
  if (is_sum && type != ElementType::kF64) return WriteSum(operation, emitter);
  return WriteFold(operation, *steps, emitter);
}

}  // namespace

bool WriteReduction(const Operation& operation, Emitter* emitter) {
  if (operation.instruction->opcode() == Opcode::kReduce) return WriteReduce(operation, emitter);
  return false;
}

}  // namespace hlo
