// How DrawGraph works: regions of a picture, filled with boxes one after another. Internal to
// engine/graph.
#ifndef HLO_ENGINE_GRAPH_DRAWING_H_
#define HLO_ENGINE_GRAPH_DRAWING_H_

#include <cstddef>
#include <string>
#include <unordered_set>
#include <vector>

#include "engine/graph/drawn_graph.h"
#include "engine/graph/folded_values.h"
#include "engine/graph/program_graph.h"

namespace hlo {

class Drawing {
 public:
  Drawing(const ProgramGraph& graph, const GraphOptions& options);

  DrawnGraph Draw();

 private:
  using List = std::vector<const Instruction*>;

  // The calls on the way from the outermost computation to the focus, which is the last.
  void FindWay();
  void CountInstructions();
  // Puts a computation into a box, and its instructions into boxes of their own.
  void AddRegion(const Computation& computation, int box, int level, int number = 0);
  void Fill(size_t region, size_t room);
  List Shown(const DrawnRegion& region) const;
  void FillAround(size_t region, const Instruction& centre, size_t room);
  void AddAll(size_t region, const List& list, int parent, size_t room, const std::string& id);
  void AddEach(size_t region, const List& list, int parent, const std::string& id);
  void AddInParts(size_t region, const List& list, int parent, size_t room, const std::string& id);
  void AddInstruction(size_t region, const Instruction& instruction, int parent,
                      const std::string& id);
  void AddGroup(size_t region, const List& list, int parent, const std::string& id,
                GroupFacts facts);
  void OpenInstruction(int box, int level);
  bool IsOnWay(const DrawnRegion& region, const Instruction& instruction) const;
  // What is left for the inside of a box; less than a few boxes count as none.
  size_t RoomInside() const;
  std::string RegionId(const DrawnRegion& region) const;
  int64_t CountIn(const Instruction& instruction) const;
  void FindFocusBox();

  const ProgramGraph& graph_;
  const GraphOptions& options_;
  FoldedValues folded_;
  std::unordered_set<std::string> open_;
  size_t limit_;
  bool reveals_;
  std::vector<const Instruction*> way_;
  size_t reserved_ = 0;          // boxes that lists which are being added are yet to have
  std::vector<int64_t> counts_;  // of each computation, with all that it runs
  DrawnGraph drawn_;
};

/// The edges between the boxes of all regions, what is folded into them, and what they lack.
void AddEdges(const FoldedValues& folded, DrawnGraph* drawn);

/// Fills in what the instructions have in common.
void DescribeGroup(const std::vector<const Instruction*>& instructions, GroupFacts* facts);

}  // namespace hlo

#endif  // HLO_ENGINE_GRAPH_DRAWING_H_
