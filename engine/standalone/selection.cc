// select-and-scatter: in each window the element that `select` keeps, and then its source.
#include <iterator>
#include <optional>

#include "engine/ops/op_def.h"
#include "engine/standalone/operation.h"
#include "engine/standalone/window_loops.h"

namespace hlo {
namespace {

/// The two computations, which have operands and results of these types.
struct Regions {
  const RegionSteps &select, &scatter;
  ElementType type, source, result;
};

class SelectCode {
 public:
  /// Parameters are the operand, the source, the initial value and the result.
  SelectCode(const Regions& regions, StandaloneModule* module, KernelCode* code)
      : regions_(regions),
        code_(*code),
        writer_(code->writer()),
        select_(regions.select, module, code),
        scatter_(regions.scatter, module, code) {}

  void Write(WindowLoops* loops) {
    const uint32_t source = code_.Sum(1, 0);
    loops->ForEachWindow([&] {
      const uint32_t place = code_.Number(-1);
      const LanePair kept = code_.New(regions_.type);
      loops->ForEachPosition(
          /*skips=*/true, 0, [&](uint32_t offset) { Take(offset, place, kept); }, [](size_t) {},
          [](size_t) {});
      writer_.Get(place);
      writer_.I32(0);
      writer_.Write(Code::kI32GeS);
      writer_.Open(Code::kIf);
      const uint32_t to = ElementAddress(3, place, BytesOf(regions_.result), &writer_);
      const LanePair args[] = {code_.Load(to, regions_.result),
                               code_.Load(source, regions_.source)};
      code_.Store(to, scatter_.Apply(args)[0], regions_.result);
      writer_.Write(Code::kEnd);
      code_.Advance(source, BytesOf(regions_.source));
    });
  }

 private:
  /// The first element of a window is picked, later ones instead of one that is not kept.
  void Take(uint32_t offset, uint32_t place, const LanePair& kept) {
    const uint32_t from = ElementAddress(0, offset, BytesOf(regions_.type), &writer_);
    const LanePair next = code_.Load(from, regions_.type);
    const uint32_t keeps = code_.Number(0);
    writer_.Get(place);
    writer_.I32(0);
    writer_.Write(Code::kI32GeS);
    writer_.Open(Code::kIf);
    const LanePair args[] = {kept, next};
    code_.Copy(keeps, select_.Apply(args)[0].real.local);
    writer_.Write(Code::kEnd);
    writer_.Get(keeps);
    writer_.Write(Code::kI32Eqz);
    writer_.Open(Code::kIf);
    code_.Copy(place, offset);
    code_.Assign(kept, next);
    writer_.Write(Code::kEnd);
  }

  const Regions& regions_;
  KernelCode& code_;
  FunctionWriter& writer_;
  AppliedRegion select_, scatter_;
};

bool WriteSelect(const Operation& operation, Emitter* emitter) {
  const OpCall& call = *operation.call;
  const Shape& shape = call.operand(0);
  const auto select = StepsOf(call, "select");
  const auto scatter = StepsOf(call, "scatter");
  if (!select || !scatter) return false;
  Regions regions{*select, *scatter, select->parameters[0], scatter->parameters[1],
                  scatter->results[0].type};
  if (select->parameters[1] != regions.type || scatter->parameters[0] != regions.result) {
    return false;
  }
  if (operation.type() != regions.result) return false;
  std::vector<int32_t> reads = operation.operands;
  const ElementType types[] = {regions.type, regions.source, regions.result};
  for (size_t i = 0; i < std::size(types); ++i) {
    const Shape& from = call.operand(static_cast<int>(i));
    if (!emitter->Convert(&reads[i], from.element_count(), from.element_type(), types[i])) {
      return false;
    }
  }
  const int64_t count = shape.element_count();
  if (count == 0) return true;
  KernelCode code(4);
  code.Fill(2, 3, count, BytesOf(regions.result));
  const Dims &sizes = shape.dims(), &outputs = call.operand(1).dims();
  const Dims strides = RowMajorView(sizes).strides;
  if (!WindowLoops::Fits(call.GetWindow(), sizes, outputs)) return false;
  if (call.operand(1).element_count() > 0) {
    WindowLoops loops(call.GetWindow(), sizes, strides, outputs, &code);
    SelectCode(regions, &emitter->module(), &code).Write(&loops);
  }
  return emitter->Call(&code, reads, operation.results);
}

}  // namespace

bool WriteSelection(const Operation& operation, Emitter* emitter) {
  if (operation.instruction->opcode() != Opcode::kSelectAndScatter) return false;
  return WriteSelect(operation, emitter);
}

}  // namespace hlo
