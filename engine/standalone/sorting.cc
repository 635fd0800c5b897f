// sort, topk: a stable merge of numbers of elements, from runs of one on, by the comparator.
#include <algorithm>
#include <optional>

#include "engine/base/indices.h"
#include "engine/ops/op_def.h"
#include "engine/ops/shape_checks.h"
#include "engine/standalone/operation.h"
#include "engine/standalone/sort_order.h"

namespace hlo {
namespace {

/// Writes the order of a line into one of two buffers of numbers.
class MergeCode {
 public:
  /// `operands`: addresses of the first elements of the line.
  MergeCode(std::vector<uint32_t> operands, std::vector<ElementType> types, int64_t length,
            AppliedRegion* comparator, KernelCode* code)
      : operands_(std::move(operands)),
        types_(std::move(types)),
        length_(static_cast<int32_t>(length)),
        comparator_(*comparator),
        code_(*code),
        writer_(code->writer()) {
    for (uint32_t* local : {&from_, &to_, &width_, &left_, &middle_, &right_, &end_, &next_}) {
      *local = writer_.NewLocal(CodeType::kI32);
    }
  }

  /// The local with the address of the buffer that has the order.
  uint32_t order() const { return from_; }

  void Write(uint32_t buffer, uint32_t other) {
    code_.Copy(from_, buffer);
    code_.Copy(to_, other);
    // 0, 1, 2, ...
    Set(next_, 0);
    code_.Repeat(length_, [&] {
      PushPlace(from_, next_);
      writer_.Get(next_);
      writer_.Memory(Code::kI32Store);
      writer_.Increase(next_, 1);
    });
    Set(width_, 1);
    While([&] { PushLess(width_, length_); }, [&] { WriteLevel(); });
  }

 private:
  void Set(uint32_t local, int32_t number) {
    writer_.I32(number);
    writer_.Set(local);
  }
  void PushLess(uint32_t local, int32_t number) {
    writer_.Get(local);
    writer_.I32(number);
    writer_.Write(Code::kI32LtU);
  }
  void PushLess(uint32_t a, uint32_t b) {
    writer_.Get(a);
    writer_.Get(b);
    writer_.Write(Code::kI32LtU);
  }
  // The address of a number of a buffer.
  void PushPlace(uint32_t buffer, uint32_t number) {
    constexpr int32_t kNumberBytes = 4;
    writer_.Get(buffer);
    writer_.Get(number);
    writer_.I32(kNumberBytes);
    writer_.Write(Code::kI32Mul);
    writer_.Write(Code::kI32Add);
  }
  template <typename Condition, typename Body>
  void While(Condition condition, Body body) {
    writer_.Open(Code::kBlock);
    writer_.Open(Code::kLoop);
    condition();
    writer_.Write(Code::kI32Eqz);
    writer_.Branch(Code::kBrIf, 1);
    body();
    writer_.Branch(Code::kBr, 0);
    writer_.Write(Code::kEnd);
    writer_.Write(Code::kEnd);
  }

  // The smaller of from + width and the length.
  void SetBound(uint32_t bound, uint32_t from) {
    writer_.Get(from);
    writer_.Get(width_);
    writer_.Write(Code::kI32Add);
    writer_.Set(bound);
    writer_.Get(bound);
    writer_.I32(length_);
    PushLess(bound, length_);
    writer_.Write(Code::kSelect);
    writer_.Set(bound);
  }

  void WriteLevel() {
    Set(next_, 0);
    While([&] { PushLess(next_, length_); },
          [&] {
            code_.Copy(left_, next_);
            SetBound(middle_, left_);
            code_.Copy(right_, middle_);
            SetBound(end_, middle_);
            While([&] { PushLess(next_, end_); }, [&] { WriteNext(); });
          });
    code_.Copy(middle_, from_);
    code_.Copy(from_, to_);
    code_.Copy(to_, middle_);
    writer_.Get(width_);
    writer_.Get(width_);
    writer_.Write(Code::kI32Add);
    writer_.Set(width_);
  }

  // The next number of a merge: the left one, unless the right one comes before it.
  void WriteNext() {
    const uint32_t takes_right = code_.Number(0);
    PushLess(right_, end_);
    writer_.Open(Code::kIf);
    Set(takes_right, 1);
    PushLess(left_, middle_);
    writer_.Open(Code::kIf);
    writer_.Get(ComparedHeads().local);
    writer_.Set(takes_right);
    writer_.Write(Code::kEnd);
    writer_.Write(Code::kEnd);
    const uint32_t head = writer_.NewLocal(CodeType::kI32);
    writer_.Get(right_);
    writer_.Get(left_);
    writer_.Get(takes_right);
    writer_.Write(Code::kSelect);
    writer_.Set(head);
    PushPlace(to_, next_);
    PushPlace(from_, head);
    writer_.Memory(Code::kI32Load);
    writer_.Memory(Code::kI32Store);
    code_.Add(right_, takes_right);
    writer_.Get(left_);
    writer_.I32(1);
    writer_.Write(Code::kI32Add);
    writer_.Get(takes_right);
    writer_.Write(Code::kI32Sub);
    writer_.Set(left_);
    writer_.Increase(next_, 1);
  }

  LaneValue ComparedHeads() {
    std::vector<LanePair> parameters;
    for (size_t i = 0; i < operands_.size(); ++i) {
      for (uint32_t head : {right_, left_}) {
        const uint32_t number = writer_.NewLocal(CodeType::kI32);
        PushPlace(from_, head);
        writer_.Memory(Code::kI32Load);
        writer_.Set(number);
        const uint32_t at = ElementAddress(operands_[i], number, BytesOf(types_[i]), &writer_);
        parameters.push_back(code_.Load(at, types_[i]));
      }
    }
    return comparator_.Apply(parameters)[0].real;
  }

  const std::vector<uint32_t> operands_;
  const std::vector<ElementType> types_;
  const int32_t length_;
  AppliedRegion& comparator_;
  KernelCode& code_;
  FunctionWriter& writer_;
  uint32_t from_ = 0, to_ = 0, width_ = 0, left_ = 0, middle_ = 0, right_ = 0, end_ = 0, next_ = 0;
};

/// Lines of all operands, one after the other.
struct SortedLines {
  int64_t count = 1, length = 1;
  Dims order;  ///< of dimensions: the sorted one last
};

bool WriteSortedLines(const Operation& operation, const RegionSteps& steps,
                      const SortedLines& lines, const std::vector<int32_t>& from,
                      const std::vector<int32_t>& to, Emitter* emitter) {
  const size_t count = from.size();
  const int32_t numbers[] = {emitter->NewArray(ElementType::kU32, lines.length),
                             emitter->NewArray(ElementType::kU32, lines.length)};
  KernelCode code(static_cast<uint32_t>(2 * count + 2));
  AppliedRegion comparator(steps, &emitter->module(), &code);
  std::vector<uint32_t> sources, targets;
  std::vector<ElementType> types;
  for (size_t i = 0; i < count; ++i) {
    sources.push_back(code.Sum(static_cast<uint32_t>(i), 0));
    targets.push_back(code.Sum(static_cast<uint32_t>(count + i), 0));
    types.push_back(operation.operand_type(static_cast<int>(i)));
  }
  const auto buffer = static_cast<uint32_t>(2 * count);
  MergeCode merge(sources, types, lines.length, &comparator, &code);
  code.Repeat(lines.count, [&] {
    merge.Write(buffer, buffer + 1);
    for (size_t i = 0; i < count; ++i) {
      const uint32_t next = code.Sum(merge.order(), 0), number = code.Number(0);
      const int width = BytesOf(types[i]);
      code.Repeat(lines.length, [&] {
        code.writer().Get(next);
        code.writer().Memory(Code::kI32Load);
        code.writer().Set(number);
        const uint32_t at = ElementAddress(sources[i], number, width, &code.writer());
        code.CopyView(at, {{1}, {1}, 0}, targets[i], {{1}, {1}, 0}, width);
        code.Advance(targets[i], width);
        code.Advance(next, sizeof(uint32_t));
      });
      code.Advance(sources[i], lines.length * width);
    }
  });
  std::vector<int32_t> writes = to;
  writes.insert(writes.end(), std::begin(numbers), std::end(numbers));
  return emitter->Call(&code, from, writes);
}

/// The first k of every line in their order, and the numbers of their places.
bool WriteTopk(const Operation& operation, Emitter* emitter) {
  const OpCall& call = *operation.call;
  const ElementType type = operation.operand_type(0);
  const Shape& shape = call.operand(0);
  const int64_t k = call.Int("k"), length = shape.dims().back();
  if (PartShape(call.shape(), 0).element_type() != type ||
      PartShape(call.shape(), 1).element_type() != ElementType::kS32) {
    return false;
  }
  if (PartShape(call.shape(), 0).element_count() == 0) return true;
  FoundKeys keys;
  keys.keys = {{.operand = 0, .order = {type, call.Bool("largest", true), true}}};
  const RegionSteps steps = ComparatorOf(keys, {type, type});
  KernelCode code(5);
  AppliedRegion comparator(steps, &emitter->module(), &code);
  const uint32_t from = code.Sum(0, 0), values = code.Sum(1, 0), indices = code.Sum(2, 0);
  MergeCode merge({from}, {type}, length, &comparator, &code);
  const int width = BytesOf(type);
  const StridedView one{{1}, {1}, 0};
  code.Repeat(shape.element_count() / length, [&] {
    merge.Write(3, 4);
    const uint32_t next = code.Sum(merge.order(), 0), number = code.Number(0);
    code.Repeat(k, [&] {
      code.writer().Get(next);
      code.writer().Memory(Code::kI32Load);
      code.writer().Set(number);
      const uint32_t at = ElementAddress(from, number, width, &code.writer());
      code.CopyView(at, one, values, one, width);
      code.writer().Get(indices);
      code.writer().Get(number);
      code.writer().Memory(Code::kI32Store);
      code.Advance(values, width);
      code.Advance(indices, sizeof(int32_t));
      code.Advance(next, sizeof(uint32_t));
    });
    code.Advance(from, length * width);
  });
  std::vector<int32_t> writes = operation.results;
  for (int i = 0; i < 2; ++i) writes.push_back(emitter->NewArray(ElementType::kU32, length));
  return emitter->Call(&code, operation.operands, writes);
}

bool WriteSort(const Operation& operation, Emitter* emitter) {
  const OpCall& call = *operation.call;
  const std::optional<RegionSteps> steps = OrderOf(call);
  if (!steps) return false;
  const Shape& shape = call.operand(0);
  const auto dimension = static_cast<size_t>(call.Ints("dimensions")[0]);
  for (size_t i = 0; i < operation.operands.size(); ++i) {
    const ElementType type = operation.operand_type(static_cast<int>(i));
    if (steps->parameters[2 * i] != type || steps->parameters[2 * i + 1] != type) return false;
  }
  SortedLines lines;
  for (size_t d = 0; d < shape.dims().size(); ++d) {
    if (d == dimension) continue;
    lines.order.push_back(static_cast<int64_t>(d));
    lines.count *= shape.dims()[d];
  }
  lines.order.push_back(static_cast<int64_t>(dimension));
  lines.length = shape.dims()[dimension];
  const bool is_in_place = dimension + 1 == shape.dims().size();
  const StridedView view = Permute(RowMajorView(shape.dims()), lines.order);
  std::vector<int32_t> from, to;
  for (size_t i = 0; i < operation.operands.size(); ++i) {
    const ElementType type = operation.operand_type(static_cast<int>(i));
    if (shape.element_count() == 0) continue;
    if (lines.length < 2) {
      emitter->Copy(operation.operands[i], operation.results[i]);
      continue;
    }
    from.push_back(is_in_place ? operation.operands[i]
                               : emitter->Viewed(operation.operands[i], view, type));
    to.push_back(is_in_place ? operation.results[i]
                             : emitter->NewArray(type, shape.element_count()));
  }
  if (from.empty()) return true;
  if (!WriteSortedLines(operation, *steps, lines, from, to, emitter)) return false;
  if (is_in_place) return true;
  for (size_t i = 0; i < to.size(); ++i) {
    KernelCode code(2);
    code.CopyView(0, RowMajorView(view.dims), 1, view,
                  BytesOf(operation.operand_type(static_cast<int>(i))));
    if (!emitter->Call(&code, {to[i]}, {operation.results[i]})) return false;
  }
  return true;
}

/// Sorted as they are; results may have other types.
bool WriteConvertedSort(Operation operation, Emitter* emitter) {
  const std::vector<int32_t> results = operation.results;
  const int64_t count = operation.call->operand(0).element_count();
  const auto type = [&](size_t i) { return operation.operand_type(static_cast<int>(i)); };
  const auto wanted = [&](size_t i) {
    return PartShape(operation.call->shape(), static_cast<int>(i)).element_type();
  };
  for (size_t i = 0; i < results.size(); ++i) {
    if (wanted(i) != type(i)) operation.results[i] = emitter->NewArray(type(i), count);
  }
  if (!WriteSort(operation, emitter)) return false;
  for (size_t i = 0; i < results.size(); ++i) {
    if (wanted(i) == type(i)) continue;
    int32_t array = operation.results[i];
    if (!emitter->Convert(&array, count, type(i), wanted(i))) return false;
    emitter->Copy(array, results[i]);
  }
  return true;
}

}  // namespace

bool WriteSorting(const Operation& operation, Emitter* emitter) {
  if (operation.instruction->opcode() == Opcode::kSort) {
    return WriteConvertedSort(operation, emitter);
  }
  if (operation.instruction->opcode() == Opcode::kTopk) return WriteTopk(operation, emitter);
  return false;
}

}  // namespace hlo
