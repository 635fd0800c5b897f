#include "tests/generated/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace hlo {
namespace {

bool IsParameter(const Statement& statement) { return statement.opcode == "parameter"; }

// Without the statement and all that depends on it.
Program Without(const Program& program, size_t index) {
  Program less = program;
  less.statements.clear();
  std::set<std::string> gone = {program.statements[index].name};
  for (size_t i = 0; i < program.statements.size(); ++i) {
    const Statement& statement = program.statements[i];
    const bool depends =
        std::any_of(statement.operands.begin(), statement.operands.end(),
                    [&](const std::string& operand) { return gone.count(operand) > 0; });
    // Parameters are numbered without gaps, so they stay.
    if ((i == index || depends) && !IsParameter(statement)) {
      gone.insert(statement.name);
    } else {
      less.statements.push_back(statement);
    }
  }
  return less;
}

// A constant in the place of the statement, so that what depends on it may stay.
Program WithParameter(const Program& program, size_t index) {
  Program other = program;
  Statement& statement = other.statements[index];
  statement.opcode = "parameter";
  statement.operands.clear();
  statement.attributes.clear();
  statement.computations.clear();
  statement.literal = std::to_string(other.inputs.size());
  other.inputs.emplace_back("random");
  return other;
}

// Parameters that nothing uses are no part of the failure, but for the numbers of the others.
Program WithoutLastParameters(Program program) {
  std::set<std::string> used;
  for (const Statement& statement : program.statements) {
    used.insert(statement.operands.begin(), statement.operands.end());
  }
  while (!program.inputs.empty()) {
    const std::string number = std::to_string(program.inputs.size() - 1);
    const auto at = std::find_if(program.statements.begin(), program.statements.end(),
                                 [&](const Statement& statement) {
                                   return IsParameter(statement) && statement.literal == number;
                                 });
    if (at != program.statements.end() && used.count(at->name) > 0) break;
    if (at != program.statements.end()) program.statements.erase(at);
    program.inputs.pop_back();
  }
  return program;
}

}  // namespace

std::string Statement::Line() const {
  return fmt::format("{} = {} {}({}){}", name, ShapeText(shape), opcode,
                     operands.empty() ? literal : fmt::format("{}", fmt::join(operands, ", ")),
                     attributes);
}

std::string Program::Text() const {
  std::string text = "HloModule generated";
  if (replicas > 1) text += fmt::format(", replica_count={}", replicas);
  if (partitions > 1) text += fmt::format(", num_partitions={}", partitions);
  text += "\n";
  std::set<std::string> used;
  for (const Statement& statement : statements) {
    text += statement.computations;
    used.insert(statement.operands.begin(), statement.operands.end());
  }
  text += "ENTRY e {\n";
  std::vector<std::string> results, shapes;
  for (const Statement& statement : statements) {
    text += "  " + statement.Line() + "\n";
    if (used.count(statement.name) > 0 || statement.shape.IsToken() || IsParameter(statement)) {
      continue;
    }
    results.push_back(statement.name);
    shapes.push_back(ShapeText(statement.shape));
  }
  text += fmt::format("  ROOT result = ({}) tuple({})\n}}\n", fmt::join(shapes, ", "),
                      fmt::join(results, ", "));
  return text;
}

Program Minimised(Program program, const std::function<bool(const Program&)>& fails) {
  bool smaller = true;
  while (smaller) {
    smaller = false;
    for (size_t i = program.statements.size(); i-- > 0;) {
      if (i >= program.statements.size()) continue;
      if (IsParameter(program.statements[i])) continue;
      for (const auto& change : {Without, WithParameter}) {
        Program less = WithoutLastParameters(change(program, i));
        if (!fails(less)) continue;
        program = std::move(less);
        smaller = true;
        break;
      }
    }
  }
  Program less = WithoutLastParameters(program);
  return fails(less) ? less : program;
}

}  // namespace hlo
