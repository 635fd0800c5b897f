// Whether two runs gave the same numbers, without having both of them.
#ifndef HLO_ENGINE_VIEWS_FINGERPRINT_H_
#define HLO_ENGINE_VIEWS_FINGERPRINT_H_

#include <string>

namespace hlo {

struct RunRecord;

/// 16 digits that the shapes and elements of all outputs determine, of every device and to the
/// host; empty for a run without a result. Which NaN an element is does not count, nor does what
/// lies behind run-time sizes.
std::string FingerprintOf(const RunRecord& record);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_FINGERPRINT_H_
