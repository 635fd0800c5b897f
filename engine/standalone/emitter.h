// What the code of operations is written with: arrays, calls of kernels, copies, applied regions.
#ifndef HLO_ENGINE_STANDALONE_EMITTER_H_
#define HLO_ENGINE_STANDALONE_EMITTER_H_

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/kernels/move_view.h"
#include "engine/plan/region_steps.h"
#include "engine/standalone/kernel_code.h"
#include "engine/standalone/module.h"
#include "engine/standalone/product_settings.h"
#include "engine/standalone/program.h"

namespace hlo {

/// An array that a region program reads, from this byte on.
struct RegionInput {
  int32_t array = 0;
  int64_t offset = 0;
  /// The results may be written over it.
  bool is_writable = false;
};

class Emitter {
 public:
  /// The pointers must outlive it. Steps go to the end of `block`.
  Emitter(StandaloneModule* module, DriverProgram* program, DriverBlock* block,
          const ProductSettings& products)
      : module_(*module), program_(*program), block_(block), products_(products) {}

  const ProductRoundingRow* products() const { return products_.rounding; }
  ProductStep step() const { return products_.step; }

  StandaloneModule& module() { return module_; }
  int32_t NewArray(ElementType type, int64_t count);
  /// An array of constants.
  int32_t Constant(std::span<const std::byte> bytes);
  int64_t BytesOfArray(int32_t array) const {
    return program_.arrays[static_cast<size_t>(array)].bytes;
  }

  /// A kernel, whose parameters are these arrays. False where it has failed. An array that is
  /// written in part only is among `reads` too.
  bool Call(KernelCode* code, std::vector<int32_t> reads, std::vector<int32_t> writes);
  /// `to` becomes what `from` is.
  void Copy(int32_t from, int32_t to);
  /// The view of an array, densely, as an array.
  int32_t Viewed(int32_t array, const StridedView& view, ElementType type);
  /// The same into `to`.
  void CopyView(int32_t array, const StridedView& view, int32_t to, int width);
  /// A region program on so many elements. False where there is no code for one of its steps.
  bool Apply(const RegionSteps& steps, int64_t count, std::span<const RegionInput> inputs,
             std::span<const int32_t> results);
  /// The array in another element type: itself if it has that type already. False where there is no
  /// code for that.
  bool Convert(int32_t* array, int64_t count, ElementType from, ElementType to);

  /// Bytes that are zero.
  void Clear(int32_t array);

  /// False: why there is no code for the operation that is being written, in words that go on from
  /// its name and a colon.
  bool Refuse(std::string why) {
    refusal_ = std::move(why);
    return false;
  }
  /// What was given last, which is forgotten.
  std::string TakeRefusal() { return std::exchange(refusal_, ""); }

  /// Whether a kernel that was called could not be written.
  bool failed() const { return failed_; }

  /// Loops and branches: steps go into other blocks.
  DriverBlock* block() { return block_; }
  void set_block(DriverBlock* block) { block_ = block; }
  DriverStep& Add(DriverStep step);
  DriverProgram& program() { return program_; }

 private:
  StandaloneModule& module_;
  DriverProgram& program_;
  DriverBlock* block_;
  const ProductSettings products_;
  bool failed_ = false;
  std::string refusal_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_STANDALONE_EMITTER_H_
