#pragma once

#include <string>

#include "compute/engine/fractal_engine.h"

namespace loom::app {

/// The tile levels (level minus level of a tile) from which on the weights of tensor-fp16 are wrong: "λ is
/// wrong from tile level 8 on, ν from 11"; empty if they never are.
std::string fp16_limits(const FractalConfig& config);

/// Why what a configuration shows is wrong, in one sentence; empty where it is right.
std::string inexact_reason(const FractalConfig& config);

}  // namespace loom::app
