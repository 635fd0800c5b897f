// A reference to a callable, for parameters: two pointers, where std::function would copy the
// callable and bring code and type names for every use.
#ifndef HLO_ENGINE_BASE_FUNCTION_REF_H_
#define HLO_ENGINE_BASE_FUNCTION_REF_H_

#include <memory>
#include <type_traits>
#include <utility>

namespace hlo {

template <typename Signature>
class FunctionRef;

/// Refers to a callable, which must outlive it: for parameters, not for members.
template <typename Result, typename... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  /// Not explicit: a lambda is an argument.
  template <typename Callable>
  requires(!std::is_same_v<std::remove_cvref_t<Callable>, FunctionRef>)
      // NOLINTNEXTLINE(google-explicit-constructor,bugprone-forwarding-reference-overload)
      FunctionRef(Callable&& callable)
      : callable_(AddressOf(callable)), call_([](void* at, Arguments... arguments) -> Result {
          using Called = std::remove_reference_t<Callable>;
          return (*reinterpret_cast<Called*>(at))(std::forward<Arguments>(arguments)...);
        }) {}

  Result operator()(Arguments... arguments) const {
    return call_(callable_, std::forward<Arguments>(arguments)...);
  }

 private:
  template <typename Callable>
  static void* AddressOf(Callable& callable) {
    if constexpr (std::is_function_v<Callable>) {
      return reinterpret_cast<void*>(&callable);
    } else {
      return const_cast<void*>(static_cast<const void*>(std::addressof(callable)));
    }
  }

  void* callable_;
  Result (*call_)(void*, Arguments...);
};

}  // namespace hlo

#endif  // HLO_ENGINE_BASE_FUNCTION_REF_H_
