// The types of MLIR text.
#ifndef HLO_ENGINE_MLIR_TEXT_TYPE_READER_H_
#define HLO_ENGINE_MLIR_TEXT_TYPE_READER_H_

#include <string>
#include <string_view>
#include <unordered_map>

#include "engine/base/diagnostics.h"
#include "engine/mlir/text/cursor.h"
#include "engine/mlir/text/syntax.h"

namespace hlo::mlir {

/// Reads types at a cursor. Equal texts are read once.
class TypeReader {
 public:
  TypeReader(Cursor& in, Program& program, Diagnostics& diagnostics)
      : in_(in), program_(program), diagnostics_(diagnostics) {}

  /// Whether a type may begin at the cursor (a word of one, `!`, or `(`).
  bool StartsHere();
  /// The type at the cursor; null after an error, which is reported.
  const Type* Read(int depth = 0);
  /// The `tensor<...>` that begins at the cursor; null after an error, which is reported.
  const Type* ReadTensor();

 private:
  const Type* Fail(size_t begin, std::string message);
  const Type* New(Type type, size_t begin);
  const Type* ReadFunction(int depth);
  /// `tensor<...>`, or `memref<...>`, which is a buffer.
  const Type* ReadArray(size_t begin, bool is_buffer);
  bool ReadDims(size_t begin, Dims* dims, bool* is_unranked);
  bool HasLayout();
  bool AtEncoding(size_t end);
  uint32_t ReadBounds(std::string_view text, Dims* dims, int64_t* fixed);
  const Type* ReadTuple(size_t begin, int depth);
  const Type* ReadDialectType(size_t begin, int depth);
  bool ReadFuture(Type* type, int depth);
  /// Sets the element type (or the kind, if it is no array element type).
  bool ReadElement(Type* type, ElementType* element);

  Cursor& in_;
  Program& program_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::string_view, const Type*> known_;
};

/// The element type named like a scalar: `i1`, `ui8`, `f8E4M3FN`, `index`; nothing for others.
std::optional<ElementType> ScalarType(std::string_view word);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_TEXT_TYPE_READER_H_
