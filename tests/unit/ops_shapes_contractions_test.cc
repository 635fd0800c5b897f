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
               "one window dimension per dimension: 1 of 2", "{size=2}");
  CheckRefused(Entry(head + "f32[4,3] reduce-window(x, z), window={size=2x2 stride=0x1}, "
                            "to_apply=add"),
               "non-positive stride 0 in dimension 0");
  CheckRefused(Entry(head + "f32[4,5] reduce-window(x, z), window={size=2x2}, to_apply=twice"),
               "expects a computation with 2 parameters, but twice has 1", "twice");
  CheckRefused(Entry(head + "f32[4,5] reduce-window(x, z), window={size=2x2}, to_apply=less"),
               "to be pred[], but it is f32[]", "less");
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
               "expects operand 1 (source) to be f32[3,3], but it is f32[2,2]", "s");
  CheckRefused(Entry(head + "f32[4,4] select-and-scatter(x, s, z), select=add, scatter=add, "
                            "window={size=2x2 stride=2x2}"),
               "expects the result of add to be pred[]", "add");
}

TEST_CASE("convolution") {
  std::string head = "x = f32[1,4,5,6] parameter(0)  k = f32[3,3,6,8] parameter(1)\nROOT c = ";
  CheckAccepted(Entry(head + "f32[1,4,5,8] convolution(x, k), dim_labels=b01f_01io->b01f, "
                             "window={size=3x3 pad=1_1x1_1}"));
  CheckRefused(Entry(head + "f32[1,4,5,8] convolution(x, k), dim_labels=b01f_01io->b01f, "
                            "window={size=3x2 pad=1_1x1_1}"),
               "window size 2 in spatial dimension 1 must be the kernel's 3");
  CheckRefused(Entry(head + "f32[1,4,5,8] convolution(x, k), dim_labels=b01f_01io->b01f, "
                            "window={size=3x3}, feature_group_count=2"),
               "divided by feature_group_count (2) must be the kernel's input features (6)");
  CheckRefused(Entry(head + "f32[1,4,5,8] convolution(x, k), dim_labels=b01f_01io->b01f, "
                            "window={size=3x3}, feature_group_count=2, batch_group_count=2"),
               "are greater than 1", "2");
  CheckRefused(Entry(head + "f32[1,2,3,9] convolution(x, k), dim_labels=b01f_01io->b01f, "
                            "window={size=3x3}"),
               "shape equal to f32[1,2,3,8]", "f32[1,2,3,9]");
}

TEST_CASE("linear algebra") {
  std::string head = "a = f32[2,3,3] parameter(0)  b = f32[2,3,4] parameter(1)\nROOT r = ";
  CheckAccepted(Entry(head + "f32[2,3,3] cholesky(a), lower=true"));
  CheckRefused(Entry(head + "f32[2,3,4] cholesky(b)"), "(3 rows, 4 columns)", "b");
  CheckAccepted(Entry(head + "f32[2,3,4] triangular-solve(a, b), left_side=true, "
                             "transpose_a=NO_TRANSPOSE"));
  CheckRefused(Entry(head + "f32[2,3,4] triangular-solve(a, b), transpose_a=NO_TRANSPOSE"),
               "dimension 2 of b has size 4, but the matrices of a have 3", "b");
  CheckRefused(Entry(head + "f32[2,3,4] triangular-solve(a, b), left_side=true"),
               "transpose_a must be", "triangular-solve");
  CheckAccepted(Entry(head + "c64[2,3,3] fft(b), fft_type=RFFT, fft_length={4}"));
  CheckRefused(Entry(head + "c64[2,3,4] fft(b), fft_type=FFT, fft_length={4}"),
               "FFT takes complex numbers, but the operand is f32[2,3,4]", "b");
  CheckRefused(Entry(head + "c64[2,3,3] fft(b), fft_type=RFFT, fft_length={5}"),
               "expects dimension 2 to be 5 for fft_length 5, but it is 4", "b");
  CheckRefused(Entry(head + "c64[2,3,3] fft(b), fft_type=RFFT, fft_length={1,2,3,4}"),
               "expects 1 to 3 lengths", "{1,2,3,4}");
}

TEST_CASE("batch normalisation") {
  std::string head =
      "x = f32[2,3,4] parameter(0)  s = f32[4] parameter(1)  t = f32[3] parameter(2)\nROOT r = ";
  CheckAccepted(Entry(head + "(f32[2,3,4], f32[4], f32[4]) batch-norm-training(x, s, s), "
                             "epsilon=0.001, feature_index=2"));
  CheckRefused(Entry(head + "(f32[2,3,4], f32[4], f32[4]) batch-norm-training(x, s, t), "
                            "epsilon=0.001, feature_index=2"),
               "expects operand 2 (offset) to be f32[4], but it is f32[3]", "t");
  CheckRefused(Entry(head + "f32[2,3,4] batch-norm-inference(x, s, s, s, s), epsilon=0, "
                            "feature_index=3"),
               "must be in [0, 3), but is 3", "3");
}

TEST_CASE("gather") {
  std::string head = "x = f32[5,6] parameter(0)  i = s32[4] parameter(1)\nROOT g = ";
  CheckAccepted(Entry(head + "f32[4,6] gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, "
                             "start_index_map={0}, index_vector_dim=1, slice_sizes={1,6}"));
  CheckRefused(Entry(head + "f32[4,6] gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, "
                            "start_index_map={0}, index_vector_dim=1, slice_sizes={1,7}"),
               "size 7 is out of range for dimension 1 of the operand, [0, 6]", "{1,7}");
  CheckRefused(Entry(head + "f32[4,6] gather(x, i), offset_dims={1}, collapsed_slice_dims={0}, "
                            "start_index_map={0,1}, index_vector_dim=1, slice_sizes={1,6}"),
               "it has 2 entries, but the index vectors in s32[4] have 1", "{0,1}");
  CheckRefused(Entry(head + "f32[4,6] gather(x, i), offset_dims={2}, collapsed_slice_dims={0}, "
                            "start_index_map={0}, index_vector_dim=1, slice_sizes={1,6}"),
               "dimension 2 is out of range for the result (rank 2)", "{2}");
  CheckRefused(Entry(head + "f32[4,6] gather(x, x), offset_dims={1}, collapsed_slice_dims={0}, "
                            "start_index_map={0}, index_vector_dim=1, slice_sizes={1,6}"),
               "to be one of signed integer, unsigned integer, but it is f32[5,6]", "x");
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
               "dimension 0 of the updates f32[5,6] must be 4", "x");
  CheckRefused(Entry(head + "f32[5,6] scatter(x, i, u)" + rest +
                     "scatter_dims_to_operand_dims={0}, to_apply=twice"),
               "expects a computation with 2 parameters", "twice");
}

TEST_CASE("sort, topk, scan") {
  std::string head = "x = f32[3,4] parameter(0)  c = f32[4] parameter(1)\nROOT r = ";
  CheckAccepted(Entry(head + "f32[3,4] sort(x), dimensions={1}, to_apply=less"));
  CheckRefused(Entry(head + "f32[3,4] sort(x), dimensions={2}, to_apply=less"),
               "dimension 2 is out of range for operand 0 (rank 2)", "{2}");
  CheckRefused(Entry(head + "f32[3,4] sort(x), dimensions={0}, to_apply=add"),
               "expects the result of add to be pred[], but it is f32[]", "add");
  CheckAccepted(Entry(head + "(f32[3,2], s32[3,2]) topk(x), k=2"));
  CheckRefused(Entry(head + "(f32[3,5], s32[3,5]) topk(x), k=5"), "must be in [0, 4]", "5");
  std::string body =
      "body { a = f32[4] parameter(0)  b = f32[4] parameter(1)\n"
      "  s = f32[4] add(a, b)  ROOT t = (f32[4], f32[4]) tuple(s, s) }\n";
  CheckAccepted(body + Entry(head + "(f32[3,4], f32[4]) scan(x, c), dimensions={0}, "
                                    "num_carries=1, to_apply=body"));
  CheckRefused(body + Entry(head + "(f32[3,4], f32[4]) scan(x, c), dimensions={2}, "
                                   "num_carries=1, to_apply=body"),
               "dimension 2 is out of range", "{2}");
}

TEST_CASE("ragged-dot, scaled-dot") {
  std::string head =
      "a = f32[6,2] parameter(0)  b = f32[3,2,5] parameter(1)  g = s32[3] parameter(2)\n"
      "ROOT r = ";
  std::string dims = ", lhs_contracting_dims={1}, rhs_contracting_dims={1}, lhs_ragged_dims={0}";
  CheckAccepted(Entry(head + "f32[6,5] ragged-dot(a, b, g)" + dims + ", rhs_group_dims={0}"));
  CheckRefused(Entry(head + "f32[6,5] ragged-dot(a, b, g)" + dims + ", rhs_group_dims={2}"),
               "dimension 2 of the rhs has size 5, but there are 3 groups", "{2}");
  CheckRefused(Entry("a = f32[2,10] parameter(0)  b = f32[10,2] parameter(1)\n"
                     "s = f32[2,6] parameter(2)  t = f32[5,1] parameter(3)\n"
                     "ROOT r = f32[2,2] scaled-dot(a, b, s, t), lhs_contracting_dims={1}, "
                     "rhs_contracting_dims={0}"),
               "should be a multiple of dimension", "s");
}

}  // namespace
}  // namespace hlo
