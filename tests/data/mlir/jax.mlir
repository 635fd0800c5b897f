// run
// input 0: {{1, 2, 3}, {4, 5, 6}}
// input 1: {{1, 0}, {0, 1}, {1, 1}}
// output: f32[2,2] {{8, 10}, {20, 22}}
// What `jax.jit(f).lower(x, y).as_text(debug_info=True)` prints today: a mesh, shardings, locations.
#loc1 = loc("x")
#loc2 = loc("y")
module @jit_f attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["data"=2, "model"=2]> loc(#loc)
  sdy.mesh @empty_mesh = <[]>
  func.func public @main(%arg0: tensor<2x3xf32> {mhlo.layout_mode = "default", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>} loc("x"), %arg1: tensor<3x2xf32> {mhlo.sharding = "{replicated}"} loc("y")) -> (tensor<2x2xf32> {jax.result_info = "result", mhlo.layout_mode = "default", sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model", ?}]>}) {
    %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32> loc(#loc4)
    %1 = sdy.sharding_constraint %0 <@mesh, [{"data"}, {}]> : tensor<2x2xf32> loc(#loc5)
    %2 = stablehlo.custom_call @Sharding(%1) {backend_config = "", mhlo.sharding = "{devices=[2,1]<=[2]}"} : (tensor<2x2xf32>) -> tensor<2x2xf32> loc(#loc5)
    %3 = call @twice(%2) : (tensor<2x2xf32>) -> tensor<2x2xf32> loc(#loc6)
    return %3 : tensor<2x2xf32> loc(#loc)
  } loc(#loc)
  func.func private @twice(%arg0: tensor<2x2xf32> {mhlo.layout_mode = "default"} loc("jit(f)/jit(main)/pjit"(#loc3))) -> (tensor<2x2xf32> {mhlo.layout_mode = "default"}) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32> loc(#loc)
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2xf32> loc(#loc7)
    %1 = stablehlo.multiply %0, %arg0 : tensor<2x2xf32> loc(#loc7)
    return %1 : tensor<2x2xf32> loc(#loc6)
  } loc(#loc6)
} loc(#loc)
#loc = loc(unknown)
#loc3 = loc("/home/a/f.py":3:8 to :17)
#loc4 = loc("jit(f)/jit(main)/dot_general"(callsite("f"("/home/a/f.py":4:9) at #loc3)))
#loc5 = loc(fused<"scope">["a", "b"])
#loc6 = loc("jit(f)/jit(main)/pjit"(#loc3))
#loc7 = loc("mul"(#loc6))
// -----
// run
// input 0: {1, 2, 3, 4}
// output: f32[] 30
// Older JAX: the generic form, attributes of MHLO, and a reduction by a region.
module @jit_g {
  func.func public @main(%arg0: tensor<4xf32>) -> tensor<f32> {
    %0 = "mhlo.multiply"(%arg0, %arg0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %1 = "mhlo.constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
    %2 = "mhlo.reduce"(%0, %1) ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %3 = "mhlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "mhlo.return"(%3) : (tensor<f32>) -> ()
    }) {dimensions = dense<0> : tensor<1xi64>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    "func.return"(%2) : (tensor<f32>) -> ()
  }
}
// -----
// run
// output: (f32[2] {1, -2}, s16[3] {1, 2, -1}, c64[2] {(1, 2), (inf, -0)}, pred[10] {1, 0, 1, 0, 1, 0, 1, 0, 1, 1}, s4[2] {-1, 7}, f16[2] {1, 1}, f8e8m0fnu[2] {5.9e-39, 2})
// Constants: resources, which begin with their alignment; bytes; bits of floats; complex numbers.
func.func @main() -> (tensor<2xf32>, tensor<3xi16>, tensor<2xcomplex<f32>>, tensor<10xi1>, tensor<2xi4>, tensor<2xf16>, tensor<2xf8E8M0FNU>) {
  %0 = stablehlo.constant dense_resource<numbers> : tensor<2xf32>
  %1 = stablehlo.constant dense<"0x01000200FFFF"> : tensor<3xi16>
  %2 = stablehlo.constant dense<[(1.0, 2.0), (0x7F800000, -0.0)]> : tensor<2xcomplex<f32>>
  %3 = stablehlo.constant dense<"0x5503"> : tensor<10xi1>
  %4 = stablehlo.constant dense<[-1, 7]> : tensor<2xi4>
  %5 = stablehlo.constant dense<0x3C00> : tensor<2xf16>
  %6 = stablehlo.constant dense<[0.0, 0x80]> : tensor<2xf8E8M0FNU>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<2xf32>, tensor<3xi16>, tensor<2xcomplex<f32>>, tensor<10xi1>, tensor<2xi4>, tensor<2xf16>, tensor<2xf8E8M0FNU>
}
{-#
  dialect_resources: {
    builtin: {
      numbers: "0x040000000000803F000000C0"
    }
  },
  external_resources: {
    mlir_reproducer: {
      verify_each: true
    }
  }
#-}
// -----
// bad: no operation 'stablehlo.ad' is known
// bad: inferred type(s) 'tensor<3xf32>' are incompatible with return type(s) of operation 'tensor<2xf32>'
// bad: use of undeclared SSA value name %missing
// bad: expected ':' and the argument's type
// Several faults in one pass, each at its place.
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.ad %x, %x : tensor<3xf32>
  %1 = stablehlo.add %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<2xf32>
  %2 = stablehlo.add %x, %missing : tensor<3xf32>
  return %x : tensor<3xf32>
}
func.func @other(%a) {
  return
}
