// The element types of arrays, from one table.
#ifndef HLO_ENGINE_TYPES_ELEMENT_TYPE_H_
#define HLO_ENGINE_TYPES_ELEMENT_TYPE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace hlo {

/// `ElementType::kF32`, ... : one enumerator per row of element_type.def.
enum class ElementType : uint8_t {
#define ELEMENT(name, text, number, bits, bytes, klass, cpp) k##name,
#include "engine/types/element_type.def"
};

/// What family of arithmetic a type has.
enum class TypeClass : uint8_t { kPred, kSigned, kUnsigned, kFloat, kComplex };

/// The table row of an element type.
struct ElementTypeInfo {
  std::string_view text;  ///< As written in HLO: "f32".
  int proto_number;       ///< In xla_data.proto.
  int bits;   ///< Logical width; the width `E(n)`-less bitcasts count with, but see pred.
  int bytes;  ///< Of one stored element.
  TypeClass type_class;
};

/// All types, indexed by ElementType.
std::span<const ElementTypeInfo> ElementTypes();
const ElementTypeInfo& GetElementTypeInfo(ElementType type);
/// The type with this text, case-sensitive; nothing for other words ("tuple", "token", ...).
std::optional<ElementType> ElementTypeFromText(std::string_view text);

inline std::string_view Text(ElementType t) { return GetElementTypeInfo(t).text; }
inline int BitsOf(ElementType t) { return GetElementTypeInfo(t).bits; }
inline int BytesOf(ElementType t) { return GetElementTypeInfo(t).bytes; }
inline TypeClass ClassOf(ElementType t) { return GetElementTypeInfo(t).type_class; }
inline bool IsFloat(ElementType t) { return ClassOf(t) == TypeClass::kFloat; }
inline bool IsComplex(ElementType t) { return ClassOf(t) == TypeClass::kComplex; }
inline bool IsSigned(ElementType t) { return ClassOf(t) == TypeClass::kSigned; }
inline bool IsUnsigned(ElementType t) { return ClassOf(t) == TypeClass::kUnsigned; }
/// Signed or unsigned integer; pred is not one.
inline bool IsIntegral(ElementType t) { return IsSigned(t) || IsUnsigned(t); }
/// f32 for c64, f64 for c128, the type itself otherwise.
ElementType ComponentType(ElementType t);
/// Whether several elements share a byte when packed (`E(n)`): the 1-, 2- and 4-bit types, pred.
inline bool IsSubByte(ElementType t) { return BitsOf(t) < 8; }

}  // namespace hlo

#endif  // HLO_ENGINE_TYPES_ELEMENT_TYPE_H_
