// bad: redefinition of SSA value '%0'
// bad: use of value '%0' expects different type than prior uses: 'tensor<2xi32>' vs 'tensor<2xf32>'
// bad: expected 2 operand types but had 1
// bad: 'func.return' op type of return operand 0 ('tensor<2xf32>') doesn't match function result type ('tensor<2xi32>') in function @other
// bad: 'func.return' op has 1 operands, but enclosing function (@more) returns 2
// What MLIR asks of any program. The places are those of the values.
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.negate %a : tensor<2xf32>
  %0 = stablehlo.abs %a : tensor<2xf32>
  %1 = "stablehlo.add"(%0, %a) : (tensor<2xi32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = "stablehlo.add"(%0, %a) : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
func.func @other(%a: tensor<2xf32>) -> tensor<2xi32> {
  return %a : tensor<2xf32>
}
func.func @more(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  return %a : tensor<2xf32>
}
// -----
// bad: 'stablehlo.transpose' op requires attribute 'permutation'
// bad: 'stablehlo.reverse' op attribute 'dimensions' failed to satisfy constraint: i64 dense array attribute
// bad: 'stablehlo.concatenate' op attribute 'dimension' failed to satisfy constraint: 64-bit signless integer attribute
// bad: attribute 'transpose_a' is 'TRANSPOSE_INVALID', expected to be one of: NO_TRANSPOSE, TRANSPOSE, ADJOINT
// bad: attribute 'rng_distribution' is 'CAUCHY', expected to be one of: UNIFORM, NORMAL
// bad: precision 'MIDDLE', expected to be one of: DEFAULT, HIGH, HIGHEST
// bad: expects precision config to be empty or have <= 2 elements
// bad: Invalid tolerance: atol is -1, but must not be negative
// Attributes that are missing, of another kind, or words that are none.
func.func @main(%a: tensor<2x2xf32>, %s: tensor<f32>, %n: tensor<2xi64>) -> tensor<2x2xf32> {
  %0 = "stablehlo.transpose"(%a) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = "stablehlo.reverse"(%a) {dimensions = "0"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = "stablehlo.concatenate"(%a) {dimension = 1.0 : f32} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = "stablehlo.triangular_solve"(%a, %a) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose TRANSPOSE_INVALID>} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %4 = "stablehlo.rng"(%s, %s, %n) {rng_distribution = #stablehlo<rng_distribution CAUCHY>} : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x2xf32>
  %5 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0], precision = [DEFAULT, MIDDLE] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %6 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT, DEFAULT] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %7 = "stablehlo.exponential"(%a) {result_accuracy = #stablehlo.result_accuracy<atol = -1.0, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %a : tensor<2x2xf32>
}
// -----
// bad: syntax-error: block with no terminator: it must end with a return
// bad: computation-signature: 'stablehlo.while' op expect operands to be compatible with condition block arguments but got 'tensor<i32>' vs 'tensor<f32>'
// bad: computation-signature: 'stablehlo.sort' op comparator block argument #0 should be of type 'tensor<f32>' but got 'tensor<f64>'
// bad: element-type: 'stablehlo.reduce' op takes, gives or folds values of different floating-point types, none of which can be promoted to the other here
// bad: attribute-value: 'stablehlo.collective_broadcast' op Invalid replica id -2
// bad: attribute-value: 'stablehlo.collective_broadcast' op replica groups should be a rank 2 tensor
// bad: attribute-missing: 'stablehlo.custom_call' op Layout attributes should be specified for either both operands and results or none
// bad: attribute-value: 'stablehlo.custom_call' op incorrect layout dense<[0, 2]> for type 'tensor<2x2xf32>', layout must be a permutation of [0, 2)
// bad: attribute-value: 'stablehlo.broadcast' op Broadcast with negative dimension size -2
// bad: element-type: imag: Expected element type in shape to be floating or complex for imag operation; got S32.
// bad: computation-duplicate: redefinition of symbol named 'twice'
// What regions take, devices, layouts.
func.func @main(%a: tensor<2x2xf32>, %i: tensor<i32>, %z: tensor<f32>) -> tensor<2x2xf32> {
  %0 = "stablehlo.while"(%i) ({
  ^bb0(%x: tensor<f32>):
    %t = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %t : tensor<i1>
  }, {
  ^bb0(%x: tensor<i32>):
    stablehlo.return %x : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  %1 = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f64>, %y: tensor<f64>):
    %t = stablehlo.compare LT, %x, %y : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %t : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = "stablehlo.reduce"(%a, %z) ({
  ^bb0(%x: tensor<bf16>, %y: tensor<bf16>):
    %t = stablehlo.add %x, %y : tensor<bf16>
    stablehlo.return %t : tensor<bf16>
  }) {dimensions = array<i64: 0>} : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xbf16>
  %3 = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<[[0, -2]]> : tensor<1x2xi64>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %4 = "stablehlo.collective_broadcast"(%a) {replica_groups = dense<0> : tensor<1xi64>} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %5 = stablehlo.custom_call @f(%a) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %6 = stablehlo.custom_call @f(%a) {operand_layouts = [dense<[0, 2]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %7 = "stablehlo.broadcast"(%z) {broadcast_sizes = array<i64: -2>} : (tensor<f32>) -> tensor<2xf32>
  %8 = stablehlo.imag %i : tensor<i32>
  return %a : tensor<2x2xf32>
}
func.func @twice() {
}
func.func @twice() {
  return
}
// -----
// run
// input 0: {1, 4}
// output: f32[2] {1, 2}
// How exact a function must be is kept, and in HLO too.
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.sqrt %a {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// bad: 'return' op must be the last operation in the parent block
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
  %0 = stablehlo.add %x, %x : tensor<2xf32>
}
// -----
// bad: expected the elements of 'stablehlo.constant'
// bad: expected ':' and the type of dense<...>
// bad: unexpected attribute in 'stablehlo.negate'
func.func @a() -> tensor<f32> {
  %0 = stablehlo.constant 0ense<0.0> : tensor<f32>
  return %0 : tensor<f32>
}
func.func @b() -> tensor<f32> {
  %0 = stablehlo.constant dense<0.0> with words : tensor<f32>
  return %0 : tensor<f32>
}
func.func @c(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.negate %x 1 : tensor<f32>
  return %0 : tensor<f32>
}
// -----
// bad: expected ':' and the types of 'stablehlo.return' behind it
// bad: 1 operands present, but expected 2
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.while(%i = %x) : tensor<f32>
  cond {
    %c = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %c : tensor<i1>, tensor<i1>
  } do {
    stablehlo.return %i
  }
  return %0 : tensor<f32>
}
// -----
// bad: the custom form of 'stablehlo.add' has no 'junk = ...'; attributes stand in braces behind its operands
// bad: 'stablehlo.transpose' has 'dims' twice
// bad: the custom form of 'stablehlo.transpose' has no 'permutation = ...'
// bad: expected 1 type behind the ':' of 'stablehlo.add'
// bad: expected 1 type behind the ':' of 'stablehlo.iota'
// bad: expected '->' and the types of its results behind the ':' of 'stablehlo.reshape'
// Items of a custom form that it does not have, and types that are not those of the form.
func.func @main(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.add %a, %a, junk = 1 : tensor<2x2xf32>
  %1 = stablehlo.transpose %a, dims = [1, 0], dims = [0, 1] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = stablehlo.transpose %a, permutation = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = stablehlo.add %a, %a : tensor<2x2xf32>, tensor<2x2xf32>
  %4 = stablehlo.iota dim = 0 : tensor<2x2xf32>, tensor<2x2xf32>
  %5 = stablehlo.reshape %a : tensor<2x2xf32>
  return %a : tensor<2x2xf32>
}
// -----
// bad: expected '(' and the operands in the generic form of 'stablehlo.add'
// bad: expected ',' or ')' in the generic form of 'stablehlo.subtract'
// bad: expected an operand or ')' in the generic form of 'stablehlo.multiply'
// bad: expected ':' and the types in the generic form of 'stablehlo.divide'
// bad: expected '->' and the types of the results in the generic form of 'stablehlo.power'
// bad: expected '{' and the properties in the generic form of 'stablehlo.maximum'
// What stands in another order, or not at all, in the generic form.
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.add" %a, %a : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %1 = "stablehlo.subtract"(%a %a) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %2 = "stablehlo.multiply"(%a, 2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %3 = "stablehlo.divide"(%a, %a) 7 : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %4 = "stablehlo.power"(%a, %a) : tensor<f32>
  %5 = "stablehlo.maximum"(%a, %a) <"x"> : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %a : tensor<f32>
}
// -----
// bad: expected ':' and the type of dense<...>
// bad: expected an item of 'stablehlo.negate' behind ','
// A constant without a type, and a comma with nothing behind it.
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.constant dense<1.0>, : tensor<f32>
  %1 = stablehlo.negate %a, : tensor<f32>
  return %a : tensor<f32>
}
// -----
// bad: expects operands, indices and updates, and scatter_dimension_numbers
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.scatter"(%a) <{scatter_dimension_numbers = #stablehlo.scatter<index_vector_dim = 0>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %y : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// bad: expected integers
// bad: malformed hexadecimal number
// bad: expected ',' or '>' behind 'update_window_dims'
// bad: expected the elements of 'stablehlo.constant', as in dense<1.0> : tensor<2xf32>
// bad: expected 1 type behind the ':' of 'stablehlo.negate'
// Numbers of another kind, cut short or run together; a constant that is no array; no operand at all.
func.func @main(%a: tensor<2x2xf32>, %i: tensor<1xi32>) -> tensor<2x2xf32> {
  %0 = stablehlo.transpose %a, dims = [1.0, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return %a : tensor<2x2xf32>
}
func.func @other(%a: tensor<2x2xf32>, %i: tensor<1xi32>) -> tensor<2x2xf32> {
  %1 = stablehlo.iota dim = 0x : tensor<2x2xf32>
  %2 = "stablehlo.scatter"(%a, %i, %a) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0] 1>}> : (tensor<2x2xf32>, tensor<1xi32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = stablehlo.constant 1 : tensor<f32>
  stablehlo.negate return %a : tensor<2x2xf32>
}
// -----
// bad: 'tens' is no element type
// A word with '<' behind it that is no type: what follows is not swallowed up to some '>'.
func.func @first(%a: tensor<f32>) -> tens<or<f32> {
  return %a : tensor<f32>
}
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
// -----
// bad: the type is never closed: '>' is missing
func.func @main(%a: !other.type<3) -> tensor<f32> {
  return %a : tensor<f32>
}
// -----
// bad: this function has no body: only a private function may be declared without one
func.func private @declared(tensor<f32>) -> tensor<f32>
func.func @bodiless(tensor<f32>) -> tensor<f32>
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
// -----
// bad: 'odd<' is no attribute
// bad: #other.attribute< is never closed
// bad: affine_map is never closed
func.func @main(%a: tensor<f32>) -> tensor<f32> attributes {first = odd<3>} {
  return %a : tensor<f32>
}
func.func @second(%a: tensor<f32>) -> tensor<f32> attributes {second = #other.attribute<3)} {
  return %a : tensor<f32>
}
func.func @third(%a: tensor<f32>) -> tensor<f32> attributes {third = affine_map<(x) -> (x]>} {
  return %a : tensor<f32>
}
// -----
// bad: StableHLO has no attribute #stablehlo.result_acuracy
// bad: expected fields of #stablehlo.result_accuracy, as in name = value
// bad: #stablehlo.result_accuracy has no 'ulp'
// bad: #stablehlo.result_accuracy has 'atol' twice
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.sqrt %a {result_accuracy = #stablehlo.result_acuracy<atol = 1.0>} : tensor<f32>
  return %0 : tensor<f32>
}
func.func @word(%a: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.sqrt %a {result_accuracy = #stablehlo.result_accuracy<x atol = 1.0>} : tensor<f32>
  return %0 : tensor<f32>
}
func.func @field(%a: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.sqrt %a {result_accuracy = #stablehlo.result_accuracy<ulp = 1>} : tensor<f32>
  return %0 : tensor<f32>
}
func.func @twice(%a: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.sqrt %a {result_accuracy = #stablehlo.result_accuracy<atol = 1.0, atol = 2.0>} : tensor<f32>
  return %0 : tensor<f32>
}
// -----
// bad: 'chlo.constant_like' op inferred type(s) 'tensor<2xi64>' are incompatible with return type(s) of operation 'tensor<2xf32>'
// A number without a type is of 64 bits.
func.func @main(%a: tensor<2xi32>) -> tensor<2xf32> {
  %0 = "chlo.constant_like"(%a) <{value = 32}> : (tensor<2xi32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// bad: syntax-error: expected the bytes of a resource, as in "0x..."
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
{-#
  dialect_resources: {
    builtin: {
      "0x04000000": , weights: "0x040000000000803F00000040"
    } 7
  }
#-}
// -----
// bad: expected dialect_resources or external_resources and ':'
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
{-# "0x0400000000000000" dialect_resources: {} #-}
// -----
// bad: the number is too large for a float
// bad: this quantised type is not understood
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> attributes {a = 1e999} {
  return %a : tensor<2xf32>
}
func.func @other(%a: tensor<2x!quant.uniform<i8:f32, 1.0 0.5:3>>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
// -----
// bad: expected an attribute, as in #stablehlo.bounds<...>, behind ','
func.func @main(%a: tensor<2xf32, %b,>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
// -----
// bad: expected '{' in the resources
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}
{-# external_resources: 7 #-}
// -----
// bad: stablehlo has no type called to
func.func @main() -> tensor<i64> {
  %t = stablehlo.create_token : !stablehlo.to
  %c = stablehlo.constant dense<0> : tensor<i64>
  return %c : tensor<i64>
}
// -----
// bad: !stablehlo.token takes no parameters
func.func @main() -> tensor<i64> {
  %t = stablehlo.create_token : !stablehlo.token<3>
  %c = stablehlo.constant dense<0> : tensor<i64>
  return %c : tensor<i64>
}
// -----
// bad: !stablehlo.future needs its parameters in <>
func.func private @f(!stablehlo.future) -> tensor<i64>
// -----
// bad: expected ',' between the items
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %a %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// bad: expected ',' or ')' in the generic form of 'stablehlo.add'
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.add"(%a %a) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// bad: expected an operand or ')' in the generic form of 'stablehlo.add'
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "stablehlo.add"(%a, %a,) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// bad: expected ',' between the items
func.func @main(%a: tensor<2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.broadcast_in_dim %a dims = [0] : (tensor<2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// -----
// bad: expected ',' between the items
func.func @main(%a: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] precision = [DEFAULT, DEFAULT] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
// -----
// bad: #stablehlo.result_accuracy_mode takes one word
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.sqrt %a {result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<()TOLERANCE>>} : tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// bad: there is no attribute EQ in #chlo<...>
func.func @main(%a: tensor<2xi32>) -> tensor<2xi1> {
  %0 = chlo.broadcast_compare %a, %a {comparison_direction = #chlo<EQ>} : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}
// -----
// bad: expected an item behind ','
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.sqrt %a {result_accuracy = #stablehlo.result_accuracy<ulps = 2,>} : tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// bad: expected the elements of 'chlo.constant'
func.func @main(%a: tensor<2xi32>) -> tensor<2xf32> {
  %0 = "chlo.constant"() <{value = 32}> : () -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// bad: 'stablehlo.constant' op expected 0 operands, but found 1
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.constant"(%a) <{value = dense<1.0> : tensor<f32>}> : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// bad: 'stablehlo.create_token' op results of type !other.token are not imported
func.func @main(%a: tensor<f32>) -> tensor<f32> {
  stablehlo.create_token : !other.token
  return %a : tensor<f32>
}
