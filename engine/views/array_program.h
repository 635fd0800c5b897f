// The engine for C++ programs: HLO as a function of arrays.
//
//   hlo::ArrayProgram f("ENTRY e { x = f32[3] parameter(0)  ROOT y = f32[3] add(x, x) }");
//   const xt::xarray<float> y = f.Call<float>(xt::xarray<float>{1, 2, 3});
#ifndef HLO_ENGINE_VIEWS_ARRAY_PROGRAM_H_
#define HLO_ENGINE_VIEWS_ARRAY_PROGRAM_H_

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/base/diagnostics.h"
#include "engine/base/function_ref.h"
#include "engine/types/tensor_view.h"
#include "engine/views/program_view.h"
#include "engine/views/target_families.h"

namespace hlo {

/// A text is no program, or a run of it failed.
class ProgramError : public std::runtime_error {
 public:
  explicit ProgramError(Diagnostics diagnostics);
  const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  Diagnostics diagnostics_;
};

/// A program that is compiled once and called again and again, on one device. What goes wrong is
/// thrown as a ProgramError. Not for several threads.
class ArrayProgram {
 public:
  /// The text is HLO or StableHLO. Of the request, the options and the limits count;
  /// `custom_calls` are what custom-calls find.
  explicit ArrayProgram(std::string text, const RunRequest& request = {},
                        CustomCallTargets custom_calls = CustomCallTargets(AllTargets()));
  ArrayProgram(const ArrayProgram&) = delete;
  ArrayProgram& operator=(const ArrayProgram&) = delete;

  /// Runs it on the arrays of its parameters, those of a tuple one after another. The arrays of its
  /// result are of these element types: one is returned as it is, several as a tuple.
  template <typename... Results, typename... Arguments>
  auto Call(const Arguments&... arguments) {
    std::tuple<xt::xarray<Results>...> arrays;
    Execute(
        [&]([[maybe_unused]] Budget* budget) {
          return std::vector<Tensor>{TensorOf(arguments, budget)...};
        },
        {kTypeOf<Results>...},
        [&](const std::vector<Tensor>& results) {
          [&]<size_t... kAt>(std::index_sequence<kAt...>) {
            ((std::get<kAt>(arrays) = ArrayOf<Results>(results[kAt])), ...);
          }
          (std::index_sequence_for<Results...>());
        });
    if constexpr (sizeof...(Results) == 1) {
      return std::get<0>(std::move(arrays));
    } else {
      return arrays;
    }
  }

 private:
  void Execute(FunctionRef<std::vector<Tensor>(Budget*)> make_arguments,
               const std::vector<ElementType>& result_types,
               FunctionRef<void(const std::vector<Tensor>&)> take_results);

  CustomCallTargets custom_calls_;
  std::shared_ptr<const Document> document_;
  std::unique_ptr<CompiledProgram> program_;
};

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_ARRAY_PROGRAM_H_
