#include "engine/standalone/driver_code.h"

#include <bit>
#include <span>

#include "engine/base/bits.h"

namespace hlo {
namespace {

class DriverWriter {
 public:
  DriverWriter(const DriverProgram& program, const std::vector<uint32_t>& addresses,
               StandaloneModule* module)
      : program_(program), addresses_(addresses), module_(*module), writer_(0) {}

  CodeBytes Run() {
    WriteBlock(program_.main);
    return writer_.Finish();
  }

 private:
  uint32_t AddressOf(int32_t array) const { return addresses_[static_cast<size_t>(array)]; }
  void Push(uint32_t number) { writer_.I32(BitCast<int32_t>(number)); }

  void WriteBlock(const DriverBlock& block) {
    for (const DriverStep& step : block.steps) {
      switch (step.kind) {
        case DriverStep::Kind::kCall:
          for (int32_t array : step.reads) Push(AddressOf(array));
          for (int32_t array : step.writes) Push(AddressOf(array));
          writer_.Call(step.function);
          break;
        case DriverStep::Kind::kRegion:
          WriteRegion(step);
          break;
        case DriverStep::Kind::kCopy:
          WriteCopy(step);
          break;
        case DriverStep::Kind::kWhile:
          WriteWhile(step);
          break;
        case DriverStep::Kind::kConditional:
          WriteConditional(step);
          break;
      }
    }
  }

  void WriteRegion(const DriverStep& step) {
    std::vector<uint32_t> table;
    for (const DriverStep::Place& place : step.places) {
      const bool is_kept = place.array >= 0;
      table.push_back(is_kept ? AddressOf(place.array) + static_cast<uint32_t>(place.offset) : 0);
    }
    module_.Fill(step.table, std::as_bytes(std::span(table)));
    writer_.I32(0);
    writer_.I32(step.count);
    Push(step.table);
    writer_.I32(0);
    writer_.Call(step.function);
  }

  void WriteCopy(const DriverStep& step) {
    const int32_t from = step.reads[0], to = step.writes[0];
    const int64_t bytes = program_.arrays[static_cast<size_t>(to)].bytes;
    if (AddressOf(from) == AddressOf(to) || bytes == 0) return;
    Push(AddressOf(to));
    Push(AddressOf(from));
    writer_.CopyBytes(static_cast<int32_t>(bytes));
  }

  void WriteWhile(const DriverStep& step) {
    writer_.Open(Code::kBlock);
    writer_.Open(Code::kLoop);
    WriteBlock(step.blocks[0]);
    Push(AddressOf(step.reads[0]));
    writer_.Memory(Code::kI32Load8U);
    writer_.Write(Code::kI32Eqz);
    writer_.Branch(Code::kBrIf, 1);
    WriteBlock(step.blocks[1]);
    writer_.Branch(Code::kBr, 0);
    writer_.Write(Code::kEnd);
    writer_.Write(Code::kEnd);
  }

  // As ChosenBranch has it (ops/control/branch.h): what is the number of no branch takes the last.
  void WriteConditional(const DriverStep& step) {
    for (size_t i = 0; i < step.blocks.size(); ++i) {
      if (i + 1 == step.blocks.size()) {
        WriteBlock(step.blocks[i]);
        break;
      }
      Push(AddressOf(step.reads[0]));
      if (step.is_pred) {
        writer_.Memory(Code::kI32Load8U);
      } else {
        writer_.Memory(Code::kI32Load);
        writer_.I32(static_cast<int32_t>(i));
        writer_.Write(Code::kI32Eq);
      }
      writer_.Open(Code::kIf);
      WriteBlock(step.blocks[i]);
      writer_.Write(Code::kElse);
    }
    for (size_t i = 1; i < step.blocks.size(); ++i) writer_.Write(Code::kEnd);
  }

  const DriverProgram& program_;
  const std::vector<uint32_t>& addresses_;
  StandaloneModule& module_;
  FunctionWriter writer_;
};

}  // namespace

CodeBytes WriteDriver(const DriverProgram& program, const std::vector<uint32_t>& addresses,
                      StandaloneModule* module) {
  return DriverWriter(program, addresses, module).Run();
}

}  // namespace hlo
