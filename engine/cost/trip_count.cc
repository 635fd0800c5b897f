#include "engine/cost/trip_count.h"

#include <array>
#include <charconv>
#include <string_view>

#include "engine/base/bits.h"
#include "engine/kernels/element_loop.h"
#include "engine/types/convert.h"
#include "engine/types/literal.h"

namespace hlo {
namespace {

constexpr int kMostSteps = 64;  // from a value to what it is made of

std::optional<int64_t> StatedCount(std::string_view config) {
  for (const std::string_view word : {"\"known_trip_count\"", "\"n\""}) {
    const size_t at = config.find(word);
    if (at == std::string_view::npos) return std::nullopt;
    config.remove_prefix(at + word.size());
  }
  while (!config.empty() && (config[0] == ':' || config[0] == '"' || config[0] == ' ')) {
    config.remove_prefix(1);
  }
  int64_t count = 0;
  const auto read = std::from_chars(config.data(), config.data() + config.size(), count);
  if (read.ec != std::errc() || count < 0) return std::nullopt;
  return count;
}

// A value in a computation, with the fusions around it: their parameters are their operands.
struct Traced {
  const Instruction* instruction = nullptr;
  SmallVector<const Instruction*, 4> fusions;
};

// Whether every number of one integer type is one of another.
bool HoldsAll(ElementType type, ElementType other) {
  if (!IsIntegral(type) || !IsIntegral(other)) return type == other;
  if (IsSigned(type) == IsSigned(other)) return BitsOf(type) >= BitsOf(other);
  return IsSigned(type) && BitsOf(type) > BitsOf(other);
}

// Whether the instruction has the numbers of its operand.
bool KeepsNumbers(const Instruction& at) {
  if (at.opcode() == Opcode::kOptBarrier) return true;
  const Shape& from = at.operand(0)->shape();
  return at.shape().IsArray() && from.IsArray() &&
         HoldsAll(at.shape().element_type(), from.element_type());
}

// What a value is: past copies, conversions that keep it, tuples and the walls of fusions.
Traced Origin(Traced value) {
  for (int step = 0; step < kMostSteps && value.instruction; ++step) {
    const Instruction& at = *value.instruction;
    switch (at.opcode()) {
      case Opcode::kCopy:
      case Opcode::kBitcast:
      case Opcode::kReshape:
      case Opcode::kConvert:
      case Opcode::kOptBarrier:
        if (!KeepsNumbers(at)) return value;
        value.instruction = at.operand(0);
        continue;
      case Opcode::kFusion: {
        const Computation* fused = AsComputation(at.attrs().GetRegion("calls"));
        if (!fused || !fused->root()) return value;
        value.fusions.push_back(&at);
        value.instruction = fused->root();
        continue;
      }
      case Opcode::kParameter: {
        if (value.fusions.empty()) return value;
        const Instruction& fusion = *value.fusions.back();
        const int64_t number = at.attrs().Int("number", 0);
        if (number < 0 || number >= fusion.operand_count()) return value;
        value.fusions.pop_back();
        value.instruction = fusion.operand(static_cast<int>(number));
        continue;
      }
      case Opcode::kGetTupleElement: {
        Traced tuple = value;
        tuple.instruction = at.operand(0);
        tuple = Origin(std::move(tuple));
        const int64_t index = at.attrs().Int("index", 0);
        if (!tuple.instruction || tuple.instruction->opcode() != Opcode::kTuple) return value;
        if (index < 0 || index >= tuple.instruction->operand_count()) return value;
        value = std::move(tuple);
        value.instruction = value.instruction->operand(static_cast<int>(index));
        continue;
      }
      default:
        return value;
    }
  }
  return value;
}

// The element of the state that a value of the condition or the body is.
std::optional<int64_t> StateElement(const Traced& value) {
  const Instruction& at = *value.instruction;
  if (at.opcode() != Opcode::kGetTupleElement || !value.fusions.empty()) return std::nullopt;
  if (at.operand(0)->opcode() != Opcode::kParameter) return std::nullopt;
  return at.attrs().Int("index", 0);
}

std::optional<int64_t> IntegerOf(const Traced& value) {
  const ShapedLiteral* shaped = value.instruction->opcode() == Opcode::kConstant
                                    ? value.instruction->attrs().GetLiteral("literal")
                                    : nullptr;
  if (!shaped || shaped->literal.elided || !shaped->literal.value.is_array()) return std::nullopt;
  const Tensor& tensor = shaped->literal.value.tensor();
  const ElementType type = shaped->shape.element_type();
  if (tensor.element_count() != 1 || !IsIntegral(type)) return std::nullopt;
  int64_t number = 0;
  ConvertElements(type, tensor.bytes(), ElementType::kS64, reinterpret_cast<std::byte*>(&number),
                  1);
  return number;
}

bool Holds(ElementType type, int64_t number) {
  std::array<std::byte, sizeof number> bytes{};
  int64_t back = 0;
  ConvertElements(ElementType::kS64, reinterpret_cast<const std::byte*>(&number), type,
                  bytes.data(), 1);
  ConvertElements(type, bytes.data(), ElementType::kS64, reinterpret_cast<std::byte*>(&back), 1);
  return back == number;
}

/// A loop whose state is a tuple.
class CountedLoop {
 public:
  explicit CountedLoop(const Instruction& loop)
      : loop_(loop),
        condition_(AsComputation(loop.attrs().GetRegion("condition"))),
        body_(AsComputation(loop.attrs().GetRegion("body"))) {}

  std::optional<int64_t> Count() const {
    if (!condition_ || !body_ || !condition_->root() || !body_->root()) return std::nullopt;
    const Traced compare = Origin({condition_->root(), {}});
    if (!compare.instruction || compare.instruction->opcode() != Opcode::kCompare) {
      return std::nullopt;
    }
    const auto direction = static_cast<Direction>(compare.instruction->attrs().Int("direction"));
    const Traced left = OperandOf(compare, 0);
    const Traced right = OperandOf(compare, 1);
    if (const auto count = CountTo(left, right, direction)) return count;
    return CountTo(right, left, Mirrored(direction));
  }

 private:
  static Traced OperandOf(const Traced& value, int i) {
    return Origin({value.instruction->operand(i), value.fusions});
  }

  static Direction Mirrored(Direction direction) {
    if (direction == Direction::kLt) return Direction::kGt;
    if (direction == Direction::kLe) return Direction::kGe;
    if (direction == Direction::kGt) return Direction::kLt;
    if (direction == Direction::kGe) return Direction::kLe;
    return direction;
  }

  // The number that an element of the state has at first.
  std::optional<int64_t> FirstValue(int64_t element) const {
    const Traced state = Origin({loop_.operand(0), {}});
    if (!state.instruction || state.instruction->opcode() != Opcode::kTuple) return std::nullopt;
    if (element < 0 || element >= state.instruction->operand_count()) return std::nullopt;
    return IntegerOf(OperandOf(state, static_cast<int>(element)));
  }

  // What the body makes of an element of the state.
  std::optional<Traced> NextValue(int64_t element) const {
    const Traced state = Origin({body_->root(), {}});
    if (!state.instruction || state.instruction->opcode() != Opcode::kTuple) return std::nullopt;
    if (element < 0 || element >= state.instruction->operand_count()) return std::nullopt;
    return OperandOf(state, static_cast<int>(element));
  }

  // A constant of the condition or the body, or an element of the state that stays as it began.
  std::optional<int64_t> Constant(const Traced& value) const {
    if (const auto number = IntegerOf(value)) return number;
    const auto element = StateElement(value);
    if (!element) return std::nullopt;
    const auto next = NextValue(*element);
    if (!next || StateElement(*next) != element) return std::nullopt;
    return FirstValue(*element);
  }

  // What the body adds to an element of the state.
  std::optional<int64_t> StepOf(int64_t element) const {
    const auto next = NextValue(element);
    if (!next) return std::nullopt;
    const Opcode opcode = next->instruction->opcode();
    if (opcode != Opcode::kAdd && opcode != Opcode::kSubtract) return std::nullopt;
    for (const int i : {0, 1}) {
      if (i == 1 && opcode == Opcode::kSubtract) break;
      if (StateElement(OperandOf(*next, i)) != element) continue;
      const auto step = Constant(OperandOf(*next, 1 - i));
      if (step && opcode == Opcode::kSubtract) return -*step;
      return step;
    }
    return std::nullopt;
  }

  std::optional<int64_t> CountTo(const Traced& counter, const Traced& bound,
                                 Direction direction) const {
    const auto element = StateElement(counter);
    const auto end = Constant(bound);
    if (!element || !end) return std::nullopt;
    const auto first = FirstValue(*element);
    const auto step = StepOf(*element);
    if (!first || !step || *step == 0) return std::nullopt;
    const auto count = Iterations(*first, *end, *step, direction);
    int64_t last = 0;
    if (!count || !MultiplyChecked(*count, *step, &last) || !AddChecked(last, *first, &last) ||
        !Holds(counter.instruction->shape().element_type(), last)) {
      return std::nullopt;  // it wraps before it gets there
    }
    return count;
  }

  static std::optional<int64_t> Iterations(int64_t first, int64_t end, int64_t step,
                                           Direction direction) {
    constexpr int64_t kMost = int64_t{1} << 53;
    const auto is_small = [](int64_t n) { return n > -kMost && n < kMost; };
    if (!is_small(first) || !is_small(end) || !is_small(step)) return std::nullopt;
    int64_t distance = end - first;
    if (direction == Direction::kNe) {
      if (distance % step != 0 || distance / step < 0) return std::nullopt;
      return distance / step;
    }
    const bool upward = direction == Direction::kLt || direction == Direction::kLe;
    if (!upward && direction != Direction::kGt && direction != Direction::kGe) return std::nullopt;
    if (!upward) {
      distance = -distance;
      step = -step;
    }
    if (direction == Direction::kLe || direction == Direction::kGe) ++distance;
    if (distance <= 0) return 0;
    // Away from the bound it goes on until it wraps.
    if (step < 0) return std::nullopt;
    return (distance + step - 1) / step;
  }

  const Instruction& loop_;
  const Computation* condition_;
  const Computation* body_;
};

}  // namespace

std::optional<int64_t> TripCountOf(const Instruction& loop) {
  if (const auto stated = StatedCount(loop.attrs().String("backend_config"))) return stated;
  return CountedLoop(loop).Count();
}

}  // namespace hlo
