// What an op makes of an array cut to sizes at run time is what it makes of the cut array; what
// lies beyond the sizes never shows.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>

#include "doctest/doctest.h"
#include "engine/run/compare.h"
#include "engine/views/document.h"
#include "engine/views/run_view.h"

namespace hlo {
namespace {

constexpr int64_t kBounds[] = {5, 4};

// $0 and $1 are the sizes of x as they stand in shapes, #0 and #1 their bounds, @0 and @1 what is
// alive.
constexpr std::string_view kOps[] = {
    "negate(x)",
    "add(x, x)",
    "multiply(x, full)",
    "multiply(full, x)",
    "s8[$0,$1] convert(x)",
    "compare(x, full), direction=LT",
    "select(smaller, x, x)",
    "clamp(z, x, high)",
    "map(x, full), dimensions={0,1}, to_apply=blend",
    "u32[$0,$1] bitcast-convert(x)",
    "u8[$0,$1,4] bitcast-convert(x)",
    "copy(x)",
    "transpose(x), dimensions={1,0}",
    "reverse(x), dimensions={0,1}",
    "f32[3,$1,$0] broadcast(x), dimensions={2,1}",
    "f32[1,$0,$1,1] reshape(x)",
    "reduce(x, z), dimensions={0}, to_apply=sum",
    "reduce(x, z), dimensions={1}, to_apply=most",
    "reduce(x, z), dimensions={0,1}, to_apply=blend",
    "reduce-window(x, z), window={size=2x2 stride=2x1 pad=1_0x0_1}, to_apply=sum",
    "reduce-window(x, z), window={size=3x1 pad=1_1x0_0 rhs_dilate=2x1 lhs_dilate=2x1}, "
    "to_apply=blend",
    "select-and-scatter(x, x, z), window={size=1x1}, select=ge, scatter=sum",
    "concatenate(x, x), dimensions={0}",
    "concatenate(x, x, x), dimensions={1}",
    "pad(x, high), padding=1_2_1x0_1",
    "pad(x, high), padding=-1_1x2_-1",
    "sort(x), dimensions={1}, to_apply=lt",
    "sort(x, x), dimensions={0}, to_apply=lt2",
    "dot(x, full), lhs_contracting_dims={0,1}, rhs_contracting_dims={0,1}",
    "dot(x, x), lhs_contracting_dims={1}, rhs_contracting_dims={1}",
    "dot(x, x), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={1}, "
    "rhs_contracting_dims={1}",
    "f32[$0,$1] dynamic-update-slice(x, x, zero, zero)",
    "f32[3,$1] gather(x, rows), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
    "index_vector_dim=1, slice_sizes={1,#1}",
    "s16[$0,$1] stochastic-convert(x, bits)",
    "get-dimension-size(x), dimensions={0}",
    "opt-barrier(x)",
};

constexpr std::string_view kRegions = R"(
sum { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }
most { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] maximum(a, b) }
blend {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  c = f32[] add(a, a)
  ROOT s = f32[] subtract(c, b)
}
ge { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = pred[] compare(a, b), direction=GE }
lt { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = pred[] compare(a, b), direction=LT }
lt2 {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  c = f32[] parameter(2)
  d = f32[] parameter(3)
  ROOT s = pred[] compare(a, b), direction=LT
}
)";

std::string Replaced(std::string text, std::string_view from, std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

constexpr std::string_view kCutAtRunTime = R"(ENTRY e {
  full = f32[5,4] parameter(0)
  rows_alive = s32[] constant(@0)
  columns_alive = s32[] constant(@1)
  half = f32[<=5,4] set-dimension-size(full, rows_alive), dimensions={0}
  x = f32[<=5,<=4] set-dimension-size(half, columns_alive), dimensions={1}
)";
// What is whole at run time is cut here as well.
constexpr std::string_view kCut = R"(ENTRY e {
  whole = f32[5,4] parameter(0)
  x = f32[@0,@1] slice(whole), slice={[0:@0],[0:@1]}
  full = f32[@0,@1] slice(whole), slice={[0:@0],[0:@1]}
)";
constexpr std::string_view kRest = R"(
  rows = s32[3] constant({0,1,0})
  z = f32[] constant(-1)
  high = f32[] constant(3)
  zero = s32[] constant(0)
  smaller = compare(x, x), direction=LT
  bits = u32[$0,$1] bitcast-convert(x)
  ROOT r = )";

/// The op on an array of these sizes: one that is that small, or one that is cut at run time.
std::string ProgramOfSizes(std::string_view op, const int64_t (&sizes)[2], bool at_run_time) {
  std::string text(kRegions);
  text += at_run_time ? kCutAtRunTime : kCut;
  text += kRest;
  text += op;
  text += "\n}\n";
  for (int d = 0; d < 2; ++d) {
    const int64_t bound = at_run_time ? kBounds[d] : sizes[d];
    text = Replaced(text, fmt::format("@{}", d), fmt::to_string(sizes[d]));
    text = Replaced(text, fmt::format("#{}", d), fmt::to_string(bound));
    text =
        Replaced(text, fmt::format("${}", d), fmt::format("{}{}", at_run_time ? "<=" : "", bound));
  }
  return text;
}

std::unique_ptr<RunRecord> Run(std::string text) {
  RunRequest request;
  request.inputs = {"normal"};
  request.trace = false;
  return RunDocument(std::make_shared<const Document>(std::move(text)), request);
}

std::string FirstError(const RunRecord& record) {
  return record.output ? "" : record.diagnostics.list()[0].message;
}

void CheckSizes(std::string_view op, const int64_t (&sizes)[2]) {
  CAPTURE(op);
  CAPTURE(sizes[0]);
  CAPTURE(sizes[1]);
  const auto actual = Run(ProgramOfSizes(op, sizes, true));
  const auto expected = Run(ProgramOfSizes(op, sizes, false));
  REQUIRE(FirstError(*actual) == "");
  REQUIRE(FirstError(*expected) == "");
  const auto difference = Compare(*actual->output, *expected->output, {});
  CHECK((difference ? difference->message : "") == "");
}

TEST_CASE("run-time sizes: an op on an array that is cut") {
  for (std::string_view op : kOps) {
    for (int64_t rows = 0; rows <= kBounds[0]; ++rows) {
      // Slices have to lie inside what is alive.
      if (op.find("gather") != op.npos && rows < 2) continue;
      for (int64_t columns = 0; columns <= kBounds[1]; ++columns) {
        CheckSizes(op, {rows, columns});
      }
    }
  }
}

}  // namespace
}  // namespace hlo
