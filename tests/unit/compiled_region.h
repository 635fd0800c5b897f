// Compiles a region of a program in text.
#ifndef HLO_TESTS_UNIT_COMPILED_REGION_H_
#define HLO_TESTS_UNIT_COMPILED_REGION_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "doctest/doctest.h"
#include "engine/hlo/parser.h"
#include "engine/hlo/verifier.h"
#include "engine/plan/region_program.h"

namespace hlo {

/// A faultless module and the program of its computation `f`; null if that does not compile.
struct CompiledRegion {
  Diagnostics diagnostics;
  std::unique_ptr<Module> module;
  Budget budget;
  const Computation* region = nullptr;
  std::unique_ptr<RegionFunction> function;

  /// Of computations alone, or with an entry of their own.
  explicit CompiledRegion(std::string text, Budget::Limits limits = {}) : budget(limits) {
    CAPTURE(text);
    if (text.find("ENTRY") == std::string::npos) {
      text += "\nENTRY e { ROOT z = s32[] constant(0) }";
    }
    module = ParseModule("HloModule m\n" + text, diagnostics);
    if (module) VerifyModule(*module, diagnostics, {});
    for (const Diagnostic& d : diagnostics.list()) FAIL_CHECK(d.message);
    REQUIRE(module != nullptr);
    region = module->FindComputation("f");
    REQUIRE(region != nullptr);
    function = CompileRegion(*region, &budget);
  }

  /// The first result of f for every x, with y; then the second one, if it gives two.
  template <typename T>
  std::vector<T> Apply(std::vector<T> x, std::vector<T> y) {
    std::vector<T> first(x.size()), second(x.size());
    const std::byte* const args[] = {reinterpret_cast<std::byte*>(x.data()),
                                     reinterpret_cast<std::byte*>(y.data())};
    std::byte* const results[] = {reinterpret_cast<std::byte*>(first.data()),
                                  reinterpret_cast<std::byte*>(second.data())};
    const bool two = region->result_shape().IsTuple();
    function->Apply(static_cast<int64_t>(x.size()),
                    {args, static_cast<size_t>(region->parameter_count())},
                    {results, size_t{two ? 2u : 1u}});
    if (two) first.insert(first.end(), second.begin(), second.end());
    return first;
  }
};

/// The text of a region f of two parameters x and y of a type, with these instructions.
inline std::string RegionOf(std::string_view type, const std::string& instructions) {
  const std::string t(type);
  return "f {\n  x = " + t + "[] parameter(0)\n  y = " + t + "[] parameter(1)\n" + instructions +
         "\n}\n";
}

}  // namespace hlo

#endif  // HLO_TESTS_UNIT_COMPILED_REGION_H_
