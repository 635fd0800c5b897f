// A loop over elements with its types and attributes resolved: what evaluating an element-wise
// instruction and running a compiled region have in common.
#ifndef HLO_ENGINE_KERNELS_ELEMENT_LOOP_H_
#define HLO_ENGINE_KERNELS_ELEMENT_LOOP_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/types/element_type.h"

namespace hlo {

/// A set of type classes: what an operation is defined for.
enum TypeSet : uint8_t {
  kNoTypes = 0,
  kPredTypes = 1 << static_cast<int>(TypeClass::kPred),
  kSignedTypes = 1 << static_cast<int>(TypeClass::kSigned),
  kUnsignedTypes = 1 << static_cast<int>(TypeClass::kUnsigned),
  kFloatTypes = 1 << static_cast<int>(TypeClass::kFloat),
  kComplexTypes = 1 << static_cast<int>(TypeClass::kComplex),
};
constexpr TypeSet operator|(TypeSet a, TypeSet b) {
  return static_cast<TypeSet>(static_cast<int>(a) | static_cast<int>(b));
}
inline constexpr TypeSet kIntegerTypes = kSignedTypes | kUnsignedTypes;
inline constexpr TypeSet kNumberTypes = kIntegerTypes | kFloatTypes | kComplexTypes;
inline constexpr TypeSet kAllTypes = kPredTypes | kNumberTypes;
constexpr bool Contains(TypeSet set, TypeClass type_class) {
  return ((static_cast<int>(set) >> static_cast<int>(type_class)) & 1) != 0;
}

/// `direction` of compare, in the order of the attribute's words.
enum class Direction : uint8_t { kEq, kNe, kGe, kGt, kLe, kLt };
/// What a comparison asks of two elements; floats may be in their total order.
struct Comparison {
  Direction direction;
  /// Of floats, by keys: every one has its place.
  bool total = false;
  /// The same, but for zeros of either sign and for NaNs, which are the largest.
  bool weak = false;
};

/// How floats are compared: FLOAT, TOTALORDER and WEAK of compare.
enum class FloatOrder : uint8_t { kPartial, kTotal, kWeak };

/// One element-wise operation on known types.
struct ElementLoop {
  static constexpr int kMaxOperands = 3;
  /// args[i]: n elements of operands[i]; result: room for n elements of `result`. The result may be
  /// the very array of an argument whose elements are as wide; otherwise nothing overlaps.
  using Function = void (*)(const ElementLoop& self, int64_t n, const std::byte* const* args,
                            std::byte* result);

  /// Null: the operation is not defined for these types.
  Function run = nullptr;
  int operand_count = 0;
  ElementType operands[kMaxOperands] = {};
  ElementType result = {};
  /// Attributes, as the operation numbers them.
  int32_t params[2] = {0, 0};

  // For `run` = RunWidened: the loop that computes, and its types.
  Function wide_run = nullptr;
  ElementType wide_operand = {};
  ElementType wide_result = {};

  /// Of a comparison (CompareLoop): which one.
  std::optional<Comparison> comparison = std::nullopt;

  explicit operator bool() const { return run != nullptr; }
  void Run(int64_t n, const std::byte* const* args, std::byte* out) const {
    run(*this, n, args, out);
  }
};

/// Runs `wide_run` on blocks: operands are converted to wide_operand, results back from
/// wide_result. All operands are of one type. Used for narrow floats, which compute in f32 and
/// round once, and for complex functions of c64, which compute in c128.
void RunWidened(const ElementLoop& self, int64_t n, const std::byte* const* args,
                std::byte* result);

/// The loop of a scalar operation (a struct of scalar_unary.h or scalar_binary.h) on operands of
/// one type; without `run` when Op is not defined for it. Instantiated in the .cc files of this
/// directory for every operation there is.
template <typename Op>
ElementLoop UnaryLoop(ElementType type);
template <typename Op>
ElementLoop BinaryLoop(ElementType type);
template <typename Op>
ElementLoop TernaryLoop(ElementType type);

/// compare: pred from two operands of `type`. `order` only matters for floats. Complex numbers have
/// kEq and kNe alone.
ElementLoop CompareLoop(ElementType type, Direction direction, FloatOrder order);
/// select(pred, on_true, on_false).
ElementLoop SelectLoop(ElementType type);
/// clamp(min, x, max): not for complex numbers.
ElementLoop ClampLoop(ElementType type);
/// complex(re, im), of f32 and f64.
ElementLoop ComplexLoop(ElementType part);
/// nextafter of C, in any type of floats, on their codes.
ElementLoop NextAfterLoop(ElementType type);
/// The value itself.
ElementLoop CopyLoop(ElementType type);
ElementLoop ConvertLoop(ElementType from, ElementType to);
/// Scalars of as many bits; a pred of any bits but 0 becomes true.
ElementLoop BitcastConvertLoop(ElementType from, ElementType to);
/// Floats. params[0], params[1]: bits of exponent and mantissa that are kept.
ElementLoop ReducePrecisionLoop(ElementType type, int exponent_bits, int mantissa_bits);

}  // namespace hlo

#endif  // HLO_ENGINE_KERNELS_ELEMENT_LOOP_H_
