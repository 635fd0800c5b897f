// Shapes and literals as XLA's messages.
#ifndef HLO_ENGINE_PROTO_SHAPE_PROTO_H_
#define HLO_ENGINE_PROTO_SHAPE_PROTO_H_

#include <optional>
#include <string>

#include "engine/base/budget.h"
#include "engine/base/diagnostics.h"
#include "engine/proto/wire.h"
#include "engine/types/literal.h"
#include "engine/types/shape.h"

namespace hlo {

/// The text of a ShapeProto. What is no shape gives a text that is none either, so that whoever
/// reads it reports the fault.
void AppendShapeProto(const WireMessage& proto, std::string* out);
/// The shape itself. Faults are reported.
std::optional<Shape> ShapeFromProto(const WireMessage& proto, Diagnostics& diagnostics);
/// The bytes of a ShapeProto.
std::string ShapeToProto(const Shape& shape);

/// The value of a LiteralProto. Faults are reported. Memory is charged to the budget; it is never
/// more than eight times what the message itself takes.
std::optional<ShapedLiteral> LiteralFromProto(const WireMessage& proto, Diagnostics& diagnostics,
                                              Budget* budget = nullptr);
/// The bytes of a LiteralProto; of element types that XLA has no field for they have none.
std::string LiteralToProto(const Value& value, const Shape& shape);

}  // namespace hlo

#endif  // HLO_ENGINE_PROTO_SHAPE_PROTO_H_
