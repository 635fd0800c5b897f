// run
// output: s64[2,4] {{5, 6, 1, 2}, {7, 8, 3, 4}}
// Each device runs its own function; the operands of all are one list, and so are the results.
module @replicas {
  func.func @gather(%x: tensor<2x2xi64>) -> tensor<2x4xi64> {
    %all = "stablehlo.all_gather"(%x) {all_gather_dim = 1 : i64, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<2x2xi64>) -> tensor<2x4xi64>
    return %all : tensor<2x4xi64>
  }
  func.func @main() -> tensor<2x4xi64> {
    %a = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
    %b = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi64>
    %r:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@gather], [@gather]]} : (tensor<2x2xi64>, tensor<2x2xi64>) -> (tensor<2x4xi64>, tensor<2x4xi64>)
    check.expect_eq %r#0, %r#1 : tensor<2x4xi64>
    return %r#0 : tensor<2x4xi64>
  }
}
// -----
// run
// output: (s32[2] {10, 2}, s32[2] {3, 20}, s32[1] {100})
// Different programs in a grid of 1 replica and 3 partitions: two exchange messages, one takes what
// the infeed queue holds.
func.func @first(%x: tensor<2xi32>, %t: !stablehlo.token) -> tensor<2xi32> {
  %sent = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false}> : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
  %got:2 = "stablehlo.recv"(%sent) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, is_host_transfer = false}> : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  %head = stablehlo.slice %got#0 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %tail = stablehlo.slice %x [1:2] : (tensor<2xi32>) -> tensor<1xi32>
  %both = stablehlo.concatenate %head, %tail, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  return %both : tensor<2xi32>
}
func.func @second(%x: tensor<2xi32>, %t: !stablehlo.token) -> tensor<2xi32> {
  %got:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = false}> : (!stablehlo.token) -> (tensor<2xi32>, !stablehlo.token)
  %sent = "stablehlo.send"(%x, %got#1) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, is_host_transfer = false}> : (tensor<2xi32>, !stablehlo.token) -> !stablehlo.token
  %head = stablehlo.slice %got#0 [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %two = stablehlo.constant dense<2> : tensor<1xi32>
  %sum = stablehlo.add %head, %two : tensor<1xi32>
  %tail = stablehlo.slice %x [1:2] : (tensor<2xi32>) -> tensor<1xi32>
  %both = stablehlo.concatenate %sum, %tail, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  return %both : tensor<2xi32>
}
func.func @third(%t: !stablehlo.token) -> tensor<1xi32> {
  %fed:2 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> (tensor<1xi32>, !stablehlo.token)
  return %fed#0 : tensor<1xi32>
}
func.func @queue() -> tensor<1xi32> {
  %hundred = stablehlo.constant dense<100> : tensor<1xi32>
  return %hundred : tensor<1xi32>
}
func.func @main() -> (tensor<2xi32>, tensor<2xi32>, tensor<1xi32>) {
  %t = stablehlo.create_token : !stablehlo.token
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %b = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %r:3 = "interpreter.run_parallel"(%a, %t, %b, %t, %t) {infeed = [@queue], programs = [[@first, @second, @third]]} : (tensor<2xi32>, !stablehlo.token, tensor<2xi32>, !stablehlo.token, !stablehlo.token) -> (tensor<2xi32>, tensor<2xi32>, tensor<1xi32>)
  return %r#0, %r#1, %r#2 : tensor<2xi32>, tensor<2xi32>, tensor<1xi32>
}
// -----
// run
// output: (s32[] 1, s32[] 2, s32[] 7)
// The programs are the host for one another: what one sends to the host on a channel, in order, is
// what the other receives from it; on another channel another.
func.func @give(%x: tensor<i32>, %t: !stablehlo.token) -> !stablehlo.token {
  %one = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
  %seven = stablehlo.constant dense<7> : tensor<i32>
  %other = "stablehlo.send"(%seven, %t) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 2>, is_host_transfer = true}> : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
  %two = stablehlo.constant dense<2> : tensor<i32>
  %last = "stablehlo.send"(%two, %one) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true}> : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
  return %last : !stablehlo.token
}
func.func @take(%t: !stablehlo.token) -> (tensor<i32>, tensor<i32>, tensor<i32>) {
  %a:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  %b:2 = "stablehlo.recv"(%a#1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  %c:2 = "stablehlo.recv"(%b#1) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  return %a#0, %b#0, %c#0 : tensor<i32>, tensor<i32>, tensor<i32>
}
func.func @main() -> (tensor<i32>, tensor<i32>, tensor<i32>) {
  %t = stablehlo.after_all : !stablehlo.token
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:4 = "interpreter.run_parallel"(%one, %t, %t) {programs = [[@give], [@take]]} : (tensor<i32>, !stablehlo.token, !stablehlo.token) -> (!stablehlo.token, tensor<i32>, tensor<i32>, tensor<i32>)
  return %r#1, %r#2, %r#3 : tensor<i32>, tensor<i32>, tensor<i32>
}
// -----
// run
// fails: device 0 (replica 0, partition 0) waits in got
// A deadlock inside is one of the whole program, and says who waits for whom.
func.func @hang(%t: !stablehlo.token) -> tensor<i32> {
  %got:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, is_host_transfer = false}> : (!stablehlo.token) -> (tensor<i32>, !stablehlo.token)
  %sent = "stablehlo.send"(%got#0, %got#1) <{channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, is_host_transfer = false}> : (tensor<i32>, !stablehlo.token) -> !stablehlo.token
  return %got#0 : tensor<i32>
}
func.func @main() {
  %t = stablehlo.create_token : !stablehlo.token
  %r = "interpreter.run_parallel"(%t) {programs = [[@hang]]} : (!stablehlo.token) -> tensor<i32>
  return
}
// -----
// run
// output: s64[] 3
// A probe passes its value on, and notes it; the n-th note is what expect_serialized_eq compares.
func.func @main() -> tensor<i64> {
  %zero = stablehlo.constant dense<0> : tensor<i64>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %two = stablehlo.constant dense<2> : tensor<i64>
  %three = stablehlo.constant dense<3> : tensor<i64>
  %n = stablehlo.while(%i = %zero) : tensor<i64>
  cond {
    %c = stablehlo.compare LT, %i, %three : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i64>
    %seen = interpreter.probe %next, probe_id = "a/b, c" : tensor<i64>
    stablehlo.return %seen : tensor<i64>
  }
  check.expect_serialized_eq %one, probe_id = "a/b, c" : tensor<i64>
  check.expect_serialized_eq %three, probe_id = "a/b, c", iter = 2 : tensor<i64>
  return %n : tensor<i64>
}
// -----
// run
// fails: no probe of this run noted a value number 1 under "x"
func.func @main() {
  %one = stablehlo.constant dense<1> : tensor<i64>
  %seen = interpreter.probe %one, probe_id = "x" : tensor<i64>
  check.expect_serialized_eq %seen, probe_id = "x", iter = 1 : tensor<i64>
  return
}
// -----
// run
// output: s64[4] {6, 8, 0, 0}
// The root alone has the sum; here the last operand says that it is member 1 of its group.
func.func @reduce(%x: tensor<2xi64>, %root: tensor<1xi32>) -> tensor<2xi64> {
  %sum = "stablehlo.collective_reduce"(%x, %root) ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) {replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, has_dynamic_root} : (tensor<2xi64>, tensor<1xi32>) -> tensor<2xi64>
  return %sum : tensor<2xi64>
}
func.func @main() -> tensor<4xi64> {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %b = stablehlo.constant dense<[5, 6]> : tensor<2xi64>
  %root = stablehlo.constant dense<1> : tensor<1xi32>
  %r:2 = "interpreter.run_parallel"(%a, %root, %b, %root) {programs = [[@reduce], [@reduce]]} : (tensor<2xi64>, tensor<1xi32>, tensor<2xi64>, tensor<1xi32>) -> (tensor<2xi64>, tensor<2xi64>)
  %both = stablehlo.concatenate %r#0, %r#1, dim = 0 : (tensor<2xi64>, tensor<2xi64>) -> tensor<4xi64>
  return %both : tensor<4xi64>
}
// -----
// run
// output: f32[2] {3, 0}
// The region folds the data, whose type is not the root's.
func.func @reduce(%x: tensor<1xf32>, %root: tensor<1xi32>) -> tensor<1xf32> {
  %sum = "stablehlo.collective_reduce"(%x, %root) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, has_dynamic_root} : (tensor<1xf32>, tensor<1xi32>) -> tensor<1xf32>
  return %sum : tensor<1xf32>
}
func.func @main() -> tensor<2xf32> {
  %a = stablehlo.constant dense<1.0> : tensor<1xf32>
  %b = stablehlo.constant dense<2.0> : tensor<1xf32>
  %root = stablehlo.constant dense<0> : tensor<1xi32>
  %r:2 = "interpreter.run_parallel"(%a, %root, %b, %root) {programs = [[@reduce], [@reduce]]} : (tensor<1xf32>, tensor<1xi32>, tensor<1xf32>, tensor<1xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  %both = stablehlo.concatenate %r#0, %r#1, dim = 0 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  return %both : tensor<2xf32>
}
// -----
// run
// output: s64[4] {6, 12, 6, 12}
// The mesh of the groups is that of a function.
func.func private @mesh() attributes {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 2 : i64}]}}
func.func @sum(%x: tensor<1xi64>) -> tensor<1xi64> {
  %sum = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) {replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>} : (tensor<1xi64>) -> tensor<1xi64>
  return %sum : tensor<1xi64>
}
func.func @main() -> tensor<4xi64> {
  %a = stablehlo.constant dense<1> : tensor<1xi64>
  %b = stablehlo.constant dense<4> : tensor<1xi64>
  %c = stablehlo.constant dense<5> : tensor<1xi64>
  %d = stablehlo.constant dense<8> : tensor<1xi64>
  %r:4 = "interpreter.run_parallel"(%a, %b, %c, %d) {programs = [[@sum], [@sum], [@sum], [@sum]]} : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
  %all = stablehlo.concatenate %r#0, %r#1, %r#2, %r#3, dim = 0 : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xi64>
  return %all : tensor<4xi64>
}
// -----
// run
// output: s64[4] {0, 3, 7, 0}
// A root for each of two groups: the second member of the first, the first of the second.
func.func @reduce(%x: tensor<1xi64>, %roots: tensor<2xi32>) -> tensor<1xi64> {
  %sum = "stablehlo.collective_reduce"(%x, %roots) ({
  ^bb0(%a: tensor<i64>, %b: tensor<i64>):
    %s = stablehlo.add %a, %b : tensor<i64>
    stablehlo.return %s : tensor<i64>
  }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, has_dynamic_root} : (tensor<1xi64>, tensor<2xi32>) -> tensor<1xi64>
  return %sum : tensor<1xi64>
}
func.func @main() -> tensor<4xi64> {
  %a = stablehlo.constant dense<1> : tensor<1xi64>
  %b = stablehlo.constant dense<2> : tensor<1xi64>
  %c = stablehlo.constant dense<3> : tensor<1xi64>
  %d = stablehlo.constant dense<4> : tensor<1xi64>
  %roots = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %r:4 = "interpreter.run_parallel"(%a, %roots, %b, %roots, %c, %roots, %d, %roots) {programs = [[@reduce], [@reduce], [@reduce], [@reduce]]} : (tensor<1xi64>, tensor<2xi32>, tensor<1xi64>, tensor<2xi32>, tensor<1xi64>, tensor<2xi32>, tensor<1xi64>, tensor<2xi32>) -> (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>)
  %all = stablehlo.concatenate %r#0, %r#1, %r#2, %r#3, dim = 0 : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xi64>
  return %all : tensor<4xi64>
}
// -----
// bad: expected 2 operands, but found 1
// bad: 'missing' does not reference a valid function
func.func @f(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  return %x : tensor<i32>
}
func.func @main(%x: tensor<i32>) {
  %a = "interpreter.run_parallel"(%x) {programs = [[@f]]} : (tensor<i32>) -> tensor<i32>
  %b = "interpreter.run_parallel"(%x) {programs = [[@missing]]} : (tensor<i32>) -> tensor<i32>
  return
}
// -----
// run
// output: (s32[] 40, s32[] 60, s32[] 40, s32[] 60, s32[] 120, s32[] 140, s32[] 120, s32[] 140)
// Groups by the axes of a mesh: of y, 4 devices long, the half that changes slowest.
func.func @sum(%x: tensor<i32>) -> tensor<i32> {
  %0 = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>, #stablehlo.mesh_axis<name = "y", size = 4>]>, axes = [#stablehlo.axis_ref<name = "y", sub_axis_info = (1)2>]>} : (tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}
func.func @main() -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) {
  %0 = stablehlo.constant dense<10> : tensor<i32>
  %1 = stablehlo.constant dense<20> : tensor<i32>
  %2 = stablehlo.constant dense<30> : tensor<i32>
  %3 = stablehlo.constant dense<40> : tensor<i32>
  %4 = stablehlo.constant dense<50> : tensor<i32>
  %5 = stablehlo.constant dense<60> : tensor<i32>
  %6 = stablehlo.constant dense<70> : tensor<i32>
  %7 = stablehlo.constant dense<80> : tensor<i32>
  %r:8 = "interpreter.run_parallel"(%0, %1, %2, %3, %4, %5, %6, %7) {programs = [[@sum], [@sum], [@sum], [@sum], [@sum], [@sum], [@sum], [@sum]]} : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>)
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>
}
// -----
// run
// output: f32[3] {0, 0, 0}
// A real number has no imaginary part, whatever it is.
func.func @main() -> tensor<3xf32> {
  %x = stablehlo.constant dense<[1.0, 0x7FC00000, 0x7F800000]> : tensor<3xf32>
  %0 = stablehlo.imag %x : tensor<3xf32>
  return %0 : tensor<3xf32>
}
