// Numbers of f64 in kernels, real and complex, and loops whose bounds are known when they run.
#ifndef HLO_ENGINE_STANDALONE_NUMBER_CODE_H_
#define HLO_ENGINE_STANDALONE_NUMBER_CODE_H_

#include <cstdint>

#include "engine/codegen/lane.h"
#include "engine/kernels/complex_parts.h"
#include "engine/standalone/kernel_code.h"

namespace hlo {

using Number = lanes::Lane<double>;
using NumberPair = complex::Pair<Number>;

/// Reads and writes numbers at addresses in locals.
class NumberCode {
 public:
  /// It must outlive this.
  explicit NumberCode(KernelCode* code) : code_(*code), writer_(code->writer()) {}

  KernelCode& code() { return code_; }
  Number Constant(double number) {
    return {&code_.one(), code_.one().Constant(LaneKind::kF64, number)};
  }
  /// A number in locals of its own, which may be set again.
  Number Variable(double number = 0) {
    const Number variable{&code_.one(), code_.one().New(LaneKind::kF64)};
    Set(variable, Constant(number));
    return variable;
  }
  void Set(const Number& to, const Number& from) { code_.one().Assign(to.value, from.value); }

  /// The element of so many from the address on.
  Number Load(uint32_t address, int64_t element = 0) { return LoadAt(address, 8 * element); }
  void Store(uint32_t address, const Number& x, int64_t element = 0) {
    StoreAt(address, x, 8 * element);
  }
  NumberPair LoadPair(uint32_t address, int64_t element = 0) {
    return {LoadAt(address, 16 * element), LoadAt(address, 16 * element + 8)};
  }
  void StorePair(uint32_t address, const NumberPair& z, int64_t element = 0) {
    StoreAt(address, z.real, 16 * element);
    StoreAt(address, z.imag, 16 * element + 8);
  }

  /// `body` for the i32 local `next` from what it is to what `push_end` leaves on the stack.
  template <typename PushEnd, typename Body>
  void For(uint32_t next, PushEnd push_end, Body body) {
    writer_.Open(Code::kBlock);
    writer_.Open(Code::kLoop);
    writer_.Get(next);
    push_end();
    writer_.Write(Code::kI32GeS);
    writer_.Branch(Code::kBrIf, 1);
    body();
    writer_.Increase(next, 1);
    writer_.Branch(Code::kBr, 0);
    writer_.Write(Code::kEnd);
    writer_.Write(Code::kEnd);
  }
  /// What `body` writes is executed where the condition holds.
  template <typename Body>
  void If(const lanes::Lane<bool>& condition, Body body) {
    code_.one().PushAny(condition.value);
    writer_.Open(Code::kIf);
    body();
    writer_.Write(Code::kEnd);
  }

 private:
  Number LoadAt(uint32_t address, int64_t offset) {
    const Number x{&code_.one(), code_.one().New(LaneKind::kF64)};
    writer_.Get(address);
    writer_.Memory(Code::kF64Load, static_cast<uint32_t>(offset));
    writer_.Set(x.value.local);
    return x;
  }
  void StoreAt(uint32_t address, const Number& x, int64_t offset) {
    writer_.Get(address);
    writer_.Get(x.value.local);
    writer_.Memory(Code::kF64Store, static_cast<uint32_t>(offset));
  }

  KernelCode& code_;
  FunctionWriter& writer_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_STANDALONE_NUMBER_CODE_H_
