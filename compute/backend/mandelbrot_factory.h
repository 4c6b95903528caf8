#pragma once

#include <memory>

#include "compute/backend/engine_factory.h"
#include "compute/engine/mandelbrot_engine.h"

namespace loom {

/// An engine on a backend; it holds no dwells yet. Throws MachineError.
std::unique_ptr<MandelbrotEngine> make_mandelbrot_engine(const BackendSelection& backend);

/// The ideas with which ASK was measured to be fastest on a backend: all of them, but on CUDA without
/// `periodicity`, whose comparisons cost more than the steps that they save at the usual dwell limits.
MandelbrotIdeas fastest_ideas(BackendKind backend);

}  // namespace loom
