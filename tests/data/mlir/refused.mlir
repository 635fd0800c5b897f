// bad: Reduction-region must take 2 parameters, but takes 3 parameter(s)
// bad: 'stablehlo.all_reduce' op The reduction-region expected to return some value(s)
// bad: Reduction-region here must produce 1 tensors, but produces 2 instead
// bad: Reduction-region here must produce tensor-typed result(s), but produces 'tuple<tensor<f32>>' instead
// bad: The type of reduction-region's parameter at index 1 is different than the corresponding result type: 'tensor<i32>' vs 'tensor<f32>'
// bad: 'stablehlo.reduce_scatter' op The rank of reduction-region's argument at index 0 is expected to be 0, got 1
// What folds the values of several devices.
func.func @main(%a: tensor<4xf32>) {
  %0 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x, %y : tensor<f32>, tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %t = stablehlo.tuple %x : tuple<tensor<f32>>
    stablehlo.return %t : tuple<tensor<f32>>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %4 = "stablehlo.all_reduce"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<i32>):
    stablehlo.return %x : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %5 = "stablehlo.reduce_scatter"(%a) ({
  ^bb0(%x: tensor<2xf32>, %y: tensor<2xf32>):
    stablehlo.return %x : tensor<2xf32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64} : (tensor<4xf32>) -> tensor<2xf32>
  return
}
// -----
// bad: 'stablehlo.all_gather' op replica id #1 seen more than once
// bad: 'stablehlo.all_to_all' op replica id #2 not seen in replica groups
// bad: expect source_target_pairs attribute to be of rank 2, but got rank 1
// Devices, by number.
func.func @main(%a: tensor<4xf32>) {
  %0 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>} : (tensor<4xf32>) -> tensor<8xf32>
  %1 = "stablehlo.all_to_all"(%a) {concat_dimension = 0 : i64, split_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [3, 4]]> : tensor<2x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<[0, 1]> : tensor<2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
// bad: 'stablehlo.broadcast' op broadcast_sizes has rank 2 instead of rank 1
// bad: 'stablehlo.transpose' op permutation has rank 2 instead of rank 1
// bad: 'stablehlo.slice' op start_indices has rank 2 instead of rank 1
// bad: 'stablehlo.dynamic_slice' op slice_sizes has rank 2 instead of rank 1
// bad: 'stablehlo.gather' op slice_sizes has rank 2 instead of rank 1
// bad: 'stablehlo.reduce_window' op expects the shape of a padding to be (N, 2), but got tensor<4xi64>
// bad: 'stablehlo.convolution' op expects the shape of a padding to be (N, 2), but got tensor<4xi64>
// Lists of numbers that have more dimensions than one, and pairs that are none.
func.func @main(%a: tensor<4x4xf32>, %i: tensor<i32>, %f: tensor<f32>, %x: tensor<1x4x4x1xf32>, %k: tensor<2x2x1x1xf32>) {
  %0 = "stablehlo.broadcast"(%f) {broadcast_sizes = dense<[[2, 2]]> : tensor<1x2xi64>} : (tensor<f32>) -> tensor<2x2xf32>
  %1 = "stablehlo.transpose"(%a) {permutation = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = "stablehlo.slice"(%a) {start_indices = dense<[[0, 0]]> : tensor<1x2xi64>, limit_indices = dense<[2, 2]> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} : (tensor<4x4xf32>) -> tensor<2x2xf32>
  %3 = "stablehlo.dynamic_slice"(%a, %i, %i) {slice_sizes = dense<[[2, 2]]> : tensor<1x2xi64>} : (tensor<4x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>
  %4 = "stablehlo.gather"(%a, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0]>, slice_sizes = dense<[[1, 4]]> : tensor<1x2xi64>} : (tensor<4x4xf32>, tensor<i32>) -> tensor<4xf32>
  %5 = "stablehlo.reduce_window"(%a, %f) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    stablehlo.return %p : tensor<f32>
  }) {window_dimensions = dense<1> : tensor<2xi64>, padding = dense<0> : tensor<4xi64>} : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %6 = "stablehlo.convolution"(%x, %k) {dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, padding = dense<0> : tensor<4xi64>} : (tensor<1x4x4x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x3x3x1xf32>
  return
}
// -----
// bad: 'stablehlo.select' op requires the same element type for all operands and results
// bad: 'stablehlo.add' op requires the same element type for all operands and results
// bad: 'stablehlo.dynamic_update_slice' op requires the same element type for all operands and results
// bad: 'stablehlo.batch_norm_inference' op requires the same element type for all operands and results
// bad: 'stablehlo.shift_left' op operand #0 must be tensor of integer values, but got 'tensor<2xf32>'
// bad: 'stablehlo.power' op operand #0 must be tensor of integer, float or complex values, but got 'tensor<2xi1>'
// bad: 'chlo.broadcast_shift_left' op operand #0 must be tensor of integer values, but got 'tensor<2xf32>'
// bad: 'chlo.mulhi' op operand #0 must be tensor of integer values, but got 'tensor<2xf32>'
// bad: 'stablehlo.uniform_dequantize' op operand #0 must be of a quantized type, but got 'tensor<2xf32>'
// bad: 'stablehlo.add' op requires compatible types for all operands and results: of quantized types, the stored and the expressed one must be the same
// Element types, which HLO mixes more freely.
func.func @main(%p: tensor<2xi1>, %f: tensor<2xf32>, %d: tensor<2xf64>, %i: tensor<i32>, %u: tensor<1xf32>, %b: tensor<4x2xf32>, %q: tensor<2x!quant.uniform<i8:f32, 1.0>>) {
  %0 = stablehlo.select %p, %f, %d : (tensor<2xi1>, tensor<2xf32>, tensor<2xf64>) -> tensor<2xf64>
  %1 = stablehlo.add %f, %d : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf64>
  %2 = stablehlo.dynamic_update_slice %d, %u, %i : (tensor<2xf64>, tensor<1xf32>, tensor<i32>) -> tensor<2xf64>
  %3 = "stablehlo.batch_norm_inference"(%b, %f, %d, %f, %f) {epsilon = 0.0 : f32, feature_index = 1 : i64} : (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf64>, tensor<2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  %4 = stablehlo.shift_left %f, %f : tensor<2xf32>
  %5 = stablehlo.power %p, %p : tensor<2xi1>
  %6 = stablehlo.uniform_dequantize %f : tensor<2xf32>
  %8 = chlo.broadcast_shift_left %f, %f : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %9 = chlo.mulhi %f, %f : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  %7 = stablehlo.add %q, %q : (tensor<2x!quant.uniform<i8:f32, 1.0>>, tensor<2x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x!quant.uniform<i4:f32, 1.0>>
  return
}
// -----
// bad: 'stablehlo.dynamic_slice' op operand #1 must be 0D tensor of integer values, but got 'tensor<2xi32>'
// bad: 'stablehlo.dynamic_update_slice' op operand #2 must be 0D tensor of integer values, but got 'tensor<2xi32>'
// bad: 'stablehlo.rng' op operand #2 must be 1D tensor of integer values, but got 'tensor<1x2xi64>'
// bad: 'stablehlo.rng' op inferred type(s) 'tensor<2x3xf32>' are incompatible with return type(s) of operation 'tensor<3x2xf32>'
// bad: 'stablehlo.dynamic_reshape' op the result should have a rank equal to the number of elements in operand #1, but there are 2 and its type is 'tensor<16xf32>'
// bad: 'stablehlo.dot' op expected both lhs/rhs ranks to be either 1 or 2, but got 'tensor<2x2x2xf32>'
// bad: precision 'FOO', expected to be one of: DEFAULT, HIGH, HIGHEST
// bad: 'stablehlo.sort' op expected 1 or more operands, but found 0
// Ranks and sizes that operands give.
func.func @main(%a: tensor<4x4xf32>, %s: tensor<2xi32>, %f: tensor<f32>, %c: tensor<2x2x2xf32>) {
  %0 = stablehlo.dynamic_slice %a, %s, sizes = [1, 1] : (tensor<4x4xf32>, tensor<2xi32>) -> tensor<1x1xf32>
  %1 = stablehlo.dynamic_update_slice %a, %a, %s : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<2xi32>) -> tensor<4x4xf32>
  %m = stablehlo.constant dense<[[2, 3]]> : tensor<1x2xi64>
  %n = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %2 = stablehlo.rng %f, %f, %m, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1x2xi64>) -> tensor<2x3xf32>
  %3 = stablehlo.rng %f, %f, %n, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<3x2xf32>
  %4 = stablehlo.dynamic_reshape %a, %n : (tensor<4x4xf32>, tensor<2xi64>) -> tensor<16xf32>
  %5 = stablehlo.dot %c, %c : (tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> tensor<2x2x2x2xf32>
  %6 = "stablehlo.dot"(%a, %a) {precision_config = ["FOO"]} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  "stablehlo.sort"() ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %7 = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %7 : tensor<i1>
  }) {dimension = 0 : i64} : () -> ()
  return
}
// -----
// bad: layout-attribute size must be 1 (which is the number of op-results - 1 (for token result)), but got 0
// bad: layout-attribute expected to have elements of type array, but got 0
// bad: layout-attribute's leaf elements are expected to be of type integer, but got []
// bad: incorrect layout dense<[0, 0]> for type 'tensor<2x3xf32>', layout must be a permutation of [0, 2)
// bad: Number of results must match the number of result layouts, 1 != 0
// bad: Tuple types are not fully supported with layout constraints yet
// bad: Only tensor types can have non-empty layout: operand #0 of type '!stablehlo.token' has layout dense<[0]>
// Layouts.
func.func @main(%k: !stablehlo.token, %a: tensor<2x3xf32>, %t: tuple<tensor<2xf32>>) {
  %0:2 = "stablehlo.infeed"(%k) {layout = []} : (!stablehlo.token) -> (tensor<2x3xf32>, !stablehlo.token)
  %1:2 = "stablehlo.infeed"(%k) {layout = [0]} : (!stablehlo.token) -> (tensor<2x3xf32>, !stablehlo.token)
  %2:2 = "stablehlo.infeed"(%k) {layout = [[0, []]]} : (!stablehlo.token) -> (tensor<2x3xf32>, !stablehlo.token)
  %3:2 = "stablehlo.infeed"(%k) {layout = [[0, 0]]} : (!stablehlo.token) -> (tensor<2x3xf32>, !stablehlo.token)
  %4 = stablehlo.custom_call @f(%a) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = []} : (tensor<2x3xf32>) -> tensor<2xf32>
  %5 = stablehlo.custom_call @f(%t) {operand_layouts = [dense<[0]> : tensor<1xindex>], result_layouts = [dense<0> : tensor<1xindex>]} : (tuple<tensor<2xf32>>) -> tensor<2xf32>
  %6 = stablehlo.custom_call @f(%k) {operand_layouts = [dense<0> : tensor<1xindex>], result_layouts = [dense<0> : tensor<1xindex>]} : (!stablehlo.token) -> tensor<2xf32>
  return
}
// -----
// bad: Operand number 2 in aliasing config is out of bounds
// bad: Different aliasing shapes: f32[2,3]{1,0} vs f32[3,2]{1,0}
// Aliases.
func.func @main(%a: tensor<2x3xf32>) {
  %0 = stablehlo.custom_call @f(%a, %a) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 2, operand_tuple_indices = []>]} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.custom_call @f(%a) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}
// -----
// bad: 'stablehlo.dot_general' op lhs component count must be positive
// bad: dot algorithm not known to be supported on any hardware: {lhs:'f32', rhs:'f32', accum:'f32', lhs_components:1, rhs_components:1, primitive_ops:3, imprecise:0}
// bad: dot algorithm not known to be supported on any hardware: {lhs:'bf16', rhs:'f16', accum:'f32', lhs_components:1, rhs_components:1, primitive_ops:1, imprecise:0}
// bad: must specify DEFAULT precision config when algorithm is set
// Algorithms of products.
func.func @main(%a: tensor<2x2xf32>) {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 0, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = bf16, rhs_precision_type = f16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0], precision = [HIGH, DEFAULT], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}
// -----
// bad: #stablehlo.dot_algorithm is missing required parameter: rhs_precision_type
func.func @main(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = "stablehlo.dot_general"(%a, %a) {dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// -----
// bad: duplicate key 'dimension' in dictionary attribute
func.func @main(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = "stablehlo.concatenate"(%a) {dimension = 0 : i64, dimension = 1 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// -----
// bad: unexpected decimal integer literal for a floating point value
// bad: integer constant out of range for i1
// Elements.
func.func @main(%a: tensor<f32>) {
  %0 = stablehlo.constant dense<1> : tensor<f32>
  %1 = stablehlo.constant dense<2> : tensor<i1>
  return
}
// -----
// bad: the elements of dense<...> must have the type of an array
func.func @main() -> i32 {
  %0 = stablehlo.constant dense<1> : i32
  return %0 : i32
}
// -----
// bad: expected 2 operand types but had 1
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %a : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// bad: inserted_window_dims in scatter op must not repeat; got: 0, 0.
// A scatter that is written element by element has valid dimension numbers all the same.
func.func @main(%a: tensor<4x4xf32>, %i: tensor<2x2xi32>, %u: tensor<2xf32>) -> tensor<4x4xf32> {
  %0 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    stablehlo.return %q : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>} : (tensor<4x4xf32>, tensor<2x2xi32>, tensor<2xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
// -----
// bad: expected the type of a single result behind the ':' of 'stablehlo.add'
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %a : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %0 : tensor<f32>
}
// -----
// bad: expected exponent mantissa in format e#m#, saw "e5m2"
// bad: expected exponent mantissa in format e#m#, saw m5e2
// bad: expected exponent mantissa in format e#m#, saw e5m
// bad: expected exponent mantissa in format e#m#, saw e2147483648m1
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.reduce_precision %a, format = "e5m2" : tensor<f32>
  %1 = stablehlo.reduce_precision %a, format = m5e2 : tensor<f32>
  %2 = stablehlo.reduce_precision %a, format = e5m : tensor<f32>
  %3 = stablehlo.reduce_precision %a, format = e2147483648m1 : tensor<f32>
  return %a : tensor<f32>
}
// -----
// bad: 'builtin.module' op expected a list of 2 for (tensor<4xf32>, tensor<2x3xf32>)
module attributes {mhlo.xla_entry_computation_parameter_layouts = [dense<0> : tensor<1xindex>]} {
  func.func @main(%a: tensor<4xf32>, %b: tensor<2x3xf32>) -> tensor<4xf32> {
    return %a : tensor<4xf32>
  }
}
// -----
// bad: Dimensions size is 2, but minor to major size is 1.
module attributes {mhlo.xla_entry_computation_parameter_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>]} {
  func.func @main(%a: tensor<4xf32>, %b: tensor<2x3xf32>) -> tensor<4xf32> {
    return %a : tensor<4xf32>
  }
}
// -----
// bad: 'builtin.module' op expected integers in dense<...>, but got [1]
module attributes {mhlo.xla_entry_computation_parameter_layouts = [[1], []]} {
  func.func @main(%a: tensor<4xf32>, %b: tensor<2x3xf32>) -> tensor<4xf32> {
    return %a : tensor<4xf32>
  }
}
// -----
// bad: 'builtin.module' op the sizes of a tile must be positive, but one is -1
module attributes {mhlo.xla_entry_computation_result_tiles = [[dense<-1> : tensor<1xindex>]]} {
  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    return %a : tensor<4xf32>
  }
}
// -----
// bad: duplicate key 'k3' in dictionary attribute
// Of more names than are compared one by one.
module attributes {k0 = 0, k1 = 0, k2 = 0, k3 = 0, k4 = 0, k5 = 0, k6 = 0, k7 = 0, k8 = 0, k9 = 0, k10 = 0, k11 = 0, k12 = 0, k13 = 0, k14 = 0, k15 = 0, k16 = 0, k17 = 0, k18 = 0, k19 = 0, k3 = 1} {
  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    return %a : tensor<4xf32>
  }
}
// -----
// bad: duplicate key 'k20' in dictionary attribute
module attributes {k0 = 0, k1 = 0, k2 = 0, k3 = 0, k4 = 0, k5 = 0, k6 = 0, k7 = 0, k8 = 0, k9 = 0, k10 = 0, k11 = 0, k12 = 0, k13 = 0, k14 = 0, k15 = 0, k16 = 0, k17 = 0, k18 = 0, k19 = 0, k20 = 0, k20 = 1} {
  func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    return %a : tensor<4xf32>
  }
}
// -----
// bad: sharding-invalid: axis 'z' is not a valid axis name or index in mesh mesh['x'=2,'y'=2], in the sharding {mesh['x'=2,'y'=2],[{'z'},{}]}
// bad: sharding-invalid: unknown mesh: @nope
// bad: sharding-invalid: Axes cannot coexist or axes overlap: 'x' and 'x', in the sharding {mesh['x'=2,'y'=2],[{'x'},{'x'}]}
// bad: sharding-invalid: expects a mesh whose axes have sizes of 1 or more and as many devices, and axes of it
// bad: sharding-invalid: Device ids must be a permutation of [0,1,2,3...]. Here: the numbers below 4, each once, in the sharding {mesh['x'=2,'y'=2], device_ids=(0,0,2,3),[{'x'},{}]}
// bad: sharding-invalid: Mesh has duplicate axis names: x, in the sharding {mesh['x'=2,'x'=2],[{'x'},{}]}
// bad: sharding-invalid: unexpected token `foo` in a sharding, in the sharding {foo}
// bad: sharding-invalid: iota size 4 does not match the tile assignment dimensions product 3, in the sharding {devices=[3,1]<=[4]}
// bad: sharding-invalid: axis 'w' is not a valid axis name or index in mesh mesh['x'=2,'y'=2], in the sharding {mesh['x'=2,'y'=2],[{'w'},{}]}
// Shardings of Shardy and of HLO, of arguments and of values.
module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  sdy.mesh @short = <["x"=2, "y"=2], device_ids=[0, 1, 2]>
  sdy.mesh @again = <["x"=2, "y"=2], device_ids=[0, 0, 2, 3]>
  sdy.mesh @twice = <["x"=2, "x"=2]>
  func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z"}, {}]>}, %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@nope, [{"x"}, {}]>}, %d: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"x"}]>}, %e: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@short, [{"x"}, {}]>}, %f: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@again, [{"x"}, {}]>}, %g: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@twice, [{"x"}, {}]>}) -> tensor<8x4xf32> {
    %0 = stablehlo.sine %a {mhlo.sharding = "{foo}"} : tensor<8x4xf32>
    %1 = stablehlo.sine %a {mhlo.sharding = "{devices=[3,1]<=[4]}"} : tensor<8x4xf32>
    %2 = sdy.sharding_constraint %a <@mesh, [{"w"}, {}]> : tensor<8x4xf32>
    return %2 : tensor<8x4xf32>
  }
}
// -----
// bad: sharding-invalid: Invalid sharding for instruction: a: Number of tile assignment dimensions (excluding subgroups) is different than the input rank. sharding={mesh['x'=2], [{'x'}]}, input_shape=f32[8,4] Note: While validating sharding {mesh['x'=2], [{'x'}]} against shape f32[8,4]
module {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8x4xf32> {
    return %a : tensor<8x4xf32>
  }
}
// -----
// bad: 'stablehlo.batch_norm_inference' op requires attribute 'epsilon'
// bad: 'stablehlo.reduce_precision' op requires attribute 'mantissa_bits'
// bad: 'stablehlo.collective_permute' op requires attribute 'source_target_pairs'
// bad: 'stablehlo.all_to_all' op requires attribute 'concat_dimension'
// bad: 'stablehlo.triangular_solve' op requires attribute 'lower'
// bad: 'stablehlo.triangular_solve' op requires attribute 'unit_diagonal'
// bad: 'stablehlo.all_gather' op requires attribute 'replica_groups'
// bad: 'stablehlo.slice' op requires attribute 'strides'
// bad: 'stablehlo.sine' op requires one result
// bad: 'stablehlo.cosine' op requires one result
// bad: 'stablehlo.tan' op requires zero regions
// Attributes that have no default, results and regions that an op has not.
func.func @main(%a: tensor<2x2xf32>, %f: tensor<2xf32>) -> tensor<2x2xf32> {
  %0 = "stablehlo.batch_norm_inference"(%a, %f, %f, %f, %f) {feature_index = 1 : i64} : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %1 = "stablehlo.reduce_precision"(%a) {exponent_bits = 5 : i32} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = "stablehlo.collective_permute"(%a) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = "stablehlo.all_to_all"(%a) {split_dimension = 0 : i64, split_count = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %4 = "stablehlo.triangular_solve"(%a, %a) {left_side = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %5 = "stablehlo.all_gather"(%a) {all_gather_dim = 0 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %6 = "stablehlo.slice"(%a) {start_indices = array<i64: 0, 0>, limit_indices = array<i64: 1, 1>} : (tensor<2x2xf32>) -> tensor<1x1xf32>
  %7:2 = "stablehlo.sine"(%a) : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<3xi32>)
  "stablehlo.cosine"(%a) : (tensor<2x2xf32>) -> ()
  %8 = "stablehlo.tan"(%a) ({
    stablehlo.return %a : tensor<2x2xf32>
  }) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %a : tensor<2x2xf32>
}
// -----
// bad: shape-invalid: the stored values are between -129 and 127, and must be a range within -128:127
// bad: shape-invalid: the stored values are between 10 and 5, and must be a range within -128:127
// bad: shape-invalid: illegal scale: -0.1
// bad: shape-invalid: illegal scale: 0
// bad: shape-invalid: the zero point 200 is no stored value
// bad: shape-invalid: a list of scales needs an axis, and an axis a list
// bad: shape-invalid: the axis 1 of a quantised type is no dimension of the tensor
// bad: shape-invalid: there are 3 scales for the 2 indices of dimension 0
// Quantised types.
func.func @a(%a: tensor<2x!quant.uniform<i8<-129:127>:f32, 0.1>>) {
  return
}
func.func @b(%a: tensor<2x!quant.uniform<i8<10:5>:f32, 0.1>>) {
  return
}
func.func @c(%a: tensor<2x!quant.uniform<i8:f32, -0.1>>) {
  return
}
func.func @d(%a: tensor<2x!quant.uniform<i8:f32, 0.0>>) {
  return
}
func.func @e(%a: tensor<2x!quant.uniform<i8:f32, 0.1:200>>) {
  return
}
func.func @f(%a: tensor<2x!quant.uniform<i8:f32, {0.1:1, 0.2:2}>>) {
  return
}
func.func @g(%a: tensor<2x!quant.uniform<i8:f32:1, {0.1:1, 0.2:2}>>) {
  return
}
func.func @h(%a: tensor<2x!quant.uniform<i8:f32:0, {0.1, 0.2, 0.3}>>) {
  return
}
// -----
// bad: element-type: 'stablehlo.negate' op operand #0 must be quantized per tensor, but got 'tensor<2x!quant.uniform<i8:f32:0, {1.000000e-01,2.000000e-01}>>'
// bad: element-type: 'stablehlo.multiply' op operand #0 must be quantized per tensor
// bad: element-type: 'stablehlo.dot_general' op operand #0 must be quantized per tensor
// bad: element-type: 'stablehlo.slice' op result #0 must be quantized per tensor
// Scales along a dimension, where only one may be.
func.func @main(%a: tensor<2x!quant.uniform<i8:f32:0, {0.1, 0.2}>>, %b: tensor<2x!quant.uniform<i8:f32, 0.1>>) {
  %0 = stablehlo.negate %a : tensor<2x!quant.uniform<i8:f32:0, {0.1, 0.2}>>
  %1 = stablehlo.multiply %a, %a : tensor<2x!quant.uniform<i8:f32:0, {0.1, 0.2}>>
  %2 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<2x!quant.uniform<i8:f32:0, {0.1, 0.2}>>, tensor<2x!quant.uniform<i8:f32, 0.1>>) -> tensor<!quant.uniform<i32:f32, 0.1>>
  %3 = stablehlo.slice %b [0:1] : (tensor<2x!quant.uniform<i8:f32, 0.1>>) -> tensor<1x!quant.uniform<i8:f32:0, {0.1}>>
  %4 = stablehlo.add %a, %a : tensor<2x!quant.uniform<i8:f32:0, {0.1, 0.2}>>
  %5 = stablehlo.transpose %a, dims = [0] : (tensor<2x!quant.uniform<i8:f32:0, {0.1, 0.2}>>) -> tensor<2x!quant.uniform<i8:f32:0, {0.1, 0.2}>>
  %6 = stablehlo.optimization_barrier %a : tensor<2x!quant.uniform<i8:f32:0, {0.1, 0.2}>>
  %7 = stablehlo.uniform_dequantize %a : (tensor<2x!quant.uniform<i8:f32:0, {0.1, 0.2}>>) -> tensor<2xf32>
  return
}
// -----
// bad: attribute-unknown: 'stablehlo.convolution' op a window has no 'rhs_dilation': expected one of: stride, pad, lhs_dilate, rhs_dilate, reverse
// bad: attribute-value: 'stablehlo.convolution' op Expected array with 2 elements, got 4 elements instead
// bad: attribute-missing: 'stablehlo.convolution' op requires attribute 'batch_group_count'
// bad: attribute-missing: 'stablehlo.convolution' op requires attribute 'feature_group_count'
// bad: attribute-missing: 'stablehlo.pad' op requires attribute 'interior_padding'
// bad: attribute-missing: 'stablehlo.all_gather' op requires attribute 'all_gather_dim'
// bad: attribute-missing: 'stablehlo.get_tuple_element' op requires attribute 'index'
// bad: opcode-unknown: 'stablehlo.reduce' op expected the inner-op to be a commutative binary-op, but got 'stablehlo.divide'
// bad: shape-mismatch: 'stablehlo.bitcast_convert' op the last dimension of 'tensor<i1>' must have the 8 bits of an element of 'tensor<i8>'
// bad: attribute-value: 'stablehlo.all_gather' op dimension size of operand at 'all_gather_dim' cannot be zero
// Attributes that are no such, are missing, or say what cannot be.
func.func @main(%a: tensor<1x4x1xf32>, %k: tensor<3x1x1xf32>, %b: tensor<1x4x4x1xf32>, %l: tensor<3x3x1x1xf32>, %m: tensor<4x4xf32>, %f: tensor<f32>, %t: tuple<tensor<f32>>, %p: tensor<i1>, %z: tensor<4x0xf32>) {
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]], rhs_dilation = [9]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x1xf32>, tensor<3x1x1xf32>) -> tensor<1x4x1xf32>
  %1 = stablehlo.convolution(%b, %l) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1, 1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xf32>, tensor<3x3x1x1xf32>) -> tensor<1x4x4x1xf32>
  %2 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {feature_group_count = 1 : i64} : (tensor<1x4x1xf32>, tensor<3x1x1xf32>) -> tensor<1x4x1xf32>
  %3 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64} : (tensor<1x4x1xf32>, tensor<3x1x1xf32>) -> tensor<1x4x1xf32>
  %4 = "stablehlo.pad"(%m, %f) {edge_padding_low = array<i64: 0, 0>, edge_padding_high = array<i64: 0, 0>} : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
  %5 = "stablehlo.all_gather"(%m) {replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %6 = "stablehlo.get_tuple_element"(%t) : (tuple<tensor<f32>>) -> tensor<f32>
  %7 = stablehlo.reduce(%m init: %f) applies stablehlo.divide across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  %8 = stablehlo.bitcast_convert %p : (tensor<i1>) -> tensor<i8>
  %9 = "stablehlo.all_gather"(%z) {all_gather_dim = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>} : (tensor<4x0xf32>) -> tensor<4x0xf32>
  return
}
// -----
// bad: syntax-error: expected '(%operand init: %init_value)' for each operand
// Operands without initial values.
func.func @main(%m: tensor<4x4xf32>, %f: tensor<f32>) {
  %0 = stablehlo.reduce(%m, %f) applies stablehlo.add across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}
// -----
// bad: syntax-error: 'stablehlo.case' op region #0 must have exactly one block, but has 2
// Blocks.
func.func @main(%f: tensor<f32>, %i: tensor<i32>) {
  %1 = "stablehlo.case"(%i) ({
    stablehlo.return %f : tensor<f32>
  ^other:
    stablehlo.return %f : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return
}
// -----
// bad: shape-invalid: Static dimension 0 cannot have a bound
// Bounds.
func.func @bounded(%a: tensor<3x?xf32, #stablehlo.bounds<3, 5>>) {
  return
}
// -----
// bad: element-type: 'stablehlo.select' op requires compatible types for all operands and results
// bad: element-type: 'stablehlo.slice' op requires the same element type for all operands and results
// bad: element-type: 'stablehlo.concatenate' op requires the same element type for all operands and results
// bad: element-type: 'stablehlo.convert' op operand #0 must not be quantized
// Quantised types that may not meet.
func.func @main(%p: tensor<2xi1>, %a: tensor<2x!quant.uniform<i8:f32, 1.0>>, %b: tensor<2x!quant.uniform<i8:f32, 2.0>>) {
  %0 = stablehlo.select %p, %a, %a : (tensor<2xi1>, tensor<2x!quant.uniform<i8:f32, 1.0>>, tensor<2x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x!quant.uniform<i16:f32, 1.0>>
  %1 = stablehlo.slice %a [0:1] : (tensor<2x!quant.uniform<i8:f32, 1.0>>) -> tensor<1xf32>
  %2 = stablehlo.concatenate %a, %b, dim = 0 : (tensor<2x!quant.uniform<i8:f32, 1.0>>, tensor<2x!quant.uniform<i8:f32, 2.0>>) -> tensor<4x!quant.uniform<i8:f32, 1.0>>
  %3 = stablehlo.convert %a : (tensor<2x!quant.uniform<i8:f32, 1.0>>) -> tensor<2xf32>
  return
}
// -----
// bad: Bounds of the window dimensions of updates must not exceed the bounds of the corresponding dimensions of operand. For dimension 1, updates bound is 6, operand bound is 5.
// bad: Scatter op has 2 elements in scatter_dims_to_operand_dims and the bound of dimension index_vector_dim=1 of scatter_indices is 3. These two numbers must be equal.
// bad: Repeated dimensions not allowed in scatter_dims_to_operand_dims; got: 1, 1.
// bad: Bounds of the scatter dimensions of updates must be same as the bounds of the corresponding dimensions of scatter indices. For scatter dimension 0, updates bound is 2, scatter_indices bound is 3.
// bad: scatter.input_batching_dims: dimension 0 is also in inserted_window_dims
// bad: scatter.scatter_indices_batching_dims: dimension 3 is index_vector_dim
// bad: Scatter op has 1 elements in scatter_dims_to_operand_dims and the bound of dimension index_vector_dim=3 of scatter_indices is 2. These two numbers must be equal.
// bad: Repeated dimensions not allowed in scatter_dims_to_operand_dims; got: 2, 2.
// Scatters that are written element by element fit their shapes all the same.
func.func @main(%a: tensor<4x5xf32>, %i: tensor<3x2xi32>, %j: tensor<3x3xi32>, %u: tensor<3x2xf32>, %v: tensor<3x6xf32>, %w: tensor<2x2xf32>, %b: tensor<2x3x4x2xf32>, %k: tensor<2x2x3x2xi64>, %l: tensor<2x3x3x2xi64>, %s: tensor<2x2x3x2x2xf32>, %t: tensor<2x3x3x2x2xf32>) {
  %0 = "stablehlo.scatter"(%a, %i, %v) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>} : (tensor<4x5xf32>, tensor<3x2xi32>, tensor<3x6xf32>) -> tensor<4x5xf32>
  %1 = "stablehlo.scatter"(%a, %j, %u) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>} : (tensor<4x5xf32>, tensor<3x3xi32>, tensor<3x2xf32>) -> tensor<4x5xf32>
  %2 = "stablehlo.scatter"(%a, %i, %u) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [1, 1], index_vector_dim = 1>} : (tensor<4x5xf32>, tensor<3x2xi32>, tensor<3x2xf32>) -> tensor<4x5xf32>
  %3 = "stablehlo.scatter"(%a, %i, %w) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>} : (tensor<4x5xf32>, tensor<3x2xi32>, tensor<2x2xf32>) -> tensor<4x5xf32>
  %4 = "stablehlo.scatter"(%b, %k, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3, 4], inserted_window_dims = [0], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [2, 1], index_vector_dim = 3>} : (tensor<2x3x4x2xf32>, tensor<2x2x3x2xi64>, tensor<2x2x3x2x2xf32>) -> tensor<2x3x4x2xf32>
  %5 = "stablehlo.scatter"(%b, %k, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3, 4], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [3], scatter_dims_to_operand_dims = [2, 1], index_vector_dim = 3>} : (tensor<2x3x4x2xf32>, tensor<2x2x3x2xi64>, tensor<2x2x3x2x2xf32>) -> tensor<2x3x4x2xf32>
  %7 = "stablehlo.scatter"(%b, %k, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3, 4], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [2], index_vector_dim = 3>} : (tensor<2x3x4x2xf32>, tensor<2x2x3x2xi64>, tensor<2x2x3x2x2xf32>) -> tensor<2x3x4x2xf32>
  %9 = "stablehlo.scatter"(%b, %k, %s) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3, 4], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [2, 2], index_vector_dim = 3>} : (tensor<2x3x4x2xf32>, tensor<2x2x3x2xi64>, tensor<2x2x3x2x2xf32>) -> tensor<2x3x4x2xf32>
  return
}
