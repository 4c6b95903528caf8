#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "compute/core/error.h"
#include "compute/engine/engine_factory.h"
#include "compute/engine/mandelbrot_engine.h"

namespace loom {

/// An engine on a backend; it holds no dwells yet. Throws MachineError.
std::unique_ptr<MandelbrotEngine> make_mandelbrot_engine(const BackendSelection& backend);

/// The ideas with which ASK was measured to be fastest on a backend: all of them, but on CUDA without
/// `periodicity`, whose comparisons cost more than the steps that they save at the usual dwell limits.
MandelbrotIdeas fastest_ideas(BackendKind backend);

/// Bytes that compute() takes at most for a valid configuration and view: dwells, OLTs, region list.
/// Saturates at 2^64 - 1.
std::uint64_t bytes_needed(const MandelbrotConfig& config, const MandelbrotView& view,
                           MandelbrotEngine::Regions regions);

/// The complaint where bytes_needed() are not free.
CapacityError does_not_fit(const MandelbrotView& view, std::uint64_t needed, std::uint64_t available);

/// Throws InputError where `dwells` values from `first_row` on are not whole rows of the view.
void check_rows(const MandelbrotView& view, std::uint32_t first_row, std::size_t dwells);

}  // namespace loom
