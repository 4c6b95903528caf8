#pragma once

#include <memory>
#include <span>

#include "compute/backend/engine_factory.h"
#include "compute/engine/mandelbrot_engine.h"
#include "compute/split/split_mandelbrot.h"

namespace loom {

/// An engine on a backend, over several devices where it has some; it holds no dwells yet. Throws
/// MachineError.
std::unique_ptr<MandelbrotEngine> make_mandelbrot_engine(const BackendSelection& backend);

/// An engine over several devices of this machine, a share of each picture's rows on each; or over parts on
/// one, which then work one after the other. Throws MachineError.
std::unique_ptr<MandelbrotEngine> make_mandelbrot_engine(std::span<const BackendSelection> devices);

/// The same over the processes of a run: a part each, on this process' own device. All of them call it; where
/// one of them cannot, all throw what it says, with its rank.
std::unique_ptr<SplitMandelbrotEngine> make_mandelbrot_engine(const BackendSelection& device,
                                                              const Ranks& ranks);

/// The ideas with which ASK was measured to be fastest on a backend: all of them, but on CUDA without
/// `periodicity`, whose comparisons cost more than the steps that they save at the usual dwell limits.
MandelbrotIdeas fastest_ideas(BackendKind backend);

}  // namespace loom
