#pragma once

#include <vector>

#include "app/bench/results.h"
#include "app/plot/figure.h"

namespace loom::app::plot {

/// The measured entries of a selection. `with_base` adds every bounding box entry of the same tile sizes as
/// reference. If no workload is selected and there are several, life is used. Throws InputError, with what
/// exists, if nothing remains, or more than one fractal, workload or backend.
std::vector<const bench::MapEntry*> select(const bench::Results& results, const Selection& selection,
                                           bool with_base);

/// Throws InputError if the entries ran on different numbers of devices.
void check_devices(const std::vector<const bench::MapEntry*>& entries);

}  // namespace loom::app::plot
