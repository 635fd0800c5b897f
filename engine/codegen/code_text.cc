#include "engine/codegen/code_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <string_view>

#include "engine/base/bits.h"
#include "engine/codegen/binary_format.h"

namespace hlo {
namespace {

/// What follows the code of an instruction.
enum class Immediate : uint8_t {
  kNone,
  kBlock,
  kMemories,  // of which there is one
  kIndex,
  kMemory,
  kMemoryLane,
  kLane,
  kShuffle,
  kI32,
  kI64,
  kF32,
  kF64,
};

struct InstructionRow {
  Code code;
  std::string_view text;
  Immediate immediate;
};

constexpr InstructionRow kInstructions[] = {
#define INSTRUCTION(name, code, text, immediate) {Code::k##name, text, Immediate::immediate},
#include "engine/codegen/instructions.def"
};

std::string_view NameOf(CodeType type) {
  switch (type) {
    case CodeType::kV128:
      return "v128";
    case CodeType::kF64:
      return "f64";
    case CodeType::kF32:
      return "f32";
    case CodeType::kI64:
      return "i64";
    default:
      return "i32";
  }
}

/// Reads what FunctionWriter and RegionModule have written.
class Reader {
 public:
  explicit Reader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  size_t offset() const { return next_; }
  bool at_end() const { return next_ == bytes_.size(); }
  uint8_t Byte() { return bytes_[next_++]; }
  std::span<const uint8_t> Bytes(size_t count) {
    next_ += count;
    return bytes_.subspan(next_ - count, count);
  }
  uint64_t Unsigned() {
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const uint8_t byte = Byte();
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
  }
  int64_t Signed() {
    uint64_t value = 0;
    for (int shift = 0;;) {
      const uint8_t byte = Byte();
      value |= uint64_t{byte & 0x7fu} << shift;
      shift += 7;
      if (byte >= 0x80) continue;
      if ((byte & 0x40) != 0 && shift < 64) value |= ~uint64_t{0} << shift;
      return static_cast<int64_t>(value);
    }
  }
  template <typename T>
  T Number() {
    T value;
    std::memcpy(&value, Bytes(sizeof(T)).data(), sizeof(T));
    return value;
  }
  Code Instruction() {
    const uint8_t first = Byte();
    const bool has_prefix = first == 0xfc || first == 0xfd;
    return static_cast<Code>(has_prefix ? (first << 8) + static_cast<int>(Unsigned()) : first);
  }

 private:
  std::span<const uint8_t> bytes_;
  size_t next_ = 0;
};

const InstructionRow& RowOf(Code code) {
  return *std::find_if(std::begin(kInstructions), std::end(kInstructions),
                       [&](const InstructionRow& row) { return row.code == code; });
}

template <typename T>
std::string FloatText(T value) {
  if (value != value) return "nan";
  if (value - value != 0) return value > 0 ? "inf" : "-inf";
  return fmt::format("{}", value);
}

std::string ImmediateText(Immediate immediate, Reader* reader) {
  switch (immediate) {
    case Immediate::kNone:
      return "";
    case Immediate::kBlock:
      reader->Byte();  // without values
      return "";
    case Immediate::kMemories:
      reader->Bytes(2);
      return "";
    case Immediate::kIndex:
      return fmt::format(" {}", reader->Unsigned());
    case Immediate::kI32:
    case Immediate::kI64:
      return fmt::format(" {}", reader->Signed());
    case Immediate::kF32:
      return " " + FloatText(reader->Number<float>());
    case Immediate::kF64:
      return " " + FloatText(reader->Number<double>());
    case Immediate::kLane:
      return fmt::format(" {}", reader->Byte());
    case Immediate::kShuffle:
      return fmt::format(" {}", fmt::join(reader->Bytes(16), " "));
    default: {
      reader->Unsigned();  // alignment
      const uint64_t offset = reader->Unsigned();
      const bool has_lane = immediate == Immediate::kMemoryLane;
      return fmt::format("{} align=1{}", offset == 0 ? "" : fmt::format(" offset={}", offset),
                         has_lane ? fmt::format(" {}", reader->Byte()) : "");
    }
  }
}

/// Writes a module line by line.
class TextWriter {
 public:
  /// Without `name_of` there are no comments.
  TextWriter(std::span<const std::vector<CodeNote>> notes,
             const FunctionRef<std::string(size_t)>* name_of)
      : notes_(notes), name_of_(name_of) {}

  CommentedCode Run(std::span<const uint8_t> module) {
    constexpr size_t kHeader = 8;
    Line("(module");
    Line("  (import \"e\" \"m\" (memory 0))");
    Line("  (import \"e\" \"p\" (func (param i32 i32)))");
    Line("  (import \"e\" \"f\" (func (param f32 f32 i32) (result f32)))");
    Reader sections(module.subspan(kHeader));
    while (!sections.at_end()) {
      const uint8_t id = sections.Byte();
      Reader content(sections.Bytes(sections.Unsigned()));
      if (id == static_cast<uint8_t>(Section::kGlobal)) Globals(&content);
      if (id != static_cast<uint8_t>(Section::kCode)) continue;
      const uint64_t count = content.Unsigned();
      for (uint64_t i = 0; i < count; ++i) Function(i, content.Bytes(content.Unsigned()));
    }
    Line(")");
    return std::move(made_);
  }

 private:
  void Line(std::string_view line) {
    made_.text += line;
    made_.text += '\n';
    made_.steps.push_back(step_);
  }

  // Constants, with what they are as numbers.
  void Globals(Reader* reader) {
    const uint64_t count = reader->Unsigned();
    for (uint64_t i = 0; i < count; ++i) {
      reader->Bytes(4);  // a variable of 16 bytes, which is at first:
      const auto low = reader->Number<uint64_t>(), high = reader->Number<uint64_t>();
      reader->Byte();  // the end
      const auto word = static_cast<uint32_t>(low);
      const bool is_wide = low >> 32 != word;
      Line(fmt::format(
          "  (global (mut v128) (v128.const i64x2 {:#x} {:#x}))  ;; {}: {}", low, high, i,
          is_wide ? FloatText(BitCast<double>(low)) : FloatText(BitCast<float>(word))));
    }
  }

  // Many locals take several lines.
  void Locals(Reader* reader) {
    constexpr size_t kWidth = 90;
    constexpr std::string_view kBegin = "    (local";
    std::string line(kBegin);
    for (uint64_t groups = reader->Unsigned(); groups > 0; --groups) {
      const uint64_t count = reader->Unsigned();
      const std::string_view type = NameOf(static_cast<CodeType>(reader->Byte()));
      for (uint64_t i = 0; i < count; ++i) {
        if (line.size() + type.size() > kWidth) {
          Line(line + ")");
          line = kBegin;
        }
        fmt::format_to(std::back_inserter(line), " {}", type);
      }
    }
    if (line != kBegin) Line(line + ")");
  }

  void Function(size_t number, std::span<const uint8_t> bytes) {
    Reader reader(bytes);
    Line(fmt::format("  (func (export \"{}\") (param i32 i32 i32 i32)", number));
    Locals(&reader);
    std::span<const CodeNote> notes;
    if (number < notes_.size()) notes = notes_[number];
    size_t depth = 2;
    while (!reader.at_end()) {
      TakeNotes(reader.offset(), depth, &notes);
      const InstructionRow& row = RowOf(reader.Instruction());
      const bool is_else = row.code == Code::kElse;
      // The last end closes the function.
      if ((row.code == Code::kEnd || is_else) && --depth == 1) break;
      Line(
          fmt::format("{:{}}{}{}", "", 2 * depth, row.text, ImmediateText(row.immediate, &reader)));
      if (row.immediate == Immediate::kBlock || is_else) ++depth;
    }
    step_ = CodeNote::kNoStep;
    Line("  )");
    name_.clear();
  }

  void TakeNotes(size_t offset, size_t depth, std::span<const CodeNote>* notes) {
    bool is_new = false;
    for (; !notes->empty() && notes->front().offset <= offset; *notes = notes->subspan(1)) {
      step_ = notes->front().step;
      is_new = true;
    }
    if (!is_new || !name_of_) return;
    std::string name = step_ == CodeNote::kNoStep ? "" : (*name_of_)(step_);
    if (!name.empty() && name != name_) {
      Line(fmt::format("{:{}};; {}", "", 2 * depth, name));
    }
    name_ = std::move(name);
  }

  std::span<const std::vector<CodeNote>> notes_;
  const FunctionRef<std::string(size_t)>* name_of_;
  CommentedCode made_;
  size_t step_ = CodeNote::kNoStep;
  std::string name_;  // of the last comment
};

}  // namespace

std::string ModuleText(std::span<const uint8_t> module) {
  return TextWriter({}, nullptr).Run(module).text;
}

CommentedCode CommentedModuleText(std::span<const uint8_t> module,
                                  std::span<const std::vector<CodeNote>> notes,
                                  FunctionRef<std::string(size_t step)> name_of) {
  return TextWriter(notes, &name_of).Run(module);
}

}  // namespace hlo
