// `hlo run` on files of several programs, and the folder of probes.
#include <filesystem>
#include <fstream>
#include <string>

#include "doctest/doctest.h"
#include "engine/cli/command.h"
#include "engine/cli/programs.h"
#include "tests/golden/read_file.h"

namespace hlo {
namespace {

namespace fs = std::filesystem;

// A folder that goes away again.
struct TempFolder {
  TempFolder() : path(fs::temp_directory_path() / "hlo_cli_programs_test") {
    fs::remove_all(path);
    fs::create_directory(path);
  }
  ~TempFolder() {
    std::error_code error;
    fs::remove_all(path, error);
  }
  std::string File(const std::string& name, const std::string& text) const {
    std::ofstream(path / name, std::ios::binary) << text;
    return (path / name).string();
  }
  std::string Read(const std::string& name) const { return ReadFile(path / name); }
  fs::path path;
};

TEST_CASE("commands for one program refuse a file of several, and a text that is none") {
  const TempFolder folder;
  const std::string two = folder.File(
      "two.hlo",
      "x = f32[2] parameter(0)\ny = f32[2] add(x, x)\n// -----\nz = f32[2] constant({1,2})\n");
  const std::string layout = folder.File("layout.txt", "f32[3,5]{1,0}");
  const auto is_refused = [](std::vector<std::string> arguments, std::string_view reason) {
    const CommandResult result = RunCommand(arguments);
    return result.status != 0 && result.err.find(reason) != std::string::npos;
  };
  for (const char* command : {"cost", "memory", "graph", "plan", "script", "devices", "precision",
                              "why", "debug", "passes", "shrink"}) {
    INFO(command);
    CHECK(is_refused({command, two}, "holds 2 programs"));
  }
  CHECK(is_refused({"isolate", two, "y"}, "holds 2 programs"));
  CHECK(is_refused({"diff", two, two}, "holds 2 programs"));
  CHECK(is_refused({"convert", "--to", "stablehlo", two}, "holds 2 programs"));
  for (const char* command : {"cost", "print", "shrink"}) {
    CHECK(is_refused({command, layout}, "no program"));
  }
  CHECK(is_refused({"isolate", layout, "x"}, "no program"));
  CHECK(is_refused({"diff", layout, layout}, "no program"));
  // Lines of more hyphens are decoration.
  CHECK(ProgramsOf("HloModule m\n// ----------\nENTRY e { ROOT x = f32[] parameter(0) }").size() ==
        1);
}

TEST_CASE("a name in several computations has to be said with one") {
  const TempFolder folder;
  const std::string file = folder.File("names.hlo", R"(HloModule m
f { i = f32[] parameter(0) ROOT r = f32[] negate(i) }
g { i = f32[] parameter(0) ROOT r = f32[] abs(i) }
ENTRY e {
  x = f32[] parameter(0)
  a = f32[] call(x), to_apply=f
  ROOT b = f32[] call(a), to_apply=g
}
)");
  for (const char* command : {"isolate", "why"}) {
    const CommandResult result = RunCommand({command, file, "i"});
    CHECK(result.status != 0);
    CHECK(result.err.find("'i' is in f and g: write f/i") != std::string::npos);
    CHECK(RunCommand({command, file, "g/i"}).status == 0);
  }
  CHECK(RunCommand({"precision", file, "--other-input", "@x.npz"})
            .err.find("--other-input expects N=VALUE") != std::string::npos);
  CHECK(RunCommand({"graph", file, "--limit", "2"}).status != 0);
  CHECK(RunCommand({"graph", file, "--focus", "i"}).err.find("write f/i") != std::string::npos);
  // The others say which computation is meant.
  CHECK(RunCommand({"isolate", file, "g/r", "i"}).status == 0);
  CHECK(RunCommand({"sharding", file, "x", "b"}).err.find("takes one NAME") != std::string::npos);
  CHECK(RunCommand({"precision", file, "--expected", "1", "--expected", "2"})
            .err.find("the expected value is given twice") != std::string::npos);
}

TEST_CASE("programs of a file keep their lines; those of comments alone are left out") {
  const auto programs = ProgramsOf("// RUN: x\n\n// -----\nfunc a\n// -----\n\n// -----\nfunc b\n");
  REQUIRE(programs.size() == 2);
  CHECK(programs[0] == "\n\n\nfunc a");
  CHECK(programs[1] == "\n\n\n\n\n\n\nfunc b\n");
  CHECK(ProgramsOf("").size() == 1);
  CHECK(ProgramsOf("// ----- first\nfunc a\n").front() == "\nfunc a\n");
}

TEST_CASE("every program of a file is run, and every check of each is reported") {
  const TempFolder folder;
  const std::string file = folder.File("p.mlir", R"(func.func @main() -> tensor<i32> {
  %0 = stablehlo.constant dense<7> : tensor<i32>
  return %0 : tensor<i32>
}
// -----
func.func @one() {
  %0 = stablehlo.constant dense<7> : tensor<i32>
  check.expect_eq_const %0, dense<8> : tensor<i32>
  check.expect_eq_const %0, dense<9> : tensor<i32>
  return
}
func.func @two() {
  %0 = stablehlo.constant dense<1> : tensor<i32>
  interpreter.print %0 : tensor<i32>
  return
}
)");
  const CommandResult result = RunCommand({"run", file});
  CHECK(result.status == kExitDiagnostics);
  CHECK(result.out.find("s32[] 7") != std::string::npos);
  CHECK(result.out.find("%0 = s32[] 1") != std::string::npos);
  CHECK(result.err.find("p.mlir:8:3") != std::string::npos);
  CHECK(result.err.find("p.mlir:9:3") != std::string::npos);
}

TEST_CASE("probes write files that a later run reads") {
  const TempFolder folder;
  const std::string writes = folder.File("w.mlir", R"(func.func @main() {
  %0 = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf32>
  %1 = interpreter.probe %0, probe_id = "a, b/c" : tensor<2xf32>
  %2 = stablehlo.negate %1 : tensor<2xf32>
  %3 = interpreter.probe %2, probe_id = "a, b/c" : tensor<2xf32>
  return
}
)");
  const std::string reads = folder.File("r.mlir", R"(func.func @main() {
  %0 = stablehlo.constant dense<[-1.5, 2.0]> : tensor<2xf32>
  check.expect_serialized_eq %0, probe_id = "a, b/c", iter = 1 : tensor<2xf32>
  return
}
)");
  CHECK(RunCommand({"run", reads}).status == kExitDiagnostics);
  CHECK(RunCommand({"run", reads, "--probe-output-dir", folder.path.string()}).status ==
        kExitDiagnostics);
  CHECK(RunCommand({"run", writes, "--probe-output-dir", folder.path.string()}).status ==
        kExitGood);
  CHECK(folder.Read("index.csv") == "a, b/c,tensor<2xf32>," + folder.path.string() +
                                        "/probe1.npy\na, b/c,tensor<2xf32>," +
                                        folder.path.string() + "/probe2.npy\n");
  // A header of 128 bytes, then the numbers.
  CHECK(folder.Read("probe1.npy").size() % 64 == 8);
  const CommandResult read = RunCommand({"run", reads, "--probe-output-dir", folder.path.string()});
  CHECK(read.err == "");
  CHECK(read.status == kExitGood);
  CHECK(RunCommand({"run", writes, "--probe-output-dir", "/nowhere/at/all"}).status == kExitUsage);
}

}  // namespace
}  // namespace hlo
