// convert: stablehlo
// StableHLO from StableHLO is its own printer's text of the program: names follow the operations
// (%c and %cst for constants, %iterArg in a while), the generic form where an operation has no
// other, attributes by name, types as often as that form needs them.
//| module @anything {
//|   func.func @main(%arg0: tensor<4x3xf32>, %arg1: tensor<3xf32>) -> tensor<4x3xf32> {
//|     %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
//|     %c = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
//|     %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
//|     %1 = stablehlo.add %arg0, %0 : tensor<4x3xf32>
//|     %2 = stablehlo.compare  GT, %1, %arg0 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xi1>
//|     %3 = stablehlo.compare  GT, %1, %arg0,  FLOAT {mhlo.frontend_attributes = {a = "0", z = "1"}} : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xi1>
//|     %4 = stablehlo.select %2, %1, %arg0 : tensor<4x3xi1>, tensor<4x3xf32>
//|     return %4 : tensor<4x3xf32>
//|   }
//| }
module @anything {
  func.func @main(%x: tensor<4x3xf32>, %y: tensor<3xf32>) -> tensor<4x3xf32> {
    %one = "stablehlo.constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
    %two = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
    %first = "stablehlo.broadcast_in_dim"(%y) {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>) -> tensor<4x3xf32>
    %sum = "stablehlo.add"(%x, %first) : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    %is = stablehlo.compare GT, %sum, %x : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xi1>
    %gt = stablehlo.compare GT, %sum, %x, FLOAT {mhlo.frontend_attributes = {z = "1", a = "0"}} : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xi1>
    %which = stablehlo.select %is, %sum, %x : tensor<4x3xi1>, tensor<4x3xf32>
    func.return %which : tensor<4x3xf32>
  }
}
// -----
// convert: stablehlo
// Elements: as few digits as say the float and at least six, the bits of what has no digits, one
// for all where all are the same, bytes from a hundred elements on.
//| module {
//|   func.func @main() -> tensor<i1> {
//|     %cst = stablehlo.constant dense<[1.000000e-01, 1.000000e-30, 0x4B800000, 0.333333343, 3.40282347E+38, -0.000000e+00]> : tensor<6xf32>
//|     %cst_0 = stablehlo.constant dense<[1.000000e-01, 0.69999999999999996, 1.000000e+300, 0x419D6F3454000000]> : tensor<4xf64>
//|     %cst_1 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<3xf32>
//|     %cst_2 = stablehlo.constant dense<[1.015630e-01, 4.480000e+02]> : tensor<2xf8E4M3FN>
//|     %cst_3 = stablehlo.constant dense<[(1.000000e+00,-2.000000e+00), (5.000000e-01,0.000000e+00)]> : tensor<2xcomplex<f32>>
//|     %cst_4 = stablehlo.constant dense<(1.000000e+00,-2.000000e+00)> : tensor<2xcomplex<f64>>
//|     %c = stablehlo.constant dense<1> : tensor<2x2xui8>
//|     %c_5 = stablehlo.constant dense<> : tensor<0x3xi32>
//|     %c_6 = stablehlo.constant dense<[256, 512, 768]> : tensor<3xi16>
//|     %c_7 = stablehlo.constant dense<[-1, 7]> : tensor<2xi4>
//|     %cst_8 = stablehlo.constant dense<[1.101560e+00, 2.000000e+00]> : tensor<2xbf16>
//|     %c_9 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
//|     %c_10 = stablehlo.constant dense<true> : tensor<i1>
//|     return %c_10 : tensor<i1>
//|   }
//| }
func.func @main() -> tensor<i1> {
  %0 = stablehlo.constant dense<[0.1, 1.0e-30, 16777216.0, 0.333333343, 3.40282347E+38, -0.0]> : tensor<6xf32>
  %1 = stablehlo.constant dense<[0.1, 0.69999999999999996, 1.0e300, 123456789.0]> : tensor<4xf64>
  %2 = stablehlo.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<3xf32>
  %3 = stablehlo.constant dense<[0.1, 448.0]> : tensor<2xf8E4M3FN>
  %4 = stablehlo.constant dense<[(1.0, -2.0), (0.5, 0.0)]> : tensor<2xcomplex<f32>>
  %5 = stablehlo.constant dense<(1.0, -2.0)> : tensor<2xcomplex<f64>>
  %6 = stablehlo.constant dense<[[1, 1], [1, 1]]> : tensor<2x2xui8>
  %7 = stablehlo.constant dense<> : tensor<0x3xi32>
  %8 = stablehlo.constant dense<"0x000100020003"> : tensor<3xi16>
  %9 = stablehlo.constant dense<[-1, 7]> : tensor<2xi4>
  %10 = stablehlo.constant dense<[1.1, 2.0]> : tensor<2xbf16>
  %11 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %12 = stablehlo.constant dense<true> : tensor<i1>
  return %12 : tensor<i1>
}
// -----
// convert: stablehlo
// Regions: a reduce of one operation names it; others print theirs, each with names of its own
// that start where those around it end.
//| module {
//|   func.func @main(%arg0: tensor<2x3xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xi32>, tensor<f32>, tensor<f32>) {
//|     %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//|     %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
//|     %c = stablehlo.constant dense<0> : tensor<i32>
//|     %1 = stablehlo.iota dim = 1 : tensor<2x3xi32>
//|     %2:2 = stablehlo.reduce(%arg0 init: %cst), (%1 init: %c) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
//|      reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
//|       %5 = stablehlo.maximum %arg1, %arg3 : tensor<f32>
//|       %6 = stablehlo.add %arg2, %arg4 : tensor<i32>
//|       stablehlo.return %5, %6 : tensor<f32>, tensor<i32>
//|     }
//|     %3:2 = stablehlo.while(%iterArg = %c, %iterArg_1 = %cst) : tensor<i32>, tensor<f32>
//|      cond {
//|       %c_2 = stablehlo.constant dense<3> : tensor<i32>
//|       %5 = stablehlo.compare  LT, %iterArg, %c_2,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
//|       stablehlo.return %5 : tensor<i1>
//|     } do {
//|       %c_2 = stablehlo.constant dense<1> : tensor<i32>
//|       %5 = stablehlo.add %iterArg, %c_2 : tensor<i32>
//|       stablehlo.return %5, %iterArg_1 : tensor<i32>, tensor<f32>
//|     }
//|     %c_0 = stablehlo.constant dense<true> : tensor<i1>
//|     %4 = "stablehlo.if"(%c_0) ({
//|       stablehlo.return %cst : tensor<f32>
//|     }, {
//|       %5 = stablehlo.add %3#1, %cst : tensor<f32>
//|       stablehlo.return %5 : tensor<f32>
//|     }) : (tensor<i1>) -> tensor<f32>
//|     return %0, %2#0, %2#1, %3#1, %4 : tensor<2xf32>, tensor<2xf32>, tensor<2xi32>, tensor<f32>, tensor<f32>
//|   }
//| }
func.func @main(%a: tensor<2x3xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xi32>, tensor<f32>, tensor<f32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce"(%a, %z) ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %s = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %k = stablehlo.constant dense<0> : tensor<i32>
  %i = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %1:2 = stablehlo.reduce(%a init: %z), (%i init: %k) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
    reducer(%l: tensor<f32>, %r: tensor<f32>) (%li: tensor<i32>, %ri: tensor<i32>)  {
    %m = stablehlo.maximum %l, %r : tensor<f32>
    %n = stablehlo.add %li, %ri : tensor<i32>
    stablehlo.return %m, %n : tensor<f32>, tensor<i32>
  }
  %2:2 = stablehlo.while(%count = %k, %value = %z) : tensor<i32>, tensor<f32>
    cond {
    %c = stablehlo.constant dense<3> : tensor<i32>
    %lt = stablehlo.compare LT, %count, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %lt : tensor<i1>
  } do {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %n = stablehlo.add %count, %c : tensor<i32>
    stablehlo.return %n, %value : tensor<i32>, tensor<f32>
  }
  %p = stablehlo.constant dense<true> : tensor<i1>
  %3 = "stablehlo.if"(%p) ({
    stablehlo.return %z : tensor<f32>
  }, {
    %t = stablehlo.add %2#1, %z : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0, %1#0, %1#1, %2#1, %3 : tensor<2xf32>, tensor<2xf32>, tensor<2xi32>, tensor<f32>, tensor<f32>
}
// -----
// convert: stablehlo
// Operations with forms of their own.
//| module {
//|   func.func @main(%arg0: tensor<2x3xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<i32>, %arg3: tensor<2xcomplex<f32>>) -> tensor<2x4xf32> {
//|     %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [HIGHEST, DEFAULT] : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
//|     %1 = stablehlo.slice %arg0 [0:2, 1:3:2] : (tensor<2x3xf32>) -> tensor<2x1xf32>
//|     %2 = stablehlo.dynamic_slice %arg0, %arg2, %arg2, sizes = [1, 2] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
//|     %3 = stablehlo.dynamic_update_slice %arg0, %2, %arg2, %arg2 : (tensor<2x3xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
//|     %4 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
//|     %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//|     %5 = stablehlo.pad %arg0, %cst, low = [1, 0], high = [0, -1], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x4xf32>
//|     %6 = stablehlo.concatenate %arg0, %arg0, dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
//|     %7 = stablehlo.clamp %cst, %arg0, %cst : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
//|     %8 = stablehlo.fft %arg3, type =  FFT, length = [2] : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
//|     %9 = stablehlo.convert %arg0 : (tensor<2x3xf32>) -> tensor<2x3xbf16>
//|     %10 = stablehlo.reduce_precision %arg0, format = e5m10 : tensor<2x3xf32>
//|     %11 = stablehlo.reshape %arg0 : (tensor<2x3xf32>) -> tensor<6xf32>
//|     %12 = stablehlo.tuple %arg0, %arg1 : tuple<tensor<2x3xf32>, tensor<3x4xf32>>
//|     %13 = stablehlo.get_tuple_element %12[1] : (tuple<tensor<2x3xf32>, tensor<3x4xf32>>) -> tensor<3x4xf32>
//|     %14:2 = stablehlo.optimization_barrier %arg0, %arg1 : tensor<2x3xf32>, tensor<3x4xf32>
//|     %15 = stablehlo.exponential %arg0 {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<2x3xf32>
//|     %16 = "stablehlo.gather"(%arg0, %arg2) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0]>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<2x3xf32>, tensor<i32>) -> tensor<3xf32>
//|     %17 = stablehlo.transpose %9, dims = [1, 0] : (tensor<2x3xbf16>) -> tensor<3x2xbf16>
//|     return %0 : tensor<2x4xf32>
//|   }
//| }
func.func @main(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %i: tensor<i32>, %c: tensor<2xcomplex<f32>>) -> tensor<2x4xf32> {
  %0 = "stablehlo.dot_general"(%a, %b) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision HIGHEST>, #stablehlo<precision DEFAULT>]} : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = "stablehlo.slice"(%a) {start_indices = array<i64: 0, 1>, limit_indices = array<i64: 2, 3>, strides = array<i64: 1, 2>} : (tensor<2x3xf32>) -> tensor<2x1xf32>
  %2 = "stablehlo.dynamic_slice"(%a, %i, %i) {slice_sizes = array<i64: 1, 2>} : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  %3 = "stablehlo.dynamic_update_slice"(%a, %2, %i, %i) : (tensor<2x3xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  %4 = "stablehlo.transpose"(%a) {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %5 = "stablehlo.pad"(%a, %z) {edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 0, -1>, interior_padding = array<i64: 0, 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x4xf32>
  %6 = "stablehlo.concatenate"(%a, %a) {dimension = 1 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
  %7 = "stablehlo.clamp"(%z, %a, %z) : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %8 = "stablehlo.fft"(%c) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 2>} : (tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
  %9 = "stablehlo.convert"(%a) : (tensor<2x3xf32>) -> tensor<2x3xbf16>
  %10 = "stablehlo.reduce_precision"(%a) {exponent_bits = 5 : i32, mantissa_bits = 10 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %11 = "stablehlo.reshape"(%a) : (tensor<2x3xf32>) -> tensor<6xf32>
  %12 = "stablehlo.tuple"(%a, %b) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tuple<tensor<2x3xf32>, tensor<3x4xf32>>
  %13 = "stablehlo.get_tuple_element"(%12) {index = 1 : i32} : (tuple<tensor<2x3xf32>, tensor<3x4xf32>>) -> tensor<3x4xf32>
  %14:2 = "stablehlo.optimization_barrier"(%a, %b) : (tensor<2x3xf32>, tensor<3x4xf32>) -> (tensor<2x3xf32>, tensor<3x4xf32>)
  %15 = "stablehlo.exponential"(%a) {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %16 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0]>, slice_sizes = array<i64: 1, 3>, indices_are_sorted = false} : (tensor<2x3xf32>, tensor<i32>) -> tensor<3xf32>
  %17 = "stablehlo.transpose"(%9) {permutation = array<i64: 1, 0>} : (tensor<2x3xbf16>) -> tensor<3x2xbf16>
  return %0 : tensor<2x4xf32>
}
// -----
// convert: stablehlo
// A convolution's window leaves out what is the rule; a custom call's attributes stand by name.
//| module {
//|   func.func @main(%arg0: tensor<1x8x8x2xf32>, %arg1: tensor<3x3x2x4xf32>) -> tensor<1x4x4x4xf32> {
//|     %0 = stablehlo.convolution(%arg0, %arg1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[1, 1], [1, 1]], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x4x4x4xf32>
//|     %1 = stablehlo.custom_call @Sharding(%arg0) {api_version = 2 : i32, backend_config = "", mhlo.sharding = "{replicated}"} : (tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xf32>
//|     return %0 : tensor<1x4x4x4xf32>
//|   }
//| }
func.func @main(%a: tensor<1x8x8x2xf32>, %k: tensor<3x3x2x4xf32>) -> tensor<1x4x4x4xf32> {
  %0 = "stablehlo.convolution"(%a, %k) {batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
    window_strides = array<i64: 2, 2>, padding = dense<1> : tensor<2x2xi64>, rhs_dilation = array<i64: 1, 1>} : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x4x4x4xf32>
  %1 = "stablehlo.custom_call"(%a) {call_target_name = "Sharding", has_side_effect = false, backend_config = "", api_version = 2 : i32,
    mhlo.sharding = "{replicated}"} : (tensor<1x8x8x2xf32>) -> tensor<1x8x8x2xf32>
  return %0 : tensor<1x4x4x4xf32>
}
// -----
// convert: stablehlo
// Functions stand as they are written; their values are numbered for each.
//| module @calls {
//|   func.func private @helper(%arg0: tensor<f32> {mhlo.sharding = "{replicated}"}) -> (tensor<f32> {jax.result_info = "[0]"}, tensor<f32>) attributes {no_inline} {
//|     %0 = stablehlo.negate %arg0 : tensor<f32>
//|     return %0, %arg0 : tensor<f32>, tensor<f32>
//|   }
//|   func.func public @main(%arg0: tensor<f32>) -> tensor<f32> {
//|     %0:2 = call @helper(%arg0) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
//|     %1 = stablehlo.composite "my.op" %0#0 {composite_attributes = {n = 1 : i64}, decomposition = @"odd name"} : (tensor<f32>) -> tensor<f32>
//|     return %1 : tensor<f32>
//|   }
//|   func.func private @"odd name"(%arg0: tensor<f32>) -> tensor<f32> {
//|     return %arg0 : tensor<f32>
//|   }
//| }
module @calls {
  func.func private @helper(%v: tensor<f32> {mhlo.sharding = "{replicated}"}) -> (tensor<f32> {jax.result_info = "[0]"}, tensor<f32>) attributes {no_inline} {
    %w = stablehlo.negate %v : tensor<f32>
    return %w, %v : tensor<f32>, tensor<f32>
  }
  func.func public @main(%a: tensor<f32>) -> tensor<f32> {
    %two:2 = func.call @helper(%a) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
    %r = stablehlo.composite "my.op" %two#0 {decomposition = @"odd name", composite_attributes = {n = 1 : i64}} : (tensor<f32>) -> tensor<f32>
    return %r : tensor<f32>
  }
  func.func private @"odd name"(%v: tensor<f32>) -> tensor<f32> {
    return %v : tensor<f32>
  }
}
// -----
// convert: stablehlo
// CHLO's operations, quantised types, tokens and checks.
//| module {
//|   func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>, %arg2: !stablehlo.token) -> tensor<4xf32> {
//|     %0 = chlo.erf %arg0 : tensor<4xf32> -> tensor<4xf32>
//|     %values, %indices = chlo.top_k(%arg0, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
//|     %1 = chlo.broadcast_add %arg0, %arg0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
//|     %2 = stablehlo.add %arg1, %arg1 : tensor<2x!quant.uniform<i8:f32, 5.000000e-01:3>>
//|     %3 = stablehlo.after_all %arg2 : !stablehlo.token
//|     check.expect_close %0, %arg0, max_ulp_difference = 3 : tensor<4xf32>, tensor<4xf32>
//|     check.expect_eq_const %arg0, dense<1.000000e+00> : tensor<4xf32>
//|     %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
//|     %4:2 = chlo.scan(%arg0) inits (%cst) dimension=0  {
//|     ^bb0(%input: tensor<f32>, %carry: tensor<f32>):
//|       %5 = stablehlo.add %input, %carry : tensor<f32>
//|       stablehlo.return %5, %5 : tensor<f32>, tensor<f32>
//|     } : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
//|     return %0 : tensor<4xf32>
//|   }
//| }
func.func @main(%a: tensor<4xf32>, %q: tensor<2x!quant.uniform<i8:f32, 0.5:3>>, %t: !stablehlo.token) -> tensor<4xf32> {
  %0 = "chlo.erf"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1:2 = "chlo.top_k"(%a) {k = 2 : i64} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>)
  %2 = "chlo.broadcast_add"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %3 = "stablehlo.add"(%q, %q) : (tensor<2x!quant.uniform<i8:f32, 0.5:3>>, tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  %4 = "stablehlo.after_all"(%t) : (!stablehlo.token) -> !stablehlo.token
  check.expect_close %0, %a, max_ulp_difference = 3 : tensor<4xf32>, tensor<4xf32>
  check.expect_eq_const %a, dense<1.0> : tensor<4xf32>
  %6 = stablehlo.constant dense<0.0> : tensor<f32>
  %5:2 = chlo.scan(%a) inits (%6) dimension = 0 {
  ^bb0(%in: tensor<f32>, %carry: tensor<f32>):
    %7 = stablehlo.add %in, %carry : tensor<f32>
    stablehlo.return %7, %7 : tensor<f32>, tensor<f32>
  } : (tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  return %0 : tensor<4xf32>
}
// -----
// convert: stablehlo
// Sizes that are not written stay unwritten: no inputs are asked for.
//| module {
//|   func.func @main(%arg0: tensor<?x3xf32>, %arg1: tensor<2xi32>) -> tensor<?x3xf32> {
//|     %0 = stablehlo.dynamic_broadcast_in_dim %arg0, %arg1, dims = [0, 1] : (tensor<?x3xf32>, tensor<2xi32>) -> tensor<?x3xf32>
//|     %1 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
//|     return %0 : tensor<?x3xf32>
//|   }
//| }
func.func @main(%a: tensor<?x3xf32>, %n: tensor<2xi32>) -> tensor<?x3xf32> {
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %n) {broadcast_dimensions = array<i64: 0, 1>} : (tensor<?x3xf32>, tensor<2xi32>) -> tensor<?x3xf32>
  %1 = "stablehlo.get_dimension_size"(%a) {dimension = 0 : i64} : (tensor<?x3xf32>) -> tensor<i32>
  return %0 : tensor<?x3xf32>
}
// -----
// convert: stablehlo
// What is refused has no other text.
// fails: no operation 'stablehlo.ad' is known
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.ad %a, %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
