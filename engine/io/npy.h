// NumPy's `.npy` files. Source: NumPy Enhancement Proposal 1 (the format, versions 1 to 3), and
// what the ml_dtypes package makes numpy.save write for the types NumPy does not have.
#ifndef HLO_ENGINE_IO_NPY_H_
#define HLO_ENGINE_IO_NPY_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "engine/base/budget.h"
#include "engine/base/diagnostics.h"
#include "engine/types/element_type.h"
#include "engine/types/tensor.h"

namespace hlo {

/// Reads an array: either byte order, C or Fortran order, every dtype that has an element type, and
/// ml_dtypes names ("bfloat16", "float8_e4m3fn", "int4"). Raw dtypes ("<V1", "|V2"), which is what
/// numpy.save writes for those, take their meaning from `wanted` if it is stored in as many bytes;
/// `wanted` has no other effect. Values are normalised: bool to 0 or 1, sub-byte integers to their
/// low bits. Memory is charged to the budget (null: not limited, but never more than the file's own
/// size). Faults are located by byte offset.
std::optional<Tensor> ParseNpy(std::span<const std::byte> file, std::optional<ElementType> wanted,
                               Diagnostics& diagnostics, Budget* budget = nullptr);

/// The header that precedes the elements of the tensor in a `.npy` file (version 1, C order); the
/// tensor's own bytes complete the file. Types that NumPy does not have get ml_dtypes' raw dtype.
std::string NpyHeader(const Tensor& tensor);
/// The file: that header and the elements.
std::string NpyFile(const Tensor& tensor);

}  // namespace hlo

#endif  // HLO_ENGINE_IO_NPY_H_
