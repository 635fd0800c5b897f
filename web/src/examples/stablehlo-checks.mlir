// A program that carries its inputs and what it expects, as StableHLO's own tests do. There is no
// @main: every function that takes nothing runs. Change a number to see a check that does not hold.
func.func @pooled_maximum() {
  %image = stablehlo.constant dense<[[1, 5, 2, 0], [3, 4, 8, 1]]> : tensor<2x4xi32>
  %least = stablehlo.constant dense<-2147483648> : tensor<i32>
  %pooled = "stablehlo.reduce_window"(%image, %least) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %larger = stablehlo.maximum %a, %b : tensor<i32>
    stablehlo.return %larger : tensor<i32>
  }) {window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>} : (tensor<2x4xi32>, tensor<i32>) -> tensor<1x2xi32>
  check.expect_eq_const %pooled, dense<[[5, 8]]> : tensor<1x2xi32>
  return
}

func.func @logistic_of_logits() {
  %logits = stablehlo.constant dense<[-2.0, 0.0, 2.0]> : tensor<3xf32>
  %odds = stablehlo.logistic %logits : tensor<3xf32>
  check.expect_almost_eq_const %odds, dense<[0.119202919, 0.5, 0.880797088]> : tensor<3xf32>
  return
}

func.func @factorial() {
  %n = stablehlo.constant dense<6> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %result:2 = stablehlo.while(%i = %n, %product = %one) : tensor<i64>, tensor<i64>
    cond {
      %more = stablehlo.compare GT, %i, %one, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %more : tensor<i1>
    } do {
      %next = stablehlo.multiply %product, %i : tensor<i64>
      %left = stablehlo.subtract %i, %one : tensor<i64>
      stablehlo.return %left, %next : tensor<i64>, tensor<i64>
    }
  check.expect_eq_const %result#1, dense<720> : tensor<i64>
  return
}
