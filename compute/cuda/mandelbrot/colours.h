#pragma once

#include <cstdint>

#include "compute/cuda/mandelbrot/custom/custom_kernels.h"
#include "compute/cuda/mandelbrot/mandelbrot.h"
#include "compute/cuda/mandelbrot/region/dwell_task.h"
#include "compute/cuda/stream.h"

namespace loom::cuda {

// Additional results from the current dwell image: histogram, smooth dwells. Enqueued; Real is
// float or double, Dwell uint16 or uint32.

/// Adds to counts[d] the number of pixels from `first` to `end` with dwell d, 0 to the limit.
template <typename Evaluator, typename Dwell>
void count_dwells(const DwellTask<Evaluator, Dwell>& task, std::uint64_t first, std::uint64_t end,
                  unsigned long long* counts, const Stream& stream);

/// The smooth dwell of every pixel from `first` to `end` in units of 1/65536, below the limit for pixels
/// below it; these pixels are iterated again.
template <typename Evaluator, typename Dwell>
void smooth_dwells(const DwellTask<Evaluator, Dwell>& task, std::uint64_t first, std::uint64_t end,
                   std::uint32_t* smooth, const DwellSlices& slices, const Stream& stream);

}  // namespace loom::cuda
