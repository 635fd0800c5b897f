// A program as a list of instructions in text, from which some can be taken away again.
#ifndef HLO_TESTS_GENERATED_PROGRAM_H_
#define HLO_TESTS_GENERATED_PROGRAM_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/types/shape.h"

namespace hlo {

/// One instruction of the entry computation.
struct Statement {
  std::string name;
  Shape shape;
  std::string opcode;
  std::vector<std::string> operands;
  std::string literal;       ///< between the parentheses instead of operands
  std::string attributes;    ///< ", dimensions={0}"
  std::string computations;  ///< the text of those it calls

  std::string Line() const;
};

struct Program {
  std::vector<Statement> statements;  ///< parameters are among them
  int64_t replicas = 1;
  int64_t partitions = 1;
  /// What is given of the parameters, by number.
  std::vector<std::string> inputs;

  /// A module whose entry gives every value that no instruction uses.
  std::string Text() const;
};

/// The program with as few statements as possible for which `fails` still holds.
Program Minimised(Program program, const std::function<bool(const Program&)>& fails);

}  // namespace hlo

#endif  // HLO_TESTS_GENERATED_PROGRAM_H_
