#include "engine/plan/region_program.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "engine/hlo/ir.h"
#include "engine/ops/comparator.h"
#include "engine/ops/op_def.h"
#include "engine/ops/region_results.h"
#include "engine/plan/comparator_keys.h"
#include "engine/plan/region_compiler.h"
#include "engine/types/tensor.h"

namespace hlo {
namespace {

// Elements per block: a register of f32 takes a tenth of a first-level cache.
constexpr int64_t kBlock = 1024;

size_t RegisterBytes(ElementType type) { return static_cast<size_t>(kBlock * BytesOf(type)); }

// Gives every constant and every step's result a place in one buffer; a place is used again when
// the scalar in it has had its last use, and by the very step that reads it, in place.
class RegisterAllocator {
 public:
  explicit RegisterAllocator(const RegionSteps& program)
      : program_(program),
        offsets_(static_cast<size_t>(program.scalar_count), kNone),
        last_use_(static_cast<size_t>(program.scalar_count), -1) {}

  // Offsets by scalar; kNone for parameters.
  static constexpr size_t kNone = ~size_t{0};
  const std::vector<size_t>& offsets() const { return offsets_; }
  size_t total_bytes() const { return total_; }

  void Run() {
    for (const RegionConstant& constant : program_.constants) {
      offsets_[static_cast<size_t>(constant.id)] = Take(constant.type);
    }
    FindLastUses();
    for (size_t i = 0; i < program_.steps.size(); ++i) {
      const RegionStep& step = program_.steps[i];
      for (int k = 0; k < step.loop.operand_count; ++k) {
        Release(static_cast<size_t>(step.args[k]), step.loop.operands[k], static_cast<int64_t>(i));
      }
      offsets_[static_cast<size_t>(step.result)] = Take(step.loop.result);
    }
  }

 private:
  static constexpr int64_t kForever = int64_t{1} << 40;

  void FindLastUses() {
    for (size_t i = 0; i < program_.steps.size(); ++i) {
      const RegionStep& step = program_.steps[i];
      for (int k = 0; k < step.loop.operand_count; ++k) {
        last_use_[static_cast<size_t>(step.args[k])] = static_cast<int64_t>(i);
      }
    }
    for (RegionScalar result : program_.results) {
      last_use_[static_cast<size_t>(result.id)] = kForever;
    }
    for (const RegionConstant& constant : program_.constants) {
      last_use_[static_cast<size_t>(constant.id)] = kForever;
    }
  }

  size_t Take(ElementType type) {
    std::vector<size_t>& free = FreeOf(type);
    if (!free.empty()) {
      const size_t offset = free.back();
      free.pop_back();
      return offset;
    }
    return std::exchange(total_, total_ + RegisterBytes(type));
  }

  void Release(size_t id, ElementType type, int64_t step) {
    if (offsets_[id] == kNone || last_use_[id] != step) return;
    std::vector<size_t>& free = FreeOf(type);
    // A step may read a scalar twice.
    if (std::find(free.begin(), free.end(), offsets_[id]) == free.end()) {
      free.push_back(offsets_[id]);
    }
  }

  // Places of one width are exchanged among each other only.
  std::vector<size_t>& FreeOf(ElementType type) {
    return free_[static_cast<size_t>(__builtin_ctz(static_cast<unsigned>(BytesOf(type))))];
  }

  const RegionSteps& program_;
  std::vector<size_t> offsets_;
  std::vector<int64_t> last_use_;
  std::vector<size_t> free_[5];
  size_t total_ = 0;
};

class RegionProgram final : public RegionFunction, public RegionResults, public Comparator {
 public:
  RegionProgram(RegionSteps program, std::optional<Opcode> binary, Budget* budget)
      : program_(std::move(program)),
        places_(static_cast<size_t>(program_.scalar_count)),
        binary_(binary),
        budget_(budget) {
    RegisterAllocator allocator(program_);
    allocator.Run();
    registers_ = Buffer::Allocate(allocator.total_bytes(), budget);
    for (size_t id = program_.parameters.size(); id < places_.size(); ++id) {
      const size_t offset = allocator.offsets()[id];
      if (offset != RegisterAllocator::kNone) places_[id] = registers_->data() + offset;
    }
    for (const RegionConstant& constant : program_.constants) Spread(constant);
    // The last step may write its result where it belongs, if that is the only one: by then nothing
    // of an argument that may be there is read any more.
    writes_result_ = program_.results.size() == 1 && !program_.steps.empty() &&
                     program_.steps.back().result == program_.results[0].id;
  }

  void Apply(int64_t n, std::span<const std::byte* const> args,
             std::span<std::byte* const> results) override {
    for (int64_t done = 0; done < n; done += kBlock) {
      const int64_t count = std::min(kBlock, n - done);
      for (size_t i = 0; i < program_.parameters.size(); ++i) {
        // Places are written through for steps only; a parameter's is read.
        places_[i] = const_cast<std::byte*>(args[i]) + done * BytesOf(program_.parameters[i]);
      }
      RunBlock(count, done, results);
    }
  }

  const Opcode* BinaryOpcode() const override { return binary_ ? &*binary_ : nullptr; }
  int ResultParameter(int i) const override {
    return program_.result_parameters[static_cast<size_t>(i)];
  }

  const ComparatorKeys* Keys() override {
    if (!looked_for_keys_) FindItsKeys();
    return keys_.get();
  }

 private:
  void FindItsKeys() {
    looked_for_keys_ = true;
    std::optional<FoundKeys> found = FindKeys(program_);
    if (!found) return;
    keys_ = std::make_unique<ComparatorKeys>();
    keys_->keys = std::move(found->keys);
    keys_->reverses_equals = found->reverses_equals;
    if (found->compute.results.empty()) return;
    keys_->compute =
        std::make_unique<RegionProgram>(std::move(found->compute), std::nullopt, budget_);
  }

  void Spread(const RegionConstant& constant) {
    const size_t bytes = static_cast<size_t>(BytesOf(constant.type));
    std::byte* const place = places_[static_cast<size_t>(constant.id)];
    for (size_t i = 0; i < static_cast<size_t>(kBlock); ++i) {
      std::memcpy(place + i * bytes, constant.value, bytes);
    }
  }

  void RunBlock(int64_t count, int64_t done, std::span<std::byte* const> results) {
    if (writes_result_) {
      const RegionScalar result = program_.results[0];
      places_[static_cast<size_t>(result.id)] = results[0] + done * BytesOf(result.type);
    }
    for (const RegionStep& step : program_.steps) {
      const std::byte* step_args[ElementLoop::kMaxOperands];
      for (int i = 0; i < ElementLoop::kMaxOperands; ++i) {
        step_args[i] = places_[static_cast<size_t>(step.args[i])];
      }
      step.loop.Run(count, step_args, places_[static_cast<size_t>(step.result)]);
    }
    if (writes_result_) return;
    for (size_t i = 0; i < program_.results.size(); ++i) {
      const RegionScalar result = program_.results[i];
      std::memcpy(results[i] + done * BytesOf(result.type), places_[static_cast<size_t>(result.id)],
                  static_cast<size_t>(count * BytesOf(result.type)));
    }
  }

  RegionSteps program_;
  std::vector<std::byte*> places_;  // of scalars, by id
  std::shared_ptr<Buffer> registers_;
  std::optional<Opcode> binary_;
  Budget* budget_;
  bool writes_result_ = false;
  bool looked_for_keys_ = false;
  std::unique_ptr<ComparatorKeys> keys_;
};

// See RegionFunction::BinaryOpcode.
std::optional<Opcode> BinaryOpcodeOf(const Computation& region) {
  const Instruction& root = *region.root();
  const std::vector<Instruction*>& parameters = region.parameters();
  if (parameters.size() != 2 || root.operand_count() != 2 || root.def().loop == nullptr ||
      !root.def().attrs.empty()) {
    return std::nullopt;
  }
  const bool straight = root.operand(0) == parameters[0] && root.operand(1) == parameters[1];
  const bool swapped = root.operand(0) == parameters[1] && root.operand(1) == parameters[0];
  if (!straight && !(swapped && root.def().commutative)) return std::nullopt;
  const ElementType type = root.shape().element_type();
  for (const Instruction* parameter : parameters) {
    if (!parameter->shape().IsScalarOf(type)) return std::nullopt;
  }
  return root.opcode();
}

}  // namespace

std::unique_ptr<RegionFunction> CompileRegion(const Region& region, Budget* budget) {
  // Regions that ops are given are computations (ops/attributes.h).
  const Computation& computation = static_cast<const Computation&>(region);
  std::optional<RegionSteps> program = CompileSteps(computation);
  if (!program) return nullptr;
  return std::make_unique<RegionProgram>(std::move(*program), BinaryOpcodeOf(computation), budget);
}

}  // namespace hlo
