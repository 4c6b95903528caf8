#pragma once

#include <string>

#include "compute/engine/fractal_engine.h"

namespace loom::app {

/// The lowest tile levels (level minus level of a tile) at which the weights of tensor-fp16 are wrong: "λ is
/// wrong from tile level 8 on, ν from 11"; empty if they are always correct.
std::string fp16_limits(const FractalConfig& config);

/// Why the results of a configuration are wrong, in one sentence; empty if they are correct.
std::string inexact_reason(const FractalConfig& config);

}  // namespace loom::app
