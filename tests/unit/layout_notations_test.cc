// Notations for layouts: text, faults on their character, conversion, equality, and what holds for
// random layouts of each.
#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

#include "doctest/doctest.h"
#include "engine/layout/notation_writers.h"
#include "engine/views/layout_compare.h"
#include "engine/views/layout_subject.h"
#include "tests/unit/layout_cases.h"

namespace hlo {
namespace {

std::string FirstFault(const LayoutView& view) {
  return view.diagnostics.empty() ? "" : view.diagnostics.list()[0].message;
}

LayoutView Good(std::string_view text) {
  INFO(std::string(text));
  LayoutView view = MakeLayoutView(text);
  INFO(FirstFault(view));
  REQUIRE(view.map != nullptr);
  return view;
}

// What a layout is in another notation, or "no: " and the reason.
std::string In(std::string_view key, std::string_view subject) {
  for (const LayoutConversion& conversion : ConvertLayout(Good(subject))) {
    if (conversion.notation->key != key) continue;
    if (conversion.text.empty()) return "no: " + conversion.reason;
    return conversion.text + (conversion.note.empty() ? "" : " | " + conversion.note);
  }
  return "none";
}

TEST_CASE("subjects print in their short form, with their key") {
  const struct {
    const char* text;
    const char* subject;
    const char* notation;
  } rows[] = {
      {"f32[3,5]{1,0:(2,2)}", "f32[3,5]{1,0:T(2,2)}", "shape"},
      {"shape: f32[3,5]", "f32[3,5]{1,0}", "shape"},
      {"f32[2,3]{1,0:PAD(3,5;0)}", "f32[2,3]{1,0:PAD(3,5;0)}", "padded"},
      {"morello: f32[6,8] [1,0,1p(4)]", "morello: f32[6,8] [1, 0, 1 p(4)]", "morello"},
      {"6x8[1,0,1 p(4)]", "morello: f32[6,8] [1, 0, 1 p(4)]", "morello"},
      {"morello:[6,8] [1,0]", "morello: f32[6,8] [1, 0]", "morello"},
      {"bf16[6,8] ([0,1], c1)", "morello: bf16[6,8] ([0, 1], c1)", "morello"},
      {"morello: s8[6,1,8] row_major(shp)", "morello: s8[6,1,8] [0, 2]", "morello"},
      {"6x4x8 batched_col_major", "morello: f32[6,4,8] [0, 2, 1]", "morello"},
      {"morello: 2x3 col_major", "morello: f32[2,3] [1, 0]", "morello"},
      {"morello: 2x8x3x3 NCHWc(4)", "morello: f32[2,8,3,3] [0, 1, 2, 3, 1 p(4)]", "morello"},
      {"2x3x4x5 nhwc", "morello: f32[2,3,4,5] NHWC", "morello"},
      {"6x8 Layout::new(vec![(1, PhysDim::Dynamic), (0, PhysDim::Dynamic), "
       "(1, PhysDim::Packed(nz!(4u32))),])",
       "morello: f32[6,8] [1, 0, 1 p(4)]", "morello"},
      {"morello: 8 [(0, OddEven(8))]", "morello: f32[8] [0 oe(8)]", "morello"},
      {"(4,2):(1,4)", "cute: f32 (4,2):(1,4)", "cute"},
      {"cute: 8:1", "cute: f32 8:1", "cute"},
      {"bf16 (_4,(_2,_8)):(_16,(_1,_2))", "cute: bf16 (4,(2,8)):(16,(1,2))", "cute"},
      {"cute: (4,(2,8))", "cute: f32 (4,(2,8)):(1,(4,8))", "cute"},
      {"Sw<3,4,3> o 0 o (8,64):(64,1)", "cute: f32 Sw<3,4,3> o 0 o (8,64):(64,1)", "cute"},
      // In shared memory CuTe swizzles bytes.
      {"cute: f16 Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)",
       "cute: f16 Sw<3,3,3> o 0 o (8,64):(64,1)", "cute"},
      {"Sw<2,4,3> o smem_ptr[32b](unset) o (8,16):(16,1)",
       "cute: f32 Sw<2,2,3> o 0 o (8,16):(16,1)", "cute"},
      {"s4 Sw<1,4,3> o smem_ptr[4b](unset) o (8,64):(64,1)",
       "cute: s4 Sw<1,5,3> o 0 o (8,64):(64,1)", "cute"},
      {"cute: Swizzle<2,0,-3> o (8,8):(8,1)", "cute: f32 Sw<2,0,-3> o 0 o (8,8):(8,1)", "cute"},
      {"cute: 3 o 4:2", "cute: f32 Sw<0,0,0> o 3 o 4:2", "cute"},
      {"cute: ():()", "cute: f32 ():()", "cute"},
      {"f32[8,128] strides=(128,1) offset=5", "strides: f32[8,128] (128,1) offset=5", "strides"},
      {"strides: bf16[8,128](128,1)", "strides: bf16[8,128] (128,1)", "strides"},
      {"shape=(4,) strides=(-1,) offset=3", "strides: f32[4] (-1) offset=3", "strides"},
      {"f64[2,3] byte_strides=(24, 8), byte_offset=16", "strides: f64[2,3] (3,1) offset=2",
       "strides"},
      {"strides: f32[2,3] stride=[1, 2] storage_offset: 7", "strides: f32[2,3] (1,2) offset=7",
       "strides"},
  };
  for (const auto& row : rows) {
    const LayoutView view = Good(row.text);
    CHECK(view.subject == row.subject);
    CHECK(view.notation->key == row.notation);
    CHECK(Good(view.subject).subject == row.subject);
  }
}

TEST_CASE("every notation of the table reads its own example, and writes it") {
  for (const LayoutNotation& notation : LayoutNotations()) {
    CHECK(!notation.doc.empty());
    CHECK(!notation.examples.empty());
    for (std::string_view example : notation.examples) {
      const LayoutView view = Good(std::string(notation.key) + ": " + std::string(example));
      CHECK(view.notation == &notation);
      CHECK(RecogniseNotation(example).key == (notation.key == "padded" ? "shape" : notation.key));
    }
    // Its own writer cannot write every layout that it reads: the first example is plain.
    const std::string first(notation.examples.front());
    const LayoutView view = Good(std::string(notation.key) + ": " + first);
    const CanonicalLayout canonical = Canonicalize(*view.map);
    const Written written = WriteLayout(notation, {*view.map, canonical, 32});
    CHECK(written.reason == "");
    CHECK_FALSE(written.text.empty());
  }
}

// `~` marks the first character that the fault is about, the second `~` where it ends.
TEST_CASE("faults are on the character that is wrong") {
  const struct {
    const char* marked;
    const char* words;
  } rows[] = {
      {"f32[3,5]{1,~1~}", "named twice"},
      {"f32[3,5]{~2~,0}", "no dimension"},
      {"f32[3,5]{1,0:T(~0~,2)}", "no tile size"},
      {"f32[3,5]{1,0:T(2,~-2~)}", "no tile size"},
      {"f32[3,5]{1,0:T(2,~*~)}", "last entry"},
      {"f32[3,5]~{1}~", "minor to major size is 1"},
      {"f32[2,3]{1,0:PAD(3,~2~)}", "smaller than the dimension size"},
      {"f32[2,3]{1,0:SC(0:~2~)}", "does not cut"},
      {"morello: f32[6,8] [1, 0, ~1 p(3)~]", "does not divide"},
      {"morello: f32[6,8] [1, 0, 1 p(~1~)]", "2 or more"},
      {"morello: f32[6,8] [1, 0, 1 oe(~3~)]", "even number"},
      {"morello: f32[6,8] [0, ~2~, 1]", "no dimension 2"},
      {"6x8 [~0~, 0, 1]", "covered already"},
      {"morello: ~[0, 1]~", "needs the sizes"},
      {"morello: 8x8 ~nhwc~", "rank 4"},
      {"morello: ~f99~[8] [0]", "no element type"},
      {"cute: (4,2):(1,~2~)", "these strides alias: elements (2,0) and (0,1)"},
      {"cute: (4,2):(~0~,1)", "stride 0 puts all 4 values"},
      {"cute: (4,2):~1~", "must have one too"},
      {"cute: (4,2):~(1,2,3)~", "3 strides for 2 modes"},
      {"cute: (4,~)~", "expected a size"},
      {"cute: Sw<3,4,~2~> o 0 o 8:1", "at least 3"},
      {"cute: Sw<3,~99~,3> o 0 o 8:1", "at most bit 60"},
      {"cute: 8:~9223372036854775807~", "too large"},
      {"cute: 8:~99999999999999999999~", "must fit 64 bits"},
      {"strides: f32[4] (~0~)", "stride 0"},
      {"strides: f32[4] (-1) offset=~2~", "at least 3, not 2"},
      {"strides: f32[2,3] ~(1)~", "1 strides for an array of rank 2"},
      {"strides: f32[2,3] byte_strides=(12,~3~)", "no whole number of elements"},
      {"strides: f32[3,2] (2,~4~)", "these strides alias"},
      {"strides: ~(1,2)~", "expected the sizes"},
      {"f32[2,2] strides=(1,2) shape=~(2,2)~", "in front already"},
  };
  for (const auto& row : rows) {
    std::string text = row.marked;
    const size_t begin = text.find('~');
    text.erase(begin, 1);
    const size_t end = text.find('~');
    text.erase(end, 1);
    text.erase(std::remove(text.begin(), text.end(), '~'), text.end());
    INFO(text);
    const LayoutView view = MakeLayoutView(text);
    CHECK(view.map == nullptr);
    REQUIRE(view.diagnostics.size() >= 1);
    const Diagnostic& fault = view.diagnostics.list()[0];
    INFO(fault.message);
    CHECK(fault.message.find(row.words) != std::string::npos);
    CHECK(fault.range.begin == begin);
    CHECK(fault.range.end == end);
  }
}

TEST_CASE("a layout is written in every notation that can express it") {
  const struct {
    const char* key;
    const char* subject;
    const char* expected;
  } rows[] = {
      // XLA and Morello, as the reference table pairs them.
      {"morello", "f32[2,3]{0,1}", "morello: f32[2,3] [1, 0]"},
      {"morello", "f32[4,8]{1,0:T(2,4)(2,1)}", "morello: f32[4,8] [0, 1, 0 p(2)]"},
      {"morello", "bf16[8,1,1280,16384]{3,2,0,1:T(8,128)(2,1)}",
       "morello: bf16[8,1,1280,16384] [0, 2, 3, 2 p(4), 3 p(128), 2 p(2)]"},
      {"morello", "bf16[32,32,4096]{2,1,0:T(8,128)(2,1)S(1)}",
       "morello: bf16[32,32,4096] [0, 1, 2, 1 p(4), 2 p(128), 1 p(2)] | Without S(1)."},
      {"morello", "bf16[2,8,128]{2,1,0:T(8,128)(2,1)}", "morello: bf16[2,8,128] [0, 1, 2, 1 p(2)]"},
      {"morello", "u32[2,8,128]{2,1,0:T(2,128)}", "morello: u32[2,8,128] [0, 1, 2]"},
      {"morello", "f32[16,16]{1,0:T(4,4)(2,2)}",
       "morello: f32[16,16] [0, 1, 0 p(2), 1 p(2), 0 p(2), 1 p(2)]"},
      {"morello", "f32[16,16]{1,0:T(4,4)(2,4,4)}", "morello: f32[16,16] [0, 1, 0 p(4), 1 p(4)]"},
      {"morello", "f32[32]{0:T(2)(8,1)}", "morello: f32[32] [0, 0 oe(16)]"},
      {"morello", "f32[8]{0:T(2)(4,1)}", "morello: f32[8] [0 oe(8)]"},
      {"morello", "f32[]", "morello: f32[] []"},
      {"shape", "6x8[1, 0, 1 p(4)]", "f32[6,8]{0,1:T(4,1)}"},
      {"shape", "2x3x4x5 NHWC", "f32[2,3,4,5]{1,3,2,0}"},
      {"shape", "1x8x2x2 [0, 1, 2, 3, 1 p(4)]", "f32[1,8,2,2]{3,2,1,0:T(4,1,1)}"},
      {"shape", "16 [0, 0 oe(8)]", "f32[16]{0:T(2)(4,1)}"},
      {"shape", "2x8 [0, 1 oe(8)]", "f32[2,8]{1,0:T(2)(4,1)}"},
      {"shape", "1x2x32 [0, 1, 2, 2 oe(16)]", "f32[1,2,32]{2,1,0:T(2)(8,1)}"},
      {"shape", "4x3 [0, 1, 0 p(2)]", "f32[4,3]{1,0:T(2,1)}"},
      {"shape", "morello: bf16[16,256] [0, 1, 0 p(4), 1 p(128), 0 p(2)]",
       "bf16[16,256]{1,0:T(8,128)(2,1)}"},
      // CuTe.
      {"cute", "f32[8,128]{1,0}", "cute: f32 (8,128):(128,1)"},
      {"cute", "f32[16,256]{1,0:T(8,128)}", "cute: f32 ((8,2),(128,2)):((128,2048),(1,1024))"},
      {"cute", "f32[4]{0}", "cute: f32 4:1"},
      {"cute", "f32[8]{0:T(2)(4,1)}", "cute: f32 ((2,4)):((4,1))"},
      {"cute", "s4[64,128]{1,0:E(4)}", "cute: s4 (64,128):(128,1)"},
      {"shape", "cute: (4,2):(1,4)", "f32[4,2]{0,1}"},
      {"shape", "cute: s4 (64,128):(128,1)", "s4[64,128]{1,0:E(4)}"},
      {"shape", "cute: (8,100):(128,1)",
       "f32[8,100]{1,0:T(128)} | The buffer ends after 1024 "
       "elements, not 996."},
      {"shape", "cute: (4,(2,2)):(4,(2,1))", "f32[4,4]{1,0:T(2)(2,1)}"},
      {"strides", "cute: (4,2):(1,4)", "strides: f32[4,2] (1,4)"},
      {"strides", "cute: 5 o (4,2):(1,4)", "strides: f32[4,2] (1,4) offset=5"},
      {"morello", "cute: (4,2):(1,4)", "morello: f32[4,2] [1, 0]"},
      // A plainer text of the same notation.
      {"shape", "f32[8,128]{1,0:T(4,128)}",
       "f32[8,128]{1,0:T(4,128)} | The same addresses as f32[8,128]{1,0}."},
      {"cute", "cute: ((2,2),8):((1,2),4)",
       "cute: f32 ((2,2),8):((1,2),4) | The same addresses as cute: f32 (4,8):(1,4)."},
      {"morello", "6x8[1, 0 p(6), 1 p(4)]",
       "morello: f32[6,8] [1, 0 p(6), 1 p(4)] | The same addresses as morello: f32[6,8] [1, 0, 1 "
       "p(4)]."},
      {"padded", "f32[2,3]{1,0:PAD(3,5;0)}", "f32[2,3]{1,0:PAD(3,5;0)}"},
      // Strides.
      {"strides", "f32[2,3]{0,1}", "strides: f32[2,3] (1,2)"},
      {"strides", "f32[2,3]{1,0:PAD(3,5;0)}",
       "strides: f32[2,3] (5,1) | The buffer ends after 8 elements, not 15. Without the padding "
       "value 0."},
      {"padded", "strides: f32[2,3] (5,1)",
       "f32[2,3]{1,0:PAD(2,5)} | The buffer ends after 10 elements, not 8."},
      {"shape", "f32[2,3]{1,0:PAD(3,5;0)}", "f32[2,3]{1,0:T(3,5)} | Without the padding value 0."},
      {"cute", "strides: f32[4] (-1) offset=3", "cute: f32 Sw<0,0,0> o 3 o 4:-1"},
      {"shape", "strides: f32[5] (2)",
       "f32[5]{0:T(2,1)} | The buffer ends after 10 elements, not 9."},
      {"shape", "strides: f32[2,3] (40,8)",
       "f32[2,3]{1,0:T(5)(8,1,1,1)} | The buffer ends after 80 elements, not 57."},
      // Why not.
      {"morello", "f32[3,5]{1,0:T(2,2)}",
       "no: Morello never pads, but 15 elements lie in a buffer of 24."},
      {"morello", "bf16[2048]{0:T(1024)(128)(2,1)}",
       "no: Morello takes the parts of a dimension from the lowest up, but the steps of 128 in "
       "dimension 0 lie closer together than those of 1."},
      {"morello", "s4[64,128]{1,0:E(4)}",
       "no: Elements take 4 bits each here, but Morello stores this type in 8."},
      {"morello", "f32[0,5]{1,0}", "no: Morello has no dimension of size 0."},
      {"morello", "f32[8,8]{1,0:SC(0:4)}", "no: Morello has no place for splits (SC)."},
      {"cute", "f32[3,5]{1,0:T(2,2)}",
       "no: CuTe's sizes multiply exactly, but dimension 0 is cut at every 2 values, which do not "
       "divide its 3."},
      {"strides", "f32[16,256]{1,0:T(8,128)}",
       "no: A dimension has one stride, but dimension 0 is cut at every 8 values."},
      {"padded", "6x8[1, 0, 1 p(4)]",
       "no: Padded dimensions stay whole, but dimension 1 is cut at every 4 values."},
      {"shape", "strides: f32[4] (-1) offset=3",
       "no: The first element lies at offset 3; XLA has no offset."},
      {"shape", "strides: f32[2,3] (3,2)",
       "no: Stride 3 (dimension 0) is no multiple of stride 2 (dimension 1) that holds its 3 "
       "values, as it is under tiles."},
      {"cute", "f32[7,9]{1,0:T(4,4)(3,1)}",
       "no: CuTe without a swizzle adds up strides, but tile (3,1) cuts unevenly what "
       "earlier tiles left."},
      {"shape", "Sw<1,0,1> o 0 o 8:1",
       "no: XLA adds up strides, but Swizzle<1,0,1> exclusive-ors bits of the offset, which no sum "
       "does."},
  };
  for (const auto& row : rows) {
    INFO(std::string(row.subject));
    CHECK(In(row.key, row.subject) == std::string(row.expected));
  }
}

TEST_CASE("any order of parts has tiles") {
  // Four parts of each of two dimensions, from the lowest to the highest in memory and mixed.
  const LayoutView view = Good("cute: ((2,3,2,2),(3,2,2,2)):((288,6,36,1),(2,72,18,144))");
  const std::string text = In("shape", view.subject);
  INFO(text);
  const LayoutView written = Good(text);
  CHECK(Offsets(*written.map) == Offsets(*view.map));
}

TEST_CASE("two layouts: equal, or the first element that lies elsewhere") {
  auto outcome = [](const char* a, const char* b) { return CompareLayouts(Good(a), Good(b)).text; };
  CHECK(outcome("f32[6,8]{0,1:T(4,1)}", "6x8[1, 0, 1 p(4)]") == "The same layout.");
  CHECK(outcome("f32[6,8]{0,1:T(4,1)}", "cute: (6,(4,2)):(4,(1,24))") == "The same layout.");
  CHECK(outcome("f32[10]{0:L(8)}", "f32[10]{0}") ==
        "The same places in buffers of different sizes.");
  CHECK(outcome("f32[10]{0}", "bf16[10]{0}") ==
        "The same places in order, but elements of different sizes.");
  CHECK(outcome("f32[4,4]{1,0}", "f32[4,4]{1,0:T(2,2)}") ==
        "Element (0,2) lies at offset 2 in the first and 4 in the second.");
  CHECK(outcome("f32[4,4]{1,0}", "f32[4,4]{0,1}") ==
        "Element (0,1) lies at offset 1 in the first and 4 in the second.");
  CHECK(outcome("f32[4,4]{1,0}", "f32[4,5]{1,0}") ==
        "The arrays have different dimensions: (4,4) and (4,5).");
  // Tiles that lead nowhere, of an array that no one could compare element by element.
  CHECK(outcome("f32[1048576,1048576]{1,0}", "f32[1048576,1048576]{1,0:T(1048576)}") ==
        "The same layout.");
  CHECK(outcome("f32[1048576,1048576]{1,0}", "f32[1048576,1048576]{1,0:T(2,1048576)}") ==
        "The same layout.");
  CHECK(outcome("f32[1048576,1048576]{1,0}", "f32[1048576,1048576]{1,0:T(2,1024)}") ==
        "Element (0,1024) lies at offset 1024 in the first and 2048 in the second.");
  // Uneven tiles: equal where all that differs is written differently.
  CHECK(outcome("f32[8]{0:T(4)(3)}", "strides: f32[8] (1)") ==
        "Element (4) lies at offset 6 in the first and 4 in the second.");
  CHECK(outcome("f32[4096,4096]{1,0:T(4,4)(3,1)}", "f32[4096,4096]{1,0:T(4,4)(3,1)(1)}") ==
        "327680 elements lie in the same places; the rest was not compared.");
  const LayoutComparison far = CompareLayouts(Good("f32[4096,4096]{1,0:T(128,4096)(3,1)}"),
                                              Good("f32[4096,4096]{1,0:T(96,4096)(3,1)}"));
  CHECK(far.difference.differs);
  CHECK(!far.difference.exact);
  CHECK(outcome("f32[7,9]{1,0:T(4,4)(3,1)}", "f32[7,9]{1,0:T(4,4)(3,1)(1)}") == "The same layout.");
}

TEST_CASE("a sum of parts, as a formula") {
  CHECK(AddressFormula(*Good("6x8[1, 0, 1 p(4)]").map) == "24*(i1/4) + 4*i0 + i1%4");
  CHECK(AddressFormula(*Good("f32[8,128]{1,0}").map) == "128*i0 + i1");
  CHECK(AddressFormula(*Good("f32[8]{0:T(2)(4,1)}").map) == "4*(i0%2) + i0/2");
  CHECK(AddressFormula(*Good("strides: f32[4] (-1) offset=3").map) == "3 + -1*i0");
  CHECK(AddressFormula(*Good("f32[]").map) == "0");
  CHECK(AddressFormula(*Good("Sw<1,0,1> o 0 o 8:1").map) == "");
}

TEST_CASE("a layout without sizes is given some that it applies to") {
  for (const char* text : {"[1, 0, 1 p(4)]", "NCHW", "NCHWc(4)", "[0, 1, 1 oe(8)]",
                           "morello: Layout::new(vec![\n (0, PhysDim::Dynamic),\n])"}) {
    CAPTURE(text);
    Diagnostics faults;
    REQUIRE(ReadLayoutSubject(text, faults).map == nullptr);
    REQUIRE(faults.list().size() == 1);
    const Diagnostic& fault = faults.list().front();
    REQUIRE(fault.fixes.size() == 1);
    std::string mended = text;
    mended.insert(fault.fixes[0].range.begin, fault.fixes[0].replacement);
    Diagnostics again;
    CHECK(ReadLayoutSubject(mended, again).map != nullptr);
  }
}

TEST_CASE("Morello's address is built up term by term, back to front") {
  using Lines = std::vector<std::string>;
  auto terms = [](const char* text, const Dims& index) {
    return Good(text).map->Explain(View(index)).terms;
  };
  // The example of Morello's text on data layouts.
  const auto packed = terms("6x8[1, 0, 1 p(4)]", {5, 7});
  REQUIRE(packed.size() == 3);
  CHECK(packed[0].part == "1 p(4)");
  CHECK(packed[0].lines == Lines{"b1 = d1 mod 4", "= 3"});
  CHECK(packed[1].part == "0");
  CHECK(packed[1].lines == Lines{"b2 = b1 + 4 * (d0 mod 6)", "= b1 + 4 * d0, for d0 is at most 5",
                                 "= 3 + 4 * 5 = 23"});
  CHECK(packed[2].part == "1");
  CHECK(packed[2].lines == Lines{"b3 = b2 + 24 * (floor(d1 / 4) mod 2)",
                                 "= b2 + 24 * floor(d1 / 4), for floor(d1 / 4) is at most 1",
                                 "= 23 + 24 * 1 = 47"});
  const auto strips = terms("2x16[0, 1, 1 oe(8)]", {1, 11});
  REQUIRE(strips.size() == 3);
  CHECK(strips[0].lines == Lines{"x = d1 mod 8 = 3: even numbers before odd ones",
                                 "b1 = floor(x / 2) + 4 * (x mod 2)", "= 5"});
  CHECK(strips[2].lines.back() == "= 13 + 16 * 1 = 29");
  CHECK(terms("f32[3,5]{1,0:T(2,2)}", {2, 3}).empty());
}

TEST_CASE("an address is explained in every notation") {
  auto lines = [](const char* text, const Dims& index) {
    return Good(text).map->Explain(View(index)).lines;
  };
  using Lines = std::vector<std::string>;
  CHECK(lines("6x8[1, 0, 1 p(4)]", {5, 7}) ==
        Lines{"index (5,7)", "= 3 + 20 + 24", "= 47", "bits 1504 to 1535, byte 188"});
  CHECK(lines("8 [0 oe(8)]", {5}) == Lines{"index (5)", "= 6", "bits 192 to 223, byte 24"});
  CHECK(lines("cute: bf16 Sw<1,0,1> o 2 o 4:1", {1}) ==
        Lines{"index (1)", "dimension 0: 1 / 1 mod 4 = 1, times 1 = 1", "= 2 + 1", "= 3",
              "swizzle: 3 = 0b11 becomes 0b10, exclusive or 1", "= 2", "bits 32 to 47, byte 4"});
}

}  // namespace
}  // namespace hlo
