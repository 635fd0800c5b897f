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
      if (segment_.goes_by_halves) WriteHalves();
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

  using Places = std::unordered_map<int32_t, uint32_t>;

  // The addresses so many lanes on, in locals.
  Places PlacesFrom(uint32_t lanes) {
    Places places;
    for (const auto* scalars : {&segment_.inputs, &segment_.outputs}) {
      for (const auto& [id, type] : *scalars) {
        if (uniform_.contains(id) || places.contains(id)) continue;
        places.emplace(id, ElementAddress(places_.at(id), lanes, BytesOf(type), &writer_));
      }
    }
    return places;
  }

  // Both halves of many lanes at once: a processor fetches more ahead of two places in memory than
  // of one.
  void WriteHalves() {
    const int lanes = 2 * segment_.lanes;
    const uint32_t half = writer_.NewLocal(CodeType::kI32);
    writer_.Get(kCount);
    writer_.I32(1);
    writer_.Write(Code::kI32ShrS);
    writer_.I32(-lanes);
    writer_.Write(Code::kI32And);
    writer_.Set(half);
    writer_.Get(half);
    writer_.I32(kLeastHalved / 2);
    writer_.Write(Code::kI32GeS);
    writer_.Open(Code::kIf);
    SetEnd([&] { writer_.Get(half); });
    const Places far = PlacesFrom(half);
    WritePasses(lanes, &far);
    writer_.Get(next_);
    writer_.Get(half);
    writer_.Write(Code::kI32Add);
    writer_.Set(next_);
    writer_.Write(Code::kEnd);
  }

  // Up to end_, so many lanes at a time, and as many where `far` begins.
  void WritePasses(int lanes, const Places* far = nullptr) {
    LaneCode code(&writer_, lanes);
    StepsCode uniform(&program_, counter_, &code);
    for (const RegionScalar& input : segment_.inputs) {
      if (!uniform_.contains(input.id)) continue;
      uniform.GivePair(input.id, LoadPairForAll(places_.at(input.id), input.type, &code));
    }
    const auto push_end = [&] { writer_.Get(end_); };
    const auto body = [&] {
      WritePass(uniform, places_, &code);
      if (far) WritePass(uniform, *far, &code);
    };
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

  // The lanes that are next, of elements from these places on.
  void WritePass(StepsCode steps, const Places& places, LaneCode* code) {
    const auto address_of = [&](const RegionScalar& scalar) {
      return ElementAddress(places.at(scalar.id), next_, BytesOf(scalar.type), &writer_);
    };
    for (const RegionScalar& input : segment_.inputs) {
      if (uniform_.contains(input.id)) continue;
      steps.GiveCopy(input.id, LoadPair(address_of(input), input.type, code));
    }
    steps.Write(segment_.begin, segment_.end);
    writer_.Note(CodeNote::kNoStep);
    for (const RegionScalar& output : segment_.outputs) {
      StorePair(address_of(output), steps.PairAt(output.id), output.type, code);
    }
  }

  const RegionSteps& program_;
  const Segment& segment_;
  FunctionWriter writer_;
  uint32_t next_;  // lane
  uint32_t end_;   // lane
  StepCounter counter_;
  const std::set<int32_t> uniform_;
  Places places_;
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
