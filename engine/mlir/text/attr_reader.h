// The attributes of MLIR text.
#ifndef HLO_ENGINE_MLIR_TEXT_ATTR_READER_H_
#define HLO_ENGINE_MLIR_TEXT_ATTR_READER_H_

#include <optional>
#include <string>
#include <vector>

#include "engine/base/diagnostics.h"
#include "engine/mlir/text/cursor.h"
#include "engine/mlir/text/syntax.h"
#include "engine/mlir/text/type_reader.h"

namespace hlo::mlir {

/// Reads attributes at a cursor. Elements of dense<...> are left as text.
class AttrReader {
 public:
  AttrReader(Cursor& in, TypeReader& types, Diagnostics& diagnostics)
      : in_(in), types_(types), diagnostics_(diagnostics) {}

  /// The attribute at the cursor; nothing after an error, which is reported.
  std::optional<Attr> Read(int depth = 0);
  /// The same where a `:` after a number or a string begins the types of the operation.
  std::optional<Attr> ReadBare();
  /// `{name = attribute, ...}` at the cursor, appended; false after an error, with the cursor past
  /// the group.
  bool ReadDict(std::vector<Attr::Field>& out, int depth = 0);

 private:
  std::optional<Attr> Fail(size_t begin, std::string message);
  std::optional<Attr> ReadNumber();
  std::optional<Attr> ReadArray(int depth);
  std::optional<Attr> ReadJoinedArrays(int depth);
  std::optional<Attr> ReadSubAxis(int depth);
  std::optional<Attr> ReadDense(std::string_view word);
  std::optional<Attr> ReadTypedArray(int depth);
  std::optional<Attr> ReadHash(int depth);
  std::optional<Attr> ReadWord(int depth);
  bool ReadParameters(Attr& attr, int depth);
  void ReadTypeAfterColon(Attr& attr);

  Cursor& in_;
  TypeReader& types_;
  Diagnostics& diagnostics_;
  bool is_bare_ = false;
};

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_TEXT_ATTR_READER_H_
