// The assembly formats of calls, functions and modules.
// Source: StableHLO, StablehloOps.cpp; MLIR, the func and builtin dialects.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "engine/mlir/text/asm_printer.h"
#include "engine/mlir/text/custom_forms.h"
#include "engine/mlir/text/op_forms.h"
#include "engine/mlir/text/syntax.h"

namespace hlo::mlir {

void PrintCall(AsmPrinter& p, const Op& op) {
  p.Text(" ");
  if (const Attr* callee = p.Find(op, "callee", {})) p.Attribute(*callee);
  p.Text("(");
  p.Values(op.operands);
  p.Text(")");
  p.Dictionary(op.attrs, "callee");
  p.TypesOf(op, TypeForm::kFunction);
}

void PrintCustomCall(AsmPrinter& p, const Op& op) {
  p.Text(" ");
  if (const Attr* target = p.Find(op, "call_target_name", "callee")) {
    Attr symbol = *target;
    symbol.kind = Attr::Kind::kSymbol;
    p.Attribute(symbol);
  }
  p.Text("(");
  p.Values(op.operands);
  p.Text(")");
  p.AttrDict(op, *FindForm(op.name), "call_target_name callee");
  p.TypesOf(op, TypeForm::kFunction);
}

void PrintComposite(AsmPrinter& p, const Op& op) {
  p.Text(" ");
  if (const Attr* name = p.Find(op, "name", {})) p.Attribute(*name);
  if (!op.operands.empty()) p.Text(" ");
  p.Values(op.operands);
  p.AttrDict(op, *FindForm(op.name), "name");
  p.TypesOf(op, TypeForm::kFunction);
}

namespace {

void ResultList(AsmPrinter& p, const Op& op, const std::vector<const Type*>& types) {
  if (types.empty()) return;
  const bool is_plain =
      types.size() == 1 && op.result_attrs.empty() && types[0]->kind != Type::Kind::kFunction;
  p.Text(is_plain ? " -> " : " -> (");
  for (size_t i = 0; i < types.size(); ++i) {
    if (i > 0) p.Text(", ");
    p.TypeOf(*types[i]);
    if (i < op.result_attrs.size()) p.Dictionary(op.result_attrs[i]);
  }
  if (!is_plain) p.Text(")");
}

}  // namespace

void PrintFunction(AsmPrinter& p, const Op& op) {
  p.Text(" ");
  if (const Attr* visibility = op.Find("sym_visibility")) {
    p.Text(fmt::format("{} ", visibility->text));
  }
  if (const Attr* name = op.Find("sym_name")) {
    Attr symbol = *name;
    symbol.kind = Attr::Kind::kSymbol;
    p.Attribute(symbol);
  }
  // The generic form has the type as an attribute.
  const Attr* written = op.Find("function_type");
  const Type* type = written ? written->type : nullptr;
  p.Text("(");
  if (op.regions.empty()) {
    p.Types(type ? type->inputs : op.operand_types);
  } else {
    p.BeginRegion(op, 0);
    const auto& arguments = op.regions[0].blocks[0].arguments;
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (i > 0) p.Text(", ");
      p.Value({arguments[i].name, 0, {}});
      p.Text(": ");
      p.TypeOf(*arguments[i].type);
      p.Dictionary(arguments[i].attrs);
    }
    p.EndRegion();
  }
  p.Text(")");
  ResultList(p, op, type ? type->outputs : op.result_types);
  p.Dictionary(op.attrs, "sym_name sym_visibility function_type arg_attrs res_attrs",
               " attributes ");
  if (op.regions.empty()) return;
  p.Text(" ");
  p.RegionOf(op, 0, false);
}

void PrintReturn(AsmPrinter& p, const Op& op) {
  p.Dictionary(op.attrs);
  if (op.operands.empty()) return;
  p.Text(" ");
  p.Values(op.operands);
  p.TypesOf(op, TypeForm::kOperands);
}

void PrintModule(AsmPrinter& p, const Op& op) {
  p.Text(" ");
  if (const Attr* name = op.Find("sym_name")) {
    Attr symbol = *name;
    symbol.kind = Attr::Kind::kSymbol;
    p.Attribute(symbol);
    p.Text(" ");
  }
  p.Dictionary(op.attrs, "sym_name", "attributes ");
  if (op.attrs.size() > (op.Find("sym_name") ? 1u : 0u)) p.Text(" ");
  for (size_t i = 0; i < op.regions.size(); ++i) p.RegionOf(op, i, false);
}

}  // namespace hlo::mlir
