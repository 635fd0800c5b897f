// Whether the sanitizers watch: what they look for shows itself in few rounds, and they are slow.
#ifndef HLO_TESTS_UNIT_SANITIZERS_H_
#define HLO_TESTS_UNIT_SANITIZERS_H_

namespace hlo {

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(undefined_behavior_sanitizer)
#define HLO_IS_SANITIZED 1
#endif
#endif
#ifdef HLO_IS_SANITIZED
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif

/// Whether programs run several times slower than natively: under the sanitizers, and as Wasm.
inline constexpr bool kIsSlow = kIsSanitized || sizeof(void*) == 4;

/// How often a test repeats what the same test without the sanitizers does `usual` times.
constexpr int Rounds(int usual) { return kIsSanitized ? usual / 5 : usual; }

}  // namespace hlo

#endif  // HLO_TESTS_UNIT_SANITIZERS_H_
