// The arrays of generated code: which buffer each of them is in. Buffers are as many locals with
// addresses, each of another one; a loop or branch that ends gives back those that it took, though
// perhaps with their addresses exchanged.
#ifndef HLO_ENGINE_CODEGEN_FLOW_ARRAYS_H_
#define HLO_ENGINE_CODEGEN_FLOW_ARRAYS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/codegen/function_writer.h"
#include "engine/plan/flow.h"

namespace hlo {

/// Bytes of an address in memory.
inline constexpr int32_t kPlaceBytes = 4;

class FlowArrays {
 public:
  /// The references must outlive it.
  FlowArrays(FunctionWriter* writer, const std::vector<FlowValue>& values)
      : writer_(*writer),
        values_(values),
        buffer_of_(values.size(), kNone),
        depth_of_(values.size(), 0) {}

  /// Which values are in which buffers, at the head of a loop or branch.
  struct Mark {
    std::vector<int32_t> buffer_of;
    std::vector<int32_t> free;
    size_t buffers = 0;
  };
  /// A loop or branch begins.
  Mark Begin();
  /// It ends: everything is as it was, the buffers that were made since are free.
  void End(const Mark& mark);

  /// The value has an address that nothing changes, and is only read.
  void DefineOutside(int32_t value, uint32_t place);
  /// The value gets a buffer, with nothing in it.
  void DefineNew(int32_t value);
  /// The value is computed from `inputs`, element by element: over one of those in `last` if it has
  /// elements of the same size.
  void DefineOver(int32_t value, std::span<const int32_t> inputs, std::span<const int32_t> last);
  /// The value is another one with some of its elements changed: in its buffer if that is in
  /// `last`, else in a copy.
  void DefineUpdated(int32_t value, int32_t from, std::span<const int32_t> last);
  /// The value begins as another one is: in its buffer if that is in `last`, else as a copy.
  void DefineAs(int32_t value, int32_t from, std::span<const int32_t> last);
  /// Nothing needs the value any more.
  void Release(int32_t value);

  /// One value becomes what another one is.
  struct Move {
    int32_t from = 0;
    int32_t to = 0;
  };
  /// All at once, at the end of a loop or branch; `mark` is of its head, where `to` had their
  /// buffers. A value that becomes what it is stays where it is. Addresses are exchanged where
  /// `from` is a value of the branch or one of `last`, and elements copied where it is not or is
  /// wanted twice.
  void MoveAll(std::span<const Move> moves, std::span<const int32_t> last, const Mark& mark);

  /// The local with the address of the value.
  uint32_t PlaceOf(int32_t value) const;

  /// Gets the addresses of all buffers from memory, `offset` bytes after the pointer in a local,
  /// before anything else.
  void LoadPlacesAtStart(uint32_t pointer, int32_t offset);
  void StorePlaces(uint32_t pointer, int32_t offset);
  /// Bytes of every buffer.
  std::vector<int64_t> sizes() const;
  /// Whether more is copied at a time than a flow may go through.
  bool copies_too_much() const { return copies_too_much_; }

 private:
  static constexpr int32_t kNone = -1;
  struct Buffer {
    uint32_t place = 0;  // a local
    int64_t bytes = 0;   // 0: outside
  };

  const FlowValue& ValueOf(int32_t value) const { return values_[static_cast<size_t>(value)]; }
  int32_t& BufferOf(int32_t value) { return buffer_of_[static_cast<size_t>(value)]; }
  void Define(int32_t value, int32_t buffer);
  int32_t Take(int64_t bytes);
  void Copy(uint32_t from, uint32_t to, const FlowValue& value);
  void Exchange(uint32_t a, uint32_t b);

  FunctionWriter& writer_;
  const std::vector<FlowValue>& values_;
  std::vector<Buffer> buffers_;
  std::vector<int32_t> free_;
  std::vector<int32_t> buffer_of_;  // by value
  std::vector<int32_t> depth_of_;   // by value: of loops and branches around it
  int32_t depth_ = 0;
  bool copies_too_much_ = false;
  std::vector<Move> taken_;  // that began in the buffer of another value
};

}  // namespace hlo

#endif  // HLO_ENGINE_CODEGEN_FLOW_ARRAYS_H_
