#include "engine/codegen/binary_format.h"

namespace hlo {
namespace {

void AppendTypes(std::span<const CodeType> types, CodeBytes* out) {
  AppendUnsigned(types.size(), out);
  for (CodeType type : types) out->push_back(static_cast<uint8_t>(type));
}

}  // namespace

CodeBytes ModuleHeader() { return {0, 'a', 's', 'm', 1, 0, 0, 0}; }

void AppendName(std::string_view name, CodeBytes* out) {
  AppendUnsigned(name.size(), out);
  out->insert(out->end(), name.begin(), name.end());
}

void AppendSection(Section section, const CodeBytes& content, CodeBytes* out) {
  out->push_back(static_cast<uint8_t>(section));
  AppendSized(content, out);
}

void AppendSignature(std::span<const CodeType> parameters, std::span<const CodeType> results,
                     CodeBytes* out) {
  constexpr uint8_t kFunctionType = 0x60;
  out->push_back(kFunctionType);
  AppendTypes(parameters, out);
  AppendTypes(results, out);
}

void AppendSized(const CodeBytes& content, CodeBytes* out) {
  AppendUnsigned(content.size(), out);
  out->insert(out->end(), content.begin(), content.end());
}

CodeBytes GlobalsOf(const VectorPool& vectors) {
  constexpr uint8_t kVariable = 1, kVectorPrefix = 0xfd, kVectorConst = 0x0c;
  CodeBytes globals;
  AppendUnsigned(vectors.vectors().size(), &globals);
  for (const VectorBytes& bytes : vectors.vectors()) {
    globals.insert(globals.end(),
                   {static_cast<uint8_t>(CodeType::kV128), kVariable, kVectorPrefix, kVectorConst});
    globals.insert(globals.end(), bytes.begin(), bytes.end());
    globals.push_back(static_cast<uint8_t>(Code::kEnd));
  }
  return globals;
}

}  // namespace hlo
