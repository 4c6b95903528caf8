#pragma once

#include <vector>

#include "compute/cuda/mandelbrot/mandelbrot.h"
#include "compute/cuda/timeline/recording.h"

namespace loom::cuda {

// The instrumented copies of compute_exhaustive() and compute_ask_level(), enqueued. They exist only for
// single precision, which halves the code to compile; Dwell is uint16 or uint32. Each returns its launches in
// the form of Timeline::launches; an exhaustive computation counts as one launch. Several thread blocks share
// a region only if its scheme is MBR.

template <typename Dwell>
TimelineLaunch record_exhaustive(const DwellTask<Direct<float>, Dwell>& task, BlockShape block,
                                 const RecordingView& to, const SpanWindow& window,
                                 const LaunchSlices& slices, const Stream& stream);

/// Thread blocks that record_exhaustive() launches.
std::uint64_t exhaustive_thread_blocks(const Subdivision& cut, BlockShape block);

/// `first_launch` is the index of the first launch in Timeline::launches.
template <typename Dwell>
std::vector<TimelineLaunch> record_ask_level(const DwellTask<Direct<float>, Dwell>& task,
                                             const AskTables& tables, const AskLaunch& launch,
                                             const RecordingView& to, std::uint16_t first_launch,
                                             const LaunchSlices& slices, const Stream& stream);

}  // namespace loom::cuda
