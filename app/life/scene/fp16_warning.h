#pragma once

#include <string>

#include "compute/engine/fractal_engine.h"

namespace loom::app {

/// From which block levels (level less the level of a block) the plain weights of tensor-fp16 are wrong, in
/// words: "λ is wrong from block level 8 on, ν from 11"; "" where they never are.
std::string fp16_limits(const FractalConfig& config);

/// Why what a configuration shows is wrong, in one sentence; empty where it is right.
std::string why_wrong(const FractalConfig& config);

}  // namespace loom::app
