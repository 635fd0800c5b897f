// Attribute kinds Window and DimLabels.
// Source: XLA, hlo/parser/hlo_parser.cc (ParseWindow, ParseConvolutionDimensionNumbers),
// window_util.cc.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/hlo/attribute_text.h"

namespace hlo {
namespace {

// `size=3x3`: one number per dimension. `pad=0_1x0_1`: two of them.
struct WindowField {
  std::string_view name;
  int64_t WindowDim::*low;
  int64_t WindowDim::*high;  // of pad only
  int64_t otherwise;         // the value that is left out
};
constexpr WindowField kFields[] = {
    {"size", &WindowDim::size, nullptr, -1},
    {"stride", &WindowDim::stride, nullptr, 1},
    {"pad", &WindowDim::pad_low, &WindowDim::pad_high, 0},
    {"lhs_dilate", &WindowDim::base_dilation, nullptr, 1},
    {"rhs_dilate", &WindowDim::window_dilation, nullptr, 1},
};
constexpr std::string_view kReversal = "rhs_reversal";

const WindowField* FindField(std::string_view name) {
  for (const WindowField& field : kFields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

// "1x-2x3" or, with pairs, "1_2x3_4": the numbers in order.
bool ReadGroups(AttrReader& in, std::string_view name, bool pairs, Dims* numbers) {
  const std::string expected =
      pairs ? "expects window pad pattern, e.g., '0_0x3_3'"
            : fmt::format("expects token type kInt or kDxD: sub-attribute '{}=ixj...'", name);
  const char first = in.lex.Peek();
  if (!IsDigit(first) && first != '-') return in.lex.Fail(expected);
  do {
    int64_t number = 0;
    if (!in.lex.ReadInt(&number)) return false;
    numbers->push_back(number);
    if (!pairs) continue;
    if (in.lex.At(0) != '_') return in.lex.Fail(expected);
    in.lex.Advance(1);
    if (!in.lex.ReadInt(&number)) return false;
    numbers->push_back(number);
    if (in.lex.At(0) == '_') {
      return in.lex.Fail(
          "expects padding_low and padding_high separated by '_': a window has no interior "
          "padding");
    }
  } while (in.lex.At(0) == 'x' && (in.lex.Advance(1), true));
  return true;
}

struct ReadField {
  std::string_view name;
  const WindowField* field;  // null for rhs_reversal
  Range range;
  Dims numbers;
};

// XLA separates the fields by spaces only, and the numbers of one by `x`. True if another number
// follows.
bool ReportComma(AttrReader& in) {
  const Range range = in.lex.TokenRange();
  if (!in.lex.Consume(',')) return false;
  const bool is_number = IsDigit(in.lex.Peek());
  Diagnostic& report = in.lex.diagnostics().Report(
      DiagCode::kAttributeValue, range,
      fmt::format("expects sub-attributes in window: {}, not by ','",
                  is_number ? "numbers are separated by 'x'" : "they are separated by spaces"));
  report.fixes.push_back(is_number ? Fix{"write 'x'", range, "x"}
                                   : Fix{"remove the comma", range, ""});
  return is_number;
}

bool ReadWindowFields(AttrReader& in, std::vector<ReadField>* fields) {
  while (in.lex.Peek() != '}') {
    Range range = in.lex.TokenRange();
    std::string_view name = in.lex.ConsumeIdentifier();
    if (name.empty()) return in.lex.Fail("expects sub-attributes in window");
    const WindowField* field = FindField(name);
    if (!field && name != kReversal) {
      return in.Fail(range, fmt::format("unexpected attribute name: {}: expects size, stride, pad, "
                                        "lhs_dilate, rhs_dilate or rhs_reversal in a window",
                                        name));
    }
    for (const ReadField& other : *fields) {
      if (other.name == name) {
        return in.Fail(range, fmt::format("sub-attribute '{}=' already exists", name));
      }
    }
    fields->push_back({name, field, range, {}});
    if (!in.lex.ReadEquals()) return false;
    do {
      if (!ReadGroups(in, name, field && field->high, &fields->back().numbers)) return false;
      fields->back().range.end = in.lex.last_end();
    } while (ReportComma(in));
  }
  return in.lex.Read('}', "expects '}' after a window");
}

bool FillWindow(AttrReader& in, const std::vector<ReadField>& fields, Range range, Window* window) {
  if (fields.empty()) return true;
  auto size = std::find_if(fields.begin(), fields.end(),
                           [](const ReadField& f) { return f.name == "size"; });
  if (size == fields.end()) {
    return in.Fail(range, "sub-attribute 'size=' is expected but not seen in the window");
  }
  window->resize(size->numbers.size());
  for (const ReadField& field : fields) {
    size_t step = field.field && field.field->high ? 2 : 1;
    if (field.numbers.size() != window->size() * step) {
      return in.Fail(field.range,
                     fmt::format("expects '{}=' has the same size as 'size=': {}, not {}",
                                 field.name, window->size(), field.numbers.size() / step));
    }
    for (size_t i = 0; i < window->size(); ++i) {
      WindowDim& dim = (*window)[i];
      int64_t number = field.numbers[i * step];
      if (!field.field) {
        dim.reversal = number == 1;
        continue;
      }
      dim.*(field.field->low) = number;
      if (field.field->high) dim.*(field.field->high) = field.numbers[i * step + 1];
    }
  }
  return true;
}

// One of the three parts of dim_labels: `b01f`. Letters are the batch (or input feature) and the
// feature (or output feature), digits the spatial dimensions, `?` unknown dimensions.
struct LabelPart {
  std::string_view name;
  std::string_view text;
  char first, second;
  int64_t* first_dim;
  int64_t* second_dim;
  Dims* spatial;
  Dims* unknown;
};

bool IsUnique(std::string_view labels) {
  for (size_t i = 0; i < labels.size(); ++i) {
    if (labels[i] != '?' && labels.find(labels[i], i + 1) != std::string_view::npos) return false;
  }
  return true;
}

bool FillLabels(AttrReader& in, Range range, const LabelPart& part) {
  if (!IsUnique(part.text)) {
    return in.Fail(range, fmt::format("expects unique {} dimension numbers, but sees {}", part.name,
                                      part.text));
  }
  auto is_letter = [&](char c) { return c == part.first || c == part.second || c == '?'; };
  part.spatial->resize(part.text.size() - static_cast<size_t>(std::count_if(
                                              part.text.begin(), part.text.end(), is_letter)),
                       -1);
  *part.first_dim = *part.second_dim = -1;
  for (size_t i = 0; i < part.text.size(); ++i) {
    const char c = part.text[i];
    const size_t digit = static_cast<size_t>(c - '0');
    const int64_t dim = static_cast<int64_t>(i);
    if (c == '?') {
      part.unknown->push_back(dim);
    } else if (c == part.first) {
      *part.first_dim = dim;
    } else if (c == part.second) {
      *part.second_dim = dim;
    } else if (IsDigit(c) && digit < part.spatial->size()) {
      (*part.spatial)[digit] = dim;
    } else {
      return in.Fail(range, fmt::format("expects [0-{}{}{}?] in {} dimension numbers, but sees {}",
                                        static_cast<int64_t>(part.spatial->size()) - 1, part.first,
                                        part.second, part.name, part.text));
    }
  }
  return true;
}

bool CheckLetters(AttrReader& in, Range range, const LabelPart& part) {
  if (*part.first_dim >= 0 && *part.second_dim >= 0) return true;
  return in.Fail(range, fmt::format("expects {} dimension numbers to have `{}` and `{}`, but sees "
                                    "{}",
                                    part.name, part.first, part.second, part.text));
}

std::array<LabelPart, 3> PartsOf(ConvDimLabels& l) {
  return {
      {{"lhs", {}, 'b', 'f', &l.input_batch, &l.input_feature, &l.input_spatial, &l.input_unknown},
       {"rhs",
        {},
        'i',
        'o',
        &l.kernel_input_feature,
        &l.kernel_output_feature,
        &l.kernel_spatial,
        &l.kernel_unknown},
       {"output",
        {},
        'b',
        'f',
        &l.output_batch,
        &l.output_feature,
        &l.output_spatial,
        &l.output_unknown}}};
}

}  // namespace

bool ReadWindow(AttrReader& in, const AttrDef&, AttrValue* value) {
  Window& window = value->emplace<Window>();
  uint32_t begin = in.lex.TokenRange().begin;
  std::vector<ReadField> fields;
  if (!in.lex.Read('{', "expects '{' before a window") || !ReadWindowFields(in, &fields)) {
    return false;
  }
  return FillWindow(in, fields, {begin, in.lex.last_end()}, &window);
}

// Groups in which every dimension has the default are left out, and a window without dimensions
// altogether.
void PrintWindow(const AttrValue& value, const AttrDef&, const AttrPrinter&, std::string* out) {
  const Window& window = std::get<Window>(value);
  if (window.empty()) {
    out->append("{}");
    return;
  }
  char before = '{';
  auto append_group = [&](std::string_view name, auto is_default, auto append) {
    if (std::all_of(window.begin(), window.end(), is_default)) return;
    fmt::format_to(std::back_inserter(*out), "{}{}=", before, name);
    before = ' ';
    for (size_t i = 0; i < window.size(); ++i) {
      if (i > 0) out->push_back('x');
      append(window[i]);
    }
  };
  for (const WindowField& f : kFields) {
    append_group(
        f.name,
        [&](const WindowDim& d) {
          return &f != &kFields[0] && d.*(f.low) == f.otherwise &&
                 (!f.high || d.*(f.high) == f.otherwise);
        },
        [&](const WindowDim& d) {
          fmt::format_to(std::back_inserter(*out), "{}", d.*(f.low));
          if (f.high) fmt::format_to(std::back_inserter(*out), "_{}", d.*(f.high));
        });
  }
  append_group(
      kReversal, [](const WindowDim& d) { return !d.reversal; },
      [&](const WindowDim& d) { out->push_back(d.reversal ? '1' : '0'); });
  out->push_back('}');
}

bool ReadDimLabels(AttrReader& in, const AttrDef&, AttrValue* value) {
  ConvDimLabels& labels = value->emplace<ConvDimLabels>();
  std::array<LabelPart, 3> parts = PartsOf(labels);
  Range range = in.lex.TokenRange();
  std::string_view sides = in.lex.ConsumeRun("?");
  size_t separator = sides.find('_');
  if (separator == std::string_view::npos || !in.lex.Consume("->")) {
    return in.Fail(range, "expects dim labels pattern, e.g., 'bf0_0io->0bf'");
  }
  parts[0].text = sides.substr(0, separator);
  parts[1].text = sides.substr(separator + 1);
  parts[2].text = in.lex.ConsumeRun("?");
  range.end = in.lex.last_end();
  for (const LabelPart& part : parts) {
    if (part.text.size() < 2) {
      return in.Fail(range, "expects at least 2 dimension numbers in every part of dim_labels");
    }
    if (!FillLabels(in, range, part)) return false;
  }
  const size_t counts[] = {parts[0].spatial->size(), parts[1].spatial->size(),
                           parts[2].spatial->size()};
  if (counts[1] != counts[0] || counts[2] != counts[0]) {
    return in.Fail(range, fmt::format("input, kernel, and output must have same number of spatial "
                                      "dimensions, but got {}, {}, {}, respectively.",
                                      counts[0], counts[1], counts[2]));
  }
  return std::all_of(parts.begin(), parts.end(),
                     [&](const LabelPart& part) { return CheckLetters(in, range, part); });
}

void PrintDimLabels(const AttrValue& value, const AttrDef&, const AttrPrinter&, std::string* out) {
  ConvDimLabels labels = std::get<ConvDimLabels>(value);
  constexpr std::string_view kAfter[] = {"_", "->", ""};
  std::array<LabelPart, 3> parts = PartsOf(labels);
  for (size_t p = 0; p < parts.size(); ++p) {
    const LabelPart& part = parts[p];
    std::string text(2 + part.spatial->size() + part.unknown->size(), '?');
    auto place = [&](int64_t dim, char c) {
      if (dim >= 0 && dim < static_cast<int64_t>(text.size())) text[static_cast<size_t>(dim)] = c;
    };
    place(*part.first_dim, part.first);
    place(*part.second_dim, part.second);
    for (size_t i = 0; i < part.spatial->size(); ++i) {
      place((*part.spatial)[i], static_cast<char>('0' + i));
    }
    out->append(text).append(kAfter[p]);
  }
}

}  // namespace hlo
