// Assembly formats that no layout string (op_forms.h) describes: each function prints everything
// after the op's name.
#ifndef HLO_ENGINE_MLIR_TEXT_CUSTOM_FORMS_H_
#define HLO_ENGINE_MLIR_TEXT_CUSTOM_FORMS_H_

#include <string_view>

namespace hlo::mlir {

class AsmPrinter;
struct Op;

void PrintConstant(AsmPrinter& printer, const Op& op);
void PrintCompare(AsmPrinter& printer, const Op& op);
void PrintReducePrecision(AsmPrinter& printer, const Op& op);
void PrintGetTupleElement(AsmPrinter& printer, const Op& op);
void PrintSlice(AsmPrinter& printer, const Op& op);
void PrintOptimizationBarrier(AsmPrinter& printer, const Op& op);
void PrintDot(AsmPrinter& printer, const Op& op);
void PrintDotGeneral(AsmPrinter& printer, const Op& op);
void PrintConvolution(AsmPrinter& printer, const Op& op);
void PrintReduce(AsmPrinter& printer, const Op& op);
void PrintWhile(AsmPrinter& printer, const Op& op);
void PrintScan(AsmPrinter& printer, const Op& op);
void PrintCall(AsmPrinter& printer, const Op& op);
void PrintCustomCall(AsmPrinter& printer, const Op& op);
void PrintComposite(AsmPrinter& printer, const Op& op);
void PrintFunction(AsmPrinter& printer, const Op& op);
void PrintReturn(AsmPrinter& printer, const Op& op);
void PrintModule(AsmPrinter& printer, const Op& op);
/// Whether an op gives the same with its two operands exchanged, so that reduce may apply it
/// without a region: "stablehlo.add", "add". Source: StableHLO, AssemblyFormat.cpp, parseReduceOp.
bool IsCommutative(std::string_view op_name);
/// The name hint of a constant: `c` for integers, `cst` for others.
std::string_view ConstantHint(const Op& op);

}  // namespace hlo::mlir

#endif  // HLO_ENGINE_MLIR_TEXT_CUSTOM_FORMS_H_
