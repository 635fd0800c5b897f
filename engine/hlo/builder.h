// The Builder: programs from C++ instead of text, one method per operation of the operation
// semantics document, with its argument names. Where an operation of that document is more than one
// instruction (implicit broadcasting, collapse, padding by a word), the instructions are made here;
// shapes come from the op table's rules alone.
#ifndef HLO_ENGINE_HLO_BUILDER_H_
#define HLO_ENGINE_HLO_BUILDER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/diagnostics.h"
#include "engine/hlo/ir.h"
#include "engine/ops/named_attrs.h"
#include "engine/types/shape.h"
#include "engine/types/storage.h"
#include "engine/types/tensor.h"

namespace hlo {

/// A value in the computation that a Builder makes. Valid as long as that computation.
class Op {
 public:
  /// The empty Op, which a method returns after a fault. Operations on it return it, without a
  /// further report.
  Op() = default;
  explicit operator bool() const { return instruction_ != nullptr; }
  /// `()` for the empty Op.
  const Shape& shape() const;
  const Instruction* instruction() const { return instruction_; }

 private:
  friend class Builder;
  explicit Op(Instruction* instruction) : instruction_(instruction) {}
  Instruction* instruction_ = nullptr;
};

/// Shorthands for the padding of windows: so that the result has ceil(size / stride) elements with
/// the lower half of the padding rounded down, or no padding at all. Sizes of a dilated base and of
/// a dilated window are those with the gaps.
enum class Padding : uint8_t { kSame, kValid };
enum class FftType : uint8_t { kFft, kIfft, kRfft, kIrfft };
enum class TransposeA : uint8_t { kNoTranspose, kTranspose, kAdjoint };
enum class RandomAlgorithm : uint8_t { kDefault, kThreeFry, kPhilox };

struct DotDimensionNumbers {
  Dims lhs_contracting_dimensions, rhs_contracting_dimensions;
  Dims lhs_batch_dimensions, rhs_batch_dimensions;
};

struct GatherDimensionNumbers {
  Dims offset_dims, collapsed_slice_dims, start_index_map;
  int64_t index_vector_dim = 0;
  Dims operand_batching_dims, start_indices_batching_dims;
};

struct ScatterDimensionNumbers {
  Dims update_window_dims, inserted_window_dims, scatter_dims_to_operand_dims;
  int64_t index_vector_dim = 0;
  Dims input_batching_dims, scatter_indices_batching_dims;
};

/// Builds one computation, the entry of its module. A computation that another one calls is built
/// by a Builder of its own; it is passed by pointer, which may be null after a fault, and copied.
/// Faults are collected: no method throws for a wrong program, and Build() reports all of them.
/// Lists of operands are vectors; dimension lists are Dims, `{0, 2}`.
class Builder {
 public:
  using Pairs = std::vector<std::pair<int64_t, int64_t>>;
  using Groups = std::vector<Dims>;

  /// `name` becomes that of the module and of the computation.
  explicit Builder(std::string_view name);
  ~Builder();
  Builder(const Builder&) = delete;
  Builder& operator=(const Builder&) = delete;

  /// The program, verified; null after a fault. `root` is the last operation if not given. All
  /// faults go to `diagnostics`. Afterwards the Builder cannot be used any more.
  std::unique_ptr<Module> Build(Diagnostics& diagnostics, Op root = {});
  /// What was reported so far.
  const Diagnostics& diagnostics() const { return diagnostics_; }
  /// How many devices the program is for; 1 each if not set.
  void SetDevices(int64_t replica_count, int64_t num_partitions = 1);
  /// Any instruction: attributes by name, words as strings; `written` is what the shape rule of the
  /// op reads of a result shape in the text. What all the others are made of.
  Op Instruct(Opcode opcode, const std::vector<Op>& operands, NamedAttrs attrs = {},
              const Shape* written = nullptr, std::string_view name = {});

  // ---- Parameters and constants (builder.cc) ----------------------------------------------------
  Op Parameter(int64_t parameter_number, const Shape& shape, std::string_view name);
  template <typename T>
  Op ConstantR0(T value) {
    return Constant(Tensor::Scalar<T>(value));
  }
  template <typename T>
  Op ConstantR1(const std::vector<T>& values) {
    Tensor tensor(kTypeOf<T>, Dims{static_cast<int64_t>(values.size())}, nullptr);
    for (size_t i = 0; i < values.size(); ++i) tensor.mutable_data<T>()[i] = values[i];
    return Constant(std::move(tensor));
  }
  Op Constant(Tensor value);
  /// "f32[2] {1, 2}"; tuples too.
  Op ConstantLiteral(std::string_view literal);
  /// The neutral starts of maximum and minimum: -infinity and infinity, or the type's limits.
  Op MinValue(ElementType type);
  Op MaxValue(ElementType type);
  Op Zero(ElementType type);
  Op One(ElementType type);

  // ---- Element by element (builder_elementwise.cc) ----------------------------------------------
  // Operands of one rank are stretched along dimensions of size 1 and scalars along all; for other
  // ranks broadcast_dimensions[i] is the dimension of the larger operand that dimension i of the
  // smaller one belongs to.
#define HLO_BUILDER_UNARY(name, opcode) \
  Op name(Op operand) { return Instruct(Opcode::k##opcode, {operand}); }
#define HLO_BUILDER_BINARY(name, opcode)                              \
  Op name(Op lhs, Op rhs, const Dims& broadcast_dimensions = {}) {    \
    return Binary(Opcode::k##opcode, lhs, rhs, broadcast_dimensions); \
  }
#define HLO_BUILDER_COMPARE(name, direction)                                   \
  Op name(Op lhs, Op rhs, const Dims& broadcast_dimensions = {}) {             \
    return Compare(lhs, rhs, #direction, broadcast_dimensions);                \
  }                                                                            \
  Op name##TotalOrder(Op lhs, Op rhs, const Dims& broadcast_dimensions = {}) { \
    return Compare(lhs, rhs, #direction, broadcast_dimensions, true);          \
  }
#include "engine/hlo/builder_ops.def"
#undef HLO_BUILDER_UNARY
#undef HLO_BUILDER_BINARY
#undef HLO_BUILDER_COMPARE
  Op Binary(Opcode opcode, Op lhs, Op rhs, const Dims& broadcast_dimensions = {});
  /// `direction`: EQ, NE, GE, GT, LE, LT. Total order is meant for floats; others have one anyway.
  Op Compare(Op lhs, Op rhs, std::string_view direction, const Dims& broadcast_dimensions = {},
             bool total_order = false);
  Op Clamp(Op min, Op operand, Op max);
  /// Tuples are selected element by element; pred is a scalar then.
  Op Select(Op pred, Op on_true, Op on_false);
  Op ConvertElementType(Op operand, ElementType new_element_type);
  Op BitcastConvertType(Op operand, ElementType new_element_type);
  /// In XlaBuilder's order; the operation semantics document lists the two in reverse order.
  Op ReducePrecision(Op operand, int64_t exponent_bits, int64_t mantissa_bits);
  /// `dimensions`: all of the operands'. The computation gets an element of each operand, then
  /// `static_operands` as they are, of any shape; it gives a scalar.
  Op Map(const std::vector<Op>& operands, const Module* computation, const Dims& dimensions,
         const std::vector<Op>& static_operands = {});

  // ---- Moving elements (builder_movement.cc) ----------------------------------------------------
  Op Broadcast(Op operand, const Dims& broadcast_sizes);
  Op BroadcastInDim(Op operand, const Dims& out_dim_size, const Dims& broadcast_dimensions);
  Op Reshape(Op operand, const Dims& new_sizes);
  /// `dimensions`: the operand's, from the slowest to the fastest in the order of elements.
  Op Reshape(Op operand, const Dims& dimensions, const Dims& new_sizes);
  Op Collapse(Op operand, const Dims& dimensions);
  Op Transpose(Op operand, const Dims& permutation);
  Op Rev(Op operand, const Dims& dimensions);
  /// Without strides: 1 each.
  Op Slice(Op operand, const Dims& start_indices, const Dims& limit_indices,
           const Dims& strides = {});
  /// One scalar per dimension, or one vector of all.
  Op DynamicSlice(Op operand, const std::vector<Op>& start_indices, const Dims& size_indices);
  Op DynamicSlice(Op operand, Op start_indices, const Dims& size_indices);
  Op DynamicUpdateSlice(Op operand, Op update, const std::vector<Op>& start_indices);
  Op DynamicUpdateSlice(Op operand, Op update, Op start_indices);
  Op Pad(Op operand, Op padding_value, const std::vector<PadDim>& padding_config);
  Op Concatenate(const std::vector<Op>& operands, int64_t dimension);
  Op Gather(Op operand, Op start_indices, const GatherDimensionNumbers& dimension_numbers,
            const Dims& slice_sizes, bool indices_are_sorted = false);
  Op Scatter(const std::vector<Op>& operands, Op scatter_indices, const std::vector<Op>& updates,
             const Module* update_computation, const ScatterDimensionNumbers& dimension_numbers,
             bool indices_are_sorted = false, bool unique_indices = false);
  Op Iota(const Shape& shape, int64_t iota_dimension);
  Op GetDimensionSize(Op operand, int64_t dimension);
  Op SetDimensionSize(Op operand, Op size, int64_t dimension);

  // ---- Folding and contracting (builder_contractions.cc) ----------------------------------------
  Op Reduce(Op operand, Op init_value, const Module* computation, const Dims& dimensions);
  Op Reduce(const std::vector<Op>& operands, const std::vector<Op>& init_values,
            const Module* computation, const Dims& dimensions);
  Op ReduceWindow(const std::vector<Op>& operands, const std::vector<Op>& init_values,
                  const Module* computation, const Dims& window_dimensions,
                  const Dims& window_strides, const Dims& base_dilations,
                  const Dims& window_dilations, const Pairs& padding);
  Op ReduceWindow(const std::vector<Op>& operands, const std::vector<Op>& init_values,
                  const Module* computation, const Dims& window_dimensions,
                  const Dims& window_strides, const Dims& base_dilations,
                  const Dims& window_dilations, Padding padding);
  Op ReduceWindow(Op operand, Op init_value, const Module* computation,
                  const Dims& window_dimensions, const Dims& window_strides, Padding padding);
  Op SelectAndScatter(Op operand, const Module* select, const Dims& window_dimensions,
                      const Dims& window_strides, Padding padding, Op source, Op init_value,
                      const Module* scatter);
  Op Sort(const std::vector<Op>& operands, const Module* comparator, int64_t dimension = -1,
          bool is_stable = false);
  Op TopK(Op operand, int64_t k, bool largest = true);
  Op Dot(Op lhs, Op rhs);
  Op DotGeneral(Op lhs, Op rhs, const DotDimensionNumbers& dimension_numbers);
  Op Conv(Op lhs, Op rhs, const Dims& window_strides, Padding padding,
          int64_t feature_group_count = 1, int64_t batch_group_count = 1);
  /// Batch, features, then spatial dimensions, as in the operation semantics document; dilations of
  /// 1 if left out.
  Op ConvWithGeneralPadding(Op lhs, Op rhs, const Dims& window_strides, const Pairs& padding,
                            const Dims& lhs_dilation = {}, const Dims& rhs_dilation = {},
                            int64_t feature_group_count = 1, int64_t batch_group_count = 1);
  Op ConvGeneralDilated(Op lhs, Op rhs, const Dims& window_strides, const Pairs& padding,
                        const Dims& lhs_dilation, const Dims& rhs_dilation,
                        const ConvDimLabels& dimension_numbers, int64_t feature_group_count = 1,
                        int64_t batch_group_count = 1);
  Op BatchNormTraining(Op operand, Op scale, Op offset, float epsilon, int64_t feature_index);
  Op BatchNormInference(Op operand, Op scale, Op offset, Op mean, Op variance, float epsilon,
                        int64_t feature_index);
  Op BatchNormGrad(Op operand, Op scale, Op mean, Op variance, Op grad_output, float epsilon,
                   int64_t feature_index);
  Op Cholesky(Op a, bool lower);
  Op TriangularSolve(Op a, Op b, bool left_side, bool lower, bool unit_diagonal,
                     TransposeA transpose_a);
  Op Fft(Op operand, FftType fft_type, const Dims& fft_length);

  // ---- Tuples, control flow, random numbers (builder_control.cc) --------------------------------
  Op Tuple(const std::vector<Op>& elements);
  Op GetTupleElement(Op tuple, int64_t index);
  Op While(const Module* condition, const Module* body, Op init);
  Op Conditional(Op pred, Op true_operand, const Module* true_computation, Op false_operand,
                 const Module* false_computation);
  Op Conditional(Op branch_index, const std::vector<const Module*>& branch_computations,
                 const std::vector<Op>& branch_operands);
  Op Call(const Module* computation, const std::vector<Op>& args);
  Op CompositeCall(const Module* decomposition, const std::vector<Op>& inputs,
                   std::string_view name, std::optional<std::string> composite_attributes = {},
                   int64_t version = 0);
  Op CustomCall(std::string_view target_name, const std::vector<Op>& args, const Shape& shape);
  Op OptimizationBarrier(Op operand);
  Op RngNormal(Op mu, Op sigma, const Shape& shape);
  Op RngUniform(Op a, Op b, const Shape& shape);
  /// (new state, bits).
  Op RngBitGenerator(RandomAlgorithm algorithm, Op initial_state, const Shape& shape);

  // ---- Devices and host (builder_devices.cc) ----------------------------------------------------
  // Without groups all devices are one. Infeed, Outfeed, Send and Recv have the form without tokens
  // of the operation semantics document: they are ordered among themselves as they were made.
  Op AfterAll(const std::vector<Op>& operands);
  Op AllGather(Op operand, int64_t all_gather_dim, int64_t shard_count,
               const Groups& replica_groups = {}, std::optional<int64_t> channel_id = {});
  /// An array, or a tuple of arrays.
  Op AllReduce(Op operand, const Module* computation, const Groups& replica_groups = {},
               std::optional<int64_t> channel_id = {});
  Op CrossReplicaSum(Op operand, const Groups& replica_groups = {});
  Op ReduceScatter(Op operand, const Module* computation, int64_t scatter_dimension,
                   int64_t shard_count, const Groups& replica_groups = {},
                   std::optional<int64_t> channel_id = {});
  Op AllToAll(Op operand, int64_t split_dimension, int64_t concat_dimension, int64_t split_count,
              const Groups& replica_groups = {});
  Op CollectivePermute(Op operand, const Pairs& source_target_pairs);
  Op ReplicaId();
  Op Infeed(const Shape& shape);
  Op Outfeed(Op operand);
  /// The token that says it is sent.
  Op Send(Op operand, int64_t channel_handle);
  Op Recv(const Shape& shape, int64_t channel_handle);

 private:
  void Report(DiagCode code, std::string message);
  /// Reports and returns nothing.
  Op Fail(DiagCode code, std::string message);
  /// A copy of the computation and those it calls; null, reported, when there is none.
  const Region* Import(const Module* computation, std::string_view what);
  const Region* AddRegion(ElementType type);
  bool CheckOperands(Opcode opcode, const std::vector<Op>& operands);
  bool CheckShape(const Shape& shape, std::string_view what);
  bool IsArray(Op op, std::string_view what);
  void EnterParameters();
  void MakeNamesUnique();

  /// Both operands with the dimensions of the result, or nothing twice.
  std::vector<Op> BroadcastTogether(std::string_view what, Op lhs, Op rhs,
                                    const Dims& broadcast_dimensions);
  /// `operand`, whose dimension i is dimension mapping[i] of the result, repeated to fill it.
  Op StretchTo(Op operand, const Dims& sizes, const Dims& mapping);
  /// One window dimension per entry; lists that are left out are ones and zeros.
  std::optional<Window> MakeWindow(const Dims& sizes, const Dims& strides, const Pairs& padding,
                                   const Dims& base_dilations, const Dims& window_dilations);
  std::optional<Pairs> PaddingOf(Padding padding, const Dims& base, const Dims& window,
                                 const Dims& strides, const Dims& base_dilations = {},
                                 const Dims& window_dilations = {});
  Op MapInLoop(const std::vector<Op>& operands, const Module* computation, const Dims& dimensions,
               const std::vector<Op>& static_operands);
  /// The scalars in a vector of indices.
  std::vector<Op> Elements(Op vector);
  std::vector<Op> TupleElements(Op tuple);
  Op Collective(Opcode opcode, Op operand, NamedAttrs attrs, const Groups& groups,
                std::optional<int64_t> channel_id, int64_t dimension, int64_t times, int64_t parts);
  Op Token();

  Diagnostics diagnostics_;
  std::unique_ptr<Module> module_;
  std::unique_ptr<ModuleEditor> editor_;
  std::unique_ptr<Computation> computation_;  ///< null once built
  std::vector<std::pair<int64_t, Instruction*>> parameters_;
  Instruction* last_ = nullptr;
  Op token_;  ///< of the last exchange with the host or another computation
};

}  // namespace hlo

#endif  // HLO_ENGINE_HLO_BUILDER_H_
