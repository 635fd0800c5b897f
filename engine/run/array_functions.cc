#include "engine/run/array_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "engine/base/byte_count.h"
#include "engine/base/characters.h"
#include "engine/base/indices.h"
#include "engine/run/input_fault.h"
#include "engine/types/number_text.h"

namespace hlo {
namespace {

constexpr std::string_view kModules[] = {"np",    "numpy",  "jnp",     "jax", "torch",
                                         "scipy", "random", "special", "lax", "math"};

// What is between the parentheses of a call.
enum class Arguments : uint8_t {
  kSizes,      // of the array, or one tuple of them
  kSizesThen,  // sizes, and the value that fills the array; or the value alone
  kValue,      // the value that fills the array
  kStop,       // [start,] stop [, step]
  kCount,      // first, last, how many
  kDraws,      // parameters of a distribution, and a tuple of sizes among them
};

struct ArrayFunction {
  std::string_view name;
  Arguments arguments;
  std::string_view becomes;  // "": what is in the parentheses
  bool has_module;           // without one it is a function of expressions
};
// A name that is written in the place of another is not longer.
constexpr ArrayFunction kArrayMakers[] = {
    {"ones", Arguments::kSizes, "1", false},
    {"zeros", Arguments::kSizes, "0", false},
    {"empty", Arguments::kSizes, "0", false},
    {"rand", Arguments::kSizes, "rand", false},
    {"randn", Arguments::kSizes, "randn", false},
    {"standard_normal", Arguments::kSizes, "randn", false},
    {"random_sample", Arguments::kSizes, "rand", false},
    {"random", Arguments::kSizes, "rand", true},
    {"eye", Arguments::kSizes, "eye", false},
    {"identity", Arguments::kSizes, "eye", false},
    {"full", Arguments::kSizesThen, "", false},
    {"constant", Arguments::kValue, "", false},
    {"arange", Arguments::kStop, "arange", true},
    {"linspace", Arguments::kCount, "linspace", true},
    {"logspace", Arguments::kCount, "logspace", true},
    {"uniform", Arguments::kDraws, "uniform", false},
    {"normal", Arguments::kDraws, "normal", false},
    {"lognormal", Arguments::kDraws, "lognormal", false},
    {"exponential", Arguments::kDraws, "exponential", false},
    {"laplace", Arguments::kDraws, "laplace", false},
    {"gumbel", Arguments::kDraws, "gumbel", false},
    {"bernoulli", Arguments::kDraws, "bernoulli", false},
    {"randint", Arguments::kDraws, "randint", false},
};

// Arguments that may be named, and where they are without their names.
struct NamedArgument {
  std::string_view name;
  size_t position;
};
constexpr NamedArgument kNamedArguments[] = {
    {"low", 0},  {"minval", 0}, {"loc", 0},   {"mean", 0},  {"start", 0}, {"p", 0},
    {"high", 1}, {"maxval", 1}, {"scale", 1}, {"sigma", 1}, {"std", 1},   {"stop", 1},
    {"end", 1},  {"step", 2},   {"num", 2},   {"steps", 2},
};

template <typename List>
bool Has(const List& list, std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

bool IsNamePart(char c) { return IsNameStart(c) || IsDigit(c); }

// A name with the modules in front of it.
struct DottedName {
  size_t begin = 0, last = 0, end = 0;  // `last`: where the name itself begins
};

DottedName NameAt(std::string_view text, size_t begin) {
  DottedName name{begin, begin, begin};
  while (name.end < text.size() && IsNamePart(text[name.end])) {
    const bool is_module = Has(kModules, text.substr(name.last, name.end + 1 - name.last)) &&
                           text.substr(name.end + 1).starts_with('.');
    ++name.end;
    if (is_module) name.last = ++name.end;
  }
  return name;
}

const ArrayFunction* FunctionOf(std::string_view text, const DottedName& name, bool has_method) {
  const std::string_view word = text.substr(name.last, name.end - name.last);
  const bool has_module = name.last > name.begin || has_method;
  const auto* const found =
      std::find_if(std::begin(kArrayMakers), std::end(kArrayMakers), [&](const ArrayFunction& row) {
        return row.name == word && (has_module || !row.has_module);
      });
  return found == std::end(kArrayMakers) ? nullptr : found;
}

// More parentheses within one another are for the parser of expressions to refuse.
constexpr size_t kDeepestCall = 200;

// For each parenthesis that is opened and closed, the place after the one that closes it; 0
// elsewhere. Nothing when they are too deep.
std::optional<std::vector<uint32_t>> ClosingPlaces(std::string_view text) {
  std::vector<uint32_t> closes(text.size(), 0);
  std::vector<size_t> open;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '[') open.push_back(i);
    if (open.size() > kDeepestCall) return std::nullopt;
    if ((text[i] != ')' && text[i] != ']') || open.empty()) continue;
    closes[open.back()] = static_cast<uint32_t>(i + 1);
    open.pop_back();
  }
  return closes;
}

// An argument: where it and the comma before it are; without the name that `name=` gives it.
struct Argument {
  size_t comma = 0, begin = 0, end = 0;
  std::string_view keyword;
};

std::vector<Argument> ArgumentsIn(std::string_view text, size_t begin, size_t end) {
  std::vector<Argument> list;
  int depth = 0;
  size_t from = begin;
  for (size_t i = begin; i <= end; ++i) {
    const char c = i < end ? text[i] : ',';
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c != ',' || (depth != 0 && i < end)) continue;
    const std::string_view part = Trimmed(text.substr(from, i - from));
    const bool is_last = i == end;
    if (!part.empty() || !is_last) {
      const auto at = static_cast<size_t>(part.data() - text.data());
      Argument argument{from == begin ? begin : from - 1, part.empty() ? from : at, 0, {}};
      argument.end = argument.begin + part.size();
      const size_t equals = part.find('=');
      const bool is_keyword =
          equals != std::string_view::npos && equals + 1 < part.size() && part[equals + 1] != '=' &&
          std::all_of(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(equals),
                      [](char k) { return IsNamePart(k) || k == ' '; });
      if (is_keyword) {
        argument.keyword = Trimmed(part.substr(0, equals));
        argument.begin += equals + 1;
      }
      list.push_back(argument);
    }
    from = i + 1;
  }
  return list;
}

// One pass over a text, of which what has no meaning in an expression becomes spaces.
class Rewriter {
 public:
  Rewriter(std::string_view text, uint32_t offset, const Shape& array, Diagnostics& diagnostics)
      : text_(text), offset_(offset), array_(array), diagnostics_(diagnostics), out_(text) {}

  std::optional<std::string> Rewrite() {
    auto closes = ClosingPlaces(text_);
    if (!closes) return std::move(out_);
    closes_ = std::move(*closes);
    for (size_t i = 0; i < out_.size();) {
      const bool is_word = IsNameStart(out_[i]);
      if (!is_word) {
        // The digits and the dot of a number are no names.
        i = IsDigit(out_[i]) ? NameAt(out_, i).end : i + 1;
        continue;
      }
      const DottedName name = NameAt(out_, i);
      if (!ReadName(name)) return std::nullopt;
      i = name.end;
    }
    return std::move(out_);
  }

 private:
  std::string_view At(const Argument& argument) const {
    return Trimmed(text_.substr(argument.begin, argument.end - argument.begin));
  }
  void Blank(size_t begin, size_t end) {
    std::fill(out_.begin() + static_cast<std::ptrdiff_t>(begin),
              out_.begin() + static_cast<std::ptrdiff_t>(end), ' ');
  }
  bool Fault(size_t begin, size_t end, std::string message) {
    return InputFault(diagnostics_, offset_, begin, end, std::move(message));
  }

  bool ReadName(const DottedName& name) {
    Blank(name.begin, name.last);
    const size_t open = text_.find_first_not_of(kBlank, name.end);
    if (open == std::string_view::npos || text_[open] != '(') return true;
    const size_t after = closes_[open];
    if (after == 0) {
      // Of functions of expressions their parser says so.
      return FunctionOf(text_, name, false) == nullptr ||
             Fault(text_.size(), text_.size(), "expects ')' at the end of the arguments");
    }
    const size_t method = text_.find_first_not_of(kBlank, after);
    const bool has_method = method != std::string_view::npos && text_[method] == '.';
    const ArrayFunction* function = FunctionOf(text_, name, has_method);
    is_reshaped_ = false;
    if (has_method && !ReadMethods(method)) return false;
    return function == nullptr || ReadCall(*function, name, open, after);
  }

  // `.reshape(2, 3).astype(np.float32)`
  bool ReadMethods(size_t at) {
    while (at < text_.size() && text_[at] == '.') {
      const DottedName name = NameAt(text_, at + 1);
      const std::string_view word = text_.substr(name.begin, name.end - name.begin);
      const size_t open = text_.find_first_not_of(kBlank, name.end);
      const bool is_known = word == "reshape" || word == "astype" || word == "to" || word == "view";
      if (!is_known || open == std::string_view::npos || text_[open] != '(') {
        return Fault(at, name.end,
                     fmt::format("'{}' is not understood after an array: reshape and astype are",
                                 text_.substr(at, name.end - at)));
      }
      const size_t after = closes_[open];
      if (after == 0) return true;
      if (word == "reshape" || word == "view") {
        is_reshaped_ = true;
        if (!CheckSizes(ArgumentsIn(text_, open + 1, after - 1), open + 1, after - 1)) return false;
      }
      Blank(at, after);
      at = std::min(text_.find_first_not_of(kBlank, after), text_.size());
    }
    return true;
  }

  // A name that stands where its argument would without it; else it would be taken for another one.
  bool CheckNames(const std::vector<Argument>& kept, bool are_sizes) {
    for (size_t i = 0; i < kept.size(); ++i) {
      const std::string_view name = kept[i].keyword;
      const auto fits = [&](const NamedArgument& known) {
        return known.name == name && known.position == i;
      };
      const bool is_known =
          std::any_of(std::begin(kNamedArguments), std::end(kNamedArguments), fits);
      if (name.empty() || name == "fill_value" || (is_known && !are_sizes)) continue;
      return Fault(
          kept[i].begin, kept[i].end,
          fmt::format("'{}=' is not understood here: write the arguments in their order", name));
    }
    return true;
  }

  // What is left of an argument that says only how an array is stored or drawn.
  bool IsLeftOut(const Argument& argument) const {
    constexpr std::string_view kKeywords[] = {"dtype", "device", "key",
                                              "rng",   "layout", "requires_grad"};
    constexpr std::string_view kTypes[] = {"float", "bfloat", "int", "uint", "bool", "complex"};
    constexpr std::string_view kKeys[] = {"key", "rng", "subkey", "jax.random."};
    if (Has(kKeywords, argument.keyword)) return true;
    std::string_view word = At(argument);
    const auto starts = [&word](std::string_view known) { return word.starts_with(known); };
    if (std::any_of(std::begin(kKeys), std::end(kKeys), starts)) return true;
    word.remove_prefix(NameAt(word, 0).last);
    if (word.starts_with('\'') || word.starts_with('"')) word.remove_prefix(1);
    return std::any_of(std::begin(kTypes), std::end(kTypes), starts);
  }

  bool IsTuple(const Argument& argument) const {
    if (argument.keyword == "size" || argument.keyword == "shape") return true;
    const std::string_view word = At(argument);
    if (word.starts_with('[')) return true;
    const auto begin = static_cast<size_t>(word.data() - text_.data());
    return word.starts_with('(') && closes_[begin] == begin + word.size() &&
           (word.find(',') != std::string_view::npos || Trimmed(word.substr(1)) == ")");
  }

  bool ReadSizes(const std::vector<Argument>& list, Dims* sizes) {
    for (const Argument& argument : list) {
      const std::string_view word = At(argument);
      if (word.starts_with('(') || word.starts_with('[')) {
        const auto parts = ArgumentsIn(text_, static_cast<size_t>(word.data() + 1 - text_.data()),
                                       argument.end - 1);
        if (!ReadSizes(parts, sizes)) return false;
        continue;
      }
      const IntegerToken token = ScanInteger(word.data(), word.data() + word.size());
      if (word.empty() || token.end != word.data() + word.size() || !token.fits ||
          token.magnitude > INT64_MAX) {
        return Fault(argument.begin, argument.end, fmt::format("'{}' is not a size", word));
      }
      const auto size = static_cast<int64_t>(token.magnitude);
      sizes->push_back(token.is_negative ? -size : size);
    }
    return true;
  }

  bool CheckCount(double count, size_t begin, size_t end) {
    const int64_t wanted = ElementCount(array_.dims());
    if (count == static_cast<double>(wanted)) return true;
    return Fault(
        begin, end,
        fmt::format("this has {} elements, but {} has {}", count, ShapeName(array_), wanted));
  }

  // The sizes of the array that is written, between two places of the text.
  bool CheckSizes(const std::vector<Argument>& list, size_t begin, size_t end) {
    Dims sizes;
    if (!ReadSizes(list, &sizes)) return false;
    const auto rank = static_cast<size_t>(array_.rank());
    bool fits = sizes.size() == rank;
    int64_t unknown = 0;
    for (size_t i = 0; fits && i < rank; ++i) {
      unknown += sizes[i] == -1 ? 1 : 0;
      fits = sizes[i] == array_.dims()[i] || (is_reshaped_ && sizes[i] == -1);
    }
    if (fits && unknown <= 1) return true;
    return Fault(begin, end,
                 fmt::format("this is an array of the sizes [{}], but the parameter is {}",
                             fmt::join(sizes, ","), ShapeName(array_)));
  }

  // As CheckSizes, where `.reshape` may follow.
  bool CheckMade(const std::vector<Argument>& list, size_t begin, size_t end) {
    if (!is_reshaped_) return CheckSizes(list, begin, end);
    Dims sizes;
    if (!ReadSizes(list, &sizes)) return false;
    double count = 1;
    for (int64_t size : sizes) count *= static_cast<double>(size);
    return CheckCount(count, begin, end);
  }

  bool ReadCall(const ArrayFunction& function, const DottedName& name, size_t open, size_t after) {
    std::vector<Argument> kept, sizes;
    for (const Argument& argument : ArgumentsIn(text_, open + 1, after - 1)) {
      if (IsLeftOut(argument)) continue;
      (IsTuple(argument) ? sizes : kept).push_back(argument);
    }
    if (!CheckNames(kept, function.arguments == Arguments::kSizes)) return false;
    switch (function.arguments) {
      case Arguments::kSizes:
        sizes.insert(sizes.end(), kept.begin(), kept.end());
        kept.clear();
        // eye(3) is of 3 by 3.
        if (function.becomes == "eye" && sizes.size() == 1) sizes.push_back(sizes[0]);
        break;
      case Arguments::kSizesThen:
        if (kept.size() == 2) {
          sizes.push_back(kept[0]);
          kept.erase(kept.begin());
        }
        break;
      case Arguments::kStop:
        return ReadRange(kept, name, open, after);
      case Arguments::kCount:
        if (kept.size() > 3) {
          return Fault(kept[3].begin, kept[3].end,
                       fmt::format("'{}' takes 3 arguments, not {}", function.name, kept.size()));
        }
        if (kept.size() == 3 && !CheckNumberOf(kept[2])) return false;
        kept.resize(std::min<size_t>(kept.size(), 2));
        break;
      case Arguments::kValue:
      case Arguments::kDraws:
        break;
    }
    if (!sizes.empty() && !CheckMade(sizes, name.begin, after)) return false;
    Keep(kept, function.becomes, name, open, after);
    return true;
  }

  bool CheckNumberOf(const Argument& argument) {
    const std::string_view word = At(argument);
    double count = 0;
    const char* const end = ScanDouble(word.data(), word.data() + word.size(), &count);
    return end != word.data() + word.size() || CheckCount(count, argument.begin, argument.end);
  }

  // Of a call: the name that it becomes, and the arguments that are kept.
  void Keep(const std::vector<Argument>& kept, std::string_view becomes, const DottedName& name,
            size_t open, size_t after) {
    Blank(name.begin, after);
    std::copy(becomes.begin(), becomes.end(),
              out_.begin() + static_cast<std::ptrdiff_t>(name.last));
    if (kept.empty()) return;
    out_[open] = '(';
    out_[after - 1] = ')';
    for (const Argument& argument : kept) {
      if (&argument != kept.data()) out_[argument.comma] = ',';
      out_.replace(argument.begin, argument.end - argument.begin,
                   text_.substr(argument.begin, argument.end - argument.begin));
    }
  }

  // arange: from 0 or a start, to a stop that is not in it, by a step.
  bool ReadRange(std::vector<Argument> kept, const DottedName& name, size_t open, size_t after) {
    if (kept.empty() || kept.size() > 3) {
      return Fault(name.begin, after,
                   fmt::format("'arange' takes 1 to 3 arguments, not {}", kept.size()));
    }
    double numbers[3] = {0, 0, 1};
    bool are_numbers = true;
    for (size_t i = 0; i < kept.size(); ++i) {
      const std::string_view word = At(kept[i]);
      const char* const last = word.data() + word.size();
      double* const place = &numbers[kept.size() == 1 ? 1 : i];
      are_numbers &= !word.empty() && ScanDouble(word.data(), last, place) == last;
    }
    const double count = std::ceil((numbers[1] - numbers[0]) / numbers[2]);
    if (are_numbers && !CheckCount(std::max(count, 0.0), name.begin, after)) return false;
    if (!is_reshaped_ && array_.rank() > 1) {
      return Fault(name.begin, after,
                   fmt::format("'arange' makes one dimension, but the parameter is {}: add "
                               ".reshape({})",
                               ShapeName(array_), fmt::join(array_.dims(), ", ")));
    }
    if (kept.size() == 2) {
      // A start and the row-major number, where a stop was.
      kept.pop_back();
      Keep(kept, "(k+", name, open, after);
      out_[after - 2] = ')';
      return true;
    }
    const bool has_step = kept.size() == 3;
    if (has_step) kept.erase(kept.begin() + 1);
    if (!has_step) kept.clear();
    Keep(kept, has_step ? "arange" : "k", name, open, after);
    return true;
  }

  std::string_view text_;
  uint32_t offset_;
  const Shape& array_;
  Diagnostics& diagnostics_;
  std::vector<uint32_t> closes_;
  std::string out_;
  bool is_reshaped_ = false;
};

}  // namespace

bool StartsAsArrayFunction(std::string_view text) {
  const DottedName name = NameAt(text, 0);
  const bool is_call = SkipBlank(text.substr(name.end)).starts_with('(');
  return name.last > 0 || (is_call && FunctionOf(text, name, false) != nullptr);
}

std::optional<std::string> WithoutArrayFunctions(std::string_view text, uint32_t offset,
                                                 const Shape& array, Diagnostics& diagnostics) {
  return Rewriter(text, offset, array, diagnostics).Rewrite();
}

}  // namespace hlo
