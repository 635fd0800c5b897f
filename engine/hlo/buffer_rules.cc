// Buffers, `b(f32[2])`: memory that custom calls write in place. A buffer value is used at most
// once; each use passes the buffer on.
// Source: XLA, hlo_verifier.cc, VerifyBuffers.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/base/work_limit.h"
#include "engine/hlo/verifier_rules.h"
#include "engine/ops/op_def.h"

namespace hlo {
namespace {

std::string Text(const Path& path) { return fmt::format("{{{}}}", fmt::join(path, ",")); }

void CollectBuffers(const Shape& shape, Path& path, std::vector<Path>* found) {
  if (shape.IsBuffer()) found->push_back(path);
  if (!shape.IsTuple()) return;
  CountWork(shape.elements().size());
  for (size_t i = 0; i < shape.elements().size(); ++i) {
    path.push_back(static_cast<int64_t>(i));
    CollectBuffers(shape.elements()[i], path, found);
    path.pop_back();
  }
}

std::vector<Path> BuffersIn(const Shape& shape) {
  std::vector<Path> found;
  Path path;
  CollectBuffers(shape, path, &found);
  return found;
}

const std::vector<Alias>& AliasesOf(const Instruction& call) {
  return call.attrs().Aliases("output_to_operand_aliasing");
}

std::string_view TargetOf(const Instruction& call) {
  return call.attrs().String("custom_call_target");
}

/// The computation runs on another stream; what it does with buffers is checked in it.
bool IsOnStream(const Instruction& call) {
  return call.opcode() == Opcode::kCall &&
         FindValue(call.attrs().Keys("frontend_attributes"), "_xla_stream_annotation");
}

/// Who writes the buffers of a computation: a value's writers are those of the tuples that it goes
/// into, and of the elements that come out of it. Counted from the end, so that the users of a
/// value are counted before it.
class Writers {
 public:
  Writers(const Computation& computation, const VerifierScope& scope)
      : is_body_(scope.calls.IsCalledBy(computation, Opcode::kWhile)) {
    const auto& all = computation.instructions();
    for (size_t i = all.size(); i-- > 0;) {
      for (const Instruction* operand : all[i].operands()) {
        if (scope.buffers.IsIn(operand->shape())) {
          Hand(all[i]);
          break;
        }
      }
    }
  }

  /// How many instructions may write the buffer at this place.
  int64_t Count(const Instruction& i, const Path& place) const {
    const auto found = uses_.find(&i);
    if (found == uses_.end()) return 0;
    const auto own = found->second.places.find(place);
    return found->second.everywhere + (own == found->second.places.end() ? 0 : own->second);
  }

 private:
  struct Uses {
    int64_t everywhere = 0;  ///< users that may write all buffers of the value
    std::map<Path, int64_t> places;
  };

  /// The count saturates: more than a few need not be told apart.
  static void Add(int64_t writers, int64_t* sum) { *sum = std::min<int64_t>(*sum + writers, 1000); }

  /// What the user does with its operands, each counted once.
  void Hand(const Instruction& user) {
    switch (user.opcode()) {
      case Opcode::kAsyncDone:
      case Opcode::kAsyncStart:
      case Opcode::kAsyncUpdate:
      case Opcode::kCall:
      case Opcode::kConditional:
      case Opcode::kCustomCall:
      case Opcode::kDynamicUpdateSlice:
      case Opcode::kFusion:
      case Opcode::kWhile:
        return HandWriter(user);
      case Opcode::kGetTupleElement:
        return HandElement(user);
      case Opcode::kTuple:
        // The result of a body is written by the next iteration.
        if (!user.is_root()) return HandTuple(user);
        if (is_body_) HandWriter(user);
        return;
      default:
        return;
    }
  }

  void HandWriter(const Instruction& user) {
    std::set<const Instruction*> seen;
    for (const Instruction* operand : user.operands()) {
      if (seen.insert(operand).second) ++uses_[operand].everywhere;
    }
  }

  void HandElement(const Instruction& element) {
    if (!element.attrs().Has("index")) return;
    for (const Path& place : BuffersIn(element.shape())) {
      Path outside = {element.attrs().Int("index")};
      outside.insert(outside.end(), place.begin(), place.end());
      Add(Count(element, place), &uses_[element.operand(0)].places[outside]);
    }
  }

  void HandTuple(const Instruction& tuple) {
    std::set<const Instruction*> seen;
    for (int i = 0; i < tuple.operand_count(); ++i) {
      if (!seen.insert(tuple.operand(i)).second) continue;
      for (const Path& place : BuffersIn(tuple.operand(i)->shape())) {
        Path inside = {i};
        inside.insert(inside.end(), place.begin(), place.end());
        Add(Count(tuple, inside), &uses_[tuple.operand(i)].places[place]);
      }
    }
  }

  bool is_body_;
  std::unordered_map<const Instruction*, Uses> uses_;
};

class BufferChecks {
 public:
  BufferChecks(const VerifierScope& scope, const Computation& computation)
      : scope_(scope), computation_(computation), writers_(computation, scope) {}

  void Check() {
    if (scope_.calls.IsCalledBy(computation_, Opcode::kAsyncStart)) {
      const Instruction* root = computation_.root();
      if (root && root->opcode() == Opcode::kCustomCall) CheckCustomCall(*root);
      return;
    }
    for (const Instruction& i : computation_.instructions()) CheckInstruction(i);
  }

 private:
  void Report(const Instruction& i, std::string_view message) {
    ReportAt(i, DiagCode::kVerifierRule, message, scope_.out);
  }

  void CheckInstruction(const Instruction& i) {
    if (IsAsync(i.opcode()) || IsOnStream(i)) return;
    switch (i.opcode()) {
      case Opcode::kCustomCall:
        return CheckCustomCall(i);
      case Opcode::kWhile:
        return CheckWriters(i);
      case Opcode::kParameter:
        if (&computation_ == scope_.module.entry() && scope_.buffers.IsIn(i.shape()))
          return Refuse(i);
        return CheckWriters(i);
      case Opcode::kDynamicUpdateSlice:
        if (!i.operand(0)->shape().IsBuffer()) return CheckNone(i, 0);
        CheckWriters(i);
        return CheckNone(i, 1);
      case Opcode::kGetTupleElement:
      case Opcode::kTuple:
        return;
      default:
        return CheckNone(i, 0);
    }
  }

  void Refuse(const Instruction& i) {
    Report(i, fmt::format("Seen buffers while buffers aren't allowed in this context: {} = {}",
                          i.name(), hlo::Text(i.opcode())));
  }

  /// No buffers in the operands from `first` on nor, when that is 0, in the result.
  void CheckNone(const Instruction& i, int first) {
    bool any = first == 0 && scope_.buffers.IsIn(i.shape());
    for (int at = first; at < i.operand_count(); ++at)
      any |= scope_.buffers.IsIn(i.operand(at)->shape());
    if (any) Refuse(i);
  }

  void CheckWriters(const Instruction& i) {
    for (const Path& place : BuffersIn(i.shape())) {
      if (writers_.Count(i, place) < 2) continue;
      Report(i, fmt::format("an HLO buffer value has more than one writers (or unpins): '{}' '{}'",
                            i.name(), Text(place)));
    }
  }

  /// A custom call returns each buffer that it takes exactly once, and no other, except for the
  /// targets that create and release buffers.
  void CheckCustomCall(const Instruction& call) {
    const std::string_view target = TargetOf(call);
    if (target == "Unpin") return;
    if (target != "Pin" && target != "CreateBuffer") CheckHandover(call);
    CheckWriters(call);
  }

  void CheckHandover(const Instruction& call) {
    std::map<std::pair<int64_t, Path>, int> taken;
    std::map<Path, int> given;
    for (const Alias& alias : AliasesOf(call)) {
      ++taken[{alias.operand, PathOf(alias.operand_index)}];
      ++given[PathOf(alias.output_index)];
    }
    for (int i = 0; i < call.operand_count(); ++i) {
      for (const Path& place : BuffersIn(call.operand(i)->shape())) {
        const int times = taken[{i, place}];
        if (times == 1) continue;
        Report(call,
               fmt::format("buffer is used in {}: operand {} ShapeIndex {}",
                           times == 0 ? "operands but not in results" : "results multiple times", i,
                           Text(place)));
      }
    }
    for (const Path& place : BuffersIn(call.shape())) {
      const int times = given[place];
      if (times == 1) continue;
      Report(call,
             fmt::format("buffer is used in {}: {}",
                         times == 0 ? "results but not in operands" : "operands multiple times",
                         Text(place)));
    }
  }

  const VerifierScope& scope_;
  const Computation& computation_;
  Writers writers_;
};

}  // namespace

void VerifyBuffers(const VerifierScope& scope) {
  for (const Computation& computation : scope.module.computations()) {
    const auto& all = computation.instructions();
    auto is_buffer = [&](const Instruction& i) { return scope.buffers.IsIn(i.shape()); };
    if (std::any_of(all.begin(), all.end(), is_buffer)) BufferChecks(scope, computation).Check();
  }
}

}  // namespace hlo
