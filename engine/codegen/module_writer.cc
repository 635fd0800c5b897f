#include "engine/codegen/module_writer.h"

#include <string>
#include <vector>

#include "engine/codegen/binary_format.h"

namespace hlo {
namespace {

bool memory_is_shared = false;

// Of any size. Shared memory says how large it may become: 2^16 pages are the most there are.
void AppendMemoryLimits(CodeBytes* out) {
  constexpr uint8_t kShared = 3;  // with a maximum
  if (!memory_is_shared) return static_cast<void>(out->insert(out->end(), {0, 0}));
  out->insert(out->end(), {kShared, 0});
  AppendUnsigned(uint64_t{1} << 16, out);
}

}  // namespace

void SetMemoryIsShared(bool is_shared) { memory_is_shared = is_shared; }

CodeBytes WriteModule(std::span<const CodeBytes> functions, const VectorPool& vectors,
                      uint32_t parameters) {
  CodeBytes module = ModuleHeader();
  using enum CodeType;
  constexpr CodeType kReport[] = {kI32, kI32}, kLane[] = {kF32, kF32, kI32};
  constexpr uint8_t kReportType = 0, kLaneType = 1, kOwnType = 2;
  const std::vector<CodeType> numbers(parameters, kI32);
  CodeBytes types;
  AppendUnsigned(3, &types);
  AppendSignature(kReport, {}, &types);
  AppendSignature(kLane, {kLane, 1}, &types);
  AppendSignature(numbers, {}, &types);
  AppendSection(Section::kType, types, &module);

  CodeBytes imports;
  AppendUnsigned(1 + kImportedFunctions, &imports);
  AppendName("e", &imports);
  AppendName("m", &imports);
  imports.push_back(kMemoryKind);
  AppendMemoryLimits(&imports);
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
    AppendUnsigned(kOwnType, &signatures);
    AppendName(std::to_string(i), &exports);
    exports.push_back(kFunctionKind);
    AppendUnsigned(kImportedFunctions + i, &exports);
    AppendSized(functions[i], &code);
  }
  AppendSection(Section::kFunction, signatures, &module);
  AppendSection(Section::kGlobal, GlobalsOf(vectors), &module);
  AppendSection(Section::kExport, exports, &module);
  AppendSection(Section::kCode, code, &module);
  return module;
}

}  // namespace hlo
