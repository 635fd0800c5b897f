// One scalar fills a large constant: it stays one number, and is made where it is used.
// run
// output: f32[2] {3, 3}
func.func @main() -> tensor<2xf32> {
  %c = stablehlo.constant dense<3.0> : tensor<4096x1024xf32>
  %s = stablehlo.slice %c [4095:4096, 1022:1024] : (tensor<4096x1024xf32>) -> tensor<1x2xf32>
  %r = stablehlo.reshape %s : (tensor<1x2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
// -----
// print
//| HloModule main, entry_computation_layout={()->c64[2000,1000]{1,0}}
//|
//| ENTRY main {
//|   ROOT c = c64[2000,1000]{1,0} constant((1, -2.5))
//| }
func.func @main() -> tensor<2000x1000xcomplex<f32>> {
  %c = stablehlo.constant dense<(1.0,-2.5)> : tensor<2000x1000xcomplex<f32>>
  return %c : tensor<2000x1000xcomplex<f32>>
}
// -----
// print
//| HloModule main, entry_computation_layout={()->f32[40000,40000]{1,0}}
//|
//| ENTRY main {
//|   ROOT c = f32[40000,40000]{1,0} constant(0)
//| }
func.func @main() -> tensor<40000x40000xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<40000x40000xf32>
  return %c : tensor<40000x40000xf32>
}
// -----
// bad: expects a number for f32, but sees 'wrong'
func.func @main() -> tensor<300x300xf32> {
  %c = stablehlo.constant dense<wrong> : tensor<300x300xf32>
  return %c : tensor<300x300xf32>
}
