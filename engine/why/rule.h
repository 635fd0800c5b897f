// What a rule of dependence is made of. Internal to engine/why.
#ifndef HLO_ENGINE_WHY_RULE_H_
#define HLO_ENGINE_WHY_RULE_H_

#include "engine/why/links.h"

namespace hlo {

/// What an op's elements depend on. Ops without functions follow from `links` alone.
struct DependenceRule {
  std::string_view words;
  LinksOf links = nullptr;
  void (*sources)(const Executed& at, const Dims& path, const Dims& index,
                  std::vector<Elements>* out) = nullptr;
  void (*reach)(const Executed& at, int operand, const Dims& path, const Dims& index,
                std::vector<Elements>* out) = nullptr;
};

const DependenceRule& DependenceRuleOf(Opcode opcode);

/// Whether run-time sizes may have an element of one operand stand for several (IsRepeated): what
/// belongs together then follows from the operands' values.
bool MayRepeat(const OpCall& call);
/// All elements of all arrays of an operand, or of the result (-1).
void AddAll(const OpCall& call, int operand, SourceRole role, std::vector<Elements>* out);
/// What follows from the links of the rule.
void AddLinked(const Executed& at, const Dims& path, const Dims& index, std::vector<Elements>* out);

}  // namespace hlo

#endif  // HLO_ENGINE_WHY_RULE_H_
