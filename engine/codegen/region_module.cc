#include "engine/codegen/region_module.h"

#include <set>
#include <unordered_map>
#include <vector>

#include "engine/codegen/code_function.h"
#include "engine/codegen/lane_code.h"
#include "engine/codegen/module_writer.h"
#include "engine/codegen/row_code.h"
#include "engine/codegen/steps_code.h"

namespace hlo {
namespace {

/// Writes the function of one segment.
class SegmentWriter : CodeFunctionParameters {
 public:
  SegmentWriter(const RegionSteps& program, const Segment& segment, VectorPool* vectors)
      : program_(program),
        segment_(segment),
        writer_(kParameters, vectors),
        next_(writer_.NewLocal(CodeType::kI32)),
        end_(writer_.NewLocal(CodeType::kI32)),
        counter_{kBudget, writer_.NewLocal(CodeType::kI32)},
        uniform_(program.UniformScalars()) {}

  std::optional<WrittenFunction> Run() {
    writer_.Get(kFirst);
    writer_.Set(next_);
    FindPlaces();
    if (!segment_.is_loop) {
      // The lanes that fill vectors, then the others.
      SetEnd([&] {
        writer_.Get(kCount);
        writer_.I32(-segment_.lanes);
        writer_.Write(Code::kI32And);
      });
      WritePasses(segment_.lanes);
    }
    SetEnd([&] { writer_.Get(kCount); });
    WritePasses(1);
    if (segment_.is_loop) WriteReport(counter_, &writer_);
    if (most_ > kMostLocals) return std::nullopt;
    CodeBytes code = writer_.Finish();
    return WrittenFunction{std::move(code), writer_.notes()};
  }

 private:
  template <typename Count>
  void SetEnd(Count count) {
    writer_.Get(kFirst);
    count();
    writer_.Write(Code::kI32Add);
    writer_.Set(end_);
  }

  // Addresses of the first elements, in locals.
  void FindPlaces() {
    for (const auto* scalars : {&segment_.inputs, &segment_.outputs}) {
      for (const RegionScalar& scalar : *scalars) {
        if (!places_.contains(scalar.id)) places_.emplace(scalar.id, PlaceOf(scalar.id, &writer_));
      }
    }
  }

  // The address of the element of the lane next_, in a local.
  uint32_t AddressOf(const RegionScalar& scalar) {
    return ElementAddress(places_.at(scalar.id), next_, BytesOf(scalar.type), &writer_);
  }

  // Up to end_, so many lanes at a time.
  void WritePasses(int lanes) {
    LaneCode code(&writer_, lanes);
    StepsCode uniform(&program_, counter_, &code);
    for (const RegionScalar& input : segment_.inputs) {
      if (!uniform_.contains(input.id)) continue;
      uniform.GivePair(input.id, LoadPairForAll(places_.at(input.id), input.type, &code));
    }
    const auto push_end = [&] { writer_.Get(end_); };
    const auto body = [&] { WritePass(uniform, &code); };
    writer_.Open(Code::kBlock);
    writer_.Get(next_);
    push_end();
    writer_.Write(Code::kI32GeS);
    writer_.Branch(Code::kBrIf, 0);
    if (code.is_vector()) {
      WriteLanesDoWhile(next_, &code, push_end, body);
    } else {
      WriteDoWhile(next_, 1, push_end, body, &writer_);
    }
    writer_.Write(Code::kEnd);
    most_ = writer_.local_count();
  }

  // The lanes that are next.
  void WritePass(StepsCode steps, LaneCode* code) {
    for (const RegionScalar& input : segment_.inputs) {
      if (uniform_.contains(input.id)) continue;
      steps.GiveCopy(input.id, LoadPair(AddressOf(input), input.type, code));
    }
    steps.Write(segment_.begin, segment_.end);
    writer_.Note(CodeNote::kNoStep);
    for (const RegionScalar& output : segment_.outputs) {
      StorePair(AddressOf(output), steps.PairAt(output.id), output.type, code);
    }
  }

  const RegionSteps& program_;
  const Segment& segment_;
  FunctionWriter writer_;
  uint32_t next_;  // lane
  uint32_t end_;   // lane
  StepCounter counter_;
  const std::set<int32_t> uniform_;
  std::unordered_map<int32_t, uint32_t> places_;
  uint32_t most_ = 0;  // locals
};

}  // namespace

std::optional<WrittenFunction> WriteSegment(const RegionSteps& program, const Segment& segment,
                                            VectorPool* vectors) {
  return segment.is_rows ? WriteRowCode(program, vectors)
                         : SegmentWriter(program, segment, vectors).Run();
}

std::optional<CodeBytes> RegionModule(const RegionSteps& program, std::span<const Segment> segments,
                                      std::vector<std::vector<CodeNote>>* notes) {
  std::vector<CodeBytes> functions;
  VectorPool vectors;
  for (const Segment& segment : segments) {
    std::optional<WrittenFunction> function = WriteSegment(program, segment, &vectors);
    if (!function) return std::nullopt;
    functions.push_back(std::move(function->code));
    if (notes) notes->push_back(std::move(function->notes));
  }
  return WriteModule(functions, vectors, CodeFunctionParameters::kParameters);
}

}  // namespace hlo
