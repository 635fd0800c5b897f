// Loops over sliding windows, in kernels.
#ifndef HLO_ENGINE_STANDALONE_WINDOW_LOOPS_H_
#define HLO_ENGINE_STANDALONE_WINDOW_LOOPS_H_

#include <cstdint>
#include <vector>

#include "engine/ops/attributes.h"
#include "engine/standalone/kernel_code.h"

namespace hlo {

/// Windows over the dimensions of an input. Positions are in locals.
class WindowLoops {
 public:
  /// `sizes` and `strides` are those of the input; the references must outlive it.
  WindowLoops(const Window& window, const Dims& sizes, const Dims& strides, const Dims& outputs,
              KernelCode* code)
      : window_(window), sizes_(sizes), strides_(strides), outputs_(outputs), code_(*code) {
    for (size_t d = 0; d < window.size(); ++d) starts_.push_back(code->Number(0));
  }

  /// `body` for every window, in row-major order.
  template <typename Body>
  void ForEachWindow(Body body) {
    WindowsFrom(0, body);
  }

  /// Of the window that is next: body(offset) for each of its positions in row-major order, the
  /// offset of its element in the input, in elements, being in a local. `skips`: those without an
  /// element are left out; otherwise the local `inside`, which is then given, says whether there
  /// is one. advance(d) is called behind each position along dimension d, with or without element,
  /// and back(d) behind all of them.
  template <typename Body, typename Advance, typename Back>
  void ForEachPosition(bool skips, uint32_t inside, Body body, Advance advance, Back back) {
    const uint32_t whole = code_.Number(1);
    PositionsFrom(0, skips, code_.Number(0), whole, inside, body, advance, back);
  }

  /// Whether all numbers fit the code's.
  static bool Fits(const Window& window, const Dims& sizes, const Dims& outputs);

 private:
  template <typename Body>
  void WindowsFrom(size_t d, Body& body) {
    if (d == window_.size()) return body();
    SetNumber(starts_[d], -window_[d].pad_low);
    code_.Repeat(outputs_[d], [&] {
      WindowsFrom(d + 1, body);
      code_.Advance(starts_[d], window_[d].stride);
    });
  }

  template <typename Body, typename Advance, typename Back>
  void PositionsFrom(size_t d, bool skips, uint32_t offset, uint32_t around, uint32_t inside,
                     Body& body, Advance& advance, Back& back) {
    if (d == window_.size()) {
      if (!skips) code_.Copy(inside, around);
      return body(offset);
    }
    const uint32_t at = code_.Sum(starts_[d], 0);
    code_.Repeat(window_[d].size, [&] {
      FunctionWriter& writer = code_.writer();
      const uint32_t is_inside = writer.NewLocal(CodeType::kI32);
      PushInside(d, at);
      writer.Get(around);
      writer.Write(Code::kI32And);
      writer.Set(is_inside);
      if (skips) {
        writer.Get(is_inside);
        writer.Open(Code::kIf);
      }
      const uint32_t next = OffsetAt(d, at, offset);
      PositionsFrom(d + 1, skips, next, is_inside, inside, body, advance, back);
      if (skips) writer.Write(Code::kEnd);
      code_.Advance(at, window_[d].window_dilation);
      advance(d);
    });
    back(d);
  }

  void SetNumber(uint32_t local, int64_t number);
  void PushInside(size_t d, uint32_t at);
  uint32_t OffsetAt(size_t d, uint32_t at, uint32_t offset);

  const Window& window_;
  const Dims& sizes_;
  const Dims& strides_;
  const Dims& outputs_;
  KernelCode& code_;
  std::vector<uint32_t> starts_;  // of the window that is next, by dimension
};

}  // namespace hlo

#endif  // HLO_ENGINE_STANDALONE_WINDOW_LOOPS_H_
