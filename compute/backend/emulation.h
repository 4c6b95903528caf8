#pragma once

#include "compute/backend/engine_factory.h"
#include "compute/workload/workload.h"

namespace loom {

/// Whether a backend emulates a map's arithmetic. The CPU has no warps and no tensor cores.
constexpr bool is_arithmetic_emulated(BackendKind backend, MapKind map, MapArithmetic arithmetic) {
  return backend == BackendKind::kCpu && map != MapKind::kBoundingBox && is_emulated_on_cpu(arithmetic);
}

/// Whether a backend emulates a reduction method.
constexpr bool is_reduction_emulated(BackendKind backend, const Work& work) {
  return backend == BackendKind::kCpu && work.workload == Workload::kReduction &&
         work.reduction == ReductionMethod::kTensor;
}

/// Whether a backend emulates any part of a configuration.
inline bool is_emulated(BackendKind backend, const FractalConfig& config, const Work& work) {
  return is_arithmetic_emulated(backend, config.method.map, config.method.arithmetic) ||
         is_reduction_emulated(backend, work);
}

}  // namespace loom
