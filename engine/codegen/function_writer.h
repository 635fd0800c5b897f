// The body of a WebAssembly function, written instruction by instruction.
#ifndef HLO_ENGINE_CODEGEN_FUNCTION_WRITER_H_
#define HLO_ENGINE_CODEGEN_FUNCTION_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hlo {

using CodeBytes = std::vector<uint8_t>;

/// Unsigned and signed LEB128 (WebAssembly core specification, binary format, integers).
void AppendUnsigned(uint64_t value, CodeBytes* out);
void AppendSigned(int64_t value, CodeBytes* out);

/// Types of values, by their codes in the binary format.
enum class CodeType : uint8_t { kV128 = 0x7b, kF64 = 0x7c, kF32 = 0x7d, kI64 = 0x7e, kI32 = 0x7f };

/// Instructions that are written by name, by their codes; 0xfd00 + n are instructions of SIMD
/// and 0xfc00 + n saturating conversions.
enum class Code : uint16_t {
  kNone = 0,  // unreachable, which is never generated
  kBlock = 0x02,
  kLoop = 0x03,
  kIf = 0x04,
  kElse = 0x05,
  kEnd = 0x0b,
  kBr = 0x0c,
  kBrIf = 0x0d,
  kCall = 0x10,
  kSelect = 0x1b,
  kLocalGet = 0x20,
  kLocalSet = 0x21,
  kI32Load = 0x28,
  kI64Load = 0x29,
  kF32Load = 0x2a,
  kF64Load = 0x2b,
  kI32Load8S = 0x2c,
  kI32Load8U = 0x2d,
  kI32Load16S = 0x2e,
  kI32Load16U = 0x2f,
  kI32Store = 0x36,
  kI64Store = 0x37,
  kF32Store = 0x38,
  kF64Store = 0x39,
  kI32Store8 = 0x3a,
  kI32Store16 = 0x3b,
  kI32Const = 0x41,
  kI64Const = 0x42,
  kF32Const = 0x43,
  kF64Const = 0x44,
  kI32Eqz = 0x45,
  kI32GtS = 0x4a,
  kI32GeS = 0x4e,
  kI32Add = 0x6a,
  kI32Sub = 0x6b,
  kI32Mul = 0x6c,
  kI32And = 0x71,
  kV128Load = 0xfd00,
  kV128Load32Splat = 0xfd09,
  kV128Store = 0xfd0b,
  kI32x4Splat = 0xfd11,
  kF32x4Splat = 0xfd13,
  kI32x4Ne = 0xfd38,
  kV128Not = 0xfd4d,
  kV128And = 0xfd4e,
  kV128Bitselect = 0xfd52,
  kV128Store32Lane = 0xfd5a,
  kV128Load32Zero = 0xfd5c,
  kI8x16NarrowI16x8S = 0xfd65,
  kI16x8NarrowI32x4S = 0xfd85,
  kI16x8ExtendLowI8x16U = 0xfd89,
  kI32x4ExtendLowI16x8U = 0xfda9,
};

/// Writes one function. Locals are made as they are needed; parameters are the first ones.
class FunctionWriter {
 public:
  explicit FunctionWriter(uint32_t parameter_count) : parameter_count_(parameter_count) {}

  /// A local of its own, zero at first.
  uint32_t NewLocal(CodeType type);
  uint32_t local_count() const { return parameter_count_ + static_cast<uint32_t>(locals_.size()); }

  void Write(Code code);
  /// The same for codes out of a table.
  void WriteCode(uint16_t code) { Write(static_cast<Code>(code)); }
  void Get(uint32_t local);
  void Set(uint32_t local);
  void I32(int32_t value);
  void I64(int64_t value);
  void F32(float value);
  void F64(double value);
  /// A load or store at an address on the stack. Nothing is said of its alignment.
  void Memory(Code code);
  /// The same of one lane of a vector.
  void MemoryLane(Code code, uint8_t lane);
  /// A block or loop without values.
  void Open(Code code);
  /// A branch out of `depth` blocks around the innermost one, or to the head of that loop.
  void Branch(Code code, uint32_t depth);
  void Call(uint32_t function);

  /// The function as an entry of the code section, without its size.
  CodeBytes Finish();

 private:
  uint32_t parameter_count_;
  std::vector<CodeType> locals_;
  CodeBytes body_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_FUNCTION_WRITER_H_
