// run
// Padding, slice sizes, and the start, limit and stride of a slice as operands.
// output: (f32[3,4] {{0,1,0,2},{0,3,0,4},{0,0,0,0}}, f32[2] {4,2}, f32[1,2] {{3,4}}, f32[3] {1,3,5})
func.func @main() -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?x2xf32>, tensor<?xf32>) {
  %x = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %high = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %interior = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %0 = stablehlo.dynamic_pad %x, %z, %low, %high, %interior : (tensor<2x2xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %at = stablehlo.constant dense<[[1, 1], [0, 1]]> : tensor<2x2xi64>
  %one = stablehlo.constant dense<1> : tensor<2xi64>
  %1 = "stablehlo.dynamic_gather"(%x, %at, %one) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, indices_are_sorted = false} : (tensor<2x2xf32>, tensor<2x2xi64>, tensor<2xi64>) -> tensor<?xf32>
  %start = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %limit = stablehlo.constant dense<2> : tensor<2xi64>
  %2 = stablehlo.real_dynamic_slice %x, %start, %limit, %one : (tensor<2x2xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x2xf32>
  %v = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<6xf32>
  %from = stablehlo.constant dense<[1]> : tensor<1xi64>
  %to = stablehlo.constant dense<[6]> : tensor<1xi64>
  %by = stablehlo.constant dense<[2]> : tensor<1xi64>
  %3 = stablehlo.real_dynamic_slice %v, %from, %to, %by : (tensor<6xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return %0, %1, %2, %3 : tensor<?x?xf32>, tensor<?xf32>, tensor<?x2xf32>, tensor<?xf32>
}
// -----
// run
// A slice that starts where data say: its size is the difference of limit and start (computed twice,
// alike), or what is written.
// input 0: s32[6] {10,11,12,13,14,15}
// input 1: s32[1] constant:3
// output: (s32[2] {13,14}, s32[2] {13,15})
func.func @main(%x: tensor<?xi32>, %at: tensor<1xi32>) -> (tensor<?xi32>, tensor<2xi32>) {
  %start = stablehlo.minimum %at, %at : tensor<1xi32>
  %again = stablehlo.minimum %at, %at : tensor<1xi32>
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %limit = stablehlo.add %again, %two : tensor<1xi32>
  %0 = stablehlo.real_dynamic_slice %x, %start, %limit, %one : (tensor<?xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
  %end = stablehlo.multiply %at, %two : tensor<1xi32>
  %1 = stablehlo.real_dynamic_slice %x, %start, %end, %two : (tensor<?xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  return %0, %1 : tensor<?xi32>, tensor<2xi32>
}
// -----
// bad: stablehlo.real_dynamic_slice: its start_indices must be known before the program runs, but depend on the value of %at: give input 1 a value
// input 0: s32[6]
// input 1: s32[1]
func.func @main(%x: tensor<?xi32>, %at: tensor<1xi32>) -> tensor<?xi32> {
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %limit = stablehlo.multiply %at, %at : tensor<1xi32>
  %0 = stablehlo.real_dynamic_slice %x, %at, %limit, %one : (tensor<?xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}
// -----
// run
// A convolution with one more element on the right: 1 * 1 + 2 * 10, 2 * 1 + 3 * 10, 3 * 1 + 0.
// output: f32[1,3,1] {{{21},{32},{3}}}
func.func @main() -> tensor<1x?x1xf32> {
  %x = stablehlo.constant dense<[[[1.0], [2.0], [3.0]]]> : tensor<1x3x1xf32>
  %k = stablehlo.constant dense<[[[1.0]], [[10.0]]]> : tensor<2x1x1xf32>
  %pad = stablehlo.constant dense<[[0, 1]]> : tensor<1x2xi64>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %pad) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x1xf32>, tensor<2x1x1xf32>, tensor<1x2xi64>) -> tensor<1x?x1xf32>
  return %0 : tensor<1x?x1xf32>
}
// -----
// run
// JAX's custom calls: sums of windows of 2, every other; the two largest; random bits of a size.
// output: (f32[3] {1,5,4}, f32[2] {4,3}, s32[2] {4,3}, s32[] 5)
func.func @main() -> (tensor<?xf32>, tensor<?xf32>, tensor<?xi32>, tensor<i32>) {
  %n = stablehlo.constant dense<[5]> : tensor<1xi32>
  %x = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.constant dense<[2]> : tensor<1xi64>
  %one = stablehlo.constant dense<[1]> : tensor<1xi64>
  %pad = stablehlo.constant dense<[[0, 1]]> : tensor<1x2xi64>
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %z, %size, %size, %one, %one, %pad) {called_computations = [@sum]} : (tensor<?xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1x2xi64>) -> tensor<?xf32>
  %k = stablehlo.constant dense<2> : tensor<i32>
  %1:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k) : (tensor<?xf32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)
  %state = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %2:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%state, %n) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>, tensor<1xi32>) -> (tensor<2xui64>, tensor<?xui32>)
  %3 = stablehlo.get_dimension_size %2#1, dim = 0 : (tensor<?xui32>) -> tensor<i32>
  return %0, %1#0, %1#1, %3 : tensor<?xf32>, tensor<?xf32>, tensor<?xi32>, tensor<i32>
}
func.func private @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}
// -----
// print
// A custom call of which only the sizes are known: they are operands.
//| HloModule main, entry_computation_layout={(f32[2]{0})->f32[3]{0}}
//|
//| ENTRY main {
//|   x = f32[2]{0} parameter(0)
//|   n = s32[1]{0} constant({3})
//|   ROOT v0 = f32[3]{0} custom-call(x, n), custom_call_target="grow"
//| }
func.func @main(%x: tensor<2xf32>) -> tensor<?xf32> {
  %n = stablehlo.constant dense<[3]> : tensor<1xi32>
  %0 = stablehlo.custom_call @grow(%x, %n) {indices_of_shape_operands = dense<1> : tensor<1xi64>} : (tensor<2xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
// -----
// run
// Every op whose result type is needed takes its sizes from its operand.
// input 0: s32[2] {1,2}
// output: (f32[2] {1,2}, s8[2,4] {{1,0,0,0},{2,0,0,0}}, s32[3,2] {{1,2},{1,2},{1,2}}, pred[2] {0,0}, s32[1] {2}, f64[2] {3,6})
func.func @main(%x: tensor<?xi32>) -> (tensor<?xf32>, tensor<?x4xi8>, tensor<3x?xi32>, tensor<?xi1>, tensor<1xi32>, tensor<?xf64>) {
  %0 = stablehlo.convert %x : (tensor<?xi32>) -> tensor<?xf32>
  %1 = stablehlo.bitcast_convert %x : (tensor<?xi32>) -> tensor<?x4xi8>
  %2 = "stablehlo.broadcast"(%x) {broadcast_sizes = array<i64: 3>} : (tensor<?xi32>) -> tensor<3x?xi32>
  %3 = chlo.is_inf %0 : tensor<?xf32> -> tensor<?xi1>
  %i = stablehlo.constant dense<1> : tensor<i32>
  %4 = stablehlo.dynamic_slice %x, %i, sizes = [1] : (tensor<?xi32>, tensor<i32>) -> tensor<1xi32>
  %three = stablehlo.constant dense<[[3.0]]> : tensor<1x1xf64>
  %five = stablehlo.convert %0 : (tensor<?xf32>) -> tensor<?xf64>
  %n = stablehlo.constant dense<[2, 1]> : tensor<2xi32>
  %6 = stablehlo.dynamic_reshape %five, %n : (tensor<?xf64>, tensor<2xi32>) -> tensor<?x1xf64>
  %7 = stablehlo.dot_general %6, %three, contracting_dims = [1] x [0] : (tensor<?x1xf64>, tensor<1x1xf64>) -> tensor<?x1xf64>
  %m = stablehlo.constant dense<[2]> : tensor<1xi32>
  %8 = stablehlo.dynamic_reshape %7, %m : (tensor<?x1xf64>, tensor<1xi32>) -> tensor<?xf64>
  return %0, %1, %2, %3, %4, %8 : tensor<?xf32>, tensor<?x4xi8>, tensor<3x?xi32>, tensor<?xi1>, tensor<1xi32>, tensor<?xf64>
}
// -----
// run
// -1 stands for what the other sizes leave.
// output: f32[2,3] {{0,1,2},{3,4,5}}
func.func @main() -> tensor<?x3xf32> {
  %n = stablehlo.constant dense<[6]> : tensor<1xi32>
  %x = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  %count = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %sizes = stablehlo.constant dense<[-1, 3]> : tensor<2xi32>
  %0 = mhlo.compute_reshape_shape %count, %sizes : (tensor<i32>, tensor<2xi32>) -> tensor<2xi32>
  %1 = mhlo.dynamic_reshape %x, %0 : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x3xf32>
  return %1 : tensor<?x3xf32>
}
// -----
// bad: operand-invalid: 'mhlo.compute_reshape_shape' op 7 elements have no such sizes as [-1, 3]
func.func @main() -> tensor<2xi32> {
  %count = stablehlo.constant dense<7> : tensor<i32>
  %sizes = stablehlo.constant dense<[-1, 3]> : tensor<2xi32>
  %0 = mhlo.compute_reshape_shape %count, %sizes : (tensor<i32>, tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
// -----
// run
// A bounded size is no unknown one: the type says how large it can be.
// input 0: 2
// output: f32[<=3] (2) {0,1}
func.func @main(%n: tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<3>> {
  %x = stablehlo.iota dim = 0 : tensor<3xf32>
  %0 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<3xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<3>>
  return %0 : tensor<?xf32, #stablehlo.bounds<3>>
}
// -----
// run
// As jax.export writes it: the sizes of the results are operands of the custom call too. The three
// largest of four in each row, and where they were.
// input 0: f32[2,4] {{5,8,7,6},{1,2,3,4}}
// output: (f32[2,3] {{8,7,6},{4,3,2}}, s32[2,3] {{1,2,3},{3,2,1}}, f32[2,1] {{8},{4}})
func.func @main(%x: tensor<2x?xf32>) -> (tensor<2x?xf32>, tensor<2x?xi32>, tensor<2x1xf32>) {
  %none = stablehlo.constant dense<> : tensor<0xi1>
  %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<2x?xf32>) -> tensor<i32>
  %m = stablehlo.constant dense<-1> : tensor<i32>
  %k = stablehlo.add %n, %m : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %k1 = stablehlo.reshape %k : (tensor<i32>) -> tensor<1xi32>
  %from = stablehlo.concatenate %two, %n1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %to = stablehlo.concatenate %two, %k1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %i = stablehlo.dynamic_iota %from, dim = 1 : (tensor<2xi32>) -> tensor<2x?xi32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0:2 = stablehlo.custom_call @stablehlo.dynamic_approx_top_k(%x, %i, %least, %m, %k, %to, %to) {called_computations = [@gt], indices_of_shape_operands = dense<[5, 6]> : tensor<2xi64>, mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.95 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64}} : (tensor<2x?xf32>, tensor<2x?xi32>, tensor<f32>, tensor<i32>, tensor<i32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<2x?xf32>, tensor<2x?xi32>)
  %1:2 = stablehlo.custom_call @ApproxTopK(%x, %i, %least, %m) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = true, recall_target = 0.95 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 1 : i64}} : (tensor<2x?xf32>, tensor<2x?xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x1xf32>, tensor<2x1xi32>)
  return %0#0, %0#1, %1#0 : tensor<2x?xf32>, tensor<2x?xi32>, tensor<2x1xf32>
}
func.func private @gt(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
// -----
// bad: attribute-value: 'stablehlo.custom_call' op top_k = 5 along reduction_dim = 0 does not fit 2 operands, f32[4]
// bad: not-executable: 'stablehlo.custom_call' op without aggregate_to_topk the number of results is the backend's
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.custom_call @ApproxTopK(%x, %z) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = true, reduction_dim = 0 : i64, top_k = 5 : i64}} : (tensor<4xf32>, tensor<f32>) -> tensor<?xf32>
  %1 = stablehlo.custom_call @ApproxTopK(%x, %z) {called_computations = [@gt], mhlo.backend_config = {aggregate_to_topk = false, reduction_dim = 0 : i64, top_k = 2 : i64}} : (tensor<4xf32>, tensor<f32>) -> tensor<?xf32>
  return %x : tensor<4xf32>
}
func.func private @gt(%a: tensor<f32>, %b: tensor<f32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
