#pragma once

#include <cstdint>
#include <memory>

#include "compute/engine/engine_factory.h"
#include "compute/engine/mandelbrot_engine.h"

namespace loom {

/// An engine on a backend; it holds no dwells yet. Throws MachineError.
std::unique_ptr<MandelbrotEngine> make_mandelbrot_engine(const BackendSelection& backend);

/// Bytes that compute() takes for a valid configuration and view: dwells, OLTs, region list. Saturates at
/// 2^64 - 1.
std::uint64_t bytes_needed(const MandelbrotConfig& config, const MandelbrotView& view,
                           MandelbrotEngine::Regions regions);

/// The complaint where bytes_needed() are not free: "a view of 65536 x 65536 needs ..., free are ...".
CapacityError does_not_fit(const MandelbrotView& view, std::uint64_t needed, std::uint64_t available);

}  // namespace loom
