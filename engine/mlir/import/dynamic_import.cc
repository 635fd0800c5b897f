// Programs with unknown dimension sizes (`?`): arguments are asked for their types, functions are
// specialised per call, and `?` is replaced by sizes.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "engine/mlir/import/op_import.h"
#include "engine/mlir/import/refinement.h"
#include "engine/mlir/text/mlir_text.h"
#include "engine/ops/op_def.h"
#include "engine/types/convert.h"

namespace hlo::mlir {
namespace {

// Limit on the ops of all functions specialised for their calls; a function itself counts as some
// ops.
constexpr size_t kMostCopiedOps = 250000;
constexpr size_t kOpsOfFunction = 16;

std::string_view TextOf(const Type* type) { return type ? type->text : "?"; }

void CollectSymbols(const Attr& attr, std::set<std::string_view>* names) {
  if (attr.kind == Attr::Kind::kSymbol) names->insert(attr.text);
  for (const Attr& element : attr.list) CollectSymbols(element, names);
}

// The functions that a function's ops refer to.
void CollectSymbols(const Op& op, std::set<std::string_view>* names) {
  for (const Region& region : op.regions) {
    for (const Block& block : region.blocks) {
      for (const Op& inner : block.ops) {
        for (const Attr::Field& field : inner.attrs) CollectSymbols(field.value, names);
        CollectSymbols(inner, names);
      }
    }
  }
}

// An example of a static type: every `?` replaced by a conspicuous size.
std::string WithSizes(std::string_view type) {
  std::string text(type);
  std::replace(text.begin(), text.end(), '?', '8');
  return text;
}

bool HasIntegers(const Shape& shape) {
  return shape.IsArray() && !IsFloat(shape.element_type()) && !IsComplex(shape.element_type()) &&
         shape.element_count() <= KnownValues::kMostElements;
}

}  // namespace

// ---- Functions ----------------------------------------------------------------------------------

std::string_view Importer::EntryName() const {
  bool has_callable = false;
  for (std::string_view name : order_) {
    if (name == "main") return name;
    const Op& op = *functions_.at(name).op;
    has_callable |= op.regions[0].blocks[0].arguments.empty();
  }
  if (order_.empty() || (order_.size() > 1 && has_callable)) return "";
  // The first public function, rather than one that others call.
  std::set<std::string_view> named;
  for (std::string_view name : order_) CollectSymbols(*functions_.at(name).op, &named);
  auto is_private = [&](std::string_view name) {
    const Attr* visibility = functions_.at(name).op->Find("sym_visibility");
    return visibility && visibility->text == "private";
  };
  for (std::string_view name : order_) {
    if (!is_private(name) && named.count(name) == 0) return name;
  }
  for (std::string_view name : order_) {
    if (named.count(name) == 0) return name;
  }
  return order_[0];
}

bool Importer::IsDynamic() {
  const bool has_sizes =
      std::any_of(program_.types.begin(), program_.types.end(),
                  [](const Type& type) { return type.kind == Type::Kind::kDynamic; });
  if (has_sizes && arguments_) arguments_->wanted = true;
  return has_sizes || is_given_;
}

void Importer::ImportCalled() {
  for (std::string_view name : order_) {
    const bool is_first = entry_name_.empty()
                              ? functions_[name].op->regions[0].blocks[0].arguments.empty()
                              : name == entry_name_;
    if (is_first) ImportFunction(name, {});
  }
  for (std::string_view name : order_) {
    const Function& function = functions_[name];
    if (function.state != Function::State::kNew || diagnostics_.has_errors()) continue;
    diagnostics_.Report(
        DiagCode::kNotExecutable, Severity::kWarning, function.op->name_range,
        fmt::format("@{} is left out: nothing calls it, so that its sizes are not known", name));
  }
}

std::string Importer::CallKey(std::string_view name, const Values& operands) {
  std::string key(name);
  for (const Instruction* operand : operands) {
    key += ';';
    if (!operand) continue;
    AppendShape(operand->shape(), {}, &key);
    const Tensor* known = HasIntegers(operand->shape()) ? known_.Find(operand) : nullptr;
    if (!known) continue;
    key += '=';
    key.append(reinterpret_cast<const char*>(known->bytes()),
               static_cast<size_t>(known->byte_size()));
  }
  return key;
}

bool Importer::MayCopy(const Function& function, Range use, const Values& operands) {
  const Block& block = function.op->regions[0].blocks[0];
  copied_ops_ += block.ops.size() + kOpsOfFunction;
  if (copied_ops_ > kMostCopiedOps) {
    Report(DiagCode::kTooLarge, use,
           "too many calls with different sizes: every one has a function of its own");
    return false;
  }
  const auto& arguments = block.arguments;
  if (arguments.size() != operands.size()) {
    Report(DiagCode::kComputationSignature, use,
           fmt::format("{} operands are passed to a function of {} arguments", operands.size(),
                       arguments.size()));
    return false;
  }
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i]) return false;
    if (Refines(operands[i]->shape(), arguments[i].type->shape)) continue;
    Report(DiagCode::kComputationSignature, use,
           fmt::format("%{} is {}, but {} is passed", arguments[i].name, TextOf(arguments[i].type),
                       ShapeName(operands[i]->shape())))
        .notes.push_back({arguments[i].range, "the argument"});
    return false;
  }
  return true;
}

// ---- Arguments ----------------------------------------------------------------------------------

void Importer::AskForType(int64_t number, const Block::Argument& argument,
                          std::string_view problem) {
  const std::string example = WithSizes(argument.type->text);
  if (arguments_) ++arguments_->missing;
  Diagnostic& fault =
      Report(DiagCode::kShapeInvalid, argument.range,
             fmt::format("%{} is {}, and input {} {}: give input {} with its shape, as `{}` or as "
                         "HLO writes it, from which other sizes follow, or write the argument's "
                         "static type to run the program",
                         argument.name, argument.type->text, number, problem, number, example));
  const size_t at = source_.find(argument.type->text, argument.range.end);
  if (at == std::string_view::npos) return;
  const auto begin = static_cast<uint32_t>(at);
  const auto size = static_cast<uint32_t>(argument.type->text.size());
  fault.fixes.push_back({fmt::format("Write {}", example), {begin, begin + size}, example});
}

Instruction* Importer::ImportArgument(Computation* computation, int64_t number,
                                      const Block::Argument& argument, const Instruction* operand,
                                      bool is_of_entry) {
  const Type& type = *argument.type;
  if (is_of_entry && arguments_ && arguments_->written.size() == static_cast<size_t>(number)) {
    arguments_->written.push_back({std::string(argument.name), std::string(type.text),
                                   argument.range, type.kind == Type::Kind::kDynamic});
  }
  if (type.kind == Type::Kind::kOther || type.kind == Type::Kind::kFunction ||
      type.kind == Type::Kind::kFuture) {
    Report(DiagCode::kShapeInvalid, argument.range,
           fmt::format("arguments of type {} are not read", type.text));
    return nullptr;
  }
  auto add = [&](const Shape& shape) {
    return AddParameter(computation, number, shape, argument.name, argument.range);
  };
  if (operand) {
    Instruction* parameter = add(operand->shape());
    known_.Alias(parameter, operand);
    return parameter;
  }
  const size_t i = static_cast<size_t>(number);
  std::string spec;
  if (is_of_entry && is_given_ && arguments_ != nullptr && i < arguments_->specs.size()) {
    spec = HloInputSpec(arguments_->specs[i]);
  }
  if (spec.empty() && IsStatic(type.shape)) return add(type.shape);
  std::string problem;
  auto given = ReadGivenArgument(spec, type.shape, budget_, &problem);
  if (!given) {
    AskForType(number, argument, problem);
    return nullptr;
  }
  Instruction* parameter = add(given->shape);
  if (!given->value) return parameter;
  Instruction* value = MakeConstant(computation, std::move(*given->value), argument.name, nullptr);
  if (value) editor_.places(value) = editor_.places(parameter);
  return value;
}

void Importer::AskForValue(const Instruction* value, const OpImport& op, std::string_view what) {
  const Instruction* cause = known_.CauseOf(value);
  if (!asked_for_.insert(cause).second) return;
  std::string message =
      fmt::format("{}: {} must be known before the program runs, ", op.op().name, what);
  const bool is_argument = cause->opcode() == Opcode::kParameter && cause->parent() == entry_;
  const Range place = cause->places().name;
  const std::string name(place == Range{} ? cause->name()
                                          : source_.substr(place.begin, place.end - place.begin));
  if (is_argument) {
    const int64_t number = cause->Call().Int("number");
    if (arguments_) arguments_->wanted = true;
    message += fmt::format("but depend on the value of {}: give input {} a value", name, number);
  } else {
    message += fmt::format("but depend on {} ({})", name, Text(cause->opcode()));
  }
  if (arguments_) ++arguments_->missing;
  Report(DiagCode::kOperandInvalid, op.op().name_range, std::move(message))
      .notes.push_back({place, is_argument ? "the argument" : "known too late"});
}

// ---- Values and sizes of an op ------------------------------------------------------------------

void OpImport::AskForValue(size_t operand, std::string_view what) {
  if (operand < operands.size()) importer_.AskForValue(operands[operand], *this, what);
}

std::optional<Dims> OpImport::KnownInts(size_t operand, std::string_view what) {
  if (operand >= operands.size()) {
    Fail(DiagCode::kOperandCount, fmt::format("operand {} ({}) is missing", operand, what));
    return std::nullopt;
  }
  const Tensor* known = Known(operands[operand]);
  if (!known) {
    AskForValue(operand, what);
    return std::nullopt;
  }
  return IntsOf(operands[operand]);
}

Dims OpImport::IntsOf(const Instruction* known) {
  const Tensor& value = *Known(known);
  Dims ints(static_cast<size_t>(value.element_count()));
  ConvertElements(value.element_type(), value.bytes(), ElementType::kS64,
                  reinterpret_cast<std::byte*>(ints.data()), value.element_count());
  return ints;
}

void OpImport::Give(std::string_view name, const Dims& ints) {
  Attr list;
  list.kind = Attr::Kind::kArray;
  list.range = op_.name_range;
  list.integer = ints.empty() ? 0 : ints[0];
  for (int64_t value : ints) {
    Attr element;
    element.kind = Attr::Kind::kInt;
    element.integer = value;
    list.list.push_back(std::move(element));
  }
  given_.push_back({name, std::move(list)});
}

namespace {

// Ops whose results have the shape of their first operand, unless sizes are written.
bool IsLikeOperand(const OpRow& row) {
  return row.is_like_operand || (row.opcode && GetOpDef(*row.opcode).elementwise);
}

}  // namespace

std::optional<Dims> OpImport::SizesOfResult(size_t i, const Shape& written) {
  constexpr std::string_view kWhat = "the sizes of the result";
  if (const Attr* shapes = Find({"indices_of_shape_operands"})) {
    const Dims indices = IntsOf(shapes);
    if (i < indices.size() && indices[i] >= 0) {
      return KnownInts(static_cast<size_t>(indices[i]), kWhat);
    }
  }
  const Attr* given = Find({"$sizes"});  // sizes of the last result
  if (given && i + 1 == result_count()) return IntsOf(given);
  const std::string_view name = row_->name;
  if (row_->sizes_operand >= 0) return KnownInts(static_cast<size_t>(row_->sizes_operand), kWhat);
  Dims sizes = written.dims();
  if (name == "broadcast") {
    // The new dimensions, then those of the operand.
    sizes = Ints({"broadcast_sizes", "sizes"});
    if (!operands.empty()) {
      for (int64_t size : operands[0]->shape().dims()) sizes.push_back(size);
    }
    return sizes;
  }
  if (name == "dynamic_slice") return Ints({"slice_sizes", "sizes"});
  if (!IsLikeOperand(*row_) || operands.empty() || !operands[0]->shape().IsArray()) return sizes;
  const Dims& like = operands[0]->shape().dims();
  for (size_t d = 0; d < std::min(like.size(), sizes.size()); ++d) {
    if (sizes[d] == Shape::kUnbounded) sizes[d] = like[d];
  }
  return sizes;
}

bool OpImport::HasSizesOfResult() {
  const size_t i = static_cast<size_t>(row_->sizes_operand);
  const Type* type = ResultType(result_count() - 1);
  if (row_->sizes_operand < 0 || i >= operands.size() || !type || !type->shape.IsArray())
    return true;
  const Shape &sizes = operands[i]->shape(), &written = type->shape;
  if (!sizes.IsArray() || sizes.rank() != 1 || !IsIntegral(sizes.element_type())) {
    return Fail(DiagCode::kOperandInvalid,
                fmt::format("operand #{} must be 1D tensor of integer values, but got '{}'", i,
                            TypeText(sizes)));
  }
  if (sizes.dim(0) != written.rank()) {
    return Fail(DiagCode::kShapeMismatch,
                fmt::format("the result should have a rank equal to the number of elements in "
                            "operand #{}, but there are {} and its type is '{}'",
                            i, sizes.dim(0), TextOf(*type)));
  }
  if (!Known(operands[i])) return true;
  // A size that no array can have is reported where the result gets its sizes.
  const Dims known = IntsOf(operands[i]);
  if (std::any_of(known.begin(), known.end(), [](int64_t size) { return size < 0; })) return true;
  for (int d = 0; d < written.rank(); ++d) {
    const bool is_open = written.is_unbounded(d) || written.is_dynamic(d);
    if (is_open || written.dim(d) == known[static_cast<size_t>(d)]) continue;
    return Fail(DiagCode::kShapeMismatch,
                fmt::format("inferred type(s) '{}' are incompatible with return type(s) of "
                            "operation '{}'",
                            TypeText(Shape::Array(written.element_type(), known)), TextOf(*type)));
  }
  return true;
}

const Shape* OpImport::RefinedShape(size_t i, const Type& type) {
  if (has_failed_) return nullptr;
  has_failed_ = true;
  if (!type.shape.IsArray()) {
    Fail(DiagCode::kShapeInvalid, fmt::format("the sizes in {} are not known", type.text));
    return nullptr;
  }
  const auto sizes = SizesOfResult(i, type.shape);
  if (!sizes) return nullptr;
  ElementType element = type.shape.element_type();
  if (is_quantized_ && type.quantization) element = type.quantization->expressed;
  int64_t bytes = BytesOf(element);
  for (int64_t size : *sizes) {
    if (size >= 0 && !__builtin_mul_overflow(bytes, std::max<int64_t>(size, 1), &bytes)) continue;
    Fail(
        DiagCode::kShapeInvalid,
        size == Shape::kUnbounded
            ? fmt::format("the sizes of its result, {}, do not follow from its operands", type.text)
            : fmt::format("{} cannot have the sizes [{}]", type.text,
                          fmt::join(sizes->begin(), sizes->end(), ", ")));
    return nullptr;
  }
  if (sizes->size() > 32) {
    Fail(DiagCode::kShapeInvalid, "more than 32 dimensions");
    return nullptr;
  }
  has_failed_ = false;
  shapes_.push_back(Shape::Array(element, *sizes));
  return &shapes_.back();
}

}  // namespace hlo::mlir
