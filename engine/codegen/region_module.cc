#include "engine/codegen/region_module.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/codegen/function_lowering.h"
#include "engine/codegen/lane_code.h"
#include "engine/codegen/step_lowering.h"

namespace hlo {
namespace {

/// V8 refuses functions with more locals than 50,000.
constexpr uint32_t kMostLocals = 40'000;
/// Loops report so many operations at a time: often enough to end within a millisecond of a limit.
constexpr int32_t kReportedSteps = 1 << 16;

// Parameters of a CodeFunction.
constexpr uint32_t kFirst = 0, kCount = 1, kPlaces = 2, kBudget = 3, kParameters = 4;
// Of the functions in the module: imports come first.
constexpr uint32_t kReport = 0, kImports = 2;
static_assert(kFunctionOfLane < kImports);

/// Writes the function of one segment.
class SegmentWriter {
 public:
  SegmentWriter(const RegionSteps& program, const Segment& segment)
      : program_(program),
        segment_(segment),
        writer_(kParameters),
        next_(writer_.NewLocal(CodeType::kI32)),
        end_(writer_.NewLocal(CodeType::kI32)),
        steps_(writer_.NewLocal(CodeType::kI32)) {
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
    if (segment_.is_loop) Report();
    if (most_ > kMostLocals) return std::nullopt;
    return writer_.Finish();
  }

 private:
  using Values = std::unordered_map<int32_t, LaneValue>;

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
    Values values;
    for (const RegionScalar& input : segment_.inputs) {
      if (!uniform_.contains(input.id)) continue;
      values.emplace(input.id, code.LoadForAll(places_.at(input.id), input.type));
    }
    writer_.Open(Code::kBlock);
    writer_.Open(Code::kLoop);
    writer_.Get(next_);
    writer_.Get(end_);
    writer_.Write(Code::kI32GeS);
    writer_.Branch(Code::kBrIf, 1);
    for (const RegionScalar& input : segment_.inputs) {
      if (uniform_.contains(input.id)) continue;
      SetNew(input, code.Load(AddressOf(input), input.type), &code, &values);
    }
    WriteSteps(segment_.begin, segment_.end, &code, &values);
    for (const RegionScalar& output : segment_.outputs) {
      code.Store(AddressOf(output), values.at(output.id), output.type);
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

  // In locals of its own, which the state of a loop changes.
  static void SetNew(const RegionScalar& scalar, LaneValue from, LaneCode* code, Values* values) {
    const LaneValue value = code->New(from.kind);
    code->Assign(value, from);
    values->emplace(scalar.id, value);
  }

  void WriteSteps(size_t from, size_t to, LaneCode* code, Values* values) {
    for (size_t i = from; i < to; ++i) {
      const RegionStep& step = program_.steps[i];
      if (step.starts_loop >= 0) {
        const RegionLoop& loop = program_.loops[static_cast<size_t>(step.starts_loop)];
        WriteLoop(loop, code, values);
        i = loop.end - 1;
        continue;
      }
      LaneValue args[ElementLoop::kMaxOperands];
      const auto count = static_cast<size_t>(step.loop.operand_count);
      for (size_t k = 0; k < count; ++k) args[k] = values->at(step.args[k]);
      const LaneValue result = LowerStep(step, {args, count}, code);
      // In a local of its own: the result of a copy keeps its value while the state of a loop,
      // which has been copied, changes.
      auto [place, is_new] = values->try_emplace(step.result);
      if (is_new) place->second = code->New(result.kind);
      code->Assign(place->second, result);
    }
  }

  void WriteLoop(const RegionLoop& loop, LaneCode* code, Values* values) {
    writer_.Open(Code::kBlock);
    writer_.Open(Code::kLoop);
    WriteSteps(loop.begin + 1, loop.body, code, values);
    writer_.Get(values->at(loop.active).local);
    writer_.Write(Code::kI32Eqz);
    writer_.Branch(Code::kBrIf, 1);
    WriteSteps(loop.body, loop.end, code, values);
    writer_.Get(steps_);
    writer_.I32(static_cast<int32_t>(loop.end - loop.begin));
    writer_.Write(Code::kI32Add);
    writer_.Set(steps_);
    writer_.Get(steps_);
    writer_.I32(kReportedSteps);
    writer_.Write(Code::kI32GtS);
    writer_.Open(Code::kIf);
    Report();
    writer_.Write(Code::kEnd);
    writer_.Branch(Code::kBr, 0);
    writer_.Write(Code::kEnd);
    writer_.Write(Code::kEnd);
  }

  void Report() {
    writer_.Get(kBudget);
    writer_.Get(steps_);
    writer_.Call(kReport);
    writer_.I32(0);
    writer_.Set(steps_);
  }

  const RegionSteps& program_;
  const Segment& segment_;
  FunctionWriter writer_;
  uint32_t next_;   // lane
  uint32_t end_;    // lane
  uint32_t steps_;  // not reported yet
  std::unordered_set<int32_t> uniform_;
  std::unordered_map<int32_t, uint32_t> places_;
  uint32_t most_ = 0;  // locals
};

// Sections of a module (core specification, binary format, modules).
enum class Section : uint8_t {
  kType = 1,
  kImport = 2,
  kFunction = 3,
  kExport = 7,
  kCode = kCodeSection,
};
constexpr uint8_t kFunctionKind = 0, kMemoryKind = 2, kFunctionType = 0x60;

void AppendName(std::string_view name, CodeBytes* out) {
  AppendUnsigned(name.size(), out);
  out->insert(out->end(), name.begin(), name.end());
}

void AppendSection(Section section, const CodeBytes& content, CodeBytes* out) {
  out->push_back(static_cast<uint8_t>(section));
  AppendUnsigned(content.size(), out);
  out->insert(out->end(), content.begin(), content.end());
}

void AppendTypes(std::span<const CodeType> types, CodeBytes* out) {
  AppendUnsigned(types.size(), out);
  for (CodeType type : types) out->push_back(static_cast<uint8_t>(type));
}

void AppendSignature(std::span<const CodeType> parameters, std::span<const CodeType> results,
                     CodeBytes* out) {
  out->push_back(kFunctionType);
  AppendTypes(parameters, out);
  AppendTypes(results, out);
}

CodeBytes ModuleOf(std::span<const CodeBytes> functions) {
  CodeBytes module = {0, 'a', 's', 'm', 1, 0, 0, 0};
  using enum CodeType;
  constexpr CodeType kNumbers[] = {kI32, kI32, kI32, kI32}, kLane[] = {kF32, kF32, kI32};
  constexpr uint8_t kReportType = 0, kLaneType = 1, kSegmentType = 2;
  CodeBytes types;
  AppendUnsigned(3, &types);
  AppendSignature({kNumbers, 2}, {}, &types);
  AppendSignature(kLane, {kLane, 1}, &types);
  AppendSignature({kNumbers, kParameters}, {}, &types);
  AppendSection(Section::kType, types, &module);

  CodeBytes imports;
  AppendUnsigned(1 + kImports, &imports);
  AppendName("e", &imports);
  AppendName("m", &imports);
  imports.insert(imports.end(), {kMemoryKind, 0, 0});  // of any size
  AppendName("e", &imports);
  AppendName("p", &imports);
  imports.insert(imports.end(), {kFunctionKind, kReportType});
  AppendName("e", &imports);
  AppendName("f", &imports);
  imports.insert(imports.end(), {kFunctionKind, kLaneType});
  AppendSection(Section::kImport, imports, &module);

  CodeBytes signatures, exports, code;
  for (CodeBytes* list : {&signatures, &exports, &code}) AppendUnsigned(functions.size(), list);
  for (size_t i = 0; i < functions.size(); ++i) {
    AppendUnsigned(kSegmentType, &signatures);
    AppendName(std::to_string(i), &exports);
    exports.push_back(kFunctionKind);
    AppendUnsigned(kImports + i, &exports);
    AppendUnsigned(functions[i].size(), &code);
    code.insert(code.end(), functions[i].begin(), functions[i].end());
  }
  AppendSection(Section::kFunction, signatures, &module);
  AppendSection(Section::kExport, exports, &module);
  AppendSection(Section::kCode, code, &module);
  return module;
}

}  // namespace

std::optional<CodeBytes> RegionModule(const RegionSteps& program,
                                      std::span<const Segment> segments) {
  std::vector<CodeBytes> functions;
  for (const Segment& segment : segments) {
    std::optional<CodeBytes> function = SegmentWriter(program, segment).Run();
    if (!function) return std::nullopt;
    functions.push_back(std::move(*function));
  }
  return ModuleOf(functions);
}

}  // namespace hlo
