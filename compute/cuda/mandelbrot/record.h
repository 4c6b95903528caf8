#pragma once

#include <vector>

#include "compute/cuda/mandelbrot/mandelbrot.h"
#include "compute/cuda/timeline/recording.h"

namespace loom::cuda {

// The instrumented copies of compute_exhaustive() and compute_ask_level(), enqueued. Single precision alone,
// so that they do not double what there is to compile; Dwell is uint16 or uint32. Each returns the launches
// it made, as Timeline::launches has them: those of an exhaustive computation as one. A region is never
// shared out where its scheme does not say so.

template <typename Dwell>
TimelineLaunch record_exhaustive(const DwellTask<float, Dwell>& task, BlockShape block,
                                 const RecordingView& to, const SpanWindow& window,
                                 const LaunchSlices& slices, const Stream& stream);

/// Thread blocks that record_exhaustive() launches.
std::uint64_t exhaustive_thread_blocks(const Subdivision& cut, BlockShape block);

/// `first_launch` is the first one's place in Timeline::launches.
template <typename Dwell>
std::vector<TimelineLaunch> record_ask_level(const DwellTask<float, Dwell>& task, const AskTables& tables,
                                             const AskLaunch& launch, const RecordingView& to,
                                             std::uint16_t first_launch, const LaunchSlices& slices,
                                             const Stream& stream);

}  // namespace loom::cuda
