// run
// options: replicas=2
// input 0: f32[2] {1,2}
// input 0 @1: f32[2] {10,20}
// output @0: (f32[2] {11,22}, f32[2] {0,0}, f32[1] {2})
// output @1: (f32[2] {11,22}, f32[2] {1,2}, f32[1] {20})
// Collectives and slices that are started and awaited.
func.func @main(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<1xf32>) {
  %sum = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<2xf32>):
    %r = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<2xf32>) -> tensor<2xf32>
    stablehlo.return %r : tensor<2xf32>
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<2xf32>>
  %moved = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<2xf32>):
    %r = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
    stablehlo.return %r : tensor<2xf32>
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<2xf32>>
  %part = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<2xf32>):
    %r = stablehlo.slice %x [1:2] : (tensor<2xf32>) -> tensor<1xf32>
    stablehlo.return %r : tensor<1xf32>
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<1xf32>>
  %0 = "stablehlo.async_done"(%sum) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
  %1 = "stablehlo.async_done"(%moved) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
  %2 = "stablehlo.async_done"(%part) : (!stablehlo.future<tensor<1xf32>>) -> tensor<1xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<1xf32>
}
// -----
// run
// options: replicas=2
// input 0: s32[1,2] {{1,2}}
// input 0 @1: s32[1,2] {{3,4}}
// output @0: (s32[2,1] {{1},{3}}, s32[2] {4,6}, s32[2] {4,4})
// output @1: (s32[2,1] {{2},{4}}, s32[2] {4,6}, s32[2] {4,4})
// Several operands, and an op that is several instructions in HLO.
func.func @main(%a: tensor<1x2xi32>) -> (tensor<2x1xi32>, tensor<2xi32>, tensor<2xi32>) {
  %b = stablehlo.reshape %a : (tensor<1x2xi32>) -> tensor<2xi32>
  %c = stablehlo.constant dense<2> : tensor<2xi32>
  %exchanged = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<1x2xi32>):
    %r = "stablehlo.all_to_all"(%x) <{concat_dimension = 0 : i64, split_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<1x2xi32>) -> tensor<2x1xi32>
    stablehlo.return %r : tensor<2x1xi32>
  }) : (tensor<1x2xi32>) -> !stablehlo.future<tensor<2x1xi32>>
  %sums = "stablehlo.async_start"(%b, %c) ({
  ^bb0(%x: tensor<2xi32>, %y: tensor<2xi32>):
    %r:2 = "stablehlo.all_reduce"(%x, %y) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%p: tensor<i32>, %q: tensor<i32>):
      %s = stablehlo.add %p, %q : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<2xi32>, tensor<2xi32>) -> (tensor<2xi32>, tensor<2xi32>)
    stablehlo.return %r#0, %r#1 : tensor<2xi32>, tensor<2xi32>
  }) : (tensor<2xi32>, tensor<2xi32>) -> !stablehlo.future<tensor<2xi32>, tensor<2xi32>>
  %0 = "stablehlo.async_done"(%exchanged) : (!stablehlo.future<tensor<2x1xi32>>) -> tensor<2x1xi32>
  %1:2 = "stablehlo.async_done"(%sums) : (!stablehlo.future<tensor<2xi32>, tensor<2xi32>>) -> (tensor<2xi32>, tensor<2xi32>)
  return %0, %1#0, %1#1 : tensor<2x1xi32>, tensor<2xi32>, tensor<2xi32>
}
// -----
// bad: 'stablehlo.async_start' op requires one region
// bad: 'stablehlo.async_start' op region must contain exactly one operation and a return
// bad: 'stablehlo.async_start' op region must contain a collective or slice operation
// bad: 'stablehlo.async_start' op number of operands (1) must match number of region arguments (2)
// bad: 'stablehlo.async_start' op operand type 'tensor<2xf32>' at index 0 must match region argument type 'tensor<2xi32>'
// bad: inferred type(s) '!stablehlo.future<tensor<1xf32>>' are incompatible with return type(s) of operation '!stablehlo.future<tensor<1xi32>>'
// bad: 'stablehlo.async_done' op operand #0 must be a future, but got 'tensor<2xf32>'
func.func @main(%a: tensor<2xf32>) {
  %0 = "stablehlo.async_start"(%a) : (tensor<2xf32>) -> !stablehlo.future<tensor<2xf32>>
  %1 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<2xf32>):
    stablehlo.return %x : tensor<2xf32>
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<2xf32>>
  %2 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<2xf32>):
    %r = stablehlo.add %x, %x : tensor<2xf32>
    stablehlo.return %r : tensor<2xf32>
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<2xf32>>
  %3 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<2xf32>, %y: tensor<2xf32>):
    %r = stablehlo.slice %x [1:2] : (tensor<2xf32>) -> tensor<1xf32>
    stablehlo.return %r : tensor<1xf32>
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<1xf32>>
  %4 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<2xi32>):
    %r = stablehlo.slice %x [1:2] : (tensor<2xi32>) -> tensor<1xi32>
    stablehlo.return %r : tensor<1xi32>
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<1xi32>>
  %5 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<2xf32>):
    %r = stablehlo.slice %x [1:2] : (tensor<2xf32>) -> tensor<1xf32>
    stablehlo.return %r : tensor<1xf32>
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<1xi32>>
  %6 = "stablehlo.async_done"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return
}
// -----
// bad: arguments of type !stablehlo.future<tensor<2xf32>> are not read
func.func @main(%a: !stablehlo.future<tensor<2xf32>>) -> tensor<2xf32> {
  %0 = "stablehlo.async_done"(%a) : (!stablehlo.future<tensor<2xf32>>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
// bad: future element type must be a ranked tensor, but got 'f32'
func.func private @f() -> !stablehlo.future<tensor<2xf32>, f32>
// -----
// bad: 'stablehlo.async_done' op inferred type(s) 'tensor<1xf32>' are incompatible with return type(s) of operation 'tensor<1xi32>'
func.func @main(%a: tensor<2xf32>) -> tensor<1xi32> {
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<2xf32>):
    %r = stablehlo.slice %x [1:2] : (tensor<2xf32>) -> tensor<1xf32>
    stablehlo.return %r : tensor<1xf32>
  }) : (tensor<2xf32>) -> !stablehlo.future<tensor<1xf32>>
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<1xf32>>) -> tensor<1xi32>
  return %1 : tensor<1xi32>
}
