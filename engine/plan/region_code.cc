#include "engine/plan/region_code.h"

namespace hlo {
namespace {

RegionCodeMaker* installed_maker = nullptr;

}  // namespace

RegionCodeMaker* TheRegionCodeMaker() { return installed_maker; }

void SetRegionCodeMaker(RegionCodeMaker* maker) { installed_maker = maker; }

}  // namespace hlo
