#pragma once

#include <cstdint>

#include "compute/cpu/run_recorder.h"
#include "compute/mandelbrot/mandelbrot_report.h"

namespace loom::cpu {

/// The position of a region in a timeline.
struct RegionSpan {
  std::uint16_t launch = 0;
  std::uint16_t level = 0;
  std::uint64_t number = 0;          ///< number of the region in its level, or among its siblings
  std::uint32_t parent = kNoParent;  ///< the span id of the parent region
  std::uint32_t id = kNoParent;      ///< the region's own span id, once recorded
};

// The recorders of the CPU engine's loops. The loops are compiled once for each recorder, so that the regular
// loops contain no instrumentation.

/// Records nothing.
struct NoRegionRecorder {
  void expect(std::uint64_t) {}
  std::uint64_t begin() const { return 0; }
  void end_region(std::uint64_t, RegionKind, RegionSpan&) {}
  void end_rows(std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t) {}
  void end_mirror(std::uint64_t, std::uint16_t) {}
};

class RegionRecorder {
 public:
  explicit RegionRecorder(RunRecorder& to) : to_(to) {}
  void expect(std::uint64_t pieces) { to_.expect(pieces); }
  std::uint64_t begin() const { return RunRecorder::now(); }
  void end_region(std::uint64_t begin, RegionKind kind, RegionSpan& span) {
    SpanWork work = SpanWork::kSplit;
    if (kind == RegionKind::kFill) work = SpanWork::kFill;
    if (kind == RegionKind::kLeaf) work = SpanWork::kLeaf;
    span.id = note(0, begin, span.number, 1, work, span);
  }
  /// Records the pixels of `count` rows from `row` on, as item `piece` of those expected.
  void end_rows(std::uint64_t begin, std::uint64_t piece, std::uint64_t row, std::uint64_t count) {
    note(piece, begin, row, count, SpanWork::kPixels, {});
  }
  void end_mirror(std::uint64_t begin, std::uint16_t launch) {
    RegionSpan span;
    span.launch = launch;
    note(0, begin, 0, 1, SpanWork::kMirror, span);
  }

 private:
  std::uint32_t note(std::uint64_t piece, std::uint64_t begin, std::uint64_t block, std::uint64_t count,
                     SpanWork work, const RegionSpan& span) {
    TimelineSpan noted;
    noted.begin = begin;
    noted.block = block;
    noted.count = count;
    noted.parent = span.parent;
    noted.launch = span.launch;
    noted.level = span.level;
    noted.work = work;
    return to_.note(piece, noted);
  }
  RunRecorder& to_;
};

}  // namespace loom::cpu
