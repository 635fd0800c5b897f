// Loops of the binary operations.
#include "engine/kernels/scalar_binary.h"
#include "engine/kernels/typed_loops.h"

namespace hlo {

template ElementLoop BinaryLoop<AddOp>(ElementType);
template ElementLoop BinaryLoop<AndOp>(ElementType);
template ElementLoop BinaryLoop<Atan2Op>(ElementType);
template ElementLoop BinaryLoop<DivideOp>(ElementType);
template ElementLoop BinaryLoop<MaximumOp>(ElementType);
template ElementLoop BinaryLoop<MinimumOp>(ElementType);
template ElementLoop BinaryLoop<MulhiOp>(ElementType);
template ElementLoop BinaryLoop<MultiplyOp>(ElementType);
template ElementLoop BinaryLoop<OrOp>(ElementType);
template ElementLoop BinaryLoop<PowerOp>(ElementType);
template ElementLoop BinaryLoop<RemainderOp>(ElementType);
template ElementLoop BinaryLoop<ShiftLeftOp>(ElementType);
template ElementLoop BinaryLoop<ShiftRightArithmeticOp>(ElementType);
template ElementLoop BinaryLoop<ShiftRightLogicalOp>(ElementType);
template ElementLoop BinaryLoop<SubtractOp>(ElementType);
template ElementLoop BinaryLoop<XorOp>(ElementType);

}  // namespace hlo
