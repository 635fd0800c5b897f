// Tridiagonal matrices.
#include <algorithm>
#include <vector>

#include "engine/ops/custom_calls/matrix_factors.h"
#include "engine/ops/custom_calls/matrix_tools.h"
#include "engine/ops/movement/tensor_moves.h"

namespace hlo {
namespace {

/// The three diagonals of one matrix; the first of `lower` and the last of `upper` are not read.
struct Diagonals {
  const Complex *lower, *main, *upper;
  int64_t size;
};

/// Solves in place: the right-hand side, whose element i is at i * stride, becomes the solution.
void Solve(const Diagonals& a, Complex* x, int64_t stride, std::vector<Complex>* scratch) {
  std::vector<Complex>& pivots = *scratch;
  pivots.resize(static_cast<size_t>(a.size));
  const auto pivot = [&](int64_t i) -> Complex& { return pivots[static_cast<size_t>(i)]; };
  for (int64_t i = 0; i < a.size; ++i) {
    pivot(i) = a.main[i];
    if (i == 0) continue;
    const Complex factor = a.lower[i] / pivot(i - 1);
    pivot(i) -= Times(factor, a.upper[i - 1]);
    x[i * stride] -= Times(factor, x[(i - 1) * stride]);
  }
  for (int64_t i = a.size; i-- > 0;) {
    if (i + 1 < a.size) x[i * stride] -= Times(a.upper[i], x[(i + 1) * stride]);
    x[i * stride] /= pivot(i);
  }
}

bool AreOfOneBatch(const OpCall& call) {
  for (int i = 0; i < call.operand_count(); ++i) {
    if (!IsMatrices(call, i)) return false;
    const Shape &shape = call.operand(i), &first = call.operand(0);
    if (shape.element_type() != first.element_type() ||
        BatchDims(shape, {}) != BatchDims(first, {})) {
      return false;
    }
  }
  return true;
}

int64_t Rows(const Shape& matrices) { return matrices.dim(matrices.rank() - 2); }
int64_t Columns(const Shape& matrices) { return matrices.dims().back(); }

/// Diagonals [1,size] as operands `first` to `first` + 2.
bool AreDiagonals(const OpCall& call, int64_t size) {
  for (int i = 0; i < 3; ++i) {
    if (Rows(call.operand(i)) != 1 || Columns(call.operand(i)) != size) return false;
  }
  return true;
}

}  // namespace

Value EvalTridiagonalSolve(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const int count = call.operand_count();
  const Shape* const rhs = count > 0 ? &call.operand(count - 1) : nullptr;
  bool fits = (count == 2 || count == 4) && AreOfOneBatch(call);
  const bool apart = count == 4;
  fits = fits && (apart ? AreDiagonals(call, Columns(*rhs))
                        : Rows(call.operand(0)) == 3 && Columns(call.operand(0)) == Rows(*rhs));
  if (!fits) {
    RefuseOperands(call,
                   "lower, main and upper diagonal [1,n] and right hand sides [k,n], or all "
                   "diagonals [3,n] and [n,k]");
  }
  Budget* const budget = context.budget();
  std::vector<Tensor> diagonals;
  for (int i = 0; i + 1 < count; ++i) {
    diagonals.push_back(WidenedCopy(args[static_cast<size_t>(i)].tensor(), budget));
  }
  Tensor x = WidenedCopy(args[static_cast<size_t>(count - 1)].tensor(), budget);
  std::vector<Complex> scratch;
  for (int64_t b = 0; b < BatchCount(*rhs); ++b) {
    const Matrix solutions = MatrixOf(x, b);
    Diagonals a{};
    if (apart) {
      a = {MatrixOf(diagonals[0], b).data, MatrixOf(diagonals[1], b).data,
           MatrixOf(diagonals[2], b).data, solutions.columns};
    } else {
      const Complex* const upper = MatrixOf(diagonals[0], b).data;
      a = {upper + 2 * solutions.rows, upper + solutions.rows, upper, solutions.rows};
    }
    for (int64_t k = 0; k < (apart ? solutions.rows : solutions.columns); ++k) {
      Solve(a, solutions.data + (apart ? k * solutions.columns : k), apart ? 1 : solutions.columns,
            &scratch);
      budget->Poll();
    }
  }
  return ConvertTensor(x, rhs->element_type(), budget);
}

Value EvalTridiagonalProduct(const OpCall& call, std::span<Value> args, EvalContext& context) {
  const bool fits =
      call.operand_count() == 4 && AreOfOneBatch(call) && AreDiagonals(call, Rows(call.operand(3)));
  if (!fits) RefuseOperands(call, "upper, main and lower diagonal [1,m] and a matrix [m,n]");
  Budget* const budget = context.budget();
  std::vector<Tensor> operands;
  for (Value& arg : args) operands.push_back(WidenedCopy(arg.tensor(), budget));
  Tensor product(ElementType::kC128, operands[3].dims(), budget);
  for (int64_t b = 0; b < BatchCount(call.operand(3)); ++b) {
    const Complex* const upper = MatrixOf(operands[0], b).data;
    const Complex* const main = MatrixOf(operands[1], b).data;
    const Complex* const lower = MatrixOf(operands[2], b).data;
    const Matrix x = MatrixOf(operands[3], b), y = MatrixOf(product, b);
    for (int64_t r = 0; r < x.rows; ++r) {
      for (int64_t c = 0; c < x.columns; ++c) {
        Complex sum = Times(main[r], x.at(r, c));
        if (r + 1 < x.rows) sum += Times(upper[r], x.at(r + 1, c));
        if (r > 0) sum += Times(lower[r], x.at(r - 1, c));
        y.at(r, c) = sum;
      }
      budget->Poll();
    }
  }
  return ConvertTensor(product, call.operand(3).element_type(), budget);
}

}  // namespace hlo
