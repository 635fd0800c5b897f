// engine/io: XLA's reports of programs that do not fit. The texts follow reports in public issues.
#include <string>

#include "doctest/doctest.h"
#include "engine/io/memory_report.h"

namespace hlo {
namespace {

constexpr std::string_view kHbm = R"(Traceback (most recent call last):
  File "train.py", line 200, in <module>
RESOURCE_EXHAUSTED: Ran out of memory in memory space hbm. Used 41.74G of 16.00G hbm. Exceeded hbm capacity by 25.74G.

Total hbm usage >= 41.74G:
    reserved        528.00M
    arguments       unknown size

Output size 0B; shares 0B with arguments.

Program hbm requirement 41.22G:
    global             4.0K
    HLO temp         41.19G (1.2% utilization: Unpadded (140.25M) Padded (10.96G), 0.0% fragmentation (0B))

  Largest program allocations in hbm:

  1. Size: 32.00G
     Operator: op_type="FloorMod" op_name="step/Size: 3/FloorMod" source_file="/a/model.py" source_line=177
     Shape: s32[8388608,8,4]{2,1,0:T(8,128)}
     Unpadded size: 1.00G
     Extra memory due to padding: 31.00G (32.0x expansion)
     XLA label: %copy.4 = s32[8388608,8,4]{2,1,0:T(8,128)} copy(s32[8388608,8,4]{0,2,1:T(4,128)} %g)
     Allocation type: HLO temp
     ==========================

  2. Size: 4.0K
     Shape: f32[1024]{0:T(1024)}
     Unpadded size: 4.0K
     Allocation type: global
     ==========================
)";

TEST_CASE("memory reports: a TPU's") {
  CHECK(LooksLikeMemoryReport(kHbm));
  const MemoryReportText report = ParseMemoryReport(kHbm);
  CHECK(report.space == "hbm");
  CHECK(report.used == 44817983734);  // 41.74 * 2^30, rounded
  CHECK(report.capacity == int64_t{16} << 30);
  CHECK(report.exceeded == 27638114550);
  REQUIRE(report.totals.size() == 6);
  CHECK(report.totals[0].text == "41.74G");
  CHECK(report.totals[1].name == "reserved");
  CHECK(report.totals[1].bytes == int64_t{528} << 20);
  CHECK(report.totals[2].name == "arguments");
  CHECK(report.totals[2].bytes == -1);
  CHECK(report.totals[4].bytes == 4096);
  CHECK(report.totals[5].name == "HLO temp");
  REQUIRE(report.buffers.size() == 2);
  const ReportedBuffer& first = report.buffers[0];
  CHECK(first.bytes == int64_t{32} << 30);
  CHECK(first.unpadded_bytes == int64_t{1} << 30);
  CHECK(first.padding_bytes == int64_t{31} << 30);
  CHECK(first.shape == "s32[8388608,8,4]{2,1,0:T(8,128)}");
  CHECK(first.op_name == "step/Size: 3/FloorMod");
  CHECK(first.source == "/a/model.py:177");
  CHECK(first.type == "HLO temp");
  CHECK(first.label.starts_with("%copy.4 = "));
  CHECK(kHbm.substr(first.range.begin).starts_with("Size: 32.00G"));
  CHECK(kHbm.substr(0, first.range.end).ends_with("Allocation type: HLO temp"));
  CHECK(report.buffers[1].padding_bytes == -1);
}

TEST_CASE("memory reports: in a log, and as Python shows a string") {
  std::string log;
  std::string quoted;
  for (size_t begin = 0; begin < kHbm.size();) {
    const size_t end = kHbm.find('\n', begin);
    const std::string line(kHbm.substr(begin, end - begin));
    log += "2020-05-04 09:05:40.721128: E    1578 xla_client/xla_util.cc:76] " + line + "\n";
    quoted += line + "\\n";
    begin = end + 1;
  }
  for (const std::string& text : {log, quoted}) {
    const MemoryReportText report = ParseMemoryReport(text);
    CHECK(report.capacity == int64_t{16} << 30);
    CHECK(report.totals.size() == 6);
    REQUIRE(report.buffers.size() == 2);
    CHECK(report.buffers[0].shape == "s32[8388608,8,4]{2,1,0:T(8,128)}");
    CHECK(report.buffers[0].padding_bytes == int64_t{31} << 30);
  }
}

TEST_CASE("memory reports: buffer assignment's, of GPUs and CPUs") {
  constexpr std::string_view kText =
      "XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 6291456 bytes.\n"
      "BufferAssignment OOM Debugging.\n"
      "BufferAssignment stats:\n"
      "             parameter allocation:    6.00MiB\n"
      "              constant allocation:         0B\n"
      "              total fragmentation:         0B (0.00%)\n"
      "Peak buffers:\n"
      "\tBuffer 1:\n"
      "\t\tSize: 6.00MiB\n"
      "\t\tOperator: op_name=\"jit(concatenate)/concatenate[dimension=0]\" "
      "source_file=\"/m.py\" source_line=689\n"
      "\t\tXLA Label: concatenate\n"
      "\t\tShape: f32[4096,128,3]\n"
      "\t\t==========================\n"
      "\n"
      "\tBuffer 2:\n"
      "\t\tSize: 384.0KiB\n"
      "\t\tEntry Parameter Subshape: f32[256,128,3]\n"
      "\t\t==========================\n";
  CHECK(LooksLikeMemoryReport(kText));
  const MemoryReportText report = ParseMemoryReport(kText);
  CHECK(report.space == "device");
  REQUIRE(report.totals.size() == 4);
  CHECK(report.totals[0].bytes == 6291456);
  CHECK(report.totals[1].name == "parameter allocation");
  CHECK(report.totals[1].bytes == 6 << 20);
  CHECK(report.totals[3].name == "total fragmentation");
  REQUIRE(report.buffers.size() == 2);
  CHECK(report.buffers[0].label == "concatenate");
  CHECK(report.buffers[0].shape == "f32[4096,128,3]");
  CHECK(report.buffers[1].type == "entry parameter");
  CHECK(report.buffers[1].bytes == 384 << 10);
}

TEST_CASE("memory reports: sizes as they are written") {
  CHECK(ParseByteCount("0B") == 0);
  CHECK(ParseByteCount("4.0K") == 4096);
  CHECK(ParseByteCount("1.50MiB (x)") == 1572864);
  CHECK(ParseByteCount("6291456 bytes.") == 6291456);
  CHECK(ParseByteCount("2.63GiB") == 2823940997);
  CHECK(ParseByteCount("unknown size") == -1);
  CHECK(ParseByteCount("") == -1);
  CHECK(ParseByteCount("99999999999999999999T") == -1);
}

TEST_CASE("memory reports: other texts") {
  CHECK(!LooksLikeMemoryReport("HloModule m\nENTRY e { ROOT p = f32[] parameter(0) }"));
  CHECK(ParseMemoryReport("").buffers.empty());
  CHECK(ParseMemoryReport("Shape: f32[2]\nSize: \nSize: x").buffers.size() == 2);
  CHECK(ParseMemoryReport("TPU TensorCore Hbm usage: 34.82G, SparseCore Hbm usage 174.10G, "
                          "exceeding available bytes: 95.74G")
            .totals.size() == 2);
}

// The forms of XLA's buffer_assignment.cc and hlo_live_range.cc.
constexpr std::string_view kDumpedAssignment = R"(BufferAssignment:
allocation 0: size 16, parameter 0, shape |f32[4]| at ShapeIndex {}:
 value: <0 Arg_0.1 @0> (size=16,offset=0): f32[4]{0}
allocation 1: size 64, output shape is |(f32[4])|, maybe-live-out:
 value: <4 add.3{0} @0> (size=16,offset=0): f32[4]{0}
 value: <5 mul.4 @0> (size=32,offset=32): f32[8]{0}
allocation 2: size 8, constant:

Total bytes used: 88 (88B)

Used values:
<0 Arg_0.1 @0>
 positions:
  Arg_0.1

HloLiveRange (max 3):
  InstructionSequence:
    0:Arg_0.1
  BufferLiveRange:
    Arg_0.1{}:0-3
    add.3{0}:1-2
  Live ranges at 1 (peak):
    add.3: 16 bytes
)";

TEST_CASE("memory reports: a buffer assignment that was dumped") {
  CHECK(LooksLikeMemoryReport(kDumpedAssignment));
  const MemoryReportText report = ParseMemoryReport(kDumpedAssignment);
  CHECK(report.used == 88);
  REQUIRE(report.totals.size() == 3);
  CHECK(report.totals[1].name == "output");
  CHECK(report.totals[1].bytes == 64);
  REQUIRE(report.buffers.size() == 4);
  CHECK(report.buffers[0].label == "%Arg_0.1");
  CHECK(report.buffers[0].type == "parameter, allocation 0 + 0");
  CHECK(report.buffers[0].end == 3);
  CHECK(report.buffers[1].label == "%add.3{0}");
  CHECK(report.buffers[1].begin == 1);
  CHECK(report.buffers[2].bytes == 32);
  CHECK(report.buffers[2].type == "output, allocation 1 + 32");
  CHECK(report.buffers[2].begin == -1);
  CHECK(report.buffers[3].label == "%allocation.2");
  CHECK(report.buffers[3].type == "constant");
}

TEST_CASE("memory reports: a memory usage report that was dumped") {
  const std::string text =
      "Total bytes used: 1536 (1.5KiB)\n\nAllocations sorted by size:\n\n"
      "    1.0KiB( 67%);       512B; allocation 1: size 1.0KiB, preallocated-temp:\n"
      "\n\nAllocations sorted by size with their values:\n"
      "allocation 1: size 1.0KiB, preallocated-temp:\n\n"
      "\tcumulative_size;       size;       offset; used_by_n_values; shapes_list\n"
      "\t------------------------------------------------------------\n"
      "\t     768B( 75%);       768B;            0;                2; 2\u00d7f32[192]\n"
      "\t   1.0KiB(100%);       256B;          768;                1; f32[64], s32[64]\n\n"
      "allocation 0: size 512B, parameter 0, shape |f32[128]| at ShapeIndex {}:\n";
  const MemoryReportText report = ParseMemoryReport(text);
  CHECK(report.used == 1536);
  REQUIRE(report.buffers.size() == 3);
  CHECK(report.buffers[0].bytes == 768);
  CHECK(report.buffers[0].shape == "f32[192]");
  CHECK(report.buffers[0].type == "temporary, allocation 1 + 0");
  CHECK(report.buffers[1].shape == "f32[64]");
  CHECK(report.buffers[1].type == "temporary, allocation 1 + 768");
  CHECK(report.buffers[2].shape == "f32[128]");
  CHECK(report.buffers[2].type == "parameter");
}

}  // namespace
}  // namespace hlo
