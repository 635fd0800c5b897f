// The tiles of an XLA layout as steps of a film, and as digits of the indices.
#include <algorithm>
#include <utility>

#include "engine/base/bits.h"
#include "engine/layout/layout_text.h"
#include "engine/layout/tiled_map.h"

namespace hlo {
namespace {

using StepKind = LayoutStep::Kind;

// A part of an axis: floor(index[dim] / below), mod `modulus` unless that is 0 (the rest of the
// dimension), and always below `extent`. Without a dimension it is 0.
struct Piece {
  int64_t dim = -1;
  int64_t below = 1;
  int64_t modulus = 0;
  int64_t extent = 1;
};

// A dimension of the list that tiles work on: pieces, major to minor.
using AxisPieces = std::vector<Piece>;

// Cuts a piece at `size`; false when its digit does not come apart there.
bool CutPiece(const Piece& piece, int64_t size, Piece* outer, Piece* inner) {
  *outer = {-1, 1, 0, CeilDiv(piece.extent, size)};
  *inner = piece;
  inner->extent = size;
  if (piece.dim < 0 || (piece.modulus != 0 && piece.modulus <= size)) return true;
  if (piece.modulus % size != 0) return false;
  inner->modulus = size;
  outer->dim = piece.dim;
  outer->modulus = piece.modulus / size;
  return MultiplyChecked(piece.below, size, &outer->below);
}

// Cuts an axis into (ceil(axis / tile), tile); false when the tile ends inside a piece where that
// does not come apart.
bool CutAxis(const AxisPieces& axis, int64_t tile, AxisPieces* outer, AxisPieces* inner) {
  int64_t left = tile;
  for (size_t i = axis.size(); i-- > 0;) {
    const Piece& piece = axis[i];
    if (left == 1) {
      outer->push_back(piece);
    } else if (i > 0 && left % piece.extent == 0) {
      inner->push_back(piece);
      left /= piece.extent;
    } else {
      if (i > 0 && piece.extent % left != 0) return false;
      Piece over, within;
      if (!CutPiece(piece, left, &over, &within)) return false;
      outer->push_back(over);
      inner->push_back(within);
      left = 1;
    }
  }
  if (inner->empty()) inner->push_back({});
  std::reverse(outer->begin(), outer->end());
  std::reverse(inner->begin(), inner->end());
  return true;
}

}  // namespace

bool TiledMap::Digits(DigitForm* form, std::string* why) const {
  if (element_count() == 0) return true;  // no element has an address
  std::vector<AxisPieces> axes(leading_, AxisPieces{Piece{}});
  for (size_t dim : order_) axes.push_back({{static_cast<int64_t>(dim), 1, 0, dims()[dim]}});
  for (const Level& level : levels_) {
    std::vector<AxisPieces> inner;
    std::vector<AxisPieces> outer;
    size_t at = level.first;
    for (const Part& part : level.parts) {
      AxisPieces joined;
      for (int32_t i = 0; i < part.entries; ++i, ++at) {
        joined.insert(joined.end(), axes[at].begin(), axes[at].end());
      }
      for (Piece& piece : joined) {
        // Of the rest of its dimension no remainder is taken.
        if (piece.dim < 0) continue;
        const int64_t size = dims()[static_cast<size_t>(piece.dim)];
        if (CeilDiv(size, piece.below) <= piece.modulus) piece.modulus = 0;
      }
      if (!CutAxis(joined, part.tile, &outer.emplace_back(), &inner.emplace_back())) {
        *why = "tile " + TileText(level.tile) + " cuts unevenly " +
               (&level == levels_.data() ? "across the dimensions it combines"
                                         : "what earlier tiles left");
        return false;
      }
    }
    axes.resize(level.first);
    axes.insert(axes.end(), outer.begin(), outer.end());
    axes.insert(axes.end(), inner.begin(), inner.end());
  }
  for (size_t i = 0; i < axes.size(); ++i) {
    int64_t stride = strides_[i];
    for (size_t p = axes[i].size(); p-- > 0; stride *= axes[i][p].extent) {
      const Piece& piece = axes[i][p];
      if (piece.dim < 0) continue;
      const int64_t left = CeilDiv(dims()[static_cast<size_t>(piece.dim)], piece.below);
      form->digits.push_back({piece.dim, piece.below,
                              piece.modulus != 0 ? std::min(piece.modulus, left) : left, stride});
    }
  }
  return true;
}

std::vector<LayoutStep> TiledMap::Steps() const {
  std::vector<LayoutStep> steps;
  Dims list = dims();
  // Adds a step unless it would change nothing.
  auto step = [&](StepKind kind, std::string title, Dims after, Dims permutation = {}) {
    if (kind == StepKind::kTranspose ? std::is_sorted(permutation.begin(), permutation.end())
                                     : after == list) {
      return;
    }
    steps.push_back({kind, std::move(title), after, std::move(permutation)});
    list = std::move(after);
  };
  Dims order(order_.begin(), order_.end());
  Dims ordered;
  for (size_t dim : order_) ordered.push_back(dims()[dim]);
  step(StepKind::kTranspose, "transpose to major before minor", std::move(ordered),
       std::move(order));
  for (const Level& level : levels_) {
    const std::string tile = TileText(level.tile);
    const size_t prefix = level.first - level.hidden;
    const Dims kept(level.bounds.begin() + level.hidden, level.bounds.begin() + level.first);
    Dims joined = kept;
    Dims padded = kept;
    Dims split = kept;
    Dims tiled = kept;
    Dims permutation;
    for (size_t i = 0; i < prefix; ++i) permutation.push_back(static_cast<int64_t>(i));
    for (const Part& part : level.parts) {
      permutation.push_back(static_cast<int64_t>(split.size()));
      joined.push_back(part.bound);
      padded.push_back(part.quotient * part.tile);
      split.push_back(part.quotient);
      split.push_back(part.tile);
      tiled.push_back(part.quotient);
    }
    for (size_t p = 0; p < level.parts.size(); ++p) {
      permutation.push_back(permutation[prefix + p] + 1);
      tiled.push_back(level.parts[p].tile);
    }
    step(StepKind::kReshape,
         joined.size() > list.size() ? "leading 1s: tile " + tile + " has more dimensions"
                                     : "join the dimensions that tile " + tile + " combines",
         std::move(joined));
    step(StepKind::kPad, "pad to whole tiles " + tile, std::move(padded));
    step(StepKind::kReshape, "reshape every dimension to (tiles, within " + tile + ")",
         std::move(split));
    step(StepKind::kTranspose, "transpose what is within tile " + tile + " to the most minor place",
         std::move(tiled), std::move(permutation));
  }
  step(StepKind::kReshape, "the buffer", {physical_count()});
  step(StepKind::kPad, "pad the tail", {aligned_count()});
  if (steps.empty()) steps.push_back({StepKind::kReshape, "the buffer", {aligned_count()}});
  return steps;
}

}  // namespace hlo
