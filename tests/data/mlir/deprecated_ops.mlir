// run
// Products of arrays by letters: of matrices; with a dimension that goes along and an order of its
// own; the sum over what is not in the result, of one term, and before a product.
// input 0: {{1,2},{3,4}}
// output: (f32[2,2] {{7,10},{15,22}}, f32[2,2] {{5,11},{11,25}}, f32[2] {5,25}, f32[2] {3,7}, f32[2,2] {{1,3},{2,4}}, f32[2] {9,21})
func.func @main(%x: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>) {
  %0 = stablehlo.einsum %x, %x, config = "ab,bc->ac" : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = "stablehlo.einsum"(%x, %x) {einsum_config = "ab,cb->ca"} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = stablehlo.einsum %x, %x, config = "ab,ab->a" : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  %3 = stablehlo.unary_einsum %x, config = "ab->a" : (tensor<2x2xf32>) -> tensor<2xf32>
  %4 = "stablehlo.unary_einsum"(%x) {einsum_config = "ab->ba"} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %y = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %5 = stablehlo.einsum %x, %y, config = "ab,c->a" : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x2xf32>, tensor<2xf32>
}
// -----
// run
// An ellipsis stands for all other dimensions, which go along: of each slice of x, the product with
// a column.
// input 0: {{{1,2},{3,4}},{{5,6},{7,8}}}
// input 1: {{1,10},{100,1000}}
// output: (f32[2,2] {{21,43},{6500,8700}}, f32[2,2] {{3,7},{11,15}})
func.func @main(%x: tensor<2x2x2xf32>, %y: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %0 = stablehlo.einsum %x, %y, config = "...ab,...b->...a" : (tensor<2x2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = stablehlo.unary_einsum %x, config = "...b->..." : (tensor<2x2x2xf32>) -> tensor<2x2xf32>
  return %0, %1 : tensor<2x2xf32>, tensor<2x2xf32>
}
// -----
// bad: attribute-value: 'stablehlo.einsum' op einsum_config is 'aa,a->a': 'a' stands twice in one term
// bad: attribute-value: 'stablehlo.einsum' op einsum_config is 'ab,ab->a': Too few dimensions in the input for the given einsum config: 'ab' names 2 dimensions of f32[2]
// bad: attribute-value: 'stablehlo.einsum' op einsum_config is 'ab,b->c': the result names a dimension that no operand has
// bad: attribute-value: 'stablehlo.einsum' op einsum_config is 'a->a': Expected one "," in einsum_config
func.func @main(%x: tensor<2x2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.einsum %x, %y, config = "aa,a->a" : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.einsum %x, %y, config = "ab,ab->a" : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %2 = stablehlo.einsum %x, %y, config = "ab,b->c" : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %3 = stablehlo.einsum %x, %y, config = "a->a" : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}
// -----
// run
// Rows by index; columns by a matrix of indices; of each row of x its own elements.
// input 0: {{1,2,3},{4,5,6}}
// output: (f32[3,3] {{4,5,6},{1,2,3},{4,5,6}}, f32[2,1,2] {{{3,1}},{{6,4}}}, f32[2,1] {{3},{4}})
func.func @main(%x: tensor<2x3xf32>) -> (tensor<3x3xf32>, tensor<2x1x2xf32>, tensor<2x1xf32>) {
  %i = stablehlo.constant dense<[1, 0, 1]> : tensor<3xi32>
  %0 = "stablehlo.torch_index_select"(%x, %i) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<2x3xf32>, tensor<3xi32>) -> tensor<3x3xf32>
  %j = stablehlo.constant dense<[[2, 0]]> : tensor<1x2xi32>
  %1 = "stablehlo.torch_index_select"(%x, %j) {dim = 1 : i64, batch_dims = 0 : i64} : (tensor<2x3xf32>, tensor<1x2xi32>) -> tensor<2x1x2xf32>
  %k = stablehlo.constant dense<[[2], [0]]> : tensor<2x1xi32>
  %2 = "stablehlo.torch_index_select"(%x, %k) {dim = 1 : i64, batch_dims = 1 : i64} : (tensor<2x3xf32>, tensor<2x1xi32>) -> tensor<2x1xf32>
  return %0, %1, %2 : tensor<3x3xf32>, tensor<2x1x2xf32>, tensor<2x1xf32>
}
// -----
// run
// A result that is wider than the operands.
// input 0: s4[1,2] {{7,7}}
// output: s8[1,1] {{98}}
func.func @main(%a: tensor<1x2xi4>) -> tensor<1x1xi8> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<1x2xi4>) -> tensor<2x1xi4>
  %1 = stablehlo.einsum %a, %0, config = "ab,bc->ac" : (tensor<1x2xi4>, tensor<2x1xi4>) -> tensor<1x1xi8>
  return %1 : tensor<1x1xi8>
}
