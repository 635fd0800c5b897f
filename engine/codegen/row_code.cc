#include "engine/codegen/row_code.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "engine/codegen/code_function.h"
#include "engine/codegen/pass_lanes.h"
#include "engine/codegen/row_fold_code.h"
#include "engine/codegen/row_places.h"
#include "engine/codegen/step_lowering.h"
#include "engine/codegen/steps_code.h"
#include "engine/plan/row_passes.h"

namespace hlo {
namespace {

// A sum takes what is left of a row after whole groups of kSumParts elements one by one. Twice the
// lanes leave the same elements only where the groups are pairs.
int LanesOf(const RegionSteps& program, const RowPasses& passes) {
  static_assert(kStepLanes == kSumParts);
  if (program.row_length % kWideStepLanes >= kStepLanes) return kStepLanes;
  std::vector<PassSteps> steps;
  for (int32_t pass = 0; pass < passes.count; ++pass) {
    steps.push_back(StepsOfPass(program, passes, pass));
  }
  return PassLanes(program, steps);
}

class RowWriter : CodeFunctionParameters {
 public:
  RowWriter(const RegionSteps& program, VectorPool* vectors)
      : program_(program),
        passes_(FindRowPasses(program)),
        uniform_(program.UniformScalars()),
        writer_(kParameters, vectors),
        row_(writer_.NewLocal(CodeType::kI32)),
        element_(writer_.NewLocal(CodeType::kI32)),
        end_(writer_.NewLocal(CodeType::kI32)),
        lanes_(&writer_, LanesOf(program, passes_)),
        one_(&writer_, 1),
        places_(&program, &passes_, &writer_),
        rows_(&program, {kBudget, 0}, &one_) {
    for (const RegionStep& step : program.steps) {
      if (program.IsSpread(step)) spread_.emplace(step.result, step.args[0]);
    }
  }

  std::optional<WrittenFunction> Run() {
    for (const int32_t id : uniform_) {
      rows_.Give(id, one_.LoadForAll(places_.Of(id), places_.TypeOf(id)));
      uniform_lanes_.emplace(id, lanes_.LoadForAll(places_.Of(id), places_.TypeOf(id)));
    }
    FindLate();
    // From the first row to the last.
    const auto length = static_cast<int32_t>(program_.row_length);
    writer_.Get(kFirst);
    writer_.I32(length);
    writer_.Write(Code::kI32DivS);
    writer_.Set(row_);
    writer_.Open(Code::kBlock);
    writer_.Open(Code::kLoop);
    writer_.Get(row_);
    writer_.I32(length);
    writer_.Write(Code::kI32Mul);
    writer_.Get(kFirst);
    writer_.Get(kCount);
    writer_.Write(Code::kI32Add);
    writer_.Write(Code::kI32GeS);
    writer_.Branch(Code::kBrIf, 1);
    WriteRow();
    writer_.Increase(row_, 1);
    writer_.Branch(Code::kBr, 0);
    writer_.Write(Code::kEnd);
    writer_.Write(Code::kEnd);
    if (late_) WriteLate();
    if (writer_.local_count() > kMostLocals) return std::nullopt;
    CodeBytes code = writer_.Finish();
    return WrittenFunction{std::move(code), writer_.notes()};
  }

 private:
  int32_t PassOf(int32_t scalar) const { return passes_.pass[static_cast<size_t>(scalar)]; }

  void WriteRow() {
    places_.EnterRow(row_);
    for (int32_t id = 0; id < static_cast<int32_t>(program_.parameters.size()); ++id) {
      if (!program_.IsRow(id) || uniform_.contains(id)) continue;
      rows_.Give(id, one_.Load(places_.ElementAt(id, row_), places_.TypeOf(id)));
    }
    for (int32_t pass = 0; pass <= passes_.count; ++pass) {
      for (size_t i = 0; i < program_.steps.size(); ++i) {
        const RegionStep& step = program_.steps[i];
        if (!step.on_rows || PassOf(step.result) != pass) continue;
        writer_.Note(i);
        rows_.WriteStep(step);
      }
      writer_.Note(CodeNote::kNoStep);
      if (late_ && pass == passes_.count - 1) {
        Postpone();
      } else if (pass < passes_.count) {
        WritePass(pass);
      }
    }
    for (const RegionScalar& result : program_.results) {
      if (!program_.IsRow(result.id)) continue;
      one_.Store(places_.ElementAt(result.id, row_), rows_.At(result.id), result.type);
    }
  }

  struct Fold {
    size_t number;  // of its step
    const RegionStep* step;
    RowFoldCode code;
    bool is_apart = false;  // folded after the loop that computes its operand
  };

  struct Pass {
    std::vector<size_t> steps;
    std::vector<Fold> folds;
    std::vector<int32_t> stored;          // scalars that it writes
    std::map<int32_t, LaneValue> spread;  // in several lanes, by scalar of elements
  };

  // The last pass of the row before.
  struct Late {
    Pass pass;
    int32_t with;                       // the pass of the row whose loops it goes with
    uint32_t is_due;                    // an i32 local: there is a row before
    std::map<int32_t, LaneValue> rows;  // what was known of that row, by scalar
  };

  // `is_late`: without what is spread, whose values are not known yet.
  Pass FindPass(int32_t number, bool is_late = false) {
    Pass pass{StepsOfPass(program_, passes_, number), {}, {}, {}};
    for (size_t i = 0; i < program_.steps.size(); ++i) {
      const RegionStep& step = program_.steps[i];
      if (!program_.IsFold(step) || PassOf(step.result) != number + 1) continue;
      pass.folds.push_back({i, &step, {step, &lanes_, &one_}, false});
    }
    for (const int32_t id : places_.Scalars()) {
      const bool is_given = id < static_cast<int32_t>(program_.parameters.size());
      if (is_given || uniform_.contains(id) || program_.IsRow(id) || PassOf(id) != number) continue;
      pass.stored.push_back(id);
    }
    for (const auto& [id, row] : spread_) {
      if (is_late || PassOf(id) > number) continue;
      const LaneValue value = rows_.At(row);
      pass.spread.emplace(id, lanes_.ForAll(value));
    }
    return pass;
  }

  void WritePass(int32_t number) {
    Pass pass = FindPass(number);
    for (Fold& fold : pass.folds) fold.code.Begin(rows_.At(fold.step->args[1]));
    if (late_ && number == late_->with) {
      writer_.Get(late_->is_due);
      writer_.Open(Code::kIf);
      WriteLoops(pass, &*late_);
      writer_.Write(Code::kElse);
      WriteLoops(pass, nullptr);
      writer_.Write(Code::kEnd);
    } else {
      WriteLoops(pass, nullptr);
    }
    for (Fold& fold : pass.folds) rows_.Give(fold.step->result, fold.code.Result());
  }

  // With the last pass of the row before, if that is due.
  void WriteLoops(Pass& pass, const Late* late) {
    const auto length = static_cast<int32_t>(program_.row_length);
    const int32_t whole = length / lanes_.lanes() * lanes_.lanes();
    const auto steps = [&](LaneCode* code) {
      if (!late) {
        StepsCode values = WriteSteps(pass, code);
        Store(pass, values, code);
        return values;
      }
      // Everything is read before anything is written.
      const StepsCode before = WriteSteps(late->pass, code, late);
      StepsCode values = WriteSteps(pass, code);
      Store(late->pass, before, code, late);
      Store(pass, values, code);
      return values;
    };
    GoTo(0);
    Loop(whole, &lanes_, [&] {
      const StepsCode values = steps(&lanes_);
      for (Fold& fold : pass.folds) {
        fold.is_apart = IsFoldedApart(pass, fold);
        if (fold.is_apart) continue;
        writer_.Note(fold.number);
        fold.code.AddLanes(values.At(fold.step->args[0]));
      }
      writer_.Note(CodeNote::kNoStep);
    });
    WriteFoldsApart(pass, whole);
    for (Fold& fold : pass.folds) fold.code.Join();
    WriteOdd(pass, whole);
    if (whole < length) {
      GoTo(whole);
      Loop(length, &one_, [&] {
        const StepsCode values = steps(&one_);
        for (Fold& fold : pass.folds) fold.code.AddOne(values.At(fold.step->args[0]));
      });
    }
  }

  // A last pass that divides goes through its row together with an earlier pass through the next
  // row: the unit that divides is busy for longer than all others, and nothing else uses it.
  void FindLate() {
    const int32_t last = passes_.count - 1;
    if (last < 1) return;
    int32_t with = last - 1;
    for (const RegionStep& step : program_.steps) {
      const int32_t pass = PassOf(step.result);
      if (program_.IsFold(step) && pass == passes_.count) return;
      // What the last pass may read has to stay until then.
      if (passes_.is_kept[static_cast<size_t>(step.result)]) with = std::min(with, pass);
    }
    Pass pass = FindPass(last, /*is_late=*/true);
    const auto divides = [&](size_t i) { return program_.steps[i].opcode == Opcode::kDivide; };
    if (std::none_of(pass.steps.begin(), pass.steps.end(), divides)) return;
    late_.emplace(Late{std::move(pass), with, writer_.NewLocal(CodeType::kI32), {}});
    for (const RegionStep& step : program_.steps) {
      if (!program_.IsSpread(step)) continue;
      const int32_t id = step.result, row = step.args[0];
      const LaneKind kind = *LaneKindOf(step.loop.result);
      late_->pass.spread.emplace(id, lanes_.New(kind));
      late_->rows.emplace(row, one_.New(kind));
    }
  }

  // Leaves the last pass of the row to the next row, with what is known of this one.
  void Postpone() {
    for (const auto& [id, row] : spread_) {
      const LaneValue value = rows_.At(row);
      one_.Assign(late_->rows.at(row), value);
      lanes_.Assign(late_->pass.spread.at(id), lanes_.ForAll(value));
    }
    writer_.I32(1);
    writer_.Set(late_->is_due);
  }

  // The last pass of the last row, as the row before the one that is next.
  void WriteLate() {
    const auto length = static_cast<int32_t>(program_.row_length);
    const int32_t whole = length / lanes_.lanes() * lanes_.lanes();
    const auto body = [&](LaneCode* code) {
      Store(late_->pass, WriteSteps(late_->pass, code, &*late_), code, &*late_);
    };
    writer_.Get(late_->is_due);
    writer_.Open(Code::kIf);
    places_.EnterRow(row_);
    GoTo(0);
    Loop(whole, &lanes_, [&] { body(&lanes_); });
    if (whole < length) {
      GoTo(whole);
      Loop(length, &one_, [&] { body(&one_); });
    }
    writer_.Write(Code::kEnd);
  }

  // A long function fills the window that the processor looks ahead in: what is stored anyway is
  // then added up in a loop of its own.
  bool IsFoldedApart(const Pass& pass, const Fold& fold) const {
    const int32_t operand = fold.step->args[0];
    return fold.code.is_sum() && lanes_.has_rare() &&
           std::find(pass.stored.begin(), pass.stored.end(), operand) != pass.stored.end();
  }

  void WriteFoldsApart(Pass& pass, int32_t whole) {
    for (Fold& fold : pass.folds) {
      if (!fold.is_apart) continue;
      const int32_t operand = fold.step->args[0];
      writer_.Note(fold.number);
      GoTo(0);
      Loop(whole, &lanes_, [&] { fold.code.AddStored(places_.ElementAt(operand, element_)); });
      writer_.Note(CodeNote::kNoStep);
    }
  }

  // The elements that were folded several at a time once more, in order.
  void WriteOdd(Pass& pass, int32_t whole) {
    std::vector<Fold*> folds;
    for (Fold& fold : pass.folds) {
      if (fold.code.CanBeOdd()) folds.push_back(&fold);
    }
    if (folds.empty()) return;
    writer_.I32(0);
    for (Fold* fold : folds) {
      const LaneValue is_odd = fold->code.IsOdd();
      writer_.Get(is_odd.local);
      writer_.Write(Code::kI32Or);
    }
    writer_.Open(Code::kIf);
    for (Fold* fold : folds) fold->code.Begin(rows_.At(fold->step->args[1]));
    GoTo(0);
    Loop(whole, &one_, [&] {
      const StepsCode values = WriteSteps(pass, &one_);
      for (Fold* fold : folds) fold->code.AddOne(values.At(fold->step->args[0]));
    });
    writer_.Write(Code::kEnd);
  }

  // The element of the row that is next.
  void GoTo(int32_t element) {
    writer_.Get(row_);
    writer_.I32(static_cast<int32_t>(program_.row_length));
    writer_.Write(Code::kI32Mul);
    if (element != 0) {
      writer_.I32(element);
      writer_.Write(Code::kI32Add);
    }
    writer_.Set(element_);
  }

  // Up to element `end` of the row.
  template <typename Body>
  void Loop(int32_t end, LaneCode* code, Body body) {
    writer_.Get(row_);
    writer_.I32(static_cast<int32_t>(program_.row_length));
    writer_.Write(Code::kI32Mul);
    writer_.I32(end);
    writer_.Write(Code::kI32Add);
    writer_.Set(end_);
    const auto push_end = [&] { writer_.Get(end_); };
    if (code->is_vector()) {
      WriteLanesDoWhile(element_, code, push_end, body);
    } else {
      WriteDoWhile(element_, 1, push_end, body, &writer_);
    }
  }

  // The steps of a pass on the elements that are next.
  StepsCode WriteSteps(const Pass& pass, LaneCode* code, const Late* late = nullptr) {
    StepsCode values(&program_, {kBudget, 0}, code);
    std::set<int32_t> known;
    const auto read = [&](int32_t id) {
      if (known.insert(id).second) values.Give(id, Read(id, pass, code, late));
    };
    for (const size_t i : pass.steps) {
      const RegionStep& step = program_.steps[i];
      for (int k = 0; k < step.loop.operand_count; ++k) read(step.args[k]);
      writer_.Note(i);
      values.WriteStep(step);
      known.insert(step.result);
    }
    writer_.Note(CodeNote::kNoStep);
    for (const int32_t id : pass.stored) read(id);
    for (const Fold& fold : pass.folds) read(fold.step->args[0]);
    return values;
  }

  // Elements that no step of the pass computes.
  LaneValue Read(int32_t id, const Pass& pass, LaneCode* code, const Late* late) {
    const auto spread = spread_.find(id);
    if (spread != spread_.end()) {
      if (code->is_vector()) return pass.spread.at(id);
      return late ? late->rows.at(spread->second) : rows_.At(spread->second);
    }
    if (uniform_.contains(id)) return code->is_vector() ? uniform_lanes_.at(id) : rows_.At(id);
    return code->Load(places_.ElementAt(id, element_, late != nullptr), places_.TypeOf(id));
  }

  void Store(const Pass& pass, const StepsCode& values, LaneCode* code,
             const Late* late = nullptr) {
    for (const int32_t id : pass.stored) {
      code->Store(places_.ElementAt(id, element_, late != nullptr), values.At(id),
                  places_.TypeOf(id));
    }
  }

  const RegionSteps& program_;
  const RowPasses passes_;
  const std::set<int32_t> uniform_;
  FunctionWriter writer_;
  const uint32_t row_;      // number of the row
  const uint32_t element_;  // number of the element that is next
  const uint32_t end_;      // of the loop over elements
  LaneCode lanes_, one_;
  RowPlaces places_;
  StepsCode rows_;                     // what is known of the row
  std::map<int32_t, int32_t> spread_;  // the scalar of rows, by that of elements
  std::optional<Late> late_;
  std::map<int32_t, LaneValue> uniform_lanes_;
};

}  // namespace

bool HasRowCode(const RegionSteps& program) {
  if (program.row_length < kStepLanes || !program.loops.empty()) return false;
  const std::set<int32_t> uniform = program.UniformScalars();
  return std::all_of(program.steps.begin(), program.steps.end(), [&](const RegionStep& step) {
    if (program.IsFold(step)) return CanFoldInCode(step) && uniform.contains(step.args[1]);
    if (program.IsSpread(step)) return LaneKindOf(step.loop.result).has_value();
    return CanLower(step);
  });
}

std::optional<WrittenFunction> WriteRowCode(const RegionSteps& program, VectorPool* vectors) {
  return RowWriter(program, vectors).Run();
}

}  // namespace hlo
