// The parser of operations, of which an MLIR text consists.
#ifndef HLO_ENGINE_MLIR_TEXT_OP_PARSER_H_
#define HLO_ENGINE_MLIR_TEXT_OP_PARSER_H_

#include <optional>
#include <string>
#include <vector>

#include "engine/base/diagnostics.h"
#include "engine/base/function_ref.h"
#include "engine/mlir/text/attr_reader.h"
#include "engine/mlir/text/cursor.h"
#include "engine/mlir/text/syntax.h"
#include "engine/mlir/text/type_reader.h"

namespace hlo::mlir {

/// One pass over a text. Methods that return false have reported an error.
class Parser {
 public:
  Parser(std::string_view text, Diagnostics& diagnostics)
      : in_(text),
        diagnostics_(diagnostics),
        types_(in_, program_, diagnostics),
        attrs_(in_, types_, diagnostics) {}

  Program Run();

 private:
  void Fail(size_t begin, std::string message);
  /// The same at the cursor, for an error that ends the parse. Returns false.
  bool FailHere(std::string message);
  void SkipLine();
  void ReadAlias();
  void ReadFileMetadata();
  bool ReadResources();
  bool ReadEntries(FunctionRef<bool(std::string_view)> read);
  void ReadOps(std::vector<Op>& out, int depth);
  bool ReadOp(Op& op, int depth);
  bool ReadResults(Op& op);
  /// Gives a module or a function in the generic form the parts that the custom form has.
  bool FromGenericForm(Op& op);
  bool TakeArguments(Op& op, const Attr* attrs);
  bool ReadFunction(Op& op, int depth);
  bool ReadModule(Op& op, int depth);
  bool ReadGenericItems(Op& op, int depth);
  bool ReadItems(Op& op, int depth);
  bool ReadShardyItems(Op& op, int depth);
  bool ReadMesh(Op& op);
  bool ReadItem(Op& op, int depth, bool* ended);
  bool ReadWordItem(Op& op, bool* ended);
  bool FailComma();
  bool CheckElements(const Op& op);
  bool ReadParentheses(Op& op, int depth);
  bool ReadTypes(Op& op);
  bool ReadAfterTypes(Op& op, int depth);
  bool ReadArguments(std::vector<Block::Argument>& out);
  bool ReadRegion(Op& op, int depth, std::vector<Block::Argument> arguments = {});
  bool ReadReducer(Op& op, int depth);
  bool ReadAttr(Op& op, std::string_view name);
  bool ReadBareAttr(Op& op, std::string_view name);
  std::optional<ValueName> ReadValue();
  bool NextIsResult(bool follows_comma);
  bool BeginsBlock();
  void SkipLocation() {
    if (in_.TakeWord("loc")) in_.SkipGroup();
  }

  Cursor in_;
  Diagnostics& diagnostics_;
  Program program_;
  TypeReader types_;
  AttrReader attrs_;
  std::vector<ValueName> inits_;  // of a reduce in its custom form
  bool needs_comma_ = false;      // a comma must follow the last item
  bool follows_comma_ = false;    // the item that is read
};

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_TEXT_OP_PARSER_H_
