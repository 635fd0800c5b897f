// The compiled half of fmt. Header-only fmt costs seconds and 200 kB in every file that formats
// anything; Debian ships the library for the native compiler only, so it is compiled here, once,
// for all of them.

// Numbers are never grouped by locale; without std::locale the Wasm module is much smaller.
#define FMT_STATIC_THOUSANDS_SEPARATOR ','
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {
// What the headers declare as instantiated elsewhere (fmt/format.h, "extern template").
template FMT_API auto thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl(locale_ref) -> char;
template FMT_API auto dragonbox::to_decimal(float x) noexcept -> dragonbox::decimal_fp<float>;
template FMT_API auto dragonbox::to_decimal(double x) noexcept -> dragonbox::decimal_fp<double>;
}  // namespace detail
FMT_END_NAMESPACE
