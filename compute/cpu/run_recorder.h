#pragma once

#include <cstdint>
#include <vector>

#include "compute/engine/timeline.h"

namespace loom::cpu {

/// Records a timeline on the CPU: OpenMP threads record spans, each in memory of its own.
class RunRecorder {
 public:
  /// For the current number of OpenMP threads.
  explicit RunRecorder(std::uint64_t max_spans);

  // Called by the thread that begins parallel regions, outside of them.

  /// The next items are numbered from 0 to `pieces` - 1; if there are too many, the first and the last ones
  /// are kept. Without this call, each thread keeps its first items.
  void expect(std::uint64_t pieces) { window_ = SpanWindow(pieces, most_); }
  /// All spans, in order, and the threads' sums. The caller adds the launches and the times.
  Timeline timeline() const;

  // Called by any thread of a parallel region.

  /// Nanoseconds of the steady clock.
  static std::uint64_t now();
  /// Records a span that ends now; its worker is the calling thread. `piece` is its number among the expected
  /// items. Returns the parent id for child spans.
  std::uint32_t note(std::uint64_t piece, TimelineSpan span);

 private:
  /// The spans of one thread, on cache lines of their own.
  struct alignas(64) Notes {
    std::vector<TimelineSpan> spans;
    TimelineWorker sum;
    std::uint64_t left_out = 0;
  };
  std::uint64_t most_ = 0;
  std::uint64_t max_of_thread_ = 0;
  SpanWindow window_;
  std::vector<Notes> notes_;
};

}  // namespace loom::cpu
