// run
// Sizes follow from the type of the argument: it is said before the input's rule.
// input 0: f32[2,3] iota
// output: f32[2,3] {{0,2,4},{6,8,10}}
func.func @main(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = stablehlo.add %x, %x : tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
// -----
// run
// The same type as MLIR writes it.
// input 0: tensor<1x3xf32> {{1,2,3}}
// output: f32[1,3] {{2,4,6}}
func.func @main(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = stablehlo.add %x, %x : tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
// -----
// run
// A literal has its sizes in its braces.
// input 0: {{1,2,3},{4,5,6}}
// output: f32[2,3] {{2,4,6},{8,10,12}}
func.func @main(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %0 = stablehlo.add %x, %x : tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
// -----
// run
// A size is an argument, as older programs of JAX have it: 2 * 3 + 1 elements, the fourth 3.
// input 0: 3
// output: f32[7] {0,1,2,3,4,5,6}
func.func @main(%n: tensor<i64>) -> tensor<?xf32> {
  %two = stablehlo.constant dense<2> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %0 = stablehlo.multiply %n, %two : tensor<i64>
  %1 = stablehlo.add %0, %one : tensor<i64>
  %2 = stablehlo.reshape %1 : (tensor<i64>) -> tensor<1xi64>
  %3 = stablehlo.dynamic_iota %2, dim = 0 : (tensor<1xi64>) -> tensor<?xf32>
  return %3 : tensor<?xf32>
}
// -----
// print
// Sizes that are known are in the program; so is the value of the size that was given.
// input 0: 2
//| HloModule main, entry_computation_layout={(s32[])->s32[2]{0}}
//|
//| ENTRY main {
//|   n = s32[] parameter(0)
//|   n.1 = s32[] constant(2)
//|   v0 = s32[1]{0} reshape(n.1)
//|   v1 = s32[2]{0} iota(), iota_dimension=0
//|   ROOT v2 = s32[2]{0} multiply(v1, v1)
//| }
func.func @main(%n: tensor<i32>) -> tensor<?xi32> {
  %0 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %1 = stablehlo.dynamic_iota %0, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %2 = stablehlo.multiply %1, %1 : tensor<?xi32>
  return %2 : tensor<?xi32>
}
// -----
// run
// Functions are made for every size they are called with: @half for 4 and for 2 elements, @plus for
// three. Integers that no size hangs on are inputs like others.
// input 0: 10
// input 1: s32[4] {1,2,3,4}
// output: (s32[2] {11,12}, s32[4] {11,12,13,14}, s32[1] {11})
func.func @main(%k: tensor<i32>, %x: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>, tensor<?xi32>) {
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  %1 = call @half(%0, %x) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %2 = stablehlo.get_dimension_size %1, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  %3 = call @half(%2, %1) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %4 = call @plus(%k, %1) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %5 = call @plus(%k, %x) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  %6 = call @plus(%k, %3) : (tensor<i32>, tensor<?xi32>) -> tensor<?xi32>
  return %4, %5, %6 : tensor<?xi32>, tensor<?xi32>, tensor<?xi32>
}
func.func private @half(%n: tensor<i32>, %x: tensor<?xi32>) -> tensor<?xi32> {
  %two = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.divide %n, %two : tensor<i32>
  %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %zero = stablehlo.constant dense<0> : tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %2 = stablehlo.real_dynamic_slice %x, %zero, %1, %one : (tensor<?xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
  return %2 : tensor<?xi32>
}
func.func private @plus(%k: tensor<i32>, %x: tensor<?xi32>) -> tensor<?xi32> {
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.dynamic_broadcast_in_dim %k, %1, dims = [] : (tensor<i32>, tensor<1xi32>) -> tensor<?xi32>
  %3 = stablehlo.add %2, %x : tensor<?xi32>
  return %3 : tensor<?xi32>
}
// -----
// run
// What jax.export writes: sizes of the arguments, what is asserted of them, the program in a
// function of its own. The size goes through an optimization barrier and a call.
// input 0: f32[3] {1,2,3}
// input 1: f32[6] iota
// output: f32[2,3] {{1,3,5},{4,6,8}}
module @jit_f attributes {jax.uses_shape_polymorphism = true} {
  func.func public @main(%arg0: tensor<?xf32>, %arg1: tensor<?xf32>) -> (tensor<2x?xf32> {jax.result_info = ""}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %c2 = stablehlo.constant dense<2> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?xf32>) -> tensor<i32>
    %1 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%1, %0) {api_version = 2 : i32, error_message = "a must be at least 1, but is {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %2 = stablehlo.get_dimension_size %arg1, dim = 0 : (tensor<?xf32>) -> tensor<i32>
    %3 = stablehlo.multiply %0, %c2 : tensor<i32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%4, %2, %3) {error_message = "{0} is not {1}", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %5 = call @_wrapped_jax_export_main(%0, %arg0, %arg1) : (tensor<i32>, tensor<?xf32>, tensor<?xf32>) -> tensor<2x?xf32>
    return %5 : tensor<2x?xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "a"}, %arg1: tensor<?xf32>, %arg2: tensor<?xf32>) -> tensor<2x?xf32> {
    %c2 = stablehlo.constant dense<2> : tensor<1xi32>
    %0 = stablehlo.optimization_barrier %arg0 : tensor<i32>
    %1 = call @twin(%0) : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %c2, %1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %3 = stablehlo.dynamic_reshape %arg2, %2 : (tensor<?xf32>, tensor<2xi32>) -> tensor<2x?xf32>
    %4 = stablehlo.dynamic_broadcast_in_dim %arg1, %2, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<2x?xf32>
    %5 = stablehlo.add %3, %4 : tensor<2x?xf32>
    return %5 : tensor<2x?xf32>
  }
  func.func private @twin(%arg0: tensor<i32>) -> tensor<1xi32> {
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    return %0 : tensor<1xi32>
  }
}
// -----
// bad: verifier-rule: 'stablehlo.custom_call' op the assertion fails: a must be at least 4, but is 3
// input 0: f32[3]
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c = stablehlo.constant dense<4> : tensor<i32>
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %1 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%1, %0) {error_message = "a must be at least 4, but is {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  return %x : tensor<?xf32>
}
// -----
// run
// A loop carries a dynamic value and uses a size of outside in its body: 0 + 2 * 1 for each element.
// input 0: f32[3] zero
// output: f32[3] {2,2,2}
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<?xf32>
   cond {
    %two = stablehlo.constant dense<2> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %two, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %f = stablehlo.constant dense<1.0> : tensor<f32>
    %2 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.dynamic_broadcast_in_dim %f, %2, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
    %4 = stablehlo.add %y, %3 : tensor<?xf32>
    %5 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %5, %4 : tensor<i32>, tensor<?xf32>
  }
  return %0#1 : tensor<?xf32>
}
// -----
// run
// A size that a loop carries along, and hands on as it is, is known inside of it: 3 * (0, 1, 2).
// input 0: f32[3] zero
// output: f32[3] {0,3,6}
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %m = %n, %y = %x) : tensor<i32>, tensor<i32>, tensor<?xf32>
   cond {
    %1 = stablehlo.compare LT, %i, %m, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.dynamic_iota %2, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
    %4 = stablehlo.add %y, %3 : tensor<?xf32>
    %5 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %5, %m, %4 : tensor<i32>, tensor<i32>, tensor<?xf32>
  }
  return %0#2 : tensor<?xf32>
}
// -----
// A size that a loop changes is not.
// input 0: f32[3] zero
// bad: stablehlo.dynamic_iota: the sizes of the result must be known before the program runs, but depend on
func.func @main(%x: tensor<?xf32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.while(%i = %zero) : tensor<i32>
   cond {
    %two = stablehlo.constant dense<2> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %two, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.dynamic_iota %2, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
    %4 = stablehlo.get_dimension_size %3, dim = 0 : (tensor<?xf32>) -> tensor<i32>
    %5 = stablehlo.add %4, %one : tensor<i32>
    stablehlo.return %5 : tensor<i32>
  }
  return %0 : tensor<i32>
}
// -----
// run
// A size inside of a reducer, where other values of outside may not be used: 1 + 2 * 3, 4 + 2 * 3.
// input 0: f32[2,3] {{1,0,0},{4,0,0}}
// output: f32[2] {7,10}
func.func @main(%x: tensor<2x?xf32>) -> tensor<2xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<2x?xf32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %m = stablehlo.subtract %n, %two : tensor<i32>
  %f = stablehlo.convert %m : (tensor<i32>) -> tensor<f32>
  %0 = "stablehlo.map"(%x) ({
  ^bb0(%a: tensor<f32>):
    %1 = stablehlo.add %a, %f : tensor<f32>
    %2 = stablehlo.add %1, %f : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<2x?xf32>) -> tensor<2x?xf32>
  %3 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<2x?xf32>, tensor<f32>) -> tensor<2xf32>
  return %3 : tensor<2xf32>
}
// -----
// run
// The argument's type is static, as the fix of the diagnostic makes it; the rest follows.
// input 0: {{1,2},{3,4}}
// output: f32[4] {1,2,3,4}
func.func @main(%x: tensor<2x2xf32>) -> tensor<?xf32> {
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<2x2xf32>) -> tensor<i32>
  %1 = stablehlo.multiply %0, %0 : tensor<i32>
  %2 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
  %3 = stablehlo.dynamic_reshape %x, %2 : (tensor<2x2xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %3 : tensor<?xf32>
}
// -----
// Without types: each argument is named, with what to give.
// bad: shape-invalid: %x is tensor<?x4xf32>, and input 0 is not given: give input 0 with its shape, as `tensor<8x4xf32>` or as HLO writes it
// bad: %y is tensor<?xi32>, and input 1 is not given
func.func @main(%x: tensor<?x4xf32>, %y: tensor<?xi32>) -> tensor<?x4xf32> {
  %0 = stablehlo.add %x, %x : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
// -----
// Types that are not those of the arguments.
// input 0: f32[3,5]
// input 1: iota
// input 2: s64[2]
// bad: %x is tensor<?x4xf32>, and input 0 is f32[3,5]
// bad: %y is tensor<?xi32>, and input 1 does not say its shape
// bad: %z is tensor<?xi32>, and input 2 is s64[2]
func.func @main(%x: tensor<?x4xf32>, %y: tensor<?xi32>, %z: tensor<?xi32>) -> tensor<?x4xf32> {
  return %x : tensor<?x4xf32>
}
// -----
// The value of a size is missing: one fault, however many ops depend on it.
// input 1: f32[3]
// bad: operand-invalid: stablehlo.dynamic_iota: the sizes of the result must be known before the program runs, but depend on the value of %n: give input 0 a value
func.func @main(%n: tensor<i32>, %x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %1 = stablehlo.dynamic_iota %0, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  %2 = stablehlo.dynamic_iota %0, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
// -----
// Sizes that the program computes from data.
// input 0: f32[3]
// bad: but depend on %0 (rng)
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %a = stablehlo.constant dense<1> : tensor<i32>
  %b = stablehlo.constant dense<9> : tensor<i32>
  %s = stablehlo.constant dense<[1]> : tensor<1xi64>
  %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<i32>, tensor<i32>, tensor<1xi64>) -> tensor<1xi32>
  %1 = stablehlo.dynamic_iota %0, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
// -----
// Sizes that are none, and that do not fit what is written.
// input 0: f32[3]
// bad: 'stablehlo.dynamic_iota' op tensor<?xf32> cannot have the sizes [-3]
// bad: 'stablehlo.dynamic_iota' op tensor<?x?xf32> cannot have the sizes [9000000000000000000, 3]
// bad: shape-mismatch: 'stablehlo.add' op inferred type(s) 'tensor<3xf32>' are incompatible with return type(s) of operation 'tensor<?x4xf32>'
// bad: 'stablehlo.dynamic_iota' op inferred type(s) 'tensor<3x3xf32>' are incompatible with return type(s) of operation 'tensor<?x5xf32>'
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %m = stablehlo.constant dense<[-3]> : tensor<1xi64>
  %n = stablehlo.constant dense<[9000000000000000000, 3]> : tensor<2xi64>
  %o = stablehlo.constant dense<[3, 3]> : tensor<2xi64>
  %0 = stablehlo.dynamic_iota %m, dim = 0 : (tensor<1xi64>) -> tensor<?xf32>
  %1 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<2xi64>) -> tensor<?x?xf32>
  %2 = stablehlo.add %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?x4xf32>
  %3 = stablehlo.dynamic_iota %o, dim = 0 : (tensor<2xi64>) -> tensor<?x5xf32>
  return %x : tensor<?xf32>
}
// -----
// What is passed to a function is not what it takes.
// input 0: f32[3]
// bad: computation-signature: %a is tensor<4xf32>, but f32[3] is passed
// bad: computation-signature: 1 operands are passed to a function of 2 arguments
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = call @f(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = call @g(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func private @g(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}
// -----
// A function that calls itself with other sizes is recursive too.
// input 0: f32[3]
// bad: recursion-limit: @f calls itself
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = call @f(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %1 = call @f(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
// -----
// bad: arguments of type tensor<*xf32> are not read
func.func @main(%x: tensor<*xf32>) -> tensor<*xf32> {
  return %x : tensor<*xf32>
}
// -----
// run
// Sizes from an iota, a sum and a reversal: 3 rows of 2.
// output: s32[3,2] {{0,0},{1,1},{2,2}}
func.func @main() -> tensor<?x?xi32> {
  %0 = stablehlo.iota dim = 0 : tensor<2xi32>
  %2 = stablehlo.constant dense<2> : tensor<2xi32>
  %3 = stablehlo.add %0, %2 : tensor<2xi32>
  %4 = stablehlo.reverse %3, dims = [0] : tensor<2xi32>
  %5 = stablehlo.dynamic_iota %4, dim = 0 : (tensor<2xi32>) -> tensor<?x?xi32>
  return %5 : tensor<?x?xi32>
}
