// run
// Regions take values as they are stored: what they give is rounded and clamped at each step.
// input 0: {10, 60, -10, 1.2}
// output: (f32[] 54, s8[4] {-19,3,21,121}, f32[4] {10,60,-10,1}, s8[2] {121,3})
func.func @main(%x: tensor<4xf32>) -> (tensor<f32>, tensor<4xi8>, tensor<4xf32>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>) {
  %q = stablehlo.uniform_quantize %x : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5:1>>
  %z = stablehlo.constant dense<1> : tensor<i8>
  %i = stablehlo.bitcast_convert %z : (tensor<i8>) -> tensor<!quant.uniform<i8:f32, 0.5:1>>
  %0 = stablehlo.reduce(%q init: %i) across dimensions = [0] : (tensor<4x!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<!quant.uniform<i8:f32, 0.5:1>>
   reducer(%a: tensor<!quant.uniform<i8:f32, 0.5:1>>, %b: tensor<!quant.uniform<i8:f32, 0.5:1>>) {
    %5 = stablehlo.add %a, %b : tensor<!quant.uniform<i8:f32, 0.5:1>>
    stablehlo.return %5 : tensor<!quant.uniform<i8:f32, 0.5:1>>
  }
  %1 = "stablehlo.sort"(%q) ({
  ^bb0(%p: tensor<!quant.uniform<i8:f32, 0.5:1>>, %r: tensor<!quant.uniform<i8:f32, 0.5:1>>):
    %7 = stablehlo.compare LT, %p, %r : (tensor<!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<i1>
    stablehlo.return %7 : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<4x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:1>>
  %d = stablehlo.uniform_dequantize %0 : (tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<f32>
  %s = stablehlo.bitcast_convert %1 : (tensor<4x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<4xi8>
  %m = "stablehlo.map"(%q) ({
  ^bb0(%p: tensor<!quant.uniform<i8:f32, 0.5:1>>):
    %7 = stablehlo.uniform_dequantize %p : (tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<f32>
    stablehlo.return %7 : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<4xf32>
  %w = "stablehlo.reduce_window"(%q, %i) ({
  ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.5:1>>, %b: tensor<!quant.uniform<i8:f32, 0.5:1>>):
    %7 = stablehlo.maximum %a, %b : tensor<!quant.uniform<i8:f32, 0.5:1>>
    stablehlo.return %7 : tensor<!quant.uniform<i8:f32, 0.5:1>>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4x!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>>
  return %d, %s, %m, %w : tensor<f32>, tensor<4xi8>, tensor<4xf32>, tensor<2x!quant.uniform<i8:f32, 0.5:1>>
}
// -----
// run
// Stored values are promoted too.
// input 0: s8[2] {101, 101}
// input 1: s8[] 1
// output: f32[] 100
func.func @main(%q: tensor<2x!quant.uniform<i8:f32, 0.5:1>>, %i: tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<f32> {
  %0 = "stablehlo.reduce"(%q, %i) ({
  ^bb0(%a: tensor<!quant.uniform<i32:f32, 0.5:1>>, %b: tensor<!quant.uniform<i32:f32, 0.5:1>>):
    %5 = stablehlo.add %a, %b : tensor<!quant.uniform<i32:f32, 0.5:1>>
    stablehlo.return %5 : tensor<!quant.uniform<i32:f32, 0.5:1>>
  }) {dimensions = array<i64: 0>} : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<!quant.uniform<i32:f32, 0.5:1>>
  %d = stablehlo.uniform_dequantize %0 : (tensor<!quant.uniform<i32:f32, 0.5:1>>) -> tensor<f32>
  return %d : tensor<f32>
}
// -----
// run
// Products with a quantised right side, and what moves quantised values.
// input 0: s8[2,2] {{1, 2}, {3, 4}}
// input 1: s8[2,2] {{2, 4}, {6, 8}}
// input 2: f32[2,2] {{1, 2}, {3, 4}}
// input 3: s8[1,2] {{4, 5}}
// output: f32[2,2] {{7, 5}, {15, 11}}
func.func @main(%m: tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>, %p: tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>, %g: tensor<2x2xf32>, %o: tensor<1x2x!quant.uniform<i8:f32:0, {0.5:3}>>) -> tensor<2x2xf32> {
  %4 = stablehlo.dot_general %m, %p, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<2x2x!quant.uniform<i32:f32:1, {0.5, 0.25}>>
  %6 = stablehlo.dot_general %g, %p, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<2x2xf32>
  %9 = stablehlo.transpose %p, dims = [1, 0] : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  %10 = stablehlo.reshape %p : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<1x2x2x!quant.uniform<i8:f32:2, {0.5, 0.25}>>
  %11 = stablehlo.broadcast_in_dim %p, dims = [0, 2] : (tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<2x2x2x!quant.uniform<i8:f32:2, {0.5, 0.25}>>
  %12 = stablehlo.broadcast_in_dim %o, dims = [0, 1] : (tensor<1x2x!quant.uniform<i8:f32:0, {0.5:3}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5:3, 0.5:3}>>
  return %6 : tensor<2x2xf32>
}
// -----
// bad: the values in its region have other scales and zero points than those outside
// bad: expects all operands and results to be either quantized or non-quantized
// bad: quantization dimensions of lhs, rhs and result are not the same
// bad: Zero points of rhs should be 0
// bad: Quantization dimension of rhs should not be in the contracting dimension of rhs
// bad: rhs should be quantized for quantized operations and is_quantized(lhs)=is_quantized(result) should hold
// bad: mismatched rhs quantization expressed type and lhs and result element type
// bad: mismatched rhs and result quantization granularity
// bad: 'stablehlo.transpose' op expect same quantization scales and zero points
// bad: 'stablehlo.transpose' op expect same quantization dimension
// bad: expect same quantization number of elements before the quantization dimension
// bad: 'stablehlo.broadcast_in_dim' op expect same quantization dimension
// bad: quantization dimensions of rhs and result should be those of the output features
// Quantised types that may not meet.
func.func @main(%q: tensor<2x!quant.uniform<i8:f32, 0.5:1>>, %i: tensor<!quant.uniform<i8:f32, 0.5:1>>, %f: tensor<2xf32>, %m: tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>, %p: tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, %g: tensor<2x2xf32>, %z: tensor<2x2x!quant.uniform<i8:f32, 0.5>>, %h: tensor<2x2xf64>, %x: tensor<1x2x2x!quant.uniform<i8:f32, 0.5>>, %k: tensor<1x2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) {
  %0 = "stablehlo.reduce"(%q, %i) ({
  ^bb0(%a: tensor<!quant.uniform<i8:f32, 0.25:1>>, %b: tensor<!quant.uniform<i8:f32, 0.25:1>>):
    stablehlo.return %a : tensor<!quant.uniform<i8:f32, 0.25:1>>
  }) {dimensions = array<i64: 0>} : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<!quant.uniform<i8:f32, 0.5:1>>) -> tensor<!quant.uniform<i8:f32, 0.25:1>>
  %1 = stablehlo.add %q, %f : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2xf32>) -> tensor<2xf32>
  %2 = stablehlo.add %p, %p : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>, tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  %3 = stablehlo.dot_general %m, %m, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>
  %4 = stablehlo.dot_general %m, %p, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>
  %5 = stablehlo.dot_general %m, %g, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>
  %6 = stablehlo.dot_general %h, %z, contracting_dims = [1] x [0] : (tensor<2x2xf64>, tensor<2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x2xf64>
  %7 = stablehlo.dot_general %m, %z, contracting_dims = [1] x [0] : (tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>, tensor<2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x2x!quant.uniform<i32:f32:1, {0.5, 0.25}>>
  %8 = stablehlo.transpose %m, dims = [1, 0] : (tensor<2x2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5>>
  %9 = stablehlo.transpose %p, dims = [1, 0] : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>
  %10 = stablehlo.reshape %p : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<1x2x2x!quant.uniform<i8:f32:2, {0.5, 0.25}>>
  %11 = stablehlo.broadcast_in_dim %p, dims = [0, 2] : (tensor<2x2x!quant.uniform<i8:f32:0, {0.5, 0.25}>>) -> tensor<2x2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>
  %12 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x2x!quant.uniform<i8:f32, 0.5>>, tensor<1x2x2x!quant.uniform<i8:f32:1, {0.5, 0.25}>>) -> tensor<1x2x2x!quant.uniform<i32:f32, 0.5>>
  return
}
// -----
// run
// So does an op that is named: 50 + 50 is clamped to 63.5 before 50 is taken away.
// input 0: s8[3] {100, 100, -100}
// input 1: s8[] 0
// output: f32[] 13.5
func.func @main(%q: tensor<3x!quant.uniform<i8:f32, 0.5>>, %i: tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<f32> {
  %0 = stablehlo.reduce(%q init: %i) applies stablehlo.add across dimensions = [0] : (tensor<3x!quant.uniform<i8:f32, 0.5>>, tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<!quant.uniform<i8:f32, 0.5>>
  %d = stablehlo.uniform_dequantize %0 : (tensor<!quant.uniform<i8:f32, 0.5>>) -> tensor<f32>
  return %d : tensor<f32>
}
