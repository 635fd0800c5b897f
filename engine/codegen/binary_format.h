// The binary format of a WebAssembly module: sections and what they are made of.
#ifndef HLO_ENGINE_CODEGEN_BINARY_FORMAT_H_
#define HLO_ENGINE_CODEGEN_BINARY_FORMAT_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "engine/codegen/function_writer.h"

namespace hlo {

/// Sections of a module (core specification, binary format, modules), in their order.
enum class Section : uint8_t {
  kType = 1,
  kImport = 2,
  kFunction = 3,
  kMemory = 5,
  kGlobal = 6,
  kExport = 7,
  kCode = 10,
  kData = 11,
};
/// What is imported or exported.
inline constexpr uint8_t kFunctionKind = 0, kMemoryKind = 2;

/// The bytes that a module begins with.
CodeBytes ModuleHeader();
void AppendName(std::string_view name, CodeBytes* out);
void AppendSection(Section section, const CodeBytes& content, CodeBytes* out);
/// The type of a function.
void AppendSignature(std::span<const CodeType> parameters, std::span<const CodeType> results,
                     CodeBytes* out);
/// The content of the global section: the constants that functions read.
CodeBytes GlobalsOf(const VectorPool& vectors);
/// A function or anything else that is preceded by its size.
void AppendSized(const CodeBytes& content, CodeBytes* out);

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_BINARY_FORMAT_H_
