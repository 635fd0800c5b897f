#include "engine/why/links.h"

#include <algorithm>

#include "engine/base/indices.h"
#include "engine/ops/op_def.h"
#include "engine/ops/products/dot_dims.h"

namespace hlo {
namespace {

Link DimLink(int64_t dim) { return {.dim = static_cast<int>(dim)}; }

bool IsIn(const Dims& list, int64_t d) {
  return std::find(list.begin(), list.end(), d) != list.end();
}

// Every index of every dimension of the operand.
Links Everything(const OpCall& call, int operand) {
  const Shape& shape = call.operand(operand);
  const bool has_dims = shape.IsArray() || shape.IsBuffer();
  return Links(has_dims ? static_cast<size_t>(shape.rank()) : 0);
}

// Dimension d with d of the result.
Links Identity(const OpCall& call, int operand) {
  Links links = Everything(call, operand);
  for (size_t d = 0; d < links.size(); ++d) links[d].dim = static_cast<int>(d);
  return links;
}

Link WindowLink(int64_t dim, const WindowDim& window) {
  return {.dim = static_cast<int>(dim),
          .start = -window.pad_low,
          .step = window.stride,
          .divisor = window.base_dilation,
          .taps = window.size,
          .dilation = window.window_dilation};
}

// Some ops' results are tuples; a feature is a dimension of the first and the only one of the rest.
bool IsPlainConvolution(const OpCall& call) {
  return call.attrs().Int("convolution_kind") == 0 && call.operand_count() == 2;
}

}  // namespace

const Shape& PartOf(const OpCall& call, int part) {
  const Shape& shape = call.shape();
  return shape.IsTuple() ? shape.elements()[static_cast<size_t>(part)] : shape;
}

std::optional<Links> SameLinks(const OpCall& call, int operand, int part) {
  // Scalars stand for all elements, as the bounds of clamp may.
  if (call.operand(operand).rank() != PartOf(call, part).rank()) return Everything(call, operand);
  return Identity(call, operand);
}

std::optional<Links> AllLinks(const OpCall& call, int operand, int) {
  return Everything(call, operand);
}

std::optional<Links> NoLinks(const OpCall&, int, int) { return std::nullopt; }

std::optional<Links> BroadcastLinks(const OpCall& call, int operand, int) {
  Links links = Everything(call, operand);
  const Dims& dims = call.Ints("dimensions");
  for (size_t d = 0; d < links.size() && d < dims.size(); ++d) links[d] = DimLink(dims[d]);
  return links;
}

std::optional<Links> TransposeLinks(const OpCall& call, int operand, int) {
  Links links = Everything(call, operand);
  const Dims& dims = call.Ints("dimensions");
  for (size_t d = 0; d < dims.size(); ++d) {
    links[static_cast<size_t>(dims[d])] = DimLink(static_cast<int64_t>(d));
  }
  return links;
}

std::optional<Links> SliceLinks(const OpCall& call, int operand, int) {
  Links links = Identity(call, operand);
  const std::vector<SliceDim>& slices = call.Slices();
  for (size_t d = 0; d < links.size() && d < slices.size(); ++d) {
    links[d].start = slices[d].start;
    links[d].step = slices[d].stride;
  }
  return links;
}

std::optional<Links> ReverseLinks(const OpCall& call, int operand, int) {
  // Of a dimension with a size of its own in each run the end is not known here.
  if (call.operand(operand).has_dynamic_dims()) return Everything(call, operand);
  Links links = Identity(call, operand);
  for (const int64_t d : call.Ints("dimensions")) {
    links[static_cast<size_t>(d)].start = call.operand(operand).dim(static_cast<int>(d)) - 1;
    links[static_cast<size_t>(d)].step = -1;
  }
  return links;
}

std::optional<Links> PadLinks(const OpCall& call, int operand, int) {
  if (operand == 1) return Everything(call, operand);
  Links links = Identity(call, operand);
  const std::vector<PadDim>& padding = call.Padding();
  for (size_t d = 0; d < links.size() && d < padding.size(); ++d) {
    links[d].start = -padding[d].low;
    links[d].divisor = padding[d].interior + 1;
  }
  return links;
}

std::optional<Links> ConcatenateLinks(const OpCall& call, int operand, int) {
  for (int i = 0; i < call.operand_count(); ++i) {
    if (call.operand(i).has_dynamic_dims()) return Everything(call, operand);
  }
  Links links = Identity(call, operand);
  const int64_t d = call.Ints("dimensions")[0];
  for (int i = 0; i < operand; ++i) {
    links[static_cast<size_t>(d)].start -= call.operand(i).dim(static_cast<int>(d));
  }
  return links;
}

std::optional<Links> ReduceLinks(const OpCall& call, int operand, int) {
  Links links = Everything(call, operand);
  if (operand >= call.operand_count() / 2) return links;
  const Dims& reduced = call.Ints("dimensions");
  int64_t next = 0;
  for (size_t d = 0; d < links.size(); ++d) {
    if (!IsIn(reduced, static_cast<int64_t>(d))) links[d] = DimLink(next++);
  }
  return links;
}

std::optional<Links> ReduceWindowLinks(const OpCall& call, int operand, int) {
  Links links = Everything(call, operand);
  if (operand >= call.operand_count() / 2) return links;
  const Window& window = call.GetWindow();
  for (size_t d = 0; d < links.size(); ++d) {
    links[d] = WindowLink(static_cast<int64_t>(d), d < window.size() ? window[d] : WindowDim());
  }
  return links;
}

std::optional<Links> SelectAndScatterLinks(const OpCall& call, int operand, int) {
  Links links = Everything(call, operand);
  if (operand == 2) return links;
  const Window& window = call.GetWindow();
  for (size_t d = 0; d < links.size(); ++d) {
    const WindowDim dim = d < window.size() ? window[d] : WindowDim();
    Link& link = links[d];
    // A window with gaps reaches far: then nothing is said.
    if (dim.base_dilation != 1 || dim.window_dilation != 1) continue;
    link.dim = static_cast<int>(d);
    if (operand == 1) {  // the sources whose windows have the element
      link.start = dim.pad_low;
      link.divisor = dim.stride;
      link.taps = dim.size;
      link.dilation = -1;
    } else {  // what is in these windows
      link.start = -(dim.size - 1);
      link.taps = 2 * dim.size - 1;
    }
  }
  return links;
}

std::optional<Links> DotLinks(const OpCall& call, int operand, int) {
  Links links = Everything(call, operand);
  if (operand > 1) return links;
  const DotDims dims = DotDimsOf(call);
  const Dims& batch = operand == 0 ? dims.lhs_batch : dims.rhs_batch;
  for (size_t i = 0; i < batch.size(); ++i) {
    links[static_cast<size_t>(batch[i])] = DimLink(static_cast<int64_t>(i));
  }
  const Dims lhs_free = FreeDims(call.operand(0).rank(), dims.lhs_batch, dims.lhs_contracting);
  int64_t next = static_cast<int64_t>(batch.size() + (operand == 0 ? 0 : lhs_free.size()));
  for (const int64_t d :
       operand == 0 ? lhs_free
                    : FreeDims(call.operand(1).rank(), dims.rhs_batch, dims.rhs_contracting)) {
    links[static_cast<size_t>(d)] = DimLink(next++);
  }
  return links;
}

std::optional<Links> ConvolutionLinks(const OpCall& call, int operand, int) {
  Links links = Everything(call, operand);
  if (!IsPlainConvolution(call)) return links;
  const ConvDimLabels& labels = call.DimLabels();
  const auto at = [&](int64_t d) -> Link& { return links[static_cast<size_t>(d)]; };
  if (operand == 1) {
    at(labels.kernel_output_feature) = DimLink(labels.output_feature);
    return links;
  }
  const int64_t batches = call.Int("batch_group_count", 1);
  if (batches == 1) at(labels.input_batch) = DimLink(labels.output_batch);
  const int64_t groups = std::max<int64_t>(1, call.Int("feature_group_count", 1));
  if (groups > 1) {
    const int64_t per_group = call.operand(0).dim(static_cast<int>(labels.input_feature)) / groups;
    at(labels.input_feature) = {
        .dim = static_cast<int>(labels.output_feature),
        .step = per_group,
        .taps = per_group,
        .block = std::max<int64_t>(
            1, call.shape().dim(static_cast<int>(labels.output_feature)) / groups)};
    if (per_group == 0) at(labels.input_feature) = {};
  }
  const Window& window = call.GetWindow();
  for (size_t i = 0; i < window.size() && i < labels.input_spatial.size(); ++i) {
    at(labels.input_spatial[i]) = WindowLink(labels.output_spatial[i], window[i]);
  }
  return links;
}

std::optional<Links> SortLinks(const OpCall& call, int operand, int) {
  Links links = Identity(call, operand);
  for (const int64_t d : call.Ints("dimensions")) links[static_cast<size_t>(d)] = {};
  return links;
}

std::optional<Links> TopkLinks(const OpCall& call, int operand, int) {
  Links links = Identity(call, operand);
  if (!links.empty()) links.back() = {};
  return links;
}

std::optional<Links> FftLinks(const OpCall& call, int operand, int) {
  Links links = Identity(call, operand);
  const size_t transformed = std::min(links.size(), call.Ints("fft_length").size());
  for (size_t i = 0; i < transformed; ++i) links[links.size() - 1 - i] = {};
  return links;
}

std::optional<Links> MatrixLinks(const OpCall& call, int operand, int) {
  Links links = Identity(call, operand);
  for (size_t i = 0; i < 2 && i < links.size(); ++i) links[links.size() - 1 - i] = {};
  return links;
}

std::optional<Links> SolveLinks(const OpCall& call, int operand, int) {
  Links links = *MatrixLinks(call, operand, 0);
  if (operand == 0 || links.size() < 2) return links;
  const size_t kept = links.size() - (call.Bool("left_side") ? 1 : 2);
  links[kept] = DimLink(static_cast<int64_t>(kept));
  return links;
}

// Batch norms compute each feature by itself.
std::optional<Links> NormLinks(const OpCall& call, int operand, int part) {
  Links links = Everything(call, operand);
  const int64_t feature = call.Int("feature_index");
  const bool is_list = PartOf(call, part).rank() == 1 && call.operand(0).rank() != 1;
  const Link link = DimLink(is_list ? 0 : feature);
  if (call.operand(operand).rank() == call.operand(0).rank()) {
    if (static_cast<size_t>(feature) < links.size()) links[static_cast<size_t>(feature)] = link;
  } else if (links.size() == 1) {
    links[0] = link;
  }
  return links;
}

Box SourceBox(const Links& links, const Dims& sizes, const Dims& index) {
  Box box = WholeBox(sizes);
  for (size_t d = 0; d < links.size() && d < box.size(); ++d) {
    const Link& link = links[d];
    if (link.dim < 0 || static_cast<size_t>(link.dim) >= index.size()) continue;
    const int64_t at = index[static_cast<size_t>(link.dim)] / link.block;
    box[d] = Solve(link.start + link.step * at, link.dilation, link.taps, link.divisor, sizes[d]);
  }
  return box;
}

Box ReachBox(const Links& links, const Dims& sizes, const Dims& index) {
  Box box = WholeBox(sizes);
  for (size_t d = 0; d < links.size() && d < index.size(); ++d) {
    const Link& link = links[d];
    if (link.dim < 0 || static_cast<size_t>(link.dim) >= box.size()) continue;
    Steps& steps = box[static_cast<size_t>(link.dim)];
    const int64_t size = sizes[static_cast<size_t>(link.dim)];
    const int64_t sign = link.step < 0 ? -1 : 1;
    const Steps found = Solve(sign * (index[d] * link.divisor - link.start), -sign * link.dilation,
                              link.taps, sign * link.step, (size - 1) / link.block + 1);
    if (link.block == 1 || found.count == 0) {
      steps = found;
    } else if (found.step == 1) {
      steps = {found.first * link.block, found.count * link.block, 1};
      steps.count = std::min(steps.count, size - steps.first);
    }
  }
  return box;
}

}  // namespace hlo
