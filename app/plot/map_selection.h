#pragma once

#include <vector>

#include "app/bench/results.h"
#include "app/plot/figure.h"

namespace loom::app::plot {

/// The measured entries of a selection; `with_base` takes every bounding box of the same block sizes too,
/// which ratios are taken to. Of several workloads of which none is chosen life is taken. Throws InputError
/// where nothing is left, or more than one fractal, workload or backend, with what there is.
std::vector<const bench::MapEntry*> select(const bench::Results& results, const Selection& selection,
                                           bool with_base);

/// Throws InputError where the entries ran on different numbers of devices.
void check_devices(const std::vector<const bench::MapEntry*>& entries);

}  // namespace loom::app::plot
