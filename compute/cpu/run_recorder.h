#pragma once

#include <cstdint>
#include <vector>

#include "compute/engine/span_window.h"
#include "compute/engine/timeline.h"

namespace loom::cpu {

/// The CPU's side of a timeline: OpenMP threads note what they did, each in its own memory.
class RunRecorder {
 public:
  /// For as many threads as OpenMP takes now.
  explicit RunRecorder(std::uint64_t most_spans);

  // By the thread that begins parallel regions, outside of them.

  /// The pieces to come are numbered from 0 and so many: of too many the first and the last are kept. Without
  /// this each thread keeps its first ones.
  void expect(std::uint64_t pieces) { window_ = SpanWindow(pieces, most_); }
  /// All spans, in order, and the threads' sums. The launches and the times remain the caller's to add.
  Timeline timeline() const;

  // By any thread of a parallel region.

  /// Nanoseconds by the steady clock.
  static std::uint64_t now();
  /// Notes a span that ends now; its worker is the calling thread. `piece` is its number among those
  /// expected. Returns what children name as their parent.
  std::uint32_t note(std::uint64_t piece, TimelineSpan span);

 private:
  /// What one thread noted; apart from the others' so that they share no cache line.
  struct alignas(64) Notes {
    std::vector<TimelineSpan> spans;
    TimelineWorker sum;
    std::uint64_t left_out = 0;
  };
  std::uint64_t most_ = 0;
  std::uint64_t most_of_thread_ = 0;
  SpanWindow window_;
  std::vector<Notes> notes_;
};

}  // namespace loom::cpu
