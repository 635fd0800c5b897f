/**
 * Where sources outside `engine/ops` may name opcodes, and why: everything else about an op must
 * come from its `OpDef`. Structural opcodes may be named anywhere.
 */

/** Structural opcodes: where values come from and how they are grouped. */
export const FORM: readonly string[] = ["Parameter", "Constant", "Tuple", "GetTupleElement"];

/** By file or the beginning of its path: the reason, and the opcodes; `*` is any. */
export const NAMED: Readonly<Record<string, readonly [reason: string, opcodes: string]>> = {
  "engine/hlo/builder": ["a method of the Builder is an op, which it names", "*"],
  "engine/proto/attribute_proto.cc": [
    "XLA's message has other fields for these ops",
    "Cholesky CollectivePermute CollectivePermuteStart RaggedDot RngBitGenerator Scatter",
  ],
  "engine/proto/module_text.cc": [
    "the text of these ops names computations in one of two ways",
    "Conditional CustomCall",
  ],
  "engine/plan/island.cc": [
    "its result may have a run-time size that its written shape does not say",
    "SetDimensionSize",
  ],
  "engine/precision/paired_run.cc": ["what cancels are sums and differences", "Add Subtract"],
  "engine/precision/control_paths.cc": ["control flow parts at these", "Conditional While"],
  "engine/precision/treatment.cc": [
    "what looks at bits, comes from outside or rounds on purpose keeps its type, or loses its rounding; what sums many numbers may do so in f64",
    "Bitcast BitcastConvert Convolution CustomCall Dot Infeed RaggedDot Recv RecvDone Reduce ReducePrecision ReduceWindow Rng ScaledDot StochasticConvert",
  ],
  "engine/precision/widen.cc": ["what stands between types", "Convert Copy Recv"],
  "engine/views/exchange_flows.cc": [
    "whose data goes to whom is another rule for each of these",
    "AllGather AllGatherStart AllToAll CollectiveBroadcast CollectiveReduce RaggedAllToAll RecvDone ReduceScatter",
  ],
  "engine/views/devices_view.cc": [
    "some combine what comes to a device; of one it is told how many rows there are",
    "AllReduce AllReduceStart CollectiveReduce RaggedAllToAll ReduceScatter",
  ],
  "engine/views/exchange_list.h": [
    "messages between two devices count as exchanges, as collectives do",
    "RecvDone Send",
  ],
  "engine/passes/": [
    "a rewrite is a rule about the ops that it names; which are cheap enough to be computed twice is XLA's list",
    "*",
  ],
  "engine/mlir/ops/": ["what an op of StableHLO is in HLO, and the other way round", "*"],
  "engine/mlir/import/importer.cc": ["a function that is called", "Call"],
  "engine/mlir/import/shardings.cc": [
    "a result with a sharding of its own, as XLA writes it; what a loop carries beside its results",
    "Reshape While",
  ],
  "engine/mlir/import/region_import.cc": [
    "regions may compute in wider types than the operands have",
    "Convert",
  ],
  "engine/mlir/import/quantization.cc": [
    "quantized operations are written in these",
    "Add Broadcast Clamp Convert Divide Multiply RoundNearestEven Subtract",
  ],
  "engine/mlir/import/known_values.cc": [
    "sizes that are known although the array is not; the values of functions that are called",
    "Call GetDimensionSize",
  ],
  "engine/hlo/async_": [
    "chains of async ops have a form of their own, in text and in the verifier; XLA's rules name what may hand their states on",
    "AsyncStart AsyncUpdate AsyncDone Call Conditional Copy CustomCall Domain OptBarrier While",
  ],
  "engine/hlo/print_order.cc": [
    "the short form of async ops; XLA visits the body of a loop first",
    "AsyncStart AsyncUpdate AsyncDone While",
  ],
  "engine/hlo/printer.cc": ["the short form of async ops", "AsyncStart AsyncUpdate AsyncDone"],
  "engine/hlo/instruction_attributes.cc": ["the short form of async ops", "AsyncStart"],
  "engine/hlo/instruction_parser.cc": ["XLA's message for async ops", "AsyncUpdate AsyncDone"],
  "engine/hlo/operand_parser.cc": ["constants within compare have no type of their own", "Compare"],
  "engine/hlo/buffer_rules.cc": [
    "XLA's rule says which ops write to buffers",
    "AsyncStart AsyncUpdate AsyncDone Call Conditional CustomCall DynamicUpdateSlice Fusion While",
  ],
  "engine/hlo/computation_rules.cc": [
    "XLA's rules about fusions and threads name these ops",
    "AsyncStart AsyncUpdate AsyncDone Conditional Fusion While",
  ],
  "engine/hlo/deadlock_rules.cc": ["sends and receives are paired", "AsyncStart Send Recv"],
  "engine/hlo/transfer_rules.cc": [
    "sends and receives are paired; a custom call may only order",
    "AsyncStart CustomCall Send Recv",
  ],
  "engine/hlo/layout_rules.cc": [
    "XLA's rules about memory spaces name these ops",
    "Bitcast Copy DynamicSlice DynamicUpdateSlice Select",
  ],
  "engine/hlo/missing_computation.cc": ["a stand-in is a custom call that fails", "CustomCall"],
  "engine/hlo/module_rules.cc": [
    "XLA's rules about all reductions, and all infeeds, of a module; maximum and minimum depend on order for NaNs alone",
    "AllReduce AllReduceStart CollectiveReduce Infeed Maximum Minimum ReduceScatter",
  ],
  "engine/why/": [
    "what an element depends on is a rule per op; which ops round, overflow or have poles is another",
    "*",
  ],
  "engine/timeline/condition.cc": [
    "messages between two devices count as exchanges, as collectives do",
    "RecvDone Send",
  ],
  "engine/graph/folded_values.cc": [
    "broadcasts of scalars are drawn as part of their users",
    "Broadcast",
  ],
  "engine/views/run_remedies.cc": ["what custom calls refuse can be made up", "CustomCall"],
  "engine/hlo/sharding_rules.cc": ["XLA's rule about the shardings of states", "Conditional While"],
  "engine/hlo/verifier.cc": [
    "XLA's rules about copies to the host and updates in fusions",
    "Copy DynamicUpdateSlice Fusion",
  ],
  "engine/plan/flow_moves.cc": [
    "what code of a whole loop does with elements",
    "Concatenate Dot DynamicSlice DynamicUpdateSlice Pad Scatter",
  ],
  "engine/plan/region_compiler.cc": [
    "a region becomes scalar operations: these are translated each in its own way",
    "AfterAll Bitcast Conditional While",
  ],
  "engine/plan/region_builder.cc": [
    "the scalar operations of choices; what rows are reduced and spread by",
    "And Broadcast Convert Copy Not Reduce Select",
  ],
  "engine/standalone/": [
    "the code of an operation is chosen by its opcode, as that of functions is in engine/codegen",
    "*",
  ],
  "engine/plan/extreme_finder.cc": [
    "the operations whose results depend on nothing but how two elements compare",
    "And Copy Maximum Minimum Not Or Select Xor",
  ],
  "engine/cost/cost_analysis.cc": [
    "what runs other computations costs what these do; a custom fusion is its gather or scatter",
    "AsyncStart Call Conditional CustomCall Fusion Gather Scatter While",
  ],
  "engine/cost/fusion_traffic.cc": [
    "XLA's rule about what a fusion reads and writes names these ops",
    "Broadcast DynamicSlice DynamicUpdateSlice Fusion Reshape Slice",
  ],
  "engine/cost/library_work.cc": [
    "what a library convolves costs what a convolution does",
    "Convolution",
  ],
  "engine/cost/roofline.cc": ["a loop runs all that it calls, one after another", "While"],
  "engine/cost/savings.cc": [
    "what loop fusions are made of besides element-wise ops",
    "Broadcast Fusion Iota Reduce Reshape Slice Transpose",
  ],
  "engine/cost/trip_count.cc": [
    "the form of a loop that counts, past what leaves a number as it is",
    "Add Bitcast Compare Convert Copy Fusion OptBarrier Reshape Subtract",
  ],
  "engine/codegen/step_lowering.cc": [
    "what operations are in WebAssembly; of any other a loop of the engine is called",
    "*",
  ],
  "engine/codegen/complex_code.cc": [
    "which operations on complex numbers are code: those that are a few on their parts",
    "*",
  ],
  "engine/plan/narrow_iota.cc": [
    "an iota that only reductions of two arrays read is computed along one dimension",
    "Iota Reduce",
  ],
  "engine/codegen/row_code.cc": [
    "what takes the processor long is overlapped with the work on the next row",
    "Divide",
  ],
  "engine/codegen/function_lowering.cc": [
    "which functions of f32 are code, by rare operands or by calls",
    "*",
  ],
  "engine/plan/comparator_keys.cc": [
    "what a comparator of several keys is made of",
    "And Or Select",
  ],
  "engine/run/exchange.cc": ["the ends of a channel", "Send Recv"],
  "engine/run/executor.cc": ["only a call of a target can be a check", "CustomCall"],
};
