#include "engine/codegen/module_writer.h"

#include <string>
#include <string_view>
#include <vector>

namespace hlo {
namespace {

// Sections of a module (core specification, binary format, modules).
enum class Section : uint8_t {
  kType = 1,
  kImport = 2,
  kFunction = 3,
  kGlobal = kGlobalSection,
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

// Variables, although nobody sets them (FunctionWriter::Vector).
CodeBytes Globals(std::span<const VectorBytes> vectors) {
  constexpr uint8_t kVariable = 1, kVectorPrefix = 0xfd, kVectorConst = 0x0c;
  CodeBytes globals;
  AppendUnsigned(vectors.size(), &globals);
  for (const VectorBytes& bytes : vectors) {
    globals.insert(globals.end(),
                   {static_cast<uint8_t>(CodeType::kV128), kVariable, kVectorPrefix, kVectorConst});
    globals.insert(globals.end(), bytes.begin(), bytes.end());
    globals.push_back(static_cast<uint8_t>(Code::kEnd));
  }
  return globals;
}

}  // namespace

CodeBytes WriteModule(std::span<const CodeBytes> functions, std::span<const VectorBytes> vectors,
                      uint32_t parameters) {
  CodeBytes module = {0, 'a', 's', 'm', 1, 0, 0, 0};
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
    AppendUnsigned(kOwnType, &signatures);
    AppendName(std::to_string(i), &exports);
    exports.push_back(kFunctionKind);
    AppendUnsigned(kImportedFunctions + i, &exports);
    AppendUnsigned(functions[i].size(), &code);
    code.insert(code.end(), functions[i].begin(), functions[i].end());
  }
  AppendSection(Section::kFunction, signatures, &module);
  AppendSection(Section::kGlobal, Globals(vectors), &module);
  AppendSection(Section::kExport, exports, &module);
  AppendSection(Section::kCode, code, &module);
  return module;
}

}  // namespace hlo
