// bad: 'stablehlo.gather' op batching dimensions 0 of the operand and 0 of the indices must have compatible sizes, but got 3 and 2
// bad: 'stablehlo.gather' op has duplicated dimension from the map of the indices and the batching dimensions: 0
// bad: 'stablehlo.scatter' op batching dimensions 0 of the operand and 1 of the indices must have compatible sizes, but got 2 and 5
// bad: 'stablehlo.scatter' op has duplicated dimension from the map of the indices and the batching dimensions: 0
// Batching dimensions that XLA does not look at.
func.func @main(%a: tensor<3x4x2xi32>, %b: tensor<2x4x2xi32>, %i: tensor<2x5x1xi64>, %c: tensor<2x3x4x2xf32>, %k: tensor<2x5x3x2xi64>, %s: tensor<2x5x3x2x2xf32>, %l: tensor<2x2x3x2xi64>, %t: tensor<2x2x3x2x2xf32>) {
  %0 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2>} : (tensor<3x4x2xi32>, tensor<2x5x1xi64>) -> tensor<2x5x2xi32>
  %1 = "stablehlo.gather"(%b, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 2>} : (tensor<2x4x2xi32>, tensor<2x5x1xi64>) -> tensor<2x5x2xi32>
  %2 = "stablehlo.scatter"(%c, %k, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3, 4], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [2, 1], index_vector_dim = 3>} : (tensor<2x3x4x2xf32>, tensor<2x5x3x2xi64>, tensor<2x5x3x2x2xf32>) -> tensor<2x3x4x2xf32>
  %3 = "stablehlo.scatter"(%c, %l, %t) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3, 4], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [2, 0], index_vector_dim = 3>} : (tensor<2x3x4x2xf32>, tensor<2x2x3x2xi64>, tensor<2x2x3x2x2xf32>) -> tensor<2x3x4x2xf32>
  return
}
// -----
// bad: 'stablehlo.dynamic_broadcast_in_dim' op duplicate expansion hint for at least one operand dimension
// bad: 'stablehlo.dynamic_broadcast_in_dim' op hint for expanding dimension 2 does not refer to a valid operand dimension
// bad: 'stablehlo.dynamic_reshape' op operand #1 must be 1D tensor of integer values, but got 'tensor<2xf32>'
// bad: 'stablehlo.dynamic_iota' op operand #0 must be 1D tensor of integer values, but got 'tensor<2xf32>'
// Sizes that are operands, and what is said of them.
func.func @main(%a: tensor<1x3xf32>) {
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %f = stablehlo.constant dense<[3.0, 1.0]> : tensor<2xf32>
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 0, 1>, known_expanding_dimensions = array<i64: 0, 1>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<1x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %1 = "stablehlo.dynamic_broadcast_in_dim"(%a, %s) {broadcast_dimensions = array<i64: 0, 1>, known_expanding_dimensions = array<i64: 2>} : (tensor<1x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  %2 = stablehlo.dynamic_reshape %a, %f : (tensor<1x3xf32>, tensor<2xf32>) -> tensor<3x1xf32>
  %3 = stablehlo.dynamic_iota %f, dim = 0 : (tensor<2xf32>) -> tensor<3x1xf32>
  return
}
// -----
// bad: 'stablehlo.collective_broadcast' op replica id #1 seen more than once
// bad: 'stablehlo.send' op channel_type should be DEVICE_TO_HOST when is_host_transfer is true
// bad: 'stablehlo.send' op channel_type should be DEVICE_TO_DEVICE when is_host_transfer is false
// bad: 'stablehlo.recv' op channel_type should be HOST_TO_DEVICE when is_host_transfer is true
// bad: 'stablehlo.all_reduce' op The element-type of reduction-region's argument at index 1 is expected to be promotable from 'tensor<4xi32>', but got 'tensor<i8>'
// Devices and channels.
func.func @main(%a: tensor<4xf32>, %i: tensor<4xi32>, %t: !stablehlo.token) {
  %0 = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<[[1, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.send"(%a, %t) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = true} : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  %2 = "stablehlo.send"(%a, %t) {channel_handle = #stablehlo.channel_handle<handle = 2, type = 2>, is_host_transfer = false} : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  %3:2 = "stablehlo.recv"(%t) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 2>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  %4 = "stablehlo.all_reduce"(%i) ({
  ^bb0(%x: tensor<i8>, %y: tensor<i8>):
    stablehlo.return %y : tensor<i8>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xi32>) -> tensor<4xi32>
  return
}
// -----
// bad: 'stablehlo.composite' op name must be a valid namespaced op name, such as "my_namespace.my_op"
// bad: 'stablehlo.composite' op name must be a valid namespaced op name, such as "my_namespace.my_op"
// bad: 'stablehlo.exponential' op Invalid tolerance: ulps is 1, but the mode is not TOLERANCE
// bad: 'stablehlo.exponential' op mode 'BEST', expected to be one of: DEFAULT, HIGHEST, TOLERANCE
// Names of composites, and accuracies.
func.func @main(%a: tensor<4xf32>) {
  %0 = stablehlo.composite "plain" %a {decomposition = @f} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.composite "a.b." %a {decomposition = @f} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.composite "a_1.b.$c" %a {decomposition = @f} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "stablehlo.exponential"(%a) {result_accuracy = #stablehlo.result_accuracy<ulps = 1, mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = "stablehlo.exponential"(%a) {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<BEST>>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
// -----
// bad: 'func.return' op expects parent op 'func.func'
// bad: 'func.return' op expects parent op 'func.func'
// A function's return ends no region.
func.func @main(%p: tensor<i1>, %a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.if"(%p) ({
    func.return %a : tensor<4xf32>
  }, {
    stablehlo.return %a : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  %1 = stablehlo.while(%x = %0) : tensor<4xf32> cond {
    stablehlo.return %p : tensor<i1>
  } do {
    return %x : tensor<4xf32>
  }
  return %1 : tensor<4xf32>
}
// -----
// bad: expected the kind (may_alias or must_alias) and the index of one of the 1 parameters, and an output_index
// bad: expected the kind (may_alias or must_alias) and the index of one of the 1 parameters, and an output_index
// bad: no result has the number 7
// Aliases of parameters and results that are none.
module attributes {mhlo.input_output_alias = [{alias = {kind = "may_alias", parameter_index = array<i64>, parameter_number = 1 : i64}, output_index = array<i64>}, {alias = {kind = "alias", parameter_index = array<i64>, parameter_number = 0 : i64}, output_index = array<i64>}]} {
  func.func @main(%a: tensor<2xf32> {tf.aliasing_output = 7 : i32}) -> tensor<2xf32> {
    return %a : tensor<2xf32>
  }
}
// -----
// bad: 'stablehlo.if' op operand #0 must be 0D tensor of bool values, but got 'tensor<i32>'
// bad: 'stablehlo.case' op operand #0 must be 0D tensor of 32-bit signless integer values, but got 'tensor<i1>'
// bad: unsupported user-encoded backend config, backend config must be a dictionary attribute.
// bad: unsupported dictionary attribute backend config, backend config must be a user-encoded string attribute.
// What selects a branch, and how custom calls are configured.
func.func @main(%a: tensor<2xf32>, %i: tensor<i32>, %p: tensor<i1>) {
  %0 = "stablehlo.if"(%i) ({
    stablehlo.return %a : tensor<2xf32>
  }, {
    stablehlo.return %a : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  %1 = "stablehlo.case"(%p) ({
    stablehlo.return %a : tensor<2xf32>
  }, {
    stablehlo.return %a : tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  %2 = stablehlo.custom_call @target(%a) {api_version = 4 : i32, backend_config = "text"} : (tensor<2xf32>) -> tensor<2xf32>
  %3 = stablehlo.custom_call @target(%a) {backend_config = {x = 1 : i64}} : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// bad: attribute-value: 'stablehlo.all_gather' op Invalid replica id -1
// bad: attribute-value: 'stablehlo.all_to_all' op Invalid replica id -1
// bad: attribute-value: 'stablehlo.reduce_scatter' op Invalid replica id -1
// Groups of one size have no padding.
func.func @main(%a: tensor<4xf32>) {
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, -1], [1, -1]]> : tensor<2x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.all_to_all"(%a) {concat_dimension = 0 : i64, split_dimension = 0 : i64, split_count = 1 : i64, replica_groups = dense<[[0, -1], [1, -1]]> : tensor<2x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "stablehlo.reduce_scatter"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, -1], [1, -1]]> : tensor<2x2xi64>, scatter_dimension = 0 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
// bad: attribute-value: 'stablehlo.all_to_all' op group size of replica_groups must be 2
// bad: attribute-value: 'stablehlo.all_to_all' op split_count must be > 0
// bad: attribute-missing: 'stablehlo.all_to_all' op requires attribute 'split_count'
// A group has a member for each part.
func.func @main(%a: tensor<4x4xf32>) {
  %0 = "stablehlo.all_to_all"(%a) {concat_dimension = 0 : i64, split_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = "stablehlo.all_to_all"(%a) {concat_dimension = 0 : i64, split_dimension = 0 : i64, split_count = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = "stablehlo.all_to_all"(%a) {concat_dimension = 0 : i64, split_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}
// -----
// bad: shape-mismatch: 'stablehlo.rng_bit_generator' op expected 2 results, found 1
func.func @main(%a: tensor<2xui64>) -> tensor<2xui64> {
  %0 = "stablehlo.rng_bit_generator"(%a) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> tensor<2xui64>
  return %0 : tensor<2xui64>
}
// -----
// bad: shape-mismatch: 'sdy.manual_computation' op a device's share is tensor<4xf32>, and the whole tensor<8xf32>
// What a device gives of a result is a part of it.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%arg1: tensor<8xf32>) {
    %1 = stablehlo.slice %arg1 [0:4] : (tensor<8xf32>) -> tensor<4xf32>
    sdy.return %1 : tensor<4xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
// -----
// bad: element-type: 'stablehlo.convolution' op lhs and rhs should be of one element type, not of i64 and i32
// bad: element-type: 'stablehlo.dynamic_conv' op lhs and rhs should be of one element type, not of f32 and f16
func.func @main(%a: tensor<1x4x1xi64>, %b: tensor<3x1x1xi32>, %c: tensor<1x4x1xf32>, %d: tensor<3x1x1xf16>) {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xi64>, tensor<3x1x1xi32>) -> tensor<1x2x1xi64>
  %p = stablehlo.constant dense<0> : tensor<1x2xi64>
  %1 = "stablehlo.dynamic_conv"(%c, %d, %p) {dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xf32>, tensor<3x1x1xf16>, tensor<1x2xi64>) -> tensor<1x2x1xf32>
  return
}
// -----
// bad: attribute-value: 'stablehlo.collective_broadcast' op Invalid replica id -1
// Its groups have no gaps.
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.collective_broadcast"(%a) <{replica_groups = dense<[[0, -1]]> : tensor<1x2xi64>}> : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
