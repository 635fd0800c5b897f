// Builds, prints, reads back and runs what a Builder made.
#ifndef HLO_TESTS_UNIT_BUILDER_RUNNER_H_
#define HLO_TESTS_UNIT_BUILDER_RUNNER_H_

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "doctest/doctest.h"
#include "engine/hlo/builder.h"
#include "engine/hlo/parser.h"
#include "engine/hlo/printer.h"
#include "engine/hlo/verifier.h"
#include "engine/run/executor.h"
#include "engine/types/literal.h"

namespace hlo {

/// The first fault of a build, or "" and the program in `*module`.
inline std::string FaultOf(Builder& builder, std::unique_ptr<Module>* module = nullptr,
                           Op root = {}) {
  Diagnostics diagnostics;
  std::unique_ptr<Module> built = builder.Build(diagnostics, root);
  CHECK((built == nullptr) == diagnostics.has_errors());
  if (!built) return diagnostics.empty() ? "nothing" : diagnostics.list()[0].message;
  // Its text is that of the same program.
  std::string text = PrintModule(*built);
  CAPTURE(text);
  Diagnostics reading;
  std::unique_ptr<Module> read = ParseModule(text, reading);
  if (read) VerifyModule(*read, reading);
  CHECK((reading.has_errors() ? reading.list()[0].message : "") == "");
  if (read) CHECK(PrintModule(*read) == text);
  if (module) *module = std::move(built);
  return "";
}

/// The result as `{{1, 2}, {3, 4}}`, or what went wrong.
inline std::string RunBuilt(Builder& builder, std::vector<Value> args = {}, Op root = {}) {
  std::unique_ptr<Module> module;
  std::string fault = FaultOf(builder, &module, root);
  if (!module) return fault;
  Budget budget;
  Executor executor(*module, {}, &budget, nullptr);
  executor.Start(std::move(args));
  executor.Run();
  if (executor.status() == Executor::Status::kFailed) return executor.failure().message;
  return LiteralText(executor.result(), module->entry()->result_shape(), {.hlo_spacing = false});
}

/// The computation a Builder made, with nothing wrong in it.
inline std::unique_ptr<Module> BuildRegion(Builder& builder) {
  std::unique_ptr<Module> module;
  CHECK(FaultOf(builder, &module) == "");
  return module;
}

/// (x, y) -> opcode(x, y) on scalars.
inline std::unique_ptr<Module> BinaryRegion(Opcode opcode, ElementType type = ElementType::kF32) {
  Builder b("f");
  Op x = b.Parameter(0, Shape::Scalar(type), "x");
  b.Binary(opcode, x, b.Parameter(1, Shape::Scalar(type), "y"));
  return BuildRegion(b);
}

}  // namespace hlo

#endif  // HLO_TESTS_UNIT_BUILDER_RUNNER_H_
