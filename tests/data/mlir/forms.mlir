// run
// The pretty and the generic form of an op, aliases, locations and attributes mean the same.
// input 0: {1, 2, 3}
// output: (s32[3] {3,6,9}, s32[3] {3,6,9}, s32[3] {3,2,1})
#loc = loc("a.py":3:1)
!vector = tensor<3xi32>
module @forms attributes {mhlo.num_partitions = 1 : i32} {
  func.func public @main(%arg0: !vector {mhlo.sharding = "{replicated}"} loc("x")) -> (!vector, tensor<3xi32>, tensor<3xi32> {jax.result_info = ""}) {
    %c = stablehlo.constant dense<3> : tensor<i32> loc(#loc)
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> !vector
    %1 = stablehlo.multiply %arg0, %0 : tensor<3xi32> loc(#loc)
    %2 = "stablehlo.multiply"(%arg0, %0) : (tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
    %3 = "stablehlo.reverse"(%arg0) <{dimensions = array<i64: 0>}> : (tensor<3xi32>) -> tensor<3xi32>
    return %1, %2, %3 : tensor<3xi32>, tensor<3xi32>, tensor<3xi32>
  }
}
// -----
// run
// Elements: one for all, lists, hexadecimal floats, bytes, packed i1, complex, none.
// output: (f32[2] {1.5,1.5}, s8[2,2] {{1,-2},{3,4}}, f32[2] {inf,-0}, s16[2] {1,-2}, pred[10] {1,0,1,0,0,0,0,0,1,1}, c64[2] {(1,-2),(0.5,0)}, u8[0] {})
func.func @main() -> (tensor<2xf32>, tensor<2x2xi8>, tensor<2xf32>, tensor<2xi16>, tensor<10xi1>, tensor<2xcomplex<f32>>, tensor<0xui8>) {
  %0 = stablehlo.constant dense<1.5> : tensor<2xf32>
  %1 = stablehlo.constant dense<[[1, -2], [3, 4]]> : tensor<2x2xi8>
  %2 = stablehlo.constant dense<[0x7F800000, 0x80000000]> : tensor<2xf32>
  %3 = stablehlo.constant dense<"0x0100FEFF"> : tensor<2xi16>
  %4 = stablehlo.constant dense<"0x0503"> : tensor<10xi1>
  %5 = "stablehlo.constant"() {value = dense<[(1.0, -2.0), (0.5, 0.0)]> : tensor<2xcomplex<f32>>} : () -> tensor<2xcomplex<f32>>
  %6 = stablehlo.constant dense<> : tensor<0xui8>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<2xf32>, tensor<2x2xi8>, tensor<2xf32>, tensor<2xi16>, tensor<10xi1>, tensor<2xcomplex<f32>>, tensor<0xui8>
}
// -----
// run
// A resource: its bytes stand at the end of the file, after four of alignment.
// output: f32[2] {1,2}
module {
  func.func @main() -> tensor<2xf32> {
    %0 = stablehlo.constant dense_resource<weights> : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F00000040"
    }
  }
#-}
// -----
// bad: use of undeclared SSA value name %1
// bad: Expected pred or an integral element type
// bad: no operation 'stablehlo.ad' is known
// bad: 'stablehlo.negate' op inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<3xf32>'
// Several faults in one pass.
func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %arg0, %1 : tensor<2xf32>
  %2 = stablehlo.ad %arg0, %arg0 : tensor<2xf32>
  %3 = stablehlo.not %arg0 : tensor<2xf32>
  %4 = stablehlo.negate %arg0 : tensor<3xf32>
  return %2 : tensor<2xf32>
}
// -----
// bad: write the argument's static type to run the program
func.func @main(%arg0: tensor<?x2xf32>) -> tensor<?x2xf32> {
  return %arg0 : tensor<?x2xf32>
}
// -----
// bad: @main calls itself
func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
  %0 = call @main(%arg0) : (tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
// -----
// bad: the elements do not fit s32[2]
// bad: s32[2] has 8 bytes, but 1 are given
func.func @main() -> tensor<2xi32> {
  %0 = stablehlo.constant dense<[1, 2, 3]> : tensor<2xi32>
  %1 = stablehlo.constant dense<"0x01"> : tensor<2xi32>
  return %0 : tensor<2xi32>
}
// -----
// run
// Integers with the bits of unsigned ones; a comma behind the last field; a quantised constant.
// input 0: s8[2,2] {{1,2},{3,4}}
// output: (s8[3] {-1,-128,-1}, s4[] -1, s8[2] {1,3}, s8[2] {3,4})
func.func @main(%a: tensor<2x2xi8>) -> (tensor<3xi8>, tensor<i4>, tensor<2x!quant.uniform<i8:f32, 2.0:15>>, tensor<2xi8>) {
  %0 = stablehlo.constant dense<[255, 128, -1]> : tensor<3xi8>
  %1 = stablehlo.constant dense<15> : tensor<i4>
  %2 = stablehlo.constant() <{value = dense<[1, 3]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 2.0:15>>
  %3 = stablehlo.constant dense<1> : tensor<i32>
  %4 = "stablehlo.gather"(%a, %3) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0],>, slice_sizes = array<i64: 1, 2>} : (tensor<2x2xi8>, tensor<i32>) -> tensor<2xi8>
  return %0, %1, %2, %4 : tensor<3xi8>, tensor<i4>, tensor<2x!quant.uniform<i8:f32, 2.0:15>>, tensor<2xi8>
}
// -----
// run
// The generic form of everything, as --mlir-print-op-generic writes it.
// input 0: s32[2] {1,2}
// output: (s32[3] {1,2,7}, s32[2] {-1,-2})
"builtin.module"() <{sym_name = "generic"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=1]>, sym_name = "mesh"}> : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}], function_type = (tensor<2xi32>) -> (tensor<3xi32>, tensor<2xi32>), res_attrs = [{jax.result_info = "a"}, {}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2xi32>):
    %0 = "stablehlo.constant"() <{value = dense<7> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.pad"(%arg0, %0) <{edge_padding_high = array<i64: 1>, edge_padding_low = array<i64: 0>, interior_padding = array<i64: 0>}> : (tensor<2xi32>, tensor<i32>) -> tensor<3xi32>
    %2 = "func.call"(%arg0) <{callee = @minus}> : (tensor<2xi32>) -> tensor<2xi32>
    "func.return"(%1, %2) : (tensor<3xi32>, tensor<2xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xi32>) -> tensor<2xi32>, sym_name = "minus", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2xi32>):
    %0 = "stablehlo.negate"(%arg0) : (tensor<2xi32>) -> tensor<2xi32>
    "func.return"(%0) : (tensor<2xi32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<f32>) -> tensor<f32>, sym_name = "declared", sym_visibility = "private"}> ({
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// -----
// bad: 'func.func' op requires attribute 'function_type'
"func.func"() <{sym_name = "main"}> ({
^bb0(%arg0: tensor<2xi32>):
  "func.return"(%arg0) : (tensor<2xi32>) -> ()
}) : () -> ()
// -----
// bad: 'func.func' op entry block must have 2 arguments to match function signature
"func.func"() <{function_type = (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>, sym_name = "main"}> ({
^bb0(%arg0: tensor<2xi32>):
  "func.return"(%arg0) : (tensor<2xi32>) -> ()
}) : () -> ()
// -----
// bad: type of entry block argument #0('tensor<2xf32>') must match the type of the corresponding argument in function signature('tensor<2xi32>')
"func.func"() <{function_type = (tensor<2xi32>) -> tensor<2xi32>, sym_name = "main"}> ({
^bb0(%arg0: tensor<2xf32>):
  "func.return"(%arg0) : (tensor<2xf32>) -> ()
}) : () -> ()
// -----
// run
// The dimensions of a convolution by name: those that are 0 may be left out.
// input 0: {{1, 2, 3}}
// input 1: {{1, 0, 0}, {0, 2, 0}, {0, 0, 3}}
// output: f32[1,3] {{1,4,9}}
func.func @main(%a: tensor<1x3xf32>, %k: tensor<3x3xf32>) -> tensor<1x3xf32> {
  %0 = "stablehlo.convolution"(%a, %k) {batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw input_feature_dimension = 1, kernel_output_feature_dimension = 1, output_feature_dimension = 1,>} : (tensor<1x3xf32>, tensor<3x3xf32>) -> tensor<1x3xf32>
  return %0 : tensor<1x3xf32>
}
// -----
// run
// Integers have one order, whatever the text says.
// input 0: {-1, 2}
// input 1: {0, 0}
// output: pred[2] {1,0}
func.func @main(%a: tensor<2xi32>, %b: tensor<2xi32>) -> tensor<2xi1> {
  %0 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}
