#include "engine/rewrite/shrink.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/base/indices.h"
#include "engine/cost/cost_analysis.h"
#include "engine/hlo/call_graph.h"
#include "engine/hlo/module_copy.h"
#include "engine/hlo/parser.h"
#include "engine/hlo/printer.h"
#include "engine/hlo/verifier.h"
#include "engine/ops/op_def.h"
#include "engine/plan/in_place.h"
#include "engine/plan/program_memory.h"
#include "engine/rewrite/size_map.h"
#include "engine/types/convert.h"
#include "engine/types/element_number.h"

namespace hlo {
namespace {

// A scalar constant below this is taken for a number, not for the size of a dimension.
constexpr int64_t kLeastScalar = 16;
// Sizes that turn out to be fixed are kept, and everything is tried again, at most so often.
constexpr int kMostRounds = 8;

// ---- Sizes --------------------------------------------------------------------------------------

template <typename Visit>
void ForEachInstruction(const Module& module, Visit visit) {
  for (const Computation& computation : module.computations()) {
    for (const Instruction& instruction : computation.instructions()) visit(instruction);
  }
}

std::set<int64_t> SizesIn(const Module& module) {
  std::set<int64_t> sizes;
  ForEachInstruction(module, [&](const Instruction& instruction) {
    ForEachArray(instruction.shape(), [&](const Shape& array) {
      sizes.insert(array.dims().begin(), array.dims().end());
    });
  });
  return sizes;
}

SizeRules RulesOf(const Module& module) {
  SizeRules rules;
  ForEachInstruction(module, [&](const Instruction& instruction) {
    if (instruction.def().sizes) instruction.def().sizes(instruction.Call(), rules);
  });
  return rules;
}

Shape Mapped(const Shape& shape, const SizeMap& map) {
  if (shape.IsTuple()) {
    std::vector<Shape> elements;
    for (const Shape& element : shape.elements()) elements.push_back(Mapped(element, map));
    return Shape::Tuple(std::move(elements));
  }
  Shape mapped = shape;
  if (!shape.IsArray() && !shape.IsBuffer()) return mapped;
  for (int d = 0; d < shape.rank(); ++d) mapped.set_dim(d, map(shape.dim(d)));
  return mapped;
}

// Bytes of all arrays that instructions make: what the search makes smaller.
class ArraySum {
 public:
  explicit ArraySum(const Module& module) {
    std::map<std::vector<int64_t>, double> bytes;
    ForEachInstruction(module, [&](const Instruction& instruction) {
      ForEachArray(instruction.shape(), [&](const Shape& array) {
        bytes[{array.dims().begin(), array.dims().end()}] += BytesOf(array.element_type());
      });
    });
    arrays_.assign(bytes.begin(), bytes.end());
  }
  double operator()(const SizeMap& map) const {
    double sum = 0;
    for (const auto& [dims, bytes] : arrays_) {
      double array = bytes;
      for (int64_t size : dims) array *= static_cast<double>(map(size));
      sum += array;
    }
    return sum;
  }

 private:
  std::vector<std::pair<std::vector<int64_t>, double>> arrays_;
};

// ---- Attributes ---------------------------------------------------------------------------------

// The box keeps its place relative to the whole as far as that goes.
SliceDim MappedSlice(const SliceDim& slice, int64_t whole, int64_t part, const SizeMap& map) {
  if (map(whole) == whole && map(part) == part) return slice;
  const int64_t room = map(whole) - map(part);
  const double scale = whole > 0 ? static_cast<double>(map(whole)) / static_cast<double>(whole) : 1;
  int64_t start = static_cast<int64_t>(static_cast<double>(slice.start) * scale);
  if (slice.limit == whole) start = room;
  start = std::clamp<int64_t>(start, 0, room);
  return {start, start + map(part), 1};
}

PadDim MappedPad(const PadDim& pad, int64_t from, int64_t to, const SizeMap& map) {
  if (map(from) == from && map(to) == to) return pad;
  if (pad.high == 0 && pad.low != 0) return {map(to) - map(from), 0, 0};
  return {pad.low, map(to) - map(from) - pad.low, 0};
}

// The first elements in every dimension.
Tensor Cropped(const Tensor& tensor, const Dims& dims) {
  Tensor result(tensor.element_type(), dims, nullptr);
  const auto bytes = static_cast<size_t>(BytesOf(tensor.element_type()));
  for (int64_t i = 0; i < result.element_count(); ++i) {
    const int64_t at = Ravel(Unravel(i, dims), tensor.dims());
    std::memcpy(result.mutable_bytes() + static_cast<size_t>(i) * bytes,
                tensor.bytes() + static_cast<size_t>(at) * bytes, bytes);
  }
  return result;
}

class Rewriter {
 public:
  explicit Rewriter(const SizeMap& map) : map_(map), changes_(map.changes()) {}

  std::unique_ptr<Module> Rewrite(const Module& module) {
    auto made = std::make_unique<Module>();
    ModuleEditor editor(made.get());
    editor.SetName(editor.Intern(module.name()));
    editor.stack_frames() = module.stack_frames();
    ModuleCopier copier(editor);
    editor.SetEntry(copier.Copy(*module.entry()));
    for (const auto& [from, copy] : copier.instructions()) {
      editor.SetShape(copy, Mapped(from->shape(), map_));
      for (Attr& attr : editor.attrs(copy)) Change(*from, &attr);
    }
    editor.module_attrs() = module.attrs();
    for (Attr& attr : editor.module_attrs()) ChangeShapes(&attr.value);
    return made;
  }
  int64_t constants() const { return constants_; }

 private:
  void ChangeShapes(AttrValue* value) {
    if (auto* shape = std::get_if<Shape>(value)) *shape = Mapped(*shape, map_);
    if (auto* shapes = std::get_if<std::vector<Shape>>(value)) {
      for (Shape& shape : *shapes) shape = Mapped(shape, map_);
    }
    if (auto* program = std::get_if<ProgramShape>(value)) {
      for (Shape& shape : program->parameters) shape = Mapped(shape, map_);
      program->result = Mapped(program->result, map_);
    }
  }

  void Change(const Instruction& from, Attr* attr) {
    ChangeShapes(&attr->value);
    const Shape& result = from.shape();
    if (auto* sizes = std::get_if<Dims>(&attr->value); sizes && attr->def->holds_sizes) {
      for (int64_t& size : *sizes) size = map_(size);
    } else if (auto* slices = std::get_if<std::vector<SliceDim>>(&attr->value)) {
      for (size_t d = 0; d < slices->size(); ++d) {
        const int i = static_cast<int>(d);
        (*slices)[d] =
            MappedSlice((*slices)[d], from.operand(0)->shape().dim(i), result.dim(i), map_);
      }
    } else if (auto* pads = std::get_if<std::vector<PadDim>>(&attr->value)) {
      for (size_t d = 0; d < pads->size(); ++d) {
        const int i = static_cast<int>(d);
        (*pads)[d] = MappedPad((*pads)[d], from.operand(0)->shape().dim(i), result.dim(i), map_);
      }
    } else if (auto* literal = std::get_if<std::shared_ptr<const ShapedLiteral>>(&attr->value)) {
      *literal = Changed(**literal);
    }
  }

  std::shared_ptr<const ShapedLiteral> Changed(const ShapedLiteral& literal) {
    auto changed = std::make_shared<ShapedLiteral>(literal);
    changed->shape = Mapped(literal.shape, map_);
    if (!literal.literal.value.is_array() || !literal.literal.value.tensor()) return changed;
    const Tensor& tensor = literal.literal.value.tensor();
    if (tensor.rank() == 0 && literal.shape.rank() > 0) return changed;  // it fills the array
    if (tensor.rank() == 0) {
      changed->literal.value = Scalar(tensor);
    } else if (changed->shape.dims() != tensor.dims()) {
      changed->literal.value = Cropped(tensor, changed->shape.dims());
    }
    return changed;
  }

  // A number that is the size of a dimension follows it.
  Tensor Scalar(const Tensor& tensor) {
    const ElementType type = tensor.element_type();
    if (IsComplex(type) || type == ElementType::kPred) return tensor;
    const double number = ElementNumber(type, tensor.bytes());
    if (!(number >= static_cast<double>(kLeastScalar)) || number > 1e15) return tensor;
    const auto found = changes_.find(static_cast<int64_t>(number));
    if (found == changes_.end() || static_cast<double>(found->first) != number) return tensor;
    ++constants_;
    const double next = static_cast<double>(found->second);
    Tensor result(type, std::span<const int64_t>{}, nullptr);
    ConvertElements(ElementType::kF64, reinterpret_cast<const std::byte*>(&next), type,
                    result.mutable_bytes(), 1);
    return result;
  }

  const SizeMap& map_;
  const std::map<int64_t, int64_t> changes_;
  int64_t constants_ = 0;
};

// ---- The search ---------------------------------------------------------------------------------

int64_t PeakOf(const Module& module) {
  int64_t peak = 0;
  for (const SpacePeak& each : PeaksOf(module, WrittenInPlace)) peak += each.bytes;
  return peak;
}

// Of every instruction once, however often loops run it: how long each takes at least to run.
double OperationsOf(const Module& module) {
  const CostAnalysis costs(module);
  double operations = 0;
  ForEachInstruction(module, [&](const Instruction& instruction) {
    const OpDef& def = instruction.def();
    const bool has_parts = def.control_flow || def.runs != Runs::kOtherwise;
    if (!has_parts) operations += costs.Of(instruction).cost.work.flops;
  });
  return operations;
}

class Search {
 public:
  Search(const Module& module, const ShrinkTarget& target)
      : module_(module), target_(target), sizes_(SizesIn(module)), rules_(RulesOf(module)) {}

  Shrunk Run() {
    Shrunk shrunk;
    for (int round = 0; round < kMostRounds; ++round) {
      shrunk = Try();
      if (shrunk.text.empty()) return shrunk;
      const Instruction* wrong = FirstWrong(shrunk);
      if (!wrong) return shrunk;
      // A rule that is not known: what the instruction is about stays as it is.
      const size_t before = rules_.kept.size();
      KeepSizesOf(*wrong);
      if (rules_.kept.size() == before) break;
    }
    shrunk.text.clear();
    return shrunk;
  }

 private:
  Shrunk Try() {
    SizeMap map(sizes_, rules_);
    const ArraySum cost(module_);
    Shrunk shrunk;
    double checked = cost(map);
    while (true) {
      const bool stuck = !map.Shrink(cost);
      if (!stuck && cost(map) > checked / 2) continue;
      checked = cost(map);
      Rewriter rewriter(map);
      const auto made = rewriter.Rewrite(module_);
      shrunk.peak_bytes = PeakOf(*made);
      shrunk.fits =
          shrunk.peak_bytes <= target_.peak_bytes && OperationsOf(*made) <= target_.operations;
      if (!stuck && !shrunk.fits) continue;
      shrunk.changes = map.changes();
      shrunk.constants = rewriter.constants();
      if (!shrunk.changes.empty()) shrunk.text = PrintModule(*made);
      if (!shrunk.fits) shrunk.why = InTheWay(map);
      return shrunk;
    }
  }

  // The sizes that could not become smaller.
  std::string InTheWay(const SizeMap& map) const {
    std::vector<int64_t> left;
    for (int64_t size : sizes_) {
      if (map(size) >= SizeMap::kSmall) left.push_back(size);
    }
    std::sort(left.rbegin(), left.rend(), [&](int64_t a, int64_t b) { return map(a) < map(b); });
    if (left.empty()) return fmt::format("all dimensions are less than {}", SizeMap::kSmall);
    if (left.size() > 5) left.resize(5);
    return fmt::format("dimensions of these sizes cannot become smaller: {}",
                       fmt::join(left, ", "));
  }

  // The instruction of the original that the new text is wrong about; null when it is right.
  // Sets `why`.
  const Instruction* FirstWrong(Shrunk& shrunk) {
    Diagnostics faults;
    const auto module = ParseModule(shrunk.text, faults);
    if (module && !faults.has_errors()) VerifyModule(*module, faults);
    if (!faults.has_errors()) return nullptr;
    const auto fault = std::find_if(
        faults.list().begin(), faults.list().end(),
        [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::kError; });
    shrunk.why = fault->message;
    const Instruction* wrong = module_.entry()->root();
    if (!module) return wrong;
    ForEachInstruction(*module, [&](const Instruction& instruction) {
      const Range& whole = instruction.places().whole;
      if (fault->range.begin < whole.begin || fault->range.begin >= whole.end) return;
      const Computation* computation = module_.FindComputation(instruction.parent()->name());
      const Instruction* original = computation ? computation->Find(instruction.name()) : nullptr;
      if (original) wrong = original;
    });
    return wrong;
  }

  void KeepSizesOf(const Instruction& instruction) {
    const std::set<int64_t> known(rules_.kept.begin(), rules_.kept.end());
    const auto keep = [&](const Shape& shape) {
      ForEachArray(shape, [&](const Shape& array) {
        for (int64_t size : array.dims()) {
          if (known.count(size) == 0) rules_.Keep(size);
        }
      });
    };
    keep(instruction.shape());
    for (const Instruction* operand : instruction.operands()) keep(operand->shape());
  }

  const Module& module_;
  const ShrinkTarget target_;
  const std::set<int64_t> sizes_;
  SizeRules rules_;
};

}  // namespace

Shrunk Shrink(const Module& module, const ShrinkTarget& target) {
  return Search(module, target).Run();
}

}  // namespace hlo
