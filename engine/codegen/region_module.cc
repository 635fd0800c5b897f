#include "engine/codegen/region_module.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/codegen/lane_code.h"
#include "engine/codegen/module_writer.h"
#include "engine/codegen/steps_code.h"

namespace hlo {
namespace {

/// V8 refuses functions with more locals than 50,000.
constexpr uint32_t kMostLocals = 40'000;
// Parameters of a CodeFunction.
constexpr uint32_t kFirst = 0, kCount = 1, kPlaces = 2, kBudget = 3, kParameters = 4;

/// Writes the function of one segment.
class SegmentWriter {
 public:
  SegmentWriter(const RegionSteps& program, const Segment& segment)
      : program_(program),
        segment_(segment),
        writer_(kParameters),
        next_(writer_.NewLocal(CodeType::kI32)),
        end_(writer_.NewLocal(CodeType::kI32)),
        counter_{kBudget, writer_.NewLocal(CodeType::kI32)} {
    for (const RegionConstant& constant : program.constants) uniform_.insert(constant.id);
    for (int32_t parameter : program.uniform_parameters) uniform_.insert(parameter);
  }

  std::optional<CodeBytes> Run() {
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
    return writer_.Finish();
  }

  const std::vector<CodeNote>& notes() const { return writer_.notes(); }

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
        if (places_.contains(scalar.id)) continue;
        constexpr int32_t kPointer = 4;
        const uint32_t place = writer_.NewLocal(CodeType::kI32);
        writer_.Get(kPlaces);
        writer_.I32(kPointer * scalar.id);
        writer_.Write(Code::kI32Add);
        writer_.Memory(Code::kI32Load);
        writer_.Set(place);
        places_.emplace(scalar.id, place);
      }
    }
  }

  // The address of the element of the lane next_, in a local.
  uint32_t AddressOf(const RegionScalar& scalar) {
    const uint32_t address = writer_.NewLocal(CodeType::kI32);
    writer_.Get(places_.at(scalar.id));
    writer_.Get(next_);
    if (BytesOf(scalar.type) > 1) {
      writer_.I32(BytesOf(scalar.type));
      writer_.Write(Code::kI32Mul);
    }
    writer_.Write(Code::kI32Add);
    writer_.Set(address);
    return address;
  }

  // for (; next_ < end_; next_ += lanes) ...
  void WritePasses(int lanes) {
    LaneCode code(&writer_, lanes);
    StepsCode steps(&program_, counter_, &code);
    for (const RegionScalar& input : segment_.inputs) {
      if (!uniform_.contains(input.id)) continue;
      steps.Give(input.id, code.LoadForAll(places_.at(input.id), input.type));
    }
    writer_.Open(Code::kBlock);
    writer_.Open(Code::kLoop);
    writer_.Get(next_);
    writer_.Get(end_);
    writer_.Write(Code::kI32GeS);
    writer_.Branch(Code::kBrIf, 1);
    for (const RegionScalar& input : segment_.inputs) {
      if (uniform_.contains(input.id)) continue;
      steps.GiveCopy(input.id, code.Load(AddressOf(input), input.type));
    }
    steps.Write(segment_.begin, segment_.end);
    writer_.Note(CodeNote::kNoStep);
    for (const RegionScalar& output : segment_.outputs) {
      code.Store(AddressOf(output), steps.At(output.id), output.type);
    }
    writer_.Get(next_);
    writer_.I32(lanes);
    writer_.Write(Code::kI32Add);
    writer_.Set(next_);
    writer_.Branch(Code::kBr, 0);
    writer_.Write(Code::kEnd);
    writer_.Write(Code::kEnd);
    most_ = writer_.local_count();
  }

  const RegionSteps& program_;
  const Segment& segment_;
  FunctionWriter writer_;
  uint32_t next_;  // lane
  uint32_t end_;   // lane
  StepCounter counter_;
  std::unordered_set<int32_t> uniform_;
  std::unordered_map<int32_t, uint32_t> places_;
  uint32_t most_ = 0;  // locals
};

}  // namespace

std::optional<CodeBytes> RegionModule(const RegionSteps& program, std::span<const Segment> segments,
                                      std::vector<std::vector<CodeNote>>* notes) {
  std::vector<CodeBytes> functions;
  for (const Segment& segment : segments) {
    SegmentWriter writer(program, segment);
    std::optional<CodeBytes> function = writer.Run();
    if (!function) return std::nullopt;
    functions.push_back(std::move(*function));
    if (notes) notes->push_back(writer.notes());
  }
  return WriteModule(functions, kParameters);
}

}  // namespace hlo
