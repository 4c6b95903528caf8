#pragma once

#include <cstdint>

#include "compute/cpu/run_recorder.h"
#include "compute/mandelbrot/mandelbrot_report.h"

namespace loom::cpu {

/// Where a region stands in a timeline.
struct RegionSpan {
  std::uint16_t launch = 0;
  std::uint16_t level = 0;
  std::uint64_t number = 0;          ///< of the region in its level, or among its siblings
  std::uint32_t parent = kNoParent;  ///< the id of the span of the region that it is a child of
  std::uint32_t id = kNoParent;      ///< its own, once noted
};

// What the loops of the CPU engine note with. They are compiled once with each, so that the ones that are
// timed hold nothing of it.

/// Notes nothing.
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
  /// Pixels of `count` rows from `row` on, piece `piece` of those expected.
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
