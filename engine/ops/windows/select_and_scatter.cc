// select-and-scatter: the gradient of pooling by selection.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "engine/kernels/move_copy.h"
#include "engine/kernels/move_elements.h"
#include "engine/ops/control/region_signatures.h"
#include "engine/ops/movement/tensor_moves.h"
#include "engine/ops/op_def.h"
#include "engine/ops/op_words.h"
#include "engine/ops/shape_checks.h"
#include "engine/ops/windows/window_walk.h"
#include "engine/threads/pieces.h"

namespace hlo {
namespace {

constexpr std::string_view kSelectAndScatterOperands[] = {"operand", "source", "init"};
constexpr AttrDef kSelectAndScatterAttrs[] = {
    {"window", AttrKind::kWindow, AttrUse::kOptional,
     "Size, stride, padding and dilation per dimension; none for scalars."},
    {"select", AttrKind::kRegion, AttrUse::kRequired,
     "Whether the element picked so far stays, rather than the next one of the window."},
    {"scatter", AttrKind::kRegion, AttrUse::kRequired,
     "Combines the result so far at the picked place with the source element."},
};

void CheckSelect(const OpCall& call, Diagnostics& out) {
  const Region* select = call.GetRegion("select");
  if (!select) return;
  auto fail = [&](std::string_view message) {
    ReportAttr(call, "select", DiagCode::kComputationSignature, message, out);
  };
  if (select->parameter_count() != 2) {
    fail(fmt::format("Select function must take 2 parameters, but takes {} parameter(s).",
                     select->parameter_count()));
    return;
  }
  if (!select->result_shape().IsScalarOf(ElementType::kPred)) {
    fail(fmt::format("Select function must have rank-0 PRED result. It is {}",
                     ShapeName(select->result_shape())));
  }
  const Shape element = Shape::Scalar(call.operand(0).element_type());
  constexpr std::string_view kPlaces[] = {"first", "second"};
  for (int i = 0; i < 2; ++i) {
    const Shape& parameter = select->parameter_shape(i);
    if (CompatibleUpToFloatWidth(parameter, element)) continue;
    fail(
        fmt::format("Select function's {} parameter shape currently must match the operand "
                    "element shape, but got {} vs {}.",
                    kPlaces[i], ShapeName(parameter), ShapeName(element)));
  }
}

std::optional<Shape> InferSelectAndScatter(const OpCall& call, Diagnostics& out) {
  if (!CheckArrays(call, out)) return std::nullopt;
  const Shape& operand = call.operand(0);
  const Shape& source = call.operand(1);
  CheckSelect(call, out);
  const Shape* inputs[] = {&source};
  const Shape* inits[] = {&call.operand(2)};
  CheckReducer(call, "scatter", inputs, inits, out);
  std::optional<Shape> windows =
      WindowOutputShape(call, operand, call.GetWindow(), operand.element_type(), out);
  if (!windows) return std::nullopt;
  if (!CompatibleUpToFloatWidth(source, *windows)) {
    ReportOperand(call, 1, DiagCode::kOperandInvalid,
                  fmt::format("Source shape does not match the shape of window-reduced operand: "
                              "source({}), window-reduced operand({}).",
                              ShapeName(source), ShapeName(*windows)),
                  out);
  }
  return operand;
}

// ---- Evaluation: the selected element of every window

template <typename T>
T* DataOf(const std::shared_ptr<Buffer>& buffer) {
  return reinterpret_cast<T*>(buffer->data());
}

/// Writes for every window the offset of the selected element in the operand; kNoPick for a window
/// without elements.
class Picker : public WindowVisitor {
 public:
  static constexpr int64_t kNoPick = -1;

  /// The operand in the types of select's two parameters.
  Picker(RegionFunction& select, Tensor kept_operand, Tensor next_operand, int64_t* picks,
         Budget* budget)
      : select_(&select),
        kept_operand_(std::move(kept_operand)),
        next_operand_(std::move(next_operand)),
        picks_(picks) {
    const auto room = [&](int width) {
      return Buffer::Allocate(static_cast<size_t>(kWindowBlock * width), budget);
    };
    kept_ = room(BytesOf(kept_operand_.element_type()));
    kept_elements_ = room(BytesOf(kept_operand_.element_type()));
    next_elements_ = room(BytesOf(next_operand_.element_type()));
    offsets_ = room(sizeof(int64_t));
    keep_ = room(sizeof(bool));
  }

  void set_select(RegionFunction& select) { select_ = &select; }

  void Begin(const WindowBlock& block) override {
    if (block.extends) return;
    std::fill_n(DataOf<int64_t>(offsets_), block.count, kNoPick);
    without_pick_ = block.count;
  }

  void Take(const WindowRun& run) override {
    const int width = BytesOf(kept_operand_.element_type());
    const std::byte* const from = Elements(kept_operand_, run, kept_elements_);
    const std::byte* const next = kept_operand_.element_type() == next_operand_.element_type()
                                      ? from
                                      : Elements(next_operand_, run, next_elements_);
    std::byte* const kept = kept_->data() + run.begin * width;
    int64_t* const offsets = DataOf<int64_t>(offsets_) + run.begin;
    bool* const keep = DataOf<bool>(keep_);
    if (without_pick_ > 0) {
      // The first element is selected without calling select.
      for (int64_t i = 0; i < run.count; ++i) keep[i] = offsets[i] != kNoPick;
      for (int64_t i = 0; i < run.count; ++i) without_pick_ -= !keep[i];
      ReplaceUnlessKept(width, keep, from, run.offset, run.step, run.count, kept, offsets);
    }
    const std::byte* const args[] = {kept, next};
    std::byte* const result = keep_->data();
    select_->Apply(run.count, args, std::span<std::byte* const>(&result, 1));
    ReplaceUnlessKept(width, keep, from, run.offset, run.step, run.count, kept, offsets);
  }

  void End(const WindowBlock& block) override {
    CopySpaced(sizeof(int64_t), offsets_->data(), 1,
               reinterpret_cast<std::byte*>(picks_ + block.result), block.result_step, block.count);
  }

 private:
  static const std::byte* Elements(const Tensor& tensor, const WindowRun& run,
                                   const std::shared_ptr<Buffer>& room) {
    const int width = BytesOf(tensor.element_type());
    const std::byte* const from = tensor.bytes() + run.offset * width;
    if (run.step == 1 || run.count == 1) return from;
    CopySpaced(width, from, run.step, room->data(), 1, run.count);
    return room->data();
  }

  RegionFunction* select_;
  Tensor kept_operand_;
  Tensor next_operand_;
  int64_t* picks_;
  // For the windows of a block:
  std::shared_ptr<Buffer> kept_;     // the picked elements
  std::shared_ptr<Buffer> offsets_;  // and where they are
  int64_t without_pick_ = 0;         // how many have none yet
  // For a run:
  std::shared_ptr<Buffer> kept_elements_;
  std::shared_ptr<Buffer> next_elements_;
  std::shared_ptr<Buffer> keep_;
};

// ---- Evaluation: scattering the sources to the selected elements

/// Applies scatter to many targets at once; for one target, to one source after the other, in their
/// order.
class SourceScatterer {
 public:
  SourceScatterer(RegionFunction& scatter, ElementType source_type, Tensor* result, Budget* budget)
      : scatter_(scatter),
        result_(result),
        width_(BytesOf(result->element_type())),
        source_width_(BytesOf(source_type)) {
    const auto room = [&](int64_t count, size_t width) {
      return Buffer::Allocate(static_cast<size_t>(count) * width, budget);
    };
    current_ = room(kWindowBlock, static_cast<size_t>(width_));
    ordered_ = room(kWindowBlock, static_cast<size_t>(source_width_));
    uses_ = room(result->element_count(), sizeof(uint16_t));
    std::memset(uses_->data(), 0, uses_->size());
  }

  /// n <= kWindowBlock sources and the offsets of their targets, which may be Picker::kNoPick.
  void Scatter(const int64_t* places, const std::byte* sources, int64_t n) {
    // The number of earlier sources with the same target; sources with equal numbers have distinct
    // targets.
    uint16_t* const uses = DataOf<uint16_t>(uses_);
    int64_t rounds = 0;
    for (int64_t i = 0; i < n; ++i) {
      if (places[i] == Picker::kNoPick) continue;
      round_[i] = uses[places[i]]++;
      rounds = std::max<int64_t>(rounds, round_[i] + 1);
    }
    std::fill_n(starts_, rounds + 1, 0);
    for (int64_t i = 0; i < n; ++i) {
      if (places[i] == Picker::kNoPick) continue;
      uses[places[i]] = 0;
      ++starts_[round_[i] + 1];
    }
    for (int64_t r = 0; r < rounds; ++r) starts_[r + 1] += starts_[r];
    std::copy_n(starts_, rounds, next_);
    for (int64_t i = 0; i < n; ++i) {
      if (places[i] == Picker::kNoPick) continue;
      const int64_t at = next_[round_[i]]++;
      order_[at] = i;
      places_[at] = places[i];
    }
    CollectElements(source_width_, sources, order_, starts_[rounds], ordered_->data());
    for (int64_t r = 0; r < rounds; ++r) Apply(starts_[r], starts_[r + 1] - starts_[r]);
  }

 private:
  void Apply(int64_t begin, int64_t n) {
    std::byte* const current = current_->data();
    CollectElements(width_, result_->bytes(), places_ + begin, n, current);
    const std::byte* const args[] = {current, ordered_->data() + begin * source_width_};
    scatter_.Apply(n, args, std::span<std::byte* const>(&current, 1));
    PlaceElements(width_, current, places_ + begin, n, result_->mutable_bytes());
  }

  RegionFunction& scatter_;
  Tensor* result_;
  int width_;
  int source_width_;
  std::shared_ptr<Buffer> uses_;     // by target, within the block; all 0 between blocks
  std::shared_ptr<Buffer> current_;  // elements of the result
  std::shared_ptr<Buffer> ordered_;  // sources by round
  uint16_t round_[kWindowBlock];
  int64_t starts_[kWindowBlock + 1];  // of rounds in the order
  int64_t next_[kWindowBlock];
  int64_t order_[kWindowBlock];
  int64_t places_[kWindowBlock];
};

/// The live elements of the leading `dims`, densely.
Tensor DensePart(const Tensor& tensor, const Dims& dims, Budget* budget) {
  if (tensor.dims() == dims) return tensor;
  Tensor part(tensor.element_type(), dims, budget);
  GatherView(BytesOf(tensor.element_type()), tensor.bytes(),
             Prefix(RowMajorView(tensor.dims()), dims), part.mutable_bytes(), budget);
  return part;
}

/// The offset of the selected element for every window over the operand, by window.
Tensor PickElements(const OpCall& call, const Tensor& operand, EvalContext& context) {
  Budget* const budget = context.budget();
  const Region& select = *call.GetRegion("select");
  const StridedView live = LiveView(operand);
  Tensor picks(ElementType::kS64, WindowCounts(call.GetWindow(), live.dims), budget);
  RegionFunction& function = context.Function(select);
  const Tensor kept = ConvertTensor(operand, select.parameter_shape(0).element_type(), budget);
  const Tensor next = ConvertTensor(operand, select.parameter_shape(1).element_type(), budget);
  const StridedView result = RowMajorView(picks.dims());
  const auto make = [&] {
    return std::make_unique<Picker>(function, kept, next, picks.mutable_data<int64_t>(), budget);
  };
#ifndef HLO_SMALL
  const Window& window = call.GetWindow();
  RegionCopies* const copies =
      IsWalkShared(window, result) ? function.Copies(PieceThreads(), budget) : nullptr;
  if (copies != nullptr) {
    std::vector<std::unique_ptr<Picker>> pickers;  // by thread
    for (int i = 0; i < PieceThreads(); ++i) pickers.push_back(make());
    ShareWalk(WindowWalk::kElements, window, live, result, budget,
              [&](int thread, Budget* own) -> WindowVisitor& {
                Picker& picker = *pickers[static_cast<size_t>(thread)];
                picker.set_select(copies->Of(thread, own));
                return picker;
              });
    return picks;
  }
#endif
  WalkWindows(call.GetWindow(), live, result, *make(), budget);
  return picks;
}

/// The result before anything is scattered.
Tensor MakeResult(const OpCall& call, const Dims& live, const Tensor& init, Budget* budget) {
  const ElementType type = init.element_type();
  Tensor result = MakeTensor(Shape::Array(type, call.shape().dims()), live, budget);
  StridedView one = RowMajorView({});
  one.dims = live;
  one.strides.resize(live.size());
  CopyView(BytesOf(type), init.bytes(), one, result.mutable_bytes(), LiveView(result), budget);
  return result;
}

Value EvalSelectAndScatter(const OpCall& call, std::span<Value> args, EvalContext& context) {
  Budget* const budget = context.budget();
  const Region& scatter = *call.GetRegion("scatter");
  const Tensor& operand = args[0].tensor();
  const ElementType type = ResultType(scatter, 0);
  Tensor result =
      MakeResult(call, LiveDims(operand), ConvertTensor(args[2].tensor(), type, budget), budget);
  Tensor picks = PickElements(call, operand, context);
  Tensor source =
      ConvertTensor(args[1].tensor(), scatter.parameter_shape(1).element_type(), budget);
  // Sources without a window are dropped, and so are windows without a source.
  Dims common = LiveDims(source);
  for (size_t d = 0; d < common.size(); ++d) common[d] = std::min(common[d], picks.dims()[d]);
  source = DensePart(source, common, budget);
  picks = DensePart(picks, common, budget);
  const auto scatterer = std::make_unique<SourceScatterer>(context.Function(scatter),
                                                           source.element_type(), &result, budget);
  for (int64_t i = 0; i < source.element_count(); i += kWindowBlock) {
    scatterer->Scatter(picks.data<int64_t>() + i,
                       source.bytes() + i * BytesOf(source.element_type()),
                       std::min(kWindowBlock, source.element_count() - i));
    budget->Poll();
  }
  return result;
}

void SizesOfSelectAndScatter(const OpCall& call, SizeRules& rules) {
  const Window& window = call.GetWindow();
  for (int d = 0; d < call.operand(0).rank() && d < static_cast<int>(window.size()); ++d) {
    rules.KeepUnder(window[static_cast<size_t>(d)], call.operand(0).dim(d), call.operand(1).dim(d));
  }
}

}  // namespace

namespace ops {

const OpDef kSelectAndScatter{
    .doc =
        "In each position of a sliding window picks one element by `select`, and combines the "
        "source element of that position into the result at the picked place by `scatter`. "
        "The gradient of max pooling.",
    .source = "operation semantics, SelectAndScatter",
    .differs =
        "scatter gets (result so far, source), as the operation semantics document says; XLA's "
        "evaluator swaps them. Padding is never picked.",
    .operands = kSelectAndScatterOperands,
    .types = kAllArrayTypes,
    .attrs = kSelectAndScatterAttrs,
    .infer = InferSelectAndScatter,
    .eval = EvalSelectAndScatter,
    .keeps_layout = true,
    .floats = FloatWidths::kOfRegion,
    .signature = SelectAndScatterSignature,
    .sizes = SizesOfSelectAndScatter,
};

}  // namespace ops
}  // namespace hlo
