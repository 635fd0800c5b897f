// run
// tolerance: abs=1e-300 rel=2e-13
// output: f64[13] {1.2880225246980774, 0.57236494292470008, 0.28468287047291918, 12.801827480081469, 704.00442773420468, 1.2655121234846454, 1.3664317612369763, -1.3172679424463636, inf, inf, nan, inf, inf}
// Numbers from series in 80 digits (asymptotic ones with Bernoulli numbers, or power series).
func.func @main() -> tensor<13xf64> {
  %x = stablehlo.constant dense<[0.25, 0.5, 2.5, 10.0, 170.5, -0.5, -1.25, -3.75, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000, 0.0, -2.0]> : tensor<13xf64>
  %y = chlo.lgamma %x : tensor<13xf64> -> tensor<13xf64>
  return %y : tensor<13xf64>
}
// -----
// run
// tolerance: abs=1e-300 rel=5e-13
// output: f64[11] {-4.2274535333762655, -0.57721566490153287, 0.03648997397857652, 2.2517525890667209, 0.03648997397857652, 3.7141391202135279, -1.6923885983113303, -inf, -inf, nan, nan}
// Numbers from series in 80 digits (asymptotic ones with Bernoulli numbers, or power series).
// StableHLO: -inf at zero, NaN at the other poles.
func.func @main() -> tensor<11xf64> {
  %x = stablehlo.constant dense<[0.25, 1.0, 1.5, 10.0, -0.5, -1.25, -3.75, 0.0, -0.0, -2.0, 0x7FF8000000000000]> : tensor<11xf64>
  %y = chlo.digamma %x : tensor<11xf64> -> tensor<11xf64>
  return %y : tensor<11xf64>
}
// -----
// run
// tolerance: abs=1e-300 rel=1e-14
// output: f64[8] {0.1564208031848717, -0.21526928924893765, 0.1360511000803391, 0.13054935509459586, -0.071916330598647549, 0.017827851852898056, 0, 0}
// Numbers from series in 80 digits (asymptotic ones with Bernoulli numbers, or power series).
func.func @main() -> tensor<8xf64> {
  %x = stablehlo.constant dense<[0.5, -2.0, 7.75, 8.5, -30.0, 500.0, 0.0, 0x7FF0000000000000]> : tensor<8xf64>
  %y = chlo.bessel_i1e %x : tensor<8xf64> -> tensor<8xf64>
  return %y : tensor<8xf64>
}
// -----
// run
// tolerance: abs=1e-300 rel=1e-14
// output: f64[11] {1.9953222650189528, 1.5204998778130465, 0.7236736098317631, 0.28884436634648486, 0.15729920705028513, 0.033894853524689274, 2.2090496998585441e-05, 1.5374597944280349e-12, 4.1370317465138101e-37, 0, 2}
// Numbers from series in 80 digits (asymptotic ones with Bernoulli numbers, or power series).
func.func @main() -> tensor<11xf64> {
  %x = stablehlo.constant dense<[-2.0, -0.5, 0.25, 0.75, 1.0, 1.5, 3.0, 5.0, 9.0, 0x7FF0000000000000, 0xFFF0000000000000]> : tensor<11xf64>
  %y = chlo.erfc %x : tensor<11xf64> -> tensor<11xf64>
  return %y : tensor<11xf64>
}
// -----
// run
// tolerance: abs=1e-300 rel=1e-14
// output: f64[9] {-0.47693627620446988, 0.11123545184094996, 0.81341984759761854, 1.3171503349861307, 2.3314677736219478, inf, -inf, nan, 0}
// Numbers from series in 80 digits (asymptotic ones with Bernoulli numbers, or power series).
func.func @main() -> tensor<9xf64> {
  %x = stablehlo.constant dense<[-0.5, 0.125, 0.75, 0.9375, 0.9990234375, 1.0, -1.0, 2.0, 0.0]> : tensor<9xf64>
  %y = chlo.erf_inv %x : tensor<9xf64> -> tensor<9xf64>
  return %y : tensor<9xf64>
}
// -----
// run
// tolerance: abs=1e-300 rel=1e-14
// output: f64[11] {1.6449340668482264, 4.7765379475548331, 0.1181020258208637, 1.0083492773819229, 6.8371774252843274, inf, nan, inf, inf, nan, nan}
// Numbers from series in 80 digits (asymptotic ones with Bernoulli numbers, or power series).
// Poles: +inf for even x, else NaN; below 1, or of a fraction where q is not positive: NaN.
func.func @main() -> tensor<11xf64> {
  %a = stablehlo.constant dense<[2.0, 1.5, 3.0, 7.0, 1.125, 1.0, 0.5, 2.0, 2.0, 3.0, 2.5]> : tensor<11xf64>
  %b = stablehlo.constant dense<[1.0, 0.5, 2.5, 1.0, 4.0, 2.0, 2.0, 0.0, -3.0, -3.0, -0.5]> : tensor<11xf64>
  %y = chlo.zeta %a, %b : tensor<11xf64>, tensor<11xf64> -> tensor<11xf64>
  return %y : tensor<11xf64>
}
// -----
// run
// tolerance: abs=1e-300 rel=1e-12
// output: f64[7] {0.70315664064524319, 1.6449340668482264, -16.82879664423432, 0.036653725759864593, 11.113548602435497, nan, nan}
// Numbers from series in 80 digits (asymptotic ones with Bernoulli numbers, or power series).
func.func @main() -> tensor<7xf64> {
  %a = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 5.0, 0.5, -1.0]> : tensor<7xf64>
  %b = stablehlo.constant dense<[2.5, 1.0, 0.5, 4.25, 1.5, 2.0, 2.0]> : tensor<7xf64>
  %y = chlo.polygamma %a, %b : tensor<7xf64>, tensor<7xf64> -> tensor<7xf64>
  return %y : tensor<7xf64>
}
// -----
// run
// tolerance: rel=1e-2
// output: (f32[3] {1.2880225246980774, 0.28468287047291918, 1.3664317612369763}, bf16[2] {0.0365, 2.25}, f32[4] {1.9953222650189528, 0.7236736098317631, 0.033894853524689274, 2.2090496998585441e-05}, f32[3] {-0.47693627620446988, 0.81341984759761854, 2.3314677736219478}, f16[2] {0.1564, 0.1305})
// Narrower types compute in f32, which has formulas of its own for erfc and erf_inv.
func.func @main() -> (tensor<3xf32>, tensor<2xbf16>, tensor<4xf32>, tensor<3xf32>, tensor<2xf16>) {
  %a = stablehlo.constant dense<[0.25, 2.5, -1.25]> : tensor<3xf32>
  %0 = chlo.lgamma %a : tensor<3xf32> -> tensor<3xf32>
  %b = stablehlo.constant dense<[1.5, 10.0]> : tensor<2xbf16>
  %1 = chlo.digamma %b : tensor<2xbf16> -> tensor<2xbf16>
  %c = stablehlo.constant dense<[-2.0, 0.25, 1.5, 3.0]> : tensor<4xf32>
  %2 = chlo.erfc %c : tensor<4xf32> -> tensor<4xf32>
  %d = stablehlo.constant dense<[-0.5, 0.75, 0.9990234375]> : tensor<3xf32>
  %3 = chlo.erf_inv %d : tensor<3xf32> -> tensor<3xf32>
  %e = stablehlo.constant dense<[0.5, 8.5]> : tensor<2xf16>
  %4 = chlo.bessel_i1e %e : tensor<2xf16> -> tensor<2xf16>
  return %0, %1, %2, %3, %4 : tensor<3xf32>, tensor<2xbf16>, tensor<4xf32>, tensor<3xf32>, tensor<2xf16>
}
// -----
// run
// output: (f32[6] {1e-45, -1e-45, 1.00000012, 0.99999994, inf, nan}, pred[4] {1, 1, 0, 0}, pred[4] {1, 0, 0, 0}, pred[4] {0, 1, 0, 0})
// Neighbours: of zero, of one in both directions, of the largest number, of NaN.
func.func @main() -> (tensor<6xf32>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
  %x = stablehlo.constant dense<[0.0, 0.0, 1.0, 1.0, 3.40282347E+38, 0x7FC00000]> : tensor<6xf32>
  %y = stablehlo.constant dense<[1.0, -1.0, 2.0, -2.0, 0x7F800000, 1.0]> : tensor<6xf32>
  %0 = chlo.next_after %x, %y : tensor<6xf32>, tensor<6xf32> -> tensor<6xf32>
  %z = stablehlo.constant dense<[0x7C00, 0xFC00, 0x7E00, 1.0]> : tensor<4xf16>
  %1 = chlo.is_inf %z : tensor<4xf16> -> tensor<4xi1>
  %2 = chlo.is_pos_inf %z : tensor<4xf16> -> tensor<4xi1>
  %3 = chlo.is_neg_inf %z : tensor<4xf16> -> tensor<4xi1>
  return %0, %1, %2, %3 : tensor<6xf32>, tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
}
// -----
// run
// tolerance: rel=1e-15
// output: (s32[2,3] {{11, 21, 31}, {12, 22, 32}}, s32[2,3] {{11, 10, 11}, {21, 22, 23}}, pred[2] {0, 1}, f32[2] {5, 7}, c64[2] {(1, 3), (2, 3)}, f64[2] {1.6449340668482264, 0.64493406684822641})
// Stretched operands: the shorter one gets dimensions in front, or those that are named; size 1 is
// as large as the other.
func.func @main() -> (tensor<2x3xi32>, tensor<2x3xi32>, tensor<2xi1>, tensor<2xf32>, tensor<2xcomplex<f32>>, tensor<2xf64>) {
  %col = stablehlo.constant dense<[[1], [2]]> : tensor<2x1xi32>
  %row = stablehlo.constant dense<[10, 20, 30]> : tensor<3xi32>
  %0 = chlo.broadcast_add %col, %row : (tensor<2x1xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  %tens = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %ones = stablehlo.constant dense<[[1, 2, 3]]> : tensor<1x3xi32>
  %1 = chlo.broadcast_or %tens, %ones {broadcast_dimensions = array<i64: 0>} : (tensor<2xi32>, tensor<1x3xi32>) -> tensor<2x3xi32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %pair = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %2 = chlo.broadcast_compare %pair, %two {comparison_direction = #chlo<comparison_direction EQ>} : (tensor<2xi32>, tensor<i32>) -> tensor<2xi1>
  %five = stablehlo.constant dense<5.0> : tensor<f32>
  %seven = stablehlo.constant dense<[6.0, 7.0]> : tensor<2xf32>
  %p = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %3 = chlo.broadcast_select %p, %five, %seven : (tensor<2xi1>, tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  %re = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %im = stablehlo.constant dense<3.0> : tensor<1xf32>
  %4 = chlo.broadcast_complex %re, %im : (tensor<2xf32>, tensor<1xf32>) -> tensor<2xcomplex<f32>>
  %s = stablehlo.constant dense<2.0> : tensor<f64>
  %q = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf64>
  %5 = chlo.broadcast_zeta %s, %q : (tensor<f64>, tensor<2xf64>) -> tensor<2xf64>
  return %0, %1, %2, %3, %4, %5 : tensor<2x3xi32>, tensor<2x3xi32>, tensor<2xi1>, tensor<2xf32>, tensor<2xcomplex<f32>>, tensor<2xf64>
}
// -----
// run
// output: (c64[2] {(1, -2), (3, 4)}, f32[2] {1, -2}, f32[2,2] {{7, 7}, {7, 7}}, s8[3] {-2, 48, 0}, u64[2] {18446744073709551614, 1}, s64[3] {-1, 1, 0})
// conj of a real number is itself. High halves of products: -3 * 100 = -2 * 256 + 212, 111 * 111 =
// 48 * 256 + 33; (2^64 - 1)^2 = (2^64 - 2) * 2^64 + 1, 2^32 * 2^32; -1 * 5 = -1 * 2^64 + ...
func.func @main() -> (tensor<2xcomplex<f32>>, tensor<2xf32>, tensor<2x2xf32>, tensor<3xi8>, tensor<2xui64>, tensor<3xi64>) {
  %c = stablehlo.constant dense<[(1.0, 2.0), (3.0, -4.0)]> : tensor<2xcomplex<f32>>
  %0 = chlo.conj %c : tensor<2xcomplex<f32>> -> tensor<2xcomplex<f32>>
  %r = stablehlo.constant dense<[1.0, -2.0]> : tensor<2xf32>
  %1 = chlo.conj %r : tensor<2xf32> -> tensor<2xf32>
  %like = stablehlo.constant dense<0> : tensor<2x2xi32>
  %2 = "chlo.constant_like"(%like) <{value = 7.0 : f32}> : (tensor<2x2xi32>) -> tensor<2x2xf32>
  %a = stablehlo.constant dense<[-3, 111, 1]> : tensor<3xi8>
  %b = stablehlo.constant dense<[100, 111, 1]> : tensor<3xi8>
  %3 = "chlo.mulhi"(%a, %b) : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi8>
  %d = stablehlo.constant dense<[18446744073709551615, 4294967296]> : tensor<2xui64>
  %4 = "chlo.mulhi"(%d, %d) : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xui64>
  %e = stablehlo.constant dense<[-1, -4294967296, 3]> : tensor<3xi64>
  %f = stablehlo.constant dense<[5, -4294967296, 4]> : tensor<3xi64>
  %5 = "chlo.mulhi"(%e, %f) : (tensor<3xi64>, tensor<3xi64>) -> tensor<3xi64>
  return %0, %1, %2, %3, %4, %5 : tensor<2xcomplex<f32>>, tensor<2xf32>, tensor<2x2xf32>, tensor<3xi8>, tensor<2xui64>, tensor<3xi64>
}
// -----
// run
// output: (f32[2] {9, 5}, s32[2] {2, 0}, f32[3,2] {{1, 2}, {3, 4}, {100, 110}}, f32[2] {9, 5}, s32[2] {2, 0})
// top_k; a ragged product, whose first two rows meet the first matrix and the last the second; and
// an op of MHLO inside a custom_call.
func.func @main() -> (tensor<2xf32>, tensor<2xi32>, tensor<3x2xf32>, tensor<2xf32>, tensor<2xi32>) {
  %x = stablehlo.constant dense<[5.0, 1.0, 9.0]> : tensor<3xf32>
  %v, %i = chlo.top_k(%x, k = 2) : tensor<3xf32> -> (tensor<2xf32>, tensor<2xi32>)
  %lhs = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [10.0, 11.0]]> : tensor<3x2xf32>
  %rhs = stablehlo.constant dense<[[[1.0, 0.0], [0.0, 1.0]], [[10.0, 0.0], [0.0, 10.0]]]> : tensor<2x2x2xf32>
  %sizes = stablehlo.constant dense<[2, 1]> : tensor<2xi32>
  %r = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<3x2xf32>, tensor<2x2x2xf32>, tensor<2xi32>) -> tensor<3x2xf32>
  %t:2 = stablehlo.custom_call @mhlo.topk(%x) {mhlo.attributes = {k = 2 : i64, largest = true}, mhlo.version = 1 : i64} : (tensor<3xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  return %v, %i, %r, %t#0, %t#1 : tensor<2xf32>, tensor<2xi32>, tensor<3x2xf32>, tensor<2xf32>, tensor<2xi32>
}
// -----
// run
// output: (s32[4] {1, 3, 6, 10}, s32[] 10)
// A scan: outputs first, then what is carried.
func.func @main() -> (tensor<4xi32>, tensor<i32>) {
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %sums, %last = "chlo.scan"(%x, %zero) <{dimension = 0 : i64, is_reverse = false, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<i32>, %carry: tensor<i32>):
    %s = stablehlo.add %a, %carry : tensor<i32>
    stablehlo.return %s, %s : tensor<i32>, tensor<i32>
  }) : (tensor<4xi32>, tensor<i32>) -> (tensor<4xi32>, tensor<i32>)
  return %sums, %last : tensor<4xi32>, tensor<i32>
}
// -----
// run
// output: (s32[2,3] {{5, 7, 9}, {4, 5, 6}}, s32[3] {5, 7, 9})
// The form of its own: inputs in the first parentheses, what is carried behind "inits".
func.func @main() -> (tensor<2x3xi32>, tensor<3xi32>) {
  %x = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %zero = stablehlo.constant dense<0> : tensor<3xi32>
  %sums, %last = chlo.scan(%x) inits (%zero) dimension=0 {is_reverse = true} {
  ^bb0(%a: tensor<3xi32>, %carry: tensor<3xi32>):
    %s = stablehlo.add %a, %carry : tensor<3xi32>
    stablehlo.return %s, %s : tensor<3xi32>, tensor<3xi32>
  } : (tensor<2x3xi32>, tensor<3xi32>) -> (tensor<2x3xi32>, tensor<3xi32>)
  return %sums, %last : tensor<2x3xi32>, tensor<3xi32>
}
// -----
// run
// output: (f32[2] {9, 7}, s32[2] {2, 3})
// JAX's approx_max_k: the comparator orders the values and their indices.
func.func @main() -> (tensor<2xf32>, tensor<2xi32>) {
  %x = stablehlo.constant dense<[5.0, 1.0, 9.0, 7.0]> : tensor<4xf32>
  %i = stablehlo.iota dim = 0 : tensor<4xi32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %r:2 = stablehlo.custom_call @ApproxTopK(%x, %i, %low, %none) {called_computations = [@larger], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.949999988 : f32, reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64, top_k = 2 : i64}} : (tensor<4xf32>, tensor<4xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xi32>
}
func.func private @larger(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
// -----
// bad: operand-invalid: 'chlo.lgamma' op takes x: floats, not s32[3]
// bad: dimension-numbers: 'chlo.broadcast_add' op f32[2] cannot be stretched to the shape of the others
// bad: shape-mismatch: 'chlo.next_after' op takes operands of one type, not f32[3] and f32[2]
func.func @main(%i: tensor<3xi32>, %x: tensor<3xf32>, %y: tensor<2xf32>) {
  %0 = chlo.lgamma %i : tensor<3xi32> -> tensor<3xi32>
  %1 = chlo.broadcast_add %x, %y : (tensor<3xf32>, tensor<2xf32>) -> tensor<3xf32>
  %2 = chlo.next_after %x, %y : tensor<3xf32>, tensor<2xf32> -> tensor<3xf32>
  return
}
// -----
// run
// A broadcasting op does what the op of its name does: complex numbers are compared by their real, then imaginary parts.
// input 0: c64[3] {(1,2),(1,-1),(3,0)}
// output: (c64[3] {(1,2),(1,0),(3,0)}, c64[3] {(1,0),(1,-1),(1,0)})
func.func @main(%a: tensor<3xcomplex<f32>>) -> (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) {
  %one = stablehlo.constant dense<(1.0, 0.0)> : tensor<complex<f32>>
  %0 = chlo.broadcast_maximum %a, %one : (tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3xcomplex<f32>>
  %1 = chlo.broadcast_minimum %a, %one : (tensor<3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3xcomplex<f32>>
  return %0, %1 : tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>
}
// -----
// run
// tolerance: abs=1e-15 rel=1e-14
// output: (c128[3] {(1.3721451156992537, 0.9261330313501823), (0, 1.3169578969248166), (0, 1.3169578969248166)}, f64[3] {0.3494390628572133, -1.5707963267948966, 1.5707963267948966}, f64[3] {0.3494390628572133, -1.5707963267948966, 1.5707963267948966})
// asin from its kernel, as StableHLO writes it.
func.func @main() -> (tensor<3xcomplex<f64>>, tensor<3xf64>, tensor<3xf64>) {
  %z = stablehlo.constant dense<[(0.5, 1.0), (-2.0, 0.0), (2.0, 0.0)]> : tensor<3xcomplex<f64>>
  %w = chlo._asin_acos_kernel %z : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  %x = stablehlo.real %z : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
  %r = stablehlo.real %w : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
  %real = stablehlo.atan2 %x, %r : tensor<3xf64>
  %asin = chlo.asin %z : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  %wanted = stablehlo.real %asin : (tensor<3xcomplex<f64>>) -> tensor<3xf64>
  return %w, %real, %wanted : tensor<3xcomplex<f64>>, tensor<3xf64>, tensor<3xf64>
}
