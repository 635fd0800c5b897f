// The command without a process; the process is tested in tests/cli.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/cli/command.h"
#include "tests/unit/program_cases.h"

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

TEST_CASE("graph") {
  const TempFile good("graph.hlo",
                      "f {\n  p = s32[2]{0} parameter(0)\n  ROOT n = s32[2]{0} negate(p)\n}\n"
                      "ENTRY e {\n  p = s32[2]{0} parameter(0)\n  a = s32[2]{0} abs(p)\n"
                      "  ROOT c = s32[2]{0} call(a), to_apply=f\n}\n");
  const CommandResult all = RunCommand({"graph", good.path()});
  CHECK(all.status == kExitGood);
  CHECK(Contains(all.out, "e/a  abs s32[2]{0}  <- e/p"));
  CHECK(Contains(all.out, "e/c  call s32[2]{0}  closed, 2 inside  <- e/a\n"));
  CHECK(Contains(RunCommand({"graph", good.path(), "--open", "e/c"}).out, "e/c:f/n"));
  // Names as the text has them, with and without their computation and sigil.
  const CommandResult near = RunCommand({"graph", good.path(), "--focus", "%a", "--radius", "0"});
  CHECK(near.out == "e/a  abs s32[2]{0}  +1 operands  +1 users\n");
  CHECK(Contains(RunCommand({"graph", good.path(), "--focus", "f/p"}).out, "e/c:f/p"));
  CHECK(Contains(RunCommand({"graph", good.path(), "--computation", "f"}).out, "f/n  negate"));
  CHECK(Contains(RunCommand({"graph", good.path(), "--dot"}).out, "digraph \"e\" {"));
  CHECK(Contains(RunCommand({"graph", good.path(), "--json"}).out, "\"ok\":true"));
  CHECK(RunCommand({"graph", good.path(), "--radius", "1"}).status == kExitUsage);
  CHECK(RunCommand({"graph", good.path(), "--focus", "none"}).status == kExitUsage);
  CHECK(RunCommand({"graph", good.path(), "--computation", "none"}).status == kExitUsage);
  // What was read of a program with faults is there, and the faults are said.
  const TempFile bad("graph_bad.hlo",
                     "ENTRY e {\n  p = s32[2] parameter(0)\n"
                     "  x = s32[3] abs(p)\n  ROOT y = s32[3] negate(x)\n}\n");
  const CommandResult faults = RunCommand({"graph", bad.path()});
  CHECK(faults.status == kExitDiagnostics);
  CHECK(Contains(faults.err, "s32[3]"));
  CHECK(Contains(faults.out, "e/y  negate"));
  CHECK(RunCommand({"graph", "/nowhere/missing.hlo"}).status == kExitUsage);
}

TEST_CASE("layout and ops") {
  const CommandResult layout = RunCommand({"layout", "f32[3,5]{1,0:T(2,2)}", "--index", "2,3"});
  CHECK(layout.status == kExitGood);
  CHECK(Contains(layout.out, "offset 17"));
  CHECK(Contains(layout.out, "96"));
  CHECK(RunCommand({"layout", "f32[3,5]{1,1}"}).status == kExitDiagnostics);
  CHECK(RunCommand({"layout", "f32[3,5]", "--index", "9,9"}).status == kExitDiagnostics);
  CHECK(Contains(RunCommand({"layout", "f32[3,5]", "--json"}).out, "\"physicalDims\":[3,5]"));
  const CommandResult compared =
      RunCommand({"layout", "6x8[1, 0, 1 p(4)]", "--compare", "f32[6,8]{0,1:T(4,1)}"});
  CHECK(compared.status == kExitGood);
  CHECK(Contains(compared.out, "XLA      f32[6,8]{0,1:T(4,1)}"));
  CHECK(Contains(compared.out, "The same layout."));
  const CommandResult copied =
      RunCommand({"layout", "f32[8,256]{1,0}", "--compare", "f32[8,256]{1,0:T(8,128)}"});
  CHECK(Contains(copied.out,
                 "a copy in 16 pieces of at most 128 consecutive elements\n  "
                 "8192 bytes read and 8192 written, 128 and 128 cache lines"));
  const CommandResult other = RunCommand({"layout", "f32[2]", "--compare", "f32[3]"});
  CHECK(other.status == kExitDiagnostics);
  CHECK(Contains(other.out, "different dimensions"));
  const CommandResult bad = RunCommand({"layout", "f32[2]", "--compare", "cute: (2,2):(1,1)"});
  CHECK(bad.status == kExitDiagnostics);
  CHECK(Contains(bad.err, "these strides alias"));
  CHECK(Contains(RunCommand({"ops"}).out, "reverse"));
  CHECK(Contains(RunCommand({"ops", "--markdown"}).out, "| `add` |"));
}

constexpr char kDevices[] =
    "HloModule m, replica_count=2\nENTRY e {\n  x = s32[] parameter(0)\n  tok = token[] "
    "after-all()\n"
    "  i = (s32[], token[]) infeed(tok)\n  y = s32[] get-tuple-element(i), index=0\n"
    "  after = token[] get-tuple-element(i), index=1\n"
    "  r = (s32[], u32[], token[]) recv(after), channel_id=3, is_host_transfer=true\n"
    "  d = (s32[], token[]) recv-done(r), channel_id=3, is_host_transfer=true\n"
    "  z = s32[] get-tuple-element(d), index=0\n  o = token[] outfeed(y, tok)\n"
    "  s = s32[] add(x, y)\n  ROOT t = s32[] add(s, z)\n}\n";

TEST_CASE("several devices: values for each, results of each") {
  const TempFile file("devices.hlo", kDevices);
  const CommandResult good =
      RunCommand({"run", file.path(), "--input", "0=1", "--input", "1.*:0=2", "--infeed", "10",
                  "--receive", "3=100", "--receive", "0.0:3=5"});
  CHECK(good.status == kExitGood);
  CHECK(good.out ==
        "device 0 (replica 0, partition 0): outfeed o: s32[] 10\n"
        "device 1 (replica 1, partition 0): outfeed o: s32[] 10\n"
        "device 0 (replica 0, partition 0): s32[] 111\n"
        "device 1 (replica 1, partition 0): s32[] 112\n");
  const CommandResult one = RunCommand({"run", file.path(), "--replicas", "1", "--input", "0=1",
                                        "--infeed", "10", "--receive", "3=100"});
  CHECK(one.out == "outfeed o: s32[] 10\ns32[] 111\n");
  const CommandResult json = RunCommand(
      {"run", file.path(), "--json", "--input", "0=1", "--infeed", "10", "--receive", "3=100"});
  CHECK(Contains(json.out, "\"literal\":\"s32[] 111\""));
  const CommandResult trace =
      RunCommand({"run", file.path(), "--trace", "--partitions", "1", "--input", "0=1", "--infeed",
                  "10", "--receive", "3=100"});
  CHECK(Contains(trace.out, "device 1 (replica 1, partition 0): x = s32[] 1"));
}

TEST_CASE("arguments for devices that are not understood") {
  const TempFile file("device_arguments.hlo", kDevices);
  for (const char* bad : {"1:0=2", "a.b:0=2", "0.0:x=2", "0.0:0"}) {
    CHECK(RunCommand({"run", file.path(), "--input", bad}).status == kExitUsage);
  }
  CHECK(RunCommand({"run", file.path(), "--receive", "x=2"}).status == kExitUsage);
  CHECK(RunCommand({"run", file.path(), "--replicas", "0"}).status == kExitUsage);
  const CommandResult outside = RunCommand({"run", file.path(), "--input", "2.0:0=1"});
  CHECK(outside.status == kExitDiagnostics);
  CHECK(Contains(outside.err, "the run has 2 replicas and 1 partition ["));
}

TEST_CASE("protocol buffers are programs like texts") {
  TempFile text("proto.hlo", kAdd);
  const CommandResult written = RunCommand({"print", "--proto", text.path()});
  CHECK(written.status == kExitGood);
  TempFile proto("proto.pb", written.out);
  CHECK(RunCommand({"print", proto.path()}).out == RunCommand({"print", text.path()}).out);
  CHECK(RunCommand({"check", proto.path()}).status == kExitGood);
  const CommandResult run =
      RunCommand({"run", proto.path(), "--input", "0={1,2}", "--input", "1={3,4}"});
  CHECK(run.out == "s32[2]{0} {4, 6}\n");
  TempFile broken("broken.pb", written.out.substr(0, written.out.size() / 2));
  CHECK(RunCommand({"check", broken.path()}).status != kExitGood);
}

TEST_CASE("a snapshot runs on its arguments, and its result is compared") {
  TempFile text("snapshot.pbtxt",
                R"(hlo { hlo_module { name: "m" computations { name: "e" id: 1 root_id: 2
  instructions { name: "p" opcode: "parameter" id: 1 shape { element_type: S32 dimensions: 2 } }
  instructions { name: "n" opcode: "negate" id: 2 operand_ids: 1 shape { element_type: S32 dimensions: 2 } }
} } }
arguments { shape { element_type: S32 dimensions: 2 layout { minor_to_major: 0 } } s32s: 5 s32s: -6 }
result { shape { element_type: S32 dimensions: 2 layout { minor_to_major: 0 } } s32s: -5 s32s: 7 }
)");
  const CommandResult run = RunCommand({"run", text.path()});
  CHECK(run.status == kExitGood);
  CHECK(run.out == "s32[2]{0} {-5, 6}\n");
  CHECK(
      run.err.find("1 of 2 elements of the result differ from the snapshot's; the first is {1}: 6 "
                   "instead of 7") != std::string::npos);
}

constexpr char kTwoArguments[] =
    R"(hlo { hlo_module { name: "m" computations { name: "e" id: 1 root_id: 3
  instructions { name: "a" opcode: "parameter" id: 1 shape { element_type: F32 dimensions: 2 } }
  instructions { name: "b" opcode: "parameter" id: 2 parameter_number: 1 shape { element_type: F32 dimensions: 2 } }
  instructions { name: "r" opcode: "divide" id: 3 operand_ids: 1 operand_ids: 2 shape { element_type: F32 dimensions: 2 } }
} } }
arguments { shape { element_type: F32 dimensions: 2 layout { minor_to_major: 0 } } f32s: 0 f32s: 6 }
arguments { shape { element_type: F32 dimensions: 2 layout { minor_to_major: 0 } } f32s: 0 f32s: 3 }
)";

TEST_CASE("every command that runs a snapshot runs it on its arguments") {
  const TempFile file("arguments.pbtxt", kTwoArguments);
  CHECK(Contains(RunCommand({"run", file.path()}).out, "nan, 2}"));
  CHECK(Contains(RunCommand({"why", file.path(), "--first", "nan"}).out, "r[0] = "));
  CHECK(Contains(
      RunCommand({"precision", file.path(), "--expected", "{nan, 2}", "--at-most", "0"}).out, "r"));
  // An input in the place of one argument leaves the other one.
  CHECK(Contains(RunCommand({"run", file.path(), "--input", "1={1, 1}"}).out, "{0, 6}"));
  CHECK(Contains(RunCommand({"why", file.path(), "r[1]", "--input", "1={1, 1}"}).out, "r[1] = 6"));
  // Of several inputs for a parameter the last one counts.
  CHECK(Contains(RunCommand({"run", file.path(), "--input", "1={2, 2}", "--input", "1={1, 2}"}).out,
                 "{0, 3}"));
}

TEST_CASE("what cannot be compared is no number, and no comparison is left out in silence") {
  const TempFile file("compared.pbtxt", kTwoArguments);
  const CommandResult nan = RunCommand({"precision", file.path(), "--at-most", "nan"});
  CHECK(nan.status != kExitGood);
  CHECK(Contains(nan.err, "'nan' is not a number from 0 on"));
  const CommandResult as = RunCommand({"precision", file.path(), file.path(), "--as", "f32"});
  CHECK(as.status == kExitUsage);
  CHECK(Contains(as.err, "--as and --sums"));
}

TEST_CASE("MLIR bytecode is told from text") {
  const TempFile file("module.mlirbc", std::string("ML\xef\x52\x0d\0\0", 7));
  const CommandResult check = RunCommand({"check", file.path()});
  CHECK(check.status == kExitDiagnostics);
  CHECK(Contains(check.err, "this is MLIR bytecode"));
}

TEST_CASE("bytes that are no UTF-8 are told as bytes") {
  const TempFile file("bytes.hlo", "ENTRY e { \xc3( }");
  CHECK(
      Contains(RunCommand({"check", file.path()}).err, "found the byte 0xC3, which is not UTF-8"));
  const TempFile other("other.hlo", "ENTRY e { \xe2\x89\xa4 }");
  CHECK(Contains(RunCommand({"check", other.path()}).err, "found the character U+2264"));
}

// The entry's r is r.1 in the module: another computation before it has an r.
constexpr char kTwice[] =
    "c {\n  p = (s32[]) parameter(0)\n  r = s32[] get-tuple-element(p), index=0\n"
    "  n = s32[] constant(3)\n  ROOT q = pred[] compare(r, n), direction=LT\n}\n"
    "b {\n  p = (s32[]) parameter(0)\n  i = s32[] get-tuple-element(p), index=0\n"
    "  o = s32[] constant(1)\n  j = s32[] add(i, o)\n  ROOT t = (s32[]) tuple(j)\n}\n"
    "ENTRY e {\n  z = s32[] constant(0)\n  t = (s32[]) tuple(z)\n"
    "  w = (s32[]) while(t), condition=c, body=b\n  g = s32[] get-tuple-element(w), index=0\n"
    "  ROOT r = s32[4] broadcast(g), dimensions={}\n}\n";

TEST_CASE("a name is the entry's first, as the text has it") {
  const TempFile file("names.hlo", kTwice);
  CHECK(Contains(RunCommand({"why", file.path(), "r[2]"}).out, "r[2] = 3"));
  CHECK(Contains(RunCommand({"isolate", file.path(), "r"}).out, "s32[4]"));
  CHECK(Contains(RunCommand({"isolate", file.path(), "c/r"}).out, "get-tuple-element"));
  CHECK(Contains(RunCommand({"isolate", file.path(), "n"}).out, "constant(3)"));
}

TEST_CASE("faults of a program: with carets, its file's name, and as JSON") {
  const TempFile bad("wrong.hlo",
                     "ENTRY e {\n  x = f32[2] parameter(0)\n"
                     "  ROOT y = f32[3] add(x, x)\n}\n");
  for (const std::string command : {"cost", "sharding", "passes", "memory", "plan", "precision"}) {
    const CommandResult result = RunCommand({command, bad.path()});
    CHECK_MESSAGE(result.status == kExitDiagnostics, command);
    CHECK_MESSAGE(Contains(result.err, "wrong.hlo:3:"), command);
    CHECK_MESSAGE(result.out.empty(), command);
    const CommandResult json = RunCommand({command, bad.path(), "--json"});
    CHECK_MESSAGE(json.out.starts_with("{\"ok\":false,\"diagnostics\":[{"), command);
  }
  CHECK(RunCommand({"why", bad.path(), "y", "--json"}).out.starts_with("{\"ok\":false"));
  CHECK(RunCommand({"diff", bad.path(), bad.path(), "--json"}).out.starts_with("{\"ok\":false"));
  const TempFile script("script", "");
  const CommandResult debug = RunCommand({"debug", bad.path(), "--script", script.path()});
  CHECK(Contains(debug.err, "wrong.hlo:3:"));
}

TEST_CASE("several programs in a file") {
  const TempFile file("two.hlo",
                      "ENTRY a { ROOT c = s32[] constant(1) }\n// -----\n"
                      "ENTRY b { ROOT c = s32[] constant(2) }\n");
  CHECK(RunCommand({"check", file.path()}).err.empty());
  const CommandResult printed = RunCommand({"print", file.path()});
  CHECK(Contains(printed.out, "constant(1)"));
  CHECK(Contains(printed.out, "\n// -----\n"));
  CHECK(Contains(printed.out, "constant(2)"));
  CHECK(RunCommand({"print", file.path(), "--proto"}).status == kExitUsage);
  CHECK(RunCommand({"run", file.path(), "--save", "/nowhere/x.npz"}).status == kExitUsage);
  CHECK(Contains(RunCommand({"plan", file.path()}).err, "holds 2 programs"));
  // A comment in one program separates nothing.
  const TempFile one("one.hlo",
                     "f {\n  ROOT p = s32[] parameter(0)\n}\n// ------ the entry\n"
                     "ENTRY e {\n  p = s32[] parameter(0)\n"
                     "  ROOT c = s32[] call(p), to_apply=f\n}\n");
  CHECK(RunCommand({"check", one.path()}).status == kExitGood);
}

TEST_CASE("script: files that it needs are said") {
  const TempFile sines("sines.hlo",
                       "ENTRY e {\n  x = f32[20000] parameter(0)\n"
                       "  ROOT y = f32[20000] negate(x)\n}\n");
  const CommandResult result = RunCommand({"script", sines.path(), "--input", "0=sin(i0)"});
  CHECK(Contains(result.err, "the script reads input0.npy: --save-inputs FOLDER writes it"));
  CHECK(RunCommand({"script", sines.path(), "--input", "0=iota"}).err.empty());
  const auto place = std::filesystem::temp_directory_path() / "hlo_cli_test_inputs";
  std::filesystem::create_directories(place);
  const std::string folder = place.string();
  CHECK(RunCommand({"script", sines.path(), "--input", "0=sin(i0)", "--save-inputs", folder})
            .err.empty());
  const CommandResult same =
      RunCommand({"precision", sines.path(), "--input", "0=@" + folder + "/input0.npy",
                  "--expected", "-sin(i0)", "--at-most", "0.5"});
  CHECK(same.status == kExitGood);
  CHECK(RunCommand({"script", sines.path(), "--input", "0=sin(i0)", "--save-inputs",
                    folder + "/none/such"})
            .status == kExitUsage);
  std::filesystem::remove_all(place);
}

TEST_CASE("script: random indices are those of the run, within what they index") {
  const TempFile rows("rows.hlo",
                      "ENTRY e {\n  t = f32[4,3] parameter(0)\n  i = s32[20000,1] parameter(1)\n"
                      "  ROOT g = f32[20000,3] gather(t, i), offset_dims={1}, "
                      "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
                      "slice_sizes={1,3}\n}\n");
  const std::string script = RunCommand({"script", rows.path()}).out;
  const size_t rule = script.find("(\"integers\", ");
  REQUIRE(rule != std::string::npos);
  CHECK(script.substr(rule, script.find(')', rule) - rule).ends_with(", 4"));
  CHECK(RunCommand({"script", rows.path(), "--input", "1=random"}).out == script);
}

TEST_CASE("check --strict: warnings of the reader are errors, too") {
  const TempFile wide("wide.hlo", "ENTRY e { ROOT c = s64[1] constant({9223372036854775809}) }\n");
  CHECK(RunCommand({"check", wide.path()}).status == kExitGood);
  const CommandResult strict = RunCommand({"check", "--strict", wide.path()});
  CHECK(strict.status == kExitDiagnostics);
  CHECK(Contains(strict.err, "error: "));
}

TEST_CASE("the environment says how many threads there are, within what there can be") {
  const TempFile shape("shape.hlo", "ENTRY e { ROOT c = s32[] constant(1) }\n");
  setenv("HLO_THREADS", "99", 1);
  CHECK(RunCommand({"layout", "f32[3]"}).status == kExitGood);
  CHECK(RunCommand({"run", shape.path()}).status == kExitGood);
  unsetenv("HLO_THREADS");
}

TEST_CASE("numbers that are none, and names of nothing") {
  const TempFile add("add.hlo", kAdd);
  const auto refused = [&](const std::string& option, const std::string& value) {
    const CommandResult result = RunCommand({"run", add.path(), option, value});
    return result.status == kExitUsage && Contains(result.err, "'" + value + "'");
  };
  CHECK(refused("--seed", "-1"));
  CHECK(refused("--seed", "99999999999999999999999"));
  CHECK(refused("--memory-limit", "99999999999999999999"));
  CHECK(refused("--time-limit", "nan"));
  CHECK(refused("--time-limit", "0"));
  CHECK(refused("--replicas", "0"));
  CHECK(RunCommand({"run", add.path(), "--seed", "18446744073709551615"}).status == kExitGood);
  CHECK(Contains(RunCommand({"bogus"}).err, "no command 'bogus'"));
  CHECK(Contains(RunCommand({"graph", add.path(), "--open", "nope"}).err, "'nope'"));
}

TEST_CASE("a memory limit of nothing ends a run") {
  const TempFile add("add.hlo", kAdd);
  const CommandResult result = RunCommand({"run", add.path(), "--memory-limit", "0"});
  CHECK(result.status == kExitDiagnostics);
  CHECK(Contains(result.err, "memory-exceeded"));
}

TEST_CASE("precision: what is infinite in one result alone is infinitely far") {
  const TempFile square("square.hlo",
                        "ENTRY e {\n  x = f32[3] parameter(0)\n"
                        "  ROOT y = f32[3] multiply(x, x)\n}\n");
  const std::vector<std::string> args = {"precision",    square.path(), "--input",
                                         "0={1,2,1e30}", "--expected",  "{1,4.0001,5}"};
  CHECK(Contains(RunCommand(args).out, "largest error inf ulp, at [2]: inf"));
  std::vector<std::string> as_json = args;
  as_json.emplace_back("--json");
  CHECK(Contains(RunCommand(as_json).out, "\"ulp\":null,\"relative\":null,\"absolute\":"));
}

TEST_CASE("debug: statistics see infinities") {
  const TempFile square("square.hlo",
                        "ENTRY e {\n  x = f32[3] parameter(0)\n"
                        "  ROOT y = f32[3] multiply(x, x)\n}\n");
  const TempFile script("script",
                        "until max y > 1e30\nprint max y\nprint sum y\nprint infs y\n"
                        "print min y\n");
  const CommandResult result =
      RunCommand({"debug", square.path(), "--input", "0={1,2,1e30}", "--script", script.path()});
  CHECK(!Contains(result.out, "no such step"));
  CHECK(Contains(result.out, "max y = inf"));
  CHECK(Contains(result.out, "sum y = inf"));
  CHECK(Contains(result.out, "infs y = 1"));
  CHECK(Contains(result.out, "min y = 1"));
}

TEST_CASE("shrink: what is small enough stays, and what is in the way is said") {
  const TempFile add("add.hlo", kAdd);
  const CommandResult same = RunCommand({"shrink", add.path()});
  CHECK(same.status == kExitGood);
  CHECK(Contains(same.out, "add(p, q)"));
  CHECK(Contains(same.err, "small enough as it is"));
  const CommandResult never = RunCommand({"shrink", add.path(), "--peak", "1"});
  CHECK(never.status == kExitDiagnostics);
  CHECK(Contains(never.err, "all dimensions are less than 8"));
  const TempFile large("large.hlo",
                       "ENTRY e {\n  x = f32[4096] parameter(0)\n"
                       "  ROOT y = f32[4096] negate(x)\n}\n");
  CHECK(Contains(RunCommand({"shrink", large.path(), "--operations", "2000"}).err, "4096 -> "));
}

}  // namespace
}  // namespace hlo
