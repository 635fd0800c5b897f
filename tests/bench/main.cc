// Timings that are looked at, never asserted: parse and verify throughput, the typing path on a
// 5,000-line module, the executor's loops, layout windows. `bench [CONFORMANCE_DIR]` adds the
// largest files of an outside corpus.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "engine/base/diagnostics.h"
#include "engine/hlo/parser.h"
#include "engine/hlo/verifier.h"
#include "engine/mlir/importer.h"
#include "tests/bench/run_bench.h"
#include "tests/golden/read_file.h"

namespace hlo {
namespace {

using Clock = std::chrono::steady_clock;

double Seconds(const std::function<void()>& work) {
  auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The median of enough repetitions to fill about half a second.
double Median(const std::function<void()>& work) {
  std::vector<double> times;
  double total = 0;
  while (times.size() < 5 || (total < 0.5 && times.size() < 200)) {
    times.push_back(Seconds(work));
    total += times.back();
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

void Print(std::string_view what, double value, std::string_view unit) {
  fmt::print("  {:<58} {:>10.2f} {}\n", what, value, unit);
}

void ParseAndVerify(const std::string& text) {
  Diagnostics diagnostics;
  auto module = ParseModule(text, diagnostics);
  if (module) VerifyModule(*module, diagnostics);
}

std::string LongModule(int lines) {
  std::string text = "HloModule typing\n\nENTRY main {\n  p0 = f32[128,256]{1,0} parameter(0)\n";
  for (int i = 1; i < lines; ++i) {
    fmt::format_to(std::back_inserter(text),
                   "  v{} = f32[128,256]{{1,0}} add(f32[128,256]{{1,0}} {}{}, p0), "
                   "metadata={{op_name=\"jit(f)/add.{}\" source_line={}}}\n",
                   i, i == 1 ? "p" : "v", i - 1, i, i);
  }
  text += fmt::format("  ROOT r = f32[128,256]{{1,0}} negate(v{})\n}}\n", lines - 1);
  return text;
}

// As JAX writes it: a constant, its broadcast, arithmetic, a region now and then.
std::string LongMlir(int steps) {
  std::string text =
      "module @jit_f attributes {mhlo.num_partitions = 1 : i32} {\n  func.func public @main(%v0: "
      "tensor<128x256xf32> {mhlo.sharding = \"{replicated}\"}) -> (tensor<128x256xf32>) {\n";
  for (int i = 1; i < steps; ++i) {
    fmt::format_to(
        std::back_inserter(text),
        "    %cst_{0} = stablehlo.constant dense<{0}.5> : tensor<f32>\n"
        "    %b{0} = stablehlo.broadcast_in_dim %cst_{0}, dims = [] : (tensor<f32>) -> "
        "tensor<128x256xf32>\n"
        "    %m{0} = stablehlo.multiply %v{1}, %b{0} : tensor<128x256xf32>\n"
        "    %c{0} = stablehlo.compare  LT, %m{0}, %v{1},  FLOAT : (tensor<128x256xf32>, "
        "tensor<128x256xf32>) -> tensor<128x256xi1>\n"
        "    %v{0} = stablehlo.select %c{0}, %m{0}, %v{1} : tensor<128x256xi1>, "
        "tensor<128x256xf32>\n",
        i, i - 1);
    if (i % 10 != 0) continue;
    fmt::format_to(std::back_inserter(text),
                   "    %r{0} = \"stablehlo.reduce\"(%m{0}, %cst_{0}) <{{dimensions = array<i64: "
                   "1>}}> ({{\n    ^bb0(%x: tensor<f32>, %y: tensor<f32>):\n      %s = "
                   "stablehlo.add %x, %y : tensor<f32>\n      stablehlo.return %s : tensor<f32>\n "
                   "   }}) : (tensor<128x256xf32>, tensor<f32>) -> tensor<128xf32>\n",
                   i);
  }
  return text + fmt::format("    return %v{} : tensor<128x256xf32>\n  }}\n}}\n", steps - 1);
}

std::string LongConstant(int count) {
  std::string text = "func.func @main() -> tensor<" + std::to_string(count) +
                     "xf32> {\n  %0 = stablehlo.constant dense<[0.0";
  for (int i = 1; i < count; ++i) {
    fmt::format_to(std::back_inserter(text), ", {:.6e}", 0.37 * i);
  }
  return text + "]> : tensor<" + std::to_string(count) + "xf32>\n  return %0 : tensor<" +
         std::to_string(count) + "xf32>\n}\n";
}

void BenchImport() {
  fmt::print("import of StableHLO\n");
  for (const auto& [what, text] :
       {std::pair<std::string, std::string>{"10,000 operations", LongMlir(2000)},
        {"100,000 operations", LongMlir(20000)},
        {"a constant of 1,000,000 numbers", LongConstant(1000000)}}) {
    const double seconds = Median([&text = text] {
      Diagnostics diagnostics;
      ImportMlir(text, diagnostics);
      if (diagnostics.has_errors()) fmt::print("{}\n", diagnostics.list().front().message);
    });
    Print(fmt::format("{} ({} kB)", what, text.size() / 1000),
          1e-6 * static_cast<double>(text.size()) / seconds, "MB/s");
  }
}

void BenchParsing(const std::string& corpus) {
  fmt::print("parse and verify\n");
  std::string typing = LongModule(5000);
  Print("5,000 lines, parse + verify", 1e3 * Median([&] { ParseAndVerify(typing); }), "ms");
  Print("5,000 lines, tokens", 1e3 * Median([&] { Tokenize(typing); }), "ms");
  Print("5,000 lines, throughput",
        1e-6 * static_cast<double>(typing.size()) / Median([&] { ParseAndVerify(typing); }),
        "MB/s");
  if (corpus.empty()) return;
  std::vector<std::pair<uintmax_t, std::filesystem::path>> files;
  for (const char* folder : {"hlo/files", "hlo/files_large"}) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(corpus + "/" + folder, error)) {
      if (entry.path().extension() == ".hlo") files.emplace_back(entry.file_size(), entry.path());
    }
  }
  std::sort(files.rbegin(), files.rend());
  for (size_t i = 0; i < std::min<size_t>(files.size(), 6); ++i) {
    std::string text = ReadFile(files[i].second);
    double seconds = Median([&] { ParseAndVerify(text); });
    Print(fmt::format("{} ({} kB)", files[i].second.filename().string().substr(0, 44),
                      text.size() / 1000),
          1e-6 * static_cast<double>(text.size()) / seconds, "MB/s");
  }
}

}  // namespace
}  // namespace hlo

int main(int argc, char** argv) {
  const std::string corpus = argc > 1 ? argv[1] : "";
  hlo::BenchParsing(corpus);
  hlo::BenchImport();
  hlo::BenchOps();
  hlo::BenchRelayout();
  if (!corpus.empty()) hlo::BenchModules(corpus);
  return 0;
}
