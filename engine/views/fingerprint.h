// Whether two runs gave the same bits, without having both of them.
#ifndef HLO_ENGINE_VIEWS_FINGERPRINT_H_
#define HLO_ENGINE_VIEWS_FINGERPRINT_H_

#include <string>

namespace hlo {

struct RunRecord;

/// 16 digits that the shapes and bits of all outputs determine, of every device and to the host;
/// empty for a run without a result. What lies behind run-time sizes does not count.
std::string FingerprintOf(const RunRecord& record);

}  // namespace hlo

#endif  // HLO_ENGINE_VIEWS_FINGERPRINT_H_
