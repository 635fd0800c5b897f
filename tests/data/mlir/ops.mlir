// run
// Products of arrays, stretching of dimensions of size 1, slices, padding, a call.
// input 0: {{1, 2}, {3, 4}}
// output: (f32[2,2] {{7,10},{15,22}}, f32[2,2] {{1,1},{3,3}}, f32[1,2] {{3,4}}, f32[2,4] {{0,1,0,2},{0,3,0,4}}, f32[2,2] {{1,3},{2,4}})
func.func @main(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>, tensor<2x4xf32>, tensor<2x2xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.slice %x [0:2, 0:1] : (tensor<2x2xf32>) -> tensor<2x1xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x2xf32>
  %i = stablehlo.constant dense<1> : tensor<i32>
  %j = stablehlo.constant dense<0> : tensor<i32>
  %3 = stablehlo.dynamic_slice %x, %i, %j, sizes = [1, 2] : (tensor<2x2xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  %4 = stablehlo.pad %x, %z, low = [0, 1], high = [0, 0], interior = [0, 1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2x4xf32>
  %5 = func.call @flip(%x) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0, %2, %3, %4, %5 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<1x2xf32>, tensor<2x4xf32>, tensor<2x2xf32>
}
func.func private @flip(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// -----
// run
// Complex numbers: the larger one, and the real part as a truth value.
// output: (c64[2] {(2,0),(1,3)}, pred[2] {0,1})
func.func @main() -> (tensor<2xcomplex<f32>>, tensor<2xi1>) {
  %0 = stablehlo.constant dense<[(1.0, 9.0), (1.0, 3.0)]> : tensor<2xcomplex<f32>>
  %1 = stablehlo.constant dense<[(2.0, 0.0), (1.0, 2.0)]> : tensor<2xcomplex<f32>>
  %2 = stablehlo.maximum %0, %1 : tensor<2xcomplex<f32>>
  %3 = stablehlo.constant dense<[(0.0, 1.0), (1.0, 0.0)]> : tensor<2xcomplex<f32>>
  %4 = stablehlo.convert %3 : (tensor<2xcomplex<f32>>) -> tensor<2xi1>
  return %2, %4 : tensor<2xcomplex<f32>>, tensor<2xi1>
}
// -----
// run
// fails: check.expect_eq does not hold: element {1}: 2, expected 3
func.func @main() {
  %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  check.expect_eq_const %0, dense<[1, 3]> : tensor<2xi64>
  func.return
}
// -----
// run
// fails: 2 ulp); 1 of 2 numbers are more than 1 ulp off
func.func @main() {
  %0 = stablehlo.constant dense<[1.0, 0x3F800002]> : tensor<2xf32>
  %1 = stablehlo.constant dense<1.0> : tensor<2xf32>
  check.expect_close %0, %1, max_ulp_difference = 2, min_ulp_difference = 2 : tensor<2xf32>, tensor<2xf32>
  check.expect_close %0, %1, max_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>
  func.return
}
// -----
// run
// Without @main every function that takes nothing is called.
// fails: check.expect_almost_eq does not hold
func.func @one() {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  check.expect_almost_eq_const %0, dense<1.0001> : tensor<f32>
  func.return
}
func.func @two() {
  %0 = stablehlo.constant dense<1.0> : tensor<f32>
  check.expect_almost_eq_const %0, dense<1.1> : tensor<f32> {tolerance = 0.01 : f64}
  check.expect_almost_eq_const %0, dense<1.1> : tensor<f32>, tolerance = 0.2
  func.return
}
// -----
// run
// A window that is partly out of bounds: its elements inside are written (HLO would drop it). The
// second scatter adds at places that a batching dimension chooses.
// input 0: {3}
// output: (f32[4] {0,0,0,1}, f32[2,4] {{0,0,0,1},{3,4,0,0}})
func.func @main(%i: tensor<1xi32>) -> (tensor<4xf32>, tensor<2x4xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<4xf32>
  %u = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = "stablehlo.scatter"(%z, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<4xf32>, tensor<1xi32>, tensor<2xf32>) -> tensor<4xf32>
  %zz = stablehlo.constant dense<0.0> : tensor<2x4xf32>
  %j = stablehlo.constant dense<[[3], [0]]> : tensor<2x1xi32>
  %uu = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %1 = "stablehlo.scatter"(%zz, %j, %uu) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<2x4xf32>, tensor<2x1xi32>, tensor<2x2xf32>) -> tensor<2x4xf32>
  return %0, %1 : tensor<4xf32>, tensor<2x4xf32>
}
// -----
// run
// Quantised values: stored as integers, added as real numbers; one scale for each index of an axis.
// input 0: {1, 2}
// output: (s8[2] {-12,-8}, f32[2] {1,2})
func.func @main(%x: tensor<2xf32>) -> (tensor<2xi8>, tensor<2xf32>) {
  %y = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %0 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.1:-30>>
  %1 = stablehlo.uniform_quantize %y : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 0.5:-20>>
  %2 = stablehlo.add %0, %1 : (tensor<2x!quant.uniform<i8:f32, 0.1:-30>>, tensor<2x!quant.uniform<i8:f32, 0.5:-20>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:-20>>
  %3 = stablehlo.bitcast_convert %2 : (tensor<2x!quant.uniform<i8:f32, 0.5:-20>>) -> tensor<2xi8>
  %4 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32:0, {0.5:1, 0.25}>>
  %5 = stablehlo.uniform_dequantize %4 : (tensor<2x!quant.uniform<i8:f32:0, {0.5:1, 0.25}>>) -> tensor<2xf32>
  return %3, %5 : tensor<2xi8>, tensor<2xf32>
}
// -----
// run
// An i1 is one bit: eight of them are an i8, the first one its lowest.
// output: (s8[] 5, pred[8] {1,0,1,0,0,0,0,0})
func.func @main() -> (tensor<i8>, tensor<8xi1>) {
  %0 = stablehlo.constant dense<[true, false, true, false, false, false, false, false]> : tensor<8xi1>
  %1 = stablehlo.bitcast_convert %0 : (tensor<8xi1>) -> tensor<i8>
  %2 = stablehlo.bitcast_convert %1 : (tensor<i8>) -> tensor<8xi1>
  return %1, %2 : tensor<i8>, tensor<8xi1>
}
// -----
// run
// output: (pred[3] {true, true, false}, pred[3] {true, true, true}, pred[3] {false, false, false}, pred[3] {false, false, true})
// Complex numbers are in order by their real parts, then by their imaginary parts.
func.func @main() -> (tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>) {
  %a = stablehlo.constant dense<[(1.0, 2.0), (1.0, 3.0), (2.0, 1.0)]> : tensor<3xcomplex<f32>>
  %b = stablehlo.constant dense<[(1.0, 3.0), (2.0, 0.0), (2.0, 1.0)]> : tensor<3xcomplex<f32>>
  %0 = stablehlo.compare LT, %a, %b, FLOAT : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xi1>
  %1 = stablehlo.compare LE, %a, %b, FLOAT : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xi1>
  %2 = stablehlo.compare GT, %a, %b, FLOAT : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xi1>
  %3 = stablehlo.compare GE, %a, %b, FLOAT : (tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>) -> tensor<3xi1>
  return %0, %1, %2, %3 : tensor<3xi1>, tensor<3xi1>, tensor<3xi1>, tensor<3xi1>
}
// -----
// run
// input 0: {2, 4}
// output: f32[2] {0.5, 1.5}
// A composite takes values of quantised types as they are stored, as a call does.
module {
  func.func @main(%arg0: tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2xf32> {
    %0 = stablehlo.composite "odml.quantized" %arg0 {decomposition = @impl} : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
  func.func private @impl(%arg0: tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2xf32> {
    %0 = stablehlo.uniform_dequantize %arg0 : (tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
// -----
// run
// output: (pred[4] {true, true, false, false}, pred[4] {false, false, false, true})
// The weak order: zeros are equal, and so are NaNs, which are the largest.
func.func @main() -> (tensor<4xi1>, tensor<4xi1>) {
  %a = stablehlo.constant dense<[-0.0, 0x7FC00000, 0x7FC00000, 0x7F800000]> : tensor<4xf32>
  %b = stablehlo.constant dense<[0.0, 0xFFC00000, 1.0, 0xFFC00000]> : tensor<4xf32>
  %0 = stablehlo.compare EQ, %a, %b, WEAKORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %1 = stablehlo.compare LT, %a, %b, WEAKORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %0, %1 : tensor<4xi1>, tensor<4xi1>
}
