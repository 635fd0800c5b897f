// The attributes of an instruction to be made. Emit functions have hundreds of them, so they are
// collected here as references and converted to the engine's values in one place.
#ifndef HLO_ENGINE_MLIR_IMPORT_INSTRUCTION_ATTRS_H_
#define HLO_ENGINE_MLIR_IMPORT_INSTRUCTION_ATTRS_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/ops/attributes.h"
#include "engine/ops/named_attrs.h"

namespace hlo::mlir {

/// A name and a reference to a value (any of AttrValue, or a word). It must not be stored: what it
/// refers to lives only until the end of the full expression.
class AttrRef {
 public:
  template <class T>
  AttrRef(std::string_view name, const T& value)
      : name_(name), kind_(KindOf<T>(std::make_index_sequence<kKinds>())), value_(&value) {
    static_assert(KindOf<T>(std::make_index_sequence<kKinds>()) < kKinds);
  }
  AttrRef(std::string_view name, const char* word) : AttrRef(name, std::string_view(word)) {}
  AttrRef(std::string_view name, std::string_view word)
      : name_(name), kind_(kKinds), value_(word.data()), size_(word.size()) {}
  AttrRef(const AttrRef&) = delete;
  AttrRef& operator=(const AttrRef&) = delete;

  std::string_view name() const { return name_; }
  /// A copy of the value; words are strings.
  AttrValue Copy() const;

 private:
  static constexpr size_t kKinds = std::variant_size_v<AttrValue>;
  template <class T, size_t... i>
  static constexpr size_t KindOf(std::index_sequence<i...>) {
    size_t kind = kKinds;
    ((std::is_same_v<T, std::variant_alternative_t<i, AttrValue>> ? (void)(kind = i) : (void)0),
     ...);
    return kind;
  }

  std::string_view name_;
  size_t kind_;
  const void* value_;
  size_t size_ = 0;
};

/// Attributes that are put together in several steps.
class Attrs {
 public:
  Attrs();
  Attrs(std::initializer_list<AttrRef> attrs);
  Attrs(Attrs&&) noexcept;
  ~Attrs();
  void Add(const AttrRef& attr);
  NamedAttrs& entries() { return entries_; }

 private:
  NamedAttrs entries_;
};

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_IMPORT_INSTRUCTION_ATTRS_H_
