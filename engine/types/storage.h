// The C++ type that stores an element of each ElementType, and dispatch from the one to the other.
#ifndef HLO_ENGINE_TYPES_STORAGE_H_
#define HLO_ENGINE_TYPES_STORAGE_H_

#include <complex>
#include <cstdint>
#include <utility>

#include "engine/types/element_type.h"
#include "engine/types/small_float.h"
#include "engine/types/small_int.h"

namespace hlo {

/// ElementType of a storage type: `kTypeOf<float>` is ElementType::kF32.
template <typename T>
struct TypeTraits;
#define ELEMENT(name, text, number, bits, bytes, klass, cpp)     \
  template <>                                                    \
  struct TypeTraits<cpp> {                                       \
    static_assert(sizeof(cpp) == bytes);                         \
    static constexpr ElementType value = ElementType::k##name;   \
    static constexpr TypeClass type_class = TypeClass::k##klass; \
  };
#include "engine/types/element_type.def"
template <typename T>
inline constexpr ElementType kTypeOf = TypeTraits<T>::value;
template <typename T>
inline constexpr TypeClass kClassOf = TypeTraits<T>::type_class;

/// Passed to the callable of DispatchType; `typename decltype(tag)::type` is the storage type.
template <typename T>
struct TypeTag {
  using type = T;
};

/// Calls f(TypeTag<T>{}) with the storage type T of a run-time ElementType.
template <typename F>
decltype(auto) DispatchType(ElementType type, F&& f) {
  switch (type) {
#define ELEMENT(name, text, number, bits, bytes, klass, cpp) \
  case ElementType::k##name:                                 \
    return std::forward<F>(f)(TypeTag<cpp>{});
#include "engine/types/element_type.def"
  }
  __builtin_unreachable();
}

/// The same over one class only: the callable is instantiated for these types alone, and types
/// outside the class return `otherwise`.
template <TypeClass... kClasses, typename F, typename R>
R DispatchClass(ElementType type, R otherwise, F&& f) {
  return DispatchType(type, [&](auto tag) -> R {
    using T = typename decltype(tag)::type;
    if constexpr (((kClassOf<T> == kClasses) || ...)) {
      return f(tag);
    } else {
      return otherwise;
    }
  });
}

}  // namespace hlo

#endif  // HLO_ENGINE_TYPES_STORAGE_H_
