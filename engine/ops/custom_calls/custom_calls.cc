#include "engine/ops/custom_calls/custom_calls.h"

#include <fmt/format.h>

#include <cstring>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "engine/layout/layout_map.h"
#include "engine/ops/custom_calls/custom_call_targets.h"
#include "engine/ops/movement/memory_image.h"

namespace hlo {
namespace {

// ---- The document's form ------------------------------------------------------------------------

bool HoldsArray(const Shape& shape) { return shape.IsArray() || shape.IsBuffer(); }

/// Values as memory: the bytes of arrays in layout order, tuples as arrays of pointers.
class Memory {
 public:
  explicit Memory(Budget* budget) : budget_(budget) {}

  /// The address of an operand's value. The value must outlive this.
  void* Operand(const Value& value, const Shape& shape) {
    if (shape.IsTuple()) {
      std::vector<void*>& table = tables_.emplace_back();
      for (size_t i = 0; i < shape.elements().size(); ++i) {
        table.push_back(Operand(value.elements()[i], shape.elements()[i]));
      }
      return table.data();
    }
    if (!HoldsArray(shape)) return nullptr;
    const auto map = ImageMap(shape);
    const auto& image = AddImage(*map);
    WriteImage(value.tensor(), *map, image->data(), budget_);
    WritePadding(shape, *map, image->data(), budget_);
    return image->data();
  }

  /// Zeroed memory for a result.
  void* Result(const Shape& shape) {
    if (shape.IsTuple()) {
      std::vector<void*>& table = tables_.emplace_back();
      for (const Shape& element : shape.elements()) table.push_back(Result(element));
      return table.data();
    }
    return HoldsArray(shape) ? AddImage(*ImageMap(shape))->data() : nullptr;
  }

  /// The value at `place`, which Result(shape) returned.
  Value Read(const void* place, const Shape& shape) {
    if (shape.IsTuple()) {
      const auto* table = static_cast<void* const*>(place);
      Value::Elements elements;
      for (size_t i = 0; i < shape.elements().size(); ++i) {
        elements.push_back(Read(table[i], shape.elements()[i]));
      }
      return Value::Tuple(std::move(elements));
    }
    if (!HoldsArray(shape)) return Value();
    return Value(ReadArray(static_cast<const std::byte*>(place), shape, budget_));
  }

 private:
  const std::shared_ptr<Buffer>& AddImage(const LayoutMap& map) {
    const size_t bytes = static_cast<size_t>(map.byte_size());
    const auto& image = images_.emplace_back(Buffer::Allocate(bytes, budget_));
    std::memset(image->data(), 0, bytes);
    return image;
  }

  Budget* budget_;
  std::deque<std::vector<void*>> tables_;
  std::vector<std::shared_ptr<Buffer>> images_;
};

template <typename Pointer, typename Function>
Value CallRaw(Function function, const OpCall& call, std::span<Value> args, EvalContext& context) {
  Memory memory(context.budget());
  std::vector<Pointer> in;
  for (size_t i = 0; i < args.size(); ++i) {
    in.push_back(memory.Operand(args[i], call.operand(static_cast<int>(i))));
  }
  void* out = memory.Result(call.shape());
  function(out, in.data());
  return memory.Read(out, call.shape());
}

[[noreturn]] void ThrowWrongResult(std::string_view who, const Shape& shape,
                                   std::string_view what) {
  throw RunError(DiagCode::kRuntimeError,
                 fmt::format("{} must give {}, but gave {}", who, ShapeName(shape), what));
}

}  // namespace

CustomCallTargets::CustomCallTargets(TargetFamilies families) {
  for (const TargetFamily family : families) {
    for (const BuiltInTarget& row : family()) {
      CustomCallTarget target{.enter = row.enter, .loop = row.loop, .row = &row};
      if (row.eval) target.eval = row.eval;
      for (std::string& name : NamesOf(row)) built_in_.emplace(std::move(name), target);
    }
  }
}

void CustomCallTargets::Add(std::string target, CustomCallFunction function) {
  added_[std::move(target)] = {.eval = std::move(function)};
}
void CustomCallTargets::Add(std::string target, CustomCallSteps steps) {
  added_[std::move(target)] = {.enter = steps};
}
void CustomCallTargets::Add(std::string target, RawCustomCall function) {
  Add(std::move(target), CustomCallFunction([function](const OpCall& call, std::span<Value> args,
                                                       EvalContext& context) {
        return CallRaw<const void*>(function, call, args, context);
      }));
}
void CustomCallTargets::Add(std::string target, RawCustomCallOfDocument function) {
  Add(std::move(target), CustomCallFunction([function](const OpCall& call, std::span<Value> args,
                                                       EvalContext& context) {
        return CallRaw<void*>(function, call, args, context);
      }));
}

bool CustomCallTargets::Remove(std::string_view target) {
  const auto found = added_.find(target);
  if (found == added_.end()) return false;
  added_.erase(found);
  return true;
}

const CustomCallTarget* CustomCallTargets::Find(const OpCall& call) const {
  const std::string& name = call.attrs().String("custom_call_target");
  auto found = added_.find(name);
  if (found != added_.end()) return &found->second;
  // What XlaBuilder outlined says itself what it computes.
  constexpr std::string_view kBuilder = "xla_builder.";
  const bool is_outlined = name.starts_with(kBuilder) && CalledComputation(call);
  found = built_in_.find(is_outlined ? kBuilder : std::string_view(name));
  return found == built_in_.end() ? nullptr : &found->second;
}

Tensor ReadArray(const std::byte* bytes, const Shape& shape, Budget* budget) {
  Tensor tensor(shape, budget);
  const Layout& layout = shape.layout();
  if (layout.IsDescending() && !layout.has_extras() && !IsSubByte(shape.element_type())) {
    // The bytes are the tensor's own: a call on a few elements takes longer to plan than to copy.
    if (tensor.byte_size() > 0) {
      std::memcpy(tensor.mutable_bytes(), bytes, static_cast<size_t>(tensor.byte_size()));
    }
    return tensor;
  }
  ReadImage(bytes, *ImageMap(shape), &tensor, budget);
  return tensor;
}

void CheckValueFits(const Value& value, const Shape& shape, std::string_view who) {
  if (shape.IsTuple()) {
    if (!value.is_tuple()) ThrowWrongResult(who, shape, value.is_array() ? "an array" : "a token");
    const size_t count = value.elements().size();
    if (count != shape.elements().size()) {
      ThrowWrongResult(who, shape, fmt::format("a tuple of {}", count));
    }
    for (size_t i = 0; i < count; ++i) {
      CheckValueFits(value.elements()[i], shape.elements()[i], who);
    }
    return;
  }
  if (!HoldsArray(shape)) {
    if (!value.is_token()) ThrowWrongResult(who, shape, value.is_array() ? "an array" : "a tuple");
    return;
  }
  if (!value.is_array()) ThrowWrongResult(who, shape, value.is_tuple() ? "a tuple" : "a token");
  const Tensor& tensor = value.tensor();
  if (!tensor) ThrowWrongResult(who, shape, "nothing");
  if (tensor.element_type() == shape.element_type() && tensor.dims() == shape.dims()) return;
  ThrowWrongResult(who, shape, ShapeName(Shape::Array(tensor.element_type(), tensor.dims())));
}

}  // namespace hlo
