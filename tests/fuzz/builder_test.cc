// Builders that are called with anything: they report, and what they build is a program whose text
// reads back.
#include <random>
#include <vector>

#include "tests/unit/builder_runner.h"

namespace hlo {
namespace {

class RandomCalls {
 public:
  RandomCalls() {
    for (int i = 0; i < 3; ++i) {
      ElementType type = i == 2 ? ElementType::kS32 : ElementType::kF32;
      values_.push_back(b_.Parameter(i, Shape::Array(type, {i + 1, 3}), "p"));
    }
    values_.push_back(b_.ConstantR0(1.0f));
    values_.push_back(b_.ConstantR0<int32_t>(1));
  }

  /// A call that its seed decides, on earlier results; whether it made something.
  bool Call(uint32_t seed) {
    random_.seed(seed);
    Op made = Make();
    if (made) values_.push_back(made);
    return static_cast<bool>(made);
  }

  /// The first fault; the program is checked by FaultOf.
  std::string Build() { return FaultOf(b_); }

 private:
  int64_t Number(int64_t low, int64_t high) {
    if (random_() % 64 == 0) {
      constexpr int64_t kOdd[] = {INT64_MIN, INT64_MAX, int64_t{1} << 40, -1, 1000};
      return kOdd[random_() % 5];
    }
    return low + static_cast<int64_t>(random_() % static_cast<uint64_t>(high - low + 1));
  }
  Dims Numbers(int64_t low, int64_t high, size_t count) {
    Dims dims;
    for (size_t i = 0; i < count; ++i) dims.push_back(Number(low, high));
    return dims;
  }
  Dims Sizes() { return Numbers(0, 3, random_() % 4); }
  Dims List() { return Numbers(0, 2, random_() % 4); }
  Dims Permutation(Op op) {
    Dims dims;
    for (int d = 0; op.shape().IsArray() && d < op.shape().rank(); ++d) dims.push_back(d);
    std::shuffle(dims.begin(), dims.end(), random_);
    return dims;
  }
  Op Any() { return values_[random_() % values_.size()]; }
  Padding Word() { return random_() % 2 == 0 ? Padding::kSame : Padding::kValid; }

  Op Make() {
    Op x = Any(), y = Any();
    int rank = x.shape().IsArray() ? x.shape().rank() : 0;
    size_t count = static_cast<size_t>(rank);
    switch (random_() % 26) {
      case 0:
        return b_.Add(x, y);
      case 1:
        return b_.Mul(x, y, List());
      case 2:
        return b_.Lt(x, y);
      case 3:
        return b_.Broadcast(x, List());
      case 4:
        return b_.BroadcastInDim(x, Sizes(), List());
      case 5:
        return b_.Reshape(x, Sizes());
      case 6:
        return b_.Reshape(x, Permutation(x), {x.shape().IsArray() ? x.shape().element_count() : 1});
      case 7:
        return b_.Collapse(x, List());
      case 8:
        return b_.Transpose(x, Permutation(x));
      case 9:
        return b_.Slice(x, Numbers(0, 1, count), Numbers(1, 3, count), Numbers(1, 2, count));
      case 10:
        return b_.DynamicSlice(x, y, Numbers(0, 2, count));
      case 11:
        return b_.DynamicUpdateSlice(x, y, Any());
      case 12:
        return b_.Pad(x, y,
                      std::vector<PadDim>(count, {Number(-2, 2), Number(-2, 2), Number(0, 2)}));
      case 13:
        return b_.Concatenate({x, y}, Number(0, 2));
      case 14:
        return b_.Reduce(x, y, add_.get(), Numbers(0, 1, random_() % 3));
      case 15:
        return b_.ReduceWindow(x, y, add_.get(), Numbers(1, 3, count), Numbers(1, 2, count),
                               Word());
      case 16:
        return b_.SelectAndScatter(x, add_.get(), Numbers(1, 2, count), {}, Word(), y, Any(),
                                   add_.get());
      case 17:
        return b_.Dot(x, y);
      case 18:
        return b_.Conv(x, y, Numbers(1, 2, count > 2 ? count - 2 : 0), Word(), Number(1, 2));
      case 19:
        return b_.Tuple({x, y});
      case 20:
        return b_.GetTupleElement(x, Number(0, 1));
      case 21:
        return b_.AllToAll(x, Number(0, 2), Number(0, 2), Number(1, 3));
      case 22:
        return b_.AllGather(x, Number(0, 2), Number(1, 3));
      case 23:
        return b_.Gather(x, y, {List(), List(), List(), Number(0, 2), {}, {}},
                         Numbers(0, 2, count));
      case 24:
        return b_.Select(x, y, Any());
      default:
        return b_.Iota(Shape::Array(ElementType::kS32, Sizes()), Number(0, 2));
    }
  }

  std::mt19937 random_;
  Builder b_{"random"};
  std::unique_ptr<Module> add_ = BinaryRegion(Opcode::kAdd);
  std::vector<Op> values_;
};

TEST_CASE("Builder: any calls whatever") {
  int built = 0, made = 0;
  for (uint32_t seed = 0; seed < 1000; ++seed) {
    CAPTURE(seed);
    RandomCalls anything, good;
    std::vector<uint32_t> kept;
    for (uint32_t i = 0; i < 30; ++i) {
      if (anything.Call(seed * 1000 + i)) kept.push_back(seed * 1000 + i);
    }
    anything.Build();
    // Without the calls that were refused it is a program.
    for (uint32_t call : kept) CHECK(good.Call(call));
    std::string fault = good.Build();
    CAPTURE(fault);
    CHECK(fault == "");
    built += fault.empty();
    made += static_cast<int>(kept.size());
  }
  CHECK(built > 500);
  CHECK(made > 5000);
}

}  // namespace
}  // namespace hlo
