// engine/base: positions, diagnostics as text, the budget, the small vector.
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/base/bits.h"
#include "engine/base/budget.h"
#include "engine/base/diagnostics.h"
#include "engine/base/indices.h"
#include "engine/base/small_vector.h"
#include "engine/base/source.h"

namespace hlo {
namespace {

TEST_CASE("LineTable counts lines and columns from 1") {
  LineTable lines("ab\ncd\r\n\nx");
  CHECK(lines.line_count() == 4);
  CHECK(lines.At(0).line == 1);
  CHECK(lines.At(0).column == 1);
  CHECK(lines.At(4).line == 2);
  CHECK(lines.At(4).column == 2);
  CHECK(lines.At(8).line == 4);
  CHECK(lines.At(1000).line == 4);
  CHECK(lines.Line(2) == "cd");
  CHECK(lines.Line(3).empty());
  CHECK(lines.Line(0).empty());
  CHECK(lines.Line(5).empty());
}

void CheckCode(DiagCode code, std::string_view id, std::vector<std::string_view>* seen) {
  CHECK(GetDiagInfo(code).id == id);
  CHECK(!GetDiagInfo(code).meaning.empty());
  CHECK(std::find(seen->begin(), seen->end(), id) == seen->end());
  seen->push_back(id);
}

TEST_CASE("every diagnostic code has an id, a meaning, and its id is unique") {
  std::vector<std::string_view> ids;
#define DIAG(name, text_id, severity, sentence) CheckCode(DiagCode::k##name, text_id, &ids);
#include "engine/base/diag.def"
}

TEST_CASE("a diagnostic prints with a caret, its notes and its fixes") {
  std::string text = "a = f32[] ad(b)\n\tb = x";
  Diagnostics out;
  Diagnostic& d = out.Report(DiagCode::kOpcodeUnknown, {10, 12}, "unknown opcode 'ad'");
  d.notes.push_back({{17, 18}, "near here"});
  d.fixes.push_back({"did you mean 'add'", {10, 12}, "add"});
  CHECK(FormatDiagnostic(out.list()[0], "m.hlo", LineTable(text)) ==
        "m.hlo:1:11: error: unknown opcode 'ad' [opcode-unknown]\n"
        "  a = f32[] ad(b)\n"
        "            ^~\n"
        "m.hlo:2:2: note: near here\n"
        "  \tb = x\n"
        "  \t^\n"
        "m.hlo:1:11: fix: did you mean 'add': 'add'\n"
        "  a = f32[] ad(b)\n"
        "            ^~\n");
}

TEST_CASE("a diagnostic on a very long line shows a window of it") {
  std::string text(100000, '{');
  Diagnostics out;
  out.Report(DiagCode::kSyntaxError, {50000, 90000}, "too deep");
  std::string shown = FormatDiagnostic(out.list()[0], "m", LineTable(text));
  CHECK(shown.size() < 600);
  CHECK(shown.find("m:1:50001: error: too deep") == 0);
}

TEST_CASE("diagnostics are bounded and can be rolled back") {
  Diagnostics out;
  for (int i = 0; i < 5000; ++i) out.Report(DiagCode::kSyntaxError, {}, "x");
  CHECK(out.size() == Diagnostics::kMaxKept);
  CHECK(out.error_count() == 5000);
  Diagnostics trial;
  trial.Report(DiagCode::kSyntaxError, {5, 6}, "late");
  trial.Report(DiagCode::kSyntaxError, {1, 2}, "early");
  trial.SortByRange();
  CHECK(trial.list()[0].message == "early");
  trial.TruncateTo(0);
  CHECK(!trial.has_errors());
}

TEST_CASE("the budget gives bytes where what was asked looks like what is left") {
  Budget budget({.memory_bytes = 4096, .steps = 2});
  budget.Reserve(8);
  try {
    budget.Reserve(4100);
    FAIL("no exception");
  } catch (const RunError& error) {
    CHECK(error.message() ==
          "needs 4100 bytes, but 4088 bytes of the memory limit of 4 KiB are left");
  }
}

TEST_CASE("the budget says when even all of it is too little") {
  Budget budget({.memory_bytes = 4096, .steps = 2});
  try {
    budget.Reserve(8192);
    FAIL("no exception");
  } catch (const RunError& error) {
    CHECK(error.message() == "needs 8 KiB, more than the memory limit of 4 KiB");
  }
}

TEST_CASE("the budget says what was asked and what is left") {
  Budget budget({.memory_bytes = 100, .steps = 2});
  budget.Reserve(60);
  CHECK(budget.memory_left() == 40);
  try {
    budget.Reserve(41);
    FAIL("no exception");
  } catch (const RunError& error) {
    CHECK(error.code() == DiagCode::kMemoryExceeded);
    CHECK(error.message() ==
          "needs 41 bytes, but 40 bytes of the memory limit of 100 bytes are left");
  }
  CHECK_THROWS_AS(budget.Reserve(std::numeric_limits<uint64_t>::max()), RunError);
  budget.Release(60);
  CHECK(budget.memory_used() == 0);
  CHECK(budget.memory_peak() == 60);
  budget.Step();
  budget.Step();
  CHECK_THROWS_AS(budget.Step(), RunError);
}

TEST_CASE("the budget stops on cancel and on time") {
  Budget cancelled;
  cancelled.Poll();
  cancelled.Cancel();
  CHECK_THROWS_AS(cancelled.Poll(), RunError);
  Budget late({.seconds = -1});
  CHECK_THROWS_AS(late.Poll(), RunError);
}

TEST_CASE("SmallVector moves between its inside and the heap") {
  Dims dims{1, 2, 3};
  CHECK(dims.size() == 3);
  for (int i = 4; i < 20; ++i) dims.push_back(i);
  CHECK(dims[18] == 19);
  Dims copy = dims;
  Dims moved = std::move(dims);
  CHECK(copy == moved);
  CHECK(dims.empty());  // NOLINT: a moved-from vector is empty, and usable
  dims.push_back(7);
  CHECK(dims[0] == 7);
  moved.insert(moved.begin(), 99);
  CHECK(moved.front() == 99);
  CHECK(moved.size() == 20);
  moved.erase(moved.begin());
  CHECK(moved == copy);
  copy.resize(2);
  CHECK(copy == Dims{1, 2});
  copy.resize(4, 5);
  CHECK(copy == Dims{1, 2, 5, 5});
}

TEST_CASE("indices and positions are one another's inverse, in row-major order") {
  const Dims sizes = {2, 3, 4}, strides = DenseStrides(sizes);
  CHECK(strides == Dims{12, 4, 1});
  Dims index(sizes.size(), 0);
  for (int64_t position = 0; position < ElementCount(sizes); ++position) {
    CHECK(index == Unravel(position, sizes));
    CHECK(Ravel(index, sizes) == position);
    CHECK(StridedOffset(index, strides) == position);
    CHECK(NextIndex(index, sizes) == (position + 1 < ElementCount(sizes)));
  }
  CHECK(index == Dims{0, 0, 0});
  CHECK(Ravel({}, {}) == 0);
  CHECK(Unravel(0, {}).empty());
}

TEST_CASE("element counts of sizes that nobody has checked") {
  const auto count = [](const Dims& sizes) { return CheckedElementCount(sizes); };
  const int64_t large = int64_t{1} << 40;
  CHECK(count({}) == 1);
  CHECK(count({2, 3}) == 6);
  CHECK(count({large, large, 0}) == 0);
  CHECK(!count({large, large}));
  CHECK(!count({2, -1}));
}

TEST_CASE("checked arithmetic sees overflow") {
  int64_t out = 0;
  CHECK(MultiplyChecked(1 << 20, 1 << 20, &out));
  CHECK(!MultiplyChecked(int64_t{1} << 32, int64_t{1} << 32, &out));
  CHECK(!AddChecked(std::numeric_limits<int64_t>::max(), 1, &out));
  CHECK(CeilDiv(7, 2) == 4);
  CHECK(CeilDiv(8, 2) == 4);
  CHECK(CeilDiv(0, 2) == 0);
  CHECK(BitCast<uint32_t>(1.0f) == 0x3f800000u);
}

}  // namespace
}  // namespace hlo
