// The syntax tree of MLIR text: operations, blocks, attributes, types. Ops have no meaning here;
// the importer gives them one. Texts are views of the source.
// Source: the MLIR language reference.
#ifndef HLO_ENGINE_MLIR_TEXT_SYNTAX_H_
#define HLO_ENGINE_MLIR_TEXT_SYNTAX_H_

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/source.h"
#include "engine/mlir/import/quantization.h"
#include "engine/types/shape.h"
#include "engine/types/tensor.h"

namespace hlo::mlir {

/// A type. Tensors, scalars (as arrays of rank 0), tuples and tokens are shapes.
struct Type {
  enum class Kind : uint8_t {
    kShape,
    kDynamic,    ///< a tensor with `?` or without a rank
    kQuantized,  ///< elements of a !quant type; `shape` is that of the stored integers
    kFunction,   ///< inputs and outputs
    kFuture,     ///< outputs: what an asynchronous op will give
    kOther,
  };
  Kind kind = Kind::kOther;
  std::string_view text;
  Shape shape;
  std::vector<const Type*> inputs, outputs;
  std::shared_ptr<const Quantization> quantization;
};

/// An attribute: a tree of them.
struct Attr {
  enum class Kind : uint8_t {
    kUnit,
    kBool,      ///< integer
    kInt,       ///< integer
    kFloat,     ///< number, and text as written
    kString,    ///< text, escapes as written
    kSymbol,    ///< text without the @
    kWord,      ///< text: an enumerator, a letter of dimension numbers; of #name<word text> the
                ///< word is the list
    kArray,     ///< list; text: the element type of array<...>, or what stands between `[0]x[1]`
    kDict,      ///< fields; of #name<...> also list
    kDense,     ///< text between the angle brackets, or tensor; type
    kResource,  ///< text: the name of a dense_resource, type
    kType,      ///< type
    kAlias,     ///< text without the #
    kOpaque,    ///< text: balanced, not understood
  };
  struct Field;
  Kind kind = Kind::kUnit;
  Range range;
  std::string_view text;
  std::string_view name;  ///< of `#name<...>`, with its dialect
  int64_t integer = 0;
  double number = 0;
  const Type* type = nullptr;
  const Tensor* tensor = nullptr;  ///< elements that no text holds; not owned
  std::vector<Attr> list;
  std::vector<Field> fields;

  /// The field of this name, or null.
  const Attr* Find(std::string_view name) const;
};
/// The resource in whose place the elements of a constant are left out.
inline constexpr std::string_view kElided = "__elided__";

struct Attr::Field {
  std::string_view name;
  Attr value;
  bool is_item = false;  ///< of the op's custom form, not of a dictionary
};
/// The value of the field of this name, or null.
const Attr* FindField(std::span<const Attr::Field> fields, std::string_view name);

/// `%name` or `%name#index`.
struct ValueName {
  std::string_view name;
  int64_t index = 0;  ///< for results of an op: how many values the name stands for
  Range range;
};

struct Region;
struct Op {
  std::string_view name;
  Range range;       ///< from the results to the end of the types
  Range name_range;  ///< of the op's name
  std::vector<ValueName> results;
  std::vector<ValueName> operands;
  std::vector<Attr::Field> attrs;
  std::vector<std::string_view> words;  ///< bare words of the pretty form: LT, SIGNED, ...
  std::vector<Region> regions;
  std::vector<const Type*> operand_types, result_types;
  bool has_function_type = false;
  bool is_generic = false;  ///< the name stands in quotation marks: every operand has its type
  std::vector<std::vector<Attr::Field>> result_attrs;  ///< of a function; empty where none has any
  size_t first_operands = 0;  ///< how many operands stand in the first of two pairs of parentheses
  uint32_t origin = 0;        ///< what the op was made of, for who made it

  /// The attribute of this name, or null.
  const Attr* Find(std::string_view attr) const;
};

struct Block {
  struct Argument {
    std::string_view name;
    const Type* type = nullptr;
    Range range;
    std::vector<Attr::Field> attrs;
  };
  std::vector<Argument> arguments;
  std::vector<Op> ops;
};

struct Region {
  std::vector<Block> blocks;
  Range range;
};

/// A parsed text. The source must outlive it.
struct Program {
  std::vector<Op> ops;  ///< of the top level
  std::deque<Type> types;
  std::unordered_map<std::string_view, Attr> aliases;
  std::unordered_map<std::string_view, const Type*> type_aliases;
  std::unordered_map<std::string_view, std::string_view> resources;  ///< name: hex digits
};

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_TEXT_SYNTAX_H_
