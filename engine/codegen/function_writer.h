// The body of a WebAssembly function, written instruction by instruction.
#ifndef HLO_ENGINE_CODEGEN_FUNCTION_WRITER_H_
#define HLO_ENGINE_CODEGEN_FUNCTION_WRITER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace hlo {

class FunctionPool;

using CodeBytes = std::vector<uint8_t>;
/// A constant of all lanes.
using VectorBytes = std::array<uint8_t, 16>;

/// Unsigned and signed LEB128 (WebAssembly core specification, binary format, integers).
void AppendUnsigned(uint64_t value, CodeBytes* out);
void AppendSigned(int64_t value, CodeBytes* out);

/// Types of values, by their codes in the binary format.
enum class CodeType : uint8_t { kV128 = 0x7b, kF64 = 0x7c, kF32 = 0x7d, kI64 = 0x7e, kI32 = 0x7f };

/// Instructions, by their codes.
enum class Code : uint16_t {
#define INSTRUCTION(name, code, text, immediate) k##name = code,
#include "engine/codegen/instructions.def"
};

/// From this offset in a function on, the code is that of a step of the program.
struct CodeNote {
  static constexpr size_t kNoStep = static_cast<size_t>(-1);
  uint32_t offset = 0;
  size_t step = kNoStep;
};

/// The constants of all lanes that the functions of a module read: global variables, although
/// nobody sets them. V8 makes what it knows to be constant again each time it is used.
class VectorPool {
 public:
  /// The functions that may be called; null where those are the engine's.
  FunctionPool* functions() const { return functions_; }
  void set_functions(FunctionPool* functions) { functions_ = functions; }

  /// The number of its variable.
  uint32_t NumberOf(const VectorBytes& bytes);
  const std::vector<VectorBytes>& vectors() const { return vectors_; }

 private:
  FunctionPool* functions_ = nullptr;
  std::vector<VectorBytes> vectors_;
};

/// Writes one function. Locals are made as they are needed; parameters are the first ones.
class FunctionWriter {
 public:
  /// `vectors` are those of the module, and must outlive it; with null they are written where they
  /// are needed.
  explicit FunctionWriter(uint32_t parameter_count, VectorPool* vectors = nullptr)
      : parameter_count_(parameter_count),
        vectors_(vectors),
        functions_(vectors ? vectors->functions() : nullptr) {}

  /// The functions that may be called, or null.
  FunctionPool* functions() const { return functions_; }
  void set_functions(FunctionPool* functions) { functions_ = functions; }

  /// A local of its own, zero at first.
  uint32_t NewLocal(CodeType type);
  uint32_t local_count() const { return parameter_count_ + static_cast<uint32_t>(locals_.size()); }
  /// How often locals are read and set.
  uint32_t uses() const { return uses_; }
  /// How many locals for vectors, at most, are needed at a time: from the first use of each to its
  /// last. Not counted are those that are set where the function starts.
  uint32_t MostVectors() const;

  void Write(Code code);
  void Get(uint32_t local);
  void Set(uint32_t local);
  /// Adds to an i32 local.
  void Increase(uint32_t local, int32_t amount);
  void I32(int32_t value);
  void I64(int64_t value);
  void F32(float value);
  void F64(double value);
  /// Reads a global variable of the module, which nobody sets: V8 computes what needs no memory in
  /// every iteration of a loop that uses it behind a branch, but does not move the reading of a
  /// variable.
  void Vector(const VectorBytes& bytes);
  /// A load or store at an address on the stack plus `offset`. Nothing is said of its alignment.
  void Memory(Code code, uint32_t offset = 0);
  /// The same of one lane of a vector.
  void MemoryLane(Code code, uint8_t lane, uint32_t offset = 0);
  /// An instruction on one lane of a vector.
  void Lane(Code code, uint8_t lane);
  /// 16 bytes of the two vectors on the stack, by their numbers in both.
  void Shuffle(const std::array<uint8_t, 16>& bytes);
  /// Copies so many bytes: to the first address on the stack from the second one.
  void CopyBytes(int32_t bytes);
  /// A block or loop without values.
  void Open(Code code);
  /// A branch out of `depth` blocks around the innermost one, or to the head of that loop.
  void Branch(Code code, uint32_t depth);
  void Call(uint32_t function);

  /// What `write` writes is executed first of all, whenever it is called.
  template <typename Writing>
  void AtStart(Writing write) {
    std::swap(body_, start_);
    is_start_ = true;
    write();
    is_start_ = false;
    std::swap(body_, start_);
  }

  /// Notes that what is written from now on belongs to this step of the program.
  void Note(size_t step) { notes_.push_back({static_cast<uint32_t>(body_.size()), step}); }

  /// The function as an entry of the code section, without its size.
  CodeBytes Finish();
  /// After Finish: what was noted, in order, by offset in its bytes.
  const std::vector<CodeNote>& notes() const { return notes_; }

 private:
  struct Local {
    CodeType type;
    bool is_start = false;                 // set where the function starts
    uint32_t first_use = 0, last_use = 0;  // from 1 on
  };
  void Use(uint32_t local);

  uint32_t parameter_count_;
  VectorPool* vectors_;
  FunctionPool* functions_;
  std::vector<Local> locals_;
  uint32_t uses_ = 0;
  bool is_start_ = false;
  CodeBytes start_, body_;
  std::vector<CodeNote> notes_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_FUNCTION_WRITER_H_
