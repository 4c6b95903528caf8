#include "compute/cpu/run_recorder.h"

#include <omp.h>

#include <algorithm>
#include <chrono>

namespace loom::cpu {
namespace {

/// The smallest step of the steady clock in a few reads.
std::uint64_t resolution() {
  std::uint64_t least = 0;
  std::uint64_t before = RunRecorder::now();
  for (int look = 0; look < 1000; ++look) {
    const std::uint64_t now = RunRecorder::now();
    if (now > before) least = least == 0 ? now - before : std::min(least, now - before);
    before = now;
  }
  return std::max<std::uint64_t>(1, least);
}

}  // namespace

RunRecorder::RunRecorder(std::uint64_t max_spans)
    : most_(max_spans), notes_(static_cast<std::size_t>(omp_get_max_threads())) {
  max_of_thread_ = std::max<std::uint64_t>(1, most_ / notes_.size());
}

std::uint64_t RunRecorder::now() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
}

std::uint32_t RunRecorder::note(std::uint64_t piece, TimelineSpan span) {
  span.end = now();
  span.worker = static_cast<std::uint32_t>(omp_get_thread_num());
  Notes& mine = notes_[span.worker];
  TimelineWorker& sum = mine.sum;
  sum.first_begin = sum.spans == 0 ? span.begin : std::min(sum.first_begin, span.begin);
  sum.last_end = std::max(sum.last_end, span.end);
  sum.busy += span.end - span.begin;
  ++sum.spans;
  const bool numbered = window_.size() > 0;
  if (numbered ? !window_.holds(piece) : mine.spans.size() >= max_of_thread_) {
    ++mine.left_out;
    return kNoParent;
  }
  mine.spans.push_back(span);
  return static_cast<std::uint32_t>(span.worker * max_of_thread_ + mine.spans.size() - 1);
}

Timeline RunRecorder::timeline() const {
  Timeline timeline;
  timeline.clock = "steady clock";
  timeline.resolution = resolution();
  std::vector<std::size_t> first;  // first span of each thread
  for (const Notes& notes : notes_) {
    first.push_back(timeline.spans.size());
    timeline.spans.insert(timeline.spans.end(), notes.spans.begin(), notes.spans.end());
    timeline.workers.push_back(notes.sum);
    timeline.spans_left_out += notes.left_out;
  }
  for (TimelineSpan& span : timeline.spans) {
    if (span.parent == kNoParent) continue;
    span.parent =
        static_cast<std::uint32_t>(first[span.parent / max_of_thread_] + span.parent % max_of_thread_);
  }
  order_spans(timeline);
  return timeline;
}

}  // namespace loom::cpu
