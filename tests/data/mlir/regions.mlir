// run
// A loop whose body uses a value of outside: it is carried along.
// input 0: 5
// output: (s32[] 4, s32[] 20)
func.func @main(%arg0: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.constant dense<4> : tensor<i32>
  %0:2 = stablehlo.while(%i = %c, %sum = %c) : tensor<i32>, tensor<i32>
   cond {
    %1 = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.add %sum, %arg0 : tensor<i32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<i32>
  }
  return %0#0, %0#1 : tensor<i32>, tensor<i32>
}
// -----
// run
// Both branches of an if, and a case, use values of outside.
// input 0: true
// input 1: 2
// output: (f32[] 3, f32[] 10)
func.func @main(%p: tensor<i1>, %i: tensor<i32>) -> (tensor<f32>, tensor<f32>) {
  %a = stablehlo.constant dense<3.0> : tensor<f32>
  %b = stablehlo.constant dense<4.0> : tensor<f32>
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<f32>
  }, {
    %2 = stablehlo.negate %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  %1 = "stablehlo.case"(%i) ({
    stablehlo.return %a : tensor<f32>
  }, {
    stablehlo.return %b : tensor<f32>
  }, {
    %c = stablehlo.constant dense<10.0> : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
// -----
// run
// The three spellings of a reduction, one of two operands; a constant of outside in a reducer.
// input 0: {{1, 2}, {3, 4}}
// output: (f32[2] {4,6}, f32[2] {3,7}, f32[2] {3,4}, s32[2] {1,1}, f32[] 18)
func.func @main(%x: tensor<2x2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xi32>, tensor<f32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %zi = stablehlo.constant dense<0> : tensor<i32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [0] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
  %1 = "stablehlo.reduce"(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %5 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %5 : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
  %i = stablehlo.iota dim = 0 : tensor<2x2xi32>
  %2:2 = stablehlo.reduce(%x init: %z), (%i init: %zi) across dimensions = [0] : (tensor<2x2xf32>, tensor<2x2xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<i32>, %d: tensor<i32>)  {
    %5 = stablehlo.compare GE, %a, %b, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.select %5, %a, %b : tensor<i1>, tensor<f32>
    %7 = stablehlo.select %5, %c, %d : tensor<i1>, tensor<i32>
    stablehlo.return %6, %7 : tensor<f32>, tensor<i32>
  }
  %3 = stablehlo.reduce(%x init: %z) across dimensions = [0, 1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<f32>
   reducer(%a: tensor<f32>, %b: tensor<f32>)  {
    %5 = stablehlo.add %a, %b : tensor<f32>
    %6 = stablehlo.add %5, %two : tensor<f32>
    stablehlo.return %6 : tensor<f32>
  }
  return %0, %1, %2#0, %2#1, %3 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xi32>, tensor<f32>
}
// -----
// run
// An initial value and elements that are narrower than what the region computes.
// input 0: f32[2,2] {{1,2},{3,4}}
// output: f64[2] {3.1000000014901161,7.1000000014901161}
// tolerance: abs=1e-7 rel=0
func.func @main(%a: tensor<2x2xf32>) -> tensor<2xf64> {
  %init = stablehlo.constant dense<0.1> : tensor<f32>
  %0 = "stablehlo.reduce"(%a, %init) ({
  ^bb0(%x: tensor<f64>, %y: tensor<f64>):
    %1 = stablehlo.add %x, %y : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) {dimensions = array<i64: 1>} : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf64>
  return %0 : tensor<2xf64>
}
// -----
// run
// One region folds each of several operands.
// input 0: f32[2] {1,2}
// output: (f32[2] {1,2}, f32[1,2] {{1,2}})
func.func @main(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<1x2xf32>) {
  %b = stablehlo.reshape %a : (tensor<2xf32>) -> tensor<1x2xf32>
  %0:2 = "stablehlo.all_reduce"(%a, %b) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<2xf32>, tensor<1x2xf32>) -> (tensor<2xf32>, tensor<1x2xf32>)
  return %0#0, %0#1 : tensor<2xf32>, tensor<1x2xf32>
}
// -----
// run
// Elements and initial values of integers are promoted to the region's type, which HLO wants to be theirs.
// output: (s32[] 500, s32[2] {300,300})
func.func @main() -> (tensor<i32>, tensor<2xi32>) {
  %a = stablehlo.constant dense<100> : tensor<4xi8>
  %narrow = stablehlo.constant dense<100> : tensor<i8>
  %wide = stablehlo.constant dense<100> : tensor<i32>
  %0 = "stablehlo.reduce"(%a, %wide) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %2 = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<4xi8>, tensor<i32>) -> tensor<i32>
  %1 = "stablehlo.reduce_window"(%a, %narrow) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %2 = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xi8>, tensor<i8>) -> tensor<2xi32>
  return %0, %1 : tensor<i32>, tensor<2xi32>
}
// -----
// run
// The same of several operands, each with its own type.
// output: (s32[] 200, s64[] 100)
func.func @main() -> (tensor<i32>, tensor<i64>) {
  %a = stablehlo.constant dense<100> : tensor<2xi8>
  %b = stablehlo.constant dense<50> : tensor<2xi32>
  %i = stablehlo.constant dense<0> : tensor<i8>
  %0:2 = "stablehlo.reduce"(%a, %b, %i, %i) ({
  ^bb0(%x: tensor<i32>, %y: tensor<i64>, %z: tensor<i32>, %w: tensor<i64>):
    %1 = stablehlo.add %x, %z : tensor<i32>
    %2 = stablehlo.add %y, %w : tensor<i64>
    stablehlo.return %1, %2 : tensor<i32>, tensor<i64>
  }) {dimensions = array<i64: 0>} : (tensor<2xi8>, tensor<2xi32>, tensor<i8>, tensor<i8>) -> (tensor<i32>, tensor<i64>)
  return %0#0, %0#1 : tensor<i32>, tensor<i64>
}
// -----
// run
// What selects compares elements of the operand, as narrow as they are; what is scattered is added in the wider type.
// output: (s32[4] {100,200,100,200}, f32[4] {70000,60000,60000,-10000})
func.func @main() -> (tensor<4xi32>, tensor<4xf32>) {
  %a = stablehlo.constant dense<[1, 3, 2, 4]> : tensor<4xi8>
  %b = stablehlo.constant dense<100> : tensor<2xi8>
  %i = stablehlo.constant dense<100> : tensor<i8>
  %0 = "stablehlo.select_and_scatter"(%a, %b, %i) ({
  ^bb0(%x: tensor<i8>, %y: tensor<i8>):
    %2 = stablehlo.compare GE, %x, %y : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }, {
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %2 = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) {window_dimensions = array<i64: 2>, window_strides = array<i64: 2>} : (tensor<4xi8>, tensor<2xi8>, tensor<i8>) -> tensor<4xi32>
  %c = stablehlo.constant dense<[10000.0, 60000.0, 60000.0, -10000.0]> : tensor<4xf16>
  %d = stablehlo.constant dense<60000.0> : tensor<1xf16>
  %at = stablehlo.constant dense<0> : tensor<1x1xi32>
  %1 = "stablehlo.scatter"(%c, %at, %d) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %2 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>} : (tensor<4xf16>, tensor<1x1xi32>, tensor<1xf16>) -> tensor<4xf32>
  return %0, %1 : tensor<4xi32>, tensor<4xf32>
}
// -----
// run
// Devices add in the region's type.
// input 0: s8[2] {100,-100}
// output: (s32[2] {100,-100}, f64[2] {100,-100})
func.func @main(%a: tensor<2xi8>) -> (tensor<2xi32>, tensor<2xf64>) {
  %b = stablehlo.convert %a : (tensor<2xi8>) -> tensor<2xbf16>
  %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %2 = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %2 : tensor<i32>
  }) : (tensor<2xi8>) -> tensor<2xi32>
  %1 = "stablehlo.reduce_scatter"(%b) <{replica_groups = dense<0> : tensor<1x1xi64>, scatter_dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f64>, %y: tensor<f64>):
    %2 = stablehlo.add %x, %y : tensor<f64>
    stablehlo.return %2 : tensor<f64>
  }) : (tensor<2xbf16>) -> tensor<2xf64>
  return %0, %1 : tensor<2xi32>, tensor<2xf64>
}
