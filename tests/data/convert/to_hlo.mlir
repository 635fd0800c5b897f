// Names are those of the SSA values; regions become computations, captured values are carried.
// convert: hlo
//| HloModule jit_f, entry_computation_layout={(f32[4]{0})->f32[4]{0}}
//|
//| while.region {
//|   state = (s32[], f32[4]{0}, f32[4]{0}) parameter(0)
//|   iterArg = s32[] get-tuple-element(state), index=0
//|   iterArg_0 = f32[4]{0} get-tuple-element(state), index=1
//|   arg0.1 = f32[4]{0} get-tuple-element(state), index=2
//|   c_2 = s32[] constant(3)
//|   ROOT v1 = pred[] compare(iterArg, c_2), direction=LT
//| }
//|
//| while.region.1 {
//|   state.1 = (s32[], f32[4]{0}, f32[4]{0}) parameter(0)
//|   iterArg.1 = s32[] get-tuple-element(state.1), index=0
//|   iterArg_0.1 = f32[4]{0} get-tuple-element(state.1), index=1
//|   arg0.2 = f32[4]{0} get-tuple-element(state.1), index=2
//|   c_1 = s32[] constant(1)
//|   v2 = s32[] add(iterArg.1, c_1)
//|   v3 = f32[4]{0} add(iterArg_0.1, arg0.2)
//|   ROOT results = (s32[], f32[4]{0}, f32[4]{0}) tuple(v2, v3, arg0.2)
//| }
//|
//| ENTRY main {
//|   arg0 = f32[4]{0} parameter(0)
//|   c = s32[] constant(0)
//|   initial = (s32[], f32[4]{0}, f32[4]{0}) tuple(c, arg0, arg0)
//|   v0 = (s32[], f32[4]{0}, f32[4]{0}) while(initial), condition=while.region, body=while.region.1
//|   v0.1 = s32[] get-tuple-element(v0), index=0
//|   ROOT v0.2 = f32[4]{0} get-tuple-element(v0), index=1
//| }
module @jit_f attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0) : tensor<i32>, tensor<4xf32>
     cond {
      %c_2 = stablehlo.constant dense<3> : tensor<i32>
      %1 = stablehlo.compare  LT, %iterArg, %c_2,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %c_1 = stablehlo.constant dense<1> : tensor<i32>
      %2 = stablehlo.add %iterArg, %c_1 : tensor<i32>
      %3 = stablehlo.add %iterArg_0, %arg0 : tensor<4xf32>
      stablehlo.return %2, %3 : tensor<i32>, tensor<4xf32>
    }
    return %0#1 : tensor<4xf32>
  }
}
// -----
// What only StableHLO has is made of HLO's operations; precision, algorithm, shardings and configurations stay.
// convert: hlo
//| HloModule m, entry_computation_layout={(f32[2,3]{1,0}, f32[3,2]{1,0}, u64[2]{0})->(f32[2,2]{1,0}, f32[4]{0}, u32[2]{0})}
//|
//| ENTRY main {
//|   x = f32[2,3]{1,0} parameter(0)
//|   y = f32[3,2]{1,0} parameter(1)
//|   t = u64[2]{0} parameter(2)
//|   d = f32[2,2]{1,0} dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}, operand_precision={high,default}, sharding={devices=[2,1]<=[2]}
//|   c = f32[4]{0} custom-call(x), custom_call_target="target", custom_call_has_side_effect=true, api_version=API_VERSION_TYPED_FFI, backend_config={n = 3 : i32}
//|   s = (u64[2]{0}, u32[2]{0}) rng-bit-generator(t), algorithm=rng_three_fry
//|   s.1 = u64[2]{0} get-tuple-element(s), index=0
//|   s.2 = u32[2]{0} get-tuple-element(s), index=1
//|   ROOT results = (f32[2,2]{1,0}, f32[4]{0}, u32[2]{0}) tuple(d, c, s.2)
//| }
module @m {
  func.func @main(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>, %t: tensor<2xui64>) -> (tensor<2x2xf32>, tensor<4xf32>, tensor<2xui32>) {
    %d = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], precision = [HIGH, DEFAULT] {mhlo.sharding = "{devices=[2,1]<=[2]}"} : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
    %c = stablehlo.custom_call @target(%x) {api_version = 4 : i32, backend_config = {n = 3 : i32}, has_side_effect = true} : (tensor<2x3xf32>) -> tensor<4xf32>
    %s:2 = stablehlo.rng_bit_generator %t, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui32>)
    return %d, %c, %s#1 : tensor<2x2xf32>, tensor<4xf32>, tensor<2xui32>
  }
}
// -----
// convert: hlo
// How exact a function must be.
//| HloModule main, entry_computation_layout={(f32[2]{0})->f32[2]{0}}
//|
//| ENTRY main {
//|   a = f32[2]{0} parameter(0)
//|   v0 = f32[2]{0} sqrt(a), result_accuracy={tolerance={atol=1e-05,rtol=0,ulps=2}}
//|   ROOT v1 = f32[2]{0} exponential(v0), result_accuracy={mode=highest}
//| }
func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.sqrt %a {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>
  %1 = stablehlo.exponential %0 {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>
  return %1 : tensor<2xf32>
}
// -----
// convert: hlo
// A mesh that Shardy names, with devices in an order of their own.
//| HloModule main, entry_computation_layout={(f32[2]{0})->f32[4]{0}}, replica_count=4
//|
//| ENTRY main {
//|   x = f32[2]{0} parameter(0)
//|   ROOT v0 = f32[4]{0} all-gather(x), replica_groups={{3,2},{1,0}}, dimensions={0}
//| }
module attributes {mhlo.num_replicas = 4 : i32} {
  sdy.mesh @grid = <["a"=2, "b"=2], device_ids=[3, 2, 1, 0]>
  func.func @main(%x: tensor<2xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @grid, axes = [#stablehlo.axis_ref<name = "b">]>} : (tensor<2xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
// -----
// convert: stablehlo
//| module {
//|   func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
//|     %0 = "stablehlo.collective_broadcast"(%arg0) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "b", size = 2>]>, axes = [#stablehlo.axis_ref<name = "b", sub_axis_info = (2)1>]>}> : (tensor<2xf32>) -> tensor<2xf32>
//|     return %0 : tensor<2xf32>
//|   }
//| }
module {
  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "stablehlo.collective_broadcast"(%x) {replica_groups = #stablehlo.replica_group_mesh_axes<axes = [#stablehlo.axis_ref<sub_axis_info = (2)1, name = "b">], mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "b", size = 2>]>>} : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
// -----
// Layouts and aliases of what the program calls are kept.
// convert: hlo
//| HloModule calls, entry_computation_layout={(token[], f32[2,3]{1,0}, f32[])->(f32[2,3]{0,1}, s32[4]{0}, f32[2,3]{0,1})}
//|
//| ENTRY main {
//|   k = token[] parameter(0)
//|   a = f32[2,3]{1,0} parameter(1)
//|   n = f32[] parameter(2)
//|   v0 = (f32[2,3]{0,1}, s32[4]{0}) custom-call(a, n), custom_call_target="target", operand_layout_constraints={f32[2,3]{0,1}, f32[]}, output_to_operand_aliasing={{0}: (0, {})}
//|   v0.1 = f32[2,3]{0,1} get-tuple-element(v0), index=0
//|   v0.2 = s32[4]{0} get-tuple-element(v0), index=1
//|   v1 = (f32[2,3]{0,1}, token[]) infeed(k)
//|   v1.1 = f32[2,3]{0,1} get-tuple-element(v1), index=0
//|   v1.2 = token[] get-tuple-element(v1), index=1
//|   ROOT results = (f32[2,3]{0,1}, s32[4]{0}, f32[2,3]{0,1}) tuple(v0.1, v0.2, v1.1)
//| }
module @calls {
  func.func @main(%k: !stablehlo.token, %a: tensor<2x3xf32>, %n: tensor<f32>) -> (tensor<2x3xf32>, tensor<4xi32>, tensor<2x3xf32>) {
    %0:2 = stablehlo.custom_call @target(%a, %n) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<> : tensor<0xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<[0, 1]> : tensor<2xindex>, dense<0> : tensor<1xindex>]} : (tensor<2x3xf32>, tensor<f32>) -> (tensor<2x3xf32>, tensor<4xi32>)
    %1:2 = "stablehlo.infeed"(%k) <{infeed_config = "", layout = [[0, 1]]}> : (!stablehlo.token) -> (tensor<2x3xf32>, !stablehlo.token)
    return %0#0, %0#1, %1#0 : tensor<2x3xf32>, tensor<4xi32>, tensor<2x3xf32>
  }
}
// -----
// What the entry's arguments and results say of buffers and layouts is the module's.
// convert: hlo
//| HloModule donated, input_output_alias={ {1}: (0, {}, may-alias) }, buffer_donor={ (1, {}) }, entry_computation_layout={(f32[4,8]{0,1}, f32[4,8]{1,0})->(f32[], f32[4,8]{0,1})}
//|
//| reduce.region {
//|   lhs = f32[] parameter(0)
//|   rhs = f32[] parameter(1)
//|   ROOT add = f32[] add(lhs, rhs)
//| }
//|
//| ENTRY main {
//|   arg0 = f32[4,8]{1,0} parameter(0)
//|   arg1 = f32[4,8]{1,0} parameter(1)
//|   cst = f32[] constant(0)
//|   v0 = f32[4,8]{1,0} add(arg0, arg1)
//|   v1 = f32[] reduce(v0, cst), dimensions={0,1}, to_apply=reduce.region
//|   ROOT results = (f32[], f32[4,8]{1,0}) tuple(v1, v0)
//| }
module @donated {
  func.func public @main(%arg0: tensor<4x8xf32> {mhlo.layout_mode = "{0,1}", tf.aliasing_output = 1 : i32}, %arg1: tensor<4x8xf32> {jax.buffer_donor = true, mhlo.layout_mode = "default"}) -> (tensor<f32> {mhlo.layout_mode = "default"}, tensor<4x8xf32> {mhlo.layout_mode = "{0,1}"}) {
    %cst = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.add %arg0, %arg1 : tensor<4x8xf32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
    return %1, %0 : tensor<f32>, tensor<4x8xf32>
  }
}
// -----
// MHLO's fusion.
// convert: hlo
//| HloModule fused, entry_computation_layout={(f32[2,3]{1,0})->(f32[2,3]{1,0}, f32[2,3]{1,0})}
//|
//| mhlo.fusion.region {
//|   x = f32[2,3]{1,0} parameter(0)
//|   v1 = f32[2,3]{1,0} abs(x)
//|   v2 = f32[2,3]{1,0} negate(v1)
//|   ROOT results = (f32[2,3]{1,0}, f32[2,3]{1,0}) tuple(v1, v2)
//| }
//|
//| ENTRY main {
//|   arg0 = f32[2,3]{1,0} parameter(0)
//|   v0 = (f32[2,3]{1,0}, f32[2,3]{1,0}) fusion(arg0), kind=kInput, calls=mhlo.fusion.region
//|   v0.1 = f32[2,3]{1,0} get-tuple-element(v0), index=0
//|   v0.2 = f32[2,3]{1,0} get-tuple-element(v0), index=1
//|   ROOT results.1 = (f32[2,3]{1,0}, f32[2,3]{1,0}) tuple(v0.1, v0.2)
//| }
module @fused {
  func.func @main(%arg0: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
    %0:2 = "mhlo.fusion"(%arg0) ({
    ^bb0(%x: tensor<2x3xf32>):
      %1 = mhlo.abs %x : tensor<2x3xf32>
      %2 = mhlo.negate %1 : tensor<2x3xf32>
      mhlo.return %1, %2 : tensor<2x3xf32>, tensor<2x3xf32>
    }) {fusion_kind = #mhlo<fusion_kind kInput>} : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
    return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x3xf32>
  }
}
// -----
// Buffers.
// convert: hlo
//| HloModule buffers, entry_computation_layout={(f32[4]{0})->f32[4]{0}}
//|
//| ENTRY main {
//|   arg0 = f32[4]{0} parameter(0)
//|   v0 = b(f32[4]{0}) custom-call(arg0), custom_call_target="Pin", output_to_operand_aliasing={{}: (0, {})}
//|   ROOT v1 = f32[4]{0} custom-call(v0), custom_call_target="Unpin", output_to_operand_aliasing={{}: (0, {})}
//| }
module @buffers {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.custom_call @Pin(%arg0) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4xf32>) -> memref<4xf32>
    %1 = stablehlo.custom_call @Unpin(%0) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (memref<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}
// -----
// Layouts of the entry, as XLA writes them: orders and tiles by array, in a list for a tuple. An empty
// order is the default one, and the least number of 64 bits is a tile's `*`.
// convert: hlo
//| HloModule entry_layouts, entry_computation_layout={(bf16[16,256]{0,1:T(8,128)(2,1)}, (f32[2,3]{1,0}, f32[2,3]{0,1:T(*,4)}), s32[]{:T(128)})->(bf16[16,256]{1,0}, bf16[16,256]{1,0})}
//|
//| ENTRY main {
//|   arg0 = bf16[16,256]{1,0} parameter(0)
//|   arg1 = (f32[2,3]{1,0}, f32[2,3]{1,0}) parameter(1)
//|   arg2 = s32[] parameter(2)
//|   ROOT results = (bf16[16,256]{1,0}, bf16[16,256]{1,0}) tuple(arg0, arg0)
//| }
module @entry_layouts attributes {
  mhlo.xla_entry_computation_parameter_layouts = [dense<[0, 1]> : tensor<2xindex>, [dense<> : tensor<0xindex>, dense<[0, 1]> : tensor<2xindex>], dense<> : tensor<0xindex>],
  mhlo.xla_entry_computation_parameter_tiles = [[dense<[8, 128]> : tensor<2xindex>, dense<[2, 1]> : tensor<2xindex>], [[], [dense<[-9223372036854775808, 4]> : tensor<2xindex>]], [dense<128> : tensor<1xindex>]],
  mhlo.xla_entry_computation_result_layout = [[dense<[1, 0]> : tensor<2xindex>, dense<[0, 1]> : tensor<2xindex>]],
  mhlo.xla_entry_computation_result_tiles = []
} {
  func.func @main(%arg0: tensor<16x256xbf16>, %arg1: tuple<tensor<2x3xf32>, tensor<2x3xf32>>, %arg2: tensor<i32>) -> (tensor<16x256xbf16>, tensor<16x256xbf16> {mhlo.layout_mode = "{1,0}"}) {
    return %arg0, %arg0 : tensor<16x256xbf16>, tensor<16x256xbf16>
  }
}
// -----
// Attributes that a front end gave the module.
// convert: hlo
//| HloModule frontend, entry_computation_layout={(f32[4]{0})->f32[4]{0}}, frontend_attributes={fusions="on",xla.sdy.meshes={mesh = #sdy.mesh<["x"=2]>}}
//|
//| ENTRY main {
//|   ROOT arg0 = f32[4]{0} parameter(0)
//| }
module @frontend attributes {mhlo.frontend_attributes = {"xla.sdy.meshes" = "{mesh = #sdy.mesh<[\22x\22=2]>}", fusions = "on"}} {
  func.func @main(%arg0: tensor<4xf32>) -> tensor<4xf32> {
    return %arg0 : tensor<4xf32>
  }
}
// -----
// A sharding that the program asks for is an instruction's own, and the entry's results have theirs.
// convert: hlo
//| HloModule constraints, entry_computation_layout={(f32[8,4]{1,0})->(f32[8,4]{1,0}, f32[8,4]{1,0})}, num_partitions=4
//|
//| ENTRY main {
//|   arg0 = f32[8,4]{1,0} parameter(0), sharding={mesh['x'=2,'y'=2], [{'x'}, {}]}, frontend_attributes={kind="weights"}
//|   v0 = f32[8,4]{1,0} custom-call(arg0), custom_call_target="Sharding", sharding={mesh['x'=2,'y'=2], [{}, {'y'}]}
//|   v1 = f32[8,4]{1,0} sine(v0), sharding={mesh['x'=2,'y'=2], [{'x'}, {}]}
//|   v2 = f32[8,4]{1,0} custom-call(v1), custom_call_target="Sharding", sharding={mesh['x'=2,'y'=2], [{'y'}, {'x'}]}
//|   ROOT results = (f32[8,4]{1,0}, f32[8,4]{1,0}) tuple(v1, v2), sharding={{devices=[4,1]<=[4]}, {mesh['x'=2,'y'=2], [{'x'}, {}]}}
//| }
module @constraints attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func public @main(%arg0: tensor<8x4xf32> {mhlo.frontend_attributes = {kind = "weights"}, sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x4xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}, tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = sdy.sharding_constraint %arg0 <@mesh, [{}, {"y"}]> : tensor<8x4xf32>
    %1 = stablehlo.sine %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x4xf32>
    %2 = sdy.reshard %1 <@mesh, [{"y"}, {"x"}]> : tensor<8x4xf32>
    return %1, %2 : tensor<8x4xf32>, tensor<8x4xf32>
  }
}
// -----
// A result whose value has another sharding is a value of its own.
// convert: hlo
//| HloModule other, entry_computation_layout={(f32[8,4]{1,0})->f32[8,4]{1,0}}, num_partitions=4
//|
//| ENTRY main {
//|   arg0 = f32[8,4]{1,0} parameter(0)
//|   v0 = f32[8,4]{1,0} sine(arg0), sharding={devices=[1,4]<=[4]}
//|   ROOT result = f32[8,4]{1,0} reshape(v0), sharding={devices=[4,1]<=[4]}
//| }
module @other attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x4xf32>) -> (tensor<8x4xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) {
    %0 = stablehlo.sine %arg0 {mhlo.sharding = "{devices=[1,4]<=[4]}"} : tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }
}
// -----
// Elements that are left out.
// convert: hlo
//| HloModule main, entry_computation_layout={(f32[2]{0})->f32[2]{0}}
//|
//| ENTRY main {
//|   arg0 = f32[2]{0} parameter(0)
//|   v0 = f32[2]{0} constant({...})
//|   ROOT v1 = f32[2]{0} add(arg0, v0)
//| }
func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.constant dense_resource<__elided__> : tensor<2xf32>
  %1 = stablehlo.add %arg0, %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}
// -----
// Aliases that the module lists.
// convert: hlo
//| HloModule aliased, input_output_alias={ {0}: (1, {}, must-alias), {1}: (0, {1}, may-alias) }, entry_computation_layout={((f32[], f32[4]{0}), f32[4]{0})->(f32[4]{0}, f32[4]{0})}
//|
//| ENTRY main {
//|   a = (f32[], f32[4]{0}) parameter(0)
//|   b = f32[4]{0} parameter(1)
//|   v0 = f32[4]{0} get-tuple-element(a), index=1
//|   ROOT results = (f32[4]{0}, f32[4]{0}) tuple(v0, b)
//| }
module @aliased attributes {mhlo.input_output_alias = [{alias = {kind = "must_alias", parameter_index = array<i64>, parameter_number = 1 : i64}, output_index = array<i64: 0>}, {alias = {kind = "may_alias", parameter_index = array<i64: 1>, parameter_number = 0 : i64}, output_index = array<i64: 1>}]} {
  func.func @main(%a: tuple<tensor<f32>, tensor<4xf32>>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %0 = stablehlo.get_tuple_element %a[1] : (tuple<tensor<f32>, tensor<4xf32>>) -> tensor<4xf32>
    return %0, %b : tensor<4xf32>, tensor<4xf32>
  }
}
// -----
// Shardings of several values, and of a loop that carries more than its results.
// convert: hlo
//| HloModule shards, entry_computation_layout={(f32[4]{0}, s32[4]{0}, s32[])->(f32[4]{0}, s32[])}, num_partitions=2
//|
//| sort.region {
//|   p = f32[] parameter(0)
//|   q = f32[] parameter(1)
//|   r = s32[] parameter(2)
//|   s = s32[] parameter(3)
//|   ROOT v2 = pred[] compare(p, q), direction=LT
//| }
//|
//| while.region {
//|   state = (f32[4]{0}, s32[], s32[]) parameter(0)
//|   x = f32[4]{0} get-tuple-element(state), index=0
//|   i = s32[] get-tuple-element(state), index=1
//|   n.1 = s32[] get-tuple-element(state), index=2
//|   ROOT v2.1 = pred[] compare(i, n.1), direction=LT
//| }
//|
//| while.region.1 {
//|   state.1 = (f32[4]{0}, s32[], s32[]) parameter(0)
//|   x.1 = f32[4]{0} get-tuple-element(state.1), index=0
//|   i.1 = s32[] get-tuple-element(state.1), index=1
//|   n.2 = s32[] get-tuple-element(state.1), index=2
//|   ROOT results = (f32[4]{0}, s32[], s32[]) tuple(x.1, i.1, n.2)
//| }
//|
//| ENTRY main {
//|   a = f32[4]{0} parameter(0)
//|   b = s32[4]{0} parameter(1)
//|   n = s32[] parameter(2)
//|   v0 = (f32[4]{0}, s32[4]{0}) sort(a, b), dimensions={0}, to_apply=sort.region, sharding={{mesh['x'=2], [{'x'}]}, {mesh['x'=2], [{}]}}
//|   v0.1 = f32[4]{0} get-tuple-element(v0), index=0
//|   v0.2 = s32[4]{0} get-tuple-element(v0), index=1
//|   initial = (f32[4]{0}, s32[], s32[]) tuple(v0.1, n, n)
//|   v1 = (f32[4]{0}, s32[], s32[]) while(initial), condition=while.region, body=while.region.1, sharding={{devices=[2]<=[2]}, {replicated}, {replicated}}
//|   v1.1 = f32[4]{0} get-tuple-element(v1), index=0
//|   v1.2 = s32[] get-tuple-element(v1), index=1
//|   ROOT results.1 = (f32[4]{0}, s32[]) tuple(v1.1, v1.2)
//| }
module @shards attributes {mhlo.num_partitions = 2 : i32} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<4xf32>, %b: tensor<4xi32>, %n: tensor<i32>) -> (tensor<4xf32>, tensor<i32>) {
    %0:2 = "stablehlo.sort"(%a, %b) ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>, %r: tensor<i32>, %s: tensor<i32>):
      %2 = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    }) {dimension = 0 : i64, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@mesh, [{}]>]>} : (tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
    %1:2 = stablehlo.while(%x = %0#0, %i = %n) : tensor<4xf32>, tensor<i32> attributes {mhlo.sharding = "{{devices=[2]<=[2]}, {replicated}}"}
    cond {
      %2 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      stablehlo.return %x, %i : tensor<4xf32>, tensor<i32>
    }
    return %1#0, %1#1 : tensor<4xf32>, tensor<i32>
  }
}
