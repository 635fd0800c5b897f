// Shape rules of windows, convolution, linear algebra, gather and scatter, sorting.
#include "tests/unit/program_cases.h"

namespace hlo {
namespace {

TEST_CASE("reduce-window") {
  std::string head = "x = f32[5,6] parameter(0)  z = f32[] parameter(1)\nROOT r = ";
  CheckAccepted(Entry(head + "f32[4,3] reduce-window(x, z), window={size=2x2 stride=1x2}, "
                             "to_apply=add"));
  CheckAccepted(Entry(head + "f32[11,0] reduce-window(x, z), to_apply=add, "
                             "window={size=1x9 pad=1_1x0_0 lhs_dilate=2x1}"));
  CheckRefused(Entry(head + "f32[4] reduce-window(x, z), window={size=2}, to_apply=add"),
               "Window has dimension 1 but base shape has dimension 2.", "{size=2}");
  CheckRefused(Entry(head + "f32[4,3] reduce-window(x, z), window={size=2x2 stride=0x1}, "
                            "to_apply=add"),
               "Window has a non-positive stride: 0 in dimension 0", "{size=2x2 stride=0x1}");
  CheckRefused(Entry(head + "f32[4,5] reduce-window(x, z), window={size=2x2}, to_apply=twice"),
               "Reduction function must take 2 parameters, but takes 1 parameter(s).", "twice");
  CheckRefused(Entry(head + "f32[4,5] reduce-window(x, z), window={size=2x2}, to_apply=less"),
               "Reduction function's accumulator shape at index 0 differs from the init_value "
               "shape: pred[] vs f32[]",
               "less");
  CheckRefused(Entry(head + "f32[4,5] reduce-window(x, z), to_apply=add, "
                            "window={size=2x2 pad=9223372036854775807_9223372036854775807x0_0}"),
               "does not fit 64 bits");
}

TEST_CASE("select-and-scatter") {
  std::string head =
      "x = f32[4,4] parameter(0)  s = f32[2,2] parameter(1)  z = f32[] parameter(2)\nROOT r = ";
  CheckAccepted(Entry(head + "f32[4,4] select-and-scatter(x, s, z), select=less, scatter=add, "
                             "window={size=2x2 stride=2x2}"));
  CheckRefused(Entry(head + "f32[4,4] select-and-scatter(x, s, z), select=less, scatter=add, "
                            "window={size=2x2}"),
               "Source shape does not match the shape of window-reduced operand: source(f32[2,2]), "
               "window-reduced operand(f32[3,3]).",
               "s");
  CheckRefused(Entry(head + "f32[4,4] select-and-scatter(x, s, z), select=add, scatter=add, "
                            "window={size=2x2 stride=2x2}"),
               "Select function must have rank-0 PRED result. It is f32[]", "add");
}

TEST_CASE("convolution") {
  std::string head = "x = f32[1,4,5,6] parameter(0)  k = f32[3,3,6,8] parameter(1)\nROOT c = ";
  CheckAccepted(Entry(head + "f32[1,4,5,8] convolution(x, k), dim_labels=b01f_01io->b01f, "
                             "window={size=3x3 pad=1_1x1_1}"));
  CheckRefused(Entry(head + "f32[1,4,5,8] convolution(x, k), dim_labels=b01f_01io->b01f, "
                            "window={size=3x2 pad=1_1x1_1}"),
               "Window dimensions do not match RHS shape: size 2 in spatial dimension 1, but RHS "
               "shape: f32[3,3,6,8]",
               "{size=3x2 pad=1_1x1_1}");
  CheckRefused(
      Entry(head + "f32[1,4,5,8] convolution(x, k), dim_labels=b01f_01io->b01f, "
                   "window={size=3x3}, feature_group_count=2"),
      "Expected LHS feature dimension (value 6) to be a multiple of feature_group_count (value 2), "
      "and LHS feature dimension / feature_group_count = RHS feature dimension (value 6)",
      "b01f_01io->b01f");
  CheckRefused(Entry(head + "f32[1,4,5,8] convolution(x, k), dim_labels=b01f_01io->b01f, "
                            "window={size=3x3}, feature_group_count=2, batch_group_count=2"),
               "both batch_group_count 2 and feature_group_count 2 cannot be greater than 1", "2");
  CheckRefused(Entry(head + "f32[1,2,3,9] convolution(x, k), dim_labels=b01f_01io->b01f, "
                            "window={size=3x3}"),
               "shape equal to f32[1,2,3,8]", "f32[1,2,3,9]");
}

TEST_CASE("linear algebra") {
  std::string head = "a = f32[2,3,3] parameter(0)  b = f32[2,3,4] parameter(1)\nROOT r = ";
  CheckAccepted(Entry(head + "f32[2,3,3] cholesky(a), lower=true"));
  CheckRefused(Entry(head + "f32[2,3,4] cholesky(b)"),
               "The two minor dimensions of 'a' must have compatible size, got f32[2,3,4].", "b");
  CheckAccepted(Entry(head + "f32[2,3,4] triangular-solve(a, b), left_side=true, "
                             "transpose_a=NO_TRANSPOSE"));
  CheckRefused(
      Entry(head + "f32[2,3,4] triangular-solve(a, b), transpose_a=NO_TRANSPOSE"),
      "The shared dimension of 'a' and 'b' does not match, got shapes f32[2,3,3] and f32[2,3,4]",
      "b");
  CheckRefused(Entry(head + "f32[2,3,4] triangular-solve(a, b), left_side=true"),
               "transpose_a must be", "triangular-solve");
  CheckAccepted(Entry(head + "c64[2,3,3] fft(b), fft_type=RFFT, fft_length={4}"));
  CheckRefused(Entry(head + "c64[2,3,4] fft(b), fft_type=FFT, fft_length={4}"),
               "FFT requires complex input type, found F32.", "b");
  CheckRefused(
      Entry(head + "c64[2,3,3] fft(b), fft_type=RFFT, fft_length={5}"),
      "RFFT requires innermost dimensions match fft_length but dimension 2 is 4 and should be 5.",
      "b");
  CheckRefused(Entry(head + "c64[2,3,3] fft(b), fft_type=RFFT, fft_length={1,2,3,4}"),
               "FFT only supports ranks 1-3; got 4.", "{1,2,3,4}");
}

TEST_CASE("batch normalisation") {
  std::string head =
      "x = f32[2,3,4] parameter(0)  s = f32[4] parameter(1)  t = f32[3] parameter(2)\nROOT r = ";
  CheckAccepted(Entry(head + "(f32[2,3,4], f32[4], f32[4]) batch-norm-training(x, s, s), "
                             "epsilon=0.001, feature_index=2"));
  CheckRefused(Entry(head + "(f32[2,3,4], f32[4], f32[4]) batch-norm-training(x, s, t), "
                            "epsilon=0.001, feature_index=2"),
               "the size of offset factor is 3 and the feature count is 4.", "t");
  CheckRefused(Entry(head + "f32[2,3,4] batch-norm-inference(x, s, s, s, s), epsilon=0, "
                            "feature_index=3"),
               "Expected feature_index of batch-norm-inference to be smaller than the rank of "
               "operand_shape; got feature_index 3, and rank 3.",
               "3");
}

TEST_CASE("gather") {
  std::string head = "x = f32[5,6] parameter(0)  i = s32[4] parameter(1)\nROOT g = ";
  CheckAccepted(Entry(head + "f32[4,6] gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, "
                             "start_index_map={0}, index_vector_dim=1, slice_sizes={1,6}"));
  CheckRefused(Entry(head + "f32[4,6] gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, "
                            "start_index_map={0}, index_vector_dim=1, slice_sizes={1,7}"),
               "Slice size at index 1 in gather op is out of range, must be within [0, 7), got 7.",
               "{1,7}");
  CheckRefused(Entry(head + "f32[4,6] gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, "
                            "start_index_map={0,1}, index_vector_dim=1, slice_sizes={1,6}"),
               "Gather op has 2 elements in start_index_map and the bound of dimension "
               "index_vector_dim=1 of start_indices is 1.",
               "{0,1}");
  CheckRefused(
      Entry(head + "f32[4,6] gather(x, i), offset_dims={2}, collapsed_slice_dims={0}, "
                   "start_index_map={0}, index_vector_dim=1, slice_sizes={1,6}"),
      "Offset dimension 0 in gather op is out of bounds; got 2, but should have been in [0,2).",
      "{2}");
  CheckRefused(Entry(head + "f32[4,6] gather(x, x), offset_dims={1}, collapsed_slice_dims={0}, "
                            "start_index_map={0}, index_vector_dim=1, slice_sizes={1,6}"),
               "Gather indices parameter must be an integral tensor; got f32[5,6].", "x");
}

TEST_CASE("scatter") {
  std::string head =
      "x = f32[5,6] parameter(0)  i = s32[4] parameter(1)  u = f32[4,6] parameter(2)\nROOT s = ";
  std::string rest = ", update_window_dims={1}, inserted_window_dims={0}, index_vector_dim=1, ";
  CheckAccepted(Entry(head + "f32[5,6] scatter(x, i, u)" + rest +
                      "scatter_dims_to_operand_dims={0}, to_apply=add"));
  CheckRefused(Entry(head + "f32[5,6] scatter(x, i, u)" + rest +
                     "scatter_dims_to_operand_dims={9}, to_apply=add"),
               "Invalid scatter_dims_to_operand_dims mapping", "{9}");
  CheckRefused(Entry(head + "f32[5,6] scatter(x, i, x)" + rest +
                     "scatter_dims_to_operand_dims={0}, to_apply=add"),
               "For scatter dimension 0, updates bound is 5, scatter_indices bound is 4.", "x");
  CheckRefused(Entry(head + "f32[5,6] scatter(x, i, u)" + rest +
                     "scatter_dims_to_operand_dims={0}, to_apply=twice"),
               "Reduction function must take 2 parameters, but takes 1 parameter(s).", "twice");
}

TEST_CASE("sort, topk, scan") {
  std::string head = "x = f32[3,4] parameter(0)  c = f32[4] parameter(1)\nROOT r = ";
  CheckAccepted(Entry(head + "f32[3,4] sort(x), dimensions={1}, to_apply=less"));
  CheckRefused(
      Entry(head + "f32[3,4] sort(x), dimensions={2}, to_apply=less"),
      "Expected the sort_dimension 2 of sort to be smaller than the rank 2 of the operand(s).",
      "{2}");
  CheckRefused(
      Entry(head + "f32[3,4] sort(x), dimensions={0}, to_apply=add"),
      "The Sort compare computation shape does not lead to a scalar predicate shape: f32[]", "add");
  CheckAccepted(Entry(head + "(f32[3,2], s32[3,2]) topk(x), k=2"));
  CheckRefused(Entry(head + "(f32[3,5], s32[3,5]) topk(x), k=5"),
               "k=5 is larger than the last dimension of size=4", "5");
  std::string body =
      "body { a = f32[4] parameter(0)  b = f32[4] parameter(1)\n"
      "  s = f32[4] add(a, b)  ROOT t = (f32[4], f32[4]) tuple(s, s) }\n";
  CheckAccepted(body + Entry(head + "(f32[3,4], f32[4]) scan(x, c), dimensions={0}, "
                                    "num_carries=1, to_apply=body"));
  CheckRefused(body + Entry(head + "(f32[3,4], f32[4]) scan(x, c), dimensions={2}, "
                                   "num_carries=1, to_apply=body"),
               "Scan dimension 2 out of bounds for operand 0", "{2}");
}

TEST_CASE("ragged-dot, scaled-dot") {
  std::string head =
      "a = f32[6,2] parameter(0)  b = f32[3,2,5] parameter(1)  g = s32[3] parameter(2)\n"
      "ROOT r = ";
  std::string dims = ", lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}";
  CheckAccepted(Entry(head + "f32[6,5] ragged-dot(a, b, g)" + dims + ", rhs_group_dims={0}"));
  CheckRefused(Entry(head + "f32[6,5] ragged-dot(a, b, g)" + dims + ", rhs_group_dims={2}"),
               "rhs group dimension is expected to have size=3, got 5", "{2}");
  CheckRefused(Entry("a = f32[2,10] parameter(0)  b = f32[10,2] parameter(1)\n"
                     "s = f32[2,6] parameter(2)  t = f32[5,1] parameter(3)\n"
                     "ROOT r = f32[2,2] scaled-dot(a, b, s, t), lhs_contracting_dims={1}, "
                     "rhs_contracting_dims={0}"),
               "should be a multiple of dimension", "s");
}

}  // namespace
}  // namespace hlo
