#pragma once

#include "compute/device/device.h"
#include "compute/engine/fractal_config.h"
#include "compute/workload/workload.h"

namespace loom {

/// Whether a device emulates a map's arithmetic, because it has no warps or no tensor cores. The results are
/// the same.
inline bool is_arithmetic_emulated(const Device& device, MapKind map, MapArithmetic arithmetic) {
  const bool native = is_tensor(arithmetic) ? device.tensor_cores : device.warps;
  return map != MapKind::kBoundingBox && needs_warps(arithmetic) && !native;
}

/// Whether a device emulates a reduction method.
inline bool is_reduction_emulated(const Device& device, const Work& work) {
  return !device.tensor_cores && work.workload == Workload::kReduction &&
         work.reduction == ReductionMethod::kTensor;
}

/// Whether a device emulates any part of a configuration.
inline bool is_emulated(const Device& device, const FractalConfig& config, const Work& work) {
  return is_arithmetic_emulated(device, config.method.map, config.method.arithmetic) ||
         is_reduction_emulated(device, work);
}

}  // namespace loom
