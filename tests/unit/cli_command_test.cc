// The command without a process; the process is tested in tests/cli.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "doctest/doctest.h"
#include "engine/cli/command.h"

namespace hlo {
namespace {

// A file that goes away again.
class TempFile {
 public:
  TempFile(const std::string& name, const std::string& text)
      : path_(std::filesystem::temp_directory_path() / ("hlo_cli_test_" + name)) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TempFile() {
    std::error_code error;
    std::filesystem::remove(path_, error);
  }
  TempFile(const TempFile&) = delete;
  TempFile& operator=(const TempFile&) = delete;
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

constexpr char kAdd[] =
    "ENTRY e {\n  p = s32[2]{0} parameter(0)\n  q = s32[2]{0} parameter(1)\n"
    "  ROOT s = s32[2]{0} add(p, q)\n}\n";

bool Contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("usage") {
  CHECK(RunCommand({}).status == kExitUsage);
  CHECK(RunCommand({"frobnicate"}).status == kExitUsage);
  CHECK(RunCommand({"run"}).status == kExitUsage);
  CHECK(RunCommand({"check"}).status == kExitUsage);
  CHECK(RunCommand({"run", "x.hlo", "--frob"}).status == kExitUsage);
  CHECK(RunCommand({"run", "x.hlo", "--fill-elided", "ones"}).status == kExitUsage);
  CHECK(RunCommand({"layout", "f32[2]", "--index", "x"}).status == kExitUsage);
  const CommandResult missing = RunCommand({"check", "/nowhere/missing.hlo"});
  CHECK(missing.status == kExitUsage);
  CHECK(Contains(missing.err, "missing.hlo"));
  const CommandResult help = RunCommand({"--help"});
  CHECK(help.status == kExitGood);
  CHECK(Contains(help.out, "layout"));
  CHECK(RunCommand({"run", "--help"}).status == kExitGood);
}

TEST_CASE("check and print") {
  const TempFile good("good.hlo", kAdd);
  const TempFile bad("bad.hlo", "ENTRY e {\n  ROOT s = f32[2] ad(p, p)\n}\n");
  CHECK(RunCommand({"check", good.path()}).status == kExitGood);
  CHECK(RunCommand({"check", good.path()}).err.empty());
  const CommandResult faults = RunCommand({"check", bad.path(), good.path()});
  CHECK(faults.status == kExitDiagnostics);
  CHECK(Contains(faults.err, "bad.hlo:2:"));
  CHECK(Contains(faults.err, "^"));
  const CommandResult printed = RunCommand({"print", good.path()});
  CHECK(printed.status == kExitGood);
  const TempFile again("again.hlo", printed.out);
  CHECK(RunCommand({"print", again.path()}).out == printed.out);
  CHECK(RunCommand({"print", bad.path()}).status == kExitDiagnostics);
  const TempFile empty("empty.hlo", "");
  CHECK(RunCommand({"check", empty.path()}).status == kExitDiagnostics);
}

TEST_CASE("run") {
  const TempFile add("add.hlo", kAdd);
  const CommandResult result =
      RunCommand({"run", add.path(), "--input", "0={1,2}", "--input", "1=constant:3"});
  CHECK(result.status == kExitGood);
  CHECK(result.out == "s32[2]{0} {4, 5}\n");
  const CommandResult trace = RunCommand({"run", add.path(), "--trace", "--input", "0=iota"});
  CHECK(Contains(trace.out, "p = s32[2]{0} {0, 1}"));
  const CommandResult json = RunCommand({"run", add.path(), "--json", "--seed", "5"});
  CHECK(Contains(json.out, "\"literal\""));
  CHECK(RunCommand({"run", add.path(), "--input", "zero"}).status == kExitUsage);
  CHECK(RunCommand({"run", add.path(), "--input", "0=@/nowhere.npy"}).status == kExitUsage);
  const CommandResult misfit = RunCommand({"run", add.path(), "--input", "0={1,2,3}"});
  CHECK(misfit.status == kExitDiagnostics);
  CHECK(Contains(misfit.err, "input 0"));
  CHECK(RunCommand({"run", add.path(), "--memory-limit", "4"}).status == kExitDiagnostics);
}

TEST_CASE("layout and ops") {
  const CommandResult layout = RunCommand({"layout", "f32[3,5]{1,0:T(2,2)}", "--index", "2,3"});
  CHECK(layout.status == kExitGood);
  CHECK(Contains(layout.out, "offset 17"));
  CHECK(Contains(layout.out, "96"));
  CHECK(RunCommand({"layout", "f32[3,5]{1,1}"}).status == kExitDiagnostics);
  CHECK(RunCommand({"layout", "f32[3,5]", "--index", "9,9"}).status == kExitDiagnostics);
  CHECK(Contains(RunCommand({"layout", "f32[3,5]", "--json"}).out, "\"physicalDims\":[3,5]"));
  CHECK(Contains(RunCommand({"ops"}).out, "reverse"));
  CHECK(Contains(RunCommand({"ops", "--markdown"}).out, "| `add` |"));
}

}  // namespace
}  // namespace hlo
