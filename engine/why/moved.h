// The rules of ops that take one element of several, or whose operands say where elements go.
// Internal to engine/why: functions of DependenceRule.
#ifndef HLO_ENGINE_WHY_MOVED_H_
#define HLO_ENGINE_WHY_MOVED_H_

#include "engine/why/dependence.h"

namespace hlo {

#define HLO_SOURCES(name) \
  void name(const Executed& at, const Dims& path, const Dims& index, std::vector<Elements>* out)
#define HLO_REACH(name)                                                           \
  void name(const Executed& at, int operand, const Dims& path, const Dims& index, \
            std::vector<Elements>* out)

// Of several elements one is taken.
HLO_SOURCES(PickedSources);
HLO_SOURCES(SelectSources);
HLO_SOURCES(PadSources);
HLO_SOURCES(SelectAndScatterSources);
HLO_SOURCES(SortSources);
// Elements stay in row-major order, or are those of the operand, or of a part of it.
HLO_SOURCES(LinearSources);
HLO_REACH(LinearReach);
HLO_SOURCES(PassedSources);
HLO_REACH(PassedReach);
HLO_SOURCES(TupleSources);
HLO_REACH(TupleReach);
HLO_SOURCES(PartSources);
HLO_REACH(PartReach);
// Operands say where.
HLO_SOURCES(DynamicSliceSources);
HLO_REACH(DynamicSliceReach);
HLO_SOURCES(UpdateSources);
HLO_REACH(UpdateReach);
HLO_SOURCES(GatherSources);
HLO_REACH(GatherReach);
HLO_SOURCES(ShuffleSources);
HLO_REACH(ShuffleReach);
HLO_SOURCES(ScatterSources);
HLO_REACH(ScatterReach);

#undef HLO_SOURCES
#undef HLO_REACH

}  // namespace hlo

#endif  // HLO_ENGINE_WHY_MOVED_H_
