#include "engine/views/script_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <span>
#include <utility>

#include "engine/base/work_limit.h"
#include "engine/hlo/printer.h"
#include "engine/mlir/exporter.h"
#include "engine/mlir/text/mlir_text.h"
#include "engine/run/fill.h"
#include "engine/run/random.h"
#include "engine/views/json.h"
#include "engine/views/json_parts.h"
#include "engine/views/script_template.h"

namespace hlo {
namespace {

// Larger inputs are made by their rule again, or read from a file.
constexpr int64_t kLargestInput = 48 << 10;
// Of larger results only so many bytes are compared.
constexpr int64_t kLargestResult = 16 << 10;

std::string Base64(std::span<const std::byte> bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(bytes.size() - i, 3);
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; ++k) {
      bits = bits << 8 | (k < count ? static_cast<uint32_t>(bytes[i + k]) : 0);
    }
    for (size_t k = 0; k < 4; ++k) text += k > count ? '=' : kDigits[bits >> (18 - 6 * k) & 63];
  }
  return text;
}

// As zlib's: the remainder by the reflected polynomial of IEEE 802.3.
uint32_t Crc32(std::span<const std::byte> bytes) {
  std::array<uint32_t, 256> table;
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t rest = i;
    for (int k = 0; k < 8; ++k) rest = rest >> 1 ^ ((rest & 1) != 0 ? 0xEDB88320u : 0);
    table[i] = rest;
  }
  uint32_t crc = ~0u;
  for (std::byte byte : bytes) {
    crc = crc >> 8 ^ table[(crc ^ static_cast<uint32_t>(byte)) & 255];
  }
  return ~crc;
}

std::span<const std::byte> BytesOf(const Tensor& tensor) {
  return {tensor.bytes(), static_cast<size_t>(tensor.byte_size())};
}

// NumPy's name of a type, or that of ml_dtypes: "float32", "bfloat16", "float8_e4m3fn", "int4".
std::string DtypeName(ElementType type) {
  const std::string_view text = Text(type);
  switch (ClassOf(type)) {
    case TypeClass::kPred:
      return "bool";
    case TypeClass::kSigned:
      return "int" + std::string(text.substr(1));
    case TypeClass::kUnsigned:
      return "uint" + std::string(text.substr(1));
    case TypeClass::kComplex:
      return "complex" + std::string(text.substr(1));
    case TypeClass::kFloat:
      break;
  }
  if (type == ElementType::kBF16) return "bfloat16";
  const size_t e = text.find('e');
  if (e == std::string_view::npos) return "float" + std::string(text.substr(1));
  return fmt::format("float{}_{}", text.substr(1, e - 1), text.substr(e));
}

std::string DimsText(const Dims& dims) {
  return fmt::format("({}{})", fmt::join(dims, ", "), dims.size() == 1 ? "," : "");
}

// How Python makes the elements again; empty when it cannot.
std::string RuleOf(std::string_view spec, ElementType type, int64_t number, uint64_t seed) {
  const uint64_t stream = Random::Mix(seed, static_cast<uint64_t>(number));
  const bool is_real = IsFloat(type) || IsComplex(type);
  if ((spec.empty() || spec == "random") && !is_real) {
    const int bits = BitsOf(type) - (IsSigned(type) ? 1 : 0);
    const int most = type == ElementType::kPred ? 2 : bits >= 4 ? 10 : 1 << bits;
    return fmt::format("(\"integers\", {}, {})", stream, most);
  }
  if (spec.empty() || spec == "random" || (spec == "uniform" && is_real)) {
    return fmt::format("(\"uniform\", {}, 0.0, 1.0)", stream);
  }
  // Narrow types may be rounded twice by NumPy.
  if (spec.starts_with("uniform(") && spec.ends_with(')') && is_real && BitsOf(type) >= 32 &&
      spec.find_first_not_of("uniform(0123456789+-.eE, )") == std::string_view::npos) {
    spec.remove_prefix(std::string_view("uniform(").size());
    spec.remove_suffix(1);
    return fmt::format("(\"uniform\", {}, {})", stream, spec);
  }
  return spec == "iota" ? "(\"iota\",)" : "";
}

// The data of a script: values that several devices share are there once.
class ScriptData {
 public:
  ScriptData(const RunRecord& record, const RunRequest& request) : request_(request) {
    if (record.devices.empty()) {
      AddDevice(record.inputs, record.output);
    } else {
      for (const RunRecord::Device& device : record.devices)
        AddDevice(device.inputs, device.output);
    }
  }
  std::string Text() const {
    return fmt::format(
        "# Of each: element type, dimensions, checksum of the bytes, where they come from.\n"
        "VALUES = [\n{}]\n"
        "# The numbers of their arguments, for every device (replica * PARTITIONS + partition).\n"
        "ARGUMENTS = [\n{}]\n"
        "# What the playground computed on every device: the first bytes of each result.\n"
        "RESULTS = [\n{}]\n",
        values_, arguments_, has_results_ ? results_ : "");
  }

 private:
  void AddDevice(const std::vector<Value>& inputs, const std::optional<Value>& output) {
    std::string numbers;
    for (size_t i = 0; i < inputs.size(); ++i) {
      AddInput(inputs[i], static_cast<int64_t>(i), inputs[i].is_array(), &numbers);
    }
    arguments_ += "    [" + numbers + "],\n";
    std::string results;
    if (output) AddResult(*output, &results);
    has_results_ = has_results_ && output.has_value();
    results_ += "    [\n" + results + "    ],\n";
  }

  void AddInput(const Value& value, int64_t number, bool is_whole, std::string* numbers) {
    if (value.is_tuple()) {
      for (const Value& element : value.elements()) AddInput(element, number, false, numbers);
    }
    if (!value.is_array()) return;
    const Tensor& tensor = value.tensor();
    const std::byte* key = tensor.bytes();
    auto [at, is_new] = known_.try_emplace({key, tensor.byte_size()}, count_);
    if (is_new) {
      fmt::format_to(std::back_inserter(values_), "    (\"{}\", {}, 0x{:08x}, {}),\n",
                     DtypeName(tensor.element_type()), DimsText(tensor.dims()),
                     Crc32(BytesOf(tensor)), Source(tensor, number, is_whole));
      ++count_;
    }
    fmt::format_to(std::back_inserter(*numbers), "{}{}", numbers->empty() ? "" : ", ", at->second);
  }

  std::string Source(const Tensor& tensor, int64_t number, bool is_whole) const {
    const int64_t size = ::hlo::BytesOf(tensor.element_type());
    if (tensor.byte_size() <= kLargestInput) {
      return fmt::format("(\"bytes\", \"{}\")", Base64(BytesOf(tensor)));
    }
    const std::byte* bytes = tensor.bytes();
    if (std::equal(bytes + size, bytes + tensor.byte_size(), bytes)) {
      return fmt::format("(\"constant\", \"{}\")", Base64({bytes, static_cast<size_t>(size)}));
    }
    bool is_by_rule = is_whole && request_.device_inputs.empty();
    for (const InputFile& file : request_.files) {
      is_by_rule = is_by_rule && file.parameter != number;
    }
    const auto place = static_cast<size_t>(number);
    const std::string_view spec =
        place < request_.inputs.size() ? std::string_view(request_.inputs[place]) : "";
    const std::string rule =
        is_by_rule ? RuleOf(spec, tensor.element_type(), number, request_.options.seed) : "";
    return rule.empty() ? fmt::format("(\"file\", \"input{}.npy\")", count_) : rule;
  }

  void AddResult(const Value& value, std::string* results) const {
    if (value.is_tuple()) {
      for (const Value& element : value.elements()) AddResult(element, results);
    }
    if (!value.is_array()) return;
    const Tensor& tensor = value.tensor();
    const int64_t size = ::hlo::BytesOf(tensor.element_type());
    const auto bytes =
        static_cast<size_t>(std::min(tensor.byte_size(), kLargestResult / size * size));
    CountText(bytes + 2 * sizeof("        (\"\", [], \"\"),"));
    fmt::format_to(std::back_inserter(*results), "        (\"{}\", {}, \"{}\"),\n",
                   DtypeName(tensor.element_type()), DimsText(tensor.dims()),
                   Base64({tensor.bytes(), bytes}));
  }

  const RunRequest& request_;
  std::string values_, arguments_, results_;
  std::map<std::pair<const std::byte*, int64_t>, int> known_;
  int count_ = 0;
  bool has_results_ = true;
};

// A raw string where that is possible, so that people can read and change the program.
std::string ProgramText(const std::string& text) {
  if (text.find("'''") == std::string::npos && !text.ends_with('\\')) {
    return "r'''\n" + text + "'''";
  }
  return "base64.b64decode(\"" +
         Base64({reinterpret_cast<const std::byte*>(text.data()), text.size()}) + "\").decode()";
}

bool HasRandom(const Module& module) {
  for (const Computation& computation : module.computations()) {
    for (const Instruction& instruction : computation.instructions()) {
      if (instruction.def().is_drawn) return true;
    }
  }
  return false;
}

// The program as JAX takes it: what its author wrote, unless that has sizes that inputs gave.
bool StableHloFor(const Document& document, std::string* text) {
  const Computation& entry = *document.module()->entry();
  bool has_tuples = false;
  for (const Instruction* parameter : entry.parameters()) {
    has_tuples = has_tuples || parameter->shape().IsTuple();
  }
  if (document.kind() == TextKind::kMlir && !document.arguments().wanted && !has_tuples) {
    auto printed = PrintStableHlo(document.text());
    if (printed && !printed->has_checks) {
      *text = std::move(printed->text);
      return true;
    }
  }
  Diagnostics faults;
  *text = ExportStableHlo(*document.module(), faults, EntryTuples::kTakenApart).text;
  return !faults.has_errors();
}

// What JAX cannot be given: tokens and opaque values as arguments, sizes of run time.
bool CanPass(const Shape& shape) {
  if (shape.IsTuple()) {
    return std::all_of(shape.elements().begin(), shape.elements().end(), CanPass);
  }
  return shape.IsArray() && !shape.has_dynamic_dims() && mlir::HasMlirType(shape.element_type());
}

}  // namespace

ScriptView MakeScript(const RunRecord& record, const RunRequest& request) {
  ScriptView view;
  view.diagnostics = record.diagnostics;
  const Document& document = *record.document;
  if (!document.ok() || !document.module()->entry()) return view;
  const Module& module = *document.module();
  bool can_pass = CanPass(module.entry()->result_shape());
  for (const Instruction* parameter : module.entry()->parameters()) {
    if (CanPass(parameter->shape())) continue;
    can_pass = false;
  }
  if (!can_pass) {
    view.diagnostics.Report(
        DiagCode::kNotExecutable, module.entry()->name_range(),
        "JAX passes arrays of fixed sizes to a program and gets such from it, nothing else");
    return view;
  }
  if (record.inputs.size() != module.entry()->parameters().size()) return view;
  std::string program;
  const bool is_mlir = StableHloFor(*record.document, &program);
  view.ok = true;
  view.text = fmt::format(
      "#!/usr/bin/env python3\n"
      "\"\"\"{}: a program of the HLO Playground, for XLA itself.\n\n"
      "Runs the program below with the inputs that it had in the playground, under JAX on "
      "whatever\n"
      "backend is there, prints the results, and compares them with the playground's.\n\n"
      "    pip install jax; python3 this_file.py [--distributed]\n\"\"\"\n"
      "import base64\nimport os\nimport sys\nimport zlib\n\nimport numpy as np\n\n"
      "DIALECT = \"{}\"\nPROGRAM = {}\nREPLICAS, PARTITIONS = {}, {}\nIS_RANDOM = {}\n{}{}",
      module.name(), is_mlir ? "stablehlo" : "hlo",
      ProgramText(is_mlir ? program : PrintModule(module)), record.grid.replicas,
      record.grid.partitions, HasRandom(module) ? "True" : "False",
      ScriptData(record, request).Text(), kScriptCode);
  return view;
}

std::string ScriptJson(const ScriptView& view, const Document& document) {
  return JsonText({{"ok", view.ok},
                   {"text", view.text},
                   {"diagnostics", DiagnosticsJson(view.diagnostics, document.map())}});
}

}  // namespace hlo
