// What an op sees of its instruction: operand shapes, attributes, result shape, source ranges. The
// same view serves shape inference, verification, evaluation and cost.
#ifndef HLO_ENGINE_OPS_OP_CALL_H_
#define HLO_ENGINE_OPS_OP_CALL_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "engine/base/small_vector.h"
#include "engine/ops/attributes.h"
#include "engine/ops/opcode.h"
#include "engine/types/shape.h"

namespace hlo {

class CustomCallTargets;  // custom_calls/custom_calls.h

/// How strictly a call is verified, and what the verifier knows of where it stands.
struct VerifyMode {
  bool layout_sensitive = false;      ///< VerifierOptions
  bool allow_mixed_precision = true;  ///< VerifierOptions
  bool strict = false;                ///< VerifierOptions
  bool in_fusion = false;             ///< in the computation of a fusion
  bool in_unused = false;             ///< in a computation that nothing calls
};

/// A short-lived view; everything it points to belongs to the instruction, or to the run that
/// executes it.
class OpCall {
 public:
  struct Parts {
    Opcode opcode;
    std::string_view name;  ///< of the instruction
    SmallVector<const Shape*, 4> operands;
    const AttrList* attrs;
    const Shape* written;  ///< the result shape in the text (or known so far); null when omitted
    Range range;           ///< of the opcode
    Range shape_range;     ///< of the written shape
    std::span<const Range> operand_ranges;
    int64_t replica_count = 1;
    int64_t num_partitions = 1;
    VerifyMode mode = {};                             // set by the verifier
    const CustomCallTargets* custom_calls = nullptr;  // set by the plan of a run
  };
  explicit OpCall(Parts parts) : parts_(std::move(parts)) {}

  Opcode opcode() const { return parts_.opcode; }
  const OpDef& def() const { return GetOpDef(parts_.opcode); }
  std::string_view opcode_text() const { return Text(parts_.opcode); }
  std::string_view name() const { return parts_.name; }

  int operand_count() const { return static_cast<int>(parts_.operands.size()); }
  const Shape& operand(int i) const { return *parts_.operands[static_cast<size_t>(i)]; }
  /// The written result shape, or null while the parser infers an omitted one.
  const Shape* written() const { return parts_.written; }
  /// The result shape; for evaluation, where it is always known.
  const Shape& shape() const { return *parts_.written; }

  /// The attributes of the instruction.
  const AttrList& attrs() const { return *parts_.attrs; }
  // Values of the op's attributes; see AttrList. Asking for a name that neither the op's definition
  // nor the common attributes have aborts a test build.
  bool Has(std::string_view name) const { return AttrsWith(name).Has(name); }
  bool Bool(std::string_view name, bool otherwise = false) const {
    return AttrsWith(name).Bool(name, otherwise);
  }
  int64_t Int(std::string_view name, int64_t otherwise = 0) const {
    return AttrsWith(name).Int(name, otherwise);
  }
  double Float(std::string_view name, double otherwise = 0) const {
    return AttrsWith(name).Float(name, otherwise);
  }
  /// Index into the attribute's words; `otherwise` when absent.
  int64_t Word(std::string_view name, int64_t otherwise = 0) const { return Int(name, otherwise); }
  const std::string& String(std::string_view name) const { return AttrsWith(name).String(name); }
  const Dims& Ints(std::string_view name) const { return AttrsWith(name).Ints(name); }
  const std::vector<Dims>& IntLists(std::string_view name) const {
    return AttrsWith(name).IntLists(name);
  }
  const Window& GetWindow(std::string_view name = "window") const {
    return AttrsWith(name).GetWindow(name);
  }
  const ConvDimLabels& DimLabels(std::string_view name = "dim_labels") const {
    return AttrsWith(name).DimLabels(name);
  }
  const std::vector<SliceDim>& Slices(std::string_view name = "slice") const {
    return AttrsWith(name).Slices(name);
  }
  const std::vector<PadDim>& Padding(std::string_view name = "padding") const {
    return AttrsWith(name).Padding(name);
  }
  const ReplicaGroups& Groups(std::string_view name = "replica_groups") const {
    return AttrsWith(name).Groups(name);
  }
  const std::vector<Shape>& Shapes(std::string_view name) const {
    return AttrsWith(name).Shapes(name);
  }
  const std::vector<Alias>& Aliases(std::string_view name) const {
    return AttrsWith(name).Aliases(name);
  }
  const KeyValues& Keys(std::string_view name) const { return AttrsWith(name).Keys(name); }
  const std::vector<const Region*>& Regions(std::string_view name) const {
    return AttrsWith(name).Regions(name);
  }
  const Region* GetRegion(std::string_view name) const { return AttrsWith(name).GetRegion(name); }
  const Shape* GetShape(std::string_view name) const { return AttrsWith(name).GetShape(name); }
  const ShapedLiteral* GetLiteral(std::string_view name) const {
    return AttrsWith(name).GetLiteral(name);
  }

  int64_t replica_count() const { return parts_.replica_count; }
  int64_t num_partitions() const { return parts_.num_partitions; }
  /// The same call with other shapes, which must outlive it.
  OpCall WithShapes(std::span<const Shape> operands, const Shape* written) const;

  const VerifyMode& mode() const { return parts_.mode; }
  bool layout_sensitive() const { return mode().layout_sensitive; }
  bool allow_mixed_precision() const { return mode().allow_mixed_precision; }
  void set_mode(const VerifyMode& mode) { parts_.mode = mode; }
  /// The functions behind custom-call, where the call is executed; null elsewhere.
  const CustomCallTargets* custom_calls() const { return parts_.custom_calls; }
  void set_custom_calls(const CustomCallTargets* targets) { parts_.custom_calls = targets; }
  /// Makes it a call of another op, which finds its attributes among those of the instruction.
  void set_opcode(Opcode opcode) { parts_.opcode = opcode; }
  /// Whether two shapes that are to be the same data are: the same dimensions and element types
  /// and, where layouts count, the same dynamic dimensions and these parts of the layouts.
  bool SameShapes(const Shape& a, const Shape& b, const LayoutParts& parts = {}) const {
    return layout_sensitive() ? Shape::Equal(a, b, {.layout_parts = parts})
                              : Shape::Compatible(a, b);
  }

  // Source ranges, for diagnostics.
  Range range() const { return parts_.range; }
  Range shape_range() const { return parts_.shape_range; }
  Range operand_range(int i) const;
  /// The attribute's value, or the opcode when the attribute is absent.
  Range attr_range(std::string_view attr) const;

 private:
  /// attrs(), after a check that the op has an attribute of this name.
#ifdef HLO_CHECK_ATTRS
  const AttrList& AttrsWith(std::string_view name) const;
#else
  const AttrList& AttrsWith(std::string_view) const { return *parts_.attrs; }
#endif
  Parts parts_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_OPS_OP_CALL_H_
