// Reductions of windows.
#include <optional>
#include <utility>
#include <vector>

#include "engine/kernels/reduce_fold.h"
#include "engine/ops/op_def.h"
#include "engine/ops/products/reduce_blocks.h"
#include "engine/ops/shape_checks.h"
#include "engine/ops/windows/cumulative_windows.h"
#include "engine/plan/region_program.h"
#include "engine/standalone/operation.h"
#include "engine/standalone/window_code.h"
#include "engine/standalone/window_loops.h"
#include "engine/types/convert.h"

namespace hlo {
namespace {

/// The value of a scalar that is written in the program.
std::optional<double> KnownNumber(const Instruction& instruction) {
  if (instruction.opcode() != Opcode::kConstant || !instruction.shape().IsScalar()) {
    return std::nullopt;
  }
  const ElementType type = instruction.shape().element_type();
  const ShapedLiteral& literal = *instruction.Call().GetLiteral("literal");
  if (literal.literal.elided || IsComplex(type)) return std::nullopt;
  double number = 0;
  ConvertElements(type, literal.literal.value.tensor().bytes(), ElementType::kF64,
                  reinterpret_cast<std::byte*>(&number), 1);
  return number;
}

/// What is reduced: arrays of the same dimensions by one region.
struct WindowReduction {
  RegionSteps steps;
  std::optional<Reducer> reducer;
  size_t count = 0;               ///< arrays
  std::vector<int32_t> operands;  ///< inputs in the types of the region's elements, initial values
  Sliding sliding;

  ElementType element(size_t i) const { return steps.parameters[count + i]; }
  ElementType result(size_t i) const { return steps.results[i].type; }
};

/// Whether the initial value, as an element, leaves every accumulator as it is.
bool IsNeutralInit(const WindowReduction& reduction, const Operation& operation) {
  if (!reduction.reducer) return false;
  switch (*reduction.reducer) {
    case Reducer::kAdd:
      return KnownNumber(*operation.instruction->operand(1)) == 0.0;
    case Reducer::kMultiply:
      return KnownNumber(*operation.instruction->operand(1)) == 1.0;
    default:
      return true;
  }
}

// Each window by itself, with the initial value where it has no element.
bool WriteAllWindows(const WindowReduction& reduction, const Operation& operation,
                     Emitter* emitter) {
  const size_t count = reduction.count;
  KernelCode code(static_cast<uint32_t>(3 * count));
  AppliedRegion region(reduction.steps, &emitter->module(), &code);
  WindowLoops loops(reduction.sliding.window, reduction.sliding.input.dims,
                    reduction.sliding.input.strides, reduction.sliding.result.dims, &code);
  std::vector<LanePair> inits, padding, current, element;
  std::vector<uint32_t> to;
  for (size_t i = 0; i < count; ++i) {
    const ElementType type = operation.operand_type(static_cast<int>(count + i));
    const LanePair init = code.Load(static_cast<uint32_t>(count + i), type);
    inits.push_back(ConvertedPair(init, type, reduction.result(i), &code.one()));
    padding.push_back(ConvertedPair(init, type, reduction.element(i), &code.one()));
    current.push_back(code.New(reduction.result(i)));
    element.push_back(code.New(reduction.element(i)));
    to.push_back(code.Sum(static_cast<uint32_t>(2 * count + i), 0));
  }
  const auto apply = [&](uint32_t offset, uint32_t inside) {
    FunctionWriter& writer = code.writer();
    for (size_t i = 0; i < count; ++i) code.Assign(element[i], padding[i]);
    writer.Get(inside);
    writer.Open(Code::kIf);
    for (size_t i = 0; i < count; ++i) {
      const ElementType type = reduction.element(i);
      const uint32_t from =
          ElementAddress(static_cast<uint32_t>(i), offset, BytesOf(type), &writer);
      code.Assign(element[i], code.Load(from, type));
    }
    writer.Write(Code::kEnd);
    std::vector<LanePair> parameters = current;
    parameters.insert(parameters.end(), element.begin(), element.end());
    const std::vector<LanePair> results = region.Apply(parameters);
    for (size_t i = 0; i < count; ++i) code.Assign(current[i], results[i]);
  };
  loops.ForEachWindow([&] {
    for (size_t i = 0; i < count; ++i) code.Assign(current[i], inits[i]);
    const uint32_t inside = code.Number(0);
    loops.ForEachPosition(
        /*skips=*/false, inside, [&](uint32_t offset) { apply(offset, inside); }, [](size_t) {},
        [](size_t) {});
    for (size_t i = 0; i < count; ++i) {
      code.Store(to[i], current[i], reduction.result(i));
      code.Advance(to[i], BytesOf(reduction.result(i)));
    }
  });
  return emitter->Call(&code, reduction.operands, operation.results);
}

/// Cumulative sums of f32, which go by blocks.
class CumulativeSumCode {
 public:
  explicit CumulativeSumCode(KernelCode* code)
      : code_(*code), one_(code->one()), carry_(one_.New(LaneKind::kF64)) {}

  /// A line of so many elements, so many bytes apart; the addresses are left behind it.
  void WriteLine(LaneValue init, uint32_t from, uint32_t to, int64_t count, int64_t from_step,
                 int64_t to_step) {
    one_.Assign(carry_, init);
    const auto block = [&](int64_t elements) {
      WriteBlock(from, to, elements, from_step, to_step);
      code_.Advance(from, elements * from_step);
      code_.Advance(to, elements * to_step);
    };
    if (count >= kBlock) code_.Repeat(count / kBlock, [&] { block(kBlock); });
    if (count % kBlock > 0) block(count % kBlock);
  }

 private:
  static constexpr int64_t kBlock = 16, kLanes = 4;

  LaneValue Sum(LaneValue a, LaneValue b) { return one_.Binary(LaneOp::kAdd, a, b); }

  void WriteBlock(uint32_t from, uint32_t to, int64_t count, int64_t from_step, int64_t to_step) {
    const LaneValue none = one_.Constant(LaneKind::kF32, -0.0);
    std::vector<LaneValue> x;
    for (int64_t i = 0; i < kBlock; ++i) {
      x.push_back(i < count ? one_.Load(code_.Sum(from, i * from_step), ElementType::kF32) : none);
    }
    std::vector<LaneValue> up_to;
    for (int64_t v = 0; v < kBlock; v += kLanes) {
      const auto at = [&](int64_t lane) { return x[static_cast<size_t>(v + lane)]; };
      const LaneValue pairs[] = {Sum(at(0), none), Sum(at(1), at(0)), Sum(at(2), at(1)),
                                 Sum(at(3), at(2))};
      LaneValue four[] = {Sum(pairs[0], none), Sum(pairs[1], none), Sum(pairs[2], pairs[0]),
                          Sum(pairs[3], pairs[1])};
      if (v > 0) {
        const LaneValue before = up_to.back();
        for (LaneValue& lane : four) lane = Sum(before, lane);
      }
      up_to.insert(up_to.end(), std::begin(four), std::end(four));
    }
    const LaneValue before = one_.Convert(carry_, LaneKind::kF32, false);
    for (int64_t i = 0; i < count; ++i) {
      one_.Store(code_.Sum(to, i * to_step), Sum(before, up_to[static_cast<size_t>(i)]),
                 ElementType::kF32);
    }
    one_.Assign(carry_, Sum(carry_, one_.Convert(up_to.back(), LaneKind::kF64, false)));
  }

  KernelCode& code_;
  LaneCode& one_;
  LaneValue carry_;
};

// Windows of which each has all elements of a line up to its own.
bool WriteLines(const WindowReduction& reduction, const Cumulative& lines,
                const Operation& operation, Emitter* emitter) {
  const ElementType type = operation.type();
  const int width = BytesOf(type);
  const StridedView &input = reduction.sliding.input, &result = reduction.sliding.result;
  const bool by_blocks = reduction.reducer == Reducer::kAdd && type == ElementType::kF32 &&
                         (lines.is_single || lines.is_adjacent);
  KernelCode code(3);
  AppliedRegion region(reduction.steps, &emitter->module(), &code);
  CumulativeSumCode sums(&code);
  const uint32_t from = code.Sum(0, input.offset * width), to = code.Sum(2, result.offset * width);
  const LanePair init = code.Load(1, type), current = code.New(type);
  const LaneValue wide =
      by_blocks ? code.one().Convert(init.real, LaneKind::kF64, false) : LaneValue{};
  Dims counts = result.dims;
  const size_t d = lines.dimension;
  const int64_t from_step = input.strides[d] * width, to_step = result.strides[d] * width;
  counts[d] = 1;
  const Walk walks[] = {{from, Bytes(input.strides, width)}, {to, Bytes(result.strides, width)}};
  code.Nest(counts, walks, [&] {
    const uint32_t x = code.Sum(from, 0), y = code.Sum(to, 0);
    if (by_blocks) return sums.WriteLine(wide, x, y, result.dims[d], from_step, to_step);
    code.Assign(current, init);
    code.Repeat(result.dims[d], [&] {
      const LanePair parameters[] = {current, code.Load(x, type)};
      code.Assign(current, region.Apply(parameters)[0]);
      code.Store(y, current, type);
      code.Advance(x, from_step);
      code.Advance(y, to_step);
    });
  });
  return emitter->Call(&code, operation.operands, operation.results);
}

/// One of two, by whether the initial value, an f32, is 0.
template <typename Zero, typename Other>
bool WriteByInit(const Operation& operation, Zero of_zero, Other of_other, Emitter* emitter) {
  const int32_t is_zero = emitter->NewArray(ElementType::kPred, 1);
  KernelCode code(2);
  LaneCode& one = code.one();
  const LaneValue init = one.Load(0, ElementType::kF32);
  one.Store(1, one.Binary(LaneOp::kEq, init, one.Constant(LaneKind::kF32, 0)), ElementType::kPred);
  if (!emitter->Call(&code, {operation.operands[1]}, {is_zero})) return false;
  DriverStep step;
  step.kind = DriverStep::Kind::kConditional;
  step.is_pred = true;
  step.reads = {is_zero};
  step.blocks.resize(2);
  DriverBlock* const around = emitter->block();
  emitter->set_block(&step.blocks[0]);
  bool is_written = of_zero();
  emitter->set_block(&step.blocks[1]);
  is_written = of_other() && is_written;
  emitter->set_block(around);
  emitter->Add(std::move(step));
  return is_written;
}

bool WriteReduceWindow(const Operation& operation, Emitter* emitter) {
  const OpCall& call = *operation.call;
  std::optional<RegionSteps> steps = StepsOf(call);
  const Shape& shape = PartShape(call.shape(), 0);
  if (!steps || !WindowLoops::Fits(call.GetWindow(), call.operand(0).dims(), shape.dims())) {
    return false;
  }
  WindowReduction reduction{
      std::move(*steps), std::nullopt, operation.operands.size() / 2, operation.operands, {}};
  if (shape.element_count() == 0) return true;
  for (size_t i = 0; i < reduction.count; ++i) {
    const Shape& from = call.operand(static_cast<int>(i));
    if (PartShape(call.shape(), static_cast<int>(i)).element_type() != reduction.result(i) ||
        !emitter->Convert(&reduction.operands[i], from.element_count(), from.element_type(),
                          reduction.element(i))) {
      return false;
    }
  }
  if (const auto opcode = BinaryOpcodeOf(reduction.steps)) reduction.reducer = ReducerOf(*opcode);
  reduction.sliding = {call.GetWindow(), RowMajorView(call.operand(0).dims()),
                       RowMajorView(shape.dims())};
  const ElementType type = shape.element_type();
  const bool is_plain =
      reduction.count == 1 && reduction.element(0) == type && operation.operand_type(1) == type;
  if (!is_plain) return WriteAllWindows(reduction, operation, emitter);
  WindowReduction turned = reduction;
  if (reduction.reducer && !IsFloat(type)) TurnRound(&turned.sliding);
  const std::optional<Cumulative> lines = FindCumulative(turned.sliding);
  if (!lines) return WriteAllWindows(reduction, operation, emitter);
  if (IsNeutralInit(turned, operation)) return WriteLines(turned, *lines, operation, emitter);
  const bool is_sum = reduction.reducer == Reducer::kAdd && type == ElementType::kF32;
  if (!is_sum || KnownNumber(*operation.instruction->operand(1))) {
    return WriteAllWindows(reduction, operation, emitter);
  }
  // Of sums of f32 the order depends on the initial value.
  return WriteByInit(
      operation, [&] { return WriteLines(turned, *lines, operation, emitter); },
      [&] { return WriteAllWindows(reduction, operation, emitter); }, emitter);
}

}  // namespace

bool WriteWindows(const Operation& operation, Emitter* emitter) {
  switch (operation.instruction->opcode()) {
    case Opcode::kConvolution:
      return WriteConvolution(operation, emitter);
    case Opcode::kReduceWindow:
      return WriteReduceWindow(operation, emitter);
    default:
      return false;
  }
}

}  // namespace hlo
