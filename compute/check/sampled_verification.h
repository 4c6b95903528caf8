#pragma once

#include "compute/check/verification.h"

namespace loom {

/// Adds to `result` what a plan's samples come to: lambda and nu at levels 7 to 20 under every exact
/// arithmetic and block size, and the levels from which tensor-fp16 is wrong.
void verify_samples(const VerifyPlan& plan, VerifyResult& result, const VerifyProgress& progress);

}  // namespace loom
