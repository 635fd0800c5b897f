// What a picture of a program shows in a given state: which boxes, in which, and the edges between
// them. It says nothing of places.
#ifndef HLO_ENGINE_GRAPH_DRAWN_GRAPH_H_
#define HLO_ENGINE_GRAPH_DRAWN_GRAPH_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/graph/program_graph.h"

namespace hlo {

/// What is asked for.
struct GraphOptions {
  /// The outermost computation; null: the entry.
  const Computation* computation = nullptr;
  const Instruction* focus = nullptr;
  /// Opens whatever has to be open for the focus to have a box.
  bool reveals_focus = false;
  /// Only what is this many steps from the focus: along operands, and along users. Negative:
  /// everything.
  int radius = -1;
  /// The ids of boxes that are open.
  std::vector<std::string> open = {};
  /// Constants and broadcasts of scalars are part of their users.
  bool folds_constants = true;
  /// Boxes of the outermost computation. All together are at most twice as many: of a dump whose
  /// boxes are all open, so many are laid out within a second.
  int limit = 125;

  static constexpr int kLeastBoxes = 20;
  static constexpr int kMostBoxes = 1000;
  static constexpr int kMostSteps = 100;
};

enum class BoxKind : uint8_t {
  kInstruction,
  kComputation,  ///< one of several that an instruction runs, inside of its box
  kGroup,        ///< instructions of one computation for which there is no room
};

/// A constant, or a broadcast of a scalar, that is part of its user.
struct FoldedOperand {
  int operand = 0;
  const Instruction* value = nullptr;  ///< the constant, or the scalar that is broadcast
};

/// What the instructions of a group have in common.
struct GroupFacts {
  enum class Why : uint8_t {
    kParameters,
    kStretch,   ///< neighbours in the text
    kOperands,  ///< as far from the focus, among what it depends on
    kUsers,     ///< as far from the focus, among what depends on it
  };
  Why why = Why::kStretch;
  int distance = 0;  ///< from the focus
  /// Its most frequent opcodes, and how often.
  std::vector<std::pair<Opcode, int64_t>> opcodes;
  /// How the op_name of all begins, up to a slash.
  std::string op_name;
  const Instruction* first = nullptr;
  const Instruction* last = nullptr;
};

struct GraphBox {
  /// What of the program it is: the same in every picture. Names of instructions and computations
  /// from the outermost computation on: "main/while.1:body/add.2".
  std::string id;
  int parent = -1;  ///< the box that it is in; these come first
  BoxKind kind = BoxKind::kInstruction;
  const Instruction* instruction = nullptr;  ///< of kInstruction; of kComputation: who runs it
  const Computation* computation = nullptr;  ///< of kComputation; of others: where they are
  std::string_view role;                     ///< of kComputation: the attribute that names it
  bool can_open = false;
  bool is_open = false;
  bool has_no_room = false;  ///< it would be open, but the picture is full
  int64_t count = 0;         ///< instructions in it, in all computations that it runs
  GroupFacts group;
  std::vector<FoldedOperand> folded;
  int64_t more_operands = 0, more_users = 0;  ///< that have no box
};

struct GraphEdge {
  enum class Kind : uint8_t {
    kData,
    kAsync,    ///< from the start of something to its end
    kCarried,  ///< a loop's state, from one iteration to the next
    kControl,  ///< an order that no value enforces
  };
  int from = 0, to = 0;  ///< boxes
  Kind kind = Kind::kData;
  int operand = -1;              ///< of the first of them; -1: none
  int64_t count = 0;             ///< uses that it stands for
  const Shape* shape = nullptr;  ///< of the first of them
};

/// A computation as it is drawn in one place.
struct DrawnRegion {
  const Computation* computation = nullptr;
  int box = -1;  ///< that it is in; -1: the picture
  /// How many calls deep on the way to the focus; -1: not on it.
  int level = -1;
  int number = 0;           ///< among the computations of the instruction that it is inside
  std::vector<int> box_of;  ///< of each instruction, the innermost box; -1: none
};

struct DrawnGraph {
  const Computation* top = nullptr;
  std::vector<GraphBox> boxes;
  std::vector<GraphEdge> edges;
  std::vector<DrawnRegion> regions;
  int focus_box = -1;  ///< the innermost box with the focus in it
  /// Everything of the outermost computation has a box of its own.
  bool is_whole = true;
};

/// Deterministic; takes time in proportion to the program.
DrawnGraph DrawGraph(const ProgramGraph& graph, const GraphOptions& options);

/// "data", ...
std::string_view Text(GraphEdge::Kind kind);

}  // namespace hlo

#endif  // HLO_ENGINE_GRAPH_DRAWN_GRAPH_H_
