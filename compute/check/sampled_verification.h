#pragma once

#include "compute/check/verification.h"

namespace loom {

/// Adds the results of a plan's samples to `result`: lambda and nu at levels 7 to 20 for every exact
/// arithmetic and tile size, and the levels from which tensor-fp16 is wrong.
void verify_samples(const VerifyPlan& plan, VerifyResult& result, const VerifyProgress& progress);

}  // namespace loom
