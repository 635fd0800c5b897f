// Evaluates input expressions, a block of elements at a time.
#include "engine/run/expression.h"

#include <algorithm>
#include <type_traits>

#include "engine/types/convert.h"

namespace hlo {
namespace {

// Elements are made in f64 and converted block by block.
constexpr int64_t kExpressionBlock = 1024;
using RealBlock = std::vector<double>;

// Where a block lies in its array.
struct BlockPlace {
  const Dims& dims;
  int64_t begin;
  int64_t count;

  int64_t SizeOf(int dim) const {
    if (dim >= 0) return dims[static_cast<size_t>(dim)];
    int64_t all = 1;
    for (int64_t size : dims) all *= size;
    return all;
  }
  // Calls write(i, index in the dimension).
  template <typename Write>
  void EachIndex(int dim, const Write& write) const {
    if (dim < 0) {
      for (int64_t i = 0; i < count; ++i) write(i, begin + i);
      return;
    }
    int64_t stride = 1;
    for (size_t d = static_cast<size_t>(dim) + 1; d < dims.size(); ++d) stride *= dims[d];
    const int64_t size = SizeOf(dim);
    for (int64_t i = 0; i < count; ++i) write(i, (begin + i) / stride % size);
  }
};

// A random permutation of 0 ... n - 1 (Fisher and Yates).
Tensor PermutationOf(int64_t n, Random random, Budget* budget) {
  Tensor order(ElementType::kS64, Dims{n}, budget);
  int64_t* const numbers = order.mutable_data<int64_t>();
  for (int64_t i = 0; i < n; ++i) {
    const auto other = static_cast<int64_t>(random.Below(static_cast<uint64_t>(i) + 1));
    numbers[i] = numbers[other];
    numbers[other] = i;
    if (budget && (i & 0xffff) == 0) budget->Poll();
  }
  return order;
}

template <typename T>
double RealOf(T value) {
  if constexpr (std::is_same_v<T, double>) {
    return value;
  } else {
    return value.real();
  }
}

// The machine: a stack of blocks. T is double, or complex where something is.
template <typename T>
class BlockStack {
 public:
  using Block = std::vector<T>;
  using Step = Expression::Step;

  explicit BlockStack(const BlockPlace& place) : place_(&place) {}

  void Move(const BlockPlace& place) { place_ = &place, depth_ = 0; }
  const Block& top() const { return blocks_[depth_ - 1]; }

  void Number(double value, bool is_imaginary) {
    Block& block = Push();
    if constexpr (std::is_same_v<T, double>) {
      std::fill_n(block.begin(), place_->count, value);
    } else {
      std::fill_n(block.begin(), place_->count, is_imaginary ? T(0, value) : T(value));
    }
  }
  void Index(int dim) {
    Block& block = Push();
    place_->EachIndex(dim, [&](int64_t i, int64_t index) {
      block[static_cast<size_t>(i)] = static_cast<double>(index);
    });
  }
  void Space(int dim) {
    const Block& last = blocks_[depth_ - 1];
    Block& first = blocks_[depth_ - 2];
    --depth_;
    const auto steps = static_cast<double>(place_->SizeOf(dim) - 1);
    place_->EachIndex(dim, [&](int64_t i, int64_t index) {
      T& value = first[static_cast<size_t>(i)];
      const T end = last[static_cast<size_t>(i)];
      const auto at = static_cast<double>(index);
      if (steps > 0) value = at == steps ? end : value + (end - value) * (at / steps);
    });
  }
  void Eye() {
    const auto rank = static_cast<int>(place_->dims.size());
    Block& block = Push();
    place_->EachIndex(rank - 1, [&](int64_t i, int64_t index) {
      block[static_cast<size_t>(i)] = static_cast<double>(index);
    });
    place_->EachIndex(rank - 2, [&](int64_t i, int64_t index) {
      T& value = block[static_cast<size_t>(i)];
      value = RealOf(value) == static_cast<double>(index) ? 1 : 0;
    });
  }
  void Permutation(const Tensor& order) {
    Block& block = Push();
    for (int64_t i = 0; i < place_->count; ++i) {
      block[static_cast<size_t>(i)] = static_cast<double>(order.data<int64_t>()[place_->begin + i]);
    }
  }
  void Apply(const Step& step, Random& random) {
    if (step.operands == 0)
      Push();
    else
      depth_ -= static_cast<size_t>(step.operands) - 1;
    const size_t first = depth_ - 1;
    for (size_t i = 0; i < static_cast<size_t>(place_->count); ++i) {
      blocks_[first][i] = Result(step, first, i, random);
    }
  }

 private:
  Block& Push() {
    if (depth_ == blocks_.size()) blocks_.emplace_back(static_cast<size_t>(kExpressionBlock));
    return blocks_[depth_++];
  }
  T Result(const Step& step, size_t first, size_t i, Random& random) const {
    const ExpressionFunction& function = *step.function;
    const auto operands = static_cast<size_t>(step.operands);
    if constexpr (!std::is_same_v<T, double>) {
      if (function.complex != nullptr) {
        T operand[ExpressionFunction::kMostArguments];
        for (size_t k = 0; k < operands; ++k) operand[k] = blocks_[first + k][i];
        // Real operands have real results: sqrt(-1) is NaN wherever it is written.
        bool is_real = true;
        for (size_t k = 0; k < operands; ++k) is_real &= operand[k].imag() == 0;
        if (!is_real || step.is_complex) return function.complex(operand);
      }
    }
    double operand[ExpressionFunction::kMostArguments] = {};
    for (size_t k = 0; k < operands; ++k) operand[k] = RealOf(blocks_[first + k][i]);
    return function.draw != nullptr ? function.draw(random, operand) : function.real(operand);
  }

  const BlockPlace* place_;
  std::vector<Block> blocks_;
  size_t depth_ = 0;
};

}  // namespace

template <typename T>
void Expression::Fill(Tensor& tensor, uint64_t seed, Budget* budget) const {
  // The first stream is that of a plain `normal`, so that `normal(0, 1)` gives the numbers of
  // `normal`.
  std::vector<Random> streams;
  std::vector<Tensor> orders;
  uint64_t stream = 0;
  for (const Step& step : steps_) {
    const bool is_order = step.kind == Step::Kind::kPermutation;
    const bool draws = is_order || (step.function != nullptr && step.function->draw != nullptr);
    streams.emplace_back(draws && stream > 0 ? Random::Mix(seed, stream) : seed);
    if (draws) ++stream;
    orders.push_back(is_order ? PermutationOf(tensor.element_count(), streams.back(), budget)
                              : Tensor());
  }
  const int bytes = BytesOf(tensor.element_type());
  BlockPlace place{tensor.dims(), 0, 0};
  BlockStack<T> stack(place);
  const int64_t count = tensor.element_count();
  for (int64_t begin = 0; begin < count; begin += kExpressionBlock) {
    place.begin = begin;
    place.count = std::min(kExpressionBlock, count - begin);
    stack.Move(place);
    for (size_t s = 0; s < steps_.size(); ++s) {
      const Step& step = steps_[s];
      switch (step.kind) {
        case Step::Kind::kNumber:
          stack.Number(step.number, step.is_complex);
          break;
        case Step::Kind::kIndex:
          stack.Index(step.dim);
          break;
        case Step::Kind::kSpace:
          stack.Space(step.dim);
          break;
        case Step::Kind::kEye:
          stack.Eye();
          break;
        case Step::Kind::kPermutation:
          stack.Permutation(orders[s]);
          break;
        case Step::Kind::kApply:
          stack.Apply(step, streams[s]);
          break;
      }
    }
    if (budget) budget->Poll();
    ConvertElements(kTypeOf<T>, reinterpret_cast<const std::byte*>(stack.top().data()),
                    tensor.element_type(), tensor.mutable_bytes() + begin * bytes, place.count);
  }
}

Tensor Expression::Evaluate(const Shape& array, uint64_t seed, Budget* budget) const {
  Tensor tensor(array, budget);
  if (is_complex_) {
    Fill<std::complex<double>>(tensor, seed, budget);
  } else {
    Fill<double>(tensor, seed, budget);
  }
  return tensor;
}

}  // namespace hlo
