// A program that leaves a size open, as jax.export writes it. The inputs below say it; try others.
func.func @main(%x: tensor<?x4xf32>, %scale: tensor<4xf32>) -> tensor<?xf32> {
  %rows = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %rows_list = stablehlo.reshape %rows : (tensor<i32>) -> tensor<1xi32>
  %columns = stablehlo.constant dense<4> : tensor<1xi32>
  %sizes = stablehlo.concatenate %rows_list, %columns, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %scales = stablehlo.dynamic_broadcast_in_dim %scale, %sizes, dims = [1] : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  %scaled = stablehlo.multiply %x, %scales : tensor<?x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sums = stablehlo.reduce(%scaled init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
  return %sums : tensor<?xf32>
}
